"""A mended card that makes a tie three acts ago: the ruling is asked for, or what happened stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.journal.refused import Refused
from retold.journal.store.events import line_events
from retold.journal.store.events.codec import UnknownEvent
from retold.journal.store.writing.branches import Branches
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.retcon import with_results_left
from retold.journal.store.writing.undo import plan_undo
from retold.journal.vocabulary import events as e
from retold.scribe import Scribe

PLAYED = """\
campaign X
cast gm by=Mary
cast Zel bruise by=Jon clubs=4 melee=2
cast Guards bruise spades=3 dodge=2
session S
conflict "Out" bruise Zel vs Guards: freedom
draw Zel clubs+melee = KS 10D 8H 7C 4C 3D
draw Guards 5 = JS 9S 5S 4S 2D
narrate Zel: One last cry, and the line breaks.
end conflict
narrate gm: Rain.
end session
"""
TIE = "JD 10D 8H 7C 4C 3D"


@pytest.fixture
def scribe(tmp_path: Path) -> Iterator[Scribe]:
    with CampaignStore.create(tmp_path / "x.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in PLAYED.splitlines():
            scribe.say(line)
        yield scribe


def played(scribe: Scribe) -> list[str]:
    """The kinds of everything that counts on the line written to, from the draw on."""
    acts = list(line_events.acts(scribe.campaign.record, scribe.line))
    kinds = [
        one.event.kind if isinstance(one.event, UnknownEvent) else type(one.event).kind
        for act in acts
        for one in act.events
    ]
    return kinds[kinds.index("bruise.traits-assigned") :]


def positions(scribe: Scribe) -> dict[int, str]:
    """The kind of every event on the line written to, by its position."""
    record = scribe.campaign.record
    return {row.position: row.kind for row in record.rows(scribe.line)}


def drawn_at(scribe: Scribe) -> int:
    """Where Zel drew."""
    acts = plan_undo(scribe.writer, 6)
    return acts[0].first


def fix(scribe: Scribe, flags: str = "", cards: str = TIE, text: str = "") -> str:
    return f"fix {drawn_at(scribe)} {flags} = {cards}{f': {text}' if text else ''}"


def test_B1_an_unattended_fix_that_loses_later_acts_is_refused(scribe: Scribe) -> None:
    before = list(scribe.campaign.record.everything())
    with pytest.raises(Refused) as refused:
        scribe.say(fix(scribe))

    said = refused.value.sentence
    assert said.startswith("With this, 3 later acts no longer hold.")
    assert "narrate Zel: One last cry, and the line breaks." in said, "the words are quoted"
    assert "Zel and Guards are tied: who takes the hand? Answer with: Zel, Guards." in said
    assert f'--ruling "Zel: why" = {TIE}' in said
    assert f"--keep = {TIE}: why" in said
    assert list(scribe.campaign.record.everything()) == before


def test_B1_every_way_that_is_proposed_is_taken(scribe: Scribe) -> None:
    with pytest.raises(Refused) as refused:
        scribe.say(fix(scribe))
    lines = [part.split(". To ")[0].rstrip(".") for part in refused.value.sentence.split(": fix ")[1:]]

    assert len(lines) == 3
    for line in lines:
        assert scribe.say(f"fix --check {line}").checked


def test_B1_the_ruling_comes_with_the_fix_and_nothing_is_lost(scribe: Scribe) -> None:
    before = played(scribe)
    outcome = scribe.say(fix(scribe, '--ruling "Zel: Steel before nerve."'))

    assert "  + ruling tie = Zel: “Steel before nerve.”" in outcome.said
    assert not any("No longer holds" in said for said in outcome.said)
    assert "table.ruling-made" in played(scribe)
    assert set(before) <= set(played(scribe))


def test_B1_a_fix_asks_the_user_for_the_ruling_it_needs(scribe: Scribe) -> None:
    asked: list[str] = []
    answers = iter(("Guards of the gate: no", "Zel: Steel before nerve."))

    def consult(question: str) -> str:
        asked.append(question)
        return next(answers)

    scribe.consult, scribe.attended = consult, True
    outcome = scribe.say(fix(scribe))

    assert asked[0].startswith("With this, Zel and Guards are tied: who takes the hand?")
    assert len(asked) == 2, "an answer that cannot be taken is asked for again"
    assert "  + ruling tie = Zel: “Steel before nerve.”" in outcome.said


def test_B1_what_happened_is_kept_by_the_ruling_that_brings_it_about(scribe: Scribe) -> None:
    outcome = scribe.say(fix(scribe, "--keep", text="We had played on."))

    assert "  + ruling tie = Zel: “We had played on.”" in outcome.said
    assert scribe.line == 2


def test_B1_what_happened_is_kept_where_the_rules_would_have_it_otherwise(scribe: Scribe) -> None:
    outcome = scribe.say(fix(scribe, "--keep", "10S 10D 8H 7C 4C 3D", "We had played on."))

    assert outcome.done is not None
    (ruling,) = outcome.done.events
    assert isinstance(ruling, e.RulingMade)
    assert str(ruling.text) == (
        "It was 10S 10D 8H 7C 4C 3D, not KS 10D 8H 7C 4C 3D. To keep what happened: We had played on."
    )
    assert scribe.campaign.lines() == {1: "mainline"}
    assert outcome.said[0] == (
        "What happened is kept by a ruling, without a branch; the record goes on with what was typed:"
        " its cards count as drawn until the deck is shuffled."
    )


def test_B1_to_keep_what_happened_wants_a_reason(scribe: Scribe) -> None:
    with pytest.raises(Refused, match="Say after a colon why the result is kept: fix --keep = JD"):
        scribe.say(f"fix --keep = {TIE}")


def test_B1_what_no_longer_holds_can_be_let_go(scribe: Scribe) -> None:
    outcome = scribe.say(fix(scribe, "--drop"))

    assert sum("No longer holds" in said for said in outcome.said) == 3
    assert scribe.campaign.lines() == {1: "first-line", 2: "mainline"}


def test_B1_a_ruling_that_nothing_asks_for_is_refused(scribe: Scribe) -> None:
    with pytest.raises(Refused, match="Nothing asks for the ruling “Zel: why”"):
        scribe.say(fix(scribe, '--ruling "Zel: why"', "KS 10D 8H 7C 4C 2H"))


def test_N4_a_fix_is_undone_and_redone(scribe: Scribe) -> None:
    before = played(scribe)
    scribe.say(fix(scribe, "--drop"))
    mended = played(scribe)

    assert "The line you left is called fix now." in scribe.say("undo").said[0]
    assert (scribe.line, played(scribe)[: len(before)]) == (1, before)
    scribe.say("redo")
    assert (scribe.line, played(scribe)[: len(mended)]) == (2, mended)
    scribe.say("undo")
    assert "end session" in scribe.say("undo").said[0], "then the act before the fix"


def test_N4_a_number_from_before_a_fix_is_asked_about(scribe: Scribe) -> None:
    words = next(at for at, one in positions(scribe).items() if one == "table.narrated")
    scribe.say(fix(scribe, "--drop", "KS 10D 8H 7C 4C 2D"))

    with pytest.raises(Refused) as refused:
        scribe.say(f"retcon {words}: Two cries.")
    assert refused.value.sentence == (
        f"Numbers moved when the line was changed: what was {words} is now {words + 1}"
        " (narrate Zel: One last cry, and the line breaks.)."
        f" Write mainline@{words} for 16\N{EN DASH}19 (draw Guards 5 = JS 9S 5S 4S 2D),"
        f" or mainline@{words + 1}."
    )
    assert scribe.say(f"retcon --check mainline@{words + 1}: Two cries.").checked

    asked: list[str] = []

    def yes(question: str) -> bool:
        asked.append(question)
        return True

    scribe.ask, scribe.attended = yes, True
    assert scribe.say(f"retcon {words}: Two cries.").said[0].startswith(f"{words + 1} read: “One last cry")
    assert asked[0].endswith(f"Go on with {words + 1}?")
    scribe.ask = lambda _: False
    with pytest.raises(Refused, match=f"^Write mainline@{words} for 16"):
        scribe.say(f"retcon {words}: Two cries.")


def test_N4_a_number_that_did_not_move_is_not_asked_about(scribe: Scribe) -> None:
    early = next(at for at, one in positions(scribe).items() if one == "table.session-opened")
    scribe.say(fix(scribe, "--drop", "KS 10D 8H 7C 4C 2D"))
    scribe.say("narrate gm: Snow.")

    assert scribe.say(f"mark --check early --at {early}").checked
    assert scribe.say(f"retcon --check {scribe.campaign.record.head(2).position}: Sleet.").checked
    assert scribe.say("mark --check words --at @").checked
    scribe.say("session Later")
    words = next(at for at, one in positions(scribe).items() if one == "table.narrated")
    assert scribe.say(f"retcon --check {words}: Two cries.").checked, (
        "numbers read in a later session are new"
    )


def test_N5_a_preview_leaves_out_what_is_only_numbered_anew(scribe: Scribe) -> None:
    kinds = positions(scribe)
    words = next(at for at, one in kinds.items() if one == "table.narrated")
    drawn = next(at for at, one in kinds.items() if one == "bruise.traits-assigned")
    scribe.say(f"mark landed --at {words}")
    scribe.say(f"narrate Zel --at {words}: And then silence.")

    mended = scribe.say(f"fix --check {drawn} = KS 10D 8H 7C 4C 2D").said

    assert [one.strip()[0] for one in mended[1:]] == ["-", "+"], mended


def test_README_results_that_do_not_fit_are_refused_with_the_line_they_would_mend(scribe: Scribe) -> None:
    scribe.say("roll 2d6 = 3 4")

    with pytest.raises(Refused) as refused:
        scribe.say("fix = JH JD 10S 7C 4C 2D")
    assert refused.value.sentence == (
        "A d6 has no JH. This would mend 24–25 (roll 2d6 = 3 4)."  # noqa: RUF001 -- as it is told
        " Another draw or roll is named by its moment: fix 412 = JH JD 10S. As it is now: fix 24 = 3 4."
    )


def test_Q37_a_person_who_saw_the_change_in_the_question_is_not_told_it_again(scribe: Scribe) -> None:
    scribe.say("roll 2d6 = 3 4")
    asked: list[str] = []

    def ask(question: str) -> bool:
        asked.append(question)
        return True

    scribe.ask = ask

    mended = scribe.say("fix = 3 5").said

    assert "  + the table rolls 2d6: 3 5" in asked[0].splitlines()
    assert mended == ("It is mended, and play goes on from here; the old line is kept (branches).",)


def test_S15_a_fix_is_recorded_whole_or_not_at_all(scribe: Scribe, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    before = list(scribe.campaign.record.everything())
    monkeypatch.setattr(Branches, "promote", stopped)
    with pytest.raises(KeyboardInterrupt):
        scribe.say(fix(scribe, "--drop"))

    assert list(scribe.campaign.record.everything()) == before


# --- retcon --as ------------------------------------------------------------------------------------------


def retcon(scribe: Scribe, flags: str = "") -> str:
    return f'retcon {drawn_at(scribe)} --as "draw Zel clubs+melee = {TIE}" {flags}'


def test_B1_an_unattended_retcon_that_needs_a_ruling_is_refused(scribe: Scribe) -> None:
    before = list(scribe.campaign.record.everything())
    with pytest.raises(Refused) as refused:
        scribe.say(retcon(scribe))

    said = refused.value.sentence
    assert said.startswith("With this, 3 later acts no longer hold. No longer holds: ")
    assert " Zel and Guards are tied:" in said
    assert list(scribe.campaign.record.everything()) == before
    lines = [part.split(". To ")[0].rstrip(".") for part in said.split(": retcon ")[1:]]
    assert len(lines) == 2
    for line in lines:
        assert scribe.say(f"retcon --check {line}").checked


def test_B1_the_ruling_comes_with_the_retcon_and_nothing_is_lost(scribe: Scribe) -> None:
    outcome = scribe.say(retcon(scribe, '--ruling "Zel: Steel before nerve."'))

    assert "  + ruling tie = Zel: “Steel before nerve.”" in outcome.said
    assert not any("No longer holds" in said for said in outcome.said)
    assert "table.ruling-made" in played(scribe)


def test_B1_a_retcon_asks_the_user_for_the_ruling_it_needs(scribe: Scribe) -> None:
    asked: list[str] = []

    def consult(question: str) -> str:
        asked.append(question)
        return "Zel: Steel before nerve."

    scribe.consult, scribe.attended = consult, True
    outcome = scribe.say(retcon(scribe))

    assert asked[0].startswith("With this, Zel and Guards are tied: who takes the hand?")
    assert "  + ruling tie = Zel: “Steel before nerve.”" in outcome.said


def test_B1_a_retcon_goes_on_without_what_no_longer_holds(scribe: Scribe) -> None:
    outcome = scribe.say(retcon(scribe, "--drop"))

    assert sum("No longer holds" in said for said in outcome.said) == 3


def test_B1_a_ruling_that_no_retcon_asks_for_is_refused(scribe: Scribe) -> None:
    line = f'retcon {drawn_at(scribe)} --as "draw Zel clubs+melee = KS 10D 8H 7C 4C 2H" --ruling "Zel: why"'
    with pytest.raises(Refused, match="Nothing asks for the ruling “Zel: why”"):
        scribe.say(line)


@pytest.mark.parametrize(
    ("typed", "recorded"), [("4S", ("4S", "3")), ("5", ("7S", "5")), ("2 4S", ("2", "4S"))]
)
def test_Q37_what_a_fix_leaves_out_stays_as_it_came_up(
    tmp_path: Path, typed: str, recorded: tuple[str, ...]
) -> None:
    with CampaignStore.create(tmp_path / "x.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in ("cast Maren whiskey combat=11", "session S", "check Maren combat vs 12 = 7S 3"):
            scribe.say(line)
        at = scribe.writer.last_acts()

        left = with_results_left(scribe.writer, next(iter(at)).first, typed.split())

    assert left == recorded
