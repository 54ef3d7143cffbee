"""How maps are laid out and drawn."""

from __future__ import annotations

import json
import math
import re
import time
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retold.journal.capabilities import Plan
from retold.projections.maps.drawings import DRAWINGS, canvas, dot, mermaid
from retold.projections.maps.fitting import APART, fitted
from retold.projections.maps.letter_grid import Box, Field, cells
from retold.projections.maps.picture import NEAREST, Figure, Move, picture, positions
from retold.projections.maps.svg import svg
from retold.projections.maps.terminal import ASCII, UNICODE, drawn
from retold.projections.maps.text_fitting import on_two_lines, shortened, text_length
from retold.projections.texts.wrapping import width
from tests.exploring import tries
from tests.projections.plans import HOSTILE, border, hostile, name, passing, plan, plans, texts

SVG = "{http://www.w3.org/2000/svg}"


def warehouse(pins: dict[str, tuple[int, int]] | None = None) -> Plan:
    """Four zones in a ring, a slope among its borders, and one behind a door."""
    return plan(
        (
            border("Dock", "Aisle", 3),
            border("Aisle", "Office", 3),
            border("Office", "Catwalk", ("ladder", 2), back=passing(("jump", 1))),
            border("Catwalk", "Dock", 1, back=passing(3)),
            border("Office", "Vault", ("break", 4), ("open", 1)),
        ),
        {1: "Dock", 2: "Dock", 3: "Vault"},
        pins=pins,
    )


def corridor(count: int) -> Plan:
    """So many zones in a row, called A and on, each border between them 5."""
    names = [chr(ord("A") + number) for number in range(count)]
    return plan((border(one, other, 5) for one, other in pairwise(names)), zones=names)


# --- where zones lie --------------------------------------------------------------------------------------


def test_three_in_a_row_are_a_line() -> None:
    assert positions(corridor(3)) == {"A": (0, 0), "B": (1, 0), "C": (2, 0)}


def test_a_ring_of_four_is_a_square() -> None:
    ring = plan(border(one, other) for one, other in ("AB", "BC", "CD", "DA"))
    a, b, c, d = positions(ring).values()

    assert a == pytest.approx((0, 0), abs=0.01)
    assert math.dist(a, b) == pytest.approx(math.dist(b, c), abs=0.01)
    assert math.dist(a, c) == pytest.approx(math.dist(a, b) * math.sqrt(2), abs=0.01)
    assert b == pytest.approx((d[1], 0), abs=0.01)


def test_no_zone_and_one_zone_are_maps_too() -> None:
    assert not positions(plan())
    assert positions(plan(zones=["Dock"])) == {"Dock": (0, 0)}
    assert positions(plan(zones=["Dock"], pins={"Dock": (3, 4)})) == {"Dock": (3, 4)}


def test_parts_stand_side_by_side() -> None:
    found = positions(plan([border("A", "B"), border("C", "D")]))

    assert found == {"A": (0, 0), "B": (1, 0), "C": (0, 1), "D": (1, 1)}


def test_pins_that_are_far_apart_stretch_what_lies_between() -> None:
    found = positions(plan([border("A", "B"), border("B", "C")], pins={"A": (0, 0), "C": (300, 0)}))

    assert math.dist(found["A"], found["B"]) == pytest.approx(150, rel=0.05)
    assert math.dist(found["B"], found["C"]) == pytest.approx(150, rel=0.05)


def test_of_two_pins_on_one_spot_the_first_holds() -> None:
    found = positions(plan([border("A", "B")], pins={"A": (2, 2), "B": (2, 2)}))

    assert math.dist(found["A"], found["B"]) >= NEAREST
    assert found["A"] == (2, 2)


