"""Reveals: what was for some eyes only is open from then on, and no undo closes it (docs/record.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.games.whiskey import events as w
from retold.games.whiskey.commands import Clash
from retold.games.whiskey.commands.verbs import Declare
from retold.games.whiskey.rules import Act
from retold.journal.refused import Refused
from retold.journal.store.events import line_events
from retold.journal.store.events.acts import Manner, draft_rows
from retold.journal.store.events.amendments import read_reveals
from retold.journal.store.verify import verify, verify_rules
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.store.writing.replaying import stored_command
from retold.journal.store.writing.retcon import carry_out, plan_retcon
from retold.journal.store.writing.reveal import plan_reveal, reveal
from retold.journal.store.writing.undo import plan_undo, undo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Value, Words, values_of
from tests.journal.store.played import campaign, notes

ANA, BEA = 1, 2
SECRET = Words("The bridge is mined.")


@pytest.fixture
def writer(tmp_path: Path) -> LineWriter:
    """Two people, and a note at 5 for the game master's eyes only."""
    made = campaign(tmp_path / "a.retold").writer(1)
    made.record(c.Cast(who=Words("Ana")))
    made.record(c.Cast(who=Words("Bea")))
    made.record(c.Note(text=SECRET), Manner(visible_to="gm"))
    assert made.head.position == 5
    return made


def live(camp: CampaignStore, kind: type[Event], line: int = 1) -> list[Event]:
    return [one.event for one in line_events.live_events(camp.record, line) if isinstance(one.event, kind)]


# --- what it shows ----------------------------------------------------------------------------------------


def test_a_revealed_secret_is_open_to_all_viewers(writer: LineWriter) -> None:
    assert reveal(writer, 5).events == (e.Revealed(about=5),)
    assert read_reveals(writer.campaign.record, 1) == {5: None}


def test_or_to_those_who_are_named_and_to_more_of_them_later(writer: LineWriter) -> None:
    done = reveal(writer, 5, (ANA,))

    assert done.events == (e.Revealed(about=5, to=(ANA,)),)
    reveal(writer, 5, (ANA, BEA))
    assert read_reveals(writer.campaign.record, 1) == {5: frozenset({ANA, BEA})}
    assert read_reveals(writer.campaign.record, 1, done.last) == {5: frozenset({ANA})}
    reveal(writer, 5)
    assert read_reveals(writer.campaign.record, 1) == {5: None}


def test_a_reveal_is_for_the_same_eyes_as_what_it_shows(writer: LineWriter) -> None:
    done = reveal(writer, 5, (BEA,), Words("She finds the wires."))

    assert done.events[-1] == e.Narrated(who=0, text=Words("She finds the wires."))
    (act,) = list(line_events.acts(writer.campaign.record, 1, done.first - 1))
    assert [one.envelope.visible_to for one in act.events] == [(BEA,), (BEA,)]
    assert act.managing
    assert stored_command(act) == c.Reveal(at=5, text=Words("She finds the wires."))


def test_within_a_conflict_it_is_told_there(writer: LineWriter) -> None:
    writer.record(c.OpenConflict(system="bruise", sides=((ANA,), (BEA,))))

    done = reveal(writer, 5, text=Words("Wires!"))
    assert done.events[-1] == e.Narrated(who=0, text=Words("Wires!"), conflict=1)


def test_a_text_may_be_no_more_than_a_colon(writer: LineWriter) -> None:
    assert reveal(writer, 5, text=Words("")).events == (e.Revealed(about=5),)


def test_a_reveal_to_some_is_itself_revealed_by_any_moment_of_it(writer: LineWriter) -> None:
    done = reveal(writer, 5, (ANA,), Words("Wires."))

    assert [one.about for one in plan_reveal(writer, done.last)] == [done.first, done.last]


