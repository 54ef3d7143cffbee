"""Events of a draft: a text made from a line, edited elsewhere, and taken back, revision by revision.

They lie in a stream of their own, apart from every line. No rule reads them.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from journal.vocabulary.base import Event, Id, Part, Words, kinds

Sort = Literal["text", "heading", "break", "epigraph", "pull-quote", "image", "note"]


class Told(Part):
    """Event that a block tells: the line that stores it, its position there, and its state when told.

    `state` is a digest that differs once the event reads otherwise. It must not be made from bare words: a
    redaction leaves it, and short words can be guessed.
    """

    line: Id
    position: Id
    state: str


class Block(Part):
    """Paragraph or heading of a draft; `id` stays the same through all revisions."""

    id: Id
    sort: Sort
    text: Words
    tells: tuple[Told, ...] = ()


class DraftBegun(Event):
    """First event of a draft: of positions `first` to `last` of branch `line`, for one reader.

    `draft` is the number of the draft's own stream, `at` the hash of the event at `last`.
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


class DraftRevised(Event):
    """New revision: the ids of its blocks in order, and those blocks that are new or other than before."""

    kind: ClassVar[str] = "table.draft-revised"
    revision: Id
    order: tuple[Id, ...]
    blocks: tuple[Block, ...] = ()


class DraftSent(Event):
    """Revision given to somebody for editing, in a file of that format."""

    kind: ClassVar[str] = "table.draft-sent"
    revision: Id
    format: str


DRAFT_EVENTS = kinds(vars())
"""Events of drafts, in order of definition."""
