"""A recap: how the last sessions ended in the table's own words, what changed, what is open, who is who."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from journal.names import fold
from journal.refused import Refused
from journal.store.folding import words_in
from journal.store.format import TABLE
from journal.table import Table
from journal.vocabulary import events as e
from projections import pages
from projections.prose import Voice, reporting, voice_of
from projections.prose.lettering import letter
from projections.prose.phrases import ENGLISH, Phrases
from projections.reading import Reading
from projections.reading.evenings import Evenings, Stretch
from projections.transcript.endings import FIRST, REDACTED, Recalled, aloud, cut, fitting, recalled, summed_up
from projections.transcript.making import of_stretch
from projections.transcript.variations import Manner

WORDS: Final = 200
"""Words a recap has at most, headings and all: what is read aloud in little more than a minute."""

HAPPENED: Final = 110
CHANGED: Final = 35
OPEN: Final = 30
"""Of these, what each part may have; one that needs less leaves the rest to those after it."""

BACK: Final = 2000
"""Events that the recap of the last session looks back over at most: not every table ends its sessions."""

_TOLD: Final = (e.ConflictOpened.kind, e.Narrated.kind, e.Said.kind, e.SessionClosed.kind)
"""The kinds that show that a session is more than opened."""

_PART: Final = re.compile(r"s?(\d{1,9})(\.\.(?:s?(\d{1,9}))?)?")


class Group(NamedTuple):
    """Lines under a heading, and how many there was no room for."""

    heading: str
    lines: tuple[str, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Recap:
    """What there is to say of the last session, or of several; nothing in it is of our own invention.

    Every word is recorded, or a phrase of the voice. `happened` is how it ended, in the table's own words.
    """

    title: str
    sessions: tuple[int, ...]
    happened: tuple[Recalled, ...]
    changed: Group
    open: Group
    people: Group
    phrases: Phrases = field(default=ENGLISH, compare=False, repr=False)

    def first_lines(self) -> Iterator[str]:
        """How it ended, in few words: as much as a page has of it under “Previously”."""
        return (one.said(self.phrases) for one in fitting(self.happened, FIRST, self.phrases))

    def lines(self) -> Iterator[str]:
        """All of it, line by line, an empty one before each heading."""
        yield self.title
        yield from (one.said(self.phrases) for one in self.happened)
        for group in (self.changed, self.open, self.people):
            yield from _shown(group, self.phrases)

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


def _shown(group: Group, phrases: Phrases) -> Iterator[str]:
    if group.lines:
        yield from ("", group.heading)
        yield from (f"  {line}" for line in group.lines)
        if group.more:
            yield f"  {phrases.say('page.more', number=group.more)}"


def of_line(
    reading: Reading,
    part: str | int | None = None,
    *,
    viewer: str = "gm",
    voice: Voice | str = "report",
) -> Recap:
    """The recap of a line as `viewer` may know it: `s3`, `s3..s7`; None is the last session, up to now.

    For the game master it is what the whole table may know, so that it can be read out. Refused for a
    session, a viewer or a voice there is not, and where nothing has been told yet.
    """
    sessions, stretch = _meant(reading, part)
    begins = reading.table_at(stretch.after)  # before the one at the end, which is then folded from here on
    seen, speaks = aloud(reading.called(viewer)), reporting(voice_of(voice))
    told = of_stretch(seen, stretch, Manner(speaks, untold=True))
    recap = _Found(seen, sessions, begins, told, speaks).fitted()
    if not (recap.happened or recap.changed.lines or recap.open.lines or recap.people.lines):
        raise Refused("Nothing has been told here yet, so there is nothing to recap.")
    return recap


def has_gone_before(reading: Reading) -> bool:
    """True where there is more to come back to than the opening of a first session."""
    known = (*reading.evenings.opened,)
    return bool(known) and (len(known) > 1 or _begun(reading, known[0]))


# --- which sessions ---------------------------------------------------------------------------------------


def _meant(reading: Reading, part: str | int | None) -> tuple[tuple[int, ...], Stretch]:
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


def _begins(evenings: Evenings, session: int) -> int:
    """Where what led up to a session begins; to the first of all led only who was cast for it."""
    opened, _ = evenings.opened[session]
    return evenings.around(session)[0] or opened - 1


def _last(reading: Reading, known: Sequence[int]) -> int:
    """The last session; the one before while nothing has been told to all since the last was opened."""
    last = known[-1]
    return last if len(known) == 1 or _begun(reading, last) else known[-2]


def _begun(reading: Reading, session: int) -> bool:
    """True where something of a session has been told to all since it was opened."""
    begins = reading.evenings.opened[session][0]
    return any(one.envelope.see == TABLE for one in reading.past.standing(begins, kinds=_TOLD))


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


# --- what there is to say ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Found:
    """What was told in some sessions, before anything is chosen."""

    reading: Reading
    sessions: tuple[int, ...]
    begins: Table
    told: pages.Transcript
    voice: Voice

    def fitted(self) -> Recap:
        """As much of it as may be read aloud: how it ended first, then what changed, is open, who is who."""
        phrases, title = self.voice.phrases, cut(self._title(), HAPPENED // 4, force=True)
        room = HAPPENED - words_in(title)
        happened = self._several(room) if len(self.sessions) > 1 else fitting(self._one(), room, phrases)
        room += CHANGED - sum(words_in(one.said(phrases)) for one in happened)
        changed = _fitting(phrases.say("page.changed"), self.told.end.changed, room, phrases)
        room += OPEN - _words(changed, phrases)
        open_ = _fitting(phrases.say("page.open"), self._open(), room, phrases)
        room += WORDS - HAPPENED - CHANGED - OPEN - _words(open_, phrases)
        named = [*(one.said(phrases) for one in happened), *changed.lines, *open_.lines]
        people = _fitting(phrases.say("recap.people"), self._people("\n".join(named)), room, phrases)
        return Recap(title, self.sessions, happened, changed, open_, people, phrases)

    def _title(self) -> str:
        phrases = self.voice.phrases
        if not self.sessions:
            return self.told.head.campaign or phrases.say("page.campaign")
        if len(self.sessions) == 1:
            return self._called(self.sessions[0], dated=True)
        return phrases.say("page.several-sessions", numbers=f"{self.sessions[0]}-{self.sessions[-1]}")

    def _called(self, session: int, *, dated: bool = False) -> str:
        opened = self.reading.evenings.opened[session][1]
        title = None if opened.title is None else opened.title.text
        return self.voice.phrases.say(
            "recap.session",
            number=session,
            title=title and letter(self.voice)(title),
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
            before = words_in(f"{called} {one.label}")
            one = replace(
                one,
                text=cut(one.text, min(room, share) - before, force=True),
                label=f"{called}: {one.label}" if one.label else called,
            )
            if one.text:
                chosen.append(one)
                room -= words_in(one.said(phrases))
        return tuple(reversed(chosen))

    def _scenes(self, session: int | None) -> list[pages.Scene]:
        """The scenes of a session, or those outside any; what is told begins in the middle of one perhaps."""
        found, here, title = [], self.begins.session, self.begins.scene_title
        for scene in self.told.scenes:
            here = here if scene.chapter is None else scene.chapter.session
            goes_on = title is not None and scene is self.told.scenes[0] and scene.title is None
            if here == session:
                found.append(replace(scene, title=letter(self.voice)(str(title))) if goes_on else scene)
        return found

    def _summaries(self, session: int | None) -> Iterator[str]:
        """The words a session was closed with, and what was noted of it as a whole."""
        if session is None:
            return
        evenings, set_ = self.reading.evenings, letter(self.voice)
        closed = evenings.closed.get(session)
        if closed is not None and closed[1].text is not None and closed[1].text.text is not None:
            yield set_(closed[1].text.text)
        noted, _ = summed_up(self.reading.afterwards, evenings.opened[session][0])
        if noted is not None:
            yield set_(noted)

    def _open(self) -> Iterable[str]:
        """What is not over, what is asked, and what came out and nobody told, the last first; each once."""
        untold = (
            self.voice.phrases.say("recap.untold", what=one.what, who=list(one.who))
            for one in reversed(self.told.end.untold)
            if one.what
        )
        return dict.fromkeys((*self.told.end.open, *untold))

    def _people(self, named: str) -> Iterator[str]:
        """Everybody of whom there is something to say: those named above, then players', then the others."""
        said = fold(named)
        cast = (replace(one, phrase=None) if one.phrase == REDACTED else one for one in self.told.cast)
        told = [one for one in cast if one.player or one.phrase]
        for one in sorted(told, key=lambda one: (fold(one.name) not in said, one.player is None)):
            yield self.voice.phrases.say("recap.person", who=one.name, player=one.player, phrase=one.phrase)


# --- as much as there is room for -------------------------------------------------------------------------


def _fitting(heading: str, lines: Iterable[str], room: int, phrases: Phrases) -> Group:
    """As many of these lines as so many words hold, with what stands over and under them."""
    there = list(lines)
    room -= words_in(heading) + words_in(phrases.say("page.more", number=len(there)))
    kept: list[str] = []
    for line in there:
        one = line if kept else cut(line, room)
        if one and words_in(one) <= room:
            kept.append(one)
            room -= words_in(one)
    return Group(heading, tuple(kept), len(there) - len(kept))


def _words(group: Group, phrases: Phrases) -> int:
    return sum(words_in(line) for line in _shown(group, phrases))
