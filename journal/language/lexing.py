"""Lexer of the command language: splits a typed line into verb, tokens, flags, results and free text.

Knows syntax alone: no names, verbs or games.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import force_setattr, replace

from journal.decks.expressions import is_throw
from journal.language.chat_signs import spelled_out
from journal.language.tokens import (
    Assign,
    Segment,
    Token,
    Unreadable,
    is_dice,
    refuse_control_characters,
)
from journal.names import UNKEEPABLE


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
        raise Unreadable(
            'After ." at the beginning stands a string as JSON writes it.', column, row
        ) from None
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

    None if `token` is no number, die or modifier behind a sign that joins it to dice.
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

    `name` without dashes, `about` its description for completion. `field` is the command field that it fills,
    if named differently.
    """

    name: str
    about: str
    takes_value: bool
    field: str = ""
    repeats: bool = False
    """True if the flag may repeat; its values are joined with line feeds."""

    def __post_init__(self) -> None:
        """Sets `field` to the flag's name if no field was given."""
        force_setattr(self, "field", self.field or self.name)


FLAGS: Final[Mapping[str, Flag]] = {
    flag.name: flag
    for flag in (
        Flag("quote", "something said at the table", takes_value=False),
        Flag("veto", "the game master's no", takes_value=False),
        Flag("own", "about your own party", takes_value=False),
        Flag("free", "for nothing", takes_value=False),
        Flag("reroll", "all the dice again", takes_value=False),
        Flag("more", "it helps: 2 more", takes_value=False),
        Flag("less", "they resist with it: 2 less", takes_value=False),
        Flag("interrupt", "before whoever is acting", takes_value=False),
        Flag("extra", "an act that an upgrade gives beside the turn", takes_value=False),
        Flag("gone", "it is there no longer", takes_value=False),
        Flag("done", "it is settled, or gone", takes_value=False),
        Flag("agreed", "they have said yes to it", takes_value=False),
        Flag("dangerous", "everybody's blows cost more for it", takes_value=False),
        Flag("sealed", "face down, until all is revealed at once", takes_value=False),
        Flag("check", "say what would happen, record nothing", takes_value=False),
        Flag("describe", "the text says who it is from now on", takes_value=False),
        Flag("sheet", "with all that is secret of their sheet", takes_value=False),
        Flag("only", "and nothing else of its line", takes_value=False),
        Flag("gm", "for the game master only", takes_value=False),
        Flag("keep", "what happened stands, by a ruling", takes_value=False),
        Flag("drop", "go on without what no longer holds", takes_value=False),
        Flag("ruling", "the answer to what it asks", takes_value=True, repeats=True),
        Flag("for", "the comrade whose hit it is", takes_value=True, field="comrade"),
        Flag("upgrade", "an upgrade of theirs", takes_value=True),
        Flag("against", "the target's skill that opposes", takes_value=True),
        Flag("support", "how many are for it", takes_value=True),
        Flag("oppose", "how many are against it", takes_value=True),
        Flag("person", "every name of somebody", takes_value=True),
        Flag("word", "one of several texts, by its number", takes_value=True),
        Flag("clock", "when a recording has it, as 1:12:09", takes_value=True),
        Flag("date", "the day, as 2026-03-14", takes_value=True),
        Flag("absent", "who is away tonight", takes_value=True),
        Flag("at", "for an earlier moment", takes_value=True),
        Flag("in", "which conflict", takes_value=True),
        Flag("as", "the whole line as it should have been", takes_value=True),
        Flag("to", "only for these people", takes_value=True),
        Flag("by", "who does it", takes_value=True),
        Flag("when", "when it was played, as 2026-03-14T19:42", takes_value=True),
        Flag("provenance", "where results come from", takes_value=True),
    )
}
"""Flags by name, in the order they are written on a line."""


def takes_value(name: str) -> bool:
    """True for a known flag, named without dashes, whose value is the next token: `to` in `--to Jon`."""
    return name in FLAGS and FLAGS[name].takes_value


ORIGINS: Final = {"=": None, "=dealt": "dealt", "=later": "reconstructed"}
"""Signs that begin results, with the `--provenance` they mean; None is the verb's default."""

JOINS = re.compile(r"[-+*/\u00d7÷(,{]\n|\n(?:[-+*/\u00d7÷),}]|k[hl]?\d|d[hl]?\d|ro?\d|[tf]\d|[<>]=?|!)")
"""Where a blank within a dice expression may stand: beside a sign, or before a modifier."""
MOST_PARTS: Final = 6
"""Words before a blank that may belong to the same dice expression."""
BLANKS = re.compile(r"\s+")
TEXT = re.compile(r":(?=\s|\Z)")
STRAIGHT = re.compile(r'"((?:[^"]|"")*)"(?!")')
CURLY = re.compile("\u201c([^\u201d]*)\u201d")
BARE = re.compile(r'(?:[^\s"“”:]|:(?!\s|\Z))+')
FLAG_START = re.compile(r"--[^\W\d_]")
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
                f"After {self.verb.text} {_shown(self.tokens)}a whole line is wanted.", self.verb.column
            )
        return replace(self, verb=_verb(self.tokens[1]), tokens=self.tokens[2:])


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
    head, text, comment = _scan(spelled_out(first))
    if below:
        text = join_continuation(text, below)
    return _assemble(head, text, comment)


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


def has_text(line: str) -> bool:
    """True if the line has a colon that begins a free text; raises Unreadable for a syntax error.

    Indented lines may then continue the text.
    """
    return _scan(spelled_out(line))[1] is not None


