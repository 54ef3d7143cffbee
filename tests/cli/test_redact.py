"""`redact`: it shows, asks, takes, and says what is out of its reach."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from retold.__main__ import main
from retold.cli.campaigns.asking import remove_from_history
from retold.journal.language.lexing import lex
from retold.journal.language.scripting import script_of
from retold.journal.refused import Refused
from retold.journal.store.contract.errors import CannotWrite
from retold.journal.store.events import line_events
from retold.journal.store.events.acts import Manner, RecordedAct
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.store.writing.drafts import Scope
from retold.journal.store.writing.replaying import equal_but_words
from retold.journal.vocabulary.base import Words, values_of
from retold.journal.vocabulary.drafts import Block, Told
from retold.scribe import Scribe
from retold.script_player import Script, play_script
from tests.cli.shell import Shell
from tests.cli.test_dump_script import NOT_IN_A_SCRIPT, PLACES, played, told
from tests.projections.played import FEW, named

SECRET = "Her brother is the captain."
BEYOND = "Earlier dumps, exports and backups still contain"


@pytest.fixture
def secret(shell: Shell) -> Shell:
    """An evening with a secret at 27, a second wording of it at 28, and a mention at 29."""
    shell.play(f"narrate: {SECRET}\nretcon 27: Her cousin is the captain.\nnote: Zel said: {SECRET}\n")
    return shell


def history(shell: Shell, *entries: str) -> Path:
    """The console's history with these lines in it."""
    path = shell.folder / "home" / "state" / "history"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"\n# 2026-03-14 20:00:00.000000\n{_kept(one)}" for one in entries), "utf-8")
    return path


def _kept(entry: str) -> str:
    return "".join(f"+{line}\n" for line in entry.split("\n"))


# --- showing and asking -----------------------------------------------------------------------------------


def test_drafts_lose_what_tells_of_it_and_what_only_holds_the_words_is_listed(secret: Shell) -> None:
    with CampaignStore.open(secret.folder / "evening.retold") as camp, camp.record.writing():
        told = Told(line=1, position=27, state="")
        blocks = [
            Block(id=1, sort="text", text=Words("She spoke of her brother."), tells=(told,)),
            Block(id=2, sort="text", text=Words(f"{SECRET} Mark that.")),
        ]
        camp.drafts.begin(Words("Zine"), Scope(1, 1, 28, "prose", "gm"), blocks, Manner(by=0))
    said = " ".join(secret.done("redact", "27", "--check").split())
    assert "the draft Zine@1, words 0: “She spoke of her brother.”" in said
    assert "The same is in block 2 of the draft Zine@1, which does not tell of it: that stays." in said
    assert "The words at 27, 28 and the draft Zine@1 are gone" in secret.done("--yes", "redact", "27")


def test_without_a_terminal_redact_previews_and_removes_nothing(secret: Shell) -> None:
    said = secret.say("redact", "27")

    assert (said.code, said.out) == (1, "")
    assert said.err.splitlines() == [
        f"27, words 0: “{SECRET}”",
        "28, words 0: “Her cousin is the captain.”",
        "The same is said at 29, and stays there until that is redacted too.",
        f"{BEYOND} it, and so may your shell's history.",
        "Take it away for good? Nothing is changed yet: add --yes to go on.",
    ]
    assert SECRET in secret.done("log")


