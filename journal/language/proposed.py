"""The lines that a sentence, or the table as it stands, tells somebody to type."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from journal.capabilities import Choice, HasSheets, Moves, Outlook, OwnRoll
from journal.copying import copied
from journal.decks.chance import FirstDealer, Luck
from journal.language.verbs import VERBS
from journal.line import decide
from journal.refused import none_if_refused
from journal.shared.rulings import answer_commands
from journal.state_copies import StateCopies
from journal.system import Proposal, Proposals, Situation, Tried, narrators_struck
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import GM, YET_TO_FIND, Command, Event


def available_actions(table: Table, luck: Luck) -> Iterator[Outlook]:
    """What may be said in each open conflict, the one last spoken to first; then outside them.

    `luck` is only asked whether something could be dealt; nothing comes of what it gives.
    """
    here = table.in_play()
    nowhere = Situation(table, luck, SYSTEMS, moulds=StateCopies())
    for conflict in sorted(table.conflicts.values(), key=lambda one: one is not here):
        situation = replace(nowhere, conflict=conflict)
        yield _in_conflict(situation)
    for name in table.shelves:
        seen = SYSTEMS[name].outlook(nowhere)
        if seen is not None:
            yield _checked(nowhere, seen)
    anew = narrators_struck(table)
    if anew:
        told = tuple(f"{table.name(who)}'s narration was struck." for who in anew)
        again = tuple(
            Choice(who, c.Narrate(who=who, text=YET_TO_FIND), "what was struck, anew") for who in anew
        )
        yield _checked(nowhere, Outlook(None, told, again))


def available_rolls(table: Table, luck: Luck, who: int) -> Iterator[OwnRoll]:
    """What somebody may roll for now, whoever's turn it is, in each game in which they have a sheet.

    A character without any has one as it begins where only one game is played.

    Of the rolls of one move the first is put to the rules: what they say to it holds for all of them.
    """
    here = table.in_play()
    nowhere = Situation(table, luck, SYSTEMS, moulds=StateCopies())
    for name, shelf in table.shelves.items():
        system = SYSTEMS[name]
        has_sheet = isinstance(shelf, HasSheets) and who in shelf.sheets
        if not (has_sheet or (len(table.shelves) == 1 and table.people[who].role == "character")):
            continue
        in_it = here is not None and here.system == name
        situation = replace(nowhere, conflict=here) if in_it else nowhere
        for _, same in groupby(system.rolls(situation, who), lambda one: one.move):
            of_one_move = tuple(same)
            if _may_be_said(situation, of_one_move[0].command):
                yield from of_one_move


def _in_conflict(situation: Situation) -> Outlook:
    """What the game sees, then a concession, and the questions that hold nothing up."""
    table, conflict = situation.table, situation.here
    system = SYSTEMS[conflict.system]
    own = system.outlook(situation) or Outlook(conflict.id, (system.turn(table, conflict),), ())
    seen = _checked(situation, own)
    asked = [one for one in system.pending(table, conflict) if not one.blocks]
    told = tuple(one.asked for one in asked if not one.answers and one.asked not in seen.stands)
    offer = conflict.concession
    offered = () if offer is None else (f"{table.name(offer.whose)} offers to concede: {offer.text}",)
    answers = (one for each in asked for one in answer_commands(each))
    return seen._replace(
        stands=(*seen.stands, *offered, *told),
        beside=(*seen.beside, *_accepted(situation, (*_conceding(conflict), *answers))),
    )


def _conceding(conflict: OpenConflict) -> Iterator[Choice]:
    """Taking an offer to lose, or turning it down, by every side but the one it comes from."""
    offer = conflict.concession
    if offer is not None:
        for side in conflict.sides:
            if conflict.side_of(offer.whose) != side[0]:
                for who in side:
                    yield Choice(who, c.Accept(who=who), "the conflict ends as offered")
                    yield Choice(who, c.Refuse(who=who), "play goes on")


# --- what the rules say to it -----------------------------------------------------------------------------


def _checked(situation: Situation, seen: Outlook | Proposals) -> Outlook:
    """Returns what a game offers without what the rules refuse, each command addressed to this conflict."""
    if isinstance(seen, Proposals):
        tried = (one for proposal in seen.proposals for one in _tried(situation, proposal))
        return Outlook(situation.where, seen.stands, (*_accepted(situation, seen.choices), *tried))
    moves = tuple(_possible(situation, one) for one in seen.moves)
    choices, beside = (tuple(_accepted(situation, them)) for them in (seen.choices, seen.beside))
    return seen._replace(choices=choices, beside=beside, moves=moves)


def _accepted(situation: Situation, choices: Iterable[Choice]) -> Iterator[Choice]:
    named = (one._replace(command=_to(one.command, situation)) for one in choices)
    return (one for one in named if _may_be_said(situation, one.command))


def _tried(situation: Situation, proposal: Proposal) -> Iterable[Choice]:
    """Returns the choices of a proposal that the rules accept, in its order."""
    found = _tried_in_turn(situation, proposal)
    return found if proposal.order is None else sorted(found, key=proposal.order)


def _tried_in_turn(situation: Situation, proposal: Proposal) -> Iterator[Choice]:
    offered: set[Any] = set()
    for wish in proposal.commands():
        value = None if proposal.first_of is None else getattr(wish, proposal.first_of)
        if value in offered:
            continue
        command = _to(wish, situation)
        events = _events_of(situation, command)
        if events is None:
            if proposal.until is not None:
                return
            continue
        choice = _choice(proposal, Tried(situation, command, events))
        yield choice
        if proposal.first_of is not None:
            offered.add(value)
        if proposal.until is not None and proposal.until(choice):
            return


def _choice(proposal: Proposal, tried: Tried) -> Choice:
    """Returns an accepted command with its sentence, and with the person whose action it is."""
    who = getattr(tried.command, "who", GM) if proposal.by is None else proposal.by
    result = proposal.comes_to if isinstance(proposal.comes_to, str) else proposal.comes_to(tried)
    return Choice(who, tried.command, *((result,) if isinstance(result, str) else result))


def _to(command: Command, situation: Situation) -> Command:
    """Returns the command, naming the situation's conflict if it is not the one last addressed."""
    conflict = situation.conflict
    here = conflict is None or conflict is situation.table.in_play()
    return command if conflict is None or here else command.but({"conflict": conflict.id})


