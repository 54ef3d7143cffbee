/** Plays a path: stays with each step as long as its words take to be read. */

const WORDS_A_MINUTE = 210, BEAT = 650, GLANCE = 250, PAUSE = 900;

/** How many milliseconds to stay at a step: for the words that are told with it, else a beat for the table. */
export function staysFor(path, n, speed) {
  const block = path.tells[n], text = block >= 0 && path.begins[block] === n ? path.block(block).text : "";
  const words = text.trim() ? text.trim().split(/\s+/).length : 0;
  const moved = path.changedAt(n).size > 0;
  return ((words * 60000) / WORDS_A_MINUTE + (words ? PAUSE : moved ? BEAT : GLANCE)) / speed;
}

export class Player {
  /** @param {() => number | null} on goes a step further and says how long to stay there, null at the end @param {(playing: boolean) => void} told */
  constructor(on, told) {
    this.on = on;
    this.told = told;
    this.timer = 0;
  }

  get playing() { return this.timer !== 0; }

  /** Begins after so many milliseconds. */
  play(stay) {
    this.pause();
    this.#wait(stay);
    this.told(true);
  }

  #wait(stay) {
    this.timer = setTimeout(() => {
      const next = this.on();
      if (next === null) this.pause();
      else this.#wait(next);
    }, stay);
  }

  pause() {
    const was = this.playing;
    clearTimeout(this.timer);
    this.timer = 0;
    if (was) this.told(false);
  }
}
