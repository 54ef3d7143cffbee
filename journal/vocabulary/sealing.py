"""Sealed choices: acts declared face down, stored as a commitment (a hash), and revealed together later."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar, Final, NamedTuple, Self

from retold.journal.vocabulary.base import Id, InConflict, Person, PersonInConflict, Words
from retold.journal.vocabulary.commands import Data, Declare

_SEALED: Final = r"(?s)(?P<act>\w*)(?: (?P<target>[0-9]+))?(?:: (?P<text>.*))?"


class Meant(NamedTuple):
    """Content of a sealed declaration: act, target's id and text; the act is "" for a text alone."""

    act: str
    target: int | None = None
    text: Words | None = None


def seal(meant: Meant) -> Words:
    """Encodes a declaration as one text for sealing, for example `engage 3: He is mine.`.

    The target is written by id, which outlives changed names.
    """
    target = "" if meant.target is None else f" {meant.target}"
    text = "" if meant.text is None else f": {meant.text}"
    return Words(f"{meant.act}{target}{text}")


def unseal(sealed: Words) -> Meant | None:
    """Returns act, target and text of a sealed declaration.

    None if the text was redacted or is not in the format of `seal`.
    """
    found = None if sealed.text is None else re.fullmatch(_SEALED, sealed.text)
    if found is None:
        return None
    target, text = found["target"], found["text"]
    return Meant(found["act"], None if target is None else int(target), None if text is None else Words(text))


def with_person_ids(sealed: Words, person: Callable[[int], int]) -> Words:
    """Returns the sealed text with its target's id replaced by `person(id)`; unchanged without a target."""
    meant = unseal(sealed)
    if meant is None or meant.target is None:
        return sealed
    return seal(meant._replace(target=person(meant.target)))


class DeclareSealed(Declare):
    """Declaration that may be sealed; base class for the `declare` of games with sealed acts."""

    hideable: ClassVar[bool] = False
    act: Data | None = None
    target: Person | None = None
    sealed: Words | None = None

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Self:
        """Creates the command; `sealed=True` encodes act, target and text as one sealed text.

        Raises InvalidShape for an ill-typed field.
        """
        if fields.get("sealed") is not True:
            return super().of(fields)
        meant = Meant(fields.get("act") or "", fields.get("target"), fields.get("text"))
        left = {key: value for key, value in fields.items() if key not in Meant._fields}
        return super().of({**left, "sealed": seal(meant)})


class SealedChoice(PersonInConflict):
    """Event: one person has chosen face down. `who` is public, the choice itself stays sealed.

    Base class: a game's own event adds its `kind` and one field of type `Words`, which holds the choice.
    """

    public: ClassVar[frozenset[str]] = frozenset({"conflict", "who"})

    @property
    def sealed(self) -> Words:
        """The choice as one sealed text; the text is None after a redaction."""
        sealed: Words = getattr(self, words_field(type(self)))
        return sealed


@cache
def words_field(kind: type[SealedChoice]) -> str:
    """Returns the name of the field that holds the sealed text in this event class."""
    (name,) = (key for key in kind.__struct_fields__ if key not in kind.face())
    return name


class ChoicesRevealed(InConflict):
    """Event: the sealed choices of `people` are revealed at once.

    A public event with each person's choice follows in the same act. Base class: a game's own event adds its
    `kind`.
    """

    final: ClassVar[str | None] = "A reveal cannot be undone: the sealed choices have been seen."
    people: tuple[Id, ...]
