"""Exchanges, turns, and the acts declared in them."""

from __future__ import annotations

from typing import ClassVar, Literal

from journal.systems.edgerunner.events.parts import Bid, On, Step
from journal.systems.edgerunner.rules import Act
from journal.vocabulary.base import Id, InConflict, PersonInConflict, Whole, kinds
from journal.words import Words


class ExchangeBegan(InConflict):
    """Everybody may act once more. `exchange` counts from 1; `step` is its length on the time track."""

    kind: ClassVar[str] = "edgerunner.exchange-began"
    exchange: Id
    step: Whole | None = None
    length: Words | None = None
    text: Words | None = None


class TurnClaimed(PersonInConflict):
    """It is somebody's turn; what they bid for it, if they had to, comes off their roll."""

    kind: ClassVar[str] = "edgerunner.turn-claimed"
    bids: tuple[Bid, ...] = ()
    text: Words | None = None


class BidsTied(InConflict):
    """Several bid the same: the caller decides."""

    kind: ClassVar[str] = "edgerunner.bids-tied"
    bids: tuple[Bid, ...]


class ActionDeclared(PersonInConflict):
    """Somebody says what they do in this exchange, before any dice.

    `target` is whom or what it is aimed at (None: themselves), `also` more whom one act moves; `track` what
    is attacked, defended or recovered; `aspect` the wording a maneuver would place; `path` where a move goes;
    `asset` whom a faction deploys into the first zone of `path`; `about` is the number of the aspect that is
    the target, if one is. `level` is the skill with what always adds to it; `against` the skill that opposes,
    and `opposed` its level, where the table plays so. `extra` is an act an upgrade gives beside the turn.
    """

    kind: ClassVar[str] = "edgerunner.action-declared"
    act: Act
    skill: str | None = None
    level: Whole = 0
    target: On | None = None
    about: Id | None = None
    also: tuple[Id, ...] = ()
    track: str | None = None
    aspect: str | None = None
    path: tuple[Step, ...] = ()
    asset: Id | None = None
    upgrade: str | None = None
    against: str | None = None
    opposed: Whole | None = None
    interrupt: bool = False
    extra: Literal[True] | None = None
    text: Words | None = None


class ActionContinued(PersonInConflict):
    """Somebody keeps at what they did in the last exchange: the same act, skill and target, without dice.

    `times` counts how often it has been continued; `path` is where a move goes on; `track` and `aspect` are
    what the shifts go into now, where that is not what it was.
    """

    kind: ClassVar[str] = "edgerunner.action-continued"
    act: Act
    skill: str | None = None
    target: On | None = None
    times: Whole
    path: tuple[Step, ...] = ()
    track: str | None = None
    aspect: str | None = None
    text: Words | None = None


class ActionForfeited(PersonInConflict):
    """An act comes to nothing, and the turn with it; `out` if who interrupted it took its actor out.

    `conceded` if the conflict is over by a concession.
    """

    kind: ClassVar[str] = "edgerunner.action-forfeited"
    why: Literal["compel", "choice", "out", "conceded"]
    text: Words | None = None


class ActionApplied(PersonInConflict):
    """An act is done, with the shifts it had in the end."""

    kind: ClassVar[str] = "edgerunner.action-applied"
    act: Act
    shifts: Whole


EVENTS = kinds(vars())
