"""A draft as text for the terminal and as JSON data: its blocks, and what is stale, cut and untold."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from retold.cli.output.printing import fitted
from retold.drafts.changes import with_marks
from retold.drafts.manuscript import BREAK
from retold.drafts.showing import is_for_the_game_master
from retold.drafts.standing import Standing, StandingBlock, Untold
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.drafts import Block
from retold.projections.reading import LineView
from retold.projections.texts import safe


def headline(standing: Standing) -> str:
    """Returns one sentence: the draft, its revision, and how many are edited, stale, untold and cut."""
    draft, number = standing.draft, standing.revision.number
    counts = (
        count(len(standing.blocks), "block"),
        f"{sum(current.block.edited for current in standing.blocks)} edited",
        f"{len(standing.stale)} stale",
        f"{len(standing.untold)} untold",
        f"{len(standing.revision.cut)} cut",
    )
    return f"{draft.name}, revision {number} of {draft.latest.number}: {', '.join(counts)}."


def print_block(standing: Standing, current: StandingBlock) -> None:
    """Prints a block with its id, and under it what the record says otherwise, other wordings and remarks."""
    block = current.block
    mark = {"heading": "#" * (block.level or 1) + " ", "break": BREAK, "text": ""}.get(
        block.sort, f"[{block.sort}] "
    )
    eyes = dict.fromkeys(eyes for event in current.events if (eyes := standing.record.eyes.get(event)))
    notes = [*(_edited(block) if block.edited else []), *eyes, *_eyes_of(standing, block)]
    entry(str(block.id), f"{mark}{current.text}{'  (' + ', '.join(notes) + ')' if notes else ''}")
    for change in current.changed:
        if change.now is None:
            entry("", f"{change.event} is gone: {change.was}")
        else:
            entry("", f"{change.event} reads now: {with_marks(change.was, change.now)}")
    if current.changed:
        entry("", f"retold draft ok {block.id} keeps it; take-new {block.id} or cut {block.id}")
    for other in standing.revision.other_wordings.get(block.id, ()):
        words = "cut" if other.cut else with_marks(current.text, other.text.text or "")
        who = name_of(other.writer) or "another writer"
        entry("", f"{other.id} by {who}: {words} (retold draft ok {block.id}, or ok {other.id})")
    for remark in block.remarks:
        who = f"{remark.author.text}: " if remark.author.text else ""
        entry("", f"remark: {who}{remark.text.text or '(redacted)'} (retold draft settle {block.id})")


def name_of(writer: Words | None) -> str | None:
    """Returns the name of a block's writer; None if not given or redacted."""
    return None if writer is None else writer.text


def _edited(block: Block) -> list[str]:
    name = name_of(block.writer)
    return [f"edited by {name}" if name else "edited"]


def _eyes_of(standing: Standing, block: Block) -> Iterator[str]:
    if is_for_the_game_master(block):
        yield "for the game master"
    elif isinstance(block.see, tuple):
        table = LineView(standing.campaign, standing.here.line).table
        yield f"for {', '.join(map(table.name, block.see))}"


def print_untold(untold: Sequence[Untold]) -> None:
    """Prints words of the record that no block tells, with the commands that take or cut them."""
    for words in untold:
        event = words.composed.events[0]
        entry("+", f"untold {event}: {words.composed.text} (retold draft take-new {event}, or cut {event})")


def entry(id_: str, text: str) -> None:
    """Prints a block with its id before it, wrapped if the terminal is narrow."""
    lines = safe.text(text).split("\n")
    heads = (f"{id_:>5}  ", *(" " * 7 for _ in lines[1:]))
    rows = fitted(
        [f"{head}{line}".rstrip() for head, line in zip(heads, lines, strict=True)], sys.stdout, " " * 7
    )
    sys.stdout.writelines(f"{row}\n" for row in rows)


def facts(standing: Standing) -> dict[str, object]:
    """Returns a draft as JSON data: its blocks, what is stale, cut and untold."""
    return {
        "retold": "draft",
        "version": 1,
        "draft": standing.draft.name,
        "revision": standing.revision.number,
        "blocks": [_block_facts(standing, current) for current in standing.blocks],
        "cut": [
            {"id": block.id, "text": block.text.text, "tells": [*map(str, standing.events_of(block))]}
            for block in standing.revision.cut
        ],
        "untold": [
            {"after": words.after, "text": words.composed.text, "tells": [*map(str, words.composed.events)]}
            for words in standing.untold
        ],
    }


def _block_facts(standing: Standing, current: StandingBlock) -> dict[str, object]:
    block = current.block
    return {
        "id": block.id,
        "sort": block.sort,
        "text": current.text,
        "tells": [*map(str, current.events)],
        "edited": block.edited,
        "writer": name_of(block.writer),
        "for": block.see if block.see is not None else "gm" if is_for_the_game_master(block) else None,
        "stale": [
            {"event": str(change.event), "was": change.was, "now": change.now} for change in current.changed
        ],
        "others": [
            {
                "id": other.id,
                "text": other.text.text,
                "cut": other.cut,
                "writer": name_of(other.writer),
            }
            for other in standing.revision.other_wordings.get(block.id, ())
        ],
        "remarks": [{"author": remark.author.text, "text": remark.text.text} for remark in block.remarks],
    }


def count(number: int, what: str) -> str:
    """Returns a number with its noun, such as `2 blocks`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def note(sentence: str) -> None:
    """Prints a sentence on standard error."""
    sys.stderr.writelines(f"{line}\n" for line in fitted([safe.line(sentence)], sys.stderr))
