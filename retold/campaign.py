"""A campaign that a program keeps: opened, said to, followed, verified; and read, as it is now."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple, Self
from warnings import warn

from journal.language.lexing import lex
from journal.language.proposed import lines_in
from journal.refused import Refused
from journal.store.amendments import REVEALING
from journal.store.campaign import CampaignStore as Store
from journal.store.index import Index
from journal.store.verify import Finding, Report, verify
from projections.reading import Arrival, Viewer, lines
from projections.reading import LineView as Read
from retold.outcome import Outcome
from retold.player_lines import check_for_player, record_for_player, scribe_for, sentences_for
from retold.reading import Happened, Reading, SharedCampaign, happened_from, under_lock
from retold.scribe import Scribe
from retold.script_player import Script, play_script

if TYPE_CHECKING:
    from journal.store.recorder import CampaignRecorder


class News(NamedTuple):
    """What is new for a reader since they were told last."""

    gone: int
    """How many of the last events they were told no longer are, or read otherwise."""
    position: int
    """The position up to which the line is told by now."""
    after: int
    """What came stands after this position."""


@dataclass(slots=True)
class Told:
    """Where the events stand that a reader has been told of."""

    line: int = 0
    position: int = 0
    viewer: Viewer | None = None
    positions: list[int] = field(default_factory=list)

    def news(self, reading: Read) -> News:
        """What is new in this reading, and from now on told."""
        after = self._first_changed(reading) - 1
        known = bisect_right(self.positions, after)
        gone = len(self.positions) - known
        del self.positions[known:]
        self.line, self.position, self.viewer = reading.line, reading.position, reading.viewer
        return News(gone, reading.position, after)

    def _first_changed(self, reading: Read) -> int:
        """The first position at which something is otherwise than it was told, or new."""
        if (reading.line, reading.viewer) != (self.line, self.viewer):
            return 1
        return min((self.position + 1, *_changed_positions(reading, self.position)))


def _changed_positions(reading: Read, after: int) -> Iterator[int]:
    """The positions that something recorded later than `after` changes, or shows to more people."""
    yield from (first for first, at in reading.past.stands.reaches if at > after)
    for row in reading.past.rows(after, kinds=REVEALING):
        yield json.loads(row.body)["data"]["about"]


def new(path: str | Path, *, title: str | None = None, seed: str | None = None) -> Campaign:
    """A new campaign in a file of its own; it deals from `seed` where one is given, else by chance.

    Raises StoreError where a file of that name is there already, or none can be made.
    """
    dealt_from = None if seed is None else seed.encode()
    return Campaign.of(Store.create(Path(path), title=title, seed=dealt_from))


def open(path: str | Path, *, read_only: bool = False, seed: str | None = None) -> Campaign:  # noqa: A001 -- said as retold.open
    """The campaign in a file; StoreError with a sentence where there is none, or it cannot be opened.

    `seed` is what it deals from, if it was begun with one. Where what this computer recorded last is not
    there, a program that opens it to write is warned (`UserWarning`); `missed` of the campaign says the same.
    """
    store = Store.open(Path(path), read_only=read_only)
    store.seed = None if seed is None else seed.encode()
    campaign = Campaign.of(store)
    if campaign.missed is not None and not read_only:
        warn(campaign.missed, stacklevel=2)
    return campaign


@dataclass(frozen=True)
class Campaign(Reading):
    """A campaign, open until the `with` block ends or it is closed; read without more, it is read as of now.

    Every method may be called from any thread; another program, or the console, may write to it meanwhile.
    """

    scribe: Scribe = field(kw_only=True, repr=False)
    missed: str | None = field(default=None, kw_only=True, repr=False)
    """That what this computer recorded last was not there when it was opened, in a sentence; else None."""

    @classmethod
    def of(cls, store: Store) -> Self:
        """The campaign of an open store, on the line the table plays."""
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

    @under_lock
    def close(self) -> None:
        """Lets go of the file; everything said is recorded already."""
        self.behind.searched.close()
        self.behind.store.close()

    # --- writing ---

    @under_lock
    def say(
        self,
        line: str,
        *,
        ask: Callable[[str], bool] | None = None,
        by: str | Arrival | None = None,
        act: str | None = None,
    ) -> Outcome:
        """Carries out one line of the language of the table, and records what comes of it.

        Raises Refused, with nothing recorded, where the rules or the language do not take it; `lines` of the
        refusal are those that its sentence proposes and that would be taken. `ask` is asked before what
        cannot be taken back (a redaction); without one the answer is yes.

        `by` is a player, or somebody played, who hands the line in, by name or as `lasting` has them: it is
        recorded in their name, and refused where it is not theirs to say. `act` is an id of your own: under
        one that is on the line already, or that made a branch, nothing is recorded again. A redaction keeps
        none: said again, it goes on where it was cut off.
        """
        if by is not None:
            return record_for_player(scribe_for(self.scribe, by), line, by, act)
        self.scribe.ask = ask or (lambda _question: True)
        try:
            return self.scribe.say(line, act)
        except Refused as refusal:
            refusal.lines = tuple(self._taken(refusal.sentence))
            raise

    @under_lock
    def check(self, line: str, *, by: str | Arrival | None = None) -> Outcome:
        """What would come of a line, with nothing recorded; Refused where `say` would refuse.

        For a player (`by`) what is dealt is an example: nobody looks ahead at what a seed deals next.
        """
        if by is None:
            return self.scribe.check(lex(line))
        return check_for_player(scribe_for(self.scribe, by), line, by)

    @under_lock
    def catch_up(self) -> int:
        """Takes in what others have recorded; the position up to which is known what there is.

        Where the line was given up for another, that is written to from now on.
        """
        self.scribe.today = self.behind.store.clock.today()
        try:
            self.scribe.writer.catch_up()
        except Refused:
            self.scribe.go(self.behind.store.mainline())
        return self.position

    @under_lock
    def go(self, line: int | None) -> None:
        """Writes to that line from now on, by its number, or to the one the table plays."""
        store = self.behind.store
        self.scribe.line = line if line in store.lines() else store.mainline()

    @under_lock
    def sentences(self, outcome: Outcome, *, by: str | Arrival | None = None) -> tuple[str, ...]:
        """What came of a line, as the command line says it: what is said of it, then its events.

        `by` is whoever handed it in: they are told nothing that is hidden from them.
        """
        if by is None:
            return outcome.sentences(self.scribe.table)
        return sentences_for(scribe_for(self.scribe, by), outcome, by)

    @under_lock
    def play(self, script: str, name: str = "script") -> list[Outcome]:
        """Says every line of a script; Refused at the first that is, as `NAME:LINE: sentence`.

        What stands before that line stays recorded.
        """
        return [outcome for _, outcome in play_script(self.scribe, Script(name, script.encode()))]

    def _taken(self, sentence: str) -> Iterator[str]:
        """Every line that a sentence proposes and that would be taken now."""
        for one in lines_in(sentence):
            if one.is_whole and self._is_taken(one.line):
                yield one.line

    def _is_taken(self, line: str) -> bool:
        with suppress(Refused):
            self.scribe.check(lex(line))
            return True
        return False

    # --- reading ---

    @property
    @under_lock
    def changes(self) -> tuple[int, int]:
        """What is another value once anybody has recorded anything, on whatever line."""
        store = self.behind.store.record.store
        return store.changes(), store.size()

    @under_lock
    def news(self, viewer: str | Arrival, told: Told) -> tuple[int, list[Happened]]:
        """What a viewer has not been told yet, and how many of the last events they were told are no more.

        Of an event that reads otherwise by now, both is so. Refused where nobody is called so any more.
        """
        reading = self._unseen(self._line_for(viewer)).called(viewer)
        news = told.news(reading)
        came = [(moment.position, happened_from(moment, reading)) for moment in reading.moments(news.after)]
        told.positions += [position for position, _ in came]
        return news.gone, [happened for _, happened in came]

    def recorder(self) -> CampaignRecorder:
        """Returns an `eventsourcing` recorder, to read the campaign's stored events and subscribe to them.

        They have no texts (docs/follow-with-eventsourcing.md). The file is opened once more, for reading.
        """
        from journal.store.recorder import CampaignRecorder  # noqa: PLC0415 -- loads the library, which few need

        return CampaignRecorder(self.path, read_only=True)

    def follow(
        self, since: int | str | None = None, *, every: float = 0.2, until: Callable[[], bool] | None = None
    ) -> Iterator[Happened]:
        """Yields what anybody records from now on, or after a position or the event with an id.

        It waits for more, and ends once `until` returns True, which is asked at least every `every` seconds.
        Events that are undone later have been yielded already; the undo is yielded too.
        """
        return self._followed(self.position if since is None else since, every, until)

    def _followed(
        self, last: int | str, every: float, until: Callable[[], bool] | None
    ) -> Iterator[Happened]:
        with self.recorder().subscribe() as changes:
            while True:
                for event in self.happened(last):
                    last = event.position or event.id
                    yield event
                if until is not None and until():
                    return
                changes.wait(every)

    @under_lock
    def verify(self) -> Report:
        """Whether the record is what was written: `whole`, and the `findings` where it is not.

        One of them is that it lacks what this computer recorded last.
        """
        found, missed = verify(self.behind.store.record), self.behind.store.last_seen.missed()
        if missed is None:
            return found
        return replace(found, findings=(*found.findings, Finding(None, None, missed)))

    def _line_read(self) -> int:
        return self.scribe.line

    def _line_for(self, viewer: str | Arrival) -> int:
        """The line that is written to; the mainline for whoever may not know of that."""
        return lines.line_played(self.behind.store, self.scribe.line, viewer)
