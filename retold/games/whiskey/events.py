"""Events that only Whiskey has.

In a phase fighters declare intents (acts such as engaging a person); these become clashes, which checks
decide.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from retold.game import (
    Anywhere,
    ChoicesRevealed,
    Event,
    Id,
    InConflict,
    PersonAnywhere,
    PersonInConflict,
    SealedChoice,
    Whole,
    Words,
    kinds,
)
from retold.games.whiskey.rules import Act, Half, Why

# --- intents ----------------------------------------------------------------------------------------------


class IntentDeclared(PersonInConflict):
    """A fighter declared an intent for this phase: an act, and the person `target` to engage or guard."""

    kind: ClassVar[str] = "whiskey.intent-declared"
    act: Act
    target: Id | None = None
    text: Words | None = None


class IntentSealed(SealedChoice):
    """A fighter declared an intent face down; `intent` holds the act, target and words as one sealed text."""

    kind: ClassVar[str] = "whiskey.intent-sealed"
    intent: Words


class IntentsRevealed(ChoicesRevealed):
    """The sealed intents of `people` were opened together; an `IntentDeclared` event for each follows."""

    kind: ClassVar[str] = "whiskey.intents-revealed"
    final: ClassVar[str | None] = (
        "A reveal cannot be taken back: the intents have been seen. What came before is for retcon."
    )


class GuardAssigned(PersonInConflict):
    """The table chose the person `target` stopped by a guard; None: the guard stops no one."""

    kind: ClassVar[str] = "whiskey.guard-assigned"
    target: Id | None = None


class LoopBroken(PersonInConflict):
    """A ring of fighters, each engaging the next, was broken: `who` gets through to the next.

    `how` names the choice: first player character to declare, by lot, or by the game master.
    """

    kind: ClassVar[str] = "whiskey.loop-broken"
    loop: tuple[Id, ...]
    how: Literal["first_pc", "random", "gm"]


class IntentSucceeded(PersonInConflict):
    """A fighter's intent succeeded; `why` gives the reason, `by` the people it is due to."""

    kind: ClassVar[str] = "whiskey.intent-succeeded"
    act: Act
    target: Id | None = None
    why: Why
    by: tuple[Id, ...] = ()


class IntentStopped(PersonInConflict):
    """A fighter's intent failed, because the people in `by` engaged the fighter first."""

    kind: ClassVar[str] = "whiskey.intent-stopped"
    act: Act
    target: Id | None = None
    by: tuple[Id, ...]


# --- clashes ----------------------------------------------------------------------------------------------


class ClashFormed(InConflict):
    """Two people clash; `checker` is the person who checks, None if the command `check` must name them."""

    kind: ClassVar[str] = "whiskey.clash-formed"
    one: Id
    other: Id
    checker: Id | None = None
    paired: bool = False
    """True if the game master paired the two people by hand."""


class TriangleProposed(InConflict):
    """The game master paired two people who both clash with `third`; the table must allow or refuse it."""

    kind: ClassVar[str] = "whiskey.triangle-proposed"
    one: Id
    other: Id
    third: Id

    @property
    def corners(self) -> frozenset[int]:
        """Ids of three people who would each clash with two others."""
        return frozenset((self.one, self.other, self.third))


class ClashDropped(InConflict):
    """A clash ended without a check, because people in `gone` left the fight or were incapacitated.

    An empty `gone` means that the whole fight broke off.
    """

    kind: ClassVar[str] = "whiskey.clash-dropped"
    one: Id
    other: Id
    gone: tuple[Id, ...] = ()


class CheckMade(PersonAnywhere):
    """A check of number `x` against number `y` was made; card value `c` raised x to `total`.

    `d` is the d6 rolled with the card, by which a clash's winner deals damage. `card` is None if a d26 was
    rolled instead.
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
    """The winner of a clash dealt damage to its loser.

    `left` hit points remain (None: the loser has none).
    """

    kind: ClassVar[str] = "whiskey.damage-dealt"
    sheet_of: ClassVar[str | None] = "loser"
    winner: Id
    loser: Id
    amount: Whole
    left: Whole | None = None


class DamageSuppressed(InConflict):
    """The winner of a clash dealt no damage, because other clashes of the phase incapacitated them."""

    kind: ClassVar[str] = "whiskey.damage-suppressed"
    winner: Id
    loser: Id
    amount: Whole


class Incapacitated(PersonAnywhere):
    """A fighter dropped out of the fight: hit points fell to the limit of option `incapacitated_at`."""

    kind: ClassVar[str] = "whiskey.incapacitated"


class Recovered(PersonAnywhere):
    """A fighter recovered from incapacitation and can fight again."""

    kind: ClassVar[str] = "whiskey.recovered"


class PhaseEnded(InConflict):
    """A phase ended, after its checks and damage; the next phase begins with new intents."""

    kind: ClassVar[str] = "whiskey.phase-ended"
    closing: ClassVar[bool] = True
    phase: Id


# --- decks and numbers ------------------------------------------------------------------------------------


class DeckReshuffled(Anywhere):
    """Discarded cards of a faction's deck went back into it; `half` is the half in play from now on.

    `spent` is the half whose cards went back; None for both halves.
    """

    kind: ClassVar[str] = "whiskey.deck-reshuffled"
    faction: str
    spent: Half | None = None
    half: Half
    why: Literal["spent", "battle", "session", "asked"]


class NumberSet(Event):
    """A ruling set a fighter's hit points to `value`."""

    kind: ClassVar[str] = "whiskey.number-set"
    sheet_of: ClassVar[str | None] = "who"
    who: Id
    what: Literal["hp"]
    value: Whole


EVENTS = kinds(vars())
