from __future__ import annotations

import pytest

from retold.games.spacetime import events as s
from retold.games.spacetime.commands import (
    AddComplication,
    Postpone,
    Reformulate,
    Stop,
    pending,
    turn,
    waiting,
)
from retold.games.spacetime.rules import Level, Rule
from retold.games.spacetime.state import game_state
from retold.journal.capabilities import Picture, Row
from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.language.proposed import available_actions
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import YET_TO_FIND, Command, Value, Words
from tests.retold.games.spacetime.at_the_table import (
    ADA,
    BALANCED,
    BEA,
    CAST,
    CLIFF,
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
    pair,
    round_ended,
    shuffled,
    told,
    unbalanced,
)
from tests.scenario import Story, given

ONE_EACH = ((ADA,), (CLIFF,))
COMPLICATED = AddComplication(who=ADA, text=WORDS)


def against_cliff(**setup: Value) -> Story:
    return given(*CAST, opening(*ONE_EACH, obstacle=CLIFF, **setup))


def asked(story: Story) -> list[str]:
    return [question.asked for question in pending(story.table, story.table.conflicts[1])]


# --- an obstacle in a conflict: docs/rules/spacetime.md §8 ------------------------------------------------


def test_an_obstacle_is_noted_with_how_it_is_met_and_has_no_tokens() -> None:
    given(*CAST).when(opening(*ONE_EACH, obstacle="Cy")).then(
        e.ConflictOpened(
            conflict=1, system="spacetime", sides=ONE_EACH, setup={"obstacle": CLIFF, "mode": "conflict"}
        ),
        balance_set(BALANCED),
        s.TokensGiven(people=(GM, ADA), each=3),
    )


def test_an_obstacle_states_no_tactic_and_its_cards_are_drawn_with_the_others() -> None:
    against_cliff().given(declare(ADA)).when(draw(None, "T14 T4")).then(
        drawn(ADA, "T14"),
        drawn(CLIFF, "T4"),
        flow(Rule.WIN, BALANCED, unbalanced(ADA), pair(ADA, "T14", CLIFF, "T4"), order=(ADA,)),
    )
    against_cliff().given(declare(ADA)).when(draw(CLIFF, "T4")).then(drawn(CLIFF, "T4"))


@pytest.mark.parametrize(
    ("command", "does"),
    [
        (declare(CLIFF), "states a tactic"),
        (c.Concede(who=CLIFF), "concedes"),
        (Postpone(who=CLIFF), "postpones"),
        (Reformulate(who=CLIFF), "reformulates"),
    ],
)
def test_what_an_obstacle_never_does(command: Command, does: str) -> None:
    against_cliff().when(command).then_refused(f"Cy is an obstacle, and never {does}: that is for Ada.")


def test_an_obstacle_tells_nothing() -> None:
    against_cliff().when(narrate(CLIFF)).then_refused(
        "Cy is an obstacle and tells nothing: the game master does (narrate gm: …)."
    )


def test_each_card_against_an_obstacle_brings_one_complication() -> None:
    story = against_cliff(balance="overwhelming:Ada").given(declare(ADA), draw(None, "T4 T5 T14 T15"))

    assert asked(story) == ["2 Complications are to be told of Ada (complication Ada: …)."]
    story = story.when(AddComplication(text=WORDS)).then(s.ComplicationAdded(conflict=1, who=ADA, text=WORDS))
    assert asked(story) == ["1 Complication is to be told of Ada (complication Ada: …)."]
    story = story.given(COMPLICATED)
    assert told(story, "complications", ADA) == ("2",)
    story.when(COMPLICATED).then_refused("Ada has drawn 2 cards and has a Complication for each.")


def test_the_card_in_place_of_the_excuse_brings_a_complication_too() -> None:
    story = against_cliff().given(declare(ADA), draw(None, "Excuse T4 T9"), COMPLICATED, COMPLICATED)

    story.when(COMPLICATED).then_refused("Ada has drawn 2 cards and has a Complication for each.")


def test_no_complications_without_an_obstacle() -> None:
    begun().when(COMPLICATED).then_refused(
        "Complications come from cards drawn against an obstacle, and there is none here."
    )


