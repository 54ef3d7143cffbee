"""Pronouns that begin a text: a name in their place, and a label that they make needless."""

from __future__ import annotations

import pytest

from retold.projections.prose.pronouns import begins_with_own, with_name
from retold.projections.prose.telling import Tag
from retold.projections.story.document import Paragraph, Passage, Scene


@pytest.mark.parametrize(
    ("text", "name", "pronoun", "told"),
    [
        ("She gets her shoulder under it.", "Jade", "she", "Jade gets her shoulder under it."),
        ("She's at the door.", "Jade", "she", "Jade's at the door."),
        ("Her hands shake.", "Jade", "she", "Jade\u2019s hands shake."),
        (
            "He laughs, and it isn't unkind.",
            "Captain Rusk",
            "he",
            "Captain Rusk laughs, and it isn't unkind.",
        ),
        ("His lamp doesn't burn.", "Thugs", "he", "Thugs' lamp doesn't burn."),
        ("Their hands shake.", "Mo", "they", "Mo\u2019s hands shake."),
        ("He runs. He falls.", "Rusk", "he", "Rusk runs. He falls."),
        ("She says: “Jade never runs.”", "Jade", "she", "Jade says: “Jade never runs.”"),
    ],
)
def test_a_name_replaces_the_first_pronoun(text: str, name: str, pronoun: str, told: str) -> None:
    assert begins_with_own(text, pronoun)
    assert with_name(text, name, pronoun) == told


@pytest.mark.parametrize(
    ("text", "pronoun"),
    [
        ("They run for it.", "they"),
        ("He runs for it.", "she"),
        ("Hers is the blue one.", "she"),
        ("Sherry runs out.", "she"),
        ("“She runs,” says the boy.", "she"),
        ("And she runs.", "she"),
        ("She'll be back.", "she"),
        ("She, too.", "she"),
        ("She who dares wins.", "she"),
        ("Her too.", "she"),
        ("Her and the boy against the rest.", "she"),
        ("Her turn.", "she"),
        ("Her I trust with it.", "she"),
        ("Her with the knife, of all people.", "she"),
        ("Her Majesty the queen waves.", "she"),
        ("She and I run.", "she"),
        ("She falls, and Jade laughs.", "she"),
        ("It rains on the lamps.", "it"),
        ("She runs.", ""),
        ("", "she"),
    ],
)
def test_elsewhere_the_words_stay(text: str, pronoun: str) -> None:
    assert with_name(text, "Jade", pronoun) is None


def test_a_name_in_small_letters_begins_no_sentence() -> None:
    assert with_name("She runs.", "jade", "she") is None


def told(speaker: str, text: str, pronoun: str) -> Paragraph:
    """A paragraph of a story; the game master's if nobody tells it."""
    return Paragraph(
        text, Tag.NARRATION, text, speaker or None, label=speaker, spare=True, begins=True, pronoun=pronoun
    )


def labels(*paragraphs: Paragraph) -> list[str | None]:
    shown = Scene(None, None, None, (Passage(None, paragraphs),)).running()
    return [paragraph.label for paragraph in shown.paragraphs()]


JADE, RUSK = told("Jade", "The lock gives.", "she"), told("Rusk", "Rusk laughs.", "he")
HER = told("Jade", "Her hands shake.", "she")
NARRATED = told("", "The door opens on Jade.", "")


@pytest.mark.parametrize(
    ("paragraphs", "shown"),
    [((NARRATED, HER, RUSK), ["", "Jade", ""]), ((JADE, RUSK, HER), ["Jade", "", "Jade"])],
)
def test_a_pronoun_alone_keeps_the_label(paragraphs: tuple[Paragraph, ...], shown: list[str]) -> None:
    assert labels(*paragraphs) == shown
