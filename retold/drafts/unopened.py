"""Paragraphs that a writer added to a draft, and that readers do not get until they are opened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from retold.drafts.naming import DraftMeant
from retold.drafts.places import Here
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.drafts import Draft, Revision
from retold.journal.vocabulary.drafts import Block
from retold.projections.reading import LineView
from retold.projections.reading.viewers import Viewer, is_among

if TYPE_CHECKING:
    from retold.drafts.retelling import DraftChosen
    from retold.projections.reading.sessions import Stretch


class NotInIt(NamedTuple):
    """Draft that is told in a copy, and its writer's paragraphs that are not in that copy."""

    meant: DraftMeant
    blocks: tuple[Block, ...]


def is_new(block: Block) -> bool:
    """True if a block in the text tells nothing, and its readers are not set."""
    is_in_text = not block.cut and block.instead_of is None
    return is_in_text and block.edited and not block.tells and block.see is None and _is_told(block)


def unopened(blocks: Iterable[Block], viewer: Viewer) -> Iterator[Block]:
    """Yields the writer's own paragraphs among blocks of a text that `viewer` may not read."""
    for block in blocks:
        is_own = block.edited and not block.tells and _is_told(block)
        if is_own and not is_among(block.eyes or "table", viewer):
            yield block


def _is_told(block: Block) -> bool:
    """True if a block is told in exports; breaks and notes have nothing to be opened."""
    return block.sort not in ("break", "note")


def not_in_copy(reading: LineView, stretch: Stretch, drafts: Iterable[DraftChosen]) -> Iterator[NotInIt]:
    """Yields for each draft that tells some of a stretch what the viewer of `reading` does not get of it."""
    from retold.drafts.retelling import parts_told  # noqa: PLC0415 -- it loads the exports

    every = [chosen._replace(is_wanted=False) for chosen in drafts]
    for part, chosen in parts_told(reading, stretch, every):
        meant = chosen.meant
        told = _within(Here(reading.campaign, meant.draft.scope), meant.draft.revision(meant.number), part)
        blocks = tuple(unopened(told, reading.viewer))
        if blocks:
            yield NotInIt(meant, blocks)


def _within(here: Here, revision: Revision, part: range) -> Iterator[Block]:
    """Yields the blocks of a text about events in `part`, and those that tell nothing beside them."""
    waiting: list[Block] = []
    is_within = True
    for block in revision.shown:
        place = next(filter(None, map(here.place, block.tells)), None)
        if place is None:
            waiting.append(block)
            continue
        was_within, is_within = is_within, place.position in part
        if was_within:
            yield from waiting
        waiting.clear()
        if is_within:
            yield block
    if is_within:
        yield from waiting


def tells_only_open_events(campaign: CampaignStore, draft: Draft) -> bool:
    """True if a draft is the table's copy, and the table may see every event of its part of the line."""
    if draft.scope.reader != "table":
        return False
    here = Here(campaign, draft.scope)
    return not any(LineView(campaign, here.line).kept_from_the_table(here.first - 1, here.last))
