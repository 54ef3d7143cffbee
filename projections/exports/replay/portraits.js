/** Portraits and colours of people on the board, and the pictures of a replay: only pages that have any load this. */
import { Board } from "./board.js";
import { make, typed } from "./making.js";
import { PHRASES, phrase } from "./phrases.js";

PHRASES.portraits ??= "Portraits: {made}";

/** A replay's value with the address of each picture in its blocks, where it has the number of one. */
export function illustrated(value) {
  for (const block of value.lines.flatMap(({ blocks }) => blocks))
    if (typeof block.image === "number") block.image = value.pictures[block.image];
  return value;
}

/** Who made the portraits of these people, in words: `Zel, Kit (Mara Lind)`; empty where nobody is named. */
export function creditsOf(people) {
  const made = new Map();
  for (const { name, portrait } of people)
    if (portrait?.credit) made.set(portrait.credit, [...(made.get(portrait.credit) ?? []), name]);
  return [...made].map(([credit, names]) => `${names.join(", ")} (${credit})`).join(", ");
}

/** A board on which people have their portraits and the colours of their names. */
export class PortrayedBoard extends Board {
  /** @param {(id: string) => string} picture the address of a portrait, by the id of its event */
  constructor(root, order, picture) {
    super(root, order);
    this.picture = picture;
    this.cast = make("ul", { class: "faces" });
    this.credits = make("p", { class: "soft credits" });
  }

  show(shown) {
    super.show(shown);
    const met = new Set();
    for (const [key, room] of this.rooms) {
      const [, id] = /:seat:(\d+)$/.exec(key) ?? [];
      if (id === undefined) continue;
      met.add(Number(id));
      this.#face(room.querySelector(":scope > :is(h3, h4)"), this.names.get(Number(id)) ?? {});
    }
    const isOther = ([id, person]) => person.portrait && !person.retired && !met.has(id);
    this.#others([...this.names].filter(isOther));
    this.#credit([...this.names].filter((entry) => met.has(entry[0]) || isOther(entry)).map(([, person]) => person));
  }

  /** Puts portrait and colour to a name. */
  #face(heading, { portrait, colour }) {
    heading.classList.toggle("by", Boolean(colour));
    if (colour) {
      heading.style.setProperty("--by-light", colour[0]);
      heading.style.setProperty("--by-dark", colour[1]);
    }
    const known = heading.querySelector(":scope > img");
    if (known?.dataset.id === portrait?.id && known?.alt === portrait?.alt) return;
    known?.remove();
    heading.classList.toggle("has-face", Boolean(portrait));
    if (portrait) heading.prepend(this.#image(portrait));
  }

  #image({ id, alt }) {
    const image = make("img", { src: this.picture(id), alt, "data-id": id, decoding: "async" });
    image.addEventListener("error", () => image.remove()); // a picture that is gone leaves the name alone
    return image;
  }

  /** People with a portrait who have nothing before them. */
  #others(people) {
    const stamp = JSON.stringify(people);
    if (this.drawn !== stamp) {
      this.drawn = stamp;
      this.cast.replaceChildren(...people.map(([, person]) => {
        const name = make("p", { class: "name" }, typed(person.name));
        this.#face(name, person);
        return make("li", {}, name);
      }));
    }
    if (people.length) this.root.append(this.cast);
  }

  #credit(people) {
    const made = creditsOf(people);
    if (!made) return;
    const words = phrase("portraits", { made });
    if (this.credits.textContent !== words) this.credits.replaceChildren(typed(words));
    this.root.append(this.credits);
  }
}

/** Gives the board of a page its portraits. */
export function portrayed(page) {
  const { pictures = [], portraits = {} } = page.replay.value;
  page.board = new PortrayedBoard(page.board.root, page.board.order, (id) => pictures[portraits[id]]);
  page.redraw();
}
