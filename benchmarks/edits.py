"""Edits that two readers would still make in a first draft, beside names, counted against what is printed.

`edits.toml` names the printed words that each edit touches. An edit whose words are no longer printed counts
as mended, and is listed. Words are those of the texts, without names, headings and numbers. The export is
counted, and what `draft new` makes of the same evening, where names stand in place of some pronouns.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from benchmarks.labels import EXAMPLES, counted, played, printed
from retold.drafts.composing import Composition
from retold.projections.prose import VOICES
from retold.projections.prose.sentences import BETWEEN_PARAGRAPHS
from retold.projections.reading import LineView
from retold.projections.story import transcript

LIST: Final = Path(__file__).parent / "edits.toml"
GOAL: Final = 10
"""Edits for each 1,000 words in `prose`, over the evenings of the list."""

CATEGORIES: Final = (
    *("person/tense", "fragment", "missing cause", "repeated", "mechanics leak", "unquoted speech"),
    *("paragraphing", "wrong speaker", "other"),
)
"""Kinds of edits, in the order of the table."""

WHOSE: Final = ("record", "retold")
"""Whose words an edit changes: those of the record, or what Retold adds, leaves out, breaks or joins."""

READERS: Final = ("first", "second", "both")
"""Readers who make an edit."""

FIRST: Final = ("three-hands", "warehouse", "three-endings", "lantern-regatta", "causeway")
"""The evenings of the first count."""

BREAK: Final = " \N{PILCROW SIGN} "
"""Mark of the end of a paragraph in the words of an edit."""


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Edit that a reader would make: printed `words`, the words `instead`, whose they are, which reader."""

    words: str
    instead: str
    category: str
    whose: str
    reader: str


class Read(NamedTuple):
    """Printed evening, its word count, and its listed edits.

    `text` is the export, `draft` what `draft new` makes, both as one line with marks between paragraphs.
    """

    text: str
    draft: str
    words: int
    edits: tuple[Edit, ...]

    @property
    def exported(self) -> tuple[Edit, ...]:
        """Edits whose words are exported."""
        return tuple(edit for edit in self.edits if edit.words in self.text)

    @property
    def drafted(self) -> tuple[Edit, ...]:
        """Edits whose words are in a new draft."""
        return tuple(edit for edit in self.edits if edit.words in self.draft)

    @property
    def only_exported(self) -> tuple[Edit, ...]:
        """Edits whose words are exported, and are not in a new draft."""
        return tuple(edit for edit in self.exported if edit.words not in self.draft)

    @property
    def only_drafted(self) -> tuple[Edit, ...]:
        """Edits whose words are in a new draft alone."""
        return tuple(edit for edit in self.drafted if edit.words not in self.text)

    @property
    def mended(self) -> tuple[Edit, ...]:
        """Edits whose words are printed in neither."""
        return tuple(edit for edit in self.edits if edit.words not in self.text and edit not in self.drafted)


def main(arguments: Sequence[str] = ()) -> None:
    """Prints a row for each evening, and every edit; with --print or --print-draft the evenings' texts.

    With --write, which puts it into the page of figures, the edits themselves are left out.
    """
    evenings = {name: read(name, listed) for name, listed in edits().items()}
    if printing := {"--print", "--print-draft"}.intersection(arguments):
        for name, evening in evenings.items():
            text = evening.text if "--print" in printing else evening.draft
            print(f"# {name}", *text.split(BREAK), sep="\n\n", end="\n\n")
        return
    for line in (*figures(evenings), *(() if "--write" in arguments else lists(evenings))):
        print(line)


def edits() -> Mapping[str, tuple[Edit, ...]]:
    """Returns the edits of the list, by evening."""
    return msgspec.convert(tomllib.loads(LIST.read_text(encoding="utf-8")), dict[str, tuple[Edit, ...]])


