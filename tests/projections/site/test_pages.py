"""Every page of a site is valid, and every link on it leads where it says."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

import retold
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.projections.exports import MECHANICS
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.prose import VOICES
from retold.projections.prose.phrases import Phrases
from retold.projections.prose.phrases import table as known_phrases
from retold.projections.reading import EVERYBODY, GAME_MASTER
from retold.projections.site import SearchedTexts
from retold.projections.site.addresses import FONT
from retold.projections.site.frame import pips
from tests.projections.evening import ASIDE, SECRET, Table, recorded, w
from tests.projections.payloads import MARKUP, PATHS_AND_SHELLS, PAYLOADS, TEMPLATES
from tests.projections.played import FEW, named, played
from tests.projections.site.whole import BASE, loose_ends, pages, site_of

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module", params=FEW, ids=named)
def campaign(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[CampaignStore]:
    with played(request.param, tmp_path_factory.mktemp("played")) as one:
        yield one


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Two evenings, and something kept of each sort, with a name in it that could hurt."""
    told = recorded(tmp_path / "evenings.retold")
    told.do(c.KeepThread(what=w("Who paid <b>the ferryman</b>"), text=w("Two coins, and Zel had one.")))
    told.do(c.KeepPlace(what=w("The Salt Gate"), text=w("Shut since the flood.")))
    told.do(c.KeepThing(what=w("The tide table"), text=w("March is torn out.")), see="gm")
    told.do(c.Narrate(text=w("Zel leans on the salt-gate.")))
    return told


def check(site: dict[str, bytes]) -> None:
    """What is wrong with its pages though they can be parsed."""
    for path, root in pages(site).items():
        ids = Counter(one.get("id") for one in root.iter() if one.get("id"))
        levels = [int(one.tag[1]) for one in root.iter() if re.fullmatch("h[1-6]", one.tag)]
        named_by = [name for one in root.iter() for name in one.get("aria-labelledby", "").split()]

        assert [one for one, count in ids.items() if count > 1] == [], path
        assert set(named_by) <= set(ids), path
        assert levels[0] == 1, path
        assert levels.count(1) == 1, path
        assert all(after - before <= 1 for before, after in pairwise(levels)), path
        assert [
            one.tag
            for one in root.iter()
            if one.tag in ("li", "dt", "a") and not "".join(one.itertext()).strip()
        ] == [], path
    assert loose_ends(site) == []


def test_every_site_of_an_example_is_valid(campaign: CampaignStore) -> None:
    check(site_of(campaign, GAME_MASTER))


@pytest.mark.parametrize("voice", VOICES)
def test_it_is_in_every_voice(table: Table, voice: str) -> None:
    check(site_of(table.campaign, voice=voice, base=BASE))


@pytest.mark.parametrize("place", MECHANICS)
def test_it_is_wherever_mechanics_stand(table: Table, place: str) -> None:
    site = site_of(table.campaign, place=MechanicsPlace(place))

    check(site)
    assert (b"legacy (Bruise): 1" in site["people/zel.html"]) == (place != "none")


def test_a_checker_finds_what_leads_nowhere(table: Table) -> None:
    site = site_of(table.campaign)
    site["people/zel.html"] = site["people/zel.html"].replace(b"sessions/1.html", b"sessions/9.html")
    site["index.html"] = site["index.html"].replace(b"sessions/2.html", b"sessions/2.html#nowhere")

    assert len(loose_ends(site)) >= 2


# --- what is on it ----------------------------------------------------------------------------------------


def test_there_is_a_page_of_each_and_a_line_leads_to_where_it_was_said(table: Table) -> None:
    site = site_of(table.campaign, GAME_MASTER)

    assert [*site] == [
        *("site.css", FONT, "sessions/1.html", "sessions/2.html"),
        *("people/zel.html", "people/guards.html", "people/kit.html"),
        *(
            "threads/who-paid-b-the-ferryman-b.html",
            "places/the-salt-gate.html",
            "things/the-tide-table.html",
        ),
        *("people/index.html", "places/index.html", "threads/index.html", "things/index.html"),
        *("index.html", "feed.xml", "search/0.js", "search.html"),
    ]
    zel = site["people/zel.html"].decode()
    [said] = re.findall(r'“Not today\.” <a href="../(sessions/1.html#(.+?))">s1</a>', zel)
    assert f'id="{said[1]}"' in site["sessions/1.html"].decode()
    assert "Who paid &lt;b&gt;the ferryman&lt;/b&gt;" in site["threads/index.html"].decode()


