"""From words to people: forgiving, and never guessing between two."""

from pathlib import Path

import pytest

from retold.journal.decks.chance import Provenance
from retold.journal.language.binding import Bound
from retold.journal.language.command_values import number_or_text
from retold.journal.language.lexing import lex
from retold.journal.language.naming import answerable_questions, find_answer, find_or_name_person, find_person
from retold.journal.language.rendering import line_of, render
from retold.journal.names import Ambiguous, Unknown
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import GM, Question, Words
from retold.journal.vocabulary.events import Setting
from retold.scribe import Scribe
from tests.proposed import holds

ZEL, JON, THOSS, GUARDS = 1, 2, 3, 4


def bound(scribe: Scribe, line: str) -> Bound:
    return scribe.read(lex(line))


def refusal(scribe: Scribe, line: str) -> str:
    with pytest.raises(Refused) as refused:
        bound(scribe, line)
    return holds(refused.value.sentence, scribe.table, decided=False)


# --- people -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "who"),
    [
        ("Zel", ZEL),
        ("zEL", ZEL),
        ("Zél", ZEL),
        ("ze", ZEL),
        ("Captain Thoss", THOSS),
        ("captain-thoss", THOSS),
        ("Captain_Th", THOSS),
        ("Thoss", THOSS),
        ("cap th", THOSS),
        ("Cap", THOSS),  # an alias
        ("GM", GM),
        ("game master", GM),
    ],
)
def test_a_name_is_matched_forgivingly(scribe: Scribe, typed: str, who: int) -> None:
    assert find_person(scribe.table, typed) == who


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("Zell", "There is no “Zell” here. Did you mean Zel?"),
        ("Captian", "There is no “Captian” here. Did you mean Captain Thoss or Cap?"),
        ("Brunhilde", "There is no “Brunhilde” here."),
        ("", "There is no “” here."),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(scribe: Scribe, typed: str, sentence: str) -> None:
    with pytest.raises(Unknown) as refused:
        find_person(scribe.table, typed)

    assert refused.value.sentence == sentence


def test_a_name_that_may_be_two_is_refused_with_both(scribe: Scribe) -> None:
    scribe.say('cast "Guard One"')
    scribe.say('cast "Guard Two"')

    with pytest.raises(Ambiguous) as refused:
        find_person(scribe.table, "guard")

    assert refused.value.sentence == "guard may be Guards or Guard One or Guard Two."


def test_a_person_who_is_in_the_conflict_comes_before_the_rest_of_the_cast(scribe: Scribe) -> None:
    scribe.say('cast "Smith One"')
    scribe.say('cast "Smith Two"')
    scribe.say('conflict bruise Zel vs "Smith Two"')

    assert scribe.table.name(find_person(scribe.table, "smith")) == "Smith Two"
    assert scribe.table.name(find_person(scribe.table, "Smith One")) == "Smith One"


# --- newcomers --------------------------------------------------------------------------------------------


def test_a_newcomer_is_a_name(scribe: Scribe) -> None:
    assert find_or_name_person(scribe.table, "Brunhilde", quoted=False, sides=False) == Words("Brunhilde")


def test_a_shortened_name_matches_a_side_but_not_in_cast(scribe: Scribe) -> None:
    assert find_or_name_person(scribe.table, "Thoss", quoted=False, sides=True) == THOSS
    assert refusal(scribe, "cast Thoss bruise clubs=2") == (
        "“Thoss” may be meant for Captain Thoss, or new, and then in quotes:"
        ' cast "Captain Thoss" bruise clubs=2; or cast "Thoss" bruise clubs=2.'
    )


def test_a_player_whose_name_begins_like_anothers_is_asked_about(scribe: Scribe) -> None:
    assert refusal(scribe, "cast Rook bruise by=Jo") == (
        '“Jo” may be meant for Jon: write the whole name if it is, or quote it if it is a new name ("Jo").'
    )
    command = bound(scribe, 'cast Rook bruise by="Jo"').command

    assert isinstance(command, c.Cast)
    assert command.by == Words("Jo")
    assert line_said(scribe, 'cast Rook bruise by="Jo"') == 'cast Rook bruise by="Jo"'


def line_said(scribe: Scribe, line: str) -> str:
    return render(bound(scribe, line).command, scribe.table)


def test_a_quoted_name_is_new_unless_it_matches_in_full(scribe: Scribe) -> None:
    assert find_or_name_person(scribe.table, "Thoss", quoted=True, sides=True) == Words("Thoss")
    assert find_or_name_person(scribe.table, "zel", quoted=True, sides=False) == ZEL


