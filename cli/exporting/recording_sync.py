"""Reads `--clap MOMENT[=TIME]`: a clap gives the time at which a moment is heard in an audio recording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from retold.journal.language.command_values import read_recording_time
from retold.journal.refused import Refused
from retold.projections.exports.subtitles import Clap, against
from retold.projections.reading import LineView, find_event
from retold.projections.reading.timing import EventTime, event_time, marked_at, recorded_at, recording_time
from retold.projections.story.document import Transcript

MOST: Final = 2
"""Claps: one says where the recording begins, a second how fast its clock runs."""


def sync_with_recording(
    transcript: Transcript, typed: Sequence[str], whole: LineView, viewer: str = "gm"
) -> Transcript:
    """Returns the transcript with its times converted to seconds in the audio recording.

    `typed` are the claps, `MOMENT[=TIME]`; their moments are looked up on the branch `whole`, among those
    `viewer` may know. Raises Refused for more than two claps, or if the transcript's time is unknown.
    """
    if len(typed) > MOST:
        raise Refused(
            "One clap says where a recording begins, a second how its clock runs: leave out the rest."
        )
    if transcript.opened is None:
        raise Refused("The times of this part are unknown: no session that was recorded here begins in it.")
    opened = _opening(whole.called(viewer), transcript.opened)
    claps = []
    for one in typed:
        moment, heard = _read(one)
        passed = opened.seconds_to(_time_of(whole, moment, viewer))
        if passed is None:
            how = "recorded" if opened.is_played else "played"
            raise Refused(f"The session has no times like that of {moment}, which is known as it was {how}.")
        claps.append(Clap(round(passed, 3), heard))
    return against(transcript, claps)


def _opening(reading: LineView, opened: str) -> EventTime:
    """Returns the opening time (`opened`) of a transcript's first session, one of `reading`."""
    openings = (event_time(recorded_at(reading, at)) for at in reading.sessions.opened.values())
    return next(opening for opening in openings if opening is not None and opening.written() == opened)


def _read(typed: str) -> tuple[str, float]:
    """Returns moment and seconds of one `--clap MOMENT[=TIME]`; 0 seconds if no time is given."""
    moment, equals, time = typed.rpartition("=")
    if not equals:
        return typed, 0.0
    return moment, read_recording_time(time) / 1000


def _time_of(whole: LineView, moment: str, viewer: str) -> EventTime:
    """Returns the time of a moment, of play or else of recording; for a mark, when the mark was made."""
    found = marked_at(whole.called(viewer), moment)
    if found is None:
        place = find_event(whole, moment, viewer)
        if place.position == 0:
            raise Refused(f"Nothing was recorded at {moment}.")
        found = recorded_at(whole.on(place.line), place.position)
    return event_time(found) or recording_time(found)
