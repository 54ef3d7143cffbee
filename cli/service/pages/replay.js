// The replay of a session on a page of the service: the same modules as in the file, over what is asked for once.

import { Page } from "/modules/main.js";
import { make } from "/modules/making.js";
import { phrase, speak } from "/modules/phrases.js";
import { illustrated, portrayed } from "/modules/portraits.js";
import { Replay } from "/modules/record.js";
import { ask } from "./asking.js";

const MAINLINE = "";
const at = (name) => document.getElementById(name);
const below = (path) => new URL(path, location.href).pathname;
const wanted = new URLSearchParams(location.search);

async function begin() {
  speak(JSON.parse(at("words").textContent));
  const me = await ask(below("here.json"));
  const value = await ask(`${below("replay")}${asked(wanted.get("part"), wanted.get("branch"))}`);
  named(value);
  const page = new Page(illustrated(value));
  portrayed(page);
  page.scrub(page.n); // at the table nobody waits for Play
  await offered(me, value);
  return { page, me };
}

/** The words after the `?` for a part and a branch; none where neither is named. */
function asked(part, branch) {
  const words = new URLSearchParams(Object.entries({ part, branch }).filter(([, one]) => one));
  return String(words) && `?${words}`;
}

function named({ title, campaign, viewer, lang }) {
  document.title = title;
  at("title").textContent = title;
  const copy = phrase(["gm", "table"].includes(viewer) ? `for-${viewer}` : "for-one", { who: viewer });
  at("of").textContent = [campaign === title ? "" : campaign, copy].filter(Boolean).join(" · ");
  for (const one of document.querySelectorAll('[lang=""]')) {
    one.lang = lang;
  }
}

/** Offers the other sessions, and to the game master the other lines. */
async function offered(me, value) {
  const shown = sessionOf(value);
  const last = wanted.get("part") || wanted.get("branch") ? sessionOf(await ask(below("replay"))) : shown;
  const sessions = Array.from({ length: Math.max(last, shown) }, (_, n) => [`s${n + 1}`, phrase("session", { number: n + 1 })]);
  choice("part", sessions, `s${shown}`);
  const lines = me.branches.length ? [[MAINLINE, me.line], ...me.branches.filter((one) => one !== me.line).map((one) => [one, one])] : [];
  choice("branch", lines, wanted.get("branch") ?? MAINLINE);
}

/** The number of the session a replay is of, as its first step has it; 0 for none. */
function sessionOf(value) {
  const path = new Replay(value).path(0);
  return path.count ? (path.boardAt(0).get("at")?.session ?? 0) : 0;
}

function choice(name, ways, chosen) {
  const select = at(name);
  select.replaceChildren(...ways.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));
  select.hidden = ways.length < 2;
  select.addEventListener("change", () => {
    location.href = `${location.pathname}${asked(at("part").value, at("branch").value)}`;
  });
}

/** The page and the viewer, once both are there: for what a feature adds. */
export const begun = begin();
begun.catch((error) => {
  at("told").textContent = error.message;
});
