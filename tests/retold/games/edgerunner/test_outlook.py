"""What may be said now: everything listed may be said, and comes to what the list says."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
from retold.journal.capabilities import Choice, Outlook
from retold.journal.decks.chance import FirstDealer, Luck, StackedDealer
from retold.journal.language.proposed import available_actions
from retold.journal.line import decide
from retold.journal.refused import Refused
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import YET_TO_FIND
from tests.retold.games.edgerunner.at_the_warehouse import (
    FEET_WORDS,
    GATTO,
    GRUDGE_WORDS,
    GUN_WORDS,
    HARGAN,
    JADE,
    JON,
    REX,
    apply_,
    attack,
    begun,
    declare,
    defend,
    exchange,
    free_move,
    kept,
    maneuver,
    move,
    next_,
    recover,
    sheet,
    simple,
    waits,
)
from tests.retold.games.edgerunner.open_rolls import (
    accept,
    compel,
    concede,
    invoke,
    open_act,
    outside_roll,
)
from tests.scenario import Story, given


def outlook(story: Story) -> Outlook:
    seen = maybe(story)
    assert seen is not None
    return seen


def maybe(story: Story) -> Outlook | None:
    return next(available_actions(story.table, Luck(FirstDealer())), None)


def said(story: Story, who: int, verb: str) -> list[str]:
    """What somebody's lines with that verb would come to."""
    seen = outlook(story)
    lines = (*seen.choices, *seen.beside)
    return [one.comes_to for one in lines if (one.who, one.command.verb) == (who, verb)]


# --- whatever is listed -----------------------------------------------------------------------------------

AIMED = {"target": GATTO, "path": (g.Step(zone="Aisle"),)}

STORIES = {
    "an attack": open_act(),
    "an attack with a free invoke": begun().given(
        maneuver(JADE, HARGAN, "Blind", "deception", "0000"),
        apply_(),
        attack(GATTO, HARGAN, "cool", "firearms", "+000"),
    ),
    "a maneuver": begun().given(maneuver(HARGAN, GATTO, "Pinned", "firearms", "+000")),
    "a move": begun(passes=(3, 3)).given(move(GATTO, "Aisle", "Office", faces="+0--", skill="athletics")),
    "a move of somebody else": begun().given(
        move(HARGAN, "Aisle", faces="0000", skill="firearms", whom=(GATTO,))
    ),
    "a defence": begun().given(defend(GATTO, "cool", "firearms", "+000")),
    "a recovery": begun().given(
        attack(HARGAN, GATTO, "cool", "firearms", "000-"),
        apply_(),
        recover(GATTO, "cool", "resolve", "+000"),
    ),
    "an act announced": begun().given(declare(HARGAN, "attack", thing=GATTO, track="cool")),
    "a compel": begun().given(
        declare(HARGAN, "attack", thing=GATTO, track="cool"), compel(HARGAN, "lets go")
    ),
    "a turn": begun().given(next_(JADE)),
    "an exchange": begun().given(*waits(GATTO, JADE, HARGAN), exchange()),
    "something to go on with": begun().given(
        attack(GATTO, HARGAN, "cool", "firearms", "0000"), apply_(), *waits(JADE, HARGAN), exchange()
    ),
    "an exchange that is over": begun().given(*waits(GATTO, JADE, HARGAN)),
    "a concession": begun().given(concede(JADE)),
    "a tale": begun().given(attack(HARGAN, GATTO, "cool", "firearms", "++++"), apply_()),
    "a roll outside": outside_roll(GATTO, 3, level=2),
    "a contest outside": outside_roll(GATTO, 3, level=2, against=1, opponent=HARGAN),
    "a compel outside": outside_roll(GATTO, 3, level=2).given(compel(GATTO, "fired once")),
    "strain": outside_roll(GATTO, 3, level=2).given(
        g.UpgradeStrained(who=GATTO, upgrade="smartlink", track="humanity", amount=3)
    ),
}


