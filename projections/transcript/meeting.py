"""Who and what is met where: whom an event speaks of, and the places of a scene and of a map."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from journal.names import fold
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from projections.reading import Moment
from projections.transcript.attendance import done_to, people_in
from projections.views.map import plans


class Met(Struct):
    """Hears moments in order, and keeps where somebody or somewhere was met: by id, or by folded name."""

    scene: str | None = None
    chores: str | None = None
    names: dict[str, str] = field(default_factory=dict)
    sessions: dict[int | str, dict[int, None]] = field(default_factory=dict)
    scenes: dict[int | str, dict[str, None]] = field(default_factory=dict)

    def hear(self, moment: Moment) -> None:
        """Everybody and everywhere in one moment."""
        event, session = moment.event, moment.table.session
        if isinstance(event, e.SessionOpened):
            self.scene, self.chores = None, moment.envelope.act
        elif isinstance(event, e.SceneSet):
            self.scene = f"s{event.scene}"
        if session is None or self.chores == moment.envelope.act:
            return
        met: list[int | str] = [*_present(event), *map(self.place, _places(moment))]
        for one in met:
            self.sessions.setdefault(one, {})[session] = None
            if self.scene is not None:
                self.scenes.setdefault(one, {})[self.scene] = None

    def go_on(self, later: Met) -> None:
        """Takes in whom and what was met in what follows."""
        self.scene, self.chores = later.scene, later.chores
        self.names = later.names | self.names
        for mine, theirs in ((self.sessions, later.sessions), (self.scenes, later.scenes)):
            for one, there in theirs.items():
                mine.setdefault(one, {}).update(there)  # type: ignore[arg-type]

    def place(self, name: str) -> str:
        """What a place is known by, however it is written; it is shown as it was first written."""
        self.names.setdefault(fold(name), name)
        return fold(name)


def _present(event: Event) -> Iterator[int]:
    """The people an event speaks of, unless it is of an earlier evening."""
    told_later = isinstance(event, e.ToldLater) and event.about is not None
    if not told_later:
        yield from people_in(event)
        yield from done_to(event)


def _places(moment: Moment) -> Iterator[str]:
    """Where a scene is set, and the places of the map a moment is played on."""
    event = moment.event
    if isinstance(event, e.SceneSet) and event.title.text is not None:
        where = event.title.text.partition(",")[0].strip()
        if fold(where):
            yield where
    if getattr(event, "conflict", None) is not None:
        for _, plan in plans(moment.table):
            yield from (zone.name for zone in plan.zones)
