"""The language of a log's words is proposed where it is clear, and nobody is asked about English."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from journal.refused import Refused
from retold.sources.answers import Answers, read_answers
from retold.sources.languages import Heard, check_language
from retold.sources.questions import About, questions
from retold.sources.reporting import Report
from retold.sources.survey import Cast, Survey
from retold.sources.unit import Place, Sort, Unit

WORDS: dict[str, str] = tomllib.loads((Path(__file__).parents[2] / "data/languages.toml").read_text("utf-8"))


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


def survey(text: str, **more: object) -> Survey:
    found = Survey(Report("chat"), (), can_mark=True)
    for number in range(6):
        found.add(Unit(Place(1, number), str(number), Sort.SAID, text, speaker="Mary", **more))  # type: ignore[arg-type]
    return found


def asked(answers: Answers, found: Survey) -> list[object]:
    return [one.proposal for one in questions(answers, found) if one.about is About.LANGUAGE]


def test_a_language_that_is_not_english_is_proposed() -> None:
    assert asked(Answers(), survey(WORDS["es"])) == [(("language", "es"),)]
    assert asked(Answers(), survey(WORDS["en"])) == []
    assert asked(Answers(language="es"), survey(WORDS["es"])) == []
    assert asked(Answers(), survey(WORDS["es"], hidden=True)) == []
    named = survey(WORDS["es"])
    named.cast = Cast(has_language=True)
    assert asked(Answers(), named) == []


def test_an_answer_is_the_tag_of_a_language() -> None:
    assert read_answers('language = "pt-BR"\n', "x.toml").language == "pt-BR"
    with pytest.raises(Refused, match="line 1: 'Spanish it is' is no tag of a language; write it as es"):
        read_answers('language = "Spanish it is"\n', "x.toml")
    assert check_language("zh-Hant-TW") == "zh-Hant-TW"
