/** The veil over what is ahead of a moment: hidden from eyes, ears and a search of the page, each in its own place. */
import { make } from "./making.js";
import { NEVER } from "./path.js";
import { phrase } from "./phrases.js";

/**
 * The parts of a block that is drawn, each with the step that tells it, in the order of telling: mechanics that come before
 * the words stand before them. What this path does not come to is taken out.
 * @returns {[Element, number][]}
 */
export function partsOf(element, words, numbers) {
  const said = [...element.children].filter((one) => !one.matches(".here, .mechanics")).map((one) => [one, words]);
  const counted = [...element.querySelectorAll(".mechanics > li")].map((one, k) => [one, numbers[k]]);
  const parts = [...said, ...counted];
  const before = counted.filter(([, step]) => step < words).map(([part]) => part);
  if (before.length && said.length) said[0][0].before(make("ul", { class: "mechanics" }, ...before));
  for (const [part, step] of parts) if (step === NEVER) part.remove();
  for (const list of element.querySelectorAll(".mechanics:empty")) list.remove();
  return parts.filter(([, step]) => step !== NEVER);
}

/** Veils what step n has not come to, unless what is `ahead` is shown, and marks what it tells; whether anything is shown. */
export function veil(parts, n, ahead) {
  let known = !parts.length;
  for (const [part, step] of parts) {
    const tells = ahead || step <= n;
    part.classList.toggle("veiled", !tells);
    part.classList.toggle("ahead", tells && step > n);
    part.classList.toggle("now", step === n);
    known ||= tells;
  }
  return known;
}

/** What stands where the veil begins, and a button that lifts it. */
export function note(lift) {
  const button = make("button", { type: "button" }, phrase("show-ahead"));
  button.addEventListener("click", lift);
  return make("p", { class: "veil-note" }, phrase("veiled"), " ", button);
}
