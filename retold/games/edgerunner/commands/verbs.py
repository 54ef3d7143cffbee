"""Commands of Edgerunner's own verbs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final, Literal, Self

from retold.game import Command, KnownThing, Person, Thing, Value, Whole, ZoneName, verbs
from retold.game import commands as c

Results = tuple[str, ...] | None


class ByPerson(Command):
    """Base class of commands that one person gives, with words about it."""

    acting: ClassVar[bool] = True
    who: Person
    text: c.Text = None


class OfConsequence(ByPerson):
    """Base class of commands that word a consequence, by its severity."""

    mild: c.Data | None = None
    moderate: c.Data | None = None
    severe: c.Data | None = None


class Taking(OfConsequence):
    """Base class of commands that take stress and consequences."""

    tracks: tuple[c.Data, ...] = ()
    amounts: tuple[Whole, ...] = ()


# --- the place --------------------------------------------------------------------------------------------


class MapZones(Command):
    """Draw zones and the borders between them: a pass value each, or one for each direction; --gone wipes."""

    verb: ClassVar[str] = "map"
    form: ClassVar[str] = "NAME:zones (PASS:passes NAME:zones)* --gone KEY=VALUE… [: text]"
    example: ClassVar[str] = "map Dock 3 Aisle open:1,break:4 Office"
    more_examples: ClassVar[tuple[str, ...]] = ("map Dock 1 Aisle",)
    zones: tuple[ZoneName, ...]
    passes: tuple[c.Data, ...] = ()
    gone: bool = False
    setup: dict[str, Value] = {}
    text: c.Text = None


class PlaceAspect(Command):
    """Put an aspect on a person or a thing, by a declaration if there are dice; --gone removes one."""

    verb: ClassVar[str] = "aspect"
    short: ClassVar[tuple[str, ...]] = ("asp",)
    form: ClassVar[str] = "NAME:thing PHRASE:aspect --support --oppose --gone [= results] [: text]"
    example: ClassVar[str] = "aspect Warehouse Ankle-deep in oil"
    more_examples: ClassVar[tuple[str, ...]] = ("aspect Hargan fired once --gone: He has his job back.",)
    thing: Thing
    aspect: c.Data
    by: Person | None = None
    support: Whole | None = None
    oppose: Whole | None = None
    gone: bool = False
    results: Results = None
    text: c.Text = None


# --- whose turn it is -------------------------------------------------------------------------------------


class BeginExchange(Command):
    """Begin an exchange: all act once in it; say how long it is, in the words of the time track."""

    verb: ClassVar[str] = "exchange"
    short: ClassVar[tuple[str, ...]] = ("ex",)
    form: ClassVar[str] = "[PHRASE:length] [: text]"
    example: ClassVar[str] = "exchange a few moments"
    more_examples: ClassVar[tuple[str, ...]] = ("exchange",)
    length: c.Data | None = None
    text: c.Text = None


class ClaimTurn(Command):
    """Say who is next; if several want it, each with the shifts they bid."""

    verb: ClassVar[str] = "next"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("nx",)
    form: ClassVar[str] = "NAME:who [INT:bid] (NAME:rivals INT:bids)* [: text]"
    example: ClassVar[str] = "next Gatto 2 Hargan 1"
    more_examples: ClassVar[tuple[str, ...]] = ("next Jade",)
    version: ClassVar[int] = 2
    who: Person
    bid: Whole | None = None
    rivals: tuple[Person, ...] = ()
    bids: tuple[Whole, ...] = ()
    text: c.Text = None
    tied_bid_lost: bool = False
    """True in a record of version 1, where a name alone after tied bids cost nothing."""

    @classmethod
    def from_version(cls, version: int, fields: dict[str, Any]) -> dict[str, Any]:
        """Converts version 1 fields: a name alone then cost nothing after tied bids."""
        return {**fields, "tied_bid_lost": True} if version == 1 and "bid" not in fields else fields

    def sayings(self) -> Iterator[Self]:
        """Yields the command as it is said today, for a record of version 1."""
        if self.tied_bid_lost:
            yield self.but({"tied_bid_lost": False})


# --- acts: announced and rolled in one line ---------------------------------------------------------------


_ROLLED: Final = " --interrupt --extra --upgrade --against [= results] [: text]"


class Act(ByPerson):
    """An act that is rolled: announced and rolled by one verb."""

    skill: c.Data | None = None
    interrupt: bool = False
    extra: bool = False
    upgrade: c.Data | None = None
    against: c.Data | None = None
    results: Results = None


class Move(Act):
    """Move, or move another person, over the zones named; --free is the free move, without a roll."""

    verb: ClassVar[str] = "move"
    short: ClassVar[tuple[str, ...]] = ("mv",)
    form: ClassVar[str] = f"NAME:who [NAMES:whom] to PLACE:zones+ [with NAME:skill] --free{_ROLLED}"
    example: ClassVar[str] = "move Gatto to Aisle Office with athletics = +0--"
    more_examples: ClassVar[tuple[str, ...]] = ("move Gatto to Aisle --free",)
    whom: tuple[Person, ...] = ()
    zones: tuple[c.Data, ...]
    free: bool = False


class Attack(Act):
    """Attack a track of a person or thing; without one, the track that the latest attacks share."""

    verb: ClassVar[str] = "attack"
    short: ClassVar[tuple[str, ...]] = ("at",)
    form: ClassVar[str] = f"NAME:who NAME:thing [NAME:track] [with NAME:skill]{_ROLLED}"
    example: ClassVar[str] = "attack Hargan Gatto cool with firearms = ++00"
    more_examples: ClassVar[tuple[str, ...]] = ("attack Hargan Gatto cool = ++00: Two shots, low.",)
    thing: Thing
    track: c.Data | None = None


class Defend(Act):
    """Defend a track, your own or another person's: the shifts are its threshold while you keep at it."""

    verb: ClassVar[str] = "defend"
    short: ClassVar[tuple[str, ...]] = ("df",)
    form: ClassVar[str] = f"NAME:who [NAME:thing] NAME:track [with NAME:skill]{_ROLLED}"
    example: ClassVar[str] = "defend Gatto cool with firearms = +0-0"
    more_examples: ClassVar[tuple[str, ...]] = ("defend Gatto Jade cool with firearms",)
    thing: Thing | None = None
    track: c.Data


