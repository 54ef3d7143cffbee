"""Sentences and placeholders of phones' chats in place of words, from the table chat_words.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from retold.sources.unit import SPOKEN, Reason, Sort, Unit, attached_file

OWN: Final = "\u200e"
"""Sign in front of what a phone's chat writes itself, in any language."""
MOST: Final = 400
"""Characters of a chat's own sentence; a longer text is a person's words."""
_FRAMED: Final = re.compile(r"<(?P<angle>[^<>\n]{1,200})>|\[ ?(?P<square>[^\[\]\n]{1,60}?) ?\]")
_FILE: Final = re.compile(r"(?:[^:<>\n]{1,40}: ?)?(?P<file>[^<>:/\\\n]{1,150}\.[A-Za-z0-9]{2,5})")
_BEHIND: Final = re.compile(r"(?P<file>[^\n]{1,150}\.[A-Za-z0-9]{2,5}) \((?P<how>[^()\n]{1,40})\)")
_REACTED: Final = re.compile(
    r"(?:Reacted to|Removed an? [^\n]{1,20} reaction from) [\"\u201c].{1,300}"
    r"|\(- ?[^\n()]{1,200}: ?[^\n()]{1,80} ?-\)"
)
"""Reaction that a meeting or an export of Signal writes as words."""
_ADDED: Final = re.compile(r"(?:added|removed|añadió|a ajouté)\b.{0,9}\+?\d[\d \u00a0()-]{5,}")


@cache
def _words(name: str) -> frozenset[str]:
    """One list of the table, in lower case."""
    return frozenset(_folded(line) for line in _table()[name].splitlines() if line)


@cache
def _alone(name: str) -> frozenset[str]:
    """One list of single words of the table."""
    return frozenset(word.replace("%", " ") for word in _table()[name].split())


@cache
def _begins(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(_alone(name))}) ?:[ \t]*", re.IGNORECASE)


def without_edit_marks(words: str) -> tuple[str, bool]:
    """Words without `(edited)` at the end of a line, as Discord and Slack write it; True if there was one."""
    plain, number = _edit_mark().subn("", words)
    return plain, number > 0


@cache
def _edit_mark() -> re.Pattern[str]:
    return re.compile(
        rf"[ \t\n]?\((?:{'|'.join(_alone('edit_marks'))})\)(?=[ \t]*$)", re.MULTILINE | re.IGNORECASE
    )


@cache
def _table() -> Mapping[str, str]:
    return tomllib.loads((Path(__file__).parent / "chat_words.toml").read_text("utf-8"))


def _folded(text: str) -> str:
    return text.replace("\u2019", "'").casefold().strip(" .\u3002")


def without_placeholders(unit: Unit, *, has_bare_words: bool = False) -> Unit:
    """Unit of a phone's chat without what the chat wrote itself; left out if nothing else is in it.

    A file that came with it is in `attached`, an edited message is marked, a poll is out of character.
    `has_bare_words` says that this chat writes a bare word in place of a picture, as KakaoTalk does.
    """
    if not unit.is_read or unit.sort not in SPOKEN or unit.throws or unit.facts or not unit.text.strip():
        return unit
    if has_bare_words and _folded(unit.text) in _alone("bare"):
        unit = replace(unit, text=f"{OWN}{unit.text}")
    poll = _poll(unit.text.replace(OWN, ""))
    if poll:
        return replace(unit, sort=Sort.ASIDE, text=poll)
    while unit.text:
        read = _at_beginning(unit) or _at_end(unit)
        if read is None:
            return unit
        unit = read
    return without_words(unit)


def _at_beginning(unit: Unit) -> Unit | None:
    """Unit without its first line, if that is the chat's own."""
    first, _, rest = unit.text.partition("\n")
    if len(first) > MOST:
        return None
    words = first.replace(OWN, "").strip()
    return _understood(replace(unit, text=rest.strip()), words, is_own=first.startswith(OWN))


def _at_end(unit: Unit) -> Unit | None:
    """Unit without the text after the last sign of the chat, or without a mark at its end."""
    head, sign, tail = unit.text.rpartition(OWN)
    if not sign:
        head, tail = _with_mark(unit.text)
    rest = replace(unit, text=head.strip())
    return _understood(rest, tail.strip(), is_framed=bool(sign)) if tail else None


def _with_mark(words: str) -> tuple[str, str]:
    """Words, and the mark in angle brackets at their end, or a reaction below them."""
    place = words.rfind("\n(-") if words.endswith("-)") else words.rfind("<")
    is_mark = words.endswith(">") and _folded(words[place + 1 : -1]) in _words("edited")
    return (words[:place], words[place:]) if place > 0 and (is_mark or words[place] == "\n") else (words, "")


def _understood(rest: Unit, words: str, *, is_own: bool = False, is_framed: bool = False) -> Unit | None:
    """What is left of a unit where some of its words are the chat's own; None if they are a person's.

    `is_own` says that all words are, `is_framed` that those in angle brackets are.
    """
    framed = _FRAMED.fullmatch(words)
    angle = framed["angle"] if framed else None
    folded = _folded(angle or framed["square"] if framed else words)
    if angle and folded in _words("edited"):
        return replace(rest, edited=True)
    file = _FILE.fullmatch(angle) if angle and (is_own or is_framed) else _BEHIND.fullmatch(words)
    if file and (angle or _folded(file["how"]) in _words("attached")):
        return replace(rest, attached=(*rest.attached, attached_file(file["file"])))
    is_bracketed = framed is not None and not angle
    if folded in _words("media") or ((is_own or is_bracketed) and folded in _alone("bracketed")):
        return replace(rest, passed=(*rest.passed, Reason.MEDIA))
    if angle and is_framed:
        return replace(rest, edited=True)
    told = Reason.REACTION if _REACTED.fullmatch(words) else Reason.NOTICE
    if (
        is_own
        or told is Reason.REACTION
        or (not rest.text and (folded in _words("notices") or _is_about_group(folded, rest.speaker)))
    ):
        return replace(rest, passed=(*rest.passed, told))
    return None


def _is_about_group(folded: str, speaker: str) -> bool:
    name, begins = _folded(speaker), folded[:MOST]
    if not name or not begins.startswith(f"{name} "):
        return False
    behind = begins[len(name) + 1 :]
    return behind.startswith(tuple(_words("about_a_group"))) or _ADDED.fullmatch(behind) is not None


def without_words(unit: Unit) -> Unit:
    """Unit left out by its last reason, if neither words nor files are in it."""
    if unit.text or unit.attached or unit.left_out:
        return unit
    *passed, reason = unit.passed or (Reason.EMPTY,)
    return replace(unit, passed=tuple(passed), left_out=reason)


def _poll(text: str) -> str:
    """Words of a poll: its question and its answers, each with its votes; empty if it is none."""
    begun = _begins("polls").match(text)
    lines = text[begun.end() :].strip().split("\n") if begun else []
    options = [_begins("options").match(line) for line in lines]
    if not any(options):
        return ""
    told = (
        f"- {line[option.end() :]}" if option else line for line, option in zip(lines, options, strict=True)
    )
    return "\n".join(told)
