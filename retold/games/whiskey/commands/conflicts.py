"""Whiskey's conflicts and sheets: opening, joining, leaving, the end of a phase, the session's start."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, Literal

from retold.game import (
    Event,
    OpenConflict,
    Refused,
    SheetKey,
    Situation,
    Table,
    apply_events,
    conflicts,
    normalise,
    separate_table,
    sheet_reader,
    situation_after,
)
from retold.game import events as e
from retold.games.whiskey import events as w
from retold.games.whiskey import rules
from retold.games.whiskey.commands.fighters import pairs_named
from retold.games.whiskey.options import NAME, chosen
from retold.games.whiskey.rules import Fought, Half
from retold.games.whiskey.state import (
    EVOLVE,
    NUMBERS,
    OpenClash,
    conflict_state,
    game_state,
    is_pc,
    sheet_of,
)


def end_phase(table: Table, conflict: OpenConflict, fought: Iterable[OpenClash]) -> Iterator[Event]:
    """Yields the damage of the clashes `fought`, the people it incapacitates, and the phase's end."""
    blows = [_fought(table, clash, clash.made) for clash in fought if clash.made is not None]
    left = {who: sheet_of(table, who).hp for blow in blows for who in (blow.winner, blow.loser)}
    out_at = chosen.number(table, "incapacitated_at")
    for hit in rules.settle(blows, left, out_at):
        if hit.landed:
            had = left[hit.loser]
            left[hit.loser] = None if had is None else had - hit.amount
            yield w.DamageDealt(
                conflict=conflict.id,
                winner=hit.winner,
                loser=hit.loser,
                amount=hit.amount,
                left=left[hit.loser],
            )
        else:
            yield w.DamageSuppressed(
                conflict=conflict.id, winner=hit.winner, loser=hit.loser, amount=hit.amount
            )
    down = game_state(table).down
    for who in (*conflict.people, *(person for person in left if person not in conflict.people)):
        has = left.get(who)
        if has is not None and has <= out_at and who not in down:
            yield w.Incapacitated(conflict=conflict.id, who=who)
    yield w.PhaseEnded(conflict=conflict.id, phase=conflict_state(conflict).phase.number)


def _fought(table: Table, clash: OpenClash, made: w.CheckMade) -> Fought:
    winner = made.who if made.passed else clash.against(made.who)
    theirs = sheet_of(table, winner)
    return Fought(winner, clash.against(winner), rules.damage(theirs.base or 0, theirs.die or 0, made.d))


def with_dropped_clashes(table: Table, conflict: OpenConflict | None, events: Sequence[Event]) -> list[Event]:
    """Returns the events, followed by the clashes dropped because one of their people was incapacitated.

    Drops in other conflicts are placed before the last event, so that the list ends with an event of
    `conflict`.
    """
    if not any(isinstance(event, w.Incapacitated) for event in events):
        return list(events)
    then = separate_table(table, NAME)
    apply_events(then, events, EVOLVE)
    here: list[Event] = []
    elsewhere: list[Event] = []
    while (found := _conflict_with_dropped_clash(then)) is not None:
        dropped = list(drop_clashes(then, found, game_state(then).down))
        apply_events(then, dropped, EVOLVE)
        (here if conflict is not None and found.id == conflict.id else elsewhere).extend(dropped)
    own = [*events, *here]
    return [*own[:-1], *elsewhere, own[-1]]


def _conflict_with_dropped_clash(table: Table) -> OpenConflict | None:
    """Returns the first Whiskey conflict in which an incapacitated person has an unchecked clash, or None."""
    down = game_state(table).down
    fights = _fights(table)
    return next((fight for fight in fights if any(_clashes_of(conflict_state(fight).phase.open, down))), None)


def _fights(table: Table) -> list[OpenConflict]:
    return [conflict for conflict in table.conflicts.values() if conflict.system == NAME]


