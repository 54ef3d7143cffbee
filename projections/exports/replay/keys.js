/** The keys, as in a chess study. */

const KEYS = {
  ArrowLeft: "back", ArrowRight: "on", "Shift+ArrowLeft": "back act", "Shift+ArrowRight": "on act",
  ArrowDown: "enter", ArrowUp: "leave", Home: "first", End: "last", " ": "play",
  "[": "back scene", "]": "on scene", ",": "back turn", ".": "on turn",
  "/": "search", m: "mechanics", d: "director", w: "recorded", s: "still", a: "ahead", c: "contents", "?": "help", Escape: "uncover",
};
const TYPED = "input:not([type=range]), textarea, select, [contenteditable]";
const PRESSED = "button, a[href], summary";

/** What a key asks for; null for one that is somebody else's. */
export function wish({ key, shiftKey, ctrlKey, altKey, metaKey }) {
  if (ctrlKey || altKey || metaKey) return null;
  return (shiftKey && KEYS[`Shift+${key}`]) || KEYS[key] || KEYS[key.toLowerCase()] || null;
}

/**
 * Hears keys anywhere on the page, but where somebody types, or a button would be pressed.
 * @param {(wish: string) => boolean} heed says whether anything came of it
 */
export function listen(heed) {
  document.addEventListener("keydown", (event) => {
    const at = /** @type {Element} */ (event.target), asked = wish(event);
    if (!asked || event.defaultPrevented || document.querySelector("dialog[open]") || at.closest(TYPED)) return;
    if (event.key === " " && at.closest(PRESSED)) return;
    if ((event.key === "ArrowUp" || event.key === "ArrowDown") && at.closest(".scrolls")) return;
    if (heed(asked)) event.preventDefault();
  });
}
