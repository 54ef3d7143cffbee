"""Pages of Cocofolia: who speaks in which tab, what is hidden, and tracks that change."""

# ruff: noqa: RUF001 - the tool writes full-width signs

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from retold.journal.refused import Refused
from retold.sources import Source, Unit, read
from retold.sources.cocofolia import rewritten, room_log
from retold.sources.dice import Rung
from retold.sources.sniffing import Head, Likeness
from retold.sources.unit import FactKind, Reason, Sort
from tests.retold.sources.made_up import EXAMPLES
from tests.retold.sources.made_up_dicebots import ROOM, Line, as_rewritten, as_room_log


def source(tmp_path: Path, page: str, name: str = "room.html") -> Source:
    path = tmp_path / name
    path.write_text(page, "utf-8", newline="")
    return read(path, format="cocofolia" if "<p " in page else "cocofolia-rewritten")


def units(tmp_path: Path, *lines: Line) -> list[Unit]:
    return list(source(tmp_path, as_room_log(lines)))


def only(tmp_path: Path, *lines: Line) -> Unit:
    (found,) = units(tmp_path, *lines)
    return found


@pytest.mark.parametrize(
    ("tab", "sort", "hidden"),
    [
        ("main", Sort.SAID, False),
        ("メイン", Sort.SAID, False),
        ("info", Sort.NOTE, False),
        ("other", Sort.ASIDE, False),
        ("雑談", Sort.ASIDE, False),
        ("HO1", Sort.SAID, True),
        ("KP用", Sort.SAID, True),
        ("秘密", Sort.SAID, True),
        ("雑談2", Sort.SAID, True),
    ],
)
def test_tabs_that_a_room_has_for_all_are_open_and_all_others_hidden(
    tmp_path: Path, tab: str, sort: Sort, hidden: bool
) -> None:
    found = only(tmp_path, Line(tab, "Zel", "Somebody is aboard."))

    assert (found.channel, found.sort, found.hidden, found.to) == (tab, sort, hidden, ())


def test_nobodys_words_are_told_and_full_width_brackets_are_asides(tmp_path: Path) -> None:
    found = units(
        tmp_path, Line("main", "", "A lamp."), Line("main", "Zel", "（brb）"), Line("main", "Zel", "*nods*")
    )

    assert [(unit.sort, unit.speaker, unit.text) for unit in found] == [
        (Sort.TOLD, "", "A lamp."),
        (Sort.ASIDE, "Zel", "brb"),
        (Sort.TOLD, "Zel", "nods"),
    ]


def test_a_changed_number_is_a_track(tmp_path: Path) -> None:
    found = only(tmp_path, Line("main", "system", "[ Zel [tired] ] HP : 12 → -1"))
    (fact,) = found.facts

    assert (found.sort, found.text, found.speaker) == (Sort.NOTE, "", "")
    assert (fact.kind, fact.whose, fact.name, fact.value) == (FactKind.TRACK, "Zel [tired]", "HP", "-1")


def test_a_change_that_is_no_number_is_a_note(tmp_path: Path) -> None:
    found = only(tmp_path, Line("main", "system", "[ Zel ] state : dry → wet"))

    assert (found.sort, found.text, found.facts) == (Sort.NOTE, "[ Zel ] state : dry → wet", ())


def test_a_secret_roll_without_result_is_seen_by_all_and_tells_nothing(tmp_path: Path) -> None:
    found = only(tmp_path, Line("main", "", "シークレットダイス ???"))

    assert (found.sort, found.hidden, [throw.rung for throw in found.throws]) == (
        Sort.ROLL,
        False,
        [Rung.WORDS],
    )


@pytest.mark.parametrize(
    "words",
    [
        "sCCB<=65 【Listen】 (1D100<=65) ＞ 41 ＞ 成功",
        "S1D100 (1D100) ＞ 52",
        "x2 s1d100 #1\n(1D100) ＞ 13\n\n#2\n(1D100) ＞ 1",
    ],
)
def test_a_secret_roll_is_for_its_thrower_alone_in_every_tab(tmp_path: Path, words: str) -> None:
    for tab in ("main", "HO1"):
        found = only(tmp_path, Line(tab, "Mary", words))
        assert (found.sort, found.hidden, found.to) == (Sort.ROLL, True, ("Mary",))