def _possible(situation: Situation, moves: Moves) -> Moves:
    """The ways that are not refused: what one of a kind may do, all of that kind may."""
    answers: dict[str, bool] = {}
    ways = []
    for way in moves.ways:
        command = None if way.command is None else _to(way.command, situation)
        if command is not None and way.what not in answers:
            answers[way.what] = _may_be_said(situation, command)
        if answers.get(way.what, True):
            ways.append(way._replace(command=command))
    return moves._replace(ways=tuple(ways))


def _may_be_said(situation: Situation, command: Command) -> bool:
    return _events_of(situation, command) is not None


def _events_of(situation: Situation, command: Command) -> list[Event] | None:
    """Returns the events a command would bring about; None if the rules refuse it."""
    decision = partial(decide, situation.table, command, situation.luck, situation.moulds)
    return none_if_refused(decision)


BEGINS = re.compile(r"(?:^|: |\(|; |, or )(?P<verb>[a-z]+)(?=[ .,;:)]|$)")
"""Where a line may begin: after a colon, in brackets, after another one."""

OPEN = re.compile(r"\b[A-Z]{2,}\b|…")
"""What is left for whoever types it to fill in."""


class ProposedLine(NamedTuple):
    """A line in a sentence, as far as it may reach, and where it begins there (from 0)."""

    line: str
    at: int

    @property
    def is_whole(self) -> bool:
        """True where it leaves nothing to be filled in; the rules may refuse it yet."""
        return not OPEN.search(self.line)


def lines_in(sentence: str) -> Iterator[ProposedLine]:
    """Every line that a sentence may propose; some are words of the sentence that begin like one."""
    sentence = sentence.partition(" The form is:")[0]
    for found in BEGINS.finditer(sentence):
        at = found.start("verb")
        line = sentence[at : _end(sentence, at)]
        if found["verb"] in VERBS and " " in line:  # a verb alone is named, not typed
            yield ProposedLine(line, at)


def _end(sentence: str, start: int) -> int:
    """Where the line ends that begins there: with its bracket, its clause or the sentence."""
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


class _RecentActions(NamedTuple):
    """What was seen at a table, a copy of it, and how that is written out: in the order of what it holds."""

    table: Table
    written: str
    outlooks: list[Outlook]


_RECENT: Final[deque[_RecentActions]] = deque(maxlen=4)
"""What was seen last: at the table as it is, and as it was before what may be undone."""


def actions_at(table: Table) -> list[Outlook]:
    """What may be said at this table now, conflict by conflict and then outside them.

    In a fight of eight some hundred lines are put to the rules for it; so whoever asks at a table that is as
    it was before, wherever its line has come to, is told what was seen then.
    """
    now = replace(table, position=0)
    for lately in tuple(_RECENT):
        if lately.table == now and lately.written == repr(now):
            return lately.outlooks
    seen = list(available_actions(table, Luck(FirstDealer())))
    own = copied(now)
    _RECENT.append(_RecentActions(own, repr(own), seen))
    return seen


def rolls_at(table: Table, who: int) -> tuple[OwnRoll, ...]:
    """What somebody may roll for at this table now, whoever's turn it is."""
    return tuple(available_rolls(table, Luck(FirstDealer()), who))
