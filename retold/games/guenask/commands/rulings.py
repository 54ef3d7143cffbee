"""Rulings in Guenašk: questions for the table, their answers, and numbers that a ruling may set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from retold.game import (
    Event,
    OpenConflict,
    Question,
    Refused,
    RulingKey,
    Situation,
    Table,
    dice,
    normalise,
    possessive,
    set_by_table,
)
from retold.game import RulingChange as Change
from retold.game import events as e
from retold.games.guenask import events as g
from retold.games.guenask.commands.fallout import name_condition, take_fallout
from retold.games.guenask.commands.follow_ups import name_initiator, turn_order_from, with_follow_ups
from retold.games.guenask.commands.turns import active_participant, check_still_open
from retold.games.guenask.commands.verbs import NameCondition, TakeFallout
from retold.games.guenask.options import NAME
from retold.games.guenask.rules import STAGES, Stat, Track
from retold.games.guenask.state import GuenaskState, conflict_state, game_state

BOXES = ("3", "1", "2", "4", "5", "6", "7", "8", "9")
MOST_BOXES = 9
DIES, LIVES = "dies", "lives"

FIRST = "first"
"""The question, and the ruling's key, for the person who raises first."""


def pending(table: Table, conflict: OpenConflict) -> tuple[Question, ...]:
    """Returns the questions for the table to answer, beginning with those that stop play.

    A question about a sheet is asked in the first open conflict that its person is in.
    """
    asked = (_first_question, _fallout_question, _death_question, _boxes_question, _condition_question)
    return tuple(question for ask in asked for question in ask(table, conflict))


