"""Who was hit and hurt in a game of a file, in a story: told once, where nobody tells it."""

from __future__ import annotations

import random

import pytest

from retold.projections.exports import export
from retold.projections.reading import EVERYBODY, LineView
from retold.projections.story.transcript import of_range
from tests.exploring import seeds
from tests.projections.test_decided import night, story

TABLE = """\
game d20
cast gm by=Lene
cast Osk dex=3 ac=14 health=12 by=Ana: A baker
cast Thia dex=2 ac=13 health=10 by=Bo: A smith
cast "Old Warden" str=2 ac=12 health=14
session One: Osk, Thia, the Old Warden.
scene The dock
conflict Landing Osk+Thia vs "Old Warden"
"""
HIT = 'roll Osk attack dex vs "Old Warden" = 15'


def told(*lines: str, code: str = "en") -> list[str]:
    """The story of these lines in a fight, without the words before it."""
    with night(TABLE + "\n".join(lines)) as there:
        return story(there, code)[1:]


@pytest.mark.parametrize(
    ("line", "ours"),
    [
        ("hp Warden -6", "Old Warden was hurt."),
        ("hp Warden -7", "Old Warden was badly hurt."),
        ("hp Warden -2", "Old Warden was slightly hurt."),
        ("hp Warden 8", "Old Warden was hurt."),
        ("hp Warden -14", "Old Warden went down."),
        ("hp Osk+Thia -3", "Osk and Thia were hurt."),
        (f"{HIT}\n", "Osk hit Old Warden."),
        (f"{HIT}\nhp Warden -6", "Osk hit Old Warden."),
        (f"{HIT}\nroll Osk 1d8+3 = 8\nhp Warden -11", "Osk hit Old Warden hard."),
        (f"{HIT}\nhp Warden -14", "Osk dropped Old Warden."),
        ('roll Osk attack dex vs "Old Warden" damage 1d8 = 15 6', "Osk hit Old Warden."),
        ("roll Osk attack dex vs 12 = 15\nhp Warden -6", "Old Warden was hurt."),
    ],
)  # fmt: skip
def test_an_untold_blow_is_a_sentence(line: str, ours: str) -> None:
    assert told(*line.splitlines()) == [f"[{ours}]"]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("hp Warden -6", "narrate gm: Down the steps he goes."), ["Down the steps he goes."]),
        (("narrate gm: A lamp breaks over the Warden.", "hp Warden -6"), ["A lamp breaks over the Warden."]),
        (("narrate gm: Old Warden bleeds.", "hp Warden -6"), ["Old Warden bleeds."]),
        (("narrate Osk: It takes me in the ribs.", "hp Osk -3"), ["It takes me in the ribs."]),
        (("hp Warden -6: A lamp, and oil.",), ["A lamp, and oil."]),
        ((HIT, "narrate gm: Glass, everywhere.", "hp Warden -6"), ["Glass, everywhere."]),
        ((HIT, "hp Warden -6", "narrate gm: Glass, everywhere."), ["Glass, everywhere."]),
        (("hp Warden -6", "coin Thia +1", "narrate gm: Old Warden bleeds."), ["Old Warden bleeds."]),
    ],
)  # fmt: skip
def test_a_narrated_blow_is_told_once(lines: tuple[str, ...], words: list[str]) -> None:
    ours = [text for text in told(*lines) if text.startswith("[")]

    assert (ours, told(*lines)) == ([], words)


def test_a_narration_of_something_else_leaves_earlier_blows_told() -> None:
    lines = "hp Warden -6", "hp Osk -3", "narrate gm: Osk sits down."

    assert told(*lines) == ["[Old Warden is hurt.]", "Osk sits down."]


SECRET = """\
cast --gm Ghost str=2 ac=12
cast Rat str=1 ac=10
hp --gm Rat 10
hp --gm Ghost 10
"""


