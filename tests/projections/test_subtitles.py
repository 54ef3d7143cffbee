"""A reader of subtitles that is not ours finds each cue with its words and its time, and no two at once."""

from __future__ import annotations

import html
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
import webvtt
from hypothesis import given, settings
from hypothesis import strategies as st

from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner, RecordedAct
from retold.journal.store.events.clock import Clock
from retold.journal.store.events.codec import Envelope
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command
from retold.projections.exports import export, page_elements
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.subtitles import Clap, against, cues, spoken, srt
from retold.projections.exports.subtitles import webvtt as vtt
from retold.projections.prose.telling import Tag
from retold.projections.reading import LineView
from retold.projections.reading.timing import EventTime, marked_at, recorded_at, seconds_from
from retold.projections.story import document
from retold.projections.story.transcript import of_range, of_session
from retold.projections.texts.wrapping import width
from tests.exploring import tries
from tests.projections import stories
from tests.projections.evening import Table, w
from tests.projections.stories import read, wide

PLACE = MechanicsPlace.FOLDED


def from_srt(transcript: document.Transcript) -> list[webvtt.Caption]:
    content = srt(transcript, PLACE)
    return list(webvtt.from_buffer(io.BytesIO(content), format="srt").captions) if content else []


def from_vtt(transcript: document.Transcript) -> list[webvtt.Caption]:
    return list(webvtt.from_string(vtt(transcript, PLACE).decode(), strict=True).captions)


def spans(captions: list[webvtt.Caption]) -> list[tuple[int, int]]:
    times = [(one.start_time.in_milliseconds(), one.end_time.in_milliseconds()) for one in captions]
    return [(int(start), int(end)) for start, end in times]


def at(
    seconds: float | None,
    text: str = "Not today.",
    *,
    id_: str = "e1",
    kind: Tag = Tag.SPEECH,
    speaker: str | None = "Zel",
) -> document.Paragraph:
    return document.Paragraph(id_, kind, text, speaker, seconds=seconds)


def in_order(transcript: document.Transcript) -> list[document.Paragraph]:
    """What has a time as recorded; what was told later stands before the first that begins after it."""
    told = [one for one in spoken(transcript) if one.seconds is not None]
    found = [one for one in told if not one.later]
    for later in sorted((one for one in told if one.later), key=_begins):
        after = (place for place, one in enumerate(found) if not one.later and _begins(one) > _begins(later))
        found.insert(next(after, len(found)), later)
    return found


def _begins(paragraph: document.Paragraph) -> int:
    return round((paragraph.seconds or 0) * 1000)


# --- read back --------------------------------------------------------------------------------------------


@settings(max_examples=tries(15))
@given(stories.transcripts)
def test_any_text_keeps_the_times_of_its_cues(transcript: document.Transcript) -> None:
    named, bare = list(cues(transcript, is_named=True)), list(cues(transcript))

    assert spans(from_srt(transcript)) == [(cue.start, cue.end) for cue in named]
    assert spans(from_vtt(transcript)) == [(cue.start, cue.end) for cue in bare]


@settings(max_examples=tries(15))
@given(stories.transcripts)
def test_typed_text_is_never_markup_in_a_cue(transcript: document.Transcript) -> None:
    named = read(" ".join(line for cue in cues(transcript, is_named=True) for line in cue.lines))
    bare = read(" ".join(line for cue in cues(transcript) for line in cue.lines))
    in_srt, in_vtt = from_srt(transcript), from_vtt(transcript)

    assert read(" ".join(line for one in in_srt for line in one.lines)) == named
    assert read(" ".join(html.unescape(one.text) for one in in_vtt)) == bare
    assert [html.unescape(one.voice or "") for one in in_vtt] == [cue.voice for cue in cues(transcript)]
    assert not any(set(line) & set("<>{}\\") for one in in_srt for line in one.lines)


