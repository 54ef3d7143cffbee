"""Prompts of an import: one question at the terminal, asked until its answer is understood."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final

from retold.cli.output.printing import write_fitted
from retold.importing.verb.answers import AnswersFile
from retold.journal.encodings import UnknownEncodingError, check_encoding, readings
from retold.journal.names import find
from retold.journal.refused import Refused, none_if_refused
from retold.projections.texts import safe
from retold.sources.answers import Answers
from retold.sources.questions import Edit, Question
from retold.sources.sniffing import Reader
from retold.sources.survey import Speaker, Survey

SHORT: Final = 64
"""Characters of a sample line."""


class StoppedError(Exception):
    """Raised if the user ends the questions before the last one."""


class BackError(Exception):
    """Raised if the user asks for the previous question."""


class ReadAgain(Exception):  # noqa: N818 - an answer and no error
    """Raised if an answer changes the reading of the files, which then starts again."""


class Prompts:
    """Asks questions about a survey; each answer is in the file before the next is asked."""

    def __init__(
        self, file: AnswersFile, survey: Survey, read_line: Callable[[], str], *, takes_all: bool
    ) -> None:
        """Prepares the prompts; with `takes_all` every proposal is accepted and printed instead of asked."""
        self.file = file
        self.survey = survey
        self.takes_all = takes_all
        self.number = 0
        """Number of the question that was asked last."""
        self._read_line = read_line

    @property
    def answers(self) -> Answers:
        """Current answers from the file."""
        return self.file.answers

    def set(self, made: Iterable[Edit], question: Question) -> None:
        """Writes the answer of a question."""
        self.file.set(made, question, self.survey.report.family)

    def ask(
        self,
        question: Question,
        lines: Sequence[str],
        proposed: str,
        about: str,
        understood: Callable[[str], Iterable[Edit]],
        *,
        is_written: bool = True,
        as_is: str = "",
        choices: str = "",
        refused: str = "",
    ) -> str:
        """Asks until the answer is understood, writes it, and returns it; Enter alone takes the proposal.

        Without a proposal Enter returns an empty text; `as_is` says in a word what that means. With
        `choices`, which are then in the brackets, Enter alone is not an answer. With `refused`, neither Enter
        nor --yes is: it is the sentence that Refused then has.
        """
        self.number += 1
        if self.takes_all and refused:
            raise Refused(refused)
        if self.takes_all:
            if proposed and is_written:
                self.set(understood(proposed), question)
            say([f"{lines[0]} {proposed or as_is}"])
            return ""
        say(["", f"{self.number}. {lines[0]}", *(f"   {line}" for line in lines[1:])])
        while True:
            sys.stderr.write(f"   [{safe.line(choices or proposed or as_is)}] ")
            sys.stderr.flush()
            typed = self._typed()
            if typed == "?":
                say([f"   {line}" for line in about.splitlines()])
                continue
            if not typed and (choices or refused):
                say([f"   Say {choices}; ? explains."])
                continue
            if not proposed and typed.casefold() in ("", as_is.casefold()):
                return ""
            try:
                made = list(understood(typed or proposed))
                if is_written:
                    self.set(made, question)
            except Refused as refusal:
                say([f"   {sentence}" for sentence in refusal.sentences])
                continue
            return typed or proposed

    def _typed(self) -> str:
        """Reads one answer. Raises StoppedError at the end of the input, BackError for `back`."""
        typed = self._read_line()
        if not typed:
            raise StoppedError
        if typed.strip().casefold() == "back":
            raise BackError
        return typed.strip()


def ask_encoding(error: UnknownEncodingError, read_line: Callable[[], str] | None) -> list[Any]:
    """Asks for a file's encoding, with a sample line in each; returns the answer as an edit, in a list.

    Without `read_line` returns the sentences of a refusal instead.
    """
    found = readings(error.data)
    shown = [f"  {encoding}: {cut(line)}" for encoding, line in found.items()]
    if read_line is None:
        return [f"{error} On the command line: --encoding NAME.", *(line.strip() for line in shown)]
    say(["", str(error), *shown])

    def checked(typed: str) -> str:
        return check_encoding(none_if_refused(partial(one_of, typed, list(found))) or typed)

    return [Edit(("encoding",), _asked("   Which one is right? > ", read_line, checked))]


def ask_format(name: str, readers: Sequence[Reader], read_line: Callable[[], str]) -> Reader:
    """Asks which of several readers is right for a file."""
    known = {one.name: one for one in readers}
    say(["", f"{safe.line(name)} may be:", *(f"  {one.name}: {one.title}" for one in readers)])
    return known[_asked("   Which one is it? > ", read_line, lambda typed: one_of(typed, list(known)))]


def ask_title(proposed: str, read_line: Callable[[], str], checked: Callable[[str], str]) -> str:
    """Asks for the title of a new campaign until `checked` returns it."""
    prompt = f"The new campaign's title? [{safe.line(proposed)}] "
    return _asked(prompt, read_line, lambda typed: checked(typed or proposed))


def _asked(prompt: str, read_line: Callable[[], str], checked: Callable[[str], str]) -> str:
    """Asks until `checked` returns the answer. Raises StoppedError at the end of the input."""
    while True:
        sys.stderr.write(prompt)
        sys.stderr.flush()
        typed = read_line()
        if not typed:
            raise StoppedError
        try:
            return checked(typed.strip())
        except Refused as refusal:
            say([f"   {refusal}"])


def say(lines: Iterable[str]) -> None:
    """Prints lines of any text on standard error, at the terminal's width."""
    write_fitted(lines, sys.stderr)


def cut(text: str) -> str:
    """Beginning of a text, on one line."""
    line = safe.line(" ".join(text.split()))
    return line if len(line) <= SHORT else line[: SHORT - 1] + "…"


def one_of(typed: str, words: Sequence[str]) -> str:
    """Returns the word that `typed` means, abbreviated or not; raises Refused if none or several match."""
    return find(typed, {word: (word,) for word in words})


def size(speaker: Speaker, *, named: bool = True) -> str:
    """Sentence part on a speaker's units and throws, behind the label if `named`."""
    if speaker.whispers:
        many = "once" if speaker.whispers == 1 else f"{speaker.whispers:,} times"
        return f"It never speaks; something hidden was for it, {many}."
    units = f"{speaker.units:,} {'unit' if speaker.units == 1 else 'units'}"
    throws = f", {speaker.throws:,} {'throw' if speaker.throws == 1 else 'throws'}" if speaker.throws else ""
    return f"{safe.line(speaker.label)}, {units}{throws}" if named else f"{units}{throws}."


def sample(speaker: Speaker) -> str:
    """First words of a speaker, behind a colon."""
    return f": {cut(speaker.samples[0])}" if speaker.samples else ""
