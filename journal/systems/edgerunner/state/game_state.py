"""What outlives a conflict: sheets, fate points, stress, consequences, and every aspect in play."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct, field

from journal.capabilities import InPlay, Picture, Row
from journal.names import normalise
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.options import NAME, chosen
from journal.systems.edgerunner.rules import Characteristic, Kind, Severity
from journal.systems.edgerunner.state.rolls import Finding, SkillRoll
from journal.table import Table
from journal.visibility import is_secret_number, next_number
from journal.vocabulary.base import GM, sheet_subject

SKILL, TRACK, ASPECT, GHOST, UPGRADE, SLOTS = "skill.", "track.", "aspect.", "ghost.", "upgrade.", "slots."
PREFIXES = (SKILL, TRACK, ASPECT, GHOST, UPGRADE, SLOTS)
"""What the keys of a sheet may begin with; one with nothing before it is a skill's, or one of `FIELDS`."""

FIELDS = ("kind", "role", "tl", "takes", "cost", "threshold", "of", *Characteristic)
"""The keys of a sheet that are neither a track's nor a skill's."""

TRACK_NAMES: Final = frozenset(
    {
        *(rules.COOL, rules.HUMANITY, rules.REPUTATION, rules.LEVERAGE, rules.PRESTIGE, rules.STRESS),
        *("integrity", "crew"),
    }
)
"""The tracks that need no `track.` before them on a sheet."""

THINGS: Final = (Kind.PROBLEM, Kind.DEVICE)
"""What has a sheet and is nobody."""

OF: Final = "of"
"""The key that says whose alternate somebody is."""

_UPGRADE: Final = re.compile(
    r"(?P<skill>[^+/:]*)(?:\+ ?(?P<boost>[0-9]{1,4}) ?)?(?:/ ?(?P<value>[0-9]{1,4}) ?)?(?::(?P<track>.+))?"
)


class Upgrade(Struct, frozen=True):
    """What an upgrade adds to which skill, its stress value, and the track that takes the strain."""

    skill: str
    boost: int
    value: int
    track: str

    @classmethod
    def read(cls, written: str) -> Upgrade | None:
        """The upgrade written as `firearms+2/0` or `/3:cool`; None for what is none.

        The number after the stroke is the stress value; without it, it is the boost.
        """
        found = _UPGRADE.fullmatch(" ".join(written.split()))
        if found is None or not (found["skill"] or found["boost"] or found["value"]):
            return None
        boost = int(found["boost"] or 0)
        value = int(found["value"]) if found["value"] is not None else boost
        return cls(normalise(found["skill"]), boost, value, normalise(found["track"] or rules.HUMANITY))

    def __str__(self) -> str:
        """As it is written on a sheet."""
        track = "" if self.track == rules.HUMANITY else f":{self.track}"
        return f"{self.skill}+{self.boost}/{self.value}{track}"


