// Following the table: one stream of events that comes back where it was, and the board they leave.

const AGAIN = 400;
const DOZED = 10_000;

/** Follows what is `below` the campaign's address; `heard` is told: anew, happened, board, proposal, here, gone. */
export class Following {
  constructor(below, ask, heard) {
    Object.assign(this, { below, ask, heard });
    this.board = {};
    this.held = null;
    this.begun = 0;
    addEventListener("offline", () => this.#lose());
    addEventListener("online", () => this.#open());
    document.addEventListener("visibilitychange", () => this.#awake());
  }

  /**
   * Asks for the last words, and for what lies there unless a stream is open, which sends it by itself; follows from then on.
   * Nothing is asked where the page has `begun` with them. Rejects with the service's sentence.
   */
  async begin(begun) {
    const mine = (this.begun += 1);
    this.held = [];
    const lies = this.source || begun ? null : this.ask(this.below("board"));
    const [{ events, cursor }, laid] = await Promise.all([begun ?? this.ask(this.below("happened")), begun ?? lies]);
    if (mine !== this.begun) {
      return;
    }
    const held = this.held;
    this.held = null;
    this.cursor ??= cursor;
    this.heard.anew(events);
    if (laid) {
      this.#lay(laid.board);
    }
    held.forEach((act) => act());
    if (!this.source) {
      this.#open();
    }
  }

  #open() {
    this.#hangUp();
    if (this.over || this.cursor === undefined) {
      return;
    }
    const source = new EventSource(`${this.below("feed")}?after=${encodeURIComponent(this.cursor)}`);
    this.source = source;
    const on = (name, act) => source.addEventListener(name, (event) => {
      if (source === this.source) {
        this.cursor = event.lastEventId || this.cursor;
        act(JSON.parse(event.data));
      }
    });
    on("board", (said) => this.#inTurn(() => this.#lay(said.board)));
    on("happened", (said) => this.#inTurn(() => this.#happened(said)));
    on("reset", () => this.#anew());
    on("proposal", (said) => this.heard.proposal(said));
    on("gone", () => this.#end());
    source.addEventListener("open", () => this.heard.here(true));
    source.addEventListener("error", () => {
      if (source === this.source) {
        this.#lost(source);
      }
    });
  }

  /** While the whole is asked for anew, what comes waits for it. */
  #inTurn(act) {
    if (this.held) {
      this.held.push(act);
    } else {
      act();
    }
  }

  /** The whole board: what differs from the one before is what changed. */
  #lay(board) {
    const before = this.board;
    const changed = Object.keys({ ...before, ...board }).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(board[key]));
    this.board = board;
    if (changed.length || !Object.keys(board).length) {
      this.heard.board(board, Object.keys(before).length ? changed : []);
    }
  }

  #happened({ events, delta }) {
    const changed = Object.keys(delta);
    for (const key of changed) {
      if (delta[key] === null) {
        delete this.board[key];
      } else {
        this.board[key] = delta[key];
      }
    }
    if (events.length) {
      this.heard.happened(events);
    }
    if (changed.length) {
      this.heard.board(this.board, changed);
    }
  }

  #anew() {
    this.begin().catch(() => {
      this.held = null;
      this.#lose();
      this.#later(() => this.#anew());
    });
  }

  #lost(source) {
    this.heard.here(false);
    if (source.readyState === EventSource.CLOSED) {
      this.#later(() => this.#open());
    }
  }

  /** There is no network: nothing is asked until it is back. */
  #lose() {
    this.#hangUp();
    this.heard.here(false);
  }

  #hangUp() {
    clearTimeout(this.waiting);
    this.source?.close();
    this.source = null;
  }

  #later(act) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(act, AGAIN * (1 + Math.random())); // not all phones of a table at once
  }

  /** A device that slept may hold a stream that is dead without knowing it. */
  #awake() {
    if (document.hidden) {
      this.slept = Date.now();
    } else if (this.slept && Date.now() - this.slept > DOZED) {
      this.#open();
    }
  }

  #end() {
    this.over = true;
    this.#hangUp();
    this.heard.gone();
  }
}
