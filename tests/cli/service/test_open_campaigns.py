"""Which campaigns of a server a node keeps open: those somebody uses, and of the others not too many."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

import retold
from cli.service.served_campaigns import (
    MOST_OPEN,
    UNUSED_SECONDS,
    Feed,
    FeedBuilder,
    Followed,
    ServedCampaign,
    ServedCampaigns,
)


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


def test_who_reads_anew_tells_only_what_differs(campaign: retold.Campaign) -> None:
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
