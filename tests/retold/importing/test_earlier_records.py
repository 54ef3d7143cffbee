"""A log comes in again where an earlier release took it in: nothing twice, and no recorded word is lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from retold.campaign import Campaign
from retold.importing.comparing import SameEvening
from retold.importing.intake import Intake
from retold.journal.store.copies.dump import load
from retold.journal.store.writing.campaign import CampaignStore
from retold.sources import Unit, read
from retold.sources.answers import Person, read_answers
from retold.sources.dice import Rung, Throw
from retold.sources.unit import Sort
from tests.retold.importing.given import ANSWERS, at, begun, numbered, source, told, unit

KEPT = Path(__file__).parents[2] / "data" / "earlier-imports"
LOGS = sorted(path.name.removesuffix(".dump.jsonl") for path in KEPT.glob("*.dump.jsonl"))
LATER = {
    "2026-03-01.log": "[20:30] <Zel> And that is all.",
    "clock.txt": "20:30 Zel: And that is all.",
    "dateline.txt": "Zel: And that is all.",
    "headings.txt": "20:30 Zel: And that is all.",
    "irssi.log": "00:30 <Zel> And that is all.",
    "phone-ios.txt": "[3/13/26, 8:30:10 PM] Zel: And that is all.",
    "phone.txt": "3/13/26, 20:30 - Zel: And that is all.",
}
"""A line more of each log of lines."""
FORMATS = dict.fromkeys(("clock.txt", "dateline.txt", "headings.txt"), "plain")
"""Formats that no reader is sure of."""
ASKED = {"clock.txt": ["Waiter"], "phone-ios.txt": ["Pell", "Mo"], "phone.txt": ["+49 151"]}
"""Names that earlier releases did not read, or read with marks of direction; they are asked about again."""


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with begun(tmp_path / "x.retold") as campaign:
        yield campaign


def of(name: str, folder: Path) -> Campaign:
    with (KEPT / f"{name}.dump.jsonl").open("rb") as dump:
        load(dump, folder / "salt.retold")
    return Campaign.of(CampaignStore.open(folder / "salt.retold"))


def taken_again(campaign: Campaign, name: str, log: Path) -> Intake:
    answers = read_answers((KEPT / f"{name}.toml").read_text("utf-8"), f"{name}.toml")
    people = {label: Person(plays=label) for label in ASKED.get(name, ())}
    began = "2026-03-01" if name == "clock.txt" else ""
    answers = replace(answers, people={**people, **answers.people}, began=began)
    return campaign.take_in([read(log, format=FORMATS.get(name, ""), hints=answers.hints)], answers)


@pytest.mark.parametrize("name", LOGS)
def test_a_log_that_an_earlier_release_took_in_adds_and_changes_nothing(name: str, tmp_path: Path) -> None:
    with of(name, tmp_path) as campaign:
        before = told(campaign)
        intake = taken_again(campaign, name, KEPT / name)

        assert (intake.new, intake.acts, intake.changed, intake.gone) == (0, 0, [], [])
        assert intake.known > 3
        assert told(campaign) == before


@pytest.mark.parametrize("name", LATER)
def test_a_log_that_grew_since_an_earlier_release_adds_its_end(name: str, tmp_path: Path) -> None:
    grown = tmp_path / name
    grown.write_bytes((KEPT / name).read_bytes() + f"{LATER[name]}\n".encode())
    with of(name, tmp_path) as campaign:
        before = told(campaign)
        intake = taken_again(campaign, name, grown)

        assert (intake.new, intake.told_later, intake.changed, intake.gone) == (1, 0, [], [])
        assert [one for one in before if one not in told(campaign)] == []
        assert sum("And that is all." in one for one in told(campaign)) == 1


def test_a_day_answered_after_an_earlier_release_tells_nothing_twice(campaign: Campaign) -> None:
    units = numbered([unit(f"a{place}", "Zel", f"Words of mine, {place}.") for place in range(6)])
    campaign.take_in([source(*units, has_ids=False)], ANSWERS)
    timed = [replace(one, when=at(place)) for place, one in enumerate(units)]
    intake = campaign.take_in([source(*timed, has_ids=False)], ANSWERS)

    assert (intake.new, intake.acts, intake.gone) == (0, 0, [])


def test_timed_units_that_say_what_an_undated_log_said_have_to_be_agreed_to(campaign: Campaign) -> None:
    units = numbered([unit(f"a{place}", "Zel", f"Words of mine, {place}.") for place in range(6)])
    campaign.take_in([source(*units, has_ids=False)], ANSWERS)
    timed = [replace(one, key=f"b{place}", when=at(place)) for place, one in enumerate(units)]
    with pytest.raises(SameEvening):
        campaign.take_in([source(*timed, name="other.txt", has_ids=False)], ANSWERS)


D8 = Throw(Rung.TOTAL, "1d8+1 = 5", "1d8+1", (), 5)


def test_a_throw_that_came_in_as_words_keeps_them(campaign: Campaign) -> None:
    hook = unit("1", "Zel", "Hook: 1d8+1 = 5: Hook", 0, sort=Sort.ASIDE)
    thrown = replace(hook, sort=Sort.ROLL, text="Hook", throws=(replace(D8, rung=Rung.WORDS),))
    campaign.take_in([source(thrown)], ANSWERS)
    before = told(campaign)
    intake = campaign.take_in([source(replace(thrown, throws=(D8,)))], ANSWERS)

    assert (intake.acts, intake.changed) == (0, [])
    assert told(campaign) == before


def test_words_with_a_throw_that_is_known_now_keep_it(campaign: Campaign) -> None:
    whole = unit("1", "Zel", "Hook! 1d8+1 = 5 and 1d4 = 3", 0)
    campaign.take_in([source(whole)], ANSWERS)
    throws = (D8, Throw(Rung.TOTAL, "1d4 = 3", "1d4", (), 3))
    intake = campaign.take_in([source(replace(whole, text="Hook!", throws=throws))], ANSWERS)

    assert (intake.acts, intake.changed) == (0, [])


CARD = "Attack: Sword (melee)\nIt is long and cold."


@pytest.mark.parametrize("recorded", [CARD, CARD.replace("\n", ": ")])
def test_a_card_that_came_in_as_one_act_stays_one(campaign: Campaign, recorded: str) -> None:
    card = unit("1", "", recorded, 0, sort=Sort.TOLD)
    campaign.take_in([source(card)], ANSWERS)
    intake = campaign.take_in([source(replace(card, sort=Sort.CARD, text=CARD))], ANSWERS)
    assert (intake.acts, intake.changed) == (0, [])

    edited = replace(card, sort=Sort.CARD, text=CARD.replace("cold", "old"))
    intake = campaign.take_in([source(edited)], ANSWERS)
    assert [one.now for one in intake.changed] == [edited.text]
    assert campaign.take_in([source(edited)], ANSWERS).acts == 0


def test_words_behind_a_throw_that_an_edit_added_are_recorded(campaign: Campaign) -> None:
    first = unit("1", "Zel", "I strike.", 0)
    campaign.take_in([source(first)], ANSWERS)
    order = ("I strike.", D8, "And I run.")
    edited = replace(first, text="I strike.\nAnd I run.", throws=(D8,), order=order)
    intake = campaign.take_in([source(edited)], ANSWERS)

    assert [one.now for one in intake.changed] == [edited.text]


def test_a_quote_above_a_card_is_not_its_title(campaign: Campaign) -> None:
    asked = unit("1", "Zel", "What is that", 0)
    card = unit("2", "Pell", CARD, 1, sort=Sort.CARD, answers="1", attached=("[picture: map.png]",))
    campaign.take_in([source(asked, card)], replace(ANSWERS, quotes=True))

    assert told(campaign)[-3:-1] == [
        "Pell narrates: “> Zel: What is that / Attack: Sword (melee) / [picture: map.png]”",
        "aside by Pell: “It is long and cold.”",
    ]


def test_game_masters_in_another_order_are_not_seated_again(campaign: Campaign) -> None:
    units: list[Unit] = [unit("1", "Mary", "Rain.", 0), unit("2", "Bo", "Wind.", 1)]
    campaign.take_in([source(units[0])], replace(ANSWERS, game_master=("Mary", "Bo")))
    intake = campaign.take_in([source(*units)], replace(ANSWERS, game_master=("Bo", "Mary")))

    assert intake.acts == 3  # the session's end taken back, one unit, the end


def test_a_block_that_is_left_out_later_is_not_gone(campaign: Campaign) -> None:
    order = (D8, "And I run.", replace(D8, words="1d8+1 = 6", total=6), "Far.")
    block = unit("2", "Pell", "And I run.\nFar.", 1, sort=Sort.ROLL, throws=(order[0], order[2]), order=order)
    others = [unit(str(place), "Zel", f"words {place}", place - 3) for place in range(3, 6)]
    campaign.take_in([source(block, *others)], ANSWERS)
    people = {**ANSWERS.people, "Pell": replace(ANSWERS.people["Pell"], role="nobody")}
    intake = campaign.take_in([source(block, *others)], replace(ANSWERS, people=people))

    assert (intake.gone, intake.otherwise) == ([], 1)