def test_a_person_who_leaves_an_obstacle_leaves_it_standing() -> None:
    given(*CAST, option("stop_scope", "party"), opening(*ONE_EACH, obstacle=CLIFF)).when(
        c.Concede(text=WORDS)
    ).then(s.PartyLeft(conflict=1, who=ADA, text=WORDS), ended("conceded", CLIFF))


def test_an_obstacle_joins_no_side() -> None:
    against_cliff().when(Reformulate(who=ADA, sides=((ADA,), (CLIFF, BEA)))).then_refused(
        "Cy is an obstacle and has no allies: give it a side of its own, or leave it out."
    )
    story = against_cliff().given(Reformulate(who=ADA, sides=((ADA, BEA), (CLIFF,))))
    story.when(declare(CLIFF)).then_refused("Cy is an obstacle, and never states a tactic: that is for Ada.")


def test_a_reformulation_may_leave_the_obstacle_behind() -> None:
    story = against_cliff().given(Reformulate(who=ADA, sides=((ADA,), (BEA,))))

    assert story.table.conflicts[1].leads == (ADA, BEA)
    story.when(COMPLICATED).then_refused(
        "Complications come from cards drawn against an obstacle, and there is none here."
    )


@pytest.mark.parametrize(
    ("setup", "sentence"),
    [
        ({"obstacle": DEE}, "Dee is to be the obstacle, so give it a side of its own."),
        ({"mode": "challenge"}, "mode= speaks of an obstacle: name it too (obstacle=NAME)."),
        (
            {"obstacle": CLIFF, "mode": "duel"},
            "An obstacle is met by mode=conflict|draw_until_success|challenge, not duel.",
        ),
        ({"obstacle": CLIFF, "rank": 3}, "rank= belongs to a challenge: say mode=challenge too."),
        ({"obstacle": CLIFF, "mode": "challenge"}, "A challenge has a rank from 0 to 9: rank=3."),
        ({"obstacle": CLIFF, "mode": "challenge", "rank": 10}, "A challenge has a rank from 0 to 9: rank=3."),
        (
            {"obstacle": CLIFF, "mode": "challenge", "rank": 3, "balance": "unbalanced:Ada"},
            "No Balance is kept while cards are drawn against an obstacle: leave out balance=.",
        ),
    ],
)
def test_what_no_obstacle_is(setup: dict[str, Value], sentence: str) -> None:
    given(*CAST).when(opening(*ONE_EACH, **setup)).then_refused(sentence)


def test_one_party_meets_a_challenge() -> None:
    given(*CAST).when(
        opening((ADA,), (BEA,), (CLIFF,), obstacle=CLIFF, mode="challenge", rank=3)
    ).then_refused("One party meets a challenge: two sides, such as Ada vs Cliff.")


# --- drawn until it gives way -----------------------------------------------------------------------------


def until_success() -> Story:
    return against_cliff(mode="draw-until-success").given(declare(ADA))


def test_against_an_obstacle_that_gives_way_each_card_is_a_cost() -> None:
    story = until_success().when(draw(None, "T4")).then(drawn(ADA, "T4", "obstacle"))
    story = story.when(draw(ADA), "Excuse").then(drawn(ADA, "Excuse", "obstacle"))

    assert asked(story) == ["2 Complications are to be told of Ada (complication Ada: …)."]
    story = story.given(COMPLICATED, COMPLICATED)
    story.when(c.End(what="conflict", how="victory", winner=ADA)).then(round_ended(), ended("victory", ADA))


def owing() -> Story:
    """The conflict is over, and Ada owes two Complications of it."""
    story = given(c.OpenSession(), *CAST, opening(*ONE_EACH, obstacle=CLIFF, mode="draw_until_success"))
    drawn_twice = story.given(declare(ADA), draw(ADA, "T4 T5"))
    return drawn_twice.when(c.End(what="conflict", how="victory", winner=ADA)).then(
        round_ended(),
        s.ComplicationsLeft(conflict=1, people=(ADA,), number=2),
        ended("victory", ADA),
    )


def waits(story: Story) -> list[str]:
    return [question.asked for question in waiting(story.table)]


