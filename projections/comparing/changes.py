"""What changed between two tables, as far as a story cares: who joined, and the numbers of some views."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import cached_property
from typing import Final

from msgspec import Struct

from journal.capabilities import Picture
from journal.table import Table
from journal.vocabulary.base import GM
from projections.comparing.counted import Counted, Told, Wording, more, mosts, pairs
from projections.prose.phrases import Phrases
from projections.views import balance, stress, table_changes
from projections.views.cast import differences, sheet_changes
from projections.views.rows import of_people
from projections.views.sheet import Change

TOLD: Final = frozenset({"points", "balance", "fallout", "health", "stress", "tracks"})
"""The views whose changes over an evening a reader wants to know."""


def newcomers(before: Table, after: Table) -> tuple[str, ...]:
    """The names of those who joined the cast."""
    new = sorted({after.whose(one) for one in after.people} - before.people.keys())
    return tuple(after.name(one) for one in new if after.people[one].role != "player")


def numbers(before: Table, after: Table) -> Iterator[Change]:
    """What the views that a story cares for say has changed; a newcomer's numbers are no change."""
    new = {after.name(person) for person in after.people.keys() - before.people.keys()}
    for change in table_changes(before, after, TOLD | {"cast"}):
        known = change.about.split(", ")[0] not in new
        if known and (change.view in TOLD or _is_about_them(change)):
            yield change
    yield from sheet_changes(before, after)


def _is_about_them(change: Change) -> bool:
    """True for somebody's role, player or phrase; their sheet is told number by number."""
    return change.view == "cast" and change.was is not None and not change.about.endswith(", sheet")


# --- in words ---------------------------------------------------------------------------------------------


def sentences(
    before: Table, after: Table, phrases: Phrases, touched: Container[int] | None = None
) -> Iterator[str]:
    """The same in sentences: who joined, then players, then the cast in its order, then things.

    Of people only those `touched`, if that is given: what an opening does to all is no news of anybody. Where
    there was no cast before, nobody joined it.
    """
    if any(one.role not in ("player", "gm") for one in before.everybody()):
        new = newcomers(before, after)
        if len(new) > 1:
            yield phrases.say("end.joined-several", who=list(new))
        else:
            yield from (phrases.say("end.joined", who=name) for name in new)
    yield from _new_and_out(before, after, phrases)
    players = {GM, *(one.player for one in after.everybody())}
    order = {one.id: (one.role != "player" and one.id not in players, one.id) for one in after.everybody()}
    last = (True, len(order) + max(order, default=0) + 1)
    of_them = [
        one
        for one in told(before, after, phrases)
        if touched is None or isinstance(one.about, str) or one.about in touched
    ]
    of_them.sort(key=lambda one: order.get(one.about, last) if isinstance(one.about, int) else last)
    yield from (one.sentence for one in of_them)


def _new_and_out(before: Table, after: Table, phrases: Phrases) -> Iterator[str]:
    """Those who came and can take no more."""
    found = (pair.now for pair in pairs(before, after))
    out = {row.who for row in found if row is not None and row.out and isinstance(row.who, int)}
    names = [after.name(one) for one in sorted(out - before.people.keys())]
    if len(names) > 1:
        yield phrases.say("changed.out-several", who=names)
    elif names:
        yield phrases.say("changed.out", who=names[0], what="", was=0, now=0)


def told(before: Table, after: Table, phrases: Phrases) -> Iterator[Told]:
    """The same sentence by sentence, each with whom or what it is about."""
    return (one for one in _Differences(before, after, phrases).all() if one.sentence.strip())


