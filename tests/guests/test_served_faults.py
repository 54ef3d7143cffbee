"""A guest that fails while its campaign is served: every address answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.cli.service import endpoints
from retold.cli.service.app import BELOW
from retold.journal.language import proposed
from retold.journal.packages import guest_errors
from tests.cli.service.phone import Answer, Serving, serving
from tests.guests.test_planted_faults import NAMED, SHOWING, installed, played

__all__ = ["installed", "played"]  # fixtures

PAGES = [path for method, path, _ in BELOW if method == "GET" and "{" not in path and path != "feed"]
DOORS = [*SHOWING, "moves", "reminds", "rolls", "shorthands", "suggest", "things"]
"""Every door but those of its events' handlers, which end the game itself."""
ERROR = "KeyError: 'Hold' (planted.py, line 14)"


@pytest.fixture
def service(
    played: Path, installed: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Serving]:
    """The evening of Wreckers, served."""
    monkeypatch.setattr(endpoints, "A_MINUTE", 10_000)
    guest_errors()  # what other tests left untold
    file = tmp_path / "evening.retold"
    file.write_bytes(played.read_bytes())
    with serving(file, home=tmp_path / "home") as found:
        yield found
    installed.clear()


def test_L4_every_address_answers_while_a_guest_fails_and_no_player_reads_its_error(
    service: Serving, installed: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    gm, ann = service.phone("gm"), service.phone("Ann")

    def answers() -> dict[tuple[str, str], Answer]:
        proposed._CACHE.clear()
        asked = [f"{path}?line=swim+" if path == "complete" else path for path in PAGES]
        return {(who, at): phone.ask(at) for who, phone in (("gm", gm), ("Ann", ann)) for at in asked}

    expected = {at: answer.status for at, answer in answers().items()}
    installed.update(DOORS)

    found = answers()
    said = gm.ask("say", {"line": "note: The bell.", "id": "gm-line-1"})

    assert {at: answer.status for at, answer in found.items()} == expected
    assert said.status == 200
    assert [at for at, answer in found.items() if at[0] == "Ann" and b"Hold" in answer.raw] == []
    log = capsys.readouterr().err
    assert [
        door
        for door in ("outlook", "reminds", "rows", "suggest")
        if f"{NAMED}answer {door}: {ERROR}" not in log
    ] == []


def test_L4_a_line_that_a_guest_cannot_decide_is_refused_over_http_and_a_player_is_not_told_how(
    service: Serving, installed: set[str]
) -> None:
    gm, ann = service.phone("gm"), service.phone("Ann")
    before = len(gm.ask("happened").body["events"])
    installed.add("decide")

    said = gm.ask("say", {"line": "swim Ada", "id": "gm-line-1"})
    handed = ann.ask("proposals", {"line": "swim Ada", "id": "ann-line-1"})

    assert (said.status, handed.status) == (422, 422)
    assert said.body["error"] == f"{NAMED}decide swim: {ERROR}. Nothing was recorded."
    assert b"Hold" not in handed.raw
    assert len(gm.ask("happened").body["events"]) == before
