"""The verbs of Lanterns, and what each brings about."""

from collections.abc import Mapping
from typing import ClassVar

from retold.game import (
    Command,
    Data,
    Decision,
    Event,
    Person,
    Refused,
    SheetKey,
    Situation,
    Text,
    Whole,
    roll_dice,
)
from retold_lanterns.events import Dared, HarmChanged, shelf
from retold_lanterns.rules import HIGHEST, LOWEST, MOST_HARM, STATS, result

SHEET = tuple(SheetKey(stat, "a stat", f"{stat}=1", LOWEST, HIGHEST) for stat in STATS)


class Dare(Command):
    """Dare something: roll two dice and add a stat; after = what the real dice showed."""

    verb: ClassVar[str] = "dare"
    form: ClassVar[str] = f"NAME:who ({'|'.join(STATS)}):stat [= results] [: text]"
    example: ClassVar[str] = "dare Wick bold = 3 5: I walk out on the ice."
    who: Person
    stat: Data
    results: tuple[str, ...] | None = None
    text: Text = None


class Hurt(Command):
    """Somebody takes so much harm."""

    verb: ClassVar[str] = "hurt"
    form: ClassVar[str] = "NAME:who INT:harm [: text]"
    example: ClassVar[str] = "hurt Wick 2: The ice gives way."
    who: Person
    harm: Whole
    text: Text = None


class Mend(Hurt):
    """Somebody loses so much harm."""

    verb: ClassVar[str] = "mend"
    example: ClassVar[str] = "mend Wick 1: An evening by the stove."


def dare(situation: Situation, command: Dare) -> list[Event]:
    """Two dice and a stat: `rules.md`, Daring."""
    if shelf(situation.table).harm.get(command.who, 0) >= MOST_HARM:
        raise Refused(f"The light of {situation.name(command.who)} is out: mend it first.")
    rolled = roll_dice(situation, command.who, "2d6")
    bonus = shelf(situation.table).stats.get(command.who, {}).get(command.stat, 0)
    total = sum(rolled.faces) + bonus
    return [
        rolled,
        Dared(
            conflict=situation.where,
            who=command.who,
            stat=command.stat,
            bonus=bonus,
            total=total,
            result=result(total),
            text=command.text,
        ),
    ]


def change_harm(situation: Situation, command: Hurt) -> list[Event]:
    """Harm goes up or down, within its boxes: `rules.md`, Harm."""
    was = shelf(situation.table).harm.get(command.who, 0)
    now = was + (-command.harm if isinstance(command, Mend) else command.harm)
    if command.harm < 1 or not 0 <= now <= MOST_HARM:
        raise Refused(f"{situation.name(command.who)} has {was} harm of {MOST_HARM}: say how much fits.")
    return [HarmChanged(conflict=situation.where, who=command.who, by=now - was, now=now, text=command.text)]


COMMANDS = (Dare, Hurt, Mend)
DECIDE: Mapping[type[Command], Decision] = {Dare: dare, Hurt: change_harm, Mend: change_harm}


def read_sheet(key: str, value: str) -> tuple[str, int | str]:
    """A stat and its number; Refused where it is neither."""
    number = value.removeprefix("+")
    if key not in STATS or not number.removeprefix("-").isdecimal() or not LOWEST <= int(number) <= HIGHEST:
        raise Refused(f"A sheet has {', '.join(STATS)}, {LOWEST} to {HIGHEST}: {key}={value} is not one.")
    return key, int(number)
