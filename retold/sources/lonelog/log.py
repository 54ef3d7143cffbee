"""Logs in Lonelog and Partylog: in blocks of a Markdown page, or as in a notebook."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import merge
from typing import Final

from retold.journal.encodings import with_line_feeds
from retold.journal.refused import Refused
from retold.sources.comments import without_comments
from retold.sources.dice import Rung, Throw, lonelog
from retold.sources.dice.throw import MOST_WORDS
from retold.sources.encodings import keepable
from retold.sources.keys import Ordinals
from retold.sources.lonelog.lines import READ, Piece, Sign, Signs, pieces, signs_of
from retold.sources.lonelog.tags import Known, played_in, stated
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.times import reader_of
from retold.sources.unit import Fact, FactKind, Place, Precision, Reason, Sort, Unit, When

_STRONG: Final = re.compile(
    r"\s{0,40}(?P<sign>d(?:\([^()\n]{1,60}\))? ?:|=>|->|@\(|@(?= ?\w)|\?(?= ?\w)|!(?= ?\w)|>(?= )"
    r"|(?:tbl|gen) ?:|\[#?[^\W\d_]{1,20}:[^\[\]\n]{1,400}\]|(?:#{1,6} +)?(?:T\d+-)?S\d+[a-z]? *\*"
    r"|S\d{1,4} ?@|(?:PC|N) ?\([^()\n]{1,60}\) ?:|\([^\W\d_][\w ]{0,30}: )"
)
_SURE: Final = frozenset({"d", "=>", "@(", "S@"})
_ANYBODYS: Final = frozenset({Sign.PROSE, Sign.FRAME, Sign.UNREAD, Sign.SECRET})
"""Signs that are not of this notation alone."""
_KEY: Final = re.compile(r"(?P<key>[^\W\d_][\w -]{0,40}?) ?:(?: +(?P<value>\S.*))? *", re.DOTALL)
_DATE: Final = re.compile(r"(?<![\d./-])\d{1,4}(?P<sign>[./-])\d{1,2}(?P=sign)\d{1,4}(?![\d/-])")
_HEADED: Final = re.compile(
    r"(?:\bdat\w{0,3}|fecha|дата) ?[:\]][*\s]{0,40}"
    r"(?P<date>\d{1,4}(?P<sign>[./-])\d{1,2}(?P=sign)\d{1,4})(?![\d/-])",
    re.IGNORECASE,
)
_DATED: Final = re.compile(r"(?:dat|fecha|дата)", re.IGNORECASE)
_PLAYERS: Final = re.compile(r"(?P<player>[^(),]{1,80}?) ?\((?P<who>[^()]{1,200})\)")
_PICTURE: Final = re.compile(
    r"!\[\[(?P<file>[^\]|\n]{1,300})[^\]\n]{0,100}\]\]|!\[[^\]\n]{0,200}\]\((?P<to>[^()\n]{1,500})\)"
)
_QUOTED: Final = re.compile(r"\"(?P<words>[^\"]*)\"|“(?P<curly>[^“”]*)”", re.DOTALL)
_MANNER: Final = re.compile(r"(?P<manner>\[[^\[\]\n]{1,200}\]) ?(?P<words>.*)", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_LED: Final = re.compile(r"(?P<who>[^:\n]{1,80}): (?P<words>.+)", re.DOTALL)
_TITLES: Final = frozenset({"title", "titre", "titolo", "título", "titel"})
_GAMES: Final = frozenset(
    {
        "ruleset",
        "system",
        "game",
        "règles",
        "système",
        "regole",
        "sistema",
        "regolamento",
        "reglas",
        "regelwerk",
    }
)
_MASTERS: Final = frozenset({"gm", "mj", "dm", "sl", "master", "dj"})
_CHARACTERS: Final = frozenset({"pcs", "pc", "pjs", "pj", "pg", "scs", "sc", "characters"})
_PLAYED_BY: Final = frozenset(
    {"player", "players", "joueur", "joueurs", "giocatore", "giocatori", "jugador", "jugadores", "spieler"}
)
_SORTS: Final = {
    Sign.ASK: Sort.ASIDE,
    Sign.RESULT: Sort.TOLD,
    Sign.WORLD: Sort.TOLD,
    Sign.PROSE: Sort.TOLD,
}


def look(head: Head) -> Likeness:
    """Likeness to a log: surely if lines begin with several of its signs, or it has the front matter."""
    if "\x00" in head.text or head.text.lstrip("\ufeff \n\r\t").startswith(("{", "<", "WEBVTT")):
        return Likeness.NO
    lines = head.text.splitlines()[:3_000]
    if any(re.match(r"[\d:.,]{4,20} {0,8}--> {0,8}\d", line) for line in lines[:8]):
        return Likeness.NO  # subtitles, whose words may hold anything
    signs = [found["sign"] for found in map(_STRONG.match, lines) if found]
    kinds = {_kind(sign) for sign in signs}
    if len(signs) >= 3 and len(kinds) >= 2 and kinds & _SURE:
        return Likeness.SURELY
    if len(_front_keys(lines)) >= 3 and signs:
        return Likeness.SURELY
    return Likeness.PERHAPS if kinds & {*_SURE, "tag"} else Likeness.NO


def count(stream: Stream) -> int:
    """Number of lines that are not blank."""
    return sum(not line.isspace() for line in io.StringIO(stream.text, newline=None))


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a log. Raises Refused if no line of it has a sign of the notation."""
    lines, comments = without_comments(with_line_feeds(keepable(stream.text, tally)), READ)
    text = "\n".join(lines)
    signs = signs_of(lines)
    matter = _matter(lines)
    start = matter[-1].last if matter else 0
    if not matter and all(
        piece.sign in _ANYBODYS and not piece.words.lstrip().startswith("\\---")  # ordinary texts have them
        for piece in pieces(lines, signs, start)
    ):
        raise Refused(
            f"{stream.name} has no line that begins with a sign of Lonelog, such as `@`, `d:` or `=>`;"
            " name its format."
        )
    tally.pattern = signs.example
    stamps = [f"{found['date']} 00:00" for found in map(_HEADED.search, lines) if found]
    time_of = reader_of(stamps, stream.hints.dates)
    if stamps and all(time_of(stamp) is None for stamp in stamps):
        tally.dates_unclear = True
        tally.warn(f"The first number of a date in {stream.name} may be the day or the month; say which.")
    state = _State(Known(_played(lines, text)), time_of)
    for piece in matter:
        yield from _front(piece, state)
    secrets = [
        Piece(Sign.SECRET, one.words, one.first, raw=one.raw, last=one.last, lines=one.pieces)
        for one in comments
    ]
    for piece in merge(pieces(lines, signs, start), secrets, key=lambda piece: piece.first):
        yield state.unit(piece)


