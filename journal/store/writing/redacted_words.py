"""Keyed digests of redacted words, by which a text that repeats them is found without keeping a word."""

from __future__ import annotations

import base64
import secrets
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Final

from msgspec import Struct

from retold.journal.store.contract.errors import StoreError
from retold.journal.store.contract.event_store import is_draft
from retold.journal.store.disk.folders import moved_to, own_folder
from retold.journal.store.disk.unfinished_files import create_part, discard, publish
from retold.journal.store.events.codec import decode, from_json
from retold.journal.store.events.record import Record
from retold.journal.store.events.text_matching import is_unspaced, normalised, source_positions, words
from retold.journal.vocabulary import events as e

RUN: Final = 4
"""Words of a run that has a digest; a shorter text has one digest of all its words."""
SHORTEST_NAME: Final = 3
"""Letters of a capitalised word that has a digest of its own: part of a name, or a name inside a sentence."""
SHORTEST_WORD: Final = 4
"""Letters of a text of one word that has a digest, unless it is a name."""
_BYTES: Final = 6
"""Bytes of a digest: two different runs have the same one in 2.8e14 cases."""
_TOGETHER: Final = 32
"""Digests of an event are filled up to a multiple of this number, which hides how long a text was."""
_KEY_BYTES: Final = 32
_NOT_WORDS: Final = "data:image/"
"""Beginning of the text of a picture."""
_ENDS_SENTENCE: Final = ".!?:;…"


class _Run(Struct, frozen=True):
    """One word of a text: normalised, and its place in the original text."""

    text: str
    start: int
    end: int


class RedactedWords:
    """What was redacted in a record, as far as this computer has the key of the digests."""

    def __init__(self, record: Record) -> None:
        self._record = record

    def found_in(self, text: str, known: Iterable[str] = ()) -> str | None:
        """Returns the first redacted words in a text, as they stand there; None without any.

        Words that an event of any line still has, and words of the `known` texts, are not redacted ones.
        """
        if self._key is None or not self._digests:
            return None
        found = _words_of(text)
        allowed = [f" {_spelled(each)} " for each in known]
        for length in (RUN, 3, 2, 1):
            for start in range(len(found) - length + 1):
                end = start
                while self._is_redacted(found[end : end + length], length, allowed):
                    end += 1
                if end > start:
                    return text[found[start].start : found[end + length - 2].end]
        return None

    def _is_redacted(self, some: Sequence[_Run], length: int, allowed: Iterable[str]) -> bool:
        if self._key is None or len(some) < length:
            return False
        return any(
            _digest(self._key, run) in self._digests
            and not any(f" {run} " in each for each in allowed)
            and f" {run} " not in self._standing
            for run in _readings([word.text for word in some])
        )

    @cached_property
    def are_known(self) -> bool:
        """True if every redaction of the record has digests that this computer can compare with.

        Redactions by a release before 0.3 have none, and those of another computer are made with its key.
        """
        own = None if self._key is None else _digest(self._key, "")
        return all(own in digests for digests in self._recorded)

    @cached_property
    def _recorded(self) -> tuple[frozenset[bytes], ...]:
        """The digests of each redaction; repeated redactions, which took nothing new, are left out."""
        events = (decode(row).event for row in self._record.everything((e.Redacted.kind,)))
        return tuple(
            _unpacked(event.runs or "")
            for event in events
            if isinstance(event, e.Redacted) and event.runs != ""
        )

    @cached_property
    def _digests(self) -> frozenset[bytes]:
        return frozenset().union(*self._recorded)

    @cached_property
    def _key(self) -> bytes | None:
        return _kept_key(key_path(self._record)) if self._recorded else None

    @cached_property
    def _standing(self) -> str:
        """Words that events of lines have now, between blanks."""
        texts = (
            pair[1]
            for row in self._record.everything()
            if row.words is not None and not is_draft(row.line)
            for pair in from_json(row.words)
            if pair is not None and not pair[1].startswith(_NOT_WORDS)
        )
        return " \n ".join(f" {_spelled(text)} " for text in texts)


