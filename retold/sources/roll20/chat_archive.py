"""Reader of Roll20's messages as JSON, from R20Exporter's `chat_archive.json` or inside a saved page."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from retold.journal.markup import marked, sign_of
from retold.journal.refused import Refused
from retold.sources.dice import Throw, roll20
from retold.sources.dice.throw import with_words
from retold.sources.encodings import keepable
from retold.sources.json_objects import around_objects, is_cut, is_number, object_in, objects_in, string_in
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.roll20.messages import (
    ATTACKS,
    NOBODY,
    Keys,
    Message,
    instant,
    picture,
    plain_label,
    receivers,
    time_of,
    unit_of,
    unread,
)
from retold.sources.sniffing import Head, Likeness
from retold.sources.unit import PICTURES, Place, Unit, When

_SECRET: Final = frozenset({"gmrollresult", "secretrollresult"})
_FIELDS: Final = frozenset(
    {"who", "playerid", "type", "content", "origRoll", "inlinerolls", "rolltemplate", "target", "target_name"}
    | {".priority", "timestamp", "original_type", "secret", "id", "_id"}
)
_PAGE: Final = re.compile(r'\s*(?:\[\s*)?\{\s*"(?P<id>[^"\\]{1,40})"\s*:\s*\{')
_PLACEHOLDER: Final = re.compile(r"\$\[\[(\d{1,4})\]\]")
_FIELD: Final = re.compile(
    r"\{\{(?P<name>[^{}=]{1,60})=(?P<value>(?:\^\{[^{}]{1,80}\}|[^{}]|\{(?!\{)|\}(?!\})){0,20000}+)\}\}"
)
_LINK: Final = re.compile(r"\[(?P<label>[^\[\]]{0,300})\]\((?P<address>[^()\s]{1,2000})[^()]{0,200}\)")
_TRANSLATED: Final = re.compile(r"\^\{([^{}]{1,80})\}")
_TITLES: Final = ("rname", "title", "name", "header")
_TAG: Final = re.compile(r"</?(?P<name>[a-zA-Z][a-zA-Z0-9]{0,15})\b[^<>]{0,2000}>")
_BLOCKS: Final = frozenset({"br", "div", "h1", "h2", "h3", "h4", "hr", "li", "p", "table", "tr", "ul", "ol"})
_AGAINST: Final = re.compile(r"\bvs\.? ((?:AC|DC) \d{1,3})\b")
_FLAGS: Final = frozenset({"", "0", "1"})
_PICTURES: Final = re.compile(rf"\.(?:{'|'.join(PICTURES)})(?:[?#]|$)", re.IGNORECASE)


def look(head: Head) -> Likeness:
    """Likeness to an archive: its name, or a page of messages with names and ids."""
    begun = _PAGE.match(head.text.removeprefix("\ufeff"))
    if begun is None:
        return Likeness.NO
    named = head.name.replace("\\", "/").rpartition("/")[2].casefold() == "chat_archive.json"
    speaks = '"who"' in head.text or '"playerid"' in head.text
    if named or (speaks and '"type"' in head.text and time_of(begun["id"]) is not None):
        return Likeness.SURELY
    return Likeness.PERHAPS if speaks and '"content"' in head.text and '"type"' in head.text else Likeness.NO


def count(stream: Stream) -> int:
    """Number of objects in the pages."""
    return counted(stream.text)


def counted(text: str) -> int:
    """Number of objects inside the pages of a text, by its brackets."""
    return sum("".join(sign for sign, _ in around) in ("{", "[{") for around in around_objects(text))


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of an archive, by their times; of one that is cut off, up to its last whole message.

    Raises Refused if it is no JSON.
    """
    return units(stream.text, stream.name, tally)


def units(text: str, name: str, tally: Tally) -> Iterator[Unit]:
    """Units of the messages in a text; one that is cut off is unread. Raises Refused if it is no JSON."""
    text, rest = keepable(text, tally), ""
    try:
        items = list(_items(json.loads(text, object_pairs_hook=_object)))
    except (ValueError, RecursionError):
        items, rest = _whole_items(text) if is_cut(text) else ([], "")
        if not items:
            raise Refused(
                f"{name} holds messages of Roll20 that are no whole JSON; save or export it again."
            ) from None
        tally.warn(f"{name} is cut off: it is read up to its last whole message. Export it again if you can.")
    ordered = sorted(zip(_times(items), range(len(items)), items, strict=True), key=lambda entry: entry[:2])
    reader = _Reader([item for _, item in items], tally)
    for _, number, (identifier, item) in ordered:
        yield reader.unit(identifier, item, Place(number + 1, number + 1))
    if rest:
        place = Place(len(items) + 1, len(items) + 1)
        yield unread(place, f"broken.{place}", _ACCOUNTS.sub(r'\1"…"', rest))


