"""Whoever sits at the terminal: asked before something is done, and the scribe who writes for them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Final

from cli import inbox
from cli.console.history import forget
from cli.invocation import Options
from cli.opening import line_meant
from cli.settings import Settings
from journal.given import read_given
from journal.refused import Refused
from journal.store.campaign import Campaign
from journal.store.copies import holds
from projections import safe
from retold.outcome import Forgotten
from retold.scribe import Ask, Consult, Scribe

LARGEST: Final = 1_000_000
"""Bytes of a file that a line may name."""


def asker(options: Options, before: str = "the verb") -> Ask:
    """Asks the last line of a question, after showing the others; Refused where there is nobody to ask.

    With --yes, which stands before `before`, the answer is yes; what it is about is shown all the same.
    """

    def ask(question: str) -> bool:
        *about, asked = question.splitlines()
        sys.stderr.writelines(f"{safe.line(line)}\n" for line in about)
        if options.yes:
            return True
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


def scribe_for(options: Options, campaign: Campaign, settings: Settings, before: str = "the verb") -> Scribe:
    """The scribe of whoever sits there: asks them, and keeps what they choose; `before` as in `asker`."""
    return Scribe(
        campaign,
        line_meant(campaign, settings, options),
        today=campaign.clock.today(),
        ask=asker(options, before),
        consult=consulter(options),
        attended=attended(options),
        chose=partial(settings.choose_line, campaign.id),
        read_file=read_file,
        forget=partial(forgotten, settings),
    )


def read_file(name: str) -> bytes:
    """What stands in a file that a line names; Refused with why where it cannot be read, or is too large."""
    try:
        data = read_given(Path(name).expanduser(), LARGEST + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Refused(f"{safe.line(name)} cannot be read: {why}.") from None
    if len(data) > LARGEST:
        raise Refused(f"{safe.line(name)} is larger than {LARGEST:,} bytes: that is no file for a line.")
    return data


def forgotten(settings: Settings, texts: Iterable[str], names: Iterable[str]) -> Forgotten:
    """Takes texts out of the console's history, out of what was handed in, and names off links.

    Says how many lines went, or that they could not be changed.
    """
    from cli.service import links

    texts, names = tuple(texts), tuple(names)
    try:
        inbox.forget(settings.state, texts, names)
        links.forget(settings.state, lambda called: any(holds(called, one) for one in (*texts, *names)))
        return Forgotten(forget(settings.history(), texts, names))
    except OSError:
        return Forgotten(left=(settings.history(),))
