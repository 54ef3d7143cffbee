"""What every conflict has in common: opening, conceding, and what no system answers."""

from __future__ import annotations

import pytest

from retold.games.bruise import events as b
from retold.games.spacetime.commands import Postpone
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests.scenario import Story, cast, given

ZEL, GUARDS, ANA = 1, 2, 3
CAST = cast("Zel", "Guards", "Ana")
WORDS = Words("She leaves the ledger.")


def between(*sides: tuple[int, ...]) -> Story:
    """A conflict of Bruise is open between these sides."""
    return given(*CAST, c.OpenConflict(system="bruise", sides=sides or ((ZEL,), (GUARDS,))))


OFFERED = e.ConcessionOffered(conflict=1, who=ZEL, text=WORDS)


def conceding(*sides: tuple[int, ...]) -> Story:
    """Zel has a concession on the table."""
    return between(*sides).given(OFFERED)


# --- opening ----------------------------------------------------------------------------------------------


def test_a_conflict_opens_with_all_that_is_said_of_it() -> None:
    wish = c.OpenConflict(
        title=Words("Out by the stair"),
        system="bruise",
        sides=((ZEL, ANA), (GUARDS,)),
        setup={"tied": "destiny"},
        length=Words("three turns"),
        text=Words("Freedom"),
    )

    given(*CAST).when(wish).then(
        e.ConflictOpened(
            conflict=1,
            system="bruise",
            sides=((ZEL, ANA), (GUARDS,)),
            setup={"tied": "destiny"},
            title=Words("Out by the stair"),
            length=Words("three turns"),
            text=Words("Freedom"),
        )
    )


def test_unknown_sides_enter_the_cast() -> None:
    sides = ((ZEL, Words("Mira")), (Words("Wolves"), Words("Mira's dog")))

    given(*CAST).when(c.OpenConflict(system="bruise", sides=sides)).then(
        e.CastIntroduced(person=4, name=Words("Mira"), role="side"),
        e.CastIntroduced(person=5, name=Words("Wolves"), role="side"),
        e.CastIntroduced(person=6, name=Words("Mira's dog"), role="side"),
        e.ConflictOpened(conflict=1, system="bruise", sides=((ZEL, 4), (5, 6))),
    )


def test_conflicts_are_counted_and_stand_beside_each_other() -> None:
    story = (
        between()
        .when(c.OpenConflict(sides=((ANA,), (GUARDS,))))
        .then(e.ConflictOpened(conflict=2, system="bruise", sides=((ANA,), (GUARDS,))))
    )

    over = story.when(c.End()).then(e.ConflictEnded(conflict=2, how="ended"))
    over.when(c.End()).then(e.ConflictEnded(conflict=1, how="ended"))
    over.when(c.End(conflict=2)).then_refused("That conflict is over.")


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (
            c.OpenConflict(system="bruise", sides=((ZEL,),)),
            "A conflict needs two sides or more: Zel vs Guards.",
        ),
        (
            c.OpenConflict(system="bruise", sides=((ZEL, ANA), (GUARDS, ANA))),
            "Ana is on two sides: name them on one side only.",
        ),
        (
            c.OpenConflict(system="bruise", sides=((ZEL,), (Words("zel"),))),
            "Zel is on two sides: name them on one side only.",
        ),
        (
            c.OpenConflict(system="bruise", sides=((Words("Wolves"),), (Words("WOLVES"),))),
            "Wolves is on two sides: name them on one side only.",
        ),
        (
            c.OpenConflict(system="bruise", sides=((ZEL,), (GUARDS,)), setup={"balance": "balanced"}),
            "Bruise takes no balance= in a conflict. It takes: tied=destiny|fate.",
        ),
    ],
)
def test_conflicts_that_cannot_open(wish: c.OpenConflict, sentence: str) -> None:
    given(*CAST).when(wish).then_refused(sentence)


def test_HB_02_a_conflict_without_a_game_is_homebrew() -> None:
    wish = c.OpenConflict(sides=((ZEL,), (GUARDS,)))
    opened = e.ConflictOpened(conflict=1, system="homebrew", sides=((ZEL,), (GUARDS,)), setup={})

    given(*CAST).when(wish).then(opened)


def test_if_several_games_are_played_a_conflict_says_which() -> None:
    sheets = [
        e.SheetChanged(person=ZEL, system=game, values={key: 3})
        for game, key in (("bruise", "clubs"), ("whiskey", "hp"))
    ]

    given(*CAST, *sheets).when(c.OpenConflict(sides=((ZEL,), (GUARDS,)))).then_refused(
        f"Several games are played here; say which this is for: {', '.join(SYSTEMS)} (homebrew is any other)."
    )


# --- conceding --------------------------------------------------------------------------------------------


