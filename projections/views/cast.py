"""Cast view: people, each with role, player, phrase, and a sheet in each game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from retold.journal.capabilities import DiceSum, HasDiceSums, HasSheets, Picture
from retold.journal.guarding import answer_of
from retold.journal.shared.people import bare_purse_of
from retold.journal.systems import SYSTEMS
from retold.journal.table import Somebody, Table, placeholder_name
from retold.journal.vocabulary.base import sheet_subject
from retold.projections.views.naming import Who, fallen_by_conflict, who_if_any
from retold.projections.views.rows import is_track, rows
from retold.projections.views.sheet import NOBODY, Change, Row, Seen, plain

FULL: Final = "full"
"""Sheet key of a person's maximum health."""


class PersonSeen(NamedTuple):
    """Person in the cast; `name` and `phrase` are null once redacted.

    `sheets` and `games` (the game's current name) are by system, the game's permanent name.
    """

    id: int
    name: str | None
    role: str
    player: Who | None
    phrase: str | None
    aliases: tuple[str, ...]
    sheets: Mapping[str, Mapping[str, Any]]
    out: bool
    retired: bool = False
    games: Mapping[str, str] = MappingProxyType({})
    secret: bool = False
    """True for a person not known to the whole table."""
    secret_sheets: tuple[str, ...] = ()
    """Systems whose sheet is not known to the whole table."""
    dice: Mapping[str, tuple[DiceSum, ...]] = MappingProxyType({})
    """Sums of dice on a sheet, by system, in games whose sheets hold dice."""
    pronouns: str | None = None
    """Pronouns as typed, such as `she/her`; None without any, and once redacted."""
    forms: Mapping[str, str] = MappingProxyType({})
    """Forms of the name, by case such as `acc`."""

    @property
    def part(self) -> str:
        """Person's role, pronouns and flags as text: `character, she/her, secret, out`."""
        flags = {"secret": self.secret, "out": self.out, "retired": self.retired}
        parts = (self.role, self.pronouns, *(word for word, holds in flags.items() if holds))
        return ", ".join(filter(None, parts))

    def row(self) -> Row:
        """Returns this person as a table row; one cell holds all sheets."""
        sheets = (
            f"{self.games[system]}: {sheet}{' (secret)' if system in self.secret_sheets else ''}"
            for system, sheet in told_sheets(self).items()
        )
        return Row.keyed(
            (placeholder_name(self.id) if self.name is None else self.name,),
            self.part,
            self.player.name if self.player else NOBODY,
            self.phrase or NOBODY,
            " | ".join(sheets) or NOBODY,
        )


class Cast(Seen, frozen=True):
    """Answer of the cast view: people known to the viewer.

    JSON: `{"cast": [{"id", "name", "role", "player", "phrase", "aliases", "sheets", "out", …}]}`.
    """

    view = "cast"
    title = "Cast"
    columns = ("Who", "Role", "Player", "Phrase", "Sheet")
    cast: tuple[PersonSeen, ...]


UNTOLD: Final[tuple[object, ...]] = (None, {}, [], "hidden", "character")
"""Values on a sheet that tell a reader nothing, left out of its line."""


def told_sheets(person: PersonSeen) -> Mapping[str, str]:
    """Returns each sheet of a person as one text line, sums of dice at its end, by system."""
    return {
        system: " · ".join(filter(None, (flat(sheet), _dice(person.dice.get(system, ())))))
        for system, sheet in person.sheets.items()
    }


def _dice(sums: Iterable[DiceSum]) -> str:
    return ", ".join(f"{dice.number} {dice.what} ({dice.dice})" for dice in sums if dice.number)


def flat(value: Any) -> str:  # noqa: ANN401 -- a sheet holds anything
    """Returns a sheet, or a value of one, as one text line: `{"stress": 2}` → `stress 2`."""
    if isinstance(value, Mapping):
        return ", ".join(
            f"{key} ({flat(held)})" if isinstance(held, Mapping) else f"{key} {flat(held)}".strip()
            for key, held in value.items()
            if held not in UNTOLD and held is not False
        ).replace("_", " ")
    if value is True:
        return ""
    return " + ".join(map(str, value)) if isinstance(value, list) else str(value)


