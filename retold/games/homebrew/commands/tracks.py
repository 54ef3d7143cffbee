"""Decisions about tracks (values such as hp 9/12 that go up and down) and clocks (segments that fill)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from retold.games.homebrew import events as h
from retold.games.homebrew.commands.verbs import Clock, Keep, SetCondition
from retold.games.homebrew.rules import HIGHEST, MOST_BOXES
from retold.games.homebrew.state import TrackValue, shelf
from retold.journal.decks.expressions import is_throw, parse_throw
from retold.journal.names import CLOSE, nearest, normalise, quoted
from retold.journal.refused import Refused
from retold.journal.shared.dice import NOTHING, throw_result, with_sheet_numbers
from retold.journal.system import COUNTED, Situation
from retold.journal.table import Table
from retold.journal.vocabulary.base import Command, Event

_STANDS: Final = re.compile(r"(?P<now>-?\d{1,7})(?:/(?P<most>\d{1,7}))?")
_CHANGES: Final = re.compile(r"[+-]\d{1,7}")
_THROWS: Final = re.compile(r"[+-]\d*d[\dF%].*", re.IGNORECASE)
ON: Final = {"on": 1, "yes": 1, "off": 0, "no": 0}
"""Values of the words that switch a condition track."""
TEMPORARY: Final = "temp"
"""Track of temporary hit points."""


def reminders(table: Table, events: Iterable[Event]) -> Iterator[str]:
    """Yields a sentence for each clock that `events` have filled, and what a potion leaves to be counted."""
    for event in events:
        if isinstance(event, h.ClockTicked) and event.now == event.segments != event.was:
            yield f"{quoted(str(event.name))} is full."
        if isinstance(event, h.TrackChanged) and event.by is None:
            yield from _left_to_count(table, event)


def _left_to_count(table: Table, event: h.TrackChanged) -> Iterator[str]:
    """Yields the line for the healing of a potion that was drunk, or for the potion that healed."""
    here, whose = shelf(table), table.quoted(event.who)
    healed, way = next(iter(harmed(table).items()), ("", -1))
    change, kept = event.now - (event.was or 0), here.kept(event.who, healed)
    if event.track == _POTIONS and change == -1 and kept is not None and kept.now != kept.most:
        yield f"To count the healing: {healed} {whose} {'+' if way < 0 else '-'}NUMBER."
    if event.track == healed and change * way < 0 and "potion" in str(event.text).lower():
        left = here.kept(event.who, _POTIONS)
        if left is not None and left.now:
            yield f"To count the potion: {_POTIONS} {whose} -1."
        elif any(_POTIONS in tracks for tracks in here.tracks.values()):
            yield f"{table.name(event.who)} has no potion that is counted."


_POTIONS: Final = "potions"


_DONE: Final = frozenset({"done", "off", "gone"})


def keep(situation: Situation, command: Keep) -> list[Event]:
    """Returns the event that sets or changes a person's track, kept between 0 and its maximum.

    A change by dice throws them before. Raises Refused if the track has that value already.
    """
    name = track_called(situation, command.who, command.track, command.value)
    kept = shelf(situation.table).kept(command.who, name)
    if _THROWS.fullmatch(command.value):
        return _changed_by_dice(situation, command, name)
    loss = re.fullmatch(r"-(\d{1,7})", command.value)
    spared = [] if loss is None else temporary_first(situation, command.who, name, int(loss[1]))
    if spared:
        return [change.but({"text": command.text}) for change in spared]
    now, most = _value(situation, command, name, kept)
    if (
        kept is not None
        and (now, most) == (kept.now, kept.most)
        and name in shelf(situation.table).tracks.get(command.who, {})
    ):
        raise Refused(f"{situation.name(command.who)} has {_stands(name, kept)} already.")
    return [track_changes(situation, command.who, name, now, most=most).but({"text": command.text})]


def temporary_first(situation: Situation, who: int, name: str, loss: int) -> list[h.TrackChanged]:
    """Returns the events of harm to a person with temporary points, which go first; empty without any.

    Rule: docs/rules/homebrew.md §4.
    """
    here = shelf(situation.table)
    spare, kept = here.tracks.get(who, {}).get(TEMPORARY), here.kept(who, name)
    if spare is None or not spare.now or not loss or kept is None or harmed(situation.table).get(name) != -1:
        return []
    events = [track_changes(situation, who, TEMPORARY, spare.now - loss, most=spare.most)]
    if loss > spare.now:
        events.append(track_changes(situation, who, name, kept.now + spare.now - loss, most=kept.most))
    return events


def _changed_by_dice(situation: Situation, command: Keep, name: str) -> list[Event]:
    """Returns the events of a change such as `+1d8+3`: an ownerless throw, and the change by its total."""
    thrown = with_sheet_numbers(situation, None, parse_throw(command.value[1:]))
    result = throw_result(situation, None, thrown, NOTHING, None)
    change = command.but({"value": f"{command.value[0]}{max(0, result.reached.total)}", "results": None})
    return [*result.events, *keep(situation, change)]


def track_changes(
    situation: Situation, who: int, name: str, now: int, *, most: int | None = None, move: str | None = None
) -> h.TrackChanged:
    """Returns the event that sets a person's track to `now`, limited to 0 and the maximum `most`."""
    kept = shelf(situation.table).kept(who, name)
    return h.TrackChanged(
        conflict=situation.where,
        who=who,
        track=name,
        was=None if kept is None else kept.now,
        now=_within(now, most),
        most=most,
        move=move,
    )


