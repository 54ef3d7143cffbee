"""The verbs about the line itself, as the person who writes them meets them."""

from pathlib import Path

import pytest

from retold.games.homebrew.state import TrackValue, shelf
from retold.journal.refused import Refused
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Words
from retold.outcome import Outcome
from retold.scribe import Scribe
from tests.proposed import holds


def refusal(scribe: Scribe, line: str) -> str:
    """The sentence a line is refused with; nothing is recorded for it."""
    before = list(scribe.campaign.record.everything())
    with pytest.raises(Refused) as refused:
        scribe.say(line)

    assert list(scribe.campaign.record.everything()) == before
    return holds(refused.value.sentence, scribe.table)


def happened(outcome: Outcome) -> tuple[Event, ...]:
    assert outcome.done is not None
    return outcome.done.events


# --- undo and redo ----------------------------------------------------------------------------------------


def test_undo_takes_back_the_last_act_and_says_what_was_said(scribe: Scribe) -> None:
    outcome = scribe.say("undo")

    assert happened(outcome) == (e.Undone(first=26, last=26),)
    assert outcome.said == ("Taken back: 26 (scene The yard).",)


def test_undo_takes_back_all_events_of_an_act(scribe: Scribe) -> None:
    outcome = scribe.say("undo 5")

    assert happened(outcome) == (e.Undone(first=21, last=26),)
    assert outcome.said[0] == (
        "Taken back: 21 (narrate Zel: One last cry, and the line breaks.); 22\N{EN DASH}23 (end conflict);"
        " 24 (end session); 25 (session High water); 26 (scene The yard)."
    )


def test_undo_passes_over_what_is_undone_already(scribe: Scribe) -> None:
    scribe.say("undo")

    assert happened(scribe.say("undo")) == (e.Undone(first=25, last=25),)


def test_a_long_text_that_is_taken_back_is_not_told_again_in_full(scribe: Scribe) -> None:
    scribe.say(f"note: {'long ' * 1000}")

    assert len(scribe.say("undo").said[0]) < 300


@pytest.mark.parametrize("acts", ["0", "-1"])
def test_undo_takes_back_at_least_one_act(scribe: Scribe, acts: str) -> None:
    assert refusal(scribe, f"undo {acts}") == "Say how many acts, 1 or more."


def test_the_beginning_of_a_campaign_stays(scribe: Scribe) -> None:
    assert refusal(scribe, "undo 99") == "The campaign begins here: there is nothing to take back."


def test_a_number_of_the_log_behind_undo_is_answered_with_a_retcon(scribe: Scribe) -> None:
    assert refusal(scribe, "undo 24") == (
        "24 acts back: The campaign begins here: there is nothing to take back."
        " What can be taken back: undo 16; the act at 24 of the log: retcon 24 --drop."
    )


def test_the_beginning_of_a_branch_stays(scribe: Scribe) -> None:
    scribe.say("branch kinder")

    assert refusal(scribe, "undo") == "The branch begins here: to leave it, switch mainline."


def test_redo_brings_back_what_undo_took(scribe: Scribe) -> None:
    scribe.say("undo 2")
    outcome = scribe.say("redo")

    assert happened(outcome) == (e.Redone(first=25, last=26),)
    assert outcome.said == ("Brought back: 25 (session High water); 26 (scene The yard).",)


def test_redo_is_refused_after_a_new_act(scribe: Scribe) -> None:
    scribe.say("undo")
    scribe.say("note: Something new.")

    assert refusal(scribe, "redo") == "There is nothing to bring back."


def test_no_more_is_brought_back_than_was_undone(scribe: Scribe) -> None:
    scribe.say("undo")

    assert refusal(scribe, "redo 2") == "Only one undo can be brought back."


def test_if_a_change_of_words_goes_or_comes_back_it_says_how_they_read(scribe: Scribe) -> None:
    scribe.say("retcon 21: They held.")

    assert scribe.say("undo").said == (
        "Taken back: 27 (retcon 21: They held.).",
        "21 reads again: “One last cry, and the line breaks.”",
    )
    assert scribe.say("redo").said[1:] == ("21 reads again: “They held.”",)
    assert len(scribe.say("undo 6").said) == 1  # the words themselves went, too


def test_an_undo_records_its_author(scribe: Scribe) -> None:
    scribe.say("undo --by Jon")
    row = list(scribe.campaign.record.rows(1))[-1]

    assert '"by":2' in row.body


# --- branches ---------------------------------------------------------------------------------------------


