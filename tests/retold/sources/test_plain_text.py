"""Logs in lines of text: the pattern that fits, who is a speaker, and lines that go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.journal.refused import Refused
from retold.sources import Hints, Unit, read
from retold.sources.dice import Rung
from retold.sources.unit import Reason, Sort
from tests.retold.sources.made_up import EXAMPLES, IRC, PLAIN, WHATSAPP


def units(tmp_path: Path, text: str, hints: Hints | None = None) -> list[Unit]:
    path = tmp_path / "evening.txt"
    path.write_text(text, "utf-8", newline="")
    return list(read(path, format="plain", hints=hints or Hints()))


def test_a_name_before_three_lines_speaks_and_a_note_does_not() -> None:
    found = list(read(EXAMPLES / "plain.txt", format="plain"))

    assert {unit.speaker for unit in found} == {"", "Mary", "Zel", "Pell"}
    assert "Note: the lamp is an old one." in "\n".join(unit.text for unit in found)


def test_a_name_that_the_table_gives_speaks_at_once(tmp_path: Path) -> None:
    found = units(tmp_path, PLAIN + "Odd: hello\n", Hints(names=frozenset({"Odd"})))

    assert found[-1].speaker == "Odd"


def test_I19_a_term_with_a_value_is_no_speaker(tmp_path: Path) -> None:
    """However often it stands there; a name that the table gives is somebody all the same."""
    log = "".join(f"Zel: Now {number}!\nCoin: {number}/9\nSTR: a {number}\n" for number in range(4))

    assert {unit.speaker for unit in units(tmp_path, log)} == {"Zel"}
    named = units(tmp_path, log, Hints(names=frozenset({"Coin"})))
    assert {unit.speaker for unit in named} == {"Zel", "Coin"}


def test_lines_before_the_first_speaker_are_unread(tmp_path: Path) -> None:
    found = units(tmp_path, PLAIN)

    assert [unit.raw for unit in found if unit.unread] == ["Typed up by Mary, the morning after."]


def test_dice_alone_are_a_roll_and_among_words_they_are_both(tmp_path: Path) -> None:
    thrown = [(unit.sort, throw.rung) for unit in units(tmp_path, PLAIN) for throw in unit.throws]

    assert thrown == [(Sort.ROLL, Rung.FACES), (Sort.SAID, Rung.TOTAL), (Sort.ROLL, Rung.TOTAL)]


def test_irc_has_times_only_where_the_log_says_the_day(tmp_path: Path) -> None:
    dated = [unit.when.time.isoformat() for unit in units(tmp_path, IRC) if unit.when and unit.is_read]
    without = IRC.partition("\n")[2].replace("--- Day changed Mon Mar 02 2026\n", "")

    assert (dated[0], dated[-1]) == ("2026-03-01T19:42:00", "2026-03-02T00:01:00")
    assert all(unit.when is None for unit in units(tmp_path, without))


def test_an_emote_of_irc_is_told_and_a_notice_left_out(tmp_path: Path) -> None:
    found = units(tmp_path, IRC)

    assert [unit.text for unit in found if unit.sort is Sort.TOLD] == ["looks up at the lamp"]
    assert [unit.place.first for unit in found if unit.left_out is Reason.NOTICE] == [1, 2, 9, 11]


def test_a_head_inside_a_line_forges_no_speaker(tmp_path: Path) -> None:
    assert "Pell" not in {unit.speaker for unit in units(tmp_path, IRC)}
    assert {unit.speaker for unit in units(tmp_path, WHATSAPP)} == {"", "Mary", "Zel", "Odd"}


def test_irc_and_whatsapp_are_known_by_their_look() -> None:
    assert [read(EXAMPLES / name).family for name in ("irc.log", "whatsapp.txt")] == ["plain", "plain"]


def test_names_and_colons_alone_are_asked_about() -> None:
    with pytest.raises(Refused, match=r"plain\.txt may be lines of text; name the format plain"):
        read(EXAMPLES / "plain.txt")


def test_a_pattern_of_the_tables_own_is_used(tmp_path: Path) -> None:
    found = units(tmp_path, "Zel | hello\nPell | yes\n", Hints(pattern=r"(?P<name>\w+) \| (?P<words>.*)"))

    assert [(unit.speaker, unit.text) for unit in found] == [("Zel", "hello"), ("Pell", "yes")]


@pytest.mark.parametrize("pattern", ["(", "(?P<name>.)", "a" * 5 + "("])
def test_a_pattern_that_is_none_is_one_sentence(tmp_path: Path, pattern: str) -> None:
    with pytest.raises(Refused, match=r"^The pattern "):
        units(tmp_path, "Zel: hello", Hints(pattern=pattern))


def test_a_text_without_speakers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="No line of evening"):
        units(tmp_path, "Once upon a time.\nHP: 12\n")


def said(tmp_path: Path, text: str) -> list[tuple[str, str, str]]:
    """Sort, speaker and words of each unit."""
    return [(str(unit.sort), unit.speaker, unit.text) for unit in units(tmp_path, text)]


def test_a_head_may_stand_above_the_words(tmp_path: Path) -> None:
    text = "Zel, [01.03.2026 19:42]\nNot today.\n\nNor tomorrow.\n\nPell, [13.03.2026 19:43]\nGo.\n"

    assert said(tmp_path, text) == [("said", "Zel", "Not today.\n\nNor tomorrow."), ("said", "Pell", "Go.")]


def test_script_form_prose_is_told_between_speeches(tmp_path: Path) -> None:
    text = "ZEL\n(quiet)\nNot today.\n\nThe lamp goes out.\n\n" + "ZEL.\nGo.\n\n" * 2

    assert said(tmp_path, text)[:3] == [
        ("said", "ZEL", "(quiet)\nNot today."),
        ("told", "", "The lamp goes out."),
        ("said", "ZEL", "Go."),
    ]


def test_irc_without_times_is_known_by_its_signs(tmp_path: Path) -> None:
    text = "<Zel> Not today.\n* Zel waits\n-!- Pell joined\n<@Pell> Go.\n"

    assert [unit.speaker for unit in units(tmp_path, text)] == ["Zel", "Zel", "", "Pell"]
    assert read(tmp_path / "evening.txt").family == "plain"


def test_a_date_in_iso_may_stand_before_the_name(tmp_path: Path) -> None:
    (first, *_) = units(tmp_path, "2026-03-01 19:42 Zel: Not today.\n" * 3)

    assert first.when is not None
    assert (first.speaker, first.when.time.isoformat()) == ("Zel", "2026-03-01T19:42:00")


def test_I18_a_possessive_in_front_of_an_emote_is_no_name(tmp_path: Path) -> None:
    found = units(tmp_path, "<Zel> Well.\n<Zel> So.\n* Zel's lips split\n* Zel\u2019s hand shakes\n")

    assert [(unit.speaker, unit.text) for unit in found[2:]] == [
        ("Zel", "Zel's lips split"),
        ("Zel", "Zel\u2019s hand shakes"),
    ]