@settings(max_examples=tries(20))
@given(plans())
def test_pins_hold_no_two_zones_are_on_one_spot_and_the_same_plan_lies_the_same(one: Plan) -> None:
    found = positions(one)
    pins: dict[tuple[int, int], str] = {}
    for zone in one.zones:
        if zone.pin is not None:
            pins.setdefault(zone.pin, zone.name)

    assert list(found) == [zone.name for zone in one.zones]
    assert {zone: found[zone] for zone in pins.values()} == {zone: pin for pin, zone in pins.items()}
    for (first, here), (second, there) in combinations(found.items(), 2):
        assert math.dist(here, there) >= (1 if {first, second} <= set(pins.values()) else NEAREST * 0.99)
    assert positions(one) == found


def test_thirty_zones_are_laid_out_and_drawn_well_under_a_second() -> None:
    borders = [border(f"Z{number}", f"Z{number * 7 % (number or 1) // 2}") for number in range(1, 30)]
    borders += [border(f"Z{number}", f"Z{number * 11 % 30}") for number in range(1, 15)]
    large = plan(borders, {person: f"Z{person}" for person in range(10)})
    began = time.process_time()
    positions(large)
    laid_out = time.process_time() - began

    assert laid_out < 0.8


# --- the picture ------------------------------------------------------------------------------------------


def test_a_picture_shows_people_zones_and_borders() -> None:
    seen = picture("The dock", warehouse(), name)

    assert [(spot.name, spot.people) for spot in seen.spots[:2]] == [
        ("Dock", (Figure("Gatto"), Figure("Jade"))),
        ("Aisle", ()),
    ]
    assert [f"{seen.between(line)}: {seen.passing(line)}" for line in seen.lines] == [
        "Dock - Aisle: 3",
        "Aisle - Office: 3",
        "Office - Catwalk: ladder 2 to Catwalk, jump 1 to Office",
        "Catwalk - Dock: 1 to Dock, 3 to Catwalk",
        "Office - Vault: open 1, break 4",
    ]
    assert seen.lines[2].signed("→ ", "← ") == ("→ ladder 2", "← jump 1")


def test_a_border_shows_what_it_has_taken() -> None:
    wall = border("A", "B", 7)
    seen = picture("x", plan([wall._replace(threshold=4, marked=(1, 2)), wall._replace(threshold=3)]), name)

    assert [seen.passing(line) for line in seen.lines] == ["7; marked 1, 2 of 4", "7; takes 3"]


def test_a_border_without_a_way_through_is_closed() -> None:
    seen = picture(
        "x", plan([border("A", "B", 2, back=()), border("A", "C", back=())._replace(there=())]), name
    )

    assert [seen.passing(line) for line in seen.lines] == ["2 to B, no way to A", "no way through"]
    assert seen.lines[1].signed("→", "←") == ("closed",)


def test_movement_is_who_went_who_came_and_who_left() -> None:
    before = plan(warehouse().borders, {1: "Dock", 2: "Dock", 3: "Vault", 4: "Office"})
    after = plan(warehouse().borders, {1: "Aisle", 2: "Aisle", 3: "Vault", 5: "Office"})
    seen = picture("x", after, name, before)

    assert seen.moves == (
        Move(("Gatto", "Jade"), 0, 1),
        Move(("daemon",), None, 2),
        Move(("Switch",), 2, None),
    )
    assert list(seen.moved()) == [
        "Gatto and Jade went from Dock to Aisle.",
        "daemon came to Office.",
        "Switch left Office.",
    ]
    assert list(seen.beyond()) == ["daemon came to Office.", "Switch left Office."]
    assert [figure.fresh for spot in seen.spots for figure in spot.people] == [True, True, True, False]


def test_people_of_a_removed_zone_have_come_or_left() -> None:
    before = plan(places={1: "Cellar", 4: "Cellar"}, zones=["Cellar"])
    seen = picture("x", plan(warehouse().borders, {1: "Dock"}), name, before)

    assert list(seen.moved()) == ["Gatto came to Dock.", "Switch left."]


def test_a_void_left_by_a_hand_is_closed_on_the_picture() -> None:
    far = plan([border("A", "B")], zones=["A", "B", "C"], pins={"A": (0, 0), "B": (1, 0), "C": (5000, 0)})

    assert [spot.x for spot in picture("x", far, name).spots] == [0, 1, 4]


