"""Projections that are kept: whatever is typed, one that was caught up with is one made anew."""

from __future__ import annotations

import random
import sqlite3
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from retold.journal.line import LiveEvent
from retold.journal.store.caches import projection_cache
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.store.events import line_events
from retold.journal.store.events.record import Record
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.table import Table
from retold.projections.dossiers import Dossiers
from retold.projections.exports.parallel import SessionTelling
from retold.projections.exports.told_sessions import told_sessions
from retold.projections.prose import VOICES
from retold.projections.reading import (
    EVERYBODY,
    GAME_MASTER,
    LineView,
    Viewer,
    cached_projection,
    line_view,
    recorded_line,
)
from retold.projections.reading.viewers import viewer_of
from retold.projections.statistics import count
from retold.projections.views import VIEWS, mentions
from tests.exploring import seeds, tries
from tests.wandering.evening import Evening, evening
from tests.wandering.lines import CAST, Typing
from tests.wandering.wander import begun

TELLINGS = (
    SessionTelling(VOICES["report"], is_replay=True),
    SessionTelling(VOICES["prose"], variations=True),
    SessionTelling(VOICES["script"], ribbon=True, players=False),
)
VIEWED = ("balance", "sessions", "untold", "threads", "places")
MEDDLING = (
    *(
        "undo",
        "undo",
        "undo 3",
        "redo",
        "redo",
        "end session",
        "session Another night",
        "narrate Zel: One last cry.",
    ),
    *("note --gm: A secret.", "narrate gm: And so it was.", "narrate gm --at @-4: Before that, a bell rang."),
    *("narrate gm --at 9: Long before, another.", "overrule gm Zel --veto: It was not.", "redact @-2"),
    *(
        'retcon @-1 --as "note: Otherwise, Zel."',
        'retcon @ --as "note: Rats still."',
        "branch {number} --at @-5",
        "branch {number}",
    ),
    *('thread "Zel bell": Rats heard it, and Two Guards.', 'thread "The bell" name="Ned and bell"'),
    *(
        'thread "The bell": Who?',
        'thread "Zel bell" into "The bell"',
        'thread "Zel bell" --done: Ned has it.',
    ),
    *('place "Two Guards": Zel was there.', 'cast Ned name="Captain Ned"', "cast Pim: A friend of Ned."),
    *("merge Pim into Rats", "redact --person Pim", "note --quote Rats: Zel, two guards!", "note: Ned."),
    *("note Zel: Ned saw Rats, and Pim.", "say Rats --to Jon: Zel bell, Zel.", "say Zel: Captain Ned?"),
    *("note: The bell of Z\xe9l’s, and Rats: RATS.", "note: Zel.", "note: Rats, Ned."),  # noqa: RUF001 -- as people type it
    *("switch mainline", "promote {last}", "retcon @-3 note: Instead.", "reveal @-2", "reveal @-6"),
)
"""What is typed between the lines of play."""


@pytest.fixture(autouse=True)
def _each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are kept however little came after the last."""
    monkeypatch.setattr(cached_projection, "BEYOND", 1)


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Landmarks and the index are asked however near they are."""
    monkeypatch.setattr(projection_cache, "_KEPT_EVERY", 1)
    monkeypatch.setattr(mentions, "FAR", 1)
    monkeypatch.setattr(recorded_line, "LONG_SCAN", 1)


def readings(campaign: CampaignStore, chosen: random.Random) -> Iterator[LineView]:
    """Every line to its end and up to some moment, one as the game master has it, one as others do."""
    for line in campaign.record.store.streams():
        head = campaign.record.head(line).position
        moments = [None, chosen.randint(1, head)]
        chosen.shuffle(moments)
        at, earlier = moments
        yield LineView(campaign, line, at, GAME_MASTER)
        others = [EVERYBODY, *_players(LineView(campaign, line, earlier))]
        yield LineView(campaign, line, earlier, chosen.choice(others))


def _players(reading: LineView) -> Iterator[Viewer]:
    for one in reading.table.everybody():
        if one.player is not None:
            yield viewer_of(reading.table, one.id)


def told(reading: LineView, which: int) -> dict[str, object]:
    """All that is kept of a reading, as it is told; of people and matters every third."""
    return {
        **{name: VIEWS[name].see(reading).to_json() for name in VIEWED},
        **{topic: counted.to_json() for topic, counted in count(reading).items()},
        "dossiers": list(dossiers(reading, which)),
        "evenings": (dict(reading.sessions.opened), dict(reading.sessions.closed)),
        "told": list(told_sessions(reading, [*reading.sessions.opened], TELLINGS[which])),
    }


