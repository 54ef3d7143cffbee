"""What a person reads: names in place of ids, one line a head, whose turn it is, the same fight twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from retold.cli.console.toolbar import StatusLine
from retold.journal.possessives import possessive
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.systems import SYSTEMS
from retold.projections.exports import EXPORTS
from retold.projections.views import VIEWS
from retold.scribe import Scribe
from retold.script_player import Script, play_script
from tests.cli.shell import Shell
from tests.projections.played import FEW, named

PIER = """\
game d20
cast Ilka by=Ana str=2 dex=3 ac=14 health=9
cast Oda by=Ben str=3 dex=1 ac=13 health=10
cast Drowned-1+Drowned-2 str=1 dex=0 ac=11 health=7 --gm: Grey
session
conflict "Under the pier" Ilka+Oda vs Drowned-1+Drowned-2
"""


@pytest.fixture
def pier(tmp_path: Path) -> Iterator[Scribe]:
    """Two against two who are secret."""
    with CampaignStore.create(tmp_path / "drowned-bell.retold") as campaign:
        scribe = Scribe(campaign, 1)
        play(scribe, PIER)
        yield scribe


def play(scribe: Scribe, lines: str) -> list[str]:
    """Plays lines, and returns what is answered."""
    script = Script("pier.session", lines.encode())
    return [said for _, outcome in play_script(scribe, script) for said in outcome.sentences(scribe.table)]


def prompt(scribe: Scribe) -> str:
    return StatusLine.of(scribe).prompt


# --- G9 ---------------------------------------------------------------------------------------------------


def test_G9_the_prompt_says_whose_turn_it_is(pier: Scribe) -> None:
    assert prompt(pier) == "Under the pier> "
    play(pier, "initiative Ilka+Oda 17 13\nturn Oda")

    assert prompt(pier) == "Oda's turn> "
    play(pier, "turn Drowned-1")
    assert prompt(pier) == "Drowned-1's turn> "


def test_G9_a_fallen_fighter_does_not_have_the_turn(pier: Scribe) -> None:
    play(pier, "initiative Ilka+Oda 17 13\nturn Oda\nhp Oda 0")

    assert prompt(pier) == "Under the pier> "


def test_G9_players_do_not_see_the_turn_of_a_hidden_fighter(pier: Scribe) -> None:
    play(pier, "initiative Ilka+Oda 17 13\nturn Oda")
    place = pier.campaign.place.file
    with retold.open(str(place)) as campaign:
        before = campaign.seen_by("Ben").board()
        play(pier, "turn Drowned-1")
        after = campaign.seen_by("Ben").board()

    assert before == after


GAMES = {
    "guenask": (
        (
            "option guenask.boxes_per_row=3\ncast Hana guenask body=3 mind=3 soft=3 hard=3\n"
            "cast Thoss guenask body=3 mind=3 soft=3 hard=3\nconflict Egg guenask Hana vs Thoss: the egg\n"
            "approach Hana opposed neutral = 1 1 2 3 6 6\napproach Thoss opposed neutral = 1 1 2 3 4 4\n"
        ),
        "Hana's turn> ",
    ),
    "bruise": ("cast A bruise clubs=2\ncast B bruise clubs=2\nconflict Yard bruise A vs B\n", "Yard> "),
    "spacetime": ("cast A\ncast B\nconflict Ridge spacetime A vs B\n", "Ridge> "),
    "whiskey": (
        "cast A whiskey hp=9\ncast B whiskey hp=9\nconflict Ford whiskey A vs B\ndeclare A stand\n",
        "B to declare> ",
    ),
}


@pytest.mark.parametrize("game", GAMES)
def test_G9_without_an_order_it_is_the_only_one_who_may_act(tmp_path: Path, game: str) -> None:
    lines, shown = GAMES[game]
    with CampaignStore.create(tmp_path / "g.retold") as campaign:
        scribe = Scribe(campaign, 1)
        play(scribe, lines)

        assert prompt(scribe) == shown


# --- G7 ---------------------------------------------------------------------------------------------------

AGAIN = 'conflict "Under the pier" Ilka+Oda vs Drowned-1+Drowned-2'


def asked(scribe: Scribe, answer: bool, line: str) -> tuple[list[str], int]:
    """The questions that a line asks, answered alike, and how many conflicts are open after it."""
    questions: list[str] = []

    def ask(question: str) -> bool:
        questions.append(question)
        return answer

    scribe.ask, scribe.attended = ask, True
    scribe.say(line)
    return questions, len(scribe.table.conflicts)


@pytest.mark.parametrize("line", [AGAIN, 'conflict "under the pier" Ilka vs Oda'])
def test_G7_the_same_fight_asks_before_it_is_opened_again(pier: Scribe, line: str) -> None:
    question = "That fight is open already. Another one?"

    assert asked(pier, False, line) == ([question], 1)
    assert asked(pier, True, line) == ([question], 2)


def test_G7_another_fight_is_opened_without_a_question(pier: Scribe) -> None:
    assert asked(pier, False, "conflict Bridge Ilka vs Oda") == ([], 2)
    assert asked(pier, False, "conflict Oda vs Ilka") == (["That fight is open already. Another one?"], 2)


def test_G7_a_script_opens_it_again_and_says_so(pier: Scribe) -> None:
    said = play(pier, AGAIN)

    assert "That fight is open already: conflict 1 “Under the pier”." in said
    assert len(pier.table.conflicts) == 2


# --- Q37 --------------------------------------------------------------------------------------------------

OPEN_CONCESSION = (
    "The concession of Ilka has no answer yet; to take it: accept Drowned-1. End the conflict without it?"
)


@pytest.mark.parametrize("line", ["end conflict", "end", "end conflict ended"])
def test_Q37_the_end_of_a_conflict_with_a_concession_open_asks(pier: Scribe, line: str) -> None:
    play(pier, "concede Oda: She drops the lantern.")

    with pytest.raises(Refused, match=r"^Nothing was recorded\.$"):
        asked(pier, False, line)
    assert asked(pier, True, line) == ([OPEN_CONCESSION], 0)


def test_Q37_the_end_of_another_conflict_asks_nothing(pier: Scribe) -> None:
    assert asked(pier, False, "end conflict") == ([], 0)


# --- G16 --------------------------------------------------------------------------------------------------

HEX = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{8,}(?![0-9A-Za-z])")


def test_G16_a_reveal_is_told_by_names(pier: Scribe) -> None:
    answered = play(pier, "reveal Drowned-1+Drowned-2 --sheet")

    assert answered == ["Everyone knows now: Drowned-1, Drowned-2, with their sheets."]
    told = [event.told for event in retold_happened(pier, "table")]
    assert told[-5:] == [
        "everybody knows now: Drowned-1 is described: “Grey”",
        "everybody knows now: the sheet of Drowned-1",
        "everybody knows now: Drowned-2",
        "everybody knows now: Drowned-2 is described: “Grey”",
        "everybody knows now: the sheet of Drowned-2",
    ]


def retold_happened(scribe: Scribe, viewer: str) -> list[retold.Happened]:
    place = scribe.campaign.place.file
    with retold.open(str(place)) as campaign:
        return campaign.seen_by(viewer).happened()


def test_G16_initiative_is_one_line_a_head_wherever_it_is_read(pier: Scribe) -> None:
    answered = play(pier, "initiative Drowned-1+Drowned-2 = 15 6")

    assert answered == [
        "Drowned-1 goes at 15 (1d20: 15, called) (for the game master only)",
        "Drowned-2 goes at 6 (1d20: 6, called) (for the game master only)",
    ]
    lines = [event.line for event in retold_happened(pier, "gm") if event.line]
    assert lines[-2:] == ["Drowned-1 goes at 15 (1d20: 15, called)", "Drowned-2 goes at 6 (1d20: 6, called)"]


def test_G16_a_branch_is_told_by_names(shell: Shell) -> None:
    shell.done("new", "bell")
    shell.play("session One\nnote: A.\nnote: B.\nbranch fix @-1\n", "bell.retold")

    assert shell.done("-c", "bell.retold", "log", "--branch", "fix", "-n", "1").endswith(
        "“fix” branched at s1:2 from mainline\n"
    )


@pytest.mark.parametrize("path", FEW, ids=named)
def test_G16_no_hash_no_id_and_no_homebrew_where_a_person_reads(
    shell: Shell, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Logs and views for the game master and the table; `--json` and `--ids` have them."""
    monkeypatch.setenv("RETOLD_CAMPAIGN", "e.retold")
    shell.done("run", "--new", "-q", "-c", "e.retold", str(path))
    pages = {
        f"{verb} --for {viewer}": shell.done(*verb.split(), "--for", viewer)
        for viewer in ("gm", "table")
        for verb in ("log -n 0", "show", "replay ..", *(f"show {view}" for view in VIEWS))
    }
    pages |= {form: shell.done("export", "-f", form, "-o", "-") for form in ("markdown", "text", "fountain")}

    found = {name: HEX.findall(page) for name, page in pages.items() if HEX.search(page)}
    assert found == {}
    assert [name for name, page in pages.items() if re.search(r"\bhomebrew\b", page, re.IGNORECASE)] == []


