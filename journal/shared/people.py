"""Who is in the cast, who plays whom, and what stands on their sheets."""

from __future__ import annotations

from msgspec.structs import replace

from journal.names import clean, fold
from journal.refused import Refused
from journal.system import Situation, System, system_meant
from journal.table import Somebody, Table
from journal.visibility import TABLE
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event, Newcomer, Value
from journal.words import Words


class Arrivals:
    """Gives out ids to newcomers within one act, in the order they are met."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._table = situation.table
        self._next = situation.table.next_person(situation.visible_to)
        self._here: dict[str, int] = {}
        self.events: list[Event] = []

    def id(self, who: Newcomer, role: str, text: Words | None = None) -> int:
        """The id of `who`; somebody not heard of before is introduced as `role`."""
        if isinstance(who, int):
            return who
        name = clean(who.text or "")
        known = self._here.get(fold(name))
        if known is None:
            known = self._table.called(name)
        if known is not None:
            return known
        person, self._next = self._next, self._next + 1
        self._here[fold(name)] = person
        self.events.append(e.CastIntroduced.of({"person": person, "name": who, "role": role, "text": text}))
        return person

    def met(self) -> Situation:
        """The situation as it will be once the newcomers are known: for sentences, and for checking names."""
        new = {
            event.person: Somebody(event.person, event.name, event.role)
            for event in self.events
            if isinstance(event, e.CastIntroduced)
        }
        return replace(self._situation, table=replace(self._table, people={**self._table.people, **new}))


def _player(arrivals: Arrivals, by: Newcomer) -> int:
    """Who plays somebody; Refused for the word that stands for everybody."""
    player = arrivals.id(by, "player")
    if fold(arrivals.met().name(player)) == TABLE:
        raise Refused(f"{TABLE} stands for the whole table: say who it is, with by=NAME.")
    return player


def cast(situation: Situation, command: c.Cast) -> list[Event]:
    """Somebody is introduced, or something about somebody known changes."""
    arrivals = Arrivals(situation)
    person = arrivals.id(command.who, "character", command.text)
    new = person not in situation.table.people
    events: list[Event] = arrivals.events
    seated = not new and situation.table.people[person].player is not None and command.by is not None
    if command.by is not None:
        # What is said when somebody else takes them over is about that, and describes nobody.
        why = command.text if seated else None
        events.append(e.PlayerSeated(person=person, player=_player(arrivals, command.by), text=why))
    changing = _tells_of_a_change(situation, person, command)
    if not new and not seated and not changing and command.text is not None:
        events.append(e.Described(person=person, text=command.text))
    events += _renamings(arrivals.met().table, person, command)
    others = {key: arrivals.id(who, "player") for key, who in command.people.items()}
    if command.values or others:
        change = _sheet_change(situation, person, command, others)
        events.append(change.but({"text": command.text}) if changing and not seated else change)
    if not new and situation.table.people[person].retired:
        events.append(e.PersonReturned(person=person))
    if not events:
        raise Refused(f"{situation.name(person)} is in the cast already, and nothing about them changes.")
    return events


def _tells_of_a_change(situation: Situation, person: int, command: c.Cast) -> bool:
    """True where the text is about the numbers beside it, and the description from before stays."""
    known = situation.table.people.get(person)
    said_before = known is not None and known.text is not None
    return said_before and not command.describe and bool(command.values or command.people)


def retire(situation: Situation, command: c.Retire) -> list[Event]:
    """Somebody is played no longer."""
    table, person = situation.table, command.person
    if person == GM:
        raise Refused("The game master's chair is not retired: cast gm by=NAME seats somebody else.")
    if table.people[person].retired:
        raise Refused(
            f"{table.name(person)} is retired already: cast {table.quoted(person)} brings them back."
        )
    if any(person in conflict.people for conflict in table.conflicts.values()):
        raise Refused(f"{table.name(person)} is in an open conflict, and can retire after it.")
    return [e.PersonRetired(person=person, text=command.text)]


def _renamings(table: Table, person: int, command: c.Cast) -> list[Event]:
    events: list[Event] = []
    for words, event in (
        (command.name, e.Renamed(person=person, name=command.name or Words(""))),
        (command.alias, e.AliasGiven(person=person, alias=command.alias or Words(""))),
    ):
        if words is None:
            continue
        taken = table.called(clean(words.text or ""))
        if taken not in (None, person):
            raise Refused(f"There is a {table.name(taken or 0)} already: choose another name.")
        events.append(event)
    return events


def _sheet_change(
    situation: Situation, person: int, command: c.Cast, others: dict[str, int]
) -> e.SheetChanged:
    if person == GM:
        raise Refused("The game master has no sheet.")
    system = sheet_system(situation, command.system)
    values: dict[str, Value | None] = dict(others)
    for key, value in command.values.items():
        if value is None:
            values[fold(key)] = None
        else:
            regular, read = system.read_sheet(fold(key), str(value))
            values[regular] = read
    system.fits(situation, values)
    return e.SheetChanged(person=person, system=system.name, values=dict(sorted(values.items())))


def sheet_system(situation: Situation, named: str | None) -> System:
    """The system whose sheet is meant; Refused where nobody says which, and none or several are played."""
    found = system_meant(situation.table, situation.systems, situation.conflict, named)
    if found is not None:
        return found
    known = ", ".join(situation.systems)
    raise Refused(f"Say which system that is for: {known} (which is any other). Or play a game: game NAME.")
