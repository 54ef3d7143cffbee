"""DiscordChatExporter's HTML: messages in groups, whose ids hold their times."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from retold.journal.extras import Extra
from retold.sources.discord.messages import Author, Embed, Kind, Message, attachment, time_of, units
from retold.sources.encodings import keepable
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.unit import Place, Unit

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_GROUP: Final = re.compile(r"""<div[^<>]*?\sclass=["']?chatlog__message-group["'\s>]""")
_DIV: Final = re.compile(
    r"""<div(?P<attributes>(?:[\s/]+[^\s>/="']+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+))?)*)[\s/]*>""",
    re.IGNORECASE,
)
_ATTRIBUTE: Final = re.compile(r"""([^\s>/="']+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+))?""")
_SURROUNDED: Final = {"strong": "**", "em": "*", "u": "__", "s": "~~", "b": "**", "i": "*", "del": "~~"}
_HEADINGS: Final = {"h1": "# ", "h2": "## ", "h3": "### "}
_FILE_TITLE: Final = re.compile(r"(?:Image|Video|Audio): (?P<name>.*) \([^()]*\)", re.DOTALL)


def look(head: Head) -> Likeness:
    """Likeness to an export: its style sheet or its messages."""
    if "chatlog__message" in head.text and (
        "<html" in head.text.casefold() or "<div" in head.text.casefold()
    ):
        return Likeness.SURELY
    return Likeness.NO


def count(stream: Stream) -> int:
    """Number of opening `div` tags with the attribute `data-message-id`."""
    return sum(
        any(one[1].casefold() == "data-message-id" for one in _ATTRIBUTE.finditer(tag["attributes"]))
        for tag in _DIV.finditer(stream.text)
    )


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of an export. Raises Refused without the library that reads HTML."""
    Extra("selectolax", "selectolax.lexbor", "import").load("HTML", "JSON of the channel does not.")
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 - an extra, which few need

    text = keepable(stream.text, tally)
    if "</html>" not in text[-2_000:].casefold():
        tally.warn(
            f"{stream.name} is cut off: its last message may be incomplete. Export it again if you can."
        )
    starts = [found.start() for found in _GROUP.finditer(text)]
    head = LexborHTMLParser(text[: starts[0]] if starts else "")
    entries = head.css(".preamble__entry")
    channel = _words(entries[1]).rpartition(" / ")[2].strip() if len(entries) > 1 else ""
    groups = (text[start:end] for start, end in pairwise([*(starts or [0]), len(text)]))
    return units(_messages((LexborHTMLParser(group) for group in groups), channel))


def _messages(groups: Iterable[LexborHTMLParser], channel: str) -> Iterator[Message]:
    """Messages of all groups; each message gets the author named in its group's first message."""
    ordinal = 0
    for group in groups:
        author = Author("?")
        for ordinal, node in enumerate(group.css("div[data-message-id]"), start=ordinal + 1):  # noqa: B020
            named = node.css_first(".chatlog__author, .chatlog__author-name")
            notice = node.css_first(".chatlog__system-notification-author")
            sender = named or notice
            author = _author(sender, node) if sender is not None else author
            yield _message(node, ordinal, channel, author, is_notice=notice is not None)


def _message(node: LexborNode, ordinal: int, channel: str, author: Author, *, is_notice: bool) -> Message:
    identifier = node.attributes.get("data-message-id") or ""
    classes = node.attributes.get("class") or ""
    content = node.css_first(
        ".chatlog__content .chatlog__markdown-preserve, .chatlog__content .preserve-whitespace"
    )
    forwarded = node.css_first(".chatlog__forwarded-content .chatlog__markdown-preserve")
    asker, answers = _reply(node)
    return Message(
        place=Place(ordinal, ordinal),
        key=identifier,
        kind=Kind.NOTICE if is_notice else Kind.WORDS,
        author=author,
        when=time_of(identifier),
        channel=channel,
        text=(markdown(content) if content else "") or (markdown(forwarded) if forwarded else ""),
        embeds=tuple(filter(any, (_embed(one) for one in node.css(".chatlog__embed")))),
        attached=tuple(_attached(node)),
        edited=node.css_first(".chatlog__edited-timestamp") is not None,
        pinned="chatlog__message-container--pinned" in classes,
        answers=answers,
        asker=asker,
        reactions=len(node.css(".chatlog__reaction")),
        forwarded=forwarded is not None,
    )


def _author(named: LexborNode, node: LexborNode) -> Author:
    """Author by the head of a group; a proxied character is a bot without a discriminator."""
    full_name = named.attributes.get("title") or ""
    is_bot = any(_words(tag).strip() == "BOT" for tag in node.css(".chatlog__author-tag, .chatlog__bot-tag"))
    proxy = is_bot and re.search(r"#\d{4}$", full_name) is None
    account = named.attributes.get("data-user-id") or ""
    return Author(_words(named).strip() or "?", account, is_bot, proxy)


def _reply(node: LexborNode) -> tuple[Author | None, str]:
    """User of the slash command that a message answers, and the key of the message that it replies to."""
    reply = node.css_first(".chatlog__reply")
    if reply is None:
        return None, ""
    link = reply.css_first("[onclick]")
    target = re.search(r"\d{15,20}", link.attributes.get("onclick") or "") if link else None
    if target:
        return None, target[0]
    name, content = reply.css_first(".chatlog__reply-author"), reply.css_first(".chatlog__reply-content")
    used = content is not None and _words(content).strip().startswith("used /")
    return (Author(_words(name).strip()) if used and name else None), ""


def _embed(node: LexborNode) -> Embed:
    fields = [
        (_part(field, ".chatlog__embed-field-name"), _part(field, ".chatlog__embed-field-value"))
        for field in node.css(".chatlog__embed-field")
    ]
    return Embed(
        _part(node, ".chatlog__embed-title"),
        _part(node, ".chatlog__embed-description"),
        tuple(fields),
        _part(node, ".chatlog__embed-footer-text"),
        _part(node, ".chatlog__embed-author"),
    )


def _part(node: LexborNode, selector: str) -> str:
    found = node.css_first(selector)
    if found is None:
        return ""
    kept = found.css_first(".chatlog__markdown-preserve, .preserve-whitespace")
    return markdown(kept or found).strip()


def _attached(node: LexborNode) -> Iterator[str]:
    names = (
        ".chatlog__attachment-media, .chatlog__forwarded-attachment, .chatlog__attachment-generic-name,"
        " .chatlog__sticker"
    )
    for found in node.css(names):
        classes = found.attributes.get("class") or ""
        source = found if found.attributes.get("title") else found.css_first("[title]")
        title = (source.attributes.get("title") or "") if source else ""
        if "chatlog__sticker" in classes:
            yield f"[sticker: {title}]"
        elif "generic-name" in classes:
            yield attachment(_words(found).strip())
        else:
            titled = _FILE_TITLE.fullmatch(title)
            yield attachment(titled["name"] if titled else found.attributes.get("src") or title)


def _words(node: LexborNode) -> str:
    return node.text(deep=True)


def markdown(node: LexborNode) -> str:
    """Words of an element in Discord's signs: `**bold**`, `~~struck~~`, `||spoiler||`."""
    return "".join(_signed(child) for child in node.iter(include_text=True))


def _signed(node: LexborNode) -> str:
    tag, classes = node.tag or "", node.attributes.get("class") or ""
    if tag == "-text":
        return node.text(deep=False) or ""
    if tag == "img":
        return _emoji(node, classes)
    if "chatlog__markdown-pre" in classes or "pre--" in classes:
        return _code(node, classes)
    return _around(markdown(node), tag, classes, node.attributes.get("href") or "")


def _around(inner: str, tag: str, classes: str, target: str) -> str:
    """Words of an element with the signs of its tag and class around them."""
    sign = _SURROUNDED.get(tag) or ("||" if "spoiler" in classes else "")
    if sign:
        return f"{sign}{inner}{sign}"
    if tag == "br":
        return "\n"
    if tag in _HEADINGS or tag == "li":
        return f"{_HEADINGS.get(tag, '- ')}{inner}\n"
    if classes in ("chatlog__markdown-quote", "quote"):
        return "".join(f"> {line}\n" for line in inner.splitlines())
    return f"[{inner}]({target})" if tag == "a" and target not in ("", inner) else inner


def _emoji(node: LexborNode, classes: str) -> str:
    name = node.attributes.get("alt") or ""
    custom = "chatlog__emoji" in classes and re.fullmatch(r"\w{2,}", name, re.ASCII) is not None
    return f":{name}:" if custom else name


def _code(node: LexborNode, classes: str) -> str:
    if "multiline" not in classes:
        return f"`{_words(node)}`"
    language = next(
        (one.removeprefix("language-") for one in classes.split() if one.startswith("language-")), ""
    )
    return f"```{language}\n{_words(node)}\n```"
