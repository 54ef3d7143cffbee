"""Games of other distributions: installed into a folder of their own, played, and taken away again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.guests.installed import LANTERNS, ROOT, done, install, laid_out, made, said
from tests.projections.unpacked import unpacked


@pytest.fixture(scope="module")
def lanterns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example guest installed in it."""
    folder = tmp_path_factory.mktemp("lanterns")
    shutil.copytree(LANTERNS, folder / "source", ignore=shutil.ignore_patterns("build", "*.egg-info"))
    install(folder / "source", folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def begun(lanterns: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a campaign in the midst of a conflict of the example guest; copied, never written to."""
    folder = tmp_path_factory.mktemp("begun")
    lines = (LANTERNS / "tests/evening.session").read_text("utf-8").partition("end conflict")[0]
    (folder / "begun.session").write_text(lines)
    done(folder, lanterns, "run", "-q", "--new", "-c", "evening.retold", "begun.session")
    return folder


@pytest.fixture(scope="module")
def begun_dump(lanterns: Path, begun: Path) -> str:
    """The record of that campaign."""
    return done(begun, lanterns, "dump")


@pytest.fixture
def evening(begun: Path, tmp_path: Path) -> Path:
    """A copy of that folder."""
    return Path(shutil.copytree(begun, tmp_path, dirs_exist_ok=True))


# --- a guest that is there --------------------------------------------------------------------------------


def test_the_example_guest_is_a_distribution_whose_own_tests_are_green(lanterns: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(LANTERNS / "tests")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(lanterns), str(ROOT)])},
        cwd=lanterns,
        check=True,
    )


def test_the_example_guest_is_small() -> None:
    files = [path for path in LANTERNS.rglob("*") if path.suffix in (".py", ".toml", ".session")]
    pages = [path for path in LANTERNS.rglob("*.md") if path.name == "rules.md"]

    assert sum(len(path.read_text("utf-8").splitlines()) for path in (*files, *pages)) <= 390


def test_a_guest_is_among_the_systems_and_has_its_paper_and_the_help_of_its_verbs(
    lanterns: Path, tmp_path: Path
) -> None:
    assert "lanterns    Lanterns: two dice and a stat" in done(tmp_path, lanterns, "systems")
    assert "dare" in done(tmp_path, lanterns, "systems", "lanterns")
    assert "## Daring" in done(tmp_path, lanterns, "help", "lanterns")
    assert "A verb of Lanterns." in done(tmp_path, lanterns, "help", "dare")
    assert "lanterns" not in done(tmp_path, None, "systems")


def test_a_tour_of_a_guest_is_the_one_it_brings(lanterns: Path, tmp_path: Path) -> None:
    told = done(tmp_path, lanterns, "play", "--tour", "lanterns")

    assert "# Harm puts a light out.\n> hurt Wick 1: The water puts its hand over the glass.\n" in told
    assert told.endswith(
        "# That was an evening. Yours: retold new NAME, then retold play, where ? shows the keys.\n"
    )


def test_a_tour_of_a_guest_that_brings_none_is_what_the_game_says_of_itself(tmp_path: Path) -> None:
    laid_out(LANTERNS, tmp_path / "site")
    (tmp_path / "site/retold_lanterns/tour.session").unlink()

    told = " ".join(done(tmp_path, tmp_path / "site", "play", "--tour", "lanterns").split())

    assert "# Lanterns comes from retold-lanterns 0.1.0, which brings no tour of it:" in told
    assert "> systems lanterns Lanterns: " in told
    assert "> help lanterns" in told
    assert "## Daring" in told
    assert "That was an evening." in told
    missed = said(tmp_path, tmp_path / "site", "play", "--tour", "lantern")
    assert (missed.returncode, "Did you mean lanterns?" in missed.stderr) == (1, True)


def test_the_shell_completes_the_verbs_of_a_guest(lanterns: Path, tmp_path: Path) -> None:
    assert "dare" in done(tmp_path, lanterns, "--complete", "").splitlines()
    assert "dare" not in done(tmp_path, None, "--complete", "").splitlines()


def test_a_guest_that_draws_nothing_is_stepped_through_by_its_rows_also_once_it_is_gone(
    lanterns: Path, evening: Path
) -> None:
    page = unpacked(done(evening, lanterns, "export", "-f", "replay", "-o", "-"))
    assert '"what": "light"' in page
    assert "Wick dares bold" in page
    assert '"light"' not in unpacked(done(evening, None, "export", "-f", "replay", "-o", "-"))


def test_a_guest_is_noted_told_counted_and_shown(lanterns: Path, evening: Path) -> None:
    assert "Wick dares bold +1: 9, price" in done(evening, lanterns, "log", "-n", "0")
    assert "Wick got there, and more." in done(evening, lanterns, "export", "-o", "-")
    assert "Lanterns" in done(evening, lanterns, "stats")
    assert "light" in done(evening, lanterns, "show", "health")


def test_what_a_guest_counts_is_in_everything_that_shows_what_is_counted(
    lanterns: Path, evening: Path
) -> None:
    """The night is a clock of six, nobody's, and as full as all harm: Wick took 1, then 3, and lost 2."""
    assert done(evening, lanterns, "show", "tracks") == "Who\tWhat\tNow\nLanterns\tnight\t2/6\n"
    (track,) = json.loads(done(evening, lanterns, "show", "tracks", "--json"))["tracks"]
    assert [track.pop(key) for key in ("system", "what", "value", "most", "picture")] == [
        *("lanterns", "night", 2, 6, "clock")
    ]
    assert track == {
        "conflict": None,
        "title": None,
        "who": None,
        "out": False,
        "boxes": None,
        "words": [],
        "game": "Lanterns",
    }
    assert "\n  night 2/6 · Wick light 2/4\n" in done(evening, lanterns, "show")
    assert "tracks\tLanterns, night\t1/6\t2/6\n" in done(evening, lanterns, "diff", "@-4")
    assert "Lanterns, night: 4/6 → 2/6\n" in done(evening, lanterns, "replay", "--state")
    assert done(evening, lanterns, "--complete", "show", "tr") == "tracks\n"

    assert "Lanterns\tnight\t1\t0\t2/6\n" in done(evening, lanterns, "stats", "counts")
    done(evening, lanterns, "end", "conflict")
    assert "\nLanterns: night 2/6\n" in done(evening, lanterns, "show")
    told = done(evening, lanterns, "export", "--ribbon", "-o", "-")
    assert "\n*night 2/6 · Wick light 2/4*\n" in told
    assert "\n- The night: 0 → 2 of 6.\n" in told
    (evening / "mine.toml").write_text('[phrases.lanterns.named]\nnight = "die Nacht"\n')
    assert "- Die Nacht: 0 → 2 of 6.\n" in done(
        evening, lanterns, "export", "--voice", "mine.toml", "-o", "-"
    )


def test_a_voice_of_a_user_has_other_words_for_a_guest(lanterns: Path, evening: Path) -> None:
    voice = evening / "mine.toml"
    voice.write_text('[phrases.lanterns]\nbright = "{{ who }} shone."\n')
    assert "Wick shone." in done(evening, lanterns, "export", "--voice", "mine.toml", "-o", "-")

    voice.write_text('[phrases.lanterns]\nbright = "{{ whose }} shone."\n')
    assert (
        "lanterns.bright: there is no value whose"
        in said(evening, lanterns, "export", "--voice", "mine.toml", "-o", "-").stderr
    )


def test_a_guest_has_options_statistics_and_kinds_that_change_shape(
    lanterns: Path, evening: Path, tmp_path: Path
) -> None:
    site = tmp_path / "later"
    shutil.copytree(lanterns, site)
    package = site / "retold_lanterns"
    (package / "statistics.py").write_text(
        "from retold.projections.statistics.counted import Counted, Rounds\n"
        "from retold_lanterns.events import Dared\n"
        'COUNTED = Counted(Rounds("dare", frozenset({Dared})))\n'
    )
    more = """    options=(Option("oil", ("cheap", "fine"), "cheap", "what burns"),),
    upcasts={"lanterns.dared": ("lanterns.dared@2", lambda old: {**old, "stat": old["stat"].upper()})},
    commands="""
    system = (package / "__init__.py").read_text("utf-8").replace("    commands=", more)
    (package / "__init__.py").write_text(system.replace("import Fact, System", "import Fact, Option, System"))
    events = (package / "events.py").read_text("utf-8")
    second = 'kind: ClassVar[str] = "lanterns.dared"\n    version: ClassVar[int] = 2'
    (package / "events.py").write_text(events.replace('kind: ClassVar[str] = "lanterns.dared"', second))

    assert done(evening, site, "option", "lanterns.oil=fine") == "option lanterns.oil=fine\n"
    assert "dare" in done(evening, site, "stats", "time")
    assert "Wick dares BOLD +1: 9, price" in done(evening, site, "export", "-o", "-")


def test_an_act_of_a_guest_loads_nothing_that_tells_it(lanterns: Path, tmp_path: Path) -> None:
    played = (
        "import sys; from retold.__main__ import main\n"
        "for words in (['cast', 'Wick', 'lanterns', 'bold=1'], ['dare', 'Wick', 'bold']):\n"
        "    assert main(words) == 0, words\n"
        "asked = ('retold.game', 'retold.projections.prose.telling', 'jinja2')\n"
        "print([name for name in asked if name in sys.modules])"
    )
    env = {**os.environ, "RETOLD_HOME": str(tmp_path / "home")}
    env["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(lanterns)])
    subprocess.check_output([sys.executable, "-m", "retold", "new", "evening"], cwd=tmp_path, env=env)
    out = subprocess.check_output([sys.executable, "-c", played], cwd=tmp_path, env=env, text=True)

    assert out.splitlines()[-1] == "['retold.game']"


def test_a_game_of_ours_never_asks_who_else_is_there(tmp_path: Path) -> None:
    asked = (
        "import sys; from retold.__main__ import main\n"
        "for words in (['--version'], ['new', 'evening'], ['cast', 'Zel'],"
        " ['note:', 'It rains.'], ['log'], ['show']):\n"
        "    assert main(words) == 0, words\n"
        "assert 'retold.game' not in sys.modules\n"
        "print(sys.modules['retold.journal.games']._installed.cache_info())"
    )
    env = {**os.environ, "RETOLD_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}
    out = subprocess.check_output([sys.executable, "-c", asked], cwd=tmp_path, env=env, text=True)

    assert out.splitlines()[-1] == "CacheInfo(hits=0, misses=0, maxsize=None, currsize=0)"


# --- a guest that is not there any more -------------------------------------------------------------------

INSTALL = "The game lanterns is not installed here, so "


def test_a_record_whose_guest_is_gone_is_read_as_far_as_it_can_be(evening: Path, begun_dump: str) -> None:
    for words in (("log", "-n", "0"), ("show",), ("export", "-o", "-"), ("verify",), ("stats",), ("can",)):
        ended = said(evening, None, *words)
        assert ended.returncode == 0, (words, ended.stderr)
        assert ended.stderr.count(INSTALL) == 1, (words, ended.stderr)
    assert "lanterns.dared (unknown)" in done(evening, None, "log", "-n", "0")
    assert "Half way over I find" in done(evening, None, "export", "-o", "-")
    assert done(evening, None, "dump") == begun_dump
    (evening / "kept.jsonl").write_text(begun_dump)
    done(evening, None, "load", "kept.jsonl", "again")
    assert done(evening, None, "-c", "again.retold", "dump") == begun_dump


@pytest.mark.parametrize(
    "line",
    [
        "roll Wick 2d6 = 1 2",
        "narrate Wick: On we go.",
        "end conflict",
        "join Ines",
        "conflict lanterns Ines vs gm",
    ],
)
def test_nothing_is_recorded_in_a_conflict_whose_guest_is_gone(
    line: str, lanterns: Path, evening: Path, begun_dump: str
) -> None:
    refused = said(evening, None, *line.split(" "))

    assert (refused.returncode, refused.stdout) == (1, "")
    sentence, command = refused.stderr.splitlines()
    assert INSTALL in sentence
    assert command.startswith("Here: ")
    assert command.endswith("retold-lanterns")
    assert done(evening, lanterns, "dump") == begun_dump


def test_a_verb_of_a_guest_that_is_gone_says_what_to_install(evening: Path) -> None:
    refused = said(evening, None, "dare", "Wick", "bold")

    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("There is no verb dare. ")
    assert INSTALL in refused.stderr


def test_what_is_the_table_s_own_is_recorded_without_the_guest_and_nothing_is_lost(
    lanterns: Path, evening: Path
) -> None:
    done(evening, None, "note:", "The guest has gone home.")
    done(evening, None, "show")

    done(evening, lanterns, "expect", "harm", "Wick", "2")
    done(evening, lanterns, "verify", "--rules")


def test_its_acts_are_taken_as_recorded_and_a_script_says_what_it_leaves_out(
    lanterns: Path, evening: Path
) -> None:
    assert "Every act would be decided the same way today." in done(evening, None, "verify", "--rules")
    script = done(evening, None, "dump", "--script")
    assert "dare" not in script
    assert script.count("# Left out: what stands at ") == 7
    assert "dare Wick bold = 3 5" in done(evening, lanterns, "dump", "--script")


# --- guests that cannot be played -------------------------------------------------------------------------


def test_a_guest_that_is_called_as_ours_is_turned_away(tmp_path: Path) -> None:
    laid_out(made(tmp_path / "source", "retold-copy", "bruise", ""), tmp_path / "site")

    ended = said(tmp_path, tmp_path / "site", "systems")

    assert ended.stderr == (
        "retold-copy 1.0 brings a game called bruise, which is one of ours: it is not played.\n"
    )
    assert "hands of playing cards" in ended.stdout


def test_a_guest_that_cannot_be_imported_is_one_sentence_and_all_else_goes_on(tmp_path: Path) -> None:
    site = tmp_path / "site"
    laid_out(made(tmp_path / "source", "retold-broken", "broken", "import nothing_of_that_name"), site)
    sentence = (
        "The game broken of retold-broken 1.0 cannot be loaded: ModuleNotFoundError: No module named"
        " 'nothing_of_that_name' (__init__.py, line 2). Install retold-broken again, or a version that fits"
        " this Retold.\n"
    )

    assert said(tmp_path, site, "systems").stderr == sentence
    done(tmp_path, site, "new", "evening")
    done(tmp_path, site, "cast", "Zel")
    refused = said(tmp_path, site, "conflict", "broken", "Zel", "vs", "gm")
    assert (refused.returncode, refused.stderr) == (1, sentence)


@pytest.mark.parametrize("words", [("show",), ("dare", "Wick", "bold")])
def test_L12_a_guest_that_cannot_be_loaded_is_not_called_missing(
    words: tuple[str, ...], lanterns: Path, evening: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    shutil.copytree(lanterns, site)
    (site / "retold_lanterns/__init__.py").write_text("def being_written(:\n")

    ended = said(evening, site, *words)

    told = " ".join((ended.stdout + ended.stderr).split())
    assert "cannot be loaded: SyntaxError: invalid syntax (__init__.py, line 1). Install" in told
    assert "not installed" not in told


def test_a_guest_that_says_a_verb_of_ours_anew_is_turned_away(lanterns: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(lanterns, site)
    (commands,) = site.glob("retold_lanterns/commands.py")
    commands.write_text(commands.read_text("utf-8").replace('= "hurt"', '= "draw"'))

    assert said(tmp_path, site, "systems").stderr == (
        "retold-lanterns 0.1.0 says draw anew, which is a verb already: its game lanterns is not played.\n"
    )


# --- a game of one's own ----------------------------------------------------------------------------------


def test_a_new_game_is_green_at_once(tmp_path: Path) -> None:
    out = done(tmp_path, None, "new-game", "tides", "mine")
    shutil.copytree(tmp_path / "mine", tmp_path / "source")  # building leaves something behind
    install(tmp_path / "source", tmp_path / "site")

    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "mine"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), str(ROOT)])},
        cwd=tmp_path,
        check=True,
    )
    assert f"{Path('mine/retold_tides/rules.md')}\n" in out
    assert "# Tides" in done(tmp_path, tmp_path / "site", "help", "tides")
    left = [path for path in (tmp_path / "mine").rglob("*") if "lantern" in path.name.casefold()]
    assert left == []


def test_a_new_game_never_goes_over_files_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/pyproject.toml").write_text("# mine\n")

    refused = said(tmp_path, None, "new-game", "tides", "mine")

    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == (
        f"{Path('mine/pyproject.toml')} is there already: name a folder in which it is not.\n"
    )
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["pyproject.toml"]


@pytest.mark.parametrize("name", ["bruise", "table", "My Game", "../tides", "tides2"])
def test_a_new_game_is_called_by_small_letters_and_as_no_other(name: str, tmp_path: Path) -> None:
    refused = said(tmp_path, None, "new-game", name, "mine")

    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert not (tmp_path / "mine").exists()