def test_G16_a_refusal_names_the_game_in_its_file(pier: Scribe) -> None:
    with pytest.raises(Refused) as refused:
        pier.say("give Oda: I go")

    assert "omebrew" not in refused.value.sentence
    assert "A d20 and a number" in refused.value.sentence


# --- G14 --------------------------------------------------------------------------------------------------


def test_G14_a_campaign_without_a_title_is_called_by_its_file(shell: Shell) -> None:
    shell.done("new", "drowned-bell")
    shell.monkeypatch.setenv("RETOLD_CAMPAIGN", "drowned-bell.retold")
    shell.play("cast Oda: Somebody.\nsession\nnarrate Oda: Mud.\n", "drowned-bell.retold")

    assert shell.done("show").startswith("Drowned bell · ")
    shell.done("export", "--site", "public")
    assert "Drowned bell" in (shell.folder / "public/index.html").read_text("utf-8")
    assert "Drowned bell" in shell.done("export", "--moment", "@", "-f", "svg", "-o", "-")
    for form in ("html", "fountain", "lonelog"):
        assert "Drowned bell" in shell.done("export", "-f", form, "-o", "-"), form
    shell.done("campaign", "The Bell")
    assert shell.done("show").startswith("The Bell · ")


# --- G20 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [name for name, form in EXPORTS.items() if form.is_text])
def test_G20_no_format_holds_a_secret_unasked(shell: Shell, form: str) -> None:
    shell.done("new", "bell")
    shell.play("session\nnarrate gm: Rain.\nnarrate gm --gm: The-duke-paid.\n", "bell.retold")

    assert "The-duke-paid" not in shell.done("-c", "bell.retold", "export", "-f", form, "-o", "-")
    assert "The-duke-paid" in shell.done("-c", "bell.retold", "export", "-f", form, "--for", "gm", "-o", "-")


