"""A made-up evening on Discord, written in the shapes of DiscordChatExporter's four formats.

python -m tests.retold.sources.made_up writes the files in examples/imports and what is read from them.
"""

from __future__ import annotations

import csv
import html
import io
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from retold.sources.unit import Unit
from tests.retold.sources import (
    made_up_dicebots,
    made_up_fantasy_grounds,
    made_up_foundry,
    made_up_lonelog,
    made_up_maptool,
    made_up_roll20,
    made_up_subtitles,
    made_up_vault,
)

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples" / "imports"
GOLDEN = Path(__file__).parent / "golden"
EPOCH = 1_420_070_400_000
START = datetime(2026, 3, 1, 19, 42, 10, 123000, UTC)


@dataclass(frozen=True)
class Person:
    """Account on Discord; a proxy has no discriminator though it is a bot."""

    number: int
    name: str
    nickname: str = ""
    is_bot: bool = False
    discriminator: str = "0000"

    @property
    def label(self) -> str:
        return self.nickname or self.name

    @property
    def full_name(self) -> str:
        return self.name if self.discriminator == "0000" else f"{self.name}#{self.discriminator}"


@dataclass(frozen=True)
class Frame:
    """Embed."""

    title: str = ""
    description: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    footer: str = ""


@dataclass(frozen=True)
class Sent:
    """Message, so many seconds after the first."""

    after: float
    who: Person
    words: str = ""
    kind: str = "Default"
    frames: tuple[Frame, ...] = ()
    files: tuple[str, ...] = ()
    edited: bool = False
    pinned: bool = False
    replies_to: int = 0
    asked_by: Person | None = None
    mentions: tuple[Person, ...] = ()
    reactions: int = 0
    sticker: str = ""
    forwarded: str = ""

    @property
    def time(self) -> datetime:
        return START + timedelta(milliseconds=round(self.after * 1000))

    @property
    def id(self) -> int:
        return (round(self.time.timestamp() * 1000) - EPOCH) << 22

    @property
    def is_notice(self) -> bool:
        return self.kind in NOTICE_WORDS

    @property
    def content(self) -> str:
        return NOTICE_WORDS.get(self.kind, self.words)


NOTICE_WORDS = {
    "ChannelPinnedMessage": "Pinned a message.",
    "GuildMemberJoin": "Joined the server.",
    "ThreadCreated": "Started a thread.",
}

JON = Person(900000000000000044, "jon.of.the.quay", "Jon")
MARY = Person(900000000000000045, "mary_quill", "Mary")
ODD = Person(900000000000000046, "odd", 'Odd <b>"&" Sons</b>')
ZEL = Person(900000000000000060, "Zel", "Zel", is_bot=True)
PELL = Person(900000000000000060, "Pell", "Pell", is_bot=True)
AVRAE = Person(900000000000000070, "Avrae", "Avrae", is_bot=True, discriminator="6944")
MAIDEN = Person(900000000000000071, "Dice Maiden", "Dice Maiden", is_bot=True, discriminator="1678")
TUMBLER = Person(900000000000000072, "Tumbler", "Tumbler", is_bot=True, discriminator="4410")
SESH = Person(900000000000000073, "sesh", "sesh", is_bot=True, discriminator="1244")

