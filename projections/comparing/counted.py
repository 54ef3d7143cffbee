"""What changed in what the games count, in sentences, whichever game it is and whatever it counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from journal.capabilities import Picture, Row
from journal.table import Table
from journal.vocabulary.base import GM
from projections.prose.phrases import Phrases
from projections.views.rows import Kept, rows


class Told(NamedTuple):
    """A sentence, and whom it is about, or the name of a thing."""

    about: int | str
    sentence: str


class Wording(Struct, frozen=True):
    """What people and things are called in sentences about a table, and the words of a voice."""

    table: Table
    phrases: Phrases

    def name(self, person: int) -> str:
        """What somebody is called inside a sentence."""
        return self.table.shown(person, self.phrases.say("names.gm"))

    def who(self, about: int | str) -> str:
        """The same at the beginning of a sentence; a thing by its name."""
        if isinstance(about, str):
            return about
        name = self.name(about)
        return f"{name[:1].upper()}{name[1:]}" if about == GM else name

    def boxes(self, marked: Sequence[int]) -> str:
        """How many boxes that is; which ones, where they are not the first."""
        if tuple(marked) == tuple(range(1, len(marked) + 1)):
            return str(len(marked))
        return self.phrases.say("changed.boxes", number=len(marked), boxes=list(map(str, marked)))


def more(these: Iterable[str | None], than: Iterable[str | None]) -> list[str]:
    """The texts of `these` that are not, or not as often, among the others."""
    left = Counter(these) - Counter(than)
    return [one for one in left.elements() if one is not None]


class Pair(NamedTuple):
    """A row as it was and as it is; None where there was or is none."""

    system: str
    was: Row | None
    now: Row | None

    @property
    def row(self) -> Row:
        """What both say it is."""
        either = self.now or self.was
        assert either is not None  # noqa: S101 -- a pair is made of at least one
        return either

    @property
    def values(self) -> tuple[int, int]:
        """How much it was and is, of what is not there nothing."""
        was, now = (0 if one is None else one.value for one in (self.was, self.now))
        return was, now


def pairs(before: Table, after: Table) -> Iterator[Pair]:
    """Every row but slots, picture by picture; those of a conflict that is over go without a word."""
    old, new = ({_key(one): one for one in rows(table)} for table in (before, after))
    for key in sorted(dict.fromkeys((*new, *old)), key=lambda key: _ORDER.get(key[0], len(_ORDER))):
        was, now = old.get(key), new.get(key)
        over = now is None and was is not None and was.conflict and was.conflict.id not in after.conflicts
        if key[0] is not Picture.SLOT and not over:
            yield Pair(key[1], None if was is None else was.row, None if now is None else now.row)


def mosts(before: Table, after: Table) -> Iterator[tuple[int | str | None, str, str]]:
    """Whose points or health may come to another number: whose, and both numbers as a sheet shows them."""
    for pair in pairs(before, after):
        was, now = pair.was, pair.now
        if was is not None and now is not None and now.picture in (Picture.POINTS, Picture.HEALTH):
            yield pair.row.who, str(was.most), str(now.most)


def _key(kept: Kept) -> tuple[Picture, str, int | None, int | str | None, str]:
    conflict = None if kept.conflict is None else kept.conflict.id
    return kept.row.picture, kept.system, conflict, kept.row.who, kept.row.what


_ORDER: Final = {
    picture: at
    for at, picture in enumerate((Picture.POINTS, Picture.HEALTH, Picture.STRESS, Picture.FALLOUT))
}
"""What is told first; anything else a game counts comes after."""


class Counted(Struct, frozen=True):
    """The words for what differs in what is counted."""

    wording: Wording

    def told(self, before: Table, after: Table) -> Iterator[Told]:
        """Every difference, of somebody, of a thing or of what is nobody's."""
        tellers: dict[Picture, Callable[[int | str, Pair], Iterator[Told]]] = {
            Picture.POINTS: self._points,
            Picture.HEALTH: self._health,
            Picture.STRESS: self._stress,
            Picture.FALLOUT: self._fallout,
        }
        for pair in pairs(before, after):
            teller = tellers.get(pair.row.picture)
            if teller is None or pair.row.who is None:
                yield from self._track(pair)
            else:
                yield from teller(pair.row.who, pair)

    def _named(self, pair: Pair, number: int | None = None) -> str:
        return self.wording.phrases.named(pair.system, pair.row.what, number)

    # --- points and health ---

    def _points(self, whose: int | str, pair: Pair) -> Iterator[Told]:
        dealt = None if pair.now is None else pair.now.given
        was = dealt if pair.was is None else pair.was.value
        yield from self._number(whose, pair, was, None if pair.now is None else pair.now.value)
        yield from self._most(whose, pair)

    def _health(self, whose: int | str, pair: Pair) -> Iterator[Told]:
        was, now = pair.was, pair.now
        if was is None and now is not None and now.out and now.most is not None:
            was = now._replace(value=now.most, out=False)  # counted first in this stretch
        if was is not None and now is not None and was.out != now.out:
            yield self._in_or_out(whose, pair, was, now)
        else:
            values = (None if one is None else one.value for one in (was, now))
            yield from self._number(whose, pair, *values)
        yield from self._most(whose, pair)

    def _in_or_out(self, whose: int | str, pair: Pair, was: Row, now: Row) -> Told:
        say, who, named = self.wording.phrases.say, self.wording.who(whose), self._named(pair)
        if now.out:
            return Told(whose, say("changed.out", who=who, what=named, was=was.value, now=now.value))
        return Told(whose, say("changed.in-again", who=who, what=named, was=was.value, now=now.value))

    def _number(self, whose: int | str, pair: Pair, was: int | None, now: int | None) -> Iterator[Told]:
        say, who = self.wording.phrases.say, self.wording.who(whose)
        if was is not None and now is not None and was != now:
            yield Told(whose, say("changed.number", who=who, what=self._named(pair), was=was, now=now))
        elif was is None and now:
            yield Told(whose, say("changed.number-given", who=who, what=self._named(pair, now), now=now))
        elif now is None and was:
            yield Told(whose, say("changed.number-gone", who=who, what=self._named(pair)))

    def _most(self, whose: int | str, pair: Pair) -> Iterator[Told]:
        was, now = (None if one is None else one.most for one in (pair.was, pair.now))
        if was is not None and now is not None and was != now:
            who, named = self.wording.who(whose), self._named(pair, now)
            said = self.wording.phrases.say("changed.most", who=who, what=named, was=was, now=now)
            yield Told(whose, said)

    # --- what somebody bears ---

    def _stress(self, whose: int | str, pair: Pair) -> Iterator[Told]:
        was, now = (() if one is None else one.marked for one in (pair.was, pair.now))
        if was != now:
            said = self.wording.phrases.say(
                "changed.stress",
                who=self.wording.who(whose),
                track=self._named(pair),
                was=self.wording.boxes(was),
                now=self.wording.boxes(now),
            )
            yield Told(whose, said)

    def _fallout(self, whose: int | str, pair: Pair) -> Iterator[Told]:
        who, (was, now) = self.wording.who(whose), pair.values
        if was != now:
            said = self.wording.phrases.say(
                "changed.fallout", who=who, track=self._named(pair), was=was, now=now, boxes=pair.row.most
            )
            yield Told(whose, said)
        yield from (Told(whose, said) for said in self._conditions(who, pair))

    def _conditions(self, who: str, pair: Pair) -> Iterator[str]:
        say = self.wording.phrases.say
        old, new = (() if one is None else one.words for one in (pair.was, pair.now))
        for wording in more(new, old):
            yield say("changed.condition", who=who, wording=wording)
        for row, named in enumerate(new[len(old) :], len(old) + 1):
            if named is None:
                yield say("changed.row", who=who, row=row, track=self._named(pair))
        for wording in more(old, new):
            yield say("changed.recovered", who=who, wording=wording)

    # --- anything else ---

    def _track(self, pair: Pair) -> Iterator[Told]:
        was, now = pair.was, pair.now
        is_new = was is None and not pair.row.value
        if is_new or (was and now and _stood(was) == _stood(now)):
            return
        whose, named = pair.row.who, self._named(pair, pair.row.value)
        if whose is None:
            named = f"{named[:1].upper()}{named[1:]}"
        said = self.wording.phrases.say(
            "changed.track",
            who=None if whose is None else self.wording.who(whose),
            what=named,
            was=None if was is None else self._stands(was),
            now=None if now is None else self._stands(now),
            most=pair.row.most,
            out=bool(now and now.out),
        )
        yield Told(named if whose is None else whose, said)

    def _stands(self, row: Row) -> str:
        return str(row.value) if row.boxes is None else self.wording.boxes(row.boxes)


def _stood(row: Row) -> tuple[object, ...]:
    return row.value, row.most, row.boxes, row.out
