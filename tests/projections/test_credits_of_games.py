"""Who wrote the rules of a game, and under which licence, is named where a book or page ends or begins."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from msgspec.structs import replace

from retold.cli.verbs.systems import describe
from retold.games.homebrew.options import help_page, read_game
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.system import Credit
from retold.journal.systems import SYSTEMS
from retold.projections.exports import EXPORTS, export
from retold.projections.exports.page_elements import Furniture
from retold.projections.reading import LineView
from retold.projections.story.document import Transcript
from retold.projections.story.transcript.build import of_session
from retold.scribe import Scribe
from tests.projections.reading import read
from tests.projections.typed import transcript_of

TIDES = 'name = "tides"\ntitle = "Tides"\nabout = "water"\nauthor = "Ann Lee"\nlicence = "CC BY 4.0"\n'
KNOWN = Credit("Tides", "Ann Lee", "CC BY 4.0")


def by(*credits_: Credit) -> Transcript:
    told = transcript_of("Rain.")
    return replace(told, head=replace(told.head, credits=credits_))


@pytest.mark.parametrize("name", ["html", "epub", "docx", "pdf"])
def test_a_game_is_named_with_its_author_and_licence(name: str) -> None:
    needs = EXPORTS[name].needs
    if needs is not None and importlib.util.find_spec(needs.module) is None:
        pytest.skip(f"needs {needs.package}")

    assert "Tides by Ann Lee (CC BY 4.0)" in read(name, export(name, by(KNOWN)))


def test_a_game_without_credits_is_in_the_imprint_only() -> None:
    told, furniture = by(KNOWN, Credit("Dusk"), Credit("Ebb", "Bo")), Furniture()

    assert furniture.credits(told)[0].startswith("Tides by Ann Lee (CC BY 4.0); Dusk; Ebb by Bo · run by")
    assert furniture.owed(told.head.credits) == "Tides by Ann Lee (CC BY 4.0); Ebb by Bo"
    assert b'class="owed"' not in export("html", by(Credit("Dusk")))


def test_a_game_in_a_file_says_it_itself(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "sea.retold") as campaign:
        scribe = Scribe(campaign, 1, read_file=lambda _path: TIDES.encode())
        for line in ("game tides.toml", "session Ebb", "cast Zel", "cast Ana", "conflict Ebb Zel vs Ana"):
            scribe.say(line)
        told = of_session(LineView(campaign, 1), 1, voice="prose")

    assert told.head.credits == (KNOWN,)
    assert "credits" not in told.to_json()["head"]
    assert "By Ann Lee; licence: CC BY 4.0." in help_page(read_game(TIDES.encode(), "tides.toml"))


def test_games_of_retold_say_it_as_far_as_it_is_known() -> None:
    found = {name: (system.author, system.licence) for name, system in SYSTEMS.items()}

    assert found["spacetime"] == ("David Teller", "CC BY-SA 4.0")
    assert found["whiskey"] == ("", "")
    assert "\nBy David Teller. Licence: CC BY-SA 4.0.\n" in describe(SYSTEMS["spacetime"])
