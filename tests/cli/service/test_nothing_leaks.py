"""Secrets are searched for in everything that was ever sent to the wrong person."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

import retold
from retold.cli.service.served_campaigns import FullError, ServedCampaigns
from retold.projections.views import VIEWS
from tests.cli.service.phone import Serving, serving
from tests.test_leaks import NOT_FOR, SCRIPT, leaked

LATER = """
narrate gm --gm: The wombat stirs.
say Odo --to Kit: The numbat comes.
note --gm: The quokka is next.
mark --gm dugong-again
say Zel --to Kit: Towards the dunnart.
note --gm: The kultarr as well.
reveal @ --to Kit
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """The campaign of tests/test_leaks.py, served."""
    folder: Path = tmp_path_factory.mktemp("leaks")
    with retold.new(folder / "salt.retold", seed="a seed for tests alone") as campaign:
        campaign.play(SCRIPT)
        campaign.say("redact --person Perameles")
        said = next(one for one in campaign.happened() if "wallaroo" in one.told)
        campaign.say(f"redact {said.position}")
    with serving(folder / "salt.retold", home=folder / "home") as found:
        yield found


@pytest.mark.parametrize("eyes", NOT_FOR)
def test_no_address_tells_what_is_not_for_them(service: Serving, eyes: str) -> None:
    phone = service.phone(eyes)
    phone.ask("happened?last=500")
    for event in phone.ask("happened?last=500").body["events"][-12:]:
        phone.ask(f"board?at={event['id']}")
    for path in (
        "",
        "here.json",
        "board",
        "replay",
        "replay?part=s1",
        "can",
        "proposals",
        "complete?line=wom",
    ):
        phone.ask(path)
    for page in ("", "stage", "replay.html"):
        phone.ask(page, Accept="text/html")
    for view in VIEWS:
        phone.ask(f"view/{view}")
    for line in ("say Zel: x", "note: x", "mark x", "narrate Zel: x", "declare Zel: x", "say Nobody: x", "x"):
        phone.ask("check", {"line": line})
    for moment in ("quoka", "kinder@30", "before-the-reveal", "5", "s1:3", "@-2"):
        phone.ask(f"board?at={quote(moment)}")

    assert b"Salt Road" in phone.received
    assert leaked(phone.received.decode(), NOT_FOR[eyes]) == []


def test_no_feed_tells_what_is_not_for_them(service: Serving) -> None:
    phones = {eyes: service.phone(eyes) for eyes in NOT_FOR}
    streams = {eyes: phone.follow("0") for eyes, phone in phones.items()}
    for stream in streams.values():
        stream.hear("board")
    service.campaign.play(LATER)
    jon = service.phone("Jon")
    jon.ask("proposals", {"id": "jon-number-1", "line": "say Zel --to Odo: Psst."})
    service.campaign.play("narrate gm: Hm.\nundo\nredo\nnarrate gm: That is all.\n")

    for eyes, stream in streams.items():
        while b"That is all." not in stream.raw:
            stream.hear("happened", "reset", "proposal")
            if b"event: reset" in stream.raw and "That is all." in str(phones[eyes].ask("happened").body):
                break
        stream.leave()
        sent = (stream.raw + phones[eyes].received).decode()
        assert leaked(sent, NOT_FOR[eyes]) == [], eyes
    assert b"Psst" not in streams["Kit"].raw + streams["table"].raw
    assert leaked(streams["Kit"].raw.decode(), ("numbat",)) == ["numbat"]


INJECTED = [
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "line\u2028end\u2029here",
    "data: x\revent: gone\rdata: {}\r\r",
    "\u202etxet",
    '"}],"x":[{"',
    "{{7*7}} ${7*7} %s %00",
]


@pytest.mark.parametrize("text", INJECTED)
def test_hostile_text_is_text(service: Serving, text: str) -> None:
    gm, jon = service.phone("gm"), service.phone("Jon")
    stream = jon.follow()
    stream.hear("board")
    id_ = f"hostile-{INJECTED.index(text)}-{'x' * 8}"
    said = gm.ask("say", {"line": f"say Zel: {text}", "id": id_})
    if said.status == 200:
        told = stream.hear("happened", "gone")
        assert told.event == "happened"
        assert told.data["events"][-1]["told"] == said.body["said"][-1]
        assert not set(told.data["events"][-1]["told"]) & set("\u2028\u2029\u202e\r\n")
    else:
        assert said.status == 422
    answer = jon.ask("happened")
    assert answer.headers["content-type"] == "application/json"
    stream.leave()


WHY = "club cannot be reached (connection to server at 10.1.2.3 failed; last at 412)."
PLAIN = {"error": "That cannot be answered just now: try again in a moment."}


@pytest.mark.parametrize(("eyes", "told"), [("gm", {"error": WHY}), ("table", PLAIN), ("Jon", PLAIN)])
def test_why_a_record_cannot_be_read_is_for_the_game_master(
    service: Serving, eyes: str, told: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = service.phone(eyes)

    def away(*_: object) -> None:
        raise retold.StoreError(WHY)

    with monkeypatch.context() as patch:
        patch.setattr(retold.Campaign, "seen_by", away)
        answer = phone.ask("board")

    assert (answer.status, answer.body) == (503, told)


def test_the_reason_a_link_lookup_failed_is_not_disclosed(
    service: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise retold.StoreError(WHY)

    async def full(*_: object) -> None:
        raise FullError

    with monkeypatch.context() as patch:
        patch.setattr(ServedCampaigns, "come_by", away)
        joining = service.phone(None).ask("/join", {"link": "a-secret"})
        patch.setattr(ServedCampaigns, "come_by", full)
        joining_full = service.phone(None).ask("/join", {"link": "a-secret"})

    assert (joining.status, joining.body) == (503, PLAIN)
    assert joining_full.body == {"error": "Too many campaigns are open here: try again in a little."}
