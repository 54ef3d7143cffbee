"""The words of `python3 run.py`: try Retold, test it, lint it; Python itself is all they need.

Each makes a virtual environment beside this file from the hash-pinned lock, once, then starts what was asked.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent
PATIENCE = 20
"""Seconds a round of exploring has to end in once it is asked to."""
LOCKED = ("--require-hashes", "--no-deps", "-r")
"""How pip reads a lock, which names all it needs. Before 23.3 it took the newest of one with an extra."""
PROGRAM = ("retold", "run.py", "tasks.py")
"""What runs on each of the systems; tests may be for one of them alone."""
SYSTEMS = ("linux", "win32", "darwin")
NO_TESTS = 5
"""Pytest's exit code where it ran none."""

HELP = """\
python3 run.py demo          play and tell an example session
python3 run.py retold ...    the command line itself, in the folder you are in
python3 run.py extras        what DOCX, PDF, pictures, other languages and a server need, once
python3 run.py test ...      the tests (arguments go to pytest)
python3 run.py explore ...   properties and random play, at fresh cases, for ten minutes (--minutes N)
python3 run.py pages         the pages we make, in a real browser (tests/pages)
python3 run.py clients ...   clients made from the description of the service (tests/clients)
python3 run.py survive ...   attacks on a campaign: kills, power cuts, full disks, flipped bits; some minutes
python3 run.py fuzz ...      whatever reads bytes, under a coverage-guided fuzzer, ten minutes (--minutes N)
python3 run.py lint          ruff, its formatter, mypy for Linux, Windows and macOS
python3 run.py bench ...     the benchmarks
python3 run.py bundle        a folder, dist/retold, which needs no Python: for this system, some minutes
"""


THIS_PYTHON = "{}.{}.{}".format(*sys.version_info)


