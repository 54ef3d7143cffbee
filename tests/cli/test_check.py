"""--check: what would come of a line is told, and nothing is recorded, remembered or dealt."""

import pytest

from tests.cli.shell import Shell

LINES = [
    ("session", "--check"),
    ("note", "--check:", "Hello."),
    ("cast", "Ada", "--check"),
    ("undo", "--check"),
    ("redo", "--check"),
    ("branch", "third", "--check"),
    ("switch", "kinder", "--check"),
    ("branch", "promote", "kinder", "--check"),
    ("retcon", "21", "--check:", "Other words."),
    ("retcon", "17", "--check", "--as", "quality Guards Q"),
    ("fix", "16", "--check", "=", "JH", "JD", "10S", "7C", "4C", "2D"),
]
"""One line of each kind that writes."""


@pytest.fixture
def branched(shell: Shell) -> Shell:
    """The evening with a branch, written to on the mainline, with something to redo."""
    shell.done("branch", "kinder", "10")
    shell.done("switch", "mainline")
    shell.done("undo")
    return shell


@pytest.mark.parametrize("words", LINES)
def test_a_line_that_is_only_checked_changes_nothing(branched: Shell, words: tuple[str, ...]) -> None:
    before = branched.bytes(), branched.done("branches")
    said = branched.say(*words)

    assert (branched.bytes(), branched.done("branches")) == before
    assert "Recorded" not in said.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("cast", "Ada", "--check"), "Ada enters as person 5, character\n(Checked; nothing was recorded.)\n"),
        (("undo", "--check"), "Would be taken back:\nsession 2 High water begins\n"),
        (("redo", "--check"), "Would be brought back:\nscene 2 The yard\n"),
        (("branch", "third", "--check"), "A new branch third would start at moment 27.\n"),
        (("switch", "kinder", "--check"), "Would write to kinder, at 11.\n"),
        (("branch", "promote", "kinder", "--check"), "kinder would be the mainline.\n"),
        (
            ("retcon", "21", "--check:", "Other words."),
            "21 read: “One last cry, and the line breaks.”\nIt reads from now on: “Other words.”\n",
        ),
    ],
)
def test_check_shows_the_result_of_a_line(branched: Shell, words: tuple[str, ...], told: str) -> None:
    assert branched.done(*words) == told


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("session", "--check"), "Session 2 is still open: end it first (end session)."),
        (("redo", "2", "--check"), "Only one undo can be brought back."),
        (("switch", "nope", "--check"), "There is no branch nope. There are: mainline, kinder."),
        (("branch", "kinder", "--check"), "There is a branch kinder already: choose another name."),
        (("branch", "promote", "mainline", "--check"), "mainline is the mainline already."),
        (
            ("retcon", "20", "--check:", "x"),
            (
                "There is no text at 20: retcon changes something that was said or written. As it is now:"
                ' retcon 20 --as "colour Zel hearts".'
            ),
        ),
        (
            ("fix", "24", "--check", "=", "1"),
            (
                "Nothing was drawn or rolled at 24. To say it otherwise, change what is in quotes: retcon 24"
                ' --as "end session". fix = RESULTS means what was drawn or rolled at 15.'
            ),
        ),
    ],
)
def test_check_refuses_in_the_same_words(branched: Shell, words: tuple[str, ...], sentence: str) -> None:
    assert branched.refused(*words) == sentence


def test_a_script_that_is_only_checked_changes_nothing(shell: Shell) -> None:
    before = shell.bytes()
    said = shell.say("run", "--check", "-", stdin=b"note: One.\nbranch kinder\nnote: Two.\nswitch mainline\n")

    assert (said.code, said.err) == (0, "4 lines checked, nothing recorded.\n")
    assert shell.bytes() == before
    assert shell.done("branches") == "* mainline  to 26\n"
    assert [one.name for one in shell.folder.glob("home/state/*")] == ["seal"]  # no line is remembered


def test_a_script_is_checked_against_a_campaign_that_is_not_made(shell: Shell) -> None:
    said = shell.say("run", "--new", "--check", "-c", "another", "-", stdin=b"campaign Another\n")

    assert said.code == 0
    assert not (shell.folder / "another.retold").exists()


def test_a_script_that_could_not_begin_its_campaign_does_not_pass(shell: Shell) -> None:
    assert shell.refused("run", "--new", "--check", "-c", "evening", "-", stdin=b"") == (
        "evening.retold is there already: choose another name."
    )


def test_a_script_that_would_stop_is_told_where_and_that_nothing_is_recorded(shell: Shell) -> None:
    said = shell.say("run", "--check", "-", stdin=b"note: One.\nsession\n")

    assert said.code == 1
    assert said.err == (
        "standard input:2: Session 2 is still open: end it first (end session)."
        " Nothing is recorded (--check).\n"
    )


def test_S9_a_check_does_not_reveal_seeded_cards(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.done("new", "seeded", "--seed", "a secret of this table")
    shell.play("cast Zel bruise by=Jon clubs=4\nconflict C bruise Zel vs Guards\n", "seeded")

    def looked_ahead(*_: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr("retold.journal.decks.chance.SeededDealer.pick", looked_ahead)

    assert "draws 3 from Jon's deck" in shell.done("-c", "seeded", "draw", "Zel", "3", "--check")
    assert "draws 3 from Jon's deck" in shell.done(
        "run", "-c", "seeded", "--check", "-", stdin=b"draw Zel 3\n"
    )
    assert "ZeroDivisionError" in shell.say("-c", "seeded", "draw", "Zel", "3").err  # the control
