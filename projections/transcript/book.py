"""A whole line as a book: every session a chapter, and an index of who and what is in which."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Final, Literal

from msgspec.structs import replace

from journal.capabilities import HasThings
from journal.names import ARTICLES, fold
from journal.store.folding import plain
from journal.store.progress import Progress
from journal.table import Table
from projections import pages
from projections.prose import Voice, voice_of
from projections.prose.lettering import letter
from projections.reading import Reading
from projections.transcript.finishing import Keep
from projections.transcript.making import ByMany, of_range
from projections.transcript.meeting import Met

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
    by_many: ByMany | None = None,
) -> pages.Transcript:
    """All that is read, as its reader may know it; Refused if there is no such voice.

    `told` hears now and then how many positions are done; `keep` takes each scene, and `by_many` may have it
    told in parts, as of a range.
    """
    found = Met()
    book = of_range(
        reading,
        voice=voice,
        lang=lang,
        variations=variations,
        ribbon=ribbon,
        told=told,
        also=found.hear,
        keep=keep,
        by_many=None if by_many is None else partial(by_many, met=found),
    )
    entries = sorted(
        _entries(found, reading.table), key=lambda one: (one.kind, _in_order(one.name, book.lang))
    )
    set_ = letter(voice_of(voice))
    return replace(book, index=tuple(replace(one, name=set_(one.name)) for one in entries))


# --- who and what is where --------------------------------------------------------------------------------


def _entries(met: Met, table: Table) -> Iterator[pages.Entry]:
    """People by the names they bear at the end; players and game masters are in no story."""
    found: dict[int | str, tuple[dict[int, None], dict[str, None]]] = {}
    for one, there in met.sessions.items():
        known = found.setdefault(one if isinstance(one, str) else table.whose(one), ({}, {}))
        known[0].update(there)
        known[1].update(met.scenes.get(one, {}))
    for one, (sessions, scenes) in found.items():
        where = tuple(sorted(sessions)), tuple(scenes)
        if isinstance(one, str):
            yield pages.Entry(met.names[one], "place", *where)
        elif table.people[one].role not in ("player", "gm"):
            kind: Literal["person", "thing"] = "person" if _is_person(table, one) else "thing"
            yield pages.Entry(table.people[one].called, kind, *where)


def _is_person(table: Table, one: int) -> bool:
    """True for who was cast as somebody; a side of a conflict may be a fog, a crowd, a whole phrase."""
    somebody = table.people[one]
    is_side = somebody.role == "side" and somebody.player is None and somebody.text is None
    shelves = (shelf for shelf in table.shelves.values() if isinstance(shelf, HasThings))
    return not is_side and all(one not in shelf.things() for shelf in shelves)


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
