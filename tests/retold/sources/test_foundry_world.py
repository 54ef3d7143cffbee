"""A world of Foundry VTT: found whatever of it is named, read whole, and the same after it was renewed."""

from __future__ import annotations

import json
import shutil
import sys
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retold.journal.refused import Refused
from retold.sources import Unit, opening, read
from retold.sources.dice import Rung, foundry
from retold.sources.foundry import level_database
from retold.sources.opening import streams
from retold.sources.unit import Reason, Sort
from tests.retold.sources import made_up, made_up_foundry
from tests.retold.sources.made_up import EXAMPLES
from tests.retold.sources.made_up_foundry import (
    DRAW,
    FILES,
    JON,
    MARY,
    MESSAGES,
    PLUS,
    Change,
    changes,
    compact,
    database,
    dice,
    dropped,
    lay,
    number,
    pool,
    roll,
    said,
)
from tests.retold.sources.test_dice import is_taken

pytest.importorskip("cramjam")

WORLD = EXAMPLES / "foundry-world"


def write(folder: Path, files: Mapping[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def zipped(path: Path, files: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def messages(tmp_path: Path, *items: Mapping[str, Any]) -> list[Unit]:
    """Units of a LevelDB with these messages."""
    folder = write(tmp_path / "messages", database({5: (1, changes(items, 1))}))
    return list(read(folder))


def one(tmp_path: Path, **more: object) -> Unit:
    """Unit of a message with these fields."""
    (unit,) = messages(tmp_path, said("a", 0, **more))  # type: ignore[arg-type]
    return unit


def by_letter() -> dict[str, Unit]:
    return {unit.key[0]: unit for unit in read(WORLD) if len(unit.key) == 16}


@pytest.mark.parametrize("name", FILES)
def test_the_examples_are_what_their_program_writes(name: str) -> None:
    assert (EXAMPLES / name).read_bytes() == FILES[name]


# --- What of a world is looked at ---


def test_the_world_its_data_and_its_messages_are_the_same_source(tmp_path: Path) -> None:
    whole = list(read(WORLD))

    assert list(read(WORLD / "data")) == whole
    assert list(read(WORLD / "data" / "messages")) == whole
    assert list(read(WORLD / "data" / "messages" / "CURRENT")) == whole
    assert list(read(zipped(tmp_path / "world.zip", made_up_foundry.world()))) == whole
    inside = {f"worlds/ferry/{name}": data for name, data in made_up_foundry.world().items()}
    assert list(read(zipped(tmp_path / "backup.zip", inside))) == whole


def test_a_world_is_one_source_of_one_stream() -> None:
    source = read(WORLD)

    assert [stream.name for stream, _ in source.files] == ["data/messages"]
    assert source.ignored == ("data/actors", "data/messages.db", "data/users", "world.json")


def test_pictures_and_other_data_of_a_world_are_not_even_listed(tmp_path: Path) -> None:
    others = {f"assets/{place}.webp": b"" for place in range(300)}
    others |= {
        "data/scenes.db": b"{}\n",
        "data/fog/CURRENT": b"x",
        "packs/items/000005.ldb": b"",
        "chat.json": b"[]",
    }
    folder = write(tmp_path / "world", {**made_up_foundry.world(), **others})

    assert [stream.name for stream in streams(folder)] == [
        "data/actors",
        "data/messages",
        "data/messages.db",
        "data/users",
        "world.json",
    ]
    assert [
        stream.name
        for stream in streams(zipped(tmp_path / "world.zip", {**made_up_foundry.world(), **others}))
    ] == [stream.name for stream in streams(folder)]


def test_a_file_named_like_that_of_a_world_hides_no_log(tmp_path: Path) -> None:
    files = {"world.json": b"{}", "logs/foundry.txt": (EXAMPLES / "foundry.txt").read_bytes()}

    assert [stream.name for stream, _ in read(write(tmp_path / "logs", files)).files] == ["logs/foundry.txt"]
    assert len(list(read(zipped(tmp_path / "logs.zip", files)))) == len(list(read(EXAMPLES / "foundry.txt")))


def test_the_limit_of_files_is_for_those_that_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "MOST_FILES", 30)
    files = {**made_up_foundry.world(), **{f"assets/{place}.webp": b"" for place in range(50)}}

    assert len(list(read(write(tmp_path / "world", files)))) == len(list(read(WORLD)))
    assert len(list(read(zipped(tmp_path / "world.zip", files)))) == len(list(read(WORLD)))


def test_what_an_archive_module_saved_inside_the_world_is_read_with_it(tmp_path: Path) -> None:
    saved = [{**said("q", 5, "From the archive."), "author": MARY, "speaker": {}}, MESSAGES[0]]
    files = {**made_up_foundry.world(), "chat-archive/1_ferry.json": json.dumps(saved).encode()}
    found = list(read(write(tmp_path / "world", files)))

    assert next(unit.text for unit in found if unit.speaker == "Mary" and unit.is_read) == "From the archive."
    assert [unit.left_out for unit in found if unit.key == "c" * 16] == [None, Reason.REPEAT]


def test_messages_of_an_old_database_find_their_names_beside_them() -> None:
    alone = list(read(EXAMPLES / "foundry" / "messages.db"))

    assert alone == list(read(EXAMPLES / "foundry"))
    assert "Mary" in {unit.speaker for unit in alone}


def test_the_database_from_before_version_11_is_read_if_it_is_named() -> None:
    (unit,) = read(WORLD / "data" / "messages.db")

    assert (unit.text, unit.speaker) == ("said and then thought better of", "Zel")


def test_names_that_cannot_be_read_are_told_and_the_messages_are_read(tmp_path: Path) -> None:
    files = {
        **made_up_foundry.world(),
        "data/users/000003.log": made_up_foundry.log([b"nonsense of 12 bytes"]),
    }
    report = read(write(tmp_path / "world", files)).report()

    assert report.tally.warnings == ["data/users cannot be read, so names of users may be missing."]
    assert report.labels["?"] == 2


def test_names_of_the_renewed_world_count_more_than_those_left_over(tmp_path: Path) -> None:
    old = [{"_id": MARY, "name": "Maria"}, {"_id": "usergone00000001", "name": "Gone"}]
    files = {**made_up_foundry.world(), "data/users.db": b"\n".join(map(compact, old))}
    folder = write(tmp_path / "world", files)

    assert list(read(folder)) == list(read(WORLD))


def test_a_current_file_that_is_old_is_told(tmp_path: Path) -> None:
    source = read(
        write(tmp_path / "w", {**made_up_foundry.world(), "data/messages/CURRENT": b"MANIFEST-000001\n"})
    )

    assert list(source) == list(read(WORLD))
    assert source.report().tally.warnings == [
        "data/messages: The file CURRENT names no manifest that is there; the newest one is taken."
    ]


def test_a_file_that_goes_while_it_is_read_is_one_sentence(tmp_path: Path) -> None:
    folder = shutil.copytree(WORLD, tmp_path / "world")
    source = read(folder)
    (folder / "data" / "messages" / "000005.ldb").unlink()

    with pytest.raises(Refused, match=r"Close the world in Foundry, or copy its folder first\.$"):
        list(source)


def test_files_that_a_repair_put_aside_are_not_read(tmp_path: Path) -> None:
    lost = {
        f"data/messages/lost/{name}": data
        for name, data in database({5: (1, changes(MESSAGES, 900))}).items()
    }
    source = read(write(tmp_path / "world", {**made_up_foundry.world(), **lost}))

    assert list(source) == list(read(WORLD))
    assert "data/messages/lost/000005.ldb" in source.ignored


def test_a_database_of_other_things_is_no_log(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="is no log that can be read"):
        read(shutil.copytree(WORLD / "data" / "actors", tmp_path / "copy"))


def test_a_world_without_messages_is_no_log(tmp_path: Path) -> None:
    files = {name: data for name, data in made_up_foundry.world().items() if "messages" not in name}

    with pytest.raises(Refused, match="is no log that can be read"):
        read(write(tmp_path / "world", files))


def test_messages_are_known_by_their_keys_whatever_the_folder_is_called(tmp_path: Path) -> None:
    copy = shutil.copytree(WORLD / "data" / "messages", tmp_path / "copy of it")

    assert [unit.key for unit in read(copy)] == [unit.key for unit in read(WORLD)]


def test_a_file_is_no_folder_of_leveldb() -> None:
    with pytest.raises(Refused, match="is no LevelDB folder; name the folder data/messages of the world"):
        list(read(EXAMPLES / "foundry.txt", format="foundry-leveldb"))


def test_without_the_extra_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cramjam", None)

    with pytest.raises(Refused, match=r"cramjam, which is an extra: "):
        list(read(WORLD))


# --- What a database says ---


def test_every_change_of_a_message_is_one_unit() -> None:
    found = by_letter()

    assert (found["a"].text, found["a"].pieces) == ("Somebody is aboard.", 2)
    assert (found["m"].left_out, found["m"].pieces) == (Reason.FRAME, 2)
    assert "n" not in found


def test_a_value_that_was_never_finished_is_unread() -> None:
    (unread,) = (unit for unit in read(WORLD) if unit.unread)

    assert unread.raw == '{"_id":"pppppppppppppppp","author":"…","con'


def test_labels_come_from_the_folders_beside() -> None:
    found = by_letter()

    assert [found[letter].speaker for letter in "cgi"] == ["Mary", "Pell", "Odd"]


def test_secret_rolls_and_whispers_are_hidden() -> None:
    assert {letter: unit.to for letter, unit in by_letter().items() if unit.hidden} == {
        "f": ("Mary",),
        "k": ("Mary",),
    }


def test_initiative_is_told_as_such_and_its_fraction_is_no_words(tmp_path: Path) -> None:
    found = by_letter()["b"]

    assert (found.text, found.throws[0].text, found.throws[0].total) == ("", "Initiative", 17)


def test_a_draw_from_a_table_is_its_result_without_the_picture_of_its_roll(tmp_path: Path) -> None:
    found = by_letter()["d"]
    without = one(tmp_path, content=DRAW, flavor="Draws")

    assert found.text == "What the tide brings\nA barrel of salt & a boot."
    assert found.throws[0].text == "Draws a result from the Tide table"
    assert without.text == "Draws\nWhat the tide brings\n1d6\n4\n4\nA barrel of salt & a boot."


def test_words_behind_a_box_that_has_no_end_are_kept(tmp_path: Path) -> None:
    found = one(
        tmp_path, content="<div class='dice-roll'>1d6<p>It holds.", rolls=[roll("1d6", 4, dice(6, lay(4)))]
    )

    assert found.text == "1d6\nIt holds."


def test_flags_are_counted_by_the_module_that_wrote_them() -> None:
    assert read(WORLD).report().tally.fields == {
        "message._stats": 12,
        "message.flags.foundryvtt-simple-calendar": 1,
    }


@pytest.mark.parametrize(
    ("fields", "sort"),
    [
        ({"style": 2, "content": "((here))"}, Sort.SAID),
        ({"style": 0, "content": "((here))"}, Sort.ASIDE),
        ({"style": 3, "content": "waves"}, Sort.TOLD),
        ({"style": 1, "content": "here"}, Sort.ASIDE),
        ({"style": 0, "content": "<h3>Here</h3>"}, Sort.CARD),
        ({"type": 2, "style": None, "content": "here"}, Sort.SAID),
        ({"type": "usage", "style": 0, "content": "here"}, Sort.NOTICE),
        ({"style": 2, "content": "<p>Here,</p><p>and there.</p>"}, Sort.SAID),
        ({"style": 2, "content": "<h3>Here</h3>"}, Sort.CARD),
        ({"style": 0, "content": "A letter.", "flags": {"narrator-tools": {"type": "narration"}}}, Sort.TOLD),
    ],
)
def test_style_decides_where_it_is_given(tmp_path: Path, fields: dict[str, object], sort: Sort) -> None:
    assert one(tmp_path, **fields).sort is sort


@pytest.mark.parametrize("content", ["Zel has moved.", "<p>Zel has moved.</p>", "<h3>Zel</h3><p>moved</p>"])
@pytest.mark.parametrize("alias", ["Token Mover", "Zel"])
def test_I10_what_a_module_says_is_nobodys_speech(tmp_path: Path, content: str, alias: str) -> None:
    found = one(tmp_path, style=0, content=content, speaker={**made_up.NOBODY, "alias": alias})

    assert (found.sort, found.speaker, found.account) == (Sort.NOTICE, "", "")


def test_I10_what_a_system_says_of_an_actor_is_no_speech(tmp_path: Path) -> None:
    found = one(tmp_path, style=0, content="Long rest: Zel rests.")

    assert (found.sort, found.speaker) == (Sort.NOTICE, "Zel")


def test_I10_a_name_of_its_own_speaks_in_character(tmp_path: Path) -> None:
    found = one(tmp_path, style=2, content="Halt.", speaker={**made_up.NOBODY, "alias": "Guard"})

    assert (found.sort, found.speaker) == (Sort.SAID, "Guard")


# --- Growth ---


def renewed(row: Mapping[str, Any]) -> dict[str, Any]:
    """Message of version 9 or 10 as version 13 keeps it."""
    kept = {key: value for key, value in row.items() if key not in ("user", "roll", "type")}
    rolls = [*row.get("rolls", ()), *([row["roll"]] if "roll" in row else [])]
    style = row["type"] if row["type"] in (1, 2, 3) else 0
    return {**kept, "type": "base", "style": style, "author": row["user"], "rolls": rolls, "_stats": {}}


def test_a_world_brings_the_same_keys_after_it_was_renewed(tmp_path: Path) -> None:
    old = write(tmp_path / "old", {"messages.db": "\n".join(map(json.dumps, made_up.FOUNDRY_ROWS)).encode()})
    rows = {row["_id"]: renewed(row) for row in made_up.FOUNDRY_ROWS if "content" in row}
    del rows["l" * 16]
    grown = [*rows.values(), said("w", 900, "And now with version 13.")]
    new = write(tmp_path / "new" / "messages", database({5: (1, changes(grown, 1))}))
    before = {unit.key: unit for unit in read(old) if unit.is_read}
    after = {unit.key: unit for unit in read(new) if unit.is_read}

    assert after.keys() - before.keys() == {"w" * 16}
    assert before.keys() <= after.keys()
    for key, unit in before.items():
        told = after[key]
        assert (told.text, told.sort, told.when, told.throws) == (
            unit.text,
            unit.sort,
            unit.when,
            unit.throws,
        )
        assert (told.account, told.hidden) == (unit.account, unit.hidden)


# --- Damage ---

PARTS = sorted(name for name in FILES if "/messages/" in name)


def read_or_refused(path: Path) -> int:
    """Number of units; a refusal counts as none, any other exception fails the test."""
    try:
        report = read(path).report()
    except Refused as refusal:
        assert str(refusal).endswith(".")  # noqa: PT017 - any other exception has to fail the test
        return 0
    assert report.pieces == report.counted
    return report.units


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(PARTS), st.data())
def test_any_file_of_a_database_may_be_cut_changed_or_gone(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    whole = FILES[name]
    changed = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 3)) if whole else 0):
        changed[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    damaged = data.draw(
        st.sampled_from([bytes(changed), whole[: data.draw(st.integers(0, len(whole)))], None])
    )
    folder = tmp_path_factory.mktemp("world")
    write(
        folder, {key.removeprefix("foundry-world/"): value for key, value in FILES.items() if "world/" in key}
    )
    place = folder / name.removeprefix("foundry-world/")
    if damaged is None:
        place.unlink()
    else:
        place.write_bytes(damaged)

    assert read_or_refused(folder) >= 0


def test_a_damaged_part_is_unread_and_told(tmp_path: Path) -> None:
    files = database(
        {5: (1, changes(MESSAGES, 1))},
        [[Change(b"!messages!" + b"v" * 16, 90, compact(said("v", 900, "Late.")))]],
    )
    files["000090.log"] = files["000090.log"][:-9]
    source = read(write(tmp_path / "messages", files))
    report = source.report()
    (lost,) = report.unread

    assert lost.raw.startswith("The last record of 000090.log is cut off. ")
    assert "Late." in lost.raw
    assert JON not in lost.raw
    assert report.tally.warnings[0].startswith("messages is damaged: changed or deleted messages may be here")
    assert report.units == len(MESSAGES) + 1


def test_the_count_of_a_database_knows_nothing_of_its_keys(tmp_path: Path) -> None:
    big = [said(letter, place, "long " * 9_000) for place, letter in enumerate("abcdefgh")]
    files = database({5: (1, changes(big, 1)), 7: (0, changes(MESSAGES, 50))}, [changes(big[:3], 90)])
    (stream,) = streams(write(tmp_path / "messages", files))

    assert level_database.count(stream) == len(big) + len(MESSAGES) + 3


# --- Archives ---


SHAPES: dict[str, Callable[[list[dict[str, Any]]], str]] = {
    "list": json.dumps,
    "object": lambda items: json.dumps({"data": {"id": "x", "title": "[1]"}, "messages": items}, indent="\t"),
    "chats": lambda items: json.dumps({"id": 1, "name": "x", "chats": items}, separators=(",", ":")),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_an_archive_is_the_same_in_every_shape(tmp_path: Path, shape: str) -> None:
    path = tmp_path / "archive.json"
    path.write_text(SHAPES[shape](list(MESSAGES)), "utf-8")
    found = list(read(path))

    assert [unit.key for unit in found] == [
        unit.key for unit in read(WORLD) if len(unit.key) == 16 and unit.key[0] in "cabdefghijkl"
    ]
    assert [unit.text for unit in found] == [unit.text for unit in read(EXAMPLES / "foundry-archive.json")]


def test_an_archive_keeps_what_has_no_id_unread(tmp_path: Path) -> None:
    path = tmp_path / "archive.json"
    path.write_text(json.dumps([MESSAGES[0], {"content": "words", "author": JON}, {}]), "utf-8")

    assert [unit.raw for unit in read(path) if unit.unread] == ['{"content": "words", "author": "…"}', "{}"]


def test_an_archive_without_the_users_tells_its_readers_apart_and_gives_no_account(tmp_path: Path) -> None:
    ids = ["usergone00000001", "usergone00000002"]
    whispered = {**MESSAGES[0], "whisper": ids}
    path = tmp_path / "archive.json"
    path.write_text(json.dumps([whispered, {"content": "words", "whisper": ids}]), "utf-8")
    lost, found = sorted(read(path), key=lambda unit: not unit.unread)

    assert len(set(found.to)) == 2
    assert not [one for one in ids if one in f"{found} {lost}".replace(found.account, "")]


@pytest.mark.parametrize("shape", SHAPES)
def test_an_archive_that_is_cut_off_is_read_up_to_its_last_whole_message(tmp_path: Path, shape: str) -> None:
    path = tmp_path / "archive.json"
    whole = SHAPES[shape](list(MESSAGES))
    path.write_text(whole, "utf-8")
    units, read_before = {unit.key: unit for unit in read(path)}, 0
    for length in range(len(whole) // 2, len(whole), 211):
        path.write_text(whole[:length], "utf-8")
        source = read(path, format="foundry-json")
        found = [unit for unit in source if not unit.unread]

        assert read_before <= len(found) <= len(units)
        assert all(replace(one, place=units[one.key].place) == units[one.key] for one in found)
        assert sum(unit.unread for unit in source) <= 1
        assert any("is cut off" in line for line in source.report().lines())
        read_before = len(found)
    assert read_before > len(units) // 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (json.dumps(MESSAGES)[:40], r"^archive\.json is cut off: save the archive again"),
        (json.dumps(MESSAGES).replace('"style"', "style", 1), r"^archive\.json is damaged"),
        ('{"messages": [1]}', "it has no list of messages"),
        ("[" * 100_000, "is no archive of Foundry|cut off"),
        ("[[]]", "it has no list of messages"),
    ],
)
def test_an_archive_that_is_none_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "archive.json"
    path.write_text(text, "utf-8")

    with pytest.raises(Refused, match=sentence):
        list(read(path, format="foundry-json"))


# --- Throws ---

SECOND = dice(6, lay(2))
THROWS = [
    (dice(20, dropped(4), lay(15), kind="D20Die", modifiers=["kh"]), "2d20kh1", (4, 15), 15),
    (dice(3, lay(-1), lay(0), lay(1), lay(1), kind="FateDie"), "4dF", (-1, 0, 1, 1), 1),
    (
        pool([], roll("1d6 + 1", 4, dice(6, lay(3)), PLUS, number(1)), roll("1d8", 5, dice(8, lay(5)))),
        "1d6+1+1d8",
        (3, 5),
        9,
    ),
    (
        pool(["kh"], roll("1d20", 7, dice(20, lay(7))), roll("1d20", 19, dice(20, lay(19)))),
        "2d20kh1",
        (7, 19),
        19,
    ),
    (
        {
            "class": "ParentheticalTerm",
            "term": "1d6 + 2",
            "roll": json.loads(roll("1d6 + 2", 5, dice(6, lay(3)), PLUS, number(2))),
        },
        "1d6+2",
        (3,),
        5,
    ),
    (dice(20, lay(14), modifiers=["min10"]), "1d20mi10", (14,), 14),
    (dice(20, lay(3, count=10, rerolled=True), modifiers=["min10"]), "1d20mi10", (3,), 10),
    (
        pool(["kh"], roll("2d6", 7, dice(6, lay(3), lay(4))), roll("1d8", 5, dice(8, lay(5)))),
        "{2d6,1d8}kh1",
        (3, 4, 5),
        7,
    ),
    (dice(6, lay(6), lay(2), modifiers=["cs<=2"]), "2d6<=2", (6, 2), 1),
    (dice(6, lay(5, exploded=True), lay(6), modifiers=["xo>=5"]), "1d6!o>4", (5, 6), 11),
    (dice(6, lay(6), lay(6), lay(1), modifiers=["cs6"]), "3d6>=6", (6, 6, 1), 2),
    (dice(10, lay(9), lay(2), modifiers=["cs>8"]), "2d10>=9", (9, 2), 1),
    (dice(6, lay(5), lay(2), modifiers=["kh4"]), "2d6", (5, 2), 7),
    (
        dice(
            10, {**lay(1, rerolled=True, count=0), "active": False}, lay(9), lay(8), modifiers=["r1", "cs>=8"]
        ),
        "2d10ro1>=8",
        (1, 9, 8),
        2,
    ),
    (dice(6, lay(6, exploded=True), lay(2), modifiers=["x6"]), "1d6!", (6, 2), 8),
]


@pytest.mark.parametrize(("term", "written", "faces", "total"), THROWS)
def test_faces_are_taken(term: dict[str, Any], written: str, faces: tuple[int, ...], total: int) -> None:
    found = foundry.throw_of(roll("?", total, term))

    assert found is not None
    assert (found.rung, found.dice, found.faces, found.total) == (Rung.FACES, written, faces, total)
    assert is_taken(found)


MINUS = {"class": "OperatorTerm", "operator": "-"}


def test_a_sign_before_brackets_is_that_of_all_in_them() -> None:
    inner = {
        "class": "ParentheticalTerm",
        "roll": json.loads(roll("1d6 - 2", 1, dice(6, lay(3)), MINUS, number(2))),
    }
    found = foundry.throw_of(roll("1d8 - (1d6 - 2)", 6, dice(8, lay(7)), MINUS, inner))

    assert found is not None
    assert (found.rung, found.dice, found.faces) == (Rung.FACES, "1d8-1d6+2", (7, 3))
    assert is_taken(found)


MULTIPLIED = {"class": "OperatorTerm", "operator": "*"}


def called(name: str, *rolls: str) -> dict[str, Any]:
    return {"class": "FunctionTerm", "fn": name, "rolls": [json.loads(one) for one in rolls]}


ZERO, FIVE = roll("0", 0, number(0)), roll("1d12 + 5", 8, dice(12, lay(3)), PLUS, number(5))
LOW = roll("1d12 - 8", -5, dice(12, lay(3)), MINUS, number(8))
THREE = roll("3d6", 7, dice(6, lay(1), lay(4), lay(2)))


@pytest.mark.parametrize(
    ("terms", "total", "written", "faces", "came"),
    [
        ([called("max", ZERO, FIVE)], 8, "1d12+5", (3,), 8),
        ([called("max", ZERO, LOW)], 0, "{0,1d12-8}kh1", (3,), 0),
        ([called("min", FIVE, THREE)], 7, "{1d12+5,3d6}kl1", (3, 1, 4, 2), 7),
        ([dice(10, lay(7)), MULTIPLIED, number(10)], 70, "1d10*10", (7,), 70),
        ([number(8), PLUS, dice(6, lay(3))], 11, "8+1d6", (3,), 11),
        ([number(2), MULTIPLIED, dice(6, lay(3))], 6, "1d6*2", (3,), 6),
    ],
)
def test_I6_a_total_is_told_of_the_dice_that_made_it(
    terms: list[dict[str, Any]], total: int, written: str, faces: tuple[int, ...], came: int
) -> None:
    found = foundry.throw_of(roll("?", total, *terms))

    assert found is not None
    assert (found.rung, found.dice, found.faces, found.total, found.formula) == (
        Rung.FACES,
        written,
        faces,
        came,
        "",
    )
    assert is_taken(found)


@pytest.mark.parametrize(
    ("term", "total", "written", "faces"),
    [
        (called("ceil", THREE), 4, "3d6", (1, 4, 2)),
        (called("max", roll("1d6", 3, dice(6, lay(3)))), 4, "1d6", (3,)),
        (dice(6, lay(6), lay(2), modifiers=["even"]), 2, "2d6", (6, 2)),
        (dice(6, lay(6), lay(2), modifiers=["xo>=5"]), 8, "2d6", (6, 2)),
    ],
)
def test_I6_dice_that_come_to_another_total_stand_alone_beside_the_formula(
    term: dict[str, Any], total: int, written: str, faces: tuple[int, ...]
) -> None:
    found = foundry.throw_of(roll("f(x)", total, term))

    assert found is not None
    assert (found.rung, found.dice, found.faces, found.formula) == (
        Rung.FACES,
        written,
        faces,
        f"f(x) = {total}",
    )
    assert is_taken(found)


def test_I6_a_formula_without_its_faces_is_told_in_words() -> None:
    found = foundry.throw_of(
        roll("max(1, 1d8)", 13, {"class": "MathTerm", "fn": "max", "terms": ["1", "1d8"]})
    )

    assert found is not None
    assert (found.rung, found.words) == (Rung.WORDS, "max(1, 1d8) = 13")


@pytest.mark.parametrize("text", ["never a roll", '{"half": ', "7"])
def test_a_roll_that_cannot_be_read_keeps_its_words(tmp_path: Path, text: str) -> None:
    (throw,) = one(tmp_path, content="7", rolls=[text]).throws

    assert (throw.rung, throw.words) == (Rung.WORDS, text)


def test_half_a_surrogate_pair_spoils_no_roll(tmp_path: Path) -> None:
    (throw,) = one(tmp_path, content="4", rolls=[roll("1d6[\ud83d]", 4, dice(6, lay(4)))]).throws

    assert (throw.rung, throw.words) == (Rung.FACES, "1d6[\ufffd] = 4")


def test_a_coin_is_words() -> None:
    coin = {"class": "Coin", "number": 1, "faces": 2, "modifiers": [], "results": [lay(1)]}
    found = foundry.throw_of(roll("1dc", 1, coin))

    assert found is not None
    assert (found.rung, found.words) == (Rung.WORDS, "1dc = 1")


def test_brackets_inside_brackets_have_an_end() -> None:
    inner: dict[str, Any] = dice(6, lay(3))
    for _ in range(50):
        inner = {"class": "ParentheticalTerm", "roll": {"terms": [inner]}}
    found = foundry.throw_of(roll("?", 3, inner))

    assert found is not None
    assert found.rung is Rung.WORDS


def test_a_user_with_the_role_of_a_game_master_is_told(tmp_path: Path) -> None:
    users: list[dict[str, object]] = [
        {"_id": MARY, "name": "Maria", "role": 4},
        {"_id": "userjon000000001", "name": "Jon", "role": "4"},
    ]
    files = {
        name: data for name, data in made_up_foundry.world().items() if not name.startswith("data/users/")
    }
    files["data/users.db"] = b"\n".join(map(compact, users))

    assert read(write(tmp_path / "world", files)).report().tally.game_masters == {"Maria"}
