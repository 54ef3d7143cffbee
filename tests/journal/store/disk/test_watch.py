"""The one thread that looks for changes, and the subscriptions that wait for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.journal.store.disk.watch import Watch
from retold.journal.store.recorder import CampaignRecorder
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.redact import plan_redaction, redact
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from tests.journal.store.played import notes, played
from tests.patience import PATIENCE

EVERY = 0.001


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with played(tmp_path / "a.retold"):
        return tmp_path / "a.retold"


@pytest.fixture
def writer(path: Path) -> Iterator[CampaignStore]:
    with CampaignStore.open(path) as campaign:
        yield campaign


class Stamp:
    """A stamp that is set by hand, and counts how often its follower was woken."""

    def __init__(self) -> None:
        self.value: object = 0
        self.woken = threading.Semaphore(0)

    def __call__(self) -> object:
        if isinstance(self.value, Exception):
            raise self.value
        return self.value

    def wakes(self) -> bool:
        return self.woken.acquire(timeout=PATIENCE)


def watching() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "watch"]


def test_a_follower_is_woken_at_once_and_after_each_change() -> None:
    watch, stamp = Watch(), Stamp()
    leave = watch.add(stamp, stamp.woken.release, EVERY)

    assert stamp.wakes()
    stamp.value = 1
    assert stamp.wakes()
    leave()


def test_a_follower_that_left_is_not_woken() -> None:
    watch, left, stays = Watch(), Stamp(), Stamp()
    leave, end = watch.add(left, left.woken.release, EVERY), watch.add(stays, stays.woken.release, EVERY)
    assert left.wakes()
    assert stays.wakes()
    leave()
    leave()  # which changes nothing
    left.value = stays.value = 1

    assert stays.wakes()
    assert not left.woken.acquire(blocking=False)
    end()


def test_a_stamp_that_fails_wakes_its_follower_once_and_the_others_are_watched_on() -> None:
    watch, broken, sound = Watch(), Stamp(), Stamp()
    broken.value = OSError("gone")
    ends = [watch.add(stamp, stamp.woken.release, EVERY) for stamp in (broken, sound)]
    assert broken.wakes()
    assert sound.wakes()

    for value in (1, 2):
        sound.value = value
        assert sound.wakes()
    assert not broken.woken.acquire(blocking=False)
    broken.value = "here again"
    assert broken.wakes()
    for end in ends:
        end()


def test_subscriptions_share_one_thread_which_ends_with_the_last(path: Path) -> None:
    recorder, before = CampaignRecorder(path, read_only=True), watching()  # one may not have ended yet
    with recorder.subscribe(), recorder.subscribe(), CampaignRecorder(path).subscribe():
        (thread,) = (one for one in watching() if one not in before)

    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_a_watch_begins_again_for_the_next_follower(path: Path) -> None:
    for _ in range(2):
        with CampaignRecorder(path, read_only=True).subscribe() as changes:
            assert changes.wait(PATIENCE)


def test_a_follower_waits_until_an_event_is_recorded(path: Path, writer: CampaignStore) -> None:
    with CampaignRecorder(path, read_only=True).subscribe(every=EVERY) as changes:
        assert changes.wait(PATIENCE)  # the first look
        while changes.wait(0.0):
            pass
        notes(writer.writer(1), "one")

        assert changes.wait(PATIENCE)


def test_a_person_who_waits_for_the_next_event_is_let_go_by_a_stop(path: Path) -> None:
    changes = CampaignRecorder(path, read_only=True).subscribe(gt=10_000)
    waiting = threading.Thread(target=lambda: list(changes))
    waiting.start()

    changes.stop()
    waiting.join(PATIENCE)

    assert not waiting.is_alive()


def test_kinds_not_asked_for_are_skipped(path: Path, writer: CampaignStore) -> None:
    recorder = CampaignRecorder(path, read_only=True)
    with recorder.subscribe(recorder.max_notification_id(), ["table.undone"]) as events:
        notes(writer.writer(1), "one", "two")
        line = writer.writer(1)
        line.manage_all(*_undo(line.head.position))

        assert next(events).topic == "table.undone"


def _undo(last: int) -> tuple[list[e.Undone], c.Undo]:
    return [e.Undone(first=last, last=last)], c.Undo()


def test_what_is_redacted_is_followed_without_its_words(path: Path, writer: CampaignStore) -> None:
    line = writer.writer(1)
    notes(line, "a secret of Zel's")
    at = line.head.position
    recorder = CampaignRecorder(path, read_only=True)
    with recorder.subscribe(recorder.max_notification_id()) as events:
        redact(line, plan_redaction(line, c.Redact(at=at)))

        assert next(events).topic == "table.redacted"
    assert [one for one in recorder.select_notifications(1, 10_000) if b"secret of" in one.state] == []


def test_what_is_followed_is_closed_with_the_campaign(path: Path) -> None:
    with CampaignStore.open(path) as campaign, CampaignRecorder(path, read_only=True).subscribe():
        notes(campaign.writer(1), "one")

    assert [one.name for one in path.parent.iterdir() if one.name.startswith(path.name)] == [path.name]
