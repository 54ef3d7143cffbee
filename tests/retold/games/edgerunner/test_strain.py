"""Strain: what upgrades cost whoever has them, and how it is taken."""

from __future__ import annotations

from retold.games.edgerunner import events as g
from retold.games.edgerunner.measures import ladder
from retold.games.edgerunner.rules import Severity, strain
from retold.journal.vocabulary import events as e
from tests.retold.games.edgerunner.at_the_warehouse import (
    GATTO,
    HARGAN,
    JADE,
    PEOPLE,
    SHEETS,
    TEXT,
    attack,
    begun,
    kept,
    marked,
    marks,
    option,
    sheet,
    shifts,
)
from tests.retold.games.edgerunner.open_rolls import (
    boost,
    invoke,
    open_act,
    outside_roll,
    resist,
    taken,
)
from tests.scenario import Story, given

MILD, MODERATE, SEVERE = Severity
LINK = sheet(JADE, research=3, humanity=1, upgrade__link="research+2/2")
"""A neural link that is worth 2 to research, without constraints, and a humanity of 1."""

VEINS = sheet(GATTO, slots__severe=2, upgrade__veins="/3")
"""One severe slot more, 4 less one constraint."""


def strained(who: int, upgrade: str, amount: int, conflict: int | None = 1) -> g.UpgradeStrained:
    return g.UpgradeStrained(conflict=conflict, who=who, upgrade=upgrade, track="humanity", amount=amount)


def settled(who: int, upgrade: str, less: int, conflict: int | None = 1) -> g.Resisted:
    return g.Resisted(conflict=conflict, who=who, shifts=less, strain=upgrade)


def researched(*more: e.SheetChanged) -> Story:
    """Jade has researched with her neural link: 3, 2 from the link, and dice of 1."""
    story = outside_roll(JADE, 6, level=5, upgrade="link", story=given(*PEOPLE, *SHEETS, LINK, *more))
    return story.given(strained(JADE, "link", 3, None))


def outside(event: g.StressMarked) -> g.StressMarked:
    return event.but({"conflict": None})


# --- one's own roll ---------------------------------------------------------------------------------------


def test_a_moderate_consequence_cuts_strain_to_one_without_taking_out() -> None:
    """ED-17."""
    assert (3 + 2 + 1, ladder(6)) == (6, "Fantastic")
    assert strain(1, 2, own=True) == 3

    story = (
        researched()
        .when(resist(JADE, ("humanity", 1), moderate="Nosebleeds"))
        .then(
            settled(JADE, "link", 3, None),
            taken(JADE, MODERATE, 2, aspect=4, wording="Nosebleeds", why="strain", conflict=None),
            outside(marked(JADE, "humanity", 1, 1, threshold=1, why="strain")),
        )
    )

    assert marks(story, JADE, "humanity") == {1}
    assert not kept(story).owed


def test_with_a_base_of_nothing_the_example_comes_out() -> None:
    """ED-17, as the slip about the base of a threshold settles it."""
    story = given(*PEOPLE, option("base_threshold", "0"), sheet(JADE, skill__humanity=1))

    assert kept(story).threshold(JADE, "humanity") == 1


def test_strain_is_taken_in_a_conflict_in_the_same_way() -> None:
    story = open_act(JADE, target=HARGAN, track="cool", story=begun(sheets=(LINK,)))
    story = story.given(strained(JADE, "link", 1))

    story.when(resist(JADE, ("humanity", 1))).then(
        settled(JADE, "link", 1), marked(JADE, "humanity", 1, 1, threshold=1, why="strain")
    )


def test_an_upgrade_on_an_act_strains_by_its_bare_dice() -> None:
    gun = sheet(JADE, upgrade__gun="deception+2/1")
    story = begun(sheets=(gun,))

    story = story.given(attack(JADE, HARGAN, "cool", "deception", "++00", upgrade="gun"))

    assert story.events[-1] == strained(JADE, "gun", 2 + 1)


def test_what_is_said_of_it_is_kept() -> None:
    wish = resist(JADE, severe="A voice that is not hers").but({"text": TEXT})

    researched().when(wish).then(
        g.Resisted(who=JADE, shifts=4, strain="link", text=TEXT),
        taken(JADE, SEVERE, 4, aspect=4, wording="A voice that is not hers", why="strain", conflict=None),
    )


def test_consequences_may_come_one_after_the_other_until_all_is_taken() -> None:
    story = (
        researched()
        .when(resist(JADE, mild="Nosebleeds"))
        .then(
            settled(JADE, "link", 1, None),
            taken(JADE, MILD, 1, aspect=4, wording="Nosebleeds", why="strain", conflict=None),
        )
    )
    assert kept(story).owed[JADE].left == 2

    story = story.when(resist(JADE, moderate="Shaking hands")).then(
        settled(JADE, "link", 2, None),
        taken(JADE, MODERATE, 2, aspect=5, wording="Shaking hands", why="strain", conflict=None),
    )
    assert not kept(story).owed


