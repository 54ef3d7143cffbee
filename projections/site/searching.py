"""What the search of a site looks through: every text on its pages, with where it stands."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct, field

from projections import safe
from projections.exports import layout
from projections.exports.layout import Furniture
from projections.pages import Passage, Scene, Transcript, Variation

_IN_A_PAGE: Final = str.maketrans({"<": r"\u003c", ">": r"\u003e", "&": r"\u0026"})


class Said(Struct):
    """Texts as they are collected: pages, and what is said on each."""

    pages: list[tuple[str, str]] = field(default_factory=list)
    texts: list[tuple[int, str, str]] = field(default_factory=list)
    """The number of its page, its anchor there (empty for none), and the text."""

    def add(self, path: str, title: str, texts: Iterable[tuple[str, str]]) -> None:
        """A page with its texts, each by its anchor."""
        at = len(self.pages)
        self.pages.append((path, safe.line(title)))
        self.texts += ((at, anchor, safe.line(" ".join(text.split()))) for anchor, text in texts if text)

    def json(self) -> str:
        """All of it as JSON that may stand in a page."""
        told = json.dumps(
            {"pages": self.pages, "texts": self.texts}, ensure_ascii=False, separators=(",", ":")
        )
        return safe.in_json(told).translate(_IN_A_PAGE)


def texts_of(transcript: Transcript) -> Iterator[tuple[str, str]]:
    """What is told in a transcript, each text by its anchor; without its mechanics."""
    furniture = Furniture(transcript.phrases)
    for scene in transcript.scenes:
        yield from _of_scene(scene, furniture)


def _of_scene(scene: Scene, furniture: Furniture) -> Iterator[tuple[str, str]]:
    if scene.title is not None:
        yield scene.id or "", scene.title
    for passage in scene.passages:
        yield from _of_passage(passage, furniture)


def _of_passage(passage: Passage, furniture: Furniture) -> Iterator[tuple[str, str]]:
    if passage.conflict is not None and not passage.conflict.continued:
        yield passage.conflict.id, f"{passage.conflict.title} · {furniture.against(passage.conflict)}"
    for one in layout.in_order(passage):
        if isinstance(one, Variation):
            yield one.id, furniture.other_line(one)
            for scene in one.scenes:
                yield from _of_scene(scene, furniture)
        elif one.text.strip():
            label = layout.label(one)
            yield one.id, f"{label}: {layout.said(one)}" if label else layout.said(one)
