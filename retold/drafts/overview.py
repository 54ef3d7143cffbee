"""Choices of a draft's writer (drafts, sessions, readers); revisions and doubts of one draft."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from retold.drafts.changes import change_summary
from retold.drafts.checking import Checker, Verdict, vouched
from retold.drafts.doubtful import doubts_about
from retold.drafts.files.kept_words import author_name
from retold.drafts.making import text_of
from retold.drafts.showing import SeenDraft
from retold.drafts.standing import Standing, reader_of
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.drafts import Draft, Reader
from retold.journal.table import Table
from retold.journal.vocabulary.base import GM
from retold.projections.reading import LineView
from retold.projections.reading.viewers import EVERYBODY

MOST_REVISIONS: Final = 200
"""Revisions in a list; of a long draft each is compared with the one before it in a millisecond."""
_OTHER_READERS: Final = ("gm", "table")
"""Readers that are no person."""
WRONG: Final = {
    Verdict.AGAINST: "the record says otherwise",
    Verdict.NOT_IN_RECORD: "the record does not have this",
    Verdict.NOT_FOR_READER: "the reader may not know this",
    Verdict.HERS: "hers",
}
"""Verdicts that a writer should look at, as the page says them."""
MAY_BE_HERS: Final = frozenset({Verdict.AGAINST, Verdict.NOT_IN_RECORD})
"""Those on sentences that she may vouch for."""
_kept: dict[tuple[int, int, int, Reader], Checker] = {}


class SessionToTell(NamedTuple):
    """Session offered for a new draft; `title` may be empty."""

    number: int
    title: str


class Overview(NamedTuple):
    """Names of all drafts in the order begun, and the choices for a new draft.

    `people` are the players' names; `writer` is the game master's name, empty if unknown.
    """

    drafts: tuple[str, ...]
    sessions: tuple[SessionToTell, ...]
    people: tuple[str, ...]
    writer: str


def overview(campaign: CampaignStore, line: int) -> Overview:
    """Returns the drafts, sessions and readers that a branch's writer can choose."""
    reading = LineView(campaign, line)
    titles = ((number, reading.sessions.opening(number).title) for number in reading.sessions.opened)
    return Overview(
        tuple(campaign.drafts.names().values()),
        tuple(SessionToTell(number, text_of(title)) for number, title in titles),
        readers(reading.table),
        game_master(reading.table),
    )


def readers(table: Table) -> tuple[str, ...]:
    """Returns names of players that can be readers, each once."""
    players = (person.player for person in table.everybody() if person.player is not None)
    names = (table.name(player) for player in players if player not in table.game_masters)
    return tuple(name for name in dict.fromkeys(names) if name.casefold() not in _OTHER_READERS)


def game_master(table: Table) -> str:
    """Returns the game master's name as a writer's name: one line, cut to its limit; empty without one."""
    player = table.people[GM].player
    return "" if player is None else author_name(table.name(player))


class RevisionMade(NamedTuple):
    """Revision in a list: its time (UTC, ISO 8601), its writer (empty if not given), and what changed.

    `sent` are the formats of the files in which it was sent.
    """

    revision: int
    at: str
    writer: str
    what: str
    sent: tuple[str, ...]


def revisions(draft: Draft) -> tuple[RevisionMade, ...]:
    """Returns the last `MOST_REVISIONS` revisions of a draft, the latest last."""
    return tuple(
        RevisionMade(
            revision.number,
            revision.at,
            revision.writer or "",
            change_summary(draft, revision),
            tuple(sending.format for sending in draft.sent if sending.revision == revision.number),
        )
        for revision in draft.revisions[-MOST_REVISIONS:]
    )


class BlockToLookAt(NamedTuple):
    """Block, by its id, that its writer should look at, and why; `text` are the words in question.

    `sentence` is the number of a sentence that the writer may vouch for; 0 without one.
    """

    block: int
    text: str
    why: str
    sentence: int = 0


def to_look_at(standing: Standing) -> tuple[BlockToLookAt, ...]:
    """Returns what a writer should look at: secrets, what the record does not have, and doubts.

    Secrets are words in edited blocks that the table may not know. Sentences of edited blocks are held
    against the record as the draft's reader may know it.
    """
    given_away = [*_given_away(standing)]
    secret = {leak.block for leak in given_away}
    checked = (one for one in _not_recorded(standing) if one.block not in secret)
    return (*given_away, *checked, *_doubts(standing))


def _given_away(standing: Standing) -> Iterator[BlockToLookAt]:
    reading = LineView(standing.campaign, standing.here.line).through(EVERYBODY)
    for leak in SeenDraft(standing, reading).leaks:
        why = "the table may not know this: no export for them shows it"
        yield BlockToLookAt(leak.block, leak.words, why)


def _not_recorded(standing: Standing) -> Iterator[BlockToLookAt]:
    """Yields the sentences of edited blocks that are not in the record, against it, or not for the reader."""
    edited = [current for current in standing.blocks if current.block.edited and current.block.sort == "text"]
    for current in edited:
        checked = vouched(current.block, _checker(standing).paragraph(current.text))
        for number, found in enumerate(checked, 1):
            if found.verdict in WRONG:
                why = f"{WRONG[found.verdict]}{f' ({found.why})' if found.why else ''}"
                sentence = number if found.verdict in MAY_BE_HERS else 0
                yield BlockToLookAt(current.block.id, found.text, why, sentence)


def _checker(standing: Standing) -> Checker:
    """Returns what checks texts for a draft's reader; the last one is kept until something is recorded."""
    campaign, line, reader = standing.campaign, standing.here.line, standing.draft.scope.reader
    key = id(campaign), line, campaign.record.head(line).position, reader
    if key not in _kept:
        _kept.clear()
        _kept[key] = Checker(LineView(campaign, line).through(reader_of(campaign, line, reader)))
    return _kept[key]


def _doubts(standing: Standing) -> Iterator[BlockToLookAt]:
    for doubt in doubts_about(standing):
        yield BlockToLookAt(doubt.block.block.id, doubt.text, doubt.why)
