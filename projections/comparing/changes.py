"""What changed between two tables, as far as a story cares: who joined, and the numbers of some views."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from journal.table import Table
from journal.vocabulary.base import GM
from projections.prose.phrases import Phrases
from projections.views import balance, fallout, health, points, stress, table_changes
from projections.views.cast import differences, sheet_changes
from projections.views.sheet import Change

TOLD: Final = frozenset({"points", "balance", "fallout", "health", "stress"})
"""The views whose changes over an evening a reader wants to know."""


def newcomers(before: Table, after: Table) -> tuple[str, ...]:
    """The names of those who joined the cast."""
    new = sorted(after.people.keys() - before.people.keys())
    return tuple(after.name(one) for one in new if after.people[one].role != "player")


def numbers(before: Table, after: Table) -> Iterator[Change]:
    """What the views that a story cares for say has changed; a newcomer's numbers are no change."""
    new = {after.name(person) for person in after.people.keys() - before.people.keys()}
    for change in table_changes(before, after):
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
        yield from (phrases.say("end.joined", who=name) for name in newcomers(before, after))
    players = {GM, *(one.player for one in after.everybody())}
    order = {one.id: (one.role != "player" and one.id not in players, one.id) for one in after.everybody()}
    last = (True, len(order) + max(order, default=0) + 1)
    told = [
        one
        for one in _Differences(before, after, phrases).all()
        if one.sentence.strip() and (touched is None or isinstance(one.about, str) or one.about in touched)
    ]
    told.sort(key=lambda one: order.get(one.about, last) if isinstance(one.about, int) else last)
    yield from (one.sentence for one in told)


_COUNTED: Final = {
    "hp": "named.hp",
    "tokens": "named.tokens",
    "sleeve": "named.sleeve",
    "fate points": "named.fate-points",
    "legacy": "named.legacy",
    "destiny": "named.destiny",
    "fate": "named.fate",
}
_FALLOUT: Final = {
    "physical": "named.physical",
    "mental": "named.mental",
    "social": "named.social",
    "societal": "named.societal",
    "stages": "named.stages",
}
_TRACKS: Final = {
    "cool": "named.cool",
    "reputation": "named.reputation",
    "humanity": "named.humanity",
    "leverage": "named.leverage",
    "prestige": "named.prestige",
}
_SEVERITIES: Final = {"mild": "named.mild", "moderate": "named.moderate", "severe": "named.severe"}
_LEVELS: Final = {"unbalanced": "named.unbalanced", "overwhelming": "named.overwhelming"}

_ONLY_TRACK: Final = "stress"
"""What the one track of something is called that has just one."""


class _Told(NamedTuple):
    """A sentence, and whom it is about, or the name of a thing."""

    about: int | str
    sentence: str


