"""Phones of a table that home has opened: their links, and what else the network may ask for."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from email.message import Message
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from retold.cli.service import running as service
from tests.patience import PATIENCE
from tests.retold.home.browser import Answer, Browser, Running, at_home

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has other loopback addresses")

THERE, PHONE = "127.0.0.2", "127.0.0.3"
"""Addresses of this computer and of a phone in what is a network here."""
AT = "/c/the-well/as/gm/"
TABLE = {"title": "The Well", "who": ["Zel"], "by": ["Jon"], "about": [""]}


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    monkeypatch.setattr(service, "lan_address", lambda: THERE)
    with at_home(tmp_path / "state", tmp_path / "campaigns") as found:
        yield found


@pytest.fixture
def gm(running: Running) -> Browser:
    browser = running.browser()
    assert browser.ask("/home/new", TABLE).headers["location"] == AT
    return browser


def links(gm: Browser, body: Mapping[str, str] | None = None, **headers: str | None) -> Answer:
    raw = None if body is None else json.dumps(body).encode()
    return gm.ask(f"{AT}links", raw=raw, accept="application/json", headers=headers)


def by_viewer(answer: Answer) -> dict[str, tuple[int, int, int]]:
    return {one["viewer"]: (one["links"], one["used"], one["pages"]) for one in answer.json["links"]}


def phone(
    running: Running, path: str, body: object = None, host: str = THERE, **headers: str
) -> tuple[int, dict[str, Any], Message]:
    """What a phone in the network is answered, and the headers."""
    connection = HTTPConnection(THERE, running.port, timeout=PATIENCE, source_address=(PHONE, 0))
    named = {"accept": "application/json", "host": f"{host}:{running.port}", **headers}
    data = None if body is None else json.dumps(body).encode()
    connection.request("GET" if body is None else "POST", path, data, named)
    answer = connection.getresponse()
    found = json.loads(answer.read())
    connection.close()
    return answer.status, found, answer.headers


def joined(running: Running, gm: Browser) -> tuple[str, str]:
    """The cookie of a phone that came by Jon's link, and the path of its page."""
    link = urlsplit(links(gm, {"new": "Jon"}).json["link"])
    _, answer, headers = phone(running, "/join", {"link": link.fragment})
    return headers["set-cookie"].partition(";")[0], answer["at"]


def test_a_link_opens_the_table_to_its_player_on_a_phone(running: Running, gm: Browser) -> None:
    assert by_viewer(links(gm)) == {"gm": (0, 0, 0), "table": (0, 0, 0), "Jon": (0, 0, 0)}
    made = links(gm, {"new": "Jon"})
    link = urlsplit(made.json["link"])
    assert (link.hostname, link.port, link.path) == (THERE, running.port, "/")
    assert made.json["image"].startswith("data:image/svg+xml")
    assert by_viewer(made)["Jon"] == (1, 0, 0)

    status, answer, headers = phone(running, "/join", {"link": link.fragment})

    assert (status, answer["viewer"]) == (200, "Jon")
    cookie = headers["set-cookie"].partition(";")[0]
    assert phone(running, f"{answer['at']}here.json", cookie=cookie)[1]["director"] is False
    assert by_viewer(links(gm))["Jon"] == (1, 1, 0)


def test_a_phone_reaches_the_table_again_once_home_is_restarted(
    running: Running, gm: Browser, tmp_path: Path
) -> None:
    cookie, at = joined(running, gm)
    running.server.should_exit = True

    with at_home(tmp_path / "state", tmp_path / "campaigns") as again:
        again.browser()
        assert phone(again, f"{at}here.json", cookie=cookie)[0] == 200


def test_a_revoked_link_opens_nothing(running: Running, gm: Browser) -> None:
    cookie, at = joined(running, gm)
    assert phone(running, f"{at}here.json", cookie=cookie)[0] == 200
    assert by_viewer(links(gm, {"revoke": "Jon"}))["Jon"] == (0, 0, 0)

    assert phone(running, f"{at}here.json", cookie=cookie)[0] == 401