# --- letters ----------------------------------------------------------------------------------------------


def lines(one: Plan, before: Plan | None = None, columns: int = 80) -> list[str]:
    return list(drawn(picture("The dock", one, name, before), columns))[2:]


def test_a_row_of_zones_is_drawn_as_a_row() -> None:
    one = plan(
        [border("Dock", "Aisle", 3), border("Aisle", "Office", 3)], {1: "Dock", 2: "Dock", 3: "Office"}
    )

    assert lines(one) == [
        "┌ Dock ─────────┐                 ┌ Aisle ───┐                 ┌ Office ──┐",
        "│ Gatto, Jade   ├────────3────────┤          ├────────3────────┤ Hargan   │",
        "└───────────────┘                 └──────────┘                 └──────────┘",
    ]


def test_a_person_who_moved_is_marked_and_the_border_they_crossed_has_a_head() -> None:
    was = plan([border("Dock", "Aisle", 3)], {1: "Dock", 2: "Dock"})
    now = plan([border("Dock", "Aisle", 3)], {1: "Aisle", 2: "Dock"})

    assert lines(now, was) == [
        "┌ Dock ────┐                 ┌ Aisle ───┐",
        "│ Jade     ├────────3───────▶┤ ▸Gatto   │",
        "└──────────┘                 └──────────┘",
        "",
        "Gatto went from Dock to Aisle.",
    ]


def test_ascii_draws_with_ascii_only() -> None:
    was = plan(warehouse().borders, {1: "Aisle", 2: "Office"})
    shown = "\n".join(drawn(picture("The dock", warehouse(), name, was), signs=ASCII))

    assert shown.isascii()
    assert "+ Dock" in shown


def test_what_does_not_fit_beside_a_line_is_explained_beneath() -> None:
    ways = (("through the open door", 1), ("break the door", 4), ("blow up the wall", 7))
    shown = lines(plan([border("Hall", "Cell", *ways)]), columns=40)

    assert shown == [
        "┌ Hall ────┐           ┌ Cell ────┐",
        "│          ├─────a─────┤          │",
        "└──────────┘           └──────────┘",
        "",
        "a) Hall - Cell: through the open door",
        "    1, break the door 4, blow up the",
        "    wall 7",
    ]


def test_a_name_too_long_for_its_box_is_written_out_beneath() -> None:
    long = "The warehouse of the ninth ward, by the water"
    shown = lines(plan([border("Dock", long)], {1: long}))

    assert any(line.endswith(f"is {long}") for line in shown)
    assert "…" in shown[0]


def test_a_map_of_too_many_zones_is_a_list() -> None:
    shown = lines(corridor(13))

    assert (shown[0], shown[-1]) == ("A: nobody", "L - M: 5")


@pytest.mark.parametrize("count", range(1, 13))
def test_up_to_twelve_zones_fit_a_terminal_and_none_is_left_out(count: int) -> None:
    one = corridor(count)
    shown = lines(one)

    assert max(map(width, shown)) <= 79
    assert len(shown) <= 19
    assert [sum(f"┌ {zone.name} ─" in line for line in shown) for zone in one.zones] == [1] * count
    assert "".join(shown).count("5") == count - 1


@settings(max_examples=tries(20))
@given(plans(), st.sampled_from([15, 30, 40, 80, 120]), st.booleans())
def test_lines_fit_and_every_person_is_named(one: Plan, columns: int, ascii_: bool) -> None:
    signs = ASCII if ascii_ else UNICODE
    for called in (name, hostile):
        shown = drawn(picture("The dock", one, called), columns, signs)

        assert all(width(line) < columns for line in shown)
        assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", "".join(shown))
    said = " ".join(" ".join(drawn(picture("The dock", one, name), columns, signs)).split())
    if columns > 40:
        assert all(name(person) in said for person, _ in one.places)


