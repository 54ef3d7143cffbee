"""PDF export: tagged A5 pages set by Typst; typed text is passed as data, never as markup."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from journal.refused import Refused
from projections import safe
from projections.document import (
    Conflict,
    End,
    Entry,
    Mechanic,
    Paragraph,
    Passage,
    Plate,
    Scene,
    Transcript,
    Variation,
)
from projections.exports import page_elements, typesetting
from projections.exports.page_elements import Furniture, MechanicsPlace, Notes, missing
from projections.exports.typesetting import settable
from projections.prose.telling import Tag

WORDS: Final = {
    "afterwards": "page.afterwards",
    "cast": "page.cast",
    "changed": "page.changed",
    "contents": "page.contents",
    "from": "page.from",
    "index": "page.index",
    "mechanics": "page.mechanics",
    "note": "page.note",
    "open": "page.open",
    "previously": "page.previously",
    "quotes": "page.quotes",
    "summary": "page.in-short",
    "untold": "page.untold",
    "what": "page.what",
}
"""Headings and labels for `page.typ`, by phrase key."""

ASIDES: Final = frozenset({Tag.NOTE, Tag.RULING, Tag.EDIT, Tag.ASIDE})

_LONG: Final = re.compile(r"\S{24}(?=\S)")
_LANGUAGE: Final = re.compile(r"([a-z]{2,3})(?:-.*)?", re.IGNORECASE)
_REGION: Final = re.compile(r".*-([a-z]{2})\b", re.IGNORECASE)


def page_data(
    transcript: Transcript, place: MechanicsPlace, spell: Callable[[str], str] = str
) -> dict[str, Any]:
    """Data for the template `page.typ`; `spell` replaces characters without a font on maps."""
    book = any(scene.chapter for scene in transcript.scenes)
    furniture = Furniture(transcript.phrases)
    setter = _Setter(place, book, spell, furniture)
    language, region = _LANGUAGE.fullmatch(transcript.lang), _REGION.match(transcript.lang)
    head = transcript.head
    return {
        "title": _line(transcript.title),
        "campaign": _line(head.campaign or transcript.title),
        "authors": [safe.line(one) for one in page_elements.authors(transcript)],
        "played": [int(part) for part in page_elements.played(transcript).split("-")],
        "lang": language[1].lower() if language else "en",
        "region": region[1].upper() if region else None,
        "book": book,
        "place": place.value,
        "lines": [_line(one) for one in (furniture.byline(transcript), furniture.company(transcript)) if one],
        "previously": _paragraphs(head.previously) if head.previously else [],
        "summary": _paragraphs(head.summary) if head.summary else [],
        "cast": [(_line(one.name), _line(furniture.member(one))) for one in transcript.cast],
        "blocks": [block for scene in transcript.scenes for block in setter.scene(scene)],
        **_end(transcript.end),
        "index": [
            (_line(title), [(_line(one.name), list(_found(transcript, one))) for one in entries])
            for title, entries in furniture.index(transcript)
        ],
        "appendix": [
            (note.number, one is note.mechanics[0], setter.mechanic(one))
            for note in setter.notes.taken
            for one in note.mechanics
        ],
        "unshown": "",
        "words": {name: _line(furniture.say(key)) for name, key in WORDS.items()},
    }


class _Setter:
    """Builder of story blocks, which numbers the notes of the appendix."""

    def __init__(
        self, place: MechanicsPlace, book: bool, spell: Callable[[str], str], furniture: Furniture
    ) -> None:
        self.place = place
        self.furniture = furniture
        self.spell = spell
        self.level = 2 if book else 1
        self.notes = Notes()

    def scene(self, scene: Scene) -> Iterator[dict[str, Any]]:
        """Yields the blocks of a scene, preceded by its session's heading."""
        if scene.chapter:
            anchor = page_elements.anchor(scene.chapter.session)
            yield {"what": "chapter", "text": _line(self.furniture.chapter(scene.chapter)), "anchor": anchor}
        if scene.title is not None:
            yield {"what": "scene", "text": _line(scene.title), "level": self.level, "anchor": scene.id or ""}
        for number, passage in enumerate(scene.passages):
            if number and passage.conflict is None:
                yield {"what": "break"}
            yield from self.passage(passage, self.level + (scene.title is not None))

    def passage(self, passage: Passage, level: int) -> Iterator[dict[str, Any]]:
        """Yields the blocks of a passage, with its conflict's heading and its map."""
        if passage.conflict is not None:
            yield self.conflict(passage.conflict, level)
        for one in page_elements.in_order(passage):
            yield self.variation(one) if isinstance(one, Variation) else self.paragraph(one)
        if passage.plate is not None:
            yield self.plate(passage.plate)

    def plate(self, one: Plate) -> dict[str, Any]:
        """Block of a map: SVG, alternative text and text lines."""
        return {
            "what": "plate",
            "text": safe.line(self.furniture.in_words(one)),
            "lines": [_line(text) for text in self.furniture.lie_of(one)],
            "svg": settable(one.picture, self.spell),
        }

    def variation(self, one: Variation) -> dict[str, Any]:
        """Block of a variation, with inner blocks whose headings are not in the contents."""
        within: list[dict[str, Any]] = []
        for scene in one.scenes:
            titles = (self.furniture.chapter(scene.chapter) if scene.chapter else None, scene.title)
            within += (
                {"what": "scene", "text": _line(title), "level": 0, "anchor": ""} for title in titles if title
            )
            for passage in scene.passages:
                within += self.passage(passage, 0)
        apart = "" if one.scenes else _line(self.furniture.say("page.told-apart"))
        return {
            "what": "variation",
            "text": _line(self.furniture.other_line(one)),
            "blocks": within,
            "apart": apart,
        }

    def conflict(self, one: Conflict, level: int) -> dict[str, Any]:
        """Block of a conflict heading, with sides and opening mechanics."""
        return {
            "what": "conflict",
            "level": level,
            "text": _line(self.furniture.conflict(one)),
            "against": _line(self.furniture.against(one)),
            **self.noted(one.id, one.mechanics),
        }

    def paragraph(self, one: Paragraph) -> dict[str, Any]:
        """Block of a told paragraph."""
        return {
            "what": "told",
            "kind": one.kind.value,
            "label": _line(page_elements.label(one)),
            "texts": _paragraphs(page_elements.marked_speech(one)),
            "ours": one.generated,
            "slanted": page_elements.slanted(one),
            "struck": one.struck,
            "aside": one.kind in ASIDES or one.eyes is not None,
            **self.noted(one.id, one.mechanics),
        }

    def noted(self, id_: str, mechanics: Sequence[Mechanic]) -> dict[str, Any]:
        """Mechanics of a block, with their note number if they stand in the appendix."""
        numbered = mechanics and self.place is MechanicsPlace.APPENDIX
        number = self.notes.add(id_, mechanics) if numbered else None
        return {"mechanics": [self.mechanic(one) for one in mechanics], "number": number}

    def mechanic(self, one: Mechanic) -> dict[str, str]:
        """Line of mechanics: text and provenance."""
        return {"text": _line(one.text), "luck": _line(self.furniture.luck(one))}


