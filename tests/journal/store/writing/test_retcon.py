"""Retcons: words change on the line, mechanics on a branch that is decided again."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.games.bruise import commands as b
from retold.games.bruise import events as be
from retold.journal.decks.chance import Provenance
from retold.journal.refused import Refused
from retold.journal.store.contract.address import Address
from retold.journal.store.events import line_events
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.codec import decode
from retold.journal.store.verify import verify, verify_chance, verify_rules
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.store.writing.replaying import results_of, stored_command
from retold.journal.store.writing.retcon import carry_out, plan_retcon, with_fixed_results
from retold.journal.store.writing.rewording import reword
from retold.journal.store.writing.undo import undo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Words
from tests.journal.store.played import SEED, campaign, evening, notes, play


def at(camp: CampaignStore, kind: type[Event], line: int = 1, number: int = 0) -> int:
    """The position of the n-th live event of that kind."""
    lives = line_events.live_events(camp.record, line)
    return [one.position for one in lives if isinstance(one.event, kind)][number]


def event(camp: CampaignStore, kind: type[Event], line: int = 1, number: int = 0) -> Event:
    lives = line_events.live_events(camp.record, line)
    return [one.event for one in lives if isinstance(one.event, kind)][number]


def without_words(camp: CampaignStore, line: int) -> list[Event]:
    return [one.event for one in line_events.live_events(camp.record, line)]


# --- words ---


def test_words_read_otherwise_from_then_on(camp: CampaignStore, writer: LineWriter) -> None:
    place = at(camp, e.Narrated)

    done = reword(writer, place, Words("The line holds."))

    assert done.events == (e.Reworded(about=place, word=0, text=Words("The line holds.")),)
    told = event(camp, e.Narrated)
    assert isinstance(told, e.Narrated)
    assert told.text == Words("The line holds.")


def test_before_the_rewording_the_old_words_stand(camp: CampaignStore, writer: LineWriter) -> None:
    place, head = at(camp, e.Narrated), writer.head.position
    reword(writer, place, Words("The line holds."))

    told = [
        one.event for one in line_events.live_events(camp.record, 1, place - 1, head) if one.position == place
    ]

    assert str(told[0].text) == "One last cry, and the line breaks."  # type: ignore[attr-defined]


def test_a_title_is_changed_where_there_is_no_text(camp: CampaignStore, writer: LineWriter) -> None:
    reword(writer, 2, Words("The Salt Way"))

    assert camp.table_at(1).title == Words("The Salt Way")


def test_the_telling_of_an_act_is_found_in_another_of_its_events(
    camp: CampaignStore, writer: LineWriter
) -> None:
    drawn = at(camp, e.CardsDrawn, number=1)

    reword(writer, drawn, Words("and once more"))

    words = [
        one.event.text for one in line_events.live_events(camp.record, 1) if isinstance(one.event, e.Declared)
    ]
    assert words[-1] == Words("and once more")


def test_if_no_words_stand_it_is_refused(camp: CampaignStore, writer: LineWriter) -> None:
    with pytest.raises(Refused, match="There is no text at"):
        reword(writer, at(camp, be.ColorChosen), Words("hearts"))


def test_a_name_that_is_taken_is_refused(camp: CampaignStore, writer: LineWriter) -> None:
    place = at(camp, e.CastIntroduced, number=2)

    with pytest.raises(Refused, match="There is a Zel already"):
        reword(writer, place, Words("zel"))


def test_a_rewording_can_be_taken_back(camp: CampaignStore, writer: LineWriter) -> None:
    before = camp.table_at(1)
    reword(writer, 2, Words("The Salt Way"))
    undo(writer)

    assert camp.table_at(1).title == before.title


def test_what_was_taken_back_is_not_reworded(writer: LineWriter) -> None:
    notes(writer, "a")
    place = writer.head.position
    undo(writer)

    with pytest.raises(Refused, match="was taken back"):
        reword(writer, place, Words("b"))


def test_a_moment_that_is_not_there_is_refused(writer: LineWriter) -> None:
    with pytest.raises(Refused, match="no position 999"):
        reword(writer, 999, Words("b"))


def test_rules_are_verified_after_a_rewording_as_before(camp: CampaignStore, writer: LineWriter) -> None:
    reword(writer, at(camp, e.CastIntroduced), Words("Zelda"))

    assert list(verify_rules(camp, 1)) == []


# --- mechanics ---


def test_a_mended_hand_is_decided_again_with_all_that_followed(
    camp: CampaignStore, writer: LineWriter
) -> None:
    place = at(camp, e.CardsDrawn)
    results = ("8H", "JD", "10S", "7C", "4C", "3D")

    made = plan_retcon(writer, place, with_fixed_results(writer, place, results))

    assert [str(one) for one in made.changes] == [
        f"{place}, cards drawn: cards JH JD 10S 7C 4C 3D → 8H JD 10S 7C 4C 3D.",
        f"{place + 3}, hand won: quantity 3 → 2, colours hearts diamonds → diamonds.",
    ]
    assert len(made.lost) == 1
    assert "hearts is not among them" in made.lost[0]


def test_nothing_changes_until_it_is_carried_out_and_then_only_on_a_branch(
    camp: CampaignStore, writer: LineWriter
) -> None:
    before, head = camp.table_at(1), writer.head
    place = at(camp, e.CardsDrawn)
    made = plan_retcon(
        writer, place, with_fixed_results(writer, place, ("8H", "JD", "10S", "7C", "4C", "3D"))
    )

    assert camp.record.store.streams() == (1,)

    line = carry_out(made, "mended")

    assert camp.record.head(1) == head
    assert camp.table_at(1) == before
    assert camp.lines()[line] == "mended"
    made.table.position = camp.table_at(line).position
    assert camp.table_at(line) == made.table
    assert verify(camp.record).findings == ()


def test_the_branch_holds_what_was_planned(camp: CampaignStore, writer: LineWriter) -> None:
    place = at(camp, e.CardsDrawn)
    made = plan_retcon(
        writer, place, with_fixed_results(writer, place, ("8H", "JD", "10S", "7C", "4C", "3D"))
    )
    line = carry_out(made, "mended")

    lives = [one.event for one in line_events.live_events(camp.record, line, made.fork + 1)]

    assert lives == [event for step in made.steps for event in step.events]
    assert list(verify_rules(camp, line)) == []


def test_results_keep_their_provenance_and_acts_their_ids(camp: CampaignStore, writer: LineWriter) -> None:
    made = plan_retcon(writer, at(camp, e.Narrated), c.Narrate(who=1, text=Words("Quite otherwise.")))
    line = carry_out(made, "mended")

    def draws(line: int) -> list[tuple[object, ...]]:
        acts = line_events.acts(camp.record, line)
        return [
            (one.event, one.envelope.luck, one.envelope.act)
            for act in acts
            for one in act.events
            if isinstance(one.event, e.CardsDrawn)
        ]

    assert draws(line) == draws(1)
    assert draws(line)[-1][1] == (Provenance.DEALT,) * 4


def test_what_was_dealt_before_the_retcon_is_found_where_it_was_dealt(
    camp: CampaignStore, writer: LineWriter
) -> None:
    made = plan_retcon(writer, at(camp, e.Narrated), c.Narrate(who=1, text=Words("Quite otherwise.")))
    line = carry_out(made, "mended")
    camp.writer(line).record(c.Roll(dice="2d6"))

    found = verify_chance(camp.record, SEED, line)

    assert found.proved
    assert found.dealt == 2
    assert len(found.carried) == 2


def test_results_typed_in_a_retcon_are_called_not_dealt(camp: CampaignStore, writer: LineWriter) -> None:
    place = at(camp, e.CardsDrawn, number=1)
    made = plan_retcon(writer, place, with_fixed_results(writer, place, ("2H", "2D", "2S", "2C", "3C", "3D")))

    assert {one.provenance for one in made.steps[0].taken} == {Provenance.CALLED}


def test_a_changed_act_keeps_its_results_where_they_fit(camp: CampaignStore, writer: LineWriter) -> None:
    place = at(camp, e.CardsDrawn, number=1)
    was = event(camp, e.CardsDrawn, number=1)

    made = plan_retcon(writer, place, c.Draw(who=1, count=6))

    assert [one for one in made.steps[0].events if isinstance(one, e.CardsDrawn)] == [was]


def test_results_that_were_dealt_and_do_not_fit_are_dealt_anew(
    camp: CampaignStore, writer: LineWriter
) -> None:
    place = at(camp, e.CardsDrawn, number=1)

    made = plan_retcon(writer, place, c.Draw(who=1, count=2))

    assert [one.provenance for one in made.steps[0].taken] == [Provenance.DEALT] * 2
    line = carry_out(made, "fewer")
    assert verify_chance(camp.record, SEED, line).proved


def test_results_that_were_called_and_do_not_fit_are_asked_for(
    camp: CampaignStore, writer: LineWriter
) -> None:
    with pytest.raises(Refused, match="too many"):
        plan_retcon(writer, at(camp, e.CardsDrawn), c.Draw(who=1, count=2))


def test_a_refused_command_is_no_plan(camp: CampaignStore, writer: LineWriter) -> None:
    with pytest.raises(Refused, match="is on no side"):
        plan_retcon(writer, at(camp, e.CardsDrawn), c.Draw(who=2, count=6))


def test_nothing_to_mend_where_nothing_was_drawn(camp: CampaignStore, writer: LineWriter) -> None:
    with pytest.raises(Refused, match="Nothing was drawn or rolled"):
        with_fixed_results(writer, at(camp, e.Narrated), ("JH",))


def test_the_line_itself_is_not_changed_this_way(camp: CampaignStore, writer: LineWriter) -> None:
    with pytest.raises(Refused, match="about the line itself"):
        plan_retcon(writer, 1, c.Note(text=Words("x")))
    with pytest.raises(Refused, match="about the line itself"):
        plan_retcon(writer, 3, c.Undo())


def test_a_retcon_is_refused_after_a_concurrent_record(camp: CampaignStore, writer: LineWriter) -> None:
    made = plan_retcon(writer, 3, c.OpenSession(title=Words("Another")))
    with CampaignStore.open(camp.place) as other:
        notes(other.writer(1), "me too")

    with pytest.raises(Refused, match="just recorded something"):
        carry_out(made, "mended")
    assert camp.record.store.streams() == (1,)


def test_people_keep_their_places_where_others_come_before_them(place: Address) -> None:
    with campaign(place) as camp:
        writer = play(
            camp.writer(1),
            [
                c.Cast(who=Words("Ana")),
                c.Cast(who=Words("Bea")),
                c.Narrate(who=2, text=Words("I am Bea.")),
            ],
        )
        made = plan_retcon(writer, 3, c.Cast(who=Words("Ana"), by=Words("Jon")))
        line = carry_out(made, "mended")
        table = camp.table_at(line)
        told = event(camp, e.Narrated, line)

        assert isinstance(told, e.Narrated)
        assert table.name(told.who) == "Bea"
        assert told.who == 3


def test_a_person_who_was_never_introduced_is_not_mistaken_for_another(place: Address) -> None:
    with campaign(place) as camp:
        commands = [
            c.Cast(who=Words("Ana")),
            c.Cast(who=Words("Bea")),
            c.Narrate(who=1, text=Words("I am Ana.")),
        ]
        writer = play(camp.writer(1), [*commands])

        made = plan_retcon(writer, 3, c.Note(text=Words("Nobody came.")))

        assert len(made.lost) == 1
        assert "not been introduced" in made.lost[0]


def test_a_secret_keeps_its_audience_when_people_are_renumbered(tmp_path: Path) -> None:
    """Without person 1 the others move up: 2 is 1 there, 3 is 2. What was for 1 alone is for nobody else."""
    with campaign(tmp_path / "small.retold") as camp:
        writer = play(camp.writer(1), [c.Cast(who=Words(name)) for name in ("Nib", "Odo", "Zel")])
        for see in ((1,), (2,), (1, 3), (3, 2)):
            writer.record(c.Note(text=Words(f"For {see}.")), Manner(by=see[0], visible_to=see))
        at_nib = at(camp, e.CastIntroduced)
        branch = carry_out(plan_retcon(writer, at_nib, c.Note(text=Words("Nobody came."))), "without-nib")

        told = [
            (one.texts[0], one.envelope.visible_to, one.envelope.by)
            for one in map(decode, camp.record.rows(branch))
            if isinstance(one.event, e.Noted)
        ]

    assert told == [
        ("Nobody came.", "table", None),
        ("For (1,).", "gm", None),
        ("For (2,).", (1,), 1),
        ("For (1, 3).", (2,), None),
        ("For (3, 2).", (2, 1), 2),
    ]


def test_moments_spoken_of_later_are_found_where_they_are_now(place: Address) -> None:
    with campaign(place) as camp:
        writer = play(camp.writer(1), [c.Cast(who=Words("Ana")), c.Note(text=Words("here"))])
        noted = writer.head.position
        play(
            writer, [c.Narrate(text=Words("later told"), at=noted), c.Mark(name=Words("the-note"), at=noted)]
        )

        line = carry_out(plan_retcon(writer, 3, c.Cast(who=Words("Ana"), by=Words("Jon"))), "mended")

        moved = at(camp, e.Noted, line)
        told = event(camp, e.Narrated, line)
        assert isinstance(told, e.Narrated)
        assert told.about == moved
        assert camp.table_at(line).marks == {"the note": moved}


def test_rewordings_go_along(camp: CampaignStore, writer: LineWriter) -> None:
    reword(writer, 2, Words("The Salt Way"))
    reword(writer, at(camp, e.Narrated), Words("The line holds."))
    place = at(camp, e.CardsDrawn)

    line = carry_out(
        plan_retcon(writer, place, with_fixed_results(writer, place, ("JC", "JD", "9S", "7C", "4C", "3D"))),
        "mended",
    )

    assert camp.table_at(line).title == Words("The Salt Way")
    assert "The line holds." in {
        str(one.event.text)
        for one in line_events.live_events(camp.record, line)
        if isinstance(one.event, e.Narrated)
    }


def test_undone_acts_stay_behind(camp: CampaignStore, writer: LineWriter) -> None:
    notes(writer, "gone")
    undo(writer)
    place = at(camp, e.CardsDrawn)

    line = carry_out(
        plan_retcon(writer, place, with_fixed_results(writer, place, ("JH", "JD", "9S", "7C", "4C", "3D"))),
        "mended",
    )

    assert "gone" not in {
        str(one.event.text)
        for one in line_events.live_events(camp.record, line)
        if isinstance(one.event, e.Noted)
    }


def test_redacted_words_stay_away_on_the_branch(camp: CampaignStore, writer: LineWriter) -> None:
    place = at(camp, e.Narrated)
    with camp.record.writing():
        camp.record.delete_texts(1, place, (0,))
        camp.record.delete_texts(1, at(camp, e.Declared), (0,))
    first = at(camp, e.SceneSet)

    line = carry_out(plan_retcon(writer, first, c.SetScene(title=Words("Elsewhere"))), "mended")

    told = event(camp, e.Narrated, line)
    assert isinstance(told, e.Narrated)
    assert told.text.text is None


def test_a_retcon_on_a_branch_may_reach_before_its_beginning(camp: CampaignStore, writer: LineWriter) -> None:
    branch = camp.writer(camp.fork(1, writer.head.position, Words("other")))
    notes(branch, "there")

    line = carry_out(
        plan_retcon(branch, at(camp, e.SceneSet), c.SetScene(title=Words("Elsewhere"))), "mended"
    )

    assert str(camp.table_at(line).scene_title) == "Elsewhere"
    assert verify(camp.record).whole
    assert verify_chance(camp.record, SEED, line).proved


def test_who_recorded_it_and_who_may_see_it_stay(camp: CampaignStore, writer: LineWriter) -> None:
    writer.record(c.Note(text=Words("a secret")), Manner(by=2, visible_to="gm"))

    line = carry_out(
        plan_retcon(writer, at(camp, e.SceneSet), c.SetScene(title=Words("Elsewhere"))), "mended"
    )

    last = list(line_events.acts(camp.record, line))[-1].events[0].envelope
    assert (last.by, last.visible_to) == (2, "gm")


def test_a_whole_evening_changed_from_its_first_act(camp: CampaignStore, writer: LineWriter) -> None:
    made = plan_retcon(writer, 3, evening("Another title")[0])
    line = carry_out(made, "retitled")

    kept = [type(event) for event in without_words(camp, line)]
    assert made.lost == ()
    assert [kind for kind in kept if kind is not e.Forked] == [type(one) for one in without_words(camp, 1)]


def test_verbs_of_a_system_are_changed_like_any(camp: CampaignStore, writer: LineWriter) -> None:
    made = plan_retcon(writer, at(camp, be.QualityDeclared), b.Quality(who=3, rank="10"))

    assert any("against 9 → 10" in change for change in made.changes)


def test_the_same_again_changes_nothing_at_any_act(camp: CampaignStore, writer: LineWriter) -> None:
    for act in list(line_events.acts(camp.record, 1)):
        command = stored_command(act)
        if act.managing or command is None:
            continue
        made = plan_retcon(writer, act.first, command)

        assert (made.lost, made.changes) == ((), ())
        assert [event for step in made.steps for event in step.events] == [
            live.event for live in line_events.live_events(camp.record, 1, act.first - 1)
        ]


def test_an_acts_command_is_the_one_that_was_said(camp: CampaignStore) -> None:
    said = [stored_command(act) for act in line_events.acts(camp.record, 1)]
    played_ = evening()

    for stored, command in zip(said[2:], played_, strict=True):
        results = getattr(stored, "results", None)
        assert stored == (command if results is None else command.but({"results": results}))


def test_the_results_of_fudge_dice_are_signs(place: Address) -> None:
    with campaign(place) as camp:
        camp.writer(1).record(c.Roll(dice="4dF+1d6", results=("+", "-", "0", "0", "6")))
        (act,) = line_events.acts(camp.record, 1, 2)

        assert results_of(act) == ("+", "-", "0", "0", "6")
        assert list(verify_rules(camp, 1)) == []
