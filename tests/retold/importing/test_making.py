"""Units and answers become acts: one event list for each sort of unit and each answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from retold.campaign import Campaign
from retold.importing.taking_in import take_in
from retold.journal.refused import Refused
from retold.sources.answers import Answers, Person, Unmarked, Use
from retold.sources.dice import Rung, Throw
from retold.sources.unit import Fact, FactKind, Precision, Reason, Sort, Unit
from tests.retold.importing.given import ANSWERS, at, begun, script, source, told, unit

STEALTH = Throw(Rung.FACES, "2d20kh + 5 = 22", "2d20kh1+5", (4, 17), 22, "Stealth")
CAST = ["Zel enters as person 1, character", "Jon enters as person 2, player", "Jon plays Zel"]
BEGINS, ENDS = "session 1 begins, 2026-03-01", "session 1 ends"


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with begun(tmp_path / "x.retold") as campaign:
        yield campaign


def made(campaign: Campaign, *units: Unit, answers: Answers = ANSWERS, can_mark: bool = True) -> list[str]:
    """The events that units become, without those of the session; hidden units alone begin none."""
    campaign.take_in([source(*units, can_mark=can_mark)], answers)
    events = told(campaign)
    assert (BEGINS in events) is (events[-1] == ENDS)
    return [event for event in events if event not in (BEGINS, ENDS)]


SORTS = [
    (unit("1", "Zel", "Not today.", 0), [*CAST, "Zel says: “Not today.”"]),
    (unit("1", "Zel", "looks up", 0, sort=Sort.TOLD), [*CAST, "Zel narrates: “looks up”"]),
    (
        unit("1", "Zel", '*looks up* "Not today."', 0),
        [*CAST, "Zel narrates: “looks up”", "Zel says: “Not today.”"],
    ),
    (
        unit("1", "Zel", "“Good morning,” she says.", 0),
        [*CAST, "Zel narrates: ““Good morning,” she says.”"],
    ),
    (unit("1", "Zel", '"Not today."', 0), [*CAST, "Zel says: “Not today.”"]),
    (unit("1", "Zel", 'They call it "the Salt".', 0), [*CAST, 'Zel says: “They call it "the Salt".”']),
    (unit("1", "Zel", "I climb.", 0, sort=Sort.DECLARED), [*CAST, "Zel declares: “I climb.”"]),
    (unit("1", "Zel", "back soon", 0, sort=Sort.ASIDE), [*CAST, "aside by Zel: “back soon”"]),
    (unit("1", "Zel", "Shield: +2", 0, sort=Sort.CARD), [*CAST, "aside by Zel: “Shield: +2”"]),
    (
        unit("1", "Zel", "Boathook\nA hook and a pole.", 0, sort=Sort.CARD),
        [*CAST, "Zel narrates: “uses Boathook”", "aside by Zel: “A hook and a pole.”"],
    ),
    (
        unit("1", "Zel", "Bless\nCasting Time: 1 action", 0, sort=Sort.CARD),
        [*CAST, "Zel narrates: “casts Bless”", "aside by Zel: “Casting Time: 1 action”"],
    ),
    (unit("1", "Zel", "Long Rest", 0, sort=Sort.CARD), [*CAST, "aside by Zel: “Long Rest”"]),
    (unit("1", "Mary", "Combat begins", 0, sort=Sort.CARD), ["aside by gm: “Combat begins”"]),
    (
        unit("1", "Zel", "*sighs* I told you. *sits down*", 0),
        [*CAST, "Zel narrates: “sighs”", "Zel says: “I told you.”", "Zel narrates: “sits down”"],
    ),
    (unit("1", "Zel", "*sits* right", 0), [*CAST, "Zel narrates: “sits”", "Zel says: “right”"]),
    (unit("1", "Zel", "*this* one", 0), [*CAST, "Zel says: “this one”"]),
    (unit("1", "Zel", "*a* " * 2_000, 0), [*CAST, f"Zel says: “{('a ' * 2_000).strip()}”"]),
    (unit("1", "Zel", "Zel walks to the door", 0), [*CAST, "Zel narrates: “Zel walks to the door”"]),
    (unit("1", "Zel", "*Never* say that.", 0), [*CAST, "Zel says: “Never say that.”"]),
    (unit("1", "Zel", "You are *not* him.", 0), [*CAST, "Zel says: “You are not him.”"]),
    (
        unit("1", "Zel", "The map.", 0, attached=("[picture: map.png]",)),
        [*CAST, "Zel says: “The map.”", "aside by Zel: “[picture: map.png]”"],
    ),
    (unit("1", "Mary", "", 0, attached=("[picture: map.png]",)), ["aside by gm: “[picture: map.png]”"]),
    (unit("1", "", "Two left early.", 0, sort=Sort.NOTE), ["note: “Two left early.”"]),
    (
        unit("1", "", "The stair\nRain since noon.", 0, sort=Sort.SCENE),
        ["scene 1 The stair: “Rain since noon.”"],
    ),
    (unit("1", "Mary", "Rain.", 0), ["gm narrates: “Rain.”"]),
    (unit("1", "Mary", "a moment", 0, sort=Sort.ASIDE), ["aside by gm: “a moment”"]),
    (unit("1", "", "Rain.", 0, sort=Sort.TOLD), ["gm narrates: “Rain.”"]),
    (unit("1", "Warder", "Halt!", 0), ["Warder enters as person 1, character", "Warder says: “Halt!”"]),
    (unit("1", "ZEL  THE quick", "Here.", 0), [*CAST, "Zel says: “Here.”"]),
    (
        unit("1", "Zel", "", 0, attached=("[picture: map.png]",)),
        [*CAST, "aside by Zel: “[picture: map.png]”"],
    ),
    (
        unit("1", "", "", 0, unread=True, raw="a poll", sort=Sort.NOTICE),
        ["note: “[unread] a poll” → gm"],
    ),
    (
        unit("1", "Zel", "long", 0, raw="and longer"),
        [*CAST, "Zel says: “long”", "note: “[unread] and longer” → gm"],
    ),
]


def test_a_blind_throw_is_hidden_even_from_its_thrower(campaign: Campaign) -> None:
    seen = unit("1", "Zel", "It is no lamp.", 0, hidden=True, to=("Mary",))

    assert made(campaign, seen, unit("2", "Zel", "A lamp.", 1, hidden=True, blind=True))[-2:] == [
        "Zel says: “It is no lamp.” → Zel",
        "Zel says: “A lamp.” → gm",
    ]


@pytest.mark.parametrize(("given", "events"), SORTS)
def test_each_sort_of_unit_is_recorded_by_its_command(
    campaign: Campaign, given: Unit, events: list[str]
) -> None:
    assert made(campaign, given) == events


def test_I18_an_emote_that_begins_with_a_possessive_has_its_name(campaign: Campaign) -> None:
    emotes = [
        unit("1", "Zel the Quick", "'s lips split", sort=Sort.TOLD),
        unit("2", "Mary", "'s it.", sort=Sort.TOLD),
    ]
    campaign.take_in([source(*emotes)], ANSWERS)

    assert told(campaign)[-3:-1] == ["Zel narrates: “Zel's lips split”", "gm narrates: “'s it.”"]


def test_I10_the_text_of_a_card_is_out_of_the_story_and_told_once(campaign: Campaign) -> None:
    cards = [unit(str(n), "Zel", "Fire Lance (2)\nRange 60 ft.", n, sort=Sort.CARD) for n in range(1, 3)]
    hidden = unit("3", "Zel", "Fire Lance (2)\nRange 60 ft.", 3, sort=Sort.CARD, hidden=True, to=("Mary",))

    assert made(campaign, hidden, *cards)[len(CAST) :] == [
        "Zel narrates: “uses Fire Lance” → Zel",
        "aside by Zel: “Range 60 ft.” → Zel",
        "Zel narrates: “uses Fire Lance”",
        "aside by Zel: “Range 60 ft.”",
        "aside by Zel: “Fire Lance (2)”",
    ]


@pytest.mark.parametrize("old", ["Fire Lance: Range 60 ft.", "Fire Lance\nRange 60 ft."])
def test_I10_a_card_that_came_in_whole_stays_so(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, old: str
) -> None:
    card = unit("1", "Zel", "Fire Lance\nRange 60 ft.", 0, sort=Sort.CARD)
    with monkeypatch.context() as earlier:
        earlier.setattr("retold.importing.planning._parted", lambda _card: (old, ""))
        before = made(campaign, card)

    assert made(campaign, card) == before


def test_B19_a_log_without_any_words_is_refused_with_the_reason(campaign: Campaign) -> None:
    before = told(campaign)
    empty = [unit(str(number), "Zel", "", number, left_out=Reason.EMPTY) for number in range(2)]

    with pytest.raises(Refused, match=r"^Nothing in log\.txt can be told: all is left out \(empty 2\)\."):
        campaign.take_in([source(*empty)], ANSWERS)

    assert told(campaign) == before


def test_B14_of_each_line_of_two_game_masters_the_record_knows_who_told_it(campaign: Campaign) -> None:
    answers = replace(ANSWERS, game_master=("Mary", "Bo"))
    units = [unit("1", "Mary", "Rain.", 0), unit("2", "Bo", "It stops.", 1), unit("3", "", "So.", 2)]
    campaign.take_in([source(*units)], answers)

    assert told(campaign)[1:] == [
        "Mary enters as person 1, player",
        "Bo enters as person 2, player",
        "Mary plays gm",
        "Bo is a game master too",
        "gm narrates: “Rain.”",
        "gm narrates: “It stops.”",
        "gm narrates: “So.”",
        ENDS,
    ]
    typed = script(campaign)
    assert [line for line in typed if " --by " in line] == [
        "narrate gm --by Mary --when 2026-03-01T19:42:10Z: Rain.",
        "narrate gm --by Bo --when 2026-03-01T19:43:10Z: It stops.",
    ]
    assert campaign.take_in([source(*units)], answers).acts == 0


@pytest.mark.parametrize(
    ("one", "two"),
    [("Mary (GM)", "Bo [gm]"), ("Mary!", "🎲 Bo |"), ("Mary", "Bo (SL)")],
)
def test_B14_signs_in_the_labels_of_two_game_masters_are_no_part_of_their_names(
    campaign: Campaign, one: str, two: str
) -> None:
    answers = replace(ANSWERS, game_master=(one, two))
    campaign.take_in([source(unit("1", one, "Rain.", 0), unit("2", two, "It stops.", 1))], answers)

    assert [line.split(" --when")[0] for line in script(campaign) if " gm " in line] == [
        'cast gm by="Mary+Bo"',
        "narrate gm --by Mary",
        "narrate gm --by Bo",
    ]


def test_a_ruling_right_after_a_roll_is_an_aside(campaign: Campaign) -> None:
    rolled = unit("1", "Zel", "", 0, sort=Sort.ROLL, throws=(STEALTH,))
    ruled = [unit(f"{at}", "Mary", "17 is plenty. The yard is empty.", at) for at in (2, 3, 4)]
    ruling = ["aside by gm: \u201c17 is plenty.\u201d", "gm narrates: \u201cThe yard is empty.\u201d"]
    whole = "gm narrates: \u201c17 is plenty. The yard is empty.\u201d"
    assert made(campaign, rolled, *ruled)[-5:] == [*ruling, *ruling, whole]


def test_a_hidden_roll_makes_no_ruling(campaign: Campaign) -> None:
    rolled = unit("1", "Zel", "", 1, sort=Sort.ROLL, throws=(STEALTH,), hidden=True)
    units = unit("2", "Mary", "The yard.", 0), rolled, unit("3", "Mary", "17 is plenty.", 2)
    assert made(campaign, *units)[-1] == "gm narrates: \u201c17 is plenty.\u201d"


def test_a_heading_above_the_story_is_the_title_of_the_session(campaign: Campaign) -> None:
    lines = "**The Black River**", "The rope hums.", "**The Other Bank**"
    units = [unit(f"{at}", "Mary", line, at) for at, line in enumerate(lines, 1)]
    campaign.take_in([source(unit("0", "Zel", "Coming!!", 0), *units)], ANSWERS)
    assert told(campaign) == [
        "session 1 The Black River begins, 2026-03-01",
        *CAST,
        "Zel says: \u201cComing!!\u201d",
        "aside by gm: \u201cThe Black River\u201d",
        "gm narrates: \u201cThe rope hums.\u201d",
        "gm narrates: \u201cThe Other Bank\u201d",
        ENDS,
    ]


def test_I11_words_between_throws_stand_between_them(campaign: Campaign) -> None:
    (one, two), clock = [replace(STEALTH, text=text) for text in ("Face danger", "Endure")], "Tide"
    fact = Fact(FactKind.CLOCK, clock, "1/4")
    order = ("A step.", one, "It slips.", "It falls.", fact, two, "Up again.")
    words = "\n".join(part for part in order if isinstance(part, str))
    block = unit("1", "Zel", words, 0, sort=Sort.ROLL, throws=(one, two), facts=(fact,), order=order)

    events = made(campaign, block)
    beginnings = ("aside", "Zel rolls", "clock")
    assert [event.split(" [")[0] for event in events if event.startswith(beginnings)] == [
        "aside by Zel: “A step.”",
        "Zel rolls 2d20: 4 17 “Face danger”",
        "aside by Zel: “It slips. / It falls.”",
        "clock 1 “Tide”: 1/4",
        "Zel rolls 2d20: 4 17 “Endure”",
        "aside by Zel: “Up again.”",
    ]
    assert made(campaign, block) == events


def test_I11_a_block_that_came_in_with_its_words_first_stays_so(campaign: Campaign) -> None:
    order = ("A step.", STEALTH, "It slips.", STEALTH)
    block = unit("1", "Zel", "A step.\nIt slips.", 0, sort=Sort.ROLL, throws=(STEALTH, STEALTH))
    before = made(campaign, block)

    assert made(campaign, replace(block, order=order)) == before


def test_left_out_units_record_nothing(campaign: Campaign) -> None:
    events = made(
        campaign,
        unit("1", "Zel", "!r 1d20", 0, left_out=Reason.ANSWERED),
        unit("2", "", "Rain.", 1),
    )

    assert events == ["gm narrates: “Rain.”"]


# --- channels and kinds -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("use", "events"),
    [
        (Use.STORY, [*CAST, "Zel says: “Not today.”"]),
        (Use.ASIDE, [*CAST, "aside by Zel: “Not today.”"]),
        (Use.DICE, [*CAST, "aside by Zel: “Not today.”"]),
        (Use.NOTES, [*CAST, "note on Zel: “Not today.” → gm"]),
    ],
)
def test_a_channel_is_used_as_the_answers_say(campaign: Campaign, use: Use, events: list[str]) -> None:
    answers = replace(ANSWERS, channels={"talk": use})

    assert made(campaign, unit("1", "Zel", "Not today.", 0, channel="talk"), answers=answers) == events


def test_a_skipped_channel_is_left_out_and_counted(campaign: Campaign) -> None:
    answers = replace(ANSWERS, channels={"talk": Use.SKIP})
    intake = campaign.take_in(
        [source(unit("1", "Nobody knows", "x", 0, channel="talk"), unit("2", "", "Rain.", 1))], answers
    )

    assert told(campaign) == [BEGINS, "gm narrates: “Rain.”", ENDS]
    assert intake.report.left_out == {Reason.SKIPPED: 1}
    assert intake.people_new == []


def test_a_speaker_the_answers_skip_is_left_out(campaign: Campaign) -> None:
    intake = campaign.take_in([source(unit("1", "Radio", "crackle", 0), unit("2", "", "Rain.", 1))], ANSWERS)

    assert told(campaign) == [BEGINS, "gm narrates: “Rain.”", ENDS]
    assert intake.report.left_out == {Reason.SKIPPED: 1}


def test_a_kind_of_the_answers_wins(campaign: Campaign) -> None:
    answers = replace(ANSWERS, kinds={"talk": Sort.TOLD})

    events = made(campaign, unit("1", "Zel", "leaves", 0, channel="talk"), answers=answers)
    assert events == [*CAST, "Zel narrates: “leaves”"]


# --- throws -----------------------------------------------------------------------------------------------


def roll(*throws: Throw, speaker: str = "Zel", text: str = "", **more: object) -> Unit:
    return unit("1", speaker, text, 0, sort=Sort.ROLL, throws=throws, **more)


def attack(number: int, what: str, dice: str, total: int, **more: object) -> Unit:
    """A roll of Zel's for an attack or its damage, as Foundry writes each in a message of its own."""
    throw = Throw(Rung.TOTAL, f"{dice} = {total}", dice, (), total, what)
    return unit(str(number), "Zel", "", number, sort=Sort.ROLL, throws=(throw,), **more)