@settings(max_examples=tries(20))
@given(plans(names=st.text("abcdefgh", min_size=1, max_size=30)))
def test_every_box_is_whole(one: Plan) -> None:
    shown = lines(one)
    tops = re.findall(r"┌ ([a-h]+…?) [─┴]*┐", "\n".join(shown))

    assert all(any(zone.name.startswith(top.removesuffix("…")) for zone in one.zones) for top in tops)
    assert len(tops) == len(one.zones)


@settings(max_examples=tries(20))
@given(plans(), plans())
def test_no_two_boxes_share_a_letter_and_no_line_runs_through_one(one: Plan, before: Plan) -> None:
    standing = cells(picture("x", one, name, before), 4)

    assert len(set(standing)) == len(one.zones)
    assert {column for column, _ in standing} == set(range(max((c for c, _ in standing), default=-1) + 1))


@settings(max_examples=tries(15))
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=12, unique=True))
def test_lines_go_around_boxes_and_never_along_each_other(places: list[tuple[int, int]]) -> None:
    boxes = [Box(3 + 18 * column, 2 + 6 * row, 11, 3) for column, row in places]
    field = Field(79, 22, boxes)
    paths = [field.draw(one, other) for one, other in combinations(boxes[:5], 2)]
    walls = {cell for box in boxes for cell in box.cells()}

    assert all(not walls & set(path) for path in paths)
    for path in paths:
        assert all(abs(ax - bx) + abs(ay - by) == 1 for (ax, ay), (bx, by) in pairwise(path))
    for one, other in combinations(paths, 2):
        shared = set(one) & set(other)
        assert all({(x + 1, y), (x, y + 1)}.isdisjoint(shared) for x, y in shared)


# --- SVG --------------------------------------------------------------------------------------------------


def document(one: Plan, before: Plan | None = None, title: str = "The dock") -> ET.Element:
    return ET.fromstring(svg(picture(title, one, name, before)))


def test_an_svg_has_a_title_a_description_and_a_group_for_each_zone() -> None:
    root = document(warehouse())

    assert root.findtext(f"{SVG}title") == "The dock"
    assert (root.findtext(f"{SVG}desc") or "").startswith("Dock: Gatto, Jade. Aisle: nobody.")
    assert [one.get("id") for one in root.iter(f"{SVG}g") if one.get("class") == "zone"] == [
        "z-dock",
        "z-aisle",
        "z-office",
        "z-catwalk",
        "z-vault",
    ]
    labels = [one.text for one in root.iter(f"{SVG}text") if one.get("class") == "label"]
    assert labels[:2] == ["3", "3"]
    assert {"open 1", "break 4"} < set(labels)


def test_ids_are_safe_for_css_and_none_is_there_twice() -> None:
    zones = ["Loading bay!", "loading-bay", "馬", "2", "Épée", "z", ""]
    root = document(plan(zones=zones))
    ids = [one.get("id") or "" for one in root.iter(f"{SVG}g") if one.get("class") == "zone"]

    assert ids == ["z-loading-bay", "z-loading-bay-2", "z-3", "z-2", "z-epee", "z-z", "z-7"]
    assert all(re.fullmatch(r"z-[a-z0-9-]+", one) for one in ids)


def test_a_prefix_keeps_two_pictures_on_one_page_apart() -> None:
    one = svg(picture("x", warehouse(), name), prefix="c7-")

    assert set(re.findall(r' id="([^"]*)"', one)) >= {"c7-title", "c7-desc", "c7-z-dock"}
    assert all(id_.startswith("c7-") for id_ in re.findall(r' id="([^"]*)"', one))


def test_movement_is_an_arrow_with_a_name_and_what_left_the_map_a_note() -> None:
    before = plan(warehouse().borders, {1: "Aisle", 2: "Dock", 3: "Vault", 4: "Office"})
    root = document(warehouse(), before)

    assert len(list(root.iter(f"{SVG}polygon"))) == 1
    assert [one.text for one in root.iter(f"{SVG}text") if one.get("class") == "note"] == [
        "Switch left Office."
    ]
    (move,) = (one for one in root.iter(f"{SVG}g") if one.get("class") == "move")
    assert [one.text for one in move.iter(f"{SVG}text")] == ["Gatto"]


