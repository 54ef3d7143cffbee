"""Reader of a vault's notes: paragraphs, headings, blocks of mechanics, comments for the game master."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from heapq import merge
from itertools import chain
from typing import Final

from retold.journal.encodings import with_line_feeds
from retold.sources.characters import leading, speech
from retold.sources.comments import without_comments
from retold.sources.conventions import sorted_words
from retold.sources.encodings import keepable
from retold.sources.evenings import session_of
from retold.sources.heads import MOST_TRIED
from retold.sources.iron_vault.links import words_of_links
from retold.sources.iron_vault.mechanics import INLINE, Mechanics, block, codes
from retold.sources.keys import Ordinals
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.time_words import plain
from retold.sources.times import Order, order_of_stamps, stamp_at
from retold.sources.unit import Place, Reason, Sort, Unit, When

BLOCK: Final = re.compile(r"[ >\t]{0,20}(?:`{3,9}|~{3,9})[ \t]?(?:iron-vault-)?mechanics[ \t]*")
"""Line that begins a block of mechanics."""
SECRET: Final = frozenset({"spoiler", "secret", "gm", "hidden"})
"""Kinds of callouts that are for the game master."""
_FENCE: Final = re.compile(r"(?P<sign>`{3,}|~{3,})[ \t]*(?P<kind>[^\s`]{0,60})[^`]{0,200}")
_HEADING: Final = re.compile(r"#{1,6}[ \t]+(?P<words>[^\n]+)")
_CALLOUT: Final = re.compile(r"\[!(?P<kind>[\w-]{1,30})\][-+]?[ \t]*(?P<title>[^\n]*)")
_ID: Final = re.compile(r"(?:\A|[ \t])\^[A-Za-z0-9-]{1,60}\Z")
_EMBED: Final = re.compile(r"!\[\[(?P<name>[^\[\]\n]{1,300})\]\]|!\[[^\[\]\n]{0,300}\]\([^()\n]{1,500}\)")
_RULE: Final = re.compile(
    r"(?:-[ \t]?){3,80}|(?:\*[ \t]?){3,80}|(?:_[ \t]?){3,80}|(?:#[^\W\d_][\w/-]{0,60}\s*)+"
)
"""Line across a page, or tags alone."""
_PROPERTY: Final = re.compile(r"(?P<name>[\w-]{1,60}):[ \t]*(?P<value>[^\n]{0,300})")
_DATES: Final = ("date", "session-date", "session_date", "played", "datum", "fecha", "data", "created")
"""Properties that say when a note was played, the first that is there; also in front of a day in a line."""
_DATED: Final = re.compile(rf"[*_]{{0,2}}(?:{'|'.join(_DATES)})(?::[*_]{{0,2}}|[*_]{{0,2}}:) ", re.IGNORECASE)
_BEGINS: Final = re.compile(r"(?<![\w.:/-])(?=\w)")
"""Place in a line where a day may begin."""
_YEARS: Final = range(1970, 2100)
"""Years in which a note may be played; others are of the game's world."""
_LISTED: Final = re.compile(r"\||[-*+] \[.\] |\*\*[^*\n]{1,40}(?::\*\*|\*\*:) ")
"""Beginning of a row of a table, of a task, or of a term in bold with what it is."""
_BULLET: Final = re.compile(r"^[ \t]*[-*+] (?=\S)", re.MULTILINE)


def look(head: Head) -> Likeness:
    """Likeness to a note: surely with mechanics of Iron Vault, perhaps with other marks of Obsidian."""
    lines = head.text.splitlines()
    if any(line.lstrip(" >\t").startswith(("`", "~")) and BLOCK.fullmatch(line) for line in lines):
        return Likeness.SURELY
    if INLINE.search(head.text):
        return Likeness.SURELY
    if not head.name.casefold().endswith(".md") or "iron-vault-kind" in head.text:
        return Likeness.NO
    if "[[" in head.text or "> [!" in head.text:
        return Likeness.PERHAPS
    filled = [line for line in lines if line.strip() and not line.startswith("#")]
    is_note = head.text.startswith(("---\n", "---\r\n", "# "))
    return Likeness(is_note and sum(map(bool, map(_OF_LOGS.match, filled))) * 2 < len(filled))


