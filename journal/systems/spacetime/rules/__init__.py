"""How a round of a Space·Time conflict tips the balance, and how a challenge is met, from the cards alone."""

from __future__ import annotations

from journal.systems.spacetime.rules.challenges import (
    ATTRIBUTES,
    DECLINED,
    RANKS,
    READINGS,
    WIPE_OUT,
    Ended,
    Meeting,
    effect,
    laid,
    meet,
)
from journal.systems.spacetime.rules.flow import (
    LADDER,
    Balance,
    BeatsTable,
    Flow,
    Hands,
    Level,
    MultiParty,
    Pair,
    Result,
    Rule,
    beats,
    cards_due,
    excuse_drawer,
    flow,
    narration_order,
    suffices,
)
from journal.systems.spacetime.rules.odds import Ahead, Chance, odds
