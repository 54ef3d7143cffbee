"""A line that is read, and yet no line of this table: a title that is a name, a move that the game lacks."""

from __future__ import annotations

from msgspec.structs import replace

from journal.language.binding import Bound, Scope, bind
from journal.language.lexing import Lexed, line_as_typed
from journal.language.shorthand import move_words
from journal.language.tokens import Segment, Token, Unreadable
from journal.language.verbs import verbs_of
from journal.names import normalise
from journal.systems import SYSTEMS
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import GM, Command

CHECK = "check"
"""The verb of checks, in games that have one and no rolls of skills."""


def bind_plainly(lexed: Lexed, scope: Scope) -> Bound:
    """Returns what `bind` returns; refuses a conflict with an unquoted title that ends in a comma."""
    bound = bind(lexed, scope)
    title = lexed.tokens[0] if isinstance(bound.command, c.OpenConflict) and lexed.tokens else None
    if title is not None and title.bare and title.text.endswith(","):
        quoted = line_as_typed(titled(lexed))
        raise Unreadable(f"Join names with +; a title is quoted: {quoted}", title.column)
    return bound


def titled(lexed: Lexed) -> Lexed:
    """Returns a line with its first word behind the verb in quotes."""
    title, *rest = lexed.tokens
    return replace(lexed, tokens=(Token((Segment(title.text, True),), title.column), *rest))


def has_strange_words(command: Command, table: Table) -> bool:
    """True for a roll with a move or stat that the game does not have, as in `roll Oda dex save`.

    True also for a session whose title was typed as its text, `session: The pier`, and for a verb of a game
    that is not played here.
    """
    if isinstance(command, c.OpenSession):
        return command.title is None and command.text is not None
    if is_of_another_game(command, table):
        return True
    if not isinstance(command, c.Roll) or command.dice is not None:
        return False
    move, stat = (getattr(command, word, None) for word in ("move", "stat"))
    moves = move_words(table)
    if not moves and any(CHECK in game.says for game in SYSTEMS.among(table.games())):
        return True
    known = not isinstance(move, str) or any(name.startswith(normalise(move)) for name in moves)
    by_stat = isinstance(move, str) and is_stat(table, move)
    return bool(moves) and not ((known or by_stat) and (not isinstance(stat, str) or is_stat(table, stat)))


def is_of_another_game(command: Command, table: Table) -> bool:
    """True for a verb that only games not played at this table have: `draw` in Whiskey."""
    return bool(table.games()) and command.verb not in verbs_of(table)


def is_stat(table: Table, typed: str) -> bool:
    """True for the name of a number on the sheets of a game played here."""
    return any(game.number(table, GM, normalise(typed)) is not None for game in SYSTEMS.among(table.shelves))
