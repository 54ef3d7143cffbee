"""Shapes of what the service answers about drafts."""

from __future__ import annotations

from typing import Literal

from retold.cli.service.answers import Answer


class DraftChange(Answer, frozen=True):
    """Words of the record that changed since a block was looked at: pairs of the old and the new words.

    `gone` is true if the record no longer tells the event.
    """

    event: str
    gone: bool
    words: tuple[tuple[str, str], ...]


class DraftRemark(Answer, frozen=True):
    """Comment on a block; `author` is empty if unsigned."""

    author: str
    text: str


class DraftBlock(Answer, frozen=True):
    """Block of a draft beside the record's words of what it tells, or words of the record without a block.

    The latter are `untold`, with the id of an event. `others` are wordings of other writers. `see` has
    `table`, `gm` or names, and is empty if what the block tells says who may read it.
    """

    id: str
    state: Literal["shown", "cut", "untold", "other"]
    sort: str
    text: str
    record: str
    edited: bool
    hidden: bool
    changed: tuple[DraftChange, ...]
    others: tuple[DraftBlock, ...]
    writer: str
    see: tuple[str, ...]
    remarks: tuple[DraftRemark, ...]


class Draft(Answer, frozen=True):
    """Latest revision of a draft, and the block that was just written.

    `people` are the players who may be shown a block, `writer` is the game master's name. `tag` differs after
    any change of the record.
    """

    draft: str
    revision: int
    reader: str
    can_undo: bool
    can_redo: bool
    voice: str
    people: tuple[str, ...]
    writer: str
    published: bool
    published_revision: int | None
    blocks: tuple[DraftBlock, ...]
    tag: str
    written: str = ""


class DraftSession(Answer, frozen=True):
    """Session offered for a new draft; `title` may be empty."""

    number: int
    title: str


class DraftLanguage(Answer, frozen=True):
    """Language offered for a new draft."""

    code: str
    name: str


class Drafts(Answer, frozen=True):
    """Names of all drafts in the order begun, choices for a new draft, and the draft just `begun`."""

    drafts: tuple[str, ...]
    sessions: tuple[DraftSession, ...]
    people: tuple[str, ...]
    writer: str
    voices: tuple[str, ...]
    languages: tuple[DraftLanguage, ...]
    begun: str = ""


class DraftRevision(Answer, frozen=True):
    """Revision of a draft in its log: UTC time, writer (empty if not given), what changed, formats sent."""

    revision: int
    at: str
    writer: str
    what: str
    sent: tuple[str, ...]


class DraftDoubt(Answer, frozen=True):
    """Block that the writer should look at, the words in question, and why.

    `sentence` is the number of a sentence that she may vouch for; 0 without one.
    """

    block: int
    text: str
    why: str
    sentence: int
