"""Lexer of the command language: splits a typed line into verb, tokens, flags, results and free text.

Knows syntax alone: no names, verbs or games.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import force_setattr, replace

from retold.journal.decks.expressions import is_throw
from retold.journal.language.chat_signs import spelled_out
from retold.journal.language.tokens import (
    FLAG_START,
    ORIGINS,
    Assign,
    Segment,
    Token,
    Unreadable,
    is_dice,
    refuse_control_characters,
)
from retold.journal.language.writing import in_quotes, write_line
from retold.journal.names import UNKEEPABLE


def join_continuation(text: str | None, below: Sequence[str]) -> str:
    """Returns a line's text joined with the indented text lines `below` it, by line feeds.

    Raises Unreadable if one of these is not indented, or if the line has no text (`text` is None).
    """
    lines = [text] if text else []
    for row, line in enumerate(below, 2):
        if text is None or not line[:1].isspace() or not line.strip():
            raise Unreadable(
                "Only an indented line under a text goes on with it; an empty one is a dot.", 1, row
            )
        lines.append(_decode_text_line(line.removesuffix("\r"), row))
    return "\n".join(lines)


def _decode_text_line(line: str, row: int) -> str:
    """Returns the text of one indented line: `.` is an empty line, `..` a dot, `."…"` a JSON string."""
    try:
        refuse_control_characters(line)
    except Unreadable as unreadable:
        raise Unreadable(unreadable.sentence, unreadable.column, row) from None
    said = line.strip()
    if said in {".", ".."}:
        return said[1:]
    return _decode_json(line, row) if said.startswith('."') else said


def _decode_json(line: str, row: int) -> str:
    column = line.index(".") + 1
    try:
        text = json.loads(line.strip()[1:], strict=False)
    except ValueError:
        raise Unreadable('After ." at the beginning comes a string as JSON writes it.', column, row) from None
    if not isinstance(text, str) or UNKEEPABLE.search(text):
        raise Unreadable("This text holds characters that cannot be kept.", column, row)
    return text


def join_dice(tokens: Sequence[Token]) -> list[Token]:
    """Returns the tokens with those that make one dice expression joined: `1d20 + 5` becomes `1d20+5`."""
    joined: list[Token] = []
    for token in tokens:
        if joined and (whole := _one_expression(joined, token)) is not None:
            joined[whole[0] :] = [whole[1]]
        else:
            joined.append(token)
    return joined


def _one_expression(before: Sequence[Token], token: Token) -> tuple[int, Token] | None:
    """Returns the dice expression that ends with `token`, and the place in `before` where it begins.

    None if `token` is not a number, die or modifier behind a sign that joins it to dice.
    """
    for place in range(max(0, len(before) - MOST_PARTS), len(before)):
        parts = [*before[place:], token]
        if not all(part.bare for part in parts) or not JOINS.search("\n".join(part.text for part in parts)):
            continue
        whole = Token((Segment("".join(part.text for part in parts), False),), before[place].column)
        if is_dice(whole) and is_throw(whole.text):
            return place, whole
    return None


class Flag(Struct, frozen=True):
    """Flag of the command language such as `--gm`.

    `name` without dashes, `about` its description for help and completion.
    """

    name: str
    about: str
    value: str = ""
    """Placeholder of its value, such as NAMES; empty for a flag without one."""
    field: str = ""
    """Command field that it fills; by default of the flag's name."""
    repeats: bool = False
    """True if the flag may repeat; its values are joined with line feeds."""
    ends_line: bool = False
    """True if its value, unless quoted, is everything behind it to the end of the line."""

    def __post_init__(self) -> None:
        """Sets `field` to the flag's name if no field was given."""
        force_setattr(self, "field", self.field or self.name)

    @property
    def takes_value(self) -> bool:
        """True for a flag with a value."""
        return bool(self.value)

    @property
    def written(self) -> str:
        """The flag as help shows it: `--to NAMES`."""
        return f"--{self.name} {self.value}".rstrip()


