// The one live region: the last of what is to be heard, once it has been quiet for a moment.

const QUIET = 700;

/** Says words to those who listen to the page, in `place`. */
export class Hearing {
  constructor(place) {
    this.place = place;
  }

  /** These are said next; what waits to be said is dropped for them. */
  say(words) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      this.place.textContent = words;
    }, QUIET);
  }
}
