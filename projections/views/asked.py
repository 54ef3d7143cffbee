"""What a view is asked of: one line of a campaign at one moment, with the eyes that look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from journal.capabilities import HasFallen
from journal.store.campaign import Campaign
from journal.table import OpenConflict, Table
from projections.replay import GAME_MASTER, Afterwards, Ids, Moment, Viewer, afterwards, moments, table_at


class Who(NamedTuple):
    """Somebody, by id and by name."""

    id: int
    name: str


@dataclass(frozen=True)
class Asked:
    """A line at a position (its head if None), seen by somebody; the table there is folded once."""

    campaign: Campaign
    line: int
    at: int | None = None
    viewer: Viewer = field(default=GAME_MASTER)

    @cached_property
    def position(self) -> int:
        """The position it is asked at."""
        return self.campaign.file.head(self.line).position if self.at is None else self.at

    @cached_property
    def table(self) -> Table:
        """The table at that position."""
        return table_at(self.campaign, self.line, self.position)

    @cached_property
    def ids(self) -> Ids:
        """How this viewer points at events."""
        return Ids.of(self.campaign, self.line, self.viewer)

    def moments(self) -> Iterator[Moment]:
        """Every live moment up to there that the viewer may see."""
        return moments(self.campaign, self.line, 0, self.position, viewer=self.viewer)

    def afterwards(self) -> Afterwards:
        """What is said up to there about earlier moments."""
        return afterwards(self.campaign, self.line, self.position, viewer=self.viewer)


def who(table: Table, person: int) -> Who:
    """Somebody as this table calls them."""
    return Who(person, table.shown(person))


def titled(conflict: OpenConflict, table: Table, nameless_gm: str = "the game master") -> str:
    """What a conflict is called: its title, else who stands in it; `nameless_gm` as for `Table.shown`."""
    if conflict.title is not None:
        return str(conflict.title)
    sides = ([table.shown(one, nameless_gm) for one in side] for side in conflict.sides)
    told = " vs ".join(map(" + ".join, sides))
    return f"{told[:1].upper()}{told[1:]}" if told.startswith(nameless_gm) else told


def fallen_by_conflict(table: Table) -> Iterator[tuple[int, ...]]:
    """Who is taken out, of each open conflict in which somebody can be."""
    for conflict in table.conflicts.values():
        if isinstance(conflict.state, HasFallen):
            yield tuple(conflict.state.fallen())
