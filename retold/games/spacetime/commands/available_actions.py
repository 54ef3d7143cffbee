"""Actions that people in a Space·Time conflict can take now, and completions for commands being typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

from retold.game import (
    GM,
    TO_FIND,
    Blank,
    Command,
    Count,
    Event,
    OpenConflict,
    Situation,
    Suggestion,
    Table,
    Trial,
    UntriedOutlook,
    answer_commands,
    triumphs,
)
from retold.game import Offer as Choice
from retold.game import commands as c
from retold.game import events as e
from retold.games.spacetime import events as s
from retold.games.spacetime import rules
from retold.games.spacetime.commands.narration import due_narrators
from retold.games.spacetime.commands.obstacles import waiting
from retold.games.spacetime.commands.rounds import CurrentRound, balance_in_words
from retold.games.spacetime.commands.rulings import pending
from retold.games.spacetime.commands.verbs import (
    AddComplication,
    DesireOutcome,
    Postpone,
    Reformulate,
    Stop,
)
from retold.games.spacetime.options import NAME, chosen
from retold.games.spacetime.state import (
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


def turn(table: Table, conflict: OpenConflict) -> str:
    """Returns the conflict's status line: round, Balance and next step, such as "tactics: Reeve"."""
    state = conflict_state(conflict)
    if state.challenge is not None:
        return _challenge_turn(table, conflict, state.challenge)
    if state.mode is Mode.DRAW_UNTIL_SUCCESS:
        acting = parties(conflict)
        owed = sum(map(state.owed, acting))
        stating = [party for party in acting if party not in state.round.tactics]
        step, people = ("tactics", stating) if stating else ("draws", acting)
        complications = f" · complications: {owed}" if owed else ""
        return f"obstacle · {_names_with_label(table, step, people)}{complications}"
    where = f"{count(conflict)} · {balance_in_words(table, state.standing)}"
    return f"{where} · {_step(table, conflict, state)}"


def count(conflict: OpenConflict) -> Count | None:
    """Returns the round's number as a `Count`; None for an obstacle met without a Balance."""
    state = conflict_state(conflict)
    return Count("round", state.round.number) if state.mode is Mode.CONFLICT else None


def without_outcome(conflict: OpenConflict) -> tuple[int, ...]:
    """Returns the parties that have yet to name a Desired Outcome; after a victory, the winner only."""
    state = conflict_state(conflict)
    if state.mode is not Mode.CONFLICT:
        return ()
    due = parties(conflict) if state.winner is None else (state.winner,)
    return tuple(party for party in due if party not in state.desired)


def reminders(table: Table, events: Iterable[Event]) -> Iterator[str]:
    """Yields a sentence at the first draw, and at a victory, if a Desired Outcome is not named yet."""
    happened = list(events)
    conflict = table.conflicts.get(getattr(happened[0], "conflict", None) or 0) if happened else None
    if conflict is None or conflict.system != NAME or not (missing := without_outcome(conflict)):
        return
    lines = ", ".join(f"outcome {table.quoted(party)}: …" for party in missing)
    names = " and ".join(map(table.name, missing))
    if any(isinstance(event, s.VictoryReached) for event in happened):
        yield f"{names} has won, and the outcome is not told yet: {lines}"
        return
    round_ = conflict_state(conflict).round
    drawn = [event for event in happened if isinstance(event, e.CardsDrawn)]
    if drawn and round_.number == 1 and len(round_.hands) <= len(drawn):
        yield f"Nobody has said yet what {names} want{'s' * (len(missing) == 1)} of it: {lines}"


def _step(table: Table, conflict: OpenConflict, state: SpacetimeConflict) -> str:
    round_ = state.round
    missing = without_outcome(conflict)
    if missing and not round_.tactics:
        return _names_with_label(table, "outcomes", missing)
    if round_.flow is None:
        stating = [party for party in parties(conflict) if party not in round_.tactics]
        if stating and not round_.hands and chosen.yes(table, "require_tactics"):
            return _names_with_label(table, "tactics", stating)
        drawing = [party for party in conflict.leads if party not in round_.hands]
        return _names_with_label(table, "to draw", drawing)
    due = due_narrators(conflict)
    if due:
        return f"{table.name(due[0])} narrates"
    if missing and state.over:
        return _names_with_label(table, "outcomes", missing)
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


def outlook(situation: Situation) -> UntriedOutlook | None:
    """Returns the actions to try now, with a status line: whose turn it is, and the conflict's cost so far.

    Outside a conflict, returns the Complications (setbacks) that people must still narrate; None without any.
    """
    if situation.conflict is None:
        return _owed_complications(situation)
    table, here = situation.table, situation.here
    sentences = [f"{turn(table, here)}."]
    cost = conflict_state(here).cost
    if cost is not None:
        sentences.append(f"The cost so far is {cost}.")
    missing = without_outcome(here)
    if missing and conflict_state(here).over:
        sentences.append(
            f"What {situation.names(missing)} wanted, and what now comes about, is not said yet."
        )
    elif missing:
        sentences.append(f"What each wants of it is said first: {situation.names(missing)}.")
    owing = [who for who in parties(here) if conflict_state(here).owed(who) > 0]
    complications = _complications(_with_allies(here, owing))
    return UntriedOutlook(tuple(sentences), tuple(_trials(situation)), beside=(complications,))


