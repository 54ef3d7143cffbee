"""Searching: the texts of a line that hold certain words, as one viewer may find them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from journal.names import clean, find, fold
from journal.refused import Refused
from journal.store import reading
from journal.store.campaign import Campaign
from journal.store.codec import TABLE, decode_event
from journal.store.index import Hit, Index, Sought
from journal.store.kinds import EVENTS
from journal.store.terms import Stretch, Term, matches, terms
from journal.store.texts import said
from journal.table import Table
from journal.vocabulary import events as e
from projections.replay import Ids, Viewer, viewer_called
from projections.views.asked import Who, who
from projections.views.sheet import NOBODY, Row, Sheet

KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "narration": ("table.narrated",),
    "speech": ("table.said",),
    "note": ("table.noted",),
    "declaration": tuple(kind for kind in EVENTS if kind.endswith(("-declared", ".declared"))),
    "ruling": ("table.ruling-made",),
    "edit": ("table.narration-overruled",),
    "scene": ("table.scene-set", "table.scene-ended"),
    "session": ("table.session-opened", "table.session-closed"),
    "conflict": ("table.conflict-opened", "table.conflict-ended"),
    "concession": tuple(kind for kind in EVENTS if kind.startswith("table.concession-")),
    "compel": tuple(kind for kind in EVENTS if kind.startswith("table.compel-")),
    "name": ("table.cast-introduced", "table.renamed", "table.alias-given", "table.described"),
    "mark": ("table.marked",),
    "branch": ("table.forked",),
    "title": ("table.campaign-named",),
}
"""What a text is, in a word of the table's; a game's own kinds go by their own names."""

_WORDS: Final = {kind: word for word, kinds in KINDS.items() for kind in kinds}
MOST: Final = 100
"""How many words may be looked for at once."""
AROUND: Final = 60
"""How many characters of a text are shown on either side of its first match."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for, and where; `undone` finds what was taken back as well."""

    words: tuple[str, ...]
    who: str | None = None
    kind: str | None = None
    session: int | None = None
    eyes: str = "gm"
    undone: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """A text that was found: `marks` are the stretches of it that match; `counts` is False if undone.

    `position` is None for whoever may not know of gaps; `id` is how anybody points at it. `about` is the
    moment a text belongs to that was told later.
    """

    branch: str
    position: int | None
    id: str
    about: str | None
    session: int | None
    kind: str
    what: str
    who: tuple[Who, ...]
    text: str
    marks: tuple[Stretch, ...]
    counts: bool

    def excerpt(self) -> str:
        """The text around its first match on one line, each match between double stars."""
        first = self.marks[0][0] if self.marks else 0
        last = self.marks[0][1] if self.marks else 0
        start, end = _wordwise(self.text, max(0, first - AROUND), min(len(self.text), last + AROUND))
        shown = [(begin, stop) for begin, stop in self.marks if begin >= start and stop <= end]
        parts = ["…" if start else ""]
        for begin, stop in shown:
            parts += [self.text[start:begin], "**", self.text[begin:stop], "**"]
            start = stop
        parts += [self.text[start:end], "…" if end < len(self.text) else ""]
        return " ".join("".join(parts).split())