def test_a_branch_leaves_its_line_at_a_moment_and_is_written_to(scribe: Scribe) -> None:
    outcome = scribe.say("branch kinder the-porch: What if they had talked?")

    assert outcome.said == ("New branch kinder, from moment 10. You are on it now.",)
    assert scribe.campaign.lines() == {1: "mainline", 2: "kinder"}
    assert scribe.line == 2


def test_a_branch_leaves_now_if_no_moment_is_named(scribe: Scribe) -> None:
    assert scribe.say("branch kinder").said == ("New branch kinder, from moment 26. You are on it now.",)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("mainline", "A branch cannot be called mainline."),
        ("list", "A branch cannot be called list; the branches there are: branches."),
        ("s3", "s3 reads as a moment already: choose another name."),
        ("a@b", "a@b reads as a moment already: choose another name."),
        ("Kínder", "There is a branch Kínder already: choose another name."),
    ],
)
def test_a_branch_has_a_name_of_its_own(scribe: Scribe, name: str, sentence: str) -> None:
    scribe.say("branch kinder")
    scribe.say("switch mainline")

    assert refusal(scribe, f"branch {name}") == sentence
    assert refusal(scribe, f"branch {name} --check") == sentence


def test_a_branch_does_not_leave_from_another_line(scribe: Scribe) -> None:
    scribe.say("branch kinder 10")

    assert (
        refusal(scribe, "branch third mainline@12") == "mainline@12 is on another line: switch to it first."
    )


def test_switch_writes_to_another_line_from_now_on(scribe: Scribe) -> None:
    chosen: list[int | None] = []
    scribe.chose = chosen.append
    scribe.say("branch kinder 10")

    assert scribe.say("switch Mainline").said == ("Writing to mainline, at 26.",)
    assert scribe.line == 1
    assert chosen == [2, None]


def test_switch_knows_the_branches_there_are(scribe: Scribe) -> None:
    scribe.say("branch kinder 10")

    assert refusal(scribe, "switch kinda") == "There is no branch kinda. There are: mainline, kinder."


def test_a_promoted_branch_is_the_mainline_and_the_old_line_is_kept(scribe: Scribe) -> None:
    scribe.say("branch kinder 10")
    outcome = scribe.say("branch promote kinder")

    assert outcome.said == ("kinder is the mainline now; the line it leaves is kept (branches).",)
    assert scribe.campaign.lines() == {1: "first-line", 2: "mainline"}


def test_N4_a_promotion_can_be_undone_and_redone_repeatedly(scribe: Scribe) -> None:
    scribe.say("branch kinder 10")
    scribe.say("note: Here she is kind.")
    scribe.say("branch promote kinder")
    head = scribe.campaign.record.head(1).position + 1

    assert scribe.say("undo --check").said == ("Would be the mainline again: first-line.",)
    for again in range(2):
        first, _, rest = scribe.say("undo").said[0].partition(". ")
        assert first == f"first-line is the mainline again, at {head + 2 * again}"
        assert rest == "The line you left is called kinder now. To return to it: redo."
        assert (scribe.line, scribe.campaign.lines()) == (1, {1: "mainline", 2: "kinder"})
        assert scribe.say("redo --check").said == ("Would be the mainline again: kinder.",)
        assert scribe.say("redo").said[0].startswith("kinder is the mainline again, at ")
        assert (scribe.line, scribe.campaign.lines()) == (2, {1: "first-line", 2: "mainline"})
    assert refusal(scribe, "undo 2") == (
        "This line became the mainline here. That is taken back alone: undo, then undo again."
    )
    assert verify(scribe.campaign.record).whole


def test_N4_play_goes_on_after_an_undone_promotion(scribe: Scribe) -> None:
    scribe.say("branch kinder 10")
    scribe.say("branch promote kinder")
    scribe.say("undo")

    assert scribe.say("note: As it was.").done is not None
    assert refusal(scribe, "redo") == "There is nothing to bring back."
    assert scribe.say("undo").said[0].endswith("(note: As it was.).")


def test_a_writer_on_the_old_line_learns_where_play_went(scribe: Scribe) -> None:
    late = Scribe(scribe.campaign, 1)
    assert late.table.title is not None
    scribe.say("branch kinder 10")
    scribe.say("branch promote kinder")

    assert refusal(late, "note: Hello?") == (
        "Play went on elsewhere: mainline is the line now. Go there with switch mainline."
    )


