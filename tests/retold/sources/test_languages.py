"""The language of a log's words is proposed where it is clear, and nobody is asked about English."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from retold.journal.refused import Refused
from retold.sources.answers import Answers, Use, read_answers
from retold.sources.languages import Heard, check_language
from retold.sources.questions import About, questions
from retold.sources.reporting import Report
from retold.sources.survey import Cast, Survey, survey
from retold.sources.unit import Place, Sort, Unit
from tests.retold.importing.given import source, unit

WORDS: dict[str, str] = tomllib.loads((Path(__file__).parents[2] / "data/languages.toml").read_text("utf-8"))

NEIGHBOURS = (
    "Færgen har ligget stille siden middag, og der er ikke nogen på den. Jeg går ned med en lampe.",
    "Ferga har ligget stille siden middag, og det er ikke noen på den. Jeg går ned med en lampe.",
)
"""Danish and Norwegian, which are too much alike to be told apart, and neither is Swedish."""


def heard(text: str, times: int = 5) -> Heard:
    found = Heard()
    for _ in range(times):
        found.add(text)
    return found


@pytest.mark.parametrize("language", WORDS)
def test_the_language_of_some_lines_is_known(language: str) -> None:
    assert heard(WORDS[language]).language == language


@pytest.mark.parametrize(
    "text", ["", "Zel: 3d6 = 11", "El barco no se mueve.", f"{WORDS['es']} {WORDS['en']}", "lamba " * 80]
)
def test_what_is_not_clear_is_no_language(text: str) -> None:
    assert heard(text, 1).language == ""


@pytest.mark.parametrize("text", NEIGHBOURS)
def test_a_language_is_not_taken_for_its_neighbour(text: str) -> None:
    assert heard(text).language == ""


def looked_at(text: str, *, is_for_all: bool = True) -> Survey:
    found = Survey(Report("chat"), (), can_mark=True)
    for number in range(6):
        found.add(Unit(Place(1, number), str(number), Sort.SAID, text, speaker="Mary"), is_for_all=is_for_all)
    return found


def asked(answers: Answers, found: Survey) -> list[object]:
    return [one.proposal for one in questions(answers, found) if one.about is About.LANGUAGE]


def test_a_language_that_is_not_english_is_proposed() -> None:
    assert asked(Answers(), looked_at(WORDS["es"])) == [(("language", "es"),)]
    assert asked(Answers(), looked_at(WORDS["en"])) == []
    assert asked(Answers(language="es"), looked_at(WORDS["es"])) == []
    assert asked(Answers(), looked_at(WORDS["es"], is_for_all=False)) == []
    named = looked_at(WORDS["es"])
    named.cast = Cast(has_language=True)
    assert asked(Answers(), named) == []


@pytest.mark.parametrize("use", [Use.NOTES, Use.SKIP])
def test_words_that_the_table_will_not_see_say_nothing(use: Use) -> None:
    log = source(*(unit(f"a{n}", "Mary", WORDS["es"], n, channel="plans") for n in range(6)))

    assert survey([log]).heard.language == "es"
    assert survey([log], Answers(channels={"plans": use})).heard.language == ""


def test_an_answer_is_the_tag_of_a_language() -> None:
    assert read_answers('language = "pt-BR"\n', "x.toml").language == "pt-BR"
    with pytest.raises(Refused, match="line 1: 'Spanish it is' is no tag of a language; write it as es"):
        read_answers('language = "Spanish it is"\n', "x.toml")
    assert check_language("zh-Hant-TW") == "zh-Hant-TW"
