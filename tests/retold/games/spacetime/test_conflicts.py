from __future__ import annotations

import pytest

from retold.games.spacetime import events as s
from retold.games.spacetime.commands import DesireOutcome, Postpone, Reformulate, pending, turn
from retold.games.spacetime.facts import FACTS
from retold.games.spacetime.rules import Level, Result, Rule
from retold.games.spacetime.state import EVOLVE, conflict_state, game_state
from retold.journal.capabilities import Balance, Deck, HasBalance, HasDecks, HasRows, Picture, Row
from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.decks.spacetime import DECK
from retold.journal.language.proposed import available_actions
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import YET_TO_FIND, Command, Words
from tests.retold.games.spacetime.at_the_table import (
    ADA,
    BALANCED,
    BEA,
    CAST,
    CY,
    DEE,
    GM,
    WORDS,
    balance_set,
    begun,
    declare,
    declared,
    draw,
    drawn,
    ended,
    flow,
    narrate,
    narrated,
    opening,
    option,
    overwhelming,
    pair,
    round_ended,
    shuffled,
    tactics,
    told,
    unbalanced,
)
from tests.scenario import Story, cast, given

FOUR = ((ADA,), (BEA,), (CY,), (DEE,))


def ready(*sides: tuple[int, ...], options: dict[str, str] | None = None, **setup: str | int) -> Story:
    """A conflict in which everybody has stated a tactic."""
    story = begun(*sides, options=options, **setup)
    return story.given(*tactics(*story.table.conflicts[1].leads))


# --- every event, every command ---------------------------------------------------------------------------


def test_every_event_of_its_own_has_a_handler() -> None:
    assert set(SYSTEMS["spacetime"].events) <= set(EVOLVE)


def test_the_state_can_say_what_views_ask() -> None:
    table = begun().table

    assert isinstance(table.conflicts[1].state, HasBalance)
    assert isinstance(table.shelves["spacetime"], HasDecks)
    assert isinstance(table.shelves["spacetime"], HasRows)


# --- setting up: docs/rules/spacetime.md §3 ---------------------------------------------------------------


def test_a_conflict_opens_balanced_and_with_tokens_for_all() -> None:
    given(*CAST).when(opening()).then(
        e.ConflictOpened(conflict=1, system="spacetime", sides=((ADA,), (BEA,))),
        balance_set(BALANCED),
        s.TokensGiven(people=(GM, ADA, BEA), each=3),
    )


def test_the_balance_to_begin_with_is_kept_by_id_and_not_by_name() -> None:
    given(*CAST).when(opening(balance="unbalanced:bea")).then(
        e.ConflictOpened(conflict=1, system="spacetime", sides=((ADA,), (BEA,))),
        balance_set(unbalanced(BEA)),
        s.TokensGiven(people=(GM, ADA, BEA), each=3),
    )


def test_a_member_means_the_party_kept_under_its_first_member() -> None:
    story = begun((ADA, CY), (BEA,), balance="overwhelming:Cy")

    scale = ("balanced", "unbalanced", "overwhelming", "victory")
    stands = Balance(1, "overwhelming", ADA, scale)
    assert story.table.conflicts[1].state.balance(1) == stands  # type: ignore[attr-defined]
    story.when(declare(CY)).then(declared(CY))


@pytest.mark.parametrize(
    ("balance", "sentence"),
    [
        ("even", "A Balance is balanced|unbalanced:NAME|overwhelming:NAME, not even."),
        (
            "unbalanced",
            "A Balance is balanced|unbalanced:NAME|overwhelming:NAME; say whom it favours: unbalanced:NAME.",
        ),
        (
            "balanced:Ada",
            "A Balance is balanced|unbalanced:NAME|overwhelming:NAME; balanced favours nobody.",
        ),
        ("victory:Ada", "A conflict begins as balanced|unbalanced:NAME|overwhelming:NAME."),
        ("unbalanced:Xyz", "There is no “Xyz” here."),
        ("unbalanced:3", "Cy is on no side of this conflict."),
    ],
)
def test_what_no_conflict_begins_with(balance: str, sentence: str) -> None:
    given(*CAST).when(opening(balance=balance)).then_refused(sentence)


def test_the_balance_may_favour_a_new_character() -> None:
    fair = Words("Fair")
    new = c.OpenConflict(
        system="spacetime",
        sides=((ADA,), (fair,)),
        setup={"balance": "unbalanced"},
        people={"balance": fair},
    )

    given(*CAST).when(new).then(
        e.CastIntroduced(person=5, name=fair, role="side"),
        e.ConflictOpened(conflict=1, system="spacetime", sides=((ADA,), (5,))),
        balance_set(unbalanced(5)),
        s.TokensGiven(people=(GM, ADA, 5), each=3),
    )


def test_a_conflict_takes_two_parties_or_more() -> None:
    given(*CAST).when(opening((ADA,))).then_refused("A conflict needs two sides or more: Zel vs Guards.")


def test_a_second_outcome_is_desired_before_rounds_begin_and_not_after() -> None:
    desire = DesireOutcome(who=ADA, text=WORDS)

    begun().given(desire).when(desire).then(s.OutcomeDesired(conflict=1, who=ADA, text=WORDS))
    ready().given(desire, draw(ADA, "T14")).when(desire).then_refused(
        "Rounds have begun: another outcome is a reformulation (reformulate Ada: why)."
    )


def test_nothing_is_kept_on_a_sheet() -> None:
    given(*CAST).when(c.Cast(who=ADA, system="spacetime", values={"unknown": 4})).then_refused(
        "Space·Time keeps no sheet, so no unknown=4: declare NAME unknown=4: the means."
    )


# --- tactics: §4 ------------------------------------------------------------------------------------------


def test_drawing_waits_for_all_tactics() -> None:
    begun(*FOUR).given(*tactics(ADA, CY)).when(draw(ADA, "T14")).then_refused(
        "Tactics come before cards, and these have stated none this round: Bea, Dee."
    )


def test_a_table_may_do_without_tactics() -> None:
    begun(options={"require_tactics": "no"}).when(draw(ADA, "T14")).then(drawn(ADA, "T14"))


