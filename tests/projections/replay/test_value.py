"""What a replay says of its steps beside the board: when, how told, by which block, with which name."""

from __future__ import annotations

from typing import Any

from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.reading import LineView, viewer_called
from retold.projections.replay.steps import Following
from retold.projections.replay.value import StepFlag
from tests.projections.replay.stepping import as_json, boards, notations, whole
from tests.projections.replay.test_board import BRUISE, played

NIGHT = (
    *BRUISE,
    "declare Zel: I run.",
    "draw Zel clubs+melee = KS QD JH 9C 3D 2S",
    "draw Ned clubs+melee = 10S 9D 8H",
    "colour spades",
    "narrate Zel: And I am through.",
    "mark through",
    "note --gm: The wombat knows.",
    "mark --gm wombat",
    "narrate gm: Rain.",
    "end conflict",
    "end session: Out.",
)


def value(campaign: CampaignStore, name: str = "gm") -> dict[str, Any]:
    reading = LineView(campaign, 1)
    found: dict[str, Any] = as_json(whole(reading.through(viewer_called(reading.table, name))).to_json())
    return found


def flagged(value: dict[str, Any], flag: StepFlag) -> list[str]:
    """The notation of the steps with that flag."""
    (line,) = value["lines"]
    return [told for told, flags in zip(notations(line), line["steps"]["flags"], strict=True) if flags & flag]


def test_steps_say_what_begins_and_ends_with_them() -> None:
    with played(*NIGHT) as night:
        gm, table = value(night.scribe.campaign), value(night.scribe.campaign, "table")

        assert [told.partition(" ")[0] for told in flagged(gm, StepFlag.SESSION)] == ["session"]
        assert flagged(gm, StepFlag.SCENE) == ["scene 1 The ford"]
        assert [told.partition(",")[0] for told in flagged(gm, StepFlag.OPENS)] == ["conflict 1 “Out”"]
        assert flagged(gm, StepFlag.ENDS) == ["conflict 1 over: ended"]
        assert "turn 1 over: cards back, decks shuffled" in flagged(gm, StepFlag.TURN)
        assert flagged(gm, StepFlag.HIDDEN) == ["note: “The wombat knows.”", "mark “wombat” at #20"]
        assert flagged(table, StepFlag.HIDDEN) == []
        assert len(flagged(gm, StepFlag.ACT)) == len(NIGHT)
        assert len(flagged(table, StepFlag.ACT)) == len(NIGHT) - 2
        assert gm["director"] is True
        assert "director" not in table


def test_a_line_names_those_its_hidden_steps_are_for_and_says_nothing_where_there_is_none() -> None:
    with played(*NIGHT, "say Zel --to Ned: Psst.", "say gm --to Zel+Ned: Hush.") as night:
        gm, table = value(night.scribe.campaign), value(night.scribe.campaign, "table")
        (line,) = gm["lines"]

        told = notations(line)
        assert [(told[at], whom) for at, whom in line["visible_to"]] == [
            ("note: “The wombat knows.”", "gm"),
            ("mark “wombat” at #20", "gm"),
            ("Zel says: “Psst.”", ["Ned"]),
            ("gm says: “Hush.”", ["Zel", "Ned"]),
        ]
        assert ["visible_to" in one for one in table["lines"]] == [False]


def test_a_moment_with_a_name_is_on_the_step_it_is_put_on() -> None:
    with played(*NIGHT) as night:
        (line,) = value(night.scribe.campaign)["lines"]

        told = notations(line)
        assert [(told[at], name) for at, name in line["marks"]] == [
            ("Zel narrates: “And I am through.”", "through"),
            ("note: “The wombat knows.”", "wombat"),
        ]
        (others,) = value(night.scribe.campaign, "table")["lines"]
        assert [name for _, name in others["marks"]] == ["through"]


