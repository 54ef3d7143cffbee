"""What a fighter's sheet says: the numbers to fight with, other stats, abilities in a word."""

from __future__ import annotations

from msgspec import Struct, field

from journal.names import fold

NUMBERS = ("combat", "base", "die", "hp")
"""What everybody needs who fights."""


class Sheet(Struct):
    """One fighter: what they fight with, `hp` now and at their `full`, other stats, abilities in a word."""

    combat: int | None = None
    base: int | None = None
    die: int | None = None
    hp: int | None = None
    full: int | None = None
    faction: str | None = None
    stats: dict[str, int] = field(default_factory=dict)
    abilities: dict[str, str] = field(default_factory=dict)

    def stat(self, key: str) -> int | None:
        """A number of theirs by its name; None if they have none of that name."""
        own: dict[str, int | None] = {
            "combat": self.combat,
            "base": self.base,
            "die": self.die,
            "hp": self.hp,
        }
        return own[key] if key in own else self.stats.get(key)

    @property
    def missing(self) -> tuple[str, ...]:
        """What they still need before they can fight."""
        return tuple(key for key in NUMBERS if self.stat(key) is None)

    def change(self, key: str, value: int | str | None) -> None:
        """One value of the sheet is set; None takes it away."""
        number = value if isinstance(value, int) else None
        match key:
            case "combat":
                self.combat = number
            case "base":
                self.base = number
            case "die":
                self.die = number
            case "hp":
                self.hp = self.full = number
            case "faction":
                self.faction = None if value is None else fold(str(value))
            case _:
                self.stats.pop(key, None)
                self.abilities.pop(key, None)
                if isinstance(value, int):
                    self.stats[key] = value
                elif value is not None:
                    self.abilities[key] = value
