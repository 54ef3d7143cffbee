"""DiscordChatExporter's text: heads of time and name, told from words that only look like heads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from retold.journal.encodings import with_line_feeds
from retold.journal.refused import Refused
from retold.sources.discord.csv_export import NO_ORDER, NOTICES
from retold.sources.discord.messages import Author, Embed, Kind, Message, attachment, units
from retold.sources.encodings import keepable
from retold.sources.keys import Ordinals
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness, head_of
from retold.sources.times import is_time, reader_of
from retold.sources.unit import Place, Unit, When

RULE: Final = "=" * 62
_HEAD: Final = re.compile(r"\[(?P<time>[^\]\n]{6,40})\] (?P<name>.+?)(?P<pinned> \(pinned\))?")
_DUMB_HEAD: Final = re.compile(
    rf"(?:(?<=\n\n\n)|(?<={RULE}\n\n)|\{{Reactions\}}\n[^\n]*\n\n)\[(?P<time>[^\]\n]{{6,40}})\] ."
)
_HEAD_BY_HAND: Final = re.compile(r"(?<=\n)\[(?=[^\]\n]{0,40}\d)[^\]\n]{6,40}\] .")
"""Head whose blank lines may have been deleted by hand."""
_FOOT: Final = re.compile(rf"{RULE}\nExported (?P<number>[\d.,\u00a0\u202f' ]+) message\(s\)\n{RULE}\s*\Z")
_PARTS: Final = ("{Attachments}", "{Embed}", "{Stickers}", "{Reactions}", "{Forwarded Message}")


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines of one message, its head first; the first line counts from 1."""

    first: int
    lines: Sequence[str]


def look(head: Head) -> Likeness:
    """Likeness to an export: a rule of 62 equals signs, the guild and the channel."""
    lines = head.text.lstrip("\ufeff").splitlines()[:3]
    frame = len(lines) == 3 and lines[0] == RULE and lines[1].startswith("Guild: ")
    return Likeness.SURELY if frame and lines[2].startswith("Channel: ") else Likeness.NO


def count(stream: Stream) -> int:
    """Number of messages by the last lines; without these, of lines that look like heads."""
    text = with_line_feeds(stream.text)
    foot = _FOOT.search(text)
    heads = len(_HEAD_BY_HAND.findall(text)) if _is_edited(text, foot) else _dumb_heads(text)
    return min(heads, _number(foot)) if foot else heads


def _dumb_heads(text: str) -> int:
    return sum(is_time(found["time"]) for found in _DUMB_HEAD.finditer(text))


def _is_edited(text: str, foot: re.Match[str] | None) -> bool:
    """True if blank lines between messages were deleted by hand, so that heads stand right below words."""
    number, most = _number(foot) if foot else 0, len(_HEAD_BY_HAND.findall(text))
    return _dumb_heads(text) < (number if 0 < number <= most else most / 2)


