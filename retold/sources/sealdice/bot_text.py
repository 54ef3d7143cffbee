"""Reader of texts of SealDice, QQ and other dice bots: heads in one of five shapes, secrets unmarked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from sys import intern
from typing import Final

from retold.journal.encodings import with_line_feeds
from retold.journal.refused import Refused
from retold.sources.conventions import sorted_words
from retold.sources.dice import sealdice
from retold.sources.encodings import keepable
from retold.sources.keys import Ordinals
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sealdice.words import command_in, name_of, watches, without_numbers, words_of
from retold.sources.sniffing import Head, Likeness, head_of
from retold.sources.times import Order, reading
from retold.sources.unit import Fact, FactKind, Place, Reason, Sort, Unit, When

SPEAKS: Final = 3
"""Number of lines that a name without a time has to stand in front of before it is a speaker."""
MOST_TRIED: Final = 400
"""Length of the part of a line that is tried as a head, in characters."""
LATE: Final = timedelta(minutes=10)
"""Time by which heads may run backwards: the bot's clock and the platform's differ."""
MOST_LOOKED_AT: Final = 5_000
"""Number of lines at the beginning that tell the shape of a file's heads."""
AHEAD: Final = 50
"""Number of heads that are looked at to tell whether one that runs backwards is forged."""
SOON: Final = timedelta(seconds=60)
_CLOCK: Final = r"(?P<clock>\d{1,2}:\d{1,2}:\d{2})"
_DAY: Final = r"(?P<date>\d{4}[-/]\d{1,2}[-/]\d{1,2})"
_ACCOUNT: Final = r"(?:\((?P<account>[^()\n]{1,40})\)|<(?P<address>[^<>\n]{1,60})>)"
_FRAME: Final = re.compile(r"消息(?:记录|分组|对象)|={20,}")
_NAMED: Final = re.compile(r"<(?P<name>[^<>\n]{1,80})>")
_CHANGE: Final = re.compile(
    r"(?P<name>[^\s:\uff1a\d]{1,20})(?:变化)?[:\uff1a] ?-?\d{1,6} ?➯ ?(?P<new>-?\d{1,6})(?!\d)"
)
_NO_NAMES: Final = re.compile(r"CQ:|图片|动画表情|表情", re.IGNORECASE)


@dataclass(frozen=True)
class Shape:
    """Shape of the heads of one kind of log."""

    example: str
    head: re.Pattern[str]
    after_blank: bool = False
    """True if a blank line precedes each head."""
    is_sure: bool = True
    """True if lines of this shape are of nothing else."""


SHAPES: Final = (
    Shape(
        "Zel(QQ:10001) 2026-03-01 19:42:10",
        re.compile(rf"(?P<name>\S[^\n]{{0,99}}?){_ACCOUNT}?\s{{1,4}}(?:{_DAY} )?{_CLOCK}(?: #\d{{1,9}})? ?"),
        after_blank=True,
    ),
    Shape(
        "2026-03-01 19:42:10 Zel(10001)",
        re.compile(rf"{_DAY} {_CLOCK}\s{{1,4}}(?P<name>\S[^\n]{{0,99}}?){_ACCOUNT}"),
        after_blank=True,
    ),
    Shape(
        "2026/03/01 19:42:10<Zel(10001)>:words",
        re.compile(
            rf"(?:{_DAY} )?{_CLOCK}<(?P<name>[^<>\n]{{1,99}}?)"
            r"(?:\((?P<account>[^()\n]{1,40})\))?>:?(?P<words>[^\n]*)"
        ),
    ),
    Shape(
        "<2026-03-01 19:42:10.0> [Zel]: words",
        re.compile(
            rf"<{_DAY} {_CLOCK}\.\d>\s{{1,4}}\[?(?P<name>[^\[\]\n]{{1,99}}?)\]?:(?:\s{{1,4}}|$)"
            r"(?P<words>[^\n]*)"
        ),
    ),
    Shape("<Zel>words", re.compile(r"<(?P<name>[^<>\n:/]{1,60})>:?(?P<words>[^\n]*)"), is_sure=False),
    Shape("[Zel]words", re.compile(r"\[(?P<name>[^\[\]\n:/]{1,60})\]:?(?P<words>[^\n]*)"), is_sure=False),
)


