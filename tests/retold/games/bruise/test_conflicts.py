"""Bruise at the table: given what happened, when a command, then the whole list of events."""

from __future__ import annotations

import pytest

from retold.games.bruise import events as b
from retold.games.bruise.commands import Award, ChooseColour, Quality, SpendKarma, Tilt
from retold.games.bruise.state import conflict_state, game_state
from retold.journal.decks.chance import Luck, StackedDealer
from retold.journal.line import decide
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import LIMIT, Command, Words
from tests.scenario import Story, cast, given

ZEL, GUARDS, ANA = 1, 2, 3
JON = 4
HAND = ("JH", "JD", "10S", "7C", "4C", "3D")


def duel(*, tied: str | None = None, **options: str) -> Story:
    """Zel, played by Jon, against the Guards, who have no sheet."""
    return given(
        *cast("Zel"),
        e.CastIntroduced(person=GUARDS, name=Words("Guards"), role="side"),
        *cast("Ana", "Jon", first=3),
        e.PlayerSeated(person=ZEL, player=JON),
        e.SheetChanged(
            person=ZEL, system="bruise", values={"clubs": 4, "melee": 2, "meme.spite": 3, "meme.pride": 1}
        ),
        *(e.OptionSet(system="bruise", key=key, value=value) for key, value in options.items()),
        e.ConflictOpened(
            conflict=1, system="bruise", sides=((ZEL,), (GUARDS,)), setup={"tied": tied} if tied else {}
        ),
    )


def drawn(who: int, deck: int, *cards: str, purpose: str = "hand") -> e.CardsDrawn:
    return e.CardsDrawn(conflict=1, who=who, deck=f"bruise:{deck}", cards=cards, purpose=purpose)


def showed(who: int, quality: int, quantity: int | None = None) -> b.QualityDeclared:
    return b.QualityDeclared(conflict=1, who=who, quality=quality, quantity=quantity)


ZEL_DREW = c.Draw(who=ZEL, traits=("clubs", "melee"), results=HAND)
ASSIGNED = b.TraitsAssigned(conflict=1, who=ZEL, attribute="clubs", skill="melee", cards=6)
ZEL_WON = b.HandWon(
    conflict=1, winner=ZEL, loser=GUARDS, quality=11, against=9, quantity=3, colours=("hearts", "diamonds")
)


def test_BR_01_a_hand_of_six_beats_a_nine_three_times_over() -> None:
    story = duel().when(ZEL_DREW).then(ASSIGNED, drawn(ZEL, JON, *HAND))

    story.when(Quality(who=GUARDS, rank="9")).then(showed(GUARDS, 9), showed(ZEL, 11), ZEL_WON)


def test_BR_01_the_winner_chooses_among_the_suits_of_the_jacks() -> None:
    won = duel().given(ZEL_DREW, Quality(who=GUARDS, rank="9"))

    won.when(ChooseColour(suit="hearts")).then(b.ColorChosen(conflict=1, who=ZEL, colour="hearts"))
    won.when(ChooseColour(suit="spades")).then_refused(
        "Zel's highest cards are hearts and diamonds: spades is not among them."
    )


def test_BR_01_a_good_telling_earns_a_legacy_point() -> None:
    duel().when(Award(who=ZEL)).then(b.LegacyAwarded(who=ZEL, points=1, total=1))


@pytest.mark.parametrize(
    "command",
    [
        Award(who=ZEL, points=LIMIT),
        c.Rule(text=Words("More."), sets=(e.Setting(person=ZEL, what="legacy", op="+=", value=LIMIT),)),
    ],
)
def test_a_sum_too_large_for_the_record_is_refused_in_a_sentence(command: Command) -> None:
    duel().given(Award(who=ZEL)).when(command).then_refused(
        "This comes to too large a number: the record keeps up to 9007199254740992. Say a smaller one."
    )


