"""A long transcript is written scene by scene, and comes to the same bytes as one that is held whole."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path

import pytest

from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import GM
from retold.projections.exports import FORMATS, MECHANICS, export, spooled
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.spool import ended
from retold.projections.prose import VOICES, voice_of
from retold.projections.reading import EVERYBODY, GAME_MASTER, LineView, Viewer
from retold.projections.story.document import Scene
from retold.projections.story.transcript import of_range, of_session
from retold.projections.story.transcript.build import of_line
from tests.projections.evening import Table, w

SPOOLED = [name for name, one in FORMATS.items() if one.writer is not None]


def spool(reading: LineView, name: str, voice: str, place: str) -> bytes:
    """A book, written scene by scene."""
    made = spooled(name, voice_of(voice).phrases, place, io.BytesIO())
    return b"".join(made.written(of_line(reading, voice=voice, keep=made.keep)))


@pytest.mark.parametrize("name", SPOOLED)
@pytest.mark.parametrize("place", MECHANICS)
def test_a_book_is_the_same_written_scene_by_scene(table: Table, name: str, place: MechanicsPlace) -> None:
    for number, voice in enumerate(VOICES, [*MECHANICS].index(place)):
        reading = LineView(table.campaign, 1, viewer=(GAME_MASTER, EVERYBODY)[number % 2])
        assert spool(reading, name, voice, place) == export(name, of_line(reading, voice=voice), place)


@pytest.mark.parametrize("name", SPOOLED)
def test_so_is_a_session_and_a_stretch_that_begins_within_a_scene(table: Table, name: str) -> None:
    reading = LineView(table.campaign, 1)
    for tell in (partial(of_session, session=2), partial(of_range, after=9)):
        made = spooled(name, voice_of("report").phrases, "folded", io.BytesIO())
        assert b"".join(made.written(tell(reading, keep=made.keep))) == export(name, tell(reading))


@pytest.mark.parametrize("name", SPOOLED)
def test_spooling_equals_export_with_events_before_the_first_session(tmp_path: Path, name: str) -> None:
    table = Table(tmp_path / "before.retold")
    table.do(c.Note(text=w("Fog.")))
    table.do(c.OpenSession(title=w("One")))
    table.do(c.SetScene(title=w("The pier")))
    table.do(c.Narrate(who=GM, text=w("Rain.")))

    assert spool(LineView(table.campaign, 1), name, "report", "folded") == export(
        name, of_line(LineView(table.campaign, 1))
    )


def kept_by(table: Table, viewer: Viewer = GAME_MASTER) -> list[tuple[str | None, int]]:
    """Which scenes are finished, each with the position of the moment that is heard then."""
    found: list[tuple[str | None, int]] = []
    heard: list[int] = [0]

    def keep(scene: Scene) -> Scene:
        found.append((scene.title, heard[-1]))
        return scene

    of_range(
        LineView(table.campaign, 1, viewer=viewer), also=lambda one: heard.append(one.position), keep=keep
    )
    return found


def test_a_scene_is_finished_when_the_next_begins_and_only_the_last_waits_for_the_end(tmp_path: Path) -> None:
    table = Table(tmp_path / "scenes.retold")
    table.do(c.OpenSession())
    begun = []
    for number in range(5):
        begun.append(table.writer.head.position + 1)
        table.do(c.SetScene(title=w(f"Scene {number}")))
        table.do(c.Narrate(who=GM, text=w("Fog.")))
    end = table.writer.head.position

    # What stands before the first session may belong to it, so the first is held until a second is finished.
    # A moment is heard after what it finishes: hence the position before it.
    assert kept_by(table) == [
        (None, begun[1] - 1),
        ("Scene 0", begun[1] - 1),
        ("Scene 1", begun[2] - 1),
        ("Scene 2", begun[3] - 1),
        ("Scene 3", begun[4] - 1),
        ("Scene 4", end),
    ]


def hand_won(table: Table) -> None:
    """Zel wins a hand in a scene of its own, and nobody has told it yet."""
    table.do(c.OpenSession())
    table.do(c.Cast(who=w("Zel"), system="bruise", values={"clubs": "4", "melee": "2"}))
    table.do(c.SetScene(title=w("The stair")))
    table.do(c.OpenConflict(system="bruise", sides=((table.who("Zel"),), (w("Guards"),))))
    zel, guards = table.who("Zel"), table.who("Guards")
    table.do(c.Draw(who=zel, count=2, results=("KH", "3D")))
    table.do(c.Draw(who=guards, count=1, results=("8S",)))


def test_a_scene_is_held_while_words_to_come_may_take_the_place_of_a_sentence_in_it(tmp_path: Path) -> None:
    table = Table(tmp_path / "told.retold")
    hand_won(table)
    table.do(c.SetScene(title=w("The yard")))
    table.do(c.SetScene(title=w("The street")))
    held = table.writer.head.position
    table.do(c.Narrate(who=table.who("Zel"), text=w("One last cry.")))
    told = table.writer.head.position
    table.do(c.SetScene(title=w("The quay")))
    reading = LineView(table.campaign, 1)

    assert [at > held for title, at in kept_by(table) if title == "The stair"] == [True]
    assert [at for title, at in kept_by(table) if title == "The street"] == [told]
    assert "took the hand" not in export("text", of_line(reading), "none").decode()
    assert spool(reading, "text", "report", "none") == export("text", of_line(reading), "none")


def test_untold_events_are_listed_at_the_end_in_order(tmp_path: Path) -> None:
    table = Table(tmp_path / "untold.retold")
    hand_won(table)
    table.do(c.End(what="conflict", how="ended"))
    for number in range(2):
        table.do(c.SetScene(title=w(f"Later {number}")))
        table.do(c.OpenConflict(system="bruise", sides=((table.who("Zel"),), (table.who("Guards"),))))
        table.do(c.Draw(who=table.who("Zel"), count=2, results=("AH", "2D")))
        table.do(c.Draw(who=table.who("Guards"), count=1, results=("9S",)))
        table.do(c.End(what="conflict", how="ended"))
    untold = of_line(LineView(table.campaign, 1)).end.untold

    assert [one.what for one in untold] == ["Zel took the hand against Guards."] * 3
    places = [int(one.id.removeprefix("e")) for one in untold]
    assert places == sorted(places)


def test_a_spooled_scene_is_reduced_to_its_headings(table: Table) -> None:
    made = spooled("text", voice_of("report").phrases, "folded", io.BytesIO())
    told = of_line(LineView(table.campaign, 1), keep=made.keep)

    assert {one.passages for one in told.scenes} == {()}
    assert [one.chapter for one in told.scenes] == [
        one.chapter for one in of_line(LineView(table.campaign, 1)).scenes
    ]


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ((), "\n"),
        (("a",), "a\n"),
        (("a\n\n", "\n"), "a\n"),
        (("a\n", "", "\n\n", "b", "\n"), "a\n\n\nb\n"),
        (("\n\na",), "\n\na\n"),
    ],
)
def test_a_document_ends_with_one_end_of_line_whatever_parts_it_comes_in(
    parts: tuple[str, ...], text: str
) -> None:
    assert "".join(ended(parts)) == text == "".join(parts).rstrip("\n") + "\n"
