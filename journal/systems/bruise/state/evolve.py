"""How each event changes what Bruise knows."""

from __future__ import annotations

from collections.abc import Mapping

from journal.systems.bruise import events as b
from journal.systems.bruise.options import NAME
from journal.systems.bruise.rules import Potential, Wheel
from journal.systems.bruise.state.decks import gather, hand_of, owner_of, pile_of, put_back, take, throw
from journal.systems.bruise.state.found import narrators, own, play, play_in, shelf
from journal.systems.bruise.state.hands import Hand, Play, Result, Shown
from journal.systems.bruise.state.shelf import Sheet
from journal.table import Handler, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def _sheet_changed(table: Table, event: e.SheetChanged) -> None:
    if event.system != NAME:
        return
    sheet = own(table).sheet(event.person)
    sheet.on_the_wheel = True
    for key, value in event.values.items():
        _set_trait(sheet, key, value)


def _set_trait(sheet: Sheet, key: str, value: int | str | None) -> None:
    if key == "doula":
        sheet.doula = value if isinstance(value, int) else None
        return
    trait = key.removeprefix("meme.")
    sheet.traits.pop(trait, None)
    sheet.memes.discard(trait)
    if isinstance(value, int):
        sheet.traits[trait] = value
        if trait != key:
            sheet.memes.add(trait)


def _opened(table: Table, event: e.ConflictOpened) -> None:
    tied = event.setup.get("tied")
    tied_to = Potential(str(tied)) if tied else None
    table.conflicts[event.conflict].state = Play(began=table.position, tied_to=tied_to)
    for pile in own(table).piles.values():
        gather(pile, table.conflicts)


def _declared(table: Table, event: e.Declared) -> None:
    play_in(table, event.conflict).declared.add(event.who)


def _joined(table: Table, event: e.Joined) -> None:
    state = play_in(table, event.conflict)
    if state.compared:
        state.late.update(event.people)


def _left(table: Table, event: e.Left) -> None:
    """They are out of this turn, and their cards are back; what they won stays won."""
    state = play_in(table, event.conflict)
    for who in event.people:
        for pile in shelf(table).piles.values():
            put_back(pile, hand_of(event.conflict, who))
        for kept in (state.hands, state.called_on, state.shown, state.spent, state.due, state.tied):
            kept.pop(who, None)
        state.declared.discard(who)
        state.late.discard(who)
    state.ties = [tie for tie in state.ties if not {*tie} & {*event.people}]
    conflict = table.conflicts[event.conflict]
    if state.results and len({conflict.side_of(who) for who in state.due}) == 1:
        state.due.clear()  # who was to draw anew against those who went has nobody left to meet


def _traits_assigned(table: Table, event: b.TraitsAssigned) -> None:
    called = [] if event.meme is None else [f"the meme {event.meme}"]
    play_in(table, event.conflict).called_on[event.who] = called


def _cards_drawn(table: Table, event: e.CardsDrawn) -> None:
    state = play_in(table, event.conflict)
    owner = owner_of(event.deck)
    piles = own(table).piles
    pile = piles[owner] = pile_of(table, piles, owner)
    place = hand_of(event.conflict or 0, event.who)
    for card in event.cards:
        take(pile, card, place)
    if event.purpose == "karma":
        state.hands[event.who].cards.extend(event.cards)
    else:
        state.hands[event.who] = Hand(list(event.cards), len(event.cards), owner)
    state.due.pop(event.who, None)


def _karma_spent(table: Table, event: b.KarmaSpent) -> None:
    state = play_in(table, event.conflict)
    state.spent[event.who] = state.spent.get(event.who, 0) + 1
    state.called_on.setdefault(event.who, []).append(f"a point of {event.potential.capitalize()}")
    hand = state.hands[event.who]
    for card in event.discarded:
        hand.cards.remove(card)
        throw(shelf(table).piles[hand.owner], card, event.conflict, event.who)
    sheet = own(table).sheet(event.who)
    sheet.on_the_wheel = True
    sheet.karma[Potential(event.potential)] = event.left


def _quality_declared(table: Table, event: b.QualityDeclared) -> None:
    state = play_in(table, event.conflict)
    state.shown[event.who] = Shown(event.quality, event.quantity)
    state.due.pop(event.who, None)


def _hands_tied(table: Table, event: b.HandsTied) -> None:
    state = play_in(table, event.conflict)
    if not event.redraw:
        state.ties.append((event.one, event.other))
        return
    for person in (event.one, event.other):
        hand = state.hands.pop(person, None)
        state.shown.pop(person, None)
        state.spent.pop(person, None)
        state.due[person] = hand.due if hand else state.due.get(person)
        if hand:
            _throw_all(table, event.conflict, person, hand)


