"""Event classes of Bruise: hands, Karma, results, Legacy and the Wheel."""

from __future__ import annotations

from typing import ClassVar, Literal

from retold.game import Event, Id, InConflict, PersonInConflict, Whole, Words, kinds

Potential = Literal["destiny", "fate"]
Suit = Literal["spades", "hearts", "diamonds", "clubs"]


class TraitsAssigned(PersonInConflict):
    """A person's next draw is set: `cards` cards, for attribute plus skill, or a meme replacing either."""

    kind: ClassVar[str] = "bruise.traits-assigned"
    attribute: str | None = None
    skill: str | None = None
    meme: str | None = None
    cards: Whole


class KarmaSpent(PersonInConflict):
    """A point of Karma is spent to discard cards of one's hand; `left` points of that kind remain.

    A CardsDrawn event with as many new cards follows.
    """

    kind: ClassVar[str] = "bruise.karma-spent"
    potential: Potential
    discarded: tuple[str, ...]
    left: Whole


class QualityDeclared(PersonInConflict):
    """A person shows their hand: its highest rank, 0..15, is fixed as its Quality.

    `quantity` is stated only if cards of the hand were not recorded.
    """

    kind: ClassVar[str] = "bruise.quality-declared"
    quality: Whole
    quantity: Whole | None = None


class HandsTied(InConflict):
    """The hands of `one` and `other` have equal Quality.

    With `redraw` both draw again, otherwise a ruling decides.
    """

    kind: ClassVar[str] = "bruise.hands-tied"
    one: Id
    other: Id
    quality: Whole
    redraw: bool = False


class HandWon(InConflict):
    """`winner`'s hand, of Quality `quality`, beat `loser`'s hand, of Quality `against`.

    `quantity` is the number of the winner's cards that reach `against`; None if it depends on cards that were
    not recorded. `colours` are the suits of the winner's highest cards, one of which colours the outcome.
    """

    kind: ClassVar[str] = "bruise.hand-won"
    winner: Id
    loser: Id
    quality: Whole
    against: Whole
    quantity: Whole | None = None
    colours: tuple[Suit, ...]


class QuantitySaid(InConflict):
    """The winner states how many of their cards reached the loser's Quality, if cards were unrecorded."""

    kind: ClassVar[str] = "bruise.quantity-said"
    winner: Id
    loser: Id
    quantity: Whole


class ColorChosen(PersonInConflict):
    """The winner chose the suit that sets the mood of the outcome."""

    kind: ClassVar[str] = "bruise.color-chosen"
    colour: Suit


class ConflictTied(InConflict):
    """The conflict is tied to Destiny or Fate: Karma points of that kind can be spent in this conflict.

    A `potential` of None ties it to neither. Empty `people` means each person in the conflict.
    """

    kind: ClassVar[str] = "bruise.conflict-tied"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...] = ()
    potential: Potential | None = None
    text: Words | None = None


class TurnMeasured(InConflict):
    """The Tale Weaver says how long a turn lasts in the story, such as `the whole night`."""

    kind: ClassVar[str] = "bruise.turn-measured"
    turn: Whole
    length: Words
    text: Words | None = None


class TurnEnded(InConflict):
    """A turn is over: the cards of this conflict go back into their decks."""

    kind: ClassVar[str] = "bruise.turn-ended"
    closing: ClassVar[bool] = True
    turn: Id


class LegacyAwarded(Event):
    """A person is given Legacy points for good narration; `total` is the number they hold now."""

    kind: ClassVar[str] = "bruise.legacy-awarded"
    who: Id
    points: Whole
    total: Whole


class WheelTilted(Event):
    """A person's Wheel of Potential has new ratings of Destiny and Fate.

    Their Karma points, capped at these ratings, are recorded with it.
    """

    kind: ClassVar[str] = "bruise.wheel-tilted"
    who: Id
    destiny: Whole
    fate: Whole
    karma_destiny: Whole
    karma_fate: Whole


class KarmaRefilled(Event):
    """At a session's start, the Karma points of `people` rise to the ratings on their Wheels."""

    kind: ClassVar[str] = "bruise.karma-refilled"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]


class NumberSet(Event):
    """A ruling set a person's Legacy or one kind of their Karma to `value`."""

    kind: ClassVar[str] = "bruise.number-set"
    who: Id
    what: Literal["legacy", "karma destiny", "karma fate"]
    value: Whole


EVENTS = kinds(vars())
