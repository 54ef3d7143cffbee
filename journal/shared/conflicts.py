"""Decisions about conflicts: opening, joining, leaving, conceding and ending.

A conflict has two or more sides; the first person of a side, its lead, identifies it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from retold.journal.guarding import rows_at
from retold.journal.names import quoted
from retold.journal.refused import Refused
from retold.journal.shared import sessions
from retold.journal.shared.people import NewcomerIds, purse_of, sheet_system
from retold.journal.system import Situation, System, games_played
from retold.journal.table import Concession, OpenConflict, Table
from retold.journal.visibility import is_secret_number
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Command, Event, Value

FEWEST_SIDES: Final = 2


def open_conflict(situation: Situation, command: c.OpenConflict) -> list[Event]:
    """Returns the events that open a conflict, after those that introduce people new to the campaign.

    Raises Refused for fewer than two sides, a person named twice, or a set-up key the game lacks.
    """
    system = _system(situation, command.system)
    arrivals = NewcomerIds(situation)
    named = tuple(tuple(arrivals.id(who, "side") for who in side) for side in command.sides)
    sides = tuple(situation.table.known_first(side, situation.visible_to) for side in named)
    setup = resolve_setup(
        command.setup, {key: arrivals.id(who, "side") for key, who in command.people.items()}
    )
    situation = arrivals.met()
    _check_sides(situation, sides)
    unknown = [key for key in setup if key not in system.setup_keys]
    if unknown and not system.setup_keys:
        raise Refused(_on_a_sheet(situation, system, sides[-1], command.setup))
    if unknown:
        known = ", ".join(f"{key}={form}" for key, form in system.setup_keys.items())
        raise Refused(
            f"{system.called(situation.table)} takes no {unknown[0]}= in a conflict. It takes: {known}."
        )
    opened = e.ConflictOpened(
        conflict=situation.table.conflicts_ever + 1,
        system=system.name,
        sides=sides,
        setup=setup,
        title=command.title,
        length=command.length,
        text=command.text,
    )
    return [*arrivals.events, *system.open(situation, opened)]


def _on_a_sheet(
    situation: Situation, system: System, side: Sequence[int], values: Mapping[str, Value]
) -> str:
    """Returns the sentence refusing numbers on a `conflict` line in a game that keeps numbers on sheets."""
    who = "+".join(map(situation.quoted, side))
    numbers = " ".join(
        f"{quoted(key)}={value if isinstance(value, int) else quoted(value)}" for key, value in values.items()
    )
    title = system.called(situation.table)
    return f"A conflict takes no numbers in {title}; they stand on a sheet: cast {who} {numbers}."


def _system(situation: Situation, named: str | None) -> System:
    """Returns the game of a new conflict: the one named, else the one played, else the homebrew game.

    Raises Refused if several are played and none is named.
    """
    if named is None and situation.conflict is None and not games_played(situation.table, situation.systems):
        named = next((system.name for system in situation.systems.values() if system.unnamed), None)
    return sheet_system(situation, named)


def resolve_setup(setup: Mapping[str, Value], people: Mapping[str, int]) -> dict[str, Value]:
    """Returns a conflict's set-up values with the ids of people put into them.

    `balance=unbalanced` with person 7 becomes `unbalanced:7`; `obstacle` with person 7 becomes 7.
    """
    named: dict[str, Value] = {
        key: f"{setup[key]}:{who}" if key in setup else who for key, who in people.items()
    }
    return dict(sorted({**setup, **named}.items()))


def _check_sides(situation: Situation, sides: e.Sides) -> None:
    if len(sides) < FEWEST_SIDES:
        raise Refused("A conflict needs two sides or more: Zel vs Guards.")
    seen: set[int] = set()
    for side in sides:
        for person in side:
            name = situation.name(person)
            if side.count(person) > 1:
                raise Refused(
                    f"{name} is twice on one side. Give the second a name of its own:"
                    f" cast {quoted(f'{name} 2')}."
                )
            if person in seen:
                raise Refused(f"{name} is on two sides: name them on one side only.")
        seen.update(side)


def end(situation: Situation, command: c.End) -> list[Event]:
    """Returns the events that end the conflict, scene or session, as named on the line.

    Without a name the conflict ends, or the scene if no conflict is open.
    """
    table = situation.table
    what = command.what or ("conflict" if situation.conflict else "scene")
    if what != "conflict" and command.how is not None:
        raise Refused(
            f"A {what} ends without an outcome; type words about it after a colon: end {what}: text."
        )
    if what == "session":
        return sessions.end_session(situation, command.text)
    if what == "scene":
        if command.what is None and table.scene is None:
            raise Refused("No conflict and no scene is open; to end the evening: end session.")
        return sessions.end_scene(situation, command.text)
    return _end_conflict(situation, command)


def _end_conflict(situation: Situation, command: c.End) -> list[Event]:
    if situation.conflict is None:
        raise Refused("No conflict is open.")
    conflict = situation.here
    system = situation.systems[conflict.system]
    situation.nothing_pending(conflict)
    how = (command.how or "ended").casefold()
    winner = None if command.winner is None else conflict.side_of(command.winner)
    if command.winner is not None and winner is None:
        raise Refused(f"{situation.name(command.winner)} is on no side of this conflict.")
    return [
        *system.close(situation, how),
        e.ConflictEnded(conflict=conflict.id, how=how, winner=winner, text=command.text),
    ]


def doubts(table: Table, command: Command) -> Iterator[str]:
    """Yields a question before a conflict is ended whose concession is unanswered."""
    conflict = table.in_play()
    if conflict is None or not isinstance(command, c.End) or command.what not in (None, "conflict"):
        return
    offer = conflict.concession
    if offer is None or command.how == "conceded":
        return
    left = [side for side in conflict.leads if side not in offer.accepted and side != offer.whose]
    taken = f"; to take it: accept {table.quoted(left[0])}" if left else ""
    whose = table.name(offer.whose)
    yield f"The concession of {whose} has no answer yet{taken}. End the conflict without it?"


def compel(situation: Situation, command: c.Compel) -> list[Event]:
    """Raises Refused always: the verb `compel` exists only in games with a decision of their own for it."""
    if situation.conflict is None:
        raise Refused("A compel belongs to a conflict, and none is open.")
    title = situation.systems[situation.here.system].title
    raise Refused(f"{title} has no compels.")


def concede(situation: Situation, command: c.Concede) -> list[Event]:
    """Returns the event that offers a concession: a side gives up, if the others accept its story."""
    conflict = require_conflict(situation, "concede")
    who = speaker(situation, command.who, "concedes", conflict.leads)
    return [offer_concession(situation, who, command.text, conflict.concession)]


def offer_concession(
    situation: Situation, who: int, text: c.Text, standing: Concession | None
) -> e.ConcessionOffered:
    """Returns the event of an offered concession.

    Raises Refused without a story, and while another concession, `standing`, waits for an answer.
    """
    name = situation.name(who)
    if standing is not None:
        raise Refused(f"{situation.name(standing.whose)} has a concession on the table: accept or refuse it.")
    if text is None:
        raise Refused(f"Say what {name} offers: concede {quoted(name)}: the story.")
    return e.ConcessionOffered(conflict=situation.here.id, who=who, text=text)


def accept(situation: Situation, command: c.Accept) -> list[Event]:
    """Returns the event by which one side accepts a concession.

    Once every side but the offering one has accepted, the events that end the conflict follow.
    """
    conflict = require_conflict(situation, "accept")
    offer = require_concession(conflict.concession, "accept")
    left = [side for side in conflict.leads if side not in offer.accepted and side != offer.whose]
    who = speaker(situation, command.who, "accepts", left)
    if who not in left:
        raise Refused(f"It is for {', '.join(map(situation.name, left))} to accept.")
    accepted = e.ConcessionAccepted(conflict=conflict.id, who=who, whose=offer.whose, text=command.text)
    if left != [who]:
        return [accepted]
    return [accepted, *end_by_concession(situation, who if len(conflict.leads) == FEWEST_SIDES else None)]


def end_by_concession(situation: Situation, winner: int | None) -> list[Event]:
    """Returns the events that end the current conflict as conceded.

    `winner` is the first person of the winning side, if there is a single one.
    """
    conflict = situation.here
    closing = situation.systems[conflict.system].close(situation, "conceded")
    return [*closing, e.ConflictEnded(conflict=conflict.id, how="conceded", winner=winner)]


def refuse(situation: Situation, command: c.Refuse) -> list[Event]:
    """Returns the event of one side refusing a concession; the conflict goes on."""
    conflict = require_conflict(situation, "refuse")
    offer = require_concession(conflict.concession, "refuse")
    others = [side for side in conflict.leads if side != offer.whose]
    who = speaker(situation, command.who, "refuses", others)
    if who not in others:
        raise Refused(f"It is for {', '.join(map(situation.name, others))} to refuse.")
    return [e.ConcessionRefused(conflict=conflict.id, who=who, whose=offer.whose, text=command.text)]


def require_conflict(situation: Situation, verb: str) -> OpenConflict:
    """Returns the current conflict; raises Refused, naming the typed `verb`, if none is open."""
    if situation.conflict is None:
        raise Refused(f"No conflict is open, so there is nothing to {verb}.")
    return situation.here


def require_concession(offer: Concession | None, verb: str) -> Concession:
    """Returns the concession `offer`; raises Refused, naming the typed `verb`, if there is none."""
    if offer is None:
        raise Refused(f"Nothing is offered, so there is nothing to {verb}.")
    return offer


def speaker(situation: Situation, who: int | None, does: str, candidates: Sequence[int]) -> int:
    """Returns the speaking side's lead (first person): of the side of `who`, or the only candidate.

    Raises Refused without `who` for several candidates, and for a person outside the conflict. `does` is the
    verb for that sentence: `concedes`.
    """
    if who is None and len(candidates) == 1:
        return candidates[0]
    if who is None:
        raise Refused(f"Say who {does}: {' or '.join(map(situation.name, candidates))}.")
    side = situation.here.side_of(who)
    if side is None:
        raise Refused(f"{situation.name(who)} is on no side of this conflict.")
    return side


def contestant(situation: Situation, who: int | None, does: str) -> int:
    """Returns `who` if that person is in the current conflict; raises Refused for others and for None."""
    people = situation.here.people
    if who is None:
        raise Refused(f"Say who {does}: {situation.names(people)}.")
    if who not in people:
        raise Refused(f"{situation.name(who)} is on no side of this conflict.")
    return who


LEFT: Final = "left"
"""Outcome of a conflict left by all sides but one."""


def join(situation: Situation, command: c.Join) -> list[Event]:
    """Returns the events by which people join the current conflict, introducing those new to the campaign.

    Their game decides when they act.
    """
    conflict = require_conflict(situation, "join")
    situation.nothing_pending(conflict)
    arrivals = NewcomerIds(situation)
    people = tuple(dict.fromkeys(arrivals.id(who, "side") for who in command.who))
    situation = arrivals.met()
    for who in people:
        if conflict.side_of(who) is not None:
            raise Refused(f"{situation.name(who)} is in this conflict already.")
    side = None if command.side is None else _side(situation, conflict, command.side)
    if (
        side is not None
        and situation.table.secret(side) is not None
        and not all(map(is_secret_number, people))
    ):
        name = situation.name(side)
        raise Refused(
            f"The side of {name} is secret, and a newcomer would give it away: reveal {quoted(name)} first."
        )
    joined = e.Joined(
        conflict=conflict.id,
        people=people,
        side=side,
        text=command.text,
    )
    return [*arrivals.events, *situation.systems[conflict.system].join(situation, joined)]


def leave(situation: Situation, command: c.Leave) -> list[Event]:
    """Returns the events by which people of one side leave the current conflict.

    Their game decides the cost, and the end of the conflict if too few sides remain.
    """
    conflict = require_conflict(situation, "leave")
    situation.nothing_pending(conflict)
    people = tuple(dict.fromkeys(command.who))
    sides = list(dict.fromkeys(_side(situation, conflict, who) for who in people))
    if len(sides) > 1:
        raise Refused(f"{situation.names(people)} are on different sides: say for each side who leaves it.")
    left = e.Left(conflict=conflict.id, people=people, side=sides[0], text=command.text)
    return situation.systems[conflict.system].leave(situation, left)


def _side(situation: Situation, conflict: OpenConflict, who: int) -> int:
    """Returns the first person of a person's side; raises Refused for a person outside the conflict."""
    side = conflict.side_of(who)
    if side is None:
        sides = ", ".join(map(situation.name, conflict.leads))
        raise Refused(f"{situation.name(who)} is on no side of this conflict. Its sides are: {sides}.")
    return side