def test_A36_complications_are_told_after_the_end_too() -> None:
    story = owing()

    assert waits(story) == ["2 Complications are to be told of Ada (complication Ada: …)."]
    story = story.when(AddComplication(text=WORDS)).then(s.ComplicationAdded(conflict=1, who=ADA, text=WORDS))
    assert waits(story) == ["1 Complication is to be told of Ada (complication Ada: …)."]
    story = story.given(COMPLICATED)
    assert waits(story) == []
    story.when(COMPLICATED).then_refused(
        "No Complication is owed: one comes with each card drawn against an obstacle."
    )


def test_A36_complications_left_over_are_listed_with_what_may_be_said() -> None:
    (seen,) = available_actions(owing().table, Luck(FirstDealer()))

    assert seen.stands == ("2 Complications are to be told of Ada (complication Ada: …).",)
    assert [one.command for one in seen.beside] == [AddComplication(who=ADA, text=YET_TO_FIND)]
    told_all = owing().given(COMPLICATED, COMPLICATED)
    assert list(available_actions(told_all.table, Luck(FirstDealer()))) == []


def test_A36_complications_left_over_are_told_while_another_conflict_is_open() -> None:
    for conflict in (opening((ADA,), (BEA,)), c.OpenConflict(system="bruise", sides=((ADA,), (BEA,)))):
        owing().given(conflict).when(COMPLICATED).then(s.ComplicationAdded(conflict=1, who=ADA, text=WORDS))
    meets_more = opening(*ONE_EACH, obstacle=CLIFF, mode="draw_until_success")
    story = owing().given(meets_more, declare(ADA), draw(ADA, "T6"))
    story = story.when(COMPLICATED).then(s.ComplicationAdded(conflict=2, who=ADA, text=WORDS))
    story.when(COMPLICATED).then(s.ComplicationAdded(conflict=1, who=ADA, text=WORDS))


def test_A36_of_complications_left_over_each_is_told_of_whose_it_is() -> None:
    story = owing().given(s.ComplicationsLeft(conflict=1, people=(BEA, DEE), number=1))

    story.when(AddComplication(text=WORDS)).then_refused("Say who has the Complication: Ada, Bea.")
    after = story.when(AddComplication(who=DEE, text=WORDS)).then(
        s.ComplicationAdded(conflict=1, who=DEE, text=WORDS)
    )
    assert waits(after) == waits(owing())


def test_A36_leftover_complications_are_not_asked_about_next_session() -> None:
    assert waits(owing().given(c.End(what="session"), c.OpenSession())) == []


def test_A36_complications_are_not_lost_with_the_obstacle_or_the_party() -> None:
    story = given(
        *CAST,
        *(option("require_tactics", "no"), option("stop_scope", "party")),
        opening((ADA,), (BEA,), (CLIFF,), obstacle=CLIFF),
        draw(None, "T4 T5 T6"),
    )
    one_each = [s.ComplicationsLeft(conflict=1, people=(who,), number=1) for who in (ADA, BEA)]

    story.when(Reformulate(who=ADA, sides=((ADA,), (BEA,)))).then(*one_each, anew((ADA,), (BEA,)))
    story.when(Reformulate(who=ADA, sides=((ADA,), (CLIFF,)))).then(one_each[1], anew((ADA,), (CLIFF,)))
    joined = story.given(Reformulate(who=ADA, sides=((DEE, BEA, ADA), (CLIFF,))))
    assert asked(joined) == ["2 Complications are to be told of Dee (complication Dee: …)."]
    left = story.when(c.Concede(who=BEA)).then(one_each[1], s.PartyLeft(conflict=1, who=BEA))
    left.when(AddComplication(who=BEA, text=WORDS)).then(s.ComplicationAdded(conflict=1, who=BEA, text=WORDS))
    assert waits(left.given(AddComplication(who=BEA, text=WORDS))) == []
    assert asked(left) == ["1 Complication is to be told of Ada (complication Ada: …)."]


def anew(*sides: tuple[int, ...]) -> s.ConflictReformulated:
    return s.ConflictReformulated(conflict=1, who=ADA, sides=sides, level=Level.BALANCED)


def test_several_cards_that_were_drawn_one_by_one_can_be_given_at_once() -> None:
    until_success().when(draw(ADA, "T4 T5")).then(drawn(ADA, "T4", "obstacle"), drawn(ADA, "T5", "obstacle"))
    until_success().when(draw(ADA, count=2)).then_refused("Here one card is drawn at a time: draw NAME.")


