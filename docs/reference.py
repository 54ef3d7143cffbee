"""Writes docs/reference.md and docs/game-reference.md from docstrings: `python docs/reference.py`.

They have every promised name. A class shows its members and those of its bases in Retold, except names in
its `INTERNAL` and in `BESIDE`.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple, get_origin

from retold.journal.vocabulary import events

OURS: Final = ("retold.journal.", "retold.projections.", "retold", "retold.cli.")
DOCS: Final = Path(__file__).parent
MODULES: Final[Mapping[str, Sequence[str]]] = {
    "reference.md": ("retold", "retold.types", "retold.errors", "retold.schemas"),
    "game-reference.md": ("retold.game",),
}
"""Each page, and the modules whose names it has."""

BESIDE: Final[Mapping[str, str]] = {
    "CampaignRecorder": "beginning body line originator record",
    "Chosen": "kind",
    "Following": "beginning holds opened steps",
    "OpenConflict": "concession",
    "Intake": "report",
    "Recalled": "said",
    "Recap": "phrases",
    "RecordedAct": "lives",
    "Report": "heads",
    "Scope": "reader",
    "Sheet": "listing",
    "Situation": "copies",
    "Source": "files keeping report units",
    "Table": "every_matter hide known_first matter_called matters narrations next_person secrets",
    "Telling": "ids phrases",
    "Told": "line news position reported viewer",
    "Voice": "as_recorded asides brisk diary folds phrases quotes stage story tell typographic",
    "Writing": "campaign draft",
}
"""Names of classes that are Retold's own: not promised, as those in `INTERNAL` of a class."""

SOURCES: Final = {"retold.sources": ("read",), "retold.sources.answers": ("read_answers",)}
"""Promised functions of modules that have more."""

HEADS: Final[Mapping[str, str]] = {
    "reference.md": "# Names for programs\n\n[library.md](library.md) shows them in use.",
    "game-reference.md": "# Names for games\n\n[game-api.md](game-api.md) says what they are for.",
}

MADE: Final = "Made from the docstrings by `python docs/reference.py`; a test holds it true."


class Member(NamedTuple):
    """A field, property or method: its name, what stands behind the name, its description."""

    name: str
    form: str
    about: str


def reference(page: str) -> str:
    """The page, made anew."""
    lines = [*HEADS[page].splitlines(), MADE]
    for name in MODULES[page]:
        lines += _module(name, import_module(name))
    if page == "reference.md":
        for name, promised in SOURCES.items():
            module = import_module(name)
            lines += ["", f"## {name}", ""]
            lines += [_function(one, getattr(module, one)) for one in promised]
    return "\n".join(lines) + "\n"


def names_of(module: ModuleType) -> list[str]:
    """Promised names of a module, in alphabetical order; those that `retold` has stand there."""
    promised: list[str] = module.__all__
    beside = promised_elsewhere() if module.__name__ in ("retold.types", "retold.errors") else set()
    return sorted((name for name in promised if name not in beside), key=str.casefold)


@cache
def promised_elsewhere() -> frozenset[str]:
    """Names that `retold` itself has."""
    return frozenset(import_module("retold").__all__)


def _module(name: str, module: ModuleType) -> Iterator[str]:
    yield from ("", f"## {name}", "")
    if name != "retold.game":
        yield from (*_paragraphs(module.__doc__ or "")[:1], "")
    found = {one: inspect.unwrap(getattr(module, one)) for one in names_of(module)}  # a cache is no value
    plain = {one: value for one, value in found.items() if not isinstance(value, type | ModuleType)}
    for one, value in plain.items():
        yield (
            _function(one, value)
            if callable(value) and hasattr(value, "__code__")
            else _value(one, value, module)
        )
    for one, value in found.items():
        if isinstance(value, type):
            yield from ("", f"### {one}", "", *_class(value))
    for one, value in found.items():
        if isinstance(value, ModuleType):
            yield from ("", f"### {one}", "", *_names_of_module(value))


