"""Verbs are made from commands: what every one of them has, and the lists that name them all."""

import tomllib
from importlib import import_module

import pytest

from retold import cli
from retold.cli import completing
from retold.cli.campaigns.asking import TABLE_WORD
from retold.cli.console.offers import AS, HELPING, LEAVING
from retold.cli.invocation import READING, module_of
from retold.journal.games import NO_VERBS
from retold.journal.language.lexing import lex
from retold.journal.language.verbs import EXPECT, VERBS, form_of, game_of
from retold.journal.shell_verbs import SHELL_VERBS
from retold.journal.store.events.kinds import COMMANDS as VERBS_IN_FULL
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary.base import Command
from retold.journal.vocabulary.commands import LINE_VERBS, SHARED
from retold.projections.prose import VOICES
from tests.cli.shell import ROOT, Shell
from tests.every import COMMANDS

every_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda one: f"{one.__module__}.{one.verb}")


@every_command
def test_a_verb_has_a_sentence_of_help(command: type[Command]) -> None:
    first = (command.__doc__ or "").partition("\n")[0]

    assert first[:1].isupper()
    assert first.endswith(".")


@every_command
def test_a_verb_has_two_examples_or_more_which_are_lines_of_its_own_form(command: type[Command]) -> None:
    examples = (command.example, *command.more_examples)

    assert len(set(examples)) >= 2
    for example in examples:
        line = lex(example)
        assert line.verb.text == command.verb
        form_of(command).match(line, {"system": SYSTEMS.__contains__})  # raises if it is none


@every_command
def test_help_on_a_verb_shows_its_form_its_short_forms_and_its_example(
    shell: Shell, command: type[Command]
) -> None:
    game = game_of(command)
    of_game = () if game is None else ("--game", game.name)
    page = shell.done("help", command.verb, *of_game)
    sentence, examples, form, *_ = page.split("\n\n")

    assert " ".join(sentence.split()) == (command.__doc__ or "").partition("\n")[0]
    assert examples.splitlines() == [f"  {one}" for one in (command.example, *command.more_examples)]
    assert form.startswith(command.verb)
    assert all(short in form for short in command.short)
    for words in (*(("help", word) for word in command.short), (command.verb, "--help")):
        assert shell.done(*words, *of_game) == page


@every_command
def test_help_on_a_verb_says_each_of_its_flags_in_words(shell: Shell, command: type[Command]) -> None:
    game = game_of(command)
    page = shell.done("help", command.verb, *(() if game is None else ("--game", game.name)))

    assert [flag for flag in form_of(command).flags if f"\n  --{flag} " not in page] == []


DECLARED = ("declare [WHO] KEY", "declare (WHO | TOGETHER)", "declare WHO (move")
"""How the forms of `declare` begin: of every table, of Whiskey, of Edgerunner."""


def _go_elsewhere(shell: Shell) -> None:
    """Into a folder without a campaign."""
    (shell.folder / "elsewhere").mkdir()
    shell.monkeypatch.chdir(shell.folder / "elsewhere")


@pytest.mark.parametrize(
    ("words", "begun"),
    [
        (("--game", "whiskey"), (1, 0)),
        (("--game", "edgerunner"), (2, 0)),
        (("--game", "bruise"), (0,)),
        ((), (0, 1, 2)),
    ],
)
def test_help_of_a_game_shows_no_other_game_s_forms(
    shell: Shell, words: tuple[str, ...], begun: tuple[int, ...]
) -> None:
    _go_elsewhere(shell)
    page = shell.done("help", "declare", *words)

    found = [form for form in DECLARED if form in page]
    assert sorted(found, key=page.index) == [DECLARED[one] for one in begun]


def test_help_shows_the_form_of_the_one_game_that_a_campaign_plays(shell: Shell) -> None:
    _go_elsewhere(shell)
    shell.done("new", "harbour")
    shell.done("cast", "Vera", "edgerunner", "cool=3")
    assert DECLARED[1] not in shell.done("help", "declare")
    assert DECLARED[2] in shell.done("declare", "--help")

    shell.done("cast", "Runa", "whiskey", "hp=3")

    assert all(form in shell.done("help", "declare") for form in DECLARED)


def test_help_of_a_game_there_is_not_names_those_there_are(shell: Shell) -> None:
    assert shell.misused("help", "declare", "--game", "edgeruner") == (
        "There is no game edgeruner. There are: edgerunner."
    )


def test_every_word_for_a_verb_means_one_verb() -> None:
    words = [word for command in VERBS_IN_FULL.values() for word in (command.verb, *command.short)]

    assert len(words) == len(set(words)) == len(VERBS)
    assert not set(words) & NO_VERBS


def test_no_game_may_have_a_verb_of_the_command_line() -> None:
    assert {*READING, "log", *HELPING, *LEAVING, *EXPECT, AS, TABLE_WORD} - {"?"} == NO_VERBS


def test_every_command_of_the_house_is_a_verb() -> None:
    homes = (SHARED, LINE_VERBS, *(system.commands for system in SYSTEMS.values()))

    assert {command.verb for home in homes for command in home} == set(VERBS_IN_FULL)


def test_completion_knows_every_voice() -> None:
    assert tuple(VOICES) == completing.VOICES


