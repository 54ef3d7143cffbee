r"""Logs of other tools, read into units without any campaign.

from retold.sources import read

source = read("chat.json")
for unit in source:
    print(unit.speaker, unit.text)
print(*source.report().lines(), sep="\n")
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath, PurePosixPath
from typing import Final, Protocol

from retold.journal.encodings import REPLACEMENT
from retold.journal.refused import Refused
from retold.sources import fantasy_grounds, maptool, plain_text, table
from retold.sources.characters import Characters
from retold.sources.chats import slack, telegram
from retold.sources.cocofolia import rewritten, room_log
from retold.sources.commands import without_commands
from retold.sources.discord import csv_export, html_export, json_export, text_export
from retold.sources.encodings import MOST_TEXT
from retold.sources.foundry import archive, database, level_database, text_log
from retold.sources.installed import installed
from retold.sources.iron_vault import journal
from retold.sources.lonelog import log
from retold.sources.opening import Hints, Stream, is_archive, neighbours, streams
from retold.sources.quotations import Quotations
from retold.sources.reporting import Report, Tally
from retold.sources.roll20 import chat_archive, saved_page
from retold.sources.sealdice import bot_text, json_log
from retold.sources.sniffing import (
    BEGINS,
    Head,
    Joined,
    Likeness,
    Reader,
    ReadUnit,
    UnclearError,
    beginning,
    chosen,
    head_of,
)
from retold.sources.subtitles import srt, transcript_json, transcript_tsv, webvtt
from retold.sources.subtitles.cues import joined
from retold.sources.times import Order
from retold.sources.unit import Reason, Unit

__all__ = ["READERS", "Hints", "Order", "Report", "Source", "Unit", "read", "readers", "troubles", "ways_on"]


class _Format(Protocol):
    """Module of a reader: functions that look at a file, read its units and count its pieces."""

    def look(self, head: Head, /) -> Likeness: ...
    def read(self, stream: Stream, tally: Tally, /) -> Iterator[Unit]: ...
    def count(self, stream: Stream, /) -> int: ...


def _reader(
    name: str,
    title: str,
    of: _Format,
    *,
    has_ids: bool = True,
    is_general: bool = False,
    reads_folders: bool = False,
    can_mark: bool = True,
    has_channels: bool = True,
    is_solo: bool = False,
    instead: str = "",
    family: str = "",
    joined: Joined | None = None,
    how: str = "",
) -> Reader:
    """Reader of a format; if `family` is empty, the name up to the first hyphen serves."""
    return Reader(
        name,
        family or name.partition("-")[0],
        title,
        of.look,
        of.read,
        of.count,
        has_ids=has_ids,
        is_general=is_general,
        reads_folders=reads_folders,
        can_mark=can_mark,
        has_channels=has_channels,
        is_solo=is_solo,
        instead=instead,
        joined=joined,
        how=how,
    )


READERS: Final = (
    _reader(
        "discord-json",
        "Discord (JSON)",
        json_export,
        how="DiscordChatExporter, format JSON: the best of its four, with the bots' answers whole",
    ),
    _reader(
        "discord-html",
        "Discord (HTML)",
        html_export,
        how="DiscordChatExporter, format HTML; needs retold[import]",
    ),
    _reader(
        "discord-csv",
        "Discord (CSV)",
        csv_export,
        has_ids=False,
        how="DiscordChatExporter, format CSV; many bots' throws are missing in it",
    ),
    _reader(
        "discord-text", "Discord (text)", text_export, has_ids=False, how="DiscordChatExporter, format TXT"
    ),
    _reader(
        "foundry-db",
        "Foundry VTT (messages.db)",
        database,
        how="the folder of a world, from its disk: Data/worlds/NAME/data",
    ),
    _reader(
        "foundry-leveldb",
        "Foundry VTT (folder messages, since version 11)",
        level_database,
        reads_folders=True,
        how="the folder of a world, from its disk: Data/worlds/NAME; needs retold[import]",
    ),
    _reader(
        "foundry-json",
        "Foundry VTT (archive of a module)",
        archive,
        how="the file that a chat archive module writes",
    ),
    _reader(
        "foundry-text",
        "Foundry VTT (text log)",
        text_log,
        has_ids=False,
        can_mark=False,
        how="the floppy disk below the chat, as game master",
    ),
    _reader(
        "roll20-html",
        "Roll20 (saved page)",
        saved_page,
        how="the chat archive, “show on one page”, saved as HTML; needs retold[import]",
    ),
    _reader(
        "telegram",
        "Telegram (JSON)",
        telegram.CHAT,
        has_ids=False,  # the number of a message is its own chat's
        how="Telegram Desktop, the chat's menu: Export chat history, format JSON",
    ),
    _reader(
        "slack",
        "Slack (JSON)",
        slack.CHAT,
        how="a workspace's export as a zip or folder, or slackdump's; users.json beside has the names",
    ),
    _reader("roll20-json", "Roll20 (JSON)", chat_archive, how="R20Exporter's zip, or its chat_archive.json"),
    _reader(
        "maptool",
        "MapTool",
        maptool,
        has_ids=False,
        has_channels=False,
        how="its menu: save chat log history; or a page of its folder autosave",
    ),
    _reader(
        "fantasy-grounds",
        "Fantasy Grounds (chatlog.html)",
        fantasy_grounds,
        has_ids=False,
        can_mark=False,
        has_channels=False,
        family="fantasy-grounds",
        how="chatlog.html in the campaign's folder, on the game master's computer",
    ),
    _reader("cocofolia", "Cocofolia", room_log, has_ids=False, how="the room's menu: log output, all tabs"),
    _reader(
        "cocofolia-rewritten",
        "Cocofolia (page made of its log by a tool)",
        rewritten,
        has_ids=False,
        how="what a tool made of such a log; the log itself is better",
    ),
    _reader("sealdice-json", "SealDice (JSON)", json_log, how=".log export, or log-exports/*.zip"),
    _reader(
        "sealdice-text",
        "SealDice, QQ and other dice bots (text)",
        bot_text,
        has_ids=False,
        can_mark=False,
        instead="sealdice-json",
        how=".log export, or the chat saved as text",
    ),
    _reader(
        "lonelog",
        "Lonelog and Partylog",
        log,
        has_ids=False,
        can_mark=False,
        is_solo=True,
        how="your log in Markdown, or retold export -f lonelog",
    ),
    *(
        _reader(name, title, of, has_ids=False, joined=joined, how=how)
        for name, title, of, how in (
            ("subtitles-vtt", "subtitles (WebVTT)", webvtt, "any transcriber, or retold export -f webvtt"),
            ("subtitles-srt", "subtitles (SRT)", srt, "any transcriber, or a folder of Craig's tracks"),
            ("subtitles-json", "transcript of Whisper (JSON)", transcript_json, "Whisper and its relatives"),
            ("subtitles-tsv", "transcript of Whisper (TSV)", transcript_tsv, "Whisper, format tsv"),
        )
    ),
    _reader(
        "iron-vault",
        "notes in Markdown",
        journal,
        has_ids=False,
        has_channels=False,
        is_solo=True,
        family="iron-vault",
        how="a note of Obsidian, or the folder of a vault; with mechanics of Iron Vault too",
    ),
    _reader(
        "table",
        "a table (CSV)",
        table,
        has_ids=False,
        how="any program that writes one row a message; the answers name its columns",
    ),
    _reader(
        "plain",
        "lines of text",
        plain_text,
        has_ids=False,
        is_general=True,
        how="any text with a name before the words: notes, IRC, WhatsApp's “export chat”, a pattern of yours",
    ),
)
"""Retold's own readers; Discord's are for files of DiscordChatExporter."""


def readers() -> tuple[Reader, ...]:
    """Readers in a fixed order: Retold's own, installed distributions', last the reader of plain text."""
    return (*READERS[:-1], *installed(READERS).readers, READERS[-1])


def reader_names() -> list[str]:
    """Names of all readers, as `retold import --as` takes them."""
    return [reader.name for reader in readers()]


def troubles() -> tuple[str, ...]:
    """Sentences to print, each about an installed reader that cannot be used."""
    return installed(READERS).troubles


NO_HINTS: Final = Hints()


@dataclass(frozen=True)
class Source:
    """Files of one tool; iterating gives their units, in the order of the files."""

    family: str
    files: tuple[tuple[Stream, Reader], ...]
    ignored: tuple[str, ...] = ()
    """Names of the files beside the log."""
    path: str = ""
    """Path of the log, as the user knows it."""

    def __iter__(self) -> Iterator[Unit]:
        """Units in the source's order.

        Raises Refused with one sentence where a file is damaged, or where units would be lost.
        """
        return (unit for _, _, unit in self.units(Report(self.family)))

    def report(self) -> Report:
        """Reads the whole source and counts; raises Refused as iterating does."""
        report = Report(self.family, ignored=list(self.ignored))
        for stream, _, unit in self.units(report):
            report.add(unit, stream.name)
        return report

    def units(self, report: Report) -> Iterator[ReadUnit]:
        """Yields each unit with its file and reader; adds files and pieces to `report`, but no units.

        Raises Refused as iterating does.
        """
        joined = self.files[0][1].joined if self.files else None
        units = self._one_by_one(report)
        return joined(units) if joined else units

    def keeping(self) -> ReadOnce:
        """The same source, which keeps its units for a second iteration."""
        return ReadOnce(self.family, self.files, self.ignored, self.path)

    def _one_by_one(self, report: Report) -> Iterator[ReadUnit]:
        """Yields the units file by file; a unit seen before is left out as a repeat."""
        seen: set[tuple[str, str, str]] = set()
        for stream, reader in self.files:
            try:
                yield from self._of_file(stream, reader, report, seen)
            except Refused as refusal:
                if reader.look(head_of(stream)) is not Likeness.NO:
                    raise
                said = (one for one in refusal.sentences if not one.startswith(BEGINS))
                ways = ways_on(self.path or stream.name, (stream,), stream.hints.encoding, reader.name)
                raise Refused(*said, *ways) from None

    def _of_file(
        self, stream: Stream, reader: Reader, report: Report, seen: set[tuple[str, str, str]]
    ) -> Iterator[ReadUnit]:
        found, expected = 0, reader.count(stream)
        report.streams.append(stream.name)
        report.counted += expected
        characters, quotations = Characters(stream.hints.names), Quotations()
        units = map(quotations.of, reader.read(stream, report.tally))
        for unit in map(characters.of, map(without_commands, units)):
            found += unit.pieces
            alone = "" if not unit.unread and (reader.has_ids or unit.when is not None) else stream.name
            known = (alone, unit.channel, unit.key)
            if known in seen and unit.left_out is None:
                yield stream, reader, replace(unit, left_out=Reason.REPEAT, unread=False)
            else:
                seen.add(known)
                yield stream, reader, _shortened(unit)
        stream.release()
        if found != expected:
            raise Refused(
                f"The reader found {found:,} units in {stream.name} and a second count {expected:,}, so"
                " something would be lost: nothing is taken in. Please report this with the name and version"
                " of the tool."
            )
        if not found and stream.data.strip() and reader.look(head_of(stream)) is Likeness.NO:
            raise Refused(f"{stream.name} does not look like {reader.title}, and nothing in it can be read.")


MOST_KEPT: Final = 50_000
"""Number of units that a source keeps; a longer one is read again, so that memory suffices."""


@dataclass(frozen=True)
class ReadOnce(Source):
    """Source that keeps its units after the first whole reading, and reads no file again."""

    _kept: list[ReadUnit] = field(default_factory=list)
    _reports: list[Report] = field(default_factory=list)
    """Report of the first whole reading, which has no units in it."""

    def units(self, report: Report) -> Iterator[ReadUnit]:
        """As those of any source: from the files the first time, then from memory."""
        if self._reports:
            report.join(self._reports[0])
            yield from self._kept
            return
        first = Report(self.family)
        kept: list[ReadUnit] | None = []
        for one in super().units(first):
            _ = one[0].digest  # now, while the file's bytes are here
            if kept is not None:
                kept.append(one)
                if len(kept) > MOST_KEPT:
                    kept = None
            yield one
        if kept is not None:
            self._kept.extend(kept)
            self._reports.append(first)
        report.join(first)


def read(
    path: str | os.PathLike[str],
    *,
    format: str = "",  # noqa: A002 - the word users know
    hints: Hints = NO_HINTS,
) -> Source:
    """Finds the log at a path: a file, a folder, a zip or a gz file.

    `format` names a reader or its family where the look of the file is not enough; `hints` say more. The
    files are decoded while the source is iterated. Raises Refused with one sentence if nothing there can be
    read, or if only a reader that is not sure knows it.
    """
    files: list[tuple[Stream, Reader]] = []
    ignored: list[str] = []
    unclear: list[Refused] = []
    all_files = streams(path)
    beside = (*all_files, *neighbours(path))
    for found in all_files:
        stream = replace(found, hints=hints, beside=beside)
        try:
            reader = (
                None
                if stream.is_dead or is_archive(stream.name)
                else chosen(stream, readers(), format, is_alone=len(all_files) == 1)
            )
        except Refused as refusal:
            unclear.append(refusal)
            reader = None
        if reader is None:
            ignored.append(stream.name)
        else:
            files.append((stream, reader))
    if not files and unclear:
        raise unclear[0]
    if not files:
        wanted = f"does not look like a log of {format}" if format else "is no log that can be read"
        raise Refused(
            f"{os.fspath(path)} {wanted}. What can be read: retold import --formats.",
            *ways_on(path, all_files, hints.encoding),
        )
    doubles = {stream.name for stream, reader in files if _is_there_twice(stream, reader, files)}
    ignored += sorted(doubles)
    files = [(stream, reader) for stream, reader in files if stream.name not in doubles]
    families = sorted({reader.family for _, reader in files})
    if len(families) > 1:
        raise Refused(f"{os.fspath(path)} holds logs of {' and '.join(families)}; read them one by one.")
    return Source(families[0], tuple(files), tuple(ignored), os.fspath(path))


def ways_on(
    path: str | os.PathLike[str], files: Sequence[Stream], encoding: str, tried: str = ""
) -> Iterator[str]:
    """Yields sentences on how a text of another shape can be read, with two lines of it.

    `tried` is the reader that the user named, and that cannot read it.
    """
    name = os.fspath(path)
    text = head_of(files[0]).text if files else ""
    text = files[0].head.decode(encoding, "replace") if files and encoding else text
    if len(files) > 1 or (files and Path(path).is_dir()):
        yield f"Its first file is {files[0].name}."
    begins = list(beginning(text))
    yield from begins or ["There are no words in it."]
    if REPLACEMENT in text:
        yield "Its letters are not UTF-8: say which they are, such as --encoding cp1252."
    makers = [sentence for shape, sentence in _MAKERS if shape.search(text)]
    yield from makers
    is_program = _OF_PROGRAMS.match(text) and not (tried or _OF_PAGES.match(text) or _OF_LISTS.search(text))
    if makers or is_program or not begins:
        return
    name = (Path(path) / files[0].name).as_posix() if Path(path).is_dir() else name
    typed, answers = f'"{name}"' if " " in name else name, f"{PurePath(name).stem}.import.toml"
    others = _that_know(files[0], tried) if tried else ()
    if others:
        ways = (f"{one.title}: retold import {typed} --as {one.name}" for one in others)
        yield f"It may be {', or '.join(ways)}."
        return
    if tried == READERS[-1].name:
        yield f"With that: retold import {typed} --as {tried}."
        return
    if _OF_PAGES.match(text):
        copied = f"{PurePath(name).stem}.txt"
        yield f"Open it in a browser, copy its words into {copied}, and: retold import {copied} --as plain."
        return
    if PurePath(name).suffix.casefold() in (".csv", ".tsv") or _OF_LISTS.search(text):
        yield (
            f"If it is a table: retold import {typed} --as table. Where its headings are not known, write"
            f' [columns] and below it name = "Who" and words = "Said", with its headings, into {answers}.'
        )
        return
    yield (
        f"If names stand in front of its words: retold import {typed} --as plain. If they stand"
        f" elsewhere, say how in {answers} beside it, such as {PATTERN}, and import it with --as plain."
    )


def _that_know(stream: Stream, tried: str) -> tuple[Reader, ...]:
    """Readers that know a file, beside the one that was tried."""
    try:
        found = chosen(stream, [reader for reader in readers() if reader.name != tried])
    except UnclearError as error:
        return error.readers
    return (found,) if found else ()


_OF_PROGRAMS: Final = re.compile(r"\s*(?:[{<]|\[\s*[{\[\"])")
"""Beginning of JSON or markup, which has no names in front of words."""
_OF_PAGES: Final = re.compile(r"\s*<")
_OF_LISTS: Final = re.compile(r"\A\s*(?:\[|\{[^\0]*\[)\s*\{")
"""Beginning of a list of objects in JSON."""
PATTERN: Final = r"pattern = '(?P<name>\w+) \| (?P<words>.*)'"
"""Line of an answers' file with a pattern of the user's own."""
_MAKERS: Final = (
    (
        re.compile(r"<root version=\"[\d.]{1,9}\" (?:dataversion|release)="),
        "Fantasy Grounds made it: the words are in chatlog.html, in the folder of the campaign.",
    ),
    (
        re.compile(r"<discord-messages|discord-(?:html-)?transcript|ticket ?tool|tickets?bot", re.IGNORECASE),
        "A ticket bot made it: export the channel with DiscordChatExporter instead, as JSON.",
    ),
    (
        re.compile(r'"chats"\s{0,9}:\s{0,9}\{\s{0,99}"about"'),
        "Telegram made it, of all chats: export one alone (its menu, Export chat history, JSON).",
    ),
    (
        re.compile(r"<title>Exported Data</title>|class=\"pull_right date details\""),
        "Telegram made it: export the chat again as JSON (its menu, Export chat history, Format).",
    ),
    (
        re.compile(r'"room_creator"\s{0,9}:|class="mx_(?:Export|MatrixChat|EventTile)'),
        "Element made it: export the room again as plain text (its menu, Export chat, Format).",
    ),
    (
        re.compile(r'"sender_name"\s{0,9}:[^{}]{1,400}"timestamp_ms"\s{0,9}:'),
        "Messenger or Instagram made it: copy the words of the chat into a text, a line each: Name: words.",
    ),
)
"""Tools whose files are not read, by a sign of each, with the way on."""


def _is_there_twice(stream: Stream, reader: Reader, files: Sequence[tuple[Stream, Reader]]) -> bool:
    """True if the same folder has a file of the better format `reader.instead`, with the same log."""
    folder = PurePosixPath(stream.name).parent
    return bool(reader.instead) and any(
        other.name == reader.instead and PurePosixPath(near.name).parent == folder for near, other in files
    )


def _shortened(unit: Unit) -> Unit:
    """Unit whose text is not longer than allowed; the rest is kept in `raw`, unread."""
    if len(unit.text) <= MOST_TEXT:
        return unit
    return replace(unit, text=unit.text[:MOST_TEXT], raw=unit.text[MOST_TEXT:])
