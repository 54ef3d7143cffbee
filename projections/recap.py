"""A recap: how the last sessions ended in the table's own words, what changed, what is open, who is who."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from journal.capabilities import Picture
from journal.names import normalise
from journal.refused import Refused
from journal.store.codec import Recorded
from journal.store.kinds import stored_names
from journal.store.text_matching import count_words
from journal.table import Table
from journal.visibility import TABLE
from journal.vocabulary import events as e
from journal.vocabulary.base import REDACTED
from projections import document
from projections.prose import Voice, game, reporting, voice_of
from projections.prose.phrases import ENGLISH, Phrases
from projections.reading import Arrival, LineView
from projections.reading.sessions import SessionBounds, Stretch
from projections.transcript.build import of_stretch
from projections.transcript.endings import FIRST, Recalled, cut, fitting, recalled, spoken_aloud, summed_up
from projections.transcript.variations import TellingOptions
from projections.typography import typesetter_of
from projections.views import tracks
from projections.views.matters import heard

__all__ = ["WORDS", "Recap", "has_gone_before", "of_line"]


class Group(NamedTuple):
    """Lines under a heading, and how many there was no room for."""

    heading: str
    lines: tuple[str, ...]
    more: int = 0


NOTHING: Final = Group("", ())


class Recap(Struct, frozen=True):
    """What there is to say of the last session, or of several; nothing in it is of our own invention.

    Every word is recorded, or a phrase of the voice. `happened` is how it ended, in the table's own words.
    """

    title: str
    sessions: tuple[int, ...]
    happened: tuple[Recalled, ...]
    changed: Group
    open: Group
    people: Group
    phrases: Phrases = ENGLISH

    def first_lines(self) -> Iterator[str]:
        """How it ended, in few words: as much as a page has of it under “Previously”."""
        return (one.said(self.phrases) for one in fitting(self.happened, FIRST, self.phrases))

    def lines(self) -> Iterator[str]:
        """All of it, line by line, an empty one before each heading."""
        yield self.title
        yield from (one.said(self.phrases) for one in self.happened)
        for group in (self.changed, self.open, self.people):
            yield from shown(group, self.phrases)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON has it; of what there was no room for, how many."""
        groups = {"changed": self.changed, "open": self.open, "people": self.people}
        return {
            "retold": "recap",
            "version": 1,
            "title": self.title,
            "sessions": list(self.sessions),
            "happened": [
                {"what": one.what, "session": one.session, "who": one.who, "text": one.text}
                for one in self.happened
            ],
            **{name: list(group.lines) for name, group in groups.items()},
            "left_out": {name: group.more for name, group in groups.items()},
        }


def shown(group: Group, phrases: Phrases) -> Iterator[str]:
    """A group as it stands in a recap; nothing of one without lines."""
    if group.lines:
        yield from ("", group.heading)
        yield from (f"  {line}" for line in group.lines)
        if group.more:
            yield f"  {phrases.say('page.more', number=group.more)}"


BACK: Final = 2000
"""Events that the recap of the last session looks back over at most: not every table ends its sessions."""

_TOLD: Final = (e.ConflictOpened.kind, e.Narrated.kind, e.Said.kind, e.SessionClosed.kind)
"""The kinds that show that a session is more than opened."""

_PART: Final = re.compile(r"s?(\d{1,9})(\.\.(?:s?(\d{1,9}))?)?")


def has_gone_before(reading: LineView) -> bool:
    """True where there is more to come back to than the opening of a first session."""
    known = (*reading.evenings.opened,)
    return bool(known) and (len(known) > 1 or _begun(reading, known[0]))


def sessions_meant(reading: LineView, part: str | int | None) -> tuple[tuple[int, ...], Stretch]:
    """The sessions meant, from the end of the one before them; the last one goes on until now."""
    evenings = reading.evenings
    known = (*evenings.opened,)
    if part is None and not known:
        return (), Stretch(0, reading.position)
    if part is None:
        last = _last(reading, known)
        begins = max(_begins(evenings, last), reading.position - BACK)
        return (last,), Stretch(begins, reading.position)
    first, last = _named(str(part), known)
    for session in (first, last):
        evenings.stretch(session)  # which refuses what is not there
    sessions = tuple(one for one in known if first <= one <= last)
    return sessions, Stretch(_begins(evenings, first), evenings.around(last)[1])


def _begins(evenings: SessionBounds, session: int) -> int:
    """Where what led up to a session begins; to the first of all led only who was cast for it."""
    return evenings.around(session)[0] or evenings.opened[session] - 1


def _last(reading: LineView, known: Sequence[int]) -> int:
    """The last session; the one before while nothing has been told to all since the last was opened."""
    last = known[-1]
    return last if len(known) == 1 or _begun(reading, last) else known[-2]


def _begun(reading: LineView, session: int) -> bool:
    """True where something of a session has been told to all since it was opened."""
    begins = reading.evenings.opened[session]
    narrated = (kind for name in reading.table.shelves for kind in game(name).narrated)
    kinds = (*_TOLD, *(stored for kind in narrated for stored in stored_names(kind)))
    return any(_tells(one) for one in reading.past.standing(begins, kinds=kinds))


