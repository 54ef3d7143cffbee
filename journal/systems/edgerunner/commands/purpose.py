"""What an act is for: whom or what it is aimed at, as the event that announces it says."""

from __future__ import annotations

from typing import NamedTuple

from journal.systems.edgerunner import events as g


class Purpose(NamedTuple):
    """What tells one act from another of its kind; the fields are those of `ActionDeclared`."""

    target: int | str | None = None
    about: int | None = None
    also: tuple[int, ...] = ()
    track: str | None = None
    aspect: str | None = None
    path: tuple[g.Step, ...] = ()
    asset: int | None = None
