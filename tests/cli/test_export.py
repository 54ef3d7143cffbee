"""`export`: which format, where to, a book of everything, and what is missing."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from retold.journal.store import process_pool
from retold.projections.exports import EXPORTS, parallel
from tests.cli.shell import Shell, environment
from tests.projections.reading import read


@pytest.fixture
def two(shell: Shell) -> Shell:
    """The evening, and something in the next."""
    shell.play("say Zel: Wet again.\n")
    return shell


@pytest.mark.parametrize("words", [("--book",), ("1..@",), ("--session", "all")])
def test_a_long_campaign_is_told_by_several_processes(
    two: Shell, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[bool] = []
    with_crew = process_pool.open_pool

    def noted(*given: object, helped: bool) -> AbstractContextManager[process_pool.ProcessPool]:
        begun.append(helped)
        return with_crew(*given, helped=helped)  # type: ignore[arg-type]

    two.play("end session\nsession Another\nend session\n")
    two.done("export", *words, "-f", "text", "-o", "alone")
    monkeypatch.setattr(parallel, "MANY", 1)
    monkeypatch.setattr(parallel, "RUN", 1)
    monkeypatch.setattr(parallel, "LENGTH", 1)
    monkeypatch.setattr(process_pool, "processors", lambda: 2)
    monkeypatch.setattr(process_pool, "open_pool", noted)
    two.done("export", *words, "-f", "text", "-o", "by-many")

    assert begun == [True]
    assert every(two.folder / "by-many") == every(two.folder / "alone")


def every(path: Path) -> list[tuple[str, bytes]]:
    """A file, or the files of a folder, each under its name."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return [(one.name if path.is_dir() else "", one.read_bytes()) for one in files]


def written(shell: Shell, name: str) -> bytes:
    return (shell.folder / name).read_bytes()


@pytest.mark.parametrize("name", EXPORTS)
def test_a_files_ending_says_its_format(two: Shell, name: str) -> None:
    ending = EXPORTS[name].suffix
    two.done("export", "--session", "1", "-o", f"a{ending}")
    two.done("export", "--session", "1", "-f", name, "-o", "b")

    assert written(two, f"a{ending}") == written(two, "b")


def test_an_unknown_ending_is_refused(shell: Shell) -> None:
    assert shell.refused("export", "-o", "a.rtf").startswith(".rtf is not a format that can be told: .md, ")


@pytest.mark.parametrize("name", ["markdown", "html", "text", "json", "epub", "docx", "pdf"])
def test_a_book_has_every_session_and_an_index(two: Shell, name: str) -> None:
    ending = EXPORTS[name].suffix
    said = two.say("export", "--book", "--voice", "report", "-o", f"book{ending}")
    shown = " ".join(read(name, written(two, f"book{ending}")).split())

    assert said.code == 0
    assert said.err.startswith(f"Written to book{ending}.\n")
    assert "Wet again." in shown
    assert "The Long Ebb" in shown
    assert "Captain Thoss" in shown


def test_a_pdf_is_prose_with_an_appendix_if_nothing_else_is_said(two: Shell) -> None:
    prose, report, paper = ("--voice", "prose"), ("--voice", "report"), ("--paper", "half-letter")
    told = {
        words: two.done("export", "--session", "1", "-o", "a.pdf", "--force", *words) or written(two, "a.pdf")
        for words in [
            *((), (*prose, "--mechanics", "appendix"), ("--mechanics", "none"), prose),
            *(report, (*report, "--mechanics", "folded"), paper),
        ]
    }

    assert told[()] == told[*prose, "--mechanics", "appendix"]
    assert told["--mechanics", "none"] == told[prose]
    assert told[report] == told[*report, "--mechanics", "folded"]
    assert len({*told.values()}) == 4


