"""Heads of lines in logs: a time, brackets, a name and a mark, which combine as each tool likes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

from retold.sources.time_words import plain, without_direction
from retold.sources.times import Stamp, stamp_at
from retold.sources.unit import Sort

MOST_TRIED: Final = 2_000
"""Length of the part of a line in which a head is looked for, in characters; the rest is words."""


class Mark(StrEnum):
    """Part of a head that tells the name from the words."""

    ANGLE = "<Name> words"
    COLON = "Name: words"
    TAB = "Name\twords"
    FROM = "From Name to Everyone: words"
    UNDER = "Name"
    """The time, the name, and the words below."""
    BEFORE = "[Name]"
    """The name and the time in brackets, and the words."""
    AFTER = "Name, 19:42"
    """The name, the time, and the words below or after a colon."""
    BOLD = "**Name:** words"
    ABOVE = "Name:"
    """The name and a colon, and the words below."""
    DICE = "Name\n1d20+5\n17"
    """The name, perhaps what is rolled, the dice, the total and perhaps the time, each in a line."""
    CAPITALS = "NAME"
    """The name alone in capitals, and the words below."""
    OWN = "own"
    """As the user's own pattern says."""


class Form(NamedTuple):
    """Parts of a head, by which the heads of one file are alike."""

    mark: Mark
    brackets: str = ""
    """Brackets around the time, such as `[]`."""
    time: str = ""
    """`day` for a time with its day, `clock` for one without; empty without a time, or if both occur."""
    gap: str = ""
    """Sign between the time and the name: `-`, `,` or `|`."""

    @property
    def is_sure(self) -> bool:
        """True if hardly anything but a log has lines of this form."""
        if self.mark in (Mark.ANGLE, Mark.FROM, Mark.BEFORE, Mark.OWN, Mark.DICE):
            return True
        if self.mark is Mark.UNDER:
            return bool(self.brackets)
        if self.mark is Mark.AFTER:
            return bool(self.brackets or self.gap)
        return self.time == "day" or bool(self.time and (self.brackets or self.mark is Mark.TAB))

    @property
    def is_timed(self) -> bool:
        """True if a time is part of it."""
        return bool(self.time) or self.mark in (Mark.BEFORE, Mark.AFTER, Mark.DICE)

    @property
    def words_follow(self) -> bool:
        """True if the words stand in the lines below."""
        return self.mark in (Mark.UNDER, Mark.AFTER, Mark.ABOVE, Mark.CAPITALS, Mark.DICE)

    def example(self, written: str = "") -> str:
        """A line of this form, with `Name` and `words` in their places, and a time as it is written."""
        opened, closed = self.brackets[:1], self.brackets[1:]
        time = f"{opened}{written or ('2026-03-01 19:42' if self.time == 'day' else '19:42')}{closed}"
        gap = self.gap if self.gap in (",", ":") else f" {self.gap}" if self.gap else ""
        match self.mark:
            case Mark.CAPITALS:
                return CAPITALS
            case Mark.ABOVE:
                return ABOVE
            case Mark.BEFORE:
                return f"[Name] {time} words" if self.brackets else f"[Name] {time}"
            case Mark.AFTER:
                return f"Name\n{time}" if self.gap == "below" else f"Name{gap or ' '} {time}"
            case Mark.TAB:
                return f"{time}\tName\twords"
        return f"{time}{gap} {self.mark.value}" if self.time else self.mark.value


CAPITALS: Final = "NAME, and words below"
ABOVE: Final = "Name: and words below"


class LineHead(NamedTuple):
    """Head of one line, read in one way."""

    form: Form
    sort: Sort
    """Said, told (an emote) or a notice."""
    name: str = ""
    words: str = ""
    stamp: Stamp | None = None
    written: str = ""
    """The time as written there."""
    to: str = ""
    """Reader of the words, where the head says that they are for one alone."""
    lines: int = 1
    """Number of lines of the head itself."""

    @property
    def frame(self) -> tuple[str, str]:
        """Brackets and kind of the time, which notices and emotes of a file share with its speeches."""
        return self.form.brackets, self.form.time


