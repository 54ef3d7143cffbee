// A place of its own above the board for what is asked for: long answers, links, lines; one thing at a time, until it is closed.

import { make } from "/modules/making.js";

/** The panel in `root`: a heading, a button that closes it, and what is shown. */
export class Panel {
  constructor(root) {
    Object.assign(this, { root, heading: root.querySelector("h2"), room: root.querySelector("div") });
    root.querySelector("button").addEventListener("click", () => this.close());
    root.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  /** Shows elements below a heading. */
  show(heading, ...elements) {
    this.heading.textContent = heading;
    this.room.replaceChildren(...elements);
    this.root.hidden = false;
    this.waits = false;
    this.room.scrollTop = 0;
  }

  /** Says that an answer comes, below its heading. */
  wait(heading) {
    this.show(heading, make("p", {}, "One moment …"));
    this.waits = true;
  }

  /** Leaves a place that still waits: its answer was short, is shown elsewhere, or did not come. */
  answered() {
    if (this.waits) {
      this.close();
    }
  }

  /** Shows the board again. */
  close() {
    this.waits = false;
    this.root.hidden = true;
    this.room.replaceChildren();
  }
}
