"""Pages of a campaign as HTML: sessions, people, places, threads and things; what is public, what private."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Final, Literal, NamedTuple

from retold.journal.vocabulary.base import GM
from retold.projections.dossiers import Dossiers, MatterKnown, PersonKnown, description, sections
from retold.projections.exports import blocks as b
from retold.projections.exports.fragment import FragmentWriter, heading, line
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.parallel import SessionTelling
from retold.projections.exports.told_sessions import told_sessions
from retold.projections.prose.phrases import Phrases
from retold.projections.reading import EVERYBODY, LineView, may_know
from retold.projections.texts import safe

Sort = Literal["session", "person", "place", "thread", "thing"]

PRIVATE: Final = "not for the players"
"""Written after the name of a page, or as the name of a part, that is for the viewer alone."""

_OBEYED: Final = re.compile(r"(?<=\w)\[|\[(?=\[|[A-Za-z_]+:)")
"""Brackets that Foundry and Kanka would obey: `[[/roll]]`, `@UUID[…]`, `[character:5]`."""
_JOINER: Final = "\u2060"
"""Invisible character that parts what would be obeyed."""


class Part(NamedTuple):
    """Name and HTML of a page as one viewer knows it; `date` of a session, `is_closed` of a thread."""

    sort: Sort
    name: str
    html: str
    date: str | None = None
    is_closed: bool = False


class WorldPage(NamedTuple):
    """Page of a campaign: the `public` part is what the table knows, `private` all that the viewer does.

    One of them may be None, never both. The private part repeats the public one.
    """

    public: Part | None
    private: Part | None

    @property
    def known(self) -> Part:
        """The public part, else the private one."""
        part = self.public or self.private
        assert part is not None  # noqa: S101 -- a page has one of them
        return part


def pages_of(reading: LineView, telling: SessionTelling, place: MechanicsPlace) -> list[WorldPage]:
    """Returns all pages known to the viewer: sessions first, then people, places, threads and things.

    Sessions are told as `telling` says; `place` says where numbers stand.
    """
    mine = _parts(reading, telling, place)
    table = reading.through(EVERYBODY)
    theirs = mine
    if reading.viewer != EVERYBODY:
        theirs = _parts(table, telling, place) if may_know(table) else {}
    pages = []
    for key, part in mine.items():
        public = theirs.get(key)
        pages.append(WorldPage(public, None if part == public else part))
    return pages


def _parts(
    reading: LineView, telling: SessionTelling, place: MechanicsPlace
) -> Mapping[tuple[str, int], Part]:
    phrases = telling.voice.phrases
    found: dict[tuple[str, int], Part] = {}
    sessions = [*reading.sessions.opened]
    for number, told in zip(sessions, told_sessions(reading, sessions, telling), strict=True):
        html = _PageWriter(place, phrases).text(place.shown(told).running())
        found["session", number] = Part("session", safe.line(told.title), inert(html), told.head.date)
    dossiers = Dossiers(reading, language=phrases.language)
    people = ((("person", number), dossiers.person(number)) for number in dossiers.people if number != GM)
    matters = ((("matter", at), dossiers.matter(at)) for at in dossiers.matters)
    every: Iterable[tuple[tuple[str, int], PersonKnown | MatterKnown]] = (*people, *matters)
    for key, known in sorted(every, key=lambda one: _ORDER.index(one[1].kind)):
        if known.name is not None and getattr(known, "role", "") != "player":
            found[key] = _about(known, phrases, numbers=place is not MechanicsPlace.NONE)
    return found


_ORDER: Final = ("person", "place", "thread", "thing")


class _PageWriter(FragmentWriter):
    """Writer of a session without its title, which the page has, and with pictures in words."""

    def block(self, block: b.Block) -> Iterable[str]:
        """Returns the HTML lines of a block."""
        if isinstance(block, b.Heading) and block.sort == "title":
            return ()
        if isinstance(block, b.Picture):
            return (f"<p><em>{line(block.in_words)}</em></p>",)
        return super().block(block)


def _about(known: PersonKnown | MatterKnown, phrases: Phrases, *, numbers: bool) -> Part:
    lines = [f"<p><em>{line(description(known, phrases))}</em></p>"]
    for title, items in sections(known, numbers=numbers, phrases=phrases):
        shown = "\n".join(f"<li>{_text(item.text)}</li>" for item in items)
        lines += [heading(1, title), f"<ul>\n{shown}\n</ul>"]
    closed = isinstance(known, MatterKnown) and known.closed is not None
    sort: Sort = known.of if isinstance(known, MatterKnown) else "person"
    return Part(sort, safe.line(known.called), inert("\n".join(lines) + "\n"), is_closed=closed)


def _text(typed: str) -> str:
    return escape(safe.text(typed), quote=False).replace("\n", "<br>\n")


def inert(html: str) -> str:
    """Returns HTML in which typed brackets are text for Foundry and Kanka, and no roll, link or mention."""
    return _OBEYED.sub(f"{_JOINER}[{_JOINER}", html)
