"""Recap of recent sessions, short enough to read aloud: endings, changes, open matters and cast."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from retold.journal.capabilities import Picture
from retold.journal.names import normalise
from retold.journal.refused import Refused
from retold.journal.store.events.codec import Recorded
from retold.journal.store.events.kinds import stored_names
from retold.journal.store.events.text_matching import count_words
from retold.journal.table import Table
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import events as e
from retold.projections.prose import Voice, game, reporting, voice_of
from retold.projections.prose.phrases import ENGLISH, Phrases
from retold.projections.reading import Arrival, LineView
from retold.projections.reading.sessions import SessionBounds, Stretch
from retold.projections.story import document
from retold.projections.story.placing import short_name
from retold.projections.story.transcript.build import of_stretch
from retold.projections.story.transcript.endings import (
    FIRST,
    LAST,
    Recalled,
    cut,
    first_sentence,
    fitting,
    recalled,
    spoken_aloud,
    summed_up,
)
from retold.projections.story.typography import typesetter_of
from retold.projections.story.variations import TellingOptions
from retold.projections.views import tracks
from retold.projections.views.matters import heard
from retold.projections.views.naming import conflict_name

__all__ = ["LENGTHS", "WORDS", "Recap", "has_gone_before", "of_line"]


class Group(NamedTuple):
    """Section of a recap: heading, text lines, and the number of lines left out for lack of space."""

    heading: str
    lines: tuple[str, ...]
    more: int = 0


NOTHING: Final = Group("", ())


class Recap(Struct, frozen=True):
    """Summary of one session or several, made only of recorded words and phrases of the voice.

    `happened` is how the sessions ended, in the table's own words.
    """

    title: str
    sessions: tuple[int, ...]
    happened: tuple[Recalled, ...]
    changed: Group
    open: Group
    people: Group
    phrases: Phrases = ENGLISH
    is_running: bool = False
    """True if it is read as one paragraph, without title and parts."""

    def first_lines(self) -> Iterator[str]:
        """Yields the sessions' ending in few words, as pages show it under “Previously”."""
        return (words.said(self.phrases) for words in fitting(self.happened, FIRST, self.phrases))

    def lines(self) -> Iterator[str]:
        """Yields the text lines of the recap, with an empty line before each heading."""
        if self.is_running:
            yield " ".join(words.said(self.phrases) for words in self.happened)
            return
        yield self.title
        yield from (words.said(self.phrases) for words in self.happened)
        for group in (self.changed, self.open, self.people):
            yield from shown(group, self.phrases)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def to_json(self) -> dict[str, Any]:
        """Returns the recap as JSON values, with the number of lines left out of each section."""
        groups = {"changed": self.changed, "open": self.open, "people": self.people}
        return {
            "retold": "recap",
            "version": 1,
            "title": self.title,
            "sessions": list(self.sessions),
            "happened": [
                {
                    "what": words.what,
                    "session": words.session,
                    "who": words.who,
                    "text": words.text,
                }
                for words in self.happened
            ],
            **{name: list(group.lines) for name, group in groups.items()},
            "left_out": {name: group.more for name, group in groups.items()},
        }


def shown(group: Group, phrases: Phrases) -> Iterator[str]:
    """Yields a section as a recap prints it: empty line, heading, indented lines; nothing if it is empty."""
    if group.lines:
        yield from ("", group.heading)
        yield from (f"  {line}" for line in group.lines)
        if group.more:
            yield f"  {phrases.say('page.more', number=group.more)}"


BACK: Final = 2000
"""Most events that the last session's recap looks back on, since not every table ends its sessions."""

_TOLD: Final = (e.ConflictOpened.kind, e.Narrated.kind, e.Said.kind, e.SessionClosed.kind)
"""Kinds showing that a session has really begun."""

_PART: Final = re.compile(r"s?(\d{1,9})(\.\.(?:s?(\d{1,9}))?)?")


def has_gone_before(reading: LineView) -> bool:
    """True if more was recorded than the opening of a first session, so that a recap makes sense."""
    known = (*reading.sessions.opened,)
    return bool(known) and (len(known) > 1 or _begun(reading, known[0]))


def sessions_meant(reading: LineView, part: str | int | None) -> tuple[tuple[int, ...], Stretch]:
    """Returns the session numbers named by `part` (`s3`, `s3..s7`), and the range of positions to recap.

    None means the last session, up to now. A range begins at the end of the session before it. Raises
    Refused for an unknown session.
    """
    evenings = reading.sessions
    known = (*evenings.opened,)
    if part is None and not known:
        return (), Stretch(0, reading.position)
    if part is None:
        last = _last(reading, known)
        begins = max(_begins(evenings, last), reading.position - BACK)
        return (last,), Stretch(begins, reading.position)
    first, last = _named(str(part), known)
    for session in (first, last):
        evenings.stretch(session)  # raises Refused for an unknown session
    sessions = tuple(session for session in known if first <= session <= last)
    return sessions, Stretch(_begins(evenings, first), evenings.around(last)[1])


