"""A dump loads whatever was typed: every code point, in every free field of every event and verb."""

from __future__ import annotations

import base64
import json
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retold.journal.names import UNKEEPABLE
from retold.journal.store.contract.event_store import Draft, Row
from retold.journal.store.copies.dump import dump, load
from retold.journal.store.events.codec import (
    Envelope,
    canonical,
    commitment,
    decode_event,
    encode_act,
    from_json,
)
from retold.journal.store.events.record import Record
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from retold.projections.texts import safe
from tests.every import COMMANDS
from tests.exploring import tries
from tests.journal.store.anything import models

SAMPLES = Path(__file__).parents[2] / "data" / "format-1"


@cache
def every() -> list[str]:
    return [sign for sign in map(chr, range(sys.maxunicode + 1)) if not UNKEEPABLE.search(sign)]


@cache
def sorts() -> str:
    """Some characters of every general category, some that `dump` escapes, and what looks like an escape."""
    by_sort = groupby(sorted(every(), key=unicodedata.category), unicodedata.category)
    found = ["".join(signs) for _, signs in by_sort]
    return "".join(signs[:2] + signs[-2:] for signs in found) + "\u200d\u2028\u202e\ufeff\x1b\x7f\\u200d\\"


WRITERS: dict[str, Callable[[str], str]] = {
    "as they are": str,
    "escaped for a terminal": safe.in_json,
    "by another program": lambda line: json.dumps(json.loads(line)),
}


def comes_back(record: Record, folder: Path) -> None:
    """Holds where the record, dumped by each writer, loads to the same lines and is whole."""
    written = list(dump(record))
    for number, write in enumerate(WRITERS.values()):
        path = folder / f"again-{number}.retold"
        load([write(line).encode() for line in written], path)
        with CampaignFile.open(path) as file:
            assert list(dump(Record(file))) == written
            assert verify(Record(file)).whole


def appended(campaign: CampaignStore, acts: Iterable[list[Draft]]) -> None:
    with campaign.record.writing():
        for drafts in acts:
            campaign.record.append(1, campaign.record.head(1), drafts)


def envelope(number: int) -> Envelope:
    return Envelope("2026-03-14T20:00:00.000000Z", 60, f"act {number}", 1, 1)


def chunks() -> Iterator[str]:
    text = "".join(every())
    return (text[start : start + 5000] for start in range(0, len(text), 5000))


def test_X1_every_code_point_survives_a_dump(tmp_path: Path) -> None:
    options = [e.OptionSet(system=None, key="acting", value=part) for part in chunks()]
    events = [*options, *(e.Noted(text=Words(part)) for part in chunks())]
    with CampaignStore.create(tmp_path / "a.retold") as campaign:
        appended(
            campaign,
            (encode_act([one], None, [envelope(n)], lambda: b"\0" * 16) for n, one in enumerate(events)),
        )
        comes_back(campaign.record, tmp_path)


FAMILIES = [path for path in sorted(SAMPLES.glob("*.jsonl")) if path.stem != "drafts"]
"""All that lie on a line; `test_drafts.py` has texts of drafts."""


@pytest.mark.parametrize("family", FAMILIES, ids=lambda path: path.stem)
def test_X1_every_kind_of_character_survives_in_every_field(family: Path, tmp_path: Path) -> None:
    rows = [with_sorts(one) for one in samples(family)]
    assert any(rows), "some kinds have a field that somebody may fill freely"
    with CampaignStore.create(tmp_path / "a.retold") as campaign:
        appended(campaign, ([one] for one in rows if one is not None))
        comes_back(campaign.record, tmp_path)


def samples(family: Path) -> Iterator[Row]:
    for line in family.read_text("utf-8").splitlines():
        one = json.loads(line)
        body = one["body"] if isinstance(one["body"], str) else canonical(one["body"])
        words = (
            one["words"] if one["words"] is None or isinstance(one["words"], str) else canonical(one["words"])
        )
        yield Row(1, 1, one["kind"], body, words, b"")


def with_sorts(row: Row) -> Draft | None:
    """The sample alone in an act, `sorts()` in each text that may be anything; None where there is none."""
    if row.kind in ("table.campaign-begun", "table.forked", "table.redacted", "table.promoted"):
        return None
    body = from_json(row.body) | {"i": 1, "n": 1}
    changed = False
    if row.words is not None:
        kept = [[salt, text + sorts()] for salt, text in from_json(row.words)]
        row = row._replace(words=canonical(kept))
        body["words"] = [commitment(_bytes(salt), text) for salt, text in kept]
        changed = True
    for place in list(places(body["data"])):
        tried = from_json(canonical(body))
        put(tried["data"], place, sorts())
        if is_read(row._replace(body=canonical(tried))):
            body, changed = tried, True
    return Draft(row.kind, canonical(body), row.words) if changed else None


def _bytes(salt: str) -> bytes:
    return base64.urlsafe_b64decode(f"{salt}==")


def is_read(row: Row) -> bool:
    try:
        decode_event(row)
    except (ValueError, KeyError, TypeError, LookupError, ArithmeticError):
        return False
    return True


def places(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401 -- a part of a body
    """Where each text stands in a body, as the keys that lead there."""
    if isinstance(value, str):
        yield before
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in parts:
        yield from places(one, (*before, key))


def put(value: Any, place: tuple[Any, ...], text: str) -> None:  # noqa: ANN401 -- as above
    *way, last = place
    for key in way:
        value = value[key]
    value[last] += text


GAMES = sorted({command.__module__.split(".")[2] for command in COMMANDS})


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=tries(2), deadline=None)
@given(data=st.data())
def test_X1_every_verb_survives_a_dump(
    game: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    verbs = [command for command in COMMANDS if command.__module__.split(".")[2] == game]
    typed = [data.draw(models(command)) for command in verbs]
    noted = e.Noted(text=Words(sorts()))
    folder = tmp_path_factory.mktemp("verbs")
    with CampaignStore.create(folder / "a.retold") as campaign:
        appended(
            campaign,
            (encode_act([noted], one, [envelope(n)], lambda: b"\0" * 16) for n, one in enumerate(typed)),
        )
        comes_back(campaign.record, folder)


def test_X1_a_dump_that_an_earlier_release_wrote_with_escapes_loads(tmp_path: Path) -> None:
    """Written by 0.1 of November 2026, whose own `load` refused it."""
    kept = (SAMPLES.parent / "escaped-dump.jsonl").read_bytes().splitlines()
    load(kept, tmp_path / "again.retold")

    with CampaignFile.open(tmp_path / "again.retold") as file:
        bodies = "".join(row.body for row in Record(file).everything())
        assert "\N{WOMAN}\u200d\N{FIRE ENGINE} on duty" in bodies
        assert "\u0646\u06cc\u0645\u200c\u0641\u0627\u0635\u0644\u0647" in bodies
        assert [safe.in_json(line).encode() for line in dump(Record(file))] == kept
