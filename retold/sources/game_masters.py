"""Words in the labels of logs that mean the game master, in the languages of tables."""

from __future__ import annotations

import re
from typing import Final

ABBREVIATIONS: Final = ("GM", "DM", "KP", "SL", "MJ", "ГМ", "ДМ")
"""Alone, in brackets, or as a word in capitals: `▶ KP`, `mary (gm)`, `GM Mary`."""
ALONE: Final = (
    *("MG", "HL", "ST", "DJ", "PJ", "MC", "KM", "MASTER", "MESTRE", "MEISTER", "MÁSTER"),
    *("DIRECTOR", "DIRECTORA", "REFEREE"),
    "МАСТЕР",  # noqa: RUF001 - the Russian word
)
"""Alone or in brackets; in a longer label they may be a part of a name."""
TITLES: Final = (
    *("game master", "gamemaster", "dungeon master", "dungeonmaster", "keeper", "narrator", "storyteller"),
    *("spielleiter", "spielleiterin", "spielleitung", "erzähler", "erzählerin", "spelleider", "spelledare"),
    *("spelleder", "pelinjohtaja", "meneur", "meneuse", "maître du jeu", "maître de jeu", "narrateur"),
    *("narratrice", "narratore", "narrador", "narradora", "director de juego", "directora de juego"),
    *("guardián", "guardiana", "mestre de jogo", "mestre do jogo", "mistrz gry", "narrator", "vypravěč"),
    *(
        "pán jeskyně",
        "ведущий",
        "ведущая",
        "loremaster",
        "game-master",
        "master di gioco",
        "verteller",
        "raconteur",
        "kampaniamester",
        "meisterin",
        "mesék ura",
        "mesélő",
        "povestitor",
        "мастер игры",
        "рассказчик",
        "хранитель",
    ),
    *(
        "キーパー",
        "マスター",
        "진행자",
        "ゲームマスター",
        "ナレーション",
        "ナレーター",
        "守密人",
        "守秘人",
        "守秘者",
        "说书人",
        "城主",
        "主持人",
        "游戏主持",
        "마스터",
        "키퍼",
        "지엠",
    ),
)
"""Alone or as whole words of a label, in any case."""
_MARKED: Final = re.compile(
    rf"[(\[\uff08\u3010]\s*(?:{'|'.join((*ABBREVIATIONS, *ALONE))})\s*[)\]\uff09\u3011]", re.IGNORECASE
)
_EDGE: Final = r"(?<![^\W_])(?<![^\W_][-'\u2019]){}(?![^\W_])(?![-'\u2019][^\W_])"
_LEADING: Final = re.compile(r"(?:KP|GM|DM)[-_|:\u00b7](?=\S)")
_ABBREVIATED: Final = re.compile(_EDGE.format(f"(?:{'|'.join(ABBREVIATIONS)})"))
_TITLED: Final = re.compile(_EDGE.format(f"(?:{'|'.join(TITLES)})"), re.IGNORECASE)
_SIGNS: Final = re.compile(r"^[\W_]+|[\W_]+$")
_LONGEST: Final = 200
"""Characters of a label that are looked at."""


def says_game_master(label: str) -> bool:
    """True if a label itself says that the game master speaks: a whole word of it, with signs around it."""
    label = label[:_LONGEST]
    is_alone = _SIGNS.sub("", label).upper() in (*ABBREVIATIONS, *ALONE)
    return (
        is_alone
        or _LEADING.match(label) is not None
        or any(shape.search(label) for shape in (_MARKED, _ABBREVIATED, _TITLED))
    )


def without_mark(label: str) -> str:
    """Label without a mark of the game master in brackets, such as `(GM)`, unless that is all of it."""
    return _MARKED.sub("", label).strip() or label
