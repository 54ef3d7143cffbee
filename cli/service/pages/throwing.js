// A throw on a phone: for a moment the dice that fell cover the lower half, with what they come to.

import { kept } from "/modules/keeping.js";

const SHOWN = 1400;
const FELT = 40;

/** Shows in `place` what fell on a board; nothing on a larger screen, where the board itself is in sight, or where all stands still. */
export class Throwing {
  constructor(place, board) {
    Object.assign(this, { place, board });
  }

  /** Shows what fell, if it is among what changed and has come to a number. */
  show(things, changed) {
    const isOver = changed.includes("fell") && things.fell?.total !== undefined;
    if (!isOver || kept("still") || !matchMedia("(max-width: 760px) and (prefers-reduced-motion: no-preference)").matches) {
      return;
    }
    this.place.replaceChildren(this.board.querySelector(".fallen").cloneNode(true));
    this.place.hidden = false;
    navigator.vibrate?.(FELT);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      this.place.hidden = true;
    }, SHOWN);
  }
}
