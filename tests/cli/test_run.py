"""`run`: a script is played line by line; where it stops, all before it is recorded."""

import json

import pytest

from tests.cli.shell import Shell


def stopped(shell: Shell, data: bytes) -> str:
    """Runs a script that has to stop; returns what it says."""
    (shell.folder / "evening.session").write_bytes(data)
    said = shell.say("run", "-q", "evening.session")

    assert (said.code, said.out) == (1, "")
    assert said.err.count("\n") == 1
    return said.err.removesuffix("\n")


def texts(shell: Shell) -> list[str]:
    """The notes recorded since the evening."""
    events = map(json.loads, shell.done("log", "26..", "--json").splitlines())
    return [event["data"]["text"] for event in events if event["kind"] == "table.noted"]


@pytest.mark.parametrize(
    ("data", "sentence", "recorded"),
    [
        (
            b"note: One.\n\n# a comment\nnarrate Zell: Two.\nnote: Three.\n",
            (
                "evening.session:4: There is no “Zell” here. Did you mean Zel?"
                ' A new person is introduced first: cast "Zell". The line before it is recorded.'
            ),
            ["One."],
        ),
        (
            b"note: One.\nnote: Two.\nexpect session 7\n",
            "evening.session:3: Expected session 7, found 2. The 2 lines before it are recorded.",
            ["One.", "Two."],
        ),
        (
            b"drw Zel 3\n",
            "evening.session:1: There is no verb drw. Did you mean draw? No line is recorded.",
            [],
        ),
        (
            b"note: One.\nnote: caf\xe9\n",
            (
                "evening.session:2: Byte 0xE9 in column 10 is not UTF-8: save the script as UTF-8."
                " The line before it is recorded."
            ),
            ["One."],
        ),
        (
            "note: One.\n".encode("utf-16"),
            (
                "evening.session:1: Byte 0xFF in column 1 is not UTF-8: save the script as UTF-8."
                " No line is recorded."
            ),
            [],
        ),
        (
            "note: One.\n".encode("utf-16-le"),
            "evening.session:1: A control character (U+0000) stands here: take it out. No line is recorded.",
            [],
        ),
        (
            b"note: One.\nnote: \x1b[31mTwo.\n",
            (
                "evening.session:2: A control character (U+001B) stands here: take it out."
                " The line before it is recorded."
            ),
            ["One."],
        ),
        (
            b"scene The pier\n  note: indented\n",
            (
                "evening.session:2: An indented line goes on with the text above it, and there is none:"
                " begin at the margin. No line is recorded."
            ),
            [],
        ),
        (
            b'note: One.\nnote:\n    Two.\n    ."never closed\n',
            (
                'evening.session:4: After ." at the beginning comes a string as JSON writes it.'
                " The line before it is recorded."
            ),
            ["One."],
        ),
        (
            b'cast "Ada\n',
            (
                'evening.session:1: This quote is never closed; inside quotes, a quote is written "".'
                " No line is recorded."
            ),
            [],
        ),
    ],
)
def test_a_script_stops_with_its_name_the_line_and_what_is_recorded(
    shell: Shell, data: bytes, sentence: str, recorded: list[str]
) -> None:
    assert stopped(shell, data) == sentence
    assert texts(shell) == recorded


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfnote: One.\nnote: Two.\n",
        b"note: One.\r\n\r\nnote: Two.\r\n",
        b"note: One.\nnote: Two.",
        b"note:\n    One.\nnote:\n\tTwo.\n",
    ],
    ids=["BOM", "CRLF", "no last line end", "texts below"],
)
def test_a_script_may_be_written_with_any_editor(shell: Shell, data: bytes) -> None:
    said = shell.say("run", "-q", "-", stdin=data)

    assert said == (0, "", "2 lines recorded in evening.retold.\n")
    assert texts(shell) == ["One.", "Two."]


