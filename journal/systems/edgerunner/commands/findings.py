"""Assessments and declarations, which aspects may still tell on once their dice have fallen."""

from __future__ import annotations

from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.standing import is_elsewhere, ours
from journal.systems.edgerunner.state import Finding, shelf
from journal.vocabulary.base import GM


def meant(situation: Situation, who: int) -> Finding | None:
    """The last assessment or declaration, where `who` has a part in it and no conflict has them."""
    finding = shelf(situation.table).finding
    if finding is None or who not in (finding.who, *finding.targets):
        return None
    beside = ours(situation).conflict is None or is_elsewhere(situation, who)
    return finding if beside else None


def stands(finding: Finding, shifts: int) -> g.FindingStands:
    """Where it stands with so many shifts."""
    free = rules.free_invokes(shifts)
    return g.FindingStands(
        who=None if finding.who == GM else finding.who,
        how="assessment" if finding.assessed else "declaration",
        aspect=finding.aspect,
        on=finding.on,
        wording=finding.wording,
        shifts=shifts,
        free=0 if finding.alone else free or 0,
        there=finding.assessed or free is not None,
    )
