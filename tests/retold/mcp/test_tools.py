"""What an assistant is answered: items with ids, people and links, as one viewer may know them."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client

import retold
from tests.retold.mcp.assistant import Assistant, begun, opened


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[retold.Campaign]:
    with begun(tmp_path / "ferry.retold") as campaign:
        yield campaign


@pytest.fixture
def table(campaign: retold.Campaign) -> Assistant:
    return Assistant(opened(campaign, "table"))


@pytest.fixture
def gm(campaign: retold.Campaign) -> Assistant:
    return Assistant(opened(campaign, "gm"))


def test_the_tools_are_those_of_a_reader(table: Assistant) -> None:
    tools = table.told(lambda client: client.list_tools()).tools

    assert [tool.name for tool in tools] == [
        *("campaigns", "recap", "session", "happened", "who", "search"),
        *("threads", "board", "compare", "can", "check"),
    ]
    assert all(tool.annotations.read_only_hint and tool.description for tool in tools)
    assert all(tool.input_schema["type"] == "object" for tool in tools)


def test_a_campaign_says_as_whom_it_is_read(campaign: retold.Campaign) -> None:
    found = Assistant(opened(campaign, "Kim")).ask("campaigns")["campaigns"]

    assert found == [
        {
            "name": "ferry",
            "title": "The Salt Road",
            "viewer": "Kim",
            "plays": ["Ana", "Kim"],
            "sessions": [1, 2],
            "branches": ["mainline"],
        }
    ]


def test_a_session_has_each_paragraph_with_who_tells_it(table: Assistant) -> None:
    items = table.items("session", n=1)

    told = [(item["kind"], item.get("who"), item["text"]) for item in items]
    assert ("scene", None, "The quay, at night") in told
    assert ("narration", "Ana", "I cut the rope behind him, and the ferry swings out.") in told
    rope = next(item for item in items if item.get("who") == "Ana")
    assert rope["link"] == f"replay.html?part=s1#{rope['id']}"


def test_the_book_has_every_session(table: Assistant) -> None:
    texts = [item.get("text") for item in table.items("session", n="book")]

    assert texts.index("The ferryman pushes off without a word.") < texts.index("I go ashore first.")


def test_what_happened_is_the_log_with_the_link_of_each_event(gm: Assistant) -> None:
    items = gm.items("happened", limit=3)

    paid = next(item for item in items if "paid by the captain" in item["text"])
    assert paid["who"] == "the game master"
    assert paid["readers"] == "gm"
    assert paid["link"] == f"replay.html?part=s1#{paid['id']}"
    last = items[-1]
    assert last["link"].startswith("replay.html?part=s2#")


def test_the_id_of_an_event_is_a_place_too(table: Assistant) -> None:
    items = table.items("happened")

    assert table.ask("happened", after=items[4]["id"])["items"] == items[5:]


def test_a_person_a_search_a_thread_and_the_board(table: Assistant) -> None:
    assert {"kind": "Who", "id": "", "text": "A smuggler"} in table.items("who", name="Zel")
    assert [item["who"] for item in table.items("search", words="ferry swings")] == ["Ana"]
    (thread,) = table.items("threads")
    assert (thread["name"], thread["closed"]) == ("Who lit the lanterns", None)
    before = {item["id"] for item in table.items("board", at="s1")}
    assert {"at", "who:2"} <= before
    assert table.ask("recap")["items"][0]["what"] == "title"


def test_two_moments_are_compared(table: Assistant) -> None:
    items = table.items("compare", one="cast-off")

    assert "I go ashore first." in [item.get("text") for item in items]
    assert "I run for the boat and do not look back at the lanterns." not in str(items)


def test_lines_that_a_player_may_say_now(campaign: retold.Campaign) -> None:
    campaign.play('conflict "On the bank" bruise Zel vs Guards: freedom')

    found = Assistant(opened(campaign, "Jon")).items("can")

    assert found
    assert {item["who"] for item in found} == {"Zel"}


def test_a_text_is_held_against_the_record(table: Assistant) -> None:
    text = "# The ferry\n\nAna cut the rope. Bob swam."

    found = [(item["paragraph"], item["verdict"]) for item in table.items("check", text=text)]

    assert found == [(1, "told"), (2, "told"), (2, "not-in-record")]


SECRET = "The ferryman is paid by the captain of the watch."


def test_the_game_master_learns_what_is_not_for_the_reader(gm: Assistant) -> None:
    (found,) = gm.items("check", text=SECRET)
    (known,) = gm.items("check", text=SECRET, reader="gm")

    assert (found["verdict"], known["verdict"]) == ("not-for-reader", "told")


def test_a_reader_never_learns_that_a_secret_is_true(table: Assistant) -> None:
    (found,) = table.items("check", text=SECRET)
    (made_up,) = table.items("check", text="The ferryman is paid by the mother of the watch.")

    assert found["verdict"] != "not-for-reader"
    assert {**found, "text": ""} == {**made_up, "text": ""}
    assert table.said("check", text=SECRET, reader="gm") == "Only the game master may name a reader."


# --- changes between two calls


def test_new_events_follow_the_cursor(campaign: retold.Campaign, table: Assistant) -> None:
    cursor = table.ask("happened")["cursor"]
    campaign.play("narrate gm --gm: Morvane counts them.\nnarrate Ana: I follow.")

    page = table.ask("happened", after=cursor)

    assert [item["text"] for item in page["items"]] == ["Ana narrates: “I follow.”"]
    assert table.ask("happened", after=page["cursor"])["items"] == []


@pytest.mark.parametrize(
    "line",
    [
        "undo",
        "retcon {}: I go last.",
        "redact {}: Not so.",
        "retcon {} --as narrate Zel: I wait.\nbranch promote retcon",
    ],
)
def test_a_change_of_what_was_sent_is_a_reset(campaign: retold.Campaign, table: Assistant, line: str) -> None:
    cursors = {tool: table.ask(tool, **more)["cursor"] for tool, more in PAGED.items()}
    campaign.play(line.replace("{}", str(campaign.position)))

    resets = {tool for tool, more in PAGED.items() if "reset" in table.ask(tool, after=cursors[tool], **more)}

    assert resets == {"happened", "session"}
    assert "I go ashore first." not in str(table.items("happened"))


def test_a_link_leads_to_the_session_of_its_event_after_an_undo(
    campaign: retold.Campaign, table: Assistant
) -> None:
    campaign.play("end session\nsession Three")
    assert table.items("happened")[-1]["link"].startswith("replay.html?part=s3#")
    campaign.play("undo\nundo\nnarrate Ana: I follow.")

    assert table.items("happened")[-1]["link"].startswith("replay.html?part=s2#")


PAGED: dict[str, dict[str, Any]] = {"happened": {}, "session": {"n": 2}, "threads": {}}


def test_two_campaigns_are_told_apart_by_name(campaign: retold.Campaign, tmp_path: Path) -> None:
    with begun(tmp_path / "other.retold") as other:
        other.play("narrate Zel: Elsewhere.")
        second = opened(other, "table")
        second.name = "other"
        both = Assistant(opened(campaign, "table"), second)

        assert "Elsewhere." in str(both.items("session", campaign="other", n=2))
        assert "Elsewhere." not in str(both.items("session", campaign="ferry", n=2))
        assert both.said("recap") == "Name a campaign: ferry, other."


# --- resources and prompts


def test_evenings_and_the_book_are_resources(table: Assistant) -> None:
    found = table.told(lambda client: client.list_resources()).resources

    assert [one.uri for one in found] == ["retold://ferry/book", "retold://ferry/s1", "retold://ferry/s2"]
    (content,) = table.told(lambda client: client.read_resource("retold://ferry/s2")).contents
    assert "I go ashore first." in content.text
    more = table.told(lambda client: client.list_resource_templates()).resource_templates
    assert [one.uri_template for one in more] == ["retold://{campaign}/{session}{?after}"]


def test_prompts_say_which_tools_to_call(table: Assistant) -> None:
    names = [one.name for one in table.told(lambda client: client.list_prompts()).prompts]

    assert names == ["recap", "blurb", "chapter"]
    for name in names:
        (message,) = table.told(partial(_second, name)).messages
        assert "session 2" in message.content.text
        assert "`check`" in message.content.text


def _second(name: str, client: Client) -> Awaitable[types.GetPromptResult]:
    return client.get_prompt(name, {"session": "2"})
