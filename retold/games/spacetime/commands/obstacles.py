"""Obstacles and challenges in Space·Time: cards drawn against them, and the costs these bring.

Each card drawn against an obstacle costs a Complication, a text to tell. A challenge is an obstacle with
cards of its own, met with one attribute.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NoReturn

from retold.game import (
    Event,
    Question,
    Refused,
    Situation,
    Table,
    Value,
    normalise,
    notes_and_speech,
    quoted,
    triumphs,
)
from retold.game import commands as c
from retold.games.spacetime import events as s
from retold.games.spacetime import rules
from retold.games.spacetime.commands.narration import check_not_over, played_by, side_of, speaker
from retold.games.spacetime.commands.rounds import (
    CurrentRound,
    Dealing,
    cards_in_words,
    check_single_card,
    orientations_named,
)
from retold.games.spacetime.commands.verbs import AddComplication, Stop
from retold.games.spacetime.options import NAME, chosen
from retold.games.spacetime.rules import Ended
from retold.games.spacetime.state import (
    Challenge,
    Mode,
    Owed,
    Round,
    beats_table,
    conflict_state,
    game_state,
    parties,
    token_holder,
)


def declare(situation: Situation, command: c.Declare) -> list[Event]:
    """Returns the event of `declare`: a party's tactic, once a round.

    In a challenge, the means and the one attribute used.
    """
    check_not_over(situation)
    now = CurrentRound.of(situation)
    left = [party for party in parties(situation.here) if party not in now.round.tactics]
    voice = speaker(situation, command.who, "states a tactic", left)
    state = conflict_state(situation.here)
    setup = command.setup
    if state.challenge is not None:
        setup = _attribute(situation, voice.who, state.challenge, setup)
    elif setup:
        raise Refused("A tactic takes no key=value: declare NAME: the tactic.")
    elif state.mode is Mode.CONFLICT and voice.party in now.round.tactics:
        name = situation.name(voice.party)
        raise Refused(f"{name} has stated a tactic this round: the next is stated after the flow.")
    declared = command.but({"who": voice.who, "setup": setup})
    return [*now.before, *notes_and_speech.declare(situation, declared)]


def _attribute(
    situation: Situation, who: int, challenge: Challenge, setup: Mapping[str, Value]
) -> dict[str, Value]:
    """Returns the declared attribute as suit and value, such as {"unknown": 4}.

    Raises Refused unless `setup` gives exactly one, of 1 to 5, and once cards are drawn.
    """
    name = situation.name(who)
    if challenge.begun:
        raise Refused(f"Cards are drawn already: {name} meets this challenge as declared.")
    attributes = {_suit(key): value for key, value in setup.items()}
    if len(attributes) != 1:
        raise Refused(f"Say the one attribute {name} uses: declare {quoted(name)} unknown=4: the means.")
    ((suit, value),) = attributes.items()
    if not str(value).isdecimal() or int(value) not in rules.ATTRIBUTES:
        raise Refused(f"An attribute is {rules.ATTRIBUTES[0]} to {rules.ATTRIBUTES[-1]}, not {value}.")
    return {suit.value: int(value)}


def _suit(typed: str) -> triumphs.Suit:
    word = normalise(typed)
    found = (
        [triumphs.Suit.BLADES]
        if word == "scissors"
        else [suit for suit in triumphs.Suit if suit.startswith(word)]
    )
    if len(found) != 1:
        raise Refused(f"{typed} is not an attribute: {', '.join(triumphs.Suit)}.")
    return found[0]


def check_tactics(situation: Situation, round_: Round) -> None:
    """Raises Refused if a party has stated no tactic this round, unless option `require_tactics` is off."""
    if not chosen.yes(situation.table, "require_tactics"):
        return
    missing = [party for party in parties(situation.here) if party not in round_.tactics]
    if missing:
        names = situation.names(missing)
        raise Refused(f"Tactics come before cards, and these have stated none this round: {names}.")


def read_sheet(key: str, value: str) -> NoReturn:
    """Raises Refused for every sheet key: Space·Time has no sheets; attributes belong to challenges."""
    raise Refused(f"Space·Time keeps no sheet, so no {key}={value}: declare NAME unknown=4: the means.")


def draw_at_cost(situation: Situation, command: c.Draw, now: CurrentRound) -> list[Event]:
    """Returns the events of cards drawn against an obstacle, one for each party or for the party named.

    Each card costs a Complication. Raises Refused if a tactic is missing, and for a number of cards above
    one.
    """
    acting = parties(situation.here)
    drawing = acting if command.who is None else (speaker(situation, command.who, "draws", acting).party,)
    check_tactics(situation, now.round)
    check_single_card(command)
    now = now.dealt_from(situation)
    dealing = Dealing(situation, now.pile, list(now.before), orientations_named(situation, command, 1))
    for party in drawing:
        several = situation.luck.called and len(drawing) == 1
        for _ in range(max(1, situation.luck.rest()) if several else 1):
            dealing.cards(party, 1, "obstacle")
    return dealing.events


def _nothing_owed_sentence(situation: Situation, who: int | None) -> str:
    """Returns a refusal's sentence: no Complication is left to narrate, or the person must be named."""
    left = [owed.people[0] for owed in game_state(situation.table).owed]
    if who is None and left:
        return f"Say who has the Complication: {situation.names(left)}."
    return "No Complication is owed: one comes with each card drawn against an obstacle."