EVENING: Sequence[Sent] = (
    Sent(0, MARY, "The ferry has not moved since noon. Its lamp is lit all the same.", pinned=True),
    Sent(20.5, ZEL, '*looks up at the lamp* "Somebody is aboard."'),
    Sent(41, PELL, '"Or something."'),  # the same account as Zel: two characters of one proxy
    Sent(60, JON, "*ties the boat to the second post*"),
    Sent(75, JON, "((Do I see the ferryman from here?))"),
    Sent(90, MARY, "Roll for it.", replies_to=4),
    Sent(95, JON, "!check perception"),
    Sent(
        97,
        AVRAE,
        frames=(
            Frame("Zel makes a Perception check!", "**DC 12**\n1d20 (17) + 5 = `22`", footer="Success!"),
        ),
    ),
    Sent(110, JON, "!r 2d20kh1+5 sneak"),
    Sent(111, AVRAE, "@Jon  :game_die:\n**sneak**: 2d20kh1 (~~4~~, 17) + 5\n**Total**: 22", mentions=(JON,)),
    Sent(130, AVRAE, "1d6 (**6**) + 2 = `8`", "20", asked_by=ODD),  # by slash command
    Sent(
        140,
        AVRAE,
        "",
        "20",
        asked_by=JON,
        frames=(
            Frame(
                "Zel attacks with a Boathook!",
                fields=(
                    ("Meta", "**Advantage**: none"),
                    (
                        "The Ferryman",
                        "**To Hit (AC 13)**: 1d20 (14) + 6 = `20`\n**Damage**: 2d6 (3, **6**) + 3 = `12`",
                    ),
                    ("A Shape", "**To Hit**: 1d20... = `18`"),
                ),
            ),
        ),
    ),
    Sent(
        150, AVRAE, "@Odd  :game_die:\n**Result**: (1d8 (4) + 4) * 2\n**Total**: 16"
    ),  # no sum: words or total
    Sent(
        170,
        MAIDEN,
        "@Jon Request: `[4d6 k3]` Roll: `[6, 5, 3, 1]` Result: `14` Reason: `stats`",
        mentions=(JON,),
    ),
    Sent(
        180,
        MAIDEN,
        "@Jon Request: `[2 3d6 + 1]` Rolls:\n`[6, 5, 3]` Result: `15`\n`[2, 2, 1]` Result: `6`\n"
        "Results Total: `21`",
        mentions=(JON,),
    ),
    Sent(190, ODD, "/roll 3d8+1"),
    Sent(192, TUMBLER, "3d8+1: [2, 8, 5] + 1 = 16"),
    Sent(200, ODD, "A light! ||It is **red**.||", edited=True, reactions=2),
    Sent(215, MARY, "> A light!\nThe lamp swings, and nobody holds it.\n`creak`"),
    Sent(230, MARY, "the quay, from above", files=("https://cdn.example/map.png?ex=6a&is=6b&hm=7c",)),
    Sent(240, JON, sticker="wave"),
    Sent(241, JON),  # nothing in it
    Sent(250, MARY, kind="ChannelPinnedMessage"),
    Sent(260, ODD, kind="GuildMemberJoin"),
    Sent(270, SESH, frames=(Frame("The Ferry, part two", "", (("Time", "Sunday 8 March 2026 19:30"),)),)),
    Sent(
        280, ODD, "[3/1/2026 7:42 PM] Mary\nshe wrote that down, and data-message-id=1477752830549819392 too"
    ),
    Sent(290, JON, "// back in five"),
    Sent(300, JON, forwarded="Bring the long rope."),
    Sent(310, MARY, "a poll nobody answered", "46"),  # a kind that no reader knows
    Sent(
        700,
        MARY,
        "Later, the tide turns. https://example.org/tide",
        frames=(Frame("Tide", "A table of tides."),),
    ),
    Sent(5 * 3600, PELL, '"Good morning," she says to nobody.'),
)


OF_ZEL = Person(900000000000000081, "jon.of.the.quay", "Zel")
OF_PELL = Person(900000000000000082, "ada_m", "Pell")
FERRYMAN = Person(900000000000000060, "The Ferryman", "The Ferryman", is_bot=True)

FIRST_EVENING: Sequence[Sent] = (
    Sent(0, MARY, "The ferry has not moved since noon. Its lamp is lit all the same."),
    Sent(25, OF_ZEL, '"Somebody is aboard."'),
    Sent(45, OF_PELL, '"Or something."'),
    Sent(70, OF_ZEL, "*ties the boat to the second post*"),
    Sent(90, OF_PELL, "((Do I see the ferryman from here?))"),
    Sent(110, MARY, "Only his coat, on a nail by the wheel. Roll to see more."),
    Sent(130, OF_PELL, "!r 1d20+5 perception"),
    Sent(
        131,
        AVRAE,
        "@Pell  :game_die:\n**perception**: 1d20 (17) + 5\n**Total**: 22",
        mentions=(OF_PELL,),
    ),
    Sent(150, MARY, "The coat turns round. There is nobody in it."),
    Sent(175, FERRYMAN, '"You are late. We cast off at noon."'),
    Sent(200, OF_ZEL, '"It is past nine."'),
    Sent(220, FERRYMAN, '"So it is."'),
    Sent(240, OF_ZEL, "*unties the boat again*"),
    Sent(255, OF_ZEL, "!r 2d20kh1+4 quietly"),
    Sent(
        256,
        AVRAE,
        "@Zel  :game_die:\n**quietly**: 2d20kh1 (~~6~~, 15) + 4\n**Total**: 19",
        mentions=(OF_ZEL,),
    ),
    Sent(280, OF_PELL, '"Leave the coat."'),
    Sent(300, MARY, "Nothing follows you but the bell of the ferry, once, and then the river."),
)
"""A short evening, as docs/imports.md takes it in."""


# --- The exporter's JSON ---


def _user(person: Person) -> dict[str, Any]:
    return {
        "id": str(person.number),
        "name": person.name,
        "discriminator": person.discriminator,
        "nickname": person.label,
        "color": None,
        "isBot": person.is_bot,
        "roles": [],
        "avatarUrl": "https://cdn.example/avatars/0.png",
    }


def _frame(frame: Frame) -> dict[str, Any]:
    return {
        "title": frame.title,
        "url": None,
        "timestamp": None,
        "description": frame.description,
        **({"footer": {"text": frame.footer}} if frame.footer else {}),
        "images": [],
        "fields": [{"name": name, "value": value, "isInline": False} for name, value in frame.fields],
        "inlineEmojis": [],
    }


