"""Commands that only Guenašk has, with their verbs and forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from msgspec.structs import force_setattr

from retold.game import Command, Person, Value, Whole, Words, verbs
from retold.game import commands as c
from retold.games.guenask.rules import Approach, Track
from retold.games.guenask.state import BELONGING, DANGER, TRAIT, split_key

_TRACK = f"({'|'.join(Track)})"
_LOOSE = "Dice that are on no sheet are rolled, without an approach: roll NAME 4d6."
_NOT_SPLIT = "One blow is not split over tracks: choose one of them, and say why."


class SetStakes(Command):
    """Set the stakes, for one person or for the whole table, unless the conflict's line has set them."""

    verb: ClassVar[str] = "stakes"
    short: ClassVar[tuple[str, ...]] = ("sk",)
    form: ClassVar[str] = "[NAME:who] : text"
    example: ClassVar[str] = "stakes Hana: The egg goes home with her, or she goes home without it."
    more_examples: ClassVar[tuple[str, ...]] = ("stakes: Whether the roof holds till morning.",)
    who: Person | None = None
    text: Words


class Brings(Command):
    """A command that may bring things in: from the sheet by name, or new with dice."""

    things: tuple[c.Data, ...] = ()
    setup: dict[str, Value] = {}
    dangerous: bool = False

    def __post_init__(self) -> None:
        """Replaces the flag `--dangerous` by the prefix `danger.` before each thing's name."""
        if self.dangerous:
            things = tuple(f"{DANGER}{_bare(name)}" for name in self.things)
            setup = {f"{DANGER}{_bare(key)}": dice for key, dice in self.setup.items()}
            for key, said in (("things", things), ("setup", setup), ("dangerous", False)):
                force_setattr(self, key, said)


_APPROACH = (
    "[NAME:who] (opposed|unopposed):stance (neutral|physical):means [with NAME:things*]"
    " --dangerous KEY=VALUE… [= results] [: text]"
)


class Approaches(Brings):
    """A command that chooses an approach, and may bring things in."""

    acting: ClassVar[bool] = True
    who: Person | None = None
    stance: Literal["opposed", "unopposed"]
    means: Literal["neutral", "physical"]
    results: tuple[str, ...] | None = None
    text: c.Text = None

    @property
    def approach(self) -> Approach:
        """The approach that the line names."""
        return Approach(f"{self.stance} {self.means}")


class Enter(Approaches):
    """Choose how you go about it, name what you bring, and roll; after = what the real dice showed."""

    verb: ClassVar[str] = "approach"
    short: ClassVar[tuple[str, ...]] = ("ap",)
    form: ClassVar[str] = _APPROACH
    example: ClassVar[str] = "approach Hana opposed neutral with brother = 1 2 2 3 4 4 7"
    more_examples: ClassVar[tuple[str, ...]] = ("approach Hana unopposed physical with legs lantern",)
    mistakes: ClassVar[Mapping[str, str]] = {"NAME:who DICE:dice [= results] [: text]": _LOOSE}


class Escalate(Approaches):
    """On your raise or see, go about it otherwise, and roll what you have not rolled yet."""

    verb: ClassVar[str] = "escalate"
    short: ClassVar[tuple[str, ...]] = ("es",)
    form: ClassVar[str] = _APPROACH
    example: ClassVar[str] = "escalate Hana unopposed physical with legs = 1 3 4 5 5 5 6 4"
    more_examples: ClassVar[tuple[str, ...]] = ("escalate Thoss opposed physical",)


class Bring(Brings):
    """On your raise or see, bring something in and roll it; --dangerous makes all blows cost more."""

    verb: ClassVar[str] = "bring"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("bg",)
    form: ClassVar[str] = "NAME:who NAME:things* --dangerous KEY=VALUE… [= results] [: text]"
    example: ClassVar[str] = "bring Thoss pistol=1d4+1d8 --dangerous = 3 7"
    more_examples: ClassVar[tuple[str, ...]] = ("bring Hana lantern",)
    who: Person
    results: tuple[str, ...] | None = None
    text: c.Text = None


