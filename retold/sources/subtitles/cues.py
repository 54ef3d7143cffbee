"""Units from the cues of a recording: speakers, times, and the joining of cues to utterances."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath
from typing import Final

from retold.journal.refused import Refused
from retold.sources.encodings import keepable
from retold.sources.json_objects import is_number
from retold.sources.keys import Ordinals
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import ReadUnit
from retold.sources.unit import Place, Precision, Reason, Sort, Unit, When

SUFFIXES: Final = (".vtt", ".srt", ".sbv", ".json", ".tsv")
GAP: Final = timedelta(seconds=2)
"""Silence of one speaker after which a new unit begins."""
SPEAKS: Final = 3
"""Number of cues that a name has to stand in front of before it is a speaker."""
SHARE: Final = 5
"""One of so many cues has to begin with a name before every name in front of words is a speaker."""
REPEATS: Final = 3
"""Number of equal cues in a row that a transcriber may have invented."""
SHOWN: Final = 8
_SHORT: Final = re.compile(
    r"(?:\[(?P<square>[^\[\]\n]{1,60})\] ?:|[(\[](?P<round>speaker[ _]?\d{1,3})[)\]] ?:?)\s*(?P<words>.*)",
    re.IGNORECASE | re.DOTALL,
)
_NAMED: Final = re.compile(
    r"(?P<name>[^\W\d_][^\s:]{0,40}(?: [^\s:()]{1,40}){0,4})(?P<aside>(?: \([^()\n]{1,100}\)){0,4}):"
    r"\s+(?P<words>\S.*)",
    re.DOTALL,
)
_BRACKETED: Final = re.compile(
    r"[\[(](?P<name>[^\W\d_][^\[\]()\n:]{0,40})[\])](?P<aside>) (?P<words>\S.*)", re.DOTALL
)
_FIRST_LINE: Final = re.compile(r"[^\W\d_][^\n:.!?,]{0,50}")
_TRACK: Final = re.compile(r"\d{1,3}-(?P<name>.+)", re.DOTALL)
_DISCRIMINATOR: Final = re.compile(r"(?:[_#]\d{1,4})+\Z")
_START: Final = re.compile(r"^\s{0,8}Start time:\s{0,8}(?P<time>\S{1,40})", re.MULTILINE | re.IGNORECASE)
_NOBODY: Final = frozenset({"note", "http", "https", "time", "speaker", "music"})
_INVENTED: Final = re.compile(
    r"(?:thanks?(?: you)?(?: so much| very much)? for watching|please (?:like and )?subscribe|amara\.org"
    r"|sous-titr\w{0,12} (?:réalisés|par)|untertitel(?:ung)? (?:von|der|des|im auftrag)"
    r"|sottotitoli (?:creati|a cura)|subtítulos (?:realizados|por)|legendas pela)",
    re.IGNORECASE,
)
_GOES_ON: Final = re.compile(r"(?:…|\.\.\.)(?=\w)")


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue of a file: its times, its words, and its speaker if the format has one."""

    place: Place
    start: timedelta
    end: timedelta
    words: str
    speaker: str = ""
    pieces: int = 1


