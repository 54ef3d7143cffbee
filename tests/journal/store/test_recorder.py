"""The library's own contract on our file and on a server, where it fits, and what is our own about it.

What does not fit: the library's tests make up originators, topics and states as they please (`topic1`,
`b"state1"`, a UUID), and count versions from 0. A line of ours begins by leaving another, a body is JSON, and
positions count from 1. So the contract is run on a recorder that takes those rules off and nothing else, on
the numbers of drafts, which leave no line. Left out are `test_performance` and `test_concurrent_throughput`,
which assert nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.tests.persistence import (
    ApplicationRecorderTestCase,
    NonInterleavingNotificationIDsBaseCase,
)

from retold.journal.store import places
from retold.journal.store.contract.address import Address, Place
from retold.journal.store.contract.event_store import EMPTY_HEAD, FIRST_DRAFT, Head
from retold.journal.store.recorder import CampaignRecorder
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary.base import Words
from tests.database_server import Cluster, new_name
from tests.journal.store.played import notes, played


class AnyRecorder(CampaignRecorder):
    """A recorder that takes any originator for a line, and anything for a body."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._lines: dict[UUID | str, int] = {}
        self._moved: dict[UUID | str, int] = {}
        self._lock = threading.Lock()

    def line(self, originator_id: UUID | str) -> int:
        with self._lock:
            return self._lines.setdefault(originator_id, FIRST_DRAFT + len(self._lines))

    def originator(self, line: int) -> UUID | str:
        return next(name for name, number in list(self._lines.items()) if number == line)

    def beginning(self, line: int, first: StoredEvent) -> Head:  # noqa: ARG002
        return EMPTY_HEAD

    def body(self, event: StoredEvent) -> str:
        return event.state.decode()

    def _move(self, originator_id: UUID | str, first: int = 1) -> int:
        return self._moved.setdefault(originator_id, 1 - first)

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int]:  # noqa: ANN401
        moved = []
        for one in stored_events:
            by = self._move(one.originator_id, one.originator_version)
            moved.append(replace(one, originator_version=one.originator_version + by))
        return super().insert_events(moved)

    def select_events(self, originator_id: UUID | str, **bounds: Any) -> Sequence[StoredEvent]:  # noqa: ANN401
        by = self._move(originator_id)
        for name in ("gt", "lte"):
            if bounds.get(name) is not None:
                bounds[name] += by
        found = super().select_events(originator_id, **bounds)
        return [replace(one, originator_version=one.originator_version - by) for one in found]


class OnOurs:
    """Makes a recorder on a new record for each test."""

    def setUp(self) -> None:
        self.made: list[AnyRecorder] = []

    def tearDown(self) -> None:
        for recorder in self.made:
            recorder.close()

    def new_place(self) -> Place:
        raise NotImplementedError

    def create_recorder(self) -> AnyRecorder:
        place = self.new_place()
        places.made(place, lambda store: store).close()
        self.made.append(AnyRecorder(place))
        return self.made[-1]


class OnOurFile(OnOurs):
    def setUp(self) -> None:
        super().setUp()
        self.folder = TemporaryDirectory()

    def tearDown(self) -> None:
        super().tearDown()
        self.folder.cleanup()

    def new_place(self) -> Place:
        return Path(self.folder.name) / f"{len(self.made)}.retold"


class OnAServer(OnOurs):
    @pytest.fixture(autouse=True)
    def _keep(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def new_place(self) -> Place:
        return str(self._cluster.address(new_name()))


class Contract(ApplicationRecorderTestCase[AnyRecorder]):
    """The library's cases, without those that assert nothing."""

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()

    @pytest.mark.skip("it measures, and asserts nothing")
    def test_performance(self) -> None: ...

    @pytest.mark.skip("it measures, and asserts nothing")
    def test_concurrent_throughput(self) -> None: ...


class TestContract(OnOurFile, Contract): ...


class TestContractOnAServer(OnAServer, Contract): ...


class TestNonInterleaving(OnOurFile, NonInterleavingNotificationIDsBaseCase):
    insert_num = 300


class TestNonInterleavingOnAServer(OnAServer, NonInterleavingNotificationIDsBaseCase):
    insert_num = 300


# The library's cases are collected through the classes above alone.
del ApplicationRecorderTestCase, NonInterleavingNotificationIDsBaseCase, Contract


@pytest.fixture
def recorder(place: Address) -> Iterator[CampaignRecorder]:
    with played(place) as camp:
        camp.fork(1, 10, Words("other"))
    made = CampaignRecorder(place)
    yield made
    made.close()


def test_a_branch_is_selected_with_what_it_shares(recorder: CampaignRecorder) -> None:
    events = recorder.select_events("line-2")

    assert [one.originator_version for one in events] == list(range(1, 12))
    assert events[-1].topic == "table.forked"
    assert [one.originator_version for one in recorder.select_events("line-2", gt=8, desc=True)] == [
        11,
        10,
        9,
    ]
    assert [one.originator_version for one in recorder.select_events("line-2", gt=3, lte=9, limit=2)] == [
        4,
        5,
    ]


def test_a_line_that_is_not_there_has_no_events(recorder: CampaignRecorder) -> None:
    assert recorder.select_events("line-9") == []


@pytest.mark.parametrize("name", ["1", "line-x", "branch-1", "line-"])
def test_an_originator_is_a_line(name: str, recorder: CampaignRecorder) -> None:
    with pytest.raises(IntegrityError, match="is no line"):
        recorder.select_events(name)


def event(line: int, version: int, state: bytes, topic: str = "table.session-closed") -> StoredEvent:
    return StoredEvent(originator_id=f"line-{line}", originator_version=version, topic=topic, state=state)


CLOSED = b'{"act":"a","at":"2026-03-14T20:00:00.000000Z","data":{"session":1},"i":1,"n":1,"tz":0}'


def test_what_is_inserted_is_chained(recorder: CampaignRecorder) -> None:
    head = recorder.record.head(1).position

    (number,) = recorder.insert_events([event(1, head + 1, CLOSED)])

    assert number == recorder.max_notification_id()
    assert verify(recorder.record).whole


@pytest.mark.parametrize("step", [0, 2, -1])
def test_events_that_do_not_follow_the_head_are_refused(step: int, recorder: CampaignRecorder) -> None:
    head, last = recorder.record.head(1).position, recorder.max_notification_id()

    with pytest.raises(IntegrityError, match="does not follow"):
        recorder.insert_events([event(1, head + step, CLOSED)])

    assert recorder.max_notification_id() == last


def test_a_line_begins_by_leaving_another(recorder: CampaignRecorder) -> None:
    with pytest.raises(IntegrityError, match="leaving another"):
        recorder.insert_events([event(3, 1, CLOSED)])


def test_words_do_not_pass(recorder: CampaignRecorder) -> None:
    head = recorder.record.head(1).position

    with pytest.raises(IntegrityError, match="with words"):
        recorder.insert_events([event(1, head + 1, CLOSED.replace(b'"tz":0', b'"tz":0,"words":["x"]'))])


def test_a_follower_sees_events_of_another_writer(recorder: CampaignRecorder, place: Address) -> None:
    last = recorder.max_notification_id()
    seen: list[str] = []

    with (
        CampaignStore.open(place) as camp,
        recorder.subscribe(last, ["table.noted"]) as following,
    ):
        writer = camp.writer(2)
        notes(writer, "one", "two")
        for notification in following:
            seen.append(str(notification.originator_id))
            if len(seen) == 2:
                break
        time.sleep(0.05)

    assert seen == ["line-2", "line-2"]
