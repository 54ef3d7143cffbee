"""Marks within texts: read from what people type, and written so that they are read again."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from retold.journal.marks import Run, Signs, as_words, may_have_marks, plain, runs, with_signs, written

SIGNS = Signs("<i>", "</i>", "<b>", "</b>")

TYPED = st.text(alphabet="ab7 *_\\\"'\n(.,-é😀字", max_size=40)
MARKED = st.lists(st.builds(Run, TYPED, st.booleans(), st.booleans()), max_size=6)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Take it, and *run*.", "Take it, and <i>run</i>."),
        ("_whispers_ to Zel", "<i>whispers</i> to Zel"),
        ("The **old** ferry", "The <b>old</b> ferry"),
        ("***Bold and italic*** here", "<b><i>Bold and italic</i></b> here"),
        ("**bold *and it***", "<b>bold <i>and it</i></b>"),
        ("***bold** and it*", "<i><b>bold</b> and it</i>"),
        ("***it* and bold**", "<b><i>it</i> and bold</b>"),
        ('"Go *now*."', '"Go <i>now</i>."'),
        ('*"Go," he says*', '<i>"Go," he says</i>'),
        ("*Mary Rose*'s deck", "<i>Mary Rose</i>'s deck"),
        ("(*see below*)—*or not*", "(<i>see below</i>)—<i>or not</i>"),
        ("*two lines\nof one text*", "<i>two lines\nof one text</i>"),
        ("«*oui*», 「*はい*」", "«<i>oui</i>», 「<i>はい</i>」"),
        ("他说*快跑*、**现在**就走", "他说<i>快跑</i>、<b>现在</b>就走"),
        ("*이름*은", "<i>이름</i>은"),
        ("*_both_* and **a __b__ **c****", "<i>both</i> and **a __b__ **c****"),
        ("*a _b_ c*", "<i>a b c</i>"),
    ],
)
def test_T6_emphasis_is_read(typed: str, shown: str) -> None:
    assert with_signs(typed, SIGNS) == shown


@pytest.mark.parametrize(
    "typed",
    [
        *("2*3", "5 * 4 * 3", "*", "**", "***", "* * *", "* item", "10d10*2 and 2d6*", "a*b*c"),
        *("snake_case", "_private and _other", "__init__", "____", "^_^ >_< -_-", "(*_*)", "*-*"),
        *(
            r"\*",
            r"\_",
            r"Type \*.",
            r"a \* b",
            r"¯\_(ツ)_/¯",
            "¯_(ツ)_/¯",
            "https://e.org/_foo_/x_y_z",
            "C:\\*.txt",
        ),
        *("f(*args, **kwargs)", "price* and *tax excluded", "un*believ*able", "*a\n\nb*", "~~x~~ `y` ||z||"),
        *("תלמידים*ות ומורים*ות", "Spieler*innen und Freund*innen", "伤害*2*3", "力量*2+敏捷*3"),
        *("*", "_", "*a", "a*", "**a*", "* a *", "****a****", "# A heading", "[a](b) <i>c</i> &amp;"),
    ],
)
def test_B2_signs_that_are_no_marks_stay_as_typed(typed: str) -> None:
    assert (plain(typed), with_signs(typed, SIGNS)) == (typed, typed)


def test_marks_behind_a_backslash_are_words() -> None:
    assert plain(r"\*run\* and \**go\**") == "*run* and **go**"


@given(TYPED)
@example(r"\*run\*")
@example(r"\\_-_a_\\_")
def test_words_are_written_so_that_none_is_a_mark(words: str) -> None:
    text = as_words(words)

    assert plain(text) == words
    assert not any(run.emphasis or run.strong for run in runs(text))


@given(MARKED)
@example([Run("a ", emphasis=True), Run("b", strong=True), Run(" c", emphasis=True, strong=True)])
def test_what_is_written_has_the_words_and_is_read_again(told: list[Run]) -> None:
    text = written(told)

    assert plain(text) == "".join(run.text for run in told)
    assert written(runs(text)) == text


@given(TYPED)
def test_the_runs_of_a_text_have_its_words(typed: str) -> None:
    assert "".join(run.text for run in runs(typed)) == plain(typed)
    assert not any(run.emphasis or run.strong for run in runs(typed)) or may_have_marks(typed)


@given(TYPED)
def test_marks_stand_within_each_other(typed: str) -> None:
    opened: list[str] = []
    for sign in with_signs(typed, Signs("\1", "\2", "\3", "\4")):
        if sign in "\1\3":
            opened.append(sign)
        elif sign in "\2\4":
            assert opened.pop() == {"\2": "\1", "\4": "\3"}[sign]

    assert opened == []


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ([Run("Take it, and "), Run("run", emphasis=True), Run(".")], "Take it, and *run*."),
        ([Run("a "), Run(" b ", strong=True), Run("c")], "a  **b** c"),
        ([Run("un"), Run("believ", emphasis=True), Run("able")], "unbelievable"),
        ([Run("one\n\ntwo", emphasis=True)], "*one*\n\n*two*"),
        ([Run("typed *so*")], r"typed \*so\*"),
        ([Run("bold ", strong=True), Run("both", emphasis=True, strong=True)], "**bold _both_**"),
    ],
)
def test_T6_marks_are_written(told: list[Run], text: str) -> None:
    assert written(told) == text


@pytest.mark.parametrize("signs", ["*", "*a ", "*_", "**a *b ", "\\*a\\", "_a* ", "***a ", "\\"])
def test_hostile_texts_are_read_in_time_linear_in_their_length(signs: str) -> None:
    text = signs * (200_000 // len(signs)) + " *last*"

    assert plain(text).endswith(" last")


def test_many_runs_with_marks_that_alternate_keep_their_words() -> None:
    told = [Run(f"w{n} ", emphasis=n % 2 == 0, strong=n % 4 > 0) for n in range(3_000)]

    assert plain(written(told)) == "".join(run.text for run in told)
