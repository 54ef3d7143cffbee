"""Questions before a line is recorded that may do other than its player means."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from retold.game import (
    Command,
    OpenConflict,
    Table,
    either,
    find_phrase,
    listed,
    none_if_refused,
    normalise,
    possessive,
    quoted,
)
from retold.game import commands as c
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.commands.acts import taken_out, usual_track
from retold.games.edgerunner.commands.applying import ends_open_roll
from retold.games.edgerunner.commands.positions import distinct_name
from retold.games.edgerunner.measures import in_shifts
from retold.games.edgerunner.options import NAME
from retold.games.edgerunner.rules import Act, Kind, Severity
from retold.games.edgerunner.state import Action, Aspect, conflict_state, game_state

MOST_SKILLS: Final = 3
UNSKILLED: Final = frozenset({Act.MOVE, Act.SIMPLE, "continue"})
"""Acts that are often done without a skill."""


def doubts(table: Table, command: Command) -> Iterator[str]:
    """Yields questions to ask before a command of Edgerunner is recorded.

    One is about a person taken out by the open attack; others about an invoke that helps the person that an
    aspect was made against, is paid for though it is free, or names an upgrade; about an act without a skill;
    outside conflicts one is about a roll that has been told.
    """
    conflict = table.in_play()
    if isinstance(command, v.Invoke):
        yield from _named_as_upgrade(table, command)
        yield from _paid_though_free(table, conflict, command)
    if conflict is None:
        yield from _roll_already_told(table, command)
    if conflict is None or conflict.system != NAME:
        return
    yield from _other_track(table, conflict, command)
    yield from _without_skill(table, conflict, command)
    is_answer = conflict.concession is not None and not conflict_state(conflict).offers
    if isinstance(command, c.Concede) or (isinstance(command, c.Accept) and is_answer):
        yield from _for_the_whole_side(table, conflict, command)
    act = conflict_state(conflict).act
    if act is None or not act.rolled:
        return
    is_next = ends_open_roll(table, act, command)
    if (is_next or isinstance(command, v.Apply)) and (out := taken_out(table, act)) is not None:
        applied = f"{possessive(table.name(act.who))} attack first, with {in_shifts(act.shifts)}, and"
        first = f"applies {applied} " if is_next else ""
        yield f"That {first}takes {table.name(out)} out{_to_take_less(table, act, out)}. Go on?"
    if isinstance(command, v.Invoke) and command.more is not True and not command.less:
        yield from _helping_invoke(table, conflict, act, command)


def _for_the_whole_side(table: Table, conflict: OpenConflict, command: c.Accept | c.Concede) -> Iterator[str]:
    """Yields a question if a person concedes, or accepts, for others of their side who have players."""
    side = next((side for side in conflict.sides if command.who in side), ())
    left = [one for one in side if one not in (command.who, *conflict_state(conflict).out)]
    if others := [table.name(one) for one in left if game_state(table).hand(one)]:
        yield f"That {command.verb}s for the whole side, for {listed(others)} too. Go on?"


def _without_skill(table: Table, conflict: OpenConflict, command: Command) -> Iterator[str]:
    """Yields a question about an act without a skill by a person who has some, the likeliest skill first."""
    act = getattr(command, "act", command.verb)
    if not isinstance(command, v.Act | v.Declare) or act in UNSKILLED or command.skill is not None:
        return
    who = command.who or 0
    sheet, state = game_state(table).sheet(who), conflict_state(conflict)
    if sheet.kind is Kind.MOOK or not sheet.skills:
        return
    done = [one.skill for one in (state.done.get(who), state.last.get(who)) if one and one.act == act]
    likely = sorted(sheet.skills, key=lambda skill: (skill not in done, -sheet.skills[skill]))
    skills = either([f"with {quoted(skill)}" for skill in likely[:MOST_SKILLS]])
    yield f"That names no skill, and counts 0 for {table.name(who)}; to use one, put in: {skills}. Go on?"


def _named_as_upgrade(table: Table, command: v.Invoke) -> Iterator[str]:
    """Yields a question if the words of an invoke are the name of the person's upgrade."""
    if normalise(command.aspect) in game_state(table).sheet(command.who).upgrades:
        yield (
            f"That invokes an aspect; the upgrade {command.aspect} is named with the act, before the dice:"
            f" --upgrade {quoted(command.aspect)}. Go on?"
        )