def test_BR_02_one_card_reaches_the_queen_and_its_suit_is_the_colour() -> None:
    hand = ("KS", "10H", "8D", "7C", "5S", "3H", "2C")
    story = duel().given(c.Draw(who=ZEL, count=7, results=hand))

    story.when(Quality(who=GUARDS, rank="queen")).then(
        showed(GUARDS, 12),
        showed(ZEL, 13),
        b.HandWon(
            conflict=1, winner=ZEL, loser=GUARDS, quality=13, against=12, quantity=1, colours=("spades",)
        ),
    )


def test_BR_03_one_opposing_hand_is_compared_with_each_player() -> None:
    story = given(
        *cast("Zel", "Monsters", "Ana"),
        e.ConflictOpened(conflict=1, system="bruise", sides=((1, 3), (2,))),
        c.Draw(who=1, count=2, results=("10C", "9D")),
        c.Draw(who=3, count=3, results=("QH", "JC", "2S")),
    )

    story.when(c.Draw(who=2, count=2), dealt="JD 8S").then(
        drawn(2, 0, "JD", "8S"),
        showed(1, 10),
        showed(3, 12),
        showed(2, 11),
        b.HandWon(conflict=1, winner=2, loser=1, quality=11, against=10, quantity=1, colours=("diamonds",)),
        b.HandWon(conflict=1, winner=3, loser=2, quality=12, against=11, quantity=2, colours=("hearts",)),
    )


def test_BR_06_a_tilt_towards_destiny_makes_six_and_four_and_caps_the_karma() -> None:
    story = (
        duel()
        .when(Tilt(who=ZEL, potential="destiny"))
        .then(b.WheelTilted(who=ZEL, destiny=6, fate=4, karma_destiny=5, karma_fate=4))
    )

    assert game_state(story.table).sheet(ZEL).wheel.destiny == 6


def test_BR_07_karma_after_quality_is_refused() -> None:
    story = duel(tied="destiny").given(ZEL_DREW, Quality(who=ZEL))

    story.when(SpendKarma(who=ZEL, potential="destiny", cards=("3D",), results=("KS",))).then_refused(
        "Zel has shown: Karma is spent before Quality is declared."
    )


def test_karma_throws_cards_away_and_draws_as_many() -> None:
    story = duel(tied="destiny").given(ZEL_DREW)

    after = story.when(
        SpendKarma(who=ZEL, potential="destiny", cards=("3d", "4 of clubs"), results=("KS", "9H"))
    ).then(
        b.KarmaSpent(conflict=1, who=ZEL, potential="destiny", discarded=("3D", "4C"), left=4),
        drawn(ZEL, JON, "KS", "9H", purpose="karma"),
    )
    assert conflict_state(after.table.conflicts[1]).hands[ZEL].cards == ["JH", "JD", "10S", "7C", "KS", "9H"]


@pytest.mark.parametrize(
    ("tied", "command", "sentence"),
    [
        (
            "fate",
            SpendKarma(who=ZEL, potential="destiny", cards=("3D",)),
            "This conflict is tied to fate: Karma of destiny does not reach it.",
        ),
        (
            None,
            SpendKarma(who=ZEL, potential="destiny", cards=("3D",)),
            "This conflict is tied to neither end of the Wheel: Karma of destiny does not reach it.",
        ),
        (
            "fate",
            SpendKarma(who=ZEL, potential="fate", cards=("KS",)),
            "Zel does not hold KS. In hand: JH JD 10S 7C 4C 3D.",
        ),
        (
            "fate",
            SpendKarma(who=GUARDS, potential="fate", cards=("KS",)),
            "Guards has not drawn yet.",
        ),
    ],
)
def test_karma_is_refused_where_it_does_not_reach(
    tied: str | None, command: SpendKarma, sentence: str
) -> None:
    duel(tied=tied).given(ZEL_DREW).when(command).then_refused(sentence)


