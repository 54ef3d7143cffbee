"""The `sync` verb: brings together two copies of a campaign, or says where both went on."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Self

import typer

from retold.cli import app as o
from retold.cli.campaigns.asking import forget_redacted
from retold.cli.campaigns.opening import attach_caches
from retold.cli.campaigns.settings import Settings
from retold.cli.invocation import DONE, FAILED, Options, UsageError
from retold.cli.output.printing import fitted, progress, write_json
from retold.journal.refused import Refused
from retold.journal.shell_words import shell_word
from retold.journal.store import places
from retold.journal.store.contract.address import Address
from retold.journal.store.contract.event_store import EventStore, is_draft
from retold.journal.store.copies.sync import (
    Comparison,
    Copied,
    LineComparison,
    StandingWords,
    Synced,
    bring_together,
    compare,
    copy_into,
    session_at,
    words_standing,
)
from retold.journal.store.copies.sync_apart import MovedLine, move_acts
from retold.journal.store.disk.last_seen import LastSeen
from retold.journal.store.events.record import Record
from retold.journal.store.verify import Receipt
from retold.journal.store.writing.campaign import MOVED, CampaignStore
from retold.projections.texts import safe

Name = Annotated[
    str | None,
    typer.Option(
        "--branch", metavar="NAME", help="If both went on: what was recorded here becomes that branch there."
    ),
]
OnTop = Annotated[
    bool,
    typer.Option(
        "--on-top",
        help="If both went on: what was recorded here follows what was recorded there, by the rules.",
    ),
]
Check = Annotated[bool, typer.Option("--check", help="Say what would be done, and do nothing.")]


def command(
    ctx: typer.Context,
    place: Annotated[
        str | None,
        typer.Argument(metavar="PLACE", help="The other copy, or its folder; else the one of last time."),
    ] = None,
    *,
    campaign: o.Campaign = None,
    branch: Name = None,
    on_top: OnTop = False,
    check: Check = False,
    json: o.Json = False,
) -> int:
    """Bring two copies of a campaign together: each gets what it lacks, or you hear where they part.

    A first copy is made with copy. Where both went on, nothing is copied until you say how: --branch or
    --on-top. The other copy then has everything, this file is made anew from it, and the file as it was is
    kept beside it. The seed of a campaign is not copied.

    Examples: retold sync /media/stick · retold sync --check
    """
    options = o.merged(ctx, campaign, branch, json)
    if options.branch is not None and on_top:
        raise UsageError("--branch and --on-top are two ways to go on: say one of them.")
    settings = Settings.of_user()
    here = settings.campaign(options.campaign)
    with _Sync(options, settings, here, place) as sync:
        return sync.run(on_top=on_top, check=check)


class _Sync:
    """Runs one `sync`: compares two copies of a campaign, copies events, prints the result."""

    def __init__(self, options: Options, settings: Settings, here: Address, typed: str | None) -> None:
        self._options = options
        self._settings = settings
        self._here = _Copy(CampaignStore.open(here, read_only=True))
        self._id = self._here.campaign.id
        self._said: list[str] = []
        try:
            there = self._other_place(typed, here)
            self._there = _Copy(CampaignStore.open(there, read_only=True))
        except BaseException:
            self._here.campaign.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self._here.campaign.close()
        self._there.campaign.close()

    def _other_place(self, typed: str | None, here: Address) -> Address:
        kept = self._settings.synced_place(self._id, here)
        if typed is None and kept is None:
            raise UsageError("Say where the other copy is: retold sync PLACE. It is remembered from then on.")
        there = Address.read(kept or "") if typed is None else self._settings.other_place(typed, here.name)
        if places.is_same(here, there):
            raise Refused(f"{there} is this campaign itself: name the other copy of it (retold sync PLACE).")
        if there.file is None:
            return there
        if not there.file.exists():
            if typed is None:
                raise Refused(
                    f"{there}, with which this campaign was synced last, is not there now: connect its disk,"
                    " or name another copy (retold sync PLACE)."
                )
            raise Refused(
                f"There is no campaign {there}: a first copy is made with retold copy"
                f" {shell_word(str(here))} {shell_word(str(there))}."
            )
        return there

    def run(self, *, on_top: bool, check: bool) -> int:
        """Syncs, or with `check` says what that would come to; returns the exit code."""
        comparison = compare(self._here.record, self._there.record)
        if not check:
            self._settings.keep_synced_places(self._id, self._here.place, self._there.place)
        if comparison.apart:
            if not self._options.branch and not on_top:
                return self._tell_apart(comparison)
            return self._join(comparison, check=check)
        return self._tell_plan(comparison) if check else self._bring_together(comparison)

    # --- none apart ---------------------------------------------------------------------------------------

    def _tell_plan(self, comparison: Comparison) -> int:
        if not comparison.ahead_here and not comparison.ahead_there:
            self._say(f"Both are the same: {self._receipt(self._here)}")
        else:
            there = self._there.place
            if comparison.ahead_there:
                self._say(f"{_count(comparison.ahead_there, 'event')} would come from {there}.")
            if comparison.ahead_here:
                self._say(f"{_count(comparison.ahead_here, 'event')} would go to {there}.")
            self._say("(Checked; nothing was recorded.)")
        return self._answer(comparison, Synced(Copied(), Copied(), comparison), (), DONE)

    def _bring_together(self, comparison: Comparison) -> int:
        self._here.reopen(read_only=not comparison.ahead_there)
        self._there.reopen(read_only=not comparison.ahead_here)
        seen = attach_caches(self._here.campaign, self._settings, debug=self._options.debug)
        self._here.record.on_recorded = None  # noted below: what came may be what this computer recorded last
        self._there.record.on_recorded = None
        with progress("Checking") as checked, progress("Copying") as tell:
            done = bring_together(
                self._here.record, self._there.record, tell, self._drop_caches, on_checked=checked
            )
        if done.comparison.apart:  # another writer recorded meanwhile
            return self._tell_apart(done.comparison, done)
        if (missed := seen.missed()) is not None:
            _warn((missed,))
        if done.came.events:
            self._keep_last(seen)
        self._tell_copied(done)
        return self._answer(comparison, done, (), DONE)

    def _keep_last(self, seen: LastSeen) -> None:
        """Notes what was recorded last in the copy here, by which a missing end is found later."""
        store = self._here.record.store
        for _, row in store.log(store.size() - 1):
            seen.keep(row)

    def _drop_caches(self) -> Iterable[Path]:
        snapshots = self._here.campaign.snapshots
        if snapshots is not None:
            try:
                snapshots.drop()
            except OSError:
                return (snapshots.path,)
        return ()

    def _tell_copied(self, done: Synced) -> None:
        came, went = done.came, done.went
        there = str(self._there.place)
        told = []
        if came.events:
            told.append(_passed(came, f"came from {there}"))
        if went.events:
            told.append(_passed(went, "went there" if came.events else f"went to {there}"))
        now = " now" if told else ""
        if done.comparison.ahead_here or done.comparison.ahead_there:
            told.append("One of the two is still being recorded in: sync again for the rest.")
        else:
            told.append(f"Both are the same{now}: {self._receipt(self._here)}")
        self._say(" ".join(told))
        notes = []
        for copied, copy in ((came, self._here), (went, self._there)):
            if copied.texts:
                were = "was" if len(copied.texts) == 1 else "were"
                notes.append(f"{_count(len(copied.texts), 'text')} {were} redacted in {copy.place} too.")
            notes += self._standing(copy, copied.standing, "The same was said elsewhere, and stands")
            notes += copied.remains
        texts, names = came.texts | went.texts, came.names | went.names
        if texts:
            it = "it" if len(texts) == 1 else "them"
            notes.append(f"Earlier dumps, exports and backups still contain {it}.")
            forgotten = forget_redacted(self._settings, texts, names)
            notes += [f"A copy may remain in {path}: delete that file." for path in forgotten.left]
        _warn(notes)
        if came.events or went.events:
            self._tell_seed()

    def _tell_seed(self) -> None:
        if self._here.campaign.table_at(1, 1).seed is None:
            return
        kept = self._settings.holds_seed(self._id)
        where = f"it is in {kept} on this computer" if kept else "it is not on this computer"
        given = "Another computer is given it once (RETOLD_SEED)."
        _warn((f"The seed of the campaign was not copied: {where}. {given}",))

    # --- both went on -------------------------------------------------------------------------------------

    def _tell_apart(self, comparison: Comparison, done: Synced | None = None) -> int:
        done = done or Synced(Copied(), Copied(), comparison)
        said = [*self._unredacted(comparison), *(self._parting(line) for line in comparison.apart)]
        copied = done.came.events + done.went.events
        were = "was" if copied == 1 else "were"
        so_far = (
            f"{_count(copied, 'event')} {were} copied, and then no more." if copied else "Nothing was copied."
        )
        said.append(f"{so_far} {self._ways(comparison)}")
        if not self._options.json:
            _warn(said)
        self._said = said
        return self._answer(comparison, done, (), FAILED)

    def _ways(self, comparison: Comparison) -> str:
        """Returns a sentence on ways to move new events of one copy into the other."""
        here, there = self._here.place, self._there.place
        if here.file is None and there.file is None:
            own, other = shell_word(str(here)), shell_word(str(there))
            return (
                f"Both are on a server, and only a file is made anew. Copy {here} into one (retold copy {own}"
                f" FILE), sync that with {there} (retold sync -c FILE {other}, with --on-top or --branch"
                f" NAME), and make {here} anew from it (retold server remove {own}, then retold copy FILE"
                f" {own})."
            )
        why = ""
        if here.file is None:
            here, there = there, here
            why = f"{there} is on a server, and only a file is made anew: "
        line = f"retold sync -c {shell_word(str(here))} {shell_word(str(there))}"
        if all(is_draft(one.line) for one in comparison.apart):
            return f"{why}{line} --on-top joins the revisions in {there}."
        return (
            f"{why}{line} --branch NAME puts what was recorded in {here} on a branch in {there};"
            f" {line} --on-top records it at the end of the line there, act by act, as far as the rules take"
            " it (--check shows what that comes to)."
        )

    def _parting(self, line: LineComparison) -> str:
        """Returns the sentence about a branch that both copies went on with, or that each began."""
        here, there = self._here, self._there
        if is_draft(line.line):
            name = here.campaign.drafts.names().get(line.line, "of that number")
            return f"Both went on with the draft {name}, which is joined block by block."
        names = [copy.campaign.lines()[line.line] for copy in (here, there)]
        began = here.record.stored_hash(line.line, line.common) is not None or line.line == 1
        if not began:
            return (
                f"Each began a branch of its own: {here.place} has {names[0]}, {there.place} has {names[1]}."
            )
        session = session_at(here.record, line.line, line.common)
        evening = "" if session is None else f" (s{session})"
        on = "" if line.line == here.campaign.mainline() else f" on {names[0]}"
        return (
            f"Both went on{on} from {line.common}{evening}: {there.place} by"
            f" {_count(line.ahead_there, 'event')}, {here.place} by {line.ahead_here:,}."
        )

    def _unredacted(self, comparison: Comparison) -> Iterator[str]:
        """Yields sentences about texts that are redacted in one copy and stand in the other."""
        here, there = self._here, self._there
        for copy, other, seen in ((here, there, comparison), (there, here, comparison.turned())):
            standing = words_standing(copy.record, other.record, seen)
            yield from self._standing(copy, standing, f"Redacted in {other.place}")

    def _standing(self, copy: _Copy, standing: Sequence[StandingWords], what: str) -> Iterator[str]:
        """Yields a sentence about texts that stand in a copy, with the lines that redact them."""
        if not standing:
            return
        count = sum(len(paragraph.words) for paragraph in standing)
        names, main = copy.campaign.lines(), copy.campaign.mainline()
        lines: list[str] = []
        for paragraph in standing:
            shared = copy.record.home(main, paragraph.position) == paragraph.line
            branch = "" if shared else f" --branch {shell_word(names[paragraph.line])}"
            place = shell_word(str(copy.place))
            lines += (f"retold -c {place}{branch} {line}" for line in paragraph.lines())
        take = "takes it" if count == 1 else "takes them" if len(lines) == 1 else "take them"
        yield f"{what}, and standing in {copy.place}: {_count(count, 'text')}. {', '.join(lines)} {take}."

    def _join(self, comparison: Comparison, *, check: bool) -> int:
        """Records this copy's new events in the other copy, then rebuilds this file from the other copy."""
        here, there = self._here, self._there
        if here.place.file is None:
            raise Refused(self._ways(comparison))
        if unredacted := tuple(self._unredacted(comparison)):
            raise Refused(" ".join((*unredacted, "Then sync again: nothing was moved.")))
        kept = _kept_name(here.place.file, here.campaign.clock.today())

        def copy(new: EventStore) -> None:
            with progress("Copying") as tell:
                copy_into(new, there.record, tell)

        with places.unfinished(here.place, kept, copy) as draft:
            made = CampaignStore(Record(draft))
            moved = move_acts(here.campaign, made, comparison, self._options.branch, _computer())
            self._tell_moved(moved, comparison, check=check)
            if check:
                self._say("(Checked; nothing was recorded.)")
                return self._answer(comparison, Synced(Copied(), Copied(), comparison), moved, DONE)
            done = self._replace(draft, made, kept, comparison)
        self._follow(moved)
        self._say(
            f"{here.place} was made anew from {there.place}, and is kept as it was in {kept.name}."
            f" Both are the same now: {self._receipt(self._here)}"
        )
        self._tell_seed()
        return self._answer(comparison, done, moved, DONE)

    def _replace(
        self, draft: places.FileRecord, made: CampaignStore, kept: Path, comparison: Comparison
    ) -> Synced:
        """Copies new events of the rebuilt record `made` to the other copy, then renames the files."""
        here, there = self._here, self._there
        there.reopen(read_only=False)
        there.record.on_recorded = None
        here.campaign.close()
        with places.alone(here.place) as file:
            heads = {line.line: line.here for line in comparison.lines if line.here.position}
            if {line: file.head(line) for line in file.streams()} != heads:
                raise Refused(MOVED)
            with progress("Copying") as tell:
                done = bring_together(made.record, there.record, tell, self._drop_caches)
            if done.comparison.apart:
                raise Refused(MOVED)
            file.give_way(draft, kept)
        return Synced(done.came, done.went, comparison)

    def _follow(self, moved: Sequence[MovedLine]) -> None:
        """Opens the new file; notes what is last in it, and the number of the branch the user writes to."""
        self._here.reopen(read_only=True)
        seen = attach_caches(self._here.campaign, self._settings, debug=self._options.debug)
        self._drop_caches()
        self._keep_last(seen)
        chosen = self._settings.chosen_line(self._id)
        for line in moved:
            if chosen == line.line != line.now:
                self._settings.choose_line(self._id, line.now)

    def _tell_moved(self, moved: Sequence[MovedLine], comparison: Comparison, *, check: bool) -> None:
        here, there = self._here.place, self._there.place
        names = self._here.campaign.lines()
        for line in moved:
            is_there = "would be" if check else "is"
            if is_draft(line.line):
                what = f"What {here} has of the draft {line.name}"
                self._say(f"{what} {is_there} joined with {there}: {_count(line.events, 'event')}.")
                self._said += line.changes
                continue
            common = comparison.common(line.line)
            what = f"What {here} has of {names[line.line]} after {common}"
            where = f"at the end of {line.name}" if line.now == line.line else f"the branch {line.name}"
            self._say(f"{what} {is_there} {where} in {there}: {_count(line.events, 'event')}.")
            if line.lost:
                stay = "stays" if len(line.lost) == 1 else "stay"
                self._say(f"{_count(len(line.lost), 'act')} {stay} behind, which cannot be recorded there:")
                self._said += (f"  {sentence}" for sentence in line.lost)
            if line.changes:
                self._say("What comes out differently there:")
                self._said += (f"  {sentence}" for sentence in line.changes)
            if line.undone:
                stay = "stays" if line.undone == 1 else "stay"
                self._say(f"{_count(line.undone, 'undone act')} {stay} behind.")

    # --- answering ----------------------------------------------------------------------------------------

    def _say(self, sentence: str) -> None:
        self._said.append(sentence)

    def _receipt(self, copy: _Copy) -> Receipt:
        """Returns the short receipt of a copy's mainline."""
        main = copy.campaign.mainline()
        head = copy.record.head(main)
        return Receipt(main, head.position, head.hash.hex()).short

    def _answer(self, comparison: Comparison, done: Synced, moved: Sequence[MovedLine], code: int) -> int:
        if not self._options.json:
            if code == DONE:
                sys.stdout.writelines(f"{line}\n" for line in fitted(map(safe.line, self._said), sys.stdout))
            return code
        lines = [
            {
                "line": line.line,
                "common": line.common,
                "here": line.ahead_here,
                "there": line.ahead_there,
                "apart": line.apart,
            }
            for line in comparison.lines
        ]
        write_json(
            {
                "retold": "sync",
                "version": 1,
                "here": str(self._here.place),
                "there": str(self._there.place),
                "apart": code != DONE,
                "came": done.came.events,
                "went": done.went.events,
                "lines": lines,
                "moved": [line._asdict() for line in moved],
                "receipt": str(self._receipt(self._here)),
                "said": self._said,
            }
        )
        return code


