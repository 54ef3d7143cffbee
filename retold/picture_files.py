"""Picture files (PNG, JPEG, WebP) that a line names: decoded, and rewritten without metadata."""

from __future__ import annotations

import warnings
from io import BytesIO
from typing import TYPE_CHECKING, Final

from retold.journal.extras import Extra
from retold.journal.pictures import MOST_PIXELS, Picture, bytes_of_uri, is_data_uri, measured
from retold.journal.refused import Refused
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.commands import PictureCommand
from retold.projections.texts import safe

if TYPE_CHECKING:
    from PIL.Image import Image

PILLOW: Final = Extra("Pillow", "PIL.Image", "pictures")
"""Decodes and writes pictures."""

FORMATS: Final = ("PNG", "JPEG", "WEBP")
MOST_DECODED: Final = 50_000_000
"""Pixels of a file that are still decoded."""
_SMALL_PNG: Final = 2**20
"""Bytes up to which a picture without transparency stays a PNG."""


def with_picture(command: PictureCommand, name: str) -> PictureCommand:
    """Returns the command with the picture it holds rewritten, unless that has been done before.

    `name` is the name of its file. Raises Refused, with one sentence, for bytes that are no picture, or not
    one that can be recorded.
    """
    text = command.file.text or ""
    data = bytes_of_uri(text)
    if data is None:
        return command
    known = measured(data) if is_data_uri(text) else None  # what is read from a file is always decoded
    picture = known or written_anew(data, safe.line(name))
    return command.but({"file": Words(picture.uri)})


def written_anew(data: bytes, name: str) -> Picture:
    """Returns the picture of a file with these bytes, upright, small, and with nothing but its pixels.

    `name` is the file's name, for the sentence of the Refused that is raised if there is no such picture.
    """
    if b"<svg" in data[:2000].lower():
        raise Refused(f"{name} is an SVG, which may hold scripts: save it as a PNG first.")
    PILLOW.load("A picture")
    from PIL import Image, ImageOps, UnidentifiedImageError  # noqa: PLC0415 -- an extra

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            opened = Image.open(BytesIO(data), formats=FORMATS)
            _check(opened, name)
            upright = ImageOps.exif_transpose(opened)
            upright.load()
            return _encoded(upright, name)
    except UnidentifiedImageError:
        raise Refused(f"{name} is not a picture that Retold reads: it takes PNG, JPEG and WebP.") from None
    except Image.DecompressionBombError:
        raise _too_large(name) from None
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError):
        raise Refused(f"{name} breaks off or is damaged: save it again, or take another one.") from None


def _check(opened: Image, name: str) -> None:
    """Raises Refused for a picture that is too large or moves; only its head has been read so far."""
    if opened.width * opened.height > MOST_DECODED:
        raise _too_large(name)
    is_photo = opened.format == "MPO"  # a JPEG of a phone, with a second one for depth or light behind it
    if getattr(opened, "is_animated", False) and not is_photo:
        raise Refused(f"{name} moves, and only a still picture can be kept: save one frame of it as a PNG.")


def _too_large(name: str) -> Refused:
    return Refused(
        f"{name} has more than {MOST_DECODED // 10**6} million pixels: save a smaller one"
        f" ({MOST_PIXELS} pixels wide or high are enough)."
    )


def _encoded(image: Image, name: str) -> Picture:
    """Returns a decoded image as a PNG, or as a JPEG if the PNG of an image without transparency is large."""
    from PIL import Image as Pillow  # noqa: PLC0415 -- an extra

    if image.mode.startswith("I"):  # 16 bits for each pixel
        image = image.convert("I").point([value // 256 for value in range(2**16)], "L")
    mode = "RGBA" if image.has_transparency_data else "L" if image.mode in ("1", "L") else "RGB"
    shown = image.convert(mode)
    for most in _SIDES:
        shown.thumbnail((most, most), Pillow.Resampling.LANCZOS)
        bare = Pillow.new(mode, shown.size)  # it has no metadata that a writer might add
        bare.paste(shown)
        found = measured(_file(bare))
        if found is not None:
            return found
    raise Refused(f"{name} could not be written anew: take another picture.")


_SIDES: Final = (MOST_PIXELS, 1400, 1000)
"""Pixels of the longer side that are tried, until the file is short enough."""


def _file(image: Image) -> bytes:
    """Returns the bytes of a PNG file; of a JPEG file if the PNG is large, and nothing shines through."""
    file = BytesIO()
    image.save(file, "PNG")
    if image.mode != "RGBA" and file.tell() > _SMALL_PNG:
        file = BytesIO()
        image.save(file, "JPEG", quality=88, optimize=True)
    return file.getvalue()
