// Export: what, whose copy, how it looks; the line is shown, and what comes of it is saved as a file.

import { make } from "/modules/making.js";
import { ask } from "./asking.js";
import { choice } from "./elements.js";
import { quoted } from "./lines.js";

const FORMATS = { html: "A page (HTML)", replay: "A replay to step through (HTML)", epub: "An e-book (EPUB)", pdf: "PDF", docx: "Word (DOCX)", odt: "LibreOffice (ODT)", markdown: "Markdown", text: "Plain text", json: "JSON" };
const FOLDERS = /^--(site|vault)/;
const LOOKS = { "": "As a report", "--voice prose": "As a story", "--voice prose --mechanics none": "As a story without numbers", "--publish": "For everybody: a story without the players’ names" };

/** The form; `tell` is told whose copy was saved, or why none was. */
export class Saving {
  constructor(below, copies, tell) {
    Object.assign(this, { below, copies, tell });
    this.element = make("form", { id: "save", "aria-label": "Export" });
    this.shown = make("code", { class: "line", dir: "ltr" });
    this.element.addEventListener("input", () => this.#show());
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#save();
    });
  }

  /** Asks what there is to export, and fills the form. */
  async open() {
    const [{ sessions }, { cast }] = await Promise.all(["sessions", "cast"].map((name) => ask(this.below(`view/${name}`))));
    const parts = { "": "The last session", "--book": "The whole campaign, as a book", "--site site": "The whole campaign, as web pages (a ZIP file)", "--vault vault": "The whole campaign, as notes for Obsidian (a ZIP file)", backup: "The whole campaign, as a backup", ...Object.fromEntries(sessions.map((one) => [`--session ${one.session}`, `Session ${one.session}${one.title ? `: ${one.title}` : ""}`])) };
    const players = cast.filter((one) => one.role === "player" && !one.retired).map((one) => [one.name, `${one.name}’s`]);
    const copies = { table: "The table’s", gm: "The game master’s, with what is hidden", ...Object.fromEntries(players) };
    this.element.replaceChildren(
      choice("part", "What", parts, ""), choice("for", "Whose copy", copies, this.copies), choice("format", "As what", FORMATS, "html"), choice("look", "How it is told", LOOKS, "--voice prose"),
      make("p", { class: "soft wide" }, "The line: ", this.shown), make("button", { class: "send" }, "Save it"));
    this.#show();
  }

  get #line() {
    const { part, for: whose, format, look = "" } = Object.fromEntries(new FormData(this.element));
    if (part === "backup") {
      return part;
    }
    return ["export", part, FOLDERS.test(part) ? "" : `-f ${format}`, look === "--publish" ? "" : `--for ${quoted(whose)}`, look].filter(Boolean).join(" ");
  }

  #show() {
    const { part, look } = Object.fromEntries(new FormData(this.element));
    for (const name of ["for", "format", "look"]) {
      this.element.elements[name].disabled = part === "backup" || (name === "for" && look === "--publish") || (name !== "for" && FOLDERS.test(part));
    }
    this.shown.textContent = this.#line;
  }

  async #save() {
    const send = this.element.querySelector(".send");
    send.disabled = true;
    try {
      const answer = await fetch(this.below("export"), { method: "POST", body: JSON.stringify({ line: this.#line }), headers: { "Content-Type": "application/json", Accept: "application/json" } });
      if (!answer.ok) {
        throw new Error((await answer.json()).error);
      }
      const name = decodeURIComponent(answer.headers.get("content-disposition").split("''")[1]);
      const link = make("a", { href: URL.createObjectURL(await answer.blob()), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      const said = decodeURIComponent(answer.headers.get("x-said") ?? "").replace(/; --for .*/, ".");
      this.tell(`${name} is saved. ${this.#line === "backup" ? "At home, “Open or restore a file” opens it again." : said}`);
    } catch (error) {
      this.tell(error.message, true);
    }
    send.disabled = false;
  }
}
