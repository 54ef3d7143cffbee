"""Splits a script's bytes into commands: a line each, with the indented text lines that continue it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from msgspec import Struct, field

from retold.journal.language.lexing import has_text, is_blank, lex
from retold.journal.language.tokens import Unreadable, refuse_control_characters

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Unplayable(Unreadable):
    """Syntax error in a script, with file name and line number.

    `number` and `column` count from 1; `str()` gives `FILE:LINE: sentence`.
    """

    def __init__(self, unreadable: Unreadable, name: str, number: int) -> None:
        super().__init__(unreadable.sentence, unreadable.column)
        self.name = name
        self.number = number

    def __str__(self) -> str:
        return f"{self.name}:{self.number}: {self.sentence}"


class ScriptWarning(NamedTuple):
    """Warning about a line of a script: its number, from 1, and a sentence."""

    number: int
    sentence: str


class ScriptLine(Struct, frozen=True):
    """Command of a script: its first line, and the indented lines that continue its text.

    `number` is the first line's number, from 1.
    """

    number: int
    line: str
    text_lines: tuple[str, ...] = ()
    warnings: tuple[ScriptWarning, ...] = ()

    @property
    def source(self) -> str:
        """The whole command, its lines joined by line feeds, as `lex` accepts it."""
        return "\n".join((self.line, *self.text_lines))


class _OpenCommand(Struct):
    """Command of a script whose indented text lines are still being read."""

    number: int
    line: str
    text_lines: list[str] = field(default_factory=list)
    warnings: list[ScriptWarning] = field(default_factory=list)

    def whole(self) -> ScriptLine:
        """Returns the finished command as an immutable `ScriptLine`."""
        return ScriptLine(self.number, self.line, tuple(self.text_lines), tuple(self.warnings))


def read_script(data: bytes, name: str, verbs: Collection[str] = ()) -> Iterator[ScriptLine]:
    """Yields the commands of a script in order, without parsing them; skips blank lines and comments.

    A command gets a warning for an indented text line that begins with one of `verbs` and parses as a
    command. Raises Unplayable at the first line that is not UTF-8, holds a control character, or is indented
    where no text goes on. Every command before that line has been yielded by then, except one that the faulty
    line continues.
    """
    command: _OpenCommand | None = None
    for number, raw in enumerate(data.removeprefix(BYTE_ORDER_MARK).split(b"\n"), 1):
        try:
            line = _decoded(raw.removesuffix(b"\r"))
            goes_on = line[:1].isspace() and not is_blank(line)
            if goes_on:
                command = _with_continuation(command, line, number, verbs)  # the same object
            elif command is not None:
                _check_margin(command, line, verbs)
        except Unreadable as unreadable:
            if command and not raw[:1].isspace() and not isinstance(unreadable, _NotIndented):
                yield command.whole()
            raise Unplayable(unreadable, name, number) from None
        if goes_on:
            continue
        if command:
            yield command.whole()
        command = None if is_blank(line) else _OpenCommand(number, line)
    if command:
        yield command.whole()


class _NotIndented(Unreadable):
    """Syntax error: an unindented line that is probably text of the preceding command."""


def _check_margin(command: _OpenCommand, line: str, verbs: Collection[str]) -> None:
    if looks_like_continuation(command.whole().source, line, verbs):
        raise _NotIndented("Indent this line if it is text of the line above: it begins with no verb.", 1)


def looks_like_continuation(command: str, line: str, verbs: Collection[str]) -> bool:
    """True if an unindented line is probably the text of `command`, which ends in a colon without text."""
    if not verbs or is_blank(line) or line[:1].isspace():
        return False
    try:
        return lex(command).text == "" and not _reads_as_command(line, verbs)
    except Unreadable:
        return False


def _decoded(raw: bytes) -> str:
    try:
        line = raw.decode()
    except UnicodeDecodeError as error:
        column = len(raw[: error.start].decode()) + 1
        sentence = f"Byte 0x{raw[error.start]:02X} in column {column} is not UTF-8: save the script as UTF-8."
        raise Unreadable(sentence, column) from None
    refuse_control_characters(line)
    return line


def _with_continuation(
    command: _OpenCommand | None, line: str, number: int, verbs: Collection[str]
) -> _OpenCommand:
    if command is None or not _may_continue(command):
        sentence = "An indented line goes on with the text above it, and there is none: begin at the margin."
        raise Unreadable(sentence, 1)
    if _reads_as_command(line, verbs):
        verb = lex(line.strip()).verb.text
        sentence = f"This line is text, because it is indented; if {verb} is meant, begin at the margin."
        command.warnings.append(ScriptWarning(number, sentence))
    command.text_lines.append(line)
    return command


def _may_continue(command: _OpenCommand) -> bool:
    # A line that cannot be lexed keeps its continuation, so that its own error is the one reported.
    try:
        return has_text(command.line)
    except Unreadable:
        return True


def _reads_as_command(line: str, verbs: Collection[str]) -> bool:
    try:
        return lex(line.strip()).verb.text in verbs
    except Unreadable:
        return False
