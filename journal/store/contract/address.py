"""Addresses of campaigns, as `-c` takes them: a file, or a campaign on a server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote

_SERVER: Final = re.compile(r"[A-Za-z][\w.-]+:[^/\\]*|postgres(?:ql)?://.*", re.DOTALL)
"""`NAME:CAMPAIGN`, with two characters or more before the colon (`C:` is a disk of Windows), or a URL."""


class Address(NamedTuple):
    """Location of a campaign: a file or a server; `str()` gives the text `-c` and `retold.open` take."""

    text: str
    name: str
    """The short form for sentences: a file's name without its folder, or a server's whole address."""
    stem: str
    """The campaign's part of the name, for files made of the campaign: `salt-road`."""
    file: Path | None = None
    """The campaign's file; None on a server."""

    @property
    def title(self) -> str:
        """The campaign's name read as a title: `Drowned bell` of `drowned-bell.retold`."""
        words = " ".join(re.split(r"[-_\s]+", self.stem)).strip() or self.stem
        return words[:1].upper() + words[1:]

    def __str__(self) -> str:
        return self.text

    @classmethod
    def of_file(cls, path: Path) -> Address:
        """Returns the address of a file; its text begins with `./` if it would name a server without."""
        text = str(path)
        return cls(f"./{text}" if _SERVER.fullmatch(text) else text, path.name, path.stem, path)

    @classmethod
    def on_server(cls, text: str) -> Address:
        """Returns the address of a campaign on a server: `club:salt-road`, `postgresql://…/salt-road`."""
        name = re.split(r"[:/]", text)[-1]
        return cls(text, text, unquote(name) if "://" in text else name)

    @classmethod
    def read(cls, typed: str) -> Address:
        """Returns the address that a user typed: `NAME:CAMPAIGN` and URLs are servers', all else is a file.

        `./club:x` is a file too.
        """
        return cls.on_server(typed) if _SERVER.fullmatch(typed) else cls.of_file(Path(typed))

    @classmethod
    def of(cls, place: Place) -> Address:
        """Returns the address of a place given as an address, a path (always a file) or a typed text."""
        if isinstance(place, Address):
            return place
        return cls.read(place) if isinstance(place, str) else cls.of_file(place)


Place = Address | Path | str
"""What may be given for a campaign's address."""
