"""A made-up world of Foundry VTT 13: LevelDB folders, an archive, and a small writer of LevelDB for tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PUT, DELETE = 1, 0
FULL, FIRST, MIDDLE, LAST = 1, 2, 3, 4
COMPARATOR = b"leveldb.BytewiseComparator"


# --- LevelDB ---


def varint(number: int) -> bytes:
    """Number in 7 bits a byte, lowest first."""
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes((*found, number))


def text(data: bytes) -> bytes:
    """Bytes with their length in front."""
    return varint(len(data)) + data


def _crc_table() -> Iterator[int]:
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)  # noqa: PLW2901
        yield byte


_CRC = tuple(_crc_table())


def checksum(data: bytes) -> bytes:
    """CRC-32C as LevelDB stores it: turned by 15 bits, with a number added."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _CRC[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return (((crc >> 15 | crc << 17) & 0xFFFFFFFF) + 0xA282EAD8 & 0xFFFFFFFF).to_bytes(4, "little")


@dataclass(frozen=True)
class Change:
    """One change of a key, with its sequence number; a deletion has no value."""

    key: bytes
    sequence: int
    value: bytes | None = None

    @property
    def inner_key(self) -> bytes:
        kind = DELETE if self.value is None else PUT
        return self.key + (self.sequence << 8 | kind).to_bytes(8, "little")


def log(records: Sequence[bytes], block: int = 32_768) -> bytes:
    """Log of these records, cut into fragments at the ends of its blocks."""
    found = bytearray()
    for record in records:
        rest, kind = record, FIRST
        while True:
            room = block - len(found) % block
            if room < 7:
                found += bytes(room)
                continue
            part, rest = rest[: room - 7], rest[room - 7 :]
            if not rest:
                kind = FULL if kind == FIRST else LAST
            head = len(part).to_bytes(2, "little") + bytes((kind,))
            found += checksum(bytes((kind,)) + part) + head + part
            if not rest:
                break
            kind = MIDDLE
    return bytes(found)


def batch(changes: Sequence[Change]) -> bytes:
    """Record of a log: changes with sequence numbers from the first one's."""
    body = b"".join(
        bytes((PUT,)) + text(change.key) + text(change.value)
        if change.value is not None
        else bytes((DELETE,)) + text(change.key)
        for change in changes
    )
    return changes[0].sequence.to_bytes(8, "little") + len(changes).to_bytes(4, "little") + body


def literal_snappy(data: bytes) -> bytes:
    """Snappy's form of bytes without any compression, so that examples are the same everywhere."""
    found = bytearray(varint(len(data)))
    for start in range(0, len(data), 60):
        part = data[start : start + 60]
        found += bytes((len(part) - 1 << 2,)) + part
    return bytes(found)


def block(pairs: Sequence[tuple[bytes, bytes]], restart: int = 16) -> bytes:
    """Block of pairs; each key but every 16th leaves out what it shares with the one before."""
    found, restarts, before = bytearray(), [], b""
    for place, (key, value) in enumerate(pairs):
        shared = 0
        if place % restart == 0:
            restarts.append(len(found))
        else:
            while shared < min(len(key), len(before)) and key[shared] == before[shared]:
                shared += 1
        found += varint(shared) + varint(len(key) - shared) + varint(len(value)) + key[shared:] + value
        before = key
    ends = restarts or [0]
    return bytes(found) + b"".join(end.to_bytes(4, "little") for end in (*ends, len(ends)))


