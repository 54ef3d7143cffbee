"""A long line told by several processes comes to the same bytes as one that is told in one."""

from __future__ import annotations

import io
import multiprocessing
import os
import pickle
import sqlite3
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from retold.journal.decks.chance import SystemDealer
from retold.journal.language.lexing import lex
from retold.journal.refused import Refused
from retold.journal.store import process_pool
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import FORMATS, parallel, spooled
from retold.projections.exports.parallel import (
    LinePart,
    ParallelTelling,
    SessionDocument,
    ToldPart,
    WrittenPart,
    each_session,
    parts_of,
    write_part,
)
from retold.projections.prose import VOICES, Voice, voicefile
from retold.projections.reading import LineView, viewer_called
from retold.projections.story.transcript import of_range
from retold.projections.story.transcript.build import of_line
from retold.scribe import Scribe
from retold.script_player import Script
from tests.projections.played import FEW

SPOOLED = [name for name, one in FORMATS.items() if one.writer is not None]

EVENINGS = """\
session The first of ours --date 2026-11-01
cast Ada bruise by=Ann clubs=4 melee=2
cast Bix bruise by=Ben clubs=3 melee=3
scene The pier
narrate Ada: Fog.
mark the-fog
conflict "The pier" bruise Ada vs Bix: who stays
draw Ada clubs+melee = JH JD 10S 7C 4C 3D
draw Bix clubs+melee = 2H 2D 9S 7H 4H 5C
narrate gm: One step.
end session: It is not over yet.
note : Nobody slept.
session The second of ours
scene The pier, again
narrate gm: And one more.
end conflict stalemate
say Ada --to Bix: Not here.
narrate gm --gm: The well is dry.
mark the-well
note : She knows.
end session
session The third of ours
scene The yard
roll Ada 3d6 = 4 5 6: is anybody there
cast Bix name=Bixby
narrate --at the-fog Bix: It smelled of tar.
narrate Ada: Nobody.
undo
note Ada --quote: I roll for dignity.
end session
cast gm by=Ben
session The fourth of ours
scene The well
narrate Ada: Rain.
reveal the-well
narrate --at the-fog Ada: And of salt.
end session
session The fifth of ours
narrate Ada: Nothing was said that evening.
"""
"""A fight that outlives its evening, what is for some eyes, told later, taken back, and people who change."""


class InThisProcess:
    """Does at once what it is given, as if in other processes."""

    def __init__(self, _hands: int, _how: object, _ready: object, given: tuple[object, ...]) -> None:
        _collects, handed = given
        assert isinstance(handed, bytes)
        begin, asked = pickle.loads(handed)
        begin(*asked)

    def submit(self, do: Callable[..., object], *given: object) -> Future[object]:
        told: Future[object] = Future()
        told.set_result(do(*given))
        return told

    def shutdown(self, **_how: bool) -> None:
        """There is nobody to wait for."""


