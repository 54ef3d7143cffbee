"""Objects of JSON logs: fields of any type that a tool wrote, and a second count by brackets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from sys import float_info
from typing import Any, Final, TypeGuard

import msgspec

from retold.journal.refused import Refused

_STRING: Final = r'"(?:[^"\\]++|\\.)*+"'
_BRACKET: Final = re.compile(
    rf'(?:[^"{{}}\[\]]++|{_STRING}(?!\s*+:\s*+[{{\[])|"(?:[^"\\]++|\\.)*+\\?\Z)*+'
    rf"(?:(?P<name>{_STRING})\s*+:\s*+)?(?P<sign>[{{}}\[\]]|\Z)",
    re.DOTALL,
)
"""Next bracket outside of strings, with the name in front of it; most strings name nothing with brackets."""
_MOST: Final = 2
"""Brackets around the objects that are told."""


def around_objects(text: str) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yields for each object with at most two brackets around it those brackets, the outermost first.

    Each has its quoted name, if it has one. The text may be broken.
    """
    around: list[tuple[str, str]] = []
    for found in _BRACKET.finditer(text):
        name, sign = found.groups()
        if sign in ("{", "["):
            if sign == "{" and len(around) <= _MOST:
                yield tuple(around)
            around.append((sign, name or ""))
        elif sign and around:
            around.pop()


_BLANK: Final = re.compile(r"[ \t\r\n]*+")
_HALF: Final = len('"\\u0000')
"""Letters of the longest half of a value that is cut off, but for strings."""


def listed(text: str, start: int, name: str) -> Iterator[tuple[object, str]]:
    """Yields the items of the list that opens before `start`, each with its text.

    The half of an item at the end of a text that is cut off comes without a value. Raises Refused where the
    file `name` is damaged, or nested too deeply.
    """
    decoder = json.JSONDecoder(strict=False, parse_constant=lambda _: None)
    at = _behind_blanks(text, start)
    while at < len(text) and text[at] != "]":
        try:
            value, after = decoder.raw_decode(text, at)
        except RecursionError:
            raise Refused(f"{name} is nested too deeply to be a log.") from None
        except ValueError as error:
            where = error.pos if isinstance(error, json.JSONDecodeError) else at
            is_open = isinstance(error, json.JSONDecodeError) and error.msg.startswith("Unterminated string")
            is_half = len(text) - where <= _HALF and "\n" not in text[where:]
            if not (is_open or is_half or not text[where:].strip()):
                raise damaged(text, where, name) from None
            yield None, text[at:]
            return
        yield value, text[at:after]
        at = _behind_blanks(text, after)
        if text[at : at + 1] not in (",", "]", ""):
            raise damaged(text, at, name)
        at = _behind_blanks(text, at + text.startswith(",", at))


def _behind_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def damaged(text: str, at: int, name: str) -> Refused:
    """Refusal of a file whose JSON is broken at a place."""
    line = text.count("\n", 0, at) + 1
    return Refused(f"{name} is no whole JSON: line {line:,} is damaged. Export it again.")


def is_cut(text: str) -> bool:
    """True if a JSON text ends too early; False if it is whole, or broken in another way."""
    try:
        msgspec.json.decode(text, type=msgspec.Raw)
    except msgspec.DecodeError as error:
        return "truncated" in str(error)
    except (RecursionError, UnicodeError):
        return False
    return False


def json_value(text: str | bytes) -> object:
    """Value of a JSON text; None if it is invalid or nested too deeply."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        pass  # halves of surrogate pairs, which msgspec refuses and tools write
    except RecursionError:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def string_in(item: Mapping[str, Any], name: str) -> str:
    """Text of a field; empty if the field is missing or has another type."""
    value = item.get(name)
    return value if isinstance(value, str) else ""


def text_in(item: Mapping[str, Any], name: str) -> str:
    """Text of a field that some tools write as a whole number; empty for another type."""
    value = item.get(name)
    return value if isinstance(value, str) else str(value) if type(value) is int else ""


def object_in(item: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Object of a field; empty if the field is missing or has another type."""
    value = item.get(name)
    return value if isinstance(value, dict) else {}


def list_in(item: Mapping[str, Any], name: str) -> list[Any]:
    """List of a field; empty if the field is missing or has another type."""
    value = item.get(name)
    return value if isinstance(value, list) else []


def objects_in(item: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """Objects in the list of a field, without items of another type."""
    value = item.get(name)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def is_number(value: object) -> TypeGuard[int | float]:
    """True for a finite number that a float can hold."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= float_info.max
