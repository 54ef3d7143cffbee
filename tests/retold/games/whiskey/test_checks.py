"""Decks, checks outside a fight, sheets and rulings of Whiskey (docs/rules/whiskey.md §1 to §4, §8)."""

from __future__ import annotations

import pytest

from retold.games.whiskey import events as w
from retold.games.whiskey.commands import read_sheet
from retold.games.whiskey.rules import Half
from retold.games.whiskey.state import Cards, faction, game_state
from retold.journal.capabilities import Deck, HasDecks
from retold.journal.decks import french
from retold.journal.refused import Refused
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Value
from tests.retold.games.whiskey.at_the_ford import (
    HOOK,
    PEOPLE,
    PIKE,
    RUNA,
    TOBIN,
    WORDS,
    attempt,
    begun,
    drawn,
    opening,
    option,
    reshuffled,
    rolled,
    sheet,
    told,
)
from tests.scenario import Story, given

HEARTS, DIAMONDS = Half.HEARTS_SPADES, Half.DIAMONDS_CLUBS


def table(*events: Event, **options: str) -> Story:
    """Nobody fights; Runa and Pike have sheets."""
    chosen = [option(key, value) for key, value in options.items()]
    return given(*PEOPLE, sheet(RUNA, stealth=3), sheet(PIKE, notice=5), *chosen, *events)


def tried(
    x: int,
    c_: int,
    y: int,
    d: int,
    card: str | None,
    *,
    who: int = RUNA,
    whose: str = "players",
    **more: Value,
) -> w.CheckMade:
    return w.CheckMade.of(
        {
            "who": who,
            "x": x,
            "y": y,
            "faction": whose,
            "card": card,
            "c": c_,
            "d": d,
            "total": x + c_,
            "passed": x + c_ > y,
            **more,
        }
    )


def spend(story: Story, cards: tuple[str, ...]) -> Story:
    """Runa checks with all of these cards."""
    return story.given(*(attempt(RUNA, 1, 1, f"{card} 1") for card in cards))


# --- checks outside a fight -------------------------------------------------------------------------------


def test_a_check_needs_no_conflict() -> None:
    table().when(attempt(RUNA, "stealth", 12, "4H 2")).then(
        drawn(RUNA, "4H", conflict=None),
        rolled(RUNA, 2, conflict=None),
        tried(3, 4, 12, 2, "4H", stat="stealth"),
    )


def test_it_may_be_dealt() -> None:
    events = table().when(attempt(RUNA, 10, 12), dealt="4S 6").events

    assert events[-1] == tried(10, -9, 12, 6, "4S")


def test_WH_09_ten_and_nothing_fail_against_ten() -> None:
    story = table(deck="whole").given(attempt(RUNA, 10, 10, "KC 1"))

    assert told(story, "check") == ("10", "failed")


def test_it_may_be_against_somebodys_number() -> None:
    story = table()

    assert story.when(attempt(RUNA, "stealth", "notice", "4H 2", PIKE)).events[-1] == tried(
        3, 4, 5, 2, "4H", stat="stealth", theirs="notice", other=PIKE
    )
    assert story.when(attempt(RUNA, "combat", "", "4H 2", PIKE)).events[-1] == tried(
        10, 4, 10, 2, "4H", stat="combat", theirs="combat", other=PIKE
    )


def test_a_number_missing_from_the_sheet_is_refused() -> None:
    table().when(attempt(RUNA, "cooking", 3)).then_refused(
        "Runa has no cooking (on the sheet: combat, base, die, hp, stealth). "
        "Add it: cast Runa whiskey cooking=3."
    )
    table().when(attempt(TOBIN, "cooking", 3)).then_refused(
        "Tobin has no cooking (on the sheet: nothing yet). Add it: cast Tobin whiskey cooking=3."
    )
    table().when(attempt(RUNA, 4, "", None, PIKE)).then_refused(
        "Say which number of Pike's: … vs Pike combat."
    )