def only_quoted_text(line: str) -> str | None:
    """Returns the text of a line that consists of one quoted string, such as `"It rains."`.

    None for other lines, and for a string of blanks alone.
    """
    try:
        refuse_control_characters(line)
        head, text, comment = _scan(line)
    except Unreadable:
        return None
    if text is not None or comment is not None or len(head) != 1 or len(head[0].segments) != 1:
        return None
    return head[0].text if head[0].quoted and head[0].text.strip() else None


def is_blank(line: str) -> bool:
    """True for a line of blanks alone, and for a comment that begins in the first column."""
    return not line.strip() or line.startswith("#")


# --- From characters to tokens ---


def _scan(line: str, column: int = 1) -> tuple[list[Token], str | None, str | None]:
    """Splits one line of text; returns its tokens before the text, the text and the comment (None if absent).

    `column` is the number of the line's first character.
    """
    tokens: list[Token] = []
    place = 0
    while place < len(line):
        if blanks := BLANKS.match(line, place):
            place = blanks.end()
        elif TEXT.match(line, place):
            return tokens, line[place + 1 :].strip(), None
        else:
            token, end = _token(line, place, column)
            if token.bare and token.text == "#" and not TEXT.match(line, end):
                return tokens, None, line[end:].strip()
            tokens.append(token)
            place = end
    return tokens, None, None


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
    """Returns the tokens of one shell argument that stands before the text."""
    if "\n" in word:
        raise Unreadable("Only a text may hold several lines.", column + word.index("\n"))
    if word.endswith(":"):
        raise Unreadable(f"One colon too many after {word.rstrip(':')}.", column + len(word))
    if '"' in word or (word and not BLANKS.search(word)):
        tokens, text, comment = _scan(word, column)
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
    verb = head[0] if text is not None and _is_only_a_name(head) else _verb(head[0])
    rest = list(head[1:])
    begin = next((place for place, token in enumerate(rest) if _begins_results(token)), len(rest))
    tokens, flags = _split_flags(rest[:begin])
    tokens = join_dice(tokens)
    results = None
    if begin < len(rest):
        results = _results(rest[begin:])
        _mark_origin(rest[begin], flags)
    return Lexed(verb, tuple(tokens), flags, results, text, comment)


def _is_only_a_name(head: Sequence[Token]) -> bool:
    """True if `head` is a quoted word, alone or before flags: `"Captain Thoss": Halt!`."""
    return head[0].quoted and (len(head) == 1 or _is_flag(head[1]))


def _verb(token: Token) -> Token:
    if not token.bare:
        raise Unreadable("A quoted word is never a verb: a line begins with what is done.", token.column)
    if _begins_results(token):
        raise Unreadable("A line begins with a verb; results stand after it.", token.column)
    return token


def _begins_results(token: Token) -> bool:
    first = token.segments[0]
    if first.quoted or not first.text.startswith("="):
        return False
    if token.text not in ORIGINS or not token.bare:
        raise Unreadable(f"Put a space after =, as in `= {token.text.lstrip('=')}`.", token.column)
    return True


def _results(tokens: Sequence[Token]) -> tuple[str, ...]:
    begin, *words = tokens
    for token in words:
        _refuse_no_result(token)
    faces = tuple(face for token in words for face in token.text.split(",") if face)
    if not faces:
        raise Unreadable(f"Nothing stands after {begin.text}: leave it out, and Retold deals.", begin.column)
    return faces


def _refuse_no_result(token: Token) -> None:
    if not token.bare:
        raise Unreadable("A quoted word is never a result: take the quotes off.", token.column)
    if FLAG_START.match(token.text):
        raise Unreadable(f"A flag stands before the =: move {token.text} there.", token.column)
    if "=" in token.text:
        raise Unreadable(f"After = stand results only: move {token.text} before it.", token.column)


def _mark_origin(begin: Token, flags: dict[str, Token | None]) -> None:
    if provenance := ORIGINS[begin.text]:
        if "provenance" in flags:
            raise Unreadable(f"{begin.text} says already where these came from.", begin.column)
        flags["provenance"] = Token((Segment(provenance, False),), begin.column)


def _split_flags(tokens: Sequence[Token]) -> tuple[list[Token], dict[str, Token | None]]:
    """Separates flags from other tokens: returns the other tokens, and a mapping of flag name to value.

    The value of a flag without value is None.
    """
    kept: list[Token] = []
    flags: dict[str, Token | None] = {}
    left = iter(tokens)
    for token in left:
        if not _is_flag(token):
            kept.append(token)
            continue
        name, value = _flag(token)
        if name in flags and not FLAGS[name].repeats:
            raise Unreadable(f"--{name} stands here twice.", token.column)
        if takes_value(name) and value is None:
            value = next(left, None)
            if value is None or _is_flag(value):
                raise Unreadable(f"--{name} wants a value after it.", token.column)
        before = flags.get(name)
        flags[name] = value if before is None or value is None else _join_values(before, value)
    return kept, flags


def _join_values(before: Token, value: Token) -> Token:
    return Token((*before.segments, Segment("\n", True), *value.segments), before.column)


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
        raise Unreadable(f"--{name} is not written like this: {token.text}.", token.column)
    known = " ".join(f"--{flag}" for flag in sorted(FLAGS))
    raise Unreadable(f"There is no flag --{name}. There are: {known}.", token.column)


def _shown(tokens: Sequence[Token]) -> str:
    return "".join(f"{token.text} " for token in tokens)