_PAIRS: Final = {"[": "]", "(": ")", "<": ">", "{": "}"}
_SIGN: Final = r"[ @+%&~!.]{0,3}"
_ANGLE: Final = re.compile(rf"<{_SIGN}(?P<name>[^<>\n/]{{1,60}}?) ?>[ \t]?(?P<words>.*)")
_TABBED: Final = re.compile(r" ?\t *(?P<name>[^\t]{0,60}?):?\t(?P<words>.*)")
_BARRED: Final = re.compile(r" {1,20}(?P<name>[^\s|]{0,40}) [|\u2502] (?P<words>.*)")
_EMOTE: Final = re.compile(
    r"(?:(?:[*\u2022]{1,2}|-\*-|Action:)[ \t]|\*{3}(?=[^\s*]))(?P<name>[^\s*:]\S{0,59}?):? (?P<words>.+)"
)
_NOTICE: Final = re.compile(
    r"(?:-!-|\*\*\* |-->|<--|={2,}|-{2,3}(?= |$)|[\u2190\u2192\u21d2\u21d0]|-(?!\*-)[^- ]{1,40}-)"
    r"[ \t]?(?P<words>.*)"
)
_TOLD_BY_CLIENT: Final = re.compile(
    r"(?:[(\[]?\S+@\S+ )?(?:has |have )?(?:joined|entered|left|quit|parted|kicked|sets? mode"
    r"|gives? channel|removes? channel|is now known as|changes topic|set the topic)\b",
    re.IGNORECASE,
)
_OF_ITSELF: Final = re.compile(
    r"[*\u2022]{1,2}[ \t](?:Now talking (?:on|in) |(?:Topic )?Set by |Topic (?:for|is|on) "
    r"|You (?:have|are now) "
    r"|(?:Disc|C|Rec)onnect(?:ed|ing)\b|Attempting to )|The topic for [#&]"
)
"""What a client says to its user."""
_FROM: Final = re.compile(
    r"From {1,3}(?P<name>[^:\n]{1,60}?)(?: {1,3}to {1,3}(?P<to>[^:\n]{1,80}?))? ?:[ \t]?(?P<words>.*)"
)
_PRIVATE: Final = re.compile(r" ?\((?:Direct Message|Privately|Direktnachricht|Privat)\)", re.IGNORECASE)
_TIMED_COLON: Final = re.compile(r"(?:~ ?)?(?P<name>[^\s:<*][^:\n\t]{0,79}?) ?:(?:[ \t](?P<words>.*)|$)")
_ROLLS: Final = (
    r"(?:has )?rolled|rolls|(?:hat )?(?:ge)?w\u00fcrfelt|(?:a )?lanc[\u00e9e]|tir[\u00f3a]|lanza|ha tirato"
    r"|rolou|rola|gooit|rzuca"
)
_ROLLED: Final = re.compile(
    r"(?:\* )?(?P<name>[^\s:<*][^:\n\t]{0,59}?),? "
    rf"(?P<words>(?:{_ROLLS})\b[^\n]{{0,120}}?[:=\u2192][^\n]{{0,400}}\d.*)",
    re.IGNORECASE,
)
"""Name and a throw, as bots and tables tell it: `Ilse rolled 1d20+4: 17`."""
_COLON: Final = re.compile(r"(?P<name>[^\s:<>\[\]*][^:<>\n]{0,59}?): +(?P<words>.+)")
_BOLD: Final = re.compile(r"\*\*(?P<name>[^*:\n]{1,60}):?\*\*:? +(?P<words>.+)")
_ABOVE: Final = re.compile(r"(?:> ?)?(?P<name>[^\s:<>\[\]*#|\"-][^:,\"\n\t]{0,59}):")
_SENT: Final = re.compile(
    r"(?:Type|Sent|Received|To|Conversation|Edited|Attachment|Quote): ?(?P<rest>.{0,200})"
)
"""Lines of a message's head in the copies of Signal, below `From: Name`."""
_CAPITALS: Final = re.compile(r"(?P<name>[^\W\d_a-z][^a-z\n:.]{1,40})[.:]?")
_LAST_FIRST: Final = re.compile(
    r"[^\W\d_][\w'\u2019. -]{0,39}, [^\W\d_][\w'\u2019. -]{0,39}(?: \([^()\n]{1,30}\))?"
)
"""Name as companies list it: `Quill, Mary (Guest)`."""
_CODE: Final = re.compile(r" ?:[\w+-]{2,32}:$")
"""Picture of a status behind a name, in words copied out of Slack."""
_ALONE: Final = re.compile(r"(?P<name>[^\s:<>\[\]*#|\"-][^:,\"\n\t]{0,59})")
_JOINT: Final = re.compile(
    r"(?P<gap>,|:| [-\u2013\u2014|\u00bb])?(?:[ \t]{1,8}|(?<=,))(?=[\d\[(]|(?<=[\u2014,\u00bb] )[^\W\d_])"
)
"""What may stand between a name and a time behind it."""
_BEFORE: Final = re.compile(r"\[(?P<name>[^\[\]\n]{1,60})\] (?=[\[\d])")
_DUMPED: Final = re.compile(
    r"(?:\| {3})*> (?P<name>[^\n]{1,60}?) \[\w{0,20}\] @ (?P<time>[\d/]{10} [\d:]{8}) (?P<zone>Z|[+-]\d{4}):"
)
"""Head of a message as Slackdump writes it; one in a thread stands behind a bar."""
_OF_SLACKDUMP: Final = Form(Mark.AFTER, "", "", "@")
_GAP: Final = re.compile(r"[ \t]{0,8}(?P<gap>[-\u2013\u2014|,])?[ \t]{0,8}")
_EDITED: Final = re.compile(r" \| [^\]\n]{1,40}(?=\])")
_ACCOUNT: Final = re.compile(r"[(<]\D{0,12}\d{4,}[)>]$")
"""Number of an account behind a name, as dice bots write it."""
_DIGIT: Final = re.compile(r"\d")
_LONGEST_DAY: Final = 160
"""Length of a line that states a day or a time, in characters."""
_CODES: Final = re.compile("\x03(?:\\d{1,2}(?:,\\d{1,2})?)?|[\x02\x0f\x11\x16\x1d\x1e\x1f]")
"""Colours and bold letters of IRC."""
_STOPS: Final = (".", "!", "?", "\u2026", ",", ";", "\u3002")
_BEGINS: Final = re.compile(
    r"(?:-{2,} |\*{2,} ?|\[|# ?)?(?:Log opened|Day changed(?: to)?|Session (?:Start|Time|Ident)"
    r"|BEGIN LOGGING AT|IRC log started|Conversation with .{1,80}? at|(?:Session )?Date|Datum|Fecha|Played)"
    r"[: ]{1,2}(?P<rest>.{6,80})",
    re.IGNORECASE,
)
_FRAMES: Final = re.compile(
    r"(?:-{2,} |\*{2,} ?|\[|# ?)?(?:Log closed|ENDING LOGGING AT|Session Close)[: ]{1,2}.{6,80}"
    r"|Session Ident: .{1,80}|\[LINE\] .{1,120}|.{1,80}님과 카카오톡 대화"
    r"|.{1,60} (?:started|stopped) transcription|Transcript|Attendees|\d{1,2}h? ?\d{0,2}m \d{1,2}s"
    r"|.{1,100}(?:Meeting Recording| - Transcript)|Meeting ended after .{4,20}|Transcribed by .{4,60}"
    r"|This editable transcript was computer generated.{0,120}|SUMMARY KEYWORDS|SPEAKERS"
    r"|(?:Saved on|保存日時|저장한 날짜|儲存日期|บันทึกเมื่อ) ?[:\uff1a] ?.{6,40}",
    re.IGNORECASE,
)
_RULED: Final = re.compile(r"[-\u2013\u2014=*_# \[\]]*(?P<day>[^\s].*?)[-\u2013\u2014=*_ \[\]]*")


