"""Keys of a sheet and parsing of their values; merging groups of mooks (minor opponents)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from retold.game import (
    Event,
    Refused,
    SheetKey,
    Situation,
    clean,
    either,
    normalise,
    people,
    quoted,
    sheet_reader,
    whole,
)
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands.follow_ups import defences_with
from retold.games.edgerunner.commands.positions import actor, current_conflict, without_other_game
from retold.games.edgerunner.commands.turns import describe_act
from retold.games.edgerunner.commands.verbs import Merge
from retold.games.edgerunner.rules import Characteristic, Kind, Role, Severity
from retold.games.edgerunner.state import Upgrade, game_state
from retold.games.edgerunner.state.game_state import SLOTS, TRACK_NAMES, UPGRADE

MOST_BOXES: Final = 99
"""Highest threshold: more than play fills, and still displayable."""

MOST: Final = 20
"""Highest skill, boost, stress value, threat level and cost; well above the rulebook's."""

MOST_SLOTS: Final = 9
HIGHEST_CHARACTERISTIC: Final = 4

_NUMBER: Final = "is a number from {least} to {most}: {key}=2, not {value}."
_SKILL_REFUSAL: Final = "A skill is a number from {least} to {most}: {name}=2, not {value}."
_ONE_OF: Final = "The {key} of a person is {words}, not {value}."


def read_time(typed: str) -> int:
    """Returns a duration's index on the time track: `an hour` → 7; raises Refused for other words."""
    step = rules.time_step(typed)
    if step is None:
        raise Refused(f"“{typed}” is not on the time track: {', '.join(rules.TIME)}.")
    return step


def _slots(name: str, value: str) -> int:
    if name not in tuple(Severity):
        raise Refused(f"A consequence is {either(Severity)}: {SLOTS}mild=2, not {SLOTS}{name}.")
    number = whole(value)
    if number is None or not 0 <= number <= MOST_SLOTS:
        sentence = f"is a number from 0 to {MOST_SLOTS}: {SLOTS}{name}=2, not {value}."
        raise Refused(f"The number of slots {sentence}")
    return number


def _wording(key: str, value: str) -> str:
    if not normalise(value):
        raise Refused(f'An aspect is words: aspect.style="Light on her feet", not {key} alone.')
    return clean(value)


def _upgrade(name: str, value: str) -> str:
    read, example = Upgrade.read(value), f"{UPGRADE}{name}=firearms+2/0"
    if read is None or read.skill.isdecimal():
        raise Refused(f"An upgrade is a skill, its boost and its stress value: {example}, not {value}.")
    for what, number in (("boost", read.boost), ("stress value", read.value)):
        if number > MOST:
            raise Refused(f"The {what} of an upgrade is {MOST} at most: {example}, not {value}.")
    return str(read)


def _primary(key: str, value: str) -> str:
    raise Refused(f"{key}= names the person whose alternate it is: {key}=Jade, not {value}.")


def _boxes(key: str, about: str, example: str, same_as: tuple[str, ...] = ()) -> SheetKey:
    return SheetKey(key, about, example, 0, MOST_BOXES, refusal=f"A threshold {_NUMBER}", same_as=same_as)


TRACKS: Final = tuple(sorted(TRACK_NAMES))

SHEET: Final = (
    SheetKey("kind", "what it is; a character by default", "kind=mook", words=tuple(Kind), refusal=_ONE_OF),
    SheetKey(
        "role", "a character's role, with its exception", "role=solo", words=tuple(Role), refusal=_ONE_OF
    ),
    SheetKey("NAME", "a skill; any key that is none of these", "driving=2", 0, MOST, refusal=_SKILL_REFUSAL),
    SheetKey(
        "skill.NAME",
        "a skill called as another key is",
        "skill.focus=2",
        0,
        MOST,
        refusal=_SKILL_REFUSAL,
        same_as=("NAME",),
    ),
    *(_boxes(track, "the threshold of that track: its highest box", f"{track}=4") for track in TRACKS),
    _boxes("track.NAME", "the threshold of any other track", "track.hull=6", TRACKS),
    _boxes("threshold", "that of the only track of a problem, goon or mook", "threshold=3"),
    SheetKey("slots.SEVERITY", "how many such consequences fit", "slots.mild=2", 0, MOST_SLOTS, read=_slots),
    SheetKey(
        "aspect.KEY", "an aspect, in words", 'aspect.style="Light on her feet"', form="WORDS", read=_wording
    ),
    SheetKey("ghost.KEY", "an aspect of a ghost's", 'ghost.old="Never late"', form="WORDS", read=_wording),
    SheetKey(
        "upgrade.NAME",
        "the skill it is for, its boost, its stress value, the track it strains",
        "upgrade.smartlink=firearms+2/0",
        form="SKILL+BOOST/STRESS:TRACK",
        read=_upgrade,
    ),
    SheetKey("tl", "the threat level of mooks", "tl=3", 1, MOST, refusal=f"A threat level {_NUMBER}"),
    SheetKey("cost", "what a device costs", "cost=2", 0, MOST, refusal=f"The cost of a device {_NUMBER}"),
    SheetKey(
        "takes",
        "how long the task of a problem takes",
        'takes="a few weeks"',
        words=rules.TIME,
        read=lambda _key, value: read_time(value),
    ),
    SheetKey("of", "whose alternate it is", "of=Jade", form="NAME", read=_primary),
    *(
        SheetKey(
            key.value,
            "of a faction",
            f"{key.value}=1",
            -HIGHEST_CHARACTERISTIC,
            HIGHEST_CHARACTERISTIC,
            refusal=f"The {{key}} of a faction {_NUMBER}",
        )
        for key in Characteristic
    ),
)
"""Keys of a sheet; `docs/rules/edgerunner.md` §11 has the same table."""

read_sheet = sheet_reader(SHEET)

MISTAKEN: Final[Mapping[str, str]] = {
    "level": "tl",
    "threat": "tl",
    **dict.fromkeys(("fate", "fate points", "fatepoints", "fp"), "ruling NAME.points"),
}
"""Common mistakes for a key; taken literally, each would be a skill."""


# --- mooks ------------------------------------------------------------------------------------------------


def merge(situation: Situation, command: Merge) -> list[Event]:
    """Returns the events that merge groups of mooks into the first group named, which keeps all marked boxes.

    With `person` and `into`, merges two entries of one person instead. Raises Refused for sheets that are
    no mooks, and in a conflict for groups that stand apart.
    """
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
    return [*defences_with(situation, others), merged]


def _merged_level(situation: Situation, who: int) -> int:
    sheet, name = game_state(situation.table).sheet(who), situation.name(who)
    if sheet.kind is not Kind.MOOK or "tl" not in sheet.numbers:
        raise Refused(
            f"Mooks merge, and {name} is none with a threat level: cast {quoted(name)} kind=mook tl=3."
        )
    return sheet.numbers["tl"]


def _check_together(situation: Situation, lots: tuple[int, ...]) -> None:
    """Raises Refused if groups of mooks differ in side or zone, or one of them is part of a current act."""
    state = current_conflict(situation)
    sides = {situation.here.side_of(actor(situation, who)) for who in lots}
    if len(sides) > 1 or len({state.places.get(who) for who in lots}) > 1:
        raise Refused(f"{situation.names(lots)} stand apart: lots of one side in one zone merge.")
    for act in state.acts:
        if {act.who, *act.targets} & {*lots}:
            raise Refused(describe_act(situation, act))
