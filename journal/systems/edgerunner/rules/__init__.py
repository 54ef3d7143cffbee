"""The rules of Edgerunner as numbers only: rolls, time, sheets, stress, maps (docs/rules/edgerunner.md)."""

from __future__ import annotations

from journal.systems.edgerunner.rules.roles import Act, Kind, Role
from journal.systems.edgerunner.rules.rolls import (
    DICE,
    INVOKE,
    LADDER,
    TIME,
    declaration,
    free_invokes,
    highest_bid,
    ladder,
    problem_threshold,
    rolled,
    spins,
    time_after,
    time_step,
)
from journal.systems.edgerunner.rules.sheets import (
    COOL,
    DEPLOYABLE,
    HUMANITY,
    LEVERAGE,
    PRESTIGE,
    REPUTATION,
    STRESS,
    WORTH,
    Characteristic,
    MookDeploy,
    Severity,
    continued,
    deploy_cost,
    faction_bonus,
    mook_equals,
    own_threshold,
    shared_tracks,
    slots,
    strain,
    tracks,
    worth,
)
from journal.systems.edgerunner.rules.stress import (
    MOST_RECOVERIES,
    Marking,
    defended,
    mark,
    most_taken,
    recoveries,
    recovery_cost,
)
from journal.systems.edgerunner.rules.zones import (
    Borders,
    FreeMove,
    RangePenalty,
    distance,
    free_step,
    range_penalty,
    walked,
)
