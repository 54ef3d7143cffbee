"""Checks in Whiskey: a card and a d6 decide a clash, or any other attempt against a number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from retold.game import (
    DISCARD,
    Event,
    Luck,
    Refused,
    Situation,
    Table,
    Value,
    dice,
    french,
    normalise,
    notes_and_speech,
    possessive,
)
from retold.game import commands as c
from retold.game import events as e
from retold.games.whiskey import events as w
from retold.games.whiskey import rules
from retold.games.whiskey.commands.conflicts import end_phase, with_dropped_clashes
from retold.games.whiskey.commands.fighters import may_check, pairs_named
from retold.games.whiskey.commands.verbs import Check
from retold.games.whiskey.options import NAME, chosen
from retold.games.whiskey.rules import D6, D26, DeckMode, Half
from retold.games.whiskey.state import (
    Cards,
    OpenClash,
    cards_of,
    conflict_state,
    deck_name,
    faction,
    game_state,
    half_in_play,
    sheet_of,
)


class DealtCheck(NamedTuple):
    """Card (None with a d26), card value `c` and d6 `d` drawn for one check.

    `before` and `after` hold the events to record before and after the check, such as a reshuffle.
    """

    before: list[Event]
    card: str | None
    c: int
    d: int
    after: list[Event]


def deal(situation: Situation, conflict: int | None, who: int, faction: str) -> DealtCheck:
    """Draws the card and rolls the d6 for one check of `who`; rolls a d26 and a d6 by option `deck`.

    Returns them with their events; the table state is unchanged.
    """
    mode = chosen.kind(situation.table, "deck", DeckMode)
    luck = situation.luck
    if luck.called and luck.rest() < 2:
        example = "17 2" if mode is DeckMode.D26 else "5H 2"
        named = "a d26 and a d6" if mode is DeckMode.D26 else "a card and a d6"
        raise Refused(f"A check is {named} together: = {example}.")
    if mode is DeckMode.D26:
        face, d = _roll_d26_and_d6(luck)
        rolled = e.DiceRolled(conflict=conflict, who=who, dice=dice.dice_text((D26, D6)), faces=(face, d))
        return DealtCheck([rolled], None, face - rules.KING, d, [])
    cards = cards_of(situation.table, faction).copy()
    before: list[Event] = list(_reshuffle_if_spent(situation.table, cards, conflict, faction))
    card = _draw_card(luck, cards, faction, half_in_play(situation.table, cards))
    (d,) = luck.faces((D6,))
    before += [
        e.CardsDrawn(conflict=conflict, who=who, deck=deck_name(faction), cards=(card,), purpose="check"),
        e.DiceRolled(conflict=conflict, who=who, dice=dice.dice_text((D6,)), faces=(d,)),
    ]
    cards.pile.take(card, DISCARD)
    after: list[Event] = list(_reshuffle_if_spent(situation.table, cards, conflict, faction))
    return DealtCheck(before, card, rules.value(card), d, after)


def values_to_come(table: Table, faction: str) -> tuple[int, ...]:
    """Returns the value of each card (or d26 face) that a faction's next check could draw."""
    if chosen(table, "deck") == DeckMode.D26:
        return tuple(face - rules.KING for face in range(1, D26 + 1))
    cards = cards_of(table, faction).copy()
    list(_reshuffle_if_spent(table, cards, None, faction))
    return tuple(map(rules.value, cards.left(half_in_play(table, cards))))


def _roll_d26_and_d6(luck: Luck) -> tuple[int, int]:
    """Rolls a d26, then a d6, and returns both; results named by the user must stand in this order."""
    try:
        (face,), (d,) = luck.faces((D26,)), luck.faces((D6,))
    except Refused as refusal:
        raise Refused(f"{refusal.sentence} Type the d26 first, then the d6: = 17 2.") from None
    return face, d


def _reshuffle_if_spent(table: Table, cards: Cards, conflict: int | None, faction: str) -> Iterator[Event]:
    """Puts discarded cards of `cards` back if none is left to draw, and yields the reshuffle's event.

    At a table with half decks the other half comes into play.
    """
    while not cards.left(spent := half_in_play(table, cards)):
        cards.gather(spent)
        if spent is not None:
            cards.half = cards.half.other
        yield w.DeckReshuffled(conflict=conflict, faction=faction, spent=spent, half=cards.half, why="spent")


def _draw_card(luck: Luck, cards: Cards, faction: str, half: Half | None) -> str:
    """Draws and returns the next card; a result named by the user may be a card or a value, such as -3."""
    left = cards.left(half)
    if not luck.called:
        return luck.draw(deck_name(faction), left, 1)[0]
    values: dict[str, list[str]] = {}
    for card in left:
        values.setdefault(str(rules.value(card)), []).append(card)
    try:
        (drawn,) = luck.draw(deck_name(faction), (*left, *values), 1)
    except Refused as refusal:
        raise _card_refusal(refusal, cards, half) from None
    return drawn if drawn in french.DECK else _card_of_value(drawn, values)