def _wordwise(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch without the broken words at its ends, where it has blanks to break at."""
    if start and (blank := text.find(" ", start, start + AROUND // 2)) >= 0:
        start = blank + 1
    if end < len(text) and (blank := text.rfind(" ", end - AROUND // 2, end)) >= 0:
        end = blank
    return start, end


@dataclass(frozen=True, slots=True)
class Found:
    """What was found: how many texts in all, and the last of them in the order they were recorded.

    `within` is True where no word begins as was wanted, and these have it within their words.
    """

    words: tuple[str, ...]
    within: bool
    found: int
    matches: tuple[Match, ...]

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {
            "retold": "search",
            "version": 1,
            "words": list(self.words),
            "within": self.within,
            "found": self.found,
            "matches": [_as_json(one) for one in self.matches],
        }

    def sheet(self, here: str) -> Sheet:
        """A row for each match; those on another branch than `here` say on which they are."""
        rows = tuple(Row((one.id,), _cells(one, here)) for one in self.matches)
        return Sheet("Found", ("At", "Session", "What", "Who", "Words"), rows, tuple(self._notes()))

    def _notes(self) -> Iterator[str]:
        if self.within:
            yield "No word begins so; these have it within a word."
        if len(self.matches) < self.found:
            yield f"The last {len(self.matches)} of {self.found}: -n 0 shows all."


def _cells(one: Match, here: str) -> tuple[str, ...]:
    at = one.id if one.position is None else str(one.position)
    belongs = f" (for {one.about})" if one.about else ""
    return (
        at if one.branch == here else f"{one.branch}@{at}",
        NOBODY if one.session is None else str(one.session),
        f"{one.what}{belongs}",
        ", ".join(person.name for person in one.who) or NOBODY,
        one.excerpt() if one.counts else f"~~{one.excerpt()}~~ (undone)",
    )


def _as_json(one: Match) -> dict[str, Any]:
    return {
        "branch": one.branch,
        "position": one.position,
        "id": one.id,
        "about": one.about,
        "session": one.session,
        "kind": one.kind,
        "what": one.what,
        "who": [person._asdict() for person in one.who],
        "text": one.text,
        "marks": [list(stretch) for stretch in one.marks],
        "counts": one.counts,
    }


def search(
    campaign: Campaign, index: Index, places: Sequence[tuple[int, int]], wanted: Wanted, limit: int | None
) -> Found:
    """What `wanted` finds on these lines, each up to its position; a text they share is found once.

    The index has to have caught up. Refused for a name, a kind or a session there is not, unless it is there
    on another of the lines.
    """
    lines = _lines(campaign, index, places, wanted)
    for parts in (False, True):
        sought = terms(map(clean, wanted.words), parts=parts)
        if not 0 < len(sought) <= MOST:
            raise Refused(f"Give 1 to {MOST} words to look for.")
        hits: dict[int, tuple[_Line, Hit]] = {}
        for line in lines:
            for hit in line.hits(sought):
                hits.setdefault(hit.id, (line, hit))
        if hits:
            latest = sorted(hits, reverse=True)[:limit]
            found = [line.match(hit, sought) for line, hit in map(hits.__getitem__, reversed(latest))]
            within = parts and any(not term.part for term in terms(wanted.words))
            return Found(wanted.words, within, len(hits), tuple(found))
    return Found(wanted.words, within=False, found=0, matches=())


def _lines(
    campaign: Campaign, index: Index, places: Sequence[tuple[int, int]], wanted: Wanted
) -> list[_Line]:
    """The lines to look at: those that know whoever is meant."""
    lines, refusals = [], []
    for line, upto in places:
        try:
            lines.append(_Line.of(campaign, index, line, upto, wanted))
        except Refused as refusal:
            refusals.append(refusal)
    if not lines:
        raise refusals[0]
    return lines


@dataclass(frozen=True)
class _Line:
    """One line at one position, as one viewer may look into it."""

    campaign: Campaign
    index: Index
    line: int
    upto: int
    wanted: Wanted
    table: Table
    viewer: Viewer
    kinds: tuple[str, ...]
    people: tuple[int, ...] | None
    session: tuple[int, int] | None

    @classmethod
    def of(cls, campaign: Campaign, index: Index, line: int, upto: int, wanted: Wanted) -> _Line:
        """The line, with names and sessions looked up in it; Refused for one there is not."""
        table = campaign.table_at(line, upto)
        return cls(
            campaign,
            index,
            line,
            upto,
            wanted,
            table,
            viewer_called(table, wanted.eyes),
            () if wanted.kind is None else _kinds(wanted.kind),
            None if wanted.who is None else _people(table, wanted.who),
            None if wanted.session is None else _within(_sessions(campaign, line, upto), wanted.session),
        )

    @cached_property
    def stands(self) -> reading.Standing:
        """What is undone and reworded here."""
        return reading.standing(self.campaign.file, self.line, self.upto)

    @cached_property
    def reveals(self) -> reading.Reveals:
        """What is revealed here."""
        return reading.reveals(self.campaign.file, self.line, self.upto)

    @cached_property
    def sessions(self) -> Mapping[int, int]:
        """The sessions here."""
        return _sessions(self.campaign, self.line, self.upto)

    @cached_property
    def name(self) -> str:
        """What the line is called."""
        return self.campaign.lines()[self.line]

    @cached_property
    def ids(self) -> Ids:
        """How the viewer points at events here."""
        return Ids.of(self.campaign, self.line, self.viewer)

    def hits(self, sought: Sequence[Term]) -> Iterator[Hit]:
        """What the viewer finds here, the one recorded last first."""
        lineage = self.campaign.file.lineage(self.line)
        asked = Sought(sought, lineage, self.upto, self.kinds, self.people, self.session)
        reworded: set[tuple[int, int]] = set()
        for hit in self.index.hits(asked):
            if (hit.position, hit.place) in reworded or not self._stands(hit) or not self._seen(hit):
                continue
            if hit.position in self.stands.rewordings:
                if not matches(self._text(hit), sought):
                    continue
                reworded.add((hit.position, hit.place))
            yield hit

    def _stands(self, hit: Hit) -> bool:
        return self.wanted.undone or self._counts(hit)

    def _counts(self, hit: Hit) -> bool:
        return self.stands.counts(hit.position) and self.stands.counts(hit.since)

    def _seen(self, hit: Hit) -> bool:
        if self.viewer.gm or hit.see == TABLE:
            return True
        if isinstance(hit.see, tuple) and self.viewer.among(hit.see):
            return True
        to = self.reveals.get(hit.position, frozenset())
        return to is None or self.viewer.among(tuple(to))

    def _text(self, hit: Hit) -> str:
        row = self.campaign.file.row(self.line, hit.position)
        texts = said(row, self.stands.rewordings.get(hit.position)) if row is not None else ()
        return next((one.text for one in texts if one.place == hit.place), "")

    def match(self, hit: Hit, sought: Sequence[Term]) -> Match:
        """A hit with the text as it stands in the record."""
        ids, text = self.ids, self._text(hit)
        return Match(
            branch=self.name,
            position=hit.position if self.viewer.gm else None,
            id=ids.at(hit.position),
            about=None if hit.belongs == hit.position else ids.place(hit.belongs),
            session=_session_at(self.sessions, hit.belongs),
            kind=hit.kind,
            what=_WORDS.get(hit.kind, hit.kind.partition(".")[2].replace("-", " ")),
            who=tuple(who(self.table, person) for person in hit.people),
            text=text,
            marks=matches(text, sought),
            counts=self._counts(hit),
        )


def _kinds(typed: str) -> tuple[str, ...]:
    """The stored kinds a word stands for: one of KINDS, a kind itself, or a game's own name for one."""
    folded = fold(typed)
    for word, kinds in KINDS.items():
        if fold(word) == folded:
            return kinds
    found = tuple(kind for kind in EVENTS if folded in (fold(kind), fold(kind.partition(".")[2])))
    if not found:
        raise Refused(f"There is no kind “{typed}”. There are: {', '.join(KINDS)}; and those of the log.")
    return found


def _people(table: Table, name: str) -> tuple[int, ...]:
    """Whoever is called so, with those they play."""
    person = find(name, table.names())
    return (person, *(one.id for one in table.everybody() if one.player == person))


def _sessions(campaign: Campaign, line: int, upto: int) -> Mapping[int, int]:
    """Where each session of the line begins: its number by position, in order."""
    stands = reading.standing(campaign.file, line, upto)
    rows = campaign.file.rows(line, 0, upto, ("table.session-opened",))
    opened = ((row.position, decode_event(row)[0]) for row in rows if stands.counts(row.position))
    return {position: event.session for position, event in opened if isinstance(event, e.SessionOpened)}


def _within(sessions: Mapping[int, int], number: int) -> tuple[int, int]:
    starts = [*sessions, 2**62]
    for at, (start, session) in enumerate(sessions.items(), 1):
        if session == number:
            return start, starts[at] - 1
    known = f"The last is {max(sessions.values())}." if sessions else "There is none yet."
    raise Refused(f"There is no session {number}. {known}")


def _session_at(sessions: Mapping[int, int], position: int) -> int | None:
    starts = list(sessions)
    before = bisect_right(starts, position)
    return sessions[starts[before - 1]] if before else None