def _tells(recorded: Recorded) -> bool:
    """True for what everybody has heard: of a kind that tells by its own text, where it has one."""
    event = recorded.event
    worded = event.kind in _TOLD or getattr(event, "text", None) is not None
    return worded and recorded.envelope.visible_to == TABLE


def _named(typed: str, known: Sequence[int]) -> tuple[int, int]:
    """The first and the last session of `s3`, `3`, `s3..s7` or `s3..`; Refused for anything else."""
    found = _PART.fullmatch(typed.strip())
    if found is None:
        raise Refused(f"“{typed}” is no session: say recap s3, or recap s3..s7.")
    first = int(found[1])
    last = int(found[3]) if found[3] else known[-1] if found[2] and known else first
    if last < first:
        raise Refused(f"s{first}..s{last} runs backwards: say recap s{last}..s{first}.")
    return first, last


WORDS: Final = 200
"""Words a recap has at most, headings and all: what is read aloud in little more than a minute."""

HAPPENED: Final = 110
CHANGED: Final = 35
OPEN: Final = 30
"""Of these, what each part may have; one that needs less leaves the rest to those after it."""


def of_line(
    reading: LineView,
    part: str | int | None = None,
    *,
    viewer: str | Arrival = "gm",
    voice: Voice | str = "report",
    whole: bool = True,
) -> Recap:
    """The recap of a line as `viewer` may know it: `s3`, `s3..s7`; None is the last session, up to now.

    For the game master it is what the whole table may know, so that it can be read out. Refused for a
    session, a viewer or a voice there is not, and where nothing has been told yet. One that is not `whole`
    says how it ended; only where there is nothing to say of that, something of the rest.
    """
    sessions, stretch = sessions_meant(reading, part)
    reading.table_at(stretch.after)  # before the one at the end, which is then folded from here on
    seen, speaks = spoken_aloud(reading.called(viewer)), reporting(voice_of(voice))
    told = of_stretch(seen, stretch, TellingOptions(speaks, untold=True, ends=whole))
    found = _Found(seen, sessions, stretch, told, speaks)
    if not whole:
        begun = found.begun()
        if begun.happened or begun.people.lines:
            return begun
        return of_line(reading, part, viewer=viewer, voice=voice)
    recap = found.fitted()
    if not (recap.happened or recap.changed.lines or recap.open.lines or recap.people.lines):
        raise Refused("Nothing has been told here yet, so there is nothing to recap.")
    return recap


