"""Packages of other people: what went wrong in one's code and where, and how to install one.

Such a package brings a game or a reader of logs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Literal

from retold.journal.refused import Refused
from retold.journal.shell_words import shell_word

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

LONGEST: Final = 200
"""Most characters of an exception's own text that a sentence repeats."""

NOTED: Final[dict[str, str | None]] = {}
"""Sentences about guests' errors, until the user has been told.

Each with the game that is not understood since, or None.
"""


def note(error: Refused) -> None:
    """Keeps the error's sentence until the user has been told."""
    if getattr(error, "game", "") not in NOTED.values():  # what fails without a state says nothing new
        NOTED.setdefault(error.sentence, None)


def guest_errors() -> tuple[str, ...]:
    """Returns sentences about errors of games and readers from other packages since the last call.

    What such an error spoilt was left out of a page. The sentences are for the game master: they repeat an
    exception's own text.
    """
    told = tuple(NOTED)
    NOTED.clear()
    return told


def problem(error: BaseException, package: str, called: object = None) -> str:
    """Returns an exception with its place in a package: `KeyError: 'Hold' (events.py, line 203)`.

    The place is the innermost one inside the package, else the function `called`; without either it is
    left out.
    """
    said = error.msg if isinstance(error, SyntaxError) else str(error)  # its text names the place too
    text = " ".join(said.split())[:LONGEST]
    what = f"{type(error).__name__}: {text}" if text else type(error).__name__
    place = place_in(error, package) or _definition(called)
    return what if place is None else f"{what} ({place[0]}, line {place[1]})"


def place_in(error: BaseException, package: str) -> tuple[str, int] | None:
    """Returns file and line of the innermost place in a package at which an exception was raised, or None."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return Path(error.filename).name, error.lineno
    found = None
    for file, line in _frames(error.__traceback__):
        if _is_inside(file, package):
            found = Path(file).name, line
    return found


def _frames(traceback: TracebackType | None) -> Iterator[tuple[str, int]]:
    while traceback is not None:
        yield traceback.tb_frame.f_code.co_filename, traceback.tb_lineno
        traceback = traceback.tb_next


def _is_inside(file: str, package: str) -> bool:
    """True for a source file of the module or package `package`, whether or not it could be loaded."""
    spec = getattr(sys.modules.get(package), "__spec__", None) or _spec_of(package)
    if spec is None:
        return False
    folders = getattr(sys.modules.get(package), "__path__", spec.submodule_search_locations)
    if folders is not None:
        return any(Path(file).is_relative_to(folder) for folder in folders)
    return file == spec.origin


def _spec_of(package: str) -> ModuleSpec | None:
    from importlib.util import find_spec  # noqa: PLC0415 -- only a package that failed to load needs it

    try:
        return find_spec(package)
    except (ImportError, ValueError, AttributeError):  # a parent of it cannot be loaded either
        return None


def _definition(called: object) -> tuple[str, int] | None:
    code = getattr(getattr(called, "func", called), "__code__", None)
    return None if code is None else (Path(code.co_filename).name, code.co_firstlineno)


def how_to_install(package: str) -> str:
    """Returns the command that installs a package into the environment in which this Retold runs.

    It contains paths of this computer, so it is for the terminal alone.
    """
    prefix = Path(sys.prefix)
    tool = tool_of_environment()
    if tool == "pipx":
        return f"pipx inject {prefix.name} {package}"
    if tool == "uv":
        return f"uv tool install --with {package} {shell_word(_source_of_tool(prefix))}"
    if (prefix / "bin/pip").exists() or (prefix / "Scripts/pip.exe").exists():
        return f"{shell_word(sys.executable or 'python')} -m pip install {package}"
    return f"uv pip install --python {shell_word(sys.executable or 'python')} {package}"


def tool_of_environment() -> Literal["pipx", "uv"] | None:
    """Returns the tool that installed this Retold into an environment of its own; None if none did."""
    receipts: dict[Literal["pipx", "uv"], str] = {"pipx": "pipx_metadata.json", "uv": "uv-receipt.toml"}
    return next((tool for tool, receipt in receipts.items() if Path(sys.prefix, receipt).is_file()), None)


def _source_of_tool(prefix: Path) -> str:
    """Returns what uv installed as the tool in `prefix`, to be installed again: a folder or a name."""
    import tomllib  # noqa: PLC0415 -- only a missing game needs it

    receipt = tomllib.loads((prefix / "uv-receipt.toml").read_text("utf-8"))
    for wanted in receipt.get("tool", {}).get("requirements", ()):
        if wanted.get("name") == prefix.name:
            return str(next((wanted[key] for key in ("directory", "editable") if key in wanted), prefix.name))
    return prefix.name
