"""Addresses of readers' notes, as the OpenAPI description has them."""

from __future__ import annotations

from typing import Final

from retold.cli.service.openapi_parts import ID, TEXT, YES, Schema, below, in_path, listed, of, operation, ref
from retold.margin.addresses.answers import ReaderNote

ANSWERS: Final = (ReaderNote,)
"""Shapes that other shapes do not bring with them."""

_NOTES: Final = of(notes=listed(ref("ReaderNote")))

PATHS: Final[tuple[tuple[str, Schema], ...]] = (
    below(
        "notes",
        get=operation("notes", "Readers' notes on the replay that the viewer may read.", _NOTES, 422),
        post=operation(
            "leaveNote",
            "Leave a note at an event; the game master alone sees it until it is shown.",
            of(note=ref("ReaderNote")),
            422,
            takes=of({"by": TEXT}, id=ID, event=TEXT, words=TEXT),
        ),
    ),
    below(
        "notes/{id}",
        has=(in_path("id", ID),),
        post=operation(
            "changeNote",
            "Show, hide or delete a note; for the game master, and for its writer to delete it.",
            _NOTES,
            404,
            422,
            takes=of({"show": YES, "delete": YES}),
        ),
    ),
)
"""Their paths."""
