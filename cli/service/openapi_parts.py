"""Pieces of the service's OpenAPI description: schemas, parameters, answers and operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Schema = Mapping[str, Any]

TEXT: Final[Schema] = {"type": "string"}
YES: Final[Schema] = {"type": "boolean"}
ID: Final[Schema] = {"type": "string", "pattern": "^[A-Za-z0-9_-]{8,64}$"}


FIELDS: Final[Schema] = {"type": ["string", "boolean"]}
"""What else a body may have, which is passed over."""


def listed(items: Schema) -> Schema:
    """Returns the schema of an array of `items`."""
    return {"type": "array", "items": items}


def of(optional: Mapping[str, Schema] | None = None, /, **fields: Schema) -> Schema:
    """Returns an object schema: names of `fields` are required, names in `optional` allowed."""
    return {"type": "object", "properties": {**fields, **(optional or {})}, "required": list(fields)}


def ref(name: str) -> Schema:
    """Returns a reference to the schema called `name` in the description."""
    return {"$ref": f"#/components/schemas/{name}"}


def thing(about: str, *required: str) -> Schema:
    """Returns the schema of something on the board: its description, and its required fields."""
    return {"description": about, "type": "object", **({"required": list(required)} if required else {})}


CAMPAIGN: Final[Schema] = {"name": "campaign", "in": "path", "required": True, "schema": TEXT}


def query(name: str, schema: Schema = TEXT) -> Schema:
    """Returns the description of an optional query parameter."""
    return {"name": name, "in": "query", "required": False, "schema": schema}


def in_path(name: str, schema: Schema = TEXT) -> Schema:
    """Returns the description of a path parameter."""
    return {"name": name, "in": "path", "required": True, "schema": schema}


def answers(schema: Schema, *errors: int, media: tuple[str, ...] = ("application/json",)) -> Schema:
    """Returns an operation's responses: 200 with `schema`, and each error status with a sentence.

    401, 403, 429 and 503 are always among the errors.
    """
    wrong = {"description": "A sentence", "content": {"application/json": {"schema": ref("Error")}}}
    good = {"description": "So it is", "content": {kind: {"schema": schema} for kind in media}}
    return {"200": good, **{str(status): wrong for status in (*errors, 401, 403, 429, 503)}}


def operation(
    name: str,
    about: str,
    schema: Schema,
    *errors: int,
    takes: Schema | None = None,
    **more: Any,  # noqa: ANN401 -- OpenAPI's own words
) -> Schema:
    """Returns the description of an operation: id, summary, responses, request body.

    `schema` is that of the 200 response, `errors` are statuses, `takes` is the request body's schema.
    """
    said: dict[str, Any] = {"operationId": name, "summary": about, "responses": answers(schema, *errors)}
    if takes is not None:
        body = {**takes, "additionalProperties": FIELDS}
        said["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
        said["responses"] = answers(schema, *errors, 400, 413)
    return {**said, **more}


def below(path: str, *, has: tuple[Schema, ...] = (), **operations: Schema) -> tuple[str, Schema]:
    """Returns a path below a campaign's address, and its item: campaign and `has` parameters, operations."""
    return f"/c/{{campaign}}/{path}", {"parameters": [CAMPAIGN, *has], **operations}
