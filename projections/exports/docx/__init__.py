"""A transcript as DOCX, with real headings and styles, for whoever wants to go on writing."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from typing import TYPE_CHECKING, Final

from projections import safe
from projections.exports import layout
from projections.exports.docx.styles import dress
from projections.exports.docx.writing import Writer
from projections.exports.layout import Place
from projections.exports.packing import pack
from projections.pages import Transcript

if TYPE_CHECKING:
    from docx.document import Document

_LONGEST_PROPERTY: Final = 255


def render(transcript: Transcript, place: Place) -> bytes:
    """The transcript as a DOCX; footnotes stand at its end, and what is folded in one small paragraph."""
    from docx import Document  # noqa: PLC0415 -- an extra

    document = Document()
    _drop_leftovers(document)
    dress(document, transcript.lang)
    _describe(document, transcript)
    Writer(document, place, transcript.phrases).document_of(transcript)
    return _packed(document)


def _describe(document: Document, transcript: Transcript) -> None:
    """Who it is by and when it was played, in place of what the template says of itself."""
    about = document.core_properties
    about.title = safe.line(transcript.title)[:_LONGEST_PROPERTY]
    about.author = safe.line(", ".join(layout.authors(transcript)))[:_LONGEST_PROPERTY]
    about.comments = about.last_modified_by = ""
    about.language = transcript.lang
    about.created = about.modified = datetime.fromisoformat(layout.played(transcript))


def _drop_leftovers(document: Document) -> None:
    """Takes out the template's own picture, and its styles a second time, for a Word of long ago."""
    for related in (document.part.package.rels, document.part.rels):
        for key, one in list(related.items()):
            if one.reltype.endswith(("/thumbnail", "/stylesWithEffects")):
                del related[key]


def _packed(document: Document) -> bytes:
    """The document without the moment it was saved at."""
    saved = io.BytesIO()
    document.save(saved)
    with zipfile.ZipFile(saved) as archive:
        return pack((name, archive.read(name)) for name in archive.namelist())
