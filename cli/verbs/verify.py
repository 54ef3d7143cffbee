"""The `verify` verb: checks the record's hashes, and on request that acts follow from rules and seed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from retold.cli import app as o
from retold.cli.campaigns.opening import attach_caches, line_meant
from retold.cli.campaigns.settings import Settings
from retold.cli.invocation import DONE, FAILED, UsageError
from retold.cli.output.printing import progress, write_json
from retold.journal.counting import counted
from retold.journal.games import absence
from retold.journal.refused import Refused
from retold.journal.store.caches.projection_cache import cache_troubles
from retold.journal.store.events.kinds import game_missing, why_unread
from retold.journal.store.verify import (
    SHORT_HASH,
    ChanceReport,
    Difference,
    Finding,
    Receipt,
    Report,
    verify,
    verify_chance,
    verify_rules,
)
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.table import Table
from retold.projections.texts import safe


def command(
    ctx: typer.Context,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    rules: Annotated[
        bool, typer.Option("--rules", help="Also decide every act of the line again by today's rules.")
    ] = False,
    chance: Annotated[
        bool, typer.Option("--chance", help="Also prove that every dealt result follows from the seed.")
    ] = False,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="WORDS", help="The seed, if it is not kept here.")
    ] = None,
    receipt: Annotated[
        list[str] | None,
        typer.Option("--receipt", "--head", metavar="LINE:POSITION:HASH", help="A receipt kept from before."),
    ] = None,
    json: o.Json = False,
) -> int:
    """Check the record: file, hashes, texts; with --rules and --chance also every decision and every deal.

    It prints a receipt for each line: kept elsewhere, the receipt shows later even a cut-off end. It also
    says why a cache is not used, which is no fault of the record.

    Examples: retold verify --rules · retold verify --head 1:412:6f1c
    """
    options = o.merged(ctx, campaign, branch, json)
    settings = Settings.of_user()
    with CampaignStore.open(settings.campaign(options.campaign), read_only=True, mended=True) as found:
        with progress("Checking") as told:
            report = verify(found.record, told, [_receipt(typed) for typed in receipt or ()])
        missed = None
        if report.whole:  # of a damaged one nothing more can be asked, not even which campaign it is
            missed = attach_caches(found, settings, debug=options.debug).missed()
        line = line_meant(found, settings, options) if report.whole else 1
        with progress("Deciding again") as told:
            differences = list(verify_rules(found, line, told)) if rules and report.whole else []
        luck = _chance(found, settings, line, seed) if chance and report.whole else None
        table = _folded(found, line) if report.whole else None
        unfolded = table if isinstance(table, str) and not report.unknown else None
        cache = (
            list(cache_troubles(found.snapshots, table))
            if isinstance(table, Table) and found.snapshots
            else []
        )
    if options.json:
        write_json({**_as_json(report, differences, luck, cache), "unfolded": unfolded, "missed": missed})
    else:
        about = _sentences(report, differences, luck, rules=rules)
        for sentence in (*about, *cache, *filter(None, (unfolded, missed))):
            sys.stdout.write(f"{safe.line(sentence)}\n")
    sound = report.whole and unfolded is None and missed is None
    kept = not any(difference.by_these_rules for difference in differences)
    return DONE if sound and kept and (luck is None or luck.proved) else FAILED


def _receipt(typed: str) -> Receipt:
    line, _, rest = typed.partition(":")
    position, _, digest = rest.partition(":")
    if not (_NUMBER(line) and _NUMBER(position) and _HASH(digest)):
        raise UsageError(
            f"{typed} is not a receipt: it is LINE:POSITION:HASH, as verify prints it,"
            f" of the HASH at least {SHORT_HASH} digits."
        )
    return Receipt(int(line), int(position), digest.casefold())


_NUMBER = re.compile("[0-9]{1,15}").fullmatch
_HASH = re.compile(f"[0-9a-fA-F]{{{SHORT_HASH},64}}").fullmatch


def _chance(campaign: CampaignStore, settings: Settings, line: int, typed: str | None) -> ChanceReport:
    held = typed.encode() if typed is not None else settings.seed(campaign.id)
    if campaign.table_at(line, 1).seed is None:
        raise Refused("This campaign deals from the system's randomness, so there is no seed to prove it by.")
    if held is None:
        raise Refused("This computer does not hold the campaign's seed: give it with --seed.")
    with progress("Dealing again") as told:
        return verify_chance(campaign.record, held, line, told)


def _folded(campaign: CampaignStore, line: int) -> Table | str:
    """Returns the table state at the end of a branch, or a sentence on why it cannot be computed."""
    try:
        return campaign.table_at(line)
    except Exception as error:  # noqa: BLE001 -- whatever hinders it, it is a finding
        return f"Every event is undamaged, but they cannot be folded into a table: {error}"


def _sentences(
    report: Report, differences: list[Difference], luck: ChanceReport | None, *, rules: bool
) -> Iterator[str]:
    for finding in report.findings:
        yield _where(finding)
    if not report.whole:
        yield f"{report.good} of {report.events} events are good before the first that is not."
        yield "Nothing was changed. What can be done: retold doctor."
        return
    yield from _whole(report)
    if rules and not differences:
        yield "Every act would be decided the same way today."
    yield from map(str, differences)
    if differences and not any(difference.by_these_rules for difference in differences):
        yield "The record stays as it is: other rules do not mean that it was changed."
    if luck is not None:
        for name, found in (
            ("", luck.findings),
            ("Undone: ", luck.undone),
            ("Carried along: ", luck.carried),
        ):
            for finding in found:
                yield name + _where(finding)
        if luck.proved:
            yield f"All {luck.dealt} dealt results follow from the seed. {luck.says}"


def _whole(report: Report) -> Iterator[str]:
    yield f"The record is whole: {report.events} events, every one in its place."
    if report.redacted:
        texts = counted(report.redacted, "text is", "texts are")
        yield f"{texts} redacted: gone for good, and the record says so."
    for kind in report.unknown:
        game = game_missing(kind)
        why = why_unread(kind, None) if game is None else None
        if why is not None:
            yield f"{kind} is kept, and not understood here: {why}"
        elif game is None:
            yield f"{kind} was written by a later Retold: kept, and not understood here."
        else:
            yield f"{kind} is of the game {game}, which is {absence(game)}: kept, and not understood."
    for receipt in report.receipts:
        yield f"Receipt {receipt}"


def _where(finding: Finding) -> str:
    if finding.position is None:
        return finding.sentence
    return f"Line {finding.line}, position {finding.position}: {finding.sentence}"


def _as_json(
    report: Report, differences: list[Difference], luck: ChanceReport | None, cache: list[str]
) -> dict[str, Any]:
    return {
        "retold": "verify",
        "version": 1,
        "whole": report.whole,
        "events": report.events,
        "good": report.good,
        "findings": [finding._asdict() for finding in report.findings],
        "unknown": list(report.unknown),
        "redacted": report.redacted,
        "receipts": [receipt._asdict() for receipt in report.receipts],
        "cache": cache,
        "rules": [str(difference) for difference in differences],
        "decided": [
            {
                "position": difference.position,
                "verb": difference.command.verb,
                "release": difference.release,
                "game": difference.guest,
                "by_these_rules": difference.by_these_rules,
            }
            for difference in differences
        ],
        "chance": None
        if luck is None
        else {
            "dealt": luck.dealt,
            "proved": luck.proved,
            "findings": [finding._asdict() for finding in luck.findings],
            "undone": [finding._asdict() for finding in luck.undone],
            "carried": [finding._asdict() for finding in luck.carried],
        },
    }
