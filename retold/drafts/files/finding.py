"""Collector of a file's paragraphs, remarks, and counts of what a draft cannot hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from retold.drafts.files.kept_words import came, named, one_line, tidy
from retold.drafts.manuscript import Coming, Remark, Returned
from retold.journal.refused import Refused
from retold.journal.vocabulary.drafts import Sort

MOST_PARAGRAPHS: Final = 30_000
"""Paragraphs of a file, empty ones included; a long novel has twelve thousand."""

_SENTENCES: Final = {
    "emphasis": (
        "Emphasis within a word in {n} paragraph is",
        "Emphasis within a word in {n} paragraphs is",
        "not kept: a mark begins and ends with a word.",
    ),
    "footnote sign": (
        "{n} sign of a footnote is",
        "{n} signs of footnotes are",
        "in the text as typed: no line has its words.",
    ),
    "struck": ("{n} place is", "{n} places are", "struck out with ~~, and in the text as typed."),
    "typed table": ("{n} table is", "{n} tables are", "in the text as typed."),
    "item": ("{n} item of a list is", "{n} items of lists are", "here behind a dash or a number."),
    "picture": ("{n} picture is", "{n} pictures are", "left out."),
    "link": ("The address of {n} link is", "The addresses of {n} links are", "left out; the words are here."),
    "table": ("{n} table is", "{n} tables are", "here as paragraphs."),
    "box": ("{n} text box is", "{n} text boxes are", "here as paragraphs."),
    "footnote": ("{n} footnote is", "{n} footnotes are", "here as a remark on the paragraph."),
    "hidden": ("{n} paragraph has", "{n} paragraphs have", "hidden words, which are left out."),
    "contents": ("{n} line of a table of contents is", "{n} lines of a table of contents are", "left out."),
    "quotation": ("{n} quotation is", "{n} quotations are", "here as a paragraph."),
    "control": ("{n} field or control is", "{n} fields or controls are", "left out."),
}
"""Sentences about what a draft cannot hold: for one, for several, and what became of it."""


def check_number(file_name: str, paragraphs: int) -> None:
    """Raises Refused for a file with more paragraphs than any draft has."""
    if paragraphs > MOST_PARAGRAPHS:
        raise Refused(f"{file_name} has more than {MOST_PARAGRAPHS:,} paragraphs; give less of it.")


class Findings:
    """Collector of a file's paragraphs in order, for every format."""

    def __init__(self, file_name: str) -> None:
        self.file_name = file_name
        self.title: str | None = None
        self._paragraphs: list[Coming] = []
        self._counts: Counter[str] = Counter()
        self._named: tuple[str, int] | None = None
        self._early: list[Remark] = []

    def add(
        self,
        sort: Sort,
        text: str,
        id_: int | None = None,
        remarks: Iterable[Remark] = (),
        author: str = "",
    ) -> None:
        """Appends a paragraph; its remarks go to the paragraph before it if it is empty."""
        found = came(sort, text, id_)
        if found is None:
            self.remark(*remarks)
            return
        check_number(self.file_name, len(self._paragraphs) + 1)
        self._paragraphs.append(replace(found, remarks=(*self._early, *remarks), author=author))
        self._early.clear()

    def add_break(self, id_: int | None = None) -> None:
        """Appends a break."""
        check_number(self.file_name, len(self._paragraphs) + 1)
        self._paragraphs.append(Coming("break", "", id_, tuple(self._early)))
        self._early.clear()

    def set_title(self, text: str) -> None:
        """Sets the title; a second title, or one below a paragraph, is a heading."""
        if self.title is None and not self._paragraphs and tidy(text):
            self.title = one_line(text)
        else:
            self.add("heading", text)

    def remark(self, *remarks: Remark) -> None:
        """Appends remarks to the last paragraph; before the first one they wait for it."""
        if not self._paragraphs:
            self._early += remarks
        elif remarks:
            last = self._paragraphs[-1]
            self._paragraphs[-1] = replace(last, remarks=(*last.remarks, *remarks))

    def comment(self, text: str) -> None:
        """Takes a comment of the file: the line that names the draft, or else a remark."""
        found = named(text)
        if found is not None:
            self._named = found
        elif words := tidy(text):
            self.remark(Remark("", words))

    def count(self, what: str, number: int = 1) -> None:
        """Counts something that a draft cannot hold, such as a picture."""
        self._counts[what] += number

    def returned(self) -> Returned:
        """Returns everything that was found. Raises Refused if there are no words at all."""
        if not self._paragraphs and self.title is None:
            raise Refused(f"{self.file_name} has no words.")
        if self._early:
            self._paragraphs.append(Coming("break", "", None, tuple(self._early)))
        name, revision = self._named or (None, None)
        left_out = tuple(
            f"{(single if self._counts[what] == 1 else many).format(n=f'{self._counts[what]:,}')} {end}"
            for what, (single, many, end) in _SENTENCES.items()
            if self._counts[what]
        )
        return Returned(name, revision, tuple(self._paragraphs), self.title, left_out)
