"""How often a page names who tells: speaker labels for each 1,000 words, by example and voice.

Counted from the examples as an export writes them, running text included, and from the replay page in the
voice `prose`. A label stands before a text, such as `Zel:`; the tag of a speech (`said Zel`) is no label.
Words are those of the texts, without labels, headings and numbers.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from msgspec.structs import replace

from retold.__main__ import main as retold
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import blocks as b
from retold.projections.exports import replay_builder
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.prose import VOICES
from retold.projections.reading import LineView
from retold.projections.story import transcript
from retold.projections.story.document import Transcript

EXAMPLES: Final = Path(__file__).parent.parent / "examples"
GOAL: Final = 29
"""Labels for each 1,000 words in `prose`, over all examples."""

IN_A_DIARY: Final = 10
"""Labels for each 1,000 words in `prose` with `--layout diary`; the head of an entry is one."""

IN_THIRD_PERSON: Final = 4
"""Labels for each 1,000 words in `prose`, over the evening told in third person."""

THIRD_PERSON: Final = Path(__file__).parent / "third-person.session"
"""A made-up evening recorded with `table.telling=third`."""

DIARY: Final = "prose as a diary"
REPLAY: Final = "replay in prose"
COLUMNS: Final = (*VOICES, DIARY, REPLAY)


class Counted(NamedTuple):
    """Labels and words of one page."""

    labels: int
    words: int

    @property
    def per_thousand(self) -> float:
        """Labels for each 1,000 words."""
        return 1000 * self.labels / self.words if self.words else 0.0


def main(arguments: Sequence[str] = ()) -> None:
    """Prints a table row for each example and for their sum; for the named examples (`warehouse`) if any."""
    print(f"| example | words in prose | {' | '.join(COLUMNS)} |")
    print(f"|---|---|{'---|' * len(COLUMNS)}")
    every: dict[str, list[Counted]] = {column: [] for column in COLUMNS}
    named = [one for one in arguments if not one.startswith("--")]
    for script in sorted(EXAMPLES.glob("*/*.session")):
        if named and script.stem not in named:
            continue
        counts = pages(script)
        for column in COLUMNS:
            every[column].append(counts[column])
        print(_row(script.stem, counts))
    total = {column: Counted(*map(sum, zip(*counts, strict=True))) for column, counts in every.items()}
    print(_row("all", total))
    third = pages(THIRD_PERSON)
    print(_row("told in third person", third))
    print()
    print(_verdict("prose", total["prose"], GOAL))
    print(_verdict("prose as a diary", total[DIARY], IN_A_DIARY))
    print(_verdict("an evening in third person", third["prose"], IN_THIRD_PERSON))


def _verdict(what: str, count: Counted, goal: int) -> str:
    met = "met" if count.per_thousand <= goal else "missed"
    words = f"{count.labels} labels in {count.words:,} words of {what}"
    return f"{words}: {count.per_thousand:.1f} for each 1,000; goal {goal}: {met}."


def pages(script: Path) -> Mapping[str, Counted]:
    """Plays an example, and counts labels and words of its pages, by column."""
    with played(script) as store:
        told = {name: transcript.of_range(LineView(store, 1), voice=name) for name in VOICES}
        told[DIARY] = transcript.of_range(LineView(store, 1), voice=replace(VOICES["prose"], diary=True))
        prose = told["prose"]
        story, _ = replay_builder.blocks(prose.scenes, prose.phrases, LineView(store, 1).ids)
    counts = {name: counted(printed(shown)) for name, shown in told.items()}
    blocks = ((block.block.label, block.block.text) for block in story if block.block.sort == "told")
    return {**counts, REPLAY: counted(blocks)}


@contextmanager
def played(script: Path) -> Iterator[CampaignStore]:
    """Plays an example into a campaign file, open for reading as long as the context."""
    with TemporaryDirectory() as folder:
        os.environ["RETOLD_HOME"] = f"{folder}/home"
        campaign = Path(folder) / "played.retold"
        with redirect_stdout(io.StringIO()):
            if retold(["run", "--new", "-q", "-c", str(campaign), str(script)]):
                sys.exit(f"{script} does not play.")
        with CampaignStore.open(campaign, read_only=True) as store:
            yield store


def printed(shown: Transcript) -> Iterator[tuple[str, str]]:
    """Yields label and text of each paragraph, as an export shows it with the voice's own mechanics."""
    place = MechanicsPlace(VOICES[shown.voice].mechanics)
    for block in b.Blocks(place, shown.phrases).story(place.shown(shown).running().scenes):
        if isinstance(block, b.Told):
            yield block.label, block.text


def counted(texts: Iterable[tuple[str, str]]) -> Counted:
    """Counts labels and words of paragraphs, each a label and a text."""
    labels = words = 0
    for label, text in texts:
        labels += bool(label) and bool(text)
        words += len(re.findall(r"\w+(?:[\u2019'-]\w+)*", text))
    return Counted(labels, words)


def _row(name: str, counts: Mapping[str, Counted]) -> str:
    figures = (f"{counts[column].per_thousand:.1f} ({counts[column].labels})" for column in COLUMNS)
    return f"| {name} | {counts['prose'].words:,} | {' | '.join(figures)} |"


if __name__ == "__main__":
    main(sys.argv[1:])
