"""The systems Retold plays: one explicit list."""

from __future__ import annotations

from collections.abc import Mapping

from journal.system import System
from journal.systems.bruise import BRUISE
from journal.systems.edgerunner import EDGERUNNER
from journal.systems.guenask import GUENASK
from journal.systems.spacetime import SPACETIME
from journal.systems.whiskey import WHISKEY

SYSTEMS: Mapping[str, System] = {
    system.name: system for system in (SPACETIME, WHISKEY, EDGERUNNER, BRUISE, GUENASK)
}
"""Every system by its name."""
