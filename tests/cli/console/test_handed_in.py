"""What players hand in, at the console: told whole, shown in the toolbar, taken or refused by a key."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from retold.cli.campaigns.inbox import Inbox, Proposal, now
from retold.cli.campaigns.settings import Settings
from retold.cli.console.loop import Console
from retold.cli.console.session import ConsoleSession, LineResult
from retold.cli.console.toolbar import ProposalPrompt
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.texts.wrapping import width as columns_of
from tests.files import file_of

F4, F5, F6 = "\x1bOS", "\x1b[15~", "\x1b[17~"
CTRL_C, CTRL_D = "\x03", "\x04"
TEA = 'say "Zélie Brandt": Tea?'


@pytest.fixture
def inbox(seat: ConsoleSession) -> Inbox:
    return Inbox.of(Settings.of_user().state, seat.scribe.campaign.id)


def hand_in(inbox: Inbox, line: str = TEA, number: int = 1) -> Proposal:
    """Jon's phone sends a line; by their numbers they stand in order."""
    return inbox.hand_in(Proposal(f"jon-number-{number}", "Jon", line, now()))


@pytest.fixture
def typing(seat: ConsoleSession, capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    """Types keys at the console and gives back all that it said until it was left."""

    def typed(keys: str) -> str:
        with create_pipe_input() as source:
            source.send_text(keys + CTRL_D)
            assert Console.at(seat, source=source, screen=DummyOutput()).converse() == 0
        said = capsys.readouterr()
        return said.out + said.err

    return typed


Typing = Callable[[str], str]


def test_one_key_records_it_in_the_player_s_name(typing: Typing, inbox: Inbox, seat: ConsoleSession) -> None:
    hand_in(inbox)
    said = typing(F4)
    table = seat.scribe.table
    *_, row = seat.scribe.campaign.record.rows(1)

    assert said.index('Jon hands in: say "Zélie Brandt": Tea?') < said.index("Zélie Brandt says: “Tea?”")
    assert f'"by":{table.called("Jon")}' in row.body
    (kept,) = inbox.everything()
    assert (kept.state, kept.said) == ("taken", ("Zélie Brandt says: “Tea?”",))


def test_a_half_typed_line_is_kept(typing: Typing, inbox: Inbox) -> None:
    hand_in(inbox)
    said = typing(f"note: Mi{F4}ne.\r")

    assert said.index("says: “Tea?”") < said.index("note: “Mine.”")


def test_a_refusal_prompts_for_a_reason_and_restores_typed_text(
    typing: Typing, inbox: Inbox, seat: ConsoleSession
) -> None:
    hand_in(inbox)
    before = seat.scribe.writer.head
    said = typing(f"note: Mi{F5}Not while\x1b\rthey listen.\r{CTRL_C}")
    (kept,) = inbox.everything()

    assert (kept.state, kept.why) == ("refused", "Not while they listen.")
    assert "Refused; Jon is told: “Not while they listen.”" in said
    assert seat.scribe.writer.head == before
    assert "+note: Mi\n" in Settings.of_user().history().read_text("utf-8")


def test_a_reason_may_be_none(typing: Typing, inbox: Inbox) -> None:
    hand_in(inbox)

    assert "Refused, without a reason." in typing(f"{F5}\r")
    assert [(one.state, one.why) for one in inbox.everything()] == [("refused", "")]


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D])
def test_a_cancelled_refusal_leaves_the_line_waiting(typing: Typing, inbox: Inbox, key: str) -> None:
    hand_in(inbox)
    typing(f"{F5}Not whi{key}")

    assert [one.state for one in inbox.everything()] == ["waiting"]


def test_a_refused_line_that_is_marked_is_marked_again(typing: Typing, inbox: Inbox) -> None:
    hand_in(inbox)
    said = typing(f"note Ana\r{F5}No.\rnote Ana: Typed over it.\r")

    assert "note on Ana: “Typed over it.”" in said


