"""Words of HTML: every word of a fragment in order, and none of what only looks like one."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.markup import Words, words_of

BLOCKS = ("div", "p", "h3", "li", "section")
INLINE = ("b", "span", "em", "a")


@pytest.mark.parametrize(
    ("fragment", "text"),
    [
        ("The rope &amp; the lamp", "The rope & the lamp"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<table><tr><td>1</td><td>2</td></tr></table>", "1 2"),
        ('<p title="x > y">a</p>', "a"),
        ("<p title='Zel\"s > hook' class=\"it's\">a</p>b", "a\nb"),
        ("<!-- <p>old</p> -->new", "new"),
        ("<!-- never ends", "<!-- never ends"),
        ("a < b and 3 > 2", "a < b and 3 > 2"),
        ("<3 <> </>", "<3 <> </>"),
        ("half a <b", "half a <b"),
        ("<script>if (a < b) { '<p>' }</script>after", "after"),
        ("<button><b>Attack</b></button>after", "after"),
        ("<button>one <button>two</button> three</button>after", "after"),
        ("<!DOCTYPE html><?xml version='1'?>a", "a"),
        ("line\n  of\tone", "line of one"),
        ("<p>&#60;p&#62;\n&nbsp;x</p>", "<p> x"),
        ('<a href="x"y">z</a>', "z"),
    ],
)
def test_words_are_those_that_a_reader_sees(fragment: str, text: str) -> None:
    assert words_of(fragment).text == text


def test_content_other_than_text_is_counted() -> None:
    found = words_of("<h3>A</h3><img src=x><button>B</button><IMG><p>C")

    assert found == Words("A\nC", has_blocks=True, buttons=1, pictures=2, marked="A\nC")
    assert not words_of("<p>a<br>b</p>").has_blocks


@pytest.mark.parametrize("name", ["dice-roll", "message dice-roll", "dice-roll expanded"])
def test_the_box_of_a_roll_is_left_out_where_the_roll_is_there(name: str) -> None:
    fragment = f'<p>a</p><div id="x" class="{name}"><div>1d6</div><h4>4</h4></div><p>b</p>'

    assert words_of(fragment, without_dice=True).text == "a\nb"
    assert words_of(fragment).text == "a\n1d6\n4\nb"


@pytest.mark.parametrize("name", ["dice-rolls", "no-dice-roll", "dice-roll-list"])
def test_other_boxes_are_words(name: str) -> None:
    assert words_of(f'<div class="{name}">a</div>', without_dice=True).text == "a"


SECRETS = (
    '<section class="secret" id="s">\n<p>The <b>king</b> lies.</p></section>',
    "<section class='a secret b'>The king lies.</section>",
    "<SPAN CLASS=secret>The king lies.</SPAN>",
    '<div data-visibility="gm"><div>The king</div> lies.</div>',
    '<span data-visibility=owner class="x">The king lies.</span>',
    '<p data-visibility="none" title="a > b">The king lies.<script>x</script><button>No</button></p>',
)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("around", ["{}", "<p>a{}b</p>", "<h3>A</h3>{}<p>c</p>", "a &amp; {}<img>"])
def test_what_is_secret_changes_nothing_else_and_is_kept_apart(secret: str, around: str) -> None:
    found, without = words_of(around.format(secret)), words_of(around.format("<!---->"))

    assert found._replace(secret="") == without
    assert " ".join(found.secret.split()) == "The king lies."


@pytest.mark.parametrize(
    "open_to_all",
    [
        '<section class="secret revealed">a</section>',
        '<p class="secretive">a</p>',
        '<p title="secret">a</p>',
        '<p data-visibility="all">a</p>',
        "<p>a</p><!-- secret -->",
        '<hr class="secret">a',
    ],
)
def test_html_open_to_all_is_not_secret(open_to_all: str) -> None:
    assert words_of(open_to_all)[::4] == ("a", "")


def test_a_secret_without_an_end_goes_on_to_the_end() -> None:
    assert words_of("a<div class=secret>b<p>c")[::4] == ("a", "b\nc")


class Piece(NamedTuple):
    """Fragment, and the words in it."""

    html: str
    words: str


TEXT = st.text(alphabet="abc <>&\"'\n;#x", max_size=8).map(lambda text: Piece(escape(text), text))


def _element(inner: list[Piece], name: str, attribute: str) -> Piece:
    whole, words = "".join(one.html for one in inner), "".join(one.words for one in inner)
    html = f'<{name} title="{escape(attribute)}">{whole}</{name}>'
    return Piece(html, f"\0{words.strip()}\0" if name in BLOCKS else words)


PIECES = st.recursive(
    TEXT,
    lambda inner: st.builds(
        _element,
        st.lists(inner, max_size=3),
        st.sampled_from(BLOCKS + INLINE),
        st.text(alphabet="a>'\"<&", max_size=5),
    ),
    max_leaves=8,
)


@given(st.lists(PIECES, max_size=4))
def test_whole_fragments_keep_every_word_in_its_line(pieces: list[Piece]) -> None:
    lines = "".join(one.words for one in pieces).split("\0")
    found = words_of("".join(one.html for one in pieces))

    assert found.text.split("\n") == ([" ".join(line.split()) for line in lines if line.split()] or [""])


@given(st.text(alphabet="<>/abp=\"' \n&;", max_size=40))
def test_a_browser_sees_no_word_that_is_lost(fragment: str) -> None:
    seen = "".join(html5lib.parseFragment(fragment, namespaceHTMLElements=False).itertext())
    found = words_of(fragment).text

    assert all(letter in found for letter in seen if letter in "ab")


@pytest.mark.parametrize(
    "sign",
    [
        "<",
        '<a "',
        "<a '>\"",
        "<!--",
        "<!",
        "&#1",
        "<p",
        "<a ",
        '<b x=">',
        "<button>",
        '<div class="dice-roll ',
    ],
)
def test_hostile_fragments_have_an_end(sign: str) -> None:
    fragment = sign * (250_000 // len(sign))

    assert set(words_of(fragment, without_dice=True).text) <= {*fragment, "\1"}