def count(stream: Stream) -> int:
    """Number of lines that are not blank."""
    return sum(1 for line in with_line_feeds(stream.text).split("\n") if line.strip(_BLANK))


_OF_LOGS: Final = re.compile(r"(?:\*\*)?[^\W\d_][^:*\n]{0,40}(?::\*\*|\*\*:|:) *\S|[`@=<\[(]|\d{1,4}[:/.-]\d")
"""Beginning of a line of a log: a name in front of its words, or a time, or a sign."""
_BLANK: Final = " \t>"
"""Signs that alone make no line of words."""


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a note: one for each paragraph, speech, heading, block or callout.

    They have the day in the property `date` or in the note's name, until a heading or a line says another.
    Raises Refused if mechanics need a library that is not installed.
    """
    text = keepable(with_line_feeds(stream.text), tally)
    told, comments = without_comments(text, blank=_BLANK)
    lines = [_Line(number, line) for number, line in enumerate(told, start=1)]
    properties, rest = _properties(lines)
    name = re.sub(r"\.(?:md|txt)\Z", "", stream.name)
    said = {one[1].casefold(): one[2] for line in properties if (one := _PROPERTY.match(line.text))}
    dates, stated = stream.hints.dates, (*(said[key] for key in _DATES if key in said), name)
    when = next(filter(None, (_day_in(one, dates, tally) for one in stated)), None)
    ordinals, former, names = Ordinals(), Ordinals(), leading((line.text for line in rest), 2)
    heading = session = ""
    head = [_framed(properties, tally)] if properties else []
    notes = (_noted(_empty(one.first, one.last, one.pieces), one.words) for one in comments)
    written = text.split("\n")
    parts = chain(head, (_with_former(part, written, tally) for part in _parts(rest)))
    for whole in merge(parts, notes, key=lambda unit: unit.place.first):
        if whole.sort is Sort.SCENE:
            heading, before, session = whole.text, session, session_of(whole.text, session)
            whole = replace(whole, left_out=whole.left_out or (None if session is before else Reason.FRAME))  # noqa: PLW2901
        if whole.sort is Sort.SCENE or _DATED.match(whole.text):
            when = _day_in(whole.text, dates, tally) or when
        was = former.key(heading, whole.former or whole.whole or whole.text or whole.raw)
        for unit in _speeches(whole, names):
            key = ordinals.key(heading, unit.whole or unit.text or unit.raw)
            yield replace(
                unit, key=key, former="" if key == was else was, when=when, channel=name, session=session
            )


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str

    @property
    def is_blank(self) -> bool:
        return not self.text.strip(_BLANK)

    @property
    def is_quoted(self) -> bool:
        return self.text.lstrip(" \t").startswith(">")

    def unquoted(self) -> _Line:
        return _Line(self.number, self.text.lstrip(" \t")[1:].removeprefix(" "))


def _properties(lines: Sequence[_Line]) -> tuple[list[_Line], Sequence[_Line]]:
    """Lines of the properties at a note's beginning, and the lines behind them."""
    if not lines or lines[0].text.rstrip() != "---":
        return [], lines
    for place, line in enumerate(lines[1:], start=1):
        if line.text.rstrip() == "---":
            return list(lines[: place + 1]), lines[place + 1 :]
    return [], lines


def _day_in(text: str, order: Order | None, tally: Tally) -> When | None:
    """Day of play that a text states; None if there is none, or if day and month may be either."""
    known = plain(text[:MOST_TRIED])
    found = [one[0] for place in _BEGINS.finditer(known) if (one := stamp_at(known, place.start()))]
    order = order or order_of_stamps(found)
    tally.dates_unclear |= order is None
    days = [(day, one) for one in found if (day := one.day(order or Order.DAY_FIRST)) and day.year in _YEARS]
    if not days or order is None:
        return None
    day, stamp = days[0]
    return When((day + (stamp.clock or timedelta())).replace(tzinfo=stamp.zone), stamp.precision)


# --- Parts ---