@dataclass(frozen=True, slots=True)
class _Head:
    """Head of a message, with words that follow in its line."""

    line: int
    """Place among the lines, from 0."""
    name: str
    account: str
    when: When | None
    words: str


@dataclass(frozen=True)
class _Form:
    """Shape of a file's head lines, and the parts of a valid head."""

    shape: Shape
    parts: str
    """A line with other parts is no head."""
    after_blank: bool


@dataclass(frozen=True)
class _Log:
    """Lines of a file, and the heads among them."""

    lines: Sequence[str]
    shape: Shape
    heads: Sequence[_Head]
    forged: int = 0
    """Number of lines that only look like heads."""


def look(head: Head) -> Likeness:
    """Likeness to a log: surely with at least two heads of one shape that have a time."""
    text = head.text.lstrip("\ufeff \r\n\t")
    if text.startswith(("{", "[{", "<!", "<html", "<?")) or "\x00" in text or "</" in text:
        return Likeness.NO
    lines = _lines(text)
    log = _log(lines, frozenset())
    if log is None or not log.heads:
        return Likeness.NO
    first = log.heads[0]
    if log.shape.is_sure and first.when and (len(log.heads) > 1 or first.line == 0):
        return Likeness.SURELY
    filled = sum(1 for line in lines if line.strip())
    return Likeness.PERHAPS if len(log.heads) * 5 >= filled else Likeness.NO


