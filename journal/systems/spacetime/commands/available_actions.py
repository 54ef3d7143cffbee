"""Actions open to people in a Space·Time conflict, and completions for commands being typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

from journal.capabilities import Blank, Choice, Outlook, Suggestion
from journal.decks.spacetime import Suit
from journal.shared.rulings import answer_commands
from journal.system import Count, Situation
from journal.systems.spacetime import rules
from journal.systems.spacetime.commands.narration import due_narrators
from journal.systems.spacetime.commands.obstacles import waiting
from journal.systems.spacetime.commands.rounds import CurrentRound, balance_in_words
from journal.systems.spacetime.commands.rulings import pending
from journal.systems.spacetime.commands.verbs import (
    AddComplication,
    DesireOutcome,
    Postpone,
    Reformulate,
    Stop,
)
from journal.systems.spacetime.options import chosen
from journal.systems.spacetime.state import (
    Challenge,
    Mode,
    SpacetimeConflict,
    beats_table,
    conflict_state,
    game_state,
    next_round,
    parties,
    tokens,
)
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import GM, YET_TO_FIND


def turn(table: Table, conflict: OpenConflict) -> str:
    """Returns the conflict's status line: round, Balance and next step, such as "tactics: Reeve"."""
    state = conflict_state(conflict)
    if state.challenge is not None:
        return _challenge_turn(table, conflict, state.challenge)
    if state.mode is Mode.DRAW_UNTIL_SUCCESS:
        acting = parties(conflict)
        owed = sum(map(state.owed, acting))
        stating = [party for party in acting if party not in state.round.tactics]
        step = (
            _names_with_label(table, "tactics", stating)
            if stating
            else _names_with_label(table, "draws", acting)
        )
        return f"obstacle · {step}" + (f" · complications: {owed}" if owed else "")
    where = f"{count(conflict)} · {balance_in_words(table, state.standing)}"
    return f"{where} · {_step(table, conflict, state)}"


def count(conflict: OpenConflict) -> Count | None:
    """Returns the round's number as a `Count`; None for an obstacle met without a Balance."""
    state = conflict_state(conflict)
    return Count("round", state.round.number) if state.mode is Mode.CONFLICT else None


def without_outcome(conflict: OpenConflict) -> tuple[int, ...]:
    """Returns the parties that have yet to name a Desired Outcome; once cards are drawn, newcomers only."""
    state = conflict_state(conflict)
    if state.mode is not Mode.CONFLICT or state.over:
        return ()
    due = state.newcomers if state.begun else parties(conflict)
    return tuple(party for party in parties(conflict) if party in due and party not in state.desired)


def _step(table: Table, conflict: OpenConflict, state: SpacetimeConflict) -> str:
    round_ = state.round
    missing = without_outcome(conflict)
    if missing and not round_.tactics:
        return _names_with_label(table, "outcomes", missing)
    if round_.flow is None:
        stating = [party for party in parties(conflict) if party not in round_.tactics]
        if stating and not round_.hands and chosen.yes(table, "require_tactics"):
            return _names_with_label(table, "tactics", stating)
        return _names_with_label(
            table, "to draw", [party for party in conflict.leads if party not in round_.hands]
        )
    due = due_narrators(conflict)
    if due:
        return f"{table.name(due[0])} narrates"
    return "end conflict" if state.over else "told; tactics, or stop"


def _challenge_turn(table: Table, conflict: OpenConflict, challenge: Challenge) -> str:
    (acting,) = parties(conflict)
    name = table.name(acting)
    standing = challenge.stands(beats_table(table))
    if challenge.attribute is None and challenge.met is None:
        return f"challenge · {name} declares means and attribute"
    if standing is None:
        return f"challenge · it lays {challenge.rank}"
    where = f"challenge · cost {standing.cost} · effect {standing.effect}" + (
        " · beaten" if standing.success else ""
    )
    if challenge.met is not None:
        return f"{where} · {challenge.met.outcome}"
    if challenge.stopped is not None:
        return f"{where} · success or failure: rule on it"
    return f"{where} · {name} draws or stops"


