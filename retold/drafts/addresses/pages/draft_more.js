// What concerns a draft as a whole: who writes, its publication, its revisions, and new drafts.

import { ask } from "./asking.js";
import { make } from "/modules/making.js";

const KEPT = "retold-writer";
const at = (name) => document.getElementById(name);

/** The name of whoever writes on this device, empty if they gave none. */
export function writer() {
  try {
    return localStorage.getItem(KEPT)?.trim() ?? "";
  } catch {
    return "";
  }
}

function keepWriter(name) {
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    // A browser without storage: the name holds for no other page.
  }
}

/** What the writer added and others do not get: paragraphs that tell nothing, for the game master alone. */
export function unopened(draft) {
  return draft.blocks.filter((one) => one.state === "shown" && one.hidden && one.edited && !one.record && one.sort !== "note");
}

/** The dialog; `heard` says what to do: `publish(isWanted)`, `openNew()`, `begun(name)`, and `named()` once the writer has another name. */
export class More {
  constructor(below, heard) {
    this.below = below;
    this.heard = heard;
    this.dialog = at("more");
    at("by").value = writer();
    at("by").addEventListener("change", () => {
      keepWriter(at("by").value);
      heard.named();
    });
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog || event.target.closest(".close")) {
        this.dialog.close();
      }
    });
    at("publish").addEventListener("click", () => heard.publish(!this.draft.published));
    at("open-new").addEventListener("click", () => heard.openNew());
    at("beginning").addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin().catch((error) => this.refused(error.message));
    });
  }

  /** Opens the dialog; without a draft only a new one can be begun. */
  open(name) {
    this.refused("");
    for (const part of this.dialog.querySelectorAll(".of-draft")) {
      part.hidden = !name;
    }
    at("new-draft").open = !name;
    this.dialog.showModal();
    if (name) {
      this.list(name).catch((error) => at("revisions").replaceChildren(make("li", {}, error.message)));
    }
  }

  refused(words) {
    at("not-begun").textContent = words;
    at("not-begun").hidden = !words;
  }

  /** Shows what a draft says of itself. */
  show(draft) {
    this.draft = draft;
    at("by").placeholder = draft.writer;
    const shown = draft.published_revision === null ? "" : `, as revision ${draft.published_revision} has it`;
    at("is-published").textContent = draft.published ? `Exports of this part show the draft${shown}.` : "Exports of this part show the record's words.";
    at("publish").textContent = draft.published ? "Withdraw" : "Publish";
    const own = unopened(draft);
    at("unopened").hidden = !own.length;
    at("open-new").hidden = !own.some((one) => !one.see.length);
    at("are-unopened").textContent = own.length === 1 ? "1 paragraph of yours is for you alone." : `${own.length} paragraphs of yours are for you alone.`;
  }

  async list(name) {
    const { revisions } = await ask(`${this.below("draft/log")}?name=${encodeURIComponent(name)}`);
    const lines = revisions.map((one) => {
      const when = new Date(one.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
      const sent = one.sent.length ? `sent as ${one.sent.join(", ")}` : "";
      const parts = [when, one.writer, one.what, sent].filter(Boolean);
      return make("li", { value: one.revision }, make("bdi", {}, parts.join(" · ")));
    });
    at("revisions").replaceChildren(...lines.reverse());
  }

  /** Fills the form of a new draft. */
  offer(found) {
    const sessions = found.sessions.map((one) => [String(one.number), one.title ? `${one.number}: ${one.title}` : `Session ${one.number}`]);
    options(at("first"), [["", "Everything"], ...sessions], sessions.at(-1)?.[0] ?? "");
    options(at("last"), sessions, sessions.at(-1)?.[0] ?? "");
    options(at("reader"), [["table", "Everybody"], ["gm", "The game master"], ...found.people.map((one) => [one, one])], "table");
    options(at("voice"), found.voices.map((one) => [one, one]), "prose");
    options(at("lang"), [["", "The voice's own"], ...found.languages.map((one) => [one.code, one.name])], "");
    const whole = () => (at("last").disabled = !at("first").value);
    at("first").addEventListener("change", whole);
    whole();
  }

  async begin() {
    const first = at("first").value;
    const last = first && (Number(at("last").value) < Number(first) ? first : at("last").value);
    const asked = { name: at("name").value, voice: at("voice").value, for: at("reader").value, lang: at("lang").value, first, last };
    const found = await ask(this.below("drafts"), { ...asked, by: writer() || this.draft?.writer || at("by").placeholder });
    this.heard.begun(found.begun);
  }
}

function options(select, found, chosen) {
  select.replaceChildren(...found.map(([value, words]) => new Option(words, value, false, value === chosen)));
}
