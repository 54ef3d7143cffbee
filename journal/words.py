"""Words: what a person typed freely, kept beside an event's body and never read by a rule."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import force_setattr

REFERENCE: Final = "~"
"""The key under which a body points at its words: `{"~": 0}` is the first of them."""

REDACTED: Final = "[redacted]"
"""What stands where words were taken away."""


def _taken_away(_reference: Any) -> None:  # noqa: ANN401 -- an index, or that of an event of the act before it
    """No text: all the words of the event have been redacted."""


TEXTS: ContextVar[Callable[[Any], str | None]] = ContextVar("TEXTS", default=_taken_away)
"""Finds the text of a reference in the body that is being read; whoever reads it says how."""

if TYPE_CHECKING:
    _Text: TypeAlias = str | None
else:
    # What a body holds in the place of the text: nothing but a reference is read.
    _Text = int | tuple[int, ...]


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """Free text, names included; `text` is None once it has been redacted.

    An event's body holds only a commitment to the text (`docs/record.md`, Words), so the text can be taken
    away later without breaking the chain.
    """

    text: _Text = field(name=REFERENCE)

    def __post_init__(self) -> None:
        """Finds the text where a body has just been read, which holds no more than where it is."""
        reference: object = self.text
        if type(reference) is int or type(reference) is tuple:
            force_setattr(self, "text", TEXTS.get()(reference))

    def __str__(self) -> str:
        return REDACTED if self.text is None else self.text

    def __repr__(self) -> str:
        return f"Words({self.text!r})"


YET_TO_FIND = Words("…")
"""Stands for words that somebody has yet to find."""
