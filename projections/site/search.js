// Finds words in all that a site tells. It stands in the page of the search, and loads what it looks through once
// somebody types.

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const MOST = 60; // results that are shown
const AROUND = 80; // characters on either side of the first word that was found

/** A text without case, accents and width, as names and words compare. */
export function folded(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The words of a text, each with where it stands. */
export function words(text) {
  return Array.from(text.matchAll(WORD), (one) => ({ text: folded(one[0]), start: one.index, end: one.index + one[0].length }));
}

/** The texts in which every word that was typed begins a word; where none does, those that have them within. */
export function found(texts, typed) {
  const wanted = words(typed).map((one) => one.text);
  if (!wanted.length) return [];
  const has = (within) => texts.filter((one) => wanted.every((word) => one.folded.includes(within ? word : ` ${word}`)));
  const begun = has(false);
  return begun.length ? begun : has(true);
}

/** As much of a text as is shown, in parts: those that were looked for are `true`. */
export function excerpt(text, typed) {
  const wanted = words(typed).map((one) => one.text);
  const met = words(text).filter((one) => wanted.some((word) => one.text.includes(word)));
  const start = blank(text, Math.max(0, (met[0]?.start ?? 0) - AROUND));
  const end = met.length ? Math.min(text.length, met[0].end + 2 * AROUND) : Math.min(text.length, 3 * AROUND);
  const parts = [[start ? "… " : "", false]];
  let at = start;
  for (const one of met.filter((one) => one.start >= start && one.end <= end)) {
    parts.push([text.slice(at, one.start), false], [text.slice(one.start, one.end), true]);
    at = one.end;
  }
  parts.push([text.slice(at, end), false], [end < text.length ? " …" : "", false]);
  return parts.filter(([shown]) => shown);
}

function blank(text, from) {
  const at = from && text.indexOf(" ", from);
  return at > 0 && at < from + AROUND / 2 ? at + 1 : from;
}

/** What a result is on the page: a link to where it stands, and the words around what was found. */
function shown(one, typed) {
  const item = document.createElement("li");
  const link = item.appendChild(document.createElement("a"));
  link.href = one.anchor ? `${one.path}#${one.anchor}` : one.path;
  link.textContent = one.title;
  link.dir = "auto";
  const text = item.appendChild(document.createElement("p"));
  text.dir = leaning(one.text);
  for (const [part, marked] of excerpt(one.text, typed)) {
    const into = marked ? text.appendChild(document.createElement("mark")) : text;
    into.append(...(text.dir === "ltr" ? apart(part) : [part]));
  }
  return item;
}

const RIGHT = "\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC\\u{10800}-\\u{10FFF}\\u{1E800}-\\u{1EFFF}";
const RUN = new RegExp(`([${RIGHT}](?:[ '\\u2019\\u200C\\u200D-]*[${RIGHT}])*(?:-\\d+)?)`, "u");

/** The direction in which most of a text is read: a name alone turns no sentence round. */
export function leaning(text) {
  const right = text.match(new RegExp(`[${RIGHT}]`, "gu"))?.length ?? 0;
  return 2 * right > (text.match(/\p{L}/gu)?.length ?? 0) ? "rtl" : "ltr";
}

/** A part of a text, each name in it that is read from the right on its own. */
function apart(part) {
  return part.split(RUN).map((one, number) => {
    if (number % 2 === 0) return one;
    const name = document.createElement("bdi");
    name.textContent = one;
    return name;
  });
}

function begin() {
  const asked = document.getElementById("asked");
  const files = Array.from({ length: Number(asked.dataset.files) });
  globalThis.searched = (number, pages) => {
    files[number] = pages.flatMap(([path, title, texts]) => texts.map(([anchor, text]) => {
      return { path, title, anchor, text, folded: ` ${words(`${text} ${title}`).map((one) => one.text).join(" ")}` };
    }));
    look();
  };
  const load = () => {
    if (document.head.querySelector("script")) return;
    for (const number of files.keys()) {
      const file = document.head.appendChild(document.createElement("script"));
      file.onerror = () => globalThis.searched(number, []);
      file.src = `search/${number}.js`;
    }
  };
  const told = document.getElementById("told");
  const list = document.getElementById("found");
  const look = () => {
    const typed = asked.value;
    if (words(typed).length) load();
    const met = files.includes(undefined) ? [] : found(files.flat(), typed);
    list.replaceChildren(...met.slice(0, MOST).map((one) => shown(one, typed)));
    const key = met.length ? (met.length > MOST ? "many" : "some") : "none";
    told.textContent = words(typed).length && !files.includes(undefined) ? told.dataset[key].replace("#", met.length) : "";
    history.replaceState(null, "", typed ? `#${encodeURIComponent(typed)}` : location.pathname);
  };
  asked.addEventListener("input", look);
  asked.value = meant(location.hash.slice(1));
  if (asked.value) look();
  asked.focus();
}

function meant(typed) {
  try {
    return decodeURIComponent(typed);
  } catch {
    return typed;
  }
}

if (globalThis.document?.getElementById("asked")) begin();
