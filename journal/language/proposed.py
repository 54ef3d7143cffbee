"""Lines to propose: actions available at a table, and lines quoted in a sentence."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from itertools import groupby
from typing import Final, NamedTuple

from msgspec.structs import replace

from journal.capabilities import Choice, HasSheets, Moves, Outlook, OwnRoll
from journal.copying import copied
from journal.decks.chance import FirstDealer, Luck
from journal.language.verbs import VERBS
from journal.line import decide
from journal.refused import Refused
from journal.shared.rulings import answer_commands
from journal.state_copies import StateCopies
from journal.system import Situation, narrators_struck
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import YET_TO_FIND, Command


def available_actions(table: Table, luck: Luck) -> Iterator[Outlook]:
    """Yields available actions per open conflict, the last addressed first, then those outside conflicts.

    `luck` only answers whether something could be dealt; its results are discarded.
    """
    here = table.in_play()
    nowhere = Situation(table, luck, SYSTEMS, copies=StateCopies())
    for conflict in sorted(table.conflicts.values(), key=lambda conflict: conflict is not here):
        situation = replace(nowhere, conflict=conflict)
        yield _allowed(situation, _in_conflict(situation))
    for name in table.shelves:
        seen = SYSTEMS[name].outlook(nowhere)
        if seen is not None:
            yield _allowed(nowhere, seen)
    anew = narrators_struck(table)
    if anew:
        told = tuple(f"{table.name(who)}'s narration was struck." for who in anew)
        again = tuple(
            Choice(who, c.Narrate(who=who, text=YET_TO_FIND), "what was struck, anew") for who in anew
        )
        yield _allowed(nowhere, Outlook(None, told, again))


def available_rolls(table: Table, luck: Luck, who: int) -> Iterator[OwnRoll]:
    """Yields rolls a person may make now regardless of turn, in each game where they have a sheet.

    A character without a sheet uses the initial one if a single game is played. Of the rolls of one move only
    the first is checked against the rules; the result applies to all of them.
    """
    here = table.in_play()
    nowhere = Situation(table, luck, SYSTEMS, copies=StateCopies())
    for name, shelf in table.shelves.items():
        system = SYSTEMS[name]
        has_sheet = isinstance(shelf, HasSheets) and who in shelf.sheets
        if not (has_sheet or (len(table.shelves) == 1 and table.people[who].role == "character")):
            continue
        in_it = here is not None and here.system == name
        situation = replace(nowhere, conflict=here) if in_it else nowhere
        for _, same in groupby(system.rolls(situation, who), lambda roll: roll.move):
            of_one_move = tuple(same)
            if _is_allowed(situation, of_one_move[0].command):
                yield from of_one_move


def _in_conflict(situation: Situation) -> Outlook:
    """The game's available actions in this conflict, plus answers to a concession and to open questions."""
    table, conflict = situation.table, situation.here
    system = SYSTEMS[conflict.system]
    seen = system.outlook(situation) or Outlook(conflict.id, (system.turn(table, conflict),), ())
    asked = [question for question in system.pending(table, conflict) if not question.blocks]
    told = tuple(
        question.asked for question in asked if not question.answers and question.asked not in seen.stands
    )
    offer = conflict.concession
    offered = () if offer is None else (f"{table.name(offer.whose)} offers to concede: {offer.text}",)
    return seen._replace(
        stands=(*seen.stands, *offered, *told),
        beside=(
            *seen.beside,
            *_conceding(conflict),
            *(answer for each in asked for answer in answer_commands(each)),
        ),
    )


def _conceding(conflict: OpenConflict) -> Iterator[Choice]:
    """Yields accept and refuse for an offered concession, for every person of the other sides."""
    offer = conflict.concession
    if offer is not None:
        for side in conflict.sides:
            if conflict.side_of(offer.whose) != side[0]:
                for who in side:
                    yield Choice(who, c.Accept(who=who), "the conflict ends as offered")
                    yield Choice(who, c.Refuse(who=who), "play goes on")


# --- what the rules say to it -----------------------------------------------------------------------------


def _allowed(situation: Situation, seen: Outlook) -> Outlook:
    """Removes actions the rules would refuse; adds the conflict to each command where needed."""
    conflict = situation.conflict
    named = None if conflict is None or conflict is situation.table.in_play() else conflict.id

    def kept(choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
        spoken = (choice._replace(command=_addressed(choice.command, named)) for choice in choices)
        return tuple(choice for choice in spoken if _is_allowed(situation, choice.command))

    moves = tuple(_possible_moves(situation, move, named) for move in seen.moves)
    return seen._replace(choices=kept(seen.choices), beside=kept(seen.beside), moves=moves)


def _addressed(command: Command, conflict: int | None) -> Command:
    """Returns the command addressed to `conflict`; unchanged for None, the conflict in play."""
    return command if conflict is None else command.but({"conflict": conflict})


def _possible_moves(situation: Situation, moves: Moves, named: int | None) -> Moves:
    """Removes impossible moves; only one move of each kind is checked against the rules."""
    answers: dict[str, bool] = {}
    ways = []
    for way in moves.ways:
        command = None if way.command is None else _addressed(way.command, named)
        if command is not None and way.what not in answers:
            answers[way.what] = _is_allowed(situation, command)
        if answers.get(way.what, True):
            ways.append(way._replace(command=command))
    return moves._replace(ways=tuple(ways))


def _is_allowed(situation: Situation, command: Command) -> bool:
    try:
        decide(situation.table, command, situation.luck, situation.copies)
    except Refused:
        return False
    return True


BEGINS = re.compile(r"(?:^|: |\(|; |, or )(?P<verb>[a-z]+)(?=[ .,;:)]|$)")
"""Start of a proposed line: after a colon, in brackets, after another line."""

OPEN = re.compile(r"\b[A-Z]{2,}\b|…")
"""Placeholder left for the user to fill in."""


class ProposedLine(NamedTuple):
    """Candidate line found in a sentence, and its start index, from 0."""

    line: str
    at: int

    @property
    def is_whole(self) -> bool:
        """True if the line has no placeholder left to fill in; the rules may still refuse it."""
        return not OPEN.search(self.line)


def lines_in(sentence: str) -> Iterator[ProposedLine]:
    """Yields candidate lines quoted in a sentence; some may be plain words that start with a verb."""
    sentence = sentence.partition(" The form is:")[0]
    for found in BEGINS.finditer(sentence):
        at = found.start("verb")
        line = sentence[at : _end_of_line(sentence, at)]
        if found["verb"] in VERBS and " " in line:  # a verb alone is mentioned, not proposed
            yield ProposedLine(line, at)


def _end_of_line(sentence: str, start: int) -> int:
    """End index of the line that starts at `start`: its closing bracket, clause end or sentence end."""
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
    """Cache entry: a table, its repr (which reveals the order of its contents) and the available actions."""

    table: Table
    written: str
    outlooks: list[Outlook]


_CACHE: Final[deque[_CachedActions]] = deque(maxlen=4)
"""Latest results of `actions_at`; several, so that an undo finds an earlier one."""


def actions_at(table: Table) -> list[Outlook]:
    """Returns available actions at this table, conflict by conflict, then outside conflicts; cached.

    A fight of eight people tries several hundred lines against the rules. The four last tables are cached,
    compared without their position, so that an undo finds its result again.
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
    """Rolls available to a person at this table, regardless of turn."""
    return tuple(available_rolls(table, Luck(FirstDealer()), who))
