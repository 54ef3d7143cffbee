"""Reader of Fantasy Grounds' `chatlog.html`: a message a line, coloured by channel, dice behind the words."""

from __future__ import annotations

import html
import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from retold.journal.encodings import with_line_feeds
from retold.journal.refused import Refused
from retold.sources.deeds import deed_in, sentence
from retold.sources.dice import fantasy_grounds
from retold.sources.dice.throw import with_words
from retold.sources.encodings import keepable
from retold.sources.game_masters import says_game_master
from retold.sources.keys import Ordinals
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.table_talk import QUOTES
from retold.sources.times import Order, reading
from retold.sources.unit import Place, Precision, Reason, Sort, Unit, When

GAME_MASTER: Final = "GM"
"""Label of the game master in every campaign that has not changed it."""
MOST_JOINED: Final = 50
"""Number of lines that one message may go on over."""
MOST_NEW: Final = 3
"""Number of new lines behind a start before the greetings of programs are over."""
MOST_NAME: Final = 60
MOST_LABEL: Final = 30
"""Characters of a name in front of words; in front of dice it may be longer."""
HEARD: Final = 3
"""Number of lines from which a label that may be a sentence's beginning is a name after all."""
BEHIND: Final = 40
"""Number of lines behind a start among which the greetings of programs are."""
STARTS: Final = 6
"""Number of the last starts; text that followed half of them is a greeting, with any markup."""
ENOUGH: Final = 2
"""Number of earlier starts that a greeting must have followed."""
LONG: Final = 80
"""Characters from which a text in a colour of notices is the game master's narration."""
_START: Final = re.compile(r"<b>(?:Session|Chat log) started at (?P<stamp>[^<>]{4,60})</b>", re.IGNORECASE)
_FRAME: Final = re.compile(r"(?:\s|<br\s?/?>|<a name=\"[^\"<>]{0,60}\"\s?/?>|</a>)+")
_TAG: Final = re.compile(r"<(?P<name>/?[a-zA-Z]{1,10})\b[^<>]{0,200}>")
_COLOUR: Final = re.compile(r"<font color=[\"']?(?P<colour>#?\w{1,20})[\"']?\s?>", re.IGNORECASE)
_DICE: Final = re.compile(r"\[(?P<shown>[^\[\]\n]{1,300})\]")
_PRIVATE: Final = re.compile(
    r"(?P<by>[^\[\]:\n]{0,60}?) ?-> (?P<to>[^\[\]:\n]{1,60}): (?P<words>.*)", re.DOTALL
)
_OUT_OF_CHARACTER: Final = re.compile(
    r"(?P<user>[^()\[\]:\n]{0,60}?) ?\((?P<name>[^()\n]{1,60})\): ?(?P<words>.*)", re.DOTALL
)
_LANGUAGE: Final = re.compile(
    r"(?P<name>[^\[\]\n]{1,60}?)(?P<more>(?: \[[^\[\]\n]{1,40}\]){1,9}(?: \([^()\n]{1,40}\))?)"
)
_SECRET: Final = re.compile(r"\[(?:TOWER|GM)\] ?")
_AGAINST: Final = re.compile(r"\[?(?:vs\.? ?)?(?P<against>DC \d{1,3})\]?")
_VERDICT: Final = re.compile(
    r"\[(?P<verdict>AUTOMATIC (?:HIT|MISS)|CRITICAL (?:HIT|SUCCESS|FAILURE)|HIT|MISS|SUCCESS|FAILURE)\]"
)
_GREETING: Final = re.compile(
    r"\bcopyright\b|\bloaded$|\xa9|\(c\) ?(?:19|20)\d\d|\bfor fantasy grounds\b"
    r"|\b(?:ruleset|extension|theme)\b.{0,40}\bv?\d+\.\d",
    re.IGNORECASE,
)
_TOOL: Final = re.compile(
    r"'[^'\n]{0,60}' (?:connected|disconnected|connection lost.*)"
    r"|(?:Campaign saved|Folder assets refreshed|Module exported|Image (?:record|file) |Host \("
    r"|Imported |Exported |SLASH COMMANDS|Usage: /|All client |\[Prioritized Source|\[ERROR\]"
    r"|/[a-z]+(?: |$)|-{8,}).*",
    re.DOTALL,
)
_STORY: Final = frozenset({"#880000", "#000000", "#000066"})
"""Colours of speech, story and emotes in the light and the dark theme; black has notices too."""
_ROLLS: Final = frozenset({"#660066", "#fdfdfd", "#261a12"})
"""Colours of dice and of the program in both themes."""
_ASIDES: Final = frozenset({"#005500", "#7ced7c"})
"""Colours of words out of character in both themes."""
_SYSTEM_LIGHT: Final = "#660066"
_LINK: Final = re.compile(r"<a href=[^<>]{1,2000}>")
_VERSION: Final = re.compile(r"\bv?\d+\.\d")
_NO_LABEL: Final = re.compile(r"[.,;?!\"\u201c\u201d\u2026]|\s-\s|[\u2013\u2014]")
"""Signs that are in sentences, and in no name; a full stop behind an initial or a title is allowed."""
_TITLE: Final = re.compile(r"\b(?:[A-Z]|Mr|Mrs|Ms|Dr|St|Prof|Capt|Lt|Sgt|Sr|Jr)\.")
_SUBJECT: Final = re.compile(
    r"(?i)(?:you|it|he|she|they|we|i|there|this|that|here|suddenly|as|when|if|after|before|note)\b"
)
"""First words of sentences that are no names."""
_PARTICLES: Final = frozenset({"of", "the", "and", "von", "van", "de", "der", "da", "la", "du", "den", "in"})
_MANNER: Final = re.compile(r"(?P<name>[^()\n]{1,60}?) ?\((?P<how>[^()\n]{1,60})\)")
"""Name with the manner of speaking behind it: `Zel (softly)`."""


