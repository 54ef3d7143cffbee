"""Clashes view: intents, blocked intents and pairs of opponents in a fight, with a diagram in text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

from msgspec import Struct

from retold.journal.capabilities import Aim, HasClashes, Melee, Pairing
from retold.journal.guarding import answer_of
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.projections.views.naming import Who, conflict_title, who, who_if_any
from retold.projections.views.sheet import NOBODY, Row, Seen


class AimSeen(NamedTuple):
    """A person's intent in a fight: act and target.

    `outcome`, and `by` (people who caused it), are empty until the intent is resolved.
    """

    who: Who
    act: str
    target: Who | None
    outcome: str | None
    by: tuple[Who, ...]

    def sentence(self) -> str:
        """Returns the intent as text, such as `engage sword, stopped (guard-1)`."""
        intent = self.act if self.target is None else f"{self.act} {self.target.name}"
        if self.outcome is None:
            return intent
        through = f" ({', '.join(person.name for person in self.by)})" if self.by else ""
        return f"{intent}, {self.outcome}{through}"


class PairSeen(NamedTuple):
    """Two opponents in a clash: `checker` may make the check (null: either of them).

    `winner` is null until the clash is decided.
    """

    one: Who
    other: Who
    checker: Who | None
    winner: Who | None

    def stands(self) -> str:
        """Returns the state of the clash as text: `Ana checks`, `either checks` or `Ana won`."""
        if self.winner is not None:
            return f"{self.winner.name} won"
        return "either checks" if self.checker is None else f"{self.checker.name} checks"


class Fight(Struct, frozen=True):
    """An open conflict with clashes, in its current phase; `picture` holds the text lines of a diagram."""

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
    """Answer of the clashes view: open conflicts with intents and clashes.

    JSON: `{"open": [{"conflict", "title", "phase", "intents": […], "clashes": […], "picture": […]}]}`.
    """

    view = "clashes"
    title = "Clashes"
    columns = ("Conflict", "Who", "Intent", "Clashes with", "Check")
    open: tuple[Fight, ...]

    def rows(self) -> Iterator[Row]:
        """Yields a table row for each person with an intent or an opponent."""
        return (row for fight in self.open for row in _rows(fight))

    def notes(self) -> Iterator[str]:
        """Yields notes below the table: each fight's title, and text lines of its diagram."""
        return (line for fight in self.open for line in _notes(fight))


def _notes(fight: Fight) -> Iterator[str]:
    """Yields the fight's title, then the text lines of a diagram of its clashes.

    Intents without an opponent are left out, since table rows show them.
    """
    yield f"{fight.conflict}: {fight.title}, {fight.round}"
    yield from _drawn((), fight.clashes)


def _rows(fight: Fight) -> Iterator[Row]:
    title = str(fight.conflict)
    meant = {aim.who: aim for aim in fight.intents}
    people = dict.fromkeys((*meant, *(person for pair in fight.clashes for person in (pair.one, pair.other))))
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
    """Returns clashes of open conflicts, oldest conflict first."""
    return Clashes(tuple(_fights(table)))


def _fights(table: Table) -> Iterator[Fight]:
    for conflict in table.conflicts.values():
        if isinstance(conflict.state, HasClashes):
            melee = answer_of(conflict.system, conflict.state.melee, None)
            if melee is not None:
                yield _fight(table, conflict, melee)


def _fight(table: Table, conflict: OpenConflict, melee: Melee) -> Fight:
    intents = tuple(_aim(table, aim) for aim in melee.aims)
    pairs = tuple(_pair(table, pair) for pair in melee.pairs)
    picture = tuple(_drawn(intents, pairs))
    count = SYSTEMS[conflict.system].count(conflict)
    return Fight(
        conflict.id,
        conflict_title(conflict, table),
        melee.phase,
        intents,
        pairs,
        picture,
        f"{'phase' if count is None else count.what} {melee.phase}",
    )


def _aim(table: Table, aim: Aim) -> AimSeen:
    by = tuple(who(table, person) for person in aim.by)
    return AimSeen(who(table, aim.who), aim.act, who_if_any(table, aim.target), aim.outcome, by)


def _pair(table: Table, pair: Pairing) -> PairSeen:
    checker, winner = who_if_any(table, pair.checker), who_if_any(table, pair.winner)
    return PairSeen(who(table, pair.one), who(table, pair.other), checker, winner)


# --- the picture ------------------------------------------------------------------------------------------


def _drawn(intents: Sequence[AimSeen], pairs: Sequence[PairSeen]) -> Iterator[str]:
    """Yields the diagram's text lines: a person with most opponents first, then intents without opponents."""
    centres = sorted(
        dict.fromkeys(person for pair in pairs for person in (pair.one, pair.other)),
        key=lambda person: -sum(person in pair[:2] for pair in pairs),
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
    """Yields one text line for each pair, joining `centre` to the opponent: `Ana ─┬─ Bo (Ana checks)`."""
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
