"""Words: what a person typed freely, kept beside an event's body and never read by a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic_core import PydanticCustomError, core_schema

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue

REFERENCE: Final = "~"
"""The key under which a body points at its words: `{"~": 0}` is the first of them."""

REDACTED: Final = "[redacted]"
"""What stands where words were taken away."""


class Words:
    """Free text, names included; `text` is None once it has been redacted.

    An event's body holds only a commitment to the text (`docs/record.md`, Words), so the text can be taken
    away later without breaking the chain.
    """

    __slots__ = ("text",)

    def __init__(self, text: str | None) -> None:
        self.text = text

    def __str__(self) -> str:
        return REDACTED if self.text is None else self.text

    def __repr__(self) -> str:
        return f"Words({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.with_info_plain_validator_function(
            _read, serialization=core_schema.plain_serializer_function_ser_schema(_plain)
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {
            "type": "object",
            "required": [REFERENCE],
            "description": "a reference to words beside the body",
        }


def _plain(words: Words) -> Words:
    return words


def _read(value: object, info: core_schema.ValidationInfo) -> Words:
    """The words behind `value`: itself, a text, or a reference into the texts given as context."""
    if isinstance(value, Words):
        return value
    if isinstance(value, str):
        return Words(value)
    if isinstance(value, dict) and value.keys() == {REFERENCE} and info.context is not None:
        return Words(info.context(value[REFERENCE]))
    raise PydanticCustomError("words", "these are no words")


YET_TO_FIND = Words("…")
"""Stands for words that somebody has yet to find."""