def test_one_checks_what_one_wants_to_pass() -> None:
    unwanted = attempt(RUNA, "stealth", 12, "4H 2").but({"setup": {"wanted": "no"}})

    table().when(unwanted).then_refused(
        "Cards are drawn only for a check its maker wants to pass. Turn it round, "
        "let the other side make it, or play with option whiskey.unwanted_checks=allow."
    )
    allowed = table(unwanted_checks="allow").when(unwanted).events
    assert allowed[-1] == tried(3, 4, 12, 2, "4H", stat="stealth", wanted=False)


def test_a_check_knows_no_other_data() -> None:
    check = attempt(RUNA, 1, 1)

    table().when(check.but({"setup": {"mood": "bad"}})).then_refused(
        "A check knows wanted=yes|no, and no mood."
    )
    table().when(check.but({"setup": {"wanted": "perhaps"}})).then_refused(
        "A check is wanted=yes or wanted=no, not perhaps."
    )


def test_a_check_in_another_games_conflict_is_independent() -> None:
    story = table(e.ConflictOpened(conflict=1, system="bruise", sides=((RUNA,), (PIKE,))))

    assert story.when(attempt(RUNA, 1, 1, "4H 2")).events[-1] == tried(1, 4, 1, 2, "4H")


# --- the deck ---------------------------------------------------------------------------------------------


def test_a_value_names_the_card_of_the_half_in_play() -> None:
    assert table().when(attempt(RUNA, 1, 1, "-12 1")).events[-1] == tried(1, -12, 1, 1, "AS")
    story = spend(table(), Cards().left(HEARTS))
    assert story.when(attempt(RUNA, 1, 1, "-12 1")).events[-1] == tried(1, -12, 1, 1, "AC")


def test_in_a_whole_deck_a_value_may_be_two_cards() -> None:
    story = table(deck="whole")

    story.when(attempt(RUNA, 1, 1, "6 1")).then_refused("6 may be 6H or 6D: write the card.")
    after = story.given(attempt(RUNA, 1, 1, "6H 1"))
    assert after.when(attempt(RUNA, 1, 1, "6 1")).events[-1] == tried(1, 6, 1, 1, "6D")


@pytest.mark.parametrize(
    ("called", "sentence"),
    [
        ("5H 1", "5H is discarded already, and comes back when its half is spent."),
        ("5 1", "5 (5H) is discarded already, and comes back when its half is spent."),
        (
            "5D 1",
            (
                "5D lies in the half at rest:"
                " hearts and spades are in play until their last 25 cards are spent."
                " A table with one whole deck: option whiskey.deck=whole."
            ),
        ),
        ("14 1", "14 is not a card here: write 5H, or a value from -12 to 13."),
        ("joker 1", "joker is not a card here: write 5H, or a value from -12 to 13."),
        ("6H 7", "A d6 has no 7."),
        ("6H 0", "A d6 has no 0."),
        ("6H", "A check is a card and a d6 together: = 5H 2."),
        ("6H 1 2", "1 result too many: 2."),
    ],
)
def test_a_result_that_cannot_be_is_refused(called: str, sentence: str) -> None:
    table(attempt_made("5H")).when(attempt(RUNA, 1, 1, called)).then_refused(sentence)


def attempt_made(card: str) -> w.CheckMade:
    return tried(1, 5, 1, 1, card)


def test_a_spent_half_goes_back_and_the_other_is_in_play() -> None:
    story = spend(table(), Cards().left(HEARTS)[:-1])
    assert told(story, "deck", RUNA) == ("1",)

    after = story.when(attempt(RUNA, 1, 1, f"{Cards().left(HEARTS)[-1]} 1")).story
    assert after.events[-1] == reshuffled("players", HEARTS, DIAMONDS).but({"conflict": None})
    assert (told(after, "deck", RUNA), told(after, "half", RUNA)) == (("26",), ("diamonds and clubs",))
    back = spend(after, Cards().left(DIAMONDS))
    assert told(back, "half", RUNA) == ("hearts and spades",)


