"""Campaign opened by a program, to record, read, follow and verify it: `new`, `open` and `Campaign`."""

from __future__ import annotations

import json
from bisect import bisect_left
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile
from os import PathLike
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, ClassVar, Final, Self
from warnings import warn

from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.features import added
from retold.journal.language.lexing import lex
from retold.journal.language.proposed import lines_in
from retold.journal.language.verbs import VERBS
from retold.journal.line import decide
from retold.journal.options import GAME
from retold.journal.refused import Refused
from retold.journal.store import places
from retold.journal.store.caches.index import Index
from retold.journal.store.contract.address import Place
from retold.journal.store.contract.errors import Closed, OutcomeUnknown
from retold.journal.store.copies.dump import load
from retold.journal.store.copies.sync import copy_into
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.amendments import REVEALING
from retold.journal.store.events.record import Record
from retold.journal.store.verify import Finding, Report, verify
from retold.journal.store.writing.campaign import CampaignStore as Store
from retold.journal.system import ReadyGame
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary.base import Command
from retold.outcome import Outcome
from retold.player_lines import check_for_player, record_for_player, scribe_for, sentences_for
from retold.projections.reading import Arrival, Viewer, lines
from retold.projections.reading import LineView as Read
from retold.reading import Happened, Reading, SharedCampaign, happened_in, under_lock
from retold.scribe import Scribe, no_file
from retold.script_player import Script, play_script
from retold.write_context import yes

if TYPE_CHECKING:
    from retold.journal.store.recorder import CampaignRecorder
    from retold.promised import DraftsOfCampaign, ImportsOfCampaign

    class _WithFeatures(DraftsOfCampaign, ImportsOfCampaign, Reading):
        """Reading with the methods of every feature; at run time, of installed ones only."""

else:
    _WithFeatures = type("_WithFeatures", (*added("campaign"), Reading), {})

LOOK_EVERY: Final = 0.05
"""Seconds between two looks at the record for `Campaign.follow`."""


@dataclass(slots=True)
class Told:
    """Events already reported to one viewer, kept between two calls of `Campaign.news`."""

    line: int = 0
    position: int = 0
    viewer: Viewer | None = None
    reported: list[tuple[int, int]] = field(default_factory=list)
    """Position of each event in the order told, and a hash of how the viewer read it."""
    in_place: bool = field(default=True, kw_only=True)
    """True for a page, which shows an event where it happened, also one that becomes known later.

    False for a chat, which can only add to its end: such an event is news alone and withdraws nothing.
    """

    def news(self, reading: Read) -> tuple[int, list[Happened]]:
        """Returns (number of reported events to withdraw, events to report), and marks them as reported.

        The latest reported events are withdrawn, from the first that has changed. A change of events that the
        viewer does not know withdraws nothing: whatever reads as it did stays.
        """
        anew = (reading.line, reading.viewer) != (self.line, self.viewer)
        first = 1 if anew else min((self.position + 1, *_changed_positions(reading, self.position)))
        kept, came = self._compared(reading, first, anew=anew)
        gone = len(self.reported) - kept
        self.reported[kept:] = [(position, self._hash(event)) for position, event in came]
        self.line, self.position, self.viewer = reading.line, reading.position, reading.viewer
        return gone, [event for _, event in came]

    def _compared(self, reading: Read, first: int, *, anew: bool) -> tuple[int, list[tuple[int, Happened]]]:
        """Returns how many reported events stay, and the events to report; all before `first` stay."""
        now = list(happened_in(reading.moments(first - 1), reading))
        if anew:
            return 0, now
        hashes = {position: self._hash(event) for position, event in now}
        if self.in_place:
            kept = bisect_left(self.reported, (first,))
            pairs = zip(self.reported[kept:], hashes.items(), strict=False)
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            return kept + same, now[same:]
        stays = [position < first or hashes.get(position) == seen for position, seen in self.reported]
        kept = stays.index(False) if False in stays else len(stays)
        again = min((position for position, _ in self.reported[kept:]), default=first)
        if again < first:  # told after what changed, and withdrawn with it
            return self._compared(reading, again, anew=False)
        told = {position for position, _ in self.reported[:kept]}
        return kept, [(position, event) for position, event in now if position not in told]

    def _hash(self, event: Happened) -> int:
        return hash((event.id, event.at, event.told, event.visible_to if self.in_place else ()))


