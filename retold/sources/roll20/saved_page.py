"""Reader of Roll20's saved page: messages as shown, or JSON inside the page."""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from retold.journal.extras import Extra
from retold.journal.markup import marked, sign_of
from retold.sources.dice import Throw, roll20
from retold.sources.dice.roll20 import Rolled
from retold.sources.dice.throw import with_words
from retold.sources.encodings import keepable
from retold.sources.evenings import GAP
from retold.sources.keys import Ordinals
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.roll20 import chat_archive
from retold.sources.roll20.messages import (
    ATTACKS,
    GAME_MASTER,
    NOBODY,
    Actors,
    Keys,
    Message,
    Stamps,
    picture,
    plain_label,
    receivers,
    unit_of,
)
from retold.sources.sniffing import Head, Likeness
from retold.sources.unit import Place, Reason, Sort, Unit, When

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_KINDS: Final = ("general", "rollresult", "emote", "desc", "whisper", "system", "error", "api", "private")
_DATA: Final = re.compile(r"\bmsgdata\s{0,9}=\s{0,9}([\"'])(?P<data>[A-Za-z0-9+/=]*)(?:\1|$)")
_OPENED: Final = re.compile(
    r"<(?:(?P<comment>!--)|(?P<raw>script|style|textarea|title|iframe|noscript)(?=[\s/>])"
    r"|(?P<div>div)(?=[\s/>])|/?[a-z])",
    re.IGNORECASE,
)
_REST: Final = re.compile(r"""(?:[^>=]++|=\s*+"[^"]*+"|=\s*+'[^']*+'|=)*+>""")
_ATTRIBUTE: Final = re.compile(r"""([^\s=>/"']+)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++)))?""")
_BY: Final = re.compile(r"""<span class=["']?by["']?[^<>]{0,80}>(?P<by>[^<]{1,200})<""")
_TO: Final = re.compile(r"\(To (?P<to>.{1,200})\)")
_FROM: Final = re.compile(r"\(From (?P<by>.{1,200}?)(?: to (?P<to>.{1,200}))?\)")
_FORMULA: Final = re.compile(r"(?P<secret>\(To [^()]{1,80}\))?\s*(?:rolling\b)?\s*(?P<asked>.*)", re.DOTALL)
_BLOCKS: Final = frozenset(
    {
        "address",
        "blockquote",
        "caption",
        "dd",
        "div",
        "dl",
        "dt",
        "footer",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
    }
    | {"header", "hr", "li", "ol", "p", "pre", "section", "table", "tr", "ul", "br"}
)
_CELLS: Final = frozenset({"td", "th"})
_SILENT: Final = frozenset({"script", "style", "template", "button", "_comment", "-comment"})
_PARTS: Final = frozenset({"spacer", "avatar", "tstamp", "by", "flyout", "clear", "backing"})
"""Classes of the parts of a message that are none of its words."""
_RUNNING: Final = frozenset({"general", "rollresult"})
"""Kinds that go on without a name behind each other."""


class _Found(NamedTuple):
    """Opening tag of a message and its place in the page."""

    start: int
    identifier: str
    classes: tuple[str, ...]
    account: str


@dataclass(slots=True)
class _People:
    """Names found in a first pass over all messages of a page."""

    labels: set[str] = field(default_factory=set)
    own: Counter[str] = field(default_factory=Counter)
    """Labels of the person who saved the page, by number of messages."""
    game_masters: set[str] = field(default_factory=set)
    emotes: list[str] = field(default_factory=list)

    @property
    def saver(self) -> str:
        """Label of the person who saved the page: the game master's, or the most frequent one."""
        names = sorted(self.own, key=lambda name: (name not in self.game_masters, -self.own[name], name))
        return names[0] if names else ""


