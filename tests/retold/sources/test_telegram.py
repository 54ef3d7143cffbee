"""Chats of Telegram Desktop: pieces of words, service messages, files, polls, and damaged exports."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from retold.journal.refused import Refused
from retold.sources import Unit, read
from retold.sources.encodings import unknown_user
from retold.sources.unit import Reason, Sort


def message(number: int, text: object, **more: object) -> dict[str, object]:
    said = {"id": number, "type": "message", "date": "2026-03-01T20:42:00", "text": text, "from": "Zel"}
    return {**said, "date_unixtime": str(1772394120 + number), "from_id": "user44", **more}


def chat(tmp_path: Path, *messages: dict[str, object], encoding: str = "utf-8") -> Path:
    path = tmp_path / "result.json"
    told = {"name": "The Ferry", "type": "private_supergroup", "id": 1234567, "messages": messages}
    path.write_text(json.dumps(told, indent=1, ensure_ascii=False), encoding, newline="\r\n")
    return path


def units(path: Path) -> list[Unit]:
    source = read(path)
    report = source.report()
    assert (source.family, report.pieces) == ("telegram", report.counted)
    return list(source)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_B21_a_chat_of_telegram_is_read(tmp_path: Path, encoding: str) -> None:
    pieces = ["I ", {"type": "bold", "text": "knock"}, ", ", {"type": "spoiler", "text": "softly"}, "."]
    path = chat(
        tmp_path,
        message(1, "", type="service", actor="Mary", action="create_group", members=["Zel"]),
        message(2, "Паром стоит.", **{"from": "Мария", "from_id": "user1"}),
        message(3, pieces, edited="2026-03-01T20:50:00"),
        message(4, [{"type": "italic", "text": "looks up"}]),
        message(5, "/roll 2d6", **{"from": None}),
        message(6, "2d6+1 [3, 4] = 8"),
        message(7, '"messages": [{"from_id": nobody forges a message with that'),
        message(8, ""),
        encoding=encoding,
    )
    found = units(path)

    assert [(one.speaker, one.sort, one.text) for one in found if one.is_read] == [
        ("Мария", Sort.SAID, "Паром стоит."),
        ("Zel", Sort.SAID, "I **knock**, [spoiler: softly]."),
        ("Zel", Sort.TOLD, "looks up"),
        ("Zel", Sort.ROLL, "2d6+1 [3, 4] = 8"),
        ("Zel", Sort.SAID, '"messages": [{"from_id": nobody forges a message with that'),
    ]
    assert [one.left_out for one in found if not one.is_read] == [
        Reason.NOTICE,
        Reason.COMMAND,
        Reason.EMPTY,
    ]
    assert found[2].when is not None
    assert found[2].when.time == datetime(2026, 3, 1, 19, 42, 3, tzinfo=UTC)
    assert (found[2].edited, found[2].passed, found[2].channel) == (True, (Reason.MARKUP,), "The Ferry")


@pytest.mark.parametrize(
    ("more", "text", "attached", "left_out"),
    [
        ({"photo": "photos/map.jpg"}, "", ("[picture: map.jpg]",), None),
        ({"photo": "(File not included. Change data exporting settings.)"}, "", ("[picture]",), None),
        ({"file": "f/a.ogg", "media_type": "voice_message"}, "", ("[voice: a.ogg]",), None),
        ({"file": "files/x.pdf", "file_name": "rules.pdf"}, "", ("[file: rules.pdf]",), None),
        ({"file": "s/a.webp", "media_type": "sticker", "sticker_emoji": "👍"}, "", (), Reason.MEDIA),
        (
            {"poll": {"question": "Do we go in?", "answers": [{"text": "Yes", "voters": 2}]}},
            "Do we go in?\n- Yes (2 votes)",
            (),
            None,
        ),
    ],
)
def test_B21_what_stands_beside_the_words_is_told(
    tmp_path: Path, more: dict[str, object], text: str, attached: tuple[str, ...], left_out: Reason | None
) -> None:
    (found,) = units(chat(tmp_path, message(1, "", **more)))

    assert (found.text, found.attached, found.left_out) == (text, attached, left_out)


def test_B21_an_older_export_has_local_times(tmp_path: Path) -> None:
    older = message(1, "Rain.")
    del older["date_unixtime"]
    (found,) = units(chat(tmp_path, older))

    assert found.when is not None
    assert found.when.time == datetime(2026, 3, 1, 20, 42)  # noqa: DTZ001 - the export says no zone


def test_a_damaged_chat_is_one_sentence(tmp_path: Path) -> None:
    path = chat(tmp_path, message(1, "Rain."), message(2, "Fog."))
    path.write_bytes(path.read_bytes()[:-20])

    with pytest.raises(Refused, match=r"is cut off or damaged: export the chat again"):
        list(read(path))


def test_words_of_a_deleted_account_are_not_the_game_masters(tmp_path: Path) -> None:
    path = chat(tmp_path, message(1, "I wait.", **{"from": None, "from_id": "user9"}), message(2, "So do I."))
    first, second = units(path)

    assert (first.speaker, second.speaker) == (unknown_user("user9"), "Zel")
