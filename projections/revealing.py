"""Words that were kept from somebody at first: they are told where they were revealed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from journal.store import reading
from journal.store.campaign import Campaign
from journal.store.codec import Recorded, decode
from journal.vocabulary import events as e
from projections.replay import Afterwards, Viewer, as_revealed, whispers


@dataclass(frozen=True, slots=True)
class Revealed:
    """The words a viewer knows only since they were revealed, each by the position of the first reveal."""

    words: dict[int, Sequence[Recorded]] = field(default_factory=dict)

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


def revealed(campaign: Campaign, line: int, upto: int, viewer: Viewer) -> Revealed:
    """What was told, said or noted that `viewer` knows by `upto` of `line`, and did not from the first."""
    if viewer.gm:
        return Revealed()
    file = campaign.file
    reveals, stands = reading.reveals(file, line, upto), reading.standing(file, line, upto)
    found: dict[int, list[Recorded]] = {}
    known: set[int] = set()
    for row in file.rows(line, 0, upto, (e.Revealed.kind,)):
        event = decode(row).event
        if not isinstance(event, e.Revealed) or event.about in known:
            continue
        if event.to is not None and not viewer.among(event.to):
            continue
        known.add(event.about)
        about = file.row(line, event.about)
        if about is None or not stands.counts(event.about):
            continue
        words = decode(about, stands.rewordings.get(event.about))
        if isinstance(words.event, e.ToldLater) and not (
            viewer.sees(words.envelope) or whispers(viewer, words)
        ):
            found.setdefault(row.position, []).append(as_revealed(words, reveals))
    return Revealed({at: tuple(told) for at, told in found.items()})
