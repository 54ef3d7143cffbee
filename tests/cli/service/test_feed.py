"""The feed: every event once, in order, through lost connections and restarted phones."""

from __future__ import annotations

import asyncio
import json
from urllib.parse import quote

import pytest

import retold
from retold.cli.service.feeds import MESSAGES, RECENT, Feed, Item, Update
from tests.cli.service.conftest import CONFLICT
from tests.cli.service.phone import Phone, Serving, Stream


def begun(phone: Phone, cursor: str | None = None) -> Stream:
    """A feed whose first words have come."""
    stream = phone.follow(cursor)
    stream.hear("board")
    return stream


def words(stream: Stream, number: int) -> list[str]:
    """The next so many events as they are told."""
    told: list[str] = []
    while len(told) < number:
        told += [one["told"] for one in stream.hear("happened").data["events"]]
    return told


def test_own_acts_reach_the_feed(gm: Phone, jon: Phone) -> None:
    stream = begun(jon)
    gm.ask("say", {"line": "narrate Zel: A dog barks.", "id": "say-number-1"})

    assert words(stream, 1) == ["Zel narrates: “A dog barks.”"]
    stream.leave()


def test_other_programs_acts_reach_the_feed(service: Serving, jon: Phone) -> None:
    stream = begun(jon)
    with retold.open(service.campaign.place) as console:
        console.play("narrate Zel: A dog barks.\nnarrate Odo: It stops.\n")

    assert words(stream, 2) == ["Zel narrates: “A dog barks.”", "Odo narrates: “It stops.”"]
    stream.leave()


def test_a_reconnecting_client_hears_missed_events_once(service: Serving, jon: Phone) -> None:
    stream = begun(jon)
    service.campaign.say("narrate Zel: One.")
    cursor = stream.hear("happened").id
    stream.leave()
    service.campaign.play("narrate Zel: Two.\nnarrate Zel: Three.\n")

    again = jon.follow(cursor)

    assert words(again, 2) == ["Zel narrates: “Two.”", "Zel narrates: “Three.”"]
    service.campaign.say("narrate Zel: Four.")
    assert words(again, 1) == ["Zel narrates: “Four.”"]
    again.leave()


def test_a_cursor_is_good_after_the_service_was_started_anew(service: Serving, jon: Phone) -> None:
    cursor = jon.ask("happened").body["cursor"]
    service.campaign.say("narrate Zel: Two.")
    service.shelf.served[service.slug].followed.clear()  # all that a new process does not have

    assert words(jon.follow(cursor), 1) == ["Zel narrates: “Two.”"]


@pytest.mark.parametrize(
    "change",
    [
        "undo",
        "retcon @: Snow.",
        "redact @",
        "branch kinder 8 --to table",
        "narrate Odo --at 8: And a bell.\nundo\nundo",
    ],
)
def test_what_was_told_and_is_no_longer_so_is_a_reset(service: Serving, jon: Phone, change: str) -> None:
    stream = begun(jon)
    service.campaign.say("narrate Zel: Rain.")
    cursor = stream.hear("happened").id
    service.campaign.play(change)

    assert stream.hear("reset").data == {}
    assert stream.hear("board", "happened") == ("board", jon.ask("board").body, None)
    assert jon.follow(cursor).hear("reset", "happened").event == "reset"
    known = [one["told"] for one in jon.ask("happened").body["events"]]
    assert known == [one.told for one in service.campaign.seen_by("Jon").happened()]


def test_a_switch_at_the_console_is_a_reset(service: Serving, jon: Phone) -> None:
    service.campaign.play(
        "narrate Zel: Rain.\nbranch kinder @-1 --to table\nnarrate Zel: Sun.\nswitch mainline"
    )
    stream = begun(jon)
    served = service.shelf.served[service.slug]
    kinder = {name: number for number, name in served.campaign.shared.store.lines().items()}["kinder"]
    served.settings.choose_line(served.campaign.id, kinder)

    stream.hear("reset")
    assert jon.ask("happened").body["events"][-1]["told"] == "Zel narrates: “Sun.”"


