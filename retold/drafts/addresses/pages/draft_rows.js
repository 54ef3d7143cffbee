// A row of the writer's page: the record's words, and the block with its wordings, marks and choices.

import { draw, make } from "/modules/making.js";

const ADD = "M12 5v14M5 12h14";
const MORE = "M5 12h.01M12 12h.01M19 12h.01";
const GROWS = CSS.supports("field-sizing", "content");
const SORTS = { epigraph: "Epigraph", "pull-quote": "Pull quote", image: "Image", note: "Note to yourself, left out of exports" };

function button(words, act) {
  const made = make("button", { type: "button" }, words);
  made.addEventListener("click", act);
  return made;
}

function icon(label, path, act) {
  const made = button("", act);
  made.append(draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", { d: path })));
  made.setAttribute("aria-label", label);
  made.title = label;
  return made;
}

/** One wording of a block, in a text field of its own. */
class Field {
  constructor(row, text, splits) {
    this.row = row;
    this.splits = splits;
    this.id = null;
    this.isOther = false;
    this.saved = "";
    this.base = 0;
    this.last = 0;
    this.due = 0;
    this.refusal = "";
    this.area = make("textarea", { rows: 1, dir: "auto" });
    this.area.value = text;
    this.raw = this.area.value;
    this.unanswered = null;
    this.place = null;
    this.label = make("p", { class: "about", hidden: true });
    this.small = make("div", { class: "small" });
    this.below = make("div", { class: "under" });
    this.root = make("div", { class: "written" }, this.label, this.area, this.small, this.below);
    this.area.addEventListener("input", () => {
      this.grow();
      row.heard.typed(this);
    });
    this.area.addEventListener("blur", () => (this.isDirty || !this.id) && row.heard.left(this));
    this.area.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (step && event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
        event.preventDefault();
        row.heard.move(row, step);
      }
      if (event.key === "Enter" && row.sort === "heading" && !event.isComposing) {
        event.preventDefault();
        row.heard.below(row);
      }
    });
  }

  get text() {
    return this.area.value;
  }

  get isDirty() {
    return this.text !== this.raw;
  }

  grow() {
    if (!GROWS) {
      this.area.style.height = "";
      this.area.style.height = `${this.area.scrollHeight + 2}px`;
    }
  }

  mark() {
    this.root.classList.toggle("unsaved", this.isDirty);
  }

  /** The text sent was written as a block of that answer: perhaps another one, where somebody else wrote too. */
  written(text, found) {
    this.row.fields.delete(this.id);
    if (!this.id) {
      this.row.id = found.written;
    }
    this.id = found.written;
    this.row.fields.set(this.id, this);
    this.last = Date.now();
    this.base = found.revision;
    this.raw = text;
    this.unanswered = null;
    const every = found.blocks.flatMap((block) => [block, ...block.others]);
    this.saved = every.find((block) => block.id === this.id)?.text ?? text;
  }

  /** Gives up what was typed into a block that was chosen about. */
  forget(id) {
    if (this.id === id && !this.text.trim()) {
      this.raw = this.area.value;
    }
  }

  /** Takes over what a revision says; what was typed and not saved stays. */
  show(block, revision) {
    if (block.text !== this.saved || !this.base) {
      if (!this.isDirty) {
        this.put(block.text);
        this.saved = block.text;
        this.base = revision;
      }
    } else {
      this.base = revision;
      if (!this.isDirty && document.activeElement !== this.area) {
        this.put(block.text);
      }
    }
  }

  put(text) {
    if (this.area.value !== text) {
      const { selectionStart, selectionEnd } = this.area;
      this.area.value = text;
      if (document.activeElement === this.area) {
        this.area.setSelectionRange(selectionStart, selectionEnd);
      }
      requestAnimationFrame(() => this.grow());
    }
    this.raw = this.area.value;
  }
}

export class Row {
  constructor(heard) {
    this.heard = heard;
    this.id = "";
    this.sort = "text";
    this.shown = "";
    /** Whether the choices of the block are shown. */
    this.isOpen = false;
    this.people = [];
    this.doubts = [];
    this.fields = new Map();
    this.record = make("div", { class: "record", dir: "auto" });
    this.own = make("div", { class: "own" });
    this.root = make("li", { class: "beside" }, this.record, this.own);
  }

