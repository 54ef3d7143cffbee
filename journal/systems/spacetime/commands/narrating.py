"""Who tells which part of a round, and striking it."""

from __future__ import annotations

from journal.refused import Refused
from journal.shared import speech
from journal.system import Situation
from journal.systems.spacetime.commands.speaking import played_by
from journal.systems.spacetime.commands.tokens import tokens_for
from journal.systems.spacetime.options import NAME
from journal.systems.spacetime.state import holder, parties, play, tokens
from journal.table import OpenConflict
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event


def narrate(situation: Situation, command: c.Narrate) -> list[Event]:
    """Each party tells its own part after the flow; before it anybody may set things up."""
    if command.at is not None:
        return speech.narrate(situation, command)
    who = _narrator(situation, command.who)
    obstacle = play(situation.here).obstacle
    if obstacle is not None and who == obstacle:
        raise Refused(
            f"{situation.name(who)} is an obstacle and tells nothing: the game master does (narrate gm: …)."
        )
    return speech.narrate(situation, command.but({"who": who}))


def _narrator(situation: Situation, who: int | None) -> int:
    here, state = situation.here, play(situation.here)
    resolved = state.round.flow is not None or state.over
    if who is None:
        due = to_tell(here)
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


def to_tell(conflict: OpenConflict) -> tuple[int, ...]:
    """Whose telling is due: of those whose words were struck, then of each other party, in their order."""
    round_ = play(conflict).round
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
    spender = holder(situation.table, command.by)
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
    struck = speech.struck(situation, command, how)
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
    players = {holder(situation.table, person) for person in people}
    if by not in people and by not in players:
        raise Refused(
            f"{situation.name(by)} has no party here: --own puts right what is said of one's own party."
        )
