"""Several people on one line: one act, decided person by person, all of it or nothing."""

from __future__ import annotations

import pytest

from retold.games.bruise.commands.verbs import Award
from retold.games.homebrew import events as h
from retold.games.homebrew.commands import verbs as v
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests.retold.games.homebrew.at_the_bridge import (
    ORCS,
    OSK,
    THIA,
    WHY,
    bridge,
    dice,
    fight,
    made,
    total,
    track,
)
from tests.scenario import cast, given


def keep(value: str, *people: int, name: str = "hp") -> v.Keep:
    first, *others = people
    return v.Keep(who=first, also=tuple(others), track=name, value=value, text=WHY)


def test_N10_a_track_of_several_changes_with_the_words_said_once() -> None:
    bridge().when(keep("-3", THIA, OSK)).then(
        track(THIA, "hp", 12, 9, 12, text=WHY), track(OSK, "hp", 12, 9, 12)
    )


def test_N10_all_of_a_line_is_taken_or_nothing() -> None:
    story = bridge().given(keep("0", OSK))

    story.when(keep("-3", THIA, OSK)).then_refused("Osk has hp 0/12: it goes no further.")


def test_N10_naming_a_character_twice_is_refused() -> None:
    bridge().when(keep("-3", THIA, OSK, THIA)).then_refused(
        "Thia is on this line twice: name each person once."
    )


def test_N10_several_newcomers_have_one_sheet_each_and_the_same_words() -> None:
    wolves = tuple(Words(f"Wolf-{number}") for number in (1, 2))
    grey = Words("Lean and grey")
    command = c.Cast(who=wolves[0], also=wolves[1:], values={"dex": "2"}, text=grey)

    bridge().when(command).then(
        e.CastIntroduced(person=4, name=wolves[0], text=grey),
        e.SheetChanged(person=4, system="homebrew", values={"dex": 2}),
        e.CastIntroduced(person=5, name=wolves[1], text=grey),
        e.SheetChanged(person=5, system="homebrew", values={"dex": 2}),
    )


def test_N10_one_newcomer_under_two_spellings_is_named_twice() -> None:
    command = c.Cast(who=Words("Wolf"), also=(Words("wolf"),))

    bridge().when(command).then_refused("wolf is on this line twice: name each person once.")


def test_N10_one_player_for_several_comes_to_the_table_once() -> None:
    command = c.Cast(who=THIA, also=(OSK,), by=Words("Kit"))

    bridge().when(command).then(
        e.CastIntroduced(person=4, name=Words("Kit"), role="player"),
        e.PlayerSeated(person=THIA, player=4),
        e.PlayerSeated(person=OSK, player=4),
    )


def test_N10_a_move_of_several_takes_its_results_in_the_order_named() -> None:
    command = v.Roll(
        who=OSK, also=(THIA,), move="strike", stat="str", against="vs", target=12, results=("14", "9")
    )

    bridge().when(command).then(
        dice(OSK, "1d20", 14),
        total(OSK, "1d20+1[str]", 15, goal=12, margin=3),
        made(OSK, "strike", "str", 1, "a hit"),
        dice(THIA, "1d20", 9),
        total(THIA, "1d20+3[str]", 12, goal=12, margin=0),
        made(THIA, "strike", "str", 3, "a hit"),
    )


def test_N10_totals_of_several_are_called_out_one_after_another() -> None:
    command = c.Roll(who=OSK, also=(THIA,), dice="d20", results=("total", "14", "total", "9"))

    bridge().when(command).then(total(OSK, "1d20", 14, saw=False), total(THIA, "1d20", 9, saw=False))


@pytest.mark.parametrize(
    ("results", "sentence"),
    [
        (("14",), "Too few results stand after = for Osk: each person named needs theirs (Thia took 14)."),
        (("14", "9", "3"), "1 result too many: 3."),
        (("total", "14"), "Too few results stand after = for Osk: each person named needs theirs."),
        (("total", "14", "9"), "Type total before each person's total: = total 14 total 9."),
        (("total", "14", "total", "9", "3"), "1 result too many: 3."),
    ],
)
def test_N10_every_character_named_needs_their_own_results(results: tuple[str, ...], sentence: str) -> None:
    command = c.Roll(who=THIA, also=(OSK,), dice="d20", results=results)

    bridge().when(command).then_refused(sentence)


def test_N10_initiative_of_several_is_rolled_or_said() -> None:
    rolled = v.Initiative(who=THIA, also=(ORCS,), results=("14", "18"))
    fight().when(rolled).then(
        dice(THIA, "1d20", 14, conflict=1),
        total(THIA, "1d20+0[dex]", 14, conflict=1),
        h.InitiativeRolled(conflict=1, who=THIA, number=14),
        dice(ORCS, "1d20", 18, conflict=1),
        total(ORCS, "1d20+0[dex]", 18, conflict=1),
        h.InitiativeRolled(conflict=1, who=ORCS, number=18),
    )
    said = v.Initiative(who=THIA, also=(ORCS,), number=17, numbers=(3,))
    fight().when(said).then(
        h.InitiativeRolled(conflict=1, who=THIA, number=17),
        h.InitiativeRolled(conflict=1, who=ORCS, number=3),
    )


def test_Q37_one_number_of_initiative_is_that_of_all_named() -> None:
    fight().when(v.Initiative(who=THIA, also=(ORCS,), number=11)).then(
        h.InitiativeRolled(conflict=1, who=THIA, number=11),
        h.InitiativeRolled(conflict=1, who=ORCS, number=11),
    )


@pytest.mark.parametrize(
    ("also", "numbers", "sentence"),
    [
        ((), (3,), "1 person and 2 numbers are on this line: type one number for each person."),
    ],
)
def test_N10_numbers_of_initiative_are_as_many_as_people(
    also: tuple[int, ...], numbers: tuple[int, ...], sentence: str
) -> None:
    fight().when(v.Initiative(who=THIA, also=also, number=17, numbers=numbers)).then_refused(sentence)


def test_N10_several_retire_and_several_are_awarded() -> None:
    bridge().when(c.Retire(person=THIA, also=(OSK,), text=WHY)).then(
        e.PersonRetired(person=THIA, text=WHY), e.PersonRetired(person=OSK)
    )
    story = given(*cast("Zel", "Ned"), e.SheetChanged(person=1, system="bruise", values={"clubs": 1}))
    assert [getattr(one, "who", None) for one in story.when(Award(who=1, also=(2,))).events] == [1, 2]


def test_6_one_word_total_before_initiative_results_covers_all() -> None:
    rolled = v.Initiative(who=THIA, also=(ORCS,), results=("total", "14", "18"))

    fight().when(rolled).then(
        total(THIA, "1d20+0[dex]", 14, conflict=1, saw=False),
        h.InitiativeRolled(conflict=1, who=THIA, number=14),
        total(ORCS, "1d20+0[dex]", 18, conflict=1, saw=False),
        h.InitiativeRolled(conflict=1, who=ORCS, number=18),
    )
