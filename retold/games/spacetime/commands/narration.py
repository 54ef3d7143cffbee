"""Narration in Space·Time: whose part it is to tell, and tokens, which strike another's narration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from retold.game import GM, Event, OpenConflict, Refused, Situation, notes_and_speech
from retold.game import commands as c
from retold.game import events as e
from retold.games.spacetime import events as s
from retold.games.spacetime.options import NAME
from retold.games.spacetime.state import (
    Mode,
    conflict_state,
    game_state,
    parties,
    token_holder,
    tokens,
    tokens_per_session,
)


def tokens_for(situation: Situation, people: Iterable[int]) -> list[Event]:
    """Returns an event that deals tokens to players of `people` who never had any; empty if all had."""
    held = game_state(situation.table).tokens
    new = tuple(dict.fromkeys(token_holder(situation.table, person) for person in people))
    lacking = tuple(person for person in new if person not in held)
    return [s.TokensGiven(people=lacking, each=tokens_per_session(situation.table))] if lacking else []


def begin_session(situation: Situation) -> list[Event]:
    """Returns the event that deals a full set of tokens to the game master, players and other holders."""
    table = situation.table
    players = [somebody.id for somebody in table.everybody() if somebody.role == "player"]
    people = [GM, *players, *game_state(table).tokens]
    full = tuple(dict.fromkeys(token_holder(table, person) for person in people))
    return [s.TokensGiven(people=full, each=tokens_per_session(table))]


class Speaker(NamedTuple):
    """Person who acts in a command, and the party (first person of their side) they act for."""

    who: int
    party: int


def check_not_over(situation: Situation) -> None:
    """Raises Refused once a party has won or the challenge is met."""
    state = conflict_state(situation.here)
    if state.winner is not None:
        raise Refused(f"{situation.name(state.winner)} has won: tell the last round, then end conflict.")
    if state.over:
        raise Refused("The challenge is met: tell how, then end conflict.")


def check_nothing_drawn(situation: Situation) -> None:
    """Raises Refused during a round's draws: a party has cards, and another party has none yet."""
    here = situation.here
    if not (conflict_state(here).mode is Mode.CONFLICT and conflict_state(here).drawing):
        return
    missing = [party for party in here.leads if party not in conflict_state(here).round.hands]
    names = situation.names(missing)
    raise Refused(f"Cards are on the table: first the others draw ({names}), then a party may leave.")


def played_by(situation: Situation, who: int) -> int:
    """Returns `who`, or for a player the character they play in this conflict.

    Players without a character here stand for themselves. Raises Refused for a player of several characters.
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
    """Returns the party (first person of the side) of `who`, or of the character `who` plays.

    An obstacle counts as a party. Raises Refused for people on no side.
    """
    party = situation.here.side_of(played_by(situation, who))
    if party is None:
        names = situation.names(situation.here.leads)
        raise Refused(f"{situation.name(who)} is not a party to this conflict ({names}).")
    return party


def speaker(situation: Situation, who: int | None, does: str, candidates: Sequence[int]) -> Speaker:
    """Returns the acting person and their party: `who`, or for None the single candidate.

    Raises Refused for an obstacle, and if several are possible; `does` words the refusal.
    """
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
    """Returns the events of `narrate`: a party tells its part of the round, once the round has a result.

    Before that, any player may set the scene. Raises Refused for an obstacle, and later for people of no
    party.
    """
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
        raise Refused(f"{situation.name(who)} is not a party here: each party tells its own part ({names}).")
    return teller


def due_narrators(conflict: OpenConflict) -> tuple[int, ...]:
    """Returns people who must narrate: first those whose narration was struck, then parties in order."""
    round_ = conflict_state(conflict).round
    struck = sorted(round_.struck)
    done = {conflict.side_of(person) for person in (*round_.told, *struck)}
    return (*struck, *(party for party in round_.order if party not in done))


def overrule(situation: Situation, command: c.Overrule) -> list[Event]:
    """Returns the events of `overrule`: a narration is struck, and must be told again, for one token.

    Free for the game master's veto, and for a narration about one's own party (`--own`).
    """
    if command.veto and command.own:
        raise Refused("A veto is the game master's, --own a party's: give one of the two.")
    command = command.but({"whose": _author(situation, command.whose)})
    if command.veto:
        return [_strike(situation, command, "veto")]
    if command.own:
        _check_own(situation, command.by)
        return [_strike(situation, command, "own")]
    struck = _strike(situation, command, "token")
    spender = token_holder(situation.table, command.by)
    if tokens(situation.table, spender) < 1:
        raise Refused(
            f"{situation.name(spender)} has no token left this session; the game master's --veto is free, "
            "and so is what concerns one's own party (--own)."
        )
    return [*tokens_for(situation, [spender]), struck]


def _author(situation: Situation, whose: int) -> int:
    """Returns the person whose narration is meant: `whose`, or that player's character here."""
    return whose if _has_narration(situation, whose) else played_by(situation, whose)


def _has_narration(situation: Situation, whose: int) -> bool:
    last = situation.table.narrations.get(whose)
    return last is not None and not last.struck


def _strike(situation: Situation, command: c.Overrule, how: str) -> e.NarrationOverruled:
    """Returns the event that strikes a narration, in the conflict it was told in while that is open.

    Raises Refused if the person has told nothing; `how` is "token", "veto" or "own".
    """
    _check_words_of(situation, command.whose)
    struck = notes_and_speech.strike_narration(situation, command, how)
    where = situation.table.narrations[command.whose].conflict
    there = situation.table.conflicts.get(where or 0)
    if there is None or there.system != NAME:
        return struck
    return struck.but({"conflict": where})


def _check_words_of(situation: Situation, whose: int) -> None:
    """Raises Refused if `whose` has no narration to strike but an ally has; the refusal names the ally."""
    if _has_narration(situation, whose):
        return
    others = [person for person in situation.here.side_with(whose) if _has_narration(situation, person)]
    if others:
        name, authors = situation.name(whose), situation.names(others)
        raise Refused(
            f"{name} has no narration to strike; of that party {authors} told: overrule whose it was."
        )


def _check_own(situation: Situation, by: int) -> None:
    people = situation.here.people
    players = {token_holder(situation.table, person) for person in people}
    if by not in people and by not in players:
        raise Refused(
            f"{situation.name(by)} has no party here: --own corrects what is told about your own party."
        )
