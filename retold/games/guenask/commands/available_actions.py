"""Actions that people in a Guenašk conflict can take now, and completions for commands being typed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from retold.game import (
    GM,
    TO_FIND,
    YET_TO_FIND,
    Blank,
    Command,
    Moves,
    OpenConflict,
    Situation,
    Suggestion,
    Table,
    Trial,
    Tried,
    UntriedOutlook,
    Way,
    answer_commands,
)
from retold.game import Offer as Choice
from retold.game import commands as c
from retold.games.guenask import events as g
from retold.games.guenask import rules
from retold.games.guenask.commands.conflicts import ENDINGS
from retold.games.guenask.commands.follow_ups import bears_fallout
from retold.games.guenask.commands.rulings import pending
from retold.games.guenask.commands.turns import dice_in_words, write_sum
from retold.games.guenask.commands.verbs import (
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
from retold.games.guenask.rules import Approach
from retold.games.guenask.state import (
    FIELDS,
    PREFIXES,
    GuenaskConflict,
    Thing,
    conflict_state,
    game_state,
    without_stats,
)


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
    for who, why in _reasons_to_give(table, state):
        yield f"{table.name(who)} to give, for {why}"
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

APPROACHES: Final = tuple(dict(zip(("stance", "means"), way.value.split(), strict=True)) for way in Approach)
"""Values for the two fields of an approach."""


def outlook(situation: Situation) -> UntriedOutlook | None:
    """Returns sentences on what a conflict waits for, and the commands available; None outside conflicts."""
    if situation.conflict is None:
        return None
    table, here = situation.table, situation.here
    status = turn(table, here)
    stands = (status if status.endswith(("?", "why")) else f"{status}.", *_may_resist(situation))
    due: tuple[Trial | Choice, ...] = (
        *_fallout(situation),
        *_answers(table, here),
        *_giving(table, conflict_state(here)),
    )
    to_act = () if due else conflict_state(here).to_act()
    instead = (trial for who in to_act for trial in _instead_of_dice(situation, who))
    return UntriedOutlook(
        stands,
        (*due, *_entering(situation), *_resisting(situation), *instead),
        () if due else tuple(_moves(situation)),
        tuple(_conditions(situation)),
    )


# --- what holds play up -----------------------------------------------------------------------------------


def _fallout(situation: Situation) -> Iterator[Trial]:
    """Yields commands for fallout to be marked: each track of the person, and each die that resists it."""
    for who, owed in conflict_state(situation.here).owed.items():
        tracks = game_state(situation.table).tracks(who)
        yield Trial(TakeFallout, {"who": (who,), "track": tracks, "text": TO_FIND}, _boxes_marked)
        yield _resisting_dice(situation, who, owed.cost.amount)


def _boxes_marked(tried: Tried) -> str:
    game, who = game_state(tried.situation.table), tried.command.who
    room = game.room(who)
    return f"{game.marks(who, tried.command.track)} of {room} marked" if room else ""


def _resisting(situation: Situation) -> Iterator[Trial]:
    """Yields commands for each die that could still resist fallout already marked on a track."""
    for who, fresh in conflict_state(situation.here).fresh.items():
        yield _resisting_dice(situation, who, fresh.amount)


def _resisting_dice(situation: Situation, who: int, amount: int) -> Trial:
    pool, least = conflict_state(situation.here).people[who].pool, rules.least_to_resist(amount)
    dice = sorted({die for die in pool if die >= least})
    return Trial(Resist, {"who": (who,), "die": dice}, f"cancels the {amount} fallout of that blow")


def _may_resist(situation: Situation) -> Iterator[str]:
    state = conflict_state(situation.here)
    for who, fresh in state.fresh.items():
        if state.can_resist(who, fresh.amount):
            least = rules.least_to_resist(fresh.amount)
            yield f"{situation.name(who)} may still resist that blow with a die of {least} or more."


def _answers(table: Table, conflict: OpenConflict) -> Iterator[Choice]:
    """Yields a command for each answer to the questions that stop play until the table rules on them."""
    for asked in pending(table, conflict):
        if asked.blocks and asked.name != "fallout":
            yield from answer_commands(asked)


def _giving(table: Table, state: GuenaskConflict) -> Iterator[Trial]:
    """Yields commands to give up, with the reason, for each person who can take no other part."""
    for who, why in _reasons_to_give(table, state):
        yield Trial(Give, {"who": (who,), "text": TO_FIND}, why)


def _reasons_to_give(table: Table, state: GuenaskConflict) -> Iterator[tuple[int, str]]:
    """Yields each NPC in play with a full track and each dead person without dice, with the reason."""
    for who in state.active():
        if who in state.cornered:
            yield who, "the track is full"
        elif who in game_state(table).dead and not state.people[who].entered:
            yield who, "the dead take no part"


def _conditions(situation: Situation) -> Iterator[Trial]:
    """Yields commands to name the condition of the first full row of each track that still lacks one."""
    for who in situation.here.people:
        tracks = dict.fromkeys(track for track, _ in game_state(situation.table).unnamed(who))
        fields = {"who": (who,), "track": tuple(reversed(tracks)), "text": TO_FIND}
        yield Trial(NameCondition, fields, _row_to_name)


def _row_to_name(tried: Tried) -> str:
    named = next(event for event in tried.events if isinstance(event, g.ConditionNamed))
    return f"what row {named.row} means"


# --- the beginning ----------------------------------------------------------------------------------------


def _entering(situation: Situation) -> Iterator[Trial]:
    """Yields `stakes` while no stakes are set; afterwards `approach` and `roll` for people without dice."""
    state = conflict_state(situation.here)
    if not state.staked:
        yield Trial(SetStakes, {"text": TO_FIND}, "what is won, and what happens otherwise", by=GM)
        return
    for who in state.without_approach():
        if without_stats(situation.table, who):
            loose = {"who": (who,), "dice": ("4d6",)}
            yield Trial(c.Roll, loose, "loose dice, as many as the table thinks right")
        yield Trial(Enter, {"who": (who,), "approach": APPROACHES}, "rolls for it")


# --- dice to put forward ----------------------------------------------------------------------------------


def _moves(situation: Situation) -> Iterator[Moves]:
    """Yields each person's possible raises (attacks, highest first) or sees (defences, cheapest first).

    Each comes with its command.
    """
    state = conflict_state(situation.here)
    for moves in state.moves():
        who, bears = moves.person, bears_fallout(situation, moves.person)
        is_ruled = game_state(situation.table).row_size(who) is not None
        if moves.against is None:
            opponents = state.opponents(who)
            affected = opponents if len(opponents) > 1 else ()
            line: Command = Raise(who=who, affected=affected, text=YET_TO_FIND)
            to = "raise"
        else:
            line, to = See(who=who, text=YET_TO_FIND), f"see {moves.against}"
        kept = f", with the {dice_in_words(moves.kept)} kept" if moves.kept else ""
        yield moves._replace(
            ways=tuple(_completed_way(way, line, bears=bears, is_ruled=is_ruled) for way in moves.ways),
            stands=f"{situation.name(who)} to {to}{kept}",
        )


def _completed_way(way: Way, line: Command, *, bears: bool, is_ruled: bool) -> Way:
    """Returns dice to put forward with their label, their cost in fallout, and the command to type.

    `line` is the command without dice; `bears` is False for people who bear no fallout. A blow taken before
    the size of a row is ruled on has that ruling as its command.
    """
    amount, price = way.fallout if bears else None, ""
    if amount is not None:
        price = f"{amount} fallout, resisted by a die of {rules.least_to_resist(amount)} or more"
    command = line.but({"forward": write_sum(way.dice)})
    if amount is not None and not is_ruled:
        price = f"{price}; before it: ruling boxes=3: why"
        command = c.Rule(question="boxes", answer="3", text=YET_TO_FIND)
    return way._replace(fallout=amount, said=LABELS[way.what], price=price, command=command)


def _instead_of_dice(situation: Situation, who: int) -> Iterator[Trial]:
    """Yields the commands of a person to act beside putting dice forward to raise (attack) or see (defend).

    Examples: bring things in, escalate, put no dice forward, or give up.
    """
    me, state = (who,), conflict_state(situation.here)
    things = tuple((thing.name,) for thing in _unused_things(situation.table, state, who))
    yield Trial(Bring, {"who": me, "things": things}, "brought in, and rolled")
    if without_stats(situation.table, who):
        yield Trial(c.Roll, {"who": me, "dice": ("2d6",)}, "more loose dice, if it grows worse")
    yield Trial(Escalate, {"who": me, "approach": APPROACHES}, "another approach, and what it rolls")
    without = {"who": me, "nothing": ("none",), "text": TO_FIND}
    yield Trial(See if state.raised else Raise, without, "the stakes are lost")
    yield Trial(Give, {"who": me, "text": TO_FIND}, "out, without fallout")


def _unused_things(table: Table, state: GuenaskConflict | None, who: int) -> Iterator[Thing]:
    """Yields traits, belongings and relationships on a person's sheet that are not yet in the conflict."""
    things = game_state(table).sheet(who).things()
    used = state.people[who].things if state and who in state.people else ()
    return (thing for thing in things if (thing.source, thing.name) not in used)


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
    state = None if conflict is None else conflict_state(conflict)
    for thing in _unused_things(table, state, blank.somebody("who") or 0):
        yield Suggestion(thing.name, thing.dice)


def _suggest_dice(_table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """Yields dice such as "4+3" to attack with (highest first) or to defend with (cheapest first)."""
    who = blank.somebody("who")
    for moves in () if conflict is None else conflict_state(conflict).moves():
        if who in (None, moves.person):
            for way in moves.ways:
                yield Suggestion(write_sum(way.dice), f"{way.total}, {way.what}")


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
