"""Lists what a conflict waits for, in sentences, and the commands that can be tried now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from retold.game import (
    GM,
    TO_FIND,
    YET_TO_FIND,
    Command,
    Count,
    Decision,
    OpenConflict,
    Question,
    Result,
    Situation,
    Table,
    Trial,
    Tried,
    UntriedOutlook,
    answer_commands,
    none_if_refused,
    possessive,
    question_with_answers,
    quoted,
    refusal_of,
)
from retold.game import commands as c
from retold.game import events as e
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.commands.acts import deployment_cost, taken_out
from retold.games.edgerunner.commands.aspects import accept, refuse
from retold.games.edgerunner.commands.positions import (
    are_allies,
    aspects_here,
    current_conflict,
    distinct_name,
    people_with_turns,
)
from retold.games.edgerunner.commands.roll_previews import (
    consequences_with_room,
    describe_roll,
    trials_on_roll,
)
from retold.games.edgerunner.commands.rulings import compel_in_words, pending
from retold.games.edgerunner.commands.turns import act_in_words, turn_for
from retold.games.edgerunner.commands.zones import cheapest_paths, cost_of_path, steps_from
from retold.games.edgerunner.measures import in_shifts
from retold.games.edgerunner.options import CALLER
from retold.games.edgerunner.rules import DEPLOYABLE, Act, Kind, Role
from retold.games.edgerunner.state import (
    THINGS,
    Action,
    EdgerunnerConflict,
    EdgerunnerState,
    Offer,
    Owed,
    conflict_state,
    game_state,
    open_roll_in,
    yet_to_act,
)

# --- a person's turn --------------------------------------------------------------------------------------


def _turn(situation: Situation, who: int) -> Iterator[Trial]:
    """Yields commands for a person's turn: continuing, moving, and each other act with its possible aims."""
    own, state, me = game_state(situation.table), current_conflict(situation), (who,)
    present = _present(situation)
    allies = [target for target in present if are_allies(situation, target, who)]
    foes = [target for target in present if target not in allies]
    zones = [(zone,) for zone in state.zones]
    yield Trial(v.Continue, {"who": me, "zones": _continued_paths(state, who)}, _continued)
    yield _free_move(state, who)
    yield Trial(v.Move, {"who": me, "zones": _paths(state, who)}, _path_cost)
    others = (other for other in state.places if other != who)
    moves = [{"whom": (other,), "zones": path} for other in others for path in _paths(state, other)]
    yield Trial(v.Move, {"who": me, "move": moves}, "somebody else is moved")
    stress, threshold = "the shifts are stress", "the shifts are the threshold"
    yield Trial(v.Attack, {"who": me, "aim": _tracks(own, foes)}, stress)
    yield Trial(v.Attack, {"who": me, "thing": _attackable(situation)}, stress)
    yield Trial(v.Defend, {"who": me, "track": own.tracks(who)}, threshold)
    yield Trial(
        v.Defend, {"who": me, "aim": _tracks(own, (ally for ally in allies if ally != who))}, threshold
    )
    places = (*present, *_unlike_people(situation, state.zones), *state.lying)
    aspect = {"who": me, "thing": places, "aspect": (str(YET_TO_FIND),)}
    yield Trial(v.Maneuver, aspect, "an aspect, with free invokes")
    marked = [aim for aim in _tracks(own, allies) if own.marked(aim["thing"], aim["track"])]
    helped = [{**aim, "thing": None} if aim["thing"] == who else aim for aim in marked]
    yield Trial(v.Recover, {"who": me, "aim": helped}, "boxes are clear again")
    if own.sheet(who).kind is Kind.FACTION:
        assets = [asset for asset, sheet in own.sheets.items() if sheet.kind in DEPLOYABLE]
        yield Trial(
            v.Deploy,
            {"who": me, "asset": assets, "zones": zones},
            lambda tried: f"takes {deployment_cost(tried.situation, tried.command.asset)} shifts",
        )
    yield Trial(v.Simple, {"who": me, "text": TO_FIND}, "no dice, or to wait")


def _present(situation: Situation) -> list[int]:
    """Returns ids that an act can target: people of the conflict or on the map, problems, devices.

    People taken out are left out.
    """
    own, state = game_state(situation.table), current_conflict(situation)
    things = [thing for thing, sheet in own.sheets.items() if sheet.kind in THINGS]
    known = dict.fromkeys((*situation.here.people, *state.places, *things))
    return [target for target in known if target not in state.out]


def _tracks(own: EdgerunnerState, people: Iterable[int]) -> list[dict[str, Any]]:
    return [{"thing": person, "track": track} for person in people for track in own.tracks(person)]


