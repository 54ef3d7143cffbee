"""Where the table stands, in one line under the prompt, and in the prompt itself."""

from __future__ import annotations

from dataclasses import dataclass

from prompt_toolkit.utils import get_cwidth

from cli.language.binding import questions
from cli.scribe import Scribe
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from projections import safe

PROMPT_WIDTH = 32
BETWEEN = " · "
MAINLINE = "mainline"


@dataclass(frozen=True, slots=True)
class Standing:
    """What toolbar and prompt say, each part safe to show; an empty part is not there."""

    session: str
    scene: str
    conflict: str
    pending: str
    line: str
    position: str
    prompt: str

    @classmethod
    def of(cls, scribe: Scribe) -> Standing:
        """Where the scribe's line stands now."""
        table, here = scribe.table, scribe.table.in_play()
        name = scribe.campaign.lines()[scribe.line]
        asked = [f"ruling: {one.asked}" if one.answers else one.asked for one in questions(table)]
        return cls(
            session=f"s{table.session}" if table.session else "no session",
            scene=_safe(table.scene_title.text or "" if table.scene_title else ""),
            conflict=_safe(_conflict(table, here)) if here else "",
            pending=_safe(asked[0] if asked else ""),
            line="" if name == MAINLINE else _safe(name),
            position=f"#{scribe.writer.head.position}",
            prompt=f"{shortened(_safe(_sides(table, here)), PROMPT_WIDTH)}> " if here else "> ",
        )

    def toolbar(self, width: int) -> str:
        """The parts in one line no wider than `width`; what is least missed goes first."""
        parts = [self.session, self.scene, self.conflict, self.pending, self.line, self.position]
        for least in (1, 0, 5, 2):
            shown = BETWEEN.join(filter(None, parts))
            if get_cwidth(shown) <= width:
                return shown
            if any(part for place, part in enumerate(parts) if place != least):
                parts[least] = ""
        return shortened(BETWEEN.join(filter(None, parts)), width)


def shortened(text: str, width: int) -> str:
    """`text`, or as much of its beginning as fits `width` columns with an ellipsis after it."""
    if get_cwidth(text) <= width:
        return text
    while text and get_cwidth(text) >= width:
        text = text[:-1]
    return f"{text}…"


def _conflict(table: Table, conflict: OpenConflict) -> str:
    system = SYSTEMS[conflict.system]
    more = len(table.conflicts) - 1
    others = f" (+{more} open)" if more else ""
    return f"{system.title}{others}: {system.turn(table, conflict)}"


def _sides(table: Table, conflict: OpenConflict) -> str:
    return " vs ".join(map(table.name, conflict.leads))


def _safe(text: str) -> str:
    return safe.line(text)
