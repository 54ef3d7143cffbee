"""Names of a game of a file in the words of a voice: results, tracks, conditions, titles, ends (T10)."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from retold.games.homebrew.commands.opponents import WORDS
from retold.journal.refused import Refused
from retold.projections import games
from retold.projections.prose import VOICES, in_language
from retold.projections.prose.phrases.languages import language
from retold.projections.prose.voicefile import read
from retold.projections.reading import LineView
from retold.projections.story import transcript
from tests.projections.test_decided import night

EVENING = """\
game d20
cast gm by=Lene
cast Osk dex=3 ac=14 health=12 by=Ana
cast Warden str=2 ac=12 health=14
session One
scene The dock
conflict Landing Osk vs Warden
roll Osk attack dex vs Warden = 15
hp Warden -6
roll Osk check dex vs 15 = 2
prone Warden
inspiration Osk on
end conflict left
"""


def page(code: str, script: str = EVENING) -> str:
    """What a report in a language says of an evening, its heads and its end included."""
    voice = in_language(VOICES["report"], language(code))
    with night(script) as there:
        shown = transcript.of_session(LineView(there.scribe.campaign, 1), 1, voice=voice)
    heads = (passage.conflict for scene in shown.scenes for passage in scene.passages)
    return "\n".join(
        (
            *shown.head.systems,
            *(head.system for head in heads if head is not None),
            *(one.text for one in shown.paragraphs()),
            *shown.end.changed,
        )
    )


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("de", ("Ein W20 und eine Zahl", "ein Fehlschlag", "am Boden", "TP", "Inspiration")),
        ("fr", ("Un d20 et un nombre", "un échec", "épreuve", "à terre", "PV", "inspiration")),
    ],
)
def test_T10_results_tracks_and_titles_of_a_file_are_in_the_language_of_the_page(
    code: str, said: tuple[str, ...]
) -> None:
    shown = page(code)

    assert [name for name in said if name not in shown] == []
    assert [name for name in ("a hit", "a failure", "prone", " hp", "A d20") if name in shown] == []


def test_T10_every_name_in_our_game_files_can_be_translated_and_no_other_is_listed() -> None:
    known = tomllib.loads(games.phrases("homebrew"))["homebrew"]["named"]
    found = {word.replace(" ", "-") for word in WORDS}
    for path in Path("retold/games/homebrew/games").glob("*.toml"):
        game = tomllib.loads(path.read_text("utf-8"))
        names = [game["title"], *game.get("tracks", {}), *game.get("conditions", {}), *game.get("rests", {})]
        for move, has in game.get("moves", {}).items():
            names += [move, *(band["name"] for band in has.get("bands", ()))]
        found.update(name.replace(" ", "-") for name in names)

    assert found == set(known)


def test_T10_a_voice_names_whatever_a_table_has_called_something(tmp_path: Path) -> None:
    file = tmp_path / "unsere.toml"
    file.write_text(
        """\
base = "report"
lang = "de"
[phrases.homebrew.named]
nerve = "Nerven"
"a hit" = "sitzt"
[phrases.edgerunner.named]
medicine = "Heilkunde"
"quick draw" = "schnell ziehen"
""",
        "utf-8",
    )
    phrases = read(file).phrases

    assert phrases.named("homebrew", "nerve") == "Nerven"
    assert phrases.named("homebrew", "a hit") == "sitzt"
    assert phrases.named("homebrew", "a miss") == "kein Treffer"
    assert phrases.named("edgerunner", "medicine") == "Heilkunde"
    assert phrases.named("edgerunner", "quick draw") == "schnell ziehen"
    assert phrases.named("edgerunner", "juggling") == "juggling"


def test_T10_a_name_of_a_game_has_no_values_but_a_number(tmp_path: Path) -> None:
    file = tmp_path / "unsere.toml"
    file.write_text('base = "report"\n[phrases.homebrew.named]\nnerve = "{{ who }}"\n', "utf-8")

    with pytest.raises(Refused, match="there is no value who here"):
        read(file)
