"""Lines that only ask, such as `hp Zel`, from a phone: answered, and not handed in (G19)."""

from __future__ import annotations

import pytest

from tests.cli.service.phone import Phone, Serving

PLAYED = ("track Zel hp 5/9", "track Odo hp 3/9", "cast Spy --gm", "track Spy hp 4/4 --gm", "clock Ebb 2/6")


@pytest.fixture(autouse=True)
def played(service: Serving) -> None:
    for line in PLAYED:
        service.campaign.say(line)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("hp Odo", ["Odo's hp: 3 of 9."]),
        ("Zel hp", ["Zel's hp: 5 of 9."]),
        ("hp", ["Zel's hp: 5 of 9.", "Odo's hp: 3 of 9."]),
        ("clock Ebb", ["Ebb: 2 of 6."]),
    ],
)
def test_G19_a_players_question_is_answered_and_not_handed_in(
    line: str, answer: list[str], service: Serving, gm: Phone, jon: Phone
) -> None:
    before = service.campaign.position
    asked = jon.ask("proposals", {"id": "jon-number-1", "line": line})

    assert (asked.body["state"], asked.body["said"]) == ("answered", answer)
    assert jon.ask("check", {"line": line}).body["would"] == answer
    assert gm.ask("proposals").body["proposals"] == []
    assert service.campaign.position == before


def test_G19_the_game_masters_question_is_answered(gm: Phone) -> None:
    asked = gm.ask("say", {"line": "hp Spy", "id": "say-number-1"})

    assert asked.body == {"at": "", "said": ["Spy's hp: 4 of 4."]}


def test_G19_a_hidden_character_is_answered_like_an_unknown_name(jon: Phone) -> None:
    hidden, nobody = (
        jon.ask("proposals", {"id": f"jon-number-{name}", "line": f"hp {name}"}) for name in ("Spy", "Sky")
    )

    assert hidden.status == nobody.status == 422
    assert hidden.raw.replace(b"Spy", b"Sky") == nobody.raw
