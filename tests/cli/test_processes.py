"""What only a process of its own can show: signals, pipes, a full disk, another language, two at once."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import platformdirs
import pytest

from retold.journal.store.disk.folders import own_folder
from tests.cli.shell import Shell, environment, run, start
from tests.patience import PATIENCE

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of a POSIX system")

_MAIN = "from retold.__main__ import main; main({})"


def events(shell: Shell) -> list[dict[str, object]]:
    """Everything in the log."""
    return [json.loads(line) for line in shell.done("log", "-n", "0", "--json").splitlines()]


@posix
@pytest.mark.parametrize("words", [("note:", "-"), ("run", "-")])
def test_an_interrupt_while_reading_ends_with_130_and_records_nothing(
    shell: Shell, words: Sequence[str]
) -> None:
    process = start(shell.folder, *words)
    assert process.stdin is not None
    process.stdin.write(b"note: half a wo")
    process.stdin.flush()
    _until_it_reads(process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)

    assert process.returncode == 130
    assert err == b"\nInterrupted; everything acknowledged is recorded.\n"
    assert len(events(shell)) == 26


def test_a_line_loads_the_game_that_is_played_and_no_other(evening: Path) -> None:
    games = "{name for name in sys.modules if name.startswith('retold.games.') and name.count('.') == 2}"

    assert _loaded(evening, _MAIN.format(["note", ": It rains."]), games) == ["retold.games.bruise"]


HEAVY = frozenset(
    {
        *("babel", "docx", "eventsourcing", "jinja2", "lxml", "markdown_it", "msgspec", "PIL", "psycopg"),
        *("prompt_toolkit", "pydantic", "rapidfuzz", "rich", "segno", "selectolax", "starlette", "tomlkit"),
        *("typer", "typst", "tzlocal", "uvicorn", "wcwidth"),
        *("asyncio", "dataclasses", "email", "http", "multiprocessing", "statistics", "subprocess"),
        *("tomllib", "retold.projections.story", "retold.sources"),
        *("retold.cli.console", "retold.cli.service", "retold.drafts", "retold.home", "retold.importing"),
        *("retold.journal.vocabulary", "retold.projections.exports", "retold.projections.statistics"),
    }
)
"""Modules that take long to load."""
EVENTS = frozenset({"dataclasses", "msgspec", "retold.journal.vocabulary"})
COMMAND = EVENTS | {"subprocess", "typer"}
STORY = COMMAND | {"jinja2", "retold.projections.story", "tomllib"}
NEEDS: dict[tuple[str, ...], frozenset[str]] = {
    ("--version",): frozenset(),
    ("--complete", "na"): frozenset(),
    ("log", "-n", "20"): frozenset(),
    ("note", ": It rains."): EVENTS,
    ("undo",): EVENTS,
    ("show",): COMMAND | {"retold.projections.story"},
    ("can",): COMMAND,
    ("search", "Zel"): COMMAND,
    ("branches",): COMMAND,
    ("verify",): COMMAND,
    ("play",): COMMAND | {"retold.cli.console", "tomllib"},
    ("who", "Zel"): STORY,
    ("recap",): STORY,
    ("stats",): COMMAND | {"retold.projections.statistics", "statistics", "tomllib"},
    ("export", "-f", "text", "-o", "evening.txt"): STORY | {"retold.drafts", "retold.projections.exports"},
}
"""What of that the verbs of a table need."""


@pytest.mark.parametrize("words", NEEDS, ids=" ".join)
def test_a_verb_loads_nothing_heavy_that_it_does_not_use(evening: Path, words: tuple[str, ...]) -> None:
    loaded = _loaded(evening, _MAIN.format([*words]), "set(sys.modules)")

    assert HEAVY.intersection(loaded) == NEEDS[words]


def test_the_log_loads_no_more_on_a_terminal(evening: Path) -> None:
    on_terminal = f"sys.stdout.isatty = lambda: True; {_MAIN.format(['log'])}"

    assert HEAVY.isdisjoint(_loaded(evening, on_terminal, "set(sys.modules)"))


def test_a_program_loads_no_command_line(evening: Path) -> None:
    said = "import retold; retold.open('evening.retold').seen_by('gm').plays"

    assert HEAVY.intersection(_loaded(evening, said, "set(sys.modules)")) == EVENTS | {
        *("retold.drafts", "retold.importing", "tomllib")
    }


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a library knows the user's folders")
@pytest.mark.parametrize(
    ("kind", "where"), [("cache", ".cache"), ("config", ".config"), ("state", ".local/state")]
)
def test_folders_on_linux_are_those_of_platformdirs_which_is_not_loaded(
    kind: str, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv(f"XDG_{kind.upper()}_HOME", raising=False)
    found = getattr(platformdirs, f"user_{kind}_path")("retold")
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "platformdirs", None)
        assert own_folder(kind, None) == found == tmp_path / where / "retold"

    monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", str(tmp_path / "mine"))
    assert own_folder(kind, None) == tmp_path / "mine" / "retold"


def _loaded(evening: Path, said: str, which: str) -> list[str]:
    """Those modules, in order, that are loaded when a process of its own has done what is said."""
    done = subprocess.run(
        [sys.executable, "-c", f"import json, sys; {said}; print(json.dumps(sorted({which})))"],
        capture_output=True,
        cwd=evening.parent,
        env=environment(evening.parent),
        stdin=subprocess.DEVNULL,
        check=True,
    )
    loaded: list[str] = json.loads(done.stdout.splitlines()[-1])
    return loaded


def _until_it_reads(process: subprocess.Popen[bytes]) -> None:
    """Waits until the process has read what lies in its standard input, and so waits for more."""
    import fcntl  # noqa: PLC0415 -- not on Windows
    import termios  # noqa: PLC0415 -- as above

    assert process.stdin is not None
    limit = time.monotonic() + PATIENCE
    while time.monotonic() < limit:
        left = fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4))
        if not any(left):
            return
        time.sleep(0.02)
    pytest.fail("it never read its standard input")


INTERRUPTED = (130, b"\nInterrupted; everything acknowledged is recorded.\n")


@posix
@pytest.mark.parametrize(("sent", "ended"), [("SIGINT", INTERRUPTED), ("SIGTERM", (-15, b""))])
def test_an_interrupt_in_the_middle_of_a_script_leaves_whole_acts(
    shell: Shell, sent: str, ended: tuple[int, bytes]
) -> None:
    lines = "".join(f"cast Guard-{n} by=Player-{n}\n" for n in range(2000))
    (shell.folder / "long.session").write_text(lines)
    process = start(shell.folder, "run", "long.session")
    assert process.stdout is not None
    assert process.stdout.readline()
    process.send_signal(signal.Signals[sent])
    _, err = process.communicate(timeout=PATIENCE)
    recorded = events(shell)

    assert (process.returncode, err) == ended
    assert 26 < len(recorded) < 26 + 6000
    assert recorded[-1]["i"] == recorded[-1]["n"]


@posix
@pytest.mark.parametrize(
    "words", [("log", "-n", "0"), ("replay",), ("dump",), ("dump", "--script"), ("help",)]
)
def test_a_reader_that_leaves_early_is_no_error(shell: Shell, words: Sequence[str]) -> None:
    long = "A long night. " * 30_000  # more than any pipe holds
    shell.done("note:", "-", stdin=long.encode())
    shell.done("note:", "The end.")
    process = start(shell.folder, *words, PYTHONUNBUFFERED="1")
    assert process.stdout is not None
    process.stdout.read(10)
    process.stdout.close()
    process.wait(timeout=PATIENCE)
    assert process.stderr is not None

    assert (process.returncode, process.stderr.read()) == (0, b"")


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is full")
@pytest.mark.parametrize("words", [("show",), ("log",), ("--version",), ("dump",)])
def test_an_output_that_takes_nothing_is_a_sentence(evening: Path, words: Sequence[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "retold", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=evening.parent,
            env=environment(evening.parent),
            check=False,
        )

    assert ended.returncode == 1
    assert ended.stderr == b"Reading or writing failed: no space left on device.\n"


FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
from retold.__main__ import main
sys.exit(main(sys.argv[2:]))
"""


