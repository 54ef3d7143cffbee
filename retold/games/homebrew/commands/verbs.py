"""Commands of homebrew games; a command class's docstring is the help of its verb."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, ClassVar, Final, Literal, Self

from retold.games.homebrew.events import ConditionChanged, GameChosen, InitiativeRolled, TrackChanged
from retold.games.homebrew.options import FILE, built_in_game, game_as_json, read_game
from retold.journal.refused import Refused, none_if_refused
from retold.journal.visibility import is_secret_number
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import (
    ClockName,
    Command,
    Event,
    OfPeople,
    OfSeveral,
    Person,
    Thing,
    Whole,
    verbs,
)


class ChooseGame(Command):
    """Play d20, fate, moves, percentile, plain, pool or sixes from now on, or a game in a TOML file."""

    verb: ClassVar[str] = "game"
    form: ClassVar[str] = "ANY:game [: text]"
    example: ClassVar[str] = "game moves"
    more_examples: ClassVar[tuple[str, ...]] = ("game tides.toml",)
    game: c.Data
    text: c.Text = None

    def with_file(self, read_file: Callable[[str], bytes]) -> Command:
        """Returns the command with the game from its TOML file as JSON; unchanged for a shipped game's name.

        Raises Refused if the file is not a valid game.
        """
        if not self.game.endswith(FILE):
            return self
        name = self.game.replace("\\", "/").rpartition("/")[2]
        return self.but({"game": game_as_json(read_game(read_file(self.game), name))})

    def as_recorded(self, events: Sequence[Event]) -> Command:
        """Returns the command with the game recorded in `events`, if the shipped game has changed since."""
        kept = next((event.definition for event in events if isinstance(event, GameChosen)), None)
        if (
            kept is None
            or self.game.startswith("{")
            or kept == none_if_refused(lambda: game_as_json(built_in_game(self.game)))
        ):
            return self
        return self.but({"game": kept})


class Keep(OfPeople):
    """Set or change a track: hp 9/12 sets value and maximum, -3 or +1d8 changes it, on or off switches it."""

    verb: ClassVar[str] = "track"
    hideable: ClassVar[bool] = True
    asks: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("tk",)
    form: ClassVar[str] = "PEOPLE:who NAME:track ANY:value [= results] [: text]"
    example: ClassVar[str] = "track Thia hp -5: An arrow out of the dark."
    more_examples: ClassVar[tuple[str, ...]] = ("track Thia hp 9/12", "track Thia hp +1d8+3 = 5")
    who: Person
    track: c.Data
    value: c.Data
    results: tuple[str, ...] | None = None
    text: c.Text = None


class FillPurse(Command):
    """Put something into the party's purse or take it out (+12, -5), or say how much is in it (12)."""

    verb: ClassVar[str] = "purse"
    asks: ClassVar[bool] = True
    hideable: ClassVar[bool] = True
    form: ClassVar[str] = "NAME:track ANY:value [: text]"
    example: ClassVar[str] = "purse gold +12: What the eel had swallowed."
    more_examples: ClassVar[tuple[str, ...]] = ("purse gold 40",)
    track: c.Data
    value: c.Data
    text: c.Text = None


_COUNTED: Final = "(NAME:track INT:amount | INT:amount NAME:track)"


class Pay(OfSeveral):
    """Give a person's coin or another counter to others, the same amount to each; `give` is another name."""

    verb: ClassVar[str] = "pay"
    hideable: ClassVar[bool] = True
    form: ClassVar[str] = (
        f"{_COUNTED} (from NAME:giver to PEOPLE:taker | to PEOPLE:taker from NAME:giver) [: text]"
    )
    example: ClassVar[str] = "pay gold 5 from Thia to Osk: Her half of the room."
    more_examples: ClassVar[tuple[str, ...]] = ("pay 2 gold to Osk from Thia",)
    several: ClassVar[str] = "taker"
    further: ClassVar[Mapping[str, str]] = {"taker": "also"}
    mistakes: ClassVar[Mapping[str, str]] = {
        f"{_COUNTED} to NAME:taker [: text]": "Say from whom: give {track} {amount} from NAME to {taker}.",
        f"{_COUNTED} from NAME:giver [: text]": (
            "Say to whom: give {track} {amount} from {giver} to NAME. To spend it: {track} {giver} -{amount}."
        ),
    }
    track: c.Data
    amount: Whole
    giver: Person
    taker: Person
    also: tuple[Person, ...] = ()
    text: c.Text = None