def test_the_oldest_is_taken_first_or_the_one_gone_to(typing: Typing, inbox: Inbox) -> None:
    for number in range(1, 5):
        hand_in(inbox, f"{TEA} {number}", number)
    said = typing(f"{F6}{F4}\r{F4}\r{F6}{F6}{F4}")
    recorded = [said.index(f"says: “Tea? {number}”") for number in (2, 1, 3)]

    assert recorded == sorted(recorded)
    assert [one.line[-1] for one in inbox.waiting()] == ["4"]


def test_a_key_pressed_twice_records_nothing_that_was_not_shown(typing: Typing, inbox: Inbox) -> None:
    hand_in(inbox)
    hand_in(inbox, f"{TEA} Now!", 2)
    said = typing(F4 + F4)

    assert "That is taken already." in said
    assert [one.state for one in inbox.everything()] == ["taken", "waiting"]


def test_a_refused_line_waits_with_the_refusal(typing: Typing, inbox: Inbox, seat: ConsoleSession) -> None:
    """§2: one draw a turn. It was handed in before somebody else drew for her."""
    seat.hear('declare "Zélie Brandt": out')
    seat.hear("declare Guards: stay")
    drawn = 'draw "Zélie Brandt" clubs+melee = JH 2D 10S 7C 4C 3D'
    hand_in(inbox, drawn)
    seat.hear(drawn)
    before = seat.scribe.writer.head
    said = typing(F4)
    (waits,) = inbox.waiting()

    assert waits.why == "Zélie Brandt has drawn already this turn."
    assert waits.why in said
    assert seat.scribe.writer.head == before


def test_a_line_of_a_lost_character_is_refused_and_waits(
    typing: Typing, inbox: Inbox, seat: ConsoleSession
) -> None:
    hand_in(inbox)
    seat.hear('cast "Zélie Brandt" by=Kit')

    assert "Zélie Brandt is not yours to speak for." in typing(F4)
    assert len(inbox.waiting()) == 1


def test_a_taken_line_is_not_checked_for_typos(typing: Typing, inbox: Inbox, seat: ConsoleSession) -> None:
    asked: list[str] = []
    seat.scribe.consult = asked.append
    hand_in(inbox, "say Guardz: Tea?")
    typing(F4)

    assert asked == []
    assert len(inbox.waiting()) == 1