def _number(foot: re.Match[str]) -> int:
    return int(re.sub(r"\D", "", foot["number"])[:12] or 0)


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of an export. Raises Refused if the file does not begin as the exporter begins it."""
    if look(head_of(stream)) is Likeness.NO:
        raise Refused(f"{stream.name} does not begin with a line of 62 =, so it is no export of Discord.")
    text = keepable(with_line_feeds(stream.text), tally)
    lines = text.split("\n")
    foot = _FOOT.search(text)
    if foot is None:
        tally.warn(
            f"{stream.name} is cut off: its last message may be incomplete. Export it again if you can."
        )
    else:
        lines = text[: foot.start()].split("\n")
    blocks = _blocks(lines, is_edited=_is_edited(text, foot))
    times = [_time(block) for block in blocks]
    time_of = reader_of(times, stream.hints.dates)
    if foot and len(blocks) > _number(foot):
        blocks = _without_forged_heads(blocks, time_of, _number(foot))
    if times and all(time_of(each) is None for each in times):
        tally.warn(f"The first number of a date in {stream.name} {NO_ORDER}")
        tally.dates_unclear = True
    channel = next((line[9:] for line in lines[:8] if line.startswith("Channel: ")), "").rpartition(" / ")[2]
    ordinals = Ordinals()

    def messages() -> Iterator[Message]:
        for block in blocks:
            head = _HEAD.fullmatch(block.lines[0])
            name = head["name"].strip() if head else "?"
            parts = _parts(block.lines[1:])
            words = "\n".join(parts[""][0]).strip() if "" in parts else ""
            forwarded = [line for part in parts.get("{Forwarded Message}", []) for line in part]
            told = "\n".join(line for line in forwarded if not line.startswith("Originally sent: ")).strip()
            files = [line for part in parts.get("{Attachments}", []) for line in part if line.strip()]
            stickers = [line for part in parts.get("{Stickers}", []) for line in part if line.strip()]
            yield Message(
                place=Place(block.first, block.first + len(block.lines) - 1),
                key=ordinals.key(_time(block), name, words),
                kind=Kind.NOTICE if words in NOTICES else Kind.WORDS,
                author=Author(name),
                when=time_of(_time(block)),
                channel=channel,
                text=words or told,
                embeds=tuple(_embed(part) for part in parts.get("{Embed}", [])),
                attached=(*map(attachment, files), *("[sticker]" for _ in stickers)),
                forwarded="{Forwarded Message}" in parts,
                pinned=bool(head and head["pinned"]),
                reactions=sum(bool("".join(part).strip()) for part in parts.get("{Reactions}", [])),
            )

    yield from units(messages())


def _blocks(lines: Sequence[str], *, is_edited: bool) -> list[_Block]:
    """Messages, each with its head and its text lines."""
    starts = [place for place, line in enumerate(lines) if _is_head(lines, place, line, is_edited=is_edited)]
    ends = [*starts[1:], len(lines)]
    return [
        _Block(start + 1, lines[start:end]) for start, end in zip(starts, ends[: len(starts)], strict=True)
    ]


def _without_forged_heads(
    blocks: Sequence[_Block], time_of: Callable[[str], When | None], number: int
) -> list[_Block]:
    """Blocks without heads that run backwards, joined to those before; all of them if that is another number.

    A message may hold a line that looks like a head, but the exporter writes messages in the order of time.
    """
    kept: list[_Block] = []
    latest: When | None = None
    for block in blocks:
        when = time_of(_time(block))
        if kept and when and latest and when.time < latest.time:
            kept[-1] = _Block(kept[-1].first, [*kept[-1].lines, *block.lines])
        else:
            kept.append(block)
            latest = when or latest
    return kept if len(kept) == number else list(blocks)


def _is_head(lines: Sequence[str], place: int, line: str, *, is_edited: bool) -> bool:
    head = _HEAD.fullmatch(line)
    if head is None or not is_time(head["time"]) or not (is_edited or (place > 1 and not lines[place - 1])):
        return False
    return is_edited or not lines[place - 2] or lines[place - 2] == RULE or lines[place - 3] == "{Reactions}"


def _time(block: _Block) -> str:
    head = _HEAD.fullmatch(block.lines[0])
    return head["time"] if head else ""


def _parts(lines: Sequence[str]) -> dict[str, list[list[str]]]:
    """Lines by the heading they stand under; those before any heading under the empty name."""
    parts: dict[str, list[list[str]]] = {"": [[]]}
    name = ""
    for line in lines:
        if line in _PARTS:
            name = line
            parts.setdefault(name, []).append([])
        else:
            parts[name][-1].append(line)
    return parts


def _embed(lines: Sequence[str]) -> Embed:
    """Embed whose title is its first line, for its parts are not marked."""
    filled = [line for line in lines if line.strip()]
    return Embed(title=filled[0] if filled else "", text="\n".join(filled[1:]))
