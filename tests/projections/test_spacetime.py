"""A round of Space·Time, as the views and the report have it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.games.spacetime.commands.verbs import DesireOutcome
from retold.journal.vocabulary import commands as c
from retold.projections import plain
from retold.projections.reading import LineView
from retold.projections.story import transcript
from retold.projections.views import ask
from tests.projections.evening import Table, w


@pytest.fixture
def fair(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path / "fair.retold", title="The Fair")
    do = table.do
    do(c.OpenSession(title=w("At the gate")))
    do(c.Cast(who=w("Reeve"), by=w("Ana")))
    do(c.Cast(who=w("Pedlars"), by=w("Bo")))
    reeve, pedlars = table.who("Reeve"), table.who("Pedlars")
    do(c.OpenConflict(title=w("The gate"), system="spacetime", sides=((reeve,), (pedlars,))))
    do(DesireOutcome(who=reeve, text=w("The gate stays shut.")))
    do(DesireOutcome(who=pedlars, text=w("It opens.")))
    do(c.Declare(who=reeve, text=w("I bar it.")))
    do(c.Declare(who=pedlars, text=w("We sing.")))
    do(c.Draw(who=reeve, results=("T14",)))
    do(c.Draw(who=pedlars, results=("unknown:ruler:r",)))
    do(c.Narrate(who=reeve, text=w("Three bars, and my own back against them.")))
    yield table
    table.campaign.close()


def test_the_balance_has_a_history(fair: Table) -> None:
    value = ask("balance", LineView(fair.campaign, 1)).to_json()
    steps = [(step["level"], step["advantaged"] and step["advantaged"]["name"]) for step in value["history"]]

    assert steps == [("balanced", None), ("unbalanced", "Reeve")]
    assert value["open"][0]["advantaged"]["name"] == "Reeve"
    assert ask("balance", LineView(fair.campaign, 1)).sheet().rows[0].cells == (
        "The gate (1)",
        "unbalanced",
        "Reeve",
    )


def test_the_shared_deck_has_hands_on_the_table(fair: Table) -> None:
    (deck,) = ask("decks", LineView(fair.campaign, 1)).to_json()["decks"]

    assert (deck["name"], deck["owner"], deck["left"], deck["whole"]) == ("shared", None, 65, True)
    assert [hand["who"]["name"] for hand in deck["hands"]] == ["Reeve", "Pedlars"]


def test_a_party_that_has_not_told_its_part_is_named(fair: Table) -> None:
    (spot,) = ask("untold", LineView(fair.campaign, 1)).to_json()["spots"]

    assert spot["what"] == "Reeve had the advantage."
    assert [who["name"] for who in spot["who"]] == ["Pedlars"]
    fair.do(c.Narrate(who=fair.who("Pedlars"), text=w("We sing on.")))
    assert ask("untold", LineView(fair.campaign, 1)).to_json()["spots"] == []


def test_the_report_adds_no_sentence_to_a_narrated_round(fair: Table) -> None:
    told = transcript.of_session(LineView(fair.campaign, 1), 1)
    paragraphs = [one for scene in told.scenes for passage in scene.passages for one in passage.paragraphs]

    assert [(one.kind.value, one.speaker, one.manner) for one in paragraphs] == [
        ("declaration", "Reeve", "— the wish"),
        ("declaration", "Pedlars", "— the wish"),
        ("declaration", "Reeve", "declares"),
        ("declaration", "Pedlars", "declares"),
        ("narration", "Reeve", ""),
    ]
    assert [one.text for one in paragraphs[3].mechanics] == [
        "Reeve draws 1 from the spacetime deck: T14",
        "Pedlars draws 1 from the spacetime deck: Ruler of Unknown reversed",
        (
            "round 1: the balance goes from balanced to unbalanced for Reeve (win),"
            " because Reeve's T14 beats Pedlars' Ruler of Unknown reversed; telling: Reeve, Pedlars"
        ),
    ]
    assert told.head.systems == ("Space·Time",)


def test_A24_an_ally_tells_for_the_party_and_under_their_own_name(fair: Table) -> None:
    fair.do(c.Cast(who=w("Mill")))
    reeve, pedlars, mill = fair.who("Reeve"), fair.who("Pedlars"), fair.who("Mill")
    fair.do(c.OpenConflict(title=w("The bridge"), system="spacetime", sides=((reeve, mill), (pedlars,))))
    for who in (mill, pedlars):
        fair.do(c.Declare(who=who, text=w("So.")))
    fair.do(c.Draw(results=("T5", "T6")))
    fair.do(c.Narrate(who=mill, text=w("My wheel stops.")))

    spot = ask("untold", LineView(fair.campaign, 1)).to_json()["spots"][-1]
    assert [who["name"] for who in spot["who"]] == ["Pedlars"]
    told = transcript.of_session(LineView(fair.campaign, 1), 1)
    paragraphs = [one for scene in told.scenes for passage in scene.passages for one in passage.paragraphs]
    assert [(one.speaker, one.manner) for one in paragraphs[-3:]] == [
        ("Mill", "declares"),
        ("Pedlars", "declares"),
        ("Mill", ""),
    ]


def test_A24_a_party_leaves_by_the_word_of_one() -> None:
    line = plain.line(
        "spacetime.party-left",
        {"who": 1, "people": [0, 1], "text": {"~": 0}},
        ["Enough."].__getitem__,
        {0: "Reeve", 1: "Mill"},
        conflict=1,
        known=True,
    )

    assert line.startswith("Mill concedes, and Reeve + Mill leave: “Enough.”")
