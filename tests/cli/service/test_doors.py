"""Who is let in: with a link, from a page of ours, to a name we have, with a body that is not too large."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import retold
from retold.cli.service import endpoints
from retold.cli.service.app import BELOW, STAGED
from retold.cli.service.endpoints import A_MINUTE, TRIES_A_MINUTE
from retold.cli.service.network import HEADERS, LARGEST, Pace
from tests.cli.service.phone import Phone, Serving, serving

VIEWERS = ("", "as/gm/", "as/table/", "as/0123456789ab/")
ADDRESSES = {
    **{
        whom: [
            *(("GET", whom), ("GET", f"{whom}here.json"), ("POST", f"{whom}leave")),
            *(
                (method, whom + path.replace("{name:str}", "cast").replace("{id:str}", "jonjonjon1"))
                for method, path, _ in BELOW
            ),
        ]
        for whom in VIEWERS
    },
    "stage": [
        *(("GET", path) for path in ("stage", "stage/here.json")),
        *(("GET", f"stage/{path.replace('{name:str}', 'cast')}") for path in STAGED),
    ],
}
PRIVATE = ("Salt", "Zel", "Odo", "tide", "porch", "Jon")


@pytest.fixture
def stranger(service: Serving) -> Phone:
    return service.phone(None)


# --- without a link ---------------------------------------------------------------------------------------


@pytest.fixture
def as_many_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a stranger who asks for every address in turn go on."""
    monkeypatch.setattr(endpoints, "TRIES_A_MINUTE", 1000)


@pytest.mark.parametrize("whom", ADDRESSES)
def test_a_stranger_gets_nothing(as_many_tries: None, stranger: Phone, whom: str) -> None:
    for method, path in ADDRESSES[whom]:
        answer = stranger.ask(
            path, {"line": "undo", "id": "jonjonjon1"} if method == "POST" else None, method=method
        )

        assert (answer.status, list(answer.body)) == (401, ["error"]), (method, path)
        told = [word for word in PRIVATE if word in answer.raw.decode().replace("Ask your", "")]
        assert told == [], (method, path)


@pytest.mark.parametrize("secret", ["", "x", "é", "a" * 40, "Bearer", "0" * 5000])
def test_a_wrong_secret_opens_nothing(service: Serving, secret: str) -> None:
    stranger = service.phone(None)
    stranger.secret = secret.encode().decode("latin-1")

    assert stranger.ask("here.json").status == 401
    assert stranger.ask("/join", {"link": secret}).status == 401


def test_strangers_cannot_tell_existing_addresses(service: Serving, stranger: Phone) -> None:
    there, nowhere = stranger.ask("board"), stranger.ask("/c/no-such-table/board")

    assert (there.status, there.raw) == (nowhere.status, nowhere.raw)


def test_a_link_of_one_campaign_opens_no_other(evening: Path, tmp_path: Path) -> None:
    other = tmp_path / "Iron Vale.retold"
    with retold.new(other, title="The Iron Vale") as campaign:
        campaign.play("cast Ash by=Jon\n")
    with serving(evening, other, home=tmp_path / "home") as service:
        assert list(service.shelf.served) == ["salt-road", "iron-vale"]
        jon = service.phone("Jon")

        assert jon.ask("here.json").body["title"] == "The Salt Road"
        assert jon.ask("/c/iron-vale/here.json").status == 401


def test_a_join_gives_a_cookie_no_script_can_read(service: Serving, stranger: Phone, jon: Phone) -> None:
    answer = stranger.ask("/join", {"link": jon.secret})

    at = answer.body.pop("at")
    assert answer.body == {"campaign": "salt-road", "viewer": "Jon"}
    assert re.fullmatch("/c/salt-road/as/[0-9a-f]{12}/", at)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"retold-salt-road.{at.split('/')[-2]}={jon.secret}; HttpOnly; ")
    assert "SameSite=strict" in cookie
    assert "Path=/c/salt-road/" in cookie
    assert stranger.ask(f"{at}here.json", Cookie=cookie.partition(";")[0]).body["viewer"] == "Jon"


