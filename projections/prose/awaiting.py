"""Outcomes (such as a won check) that wait for a narration; the untold view: outcomes without a narration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from msgspec import Struct, field

from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event
from retold.projections.prose import announces, due_of, ends_turn, narrates, report
from retold.projections.prose.telling import Called, Due, Tag, Telling
from retold.projections.reading import LateAdditions, LineView, Projection
from retold.projections.reading.ids import readable
from retold.projections.views.naming import Who, conflict_title, who
from retold.projections.views.sheet import NOBODY, Row, Seen


class Waiting(Struct, eq=False):
    """Outcome (such as a won check) of the event at position `at`, which waits for a narration.

    `left` lists people who may narrate it, `told` people who did; with `each`, all in `left` should.
    """

    at: int
    act: str
    conflict: int | None
    left: list[int]
    each: bool
    owed: bool = True
    tells_for: Mapping[int, int] = field(default_factory=dict)
    in_deed: bool = False
    lasts: bool = False
    in_parts: bool = False
    told: list[int] = field(default_factory=list)

    @property
    def gives_way(self) -> bool:
        """True if a narration replaces Retold's own sentence on this outcome."""
        return bool(self.told) and not self.lasts

    @property
    def untold(self) -> bool:
        """True while a required narration of this outcome is missing."""
        return self.owed and (bool(self.left) if self.each else not self.told)

    def knows(self, who: int) -> bool:
        """True if `who`, or the person they narrate for, may narrate this outcome or has done so."""
        who = self.tells_for.get(who, who)
        return who in self.left or who in self.told

    def hears(self, who: int) -> bool:
        """Marks this outcome as narrated by `who`; returns False if `who` may not narrate it."""
        if not self.knows(who):
            return False
        who = self.tells_for.get(who, who)
        if who in self.left:
            self.left.remove(who)
            self.told.append(who)
        return True


class Awaited(Struct):
    """Reads a branch's events in order, and finds which outcome (such as a won check) each narration tells.

    Narrations added later are included.
    """

    additions: LateAdditions
    open: list[Waiting] = field(default_factory=list)
    """Outcomes that further play may narrate."""
    told_later: dict[str, list[int]] = field(default_factory=dict)
    """Narrators of an act in late words, by act."""
    announced: set[tuple[int | None, int]] = field(default_factory=set)
    """Conflict and person of announced intents."""
    act: str | None = None
    before: str | None = None
    """The act before `act`, the current one."""

    def hear(self, telling: Telling) -> tuple[Waiting | None, tuple[Waiting, ...]]:
        """Processes an event.

        Returns its outcome (None without one) and earlier outcomes that it narrates.
        """
        moment = telling.moment
        event, act = moment.event, moment.envelope.act
        if act != self.act:
            self.before, self.act = self.act, act
        narrated = self._later(moment.position, act) if self.additions.words else []
        if isinstance(event, e.Narrated) and event.about is None:
            narrated += self._now(event.who, event.conflict, moment.position)
        elif narrates(type(event)) and getattr(event, "text", None) is not None:
            narrated += self._in_deed(getattr(event, "conflict", None))
        self._hear_announced(event)
        if isinstance(event, e.SessionOpened):  # its narration is not about earlier outcomes
            self.open = [waiting for waiting in self.open if waiting.conflict is not None]
        if isinstance(event, e.SceneSet):  # nor is that of a scene, which only owed outcomes wait for
            self.open = [waiting for waiting in self.open if waiting.conflict is not None or waiting.owed]
        if ends_turn(type(event)):
            narrated += self._close(event)
        who_tells = due_of(type(event))
        if who_tells is None:
            return None, tuple(narrated)
        due = who_tells(event, telling)
        conflict = getattr(event, "conflict", None)
        waiting = Waiting(
            moment.position,
            act,
            conflict,
            list(due.tellers),
            due.each,
            due.owed,
            due.tells_for,
            due.in_deed,
            due.lasts,
            due.in_parts,
        )
        for speaker in (*self._announcers(due, conflict), *self.told_later.get(act, ())):
            waiting.hears(speaker)
        self.open.append(waiting)
        return waiting, tuple(narrated)

    def _close(self, event: Event) -> list[Waiting]:
        """Closes what the end of a turn or a conflict leaves open; returns what words typed with it tell.

        Lasting outcomes wait until their conflict ends.
        """
        conflict = getattr(event, "conflict", None)
        is_over = isinstance(event, e.ConflictEnded)
        here = [waiting for waiting in self.open if waiting.conflict == conflict]
        kept = [waiting for waiting in here if waiting.lasts and not is_over]
        self.open = [*(waiting for waiting in self.open if waiting.conflict != conflict), *kept]
        if not isinstance(event, e.ConflictEnded) or event.text is None:
            return []
        return [waiting for waiting in here if waiting.owed and waiting.hears(GM)]

    def waits(self) -> frozenset[int]:
        """Returns positions of outcomes that a later narration may still tell."""
        return frozenset(waiting.at for waiting in self.open)

    def _hear_announced(self, event: Event) -> None:
        if not announces(type(event)):
            return
        who: int | None = getattr(event, "who", None)
        if who is not None:
            intent = getattr(event, "conflict", None), who
            (self.announced.discard if getattr(event, "text", None) is None else self.announced.add)(intent)

    def _announcers(self, due: Due, conflict: int | None) -> tuple[int, ...]:
        """Returns the person whose announced intent already told the outcome, in a tuple; empty if none."""
        who = due.announced_by
        return () if who is None or (conflict, who) not in self.announced else (who,)

    def _now(self, who: int, conflict: int | None, position: int) -> list[Waiting]:
        """Returns outcomes that a narration by `who` at `position` tells, and marks them.

        These are required ones of the conflict, and optional ones of the latest act (command) only.
        """
        if self.additions.struck(position):
            return []
        came = [waiting for waiting in self.open if waiting.conflict == conflict]
        latest = next(
            (waiting.act for waiting in reversed(came) if not waiting.owed and waiting.knows(who)), None
        )
        return [waiting for waiting in came if (waiting.owed or waiting.act == latest) and waiting.hears(who)]

    def _in_deed(self, conflict: int | None) -> list[Waiting]:
        """Returns the previous act's outcome, marked as told, if the text of the next act may narrate it.

        Empty unless that act had exactly one outcome, in the same conflict.
        """
        came = [waiting for waiting in self.open if waiting.act == self.before]
        if len(came) != 1 or not came[0].in_deed or came[0].conflict != conflict:
            return []
        return [waiting for waiting in came if waiting.hears(GM)]

    def _later(self, position: int, act: str) -> list[Waiting]:
        """Returns outcomes of `act` told by narrations added later about `position`, and marks them."""
        narrations = [
            recorded.event.who
            for recorded in self.additions.words.get(position, ())
            if isinstance(recorded.event, e.Narrated) and not self.additions.struck(recorded.position)
        ]
        if not narrations:
            return []
        self.told_later.setdefault(act, []).extend(narrations)
        return [
            waiting for waiting in self.open if waiting.act == act for who in narrations if waiting.hears(who)
        ]


