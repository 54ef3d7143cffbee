"""Habits of other tables at the console: lines of the table, help, and words that only read (G10)."""

from __future__ import annotations

import pytest

from retold.cli.console.script import carry_out
from retold.cli.console.session import ConsoleSession, LineResult
from tests.cli.console.test_speaker import recorded


def test_G10_lines_of_chats_are_recorded_as_lines_of_the_table(seat: ConsoleSession) -> None:
    assert recorded(seat, "(ooc) Tea?", "ooc: No, coffee.", "Roll 2d6 = 3 4", "/r 2d6 = 3 4") == [
        "aside: Tea?",
        "aside: No, coffee.",
        "roll 2d6 = 3 4",
        "roll 2d6 = 3 4",
    ]


def test_G10_what_i_do_is_the_speakers(seat: ConsoleSession) -> None:
    assert recorded(seat, "end fight", "as Ana", "/me bows", "2d6 = 1 2", "as") == [
        "end conflict",
        "narrate Ana: Ana bows",
        "roll Ana 2d6 = 1 2",
    ]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("help fight", "fight is conflict here.\n\nOpen a conflict"),
        ("help Combat", "Combat is conflict here."),
        ("help short rest", "short rest is rest here."),
        ("help damage", "damage is track here."),
        ("help death save", "death save is roll here."),
        ("show Ana", "Ana"),
        ("party", "Guards"),
        ("sheet Ana", "Ana"),
        ("transcript", "Guards"),
    ],
)
def test_G10_help_and_reading_know_the_words_of_other_tables(
    seat: ConsoleSession, typed: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert carry_out(seat, typed).heard is LineResult.DONE

    assert said in capsys.readouterr().out


def test_a_secret_person_is_revealed_by_name(
    seat: ConsoleSession, capsys: pytest.CaptureFixture[str]
) -> None:
    carry_out(seat, "cast Nemo --gm: The captain")

    assert recorded(seat, "reveal Nemo") == ["reveal 16+17 --only"]
    assert "Everyone knows now: Nemo." in capsys.readouterr().out


def test_G10_a_shown_line_stays_at_the_prompt_as_a_refusal(
    seat: ConsoleSession, capsys: pytest.CaptureFixture[str]
) -> None:
    assert carry_out(seat, "It rains").heard is LineResult.REFUSED

    assert capsys.readouterr().err == "There is no verb It. To tell it: narrate gm: It rains\n"


def test_a_number_takes_the_line_that_the_last_answer_showed(seat: ConsoleSession) -> None:
    seat.keeps_lines = True
    carry_out(seat, "It rains")

    assert recorded(seat, "1") == ["narrate gm: It rains"]
    assert carry_out(seat, "1").heard is LineResult.REFUSED


def test_Q37_a_line_that_begins_with_new_is_no_new_campaign(seat: ConsoleSession) -> None:
    assert recorded(seat, "new npc Bob") == ['cast "Bob"']


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("12 gold", "Into the purse, or somebody's: gold +12; or gold "),
    ],
)
def test_Q37_what_was_refused_without_a_line_shows_it(
    seat: ConsoleSession, typed: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert carry_out(seat, typed).heard is LineResult.REFUSED

    assert capsys.readouterr().err.startswith(said)


@pytest.mark.parametrize("typed", ["coin flip", "whose turn is it", "map", "Ana sheet"])
def test_Q37_what_was_asked_about_is_done(seat: ConsoleSession, typed: str) -> None:
    assert carry_out(seat, typed).heard is LineResult.DONE


def test_lines_typed_as_one_are_taken_one_after_the_other_after_a_yes(seat: ConsoleSession) -> None:
    seat.scribe.attended, seat.scribe.ask = True, lambda _question: True

    assert recorded(seat, "end fight", "loot: 12 gold, a knife") == [
        "end conflict",
        'thing "a knife"',
        "purse gold +12",
    ]


def test_a_question_that_begins_with_can_is_for_the_table(
    seat: ConsoleSession, capsys: pytest.CaptureFixture[str]
) -> None:
    assert carry_out(seat, "can Ana swim that far?").heard is LineResult.REFUSED

    assert "ruling: can Ana swim that far?" in capsys.readouterr().err
