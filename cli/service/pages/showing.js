// A place of its own above the board for what is asked for: long answers, links, lines; one thing at a time, until it is closed.

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
    this.room.scrollTop = 0;
  }

  /** Shows the board again. */
  close() {
    this.root.hidden = true;
    this.room.replaceChildren();
  }
}
