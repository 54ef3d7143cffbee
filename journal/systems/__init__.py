"""The systems Retold plays: one explicit list."""

from __future__ import annotations

from collections.abc import Mapping

from journal.system import System
from journal.systems.bruise import BRUISE

SYSTEMS: Mapping[str, System] = {system.name: system for system in (BRUISE,)}
"""Every system by its name."""
