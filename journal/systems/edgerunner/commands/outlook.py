"""What may be done now: whose turn it is, what a compel comes to, and who or what is waited for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from journal.capabilities import Choice, Outlook
from journal.names import owning, quoted
from journal.refused import Refused, tried
from journal.shared.rulings import answering
from journal.system import Decision, Situation, choices
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands import verbs as v
from journal.systems.edgerunner.commands.announcing import continue_
from journal.systems.edgerunner.commands.applying import resist
from journal.systems.edgerunner.commands.deeds import deeds
from journal.systems.edgerunner.commands.fate_points import accept, compel, refuse
from journal.systems.edgerunner.commands.meaning import called_apart
from journal.systems.edgerunner.commands.moving import free_moves, moves, paths
from journal.systems.edgerunner.commands.prospects import borne, counted, how_it_stands, of_roll
from journal.systems.edgerunner.commands.rulings import pending
from journal.systems.edgerunner.commands.standing import here
from journal.systems.edgerunner.commands.turns import deed, turn_for
from journal.systems.edgerunner.options import CALLER
from journal.systems.edgerunner.rules import Act, Role
from journal.systems.edgerunner.state import Action, Aspect, Offer, Owed, current, shelf, yet_to_act
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Command, Event, Question
from journal.words import YET_TO_FIND

THRESHOLDS: Final = range(1, 10)
"""What is offered for a border that nobody has given a threshold; a ruling may name any number."""


def outlook(situation: Situation) -> Outlook | None:
    """What may be said now, with what it would come to; None outside conflicts where nothing is open."""
    if situation.conflict is None:
        return _at_rest(situation)
    seen = _in_play(situation)
    return seen._replace(conflict=situation.here.id, stands=(*seen.stands, *_out(situation)))


def _out(situation: Situation) -> Iterator[str]:
    """Who is taken out."""
    out = here(situation).fallen()
    if out:
        yield f"Out: {situation.names(out)}."


def _at_rest(situation: Situation) -> Outlook | None:
    own = shelf(situation.table)
    if own.offers:
        return _offered(situation, own.offers[0])
    for who, owed in own.owed.items():
        return _strained(situation, who, owed)
    roll = own.roll
    return None if roll is None or not roll.rolled else _rolled(situation)


def _in_play(situation: Situation) -> Outlook:
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
        answers = [*answering(asked[0]), *_thresholds(asked[0]), *_tales(situation)]
        return Outlook(None, (choices(situation.table, asked[0]),), tuple(answers))
    if act is None:
        between = _between(situation)
        return between._replace(choices=(*between.choices, *_tales(situation)))
    return _rolled(situation) if act.rolled else _announced(situation, act)


# --- whose turn it is -------------------------------------------------------------------------------------


def _between(situation: Situation) -> Outlook:
    """Nobody's act is on the table: who may act, from where, and what needs no roll."""
    state = here(situation)
    if not state.exchange:
        begins = Choice(GM, v.BeginExchange(length=rules.TIME[1]), "everybody acts once in it")
        told = (f"No exchange has begun: exchange {rules.TIME[1]}.", *_nowhere(situation))
        return Outlook(None, told, (begins, *_placings(situation)))
    waiting = yet_to_act(situation.table, situation.here)
    able = [who for who in waiting if tried(partial(turn_for, situation, who)) is not None]
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
    """Who asks whose turn is next, where the conflict names somebody."""
    caller = situation.here.setup.get(CALLER)
    if isinstance(caller, int) and here(situation).turn is None:
        yield f"{situation.name(caller)} calls who is next."


def _claims(situation: Situation, able: Sequence[int]) -> list[Choice]:
    """Naming who is next, while nobody is up."""
    if here(situation).turn is not None:
        return []
    return [Choice(who, v.ClaimTurn(who=who), "the turn is theirs") for who in able]


def _skilled(situation: Situation, who: int) -> Iterator[str]:
    """The skills that an act of somebody's may be made with."""
    skills = shelf(situation.table).sheet(who).skills
    if skills:
        known = ", ".join(f"{skill} {level}" for skill, level in skills.items())
        whose = owning(situation.name(who))
        yield f"An act of {whose} may be made with {known}: … with {next(iter(skills))}."


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
        yield (
            f"Nobody has said where {situation.names(left)} {verb}:"
            f" place {quoted(situation.name(left[0]))} ZONE."
        )


def _placings(situation: Situation) -> Iterator[Choice]:
    """A zone for everybody who has no place on the map."""
    state = here(situation)
    for who in situation.here.people:
        for zone in state.zones if who not in (*state.places, GM) else ():
            yield Choice(who, v.Place(who=(who,), zone=zone), "where they stand")