def cleaned(line: str) -> str:
    """Line without marks of direction, and without colours of IRC."""
    return _CODES.sub("", without_direction(line))


def heads(line: str) -> Iterator[LineHead]:
    """Yields every way in which a cleaned line begins with a head; mostly there is one or none."""
    tried = line[:MOST_TRIED].rstrip()
    if _DIGIT.search(tried) is None:
        yield from _untimed(line, tried)
        return
    known = plain(tried)
    timed = _framed(known, 0)
    if timed is not None:
        yield from _behind_time(line, known, timed)
        return
    yield from _untimed(line, tried)
    behind = _with_time_behind(line, known)
    if behind is not None:
        yield behind
    dumped = _DUMPED.fullmatch(known)
    stamped = stamp_at(f"{dumped['time']}{dumped['zone']}") if dumped else None
    if dumped and stamped:
        yield LineHead(_OF_SLACKDUMP, Sort.SAID, _named(tried, dumped), "", stamped[0], dumped["time"])
    before = _BEFORE.match(known)
    timed = _framed(known, before.end()) if before else None
    if before and timed and timed.stamp.clock is not None and (timed.brackets or timed.end == len(known)):
        words = line[timed.end :].removeprefix(" ")
        form = Form(Mark.BEFORE, timed.brackets)
        yield LineHead(form, Sort.SAID, _named(tried, before), words, timed.stamp, timed.written(tried))


