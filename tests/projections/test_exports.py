"""Every format shows what was typed as text, the same bytes each time, and nobody else's secrets."""

from __future__ import annotations

import html
import html.parser
import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import html5lib
import pytest
import wcwidth
from markdown_it import MarkdownIt

from retold.journal.marks import plain
from retold.journal.refused import Refused
from retold.journal.vocabulary import commands as c
from retold.projections.exports import EXPORTS, MECHANICS, export
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.prose import VOICES
from retold.projections.reading import EVERYBODY, GAME_MASTER, LineView, Viewer
from retold.projections.story import transcript
from retold.projections.story.document import Transcript
from retold.projections.texts.line_ends import reflowed
from retold.projections.texts.markdown_escaping import escape
from retold.projections.texts.wrapping import NARROW, cut, width, wrap
from tests.projections import evening
from tests.projections.evening import ASIDE, SECRET, Table, w
from tests.projections.reading import read, squeezed

WRITTEN = [name for name, one in EXPORTS.items() if not one.is_timed]
"""The formats that hold all of a transcript, and not only what was said aloud."""

PAYLOADS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'); alert(1); //",
    "</style></title></main><h1>owned</h1>",
    "{{ 7*7 }}{% raw %}",
    "&lt;b&gt; &amp; &#60;",
    "javascript:alert(1)",
    "[click](javascript:alert(1)) ![x](http://evil/x.png) <http://evil> http://evil.example www.evil.example",
    "[[Other note]] ![[embed]] #tag ^block %%hidden%% ==mark== $x^2$ ~~gone~~ [^1] [^1]: note",
    "# heading",
    "> quote",
    "- item",
    "+ item",
    "1. item",
    "2) item",
    "---",
    "===",
    "    code",
    "\tcode",
    "```\ncode\n```",
    "`code` **bold** __bold__ *it* _it_ \\",
    "| a | b |\n|---|---|\n| c | d |",
    ": definition",
    "two\n\n\nparagraphs\nand a line  \nmore",
    "\x1b[31mred\x1b[0m\x1b]8;;http://evil\x07x\x07",
    "\u202egnp.exe \u2066a\u2069 \u200bzero\ufeff \U000e0041 \u2028line \x85next \x9b2J",
    "over\rwritten",
    "ユニコード 🎲👩\u200d🚀 e\u0301 شب",
    "trailing space ",
    "*",
    "_",
    "a: b # c",
    "--- !!python/object:os.system",
]


@cache
def told(
    table: Table, *, voice: str = "report", viewer: Viewer = GAME_MASTER, session: int | None = None
) -> Transcript:
    if session is not None:
        return transcript.of_session(LineView(table.campaign, 1, viewer=viewer), session, voice=voice)
    return transcript.of_range(LineView(table.campaign, 1, viewer=viewer), voice=voice)