def _names_with_label(table: Table, what: str, people: Iterable[int]) -> str:
    return f"{what}: {', '.join(map(table.name, people))}"


def outlook(situation: Situation) -> Outlook | None:
    """Returns the actions open now, with the status line.

    Outside a conflict, returns the Complications still to tell, or None without any.
    """
    if situation.conflict is None:
        return _owed_complications(situation)
    sentences = [f"{turn(situation.table, situation.here)}."]
    cost = conflict_state(situation.here).cost
    if cost is not None:
        sentences.append(f"The cost so far is {cost}.")
    missing = without_outcome(situation.here)
    if missing:
        sentences.append(f"What each wants of it is said first: {situation.names(missing)}.")
    choices = tuple(_with_allies(situation, _choices(situation)))
    beside = tuple(_with_allies(situation, _complications(situation)))
    return Outlook(situation.here.id, tuple(sentences), choices, beside=beside)


def _choices(situation: Situation) -> Iterator[Choice]:
    state = conflict_state(situation.here)
    for asked in pending(situation.table, situation.here):
        if asked.blocks:
            yield from answer_commands(asked)
    for who in without_outcome(situation.here):
        yield Choice(who, DesireOutcome(who=who, text=YET_TO_FIND), "what they want of it")
    if state.round.owes is not None and state.round.flow is not None:
        yield Choice(state.round.owes, c.Draw(who=state.round.owes), "a card in place of the Excuse")
    for who in due_narrators(situation.here):
        yield Choice(who, c.Narrate(who=who, text=YET_TO_FIND), "their part of it")
    if state.over:
        yield Choice(GM, c.End(what="conflict"), "it ends as it came out")
    elif state.challenge is not None:
        yield from _challenge(situation, state.challenge)
    else:
        yield from _round(situation)
        yield from _stopping(situation)
    yield from _overruling(situation)


def _round(situation: Situation) -> Iterator[Choice]:
    """Yields choices to state a tactic and to draw, in the open round or the next.

    Yields nothing until the round before is narrated.
    """
    state, here, now = conflict_state(situation.here), situation.here, CurrentRound.of(situation)
    if due_narrators(situation.here):
        return
    for who in parties(here):
        if who not in now.round.tactics:
            yield Choice(who, c.Declare(who=who, text=YET_TO_FIND), "the tactic of this round")
    if state.mode is Mode.DRAW_UNTIL_SUCCESS:
        for who in parties(here):
            yield Choice(who, c.Draw(who=who), "a card, and a Complication")
            command = c.End(what="conflict", how="victory", winner=who)
            yield Choice(GM, command, "the obstacle gives way")
        return
    left = [who for who in here.leads if who not in now.round.hands]
    likely = _odds_in_words(situation)
    if len(left) > 1:
        yield Choice(GM, c.Draw(), f"cards for everybody{likely}")
    for who in left:
        count = rules.cards_due(state.standing, who)
        cards = "1 card" if count == 1 else f"{count} cards"
        yield Choice(who, c.Draw(who=who), f"{cards}{likely if len(left) == 1 else ''}")


_LABELS: Final = {
    rules.Rule.EXCUSE: "the Excuse",
    rules.Rule.STALEMATE: "stalemate",
    rules.Rule.UP: "up",
    rules.Rule.DOWN: "down",
    rules.Rule.SAME: "the same",
}


def _odds_in_words(situation: Situation) -> str:
    """Returns the probability of each result of the round: ": up 44 %, down 20 %"; empty if unknown."""
    due = next_round(situation.table, situation.here)
    ways = [
        f"{_LABELS.get(chance.rule) or situation.name(chance.after.advantaged or 0)} {_percent(chance.share)}"
        for chance in (rules.odds(due) if due else ())
    ]
    return f": {', '.join(ways)}" if ways else ""


