"""Text of a unit: what a record cannot keep is replaced."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

from retold.journal.encodings import REPLACEMENT
from retold.sources.reporting import Tally

MOST_TEXT: Final = 1_000_000
"""Length of the text of one unit, in characters; the rest of a longer one is kept as unread."""
_UNKEEPABLE: Final = re.compile("[\x00\ud800-\udfff]")
_ACCOUNT: Final = re.compile(r"\d{15,20}")


def keepable(text: str, tally: Tally) -> str:
    """Text with NUL and halves of surrogate pairs replaced by U+FFFD; their number goes to the tally."""
    if (text.isascii() and "\x00" not in text) or _UNKEEPABLE.search(text) is None:
        return text
    kept, replaced = _UNKEEPABLE.subn(REPLACEMENT, text)
    tally.replaced += replaced
    return kept


def unknown_user(account: str) -> str:
    """Label of a person whose name is not known, told from others without their account."""
    return f"unknown user {sha256(account.encode('utf-8', 'replace')).hexdigest()[:6]}"


def without_accounts(text: str) -> str:
    """Text with each long number, which may be an account, replaced by an ellipsis."""
    return _ACCOUNT.sub("…", text)
