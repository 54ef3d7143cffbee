"""An unfinished correction: the game master's page gets the recorded line, to be changed (findings G2)."""

from __future__ import annotations

from tests.cli.service.phone import Phone, Serving


def test_G2_an_unfinished_retcon_brings_the_line_to_edit(service: Serving, gm: Phone, jon: Phone) -> None:
    gm.ask("say", {"line": "narrate Zel: A dog barks.", "id": "say-number-1"})
    at = service.campaign.position
    answer = gm.ask("say", {"line": f"retcon {at}", "id": "say-number-2"})

    assert answer.status == 422
    assert answer.body["edit"] == f"retcon {at} --as narrate Zel: A dog barks."
    assert f"retcon {at} --drop" in answer.body["lines"]
    said = gm.ask("say", {"line": answer.body["edit"].replace("dog", "fox"), "id": "say-number-3"})
    assert said.status == 200

    refused = gm.ask("say", {"line": "narrate Nobody: Hm.", "id": "say-number-4"})
    assert refused.body.get("edit") is None
    handed = jon.ask("proposals", {"line": f"retcon {at}", "id": "handed-in-1"})
    assert handed.status == 422
    assert handed.body.get("edit") is None
