"""The actions available now: turns, acts, compels, answers, and questions that block play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from journal.capabilities import Choice, Outlook
from journal.names import possessive, quoted
from journal.refused import Refused, none_if_refused
from journal.shared.rulings import answer_commands
from journal.system import Count, Decision, Situation, question_with_answers
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands import verbs as v
from journal.systems.edgerunner.commands.acts import deployment_cost
from journal.systems.edgerunner.commands.announcing import continue_
from journal.systems.edgerunner.commands.applying import resist
from journal.systems.edgerunner.commands.aspects import accept, compel, refuse
from journal.systems.edgerunner.commands.positions import (
    actors,
    are_allies,
    current_conflict,
    distinct_name,
    people_with_turns,
)
from journal.systems.edgerunner.commands.roll_previews import (
    consequences_with_room,
    describe_roll,
    previews_of_roll,
    shifts_in_words,
)
from journal.systems.edgerunner.commands.rulings import pending
from journal.systems.edgerunner.commands.turns import act_in_words, turn_for
from journal.systems.edgerunner.commands.zones import cheapest_paths, free_moves, reachable_zones
from journal.systems.edgerunner.options import CALLER, chosen
from journal.systems.edgerunner.rules import DEPLOYABLE, Act, Kind, Marking, Role
from journal.systems.edgerunner.state import (
    THINGS,
    Action,
    Aspect,
    EdgerunnerConflict,
    EdgerunnerState,
    Offer,
    Owed,
    conflict_state,
    game_state,
    open_roll_in,
    yet_to_act,
)
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, YET_TO_FIND, Command, Event, Question


def possible_acts(situation: Situation, who: int) -> Iterator[Choice]:
    """Yields a person's attacks, defences, maneuvers, recoveries, deployments and the simple act."""
    yield from _attacks(situation, who)
    yield from _defences(situation, who)
    yield from _maneuvers(situation, who)
    yield from _recoveries(situation, who)
    yield from _deployments(situation, who)
    yield Choice(who, v.Simple(who=who, text=YET_TO_FIND), "no dice, or to wait")


def _present(situation: Situation) -> Iterator[int]:
    """Yields people and things with a sheet that an act can target, except those taken out."""
    own, state = game_state(situation.table), current_conflict(situation)
    things = [thing for thing, sheet in own.sheets.items() if sheet.kind in THINGS]
    for target in dict.fromkeys((*situation.here.people, *state.places, *things)):
        if target not in state.out:
            yield target


def _attacks(situation: Situation, who: int) -> Iterator[Choice]:
    own, state, stress = game_state(situation.table), current_conflict(situation), "the shifts are stress"
    for target in _present(situation):
        if not are_allies(situation, target, who):
            for track in own.tracks(target):
                yield Choice(who, v.Attack(who=who, thing=target, track=track), stress)
    for thing in (*(border.name for border in state.borders.values()), *attackable_aspects(situation)):
        if _is_own_track(situation, thing):
            yield Choice(who, v.Attack(who=who, thing=thing), stress)


def _is_own_track(situation: Situation, thing: str) -> bool:
    """False if a thing has a person's name: in a command line that name means the person."""
    return situation.table.called(thing) is None


def attackable_aspects(situation: Situation) -> Iterator[str]:
    """Yields the wordings of aspects open to attack: declared or maneuvered ones in this conflict."""
    own, state = game_state(situation.table), current_conflict(situation)
    for aspect in own.aspects.values():
        if aspect.lasting or aspect.severity is not None:
            continue
        if aspect.on in (*situation.here.people, *state.places) or _lies_here(own, aspect, state):
            yield distinct_name(situation.table, aspect)


def _lies_here(own: EdgerunnerState, aspect: Aspect, state: EdgerunnerConflict) -> bool:
    """True if the aspect is on a thing, or on a zone or border of the map in play."""
    return isinstance(aspect.on, str) and own.stays(aspect, state.named)


def _defences(situation: Situation, who: int) -> Iterator[Choice]:
    own, holds = game_state(situation.table), "the shifts are the threshold"
    for track in own.tracks(who):
        yield Choice(who, v.Defend(who=who, track=track), holds)
    for ally in _present(situation):
        if ally != who and are_allies(situation, ally, who):
            for track in own.tracks(ally):
                yield Choice(who, v.Defend(who=who, thing=ally, track=track), holds)


