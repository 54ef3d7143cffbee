"""Words of HTML fragments, such as the cards of a virtual tabletop; nothing in them is run or fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Final, NamedTuple

from retold.journal.marks import Run, written

_BLOCKS: Final = frozenset(
    {
        *(
            "address",
            "article",
            "blockquote",
            "br",
            "dd",
            "div",
            "dl",
            "dt",
            "footer",
            "h1",
            "h2",
            "h3",
            "h4",
        ),
        *("h5", "h6", "header", "hr", "li", "ol", "p", "pre", "section", "table", "tr", "ul"),
    }
)
_SILENT: Final = frozenset({"script", "style", "template", "button"})
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][\w:-]*+)([^<>]*+)>|<[!?][^<>]*+>")
_DICE: Final = re.compile(r"""\sclass\s?=\s?(?:"[^"]{0,200}|'[^']{0,200})(?<![\w-])dice-roll(?![\w-])""")


_VOID: Final = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track"),
        "wbr",
    }
)
_ATTRIBUTE: Final = re.compile(
    r"""([^\s"'<>/=]++)(?:\s{0,9}=\s{0,9}(?:"([^"]*+)"|'([^']*+)'|([^\s"'=<>`]++)))?"""
)


_SIGNS: Final = {
    **dict.fromkeys(("em", "i"), ("\ufde0", "\ufde1")),
    **dict.fromkeys(("strong", "b"), ("\ufde2", "\ufde3")),
}
"""Noncharacters in place of the tags of emphasis while a text is put together."""
_SIGN: Final = re.compile("[\ufde0-\ufde3]")


def sign_of(tag: str, *, is_end: bool) -> str:
    """Returns the sign for a tag of emphasis, which `marked` reads; empty for any other tag."""
    return _SIGNS.get(tag.casefold(), ("", ""))[is_end]


def marked(text: str) -> str:
    """Returns a text with signs of `sign_of` as words with marks; one without signs as it was typed."""
    if text.isascii() or not _SIGN.search(text):
        return text
    told: list[Run] = []
    depth = [0, 0]
    at = 0
    for sign in (*_SIGN.finditer(text), None):
        end = sign.start() if sign else len(text)
        told.append(Run(text[at:end], depth[0] > 0, depth[1] > 0))
        if sign is not None:
            kind, is_end = divmod(ord(sign[0]) - 0xFDE0, 2)
            depth[kind] = max(0, depth[kind] + (-1 if is_end else 1))
            at = sign.end()
    return written(told)


def unmarked(text: str) -> str:
    """Returns a text without signs of `sign_of`."""
    return text if text.isascii() else _SIGN.sub("", text)


class Words(NamedTuple):
    """Text of a fragment of HTML, and counts of its other parts, such as buttons and pictures."""

    text: str
    has_blocks: bool
    """True if the fragment is more than a line of words: it has headings, tables or the like."""
    buttons: int
    pictures: int
    secret: str = ""
    """Text of the parts that Foundry shows to the game master or the owner alone; in nothing else here."""
    marked: str = ""
    """The text with marks where the fragment has emphasis."""


def words_of(fragment: str, *, without_dice: bool = False) -> Words:
    """Text of an HTML fragment: a line for each block, without buttons, scripts, pictures and secret parts.

    The other text is the same as if the secret parts were not there. With `without_dice`, boxes in which
    Foundry draws a roll are left out too. A tag without an end is text. The time is linear in the length,
    which it is not with `html.parser`: fragments may come from any user.
    """
    if "<" not in fragment and "&" not in fragment:
        text = " ".join(fragment.split())
        return Words(text, has_blocks=False, buttons=0, pictures=0, marked=text)
    shown, secrets = _parted(_without_comments(fragment))
    reader = _Reader(shown, without_dice=without_dice)
    if reader.hides_rest and without_dice:
        reader = _Reader(shown, without_dice=False)
    secret = "\n".join(filter(None, (_Reader(part, without_dice=False).text() for part in secrets)))
    text = reader.text()
    words = text if text.isascii() else _in_lines(unmarked(text))
    kept = text if text.isascii() else _in_lines(marked(text))
    return Words(words, reader.blocks > 0, reader.buttons, reader.pictures, unmarked(secret), kept)


def _in_lines(text: str) -> str:
    """Returns a text without empty lines, each with single blanks."""
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.split("\n"))))


class _Tag(NamedTuple):
    """Tag in a fragment."""

    name: str
    attributes: str
    is_end: bool
    start: int
    end: int


def _tags(fragment: str) -> Iterator[_Tag]:
    """Tags of a fragment from left to right; one without a name is a declaration."""
    at = 0
    for tag in _TAG.finditer(fragment):
        if tag.start() < at:
            continue  # a sign inside an attribute
        at = tag.end()
        name = (tag[2] or "").lower()
        if name and (tag[3].count('"') % 2 or tag[3].count("'") % 2):
            at = _end_of_tag(fragment, tag.start(3)) or at
        yield _Tag(name, fragment[tag.start(3) : at] if name else "", bool(tag[1]), tag.start(), at)


def _parted(fragment: str) -> tuple[str, list[str]]:
    """A fragment without its secret parts, and these; one that is never closed goes on to the end."""
    if not _may_be_secret(fragment):
        return fragment, []
    shown: list[str] = []
    secrets: list[str] = []
    at = depth = 0
    name = ""
    for tag in _tags(fragment):
        if depth:
            if tag.name == name:
                depth += -1 if tag.is_end else 1
            if not depth:
                secrets.append(fragment[at : tag.end])
                at = tag.end
        elif not tag.is_end and _is_secret(tag):
            shown.append(fragment[at : tag.start])
            at = tag.start
            if tag.name in _VOID:
                at = tag.end
            else:
                name, depth = tag.name, 1
    (secrets if depth else shown).append(fragment[at:])
    return "".join(shown), secrets


_NOT_FOR_ALL: Final = frozenset({"gm", "owner", "none"})
"""Values of `data-visibility`, by which games such as Pathfinder keep a part from players."""


def _may_be_secret(fragment: str) -> bool:
    """True if a tag of the fragment may be one that `_is_secret` finds."""
    return any(sign in fragment.casefold() for sign in ("secret", "data-visibility"))


def _is_secret(tag: _Tag) -> bool:
    """True for an element that Foundry keeps from players: a secret not yet revealed, or one for the GM."""
    for name, *values in _ATTRIBUTE.findall(tag.attributes):
        value = unescape("".join(values)).strip().casefold()
        if name.casefold() == "class":
            tokens = value.split()
            if "secret" in tokens and "revealed" not in tokens:
                return True
        elif name.casefold() == "data-visibility" and value in _NOT_FOR_ALL:
            return True
    return False


class _Reader:
    """One pass over the tags of a fragment, from left to right."""

    def __init__(self, fragment: str, *, without_dice: bool) -> None:
        self.parts: list[str] = []
        self.blocks = self.buttons = self.pictures = 0
        self._without_dice = without_dice
        self._hidden = ""
        """Name of the element whose words are left out, and its depth in others of its name."""
        self._depth = 0
        at = 0
        for tag in _tags(fragment):
            self._text(fragment[at : tag.start])
            at = tag.end
            if tag.name:
                self._tag(tag.name, tag.attributes, is_end=tag.is_end)
        self._text(fragment[at:])

    def text(self) -> str:
        """Words of the fragment, a line for each block."""
        return _in_lines("".join(self.parts))

    @property
    def hides_rest(self) -> bool:
        """True if an element whose words are left out was never closed, so that the rest is lost."""
        return bool(self._hidden)

    def _text(self, text: str) -> None:
        if text and not self._hidden:
            words = unescape(text) if "&" in text else text
            self.parts.append(unmarked(words).replace("\n", " "))

    def _tag(self, name: str, attributes: str, *, is_end: bool) -> None:
        if self._hidden:
            if name == self._hidden:
                self._depth += -1 if is_end else 1
                self._hidden = self._hidden if self._depth else ""
            return
        if name in _BLOCKS:
            self.blocks += not is_end and name not in ("br", "p")
            self.parts.append("\n")
        elif name in ("td", "th"):
            self.parts.append(" ")
        elif name in _SIGNS:
            self.parts.append(sign_of(name, is_end=is_end))
        if is_end:
            return
        self.buttons += name == "button"
        self.pictures += name == "img"
        if name in _SILENT or (self._without_dice and name == "div" and _DICE.search(attributes)):
            self._hidden, self._depth = name, 1


def _end_of_tag(text: str, at: int) -> int:
    """Place behind a tag that may hold `>` in quoted attributes; 0 if a quote is never closed."""
    for _ in range(1_000):
        sign = _QUOTE_OR_END.search(text, at, at + 10_000)
        if sign is None:
            return 0
        if sign[0] == ">":
            return sign.end()
        at = text.find(sign[0], sign.end(), sign.end() + 10_000) + 1
        if not at:
            return 0
    return 0


_QUOTE_OR_END: Final = re.compile("[>\"']")


def _without_comments(text: str) -> str:
    parts: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        parts.append(text[at:start])
        at = end + 3
    return "".join((*parts, text[at:]))