  /** A paragraph that is not saved yet. */
  begin(text, splits) {
    const field = new Field(this, text, splits);
    field.area.setAttribute("aria-label", "New paragraph");
    field.raw = "";
    this.fields.set(null, field);
    this.root.dataset.id = this.id;
    this.own.append(field.root);
    requestAnimationFrame(() => field.grow());
    return field;
  }

  /** Shows a block of a revision: `people` may be named as its readers, `doubts` are about it. */
  show(block, revision, { people, doubts }) {
    this.people = people;
    this.doubts = doubts;
    this.id = block.id;
    this.sort = block.sort;
    this.root.dataset.id = block.id;
    const isTyped = [...this.fields.values()].some((field) => field.isDirty && field.text.trim());
    const state = block.state === "cut" && isTyped ? "shown" : block.state;
    this.root.dataset.state = state;
    this.root.dataset.sort = block.sort;
    const shown = JSON.stringify({ ...block, state, people, doubts, isOpen: this.isOpen, text: state === "shown" ? "" : block.text });
    if (shown !== this.shown) {
      this.shown = shown;
      this.draw({ ...block, state });
    }
    if (state === "shown" && block.sort !== "break" && block.state === "shown") {
      for (const one of [block, ...block.others.filter((other) => other.state === "other")]) {
        this.fields.get(one.id).show(one, revision);
      }
    }
  }

  draw(block) {
    this.record.id = `record-${block.id}`;
    this.record.textContent = block.record;
    if (block.state !== "shown" || block.sort === "break") {
      this.fields.clear();
      this.own.replaceChildren(...this.without(block));
      return;
    }
    const wordings = [block, ...block.others.filter((other) => other.state === "other")];
    const fields = wordings.map((one) => this.field(one, block));
    for (const [id, field] of this.fields) {
      if (!fields.includes(field) && field.isDirty && field.text.trim()) {
        fields.push(field);
      } else if (!fields.includes(field)) {
        this.fields.delete(id);
      }
    }
    arrange(this.own, fields.map((field) => field.root));
  }

  /** What stands there for a block that has no field. */
  without(block) {
    const choose = (how) => () => this.heard.choose(how, block.id);
    if (block.state === "untold") {
      const tells = make("p", { class: "about" }, "Not told in the draft");
      return [tells, make("div", { class: "choices" }, button("Tell it", choose("take-new")), button("Leave it out", choose("cut")))];
    }
    if (block.state === "cut") {
      const words = block.sort === "break" ? "* * *" : block.text;
      const back = button("Put it back", choose("take-new"));
      return [
        make("p", { class: "about" }, "Cut"),
        make("p", { class: "cut-words", dir: "auto" }, words),
        block.record ? make("div", { class: "choices" }, back) : make("p", { class: "about" }, "Undo brings it back."),
      ];
    }
    return [make("div", { class: "written" }, make("p", { class: "ornament" }, "* * *"), this.small(block), this.acts(block))];
  }

  /** The buttons beside a block. */
  small(block) {
    const more = icon(`More about ${named(block)}`, MORE, () => {
      this.isOpen = !this.isOpen;
      more.setAttribute("aria-expanded", String(this.isOpen));
      this.own.querySelector(".acts").hidden = !this.isOpen;
    });
    more.setAttribute("aria-expanded", String(this.isOpen));
    return make("div", { class: "small" }, icon("New paragraph below", ADD, () => this.heard.below(this)), more);
  }

  /** What can be done with a block, shown once it is asked for. */
  acts(block) {
    const about = block.writer && make("span", {}, "Written by ", make("bdi", {}, block.writer));
    return make(
      "div",
      { class: "choices acts", hidden: !this.isOpen, role: "group", "aria-label": named(block) },
      button("Move up", () => this.heard.move(this, -1)),
      button("Move down", () => this.heard.move(this, 1)),
      button("Cut", () => this.heard.choose("cut", block.id)),
      this.readers(block),
      about,
    );
  }

  /** The choice of who may read a block. */
  readers(block) {
    const known = [["table", "Everybody"], ["gm", "The game master alone"], ...this.people.map((one) => [one, one])];
    const now = block.hidden ? "gm" : block.see.length === 1 ? block.see[0] : "";
    const select = make("select", { "aria-label": `Who may read ${named(block)}` });
    if (!known.some(([value]) => value === now)) {
      known.unshift(["", block.see.length ? block.see.join(", ") : "Who may know what it tells"]);
    }
    select.append(...known.map(([value, words]) => new Option(words, value, false, value === now)));
    select.addEventListener("change", () => {
      const to = select.value;
      select.value = now;
      this.heard.open(block.id, to);
    });
    return select;
  }