def _maneuvers(situation: Situation, who: int) -> Iterator[Choice]:
    zones = [zone for zone in current_conflict(situation).zones if _is_own_track(situation, zone)]
    things: list[int | str] = [*_present(situation), *zones, *current_conflict(situation).lying]
    for thing in things:
        command = v.Maneuver(who=who, thing=thing, aspect=str(YET_TO_FIND))
        yield Choice(who, command, "an aspect, with free invokes")


def _recoveries(situation: Situation, who: int) -> Iterator[Choice]:
    own, clears = game_state(situation.table), "boxes are clear again"
    for ally in _present(situation):
        for track in own.tracks(ally) if are_allies(situation, ally, who) else ():
            if own.marked(ally, track):
                command = v.Recover(who=who, thing=None if ally == who else ally, track=track)
                yield Choice(who, command, clears)


def _deployments(situation: Situation, who: int) -> Iterator[Choice]:
    own, state = game_state(situation.table), current_conflict(situation)
    if own.sheet(who).kind is not Kind.FACTION:
        return
    for asset, sheet in own.sheets.items():
        price = (
            none_if_refused(partial(deployment_cost, situation, asset)) if sheet.kind in DEPLOYABLE else None
        )
        if price is not None and asset not in (*actors(situation), *state.places):
            for zone in state.zones:
                yield Choice(who, v.Deploy(who=who, asset=asset, zones=(zone,)), f"takes {price} shifts")


THRESHOLDS: Final = range(1, 10)
"""Thresholds offered for a border without one; a ruling accepts any number."""


def outlook(situation: Situation) -> Outlook | None:
    """Returns the actions available now with their results; None outside conflicts without an open roll."""
    if situation.conflict is None:
        return _at_rest(situation)
    seen = _in_play(situation)
    return seen._replace(conflict=situation.here.id, stands=(*seen.stands, *_out(situation)))


def _out(situation: Situation) -> Iterator[str]:
    """Yields a sentence that names the people taken out."""
    out = current_conflict(situation).fallen()
    if out:
        yield f"Out: {situation.names(out)}."


def _at_rest(situation: Situation) -> Outlook | None:
    own = game_state(situation.table)
    if own.offers:
        return _offered(situation, own.offers[0])
    for who, owed in own.owed.items():
        return _strained(situation, who, owed)
    roll = own.roll
    return None if roll is None or not roll.rolled else _rolled(situation)


def _in_play(situation: Situation) -> Outlook:
    """Returns a conflict's actions: answers to a question, the open roll, or the next turn."""
    act = current_conflict(situation).act
    offers = [
        offer for offer in current_conflict(situation).offers if act is not None and offer.who == act.who
    ]
    if offers:
        return _offered(situation, offers[0])
    for who, owed in game_state(situation.table).owed.items():
        if who in situation.here.people:
            return _strained(situation, who, owed)
    asked = [question for question in pending(situation.table, situation.here) if question.blocks]
    if asked:
        answers = [*answer_commands(asked[0]), *_thresholds(asked[0]), *_tales(situation)]
        return Outlook(None, (question_with_answers(situation.table, asked[0]),), tuple(answers))
    if act is None:
        between = _between(situation)
        return between._replace(choices=(*between.choices, *_tales(situation)))
    return _rolled(situation) if act.rolled else _announced(situation, act)


# --- whose turn it is -------------------------------------------------------------------------------------


def _between(situation: Situation) -> Outlook:
    """Returns the actions between acts: whose turn it is, possible acts, and placing people on the map."""
    state = current_conflict(situation)
    if not state.exchange:
        begins = Choice(GM, v.BeginExchange(length=rules.TIME[1]), "everybody acts once in it")
        told = (f"No exchange has begun: exchange {rules.TIME[1]}.", *_nowhere(situation))
        return Outlook(None, told, (begins, *_placings(situation)))
    waiting = yet_to_act(situation.table, situation.here)
    able = [who for who in waiting if none_if_refused(partial(turn_for, situation, who)) is not None]
    last = [choice for who in sorted(state.lingering) for choice in free_moves(situation, who)]
    if not waiting:
        following = Choice(GM, v.BeginExchange(), f"exchange {state.exchange + 1}")
        return Outlook(None, ("All have acted.",), (following, *last))
    sentences = [_whose_turn(situation, able, waiting), *_asks(situation), *_nowhere(situation)]
    sentences += [sentence for who in able for sentence in _place(situation, who)]
    sentences += [sentence for who in able for sentence in _skilled(situation, who)]
    acts = [choice for who in able for choice in _acts(situation, who)]
    return Outlook(None, tuple(sentences), (*_claims(situation, able), *acts, *last, *_placings(situation)))