@pytest.mark.parametrize(
    "line", ["branch promote", "branch promote kinder now", "branch promote kinder: why"]
)
def test_promote_takes_one_branch_and_nothing_more(scribe: Scribe, line: str) -> None:
    scribe.say("branch kinder 10")

    assert refusal(scribe, line) == (
        "Say which branch the table plays from now on, and nothing more: branch promote NAME."
    )


def test_the_mainline_is_not_promoted_again(scribe: Scribe) -> None:
    assert refusal(scribe, "branch promote mainline") == "mainline is the mainline already."


# --- retcon and fix ---------------------------------------------------------------------------------------


def test_retcon_changes_the_words_of_a_moment(scribe: Scribe) -> None:
    outcome = scribe.say("retcon 21: Two cries, and the line holds.")

    assert happened(outcome) == (e.Reworded(about=21, word=0, text=Words("Two cries, and the line holds.")),)


def test_N17_a_retcon_of_words_that_lands_on_a_name_is_asked(scribe: Scribe) -> None:
    scribe.say("cast Mirela")
    asked: list[str] = []

    def no(question: str) -> bool:
        asked.append(question)
        return False

    scribe.ask = no
    before = scribe.writer.head

    outcome = scribe.say("retcon @: hm")

    named = '“Mirela” is a name, in 27 (cast "Mirela"): it is “hm” from now on, everywhere.'
    assert asked == [f"{named}\nChange the name?"]
    assert outcome.said == ("Nothing was changed.",)
    assert scribe.writer.head == before
    assert scribe.table.called("Mirela") is not None

    scribe.ask = lambda _question: True
    said = scribe.say("retcon @: Mira").said
    assert said[-1] == named.replace("“hm”", "“Mira”")
    assert scribe.table.called("Mira") is not None


def test_N17_words_that_are_no_name_are_changed_unasked(scribe: Scribe) -> None:
    scribe.say("cast Mirela: A smuggler")
    scribe.ask = pytest.fail

    scribe.say("retcon @: A pilot")
    scribe.say("retcon 21: Two cries.")


def test_retcon_wants_new_words(scribe: Scribe) -> None:
    ways = (
        "Recorded: 21 (narrate Zel: One last cry, and the line breaks.). Another line: retcon 21 --as"
        ' "narrate Zel: One last cry, and the line breaks.". Other words: retcon 21: One last cry, and the'
        " line breaks. Away with it: retcon 21 --drop."
    )
    assert {refusal(scribe, line) for line in ("retcon 21", "retcon 21:", "retcon 21 --as")} == {ways}


def test_retcon_of_a_moment_without_words_is_refused(scribe: Scribe) -> None:
    assert refusal(scribe, "retcon 20: Spades") == (
        "There is no text at 20: retcon changes something that was said or written. As it is now:"
        ' retcon 20 --as "colour Zel hearts".'
    )


def test_a_title_stays_on_one_line(scribe: Scribe) -> None:
    assert refusal(scribe, "retcon 26: The yard\n  and the wall") == (
        "A title must be on one line, without control characters. As it is now:"
        ' retcon 26 --as "scene The yard".'
    )


def test_retcon_as_tells_the_act_anew_on_a_branch_that_is_written_to(scribe: Scribe) -> None:
    outcome = scribe.say('retcon 17 --as "quality Guards Q" --drop')
    said = " ".join(outcome.said)

    assert said.startswith("The change is on a new branch, retcon. You are on it now.")
    assert "+ Guards wins over Zel: Quality Q against J" in said
    assert "No longer holds: 20, colour Zel hearts" in said
    assert said.endswith("The line the table plays stays as it is until: branch promote retcon.")
    assert scribe.campaign.lines() == {1: "mainline", 2: "retcon"}
    assert scribe.line == 2


def test_retcon_as_knows_only_who_was_there_before_the_act(scribe: Scribe) -> None:
    outcome = scribe.say('retcon 8 --as "cast Zel bruise by=Jon clubs=4 melee=2 spite=1"')

    assert "The change is on a new branch, retcon. You are on it now." in outcome.said


RETELL = 'retcon 17 --as "quality Guards Q"'
"""With this the last two acts no longer hold, and nothing is asked."""


def test_G8_a_script_says_drop_where_a_retcon_would_lose_an_act(scribe: Scribe) -> None:
    before = list(scribe.campaign.record.everything())
    with pytest.raises(Refused) as refused:
        scribe.say(RETELL)

    assert refused.value.sentence.startswith(
        "With this, 2 later acts no longer hold. No longer holds: 20, colour Zel hearts"
    )
    assert refused.value.sentence.endswith(f" To go on without them: {RETELL} --drop.")
    assert list(scribe.campaign.record.everything()) == before
    assert (
        scribe.say(f"{RETELL} --drop").said[0] == "The change is on a new branch, retcon. You are on it now."
    )


