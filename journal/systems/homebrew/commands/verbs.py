"""The verbs of a table's own game; each docstring is the verb's help."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, ClassVar, Literal, Self

from journal.refused import Refused, none_if_refused
from journal.systems.homebrew.events import GameChosen
from journal.systems.homebrew.options import FILE, built_in_game, game_as_json, read_game
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command, Event, OfPeople, Person, Thing, Whole, Words, verbs


class ChooseGame(Command):
    """Play d20, fate, moves, percentile, plain, pool or sixes from now on, or a game in a TOML file."""

    verb: ClassVar[str] = "game"
    form: ClassVar[str] = "ANY:game [: text]"
    example: ClassVar[str] = "game moves"
    game: c.Data
    text: c.Text = None

    def with_file(self, read_file: Callable[[str], bytes]) -> Command:
        """The game as its file has it; Refused where that is none."""
        if not self.game.endswith(FILE):
            return self
        name = self.game.replace("\\", "/").rpartition("/")[2]
        return self.but({"game": game_as_json(read_game(read_file(self.game), name))})

    def as_recorded(self, events: Sequence[Event]) -> Command:
        """The game as the record keeps it, where the one that comes with Retold has changed since."""
        kept = next((one.definition for one in events if isinstance(one, GameChosen)), None)
        if (
            kept is None
            or self.game.startswith("{")
            or kept == none_if_refused(lambda: game_as_json(built_in_game(self.game)))
        ):
            return self
        return self.but({"game": kept})


class Keep(OfPeople):
    """Keep something of somebody, or change it: hp 9/12 as it stands, -3 or +1 by so much, on or off."""

    verb: ClassVar[str] = "track"
    hideable: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("tk",)
    form: ClassVar[str] = "PEOPLE:who NAME:track ANY:value [: text]"
    example: ClassVar[str] = "track Thia hp -5: An arrow out of the dark."
    who: Person
    track: c.Data
    value: c.Data
    text: c.Text = None


class Clock(Command):
    """Start a clock that is nobody's with so many segments, fill some of them, or put it away when done."""

    verb: ClassVar[str] = "clock"
    hideable: ClassVar[bool] = True
    form: ClassVar[str] = "ANY:name ANY:value [: text]"
    example: ClassVar[str] = 'clock "The guard wakes" +1'
    name: Words
    value: c.Data
    text: c.Text = None


class SetCondition(Command):
    """Say that somebody is poisoned, or whatever the game calls it, or with off that they are it no more."""

    verb: ClassVar[str] = "status"
    hideable: ClassVar[bool] = True
    form: ClassVar[str] = "NAMES:who NAME:condition [(on|off):to] [: text]"
    example: ClassVar[str] = "status Thia poisoned: The darts were not for show."
    who: tuple[Person, ...]
    condition: c.Data
    to: Literal["on", "off"] | None = None
    text: c.Text = None


class TakeRest(Command):
    """Rest: tracks go back and conditions end as the game says, for those named or all who have players."""

    verb: ClassVar[str] = "rest"
    hideable: ClassVar[bool] = True
    form: ClassVar[str] = "[NAMES:who [NAMES:rest]] [= results] [: text]"
    example: ClassVar[str] = "rest Thia+Osk short = 5 3: An hour under the bridge."
    who: tuple[Thing, ...] = ()
    rest: tuple[Thing, ...] = ()
    results: tuple[str, ...] | None = None
    text: c.Text = None


class Initiative(OfPeople):
    """Roll for who goes first: for everybody who has yet to, for somebody, or with the number they rolled."""

    verb: ClassVar[str] = "initiative"
    short: ClassVar[tuple[str, ...]] = ("init",)
    form: ClassVar[str] = "[PEOPLE:who [INT:number+]] [= results]"
    example: ClassVar[str] = "initiative Thia+Wolf 17 9"
    totals_alone: ClassVar[bool] = True
    further: ClassVar[Mapping[str, str]] = {"who": "also", "number": "numbers"}
    who: Person | None = None
    number: Whole | None = None
    numbers: tuple[Whole, ...] = ()
    """The numbers of the people named after the first."""
    results: tuple[str, ...] | None = None

    def each(self) -> tuple[Self, ...]:
        """The command of each person alone, with the number that stands in the same place; else Refused."""
        said = () if self.number is None else (self.number, *self.numbers)
        named = self.named()
        if said and len(said) != len(named):
            people, numbers = _counted(len(named), "person"), _counted(len(said), "number")
            raise Refused(f"{people} and {numbers} stand on this line: everybody named has one number.")
        first = self.but({"also": (), "numbers": ()})
        return tuple(first.but({"who": who, "number": number}) for who, number in zip_longest(named, said))


def _counted(count: int, what: str) -> str:
    people = {"person": "people"}
    return f"{count} {what if count == 1 else people.get(what, f'{what}s')}"


class Turn(Command):
    """It is somebody's turn: of whoever is next, or of whoever is named (once more, with again)."""

    verb: ClassVar[str] = "turn"
    short: ClassVar[tuple[str, ...]] = ("tu",)
    form: ClassVar[str] = "[NAME:who [again:again]] [: text]"
    example: ClassVar[str] = "turn Thia"
    version: ClassVar[int] = 2
    who: Person | None = None
    again: Literal["again", "unasked"] | None = None
    """`unasked` in a record of version 1, whose lines took the turn again without the word."""
    text: c.Text = None

    @classmethod
    def from_version(cls, version: int, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields as today's version has them."""
        return {**fields, "again": "unasked"} if version == 1 and "who" in fields else fields

    def sayings(self) -> Iterator[Self]:
        """The line of a record of version 1 as it is said today: with the word only where that is wanted."""
        if self.again == "unasked":
            yield from (self.but({"again": None}), self.but({"again": "again"}))


class Roll(c.Roll):
    """Make a move of the game: with a stat where it asks for one, a bonus, and what it is thrown against."""

    verb: ClassVar[str] = "roll"
    form: ClassVar[str] = (
        "PEOPLE:who NAME:move [NAME:stat] [SIGNED:bonus] [(adv|dis):twice]"
        " [(vs|under):against (INT:target | NAME:opponent [INT:target])]"
        " [damage ANY:damage] [= results] [: text]"
    )
    example: ClassVar[str] = "roll Thia attack str +2 vs 15 = 14: I go for its eyes."
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