def track_called(situation: Situation, who: int, typed: str, value: str) -> str:
    """Returns the full name of a track typed in short.

    A new name is allowed if no game is chosen, or if `value` gives a maximum (`5/6`); else raises Refused.
    """
    here, new = shelf(situation.table), normalise(typed)
    known = {normalise(name): name for name in (*here.game.tracks, *here.known(who))}
    begun = [name for key, name in known.items() if key.startswith(new)]
    if new in known or len(begun) == 1:
        return known.get(new) or begun[0]
    if here.definition is None or "/" in value or new in COUNTED:
        return new
    tracks = ", ".join(begun or known.values()) or "none"
    most = f"{value}/{value}" if value.isdecimal() else "5/6"
    another = f"track {situation.quoted(who)} {quoted(typed)} {most}"
    known_here = f"There is no track {typed} in {here.game.title}: there is {tracks}."
    raise Refused(f"{known_here} For another, say its most: {another}.")


def shorthands(table: Table) -> Mapping[str, type[Command]]:
    """Maps names of tracks and conditions that may begin a line (`hp Thia -5`) to the command meant."""
    kept = (name for tracks in shelf(table).tracks.values() for name in tracks)
    had = (name for conditions in shelf(table).conditions.values() for name in conditions)
    game = shelf(table).game
    return {
        **dict.fromkeys((*game.conditions, *had), SetCondition),
        **dict.fromkeys((*game.tracks, *kept), Keep),
    }


def harmed(table: Table) -> Mapping[str, int]:
    """Returns the tracks that moves hurt, else those that put a person out; -1 if harm makes one smaller.

    At a table whose game has no such track, a track called hp is one.
    """
    game, kept = shelf(table).game, (name for tracks in shelf(table).tracks.values() for name in tracks)
    hurt = {move.hurts for move in game.moves.values() if move.hurts is not None}
    ends = {name: track.out for name, track in game.tracks.items() if track.out is not None}
    ways = {name: 1 if ends.get(name) == "full" else -1 for name in hurt or ends}
    return ways or {name: -1 for name in kept if normalise(name) == "hp"}


def _value(situation: Situation, command: Keep, name: str, kept: TrackValue | None) -> tuple[int, int | None]:
    """Returns a track's new value and maximum (or None), parsed from `9/12`, `9`, `-5` or `on`."""
    most = None if kept is None else kept.most
    typed = command.value.casefold()
    whole = {**ON, "full": most, "max": most}.get(typed)
    if whole is not None:
        return whole, 1 if most is None else most
    if _CHANGES.fullmatch(typed):
        if kept is None and name in COUNTED and typed.startswith("+"):
            return _checked(name, int(typed), None), None
        if kept is None:
            who = situation.quoted(command.who)
            if name in COUNTED:
                raise Refused(f"{situation.name(command.who)} has no {name} yet: {name} {who} N.")
            raise Refused(f"{name} has no value yet: track {who} {quoted(name)} 9/12.")
        return _stays(situation, command, name, kept), most
    stands = _STANDS.fullmatch(typed)
    if stands is None and is_throw(typed):
        line = f"{quoted(name)} {situation.quoted(command.who)}"
        raise Refused(f"Less, or more: {line} -{typed}; or {line} +{typed}.")
    if stands is None:
        raise Refused(f"{name} is written 9/12, 9, +1 or -5, or on and off; not {command.value}.")
    if stands["most"] is not None:
        most = int(stands["most"])
    elif kept is None and _has_most(situation, name):
        most = int(stands["now"])
    return _checked(name, int(stands["now"]), most), most