def test_a_renamed_or_merged_person_keeps_the_old_address(table: Table) -> None:
    table.do(c.Cast(who=table.who("Zel"), name=w("Azel")))
    table.do(c.Cast(who=w("Pim")))
    table.do(c.Cast(who=w("Captain Pym")))
    before = set(site_of(table.campaign))
    table.do(c.Merge(person=table.who("Pim"), into=table.who("Captain Pym")))
    site = site_of(table.campaign)

    assert '<h1 dir="auto">Azel</h1>' in site["people/zel.html"].decode()
    assert before <= set(site)
    leads = [one.get("content") for one in pages(site)["people/azel.html"].iter("meta")]
    assert "0; url=../people/zel.html" in leads
    assert {"people/pim.html", "people/captain-pym.html"} <= before
    assert loose_ends(site) == []


def test_the_contents_have_every_session_with_its_first_lines_and_each_leads_to_the_next(
    table: Table,
) -> None:
    site = site_of(table.campaign)
    roots = pages(site)
    evenings = [
        ["".join(one.itertext()).strip() for one in item]
        for listed in roots["index.html"].iter("ol")
        for item in listed
    ]

    assert evenings == [
        ["Session 1 · 2026-03-14", "High Water", "Rain, and the tide still out."],
        ["Session 2 · 2026-03-21", "Low Water", "Zel: Mud to the knee, and nobody follows."],
    ]
    begins = [one for one in roots["index.html"].iter("p") if one.get("class") == "begin"]
    assert [one.get("href") for one in begins[0].iter("a")] == ["sessions/1.html", "sessions/2.html"]
    turns = {path: [(one.get("rel"), one.get("href")) for one in roots[path].iter("link")] for path in roots}
    assert ("next", "../sessions/2.html") in turns["sessions/1.html"]
    assert ("prev", "../sessions/1.html") in turns["sessions/2.html"]
    assert all(rel != "prev" for rel, _ in turns["sessions/1.html"])


def rows(root: ET.Element, name: str) -> list[str]:
    """The texts of the rows in the lists of a class."""
    lists = [one for one in root.iter() if one.get("class") == name]
    return [" ".join("".join(item.itertext()).split()) for one in lists for item in one]


def test_the_first_page_has_cast_threads_and_who_was_where(table: Table) -> None:
    table.do(c.Cast(who=w("The Tall Warden"), text=w("Keeper of the gate")))
    table.do(c.KeepThread(what=w("The lamp"), text=w("Nobody lit it.")))
    table.do(c.KeepThread(what=w("The lamp"), text=w("Kit did."), done=True))
    front = pages(site_of(table.campaign))["index.html"]

    assert rows(front, "faces")[0] == "Z Zel A smuggler, lately caught"
    assert "TW The Tall Warden Keeper of the gate" in rows(front, "faces")
    assert rows(front, "threads") == [
        "Who paid <b>the ferryman</b>Two coins, and Zel had one.",
        "The lamp closed",
    ]
    assert rows(front, "places") == ["The Salt Gate s2 Z Zel"]
    assert "Kit did" not in "".join(front.itertext())


def test_W24_a_persons_page_begins_with_two_kept_quotes_and_draws_boxes(table: Table) -> None:
    for text in ("No.", "I said it was a plan.", "Not a good one, a plan.", "x" * 400):
        table.do(c.Note(about=table.who("Zel"), text=w(text), quote=True))
    root = pages(site_of(table.campaign))["people/zel.html"]

    said = ["".join(one.itertext()).strip() for one in root.iter("blockquote")]
    assert said == ["“I said it was a plan.” s2", "“Not a good one, a plan.” s2"]
    assert any("Jon (s1\u2013s2)" in "".join(one.itertext()) for one in root.iter("li"))
    assert pips("cool: [x][ ]") == (
        'cool: <span class="pips" role="img" aria-label="1/2"><span class="full"></span><span></span></span>'
    )


