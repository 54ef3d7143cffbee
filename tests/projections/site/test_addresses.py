"""An address is one that every host and system takes, and stays as it is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.refused import Refused
from retold.projections.site import base
from retold.projections.site.addresses import LONGEST, absolute, root, slug


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("The Salt Gate", "the-salt-gate"),
        ("Zoë d\u2019Arcy O'Neill", "zoe-darcy-oneill"),
        ("Straße ﬁ ½", "strasse-fi-1-2"),
        ("Łukasz Đorđe Bjørn Æsa Þór", "lukasz-dorde-bjorn-aesa-thor"),
        ("../../etc/passwd", "etc-passwd"),
        ("C:\\CON", "c-con"),
        ("con", "person-con"),
        ("LPT1", "person-lpt1"),
        (".hidden.", "hidden"),
        ("ユニコード", "person"),
        ("???", "person"),
        ("\u202egpj.exe", "gpj-exe"),
        ("x" * 300, "x" * LONGEST),
        ("index", "index"),
    ],
)
def test_a_name_makes_an_address(name: str, found: str) -> None:
    assert slug(name, "person") == found


@given(st.text(max_size=80), st.integers(0, 3))
def test_any_name_gets_a_plain_and_unique_address(name: str, others: int) -> None:
    taken: set[str] = set()
    for _ in range(others + 1):
        found = slug(name, "thing", taken)
        assert found not in taken
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", found)
        taken.add(found)


def test_two_that_are_called_alike_are_told_apart() -> None:
    assert slug("ZEL!", "person", {"zel", "zel-2"}) == "zel-3"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("https://example.org", "https://example.org"),
        ("https://example.org/salt/", "https://example.org/salt"),
        ("http://localhost:8000/~us/a%20b", "http://localhost:8000/~us/a%20b"),
    ],
)
def test_an_address_is_taken_as_it_is(typed: str, meant: str) -> None:
    assert base(typed) == meant


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "example.org",
        "ftp://example.org",
        "javascript:alert(1)",
        "https://",
        "https://me:secret@example.org",
        "https://example.org/?q",
        "https://example.org/#a",
        "https://example.org/a b",
        'https://example.org/"><script>',
        "https://example.org/;'",
        "https://example.org/a,b",
        "https://exa mple.org",
        "https://[::1",
        "https://example.org:port",
    ],
)
def test_invalid_addresses_are_refused(typed: str) -> None:
    with pytest.raises(Refused, match="is not an address of a site: say it like --url https://"):
        base(typed)


def test_a_page_in_a_folder_leads_up_and_is_called_by_its_folder() -> None:
    assert [root(one) for one in ("index.html", "people/zel.html")] == ["", "../"]
    assert absolute("https://a.b/c", "index.html") == "https://a.b/c/"
    assert absolute("https://a.b/c", "people/index.html") == "https://a.b/c/people/"
    assert absolute("https://a.b/c", "people/zel.html") == "https://a.b/c/people/zel.html"
