"""A made-up evening on Roll20: the page as shown, the page with its JSON, and R20Exporter's archive."""

# ruff: noqa: E501 - lines of HTML as the browser saves them

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

START = datetime(2026, 3, 1, 19, 42, 10, 123000, UTC)
DIGITS = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
PLAYERS = {"Mary (GM)": "-Mary", "Zel": "-Jon", "Pell": "-Ann", "Old Ferryman": "-Mary"}


def push_id(after: float, number: int) -> str:
    """Id of a message, whose first eight characters are its time."""
    milliseconds = round((START + timedelta(seconds=after)).timestamp() * 1000)
    digits = ""
    for _ in range(8):
        digits = DIGITS[milliseconds % 64] + digits
        milliseconds //= 64
    return f"{digits}Salt{number:08}"


@dataclass(frozen=True)
class Posted:
    """One message: what JSON says of it, and the inside of its `div`, if the page shows it."""

    after: float
    who: str
    kind: str
    content: str
    shown: str | None = None
    """HTML of the words; None for a message that the page does not show."""
    classes: str = ""
    by: str = ""
    """Name in front, where it is not the one who speaks."""
    more: dict[str, Any] = field(default_factory=dict)


def dice(sides: int, *faces: int, dropped: Sequence[int] = (), fate: bool = False) -> dict[str, Any]:
    """Dice in JSON, of which those at the places named were dropped."""
    results = [{"v": face, **({"d": True} if place in dropped else {})} for place, face in enumerate(faces)]
    more = {"fate": True} if fate else {}
    return {"type": "R", "dice": len(faces) - 0, "sides": sides, "mods": {}, "results": results, **more}


def added(expression: str) -> dict[str, Any]:
    return {"type": "M", "expr": expression}


def result(total: int, *rolls: dict[str, Any], kind: str = "sum") -> dict[str, Any]:
    return {"type": "V", "rolls": rolls, "resultType": kind, "total": total}


def _spelled(rolls: Sequence[dict[str, Any]], die: str) -> str:
    """Dice and numbers of a result as a page shows them."""
    parts = []
    for one in rolls:
        if one["type"] == "M":
            parts.append(one["expr"])
        else:
            parts.append(
                "(" + "+".join(die.format(d=one["sides"], **_of(face)) for face in one["results"]) + ")"
            )
    return "".join(parts)


def _of(face: dict[str, Any]) -> dict[str, Any]:
    return {"v": face["v"], "dropped": " dropped" if face.get("d") else ""}


def typed(
    after: float,
    who: str,
    asked: str,
    what: str,
    total: int,
    *rolls: dict[str, Any],
    secret: bool = False,
    unit: str = "",
) -> Posted:
    """Roll by `/roll` or `/gmroll`."""
    die = '<div class="diceroll d{d}{dropped}"><div class="dicon"><div class="didroll">{v}</div><div class="backing"></div></div></div>'
    groups = "".join(
        f'<div class="dicegrouping" data-groupindex="0">{_spelled([one], die)}</div>'
        if one["type"] == "R"
        else one["expr"]
        for one in rolls
    )
    words = f"{'(To GM)' if secret else ''}rolling {html.escape(asked)}{' ' + what if what else ''}"
    shown = (
        f'<div class="formula" style="margin-bottom: 3px;">{words}</div><div class="clear"></div>'
        f'<div class="formula formattedformula">{groups}<div class="clear"></div></div>'
        f'<div class="clear"></div><strong>=</strong><div class="rolled">{total}</div>{unit}'
    )
    return Posted(
        after,
        who,
        "gmrollresult" if secret else "rollresult",
        json.dumps(result(total, *rolls), separators=(",", ":")),
        shown,
        "private" if secret else "",
        more={"origRoll": f"{asked} {what}".strip()},
    )