def test_stress_takes_all_that_consequences_leave() -> None:
    researched().when(resist(JADE, ("humanity", 2), mild="Nosebleeds")).then_refused(
        '2 do not fit on humanity (1): resist Jade mild as "Nosebleeds" moderate as …,'
        " or ruling Jade.out=1: why, and Jade is out."
    )
    researched().when(resist(JADE, ("humanity", 1), mild="Nosebleeds")).then_refused(
        '2 do not fit on humanity (1): resist Jade mild as "Nosebleeds" moderate as …,'
        " or ruling Jade.out=1: why, and Jade is out."
    )
    researched().when(resist(JADE, ("humanity", 1), severe="A voice")).then_refused(
        'The consequence takes all of it, and leaves no stress: resist Jade severe as "A voice".'
    )


def test_the_stress_of_strain_goes_where_the_upgrade_strains() -> None:
    researched().when(resist(JADE, ("cool", 3))).then_refused(
        "3 do not fit on humanity (1): resist Jade humanity 1 moderate as …,"
        " or ruling Jade.out=1: why, and Jade is out."
    )


def test_strain_is_taken_before_anything_else_is_resisted() -> None:
    story = open_act(target=JADE, track="cool", story=begun(sheets=(LINK,)))
    story = story.given(strained(JADE, "link", 1))

    story.when(resist(JADE, mild="Torn sleeve", upgrade="link")).then_refused(
        "Jade takes the strain of link first: resist Jade humanity 1."
    )
    story.when(resist(JADE, mild="Torn sleeve", comrade=GATTO)).then_refused(
        "Jade takes the strain of link first: resist Jade humanity 1."
    )


def test_strain_says_nothing_against_the_roll_that_brought_it() -> None:
    story = researched().given(resist(JADE, ("humanity", 1), moderate="Nosebleeds"))

    story.when(boost(JADE, ("cool", 1))).then(
        g.Boosted(who=JADE, shifts=1),
        outside(marked(JADE, "cool", 1, 1, threshold=2, why="boost")),
        shifts(JADE, 7, None, dice=1, level=5, boosted=1),
    )


# --- another's roll ---------------------------------------------------------------------------------------


def hurt(dice: int) -> Story:
    """Hargan shoots at Gatto with dice of so much, and Gatto has bled once already."""
    story = begun(sheets=(VEINS, sheet(GATTO, humanity=3)))
    return open_act(total=3 + dice, story=story).given(resist(GATTO, severe="Shot in the arm"))


def test_on_anothers_roll_an_upgrade_costs_its_value_less_the_dice() -> None:
    """ED-18: 4 with one constraint against dice that come to 4 is 3 - 4, and no stress."""
    assert strain(4, 3, own=False) == 0

    hurt(4).when(resist(GATTO, severe="Shot in the leg", upgrade="veins")).then(
        g.Resisted(conflict=1, who=GATTO, shifts=4, upgrade="veins"),
        taken(GATTO, SEVERE, 4, aspect=5, wording="Shot in the leg", why="resist", holder=HARGAN),
        shifts(HARGAN, -1, dice=4, level=3, resisted=-8),
    )


def test_if_the_dice_are_worse_there_is_stress_to_take() -> None:
    assert strain(2, 3, own=False) == 1

    story = (
        hurt(2)
        .when(resist(GATTO, severe="Shot in the leg", upgrade="veins"))
        .then(
            g.Resisted(conflict=1, who=GATTO, shifts=4, upgrade="veins"),
            taken(GATTO, SEVERE, 4, aspect=5, wording="Shot in the leg", why="resist", holder=HARGAN),
            shifts(HARGAN, -3, dice=2, level=3, resisted=-8),
            strained(GATTO, "veins", 1),
        )
    )
    story.when(resist(GATTO, ("humanity", 1))).then(
        settled(GATTO, "veins", 1), marked(GATTO, "humanity", 1, 1, threshold=3, why="strain")
    )


def test_the_dice_that_count_are_those_that_lie_there_now() -> None:
    story = hurt(4).given(
        invoke(HARGAN, "fired once", reroll=True, faces="0000"), invoke(HARGAN, "never lets")
    )

    story.when(resist(GATTO, ("cool", 1), upgrade="veins")).then(
        g.Resisted(conflict=1, who=GATTO, shifts=1, upgrade="veins"),
        marked(GATTO, "cool", 1, 1, threshold=3, why="resist"),
        shifts(HARGAN, 0, level=3, invoked=2, resisted=-5),
        strained(GATTO, "veins", 3),
    )


def test_A49_an_upgrade_strains_once_however_often_it_serves_against_one_roll() -> None:
    story = hurt(2).given(
        invoke(HARGAN, "never lets"),
        resist(GATTO, mild="Torn sleeve", upgrade="veins"),
        resist(GATTO, ("humanity", 1)),
    )

    story.when(resist(GATTO, moderate="Deaf", upgrade="veins")).then(
        g.Resisted(conflict=1, who=GATTO, shifts=2, upgrade="veins"),
        taken(GATTO, Severity.MODERATE, 2, aspect=6, wording="Deaf", why="resist", holder=HARGAN),
        shifts(HARGAN, 0, dice=2, level=3, invoked=2, resisted=-7),
    )


def test_an_upgrade_must_be_on_the_sheet() -> None:
    hurt(4).when(resist(GATTO, mild="Torn sleeve", upgrade="armour")).then_refused(
        "Gatto has no upgrade armour; on the sheet: veins."
    )
    open_act().when(resist(GATTO, mild="Torn sleeve", upgrade="armour")).then_refused(
        "Gatto has no upgrade armour; on the sheet: none."
    )