def _whole_items(text: str) -> tuple[list[tuple[str, Mapping[str, Any]]], str]:
    """Messages that are whole in an archive that is cut off, and the beginning of the one after them."""
    found: list[tuple[str, Mapping[str, Any]]] = []
    at, page = 0, _NEXT_PAGE.match(text)
    while page is not None:
        at = page.end()
        while (key := _KEY.match(text, at)) is not None:
            try:
                item, end = _DECODER.raw_decode(text, key.end())
            except (ValueError, RecursionError):
                return found, text[key.end() :] if text[key.end() : key.end() + 1] == "{" else ""
            if isinstance(item, dict):
                found.append((json.loads(key["id"]), item))
            at = end
        page = _NEXT_PAGE.match(text, at)
    return found, ""


_NEXT_PAGE: Final = re.compile(r"\ufeff?(?:[\s,\[}]){0,99}\{")
_KEY: Final = re.compile(r'[\s,]{0,99}(?P<id>"(?:[^"\\]++|\\.){0,200}+")\s{0,99}:\s{0,99}')
_ACCOUNTS: Final = re.compile(r'("(?:playerid|target)"\s{0,9}:\s{0,9})"[^"]*+"?')


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON object as a mapping; a key that occurs twice keeps both values."""
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    found = {}
    for name, value in pairs:
        number, free = 1, name
        while free in found:
            number += 1
            free = f"{name}.{number}"
        found[free] = value
    return found


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object)


def _items(pages: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for page in pages if isinstance(pages, list) else [pages]:
        if isinstance(page, dict):
            for identifier, item in page.items():
                if isinstance(item, dict):
                    yield identifier, item


def _time(identifier: str, item: Mapping[str, Any]) -> When | None:
    for key in (".priority", "timestamp"):
        value = item.get(key)
        if isinstance(value, str) and re.fullmatch(r"\d{12,14}(?:\.\d{1,9})?", value):
            value = float(value)
        if is_number(value):
            when = instant(value)
            if when is not None:
                return when
    return time_of(identifier)


def _times(items: Sequence[tuple[str, Mapping[str, Any]]]) -> list[float]:
    """Times of messages, in seconds; a message without a time gets the time of the message before it."""
    times: list[float] = []
    last = 0.0
    for identifier, item in items:
        when = _time(identifier, item)
        last = when.time.timestamp() if when else last
        times.append(last)
    return times


@dataclass(slots=True)
class _Names:
    """Names that an archive tells."""

    by_player: dict[str, str] = field(default_factory=dict)
    """Label that each player spoke under first."""
    game_masters: set[str] = field(default_factory=set)
    masters: dict[str, str] = field(default_factory=dict)
    """Labels of game masters by their player's number."""