@pytest.mark.parametrize("name", STORIES)
def test_whatever_is_listed_may_be_said(name: str) -> None:
    story = STORIES[name]
    choices = outlook(story).choices

    assert choices
    for choice in choices:
        assert decided(story, choice)


def decided(story: Story, choice: Choice) -> bool:
    try:
        decide(story.table, choice.command, Luck(FirstDealer()))
    except Refused as refusal:
        pytest.fail(f"{choice.command}: {refusal}")
    return True


@pytest.mark.parametrize("name", STORIES)
def test_a_choice_gives_the_shifts_the_list_states(name: str) -> None:
    story = STORIES[name]
    for choice in outlook(story).choices:
        stands = [one for one in events_of(story, choice) if isinstance(one, g.ShiftsSet)]
        if stands:
            assert choice.shifts == stands[-1].shifts


def events_of(story: Story, choice: Choice) -> list[object]:
    try:
        return list(decide(story.table, choice.command, Luck(StackedDealer(()))))
    except Refused:
        return []


# --- what is listed ---------------------------------------------------------------------------------------


def test_nothing_is_listed_where_nothing_is_open() -> None:
    assert maybe(given()) is None
    assert maybe(begun().given(concede(JADE), accept(HARGAN))) is None


def test_before_the_first_exchange_it_says_who_is_nowhere() -> None:
    story = begun((GATTO,), (HARGAN, REX), exchange=False)
    assert outlook(story).stands == ("No exchange has begun: exchange a few moments.",)

    nowhere = [event for event in story.events if not (isinstance(event, g.Placed) and REX in event.who)]
    assert outlook(given(*nowhere)).stands[1] == "Rex has no zone yet: place Rex ZONE."


def test_a_turn_lists_how_far_each_zone_is_and_the_free_move() -> None:
    """Borders of 3 and 1: three shifts to the aisle, four to the office; a free move takes 1 off them."""
    story = begun((GATTO,), (HARGAN,), passes=(3, 1), at={HARGAN: "Office"}).given(next_(GATTO))

    assert outlook(story).stands == (
        "It is for Gatto to act; then Hargan.",
        "Gatto is in Dock; borders to others: Hargan 2.",
        "An act of Gatto's may be made with athletics 3, firearms 2, resolve 1: … with athletics.",
    )
    assert outlook(story).choices[:3] == (
        Choice(GATTO, free_move(GATTO, "Aisle"), "2 left of the border for Gatto"),
        Choice(GATTO, v.Move(who=GATTO, zones=("Aisle",)), "takes 3 shifts"),
        Choice(GATTO, v.Move(who=GATTO, zones=("Aisle", "Office")), "takes 4 shifts"),
    )

    worn = story.given(free_move(GATTO, "Aisle"))
    assert said(worn, GATTO, "move")[:2] == ["takes 2 shifts", "takes 3 shifts"]


def test_a_turn_lists_every_act_the_rules_allow_with_its_targets() -> None:
    """§6: on a turn one attacks, defends, maneuvers, recovers what is marked, or does what takes no dice."""
    story = begun((GATTO,), (HARGAN,)).given(
        attack(HARGAN, GATTO, "cool", "firearms", "0000"), apply_(), next_(GATTO)
    )
    mine = [one.command for one in outlook(story).choices if one.who == GATTO]

    assert v.Attack(who=GATTO, thing=HARGAN, track="cool") in mine
    assert v.Defend(who=GATTO, track="humanity") in mine
    assert v.Maneuver(who=GATTO, thing=HARGAN, aspect="…") in mine
    assert v.Recover(who=GATTO, track="cool") in mine
    assert v.Recover(who=GATTO, track="humanity") not in mine
    assert v.Simple(who=GATTO, text=YET_TO_FIND) in mine


