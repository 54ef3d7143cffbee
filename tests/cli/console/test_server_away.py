"""A console on a server that is not reached: which sentence is said, and what is recorded in the end."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from retold.cli.campaigns.inbox import Inbox, Proposal, now
from retold.cli.campaigns.settings import Settings
from retold.cli.console.loop import Console
from retold.cli.console.script import ask_plainly, carry_out, read_pipe
from retold.cli.console.session import ConsoleSession, LineResult
from retold.cli.invocation import Options
from retold.journal.store.contract.errors import OutcomeUnknown
from retold.journal.store.postgres.store import ServerCampaign
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from retold.scribe import Scribe
from tests.database_server import Cluster, new_name
from tests.journal.store.played import notes
from tests.wire import Direction, Wire, cut_at_commit

FIGHT = """
cast Zel bruise by=Jon clubs=4 melee=2
cast Guards bruise clubs=2
session The Long Ebb --date 2026-03-14
conflict "Out of the citadel" bruise Zel vs Guards
"""

LINE = "say Zel: I run."
TOLD = "Zel says: “I run.”\n"
OTHER = "say Guards: Halt!"
NOT_REACHED = (
    r"Nothing was recorded: \S+ cannot be reached \(.+\)\."
    r" Your line is kept\. Enter says it again; another line drops it\.\n"
)
RECORDED = r"The connection broke at the very last, but it is recorded, at (\d+): do not say it again\.\n"
UNKNOWN = (
    r"The connection broke at the very last, and \S+ cannot be asked yet whether it was recorded\."
    r" It is said again under the same id: it cannot be recorded twice\."
    r" Enter says it again; another line drops it\.\n"
)
STILL_UNKNOWN = (
    r"\S+ cannot be reached \(.+\), and cannot be asked yet whether it was recorded\."
    r" It is said again under the same id: it cannot be recorded twice\."
    r" Enter says it again; another line drops it\.\n"
)


CTRL_C, CTRL_D = "\x03", "\x04"
Said = Callable[[], tuple[str, str]]


@pytest.fixture
def camp(cluster: Cluster, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[CampaignStore]:  # noqa: ANN401
    """The campaign, read over a wire that nobody cuts."""
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    with CampaignStore.create(str(cluster.address(new_name()))) as made:
        assert carry_out(ConsoleSession(Scribe(made, 1), Options()), FIGHT).heard is LineResult.DONE
        yield made


@pytest.fixture
def seat(
    camp: CampaignStore, wire: Wire, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[ConsoleSession]:
    """A console with the same campaign, over a wire that can be cut."""
    monkeypatch.setattr("retold.cli.output.printing.text_width", lambda _: None)
    monkeypatch.setattr("retold.cli.console.session.fitted", lambda lines, *_: list(lines))
    monkeypatch.setattr("retold.journal.store.postgres.server.RECONNECT_SECONDS", 0.2)
    address = store_of(camp).address
    with CampaignStore.open(wire.to(address)) as cut:
        seat = ConsoleSession(Scribe(cut, 1, today="2026-03-14"), Options(), keeps_lines=True)
        assert seat.hear("note: Before.") is LineResult.DONE
        capsys.readouterr()
        yield seat


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Callable[[], tuple[str, str]]:
    """What was printed since it was last asked for."""

    def printed() -> tuple[str, str]:
        out, err = capsys.readouterr()
        return out, err

    return printed


def store_of(camp: CampaignStore) -> ServerCampaign:
    assert isinstance(camp.record.store, ServerCampaign)
    return camp.record.store


@dataclass
class Cuts:
    """Cuts the wire of a console, and mends it."""

    seat: ConsoleSession
    wire: Wire
    monkeypatch: pytest.MonkeyPatch

    def now(self) -> None:
        """Nothing more comes through."""
        self.wire.go_away()

    def at_commit(self, direction: Direction, *, for_good: bool = True) -> None:
        """Cuts the wire while the next act's COMMIT (`up`) or its answer (`down`) is on its way."""
        store = self.seat.scribe.campaign.record.store
        cut_at_commit(store, self.wire, self.monkeypatch, direction, for_good=for_good)

    def mend(self) -> None:
        """Everything comes through."""
        self.wire.mend()


