"""Several lines typed or pasted at once, lines from a pipe, and the guided tour of the console."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from msgspec import Struct

from retold.cli.console.session import ConsoleSession, LineResult
from retold.cli.invocation import DONE, FAILED
from retold.cli.output.printing import fitted
from retold.journal.games import BUILT_IN, guests
from retold.journal.language.lexing import has_text, lex
from retold.journal.language.naming import Mistyped, check_no_slip
from retold.journal.language.script_lines import ScriptLine, Unplayable, looks_like_continuation, read_script
from retold.journal.language.tokens import Unreadable
from retold.journal.language.verbs import EXPECT, VERBS
from retold.journal.names import Unknown, nearest
from retold.journal.refused import Refused
from retold.journal.systems import SYSTEMS
from retold.projections.texts import safe


class LinesLeft(NamedTuple):
    """Result of the last line carried out, and the text of the lines left over, a refused one first."""

    heard: LineResult
    rest: str = ""


def carry_out(session: ConsoleSession, typed: str) -> LinesLeft:
    """Carries out the lines in `typed` until one is refused; returns the last result and the lines left.

    With several lines, a refusal gives the number of the refused one. A line interrupted after it was
    recorded is not left over. A line typed in place of an answer to a question follows at once, and what was
    asked about is dropped.
    """
    left = _carry_out_lines(session, typed)
    ahead, session.typed_ahead = session.typed_ahead, ""
    if not ahead:
        return left
    sys.stdout.write(f"Not that, then. Next: {safe.line(ahead)}\n")
    return carry_out(session, ahead)


def _carry_out_lines(session: ConsoleSession, typed: str) -> LinesLeft:
    session.offered = ""
    lines, trouble = _lines(typed)
    several = len(lines) + (trouble is not None) > 1
    done = 0
    for line in lines:
        heard = session.hear(line.source, f"line {line.number}: " if several else "")
        if heard is not LineResult.REFUSED:
            done = line.number + len(line.text_lines)
        if heard is not LineResult.DONE:
            return LinesLeft(heard, "" if heard is LineResult.LEFT else _rest(typed, done))
    if trouble is None:
        offered, session.offered = session.offered, ""
        return LinesLeft(LineResult.DONE, offered)
    sentence = f"{f'line {trouble.number}: ' if several else ''}{safe.line(trouble.sentence)}"
    sys.stderr.writelines(f"{line}\n" for line in fitted([sentence], sys.stderr))
    return LinesLeft(LineResult.REFUSED, _rest(typed, done))


def _lines(typed: str) -> tuple[list[ScriptLine], Unplayable | None]:
    """Returns the parsed lines before the first unreadable one, and that line's error; None without error."""
    data = _at_margin(typed).encode("utf-8", "surrogatepass")
    lines: list[ScriptLine] = []
    try:
        lines.extend(read_script(data, "", (*VERBS, *EXPECT)))
    except Unplayable as trouble:
        return lines, trouble
    return lines, None


def _at_margin(typed: str) -> str:
    """Returns the text lines without their common indent, which means nothing at the console."""
    first, *below = textwrap.dedent(typed).split("\n")
    return "\n".join([first.lstrip(), *below])


def _rest(typed: str, done: int) -> str:
    """Returns the typed text lines without the first `done` ones, which are carried out already."""
    return "\n".join(_at_margin(typed).split("\n")[done:]).strip("\n").rstrip()


def read_pipe(session: ConsoleSession, stream: BinaryIO) -> int:
    """Carries out lines from a stream as they arrive; stops at the first refused one.

    Returns the exit code: 1 after a refusal, else 0.
    """
    done = 0
    for number, block in _blocks(stream):
        where = f"line {number}: "
        try:
            lines = list(read_script(block, "", (*VERBS, *EXPECT)))
        except Unplayable as unplayable:
            sys.stderr.write(f"line {number + unplayable.number - 1}: {safe.line(unplayable.sentence)}\n")
            return _stopped(done)
        for line in lines:
            heard = session.hear(line.source, where)
            if heard is LineResult.LEFT:
                return DONE
            if heard is not LineResult.DONE:
                return _stopped(done)
            done += 1
    return DONE


def _stopped(done: int) -> int:
    before = {0: "No line before it", 1: "The line before it"}.get(done, f"The {done} lines before it")
    was = "was" if done <= 1 else "were"
    sys.stderr.write(f"Stopped there. {before} {was} carried out; nothing after it was read.\n")
    return FAILED