def test_karma_is_spent_once_a_draw_unless_the_table_plays_otherwise() -> None:
    once = SpendKarma(who=ZEL, potential="destiny", cards=("3D",), results=("KS",))
    again = SpendKarma(who=ZEL, potential="destiny", cards=("4C",), results=("KH",))

    duel(tied="destiny").given(ZEL_DREW, once).when(again).then_refused(
        "Zel has spent Karma on this draw already."
    )
    duel(tied="destiny", karma_per_draw="2").given(ZEL_DREW, once, again)


def test_no_karma_is_left_when_the_last_point_is_gone() -> None:
    story = duel(tied="fate").given(b.NumberSet(who=ZEL, what="karma fate", value=0), ZEL_DREW)

    story.when(SpendKarma(who=ZEL, potential="fate", cards=("3D",))).then_refused(
        "Zel has no Karma of fate left."
    )


def test_a_table_may_keep_karma_for_players() -> None:
    story = duel(tied="fate", npc_karma="no").given(c.Draw(who=GUARDS, count=2, results=("2C", "3C")))

    story.when(SpendKarma(who=GUARDS, potential="fate", cards=("2C",))).then_refused(
        "Guards has no player, and at this table only players' characters have Karma."
    )


def test_cards_thrown_away_do_not_come_back_this_turn() -> None:
    story = duel(tied="fate", karma_per_draw="2").given(
        ZEL_DREW, SpendKarma(who=ZEL, potential="fate", cards=("3D",), results=("KS",))
    )

    story.when(SpendKarma(who=ZEL, potential="fate", cards=("4C",), results=("3D",))).then_refused(
        "3D is out already: it was discarded this turn."
    )


def test_a_card_in_somebodys_hand_cannot_be_drawn_from_the_same_deck() -> None:
    story = given(
        *cast("Zel"),
        e.CastIntroduced(person=2, name=Words("Guards"), role="side"),
        e.CastIntroduced(person=3, name=Words("Dogs"), role="side"),
        e.ConflictOpened(conflict=1, system="bruise", sides=((1,), (2, 3))),
        c.Draw(who=2, count=1, results=("JH",)),
    )

    story.when(c.Draw(who=3, count=1, results=("JH",))).then_refused("JH is out already: Guards holds it.")


def test_the_same_card_twice_in_one_hand_is_refused() -> None:
    duel().when(c.Draw(who=ZEL, count=2, results=("JH", "JH"))).then_refused("JH is given twice.")


def test_a_meme_replaces_the_skill() -> None:
    duel().when(c.Draw(who=ZEL, traits=("clubs", "spite")), dealt="2C 3C 4C 5C 6C 7C 8C").then(
        b.TraitsAssigned(conflict=1, who=ZEL, attribute="clubs", meme="spite", cards=7),
        drawn(ZEL, JON, "2C", "3C", "4C", "5C", "6C", "7C", "8C"),
    )


def test_a_meme_replaces_the_attribute() -> None:
    duel().when(c.Draw(who=ZEL, traits=("spite", "melee")), dealt="2C 3C 4C 5C 6C").then(
        b.TraitsAssigned(conflict=1, who=ZEL, skill="melee", meme="spite", cards=5),
        drawn(ZEL, JON, "2C", "3C", "4C", "5C", "6C"),
    )


@pytest.mark.parametrize(
    ("traits", "sentence"),
    [
        (("spite", "pride"), "Memes do not stack: choose one of the two."),
        (("clubs",), "A hand is drawn for one attribute and one skill, or a meme in place of either."),
        (
            ("clubs", "dancing"),
            (
                "Zel has no dancing (on the sheet: clubs, melee, spite, pride)."
                " Add it: cast Zel bruise dancing=2."
            ),
        ),
        (("clubs", "m"), None),
    ],
)
def test_traits_are_one_of_each_kind(traits: tuple[str, ...], sentence: str | None) -> None:
    wish = duel().when(c.Draw(who=ZEL, traits=traits), dealt="2C 3C 4C 5C 6C 7C")

    if sentence is None:
        assert wish.events[0] == ASSIGNED
    else:
        wish.then_refused(sentence)


