"""Lines completed with what the rules miss in them: `attack Gatto Hargan cool` for `attack Gatto Hargan`."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from retold.journal.language.binding import Scope, bind
from retold.journal.language.lexing import Lexed
from retold.journal.language.suggestions import name_token
from retold.journal.refused import NotSaid, none_if_refused


def completed(lexed: Lexed, scope: Scope, refusal: NotSaid) -> Lexed | None:
    """Returns the line with the value that a refusal misses, in its slot; None if it fits nowhere.

    Dice, text and flags of the line stay.
    """
    for place in range(len(lexed.tokens), 0, -1):
        tokens = (*lexed.tokens[:place], name_token(refusal.value), *lexed.tokens[place:])
        line = replace(lexed, tokens=tokens)
        bound = none_if_refused(partial(bind, line, scope))
        value = None if bound is None else getattr(bound.command, refusal.slot, None)
        if refusal.value == (value[0] if isinstance(value, tuple) and value else value):
            return line
    return None