def of(table: Table) -> Cast:
    """Returns the cast in order of introduction, without the party's purse and a game master of no player."""
    return Cast(tuple(person(table, somebody) for somebody in _members(table)))


def _members(table: Table) -> Iterator[Somebody]:
    purse = bare_purse_of(table)
    return (
        somebody
        for somebody in table.everybody()
        if (somebody.role != "gm" or somebody.player is not None) and somebody.id != purse
    )


def person(table: Table, somebody: Somebody) -> PersonSeen:
    """Returns the cast view's entry for one person."""
    sheets = _sheets_of(table, somebody.id)
    return PersonSeen(
        somebody.id,
        somebody.name.text and table.shown(somebody.id),
        somebody.role,
        who_if_any(table, somebody.player),
        None if somebody.text is None else somebody.text.text,
        tuple(alias.text for alias in somebody.aliases if alias.text is not None and somebody.role != "gm"),
        sheets,
        any(somebody.id in fallen for fallen in fallen_by_conflict(table)),
        somebody.retired,
        {system: SYSTEMS[system].called(table) for system in sheets},
        table.secret(somebody.id) is not None,
        tuple(system for system in sheets if sheet_subject(system, somebody.id) in table.secrets),
        {
            system: tuple(answer_of(system, shelf.dice_sums, (), somebody.id, each=DiceSum))
            for system, shelf in table.shelves.items()
            if system in sheets and isinstance(shelf, HasDiceSums)
        },
        None if somebody.pronouns is None else somebody.pronouns.text,
        somebody.forms_by_case,
    )


def _sheets_of(table: Table, person: int) -> dict[str, dict[str, Any]]:
    return {
        system: sheet
        for system in table.shelves
        if (sheet := answer_of(system, _sheet_of, None, table, system, person, what="sheets")) is not None
    }


class Difference(NamedTuple):
    """Old and new text under one key of a person's sheet; None where the key was absent."""

    person: int
    system: str
    key: str
    was: str | None
    now: str | None


def sheet_changes(before: Table, after: Table) -> Iterator[Change]:
    """Yields differences between sheets in two table states, in the form of the cast view's changes."""
    for difference in differences(before, after):
        about = (
            f"{after.name(difference.person)}, {difference.key} ({SYSTEMS[difference.system].called(after)})"
        )
        yield Change("cast", about, difference.was, difference.now)


def differences(before: Table, after: Table) -> Iterator[Difference]:
    """Yields differences in sheets of people in both table states.

    Values that another view shows (points, health, tracks) are left out.
    """
    was, now = (
        {somebody.id: _sheets_of(table, somebody.id) for somebody in _members(table)}
        for table in (before, after)
    )
    counted = set(_counted(after))
    for person, sheets in now.items():
        for system, sheet in sheets.items():
            old = was[person].get(system) if person in was else None
            if old is None:
                continue
            ours, theirs = dict(_leaves(old)), dict(_leaves(sheet))
            for key in dict.fromkeys((*theirs, *ours)):
                if ours.get(key) != theirs.get(key) and (person, key) not in counted:
                    yield Difference(person, system, key, ours.get(key), theirs.get(key))


def _counted(table: Table) -> Iterator[tuple[int | str | None, str]]:
    """Yields person and sheet key of each value that another view shows: points, health and tracks."""
    for _, _, row in rows(table):
        if row.picture in (Picture.POINTS, Picture.HEALTH) or is_track(row):
            yield row.who, row.what
        if row.picture is Picture.HEALTH:
            yield row.who, FULL


def _leaves(sheet: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in sheet.items():
        if isinstance(value, Mapping):
            yield from _leaves(value)
        elif value not in (None, []):
            yield key, flat(value)


def _sheet_of(table: Table, system: str, person: int) -> dict[str, Any] | None:
    """Returns a person's sheet as JSON values, names in place of people's numbers; None without a sheet."""
    shelf = table.shelves[system]
    if not isinstance(shelf, HasSheets) or person not in shelf.sheets:
        return None
    held: dict[str, Any] = plain(shelf.sheets[person])
    named = SYSTEMS[system].person_keys
    return {
        key: table.name(value) if key in named and isinstance(value, int) else value
        for key, value in held.items()
    }
