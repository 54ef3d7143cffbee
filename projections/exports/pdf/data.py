"""A transcript as the data a page is set from: safe texts, in the order in which they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from projections import safe
from projections.exports import layout
from projections.exports.layout import Notes, Place
from projections.pages import Conflict, End, Mechanic, Paragraph, Passage, Scene, Transcript, Variation
from projections.prose.telling import Tag

ASIDES: Final = frozenset({Tag.NOTE, Tag.RULING, Tag.EDIT})

_LONG: Final = re.compile(r"\S{24}(?=\S)")
_LANGUAGE: Final = re.compile(r"([a-z]{2,3})(?:-.*)?", re.IGNORECASE)
_REGION: Final = re.compile(r".*-([a-z]{2})\b", re.IGNORECASE)


def data(transcript: Transcript, place: Place) -> dict[str, Any]:
    """Everything `page.typ` asks for."""
    book = any(scene.chapter for scene in transcript.scenes)
    setter = _Setter(place, book)
    language, region = _LANGUAGE.fullmatch(transcript.lang), _REGION.match(transcript.lang)
    head = transcript.head
    return {
        "title": _line(transcript.title),
        "campaign": _line(head.campaign or transcript.title),
        "authors": [_line(one) for one in layout.authors(transcript)],
        "played": [int(part) for part in layout.played(transcript).split("-")],
        "lang": language[1].lower() if language else "en",
        "region": region[1].upper() if region else None,
        "book": book,
        "place": place.value,
        "lines": [_line(one) for one in (layout.byline(transcript), layout.company(transcript)) if one],
        "previously": _paragraphs(head.previously) if head.previously else [],
        "summary": _paragraphs(head.summary) if head.summary else [],
        "cast": [(_line(one.name), _line(layout.member(one))) for one in transcript.cast],
        "blocks": [block for scene in transcript.scenes for block in setter.scene(scene)],
        **_end(transcript.end),
        "index": [
            (title, [(_line(one.name), _runs(one.sessions)) for one in entries])
            for title, entries in layout.index(transcript)
        ],
        "appendix": [
            (note.number, one is note.mechanics[0], _mechanic(one))
            for note in setter.notes.taken
            for one in note.mechanics
        ],
        "unshown": "",
    }


class _Setter:
    """Sets the blocks of the story one after another, and gives out the numbers of an appendix."""

    def __init__(self, place: Place, book: bool) -> None:
        self.place = place
        self.level = 2 if book else 1
        self.notes = Notes()

    def scene(self, scene: Scene) -> Iterator[dict[str, Any]]:
        """A scene with its heading, and before it that of the session which begins with it."""
        if scene.chapter:
            anchor = layout.anchor(scene.chapter.session)
            yield {"what": "chapter", "text": _line(layout.chapter(scene.chapter)), "anchor": anchor}
        if scene.title is not None:
            yield {"what": "scene", "text": _line(scene.title), "level": self.level}
        for number, passage in enumerate(scene.passages):
            if number and passage.conflict is None:
                yield {"what": "break"}
            yield from self.passage(passage, self.level + (scene.title is not None))

    def passage(self, passage: Passage, level: int) -> Iterator[dict[str, Any]]:
        """The heading of a conflict, and what was told in it."""
        if passage.conflict is not None:
            yield self.conflict(passage.conflict, level)
        for one in layout.in_order(passage):
            yield self.variation(one) if isinstance(one, Variation) else self.paragraph(one)
        if passage.plate is not None:
            yield {
                "what": "plate",
                "text": _line(layout.map_called(passage.plate)),
                "lines": [_line(one) for one in layout.lie_of(passage.plate)],
            }

    def variation(self, one: Variation) -> dict[str, Any]:
        """How it went on another line: blocks within a block, whose headings are in no contents."""
        within: list[dict[str, Any]] = []
        for scene in one.scenes:
            titles = (layout.chapter(scene.chapter) if scene.chapter else None, scene.title)
            within += ({"what": "scene", "text": _line(title), "level": 0} for title in titles if title)
            for passage in scene.passages:
                within += self.passage(passage, 0)
        apart = "" if one.scenes else layout.TOLD_APART
        return {"what": "variation", "text": _line(layout.other_line(one)), "blocks": within, "apart": apart}

    def conflict(self, one: Conflict, level: int) -> dict[str, Any]:
        """The heading of a conflict, who is in it, and its first mechanics."""
        return {
            "what": "conflict",
            "level": level,
            "text": _line(layout.conflict(one)),
            "against": _line(layout.against(one)),
            **self.noted(one.id, one.mechanics),
        }

    def paragraph(self, one: Paragraph) -> dict[str, Any]:
        """Something told."""
        return {
            "what": "told",
            "kind": one.kind.value,
            "label": _line(layout.label(one)),
            "texts": _paragraphs(layout.said(one)),
            "ours": one.generated,
            "slanted": layout.slanted(one),
            "struck": one.struck,
            "aside": one.kind in ASIDES or one.eyes is not None,
            **self.noted(one.id, one.mechanics),
        }

    def noted(self, id_: str, mechanics: Sequence[Mechanic]) -> dict[str, Any]:
        """The mechanics of a block, and their number in the appendix if they stand there."""
        numbered = mechanics and self.place is Place.APPENDIX
        number = self.notes.add(id_, mechanics) if numbered else None
        return {"mechanics": [_mechanic(one) for one in mechanics], "number": number}


def _mechanic(one: Mechanic) -> dict[str, str]:
    return {"text": _line(one.text), "luck": one.luck}


def _end(end: End) -> dict[str, Any]:
    untold = (f"{one.what} ({', '.join(one.who)})" if one.who else one.what for one in end.untold)
    return {
        "changed": [_line(one) for one in end.changed],
        "open": [_line(one) for one in end.open],
        "quotes": [(_paragraphs(one.text), _line(one.who or "")) for one in end.quotes],
        "untold": [_line(one) for one in untold],
    }


def _runs(sessions: Sequence[int]) -> list[tuple[str, str]]:
    return [(layout.run(run), layout.anchor(run[0])) for run in layout.runs(sessions)]


def _line(text: str) -> str:
    return _breakable(safe.line(text))


def _paragraphs(text: str) -> list[str]:
    return _breakable(safe.text(text)).split("\n\n")


def _breakable(text: str) -> str:
    """Lets a word that is longer than a line break, where it would run off the page."""
    return _LONG.sub("\\g<0>\u200b", text)
