"""Words that are spoken behind a name, and would be a line of the game if they were typed as one."""

from __future__ import annotations

import re

from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.language.binding import Scope
from retold.journal.language.lexing import lex, line_as_typed
from retold.journal.language.meant import as_meant, bind_as_meant
from retold.journal.language.proposed import lines_in
from retold.journal.language.verbs import VERBS
from retold.journal.line import decide
from retold.journal.refused import Refused
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c

_ENDS = (".", "!", "?", "…")
_WORDS = {c.Narrate.verb, c.Say.verb, c.Note.verb, "give"}


def spoken_line(table: Table, said: c.Say) -> str | None:
    """Returns the line meant by spoken words: `declare Jonah engage Dog` for `Jonah: engage Dog`.

    None for words that begin with a capital letter or end a sentence, and for words other than lines that the
    rules accept now; outside conflicts also for words without a number.
    """
    words = str(said.text)
    here = table.in_play()
    is_counted = re.search(r"\d", words) is not None
    fights = here is not None and said.who in here.people
    if said.who is None or not (fights or is_counted) or not words[:1].islower() or words.endswith(_ENDS):
        return None
    try:
        typed = lex(f"{table.name(said.who)} {words}")
        meant = as_meant(typed, Scope(table))
        command = bind_as_meant(typed, Scope(table)).command
        if meant is typed or command.manages or isinstance(command, c.Say | c.Narrate):
            return None
        decide(table, command, Luck(FirstDealer()))
    except Refused as refusal:
        shown = (one.line for one in lines_in(refusal.sentence) if one.is_whole and is_counted)
        return next((line for line in shown if line.partition(" ")[0] in VERBS.keys() - _WORDS), None)
    return line_as_typed(meant)
