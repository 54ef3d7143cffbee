"""Links of Obsidian's Markdown as the words a reader sees."""

from __future__ import annotations

import re
from typing import Final

_WIKI: Final = re.compile(r"\[\[(?P<target>[^\[\]|\n]{1,300})(?:\|(?P<words>[^\[\]\n]{1,300}))?\]\]")
_LINK: Final = re.compile(r"\[(?P<words>[^\[\]\n]{1,300})\]\([^()\n]{0,500}\)")
_PATH: Final = re.compile(r".*[\\/]|\.md\Z|[#^].*")


def words_of_links(text: str) -> str:
    """Text with each link replaced by its words; a link without words gives its note's name."""
    if "[" not in text:
        return text
    text = _WIKI.sub(lambda found: found["words"] or _PATH.sub("", found["target"]) or found["target"], text)
    return _LINK.sub(lambda found: found["words"], text)
