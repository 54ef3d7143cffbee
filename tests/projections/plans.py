"""Plans and states made up for the tests of maps and stress."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from retold.journal.capabilities import Border, InPlay, Passing, Picture, Plan, Row, Zone
from retold.journal.table import OpenConflict, Somebody, Table
from retold.journal.vocabulary.base import Words

Ends = tuple[str, str]

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "]]></svg><h1>owned</h1>",
    "&lt;b&gt; &amp; &#60; \\N \\G \\n",
    "{{ 7*7 }}{% raw %}",
    "\x1b[31mred\x1b]0;x\x07",
    "\u202egnp.exe \u2066a\u2069 \u200bzero \ud83d \ufffe \x00",
    "two\nlines\r\nand\ttab",
    "ユニコード 馬の騎士 🎲👩\u200d🚀 e\u0301 شب",
    "1. item",
    "- item [[note]] ![[embed]] `code` **bold**",
    'end; z1 --- z2["x"]',
    "\u0301\u0301 begins with a mark",
    "x" * 300,
    "W" * 40,
    " ",
]
"""Names somebody could type."""

texts = st.one_of(st.sampled_from(HOSTILE), st.text(min_size=1, max_size=60))


def passing(*values: int | tuple[str, int]) -> tuple[Passing, ...]:
    return tuple(Passing(None, one) if isinstance(one, int) else Passing(*one) for one in values)


def border(
    one: str, other: str, *there: int | tuple[str, int], back: tuple[Passing, ...] | None = None
) -> Border:
    ways = passing(*(there or (1,)))
    return Border(one, other, ways, ways if back is None else back)


def plan(
    borders: Iterable[Border] = (),
    places: Mapping[int, str] | None = None,
    *,
    zones: Sequence[str] = (),
    pins: Mapping[str, tuple[int, int]] | None = None,
    conflict: int = 1,
) -> Plan:
    """A plan of these borders; zones are named in the order given, then in that of the borders."""
    known = tuple(borders)
    names = dict.fromkeys((*zones, *(end for one in known for end in (one.one, one.other))))
    spots = tuple(Zone(name, (pins or {}).get(name)) for name in names)
    return Plan(conflict, spots, known, tuple((places or {}).items()))


@st.composite
def plans(
    draw: st.DrawFn, most: int = 12, pinned: bool = True, names: st.SearchStrategy[str] = texts
) -> Plan:
    """Any plan with up to `most` zones: some pinned, some joined, people in some."""
    zones = draw(st.lists(names, max_size=most, unique=True))
    spots = st.tuples(st.integers(-4, 4), st.integers(-4, 4))
    pins = draw(st.dictionaries(st.sampled_from(zones), spots)) if zones and pinned else {}
    pairs = [(one, other) for number, one in enumerate(zones) for other in zones[:number]]
    joined = draw(st.lists(st.sampled_from(pairs), max_size=most + 6, unique=True)) if pairs else []
    values = st.lists(st.one_of(st.integers(0, 9), st.tuples(names, st.integers(0, 9))), max_size=3)
    borders = [Border(*ends, passing(*draw(values)), passing(*draw(values)), *draw(HARM)) for ends in joined]
    places = draw(st.dictionaries(st.integers(0, 9), st.sampled_from(zones))) if zones else {}
    return plan(borders, places, zones=zones, pins=pins)


HARM = st.sampled_from([(None, ()), (3, ()), (4, (1, 3))])

PEOPLE = {0: "gm", 1: "Gatto", 2: "Jade", 3: "Hargan", 4: "Switch", 5: "daemon"}


def name(person: int) -> str:
    return PEOPLE.get(person, f"somebody ({person})")


def hostile(person: int) -> str:
    """A name nobody should have."""
    return HOSTILE[person % len(HOSTILE)]


@dataclass
class Mapped:
    """A conflict's state that knows nothing but its map."""

    seen: Plan

    def plan(self) -> Plan:
        return self.seen


def strain(  # noqa: PLR0917 -- as they stand on a sheet
    who: int, track: str, marked: tuple[int, ...], most: int, own: int, by: int | None = None
) -> Row:
    """A track of stress; its own threshold is another while somebody defends it."""
    return Row(who, track, len(marked), most, Picture.STRESS, boxes=marked, by=by, reverts=own)


def slot(who: int, severity: str, worth: int, aspect: str | None) -> Row:
    """A slot for a consequence, and the aspect in it."""
    return Row(who, severity, worth, picture=Picture.SLOT, words=(aspect,))


@dataclass
class Strained:
    """A shelf that knows nothing but stress."""

    tracks: list[Row] = field(default_factory=list)
    slots: list[Row] = field(default_factory=list)
    aspects: list[InPlay] = field(default_factory=list)

    def rows(self) -> Iterator[Row]:
        return iter([*self.tracks, *self.slots])

    def aspects_in_play(self) -> Iterator[InPlay]:
        return iter(self.aspects)


def table(*plans_: Plan, stress: Strained | None = None, addressed: int | None = None) -> Table:
    """A table with a conflict for each plan."""
    people = {id_: Somebody(id_, Words(called), "character") for id_, called in PEOPLE.items()}
    conflicts = {
        one.conflict: OpenConflict(
            one.conflict,
            "bruise",
            ((1, 2), (3,)),
            {},
            Words(f"Out by stair {one.conflict}"),
            None,
            1,
            Mapped(one),
        )
        for one in plans_
    }
    shelves: dict[str, object] = {} if stress is None else {"made-up": stress}
    return Table(people=people, conflicts=conflicts, shelves=shelves, addressed=addressed)