def test_a_person_who_moved_goes_on_by_name_and_is_not_offered_another_roll() -> None:
    """§6: the same skill and act go on without dice, wherever the path leads."""
    story = begun((GATTO,), (HARGAN,), passes=(1, 1)).given(
        v.Move(who=GATTO, zones=("Aisle",), results=("+", "0", "0", "0")),
        apply_(),
        *waits(HARGAN),
        exchange(),
        next_(GATTO),
    )
    mine = [one.command for one in outlook(story).choices if one.who == GATTO]

    assert v.Continue(who=GATTO, zones=("Office",)) in mine
    assert v.Move(who=GATTO, zones=("Office",)) not in mine


def test_if_a_border_has_several_ways_going_on_names_the_way() -> None:
    """§6: what the refusal says may be typed as it is."""
    story = begun((GATTO,), (HARGAN,), passes=(1,), zones=("Dock", "Aisle")).given(
        v.MapZones(zones=("Aisle", "Office"), passes=("open:1,break:4",)),
        v.Move(who=GATTO, zones=("Aisle",), results=("+", "0", "0", "0")),
        apply_(),
        *waits(HARGAN),
        exchange(),
    )
    again = v.Move(who=GATTO, zones=("Office:open",), results=("+", "0", "0", "0"))

    story.when(again).then_refused(
        "Gatto's move was made in the last exchange, and is not rolled again: continue Gatto to Office:open."
    )


def test_next_is_offered_while_no_fighter_has_the_turn() -> None:
    assert said(begun((GATTO,), (HARGAN,)), HARGAN, "next") == ["the turn is theirs"]


def test_an_aspect_of_a_zone_is_not_offered_on_another_map() -> None:
    """§3: it stays in the record; the place it is on is not here."""
    oil = v.PlaceAspect(thing="Dock", aspect="Ankle-deep in oil")
    story = begun((GATTO,), (HARGAN,)).given(oil)
    here = story.given(attack(HARGAN, GATTO, "cool", "firearms", "0000"))
    assert "Ankle-deep in oil" in invocable(here)

    away = story.given(
        c.End(what="conflict", how="agreed"),
        c.OpenConflict(system="edgerunner", sides=((GATTO,), (HARGAN,))),
        v.MapZones(zones=("Roof", "Stair"), passes=("1",)),
        v.Place(who=(GATTO, HARGAN), zone="Roof"),
        exchange(),
        attack(HARGAN, GATTO, "cool", "firearms", "0000"),
    )
    assert "Ankle-deep in oil" not in invocable(away)


def invocable(story: Story) -> set[str]:
    """The wordings that may be invoked, as they are listed."""
    return {one.command.aspect for one in outlook(story).choices if isinstance(one.command, v.Invoke)}


def test_the_cheapest_of_several_ways_is_listed_and_named() -> None:
    story = begun(passes=(1,), zones=("Dock", "Aisle")).given(
        v.MapZones(zones=("Dock", "Office", "Aisle"), passes=("open:4,break:7", "1")), next_(JADE)
    )
    moves = [one.command for one in outlook(story).choices if isinstance(one.command, v.Move)]
    paths = [one.zones for one in moves if not one.free]

    assert ("Aisle", "Office") in paths
    assert ("Office:open",) not in paths


def test_continued_acts_are_listed_with_their_shifts() -> None:
    story = STORIES["something to go on with"]

    assert said(story, GATTO, "continue") == ["Gatto's attack on Hargan, 2 shifts"]
    assert said(story, JADE, "continue") == []


def test_round_the_table_it_is_for_one_to_act() -> None:
    story = begun(options={"initiative": "order"}).given(next_(JADE), simple(JADE))

    assert outlook(story).stands[0] == "It is for Hargan to act; then Gatto."


def test_before_the_dice_compels_are_listed_their_own_aspects_first() -> None:
    seen = outlook(STORIES["an act announced"])
    compelled = [one.command.aspect for one in seen.choices if isinstance(one.command, c.Compel)]

    assert compelled == [GRUDGE_WORDS, GUN_WORDS, FEET_WORDS]
    assert seen.stands == (
        "Hargan's attack on Gatto is announced; compels come before the dice.",
        "William holds 5 fate points.",
    )


