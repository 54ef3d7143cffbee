from __future__ import annotations

import pytest

from retold.games.spacetime import events as s
from retold.games.spacetime.commands import AddComplication, DesireOutcome, Postpone, Reformulate, pending
from retold.games.spacetime.commands.narration import due_narrators
from retold.games.spacetime.rules import Level
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event, Words
from tests.retold.games.spacetime.at_the_table import (
    ADA,
    BEA,
    CAST,
    CLIFF,
    CY,
    DEE,
    GM,
    WORDS,
    begun,
    declare,
    declared,
    draw,
    drawn,
    ended,
    narrate,
    narrated,
    opening,
    option,
    told,
)
from tests.scenario import Story, given

ALLIES = ((ADA, BEA), (CY,))
PLAYERS = (PA, PB, EVE) = (5, 6, 7)
NO_TACTICS = {"require_tactics": "no"}


def allied(*happened: Event | Command, **options: str) -> Story:
    """Ada and Bea are one party against Cy, and cards need no tactics."""
    return begun(*ALLIES, options={**NO_TACTICS, **options}).given(*happened)


def decided() -> Story:
    """Cy has won a round against Ada and Bea."""
    return allied(draw(None, "T1 T2"))


def seated() -> Story:
    """Ada and Bea, whom Pa and Pb play, against Cy, who is Pb's too; Eve is the game master."""
    players = [
        e.CastIntroduced(person=person, name=Words(name), role="player")
        for person, name in zip(PLAYERS, ("Pa", "Pb", "Eve"), strict=True)
    ]
    seats = [
        e.PlayerSeated(person=person, player=player)
        for person, player in ((ADA, PA), (BEA, PB), (CY, PB), (GM, EVE))
    ]
    return given(*CAST, *players, *seats, option("require_tactics", "no"), opening(*ALLIES))


def waits(story: Story) -> list[str]:
    return [question.asked for question in pending(story.table, story.table.conflicts[1])]


def overrule(by: int, whose: int, *, veto: bool = False) -> c.Overrule:
    return c.Overrule(by=by, whose=whose, veto=veto, text=WORDS)


# --- who speaks, and for whom -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "event"),
    [
        (declare(BEA), declared(BEA)),
        (narrate(BEA), narrated(BEA)),
        (DesireOutcome(who=BEA, text=WORDS), s.OutcomeDesired(conflict=1, who=BEA, text=WORDS)),
        (
            Reformulate(who=BEA, text=WORDS),
            s.ConflictReformulated(conflict=1, who=BEA, sides=ALLIES, level=Level.BALANCED, text=WORDS),
        ),
    ],
)
def test_A24_an_ally_speaks_in_their_own_name(command: Command, event: Event) -> None:
    allied().when(command).then(event)


def test_A24_an_ally_concedes_and_postpones_in_their_own_name_and_for_the_party() -> None:
    allied().when(c.Concede(who=BEA, text=WORDS)).then(
        s.ConflictStopped(conflict=1, who=BEA, how="conceded", text=WORDS), ended("conceded", CY)
    )
    allied().when(Postpone(who=BEA)).then(
        s.ConflictStopped(conflict=1, who=BEA, how="postponed"), ended("postponed")
    )


def test_A24_one_member_concedes_for_the_whole_party() -> None:
    story = begun((ADA, BEA), (CY,), (DEE,), options={**NO_TACTICS, "stop_scope": "party"})

    after = story.when(c.Concede(who=BEA, text=WORDS)).then(
        s.PartyLeft(conflict=1, who=BEA, people=(ADA, BEA), text=WORDS)
    )
    assert after.table.conflicts[1].sides == ((CY,), (DEE,))


def test_A24_the_tactic_of_one_is_that_of_the_party() -> None:
    story = begun(*ALLIES).given(declare(BEA))

    story.when(declare(ADA)).then_refused(
        "Ada has stated a tactic this round: the next is stated after the flow."
    )
    story.given(declare(CY)).when(draw(ADA, "T1")).then(drawn(ADA, "T1"))


def test_A24_a_draw_gives_the_drawers_tactic_and_the_partys_cards() -> None:
    begun(*ALLIES).given(declare(CY)).when(c.Draw(who=BEA, results=("T1",), text=WORDS)).then(
        declared(BEA), drawn(ADA, "T1")
    )


def test_A24_the_telling_of_one_is_enough_for_the_party() -> None:
    story = decided()

    assert due_narrators(story.table.conflicts[1]) == (CY, ADA)
    after = story.given(narrate(BEA))
    assert due_narrators(after.table.conflicts[1]) == (CY,)


