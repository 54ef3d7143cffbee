"""Every example plays through, checks itself, and tells the transcript that stands beside it.

After a change that is meant, write the transcripts anew with RETOLD_GOLDEN=write, and say in the commit which
sentence changed and why.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from statistics import median

import pytest

from benchmarks import keystrokes
from retold.__main__ import main
from retold.projections.exports import EXPORTS

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*/*.session"))


def played(path: Path, tmp_path: Path) -> str:
    campaign = str(tmp_path / "played.retold")
    assert main(["run", "--new", "-q", "-c", campaign, str(path)]) == 0
    return campaign


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """The campaign that an example plays, played once; copied, never written to."""

    @cache
    def found(path: Path) -> Path:
        return Path(played(path, tmp_path_factory.mktemp("kept")))

    return found


Play = Callable[[Path], str]


@pytest.fixture
def play(kept: Callable[[Path], Path], tmp_path: Path) -> Play:
    """Plays an example; returns its campaign, in a folder of the test's own."""
    return lambda path: str(shutil.copy(kept(path), tmp_path))


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("RETOLD_CAMPAIGN", raising=False)


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 4


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_an_example_plays_through_and_tells_its_transcript(play: Play, path: Path, tmp_path: Path) -> None:
    campaign = play(path)
    told = tmp_path / "told.md"

    assert main(["-c", campaign, "export", "--for", "gm", "-o", str(told)]) == 0
    golden = path.with_suffix(".md")
    if os.environ.get("RETOLD_GOLDEN") == "write":
        golden.write_bytes(told.read_bytes())
    assert told.read_text("utf-8") == golden.read_text("utf-8")


@pytest.mark.parametrize("ending", [".fountain", ".lonelog.md", ".partylog.md"])
def test_an_example_matches_its_golden_script_and_logs(play: Play, ending: str, tmp_path: Path) -> None:
    path = Path(__file__).parent.parent / "examples/bruise/three-hands.session"
    told = tmp_path / f"told{ending}"

    assert main(["-c", play(path), "export", "--for", "gm", "-o", str(told)]) == 0
    golden = path.with_suffix(ending)
    if os.environ.get("RETOLD_GOLDEN") == "write":
        golden.write_bytes(told.read_bytes())
    assert told.read_text("utf-8") == golden.read_text("utf-8")


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_an_example_leaves_nothing_untold_and_verifies(
    play: Play, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    campaign = play(path)
    capsys.readouterr()

    assert main(["-c", campaign, "verify", "--rules"]) == 0
    assert "Every act would be decided the same way today." in capsys.readouterr().out
    assert main(["-c", campaign, "show", "untold", "--json"]) == 0
    assert '"spots": []' in capsys.readouterr().out


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_an_example_checks_what_it_came_to(path: Path) -> None:
    assert "\nexpect " in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("stem", "words"),
    [
        ("three-endings.variations", ("export", "--variations", "--ribbon", "--for", "gm")),
        ("three-endings.story", ("diff", "mainline", "the-chase", "the-fight", "--story")),
    ],
)
def test_three_endings_stand_there_side_by_side(
    play: Play, stem: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    folder = Path(__file__).parent.parent / "examples/guenask"
    told = tmp_path / "told.md"

    assert main(["-c", play(folder / "three-endings.session"), *words, "-o", str(told)]) == 0
    golden = folder / f"{stem}.md"
    if os.environ.get("RETOLD_GOLDEN") == "write":
        golden.write_bytes(told.read_bytes())
    assert told.read_text("utf-8") == golden.read_text("utf-8")


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_an_example_is_told_in_every_format_with_its_other_lines_and_ribbons(
    play: Play, path: Path, tmp_path: Path
) -> None:
    """One with no other lines has HTML, EPUB and one more in turn: `test_example_formats` has all texts."""
    campaign = play(path)
    has_lines = re.search(r"^(?:branch|retcon)\b", path.read_text("utf-8"), re.MULTILINE)
    chosen = {"html", "epub", [*EXPORTS][EXAMPLES.index(path) % len(EXPORTS)]}
    for name, form in EXPORTS.items():
        if not (has_lines or path.stem == "warehouse" or name in chosen):
            continue
        told = tmp_path / f"told{form.suffix}"
        assert (
            main(
                [
                    "-c",
                    campaign,
                    "export",
                    "-f",
                    name,
                    "--for",
                    "gm",
                    "--variations",
                    "--ribbon",
                    "-o",
                    str(told),
                ]
            )
            == 0
        )
        assert told.read_bytes()

    ids = re.findall(r' id="([^"]+)"', (tmp_path / "told.html").read_text("utf-8"))
    assert len(set(ids)) == len(ids)


def test_the_demo_plays_an_example() -> None:
    root = Path(__file__).parent.parent

    assert (root / "cli/console/demo.session").read_bytes() == (
        root / "examples/guenask/three-endings.session"
    ).read_bytes()


def test_the_demo_runs_to_its_end(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0

    told = capfd.readouterr().out
    assert "$ retold diff mainline the-chase" in told
    assert "told by nobody" not in told


def test_an_evening_of_d20_costs_fourteen_characters_an_act_beside_its_words() -> None:
    said = list(keystrokes.evening())

    assert len(said) == 67
    assert sum(one.briefest for one in said) / len(said) <= keystrokes.EVENING_GOAL


def test_the_examples_cost_twelve_characters_an_act_at_the_median() -> None:
    said = [one for path in EXAMPLES for one in keystrokes.acts(path)]

    assert median(one.briefest for one in said) <= keystrokes.GOAL


def test_an_evening_in_its_briefest_lines_is_the_same_evening(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is counted is what may be typed, and nothing of it is guessed."""
    brief = tmp_path / "brief.session"
    brief.write_text("\n".join(keystrokes.briefly(keystrokes.EVENING)), "utf-8")
    records = []
    for script in (keystrokes.EVENING, brief):
        campaign = str(tmp_path / f"{script.stem}.retold")
        assert main(["run", "--new", "-q", "-c", campaign, str(script)]) == 0
        capsys.readouterr()
        assert main(["-c", campaign, "log", "2.."]) == 0
        records.append(capsys.readouterr().out)

    assert records[0] == records[1]
