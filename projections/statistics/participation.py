"""Participation: words narrated, spoken and declared by each person; and how often aspects were compelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct, field

from retold.journal.grouping import grouped
from retold.journal.names import normalise
from retold.journal.store.events.text_matching import count_words
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Words
from retold.projections.prose import narrates
from retold.projections.reading import Moment
from retold.projections.statistics.results import player_of
from retold.projections.statistics.statistic import Statistic
from retold.projections.views.naming import Who, who
from retold.projections.views.sheet import NOBODY, Bar, Chart, Row, Sheet

_HOW: Final = (
    "Lines, and after the slash their words, as they read now; with moves are the texts that go with what the"
    " game has for a turn. What was struck is left out, and an edit is its author's."
)


class Lines(NamedTuple):
    """Number of texts (`lines`) and number of words."""

    lines: int = 0
    words: int = 0

    def and_also(self, lines: int, words: int) -> Lines:
        """Returns these counts with `lines` texts and `words` words added."""
        return Lines(self.lines + lines, self.words + words)

    def cell(self) -> str:
        """Returns a table cell: `3/120` for 3 texts of 120 words."""
        return f"{self.lines}/{self.words}" if self.lines else NOBODY


class TellerCount(NamedTuple):
    """Texts and words of one person: narrated, spoken, declared, and typed with moves of a game.

    `words` and `share` (0 to 1) count them all; `sessions` holds pairs of session and words.
    """

    who: Who
    player: Who | None
    narrated: Lines
    spoken: Lines
    declared: Lines
    moves: Lines
    words: int
    share: float
    sessions: tuple[tuple[int | None, int], ...]

    def row(self) -> Row:
        """Returns this person's counts as a table row."""
        return Row.keyed(
            (self.who.name,),
            NOBODY if self.player is None else self.player.name,
            *(lines.cell() for lines in (self.narrated, self.spoken, self.declared, self.moves)),
            str(self.words),
            f"{self.share:.0%}",
            ", ".join(f"{'-' if number is None else number}: {many}" for number, many in self.sessions),
        )


class Shares(Statistic, frozen=True):
    """Statistics of telling: each person's words, sorted by their number, most first."""

    tellers: tuple[TellerCount, ...]

    def to_json(self) -> dict[str, Any]:
        """Returns JSON values; each pair in `sessions` becomes `{"session", "words"}`."""
        shown: dict[str, Any] = super().to_json()
        for teller in shown["tellers"]:
            teller["sessions"] = [{"session": number, "words": many} for number, many in teller["sessions"]]
        return shown

    def sheets(self) -> tuple[Sheet, ...]:
        """Returns one table of people; empty if no words were said."""
        ways = ("Narrated", "Spoken", "Declared", "With moves")
        columns = ("Who", "Player", *ways, "Words", "Share", "Words by session")
        return (Sheet.listing("Telling", columns, self.tellers, _HOW),) if self.tellers else ()

    def charts(self) -> tuple[Chart, ...]:
        """Returns one chart of words by person; empty without any."""
        bars = tuple(
            Bar(teller.who.name, teller.words, f"{teller.words} ({teller.share:.0%})")
            for teller in self.tellers
        )
        return (Chart("Telling: words of each", "words", bars),) if bars else ()


class _Sort(NamedTuple):
    """Key of counted texts: person, way of telling (`narrated`, `spoken` …) and session."""

    person: int
    way: str
    session: int | None


class Tellings(Struct):
    """Counts people's texts, event by event; struck narrations are left out."""

    told_by: dict[_Sort, Lines] = field(default_factory=dict)
    sessions: list[tuple[int, int | None]] = field(default_factory=list)
    """Opening position and number of each session."""

    def hear(self, moment: Moment, session: int | None, *, struck: bool) -> None:
        """Counts the event's text unless struck.

        A text about an earlier event counts in that event's session.
        """
        event = moment.event
        if isinstance(event, e.SessionOpened):
            self.sessions.append((moment.position, session))
        if struck:
            return
        text = getattr(event, "text", None)
        teller = _teller_of(event, moment.envelope.by)
        if teller is None or not isinstance(text, Words):
            return
        about = event.about if isinstance(event, e.ToldLater) else None
        told_in = (
            session
            if about is None
            else next((number for at, number in reversed(self.sessions) if at <= about), None)
        )
        sort = _Sort(*teller, told_in)
        self.told_by[sort] = self.told_by.get(sort, Lines()).and_also(1, count_words(text.text or ""))

    def told(self, table: Table, session: int | None = None) -> Shares:
        """Returns texts by person in one session (in all if None); `table` supplies names."""
        told_by = {sort: lines for sort, lines in self.told_by.items() if session in (None, sort.session)}
        everything = sum(lines.words for lines in told_by.values())
        people = grouped((table.whose(sort.person), (sort, lines)) for sort, lines in told_by.items())
        tellers = [_teller(person, own, everything, table) for person, own in people.items()]
        return Shares(tuple(sorted(tellers, key=lambda teller: -teller.words)))