def test_A24_overruling_strikes_only_the_named_narrators_words() -> None:
    story = decided().given(narrate(ADA), narrate(BEA))
    adas = len(story.events) - 1

    after = story.when(overrule(CY, ADA)).then(
        e.NarrationOverruled(conflict=1, by=CY, whose=ADA, narration=adas, how="token", text=WORDS)
    )
    assert waits(after) == ["Ada's narration was struck: Ada tells it anew (narrate Ada: …)."]
    assert waits(after.given(narrate(BEA))) == waits(after)
    assert waits(after.given(narrate(ADA))) == []
    assert after.table.narrations[BEA].struck is False


def test_A24_a_member_is_not_struck_for_anothers_narration() -> None:
    decided().given(narrate(BEA)).when(overrule(CY, ADA)).then_refused(
        "Ada has no narration to strike; of that party Bea told: overrule whose it was."
    )


def test_A24_the_complications_of_a_party_are_told_by_any_of_it() -> None:
    story = begun((ADA, BEA), (CLIFF,), options=NO_TACTICS, obstacle="Cy").given(draw(None, "T2 T1"))

    after = story.when(AddComplication(who=BEA, text=WORDS)).then(
        s.ComplicationAdded(conflict=1, who=BEA, text=WORDS)
    )
    assert told(after, "complications", ADA) == told(after, "complications", BEA) == ("1",)
    assert waits(after) == []


def test_A24_a_refuser_gains_the_sleeve_card_and_the_party_fails() -> None:
    story = begun((ADA, BEA), (CLIFF,), obstacle="Cy", mode="challenge", rank=1).given(
        declare(BEA, unknown=4)
    )

    story.when(c.Refuse(who=BEA)).then(
        s.DrawRefused(conflict=1, who=BEA),
        s.ChallengeMet(conflict=1, who=ADA, outcome="failure", cost=0, effect=0),
        s.SleeveGained(conflict=1, who=BEA, total=1),
    )


# --- players and the game master by their own names -------------------------------------------------------


def test_a_players_name_means_their_character_in_this_conflict() -> None:
    story = seated()

    story.when(narrate(PA)).then(narrated(ADA))
    story.when(draw(PA, "T1")).then(drawn(ADA, "T1"))
    story.when(narrate(EVE)).then(narrated(GM))
    story.given(narrate(ADA)).when(overrule(PB, PA)).then(
        e.NarrationOverruled(
            conflict=1, by=PB, whose=ADA, narration=len(story.events) + 1, how="token", text=WORDS
        )
    )


def test_a_player_of_several_says_whose_part_it_is() -> None:
    seated().when(narrate(PB)).then_refused("Pb plays Bea, Cy here: say which of them it is.")


def test_A35_the_veto_is_the_game_masters_by_name_too() -> None:
    story = seated().given(narrate(ADA))
    at = len(story.events)

    story.when(overrule(EVE, ADA, veto=True)).then(
        e.NarrationOverruled(conflict=1, by=EVE, whose=ADA, narration=at, how="veto", text=WORDS)
    )
    story.when(overrule(PA, ADA, veto=True)).then_refused(
        "Only the game master has a veto: overrule gm NAME --veto: why."
    )


# --- what was struck --------------------------------------------------------------------------------------


def test_A36_what_was_struck_is_told_anew_though_the_next_round_has_begun() -> None:
    story = decided().given(narrate(ADA), narrate(CY), overrule(CY, ADA))
    again = "Ada's narration was struck: Ada tells it anew (narrate Ada: …)."

    begun_anew = story.given(declare(ADA))
    assert waits(begun_anew) == [again]
    flowed = story.given(draw(None, "T3 T4 T5"))
    assert waits(flowed) == [again]
    assert due_narrators(flowed.table.conflicts[1]) == (ADA, CY)
    assert waits(flowed.given(narrate(ADA))) == []
    assert waits(story.given(Reformulate(who=CY))) == [again]


def test_what_was_told_in_one_conflict_is_due_again_there() -> None:
    story = decided().given(narrate(ADA), opening((BEA,), (DEE,)))
    at = len(decided().events) + 1

    after = story.when(overrule(DEE, ADA)).then(
        e.NarrationOverruled(conflict=1, by=DEE, whose=ADA, narration=at, how="token", text=WORDS)
    )
    assert waits(after) == ["Ada's narration was struck: Ada tells it anew (narrate Ada: …)."]
    assert pending(after.table, after.table.conflicts[2]) == ()