def _throw_all(table: Table, conflict: int, who: int, hand: Hand) -> None:
    for card in hand.cards:
        throw(shelf(table).piles[hand.owner], card, conflict, who)


def _hand_won(table: Table, event: b.HandWon) -> None:
    state = play_in(table, event.conflict)
    beaten = {one.loser for one in state.results if one.winner == event.winner} | {event.loser}
    state.ties = [tie for tie in state.ties if not {*tie} <= {event.winner, *beaten}]
    state.results.append(
        Result(
            event.winner,
            event.loser,
            event.quality,
            event.against,
            event.quantity,
            event.colours,
            event.colours[0] if len(event.colours) == 1 else None,
        )
    )


def _quantity_said(table: Table, event: b.QuantitySaid) -> None:
    for result in play_in(table, event.conflict).results:
        if (result.winner, result.loser) == (event.winner, event.loser):
            result.quantity = event.quantity


def _color_chosen(table: Table, event: b.ColorChosen) -> None:
    for result in play_in(table, event.conflict).results:
        if result.winner == event.who:
            result.colour = event.colour


def _narrated(table: Table, event: e.Narrated) -> None:
    conflict = table.conflicts[event.conflict or 0]
    for result in play(conflict).results:
        if event.who in narrators(table, result.winner):
            result.told = True


def _narration_overruled(table: Table, event: e.NarrationOverruled) -> None:
    """What was struck is to be told anew, in the turn it was told in."""
    conflict, last = table.conflicts[event.conflict or 0], table.narrations.get(event.whose)
    state = play(conflict)
    if event.how == "edit" or event.narration < state.began or last is None or last.conflict != conflict.id:
        return
    for result in state.results:
        if event.whose in narrators(table, result.winner):
            result.told = False


def _conflict_tied(table: Table, event: b.ConflictTied) -> None:
    state = play_in(table, event.conflict)
    potential = Potential(event.potential) if event.potential else None
    if event.people:
        state.tied |= dict.fromkeys(event.people, potential)
    else:
        state.tied_to, state.tied = potential, {}


def _turn_measured(table: Table, event: b.TurnMeasured) -> None:
    play_in(table, event.conflict).length = event.length


def _turn_ended(table: Table, event: b.TurnEnded) -> None:
    conflict = table.conflicts[event.conflict]
    conflict.state = play(conflict).next_turn(table.position)
    elsewhere = table.conflicts.keys() - {event.conflict}
    for pile in shelf(table).piles.values():
        gather(pile, elsewhere)


def _legacy_awarded(table: Table, event: b.LegacyAwarded) -> None:
    own(table).sheet(event.who).legacy = event.total


def _wheel_tilted(table: Table, event: b.WheelTilted) -> None:
    sheet = own(table).sheet(event.who)
    sheet.on_the_wheel = True
    sheet.wheel = Wheel(event.destiny, event.fate)
    sheet.karma = {Potential.DESTINY: event.karma_destiny, Potential.FATE: event.karma_fate}


def _karma_refilled(table: Table, event: b.KarmaRefilled) -> None:
    for person in event.people:
        sheet = own(table).sheet(person)
        sheet.karma = {potential: sheet.wheel.rating(potential) for potential in Potential}


def _number_set(table: Table, event: b.NumberSet) -> None:
    sheet = own(table).sheet(event.who)
    if event.what == "legacy":
        sheet.legacy = event.value
    else:
        sheet.on_the_wheel = True
        sheet.karma[Potential(event.what.removeprefix("karma "))] = event.value


EVOLVE: Mapping[type[Event], Handler] = {
    e.SheetChanged: _sheet_changed,
    e.ConflictOpened: _opened,
    e.Joined: _joined,
    e.Left: _left,
    e.Declared: _declared,
    e.CardsDrawn: _cards_drawn,
    e.Narrated: _narrated,
    e.NarrationOverruled: _narration_overruled,
    b.TraitsAssigned: _traits_assigned,
    b.KarmaSpent: _karma_spent,
    b.QualityDeclared: _quality_declared,
    b.HandsTied: _hands_tied,
    b.HandWon: _hand_won,
    b.QuantitySaid: _quantity_said,
    b.ColorChosen: _color_chosen,
    b.ConflictTied: _conflict_tied,
    b.TurnMeasured: _turn_measured,
    b.TurnEnded: _turn_ended,
    b.LegacyAwarded: _legacy_awarded,
    b.WheelTilted: _wheel_tilted,
    b.KarmaRefilled: _karma_refilled,
    b.NumberSet: _number_set,
}
"""What each event changes here; a test proves that none is missing."""
