"""Scenes in which nothing changes any more: set as their voice has them, and handed on one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from projections import pages
from projections.prose import Voice
from projections.prose.lettering import letter, lettered_scene

Keep = Callable[[pages.Scene], pages.Scene]
"""Takes a scene that is finished, and gives what is to be kept of it in the transcript."""


class Begun(NamedTuple):
    """The scene within which a stretch begins."""

    id: str
    title: str
    """As the voice sets it."""


class Finished(Struct):
    """Takes scenes in their order, each once nobody writes in it any more."""

    voice: Voice
    keep: Keep | None = None
    begun: Begun | None = None
    _first: pages.Scene | None = None
    """It may turn out to be of the first session."""
    _scenes: list[pages.Scene] = field(default_factory=list)

    def add(self, scene: pages.Scene) -> None:
        """The next scene; one in which nothing stands is left out."""
        if not (scene.passages or scene.title or scene.chapter):
            return
        join = pages.joined_by_teller if self.voice.story else pages.together
        (told,) = join((scene,))
        if self._first is not None:
            first, self._first = self._first, None
            for one in _from_the_first_session(first, told):
                self._hand_on(one)
        elif self._scenes:
            self._hand_on(told)
        else:
            self._first = told

    def scenes(self) -> tuple[pages.Scene, ...]:
        """What was kept of all of them; there are no more."""
        if self._first is not None:
            self._hand_on(self._first)
        return tuple(self._scenes)

    def _hand_on(self, scene: pages.Scene) -> None:
        told = lettered_scene(scene, letter(self.voice)) if self.voice.typographic else scene
        if not self._scenes and self.begun is not None and told.title is None:
            told = replace(told, id=self.begun.id, title=self.begun.title)
        self._scenes.append(told if self.keep is None else self.keep(told))


def _from_the_first_session(before: pages.Scene, first: pages.Scene) -> tuple[pages.Scene, ...]:
    """The first two scenes: numbers before the first session, and before any words, belong to it."""
    is_told = any(
        passage.conflict or passage.variations or any(one.text for one in passage.paragraphs)
        for passage in before.passages
    )
    if before.chapter or before.title or first.chapter is None or is_told:
        return before, first
    return (replace(first, passages=before.passages + first.passages),)
