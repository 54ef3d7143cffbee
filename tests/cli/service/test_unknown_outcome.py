"""A line of which nobody knows whether it was recorded: what the service answers, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from retold.journal.store.contract.errors import OutcomeUnknown
from retold.journal.store.sqlite.file import CampaignFile
from tests.cli.service.phone import Phone, Serving


def test_it_is_answered_503_and_recorded_once_when_it_is_sent_again(
    service: Serving, gm: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    writing = CampaignFile.writing

    @contextmanager
    def losing(file: CampaignFile) -> Iterator[None]:
        with writing(file):
            yield
        raise OutcomeUnknown("The disk failed, and nobody can say yet whether it was recorded.")

    said = {"line": "narrate: Thunder.", "id": "said-once"}
    before = service.campaign.position
    with monkeypatch.context() as patch:
        patch.setattr(CampaignFile, "writing", losing)
        first = gm.ask("say", said)
    assert first.status == 503
    assert first.body["error"] == (
        "The disk failed, and nobody can say yet whether it was recorded."
        " Said again under the same id, it cannot be recorded twice."
    )

    second = gm.ask("say", said)
    assert (second.status, second.body["at"]) == (200, str(before + 1))
    assert service.campaign.catch_up() == before + 1
