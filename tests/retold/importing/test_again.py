"""The same log again, grown, changed, cut, or older than what is there; what the table did stays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.campaign import Campaign
from retold.importing import recording
from retold.importing.intake import Intake
from retold.journal.refused import Refused
from retold.journal.store.contract.event_store import Draft, Head, Row
from retold.journal.store.events.codec import decode
from retold.journal.store.events.record import Record
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import events as e
from retold.sources import Source, Unit, read
from retold.sources.answers import Person, Unmarked
from retold.sources.dice import Rung, Throw
from retold.sources.unit import Precision, Sort, When
from tests.retold.importing.given import ANSWERS, EVENING, begun, numbered, script, source, told, unit

D20 = Throw(Rung.FACES, "1d20 = 7", "1d20", (7,), 7)
UNITS = numbered(
    [
        unit("1", "Zel", "Not today.", 0),
        unit("2", "Mary", "Rain.", 1),
        unit("3", "Zel", "", 2, sort=Sort.ROLL, throws=(D20,)),
        unit("4", "Pell", "Look!", 3, hidden=True, to=("Zel",)),
        unit("5", "Pell", "A light.", 600),
        unit("6", "Warder", "Halt!", 601),
        unit("7", "", "", 602, unread=True, raw="a poll", sort=Sort.NOTICE),
        unit("8", "Zel", "back soon", 603, sort=Sort.ASIDE),
    ]
)


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with begun(tmp_path / "x.retold") as campaign:
        yield campaign


def take(campaign: Campaign, *units: Unit, agreed: bool = False) -> Intake:
    return campaign.take_in([source(*units)], ANSWERS, agreed=agreed)


def reworded(campaign: Campaign) -> list[tuple[str, bool]]:
    """The words that acts have now instead of their first, and whether an import gave them."""
    rows = campaign.shared.store.record.rows(1, kinds=("table.reworded",))
    found = [(decode(row).event, decode(row).envelope.source) for row in rows]
    return [(str(event.text), src is not None) for event, src in found if isinstance(event, e.Reworded)]


# --- again, and grown -------------------------------------------------------------------------------------


def test_the_same_again_records_nothing(campaign: Campaign) -> None:
    take(campaign, *UNITS)
    before = told(campaign)
    intake = take(campaign, *UNITS)

    assert told(campaign) == before
    assert (intake.new, intake.known, intake.acts) == (0, len(UNITS), 0)
    assert (intake.changed, intake.gone, intake.otherwise) == ([], [], 0)
    assert (intake.people_new, intake.sessions_new, intake.sessions_known) == ([], [], 2)


@pytest.mark.parametrize("place", range(1, len(UNITS)))
def test_a_log_that_grew_comes_to_what_it_would_be_in_one_go(tmp_path: Path, place: int) -> None:
    with begun(tmp_path / "one.retold") as one, begun(tmp_path / "two.retold") as two:
        take(one, *UNITS)
        take(two, *UNITS[:place])
        take(two, *UNITS)

        assert script(two) == script(one)
        assert take(two, *UNITS).acts == 0
        assert two.verify().whole


@pytest.mark.parametrize("place", range(1, len(UNITS)))
def test_a_text_without_times_that_grew_comes_to_the_same(tmp_path: Path, place: int) -> None:
    units = [replace(one, when=None) for one in UNITS]
    with begun(tmp_path / "one.retold") as one, begun(tmp_path / "two.retold") as two:
        one.take_in([source(*units, has_ids=False)], ANSWERS)
        two.take_in([source(*units[:place], has_ids=False)], ANSWERS)
        two.take_in([source(*units, has_ids=False)], ANSWERS)

        assert script(two) == script(one)


PARAGRAPH = ("They row out.", "The lamp is green,", "and nobody waves.", "Zel counts the oars.")


def grown(*units: Unit) -> Source:
    """A log without ids, in which a paragraph's key is made of its words."""
    return source(*(replace(one, key=f"{one.text}.1") for one in units), has_ids=False)


@pytest.mark.parametrize("when", [None, 1.0])
@pytest.mark.parametrize("cut", range(1, len(PARAGRAPH)))
def test_I20_a_log_that_ended_within_a_paragraph_has_it_once(
    campaign: Campaign, cut: int, when: float | None
) -> None:
    first, last = unit("1", "", "Rain.", when), unit("3", "", "A bell.", when)
    half, whole = (unit("2", "", "\n".join(PARAGRAPH[:lines]), when) for lines in (cut, len(PARAGRAPH)))
    campaign.take_in([grown(first, half)], ANSWERS)
    intake = campaign.take_in([grown(first, whole, last)], ANSWERS)

    assert (intake.new, intake.known, intake.gone) == (1, 2, [])
    assert reworded(campaign) == [("\n".join(PARAGRAPH), True)]
    assert sum(line.startswith("gm narrates") for line in told(campaign)) == len((first, whole, last))
    assert campaign.take_in([grown(first, whole, last)], ANSWERS).acts == 0


