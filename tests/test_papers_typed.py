"""What the papers show is typed as a reader would type it, line by line, and every line has to be taken.

Which blocks those are is seen from their first word, a verb or `retold`, so a paper that is written tomorrow
is typed too. What the table says is typed into a new campaign, or, where the text before it names an example,
at that moment of it; what is said at a shell, in a folder with the campaign of README, three evenings old.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from retold.journal.language.verbs import EXPECT, VERBS
from retold.journal.store.writing.campaign import CampaignStore
from retold.scribe import Scribe
from retold.script_player import Script, play_script
from tests.cli.shell import Shell
from tests.journal.store.played import StoppedClock

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAPERS = (README, *sorted((ROOT / "docs").rglob("*.md")))
AFTERWARDS = ROOT / "tests/data/salt-road.session"
FENCED = re.compile(r"^```(?P<language>\w*)\n(?P<lines>.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"`(examples/\S+\.session)`")
OURS = {"retold"}
TABLE = {verb for verb in (*VERBS, *EXPECT) if len(verb) > 1}


class Block(NamedTuple):
    """Lines to be typed, and the text of their paper before them."""

    paper: Path
    row: int
    lines: tuple[str, ...]
    before: str

    @property
    def example(self) -> Path | None:
        """The example they are from, where the paragraph before them names one."""
        found = EXAMPLE.findall(self.before.strip().rpartition("\n\n")[2])
        return ROOT / found[-1] if found else None

    def __str__(self) -> str:
        return f"{self.paper.relative_to(ROOT)}:{self.row}"


def blocks() -> Iterator[Block]:
    for paper in PAPERS:
        text = paper.read_text("utf-8")
        for found in FENCED.finditer(text):
            lines = tuple(line for line in found["lines"].splitlines() if line.strip())
            if lines and not found["language"] and lines[0].split()[0] in OURS | TABLE:
                before = text[: found.start()]
                yield Block(paper, before.count("\n") + 2, lines, before)


BLOCKS = list(blocks())
EVENING = next(block for block in BLOCKS if block.lines[0].startswith("cast gm"))
BEGINNING = next(block for block in BLOCKS if block.lines[0].startswith("retold new"))


def commands(line: str) -> Iterator[list[str]]:
    """What is typed at a shell: each part of the line that begins with our name; others explain it."""
    for part in re.split(r"\s{2,}", line):
        if part.startswith("retold ") and not line.startswith(" "):
            yield shlex.split(part, comments=True)[1:]


# --- the first evening ------------------------------------------------------------------------------------


@pytest.mark.parametrize("luck", range(50))
def test_F5_the_readmes_evening_works_with_any_luck(luck: int, tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "salt-road.retold", seed=f"luck number {luck}".encode()) as campaign:
        campaign.seed = f"luck number {luck}".encode()
        scribe = Scribe(campaign, 1)
        for line in EVENING.lines:
            scribe.say(line)

        assert scribe.table.conflicts == {}


def test_F5_the_evening_shows_cards_from_the_table_and_something_dealt() -> None:
    assert any(" = " in line for line in EVENING.lines)
    assert any(line.startswith("roll") and "=" not in line for line in EVENING.lines)


def test_F5_the_readmes_evening_is_played_at_the_console(shell: Shell) -> None:
    shell.done("new", "salt-road")

    said = shell.say("play", stdin="\n".join(EVENING.lines).encode())

    assert (said.code, said.err) == (0, "")
    assert "One last cry" in shell.done("export", "--session", "1")


# --- everything else --------------------------------------------------------------------------------------


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """An empty folder, with settings of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    for name in ("RETOLD_CAMPAIGN", "RETOLD_SEED", "RETOLD_DEBUG", "RETOLD_EDITOR", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    return Shell(tmp_path, monkeypatch, capsys)


@pytest.fixture(scope="module")
def road(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The campaign of README after three evenings, the third of them long enough for `s3:180`."""
    path = tmp_path_factory.mktemp("road") / "salt-road.retold"
    with CampaignStore.create(path, title="The Salt Road", clock=StoppedClock()) as campaign:
        scribe = Scribe(campaign, 1)
        script = "\n".join((*EVENING.lines, AFTERWARDS.read_text("utf-8"), *_a_long_evening()))
        list(play_script(scribe, Script("salt-road", script.encode())))
    return path


def _a_long_evening() -> Iterator[str]:
    yield from (f"narrate Zel: Wave number {number}." for number in range(190))
    yield 'conflict "On the quay" bruise Zel vs Watchmen'
    yield "declare Zel: Once more."
    yield "draw Zel clubs+melee = JH JD 10S 7C 4C 3D"


def prepared(block: Block, road: Path, shell: Shell) -> None:
    """The folder as the paper has it when its reader comes to these lines."""
    if block.example is not None:
        with CampaignStore.create(shell.folder / "example.retold") as campaign:
            _play_until(block.lines[0], block.example, Scribe(campaign, 1))
    elif block.lines[0].split()[0] in TABLE:
        shell.done("new", "salt-road")
    elif block != BEGINNING:
        shutil.copy(road, shell.folder / "salt-road.retold")


def _play_until(first: str, example: Path, scribe: Scribe) -> None:
    """Plays an example up to the line that says the same as `first`, whatever is told with it."""
    said = re.escape(re.split(r"\s+#\s", first)[0].rstrip())
    for line in Script(str(example), example.read_bytes()).lines():
        if re.match(rf"{said}(:\s|\s+#\s|\Z)", line.source):
            return
        scribe.say(line.source)
    pytest.fail(f"{example.name} has no line as this: {first}")


def typed(block: Block, shell: Shell) -> None:
    """Types a block; a line that is not taken fails with what was said of it."""
    stick = shell.folder / "media" / "stick"  # a reader's own disk is none of ours
    stick.parent.mkdir()
    for line in (line.replace("/media/stick", str(stick)) for line in block.lines):
        if line.split(" ")[0] in TABLE:
            said = shell.say("run", "-q", "-", stdin=line.encode())
            assert said.code == 0, f"{line}: {said.err}"
        for words in commands(line):
            said = shell.say("--yes", *words)
            assert said.code == 0, f"retold {shlex.join(words)}: {said.err}"


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_F5_every_line_a_reader_may_type_is_taken(block: Block, road: Path, shell: Shell) -> None:
    prepared(block, road, shell)

    typed(block, shell)


def test_the_readmes_program_runs_on_its_campaign(
    road: Path, shell: Shell, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(road, shell.folder / "salt-road.retold")
    (program,) = (
        found for found in FENCED.finditer(README.read_text("utf-8")) if found["language"] == "python"
    )

    exec(compile(program["lines"], str(README), "exec"), {})

    printed = capsys.readouterr().out
    assert "'purses': " in printed
    assert "Wave number 7." in printed


def test_F5_the_papers_are_read() -> None:
    assert {"README.md", "language.md", "edgerunner.md", "voices.md"} <= {one.paper.name for one in BLOCKS}
    assert [str(block) for block in BLOCKS if block.example is not None]
    assert ["export", "--book", "-o", "b.epub"] in [
        words for block in BLOCKS for line in block.lines for words in commands(line)
    ]
