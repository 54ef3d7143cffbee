"""Beats and paces: small acts joined in one sentence, weights of acts, and doubts for an editor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from retold.__main__ import main
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import export
from retold.projections.prose import VOICES, Voice
from retold.projections.reading import EVERYBODY, GAME_MASTER, LineView, Viewer
from retold.projections.story import transcript
from retold.projections.story.document import Transcript
from retold.projections.views import ask

BLOWS = """\
campaign Blows
game d20
cast gm by=Lene
cast Thia str=3 dex=1 health=12 ac=15 by=Ravi
cast Warden str=2 dex=0 health=8 ac=12
session One
scene The stair: Dark.
conflict "On the stair" Thia vs Warden: the silver rope
initiative = 8 12
roll Thia attack str vs 12 = 1
narrate Thia: I slip. The stair is wet, and the wall is wet, and so is everything else here tonight.
roll Warden attack str vs 15 = 5
roll Thia attack str vs 12 = 6
roll Warden attack str vs 15 = 7
roll Thia attack str vs 12 = 20
hp Warden -9: Down he goes.
narrate Thia: I sit on a step.
overrule gm Thia --veto: Not now.
narrate Thia: I do not sit, of course.
declare Thia: Out of here!
declare Thia: I take the rope.
narrate gm --gm: The rope is cursed, and whoever holds it will say so at the worst of all times and places.
roll Warden 1d6 --gm = 6
end session
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("blows"), BLOWS)


def played(folder: Path, record: str) -> Path:
    lines, path = folder / "blows.session", folder / "blows.retold"
    lines.write_text(record, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RETOLD_HOME", str(folder / "home"))
        assert main(["run", "--new", "-q", "-c", str(path), str(lines)]) == 0
    return path


@pytest.fixture(scope="module")
def blows(place: Path) -> Iterator[CampaignStore]:
    with CampaignStore.open(place, read_only=True) as campaign:
        yield campaign


def told(blows: CampaignStore, voice: Voice | str, viewer: Viewer = GAME_MASTER) -> Transcript:
    return transcript.of_session(LineView(blows, 1, viewer=viewer), 1, voice=voice)


def ours(shown: Transcript) -> list[str]:
    return [paragraph.text for paragraph in shown.paragraphs() if paragraph.generated]


BRISK = replace(VOICES["report"], brisk=True)
FOLDED = "It went back and forth between the warden and Thia."
OPEN = "It broke off there, with the outcome still open."
IN_PRESENT = "It goes back and forth between the warden and Thia."


def test_small_acts_without_words_are_one_sentence_in_a_story(blows: CampaignStore) -> None:
    shown = told(blows, "prose")

    (sentence, end) = (paragraph for paragraph in shown.paragraphs() if paragraph.generated)
    assert sentence.text.startswith(FOLDED)
    assert "20" not in sentence.text
    assert sentence.folded == 3
    assert end.text == OPEN
    assert f"[{IN_PRESENT}" in export("text", shown, "none").decode().replace("\n", " ")


@pytest.mark.parametrize(
    ("act", "sentences"),
    [
        ("hp Warden -9", f"{FOLDED} The warden went down. {OPEN}"),
        (
            "hp Warden -9\nend conflict won Thia",
            (
                f"{FOLDED} Thia landed a critical hit. The warden went down."
                " Thia got the better of the warden."
            ),
        ),
        ("hp Warden -9: Down he goes.", f"{FOLDED} {OPEN}"),
        ("hp Warden -1", f"{FOLDED[:-1]}, and the warden was hurt. {OPEN}"),
    ],
)
def test_an_untold_decision_follows_the_acts_before_it(tmp_path: Path, act: str, sentences: str) -> None:
    record = BLOWS.replace("hp Warden -9: Down he goes.", act)

    with CampaignStore.open(played(tmp_path, record), read_only=True) as campaign:
        assert " ".join(ours(told(campaign, "prose"))) == sentences


def test_a_report_folds_them_at_a_brisk_pace_and_keeps_their_numbers(blows: CampaignStore) -> None:
    full, brisk = told(blows, "report"), told(blows, BRISK)

    assert FOLDED not in ours(full)
    assert len(ours(full)) == len(ours(brisk)) + 2
    assert FOLDED.replace("the w", "W") in ours(brisk)
    numbers = [
        sorted(mechanic.id for paragraph in shown.paragraphs() for mechanic in paragraph.mechanics)
        for shown in (full, brisk)
    ]
    assert numbers[0] == numbers[1]


def test_what_decides_opens_a_paragraph(blows: CampaignStore) -> None:
    (down,) = (paragraph for paragraph in told(blows, "prose").paragraphs() if "Down he" in paragraph.text)

    assert down.begins


def test_the_view_says_what_weighs_and_why(blows: CampaignStore) -> None:
    view = ask("beats", LineView(blows, 1)).to_json()
    whys = [(beat["weight"], beat["why"].split(":")[0]) for beat in view["beats"]]

    assert whys == [
        (2, "lowest roll of the session"),
        (1, "18 own words"),
        (0, "3 acts without words, one sentence"),
        (2, "highest roll of the session"),
        (3, "out of the fight"),
        (2, "overruled"),
        (1, "19 own words"),
    ]


def test_what_is_hidden_weighs_nothing_for_others(blows: CampaignStore) -> None:
    view = ask("beats", LineView(blows, 1, viewer=EVERYBODY)).to_json()

    assert [beat["weight"] for beat in view["beats"]] == [2, 1, 0, 2, 3, 2]
    assert all(beat["position"] is None for beat in view["beats"])


def test_doubts_are_what_the_record_cannot_decide(blows: CampaignStore) -> None:
    found = [(doubt["why"], doubt["text"]) for doubt in ask("doubts", LineView(blows, 1)).to_json()["doubts"]]

    assert found == [
        ("first mention of a stake", "the silver rope"),
        ("follows a struck line that readers do not see", "I do not sit, of course."),
        ("said aloud, or done?", "Out of here!"),
    ]


def test_the_notation_is_never_brisk(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export_it = ["export", "-c", str(place)]

    assert main([*export_it, "--voice", "plain", "--pace", "brisk"]) == 2
    assert "tells every event" in capsys.readouterr().err
    assert main([*export_it, "--pace", "slow"]) == 2
    assert "There is no pace slow" in capsys.readouterr().err
    assert main([*export_it, "--pace", "brisk", "--for", "gm"]) == 0
    assert "It went back and forth" in capsys.readouterr().out
