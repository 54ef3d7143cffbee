"""The page of statistics: whole, self-contained, safe, and every bar says what it is."""

from __future__ import annotations

import re

import html5lib
import pytest

from retold.journal.refused import Refused
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from retold.projections.statistics import LONGEST, TOPICS, count, page, picture
from retold.projections.statistics.luck import TOO_FEW
from retold.projections.views.sheet import Bar, Chart
from tests.projections.statistics.played import Evening

XHTML = "{http://www.w3.org/1999/xhtml}"
HOSTILE = 'Z<b>el</b> & "Co" \u202e\x1b[31m'
PLAYED = """
session One
cast Zel bruise by=Jon clubs=4 melee=2
cast Ash bruise by=Kim clubs=3 melee=1
conflict "Out" bruise Zel vs Ash
draw Zel clubs+melee = JH JD 10S 7C 4C 3D
draw Ash 2 = 2C 3C
colour hearts
narrate Zel: One last cry.
end conflict
roll Zel 30d6 = 1 1 2 3 4 5 6 2 3 4 5 6 2 3 4 5 6 2 3 4 5 6 2 3 4 5 6 2 3 4
"""


def made(evening: Evening, title: str = "In numbers") -> str:
    return page(title, ["mainline at 7"], count(evening.asked())).decode()


def bars(text: str) -> list[str]:
    """What is said of each bar, its label first."""
    tree = html5lib.HTMLParser(strict=True).parse(text)
    charts = (one for one in tree.iter(f"{XHTML}ul") if one.get("class") == "chart")
    return [
        ": ".join(part.text or "" for part in bar.iter(f"{XHTML}span"))
        for chart in charts
        for bar in chart.iter(f"{XHTML}li")
    ]


def test_every_bar_says_in_words_what_it_is(evening: Evening) -> None:
    said = bars(made(evening.play(PLAYED)))

    assert "1: 2, expected 5.0 (-3.0)" in said
    assert "Zel: 3 (100%)" in said
    assert "Out: 0:05:00" in said


def test_the_page_is_valid_html_and_loads_nothing(evening: Evening) -> None:
    text = made(evening.play(PLAYED))

    html5lib.HTMLParser(strict=True).parse(text)  # raises where it is not
    assert not re.search(r"(?:src|href)=|url\(|@import|<script|https?://", text)
    assert "default-src 'none'" in text
    assert "prefers-color-scheme: dark" in text
    assert [topic for topic in TOPICS if f'<h2 id="{topic}">' not in text] == []


def test_what_people_typed_is_only_ever_text(evening: Evening) -> None:
    writer = evening.play("session One").scribe.writer
    writer.record(c.Cast(who=Words(HOSTILE), by=Words("Jon")))
    writer.record(c.Narrate(who=1, text=Words("Hello.")))
    text = made(evening, HOSTILE)

    assert "<b>" not in text
    assert not {"\u202e", "\x1b"} & set(text)
    assert "Z&lt;b&gt;el" in text


def test_W25_rows_of_too_few_results_are_named_in_one_sentence(evening: Evening) -> None:
    text = made(evening.play(PLAYED))

    assert re.search(r'<p class="notes" dir="auto">Too few to say anything: \w+ \(\d+\)', text)
    assert TOO_FEW not in text


def test_the_same_counts_make_the_same_page(evening: Evening) -> None:
    evening.play(PLAYED)

    assert made(evening) == made(evening)


def test_if_nothing_was_counted_the_page_says_so(evening: Evening) -> None:
    assert made(evening).count("Nothing to count yet.") == len(TOPICS)


def test_bars_are_drawn_to_one_scale_with_a_mark_for_what_was_expected() -> None:
    drawn = picture(Chart("Dice", "times", (Bar("1", 2, "2", 4.0), Bar("6", 8, "8", 4.0))))

    assert [(bar.length, bar.expected) for bar in drawn.bars] == [
        (LONGEST / 4, LONGEST / 2),
        (LONGEST, LONGEST / 2),
    ]


def test_bars_without_any_length_are_drawn_all_the_same() -> None:
    assert [bar.length for bar in picture(Chart("Words", "words", (Bar("a", 0, "0"),))).bars] == [0]


@pytest.mark.parametrize(("session", "sentence"), [(3, "The last is 1."), (0, "The last is 1.")])
def test_a_session_there_is_not_is_refused(evening: Evening, session: int, sentence: str) -> None:
    with pytest.raises(Refused, match=f"There is no session {session}. {sentence}"):
        count(evening.play(PLAYED).asked(), session=session)


def test_only_what_is_asked_for_is_counted(evening: Evening) -> None:
    assert list(count(evening.asked(), ("time", "luck"))) == ["time", "luck"]
    assert list(count(evening.asked())) == list(TOPICS)