@dataclass
class _State:
    """State carried to the next line: session, scene, actor, open question."""

    known: Known
    time_of: Callable[[str], When | None]
    ordinals: Ordinals = field(default_factory=Ordinals)
    title: str = ""
    session: str = ""
    scene: str = ""
    day: When | None = None
    actor: str = ""
    asked: Unit | None = None
    """Question that waits for its answer."""
    people: dict[str, str] = field(default_factory=dict)
    """Names in the tags of people, by their folded spelling."""
    _readers: dict[Sign, Callable[[Piece], Unit]] | None = None
    is_party: bool = False
    """True once the game master has added something, which only Partylog has."""

    def unit(self, piece: Piece) -> Unit:
        """Unit of a piece."""
        if piece.sign is Sign.SESSION:
            self.session, self.scene, self.day = _unescaped(piece.words), "", None
            self.actor, self.asked = "", None
        if piece.sign is Sign.FIELD:
            self._see_date(piece)
        unit = self._read(piece)
        if piece.sign is Sign.SCENE:
            self.scene, self.actor, self.asked = f"{piece.who} {unit.text}", "", None
        if piece.sign is Sign.ASK:
            self.asked = unit
        elif piece.sign in (Sign.ACT, Sign.WORLD, Sign.PROSE, Sign.SPEECH, Sign.RESULT):
            self.asked = None
        return unit

    def base(self, piece: Piece, sort: Sort, speaker: str = "") -> Unit:
        """Unit with the place, key and time of a piece, and no words."""
        key = self.ordinals.key(self.session, self.scene, piece.raw)
        return Unit(
            Place(piece.first, piece.last),
            key,
            sort,
            when=self.day,
            session=self.session,
            speaker=speaker,
            pieces=piece.lines,
        )

    def _read(self, piece: Piece) -> Unit:
        if self._readers is None:
            self._readers = {
                Sign.UNREAD: lambda one: replace(self.base(one, Sort.NOTE), raw=one.raw, unread=True),
                **dict.fromkeys((Sign.FRAME, Sign.SESSION), self._frame),
                **dict.fromkeys((Sign.NOTE, Sign.TAGS, Sign.SECRET), self._note),
                **dict.fromkeys((Sign.DICE, Sign.TABLE, Sign.ANSWER), self._rolled),
                Sign.TITLE: self._title,
                Sign.FIELD: self._field,
                Sign.SCENE: self._scene,
                Sign.ACT: self._act,
                Sign.SPEECH: self._speech,
            }
        return self._readers.get(piece.sign, self._told)(piece)

    def _frame(self, piece: Piece) -> Unit:
        return replace(self.base(piece, Sort.NOTICE), text=_unescaped(piece.words), left_out=Reason.FRAME)

    def _title(self, piece: Piece) -> Unit:
        title = _unescaped(piece.words)
        if title == self.title:
            return self._frame(piece)
        self.title = title
        return replace(self.base(piece, Sort.NOTE), text=title, facts=(Fact(FactKind.TITLE, title),))

    def _note(self, piece: Piece) -> Unit:
        unit = self.base(piece, Sort.NOTE)
        unit = replace(unit, hidden=piece.sign is Sign.SECRET)
        return self._worded(unit, _note(piece.words) if piece.sign is Sign.NOTE else piece.words)

    def _worded(self, unit: Unit, words: str) -> Unit:
        """Unit with words, and facts from their tags; left out as empty without either."""
        if "[" not in words or len(words) > MOST_WORDS:
            text = words.strip()
            return replace(unit, text=text, left_out=None if text else Reason.EMPTY)
        text, facts = stated(words, self.known)
        self.people |= {_folded(fact.name): fact.name for fact in facts if fact.kind is FactKind.PERSON}
        if not text and facts:
            return replace(unit, sort=Sort.NOTE, facts=facts)
        return replace(unit, text=text, facts=facts, left_out=None if text else Reason.EMPTY)

    def _told(self, piece: Piece) -> Unit:
        self.is_party |= piece.sign is Sign.WORLD
        words = piece.words
        if words.lstrip().startswith("\\---"):
            words = words.strip().removeprefix("\\---").rstrip("\\").removesuffix("---").strip("\n")
        asker = piece.who.removesuffix(" asks").strip() or self.known.main
        unit = self.base(piece, _SORTS[piece.sign], asker if piece.sign is Sign.ASK else "")
        if piece.sign is Sign.PROSE and "![" in words:
            paths = (re.split(r"[?#]", one["file"] or one["to"])[0] for one in _PICTURE.finditer(words))
            files = tuple(f"[picture: {path.rstrip('/').rpartition('/')[2] or 'picture'}]" for path in paths)
            unit = replace(unit, attached=files)
            words = _PICTURE.sub("", words).strip()
            if not words and files:
                return unit
        unit = self._worded(unit, words.strip("\n"))
        led = _LED.fullmatch(unit.text) if piece.sign is Sign.RESULT else None
        if led and self.known.is_played(led["who"]):
            return replace(unit, speaker=led["who"], text=led["words"])
        return unit

    def _act(self, piece: Piece) -> Unit:
        names = [name.strip() for name in re.split(r"[+>]", piece.who) if name.strip()]
        speaker = names[0] if names else self.known.main
        self.actor = names[1] if ">" in piece.who and len(names) > 1 and not self.is_party else speaker
        unit = self._worded(self.base(piece, Sort.DECLARED, speaker), piece.words)
        quoted = _QUOTED.fullmatch(unit.text)
        if quoted and len(names) < 2:
            return replace(unit, sort=Sort.SAID, text=quoted["words"] or quoted["curly"] or "")
        return replace(unit, text=f"({piece.who}) {unit.text}") if len(names) > 1 and unit.text else unit

    def _speech(self, piece: Piece) -> Unit:
        name, comma, manner = piece.who.partition(",")
        unit = self._worded(self.base(piece, Sort.SAID, name.strip() or self.known.main), piece.words)
        led = _MANNER.fullmatch(unit.text)
        words, how = (led["words"], led["manner"]) if led else (unit.text, "")
        if comma and manner.strip():
            how = f"[{manner.strip()}]{' ' if how else ''}{how}"
        quoted = _QUOTED.fullmatch(words.strip())
        said = quoted["words"] or quoted["curly"] or "" if quoted else words
        return replace(unit, text=" ".join(filter(None, (how, said))))

    def _rolled(self, piece: Piece) -> Unit:
        """Unit of a roll, a table or an answer: a roll if dice or cards are told, otherwise an aside."""
        words = piece.words
        throws = _throws(piece)
        who = piece.who.partition("+")[0].partition(">")[0].strip() or lonelog.thrower(words)
        if ">" in piece.who and not self.is_party:
            who = piece.who.rpartition(">")[2].strip()
        asked = self.asked
        who = self.people.get(_folded(who), who)
        speaker = who or (asked.speaker if asked else self.actor)
        is_remark = (
            not throws and not who and (asked is None or (piece.sign is Sign.TABLE and "->" not in words))
        )
        if is_remark:
            speaker, asked = "", None
        unit = self.base(piece, Sort.ROLL if throws else Sort.NOTE if is_remark else Sort.ASIDE, speaker)
        unit = self._worded(unit, piece.words)
        if asked is not None:
            unit = replace(unit, answers=asked.key)
        if throws:
            about = asked.text if asked else ""
            throws = tuple(replace(throw, text=throw.text or about) for throw in throws)
            return replace(unit, sort=Sort.ROLL, throws=throws)
        return unit

    def _scene(self, piece: Piece) -> Unit:
        unit = self._worded(self.base(piece, Sort.SCENE), piece.words)
        title = _unescaped(unit.text.strip(" :-\u2013\u2014").strip("*_ "))
        mark = "" if re.fullmatch(r"S\d+", piece.who) and title else piece.who
        text = " ".join(filter(None, (mark, title)))
        return replace(unit, sort=Sort.SCENE, text=text, left_out=None if text else Reason.EMPTY)

    def _field(self, piece: Piece) -> Unit:
        name = piece.who.rstrip("*")
        words = _unescaped(": ".join(filter(None, (name, piece.words))))
        unit = self.base(piece, Sort.NOTE)
        if name and not piece.words and re.fullmatch(r"(?:R|Rd|Tn)\d+", name) is None:
            return replace(unit, text=name, left_out=Reason.EMPTY)
        facts = _of_header(name, [piece.words], self.known)
        return replace(self._worded(unit, words), facts=facts) if facts else self._worded(unit, words)

    def _see_date(self, piece: Piece) -> None:
        """Keeps the date from a session's header for later units."""
        dated = piece.words if _DATED.match(piece.who) else ""
        if not piece.who.rstrip("*"):
            dated = next((part for part in piece.words.split("|") if _DATED.match(part.strip())), "")
        found = _DATE.search(dated)
        when = self.time_of(f"{found[0]} 00:00") if found else None
        if when:
            self.day = When(when.time, Precision.DAY)


