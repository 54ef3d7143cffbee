"""Facts of a homebrew game that the verb `expect` can check, such as a person's tracks."""

from __future__ import annotations

from collections.abc import Mapping

from retold.games.homebrew.rules import Kind
from retold.games.homebrew.state import play, shelf
from retold.journal.system import Fact
from retold.journal.table import OpenConflict, Table


def _stat_names(table: Table, _conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*shelf(table).game.stats, *shelf(table).sheets.get(who or 0, {}))))


def _stats(table: Table, _conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    names = _stat_names(table, _conflict, who)
    numbers = ((name, shelf(table).stat(who or 0, name)) for name in names)
    return tuple(part for name, number in numbers if number is not None for part in (name, str(number)))


def _tracks(table: Table, _conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    kept = ((name, shelf(table).kept(who or 0, name)) for name in shelf(table).known(who or 0))
    return tuple(part for name, value in kept if value is not None for part in (name, str(value.now)))


def _track_names(table: Table, _conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*shelf(table).game.tracks, *shelf(table).known(who or 0))))


def _conditions(table: Table, _conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    here, person = shelf(table), who or 0
    tracks = (name for name, track in here.game.tracks.items() if track.kind is Kind.CONDITION)
    on = (name for name in tracks if here.has(person, name))
    return tuple(dict.fromkeys((*here.conditions.get(person, ()), *on)))


def _condition_names(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    here = shelf(table)
    tracks = (name for name, track in here.game.tracks.items() if track.kind is Kind.CONDITION)
    return tuple(dict.fromkeys((*here.game.conditions, *tracks, *_conditions(table, conflict, who))))


def _clock_names(table: Table, _conflict: OpenConflict | None, _who: int | None) -> tuple[str, ...]:
    return tuple(str(clock.name) for clock in shelf(table).clocks.values())


def _clocks(table: Table, _conflict: OpenConflict | None, _who: int | None) -> tuple[str, ...]:
    return tuple(
        part
        for clock in shelf(table).clocks.values()
        for part in (str(clock.name), f"{clock.now}/{clock.segments}")
    )


def _result(table: Table, _conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    found = shelf(table).results.get(who or 0)
    return () if found is None else (found,)


def _out(table: Table, conflict: OpenConflict | None, _who: int | None) -> tuple[str, ...]:
    people = conflict.people if conflict else tuple(table.people)
    return tuple(table.name(person) for person in people if shelf(table).is_out(person))


def _turn(table: Table, conflict: OpenConflict | None, _who: int | None) -> tuple[str, ...]:
    turn = play(conflict).turn if conflict else None
    return () if turn is None else (table.name(turn),)


def _round(_table: Table, conflict: OpenConflict | None, _who: int | None) -> tuple[str, ...]:
    return (str(play(conflict).round),) if conflict else ()


def _order(table: Table, conflict: OpenConflict | None, _who: int | None) -> tuple[str, ...]:
    return tuple(map(table.name, play(conflict).order(conflict.people))) if conflict else ()


def _game(table: Table, _conflict: OpenConflict | None, _who: int | None) -> tuple[str, ...]:
    return (shelf(table).game.name,)


FACTS: Mapping[str, Fact] = {
    "stat": Fact(True, _stats, "a person's stats with their numbers, or one of them", keys=_stat_names),
    "track": Fact(True, _tracks, "a person's tracks with their values, or one of them", keys=_track_names),
    "condition": Fact(
        True,
        _conditions,
        "a person's conditions, such as poisoned, or one of them",
        keys=_condition_names,
        has_amounts=False,
    ),
    "result": Fact(True, _result, "the result of a person's last move"),
    "clocks": Fact(
        False, _clocks, "each clock that runs, and how much of it is full; or one's", keys=_clock_names
    ),
    "out": Fact(False, _out, "who is out, by a track that is full or empty", of_people=True),
    "order": Fact(False, _order, "everyone in the conflict, in turn order", of_people=True),
    "turn": Fact(False, _turn, "whose turn it is", of_people=True),
    "round": Fact(False, _round, "which round it is"),
    "game": Fact(False, _game, "the game that is played"),
}
"""Facts by subject."""