@pytest.mark.parametrize(
    ("with_secrets", "without"),
    [
        (("hp Rat+Osk -3",), ("hp Osk -3",)),
        (("hp Osk+Rat -3",), ("hp Osk -3",)),
        (("end conflict", "hp Rat+Osk -7"), ("end conflict", "hp Osk -7")),
        (("roll --gm Ghost attack str vs Osk = 15", "hp Osk -3"), ("hp Osk -3",)),
        (("roll --gm Ghost attack str vs Osk damage 1d6 = 15 6", HIT), (HIT,)),
        (("roll --gm Osk attack dex vs Ghost = 15", HIT), (HIT,)),
        ((HIT, "hp --gm Rat -10", "hp Warden -6"), (HIT, "hp Warden -6")),
        (("hp Warden -6", "narrate --gm gm: Old Warden bleeds."), ("hp Warden -6",)),
        (
            ("hp Warden -6", "say --to Osk Thia: Now.", "narrate gm: It bleeds."),
            ("hp Warden -6", "narrate gm: It bleeds."),
        ),
    ],
)
def test_a_blow_that_a_player_may_not_know_changes_nothing(
    with_secrets: tuple[str, ...], without: tuple[str, ...]
) -> None:
    with night(TABLE + SECRET + "\n".join(with_secrets)) as there:
        known = story(there, viewer=EVERYBODY)
    with night(TABLE + SECRET + "\n".join(without)) as there:
        assert known == story(there, viewer=EVERYBODY) != []


NEWCOMERS = "cast Rook+Crow dex=1 ac=10 health=9"
ROOK_HITS = "roll Rook attack dex vs Osk = 19"


@pytest.mark.parametrize(
    ("lines", "ours"),
    [
        (("join Rook with Warden", ROOK_HITS), "Rook joined Old Warden and "),
        (("join Rook", "hp Rook -2"), "Rook came in and was hurt."),
        (("join Rook with Warden", HIT, "hp Rook -2"), "Rook joined Old Warden. Osk hit Old Warden, and "),
        (("join Rook+Crow with Osk", "hp Crow -2"), "Rook and Crow joined Osk. Crow was hurt."),
        (
            (HIT, "join Rook with Osk", "hp Rook -2", "hp Thia -2", "hp Osk -2"),
            "Osk hit Old Warden. Rook joined Osk. Rook, Thia and Osk were hurt.",
        ),
    ],
)
def test_a_newcomer_is_told_with_a_side_if_nobody_introduces_them(lines: tuple[str, ...], ours: str) -> None:
    (text,) = told(NEWCOMERS, *lines)

    assert text.startswith(f"[{ours}")


@pytest.mark.parametrize(
    ("lines", "texts"),
    [
        (("narrate gm: Rook comes over the wall.", "join Rook with Osk", "hp Rook -2"), 2),
        (("join Rook with Osk", "narrate gm: Rook comes over the wall."), 1),
        (("join Rook with Osk", "Rook: Now.", "hp Rook -2"), 2),
        (("join Rook with Osk: Over the wall.", "hp Rook -2"), 2),
        (("join Rook with Osk", "hp Thia -2"), 1),
    ],
)
def test_a_newcomer_who_is_introduced_or_never_told_of_does_not_join_again(
    lines: tuple[str, ...], texts: int
) -> None:
    story = told(NEWCOMERS, *lines)

    assert len(story) == texts
    assert not any("joined" in text or "joins" in text for text in story)


def test_a_second_blow_of_the_same_two_is_another_one() -> None:
    assert told(HIT, "hp Warden -4", HIT, "hp Warden -4") == [
        "[Osk hit Old Warden and hit Old Warden again.]",
    ]


def test_many_blows_in_a_row_are_told_in_short_with_who_was_hurt() -> None:
    back = "roll Warden attack str vs Osk damage 1d6 = 15 6"
    hit = 'roll Osk attack dex vs "Old Warden" damage 1d8 = 15 4'

    (ours,) = told(hit, back, hit, "hp Thia -1")

    assert ours.startswith("[It went back and forth between Osk and Old Warden, and ")
    assert ours.endswith("Old Warden and Thia were hurt, Osk badly.]")


