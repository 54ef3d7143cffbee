"""ODT export (OpenDocument text) with real headings and styles, for further editing."""

from __future__ import annotations

from retold.projections.exports import page_elements
from retold.projections.exports.odt.paper import OdtPaper
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.word_processing import BookWriter
from retold.projections.story.document import Transcript
from retold.projections.texts import safe


def render(transcript: Transcript, place: MechanicsPlace) -> bytes:
    """Returns the transcript as ODT, with mechanics (dice, cards, numbers) at `place`.

    Folded mechanics are one small paragraph.
    """
    paper = OdtPaper(transcript.lang)
    BookWriter(paper, place, transcript.phrases).document_of(transcript)
    authors = safe.line(", ".join(page_elements.authors(transcript)))
    return paper.packed(safe.line(transcript.title), page_elements.played(transcript), author=authors)
