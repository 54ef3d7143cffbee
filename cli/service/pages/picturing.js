// Adding a picture: a file from this device, what it is and shows, and whom it is for, as a line of the table.

import { make } from "/modules/making.js";
import { newId } from "./asking.js";
import { written } from "./lines.js";

/** Bytes up to which a file is sent as it is; of a larger one the page makes a smaller picture. */
const ENOUGH = 3_000_000;
/** Pixels of a smaller picture's longer side, which is as much as the record keeps. */
const SIDE = 2000;
const ALL = "";
const GAME_MASTER = "--gm";
const PEOPLE = new Set(["character", "side"]);

/** The fields of a picture, in an element that folds. */
export class Picturing {
  /** `send` is given a line, a picture in base64 and an id, and answers whether it is recorded; `refused` is given a sentence. */
  constructor(root, send, refused) {
    Object.assign(this, { root, send, refused, id: null, stamp: "" });
    this.form = root.querySelector("form");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.form.addEventListener("input", () => {
      this.id = null; // another line, which the id of the one before would keep from being recorded
      this.#choose();
    });
    this.#dropped();
    this.#choose();
  }

  /** Offers the people on a board: of whom a portrait may be, and whom a picture may be for. */
  show(board) {
    const everybody = Object.entries(board).filter(([key]) => key.startsWith("who:")).map(([, person]) => person);
    const known = everybody.filter(({ role, retired }) => PEOPLE.has(role) && !retired);
    const stamp = JSON.stringify(known.map(({ name, player }) => [name, player]));
    if (stamp === this.stamp) {
      return;
    }
    this.stamp = stamp;
    const played = known.filter(({ player }) => player !== undefined).map(({ name }) => [`--to ${quoted(name)}`, `${name} alone`]);
    offer(this.form.elements.who, known.map(({ name }) => [quoted(name), name]));
    offer(this.form.elements.to, [[ALL, "everybody"], [GAME_MASTER, "the game master alone"], ...played]);
  }

  /** Shows the fields that a picture of this sort has; one that is hidden asks for nothing. */
  #choose() {
    const use = this.form.elements.use.value;
    for (const field of this.form.querySelectorAll("[data-for]")) {
      field.hidden = !field.dataset.for.split(" ").includes(use);
      field.querySelector("input, select").disabled = field.hidden;
    }
  }

  /** A file can be dropped on the form too. */
  #dropped() {
    const over = (is) => this.form.classList.toggle("over", is);
    this.root.addEventListener("dragover", (event) => {
      event.preventDefault();
      over(true);
    });
    this.root.addEventListener("dragleave", () => over(false));
    this.root.addEventListener("drop", (event) => {
      event.preventDefault();
      over(false);
      const { files } = event.dataTransfer;
      if (files.length > 1) {
        this.refused("One picture is added at a time: drop one file.");
      } else if (files.length) {
        this.form.elements.file.files = files;
        this.id = null;
      }
    });
  }

  async #submit() {
    if (this.underWay) {
      return;
    }
    this.underWay = true;
    this.form.querySelector(".send").textContent = "Adding …";
    try {
      const [file] = this.form.elements.file.files;
      this.id ??= newId();
      if (await this.send(this.#line(file.name), await base64(await smaller(file)), this.id)) {
        this.form.reset();
        this.#choose();
        this.root.open = false;
        this.id = null;
      }
    } catch {
      this.refused("The file cannot be read: choose it again.");
    } finally {
      this.underWay = false;
      this.form.querySelector(".send").textContent = "Add it";
    }
  }

  /** The line that adds the picture: `image quay quay.jpg alt="Boats" --to Zel: It is empty.` */
  #line(file) {
    const { use, name, who, alt, credit, to, text } = Object.fromEntries(new FormData(this.form));
    const words = [use, who, name === undefined ? null : quoted(name), file.startsWith("data:") ? "file" : quoted(file), `alt=${quoted(alt)}`];
    const line = [...words, credit.trim() ? `credit=${quoted(credit)}` : null, to].filter(Boolean).join(" ");
    return text.trim() ? `${line}: ${written(text)}` : line;
  }
}

/** A name, a file or a value as a line has it; always in quotes, since a bare `none` or `2d6` is no name. */
function quoted(text) {
  return `"${text.trim().replaceAll(/\s+/g, " ").replaceAll('"', '""')}"`;
}

/** Offers these in a select; what was chosen stays so if it is still there. */
function offer(select, choices) {
  const before = select.value;
  select.replaceChildren(...choices.map(([value, text]) => make("option", { value, selected: value === before }, text)));
}

/** A photo as a smaller picture, so that it is soon sent; the file itself where it is small, or nothing that this browser can read. */
async function smaller(file) {
  if (file.size <= ENOUGH) {
    return file;
  }
  try {
    const whole = await createImageBitmap(file);
    const by = Math.min(1, SIDE / Math.max(whole.width, whole.height));
    const canvas = new OffscreenCanvas(Math.max(1, Math.round(whole.width * by)), Math.max(1, Math.round(whole.height * by)));
    canvas.getContext("2d").drawImage(whole, 0, 0, canvas.width, canvas.height);
    return await canvas.convertToBlob({ type: file.type === "image/jpeg" ? file.type : "image/webp", quality: 0.92 });
  } catch {
    return file;
  }
}

/** The bytes of a file in base64. */
function base64(file) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(reader.result.slice(reader.result.indexOf(",") + 1)));
    reader.addEventListener("error", () => failed(reader.error));
    reader.readAsDataURL(file);
  });
}
