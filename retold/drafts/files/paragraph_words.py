"""Words of one paragraph of a word processor, on their way to the findings."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from retold.drafts.files.finding import Findings
from retold.drafts.files.kept_words import author_name
from retold.drafts.manuscript import Remark
from retold.journal import marks
from retold.journal.vocabulary.drafts import Sort

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_ENDS: Final = re.compile(r"(?![\u2e80-\U0003ffff])[^\W_]$|[.,;:!?\u2026\u201d\u2019\u00bb\"]$")
_BEGINS: Final = re.compile(r"[\u201c\u201e\u00ab\"]?(?![\u2e80-\U0003ffff])\w")
"""Ends of a paragraph whose mark was deleted, and beginnings of the next one, that a blank has to part.

Not in Chinese or Japanese, which have none.
"""
_PIECES: Final = 9
"""Pieces of words in which those signs are; joining all of them for each mark would take minutes."""


@dataclass(slots=True)
class ParagraphWords:
    """Words of one paragraph of a word processor so far, with its remarks and text boxes."""

    words: list[str] = field(default_factory=list)
    id: int | None = None
    remarks: list[Remark] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    slanted: dict[int, frozenset[str]] = field(default_factory=dict)
    """Emphasis (`i`, `b`) of the words that have any, by their place among the words."""
    slants: set[str] = field(default_factory=set)
    has_hidden: bool = False
    lead: str = ""
    joins: list[int] = field(default_factory=list)
    """Places among the words at which a paragraph mark was deleted."""
    changed_last: tuple[str, str] = ("", "")
    """Date and author of the last tracked change."""

    @property
    def text(self) -> str:
        """The words."""
        return "".join(self.words)

    def part_from(self, place: int) -> None:
        """Puts a blank before the words from `place` on if they would stick to those before them."""
        before = next((self.words[at] for at in range(place - 1, -1, -1) if self.words[at]), "")
        behind = "".join(self.words[place : place + _PIECES])
        if _ENDS.search(before) and _BEGINS.match(behind):
            self.words[place] = f" {self.words[place]}"

    @property
    def runs(self) -> list[marks.Run]:
        """The words with their marks."""
        slants = (self.slanted.get(place, frozenset()) for place in range(len(self.words)))
        return [
            marks.Run(words, "i" in signs, "b" in signs)
            for words, signs in zip(self.words, slants, strict=True)
        ]

    def note_change(self, date: str, author: str) -> None:
        """Takes the author of a tracked change, unless one before it has a later date.

        Word writes the minute, and other programs no date: of two equal dates the second in the text counts.
        """
        self.changed_last = max((date, author_name(author)), self.changed_last, key=itemgetter(0))

    def slant(self, start: int, signs: frozenset[str]) -> None:
        """Notes the emphasis of the words from `start` on."""
        self.slanted |= dict.fromkeys(range(start, len(self.words)), signs)
        if "".join(self.words[start:]).strip():
            self.slants |= signs or {"plain"}

    @property
    def set_apart(self) -> Sort:
        """Sort of a paragraph that is indented on both sides."""
        slants = frozenset(self.slants)
        return "epigraph" if slants == {"i"} else "pull-quote" if slants == {"b"} else "text"

    def give(self, findings: Findings, sort: Sort | None) -> None:
        """Adds the paragraph to the findings; None is the sort of a title."""
        words = marks.as_words(self.text)
        if sort == "text" and self.text.strip():
            words = marks.written(self.runs)
            findings.count("emphasis", marks.is_lost(self.runs, words))
        findings.count("hidden", self.has_hidden)
        if sort is None:
            findings.set_title(self.text)
            findings.remark(*self.remarks)
        else:
            lead = self.lead if sort == "text" and self.text.strip() else ""
            findings.count("item", bool(lead))
            findings.add(sort, lead + words, self.id, self.remarks, self.changed_last[1])
        findings.count("box", len(self.boxes))
