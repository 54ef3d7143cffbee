"""What every table does in the same way: evenings, people, options, rulings, speech and dice."""

from __future__ import annotations

import pytest

from retold.journal.decks.expressions import HOW
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Words
from retold.projections.reading.viewers import GAME_MASTER, viewer_of
from tests.scenario import Story, cast, given

ZEL, GUARDS, ANA = 1, 2, 3
WORDS = Words("As it was said.")


def duel() -> Story:
    """Zel against the Guards, by the rules of Bruise."""
    return given(*cast("Zel", "Guards", "Ana"), c.OpenConflict(system="bruise", sides=((ZEL,), (GUARDS,))))


def tied() -> Story:
    """Zel and the Guards show the same Quality, and the table has to say who wins."""
    return duel().given(
        c.Draw(who=ZEL, count=1, results=("JH",)), c.Draw(who=GUARDS, count=1, results=("JS",))
    )


TIED = "Zel and Guards are tied: who takes the hand? Answer with: Zel, Guards."


# --- the campaign and its evenings ------------------------------------------------------------------------


def test_a_campaign_is_named_once() -> None:
    named = (
        given()
        .when(c.NameCampaign(title=Words("The Salt Road"), text=WORDS))
        .then(e.CampaignNamed(title=Words("The Salt Road"), text=WORDS))
    )

    named.when(c.NameCampaign(title=Words("The Long Road"))).then_refused(
        "This campaign is named already: The Salt Road. To change the title, use retcon."
    )


def test_sessions_are_counted_and_one_is_open_at_a_time() -> None:
    first = given(*cast("Kit")).when(
        c.OpenSession(title=Words("The Long Ebb"), date="2026-03-14", absent=(1,), text=WORDS)
    )
    story = first.then(
        e.SessionOpened(session=1, title=Words("The Long Ebb"), date="2026-03-14", absent=(1,), text=WORDS)
    )

    story.when(c.OpenSession()).then_refused("Session 1 is still open: end it first (end session).")
    closed = story.when(c.End(what="session", text=WORDS)).then(e.SessionClosed(session=1, text=WORDS))
    closed.when(c.OpenSession()).then(e.SessionOpened(session=2))
    closed.when(c.End(what="session")).then_refused("No session is open.")


@pytest.mark.parametrize("date", ["14.3.2026", "2026-02-30", "20260314", "2026-W11-6", ""])
def test_a_date_is_written_in_one_way(date: str) -> None:
    given().when(c.OpenSession(date=date)).then_refused(f"{date} is no date: write it as 2026-03-14.")


def test_a_scene_belongs_to_a_session() -> None:
    given().when(c.SetScene(title=Words("The stair"))).then_refused(
        "No session is open, and a scene belongs to one: begin with session."
    )


def test_a_scene_gives_way_to_the_next() -> None:
    story = (
        given(c.OpenSession())
        .when(c.SetScene(title=Words("The stair"), text=WORDS))
        .then(e.SceneSet(scene=1, title=Words("The stair"), text=WORDS))
    )

    story.when(c.SetScene(title=Words("The quay"))).then(e.SceneSet(scene=2, title=Words("The quay")))
    ended = story.when(c.End(what="scene", text=WORDS)).then(e.SceneEnded(scene=1, text=WORDS))
    ended.when(c.End(what="scene")).then_refused("No scene is open.")


# --- ending -----------------------------------------------------------------------------------------------


def test_end_alone_ends_the_innermost() -> None:
    story = given(
        *cast("Zel", "Guards"),
        c.OpenSession(),
        c.SetScene(title=Words("The stair")),
        c.OpenConflict(system="bruise", sides=((ZEL,), (GUARDS,))),
    )

    conflict_over = story.when(c.End(text=WORDS)).then(e.ConflictEnded(conflict=1, how="ended", text=WORDS))
    scene_over = conflict_over.when(c.End()).then(e.SceneEnded(scene=1))
    scene_over.when(c.End()).then_refused(
        "No conflict and no scene is open; to end the evening: end session."
    )


