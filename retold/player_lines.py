"""Lines handed in by players: words of their characters, and actions for which it is their turn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from retold.journal.decks.chance import SystemDealer
from retold.journal.hiding import audiences
from retold.journal.language.binding import Bound, Scope, commands_meant
from retold.journal.language.lexing import Lexed, lex
from retold.journal.language.meaning import with_other_numbers
from retold.journal.language.meant import as_meant, bind_as_meant
from retold.journal.line import LiveEvent
from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner, SeedElsewhereError
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command, OfSeveral
from retold.outcome import Outcome
from retold.projections.plain.lives import notation
from retold.projections.reading import Arrival, LineView, Viewer, line_played
from retold.questions import answered
from retold.reading import choices_at
from retold.scribe import Scribe

ALWAYS_ALLOWED: Final = (c.Narrate, c.Say, c.Declare, c.Accept, c.Refuse, c.Draw, c.Roll, c.Join)
"""Commands a player may always hand in for their characters, if the rules accept them."""

NOT_DEALT_HERE: Final = (
    "This table deals from a seed, which the game master's computer does not hold: say what came up, after =."
)
"""Refusal of a roll without results at a seeded table."""

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
        "when",
        "word",
        "yes",
    }
)
"""Flags about the record, or for the table to decide."""


NOT_NOW: Final = "The table does not take this line: ask your game master."
"""Refusal for a reason the player may not know."""

NO_MOMENT: Final = "Only the game master may name a moment."


def scribe_for(scribe: Scribe, by: str | Arrival) -> Scribe:
    """Returns the scribe (writer to the record) for a player's line: `scribe`, or one for the mainline.

    The mainline (the branch being played) is used if the player may not see the branch `scribe` writes to.
    """
    line = line_played(scribe.campaign, scribe.line, by)
    return scribe if line == scribe.line else Scribe(scribe.campaign, line, today=scribe.today)


def record_for_player(scribe: Scribe, line: str, by: str | Arrival, act: str | None = None) -> Outcome:
    """Records a line in a player's name, and returns the outcome; never asks the user.

    If the branch has an act with the id `act` already, records nothing and returns that act. Raises Refused,
    with nothing recorded, if the player may not say the line.
    """
    if act is not None and (done := scribe.writer.already(act)) is not None:
        return Outcome(done)
    seen = scribe.seen_by(by)
    if (told := _answer_question(seen, line)) is not None:
        return told
    theirs = bind_player_line(scribe, line, seen)
    manner = replace(theirs.bound.manner, act=act)
    try:
        outcome = scribe.record(theirs.bound.command, manner, counts_others=False)
    except SeedElsewhereError:
        raise Refused(NOT_DEALT_HERE) from None
    except Refused:
        raise theirs.refusal(scribe) from None
    return replace(outcome, place=theirs.seen.ids.place)


def check_for_player(scribe: Scribe, line: str, by: str | Arrival) -> Outcome:
    """Returns the outcome that a player's line would have, with random example results; records nothing.

    Raises Refused if the player may not say the line.
    """
    seen = scribe.seen_by(by)
    if (told := _answer_question(seen, line)) is not None:
        return told
    theirs = bind_player_line(scribe, line, seen)
    try:
        would = scribe.writer.would(theirs.bound.command, theirs.bound.manner, SystemDealer())
    except Refused:
        raise theirs.refusal(scribe) from None
    bound = theirs.bound
    visible_to = audiences(scribe.table, bound.command, would, bound.manner.visible_to)
    place = theirs.seen.ids.place
    return Outcome(checked=True, would=tuple(would), place=place, visible_to=tuple(visible_to))


def _answer_question(seen: LineView, line: str) -> Outcome | None:
    """Returns the outcome of a line that only asks, such as `hp Warden`; None for other lines.

    It is answered from what the player knows; a hidden person is unknown, like one who is not there.
    """
    told = None if seen.viewer.person is None else answered(lex(line), seen.table)
    return None if told is None else Outcome(said=told, checked=True)


def sentences_for(scribe: Scribe, outcome: Outcome, by: str | Arrival) -> tuple[str, ...]:
    """Returns an outcome's sentences for the player who handed the line in, without hidden events."""
    seen = scribe.seen_by(by)
    lives = outcome.done.lives if outcome.done else tuple(LiveEvent(0, event) for event in outcome.would)
    for_whom = (*outcome.visible_to, *(live.visible_to for live in lives[len(outcome.visible_to) :]))
    told = []
    for live, visible_to, after in zip(lives, for_whom, [*lives, None][1:], strict=True):
        position = live.position or seen.position + 1
        if (event := seen.sight.as_seen_at(live.event, visible_to, position, after)) is not None:
            told.append((live._replace(event=event), visible_to))
        if outcome.done is None and event is not live.event and seen.sight.opponents:
            break  # what an example roll would do to an opponent shows the number it had to reach
    names = notation(
        seen.table,
        (live for live, _ in told),
        place=outcome.place,
        visible_to=(audience for _, audience in told),
    )
    return (*outcome.said, *names)


