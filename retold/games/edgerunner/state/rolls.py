"""Open rolls (rolls that can still be changed): their parts, the people targeted, their total in shifts."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from retold.games.edgerunner import events as g
from retold.games.edgerunner.rules import Act


@dataclass(slots=True, kw_only=True)
class OpenRoll:
    """A roll that can still be changed by invokes of aspects, stress and consequences."""

    who: int
    skill: str | None
    level: int
    dice: int = 0
    opposed: int = 0
    """Level of the opposing skill."""
    bid: int = 0
    invoked: int = 0
    boosted: int = 0
    spins: int = 0
    ruled: int = 0
    resisted: int = 0
    resisters: set[int] = field(default_factory=set)
    """Targets who have resisted this roll."""
    used: set[int] = field(default_factory=set)
    """Aspects invoked on this roll, each at most once."""
    relieved: set[int] = field(default_factory=set)
    """Nomads who have taken this hit for a comrade, each at most once."""
    armoured: set[tuple[int, str]] = field(default_factory=set)
    """Upgrades used to resist, with their owners; each costs strain once."""
    strained: dict[int, set[str]] = field(default_factory=dict)
    """Tracks marked to boost or resist this roll, by person."""
    upgrade: str | None = None
    rolled: bool = False
    shifts: int = 0
    """Total after the last change."""

    @property
    def made(self) -> int:
        """The roll's total before the shifts lost to distance and resistance are subtracted."""
        gained = self.dice + self.level + self.invoked + self.boosted + self.spins + self.ruled
        return gained - self.bid - self.opposed

    @property
    def targets(self) -> tuple[int, ...]:
        """Ids of people targeted by this roll, who may resist it; empty in this base class."""
        return ()


@dataclass(slots=True, kw_only=True)
class SkillRoll(OpenRoll):
    """A skill roll outside conflicts: a challenge, or a contest against a number or an opponent's skill."""

    opponent: int | None = None
    contest: bool = False
    takes: int | None = None
    spent: int = 0
    at: int = 0
    """Position of the roll's first event."""
    scenes: int = 0
    """Number of scenes at that time."""
    altered: bool = False
    """True after altering a consequence with this roll."""

    @property
    def targets(self) -> tuple[int, ...]:
        """Id of the opponent; empty if the roll is against a number or nothing."""
        return () if self.opponent is None else (self.opponent,)

    @property
    def left(self) -> int:
        """Shifts not spent yet, 0 or more."""
        return max(0, self.shifts - self.spent)


@dataclass(slots=True, kw_only=True)
class Finding(OpenRoll):
    """An assessment or declaration, whose total invokes can still change.

    Assessing means looking for an existing aspect; declaring means adding a new one by votes and dice.
    """

    assessed: bool
    aspect: int
    on: int | str
    wording: str
    free: int = 0
    there: bool = True
    alone: bool = False
    """True for a declaration by the whole table, which gives no free invokes."""

    @property
    def targets(self) -> tuple[int, ...]:
        """Id of the person whose aspect was assessed; empty for declarations and for aspects of things."""
        return (self.on,) if self.assessed and isinstance(self.on, int) else ()


@dataclass(kw_only=True)
class Purpose:
    """Aim of an act: target, track, wording and path, in fields named as in `ActionDeclared`."""

    target: int | str | None = None
    about: int | None = None
    also: tuple[int, ...] = ()
    track: str | None = None
    aspect: str | None = None
    path: tuple[g.Step, ...] = ()
    asset: int | None = None

    @classmethod
    def of(cls, act: Purpose | g.ActionDeclared) -> dict[str, Any]:
        """Returns the fields of Purpose, by name, with the values they have in an act or event."""
        return {field.name: getattr(act, field.name) for field in fields(cls)}


@dataclass(slots=True, kw_only=True)
class Action(OpenRoll, Purpose):
    """An act (attack, move …) in an exchange: its aim, and its roll that can still be changed."""

    act: Act
    interrupt: bool = False
    extra: bool = False
    """True for an upgrade's additional act, which cannot be continued."""
    continued: int = 0
    """Number of continuations."""
    softened: int = 0
    """Stress a faction has absorbed of its asset's overflow."""

    @property
    def made(self) -> int:
        """The act's total before distance and resistance; each continuation of a deployment adds 1."""
        grown = self.continued if self.act is Act.DEPLOY else 0
        return OpenRoll.made.fget(self) + grown  # type: ignore[attr-defined,no-any-return]  # slots: no super()

    @property
    def targets(self) -> tuple[int, ...]:
        """Ids of the people this act is aimed at, without the actor."""
        first = (self.target,) if isinstance(self.target, int) else ()
        return tuple(person for person in (*first, *self.also) if person != self.who)

    def same_as(self, other: Action) -> bool:
        """True if both acts share kind, skill and target, so that the act is continued, not rolled again.

        Track and wording may differ: the same shifts can be spent on others.
        """
        return (self.skill, self.act, self.target, self.about, self.asset) == (
            other.skill,
            other.act,
            other.target,
            other.about,
            other.asset,
        )
