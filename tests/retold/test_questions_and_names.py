"""Given equal titles, reserved names, unknown games, marks of other lines: one sentence that says which."""

from __future__ import annotations

from pathlib import Path

import pytest

import retold
from retold.journal.refused import Refused
from retold.journal.store.events.codec import decode_event
from retold.journal.vocabulary.events import ConflictEnded, Forked
from retold.scribe import Scribe


@pytest.fixture
def table(tmp_path: Path) -> retold.Campaign:
    return retold.new(tmp_path / "road.retold")


def refusal(table: retold.Campaign, line: str) -> str:
    with pytest.raises(Refused) as refused:
        table.say(line)
    return refused.value.sentence


CAST = "cast A bruise clubs=2\ncast B bruise clubs=2\n"


# --- equal titles -----------------------------------------------------------------------------------------


def test_R13_conflicts_of_equal_titles_are_told_apart_by_their_numbers(table: retold.Campaign) -> None:
    table.play(f"{CAST}conflict Bay bruise A vs B\nconflict Bay bruise A vs B\n")

    assert refusal(table, "end conflict --in Bay") == "Bay may be Bay (1) or Bay (2). Say its number: --in 1."
    ended = table.say("end conflict --in 2").events[-1]
    assert isinstance(ended, ConflictEnded)
    assert ended.conflict == 2
    assert table.say("end conflict --in Bay").done


def test_R13_an_ended_conflict_of_the_same_title_is_asked_for_by_number(table: retold.Campaign) -> None:
    table.play(f"{CAST}conflict Bay bruise A vs B\nend conflict victory A\nconflict Bay bruise A vs B\n")

    assert refusal(table, "expect winner A --in Bay").startswith("Bay may be Bay (1) or Bay (2).")
    assert table.say("expect winner A --in 1").checked


# --- names that mean somebody already ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "cast table bruise clubs=2",
        'cast "Table" bruise clubs=2',
        "cast C by=table",
        "cast C alias=TABLE",
        "cast A name=table",
        "conflict K bruise A vs gm vs table",
        "join table",
    ],
)
def test_R11_a_person_cannot_be_called_table(table: retold.Campaign, line: str) -> None:
    table.play(f"{CAST}conflict J bruise A vs B\n")

    assert refusal(table, line) == (
        f"“{'TABLE' if 'TABLE' in line else 'Table' if 'Table' in line else 'table'}” means the whole"
        " table, as in --to table, so it cannot be a name. Choose a longer name, such as Long-table."
    )
    assert "table" not in {who["name"].casefold() for who in table.view("cast").to_json()["cast"]}


@pytest.mark.parametrize("line", ["conflict K bruise A vs G", "conflict K bruise A+G vs B", "join G"])
def test_R12_a_letter_does_not_bring_the_game_master_in(table: retold.Campaign, line: str) -> None:
    table.play(f"{CAST}conflict J bruise A vs B\n")
    assert refusal(table, line).startswith("“G” may be meant for gm")
    assert table.say(line.replace("G", "gm")).done
    table.say("undo")
    assert table.say(line.replace("G", '"G"')).done


def test_R12_others_may_be_shortened_as_before(table: retold.Campaign) -> None:
    table.play("cast Ana bruise clubs=2\ncast Guard bruise clubs=2\n")

    assert table.say("conflict K bruise An vs Gu").done


# --- R17 --------------------------------------------------------------------------------------------------


def test_R17_a_mark_is_known_on_a_branch_made_at_it(table: retold.Campaign) -> None:
    table.play("cast A\nnote: one\nmark r\nnote: two\nbranch z r\nbranch y r\n")
    forks = [decode_event(row)[0] for row in table.shared.store.record.forks()]

    assert [fork.at for fork in forks if isinstance(fork, Forked)] == [2, 2]


def test_R17_a_mark_after_the_fork_is_said_with_its_line(table: retold.Campaign) -> None:
    table.play("cast A\nnarrate gm: one\nbranch z\nswitch mainline\nnarrate gm: two\nmark later\nswitch z\n")

    assert refusal(table, "branch q later") == "“later” is marked on another line: mainline@later."
    assert (
        refusal(table, "branch q mainline@later") == "mainline@later is on another line: switch to it first."
    )
    assert refusal(table, "branch q latr").startswith("There is no moment “latr”.")


