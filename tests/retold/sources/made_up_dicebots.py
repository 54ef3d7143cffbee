"""Made-up evenings in Cocofolia and on QQ, in the shapes that their tools write."""

# ruff: noqa: RUF001 - the tools write full-width signs

from __future__ import annotations

import html
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

START = datetime(2026, 3, 1, 19, 42, 10, tzinfo=UTC)


# --- Cocofolia ---


class Line(NamedTuple):
    """Message of a room: tab, name, words and colour."""

    tab: str
    name: str
    words: str
    colour: str = "#888888"


ROOM: Sequence[Line] = (
    Line("main", "", "The ferry has not moved since noon. Its lamp is lit all the same."),
    Line("info", "Mary", "The hold is dark: bring a lamp.", "#e91e63"),
    Line("main", "Zel", "「Somebody is aboard.」", "#3f51b5"),
    Line("main", "Pell", "（Or something.）", "#4caf50"),  # out of character by habit
    Line("main", "Zel", "*looks up at the lamp*", "#3f51b5"),
    Line("main", "Zel", "CCB<=60 【Stealth】 (1D100<=60) ＞ 43 ＞ 成功", "#3f51b5"),
    Line("main", "Pell", "4d6+2D10 【Damage】 (4D6+2D10) ＞ 12[1,4,5,2]+11[3,8] ＞ 23", "#4caf50"),
    Line("main", "Pell", "２ｄ６＋１ (2D6+1) ＞ 8[3,5]+1 ＞ 9", "#4caf50"),
    Line(
        "main",
        "Zel",
        "x3 CCB<=70 【Swim】 #1\n(1D100<=70) ＞ 4 ＞ 決定的成功/スペシャル\n\n#2\n(1D100<=70) ＞ 63 ＞ 成功"
        "\n\n#3\n(1D100<=70) ＞ 88 ＞ 失敗",
        "#3f51b5",
    ),
    Line(
        "main", "Zel", "CC(1)<=53 (1D100<=53) ボーナス・ペナルティダイス[1] ＞ 92, 52 ＞ 52 ＞ レギュラー成功"
    ),
    Line("main", "Zel", "(2D6+1D4)*2 (( 2D6+1D4)*2) ＞ (8[5,3]+4[4])*2 ＞ 24"),
    Line("main", "Zel", "5D10KH3 (5D10KH3) ＞ 21[2,3,5,8,8] ＞ 21"),
    Line("main", "Zel", "4B6>=4 (4B6>=4) ＞ 2,2,6,6 ＞ 成功数2"),
    Line("main", "Zel", "4U6[6] (4U6[6]) ＞ 5,2,11[6,5],23[6,6,6,5] ＞ 23/41(最大/合計)"),
    Line("main", "Zel", "D66 (D66) ＞ 25"),
    Line("main", "Zel", "K20+5 KeyNo.20c[10]+5 ＞ 2D:[5,2]=7 ＞ 5+5 ＞ 10"),
    Line("main", "Pell", "choice[rope,lamp] (choice[rope,lamp]) ＞ rope"),
    Line("main", "system", "[ Zel ] HP : 12 → 9"),
    Line("main", "system", "[ Zel ] state : dry → wet"),
    Line("main", "", "シークレットダイス ???"),
    Line(
        "main", "Mary", "sCCB<=65 【Listen】 (1D100<=65) ＞ 41 ＞ 成功", "#e91e63"
    ),  # secret, in her own log
    Line("main", "Mary", "S1D100 (1D100) ＞ 52", "#e91e63"),
    Line(
        "main",
        "Mary",
        "The lamp ＞ it swings. <b>Nobody</b> holds it, they say </span> to themselves.\nCreak.",
    ),
    Line("雑談", "Jon", "back in five", "#795548"),
    Line("HO1", "Mary", "Only you see the ferryman, Zel.", "#e91e63"),
    Line("HO1", "Zel", "CCB<=40 【Nerve】 (1D100<=40) ＞ 77 ＞ 失敗", "#3f51b5"),
    Line("KP用", "Mary", "If they take the lamp, the tide turns.", "#e91e63"),
    Line("main", "Zel", " "),
    Line("main", "Zel", "「Somebody is aboard.」", "#3f51b5"),  # the same words again
)
"""Evening in a room."""


