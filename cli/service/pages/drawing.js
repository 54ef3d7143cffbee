// The board of the replay's page, drawn for a table that is live.

import { kept } from "/modules/keeping.js";
import { PortrayedBoard } from "/modules/portraits.js";

/**
 * Draws what lies on the table into `root`: gives what draws a board, lights the keys that changed, and brings them into sight.
 * `picture` is the address of a portrait, by the id of its event; `mine` are the names of a player's own, which come first.
 */
export function drawnInto(root, picture, mine = () => []) {
  const order = new Map();
  const board = new PortrayedBoard(root, order, picture);
  const shown = { board: new Map(), lit: new Set() };
  new ResizeObserver(() => shown.board.size && board.show(shown)).observe(root);
  return (things, changed) => {
    for (const key of Object.keys(things)) {
      if (!order.has(key)) {
        order.set(key, order.size);
      }
    }
    Object.assign(shown, { board: new Map(Object.entries(things)), lit: new Set(changed) });
    const still = kept("still") || matchMedia("(prefers-reduced-motion: reduce)").matches;
    document.documentElement.classList.toggle("moves", changed.length > 0 && !still);
    board.show(shown);
    for (const [key, room] of board.rooms) {
      const [, id] = /:seat:(\d+)$/.exec(key) ?? [];
      room.classList.toggle("mine", id !== undefined && mine().includes(things[`who:${id}`]?.name));
    }
    board.reveal();
  };
}
