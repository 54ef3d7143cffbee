"""What stands on a character's sheet: stats in d6, and everything that can be brought into a conflict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct, field

from journal.capabilities import DiceSum
from journal.decks.dice import parse, text
from journal.systems.guenask import events as g
from journal.systems.guenask.rules import Stat

FAMILY = "family"
"""Stands on a sheet for the dice of a relationship to family that nobody chose dice for."""

RELATIONSHIP, BELONGING, DANGER, TRAIT = "rel.", "obj.", "danger.", "trait."

PREFIXES = (RELATIONSHIP, BELONGING, DANGER, TRAIT)
"""What the keys of a sheet may begin with; one with nothing before it is a trait's, or one of `FIELDS`."""

STAT_DICE, TRAIT_DICE, RELATIONSHIP_DICE = "stat dice", "trait dice", "relationship dice"
"""What a background gives so many of."""

D6 = 6

FIELDS = (*Stat, "stages", "unassigned", "background", "accomplishment")


class Sheet(Struct):
    """One character: stats in d6, and the dice of traits, belongings and relationships by name."""

    stats: dict[str, int] = field(default_factory=dict)
    traits: dict[str, str] = field(default_factory=dict)
    belongings: dict[str, str] = field(default_factory=dict)
    dangerous: set[str] = field(default_factory=set)
    relationships: dict[str, str] = field(default_factory=dict)
    unassigned: str | None = None
    stages: int | None = None
    background: str | None = None
    accomplishment: str | None = None

    def things(self) -> Iterator[Thing]:
        """Everything that can be brought into a conflict."""
        for name, dice in self.traits.items():
            yield Thing(name, "trait", dice)
        for name, dice in self.belongings.items():
            yield Thing(name, "belonging", dice, name in self.dangerous)
        for name, dice in self.relationships.items():
            yield Thing(name, "relationship", dice)

    def dice_sums(self) -> Iterator[DiceSum]:
        """The stat, trait and relationship dice: with those kept for later, without the default of family."""
        chosen = [one for one in self.relationships.values() if one != FAMILY]
        kept = [] if self.unassigned is None else [self.unassigned]
        yield _sum(STAT_DICE, [D6] * sum(self.stats.values()))
        yield _sum(TRAIT_DICE, _sizes(self.traits.values()))
        yield _sum(RELATIONSHIP_DICE, _sizes([*chosen, *kept]))

    def change(self, key: str, value: int | str | None) -> None:
        """One value of the sheet is set; None takes it away."""
        if key in tuple(Stat):
            self.stats.pop(key, None)
            if isinstance(value, int):
                self.stats[key] = value
        elif key == "stages":
            self.stages = value if isinstance(value, int) else None
        elif key in FIELDS:
            setattr(self, key, None if value is None else str(value))
        else:
            self._change_thing(key, value)

    def _change_thing(self, key: str, value: int | str | None) -> None:
        prefix = next((one for one in PREFIXES if key.startswith(one)), TRAIT)
        name = key.removeprefix(prefix)
        kept = {RELATIONSHIP: self.relationships, TRAIT: self.traits}.get(prefix, self.belongings)
        kept.pop(name, None)
        if kept is self.belongings:
            self.dangerous.discard(name)
        if value is not None:
            kept[name] = str(value)
            if prefix == DANGER:
                self.dangerous.add(name)


class Thing(NamedTuple):
    """Something with dice that can be brought into a conflict."""

    name: str
    source: g.Source
    dice: str
    dangerous: bool = False

    @property
    def prefix(self) -> str:
        """What its key on a sheet begins with."""
        if self.source == "belonging":
            return DANGER if self.dangerous else BELONGING
        return RELATIONSHIP if self.source == "relationship" else TRAIT


def _sizes(expressions: Iterable[str]) -> list[int]:
    return [size for one in expressions for size in parse(one)]


def _sum(what: str, sizes: list[int]) -> DiceSum:
    return DiceSum(what, len(sizes), text(sorted(sizes)))