@pytest.fixture(autouse=True)
def _many(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of a few events is a long one, and every evening a part, for two processors."""
    monkeypatch.setattr(parallel, "RUN", 1)
    monkeypatch.setattr(parallel, "MANY", 1)
    monkeypatch.setattr(parallel, "LENGTH", 1)
    monkeypatch.setattr(process_pool, "processors", lambda: 2)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other process is begun."""
    monkeypatch.setattr(process_pool, "ProcessPoolExecutor", InThisProcess)


def play(campaign: CampaignStore, script: str) -> None:
    """Plays a script, and leaves out whatever is refused."""
    scribe = Scribe(campaign, 1)
    for line in Script("a script", script.encode()).lines():
        with suppress(Refused):
            scribe.carry_out(lex(line.source))


def dealt_alike(patch: pytest.MonkeyPatch) -> None:
    luck = Random("dividing")
    patch.setattr(SystemDealer, "pick", lambda _dealer, _source, possible: luck.choice(possible))


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An example of each game after the other at one table, and evenings of ours between them."""
    path = tmp_path_factory.mktemp("lived") / "lived.retold"
    with pytest.MonkeyPatch.context() as patch, CampaignStore.create(path, title="The Salt Road") as campaign:
        dealt_alike(patch)
        for number, example in enumerate(FEW):
            play(campaign, example.read_text("utf-8").replace("\nexpect", "\n# expect"))
            play(campaign, "end conflict stalemate\nend session\n")
            if number % 3 == 0:
                play(campaign, EVENINGS)
                play(campaign, "end session\n")
    return path


def seen(reading: LineView, whose: str) -> LineView:
    return reading.through(viewer_called(reading.table, whose))


def spool(
    reading: LineView, format_: str, voice: Voice, place: str, *, many: bool, book: bool, ribbon: bool = False
) -> tuple[bytes, bool]:
    """A book or a stretch as it is written, and whether several told it."""
    made = spooled(format_, voice.phrases, place, io.BytesIO())
    told: list[bool] = []

    def by_many(*given: object, **named: object) -> object:
        heard = ParallelTelling(format_, made)(*given, **named)  # type: ignore[arg-type]
        told.append(heard is not None)
        return heard

    tell: Callable[..., object] = of_line if book else of_range
    tell = partial(tell, voice=voice, keep=made.keep, ribbon=ribbon)
    transcript = tell(reading, by_many=by_many if many else None)
    return b"".join(made.written(transcript)), told == [True]  # type: ignore[arg-type]


def one_and_many(path: Path, whose: str, *how: object, **named: bool) -> bool:
    """Whether several told it; in any case it is the same."""
    with CampaignStore.open(path, read_only=True) as campaign:
        alone, _ = spool(seen(LineView(campaign, 1), whose), *how, many=False, **named)  # type: ignore[arg-type]
    with CampaignStore.open(path, read_only=True) as campaign:
        found, by_many = spool(seen(LineView(campaign, 1), whose), *how, many=True, **named)  # type: ignore[arg-type]
    assert found == alone
    return by_many


@pytest.mark.parametrize("voice", VOICES.values(), ids=VOICES)
def test_several_tell_the_same_as_one(lived: Path, here: None, voice: Voice) -> None:
    number = [*VOICES].index(voice.name)
    format_, book = SPOOLED[number % len(SPOOLED)], number % 2 == 0
    assert one_and_many(lived, "gm", format_, voice, voice.mechanics, book=book)


@pytest.mark.parametrize("whose", ["table", "Ada", "Bixby"])
def test_through_whatever_eyes(lived: Path, here: None, whose: str) -> None:
    assert one_and_many(lived, whose, "text", VOICES["report"], "folded", book=True)


@pytest.mark.parametrize(("place", "ribbon"), [("inline", True), ("none", False)])
def test_wherever_mechanics_stand_and_with_a_ribbon(
    lived: Path, here: None, place: str, *, ribbon: bool
) -> None:
    assert one_and_many(lived, "gm", "text", VOICES["report"], place, book=True, ribbon=ribbon)


@pytest.mark.parametrize("place", ["footnotes", "appendix"])
def test_notes_that_are_numbered_from_scene_to_scene_are_told_in_one(
    lived: Path, here: None, place: str
) -> None:
    assert not one_and_many(lived, "gm", "text", VOICES["report"], place, book=True)


@pytest.mark.parametrize("length", [40, 150])
def test_wherever_it_is_divided(
    lived: Path, here: None, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    monkeypatch.setattr(parallel, "LENGTH", length)

    assert one_and_many(lived, "gm", "markdown", VOICES["report"], "folded", book=True)


def test_a_voice_of_ones_own_goes_along(lived: Path, here: None, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('base = "script"\n[phrases.names]\ngm = "the referee"\n', "utf-8")

    assert one_and_many(lived, "gm", "text", voicefile.read(tmp_path / "mine.toml"), "inline", book=False)


@pytest.fixture
def evenings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Evenings of ours alone."""
    path = tmp_path / "evenings.retold"
    with CampaignStore.create(path) as campaign:
        play(campaign, EVENINGS)
    return path


def test_a_part_begins_with_a_session_while_no_conflict_is_open(evenings: Path) -> None:
    with CampaignStore.open(evenings, read_only=True) as campaign:
        reading = LineView(campaign, 1)
        opened = reading.sessions.opened
        parts = parts_of(reading, reading.position, 1)

    ends = [opened[number] - 1 for number in (3, 4, 5)]  # 1 begins it, and in 2 the fight goes on
    assert parts == [LinePart(*one) for one in pairwise([0, *ends, reading.position])]


@pytest.mark.parametrize(("misfits", "by_many"), [(1, True), (2, True), (3, False)])
def test_what_does_not_fit_is_told_once_more_with_what_it_does_not_fit(
    evenings: Path, here: None, monkeypatch: pytest.MonkeyPatch, misfits: int, *, by_many: bool
) -> None:
    written: list[LinePart] = []
    fits = ToldPart.continues

    def noted(part: LinePart) -> WrittenPart | None:
        written.append(part)
        return write_part(part)

    def continues(later: ToldPart, before: ToldPart) -> bool:
        return fits(later, before) and later.part not in parts[1 : misfits + 1]

    with CampaignStore.open(evenings, read_only=True) as campaign:
        reading = LineView(campaign, 1)
        parts = parts_of(reading, reading.position, 1)
    monkeypatch.setattr(parallel, "write_part", noted)
    monkeypatch.setattr(ToldPart, "continues", continues)

    assert one_and_many(evenings, "gm", "markdown", VOICES["report"], "folded", book=True) is by_many
    again = [LinePart(0, part.upto) for part in parts[1:3][:misfits]]
    assert sorted(written) == sorted([*parts, *again])


def test_other_processes_tell_it_and_open_the_same_cache(evenings: Path) -> None:
    heard: list[int] = []
    with CampaignStore.open(evenings, read_only=True) as campaign:
        campaign.snapshots = Snapshots(evenings.with_suffix(".cache"), key=b"key")
        made = spooled("text", VOICES["report"].phrases, "folded", io.BytesIO())
        reading = LineView(campaign, 1)
        told = of_line(
            reading,
            keep=made.keep,
            by_many=ParallelTelling("text", made),
            told=lambda done, _total: heard.append(done),
        )
        alone, _ = spool(LineView(campaign, 1), "text", VOICES["report"], "folded", many=False, book=True)
        ends = [one.upto for one in parts_of(reading, reading.position, 1)]

    assert b"".join(made.written(told)) == alone
    assert heard == ends
    assert multiprocessing.active_children() == []


def ended(part: LinePart) -> WrittenPart | None:
    """What a process does that somebody ends; the first tells its own parts as ever."""
    if multiprocessing.parent_process() is not None:
        os._exit(9)
    return write_part(part)


def test_if_one_of_them_is_ended_one_tells_it(evenings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "write_part", ended)

    assert not one_and_many(evenings, "gm", "text", VOICES["report"], "folded", book=False)


def test_a_workers_error_falls_back_to_the_sequential_run(
    evenings: Path, here: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_given: object) -> None:
        raise Refused("It cannot be told.")

    monkeypatch.setattr(parallel, "tell_part", broken)

    assert not one_and_many(evenings, "gm", "text", VOICES["report"], "folded", book=False)


def test_if_two_turned_out_to_be_one_it_is_told_in_one(evenings: Path, here: None) -> None:
    with CampaignStore.open(evenings) as campaign:
        play(campaign, "cast Eve\nmerge Eve into Ada\nend session\nsession The sixth\nnarrate Ada: Still.\n")

    assert not one_and_many(evenings, "gm", "text", VOICES["report"], "folded", book=False)


# --- parts that are kept ----------------------------------------------------------------------------------


@pytest.fixture
def again(evenings: Path, here: None, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[int]]:
    """Tells the book of the evenings, with a cache; returns which of its parts were told and not kept."""
    written: list[LinePart] = []

    def noted(part: LinePart) -> WrittenPart | None:
        written.append(part)
        return write_part(part)

    def tell(line: str = "", voice: str = "report", place: str = "folded") -> list[int]:
        written.clear()
        with CampaignStore.open(evenings) as campaign:
            campaign.snapshots = Snapshots(evenings.with_suffix(".cache"), key=b"key")
            reading = LineView(campaign, 1)
            places = {name: at_words(reading, name) for name in ("Fog", "dry", "Rain")}
            play(campaign, line.format(**places) + "\n")
        with CampaignStore.open(evenings, read_only=True) as campaign:
            alone, _ = spool(LineView(campaign, 1), "text", VOICES[voice], place, many=False, book=True)
            campaign.snapshots = Snapshots(evenings.with_suffix(".cache"), key=b"key")
            reading = LineView(campaign, 1)
            found, by_many = spool(reading, "text", VOICES[voice], place, many=True, book=True)
            parts = parts_of(reading, reading.position, 1)
        assert (found, by_many) == (alone, True)
        return [number for number, part in enumerate(parts, 1) if part in written]

    monkeypatch.setattr(parallel, "write_part", noted)
    return tell


def at_words(reading: LineView, words: str) -> int:
    """Position of the event with these words; 0 if there is none."""
    return next((found.position for found in reading.recorded() if words in str(found.event)), 0)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("note : More.", [4]),
        ("narrate Ada: Dust.", [4]),
        ("end session\nsession The sixth\nnarrate Ada: Still.", [4, 5]),
        ("undo", [4]),
        ('retcon {Fog} --as "narrate Ada: Haze."', [1, 2, 3, 4]),
        ("reveal {dry}", [1, 2, 3, 4]),
        ("redact {Fog}", [1, 2, 3, 4]),
        ("tint Ada #7a2e1d", [1, 2, 3, 4]),
        ("cast Ada pronouns=she/her", [1, 2, 3, 4]),
        ("narrate gm --at {Rain}: Long before.", [3, 4]),
        ("campaign The Low Road", [1, 2, 3, 4]),
        ("branch Otherwise --at {Rain}", [1, 2, 3, 4]),
    ],
)
def test_a_book_tells_again_what_changed_and_keeps_the_rest(
    again: Callable[..., list[int]], line: str, told: list[int]
) -> None:
    assert again() == [1, 2, 3, 4]
    assert again() == []

    assert again(line) == told
    assert again() == []


