"""Folders with guests installed in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guests.installed import COUNTERPOINT, changed, copied, install


@pytest.fixture(scope="session")
def counterpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with Counterpoint installed in it, as it was first released."""
    folder = tmp_path_factory.mktemp("counterpoint")
    install(copied(COUNTERPOINT, folder / "source"), folder / "site")
    return folder / "site"


_SECOND = """    answer=answer,
    upcasts={
        "counterpoint.sung": ("counterpoint.sung@2", lambda old: _moved(old, "successes", "hits")),
        "counterpoint.choice-sealed": (
            "counterpoint.choice-sealed@2", lambda old: _moved(old, "choice", "song")
        ),
        "counterpoint.choices-revealed": ("counterpoint.choices-revealed@2", lambda old: old),
    },
"""
_MOVED = """

def _moved(old, before, after):
    return {(after if key == before else key): value for key, value in old.items()}


SYSTEM = """


@pytest.fixture(scope="session")
def second(counterpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with a later release, in which three kinds have a second version."""
    changes = [
        ("events.py", '"counterpoint.sung"\n', '"counterpoint.sung"\n    version: ClassVar[int] = 2\n'),
        ("events.py", "    successes: Whole", "    hits: Whole"),
        ("events.py", "event.successes", "event.hits"),
        ("events.py", '-sealed"\n', '-sealed"\n    version: ClassVar[int] = 2\n'),
        ("events.py", "    choice: Words", "    song: Words"),
        ("commands.py", "successes=successes", "hits=successes"),
        ("notation.py", "{successes} successes", "{hits} successes"),
        ("events.py", '-revealed"\n', '-revealed"\n    version: ClassVar[int] = 2\n'),
        ("__init__.py", "    answer=answer,\n", _SECOND),
        ("__init__.py", "\n\nSYSTEM = ", _MOVED),
    ]
    to = tmp_path_factory.mktemp("second") / "site"
    return changed(
        counterpoint, to, [(f"retold_counterpoint/{file}", was, now) for file, was, now in changes]
    )