def test_paper_is_for_a_pdf_and_has_two_sizes_each_with_a_bleed_for_a_cover(shell: Shell) -> None:
    assert shell.misused("export", "-o", "a.html", "--paper", "a5") == (
        "--paper is for a PDF: -f pdf, or a file that ends in .pdf."
    )
    assert shell.refused("export", "-o", "a.pdf", "--paper", "letter") == (
        "There is no paper letter. There are: a5, half-letter, a5-bleed, half-letter-bleed."
    )
    assert shell.refused("export", "--book", "-o", "a.pdf", "--paper", "a5-bleed") == (
        "Only the cover of a book is printed beyond the edges, and here is none: say --paper a5, or"
        " retold cover FILE and export --book."
    )
    assert not (shell.folder / "a.pdf").exists()


def test_sessions_beside_a_draft_are_told_in_its_voice_and_as_the_options_say(two: Shell) -> None:
    two.play(
        "end session\nsession Another\ncast Kit\nnarrate Zel: I run.\nnarrate Kit: I go.\naside Zel: Cake?\n"
    )
    two.done("draft", "new", "second", "s1", "--voice", "prose")
    two.done("draft", "new", "noted", "s1", "--voice", "plain")
    book = ("export", "--book", "-f", "text", "--draft", "second")

    told, diary, aside = (two.done(*book, *words) for words in ((), ("--layout", "diary"), ("--asides",)))

    assert "I go." in told
    assert "Cake?" not in told
    assert "Cake?" in aside
    assert "Zel, Kit" in diary.partition("Another")[2]
    assert "Zel, Kit" not in told.partition("Another")[2]
    assert two.misused("export", "--book", "--draft", "noted", "--pace", "brisk") == (
        "--pace brisk folds acts, but the voice plain tells every event."
    )


def test_a_stretch_and_a_session_are_two_parts(shell: Shell) -> None:
    sentence = "A stretch and a session are two parts: leave out --session, or A..B."

    assert shell.misused("export", "s1..", "--session", "1") == sentence
    assert shell.misused("export", "3..9", "--session", "all", "-o", "folder") == sentence


def test_a_book_is_everything_and_no_part_of_it(shell: Shell) -> None:
    sentence = "A book is the whole line: leave out --session and A..B, or --book."

    assert shell.misused("export", "--book", "--session", "1") == sentence
    assert shell.misused("export", "--book", "3..9") == sentence


@pytest.mark.parametrize(
    ("name", "module", "package"), [("pdf", "typst", "typst"), ("docx", "docx", "python-docx")]
)
def test_a_missing_extra_is_said_in_one_sentence(shell: Shell, name: str, module: str, package: str) -> None:
    shell.monkeypatch.setitem(sys.modules, module, None)

    shell.monkeypatch.setattr(sys, "prefix", str(shell.folder))

    assert shell.refused("export", "-o", f"told.{name}") == (
        f"{name.upper()} needs {package}, which is an extra: pip install 'retold[{name}]'."
    )
    assert not (shell.folder / f"told.{name}").exists()


@pytest.mark.parametrize(
    ("receipt", "remedy"),
    [
        ("pipx_metadata.json", "in the folder of Retold's sources, pipx install --force '.[all]'"),
        ("uv-receipt.toml", "in the folder of Retold's sources, uv tool install --force '.[all]'"),
    ],
)
def test_what_installs_an_extra_is_what_installed_retold(shell: Shell, receipt: str, remedy: str) -> None:
    shell.monkeypatch.setitem(sys.modules, "typst", None)
    shell.monkeypatch.setattr(sys, "prefix", str(shell.folder))
    (shell.folder / receipt).touch()

    assert shell.refused("export", "-o", "told.pdf") == f"PDF needs typst, which is an extra: {remedy}."


def test_in_a_clone_run_py_installs_an_extra(shell: Shell) -> None:
    shell.monkeypatch.setitem(sys.modules, "typst", None)
    shell.monkeypatch.setattr(sys, "prefix", str(Path(__file__).parents[2] / ".venv"))

    assert (
        shell.refused("export", "-o", "told.pdf")
        == "PDF needs typst, which is an extra: python3 run.py extras."
    )


