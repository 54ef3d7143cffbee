"""Logs of SealDice and QQ: whose a roll is, which answers were secret, and heads that messages forge."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.refused import Refused
from retold.sources import Hints, Source, Unit, read
from retold.sources.dice import Rung, sealdice
from retold.sources.sealdice.words import command_in, name_of, watches, words_of
from retold.sources.unit import Fact, FactKind, Reason, Sort
from tests.retold.sources.made_up import EXAMPLES
from tests.retold.sources.made_up_dicebots import (
    BOT,
    COC,
    GROUP,
    MARY,
    TABLE,
    ZEL,
    Said,
    _check,
    _info,
    as_bot_text,
    as_coloured_text,
    as_painted_text,
    as_qq_text,
    as_sealdice_json,
    as_sinanya_text,
)
from tests.retold.sources.test_dice import is_taken

TEXTS = [as_bot_text, as_qq_text, as_coloured_text, as_sinanya_text]
FOLDER = EXAMPLES / "sealdice"


def source(tmp_path: Path, text: str, name: str = "log.json", hints: Hints | None = None) -> Source:
    path = tmp_path / name
    path.write_text(text, "utf-8", newline="")
    return read(path, hints=hints or Hints())


def units(tmp_path: Path, *table: Said) -> list[Unit]:
    return list(source(tmp_path, as_sealdice_json(table)))


def in_text(tmp_path: Path, text: str) -> list[Unit]:
    return list(source(tmp_path, text, "log.txt"))


def throws(info: dict[str, Any], sentence: str = "") -> list[tuple[Rung, str, tuple[int, ...], int | None]]:
    found = sealdice.of_command(info, sentence)
    assert all(is_taken(throw) for throw in found if throw.rung is Rung.FACES)
    return [(throw.rung, throw.dice, throw.faces, throw.total) for throw in found]


# --- Dice ---


def test_a_check_has_its_die_its_target_and_its_verdict() -> None:
    (found,) = sealdice.of_command(_info("ra", "Zel", _check(43, 60, 2, "侦查"), **COC), "Anything at all.")

    assert (found.rung, found.dice, found.faces) == (Rung.FACES, "1d100", (43,))
    assert (found.text, found.against, found.verdict) == ("侦查", "<=60", "困难成功")


def test_a_check_of_sanity_changes_a_track() -> None:
    item = {"outcome": 70, "exprs": ["d100", "1", "1d6"], "rank": -1, "sanOld": 50, "sanNew": 47}
    info = _info("sc", "Zel", item, **COC)

    assert throws(info) == [(Rung.FACES, "1d100", (70,), 70)]
    assert list(sealdice.tracks_of(info)) == [("SAN", "47")]


@pytest.mark.parametrize(
    ("expression", "result", "sentence", "rung", "dice", "faces"),
    [
        ("d100", 66, "", Rung.FACES, "1d100", (66,)),
        ("D20", 17, "", Rung.FACES, "1d20", (17,)),
        ("3d6+2", 13, "3d6+2=11[3d6=3+4+4] + 2=13", Rung.FACES, "3d6+2", (3, 4, 4)),
        ("3d6+2", 13, "Nothing of the kind.", Rung.TOTAL, "3d6+2", ()),
        ("3d6+2", 13, "11[3d6=3+4+5] + 2", Rung.FACES, "3d6", (3, 4, 5)),
        ("2d6-1d4", 5, "8[2d6=3+5] - 3[1d4]", Rung.FACES, "2d6-1d4", (3, 5, 3)),
        ("4d6k3", 15, "15[4d6k3={6 5 4 | 1}]", Rung.FACES, "4d6kh3", (6, 5, 4, 1)),
        ("d", 43, "d=43[d100]", Rung.FACES, "1d100", (43,)),
        ("d", 43, "Zel has 43.", Rung.WORDS, "", ()),
        ("2d20k1", 17, "17[2d20k1={17 | 4}]", Rung.FACES, "2d20kh1", (17, 4)),
        ("d20优势", 17, "", Rung.TOTAL, "2d20kh1", ()),
        ("(2d6+1)*2", 12, "(5[2d6=2+3]+1)*2", Rung.FACES, "(2d6+1)*2", (2, 3)),
        ("(2d6+1)*2", 12, "Nothing of the kind.", Rung.TOTAL, "(2d6+1)*2", ()),
        ("1d100000", 7, "", Rung.WORDS, "", ()),
        ("力量", 7, "", Rung.WORDS, "", ()),
    ],
)
def test_a_roll_has_faces_where_they_sum_to_its_result(  # noqa: PLR0917 - a row of the table
    expression: str, result: int, sentence: str, rung: Rung, dice: str, faces: tuple[int, ...]
) -> None:
    ((found, asked, lain, _),) = throws(
        _info("roll", "Zel", {"expr": expression, "result": result}), sentence
    )

    assert (found, asked, lain) == (rung, dice, faces)


def test_a_check_of_a_twenty_sided_die_has_its_face_where_the_sentence_tells_it() -> None:
    info = _info("rc", "Zel", {"expr": "运动", "reason": "运动", "result": 18}, rule="dnd5e")

    assert throws(info, "检定结果为: 15[d20] + 3 = 18") == [(Rung.FACES, "1d20+3", (15,), 18)]
    assert throws(info, "Zel jumps.") == [(Rung.WORDS, "", (), None)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ('<Zel>的"侦查"检定结果为: D100=43/60 成功', [(Rung.FACES, "1d100", (43,), "<=60", "成功")]),
        ("<Zel>掷出了 D100=43", [(Rung.FACES, "1d100", (43,), "", "")]),
        ("<Zel>掷出了 3d6+2=11[3d6=3+4+4] + 2=13", [(Rung.FACES, "3d6+2", (3, 4, 4), "", "")]),
        ("Zel掷骰: 3D6=2+4+5=11", [(Rung.FACES, "3d6", (2, 4, 5), "", "")]),
        ("Zel掷骰: 3D6=12", [(Rung.TOTAL, "3d6", (), "", "")]),
        ("D100=43\nD100=7", [(Rung.FACES, "1d100", (43,), "", ""), (Rung.FACES, "1d100", (7,), "", "")]),
        ("it is worth 2d6 to me", []),
        ("x=3", []),
        ("my HP=9/12 now", []),
        ("b=32/50, (D100=72,奖励3) 成功", [(Rung.FACES, "2d100kl1", (72, 32), "<=50", "成功")]),
        ("p2=100/50, (D100=60,惩罚0 3) 失败", [(Rung.FACES, "3d100kh1", (60, 100, 30), "<=50", "失败")]),
        ("b=32/50 成功", [(Rung.TOTAL, "2d100kl1", (), "<=50", "成功")]),
    ],
)
def test_sentences_tell_throws_where_nothing_else_is_noted(
    sentence: str, expected: list[tuple[Rung, str, tuple[int, ...], str, str]]
) -> None:
    found = sealdice.in_sentence(sentence)

    assert [(one.rung, one.dice, one.faces, one.against, one.verdict) for one in found] == expected
    assert all(is_taken(throw) for throw in found if throw.rung is Rung.FACES)


@given(
    st.dictionaries(
        st.sampled_from(
            ["expr", "result", "outcome", "rank", "checkVal", "exprs", "expr1", "reason", "sanNew"]
        ),
        st.none()
        | st.integers()
        | st.floats()
        | st.text("d0123456789+kq*", max_size=8)
        | st.lists(st.text()),
    ),
    st.text("d0123456789+=[]/| \n", max_size=60),
)
def test_any_note_gives_throws_within_bounds(item: dict[str, Any], sentence: str) -> None:
    for cmd in ("roll", "ra", "rc", "sc", "st"):
        info = _info(cmd, "Zel", item)
        list(sealdice.tracks_of(info))
        for found in (*sealdice.of_command(info, sentence), *sealdice.in_sentence(sentence)):
            assert found.rung is not Rung.FACES or is_taken(found)


# --- JSON ---


def test_a_roll_belongs_to_the_requester_via_the_bot(tmp_path: Path) -> None:
    asked, rolled = units(
        tmp_path,
        Said(0, ZEL, ".ra 侦查", 1),
        Said(1, BOT, "x", 1, _info("ra", "Zel HP9/12", _check(43, 60, 1, "侦查"), **COC)),
    )

    assert (asked.left_out, rolled.speaker, rolled.account, rolled.through) == (
        Reason.ANSWERED,
        "Zel",
        "10002",
        "海豹",
    )


def test_I7_an_unanswered_command_is_no_speech(tmp_path: Path) -> None:
    assert [
        unit.left_out for unit in units(tmp_path, Said(0, ZEL, ".ra 侦查", 1), Said(1, ZEL, "...", 2))
    ] == [Reason.COMMAND, None]


def test_numbers_behind_a_name_make_no_other_person(tmp_path: Path) -> None:
    found = units(
        tmp_path,
        Said(0, ("Zel HP9/12", "1"), "a"),
        Said(1, ("Zel SAN60 HP7/12 DEX55", "1"), "b"),
        Said(2, ("Zel", "1"), "c"),
    )

    assert {unit.speaker for unit in found} == {"Zel"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Zel 2", "Zel 2"), ("HP9/12", "HP9/12"), ("Zel  AC15 DC12", "Zel"), ("Agent 47", "Agent 47"), ("", "")],
)
def test_other_names_keep_their_numbers(name: str, expected: str) -> None:
    assert name_of(name) == expected


def test_the_answer_to_a_secret_roll_is_hidden_and_the_sign_of_it_is_not(tmp_path: Path) -> None:
    info = _info("ra", "Zel", _check(88, 40, -1, "聆听"), **COC, hide=True)
    _, sign, answer = units(
        tmp_path,
        Said(0, ZEL, ".rah 聆听", 4),
        Said(1, BOT, "shh", 4, info),
        Said(2, BOT, "D100=88/40", 4, info),
    )

    assert (sign.hidden, sign.throws, sign.text) == (False, (), "shh")
    assert (answer.hidden, answer.speaker, len(answer.throws)) == (True, "Zel", 1)


def test_a_secret_roll_whose_sign_tells_the_result_is_hidden_too(tmp_path: Path) -> None:
    info = _info("roll", "Zel", {"expr": "d100", "result": 66}, hide=True)
    found = units(
        tmp_path, Said(0, ZEL, ".rh", 4), Said(1, BOT, "It is 66!", 4, info), Said(2, BOT, "66", 4, info)
    )

    assert [unit.hidden for unit in found] == [False, True, True]


def test_a_secret_roll_with_one_answer_is_hidden(tmp_path: Path) -> None:
    info = _info("roll", "Zel", {"expr": "d100", "result": 66}, hide=True)

    assert [unit.hidden for unit in units(tmp_path, Said(1, BOT, "66", 4, info))] == [True]


@pytest.mark.parametrize("command", [".rah 运动", ".rch 运动", "。rh d20", "/rhd"])
def test_the_second_answer_to_a_secret_command_is_hidden_where_nothing_notes_it(
    tmp_path: Path, command: str
) -> None:
    found = units(tmp_path, Said(0, ZEL, command, 4), Said(1, BOT, "shh", 4), Said(2, BOT, "d20=17", 4))

    assert [unit.hidden for unit in found] == [False, False, True]


def test_a_second_answer_to_a_missing_command_is_hidden(tmp_path: Path) -> None:
    found = units(tmp_path, Said(1, BOT, "shh", 4), Said(2, BOT, "d20=17", 4))

    assert [unit.hidden for unit in found] == [False, True]


def test_two_answers_to_an_open_command_are_for_all_and_one_throw(tmp_path: Path) -> None:
    info = _info("roll", "Zel", {"expr": "d20", "result": 17})
    found = units(
        tmp_path, Said(0, ZEL, ".r d20", 4), Said(1, BOT, "part one", 4, info), Said(2, BOT, "two", 4, info)
    )

    assert [unit.hidden for unit in found] == [False, False, False]
    assert [len(unit.throws) for unit in found] == [0, 0, 1]


def test_a_bot_that_starts_again_counts_commands_anew(tmp_path: Path) -> None:
    info = _info("roll", "Mary", {"expr": "d20", "result": 17})
    found = units(
        tmp_path,
        Said(0, ZEL, ".rh d20", 1),
        Said(1, BOT, "shh", 1),
        Said(2, BOT, "66", 1),
        Said(9_000, MARY, ".r d20", 1),
        Said(9_001, BOT, "17", 1, info),
    )

    assert [(unit.speaker, unit.hidden) for unit in found][-1] == ("Mary", False)


def test_changed_attributes_are_tracks(tmp_path: Path) -> None:
    info = _info("st", "Zel", {"type": "mod", "attr": "HP", "valOld": 9, "valNew": 7}, rule="coc7")
    _, found = units(tmp_path, Said(0, ZEL, ".st hp-2", 1), Said(1, BOT, "HP: 9 ➯ 7", 1, info))

    assert (found.sort, found.text) == (Sort.NOTE, "")
    assert found.facts == (Fact(FactKind.TRACK, "HP", "7", "Zel"),)


def test_watchers_speak_aside_and_a_name_that_only_begins_like_theirs_does_not(tmp_path: Path) -> None:
    found = units(
        tmp_path, Said(0, ("ob小明", "1"), "a"), Said(1, ("OBZel", "2"), "b"), Said(2, ("Oberon", "3"), "c")
    )

    assert [unit.sort for unit in found] == [Sort.ASIDE, Sort.ASIDE, Sort.SAID]
    assert not watches("")


def test_the_log_of_a_session_begins_and_ends_with_a_mark(tmp_path: Path) -> None:
    found = units(
        tmp_path, Said(0, MARY, ".log on", 1), Said(1, BOT, "故事", 1), Said(2, MARY, ".log get", 2)
    )

    assert [unit.sort for unit in found if unit.is_read] == [Sort.MARK]
    assert [unit.left_out for unit in found] == [None, Reason.NOTICE, Reason.COMMAND]


def test_account_numbers_are_in_no_words(tmp_path: Path) -> None:
    page = as_sealdice_json()
    found = [*source(tmp_path, page), *source(tmp_path, page[: len(page) // 2], "half.json")]
    found += [unit for made in TEXTS[:3] for unit in in_text(tmp_path, made())]

    for unit in found:
        words = " ".join((unit.text, unit.raw, unit.speaker, *unit.attached))
        assert not any(number in words for number in (GROUP, "10001", "10002", "10003", "90000", "token"))


def test_codes_become_words_and_pictures() -> None:
    text = "[CQ:reply,id=-5][CQ:at,qq=1] &#91;a&#93; &amp; [CQ:image,file=a.jpg,url=https://x.example/?k=1]"
    text += " [CQ:face,id=3]"
    found = words_of(text, {"1": "Mary"})

    assert found.text == "@Mary  [a] &  [face]"
    assert (found.attached, found.answers) == (("[picture]",), "-5")


def test_a_reply_names_the_unit_it_answers() -> None:
    found = {unit.key: unit for unit in read(FOLDER)}
    (reply,) = (unit for unit in found.values() if unit.answers)

    assert found[reply.answers].text.startswith("The ferry has not moved")


def test_a_log_that_is_cut_off_is_read_to_its_last_whole_item(tmp_path: Path) -> None:
    page = as_sealdice_json()
    found = source(tmp_path, page[: len(page) * 2 // 3])
    report = found.report()

    assert [unit.unread for unit in found].count(True) <= 1
    assert any("cut off" in line for line in report.lines())


def test_a_log_that_is_damaged_in_the_middle_is_refused(tmp_path: Path) -> None:
    page = as_sealdice_json()
    at = page.index('"nickname": "Pell')

    with pytest.raises(Refused, match=r"is no whole JSON: line \d+ is damaged"):
        source(tmp_path, page[:at] + "}" + page[at:]).report()


def test_the_text_beside_the_json_is_not_a_second_log(tmp_path: Path) -> None:
    archive = tmp_path / "log.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("README.txt", "raw-log.txt: 纯文本 Log\n")
        packed.writestr("raw-log.txt", as_bot_text())
        packed.writestr("sealdice-standard-log.json", as_sealdice_json())
        packed.writestr("sealdice-standard-log.parquet", b"PAR1\x00\x00")

    found = read(archive)
    assert [stream.name for stream, _ in found.files] == ["sealdice-standard-log.json"]
    assert set(found.ignored) == {"README.txt", "raw-log.txt", "sealdice-standard-log.parquet"}


def test_the_text_is_read_where_there_is_no_json(tmp_path: Path) -> None:
    archive = tmp_path / "log.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("raw-log.txt", as_bot_text())
        packed.writestr("sealdice-standard-log.parquet", b"PAR1\x00\x00")

    assert read(archive).report().units == len(TABLE)


def test_texts_of_other_folders_are_logs_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "one" / "log.json").write_text(as_sealdice_json(), "utf-8")
    (tmp_path / "two" / "log.txt").write_text(as_bot_text(), "utf-8")

    assert len(read(tmp_path).files) == 2


# --- Texts ---


@pytest.mark.parametrize("made", TEXTS)
def test_every_shape_of_a_text_tells_the_same(tmp_path: Path, made: Callable[[], str]) -> None:
    found = [unit for unit in in_text(tmp_path, made()) if unit.left_out is not Reason.FRAME]

    assert len(found) == len(TABLE)
    assert sum(unit.is_read or unit.left_out is not None for unit in found) == len(found)
    assert [throw.dice for unit in found for throw in unit.throws] == [
        *("1d100", "3d6+2", "1d20", "1d20", "1d100", "1d100", "1d20+3", "(2d6+1)*2", "2d100kl1", "1d100")
    ]
    assert {unit.speaker for unit in found if unit.is_read} == {"Mary", "Zel", "Pell", "ob小明", "海豹"}


def test_names_alone_are_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text(as_painted_text().replace("<", "[").replace(">", "]"), "utf-8")

    with pytest.raises(Refused, match="name the format sealdice-text"):
        read(path)
    found = list(read(path, format="sealdice"))
    assert {unit.speaker for unit in found if unit.is_read} >= {"Mary", "Zel", "Pell", "海豹"}


def head(name: str, clock: str, words: str, day: str = "2026-03-01 ") -> str:
    return f"{name} {day}{clock}\n{words}\n\n"


def test_a_head_without_a_blank_line_before_it_is_words(tmp_path: Path) -> None:
    text = head("Zel(10002)", "19:42:10", "She wrote:\nMary(10001) 2026-03-01 19:42:11\nhello")
    text += head("Pell(10003)", "19:43:00", "Well.") + head("Zel(10002)", "19:43:10", "Yes.")

    assert [unit.speaker for unit in in_text(tmp_path, text)] == ["Zel", "Pell", "Zel"]


def test_a_date_alone_is_words(tmp_path: Path) -> None:
    text = head("Zel(10002)", "19:42:10", "It was\n\n2026-03-01 19:42:10\n\n2026-03-01\n\nor so.")
    text += head("Pell(10003)", "19:43:00", "Well.")

    assert [unit.speaker for unit in in_text(tmp_path, text)] == ["Zel", "Pell"]


@pytest.mark.parametrize(
    "line",
    [
        "Mary(QQ:10001) 2026-03-01 19:42:11",
        "Mary 2026-03-01 19:42:11",
        "Mary(10001) 2026/03/01 19:42:11",
        "Mary(10001) 19:42:11",
        "2026-03-01 19:42:11 Mary(10001)",
    ],
)
def test_a_head_of_another_form_is_words(tmp_path: Path, line: str) -> None:
    text = head("Zel(10002)", "19:42:10", f"She wrote:\n\n{line}\nhello")
    text += head("Pell(10003)", "19:43:00", "Well.") + head("Zel(10002)", "19:43:10", "Yes.")

    assert [unit.speaker for unit in in_text(tmp_path, text)] == ["Zel", "Pell", "Zel"]


@pytest.mark.parametrize("day", ["2026-02-14 ", "2026-03-09 "])
def test_heads_whose_time_leaps_are_words_and_told(tmp_path: Path, day: str) -> None:
    text = head("Zel(10002)", "19:42:10", "Look, an old one:")
    text += head("Mary(10001)", "20:00:00", "The ferry sails at dawn.", day)
    text += head("Pell(10003)", "19:43:00", "Well.") + head("Zel(10002)", "19:43:10", "Yes.")
    found = source(tmp_path, text, "log.txt")

    assert [unit.speaker for unit in found] == ["Zel", "Pell", "Zel"]
    assert "The ferry sails at dawn." in next(iter(found)).text
    assert any("a time that leaps" in line for line in found.report().lines())


def test_a_second_log_behind_the_first_is_read_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = head("Zel(10002)", "19:42:10", "Now.") + head("Zel(10002)", "19:43:10", "Then.", "2026-02-14 ")
    text += head("Pell(10003)", "19:44:00", "And then.", "2026-02-14 ")

    assert [unit.text for unit in in_text(tmp_path, text)] == ["Now.", "Then.", "And then."]


def test_heads_may_have_a_number_or_a_blank_behind_them_and_no_date(tmp_path: Path) -> None:
    text = "Zel(10002) 19:42:10 #3\nhello\n\nPell(10003) 19:43:10 \nyes\n\nZel(10002) 19:44:10\nwell\n"
    path = tmp_path / "log.txt"
    path.write_text(text, "utf-8")
    found = list(read(path, format="sealdice-text"))

    assert [(unit.speaker, unit.text, unit.when) for unit in found] == [
        ("Zel", "hello", None),
        ("Pell", "yes", None),
        ("Zel", "well", None),
    ]


def test_an_old_file_in_another_encoding_is_read_once_it_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(as_bot_text().encode("gb18030"))

    with pytest.raises(Refused, match=r"is not UTF-8 at byte .* such as cp1252 or gb18030"):
        read(path).report()
    assert read(path, hints=Hints(encoding="gb18030")).report().units == len(TABLE)


def test_lines_before_the_first_head_are_unread(tmp_path: Path) -> None:
    found = in_text(tmp_path, "Typed up by Mary (10001).\n\n" + as_bot_text())

    assert [unit.raw for unit in found if unit.unread] == ["Typed up by Mary (…)."]


def test_texts_cannot_mark_what_was_secret() -> None:
    (only,) = (reader for _, reader in read(FOLDER / "raw-log.txt").files)

    assert (only.can_mark, only.has_ids) == (False, False)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (".ra 侦查", "ra"),
        ("。log on", "log"),
        ("/rh", "rh"),
        ("...well", None),
        (". . .", None),
        ("hm", None),
    ],
)
def test_commands_begin_with_a_sign_and_a_letter(text: str, word: str | None) -> None:
    found = command_in(text)

    assert (found.word if found else None) == word


@pytest.mark.parametrize(
    "sign", ["[CQ:", "(", "<a", "1", " ", "=", "d6=1", "\n", "[2d6=1+", "➯ 1", "{", "\\"]
)
def test_hostile_text_is_read_in_its_length(tmp_path: Path, sign: str) -> None:
    words = sign * (250_000 // len(sign))
    table = [Said(0, MARY, "a"), Said(1, ZEL, words), Said(2, (words[:5_000], "1"), "b")]
    for text in (as_sealdice_json(table), *(made(table) for made in TEXTS)):
        path = tmp_path / "log"
        path.write_text(text, "utf-8")
        assert read(path, format="sealdice").report().units
