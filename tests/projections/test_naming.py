"""Names in running text: left out where the text makes clear who tells it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from projections.document import Mechanic, Paragraph
from projections.prose.telling import Tag
from projections.running_text import in_rounds, sparingly_named


def told(speaker: str | None, text: str, kind: Tag = Tag.NARRATION) -> Paragraph:
    """A paragraph of a story."""
    tags = None if speaker is None else (f"said {speaker}", f"asked {speaker}")
    return Paragraph("e1", kind, text, speaker, label=speaker or "", spare=True, tags=tags)


def said(speaker: str, text: str) -> Paragraph:
    return told(speaker, text, Tag.SPEECH)


def shown(*paragraphs: Paragraph) -> Sequence[tuple[str, str]]:
    """Labels and texts as running text has them; speech without a tag has no marks yet."""
    named = sparingly_named(paragraphs, frozenset())
    return [(paragraph.label or "", paragraph.text) for paragraph in named]


@pytest.mark.parametrize(
    ("text", "run"),
    [
        ("Past them.", "“Past them,” said Zel."),
        ("Past them. Just past them.", "“Past them,” said Zel. “Just past them.”"),
        ("Who goes there?", "“Who goes there?” asked Zel."),
        ("Who? Say it.", "“Who?” asked Zel. “Say it.”"),
        ("Duck!", "“Duck!” said Zel."),
        ("Duck", "“Duck,” said Zel."),
        ("I wonder…", "“I wonder…” said Zel."),
        ("Ask Mr. Abbot.", "“Ask Mr. Abbot,” said Zel."),
    ],
)
def test_speech_has_a_tag_behind_its_first_sentence(text: str, run: str) -> None:
    assert shown(said("Zel", text)) == [("", run)]


def test_speech_of_two_paragraphs_keeps_its_label() -> None:
    assert shown(said("Zel", "One.\n\nTwo.")) == [("Zel", "One.\n\nTwo.")]


def test_a_conversation_of_two_has_two_tags() -> None:
    run = shown(said("Zel", "Go."), said("Bo", "No."), said("Zel", "Go!"), said("Bo", "Well."))

    assert [text for _, text in run] == ["“Go,” said Zel.", "“No,” said Bo.", "Go!", "Well."]


def test_a_conversation_of_three_names_whoever_is_not_answering() -> None:
    run = shown(
        said("Zel", "Go."), said("Bo", "No."), said("Ada", "Go!"), said("Bo", "Well."), said("Zel", "So.")
    )

    assert [text for _, text in run] == [
        "“Go,” said Zel.",
        "“No,” said Bo.",
        "“Go!” said Ada.",
        "Well.",
        "“So,” said Zel.",
    ]


def test_a_text_with_its_tellers_name_has_no_label() -> None:
    run = shown(told("The Concierge", "The Concierge looks up. I see it."), told("Bo", "Bo runs. So it is."))

    assert [label for label, _ in run] == ["The Concierge", ""]


def test_the_last_one_who_said_i_says_it_without_a_label() -> None:
    run = shown(
        told("Zel", "I run."), told(None, "It rains."), told("Zel", "I fall."), told("Bo", "I do not.")
    )

    assert [label for label, _ in run] == ["Zel", "", "", "Bo"]


def test_behind_mechanics_a_name_stands_again() -> None:
    rolled = told("Zel", "I run.")
    rolled = Paragraph(
        **{name: getattr(rolled, name) for name in rolled.__struct_fields__}
        | {"mechanics": (Mechanic("e2", "table.dice-rolled", "1d6 = 4"),)}
    )

    assert [label for label, _ in shown(rolled, told("Zel", "I fall."))] == ["Zel", "Zel"]


def test_words_for_some_readers_keep_their_label() -> None:
    secret = Paragraph(
        "e3", Tag.SPEECH, "Go.", "Zel", label="Zel (for the GM)", eyes="for the GM", spare=True
    )

    assert shown(secret) == [("Zel (for the GM)", "Go.")]


def test_a_report_keeps_its_labels() -> None:
    report = Paragraph("e3", Tag.NARRATION, "Zel runs.", "Zel", label="Zel")

    assert shown(report) == [("Zel", "Zel runs.")]


def test_a_round_of_one_sentence_each_is_one_block_under_all_names() -> None:
    block = list(
        in_rounds([told("Zel", "I run."), told("Bo", "I stay."), told("Ada", "I wait.")], frozenset())
    )

    assert [(one.label, one.text) for one in block] == [("Zel, Bo, Ada", "I run. I stay. I wait.")]


@pytest.mark.parametrize(
    "texts",
    [
        ("I run.", "I stay."),
        ("I run.", "I stay. So.", "I wait."),
        ("I run.", "“Stay.”", "I wait."),
        ("I run.", "No end", "I wait."),
    ],
)
def test_whose_sentence_is_unsure_stands_apart(texts: Sequence[str]) -> None:
    round_ = [told(who, text) for who, text in zip(("Zel", "Bo", "Ada"), texts, strict=False)]

    assert list(in_rounds(round_, frozenset())) == round_


def test_an_i_after_the_speech_of_somebody_else_has_its_name_again() -> None:
    run = shown(told("Gatto", "I run."), said("Hargan", "No way."), told("Gatto", "I fall."))

    assert run == [("Gatto", "I run."), ("", "“No way,” said Hargan."), ("Gatto", "I fall.")]
