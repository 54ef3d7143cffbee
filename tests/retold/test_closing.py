"""A closed campaign says that it is closed, whatever is asked of it; what follows it ends."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

import retold

STILL_KNOWN = {"close", "lasting", "missed", "path", "place", "replay_page", "viewer"}
"""What needs no open file; `lasting` of `gm` or `table`."""


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[retold.Campaign]:
    with retold.new(tmp_path / "salt.retold", title="The Salt Road") as campaign:
        campaign.play("cast gm by=Mary\ncast Zel bruise by=Jon clubs=4 melee=2\nsession One\n")
        yield campaign


def asked(reading: retold.Reading, name: str) -> object:
    """What a name of a reading gives: its value, or its result for made-up arguments."""
    found = getattr(type(reading), name)
    if isinstance(found, property):
        return getattr(reading, name)
    parameters = list(inspect.signature(found).parameters.values())[1:]
    wanted = [one for one in parameters if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
    named = [one for one in parameters if one.default is one.empty and one.kind is one.KEYWORD_ONLY]
    return found(reading, *("1" for _ in wanted), **{one.name: "1" for one in named})


@pytest.mark.parametrize("of", ["campaign", "reading"])
def test_L11_whatever_is_asked_of_a_closed_campaign_it_says_that_it_is_closed(
    campaign: retold.Campaign, of: str
) -> None:
    reading = campaign if of == "campaign" else campaign.seen_by("Jon")
    fields = {*retold.Campaign.__dataclass_fields__}
    names = [
        name
        for name in dir(type(reading))
        if not name.startswith("_") and name not in STILL_KNOWN | fields and name != "of"
    ]
    campaign.close()

    said = {}
    for name in names:
        with pytest.raises(retold.Closed) as closed:
            asked(reading, name)
        said[name] = str(closed.value)

    assert {"say", "follow", "recorder", "view", "tell", "position"} & said.keys() or of == "reading"
    assert set(said.values()) == {f"{campaign.path} is closed: open it again."}


def test_L11_it_is_an_error_of_the_record_and_closing_again_is_none(campaign: retold.Campaign) -> None:
    campaign.close()
    campaign.close()

    with pytest.raises(retold.StoreError, match="is closed"):
        campaign.lasting("Jon")


def test_L11_a_follow_ends_when_another_thread_closes_the_campaign(campaign: retold.Campaign) -> None:
    follows, told = Event(), []

    def follow() -> None:
        for event in campaign.follow(campaign.position - 1):
            told.append(event.kind)
            follows.set()

    with ThreadPoolExecutor(1) as threads:
        following = threads.submit(follow)
        assert follows.wait(30)
        campaign.close()
        following.result(30)

    assert told == ["table.session-opened"]


def test_L11_what_was_read_before_is_still_there(campaign: retold.Campaign) -> None:
    campaign.say("narrate Zel: Rain.")
    cast, recap, replay = campaign.view("cast"), campaign.recap(), campaign.replay()
    campaign.close()

    assert cast.sheet().rows
    assert list(recap.lines())
    assert replay.to_json()["lines"]
