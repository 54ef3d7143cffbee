"""The `show` verb: prints the table state at any moment, as a summary or as one view."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated

import typer

from retold.cli import app as o
from retold.cli.campaigns.opening import line_meant, opened, place_meant
from retold.cli.invocation import UsageError
from retold.cli.output.drawing import draw
from retold.cli.output.printing import progress, write_fitted, write_json
from retold.journal.capabilities import HasFallen, HasMap, Picture
from retold.journal.guarding import answer_of, rows_at
from retold.journal.language.suggestions import name_token
from retold.journal.language.writing import bare_token
from retold.journal.names import Unknown, find, normalise
from retold.journal.refused import Refused
from retold.journal.system import unresolved
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.journal.winners import winners_so_far
from retold.projections.reading import LineView, line_name
from retold.projections.views import VIEWS, ask, conflicts, tracks
from retold.projections.views.naming import Who, conflict_title, who
from retold.projections.views.sheet import plain

KINDS = ("svg", "dot", "mermaid", "canvas", "text", "ascii")
"""How a map can be drawn, written out so that no drawing need be loaded; a test holds it to the list."""


def command(
    ctx: typer.Context,
    view: Annotated[
        str | None,
        typer.Argument(
            help=f"One of: {', '.join(VIEWS)}; or what is kept (hp, coin), a name, or party; else a summary."
        ),
    ] = None,
    whose: Annotated[str | None, typer.Argument(help="Whose, with what is kept: show hp Warden.")] = None,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    at: o.At = None,
    viewer: o.For = "gm",
    json: o.Json = False,
    as_: Annotated[
        str | None, typer.Option("--as", metavar="KIND", help=f"The map as one of: {', '.join(KINDS)}.")
    ] = None,
    output: o.Output = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="MOMENT", help="Who has moved on the map since then.")
    ] = None,
    conflict: Annotated[
        int | None, typer.Option("--in", metavar="NUMBER", help="The map of that conflict.")
    ] = None,
    force: o.Force = False,
) -> None:
    """Show the state of the table: a summary, or one view, at any moment.

    Examples: retold show decks --at s3:42 · retold show map --since @-3 -o chase.svg
    """
    options = o.merged(ctx, campaign, branch, json)
    name = None if view is None or whose is not None else _view_if_any(view)
    wished = (as_, output, conflict, since, force)
    if any(option not in (None, False) for option in wished):
        _check_drawn(name, json=options.json)
    with opened(options, read_only=True) as (found, settings):
        place = place_meant(found, settings, options, at, viewer)
        if name == "map" and not options.json:
            from retold.cli.output.map_output import Wish, show_map

            show_map(found, line_meant(found, settings, options, viewer), at or "@", Wish(*wished), viewer)
            return
        reading = LineView(found, *place).called(viewer)
        if view is not None and name is None:
            _amounts(reading, [view] if whose is None else [view, whose], json=options.json)
            return
        if name is None:
            _summary(reading, json=options.json)
            return
        with progress("Looking through the record") as told:
            seen = ask(name, replace(reading, progress=told))
        if options.json:
            write_json({"retold": "view", **seen.to_json(), "at": _at(reading)})
        else:
            draw(seen.sheet())


def _check_drawn(view: str | None, *, json: bool) -> None:
    """Raises UsageError if options for drawing a map are given but no map will be drawn."""
    if view != "map":
        raise UsageError("--as, -o, --since, --in and --force are for the map: retold show map --as svg.")
    if json:
        raise UsageError(
            "--json says all of the map; --as, -o, --since, --in and --force are for its drawing."
        )


ELSEWHERE = {
    "aspects": "aspects are at the end of show stress",
    "consequences": "consequences are in show stress",
    "fate": "fate points are in show points",
    "karma": "Karma is in show points",
    "skills": "skills are on the sheet: who NAME",
    "turn": "whose turn it is: show",
}
"""What is sought under a name of its own, and where it is."""


def _amounts(reading: LineView, words: Sequence[str], *, json: bool) -> None:
    """Prints how much there is of what two words or one name: `hp Warden`, `hp`, `party`.

    Raises Refused if they name neither a view nor anything that is kept.
    """
    from retold.projections.views import amounts

    typed = [name_token(word) if " " in word else bare_token(word) for word in words]
    question = amounts.asked(reading.table, typed)
    if question is None:
        raise amounts.unknown_person(reading.table, typed) or Refused(_no_view(words[0]))
    if json:
        write_json(
            {"retold": "view", **amounts.answer(reading.table, question).to_json(), "at": _at(reading)}
        )
        return
    write_fitted(amounts.sentences(reading.table, question), sys.stdout)


def _no_view(typed: str) -> str:
    try:
        return f"Nothing follows show {_view(typed)}; all about a person: who NAME."
    except Refused as refusal:
        return str(refusal)


def _view_if_any(typed: str) -> str | None:
    """Returns the name of the view that is typed, in full or shortened; None if there is none."""
    try:
        return find(typed, {name: (name,) for name in VIEWS})
    except Unknown:
        return _view(typed) if normalise(typed) in ELSEWHERE else None


def _view(typed: str) -> str:
    if normalise(typed) in ELSEWHERE:
        raise Refused(f"There is no view “{typed}”: {ELSEWHERE[normalise(typed)]}.")
    return o.name_among(VIEWS, typed, f"There is no view “{typed}”.")


def _at(reading: LineView) -> int | None:
    """Returns the event position shown; None if it would betray hidden events to the viewer."""
    return reading.position if reading.viewer.gm else None


def _summary(reading: LineView, *, json: bool) -> None:
    table = reading.table
    name = line_name(reading)
    if json:
        write_json(
            {
                "retold": "summary",
                "version": 1,
                "campaign": None if table.title is None else table.title.text,
                "branch": name,
                "at": _at(reading),
                "session": table.session,
                "sessions": table.sessions,
                "scene": None if table.scene_title is None else table.scene_title.text,
                "conflicts": [
                    {
                        "conflict": conflict.id,
                        "system": conflict.system,
                        "title": conflict_title(conflict, table),
                        "stands": stands(table, conflict),
                        "winners": [who(table, person)._asdict() for person in winners_so_far(conflict)],
                        "ribbon": _ribbon(table, conflict),
                        "order": [
                            {**place._asdict(), "who": who(table, place.who)._asdict()}
                            for place in conflicts.turn_order(table, conflict)
                        ],
                    }
                    for conflict in table.conflicts.values()
                ],
                "over": [plain(ended) for ended in conflicts.over_of(table)],
            }
        )
        return
    place = f"{name} at {table.position}" if reading.viewer.gm else name
    write_fitted(summary(table, f"{reading.title} · {place}"), sys.stdout)


def summary(table: Table, heading: str) -> Iterator[str]:
    """Yields a summary of the table state in a few text lines, after the heading."""
    yield heading
    if table.session is not None:
        yield f"Session {table.session} is open."
    else:
        yield f"{table.sessions} session{'s' * (table.sessions != 1)} played; none is open."
    if table.scene_title is not None:
        yield f"Scene: {table.scene_title}"
    for conflict in table.conflicts.values():
        yield from _of_conflict(table, conflict)
    if over := conflicts.over_of(table):
        yield over[-1].note()
    yield from filter(None, (_party(table), _consequences(table)))
    yield from _ownerless(table)
    for question in unresolved(table, SYSTEMS):
        yield f"Pending {question.name}: {question.asked}"


def _ownerless(table: Table) -> Iterator[str]:
    """Yields text lines on values that belong to no person, such as clocks.

    Games with an open conflict are left out.
    """
    open_ = {conflict.system for conflict in table.conflicts.values()}
    for track in tracks.of(table).tracks:
        if track.system not in open_ and not isinstance(track.who, Who):
            yield f"{track.whose}: {track.what} {track.stands()}"


def _of_conflict(table: Table, conflict: OpenConflict) -> Iterator[str]:
    """Yields text lines on a conflict: sides, turn, order, zones, values, pending questions, concession."""
    system = SYSTEMS[conflict.system]
    sides = " vs ".join("+".join(map(table.shown, side)) for side in conflict.sides)
    yield f"{conflict_title(conflict, table)} ({system.called(table)})" + (
        "" if conflict.title is None else f": {sides}"
    )
    yield f"  {stands(table, conflict)}"
    parts = (
        conflicts.order_line(table, conflict),
        _places(table, conflict),
        _fallen(table, conflict),
        _ribbon(table, conflict),
    )
    yield from (f"  {told}" for told in parts if told)
    for question in system.pending(table, conflict):
        yield f"  Pending {question.name}: {question.asked}"
    if conflict.concession is not None:
        whose = table.shown(conflict.concession.whose, "The game master")
        yield f"  {whose} offers to concede: {conflict.concession.text}"


def _places(table: Table, conflict: OpenConflict) -> str:
    """Returns each person's zone on the map, as one text; empty without a map."""
    state = conflict.state
    plan = answer_of(conflict.system, state.plan, None) if isinstance(state, HasMap) else None
    if plan is None:
        return ""
    there = ((table.name(who), zone, " (out)" if who in plan.out else "") for who, zone in plan.places)
    return " · ".join(f"{name} in {zone}{out}" for name, zone, out in there)


