"""Encodes events as canonical JSON bodies with their texts apart, and decodes stored rows into events."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple, NoReturn, TypeVar

import msgspec
from msgspec import Struct

from retold.journal.decks.chance import Provenance
from retold.journal.guarding import unread
from retold.journal.store.contract.errors import Damaged
from retold.journal.store.contract.event_store import WORDS_TAG, Draft, Row
from retold.journal.store.events.amendments import unreadable_event
from retold.journal.store.events.kinds import (
    commands_stored_as,
    game_missing,
    misread,
    stored_class,
    topic,
    upcast,
    why_unread,
)
from retold.journal.visibility import TABLE, VisibleTo
from retold.journal.vocabulary.base import (
    LIMIT,
    REFERENCE,
    TEXTS,
    Command,
    Event,
    Frozen,
    InvalidShape,
    Words,
    fields_of,
    validated,
    values_of,
)
from retold.journal.vocabulary.events import Unheard


def from_json(text: str | bytes) -> Any:  # noqa: ANN401 -- any JSON value
    """Returns the parsed JSON value; ValueError if it is invalid or nested too deeply."""
    try:
        return msgspec.json.decode(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


A = TypeVar("A")
B = TypeVar("B")

Salt = Callable[[], bytes]
"""Returns 16 new random bytes at each call."""

KnownSalts = Mapping[tuple[int, str], bytes]
"""Salts of texts that are recorded elsewhere, by number of the event in its act (from 0) and text."""


class Envelope(NamedTuple):
    """Metadata of an event: time, author, audience, its act, provenance of its dice and cards.

    The event is number `i` of `n` in its act.
    """

    at: str
    """UTC, ISO 8601 with microseconds and Z."""
    offset: int
    """The table's clock against UTC, in minutes."""
    act: str
    i: int
    n: int
    by: int | None = None
    visible_to: VisibleTo = TABLE
    """`table`, `gm`, or the people who may see it beside the game master."""
    luck: tuple[Provenance, ...] = ()
    source: tuple[str, int] | None = None
    """For imports: the SHA-256 of the source, and the line in it."""
    release: str | None = None
    """The release that decided the act, on its first event; None in older records."""
    when: str | None = None
    """The time of play, as `retold.journal.played_time` writes it; None if not given."""
    unit: Words | None = None
    """For imports: the source's own id of what was read, on the act's first event; no text if redacted."""


class UnknownEvent(Struct, frozen=True):
    """An event of a kind unknown to this release: stored and shown, without effect on the table state."""

    kind: str
    payload: Mapping[str, Any]


class Recorded(Struct, frozen=True):
    """A decoded row: branch, position, event, envelope, and the current texts."""

    line: int
    position: int
    event: Event | UnknownEvent
    envelope: Envelope
    command: Mapping[str, Any] | None
    """The act's command, on its first event."""
    texts: tuple[str | None, ...] = ()
    """The event's texts by index, as reworded; None for a redacted text."""


def _reject_type(value: object) -> NoReturn:
    raise TypeError(f"{type(value).__name__} has no place in a record")


CANONICAL: Final = msgspec.json.Encoder(order="sorted", enc_hook=_reject_type)


def canonical(value: object) -> str:
    """Returns `value` as canonical JSON: keys sorted by code point, no whitespace, non-ASCII unescaped.

    Raises TypeError for a value that JSON has no form for.
    """
    return CANONICAL.encode(value).decode()


def commitment(salt: bytes, text: str) -> str:
    """Returns a digest of `text` (SHA-256 of tag, salt and text, in base64url), stored in an event's body.

    It proves the text, and stays when the text is redacted.
    """
    return _base64(hashlib.sha256(WORDS_TAG + salt + text.encode()).digest())


def salt_of(row: Row, index: int) -> bytes:
    """Returns the salt stored with text number `index` of a row; ValueError if the text is redacted."""
    kept = None if row.words is None else from_json(row.words)[index]
    if kept is None:
        raise ValueError("These words were redacted.")
    return _salt_bytes(kept[0])


def salted_texts(row: Row) -> list[tuple[str, bytes] | None]:
    """Returns the texts of a row with their salts, by number; None for a redacted text."""
    kept = [] if row.words is None else from_json(row.words)
    return [None if pair is None else (pair[1], _salt_bytes(pair[0])) for pair in kept]


