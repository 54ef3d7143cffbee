"""Rulings: questions pending in a conflict, their answers, and numbers a ruling may set."""

from __future__ import annotations

from typing import Final

from journal.names import normalise, possessive, quoted
from journal.refused import Refused
from journal.shared.rulings import apply_settings, check_not_negative, new_number
from journal.system import Situation
from journal.systems.spacetime import events as s
from journal.systems.spacetime.commands.obstacles import complications_in_words, meet_challenge
from journal.systems.spacetime.commands.rounds import BALANCES, read_balance, set_balance
from journal.systems.spacetime.options import NAME
from journal.systems.spacetime.rules import Ended, Level
from journal.systems.spacetime.state import (
    Mode,
    beats_table,
    conflict_state,
    game_state,
    parties,
    token_holder,
    tokens,
)
from journal.table import OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event, Question

WIPED_OUT: Final = "wipe-out"


def pending(table: Table, conflict: OpenConflict) -> tuple[Question, ...]:
    """Returns the open questions: a beaten challenge with a wipe-out first, then narration and cards owed."""
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
    """Returns the result of a challenge that was beaten with a wipe-out; refuses other questions."""
    challenge = conflict_state(situation.here).challenge
    meeting = challenge.stands(beats_table(situation.table)) if challenge else None
    if ruling.question != WIPED_OUT or meeting is None:
        raise Refused(f"That is not for a ruling: {_question_text(situation, ruling.question)}")
    (who,) = parties(situation.here)
    return [meet_challenge(situation, who, meeting, success=ruling.answer == "success")]


def _question_text(situation: Situation, question: str | None) -> str:
    return next(known.asked for known in pending(situation.table, situation.here) if known.name == question)


def set_number(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """Decides a ruling on tokens, Sleeve cards or the Balance."""
    return apply_settings(situation, ruling, _set, NAME)


def _set(situation: Situation, setting: e.Setting) -> list[Event]:
    key = normalise(setting.what)
    if key == "balance" and setting.person is None:
        return _set_balance(situation, setting)
    if key not in ("tokens", "sleeve") or setting.person is None:
        raise Refused(
            "A ruling sets NAME.tokens, NAME.sleeve or balance here, such as: ruling Ana.tokens+=1: why."
        )
    if key == "tokens":
        who = token_holder(situation.table, setting.person)
        value = new_number(setting, tokens(situation.table, who))
        return [s.NumberSet(who=who, what="tokens", value=check_not_negative(value))]
    value = new_number(setting, game_state(situation.table).sleeve.get(setting.person, 0))
    return [s.NumberSet(who=setting.person, what="sleeve", value=check_not_negative(value))]


def _set_balance(situation: Situation, setting: e.Setting) -> list[Event]:
    if situation.conflict is None or setting.op != "=":
        raise Refused(f"Inside a conflict a ruling sets balance={BALANCES}|victory:NAME.")
    here, state = situation.here, conflict_state(situation.here)
    if state.mode is not Mode.CONFLICT:
        raise Refused("No Balance is kept while cards are drawn against an obstacle.")
    if state.drawing:
        raise Refused("Cards are on the table for the Balance as it stands: let the others draw first.")
    standing = read_balance(situation, str(setting.value), here.sides)
    events: list[Event] = [set_balance(here.id, standing)]
    if standing.level is Level.VICTORY and standing.advantaged is not None:
        events.append(s.VictoryReached(conflict=here.id, who=standing.advantaged))
    return events
