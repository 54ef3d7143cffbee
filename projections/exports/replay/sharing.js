/** What leads from a page to others and back: its link, the markup for another page, and the whole page from there. */
import { make } from "./making.js";
import { phrase } from "./phrases.js";

/** The markup that shows a replay at a moment in another page. */
export function embedding(href, hash, title) {
  const page = href.split(/[?#]/)[0], quoted = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<iframe src="${quoted(`${page}?embed${hash}`)}" title="${quoted(title)}" width="800" height="600" allowfullscreen></iframe>`;
}

/** In another page: without tools, and with a link below the titles to the page itself. */
export function embedded(titles) {
  document.documentElement.classList.add("embedded");
  const link = make("a", { href: location.pathname, target: "_blank", rel: "noopener" }, phrase("whole"));
  titles.append(make("p", { class: "whole" }, link));
}

/** Shows the keys, and the markup for another page, at this moment. */
export function help(page) {
  const snippet = page.find("#snippet");
  if (snippet) snippet.value = embedding(location.href, page.addressOf(page.n), document.title);
  page.find("#help").showModal();
}

/** Puts the address of this moment into the clipboard, and says so on its button. */
export async function copyLink(page) {
  history.replaceState(null, "", page.addressOf(page.n));
  const done = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  const words = page.find("#copy span");
  words.textContent = phrase(done ? "copied" : "see-above");
  page.say(phrase(done ? "link-copied" : "link-above"));
  setTimeout(() => (words.textContent = phrase("link")), 2500);
}