def _salt_bytes(stored: str) -> bytes:
    return base64.urlsafe_b64decode(f"{stored}==")


def encode_act(
    events: Sequence[Event],
    command: Command | None,
    envelopes: Sequence[Envelope],
    salt: Salt,
    visible_to: VisibleTo = TABLE,
    *,
    salts: KnownSalts = MappingProxyType({}),
) -> list[Draft]:
    """Returns a Draft for each event of one act: JSON body, and its texts apart.

    `command` is stored in the first body, with its audience `visible_to` if the events' audiences differ from
    it: an open command may cause an event that only some may see. Raises InvalidShape if a field's value does
    not fit its type; `envelopes` has the metadata of each event. A text that is in `salts` keeps its salt.
    """
    events = [validated(event) for event in events]
    command = None if command is None else validated(command)
    ledgers = [
        _Ledger(salt, {text: known for (number, text), known in salts.items() if number == place})
        for place in range(len(events))
    ]
    bodies = [_head(envelope) for envelope in envelopes]
    for body, event, ledger in zip(bodies, events, ledgers, strict=True):
        body["data"] = _to_json(_fields(event), ledger.reference)
    if command is not None:
        bodies[0]["cmd"] = _encode_command(command, ledgers)
        if visible_to != audience_of(envelopes):
            bodies[0]["cmd"]["see"] = _stored(visible_to)
    for body, envelope, ledger in zip(bodies, envelopes, ledgers, strict=True):
        if envelope.unit is not None:
            body["unit"] = ledger.reference(envelope.unit)
    drafts = []
    for body, event, ledger in zip(bodies, events, ledgers, strict=True):
        if ledger.commitments:
            body["words"] = ledger.commitments
        drafts.append(Draft(topic(type(event)), canonical(body), ledger.column()))
    return drafts


def without_texts(draft: Draft, texts: AbstractSet[str]) -> Draft:
    """Returns a copy of the draft in which every text contained in `texts` is redacted."""
    if draft.words is None or not texts:
        return draft
    kept = [None if pair is None or pair[1] in texts else pair for pair in from_json(draft.words)]
    return draft._replace(words=canonical(kept))


def audience_of(envelopes: Iterable[Envelope]) -> VisibleTo:
    """Returns the first audience of an act's `envelopes` narrower than the table; else "table"."""
    return next((envelope.visible_to for envelope in envelopes if envelope.visible_to != TABLE), TABLE)


class _Ledger:
    """Collects the texts of one event, each with a salt and a commitment; equal texts are kept once."""

    def __init__(self, salt: Salt, salts: Mapping[str, bytes]) -> None:
        self._salt = salt
        self._salts = salts
        self._index: dict[str | None, int] = {}
        self._stored_texts: list[list[str] | None] = []
        self.commitments: list[str] = []

    def reference(self, words: Words) -> dict[str, int]:
        """Adds the text if it is new; returns its reference, `{"~": index}`."""
        text = words.text
        if text not in self._index:
            salt = (None if text is None else self._salts.get(text)) or self._salt()
            self._index[text] = len(self.commitments)
            self.commitments.append(commitment(salt, text or ""))
            # Redacted texts stay redacted when their act is recorded again on a branch.
            self._stored_texts.append(None if text is None else [_base64(salt), text])
        return {REFERENCE: self._index[text]}

    def find(self, text: str | None) -> int | None:
        """Returns the index of an added text; None for a text never added."""
        return self._index.get(text)

    def column(self) -> str | None:
        """Returns the event's texts as JSON, for the row's column `words`; None without texts."""
        return canonical(self._stored_texts) if self._stored_texts else None


