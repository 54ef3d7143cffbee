"""Foundry's chat messages, whatever file they came from, and the units they become."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from retold.journal.encodings import REPLACEMENT
from retold.journal.markup import words_of
from retold.sources.conventions import sorted_words
from retold.sources.dice import Throw, foundry
from retold.sources.encodings import keepable, unknown_user, without_accounts
from retold.sources.foundry.links import without_links
from retold.sources.foundry.world import World
from retold.sources.json_objects import is_number, json_value, list_in, object_in, objects_in, string_in
from retold.sources.reporting import Tally
from retold.sources.unit import Place, Reason, Sort, Unit, instant_of

OTHER: Final = 0
"""Style of what modules, systems and macros write."""
OUT_OF_CHARACTER: Final = 1
IN_CHARACTER: Final = 2
EMOTE: Final = 3
_OTHER: Final = (OTHER, str(OTHER))
_IN_CHARACTER: Final = (IN_CHARACTER, str(IN_CHARACTER))
_ACCOUNTS: Final = re.compile(
    r"""("(?:user|author|whisper)"\s{0,9}:\s{0,9})"""
    r"""(?:"[^"]*+"?|\[[^\[\]]*+\]?|\{(?:[^{}]++|\{[^{}]*+\}?)*+\}?)"""
)
"""Fields with accounts: a text, a list of texts, or whole users."""
_STYLED: Final = re.compile(r"<(?:h[1-6]|table|section|header|article|ul|ol|dl)\b|\sclass\s?=", re.IGNORECASE)
"""Markup that is not typed into a chat."""
_CONTROL: Final = re.compile(r"[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]")
_FIELDS: Final = frozenset(
    {
        *("_id", "type", "style", "author", "user", "timestamp", "flavor", "content", "speaker", "whisper"),
        *("blind", "emote", "rolls", "roll", "flags"),
    }
)


def unit_of(item: Mapping[str, Any], place: Place, pieces: int, world: World, tally: Tally) -> Unit:
    """Unit of one message; `whisper` and `blind` alone say whether it is hidden."""
    flags = object_in(item, "flags")
    core = object_in(flags, "core")
    speaker, user = object_in(item, "speaker"), _text(item, "author") or _text(item, "user")
    tally.count_fields("message", item, _FIELDS)
    tally.count_fields("message.flags", flags, ("core",))  # those of a module count as one field
    rolls = [*list_in(item, "rolls"), *([item["roll"]] if isinstance(item.get("roll"), str | dict) else [])]
    written = without_links(keepable(_text(item, "content"), tally), world.actors)
    content = words_of(_PARAGRAPHS.sub(f"</p>{_BETWEEN}<p>", written), without_dice=bool(rolls))
    flavor = words_of(keepable(_text(item, "flavor"), tally))
    secret = _between("\n", "\n".join(filter(None, (flavor.secret, content.secret))))
    purpose = flavor.text or ("Initiative" if core.get("initiativeRoll") else "")
    throws = _throws(rolls, purpose, flags, tally) if rolls else ()
    style = item.get("style", item.get("type"))
    is_nobodys = style in _OTHER and not throws and _is_modules(speaker, world)
    sort = Sort.NOTICE if is_nobodys else _sort(item, style, content.has_blocks, throws)
    if not throws and object_in(flags, "narrator-tools"):
        sort, is_nobodys = Sort.TOLD, True
    left_out = None
    if throws:
        words = "" if _is_total(content.text, throws) else content.marked
    else:
        words = "\n".join(filter(None, (flavor.marked, content.marked)))
        left_out = None if words or secret else Reason.EMPTY
        if sort in (Sort.SAID, Sort.NOTICE) and words and style not in _IN_CHARACTER:
            typed, words = sorted_words(words)
            sort = sort if typed is Sort.SAID else typed
    whole = _between("\n", words) if _BETWEEN in words else ""
    words = _between("\n\n", words)
    if sort is Sort.CARD and words:
        title = _title_of(_text(item, "content"))
        if not (title or flavor.text):
            sort, whole = Sort.NOTICE, whole or words
        if title and words.startswith(title) and words[len(title) : len(title) + 1] not in ("", "\n"):
            whole, words = whole or words, f"{title}\n{words[len(title) :].strip()}"
    if core.get("nue"):  # Foundry's words for a new user
        sort, words, left_out = Sort.NOTICE, content.text, Reason.BANNER
    actor = _text(speaker, "actor")
    named = _text(speaker, "alias") or world.actors.get(actor) or world.users.get(user) or "?"
    label = "" if is_nobodys else keepable(named, tally)
    player = world.characters.get(actor)
    if player is not None and label:
        tally.characters[label] = player
    is_all_secret = bool(secret) and not (words or throws)
    whispered = [one for one in list_in(item, "whisper") if isinstance(one, str)]
    timestamp = item.get("timestamp")
    return Unit(
        place,
        keepable(_text(item, "_id"), tally),
        sort,
        secret if is_all_secret else words,
        instant_of(timestamp) if is_number(timestamp) else None,
        speaker=label,
        account="" if is_nobodys else keepable(user, tally),
        to=()
        if is_all_secret
        else tuple(keepable(world.users.get(one) or unknown_user(one), tally) for one in whispered),
        hidden=bool(item.get("whisper")) or item.get("blind") is True or is_all_secret,
        blind=item.get("blind") is True or is_all_secret,
        throws=throws,
        passed=(Reason.BUTTON,) * content.buttons + (Reason.DECORATION,) * content.pictures,
        secret="" if is_all_secret else secret,
        pieces=pieces,
        left_out=left_out,
        whole=whole,
    )


