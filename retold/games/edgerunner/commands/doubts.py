"""Questions before a line is recorded that may do other than its player means."""

from __future__ import annotations

from collections.abc import Iterator

from retold.game import (
    Command,
    OpenConflict,
    Table,
    either,
    find_phrase,
    none_if_refused,
    normalise,
    possessive,
    quoted,
)
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.commands.acts import usual_track
from retold.games.edgerunner.commands.applying import ends_open_roll
from retold.games.edgerunner.commands.positions import distinct_name
from retold.games.edgerunner.options import NAME, chosen
from retold.games.edgerunner.rules import Act, Marking, Severity
from retold.games.edgerunner.state import Action, Aspect, conflict_state, game_state


def doubts(table: Table, command: Command) -> Iterator[str]:
    """Yields questions to ask before a command of Edgerunner is recorded.

    One is about a person taken out by the open attack; another about an invoke that helps the person that an
    aspect was made against; outside conflicts one is about an invoke on a roll that has been told.
    """
    conflict = table.in_play()
    if conflict is None:
        yield from _roll_already_told(table, command)
    if conflict is None or conflict.system != NAME:
        return
    yield from _other_track(table, conflict, command)
    act = conflict_state(conflict).act
    if act is None or not act.rolled:
        return
    is_next = ends_open_roll(table, act, command)
    if (is_next or isinstance(command, v.Apply)) and (out := _taken_out(table, act)) is not None:
        free = next((slot for slot in Severity if game_state(table).room_for(out, slot)), None)
        less = "" if free is None else f"; to take less: resist {table.quoted(out)} {free} as “what it is”"
        first = (
            f"applies {possessive(table.name(act.who))} attack first, with {rules.in_shifts(act.shifts)}, and"
        )
        if is_next or free is not None:
            yield f"That {f'{first} ' if is_next else ''}takes {table.name(out)} out{less}. Go on?"
    if isinstance(command, v.Invoke) and command.more is not True and not command.less:
        yield from _helping_invoke(table, conflict, act, command)


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


def _taken_out(table: Table, act: Action) -> int | None:
    """Returns the person taken out by an attack as it is now; None for other acts, and if it fits."""
    if act.act is not Act.ATTACK or not isinstance(act.target, int) or act.track is None or act.shifts < 1:
        return None
    own, marking = game_state(table), chosen.kind(table, "stress_marking", Marking)
    marked, threshold = own.marked(act.target, act.track), own.threshold(act.target, act.track)
    return act.target if rules.mark(act.shifts, marked, threshold, marking) is None else None


def _helping_invoke(table: Table, conflict: OpenConflict, act: Action, command: v.Invoke) -> Iterator[str]:
    """Yields a question if the roller's side invokes for 2 more what its foes hold free invokes of."""
    side = conflict.side_of(command.who)
    if side is None or side != conflict.side_of(act.who):
        return
    known = game_state(table).aspects
    words = {number: aspect.wording for number, aspect in known.items()}
    meant = none_if_refused(lambda: find_phrase(command.aspect, words))
    aspect = None if meant is None else known[meant]
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


def _foes_with_free_invokes(conflict: OpenConflict, side: int, aspect: Aspect) -> list[int]:
    holders = [holder for holder, free in aspect.free.items() if free and holder is not None]
    return [holder for holder in holders if conflict.side_of(holder) not in (None, side)]
