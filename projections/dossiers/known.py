"""Contents of a dossier: facts about a person, thread, place or thing; and their sections on a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final, NamedTuple

from retold.journal.vocabulary.base import REDACTED
from retold.journal.vocabulary.events import Sort
from retold.projections.prose.phrases import Phrases
from retold.projections.views.matters import Entry
from retold.projections.views.mentions import Spot
from retold.projections.views.sheet import plain

Key = tuple[str, int]
"""Identifies a subject: `("person", number)` or `("matter", opening position)`."""


class Evening(NamedTuple):
    """Session in which a person took part."""

    session: int
    title: str | None
    date: str | None


class With(NamedTuple):
    """Player of a character, or character of a player, with the sessions they played together."""

    name: str
    sessions: tuple[int, ...]


class Fought(NamedTuple):
    """Conflict of a person; `how` it ended is null while open, `winner` null if no side won."""

    session: int | None
    title: str
    system: str
    how: str | None
    winner: str | None


class Changed(NamedTuple):
    """Sentence on a change of points, health or sheet, with the session of the change."""

    session: int | None
    told: str


class Stands(NamedTuple):
    """Name (`what`) and current value (`now`) of a counter, such as points or a track."""

    what: str
    now: str


@dataclass(frozen=True, slots=True)
class Known:
    """Dossier of a person, thread, place or thing; its fields become JSON."""

    id: int | str
    name: str | None
    """Name; null once redacted."""
    former: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Returns the dossier as JSON values.

        Its keys are the fields documented here; a version only ever adds keys.
        """
        fields: dict[str, Any] = plain(self)
        return {"retold": "who", "version": 1, "sort": self.kind, **fields}

    @property
    def kind(self) -> str:
        """Word for the dossier's subject: `person`, `thread`, `place` or `thing`."""
        raise NotImplementedError

    @property
    def called(self) -> str:
        """Subject's name, or a placeholder once redacted."""
        return REDACTED if self.name is None else self.name

    @property
    def names(self) -> tuple[str, ...]:
        """Current name, then former names."""
        return (self.called, *self.former)


@dataclass(frozen=True, slots=True)
class PersonKnown(Known):
    """Dossier of a person: role, players, sessions, conflicts, changes, sheets, speech, mentions."""

    role: str
    phrase: str | None
    aliases: tuple[str, ...]
    pronouns: str | None
    forms: Mapping[str, str]
    """Forms of the name, by case such as `acc`."""
    out: bool
    retired: bool
    played_by: tuple[With, ...]
    plays: tuple[With, ...]
    sessions: tuple[Evening, ...]
    conflicts: tuple[Fought, ...]
    changes: tuple[Changed, ...]
    now: tuple[Stands, ...]
    sheets: Mapping[str, str]
    """Sheets on one line each, by the game's title."""
    quotes: tuple[Spot, ...]
    spoken: tuple[Spot, ...]
    """Last few speeches in character."""
    notes: tuple[Spot, ...]
    mentions: tuple[Spot, ...]
    earlier: int = field(default=0, compare=False)
    """Number of earlier mentions left out."""

    @property
    def kind(self) -> str:
        """Word for the dossier's subject: always `person`."""
        return "person"

    @property
    def called(self) -> str:
        """Person's name, or `somebody (5)` with their number once redacted."""
        return f"somebody ({self.id})" if self.name is None else self.name

    @property
    def names(self) -> tuple[str, ...]:
        """Person's current name, then aliases, then former names."""
        return (self.called, *self.aliases, *self.former)


@dataclass(frozen=True, slots=True)
class MatterKnown(Known):
    """Dossier of a thread, place or thing: notes and mentions."""

    of: Sort
    notes: tuple[Entry, ...]
    closed: Entry | None
    mentions: tuple[Spot, ...]
    earlier: int = field(default=0, compare=False)
    """Number of earlier mentions left out."""

    @property
    def kind(self) -> str:
        """Word for the dossier's subject: `thread`, `place` or `thing`."""
        return self.of


MENTIONED: Final = "dossier.mentioned"
"""Phrase key of the heading over mentions, the only section that grows with every session."""

_OURS: Final = Phrases()


class DossierLine(NamedTuple):
    """Text line of a dossier; begins with the session (`s3`), if `session` is set."""

    text: str
    session: int | None = None
    id: str | None = None
    """Id of the event with this text."""


class DossierSection(NamedTuple):
    """Heading and text lines of one section in a dossier."""

    title: str
    lines: tuple[DossierLine, ...]


_NUMBERS: Final = frozenset({"dossier.now", "dossier.sheet", "dossier.changed"})
"""Phrase keys of headings over counted values."""


def heading(known: PersonKnown | MatterKnown, phrases: Phrases = _OURS) -> str:
    """Returns the heading of a dossier in a voice's `phrases`: `Ana · character · played by Bo`."""
    return " · ".join((known.called, description(known, phrases)))


def description(known: PersonKnown | MatterKnown, phrases: Phrases = _OURS) -> str:
    """Returns a dossier's heading without the name: `character · played by Bo`, or `thread · open`."""
    if isinstance(known, MatterKnown):
        is_open = phrases.say("dossier.is-open" if known.closed is None else "dossier.is-closed")
        return f"{phrases.say(_SORTS[known.kind])} · {is_open}"
    told = (
        phrases.say(_SORTS[known.role]),
        known.pronouns,
        phrases.say("dossier.out") if known.out else None,
        phrases.say("dossier.retired") if known.retired else None,
        phrases.say("page.played-by", who=known.played_by[-1].name) if known.played_by else None,
    )
    return " · ".join(part for part in told if part is not None)


