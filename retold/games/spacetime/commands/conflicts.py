"""Decisions of Space·Time about whole conflicts, from opening to ending.

A party is one side, known by its first person; the Balance is a scale from balanced to victory.
"""

from __future__ import annotations

from typing import Final

from retold.game import (
    GM,
    Event,
    NewcomerIds,
    OpenConflict,
    Refused,
    Situation,
    Value,
    conflicts,
    normalise,
    quoted,
)
from retold.game import commands as c
from retold.game import events as e
from retold.games.spacetime import events as s
from retold.games.spacetime import rules
from retold.games.spacetime.commands.narration import (
    check_not_over,
    check_nothing_drawn,
    speaker,
    tokens_for,
)
from retold.games.spacetime.commands.obstacles import leave_complications
from retold.games.spacetime.commands.rounds import (
    BALANCES,
    end_round,
    read_balance,
    set_balance,
    shuffle_deck,
    side_meant,
)
from retold.games.spacetime.commands.verbs import DesireOutcome, Postpone, Reformulate
from retold.games.spacetime.options import chosen
from retold.games.spacetime.rules import Balance, Level
from retold.games.spacetime.state import (
    Mode,
    SpacetimeConflict,
    conflict_state,
    game_state,
    has_cards_on_table,
    parties,
)


