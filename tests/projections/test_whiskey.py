"""How a fight of Whiskey is seen and told."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.games.whiskey.commands import Check, Clash
from retold.games.whiskey.commands.verbs import Declare
from retold.games.whiskey.notation import doing
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.events import Setting
from retold.projections.reading import LineView
from retold.projections.story import transcript
from retold.projections.views import VIEWS, ask, table_changes
from retold.projections.views.clashes import Clashes
from retold.projections.views.sheet import Seen
from retold.projections.views.tracks import Health
from tests.projections.evening import Table, w

NUMBERS = {"combat": "10", "base": "4", "die": "1", "hp": "12"}


def ford(path: Path) -> Table:
    """Runa and Tobin go for Sling, whom Pike guards; Hook stands on the bank."""
    table = Table(path)
    table.do(c.OpenSession(title=w("The Ford"), date="2026-03-14"))
    for name, player in (("Runa", "Ana"), ("Tobin", "Ben"), ("Pike", None), ("Sling", None), ("Hook", None)):
        table.do(
            c.Cast(
                who=w(name), system="whiskey", by=None if player is None else w(player), values=dict(NUMBERS)
            )
        )
    sides = (people(table, "Runa", "Tobin"), people(table, "Pike", "Sling", "Hook"))
    table.do(c.OpenConflict(title=w("The ford"), system="whiskey", sides=sides))
    return table


def people(table: Table, *names: str) -> tuple[int, ...]:
    return tuple(map(table.who, names))


def declared(table: Table) -> None:
    runa, tobin, pike, sling, hook = people(table, "Runa", "Tobin", "Pike", "Sling", "Hook")
    table.do(Declare(who=runa, act="engage", target=sling, text=w("Past the pike and at him.")))
    table.do(Declare(who=tobin, act="engage", target=pike))
    table.do(Declare(who=pike, act="guard", target=sling))
    table.do(Declare(who=sling, act="other", text=w("Another stone.")))
    table.do(Declare(who=hook, act="engage", target=tobin))


def fought(table: Table) -> None:
    declared(table)
    table.do(Clash())
    runa, tobin = people(table, "Runa", "Tobin")
    table.do(Check(who=runa, results=("6H", "3")))
    table.do(Check(who=tobin, results=("2S", "4")))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return ford(tmp_path / "ford.retold")


def seen(table: Table, view: str) -> Seen:
    return ask(view, LineView(table.campaign, 1))


def clashes(table: Table) -> Clashes:
    found = seen(table, "clashes")
    assert isinstance(found, Clashes)
    return found


def test_before_they_are_known_the_picture_shows_intents(table: Table) -> None:
    declared(table)

    (fight,) = clashes(table).open
    assert fight.picture == (
        "Runa → engage Sling",
        "Tobin → engage Pike",
        "Pike → guard Sling",
        "Sling → other",
        "Hook → engage Tobin",
    )
    assert fight.clashes == ()


def sealed(table: Table) -> None:
    """Runa and Pike face down, Hook openly; Tobin and Sling stand."""
    runa, tobin, pike, sling, hook = people(table, "Runa", "Tobin", "Pike", "Sling", "Hook")
    for who, act, target, text in (
        (runa, "engage", sling, w("Past the pike and at him.")),
        (pike, "guard", sling, None),
    ):
        fields = {"who": who, "act": act, "target": target, "text": text, "sealed": True}
        table.do(Declare.of(fields))
    table.do(Declare(who=hook, act="engage", target=tobin))
    for who in (tobin, sling):
        table.do(Declare(who=who, act="stand"))


def test_a_picture_shows_that_a_declaration_is_sealed(table: Table) -> None:
    sealed(table)

    (fight,) = clashes(table).open
    assert fight.picture == (
        "Hook → engage Tobin",
        "Tobin → stand",
        "Sling → stand",
        "Runa → sealed",
        "Pike → sealed",
    )
    assert seen(table, "pending").to_json()["waiting"] == []


def test_the_report_tells_what_was_sealed_once_it_is_revealed(table: Table) -> None:
    sealed(table)
    before = transcript.of_session(LineView(table.campaign, 1), 1).to_json()
    table.do(c.Reveal(text=w("They look at each other.")))

    told = transcript.of_session(LineView(table.campaign, 1), 1)
    assert "Past the pike" not in str(before)
    said = [
        (one.speaker, one.manner, one.text)
        for scene in told.scenes
        for passage in scene.passages
        for one in passage.paragraphs
        if one.text
    ]
    assert said == [
        ("Runa", "engages Sling", "Past the pike and at him."),
        (None, "", "They look at each other."),
    ]


def test_a_declared_clash_shows_pairings_and_free_fighters(table: Table) -> None:
    declared(table)
    table.do(Clash())

    (fight,) = clashes(table).open
    # Hook keeps Tobin from Pike, so that Pike keeps Runa from Sling.
    assert fight.picture == (
        "Pike ─── Runa (Pike checks)",
        "Hook ─── Tobin (Hook checks)",
        "Sling → other, freed (Runa)",
    )
    assert [row.cells[1:] for row in clashes(table).sheet().rows] == [
        ("Runa", "engage Sling, stopped (Pike)", "Pike", "Pike checks"),
        ("Tobin", "engage Pike, stopped (Hook)", "Hook", "Hook checks"),
        ("Pike", "guard Sling, freed (Tobin)", "Runa", "Pike checks"),
        ("Sling", "other, freed (Runa)", "-", "-"),
        ("Hook", "engage Tobin, unopposed", "Tobin", "Hook checks"),
    ]
    # Each intent has its row, and below the rows stands who is on whom, with the title once.
    assert clashes(table).sheet().notes == (
        f"1: {fight.title}, phase 1",
        "Pike ─── Runa (Pike checks)",
        "Hook ─── Tobin (Hook checks)",
    )


def test_several_on_one_stand_beneath_each_other(table: Table) -> None:
    runa, pike, sling, hook = people(table, "Runa", "Pike", "Sling", "Hook")
    for foe in (pike, sling, hook):
        table.do(Clash(one=runa, other=foe))
    table.do(Check(who=runa, whom=sling, results=("6H", "3")))

    assert clashes(table).open[0].picture == (
        "Runa ─┬─ Pike (Runa checks)",
        "      ├─ Sling (Runa won)",
        "      └─ Hook (Runa checks)",
    )


def test_either_may_check_where_the_table_chooses(table: Table) -> None:
    table.do(c.SetOption(values={"checker": "choose"}))
    table.do(Clash(one=table.who("Runa"), other=table.who("Pike")))

    assert clashes(table).open[0].picture == ("Runa ─── Pike (either checks)",)


def test_clashes_are_json(table: Table) -> None:
    fought(table)

    json = seen(table, "clashes").to_json()
    assert json["open"][0]["phase"] == 1
    assert json["open"][0]["intents"][3] == {
        "who": {"id": table.who("Sling"), "name": "Sling"},
        "act": "other",
        "target": None,
        "outcome": "freed",
        "by": [{"id": table.who("Runa"), "name": "Runa"}],
    }
    assert json["open"][0]["clashes"][0]["winner"] == {"id": table.who("Runa"), "name": "Runa"}


def test_health_is_what_is_left_and_who_is_out(table: Table) -> None:
    fought(table)
    fallen = Setting(person=table.who("Sling"), what="hp", op="=", value=0)
    table.do(c.Rule(sets=(fallen,), text=w("He slipped.")))

    health = seen(table, "health")
    assert isinstance(health, Health)
    assert {row.cells[0]: row.cells[2:] for row in health.sheet().rows} == {
        "Runa": ("12/12", "fit"),
        "Tobin": ("4/12", "fit"),
        "Pike": ("5/12", "fit"),
        "Sling": ("0/12", "out of the fight"),
        "Hook": ("12/12", "fit"),
    }


def test_decks_show_the_half_in_play(table: Table) -> None:
    fought(table)

    rows = [row.cells[1:] for row in seen(table, "decks").sheet().rows]
    assert rows == [
        ("players, hearts and spades in play", "24/26", "-", "2♠ 6♥"),
        ("players, diamonds and clubs at rest", "26/26", "-", "-"),
    ]


def test_any_participant_tells_a_phase_once(table: Table) -> None:
    fought(table)
    assert [row.cells[2] for row in seen(table, "untold").sheet().rows] == [
        "Runa hit Pike hard, and Hook hit Tobin hard."
    ]

    table.do(c.Narrate(who=table.who("Pike"), text=w("I held the bank.")))
    assert seen(table, "untold").sheet().rows == ()


def test_what_was_not_told_stays_so_once_new_intents_are_declared(table: Table) -> None:
    fought(table)
    table.do(Declare(who=table.who("Runa"), act="stand"))
    table.do(c.Narrate(who=0, text=w("On it goes.")))

    assert len(seen(table, "untold").sheet().rows) == 1


def test_a_phase_stays_untold_after_the_next_sealed_intent(table: Table) -> None:
    fought(table)
    (runa,) = people(table, "Runa")
    table.do(Declare.of({"who": runa, "act": "stand", "sealed": True}))
    table.do(c.Narrate(who=runa, text=w("Too late to tell that.")))

    assert len(seen(table, "untold").to_json()["spots"]) == 1


def test_a_check_outside_a_clash_is_told_by_its_roller(table: Table) -> None:
    table.do(Check(who=table.who("Runa"), x=3, y=12, results=("4H", "2"), text=w("I listen.")))
    assert [row.cells[2] for row in seen(table, "untold").sheet().rows] == ["Runa did not succeed."]

    table.do(c.Narrate(who=table.who("Runa"), text=w("Water, and only water.")))
    assert seen(table, "untold").sheet().rows == ()


def test_the_report_tells_intents_as_they_were_declared(table: Table) -> None:
    fought(table)
    table.do(c.Narrate(who=0, text=w("The bank holds.")))

    told = transcript.of_session(LineView(table.campaign, 1), 1)
    (passage,) = [passage for scene in told.scenes for passage in scene.passages if passage.conflict]
    said = [(p.speaker, p.manner, p.text) for p in passage.paragraphs if p.text]
    assert ("Runa", "engages Sling", "Past the pike and at him.") in said
    assert ("Sling", "acts", "Another stone.") in said


@pytest.mark.parametrize(
    ("act", "target", "words"),
    [
        ("engage", "Sling", "engages Sling"),
        ("guard", "Sling", "guards Sling"),
        ("guard", None, "guards the ground"),
        ("advance", None, "advances"),
    ],
)
def test_an_act_is_worded_in_the_third_person(act: str, target: str | None, words: str) -> None:
    assert doing(act, target) == words


def test_both_views_are_among_those_that_can_change() -> None:
    assert {"clashes", "health"} <= {name for name, view in VIEWS.items() if view.of_table is not None}


def test_what_a_phase_changed_is_named(table: Table) -> None:
    before = ask("health", LineView(table.campaign, 1))
    fought(table)
    after = ask("health", LineView(table.campaign, 1))

    assert before != after
    assert table_changes(table.writer.table, table.writer.table) == ()
