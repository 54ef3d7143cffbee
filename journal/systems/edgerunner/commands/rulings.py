"""What waits for the table, and what comes of the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from journal.names import owning, quoted
from journal.refused import Refused
from journal.shared.conflicts import FEWEST_SIDES
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.ahead import conclude
from journal.systems.edgerunner.commands.numbers import border_threshold, struck_out
from journal.systems.edgerunner.commands.standing import here, standing
from journal.systems.edgerunner.options import NAME, chosen
from journal.systems.edgerunner.rules import Act, Marking
from journal.systems.edgerunner.state import Border, Offer, Owed, play, shelf
from journal.table import OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event, Question

OUT: Final = "out"
"""The answer where strain finds no box."""

AS_IT_WAS: Final = "as-it-was"
"""The answer where a border that was taken out is not drawn anew."""


def pending(table: Table, conflict: OpenConflict) -> tuple[Question, ...]:
    """Everything this conflict leaves to the table, what stops play first."""
    asked = (_compel, _strain, _threshold, _tale, _spin, _bid, _border)
    return tuple(question for ask in asked for question in ask(table, conflict))


# --- questions --------------------------------------------------------------------------------------------


def waiting(table: Table) -> tuple[Question, ...]:
    """What is open beside the conflicts: compels in the order they came, and the strain of upgrades."""
    own = shelf(table)
    busy = {who for one in table.conflicts.values() if one.system == NAME for who in one.people}
    compels = [Question("compel", _asked(table, offer), (), None, blocks=False) for offer in own.offers]
    strains = [
        Question("strain", _due(table, who, owed), (), None, blocks=False)
        for who, owed in own.owed.items()
        if who not in busy
    ]
    return (*compels, *strains)


def _compel(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    for offer in play(conflict).offers[:1]:
        yield Question("compel", _asked(table, offer), (), conflict.id)


def _asked(table: Table, offer: Offer) -> str:
    aspect = shelf(table).aspects.get(offer.aspect)
    story = "" if aspect is None else f" by “{aspect.wording}”"
    name, by = table.name(offer.who), table.shown(offer.by, "The game master")
    return f"{by} compels {name}{story}: accept {quoted(name)}, or refuse {quoted(name)}."


def _strain(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    for who, owed in _strained(table, conflict):
        answers = () if _finds_a_box(table, who, owed) else (OUT,)
        yield Question("strain", _due(table, who, owed, answers), answers, conflict.id)
        return


def _due(table: Table, who: int, owed: Owed, answers: tuple[str, ...] = ()) -> str:
    name, due = table.name(who), f"{owed.left} {owed.track} stress for {owed.upgrade}"
    if answers:
        return f"{name} has {due} to take, and it finds no box: a consequence takes it, or {name} is out."
    return f"{name} has {due} to take: resist {quoted(name)} {owed.track} {owed.left}."


def _strained(table: Table, conflict: OpenConflict) -> Iterator[tuple[int, Owed]]:
    """Who in this conflict owes stress for an upgrade."""
    yield from ((who, owed) for who, owed in shelf(table).owed.items() if who in conflict.people)


def _finds_a_box(table: Table, who: int, owed: Owed) -> bool:
    own, marking = shelf(table), chosen.kind(table, "stress_marking", Marking)
    boxes = rules.mark(owed.left, own.marked(who, owed.track), own.threshold(who, owed.track), marking)
    return boxes is not None


def _threshold(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    border = _attacked(conflict)
    if border is not None and border.threshold is None and border.defence is None:
        asked = f"What can the border {border.name} take? The referee says: ruling threshold=4: what it is."
        yield Question("threshold", asked, (), conflict.id)


def _attacked(conflict: OpenConflict) -> Border | None:
    """The border that is attacked now, if one is."""
    act = play(conflict).act
    if act is None or act.act is not Act.ATTACK or act.about is not None or not isinstance(act.target, str):
        return None
    return play(conflict).border_named(act.target)


def _tale(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    for tale in play(conflict).tales:
        out, by = table.name(tale.on), table.name(tale.by)
        asked = f"{out} is taken out, and {by} tells what becomes of them: narrate {by}: how it ends."
        yield Question("tale", asked, (), conflict.id, blocks=_is_decided(table, conflict))
        return


def _is_decided(table: Table, conflict: OpenConflict) -> bool:
    """True once only one side stands: nothing is left but to tell the end."""
    return sum(bool(standing(table, conflict, side)) for side in conflict.sides) < FEWEST_SIDES


def _spin(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    state = play(conflict)
    if state.spins_loose and state.spins_by is not None:
        mover, spins = table.name(state.spins_by), state.spins_loose
        asked = f"{owning(mover)} move gives the other side {spins} spin: who holds it?"
        yield Question("spin", asked, _facing(conflict, state.spins_by), conflict.id)


def _facing(conflict: OpenConflict, mover: int) -> tuple[int, ...]:
    """Everybody of the other sides who is not taken out."""
    side, out = conflict.side_of(mover), play(conflict).out
    return tuple(who for who in conflict.people if conflict.side_of(who) != side and who not in out)


def _bid(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    tied = rules.highest_bid(play(conflict).tied)
    if tied:
        names = " and ".join(map(table.name, tied))
        yield Question(
            "bid", f"{names} bid the same: who acts first? (Or they bid again.)", tied, conflict.id
        )


def _border(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    for name, by in play(conflict).broken.items():
        border = _broken(conflict, name)
        drawn = f"map {border.one} 1 {border.other}"
        asked = f"The border {name} is taken out: what is it now? {table.name(by)} says ({drawn})."
        yield Question("border", asked, (AS_IT_WAS,), conflict.id, blocks=False)
        return


def _broken(conflict: OpenConflict, name: str) -> Border:
    border = play(conflict).border_named(name)
    assert border is not None  # noqa: S101 -- what was taken out is on the map
    return border


# --- answers ----------------------------------------------------------------------------------------------


def answer(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """What an answered question frees; Refused for what a verb of its own answers."""
    return ANSWERS[ruling.question or ""](situation, ruling)


def _by_its_verb(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    questions = pending(situation.table, situation.here)
    asked = next(question.asked for question in questions if question.name == ruling.question)
    raise Refused(f"A ruling does not answer that. {asked}")


def _first(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    assert isinstance(ruling.answer, int)  # noqa: S101 -- the answers are people
    bids = tuple(g.Bid(who=who, shifts=shifts) for who, shifts in here(situation).tied.items())
    return [g.TurnClaimed(conflict=situation.here.id, who=ruling.answer, bids=bids)]


def _holder(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    state = here(situation)
    assert isinstance(ruling.answer, int)  # noqa: S101 -- the answers are people
    assert state.spins_by is not None  # noqa: S101 -- or nobody had asked
    return [
        g.SpinGained(
            conflict=situation.here.id, who=state.spins_by, holder=ruling.answer, spins=state.spins_loose
        )
    ]


def _what_it_takes(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    border = _attacked(situation.here)
    assert border is not None  # noqa: S101 -- or nobody had asked
    return [border_threshold(situation, border, str(ruling.answer))]


def _no_box(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    who, owed = next(_strained(situation.table, situation.here))
    if ruling.answer != OUT or _finds_a_box(situation.table, who, owed):
        return _by_its_verb(situation, ruling)
    return conclude(situation, [struck_out(situation, who)])


def _stays(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """The border is drawn as it was, both ways."""
    del ruling
    border = _broken(situation.here, next(iter(here(situation).broken)))
    drawn = [g.BorderDrawn(one=border.one, other=border.other, passes=border.there)]
    if border.back is not None:
        drawn.append(g.BorderDrawn(one=border.other, other=border.one, passes=border.back))
    return [g.ZonesMapped(conflict=situation.here.id, zones=(), borders=tuple(drawn))]


ANSWERS: Mapping[str, Callable[[Situation, e.RulingMade], list[Event]]] = {
    "compel": _by_its_verb,
    "strain": _no_box,
    "threshold": _what_it_takes,
    "tale": _by_its_verb,
    "spin": _holder,
    "bid": _first,
    "border": _stays,
}
"""What the answer to each question comes to."""
