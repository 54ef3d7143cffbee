// The stage: the scene, who acts, the last words, the board; no controls, so that it fits a stream or a screen in the room.

import { sentence } from "/modules/making.js";
import { ask } from "./asking.js";
import { drawnInto } from "./drawing.js";
import { Following } from "./following.js";
import { Words } from "./words.js";

const LAST = 4;
const AGAIN = 3000;
const at = (name) => document.getElementById(name);
/** The stage has addresses of its own: there it is told what the table may know, whosever link this browser has. */
const below = (path) => new URL(`stage/${path}`, location.href).pathname;
const picture = (id) => below(`picture/${id}`);
const draw = drawnInto(at("board"), picture);
const words = new Words(at("room"), picture, LAST);
let title = "";

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

const heard = {
  board(board, changed) {
    const here = board.at ?? {};
    at("scene").textContent = here.place ?? here.title ?? title;
    at("stands").replaceChildren(sentence(stands(board)));
    at("stands").hidden = !at("stands").textContent;
    document.documentElement.classList.toggle("bare", !Object.keys(board).some((key) => !/^(at$|who:)/.test(key)));
    draw(board, changed);
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
    ({ title } = begun?.here ?? await ask(below("here.json")));
    await following.begin(begun);
  } catch {
    setTimeout(begin, AGAIN);
  }
}

begin();
