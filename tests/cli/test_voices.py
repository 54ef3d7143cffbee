"""`voices`: who can tell, how to make a voice of one's own, and how `export` takes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retold.projections.prose import VOICES
from tests.cli.shell import Shell

ONE_PHRASE = '[phrases.bruise]\nhand-won = "{{ whom }} lost it to {{ who }}."\n'


@pytest.fixture
def folder(shell: Shell) -> Path:
    """Where the user's own voices are."""
    folder = shell.folder / "home" / "config" / "voices"
    folder.mkdir(parents=True)
    return folder


def as_json(shell: Shell) -> list[dict[str, object]]:
    said = json.loads(shell.done("voices", "--json"))
    assert (said["retold"], said["version"]) == ("voices", 1)
    found: list[dict[str, object]] = said["voices"]
    return found


def test_our_voices_are_listed_before_one_s_own(shell: Shell, folder: Path) -> None:
    (folder / "slow.toml").write_text('about = "as Mirela tells it"\nbase = "script"\n', "utf-8")
    (folder / "quick.toml").write_text("", "utf-8")
    (folder / "notes.txt").write_text("no voice", "utf-8")

    listed = as_json(shell)
    assert [one["name"] for one in listed] == [*VOICES, "quick", "slow"]
    assert listed[-1] == {
        "name": "slow",
        "about": "as Mirela tells it",
        "base": "script",
        "path": str(folder / "slow.toml"),
        "broken": None,
    }
    shown = shell.done("voices")
    assert all(voice.about.split(",")[0] in " ".join(shown.split()) for voice in VOICES.values())
    assert "as Mirela tells it" in shown
    assert str(folder / "slow.toml") in shown.replace("\n", "").replace(" ", "")


def test_a_broken_one_is_listed_with_what_is_wrong_with_it(shell: Shell, folder: Path) -> None:
    (folder / "mine.toml").write_text('[phrases.bruise]\nhand-won = "{{ whomm }}"\n', "utf-8")
    wrong = (
        f"{folder / 'mine.toml'}, line 2: bruise.hand-won: there is no value whomm here, did you mean whom?"
    )

    assert as_json(shell)[-1] == {
        "name": "mine",
        "about": "",
        "base": None,
        "path": str(folder / "mine.toml"),
        "broken": wrong,
    }
    assert "bruise.hand-won" in shell.done("voices")
    assert shell.refused("voices", "--check", str(folder / "mine.toml")) == wrong
    assert shell.refused("export", "--voice", "mine") == wrong


def test_a_copy_is_written_once_and_is_fit_to_use(shell: Shell) -> None:
    path = shell.folder / "home/config/voices/mine.toml"

    assert shell.done("voices", "--copy", "script", "mine") == (
        f"Written to {path}: change it, and export with --voice mine.\n"
    )
    before = path.read_bytes()
    assert shell.refused("voices", "--copy", "report", "mine") == (
        f"{path} is there already: choose another name, or change that one."
    )
    assert path.read_bytes() == before
    assert (
        shell.done("voices", "--check", str(path))
        == f"{path} is fit to use: script, with words of its own.\n"
    )
    ours = shell.done("export", "--voice", "script")
    assert shell.done("export", "--voice", "mine") == ours.replace('voice: "script"', 'voice: "mine"')


def test_one_s_own_voice_may_be_copied_too(shell: Shell, folder: Path) -> None:
    (folder / "mine.toml").write_text(ONE_PHRASE, "utf-8")
    shell.done("voices", "--copy", "mine", "another")

    assert 'hand-won = "{{ whom }} lost it to {{ who }}."' in (folder / "another.toml").read_text("utf-8")


def test_invalid_copies_of_voices_are_refused(shell: Shell) -> None:
    assert shell.refused("voices", "--copy", "report", "prose") == (
        "prose is one of Retold's own voices: choose another name."
    )
    for name in ("../mine", "a/b", "", ".hidden", "mine.toml", "-"):
        assert "is no name for a voice: use letters, digits and hyphens." in shell.refused(
            "voices", "--copy", "report", name
        )
    assert shell.refused("voices", "--copy", "plain", "mine") == (
        "plain is the notation and has no phrases: copy report or script or prose."
    )
    assert shell.refused("voices", "--copy", "operatic", "mine").startswith("There is no voice operatic.")
    assert not (shell.folder / "home/config").exists()
    assert "not both" in shell.misused("voices", "--copy", "report", "x", "--check", "y.toml")


def test_export_takes_a_voice_by_name_or_by_file(shell: Shell, folder: Path) -> None:
    shell.play("conflict bruise Zel vs Guards\ndraw Zel 2 = AH 2D\ndraw Guards 1 = 9S\n")
    (folder / "mine.toml").write_text(ONE_PHRASE, "utf-8")
    (shell.folder / "here.toml").write_text(ONE_PHRASE, "utf-8")

    ours = shell.done("export", "--for", "gm")
    assert ours.count("Zel took the hand against Guards.") == 2
    for named in ("mine", "here.toml"):
        told = shell.done("export", "--voice", named, "--for", "gm")
        voice = f'voice: "{named.removesuffix(".toml")}"'
        assert told == ours.replace("Zel took the hand against Guards.", "Guards lost it to Zel.").replace(
            'voice: "report"', voice
        )


