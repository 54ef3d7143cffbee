"""Paragraphs of a draft, written into files and read back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from retold.journal import marks
from retold.journal.vocabulary.drafts import Sort

BREAK: Final = "* * *"
"""A break as files, exports and the terminal show it."""


@dataclass(frozen=True, slots=True)
class Going:
    """Block of a draft, to be written into a file; `level` is the level of a heading, from 1."""

    id: int
    sort: Sort
    text: str
    level: int = 1
    writer: str = ""
    """Name of the person who wrote it; empty if not given."""


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A revision of a draft as it is sent: its name, number and blocks in order."""

    name: str
    revision: int
    title: str
    blocks: tuple[Going, ...]
    lang: str = "en"
    """Code of the language of the draft's voice, by which word processors check the spelling."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment beside a paragraph; `author` is empty if the file has none."""

    author: str
    text: str


@dataclass(frozen=True, slots=True)
class Coming:
    """Paragraph of a file that comes back; `id` is the block id that its mark names, None without a mark.

    Ids in a file can be forged or copied, so they are only hints. The sort is a hint too, except of headings
    and breaks, since editors lose the formatting that shows it.
    """

    sort: Sort
    text: str
    id: int | None = None
    remarks: tuple[Remark, ...] = ()
    author: str = ""
    """Author of the last tracked change in it; empty without one."""


@dataclass(frozen=True, slots=True)
class Returned:
    """A file that came back: its paragraphs, and the draft and revision it names, if it names them.

    `title` is the words of its title, None if it has none that can be told from a heading. `left_out` are
    sentences about what the file has and a draft cannot hold, such as pictures.
    """

    name: str | None
    revision: int | None
    paragraphs: tuple[Coming, ...]
    title: str | None = None
    left_out: tuple[str, ...] = ()
    author: str = ""
    """The person who saved the file last, as it says; empty if it does not."""

    def under(self, title: str) -> tuple[Coming, ...]:
        """Paragraphs below the title of the copy that was sent.

        A title of other words is a heading; a first paragraph that has the words of the title is the title.
        """
        if self.title is not None and _spaced(self.title) != _spaced(title):
            return (Coming("heading", marks.as_words(self.title)), *self.paragraphs)
        first = marks.plain(self.paragraphs[0].text) if self.paragraphs else ""
        if self.title is None and title and _spaced(first) == _spaced(title):
            return self.paragraphs[1:]
        return self.paragraphs


def _spaced(text: str) -> str:
    """Returns a text with plain blanks; some web editors paste every blank as a no-break space."""
    return text.replace("\u00a0", " ")
