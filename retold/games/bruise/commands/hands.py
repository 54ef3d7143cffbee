"""Commands on hands: drawing, shuffling, spending Karma, tying a conflict, and showing a Quality."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from retold.game import GM, Event, Pile, Refused, Situation, conflicts, french, normalise, possessive, quoted
from retold.game import commands as c
from retold.game import events as e
from retold.games.bruise import events as b
from retold.games.bruise import rules
from retold.games.bruise.commands.showdown import (
    ace_of,
    active_players,
    check_quantity,
    has_only_a_rank,
    people_without_hand,
    quality_of,
    quantity_range,
    show_all,
    unknown_qualities,
    unread_hands,
)
from retold.games.bruise.commands.turns import Turn, declaration
from retold.games.bruise.commands.verbs import Quality, SpendKarma, TieTo
from retold.games.bruise.options import chosen
from retold.games.bruise.rules import Ace, Potential
from retold.games.bruise.state import (
    ATTRIBUTES,
    BruiseConflict,
    Hand,
    Result,
    Sheet,
    conflict_state,
    deck_name,
    deck_of,
    game_state,
    gather_cards,
    new_pile,
    person_at,
    pile_of,
    rank_name,
    sheet_of,
)


def deck_in_use(situation: Situation, who: int) -> int:
    """Returns the owner of the deck of `who`'s current hand; without a hand, of the deck they draw from."""
    hand = conflict_state(situation.here).hands.get(who)
    return deck_of(situation.table, who) if hand is None else hand.owner


def deck_as_it_lies(situation: Situation, owner: int, *, fresh: bool) -> Pile:
    """Returns `owner`'s deck as it is; with `fresh`, a copy with this conflict's cards put back."""
    table = situation.table
    pile = pile_of(table, game_state(table).piles, owner)
    if not fresh:
        return pile
    whole = pile.copy()
    gather_cards(whole, table.conflicts.keys() - {situation.here.id})
    return whole if whole.out else new_pile(table)


def deal(situation: Situation, who: int, n: int, *, owner: int, fresh: bool) -> tuple[str, ...]:
    """Returns `n` cards drawn or called out from `owner`'s deck, without changing the deck.

    Raises Refused if fewer cards are left, or a card called out is not in the deck. `fresh`: as at a new
    turn, with this conflict's cards back in the deck.
    """
    pile = deck_as_it_lies(situation, owner, fresh=fresh)
    left = pile.left()
    if n > len(left):
        whose = "The Tale Weaver's" if owner == GM else possessive(situation.name(owner))
        raise Refused(
            f"{whose} deck has {len(left)} cards left, so {n} cannot be drawn: draw no more than that."
        )
    try:
        return situation.luck.draw(deck_name(owner), left, n, unseen=True)
    except Refused as refusal:
        raise _card_is_out(situation, pile, refusal) from None


def _card_is_out(situation: Situation, pile: Pile, refusal: Refused) -> Refused:
    """Returns a refusal that names the person who holds the card refused, or says that it was discarded."""
    card = getattr(refusal, "result", None)
    places = pile.out.get(card, ()) if isinstance(card, str) else ()
    if not places:
        return refusal
    holder = person_at(places[-1])
    if holder is None:
        return Refused(f"{card} is out already: it was discarded this turn.")
    return Refused(f"{card} is out already: {situation.name(holder)} holds it.")


def tie_to(situation: Situation, command: TieTo) -> list[Event]:
    """Returns the event that ties the conflict to Destiny, Fate or neither, for the people named or for all.

    Raises Refused if it is tied so already.
    """
    state = conflict_state(situation.here)
    people = tuple(
        dict.fromkeys(conflicts.contestant(situation, who, "is tied to it") for who in command.who)
    )
    potential = None if command.potential == "neither" else command.potential
    tied = people or situation.here.people
    if all(state.end_of_wheel(who) == potential for who in tied):
        raise Refused(f"It is tied to {command.potential} already for {situation.names(tied)}.")
    return [b.ConflictTied(conflict=situation.here.id, people=people, potential=potential, text=command.text)]


