// Rolling: a button for each move with each stat, and what stands behind the line: a bonus, adv or dis, a number to reach, what real dice showed.

import { make, typed } from "/modules/making.js";
import { choice } from "./elements.js";
import { piece, quoted } from "./lines.js";

/** What somebody may roll for, in an element that folds; what was typed stays until it is rolled. */
export class Rolling {
  /** `say` is told a whole line, and what to do once it is taken. */
  constructor(root, say) {
    Object.assign(this, { root, say });
    this.form = root.querySelector("form");
    this.stamp = "";
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.people = [];
  }

  /** Whose rolls are wanted, of the game master, who rolls for everybody; `changed` is called once that is another. */
  forAll(changed) {
    this.isForAll = true;
    this.form.addEventListener("change", (event) => {
      if (event.target.name === "who") {
        this.stamp = "";
        this.form.querySelectorAll("fieldset").forEach((one) => one.remove()); // they are another's
        changed();
      }
    });
    this.root.addEventListener("toggle", () => this.root.open && changed());
  }

  /** The person whose rolls are wanted. */
  get who() {
    return this.isForAll && this.root.open ? this.form.elements.who?.value ?? this.people[0] : undefined;
  }

  /** These may be rolled now; `people` are there to roll for, and to roll against. */
  show(rolls, people = this.people) {
    this.people = people;
    const stamp = JSON.stringify([rolls, people]);
    if (stamp !== this.stamp) {
      this.stamp = stamp;
      const kept = new FormData(this.form);
      this.form.replaceChildren(...(this.isForAll ? this.#whose() : []), this.#behind(rolls), ...(rolls.length ? this.#moves(rolls) : [make("p", { class: "soft" }, "Nothing to roll now: what somebody can roll is on their sheet.")]));
      for (const [name, value] of kept) {
        if (this.form.elements[name]) {
          this.form.elements[name].value = value;
        }
      }
    }
    this.root.hidden = !rolls.length && !(this.isForAll && people.length);
  }

  #whose() {
    const targets = make("datalist", { id: "targets" }, ...this.people.map((name) => make("option", { value: name })));
    return [make("div", { class: "behind" }, choice("who", "who", Object.fromEntries(this.people.map((name) => [name, name]))), choice("hidden", "who sees it", { "": "everybody", " --gm": "you alone" })), targets];
  }

  #behind(rolls) {
    const some = (may) => rolls.some((one) => one[may]);
    return make("div", { class: "behind" },
      some("against") ? field("to beat", make("input", this.isForAll ? { name: "vs", list: "targets", autocomplete: "off", title: "A number, or whom it is against" } : { name: "vs", type: "number", step: 1, inputmode: "numeric" })) : null,
      some("bonus") ? field("bonus", make("input", { name: "bonus", type: "number", step: 1 })) : null,
      some("twice") ? field("roll", make("select", { name: "twice" }, ...[["", "plain"], ["adv", "advantage"], ["dis", "disadvantage"]].map(([value, text]) => make("option", { value }, text)))) : null,
      some("hurts") ? field("damage", make("input", { name: "damage", autocomplete: "off", title: "Dice or a number, such as 1d8+3; nothing: those on the sheet" })) : null,
      field("my dice", make("input", { name: "shown", type: "text", autocomplete: "off", pattern: "[0-9 +\\-]+", title: "What the dice on the table showed, such as 14 or 3 5" })));
  }

  /** A row of buttons for each move of each of them; several people have their names above. */
  #moves(rolls) {
    const several = new Set(rolls.map((one) => one.who)).size > 1;
    return grouped(rolls, (one) => `${one.who}\n${one.move}`).map((same) => {
      const { who, move, about } = same[0];
      const of = [several ? typed(who) : null, move ? typed(move) : null, about ? make("small", {}, typed(about)) : null];
      return make("fieldset", {}, make("legend", {}, ...of.flatMap((one) => (one ? [one, " "] : []))), this.#buttons(same));
    });
  }

  /** What the sheet has is in sight; stats at 0 are in a fold. */
  #buttons(same) {
    const counts = (one) => one.stat === null || one.number !== 0;
    const [few, more] = [same.filter(counts), same.filter((one) => !counts(one))];
    const row = (all, ...rest) => make("div", {}, ...all.map((one) => this.#button(one)), ...rest);
    const fold = () => make("details", {}, make("summary", { "aria-label": "others, at 0" }, "…"), row(more));
    return few.length && more.length ? row(few, fold()) : row(same);
  }

  #button(one) {
    const number = one.number === null ? "" : `${one.number < 0 ? "−" : one.against ? "+" : ""}${Math.abs(one.number)}`;
    const button = make("button", { type: "button", title: `${one.comes_to}: ${one.line}` }, typed(one.stat ?? one.move), number ? ["\u00a0", make("small", {}, number)] : null);
    button.addEventListener("click", () => {
      if (this.form.reportValidity()) {
        this.say(`${one.line}${this.#rest(one)}`, () => this.#done());
      }
    });
    return button;
  }

  /** What stands behind the line. */
  #rest({ hurts }) {
    const { vs, bonus, twice, shown, hidden, damage } = Object.fromEntries(new FormData(this.form));
    return [Number(bonus) ? (Number(bonus) > 0 ? `+${Number(bonus)}` : Number(bonus)) : "", twice, vs ? `vs ${quoted(vs)}` : "", hurts && damage?.trim() ? `damage ${piece(damage)}` : "", hidden?.trim(), shown.trim() ? `= ${shown.trim()}` : ""]
      .filter(Boolean).map((one) => ` ${one}`).join("");
  }

  #done() {
    this.form.reset();
    this.root.open = false;
  }
}

function field(name, input) {
  return make("label", {}, make("span", {}, name), input);
}

/** What follows each other and is alike, together. */
function grouped(all, key) {
  const found = [];
  for (const one of all) {
    const last = found.at(-1);
    if (last && key(last[0]) === key(one)) {
      last.push(one);
    } else {
      found.push([one]);
    }
  }
  return found;
}
