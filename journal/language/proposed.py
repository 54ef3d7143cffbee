"""Lines to propose to a user: actions available with a table state, and lines quoted in a sentence."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeVar

from msgspec.structs import replace

from retold.journal.capabilities import Choice, HasSheets, Moves, Outlook, OwnRoll, Way
from retold.journal.copying import copied
from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.guarding import GuestError, answer_of
from retold.journal.language.verbs import VERBS
from retold.journal.line import decide
from retold.journal.packages import note
from retold.journal.possessives import possessive
from retold.journal.refused import Refused
from retold.journal.shared.rulings import answer_commands
from retold.journal.state_copies import StateCopies
from retold.journal.system import Situation, Trial, Tried, UntriedOutlook, narrators_struck
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import GM, YET_TO_FIND, Command, Event


def available_actions(table: Table, luck: Luck) -> Iterator[Outlook]:
    """Yields an `Outlook` (available actions) per open conflict, the last addressed first, then per game.

    Games' outlooks are actions outside conflicts; last come people whose narration was struck. Actions are
    checked against the rules. `luck` only answers whether cards or dice could be dealt; its results are
    discarded.
    """
    here = table.in_play()
    nowhere = Situation(table, luck, SYSTEMS, copies=StateCopies())
    for conflict in sorted(table.conflicts.values(), key=lambda conflict: conflict is not here):
        situation = replace(nowhere, conflict=conflict)
        yield _in_conflict(situation)
    for name in table.shelves:
        seen = answer_of(name, _outside, None, nowhere, name, what="outlook")
        if seen is not None:
            yield seen
    anew = narrators_struck(table)
    if anew:
        told = tuple(f"{possessive(table.name(who))} narration was struck." for who in anew)
        again = tuple(
            Choice(who, c.Narrate(who=who, text=YET_TO_FIND), "what was struck, anew") for who in anew
        )
        yield _allowed(nowhere, Outlook(None, told, again))


def available_rolls(table: Table, luck: Luck, who: int) -> Iterator[OwnRoll]:
    """Yields rolls that a person may make now regardless of turn, in each game where they have a sheet.

    A character without a sheet uses the initial one if a single game is played. Of the rolls of one move only
    the first is checked against the rules; its verdict applies to all of them.
    """
    here = table.in_play()
    nowhere = Situation(table, luck, SYSTEMS, copies=StateCopies())
    for name, shelf in table.shelves.items():
        system = SYSTEMS[name]
        has_sheet = answer_of(name, _has_sheet, False, shelf, who, what="sheets")
        if not (has_sheet or (len(table.shelves) == 1 and table.people[who].role == "character")):
            continue
        in_it = here is not None and here.system == name
        situation = replace(nowhere, conflict=here) if in_it else nowhere
        found = system.rolls(situation, who)
        yield from answer_of(name, _accepted_alike, (), situation, found, attrgetter("move"), what="rolls")


def _has_sheet(shelf: object, who: int) -> bool:
    return isinstance(shelf, HasSheets) and who in shelf.sheets


def _outside(situation: Situation, game: str) -> Outlook | None:
    seen = situation.systems[game].outlook(situation)
    return None if seen is None else _allowed(situation, seen)


def _in_conflict(situation: Situation) -> Outlook:
    """Returns the available actions in this conflict: the game's own, and two kinds that every game has.

    The two kinds answer an offered concession, and questions that do not stop play.
    """
    table, conflict = situation.table, situation.here
    system = SYSTEMS[conflict.system]
    bare = Outlook(conflict.id, (system.turn(table, conflict),), ())
    own = answer_of(system.name, _outside, None, situation, system.name, what="outlook")
    seen = _allowed(situation, bare) if own is None else own
    waiting = [question for question in system.pending(table, conflict) if not question.blocks]
    told = tuple(
        question.asked for question in waiting if not question.answers and question.asked not in seen.stands
    )
    offer = conflict.concession
    offered = () if offer is None else (f"{table.name(offer.whose)} offers to concede: {offer.text}",)
    answers = (answer for question in waiting for answer in answer_commands(question))
    return replace(
        seen,
        stands=(*seen.stands, *offered, *told),
        beside=(*seen.beside, *_accepted(situation, (*_conceding(conflict), *answers))),
    )


def _conceding(conflict: OpenConflict) -> Iterator[Choice]:
    """Yields the choices to accept or refuse an offered concession, for each person of the other sides."""
    offer = conflict.concession
    if offer is not None:
        for side in conflict.sides:
            if conflict.side_of(offer.whose) != side[0]:
                for who in side:
                    yield Choice(who, c.Accept(who=who), "the conflict ends as offered")
                    yield Choice(who, c.Refuse(who=who), "play goes on")


# --- what the rules say to it -----------------------------------------------------------------------------


def _allowed(situation: Situation, seen: Outlook | UntriedOutlook) -> Outlook:
    """Returns the actions that a game offers, without those that the rules refuse.

    Each command is addressed to the situation's conflict.
    """
    offered = seen.trials if isinstance(seen, UntriedOutlook) else seen.choices
    return Outlook(
        situation.where,
        seen.stands,
        tuple(_accepted(situation, offered)),
        tuple(_possible_moves(situation, moves) for moves in seen.moves),
        tuple(_accepted(situation, seen.beside)),
    )


def _accepted(situation: Situation, offered: Iterable[Trial | Choice]) -> Iterator[Choice]:
    """Yields the choices, and a choice for each command of a trial, that the rules accept.

    Those of a trial are sorted by its `order` if it has one.
    """
    for wish in offered:
        if isinstance(wish, Trial):
            found = _tried_in_turn(situation, wish)
            yield from found if wish.order is None else sorted(found, key=wish.order)
        else:
            command = _addressed(wish.command, situation)
            if _is_allowed(situation, command):
                yield replace(wish, command=command)


def _tried_in_turn(situation: Situation, trial: Trial) -> Iterator[Choice]:
    offered: set[Any] = set()
    for wish in trial.commands():
        value = None if trial.first_of is None else getattr(wish, trial.first_of)
        if value in offered:
            continue
        command = _addressed(wish, situation)
        events = _events_of(situation, command)
        if events is None:
            if trial.until is not None:
                return
            continue
        choice = _choice(trial, Tried(situation, command, events))
        yield choice
        if trial.first_of is not None:
            offered.add(value)
        if trial.until is not None and trial.until(choice):
            return


def _choice(trial: Trial, tried: Tried) -> Choice:
    """Returns the choice for an accepted command: who acts, the command, and a sentence about its result."""
    who = getattr(tried.command, "who", GM) if trial.by is None else trial.by
    result = trial.comes_to if isinstance(trial.comes_to, str) else trial.comes_to(tried)
    return Choice(who, tried.command, *((result,) if isinstance(result, str) else result))


def _addressed(command: Command, situation: Situation) -> Command:
    """Returns the command with the id of the situation's conflict.

    Unchanged outside conflicts and for the conflict last addressed, which needs no id.
    """
    conflict = situation.conflict
    here = conflict is None or conflict is situation.table.in_play()
    return command if conflict is None or here else command.but({"conflict": conflict.id})


def _possible_moves(situation: Situation, moves: Moves) -> Moves:
    """Returns the dice a person may put forward, without ways to use them that the rules refuse.

    Of successive ways with one name (`what`) only the first is checked; its verdict applies to all.
    """
    ways = (
        way if way.command is None else way._replace(command=_addressed(way.command, situation))
        for way in moves.ways
    )
    return moves._replace(ways=tuple(_accepted_alike(situation, ways, attrgetter("what"))))


R = TypeVar("R", OwnRoll, Way)


def _accepted_alike(situation: Situation, offered: Iterable[R], name: Callable[[R], str]) -> Iterator[R]:
    """Yields the rolls or ways that the rules accept.

    Of successive ones with the same name only the first is checked; its verdict applies to all.
    """
    for _, group in groupby(offered, name):
        alike = tuple(group)
        if _is_allowed(situation, alike[0].command):
            yield from alike


def _is_allowed(situation: Situation, command: Command | None) -> bool:
    """True if the rules accept the command, or if there is none to refuse."""
    return command is None or _events_of(situation, command) is not None


def _events_of(situation: Situation, command: Command) -> list[Event] | None:
    """Returns the events that a command would record; None if the rules refuse it."""
    try:
        return decide(situation.table, command, situation.luck, situation.copies)
    except GuestError as error:
        note(error)
    except Refused:
        pass
    return None


BEGINS = re.compile(r"(?:^|: |\(|; |, or )(?P<verb>[a-z]+)(?=[ .,;:)]|$)")
"""Start of a proposed line: after a colon, in brackets, after another line."""

OPEN = re.compile(r"\b[A-Z]{2,}\b|…")
"""Placeholder left for the user to fill in."""


class ProposedLine(NamedTuple):
    """Possible line to type, found in a sentence; `at` is its index in the sentence, from 0."""

    line: str
    at: int

    @property
    def is_whole(self) -> bool:
        """True if the line has no placeholder (`NAME`, `…`) left to fill in.

        The rules may still refuse it.
        """
        return not OPEN.search(self.line)


def lines_in(sentence: str) -> Iterator[ProposedLine]:
    """Yields the lines to type that a sentence quotes; some may be plain words that begin with a verb."""
    sentence = sentence.partition(" The form is:")[0]
    for found in BEGINS.finditer(sentence):
        at = found.start("verb")
        line = sentence[at : _end_of_line(sentence, at)]
        if found["verb"] in VERBS and " " in line:  # a verb alone is mentioned, not proposed
            yield ProposedLine(line, at)


def _end_of_line(sentence: str, start: int) -> int:
    """Returns the index in `sentence` at which the line that starts at `start` ends.

    A line ends at its closing bracket, a semicolon, a comma or full stop before a blank, or the sentence's
    end.
    """
    depth, quoted = 0, False
    for place in range(start, len(sentence)):
        sign, rest = sentence[place], sentence[place + 1 :]
        quoted ^= sign == '"'
        if quoted:
            continue
        depth += (sign == "(") - (sign == ")")
        if depth < 0 or sign == ";" or (sign in ".," and (not rest or rest[0] == " ")):
            return place
    return len(sentence)


class _CachedActions(NamedTuple):
    """Cache entry: a table state, its repr (which shows the order of its contents), and available actions."""

    table: Table
    written: str
    outlooks: list[Outlook]


_CACHE: Final[deque[_CachedActions]] = deque(maxlen=4)
"""Latest results of `actions_at`; several, so that an undo finds an earlier one."""


def actions_at(table: Table) -> list[Outlook]:
    """Returns available actions as an `Outlook` per conflict, then per game outside conflicts; cached.

    A fight of eight people tries several hundred lines against the rules. The four last table states are
    cached, compared without their position, so that an undo finds its result again.
    """
    now = replace(table, position=0)
    for lately in tuple(_CACHE):
        if lately.table == now and lately.written == repr(now):
            return lately.outlooks
    seen = list(available_actions(table, Luck(FirstDealer())))
    own = copied(now)
    _CACHE.append(_CachedActions(own, repr(own), seen))
    return seen


def rolls_at(table: Table, who: int) -> tuple[OwnRoll, ...]:
    """Returns rolls that a person may make now regardless of turn."""
    return tuple(available_rolls(table, Luck(FirstDealer()), who))