def _file(address: str) -> dict[str, Any]:
    name = address.rpartition("/")[2].partition("?")[0]
    return {"id": "1", "url": address, "fileName": name, "fileSizeBytes": 9}


def as_json(evening: Sequence[Sent]) -> str:
    """JSON of the exporter."""
    messages = []
    for sent in evening:
        message: dict[str, Any] = {
            "id": str(sent.id),
            "type": "Reply" if sent.replies_to else sent.kind,
            "timestamp": sent.time.isoformat(timespec="milliseconds"),
            "timestampEdited": sent.time.isoformat() if sent.edited else None,
            "callEndedTimestamp": None,
            "isPinned": sent.pinned,
            "content": sent.content,
            "author": _user(sent.who),
            "attachments": [_file(address) for address in sent.files],
            "embeds": [_frame(frame) for frame in sent.frames],
            "stickers": [{"id": "1", "name": sent.sticker, "format": "Png", "sourceUrl": ""}]
            if sent.sticker
            else [],
            "reactions": [{"emoji": {"name": "x"}, "count": 1, "users": []}] * sent.reactions,
            "mentions": [_user(person) for person in sent.mentions],
            "inlineEmojis": [],
        }
        if sent.replies_to:
            message["reference"] = {"type": "Default", "messageId": str(evening[sent.replies_to].id)}
        if sent.forwarded:
            message["reference"] = {"type": "Forward", "messageId": "5"}
            message["forwardedMessage"] = {
                "content": sent.forwarded,
                "attachments": [],
                "embeds": [],
                "stickers": [],
            }
        if sent.asked_by:
            message["interaction"] = {"id": "2", "name": "roll", "user": _user(sent.asked_by)}
        messages.append(message)
    export = {
        "guild": {"id": "1", "name": "Salt", "iconUrl": ""},
        "channel": {
            "id": "7",
            "type": "GuildTextChat",
            "categoryId": "6",
            "category": "Play",
            "name": "the-table",
        },
        "dateRange": {"after": None, "before": None},
        "exportedAt": "2026-03-02T09:00:00+00:00",
        "messages": messages,
        "messageCount": len(messages),
    }
    return json.dumps(export, ensure_ascii=False, indent=2) + "\n"


# --- The exporter's HTML ---

_MARKS = (
    (
        r"\|\|(.+?)\|\|",
        r'<span class="chatlog__markdown-spoiler chatlog__markdown-spoiler--hidden">\1</span>',
    ),
    (r"`([^`\n]+)`", r'<code class="chatlog__markdown-pre chatlog__markdown-pre--inline">\1</code>'),
    (r"\*\*(.+?)\*\*", r"<strong>\1</strong>"),
    (r"(?<!\*)\*(?!\*)([^*]+)\*", r"<em>\1</em>"),
    (r"~~(.+?)~~", r"<s>\1</s>"),
    (r"(?<![\w/=])(https://[^\s<]+)", r"<a href=\1>\1</a>"),
    (
        r"(?m)^&gt; (.*)$\n?",
        (
            r"<div class=chatlog__markdown-quote><div class=chatlog__markdown-quote-border></div>"
            r"<div class=chatlog__markdown-quote-content>\1" + "\n</div></div>"
        ),
    ),
)


def _marked(words: str) -> str:
    text = html.escape(words)
    for pattern, tags in _MARKS:
        text = re.sub(pattern, tags, text)
    return re.sub(
        r"^@(\w+)(?=  :| Request)", r"<span class=chatlog__markdown-mention title=x>@\1</span>", text
    )


def _span(words: str) -> str:
    return f"<span class=chatlog__markdown-preserve>{_marked(words)}</span>"


def _same_group(one: Sent, other: Sent) -> bool:
    reply = bool(other.replies_to or other.asked_by)
    return (
        not reply
        and one.is_notice == other.is_notice
        and (one.is_notice or (one.who == other.who and other.after - one.after <= 420))
    )


def _reply(evening: Sequence[Sent], sent: Sent) -> str:
    if sent.replies_to:
        there = evening[sent.replies_to]
        return (
            "<div class=chatlog__reply><div class=chatlog__reply-author"
            f' title="{html.escape(there.who.full_name)}">{html.escape(there.who.label)}</div>'
            "<div class=chatlog__reply-content><span class=chatlog__reply-link"
            f""" onclick="scrollToMessage(event, '{there.id}')">{_marked(there.words)}</span></div></div>"""
        )
    if sent.asked_by:
        who = sent.asked_by
        return (
            "<div class=chatlog__reply><div class=chatlog__reply-author"
            f' title="{html.escape(who.full_name)}">{html.escape(who.label)}</div>'
            "<div class=chatlog__reply-content>used /roll</div></div>"
        )
    return ""


