"""Outcomes that texts tell: finds the words that a `fix` or a retcon may have made untrue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from retold.journal.system import NAMED_ROLL
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Words, values_of
from retold.projections.reading.ids import POINTING
from retold.projections.reading.line_view import LineView
from retold.projections.reading.sessions import Stretch

_TELLING: Final = (e.Narrated, e.Said)
"""Events that tell what was decided before them."""

_DECIDING_NOTHING: Final = (*_TELLING, e.Declared, e.Noted, e.SaidAside, e.PassagePulled, e.Marked)
"""Events whose texts are words alone; `Declared` is said before anything is decided."""

_NUMBERS: Final = frozenset({"conflict", "about", "narration", "at"})
"""Fields that only say what an event belongs to."""


class Told(NamedTuple):
    """Texts of an act and what they tell: decided events, without dice, cards, texts and positions."""

    texts: tuple[str | None, ...]
    outcome: tuple[object, ...]


def outcomes_told(acts: Iterable[tuple[str, Sequence[Event]]]) -> dict[str, Told]:
    """Returns the outcome that each act with words tells, by act id; `acts` are ids and events, in order.

    A text with a decision tells that one, a narration or speech alone the last one of its conflict, or
    outside conflicts the last of all. The words of a conflict's end tell what was decided before it too: in
    Bruise the last hand says who won.
    """
    told: dict[str, Told] = {}
    last: dict[int | None, tuple[object, ...]] = {}
    for act, events in acts:
        texts = tuple(words.text for words in map(_words, events) if words is not None)
        conflict = next((found for event in events if (found := getattr(event, "conflict", None))), None)
        outcome = tuple(_bare(event) for event in events if not isinstance(event, _DECIDING_NOTHING))
        before = last.get(conflict, ()) if any(isinstance(event, e.ConflictEnded) for event in events) else ()
        if outcome:
            last[conflict] = last[None] = outcome
        if texts and (outcome or any(isinstance(event, _TELLING) for event in events)):
            told[act] = Told(texts, (*before, *last.get(conflict, last.get(None, ()))))
    return told


def changed_since(before: Mapping[str, Told], now: Mapping[str, Told]) -> list[str]:
    """Returns the acts whose texts are as they were while the outcome that they tell is another."""
    return [
        act
        for act, told in now.items()
        if act in before and before[act].texts == told.texts and before[act].outcome != told.outcome
    ]


class Outdated(NamedTuple):
    """What a `fix` or a retcon made doubtful: positions of texts, and numbers of conflicts."""

    texts: frozenset[int] = frozenset()
    """Texts written when another outcome had come about, and not changed since."""
    conflicts: frozenset[int] = frozenset()
    """Conflicts that ended otherwise before."""


def find_outdated(reading: LineView, stretch: Stretch) -> Outdated:
    """Returns what is doubtful in a stretch because its outcome was decided again on a branch.

    Branches are the game master's: nothing is for any other viewer.
    """
    ancestors = [segment.line for segment in reading.campaign.record.lineage(reading.line)[:-1]]
    if not ancestors or not reading.viewer.gm:
        return Outdated()
    before: dict[str, Told] = {}
    ended: dict[str, frozenset[tuple[object, ...]]] = {}
    for line in ancestors:
        parent = reading.on(line)
        after = _beginning(parent, reading, stretch)
        if after is not None:
            acts = _acts(parent, after, None)
            before = {**outcomes_told((act, events) for act, events, _ in acts), **before}
            ended = {**{act: _endings(events) for act, events, _ in acts}, **ended}
    acts = _acts(reading, stretch.after, stretch.upto)
    changed = set(changed_since(before, outcomes_told((act, events) for act, events, _ in acts)))
    texts = (position for act, _, positions in acts if act in changed for position in positions)
    changed_ends = (end for act, events, _ in acts if act in ended for end in ended[act] ^ _endings(events))
    return Outdated(frozenset(texts), frozenset(end[0] for end in changed_ends if isinstance(end[0], int)))


def _endings(events: Sequence[Event]) -> frozenset[tuple[object, ...]]:
    """Returns number, way and winner of each conflict that ends in these events."""
    ends = (event for event in events if isinstance(event, e.ConflictEnded))
    return frozenset((event.conflict, event.how, event.winner) for event in ends)


def _beginning(parent: LineView, reading: LineView, stretch: Stretch) -> int | None:
    """Returns the position on `parent` after which it has the stretch's first session; None if it has not."""
    opened = reading.sessions.opened
    session = next((number for number, at in opened.items() if at > stretch.after), None)
    if session is None:
        return stretch.after
    there = parent.sessions.opened.get(session)
    return None if there is None else there - 1


def _acts(
    reading: LineView, after: int, upto: int | None
) -> list[tuple[str, tuple[Event, ...], tuple[int, ...]]]:
    """Returns the acts in a range of positions, each with its id, events and positions."""

    def parted() -> Iterator[tuple[str, tuple[Event, ...], tuple[int, ...]]]:
        for act, group in groupby(reading.recorded(after, upto), lambda recorded: recorded.envelope.act):
            found = [(one.event, one.position) for one in group if isinstance(one.event, Event)]
            yield act, tuple(event for event, _ in found), tuple(position for _, position in found)

    return list(parted())


def _words(event: Event) -> Words | None:
    words = getattr(event, "text", None)
    return words if isinstance(words, Words) and not NAMED_ROLL.fullmatch(words.text or "") else None


def _bare(event: Event) -> tuple[object, ...]:
    """Returns what was decided in an event: its type and fields, without luck, texts and positions."""
    dropped = {type(event).luck, *_NUMBERS, *POINTING.get(type(event), ())}
    values = {key: value for key, value in values_of(event).items() if key not in dropped}
    return type(event), {key: value for key, value in values.items() if not isinstance(value, Words)}