def test_a_story_of_words_alone_keeps_its_steps_and_its_board() -> None:
    with played(*NIGHT) as night:
        replay = whole(LineView(night.scribe.campaign, 1))
        full, bare = replay.to_json(), replay.without_mechanics().to_json()

        assert (full.get("mechanics"), bare["mechanics"]) == (None, False)
        assert any("mechanics" in one for one in full["lines"][0]["blocks"])
        assert not any("mechanics" in one for one in bare["lines"][0]["blocks"])
        for column in ("id", "delta", "flags"):
            assert full["lines"][0]["steps"][column] == bare["lines"][0]["steps"][column]
        assert notations(full["lines"][0]) == notations(bare["lines"][0])
        for one, other in zip(told_at(full), told_at(bare), strict=True):
            assert one is None or other is None or one["text"] == other["text"] or one["kind"] == "mechanics"


def told_at(value: dict[str, Any]) -> list[dict[str, Any] | None]:
    """The block that tells each step."""
    (line,) = value["lines"]
    return [None if one < 0 else line["blocks"][one] for one in line["steps"]["block"]]


def test_words_told_later_are_told_where_they_belong() -> None:
    with played(
        "session A night", "narrate gm: Rain.", "narrate gm: Wind.", "narrate gm --at 3: Hail."
    ) as night:
        (line,) = value(night.scribe.campaign)["lines"]

        heading, *told = [one["text"] for one in line["blocks"]]
        assert (heading, told) == ("Session 1: A night (2026-03-14)", ["Rain.", "Hail.", "Wind."])
        assert line["steps"]["block"] == [0, 1, 3, 2]
        assert line["blocks"][2]["later"] is True


def test_what_was_undone_is_no_step() -> None:
    with played("session A night", "narrate gm: Rain.", "narrate gm: Wind.", "undo") as night:
        (line,) = value(night.scribe.campaign)["lines"]

        assert notations(line)[1:] == ["gm narrates: “Rain.”"]


def test_a_person_who_follows_begins_again_once_something_was_taken_back() -> None:
    with played("session A night", "narrate gm: Rain.") as night:
        campaign = night.scribe.campaign
        following = Following.beginning(LineView(campaign, 1), LineView(campaign, 1).position)
        night.type("narrate gm: Wind.")
        assert following.holds(LineView(campaign, 1))
        assert [step.told for _, step in following.steps(LineView(campaign, 1))] == ["gm narrates: “Wind.”"]
        night.type("undo")

        assert not following.holds(LineView(campaign, 1))


def test_a_person_who_follows_begins_again_on_another_line_and_through_other_eyes() -> None:
    with played("session A night", "cast Zel by=Jon", "branch quiet") as night:
        campaign = night.scribe.campaign
        reading = LineView(campaign, 1)
        following = Following.beginning(reading, reading.position)

        assert following.holds(reading)
        assert not following.holds(LineView(campaign, 2))
        assert not following.holds(reading.through(viewer_called(reading.table, "Zel")))
        assert not following.holds(reading.then(reading.position - 1))


def test_a_branch_leaves_where_it_left_and_goes_on_alone() -> None:
    lines = (
        *NIGHT[:6],
        "branch quiet",
        "narrate gm: Nobody runs.",
        "switch mainline",
        *NIGHT[6:8],
    )
    with played(*lines) as night:
        found = value(night.scribe.campaign)
        main, quiet = found["lines"]

        assert (quiet["name"], quiet["parent"], quiet["at"]) == ("quiet", 0, 8)
        assert notations(quiet) == ["gm narrates: “Nobody runs.”"]
        assert notations(main)[quiet["at"] - 1] == "Zel declares: “I run.”"
        assert next(boards(found, quiet)) == list(boards(found, main))[quiet["at"]]


def test_words_that_stand_in_the_story_are_written_once() -> None:
    """A step points at its block's words, or at one of its lines of numbers; short words it has itself."""
    with played(*NIGHT) as night:
        (line,) = value(night.scribe.campaign)["lines"]
        written = dict(zip(notations(line), line["steps"]["told"], strict=True))

        assert written["Zel narrates: “And I am through.”"] == ["Zel narrates: “", 0, "”"]
        assert written["scene 1 The ford"] == ["scene 1 ", 0, ""]
        assert written["turn 1 over: cards back, decks shuffled"] == ["", 1, ""]
        assert written["Zel declares: “I run.”"] == "Zel declares: “I run.”"