def test_the_last_who_has_no_tactic_need_not_be_named() -> None:
    begun().given(declare(ADA)).when(declare(None)).then(declared(BEA))
    begun().when(declare(None)).then_refused("Say who states a tactic: Ada, Bea.")


def test_a_tactic_is_stated_once_a_round_and_anew_with_the_next() -> None:
    story = ready()

    story.when(declare(ADA)).then_refused(
        "Ada has stated a tactic this round: the next is stated after the flow."
    )
    story.given(draw(None, "T14 T4")).when(declare(ADA)).then(round_ended(), declared(ADA))


def test_with_a_new_round_tactics_are_due_again() -> None:
    ready().given(draw(None, "T14 T4")).when(draw()).then_refused(
        "Tactics come before cards, and these have stated none this round: Ada, Bea."
    )


def test_a_tactic_has_no_numbers() -> None:
    begun().when(declare(ADA, unknown=4)).then_refused(
        "A tactic takes no key=value: declare NAME: the tactic."
    )


def test_the_text_of_a_draw_is_the_drawers_tactic() -> None:
    begun().given(declare(BEA)).when(c.Draw(who=ADA, results=("T14",), text=WORDS)).then(
        declared(ADA), drawn(ADA, "T14")
    )
    ready().when(c.Draw(results=("T14", "T4"), text=WORDS)).then_refused(
        "A text on a draw is one party's tactic: draw NAME: the tactic."
    )


# --- draws and flow: §4, §5 -------------------------------------------------------------------------------


def test_ST_01_the_highest_triumph_of_four_takes_the_advantage() -> None:
    story = (
        ready(*FOUR)
        .when(draw(None, "T14 T4 serpent:soldier T16"))
        .then(
            drawn(ADA, "T14"),
            drawn(BEA, "T4"),
            drawn(CY, "serpent:soldier"),
            drawn(DEE, "T16"),
            flow(
                Rule.WIN,
                BALANCED,
                unbalanced(DEE),
                pair(DEE, "T16", ADA, "T14"),
                pair(DEE, "T16", BEA, "T4"),
                pair(DEE, "T16", CY, "serpent:soldier"),
                order=(DEE, ADA, BEA, CY),
            ),
        )
    )

    assert told(story, "balance") == ("unbalanced", "Dee")
    assert told(story, "flow") == ("win",)
    assert told(story, "hand", CY) == ("serpent:soldier",)


def test_ST_04_the_excuse_leaves_balanced_as_it_is_and_its_drawer_draws_once_more() -> None:
    ready().when(draw(), "Excuse T4 T9").then(
        drawn(ADA, "Excuse"),
        drawn(BEA, "T4"),
        flow(Rule.EXCUSE, BALANCED, BALANCED),
        s.ExcuseDiscarded(conflict=1, who=ADA),
        drawn(ADA, "T9", "narration"),
    )


def test_ST_04_the_excuse_eases_unbalanced_whatever_else_would_win() -> None:
    ready(balance="unbalanced:Ada").when(draw(), "T21 Excuse rock:home T9").then(
        drawn(ADA, "T21 Excuse"),
        drawn(BEA, "rock:home"),
        flow(Rule.EXCUSE, unbalanced(ADA), BALANCED),
        s.ExcuseDiscarded(conflict=1, who=ADA),
        drawn(ADA, "T9", "narration"),
    )


def test_ST_04_the_excuse_eases_overwhelming_for_the_same_party() -> None:
    ready(balance="overwhelming:Ada").when(draw(), "T21 T20 rock:home Excuse T9").then(
        drawn(ADA, "T21 T20"),
        drawn(BEA, "rock:home Excuse"),
        flow(Rule.EXCUSE, overwhelming(ADA), unbalanced(ADA)),
        s.ExcuseDiscarded(conflict=1, who=BEA),
        drawn(BEA, "T9", "narration"),
    )


def test_ST_05_one_pair_won_steps_up() -> None:
    ready(balance="unbalanced:Ada").when(draw(None, "rock:home paper:home blades:home")).then(
        drawn(ADA, "rock:home paper:home"),
        drawn(BEA, "blades:home"),
        flow(Rule.UP, unbalanced(ADA), overwhelming(ADA), pair(ADA, "rock:home", BEA, "blades:home")),
    )


def test_ST_05_every_pair_lost_steps_down() -> None:
    ready(balance="unbalanced:Ada").when(draw(None, "rock:home rock:lover paper:home")).then(
        drawn(ADA, "rock:home rock:lover"),
        drawn(BEA, "paper:home"),
        flow(
            Rule.DOWN,
            unbalanced(ADA),
            BALANCED,
            pair(ADA, "rock:home", BEA, "paper:home", Result.LOSS),
            pair(ADA, "rock:lover", BEA, "paper:home", Result.LOSS),
            order=(BEA, ADA),
        ),
    )


def test_ST_05_a_tie_spoils_the_step_down() -> None:
    ready(balance="unbalanced:Ada").when(draw(None, "rock:home paper:lover paper:home")).then(
        drawn(ADA, "rock:home paper:lover"),
        drawn(BEA, "paper:home"),
        flow(
            Rule.SAME,
            unbalanced(ADA),
            unbalanced(ADA),
            pair(ADA, "rock:home", BEA, "paper:home", Result.LOSS),
            pair(ADA, "paper:lover", BEA, "paper:home", Result.TIE),
        ),
    )


def test_parties_may_draw_in_any_order_and_the_last_brings_the_flow() -> None:
    story = ready().given(draw(BEA, "T4"))

    assert told(story, "flow") == ()
    story.when(draw(ADA, "T14")).then(
        drawn(ADA, "T14"), flow(Rule.WIN, BALANCED, unbalanced(ADA), pair(ADA, "T14", BEA, "T4"))
    )


def test_a_draw_for_all_is_for_those_who_have_not_drawn() -> None:
    ready().given(draw(BEA, "T4")).when(draw(), "T14:r").then(
        drawn(ADA, "T14:r"), flow(Rule.WIN, BALANCED, unbalanced(ADA), pair(ADA, "T14:r", BEA, "T4"))
    )


