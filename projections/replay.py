"""From a line to moments: each event with the table after it. The only stair down to the record."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from journal import line as line_
from journal import names
from journal.line import Live
from journal.store import reading
from journal.store.campaign import Campaign
from journal.store.codec import TABLE, Envelope, Recorded, decode
from journal.store.file import Segment
from journal.store.rows import Row
from journal.table import Table
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event

ID_BYTES = 6
SOURCE_BYTES = 10


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: `person` None and not `gm` is the whole table; the game master sees everything."""

    gm: bool = True
    person: int | None = None
    also: frozenset[int] = frozenset()
    """Whom this person plays, and who plays them: what is for these is for them too."""

    def sees(self, envelope: Envelope) -> bool:
        """True if this viewer may see an event with that envelope."""
        return (
            self.gm or envelope.see == TABLE or (isinstance(envelope.see, tuple) and self.among(envelope.see))
        )

    def among(self, people: Sequence[int]) -> bool:
        """True if this viewer is one of `people`."""
        return self.person in people or not self.also.isdisjoint(people)


GAME_MASTER = Viewer()
"""The game master's eyes."""

EVERYBODY = Viewer(gm=False)
"""What the whole table may see."""


@dataclass(frozen=True, slots=True)
class Moment:
    """An event on a line and the table it left behind.

    `table` belongs to the replay and changes with the next moment: who keeps it copies it (`kept`).
    `before` is there only if the replay was asked for it.
    """

    recorded: Recorded
    event: Event
    table: Table
    before: Table | None = None

    @property
    def position(self) -> int:
        """The event's position on its line, from 1."""
        return self.recorded.position

    @property
    def envelope(self) -> Envelope:
        """Who recorded it, when, for whom, and where its luck came from."""
        return self.recorded.envelope

    def kept(self) -> Table:
        """The table after this moment, as a value of its own."""
        return copy.deepcopy(self.table)


FOR_THE_GAME_MASTER = (
    *(e.CampaignBegun, e.Forked, e.Promoted, e.Retired, e.Undone, e.Redone, e.Reworded, e.Redacted),
)
"""Kinds about the record itself: they hold bits and hashes, or point at what may be nobody else's to know."""


def moments(
    campaign: Campaign,
    line: int,
    after: int = 0,
    upto: int | None = None,
    *,
    viewer: Viewer = GAME_MASTER,
    with_before: bool = False,
    as_of: int | None = None,
    table: Table | None = None,
) -> Generator[Moment, None, None]:
    """The live moments of `line` at positions after+1..upto that `viewer` may see, one at a time.

    What counts, how it reads and what is revealed is judged as of `as_of` (`upto` if None). An event nobody
    may see still changes the table; what is about the record itself only a game master is told. `table` is
    the one at `after`, if the caller has it: it will change.
    """
    judged = upto if as_of is None else as_of
    reveals = reading.reveals(campaign.file, line, judged)
    if table is None:
        table = table_at(campaign, line, after, as_of=judged)
    for recorded, counts in reading.recorded(campaign.file, line, after, upto, as_of=judged):
        if not counts or not isinstance(recorded.event, Event):
            continue
        before = copy.deepcopy(table) if with_before else None
        line_.evolve(table, Live(recorded.position, recorded.event, recorded.envelope.luck))
        if is_told(campaign, line, recorded, viewer, reveals):
            yield Moment(_for_whom(campaign, line, recorded, reveals), recorded.event, table, before)


def seen(
    campaign: Campaign, line: int, after: int, upto: int | None, *, viewer: Viewer
) -> Iterator[Recorded]:
    """What `moments` tells of positions after+1..upto as of `upto`, without the tables."""
    reveals = reading.reveals(campaign.file, line, upto)
    for recorded, counts in reading.recorded(campaign.file, line, after, upto):
        if (
            counts
            and isinstance(recorded.event, Event)
            and is_told(campaign, line, recorded, viewer, reveals)
        ):
            yield _for_whom(campaign, line, recorded, reveals)


def table_at(campaign: Campaign, line: int, position: int, *, as_of: int | None = None) -> Table:
    """The table at `position`, a value of the caller's own; what counts is judged as of `as_of`."""
    if position == 0:
        return Table()
    judged = position if as_of is None else as_of
    return campaign.table_at(line, position, reading.standing(campaign.file, line, judged))


def is_told(
    campaign: Campaign, line: int, recorded: Recorded, viewer: Viewer, reveals: reading.Reveals
) -> bool:
    """True if the viewer may see an event by now; who may not see a narration sees none struck.

    Nor is there a mark for them on what they may not see: its name may say what that is.
    """
    if viewer.gm:
        return True
    if isinstance(recorded.event, FOR_THE_GAME_MASTER):
        return False
    return all(_sees(viewer, one, reveals) for one in _hangs_on(campaign, line, recorded))