def test_a_conflict_ends_as_the_table_says() -> None:
    story = duel()

    story.when(c.End(what="conflict", how="Victory", winner=ZEL)).then(
        e.ConflictEnded(conflict=1, how="victory", winner=ZEL)
    )
    story.when(c.End(what="conflict", how="victory", winner=ANA)).then_refused(
        "Ana is on no side of this conflict."
    )
    given().when(c.End(what="conflict")).then_refused("No conflict is open.")


def test_a_conflict_may_stay_open_overnight() -> None:
    story = (
        given(c.OpenSession(), *duel().events).when(c.End(what="session")).then(e.SessionClosed(session=1))
    )

    assert list(story.table.conflicts) == [1]


@pytest.mark.parametrize("what", ["conflict", "session"])
def test_nothing_ends_over_an_open_question(what: str) -> None:
    story = given(c.OpenSession()).given(*tied().events)

    story.when(c.End.of({"what": what})).then_refused(f"{TIED} Rule on that first (ruling Zel: why).")


# --- marks ------------------------------------------------------------------------------------------------


def test_a_mark_names_this_moment_or_one_before() -> None:
    story = given(*cast("Zel", "Ana"))

    story.when(c.Mark(name=Words("the-stair"), text=WORDS)).then(
        e.Marked(name=Words("the-stair"), at=2, text=WORDS)
    )
    story.when(c.Mark(name=Words("the-stair"), at=1)).then(e.Marked(name=Words("the-stair"), at=1))


def test_two_moments_never_have_one_name() -> None:
    story = given(*cast("Zel"), c.Mark(name=Words("the-stair")))

    story.when(c.Mark(name=Words("The Stair"))).then_refused("There is a mark The Stair already, at 1.")


@pytest.mark.parametrize("name", ["412", "#412", "@", "@-3", "~3", "s3", "s3:42", "caught@412", "4..12"])
def test_a_mark_does_not_look_like_a_moment(name: str) -> None:
    given().when(c.Mark(name=Words(name))).then_refused(
        f"{name} reads as a moment already: choose another name."
    )


# --- people -----------------------------------------------------------------------------------------------


def test_a_newcomer_is_introduced() -> None:
    given().when(c.Cast(who=Words("Zel"), text=Words("A smuggler"))).then(
        e.CastIntroduced(person=1, name=Words("Zel"), text=Words("A smuggler"))
    )


def test_a_newcomer_comes_with_a_player_and_a_sheet() -> None:
    wish = c.Cast(
        who=Words("Zel"),
        system="bruise",
        by=Words("Jon"),
        people={"doula": Words("Mira")},
        values={"clubs": 4, "Melee": 2},
        text=Words("A smuggler"),
    )

    given().when(wish).then(
        e.CastIntroduced(person=1, name=Words("Zel"), text=Words("A smuggler")),
        e.CastIntroduced(person=2, name=Words("Jon"), role="player"),
        e.PlayerSeated(person=1, player=2),
        e.CastIntroduced(person=3, name=Words("Mira"), role="player"),
        e.SheetChanged(person=1, system="bruise", values={"clubs": 4, "doula": 3, "melee": 2}),
    )


def test_a_known_character_is_described_anew() -> None:
    story = given(*cast("Zel"))

    for who in (ZEL, Words("zél")):
        story.when(c.Cast(who=who, text=WORDS)).then(e.Described(person=ZEL, text=WORDS))
        story.when(c.Cast(who=who)).then_refused(
            "Zel is in the cast already, and nothing about them changes."
        )


def test_a_player_takes_over_a_known_character() -> None:
    story = given(*cast("Zel", "Jon"))

    seated = story.when(c.Cast(who=ZEL, by=2)).then(e.PlayerSeated(person=ZEL, player=2))
    assert seated.table.people[ZEL].player == 2


def test_B14_several_players_are_game_masters() -> None:
    story = given(*cast("Zel", "Mary")).when(c.Cast(who=GM, by=Words("Mary + Bo")))

    both = story.then(
        e.CastIntroduced(person=3, name=Words("Bo"), role="player"),
        e.PlayerSeated(person=GM, player=2),
        e.GameMasterJoined(player=3),
    )
    assert both.table.game_masters == (2, 3)
    assert viewer_of(both.table, 2) == viewer_of(both.table, 3) == GAME_MASTER
    again = both.when(c.Cast(who=GM, by=3)).then(e.PlayerSeated(person=GM, player=3))
    assert again.table.game_masters == (3,)
    assert viewer_of(again.table, 2) != GAME_MASTER


