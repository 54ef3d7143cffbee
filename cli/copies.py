"""Whose copy a file is: as somebody says, as the table has chosen, or as whoever sits there answers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from cli.invocation import Options
from cli.opening import opened
from journal.language.moments import Place
from journal.options import COPIES, of_the_table
from journal.refused import Refused
from journal.store.campaign import Campaign
from journal.store.errors import StoreError
from projections import safe
from projections.plain.ink import owning
from projections.reading import Reading
from retold.scribe import Scribe

GM: Final = "gm"
TABLE: Final = "table"

_ANSWERS: Final = {"g": GM, "gm": GM, "game master": GM, "t": TABLE, "table": TABLE, "": TABLE}


class Copy(NamedTuple):
    """A copy that was made: whose it is, and how many secrets it holds; the table's says no number."""

    viewer: str
    """`gm`, `table`, or a name."""
    secrets: int | None
    whose: str
    """The same in a sentence: `Bo's`."""

    @classmethod
    def of(cls, reading: Reading, secrets: int) -> Copy:
        """The copy of whoever reads, with so many secrets."""
        viewer = reading.viewer
        if viewer.gm:
            return cls(GM, secrets, "The game master's")
        if viewer.person is None:
            return cls(TABLE, None, "The table's")
        name = reading.table.name(viewer.person)
        return cls(name, secrets, owning(name))

    @property
    def sentence(self) -> str:
        """Whose copy it is, for the person who made it."""
        if self.secrets is None:
            return f"{self.whose} copy."
        if not self.secrets:
            return f"{self.whose} copy; nothing in it is secret."
        held = "1 secret" if self.secrets == 1 else f"{self.secrets} secrets"
        them = "it" if self.secrets == 1 else "them"
        leaves = f"; --for table leaves {them} out" if self.viewer == GM else ""
        return f"{self.whose} copy, with {held}{leaves}."

    def say(self) -> None:
        """Says on standard error whose copy it is."""
        sys.stderr.write(f"{safe.line(self.sentence)}\n")

    def to_json(self) -> dict[str, Any]:
        """The same for machines; `secrets` is null in the table's copy."""
        return {"viewer": self.viewer, "secrets": self.secrets}


def viewer_to_send_to(options: Options, campaign: Campaign, place: Place, secrets: Callable[[], int]) -> str:
    """Whose copy a file made to be sent is where nobody says: `gm` or `table`.

    It is as the table has chosen at the head of the line. Else whoever sits at the terminal is asked, if
    there are `secrets` in the game master's copy, and the answer is kept. Without anybody it is the table's.
    """
    chosen = of_the_table(Reading(campaign, place.line).table, COPIES)
    if chosen != COPIES.default:
        return chosen
    if options.yes or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return TABLE
    count = secrets()
    answer = _asked(count) if count else None
    if answer is None:
        return TABLE
    _keep(options, place.line, answer)
    return answer


def _asked(secrets: int) -> str | None:
    """What whoever sits there answers; None where nothing is answered."""
    held = "1 secret is" if secrets == 1 else f"{secrets} secrets are"
    sys.stderr.write(f"{held} in this part, for the game master or for some of the table only.\n")
    while True:
        sys.stderr.write("Whose copy shall it be, the game master's (g) or the table's (t)? [g/T] ")
        sys.stderr.flush()
        typed = sys.stdin.readline()
        if not typed:
            sys.stderr.write("\n")
            return None
        answer = _ANSWERS.get(typed.strip().casefold())
        if answer is not None:
            return answer


def _keep(options: Options, line: int, answer: str) -> None:
    """Records the answer as the table's choice, or says that it could not be kept."""
    chosen = f"option table.{COPIES.key}={answer}"
    try:
        with opened(options, read_only=False) as (campaign, _):
            Scribe(campaign, line).say(chosen)
    except (Refused, StoreError, OSError) as error:
        sys.stderr.write(f"The answer is not kept, and will be asked for again: {safe.line(str(error))}\n")
        return
    other = TABLE if answer == GM else GM
    sys.stderr.write(
        f"Kept for this campaign ({chosen}). For one file: --for {other}. To be asked again:"
        f" option table.{COPIES.key}={COPIES.default}\n"
    )
