"""Lines told side by side from where they part."""

from __future__ import annotations

import html.parser
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace

from retold.games.bruise import commands as b
from retold.journal.store.events.acts import Manner
from retold.journal.vocabulary import commands as c
from retold.projections.comparison.lines import ChangedRow, Parting, compare_lines
from retold.projections.comparison.page import html as as_html
from retold.projections.comparison.page import markdown
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.prose import VOICES
from retold.projections.prose.phrases import Phrases
from retold.projections.prose.phrases import table as phrases
from retold.projections.reading import EVERYBODY, GAME_MASTER, LineView, Viewer
from tests.projections.evening import Table, w
from tests.projections.test_exports import OURS, PAYLOADS, of_texts

NONE = MechanicsPlace.NONE


def three(table: Table) -> tuple[int, int]:
    """The mainline walks away; a branch goes back, and one of that stays there. Their numbers."""
    zel = table.who("Zel")
    at = table.writer.head.position
    kinder = table.campaign.writer(table.campaign.fork(1, at, w("kinder"), w("What if she had gone back?")))
    table.do(c.Narrate(who=zel, text=w("She walks away.")))
    kinder.record(c.Narrate(who=zel, text=w("She goes back for him.")))
    after = kinder.head.position
    kinder.record(b.Tilt(who=zel, potential="destiny"))
    stays = table.campaign.writer(table.campaign.fork(kinder.line, after, w("stays"), w("And if not alone?")))
    stays.record(c.Say(who=zel, text=w("Give me your hand.")))
    return kinder.line, stays.line


def parting(table: Table, *lines: int, viewer: Viewer = GAME_MASTER) -> Parting:
    return compare_lines([LineView(table.campaign, line, viewer=viewer) for line in lines])


def test_two_lines_are_told_from_where_they_part(table: Table) -> None:
    kinder, _ = three(table)
    found = parting(table, 1, kinder)

    assert (found.names, found.campaign, found.where) == (["mainline", "kinder"], "The Long Ebb", "The flats")
    assert found.words is not None
    assert found.words.text == "Nobody here has wings."
    assert [(side.name, side.why, side.leaves) for side in found.sides] == [
        ("mainline", None, None),
        ("kinder", "What if she had gone back?", None),
    ]
    assert found.changed == (
        ChangedRow("Zel, destiny (Bruise)", "5/5", ("5/5", "5/6")),
        ChangedRow("Zel, fate (Bruise)", "5/5", ("5/5", "4/4")),
    )


def test_markdown_tells_them_one_after_the_other(table: Table) -> None:
    kinder, _ = three(table)

    assert markdown(parting(table, 1, kinder), MechanicsPlace.FOLDED).decode() == (
        "# Zel vs Guards: two ways it went\n"
        "\n"
        "*The Long Ebb · mainline and kinder · They part in “The flats”*\n"
        "\n"
        "> **The game master strikes what Zel told:** Nobody here has wings.\n"
        "\n"
        "## mainline\n"
        "\n"
        "### Zel vs Guards (continued)\n"
        "\n"
        "*Bruise: Zel against Guards.*\n"
        "\n"
        "**Zel:** She walks away.\n"
        "\n"
        "### How it ended\n"
        "\n"
        "- Zel vs Guards (Bruise, Zel vs Guards) is not over.\n"
        "\n"
        "## kinder\n"
        "\n"
        "*What if she had gone back?*\n"
        "\n"
        "### Zel vs Guards (continued)\n"
        "\n"
        "*Bruise: Zel against Guards.*\n"
        "\n"
        "**Zel:** She goes back for him.\n"
        "\n"
        "> *Mechanics (1)*\n"
        ">\n"
        "> - Zel: Wheel at Destiny 6, Fate 4; Karma 5 and 4\n"
        "\n"
        "### How it ended\n"
        "\n"
        "- Zel vs Guards (Bruise, Zel vs Guards) is not over.\n"
        "\n"
        "## What each changed\n"
        "\n"
        "| What | Where they part | mainline | kinder |\n"
        "|---|---|---|---|\n"
        "| Zel, destiny (Bruise) | 5/5 | 5/5 | 5/6 |\n"
        "| Zel, fate (Bruise) | 5/5 | 5/5 | 4/4 |\n"
    )


