"""Events of Whiskey, beside the shared ones."""

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
    """A fighter declared an act for this phase; `target` is the person to engage or guard."""

    kind: ClassVar[str] = "whiskey.intent-declared"
    act: Act
    target: Id | None = None
    text: Words | None = None


class IntentSealed(SealedChoice):
    """A fighter declared face down; `intent` holds the act, target and words as one sealed text."""

    kind: ClassVar[str] = "whiskey.intent-sealed"
    intent: Words


class IntentsRevealed(ChoicesRevealed):
    """The sealed intents of `people` were opened together; each follows as `IntentDeclared`."""

    kind: ClassVar[str] = "whiskey.intents-revealed"
    final: ClassVar[str | None] = (
        "A reveal cannot be taken back: the intents have been seen. What came before is for retcon."
    )


class GuardAssigned(PersonInConflict):
    """The table chose the person a guard stops; `target` is None for no person."""

    kind: ClassVar[str] = "whiskey.guard-assigned"
    target: Id | None = None


class LoopBroken(PersonInConflict):
    """A ring of fighters, each engaging the next, was broken: `who` gets through; `how` says who chose."""

    kind: ClassVar[str] = "whiskey.loop-broken"
    loop: tuple[Id, ...]
    how: Literal["first_pc", "random", "gm"]


class IntentSucceeded(PersonInConflict):
    """An intent succeeded; `why` gives the reason, `by` the people responsible."""

    kind: ClassVar[str] = "whiskey.intent-succeeded"
    act: Act
    target: Id | None = None
    why: Why
    by: tuple[Id, ...] = ()


class IntentStopped(PersonInConflict):
    """An intent failed: the people in `by` engaged `who` first."""

    kind: ClassVar[str] = "whiskey.intent-stopped"
    act: Act
    target: Id | None = None
    by: tuple[Id, ...]


# --- clashes ----------------------------------------------------------------------------------------------


class ClashFormed(InConflict):
    """Two people clash; `checker` makes the check, or if None the person named at the check."""

    kind: ClassVar[str] = "whiskey.clash-formed"
    one: Id
    other: Id
    checker: Id | None = None
    paired: bool = False
    """True if the game master paired the two people by hand."""


class TriangleProposed(InConflict):
    """The game master tried to pair two people who both clash with `third` already; the table must rule."""

    kind: ClassVar[str] = "whiskey.triangle-proposed"
    one: Id
    other: Id
    third: Id

    @property
    def corners(self) -> frozenset[int]:
        """The three people of the triangle."""
        return frozenset((self.one, self.other, self.third))


class ClashDropped(InConflict):
    """A clash lost its check: the people in `gone` left the fight, or, if empty, the fight broke off."""

    kind: ClassVar[str] = "whiskey.clash-dropped"
    one: Id
    other: Id
    gone: tuple[Id, ...] = ()


class CheckMade(PersonAnywhere):
    """A check of x against y was made: card value `c` brought it to `total`; `d` is the d6 rolled with it.

    `card` is None if a d26 was rolled. In a clash, the winner deals damage by `d`.
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
    """The winner of a clash hit its loser; `left` hit points remain, None if the loser has no hit points."""

    kind: ClassVar[str] = "whiskey.damage-dealt"
    sheet_of: ClassVar[str | None] = "loser"
    winner: Id
    loser: Id
    amount: Whole
    left: Whole | None = None


class DamageSuppressed(InConflict):
    """Damage of a clash's winner did not count, because other clashes incapacitated the winner at once."""

    kind: ClassVar[str] = "whiskey.damage-suppressed"
    winner: Id
    loser: Id
    amount: Whole


class Incapacitated(PersonAnywhere):
    """A fighter was incapacitated."""

    kind: ClassVar[str] = "whiskey.incapacitated"


class Recovered(PersonAnywhere):
    """A fighter can fight again."""

    kind: ClassVar[str] = "whiskey.recovered"


class PhaseEnded(InConflict):
    """A phase ended with all checks made and results settled; new intents begin the next phase."""

    kind: ClassVar[str] = "whiskey.phase-ended"
    phase: Id


# --- decks and numbers ------------------------------------------------------------------------------------


class DeckReshuffled(Anywhere):
    """Discarded cards of a faction's deck went back and were shuffled; `half` is in play from now on.

    `spent` is the half whose cards went back; None for all cards.
    """

    kind: ClassVar[str] = "whiskey.deck-reshuffled"
    faction: str
    spent: Half | None = None
    half: Half
    why: Literal["spent", "battle", "session", "asked"]


class NumberSet(Event):
    """A ruling set a fighter's hit points."""

    kind: ClassVar[str] = "whiskey.number-set"
    sheet_of: ClassVar[str | None] = "who"
    who: Id
    what: Literal["hp"]
    value: Whole


EVENTS = kinds(vars())
