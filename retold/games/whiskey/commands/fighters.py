"""Checks on fighters (in the fight? numbers known?), and their names in sentences."""

from __future__ import annotations

from collections.abc import Iterable

from retold.game import Refused, Situation, Table, conflicts
from retold.games.whiskey.options import chosen
from retold.games.whiskey.state import OpenClash, game_state, is_pc, sheet_of


def fighter(situation: Situation, who: int | None, does: str) -> int:
    """Returns `who`; Refused if None, outside this conflict, or incapacitated.

    `does` is the verb for the refusal, such as "declares".
    """
    who = conflicts.contestant(situation, who, does)
    if who in game_state(situation.table).down:
        raise Refused(
            f"{situation.name(who)} is out of the fight; "
            f"a ruling can change that (ruling {situation.quoted(who)}.hp=3: why)."
        )
    return who


def check_numbers(situation: Situation, people: Iterable[int]) -> None:
    """Raises Refused if a fighter's sheet lacks one of the numbers for a clash: combat, base, die, hp."""
    for who in people:
        missing = sheet_of(situation.table, who).missing
        if "combat" in situation.here.setup and "combat" not in missing and not is_pc(situation.table, who):
            continue
        if missing:
            wanted = " ".join(f"{key}=…" for key in missing)
            raise Refused(
                f"{situation.name(who)} cannot fight without {', '.join(missing)}: "
                f"cast {situation.quoted(who)} whiskey {wanted}."
            )


def may_check(table: Table, clash: OpenClash) -> tuple[int, ...]:
    """Returns the one or two people who may make the clash's check, preferred first.

    Source: `docs/rules/whiskey.md` §5.
    """
    if clash.checker is None:
        return clash.pair
    other = clash.against(clash.checker)
    instead = chosen(table, "checker") == "attacker" and is_pc(table, other)
    return (clash.checker, other) if instead else (clash.checker,)


def pairs_named(situation: Situation, clashes: Iterable[OpenClash]) -> str:
    """Returns the names of the people in each clash: "Alice and sword, Bob and axe-1"."""
    return ", ".join(f"{situation.name(clash.one)} and {situation.name(clash.other)}" for clash in clashes)
