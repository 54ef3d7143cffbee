"""What is prepared in secret: who may know of it, what shows it, and proof of a revealed roll."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import retold
from retold.games.homebrew import events as h
from retold.journal import line as line_
from retold.journal.language.moments import FORMS
from retold.journal.language.scripting import script_of
from retold.journal.refused import Refused
from retold.journal.store.caches.projection_cache import (
    changes_tables,
    is_possibly_hidden,
    possibly_hidden_positions,
)
from retold.journal.store.events.codec import Recorded, decode
from retold.journal.store.verify import verify, verify_chance, verify_rules
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.retcon import carry_out, plan_retcon
from retold.journal.table import Table
from retold.journal.visibility import VisibleTo, common_audience, is_secret_number, next_number
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Words
from retold.outcome import Outcome
from retold.projections.reading import EVERYBODY, LineView
from retold.projections.views import ask
from retold.scribe import Scribe

EVENING = """game d20
cast Ana by=Jo str=3 dex=1 health=9
cast Bo by=Kit dex=2 health=6
session One
cast Ogre str=5
"""
ANA, JO, BO, KIT, OGRE = 1, 2, 3, 4, 5
ARRIVAL, SHEET = 14, 15
"""The first position after the evening, where somebody comes in in secret, and their sheet's."""
VILLAIN = next_number((), "gm", name="assassin")
"""The number of an assassin whom the game master alone knows."""


@pytest.fixture
def scribe(tmp_path: Path) -> Iterator[Scribe]:
    with CampaignStore.create(tmp_path / "a.retold") as campaign:
        made = Scribe(campaign, 1)
        for line in EVENING.splitlines():
            made.say(line)
        yield made


def recorded(scribe: Scribe, outcome: Outcome) -> list[tuple[Event | object, VisibleTo]]:
    """The events of an act, each with who may see it."""
    done = outcome.done
    assert done is not None
    rows = scribe.campaign.record.rows(scribe.line, done.first - 1, done.last)
    return [(one.event, one.envelope.visible_to) for one in map(decode, rows)]


def said(scribe: Scribe, line: str) -> list[tuple[Event | object, VisibleTo]]:
    return recorded(scribe, scribe.say(line))


def refusal(scribe: Scribe, line: str) -> str:
    before = list(scribe.campaign.record.everything())
    with pytest.raises(Refused) as refused:
        scribe.say(line)
    assert list(scribe.campaign.record.everything()) == before
    return refused.value.sentence


def known(scribe: Scribe, name: str = "table") -> LineView:
    return scribe.seen_by(name)


def names(scribe: Scribe, viewer: str = "table") -> list[str]:
    return [one.called for one in known(scribe, viewer).table.everybody()]


# --- people and sheets ------------------------------------------------------------------------------------


def test_only_the_game_master_knows_a_person_cast_in_secret(scribe: Scribe) -> None:
    baron = next_number((), "gm", name="baron")
    assert said(scribe, "cast Baron --gm health=22: The real murderer") == [
        (e.CastIntroduced(person=baron, name=Words("Baron")), "gm"),
        (e.Described(person=baron, text=Words("The real murderer")), "gm"),
        (e.SheetChanged(person=baron, system="homebrew", values={"health": 22}), "gm"),
    ]
    assert "Baron" in names(scribe, "gm")
    assert "Baron" not in names(scribe)


def test_a_person_cast_for_some_viewers_is_known_to_them(scribe: Scribe) -> None:
    scribe.say("cast Ghost --to Bo")

    assert "Ghost" in names(scribe, "Bo")
    assert "Ghost" in names(scribe, "Kit")  # who plays Bo
    assert "Ghost" not in names(scribe, "Ana")


def test_secret_people_leave_no_gap_in_the_numbers(scribe: Scribe) -> None:
    scribe.say("cast Baron --gm")
    scribe.say("cast Ghost --to Bo")
    scribe.say("cast Wolf")

    assert scribe.table.called("Wolf") == OGRE + 1
    assert scribe.table.called("Ghost") == next_number((), (BO,), name="ghost")


@pytest.mark.parametrize("visible_to", ["gm", (1,), (1, 2), (7,)])
def test_G1_a_secret_number_follows_from_the_name_and_not_from_other_secrets(visible_to: VisibleTo) -> None:
    baron = next_number(range(9), visible_to, name="baron")
    widow = next_number((baron, *range(9)), visible_to, name="widow")

    assert is_secret_number(baron)
    assert baron < 2**53
    assert widow == next_number((), visible_to, name="widow") != baron
    assert next_number((baron,), visible_to, name="baron") == baron + 1
    assert next_number((), (8, 9), name="baron") != baron
    assert next_number((baron, *range(9))) == 9


