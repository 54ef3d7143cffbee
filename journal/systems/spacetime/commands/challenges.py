"""Drawing against a challenge of a rank: its cost, its effect, and how it comes out."""

from __future__ import annotations

from journal.decks import spacetime
from journal.decks.spacetime import EXCUSE, Card
from journal.names import quoted
from journal.refused import Refused
from journal.system import Situation
from journal.systems.spacetime import events as s
from journal.systems.spacetime import rules
from journal.systems.spacetime.commands.dealing import Dealing, cards_were, one_at_a_time, said_to_lie
from journal.systems.spacetime.commands.rounds import Now
from journal.systems.spacetime.commands.speaking import not_over, side_of, speaker
from journal.systems.spacetime.commands.verbs import Stop
from journal.systems.spacetime.rules import Ended
from journal.systems.spacetime.state import Challenge, beats_table, parties, play, shelf
from journal.vocabulary import commands as c
from journal.vocabulary.base import Event


def draw_against(situation: Situation, command: c.Draw) -> list[Event]:
    """First the challenge's own cards, as many as its rank; then one of the player's at a time."""
    here, state = situation.here, play(situation.here)
    challenge = _challenge(situation)
    (acting,) = parties(here)
    if challenge.attribute is None:
        name = situation.name(acting)
        raise Refused(
            f"Before cards {name} declares attribute and means: declare {quoted(name)} unknown=4: means."
        )
    now = Now.of(situation).dealt_from(situation)
    due = challenge.rank if challenge.laid is None else 1
    dealing = Dealing(situation, now.pile, list(now.before), said_to_lie(situation, command, due))
    who = None if command.who is None else side_of(situation, command.who)
    if challenge.laid is None:
        if who == acting:
            name = situation.name(state.obstacle or 0)
            raise Refused(f"The challenge lays its {challenge.rank} cards first: draw {quoted(name)}.")
        _lay(dealing, state.obstacle or 0, acting, challenge, command.count)
        return dealing.events
    if who not in (None, acting):
        raise Refused(
            f"{situation.name(who or 0)} has laid its cards: it is {situation.name(acting)} who draws."
        )
    one_at_a_time(command)
    situation.nothing_pending(situation.here)
    _meet(dealing, acting, challenge, challenge.attribute)
    return dealing.events


def _lay(dealing: Dealing, obstacle: int, acting: int, challenge: Challenge, count: int | None) -> None:
    """The challenge's cards, up to the Excuse, and what those reversed make the cost."""
    situation = dealing.situation
    if count not in (None, challenge.rank):
        raise Refused(f"The challenge's rank is {challenge.rank}: it lays as many cards.")
    turned: list[str] = []
    while len(turned) < challenge.rank and EXCUSE not in map(spacetime.upright, turned):
        if situation.luck.called and not situation.luck.rest():
            given = len(turned)
            raise Refused(f"The challenge lays {challenge.rank} cards, and {cards_were(given)} given.")
        turned += dealing.cards(obstacle, 1, "challenge")
    if Card.of(turned[-1]).is_excuse:
        dealing.discard_excuse(obstacle)
    raised = sum(Card.of(card).reversed for card in rules.laid(turned, challenge.rank))
    if raised:
        cost = min(raised - (challenge.attribute or 0), rules.WIPE_OUT)
        dealing.events.append(s.CostRaised(conflict=situation.here.id, who=acting, by=raised, cost=cost))


def _meet(dealing: Dealing, acting: int, challenge: Challenge, attribute: int) -> None:
    """The player's next card, or all those called out, until the challenge stops them."""
    situation = dealing.situation
    laid, drawn = challenge.laid or (), list(challenge.drawn)
    while True:
        drawn += dealing.cards(acting, 1, "challenge")
        meeting = rules.meet(attribute, laid, drawn, beats_table(situation.table))
        card = Card.of(drawn[-1])
        if card.reversed and not card.is_excuse:
            dealing.events.append(
                s.CostRaised(conflict=situation.here.id, who=acting, by=1, cost=meeting.cost)
            )
        if meeting.ended is not None:
            break
        if not situation.luck.rest():
            return
    if situation.luck.rest():
        why = "the Excuse" if card.is_excuse else "a wipe-out"
        raise Refused(f"{drawn[-1]} is {why} and stops the drawing: no card comes after it.")
    if card.is_excuse:
        dealing.discard_excuse(acting)
    dealing.events.append(s.DrawingStopped(conflict=situation.here.id, who=acting, why=meeting.ended.value))
    if not (meeting.ended is Ended.WIPE_OUT and meeting.success):
        dealing.events.append(challenge_met(situation, acting, meeting, success=meeting.success))


def challenge_met(situation: Situation, who: int, meeting: rules.Meeting, *, success: bool) -> s.ChallengeMet:
    """The challenge comes out, at the cost and with the effect it has."""
    return s.ChallengeMet(
        conflict=situation.here.id,
        who=who,
        outcome="success" if success else "failure",
        cost=meeting.cost,
        effect=meeting.effect,
    )


def stop(situation: Situation, command: Stop) -> list[Event]:
    """The player draws no more, and the challenge comes out as it stands."""
    challenge = _challenge(situation)
    not_over(situation)
    situation.nothing_pending(situation.here)
    who, party = speaker(situation, command.who, "stops drawing", parties(situation.here))
    meeting = challenge.stands(beats_table(situation.table))
    if meeting is None or (challenge.rank and not challenge.drawn):
        name = situation.name(who)
        raise Refused(f"{name} has drawn nothing: not to draw at all is to refuse (refuse {quoted(name)}).")
    return [
        s.DrawingStopped(conflict=situation.here.id, who=who, why="choice", text=command.text),
        challenge_met(situation, party, meeting, success=meeting.success),
    ]


def refuse(situation: Situation, command: c.Refuse) -> list[Event]:
    """The player will not draw: the challenge fails at no cost, and they gain a Sleeve card."""
    challenge = play(situation.here).challenge
    if challenge is None:
        raise Refused("Nothing is offered here; what can be refused is drawing against a challenge.")
    not_over(situation)
    who, party = speaker(situation, command.who, "refuses to draw", parties(situation.here))
    if challenge.drawn:
        name = situation.name(who)
        raise Refused(f"{name} has drawn already: no more cards is to stop (stop {quoted(name)}).")
    total = shelf(situation.table).sleeve.get(who, 0) + rules.DECLINED.sleeve
    return [
        s.DrawRefused(conflict=situation.here.id, who=who, text=command.text),
        challenge_met(situation, party, rules.DECLINED, success=False),
        s.SleeveGained(conflict=situation.here.id, who=who, total=total),
    ]


def _challenge(situation: Situation) -> Challenge:
    challenge = play(situation.here).challenge
    if challenge is None:
        raise Refused("There is no challenge here to stop drawing against (mode=challenge).")
    return challenge
