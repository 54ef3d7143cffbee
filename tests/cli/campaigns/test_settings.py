import io
import os
import sys
from pathlib import Path

import pytest

from retold.__main__ import main
from retold.cli.campaigns.settings import Settings, new_path
from retold.journal.refused import Refused
from retold.journal.store.contract.address import Address
from retold.journal.store.writing.campaign import CampaignStore
from tests.cli.shell import Shell

ID = "0" * 32


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def settings(folder: Path, **environment: str) -> Settings:
    return Settings(folder / "home", environment)


def test_the_campaign_named_comes_before_the_environments_and_that_before_the_folders(folder: Path) -> None:
    for name in ("named", "set", "here"):
        (folder / f"{name}.retold").touch()
    somewhere = settings(folder, RETOLD_CAMPAIGN="set")

    assert somewhere.campaign("named") == Address.of_file(Path("named.retold"))
    assert somewhere.campaign(None) == Address.of_file(Path("set.retold"))


def test_the_only_campaign_of_a_folder_need_not_be_named(folder: Path) -> None:
    (folder / "here.retold").touch()
    (folder / "notes.txt").touch()
    (folder / "folder.retold").mkdir()

    assert settings(folder).campaign(None) == Address.of_file(Path("here.retold"))


def test_an_empty_setting_is_none(folder: Path) -> None:
    (folder / "here.retold").touch()

    assert settings(folder, RETOLD_CAMPAIGN="").campaign(None) == Address.of_file(Path("here.retold"))


def test_several_campaigns_are_listed(folder: Path) -> None:
    for name in ("b", "a"):
        (folder / f"{name}.retold").touch()

    with pytest.raises(Refused, match=r"say which with -c \(a\.retold, b\.retold\)\.$"):
        settings(folder).campaign(None)


def test_a_folder_without_a_campaign_says_what_to_do(folder: Path) -> None:
    with pytest.raises(Refused, match=r"make one \(retold new NAME\) or name one \(-c FILE\)\.$"):
        settings(folder).campaign(None)


def test_a_setting_that_names_nothing_is_told_apart_from_an_option(folder: Path) -> None:
    with pytest.raises(Refused, match=r"^There is no campaign gone\.retold, which RETOLD_CAMPAIGN names"):
        settings(folder, RETOLD_CAMPAIGN="gone").campaign(None)


def test_a_campaigns_ending_may_be_left_out_also_beside_a_folder_of_its_name(folder: Path) -> None:
    (folder / "salt").mkdir()
    (folder / "salt.retold").touch()

    assert settings(folder).campaign("salt") == Address.of_file(Path("salt.retold"))


def test_a_file_with_another_ending_is_taken_as_it_is(folder: Path) -> None:
    (folder / "copy.bak").touch()

    assert settings(folder).campaign("copy.bak") == Address.of_file(Path("copy.bak"))


@pytest.mark.parametrize("typed", ["", ".", "..", "/", "a/.."])
def test_invalid_names_make_no_campaign(typed: str) -> None:
    with pytest.raises(Refused, match="is no name for a campaign: choose one such as salt-road"):
        new_path(typed)


@pytest.mark.parametrize("typed", ["a\x1bb", "a\nb", "a\udcff"])
def test_a_campaigns_file_has_a_name_any_terminal_can_show(typed: str) -> None:
    with pytest.raises(Refused, match="is no name for a campaign: use UTF-8, and no control characters"):
        new_path(typed)


def test_settings_are_kept_per_campaign(folder: Path) -> None:
    here = settings(folder)
    here.choose_line(ID, 3)
    here.keep_seed(ID, "eight and more")

    assert settings(folder).chosen_line(ID) == 3
    assert settings(folder).seed(ID) == b"eight and more"
    assert settings(folder).chosen_line("1" * 32) is None


def test_settings_that_are_spoilt_are_none(folder: Path) -> None:
    here = settings(folder)
    here.state.mkdir(parents=True)
    (here.state / f"{ID}.json").write_bytes(b"\xff{")

    assert here.chosen_line(ID) is None