def test_G1_an_act_decided_again_takes_the_numbers_that_it_has_in_the_record() -> None:
    """In records of before, secret people and clocks are counted."""
    before = next_number((), "gm", name="baron") // 2**20 * 2**20
    recorded = (7, before, before + 1)

    assert next_number((), "gm", "", "baron", recorded) == before
    assert next_number((before,), "gm", "", "baron", recorded) == before + 1
    assert next_number((), (1,), "", "baron", recorded) == next_number((), (1,), "", "baron")


def test_the_order_in_which_people_are_named_makes_no_other_audience() -> None:
    assert next_number((), (1, 2)) == next_number((), (2, 1))


def test_a_known_persons_sheet_and_its_values_may_be_secret(scribe: Scribe) -> None:
    scribe.say("cast Troll")
    scribe.say("cast Troll --gm health=30")

    assert said(scribe, "hp Troll -5") == [
        (h.TrackChanged(who=OGRE + 1, track="hp", was=30, now=25, most=30), "gm")
    ]
    assert said(scribe, "cast Troll str=4") == [
        (e.SheetChanged(person=OGRE + 1, system="homebrew", values={"str": 4}), "gm")
    ]
    assert "Troll" in names(scribe)


@pytest.mark.parametrize(
    "line",
    ["cast Ana str=9 --gm", "hp Ana -1 --gm", 'clock "The tide" +1 --gm', 'clock "The tide" done --to Bo'],
)
def test_a_public_value_cannot_be_changed_in_secret(scribe: Scribe, line: str) -> None:
    scribe.say('clock "The tide" 4')

    assert refusal(scribe, line) == (
        "This is public, so a change of it cannot be secret: leave out --gm and --to."
    )


def test_a_new_track_may_be_begun_in_secret(scribe: Scribe) -> None:
    scribe.say("track Ana corruption 1/6 --gm")

    assert said(scribe, "track Ana corruption +1")[0][1] == "gm"
    assert said(scribe, "hp Ana -1")[0][1] == "table"


# --- clocks -----------------------------------------------------------------------------------------------


def test_a_secret_clock_ticks_in_secret_and_leaves_no_gap(scribe: Scribe) -> None:
    number = next_number((), "gm", "clock ", "the baron runs")
    words = Words("The Baron runs")

    assert said(scribe, 'clock "The Baron runs" 6 --gm') == [
        (h.ClockStarted(clock=number, name=words, segments=6), "gm")
    ]
    assert said(scribe, 'clock "The Baron runs" +1') == [
        (h.ClockTicked(clock=number, name=words, was=0, now=1, segments=6), "gm")
    ]
    assert said(scribe, 'clock "The tide" 4') == [
        (h.ClockStarted(clock=1, name=Words("The tide"), segments=4), "table")
    ]


def test_a_clock_and_a_person_who_are_secret_have_two_numbers(scribe: Scribe) -> None:
    scribe.say("cast Assassin --gm")
    ((started, _),) = said(scribe, 'clock "The Baron runs" 6 --gm')
    scribe.say('reveal "The Baron runs" --to Bo')

    assert isinstance(started, h.ClockStarted)
    assert started.clock != VILLAIN
    assert [one.name for one in ask("secrets", known(scribe, "Bo")).secrets] == ["The Baron runs"]  # type: ignore[attr-defined]


# --- conflicts --------------------------------------------------------------------------------------------


def test_viewers_see_sides_without_a_hidden_ambusher(scribe: Scribe) -> None:
    scribe.say("cast Assassin --gm")
    scribe.say("conflict Ambush homebrew Ana+Bo vs Assassin+Ogre")

    assert scribe.table.conflicts[1].sides == ((ANA, BO), (OGRE, VILLAIN))
    assert known(scribe).table.conflicts[1].sides == ((ANA, BO), (OGRE,))


def test_the_flag_on_a_public_conflict_hides_only_newcomers(scribe: Scribe) -> None:
    (cast, visible_to), (opened, open_to) = said(scribe, "conflict Ambush homebrew Ana vs Ogre+Assassin --gm")

    assert isinstance(cast, e.CastIntroduced)
    assert isinstance(opened, e.ConflictOpened)
    assert (visible_to, open_to) == ("gm", "table")
    assert known(scribe).table.conflicts[1].sides == ((ANA,), (OGRE,))