class _Found(Struct, frozen=True):
    """What was told in some sessions, before anything is chosen."""

    reading: LineView
    sessions: tuple[int, ...]
    stretch: Stretch
    told: document.Transcript
    voice: Voice

    def begun(self) -> Recap:
        """As much of how it ended as may be read aloud; where that is nothing, who is who."""
        phrases, title = self.voice.phrases, cut(self._title(), HAPPENED // 4, force=True)
        room = HAPPENED - count_words(title)
        happened = self._several(room) if len(self.sessions) > 1 else fitting(self._one(), room, phrases)
        people = NOTHING if happened else self._who(WORDS - HAPPENED - CHANGED - OPEN, "")
        return Recap(title, self.sessions, happened, NOTHING, NOTHING, people, phrases)

    def fitted(self) -> Recap:
        """As much of it as may be read aloud: how it ended first, then what changed, is open, who is who."""
        phrases, begun = self.voice.phrases, self.begun()
        happened, room = begun.happened, HAPPENED - count_words(begun.title)
        room += CHANGED - sum(count_words(one.said(phrases)) for one in happened)
        changed = _fitting(phrases.say("page.changed"), self.told.end.changed, room, phrases)
        room += OPEN - _words(changed, phrases)
        waits = open_matters(self.reading, self.stretch.upto, self.told.end, self.voice)
        open_ = _fitting(phrases.say("page.open"), waits, room, phrases)
        room += WORDS - HAPPENED - CHANGED - OPEN - _words(open_, phrases)
        named = [*(one.said(phrases) for one in happened), *changed.lines, *open_.lines]
        people = self._who(room, "\n".join(named))
        return replace(begun, changed=changed, open=open_, people=people)

    def _title(self) -> str:
        phrases = self.voice.phrases
        if not self.sessions:
            return self.told.head.campaign or phrases.say("page.campaign")
        if len(self.sessions) == 1:
            return self._called(self.sessions[0], dated=True)
        return phrases.say("page.several-sessions", numbers=f"{self.sessions[0]}-{self.sessions[-1]}")

    def _called(self, session: int, *, dated: bool = False) -> str:
        opened = self.reading.evenings.opening(session)
        title = None if opened.title is None else opened.title.text
        return self.voice.phrases.say(
            "recap.session",
            number=session,
            title=title and typesetter_of(self.voice)(title),
            date=opened.date if dated else None,
        )

    def _one(self) -> tuple[Recalled, ...]:
        """How the one session there is ended, or all there is."""
        session = next(iter(self.sessions), None)
        return recalled(session, self._scenes(session), self.told.end.quotes, self._summaries(session))

    def _several(self, room: int) -> tuple[Recalled, ...]:
        """Of each session what sums it up, else what was told last; where room is short, the later ones."""
        phrases, share = self.voice.phrases, max(room // len(self.sessions), HAPPENED // 8)
        chosen: list[Recalled] = []
        for session in reversed(self.sessions):
            found = recalled(session, self._scenes(session), (), self._summaries(session))
            if not found:
                continue
            one = found[0] if found[0].what == "summary" else found[-1]
            called = self._called(session)
            before = count_words(f"{called} {one.label}")
            one = replace(
                one,
                text=cut(one.text, min(room, share) - before, force=True),
                label=f"{called}: {one.label}" if one.label else called,
            )
            if one.text:
                chosen.append(one)
                room -= count_words(one.said(phrases))
        return tuple(reversed(chosen))

    def _scenes(self, session: int | None) -> list[document.Scene]:
        """The scenes of a session, or those outside any; what is told begins in the middle of one perhaps."""
        begins = self.reading.table_at(self.stretch.after)
        found, here, title = [], begins.session, begins.scene_title
        for scene in self.told.scenes:
            here = here if scene.chapter is None else scene.chapter.session
            goes_on = title is not None and scene is self.told.scenes[0] and scene.title is None
            if here == session:
                found.append(
                    replace(scene, title=typesetter_of(self.voice)(str(title))) if goes_on else scene
                )
        return found

    def _summaries(self, session: int | None) -> Iterator[str]:
        """The words a session was closed with, and what was noted of it as a whole."""
        if session is None:
            return
        evenings, set_ = self.reading.evenings, typesetter_of(self.voice)
        closed = evenings.closing(session)
        if closed is not None and closed.text is not None and closed.text.text is not None:
            yield set_(closed.text.text)
        opened = evenings.opened[session]
        noted, _ = summed_up(self.reading.late_additions_since(opened - 1), opened)
        if noted is not None:
            yield set_(noted)

    def _who(self, room: int, named: str) -> Group:
        """Who is who, as far as so many words hold it."""
        return _fitting(self.voice.phrases.say("recap.people"), self._people(named), room, self.voice.phrases)

    def _people(self, named: str) -> Iterator[str]:
        """Everybody of whom there is something to say: those named above, then players', then the others."""
        said = normalise(named)
        cast = (replace(one, phrase=None) if one.phrase == REDACTED else one for one in self.told.cast)
        told = [one for one in cast if one.player or one.phrase]
        for one in sorted(told, key=lambda one: (normalise(one.name) not in said, one.player is None)):
            yield self.voice.phrases.say("recap.person", who=one.name, player=one.player, phrase=one.phrase)


# --- as much as there is room for -------------------------------------------------------------------------


def _fitting(heading: str, lines: Iterable[str], room: int, phrases: Phrases) -> Group:
    """As many of these lines as so many words hold, with what stands over and under them."""
    there = list(lines)
    room -= count_words(heading) + count_words(phrases.say("page.more", number=len(there)))
    kept: list[str] = []
    for line in there:
        one = line if kept else cut(line, room)
        if one and count_words(one) <= room:
            kept.append(one)
            room -= count_words(one)
    return Group(heading, tuple(kept), len(there) - len(kept))


def _words(group: Group, phrases: Phrases) -> int:
    return sum(count_words(line) for line in shown(group, phrases))


NEAR: Final = 3
"""A clock is near its end with no more than one of so many parts of it left."""


def open_matters(reading: LineView, upto: int, end: document.End, voice: Voice) -> tuple[str, ...]:
    """All of it as it was at a position, as the reader may know it, what holds play up first; each once."""
    phrases = voice.phrases
    untold = (
        phrases.say("recap.untold", what=one.what, who=list(one.who))
        for one in reversed(end.untold)
        if one.what
    )
    nearly = nearly_full_clocks(reading.table_at(upto), phrases)
    return tuple(dict.fromkeys((*end.open, *nearly, *_threads(reading, upto, voice), *untold)))


def nearly_full_clocks(table: Table, phrases: Phrases) -> Iterator[str]:
    """The clocks at a table that are nearly full."""
    for one in tracks.of(table).tracks:
        if one.picture is Picture.CLOCK and one.most and 0 < one.most - one.value <= max(one.most // NEAR, 1):
            yield phrases.say(
                "recap.clock",
                whose=one.whose,
                what=phrases.named(one.system, one.what, one.value),
                now=one.value,
                most=one.most,
            )


def _threads(reading: LineView, upto: int, voice: Voice) -> Iterator[str]:
    """The threads nobody has closed, those noted in the last sessions first, with what was noted last."""
    known = heard(reading, upto).drafts.values()
    threads = [(one.names[-1], one.last) for one in known if one.sort == "thread" and one.closed is None]
    threads.sort(key=lambda one: -((one[1] and one[1].session) or 0))
    set_ = typesetter_of(voice)
    for name, last in threads:
        if name is not None:
            note = last and last.text
            yield voice.phrases.say("recap.thread", thread=set_(name), note=note and set_(note))