def test_B14_a_character_has_one_player_whatever_the_name() -> None:
    given(*cast("Zel")).when(c.Cast(who=ZEL, by=Words("Jon+Ada"))).then(
        e.CastIntroduced(person=2, name=Words("Jon+Ada"), role="player"),
        e.PlayerSeated(person=ZEL, player=2),
    )


def test_a_character_is_renamed_and_gets_a_second_name() -> None:
    story = given(*cast("The Stranger"))

    renamed = story.when(c.Cast(who=1, name=Words("The Captain"), alias=Words("The Stranger"))).then(
        e.Renamed(person=1, name=Words("The Captain")), e.AliasGiven(person=1, alias=Words("The Stranger"))
    )
    assert renamed.table.called("the stranger") == renamed.table.called("the captain") == 1


@pytest.mark.parametrize(
    ("wish", "taken"),
    [
        (c.Cast(who=ZEL, name=Words("ana")), "Ana"),
        (c.Cast(who=ZEL, alias=Words("ANA")), "Ana"),
        (c.Cast(who=ZEL, name=Words("The GM")), None),
        (c.Cast(who=ZEL, name=Words("Game Master")), "gm"),
        (c.Cast(who=Words("Mira"), name=Words("Zel")), "Zel"),
        (c.Cast(who=ZEL, by=Words("Jon"), name=Words("Jon")), "Jon"),
    ],
)
def test_a_name_already_taken_is_refused(wish: c.Cast, taken: str | None) -> None:
    attempt = given(*cast("Zel", "Guards", "Ana")).when(wish)

    if taken is None:
        attempt.then(e.Renamed(person=ZEL, name=wish.name or Words(None)))
    else:
        attempt.then_refused(f"There is a {taken} already: choose another name.")


def test_a_name_the_file_cannot_keep_is_refused() -> None:
    given(*cast("Zel")).when(c.Cast(who=ZEL, name=Words("Z\0l"))).then_refused(
        "Character 2 of this text (U+0000) cannot be kept: take it out."
    )


def test_a_sheet_is_of_the_system_named_or_in_play_or_the_only_one_played() -> None:
    wish = c.Cast(who=ZEL, values={"clubs": 4})
    changed = e.SheetChanged(person=ZEL, system="bruise", values={"clubs": 4})
    over = duel().given(c.End())

    given(*cast("Zel")).when(c.Cast(who=ZEL, system="bruise", values={"clubs": 4})).then(changed)
    duel().when(wish).then(changed)
    over.when(wish).then(changed)
    lines = ", or ".join(f"game {name}" for name in SYSTEMS if name != "homebrew")
    given(*cast("Zel")).when(wish).then_refused(
        f"Say first which game is played (plain is any other): {lines}, or game d20, or game plain."
    )


def test_a_value_left_empty_leaves_the_sheet() -> None:
    duel().when(c.Cast(who=ZEL, values={"clubs": None})).then(
        e.SheetChanged(person=ZEL, system="bruise", values={"clubs": None})
    )


def test_the_game_master_has_no_sheet() -> None:
    duel().when(c.Cast(who=GM, values={"clubs": 4})).then_refused("The game master has no sheet.")


# --- options ----------------------------------------------------------------------------------------------


def test_each_option_chosen_is_an_event() -> None:
    values = {"bruise.ace": "low", "spacetime.Stop-Scope": "PARTY"}

    given().when(c.SetOption(values=values, text=WORDS)).then(
        e.OptionSet(system="bruise", key="ace", value="low", text=WORDS),
        e.OptionSet(system="spacetime", key="stop_scope", value="party", text=WORDS),
    )


def test_in_a_conflict_an_option_is_its_systems() -> None:
    duel().when(c.SetOption(values={"tie": "next-card"})).then(
        e.OptionSet(system="bruise", key="tie", value="next_card")
    )
    duel().when(c.SetOption(values={"spacetime.beats_table": "numeric"})).then(
        e.OptionSet(system="spacetime", key="beats_table", value="numeric")
    )