def as_room_log(room: Sequence[Line] = ROOM) -> str:
    """Page that a room writes."""
    parts = [
        (
            '<!DOCTYPE html>\n<html lang="ja">\n  <head>\n    <meta charset="UTF-8" />\n'
            "    <title>ccfolia - logs</title>\n  </head>\n  <body>\n    \n\n"
        )
    ]
    parts += [
        f'\n<p style="color:{line.colour};">\n  <span> [{html.escape(line.tab)}]</span>\n'
        f"  <span>{html.escape(line.name)}</span> :\n"
        f"  <span>\n    {html.escape(line.words)}\n  </span>\n</p>\n"
        for line in room
    ]
    return "".join([*parts, "\n  </body>\n</html>"])


def as_rewritten(room: Sequence[Line] = ROOM) -> str:
    """Page that a tool makes of it: tabs are classes, whose labels stand in front."""
    classes = {"main": "main", "雑談": "zatsudan"}
    tabs = [tab for tab in dict.fromkeys(line.tab for line in room) if tab not in classes]
    classes |= {tab: f"tab_{number}" for number, tab in enumerate(tabs)}
    labels = "".join(
        f'<label for="{name}"><input type="checkbox" class="checkbox" id="{name}">{tab}</label>'
        for tab, name in {**classes, "メイン": "main"}.items()
        if tab != "main"
    )
    rows = []
    for line in room:
        words = html.escape(line.words.replace("#1\n(", "#1("), quote=False).replace("\n", "<br>")
        group = classes[line.tab] if line.tab in ("main", "雑談") else f"group {classes[line.tab]}"
        rows.append(
            f'<dl style="color:{line.colour}" class="{group}"><dt>{html.escape(line.name) or "  "}</dt>'
            f"<dd>    {words}   </dd></dl>\n"
        )
    return (
        '<!doctype html>\n<html lang="ja">\n<head><title>The ferry[all]</title>\n'
        "<style>dl{display: block;}</style></head>\n<body>\n"
        f'<header>{labels}</header>\n<div class="wrapper">\n<h1>The ferry[all]</h1>\n'
        f'<h2 id="day1">The quay</h2>\n{"".join(rows[:4])}<h2 id="day2">The hold</h2>\n{"".join(rows[4:])}'
        "</div>\n<footer>made by a tool</footer>\n</body>\n</html>\n"
    )


# --- SealDice ---

BOT = ("海豹", "90000")
MARY = ("Mary", "10001")
ZEL = ("Zel HP9/12", "10002")
HURT = ("Zel HP7/12", "10002")
PELL = ("Pell SAN60 HP11/11 DEX55", "10003")
WATCHER = ("ob小明", "10004")
GROUP = "700700"


class Said(NamedTuple):
    """Item of a log, so many seconds after the first."""

    after: int
    who: tuple[str, str]
    words: str
    command: int = 0
    info: dict[str, Any] | None = None
    raw_id: str = ""


def _info(cmd: str, who: str, *items: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"cmd": cmd, "pcName": who, "items": list(items), **more}


def _check(outcome: int, target: int, rank: int, skill: str, die: str = "D100") -> dict[str, Any]:
    check = {"expr1": die, "expr2": skill, "outcome": outcome, "attrVal": target, "checkVal": target}
    return {**check, "rank": rank}


