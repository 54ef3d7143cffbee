// Elements that the parts of the table's page share.

import { make } from "/modules/making.js";

/** A button that acts when it is pressed. */
export function button(words, act, attributes = {}) {
  const made = make("button", { type: "button", ...attributes }, words);
  made.addEventListener("click", act);
  return made;
}

/** A field below its label, what it is `about` below it: one line, or a text if it is `long`. */
export function field({ name, label, about, long, needed, value = "", ...more }) {
  const input = long
    ? make("textarea", { name, rows: 2, dir: "auto", required: needed, ...more }, value)
    : make("input", { name, dir: "auto", autocomplete: "off", required: needed, value, ...more });
  return make("label", {}, make("span", {}, label), input, about ? make("small", {}, about) : null);
}

/** A choice below its label; `options` are the values, each with its words. */
export function choice(name, label, options, chosen = "") {
  return make("label", {}, make("span", {}, label),
    make("select", { name }, ...Object.entries(options).map(([value, text]) => make("option", { value, selected: value === chosen }, text))));
}