def test_a_second_draw_in_a_round_is_refused() -> None:
    ready().given(draw(ADA, "T14")).when(draw(ADA, "T4")).then_refused("Ada has drawn already this round.")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (draw(ADA, "T1 T2"), "Balanced, so these draw: Ada 1, and 2 cards were given."),
        (draw(ADA, count=2), "Balanced, so these draw: Ada 1, not 2."),
        (draw(None, "T1"), "Balanced, so these draw: Ada 1, Bea 1, and 1 card was given."),
        (draw(None, "T1 T2 T3"), "Balanced, so these draw: Ada 1, Bea 1, and 3 cards were given."),
        (draw(ADA, "Excuse T2 T3"), "Balanced, so these draw: Ada 1, and 3 cards were given."),
    ],
)
def test_the_balance_says_how_many_cards_are_drawn(command: c.Draw, sentence: str) -> None:
    ready().when(command).then_refused(sentence)


def test_the_balance_decides_which_party_draws_two_cards() -> None:
    ready(balance="unbalanced:Bea").when(draw(None, "T1 T2")).then_refused(
        "Unbalanced for Bea, so these draw: Ada 1, Bea 2, and 2 cards were given."
    )


def test_a_card_that_is_out_cannot_be_drawn() -> None:
    story = ready().given(draw(ADA, "T14"))

    story.when(draw(BEA, "T14:r")).then_refused("T14 is out already: it lies before Ada.")
    story.given(draw(BEA, "T4"), *tactics(ADA, BEA)).when(draw(BEA, "T14")).then_refused(
        "T14 is out already: it lies among the discards."
    )


def test_a_card_is_in_one_hand_only() -> None:
    ready().when(draw(None, "T14 T14:r")).then_refused("T14 is out already: it lies before Ada.")


def test_A36_a_card_given_twice_for_one_hand_is_said_to_be() -> None:
    twice = ready(balance="unbalanced:Ada").when(draw(ADA, "T1 T1"))

    twice.then_refused("T1 was given twice: a card lies in one place.")
    ready(balance="unbalanced:Ada").when(draw(ADA, "T1 T1:r")).then_refused(
        "T1 was given twice: a card lies in one place."
    )


def test_only_cards_of_this_deck_are_drawn() -> None:
    ready().when(draw(ADA, "JH")).then_refused(
        "JH is not a card of this deck: write T14, Excuse or unknown:ruler, and :r if reversed."
    )
    ready().when(draw(ADA, "rock:mover")).then_refused(
        "rock:mover is a blank, and this deck has none (option blank_cards=suits)."
    )


def test_traits_are_not_drawn_for() -> None:
    ready().when(c.Draw(who=ADA, traits=("clubs", "melee"))).then_refused(
        "Cards are drawn by number here: draw NAME, or draw alone for all."
    )


def test_only_parties_draw() -> None:
    ready().when(draw(CY, "T1")).then_refused("Cy is not a party to this conflict (Ada, Bea).")


def test_the_card_in_place_of_the_excuse_may_be_given_with_the_round() -> None:
    ready().when(draw(None, "Excuse T4 T9")).then(
        drawn(ADA, "Excuse"),
        drawn(BEA, "T4"),
        flow(Rule.EXCUSE, BALANCED, BALANCED),
        s.ExcuseDiscarded(conflict=1, who=ADA),
        drawn(ADA, "T9", "narration"),
    )


def test_the_card_in_place_of_the_excuse_may_be_given_with_the_excuse() -> None:
    story = (
        ready()
        .when(draw(ADA, "Excuse T9"))
        .then(drawn(ADA, "Excuse"), s.ExcuseDiscarded(conflict=1, who=ADA), drawn(ADA, "T9", "narration"))
    )

    story.when(draw(BEA, "T4")).then(drawn(BEA, "T4"), flow(Rule.EXCUSE, BALANCED, BALANCED))


def test_the_card_in_place_of_the_excuse_may_be_given_later() -> None:
    story = ready().given(draw(None, "Excuse T4"))

    assert [question.asked for question in pending(story.table, story.table.conflicts[1])] == [
        "Ada has no card in place of the Excuse yet (draw Ada)."
    ]
    story.when(draw(ADA, "T4")).then_refused("T4 is out already: it lies before Bea.")
    story.when(draw(ADA, count=2)).then_refused("One card takes the place of Ada's Excuse.")
    later = story.when(draw(ADA, "T9")).then(drawn(ADA, "T9", "narration"))
    assert pending(later.table, later.table.conflicts[1]) == ()


def test_a_draw_with_a_tactic_belongs_to_the_next_round() -> None:
    story = ready().given(draw(None, "Excuse T4"))

    story.when(c.Draw(who=ADA, results=("T9",), text=WORDS)).then_refused(
        "Tactics come before cards, and these have stated none this round: Bea."
    )


def test_a_question_that_is_told_is_not_ruled_upon() -> None:
    ready().given(draw(None, "Excuse T4")).when(c.Rule(answer="T9", text=WORDS)).then_refused(
        "That is not for a ruling: Ada has no card in place of the Excuse yet (draw Ada)."
    )


# --- telling: §6, §7 --------------------------------------------------------------------------------------


def decided() -> Story:
    """Bea has won a round against Ada, who comes first."""
    return ready().given(draw(None, "T4 T14"))


def test_the_winner_tells_first_then_the_loser() -> None:
    first = decided().when(narrate()).then(narrated(BEA))
    second = first.when(narrate()).then(narrated(ADA))

    second.when(narrate()).then_refused(
        "Every party has told its part of this round: say who narrates (narrate gm: …)."
    )


def test_any_party_may_tell_out_of_turn_and_the_game_master_too() -> None:
    decided().when(narrate(ADA)).then(narrated(ADA))
    decided().given(narrate(ADA)).when(narrate()).then(narrated(BEA))
    decided().when(narrate(GM)).then(narrated(GM))


def test_one_who_is_no_party_does_not_tell_what_cards_decided() -> None:
    decided().when(narrate(DEE)).then_refused(
        "Dee is not a party here: each party tells its own part (Ada, Bea)."
    )


def test_before_the_flow_any_character_may_narrate() -> None:
    ready().when(narrate()).then(narrated(GM))
    ready().when(narrate(DEE)).then(narrated(DEE))


def test_what_is_told_later_is_free() -> None:
    decided().when(c.Narrate(who=DEE, at=3, text=WORDS)).then(e.Narrated(who=DEE, text=WORDS, about=3))


