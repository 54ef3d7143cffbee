"""Marks of chats, such as `__underlined__` and `||spoiler||`, as the marks that texts of Retold have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from retold.journal.marks import Run, as_words, written
from retold.sources.unit import Reason, Unit

_LONGEST: Final = 6_000
"""Letters of a message above which its marks stay as they are: Discord allows 4,000."""
_DEEPEST: Final = 8
"""Marks within each other; deeper ones are words."""

_OF_DISCORD: Final = re.compile(
    r"(?P<face>\u00af\\_\(\u30c4\)_/\u00af)|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<ticks>`{1,2})(?P<code>[^`]{1,4000})(?P=ticks)"
    r"|(?P<address>https?://[^\s<>]+)|<(?P<hidden>https?://[^\s<>]+)>"
    r"|\[(?P<label>[^\[\]\n]{1,300})\]\(<?https?://[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)?>?\)"
    r"|\*\*(?P<strong>(?!\s)(?:\\.|[^\\]){1,4000}?)(?<!\s)\*\*(?!\*)"
    r"|__(?P<under>(?:\\.|[^\\]){1,4000}?)__(?!_)"
    r"|\*(?P<star>(?![\s*])(?:\\.|\*\*|[^\\*]){1,4000}?)(?<!\s)\*(?!\*)"
    r"|(?<!\w)_(?P<line>(?![\s_])(?:\\.|__|[^\\_]|_(?=\w)){1,4000}?)_(?!\w)"
    r"|~~(?P<struck>(?:\\.|[^\\]){1,4000}?)~~"
    r"|\|\|(?P<spoiler>(?:\\.|[^\\]){1,4000}?)\|\|",
    re.DOTALL,
)
_OF_WHATSAPP: Final = re.compile(
    r"```(?P<code>[^`]{1,4000})```|(?<!\w)`(?P<ticked>[^`\n]{1,4000})`(?!\w)|(?P<address>https?://[^\s<>]+)"
    r"|(?<![\w*])\*(?P<strong>(?![\s*])[^*\n]{1,4000}?(?<!\s))\*(?![\w*])"
    r"|(?<![\w_])_(?P<line>(?![\s_])(?:[^_\n]|_(?=\w)){1,4000}?(?<!\s))_(?!\w)"
    r"|(?<![\w~])~(?P<struck>(?![\s~])[^~\n]{1,4000}?(?<!\s))~(?![\w~])"
)
_MENTION: Final = re.compile("@\u2068(?:~[ \u00a0\u202f]?)?([^\u2068\u2069\n]{1,80})\u2069")
"""Name of a person between marks of direction."""
_MARKS: Final = {
    "strong": (False, True),
    "under": (True, False),
    "star": (True, False),
    "line": (True, False),
}
"""Emphasis and strength of each group of words."""
_TAKEN_OFF: Final = frozenset({"code", "ticked", "label", "struck", "spoiler", "hidden"})
_FENCED: Final = re.compile(r"```(?:[\w+#-]{1,20}(?=\n))?\n?(?P<code>.*?)\n?```", re.DOTALL)
_MAY_HAVE_MARKS: Final = re.compile(r"[*_~|`\\<\[]|^\s*(?:[#>]|-#|-\s)", re.MULTILINE)
_LINE: Final = re.compile(r"(?P<sign>#{1,3} |-# |>>> |> ?|\s*[-*] (?=\S))?(?P<words>.*)", re.DOTALL)


class Marked(NamedTuple):
    """Text with the marks of Retold, and how many marks were taken off because it has none like them."""

    text: str
    taken_off: int = 0


def of_whatsapp(text: str) -> Marked:
    """Returns the words of a WhatsApp message: bold and italic words are marked, other marks are off."""
    text = _MENTION.sub(r"@\1", text)
    if len(text) > _LONGEST or not any(sign in text for sign in "*_~`"):
        return Marked(text)
    inline = _Inline(_OF_WHATSAPP)
    return Marked(written(inline.runs(text)), inline.taken_off)


def of_discord(text: str) -> Marked:
    """Returns the words of a Discord message as they read there, without its signs.

    Emphasis is kept, underlined words have it. Headings are strong words. Headings, quotations, lists and
    blocks of code are paragraphs of their own. Links are their words, and spoilers are told to be some.
    """
    if len(text) > _LONGEST or not _MAY_HAVE_MARKS.search(text):
        return Marked(text)
    inline = _Inline(_OF_DISCORD)
    paragraphs: list[str] = []
    at = 0
    for fenced in _FENCED.finditer(text):
        paragraphs += _paragraphs(text[at : fenced.start()], inline)
        paragraphs.append(as_words(fenced["code"].strip("\n")))
        inline.taken_off += 1
        at = fenced.end()
    paragraphs += _paragraphs(text[at:], inline)
    told = "\n\n".join(filter(str.strip, paragraphs))
    return Marked(text) if not told or told.split() == text.split() else Marked(told, inline.taken_off)


def with_marks(unit: Unit, of: Callable[[str], Marked]) -> Unit:
    """Returns a unit whose words have the marks of Retold in place of a chat's."""
    text, taken_off = of(unit.text) if unit.is_read else (unit.text, 0)
    if text == unit.text and not taken_off:
        return unit
    return replace(unit, text=text, passed=unit.passed + (Reason.MARKUP,) * taken_off)


