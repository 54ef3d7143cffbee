"""The lines that a sentence, or the table as it stands, tells somebody to type."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from journal.capabilities import Outlook, OwnRoll
from journal.copying import copied
from journal.decks.chance import FirstDealer, Luck
from journal.language.verbs import VERBS
from journal.outlooks import outlooks, rolls
from journal.table import Table

BEGINS = re.compile(r"(?:^|: |\(|; |, or )(?P<verb>[a-z]+)(?=[ .,;:)]|$)")
"""Where a line may begin: after a colon, in brackets, after another one."""

OPEN = re.compile(r"\b[A-Z]{2,}\b|…")
"""What is left for whoever types it to fill in."""


class Proposed(NamedTuple):
    """A line in a sentence, as far as it may reach, and where it begins there (from 0)."""

    line: str
    at: int

    @property
    def is_whole(self) -> bool:
        """True where it leaves nothing to be filled in; the rules may refuse it yet."""
        return not OPEN.search(self.line)


def lines_in(sentence: str) -> Iterator[Proposed]:
    """Every line that a sentence may propose; some are words of the sentence that begin like one."""
    sentence = sentence.partition(" The form is:")[0]
    for found in BEGINS.finditer(sentence):
        at = found.start("verb")
        line = sentence[at : _end(sentence, at)]
        if found["verb"] in VERBS and " " in line:  # a verb alone is named, not typed
            yield Proposed(line, at)


def _end(sentence: str, start: int) -> int:
    """Where the line ends that begins there: with its bracket, its clause or the sentence."""
    depth, quoted = 0, False
    for place in range(start, len(sentence)):
        sign, rest = sentence[place], sentence[place + 1 :]
        quoted ^= sign == '"'
        if quoted:
            continue
        depth += (sign == "(") - (sign == ")")
        if depth < 0 or sign == ";" or (sign in ".," and (not rest or rest[0] == " ")):
            return place
    return len(sentence)


class _Seen(NamedTuple):
    """What was seen at a table, a copy of it, and how that is written out: in the order of what it holds."""

    table: Table
    written: str
    outlooks: list[Outlook]


_LATELY: Final[deque[_Seen]] = deque(maxlen=4)
"""What was seen last: at the table as it is, and as it was before what may be undone."""


def seen_at(table: Table) -> list[Outlook]:
    """What may be said at this table now, conflict by conflict and then outside them.

    In a fight of eight some hundred lines are put to the rules for it; so whoever asks at a table that is as
    it was before, wherever its line has come to, is told what was seen then.
    """
    now = replace(table, position=0)
    for lately in tuple(_LATELY):
        if lately.table == now and lately.written == repr(now):
            return lately.outlooks
    seen = list(outlooks(table, Luck(FirstDealer())))
    own = copied(now)
    _LATELY.append(_Seen(own, repr(own), seen))
    return seen


def rolls_at(table: Table, who: int) -> tuple[OwnRoll, ...]:
    """What somebody may roll for at this table now, whoever's turn it is."""
    return tuple(rolls(table, Luck(FirstDealer()), who))