def overrule(by: int, whose: int, *, veto: bool = False, own: bool = False) -> c.Overrule:
    return c.Overrule(by=by, whose=whose, veto=veto, own=own, text=WORDS)


def overruled(by: int, whose: int, how: str, narration: int) -> e.NarrationOverruled:
    return e.NarrationOverruled.of(
        {"conflict": 1, "by": by, "whose": whose, "narration": narration, "how": how, "text": WORDS}
    )


def test_a_token_strikes_a_narration_and_its_author_tells_anew() -> None:
    story = decided().given(narrate(), narrate())
    after = story.when(overrule(ADA, BEA)).then(overruled(ADA, BEA, "token", len(story.events) - 1))

    assert told(after, "tokens", ADA) == ("2",)
    assert Row(ADA, "tokens", 2, picture=Picture.POINTS, given=3) in game_state(after.table).rows()
    assert [question.name for question in pending(after.table, after.table.conflicts[1])] == ["narration"]
    again = after.when(narrate()).then(narrated(BEA))
    assert pending(again.table, again.table.conflicts[1]) == ()


def test_tokens_run_out() -> None:
    story = begun(options={"overrule_tokens": "1"}).given(narrate(BEA), overrule(ADA, BEA), narrate(BEA))

    story.when(overrule(ADA, BEA)).then_refused(
        "Ada has no token left this session; the game master's --veto is free, "
        "and so is what concerns one's own party (--own)."
    )


def test_the_veto_is_the_game_masters_and_free() -> None:
    story = decided().given(narrate())
    at = len(story.events)

    after = story.when(overrule(GM, BEA, veto=True)).then(overruled(GM, BEA, "veto", at))
    assert told(after, "tokens", GM) == ("3",)
    story.when(overrule(ADA, BEA, veto=True)).then_refused(
        "Only the game master has a veto: overrule gm NAME --veto: why."
    )


def test_what_concerns_ones_own_party_is_free() -> None:
    story = decided().given(narrate())
    at = len(story.events)

    after = story.when(overrule(ADA, BEA, own=True)).then(overruled(ADA, BEA, "own", at))
    assert told(after, "tokens", ADA) == ("3",)
    story.when(overrule(DEE, BEA, own=True)).then_refused(
        "Dee has no party here: --own corrects what is told about your own party."
    )
    story.when(overrule(GM, BEA, own=True, veto=True)).then_refused(
        "A veto is the game master's, --own a party's: give one of the two."
    )


def test_there_has_to_be_a_narration_to_strike() -> None:
    decided().when(overrule(ADA, BEA)).then_refused("Bea has no narration to strike.")


def test_tokens_are_the_players_and_come_back_with_every_session() -> None:
    jo = e.CastIntroduced(person=5, name=Words("Jo"), role="player")
    seated = e.PlayerSeated(person=ADA, player=5)
    story = given(*CAST, jo, seated, opening(), narrate(BEA), overrule(ADA, BEA))

    assert told(story, "tokens", 5) == told(story, "tokens", ADA) == ("2",)
    evening = story.when(c.OpenSession()).then(
        e.SessionOpened(session=1), s.TokensGiven(people=(GM, 5, BEA), each=3)
    )
    assert told(evening, "tokens", 5) == ("3",)


def test_a_late_arrival_gets_tokens() -> None:
    story = begun().given(narrate(BEA))

    after = story.when(overrule(DEE, BEA)).then(
        s.TokensGiven(people=(DEE,), each=3), overruled(DEE, BEA, "token", len(story.events))
    )
    assert told(after, "tokens", DEE) == ("2",)


# --- victory ----------------------------------------------------------------------------------------------


def won() -> Story:
    """Ada has reached victory."""
    return ready(balance="overwhelming:Ada").given(draw(None, "T14 T13 T4 T3"))


def test_up_from_overwhelming_is_victory() -> None:
    ready(balance="overwhelming:Ada").when(draw(None, "T14 T3 T4 T13")).then(
        drawn(ADA, "T14 T3"),
        drawn(BEA, "T4 T13"),
        flow(
            Rule.UP,
            overwhelming(ADA),
            (Level.VICTORY, ADA),
            pair(ADA, "T14", BEA, "T4"),
            pair(ADA, "T14", BEA, "T13"),
        ),
        s.VictoryReached(conflict=1, who=ADA),
    )


def test_after_victory_the_round_is_told_and_nothing_else() -> None:
    sentence = "Ada has won: tell the last round, then end conflict."
    over = (
        draw(),
        declare(ADA),
        c.Concede(who=BEA),
        Postpone(who=BEA),
        Reformulate(who=BEA),
    )

    for command in over:
        won().when(command).then_refused(sentence)
    won().when(narrate()).then(narrated(ADA))
    assert told(won(), "winner") == ("Ada",)


def test_a_conflict_that_is_won_ends_as_it_was_won() -> None:
    won().when(c.End(text=WORDS)).then(round_ended(), ended("victory", ADA, WORDS))
    won().when(c.End(what="conflict", how="Victory", winner=ADA)).then(round_ended(), ended("victory", ADA))
    won().when(c.End(what="conflict", how="stalemate")).then_refused(
        "This conflict has come out: it ends as victory Ada (end conflict)."
    )
    for who in (BEA, CY):
        won().when(c.End(what="conflict", how="victory", winner=who)).then_refused(
            "This conflict has come out: it ends as victory Ada (end conflict)."
        )
    won().when(c.End(what="scene")).then_refused("No scene is open.")


def test_the_next_conflict_or_the_end_of_the_evening_ends_one_that_is_won() -> None:
    won().when(opening((BEA,), (CY,))).then(
        round_ended(),
        ended("victory", ADA),
        e.ConflictOpened(conflict=2, system="spacetime", sides=((BEA,), (CY,))),
        balance_set(BALANCED, conflict=2),
        s.TokensGiven(people=(CY,), each=3),
    )
    evening = given(c.OpenSession(), *CAST, opening(balance="overwhelming:Ada"), *tactics(ADA, BEA))
    evening.given(draw(None, "T14 T13 T4 T3")).when(c.End(what="session")).then(
        round_ended(), ended("victory", ADA), e.SessionClosed(session=1)
    )