def dossiers(reading: LineView, which: int) -> Iterator[object]:
    known, counted = Dossiers(reading), Dossiers(reading, last=0)
    for person in known.people[which::3]:
        yield known.person(person).to_json(), counted.person(person).earlier
    for matter in known.matters[which::3]:
        yield known.matter(matter).to_json(), counted.matter(matter).earlier


def assert_kept_as_made_anew(campaign: CampaignStore, chosen: random.Random) -> None:
    cache = campaign.snapshots
    for reading in readings(campaign, chosen):
        which = chosen.randrange(3)
        found = told(reading, which)
        marks = list(reading.past.rows(kinds=tuple(projection_cache.POSITIONED_KINDS)))
        campaign.snapshots = None
        anew = LineView(campaign, reading.line, reading.at, reading.viewer)
        assert found == told(anew, which)
        assert marks == list(anew.past.rows(kinds=tuple(projection_cache.POSITIONED_KINDS)))
        campaign.snapshots = cache


def meddle(night: Evening, chosen: random.Random) -> bool:
    names = list(night.scribe.campaign.lines().values())
    line = chosen.choice(MEDDLING).format(number=f"b{len(night.typed)}", last=names[-1])
    return night.type(line)


@pytest.mark.usefixtures("far")
@pytest.mark.parametrize("game", ["spacetime", "bruise", "edgerunner"])
@pytest.mark.parametrize("seed", seeds(1))
def test_one_caught_up_with_is_one_made_anew(game: str, seed: int, tmp_path: Path) -> None:
    chosen = random.Random(f"{game} {seed}")
    meddled = 0
    with evening() as night:
        night.scribe.campaign.snapshots = Snapshots(tmp_path / "a.cache")
        for line in begun(game, CAST[game], chosen):
            night.type(line)
        for _ in range(tries(5)):
            for _ in range(chosen.randint(1, 4)):
                night.type(Typing(night.table, chosen.choice).line())
            for _ in range(chosen.randint(0, 2)):
                meddled += meddle(night, chosen)
            assert_kept_as_made_anew(night.scribe.campaign, chosen)
    assert meddled


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Evening]:
    """An evening with a cache, over already."""
    with evening(
        ("session A night", "cast Zel bruise by=Jon clubs=4 melee=2", "note: Rain.", "end session")
    ) as night:
        night.scribe.campaign.snapshots = Snapshots(tmp_path / "a.cache")
        yield night


def sessions(night: Evening) -> object:
    return VIEWS["sessions"].see(LineView(night.scribe.campaign, 1)).to_json()["sessions"]