class _Framed(NamedTuple):
    """Time at a place of a line, with the brackets around it."""

    brackets: str
    stamp: Stamp
    first: int
    last: int
    end: int

    def written(self, line: str) -> str:
        """The time as written in the line."""
        return line[self.first : self.last]

    @property
    def kind(self) -> str:
        return "clock" if self.stamp.date is None else "day"


def _framed(known: str, start: int, *, needs_clock: bool = True) -> _Framed | None:
    """Time that begins at a place, perhaps in brackets; a day and a clock in brackets each are one time."""
    opened = known[start : start + 1] if known[start : start + 1] in _PAIRS else ""
    closing = _PAIRS.get(opened, "")
    first = start + bool(closing)
    first += bool(closing) and known.startswith(" ", first)
    found = stamp_at(known, first) if known[first : first + 1].isalnum() else None
    if found is None:
        return None
    stamp, last = found
    end = last
    if closing:
        edited = _EDITED.match(known, last)
        end = edited.end() if edited else last
        end += known.startswith(f" {closing}", end)
        if not known.startswith(closing, end):
            return None
        end += 1
    elif end < len(known) and known[end].isalnum():
        return None
    if stamp.clock is None and needs_clock:
        next_ = end + known.startswith(" ", end)
        behind = _framed(known, next_) if closing and known.startswith(opened, next_) else None
        if behind is None or behind.stamp.date is not None or behind.stamp.clock is None:
            return None
        clock = behind.stamp
        whole = Stamp(stamp.date, stamp.is_open, clock.clock, clock.precision, clock.numbers, clock.is_half)
        return _Framed(opened + closing, whole, first, behind.last, behind.end)
    return _Framed(opened + closing, stamp, first, last, end)


def _named(line: str, found: re.Match[str]) -> str:
    start, end = found.span("name")
    return line[start:end].strip()


def _behind_time(line: str, known: str, timed: _Framed) -> Iterator[LineHead]:
    """Yields the head of a line that begins with a time, by the text after it."""
    bare = LineHead(
        Form(Mark.UNDER, timed.brackets, timed.kind),
        Sort.NOTICE,
        stamp=timed.stamp,
        written=timed.written(line),
    )
    tabbed = _TABBED.match(known, timed.end) or _BARRED.match(known, timed.end)
    if tabbed:
        yield _tabbed(line, tabbed, bare)
        return
    gap = _GAP.match(known, timed.end)
    start, sign = (gap.end(), gap["gap"] or "") if gap else (timed.end, "")
    if gap and known.startswith(("--", "-!-", "-*-"), gap.start("gap")):
        start, sign = gap.start("gap"), ""
    if start == timed.end < len(known) and not timed.brackets:
        return
    sign = "-" if sign in _DASHES else sign
    yield (
        _of_client(line, known, start, bare)
        or _of_speaker(line, known, start, bare._replace(form=bare.form._replace(gap=sign)))
        or bare._replace(words=line[start:])
    )


_DASHES: Final = ("-", "\u2013", "\u2014")


def _marked(head: LineHead, mark: Mark, sort: Sort, name: str, words: str) -> LineHead:
    return head._replace(form=head.form._replace(mark=mark), sort=sort, name=name, words=words)


