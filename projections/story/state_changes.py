"""Changes between two table states, as sentences: newcomers, renamed people, counters, aspects, sheets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from retold.journal.capabilities import Picture, Row
from retold.journal.shared.people import bare_purse_of
from retold.journal.table import Table
from retold.journal.vocabulary.base import GM
from retold.projections.prose.phrases import Phrases
from retold.projections.views import balance, stress, table_changes
from retold.projections.views.cast import differences, sheet_changes
from retold.projections.views.rows import Kept, of_people, rows
from retold.projections.views.sheet import Change


class ChangeSentence(NamedTuple):
    """Sentence about one change; `about` is a person's number, or the name of a thing or conflict."""

    about: int | str
    sentence: str
    names_player: bool = False
    """True for a sentence on who plays a person."""


class Wording(Struct, frozen=True):
    """Names of the people in a table state, worded with a voice's phrases."""

    table: Table
    phrases: Phrases

    def name(self, person: int) -> str:
        """Returns a person's name for use inside a sentence."""
        shown, known = self.table.shown(person, self.phrases.say("names.gm")), self.table.people.get(person)
        return known.named if known is not None and known.called == shown else shown

    def who(self, about: int | str) -> str:
        """Returns the name of person `about` to begin a sentence with; `about` itself if it is text."""
        if isinstance(about, str):
            return about
        name = self.name(about)
        return f"{name[:1].upper()}{name[1:]}" if about == GM else name

    def boxes(self, marked: Sequence[int]) -> str:
        """Returns the number of marked boxes as text, with their positions unless they are the first."""
        if tuple(marked) == tuple(range(1, len(marked) + 1)):
            return str(len(marked))
        return self.phrases.say("changed.boxes", number=len(marked), boxes=list(map(str, marked)))


def added_texts(these: Iterable[str | None], than: Iterable[str | None]) -> list[str]:
    """Returns the texts of `these` that `than` lacks, or holds less often; None is left out."""
    left = Counter(these) - Counter(than)
    return [text for text in left.elements() if text is not None]


class Pair(NamedTuple):
    """One row (a person's counter, track or condition) in two table states; None where it does not exist."""

    system: str
    was: Row | None
    now: Row | None

    @property
    def row(self) -> Row:
        """The row in the later state, or in the earlier one if it no longer exists."""
        either = self.now or self.was
        assert either is not None  # noqa: S101 -- a pair is made of at least one
        return either

    @property
    def values(self) -> tuple[int, int]:
        """The row's values in the earlier and later state; 0 where it does not exist."""
        was, now = (0 if row is None else row.value for row in (self.was, self.now))
        return was, now


def pairs(before: Table, after: Table) -> Iterator[Pair]:
    """Yields each row of two table states as a pair, ordered by how rows are drawn (points, health, …).

    Slots for consequences and rows of finished conflicts are skipped.
    """
    old, new = ({_key(kept): kept for kept in rows(table)} for table in (before, after))
    for key in sorted(dict.fromkeys((*new, *old)), key=lambda key: _ORDER.get(key[0], len(_ORDER))):
        was, now = old.get(key), new.get(key)
        over = now is None and was is not None and was.conflict and was.conflict.id not in after.conflicts
        if key[0] is not Picture.SLOT and not over:
            yield Pair(key[1], None if was is None else was.row, None if now is None else now.row)


def _key(kept: Kept) -> tuple[Picture, str, int | None, int | str | None, str]:
    conflict = None if kept.conflict is None else kept.conflict.id
    return kept.row.picture, kept.system, conflict, kept.row.who, kept.row.what


_ORDER: Final = {
    picture: at
    for at, picture in enumerate((Picture.POINTS, Picture.HEALTH, Picture.STRESS, Picture.FALLOUT))
}
"""Order of telling; other pictures come after these."""