def test_no_blow_is_told_of_numbers_that_begin_mend_or_are_corrected() -> None:
    lines = "end conflict", "hp Thia 4", "cast Osk hp=3", "hp Thia +2", "coin Osk +3", "coin Osk -1"

    assert told(*lines) == []


@pytest.mark.parametrize(
    ("line", "ours"),
    [
        ("sanity Ines -30", ["[Ines lost a great deal of sanity.]"]),
        ("sanity Ines -1", []),
        ("hp Ines -1", ["[Ines was slightly hurt.]"]),
    ],
)
def test_what_is_no_wound_has_its_own_name_and_a_small_cost_is_not_told(line: str, ours: list[str]) -> None:
    with night(f"game percentile\ncast Ines nerve=50 size=12\nsession One\nscene The pier\n{line}") as there:
        assert story(there) == ours


@pytest.mark.parametrize(
    ("code", "ours"),
    [
        ("de", ["[Osk traf Old Warden schwer, und Osk und Thia wurden verletzt.]"]),
        ("fr", ["[Osk frappa durement Old Warden, et Osk et Thia encaissèrent un coup.]"]),
    ],
)
def test_blows_in_other_languages(code: str, ours: list[str]) -> None:
    assert told(HIT, "hp Warden -11", "hp Osk+Thia -3", code=code) == ours


@pytest.mark.parametrize(
    ("lines", "ours"),
    [
        (("status Osk poisoned",), ["[Osk was poisoned.]"]),
        (("status Osk poisoned", "narrate gm: Osk turns green."), ["Osk turns green."]),
        (("status Warden surrendered", "narrate gm: A cup."), ["[Old Warden surrendered.]", "A cup."]),
        (("status Osk+Thia poisoned: The bread was bad.",), ["The bread was bad."]),
        (("status Osk poisoned", "narrate gm: Osk heals.", "status Osk poisoned off"), ["Osk heals."]),
        (("inspiration Osk on",), []),
        (("hp Warden -6: sneak attack, I forgot",), ["[Old Warden was hurt by a sneak attack.]"]),
        (("hp Warden -14", "end conflict victory"), ["[Old Warden went down. Osk and Thia won.]"]),
        (("hp Warden -6", "end conflict victory"), ["[Old Warden was hurt. It was won.]"]),
    ],
)  # fmt: skip
def test_conditions_surrenders_and_victories_are_told(lines: tuple[str, ...], ours: list[str]) -> None:
    assert told(*lines) == ours


RATS = """\
game d20
cast Osk dex=3 ac=14 health=12 by=Ana: A baker
cast Thia dex=2 ac=13 health=10 by=Bo: A smith
cast Rat-1+Rat-2+Rat-3 dex=2 ac=12 health=6
session One
scene The cellar
conflict Cellar Osk+Thia vs Rat-1+Rat-2+Rat-3
"""
BITES = "roll Rat-{} attack dex vs Osk damage 1d4 = {} 3"
CUTS = "roll Osk attack dex vs Rat-{} damage 1d6 = {} {}"


@pytest.mark.parametrize(
    ("lines", "ours"),
    [
        ((CUTS.format(2, 15, 6),), "Osk dropped the second rat."),
        ((CUTS.format(2, 15, 2), BITES.format(2, 15)), "Osk hit the second rat and was hit in return."),
        ((CUTS.format(2, 2, 6), BITES.format(2, 15)), "The second rat hit Osk."),
        (
            (CUTS.format(2, 15, 2), BITES.format(1, 15), BITES.format(3, 15)),
            "Osk hit the second rat, and the first rat and the third rat hit Osk.",
        ),
        (
            (BITES.format(1, 15), BITES.format(2, "20 4"), BITES.format(3, 2)),
            "The first rat and the second rat hit Osk hard.",
        ),
        (
            (CUTS.format(2, 15, 6), CUTS.format(3, 15, 6), BITES.format(1, 15)),
            ("Osk dropped the second rat and brought the third rat down. The rat landed a blow on Osk."),
        ),
        (("hp Rat-1 -2", "hp Rat-3 -4"), "The first rat was hurt, the third rat badly."),
        ((CUTS.format(1, 15, 2), CUTS.format(2, 15, 2)), "Osk hit the first rat and struck the second rat."),
    ],
)
def test_a_story_counts_people_with_numbers_and_says_who_hit_whom(lines: tuple[str, ...], ours: str) -> None:
    with night(RATS + "\n".join(lines)) as there:
        assert story(there) == [f"[Osk and Thia were up against three rats. {ours}]"]


