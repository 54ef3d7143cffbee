"""Actions open to people in a Guenašk conflict, and completions for commands being typed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from journal.capabilities import Blank, Choice, Moves, Outlook, Suggestion, Way
from journal.shared.rulings import answer_commands
from journal.system import Situation
from journal.systems.guenask import rules
from journal.systems.guenask.commands.conflicts import ENDINGS
from journal.systems.guenask.commands.follow_ups import bears_fallout, must_give
from journal.systems.guenask.commands.rulings import pending
from journal.systems.guenask.commands.turns import dice_in_words
from journal.systems.guenask.commands.verbs import (
    Bring,
    Enter,
    Escalate,
    Give,
    NameCondition,
    Raise,
    Resist,
    See,
    SetStakes,
    TakeFallout,
)
from journal.systems.guenask.rules import Approach
from journal.systems.guenask.state import (
    FIELDS,
    PREFIXES,
    GuenaskConflict,
    conflict_state,
    game_state,
    without_stats,
)
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import GM, YET_TO_FIND


def turn(table: Table, conflict: OpenConflict) -> str:
    """Returns the conflict's status line, such as "Thoss to see 9": a task to do first, or the next turn."""
    state = conflict_state(conflict)
    waited = next(_due_tasks(table, state), "")
    if waited:
        return waited
    names = ", ".join(map(table.name, state.to_act()))
    if state.raised:
        return f"{names} to see {state.raised.total}"
    kept = [die for who in state.to_act() for die in state.people[who].kept]
    return f"{names} to raise" + (f", with the {dice_in_words(kept)} kept" if kept else "")


def _due_tasks(table: Table, state: GuenaskConflict) -> Iterator[str]:
    """Yields sentences for tasks to do before the next raise (attack) or see (defence), most urgent first.

    Examples: "what is at stake?", "approach: Thoss".
    """
    if state.won is not None:
        yield f"{table.name(state.won)} has won the stakes"
    for who in state.active():
        if who in state.cornered:
            yield f"{table.name(who)} to give, for the track is full"
        elif who in game_state(table).dead and not state.people[who].entered:
            yield f"{table.name(who)} to give, for the dead take no part"
    for who, owed in state.owed.items():
        yield f"{table.name(who)} takes {owed.left} fallout: fallout {table.quoted(who)} TRACK: why"
    if not state.staked:
        yield "what is at stake?"
    waiting = () if state.raised else state.without_approach()
    loose = [who for who in waiting if without_stats(table, who)]
    if loose and len(loose) == len(waiting):
        yield f"dice: {', '.join(map(table.name, loose))}"
    if waiting:
        yield f"approach: {', '.join(map(table.name, waiting))}"
    if not state.order:
        yield "who raises first?"


LABELS: Final = {
    "raise": "Raises",
    "reverse": "Reverse the blow (one die, kept for the next raise)",
    "block": "Block (two dice)",
    "blow": "Take the blow (three dice or more)",
}


def outlook(situation: Situation) -> Outlook | None:
    """Returns the actions open now, with the status line; None outside a conflict."""
    if situation.conflict is None:
        return None
    held = [*_fallout_choices(situation), *_ruling_choices(situation), *_give_choices(situation)]
    moves = () if held else tuple(_moves(situation))
    choices = [*held, *_entry_choices(situation), *_resist_choices(situation)]
    if not held:
        choices += _alternatives(situation)
    status = turn(situation.table, situation.here)
    sentences = [status if status.endswith(("?", "why")) else f"{status}.", *_may_resist(situation)]
    return Outlook(
        situation.here.id, tuple(sentences), tuple(choices), moves, tuple(_condition_choices(situation))
    )


# --- what holds play up -----------------------------------------------------------------------------------


def _fallout_choices(situation: Situation) -> Iterator[Choice]:
    """Yields a choice per track that can be marked with a blow's fallout, and per die that resists it."""
    game = game_state(situation.table)
    for who, owed in conflict_state(situation.here).owed.items():
        for track in game.tracks(who):
            room = game.room(who)
            marked = f"{game.marks(who, track)} of {room} marked" if room else ""
            yield Choice(who, TakeFallout(who=who, track=track, text=YET_TO_FIND), marked)
        yield from _resisting_dice(situation, who, owed.cost.amount)


