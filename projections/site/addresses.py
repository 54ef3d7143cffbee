"""Stable paths of a site's pages, valid as file names on every host and system."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Container, Iterator, Mapping
from typing import Final
from urllib.parse import urlsplit

from retold.journal.file_names import DEVICES
from retold.journal.pictures import SUFFIXES
from retold.journal.refused import Refused
from retold.projections.dossiers import Dossiers, MatterKnown, PersonKnown

Known = PersonKnown | MatterKnown

FOLDERS: Final = {"person": "people", "place": "places", "thread": "threads", "thing": "things"}
"""Folder of each sort's pages."""

SESSIONS, REPLAYS = "sessions", "replays"
CONTENTS, SEARCH, LOST, FEED, STYLE = "index.html", "search.html", "404.html", "feed.xml", "site.css"

FONT: Final = "fonts/48ab940f9c68ea74.otf"
"""Libre Caslon Display; the name of a file that has no header begins like its SHA-256."""
EMBEDDINGS: Final = "embed/"
"""Folder of what other pages ask for to show a replay (oEmbed)."""
PICTURES: Final = "pictures/"
SEARCHED: Final = "search/"
"""Folder of what the search looks through."""

WHERE: Final = (
    *(CONTENTS, SEARCH, LOST, FEED, STYLE),
    *(f"{folder}/*.html" for folder in (*FOLDERS.values(), SESSIONS, REPLAYS)),
    *(f"{PICTURES}*{suffix}" for suffix in SUFFIXES.values()),
    f"{SEARCHED}*.js",
    "fonts/*.otf",
    f"{EMBEDDINGS}*.json",
)
"""Patterns of all files of a site."""

LONGEST: Final = 60
"""Most letters of a name in an address."""

_WHOLE: Final = str.maketrans(
    {"ł": "l", "đ": "d", "ð": "d", "ø": "o", "æ": "ae", "œ": "oe", "þ": "th", "ħ": "h", "ŧ": "t"}
)
"""Latin letters that are no letter with a mark, and so are not taken apart."""

_BASE: Final = re.compile(r"https?://[\w.:\[\]-]+(/[\w.~%+=:&!$()*@/-]*)?")
"""Address without characters that could end a link, a feed element or a content policy."""


def slug(name: str, kind: str, taken: Container[str] = ()) -> str:
    """Returns a page's file name without suffix: lowercase Latin letters, digits and hyphens.

    A name without any of these becomes its `kind` (`person`, `place`, …); a number distinguishes it from
    names in `taken`.
    """
    letters = unicodedata.normalize("NFKD", re.sub("['\u2019]", "", name)).casefold().translate(_WHOLE)
    plain = re.sub(
        r"[^a-z0-9]+", "-", "".join(letter for letter in letters if not unicodedata.combining(letter))
    )
    plain = plain[:LONGEST].strip("-") or kind
    plain = f"{kind}-{plain}" if re.fullmatch(DEVICES, plain) else plain
    number, found = 1, plain
    while found in taken:
        number += 1
        found = f"{plain}-{number}"
    return found


def placed(dossiers: Dossiers) -> Iterator[tuple[str, Known]]:
    """Yields (page path, dossier) for each named person, place, thread and thing.

    The path is made of the first name, so pages keep it when a person is renamed. Players get no page, since
    a site is public.
    """
    taken: dict[str, set[str]] = {kind: {"index"} for kind in FOLDERS}
    for dossier in dossiers.named():
        if not is_player(dossier):
            found = slug((*dossier.former, dossier.called)[0], dossier.kind, taken[dossier.kind])
            taken[dossier.kind].add(found)
            yield f"{FOLDERS[dossier.kind]}/{found}.html", dossier


def is_player(dossier: Known) -> bool:
    """True for a player's dossier, as opposed to a character's or a matter's."""
    return isinstance(dossier, PersonKnown) and dossier.role == "player"


def moved(known: Mapping[str, Known]) -> Iterator[tuple[str, str]]:
    """Yields (redirecting path, page path) for former names and for names whose page has another path."""
    taken = set(known)
    for path, dossier in known.items():
        for name in (*dossier.former, dossier.called):
            found = f"{FOLDERS[dossier.kind]}/{slug(name, dossier.kind, {'index'})}.html"
            if found not in taken:
                taken.add(found)
                yield found, path


def named_by(data: bytes) -> str:
    """Returns the file name for content that cannot say it is Retold's: part of its SHA-256."""
    return hashlib.sha256(data).hexdigest()[:16]


def session(number: int | None, folder: str = SESSIONS) -> str:
    """Returns the path of a session's page; None means the story of a branch without sessions."""
    return f"{folder}/{'story' if number is None else number}.html"


def root(path: str) -> str:
    """Returns the relative path from a page to the site's root: `people/zel.html` → `../`."""
    return "../" * path.count("/")


def base(typed: str) -> str:
    """Returns a typed public address without its trailing slash; raises Refused if it is invalid."""
    if not _BASE.fullmatch(typed) or not _is_address(typed):
        raise Refused(
            f"“{typed}” is not an address of a site: say it like --url https://example.org/our-campaign."
        )
    return typed.rstrip("/")


def _is_address(typed: str) -> bool:
    try:
        found = urlsplit(typed)
        return bool(found.hostname) and found.port != 0
    except ValueError:
        return False


def absolute(base: str, path: str) -> str:
    """Returns the absolute address of a page; `index.html` is addressed by its folder."""
    return (
        f"{base}/{path.removesuffix(CONTENTS) if path.endswith(f'/{CONTENTS}') or path == CONTENTS else path}"
    )
