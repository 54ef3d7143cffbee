"""Addresses of drafts, as the OpenAPI description has them."""

from __future__ import annotations

from typing import Final

from retold.cli.service.openapi_parts import (
    TEXT,
    YES,
    Schema,
    answers,
    below,
    listed,
    of,
    operation,
    query,
    ref,
)
from retold.drafts.addresses.answers import Draft, DraftDoubt, DraftRevision, Drafts

ANSWERS: Final = (Draft, Drafts, DraftRevision, DraftDoubt)
"""Shapes that other shapes do not bring with them."""

PATHS: Final[tuple[tuple[str, Schema], ...]] = (
    below(
        "drafts",
        get=operation(
            "drafts",
            "Drafts, and the sessions for a new one; game master only.",
            ref("Drafts"),
            422,
        ),
        post=operation(
            "beginDraft",
            "Begin a draft of some sessions or all; game master only.",
            ref("Drafts"),
            422,
            takes=of(
                {"first": TEXT, "last": TEXT, "for": TEXT, "lang": TEXT, "by": TEXT},
                name=TEXT,
                voice=TEXT,
            ),
        ),
    ),
    below(
        "draft/log",
        has=(query("name"),),
        get=operation(
            "draftLog",
            "The revisions of a draft; game master only.",
            of(revisions=listed(ref("DraftRevision"))),
            422,
        ),
    ),
    below(
        "draft/doubts",
        has=(query("name"),),
        get=operation(
            "draftDoubts",
            "Doubts about a draft's words; game master only.",
            of(doubts=listed(ref("DraftDoubt"))),
            422,
        ),
    ),
    below(
        "draft",
        has=(query("name"),),
        get={
            **operation("draft", "A draft beside the record; game master only.", ref("Draft"), 422),
            "parameters": [query("unless")],
            "responses": {
                **answers(ref("Draft"), 422),
                "304": {"description": "Nothing changed since the answer with the tag `unless`"},
            },
        },
        post=operation(
            "write",
            "Write, add, move or open a block; choose, go back, publish; game master only.",
            ref("Draft"),
            422,
            takes=of(
                {
                    "block": TEXT,
                    "text": TEXT,
                    "was": TEXT,
                    "after": TEXT,
                    "split": YES,
                    "again": YES,
                    "choose": {"type": "string", "enum": ["ok", "take-new", "cut"]},
                    "open": TEXT,
                    "settle": {"type": "string", "pattern": "^[0-9]{1,6}$"},
                    "vouch": {"type": "string", "pattern": "^[0-9]{1,6}$"},
                    "publish": YES,
                    "by": TEXT,
                    "restore": {"type": "string", "enum": ["undo", "redo"]},
                },
                revision={"type": "string", "pattern": "^[1-9][0-9]{0,8}$"},
            ),
        ),
    ),
)
