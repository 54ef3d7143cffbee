"""P1: `export` of a long campaign to a plain transcript, against what else reads a record and prints it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from benchmarks import floors
from benchmarks.campaigns import lived
from benchmarks.measuring import FLOOR, Figure, Goal, Task, as_installed, compare, counted, interleaved, show
from retold.journal.store.writing.campaign import CampaignStore

EVENTS = 100_000
ROUNDS = 7
ROOT = Path(__file__).parent.parent
GAME = (
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7"
)
"""Twenty plies of an opening that everybody knows."""
PLIES = 20

CHESS = """
import sys
import chess.pgn

with open(sys.argv[1]) as games:
    while (game := chess.pgn.read_game(games)) is not None:
        board = game.board()
        for move in game.mainline_moves():
            print(board.san(move))
            board.push(move)
"""
NODE = """
const state = {};
const said = [];
for (const line of require('fs').readFileSync(process.argv[2], 'utf8').split('\\n')) {
  if (line === '') continue;
  const { kind, data, texts } = JSON.parse(line);
  switch (kind) {
    case 'table.narrated': state.narrated = data.who; break;
    case 'bruise.hand-won': state.winner = data.winner; break;
    default: state[kind] = (state[kind] || 0) + 1;
  }
  const told = (one) => one && one['~'] !== undefined ? texts[one['~']] : one;
  const fields = Object.entries(data).map(([key, one]) => `${key}=${told(one)}`);
  said.push(`${kind} ${fields.join(' ')}`);
}
process.stdout.write(said.join('\\n') + '\\n');
"""


class Peer(NamedTuple):
    """Something else that reads a record and prints it; `missing` says why it cannot be had here."""

    name: str
    missing: str | None
    command: Callable[[Path], list[str]]
    """Writes its own record into a folder and says how it is printed."""
    records: int


def peers(campaign: CampaignStore) -> Iterator[Peer]:
    """Those named by the goal, and the quickest that we know of."""
    missing = None if shutil.which("ledger") else "there is no ledger here"
    yield Peer("ledger print", missing, _ledger, EVENTS)
    missing = None if find_spec("chess") else "there is no python-chess here"
    yield Peer("python-chess", missing, _chess, EVENTS)
    missing = None if shutil.which("node") else "there is no node here"
    yield Peer("node", missing, lambda folder: _node(campaign, folder), EVENTS)


def _ledger(folder: Path) -> list[str]:
    entry = "2026-03-14 Supper {}\n    Expenses:Food  $10.00\n    Assets:Cash\n\n"
    (folder / "a.ledger").write_text("".join(map(entry.format, range(EVENTS))), "utf-8")
    return ["ledger", "-f", str(folder / "a.ledger"), "print"]


def _chess(folder: Path) -> list[str]:
    (folder / "a.pgn").write_text(f'[Event "?"]\n\n{GAME} *\n\n' * (EVENTS // PLIES), "utf-8")
    (folder / "print.py").write_text(CHESS, "utf-8")
    return [sys.executable, str(folder / "print.py"), str(folder / "a.pgn")]


def _node(campaign: CampaignStore, folder: Path) -> list[str]:
    with (folder / "a.jsonl").open("w", encoding="utf-8") as lines:
        for row in campaign.record.rows(1):
            texts = [] if row.words is None else [one[1] for one in json.loads(row.words)]
            fact = {"kind": row.kind, "data": json.loads(row.body)["data"], "texts": texts}
            lines.write(json.dumps(fact, ensure_ascii=False) + "\n")
    (folder / "print.js").write_text(NODE, "utf-8")
    return ["node", str(folder / "print.js"), str(folder / "a.jsonl")]


def exporting(path: Path, home: Path) -> Task:
    """The whole process that tells all of the campaign at `path` in plain text, to a file."""
    env = as_installed(home)
    words = ["export", "1..@", "--voice", "plain", "-f", "text", "-o", str(home / "a.txt"), "--force"]
    command = [sys.executable, "-m", "retold", "-c", str(path), *words]
    return lambda: subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=True)


def _printing(command: list[str], folder: Path) -> Task:
    def task() -> None:
        with (folder / "printed").open("wb") as printed:
            subprocess.run(command, stdout=printed, check=True)

    return task


def run() -> list[Figure]:
    """Measures it."""
    with (
        tempfile.TemporaryDirectory() as folder,
        lived(Path(folder) / "a.retold", EVENTS, branches=0) as campaign,
    ):
        here, n = Path(folder), campaign.record.head(1).position
        every = list(peers(campaign))
        ours = {
            "ours": exporting(here / "a.retold", here),
            FLOOR: floors.told(here / "a.retold", here / "floor"),
        }
        tasks = {peer.name: _printing(peer.command(here), here) for peer in every if peer.missing is None}
        seconds = interleaved(ours | tasks, ROUNDS)
    what = "export to a plain transcript, whole process, against its floor"
    return [
        compare("P1", what, seconds, "ours", FLOOR, n=n, goal=Goal(5)),
        *(_figure(peer, seconds, n) for peer in every),
    ]


def _figure(peer: Peer, seconds: dict[str, list[float]], n: int) -> Figure:
    what = f"export to a plain transcript, whole process, against {peer.name} (per record)"
    if peer.missing is not None:
        how = f"not run: {peer.missing}"
        return counted("P1", what, None, n=0, goal="-", met=None, how=how)
    return compare("P1", what, seconds, "ours", peer.name, n=n, peer_n=peer.records)


if __name__ == "__main__":
    show(run())