def test_two_skills_ask_which_is_a_meme() -> None:
    story = duel().given(e.SheetChanged(person=ZEL, system="bruise", values={"dodge": 2}))

    story.when(c.Draw(who=ZEL, traits=("melee", "dodge"))).then_refused(
        "Neither melee nor dodge is an attribute; if one is a meme, say so once: cast Zel meme.dodge=2."
    )


@pytest.mark.parametrize(("jokers", "most"), [("0", 52), ("2", 54)])
def test_ratings_above_the_deck_draw_the_whole_deck(jokers: str, most: int) -> None:
    story = duel(jokers=jokers).given(e.SheetChanged(person=ZEL, system="bruise", values={"clubs": 60}))

    table = story.table
    events = decide(
        table, c.Draw(who=ZEL, traits=("clubs", "melee")), Luck(StackedDealer(_whole_deck(int(jokers))))
    )
    assert isinstance(events[1], e.CardsDrawn)
    assert len(events[1].cards) == most


@pytest.mark.parametrize(("jokers", "most"), [("0", 52), ("2", 54)])
def test_a_number_said_above_the_deck_is_refused(jokers: str, most: int) -> None:
    for count in (-1, most + 1, 99):
        duel(jokers=jokers).when(c.Draw(who=GUARDS, count=count)).then_refused(
            f"A deck has {most} cards, so a draw is 0 to {most} of them, not {count}."
        )


def _whole_deck(jokers: int) -> tuple[str, ...]:
    cards = (f"{rank}{suit}" for suit in "SHDC" for rank in (*"A23456789", "10", *"JQK"))
    return (*cards, *("joker",) * jokers)


def test_a_draw_of_nothing_has_quality_nought() -> None:
    duel().given(ZEL_DREW).when(c.Draw(who=GUARDS, count=0)).then(
        drawn(GUARDS, 0),
        showed(ZEL, 11),
        showed(GUARDS, 0),
        b.HandWon(
            conflict=1,
            winner=ZEL,
            loser=GUARDS,
            quality=11,
            against=0,
            quantity=6,
            colours=("hearts", "diamonds"),
        ),
    )


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (c.Draw(who=ZEL), "Say what Zel draws for: draw Zel clubs+melee, or draw Zel 4."),
        (c.Draw(count=3), "Say who draws: Zel, Guards."),
        (c.Draw(who=ANA, count=3), "Ana is on no side of this conflict."),
        (c.Draw(who=ZEL, count=3, results=("JH",)), "3 cards are drawn here and 1 was given."),
        (c.Draw(who=ZEL, count=1, results=("JH", "JD")), "1 result too many: JD."),
    ],
)
def test_draws_that_cannot_be(command: c.Draw, sentence: str) -> None:
    duel().when(command).then_refused(sentence)


def test_a_second_draw_in_a_turn_is_refused() -> None:
    duel().given(ZEL_DREW).when(ZEL_DREW).then_refused("Zel has drawn already this turn.")


def test_a_static_difficulty_is_a_rank_and_meeting_it_is_enough() -> None:
    story = duel(difficulty="static")

    met = story.given(ZEL_DREW).when(Quality(who=GUARDS, rank="J"))
    assert met.events[-1] == b.HandWon(
        conflict=1,
        winner=ZEL,
        loser=GUARDS,
        quality=11,
        against=11,
        quantity=2,
        colours=("hearts", "diamonds"),
    )


# --- ties -------------------------------------------------------------------------------------------------


def tied_hands(**options: str) -> Story:
    """Zel holds a jack and a seven, the Guards a jack and a nine."""
    return duel(**options).given(c.Draw(who=ZEL, count=2, results=("JH", "7C")))


GUARDS_DREW = c.Draw(who=GUARDS, count=2, results=("JS", "9S"))
TIE = b.HandsTied(conflict=1, one=ZEL, other=GUARDS, quality=11)