def test_an_svg_loads_nothing_and_follows_the_readers_colour_scheme() -> None:
    text = svg(picture("x", warehouse(), name, plan()))

    assert not re.search(r"url\(|@import|@font-face|<script|href|src=|<image|<foreignObject", text)
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    assert "@media screen and (prefers-color-scheme: dark)" in text


@settings(max_examples=tries(20))
@given(plans(), plans(), texts)
def test_whatever_is_typed_an_svg_is_well_formed_and_shows_it_as_text(
    one: Plan, before: Plan, title: str
) -> None:
    root = ET.fromstring(svg(picture(title, one, hostile, before)))

    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        *("svg", "title", "desc", "style", "rect", "g", "path", "polygon", "text")
    }
    assert len([g for g in root.iter(f"{SVG}g") if g.get("class") == "zone"]) == len(one.zones)


@settings(max_examples=tries(20))
@given(plans(), plans())
def test_boxes_do_not_overlap_and_texts_fit_in_them(one: Plan, before: Plan) -> None:
    paper = fitted(picture("x", one, hostile, before))

    for first, second in combinations(paper.cards, 2):
        assert not first.place.meets(second.place, APART - 2)
    for card in paper.cards:
        for text in card.names:
            assert text_length(text, 15, bold=True) <= card.place.width
        for chip in card.chips:
            assert text_length(chip.text, 13) <= chip.place.width
            assert chip.place.x >= 0
            assert chip.place.x + chip.place.width <= card.place.width
            assert chip.place.y + chip.place.height <= card.place.height
    for stroke in (*paper.borders, *paper.moves):
        assert all(text_length(text, 12) <= stroke.label.width for text in stroke.lines)


# Advance widths in thousandths, read from DejaVu Sans, the widest of the faces the picture names.
DEJAVU = {"a": 613, "e": 615, "i": 278, "l": 278, "m": 974, "o": 612, "t": 392, "w": 818, " ": 318}
DEJAVU |= {
    "A": 684,
    "G": 775,
    "M": 863,
    "O": 787,
    "W": 989,
    "0": 636,
    "8": 636,
    "-": 361,
    "@": 1000,
    "=": 838,
}


@given(st.text(alphabet=sorted(DEJAVU)))
def test_a_text_is_never_longer_than_it_is_taken_for(text: str) -> None:
    assert sum(DEJAVU[letter] for letter in text) * 15 / 1000 <= text_length(text, 15) + 1e-6


@given(texts, st.integers(30, 300))
def test_a_shortened_text_fits_and_a_folded_one_has_two_lines_at_most(text: str, room: int) -> None:
    assert text_length(shortened(text, room, 13), 13) <= room
    assert len(on_two_lines(text, room, 13)) <= 2
    assert all(text_length(line, 13) <= room for line in on_two_lines(text, room, 13))


# --- graphs -----------------------------------------------------------------------------------------------


def test_graphviz_has_every_zone_where_our_pictures_have_it() -> None:
    now = plan([border("Dock", "Aisle", 3)], {1: "Aisle", 2: "Dock"})
    before = plan([border("Dock", "Aisle", 3)], {1: "Dock", 4: "Dock"})

    title, told = 'dock "9"', r'"dock \"9\"\nJade came to Dock.\nSwitch left Dock."'
    assert dot(picture(title, now, name, before)).splitlines() == [
        "graph map {",
        f"  graph [layout=neato, overlap=false, splines=true, label={told}];",
        '  node [shape=box, style=rounded, fontname="Helvetica"];',
        '  edge [fontname="Helvetica"];',
        '  z1 [label="Dock\\n▸ Jade", pos="0.00,-0.00!"];',
        '  z2 [label="Aisle\\n▸ Gatto", pos="2.20,-0.00!"];',
        '  z1 -- z2 [label="3"];',
        '  z1 -- z2 [dir=forward, style=dashed, color=firebrick, fontcolor=firebrick, label="Gatto"];',
        "}",
    ]


