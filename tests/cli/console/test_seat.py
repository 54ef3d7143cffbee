from __future__ import annotations

import pytest

from cli.console.seat import Heard, Seat


def test_the_file_is_whole_when_a_session_closes(seat: Seat) -> None:
    log = seat.scribe.campaign.file.path.with_name("salt.retold-wal")
    for line in ("end conflict stalemate", "end scene"):
        seat.hear(line)
    before = log.stat().st_size

    assert seat.hear("end session") is Heard.DONE
    assert (before > 0, log.stat().st_size) == (True, 0)


def test_a_trouble_nobody_foresaw_is_told_in_a_sentence_and_the_evening_goes_on(
    seat: Seat, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("cli.console.seat.tell", lambda *_args, **_named: 1 / 0)

        assert seat.hear("note: One.") is Heard.STOPPED  # it was recorded, only not told

    assert "Something went wrong that should not have (ZeroDivisionError" in capsys.readouterr().err
    assert seat.hear("note: Two.") is Heard.DONE
    assert "someone" not in capsys.readouterr().out


def test_an_interrupted_line_leaves_a_seat_that_can_go_on(
    seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("cli.console.seat.lex", interrupted)

        assert seat.hear("note: One.") is Heard.REFUSED

    assert seat.hear("note: Two.") is Heard.DONE


def test_a_line_that_only_asks_records_nothing(seat: Seat, capsys: pytest.CaptureFixture[str]) -> None:
    before = seat.scribe.writer.head

    assert seat.hear("expect session 1") is Heard.DONE
    assert seat.hear("note --check: Perhaps.") is Heard.DONE
    assert (seat.scribe.writer.head, seat.unsettled) == (before, False)
    assert "It holds: session is 1." in capsys.readouterr().out
