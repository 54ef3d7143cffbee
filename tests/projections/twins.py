"""Twins of the examples: the same events in the same order, with other words in every field."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

from retold.games.edgerunner import events as g
from retold.journal.store.events import line_events
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.codec import Recorded
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Frozen, Words, values_of
from retold.projections.texts import safe
from tests.projections.evening import Ticking, w
from tests.projections.payloads import PAYLOADS
from tests.projections.played import EXAMPLES, played

Rewording = Callable[[str], str]

PLAYED = [
    one
    for one in EXAMPLES
    if one.stem in ("three-hands", "warehouse", "floating-school", "lantern-regatta", "four-cards")
]
"""One for each game."""


@dataclass(frozen=True)
class Twins:
    """The same example twice: with harmless words, which are numbers, and with hostile ones by number."""

    harmless: CampaignStore
    hostile: CampaignStore
    typed: Mapping[str, str]
    game: str
    number: int

    def expected(self, shown: str) -> str:
        """A harmless text as a reader has it, with the hostile words in it."""
        return OWNING.sub(self._meant, squeezed(shown))

    def _meant(self, found: re.Match[str]) -> str:
        words = squeezed(self.typed[found["token"]])
        possessive = "'" if self.typed[found["token"]].endswith("s") else "'s"
        return words if found["possessive"] is None else f"{words}{possessive}"


TOKEN = re.compile(r"harmless\d{4}x")
OWNING = re.compile(rf"(?P<token>{TOKEN.pattern})(?P<possessive>'s)?")


@dataclass
class Pen:
    """Gives each thing that is typed a number, and its payload by that number."""

    begin: int
    typed: dict[str, str] = field(default_factory=dict)

    def harmless(self, _: str) -> str:
        token = f"harmless{len(self.typed):04}x"
        self.typed[token] = PAYLOADS[(self.begin + len(self.typed)) % len(PAYLOADS)]
        return token


@contextmanager
def twins_of(example: Path, folder: Path) -> Iterator[Twins]:
    """The twins of one of the examples in `PLAYED`, each with payloads of its own."""
    number = PLAYED.index(example)
    pen = Pen(number * len(PAYLOADS) // len(PLAYED))
    with played(example, folder) as original:
        harmless = twin(original, folder / "harmless.retold", pen.harmless)
        payloads = iter(pen.typed.values())
        hostile = twin(original, folder / "hostile.retold", lambda _: next(payloads))
    with harmless, hostile:
        yield Twins(harmless, hostile, pen.typed, example.parent.name, number)


_STRAIGHT: Final = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")


@lru_cache(maxsize=4096)
def squeezed(text: str) -> str:
    """A text as a reader sees it, whatever its case, width, blanks, line ends, and quotation marks."""
    shown = re.sub(r"[⏎␉␍]|⟦U\+(0085|2028|2029)⟧", "", safe.line(text)).translate(_STRAIGHT)
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", shown).casefold()))


# --- the same with other words ------------------------------------------------------------------------------


def twin(original: CampaignStore, path: Path, reworded: Rewording) -> CampaignStore:
    """A campaign in which the same happens on the mainline, and whatever somebody typed is `reworded`.

    Names of zones, aspects and traits are strings a rule compares, so each is reworded the same way wherever
    it stands; words are free, and each is reworded by itself.
    """
    acts = [[one for one, _ in act] for _, act in groupby(line_events.recorded(original.record, 1), _act)][1:]
    typed = {one for act in acts for recorded in act for one in _typed(_event(recorded))}
    traits = {one for act in acts for recorded in act for one in _traits(_event(recorded))}
    strings = {one: reworded(one) for one in sorted(typed)}
    strings |= {one: f"{TRAIT}{reworded(one)}" for one in sorted(traits)}
    campaign = CampaignStore.create(path, clock=Ticking())
    writer = campaign.writer(1)
    for act in acts:
        events = [_reworded(_event(one), strings, reworded) for one in act]
        writer.manage_all(events, c.Note(text=w("-")), Manner(visible_to=act[0].envelope.visible_to))
    return campaign


def _act(one: tuple[Recorded, bool]) -> str:
    return one[0].envelope.act


def _event(recorded: Recorded) -> Event:
    assert isinstance(recorded.event, Event)
    return recorded.event


def _typed(event: Event) -> Iterator[str]:
    """The names an event brings that are not words: zones, ways, aspects, what shifts are spent on."""
    if isinstance(event, g.ZonesMapped):
        yield from event.zones
        yield from (way for border in event.borders for way in border.passes if way)
    if isinstance(event, g.ShiftsSpent):
        yield from (one.on for one in event.spent)
    if isinstance(event, e.SheetChanged):
        yield from (str(value) for key, value in event.values.items() if key.startswith(_FREE))
    for key in ("wording", "aspect", "on"):
        value = getattr(event, key, None)
        if isinstance(value, str):
            yield value


def _traits(event: Event) -> Iterator[str]:
    if isinstance(event, e.SheetChanged):
        yield from (key for key in event.values if " " in key)


TRAIT = "hz"
"""Before the name of a trait: a sheet is in order, and so all of them stay where they are."""

_FREE = ("aspect.", "accomplishment", "background")


def _reworded(event: Event, strings: dict[str, str], reworded: Rewording) -> Event:
    changed = {key: _other(value, strings, reworded) for key, value in values_of(event).items()}
    return event.but(changed)


def _other(value: object, strings: dict[str, str], reworded: Rewording) -> object:
    if isinstance(value, Words):
        return value if value.text is None else Words(reworded(value.text))
    if isinstance(value, Frozen):
        changed = {key: _other(part, strings, reworded) for key, part in values_of(value).items()}
        return value.but(changed)
    if isinstance(value, dict):
        return {strings.get(key, key): _other(part, strings, reworded) for key, part in value.items()}
    if isinstance(value, tuple):
        return tuple(_other(part, strings, reworded) for part in value)
    return _string(value, strings) if type(value) is str else value


def _string(value: str, strings: dict[str, str]) -> str:
    """A name, or the two names of a border."""
    one, dash, other = value.partition("-")
    if dash and one in strings and other in strings:
        return f"{strings[one]}-{strings[other]}"
    return strings.get(value, value)