def test_an_unknown_option_is_refused_with_those_there_are() -> None:
    keys = ("proposals", "acting", "screen", "copies", "telling", "tense", "language", "opponents", "game")
    table = ", ".join(f"table.{key}" for key in keys)
    known = ", ".join(f"bruise.{option.key}" for option in SYSTEMS["bruise"].options)

    duel().when(c.SetOption(values={"aces": "low"})).then_refused(
        f"There is no option aces. Known here: {table}, {known}."
    )
    given().when(c.SetOption(values={"aces": "low"})).then_refused(
        f"There is no option aces. Known here: {table}. Those of a game: systems NAME."
    )


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "Say which option, such as: option bruise.ace=low. They are listed by: systems."),
        ({"ace": "middling"}, "Bruise knows ace=high|low, not middling."),
        (
            {"karma_per_draw": "many"},
            "Bruise knows karma_per_draw=1|2|3|any whole number from 0 on, not many.",
        ),
        ({"whist.ace": "low"}, f"There is no system whist: {', '.join(SYSTEMS)}."),
    ],
)
def test_options_that_cannot_be(values: dict[str, str], sentence: str) -> None:
    given().when(c.SetOption(values=values)).then_refused(sentence)


def test_a_number_beyond_the_examples_may_be_chosen() -> None:
    given().when(c.SetOption(values={"karma_per_draw": "5"})).then(
        e.OptionSet(system="bruise", key="karma_per_draw", value="5")
    )


# --- rulings ----------------------------------------------------------------------------------------------


def test_a_law_is_laid_down_at_any_time() -> None:
    given().when(c.Rule(text=WORDS)).then(e.RulingMade(text=WORDS))
    duel().when(c.Rule(text=WORDS)).then(e.RulingMade(conflict=1, text=WORDS))


def test_if_nothing_is_pending_nothing_is_answered() -> None:
    duel().when(c.Rule(answer=ZEL, text=WORDS)).then_refused(
        f"Nothing is pending, so there is nothing to answer; a law of the table is: ruling: {WORDS}"
    )


@pytest.mark.parametrize(
    "ruling",
    [
        c.Rule(answer=ANA, text=WORDS),
        c.Rule(answer="both", text=WORDS),
        c.Rule(question="wipe-out", answer=ZEL, text=WORDS),
    ],
)
def test_a_wrong_answer_is_refused_with_the_question(ruling: c.Rule) -> None:
    tied().when(ruling).then_refused(TIED)


def test_an_answer_settles_the_question_also_from_another_conflict() -> None:
    story = tied().given(*cast("Wolves", first=4), c.OpenConflict(system="bruise", sides=((ANA,), (4,))))

    answered = story.when(c.Rule(question="tie", answer=GUARDS, text=WORDS)).events
    assert answered[0] == e.RulingMade(conflict=1, question="tie", answer=GUARDS, text=WORDS)
    assert [event.kind for event in answered[1:]] == ["bruise.hand-won"]


def test_one_answer_for_two_questions_is_for_the_conflict_spoken_to() -> None:
    story = tied().given(
        c.OpenConflict(system="bruise", sides=((ZEL,), (ANA,))),
        c.Draw(who=ZEL, count=1, results=("5H",)),
        c.Draw(who=ANA, count=1, results=("5S",)),
    )

    for conflict, meant in ((None, 2), (2, 2), (1, 1)):
        answered = story.when(c.Rule(conflict=conflict, answer=ZEL, text=WORDS)).events
        assert answered[0] == e.RulingMade(conflict=meant, question="tie", answer=ZEL, text=WORDS)


def test_an_answer_that_nothing_lists_has_to_name_its_question() -> None:
    told = [c.Narrate(who=ZEL, text=WORDS), c.Overrule(by=GM, whose=ZEL, veto=True, text=WORDS)]
    climb = c.OpenConflict(
        system="spacetime", sides=((ZEL,), (ANA,)), setup={"obstacle": ANA, "mode": "draw_until_success"}
    )
    drawn = c.Draw(who=ZEL, results=("T4",), text=WORDS)
    story = given(*cast("Zel", "Guards", "Ana"), climb, *told, drawn)

    story.when(c.Rule(answer="none", text=WORDS)).then_refused(
        "More than one question could be meant: name it (complications=…, narration=…)."
    )
    story.when(c.Rule(question="narration", answer="none", text=WORDS)).then_refused(
        "That is not for a ruling: Zel's narration was struck: Zel tells it anew (narrate Zel: …)."
    )


