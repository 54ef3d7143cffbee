"""A guard against slowing down: steps of what users wait for, beside those kept in guard.toml.

python3 run.py bench guard                the steps, and what changed; exit code 1 if one rose above the limit
python3 run.py bench guard --write WHY    the same; changed ones are kept, with the reason of those that rose

Steps (benchmarks/counting.py) are the same at every run on one minor version of Python, whatever else the
machine does. They do not say how long a call of SQLite or another library in C takes: `bench clock` and the
figures against peers measure that.
"""

from __future__ import annotations

import asyncio
import io
import json
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from msgspec import Struct, convert
from starlette.types import Message

import retold
from benchmarks import logs
from benchmarks.campaigns import EXAMPLES, lived
from benchmarks.counting import steps_of
from benchmarks.import_ import ANSWERS
from benchmarks.measuring import as_installed
from retold.__main__ import main as command_line
from retold.cli.campaigns.settings import Settings
from retold.cli.service import endpoints
from retold.cli.service.app import application
from retold.cli.service.network import LOOPBACK
from retold.cli.service.served_campaigns import open_campaigns
from retold.journal.line import fold
from retold.journal.store.contract.address import Address
from retold.journal.store.events import codec, line_events
from retold.journal.store.events.record import Record
from retold.sources import read

EVENTS: Final = 2_000
MESSAGES: Final = 200
LEAST: Final = 5_000
"""Steps of a task; one with fewer does nothing."""
NOTED, LIMIT = 0.05, 0.15
"""Shares of a kept number: a change that is told, and a rise that is a failure."""
TOO_SLOW: Final = ", which is too slow"
KEPT: Final = Path(__file__).with_name("guard.toml")
ROOT: Final = KEPT.parent.parent
PYTHON: Final = "{}.{}".format(*sys.version_info)


class Prepared(NamedTuple):
    """A folder, and in it a campaign of many evenings with a fight under way."""

    folder: Path
    campaign: Path
    numbers: count[int]

    def new(self) -> retold.Campaign:
        """Returns a new campaign in the folder."""
        return retold.new(self.folder / f"{next(self.numbers)}.retold", seed="guard")

    def evening(self, name: str) -> retold.Campaign:
        """Returns a new campaign in which an example is played."""
        campaign = self.new()
        campaign.play((EXAMPLES / f"{name}.session").read_text("utf-8"))
        return campaign


Count = Callable[[], int]
"""Does a task and returns its steps."""
Workload = Callable[[Prepared], Count]


def warm(do: Callable[[], object]) -> Count:
    """A task in this process, done once before, so that modules are loaded and caches filled."""
    do()
    return partial(steps_of, do)


def cold(*words: str) -> Workload:
    """A command line in a process of its own, done once before, so that modules are compiled."""

    def workload(given: Prepared) -> Count:
        code = "from benchmarks.counting import count_command; count_command()"
        arguments = [str(given.campaign) if word == "FILE" else word for word in words]
        command, environment = [sys.executable, "-c", code, *arguments], as_installed(given.folder)

        def steps() -> int:
            done = subprocess.run(
                command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
            )
            return int(done.stdout.splitlines()[-1])

        steps()
        return steps

    return workload


def verb(*words: str) -> Workload:
    """A command line in this process."""

    def do(given: Prepared) -> None:
        with redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")):
            assert command_line(["-c", str(given.campaign), *words]) == 0

    return lambda given: warm(partial(do, given))


def program(do: Callable[[retold.Campaign], object]) -> Workload:
    """What a program reads of the campaign, which it opens first."""

    def task(given: Prepared) -> None:
        with retold.open(given.campaign, read_only=True) as campaign:
            do(campaign)

    return lambda given: warm(partial(task, given))


def record_of(given: Prepared) -> Record:
    """Returns the campaign's record, open."""
    return retold.open(given.campaign, read_only=True).shared.store.record