# --- stopping: §7 -----------------------------------------------------------------------------------------


def test_a_person_who_concedes_stops_the_conflict_and_of_two_the_other_wins() -> None:
    stopped = s.ConflictStopped(conflict=1, who=ADA, how="conceded", text=WORDS)

    begun().when(c.Concede(who=ADA, text=WORDS)).then(stopped, ended("conceded", BEA))
    decided().when(c.Concede(who=ADA, text=WORDS)).then(stopped, round_ended(), ended("conceded", BEA))
    begun(*FOUR).when(c.Concede(who=ADA, text=WORDS)).then(stopped, ended("conceded"))


def test_conceding_requires_a_name() -> None:
    begun().when(c.Concede()).then_refused("Say who concedes: Ada, Bea.")


def test_a_concession_is_not_for_others_to_accept() -> None:
    begun().when(c.Accept(who=BEA)).then_refused("Nothing is offered, so there is nothing to accept.")
    begun().when(c.Refuse(who=BEA)).then_refused(
        "Nothing is offered here; what can be refused is drawing against a challenge."
    )


def test_to_postpone_stops_the_conflict_for_now() -> None:
    begun().when(Postpone(who=BEA)).then(
        s.ConflictStopped(conflict=1, who=BEA, how="postponed"), ended("postponed")
    )


def test_the_table_ends_it_as_stalemate_or_as_victory() -> None:
    begun().when(c.End(what="conflict", how="stalemate")).then(ended("stalemate"))
    begun().when(c.End(what="conflict", how="victory", winner=ADA)).then(ended("victory", ADA))
    begun().when(c.End(what="conflict", how="victory")).then_refused(
        "Say who has won: end conflict victory NAME."
    )
    begun().when(c.End(what="conflict", how="boredom")).then_refused(
        "The table ends a conflict as stalemate or as victory NAME, not as boredom."
    )
    decided().when(c.End()).then(round_ended(), ended("ended"))


def test_a_party_that_leaves_lets_the_others_go_on() -> None:
    story = begun((ADA,), (BEA,), (CY,), options={"stop_scope": "party"}, balance="unbalanced:Ada")
    left = story.when(c.Concede(who=ADA, text=WORDS)).then(
        s.PartyLeft(conflict=1, who=ADA, text=WORDS), balance_set(BALANCED)
    )

    assert left.table.conflicts[1].sides == ((BEA,), (CY,))
    left.when(c.Concede(who=BEA)).then(s.PartyLeft(conflict=1, who=BEA), ended("conceded", CY))


def test_a_person_who_leaves_owes_no_card() -> None:
    story = ready((ADA,), (BEA,), (CY,), options={"stop_scope": "party"}).given(draw(None, "Excuse T1 T2"))

    after = story.given(c.Concede(who=ADA))
    assert pending(after.table, after.table.conflicts[1]) == ()


def test_a_party_leaves_between_rounds() -> None:
    story = ready((ADA,), (BEA,), (CY,), options={"stop_scope": "party"}).given(draw(ADA, "T1"))

    story.when(c.Concede(who=CY)).then_refused(
        "Cards are on the table: first the others draw (Bea, Cy), then a party may leave."
    )
    after = story.given(draw(None, "T2 T3")).when(c.Concede(who=BEA)).then(s.PartyLeft(conflict=1, who=BEA))
    assert after.table.conflicts[1].sides == ((ADA,), (CY,))
    assert told(after, "balance") == ("unbalanced", "Cy")


def test_a_betrayal_begins_the_conflict_again_with_other_sides() -> None:
    story = ready((ADA, CY), (BEA,)).given(draw(None, "T14 T4"))
    change = Reformulate(
        who=CY,
        sides=((ADA,), (BEA, CY), (Words("Fair"),)),
        setup={"balance": "overwhelming"},
        people={"balance": Words("Fair")},
    )

    after = story.when(change).then(
        e.CastIntroduced(person=5, name=Words("Fair"), role="side"),
        s.ConflictReformulated(
            conflict=1, who=CY, sides=((ADA,), (BEA, CY), (5,)), level=Level.OVERWHELMING, advantaged=5
        ),
    )
    assert after.table.conflicts[1].sides == ((ADA,), (BEA, CY), (5,))
    assert told(after, "balance") == ("overwhelming", "Fair")
    assert told(after, "round") == ("1",)
    after.when(DesireOutcome(who=BEA, text=WORDS)).then(s.OutcomeDesired(conflict=1, who=BEA, text=WORDS))


def test_a_reformulation_keeps_unnamed_sides_and_defaults_to_balanced() -> None:
    begun(balance="unbalanced:Ada").when(Reformulate(who=BEA, text=WORDS)).then(
        s.ConflictReformulated(conflict=1, who=BEA, sides=((ADA,), (BEA,)), level=Level.BALANCED, text=WORDS)
    )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            Reformulate(who=ADA, sides=((ADA, BEA),)),
            "A conflict takes two sides or more: reformulate NAME NAME+NAME vs NAME.",
        ),
        (
            Reformulate(who=ADA, sides=((ADA,), (BEA, ADA))),
            "Ada is on two sides: name them on one side only.",
        ),
        (
            Reformulate(who=ADA, setup={"obstacle": "Bea"}),
            "reformulate knows balance=balanced|unbalanced:NAME|overwhelming:NAME, not obstacle=.",
        ),
        (
            Reformulate(who=ADA, setup={"balance": "victory:Ada"}),
            "A conflict begins again as balanced|unbalanced:NAME|overwhelming:NAME.",
        ),
        (Reformulate(who=CY), "Cy is not a party to this conflict (Ada, Bea)."),
    ],
)
def test_what_no_reformulation_can_do(change: Reformulate, sentence: str) -> None:
    begun().when(change).then_refused(sentence)


# --- options ----------------------------------------------------------------------------------------------


def test_orientation_random_is_dealt_either_way() -> None:
    ready().when(draw(ADA), "T14:r").then(drawn(ADA, "T14:r"))


def test_orientation_chosen_is_as_typed_and_else_upright() -> None:
    story = ready(options={"orientation": "chosen"})

    story.when(draw(ADA, "T14:r")).then(drawn(ADA, "T14:r"))
    story.when(draw(ADA), "T14").then(drawn(ADA, "T14"))
    story.when(draw(ADA), "T14:r").then_refused("T14:r cannot come up from spacetime now.")