def test_an_obstacle_that_gives_way_draws_nothing() -> None:
    until_success().when(draw(CLIFF, "T4")).then_refused(
        "Cy is an obstacle, and never draws: that is for Ada."
    )


def test_tactics_come_first_there_too_and_may_change() -> None:
    story = against_cliff(mode="draw_until_success")

    story.when(draw(ADA, "T4")).then_refused(
        "Tactics come before cards, and these have stated none this round: Ada."
    )
    story.when(c.Draw(who=ADA, results=("T4",), text=WORDS)).then(declared(ADA), drawn(ADA, "T4", "obstacle"))
    until_success().given(draw(ADA, "T4")).when(declare(ADA)).then(declared(ADA))


def test_there_is_no_balance_to_rule_on() -> None:
    balance = e.Setting(person=None, what="balance", op="=", value="balanced")

    until_success().when(c.Rule(sets=(balance,), text=WORDS)).then_refused(
        "No Balance is kept while cards are drawn against an obstacle."
    )


# --- challenges: §9 ---------------------------------------------------------------------------------------


def challenge(rank: int = 3, **attribute: int) -> Story:
    story = against_cliff(mode="challenge", rank=rank)
    return story.given(declare(ADA, **attribute)) if attribute else story


def laid() -> Story:
    """Rank 1, attribute 1, and the challenge laid a rock."""
    return challenge(1, rock=1).given(draw(CLIFF, "rock:home"))


def raised(by: int, cost: int) -> s.CostRaised:
    return s.CostRaised(conflict=1, who=ADA, by=by, cost=cost)


def stopped(why: str) -> s.DrawingStopped:
    return s.DrawingStopped.of({"conflict": 1, "who": ADA, "why": why})


def met(outcome: str, cost: int, effect: int) -> s.ChallengeMet:
    return s.ChallengeMet.of({"conflict": 1, "who": ADA, "outcome": outcome, "cost": cost, "effect": effect})


def test_ST_10_the_furnace() -> None:
    story = challenge(3, unknown=4)

    story = story.when(draw(CLIFF, "unknown:lover:r paper:soldier:r unknown:ruler")).then(
        drawn(CLIFF, "unknown:lover:r", "challenge"),
        drawn(CLIFF, "paper:soldier:r", "challenge"),
        drawn(CLIFF, "unknown:ruler", "challenge"),
        raised(2, -2),
    )
    assert told(story, "cost") == ("-2",)
    story = story.when(draw(ADA, "unknown:dragon:r")).then(
        drawn(ADA, "unknown:dragon:r", "challenge"), raised(1, -1)
    )
    story = story.when(draw(ADA, "paper:builder:r T5:r T17")).then(
        drawn(ADA, "paper:builder:r", "challenge"),
        raised(1, 0),
        drawn(ADA, "T5:r", "challenge"),
        raised(1, 1),
        drawn(ADA, "T17", "challenge"),
    )
    story = story.given(draw(None, "T1"), draw(ADA, "rock:builder"))
    assert (told(story, "cost"), told(story, "effect")) == (("1",), ("2",))
    story = story.when(Stop(who=ADA)).then(stopped("choice"), met("success", 1, 2))

    assert told(story, "winner") == ("Ada",)
    story.when(narrate()).then(narrated(ADA))
    story.when(c.End()).then(round_ended(), ended("victory", ADA))


def test_the_attribute_is_said_before_any_card() -> None:
    challenge().when(draw()).then_refused(
        "Before cards Ada declares attribute and means: declare Ada unknown=4: means."
    )
    challenge().when(declare(ADA, sciss=4)).then_refused(
        "sciss is not an attribute: rock, paper, blades, serpent, unknown."
    )
    challenge().when(declare(ADA, scissors=4)).then(declared(ADA, blades=4))
    challenge().when(declare(ADA)).then_refused(
        "Say the one attribute Ada uses: declare Ada unknown=4: the means."
    )
    challenge().when(declare(ADA, rock=6)).then_refused("An attribute is 1 to 5, not 6.")
    laid().when(declare(ADA, rock=2)).then_refused(
        "Cards are drawn already: Ada meets this challenge as declared."
    )
    challenge().when(c.Draw(who=ADA, text=WORDS)).then_refused(
        "Declare the means first, with an attribute: declare NAME unknown=4: the means."
    )