def look(head: Head) -> Likeness:
    """Likeness to a page of Roll20's chat."""
    text, lower = head.text, head.text.casefold()
    if "<div" not in lower and "<html" not in lower:
        return Likeness.NO
    if _DATA.search(text) or (
        re.search(r"""class=["']?message (?:general|rollresult|emote|desc|whisper|private|system)""", text)
        and "data-messageid" in text
    ):
        return Likeness.SURELY
    if "roll20" in lower and (
        "<title>chat log for" in lower or "textchat" in lower or "chatarchive" in lower
    ):
        return Likeness.SURELY
    return Likeness.PERHAPS if "roll20" in lower and "<html" in lower else Likeness.NO


def count(stream: Stream) -> int:
    """Number of messages in the page's JSON, and of `div` tags of their class outside scripts."""
    text = stream.text
    data = _data_of(text)
    for opening, closing in (("<script", "</script"), ("<!--", "-->")):
        first, *others = re.split(re.escape(opening), text, flags=re.IGNORECASE)
        text = first + "".join(
            re.split(re.escape(closing), part, maxsplit=1, flags=re.IGNORECASE)[-1] for part in others
        )
    quote = '"' if 'class="message' in text else "'" if "class='message" in text else ""
    shown = 0
    for tag in text.split("<div")[1:]:
        inside, closed, _ = tag.partition(">")
        if not closed:
            continue
        kind = re.search(rf"\sclass={quote}message ([a-z]+)", inside)
        named = f"data-messageid={quote}" in inside and re.search(
            rf"\sclass={quote}[^\"']{{0,500}}\bmessage\b", inside
        )
        shown += bool(named) or (kind is not None and kind[1] in _KINDS)
    return shown + (chat_archive.counted(data) if data else 0)


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a page, read from its messages in JSON if present; shown messages then count as repeats.

    Times come from the ids, or are local times to the minute. Raises Refused if the library for HTML is
    not installed.
    """
    text = keepable(stream.text, tally)
    if "<html" in text[:2_000].casefold() and "</html" not in text[-2_000:].casefold():
        tally.warn(
            f"{stream.name} is cut off: its last message may be incomplete. Save the page again if you can."
        )
    titled = _TITLE.search(text)
    tally.title = tally.title or (html.unescape(titled["title"]).strip() if titled else "")
    data = _data_of(text)
    known: set[str] = set()
    number = 0
    if data:
        for unit in chat_archive.units(data, stream.name, tally):
            known.add(unit.key)
            number += unit.pieces
            yield unit
    yield from _shown(text, known, number, tally)


def _data_of(text: str) -> str:
    """JSON inside a page, decoded from base64; empty if missing or incomplete."""
    found = _DATA.search(text)
    if found is None or not found["data"]:
        return ""
    try:
        return base64.b64decode(found["data"], validate=True).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return ""


def _shown(text: str, known: set[str], number: int, tally: Tally) -> Iterator[Unit]:
    found = list(_opened(text))
    if not found:
        return
    Extra("selectolax", "selectolax.lexbor", "import").load("HTML", "R20Exporter's zip does not.")
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 - an extra, which few need

    people = _people(_fragments(text, found), LexborHTMLParser)
    tally.game_masters |= people.game_masters
    reader = _Reader(people)
    for place, (shown, fragment) in enumerate(_fragments(text, found), start=number + 1):
        if shown.identifier in known:
            yield Unit(
                Place(place, place), f"{shown.identifier}.shown.{place}", Sort.SAID, left_out=Reason.REPEAT
            )
            continue
        node = LexborHTMLParser(fragment).css_first("div")
        if node is None:
            continue
        yield reader.unit(shown, node, Place(place, place))
    if reader.nameless:
        tally.warn(
            f"Messages without a name in front or above, told as words of {NOBODY}: {reader.nameless:,}."
        )


def _fragments(text: str, found: Sequence[_Found]) -> Iterator[tuple[_Found, str]]:
    """Messages with the text from each one's opening tag to the next one's."""
    ends = [*(span.start for span in found[1:]), len(text)]
    return ((span, text[span.start : end]) for span, end in zip(found, ends, strict=True))


def _opened(text: str) -> Iterator[_Found]:
    """Opening tags of messages, without look-alikes inside tags, comments or scripts."""
    place = 0
    while found := _OPENED.search(text, place):
        if found["comment"]:
            place = text.find("-->", found.end()) + 3
            if place < found.end():
                return
            continue
        rest = _REST.match(text, found.end())
        if rest is None:
            return
        place = rest.end()
        if found["raw"]:
            closed = re.compile(rf"</{found['raw']}", re.IGNORECASE).search(text, place)
            if closed is None:
                return
            place = closed.end()
        elif found["div"] and "message" in rest[0]:
            message = _message_tag(found.start(), rest[0])
            if message:
                yield message


def _message_tag(start: int, attributes: str) -> _Found | None:
    named = {
        attribute[1].casefold(): next(filter(None, (attribute[2], attribute[3], attribute[4])), "")
        for attribute in _ATTRIBUTE.finditer(attributes)
    }
    classes = tuple(named.get("class", "").split())
    is_kind = classes[:1] == ("message",) and classes[1:2] and classes[1] in _KINDS
    if "message" not in classes or not ("data-messageid" in named or is_kind):
        return None
    return _Found(start, named.get("data-messageid", ""), classes, named.get("data-playerid", ""))


def _people(spans: Iterator[tuple[_Found, str]], parser: type[LexborHTMLParser]) -> _People:
    """Names in a page: speakers, the person who saved it, game masters, names in front of emotes."""
    people = _People()
    for shown, fragment in spans:
        by = _BY.search(fragment)
        if "emote" in shown.classes:
            node = parser(fragment).css_first("div")
            people.emotes.append(_words(node, is_card=False).text if node else "")
        if by is None:
            continue
        label, is_master = plain_label(html.unescape(by["by"]))
        sent = _FROM.fullmatch(label) or _TO.fullmatch(label)
        if sent:
            label, is_master = plain_label(sent.groupdict().get("by") or sent["to"])
        if is_master:
            people.game_masters.add(label)
        if sent is None:
            people.labels.add(label)
            if "you" in shown.classes:
                people.own[label] += 1
    return people


class _Reader:
    """Reader of the messages of one page, who carries names and times forward."""

    def __init__(self, people: _People) -> None:
        self._people = people
        self._actors = Actors(people.labels, people.emotes)
        self._keys, self._ordinals, self._stamps = Keys(), Ordinals(), Stamps()
        self._last: Message | None = None
        self._last_is_own = False
        self.nameless = 0
        """Number of messages whose speaker is not known."""

    def unit(self, shown: _Found, node: LexborNode, place: Place) -> Unit:
        """Unit of one message."""
        message = self._message(shown, node, place)
        self._last, self._last_is_own = message, "you" in shown.classes
        unit = unit_of(message)
        self.nameless += unit.is_read and message.label == NOBODY
        return unit

    def _message(self, shown: _Found, node: LexborNode, place: Place) -> Message:
        stamp = node.css_first(".tstamp")
        kind = next((name for name in _KINDS if name in shown.classes and name != "private"), "general")
        message = Message(
            place,
            "",
            kind,
            account=shown.account,
            when=self._stamps.when(shown.identifier, stamp.text() if stamp else ""),
            hidden=bool({"private", "whisper", "hidden-message"} & set(shown.classes)),
        )
        message = self._rolled(message, node) if kind == "rollresult" else self._said(message, node)
        message = self._with_speaker(message, node, shown)
        if shown.identifier:
            key = self._keys.key(shown.identifier, message.label, f"{message.title}\n{message.text}")
        else:
            key = self._ordinals.key(str(message.when), kind, message.label, message.text)
        return replace(message, key=key)

    def _with_speaker(self, message: Message, node: LexborNode, shown: _Found) -> Message:
        """Message with its speaker and its receivers: named, carried forward, or told in the sentence."""
        by = node.css_first(".by")
        if message.kind == "emote" and by is None:
            label, text = self._actors.parted(message.text)
            return replace(message, label=label, text=text)
        if by is not None:
            return self._named(message, by.text())
        if message.kind in ("desc", "system", "error"):
            return message
        before = self._last
        runs = (
            before is not None
            and (before.kind == message.kind or {before.kind, message.kind} <= _RUNNING)
            and (before.hidden == message.hidden or message.kind == "rollresult")
            and self._last_is_own == ("you" in shown.classes)
            and ("" in (before.account, message.account) or before.account == message.account)
        )
        if before is None or not runs or _is_gap(before.when, message.when):
            is_saver = "you" in shown.classes and len(self._people.own) == 1
            return replace(message, label=next(iter(self._people.own)) if is_saver else NOBODY)
        to = message.to or (before.to if before.hidden and message.hidden else ())
        return replace(message, label=before.label, to=to, account=message.account or before.account)

    def _named(self, message: Message, shown: str) -> Message:
        label = plain_label(shown)[0]
        sent, received = _TO.fullmatch(label), _FROM.fullmatch(label)
        own = self._people.saver
        if sent:
            speaker = own or NOBODY
            return replace(message, label=speaker, hidden=True, to=self._receivers(sent["to"]))
        if received:
            speaker = plain_label(received["by"])[0]
            to = self._receivers(received["to"]) if received["to"] else (own,) if own else ()
            return replace(message, label=speaker, hidden=True, to=to)
        return replace(message, label=label or NOBODY)

    def _receivers(self, names: str) -> tuple[str, ...]:
        return receivers(names.split(", "), self._people.game_masters)

    def _rolled(self, message: Message, node: LexborNode) -> Message:
        """Roll that was typed: its formula, its faces, its total."""
        formula = node.css_first(".formula:not(.formattedformula)")
        total = node.css_first(".rolled")
        if formula is None or total is None:
            return self._said(message, node)
        shown = _FORMULA.fullmatch(" ".join(formula.text().split()))
        asked = shown["asked"] if shown else ""
        expression, what = roll20.split(asked)
        groups = [_faces(group) for group in node.css(".formattedformula .dicegrouping")]
        number = roll20.number_of(total.text())
        throw = roll20.rolled(
            f"{asked} = {total.text().strip()}", expression, [group for group in groups if group], number
        )
        hidden = message.hidden or bool(shown and shown["secret"])
        secret = shown["secret"][4:-1] if shown and shown["secret"] else GAME_MASTER
        to = self._receivers(secret) if hidden else ()
        if not roll20.has_dice(expression):
            return replace(message, text=throw.words, hidden=hidden, to=to)
        return replace(message, text=what, title=what, throws=(throw,), hidden=hidden, to=to)

    def _said(self, message: Message, node: LexborNode) -> Message:
        template = node.css_first("[class*='sheet-rolltemplate'], rolltemplate")
        is_scripts = message.kind == "general" and any(
            _PARTS.isdisjoint((block.attributes.get("class") or "").split())
            for block in node.css(_OF_SCRIPTS)
        )
        is_card = template is not None or is_scripts
        words = _words(node, is_card=template is not None)
        words = words._replace(throws=(*words.throws, *_formulas(node)))
        if not is_card:
            links = "".join(link.text() for link in node.css("a")).split()
            kind = "link" if links and "".join(links) == "".join(words.text.split()) else message.kind
            return replace(message, kind=kind, text=words.text, throws=words.throws, attached=words.attached)
        label = node.css_first(".sheet-label, .sheet-title, caption, .sheet-header, .header__title")
        title = " ".join(label.text().split()) if label else ""
        title = re.sub(r"\s?\([-+]?\d{1,3}\)$", "", title or words.text.partition("\n")[0][:200]).strip("+ ")
        classes = (template.attributes.get("class") or "") if template else ""
        return replace(
            message,
            text=words.text,
            title=title,
            throws=words.throws,
            attached=words.attached,
            is_card=True,
            is_attack=ATTACKS.match(classes.rpartition("rolltemplate-")[2]) is not None,
        )


_TITLE: Final = re.compile(
    r"<title>\s*(?:Chat (?:Log|Archive) for\s+)?(?P<title>[^<>|\n]{1,120}?)\s*\|\s*Roll20", re.IGNORECASE
)
_OF_SCRIPTS: Final = "div[style], table"
"""Blocks that scripts send into the chat, and nobody types."""


def _is_gap(before: When | None, later: When | None) -> bool:
    """True if an evening ended between two messages."""
    if before is None or later is None or before.is_instant != later.is_instant:
        return False
    return later.time - before.time >= GAP


def _formulas(node: LexborNode) -> Iterator[Throw]:
    """Throws of the cards of newer sheets, which have the formula, its faces and the total side by side."""
    formulas = node.css(".rt-formula")
    total = node.css_first(".total__value, .die__total--preferred")
    shown = roll20.number_of(total.text()) if total and len(formulas) == 1 else None
    for formula in formulas:
        asked, faces = (formula.css_first(part) for part in (".rt-formula__raw", ".rt-formula__evaluated"))
        if asked is None or faces is None or not roll20.has_dice(asked.text()):
            continue
        group = [Rolled(int(face)) for face in re.findall(r"\d{1,6}", faces.text()[:600])]
        added = 0 if shown is None else round(shown) - sum(die.face for die in group)
        expression = f"{asked.text().strip()}{added:+}" if added else asked.text().strip()
        yield roll20.rolled(f"{expression} = {shown or faces.text().strip()}", expression, [group], shown)


def _faces(group: LexborNode) -> list[Rolled]:
    faces = []
    for die in group.css(".diceroll"):
        shown = die.css_first(".didroll")
        face = roll20.face_of(shown.text()) if shown else None
        if face is None:
            return []
        faces.append(Rolled(face, "dropped" in (die.attributes.get("class") or "").split()))
    return faces


class _Words(NamedTuple):
    text: str
    throws: tuple[Throw, ...]
    attached: tuple[str, ...]


def _words(message: LexborNode, *, is_card: bool) -> _Words:
    """Words of a message in lines, the throws of its inline rolls, and its pictures.

    In a card the results stand in the throws alone, each with the words in front of it.
    """
    parts: list[str] = []
    throws: list[Throw] = []
    attached: list[str] = []
    left: list[LexborNode | str] = list(reversed(list(message.iter(include_text=True))))
    while left:
        node = left.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        tag = node.tag or ""
        if tag == "-text":
            parts.append(re.sub(r"\s+", " ", node.text(deep=False) or ""))
            continue
        classes = set((node.attributes.get("class") or "").split())
        if tag in _SILENT or classes & _PARTS:
            continue
        if "inlinerollresult" in classes:
            _add_roll(node, parts, throws, is_card=is_card)
            continue
        if tag == "img":
            attached.append(picture(node.attributes.get("src") or ""))
            continue
        begins, ends = ("" if is_card else sign_of(tag, is_end=is_end) for is_end in (False, True))
        parts.append("\n" if tag in _BLOCKS else " " if tag in _CELLS else begins)
        left.append("\n" if tag in _BLOCKS else ends)
        left.extend(reversed(list(node.iter(include_text=True))))
    told = "".join(parts) if is_card else marked("".join(parts))
    lines = (" ".join(line.split()) for line in told.split("\n"))
    return _Words("\n".join(filter(None, lines)), tuple(throws), tuple(attached))


def _add_roll(node: LexborNode, parts: list[str], throws: list[Throw], *, is_card: bool) -> None:
    shown = " ".join(node.text().split())
    title = node.attributes.get("original-title") or node.attributes.get("title") or ""
    throw = roll20.of_title(title, shown)
    before = "".join(parts[-12:]).rpartition("\n")[2].strip(" :")
    if throw is None:
        parts.append(shown)
        return
    throws.append(with_words(throw, text=before[-200:] if is_card else ""))
    if not is_card:
        parts.append(shown)