def _owed_complications(situation: Situation) -> UntriedOutlook | None:
    """Returns the Complications (setbacks) that people must still narrate after ended conflicts, as actions.

    None if no one owes one.
    """
    asked = tuple(question.asked for question in waiting(situation.table))
    people = [who for owed in game_state(situation.table).owed for who in owed.people]
    return UntriedOutlook(asked, (), beside=(_complications(people),)) if asked else None


def _complications(people: Iterable[int]) -> Trial:
    return _told(AddComplication, people, "a Complication that is owed")


def _told(command: type[Command], people: Iterable[int], comes_to: str) -> Trial:
    """Returns candidates for one verb: `command` for each person in `people`, its text left to find."""
    return Trial(command, {"who": people, "text": TO_FIND}, comes_to)


def _with_allies(conflict: OpenConflict, people: Iterable[int]) -> list[int]:
    """Returns the people, each with the allies whose side they lead; allies speak for their party."""
    sides = {side[0]: side for side in conflict.sides}
    return [ally for who in people for ally in sides.get(who, (who,))]


def _trials(situation: Situation) -> Iterator[Trial | Choice]:
    here, state = situation.here, conflict_state(situation.here)
    for asked in pending(situation.table, here):
        if asked.blocks:
            yield from answer_commands(asked)
    yield _told(DesireOutcome, _with_allies(here, without_outcome(here)), "what they want of it")
    if state.round.owes is not None and state.round.flow is not None:
        yield Trial(c.Draw, {"who": (state.round.owes,)}, "a card in place of the Excuse")
    yield _told(c.Narrate, _with_allies(here, due_narrators(here)), "their part of it")
    if state.over:
        yield Trial(c.End, {"what": ("conflict",)}, "it ends as it came out")
    elif state.challenge is not None:
        yield from _challenge(situation, state.challenge)
    elif not due_narrators(here):
        yield from _round(situation)
        if not state.drawing:
            yield from _stopping(here)
    yield from _overruling(situation)


def _round(situation: Situation) -> Iterator[Trial]:
    """Yields commands that state a tactic and commands that draw cards, for the current round or the next."""
    state, here, now = conflict_state(situation.here), situation.here, CurrentRound.of(situation)
    silent = [who for who in parties(here) if who not in now.round.tactics]
    yield _told(c.Declare, _with_allies(here, silent), "the tactic of this round")
    if state.mode is Mode.DRAW_UNTIL_SUCCESS:
        for who in parties(here):
            yield Trial(c.Draw, {"who": (who,)}, "a card, and a Complication")
            victory = {"what": ("conflict",), "how": ("victory",), "winner": (who,)}
            yield Trial(c.End, victory, "the obstacle gives way")
        return
    left = [who for who in here.leads if who not in now.round.hands]
    likely = _odds_in_words(situation)
    if len(left) > 1:
        yield Trial(c.Draw, {}, f"cards for everyone{likely}", by=GM)
    for who in left:
        count = rules.cards_due(state.standing, who)
        cards = "1 card" if count == 1 else f"{count} cards"
        yield Trial(c.Draw, {"who": (who,)}, f"{cards}{likely if len(left) == 1 else ''}")


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


def _challenge(situation: Situation, challenge: Challenge) -> Iterator[Trial]:
    """Yields what may be done in a challenge: declare an attribute, lay its cards, draw, stop, refuse."""
    acting = parties(situation.here)
    people = _with_allies(situation.here, acting)
    if challenge.attribute is None:
        attributes = [{"setup": {suit.value: value}} for suit in triumphs.Suit for value in rules.ATTRIBUTES]
        yield Trial(
            c.Declare,
            {"attribute": attributes, "who": people, "text": TO_FIND},
            "the means, and the attribute used",
        )
    elif challenge.laid is None:
        yield Trial(c.Draw, {}, f"the challenge lays {challenge.rank}", by=GM)
    else:
        yield Trial(c.Draw, {"who": acting}, "one card")
    yield _told(Stop, people, "the outcome is as it is now")
    yield _told(c.Refuse, people, "no card, and it fails")


def _stopping(conflict: OpenConflict) -> Iterator[Trial]:
    """Yields what stops the conflict: each party may concede, postpone or reformulate."""
    for party in parties(conflict):
        people = _with_allies(conflict, (party,))
        yield _told(c.Concede, people, "they give up")
        yield _told(Postpone, people, "it stops for now")
        yield _told(Reformulate, people, "it begins again: other sides, Balance or outcomes")


def _overruling(situation: Situation) -> Iterator[Trial]:
    """Yields what strikes a person's last narration: by the game master's veto, or for a token."""
    here, table = situation.here, situation.table
    for whose, last in table.narrations.items():
        if last.struck or last.conflict != here.id:
            continue
        told = {"whose": (whose,), "text": TO_FIND}
        if whose != GM:
            veto = {**told, "by": (GM,), "veto": (True,)}
            yield Trial(c.Overrule, veto, "told anew: a contradiction, and free")
        for by in parties(here):
            if by != here.side_of(whose):
                price = f"told anew, for a token of {tokens(table, by)}"
                yield Trial(c.Overrule, {**told, "by": (by,)}, price, by=by)


def suggest(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """Yields the completions "stalemate" and "victory" for the ending of a conflict; else nothing."""
    if blank.command is c.End and blank.slot == "how":
        yield from map(Suggestion, ("stalemate", "victory"))
