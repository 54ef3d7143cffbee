"""Compels: a fate point is held out for the trouble an aspect brings, and is taken or bought off."""

from __future__ import annotations

from journal.names import quoted
from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.commands import conceding
from journal.systems.edgerunner.commands.ahead import conclude, defences_of
from journal.systems.edgerunner.commands.meaning import aspect_near, called_apart
from journal.systems.edgerunner.commands.standing import here, ours, pay
from journal.systems.edgerunner.commands.taking import conflict_id
from journal.systems.edgerunner.rules import Role
from journal.systems.edgerunner.state import Aspect, Offer, shelf
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event

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
            conflict=conflict_id(situation),
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
        return conceding.accept(situation, command)
    if not _is_paid(situation, offer):
        giver = situation.name(shelf(situation.table).hand(offer.by))
        raise Refused(f"{giver} has no fate point left to give for it; to refuse it costs nothing.")
    taken = e.CompelAccepted(conflict=conflict_id(situation), who=offer.who, text=command.text)
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
        return conceding.refuse(situation, command)
    refused = e.CompelRefused(conflict=conflict_id(situation), who=offer.who, text=command.text)
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