def test_no_extra_is_loaded_for_what_needs_none(shell: Shell) -> None:
    script = (
        "import sys; from retold.__main__ import main; code = main(['export']);"
        "sys.exit(code or bool({'docx', 'typst', 'lxml'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=shell.folder,
        env=environment(shell.folder),
        capture_output=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr


class Terminal(io.TextIOWrapper):
    """An output somebody looks at."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_is_shown_no_pdf(shell: Shell) -> None:
    shell.monkeypatch.setattr(sys, "stdout", Terminal(io.BytesIO()))

    said = shell.say("export", "-f", "pdf")

    assert said.code == 1
    assert said.err == "A terminal cannot show pdf: name a file with -o FILE.pdf.\n"


def test_every_session_gets_a_file_of_its_own(two: Shell) -> None:
    two.done("export", "--session", "all", "-f", "epub", "-o", "told")

    assert sorted(path.name for path in (two.folder / "told").iterdir()) == [
        "session-1.epub",
        "session-2.epub",
    ]
    assert two.refused("export", "--session", "all").endswith("name a folder with -o FOLDER.")


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("--session", "1"), "session-1.md"),
        ((), "session-2.md"),
        (("-f", "html"), "session-2.html"),
        (("--book", "-f", "epub"), "evening.epub"),
    ],
)
def test_into_a_folder_goes_a_file_named_after_what_it_tells(
    two: Shell, words: tuple[str, ...], file: str
) -> None:
    folder = two.folder / "out.1"  # what looks like an ending says nothing of a folder
    folder.mkdir()
    said = two.say("export", *words, "-o", "out.1")

    assert said.err.startswith(f"Written to {Path('out.1', file)}.\n")
    assert [path.name for path in folder.iterdir()] == [file]
    assert two.refused("export", *words, "-o", "out.1") == (
        f"{Path('out.1', file)} is there already: choose another name, or say --force."
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("3..9", "-o", "told"), "told is a folder: name a file in it for that stretch."),
        (
            ("--session", "all", "-o", "all.html"),
            "Every session gets a file of its own, so all.html would be a folder: say -o all -f html.",
        ),
        (
            ("--session", "all", "-o", "evening.retold", "-f", "md"),
            "evening.retold is a file, and every session gets one of its own: name a folder with -o FOLDER.",
        ),
    ],
)
def test_an_export_to_nowhere_names_possible_targets(
    two: Shell, words: tuple[str, ...], sentence: str
) -> None:
    (two.folder / "told").mkdir()
    before = sorted(two.folder.rglob("*"))

    assert two.refused("export", *words) == sentence
    assert sorted(two.folder.rglob("*")) == before


def test_a_long_export_says_that_it_takes_time(two: Shell) -> None:
    heard = io.BytesIO()
    terminal = Terminal(heard, write_through=True)
    two.monkeypatch.setattr("retold.cli.exporting.export_targets.LONG", 1)
    two.monkeypatch.setattr(sys, "stderr", terminal)

    two.say("export", "--book", "-o", "book.html")

    making = b"Making the html ..."
    assert heard.getvalue().startswith(making + b"\r" + b" " * len(making) + b"\r")


def test_each_chapter_of_a_book_says_what_went_before_if_asked(two: Shell) -> None:
    two.play("end session\nsession Three\nnarrate: The bell rang.\nend session\nsession Four\n")
    asked = ("export", "--book", "-f", "text")

    assert two.done(*asked).count("The bell rang.") == 1
    assert two.done(*asked, "--previously").count("The bell rang.") == 2
    assert two.done(*asked, "--previously", "--publish").count("The bell rang.") == 2
    assert two.misused("export", "--previously") == "--previously is for the chapters of a book: add --book."