def _encode_command(command: Command, ledgers: Sequence[_Ledger]) -> dict[str, Any]:
    """Returns a command as JSON values; each text becomes a reference into its act, `{"~": [event, index]}`.

    Both numbers count from 0. A text that no event has is added to the first event's ledger.
    """

    def reference(words: Words) -> dict[str, list[int]]:
        for number, ledger in enumerate(ledgers):
            found = ledger.find(words.text)
            if found is not None:
                return {REFERENCE: [number, found]}
        return {REFERENCE: [0, ledgers[0].reference(words)[REFERENCE]]}

    empty = _omitted_defaults(type(command))
    fields = {
        key: value
        for key, value in _fields(command).items()
        if key not in empty or (value != empty[key] or type(value) is not type(empty[key]))
    }
    order = _order_typed(fields)
    kept = {**fields, ORDER: order} if order else fields
    carried: dict[str, Any] = _to_json({"kind": command.verb, "v": command.version, **kept}, reference)
    return carried


ORDER: Final = "order"
"""The key under which a command keeps the typed order of keys; a body sorts them by code point."""


def _order_typed(fields: Mapping[str, object]) -> dict[str, list[str]]:
    """Returns the key order of each dict field whose keys were not typed in sorted order, by field name."""
    keyed = {key: list(value) for key, value in fields.items() if isinstance(value, dict)}
    return {key: typed for key, typed in keyed.items() if typed != sorted(typed)}


@cache
def _omitted_defaults(kind: type[Frozen]) -> Mapping[str, object]:
    """Returns the fields of a class with default (), {} or False, each with its default.

    A command is stored without these fields while they have their defaults.
    """
    return {
        key: default for key, default in fields_of(kind).items() if default is False or default in ((), {})
    }


@cache
def _always_written(kind: type[Frozen]) -> frozenset[str]:
    """Returns the fields whose default differs from None: a None in these fields is stored, as null."""
    return frozenset(key for key, default in fields_of(kind).items() if default is not None)


def _fields(model: Frozen) -> dict[str, Any]:
    """Returns the values of a model's fields by name; a None that is the field's default is left out."""
    needed = _always_written(type(model))
    return {key: value for key, value in values_of(model).items() if value is not None or key in needed}


def _to_json(value: Any, reference: Callable[[Words], object]) -> Any:  # noqa: ANN401 -- a part of a body
    """Returns `value` as JSON values, nested parts included; each Words is replaced by `reference(words)`."""
    if isinstance(value, dict):
        return {
            key: part if type(part) in _PLAIN else _to_json(part, reference) for key, part in value.items()
        }
    if isinstance(value, tuple | list):
        return [part if type(part) in _PLAIN else _to_json(part, reference) for part in value]
    if isinstance(value, Words):
        return reference(value)
    return _to_json(_fields(value), reference) if isinstance(value, Frozen) else value


_PLAIN = frozenset({str, int, bool, type(None)})


def _head(envelope: Envelope) -> dict[str, Any]:
    head: dict[str, Any] = {
        "act": envelope.act,
        "at": envelope.at,
        "i": envelope.i,
        "n": envelope.n,
        "tz": envelope.offset,
    }
    if envelope.by is not None:
        head["by"] = envelope.by
    if envelope.visible_to != TABLE:
        head["see"] = _stored(envelope.visible_to)
    if envelope.luck:
        kinds = set(envelope.luck)
        head["luck"] = (
            envelope.luck[0].value if len(kinds) == 1 else [provenance.value for provenance in envelope.luck]
        )
    if envelope.release is not None:
        head["rel"] = envelope.release
    if envelope.source is not None:
        head["src"] = list(envelope.source)
    if envelope.when is not None:
        head["when"] = envelope.when
    return head


def _stored(visible_to: VisibleTo) -> str | list[int]:
    return visible_to if isinstance(visible_to, str) else list(visible_to)


def decode(row: Row, rewordings: Mapping[int, str] | None = None) -> Recorded:
    """Returns the decoded row; `rewordings` holds new texts by index. Raises Damaged for a broken body."""
    try:
        read = None if rewordings else _reader_of_all(row.kind)
        return decode_parsed(row, from_json(row.body), rewordings) if read is None else _read(row, read)
    except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise unreadable_event(row) from error


def decode_parsed(row: Row, head: Mapping[str, Any], rewordings: Mapping[int, str] | None = None) -> Recorded:
    """Returns the decoded row; `head` is its parsed body, `rewordings` new texts by index.

    A broken body raises ValueError, KeyError, TypeError or IndexError.
    """
    texts = _texts(row, head, rewordings)
    event = _event(row.kind, head["data"], texts.__getitem__)
    envelope = _envelope(head, event, texts)
    return Recorded(row.line, row.position, event, envelope, head.get("cmd"), tuple(texts))


