"""Over the map: moves of oneself and of others, spin, and the free move."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given as drawn_from
from hypothesis import settings
from hypothesis import strategies as st

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands.verbs import Move
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from tests.retold.games.edgerunner.at_the_warehouse import (
    CORP,
    DRONES,
    GATTO,
    HARGAN,
    JADE,
    JON,
    LOCK,
    PEOPLE,
    REX,
    SHEETS,
    TEXT,
    ZONES,
    applied,
    apply_,
    attack,
    begun,
    claimed,
    declare,
    declared,
    defend,
    exchange,
    exchange_began,
    free_move,
    kept,
    move,
    next_,
    opened,
    option,
    path,
    place,
    placed,
    reverted,
    rolled,
    sheet,
    shifts,
    simple,
    state,
    waits,
)
from tests.scenario import Story, given

NET = ("Gate", "Hub", "Cache", "Vault", "Sink")


def moved(who: int, start: str, *zones: str, spent: int, free: bool = False) -> g.Moved:
    return g.Moved(conflict=1, who=who, start=start, path=zones, spent=spent, free=free)


def eroded(who: int, one: str, other: str, left: int) -> g.BorderEroded:
    return g.BorderEroded(conflict=1, who=who, one=one, other=other, way="", left=left)


# --- moving oneself ---------------------------------------------------------------------------------------


def test_gatto_does_not_get_through_the_crowded_warehouse() -> None:
    """ED-06: borders of 3, athletics 3, + 0 - -."""
    story = begun(passes=(3, 3))

    story = story.when(move(GATTO, "Aisle", "Office", skill="athletics", faces="+0--")).then(
        claimed(GATTO),
        declared(GATTO, "move", "athletics", 3, path=path("Aisle", "Office")),
        rolled(GATTO, "+0--"),
        shifts(GATTO, 2, dice=-1, level=3),
    )
    story = story.when(apply_()).then(applied(GATTO, "move", 2))
    story = story.when(free_move(GATTO, "Aisle")).then(eroded(GATTO, "Dock", "Aisle", 2))

    assert place(story, GATTO) == "Dock"
    assert kept(story).held(JON) == 5


@pytest.mark.parametrize(
    ("faces", "zones", "spent"),
    [("+0--", (), 0), ("0000", ("Aisle",), 3), ("++00", ("Aisle",), 3), ("+++0", ("Aisle", "Office"), 6)],
)
def test_a_move_goes_as_far_as_its_shifts_carry(faces: str, zones: tuple[str, ...], spent: int) -> None:
    """Athletics 3 and borders of 3: 2, 3, 5 and 6 shifts."""
    story = begun(passes=(3, 3)).given(move(GATTO, "Aisle", "Office", skill="athletics", faces=faces))
    total = 3 + sum({"+": 1, "0": 0, "-": -1}[face] for face in faces)

    story.when(apply_(text=TEXT)).then(
        applied(GATTO, "move", total),
        *([moved(GATTO, "Dock", *zones, spent=spent)] if zones else []),
        e.Narrated(conflict=1, who=GATTO, text=TEXT),
    )


def test_which_way_over_a_border_is_said_and_counts_in_its_direction() -> None:
    """ED-24: a door, open 1 or broken 4; a slope, 1 down and 3 up."""
    yard = g.ZonesMapped(
        conflict=1,
        zones=("Yard", "Cellar"),
        borders=(
            g.BorderDrawn(one="Dock", other="Yard", passes={"open": 1, "break": 4}),
            g.BorderDrawn(one="Yard", other="Cellar", passes={"": 1}),
            g.BorderDrawn(one="Cellar", other="Yard", passes={"": 3}),
        ),
    )
    story = begun().given(yard)

    story.when(move(GATTO, "Yard")).then_refused(
        "There is more than one way from Dock to Yard: Yard:open (1), Yard:break (4)."
    )
    story.when(move(GATTO, "Yard:window")).then_refused(
        "From Dock to Yard there is no way window: Yard:open (1), Yard:break (4)."
    )
    broken = story.given(move(GATTO, "Yard:br", "Cellar", skill="athletics", faces="++00"))
    broken.when(apply_()).then(applied(GATTO, "move", 5), moved(GATTO, "Dock", "Yard", "Cellar", spent=5))
    up = story.given(placed("Cellar", JADE), move(JADE, "Yard", skill="athletics", faces="+000"))
    up.when(apply_()).then(applied(JADE, "move", 3), moved(JADE, "Cellar", "Yard", spent=3))


def test_zones_left_out_are_filled_in_where_one_path_leads_on() -> None:
    story = begun().given(move(GATTO, "Office", skill="athletics", faces="++++"))
    story.when(apply_()).then(applied(GATTO, "move", 7), moved(GATTO, "Dock", "Aisle", "Office", spent=2))


def test_a_move_with_two_paths_must_name_its_zones() -> None:
    roof = g.ZonesMapped(
        conflict=1,
        zones=("Roof",),
        borders=(
            g.BorderDrawn(one="Dock", other="Roof", passes={"": 1}),
            g.BorderDrawn(one="Roof", other="Office", passes={"": 1}),
        ),
    )
    begun().given(roof).when(move(GATTO, "Office")).then_refused("No border lies between Dock and Office.")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (move(GATTO, "Ofice"), "There is no “Ofice” here. Did you mean Office?"),
        (move(GATTO, "Aisle", whom=(REX,)), "Rex is not in this conflict: Gatto, Jade, Hargan."),
    ],
)
def test_an_impossible_move_is_refused(command: Move, sentence: str) -> None:
    begun().when(command).then_refused(sentence)


def test_a_move_needs_a_map_and_a_starting_zone() -> None:
    begun().when(move(GATTO, "Aisle", whom=(LOCK,))).then_refused("Lock has no zone yet: place Lock ZONE.")
    blank = given(*PEOPLE, *SHEETS, opened(), exchange_began(1))
    blank.when(move(GATTO, "Aisle")).then_refused("Gatto has no zone yet: place Gatto ZONE.")


def test_moving_ends_a_defence_of_the_mover() -> None:
    story = begun((GATTO, JADE), (HARGAN,)).given(
        defend(JADE, "cool", "deception", "0000", thing=GATTO),
        apply_(),
        defend(HARGAN, "cool", "firearms", "++00"),
        apply_(),
        move(GATTO, "Aisle", skill="athletics", faces="0000"),
    )
    assert kept(story).threshold(GATTO, "cool") == 4

    story = story.when(apply_()).then(
        applied(GATTO, "move", 3),
        moved(GATTO, "Dock", "Aisle", spent=1),
        reverted(JADE, GATTO, "cool", 3),
    )
    assert kept(story).threshold(HARGAN, "cool") == 5


# --- moving others ----------------------------------------------------------------------------------------


def test_nephrite_pushes_the_daemon_four_zones_away() -> None:
    """ED-07: deception 4 and dice of 0 are four borders of 1; against its 2, dice of 2."""
    story = begun((JADE,), (HARGAN,), zones=NET, passes=(1, 1, 1, 1))
    push = move(JADE, *NET[1:], skill="deception", faces="+0-0", whom=(HARGAN,))

    pushed = story.when(push).then(
        claimed(JADE),
        declared(JADE, "move", "deception", 4, target=HARGAN, path=path(*NET[1:])),
        rolled(JADE, "+0-0"),
        shifts(JADE, 4, level=4),
    )
    pushed.when(apply_()).then(applied(JADE, "move", 4), moved(HARGAN, "Gate", *NET[1:], spent=4))

    opposed = story.given(option("conflict_opposition", "skill"))
    push = move(JADE, *NET[1:], skill="deception", faces="+0+0", whom=(HARGAN,), against="stealth")
    pushed = opposed.when(push).then(
        claimed(JADE),
        declared(
            JADE,
            "move",
            "deception",
            4,
            target=HARGAN,
            path=path(*NET[1:]),
            against="stealth",
            opposed=2,
        ),
        rolled(JADE, "+0+0"),
        shifts(JADE, 4, dice=2, level=4, opposed=-2),
    )
    pushed.when(apply_()).then(applied(JADE, "move", 4), moved(HARGAN, "Gate", *NET[1:], spent=4))


def test_a_push_counts_range_and_gives_no_spin_on_failure() -> None:
    story = begun((JADE,), (HARGAN,), at={HARGAN: "Office"}).when(
        move(JADE, "Aisle", whom=(HARGAN,), faces="---0")
    )

    story.story.when(apply_()).then(applied(JADE, "move", -5))
    assert shifts(JADE, -5, dice=-3, range=-2) in story.events


def test_naming_oneself_is_moving_oneself() -> None:
    assert (
        declared(GATTO, "move", path=path("Aisle"))
        in begun().when(declare(GATTO, "move", whom=(GATTO,), zones=("Aisle",))).events
    )


def test_only_a_rockerboy_moves_several_at_once() -> None:
    story = begun((GATTO, JADE), (HARGAN, REX))
    crowd = move(GATTO, "Aisle", "Office", skill="resolve", faces="+000", whom=(HARGAN, REX))

    story.when(crowd).then_refused(
        "Gatto moves one at a time; only a rockerboy (role=rockerboy) moves several."
    )
    singing = story.given(sheet(GATTO, role="rockerboy"))
    pushed = singing.when(crowd).then(
        claimed(GATTO),
        declared(GATTO, "move", "resolve", 1, target=HARGAN, also=(REX,), path=path("Aisle", "Office")),
        rolled(GATTO, "+000"),
        shifts(GATTO, 2, dice=1, level=1),
    )
    pushed.when(apply_()).then(
        applied(GATTO, "move", 2),
        moved(HARGAN, "Dock", "Aisle", "Office", spent=2),
        moved(REX, "Dock", "Aisle", "Office", spent=2),
    )
    singing.when(move(GATTO, "Aisle", whom=(GATTO, REX))).then_refused(
        "Gatto moves others or goes alone, not both at once."
    )
    singing.given(placed("Aisle", REX)).when(crowd).then_refused(
        "One move takes people from one zone, and Hargan, Rex stand in several."
    )


def test_a_problem_may_be_moved_and_movers_start_where_displaced() -> None:
    story = begun((GATTO, JADE), (HARGAN, REX)).given(placed("Aisle", LOCK))
    story = story.given(move(GATTO, "Office", skill="athletics", faces="0000", whom=(LOCK,)))

    story.when(apply_()).then(applied(GATTO, "move", 2), moved(LOCK, "Aisle", "Office", spent=1))
    dragged = begun((GATTO, JADE), (HARGAN, REX)).given(
        move(GATTO, "Aisle", skill="athletics", faces="0000"),
        move(REX, "Aisle", "Office", skill="athletics", faces="0000", interrupt=True, whom=(GATTO,)),
        apply_(),
    )
    assert place(dragged, GATTO) == "Office"
    dragged.when(apply_()).then(applied(GATTO, "move", 3), moved(GATTO, "Office", "Aisle", spent=1))
    far = begun((GATTO, JADE), (HARGAN, REX), zones=NET, passes=(1, 1, 1, 1)).given(
        move(GATTO, "Hub", skill="athletics", faces="0000"),
        move(REX, *NET[1:], skill="athletics", faces="0000", interrupt=True, whom=(GATTO,)),
        apply_(),
    )
    far.when(apply_()).then(applied(GATTO, "move", 3))


def test_a_faction_does_not_move_among_people() -> None:
    story = begun((GATTO,), (HARGAN, CORP))

    story.when(move(CORP, "Aisle")).then_refused(
        "Corp is a faction among people: it may deploy, maneuver, or do what is simple."
    )
    story.when(move(GATTO, "Aisle", whom=(CORP,))).then_refused(
        "Corp is a faction, and does not move among people."
    )
    story.when(free_move(CORP, "Aisle")).then_refused("Corp is a faction, and has no free move.")
    among_themselves = begun((CORP,), (DRONES,), sheets=(sheet(DRONES, kind="faction"),))
    among_themselves.when(move(CORP, "Aisle", skill="logistics", faces="0000")).then(
        claimed(CORP),
        declared(CORP, "move", "logistics", 2, path=path("Aisle")),
        rolled(CORP, "0000"),
        shifts(CORP, 2, level=2),
    )


# --- spin -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("faces", "total", "spins"), [("---0", -3, 1), ("--00", -2, 0), ("----", -4, 1)])
def test_a_bad_move_gives_the_other_side_spin(faces: str, total: int, spins: int) -> None:
    """ED-33: -3 is one, -2 none; the free move is still there."""
    story = begun().given(move(GATTO, "Aisle", faces=faces))
    gained = g.SpinGained(conflict=1, who=GATTO, holder=HARGAN, spins=spins)

    story = story.when(apply_()).then(applied(GATTO, "move", total), *([gained] if spins else []))
    story.when(free_move(GATTO, "Aisle")).then(moved(GATTO, "Dock", "Aisle", spent=0, free=True))
    assert len(state(story).spins) == spins


def test_six_below_nothing_are_two_spins() -> None:
    """ED-33: a bid of 3 and dice of -3."""
    story = begun().given(next_(GATTO, 3, hargan=0), move(GATTO, "Aisle", faces="0---"))

    story.when(apply_()).then(
        applied(GATTO, "move", -6), g.SpinGained(conflict=1, who=GATTO, holder=HARGAN, spins=2)
    )


def test_who_of_several_holds_the_spin_is_ruled() -> None:
    story = begun().given(move(HARGAN, "Aisle", faces="----"))

    story = story.when(apply_()).then(
        applied(HARGAN, "move", -4), g.SpinGained(conflict=1, who=HARGAN, holder=None, spins=1)
    )
    story.when(simple(JADE)).then_refused(
        "Hargan's move gives the other side 1 spin: who holds it? Answer with: Gatto, Jade."
        " Rule on that first (ruling Gatto: why)."
    )
    held = story.given(c.Rule(question="spin", answer=JADE, text=TEXT))
    assert [spin.holder for spin in state(held).spins] == [JADE]


def test_there_is_no_spin_where_the_table_has_none() -> None:
    story = begun(options={"spin": "off"}).given(move(GATTO, "Aisle", faces="----"))

    story.when(apply_()).then(applied(GATTO, "move", -4))


def test_spin_lasts_until_the_end_of_the_movers_next_turn() -> None:
    story = begun().given(move(GATTO, "Aisle", faces="----"), apply_(), *waits(JADE, HARGAN), exchange())

    assert state(story).spins
    assert not state(story.given(simple(GATTO))).spins


# --- the free move ----------------------------------------------------------------------------------------


def test_the_free_move_is_made_before_the_act_or_after_it_once() -> None:
    before = (
        begun()
        .when(free_move(GATTO, "Aisle"))
        .then(claimed(GATTO), moved(GATTO, "Dock", "Aisle", spent=0, free=True))
    )
    before.when(simple(JADE)).then_refused("It is Gatto's turn. If it is Jade's: next Jade.")
    before.when(free_move(GATTO, "Office")).then_refused("Gatto has made the free move of this exchange.")
    before.given(simple(GATTO)).when(free_move(GATTO, "Office")).then_refused(
        "Gatto has made the free move of this exchange."
    )
    after = begun().given(move(GATTO, "Aisle", skill="athletics", faces="0000"), apply_())
    after.when(free_move(GATTO, "Office").but({"text": TEXT})).then(
        moved(GATTO, "Aisle", "Office", spent=0, free=True), e.Narrated(conflict=1, who=GATTO, text=TEXT)
    )


def test_the_free_move_is_for_ones_own_turn() -> None:
    story = begun().given(simple(GATTO))

    story.given(next_(JADE)).when(free_move(GATTO, "Aisle")).then_refused("Gatto's turn is over.")
    story.given(simple(JADE)).when(free_move(GATTO, "Aisle")).then_refused("Gatto's turn is over.")
    story.given(next_(JADE)).when(free_move(HARGAN, "Aisle")).then_refused(
        "It is Jade's turn. If it is Hargan's: next Hargan."
    )
    rolled = story.given(attack(JADE, HARGAN, "cool", faces="++++"), option("applies", "said"))
    rolled.when(free_move(GATTO, "Aisle")).then_refused(
        "Jade's attack on Hargan stands at 4 shifts: invoke, boost, resist, or apply."
    )
    story.given(declare(JADE, "simple")).when(free_move(JADE, "Aisle")).then_refused(
        "Jade's simple act is announced and takes no dice: apply, or forfeit Jade."
    )


def test_a_high_border_erodes_for_each_character_separately() -> None:
    """A border of 3: two free moves wear at it, the third goes over; it is 3 again for everybody else."""
    story = (
        begun(passes=(3, 1))
        .when(free_move(GATTO, "Aisle"))
        .then(claimed(GATTO), eroded(GATTO, "Dock", "Aisle", 2))
    )
    story = story.given(*waits(GATTO, JADE, HARGAN), exchange())
    story = story.when(free_move(GATTO, "Aisle")).then(claimed(GATTO), eroded(GATTO, "Dock", "Aisle", 1))
    walking = story.given(move(GATTO, "Aisle", "Office", skill="athletics", faces="-000"))
    walking.when(apply_()).then(applied(GATTO, "move", 2), moved(GATTO, "Dock", "Aisle", "Office", spent=2))
    story = story.given(*waits(GATTO, JADE, HARGAN), exchange())
    story = story.when(free_move(GATTO, "Aisle")).then(
        claimed(GATTO), moved(GATTO, "Dock", "Aisle", spent=0, free=True)
    )
    story = story.given(simple(GATTO))
    story.when(free_move(JADE, "Aisle")).then(claimed(JADE), eroded(JADE, "Dock", "Aisle", 2))


def test_a_free_move_ends_the_movers_defences() -> None:
    story = begun().given(defend(GATTO, "cool", "firearms", "0000"), apply_())

    story.when(free_move(GATTO, "Aisle")).then(
        moved(GATTO, "Dock", "Aisle", spent=0, free=True), reverted(GATTO, GATTO, "cool", 3)
    )


def test_how_far_the_free_move_goes_is_an_option() -> None:
    crowded = {"free_move": "one_zone_any"}
    begun(passes=(3, 3), options=crowded).when(free_move(GATTO, "Aisle")).then(
        claimed(GATTO), moved(GATTO, "Dock", "Aisle", spent=0, free=True)
    )
    begun(options={"free_move": "off"}).when(free_move(GATTO, "Aisle")).then_refused(
        "There are no free moves at this table (option free_move)."
    )


NOT_FREE: tuple[dict[str, Any], ...] = (
    {"whom": (HARGAN,)},
    {"skill": "athletics"},
    {"interrupt": True},
    {"against": "stealth"},
)
ONE_S_OWN = "A free move is one's own and without a roll: move Gatto to Aisle --free."


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (move(GATTO, "Aisle", "Office", free=True), "A free move goes one zone: move Gatto to Aisle --free."),
        *((move(GATTO, "Aisle", free=True, **more), ONE_S_OWN) for more in NOT_FREE),
        (move(GATTO, "Aisle", free=True, faces="0000"), "4 results too many: 0 0 0 0."),
    ],
)
def test_a_free_move_is_a_step_and_nothing_else(command: Move, sentence: str) -> None:
    begun().when(command).then_refused(sentence)


# --- laws -------------------------------------------------------------------------------------------------


def played(story: Story, command: Move, free: str | None) -> Story:
    """The move, what comes of it, and a free move after it if that can be made."""
    story = story.given(command, apply_())
    if free is not None and state(story).ways(place(story, GATTO), free) is not None:
        story = story.given(free_move(GATTO, free))
    return story


@settings(max_examples=60, deadline=None)
@drawn_from(
    passes=st.tuples(st.integers(1, 4), st.integers(1, 4)),
    faces=st.text("+0-", min_size=4, max_size=4),
    skill=st.integers(0, 6),
    free=st.none() | st.sampled_from(ZONES),
)
def test_every_mover_is_in_a_zone_and_pays_for_borders(
    passes: tuple[int, int], faces: str, skill: int, free: str | None
) -> None:
    story = begun(passes=passes, sheets=(sheet(GATTO, running=skill),))
    story = played(story, move(GATTO, "Aisle", "Office", skill="running", faces=faces), free)

    total = skill + sum({"+": 1, "0": 0, "-": -1}[face] for face in faces)
    walks = [event for event in story.events if isinstance(event, g.Moved) and not event.free]
    assert all(zone in ZONES for zone in state(story).places.values())
    assert sum(walk.spent for walk in walks) <= max(0, total)
    assert [walk.spent for walk in walks] == [sum(passes[: len(walk.path)]) for walk in walks]
    reachable = total >= passes[0]
    assert bool(walks) == reachable
