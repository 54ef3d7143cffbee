// The board of the replay's page, drawn for a table that is live.

import { Board } from "/modules/board.js";

/** Draws what lies on the table into `root`: gives what draws a board, and lights the keys that changed. */
export function drawnInto(root) {
  const order = new Map();
  const board = new Board(root, order);
  return (things, changed) => {
    for (const key of Object.keys(things)) {
      if (!order.has(key)) {
        order.set(key, order.size);
      }
    }
    board.show({ board: new Map(Object.entries(things)), lit: new Set(changed) });
  };
}