def test_undoing_a_secret_does_not_reset_other_viewers(service: Serving, jon: Phone) -> None:
    stream = begun(jon)
    service.campaign.say("narrate gm --gm: A shadow.")
    service.campaign.say("undo")
    service.campaign.say("narrate Zel: Rain.")

    assert stream.hear("happened", "reset").event == "happened"
    stream.leave()


def test_a_name_no_longer_in_use_ends_the_feed(service: Serving) -> None:
    service.campaign.say("cast Bolt by=Ann")
    ann = service.phone("Ann")
    stream = begun(ann)
    service.campaign.say("undo")

    assert stream.rest()[-1].event == "gone"
    assert ann.ask("can").status == 422


def test_an_unknown_cursor_is_a_reset(jon: Phone) -> None:
    assert jon.follow("e000000000000.0123456789abcdef").hear("reset", "happened").event == "reset"


def test_all_who_look_through_the_same_eyes_share_one_feed(service: Serving, jon: Phone) -> None:
    streams = [begun(jon) for _ in range(3)]
    service.campaign.say("narrate Zel: Rain.")

    assert [words(one, 1) for one in streams] == [["Zel narrates: “Rain.”"]] * 3
    assert list(service.shelf.served[service.slug].followed) == [service.campaign.lasting("Jon")]
    for one in streams:
        one.leave()


# --- the feed by itself -----------------------------------------------------------------------------------


def update(*names: str, gone: int = 0) -> Update:
    return Update(gone, [Item(f"{name}.x", {"id": name}) for name in names], {}, {})


def fed(*updates: Update) -> Feed:
    feed = Feed()
    for one in updates:
        feed.publish(one)
    return feed


def test_since_a_cursor_is_what_came_after_it() -> None:
    feed = fed(update("a", "b"), update("c"))

    assert [one["id"] for one in feed.since("a.x") or ()] == ["b", "c"]
    assert feed.since("c.x") == []
    assert [one["id"] for one in feed.since("0") or ()] == ["a", "b", "c"]
    assert feed.since(None) == []


def test_since_what_is_gone_there_is_no_telling() -> None:
    feed = fed(update("a", "b"), update("c", gone=1))

    assert feed.since("b.x") is None
    assert [one["id"] for one in feed.since("a.x") or ()] == ["c"]


def test_too_long_ago_is_told_anew() -> None:
    feed = fed(update(*(f"e{number}" for number in range(RECENT + 1))))

    assert feed.since("0") is None
    assert len(feed.since("e0.x") or ()) == RECENT


async def heard(feed: Feed, most: int, slow: int) -> list[bytes]:
    """The first messages a follower gets, who takes a nap after three while so many are sent."""
    found: list[bytes] = []
    async for one in feed.follow(None, lambda: True):
        found.append(one.split(b"\r\n")[0 if b"id:" not in one else 1])
        if len(found) == 3:
            for number in range(slow):
                feed.publish(update(f"n{number}"))
        if len(found) == most:
            break
        if len(found) == 2:
            feed.publish(update("first"))
    return found


@pytest.mark.parametrize(("slow", "then"), [(MESSAGES, b"event: happened"), (MESSAGES + 1, b"event: reset")])
def test_a_slow_reader_is_told_to_reload(slow: int, then: bytes) -> None:
    found = asyncio.run(heard(fed(update("a")), 4, slow))

    assert found == [b"event: happened", b"event: board", b"event: happened", then]


# --- what lies on the table, and what lay there -----------------------------------------------------------


