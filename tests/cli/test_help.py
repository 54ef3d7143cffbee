"""Help begins small: one screen, then everything in groups, a game's verbs, and any other word."""

from __future__ import annotations

import shlex
from collections import Counter
from importlib import import_module
from itertools import chain

import pytest
import typer

from retold.cli.app import application, help_of
from retold.cli.dispatch import parse
from retold.cli.help import screens as help_screens
from retold.cli.help.screens import EVENING, SUNDAY
from retold.cli.invocation import READING, Options, module_of
from retold.journal.language.verbs import EXPECT, added_commands, game_of
from retold.journal.offered_verbs import EVERYWHERE
from retold.journal.shell_verbs import SHELL_VERBS
from retold.journal.store.events.kinds import COMMANDS
from retold.journal.systems import SYSTEMS
from tests.cli.shell import Shell

SCREEN = 23
"""Lines of a terminal of 24 that keep its prompt in sight."""


@pytest.mark.parametrize("words", [(), ("help",), ("--help",), ("-h",)])
@pytest.mark.parametrize("campaign", ["evening", "nowhere"])
def test_the_first_help_is_one_screen(shell: Shell, campaign: str, words: tuple[str, ...]) -> None:
    page = shell.done("-c", campaign, *words)

    assert page.count("\n") <= SCREEN
    assert max(map(len, page.splitlines())) <= 80


def test_help_of_a_campaign_with_many_games_is_one_screen(shell: Shell) -> None:
    games = dict(zip(SYSTEMS, SYSTEMS, strict=True))

    for page in (help_screens.first_screen(games), help_screens.in_play(games)):
        assert page.count("\n") <= SCREEN
        assert max(map(len, page.splitlines())) < 80


def test_help_has_a_dozen_verbs_of_an_evening_and_a_dozen_of_a_sunday() -> None:
    assert len(EVENING) == len(SUNDAY) == 12
    assert set(EVENING) <= {*EVERYWHERE, "can"}
    assert set(SUNDAY) <= set(SHELL_VERBS)


def test_help_at_the_console_begins_with_ten_verbs() -> None:
    rows = [line.split()[0] for line in help_screens.in_play({}).splitlines() if line.startswith("  ")]

    assert len(rows) == 10
    assert set(rows) <= set(EVENING)


def test_help_shows_the_verbs_of_the_games_played_and_of_no_other(shell: Shell) -> None:
    page = shell.done("help")

    assert "\nBruise: quality, colour, karma" in page
    assert "maneuver" not in page
    shell.done("cast", "Vera", "edgerunner", "cool=3")
    assert "\nEdgerunner: map, aspect, exchange" in shell.done("help")
    assert "quality" not in shell.done("-c", "nowhere", "help")


def test_help_names_a_game_of_a_file_as_its_file_does(shell: Shell) -> None:
    shell.done("new", "orrin", "--game", "d20")

    assert "\nd20: game, track" in shell.done("-c", "orrin", "help")


def test_every_verb_is_in_one_group_of_all_help() -> None:
    grouped = Counter(chain.from_iterable(help_screens.groups().values()))
    own = {command.verb for system in SYSTEMS.values() for command in system.verbs}

    assert [verb for verb, times in grouped.items() if times > 1] == []
    assert set(grouped) | own == {*COMMANDS, *SHELL_VERBS, EXPECT[0]}
    assert not set(grouped) & own


def test_all_of_help_lists_every_verb_once_for_its_game(shell: Shell) -> None:
    page = shell.done("help", "all")

    for verb in {*COMMANDS, *SHELL_VERBS, EXPECT[0]}:
        homes = sum(command.verb == verb for system in SYSTEMS.values() for command in system.verbs)
        assert page.count(f"\n  {verb} ") == (homes or 1), verb


@pytest.mark.parametrize("game", SYSTEMS)
def test_help_on_a_game_begins_with_its_verbs(shell: Shell, game: str) -> None:
    verbs, _, _ = shell.done("help", game).partition("\n\nOne of them: ")

    assert verbs.startswith(f"# {SYSTEMS[game].title}: its verbs\n")
    for command in added_commands(SYSTEMS[game]):
        assert f"\n- `{command.example}`: " in verbs
    assert all(game_of(command) in (None, SYSTEMS[game]) for command in added_commands(SYSTEMS[game]))


@pytest.mark.parametrize("verb", sorted(READING))
def test_a_reading_verb_has_two_examples_or_more_which_it_takes(verb: str) -> None:
    _, examples, _ = help_of(import_module(module_of(verb) or "").command.__doc__ or "")

    assert len(set(examples)) >= 2
    for example in examples:
        _, named, rest = parse(shlex.split(example.partition(" > ")[0].partition(" >> ")[0])[1:])
        asked = typer.main.get_command(application(named))
        with asked.make_context(f"retold {named}", rest, obj=Options()):  # raises if it is not taken
            pass
        assert verb in (named, "voices")


def test_the_examples_of_log_are_taken(shell: Shell) -> None:
    examples = [line for line in shell.done("log", "--help").splitlines() if line.startswith("  retold log")]

    assert len(examples) >= 2
    for example in examples:
        shell.done(*example.split()[1:])


def test_many_options_are_listed_in_groups(shell: Shell) -> None:
    page = shell.done("export", "--help")

    titles = [line for line in page.splitlines() if line[:1].isupper() and not line.endswith((".", ","))]
    assert {"What is told", "Who tells it, and how", "For whom", "Options"} <= set(titles)
    assert len(titles) == len(set(titles))
    assert "\n  --session N|all " in page


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("stress", "show stress"),
        ("secret", "show secrets"),
        ("Zones", "Zones is map here."),
        ("--gm", "VERB --gm"),
        ("ribbon", "export --ribbon"),
        ("luck", "stats luck"),
        ("epub", "export -f epub"),
        ("ace", "option bruise.ace="),
        ("legacy points", "Bruise, "),
    ],
)
def test_help_on_any_other_word_says_what_has_to_do_with_it(shell: Shell, word: str, line: str) -> None:
    assert line in shell.done("help", *word.split())


def test_help_on_a_word_of_a_game_speaks_of_the_games_played(shell: Shell) -> None:
    assert "edgerunner" not in shell.done("help", "stress")
    assert "Edgerunner, §7" in shell.done("-c", "nowhere", "help", "stress")


def test_help_on_a_mistyped_word_asks_which_is_meant(shell: Shell) -> None:
    assert shell.misused("help", "statistcs").startswith("There is no help on statistcs. ")
    assert "Did you mean" in shell.misused("help", "sekrets")
    assert "maneuver" not in shell.misused("help", "manuever")  # Edgerunner's, and Bruise is played