  /** The field of a wording, new or kept, with its marks and choices. */
  field(one, block) {
    const field = this.fields.get(one.id) ?? new Field(this, one.text, false);
    field.id = one.id;
    this.fields.set(one.id, field);
    const choose = (how) => () => this.heard.choose(how, one.id);
    const isOther = one !== block;
    field.isOther = isOther;
    field.root.className = `written${isOther ? " other" : block.others.length ? " rivalled" : ""}`;
    field.area.setAttribute("aria-label", isOther ? `Other wording of block ${block.id}` : named(block));
    field.area.setAttribute("aria-describedby", `record-${block.id}`);
    const eyes = block.hidden ? "For the game master alone" : block.see.length && block.see[0] !== "table" ? `For ${block.see.join(", ")}` : null;
    const label = isOther ? `By ${one.writer || "another writer"}` : [SORTS[block.sort], eyes].filter(Boolean).join(" · ");
    field.label.textContent = label;
    field.label.hidden = !label;
    field.small.replaceChildren(...(isOther ? [] : this.small(block).children));
    field.below.replaceChildren(...(isOther ? [make("div", { class: "choices" }, button("Take this wording", choose("ok")))] : [this.acts(block), ...this.marks(block, choose)]));
    return field;
  }

  /** A comment of an editor, until it is settled. */
  remark(block, { author, text }, number) {
    const words = make("p", { dir: "auto" }, make("b", {}, author ? `${author}: ` : "Remark: "), text);
    return make("div", { class: "choices remark" }, words, button("Settled", () => this.heard.settle(block.id, number)));
  }

  /** What the writer should look at; she may vouch for a sentence of hers. */
  doubt(block, { text, why, sentence }) {
    const words = make("p", { class: "doubt", dir: "auto" }, make("b", {}, `${why[0].toUpperCase()}${why.slice(1)}:`), text);
    return sentence ? make("div", { class: "choices" }, words, button("I vouch for it", () => this.heard.vouch(block.id, sentence))) : words;
  }

  marks(block, choose) {
    const found = block.changed.map((change) => changed(change));
    if (block.others.length) {
      const isCut = block.others.find((other) => other.state === "cut");
      found.push(
        make(
          "div",
          { class: "choices" },
          button("Take this wording", choose("ok")),
          isCut ? button("Cut it, as the other writer did", () => this.heard.choose("ok", isCut.id)) : null,
        ),
      );
    } else if (block.changed.length) {
      found.push(make("div", { class: "choices" }, button("Keep as it is", choose("ok")), button("Take the record's words", choose("take-new"))));
    }
    found.push(...block.remarks.map((remark, number) => this.remark(block, remark, number)));
    found.push(...this.doubts.map((one) => this.doubt(block, one)));
    return found;
  }
}

function named(block) {
  return `${{ heading: "Heading", break: "Break" }[block.sort] ?? "Block"} ${block.id}`;
}

/** What the record says otherwise now. */
function changed({ gone, words }) {
  const pieces = words.flatMap(([was, now]) => (was === now ? [now] : [/^\s/.test(was || now) ? " " : "", ...replaced(was.trim(), now.trim())]));
  return make("p", { class: "changed", dir: "auto" }, make("b", {}, gone ? "The record no longer tells this:" : "The record reads now:"), pieces);
}

function replaced(was, now) {
  return [was && make("del", {}, was), was && now && " ", now && make("ins", {}, now)];
}

/** Puts elements into this order without moving the one that has the focus. */
export function arrange(parent, wanted) {
  const keep = new Set(wanted);
  for (const child of [...parent.children]) {
    if (!keep.has(child)) {
      child.remove();
    }
  }
  let next = parent.firstElementChild;
  for (const one of wanted) {
    if (one === next) {
      next = next.nextElementSibling;
    } else if (one.parentElement === parent && one.contains(document.activeElement)) {
      while (next !== one) {
        const skipped = next;
        next = next.nextElementSibling;
        skipped.remove();
      }
      next = next.nextElementSibling;
    } else {
      parent.insertBefore(one, next);
    }
  }
}