def _of_client(line: str, known: str, start: int, bare: LineHead) -> LineHead | None:
    """Head of a line as clients of IRC write speech, emotes and notices; None for any other."""
    angle = _ANGLE.match(known, start)
    if angle:
        return _marked(bare, Mark.ANGLE, Sort.SAID, _named(line, angle), line[angle.start("words") :])
    emote = _EMOTE.match(known, start)
    is_notice = (_NOTICE.match(known, start) or _OF_ITSELF.match(known, start)) or (
        emote and _TOLD_BY_CLIENT.match(known, emote.start("words")) is not None
    )
    if is_notice:
        return _marked(bare, Mark.ANGLE, Sort.NOTICE, "", line[start:])
    if emote is None:
        return None
    name = _named(line, emote)
    name = name.lstrip("@+%&~!") or name
    return _acting(_marked(bare, Mark.ANGLE, Sort.TOLD, name, line[emote.start("words") :]))


def _of_speaker(line: str, known: str, start: int, bare: LineHead) -> LineHead | None:
    """Head of a line with a name and a colon behind the time, or a name alone; None for any other."""
    sent = _FROM.match(known, start)
    if sent:
        to = line[slice(*sent.span("to"))] if sent["to"] and _PRIVATE.search(sent["to"]) else ""
        head = bare._replace(form=bare.form._replace(gap=""), to=_PRIVATE.sub("", to).strip())
        return _marked(head, Mark.FROM, Sort.SAID, _named(line, sent), line[sent.start("words") :])
    rolled = _ROLLED.match(known, start)
    if rolled:
        return _marked(bare, Mark.COLON, Sort.TOLD, _named(line, rolled), line[rolled.start("words") :])
    colon = _TIMED_COLON.match(known, start)
    if colon and _TOLD_BY_CLIENT.match(colon["name"].partition(" ")[2]):
        return bare._replace(words=line[start:])
    if colon:
        words = line[colon.start("words") :] if colon["words"] is not None else ""
        return _marked(bare, Mark.COLON, Sort.SAID, _named(line, colon), words)
    is_listed = bool(bare.form.brackets) and _LAST_FIRST.fullmatch(known, start) is not None
    if (_ALONE.fullmatch(known, start) is None and not is_listed) or known.endswith(_STOPS):
        return None
    return _marked(bare, Mark.UNDER, Sort.SAID, line[start:].strip(), "")


def _acting(head: LineHead) -> LineHead:
    """Head of an emote; what begins with a possessive, such as `Zel's hand shakes`, keeps it in its words."""
    whose = _POSSESSIVE.fullmatch(head.name)
    return head._replace(name=whose[1], words=f"{head.name} {head.words}") if whose else head


_POSSESSIVE: Final = re.compile(r"(.+)['\u2019]s")
_ACTING: Final = ("*", "\u2022", "\u26a1", "\u2731")
"""Signs in place of a name for an emote."""


def _tabbed(line: str, found: re.Match[str], bare: LineHead) -> LineHead:
    """Head of a line whose parts stand between tabs, where signs for a name are notices or emotes."""
    name, words = _named(line, found), line[found.start("words") :]
    name = name.lstrip("@+%&~! ") or name
    if name not in _ACTING and not any(map(str.isalnum, name)):
        return _marked(bare, Mark.TAB, Sort.NOTICE, "", line[found.start("name") :])
    if name in _ACTING:
        who, _, words = words.strip().partition(" ")
        return _acting(_marked(bare, Mark.TAB, Sort.TOLD, who, words))
    return _marked(bare, Mark.TAB, Sort.SAID, name, words)


