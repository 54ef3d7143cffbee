"""While the game master writes to a branch that nobody else may know of, the phones stay on the mainline."""

from __future__ import annotations

import pytest

import retold
from tests.cli.service.phone import Phone, Serving
from tests.cli.service.test_feed import begun

UNSHOWN = """
branch kinder @-1: What if the taipan bites?
cast Ningaui by=Lou
narrate Zel: The mulgara comes.
"""
PATHS = (
    *("here.json", "board", "happened", "replay", "replay?part=s1", "replay?branch=kinder", "can"),
    *("view/cast", "view/marks", "view/sessions", "proposals", "board?at=s1", "board?at=kinder@3"),
)


def asked(phone: Phone) -> dict[str, object]:
    """All that a phone is answered, by what it asks."""
    return {path: (phone.ask(path).status, phone.ask(path).body) for path in PATHS}


@pytest.mark.parametrize("who", ["table", "Jon"])
def test_a_branch_that_is_not_shown_changes_no_answer(service: Serving, who: str) -> None:
    phone = service.phone(who)
    before = asked(phone)
    service.campaign.play(UNSHOWN)

    assert asked(phone) == before
    assert "mulgara" in str(service.phone("gm").ask("happened").body)  # who is shown the branch


def test_what_is_told_on_it_sends_nothing(service: Serving, jon: Phone) -> None:
    stream = begun(jon)
    service.campaign.play(f"{UNSHOWN}\nswitch mainline\nnarrate Zel: Rain.")

    heard = stream.hear("happened", "reset")
    assert (heard.event, heard.data["events"][0]["told"]) == ("happened", "Zel narrates: “Rain.”")


@pytest.mark.parametrize(
    "shown", ["branch show kinder", "branch show kinder --to Jon", "branch promote kinder"]
)
def test_once_it_is_shown_or_promoted_they_are_on_it(service: Serving, jon: Phone, shown: str) -> None:
    stream = begun(jon)
    service.campaign.play(UNSHOWN)
    assert "mulgara" not in str(jon.ask("happened").body)
    service.campaign.say(shown)

    stream.hear("reset")
    assert "mulgara" in str(jon.ask("happened").body)


def test_the_replay_names_a_branch_that_is_shown_and_no_other(service: Serving, jon: Phone) -> None:
    service.campaign.play(f"{UNSHOWN}\nswitch mainline\nnarrate Zel: Rain.")
    assert [one["name"] for one in jon.ask("replay").body["lines"]] == ["mainline"]
    service.campaign.say("branch show kinder --to Jon")

    assert [one["name"] for one in jon.ask("replay").body["lines"]] == ["mainline", "kinder"]
    assert [one["name"] for one in service.phone("Kit").ask("replay").body["lines"]] == ["mainline"]


def test_what_a_player_hands_in_meanwhile_is_for_the_mainline(service: Serving, jon: Phone) -> None:
    stream = begun(jon)
    service.campaign.play(UNSHOWN)

    assert jon.ask("check", {"line": "narrate Zel: Rain."}).body["would"] == ["Zel narrates: “Rain.”"]
    jon.ask("proposals", {"id": "handed-in-1", "line": "narrate Zel: Rain."})
    taken = service.phone("gm").ask("proposals/handed-in-1", {"take": True})

    assert taken.body["state"] == "taken"
    assert stream.hear("happened").data["events"][0]["told"] == "Zel narrates: “Rain.”"
    assert service.campaign.line_name == "kinder"
    assert "Rain." not in str([one.told for one in service.campaign.happened()])


def test_a_character_on_an_unshown_branch_only_is_unknown(service: Serving) -> None:
    service.campaign.play(UNSHOWN)

    for name in ("Lou", "Nobody"):
        with pytest.raises(retold.Refused, match=f"There is no “{name}” here"):
            service.campaign.seen_by(name)
