/** A finger on a replay: swiped aside it goes a step on or back, and a tap on the board does the same. */

const SWIPED = 48, STILL = 10, BRIEF = 400;
const HELD = "button, a[href], summary, input, select, label";

/** What a finger asks for that moved so far in so many milliseconds; null for anything else. */
export function gesture({ dx, dy, ms, part, taps }) {
  if (Math.abs(dx) >= SWIPED && Math.abs(dx) > 2 * Math.abs(dy)) return dx < 0 ? "on" : "back";
  if (!taps || ms > BRIEF || Math.hypot(dx, dy) > STILL) return null;
  return part < 1 / 3 ? "back" : "on";
}

/**
 * Hears fingers on an element, but where something is pressed or marked.
 * @param {HTMLElement} area @param {boolean} taps whether a tap counts @param {(wish: string) => void} heed
 */
export function touched(area, taps, heed) {
  let down = null;
  area.addEventListener("pointerdown", (event) => {
    down = event.pointerType === "mouse" || !event.isPrimary || event.target.closest(HELD) ? null : event;
  });
  area.addEventListener("pointercancel", () => (down = null));
  area.addEventListener("pointerup", (event) => {
    if (!down) return;
    const { left, width } = area.getBoundingClientRect(), marked = String(getSelection()) !== "";
    const asked = gesture({
      dx: event.clientX - down.clientX, dy: event.clientY - down.clientY, ms: event.timeStamp - down.timeStamp,
      part: (event.clientX - left) / width, taps: taps && !marked,
    });
    down = null;
    if (asked) heed(asked);
  });
}