def _names_of_module(module: ModuleType) -> Iterator[str]:
    """A line for each class, and each function with a docstring, that a module defines."""
    yield from (*_paragraphs(module.__doc__ or "")[:1], "")
    for name, value in vars(module).items():
        if name.startswith("_") or getattr(value, "__module__", None) != module.__name__:
            continue
        if isinstance(value, type):
            fields = ", ".join(member.name for member in fields_of(value))
            yield f"- `{name}({fields})`: {_first(value)}"
        elif isinstance(value, FunctionType) and value.__doc__:
            yield _function(name, value)


def _value(name: str, value: object, module: ModuleType) -> str:
    """A line for a type alias or a constant, with the sentence below its definition."""
    about = next(
        (found for place in _homes(name, value, module) if (found := _sentences(place).get(name))), ""
    )
    shown = type(value).__name__ if " at 0x" in _short(value) else _short(value)
    return f"- `{name}` = `{shown}`{f': {about}' if about else ''}"


def _homes(name: str, value: object, module: ModuleType) -> Iterator[ModuleType]:
    """Modules that define a value: those of Retold that have it under the same name."""
    yield module
    for home in tuple(sys.modules.values()):
        if getattr(home, "__name__", "").startswith(OURS) and vars(home).get(name) is value:
            yield home


def _class(value: type) -> Iterator[str]:
    yield from _described(value)
    bases = [
        base.__name__
        for base in value.__mro__[1:-1]
        if base.__module__.startswith(OURS) and base.__name__[0] != "_"
    ]
    if bases and issubclass(value, BaseException):
        yield from ("", f"Below {', '.join(f'`{base}`' for base in bases)}.")
    promised = next((base for base in value.__mro__[1:] if is_promised(base)), None)
    known = [] if promised is None else [*fields_of(promised), *methods_of(promised)]
    members = [member for member in (*fields_of(value), *methods_of(value)) if member not in known]
    if promised is not None and not issubclass(value, BaseException):
        yield from ("", f"Has all that `{promised.__name__}` has.")
    if members:
        yield ""
    for member in members:
        about = f": {member.about}" if member.about else ""
        yield f"- `{member.name}{member.form}`{about}"


def is_promised(value: type) -> bool:
    """True if a class stands on one of the pages."""
    return value in promised_names()


def _described(value: type) -> Iterator[str]:
    """The docstring of a class, unless a library made it."""
    about = value.__dict__.get("__doc__") or ""
    if not about.startswith(f"{value.__name__}("):
        for number, paragraph in enumerate(_paragraphs(about)):
            yield from (["", paragraph] if number else [paragraph])


def internal(value: type) -> frozenset[str]:
    """Names of a class that are not promised."""
    found: frozenset[str] = getattr(value, "INTERNAL", frozenset())
    beside = (word for base in value.__mro__ for word in BESIDE.get(base.__name__, "").split())
    return found | {"INTERNAL", *beside}


def fields_of(value: type) -> list[Member]:
    """Fields of a class, those of its bases first: name, type, and the line below each."""
    found: dict[str, Member] = {}
    for base in reversed(value.__mro__):
        if not base.__module__.startswith(OURS):
            continue
        sentences = _sentences(base)
        for name, type_ in inspect.get_annotations(base).items():
            if not name.startswith("_"):
                shown = type_ if isinstance(type_, str) else getattr(type_, "__forward_arg__", str(type_))
                found[name] = Member(name, f": {promised_form(shown, base)}", sentences.get(name, ""))
    return [member for member in found.values() if member.name not in internal(value)]


def methods_of(value: type) -> list[Member]:
    """Properties and methods of a class and its bases in Retold, in alphabetical order."""
    found: dict[str, Member] = {}
    for base in reversed(value.__mro__):
        if not base.__module__.startswith(OURS) or base.__name__.startswith("_"):
            continue
        for name, made in vars(base).items():
            if name.startswith("_") or name in internal(value):
                continue
            call: Any = getattr(made, "__func__", getattr(made, "func", made))
            if isinstance(made, property) or hasattr(made, "attrname"):
                got: Any = made.fget if isinstance(made, property) else call
                type_ = inspect.unwrap(got).__annotations__.get("return", "")
                found[name] = Member(name, f": {promised_form(type_, base)}", _whole(got.__doc__))
            elif isinstance(call, FunctionType):
                found[name] = Member(name, promised_form(signature(call), base), _whole(call.__doc__))
    return [found[name] for name in sorted(found)]


