"""Session pages of a site, and the replays of its sessions."""

from __future__ import annotations

import hashlib
import json
import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final, NamedTuple

from msgspec.structs import replace

from retold.journal.refused import none_if_refused
from retold.projections.exports import TYPST, html, replay
from retold.projections.exports.page_elements import UNDATED, MechanicsPlace
from retold.projections.postcards import Postcard, rendered
from retold.projections.prose.phrases import Phrases
from retold.projections.replay import Replay
from retold.projections.site import addresses as a
from retold.projections.site.frame import PageFrame, SiteFile, SiteLink, SitePage, brief
from retold.projections.site.settings import SiteSettings, styled
from retold.projections.story.document import Transcript
from retold.projections.story.transcript.endings import (
    FIRST,
    OWN,
    cut,
    ending_told,
    first_sentence,
    recalled_words,
)
from retold.projections.texts import emphasis, safe

Kept = Callable[[str, object, Callable[[], bytes]], bytes]
"""Returns the page at a path that shows something: a kept one, or what the last argument makes."""

_ID: Final = re.compile(r' id="([^"]+)"')


class SessionPage(NamedTuple):
    """Page of a session, or of the whole story if the branch has no sessions.

    `words` are how it begins, `told` is its transcript, `steps` its replay, `digest` that of all these.
    """

    path: str
    words: tuple[str, ...]
    told: Transcript
    steps: Replay | None
    digest: bytes

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


def evening(told: Transcript, place: MechanicsPlace) -> SessionPage:
    """Returns the session page of a transcript, with its dice, cards and numbers at `place`."""
    shown = place.shown(told).running()
    digest = hashlib.sha256(pickle.dumps((told, place))).digest()
    return SessionPage(a.session(told.head.session), tuple(_opening(told)), shown, shown.replay, digest)


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


def cards_of(frame: PageFrame, evenings: Iterable[SessionPage]) -> Iterator[tuple[str, SiteFile]]:
    """Yields the page path and a picture of how each session begins, for link previews.

    There are none without the site's address, or without Typst, and none of words that no font has.
    """
    for page in evenings if frame.base is not None and TYPST.is_here() else ():
        words = page.words[-1] if page.words else page.title
        card = Postcard("", frame.title, page.title, safe.line(words), heading=True, lang=page.told.lang)
        data = none_if_refused(partial(rendered, card, "png"))
        if data is not None:
            yield page.path, SiteFile(f"{a.PICTURES}{a.named_by(data)}.png", data)


def pages_of(
    frame: PageFrame,
    evenings: Sequence[SessionPage],
    place: MechanicsPlace,
    cards: Mapping[str, SiteFile],
    kept: Kept,
) -> Iterator[SiteFile]:
    """Yields each session's HTML page, linked to the previous and the next one; `cards` by page path.

    `kept` returns the page of a path that shows the same as before, else makes it.
    """
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
            picture=cards[shown.path].path if shown.path in cards else None,
        )
        make = partial(_session_page, frame, page, shown, place)
        yield SiteFile(page.path, kept(page.path, (page, shown.digest), make))


def _session_page(frame: PageFrame, page: SitePage, shown: SessionPage, place: MechanicsPlace) -> bytes:
    told = html.told(shown.told, place, frame.linker.once, f"{a.root(shown.path)}{a.PICTURES}")
    return frame.page("session.html.j2", page, evening=shown, **told).data


def replays_of(
    frame: PageFrame,
    evenings: Iterable[SessionPage],
    settings: SiteSettings,
    cards: Mapping[str, SiteFile],
    kept: Kept,
) -> Iterator[SiteFile]:
    """Yields the replay page of each session told with steps, linked to its transcript.

    With the site's address, a file says how another page shows it (oEmbed). `kept` is as in `pages_of`.
    """
    for session in evenings:
        if session.steps is not None and session.replay is not None:
            card = cards.get(session.path)
            page = frame.placed(
                SitePage(
                    session.replay,
                    session.title,
                    brief(session.words),
                    session.published,
                    picture=card and card.path,
                )
            )
            embedding = _embedding(frame, page)
            if embedding is not None:
                yield embedding
            preview = frame.filled(
                "replay.html.j2", page=page, embedding=embedding and embedding.path
            ).decode()
            told = f"{page.root}{session.path}", frame.say("site.transcript")
            make = partial(_replay_page, session.steps, session.told.phrases, told, preview, settings)
            yield SiteFile(page.path, kept(page.path, (page, session.digest), make))


def _replay_page(
    steps: Replay, phrases: Phrases, told: tuple[str, str], preview: str, settings: SiteSettings
) -> bytes:
    looks = partial(styled, settings=settings)
    return replay.render(steps.to_json(), phrases, told=told, preview=preview, looks=looks)


def _embedding(frame: PageFrame, page: SitePage) -> SiteFile | None:
    """Returns the oEmbed answer for a replay page; None without the site's address."""
    if page.address is None:
        return None
    shown = f'<iframe src="{page.address}?embed" width="800" height="600" allowfullscreen></iframe>'
    about = {"version": "1.0", "type": "rich", "width": 800, "height": 600, "html": shown}
    data = safe.in_json(json.dumps({**about, "title": page.title, "provider_name": frame.title})).encode()
    return SiteFile(f"{a.EMBEDDINGS}{a.named_by(data)}.json", data)


def anchors(page: bytes) -> frozenset[str]:
    """Returns the ids of a page's elements, which links can point to."""
    return frozenset(_ID.findall(page.decode()))