class Use(NamedTuple):
    """Number of lines, of dice and of asides in one colour of an unknown theme."""

    dice: int = 0
    asides: int = 0
    lines: int = 0
    said: int = 0
    """Number of lines with a name in front of words."""


@dataclass(slots=True)
class _Line:
    """One message: its colour, its words with line ends, and what follows them."""

    first: int
    last: int
    pieces: int
    colour: str
    words: str
    shown: str
    """Text between the brackets behind the words; empty without dice."""
    raw: str


@dataclass(slots=True)
class _State:
    """State carried from line to line: the time of the last start, the greetings still expected."""

    start: When | None = None
    opening: int = 0
    """Number of new lines that may still stand between greetings; 0 where these are over."""
    greeted: set[str] = field(default_factory=set)
    """Greetings of earlier starts, with their numbers made equal."""
    greeting: set[str] = field(default_factory=set)
    """Lines behind this start."""
    labels: set[str] = field(default_factory=set)
    since: int = BEHIND
    """Number of lines since this start."""
    behind: deque[set[str]] = field(default_factory=lambda: deque([set()], maxlen=STARTS + 1))
    """Lines behind the last starts and this one, with their numbers made equal."""
    heard: Counter[str] = field(default_factory=Counter)
    """Number of lines by the text before their first colon."""


def look(head: Head) -> Likeness:
    """Likeness to a log: a session's start, or lines in colours under the log's own name."""
    if _START.search(head.text):
        return Likeness.SURELY
    named = head.name.replace("\\", "/").rpartition("/")[2].casefold() == "chatlog.html"
    return Likeness.PERHAPS if named and _COLOUR.search(head.text) else Likeness.NO


def count(stream: Stream) -> int:
    """Number of lines that are not blank."""
    return sum(not line.isspace() for line in stream.text.split("\n") if line)


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a log, in order; a unit's time is the day of the last start before it.

    Decisions about a line rest on the lines above it, so that a log that has grown is read as before. Only
    the meaning of a colour and whether an unusual name is one rest on the whole log.

    Raises Refused if no line has a colour.
    """
    text = keepable(stream.text, tally)
    if not _COLOUR.search(text):
        raise Refused(f"{stream.name} has no line in a colour, so it is no log of Fantasy Grounds.")
    lines = text.split("\n")
    uses = _uses(lines)
    state = _State(heard=_heard(lines))
    ordinals = Ordinals()
    number = 0
    while number < len(lines):
        taken = _frame(lines, number)
        if taken:
            yield _frame_unit(lines, number, taken, state, ordinals)
            number += taken
        elif not lines[number].strip():
            number += 1
        else:
            line = _joined(lines, number)
            number = line.last
            yield _unit(line, state, uses, ordinals)
    if GAME_MASTER in state.labels:
        tally.game_masters.add(GAME_MASTER)


# --- Lines ---


def _frame(lines: Sequence[str], first: int) -> int:
    """Number of lines here that are line breaks or a session's start."""
    taken = 0
    for line in lines[first : first + 8]:
        is_blank = not line.strip()
        if (is_blank and not taken) or not (
            is_blank or _START.search(line[:400]) or _FRAME.fullmatch(line[:400])
        ):
            break
        taken += 1
    return taken


