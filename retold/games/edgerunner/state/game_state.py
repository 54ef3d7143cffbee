"""Edgerunner's state for the whole campaign: sheets, fate points, stress, consequences, and aspects.

An aspect is a phrase describing a person, place or thing, which can be invoked on rolls: for a fate
point, or free with a free invoke. A consequence is an aspect taken to absorb shifts; it fills a slot of
the sheet.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct, field

from retold.game import (
    GM,
    InPlay,
    Picture,
    Row,
    Table,
    is_secret_number,
    next_number,
    normalise,
    sheet_subject,
)
from retold.games.edgerunner import rules
from retold.games.edgerunner.options import NAME, chosen
from retold.games.edgerunner.rules import Characteristic, Kind, Severity
from retold.games.edgerunner.state.rolls import Finding, SkillRoll

SKILL, TRACK, ASPECT, GHOST, UPGRADE, SLOTS = "skill.", "track.", "aspect.", "ghost.", "upgrade.", "slots."
PREFIXES = (SKILL, TRACK, ASPECT, GHOST, UPGRADE, SLOTS)
"""Prefixes of sheet keys; a key without prefix is a skill or one of `FIELDS`."""

FIELDS = ("kind", "role", "tl", "takes", "cost", "threshold", "of", *Characteristic)
"""Sheet keys that are neither tracks nor skills."""

TRACK_NAMES: Final = frozenset(
    {
        *(rules.COOL, rules.HUMANITY, rules.REPUTATION, rules.LEVERAGE, rules.PRESTIGE, rules.STRESS),
        *("integrity", "crew"),
    }
)
"""Tracks recognised on a sheet without the prefix `track.`."""

THINGS: Final = (Kind.PROBLEM, Kind.DEVICE)
"""Kinds of sheets that describe things."""

_UPGRADE: Final = re.compile(
    r"(?P<skill>[^+/:]*)(?:\+ ?(?P<boost>[0-9]{1,4}) ?)?(?:/ ?(?P<value>[0-9]{1,4}) ?)?(?::(?P<track>.+))?"
)


class Upgrade(Struct, frozen=True):
    """An upgrade: the skill it helps, its boost to that skill, its stress value, and the track that pays.

    Each use costs stress on that track, the strain.
    """

    skill: str
    boost: int
    value: int
    track: str

    @classmethod
    def read(cls, written: str) -> Upgrade | None:
        """Parses an upgrade as written on a sheet, such as `firearms+2/0` or `/3:cool`; None if malformed.

        The number after the stroke is the stress value, by default the boost; the track is humanity by
        default.
        """
        found = _UPGRADE.fullmatch(" ".join(written.split()))
        if found is None or not (found["skill"] or found["boost"] or found["value"]):
            return None
        boost = int(found["boost"] or 0)
        value = int(found["value"]) if found["value"] is not None else boost
        return cls(normalise(found["skill"]), boost, value, normalise(found["track"] or rules.HUMANITY))

    def __str__(self) -> str:
        """Writes the upgrade as on a sheet: `firearms+2/0:cool`."""
        track = "" if self.track == rules.HUMANITY else f":{self.track}"
        return f"{self.skill}+{self.boost}/{self.value}{track}"


class Sheet(Struct):
    """Sheet of a person or thing: kind, role, skills, thresholds of tracks, consequence slots, upgrades."""

    kind: Kind = Kind.CHARACTER
    role: str | None = None
    skills: dict[str, int] = field(default_factory=dict)
    thresholds: dict[str, int] = field(default_factory=dict)
    slots: dict[Severity, int] = field(default_factory=dict)
    """Numbers of consequence slots, where they differ from the default."""
    upgrades: dict[str, Upgrade] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    """Threat level, cost, a task's time step, a single track's threshold, faction characteristics."""
    of: int | None = None
    """Primary of this alternate."""

    @property
    def takes_turns(self) -> bool:
        """True if the bearer can act in exchanges: any kind but problems, and devices without skills."""
        return self.kind not in THINGS or (self.kind is Kind.DEVICE and bool(self.skills))

    def tracks(self) -> tuple[str, ...]:
        """Returns the names of this sheet's stress tracks: those of its kind, then those written on it.

        If the kind has only the track `stress`, tracks written on the sheet replace it.
        """
        usual = rules.tracks(self.kind)
        if usual == (rules.STRESS,) and self.thresholds:
            return tuple(self.thresholds)
        return (*usual, *(track for track in self.thresholds if track not in usual))

    def slots_of(self, severity: Severity) -> int:
        """Returns how many consequences of this severity fit on the sheet."""
        usual = 1 if severity in rules.slots(self.kind) else 0
        return self.slots.get(severity, usual)

    def worth(self, severity: Severity) -> int:
        """Returns the shifts that a consequence of this severity absorbs."""
        return rules.worth(self.kind, severity) or rules.WORTH[severity]

    def threshold(self, track: str, base: int, step: int | None) -> int:
        """Returns the highest box of an undefended track: as on the sheet, or the default of its kind.

        `base` is the table's option for characters; `step` is the exchange length as an index of the time
        track, which sets a problem's threshold from the duration of its task.
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
        """Sets a sheet key such as `skill.driving` to `value`, or removes the key if `value` is None.

        Keys of aspects are not for this method: aspects are kept in EdgerunnerState.
        """
        prefix = next((known for known in PREFIXES if key.startswith(known)), "")
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
    """Yields key, wording (None: removed) and ghost flag of each aspect in a sheet change."""
    for key, value in values.items():
        if key.startswith((ASPECT, GHOST)):
            yield key, None if value is None else str(value), key.startswith(GHOST)