def _begins(evenings: SessionBounds, session: int) -> int:
    """Returns the position after which a session's recap begins: the end of the session before it.

    For the first session it is the position before its opening.
    """
    return evenings.around(session)[0] or evenings.opened[session] - 1


def _last(reading: LineView, known: Sequence[int]) -> int:
    """Returns the last session, or the one before if the last has told nothing to the whole table yet."""
    last = known[-1]
    return last if len(known) == 1 or _begun(reading, last) else known[-2]


def _begun(reading: LineView, session: int) -> bool:
    """True if something was told to the whole table since `session` was opened."""
    begins = reading.sessions.opened[session]
    narrated = (kind for name in reading.table.shelves for kind in game(name).narrated)
    kinds = (*_TOLD, *(stored for kind in narrated for stored in stored_names(kind)))
    return any(_tells(recorded) for recorded in reading.past.standing(begins, kinds=kinds))


def _tells(recorded: Recorded) -> bool:
    """True if the whole table may see an event, and its own text or kind tells something."""
    event = recorded.event
    worded = event.kind in _TOLD or getattr(event, "text", None) is not None
    return worded and recorded.envelope.visible_to == TABLE


def _named(typed: str, known: Sequence[int]) -> tuple[int, int]:
    """Returns first and last session of `s3`, `3`, `s3..s7` or `s3..`; raises Refused for any other text."""
    found = _PART.fullmatch(typed.strip())
    if found is None:
        raise Refused(f"“{typed}” is no session: say recap s3, or recap s3..s7.")
    first = int(found[1])
    last = int(found[3]) if found[3] else known[-1] if found[2] and known else first
    if last < first:
        raise Refused(f"s{first}..s{last} runs backwards: say recap s{last}..s{first}.")
    return first, last


WORDS: Final = 200
"""Most words of a recap, headings included: a little more than a minute when read aloud."""

HAPPENED: Final = 110
CHANGED: Final = 35
OPEN: Final = 30
"""Most words of each part; unused words go to the parts after it."""

SENTENCE: Final = 40
"""Most words of a recap in one sentence, which is cut if it is longer."""


class Room(NamedTuple):
    """Most words of a recap and of its first three parts, and paragraphs of the last words."""

    words: int = WORDS
    happened: int = HAPPENED
    changed: int = CHANGED
    open: int = OPEN
    last: int = LAST