@pytest.mark.parametrize("answer", [True, False])
def test_G8_the_user_is_asked_before_a_retcon_loses_an_act(scribe: Scribe, *, answer: bool) -> None:
    asked: list[str] = []

    def ask(question: str) -> bool:
        asked.append(question)
        return answer

    scribe.attended, scribe.ask = True, ask
    outcome = scribe.say(RETELL)

    (question,) = asked
    assert question.endswith("\nPlay on with this?")
    assert "No longer holds: 20, colour Zel hearts" in question
    assert (outcome.said == ("Nothing was changed.",)) is not answer
    assert len(scribe.campaign.lines()) == 1 + answer


def test_retcon_as_names_another_branch_each_time(scribe: Scribe) -> None:
    scribe.say('retcon 17 --as "quality Guards Q" --drop')
    scribe.say("switch mainline")
    scribe.say('retcon 17 --as "quality Guards 10" --drop')

    assert scribe.campaign.lines() == {1: "mainline", 2: "retcon", 3: "retcon-2"}


def test_fix_shows_what_changes_and_asks_before_it_does(scribe: Scribe) -> None:
    asked: list[str] = []

    def no(question: str) -> bool:
        asked.append(question)
        return False

    scribe.ask = no
    outcome = scribe.say("fix 16 = JH JD 10S 7C 4C 2D")

    assert asked == [
        (
            "15\N{EN DASH}16\n"
            "  - Zel draws 6 from Jon's deck: J♥ J♦ 10♠ 7♣ 4♣ 3♦\n"
            "  + Zel draws 6 from Jon's deck: J♥ J♦ 10♠ 7♣ 4♣ 2♦\n"
            "Play on with this?"
        )
    ]
    assert outcome.said == ("Nothing was changed.",)
    assert scribe.campaign.lines() == {1: "mainline"}


def test_play_goes_on_on_the_mended_line(scribe: Scribe) -> None:
    outcome = scribe.say("fix 16 = JH JD 10S 7C 4C 2D")

    assert outcome.said[-1] == "It is mended, and play goes on from here; the old line is kept (branches)."
    assert scribe.campaign.lines() == {1: "first-line", 2: "mainline"}
    assert scribe.line == 2


def test_fix_wants_what_the_cards_really_were(scribe: Scribe) -> None:
    assert refusal(scribe, "fix 15") == (
        "Recorded: 15–16 (draw Zel clubs+melee = JH JD 10S 7C 4C 3D). With other results:"  # noqa: RUF001 -- as it is told
        " fix 15 = JH JD 10S 7C 4C 3D."
    )
    assert refusal(scribe, "fix 26 = JH") == (
        "Nothing was drawn or rolled at 26. To take it back: undo. To say it otherwise, change what is in"
        ' quotes: retcon 26 --as "scene The yard". fix = RESULTS means what was drawn or rolled at 15.'
    )