@dataclass(frozen=True)
class Environment:
    """A virtual environment and the lock it is made from, which may add to another one."""

    name: str
    lock: Path

    @property
    def folder(self) -> Path:
        """Where it lies: what another Python made is left as it is, and this one's made beside it."""
        usual = ROOT / self.name
        return usual if made_with(usual) in (None, THIS_PYTHON) else ROOT / f"{self.name}-{THIS_PYTHON}"

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def stamp(self) -> Path:
        """Written last, so that an interrupted installation does not count as done: a line for each lock."""
        return self.folder / "installed-from"

    def wanted(self) -> str:
        """The hash of all an installation depends on: its locks, pyproject, Python, and where it lies."""
        pyproject = (ROOT / "pyproject.toml").read_bytes()
        locks = [lock.read_bytes() for lock in with_parents(self.lock)]
        parts = (*locks, pyproject, sys.version.encode(), str(self.folder).encode())
        return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()

    def installed(self) -> dict[str, str]:
        """The locks that were installed there, each with the hash that was wanted then.

        Stamps once held a hash alone: such an environment is made anew.
        """
        if not self.python.exists() or not self.stamp.exists():
            return {}
        parts = [line.partition(" ") for line in self.stamp.read_text().splitlines()]
        return {lock: wanted for lock, blank, wanted in parts if blank}

    def is_ready(self) -> bool:
        """Whether it is installed completely, from this very lock."""
        return self.installed().get(self.lock.name) == self.wanted()

    def make(self) -> None:
        """Create it anew, or add to what lies there what its lock has more; then Retold from this folder."""
        parents = [Environment(self.name, lock) for lock in with_parents(self.lock)[1:]]
        ready = {one.lock.name: one.wanted() for one in parents if one.is_ready()}
        there = self.installed() if ready else {}
        if any(one.lock.name in there and one.lock.name not in ready for one in (self, *parents)):
            # Versions change, for other locks too: none of them counts as installed, even if pip fails.
            there = dict.fromkeys(there, "") | ready
        say(f"Setting up {self.folder.name} from {self.lock.name}, once; this takes a minute at most ...")
        if ready:
            self.write_stamp(there)
        else:
            self.stamp.unlink(missing_ok=True)
            create_venv(self.folder)
        self.pip(*LOCKED, str(self.lock))
        if not ready:
            # A second step: pip cannot check the hash of a folder. The build backend came with the lock.
            self.pip("--no-deps", "--no-build-isolation", "-e", str(ROOT))
        self.write_stamp(there | {one.lock.name: one.wanted() for one in (self, *parents)})

    def write_stamp(self, installed: dict[str, str]) -> None:
        """Keep which locks are installed, each with its hash, empty for one to be installed again."""
        self.stamp.write_text("".join(f"{lock} {wanted}\n" for lock, wanted in installed.items()))

    def pip(self, *arguments: str) -> None:
        """Install quietly; what pip says is shown only if it fails."""
        pip_install = [str(self.python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        done = subprocess.run([*pip_install, *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            say((done.stdout + done.stderr).rstrip())
            sys.exit(
                f"pip could not install into {self.folder.name}, for which it has to be online."
                " The same command again goes on."
            )


def with_parents(lock: Path) -> list[Path]:
    """A lock, and each that it says it adds to: a line `-r NAME`."""
    first = [line[3:] for line in lock.read_text("utf-8").splitlines() if line.startswith("-r ")]
    return [lock, *(each for name in first for each in with_parents(lock.with_name(name)))]


def made_with(folder: Path) -> str | None:
    """The version of the Python that made an environment; None where there is none that works."""
    if not any((folder / python).exists() for python in ("bin/python", "Scripts/python.exe")):
        return None
    try:
        lines = (folder / "pyvenv.cfg").read_text("utf-8").splitlines()
    except OSError:
        return None
    return next((line.partition("=")[2].strip() for line in lines if line.startswith("version ")), None)


CORE = Environment(".venv", ROOT / "requirements.txt")
ALL = Environment(".venv", ROOT / "requirements-all.txt")
TEST = Environment(".venv-test", ROOT / "requirements-test.txt")
BROWSER = Environment(".venv-test", ROOT / "requirements-browser.txt")
FUZZ = Environment(".venv-test", ROOT / "requirements-fuzz.txt")
BUNDLE = Environment(".venv-bundle", ROOT / "requirements-bundle.txt")
CLIENTS = Environment(".venv-clients", ROOT / "requirements-clients.txt")


def create_venv(folder: Path) -> None:
    """An empty virtual environment with pip, or a sentence about what is missing."""
    try:
        import ensurepip  # noqa: F401, PLC0415 - Debian keeps it in a package of its own
        import venv  # noqa: PLC0415
    except ImportError:
        sys.exit("This Python cannot make virtual environments; on Debian: sudo apt install python3-venv")
    try:
        venv.create(folder, clear=True, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"Could not make {folder.name}: {error}")


def say(sentence: str) -> None:
    """One line for whoever waits, out of the way of what the program prints."""
    print(sentence, file=sys.stderr, flush=True)


def python_of(environment: Environment) -> str:
    """The environment's interpreter, the environment made first if need be."""
    if not environment.is_ready():
        environment.make()
    return str(environment.python)


def become(command: list[str]) -> NoReturn:
    """Go on as the command, in the current folder; keys, signals and exit code are its own."""
    if os.name == "nt":
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], command)


def demo(arguments: list[str]) -> NoReturn:
    """Play and tell an example session."""
    retold(["demo", *arguments])


def retold(arguments: list[str]) -> NoReturn:
    """The command line itself; -P, so that nothing in the user's folder is taken for ours."""
    environment = ALL if ALL.lock.name in ALL.installed() else CORE
    become([python_of(environment), "-P", "-m", "retold", *arguments])


def extras(_: list[str]) -> NoReturn:
    """All that the command line can use, in the same place; programs that run there go on."""
    python_of(ALL)
    say("DOCX, PDF, pictures, other languages and campaigns on a server can be used now.")
    sys.exit(0)


def test(arguments: list[str]) -> NoReturn:
    """The tests: without arguments on every core, without a path not those of `pages` and `clients`."""
    python = python_of(TEST)
    os.chdir(ROOT)
    others = [] if names_a_path(arguments) else ["--ignore=tests/pages", "--ignore=tests/clients"]
    # Each core begins with its own half of the files, so that what a file prepares is prepared once.
    become([python, "-m", "pytest", *others, *(arguments or ["-n", "auto", "--dist", "worksteal"])])


def names_a_path(arguments: list[str]) -> bool:
    """Whether one of pytest's arguments is a file, a folder, or a test in a file."""
    return any(Path(one.partition("::")[0]).exists() for one in arguments)


def explore(arguments: list[str]) -> NoReturn:
    """Rounds of random play, each from a number of its own, until one finds something or time is up."""
    asked = argparse.ArgumentParser(prog="run.py explore", description=explore.__doc__)
    asked.add_argument("--minutes", type=float, default=10, help="how long (10)")
    asked.add_argument(
        "--number", type=int, help="one round only, from this number: what was found is found again"
    )
    known, rest = asked.parse_known_args(arguments)
    python = python_of(TEST)
    end = time.monotonic() + 60 * known.minutes
    numbers = iter(lambda: secrets.randbelow(2**32), None) if known.number is None else iter([known.number])
    rounds = 0
    for number in numbers:
        code = one_round(python, number, rest, end)
        if code is None:
            break
        rounds += 1
        if code == NO_TESTS:
            sys.exit("Nothing that plays at random is among these tests.")
        if code:
            again = " ".join(["python3 run.py explore --number", str(number), *rest])
            say(f"Round {rounds} found something. The same again: {again}")
            say("Mend it, and keep what it shows as a case: @example(...) or seeds(N, THE SEED).")
            sys.exit(code)
    say(f"Nothing found in {rounds} whole rounds.")
    sys.exit(0)


def one_round(python: str, number: int, arguments: list[str], end: float) -> int | None:
    """Explores from `number`; the exit code, or None where the time was up before."""
    say(f"Exploring from {number} ...")
    command = [python, "-m", "pytest", "-x", "--hypothesis-seed", str(number), "-o", "timeout=0"]
    running = subprocess.Popen(
        [*command, *(arguments or ["-n", "auto"])],
        cwd=ROOT,
        env={**os.environ, "RETOLD_EXPLORE": str(number)},
    )
    try:
        return running.wait(max(0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        end_it(running)
        return None


def end_it(running: subprocess.Popen[bytes]) -> None:
    """Interrupts it, as Ctrl-C would; where it hears none, as one begun in the background, less politely."""
    politely = signal.SIGTERM if os.name == "nt" else signal.SIGINT
    for asked in (politely, signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        running.send_signal(asked)
        try:
            running.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            continue
        return


def pages(arguments: list[str]) -> NoReturn:
    """The tests that want a browser: those that are named, else all, on two cores."""
    python = python_of(BROWSER)
    os.chdir(ROOT)
    tests = [] if names_a_path(arguments) else ["tests/pages"]
    become([python, "-m", "pytest", *tests, *(arguments or ["-n", "2"])])


def clients(arguments: list[str]) -> NoReturn:
    """The tests that make clients of the service from its description."""
    python = python_of(CLIENTS)
    os.chdir(ROOT)
    tests = [] if names_a_path(arguments) else ["tests/clients"]
    become([python, "-m", "pytest", *tests, *arguments])


def bench(arguments: list[str]) -> NoReturn:
    """The benchmarks."""
    python = python_of(TEST)
    os.chdir(ROOT)
    become([python, "-m", "benchmarks", *arguments])


def survive(arguments: list[str]) -> NoReturn:
    """Attacks on a campaign, in their long form."""
    python = python_of(TEST)
    os.chdir(ROOT)
    become([python, "-m", "tests.survival", *arguments])


def fuzz(arguments: list[str]) -> NoReturn:
    """Every door under a fuzzer, which is for Linux."""
    python = python_of(FUZZ)
    os.chdir(ROOT)
    become([python, "-m", "tests.fuzz", *arguments])


COLLECTED = ("retold", "babel", "ckdl", "cramjam", "docx", "selectolax", "typst", "uvicorn")
"""Packages that the bundle holds whole, since PyInstaller cannot see all that they import."""
LICENCE = re.compile("(LICEN[CS]E|COPYING|NOTICE)", re.IGNORECASE)
LEFT_OUT = ("psycopg", "psycopg_binary", "PIL.ImageTk", "tkinter", "setuptools", "pip")
"""Modules left out of the bundle: those of a database server, whose licence differs, and of installers."""


def bundle(_: list[str]) -> NoReturn:
    """A folder that needs no Python: the program as it is installed, a launcher, the licences."""
    python = python_of(BUNDLE)
    os.chdir(ROOT)
    made, installed = ROOT / "dist" / "retold", ROOT / "build" / "installed"
    for old in (made, ROOT / "build"):
        shutil.rmtree(old, ignore_errors=True)
    BUNDLE.pip("--no-deps", "--no-build-isolation", "--target", str(installed), str(ROOT))
    command = [python, "-m", *of_pyinstaller(), "--paths", str(installed), "bundle/start.py"]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(installed)}, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    of_python = Path(sysconfig.get_path("stdlib"), "LICENSE.txt")
    add_papers(made, BUNDLE.folder.glob("**/site-packages/*.dist-info"), of_python)
    say(f"{made}: start {'retold.exe' if os.name == 'nt' else 'retold'} in it.")
    sys.exit(0)


def of_pyinstaller() -> list[str]:
    """PyInstaller's module and its options, but for what is bundled."""
    words = [word for name in COLLECTED for word in ("--collect-all", name)]
    words += [word for name in LEFT_OUT for word in ("--exclude-module", name)]
    words += ["--copy-metadata", "retold", "--workpath", "build/bundle", "--specpath", "build"]
    return ["PyInstaller", "--noconfirm", "--log-level", "WARN", "--name", "retold", *words]


def add_papers(made: Path, packages: Iterable[Path], of_python: Path) -> None:
    """Puts the readme, the licences of `packages` and Python's into the folder that was made."""
    for file in ("README.txt", *(["Retold.desktop"] if sys.platform == "linux" else [])):
        shutil.copy(ROOT / "bundle" / file, made)
    licences = made / "licences"
    licences.mkdir()
    for paper in (ROOT / "LICENSE", ROOT / "docs/licences.md", ROOT / "projections/exports/fonts/OFL.txt"):
        shutil.copy(paper, licences)
    if of_python.exists():
        shutil.copy(of_python, licences / "Python LICENSE.txt")
    for folder in packages:
        name = folder.name.partition("-")[0]
        papers = [paper for paper in folder.rglob("*") if paper.is_file() and LICENCE.match(paper.name)]
        for paper in () if name in LEFT_OUT else papers:
            shutil.copy(paper, licences / f"{name} {paper.name}")


def lint(_: list[str]) -> NoReturn:
    """Every linter, also after one has complained; the worst exit code of all.

    mypy checks the whole tree for this system, and meanwhile the program for the other two.
    """
    python = python_of(TEST)
    elsewhere = {
        system: subprocess.Popen(
            [python, "-m", "mypy", "--platform", system, "--cache-dir", f".mypy_cache/{system}", *PROGRAM],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for system in SYSTEMS
        if system != sys.platform
    }
    checks = (["ruff", "check"], ["ruff", "format", "--check"], ["mypy"])
    codes = []
    for check in checks:
        say(" ".join(check))
        codes.append(subprocess.run([python, "-m", *check], cwd=ROOT, check=False).returncode)
    for system, running in elsewhere.items():
        found = running.communicate()[0]
        say(f"mypy --platform {system}")
        print(found, end="")
        codes.append(running.returncode)
    sys.exit(max(map(abs, codes)))


WORDS = {
    "demo": demo,
    "retold": retold,
    "extras": extras,
    "test": test,
    "explore": explore,
    "pages": pages,
    "lint": lint,
    "bench": bench,
    "survive": survive,
    "fuzz": fuzz,
    "bundle": bundle,
    "clients": clients,
}


def main() -> NoReturn:
    """Do the word asked for, or say which words there are."""
    word, arguments = (sys.argv[1], sys.argv[2:]) if sys.argv[1:] else ("", [])
    if word not in WORDS:
        print(HELP, end="", file=sys.stderr)
        sys.exit(2)
    try:
        WORDS[word](arguments)
    except KeyboardInterrupt:
        sys.exit(130)