def _end(end: End) -> dict[str, Any]:
    return {
        "changed": [_line(one) for one in end.changed],
        "open": [_line(one) for one in end.open],
        "quotes": [(_paragraphs(one.text), _line(one.who or "")) for one in end.quotes],
        "untold": [_line(missing(one)) for one in end.untold],
    }


def _found(transcript: Transcript, entry: Entry) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Yields session numbers, anchor and named scenes of an index entry."""
    for one in page_elements.find_indexed(transcript, entry):
        scenes = [(_line(scene.title or ""), scene.id or "") for scene in one.scenes]
        yield page_elements.run(one.sessions), page_elements.anchor(one.sessions[0]), scenes


def _line(text: str) -> str:
    return _breakable(safe.line(text))


def _paragraphs(text: str) -> list[str]:
    return [_breakable(one) for one in safe.paragraphs(text)]


def _breakable(text: str) -> str:
    """Text with break opportunities in words longer than a line."""
    return _LONG.sub("\\g<0>\u200b", text)


PAGE: Final = Path(__file__).with_name("page.typ")
_ATTEMPTS: Final = 4
_NAMED: Final = 12


def render(transcript: Transcript, place: MechanicsPlace) -> bytes:
    """Transcript as PDF in Typst's own fonts, the same on every machine.

    Characters missing there are set in a font of this machine. A character without any font is shown by its
    number, and a sentence at the beginning names it. Raises Refused if Typst can make no such PDF.
    """
    date = datetime.fromisoformat(page_elements.played(transcript)).replace(tzinfo=UTC)
    missing: set[str] = set()
    for _ in range(_ATTEMPTS):
        found = _set(_shown(transcript, place, missing), date)
        if isinstance(found, bytes):
            return found
        missing |= found
    raise Refused(f"No PDF can be made of this: no installed font shows {', '.join(_named(missing))}.")


def _set(told: str, date: datetime) -> bytes | set[str]:
    """PDF of the data; or the set of characters without a font."""
    return typesetting.set_pdf(PAGE.read_bytes(), {"transcript": told}, date)


def _shown(transcript: Transcript, place: MechanicsPlace, missing: Collection[str]) -> str:
    """Data as JSON, with characters lacking a font replaced by their numbers."""
    spell = typesetting.spelling(missing)
    told = page_data(transcript, place, spell)
    if missing:
        names, more = _named(missing), len(missing) - _NAMED
        if more > 0:
            names.append(transcript.phrases.say("page.more", number=more))
        told = {**told, "unshown": transcript.phrases.say("page.unshown", characters=names)}
    return spell(json.dumps(told, ensure_ascii=False))


def _named(characters: Iterable[str]) -> list[str]:
    """Numbers and names of the first twelve characters."""
    known = sorted(characters)[:_NAMED]
    return [f"U+{ord(one):04X} {unicodedata.name(one, '').lower()}".strip() for one in known]
