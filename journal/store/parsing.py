"""JSON as it stands in a record, parsed."""

from __future__ import annotations

from typing import Any

import msgspec


def from_json(text: str | bytes) -> Any:  # noqa: ANN401 -- whatever stands there
    """What stands in a body, or beside it; ValueError where that is no JSON."""
    try:
        return msgspec.json.decode(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
