"""A book is the whole line: every session a chapter, and an index of who and what is in which."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from retold.journal.table import Table as State
from retold.journal.vocabulary import commands as c
from retold.projections.exports import EXPORTS, export, page_elements
from retold.projections.exports.blocks import Blocks, Part
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.prose.phrases import ENGLISH
from retold.projections.reading import EVERYBODY, GAME_MASTER, LineView, Viewer
from retold.projections.story import attendance, transcript
from retold.projections.story.document import Entry, Transcript
from retold.projections.story.transcript.build import _in_order, of_line
from tests.projections.evening import Table, w
from tests.projections.plans import border, plan
from tests.projections.played import EXAMPLES, named, played
from tests.projections.reading import read
from tests.projections.test_decided import night
from tests.projections.test_exports import Structure

STAIR, FLATS = "s1", "s2"
"""The one scene of each evening."""

PEOPLE = (Entry("Zel", "person", (1, 2), (STAIR, FLATS)),)
THINGS = (Entry("Guards", "thing", (1, 2), (STAIR, FLATS)),)
PLACES = (
    Entry("The flats", "place", (2,), (FLATS,)),
    Entry("The harbour-master\u2019s stair", "place", (1,), (STAIR,)),
)
ALL = (*PEOPLE, *PLACES, *THINGS)


def index_of(table: Table, viewer: Viewer = GAME_MASTER, as_of: int | None = None) -> tuple[Entry, ...]:
    return of_line(LineView(table.campaign, 1, as_of, viewer)).index


def index_parts(told: Transcript) -> list[Part]:
    return [one for one in Blocks(MechanicsPlace.NONE, ENGLISH).below(told) if one.sort == "index"]


def shown_in(told: Transcript, entry: Entry) -> str:
    return page_elements.where(page_elements.find_indexed(told, entry))


def test_a_book_is_the_whole_line_and_an_index(table: Table) -> None:
    told = of_line(LineView(table.campaign, 1))

    assert [scene.chapter.session for scene in told.scenes if scene.chapter] == [1, 2]
    assert told.scenes == transcript.of_range(LineView(table.campaign, 1)).scenes
    assert told.title == "The Long Ebb"
    assert told.index == ALL


def test_the_index_has_people_by_their_last_name_in_the_order_of_an_index(table: Table) -> None:
    table.do(c.Cast(who=table.who("Zel"), name=w("élodie")))
    table.do(c.Cast(who=w("Ash")))

    assert [one.name for one in index_of(table) if one.kind == "person"] == ["Ash", "élodie"]


def test_C14_uncast_sides_and_things_have_their_own_index_heading(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path / "pound.retold")
    table.do(c.OpenSession(title=w("One")))
    table.do(c.Cast(who=w("Tove"), system="edgerunner", by=w("Jo"), values={"cool": "4"}))
    for name, kind in (("Wax seal", "problem"), ("Cormorant", "faction"), ("Patrol", "goon")):
        table.do(c.Cast(who=w(name), system="edgerunner", values={"kind": kind}))
    sides = ((table.who("Tove"),), (w("Whatever waits beneath the stair"),))
    table.do(c.OpenConflict(system="edgerunner", sides=sides, setup={"threshold": "2"}))
    for name in ("Wax seal", "Cormorant", "Patrol"):
        table.do(c.Narrate(who=table.who(name), text=w("It is there.")))
    table.do(c.End(what="session"))
    table.do(c.OpenSession())
    shown = index_parts(of_line(LineView(table.campaign, 1)))

    assert [(part.title, [name for name, _ in part.entries]) for part in shown] == [
        ("Index of people", ["Patrol", "Tove"]),
        ("Index of sides and things", ["Cormorant", "Wax seal", "Whatever waits beneath the stair"]),
    ]


@pytest.mark.parametrize("name", ["markdown", "text", "html", "epub", "docx"])
@pytest.mark.parametrize(
    ("scene", "listed"),
    [("scene The inn: Smoke.\nnarrate Osk: I wait.", ["Thia"]), ("", [])],
)
def test_a_one_session_index_lists_scenes_of_partly_absent_people(
    name: str, scene: str, listed: list[str]
) -> None:
    lines = "cast Osk by=Ana", "cast Thia by=Bo", "session One", "scene The dry dock: Night.", "say Osk: Who?"
    with night("\n".join((*lines, "say Thia: I.", scene))) as there:
        told = of_line(LineView(there.scribe.campaign, 1))

    assert [name for part in index_parts(told) for name, _ in part.entries] == listed
    assert [line for part in index_parts(told) for line in part.lines] == [
        f"{who}: The dry dock" for who in listed
    ]
    assert ("Index" in read(name, export(name, told, "none"))) is bool(listed)


def test_a_secret_appearance_is_not_in_a_players_index(table: Table) -> None:
    table.do(c.Cast(who=w("Ash")))
    table.do(c.End(what="session"))
    table.do(c.OpenSession())
    table.do(c.Say(who=table.who("Ash"), text=w("Psst.")), see="gm")

    assert Entry("Ash", "person", (2, 3), (FLATS,)) in index_of(table)
    assert Entry("Ash", "person", (2,), (FLATS,)) in index_of(table, EVERYBODY)


def test_words_told_later_do_not_count_as_presence(table: Table) -> None:
    table.do(c.End(what="session"))
    table.do(c.OpenSession())
    table.do(c.Narrate(who=table.who("Zel"), text=w("And so it was."), at=12))

    assert index_of(table) == ALL


def test_a_book_as_of_a_moment_knows_nothing_of_later(table: Table) -> None:
    first = transcript.of_session(LineView(table.campaign, 1), 1)
    told = of_line(LineView(table.campaign, 1, 30))

    assert [(one.sessions, one.scenes) for one in told.index] == [((1,), (STAIR,))] * 3
    assert told.head.campaign == first.head.campaign
    assert [scene.chapter.session for scene in told.scenes if scene.chapter] == [1]


def test_the_places_of_a_map_are_in_the_index(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def on_a_map(state: State) -> list[tuple[None, object]]:
        return [(None, plan((border("Dock", "Aisle"),), {}))] if state.session == 2 else []

    monkeypatch.setattr(attendance, "plans", on_a_map)

    assert index_of(table) == (
        *PEOPLE,
        Entry("Aisle", "place", (2,), (FLATS,)),
        Entry("Dock", "place", (2,), (FLATS,)),
        *PLACES,
        *THINGS,
    )


def test_scenes_in_one_place_are_one_entry_however_it_is_written(table: Table) -> None:
    table.do(c.SetScene(title=w("THE FLÀTS, an hour later")))
    table.do(c.SetScene(title=w("the flats")))

    assert Entry("The flats", "place", (2,), ("s2", "s3", "s4")) in index_of(table)
    assert [one.name for one in index_of(table) if one.kind == "place"] == [one.name for one in PLACES]


def test_the_target_of_an_act_counts_as_present(tmp_path: Path) -> None:
    """Jade assesses Hargan from the roof, before he is in any conflict."""
    (warehouse,) = (one for one in EXAMPLES if named(one) == "edgerunner/warehouse")
    with played(warehouse, tmp_path) as campaign:
        (hargan,) = (one for one in of_line(LineView(campaign, 1)).index if one.name == "Hargan")

    assert hargan.scenes == ("s1", "s2")


@pytest.mark.parametrize(
    ("lang", "names"),
    [
        ("en", ["Ærø", "Deck 2", "Deck 10", "élodie", "Łódź", "Lodz 2", "O'Brien", "The Office", "Øresund"]),
        ("en-GB", ["A", "Aft", "“Big” Jim", "a Cabin", "The The"]),
        ("de", ["Der Hafen", "Haus", "The Hut", "Zürich"]),
        ("fr", ["L'Hôtel", "Ile", "Les Îles", "the Oak"]),
    ],
)
def test_the_order_is_a_dictionarys(lang: str, names: list[str]) -> None:
    """Ł is filed as L, Æ as AE, Ø as O; a first article, case, accents and signs count for nothing."""
    assert sorted(names, key=lambda name: _in_order(name, lang)) == names


def test_progress_is_told_now_and_then(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retold.projections.reading.line_view.STEP", 20)
    heard: list[tuple[int, int | None]] = []
    of_line(LineView(table.campaign, 1), told=lambda done, total: heard.append((done, total)))

    head = table.campaign.record.head(1).position
    assert heard == [(position, head) for position in (20, 40)]


# --- in every format --------------------------------------------------------------------------------------


def unbroken(page: str) -> str:
    """A page without the marks that keep a day on one line."""
    return re.sub(r'<span class="day">([\d-]+)</span>', r"\1", page)


@pytest.mark.parametrize("name", ["html", "epub"])
def test_C14_no_day_is_parted_at_a_hyphen(table: Table, name: str) -> None:
    shown = read(name, export(name, of_line(LineView(table.campaign, 1)), "none"))
    told, *_ = re.findall(r"<p[^>]*>[^\n]*Sessions 1\u20132[^\n]*</p>", shown)

    assert '<span class="day">2026-03-14</span> to <span class="day">2026-03-21</span>' in told


@pytest.mark.parametrize("name", [name for name in EXPORTS if name in ("markdown", "html", "text", "epub")])
def test_a_book_says_who_is_where(table: Table, name: str) -> None:
    shown = unbroken(read(name, export(name, of_line(LineView(table.campaign, 1)), "none")))

    assert "Sessions 1\u20132, 2026-03-14 to 2026-03-21" in shown
    assert "Index of people" in shown
    assert re.search(r"Guards\W+(\w+\W+){0,9}1\u20132", shown)


def test_the_index_of_a_page_leads_to_its_sessions(table: Table) -> None:
    tags = Structure.of(export("html", of_line(LineView(table.campaign, 1)))).tags
    targets = [dict(attributes).get("href") for tag, attributes in tags if tag == "a"]
    ids = [dict(attributes).get("id") for tag, attributes in tags if tag == "h2"]

    assert targets.count("#session-1") == 4  # in the contents, and for two people and a place
    assert "session-1" in ids


def test_a_transcript_of_one_session_has_no_index(table: Table) -> None:
    told = transcript.of_session(LineView(table.campaign, 1), 1)

    assert page_elements.Furniture().evenings(told) == ""
    assert index_parts(told) == []


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [((1,), "1"), ((1, 2), "1\u20132"), ((1, 3, 4, 5, 9), "1, 3\u20135, 9"), ((), "")],
)
def test_sessions_in_a_row_are_shown_as_a_run(table: Table, numbers: tuple[int, ...], shown: str) -> None:
    assert shown_in(of_line(LineView(table.campaign, 1)), Entry("Zel", "person", numbers)) == shown


def test_the_index_names_scenes_for_partial_presence(table: Table) -> None:
    table.do(c.SetScene(title=w("The boat")))
    told = of_line(LineView(table.campaign, 1))

    for scenes, shown in (
        ((STAIR, FLATS, "s3"), "1\u20132"),
        ((STAIR, FLATS), "1, 2 (The flats)"),
        ((FLATS, "s3"), "1\u20132"),
    ):
        assert shown_in(told, Entry("Zel", "person", (1, 2), scenes)) == shown