def decoded(given: Prepared) -> Count:
    """The campaign's rows, read before, as events."""
    rows = list(record_of(given).rows(1))
    return warm(lambda: [codec.decode_event(row) for row in rows])


def rebuilt(given: Prepared) -> Count:
    """The table, from the campaign's first event on."""
    return warm(partial(line_events.table_at, record_of(given), 1))


def fold_of(name: str) -> Workload:
    """An example's events, applied to an empty table."""

    def workload(given: Prepared) -> Count:
        with given.evening(name) as campaign:
            events = list(line_events.live_events(campaign.shared.store.record, 1))
        return warm(partial(fold, events))

    return workload


def played(given: Prepared) -> Count:
    """An evening as it is played: lines read, decided and stored."""
    return warm(lambda: given.evening("bruise/three-hands").close())


def imported(given: Prepared) -> Count:
    """A log of another tool, taken into a new campaign."""
    log = logs.write_nedb(given.folder / "messages.db", MESSAGES)

    def do() -> None:
        with given.new() as campaign:
            campaign.take_in([read(log)], ANSWERS)

    return warm(do)


async def _at_once(work: Callable[[], object]) -> object:
    """Stands for the service's worker threads, where steps are not counted."""
    return work()


def answered(method: str, path: str) -> Workload:
    """A player's request, answered by the service without its network and threads."""

    def workload(given: Prepared) -> Count:
        shelf = open_campaigns([Address.of_file(given.campaign)], Settings(given.folder / "home", {}))
        ((slug, served),) = shelf.served.items()
        secret = served.links.new(served.campaign.lasting("Ann"), "Ann", "2026-03-14")
        shelf.read_links()
        app = application(shelf, [LOOPBACK], log=False)
        headers = [(b"host", LOOPBACK.encode()), (b"authorization", f"Bearer {secret}".encode())]
        scope: dict[str, Any] = {
            "type": "http",
            "http_version": "1.1",
            "scheme": "http",
            "client": (LOOPBACK, 1),
        }
        scope |= {"method": method, "path": f"/c/{slug}/{path}", "query_string": b"", "headers": headers}

        async def ask() -> None:
            body = json.dumps({"id": f"proposal-{next(given.numbers)}", "line": "say Ada: Hush."}).encode()
            told: list[Message] = []

            async def receive() -> Message:
                return {"type": "http.request", "body": body if method == "POST" else b""}

            async def send(message: Message) -> None:
                told.append(message)

            with patch.object(endpoints, "in_a_thread", _at_once):
                await app(dict(scope), receive, send)
            assert told[0]["status"] == 200, told  # noqa: PLR2004 -- HTTP's own number

        return warm(lambda: asyncio.run(ask()))

    return workload


WORKLOADS: Final[Mapping[str, Workload]] = {
    "--version, cold": cold("--version"),
    "a Tab completion, cold": cold("--complete", "-c", "FILE", "na"),
    "note, cold": cold("-c", "FILE", "note", ": It rains."),
    "log -n 20, cold": cold("-c", "FILE", "log", "-n", "20"),
    "log -n 200": verb("log", "-n", "200"),
    "show": verb("show"),
    "can": verb("can"),
    "verify": verb("verify"),
    "an evening played": played,
    "events decoded": decoded,
    "rebuild": rebuilt,
    "export of an evening": program(lambda campaign: campaign.export("html", 1, voice="prose")),
    "replay of an evening": program(lambda campaign: campaign.export("replay", 1)),
    "story of 2,000 events": program(lambda campaign: campaign.export("text", "1..@", voice="plain")),
    "fold of bruise": fold_of("bruise/three-hands"),
    "fold of edgerunner": fold_of("edgerunner/warehouse"),
    "fold of guenask": fold_of("guenask/floating-school"),
    "fold of spacetime": fold_of("spacetime/furnace"),
    "fold of whiskey": fold_of("whiskey/causeway"),
    "fold of d20": fold_of("homebrew/drowned-chapel"),
    "import of 200 messages": imported,
    "a board served": answered("GET", "board"),
    "a proposal served": answered("POST", "proposals"),
}


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """A kept number of steps, and the reason of its last rise."""

    steps: int
    why: str = ""