def _untimed(line: str, tried: str) -> Iterator[LineHead]:
    """Yields the heads of a line without a time."""
    marks = (
        (Mark.COLON, _ROLLED, Sort.TOLD),
        (Mark.ANGLE, _ANGLE, Sort.SAID),
        (Mark.ANGLE, _EMOTE, Sort.TOLD),
        (Mark.ANGLE, _NOTICE, Sort.NOTICE),
        (Mark.BOLD, _BOLD, Sort.SAID),
        (Mark.COLON, _COLON, Sort.SAID),
    )
    for mark, shape, sort in marks:
        found = shape.match(tried)
        if found:
            name = "" if sort is Sort.NOTICE else _named(tried, found)
            head = LineHead(Form(mark), sort, name, line[found.start("words") :])
            yield _acting(head) if sort is Sort.TOLD else head
            break
    above = _ABOVE.fullmatch(tried)
    if above:
        yield LineHead(Form(Mark.ABOVE), Sort.SAID, _named(tried, above))
    capitals = _CAPITALS.fullmatch(tried)
    if capitals:
        yield LineHead(Form(Mark.CAPITALS), Sort.SAID, _named(tried, capitals))


def _with_time_behind(line: str, known: str) -> LineHead | None:
    """Head of a line with a name in front and a time behind it, with words below or behind a colon."""
    for joint in _JOINT.finditer(known, 1, _MOST_IN_FRONT):
        front = line[: joint.end()].rstrip()
        name = _CODE.sub("", front) if _CODE.search(front) else line[: joint.start()].strip()
        sign = "" if _CODE.search(front) else (joint["gap"] or "").strip()
        gap = {"\u2013": "\u2014"}.get(sign, sign)
        name = _POSTED.sub("", name) if gap == "\u00bb" else _REPLIED.sub("", name)
        may_be = _is_name(name) or (gap == "," and _LAST_FIRST.fullmatch(name))
        timed = _framed(known, joint.end()) if may_be and not _ACCOUNT.search(name) else None
        if timed is None or timed.stamp.clock is None:
            continue
        rest = _CHANGED.sub("", line[timed.end :].rstrip())
        spoken = re.match(r"[ \t]*:[ \t]*", rest) if gap != ":" else None
        if rest and not spoken and not (gap == ":" and timed.brackets and rest[0] == " "):
            continue
        words = rest[spoken.end() :] if spoken else rest.strip()
        form = Form(Mark.AFTER, timed.brackets, "", gap)
        return LineHead(form, Sort.SAID, name, words, timed.stamp, timed.written(line))
    return None


_MOST_IN_FRONT: Final = 90
_POSTED: Final = re.compile(
    r"\A(?:(?:unread )?post(?:ed)? by|by|beitrag von|von|par|por|di|da) ", re.IGNORECASE
)
"""Words in front of a name above a post of a forum."""
_REPLIED: Final = re.compile(r" replied to .{1,60}\Z")
_CHANGED: Final = re.compile(r"^,? ?\(?(?:edited|bearbeitet|modifié|editado|modificato)\)?$", re.IGNORECASE)


def _is_name(text: str) -> bool:
    """True if a text may be the name in front of a time, or alone above one."""
    return _ALONE.fullmatch(text) is not None and not text.endswith(_STOPS) and any(map(str.isalpha, text))


def day_of(line: str) -> Stamp | None:
    """Day that a line states, alone or as a client does where a log begins; None for any other line."""
    if len(line) > _LONGEST_DAY or _DIGIT.search(line) is None:
        return None
    known = plain(line).strip()
    begins = _BEGINS.match(known)
    if begins:
        found = stamp_at(begins["rest"])
        return found[0] if found and found[0].date is not None else None
    ruled = _RULED.fullmatch(known)
    if ruled is None or not any(map(str.isdigit, known)):
        return None
    found = stamp_at(ruled["day"])
    if found is None or found[1] != len(ruled["day"]) or found[0].date is None or found[0].clock is not None:
        return None
    return found[0]


def is_frame(line: str) -> bool:
    """True if a line is what a client writes above its log, or where it ends."""
    return _FRAMES.fullmatch(line[:MOST_TRIED]) is not None


@cache
def form_of(example: str) -> Form | None:
    """Form of a line with `Name` and `words` in their places; None if it is no such line."""
    if example in (CAPITALS, ABOVE):
        return Form(Mark.CAPITALS if example == CAPITALS else Mark.ABOVE)
    found = [head.form for head in parsed(example.split("\n"))[0] if head.name == "Name"]
    return max(found, key=lambda form: form.is_timed) if found else None