def _card_of_value(drawn: str, values: Mapping[str, Sequence[str]]) -> str:
    of_that_value = values[drawn]
    if len(of_that_value) > 1:
        raise Refused(f"{drawn} may be {' or '.join(of_that_value)}: write the card.")
    return of_that_value[0]


def _card_refusal(refusal: Refused, cards: Cards, half: Half | None) -> Refused:
    """Returns a refusal that explains why a card named by the user cannot be drawn now."""
    result = getattr(refusal, "result", None)
    if not isinstance(result, str):
        return refusal
    if result in french.DECK:
        return _discarded_refusal(result, result, cards, half)
    of_that_value = [card for card in french.DECK if str(rules.value(card)) == result]
    meant = [card for card in of_that_value if half in (None, rules.half_of(card))]
    if not meant:
        return Refused(f"{result} is not a card here: write 5H, or a value from -12 to 13.")
    return _discarded_refusal(result, " and ".join(meant), cards, half)


def _discarded_refusal(called: str, card: str, cards: Cards, half: Half | None) -> Refused:
    shown = card if called == card else f"{called} ({card})"
    if half is not None and called == card and rules.half_of(card) is not half:
        left = len(cards.left(cards.half))
        last = "last card is" if left == 1 else f"last {left} cards are"
        return Refused(
            f"{shown} lies in the half at rest: {half} are in play until their {last} spent."
            " A table with one whole deck: option whiskey.deck=whole."
        )
    back = "its half is spent" if half is not None else "the deck is spent"
    return Refused(f"{shown} is discarded already, and comes back when {back}.")


# --- shuffled ---------------------------------------------------------------------------------------------


def shuffle(situation: Situation, command: c.Shuffle) -> list[Event]:
    """Returns the event of `shuffle`: a faction's discarded cards go back into its deck; its half stays.

    The half is the half deck in play. Raises Refused if no card is discarded, and at a table rolling a d26.
    """
    if chosen(situation.table, "deck") == DeckMode.D26:
        raise Refused("This table rolls a d26 (option whiskey.deck=d26): there is no deck to shuffle.")
    whose = _faction_meant(situation, command.who)
    cards = game_state(situation.table).cards.get(whose)
    if cards is None or not cards.discarded():
        raise Refused(f"The {whose} deck is whole: nothing of it is out.")
    conflict = situation.where_in(NAME)
    return [w.DeckReshuffled(conflict=conflict, faction=whose, half=cards.half, why="asked")]


def _faction_meant(situation: Situation, who: int | None) -> str:
    """Returns the faction of `who`; for None, the only faction with discarded cards, else raises Refused."""
    if who is not None:
        return faction(situation.table, who)
    begun = [name for name, cards in game_state(situation.table).cards.items() if cards.discarded()]
    if not begun:
        raise Refused("Every Whiskey deck is whole: nothing is out.")
    if len(begun) > 1:
        raise Refused(f"Name one person who draws from the deck: shuffle NAME ({', '.join(begun)}).")
    return begun[0]


def check(situation: Situation, command: Check) -> list[Event]:
    """Returns the events of `check`: a roll of one number against another, or the roll that decides a clash.

    The last clash of a phase also brings the phase's damage and end.
    """
    wanted = _is_wanted(situation, command.setup)
    if command.who is not None and (command.x is not None or command.stat is not None):
        return _check_stat(situation, command, command.who, wanted=wanted)
    return _check_clash(situation, command, wanted=wanted)


def _is_wanted(situation: Situation, setup: Mapping[str, Value]) -> bool:
    """True unless the command has `wanted=no`, by which the checker hopes to fail.

    Raises Refused for other keys, and for `wanted=no` unless option `unwanted_checks` allows it.
    """
    unknown = [key for key in setup if key != "wanted"]
    if unknown:
        raise Refused(f"A check knows wanted=yes|no, and no {unknown[0]}.")
    wanted = normalise(str(setup.get("wanted", "yes")))
    if wanted not in ("yes", "no"):
        raise Refused(f"A check is wanted=yes or wanted=no, not {wanted}.")
    if wanted == "no" and chosen(situation.table, "unwanted_checks") == "refuse":
        raise Refused(
            "Cards are drawn only for a check its maker wants to pass. Turn it round, let the other side "
            "make it, or play with option whiskey.unwanted_checks=allow."
        )
    return wanted == "yes"


def _declaration(situation: Situation, command: Check, who: int) -> list[Event]:
    """Returns the check command's text as a declaration by `who`; an empty list without a text."""
    words = notes_and_speech.spoken_text(command.text)
    if words is None:
        return []
    return [e.Declared(who=who, text=words, conflict=situation.where)]


def _make_check(
    situation: Situation, command: Check, who: int, x: int, y: int, **about: object
) -> tuple[w.CheckMade, list[Event]]:
    """Makes the check of `x` against `y` for `who`; returns its event, and the list of all events around it.

    `about` holds further fields of the check's event.
    """
    conflict = situation.where_in(NAME)
    whose = faction(situation.table, who)
    dealt = deal(situation, conflict, who, whose)
    made = w.CheckMade.of(
        {
            "conflict": conflict,
            "who": who,
            "x": x,
            "y": y,
            "faction": whose,
            "card": dealt.card,
            "c": dealt.c,
            "d": dealt.d,
            "total": x + dealt.c,
            "passed": rules.passes(x, dealt.c, y),
            **about,
        }
    )
    return made, [*_declaration(situation, command, who), *dealt.before, made, *dealt.after]


