"""Clashes: who wants what, who is stopped by whom, and who is on whom, also as a picture without a map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

from msgspec import Struct

from journal.capabilities import Aim, HasClashes, Pairing
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from projections.views.naming import Who, conflict_title, who
from projections.views.sheet import NOBODY, Row, Seen, Sheet


class AimSeen(NamedTuple):
    """What somebody means to do; `outcome` and through whom once it is resolved, null until then."""

    who: Who
    act: str
    target: Who | None
    outcome: str | None
    by: tuple[Who, ...]

    def sentence(self) -> str:
        """In a few words: `engage sword, stopped (guard-1)`."""
        said = self.act if self.target is None else f"{self.act} {self.target.name}"
        if self.outcome is None:
            return said
        through = f" ({', '.join(one.name for one in self.by)})" if self.by else ""
        return f"{said}, {self.outcome}{through}"


class PairSeen(NamedTuple):
    """Two who clash; `checker` null where either may check, `winner` null until one has."""

    one: Who
    other: Who
    checker: Who | None
    winner: Who | None

    def stands(self) -> str:
        """Who checks, or who has won."""
        if self.winner is not None:
            return f"{self.winner.name} won"
        return "either checks" if self.checker is None else f"{self.checker.name} checks"


class Fight(Struct, frozen=True):
    """Open conflict with clashes, in one phase; `picture` draws opponents line by line."""

    beside: ClassVar[tuple[str, ...]] = ("round",)

    conflict: int
    title: str
    phase: int
    intents: tuple[AimSeen, ...]
    clashes: tuple[PairSeen, ...]
    picture: tuple[str, ...]
    round: str
    """The phase as its game calls it, such as `verse 1`; no part of the JSON."""


class Clashes(Seen, frozen=True):
    """`{"open": [{"conflict", "title", "phase", "intents": […], "clashes": […], "picture": […]}]}`."""

    view: ClassVar[str] = "clashes"
    open: tuple[Fight, ...]

    def sheet(self) -> Sheet:
        """A row for everybody who means to do something or is paired; the clashes are drawn in the notes."""
        rows = tuple(row for fight in self.open for row in _rows(fight))
        notes = tuple(line for fight in self.open for line in _notes(fight))
        return Sheet("Clashes", ("Conflict", "Who", "Intent", "Clashes with", "Check"), rows, notes)


def _notes(fight: Fight) -> Iterator[str]:
    """What the fight is called, and who is on whom; what nobody is on has its row already."""
    yield f"{fight.conflict}: {fight.title}, {fight.round}"
    yield from _drawn((), fight.clashes)


def _rows(fight: Fight) -> Iterator[Row]:
    title = str(fight.conflict)
    meant = {aim.who: aim for aim in fight.intents}
    people = dict.fromkeys((*meant, *(one for pair in fight.clashes for one in (pair.one, pair.other))))
    for person in people:
        mine = [pair for pair in fight.clashes if person in (pair.one, pair.other)]
        others = [pair.other if pair.one == person else pair.one for pair in mine]
        yield Row.keyed(
            (title, person.name),
            meant[person].sentence() if person in meant else NOBODY,
            ", ".join(other.name for other in others) or NOBODY,
            ", ".join(pair.stands() for pair in mine) or NOBODY,
        )


def of(table: Table) -> Clashes:
    """Every open conflict of clashes, the oldest first."""
    return Clashes(tuple(_fights(table)))


def _fights(table: Table) -> Iterator[Fight]:
    for conflict in table.conflicts.values():
        if isinstance(conflict.state, HasClashes):
            yield _fight(table, conflict, conflict.state)


def _fight(table: Table, conflict: OpenConflict, state: HasClashes) -> Fight:
    melee = state.melee()
    intents = tuple(_aim(table, one) for one in melee.aims)
    pairs = tuple(_pair(table, one) for one in melee.pairs)
    picture = tuple(_drawn(intents, pairs))
    count = SYSTEMS[conflict.system].count(conflict)
    return Fight(
        conflict.id,
        conflict_title(conflict, table),
        melee.phase,
        intents,
        pairs,
        picture,
        f"phase {melee.phase}" if count is None else str(count),
    )


def _aim(table: Table, one: Aim) -> AimSeen:
    target = None if one.target is None else who(table, one.target)
    return AimSeen(
        who(table, one.who), one.act, target, one.outcome, tuple(who(table, other) for other in one.by)
    )


def _pair(table: Table, one: Pairing) -> PairSeen:
    checker, winner = (None if each is None else who(table, each) for each in (one.checker, one.winner))
    return PairSeen(who(table, one.one), who(table, one.other), checker, winner)


# --- the picture ------------------------------------------------------------------------------------------


def _drawn(intents: Sequence[AimSeen], pairs: Sequence[PairSeen]) -> Iterator[str]:
    """Who is on whom, one beneath the other for each who has several; then those whom nobody is on."""
    centres = sorted(
        dict.fromkeys(one for pair in pairs for one in (pair.one, pair.other)),
        key=lambda one: -sum(one in pair[:2] for pair in pairs),
    )
    left = list(pairs)
    for centre in centres:
        mine = [pair for pair in left if centre in pair[:2]]
        left = [pair for pair in left if pair not in mine]
        yield from _star(centre, mine)
    paired = set(centres)
    for aim in intents:
        if aim.who not in paired:
            yield f"{aim.who.name} → {aim.sentence()}"


def _star(centre: Who, pairs: Sequence[PairSeen]) -> Iterator[str]:
    """One against one, or one with all that are upon them."""
    for number, pair in enumerate(pairs):
        if len(pairs) == 1:
            joint = f"{centre.name} ───"
        elif number == 0:
            joint = f"{centre.name} ─┬─"
        else:
            last = number == len(pairs) - 1
            joint = f"{' ' * len(centre.name)}  {'└' if last else '├'}─"
        other = pair.other if pair.one == centre else pair.one
        yield f"{joint} {other.name} ({pair.stands()})"
