"""Told sessions that are kept: whatever reaches one, it is told again; and no viewer reads another's."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from retold.journal.pictures import data_uri
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.store.contract.event_store import Row
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from retold.projections.exports.parallel import SessionTelling
from retold.projections.exports.replay_builder import replay_of
from retold.projections.exports.told_sessions import told_sessions
from retold.projections.prose import VOICES
from retold.projections.reading import EVERYBODY, GAME_MASTER, LineView, Viewer
from retold.projections.reading import kept_sessions as kept
from retold.projections.reading.recorded_line import RecordedLine
from retold.projections.reading.sessions import Stretch
from retold.projections.story.document import Transcript
from retold.projections.story.transcript import of_range
from retold.projections.story.transcript.build import extremes_of
from tests.cli.test_pictures import png
from tests.projections.played import FEW, named, played
from tests.wandering.evening import Evening, evening

LINES = """\
campaign The Quay
cast gm by=Mary
cast Zel by=Jon
cast Ash by=Kim
session One
scene The quay
narrate Zel: The lantern goes out.
say Ash: Nobody saw it.
narrate --gm: The heron watches.
end session
session Two
scene The inn
narrate Ash: Rain on the roof.
end session
session Three
scene The road
say Zel: We walk.
"""
REPORT = SessionTelling(VOICES["report"], is_replay=True)


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Evening]:
    """Three sessions, the third of which goes on, with a cache."""
    with evening(LINES.splitlines()) as night:
        assert not night.refused
        night.scribe.campaign.snapshots = Snapshots(tmp_path / "a.cache")
        yield night


def told(night: Evening, viewer: Viewer = EVERYBODY, telling: SessionTelling = REPORT) -> list[Transcript]:
    reading = LineView(night.scribe.campaign, night.scribe.writer.line, viewer=viewer)
    return list(told_sessions(reading, [*reading.sessions.opened], telling))


def told_anew(night: Evening, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the sessions that are told for the table, and not taken from the cache."""
    numbers: list[int] = []
    tell = SessionTelling.of

    def of(telling: SessionTelling, reading: LineView, session: int) -> Transcript:
        numbers.append(session)
        return tell(telling, reading, session)

    with monkeypatch.context() as patch:
        patch.setattr(SessionTelling, "of", of)
        found = told(night)
    cache, night.scribe.campaign.snapshots = night.scribe.campaign.snapshots, None
    assert found == told(night)
    night.scribe.campaign.snapshots = cache
    return numbers


def at(night: Evening, words: str) -> int:
    """Position of the event with these words."""
    reading = LineView(night.scribe.campaign, 1)
    return next(found.position for found in reading.recorded() if words in str(found.event))


def contents(path: Path) -> bytes:
    """All that the files of a cache hold, told sessions unpacked."""
    found = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
    if path.exists():
        with closing(sqlite3.connect(path)) as db:
            values = db.execute("SELECT value FROM value WHERE name LIKE 'told %'").fetchall()
        found += b"".join(zlib.decompress(value[kept_after_seal(value) :]) for (value,) in values)
    return found


def kept_after_seal(value: bytes) -> int:
    return value.index(b"\x78\x01")