def test_leaving_takes_the_cookie_back(jon: Phone) -> None:
    assert "Max-Age=0" in jon.ask("leave", {}).headers["set-cookie"]


# --- links ------------------------------------------------------------------------------------------------


def test_a_link_that_is_revoked_ends_at_once_with_its_streams(
    service: Serving, jon: Phone, kit: Phone
) -> None:
    stream, other = jon.follow(), kit.follow()
    stream.hear("board")
    other.hear("board")
    links = service.shelf.served[service.slug].links
    links.revoke([one for one in links.every() if one.viewer == "Jon"])

    assert stream.rest()[-1].event == "gone"
    assert jon.ask("board").status == 401
    assert kit.ask("board").status == 200
    other.leave()


def test_the_secret_itself_is_kept_nowhere(service: Serving, jon: Phone, tmp_path: Path) -> None:
    assert jon.secret is not None
    service.campaign.say("narrate Zel: Rain.")
    kept = [file for file in tmp_path.rglob("*") if file.is_file()]

    assert kept
    assert [file for file in kept if jon.secret.encode() in file.read_bytes()] == []


def test_a_new_link_revokes_earlier_unused_links(service: Serving) -> None:
    links = service.shelf.served[service.slug].links
    jons = service.campaign.lasting("Jon")
    first = links.new(jons, "Jon", "2026-03-14")
    second = links.new(jons, "Jon", "2026-03-15")
    service.shelf.read_links()

    assert [service.shelf.served[service.slug].link(one) is None for one in (first, second)] == [True, False]


def test_a_used_link_outlives_a_new_one(service: Serving, jon: Phone) -> None:
    service.phone("Jon")

    assert jon.ask("here.json").status == 200


# --- hosts and origins ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[::1", "a@b"]
)
def test_a_name_that_only_points_here_is_not_answered(jon: Phone, host: str) -> None:
    for path in ("board", "/", "/openapi.json"):
        assert jon.ask(path, Host=host).status in (400, 403)


def test_a_balancer_is_told_that_the_service_is_well_and_nothing_else(stranger: Phone) -> None:
    answers = [stranger.ask("/health", Host=host) for host in ("127.0.0.1", "10.1.2.3:80", "x.example")]

    assert {(one.status, one.raw) for one in answers} == {(200, b"")}


@pytest.fixture
def named(evening: Path, tmp_path: Path) -> Iterator[Serving]:
    with serving(evening, home=tmp_path / "home", hosts=("Table.example",)) as found:
        yield found


def test_a_name_it_was_given_is_answered(named: Serving) -> None:
    assert named.phone("Jon").ask("board", Host="table.example").status == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:1", "x"]
)
def test_another_page_can_make_the_browser_say_nothing(service: Serving, gm: Phone, origin: str) -> None:
    before = service.campaign.position
    answer = gm.ask("say", {"line": "narrate Zel: Ha.", "id": "say-number-1"}, Origin=origin)

    assert (answer.status, service.campaign.position) == (403, before)


def test_a_page_of_ours_can(gm: Phone) -> None:
    ours = f"http://127.0.0.1:{gm.place.port}"

    assert gm.ask("say", {"line": "narrate Zel: Ha.", "id": "say-number-1"}, Origin=ours).status == 200


def test_another_site_that_hides_where_it_is_can_not(gm: Phone) -> None:
    body = {"line": "narrate Zel: Ha.", "id": "say-number-1"}

    assert gm.ask("say", body, Sec_Fetch_Site="cross-site").status == 403


# --- how much, and how often ------------------------------------------------------------------------------


def test_a_body_that_is_too_large_is_not_read(gm: Phone) -> None:
    assert gm.ask("say", raw=b"x" * (LARGEST + 1)).status == 413


