/** What the page says of its own accord: in English, until a voice of another language brings its own words. */

export const PHRASES = {
  session: "Session {number}",
  "too-old": "This browser is too old to open what is in this page.",
  "play": "Play",
  "pause": "Pause",
  "link": "Link",
  "place": "{number} of {count}",
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
};

/** Says these from now on, by their keys. */
export function speak(words) {
  Object.assign(PHRASES, words);
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
