from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.language.forms import Form
from retold.journal.language.lexing import lex, lex_words
from retold.journal.language.tokens import CONTROL, KEYWORDS, is_name, split_names
from retold.journal.language.writing import (
    quote_name,
    write_assign,
    write_line,
    write_names,
    write_phrase,
    write_text,
    write_word,
)
from retold.journal.refused import Refused
from tests.journal.language.table import EXAMPLES, FORMS

TRICKY = "ab1dF \t\xa0:=#\"“”+,-\u2013.'é\u0301\u2028中"
LETTERS = st.one_of(st.sampled_from(TRICKY), st.characters(codec="utf-8"))
NAMES = st.text(LETTERS.filter(lambda letter: not CONTROL.search(letter)), min_size=1)
TEXTS = st.text(
    st.one_of(st.sampled_from(TRICKY + "\n\n\r\x07"), st.characters(codec="utf-8", exclude_characters="\0"))
)
RESULTS = st.lists(st.sampled_from(["JH", "10S", "_", "--0+", "+", "-", "unknown:ruler:r", "3", "joker"]))
WORDS = st.sampled_from(sorted({*KEYWORDS, "engage", "2", "d20", "--gm", "--", "=", "=x", "#", "a:", "s3"}))


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Zel", "Zel"),
        ("O'Brien", "O'Brien"),
        ("axe-1", "axe-1"),
        ("Captain Thoss", '"Captain Thoss"'),
        ("vs", '"vs"'),
        ("engage", '"engage"'),
        ("2", '"2"'),
        ("d20", '"d20"'),
        ("--gm", '"--gm"'),
        ("a=b", '"a=b"'),
        ("A+B", '"A+B"'),
        ("a:b", '"a:b"'),
        ("#", '"#"'),
        ('The "Long" Ebb', '"The ""Long"" Ebb"'),
        ("“Long”", '"“Long”"'),
    ],
)
def test_a_name_is_quoted_exactly_when_it_must_be(name: str, written: str) -> None:
    assert quote_name(name, {"engage"}) == written


@pytest.mark.parametrize(
    ("phrase", "written"),
    [
        ("Ankle-deep in oil", "Ankle-deep in oil"),
        ("to the sea, with vs", "to the sea, with vs"),
        ("half past 3:15", "half past 3:15"),
        ("a = b", '"a = b"'),
        ("two  blanks", '"two  blanks"'),
        ("stair:Rain", '"stair:Rain"'),
        ("Act one:", '"Act one:"'),
        ("see --gm", '"see --gm"'),
        ("number # one", '"number # one"'),
    ],
)
def test_a_phrase_is_quoted_exactly_when_it_must_be(phrase: str, written: str) -> None:
    assert write_phrase(phrase) == written


def test_the_parts_of_a_line_are_written_in_order() -> None:
    line = write_line(
        "draw",
        ["Zel", write_names(["clubs", "leg brace"]), write_assign("by", "=", "Jo Ann")],
        results=["JH", "JD"],
        text="He: smiles.",
        flags={"gm": None, "to": quote_name("Captain Thoss")},
    )

    assert line == 'draw Zel clubs+"leg brace" by="Jo Ann" --gm --to "Captain Thoss" = JH JD: He: smiles.'


def test_the_provenance_is_written_before_the_results() -> None:
    assert write_line("draw", ["Leg"], results=["7S"], flags={"provenance": "dealt"}) == "draw Leg =dealt 7S"
    later = write_line("draw", results=["7S"], flags={"provenance": "reconstructed"})
    assert later == "draw =later 7S"
    imported = write_line("draw", results=["7S"], flags={"provenance": "imported"})
    assert imported == "draw --provenance imported = 7S"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", ":"),
        ("One.", ": One."),
        ("One.\n\nTwo.", ":\n    One.\n    .\n    Two."),
        (" One.", ':\n    ." One."'),
        ("One\n", ":\n    One\n    ."),
        ("\n.\n..\n...", ':\n    .\n    ..\n    .".."\n    ...'),
        ('a\n."b"', ':\n    a\n    ."."'.replace('"."', '".\\"b\\""')),
        ("a\x07é", ':\n    ."a\\u0007é"'),
    ],
)
def test_a_text_is_written_beside_the_colon_or_below(text: str, written: str) -> None:
    assert write_text(text) == written


