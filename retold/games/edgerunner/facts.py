"""Subjects that the verb `expect` checks in scripts of Edgerunner, such as `shifts` and `stress`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from retold.game import GM, WINNER, Fact, OpenConflict, Table
from retold.games.edgerunner import rules
from retold.games.edgerunner.options import CALLER
from retold.games.edgerunner.rules import Severity
from retold.games.edgerunner.state import (
    EdgerunnerConflict,
    EdgerunnerState,
    game_state,
    open_roll_in,
    whose_turn,
)

Found = tuple[str, ...]
Finder = Callable[[Table, OpenConflict | None, int | None], Found]


def _state(conflict: OpenConflict | None) -> EdgerunnerConflict | None:
    return conflict.state if conflict and isinstance(conflict.state, EdgerunnerConflict) else None


def _shifts(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    roll = open_roll_in(table, conflict) if conflict is None or _state(conflict) else None
    return () if roll is None or who not in (None, roll.who) or not roll.rolled else (str(roll.shifts),)


def _in_game(find: Callable[[EdgerunnerState, int], Iterable[object]]) -> Finder:
    """Returns a reader of the game's state for a person; for the game master if none is named."""
    return lambda table, _conflict, who: tuple(map(str, find(game_state(table), who or GM)))


def _here(find: Callable[[EdgerunnerConflict, int], Iterable[object]]) -> Finder:
    """Returns a reader of the open conflict's state for a person, which finds nothing without a conflict."""
    return lambda _table, conflict, who: (
        () if (state := _state(conflict)) is None else tuple(map(str, find(state, who or GM)))
    )


def _people_here(find: Callable[[Table, OpenConflict, EdgerunnerConflict], Iterable[object]]) -> Finder:
    """Returns a reader of people in the open conflict, by name, which finds nobody without a conflict."""
    return lambda table, conflict, _who: tuple(
        table.name(person)
        for state in [_state(conflict)]
        if conflict and state
        for person in find(table, conflict, state)
        if isinstance(person, int)
    )


def _range(table: Table, conflict: OpenConflict | None, who: int | None) -> Found:
    state = _state(conflict)
    away = {} if state is None else {one: state.range(who or GM, one) for one in state.places if one != who}
    return tuple(
        word
        for one, borders in away.items()
        if borders is not None
        for word in (table.name(one), str(borders))
    )


FACTS: Mapping[str, Fact] = {
    "shifts": Fact(True, _shifts, "the total of the open roll, or of a person's", lone=True),
    "takes": Fact(
        False,
        _in_game(
            lambda own, _: [rules.TIME[own.roll.takes]] if own.roll and own.roll.takes is not None else []
        ),
        "how long the task rolled for takes, in the words of the time track",
    ),
    "points": Fact(
        True,
        _in_game(lambda own, who: [] if (hand := own.hand(who)) == GM else [own.held(hand)]),
        "the fate points of a player, by their name or their character's",
    ),
    "stress": Fact(
        True,
        _in_game(
            lambda own, who: (
                word
                for track in own.tracks(who)
                if (boxes := sorted(own.marked(who, track)))
                for word in (track, *boxes)
            )
        ),
        "each track with a box marked and these boxes; or one track's",
        keys=_in_game(EdgerunnerState.tracks),
    ),
    "threshold": Fact(
        True,
        _in_game(
            lambda own, who: (
                word for track in own.tracks(who) for word in (track, own.threshold(who, track))
            )
        ),
        "each track and its threshold; or one track's",
        keys=_in_game(EdgerunnerState.tracks),
    ),
    "skill": Fact(
        True,
        _in_game(
            lambda own, who: (word for level in sorted(own.sheet(who).skills.items()) for word in level)
        ),
        "each skill on a sheet and its level; or one skill's",
        keys=_in_game(lambda own, who: own.sheet(who).skills),
    ),
    "consequences": Fact(
        True,
        _in_game(
            lambda own, who: (one.wording for slot in Severity for one in own.consequences_of(who, slot))
        ),
        "the consequences in a person's slots, mild ones first",
    ),
    "aspects": Fact(
        False,
        _in_game(
            lambda own, _: dict.fromkeys(one.wording for one in own.aspects.values() if not one.lasting)
        ),
        "the aspects in play that stand on no sheet",
    ),
    "invokes": Fact(
        True,
        lambda table, _conflict, who: tuple(
            word
            for one in game_state(table).aspects.values()
            if (free := one.free.get(who, 0))
            for word in (one.wording, str(free))
        ),
        "each aspect with free invokes of a person's, and how many",
        keys=_in_game(lambda own, _: (one.wording for one in own.aspects.values())),
    ),
    "zone": Fact(
        True,
        _here(lambda state, who: [state.places[who]] if who in state.places else []),
        "the zone a person is in",
    ),
    "range": Fact(
        True,
        _range,
        "the borders to everyone on the map, or to one person",
        keys=lambda table, _conflict, _who: map(table.name, table.people),
    ),
    "spin": Fact(
        True,
        lambda _table, conflict, who: (
            (str(sum(spin.holder == who for spin in state.spins)),) if (state := _state(conflict)) else ()
        ),
        "the spins a person holds",
    ),
    "exchange": Fact(False, _here(lambda state, _: [state.exchange]), "the number of the exchange"),
    "turn": Fact(
        False,
        _people_here(lambda table, conflict, _: [whose_turn(table, conflict)]),
        "whose turn it is",
        of_people=True,
    ),
    "caller": Fact(
        False,
        lambda table, conflict, _who: (
            (table.name(caller),)
            if conflict and isinstance(caller := conflict.setup.get(CALLER, GM), int)
            else ()
        ),
        "who picks the next turn: the game master, or the person the conflict names",
        of_people=True,
    ),
    "acted": Fact(
        False,
        _people_here(lambda _, conflict, state: (one for one in conflict.people if one in state.acted)),
        "who has acted in this exchange",
        of_people=True,
    ),
    "out": Fact(
        False,
        _people_here(lambda _table, _conflict, state: sorted(state.out)),
        "who is taken out",
        of_people=True,
    ),
    "dead": Fact(
        False,
        lambda table, _conflict, _who: tuple(map(table.name, sorted(game_state(table).dead))),
        "who has died",
        of_people=True,
    ),
    "winner": WINNER,
}
"""Facts for `expect`, by subject."""
