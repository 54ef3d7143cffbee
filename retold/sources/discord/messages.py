"""Discord messages, whatever file they came from, and the units they become."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple

from retold.sources.chat_marks import of_discord, with_marks
from retold.sources.commands import asked_in, may_be_command
from retold.sources.conventions import sorted_words
from retold.sources.dice import Throw, avrae
from retold.sources.discord import bots
from retold.sources.encodings import without_accounts
from retold.sources.quotations import Quotations
from retold.sources.unit import Place, Reason, Sort, Unit, When, attached_file, instant_of

MOST_HELD: Final = 100
"""Number of messages in which a command waits for its answer."""
ANSWERED_WITHIN: Final = timedelta(seconds=60)
"""Longest time between a command and the bot's answer."""
DISCORD_EPOCH: Final = 1_420_070_400_000
"""Milliseconds from 1970 to the first second of 2015, from which Discord counts."""
_NAMED: Final = re.compile(
    r"<(?P<sign>@!?|@&|#)(?P<id>\d{1,20})>|<(?:a?(?P<emoji>:\w{1,40}:)|(?P<command>/[\w -]{1,100}):)\d{1,20}>"
)
"""Place of a person, a role or a channel in words."""
NOBODY_KNOWN: Final = "somebody"
"""Replaces a mentioned account without a name."""


class Kind(StrEnum):
    """Kind of a Discord message: words, notice or unknown."""

    WORDS = "words"
    NOTICE = "notice"
    UNKNOWN = "unknown"


class Embed(NamedTuple):
    """Framed block that a bot adds to a message."""

    title: str = ""
    text: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    footer: str = ""
    author: str = ""


class Author(NamedTuple):
    """Sender of a message."""

    label: str
    account: str = ""
    is_bot: bool = False
    is_proxy: bool = False
    """True for a character whose words a program such as Tupperbox posts."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message, read from any of the exporter's formats."""

    place: Place
    key: str
    kind: Kind
    author: Author
    when: When | None = None
    channel: str = ""
    text: str = ""
    embeds: tuple[Embed, ...] = ()
    attached: tuple[str, ...] = ()
    edited: bool = False
    pinned: bool = False
    answers: str = ""
    asker: Author | None = None
    """User of the slash command that this message answers."""
    mentions: tuple[Author, ...] = ()
    reactions: int = 0
    forwarded: bool = False
    """True if the words are another's, sent on."""


def time_of(identifier: str) -> When | None:
    """Instant that a Discord number holds; None for text that is no such number."""
    if not re.fullmatch(r"[0-9]{15,20}", identifier):
        return None
    return instant_of((int(identifier) >> 22) + DISCORD_EPOCH)


def attachment(name: str) -> str:
    """Attachment in words, such as `[picture: map.png]`; only the file's own name is kept."""
    plain = name.partition("?")[0].replace("\\", "/").rstrip("/").rpartition("/")[2] or "file"
    return attached_file(plain)


def accounted(messages: Iterable[Message], waiting: list[Unit], known: Mapping[str, str]) -> Iterator[Unit]:
    """Units as those of `units`, and between them those that are no messages, each in its place.

    They are put in `waiting` while messages are read.
    """
    for unit in units(messages, known):
        while waiting and waiting[0].place.first < unit.place.first:
            yield waiting.pop(0)
        yield unit
    yield from waiting


