"""Decisions about the cast: introducing, renaming, seating players, merging and retiring people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import convert
from msgspec.structs import replace

from retold.journal.capabilities import HasDecks, HasRows, HasSheets
from retold.journal.games import OF_FILES
from retold.journal.grammar import check_case, check_pronouns
from retold.journal.names import clean, normalise, quoted
from retold.journal.refused import Refused
from retold.journal.system import Situation, System, games_played, system_meant
from retold.journal.table import Somebody, Table
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event, Newcomer, Value, Words


class NewcomerIds:
    """Assigns ids to the people that one command introduces, in the order named; `events` introduces them."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._table = situation.table
        self._here: dict[str, int] = {}
        self.events: list[Event] = []

    def id(self, who: Newcomer, role: str, text: Words | None = None) -> int:
        """Returns the id of a person, given by id or name.

        An unknown name gets the next free id, and an event introducing it as `role` is added to `events`.
        """
        if isinstance(who, int):
            return who
        name = clean(who.text or "")
        known = self._here.get(normalise(name))
        if known is None:
            known = self._table.called(name)
        if known is not None:
            return known
        person = self._table.next_person(self._situation.visible_to, name, self._here.values())
        self._here[normalise(name)] = person
        self.events.append(e.CastIntroduced.of({"person": person, "name": who, "role": role, "text": text}))
        return person

    def met(self) -> Situation:
        """Returns a copy of the situation in which the newcomers have names."""
        new = {
            event.person: Somebody(event.person, event.name, event.role)
            for event in self.events
            if isinstance(event, e.CastIntroduced)
        }
        return replace(self._situation, table=replace(self._table, people={**self._table.people, **new}))


_ONE_OF_SEVERAL: Final = re.compile(r"\w[\w .'\u2019-]{0,59}")
"""One name of several joined by `+`; a text with other signs is one name."""


def _players(arrivals: NewcomerIds, person: int, by: Newcomer) -> list[int]:
    """Returns the ids of the players named after `by=`: one, or several game masters, `by=Mary+Bo`."""
    names = [] if isinstance(by, int) else [name.strip() for name in (by.text or "").split("+")]
    if person != GM or not names[1:] or not all(map(_ONE_OF_SEVERAL.fullmatch, names)):
        return [_player(arrivals, by)]
    return list(dict.fromkeys(_player(arrivals, Words(name)) for name in names))


def _player(arrivals: NewcomerIds, by: Newcomer) -> int:
    """Returns the id of the player named after `by=`, introducing a new one.

    Raises Refused for the name `table`, which means all.
    """
    player = arrivals.id(by, "player")
    if normalise(arrivals.met().name(player)) == TABLE:
        raise Refused(f"{TABLE} means the whole table: name the person, with by=NAME.")
    return player


def cast(situation: Situation, command: c.Cast) -> list[Event]:
    """Returns the events that introduce a person, or change a known person's name, player or sheet.

    The text of a secret newcomer is an event of its own, which their first open act does not show.
    """
    arrivals = NewcomerIds(situation)
    in_secret = situation.visible_to != TABLE
    person = arrivals.id(command.who, "character", command.opens if in_secret else command.text)
    new = person not in situation.table.people
    if command.opens is not None and not (new and in_secret):
        raise Refused(_no_opening(situation, person, new=new))
    events: list[Event] = arrivals.events
    seated = not new and situation.table.people[person].player is not None and command.by is not None
    if command.by is not None:
        # The text of a change of players gives its reason and does not describe the person.
        why = command.text if seated else None
        first, *more = _players(arrivals, person, command.by)
        events.append(e.PlayerSeated(person=person, player=first, text=why))
        events += (e.GameMasterJoined(player=other) for other in more)
    changing = _tells_of_a_change(situation, person, command)
    told = command.text is not None and not seated and not changing and (in_secret or not new)
    if told or command.pronouns is not None:
        events.append(_described(person, command, told=told))
    events += _renamings(arrivals.met().table, person, command)
    events += (
        e.AliasGiven(person=person, alias=form, case=check_case(case)) for case, form in command.forms.items()
    )
    others = {key: arrivals.id(who, "player") for key, who in command.people.items()}
    if command.values or others:
        if person == GM:
            raise Refused("The game master has no sheet.")
        system = sheet_system(situation, command.system)
        beside = _kept_beside(situation.table, system, command)
        typed = {key: value for key, value in command.values.items() if key not in beside}
        if others or typed:
            change = _sheet_change(situation, person, system, typed, others)
            events.append(change.but({"text": command.text}) if changing and not seated else change)
        met = arrivals.met()
        for keep in (convert({"who": person, **amount}, system.keeps) for amount in beside.values()):
            events += system.anytime[type(keep)](met, keep)
    if not new and situation.table.people[person].retired:
        events.append(e.PersonReturned(person=person))
    if not events:
        raise Refused(f"{situation.name(person)} is in the cast already, and nothing about them changes.")
    return events


