"""How far a script was recorded before: the ids of its acts say which line of which run they are."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from retold.journal.language.lexing import lex
from retold.journal.language.script_lines import ScriptLine, Unplayable
from retold.journal.language.tokens import Unreadable
from retold.journal.language.verbs import EXPECT
from retold.journal.refused import Refused
from retold.journal.store.contract.event_store import Row
from retold.journal.vocabulary import commands as c
from retold.scribe import Scribe
from retold.script_player import PASSED, Script

WINDOW: Final = 2000
"""A run is gone on with while at most so many events were recorded after it."""


class Progress(NamedTuple):
    """How far a script is recorded, and what the ids of its next acts begin with."""

    digests: Mapping[int, str]
    """For each line of the script that records, by its number from 1: a digest of all lines up to it."""
    begun: int
    """The size of the record when the run began."""
    now: int
    """The size of the record when it went on."""
    done: int = 0
    """How many of the lines are recorded."""
    line: int | None = None
    """The branch of the last act; None if none is recorded."""

    of: int = 0
    """How many lines record; 0 if the script cannot be read to its end."""

    @property
    def is_whole(self) -> bool:
        """True if all lines are recorded."""
        return 0 < self.done == self.of

    def act(self, number: int) -> str:
        """Returns the id of the act that line `number` becomes."""
        return f"run-{self.begun}.{self.now}-{number}-{self.of}-{self.digests[number]}"


def acts_of(progress: Progress) -> Callable[[ScriptLine], str | None]:
    """Returns what `play_script` asks for the ids of commands, in order: those recorded are passed over."""
    number = 0

    def act_of(line: ScriptLine) -> str | None:
        nonlocal number
        number += records(line)
        if number <= progress.done and (records(line) or number < progress.done):
            return PASSED
        return progress.act(number) if records(line) and number in progress.digests else None

    return act_of


def records(line: ScriptLine) -> bool:
    """True if a line of a script may record an act."""
    try:
        verb = lex(line.source).verb.text
    except (Refused, Unreadable):
        return True  # it stops the script
    return verb not in EXPECT and verb != c.Switch.verb


def progress(scribe: Scribe, script: Script, *, anew: bool = False) -> Progress:
    """Returns how far a script is recorded in the campaign of `scribe`, by a run that did not reach its end.

    Nothing of it if it was never run there, if the run was undone, or if `anew`; all of it if the last run
    was of this very script. Raises Refused, with the number of the line, if a line that was recorded from the
    file of this name reads differently now.
    """
    store = scribe.campaign.record.store
    size = store.size()
    lines: list[ScriptLine] = []
    of = 0
    with suppress(Unplayable):
        lines += filter(records, script.lines())
        of = len(lines)
    digests = dict(enumerate(_digests(script, lines), 1))
    fresh = Progress(digests, size, size, of=of)
    last = None if anew else _last(row for _, row in store.log(max(0, size - WINDOW)))
    if last is None:
        return fresh
    found = {
        act.number: (act, row)
        for _, row in store.log(last.begun)
        if (act := _read(row)) is not None and act.begun == last.begun and _counts(scribe, row)
    }
    if not found:
        return fresh
    done = max(found)
    act, row = found[done]
    same = digests.get(done) == act.digest
    if act.number == act.of and not (same and act.of == of):
        return fresh  # that run reached its end
    if same:
        return Progress(digests, last.begun, size, done, row.line, of)
    differing = min(number for number, (one, _) in found.items() if digests.get(number) != one.digest)
    if differing == min(found):
        return fresh  # another script
    at = found[differing][1].position
    where = f"{script.name}:{lines[differing - 1].number}" if differing <= len(lines) else script.name
    raise Refused(
        f"{where}: This is not the line that was recorded from this file: that is at {at}. No line is"
        f" recorded. Put the old line back, and change the record by fix, retcon or undo; or say run"
        f" --anew, which records the file from its first line."
    )


class _RunAct(NamedTuple):
    begun: int
    number: int
    of: int
    digest: str


def _last(rows: Iterable[Row]) -> _RunAct | None:
    found = None
    for row in rows:
        found = _read(row) or found
    return found


def _read(row: Row) -> _RunAct | None:
    match = _ID.search(row.body) if _MARK in row.body else None
    return None if match is None else _RunAct(int(match[1]), int(match[2]), int(match[3]), match[4])


_MARK: Final = '"act":"run-'
_ID: Final = re.compile(r'"act":"run-(\d+)\.\d+-(\d+)-(\d+)-([0-9a-f]{16})"')


def _counts(scribe: Scribe, row: Row) -> bool:
    """True if a stored event is not undone on the branch of `scribe`; on other branches it counts."""
    if scribe.campaign.record.home(scribe.line, row.position) != row.line:
        return True
    return scribe.writer.amendments.counts(row.position)


def _digests(script: Script, lines: Iterable[ScriptLine]) -> Iterator[str]:
    sofar = hashlib.sha256(script.file.encode())
    for line in lines:
        sofar.update(b"\0" + line.source.encode())
        yield sofar.hexdigest()[:16]
