"""Whose turn it is: exchanges, claims and bids, interruptions, and what stands in the way of an act."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands.verbs import ClaimTurn
from retold.journal.store.events.codec import decode_command
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Words
from tests.retold.games.edgerunner.at_the_warehouse import (
    GATTO,
    GUN_WORDS,
    HARGAN,
    JADE,
    LOCK,
    REX,
    TEXT,
    applied,
    apply_,
    attack,
    begun,
    claimed,
    declare,
    declared,
    defend,
    ended,
    exchange,
    exchange_began,
    forfeit,
    free_move,
    maneuver,
    move,
    next_,
    option,
    out,
    path,
    reverted,
    roll,
    rolled,
    sheet,
    shifts,
    simple,
    state,
    told,
    waits,
)
from tests.scenario import Story

TWO_AND_TWO = ((GATTO, JADE), (HARGAN, REX))


def after_one_exchange(*commands: Command) -> Story:
    """A second exchange has begun, after these acts in the first."""
    return begun().given(*commands, exchange())


# --- exchanges --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "step", "length"),
    [
        ("a few moments", 1, None),
        ("A FEW MOM", 1, None),
        ("15 min", 5, None),
        ("three heartbeats", None, Words("three heartbeats")),
        (None, None, None),
    ],
)
def test_an_exchange_lasts_a_step_of_the_time_track_or_what_the_table_says(
    said: str | None, step: int | None, length: Words | None
) -> None:
    begun(exchange=False).when(exchange(said)).then(
        g.ExchangeBegan(conflict=1, exchange=1, step=step, length=length)
    )


def test_an_exchange_without_a_length_repeats_the_last_one() -> None:
    story = begun(exchange=False).given(exchange("half a minute"), *waits(GATTO, JADE, HARGAN))

    story.when(exchange()).then(exchange_began(2, step=2))
    story.when(exchange("2")).then(exchange_began(2, step=2))
    story.when(exchange("an hour")).then(exchange_began(2, step=7))


def test_every_fighter_acts_before_the_next_exchange() -> None:
    story = begun().given(simple(JADE))

    story.when(exchange()).then_refused(
        "Gatto, Hargan have yet to act in this exchange; to wait is: simple Gatto."
    )
    story = story.given(simple(HARGAN))
    story.when(exchange()).then_refused("Gatto has yet to act in this exchange; to wait is: simple Gatto.")
    story.given(simple(GATTO)).when(exchange()).then(exchange_began(2))


def test_a_person_who_is_taken_out_and_what_takes_no_turn_is_not_waited_for() -> None:
    story = begun((GATTO, JADE), (HARGAN, LOCK)).given(
        attack(HARGAN, JADE, "cool", "firearms", "0000"),
        apply_(text=TEXT),
        simple(GATTO),
    )

    story.when(exchange()).then(exchange_began(2))
    story.given(exchange()).when(simple(LOCK)).then_refused("Lock takes no turn: Gatto, Hargan.")


def test_no_exchange_begins_over_an_open_act() -> None:
    story = begun().given(*waits(JADE, HARGAN), attack(GATTO, HARGAN, "cool", "firearms", "+000"))

    story.given(option("applies", "said")).when(exchange()).then_refused(
        "Gatto's attack on Hargan stands at 3 shifts: invoke, boost, resist, or apply"
        " (option applies=next: the next act applies it)."
    )


def test_acting_before_the_first_exchange_is_refused() -> None:
    story = begun(exchange=False)

    for command in (simple(GATTO), next_(GATTO), declare(GATTO, "simple"), free_move(GATTO, "Aisle")):
        story.when(command).then_refused("No exchange has begun: exchange a few moments.")


# --- whose turn -------------------------------------------------------------------------------------------


def test_the_first_fighter_to_act_takes_the_turn() -> None:
    story = (
        begun().when(simple(JADE)).then(claimed(JADE), declared(JADE, "simple"), applied(JADE, "simple", 0))
    )

    assert state(story).turn is None
    assert state(story).acted == {JADE}
    story.when(simple(JADE)).then_refused("Jade has acted in this exchange; to go on: next Gatto.")
    story.when(next_(JADE)).then_refused("Jade has acted in this exchange; to go on: next Gatto.")


def test_the_next_fighter_acts_before_all_others() -> None:
    story = begun().when(next_(JADE)).then(claimed(JADE))

    story.when(simple(GATTO)).then_refused("It is Jade's turn. If it is Gatto's: next Gatto.")
    story.when(next_(JADE)).then_refused("It is Jade's turn already.")
    story.when(simple(JADE)).then(declared(JADE, "simple"), applied(JADE, "simple", 0))


def test_a_turn_in_which_nothing_was_announced_passes_to_whoever_is_named() -> None:
    """G37: a table that plays in another order than it said is not refused."""
    story = begun().given(next_(JADE, 2, gatto=1))

    story = story.when(next_(GATTO)).then(claimed(GATTO))
    assert state(story).bid == 0
    story = story.given(simple(GATTO))
    story.when(simple(JADE)).then(claimed(JADE), declared(JADE, "simple"), applied(JADE, "simple", 0))


def test_an_announced_act_keeps_the_turn() -> None:
    story = begun().given(declare(JADE, "simple"))

    story.when(next_(GATTO)).then_refused(
        "Jade's simple act is announced and takes no dice: apply, or forfeit Jade."
    )


def test_the_highest_bid_acts_and_loses_it_from_the_roll() -> None:
    """ED-27: bids of 2 and 1."""
    story = begun().when(next_(GATTO, 2, hargan=1)).then(claimed(GATTO, (GATTO, 2), (HARGAN, 1)))

    story.when(attack(GATTO, HARGAN, "cool", "firearms", "+++0")).then(
        declared(GATTO, "attack", "firearms", 2, target=HARGAN, track="cool"),
        rolled(GATTO, "+++0"),
        shifts(GATTO, 3, dice=3, level=2, bid=-2),
    )


def test_a_rival_may_bid_more_and_the_others_lose_nothing() -> None:
    story = begun().when(next_(GATTO, 1, hargan=2)).then(claimed(HARGAN, (GATTO, 1), (HARGAN, 2)))

    story.given(simple(HARGAN)).when(attack(GATTO, HARGAN, "cool", "firearms", "0000")).then(
        claimed(GATTO),
        declared(GATTO, "attack", "firearms", 2, target=HARGAN, track="cool"),
        rolled(GATTO, "0000"),
        shifts(GATTO, 2, level=2),
    )


def test_bids_that_tie_are_the_callers_to_settle() -> None:
    bids = (g.Bid(who=GATTO, shifts=1), g.Bid(who=HARGAN, shifts=1), g.Bid(who=JADE, shifts=0))
    story = begun().when(next_(GATTO, 1, hargan=1, jade=0)).then(g.BidsTied(conflict=1, bids=bids))

    story.when(simple(GATTO)).then_refused(
        "Gatto and Hargan bid the same: who acts first? (Or they bid again.)"
        " Answer with: Gatto, Hargan. Rule on that first (ruling Gatto: why)."
    )
    ruling = c.Rule(question="bid", answer=HARGAN, text=TEXT)
    made = e.RulingMade(conflict=1, question="bid", answer=HARGAN, text=TEXT)
    story.when(ruling).then(made, claimed(HARGAN, (GATTO, 1), (HARGAN, 1), (JADE, 0)))
    story.when(next_(GATTO, 2, hargan=1)).then(claimed(GATTO, (GATTO, 2), (HARGAN, 1)))


def test_R10_the_caller_decides_a_tied_bid() -> None:
    tied = begun().given(next_(GATTO, 2, hargan=2))
    named = tied.when(next_(GATTO)).then(claimed(GATTO, (GATTO, 2), (HARGAN, 2)))

    assert (
        shifts(GATTO, 0, level=2, bid=-2)
        in named.when(attack(GATTO, HARGAN, "cool", "firearms", "0000")).events
    )
    tied.when(next_(JADE)).then(claimed(JADE))
    tied.when(next_(GATTO, 0)).then(claimed(GATTO, (GATTO, 0)))


def test_R10_a_line_of_version_1_costs_nothing_as_it_did() -> None:
    old = decode_command({"v": 1, "kind": "next", "who": GATTO}, lambda *_: "", ("edgerunner",))

    assert old == ClaimTurn(who=GATTO, tied_bid_lost=True)
    begun().given(next_(GATTO, 2, hargan=2)).when(old).then(claimed(GATTO))


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (next_(GATTO, None, hargan=1), "Say what Gatto bids, too: next Gatto 1 Hargan 1."),
        (next_(GATTO, 1, gatto=2), "Gatto bids twice: each bids once."),
        (next_(GATTO, -1, hargan=2), "A bid is shifts to give up, 0 or more, not -1."),
        (next_(GATTO, 1, rex=2), "Rex is not in this conflict: Gatto, Jade, Hargan."),
        (next_(REX), "Rex is not in this conflict: Gatto, Jade, Hargan."),
    ],
)
def test_a_bid_that_is_none(command: ClaimTurn, sentence: str) -> None:
    begun().when(command).then_refused(sentence)


def test_a_bid_counts_for_the_turn_it_was_made_for_only() -> None:
    story = begun().given(next_(GATTO, 2, hargan=1), simple(GATTO), *waits(JADE, HARGAN), exchange())

    assert shifts(GATTO, 2, level=2) in story.when(attack(GATTO, HARGAN, "cool", "firearms", "0000")).events


def test_round_the_table_order_begins_with_the_first_actor() -> None:
    story = begun(options={"initiative": "order"}).given(simple(JADE))

    story.when(simple(GATTO)).then_refused("It is Hargan's turn. If it is Gatto's: next Gatto.")
    story.given(next_(GATTO), simple(GATTO)).when(exchange()).then_refused(
        "Hargan has yet to act in this exchange; to wait is: simple Hargan."
    )
    story = story.given(simple(HARGAN), simple(GATTO), exchange())
    story.when(next_(HARGAN)).then(claimed(HARGAN))


def test_round_the_table_skips_fallen_fighters_and_has_no_bids() -> None:
    story = begun(*TWO_AND_TWO, options={"initiative": "order"}).given(
        simple(JADE),
        attack(HARGAN, JADE, "cool", "firearms", "0000"),
        apply_(text=TEXT),
    )

    story.when(simple(GATTO)).then_refused("It is Rex's turn. If it is Gatto's: next Gatto.")
    story.when(next_(REX, 1, gatto=2)).then_refused(
        "It goes round the table, without bids (option initiative): next Rex."
    )
    story.given(simple(REX)).when(simple(GATTO)).then(
        claimed(GATTO), declared(GATTO, "simple"), applied(GATTO, "simple", 0)
    )


def test_a_person_who_is_taken_out_acts_no_more() -> None:
    story = begun().given(attack(HARGAN, JADE, "cool", "firearms", "0000"), apply_(text=TEXT))

    story.when(simple(JADE)).then_refused("Jade is taken out.")


# --- what stands in the way -------------------------------------------------------------------------------


def test_an_act_on_the_table_comes_before_the_next() -> None:
    story = begun().given(declare(HARGAN, "attack", thing=GATTO, track="cool", skill="firearms"))

    for command in (simple(JADE), next_(JADE), declare(HARGAN, "simple"), roll(JADE, "0000")):
        story.when(command).then_refused(
            "Hargan's attack on Gatto is announced: roll Hargan, or forfeit Hargan."
        )
    story.given(roll(HARGAN, "00--"), option("applies", "said")).when(simple(JADE)).then_refused(
        "Hargan's attack on Gatto stands at 1 shift: invoke, boost, resist, or apply"
        " (option applies=next: the next act applies it)."
    )
    story.given(roll(HARGAN, "00--")).when(roll(HARGAN, "0000")).then_refused(
        "Hargan's attack on Gatto stands at 1 shift: invoke, boost, resist, or apply."
    )


def test_a_compel_is_answered_before_the_dice() -> None:
    offer = e.CompelOffered(conflict=1, who=GATTO, aspect=GUN_WORDS, by=0, text=TEXT)
    story = begun().given(declare(GATTO, "attack", thing=HARGAN, track="cool"), offer)

    for command in (roll(GATTO, "0000"), forfeit(GATTO), exchange()):
        story.when(command).then_refused(
            f"The game master compels Gatto by “{GUN_WORDS}”: accept Gatto, or refuse Gatto."
        )


def test_play_goes_on_while_a_tale_is_owed() -> None:
    story = begun().given(attack(HARGAN, JADE, "cool", "firearms", "0000"), apply_())

    assert [type(one) for one in story.when(simple(GATTO)).events][:2] == [g.TurnClaimed, g.ActionDeclared]
    assert story.given(simple(GATTO)).when(exchange()).events


def test_a_blocking_tale_is_told_before_any_act() -> None:
    story = begun((GATTO, JADE), (HARGAN,)).given(
        out(GATTO, "cool", 9),
        *told(GATTO, HARGAN),
        attack(HARGAN, JADE, "cool", "firearms", "0000"),
        apply_(),
    )

    for command in (exchange(), free_move(HARGAN, "Aisle")):
        story.when(command).then_refused(
            "Jade is taken out, and Hargan tells what becomes of them: narrate Hargan: how it ends."
        )


def test_an_upgrade_is_paid_for_before_its_roll_is_applied() -> None:
    wired = sheet(GATTO, humanity=3, upgrade__wires="firearms+2/1")
    story = begun(sheets=(wired,)).given(
        attack(GATTO, HARGAN, "cool", "firearms", "++00", upgrade="wires"),
    )

    story.when(apply_()).then_refused(
        "Gatto has 3 humanity stress for wires to take: resist Gatto humanity 3."
    )


# --- letting go -------------------------------------------------------------------------------------------


def test_an_announced_act_may_be_let_go_and_the_turn_with_it() -> None:
    story = begun().given(declare(GATTO, "attack", thing=HARGAN, track="cool"))
    gone = g.ActionForfeited(conflict=1, who=GATTO, why="choice", text=TEXT)

    over = story.when(forfeit(GATTO).but({"text": TEXT})).then(gone)
    story.when(forfeit()).then(gone.but({"text": None}))

    over.when(simple(GATTO)).then_refused("Gatto has acted in this exchange; to go on: next Jade.")
    over.when(free_move(GATTO, "Aisle")).then_refused("Gatto's turn is over.")
    assert GATTO not in state(over).done


def test_what_is_not_announced_or_is_rolled_is_not_let_go() -> None:
    story = begun()

    story.when(forfeit(GATTO)).then_refused(
        "No act is announced that could be forfeited; who waits does it by: simple NAME."
    )
    story = story.given(declare(GATTO, "attack", thing=HARGAN, track="cool"))
    story.when(forfeit(HARGAN)).then_refused(
        "Gatto's attack on Hargan is announced: roll Gatto, or forfeit Gatto."
    )
    story.given(roll(GATTO, "0000")).when(forfeit(GATTO)).then_refused(
        "Gatto's attack on Hargan is rolled already, and ends by apply."
    )


def test_forfeiting_a_continued_defence_ends_it() -> None:
    story = after_one_exchange(
        defend(GATTO, "cool", "firearms", "+++0"), apply_(), *waits(JADE, HARGAN)
    ).given(declare(GATTO, "continue"))

    story.when(forfeit(GATTO)).then(
        g.ActionForfeited(conflict=1, who=GATTO, why="choice"), reverted(GATTO, GATTO, "cool", 3)
    )


# --- interruptions ----------------------------------------------------------------------------------------


def test_a_solo_interrupts_by_moving_away_and_the_maneuver_needs_as_much_more() -> None:
    """ED-20: range 0 becomes 3, so a maneuver that stood at 3 stands at 0."""
    story = begun((GATTO,), (HARGAN, REX), passes=(1, 1, 1), zones=("Dock", "Aisle", "Office", "Roof"))
    story = story.given(maneuver(GATTO, REX, "Blind with steam", "firearms", "+000"))

    story = story.when(
        move(REX, "Aisle", "Office", "Roof", skill="athletics", faces="0-00", interrupt=True)
    ).then(
        declared(REX, "move", "athletics", 4, path=path("Aisle", "Office", "Roof"), interrupt=True),
        rolled(REX, "0-00"),
        shifts(REX, 3, dice=-1, level=4),
    )
    moved = g.Moved(conflict=1, who=REX, start="Dock", path=("Aisle", "Office", "Roof"), spent=3)
    story = story.when(apply_()).then(
        applied(REX, "move", 3), moved, shifts(GATTO, 0, dice=1, level=2, range=-3)
    )
    story = story.when(apply_()).then(
        applied(GATTO, "maneuver", 0),
        g.AspectPlaced(
            conflict=1,
            aspect=4,
            on=REX,
            wording="Blind with steam",
            how="maneuver",
            by=GATTO,
            free=0,
            shifts=0,
        ),
    )
    assert state(story).acted == {GATTO, REX}


def test_what_was_only_announced_is_rolled_when_the_interruption_is_over() -> None:
    story = begun((GATTO,), (HARGAN, REX)).given(
        next_(GATTO, 1, hargan=0), declare(GATTO, "attack", thing=REX, track="cool", skill="firearms")
    )

    story = story.when(move(REX, "Aisle", skill="athletics", faces="0000", interrupt=True)).then(
        declared(REX, "move", "athletics", 4, path=path("Aisle"), interrupt=True),
        rolled(REX, "0000"),
        shifts(REX, 4, level=4),
    )
    moved = g.Moved(conflict=1, who=REX, start="Dock", path=("Aisle",), spent=1)
    story = story.when(apply_()).then(applied(REX, "move", 4), moved)
    story.when(roll(GATTO, "0000")).then(rolled(GATTO, "0000"), shifts(GATTO, 0, level=2, bid=-1, range=-1))


def test_a_solo_may_interrupt_a_turn_before_its_act() -> None:
    story = begun((GATTO,), (HARGAN, REX)).given(next_(GATTO))

    story = story.given(attack(REX, GATTO, "cool", "firearms", "--00", interrupt=True))
    story.given(apply_()).when(simple(GATTO)).then(declared(GATTO, "simple"), applied(GATTO, "simple", 0))


def test_a_fighter_taken_out_by_an_interruption_forfeits_the_act() -> None:
    story = begun(*TWO_AND_TWO).given(
        attack(GATTO, HARGAN, "cool", "firearms", "++++"),
        attack(REX, GATTO, "cool", "firearms", "0000", interrupt=True),
    )

    story = story.when(apply_(text=TEXT)).then(
        applied(REX, "attack", 4),
        out(GATTO, "cool", 4, by=REX, beyond=1),
        *told(GATTO, REX),
        g.ActionForfeited(conflict=1, who=GATTO, why="out"),
    )
    story.when(simple(JADE)).then(claimed(JADE), declared(JADE, "simple"), applied(JADE, "simple", 0))


def test_a_fighter_taken_out_before_declaring_holds_no_turn() -> None:
    story = begun(*TWO_AND_TWO).given(
        next_(GATTO), attack(REX, GATTO, "cool", "firearms", "0000", interrupt=True), apply_(text=TEXT)
    )

    assert state(story).turn is None
    story.when(simple(JADE)).then(claimed(JADE), declared(JADE, "simple"), applied(JADE, "simple", 0))


def test_nothing_comes_of_an_act_whose_target_an_interruption_has_taken_out() -> None:
    story = begun(*TWO_AND_TWO).given(
        attack(GATTO, REX, "cool", "firearms", "0000"),
        sheet(JADE, role="solo", shooting=5),
        attack(JADE, REX, "cool", "shooting", "0000", interrupt=True),
    )
    story = story.when(apply_(text=TEXT)).then(
        applied(JADE, "attack", 5),
        out(REX, "cool", 5, by=JADE, beyond=3),
        *told(REX, JADE),
        shifts(GATTO, 2, level=2),
    )
    story.when(apply_()).then(applied(GATTO, "attack", 2))


def test_the_conflict_ends_with_the_last_of_a_side_even_over_an_open_act() -> None:
    story = begun((GATTO,), (HARGAN, REX), sheets=(sheet(GATTO, cool=1),)).given(
        attack(GATTO, HARGAN, "cool", "firearms", "0000"),
        attack(REX, GATTO, "cool", "firearms", "0000", interrupt=True),
    )

    story.when(apply_(text=TEXT)).then(
        applied(REX, "attack", 4),
        out(GATTO, "cool", 4, by=REX, beyond=3),
        *told(GATTO, REX),
        g.ActionForfeited(conflict=1, who=GATTO, why="out"),
        ended(HARGAN),
    )


def test_who_cannot_interrupt() -> None:
    story = begun(*TWO_AND_TWO)
    interrupting = attack(HARGAN, GATTO, "cool", "firearms", "0000", interrupt=True)
    rex = attack(REX, GATTO, "cool", "firearms", "0000", interrupt=True)

    story.when(rex).then_refused("No act is open for Rex to interrupt: leave out --interrupt.")
    acting = story.given(attack(GATTO, HARGAN, "cool", "firearms", "0000"))
    acting.when(interrupting).then_refused(
        "Hargan is no solo (role=solo on the sheet), and only a solo interrupts."
    )
    acting.given(rex).when(rex).then_refused("Rex is acting already.")
    story.given(next_(REX)).when(rex).then_refused("Rex is acting already.")
    story.given(simple(REX), next_(GATTO)).when(rex).then_refused("Rex has acted in this exchange.")
    both = story.given(sheet(GATTO, role="solo"), attack(GATTO, HARGAN, "cool", "firearms", "0000"))
    both.when(rex).then_refused("Gatto is a solo too, and cannot be interrupted.")
