"""The systems Retold plays: a folder each, found by its name, and loaded when somebody first asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from journal.games import OURS
from journal.system import System


class _Systems(Mapping[str, System]):
    """Every system by its name; who looks one up loads that one, and who looks at all of them, all."""

    def __init__(self) -> None:
        self._loaded: dict[str, System] = {}

    def __getitem__(self, name: str) -> System:
        if name not in self._loaded:
            if name not in OURS:
                raise KeyError(name)
            self._loaded[name] = getattr(import_module(f"{__name__}.{name}"), name.upper())
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in OURS

    def __iter__(self) -> Iterator[str]:
        return iter(OURS)

    def __len__(self) -> int:
        return len(OURS)

    def loaded_first(self) -> tuple[str, ...]:
        """Every name, those that cost nothing to ask any more before the others."""
        return tuple(sorted(OURS, key=lambda name: name not in self._loaded))


SYSTEMS = _Systems()
"""Every system by its name."""
