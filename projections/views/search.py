"""Full-text search in the events of one branch or several, limited to what the viewer may see."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache, cached_property
from itertools import islice
from typing import Any, Final, TypeAlias

from msgspec import Struct, field

from retold.journal import marks
from retold.journal.names import clean, find, normalise
from retold.journal.refused import Refused
from retold.journal.store.caches.index import Hit, Index, TextQuery
from retold.journal.store.events.kinds import EVENTS, kind_of, stored_names
from retold.journal.store.events.text_matching import Span, Term, find_matches, parse_terms
from retold.journal.store.events.texts import searchable_texts
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.projections.reading import Arrival, LateAdditions, LineView, line_name
from retold.projections.reading.lines import alike_until, shared_length
from retold.projections.views.naming import Who, who
from retold.projections.views.sheet import NOBODY, Row, Sheet

Piece: TypeAlias = tuple[str, bool]
"""A piece of text, and whether it is a match."""

KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "narration": ("table.narrated",),
    "speech": ("table.said",),
    "note": ("table.noted",),
    "aside": ("table.said-aside",),
    "page": ("table.page-text-written", "table.passage-pulled"),
    "declaration": ("*-declared", "*.declared"),
    "ruling": ("table.ruling-made",),
    "edit": ("table.narration-overruled",),
    "scene": ("table.scene-set", "table.scene-ended"),
    "session": ("table.session-opened", "table.session-closed"),
    "conflict": ("table.conflict-opened", "table.conflict-ended"),
    "concession": ("table.concession-*",),
    "compel": ("table.compel-*",),
    "name": ("table.cast-introduced", "table.renamed", "table.alias-given", "table.described"),
    "mark": ("table.marked",),
    "matter": ("table.matter-*",),
    "picture": ("table.picture-added",),
    "branch": ("table.forked",),
    "title": ("table.campaign-named",),
}
"""Everyday words for kinds of text, with patterns of the stored kinds they stand for.

A game's own kinds go by their own names. (Patterns, so that a search loads no game.)
"""
MOST: Final = 100
"""Most words in one search."""
FEW: Final = 200
"""Most undone stretches and reworded texts in one index query."""
AROUND: Final = 60
"""Characters shown on either side of the first match."""


_BLANKS: Final = re.compile(r"\s+")


class Wanted(Struct, frozen=True):
    """Search request: words, and limits to a person, kind of text or session.

    `undone` includes events that were taken back.
    """

    words: tuple[str, ...]
    who: str | None = None
    kind: str | None = None
    session: int | None = None
    viewer: str | Arrival = "gm"
    undone: bool = False


class Match(Struct, frozen=True):
    """Text that was found: `marks` are the matching spans in it; `counts` is False if its event is undone.

    `struck` is True for a narration that was overruled: it was told, but no longer counts. `position` is None
    for players, since a gap in their positions would betray a hidden event; `id` names the event to all
    viewers. `about` is the id of the earlier moment that a later addition belongs to; None otherwise.
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
    marks: tuple[Span, ...]
    counts: bool
    struck: bool = False

    def excerpt(self) -> str:
        """Returns the text around the first match on one line, with each match between `**`."""
        return _starred(self.pieces())

    def pieces(self) -> tuple[Piece, ...]:
        """Returns the text around the first match on one line, cut into pieces (text, True if it matches)."""
        first = self.marks[0][0] if self.marks else 0
        last = self.marks[0][1] if self.marks else 0
        start, end = _wordwise(self.text, max(0, first - AROUND), min(len(self.text), last + AROUND))
        shown = [(begin, stop) for begin, stop in self.marks if begin >= start and stop <= end]
        parts = [("…" if start else "", False)]
        for begin, stop in shown:
            parts += [(self.text[start:begin], False), (self.text[begin:stop], True)]
            start = stop
        parts += [(self.text[start:end], False), ("…" if end < len(self.text) else "", False)]
        return tuple(_on_one_line(parts))


