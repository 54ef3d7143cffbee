"""The `doctor` verb: reports a campaign's risks and damage, with remedies; only reads it."""

from __future__ import annotations

import glob
import sys
from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any, NamedTuple

import typer

from retold.cli import app as o
from retold.cli.campaigns.opening import attach_caches
from retold.cli.campaigns.settings import Settings, copy_place
from retold.cli.invocation import DONE, FAILED
from retold.cli.output.printing import progress, write_fitted, write_json
from retold.journal.counting import counted
from retold.journal.refused import Refused
from retold.journal.shell_words import shell_word
from retold.journal.store import places
from retold.journal.store.caches.projection_cache import cache_troubles, spoilt_entries
from retold.journal.store.contract.address import Address
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.verify import Report, salvage_into, verify
from retold.journal.store.writing.campaign import CampaignStore


def command(
    ctx: typer.Context,
    campaign: o.Campaign = None,
    cut_to: Annotated[
        str | None,
        typer.Option("--cut", metavar="NEW", help="Write what is good of a damaged record into a new file."),
    ] = None,
    rebuild: Annotated[
        bool,
        typer.Option("--rebuild", help="Throw the caches away: they are made anew when they are wanted."),
    ] = False,
    json: o.Json = False,
) -> int:
    """Report risks and damage of the campaign here, with remedies; the campaign is only read.

    Examples: retold doctor · retold -c salt-road doctor
    """
    options = o.merged(ctx, campaign, None, json)
    settings = Settings.of_user()
    place = settings.campaign(options.campaign)
    with CampaignStore.open(place, read_only=True, by_any_name=True, mended=True) as found:
        with progress("Checking") as told:
            report = verify(found.record, told, alone=False)
        if cut_to is not None and report.whole:
            raise Refused("The record is whole: there is nothing to cut off.")
        examined = _Examined(place, report, tuple(places.footing(place)), places.other_names(place))
        if report.whole:
            missed = attach_caches(found, settings).missed()
            caches = tuple(_caches(found, rebuild=rebuild))
            copies = tuple(_copies(found, place))
            examined = examined._replace(missed=missed, caches=caches, copies=copies)
        if not options.json:
            write_fitted(examined.sentences(), sys.stdout)
        cut = None if cut_to is None else _cut(found, copy_place(cut_to))
    if options.json:
        write_json(examined.to_json(cut))
    elif cut is not None:
        write_fitted(cut.sentences(), sys.stdout)
    is_well = examined.report.whole and examined.missed is None and examined.names is None
    return DONE if is_well or cut is not None else FAILED


class _Cut(NamedTuple):
    """Copy made of a damaged campaign's undamaged events: its address, their number, and what it lacks."""

    path: Address
    events: int
    lacks: tuple[str, ...]

    def sentences(self) -> Iterator[str]:
        yield f"{self.path} has the first {self.events} events."
        yield from self.lacks


class _Examined(NamedTuple):
    """Findings about a campaign: its record, its caches, and the disk, SQLite and files around it."""

    place: Address
    report: Report
    footing: tuple[str, ...]
    names: places.FileNames | None
    missed: str | None = None
    caches: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    """Sentences about files beside it with the same campaign."""

    def sentences(self) -> Iterator[str]:
        yield from self.footing
        if self.names is not None:
            yield self.names.stale() if self.names.logs else self.names.sentence()
        yield from _found(self.report, self.place)
        if self.missed is not None:
            yield self.missed
        yield from self.caches
        yield from self.copies

    def to_json(self, cut: _Cut | None) -> dict[str, Any]:
        report = self.report
        return {
            "retold": "doctor",
            "version": 1,
            "whole": report.whole,
            "events": report.events,
            "good": report.good,
            "findings": [finding._asdict() for finding in report.findings],
            "footing": list(self.footing),
            "names": None if self.names is None else [str(path) for path in (self.place, *self.names.others)],
            "missed": self.missed,
            "cache": list(self.caches),
            "copies": list(self.copies),
            "cut": None if cut is None else {**cut._asdict(), "path": str(cut.path)},
        }


def _found(report: Report, place: Address) -> Iterator[str]:
    """Yields sentences on the record: that it is whole, or its first damage and the remedies."""
    if report.whole:
        yield f"The record is whole: {report.events} events, every one in its place."
        return
    first = next((finding for finding in report.findings if finding.position is not None), report.findings[0])
    where = "" if first.position is None else f"Line {first.line}, position {first.position}: "
    yield f"{place} is damaged, and nothing is written to it. {where}{first.sentence}"
    if len(report.findings) > 1:
        yield f"There is more ({len(report.findings)} findings): retold verify lists them."
    yield f"{report.good} of {report.events} events are good before the first that is not."
    yield "With a backup: retold verify -c BACKUP says whether that is whole; then play on with a copy of it."
    if report.good:
        yield "Without: retold doctor --cut NEW writes what is good into a new file, to its last whole act."


def _copies(found: CampaignStore, place: Address) -> Iterator[str]:
    """Yields a sentence about each file beside the campaign's with a name that begins alike and its events.

    Programs that synchronise folders leave such files where two computers wrote at once.
    """
    if place.file is None:
        return
    here = found.record.head(found.mainline()).position
    for path in sorted(place.file.parent.glob(f"{glob.escape(place.file.stem)}*.retold")):
        try:
            if path.samefile(place.file):
                continue
            with CampaignStore.open(path, read_only=True) as other:
                there = other.record.head(other.mainline()).position if other.id == found.id else None
        except (Refused, StoreError, OSError):  # another file, which is not asked about
            continue
        if there is None:
            continue
        events = counted(abs(here - there), "event")
        has = "as many events" if here == there else f"{events} {'fewer' if there < here else 'more'}"
        yield (
            f"{path.name} beside it is a copy of the same campaign, with {has}. To bring both together, and"
            f" then put it elsewhere: retold -c {shell_word(str(place))} sync {shell_word(str(path))}"
        )


def _cut(found: CampaignStore, target: Address) -> _Cut:
    taken = places.restored(target, partial(salvage_into, record=found.record))
    with CampaignStore.open(target, read_only=True) as made:
        again = verify(made.record)
    return _Cut(target, taken, tuple(_still(again)))


def _still(report: Report) -> Iterator[str]:
    """Yields sentences on damage inside the salvaged copy, such as texts lost in a broken-off redaction."""
    yield from (
        f"Line {finding.line}, position {finding.position}: {finding.sentence}"
        for finding in report.findings
        if finding.line
    )


def _caches(found: CampaignStore, *, rebuild: bool) -> Iterator[str]:
    if found.snapshots is None:
        return
    if rebuild:
        found.snapshots.drop()
        yield "The caches of this campaign are thrown away; they are made anew when they are wanted."
        return
    yield from cache_troubles(found.snapshots, found.table_at(found.mainline()))
    if spoilt_entries(found.snapshots):
        yield "Nothing depends on it: retold doctor --rebuild throws the caches away."