COC = {"rule": "coc7", "cocRule": 0}
TABLE: Sequence[Said] = (
    Said(0, MARY, ".log on"),
    Said(5, MARY, "The ferry has not moved since noon. Its lamp is lit all the same.", raw_id="-501"),
    Said(20, ZEL, "“Somebody is aboard.”"),
    Said(30, PELL, "（or something）"),
    Said(40, WATCHER, "good evening"),
    Said(
        50, ZEL, "[CQ:reply,id=-501][CQ:at,qq=10001] [CQ:image,file=a.jpg,url=https://example.org/a?token=1]"
    ),
    Said(60, ZEL, ".ra 侦查", 1),
    Said(
        61,
        BOT,
        '<Zel>的"侦查"检定结果为: D100=43/60 成功',
        1,
        _info("ra", "Zel", _check(43, 60, 1, "侦查"), **COC),
    ),
    Said(70, PELL, ".r 3d6+2 rope", 2),
    Said(
        71,
        BOT,
        "由于rope，<Pell>掷出了 3d6+2=11[3d6=3+4+4] + 2=13",
        2,
        _info("roll", "Pell", {"expr": "3d6+2", "reason": "rope", "result": 13}),
    ),
    Said(80, PELL, ".r 2#d20", 3),
    Said(
        81,
        BOT,
        "<Pell>掷骰2次:\nd20=17\nd20=4",
        3,
        _info("roll", "Pell", {"expr": "d20", "result": 17}, {"expr": "d20", "result": 4}),
    ),
    Said(90, ZEL, ".rah 聆听", 4),
    Said(
        91,
        BOT,
        "<Zel>悄悄进行了一项聆听检定",
        4,
        _info("ra", "Zel", _check(88, 40, -1, "聆听"), **COC, hide=True),
    ),
    Said(
        92,
        BOT,
        f'来自群<The ferry>(QQ-Group:{GROUP})的暗中检定:\n<Zel>的"聆听"检定结果为: D100=88/40 失败',
        4,
        _info("ra", "Zel", _check(88, 40, -1, "聆听"), **COC, hide=True),
    ),
    Said(100, ZEL, "。sc 1/1d6", 5),
    Said(
        101,
        BOT,
        "<Zel>的理智检定:\nD100=70/50 失败\n理智变化: 50 ➯ 47 (扣除1d6=3点)",
        5,
        _info(
            "sc",
            "Zel",
            {"outcome": 70, "exprs": ["d100", "1", "1d6"], "rank": -1, "sanOld": 50, "sanNew": 47},
            **COC,
        ),
    ),
    Said(110, HURT, ".st hp-2", 6),
    Said(
        111,
        BOT,
        "<Zel>的属性变化:\nHP: 9 ➯ 7 (扣除2=2)",
        6,
        _info(
            "st",
            "Zel",
            {
                "type": "mod",
                "attr": "HP",
                "modExpr": "2",
                "valOld": 9,
                "valNew": 7,
                "isInc": False,
                "op": "-",
            },
            rule="coc7",
        ),
    ),
    Said(120, HURT, ".rc 运动", 7),
    Said(
        121,
        BOT,
        '<Zel>的"运动"检定（DND5E）结果为: 15[d20] + 3 = 18',
        7,
        _info("rc", "Zel", {"expr": "运动", "reason": "运动", "result": 18}, rule="dnd5e"),
    ),
    Said(130, PELL, ".r (2d6+1)*2", 8),
    Said(
        131,
        BOT,
        "<Pell>掷出了 (2d6+1)*2=(5[2d6=2+3]+1)*2=12",
        8,
        _info("roll", "Pell", {"expr": "(2d6+1)*2", "result": 12}),
    ),
    Said(140, PELL, ".rab 潜行", 9),
    Said(
        141,
        BOT,
        '<Pell>的"潜行"检定结果为: b=32/50, (D100=72, 奖励 3) 成功',
        9,
        _info("ra", "Pell", _check(32, 50, 1, "潜行", "b"), **COC),
    ),
    Said(150, PELL, ".jrrp", 10),
    Said(151, BOT, "<Pell>今日人品为70", 10),
    Said(160, MARY, ".rh d100", 1),  # the bot was started again and counts from 1
    Said(161, BOT, "命运正在低语！", 1, _info("roll", "Mary", {"expr": "d100", "result": 66}, hide=True)),
    Said(
        162,
        BOT,
        f"来自群<The ferry>(QQ-Group:{GROUP})的暗骰:\n<Mary>掷出了 d100=66",
        1,
        _info("roll", "Mary", {"expr": "d100", "result": 66}, hide=True),
    ),
    Said(170, MARY, "She writes:\n\nZel(10002) 2026-03-01 12:00:00\nit was noon then, ask 10003"),  # no head
    Said(180, MARY, "  "),
    Said(190, MARY, "“isDice”: &#91;the lamp&#93; &amp; the rope"),
    Said(200, MARY, ".log off"),
)
"""Evening in a group of QQ."""