def table(
    changes: Sequence[Change],
    *,
    size: int = 4_096,
    how: int = 1,
    packed: Callable[[bytes], bytes] = literal_snappy,
    restart: int = 16,
    forgotten: int | None = None,
) -> bytes:
    """Table of changes in the order of keys, the newest of a key first; its index may forget one block."""
    ordered = sorted(changes, key=lambda change: (change.key, -change.sequence))
    found = bytearray()

    def add(data: bytes) -> bytes:
        handle = varint(len(found))
        data = packed(data) if how else data
        found.extend(data + bytes((how,)) + checksum(data + bytes((how,))))
        return handle + varint(len(data))

    index: list[tuple[bytes, bytes]] = []
    waiting: list[tuple[bytes, bytes]] = []
    for change in ordered:
        waiting.append((change.inner_key, change.value or b""))
        if sum(len(key) + len(value) for key, value in waiting) >= size:
            index.append((change.inner_key, add(block(waiting, restart))))
            waiting = []
    if waiting:
        index.append((waiting[-1][0], add(block(waiting, restart))))
    if forgotten is not None:
        del index[forgotten]
    meta = add(block([]))
    footer = meta + add(block(index, 1))
    return bytes(found) + footer.ljust(40, b"\0") + bytes.fromhex("57fb808b247547db")


def edit(
    *,
    tables: Mapping[int, tuple[int, Sequence[Change]]] | None = None,
    gone: Sequence[tuple[int, int]] = (),
    logs_from: int | None = None,
    former_log: int = 0,
) -> bytes:
    """Record of a manifest; `tables` are levels and changes by number, `gone` levels and numbers."""
    found = varint(1) + text(COMPARATOR)
    if logs_from is not None:
        found += varint(2) + varint(logs_from) + varint(9) + varint(former_log)
    found += varint(3) + varint(99) + varint(4) + varint(999)
    for level, number in gone:
        found += varint(6) + varint(level) + varint(number)
    for number, (level, changes) in (tables or {}).items():
        keys = sorted(change.inner_key for change in changes)
        found += varint(7) + varint(level) + varint(number) + varint(1_000) + text(keys[0]) + text(keys[-1])
    return found


def database(
    tables: Mapping[int, tuple[int, Sequence[Change]]],
    logged: Sequence[Sequence[Change]] = (),
    dead: Mapping[int, Sequence[Change]] | None = None,
) -> dict[str, bytes]:
    """Files of a LevelDB by name: its tables, one log, a manifest, and tables that count no more."""
    files = {f"{number:06}.ldb": table(changes) for number, (_, changes) in tables.items()}
    files |= {f"{number:06}.ldb": table(changes) for number, changes in (dead or {}).items()}
    first = {number: (0, changes) for number, changes in (dead or {}).items()}
    edits = [edit(tables=first, logs_from=3)]
    edits.append(edit(tables=tables, gone=[(0, number) for number in first], logs_from=90))
    return {
        **files,
        "000090.log": log([batch(changes) for changes in logged]),
        "000003.log": log([batch([Change(b"!messages!" + b"z" * 16, 1, b'{"old":true}')])]),
        "CURRENT": b"MANIFEST-000089\n",
        "LOCK": b"",
        "LOG": b"2026/03/01-19:42:10.123456 7f00 Delete type=2 #5\n",
        "MANIFEST-000089": log(edits),
    }


# --- The world ---

MARY, JON, ODD = "usermary00000001", "userjon000000001", "userodd000000001"
USERS = {MARY: "Mary", JON: "Jon", ODD: "Odd"}
ACTORS = {"actorzel00000001": "Zel", "actorpell0000001": "Pell"}
START = 1_772_394_130_123
PLUS = {"class": "OperatorTerm", "operator": "+", "evaluated": True}


def number(value: float) -> dict[str, Any]:
    """Added number of a roll."""
    return {"class": "NumericTerm", "number": value, "evaluated": True}


def lay(face: int, **more: object) -> dict[str, Any]:
    """Face that lay on the table."""
    return {"result": face, "active": True, **more}


def dropped(face: int) -> dict[str, Any]:
    """Face that was dropped."""
    return {"result": face, "active": False, "discarded": True}