FLAGS: Final[Mapping[str, Flag]] = {
    flag.name: flag
    for flag in (
        Flag("quote", "the text was said at the table, and everybody may read it"),
        Flag("veto", "the game master strikes it, without a token"),
        Flag("own", "strikes it without a token, since it is about your own party"),
        Flag("free", "the move costs nothing"),
        Flag("reroll", "rolls all the dice again, in place of +2"),
        Flag("more", "it helps: 2 more"),
        Flag("less", "they resist with it: 2 less"),
        Flag("interrupt", "acts before whoever is acting"),
        Flag("extra", "an act that an upgrade gives beside the turn"),
        Flag("gone", "the aspect is there no longer"),
        Flag("done", "it is settled, or gone"),
        Flag("agreed", "they have said yes to it"),
        Flag("dangerous", "everybody's blows cost more for it"),
        Flag("sealed", "face down, until `reveal` opens all of them at once"),
        Flag("check", "shows the result without recording it"),
        Flag("yes", "answers yes to whatever is asked"),
        Flag("describe", "the text says who it is from now on"),
        Flag("sheet", "with all that is secret of their sheet"),
        Flag("only", "and nothing else of its line"),
        Flag("gm", "for the game master only"),
        Flag("keep", "what happened stands, by a ruling; say why after a colon"),
        Flag("drop", "goes on without acts that no longer hold"),
        Flag(
            "ruling",
            'answers what the change asks, as "Zel: why"',
            value="ANSWER",
            repeats=True,
        ),
        Flag("for", "the comrade whose hit it is", value="NAME", field="comrade"),
        Flag("upgrade", "the upgrade of theirs that it uses", value="NAME"),
        Flag("against", "the target's skill that opposes", value="SKILL"),
        Flag("support", "how many players are for it", value="N"),
        Flag("oppose", "how many players are against it", value="N"),
        Flag("person", "erases every name of this person", value="NAME"),
        Flag("word", "erases one of several texts only, by its number from 0", value="N"),
        Flag("clock", "its time in a recording, as 1:12:09", value="TIME"),
        Flag("date", "the day it was played, as 2026-03-14", value="DAY"),
        Flag("absent", "who is away tonight", value="NAMES"),
        Flag("at", "for an earlier moment", value="MOMENT"),
        Flag("in", "which conflict, if not the last one addressed", value="CONFLICT"),
        Flag(
            "as",
            "the line as it should have been, to the end of the line",
            value="LINE",
            ends_line=True,
        ),
        Flag("to", "only for these people", value="NAMES"),
        Flag("by", "who does it, if unclear", value="NAME"),
        Flag("when", "when it was played, as 2026-03-14T19:42", value="TIME"),
        Flag("provenance", "where results come from: called, dealt, reconstructed or imported", value="WORD"),
    )
}
"""Flags by name, in the order they are written on a line."""


def takes_value(name: str) -> bool:
    """True for a known flag, named without dashes, whose value is the next token: `to` in `--to Jon`."""
    return name in FLAGS and FLAGS[name].takes_value


JOINS = re.compile(r"[-+*/\u00d7÷(,{]\n|\n(?:[-+*/\u00d7÷),}]|k[hl]?\d|d[hl]?\d|ro?\d|[tf]\d|[<>]=?|!)")
"""Where a blank within a dice expression may stand: beside a sign, or before a modifier."""
MOST_PARTS: Final = 6
"""Words before a blank that may belong to the same dice expression."""
BLANKS = re.compile(r"\s+")
TEXT = re.compile(r":(?=\s|\Z)")
STRAIGHT = re.compile(r'"((?:[^"]|"")*)"(?!")')
CURLY = re.compile("\u201c([^\u201d]*)\u201d")
BARE = re.compile(r'(?:[^\s"“”:]|:(?!\s|\Z))+')
QUOTED_ABROAD = re.compile('\u201e([^\u201e\u201c\u201d"]+)[\u201c\u201d"]|«([^«»]+)»|»([^«»]+)«')
"""A whole text in the quotes of German or French."""
WHOLE_LINE_QUOTED = re.compile(r'(?:"(?:[^"]|"")*"|\u201c[^\u201d]*\u201d)(?=\s|:(?:\s|\Z)|\Z)')
IN_SINGLE_QUOTES = re.compile(r"'(.+)'(?=\s+--[^\W\d_]|\s*\Z)")
KEY_AND_TEXT = re.compile(r'[^\s"“”=]+=')