def _frame_unit(lines: Sequence[str], first: int, taken: int, state: _State, ordinals: Ordinals) -> Unit:
    for line in lines[first : first + taken]:
        found = _START.search(line[:400])
        if found:
            start = reading(found["stamp"].replace(" / ", " "), Order.DAY_FIRST)
            state.start = When(start.time, Precision.DAY) if start else None  # later lines have no times
            state.greeted |= state.greeting
            state.greeting = set()
            state.opening = MOST_NEW
            state.since = 0
            state.behind.append(set())
    return Unit(
        Place(first + 1, first + taken),
        ordinals.key("frame", *lines[first : first + taken]),
        Sort.NOTICE,
        when=state.start,
        pieces=sum(bool(line.strip()) for line in lines[first : first + taken]),
        left_out=Reason.FRAME,
    )


def _joined(lines: Sequence[str], first: int) -> _Line:
    """Message whose first line is number `first`, joined with the lines up to its `</font>`."""
    last = first + 1
    if lines[first].startswith("<font") and "</font>" not in lines[first]:
        for place in range(first + 1, min(first + MOST_JOINED, len(lines))):
            if lines[place].lstrip().startswith(("<font", "<br", "<a ", "<b>")):
                break
            if "</font>" in lines[place]:
                last = place + 1
                break
    raw = "\n".join(lines[first:last])
    pieces = sum(bool(line.strip()) for line in lines[first:last])
    opened = _COLOUR.match(raw)
    if opened is None or "</font>" not in raw:
        return _Line(first + 1, last, pieces, "", "", "", raw.strip())
    words, _, behind = raw[opened.end() :].rpartition("</font>")
    dice = _DICE.search(behind[:400])
    return _Line(
        first + 1,
        last,
        pieces,
        opened["colour"].casefold(),
        _plain(words),
        dice["shown"] if dice else "",
        raw.strip(),
    )


def _plain(words: str) -> str:
    """Words without markup, with the line ends that the program wrote as characters."""
    text = html.unescape(_TAG.sub(lambda found: "\n" if found["name"].casefold() == "br" else "", words))
    if re.search(r"[A-Za-z]:\\", text) is None:
        text = text.replace("\\r", "\n").replace("\\n", "\n")
    return "\n".join(line.rstrip() for line in with_line_feeds(text).split("\n")).rstrip("\n")


def _uses(lines: Sequence[str]) -> dict[str, Use]:
    """Use of each colour but those of speech and asides in the known themes, which tells its meaning."""
    dice: Counter[str] = Counter()
    asides: Counter[str] = Counter()
    total: Counter[str] = Counter()
    said: Counter[str] = Counter()
    for line in lines:
        opened = _COLOUR.match(line[:100])
        if opened is None or opened["colour"].casefold() in _STORY | _ASIDES:
            continue
        colour = opened["colour"].casefold()
        words, _, behind = line[opened.end() : opened.end() + 2_000].partition("</font>")
        total[colour] += 1
        dice[colour] += _DICE.search(behind) is not None
        asides[colour] += _OUT_OF_CHARACTER.match(words[:200]) is not None
        said[colour] += not _DICE.search(behind) and bool(_named(html.unescape(words))[0])
    return {colour: Use(dice[colour], asides[colour], total[colour], said[colour]) for colour in total}


def _shape(line: str) -> str:
    """Line without its colour, with its numbers made equal."""
    opened = _COLOUR.match(line[:100])
    words = line[opened.end() :].rpartition("</font>")[0] if opened else line
    return re.sub(r"\d+", "0", words.strip()[:2_000])


def _heard(lines: Sequence[str]) -> Counter[str]:
    """Number of lines by the text before their first colon."""
    found: Counter[str] = Counter()
    for line in lines:
        opened = _COLOUR.match(line[:100])
        head, sign, _ = line[opened.end() : opened.end() + 100].partition(": ") if opened else ("", "", "")
        if sign:
            found[html.unescape(head).strip()] += 1
    return found


# --- Units ---