def spend_karma(situation: Situation, command: SpendKarma) -> list[Event]:
    """Returns the events of a Karma point spent: cards discarded from a hand, as many drawn, and any text.

    Raises Refused if the hand is shown, the conflict is not tied to that kind of Karma, or no point is
    left.
    """
    state = conflict_state(situation.here)
    who = conflicts.contestant(situation, command.who, "spends Karma")
    name = situation.name(who)
    potential = Potential(command.potential)
    _check_karma(situation, state, who, potential)
    hand = state.hands[who].cards
    thrown = [french.read_card(card) for card in command.cards]
    for card in thrown:
        if thrown.count(card) > hand.count(card):
            raise Refused(f"{name} does not hold {card}. In hand: {' '.join(hand) or 'nothing'}.")
    sheet = sheet_of(situation.table, who)
    owner = deck_in_use(situation, who)
    drawn = deal(situation, who, len(thrown), owner=owner, fresh=False)
    events: list[Event] = [
        b.KarmaSpent(
            conflict=situation.here.id,
            who=who,
            potential=command.potential,
            discarded=tuple(thrown),
            left=sheet.karma[potential] - 1,
        ),
        e.CardsDrawn(
            conflict=situation.here.id,
            who=who,
            deck=deck_name(owner),
            cards=drawn,
            purpose="karma",
        ),
    ]
    if command.text is not None:
        events.append(declaration(situation, who, command.text))
    return events


def _check_karma(situation: Situation, state: BruiseConflict, who: int, potential: Potential) -> None:
    name = situation.name(who)
    if who in state.shown:
        raise Refused(f"{name} has shown: Karma is spent before Quality is declared.")
    if who not in state.hands:
        raise Refused(f"{name} has not drawn yet.")
    tied = state.end_of_wheel(who)
    if tied is not potential:
        to = f"to {tied}" if tied else "to neither end of the Wheel"
        for_whom = f" for {name}" if state.tied else ""
        raise Refused(f"This conflict is tied {to}{for_whom}: Karma of {potential} does not reach it.")
    if not _draw_is_open(situation, state, who):
        raise Refused(f"{name} has spent Karma on this draw already.")
    if not _has_karma(situation, who):
        raise Refused(f"{name} has no player, and at this table only players' characters have Karma.")
    if sheet_of(situation.table, who).karma[potential] < 1:
        raise Refused(f"{name} has no Karma of {potential} left.")


def _draw_is_open(situation: Situation, state: BruiseConflict, who: int) -> bool:
    """True if `who` has spent Karma less often on this hand than the option karma_per_draw allows."""
    return state.spent.get(who, 0) < chosen.number(situation.table, "karma_per_draw")


def _has_karma(situation: Situation, who: int) -> bool:
    return chosen.yes(situation.table, "npc_karma") or situation.table.people[who].player is not None


def usable_karma(situation: Situation, state: BruiseConflict, who: int) -> Potential | None:
    """Returns the kind of Karma, Destiny or Fate, that `who` could spend in this conflict.

    None if the conflict is tied to neither, or `who` has no such point.
    """
    tied = state.end_of_wheel(who)
    if tied is None or not _has_karma(situation, who):
        return None
    return tied if sheet_of(situation.table, who).karma[tied] > 0 else None


def karma_still_possible(situation: Situation, state: BruiseConflict, hands: Mapping[int, Hand]) -> bool:
    """True while any person of `hands` has not shown and has Karma they could spend."""
    return any(who not in state.shown and usable_karma(situation, state, who) is not None for who in hands)


def may_spend(situation: Situation, state: BruiseConflict, who: int) -> bool:
    """True if `who` can spend Karma on their hand now: it has cards, is unshown, and a point is left.

    The option karma_per_draw limits how often.
    """
    if who not in state.hands or who in state.shown or not state.hands[who].cards:
        return False
    return usable_karma(situation, state, who) is not None and _draw_is_open(situation, state, who)


def begin_session(situation: Situation) -> list[Event]:
    """Returns the event that refills Karma to the Wheel's ratings; empty if none is missing."""
    sheets = game_state(situation.table).sheets
    lacking = tuple(
        who
        for who, sheet in sheets.items()
        if any(sheet.karma[potential] < sheet.wheel.rating(potential) for potential in Potential)
    )
    return [b.KarmaRefilled(people=lacking)] if lacking else []


RANKS = {"J": 11, "Q": 12, "K": 13, "T": 10}
LOWEST_NUMBER, HIGHEST_NUMBER = 2, 10


def quality(situation: Situation, command: Quality) -> list[Event]:
    """Returns the events of showing one hand or, without a name, all hands.

    Once the last hand is shown, they include the comparison. With a Quantity for a hand already won,
    returns that statement instead. Raises Refused if hands are missing.
    """
    situation.nothing_pending(situation.here)
    state = conflict_state(situation.here)
    events = _quantity_of_won_hand(situation, state, command)
    if events:
        return events
    if state.over:
        if command.who is None or command.rank is None:
            raise Refused("All hands are shown: the next turn begins with a declaration or a draw.")
        turn = Turn.of(situation)
        return [*turn.before, *_shown(situation, turn.state, command)]
    if command.who is None:
        _check_all_ready(situation, state)
        return show_all(situation, state, state.hands, {})
    return _shown(situation, state, command)