def _front(piece: Piece, state: _State) -> Iterator[Unit]:
    """Unit of one line, or one list, of the front matter."""
    if piece.sign is Sign.FRAME:
        yield replace(state.base(piece, Sort.NOTICE), text=piece.words, left_out=Reason.FRAME)
        return
    unit = state.base(piece, Sort.NOTE)
    found = _KEY.fullmatch(piece.words.split("\n")[0])
    rest = [_unquoted(line.strip().removeprefix("- ")) for line in piece.words.split("\n")[1:]]
    values = [value for value in (_unquoted(found["value"] or "") if found else "", *rest) if value]
    if found is None or not values:
        yield replace(unit, text=piece.words, left_out=None if found is None else Reason.EMPTY)
        return
    facts = _of_header(found["key"], values, state.known)
    state.title = next((fact.name for fact in facts if fact.kind is FactKind.TITLE), state.title)
    plain = [stated(value, Known())[0] if facts else value for value in values]
    yield replace(unit, text=f"{found['key']}: {', '.join(filter(None, plain))}", facts=facts)


def _of_header(key: str, values: Sequence[str], known: Known) -> tuple[Fact, ...]:
    """Facts of a header's line: title, game, game masters, characters, players; none for other lines."""
    key, whole = key.casefold(), ", ".join(values)
    if key in _TITLES:
        return (Fact(FactKind.TITLE, whole),)
    if key in _GAMES:
        return (Fact(FactKind.GAME, whole),)
    if key in _MASTERS:
        return tuple(Fact(FactKind.GAME_MASTER, name.strip()) for name in whole.split(",") if name.strip())
    if key in _CHARACTERS:
        text, facts = stated(whole, known)
        tagged = {fact.name.casefold() for fact in facts}
        names = [name for name in _names(text) if name.casefold() not in tagged]
        return (*facts, *(Fact(FactKind.PERSON, name) for name in names))
    if key in _PLAYED_BY:
        pairs = [(pair["player"].strip(), pair["who"]) for pair in _PLAYERS.finditer(whole)]
        if not pairs and len(known.played) == 1 and "," not in whole:
            pairs = [(whole, known.played[0])]
        return tuple(
            Fact(FactKind.PERSON, name, player=player) for player, names in pairs for name in _names(names)
        )
    return ()