def _framed(frame: Frame) -> str:
    parts = []
    if frame.title:
        parts.append(
            f"<div class=chatlog__embed-title><div class=chatlog__markdown>{_span(frame.title)}</div></div>"
        )
    if frame.description:
        parts.append(f"<div class=chatlog__embed-description>{_span(frame.description)}</div>")
    parts += [
        f"<div class=chatlog__embed-field><div class=chatlog__embed-field-name>{_span(name)}</div>"
        f"<div class=chatlog__embed-field-value>{_span(value)}</div></div>"
        for name, value in frame.fields
    ]
    if frame.footer:
        parts.append(f"<span class=chatlog__embed-footer-text>{html.escape(frame.footer)}</span>")
    return f"<div class=chatlog__embed>{''.join(parts)}</div>"


def _container(evening: Sequence[Sent], sent: Sent, *, is_first: bool) -> str:
    pinned = '"chatlog__message-container chatlog__message-container--pinned"'
    classes = pinned if sent.pinned else "chatlog__message-container"
    head = f"<div id=chatlog__message-container-{sent.id} class={classes} data-message-id={sent.id}>"
    who, label = html.escape(sent.who.full_name), html.escape(sent.who.label)
    if sent.is_notice:
        return (
            f'{head}<span class=chatlog__system-notification-author title="{who}"'
            f" data-user-id={sent.who.number}>"
            f"{label}</span> <span class=chatlog__system-notification-content>{sent.content}</span></div>"
        )
    parts = [head]
    if is_first:
        bot = "<span class=chatlog__author-tag>BOT</span>" if sent.who.is_bot else ""
        parts.append(
            f'{_reply(evening, sent)}<div class=chatlog__header><span class=chatlog__author title="{who}"'
            f" data-user-id={sent.who.number}>{label}</span>{bot}</div>"
        )
    if sent.words or sent.edited:
        edited = "<span class=chatlog__edited-timestamp>(edited)</span>" if sent.edited else ""
        parts.append(f'<div class="chatlog__content chatlog__markdown">{_span(sent.words)}{edited}</div>')
    if sent.forwarded:
        words = f"<div class=chatlog__forwarded-content>{_span(sent.forwarded)}</div>"
        parts.append(f"<div class=chatlog__forwarded>{words}</div>")
    for address in sent.files:
        name = _file(address)["fileName"]
        parts.append(
            f'<div class=chatlog__attachment><a href="{address}"><img class=chatlog__attachment-media'
            f' title="Image: {name} (9 bytes)" src="{address}"></a></div>'
        )
    parts += [_framed(frame) for frame in sent.frames]
    if sent.sticker:
        parts.append(f"<div class=chatlog__sticker title={sent.sticker}></div>")
    if sent.reactions:
        parts.append(
            "<div class=chatlog__reactions>"
            + "<div class=chatlog__reaction>x</div>" * sent.reactions
            + "</div>"
        )
    return "".join(parts) + "</div>"


def as_html(evening: Sequence[Sent]) -> str:
    """HTML of the exporter: small, with groups, most attributes without quotes."""
    groups: list[list[Sent]] = []
    for sent in evening:
        if groups and _same_group(groups[-1][-1], sent):
            groups[-1].append(sent)
        else:
            groups.append([sent])
    told = [
        "<div class=chatlog__message-group>"
        + "".join(_container(evening, sent, is_first=place == 0) for place, sent in enumerate(group))
        + "</div>"
        for group in groups
    ]
    return (
        "<!DOCTYPE html><html lang=en><head><title>Salt - the-table</title><meta charset=utf-8>"
        "<style>.chatlog__message{color:#000}</style></head>\n<body><div class=preamble>"
        "<div class=preamble__entry>Salt</div><div class=preamble__entry>Play / the-table</div></div>\n"
        "<div class=chatlog>\n" + "\n".join(told) + f"\n</div>\n<div class=postamble>Exported {len(evening)}"
        " message(s)</div></body></html>\n"
    )


# --- The exporter's CSV and text ---


def as_csv(evening: Sequence[Sent]) -> str:
    """CSV of the exporter, with the times of today's version."""
    out = io.StringIO()
    out.write("AuthorID,Author,Date,Content,Attachments,Reactions\r\n")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    for sent in evening:
        time = sent.time.strftime("%Y-%m-%dT%H:%M:%S.%f") + "0+00:00"
        reactions = ",".join(["x (1)"] * sent.reactions)
        writer.writerow(
            [sent.who.number, sent.who.full_name, time, sent.content, ",".join(sent.files), reactions]
        )
    return out.getvalue()


def american(time: datetime) -> str:
    hour, half = time.hour % 12 or 12, "PM" if time.hour >= 12 else "AM"
    return f"{time.month}/{time.day}/{time.year} {hour}:{time.minute:02}\u202f{half}"