def test_a_side_offers_how_it_loses() -> None:
    between((ANA, ZEL), (GUARDS,)).when(c.Concede(who=ZEL, text=WORDS)).then(
        e.ConcessionOffered(conflict=1, who=ANA, text=WORDS)
    )


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (c.Concede(text=WORDS), "Say who concedes: Zel or Guards."),
        (c.Concede(who=ANA, text=WORDS), "Ana is on no side of this conflict."),
        (c.Concede(who=ZEL), "Say what Zel offers: concede Zel: the story."),
        (c.Accept(who=GUARDS), "Nothing is offered, so there is nothing to accept."),
        (c.Refuse(who=GUARDS), "Nothing is offered, so there is nothing to refuse."),
    ],
)
def test_offers_that_cannot_be(wish: c.Concede | c.Accept | c.Refuse, sentence: str) -> None:
    between().when(wish).then_refused(sentence)


def test_one_concession_at_a_time_is_on_the_table() -> None:
    conceding().when(c.Concede(who=GUARDS, text=WORDS)).then_refused(
        "Zel has a concession on the table: accept or refuse it."
    )


@pytest.mark.parametrize("who", [GUARDS, None])
def test_between_two_sides_an_accepted_concession_ends_the_conflict(who: int | None) -> None:
    conceding().when(c.Accept(who=who, text=Words("Go."))).then(
        e.ConcessionAccepted(conflict=1, who=GUARDS, whose=ZEL, text=Words("Go.")),
        e.ConflictEnded(conflict=1, how="conceded", winner=GUARDS),
    )


def test_the_cards_go_back_before_the_conflict_is_over() -> None:
    drawn = c.Draw(who=ZEL, count=1, results=("JH",))

    between().given(drawn, OFFERED).when(c.Accept()).then(
        e.ConcessionAccepted(conflict=1, who=GUARDS, whose=ZEL),
        b.TurnEnded(conflict=1, turn=1),
        e.ConflictEnded(conflict=1, how="conceded", winner=GUARDS),
    )


def test_a_three_sided_concession_needs_both_others_to_accept() -> None:
    story = conceding((ZEL,), (GUARDS,), (ANA,))

    story.when(c.Accept()).then_refused("Say who accepts: Guards or Ana.")
    one = story.when(c.Accept(who=ANA)).then(e.ConcessionAccepted(conflict=1, who=ANA, whose=ZEL))
    one.when(c.Accept(who=ANA)).then_refused("It is for Guards to accept.")
    one.when(c.Accept()).then(
        e.ConcessionAccepted(conflict=1, who=GUARDS, whose=ZEL),
        e.ConflictEnded(conflict=1, how="conceded"),
    )


def test_a_side_cannot_answer_its_own_offer() -> None:
    story = conceding((ZEL,), (GUARDS,), (ANA,))

    story.when(c.Accept(who=ZEL)).then_refused("It is for Guards, Ana to accept.")
    story.when(c.Refuse(who=ZEL)).then_refused("It is for Guards, Ana to refuse.")


@pytest.mark.parametrize("who", [GUARDS, None])
def test_a_refused_concession_is_off_the_table(who: int | None) -> None:
    story = (
        conceding()
        .when(c.Refuse(who=who, text=Words("Stand and fight.")))
        .then(e.ConcessionRefused(conflict=1, who=GUARDS, whose=ZEL, text=Words("Stand and fight.")))
    )

    story.when(c.Accept()).then_refused("Nothing is offered, so there is nothing to accept.")
    story.when(c.Concede(who=ZEL, text=WORDS)).then(OFFERED)


def test_of_three_sides_one_refusal_is_enough() -> None:
    story = conceding((ZEL,), (GUARDS,), (ANA,)).given(c.Accept(who=GUARDS))

    story.when(c.Refuse()).then_refused("Say who refuses: Guards or Ana.")
    refused = story.when(c.Refuse(who=ANA)).then(e.ConcessionRefused(conflict=1, who=ANA, whose=ZEL))
    refused.when(c.Accept(who=GUARDS)).then_refused("Nothing is offered, so there is nothing to accept.")


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (c.Concede(who=ZEL, text=WORDS), "No conflict is open, so there is nothing to concede."),
        (c.Accept(who=ZEL), "No conflict is open, so there is nothing to accept."),
        (c.Refuse(who=ZEL), "No conflict is open, so there is nothing to refuse."),
    ],
)
def test_concessions_outside_a_conflict_are_refused(
    wish: c.Concede | c.Accept | c.Refuse, sentence: str
) -> None:
    given(*CAST).when(wish).then_refused(sentence)


# --- what a system may lack -------------------------------------------------------------------------------


def test_a_compel_is_refused_in_the_systems_name() -> None:
    wish = c.Compel(who=ZEL, aspect="never leaves a debt", text=WORDS)

    between().when(wish).then_refused("Bruise has no compels.")
    given(*CAST).when(wish).then_refused("A compel belongs to a conflict, and none is open.")


def test_a_verb_of_one_system_is_refused_in_another() -> None:
    between().when(Postpone(who=ZEL)).then_refused("Bruise has no postpone; it belongs to Space·Time.")
    given(*CAST).when(Postpone(who=ZEL)).then_refused(
        "No conflict is open, and postpone belongs to one (Space·Time)."
    )
