"""Revealing by name, asking before somebody secret acts, and proof that a revealed roll is the sealed one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from journal.hiding import ActsInSecret, came_up, owner_of_sheet
from journal.language.moments import reads_as_moment
from journal.names import fold, nearest
from journal.refused import Refused
from journal.store.acts import Manner
from journal.store.codec import commitment, decode_event, salt_of
from journal.store.reveal import reveal
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

if TYPE_CHECKING:
    from retold.scribe import Scribe


def position_of(scribe: Scribe, typed: str) -> int:
    """The position of a moment, or of what is secret of that name: somebody, a clock, a thread.

    Refused where there is neither.
    """
    try:
        return scribe.act_at(typed)
    except Refused as no_moment:
        if reads_as_moment(typed):
            raise
        named: dict[str, tuple[str, int]] = {}
        for name, position in _secrets(scribe):
            named.setdefault(fold(name), (name, position))
        if (found := named.get(fold(typed))) is not None:
            return found[1]
        matter = scribe.table.matter_called(typed)
        if matter is not None:
            return matter.opened
        if close := nearest(typed, [name for name, _ in named.values()]):
            raise Refused(f"Nothing secret is called {typed}. Did you mean {' or '.join(close)}?") from None
        raise Refused(f"{no_moment} Nothing secret is called so either.") from None


def _secrets(scribe: Scribe) -> Iterator[tuple[str, int]]:
    """What is secret, by name, with the first position at which it is; people before their sheets."""
    table = scribe.table
    for subject, secret in sorted(table.secrets.items(), key=lambda one: owner_of_sheet(one[0]) is not None):
        owner = owner_of_sheet(subject)
        if owner is not None:
            yield table.name(owner), secret.positions[0]
            continue
        row = scribe.campaign.record.row(scribe.line, secret.positions[0])
        event = None if row is None else decode_event(row)[0]
        if isinstance(event, e.CastIntroduced):
            yield table.name(event.person), secret.positions[0]
        elif (name := getattr(event, "name", None)) is not None:
            yield str(name), secret.positions[0]


SHOW: Final = "Show {name} to everybody now? [y/n]"


def shown_first(scribe: Scribe, refusal: ActsInSecret) -> None:
    """Asks whether somebody secret is to be shown before they act, and shows them; Refused for a no."""
    table = scribe.table
    secret = table.secret(refusal.person)
    answer = scribe.consult(f"{refusal} {SHOW.format(name=table.name(refusal.person))}")
    if secret is None or not (answer or "").strip().casefold().startswith("y"):
        raise refusal
    reveal(scribe.writer, secret.positions[0], manner=Manner())


def proofs(scribe: Scribe, at: int) -> Iterator[str]:
    """For each roll behind the screen in an act that is revealed: that it is the one sealed then."""
    act = scribe.writer.act_at(at)
    came = came_up([one.event for one in act.events if isinstance(one.event, Event)])
    for one in act.events:
        if not isinstance(one.event, e.RolledInSecret) or one.event.sealed.text is None:
            continue
        row = scribe.campaign.record.row(one.line, one.position)
        if row is None:
            continue
        (sealed,) = json.loads(row.body)["words"]
        salt, text = salt_of(row, 0), one.event.sealed.text
        if text == came and commitment(salt, text) == sealed:
            yield f"Sealed when it was rolled: “{text}”, salt {salt.hex()}, commitment {sealed}."
        else:
            yield f"What stands here is not what was sealed then: commitment {sealed}. See: verify."