class Clock(Command):
    """Start a clock that belongs to no character, fill some of its segments, or put it away with done."""

    verb: ClassVar[str] = "clock"
    asks: ClassVar[bool] = True
    hideable: ClassVar[bool] = True
    form: ClassVar[str] = "ANY:name ANY:value [: text]"
    example: ClassVar[str] = 'clock "The guard wakes" +1'
    more_examples: ClassVar[tuple[str, ...]] = ('clock "The guard wakes" 6',)
    name: ClockName
    value: c.Data
    text: c.Text = None


class SetCondition(Command):
    """Give people a condition such as poisoned; off ends it."""

    verb: ClassVar[str] = "status"
    hideable: ClassVar[bool] = True
    form: ClassVar[str] = "NAMES:who NAME:condition [(on|off):to] [: text]"
    example: ClassVar[str] = "status Thia poisoned: The darts were not for show."
    more_examples: ClassVar[tuple[str, ...]] = ("status Thia poisoned off",)
    who: tuple[Person, ...]
    condition: c.Data
    to: Literal["on", "off"] | None = None
    text: c.Text = None
    told_first: bool = False
    """True in a record of before 29 November 2026 with its text on the event of a secret person."""

    def as_recorded(self, events: Sequence[Event]) -> Command:
        """Returns the command with its text where it was recorded: with the first, or the first known."""
        changed = [event for event in events if isinstance(event, ConditionChanged | TrackChanged)]
        first = next(iter(changed), None)
        is_secret = first is not None and is_secret_number(first.who) and first.text is not None
        others_known = any(not is_secret_number(event.who) for event in changed)
        return self.but({"told_first": True}) if is_secret and others_known else self


class TakeRest(Command):
    """Rest: tracks recover and conditions end as the game says, for people named or all who have players."""

    verb: ClassVar[str] = "rest"
    hideable: ClassVar[bool] = True
    form: ClassVar[str] = "[NAMES:who [NAMES:rest]] [= results] [: text]"
    example: ClassVar[str] = "rest Thia+Osk short = 5 3: An hour under the bridge."
    more_examples: ClassVar[tuple[str, ...]] = ("rest short",)
    who: tuple[Thing, ...] = ()
    rest: tuple[Thing, ...] = ()
    results: tuple[str, ...] | None = None
    text: c.Text = None


