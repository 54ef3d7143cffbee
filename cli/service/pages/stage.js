// The stage: the story from the bottom up, who acts, the conflict; no controls, so that it fits a stream or a screen in the room.

import { initialsOf } from "/modules/cover.js";
import { make, place, sentence, typed } from "/modules/making.js";
import { ask } from "./asking.js";
import { drawnInto } from "./drawing.js";
import { Following } from "./following.js";
import { Throwing } from "./throwing.js";
import { Words } from "./words.js";

const LAST = 7;
const AGAIN = 3000;
/** So long a new scene is a card over the story, and a throw lies in the middle. */
const CARD = 4000;
const THROWN = 2000;
const at = (name) => document.getElementById(name);
/** The stage has addresses of its own: there it is told what the table may know, whosever link this browser has. */
const below = (path) => new URL(`stage/${path}`, location.href).pathname;
const picture = (id) => below(`picture/${id}`);
const draw = drawnInto(at("board"), picture);
const throwing = new Throwing(at("thrown"), at("board"), { where: "all", shown: THROWN });
const words = new Words(at("room"), picture, LAST);
let title = "";
let cover;
/** The scene that was there before. */
let before = null;
let carded;

/** It is dark on any device: the dark half of the replay's style holds always. */
function darken() {
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (rule.conditionText === "(prefers-color-scheme: dark)") {
        rule.media.mediaText = "all";
      }
    }
  }
}

/** Words alone: numbers are on the board. */
const withoutNumbers = (events) => events.map((one) => ({ ...one, numbers: "" }));

/** Where every conflict stands, in words; a scene where nobody strives has none. */
function stands(board) {
  const conflicts = Object.keys(board).filter((key) => key.startsWith("conflict:"));
  return conflicts.map((key) => board[key].stands ?? board[key].title).join(" · ");
}

/** Who acts, by the words on where the conflict stands: the longest name in them. */
function actor(board) {
  const said = stands(board);
  const named = Object.keys(board).filter((key) => key.startsWith("who:")).map((key) => board[key]).filter(({ name, role }) => role !== "gm" && new RegExp(`(?<![\\p{L}\\p{N}])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}-])`, "u").test(said));
  return named.sort((one, other) => other.name.length - one.name.length)[0];
}

/** The portrait of somebody, or their initials; nothing of nobody. */
function show(who) {
  const stamp = JSON.stringify([who?.name, who?.portrait]);
  if (at("actor").dataset.stamp !== stamp) {
    at("actor").dataset.stamp = stamp;
    const face = who?.portrait ? make("img", { src: picture(who.portrait.id), alt: "" }) : make("span", { class: "initials", "aria-hidden": "true" }, who ? initialsOf(who.name) : "");
    place(at("actor"), who ? [face] : []);
    at("actor").hidden = !who;
  }
}

/** A scene that begins is a card for a moment. */
function card({ session, scene, place: name }) {
  const now = `${session} ${scene}`;
  if (before !== null && before !== now && name) {
    at("card").replaceChildren(make("p", {}, typed(name)));
    at("card").hidden = false;
    at("thrown").hidden = true;
    clearTimeout(carded);
    carded = setTimeout(() => (at("card").hidden = true), CARD);
  }
  before = now;
}

const heard = {
  board(board, changed) {
    const here = board.at ?? {};
    at("scene").textContent = here.place ?? here.title ?? title;
    at("stands").replaceChildren(sentence(stands(board)));
    at("stands").hidden = !at("stands").textContent;
    document.documentElement.classList.toggle("bare", !Object.keys(board).some((key) => key.startsWith("conflict:")));
    document.documentElement.classList.toggle("between", !here.session);
    show(actor(board));
    card(here);
    draw(board, changed);
    if (board.fell && changed.includes("fell")) { // a throw and a scene never cover each other: the newer one is there
      at("card").hidden = true;
    }
    throwing.show(board, changed);
  },
  happened: (events) => words.tell(withoutNumbers(events)),
  anew: (events) => words.tellAnew(withoutNumbers(events)),
  proposal() {},
  gone: () => words.tellAnew([]),
  here() {},
};

darken();
document.documentElement.classList.toggle("clear", new URLSearchParams(location.search).has("clear"));
const following = new Following(below, ask, heard);

/** A screen in the room has nobody who would load it again. */
async function begin() {
  try {
    const begun = JSON.parse(at("begun").textContent);
    ({ title, cover } = begun?.here ?? await ask(below("here.json")));
    at("cover").replaceChildren(...(cover ? [make("img", { src: picture("cover"), alt: "" })] : []), make("p", {}, typed(title)));
    await following.begin(begun);
  } catch {
    setTimeout(begin, AGAIN);
  }
}

begin();