RAY = unit("1", "Zel", "Ray\nCasting Time: 1 action", 0, sort=Sort.CARD)
RAY_HITS = (RAY, attack(2, "Ray - Attack Roll", "1d20", 18), attack(3, "Ray - Damage Roll", "2d6", 7))
NET = (attack(1, "Net - Attack Roll", "1d20", 4), attack(2, "Net - Damage Roll", "1d6", 3))
NET_HITS, NET_DAMAGE = "attacks with a net and hits: 3 damage", "deals 3 damage with a net"


def deeds(campaign: Campaign) -> list[str]:
    return [event for event in told(campaign) if event.startswith("Zel narrates")]


@pytest.mark.parametrize(
    ("units", "wanted"),
    [
        (RAY_HITS, ["casts Ray and hits: 7 damage"]),
        (RAY_HITS[:2], ["casts Ray"]),
        ((RAY, RAY_HITS[2]), ["casts Ray: 7 damage"]),
        (NET, [NET_HITS]),
        ((NET[0], replace(NET[0], key="9"), NET[1]), ["attacks with a net", NET_HITS]),
        ((NET[0], unit("5", "Mary", "Rain.", 1.5), NET[1]), ["attacks with a net", NET_DAMAGE]),
        (
            (NET[0], attack(2, "Oar - Damage Roll", "1d6", 3)),
            ["attacks with a net", "deals 3 damage with an oar"],
        ),
        ((NET[0], unit("5", "Zel", "brb", 1.5, sort=Sort.ASIDE), NET[1]), [NET_HITS]),
    ],
)
def test_a_deed_told_by_several_units_is_one(
    campaign: Campaign, units: tuple[Unit, ...], wanted: list[str]
) -> None:
    made(campaign, *units)

    assert deeds(campaign) == [f"Zel narrates: “{one}”" for one in wanted]