def test_a_conflict_of_secret_people_alone_is_refused(scribe: Scribe) -> None:
    assert refusal(scribe, "conflict Plot homebrew Baron vs Assassin --gm") == (
        "All people in this conflict are secret: name a public one as well."
    )


def test_a_flag_that_hides_no_person_is_refused(scribe: Scribe) -> None:
    assert refusal(scribe, "conflict Brawl homebrew Ana vs Ogre --gm") == (
        "All people in this conflict are public, so --gm has nothing to hide: leave it out,"
        " or cast one of them in secret first (cast NAME --gm)."
    )


def test_bookkeeping_reveals_no_secret_person(scribe: Scribe) -> None:
    scribe.say("cast Assassin --gm health=8")
    scribe.say("conflict Ambush homebrew Ana vs Ogre+Assassin")
    for line in ("initiative Assassin 17", "turn Assassin", "hp Assassin -3", "note Assassin: Bleeds."):
        scribe.say(line)

    assert "Assassin" not in names(scribe)
    assert [one.event for one in known(scribe).recorded(ARRIVAL)] == [
        e.ConflictOpened(conflict=1, system="homebrew", sides=((ANA,), (OGRE,)), title=Words("Ambush"))
    ]


# --- acting -----------------------------------------------------------------------------------------------


@pytest.fixture
def ambush(scribe: Scribe) -> Scribe:
    """Somebody secret at 14, with a sheet at 15."""
    scribe.say("cast Assassin --gm str=4 health=8")
    assert scribe.writer.head.position == SHEET
    return scribe


def test_a_person_who_acts_in_the_open_is_known_from_then_on(ambush: Scribe) -> None:
    assert said(ambush, "say Assassin: Good evening.") == [
        (e.Shown(about=ARRIVAL, person=VILLAIN), "table"),
        (e.Said(who=VILLAIN, text=Words("Good evening.")), "table"),
    ]
    assert "Assassin" in names(ambush)
    assert known(ambush).table.shelves["homebrew"].sheets.keys() == {ANA, BO, OGRE}  # type: ignore[attr-defined]


def test_checked_it_is_as_open_as_it_would_be(ambush: Scribe) -> None:
    outcome = ambush.say("say Assassin --check: Good evening.")

    assert outcome.visible_to == ("table", "table")
    assert "Assassin" not in names(ambush)


def test_their_sheet_too_where_the_table_has_chosen_so(ambush: Scribe) -> None:
    ambush.say("option table.acting=sheet")

    assert said(ambush, "say Assassin: Good evening.")[:2] == [
        (e.Shown(about=ARRIVAL, person=VILLAIN), "table"),
        (e.Shown(about=SHEET, person=VILLAIN, sheet=True), "table"),
    ]


def test_an_undo_hides_them_again(ambush: Scribe) -> None:
    ambush.say("say Assassin: Good evening.")
    ambush.say("undo")

    assert "Assassin" not in names(ambush)


def test_an_open_act_reveals_the_people_it_names(ambush: Scribe) -> None:
    assert said(ambush, "roll Ana d20 vs Assassin = 12")[0] == (
        e.Shown(about=ARRIVAL, person=VILLAIN),
        "table",
    )


def test_drawing_reveals_a_secret_person_and_their_decks_owner(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "b.retold") as campaign:
        made = Scribe(campaign, 1)
        for line in (
            "cast Ana bruise clubs=3 by=Jo",
            "cast Zed bruise clubs=2",
            "session One",
            "conflict bruise Ana vs Zed",
            "cast Assassin by=Kit --gm",
            "declare Ana: I run.",
            "declare Zed: So do I.",
            "join Assassin with Zed --gm",
        ):
            made.say(line)
        introduced = next(one for one in made.table.everybody() if one.called == "Assassin").id
        player = made.table.people[introduced].player
        made.say("draw Assassin 3")

        assert {"Assassin", "Kit"} <= set(names(made))
        assert known(made).table.people[introduced].player == player
        drawn = [one.event for one in known(made).recorded(kinds=(e.CardsDrawn.kind,))]
        assert [getattr(one, "deck", None) for one in drawn] == [f"bruise:{player}"]


def test_an_act_may_stay_in_secret(ambush: Scribe) -> None:
    ambush.say("say Assassin --gm: Not yet.")

    assert "Assassin" not in names(ambush)


