"""Makes a recap: finds what was told in some sessions, and chooses as much of it as can be read aloud."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from journal.names import fold
from journal.refused import Refused
from journal.store.folding import words_in
from journal.words import REDACTED
from projections import pages
from projections.prose import Voice, reporting, voice_of
from projections.prose.lettering import letter
from projections.prose.phrases import Phrases
from projections.reading import Arrival, Reading
from projections.reading.evenings import Stretch
from projections.recap.meant import meant
from projections.recap.value import NOTHING, Group, Recap, shown
from projections.transcript.endings import Recalled, aloud, cut, fitting, recalled, summed_up
from projections.transcript.making import of_stretch
from projections.transcript.variations import Manner

WORDS: Final = 200
"""Words a recap has at most, headings and all: what is read aloud in little more than a minute."""

HAPPENED: Final = 110
CHANGED: Final = 35
OPEN: Final = 30
"""Of these, what each part may have; one that needs less leaves the rest to those after it."""


def of_line(
    reading: Reading,
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
    sessions, stretch = meant(reading, part)
    reading.table_at(stretch.after)  # before the one at the end, which is then folded from here on
    seen, speaks = aloud(reading.called(viewer)), reporting(voice_of(voice))
    told = of_stretch(seen, stretch, Manner(speaks, untold=True, ends=whole))
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

    reading: Reading
    sessions: tuple[int, ...]
    stretch: Stretch
    told: pages.Transcript
    voice: Voice

    def begun(self) -> Recap:
        """As much of how it ended as may be read aloud; where that is nothing, who is who."""
        phrases, title = self.voice.phrases, cut(self._title(), HAPPENED // 4, force=True)
        room = HAPPENED - words_in(title)
        happened = self._several(room) if len(self.sessions) > 1 else fitting(self._one(), room, phrases)
        people = NOTHING if happened else self._who(WORDS - HAPPENED - CHANGED - OPEN, "")
        return Recap(title, self.sessions, happened, NOTHING, NOTHING, people, phrases)

    def fitted(self) -> Recap:
        """As much of it as may be read aloud: how it ended first, then what changed, is open, who is who."""
        from projections.recap.unsettled import unsettled  # noqa: PLC0415 -- who begins the console is not told

        phrases, begun = self.voice.phrases, self.begun()
        happened, room = begun.happened, HAPPENED - words_in(begun.title)
        room += CHANGED - sum(words_in(one.said(phrases)) for one in happened)
        changed = _fitting(phrases.say("page.changed"), self.told.end.changed, room, phrases)
        room += OPEN - _words(changed, phrases)
        waits = unsettled(self.reading, self.stretch.upto, self.told.end, self.voice)
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
        begins = self.reading.table_at(self.stretch.after)
        found, here, title = [], begins.session, begins.scene_title
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
        closed = evenings.closing(session)
        if closed is not None and closed.text is not None and closed.text.text is not None:
            yield set_(closed.text.text)
        opened = evenings.opened[session]
        noted, _ = summed_up(self.reading.afterwards_beyond(opened - 1), opened)
        if noted is not None:
            yield set_(noted)

    def _who(self, room: int, named: str) -> Group:
        """Who is who, as far as so many words hold it."""
        return _fitting(self.voice.phrases.say("recap.people"), self._people(named), room, self.voice.phrases)

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
    return sum(words_in(line) for line in shown(group, phrases))