def _bare(name: str) -> str:
    """Returns `name` without a prefix `obj.`, `danger.` or `trait.`; `rel.` stays, to be refused later."""
    prefix, bare = split_key(name)
    return bare if prefix in (BELONGING, DANGER, TRAIT) else name


class Raise(Command):
    """Put two dice forward and say what you do; name those it affects if there are several, or raise none."""

    verb: ClassVar[str] = "raise"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("ra",)
    form: ClassVar[str] = "[NAME:who] (SUM:forward [NAMES:affected] | none:nothing) [: text]"
    example: ClassVar[str] = "raise 4+3: She is the last one."
    more_examples: ClassVar[tuple[str, ...]] = ("raise none",)
    who: Person | None = None
    forward: c.Data | None = None
    affected: tuple[Person, ...] = ()
    nothing: c.Data | None = None
    text: c.Text = None


class See(Command):
    """Answer a raise: one die reverses it, two block it, three or more take the blow; see none loses."""

    verb: ClassVar[str] = "see"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("se",)
    form: ClassVar[str] = "[NAME:who] (SUM:forward [NAME:track] | none:nothing) [: text]"
    example: ClassVar[str] = "see 6: Is that a threat?"
    more_examples: ClassVar[tuple[str, ...]] = ("see 2+3 social: It stings.",)
    mistakes: ClassVar[Mapping[str, str]] = {
        f"[NAME:who] SUM:forward {_TRACK}:track [and] {_TRACK}:more [: text]": _NOT_SPLIT,
        "[NAME:who] SUM:forward NAMES:tracks [: text]": _NOT_SPLIT,
    }
    who: Person | None = None
    forward: c.Data | None = None
    track: c.Data | None = None
    nothing: c.Data | None = None
    text: c.Text = None


class TakeFallout(Command):
    """Say which track a blow's fallout goes into, and why."""

    verb: ClassVar[str] = "fallout"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("fo",)
    form: ClassVar[str] = "NAME:who [NAME:track] [: text]"
    example: ClassVar[str] = "fallout Hana social: The whole quay heard her beg."
    more_examples: ClassVar[tuple[str, ...]] = ("fallout Thoss",)
    mistakes: ClassVar[Mapping[str, str]] = {
        f"NAME:who {_TRACK}:track [and] {_TRACK}:more [: text]": _NOT_SPLIT,
        "NAME:who NAMES:tracks [: text]": _NOT_SPLIT,
    }
    who: Person
    track: c.Data | None = None
    text: c.Text = None


class NameCondition(Command):
    """Say what a full row of fallout means."""

    verb: ClassVar[str] = "condition"
    short: ClassVar[tuple[str, ...]] = ("cn",)
    form: ClassVar[str] = "NAME:who [NAME:track] : text"
    example: ClassVar[str] = "condition Hana social: Laughed at on the docks"
    more_examples: ClassVar[tuple[str, ...]] = ("condition Thoss: Nobody drinks with him now",)
    who: Person
    track: c.Data | None = None
    text: Words


class Give(Command):
    """Give up: you lose the stakes without fallout. Possible at any time."""

    verb: ClassVar[str] = "give"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("g",)
    form: ClassVar[str] = "[NAME:who] [: text]"
    example: ClassVar[str] = "give Thoss: Take it, then."
    more_examples: ClassVar[tuple[str, ...]] = ("give",)
    who: Person | None = None
    text: c.Text = None


class Resist(Command):
    """Cancel a blow's fallout with one die greater than the fallout."""

    verb: ClassVar[str] = "resist"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("re",)
    form: ClassVar[str] = "[NAME:who] INT:die [: text]"
    example: ClassVar[str] = "resist 5"
    more_examples: ClassVar[tuple[str, ...]] = ("resist Hana 6: She has heard worse.",)
    who: Person | None = None
    die: Whole | None = None
    text: c.Text = None


COMMANDS = verbs(vars())