def _unlike_people(situation: Situation, names: Iterable[str]) -> Iterable[str]:
    """Yields `names` except a person's name or alias, which a typed command would take for the person."""
    return (name for name in names if situation.table.called(name) is None)


def _attackable(situation: Situation) -> Iterable[str]:
    """Yields names of borders, then wordings of aspects that can be attacked here.

    Aspects on sheets and consequences cannot be attacked.
    """
    aspects = (
        distinct_name(situation.table, aspect)
        for aspect in aspects_here(situation)
        if not aspect.lasting and aspect.severity is None
    )
    borders = (border.name for border in current_conflict(situation).borders.values())
    return _unlike_people(situation, (*borders, *aspects))


def _paths(state: EdgerunnerConflict, mover: int) -> list[tuple[str, ...]]:
    return [path.zones for path in cheapest_paths(state, mover)]


def _continued_paths(state: EdgerunnerConflict, who: int) -> list[tuple[str, ...]]:
    """Returns the choices of zones for a `continue` command: no zones, and for a move each possible path.

    Empty if `who` has no act to continue.
    """
    last = state.last.get(who)
    moves = last is not None and last.act is Act.MOVE
    return [] if last is None else [(), *(_paths(state, (last.targets or (who,))[0]) if moves else ())]


def _free_move(state: EdgerunnerConflict, who: int) -> Trial:
    steps = [(step,) for step, _, _ in steps_from(state, who, state.places.get(who, ""))]
    return Trial(v.Move, {"who": (who,), "zones": steps, "free": (True,)}, _stepped)


# --- what it comes to -------------------------------------------------------------------------------------


def _continued(tried: Tried) -> Result:
    last = current_conflict(tried.situation).last[tried.command.who]
    shifts = next(event.shifts for event in tried.events if isinstance(event, g.ShiftsSet))
    return f"{act_in_words(tried.situation, last)}, {in_shifts(shifts)}", shifts


def _stepped(tried: Tried) -> str:
    for event in tried.events:
        if isinstance(event, g.BorderEroded):
            return f"{event.left} left of the border for {tried.situation.name(event.who)}"
    return "without a roll"


def _path_cost(tried: Tried) -> str:
    declared = next(event for event in tried.events if isinstance(event, g.ActionDeclared))
    return f"takes {in_shifts(cost_of_path(tried.situation, declared.who, declared.path))}"


def _boxes_marked(tried: Tried) -> str:
    marked = [event for event in tried.events if isinstance(event, g.StressMarked)]
    return ", ".join(f"{mark.track} {' '.join(map(str, mark.boxes))}" for mark in marked) or "no stress"


# --- what is waited for -----------------------------------------------------------------------------------


def outlook(situation: Situation) -> UntriedOutlook | None:
    """Returns sentences on what play waits for, and the commands available now.

    None outside conflicts, unless a compel, strain or a roll is open.
    """
    if situation.conflict is None:
        return _at_rest(situation)
    seen, out = _in_play(situation), current_conflict(situation).fallen()
    return seen._replace(stands=(*seen.stands, f"Out: {situation.names(out)}.")) if out else seen


def _at_rest(situation: Situation) -> UntriedOutlook | None:
    own = game_state(situation.table)
    if own.offers:
        return _offered(situation, own.offers[0])
    for who, owed in own.owed.items():
        return _strained(situation, who, owed)
    return None if own.roll is None or not own.roll.rolled else _rolled(situation)


def _in_play(situation: Situation) -> UntriedOutlook:
    """Returns the actions available in a conflict.

    First answers to a compel, to strain or to a question; without these, what the current act allows;
    without an act, the next turn.
    """
    state = current_conflict(situation)
    act = state.act
    offers = [offer for offer in state.offers if act is not None and offer.who == act.who]
    if offers:
        return _offered(situation, offers[0])
    for who, owed in game_state(situation.table).owed.items():
        if who in situation.here.people:
            return _strained(situation, who, owed)
    question = next((asked for asked in pending(situation.table, situation.here) if asked.blocks), None)
    if question is not None:
        stands = (question_with_answers(situation.table, question),)
        return UntriedOutlook(
            stands, (*answer_commands(question), *_thresholds(question), *_tales(situation))
        )
    if act is None:
        between = _between(situation)
        return between._replace(trials=(*between.trials, *_tales(situation)))
    return _rolled(situation) if act.rolled else _announced(situation, act)


# --- whose turn it is -------------------------------------------------------------------------------------


