"""A transcript as JSON, versioned; its texts are exactly what was typed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from projections import safe
from projections.document import Transcript
from projections.exports.page_elements import MechanicsPlace


def render(transcript: Transcript, place: MechanicsPlace) -> bytes:
    """The transcript in UTF-8; `mechanics` says where they were wanted, and only `none` leaves them out."""
    return written({**transcript.to_json(), "mechanics": place.value}, indent=1)


def written(value: Mapping[str, Any], indent: int | None = None) -> bytes:
    """A document in UTF-8, on one line without an `indent`.

    What a terminal could obey is written as an escape, which every JSON reader reads back.
    """
    between = (",", ":") if indent is None else None
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=between)
    return (safe.in_json(text) + "\n").encode()
