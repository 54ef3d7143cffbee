"""A room is read whole, and a message that looks like another is one message."""

from collections.abc import Callable
from pathlib import Path

import pytest

from retold.sources import read
from retold.sources.reader import Refused, check

ROOM = Path(__file__).with_name("export.json")


def test_nothing_of_the_reader_misfits() -> None:
    assert check("matrix", ROOM) == ()


def test_a_room_is_read_whole() -> None:
    found = [(unit.speaker, str(unit.sort), unit.text) for unit in read(ROOM)]

    assert found == [
        ("mary", "notice", ""),
        ("mary", "said", "The ferry has not moved since noon."),
        ("zel", "told", "climbs aboard."),
        ("zel", "roll", "2d6+1 [3, 4] = 8"),
        ("zel", "aside", '"origin_server_ts": nobody can forge a message with that'),
        ("mary", "said", ""),
    ]


def test_dice_keep_their_faces() -> None:
    (throw,) = (throw for unit in read(ROOM) for throw in unit.throws)

    assert (throw.dice, throw.faces, throw.total) == ("2d6+1", (3, 4), 8)


@pytest.mark.parametrize(
    "damage", [lambda text: text[:900], lambda text: text.replace('"event_id": "$a4",', '"event_id":')]
)
def test_a_damaged_file_is_one_sentence(tmp_path: Path, damage: Callable[[str], str]) -> None:
    path = tmp_path / "export.json"
    path.write_text(damage(ROOM.read_text("utf-8")), "utf-8")

    with pytest.raises(Refused, match=r"is no whole export of one room: export it again\.$"):
        list(read(path))
