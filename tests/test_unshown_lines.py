"""A branch that is not shown changes no byte of what anybody but the game master is shown.

Two campaigns are alike but for branches of the game master's: their names, reasons, marks, people, and what
is told there. Ids are numbered as in `test_twins`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Final

import pytest

import retold
from retold.cli.campaigns.settings import Settings
from retold.journal.store.writing.branches import Branches
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import EXPORTS
from retold.projections.views import VIEWS
from retold.scribe import Scribe
from tests.cli.shell import Shell
from tests.prepared import TableClock
from tests.projections.unpacked import unpacked
from tests.test_twins import SEED, numbered

EVENING: Final = (
    "cast gm by=Mary",
    "cast Zel bruise by=Jon clubs=4 melee=2: A smuggler",
    "cast Odo by=Kit",
    "session The Long Ebb --date 2026-03-14",
    "scene The stair: Lamps below.",
    "narrate Zel: One last cry.",
    "mark the-stair",
    "branch open --to table: What if she waits?",
    "narrate Zel: She waits.",
    "switch mainline",
    'conflict "Out" bruise Zel vs Guards: freedom',
    "draw Zel clubs+melee = JH JD 10S 7C 4C 3D",
    "end conflict",
    "branch retold-better @-3",
    "narrate Odo: The tide turns.",
    "branch promote retold-better",
    "narrate Odo: And it rains.",
    "branch late @-1 --to table",
    "narrate Odo: It snows.",
    "switch mainline",
    "end session: Out, and wet.",
)
UNSHOWN: Final = (
    ("branch taipan{}: What if the mulgara bites?", "narrate Zel: The ningaui comes."),
    (
        "branch quoll{} --to Kit: What if the boobook bites?",
        "cast Chuditch: A stranger",
        "mark dunnart",
        "narrate gm: Fog.",
    ),
    ("branch numbat{} @-1", "narrate gm: Rain on the wombat.", "branch deeper{}", "narrate gm: The bilby."),
    ('retcon the-stair --as "narrate Zel: The kowari turns."', "note --to table: The dibbler."),
    ("branch potoroo{}", "end session", "session The quokka", "narrate Zel: The galah.", "end session"),
)
"""The game master's own branches; `{}` is a number, for one may be made at several places."""
PLANTED: Final = (
    *("taipan", "mulgara", "ningaui", "quoll", "boobook", "chuditch", "dunnart", "numbat", "wombat"),
    *("bilby", "kowari", "dibbler", "potoroo", "quokka", "galah", "retcon", "deeper"),
)
CAMPAIGN: Final = "salt.retold"
VIEWERS: Final = ("table", "Jon")


