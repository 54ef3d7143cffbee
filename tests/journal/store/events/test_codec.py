"""What is written is what is read: every kind, every verb, every envelope; and no text stands in a body."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import count, groupby
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retold.journal.decks.chance import Provenance
from retold.journal.store.contract.errors import Damaged
from retold.journal.store.contract.event_store import Draft, Row
from retold.journal.store.events.codec import (
    Envelope,
    canonical,
    check_whole_numbers,
    decode,
    decode_command,
    decode_event,
    encode_act,
    from_json,
)
from retold.journal.store.events.kinds import DRAFT_EVENTS, EVENTS, topic
from retold.journal.systems import SYSTEMS
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import (
    LIMIT,
    Command,
    Event,
    Frozen,
    InvalidShape,
    Words,
    fields_of,
    values_of,
)
from retold.journal.vocabulary.commands import extended
from tests.every import COMMANDS
from tests.exploring import tries
from tests.journal.store.anything import TEXT, models

ALL_EVENTS = (*EVENTS.values(), *DRAFT_EVENTS.values())
F = TypeVar("F", bound=Frozen)
SAMPLES = Path(__file__).parents[3] / "data" / "format-1"


def envelope(*events: Event, number: int = 1, of: int = 1) -> Envelope:
    event = events[0]
    luck = len(getattr(event, event.luck)) if event.luck else 0
    return Envelope("2026-03-14T20:00:00.000000Z", 60, "act", number, of, luck=(Provenance.CALLED,) * luck)


def stored(*events: Event, command: Command | None = None) -> list[Row]:
    envelopes = [envelope(event, number=i, of=len(events)) for i, event in enumerate(events, 1)]
    salts = count()
    drafts = encode_act(events, command, envelopes, lambda: next(salts).to_bytes(16))
    return [row(draft, position) for position, draft in enumerate(drafts, 1)]


def row(draft: Draft, position: int = 1) -> Row:
    return Row(1, position, draft.kind, draft.body, draft.words, b"")


def families(classes: Iterable[type[F]]) -> list[list[type[F]]]:
    """The classes by module: Hypothesis begins once for each module, which costs more than to try a class."""
    return [list(group) for _, group in groupby(sorted(classes, key=_module), _module)]


def _module(kind: type) -> str:
    return kind.__module__


@pytest.mark.parametrize("kinds", families(ALL_EVENTS), ids=lambda kinds: topic(kinds[0]))
@settings(max_examples=tries(4), deadline=None)
@given(data=st.data())
def test_every_kind_is_read_as_it_was_written(kinds: list[type[Event]], data: st.DataObject) -> None:
    for kind in kinds:
        event = data.draw(models(kind), topic(kind))

        (written,) = stored(event)
        read = decode(written)

        assert read.event == event
        assert read.envelope == envelope(event)
        assert canonical(from_json(written.body)) == written.body


@pytest.mark.parametrize("kinds", families(COMMANDS), ids=lambda kinds: kinds[0].verb)
@settings(max_examples=tries(4), deadline=None)
@given(data=st.data())
def test_every_verb_is_read_as_it_was_written(kinds: list[type[Command]], data: st.DataObject) -> None:
    for kind in kinds:
        _is_read_as_it_was_written(kind, data.draw(models(kind), kind.verb))


def _is_read_as_it_was_written(kind: type[Command], command: Command) -> None:
    rows = stored(e.Noted(text=Words("-")), e.Noted(text=Words("=")), command=command)
    read = [decode(one) for one in rows]
    carried = read[0].command

    assert carried is not None
    games = {name for name, system in SYSTEMS.items() if kind in system.commands}
    again = decode_command(carried, lambda event, index: read[event].texts[index], games)
    shared = extended(kind)
    if shared is not None and type(again) is shared:
        command = shared(**{key: getattr(command, key) for key in fields_of(shared)})
    assert again == command
    for key, value in values_of(command).items():
        if isinstance(value, dict):  # A25: the keys stand as they were typed
            assert list(getattr(again, key)) == list(value)


@pytest.mark.parametrize("kinds", families([*ALL_EVENTS, *COMMANDS]), ids=lambda kinds: kinds[0].__module__)
@settings(max_examples=tries(2), deadline=None)
@given(data=st.data())
def test_nothing_is_written_that_is_not_of_its_type(
    kinds: list[type[Event | Command]], data: st.DataObject
) -> None:
    """A class takes what it is given at its word; whatever is wrong is refused before it becomes a body."""
    noted, wrong = e.Noted(text=Words("-")), object()
    for kind in kinds:
        one = data.draw(models(kind), kind.__name__)
        for key in fields_of(kind):
            false = one.but({key: wrong})
            if getattr(false, key) is not wrong:
                continue  # it is short for something else, which is said in its place
            event, command = (false, None) if isinstance(false, Event) else (noted, false)
            with pytest.raises(InvalidShape):
                encode_act([event], command, [envelope(noted)], lambda: bytes(16))


def test_a_list_is_written_as_the_tuple_it_is_read_as() -> None:
    (written,) = stored(e.DiceRolled.of({"dice": "2d6", "faces": [3, 4]}))

    assert decode(written).event == e.DiceRolled(dice="2d6", faces=(3, 4))


@pytest.mark.parametrize(
    "body",
    [
        '{"data":{"text":{"~":"In the open."}}}',
        '{"data":{"text":{"~":1.0}}}',
        '{"data":{"text":{"~":7}}}',
        '{"data":{"text":{"~":0,"by":1}}}',
        '{"data":{"text":"In the open."}}',
    ],
)
def test_words_are_read_by_their_reference_alone(body: str) -> None:
    with pytest.raises((ValueError, IndexError)):
        decode_event(Row(1, 1, "table.noted", body, '[["AA","Sealed."]]', b""))


STRING = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-LIMIT, LIMIT) | STRING,
    lambda inner: st.lists(inner) | st.dictionaries(STRING, inner),
)


@given(JSON)
def test_a_body_is_canonical_as_the_format_says(value: object) -> None:
    """docs/record.md: keys by code point, no idle space, UTF-8 as it is; the standard library says it too."""
    said = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    assert canonical(value) == said
    assert from_json(said) == value


@given(TEXT)
def test_a_body_contains_no_text(text: str) -> None:
    marked = f"«{text}»"
    rows = stored(e.Noted(text=Words(marked)), command=c.Note(text=Words(marked), about=None))

    assert marked not in rows[0].body
    assert json.dumps(marked, ensure_ascii=False)[1:-1] not in rows[0].body


@given(
    st.builds(
        Envelope,
        at=st.just("2026-03-14T20:00:00.000000Z"),
        offset=st.integers(-720, 840),
        act=TEXT,
        i=st.just(1),
        n=st.just(1),
        by=st.none() | st.integers(0, 9),
        visible_to=st.sampled_from([TABLE, "gm"]) | st.lists(st.integers(0, 9)).map(tuple),
        luck=st.just(()),
        source=st.none() | st.tuples(TEXT, st.integers(1, 9)),
        when=st.sampled_from([None, "2026-03-14", "2026-03-14T19:42", "2026-03-14T19:42:05.5+01:00"]),
        unit=st.none() | st.builds(Words, TEXT),
    )
)
def test_every_envelope_is_read_as_it_was_written(envelope: Envelope) -> None:
    (draft,) = encode_act([e.Noted(text=Words("x"))], None, [envelope], lambda: bytes(16))

    assert decode(row(draft)).envelope == envelope


@given(st.lists(st.sampled_from(Provenance), min_size=1, max_size=5))
def test_provenance_is_kept_result_by_result(luck: list[Provenance]) -> None:
    event = e.DiceRolled(dice="5d6", faces=tuple(range(1, len(luck) + 1)))
    given_ = envelope(event)._replace(luck=tuple(luck))

    (draft,) = encode_act([event], None, [given_], lambda: bytes(16))

    assert decode(row(draft)).envelope.luck == tuple(luck)


def test_the_game_master_who_speaks_is_stored_as_zero() -> None:
    (written,) = stored(e.Narrated(who=0, text=Words("x")), command=c.Narrate(who=0, text=Words("x")))

    assert '"cmd":{"kind":"narrate","text":{"~":[0,0]},"v":1,"who":0}' in written.body


def test_a_number_that_is_nobodys_is_kept() -> None:
    setting = e.Setting(person=None, what="pool", op="=", value=3)
    event = e.RulingMade(sets=(setting,), text=Words("x"))

    (written,) = stored(event)

    assert decode(written).event == event


def test_the_same_text_is_committed_to_once() -> None:
    (written,) = stored(e.CampaignNamed(title=Words("same"), text=Words("same")))

    assert len(from_json(written.body)["words"]) == 1


def test_redacted_words_are_written_as_gone() -> None:
    (written,) = stored(e.CampaignNamed(title=Words(None), text=Words("here")))

    assert decode(written).event == e.CampaignNamed(title=Words(None), text=Words("here"))
    assert None in from_json(written.words or "")


def test_a_broken_body_is_named_by_its_place() -> None:
    with pytest.raises(Damaged, match="position 7 of line 3"):
        decode(Row(3, 7, "table.noted", "{", None, b""))


@pytest.mark.parametrize("number", [1.5, 2**53 + 1, -(2**53) - 1])
def test_numbers_that_readers_would_see_differently_are_no_part_of_a_body(number: float) -> None:
    with pytest.raises(ValueError, match="whole"):
        check_whole_numbers({"a": [{"b": number}]})


# --- stored samples: what format 1 looked like when it was closed ---


def samples() -> list[dict[str, object]]:
    return [
        json.loads(line)
        for path in sorted(SAMPLES.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def test_every_kind_of_a_family_that_is_closed_has_a_stored_sample() -> None:
    closed = {path.stem for path in SAMPLES.glob("*.jsonl")}
    kinds = {kind for kind in EVENTS if kind.partition(".")[0] in closed}

    assert {sample["kind"] for sample in samples()} >= kinds | set(DRAFT_EVENTS)
    assert closed >= {"table", "bruise", "spacetime", "whiskey", "edgerunner", "guenask", "drafts"}


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: str(sample["kind"]))
def test_a_stored_sample_is_read_and_written_unchanged(sample: dict[str, object]) -> None:
    words = None if sample["words"] is None else canonical(sample["words"])
    body = canonical(sample["body"])
    read = decode(Row(1, 1, str(sample["kind"]), body, words, b""))

    assert isinstance(read.event, Event)

    salts = iter([from_base64(salt) for salt, _ in sample["words"] or ()])  # type: ignore[attr-defined]
    command = read.command and decode_command(read.command, lambda _, index: read.texts[index])
    (again,) = encode_act([read.event], command or None, [read.envelope], lambda: next(salts))

    assert (again.kind, again.body, again.words) == (sample["kind"], body, words)


def from_base64(salt: str) -> bytes:
    import base64  # noqa: PLC0415

    return base64.urlsafe_b64decode(salt + "==")
