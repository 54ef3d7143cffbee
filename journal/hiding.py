"""Secrets in play: audiences of events, sealing of hidden dice, and revealing people who act openly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from journal.capabilities import HasSheets
from journal.options import ACTING, SCREEN, of_the_table
from journal.refused import Refused
from journal.systems import SYSTEMS
from journal.table import Secret, Table
from journal.visibility import TABLE, VisibleTo, common_audience, is_secret_number
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Command, Event, Words, numbers_in

# --- who may see each event of an act ---------------------------------------------------------------------

OPENS_TO_ALL = (c.OpenConflict, c.Join)
"""Commands that everybody sees, and of which `--gm` hides the newcomers alone."""


def audiences(table: Table, command: Command, events: Sequence[Event], wanted: VisibleTo) -> list[VisibleTo]:
    """Returns each event's audience in an act said for `wanted`; Refused if an event cannot be hidden.

    An event about a secret subject is always as secret as its subject.
    """
    if wanted != TABLE and isinstance(command, OPENS_TO_ALL):
        _check_somebody_hidden(command, events)
    _check_somebody_known(events)
    return [
        reduce(
            common_audience,
            (table.secrets[subject].visible_to for subject in event.subjects() if subject in table.secrets),
            _audience(table, command, event, wanted),
        )
        for event in events
    ]


def _audience(table: Table, command: Command, event: Event, wanted: VisibleTo) -> VisibleTo:
    """Returns the audience of an event by its own line, ignoring its subjects."""
    if wanted == TABLE or isinstance(event, e.RolledInSecret):
        return TABLE if wanted == TABLE or of_the_table(table, SCREEN) == "told" else wanted
    if may_be_hidden(table, event):
        _check_not_known(table, event)
        return wanted
    if isinstance(command, OPENS_TO_ALL):
        return TABLE  # whoever does not know the people does not see it either
    if names_secret(event):
        return wanted if event.only_words else TABLE  # words stay hidden when the person is revealed
    in_conflict = getattr(event, "conflict", None) is not None
    where = "counts in the conflict" if in_conflict else "changes what everybody knows"
    raise Refused(
        f"This {command.verb} {where}, and all can see that it was made:"
        " say it openly, or keep the secret in a note (note --gm: …)."
    )


def may_be_hidden(table: Table, event: Event) -> bool:
    """True if an event may be hidden; events of a conflict's open procedure may not."""
    conflict = table.conflicts.get(getattr(event, "conflict", None) or 0)
    if conflict is None:
        return event.only_words or event.hideable
    game = SYSTEMS[conflict.system]
    is_procedure = type(event) in game.evolve and type(event) not in game.events
    return (event.only_words or event.hideable) and not is_procedure


def names_secret(event: Event) -> bool:
    """True if an event names a person or thing introduced in secret."""
    return any(is_secret_number(number) for number in numbers_in(event))


def _check_somebody_hidden(command: Command, events: Sequence[Event]) -> None:
    """Raises Refused if `--gm` on an openly visible line hides no person."""
    if not any(map(names_secret, events)):
        raise Refused(
            f"Everybody in this {command.verb} is known to all, so there is nobody to hide: leave --gm out,"
            " or cast them in secret first (cast NAME --gm)."
        )


def _check_somebody_known(events: Sequence[Event]) -> None:
    """Raises Refused for a conflict with only secret people, of which players would see no side."""
    for event in events:
        if isinstance(event, e.ConflictOpened) and all(map(is_secret_number, numbers_in(event.sides))):
            raise Refused("Everybody in this conflict is secret: name somebody in it whom all know.")


def _check_not_known(table: Table, event: Event) -> None:
    """Raises Refused for a hidden change of a public value, which the next open change would show."""
    if names_secret(event) or any(subject in table.secrets for subject in event.subjects()):
        return
    known = event.continues
    if isinstance(event, e.SheetChanged):
        shelf = table.shelves.get(event.system)
        known = isinstance(shelf, HasSheets) and event.person in shelf.sheets
    if known:
        raise Refused("Everybody knows this, so a change of it is no secret: say it without --gm or --to.")


# --- dice behind the screen -------------------------------------------------------------------------------


def seal_results(events: Sequence[Event], visible_to: VisibleTo) -> Iterator[e.RolledInSecret]:
    """Yields the public event for hidden dice or cards, with the results as sealed words."""
    if visible_to == TABLE or not (results := results_text(events)):
        return
    draws = any(isinstance(event, e.CardsDrawn) for event in events)
    conflict = next((getattr(event, "conflict", None) for event in events), None)
    yield e.RolledInSecret(conflict=conflict, what="draw" if draws else "roll", sealed=Words(results))


def results_text(events: Sequence[Event]) -> str:
    """Dice, cards and totals as they are sealed: `1d20: 17; total 21`; empty where nothing came up."""
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
    """Returns the events that reveal secret people named by an open act: docs/language.md, Secrets.

    Raises ActsInSecret where the table has chosen to be asked.
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
    """Yields the events that reveal a secret person, their player and, on request, their sheet."""
    secret, player = table.secret(person), table.people[person].player
    if player is not None and table.secret(player) is not None:
        yield from _shown(table, player, with_sheet=False)
    for position in () if secret is None else secret.positions:
        yield e.Shown(about=position, person=person)
    for kept in sheet_secrets(table, person) if with_sheet else ():
        for position in kept.positions:
            yield e.Shown(about=position, person=person, sheet=True)


class ActsInSecret(Refused):
    """Raised if a secret person would act openly and the table has chosen to be asked first."""

    def __init__(self, person: int, sentence: str) -> None:
        super().__init__(sentence)
        self.args = (person, sentence)  # what pickle makes it again from
        self.person = person


def sheet_secrets(table: Table, person: int) -> list[Secret]:
    """Secrets on a person's sheets, in every game."""
    return [secret for subject, secret in table.secrets.items() if owner_of_sheet(subject) == person]


def owner_of_sheet(subject: str) -> int | None:
    """Person whose sheet holds a subject (`sheet …`, `track …`); None for other subjects."""
    match subject.split(" ", 2):
        case ["sheet", _, person] | ["track", person, _]:
            return int(person)
    return None
