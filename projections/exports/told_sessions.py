"""Told sessions, kept in the campaign's cache: an export of many files tells again only what changed."""

from __future__ import annotations

import io
import pickle
import zlib
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any, BinaryIO, Final, NamedTuple

from retold.journal.vocabulary import events as e
from retold.projections.exports.parallel import SessionTelling, each_session
from retold.projections.prose.phrases import Phrases
from retold.projections.reading import LineView
from retold.projections.reading.kept_sessions import KeptSessions
from retold.projections.reading.pictures import Image, image_of
from retold.projections.story.document import Transcript


class _Packing(NamedTuple):
    """Task of a worker process: a session told, and packed for the way back."""

    telling: SessionTelling

    def of(self, reading: LineView, session: int) -> bytes:
        return packed(self.telling.of(reading, session))


def told_sessions(
    reading: LineView, sessions: Sequence[int], telling: SessionTelling
) -> Iterator[Transcript]:
    """Yields each session's transcript, in order: a kept one, if nothing changed that it tells or supposes.

    The others are told, in several processes if the branch is long, and kept. Raises Refused for an unknown
    session.
    """
    kept, images = KeptSessions.of(reading, telling), _Images(reading)
    known = {session: None if kept is None else kept.load(session) for session in sessions}
    untold = [session for session, data in known.items() if data is None]
    made = each_session(reading, untold, _Packing(telling))
    for session, data in known.items():
        told = None if data is None else _unpacked(data, telling.voice.phrases, images)
        if told is None:
            new = next(made) if data is None else None
            if new is None:
                new = packed(telling.of(reading, session))
            if kept is not None:
                kept.keep(session, new)
            told = _unpacked(new, telling.voice.phrases, images)
            assert told is not None  # noqa: S101 -- packed just now
        yield told


# --- packing ----------------------------------------------------------------------------------------------


class _Images:
    """Bytes of the pictures that a viewer sees, by their SHA-256; read when the first is asked for."""

    def __init__(self, reading: LineView) -> None:
        self._reading = reading
        self._found: dict[str, bytes] = {}

    def __getitem__(self, sha256: str) -> bytes:
        if not self._found:
            events = (recorded.event for recorded in self._reading.recorded(kinds=(e.PictureAdded.kind,)))
            images = (image_of(event) for event in events if isinstance(event, e.PictureAdded))
            self._found = {image.sha256: image.data for image in images if image is not None}
        return self._found[sha256]


class _Packer(pickle.Pickler):
    """Pickler of a transcript without its phrases and the bytes of its pictures, which the record has."""

    def reducer_override(self, obj: object) -> Any:  # noqa: ANN401 -- pickle's own signature
        """Returns how phrases, pictures and members of an Enum are made again.

        Some versions of Python pickle those of an Enum by `getattr`.
        """
        if isinstance(obj, Enum):
            return type(obj), (obj.value,)
        if isinstance(obj, Phrases):
            return Phrases, ()
        return (
            (Image, tuple(getattr(obj, name) for name in _WITHOUT_DATA))
            if isinstance(obj, Image)
            else NotImplemented
        )


_WITHOUT_DATA: Final = tuple(name for name in Image.__struct_fields__ if name != "data")


class _Unpacker(pickle.Unpickler):
    """Unpickler that loads only values of projections, so that a forged cache file cannot run code."""

    def __init__(self, data: BinaryIO, phrases: Phrases, images: _Images) -> None:
        super().__init__(data)
        self._phrases, self._images = phrases, images

    def _image(self, *fields: Any) -> Image:  # noqa: ANN401 -- as above
        known = dict(zip(_WITHOUT_DATA, fields, strict=True))
        return Image(**known, data=self._images[known["sha256"]])

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 -- as above
        own = {
            (Phrases.__module__, "Phrases"): lambda: self._phrases,
            (Image.__module__, "Image"): self._image,
        }
        if (module, name) in own:
            return own[module, name]
        if module.startswith("retold.projections.") or module == "retold.journal.system":
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a transcript")


def packed(told: Transcript) -> bytes:
    """Returns a transcript as compressed bytes."""
    written = io.BytesIO()
    _Packer(written, pickle.HIGHEST_PROTOCOL).dump(told)
    return zlib.compress(written.getvalue(), zlib.Z_BEST_SPEED)


def _unpacked(data: bytes, phrases: Phrases, images: _Images) -> Transcript | None:
    """Returns the transcript in `data`; None if it cannot be read."""
    try:
        told = _Unpacker(io.BytesIO(zlib.decompress(data)), phrases, images).load()
    except (pickle.UnpicklingError, zlib.error, LookupError, TypeError, ValueError, EOFError):
        return None
    return told if isinstance(told, Transcript) else None
