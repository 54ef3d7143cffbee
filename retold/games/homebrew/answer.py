"""Replies to commands in a homebrew game: a few text lines instead of the many events recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from retold.games.homebrew import events as h
from retold.games.homebrew.rules import SAVE, two_dice
from retold.games.homebrew.state import play, shelf
from retold.journal.names import quoted
from retold.journal.possessives import possessive
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from retold.projections.texts import safe
from retold.projections.views import conflicts

_NUMBERED: Final = re.compile(r"[- ]\d+$")
"""The number that tells one of a group from the others."""
_OF_INITIATIVE: Final = (e.DiceRolled, e.TotalReached, h.InitiativeRolled)


def readings(table: Table, events: Sequence[Event]) -> Iterator[str]:
    """Yields sentences on how typed results are read: states that change the dice, each move, its damage."""
    yield from map(safe.line, dict.fromkeys(_two_dice_warnings(table, events)))
    yield from map(safe.line, _moves(table, events))
    for event in events:
        if isinstance(event, h.TrackChanged):
            yield safe.line(f"{possessive(table.name(event.who))} {event.track}: {event.was} to {event.now}")


def ending(table: Table, events: Sequence[Event]) -> Iterator[str]:
    """Yields the lines that end the conditions by which moves among `events` read other dice."""
    here = shelf(table)
    moves = (event for event in events if isinstance(event, h.MoveMade))
    for event in moves:
        for name in event.conditions or ():
            for who in (event.who, event.target):
                if who is not None and here.has(who, name):
                    yield f"{quoted(name)} {table.quoted(who)} off"


def _two_dice_warnings(table: Table, events: Sequence[Event]) -> Iterator[str]:
    thrown = None
    for event in events:
        if isinstance(event, e.TotalReached):
            thrown = event
        elif isinstance(event, h.MoveMade):
            yield from filter(None, (_two_dice_warning(table, event, thrown),))


NO_TARGET: Final = "No target was given; vs 15 says what to reach."
_OF_MOVES: Final = (e.DiceRolled, e.TotalReached, h.MoveMade)


def answer(table: Table, events: Sequence[Event]) -> Iterator[str] | None:
    """Returns text lines if `events` are initiative rolls only, or moves of several or at no target.

    These are the turn order, or a line for each move. None makes the caller show the events one by one.
    """
    moves = [event for event in events if isinstance(event, h.MoveMade)]
    is_plain = len(moves) == 1 and moves[0].target is None and not moves[0].conditions
    if (moves[1:] or is_plain) and all(isinstance(event, _OF_MOVES) for event in events):
        warnings = (NO_TARGET if NO_TARGET in said else said for said in _warnings(table, events))
        return map(safe.line, (*_moves(table, events), *_group(events), *dict.fromkeys(warnings)))
    rolled = [event for event in events if isinstance(event, h.InitiativeRolled)]
    conflict = table.conflicts.get(rolled[0].conflict) if rolled else None
    if conflict is None or not all(isinstance(event, _OF_INITIATIVE) for event in events):
        return None
    return map(safe.line, _order(table, conflict, events, [event.who for event in rolled]))


def _moves(table: Table, events: Sequence[Event]) -> Iterator[str]:
    """Yields a line for each move: `Oda: check with wis: 9 (1d20+2[wis]: 7) against 12, missed by 3`."""
    faces: tuple[int, ...] = ()
    total = said = saves = ""
    for event in events:
        if isinstance(event, e.DiceRolled):
            faces, said = event.faces, str(event.text or "")
        elif isinstance(event, e.TotalReached):
            shown = f": {' '.join(map(str, faces))}" if event.saw else ""
            total = f"{event.total} ({event.throw}{shown}){_reached(table, event)}"
            said = str(event.text or said)
        elif isinstance(event, h.MoveMade):
            stat = "" if event.stat is None else f" with {event.stat}"
            if (save := SAVE.fullmatch(said)) is not None:
                saves, said = save["save"], save["told"] or ""
            made = saves or f"{event.move}{stat}"
            result = "" if event.result is None else f": {event.result}"
            told = f": “{said}”" if said else ""
            yield f"{table.name(event.who)}: {made}: {total}{result}{told}"
            faces, total, said = (), "", ""


def _reached(table: Table, event: e.TotalReached) -> str:
    """Returns what a total was thrown against, and by how much it passed or missed; empty without a goal."""
    whose = (
        ""
        if event.opponent is None
        else f"{'' if event.goal is None else ' of'} {table.name(event.opponent)}"
    )
    if not whose and event.goal is None:
        return ""
    over = "" if event.goal is None else f" {event.goal}"
    how = "under" if event.under else "against"
    by = (
        ""
        if event.margin is None
        else f", {'passed' if event.margin >= 0 else 'missed'} by {abs(event.margin)}"
    )
    return f" {how}{over}{whose}{by}"


def further(table: Table, events: Sequence[Event]) -> Iterator[str]:
    """Yields text lines to show after a command's events: warnings, people out of play, the next turn."""
    yield from map(safe.line, dict.fromkeys(_warnings(table, events)))
    changes = [event for event in events if isinstance(event, h.TrackChanged)]
    out = dict.fromkeys(event.who for event in changes if _went_out(table, event))
    if out:
        yield safe.line(f"Out now: {', '.join(map(table.name, out))}.")
    for event in events:
        conflict = table.conflicts.get(event.conflict) if isinstance(event, h.TurnBegan) else None
        if conflict is not None:
            yield from filter(None, (safe.line(_next_turn(table, conflict)),))