@pytest.mark.parametrize(
    ("code", "ours"),
    [
        (
            "de",
            (
                "Osk und Thia standen Rat Nummer eins, Rat Nummer zwei und Rat Nummer drei gegenüber."
                " Osk traf Rat Nummer zwei und wurde dafür getroffen."
            ),
        ),
        (
            "fr",
            "Osk et Thia firent face à trois rats. Osk toucha Rat numéro deux et encaissa un coup en retour.",
        ),
    ],
)
def test_people_with_numbers_in_other_languages(code: str, ours: str) -> None:
    with night(RATS + "\n".join((CUTS.format(2, 15, 2), BITES.format(2, 15)))) as there:
        assert story(there, code) == [f"[{ours}]"]


def test_a_number_in_the_name_of_one_alone_stays() -> None:
    assert told("cast Rook-5 ac=10 health=9", "join Rook-5", "hp Rook-5 -3")[-1].startswith("[Rook-5 ")


def test_a_secret_one_with_a_number_counts_nobody_for_players() -> None:
    there_are = TABLE + "cast Rook-5 ac=10 health=9\n{}join Rook-5\nhp Rook-5 -3"
    with night(there_are.format("cast --gm Rook-6 ac=10\n")) as there:
        known = story(there, viewer=EVERYBODY)
    with night(there_are.format("")) as there:
        assert known == story(there, viewer=EVERYBODY)


MISSES = "roll Rat-{} attack dex vs Osk = 2"
TURNS = "initiative Osk+Thia+Rat-1+Rat-2+Rat-3 20 15 5 4 3"


@pytest.mark.parametrize(
    ("lines", "ours"),
    [
        (
            (TURNS, "turn", "roll Rat-1 check dex vs 13 = 3", "hp Rat-1 -2"),
            "Osk hit the first rat.",
        ),
        ((TURNS, "turn", "hp Rat-1 -2"), "The first rat was hurt."),
        (
            (TURNS, "turn", "roll Thia check dex vs 13 = 3", "hp Thia -2"),
            "Thia failed a test of agility, and was hurt.",
        ),
        (
            (CUTS.format(1, 15, 4), "hp Rat-1 -2: sneak attack, I forgot"),
            "Osk brought the first rat down with a sneak attack.",
        ),
        (
            (TURNS, "turn Rat-1", MISSES.format(1), "hp Thia -2: a pick"),
            "The first rat hit Thia with a pick.",
        ),
        ((TURNS, "turn Rat-1", MISSES.format(2), "hp Thia -2: a pick"), "Thia was hurt by a pick."),
        (
            (TURNS, "turn Rat-1", MISSES.format(1), MISSES.format(2), "hp Thia -2: a pick"),
            "Thia was hurt by a pick.",
        ),
        (
            (TURNS, "turn Rat-1", MISSES.format(1), "status Thia grappled"),
            "Thia was grappled by the first rat.",
        ),
        ((TURNS, "turn Rat-1", "status Thia grappled"), "Thia was grappled."),
        (
            (TURNS, "turn Rat-1", MISSES.format(1), "status Rat-2 frightened"),
            "The second rat was frightened.",
        ),
        ((TURNS, "turn Rat-1", MISSES.format(1), "status Thia prone"), "Thia was prone."),
    ],
)
def test_what_an_opponent_did_in_their_turn_is_told_as_theirs(lines: tuple[str, ...], ours: str) -> None:
    with night(RATS + "\n".join(lines)) as there:
        assert story(there) == [f"[Osk and Thia were up against three rats. {ours}]"]