def _names(text: str) -> list[str]:
    """Names listed as in `Kael [Rogue 5], Sable`, with bracketed remarks removed."""
    plain = re.sub(r"\[[^\[\]]{0,300}\]", "", text)
    return [name.strip() for name in plain.split(",") if name.strip()]


def _matter(lines: Sequence[str]) -> list[Piece]:
    """Pieces of the front matter: its two rules, and each key with its list; none if the log has none."""
    first = next((place for place, line in enumerate(lines[:50]) if line.strip()), 0)
    if not lines or lines[first].strip() != "---":
        return []
    last = next((n for n in range(first + 1, min(len(lines), 500)) if lines[n].strip() in ("---", "...")), 0)
    inside = [line for line in lines[first + 1 : last] if line.strip()]
    if not last or not inside or _KEY.fullmatch(inside[0].strip()) is None:
        return []
    found = [Piece(Sign.FRAME, "---", first + 1, raw="---", last=first + 1)]
    for number, line in enumerate(lines[first + 1 : last], start=first + 2):
        if not line.strip():
            continue
        if found[-1].sign is Sign.FIELD and (line[:1] in " \t" or line.lstrip().startswith("- ")):
            found[-1].words += "\n" + line.strip()
            found[-1].raw += "\n" + line
            found[-1].last, found[-1].lines = number, found[-1].lines + 1
        else:
            found.append(Piece(Sign.FIELD, line.strip(), number, raw=line, last=number))
    found.append(Piece(Sign.FRAME, "---", last + 1, raw="---", last=last + 1))
    return found


