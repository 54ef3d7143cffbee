"""Commands on aspects (short phrases that describe a person, place or thing): place, invoke, compel.

Invoking an aspect helps or hinders a roll; compelling it offers a fate point for not acting.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec.structs import replace

from retold.game import GM, Event, Refused, Situation, possessive, quoted
from retold.game import commands as c
from retold.game import events as e
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands.conflicts import accept_concession, refuse_concession
from retold.games.edgerunner.commands.follow_ups import (
    ended_defences,
    shifts_set,
    situation_after,
    with_follow_ups,
)
from retold.games.edgerunner.commands.positions import (
    are_allies,
    aspect_meant,
    aspect_nearby,
    bearer_meant,
    check_not_out,
    current_conflict,
    distinct_name,
    is_elsewhere,
    name_of,
    new_wording,
    open_roll,
    pay_fate_points,
    without_other_game,
)
from retold.games.edgerunner.commands.rolls import skill_dice
from retold.games.edgerunner.commands.verbs import Invoke, PlaceAspect
from retold.games.edgerunner.rules import Act, Role
from retold.games.edgerunner.state import Action, Aspect, Finding, Offer, OpenRoll, game_state

MOST_VOICES: Final = 99
"""Most votes for or against a declaration."""


def place_aspect(situation: Situation, command: PlaceAspect) -> list[Event]:
    """Returns the events that put an aspect on a person or thing, or with `gone` remove it.

    Votes or dice in the command make it a declaration, which can fail. Raises Refused if the aspect is
    there already.
    """
    situation = without_other_game(situation)
    if command.thing == GM:
        raise Refused("The game master has no aspects: name the person or thing that it is on.")
    on = command.thing if isinstance(command.thing, int) else bearer_meant(situation, command.thing)
    if command.gone:
        return _removed(situation, command, on)
    line = f"aspect {quoted(name_of(situation, on))} Ankle-deep in oil"
    wording = new_wording(situation, on, command.aspect, line)
    if command.support is None and command.oppose is None and command.results is None:
        return [_placed(situation, command, on, wording)]
    return _declared(situation, command, on, wording)


def _placed(situation: Situation, command: PlaceAspect, on: int | str, wording: str) -> g.AspectPlaced:
    return g.AspectPlaced(
        conflict=situation.where,
        aspect=game_state(situation.table).next_aspect(situation.table, on),
        on=on,
        wording=wording,
        how="said",
        by=command.by,
        text=command.text,
    )


def _declared(situation: Situation, command: PlaceAspect, on: int | str, wording: str) -> list[Event]:
    """Returns the dice of a declaration and its result: the aspect placed at 0 shifts or more, or a failure.

    Shifts are dice plus votes for minus votes against.
    """
    support, oppose = command.support or 0, command.oppose or 0
    if not (0 <= support <= MOST_VOICES and 0 <= oppose <= MOST_VOICES):
        raise Refused(f"Say how many are for it and how many against: 0 to {MOST_VOICES} each.")
    rolled = skill_dice(situation, command.by)
    shifts = sum(rolled.faces) + support - oppose
    free = rules.free_invokes(shifts)
    if free is None:
        failed = g.DeclarationFailed(
            conflict=situation.where, on=on, wording=wording, shifts=shifts, text=command.text
        )
        return [rolled, failed]
    placed = _placed(situation, command, on, wording).but(
        {"how": "declaration", "shifts": shifts, "free": 0 if command.by is None else free}
    )
    return [rolled, placed]


# --- taking one away --------------------------------------------------------------------------------------


def _removed(situation: Situation, command: PlaceAspect, on: int | str) -> list[Event]:
    """Returns the event that removes an aspect; raises Refused for aspects on sheets, and consequences."""
    bearer = name_of(situation, on)
    aspects = [aspect for aspect in game_state(situation.table).aspects.values() if aspect.on == on]
    if not aspects:
        raise Refused(f"{bearer} has no aspect that could go.")
    aspect = aspect_meant(situation, command.aspect, aspects)
    if aspect.key is not None:
        raise Refused(
            f"“{aspect.wording}” is on {possessive(bearer)} sheet: cast {quoted(bearer)} {aspect.key}=none."
        )
    if aspect.severity is not None:
        raise Refused(f"“{aspect.wording}” is a consequence: clear {quoted(bearer)} {aspect.severity}.")
    return [
        g.AspectRemoved(
            conflict=situation.where,
            aspect=aspect.id,
            on=on,
            wording=aspect.wording,
            why="said",
            text=command.text,
        )
    ]


# --- what was found out -----------------------------------------------------------------------------------


def finding_meant(situation: Situation, who: int) -> Finding | None:
    """Returns the last assessment or declaration, if `who` made it or is its target; None otherwise.

    Also None while `who` takes part in the current Edgerunner conflict.
    """
    finding = game_state(situation.table).finding
    if finding is None or who not in (finding.who, *finding.targets):
        return None
    beside = without_other_game(situation).conflict is None or is_elsewhere(situation, who)
    return finding if beside else None


def set_finding(finding: Finding, shifts: int) -> g.FindingStands:
    """Returns the event that sets an assessment's or declaration's total to `shifts`, with its new result."""
    free = rules.free_invokes(shifts)
    return g.FindingStands(
        who=None if finding.who == GM else finding.who,
        how="assessment" if finding.assessed else "declaration",
        aspect=finding.aspect,
        on=finding.on,
        wording=finding.wording,
        shifts=shifts,
        free=0 if finding.alone else free or 0,
        there=finding.assessed or free is not None,
    )


# --- invokes ----------------------------------------------------------------------------------------------


def invoke(situation: Situation, command: Invoke) -> list[Event]:
    """Returns the events of invoking an aspect on the current roll: payment, and 2 shifts or new dice.

    The roller's side adds 2 or rerolls, the target's side subtracts 2; a target who is an ally does as
    `--more` or `--less` say. On an assessment or a declaration, which has no new dice, its result follows.
    Raises Refused for other people, for an aspect used in this roll, and if `who` has no fate point or free
    invoke to pay with.
    """
    who, finding = command.who, finding_meant(situation, command.who)
    _check_one_way(command)
    if finding is not None and command.reroll:
        raise Refused("An assessment or a declaration is not rolled again: an invoke adds 2 to it.")
    if finding is None:
        situation = without_other_game(situation, *_rolling_elsewhere(situation, who))
        roll = open_roll(situation)
        against = _is_against(situation, roll, command)
    else:
        situation, roll = replace(situation, conflict=None), finding
        against = command.less or (who != finding.who and command.more is not True)
    aspect = aspect_nearby(situation, command.aspect, (who, roll.who, *roll.targets))
    is_itself = finding is not None and aspect.id == finding.aspect and not finding.assessed
    if aspect.id in roll.used or is_itself:
        raise Refused(f"“{aspect.wording}” has been invoked on this roll already: each aspect is once.")
    mode: Literal["+2", "-2", "reroll"] = "reroll" if command.reroll else "-2" if against else "+2"
    invoked = g.AspectInvoked(
        conflict=situation.where,
        who=who,
        aspect=aspect.id,
        on=aspect.on,
        wording=aspect.wording,
        mode=mode,
        free=command.free,
        by=_lender(situation, roll, who, aspect) if command.free else None,
        finding=None if finding is None else True,
        text=command.text,
    )
    payee = roll.who if against else opponent(situation, roll)
    why = "ghost" if aspect.ghost else "invoke"
    paid = [] if command.free else pay_fate_points(situation, who, payee, why)
    events = [invoked, *paid, *_ghost_removed(situation, aspect)]
    if finding is not None:
        change = -rules.INVOKE if against else rules.INVOKE
        return [*events, set_finding(finding, finding.shifts + change)]
    dice = [skill_dice(situation, roll.who)] if command.reroll else []
    thrown = sum(dice[0].faces) if dice else None
    return [*events, *dice, shifts_set(situation_after(situation, events), thrown)]


def _rolling_elsewhere(situation: Situation, who: int) -> tuple[int, ...]:
    """Returns roller and targets of the last roll outside conflicts; empty if `who` is none of them."""
    roll = game_state(situation.table).roll
    return () if roll is None or who not in (roll.who, *roll.targets) else (roll.who, *roll.targets)


def _ghost_removed(situation: Situation, aspect: Aspect) -> list[Event]:
    """Returns the event that removes an invoked aspect of a ghost, usable once; empty for other aspects."""
    if not aspect.ghost:
        return []
    return [
        g.AspectRemoved(
            conflict=situation.where,
            aspect=aspect.id,
            on=aspect.on,
            wording=aspect.wording,
            why="used",
        )
    ]


# --- sides ------------------------------------------------------------------------------------------------


def opponent(situation: Situation, roll: OpenRoll) -> int:
    """Returns the person who receives fate points paid for the roller's side: its first opposing target.

    0, the referee, without one.
    """
    return next((person for person in roll.targets if not are_allies(situation, roll.who, person)), GM)


def _is_against(situation: Situation, roll: OpenRoll, command: Invoke) -> bool:
    """True if an invoke counts against the roll, as its target's; False if for it, as the roller's side's.

    An ally who is the target resists an attack, and any roll that they have resisted already; otherwise they
    help, unless the command says. The referee is against a roll outside conflicts without targets. Raises
    Refused for people of neither side, and for a flag that does not fit.
    """
    who = command.who
    check_not_out(situation, who)
    helps = are_allies(situation, who, roll.who)
    resists = who in roll.targets and who != roll.who
    if (command.less and helps and not resists) or (command.more is True and resists and not helps):
        target, way = ("no target", "2 more") if helps else ("the target", "2 less")
        raise Refused(
            f"{situation.name(who)} is {target} of {possessive(situation.name(roll.who))} roll, so an invoke"
            f" of theirs is {way}: invoke {situation.quoted(who)} {quoted(command.aspect)}."
        )
    if helps and resists and command.more != "unasked":
        attacked = isinstance(roll, Action) and roll.act is Act.ATTACK
        return command.less or (not command.more and (attacked or who in roll.resisters))
    if helps:
        return False
    if resists or (who == GM and situation.conflict is None and not roll.targets):
        return True
    target = f", and {situation.names(roll.targets)} against it" if roll.targets else ""
    raise Refused(f"It is {possessive(situation.name(roll.who))} roll: that side may invoke for it{target}.")


def _check_one_way(command: Invoke) -> None:
    if command.less and command.more:
        raise Refused("An invoke is 2 more or 2 less, and not both: take --more or --less away.")


# --- free invokes -----------------------------------------------------------------------------------------


def _lender(situation: Situation, roll: OpenRoll, who: int, aspect: Aspect) -> int | None:
    """Returns the person whose free invoke `who` uses; None if it is their own.

    Raises Refused if neither they nor a person who can lend one holds a free invoke of the aspect.
    """
    held = [holder for holder, free in aspect.free.items() if free]
    is_ally = isinstance(aspect.on, int) and are_allies(situation, who, aspect.on)
    if who in held or (None in held and not is_ally):
        return None
    lent = next(
        (lender for lender in held if lender is not None and _lends(situation, roll, who, lender)), None
    )
    if lent is None:
        raise Refused(
            f"{situation.name(who)} has no free invoke of “{aspect.wording}”: without --free it takes a"
            " fate point."
        )
    return lent


def _lends(situation: Situation, roll: OpenRoll, who: int, holder: int) -> bool:
    """True if `holder` may lend `who` a free invoke: in a conflict, to an ally.

    Outside conflicts, people who are neither roller nor target of the roll may.
    """
    if situation.conflict is not None:
        return are_allies(situation, who, holder)
    return holder not in (roll.who, *roll.targets)


# --- compels ----------------------------------------------------------------------------------------------


# --- offering ---------------------------------------------------------------------------------------------


def compel(situation: Situation, command: c.Compel) -> list[Event]:
    """Returns the event that offers a person a fate point for not acting, on the grounds of an aspect.

    The referee offers it, unless `by` names another person. Raises Refused in a conflict unless the
    person has announced an act and not rolled it.
    """
    situation = without_other_game(situation, command.who)
    who, by = command.who, GM if command.by is None else command.by
    _check_before_dice(situation, who)
    aspect = aspect_nearby(situation, command.aspect, (who,))
    if aspect.ghost:
        raise Refused(f"“{aspect.wording}” is a ghost's, and a ghost's aspects are not compelled.")
    _check_offer(situation, who, by, aspect)
    words_do = aspect.on == who or distinct_name(situation.table, aspect) == aspect.wording
    return [
        e.CompelOffered(
            conflict=situation.where,
            who=who,
            aspect=aspect.wording,
            which=None if words_do else aspect.id,
            by=by,
            text=command.text,
        )
    ]


def _check_before_dice(situation: Situation, who: int) -> None:
    """Raises Refused in a conflict unless `who` has announced the current act and not yet rolled it."""
    if situation.conflict is None:
        return
    name, act = situation.name(who), current_conflict(situation).act
    if act is None or act.who != who:
        raise Refused(
            f"{name} has announced no act that a compel could stop, and words alone announce none:"
            f" declare {quoted(name)} ACT comes first, such as declare {quoted(name)} simple: WHAT THEY DO."
        )
    if act.rolled:
        raise Refused(f"The dice are on the table: a compel comes before them, when {name} announces an act.")


def _check_offer(situation: Situation, who: int, by: int, aspect: Aspect) -> None:
    own = game_state(situation.table)
    hand, offers = own.hand(by), _offers(situation)
    if by == who or (hand != GM and hand == own.hand(who)):
        raise Refused("A person cannot compel themselves: leave out --by to make it the referee's offer.")
    if Offer(who, aspect.id, by) in offers:
        raise Refused(f"That is on the table already: {situation.name(who)} accepts or refuses it.")
    promised = sum(own.hand(offer.by) == hand for offer in offers)
    if hand != GM and own.held(hand) <= promised:
        raise Refused(f"{situation.name(hand)} has no fate point left to offer.")


def _offers(situation: Situation) -> list[Offer]:
    own = game_state(situation.table)
    return own.offers if situation.conflict is None else current_conflict(situation).offers


# --- answering --------------------------------------------------------------------------------------------


def accept(situation: Situation, command: c.Accept) -> list[Event]:
    """Returns the events of accepting a compel: its fate point and, in a conflict, the loss of act and turn.

    Without a compel, accepts the concession offered. Raises Refused if the fate point promised has been
    spent.
    """
    situation = _compelled(situation, command.who)
    offer = _offer_meant(situation, command.who, "accepts")
    if offer is None:
        return accept_concession(situation, command)
    if not _is_paid(situation, offer):
        giver = situation.name(game_state(situation.table).hand(offer.by))
        raise Refused(f"{giver} has no fate point left to give for it; to refuse it costs nothing.")
    taken = e.CompelAccepted(conflict=situation.where, who=offer.who, text=command.text)
    events = [taken, *pay_fate_points(situation, offer.by, offer.who, "accepted")]
    if situation.conflict is None:
        return events
    forfeited = g.ActionForfeited(conflict=situation.here.id, who=offer.who, why="compel")
    return with_follow_ups(situation, [*events, forfeited, *ended_defences(situation, by=offer.who)])


def refuse(situation: Situation, command: c.Refuse) -> list[Event]:
    """Returns the events of refusing a compel, with the fate point paid for it, or of refusing a concession.

    Raises Refused if they cannot pay.
    """
    situation = _compelled(situation, command.who)
    offer = _offer_meant(situation, command.who, "refuses")
    if offer is None:
        return refuse_concession(situation, command)
    refused = e.CompelRefused(conflict=situation.where, who=offer.who, text=command.text)
    if not _is_paid(situation, offer):
        return [refused]
    takers = _price(situation, offer)
    _check_can_pay(situation, offer.who, len(takers))
    paid = [
        payment
        for taker in dict.fromkeys(takers)
        for payment in pay_fate_points(situation, offer.who, taker, "refused", takers.count(taker))
    ]
    return [refused, *paid]


def _compelled(situation: Situation, who: int | None) -> Situation:
    """Returns the situation without its conflict, if `who` has a compel from outside conflicts to answer.

    The conflict stays if `who` takes part in it.
    """
    waiting = [offer.who for offer in game_state(situation.table).offers]
    return without_other_game(situation, who) if who in waiting else situation


def _offer_meant(situation: Situation, who: int | None, does: str) -> Offer | None:
    """Returns the first compel that `who` can answer; None if they answer a concession instead.

    Raises Refused if several people could be meant, or `who` is not compelled. `does` is the verb of the
    sentence, `accepts` or `refuses`.
    """
    offers = _answerable(situation)
    conceded = situation.conflict is not None and situation.here.concession is not None
    compelled = tuple(dict.fromkeys(offer.who for offer in offers))
    if who is None and (len(compelled) > 1 or (compelled and conceded)):
        also = ", and a concession besides" if conceded else ""
        raise Refused(f"Say who {does}: compels are on the table for {situation.names(compelled)}{also}.")
    if compelled and not conceded and who not in (None, *compelled):
        raise Refused(f"The compel on the table is for {situation.names(compelled)} to answer.")
    return next((offer for offer in offers if who in (None, offer.who)), None)


def _answerable(situation: Situation) -> list[Offer]:
    """Returns the compels that can be answered now; in a conflict, only of the current act's actor."""
    offers = _offers(situation)
    if situation.conflict is None:
        return offers
    act = current_conflict(situation).act
    return [] if act is None else [offer for offer in offers if offer.who == act.who]