def _changed_positions(reading: Read, after: int) -> Iterator[int]:
    """Yields the first position that each change recorded after position `after` concerns.

    Changes are undo, redo, rewording, redaction and reveal; of an undone range only the first position is
    yielded, and the events that a reveal in it had shown.
    """
    firsts = [first for first, at in reading.past.amendments.reaches if at > after]
    yield from firsts
    for row in reading.past.rows(min((after, *(first - 1 for first in firsts))), kinds=REVEALING):
        yield json.loads(row.body)["data"]["about"]


def new(
    path: Place,
    *,
    title: str | None = None,
    seed: str | None = None,
    game: str | None = None,
    read_file: Callable[[str], bytes] = no_file,
) -> Campaign:
    """Creates a campaign in a new file; cards and dice are dealt from `seed` if given, else at random.

    `path` may also be an address on a server: `club:salt-road`. `game` is what is played: a name that
    `ready_games` has, or a game's file, which `read_file` reads. Raises StoreError if the campaign exists or
    cannot be created, Refused for an unknown game.
    """
    dealt_from = None if seed is None else seed.encode()
    choosing = None if game is None else _choosing(game, read_file)
    campaign = Campaign.of(Store.create(path, title=title, seed=dealt_from))
    if choosing is not None:
        campaign.scribe.record(choosing, Manner())
    return campaign


def _choosing(game: str, read_file: Callable[[str], bytes]) -> Command:
    """Returns the command that chooses a game, its file read; Refused if it cannot be chosen."""
    command = VERBS["game"].of({"game": game}).with_file(read_file)
    decide(Table(), command, Luck(FirstDealer()))
    return command


def ready_games() -> tuple[ReadyGame, ...]:
    """Returns the games that `new` takes by name."""
    known = [game for system in SYSTEMS.values() for game in system.ready()]
    own = [SYSTEMS[name] for name in GAME.values if name in SYSTEMS]
    return (*known, *(ReadyGame(system.name, system.title, system.about) for system in own))


def restore(source: str | PathLike[str], path: Place) -> Campaign:
    """Creates a campaign at `path` from a backup, another campaign's file or a dump; every hash is checked.

    Raises StoreError, and creates nothing, if anything in it is wrong or `path` exists.
    """
    with Path(source).open("rb") as file:
        if file.read(4).lstrip(BOM_UTF8)[:1] == b"{":
            file.seek(0)
            load(file, path)
            return open(path)
    with closing(places.opened(Path(source), read_only=True, by_any_name=True)) as store:
        places.restored(path, lambda made: copy_into(made, Record(store)))
    return open(path)


def open(  # noqa: A001 -- said as retold.open
    path: Place, *, read_only: bool = False, seed: str | None = None
) -> Campaign:
    """Opens the campaign in a file; raises StoreError if the file is missing or unreadable.

    `path` may also be an address on a server: `club:salt-road`. `seed` is the seed the campaign was created
    with, if any. If the file lacks what this computer recorded last, a program that opens it for writing gets
    a `UserWarning`; the campaign's `missed` says the same.
    """
    store = Store.open(path, read_only=read_only)
    store.seed = None if seed is None else seed.encode()
    campaign = Campaign.of(store)
    if campaign.missed is not None and not read_only:
        warn(campaign.missed, stacklevel=2)
    return campaign