def as_sealdice_json(table: Sequence[Said] = TABLE) -> str:
    """JSON of SealDice."""
    items = [
        {
            "id": number,
            "GroupID": f"QQ-Group:{GROUP}",
            "nickname": said.who[0],
            "IMUserId": said.who[1],
            "time": int((START + timedelta(seconds=said.after)).timestamp()),
            "message": said.words,
            "isDice": said.who == BOT,
            "commandId": said.command,
            "commandInfo": said.info,
            "rawMsgId": said.raw_id or None,
            "uniformId": f"QQ:{said.who[1]}",
            "channel": "",
        }
        for number, said in enumerate(table, start=4001)
    ]
    return json.dumps({"items": items, "version": 101}, ensure_ascii=False, indent=1) + "\n"


def _local(said: Said, day: str = "%Y-%m-%d ") -> str:
    return (START + timedelta(seconds=said.after)).strftime(f"{day}%H:%M:%S")


def as_bot_text(table: Sequence[Said] = TABLE) -> str:
    """Text beside the JSON."""
    return "".join(f"{said.who[0]}({said.who[1]}) {_local(said)}\n{said.words}\n\n" for said in table)


def as_qq_text(table: Sequence[Said] = TABLE) -> str:
    """Text of QQ's own export, with its frame."""
    rule = "=" * 64
    frame = f"消息记录（此消息记录为文本格式，不支持重复导入）\n\n{rule}\n消息分组:The ferry\n{rule}\n"
    frame += f"消息对象:The ferry\n{rule}\n\n"
    words = (f"{_local(said)} {said.who[0]}({said.who[1]})\n{said.words}\n\n" for said in table)
    return (frame + "".join(words)).replace("\n", "\r\n")


def as_coloured_text(table: Sequence[Said] = TABLE) -> str:
    """Text that the colouring page writes."""
    return "".join(
        f"{_local(said, '%Y/%m/%d ')}<{said.who[0]}({said.who[1]})>:{said.words}\n" for said in table
    )


def as_sinanya_text(table: Sequence[Said] = TABLE) -> str:
    """Text of the bot SinaNya."""
    return "".join(f"<{_local(said)}.0>\t[{said.who[0]}]:\t{said.words}\n" for said in table)


def as_painted_text(table: Sequence[Said] = TABLE) -> str:
    """Text with names alone, without times."""
    return "".join(f"<{said.who[0].partition(' ')[0]}>{said.words}\n" for said in table)


FILES: dict[str, Callable[[object], str]] = {
    "cocofolia.html": lambda _: as_room_log(),
    "cocofolia-rewritten.html": lambda _: as_rewritten(),
    "sealdice/sealdice-standard-log.json": lambda _: as_sealdice_json(),
    "sealdice/raw-log.txt": lambda _: as_bot_text(),
    "qq.txt": lambda _: as_qq_text(),
    "qq-coloured.txt": lambda _: as_coloured_text(),
    "sinanya.txt": lambda _: as_sinanya_text(),
}
"""Makers of the examples by their names."""

LOGS = ("cocofolia.html", "cocofolia-rewritten.html", "sealdice", "qq.txt", "qq-coloured.txt", "sinanya.txt")
"""Files and folders that are read."""

NAMED = {"cocofolia-rewritten.html": "cocofolia-rewritten"}
"""Formats of the files whose look is not enough."""
