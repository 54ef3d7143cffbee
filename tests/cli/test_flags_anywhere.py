"""Flags: refusals list those of the verb alone, and those of all verbs are taken anywhere (findings G25)."""

from __future__ import annotations

import re

import pytest

from retold.cli.dispatch import parse
from retold.cli.invocation import BEHIND_THE_VERB, FLAGS, READING, VALUES, Options, UsageError
from retold.cli.verbs.help import _of_table_verb
from retold.journal.language.binding import Scope, bind
from retold.journal.language.forms import COMMON_FLAGS
from retold.journal.language.lexing import FLAGS as LINE_FLAGS
from retold.journal.language.lexing import lex
from retold.journal.language.verbs import ANY_VERB, VERBS, explain_unknown_flag, flags_of, form_of
from retold.journal.refused import Refused
from retold.journal.table import Table
from retold.journal.vocabulary.base import Command
from retold.scribe import Scribe
from tests.cli.shell import Shell
from tests.every import COMMANDS

OPTIONS = {
    "--json": Options(json=True),
    "--debug": Options(debug=True),
    "--yes": Options(yes=True),
    "--no-color": Options(),
    "-c": Options(campaign="x"),
    "--campaign": Options(campaign="x"),
    "--branch": Options(branch="x"),
}
"""Each option of every verb, and what comes of it; a value is `x`."""


def typed(name: str) -> list[str]:
    return [name, "x"] if name in VALUES else [name]


def test_G25_every_option_of_every_verb_is_tried() -> None:
    assert OPTIONS.keys() == FLAGS.keys() | VALUES.keys()


@pytest.mark.parametrize("name", OPTIONS)
def test_G25_global_options_go_before_or_after_every_table_verb(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    for verb in VERBS:
        for words in (
            [*typed(name), verb, "Zel", "=", "3"],
            [verb, *typed(name), "Zel", "=", "3"],
            [verb, "Zel", *typed(name), "=", "3"],
            [verb, "Zel", "=", "3", *typed(name)],
        ):
            assert parse(words) == (OPTIONS[name], verb, ["Zel", "=", "3"])
        told = [verb, "Zel:", "I", *typed(name)]
        assert parse(told) == (Options(), verb, told[1:]), "it is a word of a text"


OTHER_VERBS = sorted({*READING, "log", "help"})


@pytest.mark.parametrize("verb", OTHER_VERBS)
def test_G25_global_options_go_before_or_after_every_other_verb(verb: str, shell: Shell) -> None:
    for number, name in enumerate(OPTIONS, start=OTHER_VERBS.index(verb)):
        words = [name, "evening.retold"] if name in ("-c", "--campaign") else typed(name)
        words = ["--branch", "mainline"] if name == "--branch" else words
        line = [*words, verb, "--nonsense"] if number % 2 else [verb, *words, "--nonsense"]
        try:
            said = shell.say(*line).err
        except UsageError as error:  # with --debug
            said = str(error)
        assert "--nonsense" in said, line
        assert name not in said.partition("What there is")[0].replace("--nonsense", "").split(), line


def test_G25_yes_is_taken_last(shell: Shell) -> None:
    shell.done("draft", "new", "second", "--yes")
    shell.done("draft", "send", "-o", "second.md")
    shell.done("draft", "take", "second.md", "--yes")
    assert shell.say("redact", "21", "--yes").code == 0


def test_G25_yes_answers_what_a_line_asks(scribe: Scribe) -> None:
    asked: list[str] = []

    def no(question: str) -> bool:
        asked.append(question)
        return False

    scribe.ask, scribe.attended = no, True
    assert scribe.say("redact 21").checked
    assert not scribe.say("redact 21 --yes").checked
    assert len(asked) == 1
    assert scribe.ask is no


@pytest.mark.parametrize("name", BEHIND_THE_VERB)
def test_G25_a_shared_flag_may_precede_the_verb(name: str) -> None:
    words = [name, "Zel"] if BEHIND_THE_VERB[name] else [name]
    for verb in (*VERBS, *READING, "log"):
        assert parse([*words, verb, "Ana"]) == (Options(), verb, [*words, "Ana"])


def test_G25_the_flags_of_a_line_are_known_before_the_verb() -> None:
    known = {name.removeprefix("--") for name in (*BEHIND_THE_VERB, *FLAGS)}
    assert known >= COMMON_FLAGS
    for name in COMMON_FLAGS & {name.removeprefix("--") for name in BEHIND_THE_VERB}:
        assert LINE_FLAGS[name].takes_value is BEHIND_THE_VERB[f"--{name}"]


@pytest.mark.parametrize("flag", sorted(COMMON_FLAGS))
def test_G25_a_common_flag_goes_anywhere_on_a_line(flag: str) -> None:
    said = f"--{flag} x" if LINE_FLAGS[flag].takes_value else f"--{flag}"
    for command in COMMANDS:
        verb = command.verb
        lines = (f"{verb} {said} Zel = 3", f"{verb} Zel {said} = 3", f"{verb} Zel = 3 {said}")
        assert len({str(sorted(lex(line).flags)) for line in lines}) == 1
        assert {(lex(line).tokens[0].text, lex(line).results) for line in lines} == {("Zel", ("3",))}
        assert form_of(command).unknown_flag(lex(lines[0])) is None


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.verb)
def test_G25_a_refusal_lists_flags_of_its_own_verb_only(command: type[Command]) -> None:
    own = form_of(command).flags | COMMON_FLAGS
    for flag in ("skip", *sorted(LINE_FLAGS.keys() - own)):
        said = explain_unknown_flag(command, command.verb, flag)
        listed = set(re.findall(r"--(\w+)", said)) - {flag}
        assert listed
        assert listed <= own


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("retcon 5 --skip", "There is no flag --skip. retcon has --as, --drop, --ruling."),
        ("retcon 5 --sealed", "retcon has no --sealed. It has --as, --drop, --ruling."),
        ("fix --skip = 3", "There is no flag --skip. fix has --drop, --keep, --ruling."),
        ("undo --skip", "There is no flag --skip. undo has --by, --check, --when, --yes."),
        ("overrule Ana Bea --vetto: No.", "There is no flag --vetto. Did you mean --veto?"),
        (
            "narrate Zel --private: No.",
            "There is no flag --private. narrate has --at, --clock, --gm, --in, --to.",
        ),
    ],
)
def test_G25_a_refusal_of_a_flag(line: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        bind(lex(line), Scope(Table(), int))
    assert refused.value.sentence == sentence


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.verb)
def test_G2_help_has_every_flag_of_every_verb_in_words(command: type[Command]) -> None:
    text = _of_table_verb(command.verb, ())
    for flag in (*flags_of(command), *ANY_VERB):
        row = re.search(rf"^\s*{re.escape(LINE_FLAGS[flag].written)}\s+\w.*", text, re.MULTILINE)
        assert row is not None, f"{command.verb} --{flag}"


@pytest.mark.parametrize("verb", ["retcon", "fix"])
def test_G2_help_of_a_correction_shows_its_ways(verb: str) -> None:
    text = " ".join(_of_table_verb(verb, ()).split())
    for way in {"retcon": ("retcon 412: ", "retcon 412 --as ", "retcon 412 --drop"), "fix": ("fix = ",)}[
        verb
    ]:
        assert way in text