def read(name: str, listed: tuple[Edit, ...]) -> Read:
    """Plays an evening, and returns its text in `prose` beside the edits listed for it."""
    (script,) = EXAMPLES.glob(f"*/{name}.session")
    with played(script) as store:
        reading = LineView(store, 1)
        told = tuple(printed(transcript.of_range(reading, voice="prose")))
        blocks = Composition(reading, 1, reading.position, VOICES["prose"]).blocks
        draft = BREAK.join(block.text for block in blocks if block.sort == "text")
    text = BREAK.join(f"{label}: {words}" if label else words for label, words in told)
    return Read(_in_one_line(text), _in_one_line(draft), counted(told).words, listed)


def _in_one_line(text: str) -> str:
    return " ".join(text.replace(BETWEEN_PARAGRAPHS, BREAK).split())


def figures(evenings: Mapping[str, Read]) -> Iterator[str]:
    """Yields the table of edits by evening and kind, and how far the goal is met."""
    yield f"| evening | words | {' | '.join(CATEGORIES)} | whose: record | retold | in 1,000 | in a draft |"
    yield f"|---|---|{'---|' * len(CATEGORIES)}---|---|---|---|"
    for name, evening in evenings.items():
        yield _row(name, (evening,))
    yield _row("the first five", [evenings[name] for name in FIRST])
    yield _row("all", evenings.values())
    yield ""
    yield from _verdicts(evenings.values())


def lists(evenings: Mapping[str, Read]) -> Iterator[str]:
    """Yields every edit, by whether its words are still printed."""
    parts = {
        "Stands": {name: evening.exported for name, evening in evenings.items()},
        "Of these, not in a new draft": {name: evening.only_exported for name, evening in evenings.items()},
        "In a new draft alone": {name: evening.only_drafted for name, evening in evenings.items()},
        "Mended: no longer printed": {name: evening.mended for name, evening in evenings.items()},
    }
    for title, found in parts.items():
        yield from ("", f"{title}:", "")
        yield from (f"* {name}: {_line(edit)}" for name, listed in found.items() for edit in listed)


def _row(name: str, evenings: Iterable[Read]) -> str:
    evenings = tuple(evenings)
    standing = [edit for evening in evenings for edit in evening.exported]
    words = sum(evening.words for evening in evenings)
    kinds, whose = Counter(edit.category for edit in standing), Counter(edit.whose for edit in standing)
    figures = (*(kinds[kind] for kind in CATEGORIES), *(whose[owner] for owner in WHOSE))
    drafted = sum(len(evening.drafted) for evening in evenings)
    rates = (f"{1000 * number / words:.1f}" for number in (len(standing), drafted))
    return f"| {name} | {words:,} | {' | '.join(map(str, figures))} | {' | '.join(rates)} |"


def _verdicts(evenings: Iterable[Read]) -> Iterator[str]:
    """Yields the figures of each reader, of both lists together, and how many edits are mended."""
    evenings = tuple(evenings)
    words = sum(evening.words for evening in evenings)
    exported = [edit for evening in evenings for edit in evening.exported]
    drafted = [edit for evening in evenings for edit in evening.drafted]
    for title, readers in (
        ("First reader", ("first", "both")),
        ("Second reader", ("second", "both")),
        ("Both lists together", READERS),
    ):
        for what, edits in (("prose", exported), ("a new draft", drafted)):
            number = sum(edit.reader in readers for edit in edits)
            rate = 1000 * number / words
            met = "met" if rate <= GOAL else "missed"
            counted = f"{number} edits in {words:,} words of {what}"
            yield f"{title}: {counted}: {rate:.1f} for each 1,000; goal {GOAL}: {met}."
    mended = sum(len(evening.mended) for evening in evenings)
    listed = sum(len(evening.edits) for evening in evenings)
    yield f"Mended: {mended} of the {listed} listed."


def _line(edit: Edit) -> str:
    changed = f"`{edit.words}` → `{edit.instead}`" if edit.instead else f"`{edit.words}` cut"
    return f"{edit.category}, {edit.whose}, {edit.reader}: {changed}"


if __name__ == "__main__":
    main(sys.argv[1:])