class _Differences(Struct, frozen=True, dict=True):
    """Two tables, and the words for what differs; a newcomer's numbers are no difference."""

    before: Table
    after: Table
    phrases: Phrases

    @property
    def wording(self) -> Wording:
        """What people and things are called after it."""
        return Wording(self.after, self.phrases)

    @cached_property
    def _was(self) -> stress.Stress:
        """What was borne and in play before it."""
        return stress.of(self.before)

    @cached_property
    def _is(self) -> stress.Stress:
        """What is borne and in play after it."""
        return stress.of(self.after)

    def all(self) -> Iterator[Told]:
        """Every difference: who is who, what is counted, what is worded."""
        for one in (
            *self._people(),
            *Counted(self.wording).told(self.before, self.after),
            *self._consequences(),
            *self._aspects(),
            *self._sheets(),
            *self._balances(),
        ):
            if isinstance(one.about, str) or one.about in self.before.people:
                yield one

    def _name(self, person: int) -> str:
        return self.wording.name(person)

    def _who(self, about: int | str) -> str:
        return self.wording.who(about)

    # --- who is who ---

    def _people(self) -> Iterator[Told]:
        for now in self.after.everybody():
            was = self.before.people.get(now.id)
            if was is None or now.id == GM:
                continue
            if was.called != now.called:
                yield Told(now.id, self.phrases.say("changed.called", who=was.called, name=now.called))
            played = (
                None if was.player is None else self.after.whose(was.player)
            )  # two players may be one now
            if now.player is not None and played != now.player:
                player = self._name(now.player)
                yield Told(now.id, self.phrases.say("changed.played", who=now.called, player=player))
            elif was.player is not None and now.player is None:
                player = self._name(was.player)
                yield Told(now.id, self.phrases.say("changed.unplayed", who=now.called, player=player))
            if now.text is not None and was.text != now.text:
                text = str(now.text)
                yield Told(now.id, self.phrases.say("changed.described", who=now.called, phrase=text))
            elif was.text is not None and now.text is None:
                yield Told(now.id, self.phrases.say("changed.undescribed", who=now.called))

    # --- what somebody bears ---

    def _consequences(self) -> Iterator[Told]:
        old, new = (_borne(table) for table in (self.before, self.after))
        altered = self._altered()
        for system, person, severity in dict.fromkeys((*new, *old)):
            was, now = (borne.get((system, person, severity), ()) for borne in (old, new))
            named = self.phrases.named(system, severity)
            for wording in more(now, was):
                yield self._taken(person, wording, named, altered.get((person, wording)))
            for wording in more(was, now):
                if (person, wording) not in ((each, earlier) for (each, _), earlier in altered.items()):
                    said = self.phrases.say("changed.recovered", who=self._who(person), wording=wording)
                    yield Told(person, said)

    def _taken(self, person: int, wording: str, severity: str, was: str | None) -> Told:
        """A consequence somebody has now; one that they had in other words (`was`) is only altered."""
        found = (one.id for one in reversed(self._is.aspects) if one.wording == wording)
        said = self.phrases.say(
            "changed.consequence" if was is None else "changed.consequence-altered",
            who=self._who(person),
            wording=wording,
            severity=severity,
            free=self._free(self._is, next(found, None)),
            **({} if was is None else {"was": was}),
        )
        return Told(person, said)

    def _altered(self) -> dict[tuple[int, str], str]:
        """By person and wording, in what other words the same aspect stood before."""
        before = {one.id: one.wording for one in self._was.aspects}
        return {
            (one.on.id, one.wording): before[one.id]
            for one in self._is.aspects
            if not isinstance(one.on, str) and before.get(one.id, one.wording) != one.wording
        }

    # --- aspects ---

    def _aspects(self) -> Iterator[Told]:
        """Those that are no consequence, which has been told."""
        borne = {
            wording
            for table in (self.before, self.after)
            for all_ in _borne(table).values()
            for wording in all_
        }
        old, new = (
            {one.id: one for one in seen.aspects if one.wording not in borne}
            for seen in (self._was, self._is)
        )
        for one in new.values():
            if one.id in old:
                yield from self._aspect(old[one.id], one)
            else:
                about = one.on if isinstance(one.on, str) else one.on.id
                free = self._free(self._is, one.id)
                said = self.phrases.say(
                    "changed.aspect", who=self._who(about), wording=one.wording, free=free
                )
                yield Told(about, said)
        for gone in old.values():
            if gone.id not in new:
                about = gone.on if isinstance(gone.on, str) else gone.on.id
                said = self.phrases.say("changed.aspect-gone", who=self._who(about), wording=gone.wording)
                yield Told(about, said)

    def _aspect(self, was: stress.AspectSeen, now: stress.AspectSeen) -> Iterator[Told]:
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
            yield Told(about, said)
        before, free = (self._free(seen, now.id) for seen in (self._was, self._is))
        if before != free:
            said = self.phrases.say("changed.aspect-free", who=on, wording=now.wording, free=free)
            yield Told(about, said)

    def _free(self, seen: stress.Stress, aspect: int | None) -> list[str]:
        """The free invokes of an aspect, holder by holder."""
        return [
            self.phrases.say(
                "changed.free",
                number=one.free,
                holder=None if one.holder is None else self._name(one.holder.id),
            )
            for one in seen.aspects
            if one.id == aspect and one.free
        ]

    # --- sheets and conflicts ---

    def _sheets(self) -> Iterator[Told]:
        counted = frozenset(mosts(self.before, self.after))
        for one in differences(self.before, self.after):
            if (one.person, one.was, one.now) in counted:
                continue  # what they can have at most has been told
            who, what = self._who(one.person), one.key
            if one.was is None:
                said = self.phrases.say("changed.sheet-new", who=who, what=what, now=one.now)
            elif one.now is None:
                said = self.phrases.say("changed.sheet-gone", who=who, what=what, was=one.was)
            else:
                said = self.phrases.say("changed.sheet", who=who, what=what, was=one.was, now=one.now)
            yield Told(one.person, said)

    def _balances(self) -> Iterator[Told]:
        old, new = (
            {one.conflict: one for one in balance.of_table(table).open} for table in (self.before, self.after)
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
                yield Told(now.title, said)
            elif now.advantaged is None and was is not None and was.advantaged is not None:
                yield Told(now.title, self.phrases.say("changed.even", conflict=now.title))


def _borne(table: Table) -> dict[tuple[str, int, str], tuple[str, ...]]:
    """The consequences of everybody, by how bad they are in which game."""
    found: dict[tuple[str, int, str], tuple[str, ...]] = {}
    for system, one, row in of_people(table, Picture.SLOT):
        key = system, one.id, row.what
        found[key] = (*found.get(key, ()), *filter(None, row.words))
    return found
