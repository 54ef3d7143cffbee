"""Characters whose words one account writes, and how a person marks speech: both known from lines above."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import replace
from html import unescape
from typing import Final

from retold.sources.answers import folded_label
from retold.sources.game_masters import says_game_master
from retold.sources.table_talk import QUOTES
from retold.sources.unit import Reason, Sort, Unit

_QUOTES: Final = frozenset(QUOTES)
_QUOTE: Final = f"[{QUOTES}]"
_NAME: Final = r"[^\W\d_](?:[\w .'\u2019-]{0,38}[\w.])?"
_LED: Final = re.compile(
    rf"(?:\*\*_?(?P<bold>{_NAME})(?::_?\*\*|_?\*\*(?: ?(?P<how>\([^()\n]{{1,40}}\)))?:)"
    rf"|\[(?P<square>{_NAME})\]:?|\((?P<round>{_NAME})\):?|(?P<plain>{_NAME}):(?=\s*\*{{0,2}}{_QUOTE}))"
    r"\s*(?P<words>\S.*)",
    re.DOTALL,
)
"""Name of a character in front of a message's words."""
_NO_NAMES: Final = frozenset(
    {
        *(
            "note",
            "edit",
            "edited",
            "update",
            "later",
            "meanwhile",
            "now",
            "then",
            "earlier",
            "next",
            "before",
        ),
        *(
            "ooc",
            "ic",
            "scene",
            "location",
            "place",
            "time",
            "date",
            "weather",
            "round",
            "turn",
            "sound",
            "music",
        ),
        *(
            "image",
            "picture",
            "meta",
            "effect",
            "target",
            "damage",
            "attack",
            "result",
            "total",
            "roll",
            "to",
        ),
        *("hit", "spoiler", "narration", "warning", "recap", "previously", "unread", "initiative", "in"),
        *("common", "elvish", "elven", "dwarvish", "infernal", "abyssal", "celestial", "draconic", "giant"),
        *("gnomish", "goblin", "halfling", "orcish", "primordial", "sylvan", "undercommon", "druidic"),
        *("english", "german", "french", "spanish", "latin"),
    }
)
"""First words of headings, and languages, which stand in front of words as names do."""
_PARTICLES: Final = frozenset(
    {
        "of",
        "the",
        "a",
        "an",
        "de",
        "du",
        "da",
        "del",
        "la",
        "le",
        "von",
        "van",
        "der",
        "den",
        "el",
        "al",
        "in",
    }
)
_MOST_WORDS: Final = 4
_FEW: Final = 3
"""Messages in quotation marks from which a person is known to quote what a character says."""
_SHORT: Final = 3
_OF_PLAYERS: Final = re.compile(r"\b(?:i|we|you|u|my|your|ich|wir|je|on)\b", re.IGNORECASE)


class Characters:
    """Reader of one file's units in their order, which knows the names and habits of the units above.

    What is hidden teaches it nothing.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._known = set(map(folded_label, names))
        self._led: Counter[str] = Counter()
        self._quoting: Counter[str] = Counter()
        self._speaking: Counter[str] = Counter()

    def of(self, unit: Unit) -> Unit:
        """Unit with the character who speaks in it, and as narration or talk if its speaker quotes speech."""
        unit = _without_codes(unit)
        if unit.sort is not Sort.SAID or not unit.is_read or unit.throws or not unit.speaker:
            return unit
        found = self._with_character(unit)
        if found is unit:
            found = self._by_habit(unit)
        if not unit.hidden:
            self._known |= {folded_label(unit.speaker), folded_label(found.speaker)}
        return found

    def _with_character(self, unit: Unit) -> Unit:
        led = _LED.fullmatch(unit.text)
        if led is None:
            return unit
        kind, name, words = _led_by(led)
        label = folded_label(name)
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words):
            is_talk = kind == "square" and "?" in words  # about that name: `[Ysolde] who is Ysolde?`
            return replace(unit, sort=Sort.ASIDE) if is_talk else unit
        is_quoted = led["words"].lstrip("*_ ")[:1] in QUOTES
        is_known = label in self._known or (kind != "plain" and self._led[label] > 0)
        if not unit.hidden and _may_be_name(name):
            self._led[label] += 1
        if not is_known and not (_may_be_name(name) and (is_quoted or kind == "square")):
            return unit
        return replace(unit, speaker=name, account="", text=words, whole=unit.whole or unit.text)

    def _by_habit(self, unit: Unit) -> Unit:
        """Unit of a person who puts speech in quotation marks; without any it is narration, or talk."""
        whose, text = unit.account or unit.speaker, unit.text
        is_quoted = not _QUOTES.isdisjoint(text)
        quotes = self._quoting[whose]
        has_habit = quotes >= _FEW and quotes * 2 > self._speaking[whose]
        if not unit.hidden:
            self._quoting[whose] += is_quoted
            self._speaking[whose] += 1
        if is_quoted or not has_habit or "*" in text or not text:
            return unit
        is_loose = text[:1].islower() or "?" in text
        is_talk = is_loose and (_OF_PLAYERS.search(text) is not None or len(text.split()) <= _SHORT)
        return replace(unit, sort=Sort.ASIDE if is_talk else Sort.TOLD)


def _led_by(led: re.Match[str]) -> tuple[str, str, str]:
    """Kind of a character's mark, the name and the words, with how they are said in front of them."""
    kind = next(name for name in ("bold", "square", "round", "plain") if led[name])
    return kind, led[kind].strip(), " ".join(filter(None, (led["how"], led["words"])))