def _check_all_ready(situation: Situation, state: BruiseConflict) -> None:
    """Raises Refused while a person has no hand, or only unnamed cards (`_`) without a stated Quality."""
    missing = people_without_hand(situation.here, state, state.hands)
    if missing:
        names = ", ".join(map(situation.name, missing))
        raise Refused(f"No hand yet: {names} (draw, or quality NAME RANK).")
    unnamed = unread_hands(situation.here, state, state.hands)
    if unnamed:
        quoted = situation.quoted(unnamed[0])
        raise Refused(f"No card of {possessive(situation.name(unnamed[0]))} is named: quality {quoted} 9.")


# --- a hand that was won ----------------------------------------------------------------------------------


def _quantity_of_won_hand(situation: Situation, state: BruiseConflict, command: Quality) -> list[Event]:
    """Returns the event in which a winner states a Quantity, for a hand whose unnamed cards (`_`) hide it.

    Empty if the command states none, or no hand won fits it; raises Refused for an impossible Quantity or
    a loser who lost no such hand.
    """
    if command.quantity is None or command.rank is None:
        if command.loser is not None:
            raise Refused("Say the rank and the Quantity: quality Zel K 2 vs Guards.")
        return []
    rank = _rank(situation, command.rank)
    won = [
        result
        for result in state.results
        if (result.winner, result.quality, result.quantity, result.told) == (command.who, rank, None, False)
        if command.loser in (None, result.loser)
    ]
    if command.loser is not None and not won:
        raise Refused(f"No such hand was won against {situation.name(command.loser)} this turn.")
    if not won:
        return []
    return _quantities(situation, state, won, command.quantity)


def _quantities(situation: Situation, state: BruiseConflict, won: list[Result], stated: int) -> list[Event]:
    winner = won[0].winner
    if len({result.against for result in won}) > 1:
        losers = " or ".join(situation.quoted(result.loser) for result in won)
        raise Refused(f"Name the loser that this counts against, after vs: {losers}.")
    least, most = quantity_range(situation, state.hands.get(winner), won[0].quality, won[0].against)
    check_quantity(situation, winner, stated, range(least, most + 1))
    return [
        b.QuantitySaid(conflict=situation.here.id, winner=winner, loser=result.loser, quantity=stated)
        for result in won
    ]


# --- a hand that is shown ---------------------------------------------------------------------------------


def _shown(situation: Situation, state: BruiseConflict, command: Quality) -> list[Event]:
    """Returns the event that shows one hand; if no other hand is still open, all are shown and compared.

    A hand is open if it is missing, has no named card, or can still be changed by Karma.
    """
    who = conflicts.contestant(situation, command.who, "shows")
    if who in state.shown:
        raise Refused(f"{situation.name(who)} has shown already.")
    if who in state.late:
        raise Refused(
            f"{situation.name(who)} came in after a Quality was shown, and plays from the next turn on."
        )
    declared = _declared_quality(situation, state, who, command)
    others = [person for person in active_players(situation.here, state) if person != who]
    still = [person for person in unknown_qualities(situation.here, state, state.hands) if person != who]
    if still or any(may_spend(situation, state, person) for person in others):
        return [declared]
    return show_all(situation, state, state.hands, {who: declared})


def _declared_quality(
    situation: Situation, state: BruiseConflict, who: int, command: Quality
) -> b.QualityDeclared:
    """Returns the event with a hand's Quality, from its recorded cards or, without any, from the rank typed.

    Raises Refused if neither is given, or the rank typed contradicts the cards.
    """
    hand = state.hands.get(who)
    called = None if command.rank is None else _rank(situation, command.rank)
    if hand is not None and rules.readable(hand.cards):
        return _quality_of_cards(situation, state, who, called, command.quantity)
    if called is None:
        missing = (
            "no hand: draw, or say the rank"
            if hand is None
            else "a hand of which no card is named: say its rank"
        )
        raise Refused(f"{situation.name(who)} has {missing} (quality {situation.quoted(who)} 9).")
    if called == 0 and hand is not None and not chosen.number(situation.table, "jokers"):
        raise Refused(f"{situation.name(who)} holds cards, so their Quality is above 0.")
    if command.quantity is not None:
        most = len(new_pile(situation.table).cards) if hand is None else len(hand.cards)
        check_quantity(situation, who, command.quantity, range(min(called, 1), most + 1))
    return b.QualityDeclared(conflict=situation.here.id, who=who, quality=called, quantity=command.quantity)


