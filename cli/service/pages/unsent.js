// Words that are typed and not sent: this browser keeps them, and a page that is loaded again has them.

/** What is typed into these fields; `keep` is called once a field is emptied by a line that was taken. */
export class Unsent {
  constructor(...fields) {
    this.fields = fields;
    for (const field of fields) {
      field.value = localStorage.getItem(this.#key(field)) ?? "";
      field.addEventListener("input", () => this.keep());
    }
  }

  keep() {
    for (const field of this.fields) {
      if (field.value) {
        localStorage.setItem(this.#key(field), field.value);
      } else {
        localStorage.removeItem(this.#key(field));
      }
    }
  }

  #key(field) {
    return `${location.pathname} ${field.id}`;
  }
}
