"""Who can fight, and what a sentence says of those who clash."""

from __future__ import annotations

from collections.abc import Iterable

from journal.refused import Refused
from journal.shared.conflicts import contestant
from journal.system import Situation
from journal.systems.whiskey.options import chosen
from journal.systems.whiskey.state import Clash, is_pc, sheet, shelf
from journal.table import Table


def fighter(situation: Situation, who: int | None, does: str) -> int:
    """`who`, in this conflict and able to act; refuses anybody else, and nobody."""
    who = contestant(situation, who, does)
    if who in shelf(situation.table).down:
        raise Refused(
            f"{situation.name(who)} is out of the fight; "
            f"a ruling can change that (ruling {situation.quoted(who)}.hp=3: why)."
        )
    return who


def ready(situation: Situation, people: Iterable[int]) -> None:
    """Refuses a clash of somebody whose numbers nobody has given."""
    for who in people:
        missing = sheet(situation.table, who).missing
        if "combat" in situation.here.setup and "combat" not in missing and not is_pc(situation.table, who):
            continue
        if missing:
            wanted = " ".join(f"{key}=…" for key in missing)
            raise Refused(
                f"{situation.name(who)} cannot fight without {', '.join(missing)}: "
                f"cast {situation.quoted(who)} whiskey {wanted}."
            )


def may_check(table: Table, clash: Clash) -> tuple[int, ...]:
    """Those of a clash who may check in it, the one who should first: `docs/rules/whiskey.md` §5."""
    if clash.checker is None:
        return clash.pair
    other = clash.against(clash.checker)
    instead = chosen(table, "checker") == "attacker" and is_pc(table, other)
    return (clash.checker, other) if instead else (clash.checker,)


def pairs_named(situation: Situation, clashes: Iterable[Clash]) -> str:
    """`Alice and sword, Bob and axe-1`."""
    return ", ".join(f"{situation.name(one.one)} and {situation.name(one.other)}" for one in clashes)
