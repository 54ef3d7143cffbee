"""A line that is read, and yet no line of this table: a title that is a name, a move that the game lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from msgspec.structs import replace

from retold.journal.decks.chance import TOTAL
from retold.journal.decks.expressions import TWICE, is_throw
from retold.journal.language.binding import Bound, Scope, bind
from retold.journal.language.dice_words import GOALS
from retold.journal.language.lexing import Lexed, line_as_typed, takes_value
from retold.journal.language.shorthand import is_stat, keeping, move_words
from retold.journal.language.suggestions import CAME_UP, people_of_plural, results_in
from retold.journal.language.tokens import JOINERS, Segment, Token, Unreadable
from retold.journal.language.typed_names import with_whole_flags, with_whole_names
from retold.journal.language.verbs import VERBS, form_of, verbs_of
from retold.journal.language.writing import bare_token, is_sentence
from retold.journal.names import EVERY_ARTICLE, normalise
from retold.journal.options import GAME, of_the_table
from retold.journal.refused import none_if_refused
from retold.journal.system import System
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command, Words

SPAN = re.compile(r"([^\W\d_]+)-?(\d{1,3})\.{2,3}(\d{1,3})")
"""Names by their numbers: `Eel-1..3`."""
REST = "rest"
ON = ("for", "of", "on", "to")
"""Words before the thing that has an aspect."""
CLOSED = frozenset({"closed", "done", "finished", "over", "resolved", "solved"})
"""Texts that say that a thread is at its end."""
CHECK = "check"
"""The verb of checks, in games that have one and no rolls of skills."""


def bind_plainly(lexed: Lexed, scope: Scope) -> Bound:
    """Returns what `bind` returns.

    Refuses a conflict with an unquoted title that ends in a comma, a word that ends in one or that names a
    flag, and a known name of several words of which the line took the first for the whole name, or a title.
    """
    bound = bind(lexed, scope)
    title = lexed.tokens[0] if isinstance(bound.command, c.OpenConflict) and lexed.tokens else None
    if title is not None and title.bare and (title.text.endswith(",") or title.text in EVERY_ARTICLE):
        quoted = line_as_typed(titled(lexed))
        raise Unreadable(f"Join names with +; a title is quoted: {quoted}", title.column)
    pairs = zip_longest(lexed.tokens, lexed.tokens[1:])
    strange = next((word for word, after in pairs if _is_loose(word, after, bound.command)), None)
    if strange is not None:
        raise Unreadable(f"“{strange.text}” is no name here: quote it if it is one.", strange.column)
    whole = with_whole_flags(lexed, scope.table)
    if "PHRASE" not in bound.command.form or (title is not None and title.bare):
        whole = replace(whole, tokens=tuple(with_whole_names(whole.tokens, scope.table)))
    if whole != lexed and none_if_refused(lambda: bind(whole, scope)) is not None:
        raise Unreadable(f"A name of several words is quoted: {line_as_typed(whole)}", lexed.verb.column)
    return bound


def _is_loose(word: Token, after: Token | None, command: Command) -> bool:
    """True for a word with a comma after it, and for `by=Doc`, typed for `--by Doc`."""
    form = form_of(type(command))
    own = {"by"}.intersection(command.__struct_fields__)
    known = {flag for flag in form.flags | own if takes_value(flag)}
    if word.assign is not None:
        return not form.takes_data and word.assign.key.text in known
    if isinstance(command, c.Cast) and word.bare and SPAN.fullmatch(word.text):
        return True
    *before, (text, is_quoted) = word.segments
    has_flag = after is not None and after.bare and after.text in known
    if is_quoted:
        return has_flag
    return text.endswith(",") and (has_flag or bool(before) or "PHRASE" not in command.form)


def results_in_text(lexed: Lexed, bound: Bound) -> tuple[str, ...]:
    """Returns what came up, if a line that takes results has it as its text: `roll Oda check dex: 14`."""
    if lexed.results is not None or lexed.text is None or not form_of(type(bound.command)).takes_results:
        return ()
    if isinstance(bound.command, keeping()) and not is_throw(lexed.tokens[-1].text.lstrip("+-")):
        return ()  # an amount is not thrown
    return results_in(lexed.text)


def with_dice_behind_text(lexed: Lexed) -> Lexed | None:
    """Returns a line with the dice or cards behind its text as its results: `attack … = ++0-: Two shots`.

    None for other lines. Numbers stay in the text: `DC = 15` may be words.
    """
    told, sign, came_up = (lexed.text or "").rpartition(" = ")
    words = came_up.split()
    are_results = all(map(CAME_UP.fullmatch, words)) or CAME_UP.fullmatch("".join(words))
    if not sign or lexed.results is not None or not are_results:
        return None
    return replace(lexed, results=tuple(words), text=told.strip() or None)


def with_goal_first(lexed: Lexed) -> Lexed:
    """Returns a line with the number to reach before the results: `dex vs 12 = 14` for `dex = 14 vs dc 12`.

    A sum before the results, `17+3 = 20`, says that they are a total. `disadvantage` behind them is put
    first. Other lines are returned unchanged.
    """
    results = lexed.results or ()
    if results[1:] and results[-1].lower() in TWICE:
        twice = (bare_token("with"), bare_token(results[-1]))
        return with_goal_first(replace(lexed, tokens=(*lexed.tokens, *twice), results=results[:-1]))
    at = next((place for place, word in enumerate(results) if word.lower() in GOALS), len(results))
    goal = results[at:]
    if not results or (goal and not (goal[-1].isalnum() and GOALS.issuperset(map(str.lower, goal[:-1])))):
        return lexed
    *tokens, last = lexed.tokens or (lexed.verb,)
    added = re.fullmatch(r"(\d+)([+-]\d+)", last.text) if tokens and last.bare else None
    came_up = results[:at]
    if added is not None and came_up == (str(int(added[1]) + int(added[2])),):
        came_up = (TOTAL, *came_up)
    else:
        tokens = [*lexed.tokens]
    reached = (bare_token("vs"), bare_token(goal[-1])) if goal else ()
    return replace(lexed, tokens=(*tokens, *reached), results=came_up) if at else lexed


def with_whole_title(lexed: Lexed) -> Lexed:
    """Returns a scene's title and a text that is not a sentence as one title; other lines unchanged."""
    is_scene = VERBS.get(lexed.verb.text) is c.SetScene and all(word.bare for word in lexed.tokens)
    if not is_scene or not lexed.tokens or lexed.text is None or is_sentence(lexed.text):
        return lexed
    title = f"{' '.join(word.text for word in lexed.tokens)}: {lexed.text}"
    return replace(lexed, tokens=(Token((Segment(title, True),), lexed.tokens[0].column),), text=None)


