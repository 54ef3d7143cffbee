"""The flags a line may have: a fixed list, so that lexing needs no campaign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import force_setattr


class Flag(Struct, frozen=True):
    """A flag without its dashes; `about` says in a few words what it means, for completion.

    `field` is the command's field it fills, where that has another name.
    """

    name: str
    about: str
    takes_value: bool
    field: str = ""
    repeats: bool = False
    """True where it may stand several times; its value is then all of theirs, one below another."""

    def __post_init__(self) -> None:
        """The field has the flag's name unless another is given."""
        force_setattr(self, "field", self.field or self.name)


FLAGS: Final[Mapping[str, Flag]] = {
    flag.name: flag
    for flag in (
        Flag("quote", "something said at the table", takes_value=False),
        Flag("veto", "the game master's no", takes_value=False),
        Flag("own", "about your own party", takes_value=False),
        Flag("free", "for nothing", takes_value=False),
        Flag("reroll", "all the dice again", takes_value=False),
        Flag("interrupt", "before whoever is acting", takes_value=False),
        Flag("extra", "an act that an upgrade gives beside the turn", takes_value=False),
        Flag("gone", "it is there no longer", takes_value=False),
        Flag("done", "it is settled, or gone", takes_value=False),
        Flag("agreed", "they have said yes to it", takes_value=False),
        Flag("dangerous", "everybody's blows cost more for it", takes_value=False),
        Flag("sealed", "face down, until all is revealed at once", takes_value=False),
        Flag("check", "say what would happen, record nothing", takes_value=False),
        Flag("describe", "the text says who it is from now on", takes_value=False),
        Flag("sheet", "with all that is secret of their sheet", takes_value=False),
        Flag("gm", "for the game master only", takes_value=False),
        Flag("keep", "what happened stands, by a ruling", takes_value=False),
        Flag("drop", "go on without what no longer holds", takes_value=False),
        Flag("ruling", "the answer to what it asks", takes_value=True, repeats=True),
        Flag("for", "the comrade whose hit it is", takes_value=True, field="comrade"),
        Flag("upgrade", "an upgrade of theirs", takes_value=True),
        Flag("against", "the target's skill that opposes", takes_value=True),
        Flag("support", "how many are for it", takes_value=True),
        Flag("oppose", "how many are against it", takes_value=True),
        Flag("person", "every name of somebody", takes_value=True),
        Flag("word", "one of several texts, by its number", takes_value=True),
        Flag("clock", "when a recording has it, as 1:12:09", takes_value=True),
        Flag("date", "the day, as 2026-03-14", takes_value=True),
        Flag("absent", "who is away tonight", takes_value=True),
        Flag("at", "for an earlier moment", takes_value=True),
        Flag("in", "which conflict", takes_value=True),
        Flag("as", "the whole line as it should have been", takes_value=True),
        Flag("to", "only for these people", takes_value=True),
        Flag("by", "who does it", takes_value=True),
        Flag("provenance", "where results come from", takes_value=True),
    )
}
"""Every flag by its name, in the order in which a line is written."""


def takes_value(name: str) -> bool:
    """True for a flag that takes the next token as its value; False for one alone, and for none."""
    return name in FLAGS and FLAGS[name].takes_value
