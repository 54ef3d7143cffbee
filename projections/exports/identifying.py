"""What something told is known by for ever, whatever it is called by now."""

from __future__ import annotations

import hashlib


def urn(*told_of: str) -> str:
    """A UUID of version 8 as an address: the same for the same words, and nobody can read them in it."""
    digits = bytearray(hashlib.sha256("\0".join(told_of).encode("utf-8", "surrogatepass")).digest()[:16])
    digits[6] = 0x80 | digits[6] & 0x0F
    digits[8] = 0x80 | digits[8] & 0x3F
    told = digits.hex()
    return f"urn:uuid:{told[:8]}-{told[8:12]}-{told[12:16]}-{told[16:20]}-{told[20:]}"
