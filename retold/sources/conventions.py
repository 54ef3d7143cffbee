"""Conventions of every chat: signs and words of what is out of character, emotes, dice in words."""

from __future__ import annotations

import re
from typing import Final

from retold.sources.dice.generic import throws as generic_throws
from retold.sources.dice.throw import MOST_WORDS, Throw
from retold.sources.table_talk import is_table_talk
from retold.sources.unit import Sort

_ASIDE: Final = (
    re.compile(r"\(\((?P<words>.*)\)\)", re.DOTALL),
    re.compile(r"[(\[]OOC:?\s(?P<words>[^()\[\]]*)[)\]]", re.IGNORECASE),
    re.compile(r"[(\[]OOC[)\]:]*\s*(?P<words>.+)", re.DOTALL | re.IGNORECASE),
    re.compile(r"OOC:\s*(?P<words>.+)", re.DOTALL | re.IGNORECASE),
    re.compile("\uff08(?P<words>[^\uff08\uff09]*)\uff09", re.DOTALL),
    re.compile(r"//\s*(?P<words>.+)", re.DOTALL),
)
_EMOTE: Final = (
    re.compile(r"\*(?!\*)(?P<words>[^*]+)\*"),
    re.compile(r"_(?!_)(?P<words>[^_]+)_"),
    re.compile(r"/me\s+(?P<words>.+)", re.DOTALL),
)


def sorted_words(text: str) -> tuple[Sort, str]:
    """Sort of a message, and its words without the sign that told the sort."""
    whole = text.strip()
    for sort, patterns in ((Sort.ASIDE, _ASIDE), (Sort.TOLD, _EMOTE)):
        for pattern in patterns:
            found = pattern.fullmatch(whole)
            if found and found["words"].strip():
                return sort, found["words"].strip()
    return Sort.ASIDE if is_table_talk(whole) else Sort.SAID, whole


def sorted_speech(words: str) -> tuple[Sort, str, tuple[Throw, ...]]:
    """Sort of a message, its words without the sign that told it, and the throws among them."""
    throws = generic_throws(words) if words and len(words) <= MOST_WORDS else ()
    if not throws:
        return *sorted_words(words), ()
    rest = words
    for throw in throws:
        rest = rest.replace(throw.words, "", 1)
    return Sort.SAID if re.search(r"[^\W\d_]", rest) else Sort.ROLL, words, throws
