"""Recorded pictures: PNG or JPEG files without metadata, stored as texts that begin `data:image/…`."""

from __future__ import annotations

import hashlib
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from typing import Final, NamedTuple
from zlib import crc32, decompressobj
from zlib import error as NotZlib  # noqa: N812 -- a class

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
_SAMPLES: Final = {0: 1, 2: 3, 6: 4}
"""Bytes of a pixel by the PNG's colour type: grey, RGB, RGBA."""
_FILTERS: Final = frozenset(range(5))
"""Numbers of the filters, one of which begins each row of pixels."""


def _size_of_png(data: bytes) -> tuple[int, int] | None:
    """Returns width and height of a PNG; None if it is broken, or holds anything but its pixels.

    It has a head, 8 bits for each sample, one zlib stream with exactly the bytes of its pixels, and an empty
    end: nothing that a picture could do without.
    """
    chunks = _chunks(data)
    kinds = [kind for kind, _ in chunks]
    if kinds != [b"IHDR", *[b"IDAT"] * (len(kinds) - 2), b"IEND"] or len(chunks[0][1]) != _HEAD_OF_PNG:
        return None
    head = chunks[0][1]
    width, height, colours = int.from_bytes(head[:4]), int.from_bytes(head[4:8]), head[9]
    if colours not in _SAMPLES or head != head[:8] + bytes((8, colours, 0, 0, 0)) or chunks[-1][1]:
        return None
    if not (1 <= width <= MOST_PIXELS and 1 <= height <= MOST_PIXELS):
        return None
    row = 1 + width * _SAMPLES[colours]
    pixels = _inflated(b"".join(body for _, body in chunks[1:]), row * height)
    return (width, height) if pixels is not None and _FILTERS.issuperset(pixels[::row]) else None


_HEAD_OF_PNG: Final = 13
"""Bytes of a PNG's head: width, height, and five numbers that say how its pixels are written."""


def _chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """Returns kind and content of each chunk of a PNG; an empty list if one is broken or the file goes on."""
    at = len(_PNG)
    found: list[tuple[bytes, bytes]] = []
    while at + 12 <= len(data) and (not found or found[-1][0] != b"IEND"):
        end = at + 12 + int.from_bytes(data[at : at + 4])
        checked = data[at + 4 : end - 4]
        if end > len(data) or crc32(checked) != int.from_bytes(data[end - 4 : end]):
            return []
        found.append((checked[:4], checked[4:]))
        at = end
    return found if at == len(data) else []


def _inflated(stream: bytes, length: int) -> bytes | None:
    """Returns the decompressed bytes of `stream`; None if they are not `length`, or other bytes follow."""
    inflating = decompressobj()
    try:
        found = inflating.decompress(stream, length + 1)
    except NotZlib:
        return None
    is_whole = inflating.eof and not inflating.unused_data
    return found if is_whole and len(found) == length else None


_MARK, _START, _END, _FRAME, _SCAN = 0xFF, 0xD8, 0xD9, 0xC0, 0xDA
_JFIF_HEAD: Final = b"JFIF\0\1\1"
_LONG_JFIF: Final = 14
"""Bytes in a JFIF segment without a thumbnail."""
_QUANTIZATION: Final = 65
"""Bytes of a quantization table."""
_MOST_TABLES: Final = 4
"""Segments with Huffman tables, and with quantization tables, that one scan can use."""


def _size_of_jpeg(data: bytes) -> tuple[int, int] | None:
    """Returns width and height of a JPEG; None if it is broken, or holds anything but its pixels.

    It has one scan, no restarts, and each of the segments that a scan needs no more often than it can use it.
    How long a scan has to be cannot be told without decoding it.
    """
    at = 2
    size = None
    met: list[int] = []
    if data[:2] != bytes((_MARK, _START)):
        return None
    while at + 4 <= len(data) and data[at] == _MARK:
        marker, end = data[at + 1], at + 2 + int.from_bytes(data[at + 2 : at + 4])
        met.append(marker)
        if end > len(data) or not _is_needed(marker, data[at + 4 : end], met.count(marker)):
            return None
        if marker == _FRAME:
            size = int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
        if marker == _SCAN:
            over = _behind_scan(data, end)
            return size if data[over:] == bytes((_MARK, _END)) else None
        at = end
    return None


def _is_needed(marker: int, body: bytes, times: int) -> bool:
    """True for a segment of a JPEG that its scan needs; `times` is how often its marker has come."""
    match marker:
        case 0xE0:  # APP0
            return times == 1 and len(body) == _LONG_JFIF and body.startswith(_JFIF_HEAD)
        case 0xC0:  # SOF0, the frame
            return times == 1 and len(body) > 5 and len(body) == 6 + 3 * body[5]  # noqa: PLR2004
        case 0xDA:  # SOS, the scan
            return times == 1 and len(body) > 0 and len(body) == 4 + 2 * body[0]
        case 0xDB:  # DQT
            is_tables = len(body) in range(_QUANTIZATION, 5 * _QUANTIZATION, _QUANTIZATION)
            return times <= _MOST_TABLES and is_tables
        case 0xC4:  # DHT
            return times <= _MOST_TABLES and _is_huffman_tables(body)
        case _:
            return False


def _is_huffman_tables(body: bytes) -> bool:
    """True if `body` is one or more Huffman tables (counts by code length, then values), and no more."""
    at = 0
    while at < len(body):
        at += 17 + sum(body[at + 1 : at + 17])
    return at == len(body) > 0


def _behind_scan(data: bytes, at: int) -> int:
    """Returns the place of the next marker after a scan's coded pixels; the length of `data` if none."""
    while (at := data.find(b"\xff", at)) >= 0 and at + 1 < len(data):
        if data[at + 1]:  # a zero follows a literal 0xFF
            return at
        at += 2
    return len(data)