def decode_event(
    row: Row, rewordings: Mapping[int, str] | None = None
) -> tuple[Event, tuple[Provenance, ...], VisibleTo]:
    """Returns a row's event, the provenances of its dice and cards, and its audience.

    Faster than `decode`: a table state needs no more. An event of a game that is not installed comes as
    `Unheard`; an unknown kind of an installed game raises Damaged. `rewordings` holds new texts by index.
    """
    read = _reader(row.kind)
    if read is None or rewordings:
        return _required(row, decode(row, rewordings))
    try:
        body = (
            read(row.body)
            if row.words is None
            else _with_texts(_stored_texts(row.words).__getitem__, read, row.body)
        )
    except RecursionError:
        raise ValueError("It is nested too deeply") from None
    event: Event = body.data
    see = body.see
    return event, _luck(body.luck, event) if event.luck else (), see if isinstance(see, str) else tuple(see)


@cache
def _reader(stored: str) -> Callable[[str], Any] | None:
    """Returns a decoder of an event, its dice origins and its audience from a body; None for an unknown kind.

    It skips the rest of the body and is far faster than parsing all of it; rebuilding a long campaign spends
    most of its time here.
    """
    kind = stored_class(stored)
    if kind is None:
        return None
    luck: Any = ("luck", str | tuple[str, ...] | None, None)
    body = msgspec.defstruct("Body", [("data", kind), luck, ("see", str | tuple[int, ...], TABLE)])
    return msgspec.json.Decoder(body).decode


@cache
def _reader_of_all(stored: str) -> Callable[[str], Any] | None:
    """Returns a decoder of whole bodies of the kind `stored`, envelope included; None for an unknown kind."""
    kind = stored_class(stored)
    if kind is None:
        return None
    needed: list[Any] = [("data", kind), ("at", Any), ("tz", Any), ("act", Any), ("i", Any), ("n", Any)]
    beside: list[Any] = [(name, Any, None) for name in ("by", "luck", "rel", "src", "when", "cmd", "words")]
    unit: Any = ("unit", Words | None, None)
    body = msgspec.defstruct("Body", [*needed, *beside, unit, ("see", Any, TABLE)])
    return msgspec.json.Decoder(body).decode


def _read(row: Row, read: Callable[[str], Any]) -> Recorded:
    """Returns the decoded row, its body read by `read`, the decoder of its kind.

    A broken body raises ValueError, KeyError, TypeError or IndexError.
    """
    kept: Sequence[str | None] = () if row.words is None else _stored_texts(row.words)
    body = _with_texts(kept.__getitem__, read, row.body) if kept else read(row.body)
    event, see, source = body.data, body.see, body.src
    envelope = Envelope(
        body.at,
        body.tz,
        body.act,
        body.i,
        body.n,
        body.by,
        see if isinstance(see, str) else tuple(see),
        _luck(body.luck, event),
        None if source is None else (source[0], source[1]),
        body.rel,
        body.when,
        body.unit,
    )
    if body.words is None:
        kept = ()
    elif row.words is None:
        kept = (None,) * len(body.words)
    return Recorded(row.line, row.position, event, envelope, body.cmd, tuple(kept))


def _with_texts(texts: Callable[[Any], str | None], read: Callable[[A], B], given: A) -> B:
    """Returns `read(given)`; `texts` gives the text for each reference met in `given`."""
    before = TEXTS.set(texts)
    try:
        return read(given)
    finally:
        TEXTS.reset(before)


def _required(row: Row, recorded: Recorded) -> tuple[Event, tuple[Provenance, ...], VisibleTo]:
    if isinstance(recorded.event, UnknownEvent):
        unheard = unheard_of(row.kind, row.position)
        if unheard is not None:
            return unheard, (), TABLE
        raise Damaged(
            f"Position {row.position} of line {row.line} holds {row.kind}, which this Retold does not know:"
            " it was written by a later one."
        )
    envelope = recorded.envelope
    return recorded.event, envelope.luck if recorded.event.luck else (), envelope.visible_to


