"""Each event is placed in a scene and a passage, and words recorded later at the moment they are about."""

from __future__ import annotations

from retold.journal.copying import copied
from retold.projections.prose import VOICES
from retold.projections.reading import LineView
from retold.projections.reading.sessions import Stretch
from retold.projections.story.placing import Placing, placed
from retold.projections.story.transcript.build import scope_of
from retold.projections.story.variations import TellingOptions
from tests.wandering.evening import evening

LINES = """\
cast Ada bruise clubs=2 by=Kit
cast Bo bruise clubs=2 by=Max
session One
scene The yard: Rain.
conflict Crate bruise Ada vs Bo: the crate
say Ada: It is mine.
concede Bo: Take it.
scene The road: Dust.
narrate --at 13: She says it twice.
""".splitlines()

Spot = tuple[str, str | None, str | None, bool]
"""Kind, id of the scene, id of the conflict above the passage, and whether it was recorded later."""


def spots(voice: str) -> list[Spot]:
    with evening(LINES) as night:
        assert night.refused == {}
        reading = LineView(night.scribe.campaign, 1)
        whole, table = Stretch(0, reading.position), copied(reading.table_at(0))
        scope = scope_of(reading, whole, TellingOptions(VOICES[voice]), reading.late_additions_since(0))
        here = Placing.beginning(scope, table, [])
        return [
            (
                one.telling.moment.event.kind.rpartition(".")[2],
                one.scene.id,
                None if one.passage.conflict is None else one.passage.conflict.id,
                one.is_later,
            )
            for one in placed(reading.moments(table=table), table, here)
            if one.telling.moment.table.session is not None or one.is_later
        ]


def test_a_report_has_a_passage_for_a_conflict_and_late_words_at_their_moment() -> None:
    assert spots("report") == [
        ("session-opened", None, None, False),
        ("scene-set", "s1", None, False),
        ("conflict-opened", "s1", "c1", False),
        ("said", "s1", "c1", False),
        ("narrated", "s1", "c1", True),
        ("concession-offered", "s1", "c1", False),
        ("scene-set", "s2", None, False),
        ("narrated", "s2", None, False),
    ]


def test_a_story_has_no_passages_for_conflicts() -> None:
    assert {conflict for _, _, conflict, _ in spots("prose")} == {None}


def test_notation_stays_in_the_order_of_the_record() -> None:
    assert [kind for kind, *_ in spots("plain")] == [
        *(
            "session-opened",
            "scene-set",
            "conflict-opened",
            "said",
            "concession-offered",
            "scene-set",
            "narrated",
        )
    ]
