"""A transcript as JSON, versioned; its texts are exactly what was typed."""

from __future__ import annotations

import json

from projections import safe
from projections.exports.layout import Place
from projections.pages import Transcript


def render(transcript: Transcript, place: Place) -> bytes:
    """The transcript in UTF-8; `mechanics` says where they were wanted, and only `none` leaves them out.

    What a terminal could obey is written as an escape, which every JSON reader reads back.
    """
    value = {**transcript.to_json(), "mechanics": place.value}
    return (safe.in_json(json.dumps(value, ensure_ascii=False, indent=1)) + "\n").encode()
