/** What a moment is called: under the story, and where it is only heard. */
import { onlyFor, phrase } from "./phrases.js";
import { clockTime } from "./timeline.js";

/** Where on a path a step is. */
export function placeOf(path, n) {
  return phrase("place", { number: n + 1, count: path.count });
}

/** Words, and before them in brackets whom a moment is for if not for everybody: they may be cut at their end. */
function marked(words, path, n) {
  const only = onlyFor(path.visibleTo(n));
  return only ? `(${only}) ${words}` : words;
}

/** The block of the story that begins with a moment; an empty object without one. */
function begunBy(path, n) {
  const b = path.tells[n];
  return b >= 0 && path.begins[b] === n ? path.block(b) : {};
}

/** What a moment says: the story's own words where they are Retold's, else the record's, which say who speaks. */
function saidAt(path, n) {
  const { text, ours } = begunBy(path, n);
  return marked((ours && text) || path.told(n), path, n);
}

/** What is shown of a moment in words. */
export function captionOf(path, n) {
  return { id: path.id(n), told: saidAt(path, n), place: placeOf(path, n), time: path.seconds(path.count - 1) < 60 ? "" : clockTime(path.seconds(n)) };
}

/** The session and the scene that a board is of, for the label under the thumb. */
export function whereOf(board) {
  const { session, title, place } = board.get("at") ?? {};
  return [session && [phrase("session", { number: session }), title].filter(Boolean).join(": "), place].filter(Boolean).join(" · ");
}

/** What a moment is called where it is only heard: its scene, and its words or what was said for them. */
export function spoken(path, n, board) {
  const at = board.get("at") ?? {};
  return [at.place, marked(begunBy(path, n).text || path.told(n), path, n)].filter(Boolean).join(": ");
}
