"""A session script, played line by line; it stops where something is not right."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from cli.scribe import Outcome, Scribe
from journal.language.lexing import lex
from journal.language.lines import ScriptLine, Unplayable, read_script
from journal.language.tokens import Unreadable
from journal.language.verbs import EXPECT, VERBS
from journal.refused import Refused
from journal.store.errors import StoreError

MOST_SCRIPT = 256 * 2**20


class Stopped(Refused):
    """A script stopped; everything before that line is recorded."""


@dataclass(frozen=True, slots=True)
class Script:
    """A script's bytes and what to call it in a sentence."""

    name: str
    data: bytes

    @classmethod
    def read(cls, named: str) -> Script:
        """The script in a file, or on standard input (-)."""
        if named == "-":
            return cls("standard input", _not_too_much(sys.stdin.buffer, "standard input"))
        path = Path(named)
        if path.is_dir():
            raise Refused(f"{named} is a folder; a script is a file such as evening.session.")
        if not path.exists():
            raise Refused(f"There is no script {named}.")
        with path.open("rb") as script:
            return cls(named, _not_too_much(script, named))

    def lines(self) -> Iterator[ScriptLine]:
        """Its commands in order."""
        yield from read_script(self.data, self.name, (*VERBS, *EXPECT))

    @property
    def digest(self) -> str:
        """SHA-256 of its bytes, in hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()


def _not_too_much(script: BinaryIO, named: str) -> bytes:
    data = script.read(MOST_SCRIPT + 1)
    if len(data) > MOST_SCRIPT:
        raise Refused(f"{named} is larger than {MOST_SCRIPT // 2**20} MB: cut it in parts.")
    return data


def play_script(scribe: Scribe, script: Script) -> Iterator[tuple[ScriptLine, Outcome]]:
    """Carries out each line in turn; Stopped at the first that is refused, with `FILE:LINE: sentence`."""
    try:
        for line in script.lines():
            try:
                yield line, scribe.carry_out(lex(line.source))
            except (Refused, StoreError) as refusal:
                row = refusal.row if isinstance(refusal, Unreadable) else 1
                raise Stopped(f"{script.name}:{line.number + row - 1}: {refusal}") from None
    except Unplayable as unplayable:
        raise Stopped(str(unplayable)) from None