@posix
def test_a_full_disk_records_nothing_and_loses_nothing(evening: Path, shell: Shell) -> None:
    folder = evening.parent
    limit = evening.stat().st_size + 40_000
    text = Random(12).randbytes(40_000).hex()
    ended = subprocess.run(
        [sys.executable, "-c", FULL, str(limit), "note:", "-"],
        input=text.encode(),
        capture_output=True,
        cwd=folder,
        env=environment(folder),
        check=False,
    )

    assert ended.returncode == 1
    assert ended.stdout == b""
    assert ended.stderr.startswith(b"Nothing was recorded: the disk does not take it (")
    assert b"bytes are free for" in ended.stderr
    assert len(events(shell)) == 26
    shell.done("note:", "-", stdin=text.encode())
    shell.done("verify")


@posix
def test_a_disk_too_full_for_a_campaign_keeps_none(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", FULL, "10000", "new", "salt"],
        capture_output=True,
        cwd=tmp_path,
        env=environment(tmp_path),
        check=False,
    )

    assert ended.returncode == 1
    assert ended.stderr.startswith(b"salt.retold cannot be written: ")
    assert list(tmp_path.glob("salt*")) == []


@posix
@pytest.mark.skipif(not shutil.which("unshare"), reason="a file system of one's own")
def test_a_read_only_disk_is_read_and_not_written(evening: Path) -> None:
    folder = evening.parent
    inside = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && cd "$1" || exit 77; shift; exec "$@"'
    told = []
    for words in (("show",), ("note:", "x"), ("dump", "-o", "x"), ("new", "salt")):
        ended = subprocess.run(
            ["unshare", "-m", "sh", "-c", inside, "-", str(folder), sys.executable, "-m", "retold", *words],
            capture_output=True,
            cwd=folder,
            env=environment(folder),
            check=False,
        )
        if ended.returncode == 77 or b"unshare" in ended.stderr:
            pytest.skip("no file system of one's own can be had here")
        told.append((ended.returncode, ended.stderr.count(b"\n")))

    assert told == [(0, 0), (1, 1), (1, 1), (1, 1)]
    assert [path.name for path in folder.iterdir()] == ["evening.retold"]


