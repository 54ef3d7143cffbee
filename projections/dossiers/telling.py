"""What is known of one, in headings and lines: for a terminal, and for a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from projections.dossiers.known import MatterKnown, PersonKnown, With
from projections.mentions import Spot
from projections.views.matters import Entry


class Section(NamedTuple):
    """A heading, and what stands under it."""

    title: str
    lines: tuple[str, ...]


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


def sections(one: PersonKnown | MatterKnown) -> Iterator[Section]:
    """Everything known of it, part by part; nothing of what there is nothing of."""
    for title, lines in _of_person(one) if isinstance(one, PersonKnown) else _of_matter(one):
        found = tuple(lines)
        if found:
            yield Section(title, found)


def _of_person(one: PersonKnown) -> Iterator[tuple[str, Iterable[str]]]:
    yield "Who", () if one.phrase is None else (one.phrase,)
    yield "Also called", (*one.aliases, *(f"{name} (before)" for name in one.former))
    yield "Now", (f"{what}: {now}" for what, now in one.now)
    yield "On the sheet", (f"{game}: {sheet}" for game, sheet in one.sheets.items())
    yield "Played by", map(_with, one.played_by)
    yield "Plays", map(_with, one.plays)
    yield "Sessions", (" ".join(_evening(*evening)) for evening in one.sessions)
    yield (
        "Conflicts",
        (
            f"{_session(fought.session)}{fought.title} ({fought.system}): {_ended(fought.how, fought.winner)}"
            for fought in one.conflicts
        ),
    )
    yield "What changed", (f"{_session(changed.session)}{changed.told}" for changed in one.changes)
    yield "Worth quoting", (f"{_session(quote.session)}“{quote.text}”" for quote in one.quotes)
    yield "Said last", (f"{_session(said.session)}{said.text}" for said in one.spoken)
    yield "Notes", (f"{_session(noted.session)}{noted.text}" for noted in one.notes)
    yield "Mentioned", map(_mention, one.mentions)


def _of_matter(one: MatterKnown) -> Iterator[tuple[str, Iterable[str]]]:
    yield "Called before", one.former
    yield "Notes", (_entry(entry, "[redacted]") for entry in one.notes)
    yield "Closed", () if one.closed is None else (_entry(one.closed, "without a word"),)
    yield "Mentioned", map(_mention, one.mentions)


def _entry(entry: Entry, unsaid: str) -> str:
    return f"{_session(entry.session)}{unsaid if entry.text is None else entry.text}"


def _mention(spot: Spot) -> str:
    return f"{_session(spot.session)}{f'{spot.who}: ' if spot.who else ''}{spot.text}"


def _with(one: With) -> str:
    return f"{one.name} ({', '.join(f's{number}' for number in one.sessions)})" if one.sessions else one.name


def _session(number: int | None) -> str:
    """Before what happened in a session."""
    return "" if number is None else f"s{number} · "


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
