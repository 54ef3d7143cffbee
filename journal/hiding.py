"""Secrets in play: who may see each event, sealing of hidden dice, and revealing of people who act openly.

A secret subject is a person, sheet, track or clock introduced with `--gm` or `--to`; events about it are
hidden from all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from retold.journal.capabilities import HasSheets
from retold.journal.guarding import fault_of
from retold.journal.options import ACTING, SCREEN, of_the_table
from retold.journal.refused import Refused
from retold.journal.systems import SYSTEMS
from retold.journal.table import Secret, Table
from retold.journal.visibility import TABLE, VisibleTo, common_audience, is_secret_number
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event, Words, numbers_in

# --- who may see each event of an act ---------------------------------------------------------------------

OPENS_TO_ALL = (c.OpenConflict, c.Join)
"""Public commands of which `--gm` hides the newcomers alone."""


def audiences(table: Table, command: Command, events: Sequence[Event], wanted: VisibleTo) -> list[VisibleTo]:
    """Returns who may see each event of a command, as one audience per event, in order.

    `wanted` is the audience the user asked for: `--gm`, `--to`, or the whole table. Events about a secret
    subject are at least as secret as that subject. Raises Refused for an event that cannot be hidden.
    """
    if wanted != TABLE and isinstance(command, OPENS_TO_ALL):
        _check_somebody_hidden(command, events)
    _check_somebody_known(events)
    return [
        reduce(
            common_audience,
            (table.secrets[subject].visible_to for subject in subjects_of(event) if subject in table.secrets),
            _audience(table, command, event, wanted),
        )
        for event in events
    ]


def subjects_of(event: Event) -> tuple[str, ...]:
    """Returns keys of the secrets that decide who may see an event; GuestError if its guest cannot say."""
    try:
        return event.subjects()
    except Exception as error:
        if (fault := fault_of(error)) is not None:
            raise fault from error
        raise


def _audience(table: Table, command: Command, event: Event, wanted: VisibleTo) -> VisibleTo:
    """Returns the audience of one event by the user's wish `wanted` alone, secret subjects left aside.

    Raises Refused for an event that cannot be hidden.
    """
    if wanted == TABLE or isinstance(event, e.RolledInSecret):
        return TABLE if wanted == TABLE or of_the_table(table, SCREEN) == "told" else wanted
    if may_be_hidden(table, event):
        _check_not_known(table, event)
        return wanted
    if isinstance(command, OPENS_TO_ALL):
        return TABLE  # hidden anyway from viewers who do not know its people
    if names_secret(event):
        if event.only_words:
            return wanted  # words stay hidden when the person is revealed
        _check_unknown_to_others(table, command, event, wanted)
        return TABLE
    in_conflict = getattr(event, "conflict", None) is not None
    where = "counts in the conflict" if in_conflict else "changes what everyone knows"
    raise Refused(
        f"This {command.verb} {where}, and all can see that it was made:"
        " say it openly, or keep the secret in a note (note --gm: …)."
    )


def _check_unknown_to_others(table: Table, command: Command, event: Event, wanted: VisibleTo) -> None:
    """Raises Refused if people outside the audience `wanted` know the secret people an event names.

    Such an event is hidden by its people alone, so it cannot be hidden from people who know them.
    """
    knows: VisibleTo = TABLE
    for number in numbers_in(event):
        secret = table.secret(number)
        knows = knows if secret is None else common_audience(knows, secret.visible_to)
    within = () if isinstance(wanted, str) else wanted
    known_to = () if isinstance(knows, str) else knows
    more = [person for person in known_to if not _circle(table, person).intersection(within)]
    names = [table.name(person) for person in more]
    if names:
        everybody = ",".join(table.quoted(person) for person in dict.fromkeys((*within, *known_to)))
        raise Refused(
            f"{' and '.join(names)} may know who is in this {command.verb}, so it cannot be hidden from them:"
            f" say it with --to {everybody}, or keep the secret in a note (note --gm: …)."
        )


def _circle(table: Table, person: int) -> set[int | None]:
    """Returns a person with their player and the characters they play, who all know the same."""
    played = (somebody.id for somebody in table.everybody() if somebody.player == person)
    return {person, table.people[person].player, *played} - {None}


def may_be_hidden(table: Table, event: Event) -> bool:
    """True if the event may be hidden from players: speech, a roll, a clock and so on.

    False for events that are part of an open conflict's rules, such as turns, as all must follow these.
    """
    conflict = table.conflicts.get(getattr(event, "conflict", None) or 0)
    if conflict is None:
        return event.only_words or event.hideable
    game = SYSTEMS[conflict.system]
    is_procedure = type(event) in game.evolve and type(event) not in game.events
    return (event.only_words or event.hideable) and not is_procedure


def names_secret(event: Event) -> bool:
    """True if a field of the event holds the id of a person or thing introduced in secret."""
    return any(is_secret_number(number) for number in numbers_in(event))


def _check_somebody_hidden(command: Command, events: Sequence[Event]) -> None:
    """Raises Refused if a `conflict` or `join` line with `--gm` names no secret person."""
    if not any(map(names_secret, events)):
        raise Refused(
            f"All people in this {command.verb} are public, so --gm has nothing to hide: leave it out,"
            " or cast one of them in secret first (cast NAME --gm)."
        )


def _check_somebody_known(events: Sequence[Event]) -> None:
    """Raises Refused for opening a conflict of secret people only, which would have no visible side."""
    for event in events:
        if isinstance(event, e.ConflictOpened) and all(map(is_secret_number, numbers_in(event.sides))):
            raise Refused("All people in this conflict are secret: name a public one as well.")


def _check_not_known(table: Table, event: Event) -> None:
    """Raises Refused for a hidden event that changes a public value, such as a public sheet.

    Otherwise the next public change would give the hidden one away.
    """
    if names_secret(event) or any(subject in table.secrets for subject in subjects_of(event)):
        return
    known = event.continues
    if isinstance(event, e.SheetChanged):
        shelf = table.shelves.get(event.system)
        known = isinstance(shelf, HasSheets) and event.person in shelf.sheets
    if known:
        raise Refused("This is public, so a change of it cannot be secret: leave out --gm and --to.")


# --- dice behind the screen -------------------------------------------------------------------------------


def seal_results(events: Sequence[Event], visible_to: VisibleTo) -> Iterator[e.RolledInSecret]:
    """Yields one public event for a hidden roll or draw, with the results sealed: provable later, unread now.

    Yields nothing for an open command, or if no dice or cards came up.
    """
    if visible_to == TABLE or not (results := results_text(events)):
        return
    draws = any(isinstance(event, e.CardsDrawn) for event in events)
    conflict = next((getattr(event, "conflict", None) for event in events), None)
    yield e.RolledInSecret(conflict=conflict, what="draw" if draws else "roll", sealed=Words(results))


def results_text(events: Sequence[Event]) -> str:
    """Text of the dice, cards and totals in `events`, to be sealed: `1d20: 17; total 21`.

    Empty if there are none.
    """
    return "; ".join(filter(None, map(_result_text, events)))


def _result_text(event: Event) -> str:
    if isinstance(event, e.TotalReached):
        return f"total {event.total}"
    if event.luck is None:
        return ""
    what = event.dice if isinstance(event, e.DiceRolled) else getattr(event, "deck", event.kind)
    return f"{what}: {' '.join(map(str, getattr(event, event.luck)))}"


# --- acting opens -----------------------------------------------------------------------------------------


def revealed_by(
    table: Table, command: Command, events: Sequence[Event], visible_to: VisibleTo
) -> list[e.Shown]:
    """Returns events that reveal each secret person who takes part in a public act; empty for hidden acts.

    Raises ActsInSecret if the table option `acting` is `ask`. Rule: docs/language.md, Secrets.
    """
    if visible_to != TABLE or not command.acting or not table.secrets:
        return []
    named = dict.fromkeys(number for event in events for number in numbers_in(event))
    people = [person for person in named if table.secret(person) is not None]
    acting = of_the_table(table, ACTING)
    if people and acting == "ask":
        name, who = table.name(people[0]), table.quoted(people[0])
        raise ActsInSecret(
            people[0],
            f"{name} is in the cast in secret. To show them to all first: reveal {who}."
            " To act unseen: say it with --gm.",
        )
    return [shown for person in people for shown in _shown(table, person, with_sheet=acting == "sheet")]


def _shown(table: Table, person: int, *, with_sheet: bool) -> Iterator[e.Shown]:
    """Yields events that reveal a secret person, their secret player and, `with_sheet`, their sheets."""
    secret, player = table.secret(person), table.people[person].player
    if player is not None and table.secret(player) is not None:
        yield from _shown(table, player, with_sheet=False)
    for position in () if secret is None else secret.positions:
        yield e.Shown(about=position, person=person)
    for kept in sheet_secrets(table, person) if with_sheet else ():
        for position in kept.positions:
            yield e.Shown(about=position, person=person, sheet=True)


class ActsInSecret(Refused):
    """Refusal to let the secret `person` act openly, as the table option `acting` is `ask`."""

    def __init__(self, person: int, sentence: str) -> None:
        super().__init__(sentence)
        self.args = (person, sentence)  # pickle calls the class with `args`
        self.person = person


def sheet_secrets(table: Table, person: int) -> list[Secret]:
    """Returns the secrets about a person's sheets and tracks, in every game."""
    return [secret for subject, secret in table.secrets.items() if owner_of_sheet(subject) == person]


def owner_of_sheet(subject: str) -> int | None:
    """Returns the person's id from a subject like `sheet GAME 7` or `track 7 hp`; None for others."""
    match subject.split(" ", 2):
        case ["sheet", _, person] | ["track", person, _]:
            return int(person)
    return None
