"""JSON Schemas of what views and replays give with `to_json()`; docs/ has each as a file."""

from __future__ import annotations

from retold.projections.replay.shapes import replay_schema
from retold.projections.view_schemas import view_schema

__all__ = ["replay_schema", "view_schema"]
