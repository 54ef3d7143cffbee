from __future__ import annotations

import pytest

from journal.systems.spacetime import events as s
from journal.systems.spacetime.commands import AddComplication, DesireOutcome, Postpone, Reformulate, pending
from journal.systems.spacetime.commands.narrating import to_tell
from journal.systems.spacetime.rules import Level
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Command, Event
from journal.words import Words
from tests.journal.systems.spacetime.at_the_table import (
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


def test_A24_a_party_leaves_with_everybody_of_it_by_the_word_of_one() -> None:
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


def test_A24_the_text_of_a_draw_is_the_tactic_of_whoever_draws_and_the_cards_are_the_partys() -> None:
    begun(*ALLIES).given(declare(CY)).when(c.Draw(who=BEA, results=("T1",), text=WORDS)).then(
        declared(BEA), drawn(ADA, "T1")
    )


def test_A24_the_telling_of_one_is_enough_for_the_party() -> None:
    story = decided()

    assert to_tell(story.table.conflicts[1]) == (CY, ADA)
    after = story.given(narrate(BEA))
    assert to_tell(after.table.conflicts[1]) == (CY,)


def test_A24_overruling_strikes_only_the_words_of_whom_it_names() -> None:
    story = decided().given(narrate(ADA), narrate(BEA))
    adas = len(story.events) - 1

    after = story.when(overrule(CY, ADA)).then(
        e.NarrationOverruled(conflict=1, by=CY, whose=ADA, narration=adas, how="token", text=WORDS)
    )
    assert waits(after) == ["Ada's narration was struck: Ada tells it anew (narrate Ada: …)."]
    assert waits(after.given(narrate(BEA))) == waits(after)
    assert waits(after.given(narrate(ADA))) == []
    assert after.table.narrations[BEA].struck is False


def test_A24_of_a_party_nobody_is_struck_for_another() -> None:
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


def test_A24_whoever_will_not_draw_has_the_sleeve_card_and_the_party_fails() -> None:
    story = begun((ADA, BEA), (CLIFF,), obstacle="Cy", mode="challenge", rank=1).given(
        declare(BEA, unknown=4)
    )

    story.when(c.Refuse(who=BEA)).then(
        s.DrawRefused(conflict=1, who=BEA),
        s.ChallengeMet(conflict=1, who=ADA, outcome="failure", cost=0, effect=0),
        s.SleeveGained(conflict=1, who=BEA, total=1),
    )


# --- players and the game master by their own names -------------------------------------------------------


def test_a_players_name_stands_for_whom_they_play_here() -> None:
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
    assert to_tell(flowed.table.conflicts[1]) == (ADA, CY)
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
