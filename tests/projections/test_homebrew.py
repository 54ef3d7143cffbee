"""A table's own game as it is told: who goes when, and a throw that takes another's place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from retold.cli.verbs.show import summary
from retold.journal.language.scripting import script_of


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[retold.Campaign]:
    with retold.new(tmp_path / "bridge.retold") as made:
        made.play(
            "\n".join(
                (
                    *("game d20", "cast Thia str=3 dex=2 health=12", "cast Orc dex=1 health=9"),
                    *("session The bridge", "scene The ford: Fog."),
                )
            )
        )
        yield made


def told(campaign: retold.Campaign, voice: str = "report", mechanics: str = "inline") -> str:
    """The page, its lines joined."""
    return " ".join(campaign.export("text", voice=voice, mechanics=mechanics).decode().split())


# --- what came out, told or not ---------------------------------------------------------------------------


@pytest.mark.parametrize(("between", "ours"), [("", False), ("end session\nsession Another\n", True)])
def test_what_came_out_outside_of_a_conflict_is_told_in_its_own_evening(
    campaign: retold.Campaign, between: str, *, ours: bool
) -> None:
    campaign.play(f"roll Thia check str vs 15 = 14\n{between}narrate Thia: The chain gives.")

    assert ("[Thia, check: a success.]" in campaign.export("text", "book").decode()) is ours


# --- contests ---------------------------------------------------------------------------------------------


def test_a_throw_that_takes_the_place_of_another_says_so_on_the_screen_and_on_the_page(
    campaign: retold.Campaign,
) -> None:
    campaign.say("roll Thia d20+3 vs Orc = 11")
    campaign.say("roll Thia d20+3 vs Orc = 6")

    said = "Thia: 1d20+3 is 9 against Orc, who has yet to throw; the 14 before it counts no longer"
    assert campaign.happened()[-1].told == said
    assert said in told(campaign)


# --- who goes when ----------------------------------------------------------------------------------------

FIGHT = (
    'conflict "The ford" Thia vs Orc',
    "initiative Thia 12",
    "initiative = 9",
    "turn",
    "roll Thia attack str vs 12 = 15: I go for its eyes.",
)


def in_order(page: str, *parts: str) -> bool:
    places = [page.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


@pytest.mark.parametrize("voice", ["report", "script", "plain"])
def test_initiative_precedes_the_first_words_of_the_round(campaign: retold.Campaign, voice: str) -> None:
    """Nine and one dexterity are ten: Thia, with twelve, begins."""
    campaign.play("\n".join(FIGHT))

    assert told(campaign, voice).count("Orc goes at 10") == 1
    assert in_order(
        told(campaign, voice),
        *("Thia goes at 12", "Orc: 1d20+1[dex] is 10", "Orc goes at 10", "round 1: Thia's turn"),
        *("I go for its eyes.", "attack with str 3: a hit"),
    )


def test_a_turn_marker_follows_earlier_words_and_precedes_later_ones(
    campaign: retold.Campaign,
) -> None:
    campaign.play(
        "\n".join((*FIGHT, "turn", "initiative Thia 3", "narrate Orc: I howl.", "turn Thia: I run."))
    )

    assert in_order(
        told(campaign),
        *("I go for its eyes.", "a hit", "round 1: Orc's turn", "Thia goes at 3", "I howl."),
        *("I run.", "round 2: Thia's turn"),
    )


def test_a_note_between_takes_no_numbers(campaign: retold.Campaign) -> None:
    campaign.play("\n".join((*FIGHT[:1], "note --to table: Pizza is here.", *FIGHT[1:])))

    assert in_order(told(campaign), "Thia goes at 12", "Orc goes at 10", "Pizza", "I go for its eyes.")


# --- hits, conditions, rests ------------------------------------------------------------------------------

BLOW = "roll Thia attack str vs Orc damage 1d6+2 = 15 6: I go for its eyes."


@pytest.fixture
def bridge(campaign: retold.Campaign) -> retold.Campaign:
    campaign.play("cast Orc ac=11")
    return campaign


def test_wish_7_a_hit_and_its_damage_read_as_one_thing(bridge: retold.Campaign) -> None:
    bridge.play(BLOW)

    assert in_order(
        told(bridge),
        *("I go for its eyes.", "Thia: 1d20+3[str] is 18 against 11, passed by 7"),
        *("Thia: attack with str 3 against Orc's ac: a hit", "Thia: 1d6[damage]+2 is 8"),
        *("Thia's attack: Orc's hp 9 → 1 of 9", "[Thia hit Orc. Orc lost 8 hp.]"),
    )


def test_wish_7_who_is_out_by_it_is_said(bridge: retold.Campaign) -> None:
    bridge.play("roll Thia attack str vs Orc damage 1d6+2 = 20 6 6")

    assert "[Thia hit Orc. Orc lost 9 hp. Orc went down.]" in told(bridge)


def test_wish_7_an_undo_and_a_fix_take_all_of_it_together(bridge: retold.Campaign) -> None:
    bridge.play(f"{BLOW}\nexpect track Orc hp 1")
    bridge.say("undo")
    bridge.say("expect track Orc hp 9")
    bridge.say("redo")

    bridge.say("fix = 15 2")
    bridge.say("expect track Orc hp 5")
    bridge.say("fix = 2")
    bridge.play("expect track Orc hp 9\nexpect result Thia a miss")


def test_wish_7_a_retcon_decides_hit_and_damage_anew(bridge: retold.Campaign) -> None:
    bridge.say(BLOW)

    bridge.say('retcon @ --as "roll Thia attack str vs Orc damage 1d8 = 15 7"')
    bridge.say("expect track Orc hp 2")


def test_wish_7_8_9_the_script_of_it_gives_the_same_again(bridge: retold.Campaign, tmp_path: Path) -> None:
    bridge.play(
        f"{BLOW}\npoisoned Orc+Thia: The blade.\nroll Orc check dex vs 5 = 3 4\npoisoned Orc off\n"
        "hp Thia -5\nrest Thia+Orc short = 3 5\nrest long Thia: A night.\nexpect condition Thia"
    )

    with retold.new(tmp_path / "again.retold") as again:
        again.play("\n".join(script_of(bridge.scribe.campaign, 1)))
        assert [one.event for one in again.happened()[1:]] == [one.event for one in bridge.happened()[1:]]


def test_wish_9_conditions_and_rests_are_told_in_the_tables_words_or_ours(bridge: retold.Campaign) -> None:
    bridge.play("prone Thia\nprone Orc: The rope takes its legs.\nprone Thia off\nrest long Orc")

    page = told(bridge)
    assert "[Thia was prone.]" in page
    assert "The rope takes its legs." in page
    assert in_order(page, "Orc rests", "Orc is no longer prone (long)")


def test_wish_9_conditions_stand_where_tracks_do_and_expect_asks_them(bridge: retold.Campaign) -> None:
    bridge.play("prone Thia\npoisoned Thia\nexpect condition Thia prone poisoned")

    assert "prone" in str(bridge.view("tracks"))
    bridge.say("prone Thia off")
    assert "prone" not in str(bridge.view("tracks"))


def test_N7_an_attacker_is_offered_targets_with_odds_of_each_result(bridge: retold.Campaign) -> None:
    """With strength 3 against 11: an 8 and more hits, a 20 is critical, a 1 misses."""
    bridge.play("conflict Ford Thia vs Orc\nturn Thia")

    offers = {one.line: one.comes_to for one in bridge.can()}
    assert offers["roll Thia attack str vs Orc"] == "1d20+3[str]: a critical hit 5%, a miss 35%, a hit 60%"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "roll Thia attack str vs ac",
            "There is no “ac” here. ac is on a sheet: after vs comes whose it is, or a number.",
        ),
        ("poisned Orc", "There is no verb poisned. Did you mean poisoned?"),
        ("inspration Thia on", "There is no verb inspration. Did you mean inspiration?"),
    ],
)
def test_N7_N13_a_slip_in_what_a_file_names_is_asked(
    bridge: retold.Campaign, line: str, sentence: str
) -> None:
    with pytest.raises(retold.Refused) as refused:
        bridge.say(line)

    assert str(refused.value).startswith(sentence)


# --- what came out more than once -------------------------------------------------------------------------


def test_N17_two_moves_that_came_out_alike_are_told_apart_and_the_same_one_once(
    campaign: retold.Campaign,
) -> None:
    campaign.play("roll Thia check str vs 15 = 14\n" * 2 + "roll Thia attack str vs 15 = 14\nend session\n")

    page = campaign.export("text", "book").decode()

    assert in_order(page, "[Thia, check: a success.]", "[Thia, attack: a hit.]")
    assert page.count("Thia: check with str") == 2  # the control: the numbers say that it came twice


@pytest.mark.parametrize(
    ("voice", "label"),
    [
        ("report", "Thia, Orc and Bo roll:"),
        ("script", "THIA, ORC AND BO (roll):"),
    ],
)
def test_N10_the_words_of_several_on_one_line_stand_behind_all_of_their_names(
    campaign: retold.Campaign, voice: str, label: str
) -> None:
    campaign.play("cast Bo dex=1 health=8\nroll Thia+Orc+Bo check dex vs 11 = 13 2 11: Down, and quickly.")
    campaign.play("roll Thia check dex vs 11 = 13: And up again.")

    page = told(campaign, voice)
    assert page.count(f"{label} Down, and quickly.") == 1
    assert "Thia rolls: And up again." in told(campaign)


# --- blows with words after them --------------------------------------------------------------------------


@pytest.fixture
def mill(campaign: retold.Campaign) -> retold.Campaign:
    campaign.play("cast Thia ac=12\ncast Orc ac=11\ncast Rat health=6 ac=11\nconflict Mill Thia vs Orc+Rat")
    return campaign


def test_S1_words_with_a_loss_of_others_leave_the_blow_before_them_told(mill: retold.Campaign) -> None:
    mill.play("frightened Rat\nroll Orc attack dex vs Thia damage 1d6+3 = 18 2\nhp Orc+Rat -2: The bell.")

    page = told(mill, mechanics="none")

    assert in_order(page, "[Rat was frightened.]", "[Orc hit Thia. Thia lost 5 hp.]", "The bell.")


def test_S1_a_person_who_goes_out_by_a_line_with_words_is_told_as_out(mill: retold.Campaign) -> None:
    mill.play("roll Thia attack str vs Rat = 18\nhp Rat -6: Between the ribs.")

    page = told(mill, mechanics="none")

    assert in_order(page, "[Thia hit Rat.]", "Between the ribs.", "[Rat went down.]")


def test_S1_of_several_who_roll_no_words_with_one_loss_tell_the_others(mill: retold.Campaign) -> None:
    mill.play("roll Orc+Rat check dex vs 12 = 3 4\nhp Rat -6: It burns.\nhp Orc -6")

    page = told(mill, mechanics="none")

    assert in_order(page, "[Orc, check: a failure. Rat, check: a failure.]", "It burns.", "[Rat went down.]")


@pytest.mark.parametrize("words", ["narrate Thia: It goes in.", "narrate gm: It goes in."])
def test_S1_a_narration_right_after_a_blow_tells_it(mill: retold.Campaign, words: str) -> None:
    mill.play(f"roll Thia attack str vs Rat = 18\n{words}")

    assert "a hit" not in told(mill, mechanics="none")


def test_S1_words_on_a_loss_tell_a_roll_without_a_target(mill: retold.Campaign) -> None:
    mill.play("roll Thia attack str vs 11 = 18\nhp Rat -3: Between the ribs.")

    assert "a hit" not in told(mill, mechanics="none")


def test_S1_later_words_do_not_tell_what_others_came_after(mill: retold.Campaign) -> None:
    mill.play("roll Thia attack str vs 11 = 18\nhp Orc -1\nhp Rat -3: Between the ribs.")

    assert in_order(told(mill, mechanics="none"), "[Thia, attack: a hit.]", "Between the ribs.")


# --- what changed -----------------------------------------------------------------------------------------


def test_S7_a_person_who_joined_is_one_line_and_who_went_out_another(campaign: retold.Campaign) -> None:
    campaign.play("cast Ghoul-1+Ghoul-2+Ghoul-3 health=6\nhp Ghoul-1+Ghoul-2 -6\nend session")

    page = told(campaign)

    assert in_order(
        page,
        "Ghoul-1, Ghoul-2 and Ghoul-3 joined the cast.",
        "Ghoul-1 and Ghoul-2 were put out of the fight.",
    )


def test_S7_one_alone_who_came_and_went_out_is_told_as_both(campaign: retold.Campaign) -> None:
    campaign.play("cast Ghoul health=6\nhp Ghoul -6\nend session")

    assert in_order(told(campaign), "Ghoul joined the cast.", "Ghoul was put out of the fight.")


def test_S7_more_health_is_one_line(campaign: retold.Campaign) -> None:
    campaign.play("hp Thia -2\nend session\nsession Another\ncast Thia health=20\nend session")

    changed = told(campaign).partition("What changed")[2]

    assert "can have up to 20 hp (12 before)" in changed
    assert "health" not in changed


def test_S10_show_lists_the_party_between_sessions(campaign: retold.Campaign) -> None:
    campaign.play("cast Thia by=Jo\nhp Thia -5\nhp Orc -2\nend session")

    lines = list(summary(campaign.scribe.table, "mainline"))

    assert "Thia HP 7/12" in lines
    assert not [line for line in lines if "Orc" in line]


@pytest.mark.parametrize(
    ("voice", "label"), [("report", "Thia, on the sheet: "), ("script", "THIA, ON THE SHEET: ")]
)
def test_S6_words_with_a_level_stand_under_a_name(campaign: retold.Campaign, voice: str, label: str) -> None:
    campaign.play("cast Thia: A ferryman.\ncast Thia health=20: Second level.")

    page = told(campaign, voice)

    assert f"{label}Second level." in page
    assert "Note on" not in page


def test_S1_a_narration_tells_the_last_roll_and_no_earlier_one(mill: retold.Campaign) -> None:
    mill.play("roll Orc check dex vs 12 = 3\nroll Rat check dex vs 12 = 4\nnarrate gm: It runs.")

    page = told(mill, mechanics="none")

    assert in_order(page, "[Orc, check: a failure.]", "It runs.")
    assert "Rat, check" not in page


# --- words beside a change --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("hp Thia +3: Healing word", "[Healing word: Thia gained 3 hp.]"),
        ("hp Thia -2: Fire", "[Fire: Thia lost 2 hp.]"),
        ("hp Thia +1d4 = 2: Healing word", "[Healing word: Thia gained 2 hp.]"),
    ],
)
def test_Q37_a_word_or_two_beside_a_change_are_its_cause(
    campaign: retold.Campaign, line: str, sentence: str
) -> None:
    campaign.play(f"hp Thia -6: The ford takes her feet.\n{line}")

    assert sentence in told(campaign)
    assert line.partition(": ")[2] not in told(campaign, "prose", "none")


@pytest.mark.parametrize(
    "words", ["An arrow.", "Thia drinks the last potion", "Orc's hands glow.", "They carry her out"]
)
def test_Q37_a_sentence_beside_a_change_is_told_as_it_is(campaign: retold.Campaign, words: str) -> None:
    campaign.play(f"hp Thia -6: {words}")

    assert f"{words.replace(chr(39), chr(0x2019))}" in told(campaign, "prose", "none")


def test_Q37_first_person_on_an_unplayed_character_is_the_game_masters(
    campaign: retold.Campaign,
) -> None:
    campaign.play(
        "cast Oda by=Ann health=9\nhp Orc -3: sneak attack, I forgot\nhp Oda -3: I take it on the arm"
    )

    said = told(campaign)

    assert "Orc: sneak attack" not in said
    assert "sneak attack, I forgot" in said
    assert "Oda: I take it on the arm" in said