def test_a_hidden_damage_is_no_part_of_an_open_attack(campaign: Campaign) -> None:
    made(campaign, NET[0], replace(NET[1], hidden=True))

    assert deeds(campaign) == [
        "Zel narrates: “attacks with a net”",
        "Zel narrates: “deals 3 damage with a net” → Zel",
    ]


@pytest.mark.parametrize("units", [RAY_HITS, NET])
def test_a_deed_in_two_goes_is_what_it_is_in_one(
    campaign: Campaign, units: tuple[Unit, ...], tmp_path: Path
) -> None:
    campaign.take_in([source(*units)], ANSWERS)
    for number in range(1, len(units)):
        with begun(tmp_path / f"{number}.retold") as two:
            two.take_in([source(*units[:number])], ANSWERS)
            two.take_in([source(*units)], ANSWERS)

            assert script(two) == script(campaign)
            assert two.take_in([source(*units)], ANSWERS).acts == 0


@pytest.mark.parametrize(
    ("throw", "events"),
    [
        (
            STEALTH,
            ["Zel rolls 2d20: 4 17 “Stealth” [imported]", "Zel: 2d20kh1+5 is 22 (counting 2)"],
        ),
        (
            replace(STEALTH, against="DC 15", verdict="Success!"),
            [
                "Zel rolls 2d20: 4 17 “Stealth (Success!)” [imported]",
                "Zel: 2d20kh1+5 is 22 (counting 2) against 15, passed by 7",
            ],
        ),
        (
            replace(STEALTH, dice="1d100", faces=(43,), total=43, against="<= 60", text=""),
            ["Zel rolls 1d100: 43 [imported]", "Zel: 1d100 is 43 under 60, passed by 17"],
        ),
        (
            replace(STEALTH, against="the Warder's AC"),
            [
                "Zel rolls 2d20: 4 17 “Stealth (the Warder's AC)” [imported]",
                "Zel: 2d20kh1+5 is 22 (counting 2)",
            ],
        ),
        # what the rules refuse goes one rung down, never into an error
        (replace(STEALTH, faces=(4, 21)), ["Zel: 2d20kh1+5 is 22, by its total alone: “Stealth”"]),
        (replace(STEALTH, faces=(4, 12)), ["Zel: 2d20kh1+5 is 22, by its total alone: “Stealth”"]),
        (replace(STEALTH, faces=(4,), total=90), ["aside by Zel: “Stealth: 2d20kh + 5 = 22”"]),
        (
            replace(STEALTH, rung=Rung.TOTAL, faces=(), dice="1d8", total=16),
            ["aside by Zel: “Stealth: 2d20kh + 5 = 22”"],
        ),
        (Throw(Rung.WORDS, "floor(2d6 / 2) = 3"), ["aside by Zel: “floor(2d6 / 2) = 3”"]),
        (replace(STEALTH, dice="not dice"), ["aside by Zel: “Stealth: 2d20kh + 5 = 22”"]),
    ],
)
def test_a_throw_is_recorded_on_the_highest_rung_that_the_rules_take(
    campaign: Campaign, throw: Throw, events: list[str]
) -> None:
    assert made(campaign, roll(throw)) == [*CAST, *events]


