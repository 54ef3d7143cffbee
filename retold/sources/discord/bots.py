"""Bots of Discord: which ones throw dice, which keep a calendar, and how their answers are read."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from retold.sources.dice import Throw, avrae, dice_maiden, generic
from retold.sources.dice.throw import MOST_WORDS, told

_DICE: Final = ("avrae", "dice maiden", "dicemaiden", "rollem", "dicecord", "dice witch", "sidekick")
_CALENDARS: Final = ("sesh", "apollo")
_CHARACTER: Final = re.compile(r"(?P<name>.{1,80}?) (?:makes|attacks|casts|uses|rolls|does)\b")


def is_known(label: str) -> bool:
    """True for the name of a bot, where the source does not mark bots."""
    return _plain(label).startswith((*_DICE, *_CALENDARS))


def is_calendar(label: str) -> bool:
    """True for the name of a bot that announces appointments."""
    return _plain(label) in _CALENDARS


def throws(label: str, text: str, title: str = "", footer: str = "") -> tuple[Throw, ...]:
    """Throws in a bot's words, by its own notation or else by the generic rule."""
    if not text or len(text) > MOST_WORDS:
        return ()
    name = _plain(label)
    if name.startswith("avrae"):
        return avrae.throws(text, title, footer)
    if name.startswith(("dice maiden", "dicemaiden")):
        return dice_maiden.throws(text)
    found = generic.throws(text)
    if not found and re.search(r"\b\d*d\d+\b", text) and re.search(r"[=:→]\s*\S*\d", text):
        found = (told(text),)
    return tuple(replace(throw, text=title) for throw in found) if title else found


def character_of(title: str) -> str:
    """Character named in an answer's title, as in `Zel makes a Stealth check!`; empty if none is named."""
    found = _CHARACTER.match(title)
    return found["name"] if found else ""


def _plain(label: str) -> str:
    """Name without case, discriminator and sign for bots."""
    return re.sub(r"#\d{4}$", "", label).casefold().strip()
