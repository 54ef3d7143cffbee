/** Cards as cards: French ones, those of Space·Time, backs, and any other by its name. */
import { cut, draw, drawing, make, picture } from "./making.js";
import { phrase } from "./phrases.js";

/** A suit by the letter or word that ends or begins a card: how it is said, and the shape it has in a square of 24. */
const SUITS = {
  S: ["spades", "M12 1.5C15 6 21.5 9.5 21.5 14A4.6 4.6 0 0 1 13.2 16.7C13.4 19 14.2 20.8 16 22.5H8C9.8 20.8 10.6 19 10.8 16.7A4.6 4.6 0 0 1 2.5 14C2.5 9.5 9 6 12 1.5Z"],
  H: ["hearts", "M12 21.5C5 15.5 1.8 11.8 1.8 7.6A5.1 5.1 0 0 1 12 5.4 5.1 5.1 0 0 1 22.2 7.6C22.2 11.8 19 15.5 12 21.5Z"],
  D: ["diamonds", "M12 1.5 20 12 12 22.5 4 12Z"],
  C: ["clubs", "M12 1.8A4.7 4.7 0 0 1 15.7 9.4 4.8 4.8 0 1 1 13.2 16.4C13.4 19 14.2 20.8 16 22.5H8C9.8 20.8 10.6 19 10.8 16.4A4.8 4.8 0 1 1 8.3 9.4 4.7 4.7 0 0 1 12 1.8Z"],
  rock: ["rock", "M3 15 6.5 6.5 13 3 20 8.5 21.5 16 16 21 7 20.5ZM9 8.5 7.5 13 11.5 10Z"],
  paper: ["paper", "M5 2H14V8H20V22H5ZM15.5 2 20 6.5H15.5Z"],
  blades: ["blades", "M3 2 17.5 14.5 15.5 17 3.5 5ZM21 2 6.5 14.5 8.5 17 20.5 5ZM19 14 20.5 15.5 18.5 18 21.5 21 20.5 22 17.5 19 15 21 13.8 19.6ZM5 14 3.5 15.5 5.5 18 2.5 21 3.5 22 6.5 19 9 21 10.2 19.6Z"],
  serpent: ["serpent", "M18.5 3.2C21 3.2 22 5 21.4 6.6 20.9 7.9 19.4 8.2 18.2 7.6 16.5 6.6 13.2 6 11.5 7.2 9.9 8.4 11.6 9.7 14.6 10.6 18.6 11.9 20.6 14 19.8 17 18.9 20.3 14.8 21.9 10.4 21.4 6.9 21 4 19.3 2.5 16.6 5 18.2 8 19 11 18.6 14 18.3 16.2 17.2 16.4 15.8 16.6 14.5 14.6 13.8 12 13 8.2 11.9 6.4 10.2 7 7.4 7.8 4 13.4 2.3 18.5 3.2Z"],
  unknown: ["unknown", "M12 1.5A10.5 10.5 0 1 0 12 22.5 10.5 10.5 0 1 0 12 1.5ZM12 4.5A7.5 7.5 0 1 1 12 19.5 5.5 7.5 0 0 0 12 4.5Z"],
};
const RANKS = { A: "ace", J: "jack", Q: "queen", K: "king" };
/** Signs of Space·Time by the words of the record, as the page says them. */
const said = (word) => phrase(`card-${word}`);
const ROMAN = [["X", 10], ["IX", 9], ["V", 5], ["IV", 4], ["I", 1]];
const FRENCH = /^(A|J|Q|K|10|[2-9])([SHDC])$/;
const FIGURE = /^(rock|paper|blades|serpent|unknown):(\w+)$/;
const TRIUMPH = /^T(\d{1,2})$/;

