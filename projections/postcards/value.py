"""What stands on a card of a moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from journal.capabilities import Row
from journal.decks import dice as dice_
from projections.plain.ink import card
from projections.views.rows import out_of


class Die(NamedTuple):
    """A die as it lies there: its sides (0 of a fudge die, None where nobody says), and whether it counts."""

    sides: int | None
    face: int
    counts: bool = True

    @property
    def shown(self) -> str:
        """What is read off it."""
        if self.sides == dice_.FUDGE:
            return {-1: "−", 0: "0", 1: "+"}.get(self.face, str(self.face))  # noqa: RUF001 -- a sign to be seen
        return str(self.face)


class Fallen(Struct, frozen=True):
    """Cards somebody drew, or dice that were thrown or put forward; nobody's where `who` is empty."""

    who: str = ""
    cards: tuple[str, ...] = ()
    dice: tuple[Die, ...] = ()

    def told(self) -> str:
        """The same in words."""
        lies = ", ".join((*map(card, self.cards), *(one.shown for one in self.dice)))
        return f"{self.who}: {lies}" if self.who else lies


class PersonState(Struct, frozen=True):
    """How somebody, a thing, or what is nobody's stands: rows, the dice before them, or a few words."""

    name: str
    rows: tuple[Row, ...] = ()
    dice: tuple[int, ...] = ()
    said: str = ""
    out: bool = False

    def told(self) -> str:
        """The same in words."""
        stands = [_stands(one, self.name) for one in self.rows]
        if self.dice:
            stands.append(f"dice {' '.join(map(str, self.dice))}")
        if self.said:
            stands.append(self.said)
        return f"{self.name}{' (out)' if self.out else ''}: {', '.join(stands)}"


class Postcard(Struct, frozen=True):
    """One moment as one viewer may know it.

    `words` are whoever's they are, after their `label`; where nobody told it they are the `heading` it
    stands under. What has nothing to say is empty.
    """

    id: str
    campaign: str
    where: str
    words: str
    label: str = ""
    heading: bool = False
    slanted: bool = False
    fell: tuple[Fallen, ...] = ()
    came: str = ""
    stands: tuple[PersonState, ...] = ()
    lang: str = "en"

    @property
    def title(self) -> str:
        """What it is called: the campaign, and where in it that was."""
        return " · ".join(filter(None, (self.campaign, self.where))) or self.words

    def told(self) -> Iterator[str]:
        """All that stands on it under its title, in sentences."""
        yield f"{self.label}: {self.words}" if self.label else self.words
        yield from (one.told() for one in self.fell)
        if self.came:
            yield self.came
        yield from (one.told() for one in self.stands)

    def spelled(self, spell: Callable[[str], str]) -> Postcard:
        """The same with all that is written on it spelled otherwise."""
        found: Postcard = _spelled(self, spell)
        return replace(found, id=self.id, lang=self.lang)


def _stands(row: Row, name: str) -> str:
    said = "; ".join(filter(None, row.words)) or out_of(row.value, row.most)
    return said if row.what == name else f"{row.what} {said}"


def _spelled(value: Any, spell: Callable[[str], str]) -> Any:  # noqa: ANN401 -- whatever a card is made of
    if type(value) is str:
        return spell(value)
    if isinstance(value, Struct):
        told = {name: _spelled(getattr(value, name), spell) for name in value.__struct_fields__}
        return replace(value, **told)
    if isinstance(value, tuple):
        parts = [_spelled(one, spell) for one in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value
