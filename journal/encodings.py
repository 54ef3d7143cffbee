"""Bytes of a file as text: byte order marks, strict UTF-8, or the encoding that the user names."""

from __future__ import annotations

import codecs
import re
from typing import Final

from retold.journal.refused import Refused

REPLACEMENT: Final = "\ufffd"
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
PROPOSED: Final = ("gb18030", "shift_jis", "euc_kr", "cp1251", "cp1252")
"""Encodings that are tried and shown where a file is not UTF-8; which of them it is, the user says."""
COMMON: Final = "common ones are utf-8, cp1252, gb18030, shift_jis"


class UnknownEncodingError(Refused):
    """Raised for a file that is not valid UTF-8 if the user named no encoding."""

    def __init__(self, sentence: str, data: bytes) -> None:
        super().__init__(sentence)
        self.data = data


def marked_encoding(data: bytes) -> str:
    """Returns the encoding named by a file's byte order mark; empty without a mark."""
    return next((named for mark, named in _MARKS if data.startswith(mark)), "")


def text_of(data: bytes, name: str, encoding: str = "") -> str:
    """Text of a file, without a byte order mark; half a character at its end becomes U+FFFD.

    Raises Refused if the bytes are not in the encoding, or if it is not UTF-8 and no encoding is named.
    """
    marked = marked_encoding(data)
    chosen = marked or encoding or "utf-8"
    try:
        return data.decode(chosen).removeprefix("\ufeff")
    except LookupError:
        raise Refused(f"There is no encoding {encoding!r}; {COMMON}.") from None
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            return data[: error.start].decode(chosen).removeprefix("\ufeff") + REPLACEMENT
        if marked or encoding:
            raise Refused(
                f"{name} is not {chosen} at byte {error.start + 1:,}; name another encoding."
            ) from None
        raise UnknownEncodingError(
            f"{name} is not UTF-8 at byte {error.start + 1:,}; name its encoding, such as cp1252 or gb18030.",
            data,
        ) from None


def check_encoding(name: str) -> str:
    """Returns the name of an encoding; raises Refused if there is none of that name."""
    try:
        codecs.lookup(name)
    except (LookupError, ValueError):
        raise Refused(f"There is no encoding {name!r}; {COMMON}.") from None
    return name


def readings(data: bytes) -> dict[str, str]:
    """First non-ASCII line of the file in each proposed encoding that fits the whole file."""
    found: dict[str, str] = {}
    for encoding in PROPOSED:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        line = next((line.strip() for line in text.splitlines() if not line.isascii()), "")
        if line and _CONTROLS.search(text) is None:
            found[encoding] = line
    return found


def text_of_head(data: bytes) -> str:
    """Text of the first bytes of a file, for a first look; unknown bytes become U+FFFD."""
    return data.decode(marked_encoding(data) or "utf-8", errors="replace")


def with_line_feeds(text: str) -> str:
    """Text in which every line ends with a line feed, whatever system wrote it."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