def titled(lexed: Lexed) -> Lexed:
    """Returns a line with its first word behind the verb in quotes."""
    title, *rest = lexed.tokens
    return replace(lexed, tokens=(Token((Segment(title.text, True),), title.column), *rest))


def has_strange_words(lexed: Lexed, command: Command, table: Table) -> bool:
    """True for a roll with a move or stat that the game does not have, as in `roll Oda dex save`.

    True also for a session whose title was typed as its text, `session: The pier`, `session 3: The pier`, for
    `thread "The bell": closed`, for an aspect with `on` before its thing, `aspect "Wet" on Dock`, for a fight
    with a new name that is the plural of known ones, and for a verb of a game not played here.
    """
    if isinstance(command, c.OpenConflict | c.Join):
        return _names_a_group(lexed, command, table)
    if isinstance(command, c.OpenSession):
        typed = "".join(token.text if token.bare else '"' for token in lexed.tokens)
        return bool(command.text) and (command.title is None or re.fullmatch(r"#?\d+", typed) is not None)
    ends_thread = isinstance(command, c.KeepThread) and any(
        str(words).strip(" .!").lower() in CLOSED for words in (command.what, command.text)
    )
    lacks_rests = command.verb == REST and played_at(table) and next(rests_at(table), None) is None
    if (
        ends_thread
        or is_of_another_game(command, table)
        or lacks_rests
        or _has_on_beside_thing(command, table)
    ):
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


def _has_on_beside_thing(command: Command, table: Table) -> bool:
    """True for an aspect with `on` before its thing: `aspect on Oda: Wet`, `aspect "Wet" on Dock`."""
    thing, aspect = (getattr(command, word, None) for word in ("thing", "aspect"))
    word, _, name = str(aspect or "").partition(" ")
    here = table.in_play()
    things = (thing for game in SYSTEMS.among(table.shelves) for thing in game.things(table, here))
    is_last = word in ON and (table.called(name) is not None or name in things)
    return aspect is not None and (thing in ON or is_last)


def _names_a_group(lexed: Lexed, command: c.OpenConflict | c.Join, table: Table) -> bool:
    """True if a new name in a fight is a plural of people: `goblins`, with Goblin-1 and Goblin-2."""
    named = command.who if isinstance(command, c.Join) else [who for side in command.sides for who in side]
    bare = {part.text for token in lexed.tokens for part in token.split(JOINERS) if part.bare}
    new = (who.text for who in named if isinstance(who, Words) and who.text)
    return any(people_of_plural(name, table) for name in new if name in bare)


def rests_at(table: Table) -> Iterator[str]:
    """Yields the names of rests, of games that have rests."""
    for game in SYSTEMS.among(table.shelves):
        if REST in game.says:
            yield from game.things(table, None)


def played_at(table: Table) -> list[System]:
    """Returns the games that are played at a table, and the one that the campaign has chosen."""
    return [game for game in SYSTEMS.among({*table.shelves, of_the_table(table, GAME)}) if game.plays(table)]


def is_of_another_game(command: Command, table: Table) -> bool:
    """True for a verb that only games not played at this table have: `draw` in Whiskey."""
    return bool(table.games()) and command.verb not in verbs_of(table)
