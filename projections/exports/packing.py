"""ZIP archives for EPUB, DOCX and ODT, the same bytes for the same content."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from typing import Final

_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
_UNIX: Final = 3
_READABLE: Final = 0o644 << 16


def pack(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Returns a ZIP archive of (name, content) pairs in the given order, the same bytes on every machine.

    Files are stored uncompressed, because compressors differ between machines.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name, _EARLIEST)
            entry.create_system = _UNIX
            entry.external_attr = _READABLE
            archive.writestr(entry, data)
    return packed.getvalue()