def _unit(line: _Line, state: _State, uses: dict[str, Use], ordinals: Ordinals) -> Unit:
    stamp = state.start.time.isoformat() if state.start else ""
    unit = Unit(
        Place(line.first, line.last),
        ordinals.key(stamp, line.words or line.raw, line.shown),
        Sort.NOTICE,
        line.words.strip(),
        state.start,
        channel=line.colour,
        pieces=line.pieces,
    )
    if _is_banner(line, state):
        return replace(unit, left_out=Reason.BANNER)
    if not line.colour:
        state.opening = 0
        return replace(unit, text="", raw=line.raw, unread=True)
    if not line.words.strip() and not line.shown:
        return replace(unit, left_out=Reason.EMPTY)
    if not line.shown and _TOOL.fullmatch(line.words):
        return replace(unit, left_out=Reason.NOTICE)
    if not line.shown and _is_greeting(line.words, state):
        return replace(unit, left_out=Reason.BANNER)
    found = _rolled(unit, line) if line.shown else _told(unit, line, state, uses)
    if found.speaker:
        state.labels.add(found.speaker)
    if found.speaker or line.shown:
        state.opening = 0
    return found


def _is_banner(line: _Line, state: _State) -> bool:
    """True for a link after a start, and for text that followed half of the last starts."""
    if state.since >= BEHIND:
        return False
    state.since += 1
    if not line.colour and state.opening > 0 and _LINK.search(line.raw):
        return True
    if line.shown or _is_statement(line.words):
        return False
    if _named(line.words)[0] and not _VERSION.search(line.words):
        return False
    shape = _shape(line.raw)
    *earlier, now = state.behind
    now.add(shape)
    number = sum(shape in rows for rows in earlier)
    return number >= ENOUGH and number * 2 >= len(earlier)


def _is_greeting(words: str, state: _State) -> bool:
    """True for the greeting of a program: it says so, or it followed an earlier start too."""
    names_itself = _GREETING.search(words[:2_000]) is not None
    if state.opening <= 0:
        return names_itself and not _named(words)[0]
    if _is_statement(words):
        state.opening = 0
        return False
    same = re.sub(r"\d+", "0", words)
    state.greeting.add(same)
    is_versioned = len(words) <= LONG and _VERSION.search(words) is not None
    is_known = names_itself or ((is_versioned or same in state.greeted) and not _named(words)[0])
    state.opening -= not is_known
    return is_known


def _is_statement(text: str) -> bool:
    """True for a statement of the game, such as a turn, damage or a new feature."""
    return text.startswith("[") or " -> [" in text or "' added to '" in text or "' applied to '" in text


def _rolled(unit: Unit, line: _Line) -> Unit:
    """Roll: its speaker, what it was for, whether only the game master saw it, and its verdict."""
    name, words = _thrower(line.words)
    is_secret = _SECRET.match(words) is not None
    words = _SECRET.sub("", words, count=1).strip() if is_secret else words.strip()
    throw = fantasy_grounds.throw_of(line.shown, words)
    unit = replace(unit, speaker=name, hidden=is_secret, to=(GAME_MASTER,) if is_secret else ())
    if throw is None:
        number = line.shown.rpartition("=")[2].strip()
        return replace(unit, sort=Sort.ASIDE, text=f"{words.removesuffix('=').strip()} = {number}".strip())
    against, verdict = _AGAINST.search(words), _VERDICT.search(words)
    throw = with_words(
        throw,
        text=words.removesuffix("=").strip(),
        against=against["against"] if against else "",
        verdict=verdict["verdict"] if verdict else "",
    )
    return replace(unit, sort=Sort.ROLL, text="", throws=(throw,))


def _thrower(text: str) -> tuple[str, str]:
    """Name and words of a roll; a name may hold `: ` where the words begin with a bracket."""
    place = text.find(": [")
    if 0 < place <= MOST_NAME and "[" not in text[:place] and "\n" not in text[:place]:
        return text[:place].strip(), text[place + 2 :]
    name, words = _named(f"{text} " if text.endswith(":") else text)
    return (name, words) if name else ("", text)