def _teller_of(event: Event, by: int | None) -> tuple[int, str] | None:
    """Returns author and way of telling (`narrated`, `moves` …) of an event's text; None without an author.

    Text about a non-person, such as an arrow, has an author only if the command named one with `by`.
    """
    match event:
        case e.Narrated() | e.Said():
            return event.who, "narrated" if isinstance(event, e.Narrated) else "spoken"
        case e.NarrationOverruled():
            return (event.by, "narrated") if event.how == "edit" else None
        case e.CompelOffered():
            return event.by, "moves"
        case e.SaidAside() | e.PageTextWritten():
            return None
        case _ if narrates(type(event)):
            return None if by is None else (by, "narrated")
        case _:
            who_acts = getattr(event, "who", None)
            way = "declared" if event.kind.endswith(("-declared", ".declared")) else "moves"
            return (who_acts, way) if isinstance(who_acts, int) else None


def _teller(person: int, own: Sequence[tuple[_Sort, Lines]], everything: int, table: Table) -> TellerCount:
    sessions: Counter[int | None] = Counter()
    ways: dict[str, Lines] = {}
    for sort, lines in own:
        sessions[sort.session] += lines.words
        ways[sort.way] = ways.get(sort.way, Lines()).and_also(*lines)
    narrated, spoken, declared, moves = (
        ways.get(way, Lines()) for way in ("narrated", "spoken", "declared", "moves")
    )
    player = player_of(table, person)
    total = sum(lines.words for _, lines in own)
    return TellerCount(
        who(table, person),
        None if player == person else who(table, player),
        narrated,
        spoken,
        declared,
        moves,
        total,
        round(total / everything, 4) if everything else 0.0,
        tuple(sessions.items()),
    )


class Compelled(NamedTuple):
    """Number of times that an aspect of a person was compelled, by answer."""

    who: Who
    aspect: str
    offered: int
    taken: int
    refused: int
    unanswered: int

    def row(self) -> Row:
        """Returns this aspect as a table row."""
        return Row.keyed((self.who.name, self.aspect), *map(str, self[2:]))


class Compelling(Statistic, frozen=True):
    """Statistics of compels: aspects, the most often compelled first."""

    aspects: tuple[Compelled, ...]

    def sheets(self) -> tuple[Sheet, ...]:
        """Returns one table of compelled aspects; empty without any."""
        columns = ("Whose", "Aspect", "Offered", "Taken", "Refused", "Unanswered")
        return (Sheet.listing("Compels", columns, self.aspects),) if self.aspects else ()

    def charts(self) -> tuple[Chart, ...]:
        """Returns one chart of compels by aspect; empty without any."""
        bars = tuple(
            Bar(
                f"{aspect.aspect} ({aspect.who.name})",
                aspect.offered,
                f"{aspect.offered} ({aspect.taken} taken)",
            )
            for aspect in self.aspects
        )
        return (Chart("Compels: how often each aspect", "times", bars),) if bars else ()


class _Aspect(NamedTuple):
    """Key of counted compels: person, aspect in normalised spelling, session."""

    who: int
    folded: str
    session: int | None


class _Offered(Struct):
    """Number of compels of an aspect in one session, by answer, with the aspect's first spelling."""

    aspect: str
    offered: int = 0
    taken: int = 0
    refused: int = 0


class _Open(NamedTuple):
    """Offered compel without an answer yet."""

    conflict: int | None
    about: _Aspect


class Compels(Struct):
    """Counts compels, event by event; an answer goes to the oldest offer that person has not answered."""

    aspects: dict[_Aspect, _Offered] = field(default_factory=dict)
    open: list[_Open] = field(default_factory=list)

    def hear(self, moment: Moment, session: int | None) -> None:
        """Counts the event if it offers, accepts or refuses a compel."""
        event = moment.event
        if isinstance(event, e.CompelOffered):
            about = _Aspect(event.who, normalise(event.aspect), session)
            self.aspects.setdefault(about, _Offered(event.aspect)).offered += 1
            self.open.append(_Open(event.conflict, about))
        elif isinstance(event, e.CompelAccepted | e.CompelRefused):
            asked = (event.conflict, event.who)
            oldest = next((offer for offer in self.open if (offer.conflict, offer.about.who) == asked), None)
            if oldest is not None:
                self.open.remove(oldest)
                offered = self.aspects[oldest.about]
                if isinstance(event, e.CompelAccepted):
                    offered.taken += 1
                else:
                    offered.refused += 1

    def compelled(self, table: Table, session: int | None = None) -> Compelling:
        """Returns compels offered in one session (in any if None); `table` supplies names."""
        aspects = grouped(
            ((about.who, about.folded), offered)
            for about, offered in self.aspects.items()
            if session in (None, about.session)
        )
        found = [_compelled(person, offers, table) for (person, _), offers in aspects.items()]
        return Compelling(tuple(sorted(found, key=lambda aspect: -aspect.offered)))


def _compelled(person: int, offers: Sequence[_Offered], table: Table) -> Compelled:
    offered, taken, refused = (
        sum(getattr(offer, answer) for offer in offers) for answer in ("offered", "taken", "refused")
    )
    return Compelled(who(table, person), offers[0].aspect, offered, taken, refused, offered - taken - refused)
