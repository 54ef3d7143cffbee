"""Layout of a diary: entries with their numbers and the names of their tellers."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

import retold
from benchmarks import labels
from retold.projections.prose import VOICES
from retold.projections.prose.telling import Tag
from retold.projections.story.document import Paragraph, Passage, in_entries


def told(speaker: str | None, text: str, **fields: object) -> Paragraph:
    paragraph = Paragraph("e1", Tag.NARRATION, text, speaker, label=speaker or "")
    return replace(paragraph, **fields)


def heads(*paragraphs: Paragraph) -> list[str]:
    """Labels of the paragraphs in a diary."""
    (passage,) = in_entries([Passage(None, paragraphs)])
    assert [paragraph.text for paragraph in passage.paragraphs] == [
        paragraph.text for paragraph in paragraphs
    ]
    return [paragraph.label or "" for paragraph in passage.paragraphs]


def test_an_entry_names_its_tellers_in_their_order() -> None:
    entry = told("Zel", "I run."), told(None, "It rains."), told("Bo", "I follow."), told("Zel", "I fall.")

    assert heads(*entry) == ["1. Zel, Bo, Zel", "", "", ""]


def test_narration_precedes_an_entry_without_a_head() -> None:
    assert heads(told(None, "It rains."), told("Zel", "I run.")) == ["", "1. Zel"]


def test_an_ellipsis_is_the_narrator_where_the_order_would_not_say_who_tells() -> None:
    entry = told("Zel", "I run."), told(None, "It rains."), told("Bo", "He laughs.")

    assert heads(*entry) == ["1. Zel, …, Bo", "", ""]
    assert heads(told("Zel", "I run."), told(None, "It rains."), told("Zel", "I fall.")) == [
        "1. Zel, …, Zel",
        "",
        "",
    ]


def test_an_entry_is_full_after_six_names_or_some_words() -> None:
    people = [told(name, "I run.") for name in "ABCDEFG"]

    assert heads(*people) == ["1. A, B, C, D, E, F", *[""] * 5, "2. G"]
    assert heads(told("A", "I run. " * 90), told("B", "I fall.")) == ["1. A", "2. B"]
    assert heads(told("A", "I run. " * 70), told("B", "I fall.", begins=True)) == ["1. A", "2. B"]


def test_a_secret_keeps_its_label_and_ends_the_entry() -> None:
    secret = told("Bo", "I know.", eyes="for Bo", label="Bo (for Bo)")

    assert heads(told("A", "I run."), secret, told("A", "I fall.")) == ["1. A", "Bo (for Bo)", "2. A"]


def test_an_entry_ends_after_two_consecutive_texts_of_one_teller() -> None:
    assert heads(told("A", "I run."), told("A", "I fall."), told("B", "I look.")) == ["1. A", "", "2. B"]


def test_every_format_of_running_text_has_the_entries(tmp_path: Path) -> None:
    with retold.new(tmp_path / "a.retold") as campaign:
        campaign.play(
            "cast Zel by=Jo\ncast Bo by=Al\nsession One\nnarrate Zel: I run.\nnarrate Bo: I follow.\n"
        )
        voice = replace(VOICES["prose"], diary=True)
        pages = [
            campaign.export(name, voice=voice).decode() for name in ("markdown", "html", "text", "fragment")
        ]

        assert all("Zel, Bo:" in page for page in pages)
        assert "Zel, Bo" not in campaign.export("json", voice=voice).decode()


def test_a_third_person_session_has_few_name_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path))
    counted = labels.pages(labels.THIRD_PERSON)

    assert counted["prose"].per_thousand <= labels.IN_THIRD_PERSON
    assert counted["report"].per_thousand > labels.IN_THIRD_PERSON
