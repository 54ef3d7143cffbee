// A player's page without a network: a service worker keeps it as it last was.

const LATER = 2000;
const OFTEN = 20_000;

/** Keeps this viewer's page on the device, as `now()` is called when something is new; nothing where the browser cannot. */
export class Remembering {
  constructor(page) {
    this.ready = new Promise((done) => setTimeout(done, LATER)) // the page itself comes first
      .then(() => navigator.serviceWorker?.register("/pages/offline.js", { scope: page }))
      .then((found) => found && navigator.serviceWorker.ready)
      .catch(() => null);
    this.now();
  }

  /** The link is no longer good: nothing of it stays on the device. */
  async forget() {
    (await this.ready)?.active?.postMessage("forget");
  }

  /** Something is new: the page is kept again, soon, and not too often. */
  now() {
    this.waiting ??= setTimeout(async () => {
      (await this.ready)?.active?.postMessage("keep");
      setTimeout(() => (this.waiting = null), OFTEN);
    }, LATER);
  }
}
