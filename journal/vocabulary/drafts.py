"""Events of a draft: a text made from a line, edited elsewhere, and taken back, revision by revision.

They lie in a stream of their own, apart from every line. No rule reads them.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from journal.vocabulary.base import Event, Id, Part, Words, kinds

Sort = Literal["text", "heading", "break", "epigraph", "pull-quote", "image", "note"]

Eyes = Literal["gm", "table"] | tuple[Id, ...]
"""Who may see a block beside the game master: nobody (`gm`), everybody (`table`), or people by id."""

GONE = 0
"""Position of a told event that a copy of the campaign does not have; only the game master may read of it."""


class Told(Part):
    """Event that a block tells: the line that stores it, its position there, and its state when looked at.

    `state` is the digest of `journal.store.told_states`: it differs once the event reads otherwise. `words`
    are the record's words for this event when the writer last looked at it.
    """

    line: Id
    position: Id
    state: str
    words: Words | None = None


class Remark(Part):
    """Comment of an editor on a block; it is no part of the text. `author` is empty if nobody signed it."""

    author: Words
    text: Words


class Block(Part):
    """Paragraph or heading of a draft, as plain text; `id` stays the same through all revisions.

    A block is shown if it is neither `cut` nor `instead_of` another. It is seen by those who may see every
    event that it tells, by `see` among them if that is set. A block that tells nothing and has no `see` is
    the game master's.
    """

    id: Id
    sort: Sort
    text: Words
    tells: tuple[Told, ...] = ()
    level: Id | None = None
    """Level of a heading, 1 for the highest; None for all other sorts."""
    edited: bool = False
    """True if somebody wrote the text; False if it is the record's, and follows it."""
    cut: bool = False
    """True if the writer cut the block: it keeps its text and place, and what it tells is cut on purpose."""
    see: Eyes | None = None
    remarks: tuple[Remark, ...] = ()
    instead_of: Id | None = None
    """Block of which this is another writer's wording, kept until one of both is chosen."""


class DraftBegun(Event):
    """First event of a draft: of positions `first` to `last` of branch `line`, for one reader.

    `draft` is the number of the draft's own stream, `at` the hash of the event at `last`. `lang` is the code
    of the language that `voice` tells in, None for its own.
    """

    kind: ClassVar[str] = "table.draft-begun"
    draft: Id
    name: Words
    line: Id
    first: Id
    last: Id
    at: str
    voice: str
    reader: Literal["gm", "table"] | Id
    lang: str | None = None


class DraftRevised(Event):
    """New revision: the order of its blocks by id, and the blocks that are new or other than before.

    Before is the revision that it was made from: `after`, or the one recorded before it if that is None.
    `order` None means the order of before.
    """

    kind: ClassVar[str] = "table.draft-revised"
    revision: Id
    after: Id | None = None
    order: tuple[Id, ...] | None = None
    blocks: tuple[Block, ...] = ()
    joins: Id | None = None
    """The other revision that was joined with the one it was made from."""
    restores: Id | None = None
    """The earlier revision that it repeats, for undo and redo."""


class DraftSent(Event):
    """Revision given to somebody for editing, in a file of that format.

    `named` is the number that the file says, if the revision had another one when it was sent: copies of a
    campaign that are brought together number theirs anew.
    """

    kind: ClassVar[str] = "table.draft-sent"
    revision: Id
    format: str
    named: Id | None = None


class DraftPublished(Event):
    """Draft made the text that exports show by default: that revision, or always the latest if None."""

    kind: ClassVar[str] = "table.draft-published"
    revision: Id | None = None


class DraftWithdrawn(Event):
    """Draft is no longer the text that exports show by default."""

    kind: ClassVar[str] = "table.draft-withdrawn"


DRAFT_EVENTS = kinds(vars())
"""Events of drafts, in order of definition."""
