"""`export --clap`: subtitles against a recording, by a mark or a position, and what is no clap."""

from __future__ import annotations

import json
import re
from datetime import datetime

import pytest

from tests.cli.shell import Shell


def recorded(shell: Shell, position: int) -> float:
    """When a position was recorded, in seconds."""
    event = json.loads(shell.done("log", "--json", f"{position}..{position}"))
    return datetime.fromisoformat(event["at"]).timestamp()


def first_cue(subtitles: str) -> tuple[float, str]:
    """When the first cue begins, in seconds, and its first line."""
    found = re.search(r"(\d\d):(\d\d):(\d\d)[,.](\d{3}) --> .*\n(.*)", subtitles)
    assert found
    hours, minutes, seconds, rest = map(int, found.groups()[:4])
    return hours * 3600 + minutes * 60 + seconds + rest / 1000, found[5]


@pytest.fixture
def talk(shell: Shell) -> Shell:
    """The evening of the shell, in whose second session something is said before a clap and after it."""
    shell.done("say", "Zel:", "Before.")
    shell.done("mark", "clap")
    shell.done("say", "Zel:", "After.")
    return shell


def said(shell: Shell, text: str) -> int:
    """Where somebody said that."""
    events = map(json.loads, shell.done("log", "--json", "1..@").splitlines())
    return next(int(one["position"]) for one in events if one["data"].get("text") == text)


@pytest.mark.parametrize(("form", "time", "begins"), [("srt", "0:12", 12), ("vtt", "2:31:05.5", 9065.5)])
def test_a_moment_is_heard_when_the_clap_says(talk: Shell, form: str, time: str, begins: float) -> None:
    clap = f"{said(talk, 'Before.')}={time}"

    assert first_cue(talk.done("export", "-f", form, "--clap", clap))[0] == begins


def test_a_mark_is_heard_when_it_was_made(talk: Shell) -> None:
    before = said(talk, "Before.")
    passed = recorded(talk, before + 1) - recorded(talk, before)

    begins, line = first_cue(talk.done("export", "-f", "srt", "--clap", "clap=0:12"))
    assert begins == pytest.approx(12 - passed, abs=0.002)
    assert line == "Zel: Before."


def test_cues_before_the_recording_are_counted_and_left_out(talk: Shell) -> None:
    shown = talk.say("export", "-f", "srt", "--clap", "clap")

    assert first_cue(shown.out)[1] == "Zel: After."
    assert shown.err == (
        "The table's copy; --for gm makes the game master's.\n"
        "Left out: 1 paragraph has no time in the recording (told later, imported, or before it began).\n"
    )


def test_without_a_clap_times_count_from_the_opening_of_the_session(talk: Shell) -> None:
    before = said(talk, "Before.")
    opened = recorded(talk, before) - recorded(talk, before - 2)

    assert first_cue(talk.done("export", "-f", "srt"))[0] == pytest.approx(opened, abs=0.002)


def test_two_claps_set_where_both_are_heard(talk: Shell) -> None:
    before, after = said(talk, "Before."), said(talk, "After.")
    claps = ("--clap", f"{before}=0:10", "--clap", f"{after}=1:00")

    times = re.findall(r"(\S+) --> ", talk.done("export", "-f", "srt", *claps))
    assert times == ["00:00:10,000", "00:01:00,000"]


@pytest.mark.parametrize(
    ("claps", "why"),
    [
        (("clap=12",), "12 is no time in a recording: write 0:12 or 2:31:05."),
        (("clap=1:75",), "1:75 is no time in a recording: write 0:12 or 2:31:05."),
        (
            ("slate=0:12",),
            "There is no moment “slate”. Write 412, s3, s3:42, @, @-3, e412 or a mark's name.",
        ),
        (("clap", "clap"), "Two claps have to be two moments, and the later one later in the recording too."),
        (
            ("1", "2", "3"),
            "One clap says where a recording begins, a second how its clock runs: leave out the rest.",
        ),
    ],
)
def test_invalid_claps_are_refused(talk: Shell, claps: tuple[str, ...], why: str) -> None:
    asked = (word for clap in claps for word in ("--clap", clap))

    assert talk.refused("export", "-f", "srt", *asked) == why


@pytest.mark.parametrize("asked", [("-f", "markdown"), ("-f", "srt", "--session", "all", "-o", "all")])
def test_a_clap_is_for_the_subtitles_of_one_recording(talk: Shell, asked: tuple[str, ...]) -> None:
    assert talk.misused("export", *asked, "--clap", "clap") == (
        "--clap is for the subtitles of one recording: -f srt or -f webvtt."
    )


def test_nothing_is_timed_before_a_session_is_opened(shell: Shell) -> None:
    shell.done("new", "setup.retold", "--title", "The Setup")

    assert shell.refused("-c", "setup.retold", "export", "-f", "srt", "--clap", "1") == (
        "The times of this part are unknown: no session that was recorded here begins in it."
    )


@pytest.mark.parametrize(
    ("file", "begins"),
    [
        ("a.lonelog.md", "---\ntitle:"),
        ("a.lonelog", "---\ntitle:"),
        ("a.md", "# Session"),
        ("a.vtt", "WEBVTT"),
    ],
)
def test_the_longest_ending_that_fits_says_the_format(talk: Shell, file: str, begins: str) -> None:
    talk.done("export", "-o", file)

    assert (talk.folder / file).read_text("utf-8").startswith(begins)


# --- words added later ------------------------------------------------------------------------------------


def test_words_added_later_stand_in_the_subtitles_where_the_recording_has_them(talk: Shell) -> None:
    before = said(talk, "Before.")
    talk.done("say", "Zel", "--at", str(before), "--clock", "1:12:09:", "Psst.")
    subtitles = talk.done("export", "-f", "srt", "--clap", f"{before}=0:12")

    assert first_cue(subtitles)[0] == 12
    assert "01:12:09,000 --> 01:12:10,000\nZel: Psst." in subtitles


@pytest.mark.parametrize("clock", ["1:12:09", "0:00:12", "0:00:01.050", "999:59:59.999"])
def test_a_recording_time_survives_a_script_and_a_retcon(talk: Shell, clock: str) -> None:
    before = said(talk, "Before.")
    talk.done("narrate", "Zel", "--at", str(before), "--clock", f"{clock}:", "A dog.")
    line = f"narrate Zel --clock {clock} --at {before}: A dog."

    script = talk.done("dump", "--script")
    assert line in script.splitlines()
    talk.done("new", "again")
    talk.play(script, "again.retold")
    assert talk.done("-c", "again.retold", "dump", "--script") == script
    talk.done("-c", "evening", "retcon", str(before - 1), "--as", "scene The yard: Rain.")
    assert line in talk.done("-c", "evening", "dump", "--script").splitlines()
    assert talk.say("-c", "evening", "verify", "--rules").code == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("narrate", "Zel", "--clock", "1:12:09:", "A dog."),
            "--clock is for words that are added later: say of which moment as well (--at s3:42).",
        ),
        (
            ("say", "Zel", "--at", "s1", "--clock", "1h12:", "A dog."),
            "1h12 is no time in a recording: write 0:12 or 2:31:05.",
        ),
        (
            ("say", "Zel", "--at", "s1", "--clock", "1:60:", "A dog."),
            "1:60 is no time in a recording: write 0:12 or 2:31:05.",
        ),
    ],
)
def test_invalid_times_for_words_are_refused(talk: Shell, words: tuple[str, ...], sentence: str) -> None:
    before = talk.bytes()

    assert talk.refused(*words) == sentence
    assert talk.bytes() == before