def _front_keys(lines: Sequence[str]) -> set[str]:
    """Keys of the front matter that logs of play have."""
    keys = (
        _KEY.fullmatch(piece.words.split("\n")[0]) for piece in _matter(lines) if piece.sign is Sign.FIELD
    )
    wanted = _GAMES | _MASTERS | _CHARACTERS | _PLAYED_BY | _TITLES
    return {found["key"].casefold() for found in keys if found and found["key"].casefold() in wanted}


def _played(lines: Sequence[str], text: str) -> list[str]:
    """Played characters: those named in the header, and those with a `[PC]` tag."""
    known = Known()
    for piece in _matter(lines):
        first, *rest = piece.words.split("\n")
        found = _KEY.fullmatch(first)
        if found and found["key"].casefold() in _CHARACTERS:
            values = [found["value"] or "", *(line.strip().removeprefix("- ") for line in rest)]
            for name in _names(stated(", ".join(filter(None, map(_unquoted, values))), Known())[0]):
                known.play(name)
    for line in lines:
        found = re.match(r"\s{0,10}\[PCs?\]\s{1,40}(?P<value>\S.{0,1000})", line)
        for name in _names(stated(found["value"], Known())[0]) if found else ():
            known.play(name)
    for name in played_in(text):
        known.play(name)
    return known.played


