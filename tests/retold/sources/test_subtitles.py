"""Subtitles of a recording: given these cues, these units."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
import webvtt

from retold.journal.refused import Refused
from retold.sources import Hints, Unit, read
from retold.sources.answers import Answers, Person, read_answers
from retold.sources.questions import questions
from retold.sources.recording import answered
from retold.sources.survey import survey
from retold.sources.unit import Precision, Reason, Sort
from tests.retold.sources.made_up import EXAMPLES, GOLDEN
from tests.retold.sources.made_up_subtitles import CRAIG, SRT, VTT

EXPORTS = Path(__file__).parents[2] / "__snapshots__" / "test_example_formats"


def vtt(*cues: tuple[float, float, str]) -> str:
    return "WEBVTT\n\n" + "\n".join(
        f"{clock(start)} --> {clock(end)}\n{words}\n" for start, end, words in cues
    )


def srt(*cues: tuple[float, float, str]) -> str:
    return "\n".join(
        f"{number}\n{clock(start)} --> {clock(end)}\n".replace(".", ",") + f"{words}\n"
        for number, (start, end, words) in enumerate(cues, start=1)
    )


def clock(seconds: float) -> str:
    whole = round(seconds * 1000)
    return f"{whole // 3_600_000:02}:{whole // 60_000 % 60:02}:{whole // 1000 % 60:02}.{whole % 1000:03}"


def units(tmp_path: Path, text: str, name: str = "talk.vtt", hints: Hints | None = None) -> list[Unit]:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    source = read(path, hints=hints or Hints())
    report = source.report()
    assert report.pieces == report.counted
    return [unit for unit in source if unit.left_out is not Reason.FRAME]


def heard(found: list[Unit]) -> list[tuple[str, str]]:
    return [(unit.speaker, unit.text) for unit in found]


# --- Who speaks ---


def test_a_voice_of_webvtt_is_the_speaker(tmp_path: Path) -> None:
    text = vtt((1, 2, "<v Zel>Not <i>today</i>."), (9, 10, "<v.loud Pell &amp; Co>Nor <00:09.500>tomorrow."))

    assert heard(units(tmp_path, text)) == [("Zel", "Not today."), ("Pell & Co", "Nor tomorrow.")]


def test_two_voices_in_a_cue_are_two_units_and_one_piece(tmp_path: Path) -> None:
    found = units(tmp_path, vtt((1, 2, "<v Zel>A?</v>\n<v Pell>B.</v>")))

    assert heard(found) == [("Zel", "A?"), ("Pell", "B.")]
    assert [unit.pieces for unit in found] == [1, 0]


@pytest.mark.parametrize(
    ("words", "speaker", "text"),
    [
        ("[SPEAKER_01]: Hello.", "SPEAKER_01", "Hello."),
        ("(speaker 1) Hello.", "speaker 1", "Hello."),
        ("[Speaker 2]: Hello.", "Speaker 2", "Hello."),
        ("[SPEAKER_02] Hello.", "SPEAKER_02", "Hello."),
        (">> ZEL: Hello.", "ZEL", "Hello."),
        ("(laughs) Hello.", "", "(laughs) Hello."),
        ("http://example.org is it", "", "http://example.org is it"),
        ("<b>{\\an8}Hello.</b>", "", "Hello."),
    ],
)
def test_signs_of_a_speaker_in_srt(tmp_path: Path, words: str, speaker: str, text: str) -> None:
    assert heard(units(tmp_path, srt((1, 2, words)), "talk.srt")) == [(speaker, text)]


def test_a_name_in_front_of_words_has_to_come_often(tmp_path: Path) -> None:
    """`Listen: …` once among ten cues is not a speaker; a name three times, or a known name, is one."""
    plain = [(10.0 * n, 10.0 * n + 1, f"Words no. {n}") for n in range(20)]
    once = srt(*plain, (300, 301, "Listen: a bell."))
    often = srt(*plain, *((300.0 + 9 * n, 301.0 + 9 * n, f"Zel: Word {n}") for n in range(3)))

    assert heard(units(tmp_path, once, "talk.srt"))[-1] == ("", "Listen: a bell.")
    assert heard(units(tmp_path, often, "talk.srt"))[-1] == ("Zel", "Word 2")
    known = Hints(names=frozenset({"Listen"}))
    assert heard(units(tmp_path, once, "talk.srt", known))[-1] == ("Listen", "a bell.")


def test_a_second_name_in_a_cue_begins_another_voice(tmp_path: Path) -> None:
    assert heard(
        units(tmp_path, srt((1, 2, "Zel: A?\nPell: B,\nindeed."), (5, 6, "Pell: C.")), "talk.srt")
    ) == [
        ("Zel", "A?"),
        ("Pell", "B, indeed."),
        ("Pell", "C."),
    ]


# --- When, and what is one unit ---


@pytest.mark.parametrize(("pause", "number"), [(0, 1), (1.999, 1), (2, 2), (5, 2)])
def test_cues_of_one_speaker_less_than_two_seconds_apart_are_one(
    tmp_path: Path, pause: float, number: int
) -> None:
    found = units(tmp_path, vtt((1, 2, "<v Zel>One."), (2 + pause, 9, "<v Zel>Two.")))

    assert len(found) == number
    assert sum(unit.pieces for unit in found) == 2
    assert found[0].clock == timedelta(seconds=1)


def test_another_voice_between_keeps_two_units_apart(tmp_path: Path) -> None:
    found = units(tmp_path, vtt((1, 2, "<v Zel>Yes?"), (2, 2.5, "<v Pell>Yes."), (2.5, 3, "<v Zel>Good.")))

    assert heard(found) == [("Zel", "Yes?"), ("Pell", "Yes."), ("Zel", "Good.")]


def test_the_sign_that_a_cue_goes_on_is_dropped(tmp_path: Path) -> None:
    found = units(tmp_path, srt((1, 2, "Zel: when he is"), (2, 3, "Zel: …there. He")), "talk.srt")

    assert heard(found) == [("Zel", "when he is there. He")]


def test_hours_come_from_the_answers(tmp_path: Path) -> None:
    (unit,) = units(tmp_path, vtt((61.5, 62, "<v Zel>Here.")))
    answers = Answers(began="2026-03-01T19:30", people={"Zel": Person(in_character=True)})
    found = answered(unit, answers)

    assert (unit.when, unit.sort) == (None, Sort.ASIDE)
    assert found.when is not None
    assert (found.when.time.isoformat(), found.when.precision) == (
        "2026-03-01T19:31:01.500000",
        Precision.MILLISECOND,
    )
    assert (found.sort, found.text) == (Sort.SAID, "Here.")
    assert answered(unit, Answers()) == unit


def test_answers_say_when_it_began_and_who_is_in_character() -> None:
    text = 'began = "2026-03-01T19:30"\n[people."Zel"]\nin_character = true\n'
    answers = read_answers(text, "talk.import.toml")

    assert (answers.began, answers.people["Zel"].in_character) == ("2026-03-01T19:30", True)
    assert read_answers("began = 2026-03-01T19:30:00", "x.toml").began == "2026-03-01T19:30:00"
    with pytest.raises(Refused, match="line 1: 'noon' is no date and time; write it as 2026-03-01T19:30"):
        read_answers('began = "noon"', "x.toml")


def test_the_beginning_is_asked_where_nothing_says_it(tmp_path: Path) -> None:
    (tmp_path / "talk.srt").write_text(SRT, "utf-8")
    found = survey([read(tmp_path / "talk.srt")])
    asked = [one.text for one in questions(Answers(), found)]
    told = [one.text for one in questions(Answers(began="2026-03-01T19:30"), found)]

    assert "When did the recording begin? The date and the hour." in asked
    assert "When did the recording begin? The date and the hour." not in told


# --- Tracks ---


def test_tracks_of_a_recording_are_merged_by_time() -> None:
    found = [unit for unit in read(EXAMPLES / "craig") if unit.is_read]

    assert heard(found) == [
        ("mary", "The fog does not lift. It leans."),
        ("zel", "I pick the lock."),
        ("mary", "And the door?"),
        ("zel", "Done."),
    ]
    assert found[0].when is not None
    assert found[0].when.time.isoformat() == "2026-03-01T19:30:06.250000+00:00"


def test_a_track_that_was_written_twice_is_read_once() -> None:
    repeated = [unit.text for unit in read(EXAMPLES / "craig") if unit.left_out is Reason.REPEAT]

    assert repeated == ["I pick the lock.", "Done."]


def test_files_with_other_names_are_tracks_too(tmp_path: Path) -> None:
    for name in ("zel", "pell"):
        (tmp_path / f"{name}.srt").write_text(CRAIG["2-zel.srt"], "utf-8")

    assert {unit.speaker for unit in read(tmp_path)} == {"zel", "pell"}


def test_two_people_may_say_the_same_at_the_same_time(tmp_path: Path) -> None:
    for name in ("1-zel", "2-pell"):
        (tmp_path / f"{name}.srt").write_text(srt((1, 2, "Yes.")), "utf-8")

    assert sorted(heard(list(read(tmp_path)))) == [("pell", "Yes."), ("zel", "Yes.")]


# --- Transcripts ---


@pytest.mark.parametrize(
    "document",
    [
        {"text": " A.", "segments": [{"start": 1.5, "end": 2.0, "text": " A.", "speaker": "Zel"}]},
        {"transcription": [{"offsets": {"from": 1500, "to": 2000}, "text": " A.", "speaker": "Zel"}]},
        {
            "transcription": [
                {
                    "timestamps": {"from": "00:00:01,500", "to": "00:00:02,000"},
                    "text": " A.",
                    "speaker": "Zel",
                }
            ]
        },
        {"text": " A.", "chunks": [{"timestamp": [1.5, None], "text": " A.", "speaker": "Zel"}]},
    ],
)
def test_json_of_several_programs(tmp_path: Path, document: object) -> None:
    (found,) = units(tmp_path, json.dumps(document), "talk.json")

    assert (found.speaker, found.text, found.clock) == ("Zel", "A.", timedelta(seconds=1.5))


def test_tsv_has_milliseconds(tmp_path: Path) -> None:
    (found,) = units(tmp_path, "start\tend\ttext\n1500\t2000\tA.\n", "talk.tsv")

    assert (found.text, found.clock) == ("A.", timedelta(seconds=1.5))


def test_json_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"talk\.json is no whole JSON: write the transcript again\."):
        units(tmp_path, '{"text": "A.", "segments": [{"start": 1', "talk.json")


def test_what_a_transcriber_invents_is_kept_and_told(tmp_path: Path) -> None:
    cues = [(float(9 * n), 9.0 * n + 1, "<v Zel>A bell.") for n in range(1, 4)]
    text = vtt(*cues, (50, 51, "<v Zel>Twice."), (60, 61, "<v Zel>Twice."), (90, 91, "Thanks for watching!"))
    found = units(tmp_path, text)
    (warning,) = read(tmp_path / "talk.vtt").report().tally.warnings

    assert len(found) == 6
    assert warning == (
        "4 cues of talk.vtt may be invented by the transcriber (at 3, 6, 9, 18): the same words three times"
        " in a row, or thanks for watching. They are kept."
    )


# --- Shapes ---


def test_a_time_that_is_none_is_unread(tmp_path: Path) -> None:
    found = units(tmp_path, "WEBVTT\n\n00:01.000 --> 2 seconds\n<v Zel>Hm.\n")

    assert [(unit.unread, unit.raw) for unit in found] == [(True, "00:01.000 --> 2 seconds\n<v Zel>Hm.")]


def test_an_arrow_in_words_is_words(tmp_path: Path) -> None:
    found = units(tmp_path, srt((1, 2, "go --> there")), "talk.srt")

    assert heard(found) == [("", "go --> there")]


def test_srt_without_blank_lines_and_with_blanks_in_words(tmp_path: Path) -> None:
    text = "1\n0:00:01,0 --> 0:00:02,0\nOne\n2\n0:00:09,0 --> 0:00:10,0\nTwo\n\nand a half\n"

    assert heard(units(tmp_path, text, "talk.srt")) == [("", "One"), ("", "Two and a half")]


@pytest.mark.parametrize("text", ["-->", "1 --> 2\n", "<v ", "<", "a: ", "[", "(", "{\\", "1", ":", " "])
@pytest.mark.parametrize("name", ["talk.vtt", "talk.srt"])
def test_a_long_run_of_one_sign_is_read(tmp_path: Path, text: str, name: str) -> None:
    """A pattern that took more than linear time would run into the time limit of all tests."""
    path = tmp_path / name
    head = "WEBVTT\n\n" if name == "talk.vtt" else "1\n"
    path.write_text(f"{head}00:00:01,000 --> 00:00:02,000\n{text * (250_000 // len(text))}", "utf-8")
    report = read(path).report()

    assert report.pieces == report.counted > 0


@pytest.mark.parametrize("name", sorted(path.name for path in EXPORTS.glob("*.vtt"))[:8])
def test_another_reader_finds_the_same_cues(name: str) -> None:
    """webvtt-py, which knows nothing of ours, is the judge of times and words."""
    judged = list(webvtt.from_string((EXPORTS / name).read_text("utf-8"), strict=True).captions)
    words = " ".join(" ".join(unit.text.split()) for unit in read(EXPORTS / name) if unit.is_read)

    assert read(EXPORTS / name).report().counted == len(judged)
    assert words == " ".join(" ".join(cue.text.split()) for cue in judged)


def test_the_goldens_hold_a_cue_of_each_kind() -> None:
    assert "SPEAKER_01 (aside)" in (GOLDEN / "evening.srt.units").read_text("utf-8")


@pytest.mark.parametrize(("name", "text"), [("talk.vtt", VTT), ("talk.srt", SRT)])
def test_keys_hold_when_a_file_grows(tmp_path: Path, name: str, text: str) -> None:
    whole = {unit.key for unit in units(tmp_path, text, name)}

    cues = text.split("\n\n")
    for number in range(4, len(cues)):
        part = [unit.key for unit in units(tmp_path, "\n\n".join(cues[:number]) + "\n", name)]
        assert set(part) <= whole


@pytest.mark.parametrize(
    ("name", "cue"),
    [
        ("a.srt", "{place}\n00:00:0{place},000 --> 00:00:0{place},900\n[{name}] {words}\n\n"),
        ("a.srt", "{place}\n00:00:0{place},000 --> 00:00:0{place},900\n- {name}: {words}\n\n"),
        ("a.srt", "{place}\n00:00:0{place},000 --> 00:00:0{place},900\n({name}) {words}\n\n"),
        ("a.txt", "0:0:{place}.0 --> 0:0:{place}.900\n{name}\n{words}\n"),
        ("a.vtt", '{place} "{name}" (123)\n00:00:0{place}.000 --> 00:00:0{place}.900\n{words}\n\n'),
    ],
)
def test_a_meetings_cue_names_its_speaker_in_many_ways(tmp_path: Path, name: str, cue: str) -> None:
    said = [("Mary", "The ferry."), ("Jon", "Aboard."), ("Mary", "Lit."), ("Jon", "So.")]
    text = "".join(
        cue.format(place=2 * place + 1, name=who, words=words) for place, (who, words) in enumerate(said)
    )
    path = tmp_path / name
    path.write_text(f"WEBVTT\n\n{text}" if name.endswith("vtt") else text, "utf-8")

    assert [(unit.speaker, unit.text) for unit in read(path) if unit.is_read] == said


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_captions_with_a_comma_between_their_times_are_read(tmp_path: Path, end: str) -> None:
    lines = ["0:00:01.120,0:00:04.480", "Tam: I row.", "", "0:00:05.000,0:00:09.310", "Una: Wait."]
    (tmp_path / "captions.sbv").write_text(end.join(lines), "utf-8", newline="")
    source = read(tmp_path / "captions.sbv")
    report = source.report()

    assert heard(list(source)) == [("Tam", "I row."), ("Una", "Wait.")]
    assert (report.pieces, report.counted) == (2, 2)
