"""A clip: a range as a moving picture, a card for each paragraph, and for its dice."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import retold
from retold.projections.postcards import clip

pytest.importorskip("typst", reason="cards are drawn by Typst")
pillow = pytest.importorskip("PIL.Image")

EVENING = """\
campaign The Salt Road
cast Zel by=Jon: A smuggler
session The ferry --date 2026-03-14
scene The quay: Rain since noon.
narrate gm --gm: The ferryman is paid.
narrate Zel: I jump.
roll Zel d20 vs 10 = 12
"""


def times(data: bytes) -> list[int]:
    """How long each card of a clip is shown."""
    with pillow.open(io.BytesIO(data)) as shown:
        assert (shown.format, shown.size) == ("WEBP", (1200, 630))
        found = []
        for number in range(shown.n_frames):
            shown.seek(number)
            shown.load()
            found.append(shown.info["duration"])
        return found


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    with retold.new(tmp_path_factory.mktemp("ferry") / "ferry.retold") as campaign:
        campaign.play(EVENING)
        bare = campaign.seen_by("table").export("clip", mechanics="none")
        return {"none": bare, **{eyes: campaign.seen_by(eyes).export("clip") for eyes in ("gm", "table")}}


def test_a_clip_has_a_card_for_each_paragraph_and_for_its_dice(told: dict[str, bytes]) -> None:
    words = ["The quay", "Rain since noon.", "I jump."]
    numbers = "Zel rolls 1d20: 12 · Zel: 1d20 is 12 against 10, passed by 2"

    assert len(times(told["none"])) == len(words)
    assert len(times(told["table"])) == len(words) + 1
    assert len(times(told["gm"])) == len(words) + 2
    shown = times(told["table"])
    assert shown[0] == clip.LEAST_TIME + clip.TIME_OF_LETTER * len(words[0])
    assert shown[-1] == clip.LEAST_TIME + clip.TIME_OF_LETTER * len("Zel: I jump." + numbers)


def test_a_secret_changes_no_byte_of_the_clip_of_the_table(told: dict[str, bytes], tmp_path: Path) -> None:
    without = "".join(line for line in EVENING.splitlines(keepends=True) if "--gm" not in line)
    with retold.new(tmp_path / "ferry.retold") as campaign:
        campaign.play(without)

        assert campaign.seen_by("table").export("clip") == told["table"]


def test_a_clip_of_nothing_and_a_long_one_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with retold.new(tmp_path / "ferry.retold") as campaign:
        with pytest.raises(retold.Refused, match=r"^Nothing here has words or dice"):
            campaign.export("clip")

        campaign.play(EVENING)
        monkeypatch.setattr(clip, "MOST", 2)
        with pytest.raises(
            retold.Refused, match=r"^A clip has at most 2 cards, and this has 5: choose a range"
        ):
            campaign.export("clip")