@pytest.fixture
def cuts(seat: ConsoleSession, wire: Wire, monkeypatch: pytest.MonkeyPatch) -> Cuts:
    return Cuts(seat, wire, monkeypatch)


def times_recorded(camp: CampaignStore, line: str = LINE) -> int:
    text = line.partition(": ")[2]
    return sum(text in (row.words or "") for row in camp.record.rows(1))


def test_a_line_that_did_not_reach_the_server_is_kept_and_said_again(
    seat: ConsoleSession, camp: CampaignStore, said: Said, cuts: Cuts
) -> None:
    cuts.now()

    left = carry_out(seat, LINE)

    assert (left.heard, left.rest) == (LineResult.REFUSED, LINE)
    assert re.fullmatch(NOT_REACHED, said()[1])
    assert carry_out(seat, LINE) == left  # it is not there yet
    assert re.fullmatch(NOT_REACHED, said()[1])

    cuts.mend()
    assert carry_out(seat, left.rest).heard is LineResult.DONE
    assert said() == (TOLD, "")
    assert (times_recorded(camp), seat.kept) == (1, {})
    assert verify(camp.record).whole


def test_a_line_recorded_after_all_is_told_with_its_place_and_its_act(
    seat: ConsoleSession, camp: CampaignStore, said: Said, cuts: Cuts
) -> None:
    cuts.at_commit("down", for_good=False)

    assert carry_out(seat, LINE) == (LineResult.STOPPED, "")
    out, err = said()

    told = re.fullmatch(RECORDED, err)
    assert told
    assert int(told[1]) == camp.record.head(1).position
    assert out == TOLD
    assert not seat.kept
    seat.tell_company()
    assert said() == ("", "")  # it is nobody else's
    assert times_recorded(camp) == 1


@pytest.mark.parametrize("direction", ["down", "up"])
def test_a_line_of_unknown_outcome_is_recorded_once_when_repeated(
    direction: Direction,
    seat: ConsoleSession,
    camp: CampaignStore,
    said: Said,
    cuts: Cuts,
) -> None:
    cuts.at_commit(direction)

    recorded = direction == "down"
    left = carry_out(seat, LINE)
    assert (left.heard, left.rest) == (LineResult.REFUSED, LINE)
    assert re.fullmatch(UNKNOWN, said()[1])
    assert carry_out(seat, LINE) == left
    assert re.fullmatch(STILL_UNKNOWN, said()[1])
    assert times_recorded(camp) == recorded

    cuts.mend()
    assert carry_out(seat, left.rest).heard is LineResult.DONE
    at = camp.record.head(1).position
    already = f"It is recorded already, at {at}.\n" if recorded else ""
    assert said() == (f"{already}{TOLD}", "")
    assert (times_recorded(camp), seat.kept) == (1, {})

    assert carry_out(seat, OTHER).heard is LineResult.DONE
    assert said() == ("Guards says: “Halt!”\n", "")
    assert verify(camp.record).whole


@pytest.mark.parametrize(("direction", "counts"), [("up", range(0, 1500, 97)), ("down", range(0, 1200, 71))])
def test_wherever_a_line_is_cut_it_is_recorded_once_in_the_end(
    direction: Direction, counts: range, seat: ConsoleSession, camp: CampaignStore, cuts: Cuts
) -> None:
    lines = [f"say Zel: I run, {count} steps." for count in counts]
    offered = 0
    for count, line in zip(counts, lines, strict=True):
        cuts.wire.cut_after(direction, count, for_good=True)
        left = carry_out(seat, line)
        cuts.mend()
        if left.rest:
            offered += 1
            assert carry_out(seat, left.rest).heard is LineResult.DONE

    assert offered > len(lines) // 3
    assert [times_recorded(camp, line) for line in lines] == [1] * len(lines)
    assert verify(camp.record).whole