def end_without_sides(situation: Situation, left: e.Left) -> list[Event]:
    """Returns the events that end the conflict if fewer than two sides remain after `left`; else none.

    The outcome is `left`, won by the remaining side. If the side that left was the last that had not accepted
    a concession, the conflict ends as conceded instead. A game calls this last, with the conflict as it was
    before the people left; the outcome is passed to its `close`.
    """
    conflict = situation.here
    leads = {side[0]: [person for person in side if person not in left.people] for side in conflict.sides}
    remain = [side[0] for side in leads.values() if side]
    if len(remain) < FEWEST_SIDES:
        closing = situation.systems[conflict.system].close(situation, LEFT)
        winner = remain[0] if remain else None
        return [*closing, e.ConflictEnded(conflict=conflict.id, how=LEFT, winner=winner)]
    offer = conflict.concession
    if offer is None or offer.whose in left.people or leads[left.side]:
        return []
    sides_that_took_it = {conflict.side_of(who) for who in offer.accepted}
    own = conflict.side_of(offer.whose)
    others = [lead for lead, side in leads.items() if side and lead not in (own, *sides_that_took_it)]
    return [] if others else end_by_concession(situation, None)


def people_with_players(table: Table) -> list[int]:
    """Returns the ids of people who have a player, in the conflict in play if there is one."""
    return [who for who in _people_here(table) if table.people[who].player is not None]


