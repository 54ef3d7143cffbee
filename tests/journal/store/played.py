"""Campaigns to test the store with, played at a table that exists only here."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from retold.games.bruise import commands as b
from retold.journal.store.contract.address import Place
from retold.journal.store.events.clock import Clock
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command, Words

in_a_file = pytest.mark.parametrize("place", ["file"], indirect=True)
"""For tests of what a file alone does."""

on_a_server = pytest.mark.parametrize("place", ["server"], indirect=True)
"""For tests of what a server alone does."""

SEED = b"a seed for tests, and for nothing else"


@dataclass(frozen=True, slots=True)
class StoppedClock(Clock):
    """Every id and every salt is the next number; the time is one second later each time it is asked."""

    numbers: Iterator[int] = field(default_factory=itertools.count)

    def now(self) -> tuple[str, int]:
        second = next(self.numbers)
        return f"2026-03-14T{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}.000000Z", 60

    def act(self) -> str:
        return f"act-{next(self.numbers)}"

    def salt(self) -> bytes:
        return next(self.numbers).to_bytes(16)

    def campaign(self) -> str:
        return f"{next(self.numbers):032x}"


def evening(title: str = "The Long Ebb") -> list[Command]:
    """An evening's commands: called results and dealt ones, words of every sort, a turn played to its end."""
    return [
        c.OpenSession(title=Words(title), date="2026-03-14"),
        c.SetScene(title=Words("The harbour-master's stair"), text=Words("Rain since noon.")),
        c.Cast(
            who=Words("Zel"),
            system="bruise",
            by=Words("Jon"),
            values={"clubs": 4, "melee": 2},
            text=Words("A smuggler"),
        ),
        c.OpenConflict(
            title=Words("Out"), system="bruise", sides=((1,), (Words("Guards"),)), text=Words("freedom")
        ),
        c.Declare(who=1, text=Words("I run one through.")),
        c.Draw(who=1, traits=("clubs", "melee"), results=("JH", "JD", "10S", "7C", "4C", "3D")),
        b.Quality(who=3, rank="9"),
        b.ChooseColour(suit="hearts"),
        c.Narrate(who=1, text=Words("One last cry, and the line breaks.")),
        c.Draw(who=1, traits=("clubs", "melee"), text=Words("and again")),
        c.Draw(who=3, count=4),
        c.Note(text=Words("Somebody brought cake."), quote=True),
        b.Award(who=1, text=Words("for the stair")),
    ]


def play(writer: LineWriter, commands: list[Command]) -> LineWriter:
    """Records the commands, one act each."""
    for command in commands:
        writer.record(command)
    return writer


def campaign(place: Place, *, seed: bytes | None = SEED) -> CampaignStore:
    """A campaign with its first event and a title, and nothing played."""
    made = CampaignStore.create(place, title="The Salt Road", seed=seed, clock=StoppedClock())
    made.seed = seed
    return made


def played(place: Place) -> CampaignStore:
    """A campaign with an evening on it, dealt from a seed."""
    made = campaign(place)
    play(made.writer(1), evening())
    return made


def on_disk(camp: CampaignStore) -> CampaignFile:
    """The file a campaign is kept in."""
    store = camp.record.store
    assert isinstance(store, CampaignFile)
    return store


def notes(writer: LineWriter, *texts: str) -> None:
    """Records a note for each text."""
    for text in texts:
        writer.record(c.Note(text=Words(text)))