class Terminal(io.StringIO):
    """Somebody who sits there and types."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "taken"), [("y", True), ("Yes", True), ("", False), ("no", False)])
def test_at_a_terminal_it_asks(
    secret: Shell, monkeypatch: pytest.MonkeyPatch, answer: str, taken: bool
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(f"{answer}\n"))

    assert main(("redact", "27")) == 0
    said = secret.capsys.readouterr()
    assert said.err.splitlines()[4].startswith("Take it away for good? [y/N]")
    assert ("Nothing was changed." in said.out) is not taken
    with CampaignStore.open(secret.folder / "evening.retold") as campaign:
        row = campaign.record.row(1, 27)
    assert row is not None
    assert (row.words == "[null]") is taken


def test_with_yes_it_takes_them_and_says_what_went_and_what_did_not(secret: Shell) -> None:
    history(secret, "narrate: Her brother\n  is the captain.", "draw Zel 3", f"retcon 27: {SECRET}")

    said = secret.say("--yes", "redact", "27:", "at her wish")
    assert said.code == 0
    assert said.out.splitlines() == [
        "The words at 27 and 28 are gone for good.",
        "2 lines were deleted from the console's history too.",
        f"{BEYOND} them.",
        "#27: what was said is redacted: “at her wish”",
        "#28: what was said is redacted",
    ]
    assert said.err.splitlines() == [
        f"27, words 0: “{SECRET}”",
        "28, words 0: “Her cousin is the captain.”",
        "The same is said at 29, and stays there until that is redacted too.",
        f"{BEYOND} it, and so may your shell's history.",
        "Recorded 30\N{EN DASH}31 on mainline of evening.retold. This cannot be undone.",
    ]


def test_checked_it_only_shows(secret: Shell) -> None:
    before = secret.bytes()

    assert secret.done("redact", "28", "--check").splitlines()[0] == f"27, words 0: “{SECRET}”"
    assert secret.bytes() == before


def test_places_on_other_lines_are_named_with_them(secret: Shell) -> None:
    secret.play(f"branch kinder 27\nretcon 27: On the branch.\nnote: {SECRET}\nswitch mainline\n")

    shown = secret.done("redact", "27", "--check")
    assert "kinder@29, words 0: “On the branch.”" in shown
    assert "The same is said at 29 and kinder@30, and stays" in shown


def test_a_long_text_is_shown_by_its_beginning_and_on_one_line(shell: Shell) -> None:
    shell.play("note:\n  One\n  two.\nnote: " + "so on and " * 40 + "\n")

    assert "27, words 0: “One two.”" in shell.done("redact", "27", "--check")
    assert " so on and …”" in shell.done("redact", "28", "--check")


def test_only_the_first_places_are_named(shell: Shell) -> None:
    shell.play("".join("note: Jon again.\n" for _ in range(20)))

    shown = shell.done("redact", "--check", "--person", "Jon")
    assert "27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38 and 8 more places, and stays" in shown


def test_what_is_sealed_is_not_shown_even_then(shell: Shell) -> None:
    shell.play(
        "cast Runa whiskey combat=10 base=4 die=1 hp=12\ncast Pike whiskey combat=10 base=4 die=1 hp=12\n"
        "conflict whiskey Runa vs Pike\ndeclare Runa engage Pike --sealed: From the reeds.\n"
    )

    shown = shell.done("redact", "--check", "@")
    assert shown.splitlines()[0].endswith(", words 0: what is sealed")
    assert "reeds" not in shown
    shell.done("--yes", "redact", "@")
    assert b"reeds" not in (shell.folder / "evening.retold").read_bytes()


def test_words_the_game_calls_something_by_stay(shell: Shell) -> None:
    shell.play("conflict edgerunner Zel vs Guards\naspect Zel Jon was here\n")

    assert f"It is also in what the game calls something, at {_head(shell)}: that stays." in (
        shell.done("redact", "--check", "--person", "Jon")
    )


def _head(shell: Shell) -> int:
    return int(json.loads(shell.done("log", "-n", "1", "--json"))["position"])


def test_shown_text_is_escaped(shell: Shell) -> None:
    with CampaignStore.open(shell.folder / "evening.retold") as campaign:
        scribe = Scribe(campaign, 1)
        scribe.carry_out(lex("note: x").with_text("\x1b[2J\u202egone"))

    said = shell.say("redact", "27")
    assert "\x1b" not in said.err + shell.done("redact", "27", "--check")


# --- what is said afterwards ------------------------------------------------------------------------------


def test_as_json_it_is_an_act(secret: Shell) -> None:
    said = json.loads(secret.done("--yes", "--json", "redact", "27"))

    assert (said["retold"], said["first"], said["last"]) == ("act", 30, 31)
    assert said["events"][0] == {"kind": "table.redacted", "about": 27, "words": [0]}


def test_while_another_program_reads_it_says_where_a_copy_remains(
    secret: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retold.journal.store.writing.redact.PATIENCE", 0.01)
    with closing(sqlite3.connect(secret.folder / "evening.retold")) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM event").fetchall()
        said = secret.done("--yes", "redact", "27").splitlines()
        reader.rollback()
        assert b"Her cousin" in (secret.folder / "evening.retold").read_bytes()
        secret.done("note:", "Later.")
    assert said[1] == (
        "A copy remains in evening.retold and evening.retold-wal, because another program is reading"
        " the campaign: it goes with the next line recorded once that has ended."
    )
    assert b"Her cousin" not in (secret.folder / "evening.retold").read_bytes()


def test_a_history_that_cannot_be_changed_is_named(secret: Shell) -> None:
    path = history(secret)
    path.unlink()
    path.mkdir()

    said = secret.done("--yes", "redact", "27")
    assert f"A copy may remain in {path}, which could not be changed: delete that file." in said


def test_verify_counts_what_is_redacted(secret: Shell) -> None:
    secret.done("--yes", "redact", "27")

    assert "2 texts are redacted: gone for good, and the record says so." in secret.done("verify")
    assert json.loads(secret.done("verify", "--json"))["redacted"] == 2
    secret.done("dump", "-o", "all.jsonl")
    secret.done("load", "all.jsonl", "again.retold")
    assert secret.bytes("again.retold") == secret.bytes()
    assert "2 texts are redacted" in secret.done("-c", "again.retold", "verify", "--rules")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("redact",), "Say what to redact: redact 412, or redact --person NAME."),
        (("redact", "1"), "There is no text at 1, so there is nothing to redact."),
        (("redact", "99"), "Moment 99 has not come yet: the line ends at 26."),
        (("redact", "2", "--word", "4"), "The words at 2 have the number 0: --word is one of these."),
        (("redact", "--person", "Nobody"), "There is no “Nobody” here."),
        (("redact", "--person", "gm"), "No name of gm was ever recorded."),
        (
            ("redact", "2", "--gm"),
            "redact changes what all can see, so it cannot be for some eyes only.",
        ),
    ],
)
def test_what_cannot_be_taken_is_refused_in_a_sentence(
    shell: Shell, words: tuple[str, ...], sentence: str
) -> None:
    assert shell.refused("--yes", *words) == sentence


def test_what_is_gone_is_not_taken_again_or_back(secret: Shell) -> None:
    secret.done("--yes", "redact", "27")

    assert secret.refused("--yes", "redact", "28") == "What stood at 28 has been redacted already."
    assert secret.refused("undo").startswith("A redaction cannot be taken back: the words are gone.")


# --- people -----------------------------------------------------------------------------------------------


def test_a_redacted_person_is_a_number_and_can_still_speak(shell: Shell) -> None:
    shell.done("--yes", "redact", "--person", "Captain Thoss")

    assert "somebody (3)" in shell.done("show", "cast")
    shell.done("say", "somebody (3):", "Not today.")
    assert "somebody (3) says: “Not today.”" in shell.done("log")
    shell.done("cast", "somebody (3)", "name=The Stranger")
    assert "The Stranger says: “Not today.”" in shell.done("log")
    assert b"Thoss" not in (shell.folder / "evening.retold").read_bytes()


def test_the_words_of_the_line_that_said_it_are_forgotten_too(shell: Shell) -> None:
    path = history(
        shell,
        'cast "Captain Thoss" alias=Cap',
        "redact --person Thoss",
        "say thoss: Aye.",
        "note: The captain of the guard.",
        "note: Aye aye, Cap",
        "say Zel: capital.",
    )

    shell.done("--yes", "redact", "--person", "Captain Thoss")
    kept = path.read_text("utf-8")
    assert kept == "\n# 2026-03-14 20:00:00.000000\n+say Zel: capital.\n"


# --- the history ------------------------------------------------------------------------------------------


def test_only_the_lines_that_hold_it_go_and_the_rest_stays_byte_for_byte(shell: Shell) -> None:
    path = history(shell, "note: One.", "note:\n    Her brother\n    .\n    is the captain.", "draw Zél 3")
    odd = b"\n# 2026\n+note: \xff\r not UTF-8\n+and \xe2\x80\xa8 two\n# no blank\n+last"
    path.write_bytes(path.read_bytes() + odd)
    whole = path.read_bytes()

    assert remove_from_history(path, [SECRET], []) == 1
    first, _, rest = whole.partition(b"\n# 2026-03-14 20:00:00.000000\n+note:\n")
    assert path.read_bytes() == first + rest[rest.index(b"\n# ") :]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_history_without_it_is_not_touched(shell: Shell) -> None:
    path = history(shell, "note: One.")
    before = path.stat()

    assert remove_from_history(path, [SECRET], ["Zel"]) == 0
    assert path.stat() == before
    assert remove_from_history(path.with_name("none"), [SECRET], []) == 0


def test_of_a_name_its_own_words_are_enough_and_its_common_ones_are_not(shell: Shell) -> None:
    path = history(shell, "say Thoss: Aye.", "note: the old man", "note: Of all men, Mag.", "note: magpie of")

    assert remove_from_history(path, [], ["Mag of the Old Thoss"]) == 2 + 1
    assert path.read_text("utf-8").count("+") == 1


def test_a_script_that_is_only_checked_forgets_nothing(secret: Shell) -> None:
    path = history(secret, f"note: {SECRET}")
    before = path.read_bytes()

    secret.done("run", "--check", "-", stdin=b"redact 27\n")
    assert path.read_bytes() == before
    assert SECRET in secret.done("log")


# --- scripts ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FEW, ids=named)
def test_an_evening_without_a_word_left_is_a_script_that_still_runs(tmp_path: Path, path: Path) -> None:
    with played(tmp_path / "first.retold", path.read_text("utf-8")) as campaign:
        scribe = Scribe(campaign, 1)
        for at in range(1, scribe.writer.head.position + 1):
            try:
                scribe.say(f"redact {at}")
            except Refused:
                continue
        script = "\n".join(scripted(campaign))
        with played(tmp_path / "again.retold", script) as again:
            before = [one for one in told(campaign) if one.kind != "table.redacted"]
            assert [one.kind for one in told(again)] == [one.kind for one in before]
            assert [one[2:] for one in told(again)] == [one[2:] for one in before]
            assert equal_but_words(numbers(again), numbers(campaign))
            assert "\n".join(scripted(again)) == script


def scripted(campaign: CampaignStore) -> list[str]:
    return list(script_of(campaign, 1))


def numbers(campaign: CampaignStore) -> list[object]:
    """What happened on the first line, but for words and for what points at places."""
    return [
        (event.kind, {key: value for key, value in values_of(event).items() if key not in PLACES})
        for _, event, _, _ in line_events.live_events(campaign.record, 1)
        if not isinstance(event, NOT_IN_A_SCRIPT) and event.kind != "table.redacted"
    ]


def test_names_in_a_script_are_told_apart(shell: Shell) -> None:
    shell.play("mark second\ncast Zel name=Zelda alias=Zed\ncast Cap name=Theo alias=Ted\n")
    for words in (("--person", "Zelda"), ("--person", "Theo"), ("27",), ("12",)):
        shell.done("--yes", "redact", *words)

    script = shell.done("dump", "--script").splitlines()
    assert 'cast "somebody (1)" bruise by=Jon clubs=4 melee=2: [redacted]' in script
    assert 'cast "somebody (1)" name="somebody (1)" alias="somebody (1), also"' in script
    assert 'cast "somebody (3)" name="somebody (3)" alias="somebody (3), also"' in script
    assert "mark redacted-27" in script
    shell.done("dump", "--script", "-o", "again.session")
    shell.done("run", "-q", "--new", "-c", "again.retold", "again.session")


def test_a_redaction_is_written_as_the_line_that_says_it(secret: Shell) -> None:
    secret.done("--yes", "redact", "29", "--word", "0:", "why")
    with CampaignStore.open(secret.folder / "evening.retold") as campaign:
        scribe = Scribe(campaign, 1)
        shown = scribe.described(scribe.writer.act_at(30))

    assert shown == "30 (redact 29 --word 0: why)"


def test_a_script_may_redact_what_it_has_just_said(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "a.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for _ in play_script(scribe, Script("a.session", b"note: Quagga.\nredact @\n")):
            pass

        assert b"Quagga" not in (tmp_path / "a.retold").read_bytes()


# --- interrupted, and on a disk that fails ----------------------------------------------------------------


@pytest.mark.parametrize("recorded", [False, True], ids=["before it is recorded", "after"])
def test_S2_one_that_was_cut_off_is_finished_by_saying_it_again(
    secret: Shell, monkeypatch: pytest.MonkeyPatch, recorded: bool
) -> None:
    kept = history(secret, f"narrate: {SECRET}", "note: Cake.")
    whole = LineWriter.manage_all

    def cut_off(writer: LineWriter, *given: Any, **named: Any) -> RecordedAct:  # noqa: ANN401 -- as it stands
        if recorded:
            whole(writer, *given, **named)
        raise KeyboardInterrupt

    with monkeypatch.context() as cutting:
        cutting.setattr(LineWriter, "manage_all", cut_off)
        assert secret.say("--yes", "redact", "27").code == 130

    again = secret.say("--yes", "redact", "27")

    assert again.code == int(recorded), again.err
    if recorded:
        assert again.err == "What stood at 27 has been redacted already.\n"
    assert "captain" not in kept.read_text("utf-8")
    assert "Cake" in kept.read_text("utf-8")
    beside = [path.read_bytes() for path in secret.folder.rglob("*") if path.is_file()]
    assert not any(b"Her cousin" in held for held in beside)


def test_S2_a_log_that_cannot_be_emptied_is_told_and_the_words_are_gone(
    secret: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: CampaignFile, __: float = 0) -> tuple[Path, ...]:
        raise CannotWrite("evening.retold cannot be written: disk I/O error.")

    with monkeypatch.context() as failing:
        failing.setattr(CampaignFile, "settle", fails)
        said = secret.say("--yes", "redact", "27")

    assert said.code == 0
    assert said.out.splitlines()[1] == (
        "A copy may remain in evening.retold or beside it: evening.retold cannot be written: disk I/O error."
        " It goes when the campaign is next written to."
    )
    secret.done("note:", "Later.")
    assert b"Her cousin" not in (secret.folder / "evening.retold").read_bytes()


# --- unfinished files -------------------------------------------------------------------------------------


def unfinished(shell: Shell, process: int) -> Path:
    """The part of a `backup`, as that process leaves it where it is killed before it is done."""
    part = shell.folder / f".retold-{process}-0.part"
    part.write_bytes((shell.folder / "evening.retold").read_bytes())
    part.with_name(f"{part.name}-journal").write_bytes(b"Her cousin")
    assert b"Her cousin" in part.read_bytes()  # the control: a copy of the words
    return part


def test_X10_what_a_killed_backup_left_goes_with_the_words_and_is_named(secret: Shell) -> None:
    killed = subprocess.Popen([sys.executable, "-c", ""])
    killed.wait()
    part = unfinished(secret, killed.pid)

    said = secret.say("--yes", "redact", "27")

    assert said.code == 0
    assert f"Files that killed programs had left beside it were deleted too: {part.name}.\n" in said.out
    beside = [path.read_bytes() for path in secret.folder.rglob("*") if path.is_file()]
    assert not any(b"Her cousin" in held for held in beside)


def test_X10_one_whose_writer_may_still_run_is_named(secret: Shell) -> None:
    part = unfinished(secret, os.getppid())

    said = secret.say("--yes", "redact", "27")

    assert f"A copy may remain in {part.resolve()}: another program may be writing it" in said.out
    assert part.exists()


# --- which words are meant --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "moment", "meant"),
    [
        ("", "@", "guilty"),
        ("", "@-1", "innocent"),
        ("", "~1", "innocent"),
        ("reveal @", "@", "guilty"),
        ("reveal @", "@-1", "innocent"),
        ("reveal @-1", "@", "guilty"),
        ("reveal @-1\nnote: later", "@-1", "guilty"),
        ("note: later\nundo", "@", "guilty"),
        ("note: later\nundo\nredo", "@-1", "guilty"),
        ("note: later\nundo\nmark here --gm", "here", "guilty"),
        ("mark here", "@-1", "guilty"),
        ("branch kinder @-1\nbranch promote kinder\n", "@", "innocent"),
        ("branch kinder\nbranch promote kinder\nnote: later", "@-1", "guilty"),
        ("cast Ruth: A sister\n", "@-1", "guilty"),
    ],
)
def test_X12_the_last_act_is_never_one_about_the_line(
    shell: Shell, lines: str, moment: str, meant: str
) -> None:
    shell.play(f"note: innocent\nnote: guilty\n{lines}\n")

    said = shell.say("redact", moment)

    assert said.err.splitlines()[0].endswith(f"words 0: “{meant}”")


def test_X12_the_last_words_of_an_act_are_meant(shell: Shell) -> None:
    shell.play("cast Ruth by=Petra: A sister\n")
    events = len(shell.done("log", "-n", "0").splitlines())

    (meant, *_) = shell.say("redact", "@").err.splitlines()

    assert meant.endswith("words 0: “Petra”")
    assert int(meant.partition(",")[0]) < events  # the last event of the act says who plays whom


def test_X12_with_yes_the_words_are_shown_too(shell: Shell) -> None:
    shell.play("note: innocent\nnote: guilty\nreveal @\n")

    said = shell.say("--yes", "redact", "@")

    assert (said.code, "words 0: “guilty”" in said.err) == (0, True)
    assert "innocent" in shell.done("log", "-n", "0")


def test_X12_a_reveal_says_what_it_shows(shell: Shell) -> None:
    shell.play("note: innocent\nnote: guilty\n")

    said = shell.say("reveal", "@-1")

    assert "What is hidden there: 27 (note: innocent)." in said.out + said.err


@pytest.mark.parametrize(("answer", "shown"), [("y", True), ("", False)])
def test_X12_at_a_terminal_a_reveal_asks_first(
    shell: Shell, answer: str, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.play("note: guilty\nnote: Say no more.\nreveal @\n")
    monkeypatch.setattr(sys, "stdin", Terminal(f"{answer}\n"))
    shell.capsys.readouterr()

    code = main(["reveal", "@-1"])

    out, err = shell.capsys.readouterr()
    assert (code, "(note: guilty)" in err, "Show it? This cannot be undone." in err) == (0, True, True)
    assert ("Nothing was changed." in out + err) is not shown


def test_X12_a_moment_to_be_posted_is_no_act_about_the_line(shell: Shell) -> None:
    shell.play("narrate: The stair burns.\nnote --gm: later\nundo\n")

    shell.done("export", "--moment", "@", "--for", "gm", "-o", "card.svg")

    assert "The stair burns." in (shell.folder / "card.svg").read_text("utf-8").replace("\n", " ")
