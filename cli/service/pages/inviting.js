// Players' phones: who has a link and who is connected; a link is made, shown with its QR code, copied, sent and revoked.

import { make, typed } from "/modules/making.js";
import { ask } from "./asking.js";
import { button } from "./elements.js";

const OFTEN = 4000;
const HERE = "127.0.0.1";

/** The panel of links. */
export class Inviting {
  /** `below` makes addresses, `tell` is told a sentence and whether it is a refusal. */
  constructor(below, tell) {
    Object.assign(this, { below, tell });
    this.shown = make("div", { class: "shared" });
    this.list = make("ul", { class: "holders" });
    this.element = make("div", { class: "links" }, make("p", {}, "Each person opens their own link on their phone, in the same network as this computer. What is hidden from them stays hidden there."), this.list, this.shown);
  }

  /** Shows who holds a link, again and again while the panel is open. */
  async open() {
    this.shown.replaceChildren();
    clearInterval(this.timer);
    this.timer = setInterval(() => (this.list.checkVisibility() ? this.#look() : clearInterval(this.timer)), OFTEN);
    await this.#look();
  }

  async #look() {
    try {
      this.#show((await ask(this.below("links"))).links);
    } catch (error) {
      this.tell(error.message, true);
    }
  }

  #show(links) {
    const stamp = JSON.stringify(links);
    if (stamp !== this.stamp) {
      this.stamp = stamp;
      this.list.replaceChildren(...links.map((one) => this.#holder(one)));
    }
  }

  #holder({ viewer, links, used, pages: open }) {
    const pages = viewer === "gm" ? open - 1 : open; // this page is one of them
    const state = pages ? "connected" : used ? "was there" : links ? "link not used yet" : "no link yet";
    const whose = { gm: "You, on another device", table: "The table’s screen" }[viewer];
    return make("li", { "data-state": pages ? "here" : "away" },
      make("span", {}, whose ?? typed(viewer), " ", make("small", {}, state)),
      button("Link", () => this.#change({ new: viewer }), { "aria-label": `A link for ${whose ?? viewer}` }),
      links ? button("Revoke", () => this.#change({ revoke: viewer }), { "aria-label": `Revoke the links of ${whose ?? viewer}` }) : null);
  }

  async #change(what) {
    try {
      const { links, link, image } = await ask(this.below("links"), what);
      this.#show(links);
      this.shown.replaceChildren(...(link ? this.#link(what.new, link, image) : []));
      this.tell(link ? "" : `Links of ${what.revoke} open nothing now.`);
      this.shown.scrollIntoView({ block: "nearest" });
    } catch (error) {
      this.tell(error.message, true);
    }
  }

  #link(viewer, link, image) {
    const alone = new URL(link).hostname === HERE;
    const note = alone ? "This computer is in no network: the link opens on it alone. Connect it, and make the link again." : "Nothing is encrypted: whoever shares this network can read along. Use one that you trust.";
    const copy = button("Copy", async () => {
      await navigator.clipboard.writeText(link);
      this.tell("The link is copied: paste it into a message.");
    });
    const send = navigator.share ? button("Send", () => navigator.share({ text: link }).catch(() => {})) : null;
    return [make("h3", {}, "For ", typed({ gm: "you", table: "the table’s screen" }[viewer] ?? viewer)), make("img", { src: image, alt: "The link as a QR code: point the phone’s camera at it", width: 264, height: 264 }),
      make("p", { class: "line address", dir: "ltr" }, link), make("div", { class: "ends" }, copy, send), make("p", { class: "soft" }, note)];
  }
}