def test_the_challenge_lays_its_cards_before_the_player_draws() -> None:
    challenge(3, rock=1).when(draw(ADA, "T1")).then_refused("The challenge lays its 3 cards first: draw Cy.")
    challenge(3, rock=1).when(draw(), "T1 T2 T3").then(
        drawn(CLIFF, "T1", "challenge"), drawn(CLIFF, "T2", "challenge"), drawn(CLIFF, "T3", "challenge")
    )
    challenge(3, rock=1).when(draw(CLIFF, "T1 T2")).then_refused(
        "The challenge lays 3 cards, and 2 cards were given."
    )
    challenge(3, rock=1).when(draw(CLIFF, "T1 T2 T3 T4")).then_refused("1 result too many: T4.")
    challenge(3, rock=1).when(draw(CLIFF, count=2)).then_refused(
        "The challenge's rank is 3: it lays as many cards."
    )
    laid().when(draw(CLIFF, "T1")).then_refused("Cy has laid its cards: it is Ada who draws.")


def test_the_challenge_stops_before_the_excuse() -> None:
    story = (
        challenge(3, rock=1)
        .when(draw(CLIFF, "T1 Excuse"))
        .then(
            drawn(CLIFF, "T1", "challenge"),
            drawn(CLIFF, "Excuse", "challenge"),
            s.ExcuseDiscarded(conflict=1, who=CLIFF),
        )
    )

    assert told(story, "hand", CLIFF) == ("T1",)
    story.when(draw(ADA), "T2").then(drawn(ADA, "T2", "challenge"))


def test_a_challenge_of_rank_0_lays_nothing_and_succeeds() -> None:
    challenge(0, rock=1).when(Stop()).then(stopped("choice"), met("success", -1, 0))
    challenge(0, rock=1).when(draw(), "T2").then(drawn(ADA, "T2", "challenge"))


def test_J2_what_beats_a_challenge_is_by_the_tables_own_table() -> None:
    # Paper beats rock by the author's table; where only Triumphs have a number, two suit cards tie.
    story = laid().given(option("beats_table", "numeric"), draw(ADA, "paper:home"))

    story.when(Stop()).then(stopped("choice"), met("failure", -1, 2))
    story.given(draw(ADA, "T1")).when(Stop()).then(stopped("choice"), met("success", -1, 2))


def test_not_to_draw_fails_costs_nothing_and_gains_a_sleeve_card() -> None:
    story = (
        laid()
        .when(c.Refuse(who=ADA, text=WORDS))
        .then(
            s.DrawRefused(conflict=1, who=ADA, text=WORDS),
            met("failure", 0, 0),
            s.SleeveGained(conflict=1, who=ADA, total=1),
        )
    )

    assert told(story, "sleeve", ADA) == ("1",)
    assert Row(ADA, "sleeve", 1, picture=Picture.POINTS) in game_state(story.table).rows()
    story.when(c.End()).then(round_ended(), ended("failure"))
    story.when(draw()).then_refused("The challenge is met: tell how, then end conflict.")


def test_A34_a_refused_challenge_shows_failure_without_cost_or_effect() -> None:
    story = challenge(2, rock=1).given(draw(CLIFF, "T1:r rock:lover:r"))
    assert (told(story, "cost"), told(story, "effect")) == (("1",), ("1",))

    after = story.given(c.Refuse(who=ADA))
    assert (told(after, "cost"), told(after, "effect")) == (("0",), ("0",))
    assert turn(after.table, after.table.conflicts[1]) == "challenge · cost 0 · effect 0 · failure"
    early = challenge(2).given(c.Refuse(who=ADA))
    assert turn(early.table, early.table.conflicts[1]) == "challenge · cost 0 · effect 0 · failure"


def test_A36_a_cost_is_never_said_to_be_more_than_five() -> None:
    nine = " ".join(f"T{number}:r" for number in range(1, 10))
    story = (
        challenge(9, rock=1)
        .when(draw(CLIFF, nine))
        .then(*(drawn(CLIFF, card, "challenge") for card in nine.split()), raised(9, 5))
    )

    story.when(draw(ADA, "T21")).then(drawn(ADA, "T21", "challenge"), stopped("wipe_out"))


