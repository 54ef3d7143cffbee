"""What somebody at the table may hand in for themselves: what is due for them, and their own words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from journal.decks.chance import SystemDealer
from journal.hiding import audiences
from journal.language.binding import Bound, Scope, bind, commands_meant
from journal.language.lexing import Lexed, lex
from journal.line import LiveEvent
from journal.refused import Refused
from journal.store.acts import Manner, SeedElsewhereError
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command, OfSeveral
from projections.plain.lives import notation
from projections.reading import Arrival, LineView, Viewer, line_played
from retold.outcome import Outcome
from retold.reading import choices_at
from retold.scribe import Scribe

ALWAYS_ALLOWED: Final = (c.Narrate, c.Say, c.Declare, c.Accept, c.Refuse, c.Draw, c.Roll)
"""What a player may hand in for a character of theirs at any time; the rules say whether it fits."""

NOT_DEALT_HERE: Final = (
    "This table deals from a seed, which the game master's computer does not hold: say what came up, after =."
)
"""What a player is told, who has no seed to give."""

GAME_MASTER_FLAGS: Final = frozenset(
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


NOT_NOW: Final = "The table does not take this as it stands: ask your game master."
"""What a player is told where the rules refuse a line for a reason the player may not know."""

NO_MOMENT: Final = "Only the game master may name a moment."


def scribe_for(scribe: Scribe, by: str | Arrival) -> Scribe:
    """Who records what somebody hands in where this scribe writes.

    That is the scribe itself, or one for the mainline where they may not know of the line it writes to.
    """
    line = line_played(scribe.campaign, scribe.line, by)
    return scribe if line == scribe.line else Scribe(scribe.campaign, line, today=scribe.today)


def record_for_player(scribe: Scribe, line: str, by: str | Arrival, act: str | None = None) -> Outcome:
    """Records a line in the name of whoever hands it in; under the id of an act that is there, nothing.

    Raises Refused, with nothing recorded, where it is not for them to say, or not now. Nobody is asked.
    """
    if act is not None and (done := scribe.writer.already(act)) is not None:
        return Outcome(done)
    theirs = bind_player_line(scribe, line, by)
    manner = replace(theirs.bound.manner, act=act)
    try:
        outcome = scribe.record(theirs.bound.command, manner, counts_others=False)
    except SeedElsewhereError:
        raise Refused(NOT_DEALT_HERE) from None
    except Refused:
        raise theirs.refusal(scribe) from None
    return replace(outcome, place=theirs.seen.ids.place)


def check_for_player(scribe: Scribe, line: str, by: str | Arrival) -> Outcome:
    """What would come of such a line, with nothing recorded, by an example of what is dealt."""
    theirs = bind_player_line(scribe, line, by)
    try:
        would = scribe.writer.would(theirs.bound.command, theirs.bound.manner, SystemDealer())
    except Refused:
        raise theirs.refusal(scribe) from None
    bound = theirs.bound
    visible_to = audiences(scribe.table, bound.command, would, bound.manner.visible_to)
    place = theirs.seen.ids.place
    return Outcome(checked=True, would=tuple(would), place=place, visible_to=tuple(visible_to))


def sentences_for(scribe: Scribe, outcome: Outcome, by: str | Arrival) -> tuple[str, ...]:
    """What came of a line, or would, in words for whoever handed it in: without what is hidden from them."""
    seen = scribe.seen_by(by)
    lives = outcome.done.lives if outcome.done else tuple(LiveEvent(0, event) for event in outcome.would)
    for_whom = (*outcome.visible_to, *(live.visible_to for live in lives[len(outcome.visible_to) :]))
    told = [
        (live._replace(event=event), visible_to)
        for live, visible_to in zip(lives, for_whom, strict=True)
        if (event := seen.sight.told_of(live.event, visible_to, live.position or seen.position + 1))
        is not None
    ]
    names = notation(
        seen.table, (live for live, _ in told), place=outcome.place, visible_to=(one for _, one in told)
    )
    return (*outcome.said, *names)


class PlayerLine(Struct, frozen=True):
    """A player's line, bound among what the player knows."""

    bound: Bound
    seen: LineView

    def refusal(self, scribe: Scribe) -> Refused:
        """Why the rules refuse the line, as far as it follows from what the player knows."""
        try:
            known = self.seen.table
            scribe.writer.would(self.bound.command, self.bound.manner, SystemDealer(), known)
        except Refused as refusal:
            return refusal
        return Refused(NOT_NOW)


