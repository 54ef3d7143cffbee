"""Every session of a long line as a document of its own, made by several processes and handed on in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from projections import transcript
from projections.exports import FORMATS, dividing, export
from projections.prose import Voice
from projections.reading import Reading
from projections.reading.elsewhere import Elsewhere, elsewhere


class Document(NamedTuple):
    """How each session is told, and as what it is written."""

    format: str
    voice: Voice
    mechanics: str
    variations: bool = False
    ribbon: bool = False

    def of(self, reading: Reading, session: int) -> bytes:
        """A session's document; Refused as `export` and a session's transcript are."""
        told = transcript.of_session(
            reading, session, voice=self.voice, variations=self.variations, ribbon=self.ribbon
        )
        if FORMATS[self.format].is_replay:
            from projections.replay.making import replay_of  # noqa: PLC0415 -- few formats need it

            told = replace(
                told, replay=replay_of(reading, reading.evenings.stretch(session), told, self.voice)
            )
        return export(self.format, told, self.mechanics)


def each(reading: Reading, sessions: Sequence[int], document: Document) -> Iterator[bytes | None]:
    """The document of each of these sessions; None for one that is to be made by the caller.

    Those are all of a short line, the rest where a process was ended, and what is refused, to be so again.
    """
    where = elsewhere(reading)
    made = 0
    if where is not None and reading.position >= dividing.MANY:
        for one in _by_many(where, reading, sessions, document):
            yield one
            made += 1
    yield from [None] * (len(sessions) - made)


def _by_many(
    where: Elsewhere, reading: Reading, sessions: Sequence[int], document: Document
) -> Iterator[bytes | None]:
    """The documents one after the other, as long as there are other processes."""
    from journal.store.crew import NoCrew, crew  # noqa: PLC0415 -- what few need takes long to import

    _HERE[:] = [_Here(document, reading)]
    try:
        with crew(begin, where, document, helped=True) as hands:
            yield from hands.each(make, ((session,) for session in sessions))
    except NoCrew:
        return
    finally:
        _HERE.clear()


# --- in each process --------------------------------------------------------------------------------------


class _Here(NamedTuple):
    document: Document
    reading: Reading


_HERE: list[_Here] = []


def begin(where: Elsewhere, document: Document) -> None:
    """Opens the record once for all the sessions that are told here."""
    _HERE[:] = [_Here(document, where.opened())]


def make(session: int) -> bytes | None:
    """A session's document; None where anything is wrong with it."""
    ((document, reading),) = _HERE
    try:
        return document.of(reading, session)
    except Exception:  # noqa: BLE001 -- whoever makes it alone comes upon the same, and says so
        return None
