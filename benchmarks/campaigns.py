"""Campaigns of any size, played by the rules but recorded in one go."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from retold.games.bruise import commands as b
from retold.journal import line as line_
from retold.journal.refused import Refused
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.store.events.acts import Manner, with_luck
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command, Words
from retold.scribe import Scribe
from retold.script_player import Script, play_script

EXAMPLES = Path(__file__).parent.parent / "examples"
TELLINGS = (
    "One last cry, and the line breaks.",
    "She takes the stair three steps at a time and does not look back at what is left of the lamp.",
    "Nobody expected rain.",
    "He says nothing, and the ledger changes hands.",
)


def beginning() -> Iterator[Command]:
    """A session, two people, a conflict."""
    yield c.OpenSession(title=Words("The Long Ebb"), date="2026-03-14")
    yield c.Cast(who=Words("Zel"), system="bruise", by=Words("Jon"), values={"clubs": 4, "melee": 2})
    yield c.Cast(who=Words("Ash"), system="bruise", by=Words("Kim"), values={"clubs": 3, "melee": 3})
    yield c.OpenConflict(system="bruise", sides=((1,), (3,)), text=Words("freedom"))


def turns() -> Iterator[Command]:
    """Turn upon turn of Bruise, told and noted, for ever."""
    number = 0
    while True:
        number += 1
        told = TELLINGS[number % len(TELLINGS)]
        yield c.Declare(who=1, text=Words(f"I go on, for the {number}. time."))
        yield c.Draw(who=1, traits=("clubs", "melee"))
        yield c.Draw(who=3, traits=("clubs", "melee"))
        yield c.Narrate(text=Words(told))
        yield c.Note(text=Words(f"{told} ({number})"))
        yield b.Award(who=1)


def settled(writer: LineWriter, command: Command) -> Command:
    """The command, or the ruling that has to come first."""
    conflict = writer.table.in_play()
    ties = getattr(conflict.state, "ties", None) if conflict is not None else None
    if ties:
        return c.Rule(answer=ties[0][0], text=Words("The table decides."))
    results = getattr(conflict.state, "results", []) if conflict is not None else []
    if isinstance(command, c.Narrate) and results:
        return command.but({"who": results[-1].winner})
    return command


def grow(campaign: CampaignStore, line: int, events: int) -> None:
    """Plays on `line` until it has so many events, all of it in one transaction."""
    writer = campaign.writer(line)
    with campaign.record.writing():
        for command in beginning() if writer.table.session is None else ():
            _record(writer, command)
        for command in turns():
            if writer.head.position >= events:
                return
            meant = settled(writer, command)
            _record(writer, meant)
            if isinstance(meant, c.Rule):
                _record(writer, settled(writer, command))


def _record(writer: LineWriter, command: Command) -> None:
    with suppress(Refused):  # a turn that another grew has come further than this one thinks
        _record_at_once(writer, command)


def _record_at_once(writer: LineWriter, command: Command) -> None:
    events, taken = writer._decide(command, Manner())  # noqa: SLF001 -- as record does, without its lock
    seen_by = [TABLE] * len(events)
    rows = writer._append(events, command, taken, Manner(), seen_by)  # noqa: SLF001
    writer.head = rows[-1].head
    for live in with_luck(events, rows[0].position, [one.provenance for one in taken], seen_by):
        line_.evolve(writer.table, live)


EVENING = 400
"""Events of an evening, about."""
PLAYED = (
    "edgerunner/warehouse",
    "bruise/three-hands",
    "guenask/floating-school",
    "spacetime/furnace",
    "whiskey/causeway",
)
"""One evening of each game."""
BRANCHES = 100
FIGHT = """
session The long quay --date 2026-11-20
cast Ada edgerunner by=Ann melee=3 athletics=2 cool=2
cast Bix edgerunner by=Ben melee=2 stealth=3 cool=2
cast Cyd edgerunner by=Cat firearms=3 cool=3
cast Dov edgerunner by=Dan athletics=3 cool=2
cast Hob edgerunner melee=2 athletics=1
cast Ivo edgerunner melee=2
cast Jem edgerunner kind=goon melee=1
cast Kit edgerunner kind=goon firearms=1
conflict "The long quay" edgerunner Ada+Bix+Cyd+Dov vs Hob+Ivo+Jem+Kit: who holds the lanes
map Crane 1 Lane 2 Office
place Ada Crane
place Bix Crane
place Cyd Lane
place Dov Lane
place Hob Lane
place Ivo Office
place Jem Office
place Kit Office
exchange a few moments
"""
"""A fight of eight, under way."""


def lived(path: Path, events: int, branches: int = BRANCHES, seed: bytes | None = None) -> CampaignStore:
    """About so many events: an evening of each game, many of one, branches, and a fight of eight.

    A seed makes cards and dice the same each time.
    """
    campaign = CampaignStore.create(path, title="The Salt Road", seed=seed)
    campaign.snapshots = Snapshots(path.with_suffix(".cache"))
    scribe = Scribe(campaign, 1)
    for name in PLAYED:
        script = (EXAMPLES / f"{name}.session").read_text(encoding="utf-8")
        _play(scribe, re.sub("(?m)^campaign .*", "", script).encode())
    while (position := scribe.writer.head.position) < events:
        grow(campaign, 1, min(events, position + EVENING))
        scribe = Scribe(campaign, 1)
        _play(scribe, b"end conflict stalemate\nend session\n")
    for number in range(1, branches + 1):
        _play(Scribe(campaign, 1), f"branch b{number} : What if, for the {number}. time?\n".encode())
    _play(Scribe(campaign, 1), FIGHT.encode())
    campaign.record.store.settle()
    return campaign


def _play(scribe: Scribe, script: bytes) -> None:
    for _ in play_script(scribe, Script("a benchmark", script)):
        pass


def grown(path: Path, events: int) -> CampaignStore:
    """A new campaign with at least so many events."""
    campaign = CampaignStore.create(path, title="The Salt Road")
    grow(campaign, 1, events)
    campaign.record.store.settle()
    return campaign