@pytest.mark.parametrize("verb", sorted(READING))
def test_a_summary_is_the_first_sentence_of_the_verbs_own_help(verb: str) -> None:
    about = " ".join((import_module(module_of(verb) or "").command.__doc__ or "").split())

    assert f"{about} ".startswith(f"{SHELL_VERBS[verb].about} ")


def test_the_summary_of_log_is_the_first_sentence_of_its_help(shell: Shell) -> None:
    assert shell.done("log", "--help").startswith(f"{SHELL_VERBS['log'].about}\n")


@pytest.mark.parametrize("verb", [*sorted(READING), "log"])
def test_help_on_a_verb_is_what_the_verb_says_of_itself(shell: Shell, verb: str) -> None:
    page = shell.done("help", verb)

    assert page == shell.done(verb, "--help")
    assert page == shell.done(verb, "-h")
    assert f"\n\nretold {verb}" in page


@pytest.mark.parametrize(
    "topic", ["", "all", *sorted(READING), "log", "moments", "exit-codes", *VERBS_IN_FULL, "expect"]
)
def test_help_fits_eighty_columns_and_draws_no_boxes(shell: Shell, topic: str) -> None:
    page = shell.done("help", *([topic] if topic else []))

    assert [line for line in page.splitlines() if len(line) > 80] == []
    assert not set(page) & set("─│╭╮╰╯")


def test_the_bare_command_shows_a_first_step(shell: Shell) -> None:
    assert "retold new salt-road" in shell.done()


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_systems_page_names_its_verbs_options_and_facts(shell: Shell, name: str) -> None:
    page = shell.done("systems", name)
    system = SYSTEMS[name]

    assert [command.verb for command in system.commands if f"\n  {command.verb} " not in page] == []
    assert [option.key for option in system.options if f"\n  {option.key}=" not in page] == []
    assert [fact for fact in system.facts if f"\n  {fact}" not in page] == []
    assert shell.done("help", "all").count(f"\n{system.title}\n") == 1


def test_the_release_is_pyprojects(shell: Shell) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    assert project["version"] == cli.VERSION
    for asked in ("--version", "-V"):
        assert shell.done(asked) == f"retold {cli.VERSION}\n"


# --- completion -------------------------------------------------------------------------------------------


def completed(shell: Shell, *words: str) -> list[str]:
    return shell.done("--complete", *words).splitlines()


def test_a_verb_is_completed(shell: Shell) -> None:
    assert completed(shell, "redo") == ["redo"]
    assert {"redo", "replay", "retcon"} <= set(completed(shell, "re"))
    assert all(verb.startswith("re") for verb in completed(shell, "re"))
    assert completed(shell, "--json", "sho") == ["show"]


def test_a_view_and_a_topic_are_completed(shell: Shell) -> None:
    assert completed(shell, "show", "p") == ["pending", "places", "points", "pool"]
    assert "exit-codes" in completed(shell, "help", "")


def test_names_and_branches_of_the_campaign_are_completed(shell: Shell) -> None:
    shell.done("branch", "kinder", "10")

    assert completed(shell, "draw", "") == ["gm", "Zel", "Jon", "Captain-Thoss"]  # no guards came before 10
    assert completed(shell, "draw", "cap") == ["Captain-Thoss"]
    assert completed(shell, "-c", "evening", "switch", "") == ["mainline", "kinder"]
    assert completed(shell, "branch", "promote", "k") == ["kinder"]


def test_voices_are_completed_the_users_own_among_them(shell: Shell) -> None:
    shell.done("voices", "--copy", "report", "mine")

    every = ["report", "plain", "script", "prose", "mine"]
    assert completed(shell, "export", "--voice", "") == every
    assert completed(shell, "export", "s2", "--voice", "=", "pl") == ["plain"]  # as bash parts it
    assert completed(shell, "diff", "kinder", "--story", "--voice=m") == ["--voice=mine"]
    assert completed(shell, "voices", "--copy", "pro") == ["prose"]


def test_completing_in_a_folder_without_a_campaign_is_silent(shell: Shell) -> None:
    (shell.folder / "evening.retold").unlink()

    assert shell.say("--complete", "draw", "Z") == (0, "", "")
    assert shell.say("--complete", "-c", "home", "switch", "k") == (0, "", "")


@pytest.mark.parametrize("name", ["bash", "zsh", "fish", "powershell"])
def test_a_shell_gets_its_script(shell: Shell, name: str) -> None:
    assert "retold --complete" in shell.done("completion", name)


def test_a_shell_without_a_script_is_told_which_have_one(shell: Shell) -> None:
    assert shell.refused("completion", "tcsh") == (
        "There is a script for bash, zsh, fish, powershell, not for tcsh."
    )


def test_play_takes_the_campaign_by_its_name(shell: Shell) -> None:
    shell.done("new", "salt-road")
    shell.done("new", "glass-cliff")
    shell.done("play", "salt-road", stdin=b"note: The ferry is late.\n")

    assert "The ferry is late." in shell.done("-c", "salt-road", "log", "-n", "1")
    assert "The ferry is late." not in shell.done("-c", "glass-cliff", "log", "-n", "1")
