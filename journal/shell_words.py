"""Words quoted as they are typed at a shell: a POSIX shell, or on Windows PowerShell and cmd.exe alike."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable
from typing import Final

_PLAIN: Final = re.compile(r"[\w+=:./\\~-][\w+=:,./\\~@-]*")
"""Words that both shells of Windows take without quotes, paths with backslashes among them."""


def shell_word(text: str, *, is_windows: bool = os.name == "nt") -> str:
    r"""Returns a word with the quotes it needs: `'salt road'`, or on Windows `"salt road"` and `C:\games`."""
    if not is_windows:
        return shlex.quote(text)
    return text if _PLAIN.fullmatch(text) else '"{}"'.format(text.replace('"', r"\""))


def shell_line(words: Iterable[str]) -> str:
    """Returns the words as one line to be typed."""
    return " ".join(map(shell_word, words))


def split_command(text: str, *, is_windows: bool = os.name == "nt") -> list[str]:
    r"""Returns the words of a command that the user typed; on Windows a backslash is literal.

    Raises ValueError for a quote without its partner.
    """
    words = shlex.shlex(text, posix=True)
    words.whitespace_split, words.commenters = True, ""
    if is_windows:
        words.escape = ""
    return list(words)
