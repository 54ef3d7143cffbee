"""Binds a typed line as typed, else as it is meant by the habits of other tables and tools."""

from __future__ import annotations

import re
from itertools import product
from typing import Final

from msgspec.structs import replace

from retold.journal.decks.chance import TOTAL
from retold.journal.decks.expressions import NotDice
from retold.journal.language.binding import Bound, Scope, bind
from retold.journal.language.habits.shapes import CAME, ONE_LINE
from retold.journal.language.lexing import Lexed, line_as_typed
from retold.journal.language.naming import ShortName
from retold.journal.language.shorthand import is_speech
from retold.journal.language.strange_words import (
    bind_plainly,
    has_strange_words,
    results_in_text,
    with_dice_behind_text,
    with_goal_first,
    with_whole_title,
)
from retold.journal.language.tokens import Unreadable
from retold.journal.language.typed_names import POSSESSIVES
from retold.journal.language.verbs import UnknownVerb, form_of
from retold.journal.language.writing import bare_token
from retold.journal.names import Ambiguous, Unknown, normalise
from retold.journal.refused import Refused
from retold.journal.system import SKILLS
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import OfSeveral

SUM: Final = re.compile(r"([1-9]\d*) ?\+ ?(\d+)")
"""What came up, and what is added to it."""
NATURALS: Final = frozenset({"1", "20"})
"""Dice that may say more than their number, which a sum leaves out."""
SPOKEN_THEN_TOLD: Final = re.compile(
    r'["\u201c]([^"\u201c\u201d]+[.!?\u2026])["\u201d] +([A-Z][^"\u201c\u201d]+)'
)
"""Words in quotes, and a sentence of the story behind them."""
WORDS_ALONE: Final = frozenset({c.Narrate.verb, c.Say.verb, c.Note.verb, c.Aside.verb})
"""Verbs with a text that may say anything, dice too."""
MISREAD: Final = (NotDice, Unreadable, UnknownVerb, Unknown)
"""Refusals of a line that may be another table's; other refusals have read the line as it was meant."""


def bind_as_meant(lexed: Lexed, scope: Scope) -> Bound:
    """Returns the command that a line means, as `bind` does, else the one that other tables mean by it.

    Raises Refused with a line to type if the line means one by habit and leaves a choice, and if the rules
    accept it for some of the people named only.
    """
    lexed = with_whole_title(with_goal_first(lexed))
    line, bound = _meant(lexed, scope)
    told = None if lexed.verb.text == c.Say.verb else SPOKEN_THEN_TOLD.fullmatch(lexed.text or "")
    if told is not None and isinstance(bound.command, c.Say) and bound.command.who is not None:
        raise _apart(line, *told.groups())
    came_up = results_in_text(lexed, bound)
    if came_up:
        line = replace(line if line.text is None else lexed, results=came_up, text=None)
        shown = line_as_typed(as_meant(line, scope))
        behind = Unreadable(f"What came up is typed behind =: {shown}.", lexed.verb.column)
        behind.lines = (shown,)
        raise behind
    if isinstance(bound.command, c.Roll) and SUM.fullmatch(" ".join(line.results or ())):
        return bind(_with_sum(line, bound.command, scope), scope)
    if isinstance(bound.command, OfSeveral) and bound.command.named()[1:]:
        from retold.journal.language.meaning import check_for_all

        check_for_all(line, bound.command, scope)
    return bound


def _apart(lexed: Lexed, spoken: str, told: str) -> Refused:
    """Returns a refusal that shows two lines: one for the speech, one for the narration after it."""
    from retold.journal.language.meaning.answers import answer_with
    from retold.journal.language.meaning.lookup import Meant

    verbs = ((c.Say.verb, spoken), (c.Narrate.verb, told))
    speaker = lexed.tokens[:1] or (lexed.verb,)
    lines = [Lexed(bare_token(verb), speaker, text=text) for verb, text in verbs]
    return answer_with(Meant(ONE_LINE, lines), lexed)


def _with_sum(lexed: Lexed, command: c.Roll, scope: Scope) -> Lexed:
    """Returns a roll with the die of a sum, `= 8` for `= 8+3` if 3 is what the sheet adds.

    The whole if it is another number. Raises Refused with the lines for both for a 1 or a 20.
    """
    from retold.journal.language.meaning.answers import answer_with
    from retold.journal.language.meaning.lookup import Meant

    die, added = re.findall(r"\d+", " ".join(lexed.results or ()))
    stat = normalise(getattr(command, "stat", None) or getattr(command, "move", None) or "")
    known = product(SYSTEMS.among(scope.table.shelves), (stat, SKILLS.get(stat, stat)))
    lines = [replace(lexed, results=came) for came in ((die,), (TOTAL, str(int(die) + int(added))))]
    if int(added) in {game.number(scope.table, command.who or 0, word) for game, word in known}:
        return lines[0]
    if die not in NATURALS:
        return lines[1]
    raise answer_with(Meant(CAME, lines), lexed)


def _meant(lexed: Lexed, scope: Scope) -> tuple[Lexed, Bound]:
    """Returns the line that is meant, and its command; dice behind its text are results if they may be."""
    moved = with_dice_behind_text(lexed)
    if moved is not None and not is_speech(lexed, scope.table) and lexed.verb.text not in WORDS_ALONE:
        try:
            return _read(moved, scope)
        except Refused as refusal:
            if refusal.lines:
                raise
    return _read(lexed, scope)


def _read(lexed: Lexed, scope: Scope) -> tuple[Lexed, Bound]:
    """Returns the line that is meant, and its command."""
    try:
        bound = bind_plainly(lexed, scope)
    except ShortName as short:
        from retold.journal.language.meaning import with_name_in_full

        line = with_name_in_full(lexed, scope, short)
        return line, bind(line, scope)
    except Ambiguous as several:
        from retold.journal.language.meaning import of_numbered

        line = of_numbered(lexed, scope, several)
        return line, bind(line, scope)
    except MISREAD as refusal:
        from retold.journal.language.meaning import taken

        line = taken(lexed, scope, refusal)
        return line, bind(line, scope)
    if not has_strange_words(lexed, bound.command, scope.table):
        better = _as_rules_take(lexed, bound, scope)
        return (lexed, bound) if better is None else (better, bind(better, scope))
    from retold.journal.language.meaning import of_this_game

    line = of_this_game(lexed, scope)
    return line, bound if line is lexed else bind(line, scope)


def _as_rules_take(lexed: Lexed, bound: Bound, scope: Scope) -> Lexed | None:
    """Returns the line meant by one whose last word names a flag, or that has a possessive; else None."""
    bare = [token.text for token in lexed.tokens if token.bare]
    flags = form_of(type(bound.command)).flags
    is_owned = any(word.endswith(POSSESSIVES) for word in bare)
    is_unarmed = bool(bare[1:]) and getattr(bound.command, "skill", "") is None
    is_at_name = isinstance(getattr(bound.command, "thing", None), str)  # which may be a track's or a skill's
    if not (bare[-1:] and bare[-1] in flags) and not is_owned and not is_unarmed and not is_at_name:
        return None
    from retold.journal.language.meaning.trying import as_rules_take

    return as_rules_take(lexed, scope)


def as_meant(lexed: Lexed, scope: Scope) -> Lexed:
    """Returns the line of this table that a line means by habit; a line without a habit unchanged."""
    try:
        return _meant(with_goal_first(lexed), scope)[0]
    except Refused:
        return lexed