def _lines(evening: Sequence[Sent], date: Callable[[datetime], str]) -> Iterator[str]:
    rule = "=" * 62
    yield from (rule, "Guild: Salt", "Channel: Play / the-table", rule, "")
    for sent in evening:
        yield f"[{date(sent.time)}] {sent.who.full_name}{' (pinned)' if sent.pinned else ''}"
        yield from (sent.content, "")
        if sent.forwarded:
            yield from ("{Forwarded Message}", sent.forwarded, f"Originally sent: {date(sent.time)}", "")
        if sent.files:
            yield from ("{Attachments}", *sent.files, "")
        for frame in sent.frames:
            words = [
                frame.title,
                frame.description,
                *(part for pair in frame.fields for part in pair),
                frame.footer,
            ]
            yield from ("{Embed}", *filter(None, words), "")
        if sent.sticker:
            yield from ("{Stickers}", "https://cdn.example/stickers/1.png", "")
        if sent.reactions:
            yield from ("{Reactions}", " ".join(["x"] * sent.reactions))
        yield ""
    yield from (rule, f"Exported {len(evening):,} message(s)", rule)


def as_text(evening: Sequence[Sent], date: Callable[[datetime], str] = american) -> str:
    """Text of the exporter, with times as an American computer writes them."""
    return "\n".join(_lines(evening, date)) + "\n"


DISCORD: dict[str, Callable[[Sequence[Sent]], str]] = {
    "discord.json": as_json,
    "discord.html": as_html,
    "discord.csv": as_csv,
    "discord.txt": as_text,
}


# --- Lines of text ---

PLAIN = """\
Typed up by Mary, the morning after.

# The ferry
Mary: The ferry has not moved since noon.
Its lamp is lit all the same.
Zel: *looks up at the lamp*
Zel: "Somebody is aboard."
Note: the lamp is an old one.
Zel: d20+5 (17) = 22
Pell: ((one moment))
Mary: A door opens below, and 2d6 = 9 of the planks give way.
Pell: // back again

## The hold
Pell: 2d6+1 = 8
Mary: Water, to the knee.
HP: 12
Pell: "Not today."
http: nobody says this
"""

IRC = """\
--- Log opened Sun Mar 01 19:30:00 2026
19:40 -!- Zel [zel@example] has joined #the-table
19:42 <@Mary> The ferry has not moved since noon.
19:42 < Zel> Somebody is aboard.
19:43  * Zel looks up at the lamp
19:44 < Zel> 3d6 [1, 4, 6] = 11
19:45 <@Mary> She wrote: 19:42 <Pell> I never said this.
23:59 < Zel> (( late ))
--- Day changed Mon Mar 02 2026
00:01 <@Mary> Later, the tide turns.
--- Log closed Mon Mar 02 00:05:00 2026
"""

WHATSAPP = """\
28/02/2026, 19:40 - Messages are end-to-end encrypted.
28/02/2026, 19:42 - Mary: The ferry has not moved since noon.
Its lamp is lit all the same.
28/02/2026, 19:43 - Zel: Somebody is aboard: look.
28/02/2026, 19:43 - Odd joined using a link
28/02/2026, 19:44 - Odd: IMG-0001.jpg (file attached)
01/03/2026, 00:10 - Zel: 99/99/2026, 19:44 - Mary: nobody said this
"""


def _die(number: int, faces: int, results: Sequence[Any], *modifiers: str) -> dict[str, Any]:
    return {
        "class": "Die",
        "number": number,
        "faces": faces,
        "modifiers": list(modifiers),
        "results": list(results),
    }


def _lay(face: int, **more: bool) -> dict[str, Any]:
    return {"result": face, "active": True, **more}


def _roll(formula: str, total: float, *terms: object) -> str:
    return json.dumps({"class": "Roll", "formula": formula, "total": total, "terms": terms})


PLUS = {"class": "OperatorTerm", "operator": "+"}
TIMES = {"class": "OperatorTerm", "operator": "*"}


def _number(value: float) -> dict[str, Any]:
    return {"class": "NumericTerm", "number": value}


def _chat(letter: str, after: int, **more: object) -> dict[str, Any]:
    time = round(START.timestamp() * 1000) + after * 1000
    speaker = {"scene": None, "actor": "actorzel00000001", "token": None, "alias": "Zel"}
    message = {
        "_id": letter * 16,
        "user": "userjon000000001",
        "timestamp": time,
        "speaker": speaker,
        "content": "",
    }
    return {**message, "type": 0, "whisper": [], "blind": False, "flags": {}, **more}


