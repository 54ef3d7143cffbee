"""Where the table stands, and the line that is due, under the prompt; and the prompt itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct

from cli.screen.proposing import alike, due, head, written
from journal.capabilities import Outlook
from journal.language.proposed import seen_at
from journal.system import waiting
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from projections import safe
from projections.wrapping import cut
from projections.wrapping import width as columns_of
from retold.scribe import Scribe

PROMPT_WIDTH = 32
BETWEEN = " · "
MAINLINE = "mainline"
MORE = "…"
FEWEST_COLUMNS = 12
"""A part that is narrower than this says nothing any more."""
MOST_DUE = 24
"""More lines than a row has room for; each is written out to be shown."""


class Standing(Struct, frozen=True):
    """What toolbar and prompt say, each part safe to show; an empty part is not there."""

    session: str
    scene: str
    conflict: str
    due: tuple[str, ...]
    """The lines that are waited for, the first ones first; of many alike, how they begin."""
    beside: tuple[str, ...]
    """What is open and holds nothing up, with the lines that answer it."""
    line: str
    position: str
    prompt: str

    @classmethod
    def of(cls, scribe: Scribe, speaker: str | None = None, *, ahead: bool = True) -> Standing:
        """Where the scribe's line stands now; the prompt says whose the lines are that do not say it.

        What may be done, which takes longest, is left out where nobody looks `ahead`.
        """
        table, here = scribe.table, scribe.table.in_play()
        name, seen = scribe.campaign.lines()[scribe.line], seen_at(table) if ahead else ()
        every = (line for one in seen for line in due(table, one))
        return cls(
            session=f"s{table.session}" if table.session else "no session",
            scene=_safe(table.scene_title.text or "" if table.scene_title else ""),
            conflict=_safe(_conflict(table, here)) if here else "",
            due=tuple(_safe(line) for line in islice(every, MOST_DUE)),
            beside=tuple(map(_safe, _beside(table, seen))),
            line="" if name == MAINLINE else _safe(name),
            position=f"#{scribe.writer.head.position}",
            prompt=_prompt(f"as {speaker}" if speaker else _sides(table, here) if here else ""),
        )

    def toolbar(self, width: int) -> str:
        """Where it stands and, below that, what may be typed where something is open; no row over `width`."""
        rows = [self._place(width), self._open(width)]
        return "\n".join(filter(None, rows))

    def _place(self, width: int) -> str:
        """Session, scene, conflict, branch and position; the scene is cut first, the position stays."""
        around = [self.session, self.conflict, self.line, self.position]
        room = width - columns_of(BETWEEN.join(filter(None, around))) - len(BETWEEN)
        scene = cut(self.scene, room) if room >= min(FEWEST_COLUMNS, columns_of(self.scene)) else ""
        shown = BETWEEN.join(filter(None, (self.session, scene, self.conflict, self.line, self.position)))
        if columns_of(shown) <= width:
            return shown
        room = width - columns_of(self.position) - len(BETWEEN)
        if room < FEWEST_COLUMNS:
            return cut(self.conflict or shown, width)
        return f"{cut(self.conflict or self.session, room)}{BETWEEN}{self.position}"

    def _open(self, width: int) -> str:
        """As many of the lines as fit, those that are due first; what holds nothing up has the end."""
        beside = fitting(self.beside, width if not self.due else width // 2)
        left = width - columns_of(beside) - len(" | ") if beside else width
        return " | ".join(filter(None, (fitting(self.due, left), beside)))


def fitting(parts: Sequence[str], width: int) -> str:
    """The first of the parts, as many as fit `width` columns, with an ellipsis for the others."""
    for kept in range(len(parts), 0, -1):
        shown = BETWEEN.join((*parts[:kept], *([MORE] if kept < len(parts) else [])))
        if columns_of(shown) <= width:
            return shown
    return cut(parts[0], width) if parts else ""


def _beside(table: Table, seen: Sequence[Outlook]) -> list[str]:
    """Each question and offer that holds nothing up: the lines that answer it, or its words if none does."""
    said = [f"{table.name(who)} offers to concede" for who in _conceding(table)]
    said += [head(one) for each in seen for one in alike(written(table, each.beside))]
    return [*said, *(one.asked for one in waiting(table, SYSTEMS))]


def _conceding(table: Table) -> Iterator[int]:
    for conflict in table.conflicts.values():
        if conflict.concession is not None:
            yield conflict.concession.whose


def _conflict(table: Table, conflict: OpenConflict) -> str:
    system = SYSTEMS[conflict.system]
    more = len(table.conflicts) - 1
    others = f" (+{more} open)" if more else ""
    return f"{system.called(table)}{others}: {system.turn(table, conflict)}"


def _prompt(says: str) -> str:
    return f"{cut(_safe(says), PROMPT_WIDTH)}> "


def _sides(table: Table, conflict: OpenConflict) -> str:
    return " vs ".join(map(table.name, conflict.leads))


def _safe(text: str) -> str:
    return safe.line(text)
