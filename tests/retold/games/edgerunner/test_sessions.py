"""Conflicts open and close, evenings begin, harm goes: `docs/rules/edgerunner.md` §3, §7, §8."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.rules import Severity
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command
from tests.retold.games.edgerunner.at_rest import TABLE
from tests.retold.games.edgerunner.at_the_warehouse import (
    DRONES,
    GATTO,
    HARGAN,
    JADE,
    JON,
    REX,
    SANDRA,
    TEXT,
    WILLIAM,
    begun,
    claimed,
    declared,
    kept,
    marked,
    option,
    out,
    reverted,
    sheet,
)
from tests.retold.games.edgerunner.open_rolls import open_act
from tests.scenario import Story

DEFENCE = g.ThresholdReplaced(conflict=1, who=JADE, on=GATTO, track="cool", threshold=5, own=3)


def opening(*sides: tuple[int, ...]) -> c.OpenConflict:
    return c.OpenConflict(system="edgerunner", sides=sides or ((GATTO,), (HARGAN,)), text=TEXT)


def end(how: str | None = None, winner: int | None = None) -> c.End:
    return c.End(what="conflict", how=how, winner=winner, text=TEXT)


# --- conflicts --------------------------------------------------------------------------------------------


def test_a_conflict_opens() -> None:
    TABLE.when(opening()).then(
        e.ConflictOpened(conflict=1, system="edgerunner", sides=((GATTO,), (HARGAN,)), text=TEXT)
    )


def test_the_dead_take_no_side() -> None:
    TABLE.given(g.CharacterKilled(who=GATTO)).when(opening()).then_refused("Gatto is dead.")


@pytest.mark.parametrize("how", ["ended", "agreed", None])
def test_it_ends_when_all_agree_and_every_defence_with_it(how: str | None) -> None:
    story = begun().given(DEFENCE)

    story.when(end(how, JADE)).then(
        reverted(JADE, GATTO, "cool", 3),
        e.ConflictEnded(conflict=1, how=how or "ended", winner=GATTO, text=TEXT),
    )


ENDINGS = (
    "A conflict ends when a side is taken out, by a concession (concede NAME: story), or as all"
    " agree: end conflict agreed, and not {}."
)


@pytest.mark.parametrize("how", ["victory", "taken-out", "conceded"])
def test_how_it_ends_otherwise_is_not_the_tables_to_say(how: str) -> None:
    begun().when(end(how)).then_refused(ENDINGS.format(how))


@pytest.mark.parametrize(
    ("story", "sentence"),
    [
        (open_act(), "Hargan's attack on Gatto stands at 5 shifts: invoke, boost, resist, or apply."),
        (
            begun().given(claimed(HARGAN), declared(HARGAN, "attack", target=GATTO, track="cool")),
            "Hargan's attack on Gatto is announced: roll Hargan, or forfeit Hargan.",
        ),
    ],
    ids=["rolled", "announced"],
)
def test_no_conflict_ends_in_the_midst_of_an_act(story: Story, sentence: str) -> None:
    story.when(end()).then_refused(sentence)


def test_A52_no_conflict_ends_over_somebodys_head_and_the_line_that_helps_is_named() -> None:
    begun().given(out(GATTO, "cool", 9)).when(end()).then_refused(
        "What becomes of Gatto is still to be told: narrate Hargan: … comes first."
    )


def test_an_unresolved_border_does_not_block_ending_the_conflict() -> None:
    broken = g.TakenOut(conflict=1, on="Dock-Aisle", by=GATTO, over=3)

    begun().given(broken).when(end()).then(e.ConflictEnded(conflict=1, how="ended", text=TEXT))


def test_stress_and_aspects_outlive_a_conflict() -> None:
    story = begun().given(marked(GATTO, "cool", 1, 1, threshold=3), end(), opening())

    assert kept(story).marked(GATTO, "cool") == {1}
    assert list(kept(story).aspects) == [1, 2, 3]


# --- evenings ---------------------------------------------------------------------------------------------

SESSION = c.OpenSession()


def opened(session: int = 1) -> e.SessionOpened:
    return e.SessionOpened(session=session)


def test_an_evening_begins_with_fate_points_for_every_player_and_no_stress() -> None:
    story = TABLE.given(
        marked(GATTO, "cool", 2, 1, 2, threshold=3),
        g.FatePointPaid(payer=JON, payee=SANDRA, points=2, why="invoke"),
    )

    story = story.when(SESSION).then(opened(), g.Refreshed(points=5, stress=True))
    assert [kept(story).held(player) for player in (JON, SANDRA, WILLIAM)] == [5, 5, 5]
    assert kept(story).marked(GATTO, "cool") == set()


def test_how_many_fate_points_is_the_tables_to_choose() -> None:
    story = TABLE.given(option("fp_start", "3"))

    story.when(SESSION).then(opened(), g.Refreshed(points=3, stress=True))


def test_a_conflict_that_goes_on_keeps_its_stress() -> None:
    story = begun().given(marked(GATTO, "cool", 1, 1, threshold=3))

    story = story.when(SESSION).then(opened(), g.Refreshed(points=5, stress=False))
    assert kept(story).marked(GATTO, "cool") == {1}


def test_a_conflict_of_another_game_keeps_none() -> None:
    beside = TABLE.given(c.OpenConflict(system="bruise", sides=((GATTO,), (HARGAN,))))

    assert g.Refreshed(points=5, stress=True) in beside.when(SESSION).events


def test_consequences_stay_overnight() -> None:
    story = TABLE.given(torn(), SESSION)

    assert [one.wording for one in kept(story).consequences_of(GATTO, Severity.MILD)] == ["Torn"]


# --- what goes in between ---------------------------------------------------------------------------------


def torn(number: int = 4, wording: str = "Torn", **fields: object) -> g.ConsequenceTaken:
    """Gatto bears a mild consequence."""
    return g.ConsequenceTaken.of(
        {
            "who": GATTO,
            "severity": "mild",
            "worth": 1,
            "aspect": number,
            "wording": wording,
            "why": "boost",
            **fields,
        }
    )


def clear(who: int, track: str, n: int | None = None) -> c.Clear:
    return c.Clear(who=who, track=track, n=n, text=TEXT)


def cleared(who: int, *tracks: str) -> g.StressCleared:
    return g.StressCleared(who=who, tracks=tracks, text=TEXT)


HURT = TABLE.given(
    marked(GATTO, "cool", 2, 1, 2, threshold=3),
    marked(GATTO, "reputation", 1, 1, threshold=2),
    marked(DRONES, "stress", 1, 1, threshold=3),
)


def test_a_track_is_cleared_whole() -> None:
    story = HURT.when(clear(GATTO, "rep")).then(cleared(GATTO, "reputation"))

    assert [kept(story).marked(GATTO, track) for track in ("cool", "reputation")] == [{1, 2}, set()]


def test_all_stress_is_cleared_by_its_name() -> None:
    HURT.when(clear(GATTO, "Stress")).then(cleared(GATTO, "cool", "reputation"))
    HURT.when(clear(DRONES, "stress")).then(cleared(DRONES, "stress"))


def test_a_shared_track_is_cleared_by_either() -> None:
    story = HURT.given(sheet(REX, kind="alternate", of=GATTO))

    story = story.when(clear(REX, "stress")).then(cleared(REX, "cool"))
    assert kept(story).marked(GATTO, "cool") == set()


def test_a_consequence_is_over_with_its_aspect() -> None:
    over = g.ConsequenceCleared(who=GATTO, severity=Severity.MILD, aspect=4, wording="Torn", text=TEXT)

    story = TABLE.given(torn()).when(clear(GATTO, "Mild")).then(over)
    assert list(kept(story).aspects) == [1, 2, 3]


def test_all_consequences_of_a_severity_are_over_together() -> None:
    story = TABLE.given(torn(), torn(5, "Bruised"))

    story.when(clear(GATTO, "mild")).then(
        *(
            g.ConsequenceCleared(who=GATTO, severity=Severity.MILD, aspect=number, wording=wording, text=TEXT)
            for number, wording in ((4, "Torn"), (5, "Bruised"))
        )
    )


def test_a_person_who_gave_the_slot_is_rid_of_the_consequence() -> None:
    """A nomad has taken it for a comrade: the slot is theirs, the aspect the comrade's."""
    story = TABLE.given(torn(slot_of=JADE))

    story.when(clear(GATTO, "mild")).then_refused("Gatto bears no mild consequence.")
    story.when(clear(JADE, "mild")).then(
        g.ConsequenceCleared(who=JADE, severity=Severity.MILD, aspect=4, wording="Torn", text=TEXT)
    )


