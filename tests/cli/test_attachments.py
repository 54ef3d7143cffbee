"""Attachments of a campaign: what is kept is found again, and who changes them is alone."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from cli.attachments import Attachments
from cli.service.links import Links

ID = "0" * 32


@pytest.fixture
def attachments(tmp_path: Path) -> Attachments:
    return Attachments(tmp_path / "inbox" / ID)


def test_what_is_kept_is_found_by_its_key_until_it_is_dropped(attachments: Attachments) -> None:
    assert (attachments.every(), attachments.get("a")) == ({}, None)
    attachments.keep("a", b"first")
    attachments.keep("a", b"second")
    attachments.keep("b", b"other")

    assert attachments.every() == {"a": b"second", "b": b"other"}
    attachments.drop("a")
    attachments.drop("a")
    assert (attachments.every(), attachments.get("a")) == ({"b": b"other"}, None)


def test_nobody_else_may_read_the_files(attachments: Attachments) -> None:
    attachments.keep("a", b"secret")

    if os.name != "nt":
        assert (attachments.folder / "a.json").stat().st_mode & 0o077 == 0


def test_a_stamp_changes_with_every_document_stored_or_dropped(attachments: Attachments) -> None:
    seen = [attachments.stamp()]
    attachments.keep("a", b"")
    seen.append(attachments.stamp())
    attachments.keep("b", b"")
    seen.append(attachments.stamp())
    attachments.drop("a")
    seen.append(attachments.stamp())
    with attachments.alone():
        assert attachments.stamp() == seen[-1]

    assert len(set(seen)) == 4


def test_who_is_alone_keeps_the_others_waiting(attachments: Attachments) -> None:
    begun = Event()

    def other() -> str:
        begun.set()
        with Attachments(attachments.folder).alone():
            return "alone now"

    with ThreadPoolExecutor(1) as pool:
        with attachments.alone():
            done = pool.submit(other)
            begun.wait()
            with pytest.raises(TimeoutError):
                done.result(timeout=0.2)
        assert done.result() == "alone now"


def test_two_campaigns_attachments_in_one_folder_are_apart(tmp_path: Path) -> None:
    one, other = (Attachments(tmp_path, number * 32, ".links.json") for number in "01")
    one.keep("", b"one")

    assert (one.every(), other.every(), other.stamp()) == ({"": b"one"}, {}, frozenset())
    assert Attachments(tmp_path, ending=".links.json").every() == {ID: b"one"}


def test_links_made_at_once_are_all_kept(tmp_path: Path) -> None:
    names = [f"Player {number}" for number in range(20)]
    with ThreadPoolExecutor(8) as pool:
        secrets = list(pool.map(lambda name: Links.of(tmp_path, ID).new(name, name, "2026-03-14"), names))

    assert len(set(secrets)) == 20
    assert {one.viewer for one in Links.of(tmp_path, ID).every()} == set(names)