def units(messages: Iterable[Message], known: Mapping[str, str] = MappingProxyType({})) -> Iterator[Unit]:
    """Units of the messages, in their order. `known` are names of people, roles and channels by number.

    A command to a dice bot is left out if the bot answers within 60 seconds.
    """
    held: deque[tuple[Message, Unit]] = deque()
    authors: dict[str, Author] = {}
    labels: set[str] = set()
    quotations = Quotations()
    named = dict(known)
    for message in messages:
        while held and (len(held) > MOST_HELD or not _may_answer(held[0][0], message)):
            yield held.popleft()[1]
        people = (message.author, *message.mentions)
        named |= {person.account: person.label for person in people if person.account}
        shown = _with_names(message, named)
        unit = _unit(shown)
        if unit.is_read and _may_be_bot(shown):
            unit = _answer(shown, unit, held, authors.get(message.answers), labels)
        own = quotations.of(unit)
        marked = with_marks(own, of_discord) if own.sort in _OF_WORDS else own
        unit = marked if own is unit else replace(marked, whole=of_discord(unit.text).text)
        if unit.is_read:
            authors[message.key] = message.author
            labels.add(message.author.label)
        held.append((message, unit))
    for _, unit in held:
        yield unit


_OF_WORDS: Final = frozenset({Sort.SAID, Sort.TOLD, Sort.ASIDE, Sort.CARD})


def _with_names(message: Message, named: Mapping[str, str]) -> Message:
    """Message whose words name people, where they held the number of an account."""
    if not message.embeds and "<" not in message.text:
        return message

    def name(found: re.Match[str]) -> str:
        if not found["sign"]:
            return found["emoji"] or found["command"]
        sign = found["sign"][0]
        unknown = {"#": "channel", "@&": "everybody"}.get(found["sign"], NOBODY_KNOWN)
        return f"{sign}{named.get(found['id']) or unknown}"

    def words(text: str) -> str:
        return _NAMED.sub(name, text)

    embeds = tuple(
        embed._replace(
            title=words(embed.title),
            text=words(embed.text),
            fields=tuple((words(title), words(value)) for title, value in embed.fields),
            footer=words(embed.footer),
            author=words(embed.author),
        )
        for embed in message.embeds
    )
    return replace(message, text=words(message.text), embeds=embeds)


def _may_answer(command: Message, later: Message) -> bool:
    """True if the later message may answer the command."""
    if command.when is None or later.when is None:
        return command.when is later.when and command.place.last + MOST_HELD > later.place.first
    first, second = command.when, later.when
    if first.is_instant != second.is_instant:
        return False
    return timedelta(0) <= second.time - first.time <= ANSWERED_WITHIN


def _unit(message: Message) -> Unit:
    passed = (Reason.REACTION,) * message.reactions
    unit = partial(
        Unit,
        message.place,
        message.key,
        when=message.when,
        channel=message.channel,
        speaker=message.author.label,
        account="" if message.author.is_proxy else message.author.account,
        edited=message.edited,
        pinned=message.pinned,
        answers=message.answers,
        attached=message.attached,
    )
    if message.kind is Kind.NOTICE:
        return unit(Sort.NOTICE, passed=passed, left_out=Reason.NOTICE)
    if message.kind is Kind.UNKNOWN and not message.text.strip():  # others have words without their kind
        return unit(Sort.NOTICE, passed=passed, unread=True, raw=without_accounts(_all_words(message)))
    if not (message.text.strip() or message.embeds or message.attached):
        return unit(Sort.SAID, passed=passed, left_out=Reason.EMPTY)
    if not message.author.is_proxy and _may_be_bot(message):
        return _of_bot(message, unit(Sort.SAID, passed=passed))
    sort, words = sorted_words(message.text)
    if message.embeds and not words:
        return unit(Sort.CARD, _all_words(message), passed=passed)
    previews = (Reason.DECORATION,) * len(message.embeds)
    return unit(Sort.ASIDE if message.forwarded else sort, words, passed=passed + previews)


def _of_bot(message: Message, unit: Unit) -> Unit:
    """Unit of a bot's message, its throws aside."""
    if message.embeds:
        if bots.is_calendar(message.author.label):
            return replace(unit, sort=Sort.NOTICE, left_out=Reason.NOTICE)
        act = bots.act_in(message.embeds[0].title)
        if act is not None:
            text = "\n".join((act.words, *_all_words(message).split("\n")[1:]))
            words = _all_words(message)
            through = message.author.label
            return replace(
                unit, sort=Sort.CARD, text=text, speaker=act.name, account="", through=through, whole=words
            )
        return replace(unit, sort=Sort.CARD, text=_all_words(message))
    return replace(unit, sort=Sort.ASIDE, text=message.text.strip())