def unheard_of(stored: str, position: int) -> Unheard | None:
    """Returns the stand-in for an unreadable event; None if a later Retold can read it."""
    why = why_unread(stored, position)
    game = stored.partition(".")[0] if why else game_missing(stored)
    return None if game is None else Unheard(game=game, why=why)


def _stored_texts(words: str) -> list[str | None]:
    """Returns the texts in a row's column `words`, by index; None means a redacted text."""
    return [None if pair is None else pair[1] for pair in from_json(words)]


def _texts(row: Row, head: Mapping[str, Any], rewordings: Mapping[int, str] | None) -> Sequence[str | None]:
    """Returns the current texts of a row by index, rewordings applied; None for a redacted text."""
    if "words" not in head:
        return ()
    if row.words is None:
        texts: list[str | None] = [None] * len(head["words"])
    else:
        texts = _stored_texts(row.words)
    if rewordings:
        for index, text in rewordings.items():
            texts[index] = text
    return texts


def _event(stored: str, payload: dict[str, Any], texts: Callable[[int], str | None]) -> Event | UnknownEvent:
    today, converted = upcast(stored, payload)
    kind = _kind(today)
    if kind is None:
        return UnknownEvent(stored, payload)
    try:
        return _with_texts(texts, kind.of, converted)
    except InvalidShape as misfit:
        if today == stored:
            raise
        what = f"makes of {stored} (upcasts) what {today} is not: {misfit}"
        misread(stored, unread(kind.kind.partition(".")[0], what))
        return UnknownEvent(stored, payload)


@cache
def _kind(stored: str) -> type[Event] | None:
    return stored_class(stored)


def _envelope(head: Mapping[str, Any], event: Event | UnknownEvent, texts: Sequence[str | None]) -> Envelope:
    see = head.get("see", TABLE)
    source, unit = head.get("src"), head.get("unit")
    return Envelope(
        at=head["at"],
        offset=head["tz"],
        act=head["act"],
        i=head["i"],
        n=head["n"],
        by=head.get("by"),
        visible_to=see if isinstance(see, str) else tuple(see),
        luck=_luck(head.get("luck"), event),
        source=None if source is None else (source[0], source[1]),
        release=head.get("rel"),
        when=head.get("when"),
        unit=None if unit is None else Words(texts[unit[REFERENCE]]),
    )


def _luck(luck: str | Sequence[str] | None, event: Event | UnknownEvent) -> tuple[Provenance, ...]:
    if luck is None:
        return ()
    if not isinstance(luck, str):
        return tuple(_PROVENANCES[name] for name in luck)
    field = event.luck if isinstance(event, Event) else None
    return (_PROVENANCES[luck],) * (len(getattr(event, field)) if field else 1)


_PROVENANCES: Mapping[str, Provenance] = {provenance.value: provenance for provenance in Provenance}


def decode_command(
    carried: Mapping[str, Any], texts: Callable[[int, int], str | None], games: Collection[str] = ()
) -> Command:
    """Returns the command stored with an act, from `carried`, the command's JSON.

    `texts(event, index)` gives a text by number of the event in the act and index in the event, both from 0.
    If several commands share the verb, the first whose fields fit is chosen: shared commands, then those of
    `games`, then other games'. Raises InvalidShape if none fits, KeyError if no command has the verb.
    """
    fields = {key: value for key, value in carried.items() if key not in ("kind", "v", "see", ORDER)}
    for key, typed in carried.get(ORDER, {}).items():
        fields[key] = {inner: fields[key][inner] for inner in typed}
    error: InvalidShape | None = None
    for command in commands_stored_as(carried["kind"], games):
        today = command.from_version(carried.get("v", command.version), fields)
        try:
            return _with_texts(lambda place: texts(*place), command.of, today)
        except InvalidShape as unfit:
            error = error or unfit
    raise error or KeyError(carried["kind"])


def check_whole_numbers(value: object) -> None:
    """Raises ValueError if `value` or a part of it is a float or a number beyond ±LIMIT (2**53)."""
    if isinstance(value, float) or (isinstance(value, int) and abs(value) > LIMIT):
        raise ValueError("a number here is not whole, or too large")
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            check_whole_numbers(part)


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
