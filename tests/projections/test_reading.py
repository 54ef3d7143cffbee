"""What a viewer may see, and how they point at it."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import retold
from retold.journal.refused import Refused
from retold.journal.store.caches.projection_cache import LONG_SCAN
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.store.writing import campaign
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.undo import undo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, fields_of
from retold.journal.vocabulary.events import SHARED
from retold.projections.reading import (
    EVERYBODY,
    FOR_THE_GAME_MASTER,
    GAME_MASTER,
    LineView,
    Moment,
    Viewer,
    recorded_line,
    viewer_called,
)
from retold.projections.reading.ids import POINTING
from retold.projections.reading.late_additions import LateAdditions, find_late_additions
from retold.projections.reading.sight import Sight
from retold.projections.story.document import Transcript
from retold.projections.story.transcript import of_range, of_session
from retold.projections.story.transcript.build import of_line
from retold.projections.views import ask
from tests.projections.evening import ASIDE, SECRET, Table, w


def notes(table: Table, viewer: Viewer) -> list[str]:
    """What this viewer reads in the notes."""
    told = LineView(table.campaign, 1, viewer=viewer).moments()
    return [str(moment.event.text) for moment in told if isinstance(moment.event, e.Noted)]


def test_what_is_for_some_eyes_is_seen_by_them_and_the_game_master(table: Table) -> None:
    jon, kit = (viewer_called(table.writer.table, name) for name in ("Jon", "Kit"))

    assert [SECRET in notes(table, viewer) for viewer in (GAME_MASTER, EVERYBODY, jon, kit)] == [1, 0, 0, 0]
    assert [ASIDE in notes(table, viewer) for viewer in (GAME_MASTER, EVERYBODY, jon, kit)] == [1, 0, 1, 0]


def test_what_is_for_a_player_is_for_their_character_too(table: Table) -> None:
    zel = viewer_called(table.writer.table, "zel")

    assert ASIDE in notes(table, zel)


def test_two_of_the_cast_who_are_one_see_what_was_for_either(table: Table) -> None:
    table.do(c.Cast(who=w("The Stranger")))
    stranger, kit = table.who("The Stranger"), table.who("Kit")
    table.do(c.Note(text=w("For the stranger.")), see=(stranger,))
    table.do(c.Merge(person=stranger, into=kit))

    assert "For the stranger." in notes(table, viewer_called(table.writer.table, "Kit"))
    assert "For the stranger." not in notes(table, viewer_called(table.writer.table, "Jon"))


def test_what_is_revealed_is_seen_from_then_on_only(table: Table) -> None:
    hidden = next(m.position for m in LineView(table.campaign, 1).moments() if _is_secret(m))
    table.writer.manage_all((e.Revealed(about=hidden),), c.Note(text=w("-")))
    head = table.writer.head.position
    kit = viewer_called(table.writer.table, "Kit")

    assert SECRET in notes(table, kit)
    before = LineView(table.campaign, 1, head - 1, kit).moments()
    assert not any(_is_secret(moment) for moment in before)


def test_what_is_revealed_to_one_is_hidden_from_the_others(table: Table) -> None:
    hidden = next(m.position for m in LineView(table.campaign, 1).moments() if _is_secret(m))
    jon, kit = (viewer_called(table.writer.table, name) for name in ("Jon", "Kit"))
    table.writer.manage_all((e.Revealed(about=hidden, to=(table.who("Kit"),)),), c.Note(text=w("-")))

    assert [SECRET in notes(table, viewer) for viewer in (jon, kit, EVERYBODY)] == [False, True, False]


def _is_secret(moment: Moment) -> bool:
    return isinstance(moment.event, e.Noted) and moment.event.text.text == SECRET


def test_the_player_of_the_game_master_sees_secrets(table: Table) -> None:
    assert viewer_called(table.writer.table, "Rana") == GAME_MASTER

    table.do(c.Cast(who=GM, by=table.who("Kit")))
    assert SECRET in notes(table, viewer_called(table.writer.table, "Kit"))
    assert SECRET not in notes(table, viewer_called(table.writer.table, "Rana"))


def test_the_strike_of_a_hidden_narration_is_hidden(table: Table) -> None:
    zel = table.who("Zel")
    table.do(c.End(what="conflict", how="ended"))
    shown = table.do(c.Narrate(who=zel, text=w("The gull looks back."))).first
    table.do(c.Narrate(who=zel, text=w("She pockets the key.")), see=(table.who("Jon"),))
    strike = table.do(c.Overrule(by=GM, whose=zel, veto=True, text=w("No."))).first

    for name, told in (("gm", True), ("Jon", True), ("Kit", False), ("table", False)):
        viewer = viewer_called(table.writer.table, name)
        seen = [moment.position for moment in LineView(table.campaign, 1, viewer=viewer).moments()]
        assert (strike in seen, shown in seen) == (told, True), name
        assert not LineView(table.campaign, 1, viewer=viewer).late_additions_since(0).struck(shown)
        ids = LineView(table.campaign, 1, viewer=viewer).ids
        if not ids.open:
            assert (ids.place(strike) == ids.at(strike)) is told


def test_an_unknown_viewer_is_refused(table: Table) -> None:
    assert viewer_called(table.writer.table, "gm") == GAME_MASTER
    assert viewer_called(table.writer.table, "table") == EVERYBODY
    with pytest.raises(Refused, match="There is no “Nobody” here"):
        viewer_called(table.writer.table, "Nobody")


def test_ids_say_where_only_to_the_game_master(table: Table) -> None:
    line = table.campaign.fork(1, 20, w("kinder"))
    mine, theirs = LineView(table.campaign, line).ids, LineView(table.campaign, line, viewer=EVERYBODY).ids

    assert [mine.at(12), mine.at(21)] == ["e12", f"e{line}-21"]
    assert theirs.at(12) == LineView(table.campaign, 1, viewer=EVERYBODY).ids.at(12)
    assert len({theirs.at(position) for position in range(1, 40)}) == 39
    assert theirs.at(12) == theirs.place(12) == "e" + theirs.at(12)[1:].lower()
    assert len(theirs.at(12)) == 13


def test_a_moment_that_was_undone_is_not_replayed(table: Table) -> None:
    done = table.do(c.Note(text=w("never mind")))
    table.writer.manage_all((e.Undone(first=done.first, last=done.last),), c.Note(text=w("-")))

    assert "never mind" not in notes(table, GAME_MASTER)
    assert "never mind" in [
        str(m.event.text)
        for m in LineView(table.campaign, 1, done.last).moments()
        if isinstance(m.event, e.Noted)
    ]


def test_what_is_about_the_record_itself_is_for_the_game_master(table: Table) -> None:
    table.do(c.Note(text=w("never mind")))
    undo(table.writer)
    line = table.campaign.fork(1, table.writer.head.position, w("kinder"))

    for viewer in (EVERYBODY, viewer_called(table.writer.table, "Jon")):
        told = {type(moment.event) for moment in LineView(table.campaign, line, viewer=viewer).moments()}
        assert told.isdisjoint(FOR_THE_GAME_MASTER)
    told = {type(moment.event) for moment in LineView(table.campaign, line).moments()}
    assert {e.CampaignBegun, e.Undone, e.Forked} <= told


def test_a_reference_to_a_hidden_event_points_before_it(table: Table) -> None:
    shown = table.do(c.Note(text=w("A lamp."))).first
    hidden = table.do(c.Note(text=w("A knife.")), see="gm").first
    table.do(c.Note(text=w("never mind")))
    undo(table.writer)
    head = table.writer.head.position
    mark = e.Marked(name=w("here"), at=head)
    ids = LineView(table.campaign, 1, viewer=EVERYBODY).ids

    assert ids.place(head) == ids.place(hidden) == ids.at(shown)
    assert ids.shown(mark, {"name": "here", "at": head}) == {"name": "here", "at": ids.at(shown)}
    assert LineView(table.campaign, 1).ids.shown(mark, {"name": "here", "at": head})["at"] == head
    jon = LineView(table.campaign, 1, viewer=viewer_called(table.writer.table, "Jon")).ids
    assert jon.place(head) == ids.at(shown)


def test_every_field_that_points_at_a_position_is_known_as_one() -> None:
    pointing = {
        (kind, key) for kind in SHARED for key in fields_of(kind) if key in ("about", "at", "narration")
    } | {(e.MatterMerged, "into")}

    about_an_aspect = (e.CompelOffered, "about")
    assert {one for one in pointing if one[0] not in FOR_THE_GAME_MASTER} - {about_an_aspect} == {
        (kind, key) for kind, keys in POINTING.items() for key in keys
    }


# --- how often the record is asked ------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the store is asked what stands, what is revealed, and for a table."""
    counted: Counter[str] = Counter()

    def count(home: object, name: str) -> None:
        ask = getattr(home, name)

        def counting(*args: object, **more: object) -> object:
            counted[name] += 1
            return ask(*args, **more)

        monkeypatch.setattr(home, name, counting)

    count(recorded_line, "read_amendments")
    count(campaign, "read_amendments")
    count(recorded_line, "reveals_in")
    count(CampaignStore, "table_at")
    return counted


