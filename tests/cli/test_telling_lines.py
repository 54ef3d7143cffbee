"""`export --variations --ribbon`, and `diff --story`: other lines, told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.shell import Shell

BRANCHED = """\
conflict "Over the wall" bruise Zel vs Guards
declare Zel: I climb.
branch kinder --to table: What if she had waited?
say Zel: I can wait.
switch mainline
draw Zel clubs+melee = JH JD 10S 7C 4C 3D
quality Guards 9
colour Zel hearts
narrate Zel: Up, and over.
end conflict
"""


@pytest.fixture
def two(shell: Shell) -> Shell:
    """The evening, and on its second night two lines."""
    shell.play(BRANCHED)
    shell.done("switch", "mainline")
    return shell


def test_an_export_tells_other_lines_and_ribbons_where_they_are_asked_for(two: Shell) -> None:
    plainly = two.done("export")
    told = two.done("export", "--variations", "--ribbon")

    assert "Variation" not in plainly
    assert "> **Variation kinder: What if she had waited?**\n" in told
    assert "\n*Jon deck 46/52 · turn 1*\n" in told
    assert "kinder" not in two.done("export", "--ribbon")


@pytest.mark.parametrize("stretch", [["--session", "2"], ["--book"], ["s2.."]])
def test_they_stand_in_every_stretch_they_lie_in(two: Shell, stretch: list[str]) -> None:
    assert "Variation kinder" in two.done("export", *stretch, "--variations")
    assert "Variation kinder" not in two.done("export", "--session", "1", "--variations")


def test_a_ribbon_without_numbers_is_refused(shell: Shell) -> None:
    sentence = "A ribbon shows numbers, but this export leaves them out: add --mechanics folded."

    assert shell.misused("export", "--ribbon", "--mechanics", "none").endswith(sentence)


def test_a_story_of_two_lines_is_markdown_or_html(two: Shell) -> None:
    shown = two.done("diff", "mainline", "kinder", "--story")
    for name in ("story.md", "story.html"):
        said = two.say("diff", "mainline", "kinder", "--story", "-o", name)
        assert (said.code, said.out, said.err) == (0, "", f"Written to {name}.\n")

    assert shown.startswith("# Over the wall: two ways it went\n\n*The Salt Road · mainline and kinder · ")
    assert (two.folder / "story.md").read_text("utf-8") == shown
    assert (two.folder / "story.html").read_text("utf-8").count('<section aria-labelledby="side-') == 2


def test_without_another_the_line_written_to_is_told_beside_it(two: Shell) -> None:
    assert "· kinder and mainline ·" in two.done("diff", "kinder", "--story")


def test_a_story_has_its_mechanics_where_they_are_wanted(two: Shell) -> None:
    assert "> *Mechanics" in two.done("diff", "mainline", "kinder", "--story")
    assert "J♥" not in two.done("diff", "mainline", "kinder", "--story", "--mechanics", "none")
    assert "\n(1) " in two.done("diff", "mainline", "kinder", "--story", "--mechanics", "footnotes")


def test_a_story_diff_takes_any_voice_and_viewer(two: Shell) -> None:
    two.play("note --gm: The wall is a stage set.")

    assert "Zel narrates: “Up, and over.”" in two.done(
        "diff", "mainline", "kinder", "--story", "--voice", "plain"
    )
    assert "stage set" in two.done("diff", "mainline", "kinder", "--story")
    assert "stage set" not in two.done("diff", "mainline", "kinder", "--story", "--for", "Jon")


def test_three_lines_are_told_beside_each_other(two: Shell) -> None:
    two.play("branch third\nsay Zel: And down again.")

    page = two.done("diff", "mainline", "kinder", "third", "--story")

    assert "· mainline, kinder and third ·" in page
    assert page.index("## mainline") < page.index("## kinder") < page.index("## third")


def test_the_state_alone_and_json_are_as_they_were(two: Shell) -> None:
    assert "Up, and over." not in two.done("diff", "mainline", "kinder", "--state")
    assert json.loads(two.done("diff", "mainline", "kinder", "--json"))["view"] == "diff"


FOR_A_STORY = "Three lines, a file, a language and mechanics are for a story: add --story."


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("third",), FOR_A_STORY),
        (("-o", "a.md"), FOR_A_STORY),
        (("--mechanics", "none"), FOR_A_STORY),
        (("--story", "--json"), "A story is told as Markdown or HTML: leave out --story, or the other."),
        (("--story", "--state"), "A story is told as Markdown or HTML: leave out --story, or the other."),
    ],
)
def test_incompatible_options_are_reported(two: Shell, words: tuple[str, ...], sentence: str) -> None:
    assert two.misused("diff", "mainline", "kinder", *words).endswith(sentence)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("-o", "a.pdf"), "A story of several lines is .md or .html, not .pdf."),
        (("-o", "a"), "A story of several lines is .md or .html: give the file that ending."),
        (("--mechanics", "margin"), "not margin."),
        (("--voice", "operatic"), "There is no voice operatic."),
    ],
)
def test_unknown_filters_are_refused(two: Shell, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in two.refused("diff", "mainline", "kinder", "--story", *words)


def test_a_file_that_is_there_is_not_written_over(two: Shell) -> None:
    path: Path = two.folder / "story.md"
    path.write_text("Mine.", "utf-8")

    assert "story.md is there already" in two.refused(
        "diff", "mainline", "kinder", "--story", "-o", "story.md"
    )
    assert path.read_text("utf-8") == "Mine."
    two.done("diff", "mainline", "kinder", "--story", "-o", "story.md", "--force")
    assert path.read_text("utf-8").startswith("# Over the wall")
