"""Logs of other tools for the benchmarks: made up, of any length, the same at every run."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tests.retold.sources import made_up_foundry as foundry

SEED: Final = 27
EVENING: Final = 400
"""Messages of an evening; the next is a week later."""
_WORDS: Final = (
    *("the", "ferry", "has", "not", "moved", "since", "noon", "its", "lamp", "is", "lit", "all", "same"),
    *("somebody", "aboard", "waits", "under", "cold", "water", "and", "nobody", "on", "quay", "will", "say"),
)
_SPEAKERS: Final = (("Zel", "usrzel"), ("Pell", "usrpell"), ("Odo", "usrodo"), ("Mary", "usrmary"))
_PAGE: Final = '<div class="system card"><header><h3>{0}</h3></header><section><p>{1}</p></section></div>'


def _sentence(luck: random.Random, words: int) -> str:
    said = " ".join(luck.choice(_WORDS) for _ in range(words))
    return f"{said.capitalize()}."


def _time(number: int) -> int:
    """Time of a message in milliseconds: evenings a week apart, 20 seconds between their messages."""
    evening, place = divmod(number, EVENING)
    return foundry.START + (evening * 7 * 86_400 + place * 20) * 1_000


def _foundry_message(number: int, luck: random.Random) -> dict[str, Any]:
    """A message of a system as they are: one in three a roll, one in six a card, some 1,600 bytes."""
    identifier = f"{number:016x}"
    label, user = luck.choice(_SPEAKERS)
    item = foundry.said("x", 0, f"<p>{_sentence(luck, 12)}</p>", author=user.ljust(16, "0"), style=2)
    item |= {"_id": identifier, "timestamp": _time(number)}
    item["speaker"] = {"scene": "s" * 16, "actor": None, "token": None, "alias": label}
    kind = number % 6
    if kind in (1, 4):
        face, plus = luck.randint(1, 20), luck.randint(0, 9)
        terms = (foundry.dice(20, foundry.lay(face)), foundry.PLUS, foundry.number(plus))
        item |= {"content": str(face + plus), "flavor": _sentence(luck, 3), "style": 0}
        item["rolls"] = [foundry.roll(f"1d20 + {plus}", face + plus, *terms)]
    elif kind == 3:  # noqa: PLR2004
        item |= {"content": _PAGE.format(_sentence(luck, 3), _sentence(luck, 60)), "style": 0}
    elif kind == 5:  # noqa: PLR2004
        item |= {"style": 3, "content": _sentence(luck, 8)}
    filling = 1_590 - len(json.dumps(item, separators=(",", ":")))
    item["flags"] = {"made-up": {"context": "x" * max(filling, 0)}}
    return item


def foundry_messages(number: int) -> list[dict[str, Any]]:
    """So many messages of a world."""
    luck = random.Random(SEED)
    return [_foundry_message(one, luck) for one in range(number)]


def write_nedb(path: Path, number: int) -> Path:
    """A file `messages.db` with so many messages; returns it."""
    path.write_bytes(b"".join(foundry.compact(item) + b"\n" for item in foundry_messages(number)))
    return path


def write_leveldb(folder: Path, number: int) -> Path:
    """A folder `messages` that is a LevelDB with so many messages in tables of a thousand; returns it."""
    folder.mkdir(parents=True)
    items = foundry_messages(number)
    changes = foundry.changes(items, 10)
    tables = {5 + at // 1_000: (1, changes[at : at + 1_000]) for at in range(0, len(changes), 1_000)}
    for name, data in foundry.database(tables).items():
        (folder / name).write_bytes(data)
    return folder


def _discord_messages(size: int) -> Iterator[str]:
    """Messages of a channel, one in five a command and one the bot's answer, until there are bytes enough."""
    luck = random.Random(SEED)
    number = written = 0
    while written < size:
        label, user = luck.choice(_SPEAKERS)
        moment = _time(number) / 1_000
        said = f"{_sentence(luck, 14)}"
        item: dict[str, Any] = {
            "id": str(1_477_752_830_549_819_392 + number * 4_194_304),
            "type": "Default",
            "timestamp": _iso(moment),
            "timestampEdited": None,
            "callEndedTimestamp": None,
            "isPinned": False,
            "content": f'"{said}"' if number % 2 else said,
            "author": {
                "id": str(900_000_000_000_000_000 + _SPEAKERS.index((label, user))),
                "name": user,
                "discriminator": "0000",
                "nickname": label,
                "color": None,
                "isBot": False,
                "roles": [{"id": "5", "name": "players", "color": "#112233", "position": 3}],
                "avatarUrl": "https://cdn.example/avatars/0.png",
            },
            "attachments": [],
            "embeds": [],
            "stickers": [],
            "reactions": [],
            "mentions": [],
            "inlineEmojis": [],
        }
        line = json.dumps(item, indent=2)
        written += len(line) + 2
        number += 1
        yield line


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")


def write_discord(path: Path, size: int) -> Path:
    """A channel in DiscordChatExporter's JSON of about so many bytes; returns it."""
    head = '{"guild":{"id":"1","name":"Salt"},"channel":{"id":"7","type":"GuildTextChat","name":"the-table"},'
    with path.open("w", encoding="utf-8") as file:
        file.write(f'{head}\n"messages": [\n')
        number = 0
        for number, line in enumerate(_discord_messages(size), start=1):
            file.write(f",\n{line}" if number > 1 else line)
        file.write(f'\n],\n"messageCount": {number}\n}}\n')
    return path
