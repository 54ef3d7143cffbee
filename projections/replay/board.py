"""Board of a replay: the visible objects on the table at one moment, each under its own key.

Objects are people, cards, dice, maps, counters; people are numbered.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

from msgspec import Struct, field
from msgspec.structs import replace

from retold.journal.capabilities import (
    Deck,
    HasAspects,
    HasBalance,
    HasClashes,
    HasDecks,
    HasFaceDown,
    HasFallen,
    HasMap,
    HasPool,
    HasRaise,
    HasRows,
    InPlay,
    Picture,
    Plan,
    Row,
)
from retold.journal.decks.french import UNSEEN
from retold.journal.guarding import answer_of
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary.events import SessionOpened
from retold.projections.maps.picture import picture
from retold.projections.replay.faces import Face, Faces
from retold.projections.texts import safe
from retold.projections.views import conflicts
from retold.projections.views.naming import conflict_title

Thing = Mapping[str, Any]
"""Object on the board, as JSON without default values."""

Board = Mapping[str, Thing]
"""Objects on the table by key; docs/replay.md describes the keys."""

Laid = Iterator[tuple[str, Thing]]

KNOWN_PLANS: Final = 64
"""Number of cached maps; a campaign seldom has more of them open."""


class _Part(NamedTuple):
    """Things on the replay's board (cards, dice, maps) of a game or conflict, and ids of people out of it."""

    things: Mapping[str, Thing]
    out: frozenset[int]


class Layout(Struct):
    """Builder of successive boards; things of games that did not change come from the last board."""

    faces: Faces = Faces()
    """Portraits and colours of people."""
    _shelves: dict[str, _Part] = field(default_factory=dict)
    _states: dict[int, _Part] = field(default_factory=dict)

    def board(
        self, table: Table, evening: SessionOpened | None, fell: Thing | None, changed: str | None = None
    ) -> Board:
        """Returns the board of a table state in session `evening`; `fell` is the draw or roll lying there.

        `changed` is the only game that may differ from the previous board; None if any may differ. The
        board never holds a secret: events for restricted viewers never change what a table counts.
        """
        before, self._shelves = self._shelves, {}
        for system, shelf in table.shelves.items():
            known = None if changed in (None, system) else before.get(system)
            self._shelves[system] = known or _part(system, None, shelf)
        known_states, self._states = self._states, {}
        for conflict in table.conflicts.values():
            known = None if changed in (None, conflict.system) else known_states.get(conflict.id)
            self._states[conflict.id] = known or _part(conflict.system, conflict, conflict.state)
        return self._put_together(table, evening, fell)

    def _put_together(self, table: Table, evening: SessionOpened | None, fell: Thing | None) -> Board:
        board: dict[str, Thing] = {"at": _at(table, evening)}
        for part in self._shelves.values():
            board.update(part.things)
        out: set[int] = set()
        for number, part in self._states.items():
            board[f"conflict:{number}"] = _conflict(table, table.conflicts[number])
            board.update(part.things)
            out |= part.out
        board.update(_people(table, out, self.faces.at(table)))
        board.update(_waiting(table))
        if fell is not None:
            board["fell"] = fell
        return board


def laid(table: Table, evening: SessionOpened | None, fell: Thing | None) -> Board:
    """Returns the board of a table state, laid out without a previous board."""
    return Layout().board(table, evening, fell)


def turned(before: Board, after: Board) -> dict[str, Thing | None]:
    """Returns the things (cards, values …) that changed between two boards, by key; None for removed ones."""
    changed: dict[str, Thing | None] = {
        key: thing
        for key, thing in after.items()
        if before.get(key) is not thing and before.get(key) != thing
    }
    changed.update(dict.fromkeys(key for key in before if key not in after))
    return changed


def _said(**fields: object) -> dict[str, Any]:
    """Returns a JSON object of the fields that are not empty; a 0 is kept, False is not."""
    return {key: value for key, value in fields.items() if value or (value == 0 and value is not False)}


# --- who and where ----------------------------------------------------------------------------------------


def _at(table: Table, evening: SessionOpened | None) -> Thing:
    """Returns the board object for session and scene; between sessions it has neither title nor date."""
    title = None if evening is None or evening.title is None else safe.line(str(evening.title))
    place = None if table.scene_title is None else safe.line(str(table.scene_title))
    date = None if evening is None else evening.date
    if table.session is None:
        title = date = None
    return _said(session=table.session, title=title, date=date, scene=table.scene, place=place)


