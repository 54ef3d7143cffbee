"""What others record while this console is open: noticed, folded, and told in notation."""

from __future__ import annotations

from dataclasses import dataclass, field

from journal.line import Live
from journal.refused import Refused
from journal.store.acts import Done
from journal.store.codec import Recorded, Unknown, decode
from journal.store.reading import Act
from journal.vocabulary.base import Event
from projections.plain.lives import notation
from retold.scribe import Scribe


@dataclass(slots=True)
class Company:
    """Knows how much of the line this console has shown, so that nobody's act goes by unseen.

    Only the thread that opened the campaign may ask it anything.
    """

    scribe: Scribe
    _line: int = field(init=False)
    _position: int = field(init=False)
    _changes: int = field(init=False)
    _elsewhere: set[tuple[int, int]] = field(default_factory=set)
    """The line and position of everything that others have recorded in this sitting."""

    def __post_init__(self) -> None:
        self._changes = self.scribe.campaign.record.store.changes()
        self._line = self.scribe.line
        self._position = self.scribe.writer.head.position

    def changed(self) -> bool:
        """True if anybody has recorded anything, on any line, since `arrived` was asked last."""
        return self.scribe.campaign.record.store.changes() != self._changes

    def arrived(self) -> list[str] | None:
        """What others have recorded on this line since it was asked last; None if nothing changed."""
        self._turn_to_line()
        changes = self.scribe.campaign.record.store.changes()
        head = self.scribe.writer.head.position
        if changes == self._changes and head == self._position:
            return None
        self._changes = changes
        try:
            self.scribe.writer.catch_up()
        except Refused:
            return [self._move_on()]
        return self._told_up_to(self.scribe.writer.head.position)

    def before(self, done: Done) -> list[str]:
        """What others recorded just before an act of our own, which counts as shown from now on."""
        self._turn_to_line()
        told = self._told_up_to(done.first - 1)
        self._position = self.scribe.writer.head.position
        return told

    def pass_over(self) -> None:
        """Counts everything recorded until now as shown: it was done from here."""
        before = set(self._elsewhere)
        self.arrived()
        self._elsewhere = before

    def from_elsewhere(self, act: Act) -> bool:
        """True for an act on this line that somebody else has recorded in this sitting."""
        return (self.scribe.line, act.first) in self._elsewhere

    def _turn_to_line(self) -> None:
        if self._line != self.scribe.line:
            self._line = self.scribe.line
            self._position = self.scribe.writer.head.position

    def _move_on(self) -> str:
        """Goes where play went when somebody promoted another line."""
        self.scribe.go(self.scribe.campaign.mainline())
        self._turn_to_line()
        return f"Somebody made another line the mainline; this console writes there now, at {self._position}."

    def _told_up_to(self, last: int) -> list[str]:
        if last <= self._position:
            return []
        stands = self.scribe.writer.stands
        rows = self.scribe.campaign.record.rows(self._line, self._position, last)
        found = [decode(row, stands.rewordings.get(row.position)) for row in rows]
        self._elsewhere |= {(self._line, one.position) for one in found}
        self._position = last
        return [line for one in found for line in self._told(one)]

    def _told(self, one: Recorded) -> list[str]:
        table = self.scribe.table
        by = one.envelope.by
        who = "elsewhere" if by is None else f"{table.name(by)}, elsewhere"
        if isinstance(one.event, Unknown) or not isinstance(one.event, Event):
            return [f"{who}: something this Retold does not know"]
        live = Live(one.position, one.event, one.envelope.luck, one.envelope.visible_to)
        visible_to = self.scribe.visible_to((live,))
        return [f"{who}: {line}" for line in notation(table, (live,), visible_to=visible_to)]