def _to_take_less(table: Table, act: Action, out: int) -> str:
    """Returns the line with the fewest consequences that keep a person in; empty if none do."""
    own = game_state(table)
    free = [slot for slot in Severity if own.room_for(out, slot)]
    sets = [slots for count in range(1, len(free) + 1) for slots in combinations(free, count)]
    for slots in sorted(sets, key=lambda slots: (len(slots), sum(map(own.sheet(out).worth, slots)))):
        if taken_out(table, act, sum(map(own.sheet(out).worth, slots))) is None:
            taken = " ".join(f"{slot} as “what it is”" for slot in slots)
            return f"; to take less: resist {table.quoted(out)} {taken}"
    return ""


def _roll_already_told(table: Table, command: Command) -> Iterator[str]:
    """Yields a question if an invoke or boost counts on a roll after which something was told."""
    roll = game_state(table).roll
    if not isinstance(command, v.Invoke | v.Boost) or roll is None:
        return
    if table.scenes != roll.scenes or any(one.position > roll.at for one in table.narrations.values()):
        of_skill = "" if roll.skill is None else f" of {roll.skill}"
        yield (
            f"That counts on {possessive(table.name(roll.who))} roll{of_skill}, which has been told;"
            " to invoke on a new roll, roll first. Go on?"
        )


def _other_track(table: Table, conflict: OpenConflict, command: Command) -> Iterator[str]:
    """Yields a question about an attack without a track that goes where attacks with other skills went."""
    if not isinstance(command, v.Attack | v.Declare) or getattr(command, "act", Act.ATTACK) != Act.ATTACK:
        return
    target, skill = command.thing, command.skill
    if command.track or skill is None or not isinstance(target, int):
        return
    state, tracks = conflict_state(conflict), game_state(table).tracks(target)
    track = usual_track(table, state, target)
    if track is not None and tracks[1:] and usual_track(table, state, target, normalise(skill)) is None:
        yield (
            f"That attacks {possessive(table.name(target))} {track}, as the latest attacks did;"
            f" to attack {either(one for one in tracks if one != track)}:"
            f" attack {table.quoted(command.who or 0)} {table.quoted(target)} TRACK with {quoted(skill)}."
            " Go on?"
        )


def _helping_invoke(table: Table, conflict: OpenConflict, act: Action, command: v.Invoke) -> Iterator[str]:
    """Yields a question if the roller's side invokes for 2 more what its foes hold free invokes of."""
    side = conflict.side_of(command.who)
    if side is None or side != conflict.side_of(act.who):
        return
    aspect = _aspect_meant(table, command)
    foes = [] if aspect is None else _foes_with_free_invokes(conflict, side, aspect)
    if aspect is None or not foes:
        return
    holder, target = foes[0], next((who for who in act.targets if conflict.side_of(who) != side), None)
    line = f"invoke {table.quoted(target or holder)} {distinct_name(table, aspect)} --free"
    against = "" if target is None else f"; against it: {line}"
    yield (
        f"{table.name(holder)} has a free invoke of “{aspect.wording}”, and this adds 2 to"
        f" {possessive(table.name(act.who))} roll, for a fate point{against}. Go on?"
    )


def _paid_though_free(table: Table, conflict: OpenConflict | None, command: v.Invoke) -> Iterator[str]:
    """Yields a question if a fate point is paid for what the person, or an ally, may invoke for nothing."""
    aspect = None if command.free else _aspect_meant(table, command)
    side = None if conflict is None else conflict.side_of(command.who)
    if aspect is None or (conflict is not None and command.who not in conflict.people):
        return
    for holder, free in aspect.free.items():
        is_ally = conflict is not None and holder is not None and conflict.side_of(holder) == side
        if free and holder is not None and (holder == command.who or is_ally):
            invokes = "a free invoke" if free == 1 else f"{free} free invokes"
            line = f"invoke {table.quoted(command.who)} {distinct_name(table, aspect)} --free"
            yield (
                f"{table.name(holder)} has {invokes} of “{aspect.wording}”, and this takes a fate point;"
                f" for nothing: {line}. Go on?"
            )
            return


def _aspect_meant(table: Table, command: v.Invoke) -> Aspect | None:
    known = game_state(table).aspects
    words = {number: aspect.wording for number, aspect in known.items()}
    meant = none_if_refused(lambda: find_phrase(command.aspect, words))
    return None if meant is None else known[meant]


def _foes_with_free_invokes(conflict: OpenConflict, side: int, aspect: Aspect) -> list[int]:
    holders = [holder for holder, free in aspect.free.items() if free and holder is not None]
    return [holder for holder in holders if conflict.side_of(holder) not in (None, side)]
