"""JSON export with a format version number; texts stay exactly as typed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.story.document import Transcript
from retold.projections.texts import safe


def render(transcript: Transcript, place: MechanicsPlace) -> bytes:
    """Returns the transcript as JSON in UTF-8, with the key `mechanics` for their place.

    Only the place `none` removes mechanics (dice, cards, numbers); every other leaves them with their
    paragraphs.
    """
    return written({**transcript.to_json(), "mechanics": place.value}, indent=1)


def written(value: Mapping[str, Any], indent: int | None = None) -> bytes:
    """Returns `value` as a JSON document in UTF-8; compact if `indent` is None.

    Characters unsafe on terminals are written as escapes.
    """
    between = (",", ":") if indent is None else None
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=between)
    return (safe.in_json(text) + "\n").encode()
