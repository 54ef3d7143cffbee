"""A whole line as a book: every session a chapter, and an index of who and what is in which."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from journal.capabilities import HasThings
from journal.names import ARTICLES, fold
from journal.store.folding import plain
from journal.store.progress import Progress
from journal.table import Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from projections import pages
from projections.prose import Voice, voice_of
from projections.prose.lettering import letter
from projections.reading import Moment, Reading
from projections.transcript.attendance import done_to, people_in
from projections.transcript.finishing import Keep
from projections.transcript.making import of_range
from projections.views.map import plans

_WORD: Final = re.compile(r"\d+|[^\W\d_]+")


def of_line(
    reading: Reading,
    *,
    voice: Voice | str = "report",
    lang: str | None = None,
    variations: bool = False,
    ribbon: bool = False,
    told: Progress | None = None,
    keep: Keep | None = None,
) -> pages.Transcript:
    """All that is read, as its reader may know it; Refused if there is no such voice.

    `told` hears now and then how many positions are done; `keep` takes each scene, as of a range.
    """
    found = _Found()
    book = of_range(
        reading,
        voice=voice,
        lang=lang,
        variations=variations,
        ribbon=ribbon,
        told=told,
        also=found.hear,
        keep=keep,
    )
    entries = sorted(found.entries(reading.table), key=lambda one: (one.kind, _in_order(one.name, book.lang)))
    set_ = letter(voice_of(voice))
    return replace(book, index=tuple(replace(one, name=set_(one.name)) for one in entries))


# --- who and what is where --------------------------------------------------------------------------------


@dataclass(slots=True)
class _Found:
    """Hears moments in order, and keeps where somebody or somewhere was met: by id, or by folded name."""

    scene: str | None = None
    chores: str | None = None
    names: dict[str, str] = field(default_factory=dict)
    sessions: dict[int | str, dict[int, None]] = field(default_factory=dict)
    scenes: dict[int | str, dict[str, None]] = field(default_factory=dict)

    def hear(self, moment: Moment) -> None:
        """Everybody and everywhere in one moment."""
        event, session = moment.event, moment.table.session
        if isinstance(event, e.SessionOpened):
            self.scene, self.chores = None, moment.envelope.act
        elif isinstance(event, e.SceneSet):
            self.scene = f"s{event.scene}"
        if session is None or self.chores == moment.envelope.act:
            return
        met: list[int | str] = [*_present(event), *map(self.place, _places(moment))]
        for one in met:
            self.sessions.setdefault(one, {})[session] = None
            if self.scene is not None:
                self.scenes.setdefault(one, {})[self.scene] = None

    def place(self, name: str) -> str:
        """What a place is known by, however it is written; it is shown as it was first written."""
        self.names.setdefault(fold(name), name)
        return fold(name)

    def entries(self, table: Table) -> Iterator[pages.Entry]:
        """People by the names they bear at the end; players and game masters are in no story."""
        found: dict[int | str, tuple[dict[int, None], dict[str, None]]] = {}
        for met, there in self.sessions.items():
            known = found.setdefault(met if isinstance(met, str) else table.whose(met), ({}, {}))
            known[0].update(there)
            known[1].update(self.scenes.get(met, {}))
        for one, (sessions, scenes) in found.items():
            where = tuple(sorted(sessions)), tuple(scenes)
            if isinstance(one, str):
                yield pages.Entry(self.names[one], "place", *where)
            elif table.people[one].role not in ("player", "gm"):
                kind: Literal["person", "thing"] = "person" if _is_person(table, one) else "thing"
                yield pages.Entry(table.people[one].called, kind, *where)


def _is_person(table: Table, one: int) -> bool:
    """True for who was cast as somebody; a side of a conflict may be a fog, a crowd, a whole phrase."""
    somebody = table.people[one]
    is_side = somebody.role == "side" and somebody.player is None and somebody.text is None
    shelves = (shelf for shelf in table.shelves.values() if isinstance(shelf, HasThings))
    return not is_side and all(one not in shelf.things() for shelf in shelves)


def _present(event: Event) -> Iterator[int]:
    """The people an event speaks of, unless it is of an earlier evening."""
    told_later = isinstance(event, e.ToldLater) and event.about is not None
    if not told_later:
        yield from people_in(event)
        yield from done_to(event)


def _places(moment: Moment) -> Iterator[str]:
    """Where a scene is set, and the places of the map a moment is played on."""
    event = moment.event
    if isinstance(event, e.SceneSet) and event.title.text is not None:
        where = event.title.text.partition(",")[0].strip()
        if fold(where):
            yield where
    if getattr(event, "conflict", None) is not None:
        for _, plan in plans(moment.table):
            yield from (zone.name for zone in plan.zones)


# --- the order of an index --------------------------------------------------------------------------------


def _in_order(name: str, lang: str) -> tuple[list[tuple[int, int, str]], str]:
    """Where a name stands: word by word, without regard to case, accents, signs and an article before it.

    Numbers stand before letters, and each by its size: Deck 2 before Deck 10.
    """
    articles = ARTICLES.get(lang.partition("-")[0].lower(), frozenset())
    letters = "".join(map(plain, fold(name)))
    words = _WORD.findall(letters if "l" in articles else letters.replace("'", ""))
    if len(words) > 1 and words[0] in articles:
        del words[0]
    return [_key(word) for word in words], name


def _key(word: str) -> tuple[int, int, str]:
    if word.isdecimal():
        digits = word.lstrip("0")
        return 0, len(digits), digits
    return 1, 0, word