class Lexed(Struct, frozen=True):
    """Typed line split into its parts, before its verb and names are looked up.

    `tokens` are the words after the verb in order, `key=value` words included, flags removed. `results`
    (cards or dice after `=`) and `text` are None if the line has none; a colon with nothing after it gives
    "".
    """

    verb: Token
    tokens: tuple[Token, ...] = ()
    flags: Mapping[str, Token | None] = field(default_factory=dict)
    results: tuple[str, ...] | None = None
    text: str | None = None
    comment: str | None = None

    @property
    def assigns(self) -> tuple[Assign, ...]:
        """Assignments among the tokens (`key=value`); some verbs take such a token as an ordinary word."""
        return tuple(assign for token in self.tokens if (assign := token.assign))

    @property
    def as_typed(self) -> str:
        """The line as text again; a text of several lines follows in indented lines."""
        flags = {name: None if token is None else token_as_typed(token) for name, token in self.flags.items()}
        parts = [*map(token_as_typed, self.tokens)]
        return write_line(token_as_typed(self.verb), parts, results=self.results, text=self.text, flags=flags)

    def with_text(self, text: str) -> Lexed:
        """Returns a copy of the line with `text` as its free text."""
        return replace(self, text=text)

    def instead(self, typed: str, name: str) -> Lexed:
        """Returns a copy of the line in which the unquoted name `typed` is replaced by `name` in quotes."""
        tokens = tuple(_with_name(token, typed, name) for token in self.tokens)
        return replace(self, tokens=tokens)

    def rest(self) -> Lexed:
        """Returns the line that begins at the third word: `expect refused draw Zel` → `draw Zel`.

        Raises Unreadable if the line ends before, or that word is quoted.
        """
        if not self.tokens[1:]:
            raise Unreadable(
                f"After {self.verb.text} {''.join(f'{token.text} ' for token in self.tokens)}"
                "a whole line is wanted.",
                self.verb.column,
            )
        return replace(self, verb=_verb(self.tokens[1]), tokens=self.tokens[2:])


def line_as_typed(lexed: Lexed) -> str:
    """Returns a lexed line as text again; a text of several lines is left out."""
    one_line = lexed.text is None or "\n" not in lexed.text
    return (lexed if one_line else replace(lexed, text=None)).as_typed


def token_as_typed(token: Token) -> str:
    """Returns a token as text again, with its quotes."""
    return "".join(in_quotes(text) if quoted else text for text, quoted in token.segments)


def _with_name(token: Token, typed: str, name: str) -> Token:
    segments = [
        Segment(name, True) if piece == typed else Segment(piece, False)
        for text, quoted in token.segments
        if not quoted
        for piece in re.split("([+,=:])", text)
        if piece
    ]
    return token if any(quoted for _, quoted in token.segments) else Token(tuple(segments), token.column)


def lex(line: str) -> Lexed:
    """Splits a typed line of the command language into its parts; indented lines below it continue its text.

    Raises Unreadable, and nothing else, for a syntax error.
    """
    first, *below = line.removesuffix("\n").split("\n")
    first = first.removesuffix("\r")
    refuse_control_characters(first)
    scanned = _scan(spelled_out(first))
    if scanned.line is not None:
        return _with_line(_assemble(scanned.head, None, None), scanned.line, below)
    text = join_continuation(scanned.text, below) if below else scanned.text
    return _assemble(scanned.head, text, scanned.comment)


def lex_words(words: Sequence[str], takes_text: Callable[[str], bool]) -> Lexed:
    """Parses the arguments of a shell command as one typed line: tokens, flags, results and free text.

    Each argument is one token, with blanks. The first argument that ends in `:` ends the head; the arguments
    after it, joined with blanks, are the text. Without such an argument the last one is the text if it holds
    a blank and `takes_text`, called with the verb, returns True. Columns count in the arguments joined with
    blanks. Raises Unreadable for a syntax error.
    """
    for column, word in _columns(words):
        refuse_control_characters(word, column, but="\n")
    whole = " ".join(words)
    if "\n" not in whole and (meant := spelled_out(whole)) != whole:
        return lex(meant)
    begun = next((place for place, word in enumerate(words) if _begins_line(word)), None)
    if begun is not None and not any(word.endswith(":") for word in words[:begun]):
        return _lex_words_with_line(words, begun, takes_text)
    ended = next((place for place, word in enumerate(words) if word.endswith(":")), None)
    head = list(_columns(words))
    text = None
    if ended is not None:
        text = " ".join(words[ended + 1 :]).strip()
        column, word = head[ended]
        head[ended:] = [(column, word[:-1])] if len(word) > 1 else []
    elif len(words) > 1 and BLANKS.search(words[-1]) and takes_text(words[0]):
        text = words[-1].strip()
        head.pop()
    tokens: list[Token] = []
    for place, (column, word) in enumerate(head):
        if words[place] == "#":
            return _assemble(tokens, None, " ".join(words[place + 1 :]).strip())
        tokens.extend(_word(word, column))
    return _assemble(tokens, text, None)