FATE_POINTS = "fate points"
NOBODY_SHEET = Sheet()
"""Shared sheet of people without one: a character without skills. Never mutated."""


class Defence(Struct):
    """A defence that `by` keeps up: it sets the threshold of a track, border or aspect to `value`."""

    by: int
    value: int
    on: int | str
    track: str
    conflict: int
    about: int | None = None
    """Id of the defended aspect, if any."""


class Aspect(Struct):
    """An aspect in play: the person or thing it is on, its wording, and its free invokes by holder."""

    id: int
    on: int | str
    wording: str
    by: int | None = None
    key: str | None = None
    """Sheet key, if the aspect is on a sheet."""
    ghost: bool = False
    severity: Severity | None = None
    """Severity, if it is a consequence."""
    slot_of: int | None = None
    """Owner of the consequence's slot, if not the bearer."""
    maneuvered: bool = False
    """True if a maneuver placed it."""
    free: dict[int | None, int] = field(default_factory=dict)
    """Free invokes by holder; None means any opponent of the bearer."""
    boxes: int = 0
    marked: set[int] = field(default_factory=set)
    defence: Defence | None = None
    conflict: int | None = None
    """Conflict in which it was placed, if any."""
    shifts: int | None = None
    """Shifts of the declaration or maneuver that placed it."""

    @property
    def lasting(self) -> bool:
        """True if the aspect is written on a sheet."""
        return self.key is not None


class Offer(Struct):
    """A compel waiting for an answer: `by` offers `who` a fate point, on the grounds of an aspect."""

    who: int
    aspect: int
    by: int


class Owed(Struct):
    """Stress that a person still has to take on a track, for having used an upgrade."""

    upgrade: str
    track: str
    left: int


