"""A secret looks like one: whoever is shown its line is told whom it is for."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

import retold
from retold.cli.console.session import OtherWriters
from retold.cli.output.printing import write_outcome
from retold.cli.verbs.replay import Frame, _frames
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.visibility import common_audience, next_number
from retold.projections.plain.ink import audience
from retold.projections.reading import LineView
from retold.scribe import Scribe
from tests.cli.shell import Shell

NAMES = {0: "gm", 1: "Ana", 2: "Bo", 3: "Cy"}
SECRET = next_number((), "gm")
PEOPLE = "cast Ana\ncast Bo\ncast Cy\n"


@pytest.mark.parametrize(
    ("visible_to", "words"),
    [
        ("table", ""),
        ("gm", "for the game master only"),
        ((0,), "for the game master only"),
        ((2,), "for Bo only"),
        ((1, 2), "for Ana and Bo only"),
        ((3, 1, 2), "for Cy, Ana and Bo only"),
        ((0, 2), "for the game master and Bo only"),
        ((9,), "for somebody (9) only"),
        ((2, SECRET), "for Bo only"),
    ],
)
def test_an_audience_is_told_in_words(visible_to: str | tuple[int, ...], words: str) -> None:
    assert audience(visible_to, NAMES) == words


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("table", "table", "table"),
        ("table", "gm", "gm"),
        ((1, 2), "table", (1, 2)),
        ((1, 2), (2, 3), (2,)),
        ((1,), (2,), "gm"),
        ("gm", (2,), "gm"),
    ],
)
def test_a_common_audience_is_the_intersection(
    one: str | tuple[int, ...], other: str | tuple[int, ...], both: str | tuple[int, ...]
) -> None:
    assert common_audience(one, other) == both


@pytest.fixture
def scribe(tmp_path: Path) -> Iterator[Scribe]:
    with CampaignStore.create(tmp_path / "evening.retold") as campaign:
        made = Scribe(campaign, 1)
        for line in PEOPLE.splitlines():
            made.say(line)
        yield made


def answers(scribe: Scribe, *lines: str) -> list[str]:
    """What the command line answers to lines, one after another."""
    told = StringIO()
    for line in lines:
        write_outcome(scribe, scribe.say(line), out=told)
    return told.getvalue().splitlines()


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("say Ana: Run.", "Ana says: “Run.”"),
        ("say Ana --to Bo: Run.", "Ana says: “Run.” (for Bo only)"),
        ("say Ana --to gm: Run.", "Ana says: “Run.” (for the game master only)"),
        ("narrate gm --to Ana,Bo: Dark.", "gm narrates: “Dark.” (for Ana and Bo only)"),
        ("narrate gm --gm: Dark.", "gm narrates: “Dark.” (for the game master only)"),
        ("declare Ana --to Cy: I lie.", "Ana declares: “I lie.” (for Cy only)"),
        ("aside --gm: Hm.", "aside: “Hm.” (for the game master only)"),
        ("note: Hm.", "note: “Hm.” (for the game master only)"),
        ("note --to table: Hm.", "note: “Hm.”"),
        ("thread Debt --gm: Much.", "thread Debt: “Much.” (for the game master only)"),
        ("place Inn --to Bo: Warm.", "place Inn: “Warm.” (for Bo only)"),
        ("thing Key --gm: Brass.", "thing Key: “Brass.” (for the game master only)"),
        ("mark here --gm", "mark “here” at #4 (for the game master only)"),
    ],
)
def test_the_answer_to_a_secret_names_its_audience(scribe: Scribe, line: str, answer: str) -> None:
    assert answers(scribe, line) == [answer]


def test_checked_it_says_so_too(scribe: Scribe) -> None:
    assert answers(scribe, "say Ana --to Bo --check: Run.") == [
        "Ana says: “Run.” (for Bo only)",
        "(Checked; nothing was recorded.)",
    ]


def test_what_is_put_on_something_hidden_is_hidden_with_it_and_says_so(scribe: Scribe) -> None:
    scribe.say("thread Debt --to Ana,Bo: Much.")
    scribe.say("narrate Bo --to Ana: I pay.")

    assert answers(scribe, "thread Debt: More.", "thread Debt name=Dues", "overrule gm Bo --veto: No.") == [
        "more at #5 (Debt): “More.” (for Ana and Bo only)",
        "renamed at #5 (Dues): “Dues” (for Ana and Bo only)",
        "gm strikes (veto) what Bo told at #6: “No.” (for Ana only)",
    ]
    scribe.say("reveal 5")
    assert answers(scribe, "thread Dues: Paid.") == ["more at #5 (Dues): “Paid.”"]


def test_a_reveal_names_its_audience(scribe: Scribe) -> None:
    scribe.say("note: Hm.")

    assert answers(scribe, "reveal 5 --to Bo: Listen.", "reveal 5") == [
        "What is hidden there: 5 (note: Hm.).",
        "#5 revealed to Bo (for Bo only)",
        "gm narrates: “Listen.” (for Bo only)",
        "What is hidden there: 5 (note: Hm.).",
        "#5 revealed to everybody",
    ]


def test_a_program_is_answered_alike(tmp_path: Path) -> None:
    with retold.new(tmp_path / "a.retold") as campaign:
        for line in PEOPLE.splitlines():
            campaign.say(line)

        assert campaign.sentences(campaign.say("say Ana --to Bo: Run.")) == (
            "Ana says: “Run.” (for Bo only)",
        )


def test_the_console_marks_what_comes_from_elsewhere(scribe: Scribe) -> None:
    company = OtherWriters(scribe)
    with CampaignStore.open(scribe.campaign.place) as other:
        elsewhere = Scribe(other, 1)
        for line in ("say Ana --to Bo: Run.", "thread Debt --gm: Much.", "thread Debt: More."):
            elsewhere.say(line)

    assert company.arrived() == [
        "elsewhere: Ana says: “Run.” (for Bo only)",
        "elsewhere: thread Debt: “Much.” (for the game master only)",
        "elsewhere: more at #6 (Debt): “More.” (for the game master only)",
    ]


# --- read again -------------------------------------------------------------------------------------------


@pytest.fixture
def told(shell: Shell) -> Shell:
    shell.done("new", "road")
    shell.monkeypatch.setenv("RETOLD_CAMPAIGN", "road.retold")
    secrets = "say Ana --to Bo: Run.\nthread Debt --gm: Much.\nthread Debt: More.\n"
    shell.play(PEOPLE + secrets, "road.retold")
    return shell


def test_a_script_that_is_played_marks_them(told: Shell) -> None:
    said = told.done("run", "-", stdin=b"say Cy --to Ana: Now.\nsay Cy: Now.\n")

    assert said == "Cy says: “Now.” (for Ana only)\nCy says: “Now.”\n"


@pytest.mark.parametrize("verb", ["log", "replay"])
def test_log_and_replay_mark_them(told: Shell, verb: str) -> None:
    lines = [line.strip() for line in told.done(verb, "5..").splitlines()]

    assert lines == [
        "5  Ana says: “Run.” (for Bo only)",
        f"6  thread {'“Debt”' if verb == 'log' else 'Debt'}: “Much.” (for the game master only)",
        "7  more at #6: “More.” (for the game master only)",
    ]


def test_a_whisper_is_marked_for_its_audience(told: Shell) -> None:
    assert told.done("replay", "--for", "Bo").splitlines()[-1].endswith("Ana says: “Run.” (for Bo only)")
    assert "only" not in told.done("replay", "--for", "table")


def test_what_was_undone_is_marked_within_its_strokes(told: Shell) -> None:
    told.done("undo", "3")

    assert "    5  ~~Ana says: “Run.” (for Bo only)~~ (undone)\n" in told.done("log", "--all", "-n", "0")


def test_step_by_step_they_are_marked(told: Shell) -> None:
    with CampaignStore.open(told.folder / "road.retold") as campaign:
        reading = LineView(campaign, 1)
        frame = _frames(reading.moments(4), reading.ids)
        frames = [one for one in map(frame, range(3)) if isinstance(one, Frame)]

    assert [one.told for one in frames] == [
        ("Ana (for Bo only):", "Run."),
        ("thread Debt: “Much.” (for the game master only)",),
        ("more at #6: “More.” (for the game master only)",),
    ]


def test_the_story_marks_a_note_on_a_hidden_thread(told: Shell) -> None:
    shown = told.done("export", "--for", "gm")

    assert "**Debt (for the game master):** Much." in shown
    assert "**Debt (for the game master):** More." in shown