def _people(table: Table, out: Container[int], faces: Mapping[int, Face]) -> Laid:
    for person in table.everybody():
        somebody = _somebody(
            table.shown(person.id), person.role, person.player, person.id in out, person.retired
        )
        face = faces.get(person.id)
        yield f"who:{person.id}", somebody if face is None else {**somebody, **face.to_json()}


@lru_cache(maxsize=1024)
def _somebody(name: str, role: str, player: int | None, out: bool, retired: bool) -> Thing:
    return _said(name=safe.line(name), role=role, player=player, out=out, retired=retired)


def _conflict(table: Table, conflict: OpenConflict) -> Thing:
    system = SYSTEMS[conflict.system]
    count = system.count(conflict)
    return _said(
        title=safe.line(conflict_title(conflict, table)),
        system=safe.line(system.called(table)),
        sides=conflict.sides,
        stakes=None if conflict.stakes is None else safe.text(str(conflict.stakes)),
        count=None if count is None else safe.line(str(count)),
        stands=safe.line(system.turn(table, conflict)),
    )


def _waiting(table: Table) -> Laid:
    for number, question in enumerate(conflicts.pending_of(table).waiting):
        answers = tuple(map(safe.line, question.answers))
        yield (
            f"pending:{number}",
            _said(asked=safe.text(question.asked), answers=answers, conflict=question.conflict),
        )


# --- what is counted --------------------------------------------------------------------------------------


def _rows(system: str, conflict: OpenConflict | None, state: HasRows) -> Laid:
    number = None if conflict is None else conflict.id
    found: dict[str, int] = {}
    for row in state.rows():
        key = f"row:{system}:{_or_dash(number)}:{_or_dash(row.who)}:{row.what}"
        found[key] = found.get(key, 0) + 1
        yield key if found[key] == 1 else f"{key}:{found[key]}", _row(system, number, row)


def _or_dash(value: int | str | None) -> int | str:
    return "-" if value is None else value


@lru_cache(maxsize=4096)
def _row(system: str, conflict: int | None, row: Row) -> Thing:
    """Returns a counter, clock or track of a game as a board object; its words stay as typed."""
    boxes = row.marked if row.picture in (Picture.BOXES, Picture.STRESS) else row.boxes
    return {
        **_said(
            system=system,
            conflict=conflict,
            who=safe.line(row.who) if isinstance(row.who, str) else row.who,
            what=safe.line(row.what),
            most=row.most,
            picture=row.picture.value,
            out=row.out,
            boxes=boxes,
            rows=None if row.rows == 1 else row.rows,
            words=tuple(None if word is None else safe.text(word) for word in row.words),
        ),
        "value": row.value,
    }


# --- cards and dice ---------------------------------------------------------------------------------------


def _decks(system: str, _conflict: OpenConflict | None, shelf: HasDecks) -> Laid:
    for deck in shelf.decks():
        yield from _deck(system, deck)


@lru_cache(maxsize=1024)
def _deck(system: str, deck: Deck) -> tuple[tuple[str, Thing], ...]:
    key = f"{system}:{deck.name if deck.owner is None else deck.owner}"
    own = _said(name=safe.line(deck.name), system=system, owner=deck.owner, gone=len(deck.discarded) or None)
    hands = ((person, {"who": person, "deck": f"deck:{key}", "cards": held}) for person, held in deck.hands)
    return (
        (f"deck:{key}", {**own, "size": deck.size, "left": deck.left}),
        *((f"hand:{key}:{person}", hand) for person, hand in hands),
    )


def _face_down(_system: str, conflict: OpenConflict, state: HasFaceDown) -> Laid:
    for person, count in state.face_down():
        yield (
            f"down:{conflict.id}:{person}",
            {"conflict": conflict.id, "who": person, "cards": (None,) * count},
        )


def turned_up(cards: tuple[str, ...]) -> tuple[str | None, ...]:
    """Returns card faces in the same order, with None for each unseen card."""
    return tuple(None if card == UNSEEN else card for card in cards)


