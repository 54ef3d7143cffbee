"""Aspects in play, compels, and the fate points they cost and pay."""

from __future__ import annotations

from collections.abc import Mapping

from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.state.found import NAME, ours, own, play
from journal.systems.edgerunner.state.shelf import Aspect, Offer
from journal.table import Handler, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def _aspect_placed(table: Table, event: g.AspectPlaced) -> None:
    own(table).put(Aspect(event.aspect, event.on, event.wording, by=event.by), event.free, event.by)
    own(table).aspects[event.aspect].boxes = event.free
    own(table).aspects[event.aspect].shifts = event.shifts
    own(table).aspects[event.aspect].maneuvered = event.how == "maneuver"
    own(table).aspects[event.aspect].conflict = event.conflict


def _aspect_removed(table: Table, event: g.AspectRemoved) -> None:
    own(table).aspects.pop(event.aspect, None)


def _free_invokes_gained(table: Table, event: g.FreeInvokesGained) -> None:
    aspect = own(table).aspects[event.aspect]
    aspect.free[event.who] = aspect.free.get(event.who, 0) + event.free


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
        meant = (on_them or found or [0])[0] if event.about is None else event.about
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


def _nothing(table: Table, event: Event) -> None:
    """The event changes nothing a later command asks about."""


HANDLERS: Mapping[type[Event], Handler] = {
    e.CompelOffered: _compel_offered,
    e.CompelAccepted: _compel_accepted,
    e.CompelRefused: _compel_refused,
    g.Refreshed: _refreshed,
    g.AspectPlaced: _aspect_placed,
    g.DeclarationFailed: _nothing,
    g.AssessmentFailed: _nothing,
    g.AspectRemoved: _aspect_removed,
    g.FreeInvokesGained: _free_invokes_gained,
    g.FreeInvokesLapsed: _free_invokes_lapsed,
    g.FatePointPaid: _fate_point_paid,
}
