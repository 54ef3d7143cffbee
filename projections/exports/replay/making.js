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

const FROM_THE_RIGHT = "\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}";
const APART = new RegExp(`\u201C([^\u201C\u201D]*[${FROM_THE_RIGHT}][^\u201C\u201D]*)\u201D|[${FROM_THE_RIGHT}](?:[ '\u2019\u200C\u200D-]*[${FROM_THE_RIGHT}])*(?:-\\d+)?`, "gu");

/** A sentence of ours, from left to right: each name in it, and what is quoted, that is read from the right is apart. */
export function sentence(text, attributes = {}) {
  const told = String(text ?? ""), parts = [];
  let end = 0;
  for (const found of told.matchAll(APART)) {
    const quoted = found[1] !== undefined;
    const start = found.index + (quoted ? 1 : 0), apart = quoted ? found[1] : found[0];
    parts.push(told.slice(end, start), make("bdi", {}, apart));
    end = start + apart.length;
  }
  return make("bdi", { dir: "ltr", ...attributes }, ...parts, told.slice(end));
}

/** Words for those who listen to the page. */
export function unseen(text) {
  return make("span", { class: "unseen" }, text);
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