def test_a_thing_that_lies_there_is_written_with_what_is_otherwise_of_it_alone() -> None:
    with played(*NIGHT) as night:
        found = value(night.scribe.campaign)
        (line,) = found["lines"]
        key = found["keys"].index
        at = notations(line).index("Ned draws 3 from gm's deck: 10♠ 9♦ 8♥ [called]")
        delta = line["steps"]["delta"][at]

        assert dict(zip(delta[::2], delta[1::2], strict=True)) == {
            ~key("deck:bruise:0"): {"left": 43},
            key("hand:bruise:0:2"): {"who": 2, "deck": "deck:bruise:0", "cards": ["10S", "8H", "9D"]},
            ~key("conflict:1"): {"stands": "turn 1 · show (quality)"},
            ~key("fell"): {"who": 2, "cards": ["10S", "9D", "8H"]},
        }
        at = notations(line).index("session 1 ends: “Out.”")
        assert line["steps"]["delta"][at] == [key("at"), {}, key("fell"), None]


def when(value: dict[str, Any]) -> list[tuple[str, int]]:
    """Everything that the story of a line says, with the step that tells it."""
    (line, *_) = value["lines"]
    leads, first, found = line["steps"]["block"], 0, []
    for number, block in enumerate(line["blocks"]):
        first = leads.index(number) if number in leads else first
        found.append((block["text"], first + block.get("after", 0)))
        found += [(one["text"], first + one.get("after", 0)) for one in block.get("mechanics", ())]
    return [one for one in found if one[0]]


def test_W5_each_paragraph_and_each_of_its_numbers_says_when_it_is_told() -> None:
    with played(*NIGHT) as night:
        found = value(night.scribe.campaign, "table")
    told = notations(found["lines"][0])

    assert [(words, told[at]) for words, at in when(found)][6:16] == [
        ("I run.", "Zel declares: “I run.”"),
        ("Zel draws for clubs + melee: 6 cards",) * 2,
        (
            "Zel draws 6 from the game master's deck: K♠ Q♦ J♥ 9♣ 3♦ 2♠",
            "Zel draws 6 from gm's deck: K♠ Q♦ J♥ 9♣ 3♦ 2♠ [called]",
        ),
        ("Ned draws for clubs + melee: 3 cards",) * 2,
        (
            "Ned draws 3 from the game master's deck: 10♠ 9♦ 8♥",
            "Ned draws 3 from gm's deck: 10♠ 9♦ 8♥ [called]",
        ),
        ("Zel: Quality K",) * 2,
        ("Ned: Quality 10",) * 2,
        ("Zel wins over Ned: Quality K against 10, Quantity 3, spades",) * 2,
        ("Zel colours it spades",) * 2,
        ("And I am through.", "Zel narrates: “And I am through.”"),
    ]


def test_W5_a_heading_comes_with_its_own_step_or_the_first_thing_under_it() -> None:
    with played("cast Zel bruise clubs=4", *BRUISE[:2], "mark here", "narrate gm: Rain.") as night:
        found = value(night.scribe.campaign)
    told = notations(found["lines"][0])

    assert [(words, told[at]) for words, at in when(found)] == [
        ("Session 1: A night (2026-03-14)", "Zel, bruise sheet: clubs=4"),
        ("Zel, bruise sheet: clubs=4",) * 2,
        ("The ford", "scene 1 The ford"),
        ("Rain.", "gm narrates: “Rain.”"),
    ]


def test_W5_words_told_later_come_when_they_were_told() -> None:
    with played(
        "session A night", "narrate gm: Rain.", "narrate gm: Wind.", "narrate gm --at 3: Hail."
    ) as night:
        found = value(night.scribe.campaign)

    assert when(found)[1:] == [("Rain.", 1), ("Hail.", 3), ("Wind.", 2)]


def test_W5_a_story_of_words_alone_tells_them_with_the_same_steps() -> None:
    with played(*NIGHT) as night:
        replay = whole(LineView(night.scribe.campaign, 1))
    full, bare = when(as_json(replay.to_json())), when(as_json(replay.without_mechanics().to_json()))

    assert len(bare) > 5
    assert set(bare) <= set(full)