def _group(events: Sequence[Event]) -> Iterator[str]:
    """Yields whether a group passes a check of several people, which it does if half of them do."""
    totals = [event for event in events if isinstance(event, e.TotalReached)]
    goals = {event.goal for event in totals if event.opponent is None}
    is_save = any("save" in str(event.text or "") for event in events if isinstance(event, e.DiceRolled))
    if not totals[1:] or len(goals) != 1 or None in goals or is_save:
        return
    passed = sum((event.margin or 0) >= 0 for event in totals)
    verdict = "passes" if 2 * passed >= len(totals) else "fails"
    yield f"{passed} of {len(totals)} passed: as a group check, it {verdict}."


def _went_out(table: Table, event: h.TrackChanged) -> bool:
    return event.was != event.now and shelf(table).is_out_by(event.who, event.track)


def _warnings(table: Table, events: Sequence[Event]) -> Iterator[str]:
    """Yields sentences about moves and changed sheets among `events`.

    Examples: two dice for a condition, a mover who is out, a wrong turn, a roll awaited, a changed maximum.
    """
    thrown = None
    for event in events:
        if isinstance(event, e.TotalReached):
            thrown = event
            yield from _out_before(table, events, event.who, event.opponent)
        elif isinstance(event, h.MoveMade):
            yield from filter(None, (_two_dice_warning(table, event, thrown),))
            yield from _out_before(table, events, event.who, event.target)
            yield from _off_turn(table, event)
            awaited = list(_awaited_rolls(table, event, thrown))
            yield from awaited or _no_target(table, event, thrown)
        elif isinstance(event, e.SheetChanged):
            yield from _changed_maximums(table, event)


def _two_dice_warning(table: Table, made: h.MoveMade, thrown: e.TotalReached | None) -> str:
    """Returns a sentence naming the conditions that made a move roll two d20 instead of one; else empty."""
    if thrown is None:
        return ""
    here, whose = shelf(table), list[tuple[str, str]]()
    opponent = thrown.opponent if made.target is None else made.target
    for name in made.conditions or ():
        known = here.game.conditions.get(name)
        if known is not None and isinstance(known.rolls, str) and (known.once or here.has(made.who, name)):
            whose.append((table.name(made.who), name))
        if known is not None and isinstance(known.against, str) and opponent and here.has(opponent, name):
            whose.append((table.name(opponent), name))
    ways = (way for kept, way in (("2d20kh1", "adv"), ("2d20kl1", "dis")) if kept in thrown.throw)
    return two_dice(whose, next(ways, None))


def _out_before(table: Table, events: Sequence[Event], *people: int | None) -> Iterator[str]:
    """Yields a sentence for each of `people` who was out before these events."""
    changed = {event.who for event in events if isinstance(event, h.TrackChanged) and event.was != event.now}
    for who in people:
        if who is not None and who not in changed:
            yield from _out_already(table, who)


def _no_target(table: Table, made: h.MoveMade, thrown: e.TotalReached | None) -> Iterator[str]:
    """Yields a sentence with the total of a move that wants something to reach and was given nothing."""
    move = shelf(table).game.moves.get(made.move)
    wants = move is not None and any(band.margin is not None for band in move.bands)
    if not wants or made.result is not None or thrown is None:
        return
    if thrown.goal is None and thrown.opponent is None:
        yield f"{thrown.total}. {NO_TARGET}"


