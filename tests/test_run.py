"""The newcomer's door: each Python has environments of its own, and none takes another's away."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import tasks

ENVIRONMENT = tasks.Environment(".venv", Path("requirements.txt"))


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tasks, "ROOT", tmp_path)
    monkeypatch.setattr(tasks, "THIS_PYTHON", "3.13.0")
    return tmp_path


def made(root: Path, version: str, *, works: bool = True) -> None:
    """An environment as that Python makes it; one that is gone leaves it without an interpreter."""
    (root / ".venv/bin").mkdir(parents=True)
    (root / ".venv/pyvenv.cfg").write_text(f"home = somewhere\nversion = {version}\n")
    if works:
        (root / ".venv/bin/python").touch()


def test_the_first_python_has_the_usual_place(root: Path) -> None:
    assert ENVIRONMENT.folder == root / ".venv"


def test_it_finds_its_own_again(root: Path) -> None:
    made(root, "3.13.0")

    assert ENVIRONMENT.folder == root / ".venv"


def test_another_python_makes_its_own_beside_it(root: Path) -> None:
    made(root, "3.11.2")

    assert ENVIRONMENT.folder == root / ".venv-3.13.0"


def test_if_that_python_is_gone_its_place_is_free(root: Path) -> None:
    made(root, "3.11.2", works=False)

    assert ENVIRONMENT.folder == root / ".venv"


class Finished:
    """A linter; `mypy` for another system finds something."""

    def __init__(self, command: list[str], **_: object) -> None:
        self.returncode = int("--platform" in command)
        self.found = (
            f"{command[command.index('--platform') + 1]} was asked\n" if "--platform" in command else ""
        )

    def communicate(self) -> tuple[str, None]:
        return self.found, None


def test_F14_lint_asks_mypy_for_every_system(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[list[str]] = []

    def started(command: list[str], **_: object) -> Finished:
        asked.append(command[2:])
        return Finished(command)

    monkeypatch.setattr(tasks, "python_of", lambda _: "python")
    monkeypatch.setattr(subprocess, "run", started)
    monkeypatch.setattr(subprocess, "Popen", started)

    with pytest.raises(SystemExit) as left:
        tasks.lint([])

    assert left.value.code == 1
    assert ["mypy"] in asked
    assert capsys.readouterr().out.splitlines() == [
        f"{system} was asked" for system in tasks.SYSTEMS if system != sys.platform
    ]


def test_every_word_is_in_the_help() -> None:
    assert [word for word in tasks.WORDS if f"python3 run.py {word} " not in tasks.HELP] == []


@pytest.mark.parametrize(
    ("arguments", "leaves_out"),
    [((), True), (("-k", "dice"), True), (("tests/pages",), False), (("tests/test_a.py::test_b",), False)],
)
def test_pages_and_clients_are_tested_by_their_own_words(
    arguments: tuple[str, ...], leaves_out: bool, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "tests/pages").mkdir(parents=True)
    (root / "tests/test_a.py").touch()
    monkeypatch.chdir(root)
    monkeypatch.setattr(tasks, "python_of", lambda _: "python")
    monkeypatch.setattr(tasks, "become", sys.exit)
    with pytest.raises(SystemExit) as left:
        tasks.test([*arguments])

    ignored = {"--ignore=tests/pages", "--ignore=tests/clients"}
    assert ignored & {*str(left.value.code).split("'")} == (ignored if leaves_out else set())


@dataclass
class Computer:
    """What was installed where, in order; offline nothing can be."""

    installed: list[str]
    is_online: bool = True


@pytest.fixture
def computer(root: Path, monkeypatch: pytest.MonkeyPatch) -> Computer:
    """A checkout with two locks, on a computer that makes no real environment."""
    here = Computer([])

    def create(folder: Path) -> None:
        here.installed.append(f"{folder.name}: new")
        if not folder.exists():
            made(root, "3.13.0")

    def pip(environment: tasks.Environment, *arguments: str) -> None:
        if not here.is_online:
            sys.exit("pip could not install")
        here.installed.append(f"{environment.folder.name}: {Path(arguments[-1]).name}")

    monkeypatch.setattr(tasks, "create_venv", create)
    monkeypatch.setattr(tasks.Environment, "pip", pip)
    monkeypatch.setattr(tasks, "become", sys.exit)
    (root / "pyproject.toml").touch()
    (root / "requirements.txt").write_text("one==1\n")
    (root / "requirements-all.txt").write_text("-r requirements.txt\ntwo==1\n")
    for name in ("CORE", "ALL"):
        lock = getattr(tasks, name).lock.name
        monkeypatch.setattr(tasks, name, tasks.Environment(".venv", root / lock))
    return here


def play() -> None:
    with pytest.raises(SystemExit):
        tasks.retold(["show", "cast"])


def add_extras() -> object:
    with pytest.raises(SystemExit) as ended:
        tasks.extras([])
    return ended.value.code


def test_L18_the_extras_are_added_to_the_environment_in_which_programs_run(
    computer: Computer, root: Path
) -> None:
    play()
    made_first = list(computer.installed)
    add_extras()
    play()
    add_extras()

    assert made_first == [".venv: new", ".venv: requirements.txt", f".venv: {root.name}"]
    assert computer.installed == [*made_first, ".venv: requirements-all.txt"]


def test_L18_without_a_network_what_is_there_goes_on(computer: Computer) -> None:
    play()
    before = list(computer.installed)
    computer.is_online = False

    assert add_extras() == "pip could not install"
    play()
    assert computer.installed == before


def test_if_a_lock_changes_the_extras_are_made_anew_with_the_rest(computer: Computer, root: Path) -> None:
    add_extras()
    computer.installed.clear()
    (root / "requirements.txt").write_text("one==1.1\n")
    play()

    assert computer.installed == [".venv: new", ".venv: requirements-all.txt", f".venv: {root.name}"]


def test_if_the_lock_of_the_extras_alone_changes_programs_go_on(computer: Computer, root: Path) -> None:
    play()
    computer.installed.clear()
    change_extras(root, 2)
    play()

    assert computer.installed == []


def change_extras(root: Path, version: int) -> None:
    (root / "requirements-all.txt").write_text(f"-r requirements.txt\ntwo=={version}\n")


def test_after_a_failed_change_of_versions_the_older_lock_is_installed_again(
    computer: Computer, root: Path
) -> None:
    add_extras()
    computer.is_online = False
    change_extras(root, 2)
    assert add_extras() == "pip could not install"
    computer.is_online = True
    change_extras(root, 1)
    computer.installed.clear()
    play()

    assert computer.installed == [".venv: requirements-all.txt"]


@pytest.mark.usefixtures("computer")
def test_if_versions_change_a_lock_that_adds_to_them_is_installed_again(root: Path) -> None:
    (root / "requirements-more.txt").write_text("-r requirements-all.txt\nthree==1\n")
    more = tasks.Environment(".venv", root / "requirements-more.txt")
    add_extras()
    more.make()
    assert more.is_ready()
    change_extras(root, 2)
    add_extras()
    change_extras(root, 1)

    assert not more.is_ready()


def test_an_environment_with_a_stamp_of_an_older_retold_is_made_anew(computer: Computer, root: Path) -> None:
    play()
    tasks.CORE.stamp.write_text(tasks.CORE.wanted())
    computer.installed.clear()
    play()

    assert computer.installed == [".venv: new", ".venv: requirements.txt", f".venv: {root.name}"]


RUN = Path(tasks.__file__).with_name("run.py")
OLD = sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/[23].*/bin/python"))


def test_an_old_python_can_read_the_file_that_says_it_is_too_old() -> None:
    read_by_none_of_them = (ast.AnnAssign, ast.JoinedStr, ast.NamedExpr, ast.Match, ast.AsyncFunctionDef)
    tree = ast.parse(RUN.read_text(encoding="ascii"), feature_version=(3, 7))

    assert [node for node in ast.walk(tree) if isinstance(node, read_by_none_of_them)] == []
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [ast.unparse(one) for one in imports] == ["import sys"]


@pytest.mark.parametrize("python", [one for one in OLD if "/3.11" not in str(one)], ids=str)
def test_an_old_python_is_told_what_is_needed(python: Path) -> None:
    asked = [str(python), "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])"]
    version = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    if tuple(map(int, version.split("."))) >= (3, 11):
        pytest.skip("it is new enough")

    said = subprocess.run([str(python), str(RUN), "demo"], capture_output=True, text=True, check=False)

    assert (said.returncode, said.stderr) == (
        1,
        f"Retold needs Python 3.11 or newer; this is {version}.\n",
    )