def _quality_of_cards(
    situation: Situation, state: BruiseConflict, who: int, called: int | None, stated: int | None
) -> b.QualityDeclared:
    """Returns the event with the Quality of recorded cards, and the Quantity stated if they do not tell it.

    Raises Refused if `called`, the rank typed, differs, or the stated Quantity is impossible.
    """
    hand = state.hands[who]
    holds = quality_of(situation, hand)
    if called is not None and called != holds:
        name = situation.name(who)
        raise Refused(f"{name} called {rank_name(called)}, but the cards recorded show {rank_name(holds)}.")
    if stated is not None:
        known = _known_quantities(situation, state, who)
        check_quantity(situation, who, stated, known or _possible_quantities(situation, hand))
        # If all cards are named, they determine the Quantity once the others have shown.
        stated = stated if known or not rules.named_in_full(hand.cards) else None
    return b.QualityDeclared(conflict=situation.here.id, who=who, quality=holds, quantity=stated)


def _known_quantities(situation: Situation, state: BruiseConflict, who: int) -> set[int]:
    """Returns the Quantities possible for a hand against the hands shown; empty until all others show."""
    hand = state.hands[who]
    others = [person for person in active_players(situation.here, state) if person != who]
    if any(person not in state.shown for person in others):
        return set()
    holds = quality_of(situation, hand)
    ranges = [quantity_range(situation, hand, holds, state.shown[person].quality) for person in others]
    return {possible for least, most in ranges for possible in range(least, most + 1)}


def _possible_quantities(situation: Situation, hand: Hand) -> set[int]:
    """Returns the Quantities possible for a hand against any Quality up to its own."""
    holds = quality_of(situation, hand)
    ranges = [quantity_range(situation, hand, holds, against) for against in range(holds + 1)]
    return {possible for least, most in ranges for possible in range(least, most + 1)}


def _rank(situation: Situation, typed: str) -> int:
    word = typed.casefold()
    if word == "joker":
        return chosen.number(situation.table, "joker")
    names = {"ace": "A", "king": "K", "queen": "Q", "jack": "J"}
    rank = names.get(word, typed.upper())
    ace = 14 if ace_of(situation) is Ace.HIGH else 1
    if rank == "A":
        return ace
    if rank in RANKS:
        return RANKS[rank]
    if rank.isdecimal() and (int(rank) in (0, ace) or LOWEST_NUMBER <= int(rank) <= HIGHEST_NUMBER):
        return int(rank)
    raise Refused(f"{typed} is not a rank: A, K, Q, J, a number from 2 to 10, or 0 for no card that counts.")


# --- cards that are drawn ---------------------------------------------------------------------------------


def draw(situation: Situation, command: c.Draw) -> list[Event]:
    """Returns the events of a hand drawn, for typed traits or by number.

    If no other person has yet to draw or could spend Karma, all hands are shown and compared as well.
    """
    turn = Turn.of(situation)
    situation.nothing_pending(situation.here)
    who = conflicts.contestant(situation, command.who, "draws")
    state = turn.state
    _check_draw(situation, who, state)
    owner = deck_of(situation.table, who)
    left = len(deck_as_it_lies(situation, owner, fresh=bool(turn.before)).left())
    assigned, cards = _cards_due(situation, who, command, state, left)
    drawn = e.CardsDrawn(
        conflict=situation.here.id,
        who=who,
        deck=deck_name(owner),
        cards=deal(situation, who, cards, owner=owner, fresh=bool(turn.before)),
        purpose="hand",
    )
    events: list[Event] = [*turn.before, *assigned, drawn]
    if command.text is not None:
        events.append(declaration(situation, who, command.text))
    hands = {**state.hands, who: Hand(list(drawn.cards), cards, owner)}
    if not unknown_qualities(situation.here, state, hands) and not karma_still_possible(
        situation, state, hands
    ):
        events += show_all(situation, state, hands, {})
    return events


def _check_draw(situation: Situation, who: int, state: BruiseConflict) -> None:
    """Raises Refused if `who` has a hand already, joined too late, or is opposition that states a rank.

    Opposition does so under the option difficulty=static.
    """
    name = situation.name(who)
    if who in state.hands or who in state.shown:
        raise Refused(f"{name} has drawn already this turn.")
    if who in state.late:
        raise Refused(f"{name} came in after a Quality was shown, and draws from the next turn on.")
    if has_only_a_rank(situation, who):
        raise Refused(f"The difficulty is static here: say its rank, quality {situation.quoted(who)} 9.")


