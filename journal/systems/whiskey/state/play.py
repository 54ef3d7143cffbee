"""One conflict: the phase in play, what everybody means to do in it, and who clashes."""

from __future__ import annotations

from msgspec import Struct, field

from journal.capabilities import Aim, Melee, Pairing
from journal.systems.whiskey import events as w
from journal.systems.whiskey.rules import Fate, Hit, Intent, Ring
from journal.words import Words

SEALED = "sealed"
"""What is shown for an act that nobody is to know yet."""


class Clash(Struct):
    """Two who fight; `made` once it has its check."""

    one: int
    other: int
    checker: int | None
    made: w.CheckMade | None = None

    @property
    def pair(self) -> tuple[int, int]:
        """Both of them."""
        return self.one, self.other

    def against(self, who: int) -> int:
        """Whom `who` fights here."""
        return self.other if who == self.one else self.one

    @property
    def winner(self) -> int | None:
        """Who won the check; None before it is made."""
        if self.made is None:
            return None
        return self.made.who if self.made.passed else self.against(self.made.who)


class Phase(Struct):
    """A few moments of a fight: what everybody means to do, what becomes of it, who clashes, what lands."""

    number: int = 1
    intents: dict[int, Intent] = field(default_factory=dict)
    sealed: dict[int, Words] = field(default_factory=dict)
    orders: dict[int, int | None] = field(default_factory=dict)
    broken: dict[Ring, int] = field(default_factory=dict)
    fates: dict[int, Fate] = field(default_factory=dict)
    clashes: list[Clash] = field(default_factory=list)
    triangle: w.TriangleProposed | None = None
    hits: list[Hit] = field(default_factory=list)
    revealed: bool = False
    late: set[int] = field(default_factory=set)
    """Who came when the intents were shown already, and acts from the next phase on."""

    @property
    def open(self) -> tuple[Clash, ...]:
        """The clashes that still need their check."""
        return tuple(clash for clash in self.clashes if clash.made is None)

    @property
    def begun(self) -> bool:
        """True once somebody has declared, or been paired."""
        return bool(self.intents or self.sealed or self.clashes)

    def between(self, one: int, other: int) -> Clash | None:
        """Their clash, if they have one."""
        return next((clash for clash in self.clashes if {one, other} == set(clash.pair)), None)


class Play(Struct):
    """One conflict: the phase in play, and the one before it."""

    phase: Phase = field(default_factory=Phase)
    last: Phase | None = None

    @property
    def shown(self) -> Phase:
        """The phase a table speaks of: the one in play, or the one just over while nobody has declared."""
        return self.phase if self.phase.begun or self.last is None else self.last

    def melee(self) -> Melee:
        """Who wants what, and who is on whom."""
        phase = self.shown
        intents = tuple(
            Aim(who, intent.act.value, intent.target, *_outcome(phase.fates.get(who)))
            for who, intent in phase.intents.items()
        )
        sealed = tuple(Aim(who, SEALED, None, *_outcome(None)) for who in phase.sealed)
        pairs = tuple(Pairing(*clash.pair, clash.checker, clash.winner) for clash in phase.clashes)
        return Melee(phase.number, (*intents, *sealed), pairs)


def _outcome(fate: Fate | None) -> tuple[str | None, tuple[int, ...]]:
    return (None, ()) if fate is None else (fate.why.value, fate.by)