def test_R17_a_game_that_does_not_exist_is_named(table: retold.Campaign) -> None:
    assert refusal(table, "conflict K nosuch A vs B") == (
        "There is no game “nosuch” here. There are: "
        "spacetime, whiskey, edgerunner, bruise, guenask, homebrew."
        ' If it belongs to the title, quote it: "K nosuch".'
    )
    assert refusal(table, "conflict K brise A vs B") == (
        'There is no game “brise” here. Did you mean bruise? If it belongs to the title, quote it: "K brise".'
    )
    assert table.say('conflict "K nosuch" bruise A vs B').done


def test_R17_blank_figures_are_listed_apart(table: retold.Campaign) -> None:
    table.play("cast A\ncast B\nconflict K spacetime A vs B\ndeclare A: x\ndeclare B: y\n")

    assert refusal(table, "draw A = rock:rock") == (
        "“rock:rock” has no figure of these: ruler, dragon, treasure, soldier, builder, seeker, lover,"
        " servant, home; on blank cards also mover and child."
    )


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (
            'conflict "In the walls" bruise A vs Wolf --gm: They come.',
            "the title and the stakes of this conflict",
        ),
        ('conflict "In the walls" bruise A vs Wolf --gm', "the title of this conflict"),
        ("conflict bruise A vs Wolf --to B: They come.", "the stakes of this conflict"),
    ],
)
def test_R17_what_stays_public_on_a_hidden_line_is_said(table: retold.Campaign, line: str, what: str) -> None:
    table.play(f"{CAST}cast Wolf --{'to B' if '--to' in line else 'gm'}\n")

    assert (
        f"Everyone can read {what}: --gm and --to hide the new people alone."
        " If that gives them away: undo, and say it in other words."
    ) in table.say(line).said


@pytest.mark.parametrize("line", ["conflict bruise A vs Wolf --gm", "conflict K bruise A vs B: x"])
def test_R17_a_line_without_public_words_or_secrets_says_nothing(table: retold.Campaign, line: str) -> None:
    table.play(f"{CAST}cast Wolf --gm\n")

    assert not any("Everyone can read" in said for said in table.say(line).said)


def test_R17_a_question_about_a_sheet_is_asked_once(table: retold.Campaign) -> None:
    table.play(
        "cast Hana guenask mind=3 hard=3 body=3 soft=4\ncast Thoss guenask mind=3 hard=3 body=3 soft=4\n"
        "conflict K guenask Hana vs Thoss: x\nconflict L guenask Hana vs Thoss: y\n"
    )

    def waiting() -> list[tuple[str, int]]:
        asked = table.view("pending").to_json()["waiting"]
        return [(question["name"], question["conflict"]) for question in asked]

    assert waiting() == [("boxes", 1)]
    table.play("ruling 1: one\nruling Hana.physical+=1 --in 1: hurt\n")
    assert waiting() == [("condition", 1)]
    table.say("condition Hana physical: limps")
    assert waiting() == []


def test_R17_two_fights_ended_by_one_fall_say_which_phase_is_over(table: retold.Campaign) -> None:
    table.play(
        "option whiskey.deck=d26\ncast A whiskey combat=9 base=1 die=1 hp=4\n"
        "cast B whiskey combat=9 base=1 die=1 hp=1\ncast C whiskey combat=9 base=1 die=1 hp=4\n"
        "conflict K whiskey A vs B\nconflict L whiskey C vs B\n"
        "declare A engage B --in 1\ndeclare B engage A --in 1\n"
        "declare C engage B --in 2\ndeclare B engage C --in 2\nclash --in 1\nclash --in 2\n"
    )
    scribe = Scribe(table.shared.store, table.line)
    answer = scribe.say("check A --in 1 = 20 3").sentences(scribe.table)

    assert [line for line in answer if "over" in line] == [
        "phase 1 over (conflict 2)",
        "phase 1 over (conflict 1)",
    ]
    told = table.export("markdown", mechanics="inline")
    assert "phase 1 over (conflict 1)" in str(told)
