"""What a Whiskey table says and asks in a line, and what a refusal proposes (docs/rules/whiskey.md §9)."""

from __future__ import annotations

import pytest

from retold.games.whiskey import events as w
from retold.games.whiskey.commands import Check
from retold.games.whiskey.rules import Half
from retold.games.whiskey.state import Cards
from retold.journal.refused import Refused
from retold.journal.vocabulary import events as e
from tests.retold.games.whiskey.spoken import ANN, XENA, YUL, come_of, outlook, refusal, table, typed
from tests.scenario import Story


def clashing() -> Story:
    """Ann is stopped by Yul, who guards Xena."""
    return table(
        'conflict "x" whiskey Ann vs Xena+Yul',
        "declare Ann engage Xena",
        "declare Yul guard Xena",
        "declare Xena stand",
        "clash",
    )


# --- options ----------------------------------------------------------------------------------------------


def test_A9_one_may_be_out_at_less_than_nothing() -> None:
    story = table("option whiskey.incapacitated_at=-5", 'conflict "x" whiskey Ann vs Xena')

    assert come_of(story, "ruling Xena.hp=-4: Hurt.")[1:] == [w.NumberSet(who=XENA, what="hp", value=-4)]
    assert come_of(story, "ruling Xena.hp=-5: Down.")[2:] == [w.Incapacitated(conflict=1, who=XENA)]


def test_A9_a_person_who_is_out_is_judged_anew_where_the_table_says_another_number() -> None:
    story = table('conflict "x" whiskey Ann vs Xena+Yul', "ruling Xena.hp=4: Hurt.")
    sterner = typed(story, "option incapacitated_at=4")

    assert come_of(story, "option incapacitated_at=4")[1:] == [w.Incapacitated(conflict=1, who=XENA)]
    assert come_of(sterner, "option incapacitated_at=0")[1:] == [w.Recovered(conflict=1, who=XENA)]
    assert come_of(story, "option incapacitated_at=3")[1:] == []
    assert come_of(story, "option deck=whole")[1:] == []


def test_A9_a_person_who_falls_by_another_number_has_no_check_to_make() -> None:
    story = typed(clashing(), "ruling Yul.hp=4: Hurt.")

    assert come_of(story, "option incapacitated_at=4")[1:] == [
        w.Incapacitated(conflict=1, who=YUL),
        w.ClashDropped(conflict=1, one=YUL, other=ANN, gone=(YUL,)),
        w.PhaseEnded(conflict=1, phase=1),
    ]


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("whiskey.incapacitated_at=-x", "Whiskey knows incapacitated_at=0|any whole number, not -x."),
        ("whiskey.deck=half-deck", "Whiskey knows deck=halves|whole|d26, not half-deck."),
        (
            "edgerunner.fp_start=-1",
            "Edgerunner knows fp_start=5|any whole number from 0 on, not -1.",
        ),
    ],
)
def test_A9_what_an_option_may_be_is_said_as_it_is(said: str, sentence: str) -> None:
    assert refusal(table(), f"option {said}") == sentence


# --- names of several words -------------------------------------------------------------------------------


def test_A13_a_proposed_line_is_taken_when_it_is_typed() -> None:
    story = table(
        'cast "Axe goblin" whiskey combat=10 base=2 die=1 hp=20',
        "option whiskey.checker=player",
        'conflict "x" whiskey Ann vs "Axe goblin"',
        'clash "Axe goblin" Ann',
    )

    said = refusal(story, 'check "Axe goblin" Ann')
    assert said == (
        "In this clash Ann checks (option checker=player): "
        'check Ann "Axe goblin"; with checker=choose the person named checks.'
    )
    story = typed(story, 'check Ann "Axe goblin" = 5H 2', 'ruling "Axe goblin".hp=0: down')
    said = refusal(story, 'declare "Axe goblin" stand')
    assert said == 'Axe goblin is out of the fight; a ruling can change that (ruling "Axe goblin".hp=3: why).'
    typed(story, 'ruling "Axe goblin".hp=3: why')


# --- expect -----------------------------------------------------------------------------------------------


def test_A15_a_value_of_several_words_needs_no_quotes() -> None:
    typed(table(), "expect half Ann hearts and spades", 'expect half Ann "hearts and spades"')
    with pytest.raises(Refused, match="Expected half diamonds and clubs, found hearts and spades"):
        typed(table(), "expect half Ann diamonds and clubs")


def test_A16_names_are_shortened_in_what_is_expected_too() -> None:
    typed(clashing(), "expect clash Ann yu", "expect stopped an YUL", "expect intent Ann engage xe")
    with pytest.raises(Refused, match="Expected clash Xena, found Yul"):
        typed(clashing(), "expect clash Ann xe")
    # A word that is not a name there stays a word: nobody called Standish changes it.
    typed(
        table("cast Standish", 'conflict "x" whiskey Ann vs Xena', "declare Ann stand"),
        "expect intent Ann stand",
    )


def test_A17_somebodys_name_alone_asks_whether_they_were_stopped() -> None:
    typed(
        clashing(),
        "expect stopped Ann",
        "expect not stopped Yul",
        "expect clash Ann",
        "expect not clash Xena",
    )
    with pytest.raises(Refused, match="Expected stopped somebody, found nothing"):
        typed(clashing(), "expect stopped Yul")
    with pytest.raises(Refused, match="Expected stopped not Yul, found Yul"):
        typed(clashing(), "expect not stopped Ann")
    with pytest.raises(Refused, match="Expected clash somebody, found nothing"):
        typed(clashing(), "expect clash Xena")


