"""Decisions about texts around a story: blurb, content notes, epigraph, reflections, pull quotes."""

from __future__ import annotations

from retold.journal.refused import Refused
from retold.journal.shared.notes_and_speech import spoken_text
from retold.journal.system import Situation
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event


def write(situation: Situation, command: c.WritePage) -> list[Event]:
    """Returns the event of a text around the story; Refused for an empty text.

    The text is for the session of the moment `command.at`; without one for the last session, or for the
    campaign before the first.
    """
    if spoken_text(command.text) is None:
        raise Refused(f"{command.verb} wants a text. Write it like: {command.example}")
    who = command.by if isinstance(command, c.WriteReflection) else None
    session = situation.table.sessions or None
    return [
        e.PageTextWritten(
            sort=command.sort,
            text=command.text,
            session=session if command.at is None else None,
            who=who,
            about=command.at,
        )
    ]


def pull(_situation: Situation, command: c.Pull) -> list[Event]:
    """Returns the event of a pull quote from a moment."""
    return [e.PassagePulled(at=command.at, text=spoken_text(command.text))]
