"""Cast view: people, with their role, player, phrase, and sheet in each system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple

from journal.capabilities import DiceSum, HasDiceSums, HasSheets, Picture
from journal.systems import SYSTEMS
from journal.table import Somebody, Table, placeholder_name
from journal.vocabulary.base import sheet_subject
from projections.views.naming import Who, fallen_by_conflict, who
from projections.views.rows import is_track, rows
from projections.views.sheet import NOBODY, Change, Row, Seen, Sheet, plain

FULL: Final = "full"
"""Sheet key of a person's maximum health."""


class PersonSeen(NamedTuple):
    """Person in the cast; `name` and `phrase` are null once redacted.

    `games` gives the current name of the game, by the system of each sheet.
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

    @property
    def part(self) -> str:
        """Role and flags, such as `character, secret, out`."""
        flags = {"secret": self.secret, "out": self.out, "retired": self.retired}
        parts = (self.role, *(word for word, holds in flags.items() if holds))
        return ", ".join(filter(None, parts))


class Cast(Seen, frozen=True):
    """JSON: `{"cast": [{"id", "name", "role", "player", "phrase", "aliases", "sheets", "out", …}]}`."""

    view: ClassVar[str] = "cast"
    cast: tuple[PersonSeen, ...]

    def sheet(self) -> Sheet:
        """Rows of people; one cell holds all sheets."""
        rows = tuple(
            Row.keyed(
                (_called(one),),
                one.part,
                one.player.name if one.player else NOBODY,
                one.phrase or NOBODY,
                _sheets(one) or NOBODY,
            )
            for one in self.cast
        )
        return Sheet("Cast", ("Who", "Role", "Player", "Phrase", "Sheet"), rows)


def _called(one: PersonSeen) -> str:
    return placeholder_name(one.id) if one.name is None else one.name


def _sheets(one: PersonSeen) -> str:
    return " | ".join(
        f"{one.games[system]}: {sheet}{' (secret)' if system in one.secret_sheets else ''}"
        for system, sheet in told_sheets(one).items()
    )


def told_sheets(one: PersonSeen) -> Mapping[str, str]:
    """Sheets of a person as single lines, by system, followed by sums of dice."""
    return {
        system: " · ".join(filter(None, (flat(sheet), _dice(one.dice.get(system, ())))))
        for system, sheet in one.sheets.items()
    }


def _dice(sums: Iterable[DiceSum]) -> str:
    return ", ".join(f"{one.number} {one.what} ({one.dice})" for one in sums if one.number)


def flat(value: Any) -> str:  # noqa: ANN401 -- a sheet holds anything
    """Formats a sheet, or a value of one, as a single line."""
    if isinstance(value, Mapping):
        filled = {key: one for key, one in value.items() if one not in (None, {}, [])}
        return ", ".join(
            f"{key} ({flat(one)})" if isinstance(one, Mapping) else f"{key} {flat(one)}"
            for key, one in filled.items()
        )
    return " + ".join(map(str, value)) if isinstance(value, list) else str(value)


def of(table: Table) -> Cast:
    """Cast of a table in order of introduction, without a game master whom no player plays."""
    return Cast(
        tuple(person(table, one) for one in table.everybody() if one.role != "gm" or one.player is not None)
    )


def person(table: Table, one: Somebody) -> PersonSeen:
    """Entry of one person in the cast view."""
    sheets = {
        system: _sheet(table, system, shelf.sheets[one.id])
        for system, shelf in table.shelves.items()
        if isinstance(shelf, HasSheets) and one.id in shelf.sheets
    }
    return PersonSeen(
        one.id,
        one.name.text and table.shown(one.id),
        one.role,
        None if one.player is None else who(table, one.player),
        None if one.text is None else one.text.text,
        tuple(alias.text for alias in one.aliases if alias.text is not None and one.role != "gm"),
        sheets,
        any(one.id in fallen for fallen in fallen_by_conflict(table)),
        one.retired,
        {system: SYSTEMS[system].called(table) for system in sheets},
        table.secret(one.id) is not None,
        tuple(system for system in sheets if sheet_subject(system, one.id) in table.secrets),
        {
            system: tuple(shelf.dice_sums(one.id))
            for system, shelf in table.shelves.items()
            if system in sheets and isinstance(shelf, HasDiceSums)
        },
    )


class Difference(NamedTuple):
    """Old and new value under a key of a person's sheet; None if absent."""

    person: int
    system: str
    key: str
    was: str | None
    now: str | None


def sheet_changes(before: Table, after: Table) -> Iterator[Change]:
    """Yields differences between sheets as changes of the cast view."""
    for one in differences(before, after):
        about = f"{after.name(one.person)}, {one.key} ({SYSTEMS[one.system].called(after)})"
        yield Change("cast", about, one.was, one.now)


def differences(before: Table, after: Table) -> Iterator[Difference]:
    """Yields sheet differences of people in both tables, without values shown by another view."""
    was, now = ({one.id: one for one in of(table).cast} for table in (before, after))
    counted = set(_counted(after))
    for person, one in now.items():
        for system, sheet in one.sheets.items():
            old = was[person].sheets.get(system) if person in was else None
            if old is None:
                continue
            ours, theirs = dict(_leaves(old)), dict(_leaves(sheet))
            for key in dict.fromkeys((*theirs, *ours)):
                if ours.get(key) != theirs.get(key) and (person, key) not in counted:
                    yield Difference(person, system, key, ours.get(key), theirs.get(key))


def _counted(table: Table) -> Iterator[tuple[int | str | None, str]]:
    """Yields person and sheet key of values shown by another view: points, health and tracks."""
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


def _sheet(table: Table, system: str, sheet: object) -> dict[str, Any]:
    """Sheet as JSON values; person numbers are replaced by names."""
    held: dict[str, Any] = plain(sheet)
    named = SYSTEMS[system].person_keys
    return {
        key: table.name(value) if key in named and isinstance(value, int) else value
        for key, value in held.items()
    }
