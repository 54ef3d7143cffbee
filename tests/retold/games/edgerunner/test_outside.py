"""Rolls outside conflicts: challenges, contests, assessments (`docs/rules/edgerunner.md` §2, §3, §9)."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.measures import ladder
from retold.journal.refused import Refused
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM
from tests.retold.games.edgerunner.at_rest import TABLE, dice, roll, stands, tried
from tests.retold.games.edgerunner.at_the_warehouse import (
    CORP,
    GATTO,
    GRUDGE_WORDS,
    HARGAN,
    JADE,
    JON,
    LOCK,
    REX,
    TEXT,
    begun,
    kept,
    results,
    sheet,
)
from tests.scenario import Story

# --- challenges and contests ------------------------------------------------------------------------------


def test_a_challenge_is_skill_and_dice_read_on_the_ladder() -> None:
    """ED-01: 2 and + + - 0 are 3, Good."""
    TABLE.when(roll(REX, "driving", faces="++-0")).then(
        tried(REX, "driving", 2), dice(REX, "++-0"), stands(REX, 3, dice=1, level=2)
    )

    assert ladder(3) == "Good"


def test_a_contest_is_less_what_it_is_against() -> None:
    """ED-03: 1 and + + + - are 3; against 3 there are no shifts."""
    TABLE.when(roll(REX, "streetwise", vs=3, faces="+++-")).then(
        tried(REX, "streetwise", 1, against=3),
        dice(REX, "+++-"),
        stands(REX, 0, dice=2, level=1, opposed=-3),
    )


def test_a_contest_may_be_against_somebodys_skill() -> None:
    TABLE.when(roll(GATTO, "athl", opponent=HARGAN, skill="stealth", faces="----")).then(
        tried(GATTO, "athletics", 3, against=2, opponent=HARGAN, opposing="stealth"),
        dice(GATTO, "----"),
        stands(GATTO, -3, dice=-4, level=3, opposed=-2),
    )


def test_a_person_who_lacks_a_skill_has_0() -> None:
    TABLE.when(roll(GATTO, "Net-smarts", opponent=HARGAN, skill="opera", faces="0000")).then(
        tried(GATTO, "net smarts", 0, against=0, opponent=HARGAN, opposing="opera"),
        dice(GATTO, "0000"),
        stands(GATTO, 0),
    )


def test_dice_without_results_are_dealt() -> None:
    TABLE.when(roll(REX, "driving"), dealt="+ + - 0").then(
        tried(REX, "driving", 2), dice(REX, "++-0"), stands(REX, 3, dice=1, level=2)
    )


@pytest.mark.parametrize(
    ("opponent", "kind", "level"),
    [(None, None, 2), (HARGAN, "character", 5), (JADE, "faction", 2), (LOCK, "problem", 2)],
)
def test_a_faction_adds_what_it_is_good_at(opponent: int | None, kind: str | None, level: int) -> None:
    """Logistics 3; disposition -1 against issues, focus 2 against people, influence -1 against factions."""
    sheets = [] if opponent is None else [sheet(opponent, kind=kind)]
    skill = None if opponent is None else "opera"
    story = TABLE.given(*sheets).given(roll(CORP, "logistics", opponent=opponent, skill=skill, faces="0000"))

    assert story.events[-1] == stands(CORP, level, level=level)


def test_other_dice_are_only_dice() -> None:
    two = v.Roll(who=REX, dice="2d6", results=("3", "5"))
    TABLE.when(two).then(
        e.DiceRolled(who=REX, dice="2d6", faces=(3, 5)), e.TotalReached(who=REX, throw="2d6", total=8)
    )

    nobody = v.Roll(dice="1d20", results=("7",))
    TABLE.when(nobody).then(e.DiceRolled(dice="1d20", faces=(7,)))


def test_a_person_who_has_no_sheet_here_rolls_as_at_any_table() -> None:
    TABLE.when(roll(JON, "driving")).then_refused(
        "Say which dice: roll NAME 2d6. Skills are rolled where the game has them."
    )


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (roll(REX), "Say which skill, one at a time: roll Rex SKILL; or which dice: roll Rex 2d6."),
        (
            roll(REX, "driving", "charm"),
            "Say which skill, one at a time: roll Rex SKILL; or which dice: roll Rex 2d6.",
        ),
        (
            roll(REX, "driving", opponent=HARGAN),
            "Say with which skill Hargan opposes.",
        ),
        (
            roll(REX, "driving", opponent=REX, skill="driving"),
            "A contest needs another person or a number: vs Hob stealth, or vs 3.",
        ),
        (
            roll(REX, "driving", opponent=GM, skill="driving"),
            "A contest needs another person or a number: vs Hob stealth, or vs 3.",
        ),
        (roll(REX, "divring"), "There is no “divring” here. Did you mean driving?"),
        (
            roll(REX, "driving", length="a day"),
            'A roll takes no length=; how long the task takes is takes="a few weeks".',
        ),
    ],
)
def test_a_roll_is_refused(typed: v.Roll, sentence: str) -> None:
    TABLE.when(typed).then_refused(sentence)


def test_what_no_time_track_has_is_refused() -> None:
    with pytest.raises(Refused, match="“a fortnight” is not on the time track"):
        _ = TABLE.when(roll(REX, "driving", takes="a fortnight")).events


# --- upgrades ---------------------------------------------------------------------------------------------

GRIN = TABLE.given(sheet(REX, **{"upgrade.grin": "charm+2/0", "upgrade.library": "research+2/2"}, research=3))


def test_an_upgrade_raises_the_skill_it_is_for() -> None:
    """ED-16: a boost of 2 with two constraints has a stress value of 0; Charm 3 is 5."""
    GRIN.when(roll(REX, "charm", upgrade="grin", faces="0000")).then(
        tried(REX, "charm", 5, upgrade="grin"), dice(REX, "0000"), stands(REX, 5, level=5)
    )


def test_an_upgrade_strains_its_owner_by_the_bare_dice_and_its_value() -> None:
    """ED-17: Research 3, an upgrade of 2, dice of 1 are 6; 2 and 1 are 3 humanity stress."""
    story = GRIN.when(roll(REX, "research", upgrade="lib", faces="++-0")).then(
        tried(REX, "research", 5, upgrade="library"),
        dice(REX, "++-0"),
        stands(REX, 6, dice=1, level=5),
        g.UpgradeStrained(who=REX, upgrade="library", track="humanity", amount=3),
    )

    story.when(roll(REX, "charm")).then_refused(
        'Rex has 3 humanity stress to take for library first: resist Rex mild as "…".'
    )


def test_an_upgrade_is_for_its_skill_only() -> None:
    GRIN.when(roll(REX, "driving", upgrade="grin")).then_refused(
        "grin is for charm, and this is rolled with driving."
    )
    GRIN.when(roll(REX, "driving", upgrade="jaw")).then_refused(
        "Rex has no upgrade jaw; on the sheet: grin, library."
    )


def test_an_upgrade_without_a_skill_is_for_any() -> None:
    story = TABLE.given(sheet(REX, upgrade__luck="+1/0"))

    story.when(roll(REX, "driving", upgrade="luck", faces="0000")).then(
        tried(REX, "driving", 3, upgrade="luck"), dice(REX, "0000"), stands(REX, 3, level=3)
    )


# --- assessments ------------------------------------------------------------------------------------------


def assess(
    faces: str, *, thing: int | str = HARGAN, vs: int | None = None, opposing: str | None = None
) -> v.Assess:
    return v.Assess(
        who=REX,
        thing=thing,
        aspect="never lets",
        skill="empathy",
        target=vs,
        opposing=opposing,
        results=results(faces),
        text=TEXT,
    )


def found(shifts: int, free: int) -> g.FreeInvokesGained:
    return g.FreeInvokesGained(
        who=REX, aspect=3, on=HARGAN, wording=GRUDGE_WORDS, free=free, shifts=shifts, text=TEXT
    )


def test_an_assessment_gives_free_invokes_of_what_is_there() -> None:
    """ED-13: Empathy 1 and + + + - against Stealth 2 are 1 shift, 1 free invoke."""
    story = TABLE.when(assess("+++-", opposing="stealth")).then(dice(REX, "+++-"), found(1, 1))

    assert kept(story).aspects[3].free == {REX: 1}
    again = story.when(assess("++++", vs=2)).then(dice(REX, "++++"), found(3, 2))
    assert kept(again).aspects[3].free == {REX: 3}


@pytest.mark.parametrize(("faces", "total"), [("+000", 0), ("0000", -1)])
def test_an_assessment_without_a_shift_finds_nothing(faces: str, total: int) -> None:
    story = TABLE.when(assess(faces, vs=2)).then(
        dice(REX, faces),
        g.AssessmentFailed(who=REX, aspect=3, on=HARGAN, wording=GRUDGE_WORDS, shifts=total, text=TEXT),
    )

    assert kept(story).aspects[3].free == {}


@pytest.mark.parametrize(
    ("story", "typed", "sentence"),
    [
        (
            TABLE,
            assess("0000", thing=REX),
            "Rex has no aspect to find: aspect NAME WORDING puts one there.",
        ),
        (
            TABLE,
            assess("0000", thing=JADE),
            "There is no “never lets” here.",
        ),
        (
            TABLE.given(
                g.AspectPlaced(aspect=4, on="Warehouse", wording="Never lets anybody out", how="said")
            ),
            assess("0000", thing="warehouse", opposing="stealth"),
            "warehouse has no skills to oppose with: write a number, vs 2.",
        ),
        (begun(), assess("0000"), "To look somebody over takes more time than an exchange has."),
    ],
)
def test_an_assessment_is_refused(story: Story, typed: v.Assess, sentence: str) -> None:
    story.when(typed).then_refused(sentence)


# --- beside another game ----------------------------------------------------------------------------------

BESIDE = TABLE.given(c.OpenConflict(system="bruise", sides=((GATTO,), (HARGAN,))))


def test_a_conflict_of_another_game_is_no_conflict_here() -> None:
    assert BESIDE.when(assess("+++-", opposing="stealth")).events == (dice(REX, "+++-"), found(1, 1))


def test_in_a_conflict_of_another_game_its_dice_are_rolled() -> None:
    BESIDE.when(roll(REX, "driving")).then_refused(
        "Say which dice: roll NAME 2d6. Skills are rolled where the game has them."
    )
