"""A conflict is stopped, conceded, or ends as it came out."""

from __future__ import annotations

from typing import Final

from journal.names import fold
from journal.refused import Refused
from journal.shared import conflicts
from journal.shared.joining import LEFT
from journal.system import Situation
from journal.systems.spacetime import events as s
from journal.systems.spacetime.commands.balance import balance_set
from journal.systems.spacetime.commands.obstacles import complications_left
from journal.systems.spacetime.commands.rounds import round_ended
from journal.systems.spacetime.commands.speaking import not_over, nothing_drawn, speaker
from journal.systems.spacetime.commands.verbs import Postpone
from journal.systems.spacetime.options import chosen
from journal.systems.spacetime.rules import Balance
from journal.systems.spacetime.state import Play, lies, parties, play, shelf
from journal.table import OpenConflict
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

ENDINGS: Final = ("ended", "stalemate", "victory", LEFT)


def concede(situation: Situation, command: c.Concede) -> list[Event]:
    """A party gives up, and that stops the conflict; or, by the table's option, the others go on."""
    not_over(situation)
    here = situation.here
    who, leaving = speaker(situation, command.who, "concedes", parties(here))
    others = [party for party in here.leads if party != leaving]
    if chosen(situation.table, "stop_scope") == "conflict":
        winner = others[0] if len(others) == 1 else None
        stopped = s.ConflictStopped(conflict=here.id, who=who, how="conceded", text=command.text)
        return [stopped, *_put_away(situation), _ended(here, "conceded", winner)]
    nothing_drawn(situation)
    owed = complications_left(situation, [leaving])
    left = s.PartyLeft(conflict=here.id, who=who, people=_together(here, leaving), text=command.text)
    staying = [party for party in parties(here) if party != leaving]
    if len(others) == 1 or not staying:
        return [left, *_put_away(situation), _ended(here, "conceded", others[0])]
    if play(here).standing.advantaged == leaving:
        return [*owed, left, balance_set(here.id, Balance())]
    return [*owed, left]


def _together(here: OpenConflict, party: int) -> tuple[int, ...] | None:
    """Everybody of a party of several; None for one alone, who need not be named twice."""
    people = next(side for side in here.sides if side[0] == party)
    return people if len(people) > 1 else None


def postpone(situation: Situation, command: Postpone) -> list[Event]:
    """A party stops the conflict for now."""
    not_over(situation)
    here = situation.here
    who, _ = speaker(situation, command.who, "postpones", parties(here))
    return [
        s.ConflictStopped(conflict=here.id, who=who, how="postponed", text=command.text),
        *_put_away(situation),
        _ended(here, "postponed", None),
    ]


def _ended(conflict: OpenConflict, how: str, winner: int | None, text: c.Text = None) -> e.ConflictEnded:
    return e.ConflictEnded(conflict=conflict.id, how=how, winner=winner, text=text)


def _put_away(situation: Situation) -> list[Event]:
    """The end of the round, where cards of this conflict lie on the table, and what is still to be told."""
    pile = shelf(situation.table).pile
    ended: list[Event] = [round_ended(situation)] if pile and lies(pile, situation.here.id) else []
    return [*ended, *complications_left(situation, situation.here.leads)]


def end(situation: Situation, command: c.End) -> list[Event]:
    """The table ends the conflict; one that has come out ends as it came out, also with the session."""
    state = play(situation.here)
    if not state.over:
        if command.how is not None and fold(command.how) == "victory" and command.winner is None:
            raise Refused("Say who has won: end conflict victory NAME.")
        return conflicts.end(situation, command)
    if command.what == "session":
        return [*_come_out(situation, None), *conflicts.end(situation, command)]
    if command.what == "scene":
        return conflicts.end(situation, command)
    return _end_as_it_came_out(situation, command)


def _end_as_it_came_out(situation: Situation, command: c.End) -> list[Event]:
    here = situation.here
    how, winner = _verdict(play(here))
    other = command.winner is not None and here.side_of(command.winner) != winner
    if other or (command.how is not None and fold(command.how) != how):
        known = how if winner is None else f"{how} {situation.name(winner)}"
        raise Refused(f"This conflict has come out: it ends as {known} (end conflict).")
    return _come_out(situation, command.text)


def _come_out(situation: Situation, text: c.Text) -> list[Event]:
    return [*_put_away(situation), _ended(situation.here, *_verdict(play(situation.here)), text)]


def _verdict(state: Play) -> tuple[str, int | None]:
    """How a conflict that is over ends, and who has won it."""
    met = state.challenge.met if state.challenge else None
    if met is None:
        return "victory", state.winner
    return ("victory", met.who) if met.outcome == "success" else ("failure", None)


def open_another(situation: Situation, command: c.OpenConflict) -> list[Event]:
    """Another conflict opens; the one last spoken to, if it has come out, ends before."""
    ended = _come_out(situation, None) if play(situation.here).over else []
    return [*ended, *conflicts.open_conflict(situation, command)]


def close(situation: Situation, how: str) -> list[Event]:
    """A conflict ends with its cards among the discards."""
    if how not in ENDINGS:
        raise Refused(f"The table ends a conflict as stalemate or as victory NAME, not as {how}.")
    return _put_away(situation)
