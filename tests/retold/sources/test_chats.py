"""Chats in JSON of Slack: names, edits, replies, notices, files, and damaged exports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from retold.journal.refused import Refused
from retold.sources import Unit, read
from retold.sources.unit import Sort


def units(path: Path, family: str) -> list[Unit]:
    source = read(path)
    report = source.report()
    assert (source.family, report.pieces) == (family, report.counted)
    return list(source)


def told(found: list[Unit]) -> list[tuple[str, Sort, str]]:
    return [(one.speaker, one.sort, one.text) for one in found if one.is_read]


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


def test_a_chat_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text('[{"ts": "1772394001.000100"}', "utf-8")
    with pytest.raises(Refused, match="cut off or damaged"):
        read(path).report()
