"""Events of drafts, which are texts made from a line and edited, revision by revision.

Each draft has a stream of its own, apart from every line. No rule reads these events.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from retold.journal.vocabulary.base import Event, Id, Part, Words, kinds

Sort = Literal["text", "heading", "break", "epigraph", "pull-quote", "image", "note"]

Eyes = Literal["gm", "table"] | tuple[Id, ...]
"""Who may see a block beside the game master: none (`gm`), all (`table`), or people by id."""

GONE = 0
"""Position of a told event that this copy of the campaign lacks; only the game master may see its block."""


class Told(Part):
    """Event that a block tells: the line that stores it, and its position there.

    `state` is its digest (`journal/store/events/told_states`) when the writer last looked, which changes with
    its text or audience; `words` are the record's words for it at that time.
    """

    line: Id
    position: Id
    state: str
    words: Words | None = None


class Remark(Part):
    """Comment of an editor on a block; `author` is empty if unsigned."""

    author: Words
    text: Words


class Block(Part):
    """Paragraph or heading of a draft, as plain text; `id` stays the same through all revisions.

    A block is shown if it is neither `cut` nor `instead_of` another. People may see it if they may see every
    event that it tells, and if `see`, where it is set, includes them. Only the game master sees a block that
    tells nothing and has no `see`.
    """

    id: Id
    sort: Sort
    text: Words
    tells: tuple[Told, ...] = ()
    level: Id | None = None
    """Level of a heading, 1 for the highest; None for all other sorts."""
    edited: bool = False
    """True if a person wrote the text; False if it is the record's, and changes with the record."""
    cut: bool = False
    """True if the writer cut the block on purpose; it keeps its text and place."""
    see: Eyes | None = None
    remarks: tuple[Remark, ...] = ()
    instead_of: Id | None = None
    """Block that this is another writer's wording of, until one of the two is chosen."""
    writer: Words | None = None
    """Name of the person who wrote the text, as they gave it; None for the record's, and if not given."""
    hers: tuple[Words, ...] | None = None
    """Sentences that a writer vouched for as hers, whatever the record says; None without any."""

    @property
    def eyes(self) -> Eyes | None:
        """The people who may see the block; None for all who may see the events that it tells."""
        return "gm" if self.see is None and not self.tells else self.see


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
    """New revision: the order of its blocks by id, and the new or changed blocks.

    It was made from the revision `after`, or, if that is None, from the one recorded before it. `order` is
    None if it is the same as there.
    """

    kind: ClassVar[str] = "table.draft-revised"
    revision: Id
    after: Id | None = None
    order: tuple[Id, ...] | None = None
    blocks: tuple[Block, ...] = ()
    joins: Id | None = None
    """A second revision whose changes it has too."""
    restores: Id | None = None
    """The earlier revision that it repeats, for undo and redo."""
    writer: Words | None = None
    """Name of the person who made it, as they gave it; None if not given."""


class DraftSent(Event):
    """Revision given out for editing, in a file of that format.

    `named` is the revision number that the file states; None if it is `revision`. They differ after two
    copies of a campaign were brought together, which numbers revisions again.
    """

    kind: ClassVar[str] = "table.draft-sent"
    revision: Id
    format: str
    named: Id | None = None


class DraftPublished(Event):
    """Draft published: exports show this revision by default, or always the latest if it is None."""

    kind: ClassVar[str] = "table.draft-published"
    revision: Id | None = None


class DraftWithdrawn(Event):
    """Publication of the draft taken back: exports no longer show it by default."""

    kind: ClassVar[str] = "table.draft-withdrawn"


DRAFT_EVENTS = kinds(vars())
"""Events of drafts, in order of definition."""
