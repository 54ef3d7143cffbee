"""A transcript in the chapters an e-book has: each a file of its own, with a line in the contents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from projections.exports import layout
from projections.exports.layout import Furniture
from projections.pages import Scene, Transcript


class Chapter(Struct, frozen=True):
    """A session with its scenes, or a single scene: its file, its heading, and the id of that heading.

    `headed` says whether its scenes have headings of their own beneath it.
    """

    file: str
    title: str
    id: str
    scenes: tuple[Scene, ...]
    headed: bool


def chapters(transcript: Transcript) -> tuple[Chapter, ...]:
    """Every chapter: a session each where there are several, else a scene each."""
    runs = list(_runs(transcript.scenes))
    width = len(str(len(runs)))
    furniture = Furniture(transcript.phrases)
    before = "page.before-sessions" if _has_sessions(transcript.scenes) else "page.before-scenes"
    untitled = furniture.say(before if len(runs) > 1 else "page.story")
    return tuple(
        _chapter(f"chapter-{number:0{width}}.xhtml", scenes, untitled, furniture)
        for number, scenes in enumerate(runs, 1)
    )


def _has_sessions(scenes: Iterable[Scene]) -> bool:
    return any(scene.chapter for scene in scenes)


def _runs(scenes: tuple[Scene, ...]) -> Iterator[tuple[Scene, ...]]:
    """Scenes in a row that make one chapter."""
    in_sessions = _has_sessions(scenes)
    run: list[Scene] = []
    for scene in scenes:
        if run and (scene.chapter or not in_sessions):
            yield tuple(run)
            run = []
        run.append(scene)
    if run:
        yield tuple(run)


def _chapter(file: str, scenes: tuple[Scene, ...], untitled: str, furniture: Furniture) -> Chapter:
    first = scenes[0]
    if first.chapter:
        anchor = layout.anchor(first.chapter.session)
        return Chapter(file, furniture.chapter(first.chapter), anchor, scenes, headed=True)
    if first.title is not None and first.id is not None and len(scenes) == 1:
        return Chapter(file, first.title, first.id, scenes, headed=False)
    return Chapter(file, untitled, "before", scenes, headed=True)