def test_mermaid_has_every_sign_by_its_number() -> None:
    now = plan([border('A "quay"', "B; end", ("<b>", 1))], {1: "B; end"})
    before = plan([border('A "quay"', "B; end")], {1: 'A "quay"', 4: "B; end"})

    assert mermaid(picture("x: y", now, name, before)).splitlines() == [
        "---",
        'title: "x: y"',
        "---",
        "flowchart LR",
        '  z1["A #34;quay#34;"]',
        '  z2["B#59; end<br>▸ Gatto"]',
        '  z1 ---|"#60;b#62; 1"| z2',
        '  z1 -.->|"Gatto"| z2',
        '  beyond["Switch left B#59; end#46;"]',
    ]


def test_a_canvas_has_a_node_for_each_zone_and_an_edge_for_each_border_and_movement() -> None:
    now = plan([border("Dock", "Aisle", 3)], {1: "Aisle", 2: "Dock"})
    before = plan([border("Dock", "Aisle", 3)], {1: "Dock", 2: "Dock", 4: "Dock"})
    found = json.loads(canvas(picture("x", now, name, before)))
    dock, aisle, beyond = found["nodes"]
    line, move = found["edges"]

    assert (dock["text"], aisle["text"]) == ("**Dock**\n- Jade", "**Aisle**\n- ▸ Gatto")
    assert dock["x"] + dock["width"] < aisle["x"]
    assert beyond["text"] == "Switch left Dock."
    assert beyond["y"] > dock["y"] + dock["height"]
    assert (line["label"], line["fromNode"], line["toNode"], line["toEnd"]) == ("3", "z1", "z2", "none")
    assert (line["fromSide"], line["toSide"]) == ("right", "left")
    assert (move["label"], move["toEnd"], move["fromNode"], move["toNode"]) == ("Gatto", "arrow", "z1", "z2")


SIDES = {"top", "right", "bottom", "left"}


@settings(max_examples=tries(20))
@given(plans(), plans())
def test_a_canvas_is_json_canvas_whatever_is_typed(one: Plan, before: Plan) -> None:
    found = json.loads(canvas(picture("x", one, hostile, before)))
    ids = [node["id"] for node in found["nodes"]]

    assert set(found) == {"nodes", "edges"}
    assert len(set(ids)) == len(ids)
    for node in found["nodes"]:
        assert node["type"] == "text"
        assert all(isinstance(node[key], int) for key in ("x", "y", "width", "height"))
    for edge in found["edges"]:
        assert {edge["fromNode"], edge["toNode"]} <= set(ids)
        assert {edge["fromSide"], edge["toSide"]} <= SIDES
        assert edge["toEnd"] in ("none", "arrow")


@pytest.mark.parametrize("typed", HOSTILE)
def test_no_name_ends_its_label_in_graphviz_or_mermaid(typed: str) -> None:
    one = picture(typed, plan([border(typed, "B", (typed, 1))], {1: typed}), lambda _: typed)

    for line in dot(one).splitlines():
        outside = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)
        assert re.fullmatch(r'[a-zA-Z0-9 \[\]{}=,;"-]*', outside)
        assert not re.search(r'\\[^n"\\]', re.sub(r"\\\\", "", line))
    for line in mermaid(one).splitlines()[3:]:
        assert re.fullmatch(
            r'flowchart LR|  z1(\["[^"<>]*(<br>[^"<>]*)?"\]| ---\|"[^"<>]*"\| z2)|  z2\["B"\]', line
        )
    assert mermaid(one).splitlines()[0::2][:2] == ["---", "---"]


@pytest.mark.parametrize("kind", DRAWINGS)
@settings(max_examples=tries(6))
@given(one=plans())
def test_every_drawing_is_safe_to_show_and_the_same_each_time(kind: str, one: Plan) -> None:
    seen = picture("The dock", one, hostile)
    text = DRAWINGS[kind].draw(seen)

    assert text == DRAWINGS[kind].draw(seen)
    assert text.endswith("\n")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]", text)
    assert text.encode()