def laid_so(who: int, *ways: str) -> c.Draw:
    return c.Draw(who=who, traits=ways)


def test_a_drawer_says_before_looking_how_a_dealt_card_lies() -> None:
    story = ready(options={"orientation": "chosen"}, balance="unbalanced:Ada")

    story.when(laid_so(BEA, "reversed"), "T4:r").then(drawn(BEA, "T4:r"))
    story.when(laid_so(BEA, "upright"), "T4").then(drawn(BEA, "T4"))
    two = story.when(laid_so(ADA, "upright", "reversed"), "T4 T5:r").then(
        drawn(ADA, "T4"), drawn(ADA, "T5:r")
    )
    assert told(two, "hand", ADA) == ("T4", "T5:r")
    assert told(story.when(laid_so(ADA, "reversed"), "T4:r T5:r").story, "hand", ADA) == ("T4:r", "T5:r")
    story.when(c.Draw(who=ADA, traits=("Reversed",), results=("T4", "T5"))).then_refused(
        "A card that is named says itself how it lies: T14, or T14:r reversed."
    )
    story.when(laid_so(BEA, "upright", "reversed")).then_refused(
        "Say once how all lie, or of each card that is due (1), such as: upright."
    )
    ready().when(laid_so(ADA, "reversed")).then_refused(
        "How a card lies is not chosen at this table (option orientation=chosen allows it)."
    )


def test_orientation_ignored_is_always_upright() -> None:
    story = ready(options={"orientation": "ignored"})

    story.when(draw(ADA), "T14").then(drawn(ADA, "T14"))
    story.when(draw(ADA, "T14:r")).then_refused(
        "At this table cards are always upright (orientation=ignored): write T14."
    )


BALANCE_AGAIN = c.Rule(sets=(e.Setting(person=None, what="balance", op="=", value="balanced"),), text=WORDS)
TIPPED = c.Rule(sets=(e.Setting(person=None, what="balance", op="=", value="unbalanced:Ada"),), text=WORDS)


def all_drawn_but(left: str) -> Story:
    """Balanced, with only these cards in the deck, and whatever the last round brought on the table."""
    story = begun(options={"require_tactics": "no", "orientation": "ignored"})
    pool = [card for card in DECK if card not in left.split()]
    if len(pool) % 2:
        story = story.given(TIPPED, draw(None, " ".join(pool[:3])), BALANCE_AGAIN)
        pool = pool[3:]
    for one, other in zip(pool[::2], pool[1::2], strict=True):
        story = story.given(draw(None, f"{one} {other}"), BALANCE_AGAIN)
        if "Excuse" in (one, other):  # a tactic goes on without a card in its place
            story = story.given(c.Declare(who=ADA, text=Words("Onwards.")))
    return story


def test_when_the_deck_runs_out_all_that_is_not_on_the_table_goes_back() -> None:
    # 66 cards in 33 rounds of two.
    story = all_drawn_but("T21")

    story.when(draw(None, "T21 T1")).then(
        round_ended(33),
        drawn(ADA, "T21"),
        shuffled("the deck ran out"),
        drawn(BEA, "T1"),
        flow(Rule.WIN, BALANCED, unbalanced(ADA), pair(ADA, "T21", BEA, "T1"), number=34),
    )
    story.when(draw(), "T21 T1").then(*story.when(draw(None, "T21 T1")).events)
    story.when(draw(None, "T21 T21")).then_refused("T21 is out already: it lies before Ada.")
    story.when(draw(None, "T20 T21")).then_refused("T20 is out already: it lies among the discards.")


def test_the_excuse_does_not_stand_in_for_itself_after_a_shuffle() -> None:
    # 65 cards: one round of three, 31 of two.
    story = all_drawn_but("Excuse T21")

    story.when(draw(None, "T21 Excuse Excuse")).then_refused(
        "The Excuse does not stand in for the Excuse: draw again."
    )
    story.when(draw(None, "T21 Excuse T1")).then(
        round_ended(32),
        drawn(ADA, "T21"),
        drawn(BEA, "Excuse"),
        flow(Rule.EXCUSE, BALANCED, BALANCED, number=33),
        s.ExcuseDiscarded(conflict=1, who=BEA),
        shuffled("the deck ran out"),
        drawn(BEA, "T1", "narration"),
    )


def test_there_are_not_more_cards_than_the_deck_has() -> None:
    crowd = tuple((person,) for person in range(1, 69))
    story = given(
        *cast(*(f"Guard {n}" for n in range(1, 69))), option("require_tactics", "no"), opening(*crowd)
    )

    story.when(draw(None, " ".join((*DECK, "T1")))).then_refused(
        "Every card lies on the table: end a round or a conflict first."
    )


def test_every_round_may_begin_with_a_whole_deck() -> None:
    story = ready(options={"reshuffle": "every_round"}).given(draw(None, "T14 T4"))

    story.when(declare(ADA)).then(round_ended(), shuffled("every round"), declared(ADA))
    story.given(*tactics(ADA, BEA)).when(draw(BEA, "T14")).then(drawn(BEA, "T14"))


def test_A33_a_whole_deck_for_every_round_is_one_for_the_first_of_a_conflict_too() -> None:
    every = {"reshuffle": "every_round", "require_tactics": "no"}
    over = begun(options=every).given(draw(None, "T14 T4"), Postpone(who=ADA), opening())

    over.when(draw(None, "T14 T4")).then(
        shuffled("every round", conflict=2),
        drawn(ADA, "T14", conflict=2),
        drawn(BEA, "T4", conflict=2),
        flow(Rule.WIN, BALANCED, unbalanced(ADA), pair(ADA, "T14", BEA, "T4")).but({"conflict": 2}),
    )
    # Once the round has a card nothing goes back, whatever another conflict discards meanwhile.
    partly = over.given(draw(ADA, "T14"), opening((CY,), (DEE,)), draw(None, "T1 T2"), c.End())
    partly.when(draw(BEA, "T1")).then_refused("T1 is out already: it lies among the discards.")


