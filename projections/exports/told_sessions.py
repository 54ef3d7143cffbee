"""Told sessions, kept in the campaign's cache: an export of many files tells again only what changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from retold.projections.exports.parallel import SessionTelling, each_session
from retold.projections.exports.pickling import Images, packed, unpacked
from retold.projections.reading import LineView
from retold.projections.reading.kept_sessions import KeptTelling
from retold.projections.story.document import Transcript


class _Packing(NamedTuple):
    """Task of a worker process: a session told, and packed for the way back."""

    telling: SessionTelling

    def of(self, reading: LineView, session: int) -> bytes:
        return packed(self.telling.of(reading, session))


def told_sessions(
    reading: LineView, sessions: Sequence[int], telling: SessionTelling
) -> Iterator[Transcript]:
    """Yields each session's transcript, in order: a kept one, if nothing changed that it tells or supposes.

    The others are told, in several processes if the branch is long, and kept. Raises Refused for an unknown
    session.
    """
    kept, images, phrases = KeptTelling.of(reading, telling), Images(reading), telling.voice.phrases
    ends = {session: reading.sessions.stretch(session).upto for session in sessions}
    known = {session: None if kept is None else kept.load(upto) for session, upto in ends.items()}
    untold = [session for session, data in known.items() if data is None]
    made = each_session(reading, untold, _Packing(telling))
    for session, data in known.items():
        told = None if data is None else unpacked(data, Transcript, phrases, images)
        if told is None:
            new = next(made) if data is None else None
            if new is None:
                new = packed(telling.of(reading, session))
            if kept is not None:
                kept.keep(ends[session], new)
            told = unpacked(new, Transcript, phrases, images)
            assert told is not None  # noqa: S101 -- packed just now
        yield told
