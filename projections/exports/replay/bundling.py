"""Bundles: one script made of a module and all that it imports."""

from __future__ import annotations

import re
from collections.abc import Callable
from graphlib import TopologicalSorter
from typing import Final
from urllib.parse import urljoin

_IMPORT: Final = re.compile(r'^import (?P<names>\{[^}]*\}) from "(?P<address>[^"]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:class|const|(?:async )?function) (?P<name>\w+))", re.MULTILINE)
_COMMENT: Final = re.compile(r"^[ \t]*(?:/\*.*?\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
_INDENT: Final = re.compile(r"^[ \t]+", re.MULTILINE)


def bundled(opening: str, source: Callable[[str], str]) -> str:
    """Returns one script of the module at the address `opening` and its imports, without comments.

    `source` gives the text of a module by its address. Names of one module are unknown in the others.
    """
    sources: dict[str, str] = {}
    needs: dict[str, list[str]] = {}
    asked = [opening]
    while asked:
        address = asked.pop()
        if address not in sources:
            sources[address] = source(address)
            needs[address] = [urljoin(address, one["address"]) for one in _IMPORT.finditer(sources[address])]
            asked += needs[address]
    order = TopologicalSorter({address: sorted(needs[address]) for address in sorted(needs)}).static_order()
    names = {address: f"_{number}" for number, address in enumerate(order)}

    def imported(found: re.Match[str]) -> str:
        return (
            f"const {found['names'].replace(' as ', ': ')} = {names[urljoin(address, found['address'])]};\n"
        )

    made = ""
    for address, name in names.items():
        text = _IMPORT.sub(imported, sources[address])
        exports = ", ".join(one["name"] for one in _EXPORT.finditer(text))
        bare = squeezed(_EXPORT.sub("", text))
        made += (
            bare
            if address == opening
            else f"const {name} = (() => {{\n{bare}return {{ {exports} }};\n}})();\n"
        )
    return made


def squeezed(text: str) -> str:
    """Returns a script or a style without documenting comments and indentation."""
    return _INDENT.sub("", _COMMENT.sub("", text))
