"""What each flag of a line is about, in a few words."""

from __future__ import annotations

from collections.abc import Mapping

FLAGS: Mapping[str, str] = {
    "absent": "who is away tonight",
    "against": "the target's skill that opposes",
    "as": "the whole line as it should have been",
    "at": "for an earlier moment",
    "by": "who does it",
    "check": "say what would happen, record nothing",
    "dangerous": "everybody's blows cost more for it",
    "date": "the day, as 2026-03-14",
    "for": "the comrade whose hit it is",
    "free": "for nothing",
    "gm": "for the game master's eyes",
    "gone": "it is there no longer",
    "in": "which conflict",
    "interrupt": "before whoever is acting",
    "oppose": "how many are against it",
    "own": "about your own party",
    "person": "every name of somebody",
    "provenance": "where results come from",
    "quote": "something said at the table",
    "reroll": "all the dice again",
    "sealed": "face down, until all is revealed at once",
    "support": "how many are for it",
    "to": "only for these eyes",
    "upgrade": "an upgrade of theirs",
    "veto": "the game master's no",
    "word": "one of several texts, by its number",
}