class _Copy:
    """An open copy of the campaign; `reopen` opens it again for writing."""

    def __init__(self, campaign: CampaignStore) -> None:
        self.campaign = campaign

    @property
    def record(self) -> Record:
        """The copy's record."""
        return self.campaign.record

    @property
    def place(self) -> Address:
        """The copy's address."""
        return self.campaign.place

    def reopen(self, *, read_only: bool) -> None:
        """Closes the copy and opens it again."""
        place = self.place
        self.campaign.close()
        self.campaign = CampaignStore.open(place, read_only=read_only)


def _kept_name(file: Path, today: str) -> Path:
    """Returns a free name for the file as it was, beside it: `salt-road.before-2026-03-14.retold`."""
    file = file.resolve()
    names = (f"{file.stem}.before-{today}{'' if n == 1 else f'-{n}'}{file.suffix}" for n in range(1, 1000))
    return next(path for path in map(file.with_name, names) if not path.exists())


def _computer() -> str:
    """Returns this computer's name, for branches that were moved from it."""
    import platform

    return platform.node().partition(".")[0] or "from here"


def _passed(copied: Copied, where: str) -> str:
    """Returns a sentence such as `2 evenings came from club:salt-road (412 events, to s14).`."""
    events = _count(copied.events, "event")
    if not copied.sessions:
        return f"{events} {where}."
    evenings = _count(len(copied.sessions), "evening")
    return f"{evenings} {where} ({events}, to s{max(copied.sessions)})."


def _count(number: int, what: str) -> str:
    """Returns a count with its noun: `1 event`, `1,204 events`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _warn(sentences: Iterable[str]) -> None:
    sys.stderr.writelines(f"{line}\n" for line in fitted(map(safe.line, sentences), sys.stderr))
