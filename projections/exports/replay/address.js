/** The address of a moment: `#e12`, or `#line/e12` on another line than the first. */

/** The address of an event on a line of that name, null for the first line. */
export function addressOf(line, id) {
  return `#${line === null ? "" : `${encodeURIComponent(line)}/`}${encodeURIComponent(id)}`;
}

/** The line's name and the event's id in an address; null if it names no moment. */
export function readAddress(hash) {
  const parts = hash.replace(/^#/, "").split("/");
  if (!parts.at(-1) || parts.length > 2) return null;
  try {
    const [id, line] = parts.reverse().map(decodeURIComponent);
    return { line: line ?? null, id };
  } catch {
    return null;
  }
}

/** Where a page is opened: at the moment of its hash, else of `?at=`, an event's id or the number of a step. */
export function opening(replay, { hash, search }) {
  const at = new URLSearchParams(search).get("at");
  if (hash.length > 1 || at === null) return moment(replay, hash);
  const found = moment(replay, `#${encodeURIComponent(at)}`);
  return found ?? (/^\d{1,6}$/.test(at) ? { line: 0, n: Math.min(Number(at), replay.path(0).count) - 1 } : null);
}

/** Where an address leads: the line and the step of it, null if there is no such moment. */
export function moment(replay, hash) {
  const named = readAddress(hash);
  if (!named) return null;
  const all = replay.lines.map((_, line) => line);
  const wanted = named.line === null ? all : all.filter((line) => replay.lines[line].name === named.line);
  for (const line of wanted) {
    const n = replay.path(line).stepOf(named.id);
    if (n >= 0) return { line, n };
  }
  return null;
}