def _asks(situation: Situation) -> Iterator[str]:
    """Yields a sentence about the caller that the conflict's setup names."""
    caller = situation.here.setup.get(CALLER)
    if isinstance(caller, int) and current_conflict(situation).turn is None:
        yield f"{situation.name(caller)} calls who is next."


def _claims(situation: Situation, able: Sequence[int]) -> list[Choice]:
    """Returns a claim of the turn for each person able to act, unless a turn is running."""
    if current_conflict(situation).turn is not None:
        return []
    return [Choice(who, v.ClaimTurn(who=who), "the turn is theirs") for who in able]


def _skilled(situation: Situation, who: int) -> Iterator[str]:
    """Yields a sentence that lists a person's skills."""
    skills = game_state(situation.table).sheet(who).skills
    if skills:
        known = ", ".join(f"{skill} {level}" for skill, level in skills.items())
        whose = possessive(situation.name(who))
        yield f"An act of {whose} may be made with {known}: … with {next(iter(skills))}."


def _whose_turn(situation: Situation, able: Sequence[int], waiting: Sequence[int]) -> str:
    later = [who for who in waiting if who not in able]
    if len(able) == 1:
        then = f"; then {situation.names(later)}" if later else ""
        return f"It is for {situation.name(able[0])} to act{then}."
    return f"Yet to act: {situation.names(able)}. Of several who want to, the highest bid is next."


def _nowhere(situation: Situation) -> Iterator[str]:
    """Yields a sentence about people without a position, if the conflict has a map."""
    state = current_conflict(situation)
    left = [who for who in situation.here.people if who not in state.places and who != GM]
    if state.zones and left:
        verb = "is" if len(left) == 1 else "are"
        yield (
            f"Nobody has said where {situation.names(left)} {verb}:"
            f" place {quoted(situation.name(left[0]))} ZONE."
        )


def _placings(situation: Situation) -> Iterator[Choice]:
    """Yields a placement in each zone for each person without a position."""
    state = current_conflict(situation)
    for who in situation.here.people:
        for zone in state.zones if who not in (*state.places, GM) else ():
            yield Choice(who, v.Place(who=(who,), zone=zone), "where they stand")


def _place(situation: Situation, who: int) -> Iterator[str]:
    """Yields a sentence with a person's zone and their distances to other people."""
    state = current_conflict(situation)
    if who in state.places:
        away = [(other, state.range(who, other)) for other in state.places if other not in (who, *state.out)]
        borders = [f"{situation.name(other)} {far}" for other, far in away if far is not None]
        told = f"; borders to others: {', '.join(borders)}" if borders else ""
        yield f"{situation.name(who)} is in {state.places[who]}{told}."


def _acts(situation: Situation, who: int) -> Iterator[Choice]:
    """Yields a person's possible turns: continuing, free moves, moves with their cost, and other acts."""
    yield from _going_on(situation, who)
    yield from free_moves(situation, who)
    yield from reachable_zones(situation, who)
    yield from possible_acts(situation, who)


def _going_on(situation: Situation, who: int) -> Iterator[Choice]:
    """Yields continuations of the last exchange's act; for a move, along each possible path."""
    last = current_conflict(situation).last.get(who)
    if last is None:
        return
    ways: list[tuple[str, ...]] = [()]
    if last.act is Act.MOVE:
        mover = (last.targets or (who,))[0]
        ways += [path.zones for path in cheapest_paths(current_conflict(situation), mover)]
    for zones in ways:
        going_on = v.Continue(who=who, zones=zones)
        for event in none_if_refused(partial(continue_, situation, going_on)) or ():
            if isinstance(event, g.ShiftsSet):
                stands = f"{act_in_words(situation, last)}, {shifts_in_words(event.shifts)}"
                yield Choice(who, going_on, stands, event.shifts)


# --- announced, compelled ---------------------------------------------------------------------------------


