"""Recorded pictures: PNG or JPEG files without metadata, stored as texts that begin `data:image/…`."""

from __future__ import annotations

import hashlib
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from typing import Final, NamedTuple
from zlib import crc32

MOST_PIXELS: Final = 2000
"""Pixels of a recorded picture's longer side."""
MOST_BYTES: Final = 4 * 2**20
"""Bytes of a recorded picture."""

PNG: Final = "image/png"
JPEG: Final = "image/jpeg"
UNREAD: Final = "application/octet-stream"
"""Media type of a file that was read but not yet decoded as a picture."""
SUFFIXES: Final = {PNG: ".png", JPEG: ".jpg"}
"""Endings of file names, by media type."""

_SCHEME: Final = "data:"
_BASE64: Final = ";base64,"


class Picture(NamedTuple):
    """A recorded picture: media type, width and height in pixels, and the bytes of its file."""

    media: str
    width: int
    height: int
    data: bytes

    @property
    def sha256(self) -> str:
        """SHA-256 of the bytes, in hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def suffix(self) -> str:
        """Ending of its file's name: `.png` or `.jpg`."""
        return SUFFIXES[self.media]

    @property
    def uri(self) -> str:
        """`data:` address of the picture: the text that is recorded."""
        return data_uri(self.media, self.data)


def data_uri(media: str, data: bytes) -> str:
    """Returns the bytes of a picture file as a `data:` address."""
    return f"{_SCHEME}{media}{_BASE64}{b64encode(data).decode()}"


def is_data_uri(text: str) -> bool:
    """True for a text that begins like the `data:` address of a picture."""
    return text.startswith(f"{_SCHEME}image/")


def bytes_of_uri(text: str) -> bytes | None:
    """Returns the bytes in a `data:` address; None if it holds none in base64."""
    head, found, rest = text.partition(_BASE64)
    if not found or not head.startswith(_SCHEME):
        return None
    try:
        return b64decode(rest, validate=True)
    except (NotBase64, ValueError):
        return None


def recorded_picture(text: str | None) -> Picture | None:
    """Returns the picture in a recorded text; None for a redacted text, and for a text without a picture."""
    if text is None or not is_data_uri(text):
        return None
    data = bytes_of_uri(text)
    found = None if data is None else measured(data)
    return found if found is not None and found.uri == text else None


def measured(data: bytes) -> Picture | None:
    """Returns the picture in a file's bytes; None if it may not be recorded unchanged.

    Only a whole PNG or JPEG without metadata may be, at most MOST_BYTES long and MOST_PIXELS wide and high.
    """
    if len(data) > MOST_BYTES:
        return None
    media, size = (PNG, _size_of_png(data)) if data.startswith(_PNG) else (JPEG, _size_of_jpeg(data))
    if size is None or not all(1 <= side <= MOST_PIXELS for side in size):
        return None
    return Picture(media, *size, data)


_PNG: Final = b"\x89PNG\r\n\x1a\n"
_PLAIN_CHUNKS: Final = frozenset((b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"))


def _size_of_png(data: bytes) -> tuple[int, int] | None:
    """Returns width and height of a PNG; None if it is broken, or holds anything but its pixels."""
    at, size = len(_PNG), None
    while at + 12 <= len(data):
        length, kind = int.from_bytes(data[at : at + 4]), data[at + 4 : at + 8]
        end = at + 12 + length
        checked = data[at + 4 : end - 4]
        if kind not in _PLAIN_CHUNKS or end > len(data):
            return None
        if crc32(checked) != int.from_bytes(data[end - 4 : end]):
            return None
        if (kind == b"IHDR") != (size is None):
            return None
        if kind == b"IHDR":
            size = int.from_bytes(checked[4:8]), int.from_bytes(checked[8:12])
        if kind == b"IEND":
            return size if end == len(data) else None
        at = end
    return None


_MARK, _START, _END, _SCAN, _JFIF = 0xFF, 0xD8, 0xD9, 0xDA, 0xE0
_IN_A_SCAN: Final = frozenset((0, *range(0xD0, _START)))
"""Bytes after a mark within coded pixels: a zero for the value 0xFF itself, or a restart marker."""
_FRAMES: Final = (0xC0, 0xC1, 0xC2)
_PLAIN_SEGMENTS: Final = (*_FRAMES, 0xC4, 0xDB, 0xDD, _JFIF)
_LONGEST_JFIF: Final = 16
"""Bytes of a JFIF segment without a thumbnail."""


def _size_of_jpeg(data: bytes) -> tuple[int, int] | None:
    """Returns width and height of a JPEG; None if it is broken, or holds anything but its pixels."""
    at, size = 2, None
    if data[:2] != bytes((_MARK, _START)):
        return None
    while at + 4 <= len(data) and data[at] == _MARK:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4])
        end = at + 2 + length
        if (marker not in _PLAIN_SEGMENTS and marker != _SCAN) or end > len(data):
            return None
        if marker == _JFIF and (length > _LONGEST_JFIF or data[at + 4 : at + 9] != b"JFIF\0"):
            return None
        if marker in _FRAMES:
            size = int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
        at = end if marker != _SCAN else _behind_scan(data, end)
        if data[at : at + 2] == bytes((_MARK, _END)):
            return size if at + 2 == len(data) else None
    return None


def _behind_scan(data: bytes, at: int) -> int:
    """Returns the place of the next marker after a scan's coded pixels; the length of `data` if none."""
    while (at := data.find(b"\xff", at)) >= 0 and at + 1 < len(data):
        if data[at + 1] not in _IN_A_SCAN:
            return at
        at += 2
    return len(data)
