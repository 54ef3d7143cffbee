"""Whose a line is that does not say it: what is recorded is the whole line, whichever way it was typed."""

import io
import sys

import pytest

from retold.cli.campaigns.asking import asker
from retold.cli.console.offers import Known, offers
from retold.cli.console.script import carry_out
from retold.cli.console.session import ConsoleSession, LineResult
from retold.cli.console.toolbar import StatusLine
from retold.journal.store.events import line_events


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def recorded(seat: ConsoleSession, *lines: str) -> list[str]:
    """The lines of the record that these came to."""
    scribe = seat.scribe
    before = scribe.writer.head.position
    for line in lines:
        assert carry_out(seat, line).heard is LineResult.DONE, line
    return [scribe.line_said(act) for act in line_events.acts(scribe.campaign.record, scribe.line, before)]


def prompt(seat: ConsoleSession) -> str:
    return StatusLine.of(seat.scribe, seat.speaker.name).prompt


def test_a_line_that_is_only_a_text_in_quotes_is_told_by_the_game_master(seat: ConsoleSession) -> None:
    assert recorded(seat, '"It rains: hard."', "“A lamp, unlit.”", '"He said ""no""."') == [
        "narrate gm: It rains: hard.",
        "narrate gm: A lamp, unlit.",
        'narrate gm: He said "no".',
    ]


@pytest.mark.parametrize("line", ['""', '"It rains.', '"It rains." hard', '"Nobody": Tea?', ": Tea?"])
def test_what_only_looks_like_it_is_refused_and_stays(seat: ConsoleSession, line: str) -> None:
    before = seat.scribe.writer.head

    assert carry_out(seat, line).heard is LineResult.REFUSED
    assert carry_out(seat, line).rest == line
    assert seat.scribe.writer.head == before


def test_as_attributes_lines_to_a_character_until_it_ends(seat: ConsoleSession) -> None:
    typed = ("as Zel", "declare: Down the stair.", ": Not tonight.", "say Ana: Wait!", "note: Rain.")

    assert recorded(seat, *typed, "end conflict stalemate", '"She runs."', "as", '"The dogs are quiet."') == [
        'declare "Zélie Brandt": Down the stair.',
        'say "Zélie Brandt": Not tonight.',
        "say Ana: Wait!",
        "note: Rain.",
        "end conflict stalemate",
        'say "Zélie Brandt": She runs.',
        "narrate gm: The dogs are quiet.",
    ]


def test_a_verb_that_needs_a_character_takes_the_speaker(seat: ConsoleSession) -> None:
    carry_out(seat, "declare Zel: I run.\ndeclare Gu: They hold.")

    assert recorded(seat, "as Zel", "draw clubs+melee = JH JD 10S 7C 4C 3D", "as Gu", "draw 2 = 9D 8S") == [
        'draw "Zélie Brandt" clubs+melee = JH JD 10S 7C 4C 3D',
        "draw Guards 2 = 9D 8S",
    ]


def test_lines_about_no_character_are_not_attributed_to_the_speaker(seat: ConsoleSession) -> None:
    assert recorded(seat, "as Zel", "end conflict stalemate", "scene The yard", "roll 2d6 = 3 4") == [
        "end conflict stalemate",
        "scene The yard",
        'roll "Zélie Brandt" 2d6 = 3 4',
    ]


def test_the_prompt_says_whose_the_lines_are(
    seat: ConsoleSession, capsys: pytest.CaptureFixture[str]
) -> None:
    seat.hear("as captain")
    assert prompt(seat) == "as Zélie Brandt> "
    assert capsys.readouterr().out.startswith("The next lines are Zélie Brandt's")

    assert seat.hear("as Nobody") is LineResult.REFUSED
    assert seat.hear("as Zel Ana") is LineResult.REFUSED
    assert seat.speaker.name == "Zélie Brandt"
    seat.hear("as gm")
    assert prompt(seat) == "Out of the citadel> "


def test_whose_the_lines_are_may_be_renamed_and_taken_back(seat: ConsoleSession) -> None:
    seat.hear("cast Bruno")
    seat.hear("as Bruno")
    assert recorded(seat, "cast Bruno name=Bertram", ": Tea?")[-1] == "say Bertram: Tea?"
    assert prompt(seat) == "as Bertram> "
    seat.hear("undo 3")

    assert prompt(seat) == "Out of the citadel> "
    assert seat.hear(": Tea?") is LineResult.REFUSED


def test_a_line_typed_in_place_of_an_answer_is_carried_out_next(
    seat: ConsoleSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("narrate gm: It rains.\n"))
    seat.scribe.attended, seat.scribe.ask = True, asker(seat.options, seat.hear_ahead)

    assert recorded(seat, 'Bruno: "Tea?"') == ["narrate gm: It rains."]


def test_a_new_speaker_is_cast_after_confirmation(seat: ConsoleSession) -> None:
    asked: list[str] = []
    answers = iter((False, True, True, True))

    def answer(question: str) -> bool:
        asked.append(question)
        return next(answers)

    seat.scribe.attended, seat.scribe.ask = True, answer
    assert carry_out(seat, 'Bruno: "Tea?"').rest == 'Bruno: "Tea?"'
    assert recorded(seat, 'Bruno: "Tea?"', "Bruno: Or not.", '"Old Pim": No.', "Warden: Halt!") == [
        'cast "Bruno"',
        'say Bruno: "Tea?"',
        "say Bruno: Or not.",
        'cast "Old Pim"',
        'say "Old Pim": No.',
        'cast "Warden"',
        "say Warden: Halt!",
    ]
    assert asked[0] == "Bruno is new: cast Bruno and say it?"
    assert len(asked) == 4


@pytest.mark.parametrize("line", ["notes: Two.", "Guadrs: Halt!", "Bruno --check: Tea?", "Gu Ana: Halt!"])
def test_a_likely_typo_is_not_offered_as_a_new_character(seat: ConsoleSession, line: str) -> None:
    asked: list[str] = []

    def answer(question: str) -> bool:
        asked.append(question)
        return True

    seat.scribe.attended, seat.scribe.ask = True, answer
    assert seat.hear(line) is LineResult.REFUSED
    assert asked == []


def test_a_speaker_is_not_cast_without_confirmation(seat: ConsoleSession) -> None:
    assert seat.hear('Bruno: "Tea?"') is LineResult.REFUSED


def test_reader_a_move_of_a_homebrew_game_takes_the_speaker(empty: ConsoleSession) -> None:
    sheets = 'cast Thia+"Old Osk" homebrew str=2 wis=1 ac=11 health=9'
    carry_out(empty, f"game d20\n{sheets}")

    assert recorded(
        empty, "as Old", "check wis vs 12 = 9", "hp -2", "attack str vs Thia = 9", "poisoned"
    ) == [
        'roll "Old Osk" check wis vs 12 = 9',
        'track "Old Osk" hp -2',
        'roll "Old Osk" attack str vs Thia = 9',
        'status "Old Osk" poisoned',
    ]


def test_reader_tab_completes_a_line_that_begins_with_a_character(empty: ConsoleSession) -> None:
    carry_out(empty, "game d20\ncast Thia+Wolf homebrew str=2 wis=1 ac=11 health=9")
    known = Known(empty.scribe.table)

    assert [one.text for one in offers(known, "Thia attack st")[1]] == ["str"]
    assert [one.text for one in offers(known, "Thia attack str vs Wo")[1]] == ["Wolf"]