def _blocks(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yields blocks of text lines, each with its line number: a line and the indented text below it.

    Only a line that may have a text waits for the next one.
    """
    block, began = b"", 1
    for number, raw in enumerate(stream, 1):
        is_indented = bool(raw[:1].isspace() and raw.strip())
        # A continuation that is not indented is refused, and the block before it with it.
        if block and (
            is_indented or looks_like_continuation(_decoded(block), _decoded(raw), (*VERBS, *EXPECT))
        ):
            block += raw
            continue
        if block:
            yield began, block
        block, began = raw, number
        if not _may_go_on(raw):
            yield began, block
            block = b""
    if block:
        yield began, block


def _decoded(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").rstrip("\r\n")


def _may_go_on(raw: bytes) -> bool:
    try:
        return has_text(raw.decode().strip("\r\n"))
    except (UnicodeDecodeError, Unreadable):
        return True


def ask_plainly(session: ConsoleSession) -> int:
    """Reads and carries out lines at a plain prompt, without toolbar, until end of input; returns 0.

    An empty line says again what could not be recorded.
    """
    session.keeps_lines, rest = True, ""
    while True:
        try:
            typed = _typed("> ")
        except EOFError:
            sys.stdout.write("\n")
            break
        except KeyboardInterrupt:
            sys.stdout.write("\n")
            continue
        try:
            heard, rest = carry_out(session, typed if typed.strip() else rest)
        except KeyboardInterrupt:
            continue
        if rest and heard is LineResult.DONE:
            sys.stdout.writelines(f"{line}\n" for line in fitted([safe.text(rest)], sys.stdout))
        rest = rest if session.kept else ""
        if heard is LineResult.LEFT:
            break
    sys.stdout.writelines(f"{line}\n" for line in fitted(map(safe.line, session.last_words()), sys.stdout))
    return DONE


def _typed(prompt: str) -> str:
    """Reads one typed line; after `narrate Zel:` also its text, up to an empty text line.

    Returns the line with its text indented below. Raises EOFError at end of input.
    """
    lines = [input(prompt)]
    try:
        is_unfinished = lex(lines[0].strip()).text == ""
    except Unreadable:
        is_unfinished = False
    if is_unfinished:
        sys.stdout.write("(an empty line ends it)\n")
    while is_unfinished and (line := input("… ")).strip():
        lines.append(f"    {line.strip()}")
    return "\n".join(lines)


TOURS: Final = Path(__file__).with_name("tours")
AROUND: Final = ("opening", "ending")
FIRST: Final = "d20"
"""The game of a tour that names none."""

ITS_END: Final = "That was an evening. Yours: retold new NAME, then retold play, where ? shows the keys."


class TourStep(NamedTuple):
    """A step of the guided tour: a sentence that explains, and the line to type."""

    about: str
    line: str


class Tour(Struct):
    """The guided tour of the console: its remaining steps, next step first."""

    steps: list[TourStep]
    _told: TourStep | None = None

    @classmethod
    def of(cls, game: str | None) -> Tour:
        """Returns the tour of a game (None: of d20); raises Refused for an unknown game."""
        opening, ending = (_steps(_paper(part)) for part in AROUND)
        through = _through(FIRST if game is None else game)
        return cls([*_unlike(opening, through), *through, *ending])

    def offer(self) -> str:
        """Returns the next step's line; prints its explanation the first time."""
        step = self.steps[0]
        if step is not self._told:
            self._told = step
            about = ("", f"# {safe.line(step.about)}") if step.about else ("",)
            sys.stdout.writelines(f"{line}\n" for line in fitted(about, sys.stdout))
        return step.line

    def take(self, typed: str) -> None:
        """Removes the next step if `typed` is its line."""
        if typed.strip() == self.steps[0].line:
            self.steps.pop(0)


def _through(game: str) -> list[TourStep]:
    """Returns the tour's steps in one game: from our file, else from the file of the game's package.

    A package without such a file gives steps that show its verbs and rules. Raises Refused for an unknown
    game.
    """
    ours = sorted({path.stem for path in TOURS.glob("*.session")} - set(AROUND))
    if game in ours:
        return _steps(_paper(game))
    if game not in SYSTEMS or game in BUILT_IN:
        if trouble := SYSTEMS.trouble(game):
            raise Refused(trouble)
        known = [*ours, *(name for name in SYSTEMS if name not in BUILT_IN)]
        raise Unknown(game, nearest(game, known), f"There is a tour of {', '.join(known)}.")
    guest = guests()[game]
    return _steps(guest.paper("tour.session") or "") or [
        TourStep(
            f"{SYSTEMS[game].title} comes from {guest.distribution}, which brings no tour of it:"
            " this is every line it has. Type any of them here, for nothing is kept.",
            f"systems {game}",
        ),
        *([TourStep("And these are its rules.", f"help {game}")] if guest.paper("rules.md") else ()),
    ]


_GAME_MASTERS: Final = ("Mary", "Jonathan", "Ulrike", "Quentin")
"""Names for the game master in a tour's opening; the first is used that resembles no word of the tour."""


def _unlike(opening: list[TourStep], through: list[TourStep]) -> list[TourStep]:
    """Returns the opening steps with a game master's name unlike any word of the steps `through`.

    Otherwise a word there would be refused as a misspelling of that name.
    """
    words = {word.strip('":,.') for step in through for word in step.line.split()}
    first = _GAME_MASTERS[0]
    name = next((name for name in _GAME_MASTERS if not any(_is_like(word, name) for word in words)), first)
    return [step._replace(line=step.line.replace(first, name)) for step in opening]


def _is_like(word: str, name: str) -> bool:
    try:
        check_no_slip(word, [(name,)])
    except Mistyped:
        return True
    return False


def _paper(part: str) -> str:
    return (TOURS / f"{part}.session").read_text("utf-8")


def _steps(paper: str) -> list[TourStep]:
    """Returns the steps in a tour file: each line, explained by the comment above it, if there is one."""
    steps, about = [], ""
    for line in filter(None, map(str.strip, paper.splitlines())):
        if line.startswith("#"):
            about = line.removeprefix("#").strip()
        else:
            steps.append(TourStep(about, line))
            about = ""
    return steps


def read_out(session: ConsoleSession, tour: Tour) -> int:
    """Carries out a tour without a keyboard, printing each line; returns 1 if one is refused, else 0."""
    while tour.steps:
        line = tour.offer()
        sys.stdout.write(f"> {line}\n")
        if session.hear(line) is not LineResult.DONE:
            return FAILED
        tour.take(line)
    sys.stdout.write(f"\n# {ITS_END}\n")
    return DONE
