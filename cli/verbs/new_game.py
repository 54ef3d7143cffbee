"""The `new-game` verb: writes a package with a game of your own, whose tests pass at once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from retold.journal.games import BUILT_IN, guest, is_valid_name
from retold.journal.refused import Refused
from retold.projections.texts import safe

EXAMPLE: Final = "lanterns"
"""The game that a new one begins as."""

_PARTS: Final = frozenset({".py", ".toml", ".md", ".session"})


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the game is called: small letters only.")],
    folder: Annotated[str, typer.Argument(metavar="DIR", help="Where its files go; none is replaced.")],
) -> None:
    """Begin a game of your own: a package with rules, voice, evening and tests.

    Examples: retold new-game tides tides · retold new-game lanterns ~/games/lanterns
    """
    _check(name)
    target = Path(folder)
    files = {target / path: text for path, text in begun(name)}
    there = next((path for path in files if path.exists()), None)
    if there is not None:
        raise Refused(f"{there} is there already: name a folder in which it is not.")
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        sys.stdout.write(f"{safe.line(str(path))}\n")
    sys.stdout.flush()
    sys.stderr.write(
        f"Next: python -m pip install --editable {safe.line(folder)}, then retold systems {name}. Its tests:"
        f" python -m pytest {safe.line(folder)}. What is where: docs/add-a-game.md.\n"
    )


def _check(name: str) -> None:
    if not is_valid_name(name):
        raise Refused(f"A game is called by small letters, such as tides, and not {name}.")
    if name in BUILT_IN:
        raise Refused(f"There is a game {name} already, which is one of ours: choose another name.")
    known = guest(name)
    if known is not None:
        raise Refused(f"There is a game {name} already, from {known.distribution}: choose another name.")


def begun(name: str) -> Iterator[tuple[Path, str]]:
    """Yields path and text of each file of a new game: the example game's, with its name replaced."""
    source = folder()
    for path in sorted(source.rglob("*")):
        inside = path.relative_to(source)
        if path.suffix in _PARTS and not any(part == "build" or "." in part for part in inside.parts[:-1]):
            yield Path(_renamed(str(inside), name)), _renamed(path.read_text("utf-8"), name)


def folder() -> Path:
    """Returns the folder of the example game: inside the installed package, else in the sources."""
    package = Path(__file__).resolve().parent.parent
    built = package / "examples"
    return (built if built.is_dir() else package.parent / "examples") / "guests" / EXAMPLE


def _renamed(text: str, name: str) -> str:
    return text.replace(EXAMPLE, name).replace(EXAMPLE.title(), name.title())
