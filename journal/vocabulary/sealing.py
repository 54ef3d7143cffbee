"""What somebody means to do, shut into one text, so that a body holds no more of it than its commitment."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, NamedTuple, Self

from journal.vocabulary.base import Person, Words
from journal.vocabulary.commands import Data, Declare

_SEALED: Final = r"(?s)(?P<act>\w*)(?: (?P<target>[0-9]+))?(?:: (?P<text>.*))?"


class Meant(NamedTuple):
    """An act, whom it is about by id, and the words that go with it; the act is empty for words alone."""

    act: str
    target: int | None = None
    text: Words | None = None


def seal(meant: Meant) -> Words:
    """What is meant as one text, such as `engage 3: He is mine.`; people by id, to outlive their names."""
    target = "" if meant.target is None else f" {meant.target}"
    text = "" if meant.text is None else f": {meant.text}"
    return Words(f"{meant.act}{target}{text}")


def unseal(sealed: Words) -> Meant | None:
    """What is meant; None where the text was redacted, or nobody sealed it here."""
    found = None if sealed.text is None else re.fullmatch(_SEALED, sealed.text)
    if found is None:
        return None
    target, text = found["target"], found["text"]
    return Meant(found["act"], None if target is None else int(target), None if text is None else Words(text))


def with_person_ids(sealed: Words, person: Callable[[int], int]) -> Words:
    """The same sealed text with whom it is about under another id."""
    meant = unseal(sealed)
    if meant is None or meant.target is None:
        return sealed
    return seal(meant._replace(target=person(meant.target)))


class DeclareSealed(Declare):
    """A declaration of an act that may be face down; a game with such acts makes its `declare` from it."""

    hideable: ClassVar[bool] = False
    act: Data | None = None
    target: Person | None = None
    sealed: Words | None = None

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Self:
        """As any command; `--sealed` shuts act, target and text into one sealed text, none of them open."""
        if fields.get("sealed") is not True:
            return super().of(fields)
        meant = Meant(fields.get("act") or "", fields.get("target"), fields.get("text"))
        left = {key: value for key, value in fields.items() if key not in Meant._fields}
        return super().of({**left, "sealed": seal(meant)})
