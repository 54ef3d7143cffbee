"""Subjects that the verb `expect` checks in scripts of Edgerunner, such as `shifts` and `stress`."""

from __future__ import annotations

from collections.abc import Mapping

from retold.game import GM, WINNER, Fact, OpenConflict, Table
from retold.games.edgerunner import rules
from retold.games.edgerunner.options import CALLER
from retold.games.edgerunner.rules import Severity
from retold.games.edgerunner.state import EdgerunnerConflict, game_state, open_roll_in, whose_turn

Found = tuple[str, ...]


def _state(conflict: OpenConflict | None) -> EdgerunnerConflict | None:
    return conflict.state if conflict and isinstance(conflict.state, EdgerunnerConflict) else None


def _shifts(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    roll = open_roll_in(table, conflict) if conflict is None or _state(conflict) else None
    return () if roll is None or who not in (None, roll.who) or not roll.rolled else (str(roll.shifts),)


def _takes(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    roll = game_state(table).roll
    return () if roll is None or roll.takes is None else (rules.TIME[roll.takes],)


def _points(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    own = game_state(table)
    hand = own.hand(who or GM)
    return () if hand == GM else (str(own.held(hand)),)


def _stress(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    own, person = game_state(table), who or GM
    marked = [(track, sorted(own.marked(person, track))) for track in own.tracks(person)]
    return tuple(word for track, boxes in marked if boxes for word in (track, *map(str, boxes)))


def _tracks(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    return game_state(table).tracks(who or GM)


def _threshold(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    own, person = game_state(table), who or GM
    return tuple(word for track in own.tracks(person) for word in (track, str(own.threshold(person, track))))


def _skills(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    levels = game_state(table).sheet(who or GM).skills.items()
    return tuple(word for skill, level in sorted(levels) for word in (skill, str(level)))


def _consequences(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    own, person = game_state(table), who or GM
    return tuple(aspect.wording for severity in Severity for aspect in own.consequences_of(person, severity))


def _aspects(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    passing = [aspect.wording for aspect in game_state(table).aspects.values() if not aspect.lasting]
    return tuple(dict.fromkeys(passing))


def _invokes(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    held = [(aspect.wording, aspect.free.get(who, 0)) for aspect in game_state(table).aspects.values()]
    return tuple(word for wording, free in held if free for word in (wording, str(free)))


def _wordings(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    return tuple(aspect.wording for aspect in game_state(table).aspects.values())


def _zone(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    state = _state(conflict)
    place = state.places.get(who or GM) if state else None
    return () if place is None else (place,)


def _range(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    state = _state(conflict)
    if state is None:
        return ()
    away = [(person, state.range(who or GM, person)) for person in state.places if person != who]
    return tuple(
        word for person, borders in away if borders is not None for word in (table.name(person), str(borders))
    )


def _people(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    return tuple(map(table.name, table.people))


def _spin(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    state = _state(conflict)
    return (str(sum(spin.holder == who for spin in state.spins)),) if state else ()


def _exchange(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    state = _state(conflict)
    return (str(state.exchange),) if state else ()


def _turn(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    turn = whose_turn(table, conflict) if conflict and _state(conflict) else None
    return () if turn is None else (table.name(turn),)


def _caller(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    caller = conflict.setup.get(CALLER, GM) if conflict else None
    return (table.name(caller),) if isinstance(caller, int) else ()


def _acted(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    state = _state(conflict)
    return (
        tuple(table.name(person) for person in conflict.people if person in state.acted)
        if conflict and state
        else ()
    )


def _out(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    state = _state(conflict)
    return tuple(map(table.name, sorted(state.out))) if state else ()


def _dead(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    return tuple(map(table.name, sorted(game_state(table).dead)))


FACTS: Mapping[str, Fact] = {
    "shifts": Fact(True, _shifts, "the total of the open roll, or of a person's", lone=True),
    "takes": Fact(False, _takes, "how long the task rolled for takes, in the words of the time track"),
    "points": Fact(True, _points, "the fate points of a player, by their name or their character's"),
    "stress": Fact(
        True, _stress, "each track with a box marked and these boxes; or one track's", keys=_tracks
    ),
    "threshold": Fact(True, _threshold, "each track and its threshold; or one track's", keys=_tracks),
    "skill": Fact(
        True,
        _skills,
        "each skill on a sheet and its level; or one skill's",
        keys=lambda table, _conflict, who: tuple(game_state(table).sheet(who or GM).skills),
    ),
    "consequences": Fact(True, _consequences, "the consequences in a person's slots, mild ones first"),
    "aspects": Fact(False, _aspects, "the aspects in play that stand on no sheet"),
    "invokes": Fact(
        True, _invokes, "each aspect with free invokes of a person's, and how many", keys=_wordings
    ),
    "zone": Fact(True, _zone, "the zone a person is in"),
    "range": Fact(True, _range, "the borders to everyone on the map, or to one person", keys=_people),
    "spin": Fact(True, _spin, "the spins a person holds"),
    "exchange": Fact(False, _exchange, "the number of the exchange"),
    "turn": Fact(False, _turn, "whose turn it is", of_people=True),
    "caller": Fact(
        False,
        _caller,
        "who picks the next turn: the game master, or the person the conflict names",
        of_people=True,
    ),
    "acted": Fact(False, _acted, "who has acted in this exchange", of_people=True),
    "out": Fact(False, _out, "who is taken out", of_people=True),
    "dead": Fact(False, _dead, "who has died", of_people=True),
    "winner": WINNER,
}
"""Facts for `expect`, by subject."""
