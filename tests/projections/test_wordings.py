"""Wordings in prose: a consequence that no later text uses and the reason for an award are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.__main__ import main

EVENING = """\
campaign The Quay
cast gm by=Runa
cast Gatto edgerunner by=Teo athletics=3 resolve=2: A bodyguard
cast Hargan edgerunner by=Ewan intimidation=3 skill.cool=3: A guard
session One --date 2026-03-14
scene The quay: Fog.
"""


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("RETOLD_CAMPAIGN", raising=False)


def story(tmp_path: Path, *lines: str, voice: str = "prose") -> list[str]:
    """The paragraphs under the scene, as Markdown tells them."""
    script, told = tmp_path / "evening.session", tmp_path / "told.md"
    script.write_text(EVENING + "\n".join(lines) + "\n", "utf-8")
    campaign = str(tmp_path / "quay.retold")
    assert main(["run", "--new", "-q", "-c", campaign, str(script)]) == 0
    assert (
        main(["-c", campaign, "export", "--for", "gm", "--voice", voice, "-f", "markdown", "-o", str(told)])
        == 0
    )
    return told.read_text("utf-8").partition("## The quay\n")[2].strip().split("\n\n")


def test_the_reason_for_an_award_is_table_talk(tmp_path: Path) -> None:
    told = story(tmp_path, "game d20", "inspiration Gatto on: For the rope.", "narrate gm: It rains.")

    assert told == ["Fog. It rains."]


def test_words_with_a_track_belong_to_its_owner_if_they_say_i(tmp_path: Path) -> None:
    told = story(tmp_path, "game d20", "hp Gatto 8: It takes him in the ribs.", "hp Gatto 5: My own knife.")

    assert told == ["Fog. It takes him in the ribs.", "**Gatto:** My own knife."]


def test_words_with_an_aspect_of_a_person_belong_to_that_person(tmp_path: Path) -> None:
    told = story(tmp_path, "aspect Gatto Would rather build boats: I took one of them.")

    assert told == ["Fog. Gatto would rather build boats.", "**Gatto:** I took one of them."]


def test_an_aspect_that_begins_with_a_verb_goes_on_behind_its_person(tmp_path: Path) -> None:
    told = story(tmp_path, "aspect Gatto Would rather build boats: He took one of them.")

    assert told == ["Fog.", "Gatto would rather build boats. He took one of them."]


@pytest.mark.parametrize(
    ("holder", "told"),
    [("Three farms", "Fog. Three farms know when to sow."), ("The farm", "Fog. They know when to sow.")],
)
def test_an_aspect_of_several_things_has_their_name(tmp_path: Path, holder: str, told: str) -> None:
    assert story(tmp_path, f'aspect "{holder}" They know when to sow') == [told]


def test_a_purpose_typed_as_a_sentence_is_told(tmp_path: Path) -> None:
    told = story(tmp_path, "roll Gatto 1d6 = 4: Shoulder first.", "roll Gatto 1d6 = 4: the lock")

    assert told == ["Fog.", "**Gatto:** Shoulder first."]


def test_words_on_an_aspect_of_a_thing_have_no_speaker(tmp_path: Path) -> None:
    assert story(tmp_path, "aspect Warehouse A chain: It swings.") == ["Fog. There is a chain. It swings."]
