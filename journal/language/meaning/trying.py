"""What the rules say to a line, and the line that they take instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Final

from msgspec.structs import replace

from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.decks.notation import read_results
from retold.journal.guarding import GuestError
from retold.journal.language.binding import Bound, Scope, commands_meant
from retold.journal.language.lexing import Lexed, lex
from retold.journal.language.meaning.tidying import without_owner
from retold.journal.language.shorthand import are_people
from retold.journal.language.slot_words import tests
from retold.journal.language.strange_words import bind_plainly, is_of_another_game
from retold.journal.language.suggestions import CAME_UP, name_token
from retold.journal.language.tokens import Unreadable
from retold.journal.language.typed_names import without_comma
from retold.journal.language.verbs import form_of, game_of
from retold.journal.language.writing import bare_token
from retold.journal.line import decide
from retold.journal.refused import NotSaid, Refused, none_if_refused
from retold.journal.vocabulary import commands as c

OF_SPACETIME: Final = re.compile(r"T\d+|Excuse|.*:.*")
"""A card of the Space·Time deck."""


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
    able = (of_the_one_able(line, scope) for line in (armed, lexed))
    changed = [line for line in (unowned, armed, *able) if line not in (lexed, None)]
    taken_so = (line for line in changed if is_accepted(line, scope))
    unsaid = (line for line in changed if missing_value(line, scope) is not None)
    better = next(taken_so, None) or next(unsaid, None) or with_bare_flag(lexed, scope)
    return better or (unowned if unowned in changed else None)


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
    """Returns a line with the flag that one of its words names, if the rules take it so; else None.

    A flag that makes the rules take it without its skill and its dice is shown so.
    """
    flags = set().union(*(form_of(command).flags for command in commands_meant(lexed, scope.table)))
    place = next((place for place, word in enumerate(lexed.tokens) if word.text.rstrip(",") in flags), 0)
    flag = lexed.tokens[place].text.rstrip(",") if place else ""
    if not place or not lexed.tokens[place].bare or flag in lexed.flags:
        return None
    before = lexed.tokens[: place - 1 if lexed.tokens[place - 1].text == "for" else place]  # `for free`
    tokens = (*before[:-1], *map(without_comma, before[-1:]), *lexed.tokens[place + 1 :])
    line = replace(lexed, tokens=tokens, flags={**lexed.flags, flag: None})
    return line if is_accepted(line, scope) else None


def of_the_one_able(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Adds the missing name to a line of the game in play, if the rules accept one name only; else None."""
    here, commands = scope.table.in_play(), none_if_refused(lambda: commands_meant(lexed, scope.table)) or ()
    games = (game_of(command) for command in commands if command.acting)
    is_rolled = any("skill" in command.__struct_fields__ for command in commands)
    is_whole = not is_rolled or lexed.results is not None or "with" in (word.text for word in lexed.tokens)
    if here is None or not is_whole or not any(game is not None and game.keeps is None for game in games):
        return None
    names = (name_token(scope.table.name(who)) for who in here.people)
    named = (replace(lexed, tokens=(name, *lexed.tokens)) for name in names)
    able = [line for one in named for line in (one, *with_bare_results(one)) if is_accepted(line, scope)]
    return able[0] if len(able) == 1 else None


def with_bare_results(lexed: Lexed) -> Iterator[Lexed]:
    """Yields a line whose last words are cards or fudge dice, and numbers, with these as its results."""
    words = [] if lexed.results is not None else lexed.tokens
    for place in range(len(words)):
        told = [word.text for word in words[place:] if word.bare]
        came_up = none_if_refused(partial(read_results, told)) or ()
        is_one = any(CAME_UP.fullmatch(one) or OF_SPACETIME.fullmatch(one) for one in came_up[:1])
        if len(told) == len(words[place:]) and (is_one or CAME_UP.fullmatch("".join(came_up))):
            yield replace(lexed, tokens=tuple(words[:place]), results=came_up)
            return
