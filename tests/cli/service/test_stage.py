"""The stage is the table's, whosever link opens it: a secret is searched for in all that it is ever sent."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from retold.cli.service.app import STAGED
from retold.projections.views import VIEWS
from tests.cli.service.phone import Phone, Serving

SECRETS = ("wombat", "numbat", "quokka", "dugong", "bilby")
PLANTED = """
narrate gm --gm: The wombat waits in the cellar.
say Zel --to Odo: The numbat comes.
note --gm: The quokka is next.
mark --gm dugong
"""
LATER = """
narrate gm --gm: A second wombat.
say Odo --to Zel: Another numbat.
declare Zel --gm: The bilby is mine.
narrate gm: That is all.
"""


@pytest.fixture
def stage(service: Serving, gm: Phone) -> Phone:
    """The stage, opened by the game master's link, once there are secrets."""
    service.campaign.play(PLANTED)
    return gm


def looked_at_all(phone: Phone, below: str) -> None:
    """Asks for everything that the stage has an address for."""
    for name in ("", "/here.json", "/happened", "/happened?last=500", "/happened?after=0", "/board"):
        phone.ask(f"{below}{name}", Accept="application/json")
    for name in ("happened.json", "board.json", "replay", "replay.json", "replay?part=s1"):
        phone.ask(f"{below}/{name}")
    for moment in ("5", "@-3", "s1", "mainline@5"):
        phone.ask(f"{below}/board?at={quote(moment)}")
    for one in phone.ask(f"{below}/happened?last=500").body["events"]:
        phone.ask(f"{below}/board?at={one['id']}")
    for view in VIEWS:
        phone.ask(f"{below}/view/{view}")
    phone.ask(f"{below}", Accept="text/html")


def test_every_address_of_the_stage_is_the_tables_by_the_game_masters_link(stage: Phone) -> None:
    stage.received = b""
    looked_at_all(stage, "stage")

    assert b"The tide is out." in stage.received
    assert [word for word in SECRETS if word in stage.received.decode()] == []
    here = stage.ask("stage/here.json").body
    assert (here["viewer"], here["director"], here["plays"]) == ("table", False, [])


def test_the_stage_treats_a_hidden_mark_as_unknown(stage: Phone) -> None:
    hidden, none = (stage.ask(f"stage/board?at={mark}") for mark in ("dugong", "gudong"))

    assert hidden.status == none.status != stage.ask("board?at=dugong").status
    assert hidden.body["error"].replace("dugong", "gudong") == none.body["error"]


def test_the_same_search_finds_the_secrets_at_the_game_masters_own_addresses(stage: Phone) -> None:
    stage.received = b""
    for path in ("happened", "replay", "view/untold", "board?at=dugong"):
        stage.ask(path)

    assert [word for word in SECRETS if word in stage.received.decode()] == [
        "wombat",
        "numbat",
        "quokka",
        "dugong",
    ]


def test_the_feed_of_the_stage_is_the_tables_by_the_game_masters_link(service: Serving, stage: Phone) -> None:
    staged, own = stage.follow("0", below="stage/"), stage.follow("0")
    for one in (staged, own):
        one.hear("board")
    service.phone("Jon").ask("proposals", {"id": "jon-number-1", "line": "say Zel --to Odo: A wombat?"})
    service.campaign.play(LATER)
    for one in (staged, own):
        while b"That is all." not in one.raw:
            one.hear("happened", "proposal")
        one.leave()

    assert [word for word in SECRETS if word in staged.raw.decode()] == []
    assert b"event: proposal" not in staged.raw
    assert [word for word in ("wombat", "numbat", "bilby") if word in own.raw.decode()] == [
        "wombat",
        "numbat",
        "bilby",
    ]


def test_the_stage_is_sent_the_same_bytes_whosever_link_it_is(service: Serving, stage: Phone) -> None:
    every = [stage, *(service.phone(name) for name in ("table", "Jon", "Kit"))]
    for name in STAGED:
        if name != "feed":
            path = f"stage/{name.replace('{name:str}', 'cast')}"
            assert len({one.ask(path).raw for one in every}) == 1, path


@pytest.mark.parametrize(
    "path", ["say", "check", "proposals", "proposals/jon-number-1", "can", "complete", "leave"]
)
def test_nothing_can_be_said_at_the_stage(stage: Phone, path: str) -> None:
    assert stage.ask(f"stage/{path}", {"line": "narrate gm: Ha.", "id": "say-number-1"}).status in (404, 405)


def test_the_stage_asks_at_its_own_addresses_alone(stage: Phone) -> None:
    page = stage.ask("/pages/stage.js").raw.decode()

    assert "new URL(`stage/${path}`, location.href)" in page
    assert page.count("location.href") == 1


def test_a_link_that_shows_nothing_shows_no_stage(service: Serving, gm: Phone) -> None:
    service.campaign.play("cast Bolt by=Ann\n")
    ann = service.phone("Ann")
    service.campaign.play("branch kinder @-1 --to table\nnarrate Zel: Sun.\n")

    assert ann.ask("happened").status == 422
    assert [ann.ask(f"stage/{name}").status for name in ("here.json", "happened", "board", "replay")] == [
        422
    ] * 4
    assert "Sun." in gm.ask("stage/happened").raw.decode()