class EdgerunnerState(Struct):
    """Edgerunner's state for the whole campaign, kept when conflicts end."""

    sheets: dict[int, Sheet] = field(default_factory=dict)
    seats: dict[int, int] = field(default_factory=dict)
    """Player by character."""
    purses: dict[int, int] = field(default_factory=dict)
    """Fate points by player; missing players have `start`."""
    start: int = int(chosen.default("fp_start"))
    base: int = int(chosen.default("base_threshold"))
    step: int | None = None
    """Time step of the last exchanges played."""
    pace: dict[int, int | None] = field(default_factory=dict)
    """Time step of the exchanges of each person's last conflict."""
    marks: dict[tuple[int, str], set[int]] = field(default_factory=dict)
    defences: dict[tuple[int, str], Defence] = field(default_factory=dict)
    aspects: dict[int, Aspect] = field(default_factory=dict)
    aspects_ever: int = 0
    """Highest id of a public aspect."""
    secret_aspects: list[int] = field(default_factory=list)
    """Ids of secret aspects."""
    mapped: set[str] = field(default_factory=set)
    """Names of zones and borders ever drawn."""
    offers: list[Offer] = field(default_factory=list)
    """Unanswered compels outside conflicts, oldest first."""
    owed: dict[int, Owed] = field(default_factory=dict)
    drawn: object = None
    """EdgerunnerConflict with the map prepared for the next conflict; untyped to avoid an import cycle."""
    finding: Finding | None = None
    """Last assessment or declaration; None after another roll."""
    roll: SkillRoll | None = None
    """Last roll outside conflicts; it can still be changed and its shifts spent."""
    dead: set[int] = field(default_factory=set)
    felled: dict[int, int] = field(default_factory=dict)
    """Last attacker of each person taken out this session."""

    # --- sheets -------------------------------------------------------------------------------------------

    def sheet(self, person: int) -> Sheet:
        """Returns a person's sheet, for reading only; a shared empty character sheet if they have none."""
        return self.sheets.get(person, NOBODY_SHEET)

    def tracks(self, person: int) -> tuple[str, ...]:
        """Returns the names of a person's stress tracks; for an alternate, also the primary's shared ones."""
        sheet = self.sheet(person)
        return (*sheet.tracks(), *(rules.shared_tracks(sheet.kind) if sheet.of is not None else ()))

    def bearer(self, person: int, track: str) -> int:
        """Returns the owner of a person's track: for an alternate's cool and humanity, its primary."""
        sheet = self.sheet(person)
        shared = sheet.of is not None and track in rules.shared_tracks(sheet.kind)
        return sheet.of if shared and sheet.of is not None else person

    def own_threshold(self, person: int, track: str) -> int:
        """Returns a track's threshold (highest box) as if undefended."""
        bearer = self.bearer(person, track)
        return self.sheet(bearer).threshold(track, self.base, self.pace.get(bearer, self.step))

    def threshold(self, person: int, track: str) -> int:
        """Returns a track's threshold (highest box) now: set by its defence, if it has one."""
        defence = self.defences.get((self.bearer(person, track), track))
        return self.own_threshold(person, track) if defence is None else defence.value

    def marked(self, person: int, track: str) -> set[int]:
        """Returns the numbers of a track's marked boxes, as a set for reading only."""
        return self.marks.get((self.bearer(person, track), track), set())

    # --- fate points --------------------------------------------------------------------------------------

    def hand(self, person: int) -> int:
        """Returns the player whose fate points a person uses: a character's player, or a player themselves.

        0, the referee, for people without a player.
        """
        return self.seats.get(person, person if person in self.seats.values() else GM)

    def held(self, player: int) -> int:
        """Returns a player's fate points; meaningless for the referee (0), whose points are not counted."""
        return self.purses.get(player, self.start)

    # --- aspects ------------------------------------------------------------------------------------------

    def consequences_of(self, person: int, severity: Severity) -> list[Aspect]:
        """Returns the consequences of one severity in a person's slots.

        A consequence that a nomad took for a comrade is in the nomad's slot, though on the comrade.
        """
        return [
            aspect
            for aspect in self.aspects.values()
            if aspect.severity is severity
            and person == (aspect.on if aspect.slot_of is None else aspect.slot_of)
        ]

    def next_aspect(self, table: Table, on: int | str, taken: int = 0) -> int:
        """Returns the id for a new aspect on a person or thing; `taken` more ids are used up before it.

        Aspects on a secret sheet or person are numbered separately, so that no gap gives them away.
        """
        subject = sheet_subject(NAME, on) if isinstance(on, int) else ""
        is_secret = isinstance(on, int) and table.secret(on) is not None
        if not is_secret and subject not in table.secrets:
            return self.aspects_ever + 1 + taken
        return next_number(self.secret_aspects, subject, "aspect ") + taken

    def count(self, aspect: int) -> None:
        """Records a used aspect id, so that next_aspect does not return it again."""
        if is_secret_number(aspect):
            self.secret_aspects.append(aspect)
        else:
            self.aspects_ever = max(self.aspects_ever, aspect)

    def put(self, aspect: Aspect, free: int, holder: int | None) -> None:
        """Adds an aspect to play; `holder` (None: any opponent of its bearer) gets `free` free invokes."""
        self.count(aspect.id)
        self.aspects[aspect.id] = aspect
        if free:
            aspect.free[holder] = free

    def room_for(self, person: int, severity: Severity) -> bool:
        """True if a person has an empty slot for a consequence of this severity."""
        return len(self.consequences_of(person, severity)) < self.sheet(person).slots_of(severity)

    # --- what views ask -----------------------------------------------------------------------------------

    def things(self) -> Iterable[int]:
        """Returns the ids of sheets that are no single person: devices, problems and factions."""
        return [person for person, sheet in self.sheets.items() if sheet.kind in _NOBODY]

    def rows(self) -> Iterable[Row]:
        """Yields rows to display: fate points of players, then stress tracks, then consequence slots."""
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
            borne = [aspect.wording for aspect in self.consequences_of(person, severity)]
            for place in range(max(sheet.slots_of(severity), len(borne))):
                words = tuple(borne[place : place + 1])
                yield Row(person, severity.value, sheet.worth(severity), picture=Picture.SLOT, words=words)

    def stays(self, aspect: Aspect, named: Collection[str]) -> bool:
        """False if the aspect is on a zone or border of an earlier map.

        `named` are the names on the current map; aspects on people and other things stay.
        """
        return not isinstance(aspect.on, str) or aspect.on not in self.mapped or aspect.on in named

    def aspects_in_play(self) -> Iterable[InPlay]:
        """Yields aspects for display, in order of entry.

        An aspect is repeated for each holder of free invokes.
        """
        for aspect in self.aspects.values():
            for holder, free in _held(aspect):
                marked = tuple(sorted(aspect.marked))
                boxes = aspect.boxes if aspect.defence is None else aspect.defence.value
                yield InPlay(
                    aspect.id, aspect.on, aspect.wording, aspect.lasting, free, holder, boxes, marked
                )


_NOBODY = frozenset({*THINGS, Kind.FACTION})


def _held(aspect: Aspect) -> Iterator[tuple[int | None, int]]:
    yield from [(holder, free) for holder, free in aspect.free.items() if free] or [(None, 0)]