# --- nobody -----------------------------------------------------------------------------------------------


def test_a_reserved_word_may_be_a_characters_name() -> None:
    story = table(
        "cast Nobody whiskey combat=10 base=2 die=1 hp=20",
        'conflict "x" whiskey Ann+Nobody vs Yul',
        "declare Yul guard: the gate",
    )

    ruled = typed(story, "ruling Yul.engage=Nobody: a name").events[-1]
    assert ruled == w.GuardAssigned(conflict=1, who=YUL, target=9)
    assert typed(story, "ruling Yul.engage=none: no name").events[-1] == w.GuardAssigned(conflict=1, who=YUL)
    assert isinstance(story.events[-1], w.IntentDeclared)
    assert isinstance(story.events[0], e.CastIntroduced)


# --- odds -------------------------------------------------------------------------------------------------


def odds(story: Story) -> list[str]:
    return [choice.comes_to for choice in outlook(story).choices if isinstance(choice.command, Check)]


def test_can_says_the_odds_and_the_damage_before_a_check() -> None:
    story = typed(clashing(), "cast Yul whiskey combat=13 die=-1 base=5")

    # Yul checks, or Ann by being named: from 13 against 10, and from 10 against 13.
    assert odds(story) == [
        "16 of 26 cards left pass: deals 0 to 4, or takes 3 to 8",
        "10 of 26 cards left pass: deals 3 to 8, or takes 0 to 4",
    ]


def test_the_odds_are_those_of_the_cards_that_are_left() -> None:
    story = typed(clashing(), "check Yul 0 vs 0 = KH 1", "check Yul 0 vs 0 = 2H 1", "check Yul 0 vs 0 = 3S 1")
    assert odds(story)[0] == "11 of 23 cards left pass: deals 3 to 8, or takes 3 to 8"

    whole = typed(story, "option whiskey.deck=whole")
    assert odds(whole)[0] == "24 of 49 cards left pass: deals 3 to 8, or takes 3 to 8"
    rolled = typed(story, "option whiskey.deck=d26", "cast Ann whiskey die=0")
    assert odds(rolled)[0] == "13 of 26 faces pass: deals 3 to 8, or takes 2"


# --- a deck shuffled early --------------------------------------------------------------------------------


def test_a_real_deck_may_be_shuffled_early() -> None:
    story = typed(table(), "check Ann 10 vs 12 = 5H 2")

    assert refusal(story, "shuffle Xena") == "The enemies deck is whole: nothing of it is out."
    for line in ("shuffle", "shuffle Bob"):
        assert come_of(story, line) == [
            w.DeckReshuffled(faction="players", half=Half.HEARTS_SPADES, why="asked")
        ]
    typed(story, "shuffle", "check Ann 10 vs 12 = 5H 2")


def test_the_half_in_play_stays_in_play() -> None:
    story = table(
        *(f"check Ann 1 vs 1 = {card} 1" for card in Cards().left(Half.HEARTS_SPADES)),
        "check Ann 1 vs 1 = 5D 1",
    )

    assert come_of(story, "shuffle Ann") == [
        w.DeckReshuffled(faction="players", half=Half.DIAMONDS_CLUBS, why="asked")
    ]


def test_whose_deck_is_shuffled_is_not_guessed() -> None:
    story = typed(clashing(), "check Ann 1 vs 1 = 5H 1", "check Yul 1 vs 1 = 5H 1")

    assert refusal(story, "shuffle") == (
        "Name one person who draws from the deck: shuffle NAME (players, enemies)."
    )
    assert come_of(story, "shuffle Yul")[0] == w.DeckReshuffled(
        conflict=1, faction="enemies", half=Half.HEARTS_SPADES, why="asked"
    )
    assert refusal(clashing(), "shuffle") == "Every Whiskey deck is whole: nothing is out."
    assert refusal(typed(story, "option whiskey.deck=d26"), "shuffle Ann") == (
        "This table rolls a d26 (option whiskey.deck=d26): there is no deck to shuffle."
    )


# --- places -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "proposed"),
    [
        ("declare Xena guard the bridge", "declare Xena guard: the bridge"),
        ("declare Xena guard bridge", "declare Xena guard: bridge"),
        ("declare Xena guard old bridge: Nobody.", "declare Xena guard: old bridge. Nobody."),
        ("declare Ann advance over the bridge", "declare Ann advance: over the bridge"),
    ],
)
def test_a_place_is_said_after_a_colon(line: str, proposed: str) -> None:
    story = table('conflict "x" whiskey Ann vs Xena+Yul')

    assert refusal(story, line) == f"A place follows a colon: {proposed}"
    typed(story, proposed)


def test_a_name_that_is_nearly_right_is_no_place() -> None:
    story = table("cast Old-Hob", 'conflict "x" whiskey Ann vs Xena+Yul')

    assert refusal(story, "declare Xena guard Yulla") == "There is no “Yulla” here. Did you mean Yul?"
    assert "Quote it" in refusal(story, "declare Xena guard Old Hob")
    assert "place" not in refusal(table(), "declare Xena guard the bridge")


def test_of_two_places_the_table_rules_who_is_elsewhere() -> None:
    story = table(
        'conflict "x" whiskey Ann vs Xena+Yul',
        "declare Xena guard: the bridge",
        "declare Yul guard: the stairs",
        "declare Ann advance: over the bridge",
        "ruling Yul.engage=nobody: The stairs are elsewhere.",
        "clash",
    )

    typed(story, "expect clash Ann Xena", "expect not clash Yul", "expect stopped Ann Xena")
