"""Drafts begun from the record, unedited blocks brought up to date, and the copy to be sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from retold.drafts.composing import Composed, Composition, Place
from retold.drafts.files.kept_words import LONGEST_NAME
from retold.drafts.manuscript import Going, Manuscript
from retold.drafts.standing import Standing, noted, reader_of
from retold.journal import marks
from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.told_states import ToldStates
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.drafts import Draft, Revision, Scope
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.drafts import Block, Sort, Told
from retold.projections.prose import Voice
from retold.projections.reading import LineView, find_range
from retold.projections.texts import safe

_SESSIONS: Final = re.compile(r"s(?P<first>[0-9]{1,6})\.\.s(?P<last>[0-9]{1,6})")


def part_of(reading: LineView, typed: str | None) -> tuple[int, int]:
    """Returns the first and last position of a part: sessions, a range, or the last session.

    Raises Refused for a part that does not exist, and for one on another line.
    """
    sessions = reading.sessions
    if typed is None:
        if not sessions.opened:
            return 1, reading.position
        stretch = sessions.stretch(max(sessions.opened))
        return stretch.after + 1, stretch.upto
    found = _SESSIONS.fullmatch(typed)
    if found is not None:
        first, last = int(found["first"]), int(found["last"])
        if first > last:
            raise Refused(f"{typed} runs backwards: say s{last}..s{first}.")
        return sessions.stretch(first).after + 1, sessions.stretch(last).upto
    start, end = find_range(reading, typed)
    if start.line != reading.line:
        raise Refused(f"{typed} lies on another line: say --branch.")
    return start.position, end.position


class Noting:
    """Notes events as told, with their words and states as they are on a line now."""

    def __init__(self, record: Composition) -> None:
        self.record = record

    @cached_property
    def _states(self) -> ToldStates:
        reading = self.record.reading
        return ToldStates(reading.campaign.record, reading.line)

    def told(self, events: Iterable[Place], sort: Sort) -> tuple[Told, ...]:
        """Returns the events as a block of that sort tells them now; without those that nothing tells."""
        return tuple(self._told(events, sort))

    def _told(self, events: Iterable[Place], sort: Sort) -> Iterator[Told]:
        for event in events:
            words, state = noted(self.record, event, sort), self._states.of(event.position)
            if words is not None and state is not None:
                yield Told(line=event.line, position=event.position, state=state, words=Words(words))

    def block(self, number: int, composed: Composed) -> Block:
        """Returns a block with the record's words."""
        tells = self.told(composed.events, composed.sort)
        return Block(
            id=number, sort=composed.sort, text=Words(composed.text), tells=tells, level=composed.level
        )


def text_of(words: Words | None) -> str:
    """Returns the text of some words; empty if there are none, or if they are redacted."""
    return (words.text if words else None) or ""


def begin(campaign: CampaignStore, name: str, scope: Scope, voice: Voice, writer: str | None = None) -> Draft:
    """Begins a draft of the record's words for the reader of `scope`, by `writer`; returns it.

    Raises Refused if the name is taken or cannot be typed, and if nothing is told there.
    """
    name = name.strip()
    if not name or safe.line(name) != name or len(name) > LONGEST_NAME:
        raise Refused(f"A draft has a name of 1 to {LONGEST_NAME} visible characters: choose another name.")
    with campaign.record.writing():
        viewer = reader_of(campaign, scope.line, scope.reader)
        record = Composition(LineView(campaign, scope.line).through(viewer), scope.first, scope.last, voice)
        noting = Noting(record)
        blocks = [noting.block(number, composed) for number, composed in enumerate(record.blocks, 1)]
        if not blocks:
            raise Refused("Nothing is told there yet, so there is no text to make a draft of.")
        return campaign.drafts.begin(Words(name), scope, blocks, Manner(), writer)


def followed_blocks(standing: Standing) -> tuple[Block, ...]:
    """Returns all blocks of a revision; unedited blocks have the record's present words."""
    noting = Noting(standing.record)
    texts = {current.block.id: current for current in standing.blocks}
    found = []
    for block in standing.revision.blocks:
        now = texts.get(block.id)
        follows = not (block.edited or block.cut or block.instead_of is not None) and bool(block.tells)
        if not follows or (now is not None and now.text == block.text.text):
            found.append(block)
        elif now is not None:
            found.append(replace(block, text=Words(now.text), tells=noting.told(now.events, block.sort)))
    return tuple(found)


def follow(standing: Standing, manner: Manner) -> Draft:
    """Records a revision with the words of the record as they are now; returns the draft.

    Unchanged if the latest revision has them already. Call it inside `record.writing()`.
    """
    campaign, draft = standing.campaign, standing.draft
    return campaign.drafts.revise(draft, followed_blocks(standing), manner)


def manuscript(campaign: CampaignStore, draft: Draft, revision: Revision) -> Manuscript:
    """Returns a revision as it is sent; blocks that were redacted are left out."""
    reading = LineView(campaign, draft.scope.line)
    title = marks.plain(str(reading.table.title or "")) or draft.name
    going = tuple(
        Going(block.id, block.sort, block.text.text, block.level or 1, text_of(block.writer))
        for block in revision.shown
        if block.text.text is not None
    )
    lang = reading.language or draft.scope.lang or "en"
    return Manuscript(draft.name, revision.number, title, going, lang)