def test_a_withdrawn_line_is_not_recorded(
    seat: ConsoleSession, inbox: Inbox, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = hand_in(inbox)
    hand_in(inbox, f"{TEA} Now!", 2)
    inbox.settle(shown.id, "withdrawn")
    before = seat.scribe.writer.head

    assert seat.take(inbox, shown) is LineResult.REFUSED
    assert seat.refuse(inbox, shown, "No.") is LineResult.REFUSED
    assert capsys.readouterr().err == "That is withdrawn already.\n" * 2
    assert (seat.scribe.writer.head, len(inbox.waiting())) == (before, 1)


def test_with_nothing_there_the_keys_do_nothing(typing: Typing, seat: ConsoleSession) -> None:
    before = seat.scribe.writer.head
    said = typing(f"{F4}{F5}{F6}note: Mine.\r")

    assert "note: “Mine.”" in said
    assert seat.scribe.writer.head.position == before.position + 1


def test_after_a_crash_between_record_and_answer_it_is_not_recorded_again(
    typing: Typing, inbox: Inbox, seat: ConsoleSession
) -> None:
    """It was recorded under its act's id; of an approach that is made, the rules would say it is not due."""
    seat.hear("cast Hana guenask mind=3 hard=3 body=3 soft=3 by=Jon")
    seat.hear("cast Thoss guenask mind=3 hard=3 body=3 soft=3")
    seat.hear('conflict "The egg" guenask Hana vs Thoss first=Hana: the egg')
    seat.hear("ruling boxes=3: As offered.")
    waits = hand_in(inbox, "approach Hana opposed neutral = 1 2 2 3 4 4")
    before = inbox.attachments.get(waits.id)
    assert before is not None
    assert seat.take(inbox, waits) is LineResult.DONE
    inbox.attachments.keep(waits.id, before)
    head = seat.scribe.writer.head

    typing(F4)
    assert seat.scribe.writer.head == head
    assert [one.state for one in inbox.everything()] == ["taken"]


# --- the row ----------------------------------------------------------------------------------------------


def row(inbox: Inbox, width: int = 110) -> str:
    """The row of the toolbar about what waits."""
    handed = ProposalPrompt(inbox)
    handed.look()
    return handed.row(width)


def test_the_toolbar_says_whose_it_is_what_it_says_and_the_keys(seat: ConsoleSession, inbox: Inbox) -> None:
    assert row(inbox) == ""
    hand_in(inbox)
    assert row(inbox) == 'Jon hands in: say "Zélie Brandt": Tea?  (F4 take, F5 refuse)'
    hand_in(inbox, "say Zel: Now!", 2)
    assert row(inbox) == 'Jon hands in: say "Zélie Brandt": Tea?  (F4 take, F5 refuse, F6 next of 2)'


def test_the_handed_in_line_is_shown_above_the_toolbar(seat: ConsoleSession, inbox: Inbox) -> None:
    hand_in(inbox)
    with create_pipe_input() as source:
        source.send_text(CTRL_D)
        console = Console.at(seat, source=source, screen=DummyOutput())
        console.converse()
    _, toolbar = (text for _, text, *_ in console.below(Size(rows=40, columns=100)))

    assert toolbar == f"{row(inbox)}\n{console.standing.toolbar(100)}"


HOSTILE = "say Zel: \x1b]0;owned\x07\x1b[2J\r\n\u202eaeT\u2066 \u200b(F4 take)"


def test_hostile_text_is_text(typing: Typing, inbox: Inbox) -> None:
    hand_in(inbox, HOSTILE)
    shown = "say Zel: ␛]0;owned␇␛[2J␍⏎⟦U+202E⟧aeT⟦U+2066⟧ ⟦U+200B⟧(F4 take)"

    assert row(inbox, 200) == f"Jon hands in: {shown}  (F4 take, F5 refuse)"
    assert f"Jon hands in: {shown}\n" in typing("")


@pytest.mark.parametrize("width", [1, 10, 20, 40, 60, 80])
@pytest.mark.parametrize("line", [TEA, HOSTILE, "say Zel: 茶" * 50])
def test_the_row_is_never_wider_than_the_screen(inbox: Inbox, line: str, width: int) -> None:
    hand_in(inbox, line)

    assert columns_of(row(inbox, width)) <= width


def test_text_too_long_for_the_toolbar_is_printed_whole(typing: Typing, inbox: Inbox) -> None:
    long = f"{TEA} {'And cake. ' * 200}And that is all."
    hand_in(inbox, long)

    assert len(row(inbox, 80)) <= 80
    assert f"Jon hands in: {long}" in typing("").replace("\n  ", " ")


def test_each_is_told_once(seat: ConsoleSession, inbox: Inbox) -> None:
    handed = ProposalPrompt(inbox)
    hand_in(inbox)
    assert (handed.look(), len(handed.news())) == (True, 1)
    assert (handed.look(), handed.news()) == (False, [])
    hand_in(inbox, "say Zel: Now!", 2)
    assert (handed.look(), handed.news()) == (True, ["Jon hands in: say Zel: Now!"])


def test_another_campaigns_proposals_are_not_this_ones(seat: ConsoleSession, inbox: Inbox) -> None:
    with CampaignStore.create(file_of(seat.scribe.campaign).with_name("other.retold")) as other:
        hand_in(Inbox.of(Settings.of_user().state, other.id))

    assert row(inbox) == ""
