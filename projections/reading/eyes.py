"""What may be seen of a line, and by whom: what is hidden, hung on what is, whispered, or revealed since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from journal.store.codec import Recorded, decode
from journal.store.format import TABLE
from journal.store.standing import Reveals, seen_by_now
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from projections.reading.past import Past
from projections.reading.viewers import Viewer

FOR_THE_GAME_MASTER = (
    *(e.CampaignBegun, e.Forked, e.Promoted, e.Retired, e.LineShown),
    *(e.Undone, e.Redone, e.Reworded, e.Redacted),
)
"""Kinds about the record itself: they hold bits and hashes, or point at what may be nobody else's to know."""

_OF_THE_RECORD = frozenset(kind.kind for kind in FOR_THE_GAME_MASTER)

_ON: Mapping[type[Event], tuple[str, ...]] = {
    e.NarrationOverruled: ("narration",),
    e.Marked: ("at",),
    **dict.fromkeys((e.MatterNoted, e.MatterClosed, e.MatterRenamed), ("about",)),
    e.MatterMerged: ("about", "into"),
}
"""The kinds that are for no other eyes than what they are put on, and the fields that say what that is."""

HANGING = frozenset(kind.kind for kind in _ON)
"""The stored kinds of which an event is hidden with another one."""

WHISPERED = (e.Narrated, e.Said, e.Declared, e.SaidAside)
"""The kinds in which somebody (`who`) may speak for some ears only."""

_WHISPERED = frozenset(kind.kind for kind in WHISPERED)


class Eyes(Struct, frozen=True):
    """A viewer before a line up to a position; what was revealed by there, they know."""

    past: Past
    viewer: Viewer

    def sees(self, recorded: Recorded) -> bool:
        """True for an event that the viewer may see by now; who may not see a narration sees none struck.

        Nor is there a mark for them on what they may not see: its name may say what that is.
        """
        if self.viewer.gm:
            return True
        if isinstance(recorded.event, FOR_THE_GAME_MASTER):
            return False
        return all(self._sees(one) for one in self._hangs_on(recorded))

    def sees_text(self, position: int, kind: str, see: str | tuple[int, ...], people: Sequence[int]) -> bool:
        """The same of a text in an index, of which its kind, its envelope's eyes and its people are known."""
        if self.viewer.gm:
            return True
        if kind in _OF_THE_RECORD:
            return False
        if kind in HANGING:
            row = self.past.row(position)
            return row is None or self.sees(decode(row))
        if see == TABLE:
            return True
        speakers = people if kind in _WHISPERED else ()  # for whoever said them, words are no secret
        if isinstance(see, tuple) and self.viewer.among((*see, *speakers)):
            return True
        to = self.past.reveals.get(position, frozenset())
        return to is None or self.viewer.among(tuple(to))

    def knew(self, recorded: Recorded) -> bool:
        """True for an event that the viewer saw from the first: it was for them, or they whispered it."""
        return self.viewer.sees(recorded.envelope) or _whispers(self.viewer, recorded)

    def told(self, recorded: Recorded) -> Recorded:
        """The event for the eyes it is for by now: a mark open to all is for those who see what it is on."""
        shown = as_revealed(recorded, self.past.reveals)
        if not isinstance(recorded.event, e.Marked):
            return shown
        reveals = self.past.reveals
        eyes = (as_revealed(one, reveals).envelope.see for one in self._hangs_on(recorded))
        see = next((one for one in eyes if one != TABLE), TABLE)
        return replace(shown, envelope=shown.envelope._replace(see=see))

    def _sees(self, recorded: Recorded) -> bool:
        """True for an event that the viewer may see, as it is revealed by now, or whispered themselves."""
        shown = as_revealed(recorded, self.past.reveals)
        return self.viewer.sees(shown.envelope) or _whispers(self.viewer, recorded)

    def _hangs_on(self, recorded: Recorded) -> Iterator[Recorded]:
        """The event, what it is put on, and what that is put on."""
        yield recorded
        for field in _ON.get(type(recorded.event), ()) if isinstance(recorded.event, Event) else ():
            row = self.past.row(getattr(recorded.event, field))
            if row is not None and row.position < recorded.position:
                yield from self._hangs_on(decode(row))


def _whispers(viewer: Viewer, recorded: Recorded) -> bool:
    """True for a viewer's own words to some of the others.

    Not for what is for the game master's eyes: what they write down of somebody in secret is nobody's copy's.
    """
    event = recorded.event
    is_for_some = isinstance(recorded.envelope.see, tuple)
    return (
        is_for_some
        and isinstance(event, WHISPERED)
        and viewer.among(() if event.who is None else (event.who,))
    )


def as_revealed(recorded: Recorded, reveals: Reveals) -> Recorded:
    """The event for the eyes it is for by now: those it was recorded for, and those it was revealed to."""
    if recorded.position not in reveals or recorded.envelope.see == TABLE:
        return recorded
    see = seen_by_now(recorded.envelope.see, reveals[recorded.position])
    return replace(recorded, envelope=recorded.envelope._replace(see=see))