def test_an_unknown_voice_is_refused_with_the_known_ones(shell: Shell, folder: Path) -> None:
    (folder / "mine.toml").write_text("", "utf-8")

    assert shell.refused("export", "--voice", "operatic") == (
        "There is no voice operatic. There are: report, plain, script, prose, mine."
    )
    assert shell.refused("export", "--voice", "none.toml") == (
        "none.toml cannot be read: no such file or directory."
    )


def test_a_file_called_as_one_of_ours_is_not_taken_for_it(shell: Shell, folder: Path) -> None:
    (folder / "report.toml").write_text(ONE_PHRASE, "utf-8")

    assert [one["name"] for one in as_json(shell)] == list(VOICES)
    assert "lost it to" not in shell.done("export", "--voice", "report")


def test_mechanics_go_where_the_voice_or_option_puts_them(shell: Shell, folder: Path) -> None:
    (folder / "mine.toml").write_text('layout.mechanics = "appendix"\n', "utf-8")

    def told(*words: str) -> str:
        return shell.done("export", "--session", "1", *words)

    assert "> *Mechanics" in told()
    assert "\n- Zel draws 6 from Jon's deck" in told("--voice", "script")
    assert "draws" not in told("--voice", "prose")
    assert "## Mechanics" in told("--voice", "mine")
    assert "\n(1) " in told("--voice", "prose", "--mechanics", "footnotes")
    assert "draws" not in told("--voice", "mine", "--mechanics", "none")


def test_C16_a_voice_of_ones_own_is_checked_from_any_folder(shell: Shell) -> None:
    shell.done("voices", "--copy", "report", "mine")

    assert "mine.toml is fit to use" in shell.done("voices", "--check", "mine.toml")
    assert "mine.toml is fit to use" in shell.done("voices", "--check", "mine")
    assert "no such file" in shell.refused("voices", "--check", "elsewhere/mine.toml")
    assert shell.refused("voices", "--check", "report").startswith("report comes with Retold")


def test_a_language_is_checked_and_listed(shell: Shell) -> None:
    assert shell.done("voices", "--check", "de") == "Deutsch (de) has every phrase.\n"
    assert "de (Deutsch)" in shell.done("voices")
    listed = json.loads(shell.done("voices", "--json"))["languages"]
    assert {"code": "fr", "name": "Français", "missing": []} in listed


def test_lang_tells_in_a_language(shell: Shell, folder: Path) -> None:
    shell.done("end", "session")
    shell.done("session", "Ankunft", "--date", "2026-06-13")
    shell.done("cast", "Zora: Eine Diebin")
    shell.done("narrate", "Zora: Guten Abend.")

    assert "## Besetzung" in shell.done("export", "--lang", "Deutsch")
    assert "13. Juni 2026" in shell.done("export", "--lang", "de-AT")
    assert "Séance 3, Ankunft (13 juin 2026)" in shell.done("recap", "--lang", "fr")
    (folder / "mine.toml").write_text('lang = "de"\n[phrases.page]\ncast = "Wer"\n', "utf-8")
    own = shell.done("export", "--voice", "mine")
    assert "## Wer" in own
    assert "Sitzung 3" in own
    assert "## Wer" in shell.done("export", "--voice", "mine", "--lang", "fr")
    assert shell.refused("export", "--lang", "Klingon") == (
        "Retold has no phrases in Klingon. There are: en (English), de (Deutsch), fr (Français)."
        " docs/voices.md says how to add one."
    )
    shell.monkeypatch.setenv("RETOLD_LANG", "Klingon")
    assert shell.refused("export").startswith(
        "RETOLD_LANG names no language. Retold has no phrases in Klingon."
    )
    assert "## Besetzung" in shell.done("export", "--lang", "de")


def test_a_voice_is_copied_in_a_language(shell: Shell, folder: Path) -> None:
    shell.done("voices", "--copy", "report", "meine", "--lang", "de")
    copied = (folder / "meine.toml").read_text("utf-8")
    assert 'lang = "de"' in copied
    assert 'cast = "Besetzung"' in copied
    assert "is fit to use" in shell.done("voices", "--check", "meine")
    assert shell.misused("voices", "--lang", "de") == (
        "--lang is for --copy here: the language of the voice to copy."
    )


def test_T17_a_voice_in_another_language_says_what_it_lacks(shell: Shell) -> None:
    Path("es.toml").write_text('lang = "es"\n[phrases]\n"page.cast" = "Personajes"\n', "utf-8")

    said = shell.done("voices", "--check", "es.toml")
    assert said.startswith("es.toml is fit to use: report, with words of its own. It words 1 of ")
    assert said.endswith(" phrases; the others are told in English.\n")
