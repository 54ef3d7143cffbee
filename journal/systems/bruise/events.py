"""What can happen in a Bruise conflict, beside the shared words."""

from __future__ import annotations

from typing import ClassVar, Literal

from journal.vocabulary.base import Event, Id, InConflict, PersonInConflict, Whole, Words, kinds

Potential = Literal["destiny", "fate"]
Suit = Literal["spades", "hearts", "diamonds", "clubs"]


class TraitsAssigned(PersonInConflict):
    """The Tale Weaver said what a side draws for, and how many cards that is."""

    kind: ClassVar[str] = "bruise.traits-assigned"
    attribute: str | None = None
    skill: str | None = None
    meme: str | None = None
    cards: Whole


class KarmaSpent(PersonInConflict):
    """A point of Karma went, and these cards with it; as many new ones follow. `left` points remain."""

    kind: ClassVar[str] = "bruise.karma-spent"
    potential: Potential
    discarded: tuple[str, ...]
    left: Whole


class QualityDeclared(PersonInConflict):
    """A hand is locked at its highest rank, 0..14; `quantity` only where its cards were not written down."""

    kind: ClassVar[str] = "bruise.quality-declared"
    quality: Whole
    quantity: Whole | None = None


class HandsTied(InConflict):
    """Two hands show the same Quality. `redraw`: both draw again, else the table must rule."""

    kind: ClassVar[str] = "bruise.hands-tied"
    one: Id
    other: Id
    quality: Whole
    redraw: bool = False


class HandWon(InConflict):
    """One hand beat another: Quality against Quality, how many cards reach it, the suits to choose among.

    `quantity` is None where nobody wrote the cards down.
    """

    kind: ClassVar[str] = "bruise.hand-won"
    winner: Id
    loser: Id
    quality: Whole
    against: Whole
    quantity: Whole | None = None
    colours: tuple[Suit, ...]


class QuantitySaid(InConflict):
    """The winner said how many of their cards reach the loser's Quality, where the cards left it open."""

    kind: ClassVar[str] = "bruise.quantity-said"
    winner: Id
    loser: Id
    quantity: Whole


class ColorChosen(PersonInConflict):
    """The winner chose the suit that colours the outcome."""

    kind: ClassVar[str] = "bruise.color-chosen"
    colour: Suit


class ConflictTied(InConflict):
    """The conflict is tied to an end of the Wheel, or (None) to neither: for `people`, or for all."""

    kind: ClassVar[str] = "bruise.conflict-tied"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...] = ()
    potential: Potential | None = None
    text: Words | None = None


class TurnMeasured(InConflict):
    """How long a turn lasts in the story, in the Tale Weaver's words."""

    kind: ClassVar[str] = "bruise.turn-measured"
    turn: Whole
    length: Words
    text: Words | None = None


class TurnEnded(InConflict):
    """A turn is over: all cards go back and every deck is shuffled."""

    kind: ClassVar[str] = "bruise.turn-ended"
    turn: Id


class LegacyAwarded(Event):
    """The table thanks somebody for a good telling; they now hold `total` Legacy points."""

    kind: ClassVar[str] = "bruise.legacy-awarded"
    who: Id
    points: Whole
    total: Whole


class WheelTilted(Event):
    """Somebody's Wheel of Potential stands like this now, and their Karma with it."""

    kind: ClassVar[str] = "bruise.wheel-tilted"
    who: Id
    destiny: Whole
    fate: Whole
    karma_destiny: Whole
    karma_fate: Whole


class KarmaRefilled(Event):
    """An evening began, and these people hold as much Karma as their Wheel allows."""

    kind: ClassVar[str] = "bruise.karma-refilled"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]


class NumberSet(Event):
    """A ruling set one number of somebody's."""

    kind: ClassVar[str] = "bruise.number-set"
    who: Id
    what: Literal["legacy", "karma destiny", "karma fate"]
    value: Whole


EVENTS = kinds(vars())