class PlayerLine(Struct, frozen=True):
    """Line of a player bound to a command; names were looked up among people and things the player knows."""

    bound: Bound
    seen: LineView
    lexed: Lexed
    scope: Scope

    def refusal(self, scribe: Scribe) -> Refused:
        """Returns the rules' refusal of the line, decided from only what the player knows of the table.

        It shows the corrected line, if there is one. Returns a neutral refusal if the rules would accept the
        line then.
        """
        try:
            known = self.seen.table
            scribe.writer.would(self.bound.command, self.bound.manner, SystemDealer(), known)
        except Refused as refusal:
            return with_other_numbers(self.lexed, self.bound.command, self.scope, refusal) or refusal
        return Refused(NOT_NOW)


def bind_player_line(scribe: Scribe, line: str, seen: LineView) -> PlayerLine:
    """Binds the line of a player with the view `seen` to a command; Refused if the player may not say it.

    Permission is checked before names and moments are looked up, and names are looked up in the table as the
    player knows it: a refusal discloses nothing hidden from them.
    """
    lexed = lex(line)
    viewer = seen.viewer
    table = seen.table
    if viewer.gm:
        raise Refused("The game master hands nothing in: say it, and it is recorded.")
    if viewer.person is None:
        raise Refused("This link is the whole table's: hand in what you say by a link of your own.")
    if not_theirs := sorted(GAME_MASTER_FLAGS.intersection(lexed.flags)):
        raise Refused(f"--{not_theirs[0]} is for the game master to say.")
    scope = Scope(table, _no_moment, scribe.today)
    lexed = as_meant(lexed, scope)
    _check_verb(lexed, viewer, table)
    bound = bind_as_meant(lexed, scope)
    command = bound.command
    due = ((who, choice) for who, choice, _ in choices_at(table))
    if command.manages or not _may_hand_in(command, viewer, due):
        raise Refused(_why_not(command, viewer, table))
    signed = replace(bound, manner=_signed(bound.manner, command, viewer.person))
    return PlayerLine(signed, seen, as_meant(lexed, scope), scope)


def _no_moment(_typed: str) -> int:
    raise Refused(NO_MOMENT)


def _check_verb(lexed: Lexed, viewer: Viewer, table: Table) -> None:
    """Raises Refused for a verb that players never use, or that no character of this player may use now."""
    meant = commands_meant(lexed, table)
    if any(issubclass(command, (c.Note, *ALWAYS_ALLOWED)) for command in meant):
        return
    due = {choice.verb for who, choice, _ in choices_at(table) if viewer.among((who,))}
    if meant[0].verb not in due:
        raise Refused(_not_now(meant[0]))


def _not_now(command: Command | type[Command]) -> str:
    return f"{command.verb} is not for you to say now; can lists what is."


def _may_hand_in(command: Command, viewer: Viewer, due: Iterable[tuple[int, Command]]) -> bool:
    if isinstance(command, c.Note):
        return True
    who = _people_of(command)
    if who and not all(viewer.among((person,)) for person in who):
        return False
    if who and isinstance(command, ALWAYS_ALLOWED):
        return True
    return any(
        viewer.among((person,)) and type(choice) is type(command) and _people_of(choice) == who
        for person, choice in due
    )


def _people_of(command: Command) -> tuple[int, ...]:
    """Returns ids of the people that a command acts for, as named on its line.

    Empty if none, or if it brings in somebody new.
    """
    who = getattr(command, "who", None)
    if isinstance(who, int):
        named = command.named() if isinstance(command, OfSeveral) else (who,)
        return tuple(person for person in named if isinstance(person, int))
    known = tuple(person for person in who if isinstance(person, int)) if isinstance(who, tuple) else ()
    return known if known == who else ()


def _why_not(command: Command, viewer: Viewer, table: Table) -> str:
    others = [person for person in _people_of(command) if not viewer.among((person,))]
    if others and not command.manages:
        return f"{table.name(others[0])} is not yours to speak for."
    if isinstance(command, ALWAYS_ALLOWED):
        own = [table.quoted(who) for who in viewer.also if table.people[who].role == "character"]
        told = f" {own[0]}: {text}" if own and (text := getattr(command, "text", None)) else " NAME."
        return f"Say whose it is: {command.verb}{told}"
    return _not_now(command)


def _signed(manner: Manner, command: Command, person: int) -> Manner:
    """Returns options for recording, with the player as author; a note without audience is for them alone."""
    own = isinstance(command, c.Note) and manner.visible_to == "gm"
    return replace(manner, by=person, visible_to=(person,) if own else manner.visible_to)