def typed_everywhere(path: Path, text: str) -> Table:
    """An evening in which everything anybody can type is `text`; names have a number after it."""
    table = Table(path, title=text)
    do, words = table.do, w(text)
    do(
        c.Cast(
            who=w(f"{text}1"),
            system="bruise",
            by=w(f"{text}2"),
            values={"clubs": "4", "melee": "2"},
            text=words,
        )
    )
    do(c.OpenSession(title=words, text=words))
    do(c.SetScene(title=words, text=words))
    do(c.OpenConflict(title=words, system="bruise", sides=((1,), (w(f"{text}3"),)), text=words))
    do(c.Declare(who=1, text=words))
    do(c.Draw(who=1, traits=("clubs", "melee"), results=("JH", "JD", "10S", "7C", "4C", "3D")))
    do(c.Draw(who=3, count=1, results=("9S",)))
    do(c.Narrate(who=1, text=words))
    do(c.Overrule(by=0, whose=1, text=words))
    do(c.Say(who=3, text=words))
    do(c.Note(text=words))
    do(c.Note(about=2, quote=True, text=words))
    do(c.Rule(text=words))
    do(c.Roll(who=1, dice="1d6", results=("4",), text=words))
    do(c.Concede(who=3, text=words))
    do(c.Accept(who=1, text=words))
    do(c.Cast(who=1, name=w(f"{text}4"), alias=w(f"{text}5")))
    do(c.End(what="session", text=words))
    do(c.OpenSession())
    return table


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Two evenings of Bruise; tests only read them."""
    played = evening.both(tmp_path_factory.mktemp("ebb") / "ebb.retold")
    yield played
    played.campaign.close()


@pytest.fixture(scope="module", params=range(len(PAYLOADS)), ids=lambda i: repr(PAYLOADS[i])[:30])
def hostile(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Table]]:
    """A payload, and an evening in which every text is that payload; tests only read it."""
    text = PAYLOADS[request.param]
    table = typed_everywhere(tmp_path_factory.mktemp("hostile") / "hostile.retold", text)
    yield text, table
    table.campaign.close()


@pytest.fixture(scope="module")
def harmless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    table = typed_everywhere(tmp_path_factory.mktemp("harmless") / "harmless.retold", "harmless")
    yield table
    table.campaign.close()


@cache
def transcripts(table: Table) -> list[Transcript]:
    """A stretch in one voice, an evening in another."""
    return [told(table), told(table, session=1, voice="plain")]


# --- every format -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", MECHANICS)
@pytest.mark.parametrize("name", EXPORTS)
def test_every_format_tells_every_voice_with_the_same_bytes_twice(
    table: Table, name: str, place: MechanicsPlace
) -> None:
    # Each format meets every voice and every place, in pairs.
    voice = [*VOICES][([*EXPORTS].index(name) + MECHANICS.index(place)) % len(VOICES)]
    once = export(name, told(table, voice=voice), place)

    assert once == export(name, told(table, voice=voice), place)
    assert once.endswith(b"\n") or not EXPORTS[name].is_text
    assert squeezed("One last cry, and the line breaks.") in squeezed(read(name, once))


@pytest.mark.parametrize("name", EXPORTS)
def test_two_tables_that_play_the_same_get_the_same_bytes(table: Table, name: str, tmp_path: Path) -> None:
    again = evening.both(tmp_path / "again.retold")

    assert export(name, told(table)) == export(name, told(again))
    again.campaign.close()


@pytest.mark.parametrize("name", EXPORTS)
def test_without_mechanics_no_card_is_left(table: Table, name: str) -> None:
    story = read(name, export(name, told(table), "none"))

    assert not re.search(r"[♠♥♦♣]|Quality|draws|called\]|clubs", story)
    assert "One last cry, and the line breaks." in story


@pytest.mark.parametrize("place", [place for place in MECHANICS if place != "none"])
@pytest.mark.parametrize("name", WRITTEN)
def test_with_mechanics_every_draw_is_there_with_where_it_came_from(
    table: Table, name: str, place: str
) -> None:
    shown = " ".join(read(name, export(name, told(table), place)).split())

    for cards in ("J♥ J♦ 10♠ 7♣ 4♣ 3♦", "2♥", "A♥ 2♦", "9♠", "K♥ 3♦", "8♠"):
        assert shown.count(cards) >= 1
    assert shown.count("called") >= 6


@pytest.mark.parametrize("voice", VOICES)
@pytest.mark.parametrize("name", EXPORTS)
def test_a_secret_is_nowhere_in_what_a_player_gets(table: Table, name: str, voice: str) -> None:
    # The others place the same passages elsewhere, and a page of paper is slow to set and to read.
    places = MECHANICS if EXPORTS[name].is_text else ("footnotes", "appendix")
    number = [*VOICES].index(voice)
    one, another = (places[(number + turn) % len(places)] for turn in range(2))
    for session, place in [*((None, place) for place in places), (1, one), (2, another)]:
        seen = told(table, voice=voice, viewer=EVERYBODY, session=session)
        shown = " ".join(read(name, export(name, seen, place)).split())

        assert SECRET not in shown
        assert ASIDE not in shown
        assert table.campaign.id not in shown
        bare = html.unescape(shown.partition("</style>")[2] or shown)
        bare = re.sub(
            r'urn:uuid:[0-9a-f-]{36}|color="#[0-9A-F]{6}"', "", bare
        )  # which may look like anything
        assert not re.search(r"#\d|\be\d{1,3}\b", bare)
    if name in WRITTEN and voice != "prose":  # which has no notes
        assert SECRET in " ".join(read(name, export(name, told(table, voice=voice))).split())


def test_an_unknown_format_or_place_is_refused(table: Table) -> None:
    with pytest.raises(Refused, match="There are: markdown, obsidian, html, fragment, text, json"):
        export("scroll", told(table))
    with pytest.raises(Refused, match="not margin"):
        export("text", told(table), "margin")


# --- what was typed stays text ----------------------------------------------------------------------------


class Structure(html.parser.HTMLParser):
    """The tags of a page, and the text that a reader sees."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    @classmethod
    def of(cls, page: bytes) -> Structure:
        found = cls()
        found.feed(page.decode())
        found.close()
        return found


Tags = list[tuple[str, tuple[tuple[str, str | None], ...]]]


