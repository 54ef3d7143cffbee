"""A table with its own cards and dice: a line that wants some asks, and what is answered is checked."""

import pytest

from retold.cli.console.script import carry_out
from retold.cli.console.session import ConsoleSession, LineResult
from retold.journal.store.events import line_events
from tests.cli.shell import Shell

SIX = "JH JD 10S 7C 4C 3D"


@pytest.fixture
def asked(seat: ConsoleSession) -> list[str]:
    """The questions that a table with real cards is asked, in a fight that wants cards."""
    carry_out(seat, "declare Zel: I run.\ndeclare Gu: They hold.\ntable real")
    return []


def answering(seat: ConsoleSession, asked: list[str], *answers: str) -> None:
    said = iter(answers)

    def consult(question: str) -> str:
        asked.append(question)
        return next(said)

    seat.scribe.consult = consult
    seat.scribe.attended = True


def recorded(seat: ConsoleSession, after: int) -> list[str]:
    scribe = seat.scribe
    return [scribe.line_said(act) for act in line_events.acts(scribe.campaign.record, scribe.line, after)]


def test_a_draw_asks_what_came_up_and_records_it_as_called(seat: ConsoleSession, asked: list[str]) -> None:
    before = seat.scribe.writer.head.position
    answering(seat, asked, f"{SIX}\n", "= 3 4\n")
    carry_out(seat, "draw Zel clubs+melee")
    carry_out(seat, "roll 2d6")

    assert asked == ["What came up (6)? Enter deals it.", "What came up (2)? Enter deals it."]
    assert recorded(seat, before) == [f'draw "Zélie Brandt" clubs+melee = {SIX}', "roll 2d6 = 3 4"]


D20 = """game d20
cast Ana homebrew health=9 str=3
cast Eel homebrew health=9 ac=11
cast Spy homebrew --gm health=9 ac=12
"""


def test_A7_dice_that_a_hit_brings_are_asked_for_after_it(seat: ConsoleSession, asked: list[str]) -> None:
    carry_out(seat, f"end conflict\n{D20}")
    before = seat.scribe.writer.head.position
    answering(seat, asked, "15", "5", "2", "20", "= 3 4")
    for _ in range(3):
        carry_out(seat, "roll Ana attack str vs Eel damage 1d8+3")

    first = "What came up? Enter deals it."
    assert asked == [
        first,
        "The result is a hit: its damage is 1d8+3, and its die was not given. What came up there?",
        first,
        first,
        "A 20 is a critical hit: its damage is 2d8+3, and its 2 dice were not given. What came up there?",
    ]
    line = "roll Ana attack str vs Eel damage 1d8+3 ="
    assert recorded(seat, before) == [f"{line} 15 5", f"{line} 2", f"{line} 20 3 4"]


def test_A7_what_is_hidden_asks_as_what_is_open(seat: ConsoleSession, asked: list[str]) -> None:
    carry_out(seat, f"end conflict\n{D20}")
    before = seat.scribe.writer.head.position
    answering(seat, asked, "2")
    carry_out(seat, "roll Ana attack str vs Spy --gm")

    assert recorded(seat, before) == ["roll Ana attack str vs Spy --gm = 2"]


def test_A7_nothing_answered_about_what_a_hit_brings_leaves_the_line(
    seat: ConsoleSession, asked: list[str]
) -> None:
    carry_out(seat, f"end conflict\n{D20}")
    before = seat.scribe.writer.head
    answering(seat, asked, "15", "")
    left = carry_out(seat, "roll Ana attack str vs Eel damage 1d8")

    assert (left.heard, seat.scribe.writer.head) == (LineResult.REFUSED, before)


def test_no_answer_deals(seat: ConsoleSession, asked: list[str]) -> None:
    before = seat.scribe.writer.head.position
    answering(seat, asked, "\n")
    carry_out(seat, "roll d20")

    assert asked == ["What came up? Enter deals it."]
    assert recorded(seat, before)[0].startswith("roll d20 =dealt ")


@pytest.mark.parametrize("answer", ["KS", "JH JD 10S 7C 4C JH", "JH JD 10S 7C 4C 11D", '"JH"', "a=b"])
def test_impossible_cards_are_refused_and_the_line_stays(
    seat: ConsoleSession, asked: list[str], answer: str
) -> None:
    before = seat.scribe.writer.head
    answering(seat, asked, answer)
    left = carry_out(seat, "draw Zel clubs+melee")

    assert (left.heard, left.rest, seat.scribe.writer.head) == (
        LineResult.REFUSED,
        "draw Zel clubs+melee",
        before,
    )


