"""Limits of connections for each address, time limits of requests, and counting of strangers."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from retold.cli.service.endpoints import TRIES_A_MINUTE
from retold.cli.service.network import (
    AT_ONCE,
    FULL,
    LOOPBACK,
    OF_AN_ADDRESS,
    UNFINISHED_OF_AN_ADDRESS,
    Counted,
    NetworkAddress,
)
from tests.cli.service.phone import Answer, Phone, Serving, serving
from tests.patience import PATIENCE

HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"


def knocking(place: NetworkAddress) -> socket.socket:
    """Open connection that has sent nothing."""
    return socket.create_connection((LOOPBACK, place.port), timeout=PATIENCE)


def rest(one: socket.socket) -> bytes:
    """Returns all bytes until the service hangs up."""
    found = b""
    with suppress(ConnectionError):  # it may hang up before it has read what was sent
        while came := one.recv(65_536):
            found += came
    return found


def body(answer: bytes) -> dict[str, str]:
    """The JSON of an answer."""
    found: dict[str, str] = json.loads(answer.partition(b"\r\n\r\n")[2])
    return found


# --- W8 ---------------------------------------------------------------------------------------------------


def test_W8_half_requests_do_not_block_other_clients(service: Serving, jon: Phone) -> None:
    with ExitStack() as open_ones:
        halves = []
        for _ in range(2 * UNFINISHED_OF_AN_ADDRESS):
            one = open_ones.enter_context(closing(knocking(service.place)))
            one.sendall(HALF)
            halves.append(one)
        assert jon.ask("here.json").status == 200
        assert rest(halves[0])[:13] in (b"", b"HTTP/1.1 408 ")  # the oldest had to go


def test_W8_idle_connections_do_not_block_other_clients(service: Serving, jon: Phone) -> None:
    with ExitStack() as open_ones:
        silent = [
            open_ones.enter_context(closing(knocking(service.place)))
            for _ in range(2 * UNFINISHED_OF_AN_ADDRESS)
        ]
        assert jon.ask("here.json").status == 200
        assert rest(silent[0]) == b""


@pytest.fixture
def hasty(evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    """Service with a short time limit, long enough for a prompt request on a busy machine."""
    monkeypatch.setattr("retold.cli.service.running.Counted", lambda proxies: Counted(proxies, seconds=0.4))
    with serving(evening, home=tmp_path / "home") as found:
        yield found


@pytest.mark.parametrize(
    "sent", [HALF, HALF[:5], b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{"]
)
def test_W8_a_request_that_does_not_arrive_is_given_up(hasty: Serving, sent: bytes) -> None:
    with closing(knocking(hasty.place)) as one:
        one.sendall(sent)
        said = rest(one)

    assert said.startswith(b"HTTP/1.1 408 ") or sent.startswith(b"POST")
    assert not said or list(body(said)) == ["error"]


def test_W8_a_feed_is_no_request_that_does_not_arrive(hasty: Serving) -> None:
    stream = hasty.phone("Jon").follow()
    stream.hear("board")
    with closing(knocking(hasty.place)) as other:
        other.sendall(HALF)
        rest(other)  # by then a request would have been given up
    hasty.campaign.say("narrate gm: Thunder.")

    assert stream.hear("happened").data["events"][-1]["told"] == "gm narrates: “Thunder.”"
    stream.leave()


def test_W8_one_connection_too_many_is_told_so_as_json(
    service: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retold.cli.service.network.OF_AN_ADDRESS", 2)
    with ExitStack() as open_ones:
        for _ in range(2):
            open_ones.enter_context(closing(knocking(service.place)))
        refused = service.phone("Jon").ask("here.json")

    assert (refused.status, refused.body) == (503, {"error": FULL})
    assert refused.headers["content-type"] == "application/json"
    assert OF_AN_ADDRESS < AT_ONCE


def test_S12_a_balancer_is_answered_on_a_connection_too_many(
    service: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retold.cli.service.network.OF_AN_ADDRESS", 2)
    with ExitStack() as open_ones:
        for _ in range(2):
            open_ones.enter_context(closing(knocking(service.place)))
        asked = service.phone(None).ask("/health")
        refused = service.phone("Jon").ask("here.json")

    assert (asked.status, asked.raw, asked.headers["connection"]) == (200, b"", "close")
    assert refused.status == 503


def test_S12_a_link_has_so_many_streams_however_many_come_at_once(
    service: Serving, jon: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retold.cli.service.endpoints.MOST_STREAMS", 4)
    with ThreadPoolExecutor(12) as phones:
        streams = list(phones.map(lambda _: jon.follow(), range(12)))
    good = [stream for stream in streams if stream.status == 200]
    assert [stream.status for stream in streams if stream not in good] == [429] * 8
    service.campaign.say("narrate gm: Thunder.")
    for stream in good:  # they stay
        heard = next(one for one in stream if one.event == "happened" and one.data["events"])
        assert heard.data["events"][-1]["told"] == "gm narrates: “Thunder.”"
    for stream in streams:
        stream.leave()

    until = time.monotonic() + PATIENCE
    while (again := jon.follow()).status == 429 and time.monotonic() < until:
        again.leave()  # until the service has noticed that they left
        service.campaign.say("narrate gm: Thunder again.")
    assert again.status == 200
    again.leave()


def test_W8_a_malformed_request_is_answered_in_json(service: Serving) -> None:
    with closing(knocking(service.place)) as one:
        one.sendall(b"\x16\x03\x01 hello\r\n\r\n")  # a browser that was told to speak TLS
        said = rest(one)

    assert said.startswith(b"HTTP/1.1 400 ")
    assert list(body(said)) == ["error"]


# --- W7 ---------------------------------------------------------------------------------------------------


def test_W7_what_is_answered_is_sent_at_once(service: Serving, jon: Phone) -> None:
    stream = jon.follow()
    stream.hear("board")
    (connection,) = service.server.server_state.connections
    accepted = connection.transport.get_extra_info("socket")

    assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
    stream.leave()


# --- W10 --------------------------------------------------------------------------------------------------


def test_W10_a_phone_whose_link_was_revoked_takes_nothing_from_its_neighbours(service: Serving) -> None:
    gone, neighbour, stranger = service.phone("Kit"), service.phone("Jon"), service.phone(None)
    links = service.shelf.served[service.slug].links
    links.revoke([one for one in links.every() if one.viewer == "Kit"])
    service.shelf.read_links()
    asked = [gone.ask("board").status for _ in range(TRIES_A_MINUTE + 5)]

    assert (asked[0], asked[-1]) == (401, 429)
    assert stranger.ask("/join", {"link": neighbour.secret}).status == 200
    assert stranger.ask("/join", {"link": "mistyped"}).status == 401


def test_W10_good_joins_are_not_counted_against_an_address(service: Serving) -> None:
    jon, kit, stranger = service.phone("Jon"), service.phone("Kit"), service.phone(None)
    joined = {stranger.ask("/join", {"link": jon.secret}).status for _ in range(TRIES_A_MINUTE + 5)}

    assert joined == {200}
    assert stranger.ask("/join", {"link": kit.secret}).status == 200
    assert stranger.ask("/join", {"link": "mistyped"}).status == 401


def test_W10_a_valid_link_joins_while_another_client_guesses(service: Serving, jon: Phone) -> None:
    stranger = service.phone(None)
    tried = [stranger.ask("/join", {"link": f"guess-{one}"}).status for one in range(TRIES_A_MINUTE + 5)]

    assert (tried[0], tried[-1]) == (401, 429)
    assert stranger.ask("/join", {"link": jon.secret}).status == 200


def forwarded(phone: Phone, secret: str | None, whom: str = "203.0.113.7") -> Answer:
    """Returns the answer to a proxy's visitor who joins by a link's secret."""
    return phone.ask("/join", {"link": secret}, X_Forwarded_For=whom, X_Forwarded_Proto="https")


def test_W10_behind_a_proxy_that_is_trusted_the_cookie_is_secure_and_each_has_an_address(
    evening: Path, tmp_path: Path
) -> None:
    with serving(evening, home=tmp_path / "home", hosts=("table.example",), proxies=(LOOPBACK,)) as service:
        jon, stranger = service.phone("Jon"), service.phone(None)
        for one in range(TRIES_A_MINUTE + 5):
            forwarded(stranger, f"guess-{one}")

        assert forwarded(stranger, "mistyped").status == 429
        assert forwarded(stranger, "mistaken", "203.0.113.8").status == 401
        assert "; Secure" in forwarded(stranger, jon.secret).headers["set-cookie"]
        assert service.place.url == "https://table.example/"


def test_W10_forwarding_headers_of_an_untrusted_client_are_ignored(service: Serving, jon: Phone) -> None:
    stranger = service.phone(None)
    tried = [
        forwarded(stranger, f"guess-{one}", f"203.0.113.{one}").status for one in range(TRIES_A_MINUTE + 5)
    ]

    assert tried[-1] == 429
    assert "Secure" not in forwarded(stranger, jon.secret).headers["set-cookie"]


# --- W12 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "as/gm/", "as/gm/replay.html", "replay.html", "stage", "/c/nowhere/"])
def test_W12_a_browser_without_a_cookie_gets_the_page_to_join_and_a_program_json(
    service: Serving, path: str
) -> None:
    stranger = service.phone(None)
    page, answer = (stranger.ask(path, Accept=one) for one in ("text/html,*/*", "application/json"))

    assert (page.status, page.headers["content-type"]) == (401, "text/html; charset=utf-8")
    assert page.raw == stranger.ask("/").raw
    assert page.headers["cache-control"] == "no-store"
    assert (answer.status, list(answer.body)) == (401, ["error"])