# --- who comes and who goes (A60) -------------------------------------------------------------------------


def three(**options: str) -> Story:
    return begun((ADA,), (BEA,), (CY,), options={**NO_TACTICS, **options})


def join(*who: int | Words, side: int | None = None) -> c.Join:
    return c.Join(who=who, side=side, text=WORDS)


def joined(*people: int, side: int | None = None) -> e.Joined:
    return e.Joined(conflict=1, people=people, side=side, text=WORDS)


def leave(*who: int) -> c.Leave:
    return c.Leave(who=who, text=WORDS)


def left(*people: int, side: int) -> e.Left:
    return e.Left(conflict=1, people=people, side=side, text=WORDS)


def sides(story: Story) -> tuple[tuple[int, ...], ...]:
    return story.table.conflicts[1].sides


def test_A60_a_mid_round_joiner_speaks_for_the_party() -> None:
    story = begun().given(declare(ADA), declare(BEA), draw(ADA, "T1"))

    after = story.when(join(DEE, side=ADA)).then(joined(DEE, side=ADA), s.TokensGiven(people=(DEE,), each=3))
    assert sides(after) == ((ADA, DEE), (BEA,))
    after.when(draw(DEE, "T2")).then_refused("Ada has drawn already this round.")
    flowed = after.given(draw(BEA, "T2"))
    flowed.when(narrate(DEE)).then(narrated(DEE))
    assert due_narrators(flowed.given(narrate(DEE)).table.conflicts[1]) == (BEA,)


def test_A60_a_party_of_its_own_states_outcome_and_tactic_and_draws() -> None:
    story = begun().given(declare(ADA), declare(BEA), draw(None, "T1 T2"))

    after = story.given(join(DEE))
    assert sides(after) == ((ADA,), (BEA,), (DEE,))
    desire = DesireOutcome(who=DEE, text=WORDS)
    wanted = after.when(desire).then(s.OutcomeDesired(conflict=1, who=DEE, text=WORDS))
    wanted.when(desire).then_refused(
        "Rounds have begun: another outcome is a reformulation (reformulate Dee: why)."
    )
    after.given(declare(ADA), declare(BEA)).when(draw(None, "T3 T4 T5 T6")).then_refused(
        "Tactics come before cards, and these have stated none this round: Dee."
    )
    flowed = after.given(declare(ADA), declare(BEA), declare(DEE), draw(None, "T3 T20 T4 T5"))
    assert told(flowed, "flow") == ("up",)


def test_A60_a_person_who_comes_while_cards_are_being_drawn_draws_too() -> None:
    story = begun(options=NO_TACTICS).given(draw(ADA, "T9"), join(DEE))

    assert told(story.given(draw(BEA, "T2")), "flow") == ()
    flowed = story.given(draw(None, "T2 T3"))
    assert told(flowed, "balance") == ("unbalanced", "Ada")


def test_A60_joiners_cannot_side_with_an_obstacle_or_split_a_challenge() -> None:
    against = begun((ADA,), (CLIFF,), obstacle="Cy", options=NO_TACTICS)
    challenged = begun((ADA,), (CLIFF,), obstacle="Cy", mode="challenge", rank=1)

    against.when(join(DEE, side=CY)).then_refused(
        "Cy is an obstacle and has no allies: join a party, or come as one of your own."
    )
    assert sides(against.given(join(DEE))) == ((ADA,), (CLIFF,), (DEE,))
    challenged.when(join(DEE)).then_refused("One party meets a challenge: join it (join Dee Ada).")
    challenged.given(join(DEE, side=ADA)).when(declare(DEE, rock=2)).then(declared(DEE, rock=2))


def test_A60_a_decided_conflict_admits_no_joining_or_leaving() -> None:
    over = begun(options=NO_TACTICS, balance="overwhelming:Ada").given(draw(None, "T9 T8 T1 T2"))
    sentence = "Ada has won: tell the last round, then end conflict."

    over.when(join(DEE)).then_refused(sentence)
    over.when(leave(BEA)).then_refused(sentence)


def test_A60_one_of_a_party_leaves_and_the_party_goes_on() -> None:
    story = allied().given(draw(None, "T1 T2"), narrate(BEA))

    after = story.when(leave(BEA)).then(left(BEA, side=ADA))
    assert sides(after) == ((ADA,), (CY,))
    assert due_narrators(after.table.conflicts[1]) == (CY,)


