"""Paragraphs of a draft as they leave in a file, and as they come back from one."""

from __future__ import annotations

from dataclasses import dataclass

from journal.vocabulary.drafts import Sort


@dataclass(frozen=True, slots=True)
class Going:
    """A block of a draft, to be written into a file."""

    id: int
    sort: Sort
    text: str


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A revision of a draft as it is sent: its name, number and blocks in order."""

    name: str
    revision: int
    title: str
    blocks: tuple[Going, ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment that somebody wrote beside a paragraph; `author` is empty if the file has none."""

    author: str
    text: str


@dataclass(frozen=True, slots=True)
class Coming:
    """A paragraph of a file that comes back; `id` is the block id found at it, None if there is none.

    Ids in a file can be forged or copied: they are hints.
    """

    sort: Sort
    text: str
    id: int | None = None
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Returned:
    """A file that came back: its paragraphs, and the draft and revision it names, if it names them."""

    name: str | None
    revision: int | None
    paragraphs: tuple[Coming, ...]
