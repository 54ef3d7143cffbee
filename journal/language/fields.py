"""What the fields of a command hold, read from their types."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

from journal.vocabulary.base import Bind, Command


@cache
def may_hold(command: type[Command], name: str, wanted: type) -> bool:
    """True if that field's type is `wanted`, or may be."""
    annotation = command.model_fields[name].annotation
    return annotation is wanted or wanted in get_args(annotation)


@cache
def bind_of_type(command: type[Command], name: str) -> Bind | None:
    """What a name in that field stands for; None for a number or a title."""
    info = command.model_fields.get(name)
    if info is None:
        raise KeyError(f"{command.__name__} has no field {name}")
    marks = [mark for mark in info.metadata if isinstance(mark, Bind)]
    return marks[0] if marks else next(_marks(info.annotation), None)


def _marks(annotation: Any) -> Iterator[Bind]:  # noqa: ANN401 -- typing's own forms have no type
    for mark in getattr(annotation, "__metadata__", ()):
        if isinstance(mark, Bind):
            yield mark
    for part in get_args(annotation):
        yield from _marks(part)


@cache
def takes_several(command: type[Command], name: str) -> bool:
    """True if that field holds several, or several groups."""
    return _tuple_depth(command.model_fields[name].annotation) >= 1


@cache
def takes_groups(command: type[Command], name: str) -> bool:
    """True if that field holds groups, as the sides of a conflict."""
    return _tuple_depth(command.model_fields[name].annotation) > 1


def _tuple_depth(annotation: Any) -> int:  # noqa: ANN401 -- typing's own forms have no type
    origin = getattr(annotation, "__origin__", None)
    deepest = max((_tuple_depth(part) for part in get_args(annotation)), default=0)
    return deepest + 1 if origin is tuple else deepest
