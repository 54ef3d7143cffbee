"""Contents of a postcard: words, cards, dice, outcome and people's states."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from retold.journal.capabilities import Row
from retold.journal.decks import dice as dice_
from retold.projections.plain.ink import card
from retold.projections.prose.phrases.languages import language
from retold.projections.views.rows import out_of


class Die(NamedTuple):
    """Die on a postcard: number of sides (0 for fudge dice, None if unknown), face, whether it counts."""

    sides: int | None
    face: int
    counts: bool = True

    @property
    def shown(self) -> str:
        """Face as text: `5`; `+`, `0` or a minus sign for fudge dice."""
        if self.sides == dice_.FUDGE:
            return {-1: "−", 0: "0", 1: "+"}.get(self.face, str(self.face))  # noqa: RUF001 -- a visible sign
        return str(self.face)


class Fallen(Struct, frozen=True):
    """Cards drawn or dice thrown at once by one person; `who` is empty without a particular person."""

    who: str = ""
    cards: tuple[str, ...] = ()
    dice: tuple[Die, ...] = ()

    def told(self) -> str:
        """Returns cards or dice as text: `Ana: J♥, 5`."""
        lies = ", ".join((*map(card, self.cards), *(die.shown for die in self.dice)))
        return f"{self.who}: {lies}" if self.who else lies


class PersonState(Struct, frozen=True):
    """State of a person, thing or ownerless clock: counters (`rows`), dice or words."""

    name: str
    rows: tuple[Row, ...] = ()
    dice: tuple[int, ...] = ()
    said: str = ""
    out: bool = False

    def told(self) -> str:
        """Returns the state as text: `Ana (out): stress 2/6, dice 3 5`."""
        stands = [_stands(row, self.name) for row in self.rows]
        if self.dice:
            stands.append(f"dice {' '.join(map(str, self.dice))}")
        if self.said:
            stands.append(self.said)
        return f"{self.name}{' (out)' if self.out else ''}: {', '.join(stands)}"


class Postcard(Struct, frozen=True):
    """Contents of a postcard: one event as seen by one viewer; empty fields are left out.

    `words` follow their `label` (the speaker); if the event is untold, `heading` is True, and `words` hold a
    title of its session, scene or conflict.
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
        """Campaign, session and scene, joined by ` · `; the words if these are empty."""
        return " · ".join(filter(None, (self.campaign, self.where))) or self.words

    def told(self) -> Iterator[str]:
        """Yields sentences with the postcard's contents, without its title."""
        yield f"{self.label}{language(self.lang).colon} {self.words}" if self.label else self.words
        yield from (fallen.told() for fallen in self.fell)
        if self.came:
            yield self.came
        yield from (person.told() for person in self.stands)

    def spelled(self, spell: Callable[[str], str]) -> Postcard:
        """Returns a copy with the function `spell` applied to each text."""
        found: Postcard = _spelled(self, spell)
        return replace(found, id=self.id, lang=self.lang)


def _stands(row: Row, name: str) -> str:
    value = "; ".join(filter(None, row.words)) or out_of(row.value, row.most)
    return value if row.what == name else f"{row.what} {value}"


def _spelled(value: Any, spell: Callable[[str], str]) -> Any:  # noqa: ANN401 -- a card contains any type
    if type(value) is str:
        return spell(value)
    if isinstance(value, Struct):
        fields = {name: _spelled(getattr(value, name), spell) for name in value.__struct_fields__}
        return replace(value, **fields)
    if isinstance(value, tuple):
        parts = [_spelled(part, spell) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value