def parsed(lines: Sequence[str]) -> list[tuple[LineHead, ...]]:
    """Heads of each cleaned line; one with its time alone below belongs to the line of its name."""
    found = [tuple(heads(line)) for line in lines]
    for place, line in enumerate(lines):
        if line.startswith("From: "):
            found[place] += tuple(_sent(lines, place))
        for head in _above_dice(lines, place) if _DICE_ALONE.fullmatch(line) else ():
            found[place + 1 - head.lines] += (head._replace(lines=2 if head.to else 1),)
    posts = {
        place: posted
        for place, line in enumerate(lines)
        if _NUMBERED.fullmatch(line) and (posted := [*_posted(lines, place)])
    }
    above_titles = [posted[1].name for posted in posts.values() if len(posted) > 1]
    are_apart = len(set(above_titles)) < len(above_titles) == len(posts)
    for place, posted in posts.items():
        named = (head for head in posted[are_apart:] if not _TITLE.fullmatch(head.name))
        head = next(named, posted[-1])
        found[place + 1 - head.lines] += (head,)
    for place, line in enumerate(lines[1:], start=1):
        above = place - 1
        if above and line.startswith("at "):
            line = f"{lines[above].strip()} {line}"  # noqa: PLW2901 - the day stands above its hour
            above -= 1
        name = _CODE.sub("", lines[above].strip())
        while above and _BETWEEN.fullmatch(name):
            above -= 1
            name = lines[above].strip()
        if any(head.form.is_timed for head in found[above]) or not _is_name(name):
            continue
        alone = time_alone(line)
        if alone is None:
            continue
        timed, gap = alone
        form = Form(Mark.AFTER, timed.brackets, "", gap if above == place - 1 else _DASHES[-1])
        many = place + 1 - above
        head = LineHead(form, Sort.SAID, name, "", timed.stamp, timed.written(line.strip()), lines=many)
        found[above] += (head,)
    return found


def _sent(lines: Sequence[str], place: int) -> Iterator[LineHead]:
    """Yields the head of a message in several lines: `From: Name`, and when it was sent."""
    name = _NUMBER.sub("", lines[place].removeprefix("From: ").strip())
    last, sent = place, ""
    for line in lines[place + 1 : place + 9]:
        if _SENT.fullmatch(line) is None:
            break
        last += 1
        sent = line.removeprefix("Sent: ") if line.startswith("Sent: ") else sent
    timed = _framed(plain(sent), 0) if sent and name else None
    if timed is not None and timed.stamp.clock is not None:
        form, many = Form(Mark.AFTER, "", "", "below"), last + 1 - place
        yield LineHead(form, Sort.SAID, name, "", timed.stamp, timed.written(sent), lines=many)


def _above_dice(lines: Sequence[str], place: int) -> Iterator[LineHead]:
    """Yields the head of a throw in several lines.

    A name, perhaps whom it is for, what is rolled, the faces and the dice, the total, the time.
    """
    first = place - (place > 1 and _TOTAL_ALONE.fullmatch(lines[place - 1]) is not None)
    while first > max(0, place - _MOST_ABOVE_DICE) and not _ENDS_DICE.fullmatch(lines[first - 1]):
        first -= 1
    below = lines[place + 1 : place + 5]
    if first == place or not _is_name(lines[first].strip()) or not any(map(_TOTAL_ALONE.fullmatch, below)):
        return
    timed = next(filter(None, map(time_alone, below)), None)
    name = lines[first].strip()
    to = name if _TO.fullmatch(lines[first + 1].strip()) else ""
    head = LineHead(Form(Mark.DICE), Sort.SAID, name, to=to, lines=place + 1 - first)
    yield head._replace(stamp=timed[0].stamp) if timed else head