def test_G20_a_range_by_positions_is_the_tables_copy_too(shell: Shell) -> None:
    shell.done("new", "bell")
    shell.play("session\nnarrate gm: Rain.\nnarrate gm --gm: Secret.\nnarrate gm: Sun.\n", "bell.retold")

    said = shell.say("-c", "bell.retold", "export", "s1:2..s1:3", "-f", "text", "-o", "-")
    assert "Rain." in said.out
    assert "Secret" not in said.out
    refused = shell.say("-c", "bell.retold", "export", "s1:3..s1:3", "-o", "-")
    assert refused.err == "The table knows nothing of s1:3..s1:3; the game master's copy: --for gm.\n"


# --- G21 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "whose"),
    [
        *(("Zel", "Zel's"), ("Voss", "Voss's"), ("Marcus", "Marcus's"), ("Thomas", "Thomas's")),
        *(
            ("Guards", "Guards'"),
            ("US Mechs", "US Mechs'"),
            ("Wolves", "Wolves'"),
            ("Drowned-1", "Drowned-1's"),
        ),
    ],
)
def test_G21_one_rule_for_possessives(name: str, whose: str) -> None:
    assert possessive(name) == whose


def test_G21_no_module_forms_a_possessive_of_its_own() -> None:
    root = Path(__file__).parent.parent.parent
    found = [
        str(path.relative_to(root))
        for folder in ("cli", "journal", "projections", "retold")
        for path in (root / folder).rglob("*.py")
        if path.name != "possessives.py" and re.search(r"\bname\([^{}]*\)\}'s ", path.read_text("utf-8"))
    ]

    assert found == []


QUARREL = """\
cast Hana guenask body=3 mind=3 soft=3 hard=3
cast Voss guenask body=3 mind=3 soft=3 hard=3
conflict Egg guenask Hana vs Voss: the egg
approach Hana opposed neutral = 1 1 2 3 6 6
approach Voss opposed neutral = 1 1 2 3 4 4
raise Hana 2+3: Give it to me.
"""


def test_G21_every_answer_to_a_raise_is_listed_before_boxes_are_ruled_on(shell: Shell) -> None:
    shell.done("new", "egg")
    shell.play(QUARREL, "egg.retold")

    can = shell.done("-c", "egg.retold", "can")
    assert "Take the blow" in can
    assert "before it: ruling boxes=3: why" in can
    shell.play("ruling boxes=3: As ever.\n", "egg.retold")
    again = shell.done("-c", "egg.retold", "can")
    assert "Take the blow" in again
    assert "before it" not in again


# --- G23, and the twenty answers -------------------------------------------------------------------------


def test_G23_a_person_who_is_out_is_noted_of_both_sides(pier: Scribe) -> None:
    play(pier, "reveal Drowned-1 --sheet\nhp Drowned-1 0")

    assert "Drowned-1 is out (hp 0/7)." in play(pier, "roll Drowned-1 d20+3 = 9")
    assert "Drowned-1 is out (hp 0/7)." in play(pier, "roll Oda attack str vs Drowned-1 damage 4 = 15")
    assert "Drowned-1 is out (hp 0/7)." in play(pier, "roll Oda attack str vs Drowned-1 = 2")


def test_a_check_without_a_target_says_so_and_how_to_name_one(pier: Scribe) -> None:
    assert play(pier, "roll Oda check str = 17")[-1] == "No target was given; vs 15 says what to reach."
    assert "No target" not in " ".join(play(pier, "roll Oda check str vs 12 = 17"))


def test_a_card_names_the_option_that_it_does_not_take(shell: Shell) -> None:
    said = shell.say("export", "--moment", "@", "--session", "1")

    assert said.err.startswith("A card needs no --session: leave it out.")


def test_every_game_has_a_name_of_its_own_at_a_table(pier: Scribe) -> None:
    assert SYSTEMS["homebrew"].name_at(pier.table) == "d20"
    assert SYSTEMS["bruise"].name_at(pier.table) == "bruise"
