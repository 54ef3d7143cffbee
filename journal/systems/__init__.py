"""The systems Retold plays: one explicit list."""

from __future__ import annotations

from collections.abc import Mapping

from journal.system import System
from journal.systems.bruise import BRUISE
from journal.systems.spacetime import SPACETIME

SYSTEMS: Mapping[str, System] = {system.name: system for system in (SPACETIME, BRUISE)}
"""Every system by its name."""
