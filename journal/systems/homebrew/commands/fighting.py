"""Who goes when, in a conflict of a table's own game; who comes into it and who leaves."""

from __future__ import annotations

from collections.abc import Iterator

from journal.capabilities import InOrder
from journal.decks.expressions import parse
from journal.names import owning, quoted
from journal.refused import Refused
from journal.shared.dice import NOTHING, numbered, result
from journal.shared.joining import without_them
from journal.system import Count, Situation
from journal.systems.homebrew import events as h
from journal.systems.homebrew.commands.verbs import Initiative, Turn
from journal.systems.homebrew.state import play, shelf
from journal.table import OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def join(_situation: Situation, joined: e.Joined) -> list[Event]:
    """They come in, and go last until they have rolled."""
    return [joined]


def leave(situation: Situation, left: e.Left) -> list[Event]:
    """They go; it costs nothing."""
    return [left, *without_them(situation, left)]


def close(_situation: Situation, how: str) -> list[Event]:
    """It ends as the table says: a word of theirs, or simply ended."""
    if len(how) > 40:
        raise Refused(
            "How it ended is one word; what came of it stands after a colon: end conflict victory: text."
        )
    return []


def initiative(situation: Situation, command: Initiative) -> list[Event]:
    """Numbers for the order: rolled by the game's dice, or as somebody has them."""
    here = situation.here
    if command.who is not None and command.number is not None:
        return [h.InitiativeRolled(conflict=here.id, who=_in(situation, command.who), number=command.number)]
    dice = shelf(situation.table).game.initiative
    if dice is None:
        raise Refused(
            f"{shelf(situation.table).game.title} rolls no dice for it: initiative NAME 17, or turn NAME."
        )
    return list(_rolled(situation, dice, command))


def _rolled(situation: Situation, dice: str, command: Initiative) -> Iterator[Event]:
    here, known = situation.here, play(situation.here).numbers
    people = (
        [one for one in here.people if one not in known and situation.table.secret(one) is None]
        if command.who is None
        else [_in(situation, command.who)]
    )
    if not people:
        raise Refused("Everybody has rolled for who goes first; to roll again: initiative NAME.")
    for person in people:
        came = result(situation, person, numbered(situation, person, parse(dice)), NOTHING, None)
        yield from came.events
        yield h.InitiativeRolled(conflict=here.id, who=person, number=came.reached.total)


def take_turn(situation: Situation, command: Turn) -> list[Event]:
    """It is somebody's turn: of who is next in the order, or of whoever the table says."""
    here = play(situation.here)
    who = next_up(situation.table, situation.here) if command.who is None else _in(situation, command.who)
    if who is None:
        raise Refused(
            "Everybody here is out (end conflict); it may be anybody's turn all the same (turn NAME)."
        )
    if command.who is not None and command.again is None:
        _check_turn(situation, who)
    secret = situation.table.secret(who) is not None
    waiting = not here.acted.issuperset(_able(situation.table, situation.here))
    number = here.round_of(who, secret=secret, waiting=waiting)
    return [h.TurnBegan(conflict=situation.here.id, who=who, round=number, text=command.text)]


def _check_turn(situation: Situation, who: int) -> None:
    """Refuses a turn for whoever has it already, while others can act: it would begin another round."""
    here = play(situation.here)
    others = [
        one
        for one in _able(situation.table, situation.here)
        if one != who and situation.table.secret(one) is None
    ]
    if here.turn != who or not others:
        return
    following = next((one for one in others if one not in here.acted), others[0])
    name, other = situation.name(who), situation.name(following)
    raise Refused(
        f"It is {name}'s turn already, in round {here.round}. {other} is next: turn."
        f" Another turn for {name}, in round {here.round_of(who)}: turn {situation.quoted(who)} again."
    )


def next_up(table: Table, conflict: OpenConflict) -> int | None:
    """Who goes next: the first in the order who has yet to in this round, or the first of all in the next."""
    able = _able(table, conflict)
    return next((one for one in able if one not in play(conflict).acted), next(iter(able), None))


def _able(table: Table, conflict: OpenConflict) -> list[int]:
    """Those who are not out, as they go."""
    return [one for one in play(conflict).order(conflict.people) if not shelf(table).is_out(one)]


def turn(table: Table, conflict: OpenConflict) -> str:
    """Where the conflict stands, for a toolbar."""
    here = play(conflict)
    if here.turn is None:
        return "nobody has gone yet"
    return f"round {here.round} · {owning(table.name(here.turn))} turn"


def order(table: Table, conflict: OpenConflict) -> tuple[InOrder, ...]:
    """Everybody as they go, from the first number or the first turn on."""
    here, following = play(conflict), next_up(table, conflict)
    if not here.numbers and here.turn is None:
        return ()
    return tuple(
        InOrder(
            who,
            here.numbers.get(who),
            now=who == here.turn,
            next=who == following,
            acted=who in here.acted,
            out=shelf(table).is_out(who),
        )
        for who in here.order(conflict.people)
    )


def count(conflict: OpenConflict) -> Count | None:
    """Which round it is."""
    return Count("round", play(conflict).round) if play(conflict).round else None


def _in(situation: Situation, who: int) -> int:
    """Somebody of this conflict; Refused for anybody else."""
    if who not in situation.here.people:
        name = situation.name(who)
        raise Refused(f"{name} is not in this conflict: join {quoted(name)}.")
    return who