def count(stream: Stream) -> int:
    """Number of lines that are not blank."""
    return sum(1 for line in _lines(stream.text) if line.strip())


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a log; times are the server's, without a zone.

    A line that looks like a head stays words if its parts differ from the heads of the file, if no blank line
    precedes it, or if its time runs backwards; the report says so of the last. Raises Refused if the file has
    no heads.
    """
    log = _log(_lines(keepable(stream.text, tally)), stream.hints.names)
    if log is None or not log.heads or look(head_of(stream)) is Likeness.NO:
        raise Refused(f"{stream.name} has no lines of a name and a time, so it is no log of a dice bot.")
    tally.pattern = f"`{log.shape.example}`"
    if log.forged:
        number = "1 line looks" if log.forged == 1 else f"{log.forged:,} lines look"
        tally.warn(
            f"In {stream.name} {number} like the beginning of a message, but with a time that leaps;"
            " what they hold is kept as words of the message before."
        )
    people = _People(
        {head.account: name_of(head.name) for head in log.heads if head.account},
        {name_of(head.name): head.account for head in log.heads},
    )
    yield from _units(log, replace(people, bots=_bots(log, people.accounts)))


@dataclass(frozen=True)
class _People:
    """Labels by accounts, and accounts by labels."""

    labels: Mapping[str, str]
    accounts: Mapping[str, str]
    bots: frozenset[str] = frozenset()
    """Labels of those who tell throws of others."""


# --- Heads ---


def _lines(text: str) -> list[str]:
    return with_line_feeds(text).split("\n")


def _log(lines: Sequence[str], speakers: frozenset[str]) -> _Log | None:
    """Log in the shape and form that most lines at its beginning have; None if none looks like a head."""
    chosen = _form_of_most(lines[:MOST_LOOKED_AT], speakers)
    if chosen is None:
        return None
    heads = list(_heads(lines, chosen))
    if not chosen.shape.is_sure:
        heads = _of_speakers(heads, speakers)
    kept = _without_forged(heads)
    return _Log(lines, chosen.shape, kept, len(heads) - len(kept))


def _form_of_most(lines: Sequence[str], speakers: frozenset[str]) -> _Form | None:
    best: tuple[int, _Form | None] = (0, None)
    filled = [(place, line) for place, line in enumerate(lines) if line and not line.isspace()]
    for shape in SHAPES:
        found = [(place, _parts(match)) for place, line in filled if (match := _match(shape, line))]
        if not found:
            continue
        (parts, _), *_ = Counter(parts for _, parts in found).most_common(1)
        places = [place for place, written in found if written == parts]
        behind_blank = sum(_is_behind_blank(lines, place) for place in places)
        form = _Form(shape, parts, shape.after_blank and behind_blank * 2 >= len(places))
        heads = list(_heads(lines, form))
        number = len(heads if shape.is_sure else _of_speakers(heads, speakers))
        best = max(best, (number, form), key=lambda choice: choice[0])
    return best[1]


def _heads(lines: Sequence[str], form: _Form) -> Iterator[_Head]:
    for place, line in enumerate(lines):
        if not line or (form.after_blank and not _is_behind_blank(lines, place)):
            continue
        match = _match(form.shape, line)
        if match and _parts(match) == form.parts:
            yield _head(place, match)


def _match(shape: Shape, line: str) -> re.Match[str] | None:
    """Match of a head: a head that takes a whole line is short, another has words behind it."""
    tried = line.rstrip() if shape.after_blank else line[:MOST_TRIED]
    return shape.head.fullmatch(tried) if len(tried) <= MOST_TRIED else None


def _parts(found: re.Match[str]) -> str:
    """Parts of a head, and the form of its account and date, as one text to compare."""
    groups = found.groupdict()
    account, day = groups.get("account") or "", groups.get("date") or ""
    written = "typed" if ":" in account else "number" if account.isdigit() else "other" if account else ""
    if groups.get("address"):
        written = "number"
    return f"{written} {day[4:5]} {bool(groups.get('clock'))}"


def _is_behind_blank(lines: Sequence[str], place: int) -> bool:
    return place == 0 or not lines[place - 1].strip() or bool(_FRAME.match(lines[place - 1]))


def _head(place: int, found: re.Match[str]) -> _Head:
    groups = found.groupdict()
    account = (groups.get("account") or groups.get("address") or "").rpartition(":")[2]
    words = groups.get("words") or ""
    day, clock = groups.get("date"), groups.get("clock")
    when = reading(f"{day} {clock}", Order.DAY_FIRST) if day and clock else None
    return _Head(place, intern(found["name"].strip()), intern(account), when, words)


def _of_speakers(heads: Sequence[_Head], speakers: frozenset[str]) -> list[_Head]:
    heard = Counter(head.name for head in heads if not _NO_NAMES.match(head.name))
    return [head for head in heads if heard[head.name] >= SPEAKS or head.name in speakers]


def _without_forged(heads: Sequence[_Head]) -> list[_Head]:
    """Heads without false ones inside messages, whose time leaps while the next heads do not.

    If the time stays back, a second log was put behind the first, and the order of the file is kept.
    """
    kept: list[_Head] = []
    latest: datetime | None = None
    for place, head in enumerate(heads):
        if head.when is None:
            kept.append(head)
            continue
        time = head.when.time
        if latest is not None and _leaps(time, latest, heads[place + 1 : place + 1 + AHEAD]):
            continue
        kept.append(head)
        latest = time
    return kept


def _leaps(time: datetime, latest: datetime, later: Sequence[_Head]) -> bool:
    """True if a time leaps back or forth and the next heads go on from the latest one before it."""
    following = later[0].when.time if later and later[0].when else None
    if time >= latest - LATE and (following is None or time <= following + LATE):
        return False
    if time < latest - LATE:
        return any(head.when is not None and head.when.time >= latest - LATE for head in later)
    return following is not None and following >= latest - LATE


# --- Units ---


def _units(log: _Log, people: _People) -> Iterator[Unit]:
    ordinals = Ordinals()
    starts = [head.line for head in log.heads]
    if starts[0] > 0 and any(line.strip() for line in log.lines[: starts[0]]):
        yield _front(log.lines[: starts[0]], ordinals)
    held: list[Unit] = []
    for head, (_, end) in zip(log.heads, pairwise([*starts, len(log.lines)]), strict=True):
        held.append(_unit(log, head, end, people, ordinals))
        if len(held) > SPEAKS:
            yield _answered(held)
    while held:
        yield _answered(held)


def _bots(log: _Log, among: Mapping[str, str]) -> frozenset[str]:
    found: set[str] = set()
    ends = [*(head.line for head in log.heads[1:]), len(log.lines)]
    for head, end in zip(log.heads, ends, strict=True):
        label = name_of(head.name)
        words = "\n".join([head.words, *log.lines[head.line + 1 : end]])
        if label in found or "<" not in words or "=" not in words or label == _named(words, among):
            continue
        if _named(words, among) and sealdice.in_sentence(words):
            found.add(label)
    return frozenset(found)


def _answered(held: list[Unit]) -> Unit:
    """First held unit, left out if it is a command that the bot answers soon."""
    unit = held.pop(0)
    if unit.sort is Sort.MARK or not unit.is_read or command_in(unit.text) is None:
        return unit
    for later in held:
        near = unit.when is None or later.when is None or later.when.time - unit.when.time <= SOON
        if near and later.through and later.speaker == unit.speaker:
            return replace(unit, left_out=Reason.ANSWERED)
    return unit


def _front(lines: Sequence[str], ordinals: Ordinals) -> Unit:
    """Lines before the first head: the frame of QQ's export, or words without a speaker."""
    words = without_numbers("\n".join(lines).strip())
    filled = [line for line in lines if line.strip()]
    is_frame = any(_FRAME.search(line) for line in filled)
    unit = Unit(Place(1, len(lines)), ordinals.key("", "", words), Sort.NOTICE, pieces=len(filled))
    if is_frame:
        return replace(unit, left_out=Reason.FRAME, text=words)
    return replace(unit, raw=words, unread=True)