def test_an_indented_command_is_text_and_is_warned_about(shell: Shell) -> None:
    said = shell.say("run", "--check", "-", stdin=b"note: One.\n  say Zel: Two.\n")

    assert said.code == 0
    assert said.err.startswith("standard input:2: This line is text, because it is indented; if say is meant")


def test_an_empty_script_does_nothing(shell: Shell) -> None:
    assert shell.say("run", "-", stdin=b"\n# nothing\n") == (0, "", "0 lines recorded in evening.retold.\n")


def test_a_new_campaign_is_named_after_its_script(shell: Shell) -> None:
    (shell.folder / "ambush.session").write_text("campaign The Ambush\n")

    assert shell.say("run", "--new", "-q", "ambush.session").err == "1 line recorded in ambush.retold.\n"


def test_a_session_in_a_script_has_the_date_the_script_gives_or_none(shell: Shell) -> None:
    (shell.folder / "a.session").write_text("session One\nend session\nsession Two --date 2026-03-14\n")
    shell.done("run", "--new", "-q", "a.session")
    log = shell.done("-c", "a", "log")

    assert "session 1 “One” begins\n" in log
    assert "session 2 “Two” begins, 2026-03-14\n" in log


def test_branches_of_a_script_are_written_to_as_it_says(shell: Shell) -> None:
    shell.play("branch kinder 10\nnote: There.\nswitch mainline\nnote: Here.\n")

    assert shell.done("branches") == "* mainline  to 27\n  kinder  to 12  leaves mainline at 10\n"


def test_S8_a_script_that_stopped_is_mended_and_run_again(shell: Shell) -> None:
    file = shell.folder / "tea.session"
    file.write_text("note: One.\nnarrate Zell: Two.\nnote: Three.\n")
    assert shell.say("run", "tea.session").code == 1
    file.write_text("note: One.\nnarrate Zel: Two.\nnote: Three.\n")

    said = shell.say("run", "-q", "tea.session")

    assert said == (
        0,
        "",
        "The first line of tea.session is recorded already: it goes on after that.\n"  # noqa: ISC004 -- one text
        "2 lines recorded in evening.retold.\n",
    )
    assert texts(shell) == ["One.", "Three."]


def test_S8_a_script_that_is_run_twice_is_recorded_once_unless_that_is_said(shell: Shell) -> None:
    (shell.folder / "tea.session").write_text("note: One.\nnote: Two.\n")
    shell.done("run", "-q", "tea.session")

    again = shell.say("run", "-q", "tea.session")

    assert again.code == 0
    assert again.err.startswith(
        "tea.session is recorded already, to its last line. To record it once more: retold run --anew.\n"
    )
    assert texts(shell) == ["One.", "Two."]
    shell.done("run", "-q", "--anew", "tea.session")
    assert texts(shell) == ["One.", "Two.", "One.", "Two."]


def test_S8_what_is_piped_in_is_recorded_each_time(shell: Shell) -> None:
    for _ in range(2):
        shell.done("run", "-q", "-", stdin=b"note: One.\n")

    assert texts(shell) == ["One.", "One."]


def test_S8_a_new_campaign_is_gone_on_with_by_the_script_that_began_it(shell: Shell) -> None:
    file = shell.folder / "tea.session"
    file.write_text("note: One.\nnarrate Zell: Two.\n")
    assert shell.say("run", "--new", "tea.session").code == 1
    file.write_text("note: One.\nnote: Two.\n")

    said = shell.say("run", "-q", "--new", "tea.session")

    assert (said.code, said.err.splitlines()[-1]) == (0, "1 line recorded in tea.retold.")
    assert shell.say("run", "--new", "-q", "tea.session").code == 0  # and nothing is recorded
    (shell.folder / "milk.session").write_text("note: One.\n")
    assert shell.refused("run", "--new", "-c", "tea", "milk.session") == (
        "tea.retold is there already: choose another name."
    )
    assert shell.refused("run", "--new", "--anew", "tea.session") == (
        "tea.retold is there already: choose another name."
    )