def test_without_the_id_the_line_would_be_recorded_twice(
    seat: ConsoleSession, camp: CampaignStore, cuts: Cuts
) -> None:
    """The control."""
    cuts.at_commit("down")
    carry_out(seat, LINE)
    cuts.mend()
    seat.kept.clear()

    carry_out(seat, LINE)

    assert times_recorded(camp) == 2


@pytest.mark.parametrize("direction", ["down", "up"])
def test_another_line_drops_one_in_doubt_and_tells_what_became_of_it(
    direction: Direction,
    seat: ConsoleSession,
    camp: CampaignStore,
    said: Said,
    cuts: Cuts,
) -> None:
    cuts.at_commit(direction)
    carry_out(seat, LINE)
    said()
    assert carry_out(seat, OTHER).rest == OTHER  # which is kept as well
    assert re.fullmatch(NOT_REACHED, said()[1])

    cuts.mend()
    assert carry_out(seat, OTHER).heard is LineResult.DONE

    out, err = said()
    what = {"down": "It is recorded already, at ", "up": f"Not recorded: {LINE}"}
    assert (out.startswith(what[direction]), err) == (True, "")
    assert out.endswith("Guards says: “Halt!”\n")
    assert times_recorded(camp) == (direction == "down")
    assert times_recorded(camp, OTHER) == 1
    assert not seat.kept


def test_what_others_recorded_around_a_line_in_doubt_is_told_as_theirs(
    seat: ConsoleSession, camp: CampaignStore, said: Said, cuts: Cuts
) -> None:
    cuts.at_commit("down")
    carry_out(seat, LINE)
    said()
    notes(camp.writer(1), "Theirs, after.")

    cuts.mend()
    carry_out(seat, LINE)
    carry_out(seat, "note: Mine.")

    assert [line for line in said()[0].splitlines() if "elsewhere" in line] == [
        "elsewhere: note: “Theirs, after.”"
    ]


def test_a_branch_and_an_undo_are_found_by_their_id(
    seat: ConsoleSession, camp: CampaignStore, said: Said, cuts: Cuts
) -> None:
    for line in ("undo", "branch other"):
        size = camp.record.store.size()
        cuts.at_commit("down")
        carry_out(seat, line)
        assert re.fullmatch(UNKNOWN, said()[1])
        cuts.mend()
        assert carry_out(seat, line).heard is LineResult.DONE
        assert said()[0].startswith("It is recorded already, at ")
        assert camp.record.store.size() == size + 1
    assert camp.lines()[seat.scribe.line] == "other"


def test_leaving_lists_doubtful_and_unrecorded_lines(seat: ConsoleSession, said: Said, cuts: Cuts) -> None:
    cuts.at_commit("up")
    carry_out(seat, LINE)
    carry_out(seat, OTHER)
    said()

    assert seat.last_words() == [
        f"Not recorded: {OTHER}",
        f"Look with log -n 1 whether this was recorded: {LINE}",
    ]
    cuts.mend()
    assert seat.last_words() == [f"Not recorded: {OTHER}"]
    assert said()[0] == f"Not recorded: {LINE}\n"


def test_what_a_player_hands_in_waits_and_is_taken_once(
    seat: ConsoleSession, camp: CampaignStore, said: Said, cuts: Cuts
) -> None:
    inbox = Inbox.of(Settings.of_user().state, camp.id)
    proposal = inbox.hand_in(Proposal("jon-number-1", "Jon", LINE, now()))
    cuts.at_commit("down")
    assert seat.take(inbox, proposal) is LineResult.REFUSED
    assert said()[1].endswith("What was handed in waits: taken again, it cannot be recorded twice.\n")

    cuts.mend()
    assert seat.take(inbox, proposal) is LineResult.DONE
    assert times_recorded(camp) == 1