@pytest.mark.parametrize(
    ("line", "again"),
    [
        ("note: More rain.", [3]),
        ("narrate Zel: Dust.", [3]),
        ("undo", [3]),
        ("cast Pim", [3]),
        ("end session\nsession Four", [3, 4]),
        ("narrate Ash --at {inn}: It smelled of tar.", [2, 3]),
        ("narrate gm --at {lantern}: Long before, a bell.", [1, 2, 3]),
        ("reveal {heron}", [1, 2, 3]),
        ('retcon {inn} --as "narrate Ash: Snow on the roof."', [1, 2, 3]),
        ("tint Zel #7a2e1d", [1, 2, 3]),
        ('cast Zel name="Zella"', [1, 2, 3]),
        ("cast Zel pronouns=she/her", [1, 2, 3]),
        ("mark inn --at {inn}", [2, 3]),
        ("branch Otherwise --at {inn}", [1, 2]),
    ],
)
def test_what_reaches_a_session_is_told_again_and_nothing_else(
    line: str, again: list[int], night: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = {"lantern": at(night, "lantern"), "heron": at(night, "heron"), "inn": at(night, "on the roof")}
    assert told_anew(night, monkeypatch) == [1, 2, 3]
    assert told_anew(night, monkeypatch) == []

    assert all(night.type(one) for one in line.format(**places).splitlines()), night.refused
    assert told_anew(night, monkeypatch) == again


def test_what_was_told_later_and_undone_reaches_as_far_back(
    night: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    night.type(f"narrate gm --at {at(night, 'lantern')}: Long before, a bell.")
    assert told_anew(night, monkeypatch) == [1, 2, 3]

    night.type("undo")
    assert told_anew(night, monkeypatch) == [1, 2, 3]


def test_a_portrait_reaches_every_session_and_its_bytes_are_not_kept(
    night: Evening, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told(night)
    zel = night.table.called("Zel")
    night.scribe.writer.record(
        c.SetPortrait(who=zel, file=Words(data_uri("image/png", png(4, 4))), alt=Words("A red scarf"))
    )

    assert told_anew(night, monkeypatch) == [1, 2, 3]
    assert told_anew(night, monkeypatch) == []
    assert [image.alt for image in told(night)[0].images()] == ["A red scarf"]
    assert b"\x89PNG" not in contents(tmp_path / "a.cache")


def test_a_changed_voice_tells_again(night: Evening) -> None:
    phrases = VOICES["report"].phrases
    assert told(night, telling=SessionTelling(VOICES["prose"])) != told(night)
    assert [one.phrases for one in told(night)] == [phrases] * 3
    assert told(night, telling=SessionTelling(VOICES["prose"]))[0].voice == "prose"
    assert told(night, telling=REPORT._replace(players=False)) != told(night)


def test_no_secret_of_the_game_master_reaches_the_table(night: Evening) -> None:
    assert any("heron" in paragraph.text for paragraph in told(night, GAME_MASTER)[0].paragraphs())
    assert not any("heron" in paragraph.text for paragraph in told(night)[0].paragraphs())


def test_a_redacted_word_is_gone_from_the_cache(
    night: Evening, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told(night)
    assert b"lantern" in contents(tmp_path / "a.cache")

    assert night.type(f"redact {at(night, 'lantern')}"), night.refused
    assert b"lantern" not in contents(tmp_path / "a.cache")
    assert told_anew(night, monkeypatch) == [1, 2, 3]
    assert b"lantern" not in contents(tmp_path / "a.cache")


def test_the_cache_keeps_to_a_size(night: Evening, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told(night)
    with closing(sqlite3.connect(tmp_path / "a.cache")) as db:
        sizes = [size for (size,) in db.execute("SELECT length(value) FROM value WHERE name LIKE 'told %'")]
    assert len(sizes) == 3

    monkeypatch.setattr(kept, "MOST", sum(sizes))
    told(night, GAME_MASTER)
    assert told_anew(night, monkeypatch) == [1, 2, 3]  # the latest stay
    assert told_anew(night, monkeypatch) == []

    monkeypatch.setattr(kept, "MOST", 0)
    night.type("tint Zel #7a2e1d")
    assert told_anew(night, monkeypatch) == [1, 2, 3]
    assert told_anew(night, monkeypatch) == [1, 2, 3]


def test_one_that_was_spoilt_is_told_again(
    night: Evening, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told(night)
    with closing(sqlite3.connect(tmp_path / "a.cache")) as db, db:
        db.execute("UPDATE value SET value = value || zeroblob(1) WHERE name LIKE 'told %'")

    assert told_anew(night, monkeypatch) == [1, 2, 3]


def test_a_campaign_without_a_title_is_told_again_under_another_file_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with evening(LINES.splitlines()[1:]) as night:
        night.scribe.campaign.snapshots = Snapshots(tmp_path / "a.cache")
        told(night)
        monkeypatch.setattr(type(night.scribe.campaign.place), "title", "Low Water")

        assert [one.head.campaign for one in told(night)] == ["Low Water"] * 3


# --- what telling reads from later events -----------------------------------------------------------------

EVERYWHERE: Final = frozenset(
    {e.SessionOpened.kind, e.SessionClosed.kind, e.CastIntroduced.kind, e.DiceRolled.kind}
)
"""Kinds that change no earlier session: its bounds and highest roll are its own, new people not in it."""


def read_after(reading: LineView, upto: int, voice: str, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Kinds of events after a position that are read to tell what is before it; `every` for all kinds."""
    found: set[str] = set()
    rows, table_at = RecordedLine.rows, RecordedLine.table_at
    _ = [reading.sessions.stretch(number) for number in reading.sessions.opened]

    def read_rows(
        line: RecordedLine,
        after: int = 0,
        end: int | None = None,
        kinds: Sequence[str] = (),
        where: Callable[[Row], bool] | None = None,
    ) -> Iterator[Row]:
        if line.line == reading.line and (line.position if end is None else end) > upto:
            found.update(kinds or {"every"})
        return rows(line, after, end, kinds, where)

    def read_table(line: RecordedLine, position: int) -> Table:
        found.update({"table"} if line.line == reading.line and position > upto else ())
        return table_at(line, position)

    with monkeypatch.context() as patch:
        patch.setattr(RecordedLine, "rows", read_rows)
        patch.setattr(RecordedLine, "table_at", read_table)
        told = of_range(reading, 0, upto, voice=voice, ribbon=True)
        replay_of(reading, Stretch(0, upto), told, VOICES[voice])
    return found


@pytest.mark.parametrize("example", FEW, ids=named)
def test_a_later_event_of_a_kind_that_telling_does_not_read_changes_nothing(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So no list of games' kinds is needed; a kind that is read from after the end must be in REACHING."""
    found: set[str] = set()
    for voice in ("report", "prose"):
        with closing(played(example, tmp_path)) as campaign:
            for viewer in (EVERYBODY, GAME_MASTER):
                reading = LineView(campaign, 1, viewer=viewer)
                acts = [one.position for one in reading.recorded() if one.envelope.i == 1]
                found |= read_after(reading, acts[len(acts) // 2] - 1, voice, monkeypatch)

    assert found - EVERYWHERE <= kept.REACHING
    assert {e.Revealed.kind, e.PageTextWritten.kind} <= found


def test_a_roll_behind_the_last_session_is_not_its_highest() -> None:
    rolls = [f"roll 1d20 = {face}" for face in (10, 11, 12, 9, 8, 7)]
    lines = ("campaign The Quay", "session One", "scene The quay", *rolls, "end session", "roll 1d20 = 20")
    with evening(lines) as night:
        assert not night.refused
        reading = LineView(night.scribe.campaign, 1)
        stretch = reading.sessions.stretch(1)

        assert extremes_of(reading, stretch) == extremes_of(reading.then(stretch.upto), stretch)
        assert {*extremes_of(reading, stretch)} == {7, 10}  # of the 12 and of the 7


def test_names_around_a_session_are_those_of_now(night: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """The only thing read of the last table: names change by kinds in REACHING."""
    night.type("blurb Zel: A smuggler's story.")
    reading = LineView(night.scribe.campaign, 1)
    found = read_after(reading, reading.sessions.stretch(1).upto, "report", monkeypatch)

    assert found - EVERYWHERE - {"table"} <= kept.REACHING
