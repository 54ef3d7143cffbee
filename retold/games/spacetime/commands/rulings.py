"""Rulings in Space·Time: questions for the table, their answers, and numbers that a ruling may set."""

from __future__ import annotations

from typing import Final

from retold.game import (
    Event,
    OpenConflict,
    Question,
    Refused,
    RulingKey,
    Situation,
    Table,
    possessive,
    quoted,
    set_by_table,
)
from retold.game import RulingChange as Change
from retold.game import events as e
from retold.games.spacetime import events as s
from retold.games.spacetime.commands.obstacles import complications_in_words, meet_challenge
from retold.games.spacetime.commands.rounds import BALANCES, read_balance, set_balance
from retold.games.spacetime.options import NAME
from retold.games.spacetime.rules import Ended, Level
from retold.games.spacetime.state import (
    Mode,
    beats_table,
    conflict_state,
    game_state,
    parties,
    token_holder,
    tokens,
)

WIPED_OUT: Final = "wipe-out"


def pending(table: Table, conflict: OpenConflict) -> tuple[Question, ...]:
    """Returns questions for the table: does a challenge beaten at a ruinous cost succeed, and reminders.

    The reminders, which do not stop play, are Complications, a card for the Excuse, and struck narrations.
    """
    state = conflict_state(conflict)
    questions = []
    if state.challenge is not None and state.challenge.stopped == Ended.WIPE_OUT and not state.over:
        asked = "The challenge is beaten and the cost is a wipe-out: which is it?"
        questions.append(Question(WIPED_OUT, asked, ("success", "failure"), conflict.id))
    for party in parties(conflict):
        owed = state.owed(party)
        if owed > 0:
            asked = complications_in_words(table, party, owed)
            questions.append(Question("complications", asked, (), conflict.id, blocks=False))
    if state.round.owes is not None:
        name = table.name(state.round.owes)
        asked = f"{name} has no card in place of the Excuse yet (draw {quoted(name)})."
        questions.append(Question("excuse", asked, (), conflict.id, blocks=False))
    for party in sorted(state.round.struck):
        name = table.name(party)
        asked = f"{possessive(name)} narration was struck: {name} tells it anew (narrate {quoted(name)}: …)."
        questions.append(Question("narration", asked, (), conflict.id, blocks=False))
    return tuple(questions)


def answer(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """Returns the challenge's result, as a ruling decides it for a challenge beaten with a wipe-out (cost 5).

    Raises Refused for other questions, which are answered by playing on.
    """
    challenge = conflict_state(situation.here).challenge
    meeting = challenge.stands(beats_table(situation.table)) if challenge else None
    if ruling.question != WIPED_OUT or meeting is None:
        raise Refused(f"That is not for a ruling: {_question_text(situation, ruling.question)}")
    (who,) = parties(situation.here)
    return [meet_challenge(situation, who, meeting, success=ruling.answer == "success")]


def _question_text(situation: Situation, question: str | None) -> str:
    return next(known.asked for known in pending(situation.table, situation.here) if known.name == question)


def set_number(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """Returns the events of a ruling that sets a person's tokens or Sleeve cards, or the Balance."""
    return set_by_table(situation, ruling, RULING_KEYS, NAME, _unknown)


def _unknown(_situation: Situation, _setting: e.Setting) -> str:
    return "A ruling sets NAME.tokens, NAME.sleeve or balance here, such as: ruling Ana.tokens+=1: why."


def _token_holder(change: Change) -> int:
    return token_holder(change.situation.table, change.person)


def _set_tokens(change: Change) -> list[Event]:
    return [s.NumberSet(who=_token_holder(change), what="tokens", value=change.number)]


def _set_sleeve(change: Change) -> list[Event]:
    return [s.NumberSet(who=change.person, what="sleeve", value=change.number)]


def _set_balance(change: Change) -> list[Event]:
    situation, setting = change.situation, change.setting
    if situation.conflict is None or setting.op != "=":
        raise Refused(f"Inside a conflict a ruling sets balance={BALANCES}|victory:NAME.")
    here, state = situation.here, conflict_state(situation.here)
    if state.mode is not Mode.CONFLICT:
        raise Refused("No Balance is kept while cards are drawn against an obstacle.")
    if state.drawing:
        raise Refused("Cards are on the table for the current Balance: let the others draw first.")
    standing = read_balance(situation, str(setting.value), here.sides)
    events: list[Event] = [set_balance(here.id, standing)]
    if standing.level is Level.VICTORY and standing.advantaged is not None:
        events.append(s.VictoryReached(conflict=here.id, who=standing.advantaged))
    return events


RULING_KEYS: Final = (
    RulingKey("balance", _set_balance, of_table=True),
    RulingKey("tokens", _set_tokens, lambda change: tokens(change.situation.table, _token_holder(change))),
    RulingKey(
        "sleeve", _set_sleeve, lambda change: game_state(change.situation.table).sleeve.get(change.person, 0)
    ),
)
"""Numbers that a ruling can set: `docs/rules/spacetime.md`."""