def test_A33_a_whole_deck_for_every_round_is_one_for_a_round_put_anew() -> None:
    story = begun(options={"reshuffle": "every_round", "require_tactics": "no"})
    anew = story.given(draw(None, "T14 T4"), Reformulate(who=ADA))

    anew.when(draw(ADA, "T14")).then(shuffled("every round"), drawn(ADA, "T14"))


def test_a_whole_deck_leaves_what_lies_on_the_table_of_another_conflict() -> None:
    story = begun(options={"reshuffle": "every_round", "require_tactics": "no"}).given(draw(ADA, "T14"))
    second = story.given(opening((CY,), (DEE,)), draw(None, "T1 T2"), c.End(), opening((CY,), (DEE,)))

    second.when(draw(CY, "T14")).then_refused("T14 is out already: it lies before Ada.")
    second.when(draw(CY, "T1")).then(shuffled("every round", conflict=3), drawn(CY, "T1", conflict=3))


def test_every_conflict_may_begin_with_a_whole_deck() -> None:
    story = ready(options={"reshuffle": "every_conflict"}).given(draw(None, "T14 T4"), c.End())

    story.when(opening()).then(
        e.ConflictOpened(conflict=2, system="spacetime", sides=((ADA,), (BEA,))),
        balance_set(BALANCED, conflict=2),
        shuffled("every conflict", conflict=2),
    )


def test_cards_on_the_table_of_another_conflict_stay_there() -> None:
    story = ready(options={"reshuffle": "every_conflict"}).given(draw(ADA, "T14"), opening((CY,), (DEE,)))
    story = story.given(*tactics(CY, DEE))

    story.when(draw(CY, "T14")).then_refused("T14 is out already: it lies before Ada.")
    (deck,) = story.table.shelves["spacetime"].decks()  # type: ignore[attr-defined]
    assert deck == Deck("shared", None, 67, 66, ((ADA, ("T14",)),), (), deck.cards)


def test_the_deck_is_shuffled_on_request_between_rounds() -> None:
    begun().when(c.Shuffle()).then(shuffled("asked"))
    decided().when(c.Shuffle()).then(round_ended(), shuffled("asked"))
    ready().given(draw(ADA, "T14")).when(c.Shuffle()).then_refused(
        "Cards are on the table: the deck can be shuffled when the round has its flow."
    )
    begun().when(c.Shuffle(who=ADA)).then_refused("All share one deck here, so name no one: shuffle.")
    ready(options={"reshuffle": "every_round"}).given(draw(None, "T14 T4")).when(c.Shuffle()).then(
        round_ended(), shuffled("every round")
    )


def test_the_deck_is_shuffled_on_request_between_conflicts() -> None:
    story = ready().given(draw(None, "T14 T4"), c.End())

    after = story.when(c.Shuffle()).then(e.DeckShuffled(deck="spacetime", why="asked"))
    (deck,) = story.table.shelves["spacetime"].decks()  # type: ignore[attr-defined]
    assert deck.left == 65
    assert list(after.table.shelves["spacetime"].decks()) == []  # type: ignore[attr-defined]
    story.when(c.Shuffle(who=ADA)).then_refused("All share one deck here, so name no one: shuffle.")


def test_under_numeric_only_triumphs_count() -> None:
    # By the author's table rock beats blades; without numbers the two tie.
    ready(options={"beats_table": "numeric"}).when(draw(None, "rock:home blades:home")).then(
        drawn(ADA, "rock:home"),
        drawn(BEA, "blades:home"),
        flow(Rule.STALEMATE, BALANCED, BALANCED, pair(ADA, "rock:home", BEA, "blades:home", Result.TIE)),
    )


def test_a_majority_may_be_enough() -> None:
    # Ada's T10 beats two of her three opponents.
    story = ready(*FOUR, options={"multi_party": "majority"}, balance="unbalanced:Ada")

    after = story.given(draw(None, "T10 T1 T2 T3 T11"))
    assert told(after, "balance") == ("overwhelming", "Ada")
    plain = ready(*FOUR, balance="unbalanced:Ada").given(draw(None, "T10 T1 T2 T3 T11"))
    assert told(plain, "balance") == ("unbalanced", "Ada")


def test_blanks_may_be_in_the_deck_and_taken_out_again() -> None:
    story = (
        ready(options={"blank_cards": "suits"}).when(draw(ADA, "rock:mover")).then(drawn(ADA, "rock:mover"))
    )
    (deck,) = story.table.shelves["spacetime"].decks()  # type: ignore[attr-defined]
    assert (deck.size, deck.left) == (77, 76)

    without = story.given(option("blank_cards", "none"), draw(BEA, "T1"), declare(ADA))
    without.table.shelves["spacetime"].check()  # type: ignore[attr-defined]
    (deck,) = without.table.shelves["spacetime"].decks()  # type: ignore[attr-defined]
    assert (deck.size, deck.left) == (67, 66)


def test_a_blank_that_lies_on_the_table_is_in_no_deck_whatever_is_chosen_meanwhile() -> None:
    story = ready(options={"blank_cards": "suits"}).given(draw(ADA, "rock:mover"))
    again = story.given(option("blank_cards", "none"), option("blank_cards", "suits"))

    again.when(draw(BEA, "rock:mover")).then_refused("rock:mover is out already: it lies before Ada.")
    without = story.given(option("blank_cards", "none"))
    without.when(draw(BEA, "rock:mover")).then_refused("rock:mover is out already: it lies before Ada.")
    over = without.given(draw(BEA, "T1"), c.Shuffle())
    (deck,) = over.given(declare(ADA), declare(BEA), draw(ADA, "T1")).table.shelves["spacetime"].decks()  # type: ignore[attr-defined]
    assert (deck.size, deck.left) == (67, 66)


def test_every_option_takes_its_default() -> None:
    for one in SYSTEMS["spacetime"].options:
        assert one.takes(one.default)


# --- rulings ----------------------------------------------------------------------------------------------


def rule(what: str, value: int | str, person: int | None = None, op: str = "=") -> c.Rule:
    setting = e.Setting.of({"person": person, "what": what, "op": op, "value": value})
    return c.Rule(sets=(setting,), text=WORDS)


