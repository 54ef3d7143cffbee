"""Contents of a dossier: facts about a person, thread, place or thing; and their sections on a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from journal.vocabulary.base import REDACTED
from journal.vocabulary.events import Sort
from projections.mentions import Spot
from projections.prose.phrases import Phrases
from projections.views.matters import Entry
from projections.views.sheet import plain

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


def heading(known: PersonKnown | MatterKnown) -> str:
    """Returns the heading of a dossier: `Ana · character · played by Bo`."""
    return " · ".join((known.called, *_what(known)))


def _what(known: PersonKnown | MatterKnown) -> Iterator[str]:
    if isinstance(known, MatterKnown):
        yield known.kind
        yield "open" if known.closed is None else "closed"
        return
    yield "game master" if known.role == "gm" else known.role
    if known.pronouns is not None:
        yield known.pronouns
    yield from (word for word, holds in (("out", known.out), ("retired", known.retired)) if holds)
    if known.played_by:
        yield f"played by {known.played_by[-1].name}"


def sections(
    known: PersonKnown | MatterKnown, *, numbers: bool = True, phrases: Phrases = _OURS
) -> Iterator[DossierSection]:
    """Yields the dossier's sections, without empty ones; headings come from a voice's `phrases`.

    `numbers` False leaves out values that a game counts: points, sheets and their changes.
    """
    for key, lines in _of_person(known) if isinstance(known, PersonKnown) else _of_matter(known):
        found = tuple(lines)
        if found and (numbers or key not in _NUMBERS):
            yield DossierSection(phrases.say(key), found)


def _of_person(person: PersonKnown) -> Iterator[tuple[str, Iterable[DossierLine]]]:
    forms = (f"{form} ({case})" for case, form in person.forms.items())
    yield "dossier.who", () if person.phrase is None else (DossierLine(person.phrase),)
    yield (
        "dossier.also-called",
        map(DossierLine, (*person.aliases, *forms, *(f"{name} (before)" for name in person.former))),
    )
    yield "dossier.now", (DossierLine(f"{counter}: {now}") for counter, now in person.now)
    yield "dossier.sheet", (DossierLine(f"{game}: {sheet}") for game, sheet in person.sheets.items())
    yield "dossier.played-by", map(_with, person.played_by)
    yield "dossier.plays", map(_with, person.plays)
    yield (
        "dossier.sessions",
        (DossierLine(" ".join(_evening(*when)), when.session) for when in person.sessions),
    )
    yield "dossier.conflicts", (_in(fought.session, _fought(fought)) for fought in person.conflicts)
    yield "dossier.changed", (_in(changed.session, changed.told) for changed in person.changes)
    yield "dossier.quotes", (_in(quote.session, f"“{quote.text}”", quote.id) for quote in person.quotes)
    yield "dossier.said-last", (_in(spoken.session, spoken.text, spoken.id) for spoken in person.spoken)
    yield "dossier.notes", (_in(noted.session, noted.text, noted.id) for noted in person.notes)
    yield MENTIONED, map(_mention, person.mentions)


def _of_matter(matter: MatterKnown) -> Iterator[tuple[str, Iterable[DossierLine]]]:
    yield "dossier.called-before", map(DossierLine, matter.former)
    yield "dossier.notes", (_entry(entry, REDACTED) for entry in matter.notes)
    yield "dossier.closed", () if matter.closed is None else (_entry(matter.closed, "without a word"),)
    yield MENTIONED, map(_mention, matter.mentions)


def _in(session: int | None, text: str, at: str | None = None) -> DossierLine:
    """Returns a text line that begins with its session: `s3 · Ana lost a finger`."""
    return DossierLine(text if session is None else f"s{session} · {text}", session, at)


def _entry(entry: Entry, unsaid: str) -> DossierLine:
    return _in(entry.session, unsaid if entry.text is None else entry.text, entry.id)


def _mention(spot: Spot) -> DossierLine:
    return _in(spot.session, f"{spot.who}: {spot.text}" if spot.who else spot.text, spot.id)


def _with(shared: With) -> DossierLine:
    sessions = ", ".join(f"s{number}" for number in shared.sessions)
    return DossierLine(f"{shared.name} ({sessions})" if sessions else shared.name)


def _fought(conflict: Fought) -> str:
    return f"{conflict.title} ({conflict.system}): {_ended(conflict.how, conflict.winner)}"


def _evening(session: int, title: str | None, date: str | None) -> Iterator[str]:
    yield f"s{session}"
    if title is not None:
        yield title
    if date is not None:
        yield f"({date})"


def _ended(how: str | None, winner: str | None) -> str:
    if how is None:
        return "open"
    return how if winner is None else f"{how}, {winner} won"
