"""Words that were kept from somebody at first: they are told where they were revealed."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from journal.store.codec import Recorded, decode
from journal.vocabulary import events as e
from projections.reading.afterwards import Afterwards
from projections.reading.sight import Sight, as_revealed
from projections.reading.viewers import is_among


class Revealed(Struct, frozen=True):
    """The words a viewer knows only since they were revealed, each by where the act of its first reveal ends.

    What was said of a reveal is how somebody came to know: the words themselves come after it.
    """

    words: dict[int, Sequence[Recorded]] = field(default_factory=dict)
    to_all: frozenset[int] = frozenset()
    """Where those were recorded that this viewer heard of when everybody did, and others had before."""

    @property
    def kept_back(self) -> frozenset[int]:
        """Where those words were recorded, and are not told."""
        return frozenset(one.position for told in self.words.values() for one in told)

    def placed(self, said: Afterwards) -> Afterwards:
        """What was said about earlier moments, with these words among it, about their reveals."""
        if not self.words:
            return said
        gone = self.kept_back
        about = {at: [one for one in told if one.position not in gone] for at, told in said.words.items()}
        for at, told in self.words.items():
            about[at] = [*told, *about.get(at, ())]
        return replace(said, words=about)


def revealed(sight: Sight) -> Revealed:
    """What was told, said or noted that this viewer sees by now, and did not from the first."""
    if sight.viewer.gm:
        return Revealed()
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
        if about is None or not past.stands.counts(event.about):
            continue
        words = decode(about, past.stands.rewordings.get(event.about))
        if isinstance(words.event, e.ToldLater) and not sight.knew(words):
            found.setdefault(min(_end(reveal), past.position), []).append(as_revealed(words, past.reveals))
    return Revealed({at: tuple(told) for at, told in found.items()}, frozenset(to_all))


def _end(recorded: Recorded) -> int:
    """The position at which the act of an event ends."""
    return recorded.position - recorded.envelope.i + recorded.envelope.n
