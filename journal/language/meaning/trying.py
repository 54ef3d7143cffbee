"""What the rules say to a line, and the line that they take instead."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.guarding import GuestError
from retold.journal.language.binding import Bound, Scope, commands_meant
from retold.journal.language.lexing import Lexed, lex
from retold.journal.language.meaning.tidying import without_owner
from retold.journal.language.shorthand import are_people
from retold.journal.language.slot_words import tests
from retold.journal.language.strange_words import bind_plainly, is_of_another_game
from retold.journal.language.tokens import Unreadable
from retold.journal.language.typed_names import without_comma
from retold.journal.language.verbs import form_of, game_of
from retold.journal.language.writing import bare_token
from retold.journal.line import decide
from retold.journal.refused import NotSaid, Refused, none_if_refused
from retold.journal.vocabulary import commands as c


def bound_or_none(lexed: Lexed | None, scope: Scope) -> Bound | None:
    """Returns what `bind` returns; None if it refuses the line, or for no line."""
    return None if lexed is None else none_if_refused(partial(bind_plainly, lexed, scope))


def lexed_or_none(line: str) -> Lexed | None:
    """Returns what `lex` returns; None for a syntax error."""
    try:
        return lex(line)
    except Unreadable:
        return None


def is_of_this_game(lexed: Lexed, scope: Scope) -> bool:
    """True for a line that binds to a command that this table has."""
    bound = bound_or_none(lexed, scope)
    if bound is None or not is_of_another_game(bound.command, scope.table):
        return bound is not None
    game = game_of(type(bound.command))
    return game is not None and game.keeps is not None


def is_accepted(lexed: Lexed, scope: Scope, *, with_results: bool = False) -> bool:
    """True if the rules accept the line now; lines about the record itself are not tried.

    What came up counts only `with_results`.
    """
    try:
        bound = bind_plainly(lexed, scope)
        if not bound.command.manages:
            called = getattr(bound.command, "results", None) if with_results else None
            decide(scope.table, bound.command, Luck(FirstDealer(), called))
    except (Refused, GuestError):
        return False
    return True


def lacks_goal(lexed: Lexed, scope: Scope, *, with_results: bool) -> bool:
    """True for a roll that the rules accept with a number behind it: the target's is unknown, or hidden."""
    goal = replace(lexed, tokens=(*lexed.tokens, bare_token("1")))
    is_aimed = lexed.verb.text == c.Roll.verb and are_people(lexed.tokens[-1], scope.table)
    return is_aimed and is_accepted(goal, scope, with_results=with_results)


def as_rules_take(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns a line that the rules take, in place of one that they refuse: `invoke Rook oath --free`.

    Its last word is then a flag without its signs or a skill without `with`, or a name in it is a possessive.
    The rules may miss a value behind that skill, such as a track. None for other lines.
    """
    if not lexed.tokens or is_accepted(lexed, scope):
        return None
    unowned = replace(lexed, tokens=tuple(without_owner(word, scope.table) for word in lexed.tokens))
    *words, last = lexed.tokens
    is_skill = last.bare and tests(scope.table)["skill"](last.text)
    armed = replace(lexed, tokens=(*words, bare_token("with"), last)) if is_skill else lexed
    changed = [line for line in (unowned, armed) if line != lexed]
    taken_so = (line for line in changed if is_accepted(line, scope))
    unsaid = (line for line in changed if missing_value(line, scope) is not None)
    return next(taken_so, None) or next(unsaid, None) or with_bare_flag(lexed, scope)


def missing_value(lexed: Lexed, scope: Scope) -> NotSaid | None:
    """Returns the refusal that names a value the rules miss in a line; None for other lines."""
    try:
        decide(scope.table, bind_plainly(lexed, scope).command, Luck(FirstDealer()))
    except NotSaid as refusal:
        return refusal
    except (Refused, GuestError):
        pass
    return None


def with_bare_flag(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns a line with the flag that its last word names, if the rules take it so; else None."""
    *tokens, last = lexed.tokens or (lexed.verb,)
    if not tokens or not last.bare or last.text in lexed.flags:
        return None
    flags = set().union(*(form_of(command).flags for command in commands_meant(lexed, scope.table)))
    tokens = tokens[:-1] if tokens and tokens[-1].text == "for" else tokens  # `for free`
    tokens = [*tokens[:-1], *map(without_comma, tokens[-1:])]
    line = replace(lexed, tokens=tuple(tokens), flags={**lexed.flags, last.text: None})
    return line if last.text in flags and is_accepted(line, scope) else None
