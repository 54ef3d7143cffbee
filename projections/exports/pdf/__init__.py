"""PDF export: tagged pages of a book set by Typst; typed text is passed as data, never as markup."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from retold.journal.refused import Refused
from retold.projections.exports import BLEED, PAPERS, page_elements, typesetting
from retold.projections.exports import blocks as b
from retold.projections.exports.page_elements import IndexedPlaces, MechanicsPlace
from retold.projections.exports.pdf import parts
from retold.projections.exports.typesetting import settable
from retold.projections.prose import primary
from retold.projections.prose.telling import Tag
from retold.projections.reading.pictures import Image
from retold.projections.story.document import Chapter, Mechanic, Plate, Transcript
from retold.projections.texts import emphasis, safe

WORDS: Final = ("afterwards", "contents", "cover", "index", "mechanics", "note", "what")
"""Headings and labels that `page.typ` adds to the blocks, by their phrase keys without `page.`."""

FEWEST_LISTED: Final = 3
"""Chapters from which a book has contents, a half-title and an index."""

MOST_LISTED: Final = 64
"""Lines of contents on two pages; contents with more scenes list the chapters alone."""

MOST_STAPLED: Final = 100_000
"""Letters of a story that fill about 64 pages, the most that can be stapled; longer ones are glued."""

ASIDES: Final = frozenset({Tag.NOTE, Tag.RULING, Tag.EDIT, Tag.ASIDE})

_LONG: Final = re.compile(r"\S{24}(?=\S)")
_LANGUAGE: Final = re.compile(r"([a-z]{2,3})(?:-.*)?", re.IGNORECASE)
_REGION: Final = re.compile(r".*-([a-z]{2})\b", re.IGNORECASE)


def page_data(
    transcript: Transcript, place: MechanicsPlace, paper: str = PAPERS[0], spell: Callable[[str], str] = str
) -> dict[str, Any]:
    """Returns the transcript as data for `page.typ`; `spell` replaces characters without a font on maps."""
    setter = _Setter(b.Blocks(place, transcript.phrases, frozenset({MechanicsPlace.APPENDIX})), spell)
    language, region = _LANGUAGE.fullmatch(transcript.lang), _REGION.match(transcript.lang)
    head, is_listed = transcript.head, len(transcript.chapters) >= FEWEST_LISTED
    return {
        "title": _line(transcript.title),
        "campaign": _line(head.campaign or transcript.title),
        "opening": _opening(setter.blocks.furniture.opening(transcript)),
        "days": _line(setter.blocks.furniture.days(transcript)),
        "credits": [_line(line) for line in setter.blocks.furniture.credits(transcript)],
        "authors": [safe.line(one) for one in page_elements.authors(transcript)],
        "played": [int(part) for part in page_elements.played(transcript).split("-")],
        "lang": language[1].lower() if language else "en",
        "own": None if transcript.phrases.lang is None else primary(transcript.phrases.lang),
        "region": region[1].upper() if region else None,
        "paper": paper.removesuffix(BLEED),
        "bleeds": paper.endswith(BLEED),
        "glued": sum(len(paragraph.text) for paragraph in transcript.paragraphs()) > MOST_STAPLED,
        "book": bool(transcript.chapters),
        "listed": is_listed,
        "portraits": _line(setter.blocks.furniture.portraits_by(transcript.cast)),
        "colon": setter.blocks.furniture.colon,
        "place": place.value,
        "above": setter.data(setter.blocks.above(transcript)),
        "blocks": setter.data(setter.blocks.story(transcript.scenes)),
        "depth": 1 if _headings(transcript) > MOST_LISTED else 2,
        "below": setter.data(
            part for part in setter.blocks.below(transcript) if part.sort != "index" or is_listed
        ),
        "appendix": [
            (note.number, [*map(setter.mechanic, note.mechanics)]) for note in setter.blocks.notes.taken
        ],
        "unshown": "",
        "words": {name: _line(setter.blocks.furniture.say(f"page.{name}")) for name in WORDS},
    }


class _Setter(Struct):
    """Converter of blocks into data for the Typst template."""

    blocks: b.Blocks
    spell: Callable[[str], str]
    depth: int = 0
    """Number of enclosing variations, whose headings are not in the contents."""

    def data(self, blocks: Iterable[b.Block]) -> list[dict[str, Any]]:
        """Returns the data of several blocks, without the blocks for which `block` returns None.

        The note of a paragraph without words follows the words before it, else the next ones.
        """
        made: list[dict[str, Any]] = []
        told: dict[str, Any] | None = None
        waiting: list[int] = []
        for block in blocks:
            if isinstance(block, b.Told) and block.is_bare and block.note is not None:
                (waiting if told is None else told["numbers"]).append(block.note)
            elif (data := self.block(block)) is not None:
                made.append(data)
                if data["what"] == "told":
                    told = data
                    told["numbers"] = [*waiting, *told["numbers"]]
                    waiting = []
        return [*made, *([{"what": "notes", "numbers": waiting}] if waiting else [])]

    def block(self, block: b.Block) -> dict[str, Any] | None:  # noqa: C901, PLR0911, PLR0912 -- one case for each block
        """Returns a block as data for the template; None if the template shows it in another way."""
        match block:
            case b.Told():
                return self.told(block)
            case b.Conflict():
                return self.conflict(block)
            case b.Branch():
                return self.branch(block)
            case b.Map(plate):
                return self.plate(plate)
            case b.Heading("session", id=id_, chapter=Chapter() as chapter) if not self.depth:
                opening = self.blocks.furniture.chapter_opening(chapter)
                return {"what": "chapter", "anchor": id_, **_opening(opening)}
            case b.Heading(sort, text, level, id_):
                return self.heading(sort, text, level, id_)
            case b.Picture():
                caption = _line(block.caption)
                return {"what": "picture", "use": block.image.use, "caption": caption, **_image(block.image)}
            case b.Line(text):
                return {"what": "line", "text": _line(text)}
            case b.Foretold(_, label, text):
                return {"what": "foretold", "label": _line(label), "texts": _paragraphs(text)}
            case b.Epigraph(quote):
                return {
                    "what": "epigraph",
                    "rows": [(_paragraphs(quote.text), _line(quote.who or ""))],
                }
            case b.Part():
                return {"what": block.sort, "text": _line(block.title), "rows": [*self.rows(block)]}
            case b.Break() if not self.depth:
                return {"what": "break"}
            case b.Beneath() | b.Break() | b.Apart():
                return None

    def heading(self, sort: str, text: str, level: int, id_: str) -> dict[str, Any] | None:
        """Returns the heading of a scene as data; None for the document's title.

        Inside a variation it has the lowest level and no anchor, and is None if the heading is empty.
        """
        if sort == "title":
            return None
        if self.depth:
            return {"what": "scene", "text": _line(text), "level": 0, "anchor": ""} if text else None
        return {"what": "scene", "text": _line(text), "level": level, "anchor": id_}

    def plate(self, plate: Plate) -> dict[str, Any]:
        """Returns a map as data: SVG, alternative text and text lines."""
        return {
            "what": "plate",
            "text": safe.line(self.blocks.furniture.in_words(plate)),
            "lines": [_line(text) for text in self.blocks.furniture.lie_of(plate)],
            "svg": settable(plate.picture, self.spell),
        }

    def branch(self, block: b.Branch) -> dict[str, Any]:
        """Returns a variation (another branch's story) as data, with the blocks of its story inside."""
        self.depth += 1
        story = self.data(self.blocks.within(block))
        self.depth -= 1
        apart = "" if block.source.scenes else _line(self.blocks.furniture.say("page.told-apart"))
        return {"what": "variation", "text": _line(block.text), "blocks": story, "apart": apart}

    def rows(self, part: b.Part) -> Iterable[object]:
        """Returns the rows of a part around the story as data: pairs with a name or quote first, or texts."""
        match part.sort:
            case "cast":
                return (
                    (
                        _line(member.name),
                        _line(self.blocks.furniture.member(member)),
                        None if member.portrait is None else _image(member.portrait),
                    )
                    for member in part.members
                )
            case "quotes":
                return ((_paragraphs(quote.text), _line(quote.who or "")) for quote in part.quotes)
            case "index":
                return ((_line(name), [*_found(places)]) for name, places in part.entries)
            case _:
                return map(_line, part.lines)

    def conflict(self, block: b.Conflict) -> dict[str, Any]:
        """Returns the heading of a conflict as data, with sides and opening draws or rolls."""
        return {
            "what": "conflict",
            "level": 0 if self.depth else block.level,
            "text": _line(block.text),
            "against": _line(block.against),
            **self.noted(block),
        }

    def told(self, block: b.Told) -> dict[str, Any]:
        """Returns a paragraph of the story as data: label, texts, style flags, dice and cards."""
        paragraph = block.source
        return {
            "what": "told",
            "kind": paragraph.kind.value,
            "label": _line(block.label),
            "texts": _paragraphs(block.text),
            "ours": paragraph.generated,
            "slanted": block.is_slanted,
            "struck": paragraph.struck,
            "aside": paragraph.kind in ASIDES or paragraph.eyes is not None,
            **self.noted(block),
        }

    def noted(self, block: b.Told | b.Conflict) -> dict[str, Any]:
        """Returns a block's dice, cards and numbers as data, with the numbers of its appendix notes."""
        numbers = [] if block.note is None else [block.note]
        return {"mechanics": list(map(self.mechanic, block.source.mechanics)), "numbers": numbers}

    def mechanic(self, mechanic: Mechanic) -> dict[str, str]:
        """Returns one roll, draw or number as data: its text, and the source of its luck."""
        return {"text": _line(mechanic.text), "luck": _line(self.blocks.furniture.luck(mechanic))}


def _found(places: Iterable[IndexedPlaces]) -> Iterator[tuple[str, bool]]:
    """Yields the targets of an index entry: anchors of scenes, or of sessions (with True) for all of them."""
    for place in places:
        first, last = place.sessions
        if place.scenes:
            yield from ((scene.id or "", False) for scene in place.scenes)
        else:
            yield from ((page_elements.anchor(session), True) for session in range(first, last + 1))


def _headings(transcript: Transcript) -> int:
    """Returns the number of chapters and titled scenes."""
    return len(transcript.chapters) + sum(scene.title is not None for scene in transcript.scenes)


def _opening(opening: page_elements.Opening) -> dict[str, str]:
    """Returns the heading of a session as data: its title, and the lines above and below it."""
    return {"text": _line(opening.title), "above": _line(opening.above), "below": _line(opening.below)}


def _image(image: Image) -> dict[str, str]:
    """Returns a picture as data: an SVG that holds it, since data for Typst is text, and what it shows."""
    size = f'width="{image.width}" height="{image.height}"'
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" {size}><image {size} href="{image.uri}"/></svg>'
    return {"svg": drawing, "text": safe.line(image.alt)}


def _line(text: str) -> str:
    return _breakable(safe.line(text))


def _paragraphs(text: str) -> list[str]:
    return [_breakable(one) for one in emphasis.paragraphs(text)]


def _breakable(text: str) -> str:
    """Returns the text with a break opportunity after every 24 letters of a long word."""
    return _LONG.sub("\\g<0>\u200b", text)


PAGE: Final = Path(__file__).with_name("page.typ")
_ATTEMPTS: Final = 4
_NAMED: Final = 12


def render(transcript: Transcript, place: MechanicsPlace, paper: str = PAPERS[0]) -> bytes:
    """Returns the transcript as PDF in fonts that come with Typst or Retold, the same on every machine.

    `paper` is the size of its pages, one of `PAPERS`.

    Characters missing there are set in a font of this machine. A character without any font is shown by its
    number, and a sentence at the beginning names it. Raises Refused if Typst can make no such PDF, and for a
    paper with bleed without a cover.
    """
    if paper.endswith(BLEED) and not (transcript.cover and transcript.chapters):
        raise Refused(
            "Only the cover of a book is printed beyond the edges, and here is none:"
            f" say --paper {paper.removesuffix(BLEED)}, or retold cover FILE and export --book."
        )
    date = datetime.fromisoformat(page_elements.played(transcript)).replace(tzinfo=UTC)
    missing: set[str] = set()
    for _ in range(_ATTEMPTS):
        told, set_part = _shown(transcript, place, paper, missing), partial(_set, missing=missing, date=date)
        found = parts.set_in_parts(told, set_part) if parts.is_long(told) else set_part(told)
        if isinstance(found, bytes):
            return found
        missing |= found
    raise Refused(f"No PDF can be made of this: no installed font shows {', '.join(_named(missing))}.")


def _set(told: dict[str, Any], *, missing: Collection[str], date: datetime) -> bytes | set[str]:
    """Returns page data as PDF, with the characters `missing` replaced by their numbers; or more of these."""
    text = typesetting.spelling(missing)(json.dumps(told, ensure_ascii=False))
    made = typesetting.set_pdf(PAGE.read_bytes(), {"transcript": text}, date)
    if "part" in told:
        typesetting.forget()
    return made


def _shown(
    transcript: Transcript, place: MechanicsPlace, paper: str, missing: Collection[str]
) -> dict[str, Any]:
    """Returns the page data with its fonts, and with a sentence that names the characters `missing`."""
    told = page_data(transcript, place, paper, typesetting.spelling(missing))
    told["fonts"] = typesetting.fonts_for(json.dumps(told, ensure_ascii=False), transcript.lang)
    told["display"] = [typesetting.DISPLAY, *told["fonts"]]
    if missing:
        names, more = _named(missing), len(missing) - _NAMED
        if more > 0:
            names.append(transcript.phrases.say("page.more", number=more))
        told["unshown"] = transcript.phrases.say("page.unshown", characters=names)
    return told


def _named(characters: Iterable[str]) -> list[str]:
    """Returns number and Unicode name of the first twelve characters, in order."""
    known = sorted(characters)[:_NAMED]
    return [f"U+{ord(one):04X} {unicodedata.name(one, '').lower()}".strip() for one in known]