def of_texts(tags: Tags) -> Tags:
    """The tags, where a text has several paragraphs those of the first alone.

    What sets a name from right to left apart is left out: it stands around the name alone. So is emphasis,
    which a text may have.
    """
    kept: Tags = []
    for tag in (one for one in tags if one not in (("bdi", ()), ("em", ()), ("strong", ()))):
        is_words = ("class", "words") in tag[1]
        if is_words and kept[-2:] == [tag, ("p", (("dir", "auto"),))]:
            kept.pop()
        elif not (is_words and kept[-1:] == [tag]):
            kept.append(tag)
    return kept


@pytest.mark.parametrize("place", ["folded", "footnotes", "appendix"])
def test_html_has_the_same_tags_whatever_is_typed(
    hostile: tuple[str, Table], harmless: Table, place: str
) -> None:
    _, table = hostile
    assert tags_of(table, place) == tags_of(harmless, place)


@cache
def tags_of(table: Table, place: str) -> list[Tags]:
    """The tags of each of its transcripts as a page."""
    return [of_texts(Structure.of(export("html", one, place)).tags) for one in transcripts(table)]


def test_html_loads_nothing_and_its_links_resolve(table: Table) -> None:
    page = export("html", told(table))
    tags = Structure.of(page).tags

    assert b"default-src 'none'" in page
    assert {tag for tag, _ in tags}.isdisjoint({"script", "img", "link", "iframe", "object", "form", "base"})
    targets = [value for _, attrs in tags for key, value in attrs if key in ("href", "src")]
    assert all(value and value.startswith("#") for value in targets)
    assert not re.search(rb"https?:|@import|url\(", page)
    ids = [value for _, attrs in tags for key, value in attrs if key == "id"]
    assert len(ids) == len(set(ids))
    assert {value[1:] for value in targets if value} <= set(ids)


@pytest.mark.parametrize("session", [None, 1, 2])
def test_html_headings_are_real_and_in_order(table: Table, session: int | None) -> None:
    tags = Structure.of(export("html", told(table, session=session))).tags
    levels = [int(tag[1]) for tag, _ in tags if re.fullmatch("h[1-6]", tag)]

    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def no_controls(shown: bytes) -> None:
    text = shown.decode()
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]", text
    )
    assert "\U000e0041" not in text


@pytest.mark.parametrize("name", [name for name, one in EXPORTS.items() if one.is_text])
def test_nothing_a_terminal_obeys_is_in_any_format(hostile: tuple[str, Table], name: str) -> None:
    _, table = hostile
    for one, place in zip(transcripts(table), ("folded", "appendix"), strict=True):
        no_controls(export(name, one, place))


OURS = {
    *("paragraph_open", "paragraph_close", "heading_open", "heading_close", "inline", "text", "softbreak"),
    *(
        "bullet_list_open",
        "bullet_list_close",
        "list_item_open",
        "list_item_close",
        "hardbreak",
        "text_special",
    ),
    *("em_open", "em_close", "strong_open", "strong_close", "blockquote_open", "blockquote_close"),
    *("table_open", "table_close", "thead_open", "thead_close", "tbody_open", "tbody_close"),
    *("tr_open", "tr_close", "th_open", "th_close", "td_open", "td_close"),
}


def parsed(document: str) -> list[tuple[str, str]]:
    """The kinds of block and their text, as a Markdown reader has them."""
    text = document.split("---\n\n", 1)[1]
    found = []
    for token in MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text):
        found.append((token.type, ""))
        found += [(child.type, child.content) for child in token.children or []]
    return found


@pytest.mark.parametrize("places", [("inline", "folded"), ("footnotes", "appendix")], ids="+".join)
def test_markdown_stays_what_was_typed(hostile: tuple[str, Table], places: tuple[str, str]) -> None:
    _, table = hostile
    for one, place in zip(transcripts(table), places, strict=True):
        document = export("obsidian", one, place).decode()
        tokens = parsed(document)

        assert {kind for kind, _ in tokens} <= OURS
        for line in document.split("\n---\n", 1)[0].split("\n")[1:]:
            json.loads(line.partition(": ")[2])
            assert "<" not in line  # who knows no YAML takes it for a paragraph, and a tag in it for one


def test_markdown_headings_are_those_of_the_transcript(hostile: tuple[str, Table], harmless: Table) -> None:
    _, table = hostile
    bad, good = (parsed(export("obsidian", told(one)).decode()) for one in (table, harmless))

    for kind in ("heading_open", "list_item_open", "blockquote_open"):
        assert [one for one, _ in bad].count(kind) == [one for one, _ in good].count(kind)