def _told(unit: Unit, line: _Line, state: _State, uses: dict[str, Use]) -> Unit:
    """Words without dice: whispered, out of character, said, told, or a statement of the game."""
    text = line.words.strip()
    private = _PRIVATE.fullmatch(text)
    if private:
        by = private["by"].strip() or GAME_MASTER
        return replace(
            unit, sort=Sort.SAID, text=private["words"], speaker=by, hidden=True, to=(private["to"].strip(),)
        )
    is_aside = _is_aside(line.colour, uses)
    aside = _OUT_OF_CHARACTER.fullmatch(text) if is_aside or line.words.startswith(" (") else None
    name, words = (aside["name"], aside["words"]) if aside else _spoken(text, state)
    if (name and not words.strip()) or (text.endswith(":") and text[:-1] in state.labels):
        return replace(unit, left_out=Reason.EMPTY)
    if aside or is_aside:
        account = aside["user"] if aside else ""
        return replace(unit, sort=Sort.ASIDE, text=words.strip(), speaker=name, account=account)
    if name:
        return _said(replace(unit, text=words.removesuffix("=").strip(), speaker=name), line.colour)
    if _is_statement(text) or not (_is_story(line.colour, uses) or _is_narration(text, line.colour, uses)):
        return unit
    actor = max((label for label in state.labels if text.startswith(f"{label} ")), key=len, default="")
    return replace(unit, sort=Sort.TOLD, text=text[len(actor) :].strip() if actor else text, speaker=actor)


def _said(unit: Unit, colour: str) -> Unit:
    """Words behind a name: a look into a table, an act, or speech."""
    if unit.text.startswith("[TABLE]"):
        return unit
    cast = deed_in(unit.text)
    if cast is not None and cast.kind == "casts":
        return replace(unit, sort=Sort.DECLARED, text=sentence(cast, "en"), whole=unit.text)
    acts = unit.text.startswith("[CAST]") or colour == _SYSTEM_LIGHT
    return replace(unit, sort=Sort.DECLARED if acts else Sort.SAID)


def _is_aside(colour: str, uses: dict[str, Use]) -> bool:
    use = uses.get(colour, Use())
    return colour in _ASIDES or (colour not in _ROLLS and use.asides * 2 > use.lines and not use.dice)


def _is_story(colour: str, uses: dict[str, Use]) -> bool:
    return colour in _STORY or (colour not in _ROLLS and not uses.get(colour, Use()).dice)


def _is_narration(text: str, colour: str, uses: dict[str, Use]) -> bool:
    """True for narration in a colour of notices: a long sentence, or any if the colour carries speech."""
    if text.startswith(("[", "/", "'", "<")) or "->" in text:
        return False
    bare = text.strip(f"{QUOTES} ")
    is_sentence = (
        bare[:1].isupper() and (bare[-1:] in ".!?\u2026" or bare != text) and text.count(" ") >= HEARD
    )
    return is_sentence and (len(text) > LONG or uses.get(colour, Use()).said >= HEARD)


def _spoken(text: str, state: _State) -> tuple[str, str]:
    """Name in front of speech, and the words; no name for the beginning of a sentence.

    A manner of speaking behind the name, `Zel (softly): …`, stays with the words.
    """
    name, words = _named(text)
    if not name:
        return "", text
    found = _MANNER.fullmatch(name)
    if found and says_game_master(found["how"]):
        return GAME_MASTER, words
    if found and re.search(r"[^\W\d_]", found["how"]):
        name, words = found["name"], f"({found['how']}) {words}"
    return (name, words) if _is_label(name, state.heard) else ("", text)


def _is_label(name: str, heard: Counter[str]) -> bool:
    """True for a short name without a sentence's signs; one that begins like a sentence has to come often."""
    bare = _TITLE.sub("", name)
    if len(name) > MOST_LABEL or _NO_LABEL.search(bare) or bare.count("(") != bare.count(")"):
        return False
    _, *others = [word for word in bare.split() if word not in _PARTICLES] or [""]
    is_sentence = _SUBJECT.match(name) or (len(others) > 1 and all(word[:1].islower() for word in others))
    return not is_sentence or heard[name] >= HEARD


def _named(text: str) -> tuple[str, str]:
    """Name in front of words, and the words; no name where the line is of another shape.

    The language spoken stays with the words.
    """
    head, sign, words = text.partition(": ")
    if not sign or not head.strip() or len(head) > 2 * MOST_NAME:
        return "", text
    if head.startswith(("[", "<", "/")) or any(sign in head for sign in ("\n", "->", "=", "|", "http")):
        return "", text
    if head.count("'") % 2 and " '" in head:
        return "", text
    if "[" not in head and "]" not in head:
        return (head.strip(), words) if len(head) <= MOST_NAME else ("", text)
    spoken = _LANGUAGE.fullmatch(head)
    return (spoken["name"].strip(), f"{spoken['more'].strip()} {words}") if spoken else ("", text)