def test_more_than_twelve_sessions_are_folded_by_tens(table: Table) -> None:
    for _ in range(3, 15):
        table.do(c.End(what="session"))
        table.do(c.OpenSession())
    front = pages(site_of(table.campaign))["index.html"]

    folded = [(one.get("open"), len(list(one.iter("h3")))) for one in front.iter("details")]
    assert folded == [("", 10), (None, 4)]
    assert ["".join(one.itertext()) for one in front.iter("summary")] == ["1 to 10", "11 to 14"]


def test_of_many_mentions_the_last_are_shown_and_where_the_others_are(table: Table) -> None:
    for number in range(14):
        table.do(c.Narrate(text=w(f"Bell {number}, and Zel counts.")))
    zel = site_of(table.campaign)["people/zel.html"].decode()

    assert "Bell 13" in zel
    assert "Bell 1," not in zel
    assert re.search(r"In \d\d places, the last of them below: <a href=\"../sessions/\d", zel)


# --- what is said of it elsewhere -------------------------------------------------------------------------


def previews(root: ET.Element) -> dict[str, str]:
    return {one.get("property") or one.get("name") or "": one.get("content", "") for one in root.iter("meta")}


def test_a_persons_page_uses_the_headings_of_the_voice(table: Table) -> None:
    instead = {key: f"¿{key}?" for key in known_phrases() if key.startswith("dossier.")}
    voice = replace(VOICES["report"], phrases=Phrases(lambda: instead))
    found = pages(site_of(table.campaign, GAME_MASTER, voice=voice))
    headings = {
        one.text for path, root in found.items() if path.startswith("people/") for one in root.iter("h2")
    }

    assert {"¿dossier.played-by?", "¿dossier.sessions?", "¿dossier.mentioned?"} <= headings
    assert headings <= {*instead.values()}


def test_a_link_is_previewed_and_is_whole_only_where_it_is_known(table: Table) -> None:
    near, far = (pages(site_of(table.campaign, base=one))["sessions/1.html"] for one in (None, BASE))

    for root in (near, far):
        shown = previews(root)
        assert shown["og:title"] == "Session 1: High Water"
        assert shown["og:description"] == shown["description"] == "Rain, and the tide still out."
        assert (shown["og:type"], shown["og:site_name"]) == ("article", "The Long Ebb")
        assert shown["article:published_time"] == "2026-03-14T00:00:00Z"
    assert "og:url" not in previews(near)
    assert previews(far)["og:url"] == f"{BASE}/sessions/1.html"


def test_a_replay_leads_to_where_it_is_read_and_back_and_is_previewed_too(table: Table) -> None:
    site = site_of(table.campaign, base=BASE, steps=True)
    roots = pages(site)

    assert loose_ends(site) == []
    for there, back in (("sessions/1.html", "../replays/1.html"), ("replays/1.html", "../sessions/1.html")):
        assert back in [one.get("href") for one in roots[there].iter("a")]
    assert "replays/2.html" in [one.get("href") for one in roots["index.html"].iter("a")]
    assert previews(roots["replays/1.html"])["og:url"] == f"{BASE}/replays/1.html"
    assert previews(roots["replays/1.html"])["og:description"] == "Rain, and the tide still out."


def test_G13_a_preview_has_the_card_of_the_opening_and_a_replay_is_shown_elsewhere(table: Table) -> None:
    pytest.importorskip("typst")
    site = site_of(table.campaign, base=BASE, steps=True)
    shown = {path: previews(root) for path, root in pages(site).items()}
    cards = {path: one.get("og:image", "").removeprefix(f"{BASE}/") for path, one in shown.items()}

    assert cards["sessions/1.html"] == cards["replays/1.html"] == cards["index.html"]
    assert cards["sessions/1.html"] != cards["sessions/2.html"]
    for path in ("sessions/1.html", "sessions/2.html"):
        assert site[cards[path]].startswith(b"\x89PNG")
        assert shown[path]["twitter:card"] == "summary_large_image"
    answers = [json.loads(data) for path, data in site.items() if path.startswith("embed/")]
    assert answers[0]["html"] == (
        f'<iframe src="{BASE}/replays/1.html?embed" width="800" height="600" allowfullscreen></iframe>'
    )
    assert not any("og:image" in previews(root) for root in pages(site_of(table.campaign)).values())