def test_A36_at_a_cost_of_five_the_excuse_too_is_a_wipe_out() -> None:
    nine = " ".join(f"T{number}:r" for number in range(1, 10))

    challenge(9, rock=1).given(draw(CLIFF, nine)).when(draw(ADA, "Excuse")).then(
        drawn(ADA, "Excuse", "challenge"),
        s.ExcuseDiscarded(conflict=1, who=ADA),
        stopped("wipe_out"),
        met("failure", 5, 0),
    )


@pytest.mark.parametrize("key", ["reach", "risk"])
@pytest.mark.parametrize("value", [9, 0, "far"])
def test_A36_reach_and_risk_go_from_one_to_five(key: str, value: Value) -> None:
    setup = opening(*ONE_EACH, obstacle=CLIFF, mode="challenge", rank=2, **{key: value})

    given(*CAST).when(setup).then_refused(f"{key}= is 1 to 5, not {value}: {key}=3.")


def test_A36_only_played_characters_meet_challenges_once_players_are_seated() -> None:
    jo = e.CastIntroduced(person=5, name=Words("Jo"), role="player")
    played = given(*CAST, jo, e.PlayerSeated(person=BEA, player=5))
    sentence = (
        "Only player characters meet a challenge, and Ada has no player (cast Ada by=PLAYER); "
        "any other obstacle is met by mode=conflict or mode=draw_until_success."
    )
    meets: dict[str, Value] = {"obstacle": CLIFF, "mode": "challenge", "rank": 1}

    played.when(opening(*ONE_EACH, **meets)).then_refused(sentence)
    assert played.given(opening((ADA, BEA), (CLIFF,), **meets)).table.conflicts
    assert played.given(opening((5,), (CLIFF,), **meets)).table.conflicts
    played.given(opening((BEA,), (CLIFF,), **meets)).when(
        Reformulate(who=BEA, sides=((ADA,), (CLIFF,)))
    ).then_refused(sentence)
    gm_only = given(*CAST, jo, e.PlayerSeated(person=GM, player=5))
    assert gm_only.given(opening(*ONE_EACH, **meets)).table.conflicts


def test_A36_no_balance_is_shown_where_none_is_kept() -> None:
    for story in (challenge(), until_success()):
        assert told(story, "balance") == ()
        assert story.table.conflicts[1].state.balance(1) is None  # type: ignore[attr-defined]


def test_once_drawn_one_stops_and_does_not_refuse() -> None:
    laid().given(draw(ADA, "T1")).when(c.Refuse()).then_refused(
        "Ada has drawn already; to draw no more is to stop (stop Ada)."
    )
    laid().when(Stop()).then_refused(
        "Ada has drawn nothing yet; to draw nothing at all is to refuse (refuse Ada)."
    )


def test_the_excuse_ends_the_drawing_and_counts_for_nothing() -> None:
    laid().when(draw(ADA, "Excuse:r")).then(
        drawn(ADA, "Excuse:r", "challenge"),
        s.ExcuseDiscarded(conflict=1, who=ADA),
        stopped("excuse"),
        met("failure", -1, 1),
    )
    laid().when(draw(ADA, "Excuse T1")).then_refused(
        "Excuse is the Excuse and stops the drawing: no card comes after it."
    )


def wiped_out(*cards: str) -> Story:
    # Attribute 1 and six reversed cards: -1 + 6 = 5.
    return laid().given(
        draw(ADA, "serpent:home:r serpent:lover:r serpent:ruler:r serpent:seeker:r T9:r"), *map(_card, cards)
    )


def _card(card: str) -> c.Draw:
    return draw(ADA, card)


def test_a_cost_of_five_is_a_wipe_out() -> None:
    # Serpents do not beat the rock.
    story = laid().given(
        draw(
            ADA, " ".join(f"serpent:{figure}:r" for figure in ["home", "lover", "ruler", "seeker", "dragon"])
        )
    )
    assert told(story, "cost") == ("4",)

    story.when(draw(ADA, "serpent:soldier:r")).then(
        drawn(ADA, "serpent:soldier:r", "challenge"), raised(1, 5), stopped("wipe_out"), met("failure", 5, 2)
    )
    story.when(draw(ADA, "serpent:soldier:r T1")).then_refused(
        "serpent:soldier:r is a wipe-out and stops the drawing: no card comes after it."
    )


