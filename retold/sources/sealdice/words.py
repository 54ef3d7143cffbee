"""Words of QQ's messages, without codes of pictures and mentions, and without account numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

_STATUS: Final = re.compile(
    r"[ \u3000](?:[A-Za-z]{2,4}|理智|生命值|体力|魔法|敏捷)[:\uff1a]?-?\d{1,5}(?:/-?\d{1,5})?$"
)
_WATCHES: Final = re.compile(r"[oO][bB](?![a-z])")
_CODE: Final = re.compile(r"\[CQ:(?P<what>[a-z_]{1,30})(?P<rest>(?:,[^\[\]]{0,20000})?)\]")
_VALUE: Final = re.compile(r"(?:^|,)(?P<key>[a-z_]{1,20})=(?P<value>[^,]{0,300})")
_TYPED: Final = re.compile(r"(?P<platform>[A-Z]{2,10}(?:-[A-Za-z]{1,10})?):\d{4,20}")
_BRACKETED: Final = re.compile(r"(?<=[^\W\d_])\((?P<number>\d{5,12})\)")
_NUMBER: Final = re.compile(r"(?<![\d.])\d{5,20}(?!\d)")
_PICTURES: Final = re.compile(r"\[(?:图片|动画表情)\]")
_COMMAND: Final = re.compile(r"[.。!/\uff01\uff0e]\s{0,3}(?P<word>[A-Za-z]{1,20})\s{0,3}(?P<more>[a-z]{0,8})")
_SECRET: Final = re.compile(r"r[acdx]{0,2}h")
_TOOLS: Final = frozenset(
    {
        *(
            "log",
            "bot",
            "ob",
            "sn",
            "nn",
            "nnn",
            "ext",
            "help",
            "set",
            "setcoc",
            "dismiss",
            "send",
            "welcome",
        ),
        *("reply", "ban", "master", "alias", "userid", "text", "find", "stat", "hiy", "pc", "ch"),
    }
)
_SESSION: Final = frozenset({"new", "on", "off", "end", "halt"})
_ATTACHED: Final = {"image": "picture", "record": "sound", "video": "film", "file": "file"}


class Words(NamedTuple):
    """Words of a message, its attachments, and the message it answers."""

    text: str
    attached: tuple[str, ...] = ()
    answers: str = ""
    """Number of the message that this one replies to."""


class Command(NamedTuple):
    """Command to a dice bot, split into its word and more letters."""

    word: str
    more: str

    @property
    def is_secret(self) -> bool:
        """True if only the thrower gets the result."""
        return _SECRET.match(self.word) is not None

    @property
    def is_of_tool(self) -> bool:
        """True for a command about the bot itself and not the game."""
        return self.word in _TOOLS

    @property
    def is_session(self) -> bool:
        """True if it begins or ends the log of a session."""
        return self.word == "log" and self.more in _SESSION


def name_of(nickname: str) -> str:
    """Nickname without hit points and other numbers that bots append."""
    name = nickname.strip()
    while (found := _STATUS.search(name)) and found.start():
        name = name[: found.start()].rstrip()
    return name


def watches(nickname: str) -> bool:
    """True for the nickname of a spectator, which the bot begins with `ob`."""
    return _WATCHES.match(nickname.strip()) is not None


def command_in(text: str) -> Command | None:
    """Command in a message; None for plain words."""
    found = _COMMAND.match(text.lstrip())
    return Command(found["word"].casefold(), found["more"].casefold()) if found else None


def words_of(text: str, names: Mapping[str, str]) -> Words:
    """Words of a message without codes and account numbers.

    `names` has the label of each account; a mention becomes `@` and the label, any other account an ellipsis.
    """
    attached: list[str] = []
    answers = ""

    def shown(found: re.Match[str]) -> str:
        nonlocal answers
        values = {value["key"]: value["value"] for value in _VALUE.finditer(found["rest"])}
        what = found["what"]
        if what == "at":
            return f"@{names.get(values.get('qq', ''), '…')} "
        if what == "reply":
            answers = values.get("id", "")
            return ""
        if what in _ATTACHED:
            attached.append(f"[{_ATTACHED[what]}]")
            return ""
        return f"[{what}]"

    words = _CODE.sub(shown, text)
    attached += ["[picture]"] * len(_PICTURES.findall(words))
    words = _PICTURES.sub("", words)
    for sign, plain in (("&#91;", "["), ("&#93;", "]"), ("&#44;", ","), ("&amp;", "&")):
        words = words.replace(sign, plain)
    words = _BRACKETED.sub("(…)", _TYPED.sub("…", words))
    words = _NUMBER.sub(lambda found: "…" if found[0] in names or len(found[0]) > 14 else found[0], words)
    return Words(words.strip(), tuple(attached), answers)


def without_numbers(text: str) -> str:
    """Text with numbers that may be accounts replaced by an ellipsis."""
    return _NUMBER.sub("…", _TYPED.sub("…", text))