def units(stream: Stream, cues: Iterable[Cue | Unit], tally: Tally) -> Iterator[Unit]:
    """Units of one file's cues, one for each voice; units among `cues` pass unchanged in their place.

    Keys stay the same if the file grows, even if a name becomes known as a speaker meanwhile.
    """
    found = list(cues)
    spoken = [cue for cue in found if isinstance(cue, Cue)]
    speakers = _speakers([cue.words for cue in spoken if not cue.speaker], stream.hints.names)
    ordinals = Ordinals()
    track = _track(stream)
    began = _began(stream)
    _warn_of_inventions(stream.name, spoken, tally)
    for cue in found:
        if isinstance(cue, Unit):
            yield cue
            continue
        pieces = cue.pieces
        start = str(cue.start // timedelta(milliseconds=1))
        for name, words in _voices(cue, speakers):
            speaker = keepable(name or track, tally)
            text = keepable(words, tally)
            yield Unit(
                cue.place,
                ordinals.key(cue.speaker or track, start, cue.words if pieces else text),
                Sort.ASIDE,
                text,
                _when(began, cue.start),
                cue.start,
                ends=cue.end,
                speaker=speaker,
                pieces=pieces,
                left_out=None if text else Reason.EMPTY,
            )
            pieces = 0


def joined(tracks: Iterable[ReadUnit]) -> Iterator[ReadUnit]:
    """Units of all files of one recording, in order of time.

    Units of one file and speaker that follow each other less than 2 seconds apart become one. A unit without
    a time takes the time of the unit before it in its file.
    """
    found: list[tuple[timedelta, ReadUnit]] = []
    clocks: dict[str, timedelta] = {}
    for stream, reader, unit in tracks:
        clock = unit.clock if unit.clock is not None else clocks.get(stream.name, timedelta())
        clocks[stream.name] = clock
        placed = replace(unit, clock=clock) if unit.unread else unit
        found.append((clock, (stream, reader, placed)))
    found.sort(key=lambda placed: placed[0])
    last: ReadUnit | None = None
    behind: list[ReadUnit] = []
    for _, (stream, reader, unit) in found:
        if not unit.is_read or unit.clock is None:
            behind.append((stream, reader, unit))
        elif last is not None and stream.name == last[0].name and _is_one(last[2], unit):
            last = (stream, reader, _one(last[2], unit))
        else:
            yield from (unit for unit in (last, *behind) if unit is not None)
            behind = []
            last = (stream, reader, unit)
    yield from (unit for unit in (last, *behind) if unit is not None)


def unread(place: Place, raw: str, pieces: int = 1) -> Unit:
    """Unit for lines that cannot be read as a cue."""
    return Unit(place, f"broken.{place.first}", Sort.NOTICE, raw=raw, pieces=pieces, unread=True)


def time_of(text: str) -> timedelta | None:
    """Time written as `00:01:02.500`, `01:02,5` or `0:00:01`; None for malformed text."""
    found = re.fullmatch(r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,6}))?", text.strip())
    if found is None:
        return None
    hours, minutes, seconds = (int(found[part] or 0) for part in (1, 2, 3))
    fraction = int((found[4] or "0").ljust(6, "0"))
    return timedelta(hours=hours, minutes=minutes, seconds=seconds, microseconds=fraction)


def seconds_of(number: object) -> timedelta | None:
    """Time from a JSON number of seconds, rounded to milliseconds; None for other types, or out of range."""
    if not is_number(number) or not 0 <= number < 10_000_000:
        return None
    return timedelta(milliseconds=round(number * 1000))


def milliseconds_of(number: object) -> timedelta | None:
    """Time from a JSON number of milliseconds; None for other types and numbers out of range."""
    return seconds_of(number / 1000) if is_number(number) else None


def _is_one(before: Unit, unit: Unit) -> bool:
    if before.speaker != unit.speaker or before.clock is None or unit.clock is None:
        return False
    return False if len(before.text) > 20_000 else unit.clock - (before.ends or before.clock) < GAP


def _one(before: Unit, unit: Unit) -> Unit:
    is_new = before.text.endswith((".", "!", "?", "…", ":")) and unit.clock != before.ends
    goes_on = None if is_new else _GOES_ON.match(unit.text)
    text = unit.text[goes_on.end() :] if goes_on else unit.text
    ends = max(filter(None, (before.ends, unit.ends)), default=None)
    return replace(
        before,
        place=Place(min(before.place.first, unit.place.first), max(before.place.last, unit.place.last)),
        text=f"{before.text} {text}",
        ends=ends,
        pieces=before.pieces + unit.pieces,
    )


