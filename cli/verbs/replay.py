"""`replay`: the line again, moment by moment, with the state beside it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Annotated

import typer

from cli import options as o
from cli.invocation import DONE, UsageError
from cli.opening import line_meant, opened
from cli.screen.columns import fitted
from cli.screen.stepping import Frame, step
from cli.verbs.show import stands
from journal.language.moments import Place
from journal.line import Live
from journal.refused import Refused
from journal.table import Table
from journal.visibility import VisibleTo
from journal.vocabulary import events as e
from projections import safe
from projections.plain.hidden import marked
from projections.plain.lives import notation, plain
from projections.reading import Ids, Moment, Reading, find_place, find_range
from projections.views import VIEWS, table_changes
from projections.views.naming import titled

STATE = ("points", "decks", "balance", "tracks")
"""The views whose rows stand beside a moment."""


def command(
    ctx: typer.Context,
    stretch: Annotated[str, typer.Argument(metavar="[A..B]", help="From moment A to moment B.")] = "..",
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    at: o.At = None,
    viewer: o.For = "gm",
    stepping: Annotated[bool, typer.Option("--step", help="One moment at a time, by keys.")] = False,
    speed: Annotated[
        float | None, typer.Option("--speed", min=0.01, metavar="SECONDS", help="Go on by itself.")
    ] = None,
    state: Annotated[bool, typer.Option("--state", help="In text: also what each moment changed.")] = False,
    json: o.Json = False,
) -> int:
    """Go through the line again, moment by moment, with the state beside it.

    Example: retold replay s2.. --step
    """
    options = o.merged(ctx, campaign, branch, json)
    with opened(options, read_only=True) as (found, settings):
        whole = Reading(found, line_meant(found, settings, options, viewer))
        known = None if at is None else find_place(whole, at, viewer)
        start, end = find_range(whole if known is None else whole.on(known.line), stretch, viewer)
        if known is not None:
            end = _as_it_stood(start, end, known, at)
        now = found.record.head(start.line).position if known is None else known.position
        looking = Reading(found, *end).called(viewer).viewer
        reading = Reading(found, start.line, max(now, end.position), looking)
        ids = reading.ids
        with closing(reading.moments(start.position - 1, end.position)) as seen:
            if options.json:
                _as_json(seen, reading)
            elif stepping or speed is not None:
                step(_frames(seen, ids), speed=speed)
            else:
                _as_text(seen, ids, reading.table_at(start.position - 1) if state else None)
    return DONE


def _as_it_stood(start: Place, end: Place, known: Place, at: str | None) -> Place:
    """The end of a stretch as it stood at a moment of its line, which was typed as `at`."""
    if start.line != known.line:
        raise UsageError("The stretch and --at are on different lines: name one of them.")
    if start.position > known.position:
        raise Refused(f"Nothing of that had happened at {at}: name a later moment with --at.")
    return min(end, known)


def _told(moment: Moment, ids: Ids, visible_to: Sequence[VisibleTo] = ()) -> str:
    live = Live(moment.position, moment.event, moment.envelope.luck)
    return next(notation(moment.table, (live,), place=ids.place, visible_to=visible_to))


def _as_text(seen: Iterator[Moment], ids: Ids, before: Table | None) -> None:
    """Each moment in notation; with the table `before` the first, also what each one changed."""
    for moment in seen:
        at = f"{moment.position:>5}" if ids.open else ids.at(moment.position)
        told = f"{at}  {_told(moment, ids, (moment.envelope.visible_to,))}"
        sys.stdout.writelines(f"{line}\n" for line in fitted((told,), sys.stdout, " " * (len(at) + 2)))
        if before is not None:
            now = moment.kept()
            for change in table_changes(before, now):
                sys.stdout.write(f"         {safe.line(change.sentence())}\n")
            before = now


def _as_json(seen: Iterator[Moment], reading: Reading) -> None:
    import json

    ids = reading.ids
    for moment in seen:
        value = {
            "retold": "moment",
            "version": 1,
            "position": moment.position if ids.open else None,
            "id": ids.at(moment.position),
            "kind": moment.event.kind,
            "at": moment.envelope.at,
            "data": ids.shown(moment.event, plain(moment.event)),
            "told": _told(moment, ids),
            "visible_to": reading.visible_to(moment.envelope),
        }
        sys.stdout.write(safe.in_json(json.dumps(value, ensure_ascii=False)) + "\n")


def _frames(seen: Iterator[Moment], ids: Ids) -> Callable[[int], Frame | None]:
    """Frames by number from 0, made as they are asked for and kept."""
    made: list[Frame] = []

    def frame(number: int) -> Frame | None:
        while len(made) <= number:
            moment = next(seen, None)
            if moment is None:
                return None
            made.append(_frame(moment, ids, moment.position if ids.open else len(made) + 1))
        return made[number]

    return frame


def _frame(moment: Moment, ids: Ids, position: int) -> Frame:
    """A moment to be looked at; `position` counts only what is seen, for whoever may not know of gaps."""
    heading = _heading(moment)
    visible_to = moment.envelope.visible_to
    told = [_told(moment, ids, (visible_to,))]
    text = getattr(moment.event, "text", None)
    if isinstance(moment.event, e.Narrated | e.Said | e.Declared) and text is not None:
        names = {number: one.called for number, one in moment.table.people.items()}
        who = marked(safe.line(moment.table.name(moment.event.who)), visible_to, names)
        told = [f"{who}:", *safe.text(str(text)).splitlines()]
    return Frame(position, safe.line(heading), tuple(told), tuple(_state(moment.table)))


def _heading(moment: Moment) -> str:
    table = moment.table
    session = f"Session {table.session}" if table.session else "Between sessions"
    scene = f" · {table.scene_title}" if table.scene_title is not None else ""
    conflict = table.in_play()
    where = f" · {titled(conflict, table)}" if conflict else ""
    return f"{session}{scene}{where}"


def _state(table: Table) -> Iterator[str]:
    conflict = table.in_play()
    if conflict is not None:
        yield safe.line(stands(table, conflict))
    for name in STATE:
        of_table = VIEWS[name].of_table
        if of_table is None:
            continue
        sheet = of_table(table).sheet()
        for row in sheet.rows:
            yield safe.line("  ".join(row.cells))
