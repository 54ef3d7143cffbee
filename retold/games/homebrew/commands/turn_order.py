"""Decisions about turn order in a homebrew conflict: initiative, turns, joining and leaving; and advice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final

from retold.games.homebrew import events as h
from retold.games.homebrew.commands.rolling import DAMAGE, Planned, planned_roll, stat_of_sheet
from retold.games.homebrew.commands.verbs import (
    ChooseGame,
    Clock,
    Initiative,
    Keep,
    Roll,
    SetCondition,
    TakeRest,
    Turn,
)
from retold.games.homebrew.options import game_names
from retold.games.homebrew.rules import Game, Move, band_odds, needs_no_throw, stats_of
from retold.games.homebrew.state import play, shelf
from retold.journal.capabilities import Blank, Choice, InOrder, Outlook, OwnRoll, Suggestion
from retold.journal.decks.expressions import parse_throw
from retold.journal.names import quoted
from retold.journal.possessives import possessive
from retold.journal.refused import Refused, none_if_refused
from retold.journal.shared.conflicts import end_without_sides
from retold.journal.shared.dice import NOTHING, throw_result, with_sheet_numbers
from retold.journal.system import Count, Situation
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event


def join(_situation: Situation, joined: e.Joined) -> list[Event]:
    """Returns the event of people joining the conflict; without an initiative number they go last."""
    return [joined]


def leave(situation: Situation, left: e.Left) -> list[Event]:
    """Returns the event of people leaving the conflict, and its end if fewer than two sides remain."""
    return [left, *end_without_sides(situation, left)]


def close(_situation: Situation, how: str) -> list[Event]:
    """Returns no events, as any outcome of a conflict is allowed; raises Refused above 40 characters."""
    if len(how) > 40:
        raise Refused("An outcome is one word; the text follows a colon: end conflict victory: text.")
    return []


def initiative(situation: Situation, command: Initiative) -> list[Event]:
    """Returns events with the initiative numbers of people, rolled with the game's dice or typed.

    Without names, all who have no number roll: first public people, then secret ones, who are left out if
    typed results end before them. Raises Refused if the game has no such dice.
    """
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
    here, luck = situation.here, situation.luck
    people = list(_without_number(situation)) if command.who is None else [_in(situation, command.who)]
    if not people:
        public = [who for who in play(here).order(here.people) if situation.table.secret(who) is None]
        order = ", ".join(f"{situation.name(who)} {play(here).numbers[who]}" for who in public)
        raise Refused(f"All have rolled: {order}. To roll again: initiative NAME.")
    for person in people:
        luck.behind_screen = secret = situation.table.secret(person) is not None
        if secret and command.who is None and luck.called and not luck.rest():
            return
        result = throw_result(
            situation, person, with_sheet_numbers(situation, person, parse_throw(dice)), NOTHING, None
        )
        yield from result.events
        yield h.InitiativeRolled(conflict=here.id, who=person, number=result.reached.total)


def _without_number(situation: Situation) -> Iterator[int]:
    """Yields the people in the conflict who have no number: public ones, then secret ones."""
    numbers, table = play(situation.here).numbers, situation.table
    left = [person for person in situation.here.people if person not in numbers]
    yield from (person for person in left if table.secret(person) is None)
    yield from (person for person in left if table.secret(person) is not None)


def take_turn(situation: Situation, command: Turn) -> list[Event]:
    """Returns the event that begins the turn of the person named, else of the next in order.

    Raises Refused if all are out of the fight and no one is named.
    """
    here = play(situation.here)
    who = (
        next_in_order(situation.table, situation.here) if command.who is None else _in(situation, command.who)
    )
    if who is None:
        raise Refused("All people here are out: end conflict, or give one a turn all the same (turn NAME).")
    if command.who is not None and command.again is None:
        _check_turn(situation, who)
    secret = situation.table.secret(who) is not None
    waiting = not here.acted.issuperset(_able(situation.table, situation.here))
    number = here.round_of(who, secret=secret, waiting=waiting)
    return [h.TurnBegan(conflict=situation.here.id, who=who, round=number, text=command.text)]


def _check_turn(situation: Situation, who: int) -> None:
    """Raises Refused for a second turn of `who` in a round while others have yet to act, as a slip is likely.

    So it does for a second turn in a row. Either would begin another round; the word `again` allows it.
    """
    here = play(situation.here)
    others = [
        person
        for person in _able(situation.table, situation.here)
        if person != who and situation.table.secret(person) is None
    ]
    following = next((person for person in others if person not in here.acted), next(iter(others), who))
    if not others or (here.turn != who and (who not in here.acted or following in here.acted)):
        return
    name, other = situation.name(who), situation.name(following)
    raise Refused(
        (f"{name} had a turn" if here.turn != who else f"It is {possessive(name)} turn already,")
        + f" in round {here.round}. {other} is next: turn."
        f" Another turn for {name}, in round {here.round_of(who)}: turn {situation.quoted(who)} again."
    )


def next_in_order(table: Table, conflict: OpenConflict) -> int | None:
    """Returns the person who acts next: the first in order without a turn this round.

    If all had one, the first in order. None if all are out of the fight.
    """
    able = _able(table, conflict)
    return next((person for person in able if person not in play(conflict).acted), next(iter(able), None))


def _able(table: Table, conflict: OpenConflict) -> list[int]:
    """Returns the people who have turns, in turn order: no track puts them out, or they are dying."""
    here, party = shelf(table), {*table.party()}
    return [
        who
        for who in play(conflict).order(conflict.people)
        if not here.is_out(who) or (who in party and here.is_dying(who))
    ]


def turn(table: Table, conflict: OpenConflict) -> str:
    """Returns round and current turn as text for a toolbar: `round 2 · Thia's turn`."""
    here = play(conflict)
    if here.turn is None:
        return "nobody has gone yet"
    return f"round {here.round} · {possessive(table.name(here.turn))} turn"


def order(table: Table, conflict: OpenConflict) -> tuple[InOrder, ...]:
    """Returns each person's entry in the turn order; empty before the first initiative number or turn."""
    here, following = play(conflict), next_in_order(table, conflict)
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
    """Returns the number of the current round; None before the first turn."""
    return Count("round", play(conflict).round) if play(conflict).round else None


