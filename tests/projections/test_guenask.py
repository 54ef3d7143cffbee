"""What is seen and told of Guenašk: pools, fallout, and three endings side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from retold.cli.console.toolbar import Pane, pane_content
from retold.games.guenask import events as g
from retold.games.guenask.rules import Answer
from retold.journal.line import LiveEvent, fold
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary.base import Event, Value, Words
from retold.projections import plain
from retold.projections.comparison import diff as line_diff
from retold.projections.exports import EXPORTS, export
from retold.projections.prose.telling import body
from retold.projections.reading import LineView
from retold.projections.story import transcript
from retold.projections.views import ask, cast, tracks
from retold.scribe import Scribe
from retold.script_player import Script, play_script
from tests.projections.reading import read
from tests.projections.test_prose import told
from tests.retold.games.guenask.at_the_table import sheet
from tests.scenario import cast as people
from tests.scenario import given

EXAMPLE = Path(__file__).parents[2] / "examples/guenask/three-endings.session"
LINES = ("mainline", "the-chase", "the-fight")


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CampaignStore]:
    """The quarrel with its three endings."""
    folder = tmp_path_factory.mktemp("endings")
    with CampaignStore.create(folder / "endings.retold") as played:
        scribe = Scribe(played, 1)
        for _ in play_script(scribe, Script(str(EXAMPLE), EXAMPLE.read_bytes())):
            pass
        yield played


def line(campaign: CampaignStore, name: str) -> int:
    return campaign.line_called(name)


def view(campaign: CampaignStore, name: str, branch: str, at: int | None = None) -> dict[str, Any]:
    return ask(name, LineView(campaign, line(campaign, branch), at)).to_json()


def test_partly_004_the_sums_of_the_dice_stand_beside_the_sheet() -> None:
    hana_sheet: dict[str, Value] = {
        "body": 3,
        "mind": 4,
        "soft": 2,
        "hard": 2,
        "quick": "2d6",
        "legs": "1d8",
        "rel.kin": "2d8",
    }
    table = given(
        *people("Hana", "Jon", "Ilse"), sheet(1, **hana_sheet, unassigned="2d6"), sheet(2, stages=2)
    ).table
    hana, jon, ilse = cast.of(table).cast
    sums = "11 stat dice (11d6), 3 trait dice (2d6+1d8), 4 relationship dice (2d6+2d8)"

    assert hana.dice["guenask"][0] == ("stat dice", 11, "11d6")
    assert cast.told_sheets(hana)["guenask"].endswith(f", unassigned 2d6 · {sums}")
    assert cast.told_sheets(jon) == {"guenask": "stages 2"}
    assert ilse.dice == {}
    assert pane_content(Pane.SHEET, table, "Hana")[-1].endswith(f" · {sums}")
    assert cast.of(table).sheet().rows[0].cells[-1].endswith(f" · {sums}")


def test_the_pool_is_on_the_table_at_every_moment(campaign: CampaignStore) -> None:
    lost = campaign.table_at(1).marks["the empty mug"]
    you, captain = view(campaign, "pool", "mainline", lost)["pools"]

    assert (you["who"]["name"], you["dice"], you["approach"]) == ("Maren", [1], "opposed neutral")
    assert (captain["dice"], captain["kept"], captain["out"]) == ([1, 1], [], False)
    before = view(campaign, "pool", "mainline", lost - 1)["pools"]
    assert (before[1]["dice"], before[1]["kept"]) == ([1, 1, 1, 6], [6])


@pytest.mark.parametrize(
    ("name", "points", "full", "conditions"),
    [
        ("mainline", 0, 0, []),
        ("the-chase", 3, 1, ["A knee that will not carry him"]),
        ("the-fight", 7, 2, ["A knee that will not carry him", "Shot at his own sister"]),
    ],
)
def test_fallout_outlives_the_conflict_on_each_line(
    campaign: CampaignStore, name: str, points: int, full: int, conditions: list[str]
) -> None:
    (track,) = view(campaign, "fallout", name)["tracks"]

    assert (track["who"]["name"], track["track"], track["rows"]) == ("Captain Rusk", "stages", 5)
    assert (track["points"], track["boxes"], track["full"]) == (points, 15, full)
    assert track["conditions"] == conditions


def test_fallout_without_a_number_of_boxes_is_still_counted() -> None:
    table = fold([LiveEvent(1, g.NumberSet(who=1, what="social", value=2))])

    assert tracks.fallout_of(table).sheet().rows[0].cells[2:] == ("2", "-", "-")


@pytest.mark.parametrize("name", LINES)
def test_nothing_is_untold_on_any_line(campaign: CampaignStore, name: str) -> None:
    assert view(campaign, "untold", name)["spots"] == []


def test_the_endings_differ_in_state_and_in_story(campaign: CampaignStore) -> None:
    lost_and_won = line_diff.compare(
        LineView(campaign, line(campaign, "mainline")), LineView(campaign, line(campaign, "the-chase"))
    )
    won_twice = line_diff.compare(
        LineView(campaign, line(campaign, "the-chase")), LineView(campaign, line(campaign, "the-fight"))
    )

    assert ("Captain Rusk, stages, boxes", "0/15", "3/15") in [
        (one.about, one.was, one.now) for one in lost_and_won.state
    ]
    assert ("Captain Rusk, stages, boxes", "3/15", "7/15") in [
        (one.about, one.was, one.now) for one in won_twice.state
    ]
    first = [told_[0].text.split(".")[0] for told_ in (*lost_and_won.told, won_twice.told[1])]
    assert first == [
        "I look for the answer to that at the bottom of the mug, and it is not there",
        "I had hoped you would say something else",
        "“I did not want it to come to this,” he says from the floor",
    ]


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("form", EXPORTS)
def test_every_export_tells_every_ending(campaign: CampaignStore, name: str, form: str) -> None:
    written = export(form, transcript.of_session(LineView(campaign, line(campaign, name)), 1))

    assert "Captain Rusk" in read(form, written)


def test_views_are_json(campaign: CampaignStore) -> None:
    for name in ("pool", "fallout"):
        seen = view(campaign, name, "the-chase", 40)
        assert json.loads(json.dumps(seen)) == seen


# --- sentences --------------------------------------------------------------------------------------------

RAISED = g.Raised(conflict=1, who=1, dice=(4, 3), total=7, to=(2,))


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (RAISED, "N1 raised against N2."),
        (
            g.Seen(conflict=1, who=2, whose=1, how=Answer.REVERSE, dice=(7,), total=7, against=7),
            "N2 turned it back on N1.",
        ),
        (
            g.Seen(conflict=1, who=2, whose=1, how=Answer.BLOCK, dice=(4, 3), total=7, against=7),
            "N2 held off N1.",
        ),
        (g.StakesLost(conflict=1, who=1, how="unseen"), "N1 had no answer."),
        (g.Gave(conflict=1, who=1), "N1 gave up."),
        (g.CharacterDied(conflict=1, who=1), "N1 died."),
        (
            g.ConditionNamed(who=1, track="stages", row=1, text=Words("A bad knee")),
            "N1 took a condition: “A bad knee”.",
        ),
    ],
)
def test_an_untold_event_is_a_neutral_sentence(event: Event, sentence: str) -> None:
    assert ("generated", sentence) in told(event)


def test_own_words_stand_before_the_dice() -> None:
    spoken = RAISED.but({"text": Words("Give it back.")})

    assert told(spoken) == [("declaration", "Give it back."), ("mechanics", "N1 raises 4 + 3 = 7 against N2")]


def test_dice_are_noted_as_a_table_says_them() -> None:
    blow = g.Seen(
        conflict=1,
        who=2,
        whose=1,
        how=Answer.BLOW,
        dice=(5, 2, 1),
        total=8,
        against=7,
        cost=g.Cost(amount=4, body=True, hard=True, dangerous=1),
    )

    assert (
        "mechanics",
        "N2 sees N1's 7 with 5 + 2 + 1 = 8: blow, 4 fallout (1 + Body + Hard + 1 dangerous)",
    ) in told(blow)


# --- the notation -----------------------------------------------------------------------------------------


def noted(event: Event) -> str:
    payload, texts = body(event)
    return plain.line(event.kind, payload, texts.__getitem__, {1: "Hana", 2: "Thoss"}, conflict=1)


def taken(points: int, track: g.TrackName, total: int, left: int | None = None) -> g.FalloutTaken:
    cost = g.Cost(amount=3, body=True, hard=True)
    return g.FalloutTaken(
        conflict=1, who=1, track=track, cost=cost, points=points, left=left, total=total, boxes=9
    )


def test_A8_the_log_says_once_what_the_blow_came_to() -> None:
    assert noted(taken(1, "physical", left=2, total=9)) == (
        "Hana takes 3 fallout (1 + Body + Hard) on the physical track: 1 marked, 9/9, "
        "2 left for another track"
    )
    assert noted(taken(2, "mental", total=2)) == (
        "Hana takes the rest of 3 fallout (1 + Body + Hard) on the mental track: 2 marked, 2/9"
    )
    assert noted(taken(1, "stages", total=1)) == (
        "Hana takes 3 fallout (1 + Body + Hard) on stages: 1 marked, 1/9"
    )


def test_A8_the_log_says_of_every_track_what_is_unmarked() -> None:
    also = (g.Unmarked(track="mental", points=2),)
    event = g.FalloutResisted(conflict=1, who=1, die=5, amount=3, track="physical", points=1, also=also)

    assert noted(event) == (
        "Hana resists 3 fallout with a 5, 1 unmarked on the physical track and 2 on the mental track"
    )


def test_A18_the_log_does_not_say_that_dice_made_the_order() -> None:
    order = g.TurnOrderSet(conflict=1, order=(1, 2), best=(8, 12))

    assert noted(order) == "order: Hana, Thoss (best two dice: 8, 12)"
    assert noted(order.but({"free": True})) == (
        "order: Hana, Thoss (best two dice: 8, 12); after the first whoever is named"
    )