def _announced(situation: Situation, act: Action) -> Outlook:
    """Returns the actions before an announced act's dice: roll, compels, forfeit; and who can interrupt."""
    who = act.who
    if act.act is Act.SIMPLE:
        return Outlook(
            None, (f"{act_in_words(situation, act)} takes no dice.",), (Choice(who, v.Apply(), "it is done"),)
        )
    told = [
        f"{act_in_words(situation, act)} is announced; compels come before the dice.",
        *_purse(situation, who),
    ]
    solos = [
        person for person in yet_to_act(situation.table, situation.here) if _may_interrupt(situation, person)
    ]
    if solos:
        told.append(f"{situation.names(solos)} may interrupt with an act of their own (--interrupt).")
    rolls = Choice(who, v.Roll(who=who), "the dice")
    lets_go = Choice(who, v.Forfeit(who=who), "the turn is over")
    return Outlook(None, tuple(told), (rolls, *_compels(situation, who), lets_go))


def _may_interrupt(situation: Situation, who: int) -> bool:
    is_solo = game_state(situation.table).sheet(who).role == Role.SOLO
    return is_solo and none_if_refused(partial(turn_for, situation, who, interrupt=True)) is not None


def _purse(situation: Situation, who: int) -> Iterator[str]:
    own = game_state(situation.table)
    hand = own.hand(who)
    if hand != GM:
        held = own.held(hand)
        yield f"{situation.name(hand)} holds {held} fate point{'' if held == 1 else 's'}."


def _compels(situation: Situation, who: int) -> Iterator[Choice]:
    """Yields the possible compels of `who`, by their own aspects first."""
    near = [aspect for aspect in game_state(situation.table).aspects.values() if _is_here(situation, aspect)]
    for wording in [
        distinct_name(situation.table, aspect) for aspect in sorted(near, key=lambda aspect: aspect.on != who)
    ]:
        command = c.Compel(who=who, aspect=wording, text=YET_TO_FIND)
        if none_if_refused(partial(compel, situation, command)) is not None:
            yield Choice(GM, command, "a fate point, and no act; or a fate point to refuse")


def _is_here(situation: Situation, aspect: Aspect) -> bool:
    if isinstance(aspect.on, str):
        return game_state(situation.table).stays(aspect, current_conflict(situation).named)
    return aspect.on in (*situation.here.people, *current_conflict(situation).places)


def _offered(situation: Situation, offer: Offer) -> Outlook:
    """Returns the answers to a compel, with the gain of accepting and the price of refusing."""
    aspect = game_state(situation.table).aspects.get(offer.aspect)
    story = "" if aspect is None else f" by “{aspect.wording}”"
    by = situation.table.shown(offer.by, "The game master")
    told = [f"{by} compels {situation.name(offer.who)}{story}."]
    choices: list[Choice] = []
    for decide, command in _answers(offer.who):
        try:
            events = decide(situation, command)
        except Refused as refusal:
            told.append(str(refusal))
        else:
            choices.append(Choice(offer.who, command, ", ".join(_answered(situation, events))))
    return Outlook(None, tuple(told), tuple(choices))


def _answers(who: int) -> tuple[tuple[Decision, Command], ...]:
    return (accept, c.Accept(who=who)), (refuse, c.Refuse(who=who))


