"""What a reader finds in an export, whatever it is packed in."""

from __future__ import annotations

import html
import io
import re
import zipfile

from pypdf import PdfReader

INSIDE = {
    "epub": re.compile(r"book/.*\.(xhtml|opf)"),
    "docx": re.compile(r"word/(document|header1|footnotes)\.xml|docProps/core\.xml"),
}
"""The files of an archive that hold what was told."""


def read(name: str, data: bytes) -> str:
    """The text of an export, with whatever markup stands around it."""
    if name == "pdf":
        return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(data)).pages)
    if name in INSIDE:
        return html.unescape("\n".join(part.decode() for part in parts(name, data).values()))
    if name == "fountain":
        return re.sub(r" #\d+#$", "", data.decode(), flags=re.MULTILINE)  # the numbers of its scenes
    return data.decode()


def parts(name: str, data: bytes) -> dict[str, bytes]:
    """The files of an EPUB or DOCX that hold what was told."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {one: archive.read(one) for one in archive.namelist() if INSIDE[name].fullmatch(one)}


def squeezed(text: str) -> str:
    """A text without blanks and hyphens, which a page may put where a line ends."""
    return re.sub(r"[\s\u00ad\u200b\u2060-]+", "", text)