def test_W4_feed_and_previews_tell_no_ending(table: Table) -> None:
    site = site_of(table.campaign, base=BASE, steps=True)
    previewed = [text for root in pages(site).values() for text in previews(root).values()]
    told = [*previewed, *(site[path].decode() for path in ("feed.xml", "index.html"))]

    assert [text for text in told if "out, and wet" in text or "leans on" in text] == []
    assert "Rain, and the tide still out." in site["feed.xml"].decode()


def test_W4_a_session_with_a_blurb_opens_with_it(table: Table) -> None:
    table.do(c.WriteBlurb(at=1, text=w("A smuggler and a door.")))


def test_a_page_for_what_is_lost_is_there_where_links_can_be_whole(table: Table) -> None:
    near, far = (site_of(table.campaign, base=one) for one in (None, BASE))

    assert "404.html" not in near
    assert f'href="{BASE}/index.html"'.encode() in far["404.html"]
    assert b'"../' not in far["404.html"]


def test_a_feed_has_the_last_session_first_under_ids_that_stay(table: Table) -> None:
    near, far = (ET.fromstring(site_of(table.campaign, base=one)["feed.xml"]) for one in (None, BASE))
    table.do(c.End(what="session"))
    table.do(c.OpenSession(title=w("</title><script>"), date="2026-03-28"))
    later = ET.fromstring(site_of(table.campaign, base=BASE)["feed.xml"])

    def told(feed: ET.Element, what: str) -> list[str | None]:
        return [one.findtext(f"{ATOM}{what}") for one in feed.findall(f"{ATOM}entry")]

    assert told(near, "title") == ["Session 2: Low Water", "Session 1: High Water"]
    assert told(near, "published") == ["2026-03-21T00:00:00Z", "2026-03-14T00:00:00Z"]
    assert told(near, "id") == told(far, "id") == told(later, "id")[1:]
    assert all(str(one).startswith("urn:uuid:") for one in told(later, "id"))
    assert near.findtext(f"{ATOM}id") == later.findtext(f"{ATOM}id")
    assert near.findtext(f"{ATOM}updated") == max(str(one) for one in told(near, "updated"))
    assert [one.findtext(f"{ATOM}name") for one in near.findall(f"{ATOM}author")] == ["Rana", "Jon"]
    hrefs = [[one.get("href") for one in feed.iter(f"{ATOM}link")] for feed in (near, far)]
    assert hrefs[0] == ["index.html", "sessions/2.html", "sessions/1.html"]
    assert hrefs[1] == [f"{BASE}/{one}" for one in ("", "feed.xml", "sessions/2.html", "sessions/1.html")]
    assert told(later, "title")[0] == "Session 3: </title><script>"


# --- whom it is for, and what is typed --------------------------------------------------------------------


def test_nothing_hidden_is_in_any_file_for_the_table(table: Table) -> None:
    hidden = (SECRET, ASIDE, "tide table", "March is torn out", "tide-table")
    for viewer, is_there in ((GAME_MASTER, True), (EVERYBODY, False)):
        whole = "\n".join(
            f"{path}\n{data.decode(errors='replace')}"
            for path, data in site_of(table.campaign, viewer).items()
        )
        for one in hidden:
            assert (one in whole) == is_there, one


ALLOWED = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "link",
        "body",
        "nav",
        "main",
        "header",
        "section",
        "article",
        "figure",
    ),
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "span", "em", "strong", "sup", "blockquote", "footer"),
    *("ul", "ol", "li", "dl", "dt", "dd", "a", "details", "summary", "table", "caption", "thead", "tbody"),
    *("tr", "th", "td", "input", "label", "noscript", "script", "img"),
}
"""All that the pages of a site are made of."""