def line_behind(flag: str, line: str) -> str:
    """Returns a flag that takes a line, and the line behind it: `--as scene The yard`.

    The line is quoted only if it begins with a quote of its own.
    """
    return f"--{flag} {in_quotes(line) if line[:1] in _QUOTES else line}"


_QUOTES: Final = frozenset("\"'\u201c")


def has_text(line: str) -> bool:
    """True if the line has a colon that begins a free text; raises Unreadable for a syntax error.

    Indented lines may then continue the text.
    """
    scanned = _scan(spelled_out(line))
    return scanned.text is not None or (scanned.line is not None and has_text(scanned.line))


def only_quoted_text(line: str) -> str | None:
    """Returns the text of a line that consists of one quoted string, such as `"It rains."`.

    German and French quotes count too. None for other lines, and for a string of blanks alone.
    """
    if (told := QUOTED_ABROAD.fullmatch(line.strip())) is not None:
        return next(filter(None, told.groups())).strip() or None
    try:
        refuse_control_characters(line)
        head, text, comment, _ = _scan(line)
    except Unreadable:
        return None
    if text is not None or comment is not None or len(head) != 1 or len(head[0].segments) != 1:
        return None
    return head[0].text if head[0].quoted and head[0].text.strip() else None


def is_blank(line: str) -> bool:
    """True for a line of blanks alone, and for a comment that begins in the first column."""
    return not line.strip() or line.startswith("#")


# --- From characters to tokens ---


class _Scanned(NamedTuple):
    """Parts of one text line: tokens before the text, and text and comment, or the line behind a flag."""

    head: list[Token]
    text: str | None = None
    comment: str | None = None
    line: str | None = None
    """Line behind a flag that ends its line, such as `--as`; the flag is the last token of `head`."""


def _scan(line: str, column: int = 1) -> _Scanned:
    """Splits one line of text; `column` is the number of its first character."""
    tokens: list[Token] = []
    place = 0
    while place < len(line):
        if blanks := BLANKS.match(line, place):
            place = blanks.end()
        elif TEXT.match(line, place):
            return _Scanned(tokens, text=line[place + 1 :].strip())
        else:
            token, end = _token(line, place, column)
            if token.bare and token.text == "#" and not TEXT.match(line, end):
                return _Scanned(tokens, comment=line[end:].strip())
            if token.bare and _begins_line(token.text):
                name, equals, _ = token.text.partition("=")
                end = place + len(name + equals)
                tokens.append(Token((Segment(name, False),), token.column))
                behind = line[end + 1 if TEXT.match(line, end) else end :]
                quoted, after = _quoted_line(behind.lstrip())
                if quoted is None and not after:
                    return _Scanned(tokens, line="")
                if quoted is None:
                    return _Scanned(tokens, line=after.strip())
                tokens.append(Token((Segment(quoted, True),), token.column))
                rest = _scan(after, column + len(line) - len(after))
                return rest._replace(head=tokens + rest.head)
            tokens.append(token)
            place = end
    return _Scanned(tokens)


def _begins_line(word: str) -> bool:
    """True for a flag whose value is the rest of the line, such as `--as`, `--as:` and `--as=scene`."""
    name = re.split("[:=]", word, maxsplit=1)[0]
    return name.startswith("--") and (flag := FLAGS.get(name[2:])) is not None and flag.ends_line


def _quoted_line(behind: str) -> tuple[str | None, str]:
    """Returns the quoted line that `behind` begins with, and what follows it.

    Single quotes count, and double quotes around a line that has undoubled ones of its own. Returns (None,
    `behind`) without quotes.
    """
    if found := WHOLE_LINE_QUOTED.match(behind):
        return _segment(behind, 0, 1)[0].text, behind[found.end() :]
    if found := IN_SINGLE_QUOTES.match(behind):
        return found.group(1), behind[found.end() :]
    line = behind.rstrip()
    if len(line) > 1 and line[0] + line[-1] in {'""', "\u201c\u201d"}:
        return line[1:-1], ""
    return None, behind


