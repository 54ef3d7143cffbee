"""Lists the actions available now (declare, draw, show, narrate …), and completions for typed commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

from retold.game import (
    GM,
    TO_FIND,
    Blank,
    Count,
    Event,
    OpenConflict,
    Situation,
    Suggestion,
    Table,
    Trial,
    UntriedOutlook,
    answer_commands,
    french,
    possessive,
)
from retold.game import commands as c
from retold.games.bruise import events as b
from retold.games.bruise.commands.conflicts import ENDINGS
from retold.games.bruise.commands.hands import may_spend, usable_karma
from retold.games.bruise.commands.rulings import pending
from retold.games.bruise.commands.showdown import (
    has_only_a_rank,
    people_without_hand,
    quantity_range,
    unknown_qualities,
    unread_hands,
)
from retold.games.bruise.commands.turns import Turn
from retold.games.bruise.commands.verbs import ChooseColour, Quality, SpendKarma
from retold.games.bruise.options import chosen
from retold.games.bruise.state import (
    ATTRIBUTES,
    BruiseConflict,
    Result,
    Sheet,
    conflict_state,
    game_state,
    rank_name,
    sheet_of,
)


def turn(table: Table, conflict: OpenConflict) -> str:
    """Returns a toolbar text such as `turn 2 (one night) · to draw: Zel`: turn, its length, next step."""
    state = conflict_state(conflict)
    length = state.length.text if state.length else None
    lasts = "" if length is None else f" ({length})"
    return f"{count(conflict)}{lasts} · {_stands(table, conflict, state)}"


def count(conflict: OpenConflict) -> Count:
    """Returns the number of the conflict's current turn, shown as `turn 2`."""
    return Count("turn", conflict_state(conflict).turn)


def _stands(table: Table, conflict: OpenConflict, state: BruiseConflict) -> str:
    if state.ties:
        return "tie: rule on it"
    if state.over:
        return _to_tell(table, state)
    if not state.hands and not state.compared:
        return "declare, then draw"
    missing = people_without_hand(conflict, state, state.hands)
    if missing:
        return f"to draw: {', '.join(map(table.name, missing))}"
    unnamed = unread_hands(conflict, state, state.hands)
    return f"to say their Quality: {', '.join(map(table.name, unnamed))}" if unnamed else "show (quality)"


def _to_tell(table: Table, state: BruiseConflict) -> str:
    untold = [result for result in state.results if not result.told]
    if not untold:
        return "told"
    who = untold[0].winner
    quantities = dict.fromkeys(quantity_in_words(result) for result in untold if result.winner == who)
    return f"{table.name(who)} narrates, {' and '.join(quantities)}"


def quantity_in_words(result: Result) -> str:
    """Returns a result's Quantity as text: `Quantity 2`, or `Quantity to be said` if unknown."""
    return "Quantity to be said" if result.quantity is None else f"Quantity {result.quantity}"


def untold_outcomes(table: Table, conflict: OpenConflict) -> Iterator[str]:
    """Yields a sentence for each won hand not yet narrated: both people and Qualities, Quantity, colour."""
    for result in conflict_state(conflict).results:
        if not result.told:
            winner, loser = table.name(result.winner), table.name(result.loser)
            ranks = f"{rank_name(result.quality)} against {rank_name(result.against)}"
            colour = result.colour or " or ".join(result.colours) or "no colour"
            yield f"{winner} won over {loser}, {ranks}: {quantity_in_words(result)}, {colour}."


def called_on_in_words(table: Table, state: BruiseConflict) -> Iterator[str]:
    """Yields a sentence per winner on the meme and Karma they used, to be taken up in their narration.

    Yields nothing if the option `words` is off.
    """
    if chosen(table, "words") == "off":
        return
    for who in dict.fromkeys(result.winner for result in state.results if not result.told):
        if called := state.called_on.get(who):
            yield f"{possessive(table.name(who))} telling takes up {' and '.join(dict.fromkeys(called))}."


def reminders(table: Table, events: Iterable[Event]) -> Iterator[str]:
    """Yields reminders after hands were won by `events`: memes and Karma to narrate, Quantities to state."""
    won = [event for event in events if isinstance(event, b.HandWon)]
    for number in dict.fromkeys(event.conflict for event in won):
        conflict = table.conflicts.get(number)
        if conflict is not None:
            yield from called_on_in_words(table, conflict_state(conflict))
    if chosen(table, "words") != "off":
        for who in dict.fromkeys(event.winner for event in won if event.quantity is None):
            yield f"{possessive(table.name(who))} Quantity is still to be said (quality)."


RANKS: Final = ("9", "10", "J", "Q", "K", "A")
"""Ranks offered for a hand whose cards are not recorded."""

MOST_COUNTED: Final = 12
"""Most Quantities offered; a command accepts any that the cards allow."""

HANDS: Final = range(1, 9)
"""Numbers of cards offered to a person without a sheet; a command accepts any."""


def outlook(situation: Situation) -> UntriedOutlook | None:
    """Returns sentences on what a conflict waits for, and the commands available; None outside conflicts."""
    if situation.conflict is None:
        return None
    table, here = situation.table, situation.here
    questions = pending(table, here)
    stands = (
        f"{turn(table, here)}.",
        *untold_outcomes(table, here),
        *called_on_in_words(table, conflict_state(here)),
        *(question.asked for question in questions),
    )
    answers = (choice for question in questions for choice in answer_commands(question))
    return UntriedOutlook(stands, (*answers, *_trials(situation)))