_SORTS: Final = {
    "character": "dossier.character",
    "player": "dossier.player",
    "side": "dossier.side",
    "gm": "dossier.gm",
    "thread": "dossier.thread",
    "place": "dossier.place",
    "thing": "dossier.thing",
}
"""Phrase keys for the role of a person, and for the sort of another dossier."""


def sections(
    known: PersonKnown | MatterKnown, *, numbers: bool = True, phrases: Phrases = _OURS
) -> Iterator[DossierSection]:
    """Yields the dossier's sections, without empty ones; headings come from a voice's `phrases`.

    `numbers` False leaves out values that a game counts: points, sheets and their changes.
    """
    every = _of_person(known, phrases) if isinstance(known, PersonKnown) else _of_matter(known, phrases)
    for key, lines in every:
        found = tuple(line._replace(text=phrases.language.marked(line.text)) for line in lines)
        if found and (numbers or key not in _NUMBERS):
            yield DossierSection(phrases.say(key), found)


def _of_person(person: PersonKnown, phrases: Phrases) -> Iterator[tuple[str, Iterable[DossierLine]]]:
    before = (phrases.say("dossier.name-before", name=name) for name in person.former)
    forms = (f"{form} ({case})" for case, form in person.forms.items())
    colon, quotes = phrases.language.colon, phrases.language.quotes
    yield "dossier.who", () if person.phrase is None else (DossierLine(person.phrase),)
    yield (
        "dossier.also-called",
        map(DossierLine, (*person.aliases, *forms, *before)),
    )
    # a condition is a counter of one box: marked, its name says it; free, nothing does
    told = (
        counter if now in ("[x]", "[x] (out)") else f"{counter}{colon} {now}"
        for counter, now in person.now
        if now != "[ ]"
    )
    yield "dossier.now", map(DossierLine, told)
    yield "dossier.sheet", (DossierLine(f"{game}{colon} {sheet}") for game, sheet in person.sheets.items())
    yield "dossier.played-by", map(_with, person.played_by)
    yield "dossier.plays", map(_with, person.plays)
    yield (
        "dossier.sessions",
        (DossierLine(_evening(when, phrases), when.session) for when in person.sessions),
    )
    yield "dossier.conflicts", (_in(fought.session, _fought(fought, phrases)) for fought in person.conflicts)
    yield "dossier.changed", (_in(changed.session, changed.told) for changed in person.changes)
    yield (
        "dossier.quotes",
        (_in(quote.session, f"{quotes[0]}{quote.text}{quotes[1]}", quote.id) for quote in person.quotes),
    )
    yield "dossier.said-last", (_in(spoken.session, spoken.text, spoken.id) for spoken in person.spoken)
    yield "dossier.notes", (_in(noted.session, noted.text, noted.id) for noted in person.notes)
    yield MENTIONED, (_mention(spot, colon) for spot in person.mentions)


def _of_matter(matter: MatterKnown, phrases: Phrases) -> Iterator[tuple[str, Iterable[DossierLine]]]:
    yield "dossier.called-before", map(DossierLine, matter.former)
    yield "dossier.notes", (_entry(entry, REDACTED) for entry in matter.notes)
    yield (
        "dossier.closed",
        () if matter.closed is None else (_entry(matter.closed, phrases.say("dossier.without-words")),),
    )
    yield MENTIONED, (_mention(spot, phrases.language.colon) for spot in matter.mentions)


def _in(session: int | None, text: str, at: str | None = None) -> DossierLine:
    """Returns a text line that begins with its session: `s3 · Ana lost a finger`."""
    return DossierLine(text if session is None else f"s{session} · {text}", session, at)


def _entry(entry: Entry, unsaid: str) -> DossierLine:
    return _in(entry.session, unsaid if entry.text is None else entry.text, entry.id)


def _mention(spot: Spot, colon: str) -> DossierLine:
    return _in(spot.session, f"{spot.who}{colon} {spot.text}" if spot.who else spot.text, spot.id)


def session_ranges(sessions: Iterable[int]) -> str:
    """Returns sessions in short, runs of them by the first and the last: `s5, s7`."""
    parted = groupby(enumerate(sorted(sessions)), lambda placed: placed[1] - placed[0])
    runs = ([number for _, number in run] for _, run in parted)
    return ", ".join("\u2013".join(dict.fromkeys((f"s{run[0]}", f"s{run[-1]}"))) for run in runs)


def _with(shared: With) -> DossierLine:
    sessions = session_ranges(shared.sessions)
    return DossierLine(f"{shared.name} ({sessions})" if sessions else shared.name)


def _fought(conflict: Fought, phrases: Phrases) -> str:
    ended = _ended(conflict.how, conflict.winner, phrases)
    return f"{conflict.title} ({conflict.system}){phrases.language.colon} {ended}"


def _evening(evening: Evening, phrases: Phrases) -> str:
    day = None if evening.date is None else f"({phrases.date(evening.date)})"
    return " ".join(part for part in (f"s{evening.session}", evening.title, day) if part is not None)


_ENDINGS: Final = {
    "won": "dossier.won",
    "ended": "dossier.ended",
    "conceded": "dossier.conceded",
    "stalemate": "dossier.stalemate",
    "postponed": "dossier.postponed",
    "agreed": "dossier.agreed",
    "taken-out": "dossier.taken-out",
    "left": "dossier.left",
}
"""Phrase keys for the ways in which a conflict ends; another way is the table's or a guest's own word."""


def _ended(how: str | None, winner: str | None, phrases: Phrases) -> str:
    if how is None:
        return phrases.say("dossier.goes-on")
    told = phrases.say(_ENDINGS[how]) if how in _ENDINGS else how
    return told if winner is None else phrases.say("dossier.with-winner", how=told, winner=winner)
