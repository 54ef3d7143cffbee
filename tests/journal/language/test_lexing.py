from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.language.lexing import Lexed, is_blank, lex, lex_words, only_quoted_text
from retold.journal.language.tokens import Unreadable

ALPHABET = 'ab \t:=#"“”+,-.\n\r\0\x85\xa0é\ud800()'


def words_of(lexed: Lexed) -> list[str]:
    return [token.text for token in lexed.tokens]


def flags_of(lexed: Lexed) -> dict[str, str | None]:
    return {name: value.text if value else None for name, value in lexed.flags.items()}


def refused(line: str) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        lex(line)
    return caught.value


# --- Where text begins ---


@pytest.mark.parametrize(
    ("line", "head", "text"),
    [
        ("say Zel: Not today.", ["Zel"], "Not today."),
        ("say: Not today.", [], "Not today."),
        ("say Zel : Not today.", ["Zel"], "Not today."),
        ("say Zel:\tNot today.  ", ["Zel"], "Not today."),
        ("narrate Zel:", ["Zel"], ""),
        ('say "Captain Thoss": Halt.', ["Captain Thoss"], "Halt."),
        ("say “Captain Thoss”: Halt.", ["Captain Thoss"], "Halt."),
        ('say "To: Zel": Halt.', ["To: Zel"], "Halt."),
        ("karma Zel u:ruler s3:42 3:15", ["Zel", "u:ruler", "s3:42", "3:15"], None),
        ('say Zel: a: b = c # d "e --gm', ["Zel"], 'a: b = c # d "e --gm'),
        ("scene The Widow's Ledger", ["The", "Widow's", "Ledger"], None),
    ],
)
def test_text_begins_at_the_first_unquoted_colon_before_a_blank(
    line: str, head: list[str], text: str | None
) -> None:
    lexed = lex(line)

    assert (words_of(lexed), lexed.text) == (head, text)


def test_a_colon_too_many() -> None:
    assert refused("say Zel:: Not today.").sentence == "One colon too many after Zel."
    assert refused("say Zel::").column == 9


def test_text_goes_on_in_indented_lines() -> None:
    lexed = lex("narrate Zel: One.\n  Two, indented.\n\t.\n  ..\n  ...\n  say Zel: x")

    assert lexed.text == "One.\nTwo, indented.\n\n.\n...\nsay Zel: x"


def test_a_text_may_stand_wholly_below() -> None:
    assert lex("narrate Zel:\n  One.\n  Two.").text == "One.\nTwo."


def test_a_dot_and_a_string_carry_what_nothing_else_can() -> None:
    assert lex('narrate Zel:\n  ."  in, \\u0007"\n  .".."').text == "  in, \x07\n.."
    assert "JSON" in refused('narrate Zel:\n  ."in').sentence
    assert "characters that cannot be kept" in refused('narrate Zel:\n  ."\\u0000"').sentence
    assert refused('narrate Zel:\n  ."\\ud800"').row == 2


@pytest.mark.parametrize("line", ["draw Zel\n  4", "narrate Zel: a\nb", "narrate Zel: a\n\n  b"])
def test_what_does_not_go_on_with_a_text(line: str) -> None:
    assert refused(line).row == 2


# --- Results ---


@pytest.mark.parametrize(
    ("line", "head", "results"),
    [
        ("draw Zel clubs=4 = JH JD", ["Zel", "clubs=4"], ("JH", "JD")),
        ("draw Zel = JH,JD, 10S", ["Zel"], ("JH", "JD", "10S")),
        ("draw = unknown:ruler:r Excuse", [], ("unknown:ruler:r", "Excuse")),
        ("roll Vera = --0+", ["Vera"], ("--0+",)),
        ("roll Vera = + 0 - - # off the table", ["Vera"], ("+", "0", "-", "-")),
        ("check Bob = 7S 2: He ducks = not enough.", ["Bob"], ("7S", "2")),
        ('scene "a = b"', ["a = b"], None),
    ],
)
def test_results_begin_at_an_equals_sign_alone(
    line: str, head: list[str], results: tuple[str, ...] | None
) -> None:
    lexed = lex(line)

    assert (words_of(lexed), lexed.results) == (head, results)


def test_where_results_came_from() -> None:
    assert flags_of(lex("draw Leg 4 =dealt 7S 2C")) == {"provenance": "dealt"}
    assert flags_of(lex("draw Leg 4 =later 7S 2C")) == {"provenance": "reconstructed"}
    assert "already" in refused("draw Leg --provenance imported =dealt 7S").sentence


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("draw Zel =JH", "Put a space after =, as in `= JH`."),
        ("draw Zel =", "Nothing stands after ="),
        ("draw Zel = , ", "Nothing stands after ="),
        ("draw Zel = JH = JD", "before it"),
        ('draw Zel = "JH"', "never a result"),
    ],
)
def test_what_is_no_result(line: str, part: str) -> None:
    assert part in refused(line).sentence


# --- Comments and blanks ---


def test_a_comment_is_a_separate_token_before_any_text() -> None:
    assert lex("draw Zel # his: hand").comment == "his: hand"
    assert lex("draw Zel #").comment == ""
    assert words_of(lex("retcon #412 a#b")) == ["#412", "a#b"]
    assert lex('scene "# one"').comment is None
    assert lex("say Zel: # one").text == "# one"


def test_blank_lines_and_comments_at_the_margin() -> None:
    assert [is_blank(line) for line in ("", " \t", "# a", "#412", " # a", "end")] == [True] * 4 + [False] * 2


# --- Quotes ---


