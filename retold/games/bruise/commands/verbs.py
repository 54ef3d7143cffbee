"""Commands of Bruise's own verbs."""

from __future__ import annotations

from typing import ClassVar, Literal

from retold.game import Command, OfPeople, Person, Whole, verbs
from retold.game import commands as c


class Quality(Command):
    """Show: alone, all do; with a rank, a hand not written down, and how many of its cards count."""

    verb: ClassVar[str] = "quality"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("qu",)
    form: ClassVar[str] = "[NAME:who [ANY:rank [INT:quantity [vs NAME:loser]]]]"
    example: ClassVar[str] = "quality Guards 9"
    more_examples: ClassVar[tuple[str, ...]] = ("quality",)
    who: Person | None = None
    rank: c.Data | None = None
    quantity: Whole | None = None
    loser: Person | None = None


class ChooseColour(Command):
    """Choose the suit that colours what you won, among those of your highest cards."""

    verb: ClassVar[str] = "colour"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("color", "col")
    form: ClassVar[str] = "[NAME:who] ANY:suit"
    example: ClassVar[str] = "colour hearts"
    more_examples: ClassVar[tuple[str, ...]] = ("colour Zel spades",)
    who: Person | None = None
    suit: c.Data


class SpendKarma(Command):
    """Spend a point of Karma: throw these cards away and draw as many anew."""

    verb: ClassVar[str] = "karma"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("ka",)
    form: ClassVar[str] = "NAME:who (destiny|fate):potential ANY:cards+ [= results] [: text]"
    example: ClassVar[str] = "karma Zel destiny 3D 4C = KS 9H"
    more_examples: ClassVar[tuple[str, ...]] = ("karma Zel fate 3D",)
    who: Person
    potential: Literal["destiny", "fate"]
    cards: tuple[c.Data, ...]
    results: tuple[str, ...] | None = None
    text: c.Text = None


class TieTo(Command):
    """Tie the open conflict to Destiny or Fate: that of one person or, without a name, of all."""

    verb: ClassVar[str] = "tie"
    form: ClassVar[str] = "[NAMES:who] (destiny|fate|neither):potential [: text]"
    example: ClassVar[str] = "tie Zel destiny: She was born in this tower."
    more_examples: ClassVar[tuple[str, ...]] = ("tie Zel+Ott neither",)
    who: tuple[Person, ...] = ()
    potential: Literal["destiny", "fate", "neither"]
    text: c.Text = None


class Lasts(Command):
    """Say how long this turn lasts in the story: an exchange of blows, a night, a war."""

    verb: ClassVar[str] = "lasts"
    form: ClassVar[str] = "PHRASE:length [: text]"
    example: ClassVar[str] = "lasts the whole night"
    more_examples: ClassVar[tuple[str, ...]] = ("lasts an exchange of blows: Nobody counts the hours.",)
    length: c.Data
    text: c.Text = None


class Tilt(Command):
    """Tilt a person's Wheel of Potential towards Destiny or Fate."""

    verb: ClassVar[str] = "tilt"
    short: ClassVar[tuple[str, ...]] = ("ti",)
    form: ClassVar[str] = "NAME:who (destiny|fate):potential [INT:by] [: text]"
    example: ClassVar[str] = "tilt Zel destiny"
    more_examples: ClassVar[tuple[str, ...]] = ("tilt Zel fate 2",)
    who: Person
    potential: Literal["destiny", "fate"]
    by: Whole = 1
    text: c.Text = None


class Award(OfPeople):
    """Give a person a Legacy point for what they told."""

    verb: ClassVar[str] = "award"
    short: ClassVar[tuple[str, ...]] = ("aw",)
    form: ClassVar[str] = "PEOPLE:who [INT:points] [: text]"
    example: ClassVar[str] = "award Zel"
    more_examples: ClassVar[tuple[str, ...]] = ("award Zel+Ott 2: For the ferry.",)
    who: Person
    points: Whole = 1
    text: c.Text = None


COMMANDS = verbs(vars())
