"""Parsing of the keys and values on a sheet, by a game's list of allowed keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from retold.journal.names import either, normalise
from retold.journal.refused import Refused
from retold.journal.system import SheetKey

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,4}")
_PREFIXED: Final = re.compile(r"(?P<prefix>.+\.)[A-Z]+")
ANY: Final = "NAME"
"""Key of the row for names that no other row has."""

SheetReader = Callable[[str, str], tuple[str, int | str]]


def whole(typed: str) -> int | None:
    """Returns the whole number in `typed`, with up to four digits and maybe a sign; None for other text."""
    return int(typed) if _WHOLE.fullmatch(typed) else None


def sheet_reader(keys: Sequence[SheetKey]) -> SheetReader:
    """Returns a parser for sheet entries: from a key and a typed value to the stored key and value.

    `keys` lists the game's allowed keys. A typed key is compared with whole keys (`tl`), then with prefixes
    (`skill.NAME`). Any other key is allowed only if `keys` has a row `NAME`, which accepts any name. Where a
    row's `same_as` says so, the key is stored without its prefix. The parser raises Refused for an unknown
    key, for a prefix without a name, and for a value that is not allowed.
    """
    whole_keys = {row.key: row for row in keys if not _PREFIXED.fullmatch(row.key)}
    prefixes = {found["prefix"]: row for row in keys if (found := _PREFIXED.fullmatch(row.key))}

    def row_of(key: str) -> tuple[SheetKey, str]:
        if key != ANY and key in whole_keys:
            return whole_keys[key], key
        for prefix, row in prefixes.items():
            if key.startswith(prefix):
                return row, key.removeprefix(prefix)
        if ANY not in whole_keys:
            raise Refused(f"There is no {key} on a sheet; it has {', '.join(row.key for row in keys)}.")
        return whole_keys[ANY], key

    def read(key: str, value: str) -> tuple[str, int | str]:
        row, name = row_of(key)
        if not name:
            raise Refused(f"{key} has no name: write it like {row.example}.")
        dropped = row.same_as and row_of(name)[0].key in row.same_as
        return name if dropped else key, _value(row, key, name, value)

    return read


def _value(row: SheetKey, key: str, name: str, typed: str) -> int | str:
    if row.read is not None:
        return row.read(name, typed)
    if row.words:
        if normalise(typed) in row.words:
            return normalise(typed)
        raise _refused(row, key, name, typed)
    number = whole(typed)
    least, most = row.least, row.most
    if number is None or (least is not None and number < least) or (most is not None and number > most):
        raise _refused(row, key, name, typed)
    return number


def _refused(row: SheetKey, key: str, name: str, value: str) -> Refused:
    sentence = row.refusal or "{key} is {takes}, not {value}."
    words = either(row.words) if row.words else ""
    numbers = {"least": row.least, "most": row.most}
    return Refused(sentence.format(key=key, name=name, value=value, takes=row.takes, words=words, **numbers))