def people_without_players(table: Table) -> list[int]:
    """Returns the ids of people who have no player and are none, in the conflict in play if there is one."""
    seated = {*table.game_masters, *(player for person in table.everybody() for player in person.players)}
    return [who for who in _people_here(table) if table.people[who].player is None and who not in seated]


def _people_here(table: Table) -> list[int]:
    conflict = table.in_play()
    everybody = [person.id for person in table.everybody() if not person.retired]
    purse = purse_of(table)
    return [who for who in (everybody if conflict is None else conflict.people) if who not in (GM, purse)]


def fallen(table: Table) -> frozenset[int]:
    """Returns the ids of people put out of a fight by a track, in any game played here."""
    return frozenset(row.who for row in rows_at(table) if row.out and isinstance(row.who, int))


def likely_sides(table: Table) -> str | None:
    """Returns the sides of a conflict as typed, people with players against the others: `Oda+Ilka vs Wolf`.

    People out of the fight are left out of the others, and people without any number if some have one.
    None if a side is empty.
    """
    down = fallen(table)
    others = [who for who in people_without_players(table) if who not in down]
    counted = {row.who for row in rows_at(table)}
    sides = people_with_players(table), [who for who in others if who in counted] or others
    return " vs ".join("+".join(map(table.quoted, side)) for side in sides) if all(sides) else None
