"""Twenty edits of example evenings made by hand, and how many paragraphs of them are aligned right.

`python -m tests.retold.drafts.alignment.edits` prints the table.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path

from retold.drafts.alignment import Alignment, Block, Change, Paragraph, Part

_HERE = Path(__file__).parent
_SOURCES = re.compile(r"\[([\d ]*)\] (.*)", re.DOTALL)
Link = tuple[int, int]


@dataclass(frozen=True)
class Edit:
    """An evening as sent, the paragraphs that came back, and the blocks each of them comes from."""

    name: str
    sent: tuple[Block, ...]
    came: tuple[Paragraph, ...]
    sources: tuple[tuple[int, ...], ...]

    @property
    def cut(self) -> set[int]:
        return set(range(len(self.sent))) - {block for blocks in self.sources for block in blocks}

    @property
    def links(self) -> set[Link]:
        return {(block, place) for place, blocks in enumerate(self.sources) for block in blocks}


@dataclass(frozen=True)
class Score:
    """Counts of an alignment: of paragraphs and cut blocks, and of links between the two texts."""

    units: int
    exact: int
    links: int
    right_links: int


def edits() -> list[Edit]:
    """Returns all edits, by name."""
    return [_read(path) for path in sorted(_HERE.glob("*.edit.txt"))]


def score(edit: Edit, alignment: Alignment) -> Score:
    """Compares an alignment of `edit` with what the editor did.

    A paragraph is exact if it has just the blocks it comes from; a cut block, if it is cut.
    """
    found = {(block, place) for result in alignment.results for block in result.sent for place in result.came}
    cut = {result.sent[0] for result in alignment.results if result.change is Change.CUT}
    exact = sum(
        {block for block, at in found if at == place} == set(blocks)
        for place, blocks in enumerate(edit.sources)
    )
    units = len(edit.came) + len(edit.cut)
    return Score(units, exact + len(cut & edit.cut), len(found), len(found & edit.links))


def long_text(paragraphs: int) -> tuple[list[Block], list[Paragraph]]:
    """Returns a made-up text without headings, and the same with every paragraph edited or cut."""
    luck = random.Random(1)
    letters = "abcdefghiklmnoprstuvw"
    words = ["".join(luck.choices(letters, k=luck.randint(2, 9))) for _ in range(4000)]
    common = [1 / place for place in range(1, len(words) + 1)]
    before = [luck.choices(words, common, k=luck.randint(5, 45)) for _ in range(paragraphs)]
    after = [[word if luck.random() < 0.75 else luck.choice(words) for word in each] for each in before]
    texts = [" ".join(each) for each in before]
    sent = [Block(f"b{n}", text, (Part(f"e{n}", text),)) for n, text in enumerate(texts)]
    return sent, [Paragraph(" ".join(each)) for each in after if luck.random() < 0.9]


def _read(path: Path) -> Edit:
    name = path.name.removesuffix(".edit.txt")
    sent = _paragraphs(_HERE / f"{name.partition('-')[0]}.sent.txt")
    came, sources = [], []
    for line in _paragraphs(path):
        match = _SOURCES.fullmatch(line)
        assert match is not None, f"{path.name}: {line}"
        blocks = tuple(int(number) - 1 for number in match[1].split())
        came.append(sent[blocks[0]] if match[2] == "=" else match[2])
        sources.append(blocks)
    return Edit(
        name,
        tuple(
            Block(f"b{number}", _bare(text), (Part(f"e{number}", text),), _is_heading(text))
            for number, text in enumerate(sent, 1)
        ),
        tuple(Paragraph(_bare(text), is_heading=_is_heading(text)) for text in came),
        tuple(sources),
    )


def _paragraphs(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").strip().split("\n\n")


def _is_heading(text: str) -> bool:
    return text.startswith("#")


def _bare(text: str) -> str:
    return text.lstrip("# ")