def _answered(situation: Situation, events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        match event:
            case g.FatePointPaid():
                points = "a fate point" if event.points == 1 else f"{event.points} fate points"
                yield f"{points} from {situation.name(event.payer)} to {situation.name(event.payee)}"
            case g.ActionForfeited():
                yield "no act"


# --- rolled, strained, told -------------------------------------------------------------------------------


def _rolled(situation: Situation) -> Outlook:
    roll = open_roll_in(situation.table, situation.conflict)
    assert roll is not None  # noqa: S101 -- it has been looked for
    return Outlook(None, tuple(describe_roll(situation, roll)), tuple(previews_of_roll(situation, roll)))


def _strained(situation: Situation, who: int, owed: Owed) -> Outlook:
    """Returns the ways to take an upgrade's strain: combinations of consequences and stress."""
    told = f"{situation.name(who)} has {owed.left} {owed.track} stress to take for {owed.upgrade}."
    choices: list[Choice] = []
    for worth, taken in [(0, {}), *consequences_with_room(situation, who)]:
        left = owed.left - worth
        stress = {"tracks": (owed.track,), "amounts": (left,)} if left > 0 else {}
        command = v.Resist.of({"who": who, **taken, **stress})
        events = none_if_refused(partial(resist, situation, command))
        if events is not None:
            marked = [event for event in events if isinstance(event, g.StressMarked)]
            boxes = [f"{mark.track} {' '.join(map(str, mark.boxes))}" for mark in marked]
            choices.append(Choice(who, command, ", ".join(boxes) or "no stress"))
        if left <= 0:
            break
    return Outlook(None, (told,), tuple(choices))


def _thresholds(asked: Question) -> Iterator[Choice]:
    """Yields rulings that set the missing threshold of an attacked border."""
    for value in THRESHOLDS if asked.name == "threshold" else ():
        settings = (e.Setting(person=None, what="threshold", op="=", value=value),)
        yield Choice(GM, c.Rule(sets=settings, text=YET_TO_FIND), "what the border can take")


def _tales(situation: Situation) -> Iterator[Choice]:
    for tale in current_conflict(situation).tales:
        told = f"what becomes of {situation.name(tale.on)}"
        yield Choice(tale.by, c.Narrate(who=tale.by, text=YET_TO_FIND), told)


ANSWERED: Final = {
    "compel": "accept or refuse",
    "strain": "resist",
    "tale": "narrate",
    "threshold": "ruling threshold=",
    "spin": "ruling spin=",
    "bid": "ruling bid=",
}
"""Commands that answer a question, by its name."""


def turn(table: Table, conflict: OpenConflict) -> str:
    """Returns the exchange number with the open question, the current act, or whose turn it is."""
    exchange = count(conflict)
    if exchange is None:
        return "before the first exchange"
    return f"{exchange} · {_step(table, conflict, conflict_state(conflict))}"


def count(conflict: OpenConflict) -> Count | None:
    """Returns a conflict's exchange number; None before the first exchange."""
    exchange = conflict_state(conflict).exchange
    return Count("exchange", exchange) if exchange else None


def _step(table: Table, conflict: OpenConflict, state: EdgerunnerConflict) -> str:
    blocking = next((asked for asked in pending(table, conflict) if asked.blocks), None)
    if blocking is not None:
        return f"{blocking.name}: {ANSWERED[blocking.name]}"
    if state.act is not None:
        return _act(table, state, state.act)
    if state.turn is not None:
        return f"{possessive(table.name(state.turn))} turn"
    waiting = [who for who in people_with_turns(table, conflict) if who not in state.acted]
    return f"to act: {', '.join(map(table.name, waiting))}" if waiting else "all have acted: exchange"


def _act(table: Table, state: EdgerunnerConflict, act: Action) -> str:
    """Returns the current act with the verbs that can follow."""
    deed = f"{possessive(table.name(act.who))} {act.act}{_aimed(table, act)}"
    if not act.rolled:
        follow = "apply" if act.act is Act.SIMPLE else "compel, roll"
        return f"{deed}: {follow}"
    shifts = "1 shift" if act.shifts == 1 else f"{act.shifts} shifts"
    fatal = f" ({_taken_out(table, act)} out)" if _takes_out(table, act) else ""
    verbs = ["invoke", "boost"]
    verbs += ["spin"] if any(spin.holder == act.who for spin in state.spins) else []
    verbs += ["resist"] if act.targets else []
    return f"{deed}, {shifts}{fatal}: {', '.join((*verbs, 'apply'))}"


def _aimed(table: Table, act: Action) -> str:
    if act.target is None:
        return ""
    return f" on {table.name(act.target) if isinstance(act.target, int) else act.target}"


def _taken_out(table: Table, act: Action) -> str:
    return table.name(act.target) if isinstance(act.target, int) else ""


def _takes_out(table: Table, act: Action) -> bool:
    """True if an attack's current shifts exceed its target's track."""
    if act.act is not Act.ATTACK or not isinstance(act.target, int) or act.track is None or act.shifts < 1:
        return False
    own, marking = game_state(table), chosen.kind(table, "stress_marking", Marking)
    marked, threshold = own.marked(act.target, act.track), own.threshold(act.target, act.track)
    return rules.mark(act.shifts, marked, threshold, marking) is None
