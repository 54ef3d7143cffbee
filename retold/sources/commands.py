"""Commands to bots and tools, told from speech by their sign and first word."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from retold.sources.unit import SPOKEN, Reason, Unit

_ROLLS: Final = (
    "r rr roll rolls dice iterroll multiroll mr ir gmroll gmr gr pr sr br blindroll selfroll publicroll"
)
_AVRAE: Final = """
    action aoo attack bag bags beyond bplan c cast cc character char check classfeat coins coin
    companion condition cs csettings csheet customcounter cvar d ddb desc ds dsave embed feat g game
    gameup giveitem gvar hp i import init item lr longrest level lookup macro monattack monster moncheck
    monsave monimage ms ma mc note party portrait prefix quest racefeat rest rule s save script
    servalias serversnippet sheet shortrest snippet spell spellbook sb ss stats status techo tembed test
    thp token transferchar tutorial tvar update uvar alias verify weather xp
"""
_SEAL: Final = """
    ri ra rc rb rp rh rd rx rav rap rab rah rcb rcp rsr rule st sc en li ti coc dnd dx ek ekgen set
    setcoc nn nnn pc ww wod init log bot ext help draw deck jrrp jrrj name sn dismiss send welcome ob
    who reply text ban botlist userid master alias find query modu
"""
_WORDS: Final = {
    "!": f"{_ROLLS} {_AVRAE} help dm w wildmagic",
    "/": f"{_ROLLS} check save attack cast init sheet talktomyself fx",
    ".": f"{_ROLLS} {_SEAL}",
}
_ELSEWHERE: Final = f"{_ROLLS} check save attack cast init sheet help"
"""Words behind the signs that servers choose instead; `-`, `+` and `~` begin speech too."""


def _known(sign: str, words: str, end: str) -> str:
    return rf"{sign}(?:{'|'.join(sorted(set(words.split()), key=len, reverse=True))}){end}"


_END: Final = r"(?![A-Za-z'\u2019])"
_COMMAND: Final = re.compile(
    "|".join(
        (
            _known("!", _WORDS["!"], r"(?![\w'\u2019]|[.,!?]+(?:\s|\w|$))"),
            _known("/", _WORDS["/"], r"(?![\w'\u2019])"),
            _known("[.\u3002]", f"{_WORDS['.']} {_WORDS['.'].upper()}", _END),
            _known("[$%&?;]", _ELSEWHERE, r"(?=\s|$)"),
            r"[!/](?i:r|roll)[ ]?\d*[dD]\d",
            r"[!/.\u3002$%&?;~][ ]?\(?\d{0,3}[dD]\d",
            r"(?i:(?:tul|tb|t)!(?=\w)|pk[;!](?=\w))",
        )
    )
)
_WIDE: Final = re.compile(
    r"(?:[!/$%.?;\u3002]|--)\s?(?!me\b)[A-Za-z]\w{0,30}(?:\s|$)|[!/$%.]\d*d\d|"
    + _known("[~+-]", _ELSEWHERE, r"(?![\w'\u2019])")
)
_FIRST_WORD: Final = re.compile(
    r"(?:[!/$%.?;&~+\u3002]|-{1,2})\s?(?:(?!\d*d\d)[A-Za-z]{1,30}(?=[\s\d(]|$))?\s*"
)
_ARGUMENT: Final = re.compile(r"\s*-{1,2}[a-z]")


def may_be_command(text: str) -> bool:
    """True if a bot that answers next may have been asked by this text: a sign and any word."""
    return _WIDE.match(text) is not None or is_command(text)


def is_command(text: str) -> bool:
    """True if a line begins with a sign and a word that a known bot takes, such as `!attack` or `.st`."""
    return _COMMAND.match(text) is not None


def asked_in(text: str) -> str:
    """Words of a command behind its sign and its first word: `!roll 3d6 e6` asks for `3d6 e6`."""
    return text[found.end() :].strip() if (found := _FIRST_WORD.match(text)) else ""


def without_commands(unit: Unit) -> Unit:
    """Unit without the lines that are commands; left out if nothing else is in it.

    Only the first lines can be commands, and lines of their arguments: `-title Storm`.
    """
    if not (unit.is_read and unit.sort in SPOKEN and is_command(unit.text)) or unit.throws or unit.facts:
        return unit
    lines = unit.text.split("\n")
    number = next(
        (
            place
            for place, line in enumerate(lines)
            if line.strip() and not is_command(line) and not _ARGUMENT.match(line)
        ),
        len(lines),
    )
    rest = "\n".join(lines[number:]).strip()
    if not rest and not unit.attached:
        return replace(unit, left_out=Reason.COMMAND)
    return replace(unit, text=rest, passed=(*unit.passed, Reason.COMMAND))
