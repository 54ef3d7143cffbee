"""Commands of Whiskey alone: clash, check, and a special form of declare."""

from __future__ import annotations

from typing import ClassVar

from retold.game import Command, DeclareSealed, Person, Value, Whole, verbs
from retold.game import commands as c


class Clash(Command):
    """Work out the clashes, or pair two by hand; after = the die, where a lot breaks a ring."""

    verb: ClassVar[str] = "clash"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("cla",)
    form: ClassVar[str] = "[NAME:one NAME:other] [= results] [: text]"
    example: ClassVar[str] = "clash Alice sword"
    more_examples: ClassVar[tuple[str, ...]] = ("clash = 4",)
    one: Person | None = None
    other: Person | None = None
    results: tuple[str, ...] | None = None
    text: c.Text = None


class Check(Command):
    """Make the check of a clash, or of x against y (wanted=no: to fail it); after = the card and the d6."""

    verb: ClassVar[str] = "check"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("ck",)
    form: ClassVar[str] = (
        "NAME:who (INT:x | NAME:stat) vs (INT:y | NAME:whom [NAME:theirs]) | [NAME:who [NAME:whom]]"
        " KEY=VALUE… [= results] [: text]"
    )
    example: ClassVar[str] = "check Bob axe-1 = 5H 2"
    more_examples: ClassVar[tuple[str, ...]] = ("check Alice dex vs 7 = KS 3",)
    purpose: ClassVar[bool] = True
    who: Person | None = None
    whom: Person | None = None
    x: Whole | None = None
    stat: c.Data | None = None
    y: Whole | None = None
    theirs: c.Data | None = None
    setup: dict[str, Value] = {}
    results: tuple[str, ...] | None = None
    text: c.Text = None


class Declare(DeclareSealed):
    """Say what a person, or several at once, will try this phase; --sealed keeps it face down."""

    verb: ClassVar[str] = "declare"
    form: ClassVar[str] = (
        "(NAME:who | GROUP:together) (engage:act NAME:target | guard:act [NAME:target] | advance:act"
        " | stand:act | other:act)"
        " --sealed KEY=VALUE… [: text]"
    )
    example: ClassVar[str] = "declare Alice engage sword: Mine."
    more_examples: ClassVar[tuple[str, ...]] = ("declare axe-1+axe-2 engage Bob",)
    together: tuple[Person, ...] = ()
    """Several people with the same intent, instead of `who`."""


COMMANDS = verbs(vars())
