"""First page of a site: cover, cast, how each session begins, threads, and who was where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from retold.projections.dossiers import MatterKnown, PersonKnown
from retold.projections.dossiers.known import session_ranges
from retold.projections.exports import html
from retold.projections.exports.page_elements import Furniture, MechanicsPlace, leaders
from retold.projections.site import addresses as a
from retold.projections.site.dossier_pages import SortRow
from retold.projections.site.frame import PageFrame, SiteFile, SitePage, brief
from retold.projections.site.session_pages import SessionPage
from retold.projections.story.document import Transcript
from retold.projections.views.mentions import Names

FACES: Final = 12
"""Most people on the first page."""
TENS: Final = 10
"""Sessions in a group, if there are more than `FACES`."""


class Place(NamedTuple):
    """A place on the first page: its row, the people seen there, and the range of sessions."""

    row: SortRow
    people: Sequence[SortRow]
    sessions: str


def front_page(
    frame: PageFrame,
    evenings: Sequence[SessionPage],
    front: Transcript,
    known: Mapping[str, a.Known],
    rows: Mapping[str, SortRow],
) -> SiteFile:
    """Returns the first page; `front` is a transcript without a story, with cover and texts.

    `rows` are those of all dossiers in `known`, by path. How a session or a thread ended is on no row.
    """
    played = " · ".join(_played(frame, evenings))
    blurb = front.pages.blurb
    about = [blurb] if blurb else [played, *(evenings[0].words if evenings else ())]
    shown = any(row.portrait for row in rows.values()) or front.cover is not None
    page = SitePage(a.CONTENTS, frame.title, brief(about), images="'self'" if shown else "'none'")
    texts = replace(front, pages=replace(front.pages, blurb=None))
    told = html.told(texts, MechanicsPlace.NONE, frame.linker.once, a.PICTURES)
    systems = (credit for evening in evenings for credit in evening.told.head.credits)
    size = TENS if len(evenings) > FACES else len(evenings) or 1
    of_threads = [(path, one) for path, one in known.items() if one.kind == "thread"]
    return frame.page(
        "contents.html.j2",
        page,
        evenings=evenings,
        groups=[evenings[first : first + size] for first in range(0, len(evenings), size)],
        played=played,
        blurb=blurb,
        owed=Furniture(frame.voice.phrases).owed(systems),
        cast=[rows[path] for path in _cast(known, rows)][:FACES],
        open_threads=[
            (rows[path], _first_note(frame, one)) for path, one in of_threads if not _is_closed(one)
        ],
        closed_threads=[rows[path] for path, one in of_threads if _is_closed(one)],
        places=list(_places(evenings, known, rows)),
        pictures=a.PICTURES,
        **told,
    )


def _cast(known: Mapping[str, a.Known], rows: Mapping[str, SortRow]) -> list[str]:
    """Returns the paths of characters: those of players first, then those with a portrait."""
    people = {
        path: one for path, one in known.items() if isinstance(one, PersonKnown) and one.role == "character"
    }
    return sorted(people, key=lambda path: (not people[path].played_by, rows[path].portrait is None))


def _is_closed(one: a.Known) -> bool:
    return isinstance(one, MatterKnown) and one.closed is not None


def _first_note(frame: PageFrame, one: a.Known) -> str:
    """Returns the note with which a thread was opened; empty if it has none."""
    noted = (entry.text for entry in one.notes if entry.text) if isinstance(one, MatterKnown) else iter(())
    return frame.letter(brief([next(noted, "")]))


def _places(
    evenings: Sequence[SessionPage], known: Mapping[str, a.Known], rows: Mapping[str, SortRow]
) -> Iterator[Place]:
    """Yields the places of the story: who acts in a scene with its name, or is named beside it."""
    places = Names({path: one.names for path, one in known.items() if one.kind == "place"})
    people = Names({path: one.names for path, one in known.items() if one.kind == "person"})
    there: dict[str, tuple[dict[str, None], set[int]]] = {}
    for evening in evenings:
        for scene in evening.told.scenes:
            of_scene = places.named(scene.title or "")
            for paragraph in scene.paragraphs():
                named = f"{paragraph.speaker or ''}: {paragraph.text}"
                beside = places.named(paragraph.text)
                for place in sorted(of_scene | beside):
                    met, sessions = there.setdefault(place, ({}, set()))
                    met |= dict.fromkeys(people.named(named if place in beside else paragraph.speaker or ""))
                    sessions.add(evening.told.head.session or 0)
    for path, row in rows.items():
        if path in there:
            met, sessions = there[path]
            yield Place(row, [rows[one] for one in rows if one in met], session_ranges(sessions - {0}))


def _played(frame: PageFrame, evenings: Sequence[SessionPage]) -> Iterator[str]:
    """Yields texts for the contents page: dates of play, systems, and the latest game master."""
    dates = sorted(session.date for session in evenings if session.date)
    if dates and dates[0] != dates[-1]:
        yield frame.say("page.from-to", first=frame.day(dates[0]), last=frame.day(dates[-1]))
    else:
        yield from map(frame.day, dates[:1])
    yield from dict.fromkeys(system for session in evenings for system in session.told.head.systems)
    led = [led_by for led_by in (leaders(evening.told) for evening in reversed(evenings)) if led_by]
    run_by = Furniture(frame.voice.phrases).run_by(led[0]) if led else None
    yield from () if run_by is None else (run_by,)