def _fallen(table: Table, conflict: OpenConflict) -> str:
    """Returns `Out: ` and the names of people out of the conflict; empty text without any."""
    state = conflict.state
    fallen = answer_of(conflict.system, state.fallen, ()) if isinstance(state, HasFallen) else ()
    out = [table.name(who) for who in fallen]
    return f"Out: {', '.join(out)}" if out else ""


def _ribbon(table: Table, conflict: OpenConflict) -> str:
    """Returns people's values in the conflict that are not full, as one text: stress, dice, hit points."""
    from retold.projections.story import status_line

    return status_line.of(table, conflict, None)


def _party(table: Table) -> str:
    """Returns the played characters' values in games without an open conflict, as one text."""
    from retold.projections.story import status_line

    return status_line.of_party(table)


def _consequences(table: Table) -> str:
    """Returns what fills people's consequence slots, as one text; empty without any."""
    slots = (row for row in rows_at(table) if row.picture is Picture.SLOT and any(row.words))
    borne = [
        f"{table.shown(row.who)} {row.what} “{row.words[0]}”" for row in slots if isinstance(row.who, int)
    ]
    return f"Consequences: {' · '.join(borne)}" if borne else ""


def stands(table: Table, conflict: OpenConflict) -> str:
    """Returns a conflict's state in a few words, such as whose turn it is."""
    return SYSTEMS[conflict.system].turn(table, conflict)