def play(folder: Path, *, unshown: bool) -> Path:
    """The evening, and between its lines the game master's branches, one of them written to in the end."""
    clock = TableClock()
    with CampaignStore.create(folder / CAMPAIGN, title="The Salt Road", seed=SEED, clock=clock) as campaign:
        scribe = Scribe(campaign, 1, chose=lambda _line: None)
        for number, line in enumerate(EVENING):
            clock.minute[0] += 1
            if unshown and number > len(EVENING) // 4:
                here = scribe.line
                for aside in UNSHOWN[number % len(UNSHOWN)]:
                    scribe.say(aside.format(number))
                scribe.line = here
            scribe.say(line)
        if unshown:
            Settings(folder / "home", {}).choose_line(campaign.id, scribe.campaign.line_called("numbat12"))
    return folder


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folders of a campaign without such branches, and of one with them."""
    folders = (tmp_path_factory.mktemp("without"), tmp_path_factory.mktemp("with"))
    return play(folders[0], unshown=False), play(folders[1], unshown=True)


HOW: Final = {"table": ("",), "Jon": (" --json",)}
"""How each viewer asks for a view: the sheet and the JSON are made of the same."""
NAMES: Final = ("nope", "taipan10", "numbat12", "quoll11", "retcon", "line-2", "line-5")


def asked(eyes: str) -> Iterator[str]:
    """Every way to ask, with what names no line of theirs among it; each way has three of the seven names."""
    yield from ("show", "show --json", "branches", "branches --json", "branches --at s1", "show map")
    yield from (f"show {view}{how}" for view in VIEWS for how in HOW[eyes])
    yield from (
        "stats",
        "stats --json",
        "recap",
        "who Zel",
        "who Zel --json",
        "who Chuditch",
        "replay",
        "replay --json",
    )
    yield from (f"search {word} --everywhere --all" for word in ("the", "rain", *PLANTED))
    yield from (f"export -f {name} --variations --ribbon" for name, one in EXPORTS.items() if one.is_text)
    yield from (
        "export --book -f replay",
        "export --session 1 -f replay",
        "export --book -f json --variations",
    )
    yield from (
        "show --branch open",
        "export --branch open --variations",
        "diff open",
        "diff open late --story",
    )
    for number, words in enumerate(OF_A_LINE, start=[*HOW].index(eyes)):
        yield from (words.format(NAMES[(number + nth) % len(NAMES)]) for nth in (0, 2, 4))
    yield from (f"show --at e{line}-8" for line in range(3, 9))


OF_A_LINE: Final = (
    "show --branch {}",
    *(f"show --at {{}}@{moment}" for moment in ("3", "@", "s1", "@-1", "dunnart", "")),
    *("diff {}", "diff {}@4", "replay {}@3..", "log {}@3..", "can --at {}@3", "export --moment {}@6 -f svg"),
    *("export {}@3..@", "search rain --branch {}", "branches --at {}@3", "show map --since {}@3"),
    *("export -f srt --clap {}@9=0:12", "recap --at {}@"),
)
"""Every way to name a line."""


def answers(folder: Path, shell: Shell, eyes: str) -> dict[str, str]:
    """All that is answered to somebody, errors too, by what is asked."""
    shell.monkeypatch.chdir(folder)
    shell.monkeypatch.setenv("RETOLD_HOME", str(folder / "home"))
    found: dict[str, str] = {}
    for words in asked(eyes):
        said = shell.say(*words.split(), "--for", eyes)
        found[words] = numbered(unpacked(f"{said.code}\n{said.out}\n{said.err}"))
    return found


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    for name in ("RETOLD_CAMPAIGN", "RETOLD_SEED", "RETOLD_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return Shell(tmp_path, monkeypatch, capsys)


@pytest.mark.parametrize("eyes", VIEWERS)
def test_every_answer_is_the_same_to_the_last_byte(twins: tuple[Path, Path], shell: Shell, eyes: str) -> None:
    without, with_ = (answers(folder, shell, eyes) for folder in twins)

    for words, answer in without.items():
        assert with_[words] == answer, f"{words} --for {eyes}"
    told = {
        words: one.replace(words, "") for words, one in with_.items() if words.startswith(("export", "show"))
    }
    assert [words for words, one in told.items() if any(f"{word} " in one for word in PLANTED)] == []


@pytest.mark.parametrize("eyes", VIEWERS)
def test_every_file_of_a_site_and_a_vault_is_the_same(
    twins: tuple[Path, Path], shell: Shell, eyes: str
) -> None:
    made: list[dict[str, str]] = []
    for folder in twins:
        shell.monkeypatch.chdir(folder)
        shell.monkeypatch.setenv("RETOLD_HOME", str(folder / "home"))
        shell.done("export", "--site", f"site-{eyes}", "--for", eyes, "--variations")
        shell.done("export", "--vault", f"vault-{eyes}", "--for", eyes, "--variations")
        files = sorted(
            path for kind in ("site", "vault") for path in (folder / f"{kind}-{eyes}").rglob("*.*")
        )
        made.append({str(one.relative_to(folder)): _page(one) for one in files})

    assert [*made[0]] == [*made[1]]
    for name, page in made[0].items():
        assert made[1][name] == page, name


def _page(file: Path) -> str:
    """What stands on a page, without the hash of it, ids and all, by which a file of ours is known."""
    whole = file.read_bytes().decode(errors="replace")
    return numbered(unpacked(re.sub(r'retold: "?[0-9a-f]{64}', "", whole)))


@pytest.mark.parametrize("eyes", VIEWERS)
def test_every_value_of_the_library_is_the_same(twins: tuple[Path, Path], eyes: str) -> None:
    without, with_ = (list(_values(folder, eyes)) for folder in twins)

    for one, other in zip_longest(without, with_):
        assert one == other


def _values(folder: Path, eyes: str) -> Iterator[str]:
    with retold.open(folder / CAMPAIGN, seed=SEED.decode()) as campaign:
        lines = campaign.shared.store.lines()
        campaign.go(next((line for line, name in lines.items() if name == "numbat12"), None))
        seen = campaign.seen_by(eyes)
        yield numbered(
            f"{seen.branches} {seen.line_name} {seen.sessions} {seen.title} {seen.plays} {seen.called}"
        )
        for branch in (None, *seen.branches):
            read = seen if branch is None else seen.branch(branch)
            yield numbered(json.dumps(read.replay().to_json()))
            yield numbered(str([(one.id, one.position, one.told) for one in read.happened()]))
            yield numbered(read.export("markdown", "book", variations=True).decode())
        for typed in ("taipan10", "numbat12", "nope", "retcon"):
            for asked_ in (
                seen.branch,
                lambda name: seen.at(f"{name}@3"),
                lambda name: seen.export("text", f"{name}@2.."),
            ):
                with pytest.raises(retold.Refused) as refusal:
                    asked_(typed)
                yield str(refusal.value)
        yield str(campaign.check("narrate Zel: Rain.", by="Jon").would)
        with pytest.raises(retold.Refused) as refusal:
            campaign.check("switch numbat12", by="Jon")
        yield str(refusal.value)


def test_the_game_master_is_shown_all_of_it(twins: tuple[Path, Path], shell: Shell) -> None:
    """Else the twins would be alike because there was nothing to know."""
    shell.monkeypatch.chdir(twins[1])
    shell.monkeypatch.setenv("RETOLD_HOME", str(twins[1] / "home"))
    told = shell.done("export", "--book", "--branch", "mainline", "--variations", "-f", "json", "--for", "gm")

    assert [word for word in PLANTED if word not in told.casefold()] == ["chuditch", "dunnart"]
    assert len(shell.done("branches").splitlines()) > 20


@pytest.mark.parametrize(
    "words", ["branches", "export -f markdown --variations", "export --book -f replay", "show --branch nope"]
)
def test_control_where_every_line_is_known_to_all_the_twins_differ(
    twins: tuple[Path, Path], shell: Shell, words: str
) -> None:
    def everybodys(_branches: Branches, _line: int, *_known: object) -> None:
        """The rule as it was: a line is everybody's."""

    shell.monkeypatch.setattr(Branches, "shown_to", everybodys)
    said = []
    for folder in twins:
        shell.monkeypatch.chdir(folder)
        shell.monkeypatch.setenv("RETOLD_HOME", str(folder / "home"))
        one = shell.say(*words.split(), "--for", "table")
        said.append(numbered(unpacked(f"{one.out}{one.err}")))

    assert said[0] != said[1]
    assert any(word in said[1] for word in PLANTED)