def test_A60_a_party_whose_first_leaves_keeps_all_it_has_under_the_next() -> None:
    story = begun(*ALLIES, balance="unbalanced:Ada").given(
        DesireOutcome(who=ADA, text=WORDS), declare(ADA), declare(CY), draw(ADA, "T5 T6")
    )

    after = story.when(leave(ADA)).then(left(ADA, side=ADA))
    assert sides(after) == ((BEA,), (CY,))
    assert told(after, "balance") == ("unbalanced", "Bea")
    assert told(after, "hand", BEA) == ("T5", "T6")
    after.when(declare(BEA)).then_refused(
        "Bea has stated a tactic this round: the next is stated after the flow."
    )
    after.when(draw(CY, "T5")).then_refused("T5 is out already: it lies before Bea.")
    flowed = after.given(draw(CY, "T1"))
    assert told(flowed, "balance") == ("overwhelming", "Bea")
    assert due_narrators(flowed.table.conflicts[1]) == (BEA, CY)
    flowed.given(declare(BEA)).table.shelves["spacetime"].check()  # type: ignore[attr-defined]


def test_A60_the_excuse_and_complications_of_a_party_are_owed_by_who_stays() -> None:
    story = begun((ADA, BEA), (CLIFF,), options=NO_TACTICS, obstacle="Cy").given(draw(None, "Excuse T1"))

    after = story.given(leave(ADA))
    assert waits(after) == [
        "1 Complication is to be told of Bea (complication Bea: …).",
        "Bea has no card in place of the Excuse yet (draw Bea).",
    ]
    after.when(draw(BEA, "T7")).then(drawn(BEA, "T7", "narration"))


def test_A60_a_party_that_leaves_is_gone_and_the_others_go_on() -> None:
    story = three().given(draw(None, "T9 T2 T3"))

    after = story.when(leave(ADA)).then(left(ADA, side=ADA), s.BalanceSet(conflict=1, level=Level.BALANCED))
    assert sides(after) == ((BEA,), (CY,))
    assert due_narrators(after.table.conflicts[1]) == (BEA, CY)
    after.when(draw(None, "T4 T9")).then_refused("T9 is out already: it lies among the discards.")
    story.when(leave(CY)).then(left(CY, side=CY))


def test_A60_with_all_but_one_party_gone_the_conflict_is_over() -> None:
    begun(options=NO_TACTICS).given(draw(None, "T9 T2")).when(leave(BEA)).then(
        left(BEA, side=BEA), s.RoundEnded(conflict=1, round=1), ended("left", ADA)
    )
    allied().when(leave(BEA, ADA)).then(left(BEA, ADA, side=ADA), ended("left", CY))
    against = begun((ADA,), (CLIFF,), obstacle="Cy", options=NO_TACTICS).given(draw(None, "T1 T2"))
    against.when(leave(ADA)).then(
        left(ADA, side=ADA),
        s.RoundEnded(conflict=1, round=1),
        s.ComplicationsLeft(conflict=1, people=(ADA,), number=1),
        ended("left", CLIFF),
    )


def test_A60_a_party_leaves_between_rounds_and_one_of_several_at_any_time() -> None:
    three().given(draw(ADA, "T9")).when(leave(CY)).then_refused(
        "Cards are on the table: first the others draw (Bea, Cy), then a party may leave."
    )
    allied(draw(CY, "T9")).when(leave(BEA)).then(left(BEA, side=ADA))


def test_A60_a_party_that_leaves_an_obstacle_to_others_has_its_complications_to_tell() -> None:
    story = begun((ADA,), (BEA,), (CLIFF,), options=NO_TACTICS, obstacle="Cy").given(draw(None, "T1 T2 T3"))

    after = story.when(leave(ADA)).then(
        s.ComplicationsLeft(conflict=1, people=(ADA,), number=1), left(ADA, side=ADA)
    )
    after.when(AddComplication(who=ADA, text=WORDS)).then(
        s.ComplicationAdded(conflict=1, who=ADA, text=WORDS)
    )


def test_A60_an_obstacle_does_not_leave() -> None:
    begun((ADA,), (CLIFF,), obstacle="Cy").when(leave(CLIFF)).then_refused(
        "Cy is an obstacle and does not leave: reformulate without it, or end conflict."
    )


def test_A60_a_person_who_leaves_tells_nothing_anew() -> None:
    story = allied(draw(None, "T1 T2"), narrate(BEA), overrule(CY, BEA), leave(BEA))

    assert waits(story) == []
    assert due_narrators(story.table.conflicts[1]) == (CY, ADA)