def test_no_line_asks_that_says_it_or_deals_nothing_or_is_refused(
    seat: ConsoleSession, asked: list[str]
) -> None:
    answering(seat, asked)
    for line in ("roll 2d6 = 3 4", "roll 2d6 --check", "note: Rain.", "draw Zel 99", "undo", "draw Nobody 3"):
        carry_out(seat, line)

    assert asked == []


def test_it_is_remembered_for_this_campaign_until_taken_back(
    seat: ConsoleSession, asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert ConsoleSession(seat.scribe, seat.options).decks.real
    assert seat.hear("table") is LineResult.DONE
    assert "a line asks what came up" in capsys.readouterr().out
    assert seat.hear("table made of oak") is LineResult.REFUSED
    seat.hear("table dealt")
    assert not ConsoleSession(seat.scribe, seat.options).decks.real
    assert "Retold deals" in capsys.readouterr().out
    answering(seat, asked)
    assert seat.hear("roll 2d6") is LineResult.DONE


# --- where nobody can be asked ----------------------------------------------------------------------------

ROLL = (
    "The cards and dice are real here (table real): say what came up (2) after =, such as: roll Vera 2d6+1 vs"
    " 9 = 3 5. To have it dealt, add --yes."
)


@pytest.fixture
def real(shell: Shell) -> Shell:
    """A shell whose table has cards and dice of its own."""
    assert "The cards and dice are real" in shell.done("play", stdin=b"table real\n")
    return shell


@pytest.mark.parametrize(
    ("words", "where"),
    [
        (("roll", "2d6"), ""),
        (("play",), "line 1: "),
        (("run", "-"), "standard input:1: "),
        (("run", "-", "--check"), "standard input:1: "),
    ],
)
def test_in_a_pipe_or_a_script_what_came_up_is_said_or_nothing_is_recorded(
    real: Shell, words: tuple[str, ...], where: str
) -> None:
    before = real.bytes()
    said = real.say(*words, stdin=b"roll 2d6\n")

    assert said.code == 1
    assert " ".join(said.err.split()).startswith(f"{where}{ROLL}")
    assert real.bytes() == before


def test_what_is_said_or_asked_for_is_recorded_in_a_pipe_too(real: Shell) -> None:
    real.done("roll", "2d6", "=", "3", "4")
    real.done("run", "-q", "-", stdin=b"roll 2d6 =dealt 3 4\nroll 2d6 = 5 6\nnote: Rain.\n")
    real.done("--yes", "roll", "2d6")
    real.done("--yes", "run", "-q", "-", stdin=b"roll 2d6\n")
    real.done("play", stdin=b"table dealt\nroll 2d6\n")

    rolled = [line for line in real.done("dump", "--script").splitlines() if line.startswith("roll 2d6")]
    assert rolled[:3] == ["roll 2d6 = 3 4", "roll 2d6 =dealt 3 4", "roll 2d6 = 5 6"]
    assert [line.startswith("roll 2d6 =dealt ") for line in rolled[3:]] == [True] * 3


def test_5_of_a_hit_the_d20_is_asked_first_and_then_the_damage(seat: ConsoleSession) -> None:
    carry_out(
        seat,
        "end conflict\ngame d20\ncast Thia homebrew dex=3 ac=12\n"
        "cast Ogre homebrew ac=11 health=9\ntable real",
    )
    questions: list[str] = []
    before = seat.scribe.writer.head.position
    answering(seat, questions, "16", "4", "3")
    carry_out(seat, "roll Thia attack dex vs Ogre damage 1d6")
    carry_out(seat, "roll Thia attack dex vs Ogre damage 1d6")

    assert questions == [
        "What came up? Enter deals it.",
        "The result is a hit: its damage is 1d6, and its die was not given. What came up there?",
        "What came up? Enter deals it.",
    ]
    assert recorded(seat, before) == [
        "roll Thia attack dex vs Ogre damage 1d6 = 16 4",
        "roll Thia attack dex vs Ogre damage 1d6 = 3",
    ]


def test_a_roll_in_other_words_is_asked_for_too(seat: ConsoleSession) -> None:
    carry_out(
        seat,
        "end conflict\ngame d20\ncast Thia homebrew dex=3 ac=12\n"
        "cast Ogre homebrew ac=11 health=9\ntable real",
    )
    questions: list[str] = []
    before = seat.scribe.writer.head.position
    answering(seat, questions, "3", "12")
    carry_out(seat, "Thia rolls dex vs 12")
    carry_out(seat, "Thia dex check")

    assert questions == ["What came up? Enter deals it."] * 2
    assert [line.partition(" = ")[2] for line in recorded(seat, before)] == ["3", "12"]