def test_a_third_is_told_from_where_it_leaves_the_others(table: Table) -> None:
    kinder, stays = three(table)
    found = parting(table, 1, kinder, stays)
    third = found.sides[2]

    assert found.names == ["mainline", "kinder", "stays"]
    assert (third.leaves, third.why) == ("kinder", "And if not alone?")
    assert third.words is not None
    assert third.words.text == "She goes back for him."
    assert markdown(found, NONE).decode().partition("## stays\n")[2] == (
        "\n"
        "*It leaves kinder: And if not alone?*\n"
        "\n"
        "> **Zel:** She goes back for him.\n"
        "\n"
        "### Zel vs Guards (continued)\n"
        "\n"
        "*Bruise: Zel against Guards.*\n"
        "\n"
        "**Zel:** “Give me your hand.”\n"
        "\n"
        "### How it ended\n"
        "\n"
        "- Zel vs Guards (Bruise, Zel vs Guards) is not over.\n"
    )
    assert (
        markdown(found, MechanicsPlace.INLINE)
        .decode()
        .endswith(
            "## What each changed\n"
            "\n"
            "| What | Where they part | mainline | kinder | stays |\n"
            "|---|---|---|---|---|\n"
            "| Zel, destiny (Bruise) | 5/5 | 5/5 | 5/6 | 5/5 |\n"
            "| Zel, fate (Bruise) | 5/5 | 5/5 | 4/4 | 5/5 |\n"
        )
    )


def test_in_any_order_nothing_is_told_twice_and_nothing_is_missing(table: Table) -> None:
    kinder, stays = three(table)
    for lines in ((stays, kinder, 1), (kinder, 1, stays), (1, stays, kinder)):
        shown = markdown(parting(table, *lines), NONE).decode()

        for words in ("She walks away.", "She goes back for him.", "Give me your hand."):
            assert shown.replace("> ", "").count(words) - shown.count(f"> **Zel:** {words}") == 1, lines


def test_lines_that_part_before_anything_was_told_say_so(tmp_path: Path) -> None:
    table = Table(tmp_path / "bare.retold")
    line = table.campaign.fork(1, table.writer.head.position, w("other"))
    table.do(c.Say(who=0, text=w("Here.")))
    table.campaign.writer(line).record(c.Say(who=0, text=w("There.")))
    found = parting(table, 1, line)

    assert (found.words, found.where, found.changed) == (None, None, ())
    shown = markdown(found, NONE).decode()
    assert (
        "# The Long Ebb: two ways it went\n\n*mainline and other · They part before anything is told*"
        in shown
    )
    table.campaign.close()


def test_C11_every_line_ends_with_how_it_ended(table: Table) -> None:
    zel, conflict = table.who("Zel"), table.writer.table.conflicts
    at = table.writer.head.position
    lines = {name: table.campaign.fork(1, at, w(name)) for name in ("won", "drawn", "given up")}
    won, drawn, given_up = (table.campaign.writer(line) for line in lines.values())
    won.record(c.End(what="conflict", how="victory", winner=zel))
    drawn.record(c.End(what="conflict", how="stalemate"))
    given_up.record(c.Concede(who=zel, text=w("I come quietly.")))
    given_up.record(c.Accept(who=table.who("Guards")))
    table.do(c.Narrate(who=zel, text=w("She walks away.")))
    found = parting(table, *lines.values(), 1)

    assert len(conflict) == 1
    assert [side.ended for side in found.sides] == [
        ("Zel vs Guards: Zel won.",),
        ("Zel vs Guards: It ended in a stalemate.",),
        ("Zel vs Guards: Guards won. One side gave up.",),
        ("Zel vs Guards (Bruise, Zel vs Guards) is not over.",),
    ]
    assert '<li dir="auto">Zel vs Guards: Zel won.</li>' in as_html(found, NONE).decode()


def test_C11_the_title_says_what_is_told_and_of_one_line_which_moments(table: Table) -> None:
    kinder, _ = three(table)
    told = "Zel vs Guards: two ways it went"
    head = table.writer.head.position
    moments = [LineView(table.campaign, 1, at, GAME_MASTER) for at in (head, head - 1)]

    assert f'<h1 dir="auto">{told}</h1>' in as_html(parting(table, 1, kinder), NONE).decode()
    one_line = as_html(compare_lines(moments), NONE).decode()
    assert f">mainline@{head} and mainline@{head - 1}</h1>" in one_line


def test_a_newcomer_is_a_change_of_the_line_they_joined(table: Table) -> None:
    kinder, _ = three(table)
    table.campaign.writer(kinder).record(c.Cast(who=w("A stranger"), system="bruise", values={"clubs": "2"}))

    assert ChangedRow("A stranger", "-", ("-", "joined the cast")) in parting(table, 1, kinder).changed


def test_moments_of_one_line_may_be_told_so_too(table: Table) -> None:
    asked = [LineView(table.campaign, 1, 45), LineView(table.campaign, 1)]
    found = compare_lines(asked)

    assert [side.name for side in found.sides] == ["mainline@45", "mainline"]
    assert found.sides[0].told.scenes == ()


# --- for somebody -----------------------------------------------------------------------------------------


