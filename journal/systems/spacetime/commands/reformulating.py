"""What the parties want of a conflict, and beginning it again."""

from __future__ import annotations

from journal.names import quoted
from journal.refused import Refused
from journal.shared import conflicts
from journal.shared.people import Arrivals
from journal.system import Situation
from journal.systems.spacetime import events as s
from journal.systems.spacetime.commands.balance import BALANCES, read_balance
from journal.systems.spacetime.commands.obstacles import complications_left
from journal.systems.spacetime.commands.opening import check_challenger, check_mode
from journal.systems.spacetime.commands.speaking import not_over, speaker
from journal.systems.spacetime.commands.verbs import DesireOutcome, Reformulate
from journal.systems.spacetime.rules import Level
from journal.systems.spacetime.state import Mode, Play, play
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def desire_outcome(situation: Situation, command: DesireOutcome) -> list[Event]:
    """A party's Desired Outcome, until rounds begin."""
    not_over(situation)
    who, party = speaker(situation, command.who, "desires an outcome", ())
    if play(situation.here).begun and party not in play(situation.here).newcomers:
        name = situation.name(who)
        raise Refused(
            f"Rounds have begun: another outcome is a reformulation (reformulate {quoted(name)}: why)."
        )
    return [s.OutcomeDesired(conflict=situation.here.id, who=who, text=command.text)]


def reformulate(situation: Situation, command: Reformulate) -> list[Event]:
    """The conflict begins again; sides that are not named stay, a Balance that is not named is balanced."""
    not_over(situation)
    who, _ = speaker(situation, command.who, "reformulates", ())
    state = play(situation.here)
    arrivals = Arrivals(situation)
    sides = tuple(tuple(arrivals.id(one, "side") for one in side) for side in command.sides)
    sides = sides or situation.here.sides
    people = {key: arrivals.id(one, "side") for key, one in command.people.items()}
    setup = conflicts.set_up(command.setup, people)
    situation = arrivals.met()
    unknown = [key for key in setup if key != "balance"]
    if unknown:
        raise Refused(f"reformulate knows balance={BALANCES}, not {unknown[0]}=.")
    _check_sides(situation, sides)
    stays = _obstacle_stays(situation, state, sides)
    mode = state.mode if stays else Mode.CONFLICT
    check_mode(mode, sides, dict(situation.here.setup) if stays else {})
    check_challenger(situation, mode, sides, state.obstacle)
    if mode is not Mode.CONFLICT and setup:
        raise Refused("No Balance is kept while cards are drawn against an obstacle: leave out balance=.")
    standing = read_balance(situation, str(setup.get("balance", Level.BALANCED)), sides)
    if standing.level is Level.VICTORY:
        raise Refused(f"A conflict begins again as {BALANCES}.")
    leaving = _without_obstacle(situation, sides, stays=stays)
    return [
        *arrivals.events,
        *complications_left(situation, leaving),
        s.ConflictReformulated(
            conflict=situation.here.id,
            who=who,
            sides=sides,
            level=standing.level,
            advantaged=standing.advantaged,
            text=command.text,
        ),
    ]


def _without_obstacle(situation: Situation, sides: e.Sides, *, stays: bool) -> list[int]:
    """The parties that face the obstacle no longer: all where it is gone, else those that are gone."""
    people = {person for side in sides for person in side}
    return [side[0] for side in situation.here.sides if not stays or people.isdisjoint(side)]


def _obstacle_stays(situation: Situation, state: Play, sides: e.Sides) -> bool:
    """Whether the obstacle is in the way of these sides too; it never joins one."""
    sided = [side for side in sides if state.obstacle in side]
    if sided and len(sided[0]) > 1:
        name = situation.name(state.obstacle or 0)
        raise Refused(f"{name} is an obstacle and sides with nobody: let it stand alone, or leave it out.")
    return bool(sided)


def _check_sides(situation: Situation, sides: e.Sides) -> None:
    if len(sides) < 2:
        raise Refused("A conflict takes two sides or more: reformulate NAME NAME+NAME vs NAME.")
    people = [person for side in sides for person in side]
    twice = next((person for person in people if people.count(person) > 1), None)
    if twice is not None:
        raise Refused(f"{situation.name(twice)} stands on two sides: nobody can fight themselves here.")
