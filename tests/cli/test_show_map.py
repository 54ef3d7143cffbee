"""`show map`: drawn on the screen, written to a file, with movement between two moments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from xml.etree import ElementTree as ET

import pytest

from retold.cli.verbs.show import KINDS
from retold.journal.capabilities import Plan
from retold.journal.store.events.amendments import Amendments
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary.base import Words
from retold.projections.maps.drawings import DRAWINGS
from retold.projections.texts.wrapping import width
from tests.cli.shell import Shell
from tests.projections.plans import HOSTILE, Mapped, border, plan

BORDERS = (border("Dock", "Aisle", 3), border("Aisle", "Office", 3))
THEN, LATER = 12, 20
"""In the evening, a conflict has begun at the first and is still open at the second."""


def at_the_dock(position: int, people: Mapping[str, int]) -> Plan:
    """Zel is on the Dock to begin with, and in the Aisle later on."""
    return plan(BORDERS, {people["Zel"]: "Aisle" if position >= LATER else "Dock"}, conflict=1)


@pytest.fixture
def mapped(shell: Shell) -> Shell:
    """The evening, its conflict played on a map and never ended."""
    read = CampaignStore.table_at

    def table_at(
        self: CampaignStore,
        line: int,
        position: int | None = None,
        stands: Amendments | None = None,
        known: Table | None = None,
    ) -> Table:
        table = read(self, line, position, stands, known)
        if table.position >= THEN:
            people = {who.called: who.id for who in table.everybody()}
            sides = ((people["Zel"],), (people["Captain Thoss"],))
            state = Mapped(at_the_dock(table.position, people))
            title = Words("Out by the stair")
            table.conflicts = {1: OpenConflict(1, "bruise", sides, {}, title, None, THEN, state)}
        return table

    shell.monkeypatch.setattr(CampaignStore, "table_at", table_at)
    return shell


def several(shell: Shell, *plans: Plan, addressed: int | None = None) -> None:
    """Puts these maps on the table, whatever the moment."""
    read = CampaignStore.table_at

    def table_at(
        self: CampaignStore,
        line: int,
        position: int | None = None,
        stands: Amendments | None = None,
        known: Table | None = None,
    ) -> Table:
        table = read(self, line, position, stands, known)
        table.conflicts = {
            one.conflict: OpenConflict(
                one.conflict, "bruise", ((1,), (2,)), {}, Words(f"Map {one.conflict}"), None, 1, Mapped(one)
            )
            for one in plans
        }
        table.addressed = addressed
        return table

    shell.monkeypatch.setattr(CampaignStore, "table_at", table_at)


def test_the_kinds_written_out_are_those_there_are() -> None:
    assert tuple(DRAWINGS) == KINDS


def test_show_map_draws_it(mapped: Shell) -> None:
    assert mapped.done("show", "map").splitlines() == [
        "Out by the stair",
        "",
        "┌ Dock ────┐                 ┌ Aisle ───┐                 ┌ Office ──┐",
        "│          ├────────3────────┤ Zel      ├────────3────────┤          │",
        "└──────────┘                 └──────────┘                 └──────────┘",
    ]


def test_it_is_drawn_as_it_was_at_any_moment(mapped: Shell) -> None:
    assert "│ Zel      ├" in mapped.done("show", "map", "--at", str(THEN))
    assert "┤ Zel      ├" in mapped.done("show", "map", "--at", str(LATER))


def test_since_draws_who_moved(mapped: Shell) -> None:
    out = mapped.done("show", "map", "--since", str(THEN), "--at", str(LATER))

    assert "├────────3───────▶┤ ▸Zel     ├" in out
    assert out.endswith("\nZel went from Dock to Aisle.\n")
    assert mapped.done("show", "map", "--since", str(THEN)) == out


def test_since_before_the_map_shows_every_character_arriving(mapped: Shell) -> None:
    assert "Zel came to Aisle." in mapped.done("show", "map", "--since", str(THEN - 1))


def test_since_is_earlier_and_on_the_same_line(mapped: Shell) -> None:
    mapped.done("branch", "kinder", "16")
    mapped.done("switch", "mainline")

    assert "runs backwards" in mapped.refused("show", "map", "--since", "20", "--at", "13")
    assert "from one line to another" in mapped.refused(
        "show", "map", "--since", "mainline@13", "--at", "kinder@14"
    )
    assert "Zel went" in mapped.done("show", "map", "--branch", "mainline", "--since", "13")


def test_without_a_map_one_sentence_says_so(shell: Shell) -> None:
    sentence = "There is no map at this moment: no open conflict has zones."

    assert shell.done("show", "map") == f"{sentence}\n"
    assert shell.refused("show", "map", "--as", "svg") == sentence
    assert shell.refused("show", "map", "-o", "x.svg") == sentence
    assert shell.refused("show", "map", "--in", "4") == f"Conflict 4 has no map at this moment. {sentence}"
    assert not (shell.folder / "x.svg").exists()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_written_to_standard_output(mapped: Shell, kind: str) -> None:
    out = mapped.done("show", "map", "--as", kind)

    assert "Dock" in out
    assert out == mapped.done("show", "map", "--as", kind, "-o", "-")


@pytest.mark.parametrize("drawing", DRAWINGS.values(), ids=lambda one: one.name)
def test_the_ending_of_a_file_says_the_kind(mapped: Shell, drawing: object) -> None:
    one = DRAWINGS[getattr(drawing, "name", "")]
    said = mapped.say("show", "map", "-o", f"dock{one.suffix}")

    assert (said.code, said.out, said.err) == (0, "", f"Written to dock{one.suffix}.\n")
    assert (mapped.folder / f"dock{one.suffix}").read_text("utf-8") == mapped.done(
        "show", "map", "--as", one.name
    )


def test_a_file_that_is_there_stays_unless_said(mapped: Shell) -> None:
    path = mapped.folder / "dock.svg"
    path.write_text("mine")

    assert mapped.refused("show", "map", "-o", "dock.svg") == (
        "dock.svg is there already: choose another name, or say --force."
    )
    assert path.read_text() == "mine"
    mapped.done("show", "map", "-o", "dock.svg", "--force")
    assert ET.fromstring(path.read_text("utf-8")).tag.endswith("svg")


def test_an_unknown_map_format_is_refused(mapped: Shell) -> None:
    assert mapped.refused("show", "map", "--as", "oil") == (
        "A map is not drawn as oil. There are: svg, dot, mermaid, canvas, text, ascii."
    )
    assert mapped.refused("show", "map", "-o", "dock.png") == (
        "A file's ending says how a map is drawn: .svg, .dot, .mmd, .canvas, .txt, .asc."
        " Or name it with --as."
    )


def test_several_maps_are_drawn_one_after_another(shell: Shell) -> None:
    several(shell, plan(zones=["Dock"], conflict=1), plan(zones=["Roof"], conflict=4))
    out = shell.done("show", "map")

    assert [line for line in out.splitlines() if "Map" in line] == ["Map 1", "Map 4"]
    assert "Dock" not in shell.done("show", "map", "--in", "4")


def test_the_addressed_map_is_written(shell: Shell) -> None:
    maps = plan(zones=["Dock"], conflict=1), plan(zones=["Roof"], conflict=4)
    several(shell, *maps, addressed=4)
    assert "Roof" in shell.done("show", "map", "--as", "dot")
    assert "Dock" in shell.done("show", "map", "--as", "dot", "--in", "1")

    several(shell, *maps)
    assert shell.refused("show", "map", "--as", "dot") == (
        "There are several maps: say which with --in. There are: 1 (Map 1), 4 (Map 4)."
    )
    assert shell.refused("show", "map", "--in", "2") == (
        "Conflict 2 has no map at this moment. There are: 1 (Map 1), 4 (Map 4)."
    )


def test_json_is_the_view(mapped: Shell) -> None:
    found = json.loads(mapped.done("show", "map", "--json", "--at", str(THEN)))

    assert (found["retold"], found["view"], found["at"]) == ("view", "map", THEN)
    assert found["open"][0]["zones"][0]["who"][0]["name"] == "Zel"


@pytest.mark.parametrize(
    "words",
    [("--as", "svg"), ("-o", "x.svg"), ("--since", "3"), ("--in", "1"), ("--force",)],
    ids=lambda words: words[0],
)
def test_what_is_asked_of_a_drawing_needs_one(mapped: Shell, words: tuple[str, ...]) -> None:
    assert "are for the map" in mapped.misused("show", "cast", *words)
    assert "are for the map" in mapped.misused("show", *words)
    assert "--json says all of the map" in mapped.misused("show", "map", "--json", *words)


def test_no_name_breaks_a_line_or_is_obeyed(shell: Shell) -> None:
    several(shell, plan([border(one, HOSTILE[0]) for one in HOSTILE[1:9]], {1: HOSTILE[0]}))
    lines = shell.done("show", "map").splitlines()

    assert max(map(width, lines)) < 80
    assert not any("\x1b" in line or "\u202e" in line for line in lines)


def test_a_secret_person_is_on_the_gm_map_only(shell: Shell) -> None:
    shell.done("new", "dock")

    def done(*words: str) -> str:
        return shell.done("-c", "dock", *words)

    for line in (
        *("cast Ana edgerunner by=Jo cool=4", "cast Goon edgerunner kind=goon cool=3"),
        *("cast Sniper --gm edgerunner cool=3", "session One", "conflict edgerunner Ana vs Goon+Sniper"),
        *("map Dock 2 Gate", "place Ana Dock", "place Sniper Gate"),
    ):
        done(*line.split())

    assert "Sniper" in done("show", "map")
    for eyes in ("table", "Jo"):
        assert "Sniper" not in done("show", "map", "--for", eyes)
        assert "Sniper" not in done("replay", "s1..", "--state", "--for", eyes)