def test_fix_of_a_track_names_the_line_that_says_it_otherwise(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "arrow.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in ("cast Zel", "track Zel hp 12/12", "hp Zel -5: An “arrow” out of the dark."):
            scribe.say(line)
        at = scribe.table.position
        again = f'retcon {at} --as "track Zel hp -5: An “arrow” out of the dark."'
        sentence = (
            f"Nothing was drawn or rolled at {at}. To take it back: undo. To say it otherwise, change what is"
            f" in quotes: {again}."
        )

        assert {refusal(scribe, line) for line in (f"fix {at} = 3", "fix @ = 3", "fix @")} == {sentence}
        scribe.say(again.replace("-5", "-3"))
        assert shelf(scribe.table).kept(1, "hp") == TrackValue(9, 12)


def test_fix_proposes_no_line_for_an_untyped_event(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "begun.retold") as campaign:
        assert refusal(Scribe(campaign, 1), "fix 1 = 3") == "Nothing was drawn or rolled at 1."


def test_fix_means_the_last_draw_whatever_came_after_it(scribe: Scribe) -> None:
    outcome = scribe.say("fix = JH JD 10S 7C 4C 2D")

    assert outcome.said[0].startswith("This mends 15\N{EN DASH}16 (draw Zel clubs+melee")
    assert "  + Zel draws 6 from Jon's deck: J♥ J♦ 10♠ 7♣ 4♣ 2♦" in outcome.said
    assert scribe.line == 2


def test_fix_says_where_nothing_has_been_drawn_yet(scribe: Scribe) -> None:
    scribe.say("branch sober 11")

    assert refusal(scribe, "fix = JH") == "Nothing has been drawn or rolled yet, so there is nothing to mend."


# --- two who write ----------------------------------------------------------------------------------------


def test_an_act_that_came_in_first_is_told(scribe: Scribe) -> None:
    other = Scribe(scribe.campaign, 1)
    assert other.table.title is not None
    scribe.say("note: The first word.")

    assert other.say("note: The second word.").said == ("1 act came in first, from another writer.",)


def test_an_act_that_would_be_another_one_now_is_not_recorded(scribe: Scribe) -> None:
    other = Scribe(scribe.campaign, 1)
    assert other.table.title is not None
    scribe.say("end session")
    scribe.say("session A third")

    assert "came in first" in refusal(other, "end session")


# --- for some eyes only -----------------------------------------------------------------------------------

BRUISE = ("conflict bruise Zel vs Guards", "draw Zel clubs+melee = JH JD 10S 7C 4C 3D", "quality Guards 9")
EDGERUNNER = (
    *("cast Gatto edgerunner firearms=3", "cast Hargan edgerunner", "conflict edgerunner Gatto vs Hargan"),
    *("place Gatto+Hargan Dock", "exchange", "attack Gatto Hargan cool with firearms = ++++"),
    *("apply", "narrate Gatto: He falls."),
)


@pytest.mark.parametrize(
    ("before", "line"),
    [
        (BRUISE, "narrate Zel --gm: The line breaks."),
        (BRUISE[:1], "declare Zel --to Jon: I run."),
        (("conflict spacetime Zel vs Guards",), "declare Zel --gm: I run."),
        (("conflict spacetime Zel vs Guards",), "narrate gm --to Jon: It rains."),
        ((*EDGERUNNER[:3], "map Dock 1 Aisle", *EDGERUNNER[3:7]), "narrate Gatto --gm: He falls."),
    ],
)
def test_what_counts_in_a_conflict_is_not_for_some_eyes_only(
    scribe: Scribe, before: tuple[str, ...], line: str
) -> None:
    for one in before:
        scribe.say(one)

    assert refusal(scribe, line) == (
        f"This {line.partition(' ')[0]} counts in the conflict, and all can see that it was made:"
        " say it openly, or keep the secret in a note (note --gm: …)."
    )
    assert refusal(scribe, f"{line.replace(':', ' --check:', 1)}").startswith("This ")


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ((), "narrate Zel --gm: The line breaks."),
        (BRUISE, "say Zel --gm: Not today."),
        (BRUISE, "narrate Zel --gm --at the-porch: It had rained since noon."),
        (("conflict whiskey Zel vs Guards",), "narrate gm --gm: It rains."),
    ],
)
def test_what_changes_nothing_in_a_conflict_may_be_for_some_eyes_only(
    scribe: Scribe, before: tuple[str, ...], line: str
) -> None:
    for one in before:
        scribe.say(one)

    assert happened(scribe.say(line))


def test_what_the_game_master_says_of_a_reveal_to_some_tells_nothing_in_the_conflict(scribe: Scribe) -> None:
    for one in (*BRUISE, "note --gm: The duke did it."):
        scribe.say(one)

    _, said = happened(scribe.say("reveal @ --to Jon: You find the letter."))
    assert said == e.Narrated(who=0, text=Words("You find the letter."), conflict=None)


def test_cast_points_out_an_alternate_without_a_player(scribe: Scribe) -> None:
    alone = scribe.say("cast Ghost edgerunner kind=alternate of=Zel").said

    assert alone == (
        "No one plays Ghost yet, so what they spend and gain is the game master's: cast Ghost by=NAME.",
    )
    assert scribe.say("cast Shade edgerunner by=Jon kind=alternate of=Zel").said == ()


def test_C15_a_mark_on_what_is_hidden_says_that_it_is_hidden_too(scribe: Scribe) -> None:
    scribe.say("note: The captain is her father.")

    assert scribe.say("mark clap --at 27").said == (
        "This mark is hidden, because moment 27 is. For a mark everyone sees: mark NAME --at MOMENT.",
    )
    assert scribe.say("mark open --at 26").said == ()
    assert scribe.say("mark shut --at 27 --gm").said == ()
