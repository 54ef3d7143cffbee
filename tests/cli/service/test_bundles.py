"""What a page loads: one script and one style, compressed, kept by the browser; and its first words."""

from __future__ import annotations

import gzip
import json
import re

import pytest

from retold.cli.service import bundles
from tests.cli.service.phone import Phone, Serving
from tests.test_leaks import leaked

PAGES = ("", "stage", "replay.html", "draft.html")
LOADED = re.compile(r'(?:href|src)="(/[^"]+\.(?:css|js))"')


def page_of(phone: Phone, path: str = "") -> str:
    return phone.ask(path, Accept="text/html").raw.decode()


@pytest.mark.parametrize("page", PAGES)
def test_W2_a_page_loads_one_script_and_one_style_which_the_browser_keeps(gm: Phone, page: str) -> None:
    loaded = LOADED.findall(page_of(gm, page))

    assert [address.rpartition(".")[2] for address in loaded] == ["css", "js"]
    for address in loaded:
        answer = gm.ask(address)
        assert answer.status == 200
        assert answer.headers["cache-control"] == bundles.FOR_EVER
        assert b"import " not in re.sub(rb'"[^"]*"|`[^`]*`', b"", answer.raw)


def test_W2_an_address_with_another_content_is_asked_for_every_time(gm: Phone) -> None:
    answer = gm.ask("/made/0123456789abcdef/pages/stage.css")

    assert (answer.status, answer.headers["cache-control"]) == (200, bundles.AGAIN)
    assert answer.raw == gm.ask("/made/x/pages/stage.css").raw


@pytest.mark.parametrize(
    "names",
    ["pages/none.js", "pages/stage.css+/pages/none.css", "pages/stage.js+/pages/table.js", "", "app.py"],
)
def test_W2_a_bundle_of_other_files_is_not_there(gm: Phone, names: str) -> None:
    assert gm.ask(f"/made/0123456789abcdef/{names}").status == 404


@pytest.mark.parametrize("path", ["/", "/pages/table.css", "/made/x/pages/table.js"])
def test_W2_what_a_browser_has_is_not_sent_again(gm: Phone, path: str) -> None:
    first = gm.ask(path)
    again = gm.ask(path, If_None_Match=first.headers["etag"])

    assert (first.status, again.status, again.raw) == (200, 304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert gm.ask(path, If_None_Match='W/"0"').raw == first.raw


@pytest.mark.parametrize("path", ["/pages/table.css", "happened", "board", "replay", ""])
def test_W2_texts_are_compressed_for_who_asks(gm: Phone, path: str) -> None:
    plain = gm.ask(path, Accept="text/html")
    packed = gm.ask(path, Accept="text/html", Accept_Encoding="gzip, br")

    assert "content-encoding" not in plain.headers
    if len(plain.raw) < 500:
        assert packed.raw == plain.raw
        return
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["vary"].casefold() == "accept-encoding"
    assert gzip.decompress(packed.raw) == plain.raw
    assert int(packed.headers["content-length"]) == len(packed.raw) < len(plain.raw)


def test_W3_a_page_begins_with_title_scene_and_last_words(service: Serving, jon: Phone) -> None:
    service.campaign.play(
        'narrate gm --gm: The wombat stirs.\nsay Odo --to Kit: Psst.\nnarrate Zel: A </script> & "b".\n'
    )
    page = page_of(jon)

    assert "<title>The Salt Road</title>" in page
    assert ">The porch</p>" in page
    words = re.findall(r'<p dir="auto">(?:<bdi class="label">.*?</bdi> )?(.*?)</p>', page)
    assert words[-2:] == ["The tide is out.", "A &lt;/script&gt; &amp; “b”."]
    assert leaked(page, ("wombat", "Psst")) == []
    begun = json.loads(re.search(r'id="begun">(.*?)</script>', page)[1])  # type: ignore[index]
    assert begun["here"]["viewer"] == "Jon"
    assert begun["events"] == jon.ask("happened").body["events"]
    assert begun["cursor"] == jon.ask("happened").body["cursor"]
    assert begun["board"] == jon.ask("board").body["board"]


def test_W3_a_stage_begins_with_what_the_table_may_know(service: Serving, gm: Phone, jon: Phone) -> None:
    service.campaign.play("narrate gm --gm: The wombat stirs.\n")

    assert page_of(gm, "stage") == page_of(jon, "stage")
    assert "wombat" not in page_of(gm, "stage")
    assert "wombat" in page_of(gm)


def test_W3_a_page_whose_name_is_no_longer_known_begins_with_nothing(service: Serving) -> None:
    service.campaign.play("cast Bolt by=Ann\n")
    ann = service.phone("Ann")
    service.campaign.play("branch kinder @-1 --to table\nnarrate Zel: Sun.\n")

    for page in ("", "stage"):
        assert 'id="begun">null</script>' in page_of(ann, page)
