"""A site of web pages: whom it is for, what is written, and what is left as it is."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from retold.cli.exporting import folders
from retold.cli.exporting.folders import marked
from retold.journal.store import process_pool
from retold.journal.store.events.clock import Clock
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import parallel
from retold.projections.site import SiteFile, files_of
from retold.scribe import Scribe
from tests.cli.shell import Shell
from tests.projections.site.whole import loose_ends

EVENING = """campaign The Salt Road
cast Zel by=Jon: A smuggler
session The Long Ebb --date 2026-03-14
mark begun
place "The Salt Gate": Shut since the flood.
thing "The tide table" --gm: Somebody has torn out March.
narrate Zel: We come to a salt-gate.
end session
"""

PAGES = [
    "feed.xml",
    "fonts/48ab940f9c68ea74.otf",
    "index.html",
    "people/index.html",
    "people/zel.html",
    "places/index.html",
    "places/the-salt-gate.html",
    "replays/1.html",
    "search.html",
    "search/0.js",
    "sessions/1.html",
    "site.css",
]

PLAYERS = "It names the players, who have no pages of their own: Jon."


@pytest.fixture
def road(shell: Shell, tmp_path: Path) -> Shell:
    path = tmp_path / "evening.session"
    path.write_text(EVENING, "utf-8")
    shell.done("new", "road")
    shell.done("-c", "road", "run", str(path))
    return shell


def site(shell: Shell, *words: str) -> list[str]:
    """Writes it, and returns what is said of it, line by line."""
    said = shell.say("-c", "road", "export", "--site", "site", *words)

    assert (said.code, said.out) == (0, "")
    return said.err.splitlines()


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def pages_among(names: Iterable[str]) -> list[str]:
    """The files that a site has without its address too: no pictures for links, no answers for embeds."""
    return [name for name in names if not name.startswith(("embed/", "pictures/"))]


def test_a_site_defaults_to_the_table_view(road: Shell, tmp_path: Path) -> None:
    assert site(road) == [
        "12 files written, 0 as before: site.",
        PLAYERS,
        "The table's copy; --for gm makes the game master's.",
    ]
    written = files(tmp_path / "site")

    assert sorted(written) == PAGES
    assert loose_ends(written) == []
    assert all(b"tide table" not in data and b"torn out" not in data for data in written.values())
    assert site(road, "--for", "gm")[1:] == [
        PLAYERS,
        "The game master's copy, with 1 secret; --for table leaves it out.",
    ]
    assert "things/the-tide-table.html" in files(tmp_path / "site")
    assert site(road, "--for", "Jon")[-1] == "Jon's copy; nothing in it is secret."


def test_what_was_only_the_game_masters_is_gone_when_a_site_becomes_the_tables(
    road: Shell, tmp_path: Path
) -> None:
    site(road, "--for", "gm")

    said = site(road)

    assert "things/the-tide-table.html: no longer exported, and removed." in said
    assert sorted(files(tmp_path / "site")) == PAGES


def test_only_what_has_changed_is_written_again(road: Shell, tmp_path: Path) -> None:
    site(road)
    before = {name: (tmp_path / "site" / name).stat().st_mtime_ns for name in PAGES}

    assert site(road)[0] == "0 files written, 12 as before: site."
    assert before == {name: (tmp_path / "site" / name).stat().st_mtime_ns for name in PAGES}
    road.done("-c", "road", "place", "salt:", "It is open again.")
    written = json.loads(road.done("-c", "road", "export", "--site", "site", "--json"))["written"]
    assert written == ["places/the-salt-gate.html", "places/index.html", "search/0.js"]


def test_if_nothing_changed_no_page_is_made(
    road: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def files(*given: Any, **looks: Any) -> Iterator[SiteFile]:  # noqa: ANN401 -- all that a site is made of
        for file in files_of(*given, **looks):
            made.append(file.path)
            yield file

    monkeypatch.setattr(folders, "files_of", files)
    before = site(road)
    assert len(made) == len(PAGES)

    made.clear()
    assert site(road) == [f"0 files written, {len(PAGES)} as before: site.", *before[1:]]
    assert not made

    (tmp_path / "site/people/zel.html").unlink()
    assert site(road)[0] == f"1 file written, {len(PAGES) - 1} as before: site."
    (tmp_path / "site/people/old.html").write_bytes((tmp_path / "site/people/zel.html").read_bytes())
    assert site(road)[1] == "people/old.html: no longer exported, and removed."
    road.done("-c", "road", "note", ": Rain.")
    made.clear()
    site(road)
    site(road, "--url", "https://example.org")
    assert len(pages_among(made)) == 2 * len(PAGES) + 1


@pytest.mark.parametrize("kind", ["site", "vault"])
def test_a_long_campaign_is_told_by_several_processes(
    kind: str, road: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def written(folder: str) -> dict[str, bytes]:
        road.done("-c", "road", "export", f"--{kind}", folder, "--yes")
        return {
            path.relative_to(tmp_path / folder).as_posix(): path.read_bytes()
            for path in (tmp_path / folder).rglob("*.*")
        }

    for number in range(3):
        road.done("-c", "road", "session", f"Night {number}")
        road.done("-c", "road", "end", "session")
    alone = written("alone")
    for cache in tmp_path.rglob("*.cache*"):
        cache.unlink()
    for name, value in (("MANY", 1), ("RUN", 1)):
        monkeypatch.setattr(parallel, name, value)
    monkeypatch.setattr(process_pool, "processors", lambda: 2)
    begun: list[bool] = []
    with_crew = process_pool.open_pool

    def noted(*given: Any, helped: bool) -> AbstractContextManager[process_pool.ProcessPool]:  # noqa: ANN401
        begun.append(helped)
        return with_crew(*given, helped=helped)

    monkeypatch.setattr(process_pool, "open_pool", noted)
    assert written("by-many") == alone
    assert begun == [True]


def test_foreign_and_edited_files_are_left_alone(road: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    (folder / "people").mkdir(parents=True)
    (folder / "elsewhere").mkdir()
    own = {
        "search.html": b"Mine.\n",
        "mine.html": b"<p>Mine.",
        "elsewhere/index.html": marked("a.html", b"<!DOCTYPE html>\n"),
    }
    for name, data in own.items():
        (folder / name).write_bytes(data)
    site(road)
    changed = folder / "people/zel.html"
    changed.write_bytes(changed.read_bytes().replace(b"smuggler", b"saint"))
    mine = folder / "places/the-salt-gate.html"
    mine.write_bytes(mine.read_bytes() + b"<!-- mine -->")
    before = files(folder)

    said = site(road, "--at", "begun")

    told = "not written, for it is not as Retold wrote it."
    assert f"search.html: {told}" in said
    assert f"people/zel.html: {told}" in said
    after = files(folder)
    assert {name: after[name] for name in (*own, "people/zel.html", "places/the-salt-gate.html")} == {
        name: before[name] for name in (*own, "people/zel.html", "places/the-salt-gate.html")
    }
    assert "places/index.html" not in after


def test_links_are_whole_where_it_is_known_where_it_will_lie(road: Shell, tmp_path: Path) -> None:
    site(road, "--url", "https://example.org/salt/")

    written = files(tmp_path / "site")
    assert (
        b'<meta property="og:url" content="https://example.org/salt/sessions/1.html">'
        in written["sessions/1.html"]
    )
    assert b"https://example.org/salt/feed.xml" in written["feed.xml"]
    assert sorted(pages_among(written)) == sorted([*PAGES, "404.html"])
    assert "404.html: no longer exported, and removed." in site(road)


def test_without_typst_links_have_no_card_and_retold_says_so(
    road: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)

    said = site(road, "--url", "https://example.org/salt")

    assert any(line.startswith("A link's picture needs typst, which ") for line in said)
    assert not (tmp_path / "site/pictures").exists()
    assert b"og:image" not in (tmp_path / "site/index.html").read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        ("--voice", "prose", "--mechanics", "none"),
        ("--voice", "script", "--mechanics", "appendix", "--ribbon", "--variations"),
        ("--branch", "mainline", "--at", "s1"),
    ],
)
def test_what_an_export_may_be_told_a_site_may_be_told_too(
    road: Shell, tmp_path: Path, words: tuple[str, ...]
) -> None:
    site(road, *words)

    assert loose_ends(files(tmp_path / "site")) == []


def test_a_machine_is_told_what_was_written(road: Shell) -> None:
    told = json.loads(road.done("-c", "road", "export", "--site", "site", "--json"))

    assert sorted(told.pop("written")) == PAGES
    assert told == {
        "retold": "site",
        "version": 1,
        "unchanged": 0,
        "yours": [],
        "left_over": [],
        "beside": {},
        "viewer": "table",
        "secrets": None,
    }


def test_without_a_session_all_there_is_has_one_page(shell: Shell, tmp_path: Path) -> None:
    shell.done("new", "road")
    shell.done("-c", "road", "narrate", "gm:", "Rain.")
    site(shell)

    written = files(tmp_path / "site")
    assert b"Rain." in written["sessions/story.html"]
    assert loose_ends(written) == []


def test_what_does_not_fit_is_refused_in_a_sentence(road: Shell, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")

    assert road.refused("-c", "road", "export", "--site", "file") == (
        "file is a file, and a site is a folder: name another with --site FOLDER."
    )
    assert road.refused("-c", "road", "export", "--site", "s", "--url", "javascript:x").startswith(
        "“javascript:x” is not an address"
    )
    assert road.misused("-c", "road", "export", "--url", "https://example.org").startswith(
        "--url is where a site"
    )
    for more in (
        ["--book"],
        ["--session", "1"],
        ["s1..s2"],
        ["-f", "html"],
        ["-o", "x"],
        ["--force"],
        ["--clap", "s1"],
        ["--vault", "v"],
    ):
        assert road.misused("-c", "road", "export", "--site", "s", *more).startswith(
            "A site is pages of everything: "
        )
    assert road.refused("-c", "road", "export", "--site", "s", "--for", "Nobody").startswith(
        "There is no “Nobody”"
    )
    assert not (tmp_path / "s").exists()


class EndOfTime(Clock):
    """A clock that somebody set to the last second there is."""

    def now(self) -> tuple[str, int]:
        told = next(self.ticks)
        return f"9999-12-31T23:59:59.{told:06}Z", 0

    ticks = count(999_000, 150)


def test_X9_an_evening_at_the_end_of_the_calendar_is_published(shell: Shell) -> None:
    with CampaignStore.create(shell.folder / "late.retold", clock=EndOfTime()) as campaign:
        scribe = Scribe(campaign, 1)
        for line in ("session", "scene Yard", "cast Ana by=Jo", "narrate Ana: She runs.", "narrate: Late."):
            scribe.say(line)

    shell.done("-c", "late", "export", "--site", "pages", "--for", "gm")

    assert "9999-12-31T23:59:59" in (shell.folder / "pages" / "feed.xml").read_text("utf-8")


def test_N17_a_person_who_only_plays_has_no_page_and_is_told_of(road: Shell, tmp_path: Path) -> None:
    said = site(road)

    assert PLAYERS in said
    assert not (tmp_path / "site/people/jon.html").exists()
    assert b"Jon" in (tmp_path / "site/people/zel.html").read_bytes()  # the control: who plays Zel


def test_a_site_takes_its_texts_and_looks_from_a_file_beside_the_campaign(
    road: Shell, tmp_path: Path
) -> None:
    site(road)
    plain = files(tmp_path / "site")
    said = road.say("-c", "road", "export", "--site-file")
    assert said.err == "Written to road.site.toml.\n"
    (tmp_path / "road.site.toml").write_text(
        'title = "The Ledger"\nblurb = "Who owes the tide?"\n'
        'accent = "#1f5d8f"\npaper = "sepia"\nlanguage = "de"\n',
        "utf-8",
    )

    assert site(road)[0] == "11 files written, 1 as before: site."
    assert site(road)[0] == "0 files written, 12 as before: site."
    written = files(tmp_path / "site")
    front = written["index.html"].decode()
    assert '<h1 dir="auto">The Ledger</h1>' in front
    assert '<meta property="og:description" content="Who owes the tide?">' in front
    assert "Mit dem ersten Abend beginnen" in front
    assert "--accent: #1f5d8f" in written["site.css"].decode()
    assert "--accent: #1f5d8f" in written["replays/1.html"].decode()
    (tmp_path / "road.site.toml").unlink()
    site(road)
    assert files(tmp_path / "site") == plain


def test_a_cover_that_is_not_there_is_refused_and_nothing_is_written(road: Shell, tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text('cover = "cover.png"\n', "utf-8")

    said = road.refused("-c", "road", "export", "--site", "site")

    assert said == "cover.png cannot be read: No such file or directory."
    assert not (tmp_path / "site").exists()