def ruled(command: c.Rule) -> e.RulingMade:
    return e.RulingMade(conflict=1, sets=command.sets, text=WORDS)


def test_a_ruling_sets_tokens_sleeve_cards_and_the_balance() -> None:
    more = rule("tokens", 1, ADA, "+=")
    sleeve = rule("sleeve", 2, ADA)
    tipped = rule("balance", "overwhelming:Ada")

    begun().when(more).then(ruled(more), s.NumberSet(who=ADA, what="tokens", value=4))
    after = begun().when(sleeve).then(ruled(sleeve), s.NumberSet(who=ADA, what="sleeve", value=2))
    assert told(after, "sleeve", ADA) == ("2",)
    begun().when(tipped).then(ruled(tipped), balance_set(overwhelming(ADA)))


def test_a_ruling_can_give_and_take_a_victory() -> None:
    given_ = rule("balance", "victory:Ada")
    after = (
        begun()
        .when(given_)
        .then(ruled(given_), balance_set((Level.VICTORY, ADA)), s.VictoryReached(conflict=1, who=ADA))
    )

    taken = after.given(rule("balance", "balanced"))
    taken.when(declare(ADA)).then(declared(ADA))


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (
            rule("luck", 1, ADA),
            "A ruling sets NAME.tokens, NAME.sleeve or balance here, such as: ruling Ana.tokens+=1: why.",
        ),
        (rule("tokens", 4, ADA, "-="), "That would leave less than nothing."),
        (rule("tokens", "many", ADA), "tokens is a number, not many."),
        (
            rule("balance", 1, op="+="),
            (
                "Inside a conflict a ruling sets "
                "balance=balanced|unbalanced:NAME|overwhelming:NAME|victory:NAME."
            ),
        ),
    ],
)
def test_what_no_ruling_sets(command: c.Rule, sentence: str) -> None:
    begun().when(command).then_refused(sentence)


def test_the_balance_is_not_moved_under_cards_on_the_table() -> None:
    ready().given(draw(ADA, "T1")).when(rule("balance", "overwhelming:Ada")).then_refused(
        "Cards are on the table for the current Balance: let the others draw first."
    )


def test_no_other_table_has_compels() -> None:
    begun().when(c.Compel(who=ADA, aspect="pride", text=WORDS)).then_refused("Space·Time has no compels.")


# --- where it stands --------------------------------------------------------------------------------------


def test_the_toolbar_says_what_comes_next() -> None:
    stories = [
        begun(),
        begun().given(s.OutcomeDesired(conflict=1, who=ADA, text=WORDS)),
        ready(),
        ready().given(draw(ADA, "T1")),
        decided(),
        decided().given(narrate(), narrate()),
        won(),
    ]

    assert [turn(story.table, story.table.conflicts[1]) for story in stories] == [
        "round 1 · balanced · outcomes: Ada, Bea",
        "round 1 · balanced · outcomes: Bea",
        "round 1 · balanced · to draw: Ada, Bea",
        "round 1 · balanced · to draw: Bea",
        "round 1 · unbalanced for Bea · Bea narrates",
        "round 1 · unbalanced for Bea · told; tactics, or stop",
        "round 1 · victory for Ada · Ada narrates",
    ]


def choices(story: Story) -> list[tuple[Command, str]]:
    """What `can` lists, and what each would come to."""
    seen = available_actions(story.table, Luck(FirstDealer()))
    return [(one.command, one.comes_to) for outlook in seen for one in outlook.choices]


def comes_to(story: Story, command: Command) -> list[str]:
    return [comes_to for listed, comes_to in choices(story) if listed == command]


def test_ST_08_the_odds_may_be_asked_and_stand_beside_the_draw() -> None:
    fresh = begun(options={"require_tactics": "no"})
    assert told(fresh, "odds") == (
        "excuse",
        "2/67",
        "Ada",
        "655/1474",
        "Bea",
        "655/1474",
        "stalemate",
        "60/737",
    )
    assert comes_to(fresh, c.Draw()) == [
        "cards for everyone: the Excuse 3 %, Ada 44 %, Bea 44 %, stalemate 8 %"
    ]

    tipped = begun(options={"require_tactics": "no"}, balance="unbalanced:Ada")
    assert told(tipped, "odds")[2:4] == ("up", "18217/28743")
    partly = tipped.given(draw(ADA, "T21 T20"))
    assert told(partly, "odds") == ("excuse", "1/65", "up", "64/65")
    assert comes_to(partly, c.Draw(who=BEA)) == ["1 card: the Excuse 2 %, up 98 %"]
    whole = begun(options={"require_tactics": "no", "reshuffle": "every_round"})
    assert told(whole.given(draw(None, "T9 T8"), BALANCE_AGAIN), "odds") == told(fresh, "odds")
    assert told(won(), "odds") == ()


def test_can_lists_what_any_of_a_party_may_say_and_how_words_are_struck() -> None:
    story = begun((ADA, CY), (BEA,), options={"require_tactics": "no"}).given(narrate(CY))
    for who in (ADA, CY, BEA):
        assert comes_to(story, Reformulate(who=who, text=YET_TO_FIND))
        assert comes_to(story, c.Concede(who=who, text=YET_TO_FIND))
    vetoed = overrule(GM, CY, veto=True).but({"text": YET_TO_FIND})
    struck = [overrule(by, CY).but({"text": YET_TO_FIND}) for by in (BEA, ADA)]
    assert comes_to(story, vetoed) == ["told anew: a contradiction, and free"]
    assert [comes_to(story, one) for one in struck] == [["told anew, for a token of 3"], []]
    assert comes_to(story, c.Draw(who=CY)) == []


def test_facts_of_no_conflict_are_nothing() -> None:
    table = given(*CAST).table

    values = {subject: fact.read(table, None, ADA) for subject, fact in FACTS.items()}
    assert values.pop("tokens") == ("3",)
    assert values.pop("sleeve") == ("0",)
    assert set(values.values()) == {()}


def test_a_second_conflict_has_a_state_of_its_own() -> None:
    story = ready().given(draw(None, "T14 T4"), opening((CY,), (DEE,)))

    assert conflict_state(story.table.conflicts[1]).standing.advantaged == ADA
    assert conflict_state(story.table.conflicts[2]).standing.advantaged is None