def test_numbers_are_those_of_the_only_system_played() -> None:
    sets = (e.Setting(person=ZEL, what="clubs", op="=", value=4),)
    ruling = c.Rule(sets=sets, text=WORDS)
    played = given(*cast("Zel"), e.SheetChanged(person=ZEL, system="bruise", values={"clubs": 3}))

    played.when(ruling).then(
        e.RulingMade(sets=sets, text=WORDS),
        e.SheetChanged(person=ZEL, system="bruise", values={"clubs": 4}),
    )
    given(*cast("Zel")).when(ruling).then_refused(
        "Say this inside the conflict it is about, so that it is clear whose numbers are meant."
    )


# --- speech -----------------------------------------------------------------------------------------------


def test_outside_a_conflict_words_are_simply_said() -> None:
    story = given(*cast("Zel"))

    story.when(c.Declare(who=ZEL, text=WORDS)).then(e.Declared(who=ZEL, text=WORDS))
    story.when(c.Declare(text=WORDS)).then(e.Declared(who=GM, text=WORDS))
    story.when(c.Narrate(who=ZEL, text=WORDS)).then(e.Narrated(who=ZEL, text=WORDS))
    story.when(c.Narrate(text=WORDS)).then(e.Narrated(who=GM, text=WORDS))
    story.when(c.Say(who=ZEL, text=WORDS)).then(e.Said(who=ZEL, text=WORDS))
    story.when(c.Say(text=WORDS)).then(e.Said(who=GM, text=WORDS))


def test_what_is_said_in_a_conflict_belongs_to_it() -> None:
    duel().when(c.Say(who=ZEL, text=WORDS)).then(e.Said(who=ZEL, text=WORDS, conflict=1))


def test_words_for_a_moment_past_belong_to_that_moment() -> None:
    duel().when(c.Say(who=ZEL, at=2, text=WORDS)).then(e.Said(who=ZEL, text=WORDS, about=2))
    duel().when(c.Narrate(who=ZEL, at=2, text=WORDS)).then(e.Narrated(who=ZEL, text=WORDS, about=2))


def test_C3_an_aside_needs_no_conflict_and_no_speaker() -> None:
    duel().when(c.Aside(who=ZEL, text=WORDS)).then(e.SaidAside(who=ZEL, text=WORDS))
    duel().when(c.Aside(at=2, text=WORDS)).then(e.SaidAside(text=WORDS, about=2))


def test_a_note_is_recorded_outside_the_story() -> None:
    duel().when(c.Note(text=WORDS)).then(e.Noted(text=WORDS))
    duel().when(c.Note(about=ANA, quote=True, at=3, text=WORDS)).then(
        e.Noted(text=WORDS, person=ANA, quote=True, about=3)
    )


def test_the_game_master_strikes_what_was_told_last() -> None:
    story = given(*cast("Zel"), c.Narrate(who=ZEL, text=WORDS), c.Narrate(who=ZEL, text=WORDS))
    why = Words("The lamps are out.")
    struck = e.NarrationOverruled(by=GM, whose=ZEL, narration=3, how="veto", text=why)

    for veto in (True, False):
        story.when(c.Overrule(by=GM, whose=ZEL, veto=veto, text=why)).then(struck)
    story.given(struck).when(c.Overrule(by=GM, whose=ZEL, text=why)).then_refused(
        "Zel has no narration to strike."
    )


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (
            c.Overrule(by=ANA, whose=ZEL, text=WORDS),
            "Only the game master strikes a narration here: overrule gm NAME --veto: why.",
        ),
        (
            c.Overrule(by=GM, whose=ZEL, own=True, text=WORDS),
            "Only the game master strikes a narration here: overrule gm NAME --veto: why.",
        ),
        (
            c.Overrule(by=ANA, whose=ZEL, veto=True, text=WORDS),
            "Only the game master has a veto: overrule gm NAME --veto: why.",
        ),
        (c.Overrule(by=GM, whose=ANA, text=WORDS), "Ana has no narration to strike."),
    ],
)
def test_only_the_game_master_strikes_a_narration(wish: c.Overrule, sentence: str) -> None:
    given(*cast("Zel", "Guards", "Ana"), c.Narrate(who=ZEL, text=WORDS)).when(wish).then_refused(sentence)


