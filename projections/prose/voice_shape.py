"""Allowed keys and values of a voice file, checked by pydantic, which finds every wrong one at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from retold.projections.prose import BASES, PLACES
from retold.projections.prose.phrases.unfit import Mistake, no_such_key

LONGEST_QUOTE: Final = 10

_Line = Annotated[str, Field(pattern=r"^[^\n]*\Z")]
_Quote = Annotated[str, Field(pattern=r"^[^\n]*\Z", max_length=LONGEST_QUOTE)]
_Language = Annotated[str, Field(pattern=r"^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*\Z")]


class _Table(BaseModel):
    """Base of `Layout` and `VoiceFile`: rejects unknown keys, converts no values."""

    model_config = ConfigDict(extra="forbid", strict=True, regex_engine="python-re")


class Layout(_Table):
    """Table `[layout]` of a voice file; a value of None is taken from the base voice."""

    mechanics: Literal[PLACES] | None = None  # type: ignore[valid-type]  # a test compares them with the exports'
    quotes: Annotated[list[_Quote], Field(min_length=2, max_length=2)] | None = None
    typographic: bool | None = None
    asides: bool | None = None
    comma: Literal["inside", "outside", "always"] | None = None
    tense: Literal["past", "present"] | None = None


class VoiceFile(_Table):
    """A whole voice file; a value of None is taken from the base voice."""

    about: _Line | None = None
    base: Literal[BASES] = "report"  # type: ignore[valid-type]  # the built-in voices with phrases
    lang: _Language | None = None
    layout: Layout = Layout()
    phrases: dict[str, Any] = {}


_WANTED: Final[Mapping[tuple[str, ...], str]] = {
    ("about",): "a text on one line",
    ("base",): f"one of {', '.join(BASES)}",
    ("lang",): 'a language as HTML names it, such as "de"',
    ("layout",): "a table: [layout]",
    ("layout", "mechanics"): f"one of {', '.join(PLACES)}",
    ("layout", "quotes"): 'two short texts, such as ["“", "”"]',
    ("layout", "typographic"): "true or false",
    ("layout", "asides"): "true or false",
    ("layout", "comma"): "inside, outside or always",
    ("layout", "tense"): "past or present",
    ("phrases",): "a table: [phrases]",
}
"""What each key takes, as a sentence goes on after “this has to be”."""


def checked(data: Mapping[str, Any]) -> tuple[VoiceFile | None, list[Mistake]]:
    """Returns a voice file's content (None if keys or values are wrong), and every such mistake."""
    try:
        return VoiceFile.model_validate(dict(data)), []
    except ValidationError as error:
        return None, list(dict.fromkeys(_mistakes(error)))


def _mistakes(error: ValidationError) -> Iterator[Mistake]:
    for wrong in error.errors(include_url=False, include_context=False, include_input=False):
        path = tuple(map(str, wrong["loc"]))[: 2 if wrong["loc"][0] == "layout" else 1]
        if wrong["type"] == "extra_forbidden":
            table = Layout if len(path) > 1 else VoiceFile
            yield Mistake(path, no_such_key(path[-1], tuple(table.model_fields)))
        else:
            yield Mistake(path, f"this has to be {_WANTED[path]}")
