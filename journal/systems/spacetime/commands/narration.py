"""Who tells which part of a round, and striking it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from journal.refused import Refused
from journal.shared import notes_and_speech
from journal.system import Situation
from journal.systems.spacetime import events as s
from journal.systems.spacetime.options import NAME
from journal.systems.spacetime.state import (
    Mode,
    conflict_state,
    game_state,
    parties,
    token_holder,
    tokens,
    tokens_per_session,
)
from journal.table import OpenConflict
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event


def tokens_for(situation: Situation, people: Iterable[int]) -> list[Event]:
    """A purse for each of these people's players who has had none."""
    held = game_state(situation.table).tokens
    new = tuple(dict.fromkeys(token_holder(situation.table, person) for person in people))
    lacking = tuple(person for person in new if person not in held)
    return [s.TokensGiven(people=lacking, each=tokens_per_session(situation.table))] if lacking else []


def begin_session(situation: Situation) -> list[Event]:
    """At the start of an evening every player and the game master has all their tokens again."""
    table = situation.table
    players = [somebody.id for somebody in table.everybody() if somebody.role == "player"]
    people = [GM, *players, *game_state(table).tokens]
    full = tuple(dict.fromkeys(token_holder(table, person) for person in people))
    return [s.TokensGiven(people=full, each=tokens_per_session(table))]


class Speaker(NamedTuple):
    """Who speaks, and the party they speak for."""

    who: int
    party: int


def check_not_over(situation: Situation) -> None:
    """Refuses once the conflict has come out."""
    state = conflict_state(situation.here)
    if state.winner is not None:
        raise Refused(f"{situation.name(state.winner)} has won: tell the last round, then end conflict.")
    if state.over:
        raise Refused("The challenge is met: tell how, then end conflict.")


def check_nothing_drawn(situation: Situation) -> None:
    """Refuses while some have drawn for a round and others not: a party leaves between rounds."""
    here = situation.here
    if not (conflict_state(here).mode is Mode.CONFLICT and conflict_state(here).drawing):
        return
    missing = [party for party in here.leads if party not in conflict_state(here).round.hands]
    names = situation.names(missing)
    raise Refused(f"Cards are on the table: first the others draw ({names}), then a party may leave.")


def played_by(situation: Situation, who: int) -> int:
    """Who is meant here by `who`: a player's name stands for the one they play in this conflict.

    Somebody on a side is simply meant, and so is a player who plays nobody here; Refused for one who plays
    several.
    """
    people = situation.here.people
    if who in people:
        return who
    cast = situation.table.people
    meant = [person for person in (*people, GM) if person in cast and cast[person].player == who]
    if len(meant) > 1:
        raise Refused(f"{situation.name(who)} plays {situation.names(meant)} here: say which of them it is.")
    return meant[0] if meant else who


def side_of(situation: Situation, who: int) -> int:
    """The party `who` belongs to, an obstacle also; a player belongs to that of whom they play."""
    party = situation.here.side_of(played_by(situation, who))
    if party is None:
        names = situation.names(situation.here.leads)
        raise Refused(f"{situation.name(who)} is no party to this conflict ({names}).")
    return party


def speaker(situation: Situation, who: int | None, does: str, candidates: Sequence[int]) -> Speaker:
    """Who speaks, for a party that is no obstacle; left out, the only candidate for itself."""
    if who is None and len(candidates) == 1:
        return Speaker(candidates[0], candidates[0])
    if who is None:
        raise Refused(f"Say who {does}: {situation.names(candidates or parties(situation.here))}.")
    party = side_of(situation, who)
    if party == conflict_state(situation.here).obstacle:
        names = situation.names(parties(situation.here))
        raise Refused(f"{situation.name(party)} is an obstacle, and never {does}: that is for {names}.")
    return Speaker(played_by(situation, who), party)


def narrate(situation: Situation, command: c.Narrate) -> list[Event]:
    """Each party tells its own part after the flow; before it anybody may set things up."""
    if command.at is not None:
        return notes_and_speech.narrate(situation, command)
    who = _narrator(situation, command.who)
    obstacle = conflict_state(situation.here).obstacle
    if obstacle is not None and who == obstacle:
        raise Refused(
            f"{situation.name(who)} is an obstacle and tells nothing: the game master does (narrate gm: …)."
        )
    return notes_and_speech.narrate(situation, command.but({"who": who}))


def _narrator(situation: Situation, who: int | None) -> int:
    here, state = situation.here, conflict_state(situation.here)
    resolved = state.round.flow is not None or state.over
    if who is None:
        due = due_narrators(here)
        if due:
            return due[0]
        if resolved:
            raise Refused("Every party has told its part of this round: say who narrates (narrate gm: …).")
        return GM
    teller = played_by(situation, who)
    if resolved and teller != GM and here.side_of(teller) is None:
        names = situation.names(parties(here))
        raise Refused(f"{situation.name(who)} is no party here: each party tells its own part ({names}).")
    return teller


def due_narrators(conflict: OpenConflict) -> tuple[int, ...]:
    """Whose telling is due: of those whose words were struck, then of each other party, in their order."""
    round_ = conflict_state(conflict).round
    struck = sorted(round_.struck)
    done = {conflict.side_of(person) for person in (*round_.told, *struck)}
    return (*struck, *(party for party in round_.order if party not in done))


def overrule(situation: Situation, command: c.Overrule) -> list[Event]:
    """By a token; or, at no cost, by the game master's veto or in a matter of one's own party."""
    if command.veto and command.own:
        raise Refused("A veto is the game master's, --own a party's: give one of the two.")
    command = command.but({"whose": _author(situation, command.whose)})
    if command.veto:
        return [_struck(situation, command, "veto")]
    if command.own:
        _check_own(situation, command.by)
        return [_struck(situation, command, "own")]
    struck = _struck(situation, command, "token")
    spender = token_holder(situation.table, command.by)
    if tokens(situation.table, spender) < 1:
        raise Refused(
            f"{situation.name(spender)} has no token left this session; the game master's --veto is free, "
            "and so is what concerns one's own party (--own)."
        )
    return [*tokens_for(situation, [spender]), struck]


def _author(situation: Situation, whose: int) -> int:
    """Whose words are meant: their own where some stand, else, for a player, those of whom they play here."""
    return whose if _stands(situation, whose) else played_by(situation, whose)


def _stands(situation: Situation, whose: int) -> bool:
    last = situation.table.narrations.get(whose)
    return last is not None and not last.struck


def _struck(situation: Situation, command: c.Overrule, how: str) -> e.NarrationOverruled:
    """The words struck, in the conflict they were told in while that is open; Refused where none stand."""
    _check_words_of(situation, command.whose)
    struck = notes_and_speech.strike_narration(situation, command, how)
    where = situation.table.narrations[command.whose].conflict
    there = situation.table.conflicts.get(where or 0)
    if there is None or there.system != NAME:
        return struck
    return struck.but({"conflict": where})


def _check_words_of(situation: Situation, whose: int) -> None:
    """Where somebody told nothing and others of their party did, says so: each has words of their own."""
    if _stands(situation, whose):
        return
    side = next((side for side in situation.here.sides if whose in side), ())
    others = [person for person in side if _stands(situation, person)]
    if others:
        name, told = situation.name(whose), situation.names(others)
        raise Refused(f"{name} has no narration to strike; of that party {told} told: overrule whose it was.")


def _check_own(situation: Situation, by: int) -> None:
    people = situation.here.people
    players = {token_holder(situation.table, person) for person in people}
    if by not in people and by not in players:
        raise Refused(
            f"{situation.name(by)} has no party here: --own puts right what is said of one's own party."
        )