def test_the_board_comes_first_and_then_what_changes_on_it(service: Serving, jon: Phone) -> None:
    stream = jon.follow()
    board = stream.hear("board").data["board"]
    assert board == jon.ask("board").body["board"]
    service.campaign.play(CONFLICT)
    service.campaign.say("draw Zel clubs+melee = KS 10S 9S 8S 7S 6S")
    now = jon.ask("board").body["board"]

    while board != now:
        for key, thing in stream.hear("happened").data["delta"].items():
            board = (
                {**board, key: thing} if thing is not None else {k: v for k, v in board.items() if k != key}
            )
    assert board["conflict:1"]["title"] == "Out by the stair"
    stream.leave()


def test_an_earlier_moment_is_looked_at_beside_the_live_line(service: Serving, jon: Phone) -> None:
    before = jon.ask("board").body["board"]
    event = jon.ask("happened").body["events"][-1]["id"]
    service.campaign.play(CONFLICT)

    assert jon.ask(f"board?at={event}").body["board"] == before
    assert jon.ask("board").body["board"] != before
    assert jon.ask(f"view/decks?at={event}").status == 200


@pytest.mark.parametrize("at", ["412", "#4", "s1:2", "kinder@3", "a-mark", "e12", "", "e000000000000"])
def test_a_player_names_no_moment_by_what_only_the_game_master_knows(jon: Phone, at: str) -> None:
    assert jon.ask(f"board?at={quote(at)}").status == 422


def test_the_game_master_looks_at_any_moment_and_line(service: Serving, gm: Phone, jon: Phone) -> None:
    service.campaign.play("branch kinder\nnarrate Zel: Sun.\nswitch mainline\nnarrate Zel: Rain.")

    assert gm.ask("board?at=s1").status == 200
    assert gm.ask("board?at=kinder@9").status == 200
    assert "Sun." in str(gm.ask("replay?branch=kinder").body)
    assert jon.ask("replay?branch=kinder").status == 422


def test_a_replay_is_told_in_the_language_of_the_service(service: Serving, jon: Phone) -> None:
    (served,) = service.shelf.served.values()
    served.settings = served.settings._replace(environment={"RETOLD_LANG": "de"})
    del served.voice  # as if it had been opened so

    page = jon.ask("replay.html").raw.decode()
    assert '<html lang="de">' in page
    assert "Zurück zum Tisch" in page
    assert "Umschalt" in page
    assert jon.ask("replay").body["lang"] == "de"


def test_the_replay_is_that_of_the_library(service: Serving, jon: Phone) -> None:
    service.campaign.play(CONFLICT)

    assert (
        jon.ask("replay").raw
        == json.dumps(service.campaign.seen_by("Jon").replay().to_json(), ensure_ascii=False).encode()
    )
    service.campaign.say("say Zel: On.")
    assert "Zel says: “On.”" in jon.ask("replay").raw.decode()


# --- who may see an event ---------------------------------------------------------------------------------


def test_an_event_says_who_may_see_it(service: Serving, gm: Phone, jon: Phone) -> None:
    streams = gm.follow(), jon.follow()
    for one in streams:
        one.hear("board")
    service.campaign.say("say Odo --to Zel+Jon: Run.")
    told = [one.hear("happened").data["events"] for one in streams]
    for one in streams:
        one.leave()

    assert [events[-1]["visible_to"] for events in told] == [["Zel", "Jon"]] * 2
    assert [one.ask("happened?last=1").body["events"][0]["visible_to"] for one in (gm, jon)] == [
        ["Zel", "Jon"]
    ] * 2


def test_an_event_that_is_revealed_is_told_anew_with_those_who_may_see_it(
    service: Serving, gm: Phone
) -> None:
    service.campaign.say("note --gm: The wombat waits.")
    assert gm.ask("happened?last=1").body["events"][0]["visible_to"] == "gm"
    stream = gm.follow()
    stream.hear("board")
    service.campaign.say("reveal @ --to Jon")
    stream.hear("reset")
    stream.leave()

    assert gm.ask("happened?last=2").body["events"][0]["visible_to"] == ["Jon"]