def test_a_check_counts_the_rungs_that_are_recorded(campaign: Campaign) -> None:
    units = [
        replace(roll(throw), key=key)
        for key, throw in {
            "1": STEALTH,
            "2": replace(STEALTH, faces=(4, 21)),
            "3": replace(STEALTH, faces=(4,), total=90),
        }.items()
    ]
    checked = take_in(None, [source(*units)], ANSWERS, check=True)
    recorded = campaign.take_in([source(*units)], ANSWERS)

    assert checked.throws == recorded.throws == {Rung.FACES: 1, Rung.TOTAL: 1, Rung.WORDS: 1}


def test_several_throws_of_a_unit_stand_behind_its_words(campaign: Campaign) -> None:
    second = replace(STEALTH, dice="1d8", faces=(8,), total=8, text="Damage")

    assert made(campaign, roll(STEALTH, second, text="I strike!")) == [
        *CAST,
        "aside by Zel: “I strike!”",
        "Zel rolls 2d20: 4 17 “Stealth” [imported]",
        "Zel: 2d20kh1+5 is 22 (counting 2)",
        "Zel rolls 1d8: 8 “Damage” [imported]",
    ]


def test_a_roll_without_a_speaker_has_no_thrower(campaign: Campaign) -> None:
    assert made(campaign, roll(replace(STEALTH, dice="1d8", faces=(8,), total=8), speaker="")) == [
        "the table rolls 1d8: 8 “Stealth” [imported]"
    ]


def test_B10_a_bot_that_the_answers_name_is_read_by_the_command_above(campaign: Campaign) -> None:
    events = made(
        campaign,
        unit("1", "Zel", "!roll 2d6+1 fire", 0),
        unit("2", "Dice", "@Zel [3, 4] = 8, well done", 0.1),
    )

    assert events[3:] == ["Zel rolls 2d6: 3 4 “fire” [imported]", "Zel: 2d6+1 is 8"]


@pytest.mark.parametrize(
    "answer",
    [
        "@Zel rolled 2d6+3 [4, 2] = 9",
        "@Zel rolls 2d6+3: [4, 2] = 9",
        "@Zel got 2d6+3 [4, 2] = 9",
        "@Zel 2d6+3 [4, 2] = 9",
        "@Zel: 2d6+3 [4, 2] = 9",
        "@Zel, 2d6+3 [4, 2] = 9",
        "@Zel\n2d6+3 [4, 2] = 9",
        "@Zel `2d6+3` [4, 2] = 9",
    ],
)
def test_B10_a_mention_without_a_command_above_is_the_name_alone(campaign: Campaign, answer: str) -> None:
    events = made(campaign, unit("1", "Dice", answer, 0))

    assert [event for event in events if "rolls" in event] == ["Zel rolls 2d6: 4 2 [imported]"]


def test_I7_what_begins_like_an_answered_command_is_no_speech(campaign: Campaign) -> None:
    events = made(
        campaign,
        unit("1", "Zel", "%roll 2d6", 0),
        unit("2", "Dice", "2d6: [3, 4] = 7", 0.1),
        unit("3", "Zel", "%wounds 3", 3),
        unit("4", "Zel", "!well, well", 4),
    )

    assert events[3:] == ["Zel rolls 2d6: 3 4 [imported]", "Zel: 2d6 is 7", "Zel says: “!well, well”"]


def test_I6_dice_that_come_to_another_total_are_told_with_the_formula(campaign: Campaign) -> None:
    alone = Throw(Rung.FACES, "ceil(3d6/2) = 4", "3d6", (1, 4, 2), 7, "Luck", formula="ceil(3d6/2) = 4")

    assert made(campaign, roll(alone))[3:] == [
        "Zel rolls 3d6: 1 4 2 “Luck: ceil(3d6/2) = 4” [imported]",
        "Zel: 3d6 is 7",
    ]


def test_an_unmarked_bot_throws_for_the_player_who_asked(campaign: Campaign) -> None:
    events = made(
        campaign,
        unit("1", "Zel", "!roll 3d8+1", 0),
        unit("2", "Dice", "3d8+1: [2, 8, 5] + 1 = 16", 0.1),
        unit("3", "Dice", "I am a bot.", 5),
    )

    assert events[3:] == [
        "Zel rolls 3d8: 2 8 5 [imported]",
        "Zel: 3d8+1 is 16",
        "aside: “I am a bot.”",
    ]


