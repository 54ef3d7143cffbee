"""What came of an act, said to the person who asked."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, TextIO

from journal.vocabulary.events import Redone, Undone
from projections import safe

if TYPE_CHECKING:
    from retold.outcome import Outcome
    from retold.scribe import Scribe


def tell(scribe: Scribe, outcome: Outcome, *, out: TextIO) -> None:
    """Prints what was said, and each event in notation; what `undo` has said is not said twice."""
    out.writelines(f"{safe.text(sentence)}\n" for sentence in outcome.said)
    but = (Undone, Redone) if outcome.said else ()
    out.writelines(f"{line}\n" for line in outcome.notation(scribe.table, but=but))
    if outcome.would:
        out.write("(Checked; nothing was recorded.)\n")


def say_json(value: object) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(safe.in_json(json.dumps(value, ensure_ascii=False, indent=2)) + "\n")