@pytest.mark.parametrize("typed", ["Guardss", "Guard s", "Captain Thos", "Captain Thosss"])
def test_what_may_be_a_slip_is_asked_about(scribe: Scribe, typed: str) -> None:
    quoted = typed.replace(" ", "-")

    assert "quote" in refusal(scribe, f"cast {quoted} bruise clubs=2")


def test_the_next_of_several_is_no_slip(scribe: Scribe) -> None:
    scribe.say("cast Watchman-1")

    assert find_or_name_person(scribe.table, "Watchman-2", quoted=False, sides=True) == Words("Watchman-2")


def test_a_player_enters_by_name(scribe: Scribe) -> None:
    command = bound(scribe, "cast Ada by=Eve").command

    assert isinstance(command, c.Cast)
    assert (command.who, command.by) == (Words("Ada"), Words("Eve"))
    assert bound(scribe, "cast Zel by=Jon").command == c.Cast(who=ZEL, by=JON)


@pytest.mark.parametrize(
    "line", ['cast " "', 'cast "-"', 'cast Zel name=""', 'cast Zel alias="_"', 'cast Zel by=" "']
)
def test_a_name_is_more_than_blanks_and_dashes(scribe: Scribe, line: str) -> None:
    assert refusal(scribe, line).endswith(" is no name: it needs a letter or a digit.")


@pytest.mark.parametrize(
    ("line", "title", "system"),
    [
        ('conflict "Bruise" Zel vs Guards', "Bruise", None),
        ('conflict "Space Time" Zel vs Guards', "Space Time", None),
        ('conflict "Bruise" bruise Zel vs Guards', "Bruise", "bruise"),
        ("conflict bruise Zel vs Guards", None, "bruise"),
        ("conflict bruise bruise Zel vs Guards", "bruise", "bruise"),
        ('conflict Flood "Space Time" Zel vs Guards', "Flood", "spacetime"),  # it can be nothing else
    ],
)
def test_a_quoted_word_beside_the_sides_is_a_title(
    scribe: Scribe, line: str, title: str | None, system: str | None
) -> None:
    command = bound(scribe, line).command

    assert isinstance(command, c.OpenConflict)
    assert (command.title and command.title.text, command.system) == (title, system)
    assert bound(scribe, render(command, scribe.table)).command == command


@pytest.mark.parametrize(
    "line", ['scene ""', 'scene " "', 'mark " "', 'branch " "', 'session ""', 'campaign " "']
)
def test_a_title_is_more_than_blanks(scribe: Scribe, line: str) -> None:
    assert refusal(scribe, line) == "A title needs at least one word."


# --- flags ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "see"),
    [
        ("note: x", "gm"),
        ("note --to table: x", "table"),
        ("note Zel --quote: x", "table"),
        ("note --gm: x", "gm"),
        ("note --to Jon: x", (JON,)),
        ("note --to Jon,Zel: x", (JON, ZEL)),
        ("say Zel --to jon+Thoss: x", (JON, THOSS)),
        ("narrate --to gm: x", (GM,)),
        ("declare Zel --gm: x", "gm"),
        ("mark here --gm", "gm"),
        ("aside --gm: x", "gm"),
        ("aside Zel --to Jon,Thoss: x", (JON, THOSS)),
        ("branch b", "gm"),
        ("branch b --to table", "table"),
        ("branch b --to Jon", (JON,)),
    ],
)
def test_what_changes_nothing_for_all_may_be_for_some_eyes(scribe: Scribe, line: str, see: object) -> None:
    assert bound(scribe, line).manner.visible_to == see


@pytest.mark.parametrize("flag", ["--gm", "--to Jon"])
@pytest.mark.parametrize(
    "line",
    ["session", "scene Yard", "retire Zel", "undo", "switch b", "ruling FLAG: x", "option a=b"],
)
def test_what_all_can_see_is_for_all_eyes(scribe: Scribe, line: str, flag: str) -> None:
    said = line.replace("FLAG", flag) if "FLAG" in line else f"{line} {flag}"
    verb = line.partition(" ")[0]

    assert refusal(scribe, said) == f"{verb} changes what all can see, so it cannot be for some eyes only."


@pytest.mark.parametrize("typed", ["Nobody", '""', "Jon,Nobody"])
def test_an_unknown_name_in_an_audience_is_refused(scribe: Scribe, typed: str) -> None:
    assert refusal(scribe, f"note --to {typed}: x").startswith("There is no “")


def test_the_author_of_a_line_is_a_known_person(scribe: Scribe) -> None:
    assert bound(scribe, "note --by jon: x").manner.by == JON
    assert refusal(scribe, "note --by Jonn: x") == "There is no “Jonn” here. Did you mean Jon?"