def test_a_bots_answer_to_somebody_unknown_is_a_throw_of_the_table(campaign: Campaign) -> None:
    events = made(campaign, unit("1", "Dice", "@somebody rolled 3d8+1: [2, 8, 5] + 1 = 16", 0.1))

    assert events[-2:] == ["the table rolls 3d8: 2 8 5 [imported]", "3d8+1 is 16"]


# --- hidden -----------------------------------------------------------------------------------------------

PELL_FIRST = ["Pell enters as person 1, character", "Ana enters as person 2, player", "Ana plays Pell"]
CAST_AFTER = ["Zel enters as person 3, character", "Jon enters as person 4, player", "Jon plays Zel"]
PELL = ["Pell enters as person 3, character", "Ana enters as person 4, player", "Ana plays Pell"]


@pytest.mark.parametrize(
    ("to", "audience"),
    [
        (("Mary",), "Zel"),
        ((), "Zel"),
        (("Pell",), "Zel Pell"),
        (("Ana", "Mary"), "Zel Pell"),  # by the player's own name
        (("Warder", "Radio", "Who?"), "Zel"),  # in no cast, so nobody's eyes but the game master's
    ],
)
def test_a_whisper_is_for_its_speaker_and_recipients(
    campaign: Campaign, to: tuple[str, ...], audience: str
) -> None:
    events = made(
        campaign,
        unit("1", "Zel", "Hello.", 0),
        unit("2", "Pell", "Hello.", 1),
        unit("3", "Zel", "It is no lamp.", 2, hidden=True, to=to),
    )

    assert events[-1] == f"Zel says: “It is no lamp.” → {audience}"


@pytest.mark.parametrize(
    ("audience", "events"),
    [
        (("table",), [*CAST, "Zel says: “Look.”"]),
        (("gm",), [*CAST, "Zel says: “Look.” → gm"]),
        (("Pell",), [*PELL_FIRST, *CAST_AFTER, "Zel says: “Look.” → Pell Zel"]),
    ],
)
def test_the_answers_set_the_audience_of_a_hidden_channel(
    campaign: Campaign, audience: tuple[str, ...], events: list[str]
) -> None:
    answers = replace(ANSWERS, audience={"HO1": audience})

    assert made(campaign, unit("1", "Zel", "Look.", 0, hidden=True, channel="HO1"), answers=answers) == events


def test_a_game_master_whisper_is_for_its_recipients(campaign: Campaign) -> None:
    assert made(campaign, unit("1", "Mary", "You see it move.", 0, hidden=True, to=("Zel",))) == [
        *CAST,
        "gm narrates: “You see it move.” → Zel",
    ]


def test_a_whisper_does_not_bring_a_secret_person_into_the_cast(campaign: Campaign) -> None:
    events = made(
        campaign,
        unit("1", "Warder", "Psst.", 0, hidden=True, to=("Zel",)),
        unit("2", "Warder", "Halt!", 1),
        unit("3", "Warder", "Psst again.", 2, hidden=True, to=("Zel",)),
    )

    assert events == [
        *CAST,
        "gm says: “Warder: Psst.” → Zel",
        "Warder enters as person 3, character",
        "Warder says: “Halt!”",
        "Warder says: “Psst again.” → Zel Warder",
    ]


def test_a_secret_roll_is_one_behind_the_screen(campaign: Campaign) -> None:
    intake = campaign.take_in([source(roll(STEALTH, speaker="Mary", hidden=True))], ANSWERS)

    assert told(campaign) == [
        "gm rolls 2d20: 4 17 “Stealth” [imported] → gm",
        "gm: 2d20kh1+5 is 22 (counting 2) → gm",
        "the game master rolls behind the screen",
    ]
    assert intake.secret_throws == 1
    public = [event.told for event in campaign.seen_by("table").happened()]
    assert public[-1:] == ["the game master rolls behind the screen"]


def test_the_answers_set_the_audience_of_unmarked_text(campaign: Campaign) -> None:
    units = [unit("1", "Zel", "Hello.", 0), unit("2", "", "The stair", 1, sort=Sort.SCENE)]
    with pytest.raises(Refused, match="Who may see what is not marked"):
        campaign.take_in([source(*units, can_mark=False)], ANSWERS)

    hidden = replace(ANSWERS, unmarked=Unmarked.GM)
    assert made(campaign, *units, answers=hidden, can_mark=False) == [
        *CAST,
        "Zel says: “Hello.” → gm",
        "gm narrates: “The stair” → gm",
    ]


# --- replies, facts, recordings ---------------------------------------------------------------------------


def test_the_line_that_a_reply_quotes_is_kept_if_the_answers_say_so(campaign: Campaign) -> None:
    units = [
        unit("1", "Zel", "Is it shut?\nAnd who has the key?", 0),
        unit("2", "Pell", "It is.", 1, answers="1"),
        unit("3", "Zel", "A secret.", 2, hidden=True),
        unit("4", "Pell", "What?", 3, answers="3"),
    ]
    events = made(campaign, *units, answers=replace(ANSWERS, quotes=True))

    assert "Pell says: “> Zel: Is it shut? / It is.”" in events
    assert events[-1] == "Pell says: “What?”"


def test_no_reply_brings_back_a_redacted_line(campaign: Campaign) -> None:
    answers, asked = replace(ANSWERS, quotes=True), unit("1", "Zel", "Is it the king?", 0)
    campaign.take_in([source(asked)], answers)
    (event,) = (one for one in campaign.happened() if "king" in one.told)
    campaign.say(f"redact {event.id}")
    campaign.take_in([source(asked, unit("2", "Pell", "It is.", 1, answers="1"))], answers)

    assert not [one for one in told(campaign) if "king" in one]
    assert "Pell says: “It is.”" in told(campaign)


def test_what_is_secret_in_an_open_unit_is_a_note_for_the_game_master(campaign: Campaign) -> None:
    card = unit("1", "Zel", "A lamp.", 0, sort=Sort.CARD, secret="It is cursed.")

    assert made(campaign, card) == [*CAST, "Zel narrates: “A lamp.”", "note: “It is cursed.” → gm"]
    again = campaign.take_in([source(card)], ANSWERS)
    assert (again.acts, again.otherwise, again.changed, again.gone) == (0, 0, [], [])


FACTS = [
    (Fact(FactKind.PERSON, "Hob"), ["Hob enters as person 1, character"]),
    (
        Fact(FactKind.PERSON, "Hob", "asleep"),
        ["Hob enters as person 1, character", "note on Hob: “asleep”"],
    ),
    (Fact(FactKind.PLACE, "The stair", "wet"), ["place The stair: “wet”"]),
    (Fact(FactKind.THREAD, "Who paid"), ["thread Who paid"]),
    (Fact(FactKind.CLOCK, "Watch", "2/6"), ["clock 1 “Watch”: 2/6"]),
    (Fact(FactKind.TRACK, "hp", "9/12", "Zel"), ["note: “Zel, track hp: 9/12”"]),
]


