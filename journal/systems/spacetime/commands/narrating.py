"""Who tells which part of a round, and striking it."""

from __future__ import annotations

from journal.refused import Refused
from journal.shared import speech
from journal.system import Situation
from journal.systems.spacetime.commands.tokens import tokens_for
from journal.systems.spacetime.state import Play, holder, parties, play, tokens
from journal.vocabulary import commands as c
from journal.vocabulary.base import GM, Event


def narrate(situation: Situation, command: c.Narrate) -> list[Event]:
    """Each party tells its own part after the flow; before it anybody may set things up."""
    if command.at is not None:
        return speech.narrate(situation, command)
    state = play(situation.here)
    who = _narrator(situation, state, command.who)
    if who == state.obstacle:
        raise Refused(f"{situation.name(who)} is an obstacle and tells nothing: narrate gm does.")
    return speech.narrate(situation, command.model_copy(update={"who": who}))


def _narrator(situation: Situation, state: Play, who: int | None) -> int:
    here = situation.here
    resolved = state.round.flow is not None or state.over
    if who is None:
        due = to_tell(state)
        if due:
            return due[0]
        if resolved:
            raise Refused("Every party has told its part of this round: say who narrates (narrate gm: …).")
        return GM
    party = here.side_of(who)
    if party is not None:
        return party
    if resolved and who != GM:
        names = situation.names(parties(here))
        raise Refused(f"{situation.name(who)} is no party here: each party tells its own part ({names}).")
    return who


def to_tell(state: Play) -> tuple[int, ...]:
    """Whose telling is due: those whose narration was struck, then the others in their order."""
    struck = sorted(state.round.struck)
    return (*struck, *(party for party in state.round.untold if party not in struck))


def overrule(situation: Situation, command: c.Overrule) -> list[Event]:
    """By a token; or, at no cost, by the game master's veto or in a matter of one's own party."""
    if command.veto and command.own:
        raise Refused("A veto is the game master's, --own a party's: give one of the two.")
    whose = situation.here.side_of(command.whose)
    command = command.model_copy(update={"whose": command.whose if whose is None else whose})
    if command.veto:
        return [speech.struck(situation, command, "veto")]
    if command.own:
        _check_own(situation, command.by)
        return [speech.struck(situation, command, "own")]
    struck = speech.struck(situation, command, "token")
    spender = holder(situation.table, command.by)
    if tokens(situation.table, spender) < 1:
        raise Refused(
            f"{situation.name(spender)} has no token left this session; the game master's --veto is free, "
            "and so is what concerns one's own party (--own)."
        )
    return [*tokens_for(situation, [spender]), struck]


def _check_own(situation: Situation, by: int) -> None:
    people = situation.here.people
    players = {holder(situation.table, person) for person in people}
    if by not in people and by not in players:
        raise Refused(
            f"{situation.name(by)} has no party here: --own puts right what is said of one's own party."
        )