_ON: Mapping[type[Event], str] = {e.NarrationOverruled: "narration", e.Marked: "at"}
"""The kinds that are for no other eyes than what they are put on, and the field that says what that is."""

HANGING = frozenset(kind.kind for kind in _ON)
"""The stored kinds of which an event is hidden with another one."""


def _hangs_on(campaign: Campaign, line: int, recorded: Recorded) -> Iterator[Recorded]:
    """The event, what it is put on, and what that is put on."""
    while True:
        yield recorded
        field = _ON.get(type(recorded.event)) if isinstance(recorded.event, Event) else None
        row = None if field is None else campaign.file.row(line, getattr(recorded.event, field))
        if row is None or row.position >= recorded.position:
            return
        recorded = decode(row)


def _for_whom(campaign: Campaign, line: int, recorded: Recorded, reveals: reading.Reveals) -> Recorded:
    """The event for the eyes it is for by now: a mark open to all is for those who see what it is on."""
    told = as_revealed(recorded, reveals)
    if not isinstance(recorded.event, e.Marked):
        return told
    eyes = (as_revealed(one, reveals).envelope.see for one in _hangs_on(campaign, line, recorded))
    see = next((one for one in eyes if one != TABLE), TABLE)
    return replace(told, envelope=told.envelope._replace(see=see))


def _sees(viewer: Viewer, recorded: Recorded, reveals: reading.Reveals) -> bool:
    """True for an event that the viewer may see, as it is revealed by now, or whispered themselves."""
    return viewer.sees(as_revealed(recorded, reveals).envelope) or whispers(viewer, recorded)


WHISPERED = (e.Narrated, e.Said, e.Declared, e.SaidAside)
"""The kinds in which somebody (`who`) may speak for some ears only."""


def whispers(viewer: Viewer, recorded: Recorded) -> bool:
    """True for a viewer's own words to some of the others.

    Not for what is for the game master's eyes: what they write down of somebody in secret is nobody's copy's.
    """
    event = recorded.event
    is_for_some = isinstance(recorded.envelope.see, tuple)
    return (
        is_for_some
        and isinstance(event, WHISPERED)
        and viewer.among(() if event.who is None else (event.who,))
    )


def as_revealed(recorded: Recorded, reveals: reading.Reveals) -> Recorded:
    """The event for the eyes it is for by now: those it was recorded for, and those it was revealed to."""
    if recorded.position not in reveals or recorded.envelope.see == TABLE:
        return recorded
    to = reveals[recorded.position]
    meant = recorded.envelope.see if isinstance(recorded.envelope.see, tuple) else ()
    see = TABLE if to is None else tuple(dict.fromkeys((*meant, *sorted(to))))
    return replace(recorded, envelope=recorded.envelope._replace(see=see))


# --- what came later --------------------------------------------------------------------------------------

TOLD_LATER = ("table.narrated", "table.said", "table.noted", "table.said-aside")


@dataclass(frozen=True, slots=True)
class Afterwards:
    """What a line says, up to a moment, about earlier ones: words told later, and narrations overruled."""

    words: Mapping[int, Sequence[Recorded]]
    overruled: Mapping[int, Sequence[Recorded]]

    def struck(self, position: int) -> bool:
        """True if the narration at `position` counts no longer."""
        return any(
            isinstance(one.event, e.NarrationOverruled) and one.event.how != "edit"
            for one in self.overruled.get(position, ())
        )


def afterwards(
    campaign: Campaign, line: int, upto: int | None = None, *, viewer: Viewer = GAME_MASTER
) -> Afterwards:
    """What `viewer` may know, as of `upto`, of words told later and narrations overruled on `line`."""
    return _afterwards(campaign, line, (0, upto), viewer, (*TOLD_LATER, e.NarrationOverruled.kind))


def overruled(
    campaign: Campaign, line: int, after: int = 0, upto: int | None = None, *, viewer: Viewer = GAME_MASTER
) -> Afterwards:
    """As `afterwards`, of narrations overruled alone, and of what was recorded after position `after`."""
    kinds = (e.NarrationOverruled.kind,)
    if next(campaign.file.rows(line, after, upto, kinds), None) is None:  # the rest reads the whole line
        return Afterwards({}, {})
    return _afterwards(campaign, line, (after, upto), viewer, kinds)


def _afterwards(
    campaign: Campaign, line: int, stretch: tuple[int, int | None], viewer: Viewer, kinds: Sequence[str]
) -> Afterwards:
    after, upto = stretch
    stands = reading.standing(campaign.file, line, upto)
    reveals = reading.reveals(campaign.file, line, upto)
    words: dict[int, list[Recorded]] = {}
    overruled: dict[int, list[Recorded]] = {}
    for row in campaign.file.rows(line, after, upto, kinds):
        if '"about":' not in row.body and row.kind in TOLD_LATER:
            continue
        recorded = decode(row, stands.rewordings.get(row.position))
        if not stands.counts(row.position) or not is_told(campaign, line, recorded, viewer, reveals):
            continue
        found = as_revealed(recorded, reveals)
        if isinstance(found.event, e.NarrationOverruled):
            overruled.setdefault(found.event.narration, []).append(found)
        elif isinstance(found.event, e.ToldLater) and found.event.about is not None:
            words.setdefault(found.event.about, []).append(found)
    return Afterwards(words, overruled)


