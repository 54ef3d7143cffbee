"""Aspects in play, compels, and the fate points they cost and pay."""

from __future__ import annotations

from collections.abc import Mapping

from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.options import NAME
from journal.systems.edgerunner.state.found import ours, own, play
from journal.systems.edgerunner.state.rolls import Finding
from journal.systems.edgerunner.state.shelf import Aspect, Offer
from journal.table import Handler, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event


def _aspect_placed(table: Table, event: g.AspectPlaced) -> None:
    own(table).put(Aspect(event.aspect, event.on, event.wording, by=event.by), event.free, event.by)
    own(table).aspects[event.aspect].boxes = event.free
    own(table).aspects[event.aspect].shifts = event.shifts
    own(table).aspects[event.aspect].maneuvered = event.how == "maneuver"
    own(table).aspects[event.aspect].conflict = event.conflict
    if event.how == "declaration":
        _declared(table, event)


def _found(table: Table, event: g.FreeInvokesGained | g.AssessmentFailed) -> None:
    """An assessment outside any conflict may still be changed."""
    if event.conflict is None:
        own(table).finding = Finding(
            who=event.who,
            skill=None,
            level=0,
            rolled=True,
            shifts=event.shifts,
            assessed=True,
            aspect=event.aspect,
            on=event.on,
            wording=event.wording,
            free=event.free if isinstance(event, g.FreeInvokesGained) else 0,
        )


def _declared(table: Table, event: g.AspectPlaced | g.DeclarationFailed) -> None:
    """A declaration may still be changed, whether there is such an aspect now or not."""
    shelf, there = own(table), isinstance(event, g.AspectPlaced)
    by = event.by if isinstance(event, g.AspectPlaced) else None
    shelf.finding = Finding(
        who=by or GM,
        skill=None,
        level=0,
        rolled=True,
        shifts=event.shifts or 0,
        assessed=False,
        aspect=event.aspect if isinstance(event, g.AspectPlaced) else shelf.next_aspect(table, event.on),
        on=event.on,
        wording=event.wording,
        free=event.free if isinstance(event, g.AspectPlaced) else 0,
        there=there,
        alone=by is None,
    )


def _finding_stands(table: Table, event: g.FindingStands) -> None:
    """What was found is there or not, with as many free invokes as it has now."""
    shelf = own(table)
    finding = shelf.finding
    before = 0 if finding is None else finding.free
    if event.there and event.aspect not in shelf.aspects:
        shelf.put(Aspect(event.aspect, event.on, event.wording, by=event.who), 0, event.who)
    if not event.there:
        shelf.aspects.pop(event.aspect, None)
    aspect = shelf.aspects.get(event.aspect)
    if aspect is not None:
        aspect.free[event.who] = max(0, aspect.free.get(event.who, 0) + event.free - before)
        if event.how == "declaration":
            aspect.boxes, aspect.shifts = event.free, event.shifts
    if finding is not None:
        finding.shifts, finding.free, finding.there = event.shifts, event.free, event.there


def _aspect_removed(table: Table, event: g.AspectRemoved) -> None:
    own(table).aspects.pop(event.aspect, None)


def _free_invokes_gained(table: Table, event: g.FreeInvokesGained) -> None:
    aspect = own(table).aspects[event.aspect]
    aspect.free[event.who] = aspect.free.get(event.who, 0) + event.free
    _found(table, event)


def _free_invokes_lapsed(table: Table, event: g.FreeInvokesLapsed) -> None:
    own(table).aspects[event.aspect].free.clear()


def _fate_point_paid(table: Table, event: g.FatePointPaid) -> None:
    shelf = own(table)
    for player, change in ((event.payer, -event.points), (event.payee, event.points)):
        if player:
            shelf.purses[player] = shelf.held(player) + change


def _refreshed(table: Table, event: g.Refreshed) -> None:
    shelf = own(table)
    shelf.felled.clear()
    shelf.purses = dict.fromkeys({*shelf.purses, *shelf.seats.values()}, event.points)
    if event.stress:
        shelf.marks.clear()


def _offers(table: Table, conflict: int | None) -> list[Offer] | None:
    """The compels this event is about; None where they are not ours."""
    if conflict is None:
        return own(table).offers if NAME in table.shelves else None
    here = ours(table, conflict)
    return None if here is None else play(here).offers


def _compel_offered(table: Table, event: e.CompelOffered) -> None:
    offers = _offers(table, event.conflict)
    if offers is not None:
        wording = event.aspect
        held = own(table).aspects.values()
        found = [one.id for one in held if one.wording == wording]
        on_them = [one.id for one in held if one.wording == wording and one.on == event.who]
        meant = (on_them or found or [0])[0] if event.which is None else event.which
        offers.append(Offer(event.who, meant, event.by))


def _compel_accepted(table: Table, event: e.CompelAccepted) -> None:
    """One story is enough: whatever else was offered them lapses."""
    offers = _offers(table, event.conflict)
    if offers:
        offers[:] = [offer for offer in offers if offer.who != event.who]


def _compel_refused(table: Table, event: e.CompelRefused) -> None:
    offers = _offers(table, event.conflict)
    if offers:
        offers.remove(next(offer for offer in offers if offer.who == event.who))


HANDLERS: Mapping[type[Event], Handler] = {
    e.CompelOffered: _compel_offered,
    e.CompelAccepted: _compel_accepted,
    e.CompelRefused: _compel_refused,
    g.Refreshed: _refreshed,
    g.AspectPlaced: _aspect_placed,
    g.DeclarationFailed: _declared,
    g.AssessmentFailed: _found,
    g.FindingStands: _finding_stands,
    g.AspectRemoved: _aspect_removed,
    g.FreeInvokesGained: _free_invokes_gained,
    g.FreeInvokesLapsed: _free_invokes_lapsed,
    g.FatePointPaid: _fate_point_paid,
}
