"""Home: what lies in the folder, what is begun and brought back there, and who may come in."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from retold.cli.service.network import LOOPBACK
from retold.home.addresses.endpoints import COOKIE, ELSEWHERE, NOT_IN, USED
from retold.journal.store.copies.dump import dump
from retold.journal.store.writing.campaign import CampaignStore
from tests.cli.test_pictures import png
from tests.retold.home.browser import IN_THE_NETWORK, LARGEST, Browser, Running, at_home

TABLE = {
    "title": "The Salt Road",
    "game": "bruise",
    "language": "de",
    "master": "Mary",
    "who": ["Zel", "Odo the Quick", ""],
    "by": ["Jon", "", "Kit"],
    "about": ["A smuggler", "", ""],
}
FORMS = ("open", "new", "example", "settings", "quit", "file")
ANY = "Ü #1 %20 ?a=b 🦊"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with at_home(tmp_path / "state", tmp_path / "campaigns") as found:
        yield found


@pytest.fixture
def browser(running: Running) -> Browser:
    return running.browser()


def told(path: Path) -> list[str]:
    with retold.open(path, read_only=True) as campaign:
        return [event.told for event in campaign.happened()]


def signed_in(browser: Browser, page: str) -> bool:
    answer = browser.ask(f"{page}here.json", accept="application/json")
    return answer.status == 200 and answer.json["director"] is True


def evening(path: Path) -> Path:
    with retold.new(path, title="The Long Ebb") as campaign:
        campaign.play("cast Zel by=Jon\nsession The Ebb --date 2026-03-14\nnarrate Zel: A dog barks.")
    return path


# --- what is made -----------------------------------------------------------------------------------------


def test_a_new_campaign_has_what_the_lines_of_a_shell_would_record(
    running: Running, browser: Browser, tmp_path: Path
) -> None:
    answer = browser.ask("/home/new", TABLE)

    assert (answer.status, answer.headers["location"]) == (303, "/c/the-salt-road/as/gm/")
    assert signed_in(browser, answer.headers["location"])
    with retold.new(tmp_path / "typed.retold", title="The Salt Road", game="bruise") as typed:
        typed.play('option language=de\ncast gm by=Mary\ncast Zel by=Jon: A smuggler\ncast "Odo the Quick"')
    assert told(running.folder / "The Salt Road.retold") == told(tmp_path / "typed.retold")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"title": " "}, "A title without a word is none"),
        ({"game": "nope"}, "There is no game nope"),
        ({"language": "no tag: x"}, "language"),
        ({"who": ["Zel", "zel"], "by": ["", ""], "about": ["", ""]}, "Zel"),
    ],
)
def test_a_form_that_is_refused_leaves_no_file_and_comes_back_as_typed(
    running: Running, browser: Browser, typed: dict[str, str], sentence: str
) -> None:
    answer = browser.ask("/home/new", {**TABLE, **typed})

    assert (answer.status, list(running.folder.iterdir())) == (422, [])
    assert sentence in answer.said
    assert 'value="Mary"' in answer.body.decode()


def test_two_campaigns_of_one_title_are_two_files(running: Running, browser: Browser) -> None:
    for _ in range(2):
        browser.ask("/home/new", TABLE)

    assert sorted(path.name for path in running.folder.glob("*.retold")) == [
        "The Salt Road 2.retold",
        "The Salt Road.retold",
    ]


def test_any_title_makes_a_file_that_is_listed_and_opened(running: Running, browser: Browser) -> None:
    at = browser.ask("/home/new", {"title": ANY, "game": ""}).headers["location"]
    (card,) = running.home.shelf.cards()

    assert (card.title, card.file) == (ANY, "Ü #1 %20 a=b 🦊.retold")
    assert browser.ask("/home/open", {"file": card.file}).headers["location"] == at
    assert signed_in(browser, at)


def test_the_example_is_played_whole(running: Running, browser: Browser) -> None:
    assert browser.ask("/home/example", {}).status == 303
    (path,) = running.folder.glob("*.retold")
    with retold.open(path, read_only=True) as campaign:
        assert {"the-chase", "the-fight"} < {*campaign.branches}


@pytest.mark.parametrize("ending", ["retold", "jsonl"])
def test_a_backup_or_a_dump_is_restored_event_by_event(
    running: Running, browser: Browser, tmp_path: Path, ending: str
) -> None:
    source, brought = evening(tmp_path / "source.retold"), tmp_path / f"ebb.{ending}"
    if ending == "jsonl":
        with CampaignStore.open(source, read_only=True) as store:
            brought.write_text("".join(f"{line}\n" for line in dump(store.record)), "utf-8")
    else:
        brought = source

    answer = browser.ask(f"/home/file?name=ebb.{ending}", raw=brought.read_bytes(), accept="application/json")

    assert (answer.status, answer.json) == (200, {"at": "/c/ebb/as/gm/"})
    assert signed_in(browser, "/c/ebb/as/gm/")
    assert told(running.folder / "ebb.retold") == told(source)


@pytest.mark.parametrize("data", [b"", b"\x89PNG", b'{"application": "retold"}', b"{" * 100])
def test_other_files_are_refused_without_a_trace(running: Running, browser: Browser, data: bytes) -> None:
    answer = browser.ask("/home/file?name=a.retold", raw=data, accept="application/json")

    assert (answer.status, list(answer.json), list(running.folder.iterdir())) == (422, ["error"], [])


def test_a_changed_backup_is_refused(running: Running, browser: Browser, tmp_path: Path) -> None:
    data = evening(tmp_path / "source.retold").read_bytes()
    assert data.count(b"A dog barks.") == 1

    answer = browser.ask(
        "/home/file?name=a.retold",
        raw=data.replace(b"A dog barks.", b"A cat barks."),
        accept="application/json",
    )

    assert (answer.status, list(running.folder.iterdir())) == (422, [])


def test_a_file_that_is_too_large_is_not_read(running: Running, browser: Browser) -> None:
    answer = browser.ask("/home/file?name=a", raw=b"0" * (LARGEST + 1), accept="application/json")

    assert (answer.status, answer.json) == (413, {"error": "That is too much."})


# --- what lies there --------------------------------------------------------------------------------------


def test_a_card_has_title_last_evening_people_and_size(running: Running, browser: Browser) -> None:
    path = evening(running.folder / "ebb.retold")

    (card,) = running.home.shelf.cards()

    assert card == (
        "ebb.retold",
        "The Long Ebb",
        path.stat().st_size,
        1,
        "The Ebb",
        "2026-03-14",
        ("Zel",),
        "",
        False,
        False,
    )
    assert "The Long Ebb" in browser.ask("/home/").body.decode()


def test_a_card_has_its_cover_for_the_browser_at_home_alone(running: Running, browser: Browser) -> None:
    picture = png(4, 3)
    with retold.open(evening(running.folder / "ebb.retold")) as campaign:
        campaign.say("cover quay.png alt=A", file=picture)
    address = "/home/cover?file=ebb.retold"

    assert f'src="{address}"' in browser.ask("/home/").body.decode()
    assert browser.ask(address).body == picture
    assert Browser(running.port).ask(address).status == 403
    assert browser.ask("/home/cover?file=../ebb.retold").status == 422


def test_a_card_is_read_again_once_its_campaign_has_changed(running: Running) -> None:
    path = evening(running.folder / "ebb.retold")
    running.home.shelf.cards()
    with retold.open(path) as campaign:
        campaign.play("end session\nsession The Flood --date 2026-03-21")

    (card,) = running.home.shelf.cards()

    assert (card.sessions, card.last) == (2, "The Flood")


def test_a_file_that_cannot_be_read_is_listed_with_the_reason(running: Running, browser: Browser) -> None:
    (running.folder / "old.retold").write_bytes(b"SQLite format 3\0 and nothing else")
    evening(running.folder / "ebb.retold")

    assert [bool(card.trouble) for card in running.home.shelf.cards() if card.file == "old.retold"] == [True]
    assert browser.ask("/home/").status == 200
    assert browser.ask("/home/open", {"file": "old.retold"}).status == 422


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_file_is_listed(running: Running) -> None:
    evening(running.folder / "ebb.retold").chmod(0o400)

    assert [card.trouble for card in running.home.shelf.cards()] == [""]


@pytest.mark.parametrize("file", ["../secret.retold", "/etc/passwd", "..", "", "a\0b.retold"])
def test_only_what_is_listed_is_opened(running: Running, browser: Browser, tmp_path: Path, file: str) -> None:
    evening(tmp_path / "secret.retold")

    answer = browser.ask("/home/open", {"file": file})

    assert (answer.status, running.home.served.served) == (422, {})
    assert answer.said.startswith("There is no campaign")


@pytest.mark.parametrize("name", ["../../up.retold", "..\\..\\up.retold", "/up.retold", ".retold", "..", ""])
def test_a_file_brought_in_stays_in_the_folder(
    running: Running, browser: Browser, tmp_path: Path, name: str
) -> None:
    data = evening(tmp_path / "source.retold").read_bytes()
    before = {*tmp_path.iterdir()}

    assert browser.ask(f"/home/file?name={name}", raw=data, accept="application/json").status == 200
    assert len([*running.folder.glob("*.retold")]) == 1
    assert {*tmp_path.iterdir()} == before


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right on Windows")
def test_links_in_the_folder_are_followed_to_files_and_never_written_through(
    running: Running, browser: Browser, tmp_path: Path
) -> None:
    (running.folder / "ebb.retold").symlink_to(evening(tmp_path / "source.retold"))
    (running.folder / "The Salt Road.retold").symlink_to(tmp_path / "nowhere.retold")
    (running.folder / "etc.retold").symlink_to("/etc")

    assert [card.file for card in running.home.shelf.cards()] == ["ebb.retold"]
    browser.ask("/home/new", TABLE)
    assert not (tmp_path / "nowhere.retold").exists()
    assert (running.folder / "The Salt Road 2.retold").is_file()


# --- settings ---------------------------------------------------------------------------------------------


def test_another_folder_is_kept_for_the_next_start(
    running: Running, browser: Browser, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()

    assert browser.ask("/home/settings", {"folder": str(other), "copies": "gm"}).status == 303
    assert (running.home.shelf.folder, running.home.shelf.copies) == (other, "gm")


@pytest.mark.parametrize("folder", ["", "nowhere", "/no/such/folder", "a\0b"])
def test_a_folder_that_is_none_is_refused(running: Running, browser: Browser, folder: str) -> None:
    answer = browser.ask("/home/settings", {"folder": folder, "copies": "table"})

    assert (answer.status, running.home.shelf.folder) == (422, running.folder)
    assert answer.said.startswith("There is no folder")


# --- who may come in --------------------------------------------------------------------------------------


def test_a_link_is_good_once(running: Running) -> None:
    link = running.home.once()

    assert Browser(running.port).come(link).status == 200
    again = Browser(running.port)
    assert (again.come(link).status, again.come(link).json) == (403, {"error": USED})
    assert again.ask("/home/").said == NOT_IN


def test_a_link_is_good_for_a_minute(running: Running) -> None:
    link = running.home.once()
    running.home.links[link] = 0.0

    assert Browser(running.port).come(link).status == 403


def test_without_a_link_home_is_shut(running: Running) -> None:
    evening(running.folder / "Hidden.retold")
    stranger = Browser(running.port)
    stranger.cookies["/home/", COOKIE] = "x"

    answers = [stranger.ask("/home/"), *(stranger.ask(f"/home/{name}", TABLE) for name in FORMS)]

    assert {(answer.status, answer.said) for answer in answers[:-1]} == {(403, NOT_IN)}
    assert not any(b"Hidden" in answer.body or b"campaigns" in answer.body for answer in answers)
    assert [path.name for path in running.folder.iterdir()] == ["Hidden.retold"]


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize(
    "headers",
    [
        {"origin": None},
        {"origin": "null"},
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:1"},
        {"sec-fetch-site": "cross-site"},
    ],
    ids=str,
)
def test_no_page_of_another_site_does_anything_here(
    running: Running, browser: Browser, name: str, headers: dict[str, str | None]
) -> None:
    answer = browser.ask(f"/home/{name}", {**TABLE, "folder": "/"}, headers=headers)

    assert (answer.status, [*running.folder.iterdir()]) == (403, [])
    assert not running.server.should_exit


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", ""])
def test_no_other_name_of_this_computer_is_answered(running: Running, browser: Browser, host: str) -> None:
    answer = browser.ask("/home/", headers={"host": host})

    assert answer.status in (400, 403)
    assert b"campaigns" not in answer.body


def test_a_phone_that_asks_for_home_is_refused(running: Running, browser: Browser) -> None:
    at = browser.ask("/home/new", TABLE).headers["location"]

    paths = ("/home/", "/home/come", "/home/again", *(f"/home/{name}" for name in FORMS))
    answers = [
        browser.ask(path, None if path == "/home/" else {}, headers={"host": IN_THE_NETWORK})
        for path in paths
    ]
    at_the_table = browser.ask(f"{at}here.json", accept="application/json", headers={"host": IN_THE_NETWORK})

    assert {answer.status for answer in answers} == {403}
    assert answers[0].said == ELSEWHERE
    assert not any(b"Salt" in answer.body for answer in answers)
    assert at_the_table.status == 200


def test_only_who_runs_home_gets_a_second_link(running: Running) -> None:
    stranger = Browser(running.port)

    assert (
        stranger.ask("/home/again", raw=b"", accept="", headers={"authorization": "Bearer x"}).status == 403
    )
    asked = stranger.ask(
        "/home/again", raw=b"", accept="", headers={"authorization": f"Bearer {running.home.control}"}
    )
    assert Browser(running.port).come(asked.json["link"]).status == 200


def test_revoked_the_own_link_is_made_anew(running: Running, browser: Browser) -> None:
    at = browser.ask("/home/new", TABLE).headers["location"]
    (served,) = running.home.served.served.values()
    served.links.revoke(served.links.every())
    served.read_links()
    assert not signed_in(browser, at)

    browser.ask("/home/open", {"file": "The Salt Road.retold"})

    assert signed_in(browser, at)


def test_a_campaign_opened_again_and_after_a_restart_has_one_link(tmp_path: Path) -> None:
    for _ in range(2):
        with at_home(tmp_path / "state", tmp_path / "campaigns") as running:
            evening(running.folder / "ebb.retold") if not [*running.folder.iterdir()] else None
            for _ in range(2):
                browser = running.browser()
                at = browser.ask("/home/open", {"file": "ebb.retold"}).headers["location"]
                assert signed_in(browser, at)
            (served,) = running.home.served.served.values()
            assert [link.viewer for link in served.links.every()] == ["gm"]


def test_the_page_may_load_nothing_from_elsewhere(running: Running, browser: Browser) -> None:
    policy = browser.ask("/home/").headers["content-security-policy"]

    assert "default-src 'none'" in policy
    assert "form-action 'self'" in policy
    assert LOOPBACK not in policy
