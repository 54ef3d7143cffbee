"""The only stair down to the record: a line as one viewer may know it, up to a moment, read once."""

from projections.reading.afterwards import Afterwards
from projections.reading.arrivals import Arrival, arrival_of, person_meant, viewer_meant
from projections.reading.ids import Ids, source_of
from projections.reading.kept import Projection
from projections.reading.known_moments import find_act, find_event, find_place, find_range
from projections.reading.lines import (
    known_by,
    known_lines,
    line_meant,
    line_name,
    line_played,
    may_know,
    viewer_on,
)
from projections.reading.moments import Moment
from projections.reading.reading import Reading
from projections.reading.viewers import (
    EVERYBODY,
    FOR_THE_GAME_MASTER,
    GAME_MASTER,
    Viewer,
    others_among,
    viewer_called,
    viewer_of,
)

__all__ = [
    "EVERYBODY",
    "FOR_THE_GAME_MASTER",
    "GAME_MASTER",
    "Afterwards",
    "Arrival",
    "Ids",
    "Moment",
    "Projection",
    "Reading",
    "Viewer",
    "arrival_of",
    "find_act",
    "find_event",
    "find_place",
    "find_range",
    "known_by",
    "known_lines",
    "line_meant",
    "line_name",
    "line_played",
    "may_know",
    "others_among",
    "person_meant",
    "source_of",
    "viewer_called",
    "viewer_meant",
    "viewer_of",
    "viewer_on",
]