@pytest.mark.parametrize(("fact", "events"), FACTS)
def test_a_fact_is_kept_by_its_command_or_as_a_note(
    campaign: Campaign, fact: Fact, events: list[str]
) -> None:
    assert made(campaign, unit("1", "", "", 0, sort=Sort.NOTE, facts=(fact,))) == events


def test_a_fact_stated_again_is_no_error(campaign: Campaign) -> None:
    thread = Fact(FactKind.THREAD, "Who paid")
    closed = replace(thread, value="closed")
    person = Fact(FactKind.PERSON, "Hob")
    units = [
        unit(str(place), "", "", place, sort=Sort.NOTE, facts=(fact,))
        for place, fact in enumerate((thread, thread, closed, closed, person, person), start=1)
    ]
    intake = campaign.take_in([source(*units)], ANSWERS)
    assert told(campaign)[1:-1] == [
        "thread Who paid",
        "closed at #3",
        "Hob enters as person 1, character",
    ]
    assert (intake.new, intake.known, intake.unchanged) == (3, 0, 3)  # I13
    again = campaign.take_in([source(*units)], ANSWERS)
    assert (again.new, again.known, again.unchanged, again.acts) == (0, 3, 3, 0)


def test_a_player_stated_by_a_source_is_seated_once(campaign: Campaign) -> None:
    hob = Fact(FactKind.PERSON, "Hob")
    facts = [hob, replace(hob, player="Kit", value="asleep"), replace(hob, player="Kit", value="awake")]
    units = [unit(str(n), "", "", n, sort=Sort.NOTE, facts=(fact,)) for n, fact in enumerate(facts, start=1)]

    assert made(campaign, *units) == [
        "Hob enters as person 1, character",
        "Kit enters as person 2, player",
        "Kit plays Hob",
        "note on Hob: “asleep”",
        "note on Hob: “awake”",
    ]
    assert campaign.take_in([source(*units)], ANSWERS).acts == 0


def test_a_clock_and_a_track_go_on(campaign: Campaign) -> None:
    facts = [
        Fact(FactKind.CLOCK, "Watch", "2/6"),
        Fact(FactKind.CLOCK, "Watch", "3/6"),
        Fact(FactKind.PERSON, "Zel"),
        Fact(FactKind.TRACK, "hp", "9/12", "Zel"),
        Fact(FactKind.TRACK, "hp", "7/12", "Zel"),
        Fact(FactKind.TRACK, "mood", "sad", "Zel"),
    ]
    units = [unit(str(n), "", "", n, sort=Sort.NOTE, facts=(fact,)) for n, fact in enumerate(facts, start=1)]

    assert made(campaign, *units) == [
        "clock 1 “Watch”: 2/6",
        "clock 1 “Watch”: 2 to 3/6",
        *CAST,
        "Zel's hp 9 of 12",
        "Zel's hp 9 → 7 of 12",
        "note: “Zel, track mood: sad”",
    ]


# --- times and sessions -----------------------------------------------------------------------------------


def test_times_have_the_offset_of_the_zone_and_their_precision(campaign: Campaign) -> None:
    summer = timedelta(days=60)
    units = [
        unit("1", "", "a", 0),
        replace(unit("2", "", "b"), when=at(1, Precision.MINUTE)),
        replace(unit("3", "", "c"), when=at(2, Precision.MILLISECOND)),
        replace(unit("4", "", "d"), when=replace(at(0), time=at(0).time + summer)),
        replace(unit("5", "", "e"), when=replace(at(1), time=(at(1).time + summer).replace(tzinfo=None))),
        replace(unit("6", "", "f"), when=replace(at(0, Precision.DAY), time=at(0).time + 2 * summer)),
    ]
    campaign.take_in([source(*units)], ANSWERS)

    assert [
        line.partition("--when ")[2].rpartition(": ")[0] for line in script(campaign) if "narrate" in line
    ] == [
        "2026-03-01T19:42:10Z",
        "2026-03-01T19:43Z",
        "2026-03-01T19:44:10.000Z",
        "2026-04-30T20:42:10+01:00",
        "2026-04-30T19:43:10+01:00",
        "2026-06-29",
    ]


def evenings(campaign: Campaign) -> list[str]:
    return [event for event in told(campaign) if event.startswith("session")]


def test_a_gap_ends_a_session(campaign: Campaign) -> None:
    units = [unit(str(place), "", "Rain.", minutes) for place, minutes in enumerate((0, 239, 480, 1440), 1)]
    intake = campaign.take_in([source(*units)], ANSWERS)

    assert evenings(campaign) == [
        "session 1 begins, 2026-03-01",
        "session 1 ends",
        "session 2 begins, 2026-03-02",
        "session 2 ends",
        "session 3 begins, 2026-03-02",
        "session 3 ends",
    ]
    assert [session.date for session in intake.sessions_new] == ["2026-03-01", "2026-03-02", "2026-03-02"]


def test_a_thread_is_a_session_with_its_title(campaign: Campaign) -> None:
    units = [unit("1", "", "Rain.", 0, channel="The stair"), unit("2", "", "Rain.", 1, channel="The hold")]
    campaign.take_in([source(*units)], replace(ANSWERS, sessions="thread"))

    assert evenings(campaign)[::2] == [
        "session 1 The stair begins, 2026-03-01",
        "session 2 The hold begins, 2026-03-01",
    ]


def test_a_log_without_times_is_one_session_without_a_date(campaign: Campaign) -> None:
    campaign.take_in([source(unit("1", "", "Rain."), unit("2", "", "Wind."))], ANSWERS)

    assert evenings(campaign) == ["session 1 begins", "session 1 ends"]


def test_what_has_no_time_before_the_first_time_is_in_the_first_session(campaign: Campaign) -> None:
    campaign.take_in([source(unit("1", "", "Rain."), unit("2", "", "Wind.", 0))], ANSWERS)

    assert evenings(campaign) == [BEGINS, ENDS]


# --- several sources --------------------------------------------------------------------------------------


def test_sources_are_merged_by_time_and_each_keeps_its_order(campaign: Campaign) -> None:
    one = source(unit("1", "", "a", 0), unit("2", "", "d", 3), unit("3", "", "back", 2), name="one")
    two = source(unit("4", "", "b", 1), unit("5", "", "c", 3), unit("6", "", "e", 4), name="two")
    campaign.take_in([one, two], ANSWERS)

    words = [event.partition("“")[2][:-1] for event in told(campaign) if "“" in event]
    assert words == ["a", "b", "d", "back", "c", "e"]


