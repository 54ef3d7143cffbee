// A player's turn: the two or three likeliest acts as large buttons, in words; and how to come into a fight that is on.

import { make, place, sentence } from "/modules/making.js";
import { button } from "./elements.js";
import { inWords, quoted, withoutTraits } from "./lines.js";

const MOST = 3;
/** A line that begins a turn. */
const BEGINS = /^(turn|next) /;
/** A move by which somebody is hit, as games call it. */
const STRIKES = /attack|strike|fight|hit|shoot/i;

/** What to press now, in an element that is hidden where there is nothing. */
export class Turning {
  /** `say` is told a whole line, and what to do once it is taken. */
  constructor(root, say) {
    Object.assign(this, { root, say });
    this.stamp = "";
  }

  /** These may be said and rolled now by the people `named`, whom somebody plays, over this board. */
  show({ choices, rolls }, board, named) {
    const roles = new Map(Object.values(board).filter((one) => one?.role).map(({ name, role }) => [name, role]));
    const plays = named.filter((name) => roles.get(name) === "character");
    const own = choices.filter(({ who }) => plays.includes(who));
    const fight = plays.length ? fightOn(board, plays) : null;
    const [heading, acts] = !fight ? ["", []]
      : !fight.own.length ? [`“${fight.title}” is on without ${plays.join(" and ")}.`, joins(fight, plays)]
        : [own.every(({ line }) => BEGINS.test(line)) ? "You are next" : "Your turn", likeliest(own, rolls, fight)];
    const stamp = JSON.stringify([heading, acts]);
    if (stamp !== this.stamp) {
      this.stamp = stamp;
      const isOut = fight && !fight.own.length;
      place(this.root, acts.length ? [make("h2", {}, sentence(heading)), isOut ? make("p", {}, "Choose a side: your game master takes it, and you are in.") : null, make("div", {}, ...acts.map(this.#button, this))].filter(Boolean) : []);
      this.root.hidden = !acts.length;
    } else {
      this.root.querySelectorAll("button").forEach((one) => (one.disabled = false));
    }
  }

  #button({ line, words, small }) {
    const made = button(sentence(words.replaceAll("+", " + ")), () => {
      made.disabled = true;
      this.say(line, () => {});
    });
    made.append(...(small ? [" ", make("small", {}, small)] : []));
    return made;
  }
}

/** The open fight with one of theirs, else the first: its people by side, and those against them who are not out. */
function fightOn(board, plays) {
  const person = (id) => board[`who:${id}`]?.name;
  const fights = Object.keys(board).filter((key) => key.startsWith("conflict:")).map((key) => board[key]);
  const found = fights.map(({ title, sides }) => ({ title, sides, own: sides.flat().filter((id) => plays.includes(person(id))) }));
  const fight = found.find(({ own }) => own.length) ?? found[0];
  const out = new Set(Object.values(board).filter((one) => one?.out && one.picture).map(({ who }) => who));
  return fight && { ...fight, person, against: fight.sides.filter((side) => !side.some((id) => fight.own.includes(id))).flat().filter((id) => !out.has(id)).map(person).filter(Boolean) };
}

/** Blows at those against them first, then whatever a line says whole. */
function likeliest(own, rolls, { against }) {
  const blows = rolls.filter((one) => one.against && STRIKES.test(one.move) && own.some(({ line }) => line.startsWith(`roll ${quoted(one.who)} ${one.move}`)));
  const [best] = blows.sort((one, other) => other.number - one.number);
  const struck = best ? against.slice(0, 2).map((name) => ({ line: `${best.line} vs ${quoted(name)}`, words: inWords(`${best.line} vs ${quoted(name)}`, best.who), small: best.number === null ? "" : `${best.number < 0 ? "−" : "+"}${Math.abs(best.number)}` })) : [];
  const whole = own.filter(({ line }) => !line.includes("…") && !blows.some((one) => line.startsWith(`roll ${quoted(one.who)} ${one.move}`)));
  return [...struck, ...whole.map(({ who, line, comes_to }) => ({ line, words: inWords(line, who), small: BEGINS.test(line) ? "" : withoutTraits(comes_to) }))].slice(0, MOST);
}

/** A side to come to, for the first of theirs; each side by the people on it. */
function joins({ sides, person }, [mine]) {
  return sides.map((side) => side.map(person).filter(Boolean)).filter((names) => names.length).map((names) => ({ line: `join ${quoted(mine)} with ${quoted(names[0])}`, words: `${mine} joins ${names.slice(0, 2).join(" and ")}${names.length > 2 ? ` and ${names.length - 2} more` : ""}` })).slice(0, MOST);
}
