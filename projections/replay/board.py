"""The board: what lies on a table at a moment, each thing under a key of its own, and people by number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from journal.capabilities import (
    Deck,
    HasAspects,
    HasBalance,
    HasClashes,
    HasDecks,
    HasFaceDown,
    HasPool,
    HasRaise,
    InPlay,
    Melee,
    Picture,
    Plan,
    Pool,
    Row,
)
from journal.decks.french import UNSEEN
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from journal.vocabulary.events import SessionOpened
from projections import safe
from projections.maps.picture import picture
from projections.views import map as map_
from projections.views import pending
from projections.views.naming import fallen_by_conflict, titled
from projections.views.rows import rows

Thing = Mapping[str, Any]
"""What stands under one key: JSON, what is as it mostly is left out."""

Board = Mapping[str, Thing]
"""Everything on the table by its key; docs/replay.md says what each key holds."""

Laid = Iterator[tuple[str, Thing]]

KNOWN_PLANS: Final = 64
"""Maps that are kept laid out; a campaign seldom has more of them open."""


def laid(table: Table, evening: SessionOpened | None, fell: Thing | None) -> Board:
    """The board at this table, on that evening; `fell` is what was last drawn or thrown and lies there still.

    Nothing in it is anybody's secret: what is for some eyes only never changes what a table counts.
    """
    board: dict[str, Thing] = {"at": _at(table, evening)}
    for part in (_people, _conflicts, _counted, _decks, _dice, _balances, _melees, _maps, _aspects, _waiting):
        board.update(part(table))
    if fell is not None:
        board["fell"] = fell
    return board


def turned(before: Board, after: Board) -> dict[str, Thing | None]:
    """What is new or otherwise on the later board, by key; None for what is gone."""
    changed: dict[str, Thing | None] = {
        key: thing
        for key, thing in after.items()
        if before.get(key) is not thing and before.get(key) != thing
    }
    changed.update(dict.fromkeys(key for key in before if key not in after))
    return changed


def with_(board: Board, changed: Mapping[str, Thing | None]) -> Board:
    """The board once that has changed on it."""
    now = {**board, **changed}
    return {key: thing for key, thing in now.items() if thing is not None}


def _said(**fields: object) -> dict[str, Any]:
    """A thing of those fields that say something."""
    return {key: one for key, one in fields.items() if one not in (None, False, "", ())}


# --- who and where ----------------------------------------------------------------------------------------


def _at(table: Table, evening: SessionOpened | None) -> Thing:
    """Which evening it is, and which scene; nothing of an evening that is over."""
    title = None if evening is None or evening.title is None else safe.line(str(evening.title))
    place = None if table.scene_title is None else safe.line(str(table.scene_title))
    date = None if evening is None else evening.date
    if table.session is None:
        title = date = None
    return _said(session=table.session, title=title, date=date, scene=table.scene, place=place)


def _people(table: Table) -> Laid:
    out = {one for fallen in fallen_by_conflict(table) for one in fallen}
    for one in table.everybody():
        yield (
            f"who:{one.id}",
            _said(
                name=safe.line(table.shown(one.id)),
                role=one.role,
                player=one.player,
                out=one.id in out,
                retired=one.retired,
            ),
        )


# --- conflicts --------------------------------------------------------------------------------------------


def _conflicts(table: Table) -> Laid:
    for conflict in table.conflicts.values():
        system = SYSTEMS[conflict.system]
        count = system.count(conflict)
        yield (
            f"conflict:{conflict.id}",
            _said(
                title=safe.line(titled(conflict, table)),
                system=safe.line(system.called(table)),
                sides=conflict.sides,
                stakes=None if conflict.stakes is None else safe.text(str(conflict.stakes)),
                count=None if count is None else safe.line(str(count)),
                stands=safe.line(system.turn(table, conflict)),
            ),
        )


def _waiting(table: Table) -> Laid:
    for number, one in enumerate(pending.of(table).waiting):
        answers = tuple(map(safe.line, one.answers))
        yield f"pending:{number}", _said(asked=safe.text(one.asked), answers=answers, conflict=one.conflict)


# --- what is counted --------------------------------------------------------------------------------------


def _counted(table: Table) -> Laid:
    found: dict[str, int] = {}
    for system, conflict, row in rows(table):
        number = "-" if conflict is None else conflict.id
        key = f"row:{system}:{number}:{'-' if row.who is None else row.who}:{row.what}"
        found[key] = found.get(key, 0) + 1
        nth = f":{found[key]}" if found[key] > 1 else ""
        yield key + nth, _row(system, None if conflict is None else conflict.id, row)


@lru_cache(maxsize=4096)
def _row(system: str, conflict: int | None, row: Row) -> Thing:
    """A row as it stands; what is counted in words has them as they were typed."""
    boxes = row.marked if row.picture in (Picture.BOXES, Picture.STRESS) else row.boxes
    return {
        **_said(
            system=system,
            conflict=conflict,
            who=row.who if row.who is None or isinstance(row.who, int) else safe.line(row.who),
            what=safe.line(row.what),
            most=row.most,
            picture=row.picture.value,
            out=row.out,
            boxes=boxes,
            rows=None if row.rows == 1 else row.rows,
            words=tuple(None if one is None else safe.text(one) for one in row.words),
        ),
        "value": row.value,
    }


# --- cards and dice ---------------------------------------------------------------------------------------


def _decks(table: Table) -> Laid:
    for system, shelf in table.shelves.items():
        if isinstance(shelf, HasDecks):
            for deck in shelf.decks():
                yield from _deck(system, deck)
    for conflict in table.conflicts.values():
        if isinstance(conflict.state, HasFaceDown):
            for person, count in conflict.state.face_down():
                key = f"down:{conflict.id}:{person}"
                yield key, {"conflict": conflict.id, "who": person, "cards": (None,) * count}


@lru_cache(maxsize=1024)
def _deck(system: str, deck: Deck) -> tuple[tuple[str, Thing], ...]:
    called = deck.name if deck.owner is None else f"{deck.owner}"
    own = _said(name=safe.line(deck.name), system=system, owner=deck.owner, gone=len(deck.discarded) or None)
    return (
        (f"deck:{system}:{called}", {**own, "size": deck.size, "left": deck.left}),
        *(
            (
                f"hand:{system}:{called}:{person}",
                {"who": person, "deck": f"deck:{system}:{called}", "cards": held},
            )
            for person, held in deck.hands
        ),
    )


def faces_of(cards: tuple[str, ...]) -> tuple[str | None, ...]:
    """Cards as they lie: None for one that nobody has seen."""
    return tuple(None if card == UNSEEN else card for card in cards)


def _dice(table: Table) -> Laid:
    for conflict in table.conflicts.values():
        state = conflict.state
        if isinstance(state, HasPool):
            yield from (_pool(pool) for pool in state.pools())
        raised = state.put_forward() if isinstance(state, HasRaise) else None
        if raised is not None:
            yield f"raise:{conflict.id}", raised._asdict()


def _pool(pool: Pool) -> tuple[str, Thing]:
    return f"pool:{pool.conflict}:{pool.person}", {
        **_said(conflict=pool.conflict, kept=pool.kept, approach=pool.approach, out=pool.out),
        "who": pool.person,
        "dice": pool.dice,
    }


# --- balances, fights, maps, aspects ----------------------------------------------------------------------


def _balances(table: Table) -> Laid:
    for conflict in table.conflicts.values():
        stands = conflict.state.balance(conflict.id) if isinstance(conflict.state, HasBalance) else None
        if stands is not None:
            scale = stands.scale or (stands.level,)
            yield (
                f"balance:{conflict.id}",
                {
                    "conflict": conflict.id,
                    "scale": scale,
                    "level": scale.index(stands.level),
                    "favours": stands.advantaged,
                    "sides": conflict.sides,
                },
            )


def _melees(table: Table) -> Laid:
    for conflict in table.conflicts.values():
        if isinstance(conflict.state, HasClashes):
            yield f"melee:{conflict.id}", _melee(conflict, conflict.state.melee())


def _melee(conflict: OpenConflict, melee: Melee) -> Thing:
    return {
        "conflict": conflict.id,
        "phase": melee.phase,
        "aims": tuple(one._asdict() for one in melee.aims),
        "pairs": tuple(one._asdict() for one in melee.pairs),
    }


def _maps(table: Table) -> Laid:
    for conflict, plan in map_.plans(table):
        number = {zone.name: place for place, zone in enumerate(plan.zones)}
        yield f"map:{conflict.id}", _map(plan._replace(places=(), out=()))
        for person, place in plan.places:
            yield (
                f"place:{conflict.id}:{person}",
                _said(out=person in plan.out)
                | {
                    "who": person,
                    "spot": number[place],
                },
            )


@lru_cache(maxsize=KNOWN_PLANS)
def _map(plan: Plan) -> Thing:
    """A map with nobody on it: where its zones lie, and what lies between them."""
    drawn = picture("", plan, str)
    return {
        "conflict": plan.conflict,
        "spots": tuple({"name": one.name, "x": one.x, "y": one.y} for one in drawn.spots),
        "lines": tuple(one._asdict() for one in drawn.lines),
    }


def _aspects(table: Table) -> Laid:
    for system, shelf in table.shelves.items():
        if isinstance(shelf, HasAspects):
            yield from ((f"aspect:{system}:{one.id}", _aspect(one)) for one in shelf.aspects_in_play())


@lru_cache(maxsize=1024)
def _aspect(one: InPlay) -> Thing:
    return {
        **_said(
            wording=safe.text(one.wording),
            lasting=one.lasting,
            free=one.free or None,
            holder=one.holder,
            boxes=one.boxes or None,
            marked=one.marked,
        ),
        "on": one.on if isinstance(one.on, int) else safe.line(one.on),
    }