def test_I20_a_paragraph_that_grew_says_no_redacted_words(campaign: Campaign) -> None:
    first, half = unit("1", "", "Rain."), unit("2", "", "The key is green")
    campaign.take_in([grown(first, half)], ANSWERS)
    campaign.say(f"redact {campaign.happened(0)[-2].position}")
    intake = campaign.take_in([grown(first, replace(half, text="The key is green, and mine."))], ANSWERS)

    assert intake.acts == 0
    assert b"The key is green" not in campaign.path.read_bytes()


@pytest.mark.parametrize("now", ["A bell.", "Rai"])
def test_I20_another_paragraph_in_its_place_is_new(campaign: Campaign, now: str) -> None:
    first, half = unit("1", "", "Fog."), unit("2", "", "Rain.")
    campaign.take_in([grown(first, half)], ANSWERS)
    intake = campaign.take_in([grown(first, replace(half, text=now))], ANSWERS, agreed=True)

    assert (intake.new, len(intake.gone)) == (1, 1)


SOLO = """\
## Session 1

@(Zel) Pick the lock
d: 2d6=8 vs TN 7 -> Success
=> The door opens. [Clock:Watch 2/6] [N:Warder|asleep]
(note: the lamp is cold)
@(Zel) Go in
d: 2d6=6,1 vs TN 7 -> Success
=> Inside.
"""


OPEN = replace(ANSWERS, unmarked=Unmarked.TABLE)


def solo(path: Path, text: str = SOLO) -> list[Source]:
    path.write_text(text, "utf-8", newline="\n")
    return [read(path, format="lonelog")]


@pytest.mark.parametrize(
    "half",
    [
        *(
            "d: 2d6=8 vs",
            "d: 2d6=8 vs TN 7 -> Suc",
            "=> The door",
            "[Clock:Watc",
            "[Clock:Watch 2",
        ),
        *("(note: the la", "(Zel) Go in\nd: 2d6", "d: 2d6=6", "d: 2d6=6,", "d: 2d6=6,1 vs TN 7"),
    ],
)
def test_a_line_that_was_cut_off_comes_in_whole_and_once(
    campaign: Campaign, tmp_path: Path, half: str
) -> None:
    log = tmp_path / "solo.md"
    campaign.take_in(solo(log, SOLO[: SOLO.index(half) + len(half)]), OPEN)
    intake, again = (campaign.take_in(solo(log), OPEN) for _ in range(2))

    with begun(tmp_path / "whole.retold") as whole:
        whole.take_in(solo(log), OPEN)
        assert script(campaign) == script(whole)
    assert (intake.gone, len(intake.changed), again.acts, again.gone) == ([], 1, 0, [])


def test_half_a_line_stays_where_the_table_has_gone_on(campaign: Campaign, tmp_path: Path) -> None:
    log = tmp_path / "solo.md"
    campaign.take_in(solo(log, SOLO[: SOLO.index(" -> Success")]), OPEN)
    campaign.say("note --to table: It rains.")
    intake = campaign.take_in(solo(log), OPEN, agreed=True)

    assert [one.words for one in intake.gone] == ["2d6=8 vs TN 7"]


@given(
    st.lists(st.integers(0, 400), min_size=2, max_size=12),
    st.lists(st.integers(0, 11), max_size=3),
    st.lists(st.sampled_from(["Zel", "Mary", "Pell", "Warder", ""]), min_size=12, max_size=12),
    st.lists(st.booleans(), min_size=12, max_size=12),
)
def test_any_log_in_any_goes_comes_to_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    gaps: list[int],
    cuts: list[int],
    speakers: list[str],
    hidden: list[bool],
) -> None:
    folder, minutes, units = tmp_path_factory.mktemp("cut"), 0, []
    for place, gap in enumerate(gaps):
        minutes += gap
        whisper = {"hidden": True, "to": ("Pell",)} if hidden[place] else {}
        units.append(unit(str(place + 1), speakers[place], f"words {place}", minutes, **whisper))
    with begun(folder / "one.retold") as one, begun(folder / "two.retold") as two:
        take(one, *units)
        for cut in (*sorted(cuts), len(units)):
            take(two, *units[:cut])

        assert script(two) == script(one)
        assert two.verify().whole


