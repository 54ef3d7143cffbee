// A throw: for a moment the dice that fell cover part of a page, with what they come to.

import { kept } from "/modules/keeping.js";

const SHOWN = 1400;
const FELT = 40;
const PHONE = "(max-width: 760px) and (prefers-reduced-motion: no-preference)";

/** Shows in `place` what fell on a board, `where` a page is such, for so long; nothing where all stands still. */
export class Throwing {
  constructor(place, board, { where = PHONE, shown = SHOWN } = {}) {
    Object.assign(this, { place, board, where, shown });
  }

  /** Shows what fell, if it is among what changed and has come to a number. */
  show(things, changed) {
    const isOver = changed.includes("fell") && things.fell?.total !== undefined;
    if (!isOver || kept("still") || !matchMedia(this.where).matches) {
      return;
    }
    this.place.replaceChildren(this.board.querySelector(".fallen").cloneNode(true));
    this.place.hidden = false;
    navigator.vibrate?.(FELT);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      this.place.hidden = true;
    }, this.shown);
  }
}
