"""A cookie for each viewer: their pages stand side by side in one browser, and each is its viewer's alone."""

from __future__ import annotations

from http.cookies import SimpleCookie
from pathlib import Path

import pytest

import retold
from tests.cli.service.conftest import SCRIPT
from tests.cli.service.phone import Phone, Serving, serving


class Browser:
    """What keeps every cookie that it is given, and sends all of them along."""

    def __init__(self, service: Serving) -> None:
        self.phone = service.phone(None)
        self.kept: dict[str, str] = {}

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.kept.items())

    def come(self, by: Phone) -> str:
        """Opens a link, and gives the address it leads to."""
        answer = self.phone.ask("/join", {"link": by.secret}, Cookie=self.cookie)
        self._keep(answer.headers["set-cookie"])
        return str(answer.body["at"])

    def viewer(self, at: str) -> str | int:
        """Whose page is at an address; the status, where it is nobody's."""
        answer = self.phone.ask(f"{at}here.json", Cookie=self.cookie)
        return str(answer.body["viewer"]) if answer.status == 200 else answer.status

    def leave(self, at: str) -> None:
        self._keep(self.phone.ask(f"{at}leave", {}, Cookie=self.cookie).headers["set-cookie"])

    def _keep(self, said: str) -> None:
        for name, one in SimpleCookie(said).items():
            self.kept.pop(name, None)
            if one["max-age"] != "0":
                self.kept[name] = one.value


@pytest.fixture
def browser(service: Serving) -> Browser:
    return Browser(service)


def test_a_link_that_is_opened_takes_no_other_away(browser: Browser, service: Serving) -> None:
    viewers = ("gm", "table", "Jon", "Kit")
    found = [browser.come(service.phone(name)) for name in viewers]

    assert len(set(found)) == 4
    assert found[:2] == ["/c/salt-road/as/gm/", "/c/salt-road/as/table/"]
    assert [browser.viewer(at) for at in found] == list(viewers)


def test_another_link_of_the_same_viewer_leads_to_the_same_page(
    browser: Browser, service: Serving, jon: Phone
) -> None:
    before = browser.come(jon)
    service.campaign.say("cast Jon name=Jonathan")

    assert browser.come(service.phone("Jonathan")) == before
    assert (browser.viewer(before), len(browser.kept)) == ("Jonathan", 1)


@pytest.mark.parametrize("whom", ["gm", "table", "0123456789ab", "Kit", "", "gm.", "%00"])
def test_the_address_of_another_viewer_gives_no_access(browser: Browser, jon: Phone, whom: str) -> None:
    browser.come(jon)

    assert browser.viewer(f"/c/salt-road/as/{whom}/") in (401, 404)


@pytest.mark.parametrize("viewer", ["gm", "table", "Kit"])
def test_a_cookie_under_the_name_of_another_viewer_gives_no_more(
    browser: Browser, service: Serving, jon: Phone, viewer: str
) -> None:
    at = Browser(service).come(service.phone(viewer))
    browser.kept[f"retold-salt-road.{at.split('/')[-2]}"] = str(jon.secret)

    assert browser.viewer(at) == 401


def test_a_secret_is_good_at_the_address_of_its_own_viewer_alone(
    service: Serving, gm: Phone, jon: Phone
) -> None:
    assert [one.ask("as/gm/here.json").status for one in (gm, jon)] == [200, 401]


def test_leaving_takes_that_one_cookie_back(browser: Browser, gm: Phone, jon: Phone) -> None:
    ours, jons = browser.come(gm), browser.come(jon)
    browser.leave(jons)

    assert [browser.viewer(at) for at in (ours, jons)] == ["gm", 401]


def test_an_address_does_not_reveal_the_viewers_entry_position(
    service: Serving, jon: Phone, tmp_path: Path
) -> None:
    """In another campaign the same people, who came in at the same place, have other addresses."""
    at = Browser(service).come(jon).split("/")[-2]
    other = tmp_path / "Iron Vale.retold"
    with retold.new(other) as campaign:
        campaign.play(SCRIPT)
    with serving(other, home=tmp_path / "home") as again:
        assert Browser(again).come(again.phone("Jon")).split("/")[-2] != at


# --- the cookie from before -------------------------------------------------------------------------------


def test_a_cookie_from_before_is_good_where_it_was(browser: Browser, gm: Phone) -> None:
    browser.kept["retold-salt-road"] = str(gm.secret)

    assert browser.viewer("/c/salt-road/") == "gm"
    assert browser.phone.ask("", Cookie=browser.cookie, Accept="text/html").status == 200
    assert browser.phone.ask("stage", Cookie=browser.cookie, Accept="text/html").status == 200
    assert browser.viewer("/c/salt-road/as/gm/") == "gm"
    assert browser.viewer("/c/salt-road/as/table/") == 401


def test_a_cookie_from_before_stays_when_another_link_is_opened(
    browser: Browser, gm: Phone, jon: Phone
) -> None:
    browser.kept["retold-salt-road"] = str(gm.secret)
    at = browser.come(jon)

    assert (browser.viewer("/c/salt-road/"), browser.viewer(at)) == ("gm", "Jon")


@pytest.mark.parametrize(
    ("viewers", "first"), [(["table"], "table"), (["table", "Jon"], "Jon"), (["table", "Jon", "gm"], "gm")]
)
def test_the_address_without_a_viewer_leads_on_to_a_page(
    browser: Browser, service: Serving, viewers: list[str], first: str
) -> None:
    for name in viewers:
        browser.come(service.phone(name))
    answer = browser.phone.ask("", Cookie=browser.cookie, Accept="text/html")

    assert answer.status == 307
    assert browser.viewer(answer.headers["location"]) == first
    assert browser.viewer("/c/salt-road/") == 401


def test_the_stage_opens_by_any_cookie(browser: Browser, service: Serving) -> None:
    for name in ("Jon", "gm"):
        browser.come(service.phone(name))

        assert browser.phone.ask("stage/here.json", Cookie=browser.cookie).body["viewer"] == "table"


def test_a_cookie_that_is_wrong_opens_nothing(browser: Browser) -> None:
    browser.kept |= {f"retold-salt-road.{n:012x}": "wrong" for n in range(100)} | {
        "retold-salt-road": "wrong"
    }

    for path in ("", "stage", "stage/board", "as/gm/", "as/gm/board"):
        assert browser.phone.ask(path, Cookie=browser.cookie, Accept="text/html").status == 401