@pytest.mark.parametrize("spoilt", [b"\xff{", b'{"seed": "eight and mo', b"[]", b"[" * 10**5])
def test_settings_that_are_spoilt_are_set_aside_and_never_written_over(
    folder: Path, capsys: pytest.CaptureFixture[str], spoilt: bytes
) -> None:
    here = settings(folder)
    here.state.mkdir(parents=True)
    kept = here.state / f"{ID}.json"
    for aside in ("spoilt-1", "spoilt-2"):
        kept.write_bytes(spoilt)
        here.choose_line(ID, 3)

        assert kept.with_name(f"{kept.name}.{aside}").read_bytes() == spoilt
        assert capsys.readouterr().err == (
            f"({kept} cannot be read: it is kept as {ID}.json.{aside}, and begun anew.)\n"
        )
    assert here.chosen_line(ID) == 3


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_settings_are_for_their_owner_alone(folder: Path) -> None:
    here = settings(folder)
    here.keep_seed(ID, "eight and more")

    assert (here.state / f"{ID}.json").stat().st_mode & 0o077 == 0


def test_a_place_that_keeps_nothing_is_told_and_nothing_fails(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "home").write_text("a file")

    assert not settings(folder).keep_seed(ID, "eight and more")
    assert capsys.readouterr().err.startswith("(Not remembered: ")


def test_each_users_switch_is_their_own(shell: Shell) -> None:
    shell.done("branch", "kinder", "10")
    shell.monkeypatch.setenv("RETOLD_HOME", str(shell.folder / "another-home"))

    assert shell.done("branches") == "* mainline  to 26\n  kinder  to 11  leaves mainline at 10\n"

    shell.monkeypatch.setenv("RETOLD_HOME", str(shell.folder / "home"))

    assert shell.done("branches") == "  mainline  to 26\n* kinder  to 11  leaves mainline at 10\n"


def test_a_person_who_never_switched_follows_a_promotion(shell: Shell) -> None:
    shell.done("branch", "kinder", "10")
    shell.done("branch", "promote", "kinder")
    shell.monkeypatch.setenv("RETOLD_HOME", str(shell.folder / "another-home"))

    assert shell.done("show").startswith("The Salt Road · mainline at 12\n")


def test_recording_goes_on_where_no_setting_can_be_kept(shell: Shell) -> None:
    (shell.folder / "file").write_text("")
    shell.monkeypatch.setenv("RETOLD_HOME", str(shell.folder / "file"))

    shell.done("note:", "Nothing depends on a cache.")
    assert shell.say("branch", "kinder").code == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such file names")
def test_a_file_whose_name_looks_like_a_servers_is_named_with_its_folder(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.done("new", "salt-road")
    assert shell.done("backup", "-c", "salt-road", "./club:x") == "./club:x.retold\n"
    shell.done("-c", "./club:x", "note:", "Here.")
    assert shell.done("backup", "-c", "./club:x", "./club:y") == "./club:y.retold\n"
    monkeypatch.setenv("RETOLD_CAMPAIGN", "./club:y")
    assert "Here." in shell.done("log")


@pytest.mark.parametrize(
    "words",
    [
        ("log", "-c", "club:x"),
        ("head", "-c", "club:x"),
        ("doctor", "-c", "club:x"),
        ("show", "-c", "club:x"),
        ("backup", "-c", "club:x", "copy"),
        ("new", "club:x"),
        ("play", "club:x"),
        ("serve", "club:x"),
        ("-c", "club:x", "note:", "Here."),
    ],
    ids=" ".join,
)
def test_a_server_that_no_file_names_is_refused_and_nothing_is_made(
    shell: Shell, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGSERVICEFILE", str(shell.folder / "none.conf"))
    before = sorted(shell.folder.iterdir())

    said = shell.say(*words)

    assert (said.code, said.out) == (1, "")
    assert said.err.count("\n") == 1
    assert said.err.startswith("There is no server called club: ")
    assert "./club:NAME" in said.err
    assert sorted(shell.folder.iterdir()) == before


def test_a_seed_from_a_pipe_is_read_as_utf8_also_where_windows_would_not(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a pipe of Windows has by itself is an old code page, and PowerShell may begin it with a mark."""
    piped = io.TextIOWrapper(io.BytesIO("\ufeffein Zauberspruch — ü\n".encode()), encoding="cp1252")
    monkeypatch.setattr(sys, "stdin", piped)
    assert main(["new", "salt", "--seed", "-"]) == 0
    with CampaignStore.open(shell.folder / "salt.retold", read_only=True) as campaign:
        assert Settings.of_user().seed(campaign.id) == "ein Zauberspruch — ü".encode()


def test_piped_output_is_identical_on_every_system(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.done("new", "salt")
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="cp1252", newline="\r\n"))
    assert main(["-c", "salt", "note:", "🦊"]) == 0
    sys.stdout.flush()

    assert written.getvalue() == "note: “🦊” (for the game master only)\n".encode()