def _has_most(situation: Situation, name: str) -> bool:
    """True if the game gives the track a maximum."""
    track = shelf(situation.table).game.tracks.get(name)
    return track is not None and track.most is not None


def _stays(situation: Situation, command: Keep, name: str, kept: TrackValue) -> int:
    """Returns a track's value after a typed change such as `-5`, limited to 0 and its maximum.

    Raises Refused if the track is at that end already.
    """
    now = _within(kept.now + int(command.value), kept.most)
    if now == kept.now and int(command.value):
        raise Refused(f"{situation.name(command.who)} has {_stands(name, kept)}: it goes no further.")
    return now


def _checked(name: str, now: int, most: int | None) -> int:
    if most is not None and not 1 <= most <= HIGHEST:
        raise Refused(f"{name} has 1 to {HIGHEST} at the most, not {most}.")
    if now < 0 or now > (HIGHEST if most is None else most):
        both = "" if most is None or not most < now <= HIGHEST else f" {now}/{now} sets the most as well."
        raise Refused(f"{name} is 0 to {HIGHEST if most is None else most}, not {now}.{both}")
    return now


def _within(now: int, most: int | None) -> int:
    """Returns a number limited to 0 and the maximum `most`."""
    return max(0, min(now, HIGHEST if most is None else most))


def _stands(name: str, kept: TrackValue) -> str:
    return f"{name} {kept.now}" if kept.most is None else f"{name} {kept.now}/{kept.most}"


# --- clocks -----------------------------------------------------------------------------------------------


def tick(situation: Situation, command: Clock) -> list[Event]:
    """Returns the event that starts a clock, changes its number of full segments, or puts it away.

    Raises Refused if nothing changes.
    """
    typed, name = command.value.casefold(), str(command.name)
    clock = shelf(situation.table).clock(name)
    if clock is None:
        return [_started(situation, command, typed)]
    known = shelf(situation.table).clocks[clock]
    if typed in _DONE:
        return [h.ClockStopped(clock=clock, name=known.name, now=known.now, text=command.text)]
    if not _CHANGES.fullmatch(typed) and not typed.isdecimal():
        raise Refused(
            f"A clock is changed by +1 or -1, set to {known.segments}, or done; not {command.value}."
        )
    wanted = known.now + int(typed) if _CHANGES.fullmatch(typed) else int(typed)
    now = max(0, min(wanted, known.segments))
    if now == known.now:
        raise Refused(f"{name} is at {known.now} of {known.segments} already.")
    return [
        h.ClockTicked(
            clock=clock,
            name=known.name,
            was=known.now,
            now=now,
            segments=known.segments,
            text=command.text,
        )
    ]


def _started(situation: Situation, command: Clock, typed: str) -> h.ClockStarted:
    stands = _STANDS.fullmatch(typed)
    if stands is None or _CHANGES.fullmatch(typed):
        known = [str(clock.name) for clock in shelf(situation.table).clocks.values()]
        words = {*normalise(str(command.name)).split()}
        having = [name for name in known if words <= {*normalise(name).split()}]
        close = having or nearest(str(command.name), known, at_least=CLOSE)
        meant = f"Did you mean {quoted(close[0])}? " if close else ""
        new = quoted(str(command.name))
        if close and not new.startswith('"'):  # in quotes it is not taken for the other one
            new = f'"{new}"'
        raise Refused(f"There is no clock {command.name}. {meant}To start it: clock {new} 6.")
    segments = int(stands["most"] or stands["now"])
    now = int(stands["now"]) if stands["most"] else 0
    if not 2 <= segments <= MOST_BOXES or not 0 <= now <= segments:
        raise Refused(
            f"A clock has 2 to {MOST_BOXES} segments, and none or some of them full; not {command.value}."
        )
    return h.ClockStarted(
        clock=shelf(situation.table).next_clock(
            situation.visible_to, normalise(str(command.name)), situation.table.recorded_ids
        ),
        name=command.name,
        segments=segments,
        now=now,
        text=command.text,
    )