def _parts(lines: Sequence[_Line]) -> Iterator[list[_Line]]:
    """Parts of a note: fenced blocks, quoted lines, headings, comments, paragraphs."""
    place = 0
    while place < len(lines):
        line = lines[place]
        if line.is_blank:
            place += 1
            continue
        end = _end(lines, place)
        part = list(lines[place:end])
        if (
            line.is_quoted
            and not _is_secret(part)
            and any(BLOCK.fullmatch(quoted.unquoted().text) for quoted in part)
        ):
            inner = [quoted.unquoted() for quoted in part]
            if _CALLOUT.fullmatch(inner[0].text.strip()):
                yield [line]
                inner = inner[1:]
            yield from _parts(inner)
        else:
            yield part
        place = end


def _end(lines: Sequence[_Line], place: int) -> int:
    """Place behind the part that begins at `place`."""
    first = lines[place].text.strip()
    if fence := _FENCE.fullmatch(first):
        return _behind_fence(lines, place, fence["sign"])
    end = place + 1
    if _HEADING.fullmatch(first) or _RULE.fullmatch(first):
        return end
    if lines[place].is_quoted:
        while end < len(lines) and lines[end].is_quoted:
            end += 1
        return end
    while (
        end < len(lines) and not lines[end].is_blank and not lines[end].is_quoted and not _begins(lines[end])
    ):
        end += 1
    return end


def _behind_fence(lines: Sequence[_Line], place: int, sign: str) -> int:
    for end in range(place + 1, len(lines)):
        closing = lines[end].text.strip()
        if closing.startswith(sign) and not closing.strip(sign[0]):
            return end + 1
    return len(lines)


def _begins(line: _Line) -> bool:
    """True if the line begins a part even without a blank line before it."""
    text = line.text.strip()
    return bool(_FENCE.fullmatch(text) or _HEADING.fullmatch(text))


def _is_secret(part: Sequence[_Line]) -> bool:
    found = _CALLOUT.match(part[0].unquoted().text.strip())
    return found is not None and found["kind"].casefold() in SECRET


# --- Units ---


def _with_former(part: Sequence[_Line], written: Sequence[str], tally: Tally) -> Unit:
    """Unit of one part, with the words that earlier releases made its key of if comments are cut from it."""
    before = [_Line(line.number, written[line.number - 1]) for line in part]
    unit = _unit(part, tally)
    is_cut = any("%%" in line.text or "<!--" in line.text for line in before)
    return replace(unit, former=_unit(before, tally).text) if is_cut else unit


def _unit(part: Sequence[_Line], tally: Tally) -> Unit:
    """Unit of one part, without key, time and channel."""
    rows = [line.text for line in part]
    text = "\n".join(rows).strip()
    unit = _of(part)
    if _FENCE.fullmatch(rows[0].strip()):
        return _fenced(unit, rows, tally)
    if part[0].is_quoted:
        return _quoted(unit, part)
    if heading := _HEADING.fullmatch(text):
        words = _ID.sub("", words_of_links(heading["words"]).strip(" \t#"))
        return replace(unit, sort=Sort.SCENE, text=words, left_out=None if words else Reason.EMPTY)
    if _RULE.fullmatch(text) or _ID.fullmatch(text):
        return replace(unit, text=text, left_out=Reason.FRAME)
    return replace(unit, raw=text, unread=True) if _EMBED.fullmatch(text) else _told(unit, text)


def _speeches(unit: Unit, names: Container[str]) -> Iterator[Unit]:
    """The speeches in a told paragraph, a line each, and what is told between them; else the unit."""
    rows = unit.text.split("\n")
    said = [speech(row, names) for row in rows]
    said = [speech(row, leading(rows, 1)) for row in rows] if any(said) else said
    is_plain = unit.sort in (Sort.TOLD, Sort.ASIDE) and not (unit.throws or unit.facts)
    if not (is_plain and any(said) and len(rows) == unit.pieces):
        yield unit
        return
    starts = [place for place, one in enumerate(said) if one or not place or said[place - 1]]
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        place = Place(unit.place.first + start, unit.place.first + end - 1)
        name, words = said[start] or ("", "\n".join(rows[start:end]))
        sort = Sort.SAID if name else Sort.ASIDE if _LISTED.match(words) else Sort.TOLD
        part = replace(unit, place=place, pieces=end - start, sort=sort, speaker=name, text=words, whole="")
        yield replace(part, passed=(), attached=()) if start else part


