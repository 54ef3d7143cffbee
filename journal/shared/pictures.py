"""Decisions about pictures and colours of names."""

from __future__ import annotations

import re
from typing import Final

from retold.journal.pictures import recorded_picture
from retold.journal.refused import Refused
from retold.journal.system import Situation
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import REDACTED, Event


def add(_situation: Situation, command: c.PictureCommand) -> list[Event]:
    """Returns the event of an added picture.

    Raises Refused for a file that has not been read, and for an empty description of what it shows.
    """
    file = command.file.text
    if file is not None and file != REDACTED and recorded_picture(file) is None:
        raise Refused(
            "No picture was read: say this at the console, in a script or in a shell, where files are read."
        )
    if command.alt.text is not None and not command.alt.text.strip():
        raise Refused(f'Say what the picture shows, for those who cannot see it: {command.verb} … alt="…".')
    return [
        e.PictureAdded(
            use=command.use,
            picture=command.file,
            alt=command.alt,
            name=command.name,
            person=command.who,
            credit=command.credit,
            text=command.text,
            about=getattr(command, "at", None),
        )
    ]


_COLOUR: Final = re.compile(r"#?([0-9a-f]{3}|[0-9a-f]{6})")


def choose_colour(_situation: Situation, command: c.ChooseColour) -> list[Event]:
    """Returns the event of a character's colour; Refused for a word that is not a colour."""
    typed = command.colour.strip().lower()
    if typed == "none":
        return [e.ColourChosen(person=command.who, colour=None, text=command.text)]
    written = _COLOUR.fullmatch(typed)
    if written is None:
        raise Refused(f"A colour is written as #7a2e1d, or none for no colour, not {command.colour[:40]}.")
    digits = written[1] if len(written[1]) == 6 else "".join(digit * 2 for digit in written[1])  # noqa: PLR2004
    return [e.ColourChosen(person=command.who, colour=f"#{digits}", text=command.text)]