def drop_clashes(table: Table, conflict: OpenConflict, gone: Collection[int]) -> Iterator[Event]:
    """Yields a `ClashDropped` event for each unchecked clash of people `gone` from the fight.

    If every clash left has its check, the damage and the phase's end follow.
    """
    phase = conflict_state(conflict).phase
    falling = list(_clashes_of(phase.open, gone))
    for clash in falling:
        who = tuple(person for person in clash.pair if person in gone)
        yield w.ClashDropped(conflict=conflict.id, one=clash.one, other=clash.other, gone=who)
    left = [clash for clash in phase.clashes if clash not in falling]
    settled = bool(left or phase.fates)
    if falling and settled and all(clash.made is not None for clash in left):
        yield from end_phase(table, conflict, left)


def break_off(table: Table, conflict: OpenConflict) -> Iterator[Event]:
    """Yields the events for a fight that ends before each clash has its check: clashes dropped, damage dealt.

    Checks already made count. Yields nothing if no check was made.
    """
    phase = conflict_state(conflict).phase
    if len(phase.open) == len(phase.clashes):
        return
    for clash in phase.open:
        yield w.ClashDropped(conflict=conflict.id, one=clash.one, other=clash.other)
    yield from end_phase(table, conflict, phase.clashes)


def _clashes_of(due: Sequence[OpenClash], gone: Collection[int]) -> Iterator[OpenClash]:
    """Yields the clashes in which a person of `gone` takes part."""
    return (clash for clash in due if not {*clash.pair}.isdisjoint(gone))


def check_incapacitation_again(situation: Situation, option: e.OptionSet) -> list[Event]:
    """Returns events for people incapacitated or recovered by a new value of option `incapacitated_at`.

    Events that cancel their clashes follow. Empty for other options.
    """
    if option.key != "incapacitated_at":
        return []
    table = situation_after(situation, [option], NAME).table
    game, out_at = game_state(table), int(option.value)
    events: list[Event] = []
    for who, sheet in game.sheets.items():
        out = sheet.hp is not None and sheet.hp <= out_at
        if out != (who in game.down):
            kind = w.Incapacitated if out else w.Recovered
            fight = next((fight.id for fight in _fights(table) if who in fight.people), None)
            events.append(kind(conflict=fight, who=who))
    here = situation.conflict if situation.conflict and situation.here.system == NAME else None
    return with_dropped_clashes(table, here, events)


# --- coming and going -------------------------------------------------------------------------------------


def leave(situation: Situation, left: e.Left) -> list[Event]:
    """Returns the leaving, and the conflict's end if one side is left.

    Raises Refused for a person in a clash of this phase.
    """
    phase = conflict_state(situation.here).phase
    theirs = list(_clashes_of(phase.clashes, left.people))
    if theirs:
        names = situation.names(who for who in left.people if any(who in clash.pair for clash in theirs))
        raise Refused(
            f"{names} cannot get away before this phase is over, for they are in a clash. "
            f"These still need their check: {pairs_named(situation, phase.open)} (check)."
        )
    return [left, *conflicts.end_without_sides(situation, left)]


_WHOLE_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,9}")

BREAKING_OFF: Final = ("retreat", "surrender", "stalemate", "conceded")
"""Endings allowed while checks are still due."""

ENDINGS: Final = ("ended", "victory", *BREAKING_OFF)


SETUP_KEYS: Final = dict.fromkeys(NUMBERS, "NUMBER")
"""Numbers the conflict's line may give for sides without a sheet: a storm, a crowd, a lock."""


# --- beginning and ending ---------------------------------------------------------------------------------


