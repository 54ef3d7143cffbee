"""Hints for texts told in another person than the table chose: `I run` where it tells in the third."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from retold.journal.options import TENSE, of_the_table, telling_of
from retold.journal.store.events.codec import Envelope, Recorded
from retold.journal.table import Table
from retold.journal.vocabulary.base import GM, Event
from retold.projections.prose import report
from retold.projections.prose.telling import Called, Tag, Telling, in_first_person, unquoted
from retold.projections.reading import Ids, Moment

_TOLD: Final = frozenset({Tag.NARRATION, Tag.DECLARATION, Tag.EDIT})
_IN_TENSE: Final = {"present": ("", "runs", "run"), "past": (", past tense", "ran", "ran")}
_NO_ENVELOPE: Final = Envelope("", 0, "", 1, 1)


def person_hints(table: Table, events: Iterable[Event]) -> list[str]:
    """Returns a hint for each player who tells in another person than the option `telling` says.

    `third person here: Gatto runs…`, and with `tense=past` a reminder of that. Speech is never meant, nor are
    notes and table talk. `table` is the state after the events.
    """
    if not _chosen(table):
        return []
    return list(dict.fromkeys(hint for event in events for hint in _hints(table, event)))


def _chosen(table: Table) -> bool:
    """True if the table, or a player at it, has chosen a person to tell in."""
    everybody = (telling_of(table, person.id) for person in table.everybody())
    return telling_of(table, None) != "free" or any(telling != "free" for telling in everybody)


def _hints(table: Table, event: Event) -> Iterator[str]:
    moment = Moment(Recorded(table.line, table.position, event, _NO_ENVELOPE, None), event, table)
    telling = Telling(moment, Called(table), Ids((), None))
    past, runs, run = _IN_TENSE[of_the_table(table, TENSE)]
    for sentence in report(telling):
        who = None if sentence.speaker in (None, GM) else sentence.speaker
        wanted = telling_of(table, sentence.speaker)
        if sentence.tag not in _TOLD:
            continue
        if wanted == "third" and in_first_person(sentence.text):
            example = f"they {run}" if who is None else f"{telling.who(who)} {runs}"
            yield f"third person{past} here: {example}…"
        elif (
            wanted == "first" and who is not None and _tells_in_third_person(sentence.text, telling.who(who))
        ):
            yield f"first person{past} here: I {run}…"


def _tells_in_third_person(text: str, name: str) -> bool:
    """True if a text begins with this name outside of quotation marks, and nowhere says I."""
    told = unquoted(text).lstrip()
    return told.startswith(name) and not told[len(name) :][:1].isalnum() and not in_first_person(text)
