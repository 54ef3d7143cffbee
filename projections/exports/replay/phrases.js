/** What the page says of its own accord: in English, until a voice of another language brings its own words. */

export const PHRASES = {
  session: "Session {number}",
  "too-old": "This browser is too old to open what is in this page.",
  "play": "Play",
  "pause": "Pause",
  "more": "{number} more",
  "minute": "about a minute",
  "minutes": "about {number} minutes",
  "go-on": "From where you were",
  "link": "Link",
  "place": "{number} of {count}",
  "whole": "Open the whole replay",
  "nothing-recorded": "Nothing has been recorded yet.",
  "no-moment": "There is no such moment here.",
  "for-the-gm": "For the game master",
  "only-gm": "for the game master only",
  "only-some": "for {whom} only",
  "and": "and",
  "veiled": "What follows shows as you come to it.",
  "show-ahead": "Show all",
  "more-ahead": "{number} more ahead, named once you come to them",
  "searched-so-far": "Searched up to this moment; what is ahead is veiled.",
  "to-moment": "To this moment",
  "struck": "(struck)",
  "copied": "Copied",
  "see-above": "See above",
  "link-copied": "Link copied",
  "link-above": "The link stands above, in the address of the page",
  "just-now": "just now",
  "otherwise": "otherwise on {line}",
  "fell-last": "What fell last",
  "to-be-ruled": "To be ruled",
  "side": "Side {number}",
  "out": "out",
  "somebody": "somebody",
  "nothing-there": "Nothing lies on the table.",
  "has-given": "has given",
  "free": "{number} free",
  "free-for": "{number} free for {who}",
  "against": "against {number}",
  "against-or-less": "against {number} or less",
  "missed": "missed by {number}",
  "made": "made it by {number}",
  "mark": "Mark:",
  "branch": "Another line:",
  "conflict": "Conflict:",
  "nothing-to-choose": "There is nothing to choose from.",
  "other-ways": "Here it also goes another way:",
  "found-one": "{number} moment",
  "found": "{number} moments",
  "found-first": "The first {number} moments",
  "colon": ":",
  "semicolon": ";",
  "in-hand": "In the hand of {who}",
  "laid-before": "Before {who}",
  "in-pool": "In the pool",
  "boxes": "boxes",
  "unfilled": "free",
  "in-rows": "{amount} in {rows} rows",
  "in-favour": "{level}, in favour of {who}",
  "balance": "The balance is {level}: {one} against {other}",
  "face-down": "a card face down",
  "several-face-down": "{number} cards face down",
  "no-cards": "no cards",
  "card-of": "{rank} of {suit}",
  "card-turned": "{card}, reversed",
  "card-reversed": "reversed",
  "card-triumph": "Triumph {number}",
  "card-joker": "the joker",
  "card-excuse": "the Excuse",
  "card-ace": "ace",
  "card-jack": "jack",
  "card-queen": "queen",
  "card-king": "king",
  "card-spades": "spades",
  "card-hearts": "hearts",
  "card-diamonds": "diamonds",
  "card-clubs": "clubs",
  "card-rock": "rock",
  "card-paper": "paper",
  "card-blades": "blades",
  "card-serpent": "serpent",
  "card-unknown": "unknown",
  "deck": "Deck",
  "deck-left": "Deck {name}: {left} of {size} left",
  "deck-gone": "{number} discarded",
  "deck-last": "last {card}",
  "no-dice": "no dice",
  "die-minus": "minus",
  "die-plus": "plus",
  "die-blank": "blank",
  "die-of": "{face} on a d{sides}",
  "die-kept": "{die} (kept)",
  "die-left": "{die} (not counted)",
  "raises": "{who} raises {number}",
  "to-be-seen": "to be seen by {whom}",
  "clashes": "{one} clashes with {other}",
  "wins": "{who} wins",
  "checks": "{who} checks",
  "no-clash": "Nobody has clashed yet",
  "phase": "Phase {number}. {clashes}.",
  "map": "Map",
  "empty-map": "An empty map",
  "map-nobody": "nobody",
  "map-closed": "closed",
  "map-out": "{who} (out)",
  "map-marked": "marked {boxes} of {threshold}",
};

/** The days of a month as the language writes them, its months, and names of what games count; none in English, where all are as recorded. */
const NAMES = { days: [], months: [], counters: {} };

/** Says these from now on, by their keys; `names` are days, months and counters. */
export function speak({ names, ...words }) {
  Object.assign(PHRASES, words);
  Object.assign(NAMES, names);
}

/** A day such as 2026-06-13 in the page's language. */
export function dated(day) {
  const [, year, month, nth] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? "") ?? [];
  return NAMES.days[nth - 1]?.replace("{month}", NAMES.months[month - 1]).replace("{year}", year) ?? day;
}

/** What a game counts, in the page's language. */
export function called(what, system) {
  const words = NAMES.counters[system] ?? {};
  return Object.hasOwn(words, what) ? words[what] : what;
}

/** Whom something is for, in words: `table`, `gm` or names; empty where it is for everybody. */
export function onlyFor(visibleTo) {
  if (visibleTo === "table") return "";
  if (visibleTo === "gm") return phrase("only-gm");
  const names = [...visibleTo], last = names.pop();
  return phrase("only-some", { whom: names.length ? `${names.join(", ")} ${phrase("and")} ${last}` : last });
}

/** A phrase with its values in it. */
export function phrase(key, values = {}) {
  return PHRASES[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** A phrase as nodes, with nodes in its gaps. */
export function worded(key, nodes) {
  return PHRASES[key].split(/\{(\w+)\}/).map((part, i) => (i % 2 ? nodes[part] : part));
}
