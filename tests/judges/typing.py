"""Lines as a table types them, for a judge that knows nothing but what may be typed."""

from __future__ import annotations

from retold.journal.decks.chance import Luck
from retold.journal.language.binding import Scope, bind
from retold.journal.language.lexing import lex
from retold.journal.line import decide
from retold.journal.vocabulary.base import Event
from tests.scenario import SeededLine


def typed(line: SeededLine, words: str) -> list[Event]:
    """What comes of these words, which have happened then; raises Refused where they may not be said."""
    command = bind(lex(words), Scope(line.table, int)).command
    events = decide(line.table, command, Luck(line.dealer, getattr(command, "results", None)))
    line.add(*events)
    return events