_DICE: Final = r"\d{0,3}d\d{1,4}(?:k[hl]\d{0,2})?(?:\s?[-+]\s?(?:\d{0,3}d)?\d{1,4}){0,9}"
_DICE_ALONE: Final = re.compile(rf"\s*{_DICE}\s*")
_TOTAL_ALONE: Final = re.compile(r"\s*(?:=\s?)?-?\d{1,4}\s*")
_ENDS_DICE: Final = re.compile(
    rf"\s*|\s*=?\s?-?\d{{1,4}}\s*|\s*\d{{1,2}}:\d\d(?: ?[AP]M)?\s*|.{{1,20}} ago|just now|\s*{_DICE}\s*",
    re.IGNORECASE,
)
"""Line of the throw above: a blank, its dice, its total or its time."""
_TO: Final = re.compile(r"To: (?:Self|DM|GM)", re.IGNORECASE)
"""Line that says who alone sees a throw, beside who threw it."""
_FACED: Final = re.compile(
    rf"^(?:(?P<above>[\d(][\d() ,+-]{{0,80}})\n)?[ \t]*(?P<dice>{_DICE})[ \t]*\n"
    r"(?:(?P<below>[\d(][\d() ,+-]{0,80})\n)?[= \t\n]{0,9}(?P<total>-?\d{1,4})[ \t]*$",
    re.MULTILINE,
)
"""Throw in several lines: its dice, with its faces and what is added above or below, and the total."""


def thrown_in(words: str) -> tuple[str, str]:
    """Throw of several lines in one line, and the other words."""
    found = _FACED.search(words)
    if found is None:
        return "", words
    faces = found["above"] or found["below"] or ""
    thrown = f"{found['dice']} {faces if '(' in faces else f'= {faces}'} = {found['total']}"
    return thrown, f"{words[: found.start()]} {words[found.end() :]}".strip()


_MOST_ABOVE_DICE: Final = 4


def _posted(lines: Sequence[str], number: int) -> Iterator[LineHead]:
    """Yields the heads that a forum's post may have: its writer and titles, the time, and its number.

    The first begins with the titles' own paragraph, the others with a line alone above the one before.
    """
    filled = [place for place in range(max(0, number - _MOST_ABOVE), number) if lines[place].strip()]
    while filled and _BETWEEN.fullmatch(lines[filled[-1]].strip()):
        filled.pop()
    timed = _framed(plain(lines[filled[-1]].strip()), 0, needs_clock=False) if len(filled) > 1 else None
    if timed is None:
        return
    form, written = Form(Mark.AFTER, "", "", "#"), lines[filled[-1]].strip()
    stamp = timed.stamp._replace(clock=timed.stamp.clock or timedelta())
    tops = [place for place in reversed(filled[:-1]) if not place or not lines[place - 1].strip()]
    for place in tops:
        name = lines[place].strip()
        if not _is_name(name) or (place < tops[0] and lines[place + 1].strip()):
            return
        yield LineHead(form, Sort.SAID, name, "", stamp, written, lines=number + 1 - place)


_TITLE: Final = re.compile(
    r"(?:[\w-]{2,12} )?(?:member|user|mitglied|membre|miembro)|(?:super )?moderator|administrator|game master"
    r"|guest|banned|adventurer|explorer|villager|hero|legend|newbie",
    re.IGNORECASE,
)
"""Title that a forum gives a writer, which may stand in a paragraph below the name."""


_NUMBERED: Final = re.compile(r"\s*#[\d,.]{1,8}\s*")
"""Number of a post in a forum."""
_MOST_ABOVE: Final = 20
"""Lines above a post's number in which its writer is looked for."""
_NUMBER: Final = re.compile(r" ?\(\+?[\d ]{4,20}\)$")
_BETWEEN: Final = re.compile(
    r"APP|BOT|Add bookmark|New|[-\u2013\u2014]|Role icon, .{1,60}"
    r"|(?:[^\W\d_]{1,20}, )?\d[\d,.]{0,8} posts?"
)
"""Lines that may stand between a name and the time below it, in words copied out of Discord or a forum."""


_LASTED: Final = re.compile(r" \u2022 (?:\d{1,2}:)?\d{1,2}:\d\d$")
"""Length of a recording behind the time at which it began."""


def time_alone(line: str) -> tuple[_Framed, str] | None:
    """Time that is all of a line, perhaps behind a dash, and the gap that it means."""
    if len(line) > _LONGEST_DAY or _DIGIT.search(line) is None:
        return None
    known = _LASTED.sub("", plain(line.strip()))
    dash = re.match(r"[-\u2013\u2014] ", known)
    timed = _framed(known, dash.end() if dash else 0)
    if timed is None or timed.stamp.clock is None or timed.end != len(known):
        return None
    return timed, "\u2014" if dash else "below"
