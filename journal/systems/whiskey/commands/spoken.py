"""What somebody says with a line, if they say anything."""

from __future__ import annotations

from journal.system import Situation
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event
from journal.words import Words


def said(text: Words | None) -> Words | None:
    """The text; None where there is none, or none but a colon."""
    return None if text is None or text.text == "" else text


def told_by_gm(situation: Situation, text: Words | None) -> list[Event]:
    """What the game master says of what has just come about."""
    words = said(text)
    return [] if words is None else [e.Narrated(who=GM, text=words, conflict=situation.here.id)]
