"""Any event of any kind, made from its model alone: what every voice and format has to bear."""

from __future__ import annotations

import typing
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, get_args, get_origin

from hypothesis import strategies as st

from journal.decks import french, spacetime
from journal.vocabulary.base import Event, Frozen, Words, types_of

IDS = st.integers(min_value=0, max_value=40)
TEXTS = st.text(
    alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=20
)
KEYS = st.text(alphabet="abcdefgh", min_size=1, max_size=6)
CARDS = st.sampled_from((*french.DECK, french.JOKER, *spacetime.DECK, "T14:r", "unknown:ruler:r"))


def events(kind: type[Event]) -> st.SearchStrategy[Any]:
    """Events of one kind, whatever the model allows."""
    return models(kind)


def models(model: type[Frozen]) -> st.SearchStrategy[Any]:
    fields = {
        name: (
            CARDS.map(str)
            if name in ("card", "against") and type_ is str
            else st.tuples(CARDS, CARDS)
            if name in ("cards", "discarded") and get_origin(type_) is tuple
            else values(type_)
        )
        for name, type_ in types_of(model).items()
    }
    return st.fixed_dictionaries(fields).map(model.of)


SIMPLE: dict[object, st.SearchStrategy[Any]] = {
    Words: TEXTS.map(Words),
    int: IDS,
    str: KEYS,
    bool: st.booleans(),
    None: st.none(),
    NoneType: st.none(),
}


def values(annotation: object) -> st.SearchStrategy[Any]:
    """Values of a field of that type."""
    if annotation in SIMPLE:
        return SIMPLE[annotation]
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return st.sampled_from(tuple(annotation))
    if isinstance(annotation, type) and issubclass(annotation, Frozen):
        return models(annotation)
    return made_of(get_origin(annotation), get_args(annotation))


def made_of(origin: object, args: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    """Values of a type that is made of others."""
    if origin is Literal:
        return st.sampled_from(args)
    if origin in (UnionType, typing.Union):
        return st.one_of(*map(values, args))
    if origin is tuple and args[-1] is not ...:
        return st.tuples(*map(values, args))
    if origin is tuple:
        return st.lists(values(args[0]), min_size=1, max_size=3).map(tuple)
    if origin is dict:
        return st.dictionaries(KEYS, values(args[1]), max_size=3)
    assert origin is Annotated
    return values(args[0])