def _is_paid(situation: Situation, offer: Offer) -> bool:
    """True if the person who offered a compel still has the fate point for it, or is the referee."""
    own, hand = game_state(situation.table), game_state(situation.table).hand(offer.by)
    return hand == GM or own.held(hand) > 0


def _price(situation: Situation, offer: Offer) -> tuple[int, ...]:
    """Returns the people paid for refusing a compel, one fate point each: who offered it.

    If the aspect comes from an enforcer's maneuver, the enforcer as well.
    """
    own = game_state(situation.table)
    aspect = own.aspects.get(offer.aspect)
    maker = None if aspect is None or not aspect.maneuvered else aspect.by
    is_law = maker is not None and own.sheet(maker).role == Role.ENFORCER
    return (offer.by, maker) if maker is not None and is_law else (offer.by,)


def _check_can_pay(situation: Situation, who: int, price: int) -> None:
    own = game_state(situation.table)
    hand, held = own.hand(who), own.held(own.hand(who))
    if hand == GM or held >= price:
        return
    if held < 1:
        raise Refused(
            f"{situation.name(hand)} has no fate point left, and must accept: accept {situation.quoted(who)}."
        )
    raise Refused(
        f"An enforcer's word takes {price} fate points to refuse, and {situation.name(hand)} has {held}:"
        f" accept {situation.quoted(who)}."
    )
