"""Wreckers: a guest of the tests with a function behind every door, each of which can be made to fail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from retold.game import (
    Command,
    Count,
    Fact,
    InOrder,
    Offer,
    OpenConflict,
    Option,
    Outlook,
    OwnRoll,
    Person,
    Question,
    Refused,
    SheetKey,
    Situation,
    Suggestion,
    System,
    Table,
    Text,
    commands,
    events,
    sheet_reader,
)
from tests.guests.wreckers.events import EVOLVE, NAME, PLACE, Shelf, Swum
from tests.guests.wreckers.planted import answer, door


class Swim(Command):
    """Swim for the wreck; the lungs of a sheet are counted down."""

    verb: ClassVar[str] = "swim"
    form: ClassVar[str] = "NAME:who [: text]"
    example: ClassVar[str] = "swim Ada: Under the hull."
    who: Person
    text: Text = None

    @classmethod
    def from_version(cls, version: int, fields: dict[str, Any]) -> dict[str, Any]:
        """The same fields."""
        door("from_version")
        return super().from_version(version, fields)


def _swim(situation: Situation, command: Swim) -> list[Any]:
    door("decide")
    left = PLACE.play(situation.here).air.get(command.who, 3) - 1
    return [Swum(conflict=situation.here.id, who=command.who, left=left, text=command.text)]


def _open(_situation: Situation, opened: events.ConflictOpened) -> list[Any]:
    door("open")
    return [opened]


def _close(_situation: Situation, _how: str) -> list[Any]:
    door("close")
    return []


def _join(_situation: Situation, joined: events.Joined) -> list[Any]:
    door("join")
    return [joined]


def _leave(_situation: Situation, left: events.Left) -> list[Any]:
    door("leave")
    return [left]


def _chosen(_situation: Situation, _option: events.OptionSet) -> list[Any]:
    door("chosen")
    return []


def _answer(_situation: Situation, _ruling: events.RulingMade) -> list[Any]:
    door("answer")
    return []


def _set_number(_situation: Situation, _ruling: events.RulingMade) -> list[Any]:
    door("set_number")
    raise Refused("Nothing is set here.")


def _turn(_table: Table, conflict: OpenConflict) -> str:
    door("turn")
    return f"{len(PLACE.play(conflict).air)} in the water"


def _count(_conflict: OpenConflict) -> Count | None:
    door("count")
    return Count("tide", 1)


def _order(_table: Table, conflict: OpenConflict) -> tuple[InOrder, ...]:
    door("order")
    return tuple(InOrder(who, None, now=False, next=False, acted=False, out=False) for who in conflict.people)


def _pending(_table: Table, conflict: OpenConflict) -> tuple[Question, ...]:
    door("pending")
    return (Question("wreck", "Whose is the wreck?", conflict.people, conflict.id, blocks=False),)


def _outlook(situation: Situation) -> Outlook | None:
    door("outlook")
    if situation.conflict is None:
        return None
    swims = (Offer(who, Swim(who=who), "one breath less") for who in situation.here.people)
    return Outlook(situation.here.id, ("The tide waits.",), tuple(swims))


def _rolls(_situation: Situation, who: int) -> Iterator[OwnRoll]:
    door("rolls")
    yield OwnRoll(who, commands.Roll(who=who, dice="1d6"), "lungs")


def _answers(name: str, value: object) -> Any:  # noqa: ANN401 -- a function with any result
    return lambda *_: answer(name, value)


SHEET = (SheetKey("lungs", "breaths", "lungs=3", 1, 9),)
_read_sheet = sheet_reader(SHEET)


def _sheet(key: str, value: str) -> tuple[str, int | str]:
    door("read_sheet")
    return _read_sheet(key, value)


def _upcast(old: dict[str, Any]) -> dict[str, Any]:
    door("upcast")
    return {"left": 3, **old}


def _lungs(table: Table, _conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    door("facts")
    return (str(PLACE.shelf(table).swims.get(who or 0, 0)),)


SYSTEM = System(
    name=NAME,
    title="Wreckers",
    about="who reaches the wreck before the tide",
    commands=(Swim,),
    events=(Swum,),
    decide={Swim: _swim},
    evolve=EVOLVE,
    shelf=Shelf,
    open=_open,
    close=_close,
    join=_join,
    leave=_leave,
    chosen=_chosen,
    session=_answers("session", []),
    answer=_answer,
    set_number=_set_number,
    turn=_turn,
    count=_count,
    order=_order,
    pending=_pending,
    outlook=_outlook,
    rolls=_rolls,
    suggest=_answers("suggest", (Suggestion("Ada"),)),
    sheet=SHEET,
    read_sheet=_sheet,
    fits=_answers("fits", None),
    knows=_answers("knows", value=True),
    number=_answers("number", None),
    seals=_answers("seals", value=False),
    plays=_answers("plays", value=True),
    waiting=_answers("waiting", ()),
    reminds=_answers("reminds", ()),
    doubts=_answers("doubts", ()),
    titled=_answers("titled", "Wreckers"),
    page=_answers("page", None),
    things=_answers("things", {"hull": ()}),
    shorthands=_answers("shorthands", {}),
    moves=_answers("moves", ()),
    pack=_answers("pack", ()),
    options=(Option("tide", ("low", "high"), "low", "the tide"),),
    facts={"swims": Fact(True, _lungs, "how often somebody swam")},
    upcasts={"wreckers.swum": ("wreckers.swum@2", _upcast)},
)
