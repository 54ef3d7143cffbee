"""Marks of chats and pages: emphasis is the words' own, other signs are taken off and counted."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal import marks
from retold.journal.markup import words_of
from retold.sources import Unit, read
from retold.sources.chat_marks import of_discord, of_whatsapp
from retold.sources.foundry.links import without_links
from retold.sources.unit import Reason, Sort

MARKED = Path(__file__).parents[2] / "data" / "marks"
HTML = pytest.mark.skipif(importlib.util.find_spec("selectolax") is None, reason="needs selectolax")


def texts(file: Path) -> list[str]:
    return [unit.text for unit in read(file) if unit.is_read and unit.text]


@pytest.mark.parametrize(
    ("typed", "text", "taken_off"),
    [
        ("The **old** ferry *creaks*. It is __dark__.", "The **old** ferry *creaks*. It is *dark*.", 0),
        ("_whispers_ ~~loud~~ `cold`", "*whispers* loud cold", 2),
        ("***Both*** and **a *b* c**", "***Both*** and **a *b* c**", 0),
        ("# Chapter Two\nThe *salt* road.", "**Chapter Two**\n\nThe *salt* road.", 1),
        ("> A letter,\n> sealed.\nShe reads.", "A letter,\nsealed.\n\nShe reads.", 2),
        (">>> one\ntwo", "one\ntwo", 2),
        ("- one\n* two\nthree", "- one\n- two\n\nthree", 2),
        ("||The keeper is *dead*.||", "[spoiler: The keeper is *dead*.]", 1),
        ("[a link](https://example.org) <https://e.org>", "a link https://e.org", 2),
        ("```\n  a map\n  #..#\n```", "  a map\n  #..#", 1),
        ("-# small", "small", 1),
        ("un*believ*able", "unbelievable", 0),
        (r"\*no\* and ¯\_(ツ)_/¯", r"\*no\* and ¯\_(ツ)_/¯", 0),
        ("https://example.org/x_y_z/*a*", "https://example.org/x_y_z/*a*", 0),
        ("2*3 and 5 * 4 * 3, snake_case", "2*3 and 5 * 4 * 3, snake_case", 0),
        ("Dear Jon,\ncome alone.\nZ.", "Dear Jon,\ncome alone.\nZ.", 0),
        ("one\n\n\ntwo [x]", "one\n\n\ntwo [x]", 0),
    ],
)
def test_B2_marks_of_discord(typed: str, text: str, taken_off: int) -> None:
    assert of_discord(typed) == (text, taken_off)


@pytest.mark.parametrize(
    ("typed", "text", "taken_off"),
    [
        ("*bold* and _it_", "**bold** and *it*", 0),
        ("~gone~ ```mono``` `tick`", "gone mono tick", 3),
        ("2*3*4 and a_b_c, *open", "2*3*4 and a_b_c, *open", 0),
    ],
)
def test_B2_marks_of_whatsapp(typed: str, text: str, taken_off: int) -> None:
    assert of_whatsapp(typed) == (text, taken_off)


@given(st.text(alphabet="ab *_~|`\\\n#>-[]()<:/", max_size=60))
def test_any_message_is_read_and_its_letters_stay(typed: str) -> None:
    read_ = marks.plain(of_discord(typed).text).replace("[spoiler: ", "")

    assert sum(map(str.isalpha, read_)) <= sum(map(str.isalpha, typed))
    assert marks.plain(of_whatsapp(typed).text).count("a") == typed.count("a")


@pytest.mark.parametrize("signs", ["**a ", "*a _b ", "`", "[", "__a___", "~~a", "||a| ", "> ", "# a\n"])
def test_hostile_messages_are_read(signs: str) -> None:
    assert of_discord(signs * (6_000 // len(signs))).text
    assert of_whatsapp(signs * (60_000 // len(signs))).text.strip()


def test_B2_a_log_of_discord_has_no_signs_and_counts_them() -> None:
    found = list(read(MARKED / "discord.json"))
    said = "\n".join(unit.text for unit in found)

    assert marks.plain(said).count("*") == 0
    assert not any(sign in said for sign in ("~~", "`", "||", "# ", "](", "__"))
    assert sum(unit.passed.count(Reason.MARKUP) for unit in found) == 9


@HTML
def test_B2_a_page_of_roll20_gains_no_stars() -> None:
    (told,) = (text for text in texts(MARKED / "roll20.html") if "lamp" in text and "dark" in text)

    assert told.splitlines()[:4] == ["The **lamp** goes out.", "It is *dark*.", "one", "two"]


def test_B17_links_and_rolls_of_foundry_are_their_words() -> None:
    found = texts(MARKED / "foundry.json")

    assert "Captain Pym & **bold**\nsecond line\none\ntwo" in found
    assert any("Damage 1d10 and 2d6 then 9" in text for text in found)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("@UUID[Actor.abc]{Captain Pym} waits", "Captain Pym waits"),
        ("@UUID[Actor.abc] waits", "Pym waits"),
        ("@UUID[Compendium.x.y.Item.Fireball]", "Fireball"),
        ("@Actor[abc]{the warder}, @Check[type:perception|dc:15]", "the warder, perception"),
        ("&amp;Reference[prone]{Prone}", "Prone"),
        ("[[/roll 1d10]] [[1d6]] [[/r 2d6 + 3 # fire]]{fire}", "1d10 1d6 fire"),
        ("[[/damage 2d6[fire] type=x]]", "2d6 type=x"),
        ("@Damage[2d6[fire]] or @Damage[1d4[cold]]{frost}, @JournalEntry[Hall #3]", "2d6 or frost, Hall #3"),
        ("an @ and a [bracket] and me@example.org[1]", "an @ and a [bracket] and me@example.org[1]"),
    ],
)
def test_B17_links_of_foundry(typed: str, words: str) -> None:
    assert without_links(typed, {"abc": "Pym"}) == words


def test_words_of_html_have_their_emphasis() -> None:
    found = words_of(
        "<p>The <strong>lamp</strong> is <em>out</em>,<br>un<b>light</b>ed.</p><ul><li>one<li>two</ul>"
    )

    assert found.text == "The lamp is out,\nunlighted.\none\ntwo"
    assert found.marked == "The **lamp** is *out*,\nunlighted.\none\ntwo"


# --- I19: who and what is meant ---------------------------------------------------------------------------


def discord(tmp_path: Path, *contents: str) -> list[Unit]:
    value = json.loads((MARKED / "discord.json").read_text("utf-8"))
    blank, *_ = value["messages"]
    value["channel"] |= {"id": "77", "name": "the-table"}
    blank["author"] |= {"roles": [{"id": "55", "name": "Ferrymen", "color": None, "position": 1}]}
    later = blank | {"author": blank["author"] | {"id": "12", "name": "ada", "nickname": "Pell"}}
    value["messages"] = [
        blank | {"id": str(1477752830549819392 + number * 10**12), "content": text}
        for number, text in enumerate(contents)
    ] + [later | {"id": "1487752830549819392", "content": "Here."}]
    file = tmp_path / "discord.json"
    file.write_text(json.dumps(value), "utf-8")
    return [unit for unit in read(file) if unit.sort is Sort.SAID]


def test_I19_people_roles_and_channels_have_the_names_that_the_file_says(tmp_path: Path) -> None:
    found = discord(tmp_path, '"Ask <@12> or <@&55> in <#77>, not <@99>, <@&98>, <#97>."')

    assert found[0].text == ('"Ask @Pell or @Ferrymen in #the-table, not @somebody, @everybody, #channel."')
