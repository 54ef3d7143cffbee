"""The address of the protocol for assistants, as the OpenAPI description has it."""

from __future__ import annotations

from typing import Final

from retold.cli.service.openapi_parts import Schema, answers, below, of, operation, thing

ANSWERS: Final = ()
"""Shapes that other shapes do not bring with them: there are none."""

JSON: Final[Schema] = {"type": "object"}

PATHS: Final[tuple[tuple[str, Schema], ...]] = (
    below(
        "mcp",
        post=operation(
            "mcp",
            "A request of an assistant, in the shapes of the Model Context Protocol; it only reads.",
            {},
            takes=of(),
            responses={
                **answers(thing("A JSON-RPC response."), 413, 422),
                "202": {"description": "A notification was read"},
                "400": {"description": "No request", "content": {"application/json": {"schema": JSON}}},
            },
        ),
    ),
)
"""Its path."""
