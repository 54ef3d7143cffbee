"""JSON Schemas of the views, from the classes of their answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from retold.journal.vocabulary.base import Words
from retold.projections.views import VIEWS
from retold.projections.views.sheet import Seen

Schema = dict[str, Any]

_SIMPLE: Final[Mapping[object, Schema]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    float: {"type": "number"},
    NoneType: {"type": "null"},
    Words: {"type": ["string", "null"]},
    Any: {},
    object: {},
}


def view_schema() -> Schema:
    """Returns a JSON Schema of a view's JSON: one of the views, whose shapes are in `$defs`.

    Objects may have further keys, since later releases may add some.
    """
    answers = [view.answer_type for view in VIEWS.values()]
    return schema_of("A view, as `retold show VIEW --json` prints it", answers)


def schema_of(title: str, answers: Sequence[type]) -> Schema:
    """Returns a JSON Schema, with this title, of what `plain` makes of an object of one of the classes."""
    made = _Shapes()
    for answer in answers:
        made.collect(answer)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "oneOf": [{"$ref": f"#/$defs/{made.names[answer]}"} for answer in answers],
        "$defs": {name: made.shape(shape) for shape, name in made.names.items()},
    }


class _Shapes:
    """Classes of the views' answers and of their parts, each with the name of its shape."""

    def __init__(self) -> None:
        self.names: dict[type, str] = {}

    def collect(self, shape: type, view: str = "") -> None:
        """Names a class and all that it holds; one whose name is taken is called after its view too."""
        if shape in self.names:
            return
        view = view or shape.__name__
        name = shape.__name__.removesuffix("Seen") or shape.__name__
        self.names[shape] = f"{view}{name}" if name in self.names.values() else name
        for type_ in _types(shape).values():
            for part in _parts(type_):
                self.collect(part, view)

    def shape(self, shape: type) -> Schema:
        """Returns the schema of a class: an object with the fields that its JSON has."""
        held = {name: self.schema(type_) for name, type_ in _types(shape).items()}
        if issubclass(shape, Seen):
            named: dict[str, Schema] = {"view": {"const": shape.view}, "version": {"const": shape.version}}
            held = {**named, **held}
        rare: tuple[str, ...] = getattr(shape, "rare", ())
        return {
            "description": " ".join((shape.__doc__ or "").split("\n\n")[0].split()),
            "type": "object",
            "properties": held,
            "required": [name for name in held if name not in rare],
        }

    def schema(self, type_: Any) -> Schema:  # noqa: ANN401 -- typing's own forms have no type
        """Returns the schema of a field's type."""
        if type_ in _SIMPLE:
            return dict(_SIMPLE[type_])
        if type_ in self.names:
            return {"$ref": f"#/$defs/{self.names[type_]}"}
        if isinstance(type_, type) and issubclass(type_, Enum):
            return {"enum": [word.value for word in type_]}
        return self._of_parts(get_origin(type_), get_args(type_))

    def _of_parts(self, origin: Any, parts: tuple[Any, ...]) -> Schema:  # noqa: ANN401 -- as above
        if origin in (Union, UnionType):
            return _either([self.schema(part) for part in parts])
        if origin is Literal:
            return {"enum": [*parts]}
        if issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.schema(parts[1])}
        if origin is tuple and parts[-1] is not Ellipsis:  # a pair, whose parts are alike
            size = len(parts)
            return {"type": "array", "items": self.schema(parts[0]), "minItems": size, "maxItems": size}
        return {"type": "array", "items": self.schema(parts[0])}


def _types(shape: type) -> dict[str, Any]:
    """Returns the types of a class's fields, without those that its JSON leaves out."""
    hints = get_type_hints(shape)
    return {name: hints[name] for name in _field_names(shape)}


def _field_names(shape: type) -> tuple[str, ...]:
    if is_dataclass(shape):
        return tuple(field.name for field in fields(shape) if field.compare)
    left: tuple[str, ...] = getattr(shape, "beside", ())
    names: tuple[str, ...] = shape.__struct_fields__ if issubclass(shape, Struct) else shape._fields  # type: ignore[attr-defined]  # a named tuple
    return tuple(name for name in names if name not in left)


def _parts(type_: Any) -> Iterator[type]:  # noqa: ANN401 -- as above
    """Yields the classes with fields in a type, in the order they appear."""
    if (
        isinstance(type_, type)
        and type_ is not Words
        and (issubclass(type_, Struct) or is_dataclass(type_) or hasattr(type_, "_fields"))
    ):
        yield type_
    for inner in get_args(type_):
        yield from _parts(inner)


def _either(parts: list[Schema]) -> Schema:
    """Returns the schema of a union; a list of types if all parts are simple."""
    if all(part.keys() == {"type"} for part in parts):
        types = [
            one
            for part in parts
            for one in ([part["type"]] if isinstance(part["type"], str) else part["type"])
        ]
        return {"type": list(dict.fromkeys(types))}
    return {"anyOf": parts}