def test_a_wipe_out_that_is_also_a_success_waits_for_the_table() -> None:
    story = (
        wiped_out()
        .when(draw(ADA, "T8:r"))
        .then(drawn(ADA, "T8:r", "challenge"), raised(1, 5), stopped("wipe_out"))
    )

    assert asked(story) == ["The challenge is beaten and the cost is a wipe-out: which is it?"]
    story.when(draw(ADA, "T1")).then_refused(
        "The challenge is beaten and the cost is a wipe-out: which is it? Answer with: success, failure. "
        "Rule on that first (ruling success: why)."
    )
    ruling = c.Rule(answer="failure", text=WORDS)
    story.when(ruling).then(
        e.RulingMade(conflict=1, question="wipe-out", answer="failure", text=WORDS), met("failure", 5, 2)
    )
    story.when(c.Rule(answer="success", text=WORDS)).then(
        e.RulingMade(conflict=1, question="wipe-out", answer="success", text=WORDS), met("success", 5, 2)
    )


def test_a_ruling_answers_the_question_that_lists_its_answer() -> None:
    story = wiped_out("T8:r").given(
        c.Narrate(who=ADA, text=WORDS), c.Overrule(by=GM, whose=ADA, veto=True, text=WORDS)
    )

    assert len(asked(story)) == 2
    story.when(c.Rule(answer="success", text=WORDS)).then(
        e.RulingMade(conflict=1, question="wipe-out", answer="success", text=WORDS), met("success", 5, 2)
    )


def test_a_challenge_has_a_cost_and_no_complications() -> None:
    laid().given(draw(ADA, "T1")).when(COMPLICATED).then_refused(
        "A challenge has a cost in place of Complications."
    )


def test_only_a_challenge_can_be_stopped_so() -> None:
    begun().when(Stop(who=ADA)).then_refused(
        "There is no challenge here to stop drawing against (mode=challenge)."
    )


def test_how_an_obstacle_is_met_may_be_settled_once() -> None:
    story = given(*CAST, option("obstacle_mode", "challenge"))

    story.when(opening(*ONE_EACH, obstacle=CLIFF, rank="2")).then(
        e.ConflictOpened(
            conflict=1,
            system="spacetime",
            sides=ONE_EACH,
            setup={"obstacle": CLIFF, "mode": "challenge", "rank": 2},
        ),
        s.TokensGiven(people=(GM, ADA), each=3),
    )


def test_a_challenge_that_is_reformulated_begins_again() -> None:
    story = (
        laid()
        .given(draw(ADA, "T1"))
        .when(Reformulate(who=ADA))
        .then(s.ConflictReformulated(conflict=1, who=ADA, sides=ONE_EACH, level=Level.BALANCED))
    )

    assert turn(story.table, story.table.conflicts[1]) == "challenge · Ada declares means and attribute"
    story.when(declare(ADA, paper=5)).then(declared(ADA, paper=5))
    story.when(c.Shuffle()).then(shuffled("asked"))
    story.when(Reformulate(who=ADA, setup={"balance": "balanced"})).then_refused(
        "No Balance is kept while cards are drawn against an obstacle: leave out balance=."
    )


def test_the_toolbar_shows_the_state_of_an_obstacle() -> None:
    stories = [
        challenge(),
        challenge(1, rock=1),
        laid(),
        laid().given(draw(ADA, "T1")),
        laid().given(draw(ADA, "T1"), Stop()),
        wiped_out("T8:r"),
        against_cliff(mode="draw_until_success"),
        until_success(),
        until_success().given(draw(ADA, "T1")),
    ]

    assert [turn(story.table, story.table.conflicts[1]) for story in stories] == [
        "challenge · Ada declares means and attribute",
        "challenge · it lays 1",
        "challenge · cost -1 · effect 1 · Ada draws or stops",
        "challenge · cost -1 · effect 1 · beaten · Ada draws or stops",
        "challenge · cost -1 · effect 1 · beaten · success",
        "challenge · cost 5 · effect 2 · beaten · success or failure: rule on it",
        "obstacle · tactics: Ada",
        "obstacle · draws: Ada",
        "obstacle · draws: Ada · complications: 1",
    ]
