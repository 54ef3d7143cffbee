"""Commands that only Space·Time has, with their verbs and forms."""

from __future__ import annotations

from typing import ClassVar

from retold.game import Command, Newcomer, Person, Value, Words, verbs
from retold.game import commands as c


class DesireOutcome(Command):
    """Say what comes about if a party wins; once cards are drawn, only by reformulating."""

    verb: ClassVar[str] = "outcome"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("ou",)
    form: ClassVar[str] = "NAME:who : text"
    example: ClassVar[str] = "outcome Reeve: The gate stays shut till dawn."
    more_examples: ClassVar[tuple[str, ...]] = (
        "outcome Mill: The children are across before anybody looks.",
    )
    who: Person
    text: Words


class Reformulate(Command):
    """Begin the conflict again with other sides, another Balance, other outcomes; balanced by default."""

    verb: ClassVar[str] = "reformulate"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("rf",)
    form: ClassVar[str] = "NAME:who [NAMES:sides (vs NAMES:sides)+] KEY=VALUE… [: text]"
    example: ClassVar[str] = "reformulate Reeve Reeve+Mill vs Fair balance=unbalanced:Fair"
    more_examples: ClassVar[tuple[str, ...]] = ("reformulate Mill: Then we talk.",)
    who: Person
    sides: tuple[tuple[Newcomer, ...], ...] = ()
    setup: dict[str, Value] = {}
    people: dict[str, Newcomer] = {}
    text: c.Text = None


class Postpone(Command):
    """Stop the conflict for now, without a winner."""

    verb: ClassVar[str] = "postpone"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("pp",)
    form: ClassVar[str] = "[NAME:who] [: text]"
    example: ClassVar[str] = "postpone Mill: The watch is coming."
    more_examples: ClassVar[tuple[str, ...]] = ("postpone",)
    who: Person | None = None
    text: c.Text = None


class AddComplication(Command):
    """Tell what one of the cards drawn against an obstacle brings with it: one text for each card."""

    verb: ClassVar[str] = "complication"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("cm",)
    form: ClassVar[str] = "[NAME:who] : text"
    example: ClassVar[str] = "complication Ada: The rope is short."
    more_examples: ClassVar[tuple[str, ...]] = ("complication: Somebody saw the light.",)
    who: Person | None = None
    text: Words


class Stop(Command):
    """Draw no more against a challenge: its cost and effect stand as they are."""

    verb: ClassVar[str] = "stop"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("st",)
    form: ClassVar[str] = "[NAME:who] [: text]"
    example: ClassVar[str] = "stop Ada"
    more_examples: ClassVar[tuple[str, ...]] = ("stop: That will do.",)
    who: Person | None = None
    text: c.Text = None


COMMANDS = verbs(vars())