class _Reader:
    """Reader of the messages of one archive."""

    def __init__(self, items: Sequence[Mapping[str, Any]], tally: Tally) -> None:
        self._tally = tally
        self._keys = Keys()
        self._is_garbled = _is_garbled(items)
        self._names = _Names()
        for item in items:
            label, is_master = plain_label(self._text(item, "who"))
            if is_master:
                self._names.game_masters.add(label)
                self._names.masters.setdefault(string_in(item, "playerid"), label)
            self._names.by_player.setdefault(string_in(item, "playerid"), label)
        tally.game_masters |= self._names.game_masters

    def unit(self, identifier: str, item: Mapping[str, Any], place: Place) -> Unit:
        """Unit of one message."""
        kind = string_in(item, "type")
        content = self._text(item, "content")
        if not kind:
            kept = {name: value for name, value in item.items() if name not in ("playerid", "target")}
            return unread(place, self._keys.key(identifier, "", content), content or json.dumps(kept)[:2_000])
        self._tally.count_fields("message", item, _FIELDS)
        label = plain_label(self._text(item, "who"))[0] or NOBODY
        is_hidden = kind in ("hidden", "whisper") or kind in _SECRET or item.get("secret") is True
        kind = string_in(item, "original_type") or "general" if kind == "hidden" else kind
        message = Message(
            place,
            self._keys.key(identifier, label, content),
            "rollresult" if kind in _SECRET else kind,
            label if label != NOBODY else self._names.masters.get(string_in(item, "playerid"), label),
            string_in(item, "playerid"),
            _time(identifier, item),
            hidden=is_hidden,
            to=self._receivers(item) if is_hidden else (),
        )
        if message.kind == "rollresult":
            return unit_of(self._rolled(message, item, content))
        return unit_of(self._said(message, item, content))

    def _text(self, item: Mapping[str, Any], key: str) -> str:
        text = string_in(item, key)
        return text.encode("latin-1", "replace").decode("utf-8", "replace") if self._is_garbled else text

    def _receivers(self, item: Mapping[str, Any]) -> tuple[str, ...]:
        """Labels of a whisper's receivers; the game master by name if the archive tells it."""
        targets = [target.strip() for target in string_in(item, "target").split(",") if target.strip()]
        shown = self._text(item, "target_name")
        names = shown.split(", ") if len(shown.split(", ")) == len(targets) else [shown]
        names = names if shown else []
        if not targets and not names:
            targets = ["gm"]
        if not names:
            names = [
                target if target == "gm" else self._names.by_player.get(target, "") for target in targets
            ]
        return receivers(filter(None, names), self._names.game_masters)

    def _rolled(self, message: Message, item: Mapping[str, Any], content: str) -> Message:
        asked = self._text(item, "origRoll")
        try:
            result = json.loads(content)
        except (ValueError, RecursionError):
            result = None
        expression, what = roll20.split(asked)
        throw = roll20.of_result(expression, result)
        if throw is None:
            total = result.get("total") if isinstance(result, dict) else None
            return replace(message, text=f"{asked} = {total}" if asked else content)
        return replace(message, text=what, title=what, throws=(throw,))

    def _said(self, message: Message, item: Mapping[str, Any], content: str) -> Message:
        rolls = objects_in(item, "inlinerolls")
        throws = [roll20.of_result(self._text(roll, "expression"), roll.get("results")) for roll in rolls]
        fields = [(pair["name"].strip(), pair["value"].strip()) for pair in _FIELD.finditer(content)]
        if item.get("rolltemplate") or fields:
            return self._card(message, item, fields, throws)
        is_markup = message.account == "API" or content.lstrip().startswith("<")
        text, attached = _plain_words(content, rolls, is_markup=is_markup)
        return replace(message, text=text, throws=_used(content, throws), attached=attached)

    def _card(
        self,
        message: Message,
        item: Mapping[str, Any],
        fields: Sequence[tuple[str, str]],
        throws: Sequence[Throw | None],
    ) -> Message:
        """Card of a sheet's template: its title, its words, and each throw with its field."""
        by_name, rolls = dict(fields), objects_in(item, "inlinerolls")
        title = next((by_name[name] for name in _TITLES if by_name.get(name, "") not in _FLAGS), "")
        title = _translated(_plain_words(title, rolls)[0])
        found: list[Throw] = []
        lines = [title]
        for name, value in fields:
            if name == "r2" and by_name.get("normal") == "1":
                continue  # rolled beside the first one, and not shown
            named = "" if re.fullmatch(r"r\d", name) else name
            against = (*_AGAINST.findall(_plain_words(value, rolls)[0]), "")[0]
            found += (with_words(throw, text=named, against=against) for throw in _used(value, throws))
            words = _translated(_plain_words(_PLACEHOLDER.sub("", value), ())[0])
            if words not in _FLAGS and words not in lines and not words.isdigit():
                lines.append(words)
        return replace(
            message,
            text="\n".join(filter(None, lines)),
            title=title,
            throws=tuple(found),
            is_card=True,
            is_attack="1" in (by_name.get("attack"), by_name.get("damage"))
            or ATTACKS.match(string_in(item, "rolltemplate")) is not None,
        )


def _used(text: str, throws: Sequence[Throw | None]) -> tuple[Throw, ...]:
    """Throws whose placeholders occur in a text, in the text's order."""
    numbers = [int(placeholder[1]) for placeholder in _PLACEHOLDER.finditer(text)]
    found = [throws[number] for number in dict.fromkeys(numbers) if number < len(throws)]
    return tuple(throw for throw in found if throw is not None)


def _plain_words(
    content: str, rolls: Sequence[Mapping[str, Any]], *, is_markup: bool = False
) -> tuple[str, tuple[str, ...]]:
    """Words of a message with the totals in their places, and its pictures; only scripts write markup."""
    attached: list[str] = []

    def total(found: re.Match[str]) -> str:
        number = int(found[1])
        results = object_in(rolls[number], "results") if number < len(rolls) else {}
        return str(results.get("total", found[0]))

    def link(found: re.Match[str]) -> str:
        if _PICTURES.search(found["address"]):
            attached.append(picture(found["address"]))
            return ""
        return found["label"]

    text = _LINK.sub(link, _PLACEHOLDER.sub(total, content))
    if is_markup:
        text = marked(html.unescape(_TAG.sub(_in_words, text)))
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(filter(None, lines)), tuple(attached)


def _in_words(tag: re.Match[str]) -> str:
    """Text in place of a tag: a line end for a block, a space for a table's cell, nothing for other tags."""
    return (
        "\n"
        if tag["name"].casefold() in _BLOCKS
        else " "
        if tag["name"].casefold() in ("td", "th")
        else sign_of(tag["name"], is_end=tag[0].startswith("</"))
    )


def _translated(text: str) -> str:
    """Words of a sheet whose names stand as keys, such as `^{stealth-u}`."""
    return _TRANSLATED.sub(lambda found: found[1].removesuffix("-u").replace("-", " ").capitalize(), text)


def _is_garbled(items: Sequence[Mapping[str, Any]]) -> bool:
    """True if all words are UTF-8 that was read as Latin-1, as R20Exporter does."""
    texts = [string_in(item, key) for item in items for key in ("who", "content", "target_name")]
    special = [text for text in texts if not text.isascii()]
    try:
        for text in special:
            text.encode("latin-1").decode("utf-8")
    except ValueError:
        return False
    return bool(special)
