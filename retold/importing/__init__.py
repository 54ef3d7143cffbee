"""Logs of other tools, taken into a campaign by the ordinary commands."""

from __future__ import annotations

from retold.importing.comparing import NotAgreed, SameEvening
from retold.importing.intake import Intake
from retold.importing.taking_in import take_in

__all__ = ["Intake", "NotAgreed", "SameEvening", "take_in"]
