"""R19: JSON that is made to hurt, wherever JSON is read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from retold.journal.store.contract.errors import StoreError
from retold.journal.store.copies import dump as dump_
from retold.journal.store.copies.dump import dump, load
from retold.journal.store.writing.campaign import CampaignStore
from tests.journal.store.copies.test_dump import BROKEN
from tests.survival.attacks import Found, attacked
from tests.survival.saying import say

BOMBS = (
    *("[" * 100_000, '{"a":' * 100_000, "9" * 5000, "-" + "9" * 400, "1e999", "1e-999", "NaN", "-Infinity"),
    *(str(2**53 + 1), str(2**64), "0.1", "01", "+1", "0x1", "1.", '"\\ud800"', '"\\u0000"', '"\\x"', '"\t"'),
    *('{"a":1,"a":2}', "[1,]", "{,}", "'a'", "nul", "\ufeff1", "", "\0", '"', "true false", "//", "[]", "{}"),
)


def read_bombs(folder: Path, rounds: int, protected: bool) -> Found:
    """R19: so many dumps with something else in them, JSON or none; each is refused, or the same."""
    found, random = Found(), Random(19)
    attacked(folder / "a.retold")
    with CampaignStore.open(folder / "a.retold") as camp:
        lines = list(dump(camp.record))
    with ExitStack() as off:
        if not protected:  # a key may stand twice
            off.enter_context(patch.object(dump_, "_unique_keys", dict))
        for number, spoilt in zip(range(rounds), _spoilt(lines, random), strict=False):
            found.tried += 1
            _load(folder / str(number), lines, spoilt, found)
    for bomb in BOMBS[:: max(1, len(BOMBS) // rounds)]:
        found.tried += 1
        _beside(folder, bomb, found)
    return found


def _spoilt(lines: list[str], random: Random) -> Iterator[list[str | bytes]]:
    """The dump, spoilt in each way there is a case for, then in ever others."""
    yield [_twice(lines[0]), *lines[1:]]
    yield [*lines[:3], _twice(lines[3]), *lines[4:]]
    spoils: list[Callable[[list[str]], Any]] = [spoil for spoil, _ in BROKEN.values()]
    for spoil in spoils:
        try:
            yield list(spoil(list(lines)))
        except AssertionError:  # it is about a line of another dump
            continue
    while True:
        at = random.randrange(len(lines))
        yield [*lines[:at], random.choice(CHANGES)(lines[at], random), *lines[at + 1 :]]


def _twice(line: str) -> str:
    """The first of its keys stands in it once more, with the same value."""
    first = next(iter(json.loads(line).items()))
    return f"{{{json.dumps(first[0])}:{json.dumps(first[1])},{line[1:]}"


def _bomb(line: str, random: Random) -> str:
    """One of its values is something else."""
    found = json.loads(line)
    place = found
    while isinstance(place, dict) and place:
        key = random.choice(list(place))
        if not isinstance(place[key], dict) or random.random() < 0.3:
            place[key] = "the bomb"
            break
        place = place[key]
    return json.dumps(found, ensure_ascii=False).replace('"the bomb"', random.choice(BOMBS))


def _letters(line: str, random: Random) -> str:
    """Some of its letters are others, or are missing."""
    letters = list(line)
    for _ in range(random.randrange(1, 5)):
        letters[random.randrange(len(letters))] = random.choice(
            ["", '"', "{", "}", ",", ":", "\\", "0", "é", "\0"]
        )
    return "".join(letters)


CHANGES = (_bomb, _bomb, _letters, lambda line, _: _twice(line))


def _load(folder: Path, lines: list[str], spoilt: list[str | bytes], found: Found) -> None:
    """It is refused and leaves nothing, or was the same, written otherwise by somebody who writes JSON."""
    folder.mkdir()
    try:
        load(spoilt, folder / "b.retold")
    except StoreError:
        found.damaged += any(folder.iterdir())
        return
    with CampaignStore.open(folder / "b.retold") as camp:
        found.damaged += list(dump(camp.record)) != lines
    found.untrue += not all(map(_is_strict, spoilt))


def _is_strict(line: str | bytes) -> bool:
    """Whether it is JSON in which nothing stands twice, as the standard library reads it."""

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(dict(pairs)) != len(pairs):
            raise ValueError
        return dict(pairs)

    text = line.decode() if isinstance(line, bytes) else line
    try:
        json.loads(text.removeprefix("\ufeff"), object_pairs_hook=once, parse_constant=int)
    except ValueError:
        return not text.strip()
    return True


def _beside(folder: Path, bomb: str, found: Found) -> None:
    """What is kept beside a campaign, or typed as JSON, ends with a sentence at the worst."""
    written = bomb.encode("utf-8", "surrogatepass")
    say(folder, "-c", "a", "switch", "kinder")
    for kept in (folder / "home" / "state").rglob("*.json"):
        kept.write_bytes(written)
    for words, typed in (
        (("show",), b""),
        (("switch", "mainline"), b""),
        (("run", "-"), b"note:\n    ." + written),
    ):
        said = say(folder, "-c", "a", *words, stdin=typed)
        found.untrue += not said.is_foreseen
