"""What may be done now: whose turn it is, what a compel comes to, and who or what is waited for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from journal.capabilities import Choice, Outlook
from journal.refused import Refused
from journal.system import Decision, Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.commands import prospects, reach
from journal.systems.edgerunner.commands import verbs as v
from journal.systems.edgerunner.commands.announcing import continue_
from journal.systems.edgerunner.commands.compels import accept, compel, refuse
from journal.systems.edgerunner.commands.resisting import resist
from journal.systems.edgerunner.commands.rulings import pending
from journal.systems.edgerunner.commands.standing import actors, here
from journal.systems.edgerunner.commands.trying import tried
from journal.systems.edgerunner.commands.turns import deed, turn_for, yet_to_act
from journal.systems.edgerunner.rules import Act, Role
from journal.systems.edgerunner.state import Action, Aspect, Offer, Owed, current, shelf
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Command, Event
from journal.words import Words

STORY: Final = Words(prospects.YET_TO_FIND)


class Seen(NamedTuple):
    """Where it stands, in sentences, and what may be said about it."""

    stands: Sequence[str]
    choices: Sequence[Choice] = ()


def outlook(situation: Situation) -> Outlook | None:
    """What may be said now, with what it would come to; None outside conflicts where nothing is open."""
    if situation.conflict is None:
        seen = _at_rest(situation)
        return None if seen is None else Outlook(None, tuple(seen.stands), tuple(seen.choices))
    seen, beside = _in_play(situation), _conceded(situation)
    return Outlook(situation.here.id, (*seen.stands, *beside.stands), (*seen.choices, *beside.choices))


def _at_rest(situation: Situation) -> Seen | None:
    own = shelf(situation.table)
    if own.offers:
        return _offered(situation, own.offers[0])
    for who, owed in own.owed.items():
        return _strained(situation, who, owed)
    roll = own.roll
    return None if roll is None or not roll.rolled else _rolled(situation)


def _in_play(situation: Situation) -> Seen:
    """The first of what is waited for: an answer, the end of an act, or whoever is next."""
    act = here(situation).act
    offers = [offer for offer in here(situation).offers if act is not None and offer.who == act.who]
    if offers:
        return _offered(situation, offers[0])
    for who, owed in shelf(situation.table).owed.items():
        if who in situation.here.people:
            return _strained(situation, who, owed)
    asked = [question for question in pending(situation.table, situation.here) if question.blocks]
    if asked:
        return Seen([situation.choices(asked[0])], _tales(situation))
    if act is None:
        return _between(situation)
    return _rolled(situation) if act.rolled else _announced(situation, act)


# --- whose turn it is -------------------------------------------------------------------------------------


def _between(situation: Situation) -> Seen:
    """Nobody's act is on the table: who may act, from where, and what needs no roll."""
    state = here(situation)
    if not state.exchange:
        return Seen(["No exchange has begun: exchange a few moments.", *_nowhere(situation)])
    waiting = yet_to_act(situation)
    able = [who for who in waiting if tried(partial(turn_for, situation, who)) is not None]
    last = [choice for who in sorted(state.lingering) for choice in reach.free_moves(situation, who)]
    if not waiting:
        following = Choice(GM, v.BeginExchange(), f"exchange {state.exchange + 1}")
        return Seen(["All have acted."], [following, *last])
    told = [_whose_turn(situation, able, waiting), *_nowhere(situation)]
    told += [sentence for who in able for sentence in _place(situation, who)]
    return Seen(told, [*(choice for who in able for choice in _acts(situation, who)), *last])


def _whose_turn(situation: Situation, able: Sequence[int], waiting: Sequence[int]) -> str:
    later = [who for who in waiting if who not in able]
    if len(able) == 1:
        then = f"; then {situation.names(later)}" if later else ""
        return f"It is for {situation.name(able[0])} to act{then}."
    return f"Yet to act: {situation.names(able)}. Of several who want to, the highest bid is next."


def _nowhere(situation: Situation) -> Iterator[str]:
    """Who has no place on the map, if there is a map."""
    state = here(situation)
    left = [who for who in situation.here.people if who not in state.places and who != GM]
    if state.zones and left:
        verb = "is" if len(left) == 1 else "are"
        yield f"Nobody has said where {situation.names(left)} {verb}: place {situation.name(left[0])} ZONE."


def _place(situation: Situation, who: int) -> Iterator[str]:
    """Where somebody stands, and how far from everybody else on the map."""
    state = here(situation)
    if who in state.places:
        away = [(other, state.range(who, other)) for other in state.places if other not in (who, *state.out)]
        borders = [f"{situation.name(other)} {far}" for other, far in away if far is not None]
        told = f"; borders to others: {', '.join(borders)}" if borders else ""
        yield f"{situation.name(who)} is in {state.places[who]}{told}."


def _acts(situation: Situation, who: int) -> Iterator[Choice]:
    """What somebody's turn could hold that needs no dice, and what moves would take."""
    going_on, last = v.Continue(who=who), here(situation).last.get(who)
    for event in tried(partial(continue_, situation, going_on)) or ():
        if isinstance(event, g.ShiftsSet) and last is not None:
            stands = f"{deed(situation, last)}, {prospects.counted(event.shifts)}"
            yield Choice(who, going_on, stands, event.shifts)
    yield from reach.free_moves(situation, who)
    yield from reach.moves(situation, who)