def test_a_file_without_times_follows_the_file_named_before_it(campaign: Campaign) -> None:
    timed = source(unit("1", "", "Rain.", 0), unit("2", "", "Wind.", 3), name="one")
    untimed = source(unit("3", "", "Later, a note."), unit("4", "", "And another."), name="two")
    campaign.take_in([timed, untimed], ANSWERS)

    words = [event.partition("“")[2][:-1] for event in told(campaign) if "“" in event]
    assert words == ["Rain.", "Wind.", "Later, a note.", "And another."]


def test_a_unit_that_is_in_two_files_comes_in_once(campaign: Campaign) -> None:
    one = source(unit("1", "", "a", 0), unit("2", "", "b", 1), name="one")
    two = source(unit("2", "", "b", 1), unit("3", "", "c", 2), name="two")
    intake = campaign.take_in([one, two], ANSWERS)

    assert intake.new == 3
    assert intake.report.left_out == {Reason.REPEAT: 1}


def test_equal_lines_of_two_texts_without_times_are_two(campaign: Campaign) -> None:
    one = source(unit("a", "", "First."), unit("b", "", "Yes."), name="one", has_ids=False)
    two = source(unit("c", "", "Second."), unit("b", "", "Yes."), name="two", has_ids=False)
    campaign.take_in([one], ANSWERS)

    assert campaign.take_in([two], ANSWERS).new == 2
    assert campaign.take_in([one, two], ANSWERS).new == 0


def test_one_evening_in_two_formats_is_refused(campaign: Campaign) -> None:
    one = source(unit("1", "", "a", 0), unit("2", "", "b", 10), name="chat.json", reader="json")
    two = source(unit("x", "", "a", 0), unit("y", "", "b", 10), name="chat.csv", reader="csv", has_ids=False)

    with pytest.raises(Refused, match=r"chat.csv and chat.json tell the same evening"):
        campaign.take_in([one, two], ANSWERS)


def test_one_evening_in_two_formats_is_refused_though_one_names_no_channel(campaign: Campaign) -> None:
    words = ["The ferry has not moved.", "Its lamp is lit.", "Nobody holds it."]
    one = source(
        *(unit(f"1{n}", "", text, n, channel="table") for n, text in enumerate(words)), reader="json"
    )
    two = source(*(unit(f"x{n}", "", text, n) for n, text in enumerate(words)), reader="csv", has_ids=False)

    with pytest.raises(Refused, match="tell the same evening in two formats"):
        campaign.take_in([one, two], ANSWERS)


def test_an_evening_that_came_in_from_another_format_is_refused(campaign: Campaign) -> None:
    words = ["The ferry has not moved.", "Its lamp is lit.", "Nobody holds it."]
    one = source(*(unit(f"1{n}", "", text, n) for n, text in enumerate(words)), reader="json")
    two = source(*(unit(f"x{n}", "", text, n) for n, text in enumerate(words)), reader="csv", has_ids=False)
    campaign.take_in([one], ANSWERS)

    with pytest.raises(Refused, match="the same evening came in from another file or format"):
        campaign.take_in([two], ANSWERS)


# --- questions and refusals -------------------------------------------------------------------------------


def test_an_open_question_is_refused(campaign: Campaign) -> None:
    with pytest.raises(Refused, match="1 question about the log is open, first about Who is this"):
        campaign.take_in([source(unit("1", "Who is this", "x", 0))], ANSWERS)
    with pytest.raises(Refused, match="time zone"):
        take_in(
            None,
            [source(replace(unit("1"), when=replace(at(0), time=at(0).time.replace(tzinfo=None))))],
            replace(ANSWERS, zone=""),
            check=True,
        )


def test_nothing_comes_in_while_a_conflict_is_open(tmp_path: Path) -> None:
    lines = (
        "cast A bruise clubs=3 melee=2",
        "cast B bruise clubs=3 melee=2",
        "session",
        "conflict bruise A vs B: all",
    )
    with begun(tmp_path / "y.retold", *lines) as campaign, pytest.raises(Refused, match="A conflict is open"):
        campaign.take_in([source(unit("1", "", "x", 0))], ANSWERS)


def test_nothing_comes_into_a_session_that_the_table_began(campaign: Campaign) -> None:
    campaign.say("session")
    before = told(campaign)

    with pytest.raises(Refused, match="A session is open: end it first"):
        campaign.take_in([source(unit("1", "", "x", 0))], ANSWERS)
    assert told(campaign) == before


def test_a_check_records_nothing(campaign: Campaign) -> None:
    units = [unit("1", "Zel", "Hello.", 0), unit("2", "Pell", "Hello.", 600)]
    intake = campaign.take_in([source(*units)], ANSWERS, check=True)

    assert told(campaign) == []
    assert (intake.new, intake.people_new, len(intake.sessions_new)) == (2, ["Zel", "Pell"], 2)
    assert "Nothing was recorded: this was a check." in list(intake.lines())
    assert intake.as_json()["recorded"] is False


# --- players and marks ------------------------------------------------------------------------------------


def test_a_player_who_speaks_by_their_own_name_is_a_player(campaign: Campaign) -> None:
    answers = replace(ANSWERS, people={**ANSWERS.people, "Jon": Person()})

    assert made(campaign, unit("1", "Jon", "back soon", 0, sort=Sort.ASIDE), answers=answers) == [
        *CAST,
        "aside by Jon: “back soon”",
    ]


def test_pinned_units_are_marks_if_the_answers_say_so(campaign: Campaign) -> None:
    units = [unit(str(place), "", "The lamp goes out.", place, pinned=True) for place in (1, 2)]
    events = made(campaign, *units, answers=replace(ANSWERS, marks=True))

    assert [event for event in events if "mark" in event] == [
        "mark “The lamp goes out.” at #3",
        "mark “The lamp goes out. 2” at #5",
    ]
    again = campaign.take_in([source(*units)], replace(ANSWERS, marks=True))
    assert (again.acts, again.otherwise) == (0, 0)