def _resist_choices(situation: Situation) -> Iterator[Choice]:
    """Yields a choice for each die that could still resist fallout already marked on a track."""
    for who, fresh in conflict_state(situation.here).fresh.items():
        yield from _resisting_dice(situation, who, fresh.amount)


def _resisting_dice(situation: Situation, who: int, amount: int) -> Iterator[Choice]:
    least = rules.least_to_resist(amount)
    for die in sorted(set(conflict_state(situation.here).people[who].pool)):
        if die >= least:
            yield Choice(who, Resist(who=who, die=die), f"cancels the {amount} fallout of that blow")


def _may_resist(situation: Situation) -> Iterator[str]:
    for who, fresh in conflict_state(situation.here).fresh.items():
        if conflict_state(situation.here).can_resist(who, fresh.amount):
            least = rules.least_to_resist(fresh.amount)
            yield f"{situation.name(who)} may still resist that blow with a die of {least} or more."


def _ruling_choices(situation: Situation) -> Iterator[Choice]:
    """Yields a command for each answer to the questions that stop play until the table rules on them."""
    for asked in pending(situation.table, situation.here):
        if asked.blocks and asked.name != "fallout":
            yield from answer_commands(asked)


def _give_choices(situation: Situation) -> Iterator[Choice]:
    """Yields a choice to give up for each NPC with a full track, and each dead person without dice."""
    state, dead = conflict_state(situation.here), game_state(situation.table).dead
    for who in state.active():
        if must_give(situation, who):
            yield Choice(who, Give(who=who, text=YET_TO_FIND), "the track is full")
        elif who in dead and not state.people[who].entered:
            yield Choice(who, Give(who=who, text=YET_TO_FIND), "the dead take no part")


def _condition_choices(situation: Situation) -> Iterator[Choice]:
    """Yields a choice to name the condition of the first full row of a track that still lacks one."""
    for who in situation.here.people:
        for track, row in dict(reversed([*game_state(situation.table).unnamed(who)])).items():
            yield Choice(who, NameCondition(who=who, track=track, text=YET_TO_FIND), f"what row {row} means")


# --- the beginning ----------------------------------------------------------------------------------------


def _entry_choices(situation: Situation) -> Iterator[Choice]:
    """Yields `stakes` while no stakes are set; afterwards `approach` and `roll` for people without dice."""
    state = conflict_state(situation.here)
    if not state.staked:
        yield Choice(GM, SetStakes(text=YET_TO_FIND), "what is won, and what happens otherwise")
        return
    for who in state.without_approach():
        if without_stats(situation.table, who):
            yield Choice(who, c.Roll(who=who, dice="4d6"), "loose dice, as many as the table thinks right")
        for approach in Approach:
            stance, _, means = approach.value.partition(" ")
            command = Enter.of({"who": who, "stance": stance, "means": means})
            yield Choice(who, command, "rolls for it")


# --- dice to put forward ----------------------------------------------------------------------------------


def _moves(situation: Situation) -> Iterator[Moves]:
    """Yields each person's possible raises (attacks, highest first) or sees (defences, cheapest first).

    Each comes with its command.
    """
    for moves in conflict_state(situation.here).moves():
        ways = reversed(moves.ways) if moves.task == "raise" else moves.ways
        if not bears_fallout(situation, moves.person):
            ways = (way._replace(fallout=None) for way in ways)
        to = "raise" if moves.against is None else f"see {moves.against}"
        kept = f", with the {dice_in_words(moves.kept)} kept" if moves.kept else ""
        yield moves._replace(
            ways=tuple(_completed_way(situation, moves, way) for way in ways),
            stands=f"{situation.name(moves.person)} to {to}{kept}",
        )


