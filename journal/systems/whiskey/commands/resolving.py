"""From intents to clashes: who gets through, who is stopped by whom, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from journal.decks import dice
from journal.refused import Refused
from journal.system import Situation
from journal.systems.whiskey import events as w
from journal.systems.whiskey import rules
from journal.systems.whiskey.commands.fighters import pairs_named, ready
from journal.systems.whiskey.commands.pairing import formed, pair_by_hand
from journal.systems.whiskey.commands.spoken import told_by_gm
from journal.systems.whiskey.commands.verbs import Clash
from journal.systems.whiskey.options import chosen
from journal.systems.whiskey.rules import Act, Aims, Fate, Intents, Ring
from journal.systems.whiskey.state import fit, intents, is_pc, play
from journal.table import OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def clash(situation: Situation, command: Clash) -> list[Event]:
    """Intents become clashes, or two are paired by hand; a text is what the game master says of it."""
    sealed = play(situation.here).phase.sealed
    if sealed:
        raise Refused(f"These have sealed what they will try: {situation.names(sealed)}. First: reveal.")
    if command.one is not None and command.other is not None:
        events = pair_by_hand(situation, command.one, command.other)
    else:
        events = _resolve(situation)
    return [*events, *told_by_gm(situation, command.text)]


def _resolve(situation: Situation) -> list[Event]:
    here, phase = situation.here, play(situation.here).phase
    if phase.open:
        raise Refused(f"The clashes are known already: {pairs_named(situation, phase.open)} (check).")
    missing = undeclared(situation.table, here)
    if missing:
        raise Refused(f"These have not declared yet this phase: {situation.names(missing)}.")
    situation.nothing_pending(here)
    meant = intents(situation.table, here)
    aimed = aims(situation.table, here)
    broken, fates = _fates(situation, meant, aimed)
    met = rules.clashes(aimed, fates)
    ready(situation, (who for one in met for who in (one.one, one.other)))
    events: list[Event] = [*broken, *_told(here.id, meant, fates)]
    events += [formed(situation, one.one, one.other, one.attackers) for one in met]
    return events if met else [*events, w.PhaseEnded(conflict=here.id, phase=phase.number)]


def undeclared(table: Table, conflict: OpenConflict) -> tuple[int, ...]:
    """Those who can fight this phase and have not said what they mean to do, openly or face down.

    Nobody waits for somebody secret: they do nothing until they declare.
    """
    phase = play(conflict).phase
    said = {*phase.intents, *phase.sealed, *phase.late}
    return tuple(who for who in fit(table, conflict) if who not in said and table.secret(who) is None)


def aims(table: Table, conflict: OpenConflict) -> Aims:
    """Whom everybody would engage as things stand."""
    return rules.aims(intents(table, conflict), sides(conflict), play(conflict).phase.orders)


def sides(conflict: OpenConflict) -> rules.Sides:
    """Everybody's side."""
    return {person: side[0] for side in conflict.sides for person in side}


def open_ring(table: Table, conflict: OpenConflict) -> Ring | None:
    """A ring from which nobody has been chosen yet, if there is one."""
    found = rules.resolve(aims(table, conflict), play(conflict).phase.broken)
    return found if isinstance(found, Ring) else None


def _fates(situation: Situation, meant: Intents, aimed: Aims) -> tuple[list[Event], dict[int, Fate]]:
    """What becomes of everybody, and the rings broken on the way."""
    events: list[Event] = []
    settled = dict(play(situation.here).phase.broken)
    standing = [who for who, intent in meant.items() if intent.act is Act.STAND]
    while isinstance(found := rules.resolve(aimed, settled, standing), Ring):
        events += _broken(situation, meant, found.members)
        settled[found] = _last_chosen(events)
    return events, found


def _last_chosen(events: Sequence[Event]) -> int:
    last = events[-1]
    assert isinstance(last, w.LoopBroken)  # noqa: S101 -- it is what a broken ring ends with
    return last.who


def _broken(situation: Situation, meant: Intents, ring: Sequence[int]) -> list[Event]:
    """Somebody gets through: the player's character who declared first, or whoever the lot falls on."""
    here = situation.here.id
    players = [who for who in meant if who in ring and is_pc(situation.table, who)]
    if players and chosen(situation.table, "loop_break") == "first_pc":
        return [w.LoopBroken(conflict=here, who=players[0], loop=tuple(ring), how="first_pc")]
    if situation.luck.called and not situation.luck.rest():
        named = situation.names(ring)
        raise Refused(f"The lot falls among {named}: give the face of a d{len(ring)}, counted in this order.")
    (face,) = situation.luck.faces((len(ring),))
    return [
        e.DiceRolled(conflict=here, dice=dice.text((len(ring),)), faces=(face,)),
        w.LoopBroken(conflict=here, who=ring[face - 1], loop=tuple(ring), how="random"),
    ]


def _told(conflict: int, meant: Intents, fates: dict[int, Fate]) -> Iterator[Event]:
    """Why each intent came about, or who stopped it."""
    for who, fate in fates.items():
        act, target = meant[who]
        if fate.succeeded:
            yield w.IntentSucceeded(
                conflict=conflict, who=who, act=act, target=target, why=fate.why, by=fate.by
            )
        else:
            yield w.IntentStopped(conflict=conflict, who=who, act=act, target=target, by=fate.by)