def test_an_s_of_two_meanings_is_secret_if_the_log_has_the_command_without_it(tmp_path: Path) -> None:
    secret, open_ = (
        Line("main", "Zel", "SST 表(6) ＞ A library."),
        Line("main", "Zel", "ST 表(6) ＞ A library."),
    )

    assert only(tmp_path, secret).hidden is False
    assert [unit.hidden for unit in units(tmp_path, secret, open_)] == [True, False]


def test_what_looks_like_markup_in_a_message_is_words(tmp_path: Path) -> None:
    words = 'a </span></p>\n<p style="color:#888888;">\n  <span> [main]</span> & &lt;b&gt;'
    found = only(tmp_path, Line("main", "Zel</span>", words))

    assert (found.speaker, found.text) == ("Zel</span>", words)


def test_equal_words_are_two_units_with_two_keys(tmp_path: Path) -> None:
    found = units(tmp_path, Line("main", "Zel", "Yes."), Line("main", "Zel", "Yes."))

    assert len({unit.key for unit in found if unit.is_read}) == 2


def test_a_message_that_is_cut_off_is_unread(tmp_path: Path) -> None:
    page = as_room_log([Line("main", "Zel", "Yes."), Line("main", "Pell", "Not today, not ever.")])
    whole = source(tmp_path, page[: page.index("not ever")])
    found = list(whole)

    assert [(unit.text, unit.unread) for unit in found] == [("Yes.", False), ("", True)]
    assert "Not today" in found[-1].raw
    assert any("cut off" in line for line in whole.report().lines())


def test_a_paragraph_of_another_shape_is_unread_and_words_between_are_kept(tmp_path: Path) -> None:
    page = as_room_log([Line("main", "Zel", "Yes.")]).replace(
        "</p>", "</p>\nbetween\n<p>A note of mine.</p>\n<p>", 1
    )
    found = list(source(tmp_path, page.replace("<p>\n", "<p>x</p>", 1)))

    assert [unit.text for unit in found if unit.is_read] == ["Yes."]
    assert [unit.raw for unit in found if unit.unread] == ["between", "A note of mine.", "x"]


@pytest.mark.parametrize(
    "page", ["", "<html><p>Once upon a time.</p></html>", "<dl><dt>a</dt><dd>b</dd></dl>"]
)
def test_other_pages_are_no_logs(page: str) -> None:
    assert room_log.look(Head("a.html", page)) is Likeness.NO
    assert rewritten.look(Head("a.html", page)) is Likeness.NO


def test_a_page_of_a_tool_is_asked_about() -> None:
    with pytest.raises(Refused, match="name the format cocofolia-rewritten"):
        read(EXAMPLES / "cocofolia-rewritten.html")


def test_a_page_of_a_tool_says_the_same_as_the_rooms_own() -> None:
    own = [unit for unit in read(EXAMPLES / "cocofolia.html") if unit.is_read]
    made = [unit for unit in read(EXAMPLES / "cocofolia-rewritten.html", format="cocofolia") if unit.is_read]

    tabs = {"メイン": "main"}
    assert [(unit.sort, unit.speaker, unit.text, unit.hidden, unit.facts) for unit in own] == [
        (unit.sort, unit.speaker, unit.text, unit.hidden, unit.facts)
        for unit in made
        if unit.sort is not Sort.SCENE
    ]
    assert {unit.channel for unit in own} == {tabs.get(unit.channel, unit.channel) for unit in made} - {""}
    assert [unit.text for unit in made if unit.sort is Sort.SCENE] == ["The quay", "The hold"]


def test_the_frame_of_a_tools_page_is_left_out_with_its_reason(tmp_path: Path) -> None:
    found = list(source(tmp_path, as_rewritten()))

    assert [unit.text for unit in found if unit.left_out is Reason.FRAME] == ["made by a tool"]


@pytest.mark.parametrize("sign", ["<", "<p ", "</p>", "<span", "&", "&#", "[ ", " → ", "<br>", "<dl "])
def test_hostile_text_is_read_in_its_length(tmp_path: Path, sign: str) -> None:
    page = as_room_log([*ROOM[:1], Line("main", "Zel", "HERE")]).replace(
        "HERE", sign * (250_000 // len(sign))
    )
    path = tmp_path / "room.html"
    path.write_text(page, "utf-8")
    for name in ("cocofolia", "cocofolia-rewritten"):
        with contextlib.suppress(Refused):
            assert read(path, format=name).report().units