def _with_line(lexed: Lexed, line: str, below: Sequence[str] = ()) -> Lexed:
    """Returns the line with the value of its last flag, a line: empty, the flag has none."""
    whole = "\n".join((line, *below))
    name = [*lexed.flags][-1]
    token = Token((Segment(whole, True),), lexed.verb.column) if whole else None
    return replace(lexed, flags={**lexed.flags, name: token})


def _lex_words_with_line(words: Sequence[str], begun: int, takes_text: Callable[[str], bool]) -> Lexed:
    """Parses shell arguments of which number `begun` is a flag whose value is the rest of the line.

    The value is the next argument alone if it holds a blank or is the last.
    """
    flag, _, first = words[begun].partition("=")
    behind = [*filter(None, (first,)), *words[begun + 1 :]]
    line, after = "", behind[1:]
    if len(behind) == 1 or (behind and BLANKS.search(behind[0])):
        quoted, rest = _quoted_line(behind[0].strip())
        line = behind[0].strip() if quoted is None or rest.strip() else quoted
    elif behind:
        line, after = lex_words(behind, takes_text).as_typed, []
    lexed = lex_words([*words[:begun], *after], takes_text)
    if flag.removeprefix("--").rstrip(":") in lexed.flags:
        raise Unreadable(f"{flag} is here twice.", 1)
    flags = {**lexed.flags, flag.removeprefix("--").rstrip(":"): None}
    return _with_line(replace(lexed, flags=flags), line)


def _token(line: str, start: int, column: int) -> tuple[Token, int]:
    segments: list[Segment] = []
    place = start
    while place < len(line) and not BLANKS.match(line, place) and not TEXT.match(line, place):
        segment, place = _segment(line, place, column)
        segments.append(segment)
    token = Token(tuple(segments), column + start)
    if segments[-1].text.endswith(":") and not segments[-1].quoted:
        raise Unreadable(f"One colon too many after {token.text.rstrip(':')}.", column + place)
    return token, place


def _segment(line: str, place: int, column: int) -> tuple[Segment, int]:
    if found := BARE.match(line, place):
        return Segment(found.group(), False), found.end()
    if found := STRAIGHT.match(line, place):
        return Segment(found.group(1).replace('""', '"'), True), found.end()
    if found := CURLY.match(line, place):
        return Segment(found.group(1), True), found.end()
    if line[place] == "\u201d":
        raise Unreadable(
            "This quote closes nothing: open it, or put the word in plain quotes.", column + place
        )
    raise Unreadable('This quote is never closed; inside quotes, a quote is written "".', column + place)


def _word(word: str, column: int) -> list[Token]:
    """Returns the tokens of one shell argument before the text."""
    if "\n" in word:
        raise Unreadable("Only a text may hold several lines.", column + word.index("\n"))
    if word.endswith(":"):
        raise Unreadable(f"One colon too many after {word.rstrip(':')}.", column + len(word))
    if '"' in word or (word and not BLANKS.search(word)):
        tokens, text, comment, _ = _scan(word, column)
        if text is not None or comment is not None:
            raise Unreadable(f"A word with quotes holds no text and no comment: {word}.", column)
        return tokens
    if data := KEY_AND_TEXT.match(word):
        key = data.group()
        return [Token((Segment(key, False), Segment(word[len(key) :], True)), column)]
    return [Token((Segment(word, True),), column)]