def _on_one_line(parts: Iterable[Piece]) -> Iterator[Piece]:
    """Yields the pieces with each run of whitespace as one blank, and without blanks at both ends."""
    kept = [(_BLANKS.sub(" ", text), is_match) for text, is_match in parts if text]
    blank = True
    for number, (text, is_match) in enumerate(kept):
        plain = text.lstrip(" ") if blank else text
        last = not "".join(after for after, _ in kept[number + 1 :]).strip(" ")
        plain = plain.rstrip(" ") if last else plain
        if plain:
            blank = plain.endswith(" ")
            yield plain, is_match


def _wordwise(text: str, start: int, end: int) -> tuple[int, int]:
    """Returns the span `start`..`end` narrowed to whole words, if a blank is near enough to cut at."""
    if start and (blank := text.find(" ", start, start + AROUND // 2)) >= 0:
        start = blank + 1
    if end < len(text) and (blank := text.rfind(" ", end - AROUND // 2, end)) >= 0:
        end = blank
    return start, end


class Found(Struct, frozen=True):
    """Search result: the number of texts found in total, and the last of them in recording order.

    `within` is True if no word begins with the search terms and the matches lie inside words.
    """

    words: tuple[str, ...]
    within: bool
    found: int
    matches: tuple[Match, ...]

    def to_json(self) -> dict[str, Any]:
        """Returns the search result as JSON values."""
        return {
            "retold": "search",
            "version": 1,
            "words": list(self.words),
            "within": self.within,
            "found": self.found,
            "matches": [_as_json(match) for match in self.matches],
        }

    def sheet(self, here: str) -> Sheet:
        """Returns a table with a row for each match; matches on branches other than `here` name theirs."""
        rows = tuple(Row((match.id,), _cells(match, here), _shown(match)) for match in self.matches)
        return Sheet("Found", ("At", "Session", "What", "Who", "Words"), rows, tuple(self._notes()))

    def _notes(self) -> Iterator[str]:
        if self.within:
            yield "No word begins so; these have it within a word."
        if len(self.matches) < self.found:
            yield f"The last {len(self.matches)} of {self.found}: -n 0 shows all."


def _cells(match: Match, here: str) -> tuple[str, ...]:
    at = match.id if match.position is None else str(match.position)
    belongs = f" (for {match.about})" if match.about else ""
    return (
        at if match.branch == here else f"{match.branch}@{at}",
        NOBODY if match.session is None else str(match.session),
        f"{match.what}{belongs}",
        ", ".join(person.name for person in match.who) or NOBODY,
        _starred(_shown(match)),
    )


def _shown(match: Match) -> tuple[Piece, ...]:
    """Returns the pieces of text around a match, struck through with the reason if undone or overruled."""
    why = "undone" if not match.counts else "overruled" if match.struck else None
    return match.pieces() if why is None else (("~~", False), *match.pieces(), (f"~~ ({why})", False))


def _starred(pieces: Iterable[Piece]) -> str:
    return "".join(f"**{text}**" if is_match else text for text, is_match in pieces)


def _as_json(match: Match) -> dict[str, Any]:
    return {
        "branch": match.branch,
        "position": match.position,
        "id": match.id,
        "about": match.about,
        "session": match.session,
        "kind": match.kind,
        "what": match.what,
        "who": [person._asdict() for person in match.who],
        "text": match.text,
        "marks": [list(stretch) for stretch in match.marks],
        "counts": match.counts,
        "struck": match.struck,
    }


def search(index: Index, readings: Sequence[LineView], wanted: Wanted, limit: int | None) -> Found:
    """Searches several branches as `wanted.viewer`; a text shared by two branches is found once.

    The index must be up to date. At most `limit` matches are returned, the latest ones. Raises Refused for a
    name, kind or session that no branch knows, and for too many words or none.
    """
    lines = _lines(index, readings, wanted)
    for parts in (False, True):
        sought = parse_terms(map(clean, wanted.words), parts=parts)
        if not 0 < len(sought) <= MOST:
            raise Refused(f"Give 1 to {MOST} words to look for.")
        hits, count = _last(lines, sought, limit)
        if hits:
            found = tuple(line.match(hit, sought) for line, hit in reversed(hits))
            within = parts and any(not term.part for term in parse_terms(wanted.words))
            return Found(wanted.words, within, count, found)
    return Found(wanted.words, within=False, found=0, matches=())


def _last(
    lines: Sequence[_Line], sought: Sequence[Term], limit: int | None
) -> tuple[list[tuple[_Line, Hit]], int]:
    """Returns the latest hits, newest first and at most `limit`, and the total number of hits."""
    if len(lines) == 1:
        (line,) = lines
        last = [(line, hit) for hit in islice(line.hits(sought), limit)]
        return last, line.count(sought) if len(last) == limit else len(last)
    hits: dict[int, tuple[_Line, Hit]] = {}
    for line in lines:
        again = line.said_again(lines[0])
        for hit in line.hits(sought):
            if hit.position not in again:
                hits.setdefault(hit.id, (line, hit))
    return [hits[id_] for id_ in sorted(hits, reverse=True)[:limit]], len(hits)


def _lines(index: Index, readings: Sequence[LineView], wanted: Wanted) -> list[_Line]:
    """Returns the branches to search; a branch that lacks the wanted person or session is skipped.

    Raises Refused if no branch is left.
    """
    lines, refusals = [], []
    for reading in readings:
        try:
            lines.append(_Line.of(index, reading, wanted))
        except Refused as refusal:
            refusals.append(refusal)
    if not lines:
        raise refusals[0]
    return lines


class _Line(Struct, frozen=True, dict=True):
    """Search of one branch for one viewer, with the wanted kinds, people and session looked up."""

    index: Index
    reading: LineView
    wanted: Wanted
    kinds: tuple[str, ...]
    people: tuple[int, ...] | None
    session: tuple[int, int] | None
    _overruled: dict[int, LateAdditions] = field(default_factory=dict)

    @classmethod
    def of(cls, index: Index, reading: LineView, wanted: Wanted) -> _Line:
        """Returns the search of `reading`, its names and session looked up; raises Refused if unknown."""
        seen = reading.called(wanted.viewer)
        return cls(
            index,
            seen,
            wanted,
            () if wanted.kind is None else _kinds(wanted.kind),
            None if wanted.who is None else _people(seen.table, wanted.who),
            None if wanted.session is None else _within(_sessions(reading), wanted.session),
        )

    @cached_property
    def sessions(self) -> Mapping[int, int]:
        """Session numbers by the position of their opening event."""
        return _sessions(self.reading)

    @cached_property
    def name(self) -> str:
        """Name of the branch."""
        return line_name(self.reading)

    def said_again(self, first: _Line) -> range:
        """Returns the positions where this branch repeats, in new events, the texts of branch `first`.

        A text counts as repeated if it looks the same to the viewer.
        """
        at = shared_length(first.reading, self.reading)
        if self is first or at >= self.reading.position:
            return range(0)
        return range(at + 1, alike_until(first.reading, self.reading, at)[1] + 1)

    def hits(self, sought: Sequence[Term]) -> Iterator[Hit]:
        """Yields the hits in the index that the viewer may see, newest first."""
        return self._found(self._asked(sought), sought)

    def count(self, sought: Sequence[Term]) -> int:
        """Returns the number of `hits`; the index alone counts them where every hit is visible."""
        stands = self.reading.past.amendments
        gone = () if self.wanted.undone else tuple(stands.gone())
        reworded = tuple(stands.rewordings)
        if not self.reading.viewer.gm or len(gone) + len(reworded) > FEW:
            return sum(1 for _ in self.hits(sought))
        asked = self._asked(sought)
        apart = (*gone, *((position, position) for position in reworded))
        count = self.index.count(asked._replace(apart_from=apart))
        return count + sum(1 for _ in self._found(asked._replace(at=reworded), sought)) if reworded else count

    def _asked(self, sought: Sequence[Term]) -> TextQuery:
        past = self.reading.past
        segments = () if past.is_everything else past.segments
        return TextQuery(sought, segments, past.position, self.kinds, self.people, self.session)

    def _found(self, asked: TextQuery, sought: Sequence[Term]) -> Iterator[Hit]:
        reworded: set[tuple[int, int]] = set()
        rewordings = self.reading.past.amendments.rewordings
        for hit in self.index.hits(asked):
            if (
                (hit.position, hit.place) in reworded
                or not (self.wanted.undone or self._counts(hit))
                or not self.reading.sight.sees_text(hit.position, hit.kind, hit.visible_to, hit.people)
            ):
                continue
            if hit.position in rewordings:
                if not find_matches(self._text(hit), sought):
                    continue
                reworded.add((hit.position, hit.place))
            yield hit

    def _counts(self, hit: Hit) -> bool:
        stands = self.reading.past.amendments
        return stands.counts(hit.position) and stands.counts(hit.since)

    def _text(self, hit: Hit) -> str:
        past = self.reading.past
        row = past.row(hit.position)
        texts = searchable_texts(row, past.amendments.rewordings.get(hit.position)) if row is not None else ()
        return next((found.text for found in texts if found.place == hit.place), "")

    def match(self, hit: Hit, sought: Sequence[Term]) -> Match:
        """Returns the `Match` for a hit in the index, with its text, session, people and matching spans."""
        ids, text = self.reading.ids, marks.plain(self._text(hit))
        return Match(
            branch=self.name,
            position=hit.position if ids.open else None,
            id=ids.at(hit.position),
            about=None if hit.belongs == hit.position else ids.place(hit.belongs),
            session=_session_at(self.sessions, hit.belongs),
            kind=kind_of(hit.kind),
            what=_what(kind_of(hit.kind)),
            who=tuple(who(self.reading.table, person) for person in hit.people),
            text=text,
            marks=find_matches(text, sought),
            counts=self._counts(hit),
            struck=hit.kind == e.Narrated.kind and self._overruled_since(hit.position).struck(hit.position),
        )

    def _overruled_since(self, position: int) -> LateAdditions:
        """Returns the overrulings of narrations after `position`, cached.

        Hits arrive in order, so that only the first call reads the branch.
        """
        known = next((additions for since, additions in self._overruled.items() if since <= position), None)
        if known is None:
            known = self.reading.overruled(position)
            self._overruled[position] = known
        return known


@cache
def _what(kind: str) -> str:
    """Returns the everyday word for an event kind: `table.noted` → `note`."""
    own = kind.partition(".")[2].replace("-", " ")
    return next((word for word, shapes in KINDS.items() if _is_shaped(kind, shapes)), own)


def _is_shaped(kind: str, shapes: Iterable[str]) -> bool:
    return any(fnmatchcase(kind, shape) for shape in shapes)


def _kinds(typed: str) -> tuple[str, ...]:
    """Returns the event kinds meant by a typed word: `note`, `table.noted` or a game's own word.

    Raises Refused for an unknown word.
    """
    folded = normalise(typed)
    events = list(EVENTS.values())
    for word, shapes in KINDS.items():
        if normalise(word) == folded:
            found = [event for event in events if _is_shaped(event.kind, shapes)]
            break
    else:
        found = [
            event
            for event in events
            if folded in (normalise(event.kind), normalise(event.kind.partition(".")[2]))
        ]
    if not found:
        raise Refused(f"There is no kind “{typed}”. There are: {', '.join(KINDS)}; and those of the log.")
    return tuple(name for event in found for name in stored_names(event))


def _people(table: Table, name: str) -> tuple[int, ...]:
    """Returns the person numbers meant by a name; for a player's name, also those of their characters."""
    person = find(name, table.names())
    played = (character.id for character in table.everybody() if character.player == person)
    return tuple(number for known in (person, *played) for number in table.numbers(known))


def _sessions(reading: LineView) -> Mapping[int, int]:
    """Returns the session numbers by the position of their opening, in order."""
    return {position: number for number, position in reading.sessions.opened.items()}


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