def _throws(piece: Piece) -> tuple[Throw, ...]:
    """Throws of a roll, an answer, or each line of a table; an answer has its dice in brackets behind it."""
    if len(piece.words) > MOST_WORDS:
        return ()
    if piece.sign is Sign.DICE:
        words, verdict = _outcome(piece.words)
        return lonelog.throws(words, _line(verdict))
    if piece.sign is Sign.ANSWER:
        dice = re.search(r"\(([^()\n]{0,200}\d)[^()\n]{0,100}\)", piece.words)
        found = lonelog.throws(dice[1], _line(piece.words[: dice.start()])) if dice else ()
    else:
        parts = (_outcome(line.strip()) for line in piece.words.split("\n"))
        found = tuple(throw for words, verdict in parts for throw in lonelog.throws(words, verdict))
    return tuple(throw for throw in found if throw.rung is not Rung.WORDS)


def _outcome(words: str) -> tuple[str, str]:
    """Words before the first arrow outside brackets, and the outcome behind it; empty without an arrow."""
    blank = re.sub(r"\[[^\[\]\n]{0,500}\]", lambda found: "x" * len(found[0]), words)
    places = [place for place in (blank.find("->"), blank.find("=>"), blank.find("→")) if place >= 0]
    if not places:
        return words, ""
    place = min(places)
    arrow = 1 if words[place] == "→" else 2
    return words[:place].strip(), words[place + arrow :].strip()


def _note(words: str) -> str:
    """Text of a note, without brackets and the word `note`."""
    inside = words.strip()
    if inside.startswith("(") and inside.endswith(")") and _is_one_bracket(inside):
        inside = inside[1:-1]
    return re.sub(r"\Anote ?: ?", "", inside, flags=re.IGNORECASE).strip()


def _is_one_bracket(words: str) -> bool:
    """True if the first bracket is closed by the last."""
    depth = 0
    for place, sign in enumerate(words):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return place == len(words) - 1
    return False


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return value


def _folded(name: str) -> str:
    """Name in lower case with straight apostrophes, for comparing names as rolls spell them."""
    return name.casefold().replace("\u2019", "'")


def _line(words: str) -> str:
    return " ".join(words.split())


def _unescaped(words: str) -> str:
    """Words of Markdown joined to one line, without backslashes before punctuation."""
    return _ESCAPED.sub(r"\1", _line(words))


def _kind(sign: str) -> str:
    """Sign common to a family of signs: `d20` → `d`, `[N:` → `tag`."""
    if sign.startswith("["):
        return "tag"
    if re.fullmatch(r"S\d+ ?@", sign):
        return "S@"
    return "d" if sign.startswith("d") else sign.strip()


__all__ = ["Signs", "count", "look", "read"]
