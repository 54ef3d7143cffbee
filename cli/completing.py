"""What a half-typed shell word may become; loads next to nothing, because it is asked at every Tab."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence

from cli.dispatch import READING

TABLE_VERBS = (
    *("accept", "apply", "approach", "aspect", "assess", "attack", "award", "boost", "branch", "bring"),
    *("campaign", "cast", "check", "clash", "clear", "colour", "compel", "complication", "concede"),
    *("condition", "conflict", "continue", "declare", "defend", "deploy", "draw", "end", "escalate"),
    *("exchange", "expect", "fallout", "fix", "forfeit", "give", "invoke", "karma", "maneuver", "map"),
    *("mark", "move", "narrate", "next", "note", "option", "outcome", "overrule", "place", "postpone"),
    *("quality", "raise", "recover", "redact", "redo", "reformulate", "refuse", "resist", "retcon"),
    *("reveal", "roll", "ruling", "say", "scene", "see", "session", "shuffle", "simple", "spend", "spin"),
    *("stakes", "stop", "switch", "tilt", "undo"),
)
"""The verbs of the table, written out so that nothing need be loaded; a test holds them to the commands."""

VIEWS = (
    *("balance", "cast", "clashes", "conflicts", "decks", "fallout", "health", "map", "pending"),
    *("points", "pool", "sessions", "stress", "untold"),
)
"""The views of `show`; a test holds the list to projections.views."""

TOPICS = ("compels", "luck", "telling", "time")
"""What `stats` counts; a test holds the list to projections.statistics."""

BEFORE_A_VERB = {"--json", "--debug", "--yes", "--no-color"}


def complete(words: Sequence[str]) -> int:
    """Prints one candidate a line for the last of `words`, which may be empty."""
    *before, current = words or [""]
    campaign, before = _campaign_named(before)
    for candidate in _candidates(before, campaign):
        if candidate.casefold().startswith(current.casefold()):
            sys.stdout.write(f"{candidate}\n")
    return 0


def _campaign_named(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """The campaign named by -c, and the words without it and the other options before a verb."""
    left = list(words)
    while left and left[0] in BEFORE_A_VERB:
        del left[0]
    for flag in ("-c", "--campaign"):
        if flag in left[:-1]:
            place = left.index(flag)
            named = left[place + 1]
            del left[place : place + 2]
            return named, [word for word in left if word not in BEFORE_A_VERB]
    return None, left


def _candidates(before: Sequence[str], campaign: str | None) -> Iterator[str]:
    if not before:
        yield from sorted({*READING, *TABLE_VERBS, "help", "log"})
        return
    verb = before[0]
    if verb == "show":
        yield from VIEWS
    elif verb == "stats":
        yield from TOPICS
    elif verb == "help":
        yield from sorted({*READING, *TABLE_VERBS, "log", "moments", "exit-codes"})
    elif verb in ("switch", "diff") or before[-1] in ("--branch", "promote"):
        yield from _branches(campaign)
    elif verb in TABLE_VERBS:
        yield from _names(campaign)


def _branches(campaign: str | None) -> Iterator[str]:
    yield "mainline"
    yield from _words_of(campaign, "table.forked", "name")


def _names(campaign: str | None) -> Iterator[str]:
    yield "gm"
    yield from _words_of(campaign, "table.cast-introduced", "name")


def _words_of(campaign: str | None, kind: str, field: str) -> Iterator[str]:
    """The words of one field of every event of a kind, dashed where they hold blanks."""
    from cli.settings import Settings
    from journal.refused import Refused
    from journal.store.errors import StoreError
    from journal.store.file import File

    try:
        with File.open(Settings.of_user().campaign(campaign), read_only=True) as file:
            for row in file.everything_of((kind,)):
                words = json.loads(row.words)[json.loads(row.body)["data"][field]["~"]] if row.words else None
                if words and words[1].isprintable():
                    yield words[1].replace(" ", "-")
    except (Refused, StoreError):
        return