def dice(
    sides: int, *faces: Mapping[str, Any], kind: str = "Die", modifiers: Sequence[str] = ()
) -> dict[str, Any]:
    """Dice of a roll, one for each face unless some were brought later."""
    first = [
        face
        for place, face in enumerate(faces)
        if not any(one.get("exploded") or one.get("rerolled") for one in faces[:place][-1:])
    ]
    return {
        "class": kind,
        "number": len(first),
        "faces": sides,
        "modifiers": list(modifiers),
        "results": list(faces),
        "evaluated": True,
    }


def roll(formula: str, total: float, *terms: Mapping[str, Any], kind: str = "Roll") -> str:
    """Roll as Foundry keeps it: JSON in a text."""
    return json.dumps({"class": kind, "formula": formula, "total": total, "terms": terms, "evaluated": True})


def pool(modifiers: Sequence[str], *rolls: str) -> dict[str, Any]:
    """Pool of rolls; of those with a modifier `kh` the highest total counts."""
    inner = [json.loads(one) for one in rolls]
    highest = max(one["total"] for one in inner)
    results = [
        dropped(one["total"]) if modifiers and one["total"] < highest else lay(one["total"]) for one in inner
    ]
    formulas = [one["formula"] for one in inner]
    return {
        "class": "PoolTerm",
        "terms": formulas,
        "modifiers": list(modifiers),
        "rolls": inner,
        "results": results,
    }


def said(letter: str, after: int, content: str = "", **more: object) -> dict[str, Any]:
    """Message in the form of version 13, so many seconds after the first."""
    return {
        "_id": letter * 16,
        "type": "base",
        "style": 0,
        "author": JON,
        "timestamp": START + after * 1_000,
        "speaker": {"scene": None, "actor": "actorzel00000001", "token": None, "alias": "Zel"},
        "flavor": "",
        "content": content,
        "rolls": [],
        "whisper": [],
        "blind": False,
        "emote": False,
        "sound": None,
        "flags": {},
        "_stats": {"coreVersion": "13.346", "systemId": "made-up", "createdTime": START + after * 1_000},
        **more,
    }


NOBODY = {"scene": None, "actor": None, "token": None}
BOX = (
    '<div class="dice-roll" data-action="expandRoll"><div class="dice-result">'
    '<div class="dice-formula">1d6</div>'
    '<ol class="dice-rolls"><li class="roll die d6">4</li></ol><h4 class="dice-total">4</h4></div></div>'
)
DRAW = (
    f'<div class="table-draw"><div class="table-description">What the tide brings</div>{BOX}'
    '<ol class="table-results"><li class="table-result"><img src="icons/barrel.svg">'
    '<div class="result-text">A barrel of salt &amp; a boot.</div></li></ol></div>'
)
CARD = (
    '<div class="card"><header title="Worn > new"><h3>Boathook</h3></header><p>A hook and a pole.</p>'
    '<!-- old: <p>None.</p> --><button type="button">Attack</button></div>'
)
MESSAGES: Sequence[dict[str, Any]] = (
    said("c", 60, "<p>The ferry has not moved since noon.</p>", author=MARY, speaker=NOBODY),
    said("a", 90, "Somebody is aboard.", style=2),
    said(
        "b",
        120,
        "17.14",
        flags={"core": {"initiativeRoll": True}, "foundryvtt-simple-calendar": {"timestamp": 1}},
        rolls=[
            roll(
                "2d20kh + 2 + 0.14",
                17.14,
                dice(20, dropped(4), lay(15), kind="D20Die", modifiers=["kh"]),
                *(PLUS, number(2), PLUS, number(0.14)),
                kind="D20Roll",
            )
        ],
    ),
    said(
        "d",
        150,
        DRAW,
        author=MARY,
        flavor="Draws a result from the Tide table",
        flags={"core": {"RollTable": "tabletide0000001"}},
        rolls=[roll("1d6", 4, dice(6, lay(4)))],
    ),
    said(
        "e",
        180,
        "22",
        flavor="Two at once",
        rolls=[
            roll("{1d20,1d20}kh", 19, pool(["kh"], *(roll("1d20", n, dice(20, lay(n))) for n in (7, 19)))),
            roll("4dF + 2", 3, dice(3, lay(-1), lay(0), lay(1), lay(1), kind="FateDie"), PLUS, number(2)),
        ],
    ),
    said(
        "f",
        210,
        "9",
        whisper=[MARY],
        blind=True,
        flavor="Perception",
        rolls=[roll("1d20", 9, dice(20, lay(9)))],
    ),
    said("g", 240, CARD, speaker={**NOBODY, "actor": "actorpell0000001"}),
    said("h", 270, "waves at the lamp", style=3),
    said("i", 300, "One moment, please.", style=1, speaker=NOBODY, author=ODD),
    said(
        "j",
        330,
        "14",
        rolls=[
            roll(
                "1d20min10 + 4",
                14,
                dice(20, lay(3, count=10, rerolled=True), modifiers=["min10"]),
                PLUS,
                number(4),
            )
        ],
    ),
    said("k", 360, "It is no lamp.", whisper=[MARY], style=2),
    said("l", 390, "", flavor=""),
)
TAKEN_BACK = said("m", 400, "said and then thought better of")
OLD = said("n", 10, "from a table that a compaction made old")