def test_the_link_that_is_asked_with_stays(gm: Browser) -> None:
    assert links(gm, {"new": "gm"}).status == 200
    assert by_viewer(links(gm, {"revoke": "gm"}))["gm"] == (0, 0, 0)
    assert links(gm).status == 200


@pytest.mark.parametrize(
    ("body", "status"), [({}, 400), ({"new": "Nobody"}, 422), ({"new": ""}, 422), ({"revoke": "Nobody"}, 200)]
)
def test_unknown_viewers_get_no_link(gm: Browser, body: Mapping[str, str], status: int) -> None:
    before = by_viewer(links(gm))

    assert links(gm, body).status == status
    assert by_viewer(links(gm)) == before


@pytest.mark.parametrize("path", ["", "links", "say", "export", "check", "pictures"])
def test_a_player_gets_no_link_and_does_nothing_of_the_game_masters(
    running: Running, gm: Browser, path: str
) -> None:
    cookie, at = joined(running, gm)
    body = {"new": "gm", "line": "export", "id": "x" * 8, "picture": ""}
    assert phone(running, f"{AT}{path}", body if path else None, cookie=cookie)[0] == 401
    if path not in ("", "check"):
        assert phone(running, f"{at}{path}", body, cookie=cookie)[0] == 403


HOME = ("", "come", "again", "open", "new", "example", "settings", "file", "quit", "log/play")


@pytest.mark.parametrize("host", [THERE, "127.0.0.1", "localhost"])
@pytest.mark.parametrize("path", HOME)
def test_a_phone_that_asks_for_home_is_refused(running: Running, gm: Browser, path: str, host: str) -> None:
    cookie = "; ".join(f"{name}={value}" for (_, name), value in gm.cookies.items())
    links(gm, {"new": "Jon"})
    body = {"link": running.home.once()} if path else None

    bearer = f"Bearer {running.home.control}"
    origin = f"http://{host}:{running.port}"
    status, answer, _ = phone(
        running, f"/home/{path}", body, host, cookie=cookie, authorization=bearer, origin=origin
    )

    assert (status, list(answer)) == (403, ["error"])


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "192.0.2.7", ""])
def test_a_name_that_was_bound_anew_to_this_computer_is_refused(
    running: Running, gm: Browser, host: str
) -> None:
    cookie, at = joined(running, gm)

    assert phone(running, f"{at}here.json", host=host, cookie=cookie)[0] in (400, 403)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", f"http://{THERE}"])
def test_a_page_of_another_site_makes_no_link(gm: Browser, origin: str) -> None:
    assert links(gm, {"new": "Jon"}, origin=origin).status == 403
    assert by_viewer(links(gm))["Jon"] == (0, 0, 0)


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/pages/../endpoints.py",
            "/pages/%2e%2e/endpoints.py",
            "/home/..%2fhome.json",
            "/modules//etc/passwd",
        ),
        *("/c/../home/", "/c/%2e%2e/home/", "/c/the-well/..%2f..%2fhome/"),
    ],
)
def test_no_path_leads_out_of_what_is_served(running: Running, gm: Browser, path: str) -> None:
    cookie, _ = joined(running, gm)

    assert phone(running, path, cookie=cookie)[0] in (401, 403, 404)


def test_phones_come_back_after_home_was_started_again(running: Running, gm: Browser, tmp_path: Path) -> None:
    cookie, at = joined(running, gm)
    with at_home(tmp_path / "state", running.folder) as again:
        again.browser().ask("/home/open", {"file": "The Well.retold"})

        assert phone(again, f"{at}here.json", cookie=cookie)[1]["viewer"] == "Jon"


def test_without_a_players_link_nothing_listens_in_the_network(running: Running, gm: Browser) -> None:
    with pytest.raises(ConnectionRefusedError):
        phone(running, "/")


def test_in_no_network_a_link_opens_the_table_here(
    running: Running, gm: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr("retold.cli.service.network.NOWHERE", ("127.0.0.1", 9))
    link = urlsplit(links(gm, {"new": "Jon"}).json["link"])

    assert gm.ask("/join", raw=json.dumps({"link": link.fragment}).encode()).json["viewer"] == "Jon"