def test_a_secret_is_in_no_column_of_a_player(table: Table) -> None:
    kinder, _ = three(table)
    table.campaign.writer(kinder).record(c.Note(text=w("He sold her out")), Manner(visible_to="gm"))

    for render in (markdown, as_html):
        assert "He sold her out" in render(parting(table, 1, kinder), MechanicsPlace.FOLDED).decode()
        shown = render(parting(table, 1, kinder, viewer=EVERYBODY), MechanicsPlace.FOLDED).decode()
        assert "He sold her out" not in shown
        assert not re.search(r"#\d|\be\d{1,3}\b", shown.partition("</style>")[2] or shown)


def test_what_was_hidden_last_is_not_quoted_where_they_part(table: Table) -> None:
    table.writer.record(c.Note(text=w("She can fly after all")), Manner(visible_to="gm"))
    kinder, _ = three(table)

    assert "She can fly" not in markdown(parting(table, 1, kinder, viewer=EVERYBODY), NONE).decode()


# --- on a page --------------------------------------------------------------------------------------------


class Structure(html.parser.HTMLParser):
    """The tags of a page, and the text that a reader sees."""

    def __init__(self, page: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.feed(page.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(attrs)))


def test_html_has_a_column_for_each_and_a_table(table: Table) -> None:
    kinder, stays = three(table)
    page = as_html(parting(table, 1, kinder, stays), MechanicsPlace.FOOTNOTES)
    tags = Structure(page).tags
    ids = [value for _, attrs in tags for key, value in attrs if key == "id"]
    targets = [value for _, attrs in tags for key, value in attrs if key == "href" and value]
    levels = [int(tag[1]) for tag, _ in tags if re.fullmatch("h[1-6]", tag)]

    assert [dict(attrs).get("id") for tag, attrs in tags if tag == "h2"][:3] == ["side-1", "side-2", "side-3"]
    assert len(set(ids)) == len(ids)
    assert {one[1:] for one in targets} <= set(ids)
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert [tag for tag, _ in tags].count("tr") == 1 + len(("destiny", "fate"))
    assert not re.search(rb"https?:|@import|url\(", page)


@cache
def parted_with(typed: str) -> Parting:
    """Two lines on which everything is called so."""
    with TemporaryDirectory() as folder:
        table = Table(Path(folder) / "typed.retold", title=typed)
        table.do(c.Cast(who=w(f"{typed}1"), system="bruise", by=w(f"{typed}2"), values={"clubs": "2"}))
        table.do(c.OpenSession())
        table.do(c.SetScene(title=w(typed)))
        table.do(c.Narrate(who=1, text=w(typed)))
        line = table.campaign.fork(1, table.writer.head.position, w(f"{typed}3"), w(typed))
        table.do(c.Say(who=1, text=w(typed)))
        table.campaign.writer(line).record(b.Tilt(who=1, potential="fate"))
        table.campaign.writer(line).record(c.Declare(who=1, text=w(typed)))
        found = parting(table, 1, line)
        table.campaign.close()
    return found


@pytest.mark.parametrize("text", PAYLOADS)
def test_what_was_typed_stays_text(text: str) -> None:
    bad, good = parted_with(text), parted_with("harmless")

    for place in (MechanicsPlace.INLINE, MechanicsPlace.APPENDIX):
        seen, plain = (Structure(as_html(one, place)).tags for one in (bad, good))
        assert of_texts(seen) == of_texts(plain)
        shown = markdown(bad, place).decode()
        tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(shown)
        assert {one.type for token in tokens for one in (token, *(token.children or ()))} <= OURS


def test_the_same_lines_give_the_same_bytes(table: Table) -> None:
    kinder, stays = three(table)
    for render in (markdown, as_html):
        for place in MechanicsPlace:
            once = render(parting(table, 1, kinder, stays), place)

            assert once == render(parting(table, 1, kinder, stays), place)


def test_without_mechanics_no_card_is_left(table: Table) -> None:
    kinder, _ = three(table)
    table.do(c.Draw(who=table.who("Zel"), count=2, results=("QH", "4D")))
    for render in (markdown, as_html):
        assert "Q♥" in render(parting(table, 1, kinder), MechanicsPlace.INLINE).decode()
        assert not re.search("[♠♥♦♣]|called", render(parting(table, 1, kinder), NONE).decode())


def test_its_own_words_are_those_of_the_voice(table: Table) -> None:
    kinder, stays = three(table)
    asked = [LineView(table.campaign, line) for line in (1, kinder, stays)]
    marked = Phrases(lambda: {key: "жж" for key in phrases() if key.startswith(("page.", "map.", "luck."))})
    told = compare_lines(asked, voice=replace(VOICES["report"], phrases=marked))

    for shown in (
        markdown(told, MechanicsPlace.APPENDIX).decode(),
        as_html(told, MechanicsPlace.APPENDIX).decode(),
    ):
        assert shown.count("жж") > 5
        page = shown.partition("</style>")[2] or shown
        assert not re.search(r"[Tt]hey part|leaves|each changed|Mechanics|>What<|Zel against", page)