def won(winner: int, loser: int, suit: b.Suit, quantity: int = 1) -> b.HandWon:
    return b.HandWon(
        conflict=1, winner=winner, loser=loser, quality=11, against=11, quantity=quantity, colours=(suit,)
    )


def test_a_tie_waits_for_the_table_and_a_ruling_settles_it() -> None:
    story = tied_hands().given(GUARDS_DREW)

    assert story.events[-1] == TIE
    story.when(c.Narrate(text=Words("Mine."))).then_refused(
        "Zel and Guards are tied: who takes the hand? Answer with: Zel, Guards."
        " Rule on that first (ruling Zel: why)."
    )
    story.when(c.Rule(answer=ZEL, text=Words("Steel before nerve."))).then(
        e.RulingMade(conflict=1, question="tie", answer=ZEL, text=Words("Steel before nerve.")),
        won(ZEL, GUARDS, "hearts"),
    )


@pytest.mark.parametrize(
    ("option", "outcome"),
    [
        ("next_card", won(GUARDS, ZEL, "spades")),
        ("actor", won(ZEL, GUARDS, "hearts")),
        ("opposition", won(GUARDS, ZEL, "spades")),
        ("redraw", b.HandsTied(conflict=1, one=ZEL, other=GUARDS, quality=11, redraw=True)),
        ("ask", TIE),
    ],
)
def test_what_a_tie_comes_to_under_each_option(option: str, outcome: b.HandsTied | b.HandWon) -> None:
    assert tied_hands(tie=option).when(GUARDS_DREW).events[-1] == outcome


def test_after_a_redraw_both_draw_as_many_again_without_the_old_cards() -> None:
    story = tied_hands(tie="redraw").given(GUARDS_DREW)

    story.when(c.Draw(who=ZEL, results=("JH", "2C"))).then_refused(
        "JH is out already: it was discarded this turn."
    )
    story.when(c.Draw(who=ZEL, results=("KH", "2C"))).then(drawn(ZEL, JON, "KH", "2C"))


def three_hands(**options: str) -> Story:
    """Zel and Ana have drawn against the Guards, whose two cards make all three hands alike."""
    return given(
        *cast("Zel", "Guards", "Ana"),
        *(e.OptionSet(system="bruise", key=key, value=value) for key, value in options.items()),
        e.ConflictOpened(conflict=1, system="bruise", sides=((ZEL, ANA), (GUARDS,))),
        c.Draw(who=ZEL, count=1, results=("JH",)),
        c.Draw(who=ANA, count=3, results=("JC", "10C", "2S")),
        GUARDS_DREW,
    )


def test_several_ties_are_asked_one_after_the_other() -> None:
    story = three_hands()
    why = Words("Numbers tell.")

    story.when(c.Rule(answer=ANA, text=why)).then_refused(
        "Zel and Guards are tied: who takes the hand? Answer with: Zel, Guards."
    )
    first = story.when(c.Rule(answer=GUARDS, text=why)).then(
        e.RulingMade(conflict=1, question="tie", answer=GUARDS, text=why), won(GUARDS, ZEL, "spades")
    )
    first.when(c.Rule(answer=ANA, text=why)).then(
        e.RulingMade(conflict=1, question="tie", answer=ANA, text=why), won(ANA, GUARDS, "clubs")
    )


def test_a_person_who_ties_with_two_draws_anew_as_many_as_before() -> None:
    story = three_hands(tie="redraw")

    assert conflict_state(story.table.conflicts[1]).due == {ZEL: 1, GUARDS: 2, ANA: 3}


# --- after the hand ---------------------------------------------------------------------------------------


def test_the_loser_does_not_narrate() -> None:
    story = duel().given(ZEL_DREW, Quality(who=GUARDS, rank="9"))

    story.when(c.Narrate(who=GUARDS, text=Words("She falls."))).then_refused(
        "It is Zel who won, and the winner narrates."
    )
    story.when(c.Narrate(text=Words("Down the stair."))).then(
        e.Narrated(who=ZEL, text=Words("Down the stair."), conflict=1)
    )