def test_a_solo_who_may_interrupt_is_named() -> None:
    story = begun((GATTO,), (HARGAN,), sheets=(sheet(GATTO, role="solo"),))
    seen = outlook(story.given(declare(HARGAN, "attack", thing=GATTO, track="cool")))

    assert seen.stands[-1] == "Gatto may interrupt with an act of their own (--interrupt)."


def test_a_compel_lists_what_it_brings_and_what_it_costs() -> None:
    story = STORIES["a compel"]

    assert said(story, HARGAN, "accept") == ["a fate point from gm to William, no act"]
    assert said(story, HARGAN, "refuse") == ["a fate point from William to gm"]


def test_a_person_who_has_no_fate_point_is_told_so() -> None:
    story = begun().given(
        g.NumberSet(on=JON, what="points", value=0),
        declare(GATTO, "attack", thing=HARGAN, track="cool"),
        compel(GATTO, "fired once"),
    )

    assert said(story, GATTO, "refuse") == []
    assert outlook(story).stands[-1] == "Jon has no fate point left, and must accept: accept Gatto."


def test_an_attack_lists_what_ends_raises_and_resists_it() -> None:
    """Hargan's 5 shifts on Gatto's cool, which goes to 3: severe leaves 1, mild and moderate leave 2."""
    story = open_act()

    assert outlook(story).stands[0] == "Hargan's attack on Gatto stands at 5 shifts."
    assert said(story, HARGAN, "apply") == ["Gatto is taken out"]
    assert said(story, HARGAN, "invoke") == ["7 shifts, a fate point to Jon: Gatto is taken out"] * 3
    assert said(story, HARGAN, "boost") == [
        "6 shifts: Gatto is taken out",
        "7 shifts: Gatto is taken out",
        "9 shifts: Gatto is taken out",
        "9 shifts, cool 1 2 3 4: Gatto is taken out",
        "7 shifts, humanity 1 2: Gatto is taken out",
        "7 shifts, reputation 1 2: Gatto is taken out",
    ]
    assert said(story, GATTO, "resist") == [
        "4 shifts: Gatto is taken out",
        "3 shifts: Gatto cool 1 2 3",
        "2 shifts: Gatto cool 1 2",
        "1 shift: Gatto cool 1",
        "0 shifts: nothing comes of it",
    ]
    assert said(story, GATTO, "invoke") == ["3 shifts, a fate point to William: Gatto cool 1 2 3"] * 3


def test_a_free_invoke_is_listed_before_those_that_cost() -> None:
    story = STORIES["an attack with a free invoke"]

    assert said(story, GATTO, "invoke") == [
        "5 shifts, free: Hargan is taken out",
        *["5 shifts, a fate point to William: Hargan is taken out"] * 3,
    ]


def test_a_free_invoke_of_an_ally_is_listed_too() -> None:
    free = [
        one.command
        for one in outlook(STORIES["an attack with a free invoke"]).choices
        if isinstance(one.command, v.Invoke) and one.command.free
    ]

    assert free == [v.Invoke(who=GATTO, aspect="Blind", free=True)]


def test_an_aspect_invoked_already_is_not_listed_again() -> None:
    story = open_act().given(invoke(HARGAN, "fired once"))

    assert len(said(story, HARGAN, "invoke")) == 2


def test_a_recovery_lists_its_choices_of_boxes() -> None:
    """Two shifts, boxes 1 and 2 marked: either of them, not both."""
    story = STORIES["a recovery"]

    assert kept(story).marked(GATTO, "cool") == {1, 2}
    assert said(story, GATTO, "apply") == ["clears 2", "clears 1"]
    assert [one.command for one in outlook(story).choices[:2]] == [apply_(2), apply_(1)]