def changes(items: Sequence[Mapping[str, Any]], first: int, kind: str = "messages") -> list[Change]:
    """Changes that put documents into the database of their kind."""
    return [
        Change(f"!{kind}!{item['_id']}".encode(), first + place, compact(item))
        for place, item in enumerate(items)
    ]


def compact(item: Mapping[str, Any]) -> bytes:
    """JSON as Foundry writes it."""
    return json.dumps(item, separators=(",", ":"), ensure_ascii=False).encode()


def world() -> dict[str, bytes]:
    """Files of the world by name; its messages are in two tables and a log, and one table is dead."""
    early = [{**MESSAGES[1], "content": "Nobody is aboard."}, *MESSAGES[2:8], TAKEN_BACK]
    late = [Change(b"!messages!" + b"m" * 16, 31), *changes([MESSAGES[1], MESSAGES[0]], 32)]
    broken = Change(
        b"!messages!" + b"p" * 16, 40, b'{"_id":"pppppppppppppppp","author":"userjon000000001","con'
    )
    messages = database(
        {5: (1, changes(early, 10)), 7: (0, changes(MESSAGES[8:], 20))},
        [late, [broken]],
        {4: changes([OLD], 1)},
    )
    actors = changes(
        [{"_id": key, "name": name, "items": ["x"]} for key, name in ACTORS.items()], 1, "actors"
    )
    item = Change(
        b"!actors.items!actorzel00000001.itemhook00000001", 9, b'{"_id":"itemhook00000001","name":"Boathook"}'
    )
    users = changes([{"_id": key, "name": name, "role": 1} for key, name in USERS.items()], 1, "users")
    parts = {
        "messages": messages,
        "actors": database({5: (1, [*actors, item])}),
        "users": {
            "CURRENT": b"MANIFEST-000002\n",
            "MANIFEST-000002": log([edit(logs_from=3)]),
            "000003.log": log([batch(users)]),
        },
    }
    files = {
        f"data/{folder}/{name}": data for folder, inside in parts.items() for name, data in inside.items()
    }
    return {
        **files,
        "data/messages.db": compact(TAKEN_BACK) + b"\n",
        "world.json": json.dumps({"id": "ferry", "title": "The ferry", "coreVersion": "13.346"}).encode(),
    }


def archive() -> str:
    """Archive of a module: an object with the messages of the evening, in the order of time."""
    data = {"id": "archive000000001", "title": "The ferry", "timestamp": START, "description": ""}
    return json.dumps({"data": data, "messages": MESSAGES}, indent="\t")


FILES = {f"foundry-world/{name}": data for name, data in world().items()} | {
    "foundry-archive.json": archive().encode()
}


def write(folder: Path) -> None:
    """Writes the example files."""
    for name, data in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
