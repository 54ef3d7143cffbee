"""Spool for documents written scene by scene, so that long exports need little memory.

Scenes are written to a file as they come; title and cast, known only at the end, are put before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO

from msgspec import Struct, field
from msgspec.structs import replace

from retold.projections.exports.blocks import Block, Blocks
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.prose.phrases import Phrases
from retold.projections.story.document import Scene, Transcript


class BlockWriter:
    """Writer of a document as text lines: its scenes in order first, then the parts around them."""

    deep = False
    """True if sessions begin among the scenes; set before the first scene is written."""

    def __init__(self, place: MechanicsPlace, phrases: Phrases) -> None:
        self.blocks = Blocks(place, phrases)

    def text(self, transcript: Transcript) -> str:
        """Returns the whole document of a transcript as text."""
        self.deep = bool(transcript.chapters)
        return "".join(self.document(transcript, [self.scene(scene) for scene in transcript.scenes]))

    def scene(self, scene: Scene) -> str:
        """Returns the text of a scene, without its session's heading; empty for an empty scene."""
        return lined(self.lines(self.blocks.scene(scene, 1 + self.deep)))

    def document(self, transcript: Transcript, scenes: Iterable[str]) -> Iterator[str]:
        """Yields the document piece by piece; `scenes` are the written texts of the transcript's scenes.

        Only the session headings are read from the scenes of `transcript`.
        """
        return ended(self._document(transcript, scenes))

    def _document(self, transcript: Transcript, scenes: Iterable[str]) -> Iterator[str]:
        yield lined(self.properties(transcript))
        yield lined(self.lines(self.blocks.above(transcript)))
        for scene, written in zip(transcript.scenes, scenes, strict=True):
            yield lined(self.lines(self.blocks.session(scene)))
            yield written
        yield lined(self.lines(self.blocks.below(transcript)))
        yield lined(self.collected())

    def lines(self, blocks: Iterable[Block]) -> Iterator[str]:
        """Returns the text lines of several blocks, each block written when its first line is taken."""
        return chain.from_iterable(map(self.block, blocks))

    def block(self, block: Block) -> Iterable[str]:
        """Returns the text lines of a block, with an empty line after it."""
        raise NotImplementedError

    def properties(self, transcript: Transcript) -> Iterable[str]:  # noqa: ARG002 -- few formats have any
        """Returns text lines before the title that programs read, such as YAML; here none."""
        return ()

    def collected(self) -> Iterable[str]:
        """Returns the text lines of notes at the end of the document; here none."""
        return ()


def lined(lines: Iterable[str]) -> str:
    """Returns the text lines as one text, with a line end after each."""
    return "\n".join((*lines, ""))


def ended(parts: Iterable[str]) -> Iterator[str]:
    """Yields the pieces of a text, so that the whole ends with exactly one line end."""
    ends = ""
    for part in parts:
        text = part.rstrip("\n")
        if text:
            yield f"{ends}{text}"
            ends = ""
        ends += "\n" * (len(part) - len(text))
    yield "\n"


class Spool(Struct):
    """File of scenes that are already written, kept until the text above them (title, cast) is known.

    Thus only unfinished scenes of a long transcript are in memory. Scenes before the first session wait for
    it, because sessions change the level of scene headings.
    """

    writer: BlockWriter
    place: MechanicsPlace
    file: IO[bytes]
    """Open, and empty."""
    _begun: bool = False
    _waiting: list[Scene] = field(default_factory=list)
    _ends: list[int] = field(default_factory=list)

    def keep(self, scene: Scene) -> Scene:
        """Writes a finished scene into the file; returns the scene with headings only, without passages."""
        self._waiting.append(scene)
        if self._begun or scene.chapter:
            self._write(deep=True)
        return replace(scene, passages=())

    def take(self, scenes: bytes, ends: Iterable[int]) -> None:
        """Appends scenes written by another spool; `ends` are the offsets in `scenes` where scenes end."""
        begins = self.file.tell()
        self.file.write(scenes)
        self._ends += (begins + end for end in ends)
        self._begun = self.writer.deep = True

    def begin_again(self) -> None:
        """Empties the spool and truncates its file, for a second attempt."""
        self.file.seek(0)
        self.file.truncate()
        self._ends.clear()
        self._waiting.clear()
        self._begun = self.writer.deep = False

    @property
    def ends(self) -> list[int]:
        """File offsets where the scenes written so far end, in order."""
        return list(self._ends)

    def written(self, transcript: Transcript) -> Iterator[bytes]:
        """Yields the finished document in pieces; `transcript` holds the scenes as returned by `keep`."""
        if not self._begun:
            self._write(deep=False)
        shown = self.place.shown(transcript)
        return (part.encode() for part in self.writer.document(shown, self._scenes()))

    def _write(self, *, deep: bool) -> None:
        if not self._begun:
            self._begun, self.writer.deep = True, deep
        for scene in self._waiting:
            self.file.write(self.writer.scene(self.place.shown(scene).running()).encode())
            self._ends.append(self.file.tell())
        self._waiting.clear()

    def _scenes(self) -> Iterator[str]:
        self.file.seek(0)
        begins = 0
        for end in self._ends:
            yield self.file.read(end - begins).decode()
            begins = end