def _may_be_bot(message: Message) -> bool:
    """True for a bot and for the name of one; a proxied character may have such a name by chance."""
    return (message.author.is_bot and not message.author.is_proxy) or bots.is_known(message.author.label)


def _throws(message: Message, asked: str) -> tuple[Throw, ...]:
    found = list(bots.throws(message.author.label, message.text, asked=asked))
    for embed in message.embeds:
        title = embed.title or embed.author
        found += bots.throws(message.author.label, embed.text, title, embed.footer, asked)
        for name, value in embed.fields:
            named = title if name.strip().casefold() in ("meta", "\u200b", "") else f"{title} {name}".strip()
            more = bots.throws(message.author.label, value, named, embed.footer)
            if found and not more and not found[0].verdict and (verdict := avrae.verdict_in(value)):
                found[0] = replace(found[0], verdict=f"{name}: {verdict}".strip(": \u200b"))
            found += more
    return tuple(found)


def _answer(
    message: Message, unit: Unit, held: deque[tuple[Message, Unit]], answered: Author | None, labels: set[str]
) -> Unit:
    """Unit of a bot's message with its throws and their thrower; leaves the answered command out.

    The thrower is the character in the title of a card, else who asked. A mention by a name that no author
    has is a nickname; then the sender of the nearest command is meant.
    """
    asker = message.asker or answered or _mentioned(message, labels)
    is_certain = asker is not None and (bool(asker.account) or asker.label in labels)
    command = _command(asker if is_certain else None, message, held)
    throws = _throws(message, "" if command is None else asked_in(held[command][0].text))
    if not throws:
        return unit
    if command is not None:
        sent, waiting = held[command]
        asker = asker if asker and is_certain else sent.author
        held[command] = (sent, replace(waiting, left_out=Reason.ANSWERED))
    titles = [embed.title for embed in message.embeds if embed.title]
    titles += [embed.author for embed in message.embeds if embed.author in labels]
    name = next(filter(None, (bots.character_of(title, labels) for title in titles)), "")
    label = name or (asker.label if asker else "")
    account = asker.account if asker else ""
    through = message.author.label
    return replace(
        unit, sort=Sort.ROLL, text="", throws=throws, speaker=label, account=account, through=through
    )


def _command(asker: Author | None, answer: Message, held: deque[tuple[Message, Unit]]) -> int | None:
    """Place of the unanswered command that the answer replies to, else of the nearest; None without one."""
    for place in range(len(held) - 1, -1, -1):
        message, unit = held[place]
        if not unit.is_read or message.author.is_bot or message.channel != answer.channel:
            continue
        theirs = asker is None or _same_person(asker, message.author)
        replied = bool(answer.answers) and answer.answers == message.key
        if replied or (theirs and may_be_command(message.text) and _may_answer(message, answer)):
            return place
    return None


def _same_person(author: Author, other: Author) -> bool:
    if author.account and other.account:
        return author.account == other.account
    return author.label == other.label


def _mentioned(message: Message, labels: Collection[str]) -> Author | None:
    """First person that the answer names, with the account if the source gives it."""
    found = bots.MENTION.match(message.text)
    if found is None:
        return None
    for each in message.mentions:
        if each.account and each.account == found["id"]:
            return each
        if found["name"] and each.label == found["name"].strip():
            return each
    name = found["name"] or (found["bold"] if found["bold"] in labels else "")
    return Author(name.strip()) if name else None


def _all_words(message: Message) -> str:
    parts = [message.text]
    for embed in message.embeds:
        parts += [embed.author, embed.title, embed.text]
        parts += [part for field in embed.fields for part in field]
        parts.append(embed.footer)
    parts += message.attached if not any(parts) else ()
    return "\n".join(part.strip() for part in parts if part.strip())
