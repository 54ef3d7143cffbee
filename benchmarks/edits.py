"""Edits that one reader would still make in a first draft, beside names, counted against what is printed.

`edits.toml` names the printed words that each edit touches. An edit whose words are no longer printed counts
as mended, and is listed. Words are those of the texts, without names, headings and numbers.
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
from projections import transcript
from projections.prose.sentences import BETWEEN_PARAGRAPHS
from projections.reading import LineView

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

FIRST: Final = ("three-hands", "warehouse", "three-endings", "lantern-regatta", "causeway")
"""The evenings of the first count."""

BREAK: Final = " \N{PILCROW SIGN} "
"""Mark of the end of a paragraph in the words of an edit."""


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An edit: the printed `words` that it touches, what is written `instead`, its kind, and whose."""

    words: str
    instead: str
    category: str
    whose: str


class Read(NamedTuple):
    """An evening as it is printed, with the number of its words, and the edits listed for it."""

    text: str
    words: int
    edits: tuple[Edit, ...]

    @property
    def standing(self) -> tuple[Edit, ...]:
        """Edits whose words are printed."""
        return tuple(edit for edit in self.edits if edit.words in self.text)

    @property
    def mended(self) -> tuple[Edit, ...]:
        """Edits whose words are no longer printed."""
        return tuple(edit for edit in self.edits if edit.words not in self.text)


def main(arguments: Sequence[str] = ()) -> None:
    """Prints a row for each evening, what stands, and what is mended; with --print the evenings' texts."""
    evenings = {name: read(name, listed) for name, listed in edits().items()}
    if "--print" in arguments:
        for name, evening in evenings.items():
            print(f"# {name}", *evening.text.split(BREAK), sep="\n\n", end="\n\n")
        return
    for line in report(evenings):
        print(line)


def edits() -> Mapping[str, tuple[Edit, ...]]:
    """Returns the edits of the list, by evening."""
    return msgspec.convert(tomllib.loads(LIST.read_text(encoding="utf-8")), dict[str, tuple[Edit, ...]])


def read(name: str, listed: tuple[Edit, ...]) -> Read:
    """Plays an evening, and returns its text in `prose` beside the edits listed for it."""
    (script,) = EXAMPLES.glob(f"*/{name}.session")
    with played(script) as store:
        told = tuple(printed(transcript.of_range(LineView(store, 1), voice="prose")))
    text = BREAK.join(f"{label}: {words}" if label else words for label, words in told)
    return Read(text.replace(BETWEEN_PARAGRAPHS, BREAK), counted(told).words, listed)


def report(evenings: Mapping[str, Read]) -> Iterator[str]:
    """Yields the lines of the report."""
    yield f"| evening | words | {' | '.join(CATEGORIES)} | whose: record | retold | in 1,000 |"
    yield f"|---|---|{'---|' * len(CATEGORIES)}---|---|---|"
    for name, evening in evenings.items():
        yield _row(name, (evening,))
    yield _row("the first five", [evenings[name] for name in FIRST])
    yield _row("all", evenings.values())
    yield ""
    yield _verdict(evenings.values())
    for title, of in (("Stands", Read.standing), ("Mended: no longer printed", Read.mended)):
        yield ""
        yield f"{title}:"
        for name, evening in evenings.items():
            yield from (f"* {name}: {_line(edit)}" for edit in of.__get__(evening))


def _row(name: str, evenings: Iterable[Read]) -> str:
    evenings = tuple(evenings)
    standing = [edit for evening in evenings for edit in evening.standing]
    words = sum(evening.words for evening in evenings)
    kinds, whose = Counter(edit.category for edit in standing), Counter(edit.whose for edit in standing)
    figures = (*(kinds[kind] for kind in CATEGORIES), *(whose[owner] for owner in WHOSE))
    return f"| {name} | {words:,} | {' | '.join(map(str, figures))} | {1000 * len(standing) / words:.1f} |"


def _verdict(evenings: Iterable[Read]) -> str:
    evenings = tuple(evenings)
    standing, words = sum(len(one.standing) for one in evenings), sum(one.words for one in evenings)
    mended, rate = sum(len(one.mended) for one in evenings), 1000 * standing / words
    met = "met" if rate <= GOAL else "missed"
    first = (
        f"{standing} edits stand in {words:,} words of prose: {rate:.1f} for each 1,000; goal {GOAL}: {met}."
    )
    return f"{first} {mended} more are mended."


def _line(edit: Edit) -> str:
    changed = f"`{edit.words}` → `{edit.instead}`" if edit.instead else f"`{edit.words}` cut"
    return f"{edit.category}, {edit.whose}: {changed}"


if __name__ == "__main__":
    main(sys.argv[1:])