NOBODY = {"scene": None, "actor": None, "token": None}
ADVANTAGE = _die(2, 20, [{"result": 4, "active": False, "discarded": True}, _lay(17)], "kh")
REROLLED = _die(
    2, 6, [_lay(1, rerolled=True, active=False), _lay(6, exploded=True), _lay(3), _lay(2)], "r", "x"
)
FOUNDRY_ROWS: Sequence[dict[str, Any]] = (
    {"$$indexCreated": {"fieldName": "_id", "unique": True}},
    _chat("b", 30, content="Somebody is aboard.", type=2),
    _chat("a", 0, content="The ferry has not moved since noon.", user="usermary00000001", speaker=NOBODY),
    _chat(
        "c",
        60,
        roll=_roll("2d20kh + 5", 22, ADVANTAGE, PLUS, _number(5)),
        content="22",
        flavor="Stealth",
        type=5,
    ),
    _chat(
        "d", 60, rolls=[_roll("2d6rx", 12, REROLLED), _roll("1d8", 8, _die(1, 8, [_lay(8)]))], content="20"
    ),
    _chat("e", 80, rolls=[_roll("1d6 * 2", 10, _die(1, 6, [_lay(5)]), TIMES, _number(2))], content="10"),
    _chat("f", 90, rolls=[_roll("1d100000", 7, _die(1, 100_000, [_lay(7)]))], content="7", blind=True),
    _chat("g", 95, content="It is no lamp.", whisper=["usermary00000001", "usergone00000001"], type=4),
    _chat("h", 99, content="<p>pulls the rope</p>", type=3, emote=True),
    _chat(
        "i",
        100,
        content='<div class="card"><h3>Boathook</h3><img src="hook.webp"><p>A hook &amp; a pole.</p>'
        "<button>Attack</button><script>alert(1)</script></div>",
    ),
    _chat("j", 110, content="", flavor=""),
    _chat(
        "n",
        1,
        content="<h3>Getting started</h3>",
        flags={"core": {"nue": True}},
        whisper=["usermary00000001"],
    ),
    _chat("k", 120, speaker={**NOBODY, "actor": "actorzel00000001"}, content="No alias, but an actor."),
    _chat("l", 130, content="said and then thought better of"),
    _chat("b", 30, content="Somebody is aboard, I think.", type=2),
    {"_id": "l" * 16, "$$deleted": True},
)


def as_foundry() -> str:
    """Database of messages, whose last line was never finished."""
    rows = [json.dumps(row, separators=(",", ":"), ensure_ascii=False) for row in FOUNDRY_ROWS]
    return "\n".join(rows) + '\n{"_id":"mmmmmmmmmmmmmmmm","user":"userjon000000001","content":"half a l'


FOUNDRY_TEXT = """\
[3/1/2026, 7:42:10\u202fPM] Mary
The ferry has not moved since noon.
---------------------------
[3/1/2026, 7:42:40 PM] Zel
2d20kh + 5 = 17 + 5 = 22
---------------------------
[3/1/2026, 7:43:10 PM] Zel
12
1d20 = 12 = 12
1d6 + 1d4 - 1 = 5 + 3 - 1 = 7
---------------------------
[3/1/2026, 7:43:20 PM] Zel
1d20 + 2 + 0.14 = 12 + 2 + 0.14 = 14.14
---------------------------
[3/1/2026, 7:43:30 PM] Zel
(1d6 + 1) * 2 = (5 + 1) * 2 = 12
---------------------------
[3/1/2026, 7:44:00 PM] Pell
A line is under this:
---------------------------
and it goes on. x = 2 = y
---------------------------
[3/1/2026, 7:45:00 PM] Pell
---------------------------
[3/1/2026, 12:05:00 AM] Pell
((late))
"""


_FERRY_LAMP = ["The ferry has ", {"type": "bold", "text": "not"}, " moved since noon. Its lamp is lit."]
TELEGRAM: Sequence[Mapping[str, object]] = (
    {"type": "service", "actor": "Mary", "actor_id": "user1", "action": "create_group", "text": ""},
    {"type": "message", "from": "Mary", "from_id": "user1", "text": _FERRY_LAMP},
    {"type": "message", "from": "Jon", "from_id": "user2", "text": "Somebody is aboard."},
    {"type": "message", "from": "Jon", "from_id": "user2", "text": "2d6+1 [3, 4] = 8"},
    {"type": "message", "from": "Ada", "from_id": "user3", "text": "/me ties the boat"},
    {"type": "message", "from": "Ada", "from_id": "user3", "text": "((back in five))", "edited": "later"},
    {"type": "message", "from": "Mary", "from_id": "user1", "text": "", "photo": "photos/map.jpg"},
    {
        "type": "message",
        "from": "Ada",
        "from_id": "user3",
        "text": "",
        "media_type": "sticker",
        "file": "a.webp",
    },
    {"type": "message", "from": "Jon", "from_id": "user2", "text": '"from_id": "user1" forges nobody'},
)