def kept() -> dict[str, dict[str, Kept]]:
    """Returns the kept numbers, by minor version of Python and name."""
    return convert(tomllib.loads(KEPT.read_text("utf-8")), dict[str, dict[str, Kept]])


@contextmanager
def prepared() -> Iterator[Prepared]:
    """Context manager: gives a temporary folder, which is also Retold's home, with the campaign."""
    with TemporaryDirectory() as folder, patch.dict("os.environ", as_installed(Path(folder))):
        given = Prepared(Path(folder), Path(folder) / "a.retold", count())
        lived(given.campaign, EVENTS, branches=2, seed=b"guard").close()
        yield given


def counted(workloads: Mapping[str, Workload], given: Prepared) -> dict[str, int]:
    """Returns the steps of each workload; AssertionError if one does nothing."""
    found = {name: workload(given)() for name, workload in workloads.items()}
    idle = [name for name, steps in found.items() if steps < LEAST]
    assert not idle, f"These do nothing: {', '.join(idle)}."
    return found


def changes(found: Mapping[str, int], before: Mapping[str, Kept]) -> dict[str, float]:
    """Returns by how much of itself each kept number changed, if by more than NOTED."""
    shares = {name: steps / before[name].steps - 1 for name, steps in found.items() if name in before}
    return {name: share for name, share in shares.items() if abs(share) > NOTED}


def merged(found: Mapping[str, int], before: Mapping[str, Kept], why: str) -> dict[str, Kept]:
    """Returns the numbers to keep: what changed by less than NOTED stays, so that small rises add up."""
    changed = changes(found, before)
    new = {name: Kept(steps, why if changed.get(name, 0) > 0 else "") for name, steps in found.items()}
    return {name: new[name] if name in changed else before.get(name, new[name]) for name in found}


def write(numbers: Mapping[str, Kept]) -> None:
    """Writes the numbers of this Python into guard.toml, below the comment that it begins with."""
    lines = [KEPT.read_text("utf-8").partition("[")[0].rstrip()]
    for python, ones in sorted({**kept(), PYTHON: numbers}.items()):
        lines += ["", f'["{python}"]']
        for name, one in ones.items():
            why = f", why = {json.dumps(one.why, ensure_ascii=False)}" if one.why else ""
            lines.append(f'"{name}" = {{ steps = {one.steps:_}{why} }}')
    KEPT.write_text("\n".join(lines) + "\n", "utf-8")


def report(found: Mapping[str, int], before: Mapping[str, Kept]) -> list[str]:
    """Returns a table of the steps, and a line about each that changed by more than NOTED."""
    changed = changes(found, before)
    lines = [f"| what | steps | kept, Python {PYTHON} |", "|---|---|---|"]
    for name, steps in found.items():
        lines.append(f"| {name} | {steps:,} | {f'{before[name].steps:,}' if name in before else '-'} |")
    lines += ["", f"Changed by more than {NOTED:.0%}: {len(changed)} of {len(before)}."]
    lines += [f"{name}: {share:+.1%}{TOO_SLOW * (share > LIMIT)}" for name, share in changed.items()]
    return lines


def main(arguments: Sequence[str]) -> int:
    """Prints the report, and writes if asked; returns 1 if a number rose above LIMIT, or without a reason."""
    with prepared() as given:
        found = counted(WORKLOADS, given)
    before = kept().get(PYTHON, {})
    changed, why = changes(found, before), " ".join(arguments[1:])
    print("\n".join(report(found, before)))
    highest = max(changed.values(), default=0.0)
    if arguments[:1] == ["--write"] and (why or highest <= 0):
        write(merged(found, before, why))
        return 0
    if changed or not before:
        print('To keep these numbers: python3 run.py bench guard --write "why they rose"')
    return 1 if arguments or highest > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