# --- refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "sentence"),
    [
        (3, "Nothing is hidden at 3: all may see it."),
        (99, "There is no position 99 on this line: it ends at 5."),
    ],
)
def test_if_nothing_is_hidden_nothing_is_revealed(writer: LineWriter, at: int, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        reveal(writer, at)

    assert refused.value.sentence == sentence


def test_what_was_taken_back_is_not_revealed(writer: LineWriter) -> None:
    undo(writer)

    with pytest.raises(Refused, match="Position 5 was taken back, so it has no event"):
        reveal(writer, 5)


@pytest.mark.parametrize(
    ("first", "again"), [(None, None), (None, (ANA,)), ((ANA, BEA), (ANA,)), ((ANA,), (0, ANA))]
)
def test_what_they_have_seen_is_not_revealed_again(
    writer: LineWriter, first: tuple[int, ...] | None, again: tuple[int, ...] | None
) -> None:
    reveal(writer, 5, first)

    with pytest.raises(Refused, match="What was hidden at 5 has been revealed already"):
        plan_reveal(writer, 5, again)


def test_a_secret_is_not_revealed_again_to_its_audience(writer: LineWriter) -> None:
    at = writer.record(c.Note(text=Words("For Ana.")), Manner(visible_to=(ANA,))).first

    with pytest.raises(Refused, match="revealed already"):
        plan_reveal(writer, at, (ANA,))
    assert plan_reveal(writer, at, (ANA, BEA)) == (e.Revealed(about=at, to=(ANA, BEA)),)


def test_no_undo_takes_a_reveal_back_or_passes_it(writer: LineWriter) -> None:
    reveal(writer, 5)
    sentence = "A reveal cannot be taken back: it has been seen. What came before is for retcon."

    with pytest.raises(Refused, match=sentence):
        plan_undo(writer)
    notes(writer, "later")
    assert len(plan_undo(writer, 1)) == 1
    with pytest.raises(Refused, match=sentence):
        plan_undo(writer, 2)


def test_a_system_is_not_asked(writer: LineWriter) -> None:
    with pytest.raises(Refused, match="A reveal is about the line itself"):
        writer.record(c.Reveal(at=5))


# --- branches ---------------------------------------------------------------------------------------------


def test_what_was_seen_stays_seen_where_the_acts_are_decided_again(writer: LineWriter) -> None:
    reveal(writer, 5, (BEA,), Words("Wires."))
    changed = plan_retcon(writer, 3, c.Cast(who=Words("Ana"), by=Words("Jon")))

    line = carry_out(changed, "mended")

    # Ana's player came in as person 2, so that Bea is 3.
    camp = writer.campaign
    (note,) = (
        one.position for one in line_events.live_events(camp.record, line) if isinstance(one.event, e.Noted)
    )
    assert live(camp, e.Revealed, line) == [e.Revealed(about=note, to=(3,))]
    assert live(camp, e.Narrated, line) == [e.Narrated(who=0, text=Words("Wires."))]
    assert verify(camp.record).whole


def test_if_the_moment_did_not_come_about_its_reveal_is_lost(writer: LineWriter) -> None:
    reveal(writer, 5)
    changed = plan_retcon(writer, 5, c.Note(text=Words("Nothing.")), Manner())
    (kept,) = changed.steps[1:]
    assert kept.events == (e.Revealed(about=6),)

    writer.record(c.Narrate(who=BEA, text=Words("I am Bea.")), Manner(visible_to="gm"))
    reveal(writer, writer.head.position)
    changed = plan_retcon(writer, 4, c.Note(text=Words("Nobody came.")))
    assert [one.partition(": ")[2] for one in changed.lost] == [
        "It names a person who has not been introduced here.",
        "It speaks of a moment that did not come about here.",
    ]


def test_a_branch_knows_what_was_revealed_before_it(writer: LineWriter) -> None:
    reveal(writer, 5)
    line = writer.campaign.fork(1, writer.head.position, Words("kinder"))

    assert read_reveals(writer.campaign.record, line) == {5: None}
    assert read_reveals(writer.campaign.record, writer.campaign.fork(1, 5, Words("before"))) == {}


# --- intents that were sealed -----------------------------------------------------------------------------

SHEET: dict[str, Value | None] = {"combat": "10", "base": "4", "die": "1", "hp": "12"}


@pytest.fixture
def fight(tmp_path: Path) -> LineWriter:
    """Ana against Bea, each face down."""
    writer = campaign(tmp_path / "b.retold").writer(1)
    for name in ("Ana", "Bea"):
        writer.record(c.Cast(who=Words(name), system="whiskey", values=SHEET))
    writer.record(c.OpenConflict(system="whiskey", sides=((ANA,), (BEA,))))
    writer.record(sealed(who=ANA, act="engage", target=BEA, text=Words("She is mine.")))
    writer.record(sealed(who=BEA, act="stand"))
    return writer


def sealed(**fields: object) -> Declare:
    return Declare.of({**fields, "sealed": True})


def test_a_sealed_intent_is_in_no_body(fight: LineWriter) -> None:
    rows = list(fight.campaign.record.rows(1, 0, None, ("whiskey.intent-sealed",)))

    assert len(rows) == 2
    for row in rows:
        assert not any(
            word in row.body for word in ("engage", "stand", "mine", "target", '"act":"e', '"act":"s')
        )


def test_the_intents_once_revealed_are_not_taken_back(fight: LineWriter) -> None:
    assert plan_undo(fight)
    fight.record(c.Reveal())

    with pytest.raises(Refused, match="A reveal cannot be taken back: the intents have been seen"):
        plan_undo(fight)


def test_what_was_revealed_is_what_was_sealed(fight: LineWriter) -> None:
    """The rules are asked again what the sealed words come to: another intent would show."""
    fight.record(c.Reveal())
    fight.record(Clash())

    assert list(verify_rules(fight.campaign, 1)) == []
    assert verify(fight.campaign.record).whole


def test_an_intent_that_is_revealed_as_something_else_than_was_sealed_is_found(fight: LineWriter) -> None:
    camp = fight.campaign
    opened = [w.IntentDeclared(conflict=1, who=who, act=Act.STAND) for who in (ANA, BEA)]
    drafts = draft_rows(
        camp.clock, [w.IntentsRevealed(conflict=1, people=(ANA, BEA)), *opened], c.Reveal(), [], Manner()
    )
    with camp.record.writing():
        camp.record.append(1, fight.head, drafts)

    (found,) = verify_rules(camp, 1)
    assert "today: the same with other values. " in str(found)


def test_sealed_intents_speak_of_the_same_people_where_they_have_other_numbers(fight: LineWriter) -> None:
    fight.record(c.Reveal())

    line = carry_out(
        plan_retcon(fight, 3, c.Cast(who=Words("Ana"), by=Words("Jon"), system="whiskey", values=SHEET)),
        "mended",
    )

    # Jon came in as 2, and Bea is 3.
    assert live(fight.campaign, w.IntentSealed, line)[0] == w.IntentSealed(
        conflict=1, who=ANA, intent=Words("engage 3: She is mine.")
    )
    assert values_of(live(fight.campaign, w.IntentDeclared, line)[0])["target"] == 3


def test_a_guards_ruling_speaks_of_the_same_person_where_they_have_another_number(tmp_path: Path) -> None:
    writer = campaign(tmp_path / "c.retold").writer(1)
    for name in ("Ana", "Bea", "Cay"):
        writer.record(c.Cast(who=Words(name), system="whiskey", values=SHEET))
    writer.record(c.OpenConflict(system="whiskey", sides=((ANA, BEA), (3,))))
    writer.record(Declare(who=3, act="guard"))
    setting = e.Setting(person=3, what="engage", op="=", value=BEA)
    writer.record(c.Rule(sets=(setting,), text=Words("So.")))

    line = carry_out(
        plan_retcon(writer, 3, c.Cast(who=Words("Ana"), by=Words("Jon"), system="whiskey", values=SHEET)),
        "mended",
    )

    assert live(writer.campaign, w.GuardAssigned, line) == [w.GuardAssigned(conflict=1, who=4, target=3)]
