"""Open rolls: their parts, targets, and shifts."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.rules import Act


@dataclass(slots=True, kw_only=True)
class OpenRoll:
    """A roll that aspects, stress and consequences can still change."""

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
        """The shifts before range and resistance are subtracted."""
        gained = self.dice + self.level + self.invoked + self.boosted + self.spins + self.ruled
        return gained - self.bid - self.opposed

    @property
    def targets(self) -> tuple[int, ...]:
        """The people this roll targets, who may resist."""
        return ()


@dataclass(slots=True, kw_only=True)
class SkillRoll(OpenRoll):
    """A roll outside conflicts: a challenge, or a contest against a number or an opponent."""

    opponent: int | None = None
    contest: bool = False
    takes: int | None = None
    spent: int = 0
    altered: bool = False
    """True after altering a consequence with this roll."""

    @property
    def targets(self) -> tuple[int, ...]:
        """The opponent, if this roll has one."""
        return () if self.opponent is None else (self.opponent,)

    @property
    def left(self) -> int:
        """The unspent shifts, 0 or more."""
        return max(0, self.shifts - self.spent)


@dataclass(slots=True, kw_only=True)
class Finding(OpenRoll):
    """An assessment or declaration that invokes can still change."""

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
        """The person assessed; none for declarations and things."""
        return (self.on,) if self.assessed and isinstance(self.on, int) else ()


@dataclass(kw_only=True)
class Purpose:
    """Target, track, wording and path of an act, with the same fields as `ActionDeclared`."""

    target: int | str | None = None
    about: int | None = None
    also: tuple[int, ...] = ()
    track: str | None = None
    aspect: str | None = None
    path: tuple[g.Step, ...] = ()
    asset: int | None = None

    @classmethod
    def of(cls, act: Purpose | g.ActionDeclared) -> dict[str, Any]:
        """Returns the purpose fields of an act or event as a dict."""
        return {field.name: getattr(act, field.name) for field in fields(cls)}


@dataclass(slots=True, kw_only=True)
class Action(OpenRoll, Purpose):
    """An act in an exchange: its purpose and its open roll."""

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
        """The shifts before range and resistance; each continuation adds 1 to a deployment."""
        grown = self.continued if self.act is Act.DEPLOY else 0
        return OpenRoll.made.fget(self) + grown  # type: ignore[attr-defined,no-any-return]  # slots: no super()

    @property
    def targets(self) -> tuple[int, ...]:
        """The people this act targets, without the actor."""
        first = (self.target,) if isinstance(self.target, int) else ()
        return tuple(person for person in (*first, *self.also) if person != self.who)

    def same_as(self, other: Action) -> bool:
        """True if skill, act and target are equal, so that the act is continued and not rolled again.

        Track and wording may differ: the same shifts can be spent on others.
        """
        return (self.skill, self.act, self.target, self.about, self.asset) == (
            other.skill,
            other.act,
            other.target,
            other.about,
            other.asset,
        )
