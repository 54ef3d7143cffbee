"""What somebody at the table may hand in for themselves: what is due for them, and their own words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from msgspec.structs import replace

from journal.language.binding import Bound, Scope, bind
from journal.language.lexing import lex
from journal.refused import Refused
from journal.store.acts import Manner
from journal.store.dealing import SeedElsewhereError
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command
from projections.reading import Arrival, Viewer, known_by, line_played, viewer_meant
from projections.reading.past import Past
from retold.outcome import Outcome
from retold.reading import choices
from retold.scribe import Scribe

ALWAYS: Final = (c.Narrate, c.Say, c.Declare, c.Accept, c.Refuse, c.Draw, c.Roll)
"""What a player may hand in for a character of theirs at any time; the rules say whether it fits."""

NOT_DEALT_HERE: Final = (
    "This table deals from a seed, which the game master's computer does not hold: say what came up, after =."
)
"""What a player is told, who has no seed to give."""

NOT_THEIRS: Final = frozenset(
    {
        "agreed",
        "as",
        "at",
        "by",
        "check",
        "clock",
        "date",
        "gm",
        "person",
        "provenance",
        "ruling",
        "veto",
        "word",
    }
)
"""The flags that are about the record, or for the table to decide."""


def scribe_of(scribe: Scribe, by: str | Arrival) -> Scribe:
    """Who records what somebody hands in where this scribe writes.

    That is the scribe itself, or one for the mainline where they may not know of the line it writes to.
    """
    line = line_played(scribe.campaign, scribe.line, by)
    return scribe if line == scribe.line else Scribe(scribe.campaign, line, today=scribe.today)


def record_theirs(scribe: Scribe, line: str, by: str | Arrival, act: str | None = None) -> Outcome:
    """Records a line in the name of whoever hands it in; under the id of an act that is there, nothing.

    Raises Refused, with nothing recorded, where it is not for them to say, or not now. Nobody is asked.
    """
    if act is not None and (done := scribe.writer.already(act)) is not None:
        return Outcome(done)
    bound = as_theirs(scribe, line, by)
    try:
        return scribe.record(bound.command, replace(bound.manner, act=act))
    except SeedElsewhereError:
        raise Refused(NOT_DEALT_HERE) from None


def as_theirs(scribe: Scribe, line: str, by: str | Arrival) -> Bound:
    """What a line says, in the name of whoever hands it in; Refused where it is not for them to say."""
    table = scribe.table
    past = Past(scribe.campaign, scribe.line, table.position)
    known = partial(known_by, scribe.campaign, scribe.line, by)
    scope = Scope(table, partial(scribe.position, lines=known), scribe.today)
    bound, viewer = bind(lex(line), scope), viewer_meant(past, table, by)
    if viewer.gm:
        raise Refused("The game master hands nothing in: say it, and it is recorded.")
    if viewer.person is None:
        raise Refused("This link is the whole table's: hand in what you say by a link of your own.")
    if not_theirs := sorted(NOT_THEIRS.intersection(bound.flags)):
        raise Refused(f"--{not_theirs[0]} is for the game master to say.")
    command = bound.command
    due = ((who, choice) for who, choice, _ in choices(table))
    if command.manages or not _is_theirs(command, viewer, due):
        raise Refused(_why_not(command, viewer, table))
    return replace(bound, manner=_signed(bound.manner, command, viewer.person))


def _is_theirs(command: Command, viewer: Viewer, due: Iterable[tuple[int, Command]]) -> bool:
    if isinstance(command, c.Note):
        return True
    who = _who(command)
    if who and not all(viewer.among((one,)) for one in who):
        return False
    if who and isinstance(command, ALWAYS):
        return True
    return any(
        viewer.among((person,)) and type(choice) is type(command) and _who(choice) == who
        for person, choice in due
    )


def _who(command: Command) -> tuple[int, ...]:
    """Whose it is, as the line says it; nobody where it does not."""
    who = getattr(command, "who", None)
    if isinstance(who, int):
        return (who,)
    return tuple(one for one in who if isinstance(one, int)) if isinstance(who, tuple) else ()


def _why_not(command: Command, viewer: Viewer, table: Table) -> str:
    others = [one for one in _who(command) if not viewer.among((one,))]
    if others and not command.manages:
        return f"{table.name(others[0])} is not yours to speak for."
    if isinstance(command, ALWAYS):
        return f"Say whose it is: {command.verb} NAME."
    return f"{command.verb} is not for you to say now; can lists what is."


def _signed(manner: Manner, command: Command, person: int) -> Manner:
    """In their name; a note that does not say for whom is for their own eyes."""
    own = isinstance(command, c.Note) and manner.see == "gm"
    return replace(manner, by=person, see=(person,) if own else manner.see)