def _voices(cue: Cue, speakers: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Speakers and words of a cue; a line with a name in front begins another voice."""
    if cue.speaker:
        yield cue.speaker, _line(cue.words)
        return
    name, lines = "", list[str]()
    for line in cue.words.split("\n"):
        label, words = _led(_unmarked(line), speakers)
        if label and lines:
            yield name, _line(" ".join(lines))
            lines = []
        name = label or name
        lines.append(words)
    yield name, _line(" ".join(lines))


def _unmarked(line: str) -> str:
    """Text line without the sign `>>` or `-`, with which captions mark a change of speaker."""
    return line.strip().removeprefix(">>").removeprefix("- ").lstrip()


def _led(line: str, speakers: frozenset[str]) -> tuple[str, str]:
    """Name in front of a text line (empty without one), and the words behind it."""
    short = _SHORT.fullmatch(line)
    if short:
        return (short["square"] or short["round"]).strip(), short["words"]
    if line in speakers and _FIRST_LINE.fullmatch(line):
        return line, ""
    named = _named(line)
    if named and named["name"] in speakers:
        return named["name"], f"{named['aside'].strip()} {named['words']}".strip()
    return "", line


def _named(line: str) -> re.Match[str] | None:
    return _NAMED.fullmatch(line) or _BRACKETED.fullmatch(line)


def _above(texts: Sequence[str]) -> set[str]:
    """Names on a line of their own above the words, if every cue has one and some come again."""
    first = [text.partition("\n")[0].strip() for text in texts if "\n" in text.strip()]
    is_so = len(first) == len(texts) > len(set(first)) and all(map(_FIRST_LINE.fullmatch, first))
    return set(first) if is_so else set()


def _speakers(texts: Sequence[str], names: frozenset[str]) -> frozenset[str]:
    """Names in front of several cues; every such name if many cues have one."""
    found: Counter[str] = Counter()
    leading: Counter[str] = Counter()
    for text in texts:
        for place, line in enumerate(text.split("\n")):
            named = _named(_unmarked(line))
            if named and not named["name"][0].islower() and named["name"].casefold() not in _NOBODY:
                found[named["name"]] += 1
                leading[named["name"]] += place == 0
    often = {name for name, number in found.items() if number >= SPEAKS or name in names}
    if leading.total() * SHARE > len(texts):
        often |= {name for name, number in leading.items() if number}
    return frozenset(often | _above(texts))


def _track(stream: Stream) -> str:
    """Speaker told by the file's name: `1-zel.srt`, or any name among several tracks; empty otherwise."""
    stem = PurePosixPath(stream.name).stem
    numbered = _TRACK.fullmatch(stem)
    if numbered:
        return _DISCRIMINATOR.sub("", numbered["name"]) or numbered["name"]
    names = (PurePosixPath(other.name) for other in stream.beside)
    stems = {name.stem for name in names if name.suffix.casefold() in SUFFIXES}
    return stem if len(stems) > 1 and stem in stems else ""


def _began(stream: Stream) -> datetime | None:
    """Instant at which a recording began, from the `info.txt` that Craig puts beside the tracks."""
    folder = PurePosixPath(stream.name).parent
    for other in stream.beside:
        if PurePosixPath(other.name) == folder / "info.txt":
            found = _START.search(other.head.decode("utf-8", "replace"))
            try:
                began = datetime.fromisoformat(found["time"]) if found else None
            except ValueError:
                return None
            return began if began is None or began.tzinfo else began.replace(tzinfo=UTC)
    return None


def _when(began: datetime | None, clock: timedelta) -> When | None:
    try:
        return When(began + clock, Precision.MILLISECOND) if began else None
    except OverflowError:
        return None


def _warn_of_inventions(name: str, cues: Sequence[Cue], tally: Tally) -> None:
    """Warns of cues that a transcriber may have invented; keeps them."""
    places: list[int] = []
    run: list[Cue] = []
    for cue in (*cues, None):
        if run and (cue is None or _plain(cue.words) != _plain(run[-1].words)):
            is_run = len(run) >= REPEATS and _plain(run[0].words)
            places += [cue.place.first for cue in run if is_run or _INVENTED.search(cue.words[:500])]
            run = []
        if cue is not None:
            run.append(cue)
    if places:
        shown = ", ".join(map(str, places[:SHOWN])) + (", …" if len(places) > SHOWN else "")
        number = "1 cue" if len(places) == 1 else f"{len(places):,} cues"
        tally.warn(
            f"{number} of {name} may be invented by the transcriber (at {shown}): the same words three times"
            " in a row, or thanks for watching. They are kept."
        )


def _plain(words: str) -> str:
    return re.sub(r"[\W_]+", " ", words.casefold()).strip()


def _line(words: str) -> str:
    return " ".join(words.split())


def refused_as(name: str, title: str, what: str) -> Refused:
    """Refusal of a file whose content differs from the expected format."""
    return Refused(f"{name} is no {title}: {what}.")
