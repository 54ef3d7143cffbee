"""What came of an act, said to the person who asked."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, TextIO

from journal.line import Live
from journal.vocabulary.events import Redone, Undone
from projections import safe
from projections.plain.lives import notation

if TYPE_CHECKING:
    from retold.outcome import Outcome
    from retold.scribe import Scribe


def tell(scribe: Scribe, outcome: Outcome, *, out: TextIO) -> None:
    """Prints what was said, and each event in notation; what `undo` has said is not said twice."""
    out.writelines(f"{safe.text(sentence)}\n" for sentence in outcome.said)
    lives = outcome.done.lives if outcome.done else tuple(Live(0, event) for event in outcome.would)
    lives = tuple(live for live in lives if not (outcome.said and isinstance(live.event, Undone | Redone)))
    out.writelines(f"{line}\n" for line in notation(scribe.table, lives))
    if outcome.would:
        out.write("(Checked; nothing was recorded.)\n")


def say_json(value: object) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(safe.in_json(json.dumps(value, ensure_ascii=False, indent=2)) + "\n")
