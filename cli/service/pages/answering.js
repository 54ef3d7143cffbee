// A long answer, such as that of `recap`: as it stands in a shell, and what is in columns there as a table.

import { make } from "/modules/making.js";

/** Lines as elements: those that follow each other and have tabs are the rows of a table, the first of them its head. */
export function answer(lines) {
  const found = [];
  let rows = [];
  let plain = [];
  const end = () => {
    if (plain.length) {
      found.push(make("pre", {}, pips(plain.join("\n"))));
    }
    if (rows.length) {
      found.push(table(rows));
    }
    [rows, plain] = [[], []];
  };
  for (const line of lines) {
    const isRow = line.includes("\t");
    if (isRow ? plain.length : rows.length) {
      end();
    }
    (isRow ? rows : plain).push(isRow ? line.split("\t") : line.replace(/^# /, ""));
  }
  end();
  return found;
}

/** A text with boxes as pips: `[x][ ]` is ●○. */
function pips(text) {
  return text.replaceAll("[x]", "●").replaceAll("[ ]", "○");
}

/** A cell's text; what `search` found in it is marked. */
function marked(text) {
  return pips(text).split("**").map((part, number) => (number % 2 ? make("mark", {}, part) : part));
}

function table([head, ...rows]) {
  const row = (tag) => (cells) => make("tr", {}, ...cells.map((one) => make(tag, tag === "th" ? { scope: "col" } : {}, make("bdi", {}, ...marked(one)))));
  return make("table", {}, make("thead", {}, row("th")(head)), make("tbody", {}, ...rows.map(row("td"))));
}