@pytest.mark.parametrize(
    ("words", "means"),
    [
        ("Firebolt", " with a firebolt"),
        ("Magic missile, mostly", " with a magic missile"),
        ("ice axe", " with an ice axe"),
        ("her father's axe", " with her father\u2019s axe"),
        ("claws", " with claws"),
        ("smite 2d8", " with a smite"),
        ("Shut up", ""),
        ("Breaks the bow", ""),
        ("for my sister", ""),
    ],
)
def test_a_blow_is_told_with_what_was_typed_as_its_weapon(words: str, means: str) -> None:
    with night(f"{RATS}{CUTS.format(1, 15, 4)}: {words}") as there:
        assert story(there)[-1].endswith(f"Osk hit the first rat hard{means}.]")


@pytest.mark.parametrize(
    ("code", "words", "ours"),
    [
        ("de", "Feuerball", "Osk traf Old Warden schwer (Feuerball)."),
        ("fr", "Boule de feu", "Osk frappa durement Old Warden (boule de feu)."),
    ],
)
def test_a_weapon_in_other_languages(code: str, words: str, ours: str) -> None:
    assert told(HIT, f"hp Warden -11: {words}", code=code) == [f"[{ours}]"]


@pytest.mark.parametrize(
    ("purpose", "ours"),
    [
        ("stealth", "Osk and Thia were not noticed. Rook was noticed."),
        ("wis save", "Osk and Thia resisted it. Rook could not resist it."),
        ("dexterity saving throw", "Osk and Thia got clear in time. Rook did not get clear in time."),
        ("persuasion: the miller", "Osk and Thia found the right words. Rook did not find the right words."),
        ("the gap", "Osk and Thia tried the gap and succeeded. Rook tried the gap and failed."),
    ],
)
def test_attempts_of_one_roll_that_came_to_the_same_are_one_sentence(purpose: str, ours: str) -> None:
    with night(f"{RATS}cast Rook dex=1\nroll Osk+Rook+Thia check dex vs 12 = 15 2 16: {purpose}") as there:
        assert story(there)[-1].endswith(f"{ours}]")


def test_healing_in_words_does_not_tell_the_wound() -> None:
    assert told("hp Osk -3", "hp Osk +3: Thia bandages Osk at last.") == [
        "[Osk was hurt.]",
        "Thia bandages Osk at last.",
    ]


@pytest.mark.parametrize(
    ("lines", "ours"),
    [
        (
            ("roll Osk check dex vs 12 = 2: the lock", "say Osk: It is stuck."),
            ["Osk tried the lock and failed."],
        ),
        (("roll Osk check dex vs 12 = 2: the lock", "narrate gm: It is stuck."), []),
        (("roll Osk check dex vs 12 = 2", "say Osk: It is stuck."), ["Osk failed a test of agility."]),
        (
            ("roll Osk check dex vs 12 = 2", "scene The roof", "narrate gm: It is high."),
            ["Osk fails a test of agility."],
        ),
    ],
)
def test_what_a_person_says_after_an_attempt_does_not_tell_how_it_went(
    lines: tuple[str, ...], ours: list[str]
) -> None:
    told_ = [text for text in told("end conflict", *lines) if text.startswith("[")]

    assert told_ == [f"[{text}]" for text in ours]


def test_a_bare_word_that_somebody_fell_leaves_who_did_it() -> None:
    assert told(f"{HIT}", "hp Warden -14", "narrate gm: warden falls") == [
        "[Osk drops Old Warden.]",
        "Warden falls.",
    ]


def test_words_after_a_fight_tell_no_blow_of_it() -> None:
    said = told("hp Osk -3", "end conflict", "narrate gm: Later, Osk drinks a potion.")

    assert "[Osk is hurt.]" in said


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(4))
def test_words_about_others_silence_no_hit_of_a_fight(seed: int) -> None:
    luck = random.Random(seed)
    sides = ["Osk", "Thia"], ["Rat-1", "Rat-2", "Rat-3"]
    lines, blows = ["hp Osk+Thia+Rat-1+Rat-2+Rat-3 300/300"], list[tuple[str, str]]()
    for _ in range(30):
        by, who = map(luck.choice, luck.sample(sides, 2))
        other = luck.choice([name for name in (*sides[0], *sides[1]) if name not in (by, who)])
        roll = luck.choice((2, 19))
        attack = f"roll {by} attack dex vs {who} damage 1d6 = {roll} {luck.randint(1, 6)}"
        lines += [attack, f"narrate gm: {other} waits by the door."]
        blows += [(by, who)] * (roll > 2)  # a miss is not told
    with night(RATS.partition("initiative")[0] + "\n".join(lines)) as there:
        ours = [text for text in story(there) if text.startswith("[") and not text.endswith("three rats.]")]

    for text, (by, who) in zip(ours, blows, strict=True):
        assert called(by) in text.casefold()
        assert called(who) in text.casefold()


