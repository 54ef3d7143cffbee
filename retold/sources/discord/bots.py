"""Bots of Discord: which ones throw dice, which keep a calendar, and how their answers are read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from retold.sources.dice import Throw, avrae, dice_maiden, generic
from retold.sources.dice.throw import MOST_WORDS, told

_DICE: Final = (
    *("avrae", "dice maiden", "dicemaiden", "rollem", "dicecord", "dice witch", "sidekick", "rollbutler"),
    *("diceparser", "dice parser", "dicebot", "dice bot", "rollbot", "dice mice", "dicemice", "zardoz"),
    "button dice roller",
)
_CALENDARS: Final = ("sesh", "apollo")
_VERBS: Final = (
    "makes attacks casts uses rolls rolled does takes checks saves tries throws deals heals fires shoots"
    " swings strikes hits"
)
_CHARACTER: Final = re.compile(
    r"(?P<name>[^\s'\u2019][^\n]{0,79}?)"
    rf"(?:(?:['\u2019]s?)? (?:{_VERBS.replace(' ', '|')})\b"
    r"|['\u2019]s? (?=[^\n]{0,60}\b(?:check|save|attack|roll|throw|damage|initiative)s?\b)"
    r"|(?::| rolling for) (?=[^\n]{0,60}\b(?:check|save|attack|initiative)\b))",
    re.IGNORECASE,
)
_NOBODY: Final = re.compile(
    r"(?:an?|the|some|unknown|somebody|someone|you|death|initiative)\b", re.IGNORECASE
)


MENTION: Final = re.compile(
    r"\s{0,9}(?:<@!?(?P<id>\d{1,20})>|@(?P<name>[^\n:`*\[(]{1,60}?)|\*\*(?P<bold>[^*\n]{1,60})\*\*)\s{0,9}"
    r"(?:\n|:|🎲|,|(?=[`*\[(]|(?<=\s)\d)|Request\b|(?:Rolls?|Result):|\b(?:rolled|rolls|got)\b|$)"
)
"""First person that an answer names: as an account, by name, or in bold, if that name is known."""


@lru_cache(4_096)
def is_known(label: str) -> bool:
    """True for the name of a bot, where the source does not mark bots."""
    return _plain(label).startswith((*_DICE, *_CALENDARS))


def is_calendar(label: str) -> bool:
    """True for the name of a bot that announces appointments."""
    return _plain(label) in _CALENDARS


def throws(label: str, text: str, title: str = "", footer: str = "", asked: str = "") -> tuple[Throw, ...]:
    """Throws in a bot's words, by its own notation or else by the generic rule.

    `asked` is what the command wanted that the bot answers, for the bots that do not repeat it.
    """
    if not text or len(text) > MOST_WORDS:
        return ()
    name = _plain(label)
    if name.startswith("avrae"):
        return avrae.throws(_BOLD.sub(r"**\1**", text), title, footer)
    if name.startswith(("dice maiden", "dicemaiden")):
        return dice_maiden.throws(_CODE.sub(r"\1`\2`", text), asked)
    found = generic.throws(text) or generic.throws(" ".join(text.split()))
    if not found and asked and (answer := generic.answer(text, asked)) is not None:
        found = (answer,)
    if not found and re.search(r"\b\d*d\d+\b", text) and re.search(r"[=:→]\s*\S*\d", text):
        found = (told(text),)
    return tuple(replace(throw, text=title or throw.text) for throw in found)


def character_of(title: str, known: Iterable[str] = ()) -> str:
    """Character named in an answer's title, as in `Zel makes a Stealth check!`; empty if none is named.

    A name that is `known` is found before any words, also where it is possessive.
    """
    begun = [
        name
        for name in known
        if name and re.match(rf"{re.escape(name)}(?:['\u2019]s?)?(?!\w)", title, re.IGNORECASE)
    ]
    if begun:
        return max(begun, key=len)
    found = _CHARACTER.match(title.strip("*_# "))
    return found["name"].strip() if found and not _NOBODY.match(found["name"]) else ""


_BOLD: Final = re.compile(r"^(Result|Total)(?=: )", re.MULTILINE)
_CODE: Final = re.compile(
    r"\b((?:Request|Rolls?|Result|Reason): )([^`\n]{1,400}?)(?=\s{1,9}(?:Rolls?|Result|Reason): |\s{0,9}$)",
    re.MULTILINE,
)
"""Words of a bot that lost their marks when they were copied."""


class Act(NamedTuple):
    """What a character does by the title of a card without dice, such as `casts Light`."""

    name: str
    words: str


_ACT: Final = re.compile(r"(?P<name>[^\s*][^\n*]{0,60}?) (?P<words>(?:casts|uses) [^\n*]{1,80}?)[!.]?")


def act_in(title: str) -> Act | None:
    """Act in a card's title, as in `Pell casts Light!`; None if it has none."""
    found = _ACT.fullmatch(title.strip("*_# "))
    return Act(found["name"], found["words"]) if found and not _NOBODY.match(found["name"]) else None


def _plain(label: str) -> str:
    """Name without case, discriminator and sign for bots."""
    return re.sub(r"^(?:BOT|APP) |#\d{4}$", "", label).casefold().strip()