def test_a_pipe_keeps_nothing_and_does_not_say_so(seat: ConsoleSession, said: Said, cuts: Cuts) -> None:
    seat.keeps_lines = False
    cuts.at_commit("down")
    assert read_pipe(seat, io.BytesIO(f"{LINE}\n".encode())) == 1
    unknown = said()[1]
    assert read_pipe(seat, io.BytesIO(f"{LINE}\n".encode())) == 1
    unreached = said()[1]

    assert (
        "cannot be asked yet whether it was recorded. Look with log -n 1 before you say it again.\n"
        in unknown
    )
    assert re.search(
        r"line 1: Nothing was recorded: \S+ cannot be reached \(.+\)\. Say it again\.\n", unreached
    )
    assert "kept" not in unknown + unreached
    assert not seat.kept


def test_at_a_plain_prompt_an_empty_line_says_it_again(
    seat: ConsoleSession, camp: CampaignStore, said: Said, monkeypatch: pytest.MonkeyPatch, cuts: Cuts
) -> None:
    cuts.now()
    typed = iter([LINE, "", ""])
    asked: list[str] = []

    def types(prompt: str) -> str:
        asked.append(prompt)
        if len(asked) == 3:
            cuts.mend()
        return next(typed, "quit")

    monkeypatch.setattr("builtins.input", types)
    assert ask_plainly(seat) == 0

    out, err = said()
    assert out.endswith(TOLD)
    assert len(re.findall(NOT_REACHED, err)) == 2
    assert times_recorded(camp) == 1


def test_the_prompt_restores_an_unsent_line(
    seat: ConsoleSession, camp: CampaignStore, said: Said, monkeypatch: pytest.MonkeyPatch, cuts: Cuts
) -> None:
    heard: list[str] = []
    hear = ConsoleSession.hear

    def mending(session: ConsoleSession, line: str, where: str = "") -> LineResult:
        heard.append(line)
        if len(heard) == 1:
            cuts.now()
        if len(heard) == 3:
            cuts.mend()
        return hear(session, line, where)

    monkeypatch.setattr(ConsoleSession, "hear", mending)
    with create_pipe_input() as source:
        source.send_text(f"{LINE}\r\r\r{CTRL_D}")
        assert Console.at(seat, source=source, screen=DummyOutput()).converse() == 0

    out, err = said()
    assert heard == [LINE] * 3
    assert len(re.findall(NOT_REACHED, err)) == 2
    assert TOLD in out
    assert "Everything is recorded in " in out
    assert times_recorded(camp) == 1


def test_leaving_without_a_server_is_reported(seat: ConsoleSession, said: Said, cuts: Cuts) -> None:
    with create_pipe_input() as source:
        console = Console.at(seat, source=source, screen=DummyOutput())
        cuts.now()
        source.send_text(f"{LINE}\r{CTRL_C}{CTRL_D}")
        assert console.converse() == 0

    out, _ = said()
    assert f"Not recorded: {LINE}\n" in out
    assert re.search(r"cannot be read: \S+ cannot be reached \(.+\)\.\n$", out)
    assert "verything" not in out


@pytest.mark.parametrize("recorded", [True, False])
def test_a_file_in_doubt_is_as_a_server_in_doubt(
    recorded: bool,
    path: Path,
    said: Said,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A disk that fails at the very last, and a file that cannot be read again at once."""
    writing = CampaignFile.writing
    line = 'say "Zélie Brandt": I run.'

    @contextmanager
    def losing(file: CampaignFile) -> Iterator[None]:
        monkeypatch.setattr(CampaignFile, "writing", writing)
        with suppress(ZeroDivisionError), writing(file):
            yield
            if not recorded:
                raise ZeroDivisionError
        raise OutcomeUnknown("The disk failed, and nobody can say yet whether it was recorded.")

    with CampaignStore.open(path) as camp:
        seat = ConsoleSession(Scribe(camp, 1), Options(), keeps_lines=True)
        before = camp.record.head(1).position
        said()
        monkeypatch.setattr(CampaignFile, "writing", losing)
        assert carry_out(seat, line).rest == line
        assert "It is said again under the same id: it cannot be recorded twice." in said()[1].replace(
            "\n", " "
        )
        assert camp.record.head(1).position == before + recorded

        assert carry_out(seat, line).heard is LineResult.DONE
        assert ("It is recorded already, at" in said()[0]) == recorded
        assert camp.record.head(1).position == before + 1
