"""Attachments of a campaign: what is kept is found again, and who changes them is alone."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

import retold
from retold.cli.campaigns.attachments import Attachments, FileAttachments, attachments_of
from retold.cli.campaigns.links import Links, name_in, opened_by
from retold.journal.refused import Refused
from retold.journal.store.contract.address import Address
from retold.journal.store.postgres import roles
from tests.database_server import Cluster, new_name

ID = "0" * 32


@pytest.fixture(params=["file", "server"])
def attachments(request: pytest.FixtureRequest, tmp_path: Path) -> Attachments:
    return attachments_of(place_of(request), "proposals", FileAttachments(tmp_path / "inbox" / ID))


def place_of(request: pytest.FixtureRequest) -> Address:
    """The address of a campaign: a file, or on the server of this run."""
    if request.param == "file":
        return Address.of_file(Path("salt-road.retold"))
    cluster: Cluster = request.getfixturevalue("cluster")
    address = Address.read(str(cluster.address(new_name())))
    retold.new(address).close()
    return address


def test_an_attachment_is_found_until_it_is_dropped(attachments: Attachments) -> None:
    assert (attachments.every(), attachments.get("a")) == ({}, None)
    attachments.keep("a", b"first")
    attachments.keep("a", b"second")
    attachments.keep("b", b"other")

    assert attachments.every() == {"a": b"second", "b": b"other"}
    attachments.drop("a")
    attachments.drop("a")
    assert (attachments.every(), attachments.get("a")) == ({"b": b"other"}, None)


def test_two_changes_of_a_file_at_one_time_are_two(tmp_path: Path) -> None:
    attachments, stamps = FileAttachments(tmp_path), []
    for data in (b"one", b"two"):
        attachments.keep("a", data)
        os.utime(tmp_path / "a.json", ns=(10**18, 10**18))
        stamps.append(attachments.stamp())

    assert len(set(stamps)) == 2


def test_files_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    attachments = FileAttachments(tmp_path)
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


def test_a_person_who_is_alone_keeps_the_others_waiting(attachments: Attachments) -> None:
    begun = Event()

    def other() -> str:
        begun.set()
        with attachments.alone():
            return "alone now"

    with ThreadPoolExecutor(1) as pool:
        with attachments.alone():
            done = pool.submit(other)
            begun.wait()
            with pytest.raises(TimeoutError):
                done.result(timeout=0.2)
        assert done.result() == "alone now"


def test_two_campaigns_attachments_in_one_folder_are_apart(tmp_path: Path) -> None:
    one, other = (FileAttachments(tmp_path, number * 32, ".links.json") for number in "01")
    one.keep("", b"one")

    assert (one.every(), other.every(), other.stamp()) == ({"": b"one"}, {}, frozenset())
    assert FileAttachments(tmp_path, ending=".links.json").every() == {ID: b"one"}


HOLDING = """
import sys
from retold.cli.campaigns.attachments import FileAttachments, attachments_of
from retold.journal.store.contract.address import Address
with attachments_of(Address.read(sys.argv[1]), "proposals", FileAttachments(None)).alone():
    print("alone", flush=True)
    sys.stdin.read()
"""


def test_a_process_killed_while_holding_the_lock_blocks_no_other(cluster: Cluster, tmp_path: Path) -> None:
    address = Address.read(str(cluster.address(new_name())))
    retold.new(address).close()
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(address)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "alone\n"
    other.kill()
    other.communicate()
    attachments = attachments_of(address, "proposals", FileAttachments(tmp_path))
    with attachments.alone():
        attachments.keep("a", b"kept")

    assert attachments.get("a") == b"kept"


def test_what_is_kept_alone_stays_though_an_error_ends_it(attachments: Attachments) -> None:
    def refused() -> None:
        with attachments.alone():
            attachments.keep("a", b"kept")
            assert attachments.get("a") == b"kept"
            raise Refused("Not while they listen.")

    with pytest.raises(Refused):
        refused()

    assert attachments.get("a") == b"kept"


def test_kinds_of_attachments_on_a_server_are_apart(cluster: Cluster, tmp_path: Path) -> None:
    address = Address.read(str(cluster.address(new_name())))
    retold.new(address).close()
    one, other = (attachments_of(address, kind, FileAttachments(tmp_path)) for kind in ("links", "line"))
    one.keep("", b"one")

    assert (one.every(), other.every(), other.stamp()) == ({"": b"one"}, {}, "0")


def test_a_person_who_may_only_read_a_campaign_keeps_nothing_with_it(
    cluster: Cluster, tmp_path: Path
) -> None:
    name = new_name()
    retold.new(str(cluster.address(name))).close()
    cluster.account("reader")
    roles.let(cluster.address(name), "reader", writes=False)
    address = Address.read(str(cluster.address(name, "reader")))
    attachments = attachments_of(address, "links", FileAttachments(tmp_path))

    assert attachments.every() == {}
    with pytest.raises(retold.StoreError, match="may only read"):
        attachments.keep("", b"one")


def test_an_unstorable_attachment_is_not_reported_as_unreadable(cluster: Cluster, tmp_path: Path) -> None:
    address = Address.read(str(cluster.address(new_name())))
    retold.new(address).close()
    attachments = attachments_of(address, "links", FileAttachments(tmp_path))

    with pytest.raises(retold.StoreError, match=r"^What belongs to .* could not be stored: "):
        attachments.keep("", b"\0")  # which a text of PostgreSQL cannot hold


def test_a_secret_on_a_server_ends_in_the_name_of_its_campaign(cluster: Cluster, tmp_path: Path) -> None:
    name = f"{new_name()}.salzstraße"
    address = Address.read(str(cluster.address(name)))
    retold.new(address).close()
    links = Links.at(address, tmp_path, ID)
    secret = links.new("gm", "gm", "2026-03-14")

    assert (name_in(secret), secret.isascii()) == (name, True)
    assert opened_by(secret, links.every()) is not None
    assert opened_by(f"{secret}0", links.every()) is None
    assert [name_in(one) for one in ("", "abc", "abc.")] == ["", "", ""]


def test_links_made_at_once_are_all_kept(tmp_path: Path) -> None:
    names = [f"Player {number}" for number in range(20)]
    with ThreadPoolExecutor(8) as pool:
        secrets = list(pool.map(lambda name: Links.of(tmp_path, ID).new(name, name, "2026-03-14"), names))

    assert len(set(secrets)) == 20
    assert {one.viewer for one in Links.of(tmp_path, ID).every()} == set(names)