def _unit(log: _Log, head: _Head, end: int, people: _People, ordinals: Ordinals) -> Unit:
    """Unit made of the lines from a head to the next head."""
    block = log.lines[head.line : end]
    first = block[0][MOST_TRIED:] if not log.shape.after_blank else ""
    whole = "\n".join([head.words + first, *block[1:]]).strip()
    words = words_of(whole, people.labels)
    stamp = head.when.time.isoformat() if head.when else ""
    unit = Unit(
        Place(head.line + 1, end),
        ordinals.key(stamp, name_of(head.name), whole),
        Sort.SAID,
        words.text,
        head.when,
        speaker=name_of(head.name),
        account=head.account,
        attached=words.attached,
        pieces=sum(1 for line in block if line.strip()),
    )
    if not words.text and not words.attached:
        return replace(unit, left_out=Reason.EMPTY)
    command = command_in(words.text)
    if command and command.is_session:
        return replace(unit, sort=Sort.MARK)
    throws = sealdice.in_sentence(words.text)
    asker = _named(words.text, people.accounts)
    facts = _facts(words.text, asker) if asker else ()
    if (throws or facts) and command is None:
        return _rolled(replace(unit, throws=throws, facts=facts), asker, people)
    if watches(head.name) or unit.speaker in people.bots:
        return replace(unit, sort=Sort.ASIDE)
    sort, plain = sorted_words(words.text)
    return replace(unit, sort=sort, text=plain)


def _rolled(unit: Unit, asker: str, people: _People) -> Unit:
    """Unit of a roll or changed track, for the person in angle brackets, otherwise for its author."""
    found = replace(unit, sort=Sort.ROLL if unit.throws else Sort.NOTE)
    if asker in ("", unit.speaker):
        return found
    return replace(found, text="", speaker=asker, account=people.accounts[asker], through=unit.speaker)


def _named(text: str, among: Mapping[str, str]) -> str:
    """First name in angle brackets that is a speaker's; empty if no speaker is named."""
    names = (name_of(found["name"]) for found in _NAMED.finditer(text[:MOST_TRIED]))
    return next((name for name in names if name in among), "")


def _facts(text: str, whose: str) -> tuple[Fact, ...]:
    found = (_CHANGE.search(line) for line in text.split("\n"))
    return tuple(
        Fact(
            FactKind.TRACK,
            "SAN" if change["name"] in ("理智", "理智变化") else change["name"],
            change["new"],
            whose,
        )
        for change in found
        if change
    )