def test_a_book_in_another_manner_is_told_again(again: Callable[..., list[int]]) -> None:
    assert [again(), again(voice="script"), again(place="none"), again()] == [[1, 2, 3, 4]] * 3 + [[]]


def test_no_redacted_word_stays_with_the_parts_of_a_book(
    again: Callable[..., list[int]], evenings: Path
) -> None:
    def kept() -> bytes:
        with closing(sqlite3.connect(evenings.with_suffix(".cache"))) as db:
            values = db.execute("SELECT value FROM value WHERE name LIKE 'told %'").fetchall()
        return b"".join(zlib.decompress(value[value.index(b"\x78\x01") :]) for (value,) in values)

    again()
    assert b"Fog." in kept()

    again("redact {Fog}")
    assert b"Fog." not in kept()


def test_a_kept_part_that_was_spoilt_is_told_again(
    again: Callable[..., list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    again()
    monkeypatch.setattr(parallel, "unpacked", lambda *_given: None)

    assert again() == [1, 2, 3, 4]


# --- every session by itself ------------------------------------------------------------------------------

DOCUMENTS = (
    SessionDocument("text", VOICES["report"], "footnotes", ribbon=True),
    SessionDocument("markdown", VOICES["prose"], "none"),
    SessionDocument("html", VOICES["script"], "appendix", variations=True),
    SessionDocument("replay-json", VOICES["report"], "folded"),
)


def alone(path: Path, document: SessionDocument) -> list[bytes]:
    """Every session's document, made here."""
    with CampaignStore.open(path, read_only=True) as campaign:
        reading = LineView(campaign, 1)
        return [document.of(reading, session) for session in reading.sessions.opened]


def by_many(path: Path, document: SessionDocument) -> list[bytes | None]:
    """The same, made by several."""
    with CampaignStore.open(path, read_only=True) as campaign:
        reading = LineView(campaign, 1)
        return list(each_session(reading, [*reading.sessions.opened], document))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda one: one.format)
def test_every_session_is_the_same_in_a_file_of_its_own(
    evenings: Path, here: None, document: SessionDocument
) -> None:
    with CampaignStore.open(evenings) as campaign:
        play(campaign, "branch another --at the-fog\nswitch mainline\n")

    assert by_many(evenings, document) == alone(evenings, document)


def test_other_processes_make_them(evenings: Path) -> None:
    document = DOCUMENTS[0]

    assert by_many(evenings, document) == alone(evenings, document)
    assert multiprocessing.active_children() == []


def test_of_a_short_line_none_is_made_by_them(evenings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "MANY", 50_000)

    assert by_many(evenings, DOCUMENTS[0]) == [None] * 5


def test_a_document_that_fails_is_left_to_the_caller(evenings: Path, here: None) -> None:
    broken = DOCUMENTS[0]._replace(mechanics="in the margin")

    assert by_many(evenings, broken) == [None] * 5


def test_if_one_process_is_ended_the_rest_is_left_too(
    evenings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "make_sessions", gone)

    assert by_many(evenings, DOCUMENTS[0]) == [None] * 5


def gone(sessions: Sequence[int]) -> list[None]:
    """What a process does that somebody ends; the first makes nothing."""
    if multiprocessing.parent_process() is not None:
        os._exit(9)
    return [None] * len(sessions)
