/** Who sits where, and what lies before whom: a board put in order, before anything is drawn. */

/**
 * @typedef {[string, any]} Item a key and what it stands for
 * @typedef {{id: number, items: Item[]}} Seat somebody, and what is theirs
 * @typedef {{number: number, value: any, middle: Item[], things: Item[], sides: Seat[][]}} Conflict
 */

/** The first part of a key: what kind of thing it is. */
export function kindOf(key) {
  return key.split(":", 1)[0];
}

const BESIDE = new Set(["row", "hand", "down", "pool", "aspect", "deck"]);
const MIDDLE = new Set(["balance", "melee", "map", "raise"]);
const LYING = ["pool", "down", "hand", "row", "aspect", "deck"];

/**
 * A board in order: what concerns everybody, each conflict with its sides, whoever else has something before them,
 * and what is nobody's.
 */
export function seated(board, order) {
  const items = [...board].sort(([one], [other]) => rank(one, order) - rank(other, order));
  const table = { at: board.get("at") ?? {}, fell: board.get("fell") ?? null, names: new Map(), asked: [], conflicts: [], around: [], things: [] };
  for (const [key, value] of items) {
    if (kindOf(key) === "who") table.names.set(Number(key.slice(4)), value);
    if (kindOf(key) === "conflict") table.conflicts.push(opened(Number(key.slice(9)), value));
    if (kindOf(key) === "pending") table.asked.push([key, value]);
  }
  const seats = new Seats(table);
  for (const item of items) lay(item, table, seats);
  return table;
}

function rank(key, order) {
  const kind = LYING.indexOf(kindOf(key));
  return (kind < 0 ? LYING.length : kind) * 1e7 + (order.get(key) ?? 1e6);
}

function opened(number, value) {
  return { number, value, middle: [], things: [], sides: (value.sides ?? []).map((side) => side.map((id) => ({ id, items: [] }))) };
}

class Seats {
  constructor(table) {
    this.table = table;
    this.spare = new Map();
  }

  /** Somebody's seat: in that conflict, or in the last one they are in, or around the table. */
  of(id, number) {
    const open = this.table.conflicts.filter((one) => number === undefined || one.number === number);
    for (const conflict of open.reverse()) {
      const found = conflict.sides.flat().find((one) => one.id === id);
      if (found) return found;
    }
    let seat = this.spare.get(id);
    if (!seat) {
      this.spare.set(id, (seat = { id, items: [] }));
      this.table.around.push(seat);
    }
    return seat;
  }
}

function lay(item, table, seats) {
  const [key, value] = item, kind = kindOf(key), number = conflictOf(key, value);
  const conflict = table.conflicts.find((one) => one.number === number);
  if (["at", "fell", "who", "conflict", "pending", "place"].includes(kind)) return;
  const owner = [value?.who, value?.owner, value?.on].find((one) => typeof one === "number");
  if (MIDDLE.has(kind) && conflict) conflict.middle.push(item);
  else if (BESIDE.has(kind) && owner !== undefined) seats.of(owner, conflict ? number : undefined).items.push(item);
  else (conflict?.things ?? table.things).push(item);
}

/** The number of the conflict something belongs to; undefined for what belongs to none. */
export function conflictOf(key, value) {
  if (typeof value?.conflict === "number") return value.conflict;
  const named = /^(?:pool|raise|balance|melee|map|place|down):(\d+)/.exec(key) ?? /^row:[^:]*:(\d+):/.exec(key);
  return named ? Number(named[1]) : undefined;
}

/** Who stands where on the map of a conflict. */
export function placed(board, number) {
  return [...board].filter(([key]) => key.startsWith(`place:${number}:`))
    .map(([key, value]) => ({ who: Number(key.split(":")[2]), spot: value.spot, out: value.out ?? false }))
    .sort((one, other) => one.who - other.who);
}
