"""A place where an act takes somebody, or nothing: `guard the bridge` is said as `guard: the bridge`."""

from __future__ import annotations

from typing import Final

from journal.language.classes import names
from journal.language.lexing import Lexed
from journal.language.writing import write_names
from journal.names import find
from journal.refused import Refused
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command

PLACED: Final = ("guard", "advance")
"""The acts that may be about a place, which is said in the text."""


def as_a_place(command: type[Command], lexed: Lexed, table: Table) -> str | None:
    """The line that says a place after a colon, where one was typed as somebody; None where none was."""
    tokens = [token for token in lexed.tokens if token.assign is None]
    words = [token.text for token in tokens]
    if not issubclass(command, c.Declare) or len(words) < 3 or f"{words[1]}:act" not in command.form:  # noqa: PLR2004 -- who, act, where
        return None
    who, act, place = names(tokens[0]), words[1], " ".join(words[2:])
    if act not in PLACED or _is_somebody(table, place):
        return None
    if not all(_is_somebody(table, one.text) for one in who):
        return None
    text = f"{place}. {lexed.text}" if lexed.text else place
    return f"A place stands after a colon: declare {write_names(one.text for one in who)} {act}: {text}"


def _is_somebody(table: Table, typed: str) -> bool:
    """True where a name was meant: it is one, or nearly."""
    try:
        find(typed, table.names())
    except Refused as refusal:
        return bool(getattr(refusal, "nearest", ()) or getattr(refusal, "candidates", ()))
    return True