@settings(max_examples=tries(15))
@given(stories.transcripts)
def test_told_text_is_shown_in_full_without_notes(transcript: document.Transcript) -> None:
    timed = in_order(transcript)
    asides = ("".join(f"({each})" for each in page_elements.Furniture().asides(one)) for one in timed)
    texts = (one.text if one.kind is Tag.SPEECH else page_elements.marked_speech(one) for one in timed)
    said = " ".join(f"{aside} {text}" for aside, text in zip(asides, texts, strict=True))

    shown = " ".join(line for cue in cues(transcript) for line in cue.lines)
    assert bare(shown) == bare(said)
    assert not {one.kind for one in timed} & {Tag.NOTE, Tag.RULING, Tag.GENERATED, Tag.QUOTE}


def bare(text: str) -> str:
    """Its words alone: where a name stands before them, and how they are spaced, is not part of them."""
    return read(" ".join(text.split())).replace(" ", "").replace(":", "")


# --- times ------------------------------------------------------------------------------------------------


@settings(max_examples=tries(15))
@given(stories.transcripts)
def test_cues_follow_one_another_and_none_comes_before_its_time(transcript: document.Transcript) -> None:
    told = list(cues(transcript))
    begins = [round((one.seconds or 0) * 1000) for one in in_order(transcript)]

    assert all(before.end <= after.start for before, after in pairwise(told))
    assert all(cue.end - cue.start >= 1000 for cue in told)
    firsts = [cue for cue in told if "-" not in cue.id]
    assert all(cue.start >= begun for cue, begun in zip(firsts, begins, strict=True))


@settings(max_examples=tries(15))
@given(stories.transcripts)
def test_cues_have_a_readable_length(transcript: document.Transcript) -> None:
    for cue in cues(transcript):
        assert len(cue.lines) <= 2
        assert max(map(width, cue.lines)) <= 42
        assert sum(map(width, cue.lines)) / 25 <= (cue.end - cue.start + 1) / 1000


def test_a_cue_stays_as_long_as_reading_takes() -> None:
    told = stories.of(at(61.5, "I have walked since dawn and nobody asked."))

    # Two lines of 24 and 22 columns: 46, at 15 a second, are 3066 milliseconds.
    assert srt(told, PLACE).decode() == (
        "1\n00:01:01,500 --> 00:01:04,566\nZel: I have walked since\ndawn and nobody asked.\n"
    )
    # One line of 42 columns: 2800 milliseconds.
    assert vtt(told, PLACE).decode() == (
        "WEBVTT\n\ne1\n00:01:01.500 --> 00:01:04.300\n<v Zel>I have walked since dawn and nobody asked.\n"
    )


@pytest.mark.parametrize(
    ("following", "end", "begins"),
    [
        (70.0, 62_800, 70_000),  # there is time
        (62.0, 62_000, 62_000),  # less of it is so much quicker
        (60.5, 61_680, 61_680),  # 42 columns at 25 a second are 1680 milliseconds: the next waits
    ],
)
def test_a_close_cue_shortens_or_delays_its_neighbour(following: float, end: int, begins: int) -> None:
    first, second = cues(
        stories.of(at(60.0, "I have walked since dawn and nobody asked."), at(following, id_="e2"))
    )

    assert (first.start, first.end, second.start) == (60_000, end, begins)


def test_a_long_telling_is_several_cues_of_like_length() -> None:
    words = "The others make room, as you do for somebody who sounds that sure of the way down to the sea."
    told = list(cues(stories.of(at(0, words, kind=Tag.NARRATION, speaker=None))))

    assert [cue.id for cue in told] == ["e1", "e1-2"]
    assert [len(" ".join(cue.lines)) for cue in told] == [48, 44]


def test_a_silent_session_is_a_valid_empty_file() -> None:
    nothing = stories.of(at(None))

    assert srt(nothing, PLACE) == b""
    assert vtt(nothing, PLACE) == b"WEBVTT\n"
    assert not from_vtt(nothing)


