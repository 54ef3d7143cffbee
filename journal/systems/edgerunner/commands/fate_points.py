"""Fate points at work: an aspect is invoked on a roll, or compels somebody who has announced an act."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from journal.names import owning, quoted
from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.ahead import after, conclude, defences_of, shifts_set
from journal.systems.edgerunner.commands.aspects import finding_meant, finding_stands
from journal.systems.edgerunner.commands.ending import accept_concession, refuse_concession
from journal.systems.edgerunner.commands.meaning import aspect_near, called_apart, open_roll
from journal.systems.edgerunner.commands.outside import thrown
from journal.systems.edgerunner.commands.standing import actor, here, ours, pay, together
from journal.systems.edgerunner.commands.verbs import Invoke
from journal.systems.edgerunner.rules import Role
from journal.systems.edgerunner.state import Aspect, Finding, Offer, OpenRoll, shelf
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event

# --- invokes ----------------------------------------------------------------------------------------------


def invoke(situation: Situation, command: Invoke) -> list[Event]:
    """The acting side adds 2 or throws again; whoever is the target takes 2 off, or has it thrown again."""
    finding = finding_meant(situation, command.who)
    if finding is not None:
        return _on_a_finding(replace(situation, conflict=None), finding, command)
    situation = ours(situation, *_rolling_elsewhere(situation, command.who))
    roll, who = open_roll(situation), command.who
    against = _is_against(situation, roll, who)
    aspect = aspect_near(situation, command.aspect, (roll.who, *roll.targets))
    if aspect.id in roll.used:
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
        text=command.text,
    )
    payee = roll.who if against else opponent(situation, roll)
    paid = [] if command.free else pay(situation, who, payee, "ghost" if aspect.ghost else "invoke")
    events = [invoked, *paid, *_laid_to_rest(situation, aspect)]
    if not command.reroll:
        return [*events, shifts_set(after(situation, events))]
    dice = thrown(situation, roll.who)
    return [*events, dice, shifts_set(after(situation, events), rules.rolled(dice.faces))]


def _on_a_finding(situation: Situation, finding: Finding, command: Invoke) -> list[Event]:
    """2 more for whoever looks or declares, 2 less for whoever is looked over; and what that makes of it."""
    who = command.who
    if command.reroll:
        raise Refused("The dice of an assessment or a declaration lie no more: an invoke adds 2 to it.")
    against = who != finding.who
    aspect = aspect_near(situation, command.aspect, (who, *finding.targets))
    if aspect.id in finding.used or (aspect.id == finding.aspect and not finding.assessed):
        raise Refused(f"“{aspect.wording}” has been invoked on this roll already: each aspect is once.")
    invoked = g.AspectInvoked(
        who=who,
        aspect=aspect.id,
        on=aspect.on,
        wording=aspect.wording,
        mode="-2" if against else "+2",
        free=command.free,
        by=_lender(situation, finding, who, aspect) if command.free else None,
        finding=True,
        text=command.text,
    )
    payee = finding.who if against else next(iter(finding.targets), GM)
    paid = [] if command.free else pay(situation, who, payee, "ghost" if aspect.ghost else "invoke")
    shifts = finding.shifts - rules.INVOKE if against else finding.shifts + rules.INVOKE
    return [invoked, *paid, *_laid_to_rest(situation, aspect), finding_stands(finding, shifts)]


def _rolling_elsewhere(situation: Situation, who: int) -> tuple[int, ...]:
    """Whoever has a part in the last roll outside the exchanges, if `who` is one of them."""
    roll = shelf(situation.table).roll
    return () if roll is None or who not in (roll.who, *roll.targets) else (roll.who, *roll.targets)


def _laid_to_rest(situation: Situation, aspect: Aspect) -> list[Event]:
    """A ghost's aspect serves once."""
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


# --- whose side somebody is on ----------------------------------------------------------------------------


def opponent(situation: Situation, roll: OpenRoll) -> int:
    """Whom the fate points of the acting side go to: a target of the other side, else the referee."""
    return next((one for one in roll.targets if not together(situation, roll.who, one)), GM)


def _is_against(situation: Situation, roll: OpenRoll, who: int) -> bool:
    """True if somebody invokes as the target of a roll, False as one of its own side; Refused for others."""
    if situation.conflict is not None and who in situation.here.people:
        actor(situation, who)
    if together(situation, who, roll.who):
        return False
    if who in roll.targets or (who == GM and situation.conflict is None and not roll.targets):
        return True
    target = f", and {situation.names(roll.targets)} against it" if roll.targets else ""
    raise Refused(f"It is {owning(situation.name(roll.who))} roll: that side may invoke for it{target}.")


# --- free invokes -----------------------------------------------------------------------------------------


def _lender(situation: Situation, roll: OpenRoll, who: int, aspect: Aspect) -> int | None:
    """Whose free invoke somebody uses, None if nobody lends it; Refused where there is none for them."""
    held = [holder for holder, free in aspect.free.items() if free]
    if who in held or (None in held and _is_foe(situation, who, aspect)):
        return None
    lent = next((one for one in held if one is not None and _lends(situation, roll, who, one)), None)
    if lent is None:
        raise Refused(
            f"{situation.name(who)} has no free invoke of “{aspect.wording}”: without --free it takes a"
            " fate point."
        )
    return lent


def _is_foe(situation: Situation, who: int, aspect: Aspect) -> bool:
    return not (isinstance(aspect.on, int) and together(situation, who, aspect.on))