@pytest.mark.parametrize(
    "line", ["join Assassin --gm: Out of the cellar.", "leave Assassin: Back into the cellar."]
)
def test_secret_people_come_and_go_unheard(ambush: Scribe, line: str) -> None:
    ambush.say("conflict homebrew Ana vs Ogre")
    before = [one.position for one in known(ambush).recorded()]
    ambush.say("join Assassin --gm" if line.startswith("leave") else "note --gm: Now.")
    ambush.say(line)

    assert [one.position for one in known(ambush).recorded()] == before
    ambush.say("reveal Assassin")
    assert len([*known(ambush).recorded()]) > len(before)


def test_only_known_newcomers_are_seen(ambush: Scribe) -> None:
    ambush.say("conflict homebrew Ana vs Ogre")
    ambush.say("join Assassin+Bo: Together.")

    (joined,) = known(ambush).recorded(kinds=(e.Joined.kind,))
    assert isinstance(joined.event, e.Joined)
    assert joined.event.people == (BO,)


def test_words_said_in_secret_stay_so_when_their_speaker_is_revealed(ambush: Scribe) -> None:
    ambush.say("cast Pim bruise clubs=2")
    ambush.say("conflict bruise Pim vs Ana+Assassin")
    ambush.say("declare Assassin --gm: I poison the well.")
    ambush.say("reveal Assassin")

    assert [*known(ambush).recorded(kinds=(e.Declared.kind,))] == []


def test_asked_first_nothing_is_shown_without_an_answer(ambush: Scribe) -> None:
    ambush.say("option table.acting=ask")

    assert refusal(ambush, "say Assassin: Good evening.") == (
        "Assassin is in the cast in secret. To show them to all first: reveal Assassin."
        " To act unseen: say it with --gm."
    )


@pytest.mark.parametrize(("answer", "shown"), [("y", True), ("n", False)])
def test_asked_first_a_yes_shows_them(ambush: Scribe, answer: str, shown: bool) -> None:
    ambush.say("option table.acting=ask")
    asked: list[str] = []

    def consult(question: str) -> str:
        asked.append(question)
        return answer

    ambush.consult = consult
    if shown:
        ambush.say("say Assassin: Good evening.")
    else:
        with pytest.raises(Refused):
            ambush.say("say Assassin: Good evening.")

    assert ("Assassin" in names(ambush)) is shown
    assert asked[0].endswith("Show Assassin to everyone now? [y/n]")


# --- dice -------------------------------------------------------------------------------------------------


def test_a_roll_behind_the_screen_is_sealed_and_told_as_that(scribe: Scribe) -> None:
    assert said(scribe, "roll Ogre d20+2 vs 12 --gm = 15") == [
        (e.DiceRolled(who=OGRE, dice="1d20", faces=(15,)), "gm"),
        (e.TotalReached(who=OGRE, throw="1d20+2", total=17, goal=12, margin=5), "gm"),
        (e.RolledInSecret(what="roll", sealed=Words("1d20: 15; total 17")), "table"),
    ]
    (seen,) = known(scribe).recorded(13)
    assert isinstance(seen.event, e.RolledInSecret)
    assert seen.event.shown().sealed == Words(None)


def test_a_program_is_not_given_what_is_sealed(tmp_path: Path) -> None:
    with retold.new(tmp_path / "a.retold") as campaign:
        campaign.play(f"{EVENING}roll Ogre d20+2 vs 12 --gm = 15")
        rolled = campaign.seen_by("table").happened()[-1]

    assert rolled.event == e.RolledInSecret(what="roll", sealed=Words(None))


def test_a_total_alone_is_rolled_too(scribe: Scribe) -> None:
    assert said(scribe, "roll Ogre d20+2 --gm = total 17")[-1] == (
        e.RolledInSecret(what="roll", sealed=Words("total 17")),
        "table",
    )


def test_no_card_is_drawn_in_secret(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "b.retold") as campaign:
        made = Scribe(campaign, 1)
        for line in (
            "cast Ana bruise clubs=3",
            "cast Zed bruise clubs=2",
            "session One",
            "conflict bruise Ana vs Zed",
        ):
            made.say(line)

        assert refusal(made, "draw Ana 2 --gm").startswith(
            "This draw counts in the conflict, and all can see"
        )


def test_a_silent_table_gets_no_notice_of_secret_rolls(scribe: Scribe) -> None:
    scribe.say("option table.screen=silent")

    assert {visible_to for _, visible_to in said(scribe, "roll Ogre d20 --gm = 15")} == {"gm"}