def _owed_afterwards(situation: Situation, who: int | None) -> tuple[int, Owed] | None:
    """Returns (person, debt) for a person who must still narrate Complications of an ended conflict.

    None if no one must, if several could be meant, or if the open conflict's Complications come first.
    """
    here = situation.conflict
    if here is not None and here.system == NAME:
        party = None if who is None else here.side_of(played_by(situation, who))
        asked = parties(here) if who is None else () if party is None else (party,)
        if any(conflict_state(here).owed(owing) > 0 for owing in asked):
            return None
    table = situation.table
    left = [
        (person, owed)
        for owed in game_state(table).owed
        for person in owed.people
        if who in (None, person, token_holder(table, person))
    ]
    if not left or (who is None and len(game_state(table).owed) > 1):
        return None
    return left[0]


def leave_complications(situation: Situation, leaving: Iterable[int]) -> list[Event]:
    """Returns an event for each leaving party that must still narrate Complications (setbacks)."""
    here, state = situation.here, conflict_state(situation.here)
    return [
        s.ComplicationsLeft(conflict=here.id, people=here.side_with(party), number=state.owed(party))
        for party in leaving
        if state.owed(party) > 0
    ]


def waiting(table: Table) -> tuple[Question, ...]:
    """Returns a question, not stopping play, for each party with Complications from an ended conflict."""
    asked = (complications_in_words(table, owed.people[0], owed.number) for owed in game_state(table).owed)
    return tuple(Question("complications", sentence, (), None, blocks=False) for sentence in asked)


def complications_in_words(table: Table, party: int, owed: int) -> str:
    """Returns a sentence: "2 Complications are to be told of Ada (complication Ada: …)", as an example."""
    many = "1 Complication is" if owed == 1 else f"{owed} Complications are"
    name = table.name(party)
    return f"{many} to be told of {name} (complication {quoted(name)}: …)."


def add_complication(situation: Situation, command: AddComplication) -> list[Event]:
    """Returns the event of `complication`: a setback's text, for one card drawn against an obstacle.

    Works in the conflict or after it. Raises Refused if each card of that person has its Complication.
    """
    afterwards = _owed_afterwards(situation, command.who)
    if afterwards is not None:
        who, owed = afterwards
        return [s.ComplicationAdded(conflict=owed.conflict, who=who, text=command.text)]
    if situation.conflict is None or situation.conflict.system != NAME:
        raise Refused(_nothing_owed_sentence(situation, command.who))
    here, state = situation.here, conflict_state(situation.here)
    if state.obstacle is None:
        raise Refused("Complications come from cards drawn against an obstacle, and there is none here.")
    if state.mode is Mode.CHALLENGE:
        raise Refused("A challenge has a cost in place of Complications.")
    owing = [party for party in parties(here) if state.owed(party) > 0]
    acting = parties(here)
    who, party = speaker(situation, command.who, "has the Complication", owing or acting)
    if state.owed(party) < 1:
        cards = state.cards.get(party, 0)
        drawn = "1 card" if cards == 1 else f"{cards} cards"
        raise Refused(f"{situation.name(who)} has drawn {drawn} and has a Complication for each.")
    return [s.ComplicationAdded(conflict=here.id, who=who, text=command.text)]


def draw_against(situation: Situation, command: c.Draw) -> list[Event]:
    """Returns the events of `draw` in a challenge: first the challenge's cards, as many as its rank.

    Later draws are the player's. Raises Refused until an attribute is declared, and for the wrong drawer or
    number of cards.
    """
    here, state = situation.here, conflict_state(situation.here)
    challenge = _challenge(situation)
    (acting,) = parties(here)
    if challenge.attribute is None:
        name = situation.name(acting)
        raise Refused(
            f"Before cards {name} declares attribute and means: declare {quoted(name)} unknown=4: means."
        )
    now = CurrentRound.of(situation).dealt_from(situation)
    due = challenge.rank if challenge.laid is None else 1
    dealing = Dealing(situation, now.pile, list(now.before), orientations_named(situation, command, due))
    who = None if command.who is None else side_of(situation, command.who)
    if challenge.laid is None:
        if who == acting:
            name = situation.name(state.obstacle or 0)
            raise Refused(f"The challenge lays its {challenge.rank} cards first: draw {quoted(name)}.")
        _draw_for_challenge(dealing, state.obstacle or 0, acting, challenge, command.count)
        return dealing.events
    if who not in (None, acting):
        raise Refused(
            f"{situation.name(who or 0)} has laid its cards: it is {situation.name(acting)} who draws."
        )
    check_single_card(command)
    situation.nothing_pending(situation.here)
    _draw_for_player(dealing, acting, challenge, challenge.attribute)
    return dealing.events


