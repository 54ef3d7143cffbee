"""Transcripts as bytes in a cache, without their phrases and the bytes of their pictures."""

from __future__ import annotations

import io
import pickle
import zlib
from enum import Enum
from typing import Any, BinaryIO, Final, TypeVar

from retold.journal.vocabulary import events as e
from retold.projections.prose.phrases import Phrases
from retold.projections.reading import LineView
from retold.projections.reading.pictures import Image, image_of

T = TypeVar("T")


class Images:
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

    def __init__(self, data: BinaryIO, phrases: Phrases, images: Images) -> None:
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
        raise pickle.UnpicklingError(f"{module}.{name} is not part of a transcript")


def packed(told: object) -> bytes:
    """Returns a transcript, or a part of one, as compressed bytes."""
    written = io.BytesIO()
    _Packer(written, pickle.HIGHEST_PROTOCOL).dump(told)
    return zlib.compress(written.getvalue(), zlib.Z_BEST_SPEED)


def unpacked(data: bytes, kind: type[T], phrases: Phrases, images: Images) -> T | None:
    """Returns what is packed in `data`, with the phrases and pictures; None if it cannot be read."""
    try:
        told = _Unpacker(io.BytesIO(zlib.decompress(data)), phrases, images).load()
    except (pickle.UnpicklingError, zlib.error, LookupError, TypeError, ValueError, EOFError):
        return None
    return told if isinstance(told, kind) else None
