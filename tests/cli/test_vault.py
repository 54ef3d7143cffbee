"""A vault of linked pages: what is written, what is left as it is, and what no name can do to it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

import pytest

from retold.cli.exporting.folders import marked
from retold.projections.exports.vault import VaultLinker, caseless, file_stem
from tests.cli.shell import Shell
from tests.files import needs_links

EVENING = """campaign The Salt Road
cast Zel by=Jon: A smuggler
cast Pym
session The Long Ebb --date 2026-03-14
thread "Who paid the ferryman": Two coins, and Zel had one.
place "The Salt Gate": Shut since the flood.
thing "The tide table" --gm: Somebody has torn out March.
narrate Zel: We come to a salt-gate. Who paid the ferryman?
note Pym --to Jon: He knows the tide table.
end session
"""

LONG_AGO: Final = 10**18
"""A day in 2001, in nanoseconds: when nothing of this was written."""

PAGES = [
    "People/Jon.md",
    "People/Pym.md",
    "People/Zel.md",
    "Places/The Salt Gate.md",
    "Sessions/Session 1.md",
    "Things/The tide table.md",
    "Threads/Who paid the ferryman.md",
]


@pytest.fixture
def road(shell: Shell, tmp_path: Path) -> Shell:
    path = tmp_path / "evening.session"
    path.write_text(EVENING, "utf-8")
    shell.done("new", "road")
    shell.done("-c", "road", "run", str(path))
    return shell


def vault(shell: Shell, *words: str) -> str:
    """Writes the game master's copy, or another, and returns what is said of it, but for whose copy it is."""
    whose = () if "--for" in words else ("--for", "gm")
    said = shell.say("-c", "road", "export", "--vault", "vault", *whose, *words)

    assert (said.code, said.out) == (0, "")
    *told, copy = said.err.splitlines(keepends=True)
    assert " copy" in copy
    return "".join(told)


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_there_is_a_page_of_each_and_every_mention_is_a_link(road: Shell, tmp_path: Path) -> None:
    assert vault(road) == "7 pages written, 0 as before: vault.\n"

    assert files(tmp_path / "vault") == PAGES
    zel = (tmp_path / "vault/People/Zel.md").read_text("utf-8")
    assert 'aliases: ["Zel"]\nplayers: ["Jon"]\n' in zel
    assert "- [[Sessions/Session 1|s1]] The Long Ebb (2026-03-14)\n" in zel
    assert "- [[Sessions/Session 1|s1]] · Two coins, and Zel had one.\n" in zel
    evening = (tmp_path / "vault/Sessions/Session 1.md").read_text("utf-8")
    assert (
        "**[[People/Zel|Zel]]:** We come to a [[Places/The Salt Gate|salt-gate]]."
        " [[Threads/Who paid the ferryman|Who paid the ferryman]]? ^e"
    ) in evening


def test_only_what_has_changed_is_written_again(road: Shell, tmp_path: Path) -> None:
    vault(road)
    for name in PAGES:
        os.utime(tmp_path / "vault" / name, ns=(LONG_AGO, LONG_AGO))

    assert vault(road) == "0 pages written, 7 as before: vault.\n"
    road.done("-c", "road", "thread", "ferryman", "--done:", "The widow did.")
    assert vault(road) == "1 page written, 6 as before: vault.\n"

    written = [name for name in PAGES if (tmp_path / "vault" / name).stat().st_mtime_ns != LONG_AGO]
    assert written == ["Threads/Who paid the ferryman.md"]