def _of(part: Sequence[_Line]) -> Unit:
    """Unit without words at the place of a part."""
    return _empty(part[0].number, part[-1].number, sum(not line.is_blank for line in part))


def _empty(first: int, last: int, pieces: int) -> Unit:
    return Unit(Place(first, last), "", Sort.TOLD, pieces=pieces)


def _framed(part: Sequence[_Line], tally: Tally) -> Unit:
    """Unit of a note's properties, left out; counts each property by name."""
    for line in part[1:-1]:
        if found := _PROPERTY.match(line.text):
            tally.fields[f"property: {found['name']}"] += 1
    text = "\n".join(line.text for line in part)
    return replace(_of(part), text=text, sort=Sort.NOTICE, left_out=Reason.FRAME)


def _noted(unit: Unit, words: str) -> Unit:
    """Unit turned into the game master's note with these words."""
    words = words_of_links(words).strip()
    left_out = None if words else Reason.EMPTY
    return replace(unit, sort=Sort.NOTE, text=words, hidden=True, left_out=left_out)


def _quoted(unit: Unit, part: Sequence[_Line]) -> Unit:
    """Unit of quoted lines or of a callout, whose title is its first line."""
    lines = [line.unquoted().text for line in part]
    callout = _CALLOUT.fullmatch(lines[0].strip())
    if callout:
        lines[0] = callout["title"]
    words = "\n".join(lines).strip()
    return _noted(unit, words) if _is_secret(part) else _told(unit, words)


def _told(unit: Unit, text: str) -> Unit:
    """Unit of a paragraph: words without links and codes, and the throws and facts of its codes."""
    passed: list[Reason] = []
    if _ID.search(text):
        text = _ID.sub("", text)
        passed.append(Reason.FRAME)
    attached = tuple(f"[picture: {_file(found)}]" for found in _EMBED.finditer(text))
    words, found, is_aside = codes(words_of_links(_EMBED.sub("", text)))
    words = whole = "\n".join([*filter(None, [words]), *found.words])
    if not _LISTED.match(words):
        words, bullets = _BULLET.subn("", words)
        passed += [Reason.MARKUP] * bullets
        unit = replace(unit, whole=whole if bullets else "")
    if is_aside:
        return replace(unit, sort=Sort.ASIDE, text=words, passed=tuple(passed))
    unit = _with(unit, found, words)
    sort, plain_words = sorted_words(words)
    if (sort is Sort.ASIDE or _LISTED.match(words)) and not (found.throws or found.facts):
        unit = replace(unit, sort=Sort.ASIDE, text=plain_words)
    left_out = None if words or found.throws or found.facts or attached else Reason.EMPTY
    return replace(unit, attached=attached, passed=tuple(passed), left_out=left_out)


def _file(found: re.Match[str]) -> str:
    """Name of an embedded file, without its folders and the address of a picture."""
    if found["name"] is None:
        return "from the web"
    return re.sub(r".*[\\/]|\|.*", "", found["name"]) or found["name"]


def _fenced(unit: Unit, rows: Sequence[str], tally: Tally) -> Unit:
    inside = "\n".join(rows[1:-1] if len(rows) > 1 and not rows[-1].strip(" \t`~") else rows[1:])
    mechanics = block(inside, tally) if BLOCK.fullmatch(rows[0]) else None
    if mechanics is None:
        return replace(unit, raw="\n".join(rows), unread=True)
    words = "\n".join(filter(None, mechanics.words))
    unit = _with(unit, mechanics, words)
    speaker = next(iter(mechanics.actors)) if len(mechanics.actors) == 1 else ""
    is_empty = not (words or mechanics.throws or mechanics.facts)
    sort = Sort.ROLL if mechanics.throws else Sort.NOTE
    order = tuple(one for one in mechanics.order if one) if words else ()
    return replace(unit, sort=sort, speaker=speaker, order=order, left_out=Reason.EMPTY if is_empty else None)


def _with(unit: Unit, found: Mechanics, words: str) -> Unit:
    """Unit with throws and facts added; without words left it becomes a roll or a note."""
    sort = unit.sort
    if not words and found.throws:
        sort = Sort.ROLL
    elif not words and found.facts:
        sort = Sort.NOTE
    return replace(unit, sort=sort, text=words, throws=tuple(found.throws), facts=tuple(found.facts))
