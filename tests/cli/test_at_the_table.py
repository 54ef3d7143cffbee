"""What hindered at the table (findings B): names, players and words that change, eyes, moments."""

from __future__ import annotations

import io
import json
import re

import pytest

from retold.cli.output.drawing import draw
from retold.journal.refused import Refused
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from retold.projections.views.sheet import Row, Sheet
from retold.scribe import Scribe
from tests.cli.shell import ROOT, Shell

WAREHOUSE = ROOT / "examples/edgerunner/warehouse.session"


def happened(scribe: Scribe, line: str) -> tuple[Event, ...]:
    outcome = scribe.say(line)
    assert outcome.done is not None
    return outcome.done.events


# --- names ------------------------------------------------------------------------------------------------


def test_B9_the_old_name_still_means_the_renamed_character(scribe: Scribe) -> None:
    scribe.say('cast Zel name="The Heron"')
    people = len(scribe.table.people)

    (said,) = happened(scribe, "say Zel: It is me.")
    assert isinstance(said, e.Said)
    assert scribe.table.name(said.who) == "The Heron"
    scribe.say('conflict "t" bruise Zel vs Guards')
    assert len(scribe.table.people) == people


def test_B9_a_newcomer_with_a_former_name_needs_quotes(scribe: Scribe) -> None:
    scribe.say('cast Zel name="The Heron"')
    with pytest.raises(Refused) as refused:
        scribe.say("cast Zel")

    assert refused.value.sentence == (
        '“Zel” is called The Heron now: write "The Heron" if they are meant,'
        ' or quote it if it is a new name ("Zel").'
    )
    (entered,) = happened(scribe, 'cast "Zel"')
    assert isinstance(entered, e.CastIntroduced)
    (said,) = happened(scribe, "say Zel: I am the new one.")
    assert isinstance(said, e.Said)
    assert said.who == entered.person


def test_B9_the_name_of_today_comes_before_one_of_old(scribe: Scribe) -> None:
    scribe.say("cast Zel name=Ada")
    scribe.say("cast Guards name=Zel")
    (said,) = happened(scribe, "say Zel: Mine now.")

    assert isinstance(said, e.Said)
    assert scribe.table.people[said.who].former[0].text == "Guards"


def test_B11_an_unknown_speaker_is_introduced_with_cast(scribe: Scribe) -> None:
    with pytest.raises(Refused) as refused:
        scribe.say('say "Old Bruno": Tea?')

    assert refused.value.sentence.endswith('A new person is introduced first: cast "Old Bruno".')
    scribe.say('cast "Old Bruno"')
    scribe.say('say "Old Bruno": Tea?')


# --- players ----------------------------------------------------------------------------------------------


def test_B4_former_players_of_a_character_are_kept(scribe: Scribe) -> None:
    scribe.say("cast Zel by=Sol")
    zel = scribe.table.called("Zel")
    assert zel is not None

    players = [scribe.table.name(one) for one in scribe.table.people[zel].players]
    assert players == ["Jon", "Sol"]


def test_B4_the_reason_for_a_new_player_keeps_the_description(scribe: Scribe) -> None:
    events = happened(scribe, "cast Zel by=Sol: Jon had to catch his train")

    assert [type(event) for event in events] == [e.CastIntroduced, e.PlayerSeated]
    assert isinstance(events[1], e.PlayerSeated)
    assert str(events[1].text) == "Jon had to catch his train"
    zel = scribe.table.called("Zel")
    assert zel is not None
    assert str(scribe.table.people[zel].text) == "A smuggler"


# --- speech -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ['Zel: "Tea?"', '"Captain Thoss": Halt!', "Thoss --to Jon: Psst."])
def test_B15_a_name_and_a_colon_is_speech(scribe: Scribe, line: str) -> None:
    (said,) = happened(scribe, line)

    assert isinstance(said, e.Said)


def test_B15_a_verb_wins_over_a_character_of_that_name(scribe: Scribe) -> None:
    scribe.say('cast "say"')
    (said,) = happened(scribe, "say: Hm.")

    assert isinstance(said, e.Said)
    assert said.who == 0


def test_B15_who_is_neither_a_verb_nor_known_is_told_both(scribe: Scribe) -> None:
    with pytest.raises(Refused) as refused:
        scribe.say("narate: The stair burns.")
    assert refused.value.sentence.startswith("There is no verb narate. Did you mean narrate?")
    with pytest.raises(Refused) as refused:
        scribe.say("Bruno: Tea?")
    assert refused.value.sentence.endswith("If that is a new person who speaks: cast Bruno.")


def test_B15_in_the_shell_too(shell: Shell) -> None:
    assert shell.done("Zel:", "Tea?") == "Zel says: “Tea?”\n"


# --- notes ------------------------------------------------------------------------------------------------


def test_B5_a_note_is_the_game_masters_unless_it_says_otherwise(shell: Shell) -> None:
    shell.play(
        "note: The duke did it.\nnote --to table: Cake was had.\nnote Zel --quote: I roll for dignity.\n"
    )
    log = shell.done("replay", "--for", "table")

    assert "duke" not in log
    assert "Cake" in log
    assert "dignity" in log