def promised_form(form: str, home: type | FunctionType) -> str:
    """A type or signature in which a class has its promised name, and any other name what it stands for."""
    form = re.sub(r"\b(?:e|c)\.(?=[A-Z])", "", form)
    known = {**vars(events), **vars(sys.modules[home.__module__]), "_Text": "str | None"}

    def named(found: re.Match[str]) -> str:
        value = known.get(found[0])
        if isinstance(value, type):
            return promised_names().get(value, found[0])
        is_alias = isinstance(value, str) if found[0] == "_Text" else get_origin(value) is not None
        return _short(value) if is_alias and found[0] not in aliases() else found[0]

    return re.sub(r"(?<![.\w'])[A-Z_]\w*(?!\w*')", named, form)


def _short(value: object) -> str:
    """A type as it is written, without modules and without what a reader of lines is told beside it."""
    return re.sub(r"Annotated\[([^,]+), [^\]]*\]", r"\1", re.sub(r"\b(?:[a-z_]+\.)+", "", str(value)))


@cache
def aliases() -> frozenset[str]:
    """Promised names that are no classes."""
    modules = [import_module(name) for names in MODULES.values() for name in names]
    return frozenset(
        name for one in modules for name in one.__all__ if not isinstance(getattr(one, name), type)
    )


@cache
def promised_names() -> Mapping[type, str]:
    """The name on the pages of every class there."""
    modules = [import_module(name) for names in MODULES.values() for name in names]
    pairs = [(getattr(module, name), name) for module in modules for name in module.__all__]
    return {value: name for value, name in pairs if isinstance(value, type)}


def signature(call: Callable[..., object]) -> str:
    """Parameters and result of a function, as annotated, without self."""
    bare = inspect.unwrap(call)
    found = inspect.signature(bare)
    kept = [_plain(one) for one in found.parameters.values() if one.name not in ("self", "cls")]
    return str(found.replace(parameters=kept, return_annotation=_Named(found.return_annotation)))


def _plain(parameter: inspect.Parameter) -> inspect.Parameter:
    """A parameter whose type is shown as written, and its default as every Python shows it."""
    default = parameter.default
    if isinstance(default, FunctionType):
        default = _Named(default.__name__)
    elif isinstance(default, Enum):
        default = _Named(f"{type(default).__name__}.{default.name}")
    elif default is not parameter.empty and type(default).__module__.startswith(OURS):
        default = _Named(f"{type(default).__name__}()")
    written = parameter.annotation
    return parameter.replace(
        annotation=written if written is parameter.empty else _Named(written), default=default
    )


class _Named(str):
    """Text that shows as itself."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _function(name: str, value: Any) -> str:  # noqa: ANN401 -- any callable
    return f"- `{name}{promised_form(signature(value), value)}`: {_whole(value.__doc__)}"


def _paragraphs(docstring: str) -> list[str]:
    return [" ".join(part.split()) for part in inspect.cleandoc(docstring).split("\n\n") if part.strip()]


def _whole(docstring: str | None) -> str:
    return " ".join(_paragraphs(docstring or ""))


def _first(value: type) -> str:
    return (_paragraphs(value.__dict__.get("__doc__") or "") or [""])[0]


@cache
def _sentences(place: type | ModuleType) -> dict[str, str]:
    """The text below each field of a class, or each name of a module."""
    try:
        source = textwrap.dedent(inspect.getsource(place))
    except (OSError, TypeError):
        return {}
    tree = ast.parse(source)
    body = (
        tree.body[0].body if isinstance(place, type) and isinstance(tree.body[0], ast.ClassDef) else tree.body
    )
    found: dict[str, str] = {}
    for one, below in pairwise(body):
        target = (
            one.target
            if isinstance(one, ast.AnnAssign)
            else one.targets[0]
            if isinstance(one, ast.Assign)
            else None
        )
        if (
            isinstance(target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
        ):
            found[target.id] = _whole(str(below.value.value))
    return found


if __name__ == "__main__":
    for page in MODULES:
        (DOCS / page).write_text(reference(page), "utf-8")