def test_a_move_behind_the_screen_marks_no_open_track(scribe: Scribe) -> None:
    assert [visible_to for _, visible_to in said(scribe, "roll Ogre check dex vs 12 --gm = 15")] == [
        *("gm", "gm", "gm"),
        "table",
    ]


NO_AC = (
    "The table does not know Ogre's ac: vs Ogre NUMBER gives it, cast Ogre ac=NUMBER keeps it,"
    " reveal Ogre --sheet shows a hidden one."
)


@pytest.mark.parametrize("sheet", ["cast Ogre cha=1 --gm", "cast Ogre ac=14 --gm"])
def test_N7_an_open_roll_against_a_secret_number_is_refused_as_where_there_is_none(
    tmp_path: Path, sheet: str
) -> None:
    with CampaignStore.create(tmp_path / "b.retold") as campaign:
        made = Scribe(campaign, 1)
        for line in ("game d20", "cast Ana str=3", "cast Ogre", sheet):
            made.say(line)

        assert refusal(made, "roll Ana attack str vs Ogre = 12") == NO_AC


def test_N7_a_roll_behind_the_screen_is_against_a_secret_number(scribe: Scribe) -> None:
    scribe.say("cast Troll")
    scribe.say("cast Troll --gm ac=14 health=9")

    *rolled, (made, eyes) = said(scribe, "roll Ana attack str vs Troll --gm = 12")[:3]
    assert rolled[1] == (e.TotalReached(who=ANA, throw="1d20+3[str]", total=15, goal=14, margin=1), "gm")
    assert isinstance(made, h.MoveMade)
    assert (made.target, made.against, eyes) == (OGRE + 1, "ac", "gm")


def test_wish_7_what_an_open_roll_takes_off_a_secret_track_is_as_secret(scribe: Scribe) -> None:
    scribe.say("cast Ogre ac=9")
    scribe.say("track Ogre hp 8/8 --gm")

    *_, (total, open_), (taken, hidden) = said(scribe, "roll Ana attack str vs Ogre damage 1d6 = 12 4")
    assert (type(total), open_) == (e.TotalReached, "table")
    assert (taken, hidden) == (
        h.TrackChanged(who=OGRE, track="hp", was=8, now=4, most=8, move="attack", by=ANA),
        "gm",
    )


def test_wish_7_secret_damage_changes_no_public_track(scribe: Scribe) -> None:
    scribe.say("cast Bo ac=9")

    done = said(scribe, "roll Ogre attack str vs Bo damage 1d6 --gm = 12 4")
    assert not any(isinstance(one, h.TrackChanged) for one, _ in done)
    assert {visible_to for _, visible_to in done[:-1]} == {"gm"}


def test_wish_9_a_secret_condition_counts_in_no_open_roll(scribe: Scribe) -> None:
    scribe.say("status Ogre poisoned --gm")

    (_, (reached, _), _) = said(scribe, "roll Ogre check str vs 12 = 12")
    assert isinstance(reached, e.TotalReached)
    assert reached.throw == "1d20+5[str]"
    (_, (reached, _), *_) = said(scribe, "roll Ogre check str vs 12 --gm = 12 3")
    assert isinstance(reached, e.TotalReached)
    assert reached.throw == "2d20kl1+5[str]"
    assert said(scribe, "status Ogre poisoned off") == [
        (h.ConditionChanged(who=OGRE, condition="poisoned", on=False), "gm")
    ]


def test_wish_8_what_a_rest_does_to_what_is_secret_is_as_secret(scribe: Scribe) -> None:
    scribe.say("status Ogre poisoned --gm")
    scribe.say("track Ogre hp 2/8 --gm")

    assert said(scribe, "rest long Ogre") == [
        (h.Rested(people=(OGRE,), rest="long"), "table"),
        (h.TrackChanged(who=OGRE, track="hp", was=2, now=8, most=8, rest="long"), "gm"),
        (h.ConditionChanged(who=OGRE, condition="poisoned", on=False, rest="long"), "gm"),
    ]


def test_no_open_throw_waits_for_a_hidden_one_or_is_answered_by_it(scribe: Scribe) -> None:
    scribe.say("roll Ogre d20 vs Ana --gm = 15")
    (_, reached) = [event for event, _ in said(scribe, "roll Ana d20 vs Ogre = 12")]
    assert isinstance(reached, e.TotalReached)
    assert reached.margin is None

    scribe.say("roll Ogre d20 vs Ana --gm = 3")
    (_, reached) = [event for event, _ in said(scribe, "roll Ogre d20 vs Ana = 4")]
    assert isinstance(reached, e.TotalReached)
    assert reached.margin == -8