def test_the_tale_weaver_narrates_for_a_winner_without_a_player() -> None:
    story = duel().given(c.Draw(who=ZEL, count=1, results=("2C",)), Quality(who=GUARDS, rank="9"))

    story.when(c.Narrate(who=0, text=Words("They close ranks."))).then(
        e.Narrated(who=0, text=Words("They close ranks."), conflict=1)
    )


def test_nothing_is_narrated_before_a_hand_has_come_out() -> None:
    duel().when(c.Narrate(who=ZEL, text=Words("I win."))).then_refused(
        "Nothing has come out yet, so there is nothing to narrate: draw and show first."
        " The Tale Weaver sets the scene: narrate gm: TEXT."
    )


def test_hands_wait_to_be_shown_while_karma_is_possible() -> None:
    story = duel(tied="destiny").given(ZEL_DREW)

    story.when(c.Draw(who=GUARDS, count=1, results=("9C",))).then(drawn(GUARDS, 0, "9C"))
    both = story.given(c.Draw(who=GUARDS, count=1, results=("9C",)))
    both.when(ChooseColour(who=ZEL, suit="diamonds")).then(
        showed(ZEL, 11), showed(GUARDS, 9), ZEL_WON, b.ColorChosen(conflict=1, who=ZEL, colour="diamonds")
    )


def test_a_hand_called_out_wrongly_is_told_what_the_cards_show() -> None:
    duel().given(ZEL_DREW).when(Quality(who=ZEL, rank="K")).then_refused(
        "Zel called K, but the cards recorded show J."
    )


def test_unnamed_cards_leave_the_quantity_open() -> None:
    story = duel().given(c.Draw(who=ZEL, count=3, results=("JH", "_", "_")))

    assert story.when(Quality(who=GUARDS, rank="9")).events[-1] == b.HandWon(
        conflict=1, winner=ZEL, loser=GUARDS, quality=11, against=9, quantity=None, colours=("hearts",)
    )


def test_the_tale_weaver_edits_and_may_strike() -> None:
    told = duel().given(ZEL_DREW, Quality(who=GUARDS, rank="9"), c.Narrate(text=Words("All of them fall.")))
    position = len(told.events)

    told.when(c.Overrule(by=0, whose=ZEL, text=Words("Two of them."))).then(
        e.NarrationOverruled(
            conflict=1, by=0, whose=ZEL, narration=position, how="edit", text=Words("Two of them.")
        )
    )
    struck = told.given(c.Overrule(by=0, whose=ZEL, veto=True, text=Words("No.")))
    struck.when(c.Overrule(by=0, whose=ZEL, veto=True, text=Words("No."))).then_refused(
        "Zel has no narration to strike."
    )
    told.when(c.Overrule(by=ZEL, whose=ZEL, text=Words("Oh."))).then_refused(
        "Only the game master has a veto: overrule gm NAME --veto: why."
    )


def test_the_next_declaration_begins_a_turn_with_full_decks() -> None:
    told = duel().given(ZEL_DREW, Quality(who=GUARDS, rank="9"), c.Narrate(text=Words("Down.")))

    again = told.when(c.Declare(who=ZEL, text=Words("And out."))).then(
        b.TurnEnded(conflict=1, turn=1), e.Declared(who=ZEL, text=Words("And out."), conflict=1)
    )
    again.when(c.Draw(who=ZEL, count=1, results=("JH",))).then(drawn(ZEL, JON, "JH"))
    again.when(c.Declare(who=ZEL, text=Words("No, wait."))).then_refused(
        "Zel has declared already this turn."
    )