def _trials(situation: Situation) -> Iterator[Trial]:
    yield from _telling(situation)
    if all(result.told for result in conflict_state(situation.here).results):
        yield from _drawing(situation)
    yield from _showing(situation)
    if not Turn.of(situation).state.hands:
        yield Trial(c.End, {"what": ("conflict",)}, "the conflict is over")


def _telling(situation: Situation) -> Iterator[Trial]:
    """Yields commands for results not yet narrated: state a Quantity, choose a colour, narrate."""
    untold = [result for result in conflict_state(situation.here).results if not result.told]
    for result in untold:
        if result.quantity is None:
            yield _quantities(situation, result)
        if result.colour is None and len(result.colours) > 1:
            suits = {"who": (result.winner,), "suit": result.colours}
            yield Trial(ChooseColour, suits, "the colour of the hand won")
    winners = tuple(dict.fromkeys(result.winner for result in untold))
    yield Trial(c.Narrate, {"who": winners, "text": TO_FIND}, "what came of it")


def _quantities(situation: Situation, result: Result) -> Trial:
    """Returns `quality` commands that state each Quantity the cards allow, lowest first.

    At most MOST_COUNTED + 1 of them.
    """
    hand = conflict_state(situation.here).hands.get(result.winner)
    least, most = quantity_range(situation, hand, result.quality, result.against)
    fields = {
        "who": (result.winner,),
        "rank": (rank_name(result.quality),),
        "quantity": tuple(range(least, min(most, least + MOST_COUNTED) + 1)),
        "loser": (result.loser,),
    }
    return Trial(Quality, fields, "how many cards counted")


def _drawing(situation: Situation) -> Iterator[Trial]:
    """Yields declarations and draws of people without a hand; once a turn is over, for the next turn.

    Under the option difficulty=static, opponents without player and ratings state a rank instead of drawing.
    """
    state, here = Turn.of(situation).state, situation.here
    for who in people_without_hand(here, state, state.hands):
        if who not in state.declared:
            yield Trial(c.Declare, {"who": (who,), "text": TO_FIND}, "what they mean to do")
        if has_only_a_rank(situation, who):
            yield _ranks(who, "the rank to beat")
        else:
            yield from _hands(situation, who)


def _ranks(who: int, comes_to: str) -> Trial:
    return Trial(Quality, {"who": (who,), "rank": RANKS}, comes_to)


def _hands(situation: Situation, who: int) -> Iterator[Trial]:
    """Yields `draw` commands for one person, with each pair of traits on their sheet.

    Without such a pair, with each number of cards; after a tie, with as many cards as before.
    """
    due = conflict_state(situation.here).due
    if due.get(who) is not None:
        yield Trial(c.Draw, {"who": (who,)}, f"{due[who]} cards once more")
        return
    pairs = _pairs(sheet_of(situation.table, who))
    yield Trial(c.Draw, {"who": (who,), "traits": tuple(pairs)}, "a hand for what is tried")
    if not pairs:
        yield Trial(c.Draw, {"who": (who,), "count": tuple(HANDS)}, "so many cards")
    if not pairs or who in due:
        yield _ranks(who, "the rank of cards that nobody writes down")


def _pairs(sheet: Sheet) -> list[tuple[str, str]]:
    """Returns pairs of traits to draw for: attribute and skill, attribute and meme, or meme and skill."""
    attributes = [trait for trait in sheet.traits if trait in ATTRIBUTES]
    memes = [trait for trait in sheet.traits if trait in sheet.memes]
    skills = [trait for trait in sheet.traits if trait not in (*ATTRIBUTES, *memes)]
    return [*product(attributes, skills), *product(attributes, memes), *product(memes, skills)]


def _showing(situation: Situation) -> Iterator[Trial]:
    """Yields commands before a showdown: spend Karma, show one hand, state an unread Quality, show all."""
    state = conflict_state(situation.here)
    if not state.hands or state.over or state.ties:
        return
    for who, hand in state.hands.items():
        potential = usable_karma(situation, state, who)
        if potential is not None and may_spend(situation, state, who):
            cards = tuple((card,) for card in dict.fromkeys(hand.cards))
            karma = {"who": (who,), "potential": (potential.value,), "cards": cards}
            yield Trial(SpendKarma, karma, "a point of Karma, and another card for it")
            yield Trial(Quality, {"who": (who,)}, "their hand as it is")
    for who in unread_hands(situation.here, state, state.hands):
        yield _ranks(who, "the Quality of cards nobody named")
    if not unknown_qualities(situation.here, state, state.hands):
        yield Trial(Quality, {}, "the hands are compared", by=GM)


def suggest(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """Yields completions for a blank slot of a typed command: traits, suits, ranks, endings, sheet keys."""
    sheets = game_state(table).sheets
    if blank.slot == "traits":
        own = sheets.get(blank.somebody("who") or 0)
        yield from (Suggestion(trait, str(rating)) for trait, rating in (own.traits.items() if own else ()))
    elif blank.command is ChooseColour and blank.slot == "suit":
        yield from map(Suggestion, french.Suit)
    elif blank.command is Quality and blank.slot == "rank":
        yield from map(Suggestion, reversed(french.RANKS))
    elif blank.command is c.End and blank.slot == "how":
        yield from map(Suggestion, ENDINGS)
    elif blank.command is c.Cast and blank.slot == "keys":
        yield from map(Suggestion, sorted({trait for sheet in sheets.values() for trait in sheet.traits}))