def _out_already(table: Table, who: int) -> Iterator[str]:
    here = shelf(table)
    for track in here.known(who):
        kept = here.kept(who, track)
        if kept is not None and here.is_out_by(who, track):
            most = "" if kept.most is None else f"/{kept.most}"
            yield f"{table.name(who)} is out ({track} {kept.now}{most})."


def _off_turn(table: Table, made: h.MoveMade) -> Iterator[str]:
    """Yields a sentence with the person whose turn it is, if another person's move can hurt.

    If that person has yet to act in this round, it has the line that begins their turn.
    """
    conflict = None if made.conflict is None else table.conflicts.get(made.conflict)
    turn = None if conflict is None else play(conflict).turn
    move = shelf(table).game.moves.get(made.move)
    if turn not in (None, made.who) and move is not None and move.hurts is not None:
        acts = conflict is not None and made.who in conflict.people and made.who not in play(conflict).acted
        begins = (
            f" If it is {possessive(table.name(made.who))}: turn {table.quoted(made.who)}." if acts else ""
        )
        yield f"It is {possessive(table.name(turn or 0))} turn.{begins}"


def _awaited_rolls(table: Table, made: h.MoveMade, thrown: e.TotalReached | None) -> Iterator[str]:
    """Yields the `roll` command by which the opponent answers the move's roll.

    A roll without an opponent so far instead gets the command against each roll that waits for the mover.
    """
    at_nobody = thrown is not None and thrown.opponent is None and thrown.goal is None
    move = shelf(table).game.moves.get(made.move)
    stat = "" if move is None or move.stat is None or isinstance(move.stat, str) else " STAT"
    for (awaited, thrower), total in table.contests.items():
        against = thrown is not None and thrower == made.who and awaited == thrown.opponent
        if against or (at_nobody and awaited == made.who):
            line = f"roll {table.quoted(awaited)} {quoted(made.move)}{stat} vs {table.quoted(thrower)}"
            yield f"{table.name(thrower)} has {total}. Now {table.name(awaited)}: {line}."


def _changed_maximums(table: Table, changed: e.SheetChanged) -> Iterator[str]:
    """Yields a sentence such as "Ana's hp: 7/12" for each track whose maximum changed with the sheet."""
    here = shelf(table)
    for name, track in here.game.tracks.items():
        kept = here.kept(changed.person, name)
        if track.most in changed.values and name in here.tracks.get(changed.person, {}) and kept is not None:
            new = changed.values[track.most]
            own = f"{possessive(table.name(changed.person))} {name}: {kept.now}/{kept.most}"
            line = f"{quoted(name)} {table.quoted(changed.person)} {new}/{new}"
            yield f"{own}." if kept.most == new else f"{own}, as before. To change it too: {line}."


def _order(
    table: Table, conflict: OpenConflict, events: Sequence[Event], people: Sequence[int]
) -> Iterator[str]:
    dice = {
        event.who: f"{event.dice}: {' '.join(map(str, event.faces))}"
        for event in events
        if isinstance(event, e.DiceRolled) and event.who is not None
    }
    yield conflicts.order_line(table, conflict, dice)
    yield from _ties(table, conflict, people)


def _ties(table: Table, conflict: OpenConflict, people: Sequence[int]) -> Iterator[str]:
    """Yields a sentence per initiative number that several people share: their order, how to change it.

    Nothing of a group, such as Goblin-1 and Goblin-2, who act as one.
    """
    places = conflicts.turn_order(table, conflict)
    numbers = {place.number for place in places}
    for number in dict.fromkeys(place.number for place in places if place.who in people):
        tied = [place.who for place in places if place.number == number]
        if number is None or not tied[1:] or len({_NUMBERED.sub("", table.name(who)) for who in tied}) == 1:
            continue
        names = " before ".join(map(table.name, tied))
        otherwise = f" For another order: initiative {table.quoted(tied[-1])} {number + 1}."
        yield f"At {number}, {names}.{otherwise if number + 1 not in numbers else ''}"


def _next_turn(table: Table, conflict: OpenConflict) -> str:
    places = conflicts.turn_order(table, conflict)
    following = [table.name(place.who) for place in places if place.next and not place.now]
    out = [table.name(place.who) for place in places if place.out]
    said = (f"Next: {following[0]}." if following else "", f"Out: {', '.join(out)}." if out else "")
    return " ".join(filter(None, said))
