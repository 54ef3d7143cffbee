"""Bruise's own events."""

from __future__ import annotations

from typing import ClassVar, Literal

from journal.vocabulary.base import Event, Id, InConflict, PersonInConflict, Whole, Words, kinds

Potential = Literal["destiny", "fate"]
Suit = Literal["spades", "hearts", "diamonds", "clubs"]


class TraitsAssigned(PersonInConflict):
    """The traits a person draws for, and their number of cards."""

    kind: ClassVar[str] = "bruise.traits-assigned"
    attribute: str | None = None
    skill: str | None = None
    meme: str | None = None
    cards: Whole


class KarmaSpent(PersonInConflict):
    """A point of Karma is spent to discard cards; replacements follow. `left` points remain."""

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
    """One hand beat another: both Qualities, the winner's Quantity, and the suits to choose from.

    `quantity` is None if the cards were not recorded.
    """

    kind: ClassVar[str] = "bruise.hand-won"
    winner: Id
    loser: Id
    quality: Whole
    against: Whole
    quantity: Whole | None = None
    colours: tuple[Suit, ...]


class QuantitySaid(InConflict):
    """The winner states their Quantity, where the cards left it open."""

    kind: ClassVar[str] = "bruise.quantity-said"
    winner: Id
    loser: Id
    quantity: Whole


class ColorChosen(PersonInConflict):
    """The winner chose the suit that colours the outcome."""

    kind: ClassVar[str] = "bruise.color-chosen"
    colour: Suit


class ConflictTied(InConflict):
    """The conflict is tied to Destiny, Fate or (None) neither, for `people`, or if empty for each person."""

    kind: ClassVar[str] = "bruise.conflict-tied"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...] = ()
    potential: Potential | None = None
    text: Words | None = None


class TurnMeasured(InConflict):
    """A turn's length in the story, in the Tale Weaver's words."""

    kind: ClassVar[str] = "bruise.turn-measured"
    turn: Whole
    length: Words
    text: Words | None = None


class TurnEnded(InConflict):
    """A turn is over: all cards go back and every deck is shuffled."""

    kind: ClassVar[str] = "bruise.turn-ended"
    turn: Id


class LegacyAwarded(Event):
    """A person is given Legacy points for a narration; `total` is their new sum."""

    kind: ClassVar[str] = "bruise.legacy-awarded"
    who: Id
    points: Whole
    total: Whole


class WheelTilted(Event):
    """New ratings of a person's Wheel of Potential, with their Karma."""

    kind: ClassVar[str] = "bruise.wheel-tilted"
    who: Id
    destiny: Whole
    fate: Whole
    karma_destiny: Whole
    karma_fate: Whole


class KarmaRefilled(Event):
    """A session begins: these people's Karma is refilled to the Wheel's ratings."""

    kind: ClassVar[str] = "bruise.karma-refilled"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]


class NumberSet(Event):
    """A ruling set one of a person's numbers."""

    kind: ClassVar[str] = "bruise.number-set"
    who: Id
    what: Literal["legacy", "karma destiny", "karma fate"]
    value: Whole


EVENTS = kinds(vars())
