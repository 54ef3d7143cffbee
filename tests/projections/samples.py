"""Any event of any kind, made from its model alone: what every voice and format has to bear."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from random import Random
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

from hypothesis import strategies as st

from retold.journal.decks import french, spacetime
from retold.journal.vocabulary.base import Event, Frozen, Words, types_of

E = TypeVar("E", bound=Event)
M = TypeVar("M", bound=Frozen)

IDS = st.integers(min_value=0, max_value=40)
TEXTS = st.text(
    alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=20
)
KEYS = st.text(alphabet="abcdefgh", min_size=1, max_size=6)

CARDS = (*map(str, (*french.DECK, french.JOKER, *spacetime.DECK)), "T14:r", "unknown:ruler:r")
SIGNS = (
    " \t\n\r\x0b\x1b\x7f\x85\u200b\u2028\u202e\ufeff\u201c\u201d\u00df\u0301\u05d0\u9ab0"
    "'\"*_[](){}<>&#|\\/:;,.!?~=+-0aZ"
)
"""What a text is likelier to have than any other character."""
SURROGATES = range(0xD800, 0xE000)


def events(kind: type[E], seed: int, count: int) -> Iterator[E]:
    """So many events of one kind, whatever the model allows; the same ones for the same seed.

    Hypothesis would take a hundred times as long to draw each of them as a test takes to look at it.
    """
    luck = Random(f"{kind.kind} {seed}")
    return (_model(kind, luck) for _ in range(count))


def _model(model: type[M], luck: Random) -> M:
    fields = {
        name: (
            luck.choice(CARDS)
            if name in ("card", "against") and type_ is str
            else (luck.choice(CARDS), luck.choice(CARDS))
            if name in ("cards", "discarded") and get_origin(type_) is tuple
            else _value(type_, luck)
        )
        for name, type_ in types_of(model).items()
    }
    return model.of(fields)


def _text(luck: Random) -> str:
    signs = (
        luck.choice(SIGNS) if luck.random() < 0.5 else chr(luck.randint(1, 0x10FFFF))
        for _ in range(luck.randint(1, 20))
    )
    return "".join(sign for sign in signs if ord(sign) not in SURROGATES) or "x"


def _key(luck: Random) -> str:
    return "".join(luck.choices("abcdefgh", k=luck.randint(1, 6)))


SIMPLE: Mapping[object, Callable[[Random], object]] = {
    Words: lambda luck: Words(_text(luck)),
    int: lambda luck: luck.randint(0, 40),
    str: _key,
    bool: lambda luck: luck.random() < 0.5,
    None: lambda _: None,
    NoneType: lambda _: None,
}


def _value(annotation: object, luck: Random) -> object:
    """A value of a field of that type."""
    if annotation in SIMPLE:
        return SIMPLE[annotation](luck)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return luck.choice(tuple(annotation))
    if isinstance(annotation, type) and issubclass(annotation, Frozen):
        return _model(annotation, luck)
    return _made_of(get_origin(annotation), get_args(annotation), luck)


def _made_of(origin: object, args: tuple[Any, ...], luck: Random) -> object:
    """A value of a type that is made of others."""
    if origin is Literal:
        return luck.choice(args)
    if origin in (UnionType, typing.Union):
        return _value(luck.choice(args), luck)
    if origin is tuple and args[-1] is not ...:
        return tuple(_value(one, luck) for one in args)
    if origin is tuple:
        return tuple(_value(args[0], luck) for _ in range(luck.randint(1, 3)))
    if origin is dict:
        return {_key(luck): _value(args[1], luck) for _ in range(luck.randint(0, 3))}
    assert origin is Annotated
    return _value(args[0], luck)