def as_telegram() -> str:
    """Chat of Telegram, exported as JSON."""
    start = 1_772_394_120
    told = [
        {"id": number, **one, "date_unixtime": str(start + 30 * number)}
        for number, one in enumerate(TELEGRAM, start=1)
    ]
    return json.dumps({"name": "The Ferry", "type": "private_group", "id": 1, "messages": told}, indent=1)


def as_slack() -> str:
    """Day of a channel of Slack, with a reply as Slackdump puts it inside its message."""
    profile: dict[str, Any] = {"user_profile": {"display_name": "Mary"}}
    reply = {"user": "U2", "username": "Jon", "text": "And lit.", "ts": "1772394300.000100"}
    told: tuple[dict[str, Any], ...] = (
        {"user": "U1", "text": "has joined", "subtype": "channel_join"},
        {"user": "U1", "text": "The ferry has *not* moved &amp; waits.", **profile},
        {"user": "U2", "text": "Look, <@U1>: <https://ferry.example|the lamp>.", "username": "Jon"},
        {"user": "U1", "text": "lights the lamp", "subtype": "me_message"},
        {
            "user": "U2",
            "text": "Lit?",
            "reply_count": 1,
            "username": "Jon",
            "slackdump_thread_replies": [{"type": "message", **reply}],
        },
        {"user": "U1", "text": "", "files": [{"name": "lamp.png"}]},
    )
    messages = [
        {"type": "message", **one, "ts": f"{1_772_394_120 + 30 * number}.000100"}
        for number, one in enumerate(told)
    ]
    return json.dumps({"name": "the-ferry", "messages": messages}, indent=1)


def _always(text: str) -> Callable[[Sequence[Sent]], str]:
    """Maker of a file that is of another evening."""
    return lambda _: text


FILES: dict[str, Callable[[Sequence[Sent]], str]] = {
    **DISCORD,
    "the-table.json": lambda _: as_json(FIRST_EVENING),
    "foundry/messages.db": lambda _: as_foundry(),
    "foundry/users.db": lambda _: "\n".join(
        json.dumps({"_id": number, "name": name})
        for number, name in (("userjon000000001", "Jon"), ("usermary00000001", "Mary"))
    ),
    "foundry/actors.db": lambda _: json.dumps({"_id": "actorzel00000001", "name": "Zel"}),
    "foundry.txt": lambda _: FOUNDRY_TEXT,
    "irc.log": lambda _: IRC,
    "plain.txt": lambda _: PLAIN,
    "whatsapp.txt": lambda _: WHATSAPP,
    "telegram.json": lambda _: as_telegram(),
    "slack.json": lambda _: as_slack(),
    **made_up_dicebots.FILES,
    **made_up_roll20.FILES,
    **made_up_fantasy_grounds.FILES,
    **made_up_maptool.FILES,
    **{
        name: _always(text)
        for name, text in (made_up_vault.FILES | made_up_lonelog.FILES | made_up_subtitles.FILES).items()
    },
}


LOGS = (
    *DISCORD,
    *("the-table.json", "foundry", "foundry-archive.json", "foundry-world", "foundry.txt", "iron-vault"),
    *("irc.log", "plain.txt", "whatsapp.txt", "telegram.json", "slack.json"),
    *made_up_roll20.FILES,
    *made_up_fantasy_grounds.FILES,
    *made_up_maptool.FILES,
    *made_up_dicebots.LOGS,
    *made_up_lonelog.FILES,
    *made_up_subtitles.SOURCES,
)
"""Files and folders that are read."""

NAMED = {"plain.txt": "plain", **made_up_dicebots.NAMED}
"""Formats of the files whose look is not enough."""


# --- A long evening of dice, by chance ---


def many(seed: int, number: int) -> list[Sent]:
    """Evening of so many messages by people and six bots, each throw with the numbers that lay."""
    luck = random.Random(seed)
    sent: list[Sent] = []
    after = 0.0
    while len(sent) < number:
        after += luck.choice((2.5, 30, 300, 4000))
        sent.append(luck.choice(_KINDS)(luck, after))
    return sent


def _words(luck: random.Random, after: float) -> Sent:
    line = luck.choice(("The rope holds.", "*listens*", "((Whose turn?))", 'A gull says "kark" & <leaves>.'))
    return Sent(after, luck.choice((JON, MARY, ZEL, PELL)), line)


def _faces(luck: random.Random, count: int, sides: int) -> list[int]:
    return [luck.randint(1, sides) for _ in range(count)]


def _bold(face: int, sides: int) -> str:
    return f"**{face}**" if face in (1, sides) else str(face)


def _avrae_plain(luck: random.Random, after: float) -> Sent:
    count, sides, added = luck.randint(1, 6), luck.choice((4, 6, 8, 10, 12, 20, 100)), luck.randint(0, 9)
    faces = _faces(luck, count, sides)
    shown = ", ".join(_bold(face, sides) for face in faces)
    words = f"**Result**: {count}d{sides} ({shown}) + {added}\n**Total**: {sum(faces) + added}"
    return Sent(after, AVRAE, f"@Jon  :game_die:\n{words}", mentions=(JON,))


