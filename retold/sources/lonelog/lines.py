"""Lines of a log, cut into pieces by their signs: acts, rolls, results, tags, headings, prose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from retold.sources.lonelog.tags import OTHERS, PLAYED, TAG

MOST_TRIED: Final = 4_000
"""Length of the beginning of a line in which signs are looked for, in characters."""
MOST_LINES: Final = 400
"""Number of lines that a piece may go on over."""


class Sign(Enum):
    """Kind of a piece."""

    ACT = auto()
    ASK = auto()
    DICE = auto()
    ANSWER = auto()
    RESULT = auto()
    WORLD = auto()
    """What the game master adds."""
    TABLE = auto()
    """Roll on a table, or a generator."""
    SPEECH = auto()
    NOTE = auto()
    SECRET = auto()
    """Comment that the readers of the page do not see."""
    TAGS = auto()
    SCENE = auto()
    SESSION = auto()
    TITLE = auto()
    FIELD = auto()
    """Line of a header: a name and a value."""
    PROSE = auto()
    FRAME = auto()
    """Fence, rule or marker."""
    UNREAD = auto()


@dataclass(slots=True)
class Piece:
    """Piece of a log: one sign with its words, over one line or more."""

    sign: Sign
    words: str
    first: int
    who: str = ""
    """Name in brackets behind the sign, or in front of a header's value."""
    raw: str = ""
    """Its lines as they stand there."""
    last: int = 0
    lines: int = 1
    """Number of filled lines; 0 if it shares its line with a piece before it."""


@dataclass(frozen=True)
class Signs:
    """Signs that a log uses."""

    old: bool
    """True for those of version 2.0: `>` for acts, `=>` for the outcome of a roll."""
    fenced: bool
    """True if the log has blocks of notation; False for a notebook."""

    @property
    def example(self) -> str:
        """Example of a line with these signs, to show to the user."""
        how = "in blocks" if self.fenced else "as in a notebook"
        if self.old:
            return f"`> act`, `d: … => outcome` {how} (the older signs, of version 2.0)"
        return f"`@ act`, `d: … -> outcome` {how}"