@pytest.mark.parametrize(
    ("line", "provenance"),
    [
        ("roll 2d6 = 3 4", Provenance.CALLED),
        ("roll 2d6 =dealt 3 4", Provenance.DEALT),
        ("roll 2d6 =later 3 4", Provenance.LATER),
        ("roll 2d6 --provenance imported = 3 4", Provenance.IMPORTED),
    ],
)
def test_where_results_come_from_is_said_in_one_place(
    scribe: Scribe, line: str, provenance: Provenance
) -> None:
    assert bound(scribe, line).manner.provenance == provenance


def test_an_unknown_provenance_is_refused_with_the_known_ones(scribe: Scribe) -> None:
    assert refusal(scribe, "roll 2d6 --provenance dreamt = 3 4") == (
        "--provenance is one of dealt, called, reconstructed, imported, not dreamt."
    )


def test_words_may_be_for_an_earlier_moment_and_acts_may_not(scribe: Scribe) -> None:
    assert bound(scribe, "narrate --at the-porch: x").command == c.Narrate(at=10, text=Words("x"))
    assert refusal(scribe, "scene Yard --at 3") == "scene takes no --at: it is about now."
    assert refusal(scribe, "note --at 99: x") == "Moment 99 has not come yet: the line ends at 26."


def test_a_moment_of_another_line_is_no_moment_of_this_one(scribe: Scribe) -> None:
    scribe.say("branch kinder 10")
    scribe.say("switch mainline")

    assert refusal(scribe, "note --at kinder@11: x") == "kinder@11 is on another line: switch to it first."


def test_a_conflict_is_named_by_its_title_or_its_number(scribe: Scribe) -> None:
    scribe.say('conflict "The long stair" bruise Zel vs Guards')
    scribe.say("conflict Market bruise Thoss vs Wreckers")

    assert bound(scribe, "declare Zel --in stair: x").command.conflict == 2
    assert bound(scribe, "declare Zel --in 2: x").command.conflict == 2
    assert refusal(scribe, "declare Zel --in mrket: x") == "There is no “mrket” here. Did you mean Market?"


# --- data -------------------------------------------------------------------------------------------------


def test_a_system_is_known_by_name_and_by_title(scribe: Scribe) -> None:
    for typed in ("spacetime", "SpaceTime", "Space·Time"):
        command = bound(scribe, f"conflict {typed} Zel vs Guards").command

        assert isinstance(command, c.OpenConflict)
        assert command.system == "spacetime"


def test_people_in_a_conflicts_set_up_are_people(scribe: Scribe) -> None:
    command = bound(scribe, "conflict spacetime Zel vs Guards balance=unbalanced:zel").command

    assert isinstance(command, c.OpenConflict)
    assert (dict(command.setup), dict(command.people)) == ({"balance": "unbalanced"}, {"balance": ZEL})


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("3", 3),
        ("+3", 3),
        ("-03", -3),
        ("1_000_000", 1_000_000),
        ("3.0", 3),
        ("3.5", "3.5"),
        ("3_", "3_"),
        ("1d6", "1d6"),
        ("", ""),
        ("--3", "--3"),
        ("9" * 4001, "9" * 4001),
    ],
)
def test_what_a_key_is_given_is_a_number_where_it_is_a_whole_one(typed: str, meant: int | str) -> None:
    assert number_or_text(typed) == meant


def test_a_key_means_what_it_means_in_the_system_given(scribe: Scribe) -> None:
    in_bruise = bound(scribe, "cast Zel bruise of=3").command
    in_edgerunner = bound(scribe, "cast Zel edgerunner of=Jon").command

    assert isinstance(in_bruise, c.Cast)
    assert isinstance(in_edgerunner, c.Cast)
    assert (in_bruise.values, in_bruise.people) == ({"of": 3}, {})
    assert (in_edgerunner.values, in_edgerunner.people) == ({}, {"of": JON})


def test_a_ruling_sets_numbers_up_and_down(scribe: Scribe) -> None:
    command = bound(scribe, "ruling Zel.clubs=3 zel.karma+=1 thoss.karma-=2 lamps=-1: x").command

    assert isinstance(command, c.Rule)
    assert command.sets == (
        Setting(person=ZEL, what="clubs", op="=", value=3),
        Setting(person=ZEL, what="karma", op="+=", value=1),
        Setting(person=THOSS, what="karma", op="-=", value=2),
        Setting(person=None, what="lamps", op="=", value=-1),
    )


def test_adding_belongs_to_a_ruling(scribe: Scribe) -> None:
    assert refusal(scribe, "cast Zel clubs+=1") == "clubs+= belongs to a ruling; here it is clubs=VALUE."


