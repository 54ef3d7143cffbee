/** Elements, made of text and attributes only: nothing that anybody typed is ever read as markup. */

const SVG = "http://www.w3.org/2000/svg";

/** An element of the page; attributes that are null or false are left out. */
export function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An element of a drawing. */
export function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  element.append(...children.flat().filter((one) => one !== null && one !== undefined && one !== ""));
  return element;
}

/** Something people typed, or a name, in whichever direction it is read. */
export function typed(text, attributes = {}) {
  return make("bdi", attributes, String(text ?? ""));
}

const RTL = "[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]";
/** What is in quotes, and what is written from right to left, without what stands between two of these. */
const APART = new RegExp(`(?<=“)[^”]*${RTL}[^”]*(?=”)|${RTL}(?:[\\p{M}\\s'’\\u200c\\u200d-]*${RTL})*\\p{M}*(?:-\\d+)?`, "gu");

/** A line of ours as children of an element: names and quotes from right to left stand apart, so that they tear nothing else. */
export function apart(text) {
  const line = String(text ?? ""), found = [];
  let from = 0;
  for (const { 0: words, index } of line.matchAll(APART)) {
    found.push(line.slice(from, index), typed(words));
    from = index + words.length;
  }
  return [...found, line.slice(from)].filter((one) => one !== "");
}

/** A line of ours as one element, from left to right. */
export function sentence(text, attributes = {}) {
  return make("bdi", { dir: "ltr", ...attributes }, ...apart(text));
}

/** Words for those who listen to the page. */
export function unseen(text) {
  return make("bdi", { class: "unseen" }, text);
}

/** A picture, with what it says in words. */
export function picture(alt, attributes, ...children) {
  return make("div", { ...attributes, role: "img", "aria-label": alt }, ...children);
}

/** A drawing of that size in its own units; what it shows is said elsewhere. */
export function drawing(width, height, attributes, ...children) {
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false", ...attributes }, ...children);
}

/** Makes these the children of an element, moving as few as possible. */
export function place(parent, wanted) {
  let at = parent.firstChild;
  for (const child of wanted) {
    if (child === at) at = at.nextSibling;
    else parent.insertBefore(child, at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** Words on one line, cut where they are longer than that. */
export function cut(text, most) {
  const letters = [...String(text)];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : letters.join("");
}