def _draw_for_challenge(
    dealing: Dealing, obstacle: int, acting: int, challenge: Challenge, count: int | None
) -> None:
    """Draws the challenge's own cards, at most up to the Excuse; each reversed card raises its cost.

    Appends the events to `dealing`.
    """
    situation = dealing.situation
    if count not in (None, challenge.rank):
        raise Refused(f"The challenge's rank is {challenge.rank}: it lays as many cards.")
    turned: list[str] = []
    while len(turned) < challenge.rank and triumphs.EXCUSE not in map(triumphs.upright, turned):
        if situation.luck.called and not situation.luck.rest():
            given = len(turned)
            raise Refused(f"The challenge lays {challenge.rank} cards, and {cards_in_words(given)} given.")
        turned += dealing.cards(obstacle, 1, "challenge")
    if triumphs.Card.of(turned[-1]).is_excuse:
        dealing.discard_excuse(obstacle)
    raised = sum(triumphs.Card.of(card).reversed for card in rules.laid(turned, challenge.rank))
    if raised:
        cost = min(raised - (challenge.attribute or 0), rules.WIPE_OUT)
        dealing.events.append(s.CostRaised(conflict=situation.here.id, who=acting, by=raised, cost=cost))


def _draw_for_player(dealing: Dealing, acting: int, challenge: Challenge, attribute: int) -> None:
    """Draws the player's next card, or every card named, against a challenge.

    Appends the events to `dealing`; the result of the challenge too, if the Excuse or the cost stops the
    drawing.
    """
    situation = dealing.situation
    laid, drawn = challenge.laid or (), list(challenge.drawn)
    while True:
        drawn += dealing.cards(acting, 1, "challenge")
        meeting = rules.meet(attribute, laid, drawn, beats_table(situation.table))
        card = triumphs.Card.of(drawn[-1])
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
        dealing.events.append(meet_challenge(situation, acting, meeting, success=meeting.success))


def meet_challenge(
    situation: Situation, who: int, meeting: rules.Meeting, *, success: bool
) -> s.ChallengeMet:
    """Returns the event that ends a challenge in success or failure, with cost and effect of `meeting`."""
    return s.ChallengeMet(
        conflict=situation.here.id,
        who=who,
        outcome="success" if success else "failure",
        cost=meeting.cost,
        effect=meeting.effect,
    )


def stop(situation: Situation, command: Stop) -> list[Event]:
    """Returns the events of `stop`: the player draws no more, and the challenge ends in its current state.

    Its cost and effect so far are kept.
    """
    challenge = _challenge(situation)
    check_not_over(situation)
    situation.nothing_pending(situation.here)
    who, party = speaker(situation, command.who, "stops drawing", parties(situation.here))
    meeting = challenge.stands(beats_table(situation.table))
    if meeting is None or (challenge.rank and not challenge.drawn):
        name = situation.name(who)
        raise Refused(
            f"{name} has drawn nothing yet; to draw nothing at all is to refuse (refuse {quoted(name)})."
        )
    return [
        s.DrawingStopped(conflict=situation.here.id, who=who, why="choice", text=command.text),
        meet_challenge(situation, party, meeting, success=meeting.success),
    ]


def refuse(situation: Situation, command: c.Refuse) -> list[Event]:
    """Returns the events of `refuse`: the player draws no card, fails the challenge, gains a Sleeve card."""
    challenge = conflict_state(situation.here).challenge
    if challenge is None:
        raise Refused("Nothing is offered here; what can be refused is drawing against a challenge.")
    check_not_over(situation)
    who, party = speaker(situation, command.who, "refuses to draw", parties(situation.here))
    if challenge.drawn:
        name = situation.name(who)
        raise Refused(f"{name} has drawn already; to draw no more is to stop (stop {quoted(name)}).")
    total = game_state(situation.table).sleeve.get(who, 0) + rules.DECLINED.sleeve
    return [
        s.DrawRefused(conflict=situation.here.id, who=who, text=command.text),
        meet_challenge(situation, party, rules.DECLINED, success=False),
        s.SleeveGained(conflict=situation.here.id, who=who, total=total),
    ]


def _challenge(situation: Situation) -> Challenge:
    challenge = conflict_state(situation.here).challenge
    if challenge is None:
        raise Refused("There is no challenge here to stop drawing against (mode=challenge).")
    return challenge