def _between(situation: Situation) -> UntriedOutlook:
    """Returns the actions while no act is announced: acts of people who have a turn, and placing people.

    Before the first exchange and once all have acted, beginning an exchange.
    """
    state = current_conflict(situation)
    placings = _placings(situation)
    if not state.exchange:
        first = rules.TIME[1]
        begins = Trial(v.BeginExchange, {"length": (first,)}, "everyone acts once in it")
        sentences = (f"No exchange has begun: exchange {first}.", *_nowhere(situation))
        return UntriedOutlook(sentences, (begins, *placings))
    waiting = yet_to_act(situation.table, situation.here)
    able = [who for who in waiting if none_if_refused(partial(turn_for, situation, who)) is not None]
    lingering = [_free_move(state, who) for who in sorted(state.lingering)]
    if not waiting:
        following = Trial(v.BeginExchange, {}, f"exchange {state.exchange + 1}")
        return UntriedOutlook(("All have acted.",), (following, *lingering))
    stands = [_whose_turn(situation, able, waiting), *_asks(situation), *_nowhere(situation)]
    stands += [sentence for who in able for sentence in _place(situation, who)]
    stands += [sentence for who in able for sentence in _skilled(situation, who)]
    claims = () if state.turn is not None else (Trial(v.ClaimTurn, {"who": able}, "the turn is theirs"),)
    acts = [trial for who in able for trial in _turn(situation, who)]
    return UntriedOutlook(tuple(stands), (*claims, *acts, *lingering, *placings))


def _asks(situation: Situation) -> Iterator[str]:
    """Yields a sentence on who calls the next turn, if the conflict's setup names a caller."""
    caller = situation.here.setup.get(CALLER)
    if isinstance(caller, int) and current_conflict(situation).turn is None:
        yield f"{situation.name(caller)} calls who is next."


def _skilled(situation: Situation, who: int) -> Iterator[str]:
    """Yields a sentence with a person's skills and levels; nothing without skills."""
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
    """Yields a sentence that asks to place people of the conflict who are not on its map."""
    state = current_conflict(situation)
    left = [who for who in situation.here.people if who not in state.places and who != GM]
    if state.zones and left:
        verb = "has" if len(left) == 1 else "have"
        yield (f"{situation.names(left)} {verb} no zone yet: place {quoted(situation.name(left[0]))} ZONE.")


def _placings(situation: Situation) -> list[Trial]:
    """Returns `place` commands, one trial per person without a position, with each zone as a choice."""
    state = current_conflict(situation)
    nowhere = [who for who in situation.here.people if who not in (*state.places, GM)]
    return [
        Trial(v.Place, {"who": ((who,),), "zone": state.zones}, "where they stand", by=who) for who in nowhere
    ]


def _place(situation: Situation, who: int) -> Iterator[str]:
    """Yields a sentence with a person's zone and the borders between them and others."""
    state = current_conflict(situation)
    if who in state.places:
        away = [(other, state.range(who, other)) for other in state.places if other not in (who, *state.out)]
        borders = [f"{situation.name(other)} {far}" for other, far in away if far is not None]
        told = f"; borders to others: {', '.join(borders)}" if borders else ""
        yield f"{situation.name(who)} is in {state.places[who]}{told}."


# --- announced, compelled ---------------------------------------------------------------------------------


def _announced(situation: Situation, act: Action) -> UntriedOutlook:
    """Returns the actions after an act is announced and before its dice: roll, compel, forfeit.

    A sentence names people who can interrupt.
    """
    who = act.who
    if act.act is Act.SIMPLE:
        done = Trial(v.Apply, {}, "it is done", by=who)
        return UntriedOutlook((f"{act_in_words(situation, act)} takes no dice.",), (done,))
    stands = [
        f"{act_in_words(situation, act)} is announced; compels come before the dice.",
        *_purse(situation, who),
    ]
    solos = [
        person for person in yet_to_act(situation.table, situation.here) if _may_interrupt(situation, person)
    ]
    if solos:
        stands.append(f"{situation.names(solos)} may interrupt with an act of their own (--interrupt).")
    near = sorted(aspects_here(situation), key=lambda aspect: aspect.on != who)  # own aspects first
    wordings = [distinct_name(situation.table, aspect) for aspect in near]
    compels = {"who": (who,), "aspect": wordings, "text": TO_FIND}
    return UntriedOutlook(
        tuple(stands),
        (
            Trial(v.Roll, {"who": (who,)}, "the dice"),
            Trial(c.Compel, compels, "a fate point, and no act; or a fate point to refuse", by=GM),
            Trial(v.Forfeit, {"who": (who,)}, "the turn is over"),
        ),
    )


def _may_interrupt(situation: Situation, who: int) -> bool:
    is_solo = game_state(situation.table).sheet(who).role == Role.SOLO
    return is_solo and none_if_refused(partial(turn_for, situation, who, interrupt=True)) is not None


