"""What may be said now, in every game that is open; each line has been put to the rules first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from msgspec.structs import replace

from journal.capabilities import Choice, HasSheets, Moves, Outlook, OwnRoll
from journal.decks.chance import Luck
from journal.line import decide
from journal.moulds import Moulds
from journal.refused import Refused
from journal.shared.rulings import answering
from journal.system import Situation, to_tell_anew
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command
from journal.words import YET_TO_FIND


def outlooks(table: Table, luck: Luck) -> Iterator[Outlook]:
    """What may be said in each open conflict, the one last spoken to first; then outside them.

    `luck` is only asked whether something could be dealt; nothing comes of what it gives.
    """
    here = table.in_play()
    nowhere = Situation(table, luck, SYSTEMS, moulds=Moulds())
    for conflict in sorted(table.conflicts.values(), key=lambda one: one is not here):
        situation = replace(nowhere, conflict=conflict)
        yield _checked(situation, _in_conflict(situation))
    for name in table.shelves:
        seen = SYSTEMS[name].outlook(nowhere)
        if seen is not None:
            yield _checked(nowhere, seen)
    anew = to_tell_anew(table)
    if anew:
        told = tuple(f"{table.name(who)}'s narration was struck." for who in anew)
        again = tuple(
            Choice(who, c.Narrate(who=who, text=YET_TO_FIND), "what was struck, anew") for who in anew
        )
        yield _checked(nowhere, Outlook(None, told, again))


def rolls(table: Table, luck: Luck, who: int) -> Iterator[OwnRoll]:
    """What somebody may roll for now, whoever's turn it is, in each game in which they have a sheet.

    A character without any has one as it begins where only one game is played.

    Of the rolls of one move the first is put to the rules: what they say to it holds for all of them.
    """
    here = table.in_play()
    nowhere = Situation(table, luck, SYSTEMS, moulds=Moulds())
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
    seen = system.outlook(situation) or Outlook(conflict.id, (system.turn(table, conflict),), ())
    asked = [one for one in system.pending(table, conflict) if not one.blocks]
    told = tuple(one.asked for one in asked if not one.answers and one.asked not in seen.stands)
    offer = conflict.concession
    offered = () if offer is None else (f"{table.name(offer.whose)} offers to concede: {offer.text}",)
    return seen._replace(
        stands=(*seen.stands, *offered, *told),
        beside=(*seen.beside, *_conceding(conflict), *(one for each in asked for one in answering(each))),
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


def _checked(situation: Situation, seen: Outlook) -> Outlook:
    """The same without what would be refused, each line spoken to this conflict."""
    conflict = situation.conflict
    named = None if conflict is None or conflict is situation.table.in_play() else conflict.id

    def kept(choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
        spoken = (one._replace(command=_to(one.command, named)) for one in choices)
        return tuple(one for one in spoken if _may_be_said(situation, one.command))

    moves = tuple(_possible(situation, one, named) for one in seen.moves)
    return seen._replace(choices=kept(seen.choices), beside=kept(seen.beside), moves=moves)


def _to(command: Command, conflict: int | None) -> Command:
    """The command, spoken to a conflict other than the one last spoken to."""
    return command if conflict is None else command.but({"conflict": conflict})


def _possible(situation: Situation, moves: Moves, named: int | None) -> Moves:
    """The ways that are not refused: what one of a kind may do, all of that kind may."""
    answers: dict[str, bool] = {}
    ways = []
    for way in moves.ways:
        command = None if way.command is None else _to(way.command, named)
        if command is not None and way.what not in answers:
            answers[way.what] = _may_be_said(situation, command)
        if answers.get(way.what, True):
            ways.append(way._replace(command=command))
    return moves._replace(ways=tuple(ways))


def _may_be_said(situation: Situation, command: Command) -> bool:
    try:
        decide(situation.table, command, situation.luck, situation.moulds)
    except Refused:
        return False
    return True