def test_a_whole_deck_goes_back_when_it_is_spent() -> None:
    story = spend(table(deck="whole"), french.DECK[:-1])
    assert told(story, "deck", RUNA) == ("1",)

    after = spend(story, french.DECK[-1:])
    assert after.events[-1] == reshuffled("players", None, HEARTS).but({"conflict": None})
    assert told(after, "deck", RUNA) == ("52",)


def test_a_d26_is_rolled_with_the_d6() -> None:
    table(deck="d26").when(attempt(RUNA, 1, 5, "17 2")).then(
        e.DiceRolled(who=RUNA, dice="1d26+1d6", faces=(17, 2)), tried(1, 4, 5, 2, None)
    )
    table(deck="d26").when(attempt(RUNA, 1, 5, "17")).then_refused(
        "A check is a d26 and a d6 together: = 17 2."
    )
    table(deck="d26").when(attempt(RUNA, 1, 5, "27 2")).then_refused(
        "A d26 has no 27. Type the d26 first, then the d6: = 17 2."
    )


@pytest.mark.parametrize(
    ("called", "sentence"),
    [
        ("3 9", "A d6 has no 9. Type the d26 first, then the d6: = 17 2."),
        ("0 6", "A d26 has no 0. Type the d26 first, then the d6: = 17 2."),
    ],
)
def test_A14_the_d26_comes_first(called: str, sentence: str) -> None:
    story = table(deck="d26")

    story.when(attempt(RUNA, 3, 4, called)).then_refused(sentence)
    assert story.when(attempt(RUNA, 3, 4, "3 6")).events[-1] == tried(3, -10, 4, 6, None)


def test_a_deck_belongs_to_a_faction() -> None:
    story = table(sheet(HOOK, faction="friends"))
    assert [faction(story.table, who) for who in (RUNA, PIKE, HOOK)] == ["players", "enemies", "friends"]

    story = story.given(*(attempt(who, 1, 1, "5H 1") for who in (RUNA, PIKE, HOOK)))
    assert list(game_state(story.table).cards) == ["players", "enemies", "friends"]
    # Tobin draws from the deck Runa drew from.
    story.when(attempt(TOBIN, 1, 1, "5H 1")).then_refused(
        "5H is discarded already, and comes back when its half is spent."
    )


def test_the_decks_say_which_half_is_in_play() -> None:
    played = game_state(table().given(attempt(RUNA, 1, 1, "5H 1")).table)

    assert isinstance(played, HasDecks)
    played.check()
    assert list(played.decks()) == [
        Deck("players, hearts and spades in play", None, 26, 25, (), ("5H",), french.DECK[:26]),
        Deck("players, diamonds and clubs at rest", None, 26, 26, (), (), french.DECK[26:]),
    ]


def test_other_ways_of_drawing_show_other_decks() -> None:
    story = table().given(attempt(RUNA, 1, 1, "5H 1"))

    whole = story.given(option("deck", "whole"))
    assert list(game_state(whole.table).decks()) == [Deck("players", None, 52, 51, (), ("5H",), french.DECK)]
    assert list(game_state(story.given(option("deck", "d26")).table).decks()) == []


def test_a_half_that_is_spent_when_halves_are_chosen_goes_back_first() -> None:
    story = spend(table(deck="whole"), Cards().left(HEARTS)).given(option("deck", "halves"))

    events = story.when(attempt(RUNA, 1, 1, "5D 1")).events
    assert events[0] == reshuffled("players", HEARTS, DIAMONDS).but({"conflict": None})
    assert events[-1] == tried(1, 5, 1, 1, "5D")


@pytest.mark.parametrize(("when", "kept"), [("never", "25"), ("battle", "26"), ("session", "25")])
def test_a_battle_may_begin_with_whole_decks(when: str, kept: str) -> None:
    story = table(reset_deck=when).given(attempt(RUNA, 1, 1, "5H 1"), opening((RUNA,), (PIKE,)))

    assert told(story, "deck", RUNA) == (kept,)