_FENCE: Final = re.compile(r"(?P<sign>`{3,40}|~{3,40}) ?(?P<info>[\w+.-]{0,40})(?P<more>.*)")
_NOTATION: Final = frozenset({"", "lonelog", "partylog", "solo", "text", "txt", "plain"})
_DOCUMENTS: Final = frozenset({"md", "markdown"})
READ: Final = _NOTATION | _DOCUMENTS
"""Kinds of fenced blocks whose lines are read."""
_WHO: Final = r"(?:\((?P<who>[^()\n]{1,200})\))?"
_STARTS: Final = (
    (Sign.ACT, re.compile(rf"@ ?{_WHO}(?P<words>.*)", re.DOTALL)),
    (Sign.ASK, re.compile(rf"\?{_WHO}(?P<words>.*)", re.DOTALL)),
    (Sign.DICE, re.compile(rf"d ?{_WHO} ?:(?P<words>.*)", re.DOTALL)),
    (Sign.RESULT, re.compile(r"(?:=>|⇒)(?P<words>.*)", re.DOTALL)),
    (Sign.ANSWER, re.compile(r"(?:->|→)(?P<words>.*)", re.DOTALL)),
    (Sign.TABLE, re.compile(r"(?:tbl|gen)(?:\((?P<who>[^()\n]{1,200})\))? ?:(?P<words>.*)", re.DOTALL)),
    (Sign.WORLD, re.compile(r"!(?!\[)(?P<words>.+)", re.DOTALL)),
)
_VOICES: Final = "|".join(sorted((name.upper() for name in (*PLAYED, *OTHERS)), key=len, reverse=True))
_SPEECH: Final = re.compile(
    rf"(?P<kind>{_VOICES}) ?(?:\((?P<who>[^()\n]{{1,100}})\))? ?: ?(?P<words>.+)", re.DOTALL
)
_NOTE: Final = re.compile(r"\((?P<kind>[^\W\d_][\w' -]{0,30}?) ?:(?P<words>.*)", re.DOTALL)
_REMARK: Final = re.compile(r"\([^()\n]{0,2000}(?:\([^()\n]{0,500}\)[^()\n]{0,500}){0,8}\)")
_MARK: Final = r"(?:T\d{1,3}(?:\+T\d{1,3}){0,8}-)?S\d{1,4}(?:[a-z]|\.\d{1,3})?"
_SCENE: Final = re.compile(
    rf"(?P<who>{_MARK})(?![\w.])(?P<words>\s*\Z|\s*[:*_\[(\u2013\u2014].*|\s+- .*|\s*[@?!>].*|\s*d[:(].*)",
    re.DOTALL,
)
_SCENE_HEADING: Final = re.compile(rf"(?P<who>{_MARK})(?![\w.])(?P<words>.*)", re.DOTALL)
_HEADING: Final = re.compile(r"(?P<level>#{1,6})\s+(?P<words>\S.*)", re.DOTALL)
_SESSION: Final = re.compile(
    r"(?:session|sessione|sesión|sessão|séance|sitzung|spielabend|sesja|сессия|evening)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_BANNER: Final = re.compile(r"={2,20}\s*(?P<words>[^=\n]{0,300}?)\s*={2,20}")
_CAMPAIGN: Final = re.compile(r"[^:\n]{0,40}(?:campa|kampagne)[^:\n]{0,40}:\s*(?P<words>.+)", re.IGNORECASE)
_RULE: Final = re.compile(r"(?:-[ -]{2,200}|\*[ *]{2,200}|_[ _]{2,200})")
_MARKER: Final = re.compile(r"-{3,20}\s*[^\W\d_][^\n-]{0,100}?\s*-{3,20}|\[/?[A-Z][A-Z ]{2,40}\]")
_ENDED: Final = re.compile(r"(?:end of|fine|fin de|ende)\b[^\n]{0,60}\d.*", re.IGNORECASE)
_ROUND: Final = re.compile(r"(?P<who>(?:R|Rd|Tn)\d{1,3})(?![\w.])(?P<words>.*)", re.DOTALL)
_FIELD: Final = re.compile(r"\[(?P<who>[^\W\d_][\w .]{0,30})\](?:\s{1,40}(?P<words>.*))?", re.DOTALL)
_ITALIC: Final = re.compile(r"\*(?!\*)(?P<words>[^*\n]{1,500}:[^*\n]{0,500})\*")
_BOLD: Final = re.compile(r"\*\*(?P<who>[^*\n:]{1,60})(?::\*\*|\*\*:)\s*(?P<words>.*)", re.DOTALL)
_MULTIPLE: Final = re.compile(r"\[#?[^\W\d_]{1,20} ?:[^\[\]]{1,4000}")
_ROLLED: Final = r"d(?:\([^()\n]{1,60}\))?:(?=[^\n]{0,20}\d)"
_SHORT: Final = re.compile(rf"\s(?=@[\w(]|{_ROLLED}|=>|->|\?\w)")
_IS_SHORT: Final = re.compile(rf"\s(?:{_ROLLED}|=>)")
_BRACKETS: Final = re.compile(r"\[[^\[\]\n]{0,2000}\]")
_GOES_ON: Final = frozenset(
    {
        *(Sign.ACT, Sign.ASK, Sign.DICE, Sign.ANSWER, Sign.RESULT, Sign.WORLD, Sign.TABLE, Sign.SPEECH),
        *(Sign.FIELD, Sign.NOTE),
    }
)


def signs_of(lines: Sequence[str]) -> Signs:
    """Signs of a log: told by the first `d:` line with an outcome, else by whether `>` or `@` begins acts."""
    fenced = any(line.lstrip().startswith("```") for line in lines)
    acts = {">": 0, "@": 0}
    within = not fenced
    for line in lines:
        stripped = line.strip()
        if stripped.startswith("```"):
            within = not within
            continue
        if re.match(r"d(?:\([^()\n]{1,60}\))? ?:", stripped):
            words = re.sub(r"\[[^\[\]\n]{0,500}\]", "", stripped[:MOST_TRIED])
            outcome, result = words.find("->"), words.find("=>")
            if max(outcome, result) >= 0:
                return Signs(result >= 0 and (outcome < 0 or result < outcome), fenced)
        elif within and stripped[:1] in acts:
            acts[stripped[0]] += 1
    return Signs(acts[">"] > acts["@"], fenced)


def pieces(lines: Sequence[str], signs: Signs, start: int = 0) -> Iterator[Piece]:
    """Pieces of the text lines from index `start` on, in order; each line with text is part of one piece."""
    cutter = _Cutter(signs)
    for number, line in enumerate(lines[start:], start=start + 1):
        yield from cutter.take(number, line)
    yield from cutter.flush()


class _Cutter:
    """Reader of text lines that joins continuation lines: keeps open fences and the open piece."""

    def __init__(self, signs: Signs) -> None:
        self._signs = signs
        self._fences: list[tuple[str, str]] = []
        """Sign of each open fence, and its kind: notation, document, other."""
        self._open: Piece | None = None
        self._words: list[str] = []
        self._raws: list[str] = []
        self._depth = self._quotes = 0
        """Number of brackets and of quotation marks that are still open in the piece."""
        self._has_open_tag = False
        self._block = ""
        """Words that end the piece, after any text; empty if none are awaited."""
        self._in_header = False

    def take(self, number: int, line: str) -> Iterator[Piece]:
        """Yields the pieces that this line completes."""
        stripped = line.strip()
        if stripped:
            yield from self._filled(number, line, stripped)
        elif self._open is not None and (self._block or self._open.sign is Sign.UNREAD):
            self._words.append("")
            self._raws.append("")
        else:
            yield from self.flush()

    def flush(self) -> Iterator[Piece]:
        """Yields the unfinished piece, if any, and closes it."""
        if self._open is not None:
            self._open.words, self._open.raw = "\n".join(self._words), "\n".join(self._raws)
            yield self._open
        self._open = None
        self._block = ""

    def _opened(self, piece: Piece, words: str) -> None:
        self._open = piece
        self._words, self._raws = [words], [piece.raw]
        self._depth = self._quotes = 0
        self._has_open_tag = False
        self._count(words)

    def _add(self, number: int, line: str) -> None:
        """Adds a line to the open piece."""
        if self._open is not None:
            keeps_indent = self._open.sign is Sign.PROSE or self._block
            self._words.append(line.rstrip() if keeps_indent else line.strip())
            self._raws.append(line)
            self._open.last = number
            self._open.lines += 1
            self._count(line)

    def _count(self, words: str) -> None:
        """Counts brackets and blocks that the words open and close."""
        self._depth += words.count("(") - words.count(")")
        self._quotes += words.count('"') % 2 + words.count("“") - words.count("”")
        if "[" in words or "]" in words:
            self._has_open_tag = words.rfind("[") > words.rfind("]")

    def _filled(self, number: int, line: str, stripped: str) -> Iterator[Piece]:
        if self._fences and self._fences[-1][1] == "other":
            yield from self._in_other(number, line, stripped)
        elif self._block:
            yield from self._in_block(number, line, stripped)
        elif fence := self._fence(stripped):
            yield from self.flush()
            self._in_header = False
            if fence == "other" and self._fences:
                self._opened(Piece(Sign.UNREAD, "", number, raw=line, last=number), line)
            else:
                yield Piece(Sign.FRAME, stripped, number, raw=line, last=number)
        elif self._goes_on(line, stripped):
            self._add(number, line)
        else:
            yield from self.flush()
            yield from self._begun(number, line, stripped)

    def _in_other(self, number: int, line: str, stripped: str) -> Iterator[Piece]:
        self._add(number, line)
        if self._closes(stripped):
            self._fences.pop()
            yield from self.flush()

    def _in_block(self, number: int, line: str, stripped: str) -> Iterator[Piece]:
        is_fence = _FENCE.fullmatch(stripped[:MOST_TRIED]) is not None
        if is_fence or _HEADING.match(stripped):
            yield from self.flush()
            yield from self._filled(number, line, stripped)
            return
        self._add(number, line)
        if stripped.rstrip("\\").endswith(self._block):
            yield from self.flush()

    def _fence(self, stripped: str) -> str:
        """Kind of the fence that opens or closes here; empty if the line is none."""
        found = _FENCE.fullmatch(stripped[:MOST_TRIED])
        if found is None:
            return ""
        if self._closes(stripped):
            return self._fences.pop()[1]
        if self._fences and self._fences[-1][1] == "notation":
            return ""
        info = found["info"].casefold()
        kind = "notation" if info in _NOTATION else "document" if info in _DOCUMENTS else "other"
        self._fences.append((found["sign"], kind))
        return kind

    def _closes(self, stripped: str) -> bool:
        found = _FENCE.fullmatch(stripped[:MOST_TRIED])
        return bool(
            found
            and self._fences
            and found["sign"].startswith(self._fences[-1][0])
            and not found["info"]
            and not found["more"].strip()
        )

    @property
    def _is_notation(self) -> bool:
        """True if lines of unknown shape belong to the log: inside a fenced block, or in a notebook."""
        return not self._signs.fenced or bool(self._fences and self._fences[-1][1] == "notation")

    def _goes_on(self, line: str, stripped: str) -> bool:
        """True if the line goes on with the open piece."""
        open_piece = self._open
        if open_piece is None or open_piece.lines >= MOST_LINES:
            return False
        if (open_piece.sign is Sign.TAGS and self._has_open_tag) or (
            open_piece.sign is Sign.NOTE and self._depth > 0
        ):
            return True
        begins = self._sign(stripped) is not None
        if open_piece.sign is Sign.PROSE:
            return not begins
        if open_piece.sign is Sign.SPEECH and self._quotes % 2:
            return not begins
        if open_piece.sign in _GOES_ON and line[:1] in " \t":
            return not begins
        return bool(open_piece.sign is Sign.FIELD and open_piece.who.endswith("*") and not begins)

    def _begun(self, number: int, line: str, stripped: str) -> Iterator[Piece]:
        found = self._sign(stripped)
        parts = [found] if found else []
        if found and found.sign in (Sign.ACT, Sign.ASK, Sign.WORLD, Sign.SCENE, Sign.FIELD):
            parts = self._split(stripped, found)
        elif found and found.sign in (Sign.DICE, Sign.TAGS):
            parts = self._with_result(found)
        if not parts:
            parts = [Piece(Sign.PROSE, line.rstrip(), 0)]
        self._in_header = parts[0].sign in (Sign.SESSION, Sign.TITLE) or (
            self._in_header and parts[0].sign in (Sign.FIELD, Sign.FRAME)
        )
        for place, piece in enumerate(parts):
            piece.raw = line if len(parts) == 1 else f"{piece.who} {piece.words}"
            piece.first = piece.last = number
            piece.lines = int(place == 0)
            if place < len(parts) - 1:
                yield piece
            else:
                self._opened(piece, piece.words)
                self._block = _block_end(stripped) if piece.sign is Sign.PROSE else ""

    def _split(self, stripped: str, found: Piece) -> list[Piece]:
        """Pieces of a line in shorthand: `S1 @Sneak d:4≥5 F => noise`."""
        tried, rest = stripped[:MOST_TRIED], stripped[MOST_TRIED:]
        if found.sign in (Sign.SCENE, Sign.FIELD):
            if not re.match(r"\s*(?:@|\?\w|![^\[]|d[:(])", found.words):
                return [found]
            tried = found.words.strip()[:MOST_TRIED]
            rest = found.words.strip()[MOST_TRIED:]
        elif not _IS_SHORT.search(tried) and not (found.sign is Sign.ASK and re.search(r"\s->", tried)):
            return [found]
        texts = [text.strip() for text in _SHORT.split(tried)]
        joined: list[str] = []
        for text in texts:
            if joined and joined[-1] == "->":
                joined[-1] = text
            elif (
                self._signs.old
                and joined
                and joined[-1].startswith("d")
                and text.startswith("=>")
                and "=>" not in joined[-1]
            ) or (joined and joined[-1].startswith("d") and text.startswith("->")):
                joined[-1] += " " + text
            else:
                joined.append(text)
        joined[-1] += rest
        parts = [self._sign(text) or Piece(Sign.PROSE, text, 0) for text in joined]
        return [replace(found, words=""), *parts] if found.sign in (Sign.SCENE, Sign.FIELD) else parts

    def _with_result(self, found: Piece) -> list[Piece]:
        """Piece of a roll or of tags, and the result piece behind `=>` in the same line."""
        words = found.words
        blank = _BRACKETS.sub(lambda found: "x" * len(found[0]), words[:MOST_TRIED])
        places = [arrow.start() for arrow in re.finditer(r"\s=>\s?", blank)]
        if found.sign is Sign.DICE and self._signs.old and "->" not in words[: places[0] if places else 0]:
            places = places[1:]
        if not places:
            return [found]
        head, tail = words[: places[0]], words[places[0] :].strip()
        return [replace(found, words=head.strip()), Piece(Sign.RESULT, tail[2:].strip(), 0)]

    def _sign(self, stripped: str) -> Piece | None:
        """Piece that a line begins; None for prose."""
        tried, rest = stripped[:MOST_TRIED], stripped[MOST_TRIED:]
        for sign, shape in _STARTS:
            found = shape.fullmatch(tried)
            if found:
                who = found.groupdict().get("who") or ""
                return Piece(sign, (found["words"] + rest).strip(), 0, who.strip())
        if tried.startswith(">") and self._signs.old and self._is_notation:
            return Piece(Sign.ACT, stripped[1:].strip(), 0)
        speech = _SPEECH.fullmatch(tried)
        if speech:
            who = speech["who"] or ("" if speech["kind"].casefold() in PLAYED else "N")
            return Piece(Sign.SPEECH, (speech["words"] + rest).strip(), 0, who.strip())
        return self._structure(tried, rest) or self._remark(tried, rest)

    def _structure(self, tried: str, rest: str) -> Piece | None:
        """Heading, rule, marker or header line; None for a line of another shape."""
        heading = _HEADING.fullmatch(tried)
        if heading:
            return self._heading(len(heading["level"]), (heading["words"] + rest).strip(" #"))
        banner = _BANNER.fullmatch(tried)
        if banner:
            campaign = _CAMPAIGN.fullmatch(banner["words"])
            if campaign:
                return Piece(Sign.TITLE, campaign["words"], 0)
            return Piece(Sign.SESSION if banner["words"] else Sign.FRAME, banner["words"], 0)
        if _RULE.fullmatch(tried) or _MARKER.fullmatch(tried):
            return Piece(Sign.FRAME, tried, 0)
        return self._part(tried, rest)

    def _part(self, tried: str, rest: str) -> Piece | None:
        """Heading of a scene, mark of a round, or header line; None for a line of another shape."""
        scene = _SCENE.fullmatch(tried)
        if scene:
            return Piece(Sign.SCENE, (scene["words"] + rest).strip(), 0, scene["who"])
        turn = _ROUND.fullmatch(tried)
        if turn and self._is_notation and (not turn["words"].strip() or turn["words"].lstrip()[0] in "@?!d["):
            return Piece(Sign.FIELD, (turn["words"] + rest).strip(), 0, turn["who"])
        field = _FIELD.fullmatch(tried)
        if field and field["words"] and self._is_notation:
            return Piece(Sign.FIELD, (field["words"] + rest).strip(), 0, field["who"])
        return self._header(tried, rest) if self._in_header else None

    def _header(self, tried: str, rest: str) -> Piece | None:
        field, italic, bold = (shape.fullmatch(tried) for shape in (_FIELD, _ITALIC, _BOLD))
        if field:
            return Piece(Sign.FIELD, ((field["words"] or "") + rest).strip(), 0, field["who"])
        if italic and not rest:
            return Piece(Sign.FIELD, italic["words"].strip(), 0)
        if bold:
            return Piece(Sign.FIELD, (bold["words"] + rest).strip(), 0, f"{bold['who']}*")
        if re.match(r"[^\W\d_]{3,12} ?: ?\d{1,4}[-./]\d{1,2}[-./]\d{1,4}", tried):
            return Piece(Sign.FIELD, tried + rest, 0)
        return None

    def _heading(self, level: int, words: str) -> Piece:
        if _ENDED.fullmatch(words[:200]):
            return Piece(Sign.FRAME, words, 0)
        scene = _SCENE_HEADING.fullmatch(words[:MOST_TRIED])
        if scene:
            return Piece(Sign.SCENE, scene["words"].strip(), 0, scene["who"])
        if level <= 3 and _SESSION.fullmatch(words[:MOST_TRIED]):
            return Piece(Sign.SESSION, words, 0)
        return Piece(Sign.TITLE if level == 1 else Sign.SCENE, words, 0)

    def _remark(self, tried: str, rest: str) -> Piece | None:
        """Tags or a bracketed note; None for a line of another shape."""
        if TAG.match(tried) or (_MULTIPLE.fullmatch(tried) and not rest):
            return Piece(Sign.TAGS, tried + rest, 0)
        note = _NOTE.fullmatch(tried)
        if note and (self._is_notation or tried.endswith(")") or tried.count("(") > tried.count(")")):
            return Piece(Sign.NOTE, tried + rest, 0)
        if self._is_notation and _REMARK.match(tried) and tried.endswith(")") and not rest:
            return Piece(Sign.NOTE, tried, 0)
        return None


def _block_end(stripped: str) -> str:
    """Words that end the block which a line opens; empty if it opens none, or closes it itself."""
    is_closed = stripped.rstrip("\\").endswith("---") and len(stripped) > 6
    return "---" if stripped.startswith("\\---") and not is_closed else ""