def test_windows_of_one_channel_that_overlap_bring_each_unit_once(campaign: Campaign) -> None:
    take(campaign, *UNITS[:5])
    intake = take(campaign, *UNITS[3:])

    assert (intake.new, intake.known, intake.gone) == (3, 2, [])


def test_a_session_that_is_still_going_on_stays_open(campaign: Campaign) -> None:
    now = When(datetime(2026, 11, 26, 11, 0, tzinfo=UTC))
    take(campaign, *UNITS, replace(unit("9", "", "Wind."), when=now))

    assert told(campaign)[-2:] == ["session 3 begins, 2026-11-26", "gm narrates: “Wind.”"]


def test_a_session_that_the_table_added_to_is_not_reopened(campaign: Campaign) -> None:
    take(campaign, *UNITS[:5])
    campaign.say("note: See whether the door holds.")
    take(campaign, *UNITS)

    assert [event for event in told(campaign) if event.startswith("session")] == [
        "session 1 begins, 2026-03-01",
        "session 1 ends",
        "session 2 begins, 2026-03-02",
        "session 2 ends",
        "session 3 begins, 2026-03-02",
        "session 3 ends",
    ]


# --- interrupted ------------------------------------------------------------------------------------------


def test_an_interrupted_import_is_finished_by_the_same_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "MOST_ACTS", 3)

    def interrupted(done: int, _total: int) -> None:
        if done >= 4:
            raise KeyboardInterrupt

    with begun(tmp_path / "one.retold") as one, begun(tmp_path / "two.retold") as two:
        take(one, *UNITS)
        with pytest.raises(KeyboardInterrupt):
            two.take_in([source(*UNITS)], ANSWERS, tell=interrupted)
        assert 0 < len(told(two)) < len(told(one))
        assert two.verify().whole
        take(two, *UNITS)

        assert script(two) == script(one)


