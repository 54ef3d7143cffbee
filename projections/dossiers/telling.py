"""What is known of one, in headings and lines: for a terminal, and for a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from journal.words import REDACTED
from projections.dossiers.known import Fought, MatterKnown, PersonKnown, With
from projections.mentions import Spot
from projections.prose.phrases import Phrases
from projections.views.matters import Entry

MENTIONED: Final = "dossier.mentioned"
"""The phrase over where one is named: the one part of a page that grows with every session."""

_OURS: Final = Phrases()


class Line(NamedTuple):
    """A line of what is known; it begins with its session (`s3`), where it is about one."""

    text: str
    session: int | None = None
    id: str | None = None
    """The event that says it."""


class Section(NamedTuple):
    """A heading, and what stands under it."""

    title: str
    lines: tuple[Line, ...]


_NUMBERS: Final = frozenset({"dossier.now", "dossier.sheet", "dossier.changed"})
"""The phrases over what a game counts."""


def heading(one: PersonKnown | MatterKnown) -> str:
    """Who or what it is, in a line."""
    return " · ".join((one.called, *_what(one)))


def _what(one: PersonKnown | MatterKnown) -> Iterator[str]:
    if isinstance(one, MatterKnown):
        yield one.kind
        yield "open" if one.closed is None else "closed"
        return
    yield "game master" if one.role == "gm" else one.role
    yield from (word for word, holds in (("out", one.out), ("retired", one.retired)) if holds)
    if one.played_by:
        yield f"played by {one.played_by[-1].name}"


def sections(
    one: PersonKnown | MatterKnown, *, numbers: bool = True, phrases: Phrases = _OURS
) -> Iterator[Section]:
    """Everything known of it, part by part, or all but what a game counts; no part that has nothing.

    The headings are those of a voice, by its `phrases`.
    """
    for key, lines in _of_person(one) if isinstance(one, PersonKnown) else _of_matter(one):
        found = tuple(lines)
        if found and (numbers or key not in _NUMBERS):
            yield Section(phrases.say(key), found)


def _of_person(one: PersonKnown) -> Iterator[tuple[str, Iterable[Line]]]:
    yield "dossier.who", () if one.phrase is None else (Line(one.phrase),)
    yield "dossier.also-called", map(Line, (*one.aliases, *(f"{name} (before)" for name in one.former)))
    yield "dossier.now", (Line(f"{what}: {now}") for what, now in one.now)
    yield "dossier.sheet", (Line(f"{game}: {sheet}") for game, sheet in one.sheets.items())
    yield "dossier.played-by", map(_with, one.played_by)
    yield "dossier.plays", map(_with, one.plays)
    yield "dossier.sessions", (Line(" ".join(_evening(*when)), when.session) for when in one.sessions)
    yield "dossier.conflicts", (_in(fought.session, _fought(fought)) for fought in one.conflicts)
    yield "dossier.changed", (_in(changed.session, changed.told) for changed in one.changes)
    yield "dossier.quotes", (_in(quote.session, f"“{quote.text}”", quote.id) for quote in one.quotes)
    yield "dossier.said-last", (_in(said.session, said.text, said.id) for said in one.spoken)
    yield "dossier.notes", (_in(noted.session, noted.text, noted.id) for noted in one.notes)
    yield MENTIONED, map(_mention, one.mentions)


def _of_matter(one: MatterKnown) -> Iterator[tuple[str, Iterable[Line]]]:
    yield "dossier.called-before", map(Line, one.former)
    yield "dossier.notes", (_entry(entry, REDACTED) for entry in one.notes)
    yield "dossier.closed", () if one.closed is None else (_entry(one.closed, "without a word"),)
    yield MENTIONED, map(_mention, one.mentions)


def _in(session: int | None, told: str, at: str | None = None) -> Line:
    """A line about something in a session."""
    return Line(told if session is None else f"s{session} · {told}", session, at)


def _entry(entry: Entry, unsaid: str) -> Line:
    return _in(entry.session, unsaid if entry.text is None else entry.text, entry.id)


def _mention(spot: Spot) -> Line:
    return _in(spot.session, f"{spot.who}: {spot.text}" if spot.who else spot.text, spot.id)


def _with(one: With) -> Line:
    sessions = ", ".join(f"s{number}" for number in one.sessions)
    return Line(f"{one.name} ({sessions})" if sessions else one.name)


def _fought(one: Fought) -> str:
    return f"{one.title} ({one.system}): {_ended(one.how, one.winner)}"


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