def test_a_body_that_goes_on_and_on_is_not_read(service: Serving, gm: Phone) -> None:
    line = b'{"id": "say-number-1", "line": "narrate Zel: ' + b"x" * LARGEST + b'"}'
    before = service.campaign.position
    with suppress(ConnectionError):  # it may hang up on what is still being said
        assert gm.ask("say", parts=(line[at : at + 4096] for at in range(0, len(line), 4096))).status == 413

    assert service.campaign.position == before


def test_too_many_requests_are_refused(jon: Phone, kit: Phone) -> None:
    assert jon.ask("here.json").status == 200
    assert 429 in (jon.ask("here.json").status for _ in range(4 * A_MINUTE))  # a slow machine
    assert kit.ask("here.json").status == 200


def test_a_stranger_may_not_guess_often(stranger: Phone, jon: Phone) -> None:
    tries = [
        stranger.ask("/join", {"link": f"guess-{number}"}).status for number in range(TRIES_A_MINUTE + 5)
    ]

    assert (tries[0], tries[-1]) == (401, 429)
    assert jon.ask("here.json").status == 200


def test_a_pace_is_so_many_a_minute() -> None:
    pace = Pace(2)

    assert [pace.allows("a", now) for now in (0, 0, 0, 30, 30)] == [True, True, False, True, False]
    assert pace.allows("b", 30)


# --- what stands on every answer --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/", "/nowhere", "/openapi.json", "/pages/table.js", "board", "feed", "stage", ""]
)
def test_every_answer_has_its_headers(service: Serving, jon: Phone, path: str) -> None:
    if path == "feed":
        stream = jon.follow()
        headers = {name.casefold(): value for name, value in stream.response.getheaders()}
        stream.leave()
    else:
        headers = jon.ask(path, Accept="text/html").headers

    assert {name for name in HEADERS if name not in headers} == set()
    kept = headers["cache-control"]
    assert kept == ("no-cache" if path in ("/", "/pages/table.js") else "no-store")
    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
    assert "server" not in headers


@pytest.mark.parametrize(
    "path",
    [
        *("/pages", "/pages/", "/modules/", "/c", "/c/", "/pages/../app.py", "/pages/%2e%2e/app.py"),
        *("/pages/..%2fapp.py", "/modules/..%2f__init__.py", "//etc/passwd", "/.git/config"),
    ],
)
def test_no_folder_is_listed_and_no_other_file_is_sent(jon: Phone, path: str) -> None:
    answer = jon.ask(path)

    assert answer.status in (401, 404)
    assert b"import" not in answer.raw


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[]", b"1", b'{"line": 1}', b'{"line": "\\ud800"}', b"\xff", b"[" * 9999]
)
def test_an_invalid_body_is_refused(gm: Phone, raw: bytes) -> None:
    answer = gm.ask("check", raw=raw)

    assert (answer.status, list(answer.body)) == (400, ["error"])


@pytest.mark.parametrize(
    ("path", "ways"),
    [
        ("proposals", {"GET", "HEAD", "POST"}),
        ("say", {"POST"}),
        ("board", {"GET", "HEAD"}),
        ("/join", {"POST"}),
    ],
)
def test_a_wrong_method_lists_the_allowed_ones(gm: Phone, path: str, ways: set[str]) -> None:
    """Found by tests/cli/service/fuzz.py."""
    answer = gm.ask(path, method="DELETE")

    assert (answer.status, list(answer.body)) == (405, ["error"])
    assert set(answer.headers["allow"].split(", ")) == ways
    assert gm.ask("proposals", method="HEAD").status == 200


def test_a_page_for_a_browser_and_json_for_a_program(jon: Phone) -> None:
    assert jon.ask("", Accept="text/html").headers["content-type"] == "text/html; charset=utf-8"
    assert jon.ask("replay.html", Accept="text/html").status == 200
    assert jon.ask("", Accept="application/json").body["viewer"] == "Jon"
    assert jon.ask("happened.json").body["events"] == jon.ask("happened").body["events"]
