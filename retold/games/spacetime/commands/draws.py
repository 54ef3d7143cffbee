"""Commands `draw` and `shuffle` of Space·Time; the last cards of a round resolve its flow.

The flow is how a round's cards move the Balance, a scale from balanced to victory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import asdict

from retold.game import Event, OpenConflict, Refused, Situation, Words, possessive, quoted, triumphs
from retold.game import commands as c
from retold.game import events as e
from retold.games.spacetime import events as s
from retold.games.spacetime import rules
from retold.games.spacetime.commands.narration import check_not_over, side_of
from retold.games.spacetime.commands.obstacles import check_tactics, declare, draw_against, draw_at_cost
from retold.games.spacetime.commands.rounds import (
    CurrentRound,
    Dealing,
    balance_in_words,
    cards_in_words,
    orientations_named,
    shuffle_deck,
)
from retold.games.spacetime.options import NAME, chosen
from retold.games.spacetime.rules import Balance, Level, MultiParty
from retold.games.spacetime.state import (
    Mode,
    Round,
    beats_table,
    conflict_state,
    copied_pile,
    has_cards_on_table,
    parties,
)


def draw(situation: Situation, command: c.Draw) -> list[Event]:
    """Returns the events of `draw`: cards for the named party, or for every party that has not drawn.

    The last cards of a round move the Balance. A text becomes the party's tactic.
    """
    check_not_over(situation)
    if command.text is not None:
        return _declare_and_draw(situation, command, command.text)
    match conflict_state(situation.here).mode:
        case Mode.CONFLICT:
            return _draw_round(situation, command, CurrentRound.of(situation))
        case Mode.DRAW_UNTIL_SUCCESS:
            return draw_at_cost(situation, command, CurrentRound.of(situation))
        case Mode.CHALLENGE:
            return draw_against(situation, command)


def _declare_and_draw(situation: Situation, command: c.Draw, text: Words) -> list[Event]:
    """Returns the draw's text as a tactic of its party, followed by the cards drawn."""
    if command.who is None:
        raise Refused("A text on a draw is one party's tactic: draw NAME: the tactic.")
    if conflict_state(situation.here).mode is Mode.CHALLENGE:
        raise Refused("Declare the means first, with an attribute: declare NAME unknown=4: the means.")
    declared = declare(situation, c.Declare(who=command.who, text=text))
    tactic = declared[-1]
    assert isinstance(tactic, e.Declared)  # noqa: S101 -- it is what declare ends with
    now = CurrentRound.of(situation).stated(tactic, side_of(situation, tactic.who))
    if conflict_state(situation.here).mode is Mode.DRAW_UNTIL_SUCCESS:
        return draw_at_cost(situation, command, now)
    return _draw_round(situation, command, now)


def _draw_round(situation: Situation, command: c.Draw, now: CurrentRound) -> list[Event]:
    here, state = situation.here, conflict_state(situation.here)
    who = None if command.who is None else side_of(situation, command.who)
    owes = state.round.flow is not None and state.round.owes == who
    if who is not None and owes and command.text is None:
        return _draw_replacement(situation, command, who)
    left = [party for party in here.leads if party not in now.round.hands]
    if who is not None and who not in left:
        raise Refused(f"{situation.name(who)} has drawn already this round.")
    check_tactics(situation, now.round)
    _check_excuse_replaced(situation, command)
    now = now.dealt_from(situation)
    drawing = left if who is None else [who]
    _check_numbers(situation, command, state.standing, drawing, now.round)
    due = sum(rules.cards_due(state.standing, party) for party in drawing)
    dealing = Dealing(situation, now.pile, list(now.before), orientations_named(situation, command, due))
    hands = {party: tuple(cards) for party, cards in now.round.hands.items()}
    for party in drawing:
        hands[party] = dealing.cards(party, rules.cards_due(state.standing, party), "flow")
    if len(hands) == len(here.leads):
        _resolve(dealing, now.round, {party: hands[party] for party in here.leads})
    elif situation.luck.rest() and rules.excuse_drawer({party: hands[party] for party in drawing}):
        dealing.discard_excuse(drawing[0])
        dealing.replace_excuse(drawing[0])
    return dealing.events