class Maneuver(Act):
    """Put an aspect on a person or thing on the map; the shifts give free invokes."""

    verb: ClassVar[str] = "maneuver"
    short: ClassVar[tuple[str, ...]] = ("mn",)
    form: ClassVar[str] = f"NAME:who NAME:thing as ANY:aspect [with NAME:skill]{_ROLLED}"
    example: ClassVar[str] = 'maneuver Jade Hargan as "Blind with steam" with deception = ++00'
    more_examples: ClassVar[tuple[str, ...]] = ('maneuver Jade Dock as "Full of steam" with deception',)
    thing: Thing
    aspect: c.Data


class Recover(Act):
    """Clear stress boxes of a track, your own or another person's, who act with you; a foe if --agreed."""

    verb: ClassVar[str] = "recover"
    short: ClassVar[tuple[str, ...]] = ("rc",)
    form: ClassVar[str] = f"NAME:who [NAME:thing] NAME:track [with NAME:skill] --agreed{_ROLLED}"
    example: ClassVar[str] = "recover Gatto cool with resolve = ++0-"
    more_examples: ClassVar[tuple[str, ...]] = ("recover Gatto Jade cool with empathy = ++0-",)
    thing: Thing | None = None
    track: c.Data
    agreed: bool = False


class Deploy(Act):
    """Bring a faction's asset onto the map; it acts from the next exchange on."""

    verb: ClassVar[str] = "deploy"
    short: ClassVar[tuple[str, ...]] = ("dp",)
    form: ClassVar[str] = f"NAME:who NAME:asset to NAME:zones [with NAME:skill]{_ROLLED}"
    example: ClassVar[str] = "deploy Corp drones to Dock with logistics = +000"
    more_examples: ClassVar[tuple[str, ...]] = ("deploy Corp drones to Dock",)
    asset: Person
    zones: tuple[c.Data, ...]


class Simple(ByPerson):
    """Do something without a roll, or wait: your action in this exchange."""

    verb: ClassVar[str] = "simple"
    form: ClassVar[str] = "NAME:who [: text]"
    example: ClassVar[str] = "simple Jade: She bolts the door."
    more_examples: ClassVar[tuple[str, ...]] = ("simple Hargan",)


class Continue(ByPerson):
    """Continue your act of the last exchange: no dice, the same shifts, a new purpose if you give one."""

    verb: ClassVar[str] = "continue"
    short: ClassVar[tuple[str, ...]] = ("ct",)
    form: ClassVar[str] = "NAME:who [NAME:track] [as ANY:aspect] [to PLACE:zones+] [: text]"
    example: ClassVar[str] = "continue Gatto"
    more_examples: ClassVar[tuple[str, ...]] = ("continue Gatto to Aisle",)
    track: c.Data | None = None
    aspect: c.Data | None = None
    zones: tuple[c.Data, ...] = ()