def _lends(situation: Situation, roll: OpenRoll, who: int, holder: int) -> bool:
    """Anybody of one's side lends their free invokes; outside conflicts, whoever has no part in the roll."""
    if situation.conflict is not None:
        return together(situation, who, holder)
    return holder not in (roll.who, *roll.targets)


# --- compels ----------------------------------------------------------------------------------------------


# --- offering ---------------------------------------------------------------------------------------------


def compel(situation: Situation, command: c.Compel) -> list[Event]:
    """Somebody, the referee if nobody else is named, offers a fate point for another story."""
    situation = ours(situation, command.who)
    who, by = command.who, GM if command.by is None else command.by
    _in_time(situation, who)
    aspect = aspect_near(situation, command.aspect, (who,))
    if aspect.ghost:
        raise Refused(f"“{aspect.wording}” is a ghost's, and a ghost's aspects are not compelled.")
    _can_offer(situation, who, by, aspect)
    words_do = aspect.on == who or called_apart(situation.table, aspect) == aspect.wording
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


def _in_time(situation: Situation, who: int) -> None:
    """In a conflict a compel comes between the announcement of an act and its dice."""
    if situation.conflict is None:
        return
    name, act = situation.name(who), here(situation).act
    if act is None or act.who != who:
        raise Refused(
            f"{name} has announced nothing a compel could stop: declare {quoted(name)} ACT comes first."
        )
    if act.rolled:
        raise Refused(f"The dice are on the table: a compel comes before them, when {name} announces an act.")


def _can_offer(situation: Situation, who: int, by: int, aspect: Aspect) -> None:
    own = shelf(situation.table)
    hand, offers = own.hand(by), _offers(situation)
    if by == who or (hand != GM and hand == own.hand(who)):
        raise Refused("Nobody compels themselves: leave out --by, and it is the referee's offer.")
    if Offer(who, aspect.id, by) in offers:
        raise Refused(f"That is on the table already: {situation.name(who)} accepts or refuses it.")
    promised = sum(own.hand(offer.by) == hand for offer in offers)
    if hand != GM and own.held(hand) <= promised:
        raise Refused(f"{situation.name(hand)} has no fate point left to offer.")


def _offers(situation: Situation) -> list[Offer]:
    own = shelf(situation.table)
    return own.offers if situation.conflict is None else here(situation).offers


# --- answering --------------------------------------------------------------------------------------------


def accept(situation: Situation, command: c.Accept) -> list[Event]:
    """The story of a compel is true, for a fate point; else a concession is accepted.

    In a conflict all that comes of a compel is that the turn is over.
    """
    situation = _compelled(situation, command.who)
    offer = _offer_meant(situation, command.who, "accepts")
    if offer is None:
        return accept_concession(situation, command)
    if not _is_paid(situation, offer):
        giver = situation.name(shelf(situation.table).hand(offer.by))
        raise Refused(f"{giver} has no fate point left to give for it; to refuse it costs nothing.")
    taken = e.CompelAccepted(conflict=situation.where, who=offer.who, text=command.text)
    events = [taken, *pay(situation, offer.by, offer.who, "accepted")]
    if situation.conflict is None:
        return events
    forfeited = g.ActionForfeited(conflict=situation.here.id, who=offer.who, why="compel")
    return conclude(situation, [*events, forfeited, *defences_of(situation, offer.who)])


def refuse(situation: Situation, command: c.Refuse) -> list[Event]:
    """A compel is bought off with a fate point of one's own; else a concession is refused."""
    situation = _compelled(situation, command.who)
    offer = _offer_meant(situation, command.who, "refuses")
    if offer is None:
        return refuse_concession(situation, command)
    refused = e.CompelRefused(conflict=situation.where, who=offer.who, text=command.text)
    if not _is_paid(situation, offer):
        return [refused]
    takers = _price(situation, offer)
    _can_refuse(situation, offer.who, len(takers))
    paid = [
        payment
        for taker in dict.fromkeys(takers)
        for payment in pay(situation, offer.who, taker, "refused", takers.count(taker))
    ]
    return [refused, *paid]


def _compelled(situation: Situation, who: int | None) -> Situation:
    """The situation somebody answers a compel in: outside conflicts where they were compelled there."""
    waiting = [offer.who for offer in shelf(situation.table).offers]
    return ours(situation, who) if who in waiting else situation


def _offer_meant(situation: Situation, who: int | None, does: str) -> Offer | None:
    """The compel that is answered, the first of those for `who`; None where a concession must be meant."""
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
    """The compels that wait for an answer now; what an interruption holds up waits with its act."""
    offers = _offers(situation)
    if situation.conflict is None:
        return offers
    act = here(situation).act
    return [] if act is None else [offer for offer in offers if offer.who == act.who]


def _is_paid(situation: Situation, offer: Offer) -> bool:
    """False if whoever offers a fate point has spent it since."""
    own = shelf(situation.table)
    hand = own.hand(offer.by)
    return hand == GM or own.held(hand) > 0


def _price(situation: Situation, offer: Offer) -> tuple[int, ...]:
    """Who gets a fate point each for a refusal; against an enforcer's maneuver it takes a second, theirs."""
    own = shelf(situation.table)
    aspect = own.aspects.get(offer.aspect)
    if aspect is None or aspect.by is None or not aspect.maneuvered:
        return (offer.by,)
    return (offer.by, aspect.by) if own.sheet(aspect.by).role == Role.ENFORCER else (offer.by,)


def _can_refuse(situation: Situation, who: int, price: int) -> None:
    own = shelf(situation.table)
    hand = own.hand(who)
    held = own.held(hand)
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
