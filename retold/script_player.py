"""Executes scripts of typed lines, up to the first error."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from retold.journal.language.lexing import lex
from retold.journal.language.script_lines import ScriptLine, Unplayable, read_script
from retold.journal.language.tokens import Unreadable
from retold.journal.language.verbs import EXPECT, VERBS
from retold.journal.refused import Refused
from retold.journal.store.contract.errors import StoreError
from retold.outcome import Outcome
from retold.scribe import Scribe


class Stopped(Refused):
    """Refusal that stopped a script; commands before it stay recorded."""


@dataclass(frozen=True, slots=True)
class Script:
    """Script to execute: its file name and contents."""

    name: str
    data: bytes

    def lines(self) -> Iterator[ScriptLine]:
        """Yields the script's commands in order.

        Raises Unplayable for text that is not UTF-8, a control character, or an indented line under no text.
        """
        yield from read_script(self.data, self.name, (*VERBS, *EXPECT))

    @property
    def file(self) -> str:
        """The name of the file without its folder."""
        return Path(self.name).name

    @property
    def digest(self) -> str:
        """SHA-256 of the contents, in hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()


PASSED = ""
"""In place of the id of an act: the command is not executed."""


def play_script(
    scribe: Scribe, script: Script, act_of: Callable[[ScriptLine], str | None] | None = None
) -> Iterator[tuple[ScriptLine, Outcome]]:
    """Executes each command of a script, and yields it with its outcome.

    `act_of` gives the id of the act that a command becomes, None for any, or `PASSED` for a command that is
    passed over.

    Raises Stopped, as `FILE:LINE: sentence`, at the first error; commands before it stay recorded.
    """
    try:
        for line in script.lines():
            act = None if act_of is None else act_of(line)
            if act == PASSED:
                continue
            try:
                yield line, scribe.carry_out(lex(line.source), act)
            except (Refused, StoreError) as refusal:
                row = refusal.row if isinstance(refusal, Unreadable) else 1
                raise Stopped(f"{script.name}:{line.number + row - 1}: {refusal}") from None
    except Unplayable as unplayable:
        raise Stopped(str(unplayable)) from None