# --- who looks, and what they may point at ----------------------------------------------------------------


POINTING: Mapping[type[Event], str] = {
    e.Marked: "at",
    e.Narrated: "about",
    e.Said: "about",
    e.Noted: "about",
    e.SaidAside: "about",
    e.Revealed: "about",
    e.NarrationOverruled: "narration",
}
"""The kinds anybody may see that point at a position, and the field in which they do."""


class _Known:
    """What a viewer knows of a line's positions; asked of the record only when somebody wants to know."""

    def __init__(self, campaign: Campaign, line: int, viewer: Viewer) -> None:
        self._campaign = campaign
        self._line = line
        self._viewer = viewer

    def __call__(self, position: int) -> int:
        """The last position up to there of an event that the viewer knows of."""
        return next((one for one in range(position, 0, -1) if one not in self._unknown), 1)

    @cached_property
    def _unknown(self) -> frozenset[int]:
        file, line = self._campaign.file, self._line
        stands, reveals = reading.standing(file, line), reading.reveals(file, line)
        about_the_record = {kind.kind for kind in FOR_THE_GAME_MASTER}

        def is_hidden(row: Row) -> bool:
            if '"see":' not in row.body and row.kind not in HANGING:
                return False
            return not is_told(self._campaign, line, decode(row), self._viewer, reveals)

        return frozenset(
            row.position
            for row in file.rows(line)
            if row.kind in about_the_record or not stands.counts(row.position) or is_hidden(row)
        )


def _wherever(position: int) -> int:
    return position


@dataclass(frozen=True, slots=True)
class Ids:
    """How the events of a line are pointed at, for ever: line and position, or what hides both."""

    segments: tuple[Segment, ...]
    key: bytes | None
    known: Callable[[int], int] = _wherever
    """For a position, the last one up to there of an event that the viewer knows of."""

    @classmethod
    def of(cls, campaign: Campaign, line: int, viewer: Viewer = GAME_MASTER) -> Ids:
        """The ids that `viewer` may see: the game master's say where, anybody else's show no gap."""
        key = None if viewer.gm else bytes.fromhex(campaign.id)
        known = _wherever if viewer.gm else _Known(campaign, line, viewer)
        return cls(campaign.file.lineage(line), key, known)

    @property
    def open(self) -> bool:
        """True if they say where an event stands."""
        return self.key is None

    def shown(self, event: Event, payload: Mapping[str, Any]) -> dict[str, Any]:
        """An event's payload with an id where it points at a position, unless they say where anyway."""
        key = POINTING.get(type(event), "")
        pointing = {key: self.place(payload[key])} if key in payload and not self.open else {}
        return {**payload, **pointing}

    def at(self, position: int) -> str:
        """The id of the event at a position of this line."""
        stored = next((one.line for one in self.segments if one.upto is None or position <= one.upto), 1)
        if self.key is not None:
            told = hashlib.blake2b(f"{stored}:{position}".encode(), key=self.key, digest_size=ID_BYTES)
            return f"e{told.hexdigest()}"
        return f"e{position}" if stored == 1 else f"e{stored}-{position}"

    def place(self, position: int) -> str:
        """How something points at a position of this line: past what its reader does not know of."""
        return f"#{position}" if self.key is None else self.at(self.known(position))


def source_of(campaign: Campaign) -> str:
    """What tells a campaign from every other, whatever either is called, and says nothing of its record."""
    told = hashlib.blake2b(b"campaign", key=bytes.fromhex(campaign.id), digest_size=SOURCE_BYTES)
    return told.hexdigest()


def viewer_called(table: Table, name: str) -> Viewer:
    """The viewer meant by `gm`, `table`, or somebody's name; Refused where nobody is called so."""
    if name in ("gm", "table"):
        return GAME_MASTER if name == "gm" else EVERYBODY
    return viewer_of(table, names.find(name, table.names()))


def viewer_of(table: Table, person: int) -> Viewer:
    """The eyes of somebody, with whom they play, or who plays them, at this table.

    Whoever sits in the game master's chair there sees what the game master sees.
    """
    if person in (GM, table.people[GM].player):
        return GAME_MASTER
    played = {one.id for one in table.everybody() if one.player == person}
    player = table.people[person].player
    return Viewer(gm=False, person=person, also=frozenset(played if player is None else {*played, player}))
