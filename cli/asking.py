"""Asking the person at the terminal yes or no before something is done."""

from __future__ import annotations

import sys

from cli.dispatch import Options
from cli.scribe import Ask, Consult
from journal.refused import Refused
from projections import safe


def asker(options: Options, before: str = "the verb") -> Ask:
    """Asks the last line of a question, after showing the others; Refused where there is nobody to ask.

    With --yes, which stands before `before`, the answer is yes.
    """

    def ask(question: str) -> bool:
        if options.yes:
            return True
        *about, asked = question.splitlines()
        sys.stderr.writelines(f"{safe.line(line)}\n" for line in about)
        if not sys.stdin.isatty():
            raise Refused(f"{asked} Nothing is changed yet: say --yes before {before} to go on.")
        sys.stderr.write(f"{safe.line(asked)} [y/N] ")
        sys.stderr.flush()
        return sys.stdin.readline().strip().casefold() in ("y", "yes")

    return ask


def consulter(options: Options) -> Consult:
    """Asks for a line after showing what it is about; None with --yes, and where nobody can be asked."""

    def consult(question: str) -> str | None:
        if options.yes or not sys.stdin.isatty():
            return None
        *about, asked = question.splitlines()
        sys.stderr.writelines(f"{safe.line(line)}\n" for line in about)
        sys.stderr.write(f"{safe.line(asked)} ")
        sys.stderr.flush()
        return sys.stdin.readline()

    return consult


def attended(options: Options) -> bool:
    """True where a question finds somebody, or its answer."""
    return options.yes or sys.stdin.isatty()
