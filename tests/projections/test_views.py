"""What the views see."""

from __future__ import annotations

import json
from typing import Any

import pytest

from retold.games.bruise import commands as b
from retold.games.bruise.state import game_state
from retold.journal.refused import Refused
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from retold.projections.reading import EVERYBODY, LineView
from retold.projections.views import VIEWS, ask, table_changes
from tests.projections.evening import Table, w


def seen(table: Table, view: str, at: int | None = None) -> dict[str, Any]:
    return ask(view, LineView(table.campaign, 1, at)).to_json()


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_is_json_and_a_table_at_every_moment(table: Table, name: str) -> None:
    for at in (1, 5, 20, 32, table.writer.head.position):
        value = ask(name, LineView(table.campaign, 1, at))
        sheet = value.sheet()

        assert json.loads(json.dumps(value.to_json())) == value.to_json()
        assert (value.to_json()["view"], value.to_json()["version"]) == (name, 1)
        assert all(len(row.cells) == len(sheet.columns) for row in sheet.rows)
        assert len({row.key for row in sheet.rows}) == len(sheet.rows)
        assert ask(name, LineView(table.campaign, 1, at)) == value


def test_an_unknown_view_is_refused(table: Table) -> None:
    with pytest.raises(Refused, match="There are: cast, points"):
        ask("weather", LineView(table.campaign, 1))


def test_decks_say_where_every_card_is(table: Table) -> None:
    jons, gms = seen(table, "decks")["decks"]

    assert jons["owner"]["name"] == "Jon"
    assert (jons["left"], jons["size"], jons["whole"]) == (50, 52, True)
    assert jons["hands"] == [{"who": {"id": 1, "name": "Zel"}, "cards": ["KH", "3D"]}] or jons["hands"][0][
        "cards"
    ] == ["3D", "KH"]
    assert gms["hands"][0]["who"]["name"] == "Guards"


def test_a_deck_that_lost_a_card_says_so(table: Table) -> None:
    broken = table.writer.table
    pile = game_state(broken).piles[table.who("Jon")]
    pile.out["KH"] = ("1", "4")
    decks = VIEWS["decks"].of_table
    assert decks is not None

    assert decks(broken).sheet().notes == ("Jon's (Bruise): a card is in two places or nowhere.",)


def test_points_are_karma_and_legacy(table: Table) -> None:
    purses = {(one["who"]["name"], one["what"]): one for one in seen(table, "points")["purses"]}

    assert purses["Zel", "legacy"]["value"] == 1
    assert (purses["Zel", "destiny"]["value"], purses["Zel", "destiny"]["most"]) == (5, 5)


def test_the_cast_has_players_phrases_and_sheets(table: Table) -> None:
    zel = next(one for one in seen(table, "cast")["cast"] if one["name"] == "Zel")

    assert zel["player"]["name"] == "Jon"
    assert zel["phrase"] == "A smuggler, lately caught"
    assert zel["sheets"]["bruise"]["traits"] == {"clubs": 4, "melee": 2}


def test_sessions_count_what_was_recorded(table: Table) -> None:
    first, second = seen(table, "sessions")["sessions"]

    assert (first["title"], first["date"], first["conflicts"], first["closed"]) == (
        "High Water",
        "2026-03-14",
        1,
        True,
    )
    assert (second["session"], second["closed"]) == (2, False)
    assert first["seconds"] > 0


def test_a_player_counts_only_what_they_may_see(table: Table) -> None:
    mine = seen(table, "sessions")["sessions"][0]
    theirs = ask("sessions", LineView(table.campaign, 1, viewer=EVERYBODY)).to_json()["sessions"][0]

    assert mine["events"] - theirs["events"] == 2
    assert theirs["first"] != mine["first"]


def test_pending_is_what_the_table_must_rule(table: Table) -> None:
    table.do(c.Draw(who=table.who("Zel"), count=1, results=("9H",)))
    table.do(c.Draw(who=table.who("Guards"), count=1, results=("9S",)))
    table.do(b.Quality()) if not seen(table, "pending")["waiting"] else None
    (tie,) = seen(table, "pending")["waiting"]

    assert (tie["name"], tie["answers"], tie["blocks"]) == ("tie", ["Zel", "Guards"], True)


def test_an_offer_waits_without_stopping_play(table: Table) -> None:
    table.do(c.Concede(who=table.who("Guards"), text=w("They let her go.")))
    (offer,) = seen(table, "pending")["waiting"]

    assert offer["asked"] == "Guards offers to concede: They let her go."
    assert not offer["blocks"]


def test_untold_lists_events_without_narration(table: Table) -> None:
    spots = seen(table, "untold")["spots"]

    assert [spot["what"] for spot in spots] == [
        "Guards took the hand against Zel.",
        "Zel took the hand against Guards.",
    ]
    assert [who["name"] for who in spots[0]["who"]] == ["Guards", "the game master"]


def test_what_is_told_later_is_untold_no_longer(table: Table) -> None:
    spot = seen(table, "untold")["spots"][0]
    table.do(c.Narrate(who=0, at=spot["position"], text=w("They close the gate on her.")))

    assert [one["what"] for one in seen(table, "untold")["spots"]] == ["Zel took the hand against Guards."]


def test_a_struck_narration_leaves_its_hand_untold(table: Table) -> None:
    table.do(c.Narrate(who=table.who("Zel"), text=w("She runs.")))

    assert len(seen(table, "untold")["spots"]) == 1


def test_conflicts_say_where_they_stand(table: Table) -> None:
    (one,) = seen(table, "conflicts")["open"]

    assert (one["title"], one["system"]) == ("Zel vs Guards", "bruise")
    assert one["turn"].startswith("turn 2")


def test_changes_are_named_cell_by_cell(table: Table) -> None:
    before = table.campaign.table_at(1)
    table.do(b.Tilt(who=table.who("Zel"), potential="destiny"))
    table.do(c.Cast(who=w("Ives"), text=Words("A clerk")))
    told = [change.sentence() for change in table_changes(before, table.writer.table)]

    assert "Ives: role character · phrase A clerk" in told
    assert "Zel, destiny (Bruise): 5/5 → 5/6" in told
    assert "Zel, fate (Bruise): 5/5 → 4/4" in told
