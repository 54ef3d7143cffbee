"""Spells out lines of chats and dice bots that begin with a sign: `/r 2d6` is `roll 2d6`."""

from __future__ import annotations

import re
from typing import Final

_WHOM: Final = r'(?P<who>"[^"]+"|“[^”]+”|[^\s:"“”]+)'
_SAYS: Final = r"(?:says|said|asks|asked)"
_SIGN: Final = r"[/!.;$%&]"

_SIGNS: Final = (
    (r"\(\(\s*(?:ooc\b:?\s*)?(?P<text>\S.*?)\s*\)\)", "aside: {text}"),
    (r"\(ooc\b:?\s*(?P<text>[^\s)].*?)\s*\)", "aside: {text}"),
    (rf"(?:\(ooc\)|\[ooc\]|{_SIGN}ooc\b):?\s*(?P<text>\S.*)", "aside: {text}"),
    (rf"{_SIGN}(?:w|whisper|pm|msg|tell)\s+(?:gm|dm)\b:?\s*(?P<text>\S.*)", "note: {text}"),
    (rf"{_SIGN}(?:w|whisper|pm|msg|tell)\s+{_WHOM}:?\s+(?P<text>\S.*)", "note --to {who}: {text}"),
    (rf"{_SIGN}(?:desc|describe|story|narrate)\s+(?P<text>[^\s:][^:]*)", "narrate: {text}"),
    (rf"{_SIGN}(?:desc|story)\s+(?P<text>[^\s:]+\s.*)", "narrate: {text}"),
    (rf"{_SIGN}(?:as|speakas)\s+{_WHOM}\s+(?P<text>\S.*)", "say {who}: {text}"),
    (rf"{_SIGN}(?:gmroll|gr|gmr|blindroll|blind|broll|br|rh)\s+(?P<text>[^:=]*)", "roll {text} --gm"),
    (rf"{_SIGN}(?:roll|r)\s+(?P<dice>[^#:=]+?)\s+[#!]\s*(?P<text>\S.*)", "roll {dice}: {text}"),
    (rf"{_SIGN}a(?:tt|ttack)?\s.*?-t\s+(?P<who>\S+)(?:\s.*)?", "attack {who}"),
    (r"\[\[\s*(?P<text>[^\][]+?)\s*\]\]", "roll {text}"),
    (rf'"(?P<text>[^"]+?),?",?\s+{_SAYS}\s+(?P<who>[^\s"].*?)[.!]?', 'say "{who}": {text}'),
    (rf"“(?P<text>[^”]+?),?”,?\s+{_SAYS}\s+(?P<who>[^\s“].*?)[.!]?", 'say "{who}": {text}'),
    (rf"{_SIGN}(?!cast\b)(?P<text>[^\W\d_][\w.-]*(?:\s.*)?)", "{text}"),
)
"""Patterns of whole lines, and the lines that they stand for; the first that fits counts.

None is a line of a table: no verb begins with a sign, and a name alone before a colon is left as it is.
"""


def spelled_out(line: str) -> str:
    """Returns the table's line for a line of a chat or of a dice bot.

    Other lines are returned unchanged.
    """
    if line[:1].isalnum():
        return line
    for pattern, meant in _SIGNS:
        if found := re.fullmatch(pattern, line.strip(), re.IGNORECASE):  # compiled when first needed
            return meant.format_map({name: _bare(text) for name, text in found.groupdict().items()})
    return line


def _bare(text: str) -> str:
    """Returns a name without its quotes if it needs none; other text as it is."""
    inner = re.fullmatch(r'["“]([^"“”]+)["”]', text)
    return text if inner is None else f'"{inner[1]}"'