def _avrae_advantage(luck: random.Random, after: float) -> Sent:
    faces = _faces(luck, 2, 20)
    which, kept = luck.choice((("kh1", max(faces)), ("kl1", min(faces))))
    dropped = faces.index(min(faces) if which == "kh1" else max(faces))
    shown = ", ".join(
        f"~~{_bold(face, 20)}~~" if place == dropped else _bold(face, 20) for place, face in enumerate(faces)
    )
    frame = Frame("Zel makes an Athletics check!", f"2d20{which} ({shown}) - 1 = `{kept - 1}`")
    return Sent(after, AVRAE, kind="20", asked_by=JON, frames=(frame,))


def _maiden(luck: random.Random, after: float) -> Sent:
    faces = sorted(_faces(luck, 4, 6), reverse=True)
    words = f"@Jon Request: `[4d6 k3 + 2]` Roll: `{faces}` Result: `{sum(faces[:3]) + 2}`"
    return Sent(after, MAIDEN, words, mentions=(JON,))


def _maiden_target(luck: random.Random, after: float) -> Sent:
    faces = sorted(_faces(luck, 5, 10), reverse=True)
    hits = sum(face >= 7 for face in faces)
    words = f"@Jon Request: `[5d10 t7]` Roll: `{faces}` Result: `{hits}` Reason: `open the hatch`"
    return Sent(after, MAIDEN, words, mentions=(JON,))


def _tumbler(luck: random.Random, after: float) -> Sent:
    faces = _faces(luck, 3, 8)
    return Sent(after, TUMBLER, f"3d8+1: {faces} + 1 = {sum(faces) + 1}", asked_by=ODD)


_KINDS = (_words, _words, _avrae_plain, _avrae_plain, _avrae_advantage, _maiden, _maiden_target, _tumbler)


# --- What is read from the files ---


@dataclass
class Seen:
    """Lines and report that stand in the golden files."""

    lines: list[str] = field(default_factory=list)
    report: str = ""


def seen(path: Path) -> Seen:
    """Units and report of a file, as the golden files have them."""
    from retold.sources import Hints, Order, read  # noqa: PLC0415 - the files can be written without it

    named = NAMED.get(path.name, "")
    month_first = Hints(dates=Order.MONTH_FIRST) if path.name == "discord.txt" else Hints()
    source = read(path, format=named, hints=month_first)
    report = json.dumps(source.report().as_json(), ensure_ascii=False, indent=2) + "\n"
    return Seen([line for unit in source for line in told(unit)], report)


def told(unit: Unit) -> Iterator[str]:
    """One unit in lines for people."""
    fate = f"left out: {unit.left_out}" if unit.left_out else "unread" if unit.unread else str(unit.sort)
    when = unit.when.time.isoformat() if unit.when else "no time"
    if unit.when is None and unit.clock is not None:
        when = f"at {unit.clock}"
    who = unit.speaker + (f" through {unit.through}" if unit.through else "")
    signs = [name for name in ("edited", "pinned", "hidden") if getattr(unit, name)]
    passed = [f"without {reason}" for reason in unit.passed]
    yield f"{unit.place} {when} {who} ({', '.join([fate, *signs, *passed])})"
    for line in (unit.raw or unit.text).splitlines():
        yield f"    {line}"
    for one in unit.attached:
        yield f"    {one}"
    for throw in unit.throws:
        faces = " ".join(map(str, throw.faces))
        rest = " · ".join(filter(None, (throw.text, throw.against, throw.verdict)))
        yield f"    {throw.rung}: {throw.dice} = {faces} total {throw.total} ({rest})"
    for fact in unit.facts:
        whose = f"{fact.whose}'s " if fact.whose else ""
        player = f" (played by {fact.player})" if fact.player else ""
        yield f"    {fact.kind}: {whose}{fact.name} = {fact.value}{player}"


def write() -> None:
    """Writes the examples and the golden files."""
    EXAMPLES.mkdir(parents=True, exist_ok=True)
    GOLDEN.mkdir(exist_ok=True)
    for name, made in FILES.items():
        (EXAMPLES / name).parent.mkdir(exist_ok=True)
        (EXAMPLES / name).write_text(made(EVENING), "utf-8", newline="")
    made_up_foundry.write(EXAMPLES)
    for name in LOGS:
        result = seen(EXAMPLES / name)
        (GOLDEN / f"{name}.units").write_text("\n".join(result.lines) + "\n", "utf-8", newline="")
        (GOLDEN / f"{name}.report").write_text(result.report, "utf-8", newline="")


if __name__ == "__main__":
    write()
