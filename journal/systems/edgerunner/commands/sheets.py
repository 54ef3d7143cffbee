"""A sheet's keys and values made regular, what may stand on one, and mooks that become one lot."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Final

from journal.names import clean, normalise, quoted
from journal.refused import Refused
from journal.shared import people
from journal.system import SheetKey, Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.follow_ups import defences_of, defences_on
from journal.systems.edgerunner.commands.positions import actor, current_conflict, without_other_game
from journal.systems.edgerunner.commands.turns import describe_act
from journal.systems.edgerunner.commands.verbs import Merge
from journal.systems.edgerunner.rules import Characteristic, Kind, Role, Severity
from journal.systems.edgerunner.state import PREFIXES, Upgrade, game_state
from journal.systems.edgerunner.state.game_state import (
    ASPECT,
    FIELDS,
    GHOST,
    OF,
    SKILL,
    SLOTS,
    TRACK,
    TRACK_NAMES,
    UPGRADE,
)
from journal.vocabulary.base import Event

MOST_BOXES: Final = 99
"""The highest threshold: more than anybody fills, and still a track that can be shown."""

MOST: Final = 20
"""The highest skill, boost, stress value, threat level and cost: well above any the game names."""

MOST_SLOTS: Final = 9
HIGHEST_CHARACTERISTIC: Final = 4
WHOLE: Final = re.compile(r"[+-]?[0-9]{1,4}")


def read_sheet(key: str, value: str) -> tuple[str, int | str]:
    """A key and its value made regular: `docs/rules/edgerunner.md` §1."""
    prefix = next((one for one in PREFIXES if key.startswith(one)), "")
    name = key.removeprefix(prefix)
    if not name:
        raise Refused(f"{key} has no name: write it like {prefix}{EXAMPLES[prefix]}.")
    if prefix:
        return _regular(prefix, name), READ[prefix](name, value)
    if key in TRACK_NAMES:
        return key, _boxes(key, value)
    if key in FIELDS:
        return key, READ_FIELD[key](key, value)
    return key, _skill(key, value)


def _regular(prefix: str, name: str) -> str:
    """The shortest key that says the same."""
    taken = name in TRACK_NAMES or name in FIELDS
    needless = name in TRACK_NAMES if prefix == TRACK else prefix == SKILL and not taken
    return name if needless else f"{prefix}{name}"


# --- numbers ----------------------------------------------------------------------------------------------


def whole(typed: str) -> int | None:
    """The whole number written so, of four digits at most; None for anything else."""
    return int(typed) if WHOLE.fullmatch(typed) else None


def _number(key: str, value: str, least: int, most: int, what: str) -> int:
    number = whole(value)
    if number is None or not least <= number <= most:
        raise Refused(f"{what} is a number from {least} to {most}: {key}=2, not {value}.")
    return number


def _skill(key: str, value: str) -> int:
    return _number(key, value, 0, MOST, "A skill")


def _boxes(key: str, value: str) -> int:
    return _number(key, value, 0, MOST_BOXES, "A threshold")


def _track(name: str, value: str) -> int:
    return _boxes(f"{TRACK}{name}", value)


def _level(key: str, value: str) -> int:
    return _number(key, value, 1, MOST, "A threat level")


def _cost(key: str, value: str) -> int:
    return _number(key, value, 0, MOST, "The cost of a device")


def _characteristic(key: str, value: str) -> int:
    most = HIGHEST_CHARACTERISTIC
    return _number(key, value, -most, most, f"The {key} of a faction")


def _slots(name: str, value: str) -> int:
    if name not in tuple(Severity):
        raise Refused(f"A consequence is {_either(Severity)}: {SLOTS}mild=2, not {SLOTS}{name}.")
    return _number(f"{SLOTS}{name}", value, 0, MOST_SLOTS, "The number of slots")


def _takes(key: str, value: str) -> int:
    del key
    return read_time(value)


def read_time(typed: str) -> int:
    """A step of the time track, from 0; Refused with all of them for what is none."""
    step = rules.time_step(typed)
    if step is None:
        raise Refused(f"“{typed}” is not on the time track: {', '.join(rules.TIME)}.")
    return step


# --- words ------------------------------------------------------------------------------------------------


def _kind(key: str, value: str) -> str:
    return _word(key, value, Kind)


def _role(key: str, value: str) -> str:
    return _word(key, value, Role)


def _word(key: str, value: str, words: type[StrEnum]) -> str:
    if normalise(value) not in tuple(words):
        raise Refused(f"The {key} of somebody is {_either(words)}, not {value}.")
    return normalise(value)


def _either(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}"


def _wording(name: str, value: str) -> str:
    if not normalise(value):
        raise Refused(f"An aspect is words: {ASPECT}{EXAMPLES[ASPECT]}, not {name} alone.")
    return clean(value)


def _upgrade(name: str, value: str) -> str:
    read = Upgrade.read(value)
    if read is None or read.skill.isdecimal():
        raise Refused(
            f"An upgrade is a skill, its boost and its stress value: {_upgraded(name)}, not {value}."
        )
    for what, number in (("boost", read.boost), ("stress value", read.value)):
        if number > MOST:
            raise Refused(f"The {what} of an upgrade is {MOST} at most: {_upgraded(name)}, not {value}.")
    return str(read)


def _upgraded(name: str) -> str:
    return f"{UPGRADE}{name}=firearms+2/0"


def _primary(key: str, value: str) -> str:
    raise Refused(f"{key}= names the person whose alternate it is: {key}=Jade, not {value}.")


EXAMPLES: Final[Mapping[str, str]] = {
    SKILL: "driving=2",
    TRACK: "integrity=3",
    ASPECT: 'style="Light on her feet"',
    GHOST: 'old="Never late"',
    UPGRADE: "smartlink=firearms+2/0",
    SLOTS: "mild=2",
}
"""What follows each prefix, for a sentence."""

Reader = Callable[[str, str], int | str]

READ: Final[Mapping[str, Reader]] = {
    SKILL: _skill,
    TRACK: _track,
    ASPECT: _wording,
    GHOST: _wording,
    UPGRADE: _upgrade,
    SLOTS: _slots,
}
"""How what stands under each prefix is read."""

READ_FIELD: Final[Mapping[str, Reader]] = {
    "kind": _kind,
    "role": _role,
    "tl": _level,
    "cost": _cost,
    "takes": _takes,
    "threshold": _boxes,
    OF: _primary,
    **dict.fromkeys(Characteristic, _characteristic),
}
"""How the keys are read that are neither a track's nor a skill's."""


# --- what there is ----------------------------------------------------------------------------------------

SHEET: Final = (
    SheetKey("kind", "what it is; a character, if nobody says", "kind=mook", words=tuple(Kind)),
    SheetKey("role", "a character's role, with its exception", "role=solo", words=tuple(Role)),
    SheetKey("NAME", "a skill; any key that is none of these", "driving=2", 0, MOST),
    SheetKey("skill.NAME", "a skill called as another key is", "skill.focus=2", 0, MOST),
    *(
        SheetKey(track, "the threshold of that track: its highest box", f"{track}=4", 0, MOST_BOXES)
        for track in sorted(TRACK_NAMES)
    ),
    SheetKey("track.NAME", "the threshold of any other track", "track.hull=6", 0, MOST_BOXES),
    SheetKey("threshold", "that of the only track of a problem, goon or mook", "threshold=3", 0, MOST_BOXES),
    SheetKey("slots.SEVERITY", "how many such consequences fit", "slots.mild=2", 0, MOST_SLOTS),
    SheetKey("aspect.KEY", "an aspect, in words", 'aspect.style="Light on her feet"', form="WORDS"),
    SheetKey("ghost.KEY", "an aspect of a ghost's", 'ghost.old="Never late"', form="WORDS"),
    SheetKey(
        "upgrade.NAME",
        "the skill it is for, its boost, its stress value, the track it strains",
        "upgrade.smartlink=firearms+2/0",
        form="SKILL+BOOST/STRESS:TRACK",
    ),
    SheetKey("tl", "the threat level of mooks", "tl=3", 1, MOST),
    SheetKey("cost", "what a device costs", "cost=2", 0, MOST),
    SheetKey("takes", "how long the task of a problem takes", 'takes="a few weeks"', words=rules.TIME),
    SheetKey("of", "whose alternate it is", "of=Jade", form="NAME"),
    *(
        SheetKey(one.value, "of a faction", f"{one.value}=1", -HIGHEST_CHARACTERISTIC, HIGHEST_CHARACTERISTIC)
        for one in Characteristic
    ),
)
"""Every key of a sheet; `docs/rules/edgerunner.md` §11 has the same table."""

MISTAKEN: Final[Mapping[str, str]] = {"level": "tl", "threat": "tl"}
"""Words taken for the key of another name: as a key each would be a skill that nobody has."""


# --- mooks ------------------------------------------------------------------------------------------------


def merge(situation: Situation, command: Merge) -> list[Event]:
    """The first of the lots goes on for all, with what is marked on any; of two who are one, the second."""
    if command.person is not None:
        return people.merge_people(situation, command)
    situation = without_other_game(situation, *command.who)
    first, *others = dict.fromkeys(command.who)
    if not others:
        raise Refused(f"A group alone merges with nothing: merge {quoted(situation.name(first))}+NAME.")
    levels = [_merged_level(situation, who) for who in (first, *others)]
    if situation.conflict is not None:
        _check_together(situation, (first, *others))
    merged = g.MooksMerged(
        conflict=situation.where,
        who=first,
        others=tuple(others),
        level=rules.mook_equals(levels),
        text=command.text,
    )
    ended: list[Event] = []
    for who in others if situation.conflict is not None else ():
        over = (*defences_of(situation, who), *defences_on(situation, who))
        ended += [one for one in over if one not in ended]
    return [*ended, merged]


def _merged_level(situation: Situation, who: int) -> int:
    sheet, name = game_state(situation.table).sheet(who), situation.name(who)
    if sheet.kind is not Kind.MOOK or "tl" not in sheet.numbers:
        raise Refused(
            f"Mooks merge, and {name} is none with a threat level: cast {quoted(name)} kind=mook tl=3."
        )
    return sheet.numbers["tl"]


def _check_together(situation: Situation, lots: tuple[int, ...]) -> None:
    """Refuses lots of several sides or zones, and what an act on the table is by or aimed at."""
    state = current_conflict(situation)
    sides = {situation.here.side_of(actor(situation, who)) for who in lots}
    zones = {state.places.get(who) for who in lots}
    if len(sides) > 1 or len(zones) > 1:
        raise Refused(f"{situation.names(lots)} stand apart: lots of one side in one zone merge.")
    for act in state.acts:
        if {act.who, *act.targets} & {*lots}:
            raise Refused(describe_act(situation, act))
