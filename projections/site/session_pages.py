"""Session pages of a site, and the contents page with each session's first lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from msgspec.structs import replace

from retold.projections.exports import html, replay
from retold.projections.exports.page_elements import UNDATED, Furniture, MechanicsPlace, leaders
from retold.projections.prose import Voice
from retold.projections.reading import LineView
from retold.projections.replay import Replay
from retold.projections.site import addresses as a
from retold.projections.site.frame import PageFrame, SiteFile, SiteLink, SitePage, brief
from retold.projections.story.document import Transcript
from retold.projections.story.transcript.endings import (
    FIRST,
    OWN,
    cut,
    ending_told,
    first_sentence,
    fitting,
    recalled,
    recalled_words,
)
from retold.projections.story.typography import typesetter_of
from retold.projections.texts import emphasis

_ID: Final = re.compile(r' id="([^"]+)"')


class SessionPage(NamedTuple):
    """Page of a session, or of the whole story if the branch has no sessions.

    `words` are how it begins, `ended` its summary or ending, `told` is its transcript, `steps` its replay.
    """

    path: str
    words: tuple[str, ...]
    ended: tuple[str, ...]
    told: Transcript
    steps: Replay | None

    @property
    def title(self) -> str:
        """Title of the session."""
        return self.told.title

    @property
    def date(self) -> str | None:
        """Day of the session as YYYY-MM-DD; None if none was recorded."""
        return self.told.head.date

    @property
    def replay(self) -> str | None:
        """Path of the session's replay page; None if the session has no replay."""
        return None if self.steps is None else a.session(self.told.head.session, a.REPLAYS)

    @property
    def link(self) -> SiteLink:
        """Link target for other pages: path and title of this page."""
        return SiteLink(self.path, self.title)

    @property
    def published(self) -> str:
        """Date of play (UTC, ISO 8601), else the time of recording."""
        return f"{self.date}T00:00:00Z" if self.date else self.told.opened or f"{UNDATED}T00:00:00Z"

    @property
    def updated(self) -> str:
        """Time of the last recorded paragraph (UTC, ISO 8601)."""
        if self.told.opened is None:
            return self.published
        last = max((paragraph.seconds or 0 for paragraph in self.told.paragraphs()), default=0)
        at = datetime.fromisoformat(self.told.opened)
        try:
            at += timedelta(seconds=last)
        except OverflowError:  # the calendar ends with the year 9999, which a clock may show
            at = datetime.max.replace(tzinfo=at.tzinfo)
        return at.isoformat(timespec="seconds").replace("+00:00", "Z")


def evening(reading: LineView, told: Transcript, voice: Voice, place: MechanicsPlace) -> SessionPage:
    """Returns the session page of a transcript, with its dice, cards and numbers at `place`."""
    shown = place.shown(told).running()
    words, ended = tuple(_opening(told)), tuple(_ending(reading, told, voice))
    return SessionPage(a.session(told.head.session), words, ended, shown, shown.replay)


def _opening(told: Transcript) -> Iterator[str]:
    """Yields the session's blurb, or else its first scene and the first sentence that people told."""
    if told.pages.blurb is not None:
        yield cut(emphasis.words(told.pages.blurb), FIRST, force=True)
        return
    for scene in told.scenes:
        for paragraph in ending_told(scene, (), OWN, told.phrases):
            if scene.title is not None and not told.phrases.language.is_redacted(scene.title):
                yield scene.title
            words = recalled_words(told.head.session, paragraph)
            first = cut(first_sentence(words.text), FIRST, force=True)
            yield replace(words, text=first).said(told.phrases)
            return


def _ending(reading: LineView, told: Transcript, voice: Voice) -> Iterator[str]:
    """Yields the session's summary, or else its ending, shortened, in the table's own words."""
    number, summaries = told.head.session, [told.head.summary]
    closed = None if number is None else reading.sessions.closing(number)
    if closed is not None and closed.text is not None and closed.text.text is not None:
        summaries.append(typesetter_of(voice)(closed.text.text))
    known = [summary for summary in summaries if summary is not None]
    ended = recalled(number, told.scenes, told.end.quotes, known, voice.phrases)
    in_short = tuple(words for words in ended if words.what == "summary")
    yield from (words.said(voice.phrases) for words in fitting(in_short or ended, FIRST, voice.phrases))


def pages_of(frame: PageFrame, evenings: Sequence[SessionPage], place: MechanicsPlace) -> Iterator[SiteFile]:
    """Yields each session's HTML page, linked to the previous and the next one."""
    before: list[SessionPage | None] = [None, *evenings[:-1]]
    after: list[SessionPage | None] = [*evenings[1:], None]
    for previous, shown, following in zip(before, evenings, after, strict=True):
        page = SitePage(
            shown.path,
            shown.title,
            brief(shown.words),
            shown.published,
            previous and previous.link,
            following and following.link,
            "'self' 'unsafe-inline'" if any(shown.told.plates()) else "'self'",
            images="'self'" if any(shown.told.images()) else "'none'",
        )
        told = html.told(shown.told, place, frame.linker.once, f"{a.root(shown.path)}{a.PICTURES}")
        yield frame.page("session.html.j2", page, evening=shown, **told)


def replays_of(frame: PageFrame, evenings: Iterable[SessionPage]) -> Iterator[SiteFile]:
    """Yields the replay page of each session told with steps, linked to its transcript."""
    for session in evenings:
        if session.steps is not None and session.replay is not None:
            page = frame.placed(
                SitePage(session.replay, session.title, brief(session.words), session.published)
            )
            preview = frame.filled("replay.html.j2", page=page).decode()
            told = f"{page.root}{session.path}", frame.say("site.transcript")
            yield SiteFile(
                page.path,
                replay.render(session.steps.to_json(), session.told.phrases, told=told, preview=preview),
            )


def anchors(page: bytes) -> frozenset[str]:
    """Returns the ids of a page's elements, which links can point to."""
    return frozenset(_ID.findall(page.decode()))


def contents(frame: PageFrame, evenings: Sequence[SessionPage], front: Transcript) -> SiteFile:
    """Returns the contents page: cover and texts of the campaign, and every session with its first lines.

    `front` is a transcript without a story, which has this cover and these texts.
    """
    played = " · ".join(_played(frame, evenings))
    about = [front.pages.blurb] if front.pages.blurb else [played, *(evenings[0].words if evenings else ())]
    images = "'none'" if front.cover is None else "'self'"
    page = SitePage(a.CONTENTS, frame.title, brief(about), images=images)
    told = html.told(front, MechanicsPlace.NONE, frame.linker.once, f"{a.root(page.path)}{a.PICTURES}")
    systems = (credit for evening in evenings for credit in evening.told.head.credits)
    owed = Furniture(frame.voice.phrases).owed(systems)
    return frame.page("contents.html.j2", page, evenings=evenings, played=played, owed=owed, **told)


def _played(frame: PageFrame, evenings: Sequence[SessionPage]) -> Iterator[str]:
    """Yields texts for the contents page: dates of play, systems, and the latest game master."""
    dates = sorted(session.date for session in evenings if session.date)
    if dates and dates[0] != dates[-1]:
        yield frame.say("page.from-to", first=frame.day(dates[0]), last=frame.day(dates[-1]))
    else:
        yield from map(frame.day, dates[:1])
    yield from dict.fromkeys(system for session in evenings for system in session.told.head.systems)
    led = [led_by for led_by in (leaders(evening.told) for evening in reversed(evenings)) if led_by]
    run_by = Furniture(frame.voice.phrases).run_by(led[0]) if led else None
    yield from () if run_by is None else (run_by,)