def test_a_revealed_roll_is_proved_to_be_the_sealed_one(scribe: Scribe) -> None:
    scribe.say("roll Ogre d20 --gm = 15")
    outcome = scribe.say("reveal 14")

    assert [event for event, _ in recorded(scribe, outcome)] == [e.Revealed(about=ARRIVAL)]
    row = scribe.campaign.record.row(1, 15)
    assert row is not None
    about, proof = outcome.said
    assert about.endswith("15 (roll Ogre d20 --gm = 15).")
    assert proof.startswith("Sealed when it was rolled: “1d20: 15”, salt ")
    assert proof.removesuffix(".").rpartition(" ")[2] in row.body


def test_an_open_result_is_no_other_because_of_a_roll_behind_the_screen(tmp_path: Path) -> None:
    def open_rolls(path: Path, *between: str) -> list[tuple[Event, ...]]:
        with CampaignStore.create(path, seed=b"of both") as campaign:
            campaign.seed = b"of both"
            made = Scribe(campaign, 1)
            for line in EVENING.splitlines():
                made.say(line)
            found = []
            for _ in range(4):
                for line in between:
                    made.say(line)
                done = made.say("roll Ana 3d20").done
                assert done is not None
                found.append(done.events)
            assert verify_chance(campaign.record, b"of both", 1).proved
            return found

    assert open_rolls(tmp_path / "a") == open_rolls(
        tmp_path / "b", "roll Ogre d20 --gm", "roll Ana 2d20 --to Bo"
    )


# --- revealing --------------------------------------------------------------------------------------------


def test_reveal_by_name_leaves_the_sheet_hidden(ambush: Scribe) -> None:
    assert said(ambush, "reveal assassin") == [(e.Revealed(about=ARRIVAL), "table")]
    assert "Assassin" in names(ambush)


def test_or_with_it(ambush: Scribe) -> None:
    ambush.say("hp Assassin -3")

    assert [event for event, _ in said(ambush, "reveal Assassin --sheet")] == [
        *(e.Revealed(about=ARRIVAL), e.Revealed(about=SHEET), e.Revealed(about=SHEET + 1))
    ]


def test_a_sheet_may_be_revealed_later(ambush: Scribe) -> None:
    ambush.say("say Assassin: Good evening.")
    ambush.say("hp Assassin -3")

    assert [event for event, _ in said(ambush, "reveal Assassin --sheet")] == [
        *(e.Revealed(about=SHEET), e.Revealed(about=SHEET + 3))
    ]


def test_to_some_they_are_revealed_to_them_alone(ambush: Scribe) -> None:
    ambush.say("reveal Assassin --to Bo")

    assert "Assassin" in names(ambush, "Kit")
    assert "Assassin" not in names(ambush, "Ana")
    assert "Assassin" not in names(ambush)


def test_a_clock_is_revealed_by_name_with_all_its_ticks(scribe: Scribe) -> None:
    scribe.say('clock "The Baron runs" 6 --gm')
    scribe.say('clock "The Baron runs" +2')

    assert [event for event, _ in said(scribe, 'reveal "the baron runs"')] == [
        *(e.Revealed(about=ARRIVAL), e.Revealed(about=SHEET))
    ]
    assert said(scribe, 'clock "The Baron runs" +1')[0][1] == "table"


def test_a_thread_is_revealed_by_name(scribe: Scribe) -> None:
    scribe.say('thread "Who paid" --gm: The Baron.')
    scribe.say('thread "Who paid": In gold.')
    scribe.say('reveal "Who paid"')

    assert len(list(known(scribe).recorded(kinds=("table.matter-noted",)))) == 1


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("reveal Asassin", "Nothing secret is called Asassin. Did you mean Assassin?"),
        (
            "reveal Nobody",
            f"There is no moment “Nobody”. {FORMS} Nothing secret is called so either: see show secrets.",
        ),
        ("reveal 17", "It is hidden at 17 because Assassin is secret: reveal Assassin."),
        ("reveal 12", "Nothing is hidden at 12: all may see it."),
    ],
)
def test_what_is_not_there_to_reveal_is_refused_with_the_way_on(
    ambush: Scribe, line: str, sentence: str
) -> None:
    ambush.say("conflict Ambush homebrew Ana vs Ogre+Assassin")
    ambush.say("initiative Assassin 17")

    assert refusal(ambush, line) == sentence


