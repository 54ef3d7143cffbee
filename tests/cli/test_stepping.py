from __future__ import annotations

from itertools import count

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.utils import get_cwidth

from retold.cli.verbs.replay import Frame, ReplayPosition, ReplayViewer, step_through, wrapped

HEADINGS = ("Session 1", "Session 1 · The porch", "Session 1 · The porch", "Session 1 · The cellar")


class Story:
    """Four moments at positions 10, 20, 30, 40, and which of them were asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, number: int) -> Frame | None:
        self.asked.append(number)
        if number >= len(HEADINGS):
            return None
        told = (f"Moment {number} is told at some length, so that it has to be folded.", "渡し守の家に着く。")
        return Frame(10 * (number + 1), HEADINGS[number], told, (f"karma {number}", "decks 52/52"))


@pytest.fixture
def story() -> Story:
    return Story()


def walked(story: Story, keys: str) -> int:
    """Where these keys lead, as a position."""
    walk = ReplayPosition(story)
    with create_pipe_input() as source:
        source.send_text(keys + "q")
        ReplayViewer(walk).application(source, DummyOutput()).run()
    assert walk.frame is not None
    return walk.frame.position


@pytest.mark.parametrize(
    ("keys", "position"),
    [
        ("", 10),
        (" ", 20),
        ("\r\x1b[C", 30),
        ("  b", 20),
        (" \x1b[D\x1b[D", 10),
        ("      ", 40),
        ("n", 20),
        ("nn", 40),
        ("nnp", 20),
        ("nnpp", 10),
        ("g30\r", 30),
        ("g25\r", 30),
        ("g999\r", 40),
        ("g40\rg1\r", 10),
        ("g39\x7f\x7f20\r", 20),
        ("+-a a", 20),
    ],
)
def test_keys_lead_through_the_moments(story: Story, keys: str, position: int) -> None:
    assert walked(story, keys) == position


def test_a_moment_is_made_when_it_is_reached_and_only_once(story: Story) -> None:
    walked(story, " b b ")

    assert story.asked == [0, 1]


def test_the_replay_plays_by_itself_to_its_end(story: Story) -> None:
    walk = ReplayPosition(story)
    viewer = ReplayViewer(walk, seconds=0.01, playing=True)
    with create_pipe_input() as source:
        application = viewer.application(source, DummyOutput())

        def leave_at_the_end(_: object) -> None:
            if not viewer.playing and not application.is_done:
                application.exit()

        application.after_render += leave_at_the_end
        application.run()

    assert walk.at == len(HEADINGS) - 1


@pytest.mark.parametrize("width", [20, 40, 59, 60, 80, 200])
@pytest.mark.parametrize("height", [4, 10, 24])
def test_a_screen_is_filled_and_never_overrun(story: Story, width: int, height: int) -> None:
    walk = ReplayPosition(story)
    walk.forward()
    lines = ReplayViewer(walk).lines(width, height)

    assert len(lines) == height
    assert max(map(get_cwidth, lines)) <= width


def test_a_wide_screen_shows_the_state_beside_the_story(story: Story) -> None:
    lines = ReplayViewer(ReplayPosition(story)).lines(100, 10)

    assert any("Moment 0" in line and "karma 0" in line for line in lines)


def test_a_narrow_screen_shows_the_state_below_the_story(story: Story) -> None:
    lines = ReplayViewer(ReplayPosition(story)).lines(40, 20)

    assert not any("Moment 0" in line and "karma 0" in line for line in lines)
    assert "karma 0" in lines


def test_a_word_longer_than_the_screen_is_cut_and_nothing_is_lost() -> None:
    rows = wrapped(("ab" * 30 + " end", "渡し守の家に着く"), 7)

    assert "".join(rows).replace(" ", "") == "ab" * 30 + "end" + "渡し守の家に着く"
    assert max(map(get_cwidth, rows)) <= 7


def test_away_from_a_terminal_every_moment_is_printed(
    story: Story, capsys: pytest.CaptureFixture[str]
) -> None:
    step_through(story)

    said = capsys.readouterr().out
    assert [said.count(f"Moment {number} ") for number in range(4)] == [1, 1, 1, 1]
    assert said.startswith("#10 Session 1\nMoment 0")


def test_no_moments_are_no_trouble(capsys: pytest.CaptureFixture[str]) -> None:
    step_through(lambda _: None)

    assert capsys.readouterr().out == ""


def test_a_replay_without_end_is_begun_at_once() -> None:
    numbers = count(1)
    walk = ReplayPosition(lambda _: Frame(next(numbers), "Session 1", (), ()))

    walk.go_to(500)

    assert len(walk.kept) == 500