def _pools(_system: str, _conflict: OpenConflict, state: HasPool) -> Laid:
    for pool in state.pools():
        told = _said(conflict=pool.conflict, kept=pool.kept, approach=pool.approach, out=pool.out)
        yield f"pool:{pool.conflict}:{pool.person}", {**told, "who": pool.person, "dice": pool.dice}


def _raise(_system: str, conflict: OpenConflict, state: HasRaise) -> Laid:
    raised = state.put_forward()
    if raised is not None:
        yield f"raise:{conflict.id}", raised._asdict()


# --- balances, fights, maps, aspects ----------------------------------------------------------------------


def _balance(_system: str, conflict: OpenConflict, state: HasBalance) -> Laid:
    stands = state.balance(conflict.id)
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


def _melee(_system: str, conflict: OpenConflict, state: HasClashes) -> Laid:
    melee = state.melee()
    aims, pairs = (tuple(pair._asdict() for pair in some) for some in (melee.aims, melee.pairs))
    phase = {"conflict": conflict.id, "phase": melee.phase, "aims": aims, "pairs": pairs}
    yield f"melee:{conflict.id}", phase


def _map(_system: str, conflict: OpenConflict, state: HasMap) -> Laid:
    plan = state.plan()
    if plan.zones:
        yield f"map:{conflict.id}", _drawn(replace(plan, places=(), out=()))
    number = {zone.name: place for place, zone in enumerate(plan.zones)}
    for person, zone in plan.places:
        place = {"who": person, "spot": number[zone]}
        yield f"place:{conflict.id}:{person}", place | _said(out=person in plan.out)


@lru_cache(maxsize=KNOWN_PLANS)
def _drawn(plan: Plan) -> Thing:
    """Returns a map without people as a board object: positions of zones, and the borders between them."""
    drawn = picture("", plan, str)
    return {
        "conflict": plan.conflict,
        "spots": tuple({"name": spot.name, "x": spot.x, "y": spot.y} for spot in drawn.spots),
        "lines": tuple(border._asdict() for border in drawn.lines),
    }


def _aspects(system: str, _conflict: OpenConflict | None, shelf: HasAspects) -> Laid:
    for aspect in shelf.aspects_in_play():
        yield f"aspect:{system}:{aspect.id}", _aspect(aspect)


@lru_cache(maxsize=1024)
def _aspect(aspect: InPlay) -> Thing:
    told = _said(
        wording=safe.text(aspect.wording),
        lasting=aspect.lasting,
        free=aspect.free or None,
        holder=aspect.holder,
        boxes=aspect.boxes or None,
        marked=aspect.marked,
    )
    return {**told, "on": aspect.on if isinstance(aspect.on, int) else safe.line(aspect.on)}


_SHOWN: Final[Mapping[type, Callable[..., Laid]]] = {
    HasRows: _rows,
    HasDecks: _decks,
    HasFaceDown: _face_down,
    HasPool: _pools,
    HasRaise: _raise,
    HasBalance: _balance,
    HasClashes: _melee,
    HasMap: _map,
    HasAspects: _aspects,
}
"""Layout function for each capability of a game's or conflict's state."""


class _Able(NamedTuple):
    """Layout functions for a type of game state, and whether the state lists people who are out."""

    laying: tuple[Callable[..., Laid], ...]
    says_who_fell: bool


_KNOWN: Final[dict[type, _Able]] = {}
"""Cached layout functions by type of state, since checking protocols is slow."""


def _able(kind: type) -> _Able:
    if kind not in _KNOWN:
        laying = (lay for capability, lay in _SHOWN.items() if issubclass(kind, capability))
        _KNOWN[kind] = _Able(tuple(laying), issubclass(kind, HasFallen))
    return _KNOWN[kind]


def _part(system: str, conflict: OpenConflict | None, state: object) -> _Part:
    """Returns things on the replay's board for the state of a game or conflict, and ids of people out of it.

    The board is the replay's picture of the table; things are cards, dice, maps and values, each by its key.
    """
    able = _able(type(state))
    things: dict[str, Thing] = {}
    for lay in able.laying:
        things.update(answer_of(system, lay, (), system, conflict, state, what=lay.__name__.strip("_")))
    falls = conflict is not None and able.says_who_fell
    out = answer_of(system, cast(HasFallen, state).fallen, ()) if falls else ()
    return _Part(things, frozenset(out))