def test_a_new_turn_leaves_the_cards_of_another_conflict_where_they_lie() -> None:
    sides = (
        e.CastIntroduced(person=person, name=Words(name), role="side")
        for person, name in ((3, "Guards"), (4, "Wolves"))
    )
    story = given(
        *cast("Zel", "Ana"),
        *sides,
        c.OpenConflict(system="bruise", sides=((1,), (3,))),
        c.OpenConflict(system="bruise", sides=((2,), (4,))),
        c.Draw(who=3, count=1, results=("5H",), conflict=1),
        c.Draw(who=2, count=1, results=("KD",), conflict=2),
        c.Draw(who=4, count=1, results=("2D",), conflict=2),
    )

    # The Guards and the Wolves both draw from the Tale Weaver's deck.
    story.when(c.Draw(who=4, count=1, results=("5H",), conflict=2)).then_refused(
        "5H is out already: Guards holds it."
    )
    story.when(c.Draw(who=4, count=1, results=("2D",), conflict=2)).then(
        b.TurnEnded(conflict=2, turn=1),
        e.CardsDrawn(conflict=2, who=4, deck="bruise:0", cards=("2D",), purpose="hand"),
    )


def test_karma_is_filled_up_when_an_evening_begins() -> None:
    spent = SpendKarma(who=ZEL, potential="destiny", cards=("3D",), results=("KS",))
    story = duel(tied="destiny").given(ZEL_DREW, spent)

    story.when(c.OpenSession()).then(e.SessionOpened(session=1), b.KarmaRefilled(people=(ZEL,)))
    given().when(c.OpenSession()).then(e.SessionOpened(session=1))


def test_a_ruling_sets_legacy_karma_wheel_and_traits() -> None:
    sets = (
        e.Setting(person=ZEL, what="legacy", op="+=", value=2),
        e.Setting(person=ZEL, what="karma-fate", op="-=", value=1),
        e.Setting(person=ZEL, what="destiny", op="=", value=7),
        e.Setting(person=ZEL, what="melee", op="=", value=3),
    )
    why = Words("As agreed.")

    duel().when(c.Rule(sets=sets, text=why)).then(
        e.RulingMade(conflict=1, sets=sets, text=why),
        b.NumberSet(who=ZEL, what="legacy", value=2),
        b.NumberSet(who=ZEL, what="karma fate", value=4),
        b.WheelTilted(who=ZEL, destiny=7, fate=3, karma_destiny=5, karma_fate=3),
        e.SheetChanged(person=ZEL, system="bruise", values={"melee": 3}),
    )


def test_numbers_set_together_are_set_one_after_the_other() -> None:
    sets = (
        e.Setting(person=ZEL, what="karma-fate", op="-=", value=2),
        e.Setting(person=ZEL, what="fate", op="=", value=4),
    )
    why = Words("A broken oath.")

    duel().when(c.Rule(sets=sets, text=why)).then(
        e.RulingMade(conflict=1, sets=sets, text=why),
        b.NumberSet(who=ZEL, what="karma fate", value=3),
        b.WheelTilted(who=ZEL, destiny=6, fate=4, karma_destiny=5, karma_fate=3),
    )


def test_a_meme_stays_a_meme_when_a_ruling_sets_it() -> None:
    sets = (e.Setting(person=ZEL, what="spite", op="+=", value=1),)
    why = Words("It festers.")

    story = duel().when(c.Rule(sets=sets, text=why))
    story.then(
        e.RulingMade(conflict=1, sets=sets, text=why),
        e.SheetChanged(person=ZEL, system="bruise", values={"meme.spite": 4}),
    )
    sheet = game_state(story.story.table).sheet(ZEL)
    assert (sheet.traits["spite"], sheet.memes) == (4, {"spite", "pride"})


def test_a_conflict_of_bruise_ends_with_its_cards_back() -> None:
    duel().given(ZEL_DREW).when(c.End(what="conflict")).then(
        b.TurnEnded(conflict=1, turn=1), e.ConflictEnded(conflict=1, how="ended")
    )


def test_a_conflict_is_tied_to_destiny_or_fate_and_nothing_else() -> None:
    story = given(*cast("Zel", "Guards"))

    story.when(c.OpenConflict(system="bruise", sides=((1,), (2,)), setup={"tied": "luck"})).then_refused(
        "A conflict is tied to destiny or to fate, not to luck."
    )