def test_beside_a_conflict_of_another_game_stress_goes_as_ever() -> None:
    """Gatto has a sheet here; only a system in whose conflict it is said may answer first."""
    beside = HURT.given(c.OpenConflict(system="bruise", sides=((HARGAN,), (JADE,))))

    beside.when(clear(GATTO, "cool")).then(cleared(GATTO, "cool"))


@pytest.mark.parametrize(
    ("story", "command", "sentence"),
    [
        (HURT, clear(GATTO, "humanity"), "Gatto has no box marked on humanity."),
        (HURT, clear(JADE, "stress"), "Jade has no box marked on any track."),
        (HURT, clear(GATTO, "mood"), "Gatto has no track mood: cool, humanity, reputation."),
        (HURT, clear(GATTO, "severe"), "Gatto bears no severe consequence."),
        (HURT, clear(GATTO, "cool", 1), "In Edgerunner all of it goes at once: clear Gatto cool."),
        (
            begun().given(marked(GATTO, "cool", 1, 1, threshold=3)),
            clear(GATTO, "cool"),
            "Nothing is cleared inside a conflict; stress is recovered: recover Gatto TRACK.",
        ),
        (
            begun().given(torn()),
            clear(GATTO, "mild"),
            "Nothing is cleared inside a conflict; stress is recovered: recover Gatto TRACK.",
        ),
        (
            begun().given(
                marked(GATTO, "cool", 1, 1, threshold=3),
                e.ConflictOpened(conflict=2, system="bruise", sides=((REX,), (DRONES,))),
            ),
            clear(GATTO, "cool"),
            "Nothing is cleared inside a conflict; stress is recovered: recover Gatto TRACK.",
        ),
    ],
)
def test_clearing_is_refused(story: Story, command: Command, sentence: str) -> None:
    story.when(command).then_refused(sentence)
