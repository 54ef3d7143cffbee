"""A book is the whole line: every session a chapter, and an index of who and what is in which."""

from __future__ import annotations

import re

import pytest

from journal.table import Table as State
from journal.vocabulary import commands as c
from projections import book, transcript
from projections.book import of_line
from projections.exports import EXPORTS, export, layout
from projections.pages import Entry
from projections.replay import EVERYBODY, KEEPER, Viewer
from tests.projections.evening import Table, w
from tests.projections.plans import border, plan
from tests.projections.reading import read
from tests.projections.test_exports import Structure

BOTH = (Entry("Guards", "person", (1, 2)), Entry("Zel", "person", (1, 2)))


def index_of(table: Table, viewer: Viewer = KEEPER, as_of: int | None = None) -> tuple[Entry, ...]:
    return of_line(table.campaign, 1, viewer=viewer, as_of=as_of).index


def test_a_book_is_the_whole_line_and_an_index(table: Table) -> None:
    told = of_line(table.campaign, 1)

    assert [scene.chapter.session for scene in told.scenes if scene.chapter] == [1, 2]
    assert told.scenes == transcript.of_range(table.campaign, 1).scenes
    assert told.title == "The Long Ebb"
    assert told.index == BOTH


def test_the_index_has_people_by_their_last_name_in_the_order_of_an_index(table: Table) -> None:
    table.do(c.Cast(who=table.who("Zel"), name=w("élodie")))
    table.do(c.Cast(who=w("Ash")))

    assert [one.name for one in index_of(table)] == ["Ash", "élodie", "Guards"]


def test_somebody_who_is_there_in_secret_is_not_in_a_players_index(table: Table) -> None:
    table.do(c.Cast(who=w("Ash")))
    table.do(c.End(what="session"))
    table.do(c.OpenSession())
    table.do(c.Say(who=table.who("Ash"), text=w("Psst.")), see="gm")

    assert Entry("Ash", "person", (2, 3)) in index_of(table)
    assert Entry("Ash", "person", (2,)) in index_of(table, EVERYBODY)


def test_words_told_later_put_nobody_into_the_later_session(table: Table) -> None:
    table.do(c.End(what="session"))
    table.do(c.OpenSession())
    table.do(c.Narrate(who=table.who("Zel"), text=w("And so it was."), at=12))

    assert index_of(table) == BOTH


def test_a_book_as_of_a_moment_knows_nothing_of_later(table: Table) -> None:
    first = transcript.of_session(table.campaign, 1, 1)
    told = of_line(table.campaign, 1, as_of=30)

    assert [one.sessions for one in told.index] == [(1,), (1,)]
    assert told.head.campaign == first.head.campaign
    assert [scene.chapter.session for scene in told.scenes if scene.chapter] == [1]


def test_the_places_of_a_map_are_in_the_index(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def on_a_map(state: State) -> list[tuple[None, object]]:
        return [(None, plan((border("Dock", "Aisle"),), {}))] if state.session == 2 else []

    monkeypatch.setattr(book, "plans", on_a_map)

    assert index_of(table) == (*BOTH, Entry("Aisle", "place", (2,)), Entry("Dock", "place", (2,)))


def test_progress_is_told_now_and_then(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript, "STEP", 20)
    heard: list[tuple[int, int | None]] = []
    of_line(table.campaign, 1, told=lambda done, total: heard.append((done, total)))

    head = table.campaign.file.head(1).position
    assert heard == [(position, head) for position in (20, 40)]


# --- in every format --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in EXPORTS if name in ("markdown", "html", "text", "epub")])
def test_a_book_says_who_is_where(table: Table, name: str) -> None:
    shown = read(name, export(name, of_line(table.campaign, 1), "none"))

    assert "Sessions 1\u20132, 2026-03-14 to 2026-03-21" in shown
    assert "Index of people" in shown
    assert re.search(r"Guards\W+(\w+\W+){0,9}1\u20132", shown)


def test_the_index_of_a_page_leads_to_its_sessions(table: Table) -> None:
    tags = Structure.of(export("html", of_line(table.campaign, 1))).tags
    targets = [dict(attributes).get("href") for tag, attributes in tags if tag == "a"]
    ids = [dict(attributes).get("id") for tag, attributes in tags if tag == "h2"]

    assert targets.count("#session-1") == 3  # in the contents, and for each of two people
    assert "session-1" in ids


def test_a_transcript_of_one_session_has_no_index(table: Table) -> None:
    told = transcript.of_session(table.campaign, 1, 1)

    assert layout.evenings(told) == ""
    assert list(layout.index(told)) == []


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [((1,), "1"), ((1, 2), "1\u20132"), ((1, 3, 4, 5, 9), "1, 3\u20135, 9"), ((), "")],
)
def test_sessions_in_a_row_are_shown_as_a_run(numbers: tuple[int, ...], shown: str) -> None:
    assert layout.sessions(Entry("Zel", "person", numbers)) == shown