@posix
def test_two_who_record_at_once_are_both_recorded(shell: Shell) -> None:
    folder = shell.folder
    scripts = {}
    for name in ("Ada", "Eve"):
        path = folder / f"{name}.session"
        path.write_text("".join(f"note: {name} {n}\n" for n in range(25)))
        scripts[name] = start(folder, "run", "-q", path.name)
    for process in scripts.values():
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err

    told = [event["data"] for event in events(shell)[26:]]
    texts = [data["text"] for data in told if isinstance(data, dict)]
    assert [text for text in texts if text.startswith("Ada")] == [f"Ada {n}" for n in range(25)]
    assert [text for text in texts if text.startswith("Eve")] == [f"Eve {n}" for n in range(25)]
    assert len(texts) == 50


@posix
@pytest.mark.parametrize("more", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "latin-1"}, {"LC_ALL": "POSIX"}])
def test_every_language_is_written_as_utf_8(evening: Path, more: dict[str, str]) -> None:
    recorded = run(evening.parent, "note:", "Žluťoučký kůň 馬 🐎", more=more)
    read = run(evening.parent, "log", "-n", "1", more=more)

    assert (recorded.returncode, read.returncode) == (0, 0)
    assert "“Žluťoučký kůň 馬 🐎”" in read.stdout.decode("utf-8")
    assert "27" in recorded.stderr.decode("utf-8")


@posix
@pytest.mark.parametrize(
    "words", [("note:", b"caf\xe9"), ("cast", b"Z\xff"), ("new", b"salt\xff"), ("-c", b"\xff", "show")]
)
def test_bytes_that_are_not_utf_8_are_a_sentence(evening: Path, words: Sequence[str | bytes]) -> None:
    ended = run(evening.parent, *words)

    assert ended.returncode in (1, 2)
    assert ended.stderr.count(b"\n") == 1
    assert b"should not have" not in ended.stderr
    assert len(list(evening.parent.glob("*.retold"))) == 1


@posix
@pytest.mark.parametrize("width", ["20", "40", "200"])
def test_a_narrow_terminal_is_no_error(evening: Path, width: str) -> None:
    ended = run(evening.parent, "show", "--help", more={"COLUMNS": width, "NO_COLOR": "1"})

    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"\x1b" not in ended.stdout


@posix
def test_S1_a_reader_that_leaves_early_does_not_cut_a_script_short(shell: Shell) -> None:
    folder = shell.folder
    (folder / "long.session").write_text("".join(f"note: number {n} {'x' * 200}\n" for n in range(600)))
    process = start(folder, "run", "long.session")
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    process.wait(timeout=PATIENCE)
    assert process.stderr is not None

    assert (process.returncode, process.stderr.read()) == (0, b"600 lines recorded in evening.retold.\n")
    assert len(events(shell)) == 626