def _purse(situation: Situation, who: int) -> Iterator[str]:
    own = game_state(situation.table)
    hand = own.hand(who)
    if hand != GM:
        held = own.held(hand)
        yield f"{situation.name(hand)} holds {held} fate point{'' if held == 1 else 's'}."


def _offered(situation: Situation, offer: Offer) -> UntriedOutlook:
    """Returns the two answers to a compel, accept and refuse, each with the fate points it moves."""
    wishes: tuple[tuple[Decision, Command], ...] = (
        (accept, c.Accept(who=offer.who)),
        (refuse, c.Refuse(who=offer.who)),
    )
    refusals = (refusal_of(partial(decide, situation, wish)) for decide, wish in wishes)
    stands = [f"{compel_in_words(situation.table, offer)}.", *filter(None, refusals)]
    answers = tuple(Trial(type(wish), {"who": (offer.who,)}, _answered) for _, wish in wishes)
    return UntriedOutlook(tuple(stands), answers)


def _answered(tried: Tried) -> str:
    """Returns text on an answered compel: fate points that change hands, and `no act` if it is lost."""
    name, parts = tried.situation.name, list[str]()
    for event in tried.events:
        match event:
            case g.FatePointPaid():
                points = "a fate point" if event.points == 1 else f"{event.points} fate points"
                parts.append(f"{points} from {name(event.payer)} to {name(event.payee)}")
            case g.ActionForfeited():
                parts.append("no act")
    return ", ".join(parts)


# --- rolled, strained, told -------------------------------------------------------------------------------


def _rolled(situation: Situation) -> UntriedOutlook:
    roll = open_roll_in(situation.table, situation.conflict)
    assert roll is not None  # noqa: S101 -- it has been looked for
    return UntriedOutlook(tuple(describe_roll(situation, roll)), tuple(trials_on_roll(situation, roll)))


def _strained(situation: Situation, who: int, owed: Owed) -> UntriedOutlook:
    """Returns `resist` commands by which a person takes the stress they owe for an upgrade.

    Sets of consequences, with the rest as stress, up to the first set that suffices alone.
    """
    stands = f"{situation.name(who)} has {owed.left} {owed.track} stress to take for {owed.upgrade}."
    taken: list[Mapping[str, Any]] = []
    for worth, wordings in [(0, {}), *consequences_with_room(situation, who)]:
        left = owed.left - worth
        taken.append({**wordings, "tracks": (owed.track,), "amounts": (left,)} if left > 0 else wordings)
        if left <= 0:
            break
    return UntriedOutlook((stands,), (Trial(v.Resist, {"who": (who,), "taken": taken}, _boxes_marked),))


def _thresholds(question: Question) -> Iterator[Trial]:
    """Yields rulings that set the threshold of an attacked border, if `question` asks for it."""
    if question.name == "threshold":
        values = [(e.Setting(person=None, what="threshold", op="=", value=value),) for value in THRESHOLDS]
        yield Trial(c.Rule, {"sets": values, "text": TO_FIND}, "what the border can take")


THRESHOLDS: Final = range(1, 10)
"""Thresholds offered for a border without one; a ruling accepts any number."""


def _tales(situation: Situation) -> Iterator[Trial]:
    for tale in current_conflict(situation).tales:
        told = f"what becomes of {situation.name(tale.on)}"
        yield Trial(c.Narrate, {"who": (tale.by,), "text": TO_FIND}, told)


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
    """Returns a toolbar text, exchange number and next step: `exchange 2 · to act: Gatto`."""
    exchange = count(conflict)
    if exchange is None:
        return "before the first exchange"
    return f"{exchange} · {_step(table, conflict, conflict_state(conflict))}"


def count(conflict: OpenConflict) -> Count | None:
    """Returns the number of the conflict's current exchange, shown as `exchange 2`; None before the first."""
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
    """Returns a text on the current act, such as `Jade's attack on Gatto, 2 shifts: invoke, boost, apply`."""
    target = table.name(act.target) if isinstance(act.target, int) else act.target
    aimed = "" if target is None else f" on {target}"
    deed = f"{possessive(table.name(act.who))} {act.act}{aimed}"
    if not act.rolled:
        return f"{deed}: {'apply' if act.act is Act.SIMPLE else 'compel, roll'}"
    fatal = f" ({target} out)" if taken_out(table, act) is not None else ""
    spin = ["spin"] if any(spin.holder == act.who for spin in state.spins) else []
    verbs = ["invoke", "boost", *spin, *(["resist"] if act.targets else []), "apply"]
    return f"{deed}, {in_shifts(act.shifts)}{fatal}: {', '.join(verbs)}"