class Initiative(OfPeople):
    """Roll initiative for all in the fight without a number, for people named, or with numbers."""

    verb: ClassVar[str] = "initiative"
    short: ClassVar[tuple[str, ...]] = ("init",)
    form: ClassVar[str] = "[PEOPLE:who [INT:number+]] [= results]"
    example: ClassVar[str] = "initiative Thia+Wolf 17 9"
    more_examples: ClassVar[tuple[str, ...]] = ("initiative",)
    totals_alone: ClassVar[bool] = True
    further: ClassVar[Mapping[str, str]] = {"who": "also", "number": "numbers"}
    who: Person | None = None
    number: Whole | None = None
    numbers: tuple[Whole, ...] = ()
    """The numbers of the people named after the first."""
    results: tuple[str, ...] | None = None
    left_out_secret: bool = False
    """True in a record of version 1, where without names only the public people rolled."""
    version: ClassVar[int] = 2

    @classmethod
    def from_version(cls, version: int, fields: dict[str, Any]) -> dict[str, Any]:
        """Converts version 1 fields: without names, secret people did not roll then."""
        return {**fields, "left_out_secret": True} if version == 1 and "who" not in fields else fields

    def as_recorded(self, events: Sequence[Event]) -> Command:
        """Returns the command of version 1 with the names of those who rolled then, if it has none."""
        rolled = [event.who for event in events if isinstance(event, InitiativeRolled)]
        if not self.left_out_secret or not rolled:
            return self
        return self.but({"left_out_secret": False, "who": rolled[0], "also": tuple(rolled[1:])})

    def each(self) -> tuple[Self, ...]:
        """Returns one command for each person named, with that person's number if numbers are typed.

        One number alone is that of them all. Raises Refused if there are not as many numbers as people.
        """
        named = self.named()
        numbered = () if self.number is None else (self.number, *self.numbers)
        numbered = numbered * len(named) if len(numbered) == 1 else numbered
        if numbered and len(numbered) != len(named):
            people, numbers = _counted(len(named), "person"), _counted(len(numbered), "number")
            raise Refused(f"{people} and {numbers} are on this line: type one number for each person.")
        first = self.but({"also": (), "numbers": ()})
        return tuple(
            first.but({"who": who, "number": number}) for who, number in zip_longest(named, numbered)
        )


def _counted(count: int, what: str) -> str:
    people = {"person": "people"}
    return f"{count} {what if count == 1 else people.get(what, f'{what}s')}"


class Turn(Command):
    """Begin the next person's turn, or that of the person named; another one right away, with again."""

    verb: ClassVar[str] = "turn"
    short: ClassVar[tuple[str, ...]] = ("tu",)
    form: ClassVar[str] = "[NAME:who [again:again]] [: text]"
    example: ClassVar[str] = "turn Thia"
    more_examples: ClassVar[tuple[str, ...]] = ("turn",)
    version: ClassVar[int] = 2
    who: Person | None = None
    again: Literal["again", "unasked"] | None = None
    """`unasked` in a record of version 1, whose lines took the turn again without the word."""
    text: c.Text = None

    @classmethod
    def from_version(cls, version: int, fields: dict[str, Any]) -> dict[str, Any]:
        """Converts the fields of a command recorded by an older version of Retold to today's fields."""
        return {**fields, "again": "unasked"} if version == 1 and "who" in fields else fields

    def sayings(self) -> Iterator[Self]:
        """Yields the commands that a recorded version 1 line may mean: without `again`, then with it.

        Nothing for a line of today's version.
        """
        if self.again == "unasked":
            yield from (self.but({"again": None}), self.but({"again": "again"}))


class Roll(c.Roll):
    """Make a move of the game: with a stat if it needs one, a bonus, and a number or opponent to beat."""

    verb: ClassVar[str] = "roll"
    form: ClassVar[str] = (
        "PEOPLE:who NAME:move [NAME:stat] [SIGNED:bonus] [(adv|dis):twice]"
        " [(vs|under):against (INT:target | NAME:opponent [INT:target])]"
        " [damage ANY:damage] [= results] [: text]"
    )
    example: ClassVar[str] = "roll Thia attack str +2 vs 15 = 14: I go for its eyes."
    more_examples: ClassVar[tuple[str, ...]] = ("roll Thia+Osk check con vs 12 = 9 14",)
    mistakes: ClassVar[Mapping[str, str]] = {
        "PEOPLE:who NAME:move [NAME:stat] INT:number [(adv|dis):twice]"
        " [(vs|under):against (INT:target | NAME:opponent)] [damage ANY:damage] [= results] [: text]": (
            "{number} may be what to reach or a bonus: vs {number} is to be reached, under {number} to stay"
            " under, +{number} is added."
        )
    }
    move: c.Data | None = None
    stat: c.Data | None = None
    bonus: Whole | None = None
    damage: c.Data | None = None


COMMANDS = verbs(vars())
