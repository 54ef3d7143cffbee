"""Events of one branch of the campaign's record, read up to a position for one viewer.

Every other package reads events through this one, so that hidden events reach none they are hidden from.
"""

from retold.projections.reading.cached_projection import Projection
from retold.projections.reading.ids import Ids, source_of
from retold.projections.reading.known_moments import (
    find_act,
    find_event,
    find_place,
    find_range,
    last_known_to,
)
from retold.projections.reading.late_additions import LateAdditions
from retold.projections.reading.line_view import LineView, Moment
from retold.projections.reading.lines import (
    known_by,
    known_lines,
    line_meant,
    line_name,
    line_played,
    may_know,
    viewer_on,
)
from retold.projections.reading.viewers import (
    EVERYBODY,
    FOR_THE_GAME_MASTER,
    GAME_MASTER,
    Arrival,
    Viewer,
    arrival_of,
    others_among,
    people_of,
    person_meant,
    viewer_called,
    viewer_meant,
    viewer_of,
)

__all__ = [
    "EVERYBODY",
    "FOR_THE_GAME_MASTER",
    "GAME_MASTER",
    "Arrival",
    "Ids",
    "LateAdditions",
    "LineView",
    "Moment",
    "Projection",
    "Viewer",
    "arrival_of",
    "find_act",
    "find_event",
    "find_place",
    "find_range",
    "known_by",
    "known_lines",
    "last_known_to",
    "line_meant",
    "line_name",
    "line_played",
    "may_know",
    "others_among",
    "people_of",
    "person_meant",
    "source_of",
    "viewer_called",
    "viewer_meant",
    "viewer_of",
    "viewer_on",
]