def inline(expression: str, total: int, *rolls: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Inline roll in JSON, and as a page shows it."""
    face = '<span class="basicdiceroll{dropped}">{v}</span>'
    title = (
        html.escape(f"Rolling {expression} = {_spelled(rolls, face)}")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
    )
    return (
        {"expression": expression, "results": result(total, *rolls)},
        f'<span class="inlinerollresult showtip tipsy-n-right" title="{title}">{total}</span>',
    )


def card(
    after: float, who: str, template: str, name: str, character: str, *rolls: tuple[dict[str, Any], str]
) -> Posted:
    """Card of a sheet, with its rolls side by side."""
    fields = "".join(f" {{{{r{number}=$[[{number - 1}]]}}}}" for number in range(1, len(rolls) + 1))
    advantage = '<div class="sheet-advspacer"></div>'.join(
        f'<div class="sheet-adv"><span>{one[1]}</span></div>' for one in rolls
    )
    shown = (
        f'<div class="sheet-rolltemplate-{template}"><div class="sheet-container"><div class="sheet-result">{advantage}</div>'
        f'<div class="sheet-label"><span><a href="~-x|attack">{name}</a> <span>(+3)</span></span></div>'
        f'<div class="sheet-charname"><span>{character}</span></div></div></div>'
    )
    content = f"{{{{rname={name}}}}} {{{{always=1}}}}{fields} {{{{charname={character}}}}}"
    return Posted(
        after,
        who,
        "general",
        content,
        shown,
        more={"rolltemplate": template, "inlinerolls": [one[0] for one in rolls]},
    )


JUMP = inline("2d6+3[STR]", 11, dice(6, 3, 5), added("+3"))
MANY = 'He wrote: <div class="message general" data-messageid="-Forged">Nobody said this.</div>'
EVENING: Sequence[Posted] = (
    Posted(
        0, "Mary (GM)", "desc", "The ferry has not moved since noon.", "The ferry has not moved since noon."
    ),
    Posted(20, "Zel", "general", "Somebody is aboard.", "Somebody is aboard."),
    Posted(25, "Zel", "general", "Its lamp is lit.", "Its lamp is lit."),
    Posted(30, "Zel", "emote", "looks up at the lamp", "Zel looks up at the lamp"),
    Posted(40, "Zel", "general", "*whispers* Not today.", "<em>whispers</em> Not today."),
    typed(60, "Pell", "1d20+3", "Stealth", 17, dice(20, 14), added("+3")),
    typed(70, "Pell", "4d6kh3", "", 15, dice(6, 1, 4, 5, 6, dropped=[0])),
    typed(75, "Pell", "3d6!", "", 18, {**dice(6, 6, 6, 2, 1, 3), "dice": 3}),
    typed(80, "Mary (GM)", "2d6+1", "", 8, dice(6, 3, 4), added("+1"), secret=True),
    typed(90, "Zel", "5d10>7", "", 2, dice(10, 7, 8, 1, 2, 3), unit=" Successes"),
    typed(95, "Zel", "4dF+2", "", 3, dice(3, 1, -1, 0, 1, fate=True), added("+2")),
    Posted(
        100,
        "Zel",
        "general",
        "I jump $[[0]] feet.",
        f"I jump {JUMP[1]} feet.",
        more={"inlinerolls": [JUMP[0]]},
    ),
    card(
        110,
        "Pell",
        "simple",
        "Boathook",
        "Pell the Tall",
        inline("1d20cs>20 + 1[STR] + 2[PROF]", 10, dice(20, 7), added("+1+2")),
        inline("1d20cs>20 + 1[STR] + 2[PROF]", 23, dice(20, 20), added("+1+2")),
    ),
    card(
        120,
        "Pell",
        "dmg",
        "Hook",
        "Pell the Tall",
        inline("(1d8+1)*2", 10, added("("), dice(8, 4), added("+1)*2")),
    ),
    Posted(
        130,
        "Mary (GM)",
        "whisper",
        "It is no lamp.",
        "It is no lamp.",
        "private",
        "(To Zel):",
        {"target": "-Jon", "target_name": "Zel"},
    ),
    Posted(
        140,
        "Zel",
        "whisper",
        "Then what?",
        "Then what?",
        "private",
        "(From Zel):",
        {"target": "gm", "target_name": "gm"},
    ),
    Posted(150, "Pell", "general", "((one moment))", "((one moment))"),
    Posted(
        160,
        "Mary (GM)",
        "general",
        "{{name=The lamp}} {{desc=It burns without oil.}}",
        '<div class="sheet-rolltemplate-traits"><div class="sheet-row sheet-header"><span>The lamp</span></div>'
        '<div class="sheet-row"><span class="sheet-desc">It burns without oil.</span></div></div>',
        more={"rolltemplate": "traits"},
    ),
    Posted(
        170,
        "Zel",
        "general",
        "See [x](https://files.example/maps/ferry.png?token=abc)",
        'See <img src="https://files.example/maps/ferry.png?token=abc">',
    ),
    Posted(180, "Old Ferryman", "emote", "coughs", "Old Ferryman coughs"),
    Posted(190, "Old Ferryman", "emote", "points at the oars", "Old Ferryman points at the oars"),
    Posted(195, "Mary (GM)", "api", "!token-mod --on light"),
    Posted(200, "Zel", "general", MANY, html.escape(MANY, quote=False)),
    Posted(7_500, "Zel", "general", "Good night, fähre.", "Good night, fähre."),
)
"""Messages in both shapes."""


def posted_ids() -> list[str]:
    """Ids of the messages, in their order."""
    return [push_id(posted.after, number) for number, posted in enumerate(EVENING)]


def stamp(after: float) -> str:
    """Time as the page shows it, in the hours of the one who saved it."""
    time = START + timedelta(seconds=after)
    return f"{time:%B} {time.day:02}, {time.year} {time.hour % 12 or 12}:{time.minute:02}{'AM' if time.hour < 12 else 'PM'}"


def _shown(posted: Posted, identifier: str, *, is_head: bool) -> str:
    kind = {"gmrollresult": "rollresult"}.get(posted.kind, posted.kind)
    own = " you" if PLAYERS[posted.who] == "-Mary" else ""
    player = f" player-{PLAYERS[posted.who]}" if kind == "rollresult" else ""
    classes = " ".join(filter(None, ["message", kind if not posted.classes else f"{posted.classes} {kind}"]))
    account = f' data-playerid="{PLAYERS[posted.who]}"' if player else ""
    head = ""
    if is_head:
        head = (
            '<div class="spacer"></div><div class="avatar" aria-hidden="true"><img src="/users/avatar/1/30"></div>'
            f'<span class="tstamp" aria-hidden="true">{stamp(posted.after)}</span>'
        )
        if kind not in ("emote", "desc"):
            head += f'<span class="by">{posted.by or posted.who + ":"}</span>'
    return f'<div class="{classes}{own}{player}" data-messageid="{identifier}"{account}>{head}{posted.shown}</div>'


def _rows() -> Iterator[str]:
    before = ""
    for posted, identifier in zip(EVENING, posted_ids(), strict=True):
        if posted.shown is None:
            continue
        speaks = f"{posted.who} {posted.by}" if posted.kind not in ("emote", "desc") else ""
        yield _shown(posted, identifier, is_head=speaks != before or not speaks)
        before = speaks


LINK = "<a href=\"!\" title=\"<div class='message general' data-messageid='-Forged'>Nobody.</div>\">The rope</a> holds."
ONLY_SHOWN = (
    '<div class="message system"><div class="spacer"></div>Pell disconnected</div>',
    f'<div class="message general you" data-messageid="{push_id(7_600, 90)}"><span class="by">Mary (GM):</span>Once more.</div>',
    f'<div class="message general" data-messageid="{push_id(7_610, 91)}">The line above it was deleted.</div>',
    f'<div class="message general you" data-messageid="{push_id(7_600, 90)}"><span class="by">Mary (GM):</span>Once more.</div>',
    f'<div class="message general you" data-messageid="{push_id(7_600, 90)}"><span class="by">Mary (GM):</span>Twice.</div>',
    f'<div class="message general you" data-messageid="{push_id(7_620, 92)}"><span class="by">Mary (GM):</span>{LINK}</div>',
    f'<div class="message emote" data-messageid="{push_id(7_630, 93)}">somebody unseen laughs</div>',
    f'<div class="message general" data-messageid="{push_id(7_640, 94)}"><div class="spacer"></div></div>',
)
"""Messages that only the page has: without a name, without an id, twice, and one in an attribute."""


def as_page() -> str:
    """Page as the browser saves it complete: the messages as they were shown."""
    rows = "\n".join([*_rows(), *ONLY_SHOWN])
    return (
        "<!DOCTYPE html>\n<html><head><title>Chat Log for Salt | Roll20</title>\n"
        "<script>var row = \"<div class='message general' data-messageid='\" + id + \"'>\";</script></head>\n"
        f'<body><div id="textchat" class="textchatcontainer"><div class="content">\n{rows}\n</div></div>\n'
        '<!-- <div class="message general" data-messageid="-Old">gone</div> -->\n</body></html>\n'
    )


def pages() -> list[dict[str, Any]]:
    """Messages in JSON: the newest page first, as the archive has them."""
    rows = {}
    for posted, identifier in zip(EVENING, posted_ids(), strict=True):
        rows[identifier] = {
            "avatar": "/users/avatar/1/30",
            "content": posted.content,
            "playerid": PLAYERS[posted.who],
            "type": posted.kind,
            "who": posted.who,
            **posted.more,
            ".priority": (START + timedelta(seconds=posted.after)).timestamp() * 1000,
        }
    newest = list(rows)[-4:]
    return [{name: rows[name] for name in newest}, {name: rows[name] for name in rows if name not in newest}]


def as_archive() -> str:
    """R20Exporter's archive, whose letters beyond ASCII were read in the wrong encoding."""
    return json.dumps(pages(), ensure_ascii=False, indent=1).encode().decode("latin-1")


def as_page_alone() -> str:
    """Page saved without what the browser made of it: the messages are JSON in base64."""
    data = base64.b64encode(
        json.dumps([{k: v for page in reversed(pages()) for k, v in page.items()}]).encode()
    ).decode()
    return (
        "<!DOCTYPE html>\n<html><head><title>Chat Log for Salt | Roll20</title></head>\n"
        f'<body><div id="textchat"><div class="content"></div></div><script>\nvar msgdata = "{data}";\n'
        "Object.defineProperty(window, 'x', {});\n</script></body></html>\n"
    )


FILES = {
    "roll20.html": lambda _: as_page(),
    "roll20-alone.html": lambda _: as_page_alone(),
    "roll20.json": lambda _: as_archive(),
}
