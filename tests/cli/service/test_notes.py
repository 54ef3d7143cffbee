"""Readers' notes: left at an event, for the game master, for others once they are shown, never recorded."""

from __future__ import annotations

from typing import Any

import pytest

from retold.margin.addresses import notes
from tests.cli.service.phone import Phone, Serving


def event(phone: Phone, words: str) -> str:
    """The id of the event with these words, as somebody has it."""
    events = phone.ask("happened").body["events"]
    return str(next(one["id"] for one in events if words in one["told"]))


def leave(phone: Phone, at: str, words: str, id_: str = "note-0001", **more: str) -> Any:  # noqa: ANN401 -- JSON
    return phone.ask("notes", {"id": id_, "event": at, "words": words, **more})


def read(phone: Phone) -> list[tuple[str, str, bool]]:
    return [(one["who"], one["words"], one["shown"]) for one in phone.ask("notes").body["notes"]]


def test_a_note_is_the_game_masters_until_it_is_shown(
    service: Serving, gm: Phone, jon: Phone, kit: Phone
) -> None:
    position = service.campaign.position
    left = leave(jon, event(jon, "The tide is out."), "Lovely.")

    assert (left.status, left.body["note"]["mine"]) == (200, True)
    assert read(gm) == read(jon) == [("Jon", "Lovely.", False)]
    assert read(kit) == []
    assert gm.ask("notes").body["notes"][0]["event"] == event(gm, "The tide is out.")

    assert gm.ask("notes/note-0001", {"show": True}).status == 200
    assert read(kit) == [("Jon", "Lovely.", True)]
    assert kit.ask("notes").body["notes"][0]["event"] == event(kit, "The tide is out.")
    assert gm.ask("notes/note-0001", {"show": False}).status == 200
    assert read(kit) == []
    assert service.campaign.position == position


def test_a_note_at_an_event_that_a_reader_may_not_know_of_is_not_shown_to_them(
    service: Serving, gm: Phone, jon: Phone, kit: Phone
) -> None:
    service.campaign.say("narrate gm --to Jon: A lamp.")
    lamp = event(jon, "A lamp.")

    assert leave(kit, lamp, "I know it.", "note-0002").status == 422
    leave(jon, lamp, "So there is one.")
    gm.ask("notes/note-0001", {"show": True})

    assert read(kit) == []
    assert read(service.phone("table")) == []
    assert read(gm) == read(jon) == [("Jon", "So there is one.", True)]


def test_readers_with_the_link_of_the_table_name_themselves_and_read_shown_notes(
    service: Serving, gm: Phone
) -> None:
    table = service.phone("table")
    at = event(table, "The tide is out.")

    leave(table, at, "First.", by="  Ada <b> ")
    leave(table, at, "Second.", "note-0002")

    assert read(table) == []
    assert [who for who, _, _ in read(gm)] == ["Ada <b>", "A reader"]


def test_a_note_is_deleted_by_its_author_or_the_game_master(gm: Phone, jon: Phone, kit: Phone) -> None:
    at = event(jon, "The tide is out.")
    for number in (1, 2):
        leave(jon, at, "Hm.", f"note-000{number}")

    assert kit.ask("notes/note-0001", {"delete": True}).status == 404
    assert jon.ask("notes/note-0001", {"show": True}).status == 403
    assert jon.ask("notes/note-0001", {"delete": True}).status == 200
    assert gm.ask("notes/note-0002", {"delete": True}).body["notes"] == []
    assert gm.ask("notes/note-0002", {"show": True}).status == 404


def test_the_same_note_again_is_one(gm: Phone, jon: Phone, kit: Phone) -> None:
    at = event(jon, "The tide is out.")
    for _ in range(2):
        assert leave(jon, at, "Hm.").status == 200

    assert len(read(gm)) == 1
    assert "That id is taken" in leave(kit, event(kit, "The tide is out."), "Mine.").body["error"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"words": "  "}, "A note has 1 to 2000 letters."),
        ({"words": "x" * 2001}, "A note has 1 to 2000 letters."),
        ({"event": "e0123456789ab"}, "e0123456789ab"),
        ({"id": "short"}, "An id is 8 to 64 letters, digits, - and _."),
    ],
)
def test_invalid_notes_are_refused(gm: Phone, jon: Phone, body: dict[str, str], said: str) -> None:
    good = {"id": "note-0001", "event": event(jon, "The tide is out."), "words": "Hm."}
    answer = jon.ask("notes", {**good, **body})

    assert answer.status == 422
    assert said in answer.body["error"]
    assert read(gm) == []


def test_too_many_notes_are_refused(
    gm: Phone, jon: Phone, kit: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = event(jon, "The tide is out.")
    came = [leave(jon, at, "Hm.", f"note-000{number}").status for number in range(notes.MOST_A_MINUTE + 1)]

    assert came == [200] * notes.MOST_A_MINUTE + [422]
    monkeypatch.setattr(notes, "MOST", notes.MOST_A_MINUTE)
    said = leave(kit, event(kit, "The tide is out."), "Hm.", "note-of-kit").body["error"]
    assert said == f"There are {notes.MOST} notes: the game master can delete some."


def test_a_redaction_deletes_a_note_with_its_words(service: Serving, gm: Phone, jon: Phone) -> None:
    leave(jon, event(jon, "The tide is out."), "The tide is out: so good.")
    leave(jon, event(jon, "The tide is out."), "Rain.", "note-0002")

    at = event(gm, "The tide is out.").removeprefix("e")
    service.campaign.say(f"redact {at}")

    assert [words for _, words, _ in read(gm)] == ["Rain."]


def test_the_page_of_a_replay_loads_what_notes_need(jon: Phone) -> None:
    page = jon.ask("replay.html", Accept="text/html").raw.decode()

    assert (page.count("/pages/notes.js"), page.count("/pages/notes.css")) == (1, 1)