def test_B5_what_is_dumped_is_for_the_same_eyes(shell: Shell) -> None:
    shell.play("note: One.\nnote --to table: Two.\nnote --quote: Three.\nnote --quote --gm: Four.\n")
    script = shell.done("dump", "--script")

    assert script.splitlines()[-4:] == [
        "note: One.",
        "note --to table: Two.",
        "note --quote: Three.",
        "note --quote --gm: Four.",
    ]


# --- words that change ------------------------------------------------------------------------------------


def test_B13_retcon_shows_the_words_that_change(scribe: Scribe) -> None:
    outcome = scribe.say("retcon 21: Two cries, and the line holds.")

    assert outcome.said == (
        "21 read: “One last cry, and the line breaks.”",
        "It reads from now on: “Two cries, and the line holds.”",
    )


def test_B13_redo_shows_what_comes_back(scribe: Scribe) -> None:
    scribe.say("note: One.")
    scribe.say("narrate gm: Rain.")
    scribe.say("undo 2")

    assert scribe.say("redo").said == ("Brought back: 27 (note: One.); 28 (narrate gm: Rain.).",)


# --- moments, and machines --------------------------------------------------------------------------------


def test_B10_every_verb_that_reads_takes_a_moment(shell: Shell) -> None:
    assert shell.done("replay", "--at", "3") == shell.done("replay", "..3")
    shell.play("branch kinder 10\nbranch later kinder@10\n")
    listed = json.loads(shell.done("branches", "--branch", "mainline", "--at", "9", "--json"))
    assert [one["name"] for one in listed["branches"]] == ["mainline"]
    listed = json.loads(shell.done("branches", "--branch", "mainline", "--at", "12", "--json"))
    assert (listed["branches"][0]["name"], listed["branches"][0]["head"]) == ("mainline", 12)
    assert "kinder" in [one["name"] for one in listed["branches"]]
    here = ("--branch", "mainline")
    assert shell.done("diff", "kinder", "--at", "12", *here) == shell.done("diff", "kinder", "12", *here)


def test_B10_export_gives_json_where_json_is_asked_for(shell: Shell) -> None:
    told = shell.done("export", "--json")

    assert json.loads(told)
    assert shell.done("--json", "export") == told == shell.done("export", "-f", "json")
    assert "leave one out" in shell.misused("export", "--json", "-f", "html")


# --- what is proposed ---------------------------------------------------------------------------------------


def test_B6_a_ruling_about_a_name_of_several_words_says_how_it_is_written(scribe: Scribe) -> None:
    scribe.say('cast "Bandit 2" whiskey combat=10 base=2 die=1 hp=9')
    with pytest.raises(Refused) as refused:
        scribe.say("ruling Bandit 2.hp=3: why")

    assert refused.value.sentence == 'A name of several words is quoted: ruling "Bandit 2".hp=3: why'


def test_B6_two_zones_without_a_border_between_them_are_told_both(scribe: Scribe) -> None:
    scribe.say("cast Vera edgerunner cool=3")
    scribe.say("cast Hob edgerunner cool=3")
    scribe.say('conflict "t" edgerunner Vera vs Hob')
    with pytest.raises(Refused) as refused:
        scribe.say("map Bench Door")

    said = refused.value.sentence
    assert "Between two zones comes what it takes to cross: map Bench 1 Door" in said
    assert scribe.say("map Bench 1 Door --check").checked


# --- screens ----------------------------------------------------------------------------------------------

NAMES = ("Zélie Brandt", "Captain Thoss of the Long Ebb", "Ann", "Somebody-with-a-very-long-name", "Jon")
CAST_SHEET = Sheet(
    "Cast",
    ("Name", "Role", "Player", "Phrase", "Sheet"),
    tuple(
        Row((name,), (name, "character", "Jon", "She carries other people's secrets, and her own", "melee 2"))
        for name in NAMES
    ),
)


@pytest.mark.parametrize("width", [40, 80, 100])
def test_B8_a_sheet_breaks_at_words_in_any_width(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm")
    screen = _Screen()
    monkeypatch.setattr("sys.stdout", screen)
    draw(CAST_SHEET)
    shown = screen.getvalue()

    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
    assert max(map(len, lines)) <= width
    words = {word for row in CAST_SHEET.rows for cell in row.cells for word in cell.split()}
    assert words <= set(" ".join(lines).split())


def test_B8_can_groups_what_many_may_do(shell: Shell) -> None:
    shell.done("run", "--new", "-q", "-c", "er.retold", str(WAREHOUSE))
    said = shell.done("-c", "er.retold", "can", "--at", "50")

    assert len(said.splitlines()) <= 18
    assert "  boost Jade …\n    mild as … · moderate as …" in said
    assert said.endswith("can NAME says what each line of one person would come to.\n")
    assert "  boost Jade cool 3 " in shell.done("-c", "er.retold", "can", "Jade", "--at", "50")


class _Screen(io.StringIO):
    def isatty(self) -> bool:
        return True