def _completed_way(situation: Situation, moves: Moves, way: Way) -> Way:
    """Returns `way` (dice to put forward) with its label, its cost in fallout, and the command to type."""
    price = ""
    if way.fallout is not None:
        least = rules.least_to_resist(way.fallout)
        price = f"{way.fallout} fallout, resisted by a die of {least} or more"
    dice = "+".join(map(str, way.dice))
    command = (
        Raise(
            who=moves.person,
            forward=dice,
            affected=_opponents_to_name(situation, moves.person),
            text=YET_TO_FIND,
        )
        if moves.task == "raise"
        else See(who=moves.person, forward=dice, text=YET_TO_FIND)
    )
    return way._replace(said=LABELS[way.what], price=price, command=command)


def _opponents_to_name(situation: Situation, who: int) -> tuple[int, ...]:
    """Returns the opponents in play whom `who` must name in an attack; empty if there is only one."""
    mine = situation.here.side_of(who)
    others = tuple(
        person for person in conflict_state(situation.here).active() if situation.here.side_of(person) != mine
    )
    return others if len(others) > 1 else ()


def _alternatives(situation: Situation) -> Iterator[Choice]:
    """Yields choices other than attacking (raise) or defending (see) for each person to act.

    Examples: bring things in, escalate, put no dice forward, or give up.
    """
    state = conflict_state(situation.here)
    for who in state.to_act():
        yield from _bring_choices(situation, who)
        if without_stats(situation.table, who):
            yield Choice(who, c.Roll(who=who, dice="2d6"), "more loose dice, if it grows worse")
        for approach in Approach:
            stance, _, means = approach.value.partition(" ")
            command = Escalate.of({"who": who, "stance": stance, "means": means})
            yield Choice(who, command, "another approach, and what it rolls")
        nothing = {"who": who, "nothing": "none", "text": YET_TO_FIND}
        lost = See.of(nothing) if state.raised else Raise.of(nothing)
        yield Choice(who, lost, "the stakes are lost")
        yield Choice(who, Give(who=who, text=YET_TO_FIND), "out, without fallout")


def _bring_choices(situation: Situation, who: int) -> Iterator[Choice]:
    sheet, used = (
        game_state(situation.table).sheets.get(who),
        conflict_state(situation.here).people[who].things,
    )
    for thing in () if sheet is None else sheet.things():
        if (thing.source, thing.name) not in used:
            yield Choice(who, Bring(who=who, things=(thing.name,)), "brought in, and rolled")


def suggest(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """Yields completions for the blank part of a command: sheet keys, endings, things, dice, or tracks."""
    if blank.command is c.Cast and blank.slot == "keys":
        yield from map(Suggestion, (*FIELDS, *PREFIXES))
    elif blank.command is c.End and blank.slot == "how":
        yield from map(Suggestion, ENDINGS[1:])
    elif blank.slot in _SUGGESTIONS:
        yield from _SUGGESTIONS[blank.slot](table, conflict, blank)


def _suggest_things(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """Yields traits, belongings and relationships on a person's sheet that are not yet in the conflict."""
    who = blank.somebody("who")
    sheet = game_state(table).sheets.get(who or 0)
    participant = None if conflict is None or who is None else conflict_state(conflict).people.get(who)
    used = set() if participant is None else participant.things
    for thing in () if sheet is None else sheet.things():
        if (thing.source, thing.name) not in used:
            yield Suggestion(thing.name, thing.dice)


def _suggest_dice(_table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """Yields dice such as "4+3" to attack with (highest first) or to defend with (cheapest first)."""
    who = blank.somebody("who")
    for moves in () if conflict is None else conflict_state(conflict).moves():
        if who in (None, moves.person):
            ways = reversed(moves.ways) if moves.task == "raise" else moves.ways
            yield from (Suggestion("+".join(map(str, way.dice)), f"{way.total}, {way.what}") for way in ways)


def _suggest_tracks(table: Table, _conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    who = blank.somebody("who")
    for track in () if who is None else game_state(table).tracks(who):
        yield Suggestion(track, f"{game_state(table).marks(who or 0, track)} marked")


_SUGGESTIONS: Mapping[str, Callable[[Table, OpenConflict | None, Blank], Iterator[Suggestion]]] = {
    "things": _suggest_things,
    "forward": _suggest_dice,
    "track": _suggest_tracks,
}
"""Completions by slot name."""