def test_a_move_lists_how_far_more_shifts_would_carry() -> None:
    """ED-06: two shifts cross no border of 3; four cross one, six both."""
    story = STORIES["a move"]

    assert said(story, GATTO, "apply") == ["nothing comes of it"]
    assert said(story, GATTO, "boost")[:3] == [
        "3 shifts: Gatto comes to Aisle",
        "4 shifts: Gatto comes to Aisle",
        "6 shifts: Gatto comes to Office",
    ]


def test_stress_resists_anything_but_an_attack_as_far_as_it_is_needed() -> None:
    """A maneuver of 4 takes 5 to be blocked; Gatto's cool goes to 3."""
    story = STORIES["a maneuver"]

    assert said(story, GATTO, "resist")[-3:] == [
        "1 shift, cool 1 2 3: the aspect, 1 free invoke",
        "2 shifts, humanity 1 2: the aspect, 1 free invoke",
        "2 shifts, reputation 1 2: the aspect, 1 free invoke",
    ]


def test_a_nomad_may_take_a_hit_for_a_comrade() -> None:
    story = open_act(story=begun(sheets=(sheet(JADE, role="nomad"),)), total=2)

    assert [one.command for one in outlook(story).choices if one.who == JADE] == [
        v.Resist(who=JADE, comrade=GATTO, mild="…"),
        v.Resist(who=JADE, comrade=GATTO, moderate="…"),
        v.Resist(who=JADE, comrade=GATTO, severe="…"),
        v.Resist(who=JADE, comrade=GATTO, tracks=("cool",), amounts=(2,)),
    ]


def test_an_upgrade_for_the_track_is_listed_with_what_it_strains() -> None:
    """A threshold of 3 and 2 more holds 5; the value 2 less Hargan's dice of 2 strains nothing, of 1 one."""
    armoured = begun(sheets=(sheet(GATTO, upgrade__vest="cool+2/2"),))
    five, four = (said(open_act(story=armoured, total=total), GATTO, "resist")[-1] for total in (5, 4))

    assert five == "0 shifts, cool 1 2 3 4 5: nothing comes of it"
    assert four == "0 shifts, cool 1 2 3 4, 1 humanity stress for vest"


def test_strain_lists_what_it_could_be_taken_with() -> None:
    """Three on a humanity that goes to 2: not by stress alone; with mild two are left, with moderate one."""
    story = STORIES["strain"]

    assert said(story, GATTO, "resist") == ["humanity 1 2", "humanity 1", "no stress"]


def test_a_tale_lists_who_tells_it() -> None:
    assert said(STORIES["a tale"], HARGAN, "narrate") == ["what becomes of Gatto"]


def test_a_question_is_said_with_its_answers() -> None:
    story = begun((GATTO,), (HARGAN, REX)).given(g.SpinGained(conflict=1, who=GATTO, holder=None, spins=1))

    assert outlook(story).stands == (
        "Gatto's move gives the other side 1 spin: who holds it? Answer with: Hargan, Rex.",
    )


def test_a_concession_is_listed_beside_whatever_goes_on() -> None:
    story = STORIES["a concession"]

    assert outlook(story).stands[-1].startswith("Jade offers to concede: ")
    assert said(story, HARGAN, "accept") == ["the conflict ends as offered"]
    assert said(story, HARGAN, "refuse") == ["play goes on"]


def test_outside_a_roll_lists_what_may_be_spent_and_how_long_it_takes() -> None:
    story = outside_roll(GATTO, 3, level=2, takes=8)

    assert outlook(story).stands[:3] == (
        "Gatto's driving stands at 3 shifts, Good.",
        "3 shifts may be spent.",
        "It takes a few hours.",
    )
    assert outlook(story).conflict is None


def test_in_a_contest_the_opponent_may_take_shifts_off() -> None:
    story = STORIES["a contest outside"]

    assert said(story, HARGAN, "invoke")[0] == "1 shift, a fate point to Jon"
    assert said(story, HARGAN, "resist")[0] == "2 shifts"