class CounterWords(Struct, frozen=True):
    """Writer of sentences about changed counters: points, health, stress, fallout, tracks."""

    wording: Wording

    def told(self, changed: Iterable[Pair]) -> Iterator[ChangeSentence]:
        """Yields a sentence for each counter that differs between its two states, of any owner."""
        tellers: dict[Picture, Callable[[int | str, Pair], Iterator[ChangeSentence]]] = {
            Picture.POINTS: self._points,
            Picture.HEALTH: self._health,
            Picture.STRESS: self._stress,
            Picture.FALLOUT: self._fallout,
        }
        for pair in changed:
            teller = tellers.get(pair.row.picture)
            if teller is None or pair.row.who is None:
                yield from self._track(pair)
            else:
                yield from teller(pair.row.who, pair)

    def _named(self, pair: Pair, number: int | None = None) -> str:
        return self.wording.phrases.named(pair.system, pair.row.what, number)

    # --- points and health ---

    def _points(self, whose: int | str, pair: Pair) -> Iterator[ChangeSentence]:
        dealt = None if pair.now is None else pair.now.given
        was = dealt if pair.was is None else pair.was.value
        yield from self._number(whose, pair, was, None if pair.now is None else pair.now.value)
        yield from self._most(whose, pair)

    def _health(self, whose: int | str, pair: Pair) -> Iterator[ChangeSentence]:
        was, now = pair.was, pair.now
        if was is None and now is not None and now.out and now.most is not None:
            was = replace(now, value=now.most, out=False)  # the row is new in this part of the line
        if was is not None and now is not None and was.out != now.out:
            yield self._in_or_out(whose, pair, was, now)
        else:
            values = (None if row is None else row.value for row in (was, now))
            yield from self._number(whose, pair, *values)
        yield from self._most(whose, pair)

    def _in_or_out(self, whose: int | str, pair: Pair, was: Row, now: Row) -> ChangeSentence:
        say, who, named = self.wording.phrases.say, self.wording.who(whose), self._named(pair)
        if now.out:
            return ChangeSentence(
                whose, say("changed.out", who=who, what=named, was=was.value, now=now.value)
            )
        return ChangeSentence(
            whose, say("changed.in-again", who=who, what=named, was=was.value, now=now.value)
        )

    def _number(
        self, whose: int | str, pair: Pair, was: int | None, now: int | None
    ) -> Iterator[ChangeSentence]:
        say, who = self.wording.phrases.say, self.wording.who(whose)
        if was is not None and now is not None and was != now:
            yield ChangeSentence(
                whose, say("changed.number", who=who, what=self._named(pair), was=was, now=now)
            )
        elif was is None and now:
            yield ChangeSentence(
                whose, say("changed.number-given", who=who, what=self._named(pair, now), now=now)
            )
        elif now is None and was:
            yield ChangeSentence(whose, say("changed.number-gone", who=who, what=self._named(pair)))

    def _most(self, whose: int | str, pair: Pair) -> Iterator[ChangeSentence]:
        was, now = (None if row is None else row.most for row in (pair.was, pair.now))
        if was is not None and now is not None and was != now:
            who, named = self.wording.who(whose), self._named(pair, now)
            said = self.wording.phrases.say("changed.most", who=who, what=named, was=was, now=now)
            yield ChangeSentence(whose, said)

    # --- wounds and conditions of a person ---

    def _stress(self, whose: int | str, pair: Pair) -> Iterator[ChangeSentence]:
        was, now = (() if row is None else row.marked for row in (pair.was, pair.now))
        if was != now:
            said = self.wording.phrases.say(
                "changed.stress",
                who=self.wording.who(whose),
                track=self._named(pair),
                was=self.wording.boxes(was),
                now=self.wording.boxes(now),
            )
            yield ChangeSentence(whose, said)

    def _fallout(self, whose: int | str, pair: Pair) -> Iterator[ChangeSentence]:
        who, (was, now) = self.wording.who(whose), pair.values
        if was != now:
            said = self.wording.phrases.say(
                "changed.fallout", who=who, track=self._named(pair), was=was, now=now, boxes=pair.row.most
            )
            yield ChangeSentence(whose, said)
        yield from (ChangeSentence(whose, said) for said in self._conditions(who, pair))

    def _conditions(self, who: str, pair: Pair) -> Iterator[str]:
        say = self.wording.phrases.say
        old, new = (() if row is None else row.words for row in (pair.was, pair.now))
        for wording in added_texts(new, old):
            yield say("changed.condition", who=who, wording=wording)
        for row, named in enumerate(new[len(old) :], len(old) + 1):
            if named is None:
                yield say("changed.row", who=who, row=row, track=self._named(pair))
        for wording in added_texts(old, new):
            yield say("changed.recovered", who=who, wording=wording)

    # --- anything else ---

    def _track(self, pair: Pair) -> Iterator[ChangeSentence]:
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
        yield ChangeSentence(named if whose is None else whose, said)

    def _stands(self, row: Row) -> str:
        return str(row.value) if row.boxes is None else self.wording.boxes(row.boxes)