@pytest.mark.parametrize("text", ["\0", "\ud800"])
def test_a_text_no_record_keeps(text: str) -> None:
    with pytest.raises(Refused):
        write_text(text)


def test_a_name_no_line_can_hold() -> None:
    with pytest.raises(Refused):
        quote_name("a\nb")


@given(NAMES, st.lists(NAMES | WORDS, min_size=1), RESULTS, st.none() | TEXTS)
def test_a_written_line_lexes_to_what_was_written(
    name: str, joined: list[str], results: list[str], text: str | None
) -> None:
    line = write_line(
        "draw", [quote_name(name), write_names(joined)], results=results, text=text, flags={"gm": None}
    )

    lexed = lex(line)
    first, second = lexed.tokens
    assert (first.text, is_name(first)) == (name, True)
    assert [part.text for part in split_names(second)] == joined
    assert lexed.results == (tuple(results) or None)
    assert lexed.text == text
    assert dict(lexed.flags) == {"gm": None}


@given(st.lists(NAMES | WORDS, min_size=1).map(" ".join), TEXTS)
def test_a_written_title_is_read_again(title: str, text: str) -> None:
    form = Form.parse(FORMS["scene"])

    for line in (write_line("scene", [write_phrase(title)], text=text), f"scene {write_phrase(title)}"):
        assert form.match(lex(line)).phrase("title") == title


@given(NAMES | WORDS, st.sampled_from(["=", "+=", "-="]), NAMES | WORDS, NAMES | WORDS)
def test_written_data_and_flag_values_are_read_again(key: str, op: str, value: str, flag: str) -> None:
    line = write_line("cast", ["Zel", write_assign(key, op, value)], flags={"by": write_word(flag)})

    lexed = lex(line)
    ((read_key, read_op, read_value),) = lexed.assigns
    assert (read_key.text, read_op, read_value.text) == (key, op, value)
    assert (lexed.flags["by"] or lexed.verb).text == flag


@given(NAMES | WORDS)
def test_any_word_is_one_token_again(word: str) -> None:
    assert [token.text for token in lex(f"quality Zel {write_word(word)} 2").tokens] == ["Zel", word, "2"]


@pytest.mark.parametrize("line", EXAMPLES)
def test_a_line_given_as_shell_words_means_the_same(line: str) -> None:
    head, colon, text = line.partition(": ")
    argv = re.findall(r'(?:[^\s"]|"[^"]*")+', head + colon.strip())
    bare = [re.sub(r'^"([^"]*)"(:?)$', r"\1\2", word) if " " in word else word for word in argv]

    for words in (argv, bare):
        assert lex_words([*words, *text.split()], lambda _: False) == lex(line)


@given(st.lists(NAMES | WORDS, min_size=1), RESULTS, TEXTS)
def test_written_words_mean_the_same_as_the_written_line(
    typed: list[str], results: list[str], text: str
) -> None:
    parts = [quote_name(name) for name in typed]
    line = write_line("draw", parts, results=results, text=text.strip())
    tail = ["=", *results] if results else []
    said = [text] if not CONTROL.search(text.replace("\n", "")) else []

    words = lex_words(["draw", *parts, *tail, ":", *said], lambda _: False)
    assert words == lex(line).with_text(text.strip() if said else "")


@given(st.tuples(NAMES, NAMES).map(lambda two: f"{two[0]} {two[1]}x".replace('"', "'")))
def test_a_shell_word_with_blanks_is_one_name_or_data(name: str) -> None:
    (token,) = lex_words(["give", name], lambda _: False).tokens

    assert token.text == name
    assert token.quoted or token.assign or "=" in name
