from __future__ import annotations

from collections.abc import Callable

import pytest
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from retold.cli.campaigns.settings import Settings
from retold.cli.console.loop import Console
from retold.cli.console.session import ConsoleSession, LineResult
from retold.cli.console.toolbar import continues_text, ends_here, pasted
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.commands import Note

ALT_ENTER = "\x1b\r"
CTRL_C = "\x03"
CTRL_D = "\x04"
CTRL_U = "\x15"
RIGHT = "\x1b[C"
BACKSPACE = "\x7f"
NEXT_WORD = "\x1bf"
TO_THE_BEGINNING = "\x1b[1;5H"

Typing = Callable[[str], str]


def bracketed(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


@pytest.fixture
def typing(seat: ConsoleSession, capsys: pytest.CaptureFixture[str]) -> Typing:
    """Types keys at a console and gives back all that it said until it was left."""

    def typed(keys: str) -> str:
        with create_pipe_input() as source:
            source.send_text(keys)
            assert Console.at(seat, source=source, screen=DummyOutput()).converse() == 0
        said = capsys.readouterr()
        return said.out + said.err

    return typed


def test_a_line_is_carried_out_and_told_in_notation(typing: Typing) -> None:
    said = typing("declare Gu: We hold the gate.\rquit\r")

    assert "Guards declares: “We hold the gate.”" in said
    assert "Everything is recorded in salt.retold, on mainline up to" in said


@pytest.mark.parametrize("refused", ["note Ana\r", "redo\r", "draw Gu 3 = KS\r"])
def test_B2_a_refused_line_stays_and_typing_takes_its_place(typing: Typing, refused: str) -> None:
    said = typing(refused + "note Ana: Something else first.\r" + CTRL_D)

    assert "note on Ana: “Something else first.”" in said


def test_B2_an_arrow_key_goes_into_a_refused_line_to_mend_it(typing: Typing) -> None:
    said = typing("note Ana\r" + RIGHT + ": Mended.\r" + CTRL_D)

    assert "note wants a text after a colon." in said
    assert "note on Ana: “Mended.”" in said


def test_B2_a_line_that_was_only_out_of_its_turn_stays_too(typing: Typing) -> None:
    said = typing("undo\rredo\rredo\r\r" + CTRL_D)

    assert said.count("There is nothing to bring back.") == 2


def test_a_text_goes_on_until_an_empty_line(typing: Typing, seat: ConsoleSession) -> None:
    said = typing("note Ana:\rOne line.\r.\rAnother.\r\r" + CTRL_D)

    assert "note on Ana: “One line. Another.”" in said
    assert seat.scribe.writer.head.position


def test_alt_enter_adds_a_line_of_text(typing: Typing) -> None:
    assert "“One. / Two.”" in typing(f"note: One.{ALT_ENTER}Two.\r\r{CTRL_D}")


def test_a_pasted_script_is_carried_out_up_to_the_first_refusal_and_the_rest_is_offered(
    typing: Typing,
) -> None:
    script = "note: One.\nnote Nobody: Two.\nnote:\n    Three\n    and more.\n"
    said = typing(bracketed(script) + "\r" + CTRL_U + CTRL_D)

    assert "note: “One.”" in said
    assert "line 2: There is no “Nobody” here." in said
    assert "Three" not in said


def test_the_rest_of_a_pasted_script_can_be_edited_and_run(typing: Typing) -> None:
    script = "    note: One.\n    notes: Two.\n    note: Three.\n"
    said = typing(bracketed(script) + "\r" + TO_THE_BEGINNING + NEXT_WORD + BACKSPACE + "\r" + CTRL_D)

    assert "line 2: There is no verb notes." in said
    assert "note: “Two.”" in said
    assert "note: “Three.”" in said


def test_pasted_lines_belong_to_the_open_text(typing: Typing) -> None:
    said = typing("note: " + bracketed("They ran.\r\n\r\ndraw near") + "\r\r" + CTRL_D)

    assert "note: “They ran. draw near”" in said


def test_ctrl_c_drops_a_half_typed_line_which_up_can_bring_back(typing: Typing, seat: ConsoleSession) -> None:
    said = typing(f"note: kept{CTRL_C}{CTRL_D}")

    assert "note" not in said
    assert "+note: kept" in Settings.of_user().history().read_text("utf-8")


def test_B3_no_ctrl_c_ends_it(typing: Typing) -> None:
    said = typing(CTRL_C * 5 + "note: Still here.\r" + CTRL_C * 3 + CTRL_D)

    assert "To leave: Ctrl-D, or quit." in said
    assert "note: “Still here.”" in said
    assert "It stands at: Bruise: turn 1" in said


@pytest.mark.parametrize(("where", "call"), [("_look_round", 2), ("_look_round", 3), ("_ask", 2)])
def test_B3_no_ctrl_c_ends_it_whenever_it_comes(
    typing: Typing, monkeypatch: pytest.MonkeyPatch, where: str, call: int
) -> None:
    rightly = getattr(Console, where)
    calls = 0

    def interrupted(console: Console, **given: object) -> object:
        nonlocal calls
        calls += 1
        if calls == call:
            raise KeyboardInterrupt
        return rightly(console, **given)

    monkeypatch.setattr(Console, where, interrupted)
    said = typing("note: One.\r" + "note: Two.\r" + CTRL_D)

    assert "note: “Two.”" in said


def test_the_first_prompt_is_there_before_what_may_be_done_is_looked_at(
    seat: ConsoleSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[str, ...]] = []
    with create_pipe_input() as source:

        def below(console: Console, _size: object) -> StyleAndTextTuples:
            if console.standing.due and not (drawn and drawn[-1]):
                source.send_text(CTRL_D)  # nobody leaves before
            drawn.append(console.standing.due)
            return []

        monkeypatch.setattr(Console, "below", below)
        assert Console.at(seat, source=source, screen=DummyOutput()).converse() == 0

    assert drawn[0] == ()
    assert drawn[-1][0].startswith("declare")


def test_B12_the_end_of_a_long_text_is_said_beside_it() -> None:
    document = Document("narrate Ana:\n    ")

    assert ends_here(document)
    assert not ends_here(Document("narrate Ana:\n    One line."))
    assert not ends_here(Document("narrate Ana: x"))


def test_empty_text_and_comments_are_not_lines(typing: Typing, seat: ConsoleSession) -> None:
    before = seat.scribe.writer.head
    typing(f"\r   \r# what now?\r  show cast\r{CTRL_D}")

    assert seat.scribe.writer.head == before


def test_reading_verbs_and_help_answer_here_and_the_console_is_not_nested(typing: Typing) -> None:
    said = typing(f"help draw\rplay\r{CTRL_U}show 'cast\r{CTRL_U}?\r{CTRL_D}")

    assert "Draw cards, a number or for traits" in said
    assert "This is the console already" in said
    assert "A quote in this line is never closed." in said
    assert "Alt-Enter" in said


def test_others_acts_are_told_before_ones_own(typing: Typing, seat: ConsoleSession) -> None:
    with CampaignStore.open(seat.scribe.campaign.place) as elsewhere:
        elsewhere.writer(1).record(Note(text=Words("The lamp.")))

    said = typing(f"note: Mine.\r{CTRL_D}")

    assert said.index("elsewhere: note: “The lamp.”") < said.index("note: “Mine.”")
    assert said.count("The lamp.") == 1


def test_when_another_line_was_promoted_the_console_goes_there(typing: Typing, seat: ConsoleSession) -> None:
    with CampaignStore.open(seat.scribe.campaign.place) as elsewhere:
        head = elsewhere.record.head(1).position
        line = elsewhere.fork(1, head, Words("kinder"))
        elsewhere.promote(line)

    said = typing(f"note: Here.\r{CTRL_D}")

    assert "The mainline was changed" in said
    assert "note: “Here.”" in said
    assert seat.scribe.line == line


def test_own_branches_are_not_reported_as_news(typing: Typing) -> None:
    said = typing(f"branch kinder\rbranch promote kinder\rnote: On.\r{CTRL_D}")

    assert "elsewhere" not in said
    assert "The mainline was changed" not in said


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("narrate Zélie:", True),
        ("narrate:\n    One.", True),
        ("narrate: One.\n    Two.", True),
        ("narrate:\n    One.\n    ", False),
        ("narrate Zélie: One.", False),
        ("undo:", False),
        ("draw Zélie", False),
        ("undo\nnote: One.\n    Two.", False),
    ],
)
def test_enter_goes_on_only_within_a_text_that_is_open(text: str, more: bool) -> None:
    assert continues_text(Document(text)) is more