def _stood(row: Row) -> tuple[object, ...]:
    return row.value, row.most, row.boxes, row.out


STORY_VIEWS: Final = frozenset({"points", "balance", "fallout", "health", "stress", "tracks"})
"""Views whose changes a story tells."""


def newcomers(before: Table, after: Table) -> tuple[str, ...]:
    """Returns the names of cast members new in `after`, without players and the party's purse."""
    new = sorted(
        {after.whose(person) for person in after.people} - before.people.keys() - {bare_purse_of(after)}
    )
    return tuple(after.name(person) for person in new if after.people[person].role != "player")


def numbers(before: Table, after: Table) -> Iterator[Change]:
    """Yields changes in cast, sheets and the views of STORY_VIEWS; values of newcomers are skipped.

    Of the cast view its sheet column is left to `sheet_changes`, which compares value by value.
    """
    new = {after.name(person) for person in after.people.keys() - before.people.keys()}
    for change in table_changes(before, after, STORY_VIEWS | {"cast"}):
        known = change.about.split(", ")[0] not in new
        is_of_cast = change.view == "cast" and change.was is not None and not change.about.endswith(", sheet")
        if known and (change.view in STORY_VIEWS or is_of_cast):
            yield change
    yield from sheet_changes(before, after)


# --- in words ---------------------------------------------------------------------------------------------


def sentences(
    before: Table, after: Table, phrases: Phrases, touched: Container[int] | None = None
) -> Iterator[str]:
    """Yields the sentences of `in_order`."""
    return (change.sentence for change in in_order(before, after, phrases, touched))


def in_order(
    before: Table, after: Table, phrases: Phrases, touched: Container[int] | None = None
) -> Iterator[ChangeSentence]:
    """Yields every change from `before` to `after` as a sentence: newcomers, players, cast, things.

    Sentences on newcomers are about no one in particular (an empty `about`).

    With `touched`, only these people are included, so that openings that change all are no news. If there was
    no cast before, newcomers are left out.
    """
    if any(person.role not in ("player", "gm") for person in before.everybody()):
        new = newcomers(before, after)
        if len(new) > 1:
            yield ChangeSentence("", phrases.say("end.joined-several", who=list(new)))
        else:
            yield from (ChangeSentence("", phrases.say("end.joined", who=name)) for name in new)
    yield from (ChangeSentence("", sentence) for sentence in _new_and_out(before, after, phrases))
    players = {GM, *(person.player for person in after.everybody())}
    order = {
        person.id: (person.role != "player" and person.id not in players, person.id)
        for person in after.everybody()
    }
    last = (True, len(order) + max(order, default=0) + 1)
    of_them = [
        change
        for change in tell_changes(before, after, phrases)
        if touched is None or isinstance(change.about, str) or change.about in touched
    ]
    of_them.sort(key=lambda change: order.get(change.about, last) if isinstance(change.about, int) else last)
    yield from of_them


def _new_and_out(before: Table, after: Table, phrases: Phrases) -> Iterator[str]:
    """Yields one sentence naming newcomers already out of play; nothing without such newcomers."""
    found = (pair.now for pair in pairs(before, after))
    out = {row.who for row in found if row is not None and row.out and isinstance(row.who, int)}
    names = [after.name(person) for person in sorted(out - before.people.keys())]
    if len(names) > 1:
        yield phrases.say("changed.out-several", who=names)
    elif names:
        yield phrases.say("changed.out", who=names[0], what="", was=0, now=0)


def tell_changes(before: Table, after: Table, phrases: Phrases) -> Iterator[ChangeSentence]:
    """Yields a sentence for each change between two table states, with the person or thing it is about."""
    return (change for change in _Differences(before, after, phrases).all() if change.sentence.strip())