def _percent(share: Fraction) -> str:
    """Returns a probability as text, "44 %" or "under 1 %"; at most "99 %" unless certain."""
    rounded = round(share * 100)
    if share < 1:
        rounded = min(rounded, 99)
    return f"{rounded} %" if rounded else "under 1 %"


def _challenge(situation: Situation, challenge: Challenge) -> Iterator[Choice]:
    """Yields choices in a challenge: declare an attribute, lay its cards, draw, stop, or refuse to draw."""
    (who,) = parties(situation.here)
    if challenge.attribute is None:
        for suit in Suit:
            for value in rules.ATTRIBUTES:
                command = c.Declare(who=who, setup={suit.value: value}, text=YET_TO_FIND)
                yield Choice(who, command, "the means, and the attribute used")
    elif challenge.laid is None:
        yield Choice(GM, c.Draw(), f"the challenge lays {challenge.rank}")
    else:
        yield Choice(who, c.Draw(who=who), "one card")
    yield Choice(who, Stop(who=who, text=YET_TO_FIND), "it comes out as it stands")
    yield Choice(who, c.Refuse(who=who, text=YET_TO_FIND), "no card, and it fails")


def _complications(situation: Situation) -> Iterator[Choice]:
    for who in parties(situation.here):
        if conflict_state(situation.here).owed(who) > 0:
            yield Choice(who, AddComplication(who=who, text=YET_TO_FIND), "a Complication that is owed")


def _owed_complications(situation: Situation) -> Outlook | None:
    """Returns choices to tell the Complications left from ended conflicts; None without any."""
    asked = tuple(question.asked for question in waiting(situation.table))
    beside = tuple(
        Choice(who, AddComplication(who=who, text=YET_TO_FIND), "a Complication that is owed")
        for owed in game_state(situation.table).owed
        for who in owed.people
    )
    return Outlook(None, asked, (), beside=beside) if asked else None


def _stopping(situation: Situation) -> Iterator[Choice]:
    """Yields choices to concede, postpone and reformulate for each party; none during a round."""
    if conflict_state(situation.here).drawing or due_narrators(situation.here):
        return
    for who in parties(situation.here):
        yield Choice(who, c.Concede(who=who, text=YET_TO_FIND), "they give up")
        yield Choice(who, Postpone(who=who, text=YET_TO_FIND), "it stops for now")
        yield Choice(
            who, Reformulate(who=who, text=YET_TO_FIND), "it begins again: other sides, Balance or outcomes"
        )


def _overruling(situation: Situation) -> Iterator[Choice]:
    """Yields choices to strike a person's last narration: by the game master's veto, or for a token."""
    here, table = situation.here, situation.table
    for whose, last in table.narrations.items():
        if last.struck or last.conflict != here.id:
            continue
        if whose != GM:
            command = c.Overrule(by=GM, whose=whose, veto=True, text=YET_TO_FIND)
            yield Choice(GM, command, "told anew: a contradiction, and free")
        for by in parties(here):
            if by != here.side_of(whose):
                command = c.Overrule(by=by, whose=whose, text=YET_TO_FIND)
                yield Choice(by, command, f"told anew, for a token of {tokens(table, by)}")


def _with_allies(situation: Situation, choices: Iterable[Choice]) -> Iterator[Choice]:
    """Yields each choice; unless it is a draw, also a copy for every ally of the party's first person."""
    for choice in choices:
        yield choice
        side = next((side for side in situation.here.sides if side[0] == choice.who), ())
        if getattr(choice.command, "who", None) == choice.who and not isinstance(choice.command, c.Draw):
            for ally in side[1:]:
                yield choice._replace(who=ally, command=choice.command.but({"who": ally}))


def suggest(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """Yields the completions "stalemate" and "victory" for the ending of a conflict; else nothing."""
    del table, conflict
    if blank.command is c.End and blank.slot == "how":
        yield from map(Suggestion, ("stalemate", "victory"))