def called(name: str) -> str:
    """What a story calls Osk, or Rat-2."""
    return name.casefold() if name.isalpha() else f"the {('first', 'second', 'third')[int(name[-1]) - 1]} rat"


def test_a_person_who_rests_twice_is_said_once() -> None:
    assert told("end conflict", "rest short Osk", "rest short Osk+Thia")[-1] == "[Osk and Thia rested.]"


@pytest.mark.parametrize(
    ("words", "is_told"),
    [
        ("It drops the knife.", True),
        ("Old Warden kneels.", True),
        ("It bleeds.", False),
        ("Osk kneels.", False),
    ],
)
def test_a_surrender_is_told_once(words: str, *, is_told: bool) -> None:
    shown = told("status Warden surrendered", f"narrate gm: {words}")

    assert shown == ([] if is_told else ["[Old Warden surrendered.]"]) + [words]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("Miller spits.", "says Miller"),
        ("“No,” says Miller.", "says Miller"),
        ("The miller spits.", "says the miller"),
        ("“Miller,” you say, and an old Miller spits.", "says the miller"),
        ("Miller Brown spits.", "says the miller"),
    ],
)
def test_a_role_is_a_name_where_the_table_says_so(words: str, says: str) -> None:
    assert says in " ".join(told("cast Miller", "say Miller: Nobody passes.", f"narrate gm: {words}"))


def test_an_option_is_no_part_of_a_story() -> None:
    with night(TABLE + "narrate gm: It rains.\noption table.opponents=hidden") as there:
        page = export("markdown", of_range(LineView(there.scribe.campaign, 1), voice="prose"), "inline")

    assert b"opponents=hidden" not in page


def test_a_conflict_with_the_name_of_its_scene_has_that_of_its_sides() -> None:
    with night(TABLE.replace("conflict Landing", 'conflict "The dock"')) as there:
        page = export("markdown", of_range(LineView(there.scribe.campaign, 1)), "none").decode()

    headings = [line.lstrip("# ") for line in page.splitlines() if line.startswith("#")]
    assert headings.count("The dock") == 1
    assert "Osk + Thia vs Old Warden" in headings


@pytest.mark.parametrize(
    ("code", "ours"),
    [
        ("en", "Now it was Wolf"),
        ("de", "Diesmal ging es gegen Wolf"),
        ("fr", "Cette fois, il fallut compter avec Wolf"),
    ],
)
def test_the_same_side_is_not_named_again_in_the_next_fight(code: str, ours: str) -> None:
    lines = "end conflict", "cast Wolf health=9", "scene The mole", "conflict Mole Osk+Thia vs Wolf"

    assert told(*lines, code=code)[-1] == f"[{ours}.]"


def test_a_numbered_name_in_german_is_one_person() -> None:
    lines = "cast Wolf-1+Wolf-2 str=2", "roll Wolf-1 attack str vs Osk damage 1d12 = 15 12"

    assert told(*lines, code="de")[-1] == "[Wolf Nummer eins setzte Osk außer Gefecht.]"


@pytest.mark.parametrize(
    ("code", "page"), [("de", "„Come here“, sagte Osk."), ("fr", "« Come here », dit Osk.")]
)
def test_speech_begins_with_a_capital_in_the_marks_of_each_language(code: str, page: str) -> None:
    assert [
        text.replace("\u202f", " ").replace("\xa0", " ") for text in told("say Osk: come here", code=code)
    ] == [page]
