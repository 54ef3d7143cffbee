"""Which campaigns of a server a node keeps open: those somebody uses, and of the others not too many."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

import retold
from retold.cli.campaigns.links import Links
from retold.cli.campaigns.server_campaigns import ServerCampaigns
from retold.cli.campaigns.settings import Settings
from retold.cli.service import served_campaigns
from retold.cli.service.feeds import Feed, FeedBuilder, Followed
from retold.cli.service.served_campaigns import (
    MOST_OPEN,
    UNUSED_SECONDS,
    ServedCampaign,
    ServedCampaigns,
)
from retold.journal.store.contract.address import Address


def served(slug: str, *, used: float, followers: int = 0, busy: int = 0) -> ServedCampaign:
    """A campaign of which no more is asked than whether somebody uses it."""
    one = ServedCampaign(slug, *cast("list[retold.Campaign]", [None] * 4))  # type: ignore[arg-type]
    one.used, one.busy = used, busy
    one.followed = {"gm": cast("Followed", SimpleNamespace(feed=Feed(followers=followers)))}
    return one


def unused(*some: ServedCampaign, now: float) -> list[str]:
    campaigns = ServedCampaigns({one.slug: one for one in some})
    return [one.slug for one in campaigns._unused(now)]


def test_a_campaign_is_let_go_once_it_was_unused_for_long() -> None:
    some = (
        served("unused", used=0),
        served("asked", used=2),
        served("followed", used=0, followers=1),
        served("busy", used=0, busy=1),
    )

    assert unused(*some, now=UNUSED_SECONDS + 1) == ["unused"]


def test_above_the_most_those_unused_the_longest_are_let_go() -> None:
    some = [served(f"c{number}", used=number) for number in range(MOST_OPEN)]
    more = [served("followed", used=0, followers=1), served("later", used=MOST_OPEN)]

    assert unused(*some, *more, now=MOST_OPEN) == ["c0", "c1"]


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[retold.Campaign]:
    with retold.new(tmp_path / "salt-road.retold") as found:
        found.play("cast Zel\nsession One\nnarrate Zel: A.\nnarrate Zel: B.")
        yield found


def test_a_link_that_was_revoked_while_links_could_not_be_read_ends_at_the_next_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    retold.new(tmp_path / "salt-road.retold").close()
    stamps = count()
    monkeypatch.setattr(Links, "stamp", lambda _: next(stamps))
    address = Address.of_file(tmp_path / "salt-road.retold")
    one = ServedCampaign.opened(address, "salt-road", Settings(tmp_path / "home", {}))
    with closing(one), closing(asyncio.new_event_loop()) as loop:
        secret = one.links.new("table", "table", "2026-03-14")
        one.look(loop)
        (link,) = one.good
        one.links.revoke([link])
        stamp = next(stamps)
        monkeypatch.setattr(Links, "stamp", lambda _: stamp)
        with monkeypatch.context() as patch:
            patch.setattr(Links, "every", unread)
            with pytest.raises(retold.StoreError):
                one.look(loop)
        one.look(loop)

        assert one.link(secret) is None


def unread(_: Links) -> None:
    raise retold.StoreError("club cannot be reached.")


def test_a_campaign_that_cannot_be_closed_ends_no_checking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the server answers is asked on: nodes would take it for away, or there, for ever."""
    monkeypatch.setattr(served_campaigns, "CHECK_SECONDS", 0)
    answers = iter([True, False])
    monkeypatch.setattr(ServedCampaign, "close", unread)
    monkeypatch.setattr(ServedCampaign, "is_followed", False)
    one = ServedCampaigns({"unused": served("unused", used=-UNUSED_SECONDS)})

    def is_answering() -> bool:
        found = next(answers, None)
        if found is None:
            one._stopping = True
        return bool(found)

    server = SimpleNamespace(is_answering=is_answering, named=())
    asyncio.run(one._check_on(cast("ServerCampaigns", server)))

    assert (one.served, one.away) == ({}, True)


def test_a_person_who_reads_anew_tells_only_what_differs(campaign: retold.Campaign) -> None:
    builder = FeedBuilder("table")
    first = builder.look(campaign)
    builder.begin_anew()
    again = builder.look(campaign)
    builder.begin_anew()
    campaign.say("narrate Zel: C.")
    later = builder.look(campaign)

    assert len(first.came) > 2
    assert (again.gone, list(again.came)) == (0, [])
    assert (later.gone, [one.event["told"] for one in later.came]) == (0, ["Zel narrates: “C.”"])


def test_what_was_not_told_because_the_record_could_not_be_read_is_told_later(
    campaign: retold.Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder = FeedBuilder("table")
    builder.look(campaign)
    campaign.say("narrate Zel: C.")
    with monkeypatch.context() as patch:

        def away(_self: FeedBuilder, _reading: retold.Reading) -> None:
            raise retold.StoreError("club cannot be reached.")

        patch.setattr(FeedBuilder, "_laid", away)
        with pytest.raises(retold.StoreError):
            builder.look(campaign)
        builder.begin_anew()
        with pytest.raises(retold.StoreError):
            builder.look(campaign)
        builder.begin_anew()
    later = builder.look(campaign)

    assert (later.gone, [one.event["told"] for one in later.came]) == (0, ["Zel narrates: “C.”"])