def _paragraphs(text: str, inline: _Inline) -> Iterator[str]:
    """Yields the paragraphs of a text: lines with the same sign before them, or those between empty lines."""
    together: list[Run] = []
    last = ""
    for sign, words in _lines(text):
        if (sign != last or sign == "#" or not words.strip()) and together:
            yield written(together)
            together = []
        last = sign
        if words.strip():
            inline.taken_off += bool(sign)
            lead = [Run("\n")] if together else []
            told = inline.runs(words, strong=sign == "#")
            together += [*lead, *([Run("- ")] if sign == "-" else []), *told]
    if together:
        yield written(together)


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Yields the lines of a text behind their signs (`#`, `>`, `-`, or none); plain lines stay together."""
    is_quoted = False
    plain: list[str] = []
    for line in text.split("\n"):
        found = _LINE.fullmatch(line)
        sign = (found["sign"] or "").strip() if found else ""
        if found is None or (not sign and not is_quoted and line.strip()):
            plain.append(line)
            continue
        if plain:
            yield "", "\n".join(plain)
            plain = []
        is_quoted = is_quoted or sign == ">>>"
        kind = ">" if is_quoted or sign == ">>>" else {"-#": "-#", "*": "-"}.get(sign, sign[:1])
        yield kind, found["words"] if not is_quoted or sign == ">>>" else line
    if plain:
        yield "", "\n".join(plain)


class _Inline:
    """Reader of the marks within lines, which counts those that it takes off."""

    def __init__(self, shape: re.Pattern[str]) -> None:
        self.shape = shape
        self.taken_off = 0

    def runs(self, text: str, *, emphasis: bool = False, strong: bool = False, depth: int = 0) -> list[Run]:
        """Returns the words of a text with their marks."""
        told: list[Run] = []
        at = 0
        for found in self.shape.finditer(text) if depth < _DEEPEST else ():
            kind = found.lastgroup or ""
            kind = "code" if kind == "ticks" else kind
            told.append(Run(text[at : found.start()], emphasis, strong))
            self.taken_off += kind in _TAKEN_OFF
            told += self._inside(found, kind, emphasis=emphasis, strong=strong, depth=depth + 1)
            at = found.end()
        told.append(Run(text[at:], emphasis, strong))
        return told

    def _inside(
        self, found: re.Match[str], kind: str, *, emphasis: bool, strong: bool, depth: int
    ) -> Iterable[Run]:
        words = found[kind]
        if kind in ("face", "escaped", "code", "ticked", "address", "hidden"):
            return (Run(words, emphasis, strong),)
        slants, weighs = _MARKS.get(kind, (False, False))
        inner = self.runs(words, emphasis=emphasis or slants, strong=strong or weighs, depth=depth)
        if kind != "spoiler":
            return inner
        return (Run("[spoiler: ", emphasis, strong), *inner, Run("]", emphasis, strong))
