"""Under a conflict played on a map stands the map, as it was when the conflict or the scene was over."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from journal.vocabulary import commands as c
from projections import transcript
from projections.exports import export
from projections.exports.layout import drawn
from projections.pages import Plate, Transcript
from projections.replay import EVERYBODY
from tests.projections.evening import Table, w
from tests.projections.reading import read, squeezed
from tests.projections.warehouse import BEGUN, EVENING, RUN, recorded


@pytest.fixture
def over(tmp_path: Path) -> Iterator[Table]:
    """An evening in the warehouse, to its end."""
    table = recorded(tmp_path / "steam.retold", EVENING)
    yield table
    table.campaign.close()


def told(table: Table) -> Transcript:
    return transcript.of_session(table.campaign, 1, 1)


def plates(transcript_: Transcript) -> list[tuple[str | None, Plate]]:
    """Each map and the scene it stands in."""
    return [
        (scene.title, passage.plate)
        for scene in transcript_.scenes
        for passage in scene.passages
        if passage.plate
    ]


def test_the_map_is_that_of_the_moment_before_the_end(over: Table) -> None:
    """Gatto and Jade never left the dock, and Hargan never his office."""
    ((_, plate),) = plates(told(over))

    assert (plate.id, plate.title) == ("c1-map", "The warehouse")
    assert list(plate.picture.who_is_where()) == ["Dock: Gatto, Jade", "Aisle: nobody", "Office: Hargan"]


def test_where_nothing_is_played_on_a_map_there_is_none(table: Table) -> None:
    assert plates(transcript.of_range(table.campaign, 1)) == []


def test_a_scene_that_ends_in_the_middle_of_a_conflict_has_its_own(tmp_path: Path) -> None:
    table = recorded(tmp_path / "open.retold", RUN)
    table.do(c.SetScene(title=w("The street")))
    table.do(c.Say(who=1, text=w("Not that way.")))
    found = plates(told(table))

    assert [(scene, plate.id) for scene, plate in found] == [(None, "c1-map"), ("The street", "c1-2-map")]
    table.campaign.close()


def test_text_and_markdown_draw_it_in_letters(over: Table) -> None:
    drawing = (
        "The warehouse",
        "",
        "┌ Dock ─────────┐             ┌ Aisle ───┐             ┌ Office ──┐",
        "│ Gatto, Jade   ├──────3──────┤          ├──────a──────┤ Hargan   │",
        "└───────────────┘             └──────────┘             └──────────┘",
        "",
        "a) Aisle - Office: open 1, smash 4",
    )
    ((_, plate),) = plates(told(over))

    assert drawn(plate, 72) == drawing
    shown = {name: export(name, told(over)).decode() for name in ("markdown", "text")}
    assert "\n\n```text\n" + "\n".join(drawing) + "\n```\n\n" in shown["markdown"]
    assert "\n\n" + "\n".join(drawn(plate, 80)) + "\n\n" in shown["text"]


def test_html_has_it_as_a_picture_whose_ids_are_its_own(over: Table) -> None:
    shown = export("html", told(over)).decode()
    figure = shown[shown.index('<figure class="plate" id="c1-map">') : shown.index("</figure>")]

    assert figure.count("<svg ") > 1
    assert '<title id="c1-map-title">The warehouse</title>' in figure
    assert set(re.findall(r' id="([^"]+)"', figure)) == {
        *("c1-map", "c1-map-title", "c1-map-desc"),
        *("c1-map-z-dock", "c1-map-z-aisle", "c1-map-z-office"),
    }


@pytest.mark.parametrize("name", ["epub", "docx", "pdf"])
def test_what_draws_no_map_says_who_is_where(over: Table, name: str) -> None:
    shown = squeezed(read(name, export(name, told(over))))

    for line in ("Map: The warehouse", "Dock: Gatto, Jade", "Aisle - Office: open 1, smash 4"):
        assert squeezed(line) in shown


def test_json_has_what_it_is_drawn_from(over: Table) -> None:
    value = json.loads(export("json", told(over)))
    (plate,) = (
        passage["plate"] for scene in value["scenes"] for passage in scene["passages"] if passage["plate"]
    )

    assert [spot["name"] for spot in plate["picture"]["spots"]] == ["Dock", "Aisle", "Office"]
    assert plate["picture"]["lines"][0]["there"] == ["3"]


def test_it_has_numbers_and_leaves_with_them(over: Table) -> None:
    assert plates(told(over).without_mechanics()) == []


def test_everybody_may_see_it(over: Table) -> None:
    ((_, plate),) = plates(transcript.of_session(over.campaign, 1, 1, viewer=EVERYBODY))

    assert plate == plates(told(over))[0][1]


def test_a_fence_is_longer_than_any_in_it(tmp_path: Path) -> None:
    opened = BEGUN[: BEGUN.index(next(one for one in BEGUN if one.kind == "edgerunner.zones-mapped"))]
    zones = BEGUN[len(opened)].model_copy(update={"zones": ("````", "b"), "borders": ()})
    table = recorded(tmp_path / "ticks.retold", [], (*opened, zones))
    shown = export("markdown", told(table)).decode()

    assert "\n`````text\n" in shown
    assert shown.count("\n`````\n") == 1
    table.campaign.close()