def _cards_due(
    situation: Situation, who: int, command: c.Draw, state: BruiseConflict, left: int
) -> tuple[list[Event], int]:
    """Returns a list with the TraitsAssigned event, if traits are typed, and the number of cards to draw.

    `left` cards are in the deck: traits and redraws give at most that many.
    """
    if command.traits:
        assigned = _traits(situation, who, command.traits, left)
        return [assigned], assigned.cards
    due = state.due.get(who)
    if command.count is None and due is not None:
        return [], min(due, left)
    if command.count is None:
        name, quoted = situation.name(who), situation.quoted(who)
        rank_line = f", or its rank: quality {quoted} 9" if who in state.due else ""
        lines = [f"draw {quoted} {traits}" for traits in _example_traits(situation, who)] + [
            f"draw {quoted} 4"
        ]
        raise Refused(f"Say what {name} draws for: {', or '.join(lines)}{rank_line}.")
    most = len(new_pile(situation.table).cards)
    if not 0 <= command.count <= most:
        raise Refused(f"A deck has {most} cards, so a draw is 0 to {most} of them, not {command.count}.")
    return [], command.count


def _example_traits(situation: Situation, who: int) -> Iterator[str]:
    """Yields one example of traits to type, such as `clubs+melee`, if the sheet has attribute and skill."""
    traits = sheet_of(situation.table, who).traits
    attribute = next((trait for trait in traits if trait in ATTRIBUTES), None)
    skill = next((trait for trait in traits if trait not in ATTRIBUTES), None)
    if attribute is not None and skill is not None:
        yield f"{attribute}+{quoted(skill)}"


def _traits(situation: Situation, who: int, typed: Sequence[str], left: int) -> b.TraitsAssigned:
    """Returns the event that assigns two typed traits to a hand, with the number of cards to draw for them.

    The traits are an attribute and a skill, or a meme (rated belief) instead of one of them; their ratings
    add up to the number, at most `left`, the cards in the deck: `docs/rules/bruise.md` §2. Raises Refused
    for other combinations.
    """
    sheet = sheet_of(situation.table, who)
    keys = [_trait(situation, who, sheet, trait) for trait in typed]
    attributes = [key for key in keys if key in ATTRIBUTES]
    others = [key for key in keys if key not in ATTRIBUTES]
    memes = [key for key in others if key in sheet.memes]
    if len(keys) != 2 or len(attributes) > 1:
        raise Refused("A hand is drawn for one attribute and one skill, or a meme in place of either.")
    if len(memes) > 1:
        raise Refused("Memes do not stack: choose one of the two.")
    if len(others) == 2 and not memes:
        raise Refused(
            f"Neither {others[0]} nor {others[1]} is an attribute; if one is a meme, say so once: "
            f"cast {situation.quoted(who)} meme.{others[1]}={sheet.traits[others[1]]}."
        )
    skills = [key for key in others if key not in memes]
    return b.TraitsAssigned(
        conflict=situation.here.id,
        who=who,
        attribute=attributes[0] if attributes else None,
        skill=skills[0] if skills else None,
        meme=memes[0] if memes else None,
        cards=rules.draw_size(sheet.traits[keys[0]], sheet.traits[keys[1]], deck_size=left),
    )


def _trait(situation: Situation, who: int, sheet: Sheet, typed: str) -> str:
    folded = normalise(typed)
    begins = [key for key in sheet.traits if normalise(key).startswith(folded)]
    exact = [key for key in begins if normalise(key) == folded]
    found = exact or begins
    if len(found) == 1:
        return found[0]
    name = situation.name(who)
    if found:
        raise Refused(f"{typed} may be {' or '.join(found)} of {possessive(name)}.")
    known = ", ".join(sheet.traits) or "nothing yet"
    raise Refused(
        f"{name} has no {typed} (on the sheet: {known}). Add it:"
        f" cast {situation.quoted(who)} bruise {typed}=2."
    )


def shuffle(situation: Situation, command: c.Shuffle) -> list[Event]:
    """Returns the event that shuffles one deck; after a finished turn, the event that shuffles all decks.

    Raises Refused while hands are held in the turn.
    """
    state = conflict_state(situation.here)
    if (state.hands or state.due) and not state.over:
        raise Refused("Cards are on the table: the decks are shuffled when the turn is over.")
    if state.over:
        return [b.TurnEnded(conflict=situation.here.id, turn=state.turn)]
    owner = GM if command.who is None else deck_of(situation.table, command.who)
    return [e.DeckShuffled(conflict=situation.here.id, deck=deck_name(owner), why="asked")]
