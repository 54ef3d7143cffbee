"""DiscordChatExporter's CSV: no ids and no embeds, and times by the exporter's version and locale."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from retold.journal.encodings import with_line_feeds
from retold.journal.refused import Refused
from retold.sources.discord.messages import Author, Kind, Message, accounted, attachment
from retold.sources.encodings import keepable, without_accounts
from retold.sources.keys import Ordinals
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness, head_of
from retold.sources.table import rows_of
from retold.sources.times import reader_of
from retold.sources.unit import Place, Reason, Sort, Unit

HEADER: Final = "AuthorID,Author,Date,Content,Attachments,Reactions"
NOTICES: Final = (
    *("Joined the server.", "Pinned a message.", "Started a thread.", "Changed the channel icon."),
    *("Added a recipient.", "Removed a recipient.", "Left the group.", "Changed the channel name."),
)
_COLUMNS: Final = 6
_QUOTED: Final = re.compile(r'"[^"]*"?')
NO_ORDER: Final = (
    "may be day or month first; say which when it is taken in. Its units have no time until then."
)


def look(head: Head) -> Likeness:
    """Likeness to an export: its header, to which a tool may have added columns."""
    return Likeness.SURELY if ",".join(_header(head.text)[:_COLUMNS]) == HEADER else Likeness.NO


def _header(text: str) -> list[str]:
    first = text.lstrip("\ufeff").partition("\n")[0].strip()
    return [name.strip('"') for name in first.removesuffix(",").split(",")]


def count(stream: Stream) -> int:
    """Number of filled lines below the header, not counting line ends inside quotes."""
    body = with_line_feeds(stream.text).partition("\n")[2]
    return sum(bool(line) for line in _QUOTED.sub("x", body).split("\n"))


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of an export; rows cut off, or with unexpected columns, are unread."""
    if look(head_of(stream)) is Likeness.NO:
        raise Refused(f"{stream.name} does not begin with {HEADER}, so it is no export of Discord.")
    text = with_line_feeds(keepable(stream.text, tally))
    added = _header(text)[_COLUMNS:]
    tally.fields.update(added)
    wide = _COLUMNS + len(added)
    rows = [row for _, _, row in rows_of(text.partition("\n")[2], ",")]
    # old versions of the exporter write an empty last column
    rows = [row[:_COLUMNS] if len(row) == wide or row[_COLUMNS:] == [""] else row for row in rows]
    times = [row[2] for row in rows if len(row) == _COLUMNS]
    time_of = reader_of(times, stream.hints.dates)
    if times and all(time_of(each) is None for each in times):
        tally.warn(f"The first number of a date in {stream.name} {NO_ORDER}")
        tally.dates_unclear = True
    if text.count('"') % 2:
        tally.warn(f"{stream.name} is cut off: its last message is left out. Export it again if you can.")
    ordinals = Ordinals()
    broken: list[Unit] = []

    def messages() -> Iterator[Message]:
        for ordinal, row in enumerate(rows, start=1):
            place = Place(ordinal, ordinal)
            last_is_cut = ordinal == len(rows) and text.count('"') % 2 == 1
            if len(row) != _COLUMNS or last_is_cut or not row[2].strip():
                key = ordinals.key("broken", *row)
                raw = without_accounts(",".join(row))
                half = Reason.CUT if last_is_cut else None
                broken.append(Unit(place, key, Sort.NOTICE, raw=raw, unread=half is None, left_out=half))
                continue
            account, author, date, content, attachments, reactions = row
            yield Message(
                place=place,
                key=ordinals.key(date, author, content),
                kind=Kind.NOTICE if content.strip() in NOTICES else Kind.WORDS,
                author=Author(author or "?", account),
                when=time_of(date),
                text=content,
                attached=tuple(attachment(one) for one in attachments.split(",") if one.strip()),
                reactions=sum(1 for one in reactions.split(",") if one.strip()),
            )

    named = {row[0]: row[1] for row in rows if len(row) == _COLUMNS and row[0]}
    yield from accounted(messages(), broken, named)