@needs_links
def test_edited_pages_are_kept_and_new_versions_written_beside_them(road: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    (folder / "People").mkdir(parents=True)
    (folder / "People/Pym.md").write_text("Mine.\n", "utf-8")
    (tmp_path / "elsewhere.md").write_bytes(marked("elsewhere.md", b"---\nmine\n"))
    (folder / "People/Jon.md").symlink_to(tmp_path / "elsewhere.md")
    vault(road)
    mine, table = folder / "Places/The Salt Gate.md", folder / "Things/The tide table.md"
    for page in (mine, table):
        page.write_text(page.read_text("utf-8").replace("\n---\n", "\ntags: [mine]\n---\n", 1), "utf-8")
    road.done("-c", "road", "place", "salt:", "It is open again.")
    road.done("-c", "road", "cast", "Zel", "name=Azel")
    road.done("-c", "road", "cast", "Pym (Retold)")
    told = "not written, for it is not as Retold wrote it"

    said = vault(road)

    assert said.splitlines()[1:] == [
        f"People/Jon.md: {told}; the new version is People/Jon (Retold).md.",
        f"People/Pym.md: {told}; the new version is People/Pym (Retold 2).md.",
        f"Places/The Salt Gate.md: {told}; the new version is Places/The Salt Gate (Retold).md.",
        f"Things/The tide table.md: {told}.",
        "People/Zel.md: no longer exported, and left there.",
    ]
    assert (folder / "People/Pym.md").read_text("utf-8") == "Mine.\n"
    assert "It is open again." not in mine.read_text("utf-8")
    assert "It is open again." in (folder / "Places/The Salt Gate (Retold).md").read_text("utf-8")
    assert "# Pym (Retold)\n" in (folder / "People/Pym (Retold).md").read_text("utf-8")
    assert (tmp_path / "elsewhere.md").read_bytes() == marked("elsewhere.md", b"---\nmine\n")
    assert 'aliases: ["Azel", "Zel"]' in (folder / "People/Azel.md").read_text("utf-8")
    assert vault(road).splitlines() == ["0 pages written, 7 as before: vault.", *said.splitlines()[1:]]


def test_notes_under_the_last_line_stay_whatever_is_written_above_it(road: Shell, tmp_path: Path) -> None:
    vault(road)
    page = tmp_path / "vault/Places/The Salt Gate.md"
    line = page.read_text("utf-8").splitlines(keepends=True)[-1]
    mine = f"I love this place.\n\n{line}\nstill mine\n"
    page.write_text(page.read_text("utf-8") + mine, "utf-8")

    assert vault(road) == "0 pages written, 7 as before: vault.\n"
    road.done("-c", "road", "place", "salt:", f"It is open again. {line.strip()}")
    assert vault(road) == "1 page written, 6 as before: vault.\n"

    told = page.read_text("utf-8")
    assert "It is open again." in told
    assert told.endswith(line + mine)
    assert vault(road) == "0 pages written, 7 as before: vault.\n"


def test_line_ends_of_an_editor_on_windows_are_no_edit_and_stay(road: Shell, tmp_path: Path) -> None:
    vault(road)
    page = tmp_path / "vault/Places/The Salt Gate.md"
    page.write_bytes(page.read_bytes().replace(b"\n", b"\r\n") + b"\r\nMine.\r\n")

    assert vault(road) == "0 pages written, 7 as before: vault.\n"
    road.done("-c", "road", "place", "salt:", "It is open again.")
    assert vault(road) == "1 page written, 6 as before: vault.\n"

    told = page.read_bytes()
    assert b"It is open again." in told
    assert told.endswith(b"\r\nMine.\r\n")
    assert told.count(b"\n") == told.count(b"\r\n")
    assert vault(road) == "0 pages written, 7 as before: vault.\n"


def test_a_page_beside_another_is_never_written_over_either(road: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "vault/Things"
    folder.mkdir(parents=True)
    for name in ("The tide table.md", "The tide table (Retold).md"):
        (folder / name).write_text("Mine.\n", "utf-8")
    (folder / "The tide table (Retold 2).md").mkdir()

    assert vault(road).endswith(
        "Things/The tide table.md: not written, for it is not as Retold wrote it;"
        " the new version is Things/The tide table (Retold 3).md.\n"
    )
    assert (folder / "The tide table (Retold).md").read_text("utf-8") == "Mine.\n"


def test_a_name_that_is_made_to_do_harm_is_written_beside_a_page_all_the_same(
    road: Shell, tmp_path: Path
) -> None:
    road.done("-c", "road", "cast", "../../con|[[Zel]] <!-- %% -->")
    folder = tmp_path / "vault"
    vault(road)
    [page] = [one for one in (folder / "People").iterdir() if "con" in one.name]
    page.write_text("Mine.\n", "utf-8")

    said = vault(road)

    assert f"the new version is People/{page.stem} (Retold).md.\n" in said
    assert {one.parent for one in tmp_path.rglob("*(Retold)*")} == {folder / "People"}


def test_nothing_hidden_is_in_a_players_vault(road: Shell, tmp_path: Path) -> None:
    vault(road, "--for", "table")

    assert files(tmp_path / "vault") == [name for name in PAGES if not name.startswith("Things")]
    every = "".join((tmp_path / "vault" / name).read_text("utf-8") for name in files(tmp_path / "vault"))
    assert "tide table" not in every


def test_a_machine_is_told_what_was_written(road: Shell) -> None:
    told = json.loads(road.done("-c", "road", "export", "--vault", "vault", "--for", "gm", "--json"))

    assert sorted(told.pop("written")) == PAGES
    assert told == {
        "retold": "vault",
        "version": 1,
        "unchanged": 0,
        "yours": [],
        "left_over": [],
        "beside": {},
        "viewer": "gm",
        "secrets": 2,
    }


def test_without_mechanics_no_page_says_what_a_game_counts(road: Shell, tmp_path: Path) -> None:
    def headings() -> set[str]:
        pages = (tmp_path / "vault/People").glob("*.md")
        return {line for page in pages for line in page.read_text("utf-8").splitlines() if line[:3] == "## "}

    road.done("-c", "road", "cast", "Zel", "bruise", "clubs=4")
    vault(road)
    assert "## On the sheet" in headings()
    road.done("-c", "road", "export", "--vault", "vault", "--mechanics", "none")

    assert headings() & {"## Now", "## On the sheet", "## What changed"} == set()
    assert "## Sessions" in headings()


@needs_links
def test_a_folder_that_is_a_link_is_somebodys_own(road: Shell, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/People").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "vault/Places").write_text("Mine.\n", "utf-8")

    said = vault(road)

    assert said.startswith("3 pages written, 0 as before: vault.\n")
    assert said.count(": not written, ") == len(PAGES) - 3
    assert files(tmp_path / "elsewhere") == []


def test_a_vault_is_a_folder_and_nothing_else(road: Shell, tmp_path: Path) -> None:
    (tmp_path / "vault").write_text("", "utf-8")

    assert road.refused("-c", "road", "export", "--vault", "vault") == (
        "vault is a file, and a vault is a folder: name another with --vault FOLDER."
    )
    assert road.refused("-c", "road", "export", "--vault", "there", "--mechanics", "below").startswith(
        "Mechanics stand inline, "
    )
    said = road.say("-c", "road", "export", "--vault", "there", "--book")
    assert (said.code, said.err.startswith("A vault is pages of everything: ")) == (2, True)


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("../../etc/passwd", "etc passwd"),
        ("C:\\Windows\\..", "C Windows"),
        ("con", "con (name)"),
        ("LPT1.txt", "LPT1 (name).txt"),
        ("COM\u00b9", "COM\u00b9 (name)"),  # X13
        ("-rf", "rf"),  # X13
        ("A|B]] [x] #z", "A B x z"),
        (".hidden.", "hidden"),
        ("line\nend\x1b[2J", "line⏎end␛ 2J"),
        ("???", "unnamed"),
        ("\u202egpj.exe", "⟦U+202E⟧gpj.exe"),
        ("é" * 100, "é" * 60),
    ],
)
def test_a_name_makes_a_file_that_every_system_takes(name: str, file: str) -> None:
    made = file_stem(name)

    assert made == file
    assert not set('\\/:*?"<>|\n') & set(made)


def test_two_names_that_a_file_system_takes_for_one_are_told_apart() -> None:
    assert file_stem("ZEL", {caseless("Zel"), caseless("zel 2")}) == "ZEL 3"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Zel, and [[Zel]]", "[[People/Zel|Zel]], and \\[\\[[[People/Zel|Zel]]\\]\\]"),
        ("<b>Zel</b>", "\\<b\\>[[People/Zel|Zel]]\\</b\\>"),
        ("- Zel - b", "\\- [[People/Zel|Zel]] - b"),
        ("\ue0000\ue001 Zel", "\ue0000\ue001 Zel"),
    ],
)
def test_what_was_typed_stays_text_around_a_link(text: str, line: str) -> None:
    assert VaultLinker({"People/Zel": ["Zel"]}).line(text) == line


def test_a_name_cannot_end_its_link() -> None:
    written = VaultLinker({"People/A B": ["B]] <img> x"]}).line("B]] <img> x")

    assert written == "[[People/A B|B\uff3d\uff3d \uff1cimg\uff1e x]]"
