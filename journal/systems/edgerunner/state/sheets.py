"""What stands on somebody's sheet: what they are, what they can do, and what they can take."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct, field

from journal.names import fold
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.rules import Characteristic, Kind, Severity

SKILL, TRACK, ASPECT, GHOST, UPGRADE, SLOTS = "skill.", "track.", "aspect.", "ghost.", "upgrade.", "slots."
PREFIXES = (SKILL, TRACK, ASPECT, GHOST, UPGRADE, SLOTS)
"""What the keys of a sheet may begin with; one with nothing before it is a skill's, or one of `FIELDS`."""

FIELDS = ("kind", "role", "tl", "takes", "cost", "threshold", "of", *Characteristic)
"""The keys of a sheet that are neither a track's nor a skill's."""

TRACK_NAMES: Final = frozenset(
    {
        *(rules.COOL, rules.HUMANITY, rules.REPUTATION, rules.LEVERAGE, rules.PRESTIGE, rules.STRESS),
        *("integrity", "crew"),
    }
)
"""The tracks that need no `track.` before them on a sheet."""

THINGS: Final = (Kind.PROBLEM, Kind.DEVICE)
"""What has a sheet and is nobody."""

OF: Final = "of"
"""The key that says whose alternate somebody is."""

_UPGRADE: Final = re.compile(
    r"(?P<skill>[^+/:]*)(?:\+ ?(?P<boost>[0-9]{1,4}) ?)?(?:/ ?(?P<value>[0-9]{1,4}) ?)?(?::(?P<track>.+))?"
)


class Upgrade(Struct, frozen=True):
    """What an upgrade adds to which skill, its stress value, and the track that takes the strain."""

    skill: str
    boost: int
    value: int
    track: str

    @classmethod
    def read(cls, written: str) -> Upgrade | None:
        """The upgrade written as `firearms+2/0` or `/3:cool`; None for what is none.

        The number after the stroke is the stress value; without it, it is the boost.
        """
        found = _UPGRADE.fullmatch(" ".join(written.split()))
        if found is None or not (found["skill"] or found["boost"] or found["value"]):
            return None
        boost = int(found["boost"] or 0)
        value = int(found["value"]) if found["value"] is not None else boost
        return cls(fold(found["skill"]), boost, value, fold(found["track"] or rules.HUMANITY))

    def __str__(self) -> str:
        """As it is written on a sheet."""
        track = "" if self.track == rules.HUMANITY else f":{self.track}"
        return f"{self.skill}+{self.boost}/{self.value}{track}"


class Sheet(Struct):
    """Somebody or something: tracks and skills by name, in what the table typed."""

    kind: Kind = Kind.CHARACTER
    role: str | None = None
    skills: dict[str, int] = field(default_factory=dict)
    thresholds: dict[str, int] = field(default_factory=dict)
    slots: dict[Severity, int] = field(default_factory=dict)
    """How many slots for a consequence, where it is not the usual one."""
    upgrades: dict[str, Upgrade] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    """Threat level, cost, what a task takes (its step), a single track's threshold, a faction's three."""
    of: int | None = None
    """Whose alternate this is."""

    @property
    def takes_turns(self) -> bool:
        """True for people of every kind, and for a device that can do something."""
        return self.kind not in THINGS or (self.kind is Kind.DEVICE and bool(self.skills))

    def tracks(self) -> tuple[str, ...]:
        """The tracks of its own; whatever has just one has those that are named in its place."""
        usual = rules.tracks(self.kind)
        if usual == (rules.STRESS,) and self.thresholds:
            return tuple(self.thresholds)
        return (*usual, *(track for track in self.thresholds if track not in usual))

    def slots_of(self, severity: Severity) -> int:
        """How many consequences of that severity fit."""
        usual = 1 if severity in rules.slots(self.kind) else 0
        return self.slots.get(severity, usual)

    def worth(self, severity: Severity) -> int:
        """The shifts such a consequence is worth."""
        return rules.worth(self.kind, severity) or rules.WORTH[severity]

    def threshold(self, track: str, base: int, step: int | None) -> int:
        """The threshold of a track while nobody defends it: entered, or as such a thing usually has it.

        `base` is the table's for characters; `step` the length of an exchange, which tells how much of a
        problem a task is.
        """
        if track in self.thresholds:
            return self.thresholds[track]
        if "threshold" in self.numbers:
            return self.numbers["threshold"]
        if self.kind is Kind.PROBLEM and "takes" in self.numbers:
            return rules.problem_threshold(step or 0, self.numbers["takes"])
        added = self.numbers.get("tl", 0) if self.kind is Kind.MOOK else self.skills.get(track, 0)
        return rules.own_threshold(self.kind, base, added)

    def change(self, key: str, value: int | str | None) -> None:
        """Sets what stands under a key, or takes it away; aspects stand elsewhere."""
        prefix = next((one for one in PREFIXES if key.startswith(one)), "")
        name = key.removeprefix(prefix)
        if prefix == UPGRADE:
            _put(self.upgrades, name, None if value is None else Upgrade.read(str(value)))
        elif prefix == SLOTS:
            _put(self.slots, Severity(name), value)
        elif prefix == TRACK or (not prefix and key in TRACK_NAMES):
            _put(self.thresholds, name, value)
        elif key in FIELDS:
            self._set_field(key, value)
        else:
            _put(self.skills, name, value)

    def _set_field(self, key: str, value: int | str | None) -> None:
        match key:
            case "kind":
                self.kind = Kind.CHARACTER if value is None else Kind(str(value))
            case "role":
                self.role = None if value is None else str(value)
            case "of":
                self.of = value if isinstance(value, int) else None
            case _:
                _put(self.numbers, key, value)


def _put(kept: dict, key: object, value: object) -> None:  # type: ignore[type-arg]  # one dict of many
    kept.pop(key, None)
    if value is not None:
        kept[key] = value


def aspects_of(values: Mapping[str, int | str | None]) -> Iterator[tuple[str, str | None, bool]]:
    """The aspects a change of sheet speaks of: key, wording (None takes it away), whether it is a ghost's."""
    for key, value in values.items():
        if key.startswith((ASPECT, GHOST)):
            yield key, None if value is None else str(value), key.startswith(GHOST)