def _in(situation: Situation, who: int) -> int:
    """Returns `who` if that person is in the current conflict; else raises Refused."""
    if who not in situation.here.people:
        name = situation.name(who)
        raise Refused(f"{name} is not in this conflict: join {quoted(name)}.")
    return who


MOST_MOVES: Final = 8
"""Maximum number of moves offered; a line may make any."""
MOST_ROLLS: Final = 120
"""Maximum number of rolls offered outside turns; a game may have 60 moves with 60 stats."""


def outlook(situation: Situation) -> Outlook | None:
    """Returns advice: the state of the conflict in sentences, and the commands possible now.

    Outside conflicts only throws that wait for an answer are listed; None if there are none.
    """
    if situation.conflict is None:
        sentences = tuple(awaited(situation))
        return Outlook(None, sentences, ()) if sentences else None
    here = situation.here
    stands = (
        f"{turn(situation.table, here)[:1].upper()}{turn(situation.table, here)[1:]}.",
        *awaited(situation),
    )
    return Outlook(here.id, stands, tuple(_next(situation)), beside=tuple(_moves(situation)))


def awaited(situation: Situation) -> Iterator[str]:
    """Yields a sentence for each throw against an opponent who has yet to throw in answer."""
    for (who, thrower), total in situation.table.contests.items():
        yield f"{situation.name(who)} has yet to throw against the {total} of {situation.name(thrower)}."


def _next(situation: Situation) -> Iterator[Choice]:
    game = shelf(situation.table).game
    state = play(situation.here)
    if game.initiative is not None and len(state.numbers) < len(situation.here.people) and state.round == 0:
        yield Choice(GM, Initiative(), f"{game.initiative}, for who goes first")
    who = next_in_order(situation.table, situation.here)
    if who is not None:
        yield Choice(who, Turn(who=who), f"their turn, in round {state.round_of(who)}")
    yield Choice(GM, c.End(what="conflict"), "the conflict is over")


def _moves(situation: Situation) -> Iterator[Choice]:
    """Yields up to 8 moves with best stats for the person whose turn it is; none before the first turn."""
    who = play(situation.here).turn
    if who is None:
        return
    plans = (
        (roll, none_if_refused(partial(planned_roll, situation, who, roll)))
        for roll in _rolls(situation, who)
    )
    offers = (Choice(who, roll, _comes_to(plan)) for roll, plan in plans if plan is not None)
    yield from islice(offers, MOST_MOVES)


