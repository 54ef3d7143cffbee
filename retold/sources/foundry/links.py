"""Links and rolls within Foundry's words, such as `@UUID[Actor.x]{Captain Pym}` and `[[/roll 1d10]]`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_LINK: Final = re.compile(
    r"[@&](?:amp;)?(?P<kind>[A-Z][A-Za-z]{1,30})\\?\[(?P<target>(?:[^\[\]\n]|\[[^\[\]\n]{0,100}\]){0,500})\](?:\{(?P<label>[^{}\n]{1,500})\})?"
)
"""Link to a document, or a check, damage or rule of a game, with the words shown for it."""
_ROLL: Final = re.compile(
    r"\[\[(?:/(?P<command>[a-z]{1,12})\s+)?(?P<formula>(?:[^\[\]\n]|\[[^\[\]\n]{0,100}\]){1,300})\]\](?:\{(?P<label>[^{}\n]{1,500})\})?"
)
_BRACKETS: Final = re.compile(r"\[[^\[\]]*\]")
_FLAVOUR: Final = re.compile(rf"\s*#.*|{_BRACKETS.pattern}")


def without_links(text: str, actors: Mapping[str, str]) -> str:
    """Returns a text with the words of its links and rolls in their place.

    A link without words is the name of the actor that it leads to, else the last part of its address.
    """
    if "[" not in text:
        return text

    def words(found: re.Match[str]) -> str:
        target = found["target"].partition("|")[0].strip()
        last = target.rpartition(".")[2].removeprefix("type:").strip()
        return found["label"] or actors.get(last) or _BRACKETS.sub("", last)

    def formula(found: re.Match[str]) -> str:
        return found["label"] or _FLAVOUR.sub("", found["formula"]).strip()

    return _ROLL.sub(formula, _LINK.sub(words, text))