def test_quotes_in_quotes() -> None:
    assert words_of(lex('scene "The ""Long"" Ebb" “a "b" c” """"')) == ['The "Long" Ebb', 'a "b" c', '"']


def test_a_quoted_token_knows_it_and_joiners_count_outside_quotes_only() -> None:
    (token,) = lex('place "Salt + Sons"+Zel,Jon').tokens

    assert not token.bare
    assert not token.quoted
    assert [(part.text, part.quoted) for part in token.split("+,")] == [
        ("Salt + Sons", True),
        ("Zel", False),
        ("Jon", False),
    ]


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ('say "Zel', 5),
        ("say “Zel: a", 5),
        ("say Zel”", 8),
        ('"say" Zel', 1),
        ("= JH", 1),
        ("", 1),
        ("# a", 1),
    ],
)
def test_unreadable_input_is_located(line: str, column: int) -> None:
    assert refused(line).column == column


def test_columns_count_from_one() -> None:
    assert [token.column for token in lex('say  Zel "a b" c').tokens] == [6, 10, 16]


# --- Flags and data ---


def test_flags_stand_anywhere_before_the_results() -> None:
    lexed = lex('move --to "Captain Thoss"+Jon Gatto --free to Aisle --at=s3:42 = +0--')

    assert words_of(lexed) == ["Gatto", "to", "Aisle"]
    assert flags_of(lexed) == {"to": "Captain Thoss+Jon", "free": None, "at": "s3:42"}


def test_a_flag_before_the_colon() -> None:
    assert flags_of(lex("overrule Ada Bea --own: No.")) == {"own": None}
    assert flags_of(lex("say Zel --clock 1:12:09: No.")) == {"clock": "1:12:09"}


def test_a_quoted_word_is_no_flag_and_dashes_alone_are_none() -> None:
    assert words_of(lex('scene "--gm" -- one --0+')) == ["--gm", "--", "one", "--0+"]


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("say Zel --gm --gm: No.", "twice"),
        ("session --date", "wants a value"),
        ("session --date --gm", "wants a value"),
        ("draw --to = JH", "wants a value"),
        ("draw --gm=yes", "not written like this"),
        ("draw --to= Zel", "not written like this"),
        ("overrule Ada Bea --own:No", "space after the colon"),
    ],
)
def test_flags_that_are_none(line: str, part: str) -> None:
    assert part in refused(line).sentence


@pytest.mark.parametrize(
    ("token", "assign"),
    [
        ("clubs=4", ("clubs", "=", "4")),
        ("Alice.hp-=2", ("Alice.hp", "-=", "2")),
        ("points+=1", ("points", "+=", "1")),
        ('"leg brace"=1d8', ("leg brace", "=", "1d8")),
        ('"leg brace"-=1', ("leg brace", "-=", "1")),
        ('by="Jo ""J"" Ann"', ("by", "=", 'Jo "J" Ann')),
        ("a=b=c", ("a", "=", "b=c")),
        ("balance=unbalanced:Fair", ("balance", "=", "unbalanced:Fair")),
        ("by=", ("by", "=", "")),
    ],
)
def test_data(token: str, assign: tuple[str, str, str]) -> None:
    ((key, op, value),) = lex(f"cast Zel {token}").assigns

    assert (key.text, op, value.text) == assign


def test_a_quoted_key_is_not_an_assignment() -> None:
    assert lex('cast Zel "a=b" +=2').assigns == ()


# --- A line within a line ---


def test_the_line_behind_expect_refused() -> None:
    inner = lex("expect refused draw Zel 4 --gm = JH: too many").rest()

    assert inner == lex("draw Zel 4 --gm = JH: too many")


def test_nothing_behind_expect_refused() -> None:
    with pytest.raises(Unreadable, match="whole line"):
        lex("expect refused").rest()


# --- Characters ---


@pytest.mark.parametrize("letter", ["\0", "\x07", "\r", "\x0b", "\x85", "\x9f", "\ud800"])
def test_control_characters_are_refused_with_their_column(letter: str) -> None:
    assert refused(f"say Zel: a{letter}b").column == 11


def test_text_is_kept_as_it_was_typed() -> None:
    assert lex("say Zel: e\u0301 \u00e9\u00a0\u2028x").text == "e\u0301 \u00e9\u00a0\u2028x"
    assert lex("say\u00a0Zel: a\r\n").text == "a"


def column_of(read: Callable[[], Lexed]) -> int:
    try:
        return read().verb.column
    except Unreadable as unreadable:
        return unreadable.column


@given(st.text(ALPHABET))
def test_lexing_raises_nothing_but_unreadable(line: str) -> None:
    for start in ("", "say ", "say Zel: a\n "):
        assert column_of(partial(lex, start + line)) >= 1


@given(st.lists(st.text(ALPHABET)), st.booleans())
def test_lexing_words_raises_nothing_but_unreadable(words: list[str], takes_text: bool) -> None:
    assert column_of(lambda: lex_words(words, lambda _: takes_text)) >= 1


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('"It rains: hard."', "It rains: hard."),
        ("  “A lamp.” ", "A lamp."),
        ('"He said ""no""."', 'He said "no".'),
        ('"a" "b"', None),
        ('"a""b"', 'a"b'),
        ('"a"b', None),
        ('"a": b', None),
        ('"a" # b', None),
        ('"  "', None),
        ("a", None),
        ('"a', None),
        ('"a\n  b"', None),
        ("", None),
    ],
)
def test_a_line_may_be_nothing_but_a_text_in_quotes(line: str, text: str | None) -> None:
    assert only_quoted_text(line) == text