def test_a_hidden_fact_before_an_open_one_changes_nothing_for_the_table(tmp_path: Path) -> None:
    def seen(name: str, *units: Unit) -> list[str]:
        with begun(tmp_path / f"{name}.retold") as campaign:
            campaign.take_in([source(*units)], ANSWERS)
            return [event.told for event in campaign.seen_by("table").happened()]

    doom = Fact(FactKind.CLOCK, "Doom", "3/6")
    opened = unit("a1", "Zel", "Go.", 0)
    secret = unit("a2", "Mary", "It ticks.", 1, hidden=True, facts=(doom,))
    shown = unit("a3", "Mary", "It ticks aloud.", 2, facts=(doom,))

    told_openly = [line for line in seen("without", opened, shown) if "Doom" in line]

    assert told_openly
    assert [line for line in seen("with", opened, secret, shown) if "Doom" in line] == told_openly


MORNING = [unit(f"a{number}", "Zel", f"Words {number}.", minutes) for number, minutes in ((1, 0), (2, 30))]
LATER = [unit("b1", "Pell", "On we go.", 450), unit("b2", "Zel", "Yes.", 451)]
"""Seven hours later: another session, by the gap of four hours."""
WHISPERS = {
    "before all": [(unit("w1", "Mary", "Plans.", -400, hidden=True), 0)],
    "long after the last word": [(unit("w1", "Mary", "Notes.", 800, hidden=True), 4)],
    "alone between two sessions": [(unit("w1", "Mary", "Notes.", 300, hidden=True), 2)],
    "joining two sessions": [
        (unit("w1", "Mary", "Notes.", 240, hidden=True), 2),
        (unit("w2", "Zel", "Psst.", 245, hidden=True, to=("Mary",)), 3),
    ],
    "of a heading of their own": [(unit("w1", "Mary", "Plans.", 40, hidden=True, session="Prep"), 2)],
}


@pytest.mark.parametrize("in_two_goes", [False, True])
@pytest.mark.parametrize("whispers", WHISPERS.values(), ids=WHISPERS)
def test_I14_hidden_units_open_join_and_end_no_session_that_players_see(
    whispers: list[tuple[Unit, int]], in_two_goes: bool, tmp_path: Path
) -> None:
    def seen(name: str, units: list[Unit]) -> tuple[list[str], str]:
        (tmp_path / name).mkdir()
        with begun(tmp_path / name / "evening.retold") as campaign:
            goes = [units[: len(units) // 2], units] if in_two_goes else [units]
            for go in goes:
                campaign.take_in([source(*go)], ANSWERS)
            ana = campaign.seen_by("Ana")
            return [event.told for event in ana.happened()], ana.tell()

    units = [*MORNING, *LATER]
    expected = seen("without", units)
    for whisper, place in whispers:
        units.insert(place, whisper)

    assert seen("with", units) == expected


def test_I14_a_log_of_hidden_units_alone_begins_no_session(campaign: Campaign) -> None:
    campaign.take_in([source(unit("1", "Mary", "Plans.", 0, hidden=True))], ANSWERS)

    assert told(campaign) == ["gm narrates: “Plans.” → gm"]


# --- the language of the words ----------------------------------------------------------------------------


def test_the_campaign_gets_the_language_of_the_answers_once(campaign: Campaign) -> None:
    spoken = replace(ANSWERS, language="es")
    log = source(unit("1", "Zel", "Hoy no.", 0))

    campaign.take_in([log], spoken)
    assert told(campaign)[:2] == [BEGINS, "option language=es"]
    campaign.say("option table.language=voice")
    campaign.take_in([source(unit("1", "Zel", "Hoy no.", 0), unit("2", "Zel", "Nunca.", 1))], spoken)
    assert [event for event in told(campaign) if "language" in event] == [
        "option language=es",
        "option language=voice",
    ]


def test_hidden_words_and_a_table_that_has_a_language_set_none(campaign: Campaign) -> None:
    spoken = replace(ANSWERS, language="es")
    campaign.take_in([source(unit("1", "Zel", "Hoy no.", 0, hidden=True, to=("Mary",)))], spoken)
    assert not [event for event in told(campaign) if "language" in event]

    campaign.say("option table.language=pt")
    campaign.take_in([source(unit("2", "Zel", "Nunca.", 1))], spoken)
    assert [event for event in told(campaign) if "language" in event] == ["option language=pt"]


TO_HIT = Throw(Rung.FACES, "1d20+5 = 18", "1d20+5", (13,), 18, "Oar: Attack", "AC 13")
DAMAGE = Throw(Rung.FACES, "1d8+3 = 7", "1d8+3", (4,), 7, "Oar: Damage")
OAR = unit("1", "Zel", "", 0, sort=Sort.ROLL, throws=(TO_HIT, DAMAGE))


def test_the_attack_of_a_card_is_told_before_its_dice(campaign: Campaign) -> None:
    events = made(campaign, OAR)

    assert events[:4] == [*CAST, "Zel narrates: \u201cattacks with an oar and hits: 7 damage\u201d"]
    assert [event.partition(":")[0] for event in events[4:] if "rolls" in event] == [
        "Zel rolls 1d20",
        "Zel rolls 1d8",
    ]
    assert campaign.take_in([source(OAR)], ANSWERS).acts == 0


def test_a_hidden_attack_is_hidden_and_its_result_names_no_attacker(campaign: Campaign) -> None:
    result = unit("2", "", "Attack [18] -> [at Heron] [HIT]", 1, sort=Sort.NOTICE)
    events = made(campaign, unit("0", "Zel", "I wait.", -1), replace(OAR, hidden=True), result)

    assert [event for event in events if "hits" in event] == [
        "Zel narrates: \u201cattacks with an oar and hits: 7 damage\u201d \u2192 Zel"
    ]


def test_a_result_is_told_of_the_attacker_above(campaign: Campaign) -> None:
    result = unit("2", "", "Attack [18] -> [at Heron] [HIT]", 1, sort=Sort.NOTICE)

    assert "Zel narrates: \u201chits Heron\u201d" in made(campaign, OAR, result)


def test_an_attack_without_a_person_or_in_a_channel_for_dice_is_not_told(campaign: Campaign) -> None:
    answers = replace(ANSWERS, channels={"rolls": Use.DICE})
    events = made(campaign, replace(OAR, channel="rolls"), replace(OAR, key="2", speaker=""), answers=answers)

    assert not any("attacks" in event for event in events)


def test_words_to_the_players_are_the_game_masters_and_no_characters(campaign: Campaign) -> None:
    answers = replace(ANSWERS, people={**ANSWERS.people, "Heron": Person(role="npc")})
    told_ = unit("1", "Heron", "You hear a wheel turning.", 0)
    asked = unit("2", "Heron", "You see that?", 1)

    assert made(campaign, told_, asked, answers=answers) == [
        "gm narrates: \u201cYou hear a wheel turning.\u201d",
        "Heron enters as person 1, character",
        "Heron says: \u201cYou see that?\u201d",
    ]
