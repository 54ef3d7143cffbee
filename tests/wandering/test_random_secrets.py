"""Nothing that is hidden in a random evening is in anything that leaves for whoever may not know it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import retold
from retold.journal.vocabulary import events as e
from retold.projections.reading.sight import Sight
from tests.exploring import seeds
from tests.survival.saying import say
from tests.wandering.guest import LEFT, WORDS, played
from tests.wandering.lines import CAST
from tests.wandering.planting import VIEWERS, Recipe, night
from tests.wandering.searching import leaks, searched


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(2))
@pytest.mark.parametrize("game", list(CAST))
def test_no_value_and_no_command_holds_what_is_hidden(game: str, seed: int) -> None:
    with night(game, seed) as made:
        found = searched(made, seed, few=1)

    assert found.hits == []


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(1))
@pytest.mark.parametrize("game", ["homebrew", "bruise", "edgerunner", "whiskey"])
def test_no_phone_is_sent_what_is_hidden(game: str, seed: int) -> None:
    with night(game, seed + 1000) as made:
        found = searched(made, seed, service=True, program=False)

    assert found.hits == []


@pytest.fixture(scope="module")
def guests(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """What was found in evenings of a guest, and the folder of the one that is left."""
    folder = tmp_path_factory.mktemp("guests")
    return folder, played(folder, 4)


def test_nor_in_a_guest_s_evenings(guests: tuple[Path, dict[str, Any]]) -> None:
    assert guests[1]["hits"] == []
    assert guests[1]["outputs"] > 500


def test_no_words_of_an_unknown_kind_are_searched_or_logged(
    guests: tuple[Path, dict[str, Any]],
) -> None:
    assert (guests[0] / LEFT).exists()
    assert list(leaks(told_without_the_guest(guests[0]), WORDS)) == []


def told_without_the_guest(folder: Path) -> str:
    """What `search` and `log` say of a guest's words where the guest is not."""
    told = [say(folder, "-c", LEFT, *words.split()).out.decode() for words in ("log -n 0", "log -n 0 --json")]
    for word in WORDS:
        for viewer in (*VIEWERS, "gm"):
            searched = say(folder, "-c", LEFT, "search", word, "--for", viewer, "--json").out
            told.append(str(json.loads(searched)["matches"]))
    return "\n".join(told)


# --- whoever may know it is told, and each of the old rules is what keeps it from others ------------------


def test_a_viewer_allowed_to_know_a_secret_finds_it() -> None:
    """Else nothing would be found because nothing is there."""
    with night("homebrew", 2) as made, retold.open(made.evening.scribe.campaign.place) as campaign:
        told = {viewer: repr(campaign.seen_by(viewer).happened()) for viewer in ("gm", "Kit")}
        hidden = [one for one in made.hidden_from("Jon") if not one.isdecimal()]
        known_to_kit = set(hidden) - set(made.hidden_from("Kit"))

    assert len(hidden) > 5
    assert {token for token, _ in leaks(told["gm"], hidden)} >= known_to_kit
    assert len([*leaks(told["gm"], hidden)]) > len(hidden) * 0.6
    assert {token for token, _ in leaks(told["Kit"], hidden)} == known_to_kit


def test_a_reading_whose_eyes_say_yes_to_everything_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sight, "sees", lambda _self, _recorded: True)
    with night("homebrew", 0) as made:
        found = searched(made, 0)

    assert {"happened", "board", "view cast"} <= {one.asked for one in found.hits}


def test_a_search_that_says_yes_to_every_text_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sight, "sees_text", lambda _self, *_: True)
    with night("homebrew", 0) as made:
        found = searched(made, 0)

    assert {one.asked.partition(",")[0].split()[0] for one in found.hits} == {"search"}


def test_a_log_that_knows_nothing_sealed_is_found(
    guests: tuple[Path, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retold.projections.plain.sealed", lambda _kind: False)
    monkeypatch.setattr("retold.projections.plain._has_words", lambda _value: False)

    assert {word for word, _ in leaks(told_without_the_guest(guests[0]), WORDS)} == {*WORDS}


def test_a_roll_behind_the_screen_that_is_not_hidden_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers are found as words are."""
    monkeypatch.setattr(e.RolledInSecret, "shown", lambda self: self)
    with night("homebrew", 0, length=0) as made:
        made.plant(Recipe(("roll Odo d20+{n} --gm = 9",)))
        found = searched(made, 0)

    assert {(one.asked, one.token.isdecimal()) for one in found.hits} == {("happened", True)}