def test_an_answer_is_one_of_those_allowed() -> None:
    pending = [Question("tie", "who?", ("Rethrow", "Share"), 1)]

    assert find_answer(Table(), pending, "sh") == "Share"
    with pytest.raises(Unknown, match="Did you mean Rethrow"):
        find_answer(Table(), pending, "rethorw")


def test_a_session_is_todays_unless_it_says_otherwise(scribe: Scribe) -> None:
    scribe.today = "2026-03-14"

    assert bound(scribe, "session").command == c.OpenSession(date="2026-03-14")
    assert bound(scribe, "session --date 2026-03-07").command == c.OpenSession(date="2026-03-07")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("undo 99999999999999999999", "undo takes no such number: 99999999999999999999. Write it like: undo"),
        ("drw Zel", "There is no verb drw. Did you mean draw?"),
        ("DRW Zel", "There is no verb DRW. Did you mean draw?"),
    ],
)
def test_what_a_verb_cannot_take_is_said_with_an_example(scribe: Scribe, line: str, sentence: str) -> None:
    assert refusal(scribe, line) == sentence


def test_a_ruling_stores_a_person_by_id_and_writes_names(tmp_path: Path) -> None:
    campaign = CampaignStore.create(tmp_path / "x.retold")
    scribe = Scribe(campaign, 1)
    scribe.say("conflict spacetime Ada vs Hob")
    scribe.say("ruling balance=overwhelming:Hob: The bridge is down.")

    act = next(iter(scribe.writer.last_acts()))
    assert '"value":"overwhelming:2"' in next(campaign.record.rows(1, act.first - 1, act.first)).body
    assert line_of(act, scribe.table) == "ruling balance=overwhelming:Hob: The bridge is down."


# --- what to type instead ---------------------------------------------------------------------------------


def test_a_refusal_shows_what_the_game_in_play_takes(scribe: Scribe) -> None:
    scribe.say("conflict whiskey Zel vs Guards")

    assert refusal(scribe, "declare Zel engagee Guards") == (
        "“engagee” does not fit here. Did you mean engage?"
    )
    assert refusal(scribe, "declare Zel charge") == (
        "“charge” does not fit here; wanted: engage, guard, advance, stand or other."
        " The form is: declare (WHO | TOGETHER) (engage TARGET | guard [TARGET] | advance | stand | other)"
        " [--sealed] KEY=VALUE… [: text]."
    )
    scribe.say("conflict edgerunner Zel vs Guards")
    assert refusal(scribe, "boost Zel") == (
        "After “boost Zel” is missing: mild, moderate, severe or a name (TRACKS)."
        " The form is: boost WHO"
        " (mild as MILD | moderate as MODERATE | severe as SEVERE | TRACKS AMOUNTS)… [: text]."
    )


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("He nods", "There is no verb He. To tell it: narrate: He nods"),
        ("Rain. Again", "There is no verb Rain. To tell it: narrate: Rain. Again"),
        ("drw Zel", "There is no verb drw. Did you mean draw?"),
        ("silence", "There is no verb silence. To tell it: narrate NAME: what happens. All verbs: help."),
        ("3", "A number alone takes the line of an answer, and none is left."),
    ],
)
def test_a_line_that_is_none_is_answered_with_one_that_is(scribe: Scribe, typed: str, sentence: str) -> None:
    assert refusal(scribe, typed) == sentence


def test_Q37_a_bare_answer_is_taken_as_the_ruling_that_it_is(scribe: Scribe) -> None:
    scribe.say("conflict bruise Zel vs Guards")
    scribe.say("draw Zel 2 = JH 3C")
    scribe.say("draw Guards 2 = JS 5C")

    assert answerable_questions(scribe.table)[0].answers == (
        scribe.table.called("Zel"),
        scribe.table.called("Guards"),
    )
    assert "To answer" not in refusal(scribe, "1"), "nobody is called by a number of the record's"
    assert bound(scribe, "Zel").command == c.Rule(answer=scribe.table.called("Zel"))


def test_B14_a_character_has_one_player_and_a_name_with_a_plus_is_quoted(scribe: Scribe) -> None:
    assert refusal(scribe, "cast Zel by=Jon+Ada") == (
        "A character has one player: by=Jon. Several are for the game master: cast gm by=A+B. "
        "Quote a name that has + in it."
    )
    assert bound(scribe, 'cast Zel by="Jon+Ada"').command == c.Cast(who=ZEL, by=Words("Jon+Ada"))
    assert bound(scribe, "cast gm by=Jon+Ada").command == c.Cast(who=GM, by=Words("Jon+Ada"))
