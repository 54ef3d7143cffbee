// The stage: the scene, who acts, the last words; no controls, so that it fits a stream or a screen in the room.

import { ask } from "./asking.js";
import { follow } from "./following.js";
import { tellAnew } from "./words.js";

const LAST = 4;
const at = (name) => document.getElementById(name);
const below = (path) => new URL(path, location.href).pathname;
let words = [];

document.documentElement.classList.toggle("clear", new URLSearchParams(location.search).has("clear"));

function show(events) {
  const told = events.filter((one) => /^table\.(narrated|said|declared)$/.test(one.kind));
  words = [...words, ...told].slice(-LAST);
  tellAnew(at("words"), words);
}

async function anew() {
  words = [];
  const { events, cursor } = await ask(below("happened"));
  show(events);
  return cursor;
}

const heard = {
  board(board) {
    const here = board.at ?? {};
    at("scene").textContent = here.place ?? here.title ?? "";
    const conflicts = Object.keys(board).filter((key) => key.startsWith("conflict:"));
    at("stands").textContent = conflicts.map((key) => board[key].stands ?? "").join(" ");
  },
  happened: show,
  reset: anew,
  proposal() {},
  gone() {
    words = [];
    tellAnew(at("words"), words);
  },
  here() {},
};

anew().then((cursor) => follow(`${below("feed")}?after=${encodeURIComponent(cursor)}`, heard));