class UntoldSpot(NamedTuple):
    """An outcome whose required narration is missing; `at` is its event's id.

    `position` is null for viewers other than the game master; `who` lists people who may narrate it.
    """

    at: str
    position: int | None
    conflict: int | None
    title: str
    what: str
    who: tuple[Who, ...]

    def row(self) -> Row:
        """Returns this outcome as a table row."""
        narrators = ", ".join(person.name for person in self.who) or NOBODY
        at = readable(self.at) or NOBODY
        return Row((self.at,), (at, self.title, self.what, narrators))


class Untold(Seen, frozen=True):
    """Answer of the untold view: outcomes without a narration.

    JSON: `{"spots": [{"at", "position", "conflict", "title", "what", "who": [{"id", "name"}]}]}`.
    """

    view = "untold"
    title = "Untold"
    columns = ("At", "Conflict", "What came out", "Who tells it")
    spots: tuple[UntoldSpot, ...]

    def notes(self) -> Iterator[str]:
        """Yields a note below the table that says how to narrate an outcome; nothing if there is none."""
        if self.spots:
            yield "Tell one with: narrate NAME --at POSITION: what happened."


class _Kept(NamedTuple):
    """An outcome without a narration; `past` is True if further play can no longer narrate it."""

    waiting: Waiting
    spot: UntoldSpot
    past: bool


class _Found(Struct):
    """Outcomes without a narration, with announced intents and late narrations that may yet match one."""

    spots: list[_Kept] = field(default_factory=list)
    announced: set[tuple[int | None, int]] = field(default_factory=set)
    told_later: dict[str, list[int]] = field(default_factory=dict)


def untold_of(reading: LineView) -> Untold:
    """Returns outcomes without a narration, up to the position of `reading` and visible to its viewer."""
    return Untold(
        tuple(
            spot._replace(who=tuple(who(reading.table, person) for person in waiting.left))
            for waiting, spot, _ in FOUND.of(reading).spots
        )
    )


def _hear(found: _Found, reading: LineView, after: int) -> None:
    waiting_still = [kept.waiting for kept in found.spots if not kept.past]
    additions = reading.late_additions_since(after)
    outcomes = Awaited(additions, open=waiting_still, announced=found.announced, told_later=found.told_later)
    spots = [(kept.waiting, kept.spot) for kept in found.spots]
    for moment in reading.moments(after):
        telling = Telling(moment, Called(moment.table), reading.ids)
        waiting, _ = outcomes.hear(telling)
        if waiting is not None:
            spots.append((waiting, untold_spot(telling, waiting)))
    open_ = {id(awaited) for awaited in outcomes.open}
    found.spots = [
        _Kept(outcome, about, id(outcome) not in open_) for outcome, about in spots if outcome.untold
    ]
    last = reading.past.row(reading.position)
    found.told_later = {act: who for act, who in outcomes.told_later.items() if last and act in last.body}


def _holds(reading: LineView, position: int) -> bool:
    """False if a text or an overruling, recorded past `position`, concerns an event up to it."""
    additions = reading.late_additions_since(position)
    return all(about > position for about in (*additions.words, *additions.overruled))


FOUND: Final = Projection("untold", _Found, _hear, _holds)


def untold_spot(telling: Telling, waiting: Waiting) -> UntoldSpot:
    """Returns an outcome as an entry of the untold view, with an empty list of narrators."""
    table = telling.moment.table
    conflict = table.conflicts.get(waiting.conflict or 0)
    sentences = tuple(report(telling))
    generated = " ".join(sentence.text for sentence in sentences if sentence.tag is Tag.GENERATED)
    return UntoldSpot(
        telling.ids.at(waiting.at),
        None if telling.ids.key else waiting.at,
        waiting.conflict,
        conflict_title(conflict, table) if conflict else "",
        generated or " ".join(sentence.text for sentence in sentences),
        (),
    )