/** A card's code taken apart: what it is called, its rank or figure, its suit, and whether it lies reversed. */
export function readCard(code) {
  if (code === null || code === "_") return { name: phrase("face-down"), down: true };
  const reversed = code.endsWith(":r"), bare = reversed ? code.slice(0, -2) : code;
  const turned = (card) => (reversed ? phrase("card-turned", { card }) : card);
  const french = FRENCH.exec(bare), figure = FIGURE.exec(bare), triumph = TRIUMPH.exec(bare);
  if (french) return { name: turned(cardOf(RANKS[french[1]] ? said(RANKS[french[1]]) : french[1], SUITS[french[2]][0])), rank: french[1], suit: french[2], reversed };
  if (figure) return { name: turned(cardOf(figure[2], figure[1])), figure: figure[2], suit: figure[1], reversed };
  if (triumph) return { name: turned(phrase("card-triumph", { number: roman(Number(triumph[1])) })), rank: roman(Number(triumph[1])), figure: "triumph", reversed };
  if (bare === "joker" || bare === "Excuse") return { name: turned(said(bare.toLowerCase())), rank: "✶", figure: bare.toLowerCase(), reversed };
  return { name: turned(bare), figure: bare, reversed };
}

/** What a card is called by its rank or figure and the word of its suit. */
function cardOf(rank, suit) {
  return phrase("card-of", { rank, suit: said(suit) });
}

/** A number as the Romans wrote it. */
export function roman(number) {
  const [sign, worth] = ROMAN.find(([, least]) => number >= least) ?? ["", 0];
  return worth ? sign + roman(number - worth) : "";
}

/** One card as a drawing. */
export function card(code) {
  const { down, rank, suit, figure, reversed } = readCard(code);
  if (down) return drawing(50, 70, { class: "card back" }, cardboard(), draw("path", { class: "weave", d: "M9 9H41V61H9ZM25 9 41 35 25 61 9 35Z" }));
  const french = rank && suit;
  const names = figure ? [cut(figure, 9), !french && suit && said(suit), reversed && said("reversed")].filter(Boolean) : [];
  const face = [
    rank && !suit && draw("text", { x: 25, y: rank === "✶" ? 44 : 41, class: "numeral" }, rank),
    french && draw("text", { x: 6, y: 20, class: "rank" }, rank),
    french && sign(suit, 6.4, 24, 11),
    suit && (french ? sign(suit, 18.5, 33, 26) : sign(suit, 11.5, 8, 27)),
  ].filter(Boolean);
  return drawing(50, 70, { class: `card ${suit ? SUITS[suit][0] : "plain"}` },
    cardboard(),
    draw("g", reversed ? { transform: "rotate(180 25 35)" } : {}, ...face),
    ...names.map((name, i) => draw("text", { x: 25, y: (reversed ? 13 : 65 - 10 * names.length + 10) + 10 * i, class: i ? "below" : "figure" }, name)));
}

function cardboard() {
  return draw("rect", { x: 0.75, y: 0.75, width: 48.5, height: 68.5, rx: 5, class: "cardboard" });
}

function sign(suit, x, y, size) {
  return draw("path", { class: "suit", "fill-rule": "evenodd", d: SUITS[suit][1], transform: `translate(${x} ${y}) scale(${size / 24})` });
}

/** Cards beside each other, and in words what they are. */
export function cards(codes, alt) {
  const names = codes.map((code) => readCard(code).name);
  const hidden = codes.filter((code) => readCard(code).down).length;
  const told = hidden === codes.length && hidden > 1 ? phrase("several-face-down", { number: hidden }) : names.join(", ");
  return picture(`${alt}${told || phrase("no-cards")}`, { class: "cards" }, ...codes.map(card));
}

/** A deck: how much of it is left, and what was discarded last. */
export function deck(value) {
  const { name, left, size, gone, top } = value;
  const parts = [phrase("deck-left", { name: name ?? "", left, size }), gone ? phrase("deck-gone", { number: gone }) : "",
    top ? phrase("deck-last", { card: readCard(top).name }) : ""];
  return make("div", { class: "deck" },
    picture(parts.filter(Boolean).join(", "), { class: "cards" }, left ? card(null) : drawing(50, 70, { class: "card none" }, cardboard()), ...(top ? [card(top)] : [])),
    make("p", { "aria-hidden": "true" }, make("bdi", {}, name ?? phrase("deck")), make("span", { class: "count" }, phrase("place", { number: left, count: size }))));
}
