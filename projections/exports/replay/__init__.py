"""The replay page: one HTML file that plays a record step by step, and asks nobody for anything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from projections import safe


def render(value: Mapping[str, Any]) -> bytes:
    """The page of a replay (docs/replay.md), in UTF-8: it shows what is in the value, and nothing else."""
    data = safe.in_json(json.dumps(value, ensure_ascii=False)).replace("<", "\\u003c")
    page = f'<!DOCTYPE html>\n<title>Replay</title>\n<script type="application/json">{data}</script>\n'
    return page.encode()