def open_conflict(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """Returns the opening, sheets from numbers such as `combat=12`, and decks reshuffled by option."""
    numbers = dict(read_sheet(key, str(value)) for key, value in opened.setup.items())
    opened = opened.but({"setup": numbers})
    return [
        opened,
        *_given_numbers(situation, opened),
        *_reshuffled_decks(situation, "battle", opened.conflict),
    ]


def _given_numbers(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """Returns sheets with numbers from the opening command (`combat=12`) for NPCs without a sheet.

    Raises Refused if `combat` is missing, or all have a sheet.
    """
    if not opened.setup:
        return []
    if "combat" not in opened.setup:
        raise Refused("A side without a sheet needs its combat at least: combat=12.")
    known = game_state(situation.table).sheets
    bare = [who for side in opened.sides for who in side if who not in known]
    bare = [who for who in bare if not is_pc(situation.table, who)]
    if not bare:
        raise Refused("Numbers on this line are for a side without a sheet, and here all have one.")
    return [e.SheetChanged(person=who, system=NAME, values=dict(opened.setup)) for who in bare]


def begin_session(situation: Situation) -> list[Event]:
    """Returns an event for each deck reshuffled at the session's start, by option `reset_deck`."""
    return _reshuffled_decks(situation, "session", None)


def _reshuffled_decks(
    situation: Situation, when: Literal["battle", "session"], conflict: int | None
) -> list[Event]:
    if chosen(situation.table, "reset_deck") != when:
        return []
    return [
        w.DeckReshuffled(conflict=conflict, faction=faction, half=Half.HEARTS_SPADES, why=when)
        for faction, cards in game_state(situation.table).cards.items()
        if cards.discarded()
    ]


def close(situation: Situation, how: str) -> list[Event]:
    """Returns the events that come before a conflict's end: dropped clashes and damage of a fight broken off.

    Raises Refused for an unknown ending, and for unchecked clashes unless the ending breaks the fight off.
    Checks already made count.
    """
    if how not in (*ENDINGS, conflicts.LEFT):
        raise Refused(f"Hostilities end as {', '.join(ENDINGS[:-1])}; {how} is not known.")
    due = conflict_state(situation.here).phase.open
    if due and how not in (*BREAKING_OFF, conflicts.LEFT):
        raise Refused(
            f"These still need their check: {pairs_named(situation, due)}. "
            "A fight that breaks off before it: end conflict retreat, or surrender, or stalemate."
        )
    return list(break_off(situation.table, situation.here)) if due else []


def _number(name: str, value: str) -> int:
    if not _WHOLE_NUMBER.fullmatch(value):
        raise Refused(f"{name} is a whole number, not {value}: {name}=4.")
    return int(value)


def _hit_points(name: str, value: str) -> int:
    number = _number(name, value)
    if number < 1:
        raise Refused("A person begins with 1 hit point or more: hp=12.")
    return number


def _faction(_name: str, value: str) -> str:
    word = normalise(value)
    if not any(letter.isalpha() for letter in word) or ":" in word:
        raise Refused(f"A faction has a name, such as players, friends or enemies, not {value}.")
    return word


def _stat_or_ability(name: str, value: str) -> int | str:
    if name == "engage":
        raise Refused(f"No stat can be called {name}: rulings use that word for the target of a guard.")
    return int(value) if _WHOLE_NUMBER.fullmatch(value) else value


def _number_key(key: str, about: str, example: str) -> SheetKey:
    return SheetKey(key, about, example, form="a whole number", read=_number)


SHEET: Final = (
    _number_key("combat", "the score that checks in a fight are made with", "combat=10"),
    _number_key("base", "damage, before the die", "base=4"),
    _number_key("die", "damage for each point of the d6", "die=1"),
    SheetKey("hp", "hit points, now and at their full", "hp=12", least=1, read=_hit_points),
    SheetKey(
        "faction",
        "whose deck it draws from: players, friends, enemies",
        "faction=friends",
        form="NAME",
        read=_faction,
    ),
    SheetKey(
        "NAME",
        "a stat to check with, or an ability: any other key",
        "stealth=3",
        form="a number or words",
        read=_stat_or_ability,
    ),
)
"""All keys of a sheet: `docs/rules/whiskey.md` §1."""

read_sheet = sheet_reader(SHEET)