class Forfeit(Command):
    """Let the announced act go: the turn is over."""

    verb: ClassVar[str] = "forfeit"
    acting: ClassVar[bool] = True
    form: ClassVar[str] = "[NAME:who] [: text]"
    example: ClassVar[str] = "forfeit Gatto: The shelf has come down where I stood."
    more_examples: ClassVar[tuple[str, ...]] = ("forfeit",)
    who: Person | None = None
    text: c.Text = None


# --- while a roll is open ---------------------------------------------------------------------------------


class Invoke(ByPerson):
    """Bring an aspect to bear on the open roll: 2 shifts, or with --reroll all the dice again.

    A target who helps says --more, one who resists --less.
    """

    verb: ClassVar[str] = "invoke"
    short: ClassVar[tuple[str, ...]] = ("in",)
    form: ClassVar[str] = "NAME:who PHRASE:aspect --free --reroll --more --less [= results] [: text]"
    example: ClassVar[str] = "invoke Hargan fired once --reroll = ++0-"
    more_examples: ClassVar[tuple[str, ...]] = ("invoke Jade Full of steam --free: Nobody sees her.",)
    version: ClassVar[int] = 2
    aspect: c.Data
    free: bool = False
    reroll: bool = False
    more: bool | Literal["unasked"] = False
    """`unasked` in a record of version 1, where an invoke by an ally always helped."""
    less: bool = False
    results: Results = None

    @classmethod
    def from_version(cls, version: int, fields: dict[str, Any]) -> dict[str, Any]:
        """Converts version 1 fields: an invoke by an ally always helped then."""
        return {**fields, "more": "unasked"} if version == 1 else fields

    def sayings(self) -> Iterator[Self]:
        """Yields the command without, then with `--more`, for a record of version 1."""
        if self.more == "unasked":
            yield from (self.but({"more": False}), self.but({"more": True}))


class Boost(Taking):
    """Take stress or a consequence to gain as many shifts on your own roll."""

    verb: ClassVar[str] = "boost"
    short: ClassVar[tuple[str, ...]] = ("bo",)
    form: ClassVar[str] = (
        "NAME:who (mild as ANY:mild | moderate as ANY:moderate | severe as ANY:severe"
        " | NAME:tracks INT:amounts)+ [: text]"
    )
    example: ClassVar[str] = 'boost Gatto cool 2 mild as "Torn sleeve"'
    more_examples: ClassVar[tuple[str, ...]] = ("boost Hargan resolve 1",)


class SpendSpin(ByPerson):
    """Spend a spin that the other side's bad roll gave: 1 shift more."""

    verb: ClassVar[str] = "spin"
    short: ClassVar[tuple[str, ...]] = ("sp",)
    form: ClassVar[str] = "NAME:who [: text]"
    example: ClassVar[str] = "spin Hargan"
    more_examples: ClassVar[tuple[str, ...]] = ("spin Jade: His shot goes wide.",)


class Apply(Command):
    """End the open roll: its shifts do what they do; name the boxes a recovery clears."""

    verb: ClassVar[str] = "apply"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("ok",)
    form: ClassVar[str] = "INT:boxes* [: text]"
    example: ClassVar[str] = "apply 1 3: He breathes again."
    more_examples: ClassVar[tuple[str, ...]] = ("apply",)
    boxes: tuple[Whole, ...] = ()
    text: c.Text = None


# --- outside a conflict -----------------------------------------------------------------------------------


class Assess(ByPerson):
    """Study a person or thing: gain free invokes of an aspect already there."""

    verb: ClassVar[str] = "assess"
    short: ClassVar[tuple[str, ...]] = ("ass",)
    form: ClassVar[str] = (
        "NAME:who NAME:thing as ANY:aspect with NAME:skill [vs (INT:target | NAME:opposing)]"
        " [= results] [: text]"
    )
    example: ClassVar[str] = 'assess Jade Hargan as "Owes the bank" with empathy vs 2 = +++-'
    more_examples: ClassVar[tuple[str, ...]] = (
        'assess Jade Hargan as "Owes the bank" with empathy vs Hargan',
    )
    thing: Thing
    aspect: c.Data
    skill: c.Data
    target: Whole | None = None
    opposing: c.Data | None = None
    results: Results = None


class Spend(ByPerson):
    """Spend the shifts of the last roll: on time, on a number of something, or on a better result."""

    verb: ClassVar[str] = "spend"
    form: ClassVar[str] = "NAME:who (NAME:on INT:shifts)+ [: text]"
    example: ClassVar[str] = "spend Tess integrity 3 anti-intrusion 1: It will hold."
    more_examples: ClassVar[tuple[str, ...]] = ("spend Tess time 2",)
    on: tuple[c.Data, ...]
    shifts: tuple[Whole, ...]