@dataclass(frozen=True, slots=True)
class _Differences:
    """Two tables, and the words for what differs; a newcomer's numbers are no difference."""

    before: Table
    after: Table
    phrases: Phrases

    def all(self) -> Iterator[_Told]:
        """Every difference, view by view."""
        for one in (
            *self._people(),
            *self._points(),
            *self._health(),
            *self._stress(),
            *self._fallout(),
            *self._consequences(),
            *self._aspects(),
            *self._sheets(),
            *self._balances(),
        ):
            if isinstance(one.about, str) or one.about in self.before.people:
                yield one

    # --- words ---

    def _name(self, person: int) -> str:
        """What somebody is called inside a sentence."""
        return self.after.shown(person, self.phrases.say("names.gm"))

    def _who(self, about: int | str) -> str:
        """The same at the beginning of a sentence; a thing by its name."""
        if isinstance(about, str):
            return about
        name = self._name(about)
        return f"{name[:1].upper()}{name[1:]}" if about == GM else name

    def _named(self, known: Mapping[str, str], what: str, number: int | None = None) -> str:
        """What a game counts, in this voice's words where it has any."""
        return self.phrases.say(known[what], number=number) if what in known else what

    # --- who is who ---

    def _people(self) -> Iterator[_Told]:
        for now in self.after.everybody():
            was = self.before.people.get(now.id)
            if was is None or now.id == GM:
                continue
            if was.called != now.called:
                yield _Told(now.id, self.phrases.say("changed.called", who=was.called, name=now.called))
            if now.player is not None and was.player != now.player:
                player = self._name(now.player)
                yield _Told(now.id, self.phrases.say("changed.played", who=now.called, player=player))
            elif was.player is not None and now.player is None:
                player = self._name(was.player)
                yield _Told(now.id, self.phrases.say("changed.unplayed", who=now.called, player=player))
            if now.text is not None and was.text != now.text:
                text = str(now.text)
                yield _Told(now.id, self.phrases.say("changed.described", who=now.called, phrase=text))
            elif was.text is not None and now.text is None:
                yield _Told(now.id, self.phrases.say("changed.undescribed", who=now.called))

    # --- numbers ---

    def _points(self) -> Iterator[_Told]:
        old, new = (
            {(one.system, one.who.id, one.what): one for one in points.of(table).purses}
            for table in (self.before, self.after)
        )
        for key in dict.fromkeys((*new, *old)):
            _, person, what = key
            was, now = old.get(key), new.get(key)
            dealt = None if now is None else now.given
            yield from self._number(
                person, what, dealt if was is None else was.value, None if now is None else now.value
            )
            if was is not None and now is not None:
                yield from self._most(person, what, was.most, now.most)

    def _health(self) -> Iterator[_Told]:
        old, new = (
            {(one.system, one.who.id, one.what): one for one in health.of(table).health}
            for table in (self.before, self.after)
        )
        for key in dict.fromkeys((*new, *old)):
            _, person, what = key
            was, now = old.get(key), new.get(key)
            if was is not None and now is not None and was.out != now.out:
                yield self._in_or_out(person, what, was.value, now.value, out=now.out)
            else:
                yield from self._number(
                    person, what, None if was is None else was.value, None if now is None else now.value
                )
            if was is not None and now is not None:
                yield from self._most(person, what, was.most, now.most)

    def _in_or_out(self, person: int, what: str, was: int, now: int, *, out: bool) -> _Told:
        who, named = self._who(person), self._named(_COUNTED, what)
        if out:
            return _Told(person, self.phrases.say("changed.out", who=who, what=named, was=was, now=now))
        return _Told(person, self.phrases.say("changed.in-again", who=who, what=named, was=was, now=now))

    def _number(self, person: int, what: str, was: int | None, now: int | None) -> Iterator[_Told]:
        who = self._who(person)
        if was is not None and now is not None and was != now:
            named = self._named(_COUNTED, what)
            yield _Told(person, self.phrases.say("changed.number", who=who, what=named, was=was, now=now))
        elif was is None and now:
            named = self._named(_COUNTED, what, now)
            yield _Told(person, self.phrases.say("changed.number-given", who=who, what=named, now=now))
        elif now is None and was:
            named = self._named(_COUNTED, what)
            yield _Told(person, self.phrases.say("changed.number-gone", who=who, what=named))

    def _most(self, person: int, what: str, was: int | None, now: int | None) -> Iterator[_Told]:
        if was is not None and now is not None and was != now:
            who, named = self._who(person), self._named(_COUNTED, what, now)
            yield _Told(person, self.phrases.say("changed.most", who=who, what=named, was=was, now=now))

    # --- what somebody bears ---

    def _stress(self) -> Iterator[_Told]:
        old, new = (
            {(one.system, one.who.id, one.track): one.marked for one in stress.of(table).tracks}
            for table in (self.before, self.after)
        )
        for key in dict.fromkeys((*new, *old)):
            was, now = old.get(key, ()), new.get(key, ())
            if was != now:
                _, person, track = key
                said = self.phrases.say(
                    "changed.stress",
                    who=self._who(person),
                    track=None if track == _ONLY_TRACK else self._named(_TRACKS, track),
                    was=self._boxes(was),
                    now=self._boxes(now),
                )
                yield _Told(person, said)

    def _boxes(self, marked: Sequence[int]) -> str:
        """How much stress that is; which boxes, where they are not the first ones."""
        if tuple(marked) == tuple(range(1, len(marked) + 1)):
            return str(len(marked))
        return self.phrases.say("changed.boxes", number=len(marked), boxes=list(map(str, marked)))

    def _fallout(self) -> Iterator[_Told]:
        old, new = (
            {(one.system, one.who.id, one.track): one for one in fallout.of(table).tracks}
            for table in (self.before, self.after)
        )
        for key in dict.fromkeys((*new, *old)):
            was, now = old.get(key), new.get(key)
            yield from self._track(was, now)
            yield from self._conditions(was, now)

    def _track(self, was: fallout.Track | None, now: fallout.Track | None) -> Iterator[_Told]:
        borne, bears = (0 if one is None else one.points for one in (was, now))
        either = now or was
        if either is not None and borne != bears:
            said = self.phrases.say(
                "changed.fallout",
                who=self._who(either.who.id),
                track=self._named(_FALLOUT, either.track),
                was=borne,
                now=bears,
                boxes=either.boxes,
            )
            yield _Told(either.who.id, said)

    def _conditions(self, was: fallout.Track | None, now: fallout.Track | None) -> Iterator[_Told]:
        old, new = (() if one is None else one.conditions for one in (was, now))
        either = now or was
        if either is None:
            return
        person = either.who.id
        for wording in _more(new, old):
            yield _Told(person, self.phrases.say("changed.condition", who=self._who(person), wording=wording))
        for row, named in enumerate(new[len(old) :], len(old) + 1):
            if named is None:
                track = self._named(_FALLOUT, either.track)
                said = self.phrases.say("changed.row", who=self._who(person), row=row, track=track)
                yield _Told(person, said)
        for wording in _more(old, new):
            yield _Told(person, self.phrases.say("changed.recovered", who=self._who(person), wording=wording))

    def _consequences(self) -> Iterator[_Told]:
        old, new = (_borne(table) for table in (self.before, self.after))
        altered = self._altered()
        for person, severity in dict.fromkeys((*new, *old)):
            was, now = old.get((person, severity), ()), new.get((person, severity), ())
            for wording in _more(now, was):
                yield self._taken(person, wording, severity, altered.get((person, wording)))
            for wording in _more(was, now):
                if (person, wording) not in ((each, earlier) for (each, _), earlier in altered.items()):
                    said = self.phrases.say("changed.recovered", who=self._who(person), wording=wording)
                    yield _Told(person, said)

    def _taken(self, person: int, wording: str, severity: str, was: str | None) -> _Told:
        """A consequence somebody has now; one that they had in other words (`was`) is only altered."""
        found = (one.id for one in reversed(stress.of(self.after).aspects) if one.wording == wording)
        said = self.phrases.say(
            "changed.consequence" if was is None else "changed.consequence-altered",
            who=self._who(person),
            wording=wording,
            severity=self._named(_SEVERITIES, severity),
            free=self._free(self.after, next(found, None)),
            **({} if was is None else {"was": was}),
        )
        return _Told(person, said)

    def _altered(self) -> dict[tuple[int, str], str]:
        """By person and wording, in what other words the same aspect stood before."""
        before = {one.id: one.wording for one in stress.of(self.before).aspects}
        return {
            (one.on.id, one.wording): before[one.id]
            for one in stress.of(self.after).aspects
            if not isinstance(one.on, str) and before.get(one.id, one.wording) != one.wording
        }

    # --- aspects ---

    def _aspects(self) -> Iterator[_Told]:
        """Those that are no consequence, which has been told."""
        borne = {
            wording
            for table in (self.before, self.after)
            for all_ in _borne(table).values()
            for wording in all_
        }
        old, new = (
            {one.id: one for one in stress.of(table).aspects if one.wording not in borne}
            for table in (self.before, self.after)
        )
        for one in new.values():
            if one.id in old:
                yield from self._aspect(old[one.id], one)
            else:
                about = one.on if isinstance(one.on, str) else one.on.id
                free = self._free(self.after, one.id)
                said = self.phrases.say(
                    "changed.aspect", who=self._who(about), wording=one.wording, free=free
                )
                yield _Told(about, said)
        for gone in old.values():
            if gone.id not in new:
                about = gone.on if isinstance(gone.on, str) else gone.on.id
                said = self.phrases.say("changed.aspect-gone", who=self._who(about), wording=gone.wording)
                yield _Told(about, said)

    def _aspect(self, was: stress.AspectSeen, now: stress.AspectSeen) -> Iterator[_Told]:
        about = now.on if isinstance(now.on, str) else now.on.id
        on = about if isinstance(about, str) else self._name(about)
        if was.marked != now.marked:
            said = self.phrases.say(
                "changed.aspect-stress",
                who=on,
                wording=now.wording,
                was=self._boxes(was.marked),
                now=self._boxes(now.marked),
            )
            yield _Told(about, said)
        before, free = (self._free(table, now.id) for table in (self.before, self.after))
        if before != free:
            said = self.phrases.say("changed.aspect-free", who=on, wording=now.wording, free=free)
            yield _Told(about, said)

    def _free(self, table: Table, aspect: int | None) -> list[str]:
        """The free invokes of an aspect, holder by holder."""
        return [
            self.phrases.say(
                "changed.free",
                number=one.free,
                holder=None if one.holder is None else self._name(one.holder.id),
            )
            for one in stress.of(table).aspects
            if one.id == aspect and one.free
        ]

    # --- sheets and conflicts ---

    def _sheets(self) -> Iterator[_Told]:
        for one in differences(self.before, self.after):
            who, what = self._who(one.person), one.key
            if one.was is None:
                said = self.phrases.say("changed.sheet-new", who=who, what=what, now=one.now)
            elif one.now is None:
                said = self.phrases.say("changed.sheet-gone", who=who, what=what, was=one.was)
            else:
                said = self.phrases.say("changed.sheet", who=who, what=what, was=one.was, now=one.now)
            yield _Told(one.person, said)

    def _balances(self) -> Iterator[_Told]:
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
                    level=self._named(_LEVELS, now.level),
                )
                yield _Told(now.title, said)
            elif now.advantaged is None and was is not None and was.advantaged is not None:
                yield _Told(now.title, self.phrases.say("changed.even", conflict=now.title))


def _borne(table: Table) -> dict[tuple[int, str], tuple[str, ...]]:
    """The consequences of everybody, by how bad they are."""
    found: dict[tuple[int, str], tuple[str, ...]] = {}
    for one in stress.of(table).consequences:
        if one.aspect is not None:
            key = one.who.id, one.severity
            found[key] = (*found.get(key, ()), one.aspect)
    return found


def _more(these: Iterable[str | None], than: Iterable[str | None]) -> list[str]:
    """The texts of `these` that are not, or not as often, among the others."""
    left = Counter(these) - Counter(than)
    return [one for one in left.elements() if one is not None]
