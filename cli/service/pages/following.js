// Following the table: one stream of events that comes back by itself, and the board they leave.

/** Follows the feed at `address`; `heard` is told of what comes: happened, reset, board, proposal, gone. */
export function follow(address, heard) {
  let board = {};
  const source = new EventSource(address);
  const on = (name, act) => source.addEventListener(name, (event) => act(JSON.parse(event.data)));
  on("board", (said) => {
    board = said.board;
    heard.board(board, []);
  });
  on("happened", (said) => {
    const changed = Object.keys(said.delta);
    for (const key of changed) {
      if (said.delta[key] === null) {
        delete board[key];
      } else {
        board[key] = said.delta[key];
      }
    }
    heard.happened(said.events);
    if (changed.length) {
      heard.board(board, changed);
    }
  });
  on("reset", () => heard.reset());
  on("proposal", (said) => heard.proposal(said));
  on("gone", () => {
    source.close();
    heard.gone();
  });
  source.addEventListener("open", () => heard.here(true));
  source.addEventListener("error", () => heard.here(false));
  return source;
}