class Sheet(Struct):
    """Somebody or something: tracks and skills by name, in what the table typed."""

    kind: Kind = Kind.CHARACTER
    role: str | None = None
    skills: dict[str, int] = field(default_factory=dict)
    thresholds: dict[str, int] = field(default_factory=dict)
    slots: dict[Severity, int] = field(default_factory=dict)
    """How many slots for a consequence, where it is not the usual one."""
    upgrades: dict[str, Upgrade] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    """Threat level, cost, what a task takes (its step), a single track's threshold, a faction's three."""
    of: int | None = None
    """Whose alternate this is."""

    @property
    def takes_turns(self) -> bool:
        """True for people of every kind, and for a device that can do something."""
        return self.kind not in THINGS or (self.kind is Kind.DEVICE and bool(self.skills))

    def tracks(self) -> tuple[str, ...]:
        """The tracks of its own; whatever has just one has those that are named in its place."""
        usual = rules.tracks(self.kind)
        if usual == (rules.STRESS,) and self.thresholds:
            return tuple(self.thresholds)
        return (*usual, *(track for track in self.thresholds if track not in usual))

    def slots_of(self, severity: Severity) -> int:
        """How many consequences of that severity fit."""
        usual = 1 if severity in rules.slots(self.kind) else 0
        return self.slots.get(severity, usual)

    def worth(self, severity: Severity) -> int:
        """The shifts such a consequence is worth."""
        return rules.worth(self.kind, severity) or rules.WORTH[severity]

    def threshold(self, track: str, base: int, step: int | None) -> int:
        """The threshold of a track while nobody defends it: entered, or as such a thing usually has it.

        `base` is the table's for characters; `step` the length of an exchange, which tells how much of a
        problem a task is.
        """
        if track in self.thresholds:
            return self.thresholds[track]
        if "threshold" in self.numbers:
            return self.numbers["threshold"]
        if self.kind is Kind.PROBLEM and "takes" in self.numbers:
            return rules.problem_threshold(step or 0, self.numbers["takes"])
        added = self.numbers.get("tl", 0) if self.kind is Kind.MOOK else self.skills.get(track, 0)
        return rules.own_threshold(self.kind, base, added)

    def change(self, key: str, value: int | str | None) -> None:
        """Sets what stands under a key, or takes it away; aspects stand elsewhere."""
        prefix = next((one for one in PREFIXES if key.startswith(one)), "")
        name = key.removeprefix(prefix)
        if prefix == UPGRADE:
            _put(self.upgrades, name, None if value is None else Upgrade.read(str(value)))
        elif prefix == SLOTS:
            _put(self.slots, Severity(name), value)
        elif prefix == TRACK or (not prefix and key in TRACK_NAMES):
            _put(self.thresholds, name, value)
        elif key in FIELDS:
            self._set_field(key, value)
        else:
            _put(self.skills, name, value)

    def _set_field(self, key: str, value: int | str | None) -> None:
        match key:
            case "kind":
                self.kind = Kind.CHARACTER if value is None else Kind(str(value))
            case "role":
                self.role = None if value is None else str(value)
            case "of":
                self.of = value if isinstance(value, int) else None
            case _:
                _put(self.numbers, key, value)


def _put(kept: dict, key: object, value: object) -> None:  # type: ignore[type-arg]  # one dict of many
    kept.pop(key, None)
    if value is not None:
        kept[key] = value


def aspects_of(values: Mapping[str, int | str | None]) -> Iterator[tuple[str, str | None, bool]]:
    """The aspects a change of sheet speaks of: key, wording (None takes it away), whether it is a ghost's."""
    for key, value in values.items():
        if key.startswith((ASPECT, GHOST)):
            yield key, None if value is None else str(value), key.startswith(GHOST)


FATE_POINTS = "fate points"
NOBODY_SHEET = Sheet()
"""What somebody has of whom nothing was said: a character without skills. Never changed."""


class Defence(Struct):
    """A threshold that somebody keeps up in a conflict, for a track of `on`'s, a border or an aspect."""

    by: int
    value: int
    on: int | str
    track: str
    conflict: int
    about: int | None = None
    """The number of the aspect that is defended, if one is."""


class Aspect(Struct):
    """An aspect in play: on whom or what, and who may invoke it for nothing how often."""

    id: int
    on: int | str
    wording: str
    by: int | None = None
    key: str | None = None
    """The key of the sheet it stands under, if it is no passing thing."""
    ghost: bool = False
    severity: Severity | None = None
    """Of a consequence: how bad it is."""
    slot_of: int | None = None
    """Of a consequence: whose slot it fills, where that is not the one it is on."""
    maneuvered: bool = False
    """True for what a maneuver has put there."""
    free: dict[int | None, int] = field(default_factory=dict)
    """Free invokes by holder; None stands for anybody who opposes the one it is on."""
    boxes: int = 0
    marked: set[int] = field(default_factory=set)
    defence: Defence | None = None
    conflict: int | None = None
    """The conflict it was made in, if it was."""
    shifts: int | None = None
    """How well a declaration or maneuver went: its persistence."""

    @property
    def lasting(self) -> bool:
        """True for what stands on a sheet."""
        return self.key is not None


