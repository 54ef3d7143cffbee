"""A conflict opens: its Balance, or its obstacle and how that is met."""

from __future__ import annotations

from journal.names import fold
from journal.refused import Refused
from journal.system import Situation
from journal.systems.spacetime import rules
from journal.systems.spacetime.commands.balance import BALANCES, balance_set, named, read_balance
from journal.systems.spacetime.commands.rounds import shuffled
from journal.systems.spacetime.commands.tokens import tokens_for
from journal.systems.spacetime.options import chosen
from journal.systems.spacetime.rules import Level
from journal.systems.spacetime.state import Mode, shelf
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event, Value


def open_conflict(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """A Balance to begin with, or an obstacle and how it is met; tokens for those who have had none."""
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
        events.append(balance_set(opened.conflict, standing))
    events += tokens_for(situation, [GM, *people])
    pile = shelf(situation.table).pile
    if chosen(situation.table, "reshuffle") == "every_conflict" and pile and pile.out:
        events.append(shuffled(opened.conflict, "every conflict"))
    return events


def _obstacle(situation: Situation, opened: e.ConflictOpened, setup: dict[str, Value]) -> int | None:
    typed = setup.get("obstacle")
    if typed is None:
        return None
    leads = {side[0]: side for side in opened.sides}
    if not isinstance(typed, int):
        typed = named(situation, typed, opened.sides)
    if typed not in leads or len(leads[typed]) > 1:
        raise Refused(f"{situation.name(typed)} is to be the obstacle, so it stands on a side of its own.")
    setup["obstacle"] = typed
    return typed


def _mode(situation: Situation, obstacle: int | None, setup: dict[str, Value]) -> Mode:
    """How the obstacle is met, noted in the set-up; without one there is nothing to say about it."""
    if obstacle is None:
        for key in ("mode", "rank", "reach", "risk"):
            if key in setup:
                raise Refused(f"{key}= speaks of an obstacle: name it too (obstacle=NAME).")
        return Mode.CONFLICT
    default = chosen(situation.table, "obstacle_mode")
    typed = fold(str(setup.get("mode", default))).replace(" ", "_")
    if typed not in tuple(Mode):
        raise Refused(f"An obstacle is met by mode={'|'.join(Mode)}, not {setup['mode']}.")
    setup["mode"] = typed
    return Mode(typed)


def _from_one_to_five(key: str, typed: str) -> int:
    if not typed.isdecimal() or int(typed) not in rules.READINGS:
        raise Refused(f"{key}= is {rules.READINGS[0]} to {rules.READINGS[-1]}, not {typed}: {key}=3.")
    return int(typed)


def check_challenger(situation: Situation, mode: Mode, sides: e.Sides, obstacle: int | None) -> None:
    """Refuses a challenge met by nobody whom a player plays, at a table that has said who plays whom."""
    people = situation.table.people
    played = {person for person, known in people.items() if known.player is not None and person != GM}
    acting = [person for side in sides for person in side if person != obstacle]
    if mode is not Mode.CHALLENGE or not played or played.intersection(acting):
        return
    if any(people[person].role == "player" for person in acting):
        return
    name, quoted = situation.name(acting[0]), situation.quoted(acting[0])
    raise Refused(
        f"Only player characters meet a challenge, and nobody plays {name} (cast {quoted} by=PLAYER); "
        "any other obstacle is met by mode=conflict or mode=draw_until_success."
    )


def check_mode(mode: Mode, sides: e.Sides, setup: dict[str, Value]) -> None:
    """Refuses a set-up that a challenge cannot be met with, or that speaks of one where there is none."""
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
