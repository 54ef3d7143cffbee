"""Names of a Foundry world's users and actors, read from the files beside its messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

import msgspec

from retold.journal.refused import Refused
from retold.sources import leveldb
from retold.sources.folders import WORLD
from retold.sources.opening import MOST_BYTES, Stream
from retold.sources.reporting import Tally


@dataclass(frozen=True)
class World:
    """Names of a world by their ids."""

    users: Mapping[str, str] = field(default_factory=dict)
    actors: Mapping[str, str] = field(default_factory=dict)
    characters: Mapping[str, str] = field(default_factory=dict)
    """Names of users by the ids of the actors that are their characters."""


class _Named(msgspec.Struct):
    """User or actor of a world; fields besides id and name are not decoded."""

    identifier: str = msgspec.field(name="_id", default="")
    name: str = ""
    role: object = None
    character: object = None


GAME_MASTER = 4
"""Role of a user who is the game master."""


def world_of(stream: Stream, tally: Tally) -> World:
    """World's names, read from the folder of the log, or from folder `data` of the world around an archive.

    Names from a LevelDB win over names from a `.db` file. Warns of files that cannot be read.
    """
    folder, _, _ = stream.name.rpartition("/")
    world, _, _ = folder.rpartition("/")
    folders = [f"{path}/" if path else "" for path in (folder, f"{world}/data" if world else "data")]
    found: dict[str, dict[str, str]] = {}
    players: dict[str, _Named] = {}
    for kind in ("users", "actors"):
        known = found.setdefault(kind, {})
        names = [f"{path}{kind}{end}" for path in folders for end in (".db", "")]
        for other in sorted(
            (other for other in stream.beside if other.name in names), key=lambda file: bool(file.parts)
        ):
            try:
                for named in _named_in(_texts(other, kind)):
                    known[named.identifier] = named.name
                    if named.role == GAME_MASTER:
                        tally.game_masters.add(named.name)
                    elif kind == "users":
                        players[named.identifier] = named
            except Refused:
                tally.warn(f"{other.name} cannot be read, so names of {kind} may be missing.")
            other.release()
    characters = {one.character: one.name for one in players.values() if isinstance(one.character, str)}
    tally.title = tally.title or _title_beside(stream, (folder, world))
    tally.users |= found["users"]
    tally.characters |= {
        found["actors"][actor]: user for actor, user in characters.items() if actor in found["actors"]
    }
    return World(found["users"], found["actors"], characters)


class _Titled(msgspec.Struct):
    title: str = ""


def _title_beside(stream: Stream, folders: Iterable[str]) -> str:
    """Title of the world, as its file `world.json` has it; empty without one."""
    names = [f"{folder}/{WORLD}" if folder else WORLD for folder in folders]
    for other in (other for other in stream.beside if other.name in names):
        try:
            return msgspec.json.decode(other.data, type=_Titled).title
        except (Refused, msgspec.DecodeError, UnicodeDecodeError):
            continue
    return ""


def files_of(stream: Stream) -> leveldb.Files:
    """Files of a LevelDB folder, all read at once, since Foundry may change them while the world is open.

    Raises Refused if a file has vanished meanwhile, or if the files are larger than 1 GB.
    """
    size = 0
    for part in stream.parts:
        try:
            size += len(part.data)
        except Refused as refusal:
            raise Refused(f"{refusal} Close the world in Foundry, or copy its folder first.") from None
        if size > MOST_BYTES:
            raise Refused(f"{stream.name} is larger than 1 GB; it cannot be read.")
    return {part.name.rpartition("/")[2]: partial(getattr, part, "data") for part in stream.parts}


def _texts(stream: Stream, kind: str) -> Iterator[bytes]:
    """JSON of each user or actor."""
    if not stream.parts:
        yield from stream.data.splitlines()
        return
    files = files_of(stream)
    entries, _ = leveldb.newest(files, leveldb.live_files(files))
    start = f"!{kind}!".encode()
    for key, value in entries.items():
        if key.startswith(start) and value.data is not None:
            yield value.data


def _named_in(texts: Iterable[bytes]) -> Iterator[_Named]:
    for text in texts:
        try:
            named = _decoder.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError):  # a line that was never finished, or of the index
            continue
        if named.identifier and named.name:
            yield named


_decoder = msgspec.json.Decoder(_Named)
