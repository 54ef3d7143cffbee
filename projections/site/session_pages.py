"""The sessions of a site: each on a page as it is told, and in the contents with its first lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from projections.document import Paragraph, Transcript
from projections.exports import html, replay
from projections.exports.page_elements import UNDATED, Furniture, MechanicsPlace, leaders
from projections.prose import Voice
from projections.reading import LineView
from projections.replay import Replay
from projections.site import addresses as a
from projections.site.frame import PageFrame, SiteFile, SiteLink, SitePage, brief
from projections.transcript.endings import FIRST, fitting, recalled
from projections.typography import typesetter_of

_ID: Final = re.compile(r' id="([^"]+)"')


class SessionPage(NamedTuple):
    """A session, or all there is where nobody ever opened one: its page, a few words, and as it is told."""

    path: str
    words: tuple[str, ...]
    told: Transcript
    steps: Replay | None

    @property
    def title(self) -> str:
        """What it is called."""
        return self.told.title

    @property
    def date(self) -> str | None:
        """The day it was played, if anybody said."""
        return self.told.head.date

    @property
    def replay(self) -> str | None:
        """The page on which it is stepped through, if it was told with its steps."""
        return None if self.steps is None else a.session(self.told.head.session, a.REPLAYS)

    @property
    def link(self) -> SiteLink:
        """What leads to it."""
        return SiteLink(self.path, self.title)

    @property
    def published(self) -> str:
        """When it was played: UTC, ISO 8601; else when it was recorded."""
        return f"{self.date}T00:00:00Z" if self.date else self.told.opened or f"{UNDATED}T00:00:00Z"

    @property
    def updated(self) -> str:
        """When the last of it was recorded."""
        if self.told.opened is None:
            return self.published
        last = max((one.seconds or 0 for one in _paragraphs(self.told)), default=0)
        at = datetime.fromisoformat(self.told.opened)
        try:
            at += timedelta(seconds=last)
        except OverflowError:  # the calendar ends with the year 9999, and a clock may be set to that
            at = datetime.max.replace(tzinfo=at.tzinfo)
        return at.isoformat(timespec="seconds").replace("+00:00", "Z")


def evening(reading: LineView, told: Transcript, voice: Voice, place: MechanicsPlace) -> SessionPage:
    """A session of a reading as its page has it, its mechanics where they are wanted."""
    shown = (told.without_mechanics() if place is MechanicsPlace.NONE else told).running()
    words = tuple(_first_lines(reading, told, voice))
    return SessionPage(a.session(told.head.session), words, shown, shown.replay)


def _first_lines(reading: LineView, told: Transcript, voice: Voice) -> Iterator[str]:
    """What sums it up, else how it ended, in few words of the table's own."""
    number, summaries = told.head.session, [told.head.summary]
    closed = None if number is None else reading.evenings.closing(number)
    if closed is not None and closed.text is not None and closed.text.text is not None:
        summaries.append(typesetter_of(voice)(closed.text.text))
    ended = recalled(number, told.scenes, told.end.quotes, [one for one in summaries if one is not None])
    in_short = tuple(one for one in ended if one.what == "summary")
    yield from (one.said(voice.phrases) for one in fitting(in_short or ended, FIRST, voice.phrases))


def pages_of(frame: PageFrame, evenings: Sequence[SessionPage], place: MechanicsPlace) -> Iterator[SiteFile]:
    """The page of each, with what leads to the one before and the next."""
    before: list[SessionPage | None] = [None, *evenings[:-1]]
    after: list[SessionPage | None] = [*evenings[1:], None]
    for previous, one, following in zip(before, evenings, after, strict=True):
        page = SitePage(
            one.path,
            one.title,
            brief(one.words),
            one.published,
            previous and previous.link,
            following and following.link,
            "'self' 'unsafe-inline'" if any(one.told.plates()) else "'self'",
        )
        yield frame.page("session.html.j2", page, evening=one, **html.told(one.told, place))


def replays_of(frame: PageFrame, evenings: Iterable[SessionPage]) -> Iterator[SiteFile]:
    """The page on which each is stepped through, with what leads to where it is read."""
    for one in evenings:
        if one.steps is not None and one.replay is not None:
            page = frame.placed(SitePage(one.replay, one.title, brief(one.words), one.published))
            preview = frame.filled("replay.html.j2", page=page).decode()
            told = f"{page.root}{one.path}", frame.say("site.transcript")
            yield SiteFile(
                page.path, replay.render(one.steps.to_json(), one.told.phrases, told=told, preview=preview)
            )


def anchors(page: bytes) -> frozenset[str]:
    """What can be pointed at on a page."""
    return frozenset(_ID.findall(page.decode()))


def contents(frame: PageFrame, evenings: Sequence[SessionPage]) -> SiteFile:
    """The first page: every session with its first lines."""
    played = " · ".join(_played(frame, evenings))
    page = SitePage(a.CONTENTS, frame.title, brief([played, *(evenings[-1].words if evenings else ())]))
    return frame.page("contents.html.j2", page, evenings=evenings, played=played)


def _played(frame: PageFrame, evenings: Sequence[SessionPage]) -> Iterator[str]:
    """When it was played, what, and who ran it last."""
    dates = sorted(one.date for one in evenings if one.date)
    if dates and dates[0] != dates[-1]:
        yield frame.say("page.from-to", first=dates[0], last=dates[-1])
    else:
        yield from dates[:1]
    yield from dict.fromkeys(system for one in evenings for system in one.told.head.systems)
    led = [one for one in (leaders(evening.told) for evening in reversed(evenings)) if one]
    run_by = Furniture(frame.voice.phrases).run_by(led[0]) if led else None
    yield from () if run_by is None else (run_by,)


def _paragraphs(told: Transcript) -> Iterator[Paragraph]:
    return (one for scene in told.scenes for passage in scene.passages for one in passage.paragraphs)
