"""What may stand on a sheet, and what is brought in from it."""

from __future__ import annotations

import pytest

from retold.games.guenask.commands import Bring, read_sheet
from retold.games.guenask.state import game_state
from retold.journal.language.expecting import check_expectation
from retold.journal.language.lexing import lex
from retold.journal.refused import Refused
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import values_of
from tests.retold.games.guenask.at_the_table import (
    ASK,
    BEA,
    CAST,
    TALK,
    THOSS,
    YOU,
    approach,
    begun,
    bring,
    brought,
    pool,
    rolled,
    sheet,
    state,
)
from tests.scenario import Story, given


@pytest.mark.parametrize(
    ("key", "value", "read"),
    [
        ("mind", "3", ("mind", 3)),
        ("body", "4d6", ("body", 4)),
        ("soft", "2", ("soft", 2)),
        ("stages", "5", ("stages", 5)),
        ("quick tongue", "2D6", ("quick tongue", "2d6")),
        ("trait.lantern", "d8", ("lantern", "1d8")),
        ("trait.mind", "1d6", ("trait.mind", "1d6")),
        ("obj.blaster", "1d4+1d8", ("obj.blaster", "1d4+1d8")),
        ("danger.blaster", "d4+d8", ("danger.blaster", "1d4+1d8")),
        ("rel.brother", "Family", ("rel.brother", "family")),
        ("unassigned", "2d6+d8", ("unassigned", "2d6+1d8")),
        ("background", "Ring docks", ("background", "Ring docks")),
    ],
)
def test_a_sheet_reads(key: str, value: str, read: tuple[str, int | str]) -> None:
    assert read_sheet(key, value) == read


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("mind", "1", "Mind is 2 to 100 dice: mind=3, not 1."),
        ("body", "101", "Body is 2 to 100 dice: body=3, not 101."),
        ("stages", "6", "An NPC has 1 to 5 stages, not 6."),
        (
            "quick tongue",
            "1d4+1d6",
            "The dice of a trait are of one size: quick tongue=2d6, not 1d4+1d6 (an obj. may mix them).",
        ),
        ("luck", "4dF", "Fudge dice have no place in a pool: write 1d6 or 2d8."),
        ("luck", "5", "“5” is not dice: write 2d6+1d8, d20 or 4dF."),
        ("rel.", "1d6", "rel. has no name: write it like rel.sister=family."),
    ],
)
def test_a_sheet_refuses(key: str, value: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        read_sheet(key, value)

    assert refused.value.sentence == sentence


def test_a_sheet_is_kept_by_what_things_are() -> None:
    table = given(
        sheet(YOU, mind=3, luck="1d6", background="Docks", **{"danger.pistol": "1d4", "rel.kin": "family"}),
        sheet(YOU, luck=None, **{"obj.pistol": "1d6"}),  # type: ignore[arg-type]
    ).table
    one = game_state(table).sheets[YOU]

    assert (one.stats, one.traits) == ({"mind": 3}, {})
    assert (one.belongings, one.dangerous) == ({"pistol": "1d6"}, set())
    assert (one.relationships, one.background) == ({"kin": "family"}, "Docks")


def test_partly_004_the_dice_of_a_sheet_are_summed_by_what_a_background_gives() -> None:
    table = begun().given(sheet(YOU, **{"rel.sister": "family"})).table

    assert [*game_state(table).dice_sums(YOU)] == [
        ("stat dice", 13, "13d6"),
        ("trait dice", 3, "3d8"),
        ("relationship dice", 4, "2d6+2d8"),
    ]
    assert [*game_state(table).dice_sums(BEA)] == [
        ("stat dice", 8, "8d6"),
        ("trait dice", 0, ""),
        ("relationship dice", 0, ""),
    ]


def test_partly_004_the_sums_follow_the_sheet_and_refuse_nothing() -> None:
    gone = e.SheetChanged(person=YOU, system="guenask", values={"legs": None, "unassigned": None})
    story = begun().given(sheet(YOU, mind=100, hard=100), gone)

    assert asked(story, "stat-dice You 207") == "It holds: stat-dice is 207."
    assert asked(story, "trait-dice You 2") == "It holds: trait-dice is 2."
    assert asked(story, "relationship-dice You 1") == "It holds: relationship-dice is 1."
    assert asked(story, "trait-dice Bea 0") == "It holds: trait-dice is 0."
    assert asked(given(*CAST), "stat-dice You") == "It holds: stat-dice is nothing."
    with pytest.raises(Refused, match="Expected stat-dice 12, found 207"):
        asked(story, "stat-dice You 12")


def asked(story: Story, what: str) -> str:
    """What `expect` answers of a table."""
    return check_expectation(lex(f"expect {what}"), story.table)


# --- what is brought --------------------------------------------------------------------------------------

BROTHER_DICE = "1 2 2 3 4 4 7"


def test_things_are_found_by_the_beginnings_of_their_names() -> None:
    story = begun().given(approach(YOU, TALK, BROTHER_DICE, "bro"))

    assert state(story).people[YOU].things == {("relationship", "brother")}


def test_faces_typed_in_any_order_lie_on_the_dice_that_have_them() -> None:
    story = begun().given(approach(YOU, TALK, "7 4 4 3 2 2 1", "brother"))

    assert rolled(YOU, "1d8", "7") in story.events
    assert pool(story, YOU) == [1, 2, 2, 3, 4, 4, 7]


def test_dice_without_results_are_dealt() -> None:
    story = begun().when(approach(YOU, ASK, None), "1 2 3 4 5 6 1").story

    assert pool(story, YOU) == [1, 1, 2, 3, 4, 5, 6]


def test_an_unknown_thing_is_refused_with_the_nearest() -> None:
    begun().when(approach(YOU, TALK, None, "lanten")).then_refused(
        "You has no lanten. Did you mean lantern? Bring it with its dice (lanten=1d6) or add it:"
        " cast You guenask lanten=1d6."
    )


def test_a_thing_not_on_the_sheet_comes_with_its_dice_and_stays_off_it() -> None:
    story = begun().given(approach(YOU, TALK, "1 1 1 1 1 1 8", luck="1d8"))

    assert brought(YOU, "luck", "trait", "1d8") in story.events
    assert "luck" not in game_state(story.table).sheets[YOU].traits


def test_two_things_of_one_name_are_told_apart_by_what_they_are() -> None:
    story = begun().given(sheet(YOU, brother="2d6"))

    story.when(approach(YOU, TALK, None, "brother")).then_refused(
        "brother may be trait.brother or rel.brother."
    )
    assert pool(story.given(approach(YOU, TALK, "1 2 2 3 4 4 7", "rel.brother")), YOU)[-1] == 7


def test_a_relationship_made_up_in_play_takes_unassigned_dice_and_stays() -> None:
    story = begun().given(approach(YOU, TALK, "1 1 1 1 1 1 8", **{"rel.cook": "1d8"}))

    change = e.SheetChanged(person=YOU, system="guenask", values={"rel.cook": "1d8", "unassigned": "2d6"})
    assert change in story.events
    assert game_state(story.table).sheets[YOU].relationships == {"brother": "1d8", "cook": "1d8"}


def test_no_more_dice_than_are_unassigned_make_a_relationship() -> None:
    begun().when(approach(YOU, TALK, None, **{"rel.cook": "2d8"})).then_refused(
        "You has 2d6+1d8 unassigned, so no 2d8 for cook; a relationship the table allows is added with "
        "cast You rel.cook=2d8."
    )


def test_a_listed_relationship_keeps_its_dice() -> None:
    begun().when(approach(YOU, TALK, None, **{"rel.brother": "1d8"})).then_refused(
        "brother is on the sheet with 1d8: bring it without dice."
    )


def test_family_rolls_what_the_table_gives_family() -> None:
    family = {"rel.sister": "family"}
    story = begun(family_dice="1d8").given(approach(THOSS, TALK, "1 1 1 1 1 1 1 8", **family))

    assert brought(THOSS, "sister", "relationship", "1d8") in story.events


def test_dangerous_is_said_of_every_thing_on_the_line() -> None:
    said = Bring(who=YOU, things=("lantern", "obj.rope"), setup={"pistol": "1d4"}, dangerous=True)

    assert (said.things, said.setup, said.dangerous) == (
        ("danger.lantern", "danger.rope"),
        {"danger.pistol": "1d4"},
        False,
    )
    assert said == Bring.of(values_of(said))


def test_a_harmless_thing_on_the_sheet_may_be_dangerous_here() -> None:
    story = begun().given(approach(YOU, TALK, "1 1 1 1 1 1 5 5", "lantern"))
    assert state(story).people[YOU].dangerous == 0

    story = begun().given(approach(YOU, TALK, "1 1 1 1 1 1 5 5", "danger.lantern"))

    assert state(story).people[YOU].dangerous == 1


def test_a_trait_is_not_dangerous() -> None:
    begun().given(approach(YOU, TALK, "1 1 1 1 1 1"), approach(THOSS, ASK, "1 1 1 1 1 1 1")).when(
        bring(YOU, None, "legs", dangerous=True)
    ).then_refused(
        "legs is a trait and no danger: --dangerous is said of everything on the line, "
        "danger. before a name of that alone, such as danger.knife=1d4."
    )


def test_each_thing_is_rolled_once_in_a_conflict() -> None:
    story = begun().given(
        approach(YOU, TALK, BROTHER_DICE, "brother"), approach(THOSS, TALK, "1 1 1 1 1 1 1")
    )

    story.when(bring(YOU, None, "brother")).then_refused(
        "You has rolled brother in this conflict, and each thing is rolled once."
    )


def test_a_thing_named_twice_on_one_line_is_not_said_to_be_rolled() -> None:
    story = begun().given(
        approach(YOU, TALK, BROTHER_DICE, "brother"), approach(THOSS, TALK, "1 1 1 1 1 1 1")
    )

    story.when(bring(YOU, None, "legs", "legs")).then_refused("legs is named twice.")
    story = story.given(sheet(YOU, **{"quick tongue": "2d6"}))
    story.when(bring(YOU, None, "quick", "tongue")).then_refused(
        'quick tongue is named twice: its words belong in quotes, "quick tongue".'
    )


def test_something_has_to_be_brought() -> None:
    begun().given(approach(YOU, TALK, "1 1 1 1 1 1"), approach(THOSS, TALK, "1 1 1 1 1 1 1")).when(
        bring(YOU, None)
    ).then_refused("Say what is brought in, such as: bring Thoss pistol=1d4+1d8 --dangerous.")


def test_a_missing_stat_is_asked_for() -> None:
    story = begun().given(e.SheetChanged(person=YOU, system="guenask", values={"mind": None}))

    story.when(approach(YOU, TALK, None)).then_refused(
        "You has no Mind on the sheet: cast You guenask mind=3."
    )
