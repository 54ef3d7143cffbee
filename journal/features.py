"""Features beside the core: found by their folders, and imported only when the core needs a part of one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Final, Literal, NamedTuple

from retold.startup import HOME

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class Feature(NamedTuple):
    """Parts of a feature, as text: `package.module`, or `package.module:name` for a name in it.

    No part is imported before it is needed. docs/add-a-feature.md says what each part has to be.
    """

    name: str
    """Name of the feature, for sentences."""
    verbs: Mapping[str, str] = _NOTHING
    """Verbs of the command line, and the module of each, which has a function `command`."""
    campaign: str = ""
    """Class whose methods every `retold.Campaign` has."""
    promised: Mapping[str, str] = _NOTHING
    """Names that `retold.types` and `retold.errors` promise."""
    places: str = ""
    """Function that returns the `PlaceOnServer` at the address of a campaign that is no file."""
    addresses: str = ""
    """Module with the addresses that the service has below a campaign's address."""
    at_home: str = ""
    """Module with routes and a form of home, `routes(home)` and `FORM`."""
    exports: Mapping[str, tuple[str, str, str]] = MappingProxyType({})
    """Export formats of a whole campaign by name: ending, media type, and the function that makes the file.

    It takes a line view, how its sessions are told, and the place of mechanics.
    """
    draft_options: str = ""
    """Class of the options `--draft` and `--no-draft` of exports, a `DraftOptions`."""
    completions: Mapping[str, str] = _NOTHING
    """Functions that return the possible values of an option, by verb and option: `import --as`."""


HOMES: Final = (Path(__file__).parent / "store", Path(HOME))
"""Folders in which features lie, each in a folder of its own."""


@cache
def features() -> tuple[Feature, ...]:
    """Returns the installed features: the `FEATURE` of each `feature.py` in a folder of `HOMES`."""
    found = (path for home in HOMES for path in sorted(home.glob("*/feature.py")))
    return tuple(map(_declared, found))


def _declared(path: Path) -> Feature:
    """Runs a `feature.py` by its path: to import it would load the whole package that it lies in."""
    module = ModuleType(f"feature {path.parent.name}")
    SourceFileLoader(module.__name__, str(path)).exec_module(module)
    declared: Feature = module.FEATURE
    return declared


def load(said: str) -> Any:  # noqa: ANN401 -- what a feature declares, which mypy cannot know
    """Imports the module `package.module`, or the name behind a colon from it."""
    module, _, name = said.partition(":")
    loaded = import_module(module)
    return getattr(loaded, name) if name else loaded


def added(what: Literal["campaign", "places", "addresses", "at_home", "draft_options"]) -> list[Any]:
    """Imports the parts that installed features declare in a field."""
    return [load(said) for feature in features() if (said := getattr(feature, what))]


def named(what: Literal["verbs", "promised", "completions"], name: str) -> str | None:
    """Returns the text that a feature declares for `name` in a field; None if no installed feature does."""
    said: list[Mapping[str, str]] = [getattr(feature, what) for feature in features()]
    return next((names[name] for names in said if name in names), None)


def promised(module: str, name: str, names: Collection[str]) -> Any:  # noqa: ANN401 -- as above
    """Returns a name among the promised `names` of a module, from the feature that defines it.

    Raises AttributeError for any other name, and if no installed feature defines it.
    """
    said = named("promised", name) if name in names else None
    if said is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    return load(said)