def bind_player_line(scribe: Scribe, line: str, by: str | Arrival) -> PlayerLine:
    """What a line says, in the name of whoever hands it in; Refused where it is not for them to say.

    Whether it is for them is asked before any name or moment on it is looked up, and names are looked up in
    the table as they know it: a refusal says nothing that is hidden from them.
    """
    lexed, seen = lex(line), scribe.seen_by(by)
    viewer, table = seen.viewer, seen.table
    if viewer.gm:
        raise Refused("The game master hands nothing in: say it, and it is recorded.")
    if viewer.person is None:
        raise Refused("This link is the whole table's: hand in what you say by a link of your own.")
    if not_theirs := sorted(GAME_MASTER_FLAGS.intersection(lexed.flags)):
        raise Refused(f"--{not_theirs[0]} is for the game master to say.")
    _check_verb(lexed, viewer, table)
    bound = bind(lexed, Scope(table, _no_moment, scribe.today))
    command = bound.command
    due = ((who, choice) for who, choice, _ in choices_at(table))
    if command.manages or not _is_players(command, viewer, due):
        raise Refused(_why_not(command, viewer, table))
    return PlayerLine(replace(bound, manner=_signed(bound.manner, command, viewer.person)), seen)


def _no_moment(_typed: str) -> int:
    raise Refused(NO_MOMENT)


def _check_verb(lexed: Lexed, viewer: Viewer, table: Table) -> None:
    """Refused for a verb that is never a player's, and for one that is not due for this player."""
    meant = commands_meant(lexed, table)
    if any(issubclass(command, (c.Note, *ALWAYS_ALLOWED)) for command in meant):
        return
    due = {choice.verb for who, choice, _ in choices_at(table) if viewer.among((who,))}
    if meant[0].verb not in due:
        raise Refused(_not_now(meant[0]))


def _not_now(command: Command | type[Command]) -> str:
    return f"{command.verb} is not for you to say now; can lists what is."


def _is_players(command: Command, viewer: Viewer, due: Iterable[tuple[int, Command]]) -> bool:
    if isinstance(command, c.Note):
        return True
    who = _who(command)
    if who and not all(viewer.among((one,)) for one in who):
        return False
    if who and isinstance(command, ALWAYS_ALLOWED):
        return True
    return any(
        viewer.among((person,)) and type(choice) is type(command) and _who(choice) == who
        for person, choice in due
    )


def _who(command: Command) -> tuple[int, ...]:
    """Whose it is, as the line says it; nobody where it does not."""
    who = getattr(command, "who", None)
    if isinstance(who, int):
        named = command.named() if isinstance(command, OfSeveral) else (who,)
        return tuple(one for one in named if isinstance(one, int))
    return tuple(one for one in who if isinstance(one, int)) if isinstance(who, tuple) else ()


def _why_not(command: Command, viewer: Viewer, table: Table) -> str:
    others = [one for one in _who(command) if not viewer.among((one,))]
    if others and not command.manages:
        return f"{table.name(others[0])} is not yours to speak for."
    if isinstance(command, ALWAYS_ALLOWED):
        return f"Say whose it is: {command.verb} NAME."
    return _not_now(command)


def _signed(manner: Manner, command: Command, person: int) -> Manner:
    """In their name; a note that does not say for whom is for themselves only."""
    own = isinstance(command, c.Note) and manner.visible_to == "gm"
    return replace(manner, by=person, visible_to=(person,) if own else manner.visible_to)