def open_conflict(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """Returns the opening, the first Balance, tokens for people who have none, and by option a reshuffle."""
    setup = dict(opened.setup)
    typed = setup.pop("balance", None)
    obstacle = _obstacle(situation, opened, setup)
    mode = _mode(situation, obstacle, setup)
    check_mode(mode, opened.sides, setup)
    check_challenger(situation, mode, opened.sides, obstacle)
    if typed is not None and mode is not Mode.CONFLICT:
        raise Refused("No Balance is kept while cards are drawn against an obstacle: leave out balance=.")
    standing = read_balance(situation, str(typed or Level.BALANCED), opened.sides)
    if standing.level is Level.VICTORY:
        raise Refused(f"A conflict begins as {BALANCES}.")
    people = [person for side in opened.sides for person in side if person != obstacle]
    events: list[Event] = [opened.but({"setup": setup})]
    if mode is Mode.CONFLICT:
        events.append(set_balance(opened.conflict, standing))
    events += tokens_for(situation, [GM, *people])
    pile = game_state(situation.table).pile
    if chosen(situation.table, "reshuffle") == "every_conflict" and pile and pile.out:
        events.append(shuffle_deck(opened.conflict, "every conflict"))
    return events


def _obstacle(situation: Situation, opened: e.ConflictOpened, setup: dict[str, Value]) -> int | None:
    typed = setup.get("obstacle")
    if typed is None:
        return None
    leads = {side[0]: side for side in opened.sides}
    if not isinstance(typed, int):
        typed = side_meant(situation, typed, opened.sides)
    if typed not in leads or len(leads[typed]) > 1:
        raise Refused(f"{situation.name(typed)} is to be the obstacle, so give it a side of its own.")
    setup["obstacle"] = typed
    return typed


def _mode(situation: Situation, obstacle: int | None, setup: dict[str, Value]) -> Mode:
    """Returns the way the obstacle is met, and writes it into `setup`; `Mode.CONFLICT` without an obstacle.

    Raises Refused for keys of an obstacle without one.
    """
    if obstacle is None:
        for key in ("mode", "rank", "reach", "risk"):
            if key in setup:
                raise Refused(f"{key}= speaks of an obstacle: name it too (obstacle=NAME).")
        return Mode.CONFLICT
    default = chosen(situation.table, "obstacle_mode")
    typed = normalise(str(setup.get("mode", default))).replace(" ", "_")
    if typed not in tuple(Mode):
        raise Refused(f"An obstacle is met by mode={'|'.join(Mode)}, not {setup['mode']}.")
    setup["mode"] = typed
    return Mode(typed)


def _from_one_to_five(key: str, typed: str) -> int:
    if not typed.isdecimal() or int(typed) not in rules.READINGS:
        raise Refused(f"{key}= is {rules.READINGS[0]} to {rules.READINGS[-1]}, not {typed}: {key}=3.")
    return int(typed)


def check_challenger(situation: Situation, mode: Mode, sides: e.Sides, obstacle: int | None) -> None:
    """Raises Refused if no player character is among those who meet a challenge, at a table with players."""
    people = situation.table.people
    played = {person for person, known in people.items() if known.player is not None and person != GM}
    acting = [person for side in sides for person in side if person != obstacle]
    if mode is not Mode.CHALLENGE or not played or played.intersection(acting):
        return
    if any(people[person].role == "player" for person in acting):
        return
    name, quoted = situation.name(acting[0]), situation.quoted(acting[0])
    raise Refused(
        f"Only player characters meet a challenge, and {name} has no player (cast {quoted} by=PLAYER); "
        "any other obstacle is met by mode=conflict or mode=draw_until_success."
    )


def check_mode(mode: Mode, sides: e.Sides, setup: dict[str, Value]) -> None:
    """Reads the keys of a challenge in `setup`, such as rank=3, and replaces their values by numbers.

    Raises Refused for values out of range, a missing rank, more than two sides, and keys without a challenge.
    """
    given = [key for key in ("rank", "reach", "risk") if key in setup]
    if mode is not Mode.CHALLENGE:
        if given:
            raise Refused(f"{given[0]}= belongs to a challenge: say mode=challenge too.")
        return
    if len(sides) > 2:
        raise Refused("One party meets a challenge: two sides, such as Ada vs Cliff.")
    for key in ("reach", "risk"):
        if key in setup:
            setup[key] = _from_one_to_five(key, str(setup[key]))
    rank = str(setup.get("rank", ""))
    if not rank.isdecimal() or int(rank) not in rules.RANKS:
        raise Refused(f"A challenge has a rank from {rules.RANKS[0]} to {rules.RANKS[-1]}: rank=3.")
    setup["rank"] = int(rank)


ENDINGS: Final = ("ended", "stalemate", "victory", conflicts.LEFT)


def concede(situation: Situation, command: c.Concede) -> list[Event]:
    """Returns the events of `concede`: a party gives up, and the conflict ends.

    By option `stop_scope`, the other parties go on instead.
    """
    check_not_over(situation)
    here = situation.here
    who, leaving = speaker(situation, command.who, "concedes", parties(here))
    others = [party for party in here.leads if party != leaving]
    if chosen(situation.table, "stop_scope") == "conflict":
        stopped = s.ConflictStopped(conflict=here.id, who=who, how="conceded", text=command.text)
        return [stopped, *_ended(situation, "conceded", others[0] if len(others) == 1 else None)]
    check_nothing_drawn(situation)
    owed = leave_complications(situation, [leaving])
    people = here.side_with(leaving)
    allied = people if len(people) > 1 else None
    left = s.PartyLeft(conflict=here.id, who=who, people=allied, text=command.text)
    staying = [party for party in parties(here) if party != leaving]
    if len(others) == 1 or not staying:
        return [left, *_ended(situation, "conceded", others[0])]
    return [*owed, left, *_eased(here, leaving)]


def _eased(here: OpenConflict, leaving: int) -> list[Event]:
    """Returns the event that sets the Balance to balanced, if it favours the party that leaves."""
    return [set_balance(here.id, Balance())] if conflict_state(here).standing.advantaged == leaving else []


def postpone(situation: Situation, command: Postpone) -> list[Event]:
    """Returns the events of `postpone`: a party stops the conflict for now, without a winner."""
    check_not_over(situation)
    here = situation.here
    who, _ = speaker(situation, command.who, "postpones", parties(here))
    stopped = s.ConflictStopped(conflict=here.id, who=who, how="postponed", text=command.text)
    return [stopped, *_ended(situation, "postponed", None)]


def _ended(situation: Situation, how: str, winner: int | None, text: c.Text = None) -> list[Event]:
    """Returns the conflict's end, after the events of `_final_events`."""
    ended = e.ConflictEnded(conflict=situation.here.id, how=how, winner=winner, text=text)
    return [*_final_events(situation), ended]


def _final_events(situation: Situation) -> list[Event]:
    """Returns the events before a conflict's end: end of the open round, and Complications left to narrate.

    The round ends here if its cards are on the table. Each party that must still narrate Complications
    (setbacks) gets an event with their number.
    """
    pile = game_state(situation.table).pile
    ended: list[Event] = (
        [end_round(situation)] if pile and has_cards_on_table(pile, situation.here.id) else []
    )
    return [*ended, *leave_complications(situation, situation.here.leads)]


def end(situation: Situation, command: c.End) -> list[Event]:
    """Returns the events of `end`: the conflict ends, or the scene or session ends and the conflict too.

    A conflict that is won keeps its result; raises Refused for another ending or winner.
    """
    state = conflict_state(situation.here)
    if not state.over:
        if command.how is not None and normalise(command.how) == "victory" and command.winner is None:
            raise Refused("Say who has won: end conflict victory NAME.")
        return conflicts.end(situation, command)
    if command.what == "session":
        return [*_decided_events(situation, None), *conflicts.end(situation, command)]
    if command.what == "scene":
        return conflicts.end(situation, command)
    return _end_decided(situation, command)


def _end_decided(situation: Situation, command: c.End) -> list[Event]:
    here = situation.here
    how, winner = conflict_state(here).verdict
    other = command.winner is not None and here.side_of(command.winner) != winner
    if other or (command.how is not None and normalise(command.how) != how):
        known = how if winner is None else f"{how} {situation.name(winner)}"
        raise Refused(f"This conflict has come out: it ends as {known} (end conflict).")
    return _decided_events(situation, command.text)


def _decided_events(situation: Situation, text: c.Text) -> list[Event]:
    return _ended(situation, *conflict_state(situation.here).verdict, text)


def open_another(situation: Situation, command: c.OpenConflict) -> list[Event]:
    """Returns the events of `conflict` inside a conflict: the end of one already decided, then the new."""
    ended = _decided_events(situation, None) if conflict_state(situation.here).over else []
    return [*ended, *conflicts.open_conflict(situation, command)]


def close(situation: Situation, how: str) -> list[Event]:
    """Returns the events before a conflict's end: end of the open round, and Complications left to narrate.

    The round ends here if its cards are on the table. Each party that must still narrate Complications
    (setbacks) gets an event with their number. `how` is the ending; raises Refused for one the rules do not
    know.
    """
    if how not in ENDINGS:
        raise Refused(f"The table ends a conflict as stalemate or as victory NAME, not as {how}.")
    return _final_events(situation)


def desire_outcome(situation: Situation, command: DesireOutcome) -> list[Event]:
    """Returns the event of `outcome`: a party's Desired Outcome, which comes about if it wins.

    A party without one may name it until the conflict ends, even after its victory. For others, raises
    Refused once cards are drawn.
    """
    who, party = speaker(situation, command.who, "desires an outcome", ())
    state = conflict_state(situation.here)
    first = state.mode is Mode.CONFLICT and party not in state.desired
    if not first:
        check_not_over(situation)
    if not first and state.begun and party not in state.newcomers:
        name = situation.name(who)
        raise Refused(
            f"Rounds have begun: another outcome is a reformulation (reformulate {quoted(name)}: why)."
        )
    return [s.OutcomeDesired(conflict=situation.here.id, who=who, text=command.text)]


def reformulate(situation: Situation, command: Reformulate) -> list[Event]:
    """Returns the events of `reformulate`: a restart with the given sides (default: the same) and Balance.

    People who no longer face the obstacle must still narrate their Complications (setbacks).
    """
    check_not_over(situation)
    who, _ = speaker(situation, command.who, "reformulates", ())
    state = conflict_state(situation.here)
    arrivals = NewcomerIds(situation)
    sides = tuple(tuple(arrivals.id(person, "side") for person in side) for side in command.sides)
    sides = sides or situation.here.sides
    people = {key: arrivals.id(one, "side") for key, one in command.people.items()}
    setup = conflicts.resolve_setup(command.setup, people)
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
        *leave_complications(situation, leaving),
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
    """Returns the parties that no longer face the obstacle: every party if it goes, else those left out."""
    people = {person for side in sides for person in side}
    return [side[0] for side in situation.here.sides if not stays or people.isdisjoint(side)]


def _obstacle_stays(situation: Situation, state: SpacetimeConflict, sides: e.Sides) -> bool:
    """True if the obstacle is among the new sides; raises Refused if it shares a side."""
    sided = [side for side in sides if state.obstacle in side]
    if sided and len(sided[0]) > 1:
        name = situation.name(state.obstacle or 0)
        raise Refused(f"{name} is an obstacle and has no allies: give it a side of its own, or leave it out.")
    return bool(sided)


def _check_sides(situation: Situation, sides: e.Sides) -> None:
    if len(sides) < 2:
        raise Refused("A conflict takes two sides or more: reformulate NAME NAME+NAME vs NAME.")
    people = [person for side in sides for person in side]
    twice = next((person for person in people if people.count(person) > 1), None)
    if twice is not None:
        raise Refused(f"{situation.name(twice)} is on two sides: name them on one side only.")


def join(situation: Situation, joined: e.Joined) -> list[Event]:
    """Returns the event `joined`, followed by tokens for newcomers without any.

    Raises Refused for joining an obstacle, or as a second party against a challenge.
    """
    check_not_over(situation)
    state = conflict_state(situation.here)
    if joined.side is not None and joined.side == state.obstacle:
        name = situation.name(joined.side)
        raise Refused(f"{name} is an obstacle and has no allies: join a party, or come as one of your own.")
    if joined.side is None and state.mode is Mode.CHALLENGE:
        (acting,) = (side for side in situation.here.leads if side != state.obstacle)
        newcomers = "+".join(map(situation.quoted, joined.people))
        raise Refused(f"One party meets a challenge: join it (join {newcomers} {situation.quoted(acting)}).")
    return [joined, *tokens_for(situation, joined.people)]


def leave(situation: Situation, left: e.Left) -> list[Event]:
    """Returns the event of leaving and, if a whole party leaves, the events that follow from it.

    Ones that may follow: the Complications (setbacks) it must still narrate; the conflict's end, if one side
    is left; otherwise a Balance set to balanced, if it favoured that party.
    """
    check_not_over(situation)
    here, state = situation.here, conflict_state(situation.here)
    if left.side == state.obstacle:
        name = situation.name(left.side)
        raise Refused(f"{name} is an obstacle and does not leave: reformulate without it, or end conflict.")
    if set(here.side_with(left.side)) - set(left.people):
        return [left]
    check_nothing_drawn(situation)
    over = conflicts.end_without_sides(situation, left)
    if over:
        return [left, *over]
    return [*leave_complications(situation, [left.side]), left, *_eased(here, left.side)]