def heard(night: Evening, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """From where on the line is heard each time that its sessions are asked for."""
    begun: list[int] = []
    recorded = LineView.recorded

    def listening(reading: LineView, after: int = 0, *rest: object) -> object:
        begun.append(after)
        return recorded(reading, after, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(LineView, "recorded", listening)
    return begun


@pytest.mark.usefixtures("far")
def test_landmarks_are_found_without_looking_through_what_lies_between(
    night: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begins(night: Evening) -> list[int]:
        reading = LineView(night.scribe.campaign, 1)
        return [row.position for row in reading.past.rows(kinds=("table.session-opened",))]

    def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[int]:
        afters: list[int] = []
        rows = Record.rows

        def looking(record: Record, line: int, after: int = 0, *rest: object, **named: object) -> object:
            if rest[1:]:
                afters.append(after)
            return rows(record, line, after, *rest, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(Record, "rows", looking)
        return afters

    assert begins(night) == [2]
    before = night.scribe.writer.head.position
    night.type("session Another")
    looked = looked_at(monkeypatch)

    assert begins(night) == [2, before + 1]
    assert looked == [before]


def test_only_what_came_since_is_heard(night: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = heard(night, monkeypatch)
    sessions(night)
    head = night.scribe.writer.head.position
    sessions(night)
    night.type("note: More rain.")
    sessions(night)

    assert begun == [0, head]


@pytest.mark.parametrize(("told_by", "again"), [(count, 0), (Dossiers, 2)])  # 2: to the session's opening
def test_each_event_is_folded_once(
    night: Evening, told_by: Callable[[LineView], object], again: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    folded = Counter[int]()
    apply_event = line_events.apply_event

    def counting(table: Table, live: LiveEvent) -> None:
        folded[live.position] += 1
        apply_event(table, live)

    monkeypatch.setattr(line_events, "apply_event", counting)
    monkeypatch.setattr(line_view, "apply_event", counting)
    assert night.scribe.campaign.snapshots is not None
    night.scribe.campaign.snapshots.drop()
    told_by(LineView(night.scribe.campaign, 1))
    assert set(folded.values()) == {1}

    folded.clear()
    told_by(LineView(night.scribe.campaign, 1))
    assert folded == Counter(range(1, again + 1))


def test_it_is_found_from_another_thread(night: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = heard(night, monkeypatch)
    was = sessions(night)
    found: list[object] = []
    asking = Thread(target=lambda: found.append(sessions(night)))
    asking.start()
    asking.join()

    assert (found, begun) == ([was], [0])


def test_a_change_of_mind_that_reaches_it_makes_it_anew(
    night: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = heard(night, monkeypatch)
    sessions(night)
    night.type("undo")
    sessions(night)

    assert begun == [0, 0]


@pytest.mark.parametrize(
    "spoilt",
    [
        "UPDATE value SET value = CAST(value || 'x' AS BLOB)",
        "UPDATE value SET position = position - 1",
        "UPDATE value SET hash = zeroblob(32)",
        "UPDATE value SET name = 'untold gm'",
        "DROP TABLE value",
    ],
)
def test_one_that_was_spoilt_is_not_believed(
    spoilt: str, night: Evening, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun = heard(night, monkeypatch)
    was = sessions(night)
    with closing(sqlite3.connect(tmp_path / "a.cache")) as db, db:
        db.execute(spoilt)

    assert sessions(night) == was
    assert begun == [0, 0]


def test_another_key_believes_none_of_it(
    night: Evening, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun = heard(night, monkeypatch)
    sessions(night)
    night.scribe.campaign.snapshots = Snapshots(tmp_path / "a.cache", key=b"another")
    sessions(night)

    assert begun == [0, 0]


def test_the_cache_is_private_and_cleared_by_a_redaction(night: Evening, tmp_path: Path) -> None:
    night.type("session Lanterns")
    sessions(night)
    cache = tmp_path / "a.cache"
    with closing(sqlite3.connect(cache)) as db:
        ((value,),) = db.execute("SELECT value FROM value WHERE name = 'sessions gm'").fetchall()

    assert b"Lanterns" in value
    assert stat.S_IMODE(cache.stat().st_mode) == 0o600

    night.type("redact @")
    night.scribe.campaign.snapshots = Snapshots(cache)
    sessions(night)

    assert b"Lanterns" not in b"".join(one.read_bytes() for one in tmp_path.glob("a.cache*"))


def test_only_the_last_kept_projection_stays(night: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    assert night.scribe.campaign.snapshots is not None
    for number in range(12):
        night.type(f"note: {number}")
        sessions(night)
    with closing(sqlite3.connect(night.scribe.campaign.snapshots.path)) as db:
        kept_at = [position for (position,) in db.execute("SELECT position FROM value ORDER BY position")]

    assert kept_at == [night.scribe.writer.head.position]


def seen(night: Evening, name: str, viewer: Viewer = GAME_MASTER) -> object:
    return VIEWS[name].see(LineView(night.scribe.campaign, 1, viewer=viewer)).to_json()


def anew(night: Evening, name: str, viewer: Viewer = GAME_MASTER) -> object:
    cache, night.scribe.campaign.snapshots = night.scribe.campaign.snapshots, None
    try:
        return seen(night, name, viewer)
    finally:
        night.scribe.campaign.snapshots = cache


def test_what_is_told_later_of_something_untold_is_heard(night: Evening) -> None:
    for line in (
        "session Lanterns",
        "conflict Out bruise Zel vs Guards: freedom",
        "declare Zel: I run.",
        "draw Zel clubs+melee = JH JD 10S 7C 4C 3D",
        "quality Guards 9",
    ):
        assert night.type(line), night.refused
    before = seen(night, "untold")
    (spot,) = before["spots"]  # type: ignore[index]
    assert night.type("note: And on."), night.refused
    seen(night, "untold")
    assert night.type(f"narrate Zel --at {spot['position']}: The line breaks."), night.refused

    assert seen(night, "untold") == anew(night, "untold") != before


def test_a_veto_takes_back_what_was_counted_as_told(night: Evening) -> None:
    def words() -> list[int]:
        telling = count(LineView(night.scribe.campaign, 1), ("telling",))["telling"].to_json()
        return [teller["words"] for teller in telling["tellers"]]

    assert night.type("narrate Zel: One last cry."), night.refused
    assert words() == [3]
    assert night.type("overrule gm Zel --veto: It was not."), night.refused

    assert words() == []


def test_what_is_revealed_to_the_table_is_counted_for_it(night: Evening) -> None:
    for line in ("session Lanterns", "note --gm: A secret.", "note: And on."):
        assert night.type(line), night.refused
    before = seen(night, "sessions", EVERYBODY)
    assert night.type("reveal @-1"), night.refused

    assert seen(night, "sessions", EVERYBODY) == anew(night, "sessions", EVERYBODY) != before
