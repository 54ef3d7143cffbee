"""Texts around a story, for one page: blurb, content notes, epigraph, pull quote and reflections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from retold.journal.store.events.codec import Recorded
from retold.journal.store.events.text_matching import has_part
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from retold.projections.prose import Voice
from retold.projections.reading import LineView
from retold.projections.reading.sessions import Stretch
from retold.projections.story.document import PageTexts, Quote
from retold.projections.story.typography import typesetter_of, typesetter_of_words

KINDS: Final = (e.PageTextWritten.kind, e.PassagePulled.kind)
_NO_MARKS: Final = ("", "")


def page_texts(reading: LineView, stretch: Stretch, voice: Voice) -> PageTexts:
    """Returns the texts around the story of `stretch`, as the viewer knows them; the latest of each sort.

    A session has its own, or else the campaign's, and its own reflections. A book has the campaign's, or else
    those of its only session, and every reflection. A part of a session has none.
    """
    if stretch.session is None and stretch.after:
        return PageTexts()
    written = written_for(reading)
    shared = _latest(text for text in written if text[1] is None)
    own = _latest(
        (recorded, session)
        for recorded, session in written
        if session is not None and is_told_in(reading, stretch, session)
    )
    if stretch.session is None:
        own = own if len(reading.sessions.opened) == 1 else _reflections(own)
        return _shown(reading, own | shared, voice)
    for key in _reflections(shared):
        del shared[key]
    return _shown(reading, shared | own, voice)


def own_texts(reading: LineView, session: int | None, voice: Voice) -> PageTexts:
    """Returns the latest text of each sort written for one session; for the campaign if `session` is None."""
    return _shown(reading, _latest(text for text in written_for(reading) if text[1] == session), voice)


def _latest(written: Iterable[tuple[Recorded, int | None]]) -> dict[str, Recorded]:
    """Returns the latest text of each key, in order of writing."""
    found: dict[str, Recorded] = {}
    for recorded, session in written:
        key = _key(recorded, session)
        found.pop(key, None)  # so that it moves to where its latest wording was written
        found[key] = recorded
    return found


def written_for(reading: LineView) -> Sequence[tuple[Recorded, int | None]]:
    """Returns the texts around stories that the viewer knows, with their sessions (None: the campaign's)."""
    return reading.past.once(("page texts", reading.viewer), lambda: tuple(_written_for(reading)))


def _written_for(reading: LineView) -> Iterator[tuple[Recorded, int | None]]:
    for recorded in reading.recorded(kinds=KINDS):
        event = recorded.event
        if isinstance(event, e.PassagePulled):
            if _has_words(reading, event):  # a pull quote without words takes the place of none
                yield recorded, session_at(reading, event.at)
        elif isinstance(event, e.PageTextWritten):
            yield recorded, event.session if event.about is None else session_at(reading, event.about)


def session_at(reading: LineView, position: int) -> int | None:
    """Returns the number of the last session opened at or before `position`; None before the first."""
    opened = [number for number, at in reading.sessions.opened.items() if at <= position]
    return opened[-1] if opened else None


def is_told_in(reading: LineView, stretch: Stretch, session: int) -> bool:
    """True if `stretch` is this session, or has its beginning."""
    if stretch.session is not None:
        return session == stretch.session.session
    return stretch.after < reading.sessions.opened.get(session, 0) <= stretch.upto


def _key(recorded: Recorded, session: int | None) -> str:
    """Returns the key of a text: a page shows only the latest text of each key.

    The reflections of a person on a session have a key of their own.
    """
    event = recorded.event
    if isinstance(event, e.PageTextWritten) and event.sort == "reflection":
        return f"reflection {event.who} {session}"
    return event.sort if isinstance(event, e.PageTextWritten) else "pull"


def _reflections(found: dict[str, Recorded]) -> dict[str, Recorded]:
    return {key: recorded for key, recorded in found.items() if key.startswith("reflection")}


def _shown(reading: LineView, found: dict[str, Recorded], voice: Voice) -> PageTexts:
    set_, told = typesetter_of(voice), typesetter_of_words(voice)
    texts: dict[str, str] = {}
    pull: Quote | None = None
    reflections: list[Quote] = []
    for recorded in found.values():
        event, id_ = recorded.event, reading.ids.at(recorded.position)
        if isinstance(event, e.PassagePulled):
            pull = _pulled(reading, event, voice)
        elif isinstance(event, e.PageTextWritten) and event.text.text is not None:
            if event.sort == "reflection":
                who = None if event.who is None else set_(reading.table.shown(event.who))
                reflections.append(Quote(f"{id_}p", told(event.text.text), who, _NO_MARKS))
            else:
                texts[event.sort] = told(event.text.text)
    return PageTexts(**texts, pull=pull, reflections=tuple(reflections))


def _words_at(reading: LineView, position: int) -> tuple[Recorded, str] | None:
    """Returns the event at a position with its text; None if the viewer knows none there."""
    told = next(reading.recorded(position - 1, position), None)
    words = getattr(told and told.event, "text", None)
    if told is None or not isinstance(words, Words) or words.text is None:
        return None
    return told, words.text


def _has_words(reading: LineView, event: e.PassagePulled) -> bool:
    is_redacted = event.text is not None and event.text.text is None
    return not is_redacted and _words_at(reading, event.at) is not None


def _pulled(reading: LineView, event: e.PassagePulled, voice: Voice) -> Quote | None:
    """Returns the words at the moment of `event`, or the named part of them; None without words.

    All the words are returned if a reworded text lacks that part.
    """
    found = _words_at(reading, event.at)
    if found is None:
        return None
    told, part = found
    if event.text is not None and has_part(part, event.text.text or ""):
        part = event.text.text or ""
    who: int | None = getattr(told.event, "who", None)
    set_ = typesetter_of(voice)
    named = None if who is None else set_(reading.table.shown(who))
    return Quote(reading.ids.at(told.position), typesetter_of_words(voice)(part), named, _NO_MARKS)
