"""Export formats of a whole campaign at the command line."""

from __future__ import annotations

import pytest

from retold.projections.exports import FORMATS
from tests.cli.shell import Shell

NAMES = [name for name, one in FORMATS.items() if one.is_of_campaign]


@pytest.mark.parametrize("name", NAMES)
def test_the_ending_of_a_file_names_the_format(shell: Shell, name: str) -> None:
    file = f"bell{FORMATS[name].suffix}"

    assert shell.say("export", "-o", file).err.startswith(f"Written to {file}.\n")
    assert (shell.folder / file).read_bytes()


def test_in_a_folder_the_file_has_the_name_of_the_campaign(shell: Shell) -> None:
    (shell.folder / "out").mkdir()

    shell.done("export", "-f", "kanka", "-o", "out")

    assert [path.name for path in (shell.folder / "out").iterdir()] == ["evening.kanka.zip"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--session", "1"), "csv is the whole campaign: leave out --session and A..B."),
        (("s1..",), "csv is the whole campaign: leave out --session and A..B."),
        (("--publish",), "--publish is for a story: csv has the numbers and the players' names."),
        (("--copy",), "The clipboard takes text: name a file with -o FILE.csv."),
        (("--layout", "diary"), "A diary is running text, and csv is not"),
    ],
)
def test_what_does_not_fit_a_whole_campaign_is_refused(
    shell: Shell, words: tuple[str, ...], said: str
) -> None:
    came = shell.say("export", "-f", "csv", *words)

    assert (came.code != 0, came.out) == (True, "")
    assert said in came.err