def _first_question(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    tied = conflict_state(conflict).tied_for_first()
    if tied:
        names = " and ".join(map(table.name, tied))
        yield Question(FIRST, f"{names} have the same best two dice: who raises first?", tied, conflict.id)


def _fallout_question(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    game = game_state(table)
    for who, owed in conflict_state(conflict).owed.items():
        tracks = game.open_tracks(who, owed.marked) or game.tracks(who)
        asked = f"{table.name(who)} takes {owed.left} fallout: on which track, and why (or resist)?"
        line = f"fallout {table.quoted(who)} TRACK: why"
        yield Question("fallout", asked, tracks, conflict.id, line=line)
        return


def _death_question(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    state = conflict_state(conflict)
    for who in state.undecided():
        asked = f"{table.name(who)} has two full tracks: do they die when this conflict is over?"
        yield Question("death", asked, (DIES, LIVES), conflict.id, blocks=state.won is not None)
        return


def _boxes_question(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    if game_state(table).boxes is None and not any(_earlier_conflicts(table, conflict)):
        asked = "How many boxes has a row of fallout at this table? 3 is offered; the first blow needs it."
        yield Question("boxes", asked, BOXES, conflict.id, blocks=False)


def _condition_question(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    earlier = {who for other in _earlier_conflicts(table, conflict) for who in other.people}
    for who, track, row in _rows_without_condition(table, conflict):
        if who in earlier:
            continue
        called = "stage" if track == STAGES else f"{track} row"
        name, quoted = table.name(who), table.quoted(who)
        asked = f"{possessive(name)} {called} {row} is full: what does it mean? (condition {quoted}: …)"
        line = f"condition {quoted} {track}: what it means"
        yield Question("condition", asked, (track,), conflict.id, blocks=False, line=line)
        return


def _earlier_conflicts(table: Table, conflict: OpenConflict) -> Iterator[OpenConflict]:
    """Yields the open conflicts of this game that began before `conflict`."""
    return (
        other
        for other in table.conflicts.values()
        if other.system == conflict.system and other.id < conflict.id
    )


def _rows_without_condition(table: Table, conflict: OpenConflict) -> Iterator[tuple[int, g.TrackName, int]]:
    for who in conflict.people:
        for track, row in game_state(table).unnamed(who):
            yield who, track, row


# --- answers ----------------------------------------------------------------------------------------------


def answer(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """Returns the events that follow from a ruling's answer to a question of `pending`."""
    return ANSWERS[ruling.question or ""](situation, ruling)


def _answer_first(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    assert isinstance(ruling.answer, int)  # noqa: S101 -- the answers are people
    return [turn_order_from(situation, ruling.answer)]


def _answer_fallout(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    who = next(iter(conflict_state(situation.here).owed))
    return take_fallout(situation, TakeFallout(who=who, track=str(ruling.answer)), explained=True)


def _answer_death(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    who = conflict_state(situation.here).undecided()[0]
    decided = g.FateDecided(conflict=situation.here.id, who=who, dies=ruling.answer == DIES)
    return with_follow_ups(situation, [decided])


def _answer_boxes(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    return [e.OptionSet(system=NAME, key="boxes_per_row", value=str(ruling.answer))]


def _answer_condition(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    who, track, _ = next(_rows_without_condition(situation.table, situation.here))
    if ruling.text is None:
        raise Refused(f"Say what it means: condition {situation.quoted(who)} {track}: what it means")
    return name_condition(situation, NameCondition(who=who, track=track, text=ruling.text))


ANSWERS: Mapping[str, Callable[[Situation, e.RulingMade], list[Event]]] = {
    FIRST: _answer_first,
    "fallout": _answer_fallout,
    "death": _answer_death,
    "boxes": _answer_boxes,
    "condition": _answer_condition,
}
"""The function that decides the answer to each question."""


# --- numbers ----------------------------------------------------------------------------------------------


def set_number(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """Returns the events of a ruling that sets initiator, fallout, stat, dice pool, kept die, or death."""
    events = set_by_table(situation, ruling, RULING_KEYS, NAME, _unknown)
    return events if situation.conflict is None else with_follow_ups(situation, events)


def _unknown(situation: Situation, setting: e.Setting) -> str:
    if setting.person is None:
        return "A ruling sets a person's number: ruling NAME.social-=1: why."
    known = ", ".join((*game_state(situation.table).tracks(setting.person), *Stat))
    key = normalise(setting.what).replace(" ", "-")
    return f"A ruling sets {known}, pool, follow-up or dead, not {key}."


def _set_initiator(change: Change) -> list[Event]:
    """Returns the events by which a ruling makes a person attack first; Refused after the first attack."""
    situation, setting = change.situation, change.setting
    if situation.conflict is None or setting.op != "=" or not isinstance(setting.value, int):
        raise Refused("Say inside the conflict who begins it: ruling first=NAME: why.")
    who, state = active_participant(situation, setting.value), conflict_state(situation.here)
    check_still_open(situation)
    if state.last is not None:
        raise Refused(
            f"{situation.name(state.last)} has raised already, so it is too late to say who began;"
            " undo takes a raise back."
        )
    return name_initiator(situation, who)


def _set_pool(change: Change) -> list[Event]:
    situation, who, setting = change.situation, change.person, change.setting
    if situation.conflict is None or who not in conflict_state(situation.here).people:
        raise Refused(f"{situation.name(who)} has no dice on the table.")
    faces = str(setting.value).replace(",", " ").replace("+", " ").split()
    if setting.op != "=" or len(faces) > dice.MOST_DICE or not all(map(_is_face, faces)):
        name, typed = situation.name(who), situation.quoted(who)
        raise Refused(f"Say which dice lie before {name}: ruling {typed}.pool=1,1,4: why.")
    return [g.PoolSet(conflict=situation.here.id, who=who, dice=tuple(map(int, faces)))]


def _is_face(typed: str) -> bool:
    return typed.isdecimal() and 1 <= int(typed) <= dice.SIDES[-1]


def _game(change: Change) -> GuenaskState:
    return game_state(change.situation.table)


def _stat_key(stat: Stat) -> RulingKey:
    def set_stat(change: Change) -> list[Event]:
        return [e.SheetChanged(person=change.person, system=NAME, values={stat.value: change.number})]

    def now(change: Change) -> int:
        return _game(change).sheet(change.person).stats.get(stat, 0)

    refusal = "{value} dice cannot be rolled: a stat has up to {most}."
    return RulingKey(stat.value, set_stat, now, most=dice.MOST_DICE, refusal=refusal)


def _track_key(track: g.TrackName, key: str) -> RulingKey:
    def set_points(change: Change) -> list[Event]:
        game, who = _game(change), change.person
        room = game.room(who) or MOST_BOXES * game.rows_of(who)
        if change.number > room:
            name = possessive(change.situation.name(who))
            raise Refused(f"{name} {track} track has {room} boxes, not {change.number}.")
        return [g.NumberSet(who=who, what=track, value=change.number)]

    def now(change: Change) -> int | None:
        game = _game(change)
        return game.marks(change.person, track) if track in game.tracks(change.person) else None

    return RulingKey(key, set_points, now)


def _set_follow_up(change: Change) -> list[Event]:
    return [g.NumberSet(who=change.person, what="follow-up", value=change.number)]


def _set_dead(change: Change) -> list[Event]:
    return [g.NumberSet(who=change.person, what="dead", value=min(1, change.number))]


RULING_KEYS: Final = (
    RulingKey(FIRST, _set_initiator, of_table=True),
    RulingKey("pool", _set_pool),
    *map(_stat_key, Stat),
    *(_track_key(track.value, track.value) for track in Track),
    _track_key("stages", "stages"),
    _track_key("stages", "fallout"),
    RulingKey(
        "follow up",
        _set_follow_up,
        lambda change: _game(change).follow_ups.get(change.person, 0),
        most=dice.SIDES[-1],
        refusal="No die shows {value}: it is 1 to {most}, or 0 for none.",
    ),
    RulingKey("dead", _set_dead, lambda change: int(change.person in _game(change).dead)),
)
"""Numbers that a ruling can set: `docs/rules/guenask.md` §8."""
