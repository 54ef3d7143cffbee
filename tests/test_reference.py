"""The reference pages are fresh, whole, and name only what is promised."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import runpy
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

import retold
import retold.errors
import retold.game
import retold.types
from retold.journal.vocabulary import commands, events
from tests.cli.service.conftest import SCRIPT

DOCS: Final = Path(__file__).parents[1] / "docs"
MADE: Final = runpy.run_path(str(DOCS / "reference.py"))
PAGES: Final = tuple(MADE["MODULES"])
MODULES: Final = [import_module(name) for names in MADE["MODULES"].values() for name in names]
OURS: Final[tuple[str, ...]] = MADE["OURS"]
PROMISED: Final = {name for module in MODULES for name in module.__all__}
STANDARD: Final = frozenset(
    {"Any", "Callable", "ClassVar", "Collection", "Container", "Counter", "Final", "Fraction", "Iterable"}
    | {"Iterator", "Literal", "Mapping", "Path", "PathLike", "Protocol", "Self", "Sequence", "os", "UUID"}
)
LIBRARYS: Final = frozenset({"StoredEvent", "Notification"})
"""Names of `eventsourcing`, in whose terms a recorder speaks."""


@pytest.mark.parametrize("page", PAGES)
def test_L5_a_reference_is_fresh(page: str) -> None:
    assert MADE["reference"](page) == (DOCS / page).read_text("utf-8")


@pytest.mark.parametrize(
    "module", [retold, retold.game, retold.types, retold.errors], ids=lambda one: one.__name__
)
def test_L5_a_module_lists_every_name_that_it_promises(module: ModuleType) -> None:
    listed = {name for name in dir(module) if not name.startswith("_")}

    assert set(module.__all__) <= listed
    assert listed == set(module.__all__) or module not in (retold, retold.game)


@pytest.mark.parametrize("page", PAGES)
def test_L5_every_promised_name_has_its_place(page: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    names = {name for module in MADE["MODULES"][page] for name in import_module(module).__all__}

    assert [
        name for name in sorted(names) if not re.search(rf"^(### {name}$|- `{name}\b)", text, re.MULTILINE)
    ] == []


def test_L5_every_field_of_a_game_has_its_line() -> None:
    assert [field.name for field in MADE["fields_of"](retold.game.System) if not field.about] == []
    assert len(MADE["fields_of"](retold.game.System)) > 40


def test_L13_an_open_campaign_offers_exactly_the_promised_members(tmp_path: Path) -> None:
    with retold.new(tmp_path / "salt.retold") as campaign:
        offered = {name for name in dir(campaign) if not name.startswith("_")}
    members = (*MADE["fields_of"](retold.Campaign), *MADE["methods_of"](retold.Campaign))

    assert offered == {member.name for member in members}
    assert not offered & {"scribe", "shared", "go", "transcript"}


def called(value: type) -> Iterator[tuple[str, Callable[..., object]]]:
    """Promised properties and methods of a class, as functions."""
    for base in value.__mro__:
        if not base.__module__.startswith(OURS) or base.__name__.startswith("_"):
            continue
        for name, made in vars(base).items():
            call: Any = made.fget if isinstance(made, property) else getattr(made, "__func__", made)
            call = getattr(call, "func", call)
            if inspect.isfunction(call) and name[0] != "_" and name not in MADE["internal"](value):
                yield name, call


def types_shown() -> Iterator[tuple[str, str]]:
    """Every type that a promised name has to do with: where it stands, and as it is shown."""
    shown: Callable[[str, object], str] = MADE["promised_form"]
    for module in MODULES:
        for name in module.__all__:
            value = getattr(module, name)
            functions: list[tuple[str, Any]] = [("", value)] if inspect.isfunction(value) else []
            if isinstance(value, type):
                yield from ((f"{name}.{field.name}", field.form[2:]) for field in MADE["fields_of"](value))
                functions = [(f".{method}", call) for method, call in called(value)]
            for method, call in functions:
                bare = inspect.unwrap(call)
                for part, type_ in bare.__annotations__.items():
                    yield f"{name}{method}({part})", shown(type_, bare)


def strange(type_: str) -> list[str]:
    """Names in a type that no program can import by a promise."""
    known = {*PROMISED, *STANDARD, *LIBRARYS, *vars(events), *vars(commands), *vars(builtins)}
    tree = ast.walk(ast.parse(type_, mode="eval"))
    named = (one.id for one in tree if isinstance(one, ast.Name))
    return [name for name in named if name not in known and len(name) > 1]


def test_L13_what_promised_functions_take_and_return_has_promised_names() -> None:
    found = {place: strange(type_) for place, type_ in types_shown()}

    assert len(found) > 500
    assert {place: names for place, names in found.items() if names} == {}


def test_L13_every_refusal_and_failure_says_below_which_it_is() -> None:
    text = (DOCS / "reference.md").read_text("utf-8")
    for name in retold.errors.__all__:
        error = getattr(retold.errors, name)
        assert issubclass(error, retold.Refused | retold.StoreError)
        section = text.partition(f"\n### {name}\n")[2].partition("\n### ")[0]
        above = next((base.__name__ for base in error.__mro__[1:2] if base.__module__.startswith(OURS)), "")
        assert f"`{above}`" in section or not above


def test_L13_a_program_begins_writes_and_publishes_a_draft(tmp_path: Path) -> None:
    with retold.new(tmp_path / "salt.retold") as campaign:
        campaign.play(SCRIPT)
        name = campaign.begin_draft("first")
        (block,) = (one for one in campaign.draft(name).blocks if "tide" in one.text)
        campaign.write_draft(name, 1, lambda writing: writing.write(block.id, "The tide is in.", block.text))
        draft = campaign.draft(name)
        campaign.write_draft(name, draft.revision, lambda writing: writing.publish(is_wanted=True))

        assert campaign.drafts() == ("first",)
        assert [one.text for one in draft.blocks if one.edited] == ["The tide is in."]
        assert campaign.draft(name).published
        assert [one.revision for one in campaign.draft_revisions(name)] == [1, 2]
        assert campaign.draft_doubts(name) == ()
