"""A name in a text is a link to its page, and everything else in it is text."""

from __future__ import annotations

import pytest

from retold.projections.site.frame import SiteLinker

CALLED = {"people/zel.html": ["Azel", "Zel"], "places/gate.html": ["The Salt Gate"]}


def linker(page: str = "sessions/1.html") -> SiteLinker:
    made = SiteLinker(CALLED)
    made.begin(page)
    return made


def link(page: str, shown: str) -> str:
    return f'<a class="name" href="../{page}">{shown}</a>'


def test_in_a_story_a_name_is_a_link_where_it_is_met_first() -> None:
    made = linker()
    zel, gate = (link(*one) for one in (("people/zel.html", "Zel"), ("places/gate.html", "salt-gate")))

    assert made.once("Zel, at a salt-gate.") == f"{zel}, at a {gate}."
    assert made.once("Azel, and the Salt Gate.") == "Azel, and the Salt Gate."
    made.begin("sessions/2.html")
    assert made.once("Zel.") == f"{zel}."


def test_in_a_list_it_always_is_but_on_its_own_page() -> None:
    made = linker("people/zel.html")
    gate = link("places/gate.html", "Salt Gate")

    assert made.each("Zel, the Salt Gate") == f"Zel, the {gate}"
    assert made.each("Salt Gate") == gate


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<b>Zel</b>", f"&lt;b&gt;{link('people/zel.html', 'Zel')}&lt;/b&gt;"),
        ("a & b", "a &amp; b"),
        ('"><img src=x onerror=alert(1)>', "&#34;&gt;&lt;img src=x onerror=alert(1)&gt;"),
        ("{{ 7*7 }} {} %s", "{{ 7*7 }} {} %s"),
    ],
)
def test_what_was_typed_stays_text_around_a_link(text: str, shown: str) -> None:
    assert linker().each(text) == shown


def test_a_name_cannot_end_its_link() -> None:
    made = SiteLinker({"people/b.html": ["b</a><script>x"]})
    made.begin("index.html")

    assert made.each("b</a><script>x") == (
        '<a class="name" href="people/b.html">b&lt;/a&gt;&lt;script&gt;x</a>'
    )