def leading(lines: Iterable[str], least: int) -> frozenset[str]:
    """Names in bold that stand in front of at least so many lines of notes."""
    led = Counter(
        found["bold"] for line in lines if line.startswith("**") and (found := _LED.fullmatch(line))
    )
    return frozenset(name for name, number in led.items() if number >= least and name and _may_be_name(name))


def speech(line: str, known: Container[str]) -> tuple[str, str] | None:
    """Name and words of a line of notes such as `**Osk:** "Hello."`; None for any other line.

    Words of a game master, or behind a `known` name, need no quotation marks.
    """
    led = _LED.fullmatch(line)
    kind, name, words = _led_by(led) if led else ("", "", "")
    is_quoted = led is not None and led["words"].lstrip("*_ ")[:1] in QUOTES
    is_known = kind == "bold" and (name in known or says_game_master(name))
    return (name, words) if is_known or (is_quoted and _may_be_name(name)) else None


_CODE: Final = re.compile(
    r"[ \t]*(?:(?<![\w:]):[A-Za-z+-][\w+-]{1,31}:(?![\w:])|\[\[[^\[\]\n]{0,100}\d[^\[\]\n]{0,100}\]\])"
)
"""Code of a picture among words, such as `:smile:`, or of a roll, such as `[[1d20+5]]`."""
_LONG_LINE: Final = re.compile(r"^[^\n]{40,}[.!?\u2026\"\u201d\u00bb*_]\n(?=\S)", re.MULTILINE)
"""Sentence of its own above another: a paragraph, and no line of a verse or a letter."""
_LEFT_OVER: Final = re.compile(r"<br\s?/?>|&(?:nbsp|amp|quot|#39);")
"""Line ends and signs of a web page; other tags may be words."""


def _without_codes(unit: Unit) -> Unit:
    """Unit without codes and leftovers of web pages; what is nothing else is no speech."""
    text = unit.text
    if unit.sort not in (Sort.SAID, Sort.TOLD) or not unit.is_read or not unit.speaker:
        return unit
    if "\n" in text and (parted := _LONG_LINE.sub(r"\g<0>\n", text)) != text:
        unit = replace(unit, text=parted, whole=unit.whole or text)
        text = parted
    if not any(map(text.count, ":[<&")):
        return unit
    text, left_over = _LEFT_OVER.subn(lambda tag: unescape(tag[0]) if tag[0][0] == "&" else "\n", text)
    text, codes = _CODE.subn("", text)
    if not (codes or left_over):
        return unit
    if not text.strip():
        return replace(unit, sort=Sort.ASIDE)
    passed = unit.passed + (Reason.MARKUP,) * (codes + left_over)
    return replace(unit, text=text.strip(), passed=passed, whole=unit.whole or unit.text)


def _may_be_name(name: str) -> bool:
    """True for one to four words with capitals, such as `The Ferryman`, that are no heading in a message."""
    words = name.split()
    if len(words) > _MOST_WORDS or name.casefold() in _NO_NAMES or words[0].casefold() in _NO_NAMES:
        return False
    if name.isupper() and len(name) > 1 and name.isascii():
        return False
    return all(word[:1].isupper() or word in _PARTICLES or word[:1].isdigit() for word in words)