def digests_of(record: Record, texts: Iterable[str], names: Iterable[str]) -> str | None:
    """Returns the digests of texts that are redacted, as an event stores them; None without a key.

    `names` are those of the texts that name a person. Makes the key of the campaign if there is none yet.
    """
    key = _kept_key(key_path(record)) or _new_key(key_path(record))
    if key is None:
        return None
    called = {*names}
    found = {_digest(key, "")}
    for text in texts:
        if not text.startswith(_NOT_WORDS):
            found |= {_digest(key, run) for run in _runs(text, is_name=text in called)}
    own = b"".join(sorted(found)).hex()
    found |= {_digest(key, f"{own} {number}") for number in range(-len(found) % _TOGETHER)}
    return base64.urlsafe_b64encode(b"".join(sorted(found))).decode()


def key_path(record: Record) -> Path:
    """Returns the file with the key of a campaign's digests, among the user's choices on this computer."""
    first = record.row(1, 1)
    campaign = "" if first is None else from_json(first.body)["data"].get("campaign", "")
    return own_folder("state", moved_to()) / f"{campaign}.redacted"


def _kept_key(path: Path) -> bytes | None:
    with suppress(OSError):
        kept = path.read_bytes()
        if len(kept) == _KEY_BYTES:
            return kept
    return None


def _new_key(path: Path) -> bytes | None:
    """Returns a new key, stored whole at `path` or not at all; None if it cannot be stored there."""
    key = secrets.token_bytes(_KEY_BYTES)
    part: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = create_part(path, 0o600)
        part.write_bytes(key)
        publish(part, path)
    except (OSError, StoreError):
        return _kept_key(path)  # another program may have made it just now
    finally:
        if part is not None:
            discard(part)
    return key


def _unpacked(stored: str) -> frozenset[bytes]:
    every = base64.urlsafe_b64decode(stored)
    return frozenset(every[at : at + _BYTES] for at in range(0, len(every), _BYTES))


def _digest(key: bytes, run: str) -> bytes:
    return blake2b(run.encode(), digest_size=_BYTES, key=key).digest()


def _runs(text: str, *, is_name: bool) -> Iterator[str]:
    """Yields the runs of a redacted text that get a digest."""
    found = _words_of(text)
    plain = [word.text for word in found]
    for start in range(len(plain) - RUN + 1):
        yield " ".join(plain[start : start + RUN])
    if 1 < len(plain) < RUN or (len(plain) == 1 and (is_name or len(plain[0]) >= SHORTEST_WORD)):
        yield " ".join(plain)
    for before, word in zip([None, *found], found, strict=False):
        between = "." if before is None else text[before.end : word.start]
        is_inside = not any(sign in between for sign in _ENDS_SENTENCE)
        if (is_name or is_inside) and text[word.start].isupper() and len(word.text) >= SHORTEST_NAME:
            yield word.text


def _readings(run: list[str]) -> Iterator[str]:
    """Yields a run as typed, and one word also without a genitive: `zels` may be Zel's."""
    yield " ".join(run)
    if len(run) == 1 and run[0].endswith("s"):
        yield run[0][:-1]


def _spelled(text: str) -> str:
    return " ".join(word.text for word in _words_of(text))


def _words_of(text: str) -> list[_Run]:
    """Returns the words of a text; an apostrophe parts two words, and of unspaced scripts each sign is one.

    Signs without width, such as a soft hyphen, part none.
    """
    kept = [at for at, sign in enumerate(text) if text.isascii() or unicodedata.category(sign) != "Cf"]
    bare = "".join(text[at] for at in kept)
    plain, places = normalised(bare), [kept[at] for at in source_positions(bare)[:-1]]
    found = []
    for word in words(plain):
        if any(map(is_unspaced, word.text)):
            found += [_Run(plain[at], places[at], places[at] + 1) for at in range(word.start, word.end)]
        else:
            found.append(_Run(word.text, places[word.start], places[word.end - 1] + 1))
    return found