# --- dice -------------------------------------------------------------------------------------------------


def test_dice_are_rolled_at_any_table() -> None:
    given(*cast("Zel")).when(c.Roll(who=ZEL, dice="2d6 + d8", text=WORDS), dealt="3 5 8").then(
        e.DiceRolled(who=ZEL, dice="2d6+1d8", faces=(3, 5, 8), text=WORDS),
        e.TotalReached(who=ZEL, throw="2d6+1d8", total=16),
    )
    duel().when(c.Roll(dice="2dF"), dealt="- +").then(
        e.DiceRolled(conflict=1, dice="2dF", faces=(-1, 1)), e.TotalReached(conflict=1, throw="2dF", total=0)
    )


def test_B4_two_dice_or_more_have_a_total_and_a_lone_die_is_its_own() -> None:
    given().when(c.Roll(dice="d20", results=("7",))).then(e.DiceRolled(dice="1d20", faces=(7,)))
    given().when(c.Roll(dice="d%+d10", results=("100", "3"))).then(
        e.DiceRolled(dice="1d100+1d10", faces=(100, 3)), e.TotalReached(throw="1d100+1d10", total=103)
    )


def test_B4_plain_dice_of_an_older_record_have_no_total() -> None:
    recorded = c.Roll.from_version(1, {"dice": "2d6", "results": ("3", "4")})

    given().when(c.Roll(**recorded)).then(e.DiceRolled(dice="2d6", faces=(3, 4)))


def test_faces_called_out_are_fitted_to_the_dice() -> None:
    given().when(c.Roll(dice="d6+d8", results=("8", "3"))).then(
        e.DiceRolled(dice="1d6+1d8", faces=(3, 8)), e.TotalReached(throw="1d6+1d8", total=11)
    )


@pytest.mark.parametrize(
    ("dice", "faces", "sentence"),
    [
        ("2d6", "9 3", "A d6 has no 9."),
        ("2d6", "3", "2 dice are rolled here and 1 was given. Their sum alone is written = total 3."),
        ("2d6", "1", "2 dice are rolled here and 1 was given."),
        ("2d6", "3 4 5", "1 result too many: 5."),
        ("2d1", "1 1", "There is no d1: a die has 2 to 1000 sides."),
        ("luck", "1", f"“luck” is not dice: {HOW}."),
    ],
)
def test_faces_that_cannot_be(dice: str, faces: str, sentence: str) -> None:
    given().when(c.Roll(dice=dice, results=tuple(faces.split()))).then_refused(sentence)


def test_N9_words_beside_numbers_keep_an_existing_description() -> None:
    level = Words("Second level")
    fighter = e.CastIntroduced(person=1, name=Words("Brannoc"), text=Words("Owes a debt"))
    story = given(fighter)

    grown = story.when(c.Cast(who=1, system="bruise", values={"clubs": "5"}, text=level)).then(
        e.SheetChanged(person=1, system="bruise", values={"clubs": 5}, text=level)
    )
    assert grown.table.people[1].text == fighter.text
    story.when(c.Cast(who=1, system="bruise", values={"clubs": "5"}, describe=True, text=level)).then(
        e.Described(person=1, text=level), e.SheetChanged(person=1, system="bruise", values={"clubs": 5})
    )
    story.when(c.Cast(who=1, text=level)).then(e.Described(person=1, text=level))


def test_N9_words_beside_numbers_describe_an_undescribed_character() -> None:
    tired = Words("Two of them, tired")

    given(e.CastIntroduced(person=1, name=Words("Guards"))).when(
        c.Cast(who=1, system="bruise", values={"clubs": "3"}, text=tired)
    ).then(e.Described(person=1, text=tired), e.SheetChanged(person=1, system="bruise", values={"clubs": 3}))