# --- of a clash -------------------------------------------------------------------------------------------


def _check_clash(situation: Situation, command: Check, *, wanted: bool) -> list[Event]:
    if situation.conflict is None or situation.here.system != NAME:
        raise Refused("No Whiskey conflict is open; outside one, say against what: check NAME stealth vs 12.")
    if not wanted:
        raise Refused("In a clash the loser is hit, so all want to pass.")
    clash = _clash_meant(situation, command.who, command.whom)
    who = _checker(situation, clash, command)
    other = clash.against(who)
    x, y = _number(situation, who, "combat"), _number(situation, other, "combat")
    made, events = _make_check(
        situation, command, who, x, y, other=other, stat="combat", theirs="combat", clash=True
    )
    clashes = [
        replace(known, made=made) if known is clash else known
        for known in conflict_state(situation.here).phase.clashes
    ]
    if any(known.made is None for known in clashes):
        return events
    events += end_phase(situation.table, situation.here, clashes)
    return with_dropped_clashes(situation.table, situation.here, events)


def _clash_meant(situation: Situation, who: int | None, whom: int | None) -> OpenClash:
    phase = conflict_state(situation.here).phase
    if phase.triangle is not None:
        situation.nothing_pending(situation.here)
    if not phase.clashes:
        situation.nothing_pending(situation.here)
        raise Refused("No clash awaits a check: all declare first, then: clash.")
    if who is not None and whom is not None:
        found = phase.between(who, whom)
        names = f"{situation.name(who)} and {situation.name(whom)}"
        if found is None:
            raise Refused(f"{names} do not clash; these do: {pairs_named(situation, phase.clashes)}.")
        if found.made is not None:
            raise Refused(f"{names} have had their check: one check for each clash.")
        return found
    return _only_clash(situation, phase.open, who)


def _only_clash(situation: Situation, due: tuple[OpenClash, ...], who: int | None) -> OpenClash:
    mine = [clash for clash in due if who is None or who in clash.pair]
    checks = [clash for clash in mine if who in (None, clash.checker)]
    for found in (checks, mine):
        if len(found) == 1:
            return found[0]
    if mine:
        pairs = [clash.pair if clash.checker in (None, clash.one) else clash.pair[::-1] for clash in mine]
        lines = (f"check {situation.quoted(one)} {situation.quoted(other)}" for one, other in pairs)
        raise Refused(f"Say which check: {'; or '.join(lines)}.")
    assert who is not None  # noqa: S101 -- a phase without open clashes is over
    raise Refused(
        f"{situation.name(who)} has no check to make; these are to be made: {pairs_named(situation, due)}."
    )


def _checker(situation: Situation, clash: OpenClash, command: Check) -> int:
    """Returns the person who makes a clash's check: the person named if allowed, else the clash's checker.

    Raises Refused if the person named may not check, or if no one is named and the clash has no checker.
    """
    if command.who is not None and command.who in may_check(situation.table, clash):
        return command.who
    if clash.checker is None:
        raise Refused(f"Say who checks: {situation.names(clash.pair)}.")
    if command.who is None:
        return clash.checker
    checker, other = situation.quoted(clash.checker), situation.quoted(clash.against(clash.checker))
    raise Refused(
        f"In this clash {situation.name(clash.checker)} checks (option "
        f"checker={chosen(situation.table, 'checker')}): check {checker} {other}; "
        "with checker=choose the person named checks."
    )


# --- of anything else -------------------------------------------------------------------------------------


def _check_stat(situation: Situation, command: Check, who: int, *, wanted: bool) -> list[Event]:
    stat = None if command.stat is None else normalise(command.stat)
    x = command.x if command.x is not None else _number(situation, who, stat or "")
    y, theirs = _against(situation, command, stat)
    about = {"other": command.whom, "stat": stat, "theirs": theirs, "wanted": wanted}
    return _make_check(situation, command, who, x, y, **about)[1]


def _against(situation: Situation, command: Check, stat: str | None) -> tuple[int, str | None]:
    """Returns the number a check must exceed, and the opponent's stat it comes from (None if typed)."""
    if command.y is not None:
        return command.y, None
    assert command.whom is not None  # noqa: S101 -- the form has either
    theirs = stat if command.theirs is None else normalise(command.theirs)
    if theirs is None:
        name, quoted = situation.name(command.whom), situation.quoted(command.whom)
        raise Refused(f"Say which number of {possessive(name)}: … vs {quoted} combat.")
    return _number(situation, command.whom, theirs), theirs


def _number(situation: Situation, who: int, stat: str) -> int:
    numbers = sheet_of(situation.table, who).numbers
    if stat not in numbers:
        raise Refused(
            f"{situation.name(who)} has no {stat} (on the sheet: {', '.join(numbers) or 'nothing yet'}). "
            f"Add it: cast {situation.quoted(who)} whiskey {stat}=3."
        )
    return numbers[stat]
