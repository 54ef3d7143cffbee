"""Given a conflict that somebody won, when anybody asks who, then each way names the same winner."""

from __future__ import annotations

from pathlib import Path

import pytest

import retold
from retold.cli.verbs.show import summary
from retold.journal.refused import Refused
from retold.journal.systems import SYSTEMS
from retold.projections.comparison.lines import compare_lines
from retold.projections.reading import LineView

WON = {
    "spacetime": "cast Ana\ncast Bo\nconflict Ford spacetime Ana vs Bo\nconcede Bo: I go.",
    "whiskey": (
        "cast Ana whiskey combat=9 base=1 die=1 hp=4\ncast Bo whiskey combat=9 base=1 die=1 hp=4\n"
        "conflict Ford whiskey Ana vs Bo\nend conflict victory Ana"
    ),
    "edgerunner": (
        "cast Ana edgerunner guns=2\ncast Bo edgerunner guns=2\nconflict Ford edgerunner Ana vs Bo\n"
        "concede Bo: I go.\naccept Ana"
    ),
    "bruise": (
        "cast Ana bruise clubs=1 melee=1\ncast Bo bruise clubs=1 melee=1\nconflict Ford bruise Ana vs Bo\n"
        "draw Ana clubs+melee = KD 2D\ndraw Bo clubs+melee = 9D 8D\nend conflict"
    ),
    "guenask": (
        "cast Ana guenask mind=3 hard=3 body=3 soft=4\ncast Bo guenask mind=3 hard=3 body=3 soft=4\n"
        "conflict Ford guenask Ana vs Bo: the bridge\ngive Bo"
    ),
    "homebrew": "game d20\ncast Ana\ncast Bo\nconflict Ford Ana vs Bo\nend conflict victory Ana",
}
"""Of each game, the lines of a conflict called Ford that Ana wins."""

NAMED_BY_RULES = sorted(WON.keys() - {"homebrew"})


@pytest.fixture
def table(tmp_path: Path) -> retold.Campaign:
    return retold.new(tmp_path / "road.retold")


def played(table: retold.Campaign, lines: str) -> retold.Campaign:
    table.play(f"{lines}\n")
    return table


def before_its_end(game: str) -> str:
    """The lines of the conflict without those that end it."""
    lines = WON[game].splitlines()
    return "\n".join(lines[: next(at for at, line in enumerate(lines) if "conflict Ford" in line) + 1])


def refusal(table: retold.Campaign, line: str) -> str:
    with pytest.raises(Refused) as refused:
        table.say(line)
    return refused.value.sentence


def test_R4_every_game_is_asked() -> None:
    assert {name for name in SYSTEMS if SYSTEMS[name].title} >= WON.keys()
    assert {name for name, system in SYSTEMS.items() if "winner" in system.facts} >= {*NAMED_BY_RULES}


@pytest.mark.parametrize("game", WON)
def test_R4_the_winner_of_an_ended_conflict_is_known_in_every_way(table: retold.Campaign, game: str) -> None:
    played(table, f"session One\nscene Ford\n{WON[game]}\nnarrate gm: Rain.")

    assert table.say("expect winner Ana").said == ("It holds: winner is Ana.",)
    assert table.say("expect winner Ana --in Ford").checked
    assert table.say("expect winner an --in 1").checked
    assert refusal(table, "expect not winner Ana") == "Expected winner not Ana, found Ana."
    assert refusal(table, "expect winner Bo") == "Expected winner Bo, found Ana."
    (over,) = table.view("conflicts").to_json()["over"]
    assert [one["name"] for one in over["winners"]] == ["Ana"]
    state = LineView(table.shared.store, table.line)
    assert [line for line in summary(state.table, "here") if line.endswith("Ana won.")] == [
        f"Ford (1) is over: {over['how']}. Ana won."
    ]
    assert "Ana won." in str(table.recap())
    assert [fought["winner"] for fought in table.who("Bo").to_json()["conflicts"]] == ["Ana"]


@pytest.mark.parametrize("viewer", ["table", "Ana", "Bo"])
@pytest.mark.parametrize("game", WON)
def test_R4_players_get_the_same_answer(table: retold.Campaign, game: str, viewer: str) -> None:
    played(table, WON[game])

    (over,) = table.seen_by(viewer).view("conflicts").to_json()["over"]

    assert [one["name"] for one in over["winners"]] == ["Ana"]


@pytest.mark.parametrize("game", NAMED_BY_RULES)
def test_R4_an_open_conflict_has_no_winner(table: retold.Campaign, game: str) -> None:
    played(table, before_its_end(game))

    assert table.say("expect winner nobody").said == ("It holds: winner is nobody.",)
    assert table.say("expect not winner Ana").said == ("It holds: winner is nobody.",)
    assert refusal(table, "expect winner Ana") == "Expected winner Ana, found nobody."


def test_R4_a_game_whose_rules_name_no_winner_says_so(table: retold.Campaign) -> None:
    played(table, before_its_end("homebrew"))
    none = (
        "There is no “winner” here. The rules of A d20 and a number name none; the table does:"
        " end conflict victory NAME."
    )

    assert refusal(table, "expect winner Ana") == none
    assert refusal(table, "expect not winner Ana") == none


def test_R4_without_a_conflict_there_is_no_winner(table: retold.Campaign) -> None:
    played(table, f"session One\n{WON['edgerunner']}\nend session\nsession Two")
    none = "There is no “winner” here. No conflict is open, and none has ended this session."

    assert refusal(table, "expect winner Ana") == none
    assert refusal(table, "expect not winner Ana") == none
    assert table.view("conflicts").to_json()["over"] == []