class _Differences(Struct, frozen=True, dict=True):
    """Differences between two table states as sentences; those about newcomers are skipped."""

    before: Table
    after: Table
    phrases: Phrases

    @property
    def wording(self) -> Wording:
        """Names of people and things as of the later table state."""
        return Wording(self.after, self.phrases)

    @cached_property
    def _pairs(self) -> tuple[Pair, ...]:
        return tuple(pairs(self.before, self.after))

    @cached_property
    def _was(self) -> stress.Stress:
        return stress.of(self.before)

    @cached_property
    def _is(self) -> stress.Stress:
        return stress.of(self.after)

    def all(self) -> Iterator[ChangeSentence]:
        """Yields each difference: people, counters, consequences, aspects, sheets, balances."""
        for change in (
            *self._people(),
            *CounterWords(self.wording).told(self._pairs),
            *self._consequences(),
            *self._aspects(),
            *self._sheets(),
            *self._balances(),
        ):
            if isinstance(change.about, str) or change.about in self.before.people:
                yield change

    def _name(self, person: int) -> str:
        return self.wording.name(person)

    def _who(self, about: int | str) -> str:
        return self.wording.who(about)

    # --- who is who ---

    def _people(self) -> Iterator[ChangeSentence]:
        for now in self.after.everybody():
            was = self.before.people.get(now.id)
            if was is None or now.id == GM:
                continue
            if was.called != now.called:
                yield ChangeSentence(
                    now.id, self.phrases.say("changed.called", who=was.named, name=now.called)
                )
            played = (
                None if was.player is None else self.after.whose(was.player)
            )  # players may have been merged
            if now.player is not None and played != now.player:
                player = self._name(now.player)
                told = self.phrases.say("changed.played", who=now.named, player=player)
                yield ChangeSentence(now.id, told, names_player=True)
            elif was.player is not None and now.player is None:
                player = self._name(was.player)
                told = self.phrases.say("changed.unplayed", who=now.named, player=player)
                yield ChangeSentence(now.id, told, names_player=True)
            if now.text is not None and was.text != now.text:
                text = str(now.text)
                yield ChangeSentence(
                    now.id, self.phrases.say("changed.described", who=now.named, phrase=text)
                )
            elif was.text is not None and now.text is None:
                yield ChangeSentence(now.id, self.phrases.say("changed.undescribed", who=now.named))

    # --- consequences, aspects and conditions ---

    def _consequences(self) -> Iterator[ChangeSentence]:
        old, new = (_borne(table) for table in (self.before, self.after))
        altered = self._altered()
        for system, person, severity in dict.fromkeys((*new, *old)):
            was, now = (borne.get((system, person, severity), ()) for borne in (old, new))
            named = self.phrases.named(system, severity)
            for wording in added_texts(now, was):
                yield self._taken(person, wording, named, altered.get((person, wording)))
            for wording in added_texts(was, now):
                if (person, wording) not in ((each, earlier) for (each, _), earlier in altered.items()):
                    said = self.phrases.say("changed.recovered", who=self._who(person), wording=wording)
                    yield ChangeSentence(person, said)

    def _taken(self, person: int, wording: str, severity: str, was: str | None) -> ChangeSentence:
        """Returns a sentence for a new consequence; `was` is its old wording if it was only reworded."""
        found = (aspect.id for aspect in reversed(self._is.aspects) if aspect.wording == wording)
        said = self.phrases.say(
            "changed.consequence" if was is None else "changed.consequence-altered",
            who=self._who(person),
            wording=wording,
            severity=severity,
            free=self._free(self._is, next(found, None)),
            **({} if was is None else {"was": was}),
        )
        return ChangeSentence(person, said)

    def _altered(self) -> dict[tuple[int, str], str]:
        """Returns the old wordings of people's reworded aspects, by (person, new wording)."""
        before = {aspect.id: aspect.wording for aspect in self._was.aspects}
        return {
            (aspect.on.id, aspect.wording): before[aspect.id]
            for aspect in self._is.aspects
            if not isinstance(aspect.on, str) and before.get(aspect.id, aspect.wording) != aspect.wording
        }

    # --- aspects ---

    def _aspects(self) -> Iterator[ChangeSentence]:
        """Yields sentences about new, changed and removed aspects, without consequences."""
        borne = {
            wording
            for table in (self.before, self.after)
            for all_ in _borne(table).values()
            for wording in all_
        }
        old, new = (
            {aspect.id: aspect for aspect in seen.aspects if aspect.wording not in borne}
            for seen in (self._was, self._is)
        )
        for aspect in new.values():
            if aspect.id in old:
                yield from self._aspect(old[aspect.id], aspect)
            else:
                about = aspect.on if isinstance(aspect.on, str) else aspect.on.id
                free = self._free(self._is, aspect.id)
                said = self.phrases.say(
                    "changed.aspect", who=self._who(about), wording=aspect.wording, free=free
                )
                yield ChangeSentence(about, said)
        for gone in old.values():
            if gone.id not in new:
                about = gone.on if isinstance(gone.on, str) else gone.on.id
                said = self.phrases.say("changed.aspect-gone", who=self._who(about), wording=gone.wording)
                yield ChangeSentence(about, said)

    def _aspect(self, was: stress.AspectSeen, now: stress.AspectSeen) -> Iterator[ChangeSentence]:
        about = now.on if isinstance(now.on, str) else now.on.id
        on = about if isinstance(about, str) else self._name(about)
        if was.marked != now.marked:
            said = self.phrases.say(
                "changed.aspect-stress",
                who=on,
                wording=now.wording,
                was=self.wording.boxes(was.marked),
                now=self.wording.boxes(now.marked),
            )
            yield ChangeSentence(about, said)
        before, free = (self._free(seen, now.id) for seen in (self._was, self._is))
        if before != free:
            said = self.phrases.say("changed.aspect-free", who=on, wording=now.wording, free=free)
            yield ChangeSentence(about, said)

    def _free(self, seen: stress.Stress, aspect: int | None) -> list[str]:
        """Returns the free invokes of an aspect as texts, one for each holder."""
        return [
            self.phrases.say(
                "changed.free",
                number=holding.free,
                holder=None if holding.holder is None else self._name(holding.holder.id),
            )
            for holding in seen.aspects
            if holding.id == aspect and holding.free
        ]

    # --- sheets and conflicts ---

    def _sheets(self) -> Iterator[ChangeSentence]:
        counted = {
            (pair.row.who, str(pair.was.most), str(pair.now.most))
            for pair in self._pairs
            if pair.was is not None
            and pair.now is not None
            and pair.now.picture in (Picture.POINTS, Picture.HEALTH)
        }
        for difference in differences(self.before, self.after):
            if (difference.person, difference.was, difference.now) in counted:
                continue  # the change of the maximum has been told
            who = self._who(difference.person)
            what = self.phrases.named(difference.system, difference.key)
            if difference.was is None:
                said = self.phrases.say("changed.sheet-new", who=who, what=what, now=difference.now)
            elif difference.now is None:
                said = self.phrases.say("changed.sheet-gone", who=who, what=what, was=difference.was)
            else:
                said = self.phrases.say(
                    "changed.sheet", who=who, what=what, was=difference.was, now=difference.now
                )
            yield ChangeSentence(difference.person, said)

    def _balances(self) -> Iterator[ChangeSentence]:
        old, new = (
            {standing.conflict: standing for standing in balance.of_table(table).open}
            for table in (self.before, self.after)
        )
        for now in new.values():
            was = old.get(now.conflict)
            stood = None if was is None else (was.level, was.advantaged)
            if now.advantaged is not None and stood != (now.level, now.advantaged):
                said = self.phrases.say(
                    "changed.ahead",
                    conflict=now.title,
                    who=self._name(now.advantaged.id),
                    level=self.phrases.named(self.after.conflicts[now.conflict].system, now.level),
                )
                yield ChangeSentence(now.title, said)
            elif now.advantaged is None and was is not None and was.advantaged is not None:
                yield ChangeSentence(now.title, self.phrases.say("changed.even", conflict=now.title))


def _borne(table: Table) -> dict[tuple[str, int, str], tuple[str, ...]]:
    """Returns the wordings of consequences, by (system, person, severity)."""
    found: dict[tuple[str, int, str], tuple[str, ...]] = {}
    for system, person, row in of_people(table, Picture.SLOT):
        key = system, person.id, row.what
        found[key] = (*found.get(key, ()), *filter(None, row.words))
    return found