@pytest.mark.parametrize("tell", [of_line, partial(of_session, session=2), partial(of_range, after=20)])
def test_telling_a_line_to_a_player_reads_it_once(
    table: Table, tell: Callable[[LineView], Transcript], asked: Counter[str]
) -> None:
    """What stands and what is revealed once; the tables are the player's, to know them by, and the first."""
    tell(LineView(table.campaign, 1).called("Jon"))

    assert (asked["read_amendments"], asked["reveals_in"]) == (1, 1)
    assert asked["table_at"] <= 2


def test_the_same_line_for_another_viewer_is_not_read_again(table: Table, asked: Counter[str]) -> None:
    reading = LineView(table.campaign, 1)
    for name in ("gm", "table", "Jon", "Kit"):
        ask("cast", reading.called(name))
        assert [*reading.called(name).moments()]

    assert asked == {"read_amendments": 1, "reveals_in": 1, "table_at": 1}


def test_reading_moments_does_not_change_a_shared_table(table: Table) -> None:
    reading = LineView(table.campaign, 1)
    before = copy.deepcopy(reading.table_at(5))

    assert [*reading.moments(5)][-1].table == reading.table
    assert reading.table_at(5) == before


def test_late_additions_are_read_once_per_viewer(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Viewer, int]] = []

    def counted(sight: Sight, after: int) -> LateAdditions:
        asked.append((sight.viewer, after))
        return find_late_additions(sight, after)

    monkeypatch.setattr("retold.projections.reading.line_view.find_late_additions", counted)
    reading = LineView(table.campaign, 1)
    for viewer in (GAME_MASTER, EVERYBODY, GAME_MASTER, EVERYBODY):
        for position in (3, 9):
            reading.through(viewer).late_additions_since(position)

    assert asked == [(GAME_MASTER, 3), (EVERYBODY, 3)]


@pytest.mark.parametrize("long", [1, LONG_SCAN])
def test_title_and_language_are_the_last_ones_not_undone_and_need_no_fold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, long: int
) -> None:
    monkeypatch.setattr(recorded_line, "LONG_SCAN", long)
    lines = (
        *('campaign "The Boat"', "undo", "option language=es", "option language=fr", "undo"),
        *('campaign "The Barge"', "option tense=past", "option language=voice"),
    )
    with retold.new(tmp_path / "a.retold") as played:
        for line in lines:
            played.say(line)
        store = played.shared.store
        store.snapshots = Snapshots(tmp_path / "a.cache")
        monkeypatch.setattr(recorded_line.RecordedLine, "table_at", None)
        seen = [LineView(store, 1, at) for at in range(1, len(lines) + 2)]

        assert [view.title for view in seen] == ["A", "The Boat", *["A"] * 4, *["The Barge"] * 3]
        assert [view.language for view in seen] == [*[None] * 3, "es", "fr", *["es"] * 3, None]