def _place(situation: Situation, who: int) -> Iterator[str]:
    """Where somebody stands, and how far from everybody else on the map."""
    state = here(situation)
    if who in state.places:
        away = [(other, state.range(who, other)) for other in state.places if other not in (who, *state.out)]
        borders = [f"{situation.name(other)} {far}" for other, far in away if far is not None]
        told = f"; borders to others: {', '.join(borders)}" if borders else ""
        yield f"{situation.name(who)} is in {state.places[who]}{told}."


def _acts(situation: Situation, who: int) -> Iterator[Choice]:
    """What somebody's turn could hold: going on, moves and what they would take, and every other act."""
    yield from _going_on(situation, who)
    yield from free_moves(situation, who)
    yield from moves(situation, who)
    yield from deeds(situation, who)


def _going_on(situation: Situation, who: int) -> Iterator[Choice]:
    """What was done in the last exchange once more; a move also over every way from where it has led."""
    last = here(situation).last.get(who)
    if last is None:
        return
    ways: list[tuple[str, ...]] = [()]
    if last.act is Act.MOVE:
        mover = (last.targets or (who,))[0]
        ways += [path.zones for path in paths(here(situation), mover)]
    for zones in ways:
        going_on = v.Continue(who=who, zones=zones)
        for event in tried(partial(continue_, situation, going_on)) or ():
            if isinstance(event, g.ShiftsSet):
                stands = f"{deed(situation, last)}, {counted(event.shifts)}"
                yield Choice(who, going_on, stands, event.shifts)


# --- announced, compelled ---------------------------------------------------------------------------------


def _announced(situation: Situation, act: Action) -> Outlook:
    """Before the dice: who may be compelled by what, and who may interrupt."""
    who = act.who
    if act.act is Act.SIMPLE:
        return Outlook(
            None, (f"{deed(situation, act)} takes no dice.",), (Choice(who, v.Apply(), "it is done"),)
        )
    told = [f"{deed(situation, act)} is announced; compels come before the dice.", *_purse(situation, who)]
    solos = [one for one in yet_to_act(situation.table, situation.here) if _may_interrupt(situation, one)]
    if solos:
        told.append(f"{situation.names(solos)} may interrupt with an act of their own (--interrupt).")
    rolls = Choice(who, v.Roll(who=who), "the dice")
    lets_go = Choice(who, v.Forfeit(who=who), "the turn is over")
    return Outlook(None, tuple(told), (rolls, *_compels(situation, who), lets_go))


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
    for wording in [
        called_apart(situation.table, one) for one in sorted(near, key=lambda one: one.on != who)
    ]:
        command = c.Compel(who=who, aspect=wording, text=YET_TO_FIND)
        if tried(partial(compel, situation, command)) is not None:
            yield Choice(GM, command, "a fate point, and no act; or a fate point to refuse")


def _is_here(situation: Situation, aspect: Aspect) -> bool:
    if isinstance(aspect.on, str):
        return shelf(situation.table).stays(aspect, here(situation).named)
    return aspect.on in (*situation.here.people, *here(situation).places)


def _offered(situation: Situation, offer: Offer) -> Outlook:
    """A compel is on the table: what to take it brings, and what to refuse it costs."""
    aspect = shelf(situation.table).aspects.get(offer.aspect)
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
    roll = current(situation.table, situation.conflict)
    assert roll is not None  # noqa: S101 -- it has been looked for
    return Outlook(None, tuple(how_it_stands(situation, roll)), tuple(of_roll(situation, roll)))


def _strained(situation: Situation, who: int, owed: Owed) -> Outlook:
    """What an upgrade has cost: in which mixtures of consequences and stress it can be taken."""
    told = f"{situation.name(who)} has {owed.left} {owed.track} stress to take for {owed.upgrade}."
    choices: list[Choice] = []
    for worth, taken in [(0, {}), *borne(situation, who)]:
        left = owed.left - worth
        stress = {"tracks": (owed.track,), "amounts": (left,)} if left > 0 else {}
        command = v.Resist.of({"who": who, **taken, **stress})
        events = tried(partial(resist, situation, command))
        if events is not None:
            marked = [one for one in events if isinstance(one, g.StressMarked)]
            boxes = [f"{one.track} {' '.join(map(str, one.boxes))}" for one in marked]
            choices.append(Choice(who, command, ", ".join(boxes) or "no stress"))
        if left <= 0:
            break
    return Outlook(None, (told,), tuple(choices))


def _thresholds(asked: Question) -> Iterator[Choice]:
    """What a border could take that is attacked before anybody has said so."""
    for value in THRESHOLDS if asked.name == "threshold" else ():
        settings = (e.Setting(person=None, what="threshold", op="=", value=value),)
        yield Choice(GM, c.Rule(sets=settings, text=YET_TO_FIND), "what the border can take")


def _tales(situation: Situation) -> Iterator[Choice]:
    for tale in here(situation).tales:
        told = f"what becomes of {situation.name(tale.on)}"
        yield Choice(tale.by, c.Narrate(who=tale.by, text=YET_TO_FIND), told)
