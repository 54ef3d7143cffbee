"""Characters named in front of words, and the habits of people who put speech in quotation marks."""

from __future__ import annotations

import pytest

from retold.sources.characters import Characters
from retold.sources.unit import Place, Reason, Sort, Unit


def said(text: str, speaker: str = "Mary", **fields: object) -> Unit:
    return Unit(Place(1, 1), "1", Sort.SAID, text, speaker=speaker, account=speaker, **fields)  # type: ignore[arg-type]


def read(*units: Unit, names: tuple[str, ...] = ()) -> list[tuple[Sort, str, str]]:
    characters = Characters(names)
    return [(unit.sort, unit.speaker, unit.text) for unit in map(characters.of, units)]


@pytest.mark.parametrize(
    "text",
    [
        'Osk: "Hello."',
        '**Osk:** "Hello."',
        '**Osk**: "Hello."',
        '[Osk] "Hello."',
        '[Osk]: "Hello."',
        '(Osk) "Hello."',
    ],
)
def test_a_name_in_front_of_a_quotation_is_the_speakers(text: str) -> None:
    assert read(said(text)) == [(Sort.SAID, "Osk", '"Hello."')]


def test_a_name_in_square_brackets_speaks_and_one_in_round_ones_the_second_time() -> None:
    assert read(said("[Osk] hello"), said("(Mira) hello"), said("(Mira) again")) == [
        (Sort.SAID, "Osk", "hello"),
        (Sort.SAID, "Mary", "(Mira) hello"),
        (Sort.SAID, "Mira", "again"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "[Elvish] Hello.",
        "[Later] Rain.",
        "[ATTACK] A hit.",
        "(Laughs) No.",
        "**Weather:** rain",
        "Note: rain",
        "[sic] x",
    ],
)
def test_a_heading_or_a_language_is_no_speaker(text: str) -> None:
    assert read(said(text)) == [(Sort.SAID, "Mary", text)]


def test_a_known_name_is_the_speakers_in_any_bracket() -> None:
    assert read(said("(osk) hello"), said("**osk:** hello"), names=("Osk",)) == [
        (Sort.SAID, "osk", "hello"),
        (Sort.SAID, "osk", "hello"),
    ]


def test_a_hidden_unit_makes_no_name_known() -> None:
    assert read(said("(Mira) hello", hidden=True), said("(Mira) again"))[1] == (
        Sort.SAID,
        "Mary",
        "(Mira) again",
    )


def test_a_person_who_quotes_speech_tells_or_talks_without_quotation_marks() -> None:
    quoted = [said(f'"Line {number}."', "Ada") for number in range(3)]

    assert read(*quoted, said("nice", "Ada"), said("She walks to the bank.", "Ada"), said("nice", "Jon"))[
        3:
    ] == [
        (Sort.ASIDE, "Ada", "nice"),
        (Sort.TOLD, "Ada", "She walks to the bank."),
        (Sort.SAID, "Jon", "nice"),
    ]


def test_codes_of_pictures_are_no_words() -> None:
    (unit,) = map(Characters().of, [said("I can swim, remember? :smile:")])

    assert (unit.text, unit.passed) == ("I can swim, remember?", (Reason.MARKUP,))
    assert read(said(":smile: :+1:"), said("At 12:30:15 sharp.")) == [
        (Sort.ASIDE, "Mary", ":smile: :+1:"),
        (Sort.SAID, "Mary", "At 12:30:15 sharp."),
    ]


def test_sentences_in_lines_are_paragraphs_and_a_letter_keeps_its_lines() -> None:
    story = "You stand before the mill. It has rained for days.\nThe wheel turns."
    letter = "The letter says:\nDear Jon,\ncome alone.\nZ."

    assert [text for _, _, text in read(said(story), said(letter))] == [story.replace("\n", "\n\n"), letter]


def test_a_name_in_brackets_that_the_words_ask_about_does_not_speak() -> None:
    assert read(said("[Osk] wait, who's Osk?"), said("[Osk] hello"), said('Mira: "Mira is late."')) == [
        (Sort.ASIDE, "Mary", "[Osk] wait, who's Osk?"),
        (Sort.SAID, "Osk", "hello"),
        (Sort.SAID, "Mary", 'Mira: "Mira is late."'),
    ]
