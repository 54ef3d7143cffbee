"""The `show map` command: draws maps on the screen or into a file, with movement since a moment."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from retold.cli.output.writing_files import output_meant, write_bytes, written_to
from retold.journal.capabilities import Plan
from retold.journal.language.moments import LinePosition
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.table import OpenConflict, Table
from retold.projections.maps.drawings import DRAWINGS, Drawing
from retold.projections.maps.picture import Picture, picture
from retold.projections.maps.terminal import COLUMNS, drawn
from retold.projections.reading import LineView, find_event, find_range
from retold.projections.views.map import plans
from retold.projections.views.naming import conflict_title


class Wish(NamedTuple):
    """Options of `show map`: format (`kind`), output file, conflict number, start of the movement shown."""

    kind: str | None = None
    output: str | None = None
    conflict: int | None = None
    since: str | None = None
    force: bool = False


NO_MAP = "There is no map at this moment: no open conflict has zones."


def show_map(campaign: CampaignStore, line: int, at: str, wish: Wish, viewer: str = "gm") -> None:
    """Draws the maps of a moment on the screen, or writes one map to a file or standard output.

    Moments are looked up among those `viewer` may know. Raises Refused if a file is wanted and there is no
    map, or several.
    """
    was, now = _moments(LineView(campaign, line), at, wish.since, viewer)
    drawing = _drawing(wish)
    if drawing is None:
        _on_screen(now, was, wish.conflict)
        return
    text = drawing.draw(_picture(now, was, *_only_map(now, wish.conflict)))
    path = output_meant(wish.output)
    write_bytes(text.encode(), path, force=wish.force)
    written_to(path)


def _moments(whole: LineView, at: str, since: str | None, viewer: str) -> tuple[Table | None, Table]:
    """Returns the table state at moment `since` (None if not given) and the one at moment `at`."""
    if since is None:
        return None, _table(whole.campaign, find_event(whole, at, viewer), viewer)
    was, now = (
        _table(whole.campaign, place, viewer) for place in find_range(whole, f"{since}..{at}", viewer)
    )
    return was, now


def _table(campaign: CampaignStore, place: LinePosition, viewer: str) -> Table:
    return LineView(campaign, *place).called(viewer).table


def _drawing(wish: Wish) -> Drawing | None:
    """Returns the map format: by --as, else by the file's suffix; None to draw on the screen.

    Raises Refused for an unknown format or suffix.
    """
    if wish.kind is not None:
        if wish.kind not in DRAWINGS:
            raise Refused(f"A map is not drawn as {wish.kind}. There are: {', '.join(DRAWINGS)}.")
        return DRAWINGS[wish.kind]
    if wish.output is None:
        return None
    suffix = Path(wish.output).suffix.casefold()
    known = [drawing for drawing in DRAWINGS.values() if drawing.suffix == suffix]
    if not known and wish.output != "-":
        endings = ", ".join(drawing.suffix for drawing in DRAWINGS.values())
        raise Refused(f"A file's ending says how a map is drawn: {endings}. Or name it with --as.")
    return known[0] if known else DRAWINGS["text"]


def _on_screen(now: Table, was: Table | None, conflict: int | None) -> None:
    found = list(_maps(now, conflict))
    columns = shutil.get_terminal_size((COLUMNS, 24)).columns if sys.stdout.isatty() else COLUMNS
    for number, (open_conflict, plan) in enumerate(found):
        shown = _picture(now, was, open_conflict, plan)
        sys.stdout.write("\n" * bool(number))
        sys.stdout.writelines(f"{line}\n" for line in drawn(shown, columns))
    if not found:
        sys.stdout.write(f"{NO_MAP}\n")


def _maps(table: Table, conflict: int | None) -> Iterator[tuple[OpenConflict, Plan]]:
    """Yields open conflicts with their maps; with `conflict`, only that one, or Refused if it has no map."""
    found = list(plans(table))
    if conflict is None:
        yield from found
        return
    named = [one for one in found if one[0].id == conflict]
    if not named:
        raise Refused(f"Conflict {conflict} has no map at this moment. {_choice(table) or NO_MAP}")
    yield from named


def _only_map(table: Table, conflict: int | None) -> tuple[OpenConflict, Plan]:
    """Returns the map to write, with its conflict; raises Refused if there is none, or if several are left.

    With several maps, it is that of the conflict last addressed by a line.
    """
    found = list(_maps(table, conflict))
    if not found:
        raise Refused(NO_MAP)
    addressed = [one for one in found if one[0].id == table.addressed]
    if len(found) > 1 and not addressed:
        raise Refused(f"There are several maps: say which with --in. {_choice(table)}")
    return (addressed or found)[0]


def _choice(table: Table) -> str:
    """Returns a sentence listing the conflicts that have maps; empty if none has."""
    found = ", ".join(f"{conflict.id} ({conflict_title(conflict, table)})" for conflict, _ in plans(table))
    return f"There are: {found}." if found else ""


def _picture(now: Table, was: Table | None, conflict: OpenConflict, plan: Plan) -> Picture:
    """Returns a picture of a conflict's map, with arrows for movement since the table state `was`.

    If the conflict had no map then, all count as newly arrived.
    """
    before = None
    if was is not None:
        nowhere = Plan(conflict.id, (), (), ())
        before = next((earlier for known, earlier in plans(was) if known.id == conflict.id), nowhere)
    return picture(conflict_title(conflict, now), plan, now.shown, before)
