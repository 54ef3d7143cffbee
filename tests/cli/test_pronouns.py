"""Pronouns and forms of names at the shell: typed, shown, undone, hidden, redacted and dumped."""

from __future__ import annotations

import json

import pytest

from tests.cli.shell import Shell

CAST = 'cast Zelka by=Jon pronouns=she/her forms.acc="Zelkę" forms.gen=Zelki: A pilot\n'


def known(shell: Shell, *words: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(shell.done("who", "Zelka", "--json", *words))
    return found


def facts(shell: Shell, *words: str) -> tuple[object, object]:
    found = known(shell, *words)
    return found["pronouns"], found["forms"]


def test_they_are_shown_with_the_cast(shell: Shell) -> None:
    shell.play(f"{CAST}narrate gm: They take Zelkę along.\n")

    page = shell.done("who", "Zelka")
    assert page.startswith("Zelka · character · she/her · played by Jon\n")
    assert "  Zelkę (acc)\n  Zelki (gen)\n" in page
    assert known(shell)["aliases"] == []
    assert [one["text"] for one in known(shell)["mentions"]] == ["They take Zelkę along."]  # type: ignore[attr-defined]
    assert "character, she/her" in shell.done("show", "cast")
    shown = json.loads(shell.done("show", "cast", "--json"))["cast"]
    (zelka,) = (one for one in shown if one["name"] == "Zelka")
    assert (zelka["pronouns"], zelka["forms"]) == ("she/her", {"acc": "Zelkę", "gen": "Zelki"})
    log = shell.done("log", "-n", "5")
    assert "Zelka has the pronouns “she/her”" in log
    assert "Zelka is “Zelkę” in the case acc" in log


def test_they_are_dumped_undone_and_end_with_the_name(shell: Shell) -> None:
    shell.play(CAST)
    line = 'cast Zelka by="Jon" pronouns="she/her" forms.acc="Zelkę" forms.gen="Zelki": A pilot'
    assert line.replace('"Jon"', "Jon") in shell.done("dump", "--script")

    shell.done("cast", "Zelka", "pronouns=none", 'forms.acc=""')
    assert facts(shell) == (None, {"gen": "Zelki"})
    shell.done("undo")
    assert facts(shell) == ("she/her", {"acc": "Zelkę", "gen": "Zelki"})
    shell.done("cast", "Zelka", "name=Zelinda")
    assert facts(shell) == ("she/her", {})


def test_they_are_reworded(shell: Shell) -> None:
    shell.play(f"{CAST}cast Nikogo\n")
    lines = shell.done("log").splitlines()
    pronouns, form = (
        next(line.split()[0] for line in lines if told in line) for told in ("“she/her”", "Zelkę")
    )
    shell.done("retcon", f"{pronouns}:", "they/them")
    shell.done("--yes", "retcon", f"{form}:", "Nikogo")
    assert facts(shell) == ("they/them", {"acc": "Nikogo", "gen": "Zelki"})

    assert "“7” are no pronouns" in shell.refused("retcon", f"{pronouns}:", "7")


def test_they_are_as_hidden_as_their_line(shell: Shell) -> None:
    shell.play(f"{CAST}cast Zelka pronouns=they forms.acc=Nikogo --gm\n")

    assert facts(shell) == ("they", {"acc": "Nikogo", "gen": "Zelki"})
    assert facts(shell, "--for", "Jon") == ("she/her", {"acc": "Zelkę", "gen": "Zelki"})


def test_they_are_redacted_with_the_person(shell: Shell) -> None:
    shell.play(CAST)
    gone = shell.done("redact", "--check", "--person", "Zelka")
    assert all(f"“{text}”" in gone for text in ("Zelka", "A pilot", "she/her", "Zelkę", "Zelki"))
    shell.done("--yes", "redact", "--person", "Zelka")

    kept = shell.bytes()
    assert not any(text.encode() in kept for text in ("Zelk", "she/her"))
    script = shell.done("dump", "--script")
    assert 'pronouns="none" forms.acc="none" forms.gen="none"' in script


@pytest.mark.parametrize(
    ("word", "refusal"),
    [
        ("pronouns= ", "“” are no pronouns: write pronouns=she"),
        ("pronouns=4x", "“4x” are no pronouns: write pronouns=she"),
        ("pronouns=\u202eshe", "are no pronouns: write pronouns=she"),
        ("forms.accusative=Zelka", "“accusative” is not a case"),
        ("forms.=Zelka", "“” is not a case"),
        ("forms.acc= ", "“ ” is no name: it needs a letter or a digit."),
        ("pronouns+=she", "belongs to a ruling"),
    ],
)
def test_what_is_none_is_refused_in_one_sentence(shell: Shell, word: str, refusal: str) -> None:
    shell.play(CAST)
    before = shell.bytes()

    said = shell.say("cast", "Zelka", word)
    assert (said.code, said.out) in ((1, ""), (2, "")), said
    assert refusal in said.err
    assert shell.bytes() == before
