"""What can happen in Whiskey, beside the shared words."""

from __future__ import annotations

from typing import ClassVar, Literal

from journal.systems.whiskey.rules import Act, Half, Why
from journal.vocabulary.base import (
    Anywhere,
    Event,
    Id,
    InConflict,
    PersonAnywhere,
    PersonInConflict,
    Whole,
    Words,
    kinds,
)
from journal.vocabulary.sealing import ChoicesRevealed, SealedChoice

# --- intents ----------------------------------------------------------------------------------------------


class IntentDeclared(PersonInConflict):
    """Somebody says what they will try for the next moments; `target` is whom they engage or guard."""

    kind: ClassVar[str] = "whiskey.intent-declared"
    act: Act
    target: Id | None = None
    text: Words | None = None


class IntentSealed(SealedChoice):
    """Somebody has said face down what they will try: `intent` is that as one text, shown to nobody."""

    kind: ClassVar[str] = "whiskey.intent-sealed"
    intent: Words


class IntentsRevealed(ChoicesRevealed):
    """What these people had sealed is open, all at once; each intent follows, declared."""

    kind: ClassVar[str] = "whiskey.intents-revealed"
    final: ClassVar[str | None] = (
        "A reveal cannot be taken back: the intents have been seen. What came before is for retcon."
    )


class GuardAssigned(PersonInConflict):
    """The table said whom a guard is to stop; without a target, nobody."""

    kind: ClassVar[str] = "whiskey.guard-assigned"
    target: Id | None = None


class LoopBroken(PersonInConflict):
    """Each of `loop` was after the next, and `who` gets through; `how` it was settled."""

    kind: ClassVar[str] = "whiskey.loop-broken"
    loop: tuple[Id, ...]
    how: Literal["first_pc", "random", "gm"]


class IntentSucceeded(PersonInConflict):
    """An intent came about: why, and through whom."""

    kind: ClassVar[str] = "whiskey.intent-succeeded"
    act: Act
    target: Id | None = None
    why: Why
    by: tuple[Id, ...] = ()


class IntentStopped(PersonInConflict):
    """An intent did not come about, for these got to `who` first."""

    kind: ClassVar[str] = "whiskey.intent-stopped"
    act: Act
    target: Id | None = None
    by: tuple[Id, ...]


# --- clashes ----------------------------------------------------------------------------------------------


class ClashFormed(InConflict):
    """Two will fight, and `checker` checks; None where whoever is named at the check does."""

    kind: ClassVar[str] = "whiskey.clash-formed"
    one: Id
    other: Id
    checker: Id | None = None
    paired: bool = False
    """True where the game master put them together."""


class TriangleProposed(InConflict):
    """The game master would pair two who both clash with `third` already; the table rules on it."""

    kind: ClassVar[str] = "whiskey.triangle-proposed"
    one: Id
    other: Id
    third: Id

    @property
    def corners(self) -> frozenset[int]:
        """All three."""
        return frozenset((self.one, self.other, self.third))


class ClashDropped(InConflict):
    """Two who were to fight make no check: these of them are gone from the fight; nobody, if it broke off."""

    kind: ClassVar[str] = "whiskey.clash-dropped"
    one: Id
    other: Id
    gone: tuple[Id, ...] = ()


class CheckMade(PersonAnywhere):
    """A check of x against y: with a card of value c it came to `total`; d is the d6 rolled with it.

    `card` is None where a d26 was rolled. In a clash, whoever won deals damage by d.
    """

    kind: ClassVar[str] = "whiskey.check-made"
    other: Id | None = None
    stat: str | None = None
    theirs: str | None = None
    x: Whole
    y: Whole
    faction: str
    card: str | None = None
    c: Whole
    d: Whole
    total: Whole
    passed: bool
    clash: bool = False
    wanted: bool = True


class DamageDealt(InConflict):
    """The winner of a clash hit its loser, with `left` hit points now; None where there are none to lose."""

    kind: ClassVar[str] = "whiskey.damage-dealt"
    sheet_of: ClassVar[str | None] = "loser"
    winner: Id
    loser: Id
    amount: Whole
    left: Whole | None = None


class DamageSuppressed(InConflict):
    """The winner of a clash was put out of the fight by others at once: this much does not count."""

    kind: ClassVar[str] = "whiskey.damage-suppressed"
    winner: Id
    loser: Id
    amount: Whole


class Incapacitated(PersonAnywhere):
    """Somebody is out of the fight."""

    kind: ClassVar[str] = "whiskey.incapacitated"


class Recovered(PersonAnywhere):
    """Somebody can fight again."""

    kind: ClassVar[str] = "whiskey.recovered"


class PhaseEnded(InConflict):
    """All checks of a phase are made and its results stand; if hostilities go on, everybody declares anew."""

    kind: ClassVar[str] = "whiskey.phase-ended"
    phase: Id


# --- decks and numbers ------------------------------------------------------------------------------------


class DeckReshuffled(Anywhere):
    """Cards of a faction's deck went back and were shuffled.

    Those of the half that was `spent`, or all of them. `half` is in play from now on.
    """

    kind: ClassVar[str] = "whiskey.deck-reshuffled"
    faction: str
    spent: Half | None = None
    half: Half
    why: Literal["spent", "battle", "session", "asked"]


class NumberSet(Event):
    """A ruling set somebody's hit points."""

    kind: ClassVar[str] = "whiskey.number-set"
    sheet_of: ClassVar[str | None] = "who"
    who: Id
    what: Literal["hp"]
    value: Whole


EVENTS = kinds(vars())
