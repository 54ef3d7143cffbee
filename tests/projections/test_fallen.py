"""Who is taken out is shown wherever somebody looks who goes on."""

from __future__ import annotations

from retold.cli.verbs.show import summary
from retold.journal.capabilities import HasMap
from retold.journal.decks.chance import Luck, StackedDealer
from retold.journal.language.proposed import available_actions
from retold.projections.maps.picture import picture
from retold.projections.views import cast, stress
from retold.projections.views import map as map_view
from retold.projections.views.sheet import Row
from tests.retold.games.edgerunner.at_the_warehouse import GATTO, HARGAN, begun, out, told

DOWN = begun().given(out(GATTO, "cool", 9), *told(GATTO, HARGAN)).table


def rows(found: tuple[Row, ...], name: str) -> list[tuple[str, ...]]:
    return [row.cells for row in found if name in row.cells]


def test_A44_stress_the_cast_and_the_map_say_who_is_out() -> None:
    assert ("Gatto", "in the conflict", "taken out") in rows(stress.of(DOWN).sheet().rows, "Gatto")
    assert [one.name for one in cast.of(DOWN).cast if one.out] == ["Gatto"]
    assert rows(cast.of(DOWN).sheet().rows, "Gatto")[0][1] == "character, out"
    ((_, _, where),) = rows(map_view.of(DOWN).sheet().rows, "Gatto")
    assert where == "Dock (out)"


def test_A44_the_picture_of_the_map_says_it_too() -> None:
    state = DOWN.conflicts[1].state
    assert isinstance(state, HasMap)
    seen = picture("Map", state.plan(), DOWN.name)

    assert [figure.name for figure in seen.spots[0].people] == ["Gatto (out)", "Jade", "Hargan"]


def test_A44_can_and_show_say_who_is_out() -> None:
    (seen, *_) = available_actions(DOWN, Luck(StackedDealer(())))

    assert seen.stands[-1] == "Out: Gatto."
    assert "  Out: Gatto" in list(summary(DOWN, "mainline"))
    assert "Gatto in Dock (out) · Jade in Dock · Hargan in Dock" in "".join(summary(DOWN, "mainline"))


def test_only_fallen_fighters_are_shown_as_out() -> None:
    table = begun().table

    assert not stress.of(table).out
    assert not any(one.out for one in cast.of(table).cast)
    assert "Out:" not in "".join(summary(table, "mainline"))