def _check_excuse_replaced(situation: Situation, command: c.Draw) -> None:
    """Raises Refused if a draw would begin a new round before the Excuse of this round is replaced."""
    round_ = conflict_state(situation.here).round
    if round_.flow is None or round_.owes is None or command.text is not None:
        return
    name = situation.name(round_.owes)
    raise Refused(
        f"{name} draws a card in the Excuse's place first, for the telling alone: draw {quoted(name)}."
    )


def _draw_replacement(situation: Situation, command: c.Draw, who: int) -> list[Event]:
    """Returns the event of drawing one card in place of the Excuse, not yet drawn in the round's own draw."""
    if command.count not in (None, 1):
        raise Refused(f"One card takes the place of {possessive(situation.name(who))} Excuse.")
    lying = orientations_named(situation, command, 1)
    dealing = Dealing(situation, copied_pile(situation.table), [], lying)
    dealing.replace_excuse(who)
    return dealing.events


def _check_numbers(
    situation: Situation, command: c.Draw, standing: Balance, drawing: Sequence[int], round_: Round
) -> None:
    """Raises Refused unless the number of cards is what the Balance makes the parties `drawing` draw.

    One card more is allowed in place of the Excuse.
    """
    due = {party: rules.cards_due(standing, party) for party in drawing}
    total = sum(due.values())
    if command.count not in (None, total):
        raise Refused(f"{_cards_due_in_words(situation, standing, due)}, not {command.count}.")
    if not situation.luck.called:
        return
    given = situation.luck.rest()
    cards = (*(command.results or ()), *(card for hand in round_.hands.values() for card in hand))
    excused = round_.excused is None and triumphs.EXCUSE in map(triumphs.upright, cards)
    if given != total and not (excused and given == total + 1):
        raise Refused(f"{_cards_due_in_words(situation, standing, due)}, and {cards_in_words(given)} given.")


def _cards_due_in_words(situation: Situation, standing: Balance, due: Mapping[int, int]) -> str:
    numbers = ", ".join(f"{situation.name(party)} {n}" for party, n in due.items())
    where = balance_in_words(situation.table, standing)
    return f"{where[0].upper()}{where[1:]}, so these draw: {numbers}"


def _resolve(dealing: Dealing, round_: Round, hands: rules.Hands) -> None:
    """Appends to `dealing` the flow of a complete round (the Balance's move), and a victory it brings.

    If the Excuse was drawn, it is discarded and replaced too.
    """
    situation = dealing.situation
    state = conflict_state(situation.here)
    flow = rules.flow(
        state.standing,
        hands,
        multi_party=chosen.kind(situation.table, "multi_party", MultiParty),
        beats_table=beats_table(situation.table),
    )
    dealing.events.append(_flow_resolved(situation.here, round_.number, flow))
    drawer = rules.excuse_drawer(hands)
    if drawer is not None and round_.excused is None:
        dealing.discard_excuse(drawer)
        if not situation.luck.called or situation.luck.rest():
            dealing.replace_excuse(drawer)
    if flow.after.level is Level.VICTORY and flow.after.advantaged is not None:
        dealing.events.append(s.VictoryReached(conflict=situation.here.id, who=flow.after.advantaged))


def _flow_resolved(here: OpenConflict, number: int, flow: rules.Flow) -> s.FlowResolved:
    return s.FlowResolved(
        conflict=here.id,
        round=number,
        rule=flow.rule,
        level_before=flow.before.level,
        advantaged_before=flow.before.advantaged,
        level=flow.after.level,
        advantaged=flow.after.advantaged,
        why=tuple(s.Compared(**asdict(pair)) for pair in flow.why),
        order=rules.narration_order(flow, parties(here)),
    )


def shuffle(situation: Situation, command: c.Shuffle) -> list[Event]:
    """Returns the event of `shuffle`: discards go back into the deck, between rounds or outside conflicts.

    Raises Refused while cards of this round are on the table.
    """
    if command.who is not None:
        raise Refused("All share one deck here, so name no one: shuffle.")
    if situation.conflict is None or situation.conflict.system != NAME:
        return [shuffle_deck(None, "asked")]
    now = CurrentRound.of(situation)
    if has_cards_on_table(now.pile, situation.here.id):
        raise Refused("Cards are on the table: the deck can be shuffled when the round has its flow.")
    if any(isinstance(event, e.DeckShuffled) for event in now.before):
        return now.before
    return [*now.before, shuffle_deck(situation.here.id, "asked")]