PAGE: Final = Room(WORDS * 5 // 2, HAPPENED * 5 // 2, CHANGED * 5 // 2, OPEN * 5 // 2, LAST * 3)

LENGTHS: Final = ("sentence", "paragraph", "page")
"""Lengths of a recap other than the usual one, which is read in a minute."""


def of_line(
    reading: LineView,
    part: str | int | None = None,
    *,
    viewer: str | Arrival = "gm",
    voice: Voice | str = "report",
    whole: bool = True,
    length: str | None = None,
) -> Recap:
    """Returns a branch's recap for `viewer`; `part` names sessions (`s3`, `s3..s7`).

    None means the last session, up to now. For the game master it holds only the whole table's knowledge, so
    that it can be read out. Raises Refused for an unknown session, viewer or voice, and if no event has been
    told yet. With `whole` false it has only the ending, or the cast if the ending is empty. `length` is one
    of `LENGTHS`, else a minute read aloud; Refused for any other.
    """
    if length not in (None, *LENGTHS):
        raise Refused(f"A recap has the length {', '.join(LENGTHS)}, not {length}.")
    sessions, stretch = sessions_meant(reading, part)
    reading.table_at(stretch.after)  # the reading then folds the last table from this one
    seen, speaks = spoken_aloud(reading.called(viewer)), reporting(voice_of(voice))
    told = of_stretch(seen, stretch, TellingOptions(speaks, untold=True, ends=whole))
    found = _Found(seen, sessions, stretch, told, speaks, PAGE if length == "page" else Room())
    if not whole:
        begun = found.begun()
        if begun.happened or begun.people.lines:
            return begun
        return of_line(reading, part, viewer=viewer, voice=voice)
    recap = found.fitted() if length in (None, "page") else found.running(length)
    if not (recap.happened or recap.changed.lines or recap.open.lines or recap.people.lines):
        raise Refused("Nothing has been told here yet, so there is nothing to recap.")
    return recap


class _Found(Struct, frozen=True):
    """Material of a recap: the transcript of its sessions, before a selection is made for length."""

    reading: LineView
    sessions: tuple[int, ...]
    stretch: Stretch
    told: document.Transcript
    voice: Voice
    room: Room = Room()

    def begun(self) -> Recap:
        """Returns a recap with the ending only, cut to length; with the cast if the ending is empty."""
        phrases, most = self.voice.phrases, self.room
        title = cut(self._title(), HAPPENED // 4, force=True)
        room = most.happened - count_words(title)
        happened = self._several(room) if len(self.sessions) > 1 else fitting(self._one(), room, phrases)
        left = most.words - most.happened - most.changed - most.open
        people = NOTHING if happened else self._who(left, "")
        return Recap(title, self.sessions, happened, NOTHING, NOTHING, people, phrases)

    def running(self, length: str) -> Recap:
        """Returns the ending as one paragraph.

        For `sentence`, the first sentence of the summary, else of its last text or quotation.
        """
        begun = replace(self.begun(), people=NOTHING, is_running=True)
        if length != "sentence":
            return begun
        told = [words for words in begun.happened if words.what != "scene"] or list(begun.happened)
        is_summed_up = bool(told) and told[0].what == "summary" and not self.sessions[1:]
        kept = told[:1] if is_summed_up else told[-1:]
        return replace(
            begun,
            happened=tuple(
                replace(words, text=cut(first_sentence(words.text), SENTENCE, force=True)) for words in kept
            ),
        )

    def fitted(self) -> Recap:
        """Returns the whole recap cut to length: the ending first, then changes, open matters and cast."""
        phrases, begun, most = self.voice.phrases, self.begun(), self.room
        happened, room = begun.happened, most.happened - count_words(begun.title)
        room += most.changed - sum(count_words(words.said(phrases)) for words in happened)
        changes = (*self._won(happened), *self.told.end.changed)
        changed = _fitting(phrases.say("page.changed"), changes, room, phrases)
        room += most.open - _words(changed, phrases)
        waits = open_matters(self.reading, self.stretch.upto, self.told.end, self.voice)
        open_ = _fitting(phrases.say("page.open"), waits, room, phrases)
        room += most.words - most.happened - most.changed - most.open - _words(open_, phrases)
        named = [*(words.said(phrases) for words in happened), *changed.lines, *open_.lines]
        people = self._who(room, "\n".join(named))
        return replace(begun, changed=changed, open=open_, people=people)

    def _won(self, happened: Iterable[Recalled]) -> Iterator[str]:
        """Yields a sentence for each conflict of the last session that has a winner.

        Sentences that `happened` holds already are left out.
        """
        phrases, table = self.voice.phrases, self.reading.table_at(self.stretch.upto)
        gm, told = phrases.say("names.gm"), {words.text for words in happened}
        for ended in table.ended.values():
            if not ended.winners or ended.at <= self.stretch.after or len(self.sessions) > 1:
                continue
            won = phrases.say(
                "table.won",
                who=phrases.say("page.side", who=[table.shown(person, gm) for person in ended.winners]),
            )
            if won not in told:
                title = None if ended.title is None else str(ended.title)
                conflict = conflict_name(title, ended.sides, table, gm)
                yield phrases.say("page.ended", conflict=typesetter_of(self.voice)(conflict), how=[won])

    def _title(self) -> str:
        phrases = self.voice.phrases
        if not self.sessions:
            return self.told.head.campaign or phrases.say("page.campaign")
        if len(self.sessions) == 1:
            return self._called(self.sessions[0], dated=True)
        return phrases.say("page.several-sessions", numbers=f"{self.sessions[0]}-{self.sessions[-1]}")

    def _called(self, session: int, *, dated: bool = False) -> str:
        opened = self.reading.sessions.opening(session)
        title = None if opened.title is None else opened.title.text
        return self.voice.phrases.say(
            "recap.session",
            number=session,
            title=title and typesetter_of(self.voice)(title),
            date=self.voice.phrases.date(opened.date) if dated and opened.date else None,
        )

    def _one(self) -> tuple[Recalled, ...]:
        """Returns the ending of a single session, or of the whole range if it has no session."""
        session = next(iter(self.sessions), None)
        return recalled(
            session,
            self._scenes(session),
            self.told.end.quotes,
            self._summaries(session),
            self.voice.phrases,
            most=self.room.last,
        )

    def _several(self, room: int) -> tuple[Recalled, ...]:
        """Returns the summary or last words of each session; if space is short, later sessions win."""
        phrases, share = self.voice.phrases, max(room // len(self.sessions), HAPPENED // 8)
        chosen: list[Recalled] = []
        for session in reversed(self.sessions):
            found = recalled(session, self._scenes(session), (), self._summaries(session), phrases)
            if not found:
                continue
            words = found[0] if found[0].what == "summary" else found[-1]
            called = self._called(session)
            before = count_words(f"{called} {words.label}")
            words = replace(
                words,
                text=cut(words.text, min(room, share) - before, force=True),
                label=f"{called}{phrases.language.colon} {words.label}" if words.label else called,
            )
            if words.text:
                chosen.append(words)
                room -= count_words(words.said(phrases))
        return tuple(reversed(chosen))

    def _scenes(self, session: int | None) -> list[document.Scene]:
        """Returns the scenes of a session, or for None the scenes outside of sessions.

        A scene begun before the recap's range keeps its title.
        """
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
        """Yields texts that sum up a session: its closing words, and notes about the session as a whole."""
        if session is None:
            return
        evenings, set_ = self.reading.sessions, typesetter_of(self.voice)
        closed = evenings.closing(session)
        if closed is not None and closed.text is not None and closed.text.text is not None:
            yield set_(closed.text.text)
        opened = evenings.opened[session]
        noted, _ = summed_up(self.reading.late_additions_since(opened - 1), opened)
        if noted is not None:
            yield set_(noted)

    def _who(self, room: int, named: str) -> Group:
        """Returns the section on the cast, cut to `room` words; people named in `named` come first."""
        return _fitting(self.voice.phrases.say("recap.people"), self._people(named), room, self.voice.phrases)

    def _people(self, named: str) -> Iterator[str]:
        """Yields a text line for each character: named in `named` first, then played ones, then the rest."""
        said, language = normalise(named), self.voice.phrases.language
        cast = (
            replace(member, phrase=None) if language.is_redacted(member.phrase) else member
            for member in self.told.cast
        )
        told = [member for member in cast if member.player or member.phrase]
        for member in sorted(
            told, key=lambda member: (normalise(member.name) not in said, member.player is None)
        ):
            yield self.voice.phrases.say(
                "recap.person", who=member.name, player=member.player, phrase=member.phrase
            )


# --- as much as there is room for -------------------------------------------------------------------------


def _fitting(heading: str, lines: Iterable[str], room: int, phrases: Phrases) -> Group:
    """Returns a section with as many lines as fit in `room` words, including heading and "… more"."""
    there = list(lines)
    room -= count_words(heading) + count_words(phrases.say("page.more", number=len(there)))
    kept: list[str] = []
    for line in there:
        fitted = line if kept else cut(line, room)
        if fitted and count_words(fitted) <= room:
            kept.append(fitted)
            room -= count_words(fitted)
    return Group(heading, tuple(kept), len(there) - len(kept))


def _words(group: Group, phrases: Phrases) -> int:
    return sum(count_words(line) for line in shown(group, phrases))


NEAR: Final = 3
"""A clock is nearly full if at most this fraction (1/NEAR) is left."""


def open_matters(reading: LineView, upto: int, end: document.End, voice: Voice) -> tuple[str, ...]:
    """Returns text lines about what is still open at position `upto`, each once.

    Conflicts come first, then nearly full clocks, threads, and untold results.
    """
    phrases = voice.phrases
    untold = (
        phrases.say("recap.untold", what=missing.what, who=list(missing.who))
        for missing in reversed(end.untold)
        if missing.what
    )
    nearly = nearly_full_clocks(reading.table_at(upto), phrases)
    return tuple(dict.fromkeys((*end.open, *nearly, *_threads(reading, upto, voice), *untold)))


def nearly_full_clocks(table: Table, phrases: Phrases) -> Iterator[str]:
    """Yields a text line for each clock with at most a third, or one segment, left to fill."""
    for track in tracks.of(table).tracks:
        if (
            track.picture is Picture.CLOCK
            and track.most
            and 0 < track.most - track.value <= max(track.most // NEAR, 1)
        ):
            yield phrases.say(
                "recap.clock",
                whose=_whose(track, table, phrases),
                what=phrases.named(track.system, track.what, track.value),
                now=track.value,
                most=track.most,
            )


def _whose(track: tracks.TrackSeen, table: Table, phrases: Phrases) -> str:
    is_of_the_table = track.who is None and track.title is None
    return short_name(phrases, track.system, table) if is_of_the_table else track.whose


def _threads(reading: LineView, upto: int, voice: Voice) -> Iterator[str]:
    """Yields a text line for each open thread with its last note, the most recently noted first."""
    known = heard(reading, upto).drafts.values()
    threads = [
        (matter.names[-1], matter.last)
        for matter in known
        if matter.sort == "thread" and matter.closed is None
    ]
    threads.sort(key=lambda thread: -((thread[1] and thread[1].session) or 0))
    set_ = typesetter_of(voice)
    for name, last in threads:
        if name is not None:
            note = last and last.text
            yield voice.phrases.say("recap.thread", thread=set_(name), note=note and set_(note))