def test_a_paste_of_one_line_is_put_in_as_it_is() -> None:
    assert pasted("note: One.\n", Document("")) == "note: One."


F7 = "\x1b[18~"


def test_f7_puts_the_last_text_into_the_prompt_to_be_changed(typing: Typing) -> None:
    said = typing("note: It rains.\rmark here\r" + F7 + BACKSPACE + " still.\r" + CTRL_D)

    assert "It reads from now on: “It rains still.”" in said


def test_f7_keeps_a_half_typed_line_for_up(typing: Typing, seat: ConsoleSession) -> None:
    typing("note: It rains.\rnote: half" + F7 + "\r" + CTRL_D)

    assert "+note: half" in Settings.of_user().history().read_text("utf-8")


def test_edit_offers_the_text_as_it_reads_now_and_typing_does_not_replace_it(typing: Typing) -> None:
    said = typing("note: It rains.\redit\r Hard.\redit\r Still.\r" + CTRL_D)

    assert "It reads from now on: “It rains. Hard. Still.”" in said


def test_without_a_text_there_is_nothing_to_edit(
    empty: ConsoleSession, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [empty.hear(line) for line in ("edit", "cast Zel", "edit")] == [
        LineResult.REFUSED,
        LineResult.DONE,
        LineResult.REFUSED,
    ]
    assert capsys.readouterr().err.count("No text was recorded lately that could be changed.") == 2


def test_the_console_reminds_of_the_person_the_table_tells_in(typing: Typing) -> None:
    said = typing("option table.telling=third\rdeclare Gu: We hold the gate.\rsay Gu: We hold!\r" + CTRL_D)

    assert said.count("third person here: Guards runs… (F7 changes the text)") == 1
