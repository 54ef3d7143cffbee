"""How long a test waits for something that is sure to happen."""

from __future__ import annotations

from typing import Final

PATIENCE: Final = 300.0
"""Seconds until a test that waits for another process or thread fails; long enough for a busy computer."""
