from __future__ import annotations

from io import StringIO

import pytest

from retold.cli.console.script import LinesLeft, carry_out
from retold.cli.console.session import ConsoleSession, LineResult
from retold.cli.output.printing import fitted
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.commands import Note
from tests.files import file_of


def test_the_file_is_whole_when_a_session_closes(seat: ConsoleSession) -> None:
    log = file_of(seat.scribe.campaign).with_name("salt.retold-wal")
    for line in ("end conflict stalemate", "end scene"):
        seat.hear(line)
    before = log.stat().st_size

    assert seat.hear("end session") is LineResult.DONE
    assert (before > 0, log.stat().st_size) == (True, 0)


def test_when_a_session_closes_a_short_receipt_is_shown(
    seat: ConsoleSession, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in ("end conflict stalemate", "end scene", "end session"):
        seat.hear(line)
    head = seat.scribe.writer.head

    assert capsys.readouterr().out.splitlines()[-1] == (
        f"Receipt 1:{head.position}:{head.hash.hex()[:16]}"
        " (kept elsewhere, it shows whether anything is missing: verify --head)"
    )


def test_an_unexpected_error_is_reported_and_the_session_continues(
    seat: ConsoleSession, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("retold.cli.console.session.write_outcome", lambda *_args, **_named: 1 / 0)

        assert seat.hear("note: One.") is LineResult.STOPPED  # it was recorded, only not told

    assert "Something went wrong that should not have (ZeroDivisionError" in capsys.readouterr().err
    assert seat.hear("note: Two.") is LineResult.DONE
    assert "elsewhere" not in capsys.readouterr().out


def test_an_interrupted_line_leaves_a_seat_that_can_go_on(
    seat: ConsoleSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("retold.cli.console.offers.lex", interrupted)

        assert seat.hear("note: One.") is LineResult.REFUSED

    assert seat.hear("note: Two.") is LineResult.DONE


def test_a_line_that_only_asks_records_nothing(
    seat: ConsoleSession, capsys: pytest.CaptureFixture[str]
) -> None:
    before = seat.scribe.writer.head

    assert seat.hear("expect session 1") is LineResult.DONE
    assert seat.hear("note --check: Perhaps.") is LineResult.DONE
    assert (seat.scribe.writer.head, seat.unsettled) == (before, False)
    assert "It holds: session is 1." in capsys.readouterr().out


def test_asking_what_may_be_done_leaves_nothing_at_the_prompt(seat: ConsoleSession) -> None:
    assert carry_out(seat, "can") == LinesLeft(LineResult.DONE)
    assert carry_out(seat, "can Ana") == LinesLeft(LineResult.DONE)
    seat.hear("end conflict")
    assert carry_out(seat, "can") == LinesLeft(LineResult.DONE)


def test_undo_asks_before_another_writers_act(
    seat: ConsoleSession, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def refuse(question: str) -> bool:
        asked.append(question)
        return False

    seat.scribe.ask = refuse
    with CampaignStore.open(seat.scribe.campaign.place) as elsewhere:
        elsewhere.writer(1).record(Note(text=Words("The lamp.")))
    before = seat.scribe.campaign.record.head(1)

    assert seat.hear("undo") is LineResult.DONE
    assert asked == ["Recorded elsewhere, not here: 16 (note --to table: The lamp.).\nTake it back?"]
    assert seat.scribe.campaign.record.head(1) == before
    assert "Nothing was changed." in capsys.readouterr().out

    seat.hear("note: Mine.")
    asked.clear()
    assert seat.hear("undo") is LineResult.DONE
    assert asked == []
    assert "Taken back: 17 (note: Mine.)." in capsys.readouterr().out


def test_undo_says_once_what_it_has_taken_back(
    seat: ConsoleSession, capsys: pytest.CaptureFixture[str]
) -> None:
    seat.hear("note: Mine.")
    capsys.readouterr()

    seat.hear("undo")
    assert capsys.readouterr().out == "Taken back: 16 (note: Mine.).\n"


def test_help_in_play_begins_with_the_game_that_is_open(
    seat: ConsoleSession, capsys: pytest.CaptureFixture[str]
) -> None:
    seat.hear("help")
    said = capsys.readouterr().out

    first, *others = said.splitlines()
    assert first.startswith("Bruise: quality, colour, karma")
    assert "  narrate " in said
    assert "maneuver" not in said  # Edgerunner's
    assert len(others) < 23
    seat.hear("help line")
    assert "  undo " in capsys.readouterr().out
    seat.hear("help all")
    assert "  maneuver " in capsys.readouterr().out


def test_help_on_a_verb_in_play_shows_the_form_of_the_game_that_is_open(
    seat: ConsoleSession, capsys: pytest.CaptureFixture[str]
) -> None:
    seat.hear("help declare")
    assert "engage" not in capsys.readouterr().out
    seat.hear("conflict whiskey Zel vs Guards")
    capsys.readouterr()

    seat.hear("help declare")
    said = capsys.readouterr().out

    assert "engage" in said
    assert "maneuver" not in said


def test_sealed_text_is_kept_out_of_the_history(seat: ConsoleSession) -> None:
    assert seat.hides("declare Guards engage Zel --sealed: From behind.")
    assert not seat.hides("declare Guards: From behind.")
    seat.hear("option whiskey.declaration=sealed")
    seat.hear("conflict whiskey Ana vs Guards")
    assert seat.hides("declare Guards engage Ana: From behind.")
    assert seat.hides("d Guards engag Ana: From behind.")
    assert not seat.hides("note: From behind.")


def test_no_line_is_broken_within_a_word_on_a_terminal() -> None:
    class Screen(StringIO):
        def isatty(self) -> bool:
            return True

    lines = [f"note: “{'word ' * 30}”", "  - a line that is changed, " + "word " * 30, "short"]
    shown = list(fitted(lines, Screen()))

    assert " ".join(" ".join(shown).split()) == " ".join(" ".join(lines).split())
    assert max(map(len, shown)) < 80
    assert shown[1].startswith("  word")
    assert list(fitted(lines, StringIO())) == lines
