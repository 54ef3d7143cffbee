"""Words that are not a sentence stand with the number they were typed with; whose I it is (issue 37)."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.campaign import Campaign
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import export
from retold.projections.exports.page_elements import label
from retold.projections.reading import GAME_MASTER, LineView
from retold.projections.story import transcript
from retold.projections.story.document import Transcript

PLAYED = (
    *("cast gm by=Nell", "game whiskey", "cast Maren by=Tilda combat=11 base=3 die=1 hp=18"),
    *("cast Dorn combat=12 base=4 die=1 hp=20", "cast Tam+Oona combat=9 base=2 die=1 hp=9"),
    *("session One", "scene The lock", "conflict Maren vs Dorn"),
)


def told(folder: Path, *lines: str, voice: str = "report") -> Transcript:
    with CampaignStore.create(folder / "x.retold") as store:
        campaign = Campaign.of(store)
        for line in (*PLAYED, *lines):
            campaign.say(line)
        return transcript.of_session(LineView(store, 1, viewer=GAME_MASTER), 1, voice=voice)


def texts(shown: Transcript) -> list[tuple[str, str]]:
    passages = (passage for scene in shown.running().scenes for passage in scene.passages)
    every = (one for passage in passages for one in passage.paragraphs)
    return [(label(one), one.text) for one in every if one.text and not one.generated]


def exported(name: str, shown: Transcript, mechanics: str) -> str:
    return export(name, shown, mechanics).decode()


@pytest.mark.parametrize("voice", ["report", "prose"])
@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("clock Water +1: the wheel turns", "clock Water +1: The wheel turns."),
        ("gold +9: off the bailiffs", "gold +9: They had nine shillings on them."),
        ("roll d6 = 5: does the gate hold", "roll d6 = 5: Does the gate hold?"),
    ],
)
def test_Q37_a_label_is_no_paragraph_and_a_sentence_is(
    tmp_path: Path, line: str, sentence: str, voice: str
) -> None:
    before = texts(told(tmp_path, "clock Water 4", voice=voice))
    (tmp_path / "x.retold").unlink()
    labelled = texts(told(tmp_path, "clock Water 4", line, voice=voice))
    (tmp_path / "x.retold").unlink()

    assert labelled == before
    assert len(texts(told(tmp_path, "clock Water 4", sentence, voice=voice))) == len(before) + 1


def test_Q37_the_numbers_have_the_label_and_the_reason_of_a_ruling(tmp_path: Path) -> None:
    shown = told(tmp_path, "clock Water 4", "clock Water +1: the wheel turns", "hp Dorn -2: burning")

    page = exported("text", shown, "inline")
    assert "clock 1 “Water”: 0 to 1/4: “the wheel turns”" in page
    assert "ruling Dorn.hp -= 2: “burning”" in page


def test_Q37_what_a_check_is_for_is_tried(tmp_path: Path) -> None:
    assert ("Dorn tries", "that he means it") in texts(
        told(tmp_path, "check Dorn 9 vs 11 = 3H 1: that he means it")
    )
    (tmp_path / "x.retold").unlink()
    assert ("Dorn declares", "I mean it.") in texts(told(tmp_path, "check Dorn 9 vs 11 = 3H 1: I mean it."))


def test_Q37_all_who_come_in_are_named(tmp_path: Path) -> None:
    assert ("Tam and Oona join Maren", "up the ropes") in texts(
        told(tmp_path, "join Tam+Oona Maren: up the ropes")
    )


@pytest.mark.parametrize(
    ("declared", "tag"),
    [("Stay behind me, child", "“Last chance,” says Maren"), ("I go first.", "“Last chance,” I say")],
)
def test_Q37_me_in_addressed_words_makes_no_first_person_teller(
    tmp_path: Path, declared: str, tag: str
) -> None:
    rain = "narrate: Rain falls on the lock."
    spoken = ("Maren: Open up, old man.", "Dorn: Never.", rain, "Maren: Last chance.", rain)
    shown = told(tmp_path, *spoken, f"declare Maren guard: {declared}", voice="prose")

    assert tag in exported("text", shown, "none")