# --- the record -------------------------------------------------------------------------------------------

PREPARED = (
    "cast Assassin --gm str=4 health=8: Waits",
    "cast Ghost --to Bo",
    'clock "The Baron runs" 6 --gm',
    "conflict Ambush homebrew Ana vs Ogre+Assassin+Wolf --gm",
    "initiative Assassin 17",
    "turn",
    "roll Ogre check dex vs 12 --gm = 15",
    "hp Assassin -3",
    'clock "The Baron runs" +1',
    "roll Assassin attack str vs 11 = 18",
    "hp Assassin -1",
    "reveal Assassin --sheet",
    "end conflict",
)


@pytest.fixture
def prepared(scribe: Scribe) -> Scribe:
    for line in PREPARED:
        scribe.say(line)
    return scribe


def all_recorded(campaign: CampaignStore, line: int = 1) -> list[tuple[object, VisibleTo]]:
    rows = campaign.record.rows(line, 1)
    return [(one.event, one.envelope.visible_to) for one in map(decode, rows)]


def test_it_is_whole_and_decided_the_same_way_again(prepared: Scribe) -> None:
    assert verify(prepared.campaign.record).whole
    assert list(verify_rules(prepared.campaign, 1)) == []


def test_its_script_says_the_same_for_the_same_people(prepared: Scribe, tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "again.retold") as again:
        made = Scribe(again, 1)
        for line in script_of(prepared.campaign, 1):
            if line.strip() and not line.startswith("#"):
                made.say(line)

        assert all_recorded(again) == all_recorded(prepared.campaign)


def test_retold_on_another_line_it_is_as_secret_there(prepared: Scribe) -> None:
    before = [one for one in all_recorded(prepared.campaign) if not isinstance(one[0], e.Revealed | e.Shown)]
    at = next(
        one.position for one in prepared.campaign.record.rows(1, 1) if one.kind == "table.session-opened"
    )
    carried = plan_retcon(prepared.writer, at, c.OpenSession(title=Words("One")))
    line = carry_out(carried, "other")

    own = prepared.campaign.record.rows(line, at)
    after = [(one.event, one.envelope.visible_to) for one in map(decode, own)]
    assert [one for one in after if not isinstance(one[0], e.Revealed | e.Shown)] == before[at - 2 :]
    assert "Assassin" in [
        one.called for one in LineView(prepared.campaign, line, None, EVERYBODY).table.everybody()
    ]


@pytest.mark.parametrize("narrow", [common_audience, lambda one, other: common_audience(other, one)])
def test_two_audiences_share_those_who_are_in_both(
    narrow: Callable[[VisibleTo, VisibleTo], VisibleTo],
) -> None:
    assert narrow("table", (1, 2)) == (1, 2)
    assert narrow((1, 2), (2, 3)) == (2,)
    assert narrow("gm", (1,)) == "gm"
    assert narrow((1,), (2,)) == "gm"


def test_the_whole_table_folds_nothing_hidden(prepared: Scribe) -> None:
    """As somebody reads it who looks at every moment, and as somebody who asks for the end alone."""
    reading = LineView(prepared.campaign, 1, viewer=EVERYBODY)
    *_, last = reading.moments()

    assert last.kept().people == reading.table.people


# --- what is secret now -----------------------------------------------------------------------------------


def test_the_game_master_is_shown_what_is_secret_and_how_to_reveal_it(prepared: Scribe) -> None:
    lines = ("cast Baron --gm", 'thread "Who paid" --gm: He.', "track Ana corruption 1/6 --gm")
    for line in (*lines, "cast Wolf --gm str=2"):
        prepared.say(line)
    sheet = {"sort": "sheet", "name": "Wolf: A d20 and a number", "line": "reveal Wolf --sheet"}
    sheet["visible_to"] = "gm"

    assert ask("secrets", prepared.seen_by("gm")).to_json()["secrets"] == [
        {"sort": "person", "name": "Ghost", "visible_to": ["Bo"], "line": "reveal Ghost"},
        {"sort": "clock", "name": "The Baron runs", "visible_to": "gm", "line": 'reveal "The Baron runs"'},
        {"sort": "person", "name": "Wolf", "visible_to": "gm", "line": "reveal Wolf"},
        {"sort": "person", "name": "Baron", "visible_to": "gm", "line": "reveal Baron"},
        {"sort": "track", "name": "Ana: corruption", "visible_to": "gm", "line": "reveal Ana --sheet"},
        {
            "sort": "sheet",
            "name": "Wolf: A d20 and a number",
            "visible_to": "gm",
            "line": "reveal Wolf --sheet",
        },
        {"sort": "thread", "name": "Who paid", "visible_to": "gm", "line": 'reveal "Who paid"'},
    ]
    for secret in ask("secrets", prepared.seen_by("gm")).to_json()["secrets"]:
        prepared.say(secret["line"])
    assert ask("secrets", prepared.seen_by("gm")).to_json()["secrets"] == []


