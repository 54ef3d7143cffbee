"""Chats in JSON of Matrix and Slack: names, edits, replies, notices, files, and damaged exports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from retold.journal.refused import Refused
from retold.sources import Unit, read
from retold.sources.unit import Reason, Sort

TAM = "@tam:x.example"


def units(path: Path, family: str) -> list[Unit]:
    source = read(path)
    report = source.report()
    assert (source.family, report.pieces) == (family, report.counted)
    return list(source)


def told(found: list[Unit]) -> list[tuple[str, Sort, str]]:
    return [(one.speaker, one.sort, one.text) for one in found if one.is_read]


def event(number: int, kind: str = "m.room.message", sender: str = TAM, **content: object) -> dict[str, Any]:
    body = {"msgtype": "m.text", **content} if kind == "m.room.message" else content
    sent_at = 1_772_394_000_000 + number
    return {
        "type": kind,
        "sender": sender,
        "event_id": f"${number}",
        "origin_server_ts": sent_at,
        "content": body,
    }


def room(tmp_path: Path, *events: dict[str, Any]) -> Path:
    path = tmp_path / "room.json"
    path.write_text(json.dumps({"room_name": "The Weir", "messages": events}), "utf-8")
    return path


def test_a_room_of_matrix_is_read(tmp_path: Path) -> None:
    edited = {"rel_type": "m.replace", "event_id": "$2"}
    edit: dict[str, Any] = {"body": "* x", "m.new_content": {"body": "I row."}, "m.relates_to": edited}
    member = {**event(1, "m.room.member", displayname="Tamsin"), "state_key": "@tam:x.example"}
    reply: dict[str, Any] = {
        "body": "> <@a> old\n\nNew.",
        "m.relates_to": {"m.in_reply_to": {"event_id": "$2"}},
    }
    found = units(
        room(
            tmp_path,
            member,
            event(2, body="I roe."),
            event(3, sender="@una:x.example", msgtype="m.emote", body="waits"),
            event(4, **edit),
            event(5, **reply),
            event(6, msgtype="m.image", body="weir.png"),
            event(7, "m.reaction"),
            event(8, "m.room.encrypted", ciphertext="abc"),
        ),
        "matrix",
    )

    assert told(found) == [
        ("Tamsin", Sort.SAID, "I row."),
        ("una", Sort.TOLD, "waits"),
        ("Tamsin", Sort.SAID, "New."),
        ("Tamsin", Sort.SAID, ""),
    ]
    assert {place: one.left_out for place, one in enumerate(found) if one.left_out} == {
        0: Reason.NOTICE,
        3: Reason.REPEAT,
        6: Reason.REACTION,
    }
    assert (found[1].edited, found[4].answers, found[7].unread) == (True, "$2", True)
    assert found[5].attached == ("[picture: weir.png]",)


def sent(number: int, text: str, user: str = "U7", **more: object) -> dict[str, Any]:
    return {"type": "message", "user": user, "text": text, "ts": f"1772394{number:03}.000100", **more}


MESSAGES = [
    sent(1, "has joined", subtype="channel_join"),
    sent(2, "I *row* &amp; wait, <@U8>. <https://x.example|A map>", user_profile={"display_name": "Tam"}),
    sent(3, "waits", user="U8", subtype="me_message"),
    sent(4, "", files=[{"name": "weir.png"}]),
]
SAID = [
    ("Tam", Sort.ASIDE, "I **row** & wait, @Una. A map"),
    ("Una", Sort.TOLD, "waits"),
    ("Tam", Sort.SAID, ""),
]


def test_an_export_of_slack_has_names_from_the_file_beside(tmp_path: Path) -> None:
    (tmp_path / "export" / "weir").mkdir(parents=True)
    users = [{"id": "U8", "name": "u", "profile": {"real_name": "Una"}}]
    (tmp_path / "export" / "users.json").write_text(json.dumps(users), "utf-8")
    (tmp_path / "export" / "weir" / "2026-03-01.json").write_text(json.dumps(MESSAGES), "utf-8")
    found = units(tmp_path / "export", "slack")

    assert told(found) == SAID
    assert {one.channel for one in found} == {"weir"}


def test_replies_inside_a_message_of_slackdump_stand_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "C1.json"
    reply = sent(9, "Under the weir.", "U9", thread_ts="1772394001.000100")
    messages = [sent(1, "Where?", slackdump_thread_replies=[reply]), sent(2, "Ah.")]
    path.write_text(json.dumps({"name": "weir", "messages": messages}), "utf-8")
    found = units(path, "slack")

    assert [one.text for one in found] == ["Where?", "Under the weir.", "Ah."]
    assert found[1].answers == found[0].key
    assert not any("U9" in one.speaker for one in found)


@pytest.mark.parametrize("text", ['{"messages": [{"origin_server_ts": 1}', '[{"ts": "1772394001.000100"}'])
def test_a_chat_that_is_cut_off_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "chat.json"
    path.write_text(text, "utf-8")
    with pytest.raises(Refused, match="cut off or damaged"):
        read(path).report()