def _columns(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    column = 1
    for word in words:
        yield column, word
        column += len(word) + 1


# --- From tokens to a line ---


def _assemble(head: Sequence[Token], text: str | None, comment: str | None) -> Lexed:
    if not head:
        raise Unreadable("There is no verb on this line.", 1)
    verb = (
        head[0]
        if text is not None and head[0].quoted and (len(head) == 1 or _is_flag(head[1]))
        else _verb(head[0])
    )
    rest = [*map(_with_plain_minus, head[1:])]
    begin = next((place for place, token in enumerate(rest) if _begins_results(token)), len(rest))
    tokens, flags = _split_flags(rest[:begin])
    behind, flags = _split_flags(rest[begin + 1 :], flags)
    tokens = join_dice([*tokens, *(token for token in behind if token.assign)])
    behind = [token for token in behind if not token.assign]
    results = None
    if begin < len(rest):
        results = _results(rest[begin], behind)
        _mark_origin(rest[begin], flags)
    return Lexed(verb, tuple(tokens), flags, results, text, comment)


_MINUS: Final = re.compile(r"(?P<key>(?:[^=]*=)?)[\u2212\u2013](?P<number>\d+)")


def _with_plain_minus(token: Token) -> Token:
    """Returns a number with a typographic minus sign as typed on a keyboard: `-3`, `str=-1`."""
    if not token.bare or token.text.isascii():
        return token
    found = _MINUS.fullmatch(token.text)
    return (
        token
        if found is None
        else Token((Segment(f"{found['key']}-{found['number']}", False),), token.column)
    )


def _verb(token: Token) -> Token:
    if not token.bare:
        raise Unreadable("A quoted word is never a verb: a line begins with what is done.", token.column)
    if _begins_results(token):
        says = "A line begins with a verb; results stand after it: roll NAME STAT = 18, or = total 18."
        raise Unreadable(says, token.column)
    return token


def _begins_results(token: Token) -> bool:
    first = token.segments[0]
    if first.quoted or not first.text.startswith("="):
        return False
    if token.text not in ORIGINS or not token.bare:
        raise Unreadable(f"Put a space after =, as in `= {token.text.lstrip('=')}`.", token.column)
    return True


def _results(begin: Token, words: Sequence[Token]) -> tuple[str, ...]:
    for token in words:
        if not token.bare:
            raise Unreadable("A quoted word is never a result: take the quotes off.", token.column)
        if "=" in token.text:
            raise Unreadable(f"After = stand results only: move {token.text} before it.", token.column)
    faces = tuple(face for token in words for face in token.text.split(",") if face)
    if not faces:
        raise Unreadable(f"Nothing stands after {begin.text}: leave it out, and Retold deals.", begin.column)
    return faces


def _mark_origin(begin: Token, flags: dict[str, Token | None]) -> None:
    if provenance := ORIGINS[begin.text]:
        if "provenance" in flags:
            raise Unreadable(f"{begin.text} says already where these came from.", begin.column)
        flags["provenance"] = Token((Segment(provenance, False),), begin.column)


def _split_flags(
    tokens: Sequence[Token], flags: dict[str, Token | None] | None = None
) -> tuple[list[Token], dict[str, Token | None]]:
    """Separates flags from other tokens: returns the other tokens, and a mapping of flag name to value.

    The value of a flag without value is None. Flags that are not known stay in the mapping, for the verb to
    refuse. `flags` are those found before.
    """
    kept: list[Token] = []
    flags = {} if flags is None else flags
    left = iter(tokens)
    for token in left:
        if not _is_flag(token):
            kept.append(token)
            continue
        name, value = _flag(token)
        if name in flags and not (name in FLAGS and FLAGS[name].repeats):
            raise Unreadable(f"--{name} is here twice.", token.column)
        if takes_value(name) and value is None:
            value = next(left, None)
            if FLAGS[name].ends_line and value is None:
                flags[name] = None
                continue
            if value is None or _is_flag(value):
                wanted = FLAGS[name].written
                raise Unreadable(f"--{name} wants a value after it: {wanted}.", token.column)
        before = flags.get(name)
        flags[name] = (
            value
            if before is None or value is None
            else (Token((*before.segments, Segment("\n", True), *value.segments), before.column))
        )
    return kept, flags


def _is_flag(token: Token) -> bool:
    first = token.segments[0]
    return not first.quoted and FLAG_START.match(first.text) is not None


def _flag(token: Token) -> tuple[str, Token | None]:
    """Returns a flag's name, and its value if the token is `--name=value`, else None."""
    assign = token.assign
    name = (assign.key.text if assign else token.text).removeprefix("--")
    if ":" in name:
        raise Unreadable(f"Put a space after the colon in {token.text}.", token.column)
    if takes_value(name) and assign is not None and assign.op == "=" and assign.value.segments:
        return name, assign.value
    if name in FLAGS and token.bare and assign is None:
        return name, None
    if name in FLAGS:
        wanted = FLAGS[name].written
        raise Unreadable(f"--{name} is not written like this: {token.text}. Write {wanted}.", token.column)
    return name, None if assign is None else assign.value