def test_viewers_see_only_the_secrets_they_share(prepared: Scribe) -> None:
    ghost = {"sort": "person", "name": "Ghost", "visible_to": ["Bo"], "line": None}

    assert ask("secrets", prepared.seen_by("Kit")).to_json()["secrets"] == [ghost]
    assert ask("secrets", prepared.seen_by("table")).to_json()["secrets"] == []


def test_S10_a_note_for_some_is_listed_with_the_line_that_reveals_it(scribe: Scribe) -> None:
    scribe.say("note --to Bo: The bell is yours.")
    scribe.say("note: The priest lied.")

    [note] = ask("secrets", scribe.seen_by("gm")).to_json()["secrets"]
    assert (note["sort"], note["name"], note["visible_to"]) == ("note", "The bell is yours.", ["Bo"])
    assert [one["line"] for one in ask("secrets", scribe.seen_by("Bo")).to_json()["secrets"]] == [None]
    assert ask("secrets", scribe.seen_by("Ana")).to_json()["secrets"] == []
    scribe.say(note["line"])
    assert ask("secrets", scribe.seen_by("gm")).to_json()["secrets"] == []


def test_the_cast_says_who_and_which_sheet_is_secret(prepared: Scribe) -> None:
    prepared.say("cast Ogre2")
    prepared.say("cast Ogre2 --gm health=30")
    rows = {row.key[0]: row.cells for row in ask("cast", prepared.seen_by("gm")).sheet().rows}

    assert rows["Wolf"][1] == "side, secret"
    assert rows["Ogre2"][-1] == "A d20 and a number: health 30 (secret)"


def test_an_event_handed_to_a_program_has_no_sealed_words(prepared: Scribe) -> None:
    with retold.open(prepared.campaign.place) as campaign:
        (sealed,) = [one.event for one in campaign.happened() if isinstance(one.event, e.RolledInSecret)]

    assert sealed.sealed == Words(None)


def test_a_person_who_follows_the_evening_folds_each_event_once(
    prepared: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also somebody from whom a part of it is hidden, as a phone is that asks after each act."""
    with retold.open(prepared.campaign.place) as campaign:
        jo = campaign.seen_by("Jo")
        jo.board()
        folded: list[tuple[int, int]] = []
        evolve = line_.evolve

        def counted(table: Table, live: line_.LiveEvent) -> None:
            folded.append((id(table), live.position))
            evolve(table, live)

        for line in ("hp Ana -1", "note: Hm.", "cast Baron --gm", "hp Bo -1"):
            done = campaign.say(line).done
            monkeypatch.setattr("retold.journal.line.evolve", counted)
            folded.clear()
            jo.board()
            monkeypatch.undo()
            assert done is not None
            assert {position for _, position in folded} <= {*range(done.first, done.last + 1)}, line


def test_what_may_be_hidden_is_found_from_where_it_was_looked_for_before(prepared: Scribe) -> None:
    record = prepared.campaign.record
    head = record.head(1).position
    anew = list(possibly_hidden_positions(record, None, 1, head))
    some = list(possibly_hidden_positions(record, None, 1, head, (20, [one for one in anew if one <= 20])))

    assert anew == some
    hidden = [row for row in record.rows(1) if is_possibly_hidden(row)]
    assert anew == [row.position for row in hidden if changes_tables(row.kind)]
    assert {one.position for one, hidden in _hidden(prepared) if hidden} <= {*anew}


def _hidden(scribe: Scribe) -> Iterator[tuple[Recorded, bool]]:
    sight = scribe.seen_by("table").sight
    for row in scribe.campaign.record.rows(1):
        recorded = decode(row)
        is_about_the_record = recorded.event.kind == "table.campaign-begun"
        yield recorded, not is_about_the_record and not sight.sees(recorded)
