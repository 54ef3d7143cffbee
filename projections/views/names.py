"""Names view: a style sheet of how people, threads, places and things are written, and perhaps misspelt."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from retold.journal.vocabulary.base import Event
from retold.projections.reading import LineView
from retold.projections.views.mentions import Names, texts_of
from retold.projections.views.sheet import NOBODY, Row, Seen


class NameSeen(NamedTuple):
    """Name of a person, thread, place or thing, with its variants.

    `written` counts each spelling in the texts of the record, other names included.
    """

    name: str
    sort: str
    """`character`, `side` or another role of a person; `thread`, `place` or `thing`."""
    others: tuple[str, ...]
    """Aliases, then former names."""
    written: Mapping[str, int]
    player: str | None = None
    pronouns: str | None = None
    forms: Mapping[str, str] = MappingProxyType({})
    """Forms of the name, by case such as `acc`."""
    doubtful: Mapping[str, int] = MappingProxyType({})
    """Words of texts that may be the name misspelt: rare ones, a letter or two away; with their counts."""

    def row(self) -> Row:
        """Returns this name as a table row."""
        forms = (f"{case} {form}" for case, form in self.forms.items())
        about = [self.sort, *filter(None, (self.pronouns,)), *forms]
        counted = (f"{spelling} {times}" for spelling, times in self.written.items())
        doubtful = (f"{spelling} {times}" for spelling, times in self.doubtful.items())
        cells = (
            ", ".join(self.others),
            ", ".join(counted),
            ", ".join(doubtful),
            self.player,
            ", ".join(about),
        )
        return Row.keyed((self.name,), *(cell or NOBODY for cell in cells))


class NamesSeen(Seen, frozen=True):
    """Answer of the names view.

    JSON: `{"names": [{"name", "sort", "others", "written", "player", "pronouns", "forms", "doubtful"}]}`.
    """

    view = "names"
    title = "Names"
    columns = ("Name", "Other names", "Written", "Misspelt?", "Player", "About")
    names: tuple[NameSeen, ...]


def of(reading: LineView, after: int = 0) -> NamesSeen:
    """Returns all names that the viewer of `reading` knows, people first, each sort in the record's order.

    Spellings are counted past position `after` only.
    """
    return NamesSeen(tuple(_seen(reading, after)))


def _seen(reading: LineView, after: int) -> Iterator[NameSeen]:
    table = reading.table
    people = {who.id: who for who in table.everybody() if who.role not in ("gm", "player")}
    known: dict[int | str, tuple[str, ...]] = {
        id_: names for id_, names in table.names().items() if id_ in people
    }
    matters = {f"matter {matter.opened}": matter for matter in table.every_matter()}
    known |= {key: matter.names for key, matter in matters.items()}
    written, words = _written(reading, Names(known), after)
    doubtful = _doubtful({of: (names, written[of]) for of, names in known.items()}, words)
    for id_, who in people.items():
        if who.name.text is not None:
            name, *others = known[id_]
            player = None if who.player is None else table.shown(who.player)
            pronouns = None if who.pronouns is None else who.pronouns.text
            yield NameSeen(
                name,
                who.role,
                tuple(others),
                written[id_],
                player,
                pronouns,
                dict(who.forms_by_case),
                doubtful.get(id_, {}),
            )
    for key, matter in matters.items():
        if matter.name.text is not None:
            name, *others = known[key]
            yield NameSeen(name, matter.sort, tuple(others), written[key], doubtful=doubtful.get(key, {}))


def _written(
    reading: LineView, names: Names[int | str], after: int
) -> tuple[Mapping[int | str, Mapping[str, int]], Mapping[str, int]]:
    """Returns how often each spelling of each name occurs in texts, and each other word with a capital.

    The most frequent spelling comes first. Words that stand in small letters too are not names.
    """
    found: dict[int | str, Counter[str]] = defaultdict(Counter)
    capitals, small = Counter[str](), set[str]()
    for recorded in reading.recorded(after):
        if isinstance(recorded.event, Event):
            for text in texts_of(recorded.event):
                at, rest = 0, ""
                for mention in names.found(text):
                    found[mention.of][text[mention.start : mention.end]] += 1
                    rest, at = f"{rest}{text[at : mention.start]} ", mention.end
                words = _WORD.findall(f"{rest}{text[at:]}")
                capitals.update(word for word in words if word[0].isupper())
                small.update(word for word in words if word[0].islower())
    told = {of: dict(spellings.most_common()) for of, spellings in found.items()}
    others = {word: times for word, times in capitals.items() if word.lower() not in small}
    return defaultdict(dict, told), others


_WORD: Final = re.compile(r"[^\W\d_]+")
_SHORTEST: Final = 4
"""Letters of a name below which any other word may be near it."""
_LONG: Final = 7
"""Letters from which two of a name may be wrong."""
_RARE: Final = 3
"""A name is written so many times as often as a misspelling of it, or more."""


def _doubtful(
    known: Mapping[int | str, tuple[Sequence[str], Mapping[str, int]]], words: Mapping[str, int]
) -> dict[int | str, dict[str, int]]:
    """Returns words that may be names misspelt, by whose name it is: rare, and one letter away, or two.

    A word near several names is that of the nearest.
    """
    from rapidfuzz.distance import OSA  # noqa: PLC0415 -- slow to load, and this view alone needs it

    parts = {
        (of, part)
        for of, (names, written) in known.items()
        for name in names
        for part in _WORD.findall(name)
        if len(part) >= _SHORTEST and part[0].isupper() and sum(written.values()) >= _RARE
    }
    found: dict[int | str, dict[str, int]] = {}
    for word, times in sorted(words.items()):
        near = [
            (distance, str(of), part, of)
            for of, part in parts
            if times * _RARE <= sum(known[of][1].values())
            and 0 < (distance := OSA.distance(word, part)) <= 1 + (len(part) >= _LONG)
            and not _is_form(word, part)
        ]
        if near:
            found.setdefault(min(near)[3], {})[word] = times
    return found


def _is_form(word: str, name: str) -> bool:
    """True if a word is the name with an ending, such as a plural or a genitive: `Eels`, `Zels`."""
    short, long = sorted((word, name), key=len)
    return long.startswith(short) and long != short
