"""Folders that hold one log in many files: worlds of Foundry and LevelDBs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from retold.sources.leveldb import is_database, is_part

WORLD: Final = "world.json"
"""File that makes a folder a world of Foundry VTT."""
NEIGHBOURS: Final = {"messages": ("users", "actors")}
"""Names of the files or folders beside one, without `.db`, in which the names for it stand."""
DATA: Final = "data/"
LOGS: Final = frozenset({"data", "chat-archive", "chat-archives"})
"""Folders of a world in which messages lie: its databases, and what its archive modules save."""
_OF_WORLD: Final = frozenset({"messages", "users", "actors"})
_OF_LEVELDB: Final = frozenset({"LOCK", "LOG", "LOG.old"})


def worlds_among(names: Collection[str]) -> set[str]:
    """Folders that hold a world and its data, each with a slash at its end; `""` is the topmost folder."""
    found = {name.removesuffix(WORLD) for name in names if _last(name) == WORLD}
    return {
        folder
        for name in names
        for folder in _folders_of(name)
        if folder in found and name.startswith(folder + DATA)
    }


def needs_look(name: str, worlds: AbstractSet[str]) -> bool:
    """False for a file of a world other than its messages, users, actors and title.

    A world has thousands of pictures and sounds, which would only be listed.
    """
    world = next((folder for folder in _folders_of(name) if folder in worlds), None)
    if world is None:
        return True
    first, _, rest = name.removeprefix(world).partition("/")
    if f"{first}/" == DATA:
        return rest.partition("/")[0].removesuffix(".db") in _OF_WORLD
    return first in LOGS or (first == WORLD and not rest)


def _folders_of(name: str) -> Iterator[str]:
    """Folders above a file, from the topmost (`""`) down, each with a slash at its end."""
    yield ""
    at = name.find("/") + 1
    while at:
        yield name[:at]
        at = name.find("/", at) + 1


@dataclass(frozen=True)
class Databases:
    """LevelDBs among the files of a folder."""

    parts: Mapping[str, list[str]]
    """Names of the files of each, by its folder."""
    frame: AbstractSet[str]
    """Names of their locks and of what their program noted about itself."""
    dead: AbstractSet[str]
    """Names of files that count no more.

    These are what a repair put aside in `lost`, and a file `NAME.db` beside the LevelDB `NAME`, in which
    Foundry kept the same up to version 10.
    """


def databases(names: Iterable[str]) -> Databases:
    """LevelDBs that files with these names make up."""
    folders: dict[str, list[str]] = {}
    for name in names:
        folders.setdefault(name.rpartition("/")[0], []).append(name)
    found = {
        folder: sorted((name for name in inside if is_part(_last(name))), key=_place)
        for folder, inside in folders.items()
        if is_database([_last(name) for name in inside])
    }
    lost = {folder for folder in found if _last(folder) == "lost" and folder.rpartition("/")[0] in found}
    frame = {name for folder in found for name in folders[folder] if _last(name) in _OF_LEVELDB}
    dead = {name for folder in lost for name in folders[folder]} | {f"{folder}.db" for folder in found}
    parts = {folder: inside for folder, inside in found.items() if folder not in lost}
    return Databases(parts, frame, dead)


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def _place(name: str) -> tuple[bool, bool, str]:
    """Sort key of a LevelDB's file: manifest and CURRENT first, then logs, then tables."""
    last = _last(name)
    return last[0].isdigit(), not last.endswith(".log"), last
