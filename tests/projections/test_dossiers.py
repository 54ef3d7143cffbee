"""Everything about one, as somebody may know it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retold.journal.names import Unknown
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.vocabulary import commands as c
from retold.projections.dossiers import Dossiers, MatterKnown, PersonKnown, find_one, heading, sections
from retold.projections.prose.phrases.languages import language
from retold.projections.reading import LineView, cached_projection
from retold.projections.views.mentions import Names
from tests.projections.evening import ASIDE, SECRET, Table, w


def known(table: Table, name: str, eyes: str = "gm") -> PersonKnown | MatterKnown:
    reading = LineView(table.campaign, 1).called(eyes)
    return find_one(reading, Dossiers(reading), name)


def lines(table: Table, name: str, eyes: str = "gm") -> dict[str, tuple[str, ...]]:
    return {title: tuple(one.text for one in told) for title, told in sections(known(table, name, eyes))}


def test_a_dossier_lists_appearances_and_current_state(table: Table) -> None:
    found = lines(table, "Zel")

    assert found["Who"] == ("A smuggler, lately caught",)
    assert found["Played by"] == ("Jon (s1\u2013s2)",)
    assert found["Sessions"] == ("s1 High Water (2026-03-14)", "s2 Low Water (2026-03-21)")
    assert found["Conflicts"] == (
        "s1 · Out by the stair (Bruise): ended, Guards won",
        "s2 · Zel vs Guards (Bruise): open",
    )
    assert found["Said last"] == ("s1 · Not today.",)
    assert found["On the sheet"][0].startswith("Bruise: traits (clubs 4, melee 2), ")
    assert "legacy (Bruise): 1" in found["Now"]
    assert heading(known(table, "Zel")) == "Zel · character · played by Jon"


def test_a_players_dossier_lists_characters_and_quotes(table: Table) -> None:
    found = lines(table, "Jon")

    assert found["Plays"] == ("Zel (s1\u2013s2)",)
    assert found["Worth quoting"] == ("s1 · “I roll for dignity.”",)
    assert lines(table, "Kit") == {}


def test_who_led_was_there(table: Table) -> None:
    assert lines(table, "gm")["Played by"] == ("Rana (s1\u2013s2)",)


def test_what_is_hidden_is_nobodys_to_find(table: Table) -> None:
    table.do(c.Note(about=table.who("Zel"), text=w(SECRET)), see="gm")
    table.do(c.Note(about=table.who("Zel"), text=w(ASIDE)), see=(table.who("Jon"),))
    table.do(c.KeepThing(what=w("The tide table"), text=w("March is gone.")), see="gm")
    table.do(c.Say(who=table.who("Zel"), text=w("Where is the tide table?")))

    told = {eyes: json.dumps(known(table, "Zel", eyes).to_json()) for eyes in ("gm", "Jon", "table")}

    assert [SECRET in told[eyes] for eyes in told] == [True, False, False]
    assert [ASIDE in told[eyes] for eyes in told] == [True, True, False]
    assert lines(table, "tide")["Mentioned"] == ("s2 · Zel: Where is the tide table?",)
    with pytest.raises(Unknown, match="There is no “tide” here"):
        known(table, "tide", "Jon")


def test_a_thread_says_how_it_was_closed(table: Table) -> None:
    table.do(c.KeepThread(what=w("Who paid"), text=w("Two coins.")))
    table.do(c.KeepThread(what=table.writer.head.position, done=True))

    assert lines(table, "who paid") == {"Notes": ("s2 · Two coins.",), "Closed": ("s2 · without a word",)}
    assert heading(known(table, "who paid")) == "Who paid · thread · closed"


def test_a_person_precedes_a_thing_of_the_same_name(table: Table) -> None:
    table.do(c.KeepThing(what=w("guards"), text=w("A game of cards.")))

    assert isinstance(known(table, "Guards"), PersonKnown)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Through the salt-gate, at dusk", ["salt-gate"]),
        ("THE SALT  GATE's hinges; Zoé waits", ["SALT  GATE", "Zoé"]),
        ("Salt Gates, Zoeys and saltgate", []),
        ("The Salt Gate Inn by the Salt Gate", ["Salt Gate Inn", "Salt Gate"]),
    ],
)
def test_names_are_found_in_what_is_said_as_names_are(text: str, found: list[str]) -> None:
    names = Names({1: ["The Salt Gate"], 2: ["Zoe"], 3: ["Salt Gate Inn"]})

    assert [text[one.start : one.end] for one in names.found(text)] == found


def test_changes_are_told_in_each_language_whatever_is_cached(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_projection, "BEYOND", 1)
    table.campaign.snapshots = Snapshots(tmp_path / "a.cache")
    table.do(c.Cast(who=table.who("Zel"), name=w("Zela")))
    table.do(c.End(what="session"))
    table.do(c.OpenSession(title=w("Ebb")))

    def changes(code: str) -> list[str]:
        reading = LineView(table.campaign, 1)
        zel = find_one(reading, Dossiers(reading, language=language(code)), "Zela")
        assert isinstance(zel, PersonKnown)
        return [changed.told for changed in zel.changes]

    told = [changes(code) for code in ("en", "de", "en", "de")]

    assert told[0]
    assert told == [told[0], told[1], told[0], told[1]]
    assert not set(told[0]) & set(told[1])