def test_control_codes_for_players_are_written_in_full_width() -> None:
    shown = srt(stories.of(at(0, "<i>{\\an8} R&D &lt; --> out")), PLACE).decode()
    tags = f"{wide('<')}i{wide('>')}{wide('{')}{wide(chr(92))}an8{wide('}')}"

    assert shown.split("\n")[2] == f"Zel: {tags} R&D {wide('&')}lt; --{wide('>')} out"


# --- against a recording ----------------------------------------------------------------------------------


def heard(told: document.Transcript, *claps: Clap) -> list[float | None]:
    return [one.seconds for one in spoken(against(told, claps))]


def test_one_clap_says_where_the_recording_begins() -> None:
    told = stories.of(at(30.0), at(60.0), at(61.5), at(None))

    # Clapped a minute into the session and heard at 0:12, so the recording began at 48 seconds.
    assert heard(told, Clap(60.0, 12.0)) == [None, 12.0, 13.5, None]
    assert [cue.start for cue in cues(against(told, [Clap(60.0, 12.0)]))] == [12_000, 13_500]


def test_two_claps_even_out_a_clock_that_drifts() -> None:
    told = stories.of(at(60.0), at(1860.0), at(3660.0))
    claps = Clap(3660.0, 3648.0), Clap(60.0, 12.0)  # an hour of the table is 3636 seconds of the recording

    assert heard(told, *claps) == [12.0, 1830.0, 3648.0]
    assert heard(told, *reversed(claps)) == [12.0, 1830.0, 3648.0]


@settings(max_examples=tries(15))
@given(st.floats(0, 1e4), st.floats(0, 1e4))
def test_a_clap_has_its_stated_time(recorded: float, at_: float) -> None:
    told = stories.of(at(recorded))

    assert heard(told, Clap(recorded, at_)) == [round(at_, 3)]


@pytest.mark.parametrize(
    "claps", [(Clap(5, 1), Clap(5, 2)), (Clap(5, 9), Clap(8, 3)), (Clap(5, 9), Clap(8, 9))]
)
def test_two_claps_that_contradict_each_other_are_refused(claps: tuple[Clap, Clap]) -> None:
    with pytest.raises(Refused, match="the later one later in the recording too"):
        against(stories.of(at(1.0)), claps)


# --- an evening -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Watch(Clock):
    """A clock that stands until it is set."""

    times: list[str] = field(default_factory=list)

    def now(self) -> tuple[str, int]:
        return self.times[-1], 60


class Hour:
    """A session played by the watch: `at` sets it, and something is done."""

    def __init__(self, path: Path) -> None:
        self.watch = Watch()
        self.watch.times.append("2026-03-14T18:30:00.000000Z")
        self.campaign = CampaignStore.create(path, title="The Salt Road", clock=self.watch)
        self.writer = self.campaign.writer(1)
        self.at("18:40:00.000000", c.Cast(who=w("Zel"), by=w("Jon")))

    def at(self, time: str, command: Command) -> RecordedAct:
        self.watch.times.append(f"2026-03-14T{time}Z")
        return self.writer.record(command, Manner())

    def told(self, session: int = 1) -> document.Transcript:
        return of_session(LineView(self.campaign, 1), session)


@pytest.fixture
def hour(tmp_path: Path) -> Iterator[Hour]:
    played = Hour(tmp_path / "hour.retold")
    played.at("19:00:00.000000", c.OpenSession(text=w("Rain.")))
    played.at("19:02:30.250400", c.SetScene(title=w("The yard"), text=w("Boots.")))
    played.at("19:05:00.000000", c.Mark(name=w("clap")))
    played.at("19:06:00.000000", c.Say(who=1, text=w("Not today.")))
    yield played
    played.campaign.close()


def seconds(told: document.Transcript) -> dict[str, float | None]:
    return {one.text: one.seconds for one in stories.told(told) if one.text}


def test_a_paragraph_knows_when_in_the_session_it_was_recorded(hour: Hour) -> None:
    told = hour.told()

    assert told.opened == "2026-03-14T19:00:00.000000Z"
    assert seconds(told) == {"Rain.": 0.0, "Boots.": 150.25, "Not today.": 360.0}