def test_R4_while_another_conflict_is_open_the_last_winner_is_asked_for_by_number(
    table: retold.Campaign,
) -> None:
    played(table, f"{WON['edgerunner']}\nconflict Quay edgerunner Ana vs Bo")
    sentence = (
        "Expected winner Ana, found nobody."
        " A conflict is still open; of the last one that was won: expect winner … --in 1."
    )

    assert refusal(table, "expect winner Ana") == sentence
    assert table.say("expect winner Ana --in 1").checked


@pytest.mark.parametrize("line", ["winner Aan", "not winner Aan", "turn Aan", "not acted Aan", "not out Aan"])
def test_R4_expect_refuses_an_unknown_name(table: retold.Campaign, line: str) -> None:
    played(table, before_its_end("edgerunner"))

    assert refusal(table, f"expect {line}") == "There is no “Aan” here. Did you mean Ana?"


def test_R4_a_subject_of_another_game_holds_in_no_way(table: retold.Campaign) -> None:
    played(table, before_its_end("edgerunner"))
    strange = "There is no “balance” here. It belongs to Space·Time."

    assert refusal(table, "expect balance overwhelming Ana") == strange
    assert refusal(table, "expect not balance overwhelming Ana") == strange
    assert refusal(table, "expect not conflict ovr").startswith("There is no “ovr” here.")


def test_R4_the_winner_of_a_compared_line_is_named(table: retold.Campaign) -> None:
    played(table, f"{before_its_end('bruise')}\nbranch other\nswitch mainline")
    played(table, "\n".join(WON["bruise"].splitlines()[3:]))

    store = table.shared.store
    parting = compare_lines([LineView(store, line) for line in sorted(store.lines())])
    assert [side.ended for side in parting.sides] == [
        ("Ford: Ana won.",),
        ("Ford (Bruise, Ana vs Bo) is not over.",),
    ]


SIDES = 'cast Ana edgerunner guns=2\ncast Bo edgerunner guns=2\ncast "Old Cy" edgerunner guns=2\n'


@pytest.mark.parametrize("line", ["Ana", "Bo", "Bo+Ana", "Bo Ana", "Ana + Bo"])
def test_R4_all_members_of_the_winning_side_have_won(table: retold.Campaign, line: str) -> None:
    played(table, f"{SIDES}conflict Ford edgerunner Ana+Bo vs Old-Cy\nconcede Old-Cy: I go.\naccept Ana")

    assert table.say(f"expect winner {line}").said == ("It holds: winner is Ana + Bo.",)
    assert refusal(table, "expect not winner Bo") == "Expected winner not Bo, found Ana + Bo."
    assert refusal(table, "expect winner Bo Old-Cy") == "Expected winner Bo + Old Cy, found Ana + Bo."
    assert table.say("expect not winner Old Cy").checked


def test_R4_in_bruise_a_hand_is_won_by_one_of_a_side(table: retold.Campaign) -> None:
    played(
        table,
        "cast Ana bruise clubs=1 melee=1\ncast Bo bruise clubs=1 melee=1\ncast Cy bruise clubs=1 melee=1\n"
        "conflict bruise Ana+Cy vs Bo\ndraw Ana clubs+melee = KD 2D\ndraw Cy clubs+melee = 3S 4S\n"
        "draw Bo clubs+melee = 9H 8H\nend conflict",
    )

    assert table.say("expect winner Ana").said == ("It holds: winner is Ana + Bo.",)  # Bo won over Cy
    assert refusal(table, "expect winner Cy") == "Expected winner Cy, found Ana + Bo."


@pytest.mark.parametrize("line", ["Old Sal", '"Old Sal"', "Sal", "old sal"])
def test_R4_a_name_of_several_words_is_one_winner(table: retold.Campaign, line: str) -> None:
    played(table, 'cast "Old Sal" whiskey hp=3\ncast Bo whiskey hp=3\nconflict whiskey "Old Sal" vs Bo')
    played(table, 'end conflict victory "Old Sal"')

    assert table.say(f"expect winner {line}").said == ("It holds: winner is Old Sal.",)
    assert refusal(table, f"expect not winner {line}") == "Expected winner not Old Sal, found Old Sal."


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("pending TYPO", "There is no “TYPO” here. There are: narration, tie."),
        ("pending ties", "There is no “ties” here. Did you mean tie?"),
        ("pending threshold", "There is no “threshold” here. There are: narration, tie."),
        (
            "session TYPO",
            "“TYPO” is no number of a session: expect session 2; or expect session none.",
        ),
        ("legacy Ana TYPO", "“TYPO” is no number, and legacy is one: it is 0."),
    ],
)
def test_R4_a_word_that_never_holds_is_refused_with_and_without_not(
    table: retold.Campaign, line: str, sentence: str
) -> None:
    played(table, before_its_end("bruise"))

    assert refusal(table, f"expect {line}") == sentence
    assert refusal(table, f"expect not {line}") == sentence


def test_R4_a_question_that_may_be_asked_is_not_pending(table: retold.Campaign) -> None:
    played(table, before_its_end("bruise"))

    assert table.say("expect not pending tie").said == ("It holds: pending is nothing.",)
    assert table.say("expect pending none").checked


def test_R4_expecting_a_missing_condition_fails(table: retold.Campaign) -> None:
    played(table, "game d20\ncast Ana\nstatus Ana hidden")

    assert table.say("expect condition Ana hidden").said == ("It holds: condition is hidden.",)
    assert table.say("expect not condition Ana prone").said == ("It holds: condition is nothing.",)
    assert refusal(table, "expect condition Ana prone") == "Expected condition prone, found nothing."


@pytest.mark.parametrize("game", NAMED_BY_RULES)
def test_R4_every_question_of_a_game_is_declared(game: str) -> None:
    assert SYSTEMS[game].questions