def _no_opening(situation: Situation, person: int, *, new: bool) -> str:
    """Returns the sentence that refuses `opens=` for a person who is not cast in secret now."""
    if new:
        return "opens= is for a person cast in secret (--gm, --to NAMES): else the phrase is after a colon."
    return f"{situation.name(person)} is in the cast already: cast {situation.quoted(person)}: PHRASE."


def _described(person: int, command: c.Cast, *, told: bool) -> e.Described:
    """Returns the event that sets the person's pronouns, if given, and their phrase if the text is one."""
    pronouns = command.pronouns
    if pronouns is not None and pronouns.text is not None:
        check_pronouns(pronouns.text)
    return e.Described(person=person, text=command.text if told else None, pronouns=pronouns)


def _tells_of_a_change(situation: Situation, person: int, command: c.Cast) -> bool:
    """True if the line changes the sheet of a person described earlier.

    The line's text then explains the change, and does not replace the description.
    """
    known = situation.table.people.get(person)
    said_before = known is not None and known.text is not None
    return said_before and not command.describe and bool(command.values or command.people)


def retire(situation: Situation, command: c.Retire) -> list[Event]:
    """Returns the event that retires a person from play.

    Raises Refused for the game master, a retired person, and people in an open conflict.
    """
    table, person = situation.table, command.person
    if person == GM:
        raise Refused("The game master cannot be retired: cast gm by=NAME names another player for it.")
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


def _kept_beside(table: Table, system: System, command: c.Cast) -> dict[str, dict[str, str]]:
    """Returns the keys that name a counter beside the sheet, such as hp, each with its track and value."""
    words = {normalise(word): word for word, kind in system.shorthands(table).items() if kind is system.keeps}
    return {
        key: {"track": words[normalise(key)], "value": str(value)}
        for key, value in command.values.items()
        if value is not None and normalise(key) in words
    }


def _sheet_change(
    situation: Situation,
    person: int,
    system: System,
    typed: Mapping[str, Value | None],
    others: Mapping[str, int],
) -> e.SheetChanged:
    values: dict[str, Value | None] = dict(others)
    for key, value in typed.items():
        if value is None:
            values[normalise(key)] = None
        else:
            regular, read = system.read_sheet(normalise(key), str(value))
            values[regular] = read
    system.fits(situation, values)
    return e.SheetChanged(person=person, system=system.name, values=dict(sorted(values.items())))


def sheet_system(situation: Situation, named: str | None) -> System:
    """Returns the game of a sheet: the game named, else the conflict's, else the only game played.

    Raises Refused if no game is named and not exactly one is played.
    """
    found = system_meant(situation.table, situation.systems, situation.conflict, named)
    if found is not None:
        return found
    known = ", ".join(situation.systems)
    if games_played(situation.table, situation.systems):
        raise Refused(
            f"Several games are played here; say which this is for: {known} (homebrew is any other)."
        )
    own = (f"game {quoted(name)}" for name in situation.systems if name != OF_FILES)
    lines = (*own, "game d20", "game plain")
    unknown = Refused(f"Say first which game is played (plain is any other): {', or '.join(lines)}.")
    unknown.lines = lines
    raise unknown


def merge_people(situation: Situation, command: c.Merge) -> list[Event]:
    """Returns the event that merges two people into one.

    Raises Refused if the person merged away has a sheet or is in an open conflict, if the two have different
    players, and if they have different phrases and the line has no text to replace both.
    """
    if command.person is None or command.into is None:
        raise Refused(f"Name both people: {command.example}")
    table = situation.table
    gone, stays = table.people[command.person], table.people[command.into]
    _check_two(gone, stays)
    _check_conflicts(table, gone, stays)
    _check_games(situation, gone, stays)
    _check_said_once(table, gone, stays, command)
    return [e.Merged(person=gone.id, into=stays.id, text=command.text)]


