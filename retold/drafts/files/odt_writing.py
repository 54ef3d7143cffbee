"""ODT of a draft as it is sent."""

from __future__ import annotations

from typing import Final, NamedTuple

from retold.drafts.files.kept_words import going, mark, place, title_of, worded
from retold.drafts.files.odt_reading import PROPERTY
from retold.drafts.manuscript import BREAK, Coming, Manuscript
from retold.journal import marks
from retold.journal.vocabulary.drafts import Sort
from retold.projections.exports.looks import Look
from retold.projections.exports.odt.paper import OdtPaper
from retold.projections.exports.page_elements import UNDATED
from retold.projections.exports.word_processing import PLAIN, Face

_DEEPEST_HEADING: Final = 3
_INDENTED: Final = {"fo:margin-left": "36pt", "fo:margin-right": "36pt"}


class _Shape(NamedTuple):
    """Style of a paragraph, and direct formatting, which word processors keep when they drop named styles."""

    style: str = "Normal"
    shape: dict[str, str] = {}
    face: Face = PLAIN


_SHAPES: Final[dict[Sort, _Shape]] = {
    "break": _Shape(shape={"fo:text-align": "center"}),
    "epigraph": _Shape("Epigraph", _INDENTED, Face(italic=True)),
    "pull-quote": _Shape("Pull Quote", _INDENTED, Face(bold=True)),
}


def written(manuscript: Manuscript) -> bytes:
    """Returns a manuscript as ODT; every paragraph has a bookmark, a document property names the draft."""
    paper = OdtPaper(manuscript.lang, (Look("Epigraph"), Look("Pull Quote")))
    if title := title_of(manuscript):
        paper.add("Title").add(title)
    levels = {block.id: block.level for block in manuscript.blocks}
    for block in going(manuscript):
        _add(paper, block, min(levels.get(block.id or 0, 1), _DEEPEST_HEADING))
    return paper.packed(title, UNDATED, properties={PROPERTY: mark(manuscript)})


def _add(paper: OdtPaper, block: Coming, level: int) -> None:
    style, shape, face = _SHAPES.get(block.sort, _Shape())
    words = paper.add(f"Heading {level}" if block.sort == "heading" else style, shape=shape)
    if block.id is not None:
        words.add_place(place(block.id))
    for run in marks.runs(BREAK if block.sort == "break" else worded(block)):
        italic = True if face.italic or run.emphasis else None
        words.add(run.text, Face(italic, face.bold or run.strong))