def test_late_narration_has_no_time(hour: Hour) -> None:
    at_the_yard = next(one.id for one in stories.told(hour.told()) if one.text == "Boots.")
    hour.at("21:00:00.000000", c.Narrate(at=int(at_the_yard[1:]), text=w("And a dog.")))

    assert seconds(hour.told())["And a dog."] is None
    assert "And a dog" not in srt(hour.told(), PLACE).decode()


def test_a_late_addition_keeps_its_clock_time_despite_claps(hour: Hour) -> None:
    yard = next(int(one.id[1:]) for one in stories.told(hour.told()) if one.text == "Boots.")
    hour.at("21:00:00.000000", c.Narrate(at=yard, clock=400_250, text=w("And a dog.")))
    hour.at("21:01:00.000000", c.Say(who=1, at=yard, clock=1_000, text=w("Psst.")))
    told = hour.told()
    moved = against(told, (Clap(0.0, 12.0),))

    # by hand: 6:40.25 and 0:01 into the recording; the rest is 12 seconds later than the session
    assert seconds(told) == {
        "Rain.": 0.0,
        "Boots.": 150.25,
        "And a dog.": 400.25,
        "Psst.": 1.0,
        "Not today.": 360.0,
    }
    assert seconds(moved) == {
        "Rain.": 12.0,
        "Boots.": 162.25,
        "And a dog.": 400.25,
        "Psst.": 1.0,
        "Not today.": 372.0,
    }
    begins = [(cue.start, cue.lines[0]) for cue in cues(moved)]
    assert begins == [
        (1_000, "Psst."),
        (12_000, "Rain."),
        (162_250, "Boots."),
        (372_000, "Not today."),
        (400_250, "And a dog."),
    ]


def test_times_continue_from_the_first_told_session(hour: Hour) -> None:
    hour.at("19:30:00.000000", c.End(what="session"))
    hour.at("20:00:00.000000", c.OpenSession(text=w("Sun.")))

    assert seconds(of_range(LineView(hour.campaign, 1)))["Sun."] == 3600.0
    assert seconds(hour.told(2)) == {"Sun.": 0.0}


def test_a_range_counts_from_the_start_of_its_session(hour: Hour) -> None:
    last = hour.campaign.record.head(1).position

    assert seconds(of_range(LineView(hour.campaign, 1), last - 1)) == {"Not today.": 360.0}


def test_a_clock_set_back_gives_no_time_before_the_session(hour: Hour) -> None:
    hour.at("18:59:00.000000", c.Say(who=1, text=w("Is it winter time?")))

    assert seconds(hour.told())["Is it winter time?"] is None


def test_imported_events_have_no_time() -> None:
    opened = EventTime(datetime(2026, 3, 14, 19, tzinfo=UTC), is_played=False)
    here = Envelope("2026-03-14T19:00:01.500000Z", 60, "act", 0, 1)

    assert seconds_from(opened, here) == 1.5
    assert seconds_from(opened, here._replace(source=("ab" * 32, 7))) is None
    assert seconds_from(None, here) is None


def test_marks_are_timed_by_the_clap_not_the_preceding_event(hour: Hour) -> None:
    hour.at("19:10:00.000000", c.Mark(name=w("the yard"), at=5))

    marked = [marked_at(LineView(hour.campaign, 1), name) for name in ("Clap", "the yard")]
    assert [one.at if one else None for one in marked] == [
        "2026-03-14T19:05:00.000000Z",
        recorded_at(LineView(hour.campaign, 1), 5).at,
    ]
    assert marked_at(LineView(hour.campaign, 1), "slate") is None


def test_mechanics_notes_and_generated_sentences_are_not_shown(table: Table) -> None:
    for form in ("srt", "webvtt"):
        shown = export(form, of_session(LineView(table.campaign, 1), 1)).decode()

        assert "Not today." in shown
        assert not any(one in shown for one in ("draws", "Quality", "captain is her brother", "dignity", "["))
