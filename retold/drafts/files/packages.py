"""Packages of word processors: archives of parts in XML, unpacked within limits, parsed without entities."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import TYPE_CHECKING, Final

from retold.journal.extras import Extra
from retold.journal.refused import Refused

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

MOST_UNPACKED: Final = 100_000_000
"""Size of one part when it is unpacked."""
MOST_PARTS: Final = 10_000


class Package:
    """DOCX or ODT.

    Raises Refused without the library that reads XML, for no whole archive, and for far too many parts.
    """

    def __init__(self, file_name: str, data: bytes) -> None:
        Extra("lxml", "lxml.etree", "docx").load("DOCX and ODT")
        self.file_name = file_name
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OSError):
            raise Refused(f"{file_name} is not a whole DOCX or ODT; save it again.") from None
        if len(self._archive.namelist()) > MOST_PARTS:
            raise Refused(f"{file_name} has more than {MOST_PARTS:,} parts, which no text needs.")
        self._names = {name.lower(): name for name in reversed(self._archive.namelist())}

    def has(self, name: str) -> bool:
        """True if the package has a part of this name, in whatever case."""
        return name.lower() in self._names

    @property
    def media(self) -> str:
        """Media type that an OpenDocument names; empty for another package."""
        stored = self._names.get("mimetype")
        return "" if stored is None else self._bytes(stored).decode("ascii", "replace").strip()

    def part(self, name: str) -> Element | None:
        """Returns the root of a part; None if the document has no such part."""
        from lxml import etree  # noqa: PLC0415 -- an extra

        stored = self._names.get(name.lower())
        if stored is None:
            return None
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        try:
            root = etree.fromstring(self._bytes(stored), parser)
        except (etree.XMLSyntaxError, ValueError):
            raise Refused(f"{self.file_name} is damaged in its part {stored}; save it again.") from None
        if root.getroottree().docinfo.doctype:
            raise Refused(f"{self.file_name} declares entities in its part {stored}, as no text may.")
        return root

    def _bytes(self, stored: str) -> bytes:
        try:
            with self._archive.open(stored) as file:
                data = file.read(MOST_UNPACKED + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError):
            raise Refused(f"{self.file_name} is damaged in its part {stored}; save it again.") from None
        except RuntimeError:
            raise Refused(f"{self.file_name} has a password; save it without one.") from None
        if len(data) > MOST_UNPACKED:
            raise Refused(f"{self.file_name} would be larger than 100 MB when unpacked; give less of it.")
        return data
