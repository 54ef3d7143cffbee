"""Lines that begin with a sign."""

from __future__ import annotations

from typing import Final

from retold.journal.language.habits.shapes import Habit

SIGNED: Final = (
    Habit(r"\[N:(?P<name>[^\]|]+)\|?(?P<text>.*)\]", ('cast "{name}": {text}', 'cast "{name}"'), "Somebody"),
    Habit(r"\[L:(?P<name>[^\]|]+)\|?(?P<text>.*)\]", ('place "{name}": {text}',), "A place"),
    Habit(r"\[Thread:(?P<name>[^\]|]+)\|?(?P<text>.*)\]", ('thread "{name}": {text}',), "A thread"),
    Habit(
        r"\[(?:E|Clock|Track|Timer):(?P<name>[^\]|]+?) (?:\d+/)?(?P<most>\d+)\]",
        ('clock "{name}" {most}',),
        "A clock",
    ),
    Habit(
        r"(?P<who>[^:()]+?) \((?P<manner>[^()]+)\): (?P<text>.+)",
        ("say {who}: {text}", "narrate {who}: {manner}"),
        "Said, or told",
    ),
    Habit(r"//+\s*(?P<text>.+)", ("aside: {text}",), "Talk outside the story"),
    Habit(r"\((?P<text>.+)\)", ("aside: {text}",), "Talk outside the story"),
    Habit(r"[*_](?P<who>\S+) (?P<text>[^*]+)[*_]", ("narrate {who}: {who} {text}",), "Who does it"),
    Habit(
        r"[*_]+(?P<text>[^*]+)[*_]+",
        ("narrate {me}: {name_of_me} {text}", "declare {me}: {text}"),
        "Who does it",
    ),
    Habit(
        r"@(?P<who>\S+?):?\s+(?P<text>.+)",
        ("say {who}: {text}", "note --to {who}: {text}"),
        "Said, or for their eyes",
    ),
    Habit(r"@\s+(?P<text>.+)", ("declare {me}: {text}", "narrate: {text}"), "What somebody does"),
    Habit(r"\?\s+(?P<text>.+)", ("aside: {text}", "note: {text}"), "A question"),
    Habit(r"\[(?P<text>[^\][]+)\]", ("roll {text}", "note: {text}"), "Without brackets"),
    Habit(r"[^\w\s\"“]+\s*(?P<text>.+)", ("narrate: {text}",), "To tell it"),
)
"""Lines that begin with a sign, as regular expressions of the whole line; the first that fits counts."""