# --- announced, compelled ---------------------------------------------------------------------------------


def _announced(situation: Situation, act: Action) -> Seen:
    """Before the dice: who may be compelled by what, and who may interrupt."""
    who = act.who
    if act.act is Act.SIMPLE:
        return Seen([f"{deed(situation, act)} takes no dice."], [Choice(who, v.Apply(), "it is done")])
    told = [f"{deed(situation, act)} is announced; compels come before the dice.", *_purse(situation, who)]
    solos = [one for one in yet_to_act(situation) if _may_interrupt(situation, one)]
    if solos:
        told.append(f"{situation.names(solos)} may interrupt with an act of their own (--interrupt).")
    rolls = Choice(who, c.Roll(who=who), "the dice")
    return Seen(told, [rolls, *_compels(situation, who), Choice(who, v.Forfeit(who=who), "the turn is over")])


def _may_interrupt(situation: Situation, who: int) -> bool:
    is_solo = shelf(situation.table).sheet(who).role == Role.SOLO
    return is_solo and tried(partial(turn_for, situation, who, interrupt=True)) is not None


def _purse(situation: Situation, who: int) -> Iterator[str]:
    own = shelf(situation.table)
    hand = own.hand(who)
    if hand != GM:
        held = own.held(hand)
        yield f"{situation.name(hand)} holds {held} fate point{'' if held == 1 else 's'}."


def _compels(situation: Situation, who: int) -> Iterator[Choice]:
    """Their own aspects first, then whatever else is here."""
    near = [one for one in shelf(situation.table).aspects.values() if _is_here(situation, one)]
    for wording in dict.fromkeys(one.wording for one in sorted(near, key=lambda one: one.on != who)):
        command = c.Compel(who=who, aspect=wording, text=STORY)
        if tried(partial(compel, situation, command)) is not None:
            yield Choice(GM, command, "a fate point, and no act; or a fate point to refuse")


def _is_here(situation: Situation, aspect: Aspect) -> bool:
    return isinstance(aspect.on, str) or aspect.on in (*situation.here.people, *here(situation).places)


def _offered(situation: Situation, offer: Offer) -> Seen:
    """A compel is on the table: what to take it brings, and what to refuse it costs."""
    aspect = shelf(situation.table).aspects.get(offer.aspect)
    story = "" if aspect is None else f" by “{aspect.wording}”"
    told = [f"{situation.name(offer.by)} compels {situation.name(offer.who)}{story}."]
    choices: list[Choice] = []
    for decide, command in _answers(offer.who):
        try:
            events = decide(situation, command)
        except Refused as refusal:
            told.append(str(refusal))
        else:
            choices.append(Choice(offer.who, command, ", ".join(_answered(situation, events))))
    return Seen(told, choices)


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


def _rolled(situation: Situation) -> Seen:
    roll = current(situation.table, situation.conflict)
    assert roll is not None  # noqa: S101 -- it has been looked for
    return Seen(prospects.stands(situation, roll), list(prospects.of_roll(situation, roll)))


def _strained(situation: Situation, who: int, owed: Owed) -> Seen:
    """What an upgrade has cost: in which mixtures of consequences and stress it can be taken."""
    told = f"{situation.name(who)} has {owed.left} {owed.track} stress to take for {owed.upgrade}."
    choices: list[Choice] = []
    for worth, taken in [(0, {}), *prospects.borne(situation, who)]:
        left = owed.left - worth
        stress = {"tracks": (owed.track,), "amounts": (left,)} if left > 0 else {}
        command = c.Resist.model_validate({"who": who, **taken, **stress})
        events = tried(partial(resist, situation, command))
        if events is not None:
            marked = [one for one in events if isinstance(one, g.StressMarked)]
            boxes = [f"{one.track} {' '.join(map(str, one.boxes))}" for one in marked]
            choices.append(Choice(who, command, ", ".join(boxes) or "no stress"))
        if left <= 0:
            break
    return Seen([told], choices)


def _tales(situation: Situation) -> list[Choice]:
    return [
        Choice(tale.by, c.Narrate(who=tale.by, text=STORY), f"what becomes of {situation.name(tale.on)}")
        for tale in here(situation).tales
    ]


# --- what stands beside -----------------------------------------------------------------------------------


def _conceded(situation: Situation) -> Seen:
    """A concession on the table, and a border that is yet to be drawn anew."""
    told = [situation.choices(one) for one in pending(situation.table, situation.here) if not one.blocks]
    offer = situation.here.concession
    if offer is None:
        return Seen(told)
    told.append(f"{situation.name(offer.whose)} has offered to concede.")
    choices: list[Choice] = []
    able = actors(situation)
    standing = [[who for who in side if who in able] for side in situation.here.sides]
    for who in (side[0] for side in standing if side):
        for decide, command in _answers(who):
            events = tried(partial(decide, situation, command))
            if events is not None:
                over = any(isinstance(event, e.ConflictEnded) for event in events)
                choices.append(Choice(who, command, "the conflict is over" if over else "play goes on"))
    return Seen(told, choices)