_PARAGRAPHS: Final = re.compile(r"</p>\s{0,99}<p\b[^<>]{0,300}>")
_BETWEEN: Final = "\ufde8"
"""Noncharacter between two paragraphs while a text is put together."""


def _between(sign: str, text: str) -> str:
    return re.sub(rf"\s*{_BETWEEN}\s*", sign, text) if _BETWEEN in text else text


_HEADED: Final = re.compile(
    r"<h[1-6]\b[^>]{0,300}>(?P<heading>.{1,300}?)</h[1-6]>"
    r"|\sclass\s?=\s?[\"'](?:[^\"']{0,80}\s)?(?:title|item-name|card-title|name)(?:\s[^\"']{0,80})?[\"'][^>]{0,200}>(?P<title>[^<]{1,120})<",
    re.DOTALL | re.IGNORECASE,
)
"""Heading of a card, or the place that a system's template has for it."""


def _title_of(content: str) -> str:
    found = _HEADED.search(content[:20_000])
    return " ".join(words_of(found["heading"] or found["title"]).text.split()) if found else ""


def _throws(
    rolls: Sequence[object], purpose: str, flags: Mapping[str, Any], tally: Tally
) -> tuple[Throw, ...]:
    """Throws of a message, with the attack or damage that its system says they are for."""
    system, targets = object_in(flags, "dnd5e"), objects_in(object_in(flags, "dnd5e"), "targets")
    act = string_in(object_in(system, "roll"), "type")
    target = string_in(targets[0], "name") if len(targets) == 1 else ""
    act = act if act in _ACTS else ""
    found: list[Throw] = []
    for throw in filter(None, (foundry.throw_of(roll, purpose) for roll in rolls)):
        words = keepable(throw.words, tally)
        is_same = words is throw.words and not act
        found.append(
            throw if is_same else replace(throw, words=words, act=act, target=keepable(target, tally))
        )
    return tuple(found)


_ACTS: Final = ("attack", "damage")
"""Kinds of rolls that are told as deeds."""


def _sort(item: Mapping[str, Any], style: object, has_blocks: bool, throws: Sequence[Throw]) -> Sort:
    """Sort of a message. What its style says is in character is speech; what has another is none."""
    if throws:
        return Sort.ROLL
    if item.get("emote") is True or style == EMOTE:
        return Sort.TOLD
    if style == OUT_OF_CHARACTER:
        return Sort.ASIDE
    if has_blocks and not (style in _IN_CHARACTER and not _STYLED.search(_text(item, "content"))):
        return Sort.CARD
    speaker = object_in(item, "speaker")
    if style not in _IN_CHARACTER and not any(speaker.get(key) for key in ("actor", "token", "alias")):
        return Sort.ASIDE
    return Sort.NOTICE if style in _OTHER and not item.get("whisper") else Sort.SAID


def _is_modules(speaker: Mapping[str, Any], world: World) -> bool:
    """True if a message has a name of its own in front that is no actor's, as messages of modules do."""
    alias = _text(speaker, "alias")
    names = (*world.actors.values(), *world.users.values())
    return bool(alias) and not (speaker.get("actor") or speaker.get("token")) and alias not in names


def _is_total(text: str, throws: Iterable[Throw]) -> bool:
    """True if the text is only a number that the throws already tell: a total, or the sum of all totals."""
    try:
        number = float(text)
    except ValueError:
        return False
    totals = [throw.total for throw in throws if throw.total is not None]
    if number in totals or (len(totals) > 1 and number == sum(totals)):
        return True
    return any(throw.words.endswith(f"= {text}") for throw in throws)


def order_of(item: Mapping[str, Any]) -> tuple[float, str]:
    """Sort key of a message: time, then id; rows of a database are stored in neither order."""
    timestamp = item.get("timestamp")
    return float(timestamp) if is_number(timestamp) else 0.0, _text(item, "_id")


def decoded(line: str | bytes) -> Mapping[str, Any] | None:
    """Object in a line of JSON; None for other JSON or malformed text."""
    value = json_value(line)
    return value if isinstance(value, dict) else None


def kept_raw(line: str, tally: Tally) -> str:
    """Text of an incomplete message, without users' ids."""
    return _ACCOUNTS.sub(r'\1"…"', without_accounts(keepable(_CONTROL.sub(REPLACEMENT, line), tally)))


def _text(item: Mapping[str, Any], key: str) -> str:
    value = item.get(key)
    if isinstance(value, dict):  # some versions keep the whole user where others keep the id
        value = value.get("_id")
    return value if isinstance(value, str) else ""