def test_an_interruption_inside_a_transaction_takes_it_back(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    append, calls = Record.append, list[int]()

    def interrupted(record: Record, line: int, head: Head, drafts: Iterable[Draft]) -> list[Row]:
        calls.append(line)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return append(record, line, head, drafts)

    monkeypatch.setattr(Record, "append", interrupted)
    with pytest.raises(KeyboardInterrupt):
        take(campaign, *UNITS)
    assert told(campaign) == []
    monkeypatch.undo()

    take(campaign, *UNITS)
    assert take(campaign, *UNITS).acts == 0
    assert campaign.verify().whole


def test_progress_is_told_up_to_the_last_step(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MOST_ACTS", 3)
    steps: list[tuple[int, int]] = []
    campaign.take_in([source(*UNITS)], ANSWERS, tell=lambda done, total: steps.append((done, total)))

    assert len(steps) > 1
    assert steps == sorted(steps)
    assert steps[-1][0] == steps[-1][1]


# --- what the table did -----------------------------------------------------------------------------------


@pytest.mark.parametrize("acts", range(1, 12))
def test_undone_imports_stay_undone(campaign: Campaign, acts: int) -> None:
    take(campaign, *UNITS)
    campaign.say(f"undo {acts}")
    before = script(campaign)
    intake = take(campaign, *UNITS)

    assert intake.acts == 0
    assert script(campaign) == before


def test_new_units_come_in_behind_what_was_undone(campaign: Campaign) -> None:
    take(campaign, *UNITS)
    campaign.say("undo 2")
    take(campaign, *UNITS, unit("9", "", "Wind.", 604))

    assert told(campaign)[-2:] == ["gm narrates: “Wind.”", "session 2 ends"]
    assert "aside Zel" not in "\n".join(script(campaign))


def test_what_the_table_mended_stays_and_a_change_is_told(campaign: Campaign) -> None:
    take(campaign, *UNITS)
    campaign.say("retcon 6: Not tomorrow.")
    assert take(campaign, *UNITS).changed == []
    edited = [replace(UNITS[0], text="Never.", edited=True), *UNITS[1:]]
    intake = take(campaign, *edited)

    assert [(one.was, one.now, one.left) for one in intake.changed] == [("Not today.", "Never.", "mended")]
    assert reworded(campaign) == [("Not tomorrow.", False)]


def test_what_the_table_redacted_stays_redacted(campaign: Campaign) -> None:
    take(campaign, *UNITS)
    campaign.say("redact 6")
    intake = take(campaign, *UNITS)

    assert intake.acts == 0
    assert "Not today" not in str(told(campaign))
    assert b"Not today" not in campaign.path.read_bytes()


def test_a_redacted_person_does_not_come_back_by_name(campaign: Campaign) -> None:
    take(campaign, *UNITS)
    campaign.say("redact --person Zel")
    take(campaign, *UNITS, unit("9", "Zel", "Here again.", 604))
    quoting = unit("10", "Pell", "Who was that?", 605, answers="9")
    campaign.take_in(
        [source(*UNITS, unit("9", "Zel", "Here again.", 604), quoting)], replace(ANSWERS, quotes=True)
    )

    assert any("> Here again." in event for event in told(campaign))
    assert not [event for event in told(campaign) if "Zel" in event]


def test_a_renamed_person_is_recognised_on_reimport(campaign: Campaign) -> None:
    take(campaign, *UNITS)
    campaign.say("cast Warder name=Captain")
    intake = take(campaign, *UNITS, unit("9", "Warder", "Halt again!", 604))

    assert intake.people_new == []
    assert "Captain says: “Halt again!”" in told(campaign)


def test_two_merged_people_stay_merged_on_reimport(campaign: Campaign) -> None:
    people = {**ANSWERS.people, "Guard": Person(role="npc")}
    answers = replace(ANSWERS, people=people)
    units = [*UNITS, unit("9", "Guard", "Who is there?", 604)]
    campaign.take_in([source(*units)], answers)
    campaign.say("merge Guard into Warder")
    intake = campaign.take_in([source(*units, unit("10", "Guard", "Halt!", 605))], answers)

    assert (intake.new, intake.people_new) == (1, [])
    assert told(campaign)[-2:] == ["Warder says: “Halt!”", "session 3 ends"]


def test_two_labels_that_the_answers_join_later_are_one_from_then_on(campaign: Campaign) -> None:
    apart = replace(ANSWERS, people={**ANSWERS.people, "Guard": Person(role="npc")})
    joined = replace(ANSWERS, people={**ANSWERS.people, "Warder": Person(role="npc", labels=("Guard",))})
    units = [*UNITS, unit("9", "Guard", "Who is there?", 604)]
    campaign.take_in([source(*units)], apart)
    intake = campaign.take_in([source(*units, unit("10", "Guard", "Halt!", 605))], joined)

    assert (intake.new, intake.otherwise, intake.people_new) == (1, 1, [])
    assert told(campaign)[-2] == "Warder says: “Halt!”"


def test_an_import_names_the_player_of_an_unplayed_character(tmp_path: Path) -> None:
    with begun(tmp_path / "y.retold", "cast Zel") as campaign:
        intake = take(campaign, *UNITS[:1])

        assert told(campaign)[2:4] == ["Jon enters as person 2, player", "Jon plays Zel"]
        assert (intake.people_new, intake.people_known) == ([], ["Zel"])
        campaign.say("cast Zel by=Ana")
        assert take(campaign, *UNITS[:2]).acts == 3  # the end taken back, one unit, the end


# --- what the source did ----------------------------------------------------------------------------------


def test_words_changed_at_the_source_are_reworded_once(campaign: Campaign) -> None:
    take(campaign, *UNITS)
    edited = [replace(UNITS[0], text="Never.", edited=True), *UNITS[1:]]
    intake = take(campaign, *edited)

    assert [(one.place, one.was, one.now, one.left) for one in intake.changed] == [
        ("log.txt, 1", "Not today.", "Never.", "")
    ]
    assert reworded(campaign) == [("Never.", True)]
    assert take(campaign, *edited).acts == 0
    assert take(campaign, *UNITS).acts == 1
    assert take(campaign, *edited).acts == 1
    assert reworded(campaign) == [("Never.", True), ("Not today.", True), ("Never.", True)]
    assert campaign.verify().whole


def test_a_change_of_what_was_undone_is_told(campaign: Campaign) -> None:
    take(campaign, *UNITS)
    campaign.say("undo 2")
    intake = take(campaign, *UNITS[:-1], replace(UNITS[-1], text="gone"))

    assert [one.left for one in intake.changed] == ["undone"]
    assert intake.acts == 0


def test_missing_units_are_reported_and_kept(campaign: Campaign) -> None:
    many = [unit(str(place), "", f"words {place}", place) for place in range(1, 101)]
    take(campaign, *many)
    before = told(campaign)
    intake = take(campaign, *many[:10], *many[11:])

    assert [one.words for one in intake.gone] == ["words 11"]
    assert told(campaign) == before


def test_more_than_a_few_gone_have_to_be_agreed_to(campaign: Campaign) -> None:
    take(campaign, *UNITS)
    with pytest.raises(Refused, match="1 unit of 8 that came in before are gone"):
        take(campaign, *UNITS[:2], *UNITS[3:])

    assert [one.words for one in take(campaign, *UNITS[:2], *UNITS[3:], agreed=True).gone] == [""]


def test_another_order_has_to_be_agreed_to(campaign: Campaign) -> None:
    units = [replace(one, when=None) for one in UNITS]
    campaign.take_in([source(*units, has_ids=False)], ANSWERS)
    turned = source(units[0], *reversed(units[1:]), has_ids=False)
    with pytest.raises(Refused, match="6 of 8 units that came in before are in another order"):
        campaign.take_in([turned], ANSWERS)

    assert campaign.take_in([turned], ANSWERS, agreed=True).acts == 0


def test_known_units_that_would_read_otherwise_are_counted(campaign: Campaign) -> None:
    take(campaign, *UNITS)
    people = {**ANSWERS.people, "Zel": Person(role="nobody"), "Warder": Person(role="npc")}
    intake = campaign.take_in([source(*UNITS)], replace(ANSWERS, people=people))

    assert intake.otherwise == 3
    assert intake.acts == 0


# --- older than what is there -----------------------------------------------------------------------------


def test_older_words_are_told_later_at_their_place(campaign: Campaign) -> None:
    take(campaign, *UNITS)
    other = source(
        unit("a1", "Pell", "I was there.", 0.5), unit("a2", "Zel", "So was I.", 603.5), name="other"
    )
    intake = campaign.take_in([other], ANSWERS)

    assert (intake.new, intake.told_later) == (2, 1)
    said = {line.partition(": ")[2]: line for line in script(campaign) if line.startswith("say")}
    assert "--at 6" in said["I was there."]
    assert "--at" not in said["So was I."]


@pytest.mark.parametrize(("minutes", "told_later"), [(0, 0), (-1, 1)])
def test_words_of_the_last_minute_are_not_told_later_if_their_seconds_are_unknown(
    campaign: Campaign, minutes: int, told_later: int
) -> None:
    take(campaign, *UNITS)  # the last unit is 10 seconds into its minute
    when = When(EVENING.replace(second=0) + timedelta(minutes=603 + minutes), Precision.MINUTE)
    other = source(unit("a1", "Pell", "I was there.", when=when), name="other")

    assert campaign.take_in([other], ANSWERS).told_later == told_later


def test_older_throws_have_to_be_agreed_to_as_words(campaign: Campaign) -> None:
    take(campaign, *UNITS)
    other = source(unit("a1", "Pell", "", 0.5, sort=Sort.ROLL, throws=(D20,)), name="other")
    with pytest.raises(Refused, match="1 throw is older than what the campaign has"):
        campaign.take_in([other], ANSWERS)

    intake = campaign.take_in([other], ANSWERS, agreed=True)
    assert intake.throws == {Rung.WORDS: 1}
    assert campaign.take_in([other], ANSWERS).acts == 0


def test_a_window_before_what_is_there_is_told_later(campaign: Campaign) -> None:
    take(campaign, *UNITS[4:])
    intake = take(campaign, *UNITS[:2], *UNITS[4:])

    assert (intake.new, intake.told_later) == (2, 2)
    assert take(campaign, *UNITS[:2], *UNITS[4:]).acts == 0


def test_another_program_that_records_meanwhile_stops_the_import(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "MOST_ACTS", 3)
    with Campaign.of(CampaignStore.open(campaign.path)) as other:

        def meanwhile(done: int, _total: int) -> None:
            if done < 5:
                other.say("note: me first")

        with pytest.raises(Refused, match="Another writer recorded something meanwhile"):
            campaign.take_in([source(*UNITS)], ANSWERS, tell=meanwhile)
    take(campaign, *UNITS)
    assert take(campaign, *UNITS).acts == 0
    assert campaign.verify().whole


def test_the_report_says_it_in_sentences(campaign: Campaign) -> None:
    take(campaign, *UNITS)
    edited = [replace(UNITS[0], text="Never."), *UNITS[1:3], *UNITS[4:]]
    lines = list(take(campaign, *edited, unit("9", "", "Wind.", 1600), agreed=True).lines())

    assert "New: 1. Known already: 7." in lines
    assert "New sessions: 1 (2026-03-02)." in lines
    assert "Changed at the source, log.txt, 1: “Not today.” is “Never.”." in lines
    assert "Gone from the source, place 4: “Look!”. The campaign keeps it." in lines
