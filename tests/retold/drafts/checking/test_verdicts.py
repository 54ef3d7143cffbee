"""Sentences held against an evening with secrets, for the game master, the table and one player."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.check import HERE, SHARES, counted, listed, verdicts
from retold.drafts.checking import Checked, Checker, Verdict
from retold.projections.reading import LineView
from tests.retold.drafts.played import Table, played

FIGHT = (
    'conflict "At the rail" bruise Zel vs Ana: the price of oil',
    "draw Zel clubs+melee = QH QD 10S 7C 4C 3D",
    "draw Ana clubs+melee = 9H 8D 2S 3C",
    "end conflict",
)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    table = played(tmp_path_factory.mktemp("checked"), secrets=True)
    table.say(*FIGHT)
    yield table
    table.campaign.close()


@pytest.fixture(scope="module")
def checkers(evening: Table) -> dict[str, Checker]:
    reading = LineView(evening.campaign, evening.campaign.mainline())
    return {whose: Checker(reading.called(whose)) for whose in ("gm", "table", "Ana")}


def verdict(checker: Checker, text: str) -> Checked:
    (checked,) = checker.paragraph(text)
    return checked


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Zel ran for the boat and never looked back.", Verdict.TOLD),
        ("Ana cut the rope behind him.", Verdict.TOLD),
        ("“Push off,” said Zel, “before they count us!”", Verdict.TOLD),
        ("Zel beat Ana at the rail.", Verdict.TOLD),
        ("Zel was tired.", Verdict.KNOWN),
        ("Sergeant Lowe stood on the quay.", Verdict.NOT_IN_RECORD),
        ("Zel-2 ran away.", Verdict.NOT_IN_RECORD),
        ("Zel killed Ana.", Verdict.NOT_IN_RECORD),
        ("Forty boats followed Zel.", Verdict.NOT_IN_RECORD),
        ("Zel buried a copper kettle behind the chapel.", Verdict.NOT_IN_RECORD),
        ("Ana beat Zel at the rail.", Verdict.AGAINST),
        ("They reached the far bank first, and only afterwards Ana cut the rope.", Verdict.AGAINST),
        ("Zel had already come to the far bank when Ana cut the rope.", Verdict.AGAINST),
        ("Zel cut the rope behind him.", Verdict.AGAINST),
        ("Zel never beat Ana.", Verdict.AGAINST),
        ("Ana went ashore first.", Verdict.AGAINST),
        ("Ana cut the rope, and then Zel ran for the boat.", Verdict.AGAINST),
        ("Before Zel ran for the boat, they were at the far bank.", Verdict.AGAINST),
        ("On the far bank Zel ran for the boat.", Verdict.AGAINST),
        ("After Zel ran for the boat, they were at the far bank.", Verdict.TOLD),
        ("“Push off, before they count us!” said Ana.", Verdict.AGAINST),
        ("Ana wanted to kill Zel.", Verdict.CANNOT_TELL),
        ("Ana dreamt that Zel had drowned.", Verdict.CANNOT_TELL),
        ("They say that Zel killed a captain.", Verdict.CANNOT_TELL),
        ("Did Ana kill Zel?", Verdict.CANNOT_TELL),
        ("If Ana had killed Zel, the ferry would have stayed.", Verdict.CANNOT_TELL),
        ("“Ana killed him,” said Zel.", Verdict.CANNOT_TELL),
        ("Ana did not kill anybody.", Verdict.CANNOT_TELL),
        ("Ana schlug Zel mit dem langen Ruder.", Verdict.CANNOT_TELL),
        ("Something rustled.", Verdict.CANNOT_TELL),
        ("Ana severed the cord before Zel sprinted to the vessel.", Verdict.AGAINST),
        ("Zel sprinted for the vessel before Ana severed the cord.", Verdict.KNOWN),
        ("Ana plans to sever the cord before Zel sprints to the vessel.", Verdict.CANNOT_TELL),
        ("Ana cut three ropes behind him.", Verdict.AGAINST),
        ("In der Nacht lagen Boote am Ufer.", Verdict.CANNOT_TELL),
    ],
)
def test_each_sentence_has_its_verdict(checkers: dict[str, Checker], text: str, found: Verdict) -> None:
    assert verdict(checkers["gm"], text).verdict == found


@pytest.mark.parametrize(
    ("text", "table", "ana"),
    [
        ("The ferryman is paid by the captain of the watch.", Verdict.NOT_FOR_READER, Verdict.NOT_FOR_READER),
        ("Morvane was waiting.", Verdict.NOT_FOR_READER, Verdict.NOT_FOR_READER),
        ("Ana's compass pointed south.", Verdict.NOT_FOR_READER, Verdict.TOLD),
        ("Ana cut the rope behind him.", Verdict.TOLD, Verdict.TOLD),
    ],
)
def test_a_secret_is_not_for_those_who_do_not_know_it(
    checkers: dict[str, Checker], text: str, table: Verdict, ana: Verdict
) -> None:
    assert verdict(checkers["table"], text).verdict == table
    assert verdict(checkers["Ana"], text).verdict == ana
    assert verdict(checkers["gm"], text).verdict == Verdict.TOLD or "Morvane" in text


def test_one_word_that_is_nowhere_open_is_enough_where_nothing_tells_the_sentence(
    checkers: dict[str, Checker],
) -> None:
    assert verdict(checkers["table"], "A plank creaked.").verdict == Verdict.NOT_FOR_READER
    assert verdict(checkers["table"], "A rope creaked.").verdict == Verdict.CANNOT_TELL
    assert verdict(checkers["gm"], "A plank creaked.").verdict == Verdict.CANNOT_TELL


def test_a_secret_is_found_in_other_words(checkers: dict[str, Checker]) -> None:
    assert verdict(checkers["table"], "Somebody had bribed the ferryman.").verdict == Verdict.NOT_FOR_READER
    assert verdict(checkers["table"], "The ferryman was quiet.").verdict == Verdict.CANNOT_TELL
    assert verdict(checkers["gm"], "Somebody had bribed the ferryman.").verdict == Verdict.CANNOT_TELL


def test_nothing_is_the_opposite_of_what_was_recorded(tmp_path: Path) -> None:
    table = played(tmp_path, secrets=False)
    table.say(
        "narrate gm: The hatch of the ferry opens.", "narrate Zel: My sister has a boat with a red sail."
    )
    checker = Checker(LineView(table.campaign, table.campaign.mainline()).called("gm"))

    assert verdict(checker, "The hatch stayed shut.").verdict == Verdict.AGAINST
    assert verdict(checker, "His brother has a boat with a red sail.").verdict == Verdict.AGAINST
    assert verdict(checker, "His sister has a boat with a red sail.").verdict == Verdict.TOLD
    table.campaign.close()


def test_a_person_who_alone_was_told_stays_secret_when_all_know_it(tmp_path: Path) -> None:
    table = played(tmp_path, secrets=False)
    table.say(
        "narrate gm --to Ana: The lamp on the bank is a false one.", "say Zel: The lamp is a false one!"
    )
    reading = LineView(table.campaign, table.campaign.mainline())
    checker, anas = (Checker(reading.called(whose)) for whose in ("table", "Ana"))

    assert verdict(checker, "Ana already knew about the false lamp.").verdict == Verdict.NOT_FOR_READER
    assert verdict(anas, "Ana already knew about the false lamp.").verdict != Verdict.NOT_FOR_READER
    assert verdict(checker, "“The lamp is a false one!” said Zel.").verdict == Verdict.TOLD
    table.campaign.close()


def test_a_reader_who_asks_alone_is_never_told_what_is_secret(evening: Table) -> None:
    checker = Checker(LineView(evening.campaign, evening.campaign.mainline()).called("table"), secrets=False)

    for text in (
        "The ferryman is paid by the captain of the watch.",
        "Morvane was waiting.",
        "A plank creaked.",
    ):
        assert verdict(checker, text).verdict != Verdict.NOT_FOR_READER
    assert checker.heading("The drowned ledger").verdict == Verdict.CANNOT_TELL


def test_a_contradiction_names_the_event_and_who_tells_it(checkers: dict[str, Checker]) -> None:
    found = verdict(checkers["gm"], "Zel cut the rope behind him.")

    (event,) = found.events
    assert event.startswith("e")
    assert found.why == "Ana: I cut the rope behind him, and the ferry swings out."


def test_a_heading_tells_nothing(checkers: dict[str, Checker]) -> None:
    table = checkers["table"]

    assert table.heading("The far bank").verdict == Verdict.TOLD
    assert table.heading("Zel kills Ana").verdict == Verdict.CANNOT_TELL
    assert table.heading("The drowned ledger").verdict == Verdict.NOT_FOR_READER


def test_the_measured_sentences_reach_their_goals_but_for_one(tmp_path: Path) -> None:
    found = verdicts(tmp_path, listed(HERE / "sentences.toml"))

    for share in SHARES:
        result = counted(share, found)
        if share.at_most:
            assert result.percent <= share.goal, share.what
        else:
            assert result.found + 1 >= share.goal * result.of / 100, share.what
