"""A chat is read whole, and a message that looks like another is one message."""

from collections.abc import Callable
from pathlib import Path

import pytest

from retold.sources import read
from retold.sources.reader import Refused, check

CHAT = Path(__file__).with_name("result.json")


def test_nothing_of_the_reader_misfits() -> None:
    assert check("telegram", CHAT) == ()


def test_a_chat_is_read_whole() -> None:
    found = [(unit.speaker, str(unit.sort), unit.text) for unit in read(CHAT)]

    assert found == [
        ("", "notice", ""),
        ("Mary", "said", "The ferry has not moved since noon."),
        ("Zel", "said", "Somebody is aboard."),
        ("Zel", "roll", "2d6+1 [3, 4] = 8"),
        ("Zel", "aside", '"date_unixtime": nobody can forge a message with that'),
        ("Mary", "said", ""),
    ]


def test_dice_keep_their_faces() -> None:
    (throw,) = (throw for unit in read(CHAT) for throw in unit.throws)

    assert (throw.dice, throw.faces, throw.total) == ("2d6+1", (3, 4), 8)


@pytest.mark.parametrize("damage", [lambda text: text[:900], lambda text: text.replace('"id": 4,', '"id":')])
def test_a_damaged_file_is_one_sentence(tmp_path: Path, damage: Callable[[str], str]) -> None:
    path = tmp_path / "result.json"
    path.write_text(damage(CHAT.read_text("utf-8")), "utf-8")

    with pytest.raises(Refused, match=r"is no whole export of one chat: export it again\.$"):
        list(read(path))
