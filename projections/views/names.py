"""Names view: a style sheet of how people, threads, places and things are written in the record."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from journal.vocabulary.base import Event
from projections.mentions import Names, texts_of
from projections.reading import LineView
from projections.views.sheet import NOBODY, Row, Seen


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

    def row(self) -> Row:
        """Returns this name as a table row."""
        forms = (f"{case} {form}" for case, form in self.forms.items())
        about = [self.sort, *filter(None, (self.pronouns,)), *forms]
        counted = (f"{spelling} {times}" for spelling, times in self.written.items())
        cells = ", ".join(self.others), ", ".join(counted), self.player, ", ".join(about)
        return Row.keyed((self.name,), *(cell or NOBODY for cell in cells))


class NamesSeen(Seen, frozen=True):
    """Answer of the names view.

    JSON: `{"names": [{"name", "sort", "others", "written", "player", "pronouns", "forms"}]}`.
    """

    view = "names"
    title = "Names"
    columns = ("Name", "Other names", "Written", "Player", "About")
    names: tuple[NameSeen, ...]


def of(reading: LineView) -> NamesSeen:
    """Returns all names that the viewer of `reading` knows, people first, each sort in the record's order."""
    return NamesSeen(tuple(_seen(reading)))


def _seen(reading: LineView) -> Iterator[NameSeen]:
    table = reading.table
    people = {who.id: who for who in table.everybody() if who.role not in ("gm", "player")}
    known: dict[int | str, tuple[str, ...]] = {
        id_: names for id_, names in table.names().items() if id_ in people
    }
    matters = {f"matter {matter.opened}": matter for matter in table.every_matter()}
    known |= {key: matter.names for key, matter in matters.items()}
    written = _written(reading, Names(known))
    for id_, who in people.items():
        if who.name.text is not None:
            name, *others = known[id_]
            player = None if who.player is None else table.shown(who.player)
            pronouns = None if who.pronouns is None else who.pronouns.text
            yield NameSeen(
                name, who.role, tuple(others), written[id_], player, pronouns, dict(who.forms_by_case)
            )
    for key, matter in matters.items():
        if matter.name.text is not None:
            name, *others = known[key]
            yield NameSeen(name, matter.sort, tuple(others), written[key])


def _written(reading: LineView, names: Names[int | str]) -> Mapping[int | str, Mapping[str, int]]:
    """Returns how often each spelling of each name stands in texts, the most frequent first."""
    found: dict[int | str, Counter[str]] = defaultdict(Counter)
    for recorded in reading.recorded():
        if isinstance(recorded.event, Event):
            for text in texts_of(recorded.event):
                for mention in names.found(text):
                    found[mention.of][text[mention.start : mention.end]] += 1
    told = {of: dict(spellings.most_common()) for of, spellings in found.items()}
    return defaultdict(dict, told)