@dataclass(frozen=True)
class Campaign(_WithFeatures):
    """Open campaign file, usable as a context manager; as a `Reading` it reads up to the last event.

    Every method may be called from any thread; another program, or the console, may write to the file
    meanwhile.
    """

    INTERNAL: ClassVar = Reading.INTERNAL | {
        "checker",
        "drafts_overview",
        "go",
        "of",
        "revise_draft",
        "scribe",
    }

    scribe: Scribe = field(kw_only=True, repr=False)
    missed: str | None = field(default=None, kw_only=True, repr=False)
    """Sentence if the file lacked what this computer recorded last; else None."""

    def __repr__(self) -> str:
        where = self.place.stem if self.place.file is None else str(self.place.file)
        return f"Campaign({where!r})"

    @classmethod
    def of(cls, store: Store) -> Self:
        """Returns a campaign that reads and writes the mainline (the branch being played) of a store."""
        line = store.mainline()
        return cls(
            SharedCampaign(store, Index(), RLock()),
            line,
            None,
            scribe=Scribe(store, line, today=store.clock.today()),
            missed=store.last_seen.missed(),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; nothing is left to save, since `say` records each act at once.

        Every later use raises Closed, and `follow` in other threads ends. Closing again does nothing.
        """
        with self.shared.lock:
            self.shared.close()

    # --- writing ---

    @under_lock
    def say(
        self,
        line: str,
        *,
        ask: Callable[[str], bool] | None = None,
        by: str | Arrival | None = None,
        act: str | None = None,
        file: bytes | None = None,
    ) -> Outcome:
        """Executes one line of the command language, such as `draw Zel 4`, and records its events.

        Raises Refused, with nothing recorded, if rules or language reject the line; `lines` of the refusal
        are those that its sentence proposes and that would be accepted. `ask` is called before an
        irreversible change (a redaction), where the answer is yes without it, and before an open act shows
        its secret target, or a secret number.

        `by` is the player who hands the line in, or a person played, by name or as `lasting` gives them: the
        act is recorded in their name, and refused if it is not theirs to say. `act` is an id of your own: if
        an act of that id is on the branch already, or made a branch, nothing is recorded again. A redaction
        keeps none: said again, it continues where it was interrupted. `file` are the bytes of the file that
        the line names, such as a picture's; without it no file can be read.

        Raises StoreError if the record cannot be read or written. If it is unknown whether the line was
        recorded, its sentence says so: with an `act`, say the same line again under it. Raises TypeError for
        a line that is not text.
        """
        if type(line) is not str and not isinstance(line, str):
            raise TypeError(f"A line is a text, such as 'note: Rain.', and not {line!r}.")
        try:
            if by is not None:
                return record_for_player(scribe_for(self.scribe, by), line, by, act)
            self.scribe.ask, self.scribe.may_refuse = ask or yes, ask is not None
            return self._say_with(file, line, act)
        except OutcomeUnknown as unknown:
            unknown.has_id = act is not None
            raise
        except Refused as refusal:
            if by is None:
                refusal.lines = tuple(self._accepted_lines(refusal))
            raise

    def _say_with(self, file: bytes | None, line: str, act: str | None) -> Outcome:
        """Executes a line; a file that it names has these bytes, if any are given."""
        before = self.scribe.read_file
        if file is not None:
            self.scribe.read_file = lambda _name: file
        try:
            return self.scribe.say(line, act)
        finally:
            self.scribe.read_file = before

    @under_lock
    def check(self, line: str, *, by: str | Arrival | None = None) -> Outcome:
        """Returns the outcome that a line would have, recording nothing; raises Refused as `say` would.

        For a player (`by`) dealt cards and dice are random examples, so that no one can look ahead at what a
        seed deals.
        """
        if by is None:
            return self.scribe.check(lex(line))
        return check_for_player(scribe_for(self.scribe, by), line, by)

    @under_lock
    def catch_up(self) -> int:
        """Reads events that other programs have recorded; returns the position of the last one.

        If another branch has become the mainline in place of this one, switches to the mainline.
        """
        self.scribe.today = self.shared.store.clock.today()
        try:
            self.scribe.writer.catch_up()
        except Refused:
            self.scribe.go(self.shared.store.mainline())
        return self.position

    @under_lock
    def go(self, line: int | None) -> None:
        """Switches to the branch of this number, for reading and writing.

        Switches to the mainline for None or an unknown number.
        """
        store = self.shared.store
        self.scribe.line = line if line in store.lines() else store.mainline()

    @under_lock
    def sentences(self, outcome: Outcome, *, by: str | Arrival | None = None) -> tuple[str, ...]:
        """Returns an outcome's sentences as the command line prints them: messages, then events.

        For a player (`by`) hidden events are left out.
        """
        if by is None:
            return outcome.sentences(self.scribe.table)
        return sentences_for(scribe_for(self.scribe, by), outcome, by)

    @under_lock
    def play(self, script: str, name: str = "script") -> list[Outcome]:
        """Executes a script line by line and returns the outcome of each command.

        Raises Refused as `NAME:LINE: sentence` at the first error; lines before it stay recorded.
        """
        return [outcome for _, outcome in play_script(self.scribe, Script(name, script.encode()))]

    def _accepted_lines(self, refusal: Refused) -> Iterator[str]:
        """Yields lines that a refusal proposes, and that would be accepted now by the rules."""
        found = (proposal.line for proposal in lines_in(refusal.sentence) if proposal.is_whole)
        yield from filter(self._is_accepted, refusal.lines or found)

    def _is_accepted(self, line: str) -> bool:
        with suppress(Refused):
            self.scribe.check(lex(line))
            return True
        return False

    # --- reading ---

    @property
    @under_lock
    def changes(self) -> tuple[int, int]:
        """Two numbers that differ after any recorded act, on any branch; compare them to notice changes."""
        store = self.shared.store.record.store
        return store.changes(), store.size()

    @under_lock
    def news(self, viewer: str | Arrival, told: Told) -> tuple[int, list[Happened]]:
        """Returns (number of reported events withdrawn, new events) for a viewer.

        From the first reported event that has changed, that and every later one count as withdrawn, and are
        new again as they now read. Records in `told` what it reports. Raises Refused for an unknown viewer.
        """
        return told.news(self._unfiltered(self._line_for(viewer)).called(viewer))

    @under_lock
    def recorder(self) -> CampaignRecorder:
        """Returns a recorder of the library `eventsourcing`, to read stored events and subscribe to new ones.

        For the game master's programs only: stored events have no texts, but hidden ones are among them, with
        their dice and numbers (docs/follow-with-eventsourcing.md). The file is opened once more, for reading.
        """
        from retold.journal.store.recorder import CampaignRecorder  # noqa: PLC0415 -- loads the library, which few need

        return CampaignRecorder(self.place, read_only=True)

    def follow(
        self, since: int | str | None = None, *, every: float = 0.2, until: Callable[[], bool] | None = None
    ) -> Iterator[Happened]:
        """Yields events after `since` as the game master reads them, secrets included; waits for new ones.

        `since` is a position or an event's id; None means the last event now. It waits until `until` returns
        True, which is called at least every `every` seconds, or until the campaign is closed. Events undone
        meanwhile were yielded already; the undo is yielded too.
        """
        return self._followed(self.position if since is None else since, every, until)

    def _followed(
        self, last: int | str, every: float, until: Callable[[], bool] | None
    ) -> Iterator[Happened]:
        with suppress(Closed), self.recorder().subscribe(every=LOOK_EVERY) as changes:
            while True:
                for event in self.happened(last):
                    last = event.position or event.id
                    yield event
                if until is not None and until():
                    return
                changes.wait(every)

    @under_lock
    def verify(self) -> Report:
        """Verifies file, hash chain and texts of the record; returns a report.

        The report is `whole` if all is intact, else it has `findings`. Acts missing since this computer last
        wrote are a finding as well.
        """
        found, missed = verify(self.shared.store.record), self.shared.store.last_seen.missed()
        if missed is None:
            return found
        return replace(found, findings=(*found.findings, Finding(None, None, missed)))

    def _line_read(self) -> int:
        return self.scribe.line

    def _line_for(self, viewer: str | Arrival) -> int:
        """Returns the current branch's number, or the mainline's if the viewer may not see that branch."""
        return lines.line_played(self.shared.store, self.scribe.line, viewer)
