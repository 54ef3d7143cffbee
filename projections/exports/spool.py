"""A document in pieces: its scenes as each of them is finished, and at the end what stands around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from projections.document import Scene, Transcript
from projections.exports.page_elements import MechanicsPlace


class SceneWriter(Protocol):
    """Writes one document: first its scenes, each once and in order, then all of it around them."""

    deep: bool
    """True where sessions begin among the scenes: said before the first of them is written."""

    def scene(self, scene: Scene) -> str:
        """What stands in a scene, under the heading of its session."""

    def document(self, transcript: Transcript, scenes: Iterable[str]) -> Iterator[str]:
        """All of it, part by part; of the transcript's scenes only the headings are asked for."""


def lined(lines: Iterable[str]) -> Iterator[str]:
    """Each line with its end."""
    return (f"{line}\n" for line in lines)


def ended(parts: Iterable[str]) -> Iterator[str]:
    """Parts of a text, with exactly one end of line behind the last."""
    ends = ""
    for part in parts:
        text = part.rstrip("\n")
        if text:
            yield f"{ends}{text}"
            ends = ""
        ends += "\n" * (len(part) - len(text))
    yield "\n"


class Spool(Struct):
    """Scenes written as each of them is finished, and kept in a file until what stands above them is known.

    So no more of a long transcript is in memory than the scenes that may still change. Those before the first
    session wait for it: whether there is one says how their headings look.
    """

    writer: SceneWriter
    place: MechanicsPlace
    file: IO[bytes]
    """Open, and empty."""
    _begun: bool = False
    _waiting: list[Scene] = field(default_factory=list)
    _ends: list[int] = field(default_factory=list)

    def keep(self, scene: Scene) -> Scene:
        """Writes a scene that is finished; what is to be kept of it is its headings."""
        self._waiting.append(scene)
        if self._begun or scene.chapter:
            self._write(deep=True)
        return replace(scene, passages=())

    def take(self, scenes: bytes, ends: Iterable[int]) -> None:
        """Takes what another spool of this writer has in its file, and where each scene of it ends there."""
        begins = self.file.tell()
        self.file.write(scenes)
        self._ends += (begins + end for end in ends)
        self._begun = self.writer.deep = True

    def begin_again(self) -> None:
        """Forgets all that it has."""
        self.file.seek(0)
        self.file.truncate()
        self._ends.clear()
        self._waiting.clear()
        self._begun = self.writer.deep = False

    @property
    def ends(self) -> list[int]:
        """Where each scene in the file ends; of those that wait it is not known."""
        return list(self._ends)

    def written(self, transcript: Transcript) -> Iterator[bytes]:
        """The document, part by part; the transcript is made of the scenes that were kept."""
        if not self._begun:
            self._write(deep=False)
        shown = transcript.without_mechanics() if self.place is MechanicsPlace.NONE else transcript
        return (part.encode() for part in self.writer.document(shown, self._scenes()))

    def _write(self, *, deep: bool) -> None:
        if not self._begun:
            self._begun, self.writer.deep = True, deep
        for scene in self._waiting:
            bare = scene.without_mechanics() if self.place is MechanicsPlace.NONE else scene
            self.file.write(self.writer.scene(bare.running()).encode())
            self._ends.append(self.file.tell())
        self._waiting.clear()

    def _scenes(self) -> Iterator[str]:
        self.file.seek(0)
        begins = 0
        for end in self._ends:
            yield self.file.read(end - begins).decode()
            begins = end
