"""Late additions: narration, speech and notes about earlier events, and narrations overruled later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from retold.journal.store.events.codec import Recorded, decode
from retold.journal.vocabulary import events as e
from retold.projections.reading.sight import Sight, as_revealed
from retold.projections.reading.viewers import is_among

TOLD_LATER = ("table.narrated", "table.said", "table.noted", "table.said-aside", "table.picture-added")
OVERRULED = (e.NarrationOverruled.kind,)


class LateAdditions(Struct, frozen=True):
    """Events that add texts to an earlier event, or overrule a narration (strike or edit it)."""

    words: Mapping[int, Sequence[Recorded]]
    overruled: Mapping[int, Sequence[Recorded]]

    def struck(self, position: int) -> bool:
        """True if the narration at `position` was overruled and dropped; False if it was merely edited."""
        return any(
            isinstance(overruling.event, e.NarrationOverruled) and overruling.event.how != "edit"
            for overruling in self.overruled.get(position, ())
        )


def find_late_additions(sight: Sight, after: int = 0) -> LateAdditions:
    """Returns texts about earlier events, and overrulings, recorded past `after`, as far as visible."""
    return _find_additions(sight, after, (*TOLD_LATER, *OVERRULED))


def find_overruled(sight: Sight, after: int) -> LateAdditions:
    """Returns events that overrule a narration, recorded past `after` and visible to the viewer.

    Texts about earlier events are left out.
    """
    return _find_additions(sight, after, OVERRULED)


def _find_additions(sight: Sight, after: int, kinds: Sequence[str]) -> LateAdditions:
    past = sight.past
    words: dict[int, list[Recorded]] = {}
    overruled: dict[int, list[Recorded]] = {}
    for row in past.rows(
        after, None, kinds, lambda row: '"about":' in row.body or row.kind not in TOLD_LATER
    ):
        recorded = decode(row, past.amendments.rewordings.get(row.position))
        if not past.amendments.counts(row.position) or not sight.sees(recorded):
            continue
        found = as_revealed(recorded, past.reveals)
        if isinstance(found.event, e.NarrationOverruled):
            overruled.setdefault(found.event.narration, []).append(found)
        elif isinstance(found.event, e.ToldLater) and found.event.about is not None:
            words.setdefault(found.event.about, []).append(found)
    return LateAdditions(words, overruled)


class RevealedWords(Struct, frozen=True):
    """Narrations, speech and notes known to a viewer only through a reveal, by the reveal's last position.

    Words about the reveal itself come first, since they explain how the viewer came to know; revealed words
    follow.
    """

    words: dict[int, Sequence[Recorded]] = field(default_factory=dict)
    to_all: frozenset[int] = frozenset()
    """Positions of words this viewer learned when the whole table did, but others learned earlier."""

    @property
    def kept_back(self) -> frozenset[int]:
        """Positions at which these words were recorded.

        A transcript prints the words at their reveal instead.
        """
        return frozenset(recorded.position for revealed in self.words.values() for recorded in revealed)

    def placed(self, additions: LateAdditions) -> LateAdditions:
        """Returns `additions` with revealed words moved from their own positions to their reveals."""
        if not self.words:
            return additions
        gone = self.kept_back
        about = {
            at: [recorded for recorded in words if recorded.position not in gone]
            for at, words in additions.words.items()
        }
        for at, revealed in self.words.items():
            about[at] = [*revealed, *about.get(at, ())]
        return replace(additions, words=about)


def find_revealed(sight: Sight) -> RevealedWords:
    """Returns narrations, speech and notes that the viewer could not see before a reveal; none for the GM."""
    if sight.viewer.gm:
        return RevealedWords()
    past = sight.past
    found: dict[int, list[Recorded]] = {}
    known: set[int] = set()
    to_all: set[int] = set()
    for row in past.rows(kinds=(e.Revealed.kind,)):
        reveal = decode(row)
        event = reveal.event
        if not isinstance(event, e.Revealed) or event.about in known:
            continue
        if event.to is not None and not is_among(event.to, sight.viewer):
            continue
        known.add(event.about)
        if event.to is None:
            to_all.add(event.about)
        about = past.row(event.about)
        if about is None or not past.amendments.counts(event.about):
            continue
        words = decode(about, past.amendments.rewordings.get(event.about))
        if isinstance(words.event, e.ToldLater) and not sight.knew(words):
            found.setdefault(min(_end_of_act(reveal), past.position), []).append(
                as_revealed(words, past.reveals)
            )
    return RevealedWords({at: tuple(revealed) for at, revealed in found.items()}, frozenset(to_all))


def _end_of_act(recorded: Recorded) -> int:
    """Returns the position of the last event that the same command recorded as `recorded`."""
    return recorded.position - recorded.envelope.i + recorded.envelope.n