class Offer(Struct):
    """A compel on the table, for `who`."""

    who: int
    aspect: int
    by: int


class Owed(Struct):
    """Stress an upgrade has cost its owner, not yet taken."""

    upgrade: str
    track: str
    left: int


class EdgerunnerState(Struct):
    """What Edgerunner keeps on a table."""

    sheets: dict[int, Sheet] = field(default_factory=dict)
    seats: dict[int, int] = field(default_factory=dict)
    """Who plays whom: player by character."""
    purses: dict[int, int] = field(default_factory=dict)
    """Fate points by player; a player who is not here has `start`."""
    start: int = int(chosen.default("fp_start"))
    base: int = int(chosen.default("base_threshold"))
    step: int | None = None
    """The length of the exchanges played last, on the time track."""
    pace: dict[int, int | None] = field(default_factory=dict)
    """The length of the exchanges in which somebody or something was dealt with last, by person."""
    marks: dict[tuple[int, str], set[int]] = field(default_factory=dict)
    defences: dict[tuple[int, str], Defence] = field(default_factory=dict)
    aspects: dict[int, Aspect] = field(default_factory=dict)
    aspects_ever: int = 0
    """The number of the last aspect that everybody may know of."""
    secret_aspects: list[int] = field(default_factory=list)
    """The numbers of all that were put on somebody, or written on a sheet, in secret."""
    mapped: set[str] = field(default_factory=set)
    """Every zone and border that was ever drawn, by name."""
    offers: list[Offer] = field(default_factory=list)
    """Compels made outside any conflict, answered in the order they came."""
    owed: dict[int, Owed] = field(default_factory=dict)
    drawn: object = None
    """The `Play` with the map drawn for the conflict that opens next; its class is made of what is here."""
    finding: Finding | None = None
    """The last assessment or declaration, while nothing has been rolled since."""
    roll: SkillRoll | None = None
    """The last roll outside the exchanges: shifts may still be added to it, and spent."""
    dead: set[int] = field(default_factory=set)
    felled: dict[int, int] = field(default_factory=dict)
    """By whom somebody was taken out last, this evening."""

    # --- sheets -------------------------------------------------------------------------------------------

    def sheet(self, person: int) -> Sheet:
        """Somebody's sheet, to be read."""
        return self.sheets.get(person, NOBODY_SHEET)

    def tracks(self, person: int) -> tuple[str, ...]:
        """Every track somebody can take stress on, an alternate's shared ones among them."""
        sheet = self.sheet(person)
        return (*sheet.tracks(), *(rules.shared_tracks(sheet.kind) if sheet.of is not None else ()))

    def bearer(self, person: int, track: str) -> int:
        """Whose track it is: an alternate shares some with their primary."""
        sheet = self.sheet(person)
        shared = sheet.of is not None and track in rules.shared_tracks(sheet.kind)
        return sheet.of if shared and sheet.of is not None else person

    def own_threshold(self, person: int, track: str) -> int:
        """The threshold of a track while nobody defends it."""
        bearer = self.bearer(person, track)
        return self.sheet(bearer).threshold(track, self.base, self.pace.get(bearer, self.step))

    def threshold(self, person: int, track: str) -> int:
        """The threshold of a track now."""
        defence = self.defences.get((self.bearer(person, track), track))
        return self.own_threshold(person, track) if defence is None else defence.value

    def marked(self, person: int, track: str) -> set[int]:
        """The boxes of a track that are marked, to be read."""
        return self.marks.get((self.bearer(person, track), track), set())

    # --- fate points --------------------------------------------------------------------------------------

    def hand(self, person: int) -> int:
        """Who pays and is paid for somebody: their player, themselves if they are one, else the referee."""
        return self.seats.get(person, person if person in self.seats.values() else GM)

    def held(self, player: int) -> int:
        """How many fate points a player holds; the referee's are not counted."""
        return self.purses.get(player, self.start)

    # --- aspects ------------------------------------------------------------------------------------------

    def consequences_of(self, person: int, severity: Severity) -> list[Aspect]:
        """The consequences of that severity that fill somebody's slots."""
        return [
            one
            for one in self.aspects.values()
            if one.severity is severity and person == (one.on if one.slot_of is None else one.slot_of)
        ]

    def next_aspect(self, table: Table, on: int | str, taken: int = 0) -> int:
        """The number of the next aspect on somebody or something, after `taken` that are not there yet.

        On a secret sheet, and on somebody secret, they are counted by themselves: nobody finds a gap.
        """
        subject = sheet_subject(NAME, on) if isinstance(on, int) else ""
        is_secret = isinstance(on, int) and table.secret(on) is not None
        if not is_secret and subject not in table.secrets:
            return self.aspects_ever + 1 + taken
        return next_number(self.secret_aspects, subject, "aspect ") + taken

    def count(self, aspect: int) -> None:
        """Remembers that an aspect has this number."""
        if is_secret_number(aspect):
            self.secret_aspects.append(aspect)
        else:
            self.aspects_ever = max(self.aspects_ever, aspect)

    def put(self, aspect: Aspect, free: int, holder: int | None) -> None:
        """An aspect comes into play, with so many free invokes for `holder`."""
        self.count(aspect.id)
        self.aspects[aspect.id] = aspect
        if free:
            aspect.free[holder] = free

    def room_for(self, person: int, severity: Severity) -> bool:
        """True if somebody has a free slot for such a consequence."""
        return len(self.consequences_of(person, severity)) < self.sheet(person).slots_of(severity)

    # --- what views ask -----------------------------------------------------------------------------------

    def things(self) -> Iterable[int]:
        """Devices, problems and factions."""
        return [person for person, sheet in self.sheets.items() if sheet.kind in _NOBODY]

    def rows(self) -> Iterable[Row]:
        """Every player's fate points, then every track and every slot of everybody with a sheet."""
        players = dict.fromkeys(self.seats[person] for person in self.sheets if person in self.seats)
        for player in dict.fromkeys((*players, *self.purses)):
            yield Row(player, FATE_POINTS, self.held(player), picture=Picture.POINTS)
        for person, sheet in self.sheets.items():
            yield from (self._track(person, track) for track in sheet.tracks())
        for person in self.sheets:
            yield from self._slots(person)

    def _track(self, person: int, track: str) -> Row:
        defence, marked = self.defences.get((person, track)), tuple(sorted(self.marked(person, track)))
        return Row(
            person,
            track,
            len(marked),
            self.threshold(person, track),
            Picture.STRESS,
            boxes=marked,
            by=None if defence is None else defence.by,
            reverts=self.own_threshold(person, track),
        )

    def _slots(self, person: int) -> Iterator[Row]:
        sheet = self.sheet(person)
        for severity in Severity:
            borne = [one.wording for one in self.consequences_of(person, severity)]
            for place in range(max(sheet.slots_of(severity), len(borne))):
                words = tuple(borne[place : place + 1])
                yield Row(person, severity.value, sheet.worth(severity), picture=Picture.SLOT, words=words)

    def stays(self, aspect: Aspect, named: Collection[str]) -> bool:
        """False for an aspect of a place on a map put away; `named` are the places of the one in play."""
        return not isinstance(aspect.on, str) or aspect.on not in self.mapped or aspect.on in named

    def aspects_in_play(self) -> Iterable[InPlay]:
        """Every aspect, in the order they came into play; once for each holder of free invokes."""
        for one in self.aspects.values():
            for holder, free in _held(one):
                marked = tuple(sorted(one.marked))
                boxes = one.boxes if one.defence is None else one.defence.value
                yield InPlay(one.id, one.on, one.wording, one.lasting, free, holder, boxes, marked)


_NOBODY = frozenset({*THINGS, Kind.FACTION})


def _held(aspect: Aspect) -> Iterator[tuple[int | None, int]]:
    left = [(holder, free) for holder, free in aspect.free.items() if free]
    yield from left or [(None, 0)]
