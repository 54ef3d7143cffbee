"""Every example of a log comes in: whole, once, in two goes, played again, and with nothing hidden told."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from retold.campaign import Campaign
from retold.importing.taking_in import take_in
from retold.journal.refused import Refused
from retold.journal.store.verify import verify_rules
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import EXPORTS
from retold.scribe import Scribe
from retold.script_player import Script, play_script
from retold.sources import NO_HINTS, READERS, Hints, Order, Report, Source, Unit, read
from retold.sources.answers import Answers, Person, Unmarked
from tests.retold.importing.given import begun, script, told

EXAMPLES = Path(__file__).parents[3] / "examples" / "imports"
PATHS = sorted(path for path in EXAMPLES.iterdir() if ".import" not in path.suffixes)
TEXTS = tuple(name for name, one in EXPORTS.items() if one.is_text)
CUTS = 3


@dataclass(frozen=True)
class Example:
    """An example's source, the units in it, and made-up answers about it."""

    source: Source
    units: list[Unit]
    answers: Answers
    report: Report

    def cut(self, place: int) -> Source:
        """The source as it was when it had so many units."""
        ((stream, reader),) = self.source.files
        units = self.units[:place]
        made = replace(
            reader,
            look=reader.look,
            read=lambda _stream, _tally: iter(units),
            count=lambda _stream: sum(one.pieces for one in units),
        )
        earlier = replace(stream, read=lambda most: f"{stream.name} {place}".encode()[:most])
        return Source(self.source.family, ((earlier, made),))


def source_at(path: Path, hints: Hints = NO_HINTS) -> Source:
    try:
        source = read(path, hints=hints)
    except Refused:
        able = [one.name for one in READERS if one.name in path.stem or path.stem in one.name]
        source = read(path, format=able[0], hints=hints)
    if source.report().tally.dates_unclear:
        return source_at(path, Hints(dates=Order.MONTH_FIRST))
    return source


@cache
def example_at(path: Path) -> Example:
    source = source_at(path)
    report = source.report()
    first, *others = report.labels or [""]
    people = {
        label: Person(plays=f"Player {place}") if place % 3 else Person(role="npc")
        for place, label in enumerate(others, start=1)
    }
    answers = Answers(
        zone="Europe/Lisbon",
        game_master=(first,) if first else ("gm",),
        people=people,
        unmarked=Unmarked.TABLE,
        began="2026-03-01T19:30",
        audience=dict.fromkeys(report.hidden_channels, ("gm",)),
    )
    return Example(source, list(source), answers, report)


@pytest.fixture(params=PATHS, ids=lambda path: path.name)
def example(request: pytest.FixtureRequest) -> Example:
    return example_at(request.param)


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with begun(tmp_path / "x.retold") as campaign:
        yield campaign


def test_an_example_comes_in_whole_and_once(example: Example, campaign: Campaign) -> None:
    intake = campaign.take_in([example.source], example.answers)

    assert intake.report.pieces == intake.report.counted
    assert (
        intake.new + intake.known + intake.unchanged
        == intake.report.read.total() + len(intake.report.unread)
        > 0
    )
    assert campaign.verify().whole
    before = told(campaign)
    again = campaign.take_in([example.source], example.answers)
    assert (again.new, again.acts, again.changed, again.gone, again.otherwise) == (0, 0, [], [], 0)
    assert told(campaign) == before


def test_a_check_says_what_is_recorded(example: Example, campaign: Campaign) -> None:
    checked = take_in(None, [example.source], example.answers, check=True).as_json()
    recorded = campaign.take_in([example.source], example.answers).as_json()

    for name in ("acts", "recorded", "seconds"):
        checked.pop(name), recorded.pop(name)
    assert checked == recorded


