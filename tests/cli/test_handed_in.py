"""`proposals`: what players have handed in, listed, taken and refused at a shell; by two at once, once."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime

import pytest

from retold.cli.campaigns.inbox import Inbox, Proposal, now
from retold.cli.campaigns.settings import Settings
from retold.cli.completing import complete
from retold.journal.store.writing.campaign import CampaignStore
from tests.cli.shell import Shell, start
from tests.patience import PATIENCE


@pytest.fixture
def inbox(shell: Shell) -> Inbox:
    with CampaignStore.open(shell.folder / "evening.retold", read_only=True) as campaign:
        return Inbox.of(Settings.of_user().state, campaign.id)


def hand_in(inbox: Inbox, line: str = "say Zel: Tea?", number: int = 1) -> Proposal:
    return inbox.hand_in(Proposal(f"jon-number-{number}", "Jon", line, now()))


def test_an_empty_inbox_says_so(shell: Shell) -> None:
    assert shell.done("proposals") == "Nothing waits.\n"
    assert json.loads(shell.done("proposals", "--json"))["proposals"] == []


def test_they_are_listed_as_they_came_and_recorded_in_their_name(shell: Shell, inbox: Inbox) -> None:
    tea, cake = hand_in(inbox), hand_in(inbox, "say Zel: Cake!", 2)

    assert shell.done("proposals") == (
        f"{tea.handle}  Jon: say Zel: Tea?\n{cake.handle}  Jon: say Zel: Cake!\n"
    )
    said = shell.say("proposals", "take", cake.handle)
    assert said.out == "Zel says: “Cake!”\n"
    assert said.err == "Recorded 27 on mainline of evening.retold. To take it back: retold undo\n"
    assert [one.id for one in inbox.waiting()] == [tea.id]
    with CampaignStore.open(shell.folder / "evening.retold", read_only=True) as campaign:
        *_, row = campaign.record.rows(1)
        assert f'"by":{campaign.table_at(1).called("Jon")}' in row.body


@pytest.mark.parametrize(
    ("words", "why"),
    [(("{}:", "Not", "yet."), "Not yet."), (("{}", "Not yet."), "Not yet."), (("{}",), ""), (("{}:",), "")],
)
def test_a_refusal_may_say_why(shell: Shell, inbox: Inbox, words: tuple[str, ...], why: str) -> None:
    handle, before = hand_in(inbox).handle, shell.bytes()
    said = shell.done("proposals", "refuse", *(word.format(handle) for word in words))

    assert said == ("Refused; Jon is told: “Not yet.”\n" if why else "Refused, without a reason.\n")
    assert [(one.state, one.why) for one in inbox.everything()] == [("refused", why)]
    assert shell.bytes() == before


def test_the_list_says_why_a_refused_line_waits(shell: Shell, inbox: Inbox) -> None:
    handle, before = hand_in(inbox, "say Captain-Thoss: Mine.").handle, shell.bytes()
    why = shell.refused("proposals", "take", handle)

    assert why == "Captain Thoss is not yours to speak for."
    assert shell.done("proposals") == f"{handle}  Jon: say Captain-Thoss: Mine.  ({why})\n"
    assert shell.bytes() == before


def test_for_machines(shell: Shell, inbox: Inbox) -> None:
    tea = hand_in(inbox)
    waits = {"handle": tea.handle, **tea.as_seen_by("gm")}
    shape = {"retold": "proposals", "version": 1}

    assert json.loads(shell.done("proposals", "--json")) == {**shape, "proposals": [waits]}
    taken = {**waits, "state": "taken", "said": ["Zel says: “Tea?”"]}
    assert json.loads(shell.done("proposals", "take", tea.handle, "--json")) == {
        **shape,
        "proposals": [taken],
    }


def test_an_incomplete_or_unknown_proposal_answer_is_refused(shell: Shell, inbox: Inbox) -> None:
    ways = "proposals lists what waits; proposals take ID or proposals refuse ID: why answers one."
    for words in (("take",), ("refuse",), ("take", "7f3a", "91bc"), ("list", "7f3a"), ("7f3a",)):
        assert shell.misused("proposals", *words) == ways
    assert shell.refused("proposals", "take", "7f3a") == (
        "Nothing called 7f3a waits: proposals lists what does."
    )
    tea = hand_in(inbox)
    shell.done("proposals", "refuse", tea.handle)
    assert shell.refused("proposals", "take", tea.handle).startswith("Nothing called")


def test_hostile_text_is_text(shell: Shell, inbox: Inbox) -> None:
    hand_in(inbox, "say Zel: \x1b[2J\u202eaeT")

    assert shell.done("proposals").endswith("  Jon: say Zel: ␛[2J⟦U+202E⟧aeT\n")
    assert not {"\x1b", "\u202e"} & set(shell.done("proposals", "--json"))


def test_tab_knows_what_waits(shell: Shell, inbox: Inbox) -> None:
    tea = hand_in(inbox)

    def completed(*words: str) -> list[str]:
        shell.capsys.readouterr()
        complete(words)
        return shell.capsys.readouterr().out.split()

    assert completed("proposals", "") == ["take", "refuse"]
    assert completed("proposals", "take", "") == [tea.handle]


def test_two_programs_that_take_it_at_once_record_it_once(shell: Shell, inbox: Inbox) -> None:
    hand_in(inbox)
    (waits,) = inbox.waiting()
    processes = [start(shell.folder, "proposals", "take", waits.handle) for _ in range(3)]
    ends = [(*process.communicate(timeout=PATIENCE), process.returncode) for process in processes]

    assert sorted(code for *_, code in ends) == [0, 1, 1]
    assert all(b"waits" in err or b"That is taken already." in err for _, err, code in ends if code)
    assert shell.done("log", "-n", "0").count("Zel says: “Tea?”") == 1


def test_a_person_who_refuses_it_while_it_is_being_recorded_comes_too_late(
    shell: Shell, inbox: Inbox
) -> None:
    """Whoever answers holds the inbox: nothing is recorded and refused."""
    tea = hand_in(inbox)
    begun: list[subprocess.Popen[bytes]] = []

    def record(_: Proposal) -> tuple[str, ...]:
        begun.append(start(shell.folder, "proposals", "refuse", tea.handle))
        return ("Zel says: “Tea?”",)

    assert inbox.take(tea.id, record).state == "taken"
    _, err = begun[0].communicate(timeout=PATIENCE)
    assert begun[0].returncode == 1, err
    assert [one.state for one in inbox.everything()] == ["taken"]


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "7", "{}", '{"id": "a"}', "[" * 100_000, '{"id": "\\ud800"}', "\x00"),
        '{"id": "abcdefgh", "who": 7, "line": "x", "sent": "y"}',
        '{"id": "abcdefgh", "who": "Jon", "line": "x", "sent": "y", "said": 7}',
        '{"id": "abcdefgh", "who": "Jon", "line": "\\ud800", "sent": "y"}',
        '{"id": "abcdefgh", "who": "Jon", "line": "x", "sent": "y", "arrival": "Jon"}',
    ],
)
def test_a_file_that_was_spoilt_by_hand_is_no_proposal_and_in_nobodys_way(
    text: str, shell: Shell, inbox: Inbox
) -> None:
    tea = hand_in(inbox)
    inbox.attachments.keep("spoilt", text.encode())

    assert shell.done("proposals") == f"{tea.handle}  Jon: say Zel: Tea?\n"
    inbox.tidy(datetime.now(UTC))


def test_a_time_without_a_zone_is_taken_as_utc(inbox: Inbox) -> None:
    old = inbox.hand_in(Proposal("jon-number-1", "Jon", "say Zel: Tea?", "2020-01-01T12:00:00"))
    inbox.settle(old.id, "refused")

    inbox.tidy(datetime.now(UTC))

    assert inbox.everything() == []