class Alter(OfConsequence):
    """Make a consequence milder by the roll that has just succeeded against its worth."""

    verb: ClassVar[str] = "alter"
    form: ClassVar[str] = (
        "NAME:who (mild as ANY:mild | moderate as ANY:moderate | severe as ANY:severe) [: text]"
    )
    example: ClassVar[str] = 'alter Gatto severe as "An arm in a sling"'
    more_examples: ClassVar[tuple[str, ...]] = ('alter Gatto moderate as "A stiff shoulder"',)


class Merge(c.Merge):
    """Make one lot of mooks of several: two of a threat level are one of the next."""

    verb: ClassVar[str] = "merge"
    form: ClassVar[str] = "NAMES:who [: text]"
    example: ClassVar[str] = "merge Drones+Sentries"
    more_examples: ClassVar[tuple[str, ...]] = ("merge Drones+Sentries+Dogs: They come in one pack.",)
    who: tuple[Person, ...] = ()


class Place(c.KeepPlace):
    """Put people or things into a zone, without a move; quote a new thing."""

    verb: ClassVar[str] = "place"
    form: ClassVar[str] = "NAMES:who [in] NAME:zone [: text]"
    example: ClassVar[str] = "place Gatto+Jade Dock"
    more_examples: ClassVar[tuple[str, ...]] = ('place "Cargo drone" Aisle',)
    who: tuple[KnownThing, ...] = ()
    zone: c.Data | None = None


class Declare(c.Declare):
    """Announce an act, so that compels can come before its dice; roll follows."""

    verb: ClassVar[str] = "declare"
    form: ClassVar[str] = (
        "NAME:who (move:act [NAMES:whom] to PLACE:zones+ [with NAME:skill]"
        " | attack:act NAME:thing [NAME:track] [with NAME:skill]"
        " | defend:act [NAME:thing] NAME:track [with NAME:skill]"
        " | maneuver:act NAME:thing as ANY:aspect [with NAME:skill]"
        " | recover:act [NAME:thing] NAME:track [with NAME:skill]"
        " | deploy:act NAME:asset to NAME:zones [with NAME:skill]"
        " | continue:act [NAME:track] [as ANY:aspect] [to PLACE:zones+] | simple:act)"
        " --interrupt --agreed --extra --upgrade --against [: text]"
    )
    example: ClassVar[str] = "declare Gatto move to Aisle with athletics: Over the crates."
    more_examples: ClassVar[tuple[str, ...]] = (
        "declare Hargan attack Gatto cool with firearms: He does not wait.",
    )
    act: c.Data | None = None
    whom: tuple[Person, ...] = ()
    thing: Thing | None = None
    track: c.Data | None = None
    aspect: c.Data | None = None
    zones: tuple[c.Data, ...] = ()
    asset: Person | None = None
    skill: c.Data | None = None
    interrupt: bool = False
    agreed: bool = False
    extra: bool = False
    upgrade: c.Data | None = None
    against: c.Data | None = None


class Roll(c.Roll):
    """Roll the dice of the act announced, or for a skill: against nothing, a number or a person."""

    verb: ClassVar[str] = "roll"
    form: ClassVar[str] = (
        "NAME:who TRAITS:traits [vs (INT:target | NAME:opponent [NAME:skill])]"
        " --upgrade KEY=VALUE… [= results] [: text]"
    )
    example: ClassVar[str] = "roll Vera athletics vs Hob stealth = ++-0"
    more_examples: ClassVar[tuple[str, ...]] = ("roll Vera athletics vs 2",)
    traits: tuple[c.Data, ...] = ()
    target: Whole | None = None
    opponent: Person | None = None
    skill: c.Data | None = None
    upgrade: c.Data | None = None
    setup: dict[str, Value] = {}


class Resist(Taking):
    """Take stress and consequences for the shifts of a roll against you; without an amount, all of it."""

    verb: ClassVar[str] = "resist"
    short: ClassVar[tuple[str, ...]] = ("re",)
    form: ClassVar[str] = (
        "NAME:who [(NAME:tracks | (mild as ANY:mild | moderate as ANY:moderate | severe as ANY:severe"
        " | NAME:tracks INT:amounts)+)] --for --upgrade [: text]"
    )
    example: ClassVar[str] = 'resist Gatto cool 2 mild as "Torn sleeve"'
    more_examples: ClassVar[tuple[str, ...]] = ("resist Gatto cool", "resist Gatto resolve 1 --for Jade")
    comrade: Person | None = None
    upgrade: c.Data | None = None


COMMANDS = verbs(vars())
