"""Any event and any command, made up from what their fields may hold."""

from __future__ import annotations

from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from hypothesis import strategies as st

from retold.journal.vocabulary.base import LIMIT, Frozen, InvalidShape, Words, types_of

M = TypeVar("M", bound=Frozen)

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
WORDS = TEXT.map(Words)


def models(kind: type[M]) -> st.SearchStrategy[M]:
    """Any value of a model that the model itself accepts."""
    return _models(kind)


@cache
def _models(kind: type[Frozen]) -> st.SearchStrategy[Any]:
    fields = {key: of_type(annotation) for key, annotation in types_of(kind).items()}
    return st.fixed_dictionaries(fields).map(lambda given: _made(kind, given)).filter(bool)


def _made(kind: type[Frozen], given: dict[str, Any]) -> Frozen | None:
    try:
        return kind.of(given)
    except InvalidShape:
        return None


def of_type(annotation: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401
    """Any value an annotation stands for."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return of_type(parts[0])
    if origin is Literal:
        return st.sampled_from(parts)
    if origin in (Union, UnionType):
        return st.one_of(*map(of_type, parts))
    if origin is tuple:
        return st.lists(of_type(parts[0]), max_size=3).map(tuple)
    if origin is dict:
        return st.dictionaries(of_type(parts[0]), of_type(parts[1]), max_size=3)
    return SIMPLE[annotation] if annotation in SIMPLE else _of_class(annotation)


def _of_class(kind: type) -> st.SearchStrategy[Any]:
    return st.sampled_from(kind) if issubclass(kind, Enum) else models(kind)


SIMPLE: dict[Any, st.SearchStrategy[Any]] = {
    int: st.integers(0, LIMIT) | st.integers(0, 9),
    str: TEXT,
    bool: st.booleans(),
    Words: WORDS,
    NoneType: st.none(),
}
