"""What the fields of a command hold, read from their types."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, get_args, get_origin

from journal.vocabulary.base import Bind, Command, types_of


@cache
def may_hold(command: type[Command], name: str, wanted: type) -> bool:
    """True if that field's type is `wanted`, or may be."""
    annotation = types_of(command)[name]
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    return annotation is wanted or wanted in get_args(annotation)


@cache
def bind_of_type(command: type[Command], name: str) -> Bind | None:
    """What a name in that field stands for; None for a number or a title."""
    types = types_of(command)
    if name not in types:
        raise KeyError(f"{command.__name__} has no field {name}")
    return next(_marks(types[name]), None)


def _marks(annotation: Any) -> Iterator[Bind]:  # noqa: ANN401 -- typing's own forms have no type
    for mark in getattr(annotation, "__metadata__", ()):
        if isinstance(mark, Bind):
            yield mark
    for part in get_args(annotation):
        yield from _marks(part)


@cache
def takes_several(command: type[Command], name: str) -> bool:
    """True if that field holds several, or several groups."""
    return _tuple_depth(types_of(command)[name]) >= 1


@cache
def takes_groups(command: type[Command], name: str) -> bool:
    """True if that field holds groups, as the sides of a conflict."""
    return _tuple_depth(types_of(command)[name]) > 1


def _tuple_depth(annotation: Any) -> int:  # noqa: ANN401 -- typing's own forms have no type
    origin = getattr(annotation, "__origin__", None)
    deepest = max((_tuple_depth(part) for part in get_args(annotation)), default=0)
    return deepest + 1 if origin is tuple else deepest
