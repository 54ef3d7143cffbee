// A player's pocket: pictures and handouts they may see, and words for them and not for everybody, the newest first.

import { make } from "/modules/making.js";
import { Words } from "./words.js";

/** Elements that show `events`; `picture` returns the address of a picture, by the id of its event. */
export function pocket(events, picture) {
  if (!events.length) {
    return [make("p", { class: "soft" }, "Nothing yet: what is whispered or handed to you stays here.")];
  }
  const room = make("div", { class: "pocket" }, make("ol", {}));
  const words = new Words(room, picture, events.length);
  words.tell(events.map((one) => ({ ...one, begins: true, heading: "", numbers: one.words.length ? "" : one.numbers })).reverse());
  return [room];
}