@pytest.mark.parametrize("text", [one for one in PAYLOADS if one.isprintable() and one.strip() == one])
def test_markdown_shows_every_character(text: str) -> None:
    inline = MarkdownIt("commonmark", {"html": True}).parse(escape(text))[1]
    shown = "".join(child.content for child in inline.children or [])

    assert shown.replace("\xa0", " ") == text


def test_json_has_the_words_exactly(hostile: tuple[str, Table]) -> None:
    text, table = hostile
    value = json.loads(export("json", told(table, session=1)))

    assert value["transcript"] == 1
    assert value["head"]["campaign"] == plain(text)
    said = [
        one["text"]
        for scene in value["scenes"]
        for passage in scene["passages"]
        for one in passage["paragraphs"]
    ]
    lines = "\n\n".join(re.split(r"\n{2,}", re.sub(r"[ \t]+\n", "\n", plain(text))))
    assert said.count(lines) >= 9


# --- columns ----------------------------------------------------------------------------------------------


def test_text_is_no_wider_than_a_page(hostile: tuple[str, Table]) -> None:
    _, table = hostile
    for one in transcripts(table):
        for place in ("inline", "footnotes", "appendix"):
            lines = export("text", one, place).decode().split("\n")

            assert max(map(width, lines)) <= 80


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("one two three", 8, ["one two", "three"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("骰子骰子骰", 4, ["骰子", "骰子", "骰"]),
        ("a 骰子 b", 5, ["a 骰", "子 b"]),
        ("e\u0301e\u0301e\u0301", 2, ["e\u0301e\u0301", "e\u0301"]),
        ("x\n\ny", 9, ["x", "", "y"]),
        ("", 9, [""]),
    ],
)
def test_lines_break_where_they_may(text: str, columns: int, lines: list[str]) -> None:
    assert wrap(text, columns).split("\n") == lines


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("渡し守の家", 6, "渡し…"),
        ("渡し守の家", 10, "渡し守の家"),
        ("tide", 3, "ti…"),
        ("ti", 1, "…"),
        ("", 0, ""),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
        ("\U0001f469\u200d\U0001f680 in orbit", 4, "\U0001f469\u200d\U0001f680 …"),
    ],
)
def test_what_is_cut_fits_and_a_wide_letter_takes_two_columns(text: str, columns: int, shown: str) -> None:
    assert cut(text, columns) == shown


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("Guenašk", 7),
        ("骰子", 4),
        ("e\u0301", 1),
        ("\u1112\u1161\u11ab", 2),  # one syllable of Korean in three letters
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", 2),  # a family: three people joined
        ("\U0001f44d\U0001f3fd", 2),  # a thumb and the colour of its skin
        ("\U0001f1e8\U0001f1ed", 2),  # a flag of two letters
        ("\u2665", 1),
        ("\u2665\ufe0f", 2),  # the same heart, asked for as an emoji
    ],
)
def test_a_character_with_its_marks_takes_the_columns_of_one(text: str, columns: int) -> None:
    assert (width(text), width(f"a{text}b")) == (columns, columns + 2)


def test_every_narrow_character_takes_one_column() -> None:
    narrow = [letter for letter in map(chr, range(0x3000)) if NARROW.fullmatch(letter)]

    assert [letter for letter in narrow if wcwidth.width(letter) != 1] == []


def test_what_follows_the_first_line_hangs() -> None:
    assert wrap("- one two three", 9, "  ", "    ").split("\n") == ["  - one", "    two", "    three"]
    assert wrap("#..#\n  #..#", 9, "  ").split("\n") == ["  #..#", "    #..#"]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("one line\ngoes on", "one line goes on"),
        ("one\n\nanother", "one\n\nanother"),
        ("one\r\n \r\n\r\nanother  \n end", "one\n\nanother end"),
        ("as it is", "as it is"),
    ],
)
def test_a_telling_is_reflowed_and_keeps_its_paragraphs(typed: str, told: str) -> None:
    assert reflowed(typed) == told


# --- a fragment -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "places", [("none", "inline"), ("folded", "footnotes"), ("appendix", "inline")], ids="+".join
)
def test_a_fragment_has_plain_elements_alone(hostile: tuple[str, Table], places: tuple[str, str]) -> None:
    for one, place in zip(transcripts(hostile[1]), places, strict=True):
        document = export("fragment", one, place).decode()
        reader = html5lib.HTMLParser(
            html5lib.getTreeBuilder("etree"), strict=True, namespaceHTMLElements=False
        )
        found = list(reader.parseFragment(document).iter())[1:]

        assert {str(element.tag) for element in found} <= PLAIN
        assert not any(element.attrib for element in found)


PLAIN = {"h1", "h2", "h3", "h4", "h5", "h6", "p", "em", "strong", "br", "ul", "li", "blockquote", "pre"}