def test_whatever_is_typed_is_text_on_every_page(tmp_path: Path) -> None:
    told = Table(tmp_path / "hostile.retold", PAYLOADS[0])
    bad = [one for one in (MARKUP + TEMPLATES + PATHS_AND_SHELLS).split("\n") if one.strip()]
    told.do(c.OpenSession(title=w(bad[1]), text=w(bad[2])))
    for one in bad:
        told.do(c.Cast(who=w(f"{one} {len(one)}"), text=w(one)))
        told.do(c.KeepPlace(what=w(one), text=w(one)))
        told.do(c.SetScene(title=w(one), text=w(one)))
        told.do(c.Narrate(text=w(f"{one} and {bad[0]}")))
    site = site_of(told.campaign, base=BASE)

    assert loose_ends(site) == []
    for path, root in pages(site).items():
        assert re.fullmatch(r"[a-z0-9-]+(/[a-z0-9-]+)?\.html", path)
        assert {one.tag for one in root.iter()} <= ALLOWED, path
        assert [key for one in root.iter() for key in one.attrib if key.startswith("on")] == [], path
        assert len(list(root.iter("script"))) == (path == "search.html"), path


def test_what_the_search_looks_through_is_data_and_all_of_it(table: Table) -> None:
    table.do(c.Narrate(text=w("</script><script>alert(1)</script> <!-- & ]]>")))
    site = site_of(table.campaign)
    data = site["search/0.js"].decode()
    [(_, content)] = re.findall(r"searched\((\d+), (.*)\);\n", data)
    told = {path: (title, [text for _, text in texts]) for path, title, texts in json.loads(content)}
    texts = [text for _, found in told.values() for text in found]

    assert not set("<>&") & set(data)
    assert told["sessions/1.html"][0] == "Session 1: High Water"
    assert any("</script><script>alert(1)</script> <!-- & ]]>" in text for text in texts)
    assert texts.count("Zel: “Not today.”") == 1
    assert sum("Not today" in text for text in texts) == 1


def searched(count: int) -> dict[str, bytes]:
    """The files that a search looks through on a site of so many pages."""
    said = SearchedTexts()
    for number in range(count):
        said.add(f"{number}.html", "Rain", [("e1", "The tide is out. " * 8)])
    return {file.path: file.data for file in said.files()}


def test_the_search_is_in_files_and_a_new_page_changes_the_last_alone(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retold.projections.site.SEARCHED_AT_ONCE", 300)
    before, after = searched(8), searched(9)

    assert [*after] == [f"search/{number}.js" for number in range(len(after))]
    assert len(after) > 3
    assert [before[path] == after[path] for path in [*before][:-1]] == [True] * (len(before) - 1)
    site = site_of(table.campaign)
    files = sum(path.startswith("search/") for path in site)
    assert f'data-files="{files}"'.encode() in site["search.html"]
    assert len(site["search.html"]) < 10_000  # all that is loaded before the first letter is typed


MARYAM, YUSUF = "\u0645\u0631\u064a\u0645", "\u064a\u0648\u0633\u0641"


def test_W14_rtl_names_are_isolated_in_cast_labels_and_lists(tmp_path: Path) -> None:
    with retold.new(tmp_path / "night.retold") as campaign:
        campaign.play(
            f'cast "{MARYAM}" whiskey by="{YUSUF}" balance=2\ncast Pole whiskey by="{YUSUF}"\n'
            f'session Night\nscene Yard\ncheck "{MARYAM}" balance vs 2 = 3H 1\n'
            f'say "{MARYAM}" --to Pole: Now.\n'
        )
        site = site_of(campaign.scribe.campaign, viewer=GAME_MASTER)
    apart = f"<bdi>{YUSUF}</bdi>"
    told = {path: data.decode() for path, data in site.items() if path.endswith(".html")}
    evening = told["sessions/1.html"]

    assert f"played by {apart}" in told["people/index.html"]
    assert f"With {apart} (<bdi>{MARYAM}</bdi>)" in evening
    assert f"<bdi>{MARYAM}</bdi> draws 1 from the players deck" in evening
    assert re.search(f'class="label" dir="auto"><bdi>{MARYAM}</bdi> \\(for Pole\\)', evening)
