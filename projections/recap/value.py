"""What a recap says: how it ended, what changed, what is open, who is who; as lines, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from msgspec import Struct

from projections.prose.phrases import ENGLISH, Phrases
from projections.transcript.endings import FIRST, Recalled, fitting


class Group(NamedTuple):
    """Lines under a heading, and how many there was no room for."""

    heading: str
    lines: tuple[str, ...]
    more: int = 0


NOTHING: Final = Group("", ())


class Recap(Struct, frozen=True):
    """What there is to say of the last session, or of several; nothing in it is of our own invention.

    Every word is recorded, or a phrase of the voice. `happened` is how it ended, in the table's own words.
    """

    title: str
    sessions: tuple[int, ...]
    happened: tuple[Recalled, ...]
    changed: Group
    open: Group
    people: Group
    phrases: Phrases = ENGLISH

    def first_lines(self) -> Iterator[str]:
        """How it ended, in few words: as much as a page has of it under “Previously”."""
        return (one.said(self.phrases) for one in fitting(self.happened, FIRST, self.phrases))

    def lines(self) -> Iterator[str]:
        """All of it, line by line, an empty one before each heading."""
        yield self.title
        yield from (one.said(self.phrases) for one in self.happened)
        for group in (self.changed, self.open, self.people):
            yield from shown(group, self.phrases)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON has it; of what there was no room for, how many."""
        groups = {"changed": self.changed, "open": self.open, "people": self.people}
        return {
            "retold": "recap",
            "version": 1,
            "title": self.title,
            "sessions": list(self.sessions),
            "happened": [
                {"what": one.what, "session": one.session, "who": one.who, "text": one.text}
                for one in self.happened
            ],
            **{name: list(group.lines) for name, group in groups.items()},
            "left_out": {name: group.more for name, group in groups.items()},
        }


def shown(group: Group, phrases: Phrases) -> Iterator[str]:
    """A group as it stands in a recap; nothing of one without lines."""
    if group.lines:
        yield from ("", group.heading)
        yield from (f"  {line}" for line in group.lines)
        if group.more:
            yield f"  {phrases.say('page.more', number=group.more)}"