def test_an_example_played_again_as_a_script_comes_to_the_same(
    example: Example, campaign: Campaign, tmp_path: Path
) -> None:
    campaign.take_in([example.source], example.answers)
    lines = script(campaign)
    with CampaignStore.create(tmp_path / "again.retold") as store:
        scribe = Scribe(store, 1)
        for _ in play_script(scribe, Script("script", "\n".join(lines).encode())):
            pass
        table = scribe.table
    again = Campaign.of(CampaignStore.open(tmp_path / "again.retold"))

    assert script(again) == lines
    assert [one.called for one in table.everybody()] == [
        one.called for one in campaign.scribe.table.everybody()
    ]
    again.close()


def test_an_example_in_two_goes_comes_to_what_it_is_in_one(example: Example, tmp_path: Path) -> None:
    if len(example.source.files) != 1:
        pytest.skip("It is several files.")
    number = len(example.units)
    with begun(tmp_path / "one.retold") as one:
        one.take_in([example.cut(number)], example.answers)
        whole = script(one)
    timed = [
        place
        for place, unit in enumerate(example.units, start=1)
        if (unit.when is not None or unit.clock is not None)
        and any(one.pieces and one.left_out is None for one in example.units[:place])
    ]
    first = timed[0] if timed else 1  # before it nobody knows that the log has times
    for place in random.Random(number).sample(range(first, number), min(CUTS, number - first)):
        with begun(tmp_path / f"{place}.retold") as two:
            two.take_in([example.cut(place)], example.answers)
            two.take_in([example.cut(number)], example.answers)

            assert script(two) == whole
            assert two.verify().whole


def test_nothing_hidden_is_in_a_copy_for_others(example: Example, campaign: Campaign) -> None:
    answers = replace(example.answers, unmarked=Unmarked.GM)
    campaign.take_in([example.source], answers)
    everything = campaign.happened()
    people = {one.called for one in campaign.scribe.table.everybody()}
    looked_for, knowing = set[bytes](), list[set[str]]()
    for number, viewer in enumerate(("table", *sorted(people))):
        reading = campaign.seen_by(viewer)
        known = {event.told for event in reading.happened()}
        if known in knowing:
            continue  # somebody who may know just as much has been tried
        knowing.append(known)
        hidden = [event for event in everything if event.visible_to != "table" and event.told not in known]
        texts = {str(getattr(event.event, "text", None)) for event in hidden}
        words = {text.encode() for text in texts if text != "None" and len(text) > 8}
        if not words:
            continue  # nothing is hidden from this viewer
        looked_for |= words
        formats = TEXTS[number::4] if number else TEXTS  # all for the table, each for some of the people
        parts = "\n".join(known).encode() + b"".join(
            reading.export(name, "book", mechanics="inline") for name in formats
        )
        assert not [text for text in words if text in parts]
    if not looked_for:
        pytest.skip("Nothing of it is hidden from anybody.")


def test_no_voice_tells_unread_notes(example: Example, campaign: Campaign) -> None:
    intake = campaign.take_in([example.source], example.answers)
    notes = [event for event in told(campaign) if "[unread]" in event]

    assert len(notes) == len(intake.report.unread) + intake.report.shortened
    for name in TEXTS if notes else ():
        assert b"[unread]" not in campaign.export(name, "book")


GAMES = [
    ("game d20", "cast Zel by=Jon str=3 dex=1 health=9"),
    ("game fate", "cast Zel by=Jon"),
    ("cast Zel bruise by=Jon clubs=4 melee=2",),
    ("cast Zel edgerunner by=Jon",),
    ("cast Zel --gm",),
]


@pytest.mark.parametrize("lines", GAMES, ids=lambda lines: lines[0])
def test_a_log_comes_into_a_campaign_of_any_game(tmp_path: Path, lines: tuple[str, ...]) -> None:
    example = example_at(EXAMPLES / "irc.log")
    with begun(tmp_path / "x.retold", *lines) as campaign:
        intake = campaign.take_in([example.source], example.answers)

        assert intake.new == 7
        assert campaign.verify().whole
        assert [*verify_rules(campaign.shared.store, 1)] == []
        assert campaign.take_in([example.source], example.answers).acts == 0