def rolls(situation: Situation, who: int) -> Iterator[OwnRoll]:
    """Yields every move of the game that the person can make, with each possible stat, at most 120."""
    game = shelf(situation.table).game
    commands = (
        (name, move, Roll(who=who, move=name, stat=stat))
        for name, move in game.moves.items()
        for stat in _stats(game, move)
    )
    for name, move, command in islice(commands, MOST_ROLLS):
        plan = none_if_refused(partial(planned_roll, situation, who, command))
        if plan is not None:
            yield OwnRoll(
                who,
                command,
                _comes_to(plan),
                move=name,
                about=move.about or "",
                stat=plan.made.stat,
                number=plan.made.number,
                against=move.use != "under",
                bonus=True,
                hurts=move.hurts is not None,
                own=plan.made.stat == (command.stat and stat_of_sheet(situation, who, move)),
                twice=none_if_refused(partial(planned_roll, situation, who, command.but({"twice": "adv"})))
                is not None,
            )


def _stats(game: Game, move: Move) -> Sequence[str | None]:
    """Returns the stats among which a `roll` line must choose for this move.

    `(None,)` if the move uses one stat or none, so that the line need not name it.
    """
    may = stats_of(game, move)
    return may if len(may) > 1 else (None,)


def _rolls(situation: Situation, who: int) -> Iterator[Roll]:
    """Yields a `roll` command for each move, with the person's best stat.

    If opponents of the move throw no dice, a command against each enemy still in the fight comes before it.
    """
    here = situation.here
    foes = [person for person in here.people if here.side_of(person) != here.side_of(who)]
    able = [person for person in foes if not shelf(situation.table).is_out(person)]
    for name, move in shelf(situation.table).game.moves.items():
        for stat in _best(situation, who, move):
            yield from (
                Roll(who=who, move=name, stat=stat, against="vs", opponent=foe)
                for foe in (able if needs_no_throw(move) else ())
            )
            yield Roll(who=who, move=name, stat=stat)


def _best(situation: Situation, who: int, move: Move) -> list[str | None]:
    """Returns a list of one stat: of the person's sheet for this move, else the highest; or of None.

    None if there is no choice.
    """
    may = _stats(shelf(situation.table).game, move)
    own = stat_of_sheet(situation, who, move) if may[1:] else None
    return (
        [own]
        if own is not None
        else [max(may, key=lambda stat: 0 if stat is None else shelf(situation.table).stat(who, stat) or 0)]
    )


def _comes_to(plan: Planned) -> str:
    """Returns the dice of a move with the percentage of each result: `2d6+1: a hit 42%, a miss 58%`."""
    under = f" under {plan.against.target}" if plan.against.under else ""
    found = band_odds(plan.made.move, plan.these, plan.against)
    likely = [f"{name} {float(chance):.0%}" for name, chance in found.items() if chance]
    return f"{plan.these}{under}{': ' if likely else ''}{', '.join(likely)}"


def suggest(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """Yields values that may complete a half-typed line: names of games, moves, stats, tracks, clocks."""
    game = shelf(table).game
    if blank.command is ChooseGame and blank.slot == "game":
        yield from map(Suggestion, game_names())
    elif blank.command is Roll and blank.slot == "move":
        yield from (Suggestion(name, move.about or move.dice) for name, move in game.moves.items())
    elif blank.command is Roll and blank.slot == "stat":
        yield from (Suggestion(name, stat.about or "") for name, stat in game.stats.items())
    elif blank.command is Keep and blank.slot == "track":
        yield from (Suggestion(name, track.about or "") for name, track in game.tracks.items())
    elif blank.command is SetCondition and blank.slot == "condition":
        yield from (Suggestion(name, condition.about or "") for name, condition in game.conditions.items())
    elif blank.command is TakeRest:
        yield from (Suggestion(name, rest.about or "") for name, rest in game.rests.items())
    elif blank.command is Clock and blank.slot == "name":
        yield from (
            Suggestion(str(clock.name), f"{clock.now}/{clock.segments}")
            for clock in shelf(table).clocks.values()
        )
    elif blank.command is c.Cast and blank.slot == "keys":
        yield from (Suggestion(name, stat.about or "") for name, stat in game.stats.items())
        if any(move.hurts for move in game.moves.values()):
            yield Suggestion(DAMAGE, "of a hit, in dice: 1d8+str")