@pytest.mark.parametrize(("when", "kept"), [("never", "25"), ("battle", "25"), ("session", "26")])
def test_a_session_may_begin_with_whole_decks(when: str, kept: str) -> None:
    story = table(reset_deck=when).given(attempt(RUNA, 1, 1, "5H 1"), c.OpenSession())

    assert told(story, "deck", RUNA) == (kept,)


# --- sheets and rulings -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "read"),
    [
        ("combat", "-3", -3),
        ("hp", "12", 12),
        ("faction", "River Folk", "river folk"),
        ("stealth", "3", 3),
        ("familiar", "a lame crow", "a lame crow"),
    ],
)
def test_a_sheet_holds_numbers_a_faction_and_abilities(key: str, value: str, read: int | str) -> None:
    assert read_sheet(key, value) == (key, read)


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("combat", "high", "combat is a whole number, not high: combat=4."),
        ("hp", "0", "A person begins with 1 hit point or more: hp=12."),
        ("faction", "7", "A faction has a name, such as players, friends or enemies, not 7."),
        ("engage", "3", "No stat can be called engage: rulings use that word for the target of a guard."),
    ],
)
def test_a_sheet_holds_nothing_else(key: str, value: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        read_sheet(key, value)

    assert refused.value.sentence == sentence


def ruled(who: int | None, what: str, op: str, value: int) -> c.Rule:
    setting = e.Setting.of({"person": who, "what": what, "op": op, "value": value})
    return c.Rule(sets=(setting,), text=WORDS)


def test_a_ruling_sets_hit_points_and_can_fell_a_fighter() -> None:
    story = begun()

    hurt = story.when(ruled(RUNA, "hp", "-=", 2))
    assert hurt.events[1:] == (w.NumberSet(who=RUNA, what="hp", value=10),)
    fallen = hurt.story.when(ruled(RUNA, "hp", "-=", 10))
    assert fallen.events[1:] == (
        w.NumberSet(who=RUNA, what="hp", value=0),
        w.Incapacitated(conflict=1, who=RUNA),
    )
    risen = fallen.story.when(ruled(RUNA, "hp", "=", 1))
    assert risen.events[1:] == (
        w.NumberSet(who=RUNA, what="hp", value=1),
        w.Recovered(conflict=1, who=RUNA),
    )
    assert told(risen.story, "down") == ()


def test_a_ruling_sets_any_other_number() -> None:
    story = begun()

    assert story.when(ruled(RUNA, "combat", "+=", 2)).events[1:] == (
        e.SheetChanged(person=RUNA, system="whiskey", values={"combat": 12}),
    )
    bare = given(*PEOPLE, opening((RUNA,), (PIKE,)))
    assert bare.when(ruled(RUNA, "combat", "=", 9)).events[1:] == (
        e.SheetChanged(person=RUNA, system="whiskey", values={"combat": 9}),
    )
    story.when(ruled(RUNA, "luck", "=", 2)).then_refused(
        "Runa has no luck; a ruling sets combat, base, die, hp, or whom a guard may engage."
    )
    story.when(ruled(None, "luck", "=", 2)).then_refused(
        "Say whose number, and which: ruling NAME.hp-=2: why."
    )


def test_new_hit_points_on_the_sheet_are_a_new_beginning() -> None:
    story = begun().given(ruled(RUNA, "hp", "=", 0), sheet(RUNA, hp=9))

    assert (told(story, "hp", RUNA), told(story, "down")) == (("9",), ())


def test_a_key_can_be_taken_from_a_sheet() -> None:
    story = table().given(e.SheetChanged(person=RUNA, system="whiskey", values={"stealth": None, "hp": None}))

    assert (told(story, "hp", RUNA), game_state(story.table).sheets[RUNA].stats) == ((), {})


def test_a_text_on_a_check_is_what_its_maker_declares() -> None:
    told_first = attempt(RUNA, 3, 12, "4H 2").but({"text": WORDS})

    assert table().when(told_first).events[0] == e.Declared(who=RUNA, text=WORDS)
