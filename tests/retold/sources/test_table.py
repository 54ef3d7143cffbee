"""Tables: a unit a row, by the columns that the user names or the headings tell."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.refused import Refused
from retold.sources import Hints, Unit, read
from retold.sources.table import proposed


def units(folder: Path, text: str, hints: Hints = Hints()) -> list[Unit]:  # noqa: B008 - it is frozen
    path = folder / "rows.csv"
    path.write_text(text, "utf-8", newline="")
    return list(read(path, format="table", hints=hints))


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_a_row_is_a_unit(tmp_path: Path, sign: str) -> None:
    rows = [
        "Date|Author|Content",
        '2026-03-01 19:42|Mary|"It rains,; and ""rains""."',
        "|Zel|((late))",
        "||",
        "",
    ]
    found = units(tmp_path, "\r\n".join(rows).replace("|", sign))

    assert [(one.speaker, one.text, str(one.sort), one.left_out) for one in found] == [
        ("Mary", 'It rains,; and "rains".', "said", None),
        ("Zel", "late", "aside", None),
        ("", "", "said", "empty"),
    ]
    assert found[0].when is not None


def test_columns_are_those_that_the_user_names(tmp_path: Path) -> None:
    hints = Hints(columns=(("name", "Wer"), ("words", "Was")))

    (one,) = units(tmp_path, "Wer,Was,Content\nZel,hello,no\n", hints)

    assert (one.speaker, one.text) == ("Zel", "hello")


def test_words_without_a_name_are_unread(tmp_path: Path) -> None:
    (one,) = units(tmp_path, "name,words\n,hello\n")

    assert (one.unread, one.raw) == (True, "hello")


def test_dice_that_are_written_out_are_a_throw(tmp_path: Path) -> None:
    (one,) = units(tmp_path, 'name,words\nZel,"2d6+1 [3, 4] = 8"\n')

    assert [(throw.dice, throw.faces, throw.total) for throw in one.throws] == [("2d6+1", (3, 4), 8)]


@pytest.mark.parametrize(
    ("text", "columns", "sentence"),
    [
        ("a,b\nx,y\n", (), r"has no column that is known to hold the words; its columns are a, b\."),
        ("a,b\nx,y\n", (("words", "c"),), r"has no column 'c'; its columns are a, b\."),
        ("", (), r"its columns are none\."),
    ],
)
def test_a_table_without_the_columns_is_one_sentence(
    tmp_path: Path, text: str, columns: tuple[tuple[str, str], ...], sentence: str
) -> None:
    with pytest.raises(Refused, match=sentence):
        units(tmp_path, text, Hints(columns=columns))


def test_headings_are_proposed_for_columns() -> None:
    assert proposed(["Date", "Author", "Message", "x"]) == {
        "name": "Author",
        "words": "Message",
        "time": "Date",
    }


@given(st.text(alphabet='a",;\n\r ', max_size=30))
def test_any_table_is_units_or_a_sentence(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    try:
        found = units(tmp_path_factory.getbasetemp(), f"name,words\n{text}")
    except Refused as refusal:
        assert str(refusal)  # noqa: PT017 - either is right
    else:
        assert all(one.is_read or one.unread or one.left_out for one in found)


@pytest.mark.parametrize(
    "text",
    [
        '01/03/2026,19:42:10,Tam,"I row,\nslowly."\n13/03/2026,19:43:00,Una,Wait.\n',
        '01/03/2026,19:42:10,Tam,+44 7,"I row,\nslowly."\n13/03/2026,19:43:00,Una,+44 8,Wait.\n',
        'Date,Time,Sender,Message\n01/03/2026,19:42:10,Tam,"I row,\nslowly."\n13/3/2026,19:43:00,Una,Wait.\n',
    ],
)
def test_a_day_and_an_hour_in_two_columns_are_a_time_with_and_without_headings(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "viber.csv"
    path.write_text(text, "utf-8", newline="")
    source = read(path, format="table" if text.startswith("Date") else "")
    report = source.report()

    assert [(one.speaker, one.text, one.when and str(one.when.time)) for one in source] == [
        ("Tam", "I row,\nslowly.", "2026-03-01 19:42:10"),
        ("Una", "Wait.", "2026-03-13 19:43:00"),
    ]
    assert report.pieces == report.counted
