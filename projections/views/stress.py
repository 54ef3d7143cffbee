"""Stress view: people's stress tracks, consequences, and aspects in play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from retold.journal.capabilities import HasAspects, InPlay, Picture
from retold.journal.guarding import answer_of
from retold.journal.table import Table
from retold.projections.views.naming import Who, fallen_by_conflict, who, who_if_any
from retold.projections.views.rows import of_people
from retold.projections.views.sheet import NOBODY, Row, Seen

MOST_BOXES: Final = 12
"""Maximum number of boxes drawn; more are given as numbers."""

WIDEST: Final = 40
"""Maximum width of boxes in columns, drawn or as numbers."""


class TrackSeen(NamedTuple):
    """A person's stress track: numbers of its marked boxes, and its threshold (highest markable box).

    `own` is the value a raised threshold falls back to, and `by` the person who defends it, if any.
    """

    system: str
    who: Who
    track: str
    marked: tuple[int, ...]
    threshold: int
    own: int
    by: Who | None

    def stands(self) -> str:
        """Returns the track as text: `[x][ ][ ][ ] (own 2, Jade defends)`."""
        drawn = boxes(self.marked, self.threshold)
        return drawn if self.by is None else f"{drawn} (own {self.own}, {self.by.name} defends)"


class ConsequenceSeen(NamedTuple):
    """A slot for a consequence: the shifts (points of harm) it absorbs, and its aspect (null while empty)."""

    who: Who
    severity: str
    worth: int
    aspect: str | None


class AspectSeen(NamedTuple):
    """An aspect on a person or a named thing; `free` is its number of free invokes.

    `holder` owns the free invokes (null: all may use them); `boxes` and `marked` are boxes it has, if any.
    """

    id: int
    on: Who | str
    wording: str
    lasting: bool
    free: int
    holder: Who | None
    boxes: int
    marked: tuple[int, ...]

    def stands(self) -> str:
        """Returns the aspect's state as text: `for now · 2 free for Jade · [x][ ]`."""
        parts = ["lasting" if self.lasting else "for now"]
        if self.free:
            parts.append(f"{self.free} free" + (f" for {self.holder.name}" if self.holder else ""))
        if self.boxes:
            parts.append(boxes(self.marked, self.boxes))
        return " · ".join(parts)


class Stress(Seen, frozen=True):
    """Answer of the stress view.

    JSON: `{"tracks": [{"system", …}], "consequences": [{"who", …}], "aspects": [{"id", "on", …}]}`.
    """

    view = "stress"
    title = "Stress"
    columns = ("Who", "What", "Now")
    tracks: tuple[TrackSeen, ...]
    consequences: tuple[ConsequenceSeen, ...]
    aspects: tuple[AspectSeen, ...]
    out: tuple[Who, ...]

    def rows(self) -> list[Row]:
        """Returns rows of tracks, consequences, aspects and people taken out, by person or thing."""
        rows = [_row(track.who.name, track.track, track.stands()) for track in self.tracks]
        rows += (*_slot_rows(self.consequences), *_aspect_rows(self.aspects))
        rows += [_row(person.name, "in the conflict", "taken out") for person in self.out]
        whose = list(dict.fromkeys(row.key[0] for row in rows))
        return sorted(rows, key=lambda row: whose.index(row.key[0]))


def _slot_rows(slots: Iterable[ConsequenceSeen]) -> Iterator[Row]:
    """Yields table rows of consequence slots; a person's second equal slot is labelled `#2`, and so on."""
    known: dict[str, int] = {}
    for slot in slots:
        label = f"{slot.severity} consequence ({slot.worth})"
        known[slot.who.name + label] = number = known.get(slot.who.name + label, 0) + 1
        yield _row(slot.who.name, label if number == 1 else f"{label} #{number}", slot.aspect or NOBODY)


def _aspect_rows(aspects: Sequence[AspectSeen]) -> Iterator[Row]:
    """Yields rows of aspects; a wording that occurs again on one person gets the aspect's id in brackets."""
    known: set[tuple[str, str]] = set()
    for aspect in aspects:
        on = aspect.on if isinstance(aspect.on, str) else aspect.on.name
        label = f"“{aspect.wording}”"
        if (on, label) in known:
            label = f"{label} ({aspect.id})"
        known.add((on, label))
        yield _row(on, label, aspect.stands())


def _row(who_: str, what: str, now: str) -> Row:
    return Row.keyed((who_, what), now)


def boxes(marked: Sequence[int], threshold: int) -> str:
    """Returns boxes as text: `[x][ ][ ]`, with a stroke `|` before those above the threshold.

    With more than `MOST_BOXES`, or none, the marked numbers: `1-3, 7 of 30`; if that is wider than `WIDEST`,
    their count and the highest.
    """
    highest = max(threshold, *marked, 0)
    if not 0 < highest <= MOST_BOXES:
        numbers = f"{_runs(marked)} of {threshold}"
        return (
            numbers if len(numbers) <= WIDEST else f"{len(marked)} marked up to {max(marked)} of {threshold}"
        )
    drawn = ["[x]" if number in marked else "[ ]" for number in range(1, highest + 1)]
    above = "".join(drawn[threshold:])
    return "".join(drawn[:threshold]) + (f"|{above}" if above else "")


def _runs(marked: Sequence[int]) -> str:
    """Returns numbers as text, consecutive ones joined: `1-3, 7`; `none` without any."""
    runs: list[list[int]] = []
    for number in sorted(marked):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs) or "none"


def of(table: Table) -> Stress:
    """Returns people's stress, consequences, aspects and people taken out at this table."""
    return Stress(
        tuple(
            TrackSeen(
                system, whose, row.what, row.marked, row.most or 0, row.own or 0, who_if_any(table, row.by)
            )
            for system, whose, row in of_people(table, Picture.STRESS)
        ),
        tuple(
            ConsequenceSeen(whose, row.what, row.value, row.words[0] if row.words else None)
            for _, whose, row in of_people(table, Picture.SLOT)
        ),
        tuple(
            _aspect(table, aspect)
            for system, shelf in table.shelves.items()
            if isinstance(shelf, HasAspects)
            for aspect in answer_of(system, shelf.aspects_in_play, (), each=InPlay)
        ),
        tuple(dict.fromkeys(who(table, person) for fallen in fallen_by_conflict(table) for person in fallen)),
    )


def _aspect(table: Table, aspect: InPlay) -> AspectSeen:
    on = aspect.on if isinstance(aspect.on, str) else who(table, aspect.on)
    holder = who_if_any(table, aspect.holder)
    return AspectSeen(
        aspect.id, on, aspect.wording, aspect.lasting, aspect.free, holder, aspect.boxes, aspect.marked
    )
