"""Words that are spoken behind a name, and would be a line of the game if they were typed as one."""

from __future__ import annotations

from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.language.binding import Scope
from retold.journal.language.lexing import lex, line_as_typed
from retold.journal.language.meant import as_meant
from retold.journal.language.strange_words import bind_plainly
from retold.journal.line import decide
from retold.journal.refused import Refused
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c

_ENDS = (".", "!", "?", "…")


def spoken_line(table: Table, said: c.Say) -> str | None:
    """Returns the line meant by spoken words: `declare Jonah engage Dog` for `Jonah: engage Dog`.

    None outside conflicts, for words that begin with a capital letter or end a sentence, and for words that
    are no line that the rules accept now.
    """
    words = str(said.text)
    here = table.in_play()
    if here is None or said.who not in here.people or not words[:1].islower() or words.endswith(_ENDS):
        return None
    try:
        typed = lex(f"{table.name(said.who)} {words}")
        meant = as_meant(typed, Scope(table))
        command = bind_plainly(meant, Scope(table)).command
        if meant is typed or command.manages or isinstance(command, c.Say | c.Narrate):
            return None
        decide(table, command, Luck(FirstDealer()))
    except Refused:
        return None
    return line_as_typed(meant)