def _check_two(gone: Somebody, stays: Somebody) -> None:
    if gone is stays:
        raise Refused(f"Both names are {gone.called}: name two different ones.")
    if GM in (gone.id, stays.id):
        raise Refused("The game master cannot be merged: cast gm by=NAME names the player.")
    if "player" in (gone.role, stays.role) and gone.role != stays.role:
        player, played = (gone, stays) if gone.role == "player" else (stays, gone)
        raise Refused(f"{player.called} is a player and {played.called} is not, so they are two.")


def _check_conflicts(table: Table, gone: Somebody, stays: Somebody) -> None:
    people = [conflict.people for conflict in table.conflicts.values()]
    if any(gone.id in members and stays.id in members for members in people):
        both = f"{gone.called} and {stays.called}"
        raise Refused(f"{both} are two in an open conflict, and can be one once it is over.")
    if any(gone.id in members for members in people):
        raise Refused(f"{gone.called} is in an open conflict, and can be merged once it is over.")


def _check_games(situation: Situation, gone: Somebody, stays: Somebody) -> None:
    """Raises Refused if a game stores a sheet or points of the person to be merged away, `gone`.

    A game's data cannot move to another id; if `stays` has none, merging the other way round is proposed.
    """
    table = situation.table
    held, other = (tuple(_games(table, person.id)) for person in (gone, stays))
    if not held:
        return
    game = situation.systems[held[0]].title
    if not other:
        raise Refused(
            f"{game} keeps what {gone.called} has under that name, so merge the other way round:"
            f" merge {table.quoted(stays.id)} into {table.quoted(gone.id)}. A new name comes after it:"
            f" cast {table.quoted(gone.id)} name=NAME."
        )
    raise Refused(
        f"{gone.called} has a sheet of {game}, and {stays.called} one of"
        f" {situation.systems[other[0]].title}, and Retold cannot choose between them. Play on as one of"
        f" them, and retire the other: retire {table.quoted(gone.id)}."
    )


def _games(table: Table, person: int) -> Iterator[str]:
    """Yields the names of games that store a sheet, a counted value or a deck of the person."""
    for game, shelf in table.shelves.items():
        sheets = isinstance(shelf, HasSheets) and person in shelf.sheets
        rows = isinstance(shelf, HasRows) and any(row.who == person for row in shelf.rows())
        decks = isinstance(shelf, HasDecks) and any(deck.owner == person for deck in shelf.decks())
        if sheets or rows or decks:
            yield game


def _check_said_once(table: Table, gone: Somebody, stays: Somebody, command: c.Merge) -> None:
    if command.text is None and None not in (gone.text, stays.text) and gone.text != stays.text:
        raise Refused(
            f"Both have a phrase: say which they have from now on, after a colon: merge"
            f" {table.quoted(gone.id)} into {table.quoted(stays.id)}: {stays.text}"
        )
    if None not in (gone.player, stays.player) and gone.player != stays.player:
        player = table.quoted(stays.player or GM)
        raise Refused(
            f"{table.name(gone.player or GM)} plays {gone.called}, and {table.name(stays.player or GM)} plays"
            f" {stays.called}: say who plays them both first: cast {table.quoted(gone.id)} by={player}"
        )


# --- what the whole party owns ----------------------------------------------------------------------------


PURSE: Final = Words("The purse")
"""Name of the party's purse."""

_PURSES: Final = ("the purse", "purse", "the party", "party")
"""Names of a person of the cast that mean the party's purse, the likeliest first."""


def purse_of(table: Table) -> int | None:
    """Returns the id of the party's purse; None before anything was put there."""
    found = (table.called(name) for name in _PURSES)
    return next((who for who in found if who is not None), table.once_called(str(PURSE)))


def bare_purse_of(table: Table) -> int | None:
    """Returns the id of the party's purse if it came with the first money; None if it was cast."""
    purse = purse_of(table)
    return None if purse is None or table.people[purse].role != "side" else purse
