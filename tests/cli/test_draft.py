"""The verb `draft` at a shell: taken out, edited, brought back, compared, undone, published."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from retold.cli.completing import complete
from retold.cli.output.writing_files import write_bytes
from tests.cli.shell import ROOT, Shell
from tests.retold.drafts.played import EVENING, edited

ROPE = "Ana: I cut the rope behind him, and the ferry swings out."


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """A shell in a folder with one campaign, the evening at the ferry."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    for name in ("RETOLD_CAMPAIGN", "RETOLD_SEED", "RETOLD_DEBUG", "RETOLD_EDITOR", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    shell = Shell(tmp_path, monkeypatch, capsys)
    shell.done("run", "--new", "-q", "-c", "evening.retold", "-", stdin=EVENING.encode())
    return shell


def rewrite(path: Path, *changes: tuple[str, str]) -> None:
    path.write_text(edited(path.read_text("utf-8"), *changes), "utf-8")


def test_an_evening_is_taken_out_edited_and_brought_back(shell: Shell) -> None:
    file = shell.folder / "second.md"
    assert shell.done("draft") == "There is no draft yet: retold draft new NAME begins one.\n"
    assert shell.done("draft", "new", "second", "s1..s1").startswith("The draft second has 11 blocks.")
    assert shell.say("draft", "send", "-o", "second.md").err == (
        "Written to second.md.\nRevision 1 of the draft second.\n"
    )
    assert "second.md is there already" in shell.refused("draft", "send", "-o", "second.md")
    rewrite(file, (ROPE, "Ana cut the rope, and they were off.\n\nNobody waved."), ("a lamp", "a candle"))

    checked = shell.done("draft", "take", "second.md", "--check")
    assert checked.startswith("second, from revision 1: 9 kept, 2 edited, 1 new.")
    unsaid = shell.say("draft", "take", "second.md")
    assert (unsaid.code, unsaid.err.endswith("add --yes to go on.\n")) == (1, True)
    assert shell.done("draft", "log").count("\n") == 1

    taken = shell.done("--yes", "draft", "take", "second.md")
    assert "Revision 2 of the draft second." in taken
    assert "For the table, until you say draft open --to gm: new block 12." in taken
    assert "nothing is recorded" in shell.done("draft", "take", "second.md"), "without a question"

    assert "That is so already" in shell.done("draft", "open", "12", "--to", "table")
    shell.done("draft", "open", "12", "--to", "gm")
    shell.done("draft", "open", "all", "--to", "table")
    assert shell.done("draft", "log").endswith("  1 for other readers\n")
    assert "Nobody waved." in shell.done("draft", "show", "--for", "Ana")
    position = next(
        event["position"]
        for event in map(json.loads, shell.done("log", "--json").splitlines())
        if "I cut the rope" in event["told"]
    )
    shell.play(f"retcon {position}: I saw the rope through.")
    shown = shell.done("draft", "show", "second")
    assert f"e{position} reads now: Ana: I [-cut-]{{+saw+}} the rope" in shown
    facts = json.loads(shell.done("draft", "show", "--json"))
    (stale,) = [block for block in facts["blocks"] if block["stale"]]
    assert shell.done("draft", "ok", str(stale["id"])) == "Revision 5 of the draft second.\n"
    assert " 0 stale" in shell.done("draft", "show", "--stale")

    assert "Ana: I cut the rope" in shell.done("draft", "at", "1")
    assert "[-Ana: I-]{+Ana+} cut the" in shell.done("draft", "diff", "1", "2", "--words")
    shell.done("draft", "diff", "1", "2", "-o", "changes.docx")
    assert (shell.folder / "changes.docx").read_bytes().startswith(b"PK")
    assert "as in revision 4 again" in shell.done("draft", "undo")
    assert "as in revision 5 again" in shell.done("draft", "redo")
    assert shell.refused("draft", "redo") == "There is nothing to redo in the draft second."

    assert "from now on, its latest revision" in shell.done("draft", "publish")
    assert ", published" in shell.done("draft")
    shell.done("draft", "withdraw")
    assert shell.refused("draft", "withdraw") == "The draft second is not published."
    assert "whole" in shell.done("verify")


PAPER = ROOT / "docs/drafts.md"
SHOWN = re.compile(r"```(?P<kind>text|diff|markdown)\n(?P<lines>.*?)```", re.DOTALL)


def test_the_evening_of_the_paper_is_what_happens(shell: Shell) -> None:
    for shown in SHOWN.finditer(PAPER.read_text("utf-8")):
        if shown["kind"] == "markdown":
            (shell.folder / "report.md").write_text(shown["lines"], "utf-8")
            continue
        lines = shown["lines"].splitlines()
        if shown["kind"] == "diff":
            was, now = ("\n".join(line[1:] for line in lines if line[0] == sign) for sign in "-+")
            rewrite(shell.folder / "second.md", (was, now))
            continue
        for command in re.split(r"^\$ retold ", shown["lines"], flags=re.MULTILINE)[1:]:
            typed, _, printed = command.partition("\n")
            words = typed.split() if ": " in typed else shlex.split(typed)
            said = shell.done(*words)
            if "draft" in words:
                assert said == printed


def test_what_is_cut_untold_or_chosen_twice_is_said(shell: Shell) -> None:
    shell.done("draft", "new", "second")
    shell.done("draft", "cut", "4", "5")
    shell.play("narrate Ana --at @: My hands are bleeding.")
    shown = shell.done("draft", "show", "--cut", "--untold")
    assert shown.count("cut: ") == 2
    assert "untold e" in shown
    event = shown.partition("untold ")[2].partition(":")[0]
    shell.done("draft", "take-new", event, "4")
    assert " 0 untold, 1 cut." in shell.done("draft", "show")
    assert shell.refused("draft", "ok", "4").startswith("Block 4 was never edited")
    assert shell.refused("draft", "cut", "e9999").startswith("There is no block e9999")


def test_doubts_are_about_unedited_blocks_only(shell: Shell) -> None:
    shell.play('conflict "At the rail" Zel vs Ana: the price of oil')
    shell.done("draft", "new", "second")
    shown = shell.done("draft", "show", "--doubts")
    assert shown.endswith(": the price of oil (first mention of a stake)\n")
    (doubt,) = json.loads(shell.done("--json", "draft", "show", "--doubts"))["doubts"]
    shell.done("draft", "cut", str(doubt["block"]))
    assert "price" not in shell.done("draft", "show", "--doubts")
    assert shell.misused("draft", "show", "--doubts", "--for", "Ana").startswith("--for shows what they get")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("draft", "rewrite"), "draft does not know rewrite."),
        (("draft", "new"), "draft new wants other words behind it: draft new NAME [s1..s3]."),
        (("draft", "cut"), "draft cut wants other words behind it: draft ok, take-new or cut ID."),
        (("draft", "new", "a", "s1", "s2"), "draft new wants other words behind it: "),
        (("draft", "take", "x.md", "--stale"), "--stale is not for draft take."),
        (("draft", "open", "3"), "Say for whom: draft open ID --to table, gm or a name."),
        (("draft", "show", "a", "--draft", "b"), "The draft is named twice: leave out --draft."),
    ],
)
def test_a_wrong_line_is_said_in_one_sentence(shell: Shell, words: tuple[str, ...], sentence: str) -> None:
    assert shell.misused(*words).startswith(sentence)


def test_what_cannot_be_done_is_refused_and_nothing_is_recorded(shell: Shell) -> None:
    shell.done("draft", "new", "second")
    (shell.folder / "zeros.md").write_bytes(b"\0\1\2")
    (shell.folder / "hostile.md").write_text("\u202eevil\x1b[31m\n\n" * 3, "utf-8")
    before = shell.bytes()
    for words, sentence in (
        (("new", "Second"), "There is a draft Second already: choose another name."),
        (("new", "third", "s3"), "There is no session 3"),
        (("new", "third", "s3..s1"), "s3..s1 runs backwards: say s1..s3."),
        (("new", "third", "--for", "Nobody"), "There is no “Nobody” here."),
        (("new", "third", "--voice", "opera"), "There is no voice opera."),
        (("new", "\x00"), "visible characters"),
        (("send", "-o", "x.pdf"), "A draft is not sent as pdf"),
        (("send", "second@7", "-o", "x.md"), "has the revisions 1 to 1, not 7"),
        (("take", "nothing.md"), "nothing.md cannot be read"),
        (("take", "zeros.md"), "zeros.md is"),
        (("take", "hostile.md"), "Nothing in the file comes from revision 1"),
        (("open", "3", "--to", "Nobody"), "There is no “Nobody” here."),
        (("diff",), "has one revision, so there is nothing to compare"),
        (("diff", "1", "x"), "x is not a revision"),
        (("diff", "1", "9"), "has the revisions 1 to 1, not 9"),
        (("at", "0"), "has the revisions 1 to 1, not 0"),
        (("undo",), "There is nothing to undo"),
        (("publish", "winter"), "No draft, or more than one, is called winter."),
        (("ok", "3", "--draft", "second@1"), "Only the latest revision can be changed"),
    ):
        said = shell.say("draft", *words)
        assert said.code == 1, words
        assert sentence in said.err, (words, said.err)
        assert said.err.count("\n") == 1, words
    assert shell.bytes() == before


def test_tab_ends_the_names_of_drafts(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.done("draft", "new", "second")
    for before in (("draft", "send"), ("draft", "ok", "3", "--draft"), ("export", "--draft")):
        capsys.readouterr()
        complete([*before, "se"])
        assert capsys.readouterr().out == "second\n"
    complete(["draft", "with"])
    assert capsys.readouterr().out == "withdraw\n"


def test_names_that_look_like_something_else_are_names(shell: Shell) -> None:
    for name in ('Mary\'s "second" draft', "winter@1", "Ünïcode", "--", "12"):
        shell.done("draft", "new", *(("--", name) if name.startswith("-") else (name,)))
    assert "Ünïcode, revision 1" in shell.done("draft", "show", "unicode")
    assert "winter@1, revision 1" in shell.done("draft", "show", "winter@1")
    assert shell.refused("draft", "show").startswith("There are several drafts: say --draft and one of ")
    for name in ("", "  ", "a\nb", "\u202eevil", "\x1b[31m", "n" * 10_000):
        said = shell.say("draft", "new", name)
        assert (said.code, said.out) == (1, "")
        assert "\x1b" not in said.out + said.err
        assert said.err.count("\n") <= 1


def test_a_draft_keeps_its_language_on_every_computer(shell: Shell) -> None:
    shell.monkeypatch.setenv("RETOLD_LANG", "de")
    shell.done("draft", "new", "second")
    said = shell.done("draft", "at", "1")
    shell.monkeypatch.delenv("RETOLD_LANG")
    assert "Zel: „Push off, before they count us!“" in said
    assert " 0 stale, 0 untold" in shell.done("draft", "show")
    shell.done("draft", "send", "-o", "second.md")
    assert (shell.folder / "second.md").read_text("utf-8") == said


def test_a_file_names_the_language_of_its_draft(shell: Shell) -> None:
    shell.done("draft", "new", "second", "--lang", "Deutsch")
    shell.done("draft", "send", "-o", "second.html")
    assert '<html lang="de">' in (shell.folder / "second.html").read_text("utf-8")
    (about,) = json.loads(shell.done("--json", "draft"))["drafts"]
    assert about["lang"] == "de"


def test_a_revision_and_a_block_say_who_wrote_them_and_no_export_does(shell: Shell) -> None:
    assert "has no name" in shell.done("draft", "by")
    shell.done("draft", "new", "second")
    shell.done("draft", "send", "-o", "second.md")
    rewrite(shell.folder / "second.md", (ROPE, "Ana cut the rope, and they were off."))
    assert "by Mona Quill: " in shell.done("draft", "by", "Mona Quill")
    assert ", by Kim Ink: 10 kept" in shell.done("draft", "take", "second.md", "--check", "--by", "Kim Ink")
    shell.done("--yes", "draft", "take", "second.md", "--by", "Kim Ink")
    shell.done("draft", "cut", "4")

    log = [line[24:] for line in shell.done("draft", "log").splitlines()]
    assert log == ["begun with 11 blocks; sent as markdown", "1 edited; by Kim Ink", "1 cut; by Mona Quill"]
    written = [one["writer"] for one in json.loads(shell.done("--json", "draft", "log"))["revisions"]]
    assert written == [None, "Kim Ink", "Mona Quill"]
    assert "they were off.  (edited by Kim Ink)" in shell.done("draft", "show")
    blocks = json.loads(shell.done("--json", "draft", "show"))["blocks"]
    assert [one["writer"] for one in blocks if one["edited"]] == ["Kim Ink"]
    shell.done("draft", "publish")
    for file in ("a.md", "a.html", "a.json"):
        shell.done("export", "--session", "1", "-o", file)
        exported = (shell.folder / file).read_text("utf-8")
        assert "they were off" in exported
        assert "Kim Ink" not in exported
        assert "Mona" not in exported
    shell.done("draft", "by", "")
    assert "has no name" in shell.done("draft", "by")
    assert "Kim Ink" not in shell.done("draft", "show", "--for", "Ana", "--json")


@pytest.mark.parametrize("what", [("--person", "Kim"), ("10",)])  # 10: where Kim came to the table
def test_the_name_of_a_person_who_is_redacted_goes_from_drafts_too(
    shell: Shell, what: tuple[str, ...]
) -> None:
    shell.done("draft", "new", "second", "--by", "KIM")
    shell.done("draft", "cut", "4", "--by", "Mona")
    shell.play("cast Kim pronouns=they")
    shell.done("draft", "cut", "5", "--by", "They")  # a name, and no pronoun of Kim's
    shell.done("--yes", "redact", *what)

    log = shell.done("draft", "log")
    assert ("KIM" in log, "Mona" in log, "They" in log) == (False, True, True)
    assert b"KIM" not in shell.bytes()


def test_a_file_from_before_a_redaction_may_bring_the_words_back_and_says_so(shell: Shell) -> None:
    shell.done("draft", "new", "second")
    shell.done("draft", "send", "-o", "second.md")
    assert "redacted" not in shell.say("draft", "take", "second.md", "--check").err
    shell.done("--yes", "redact", "16")

    said = shell.say("draft", "take", "second.md", "--check")
    assert "10 kept, 1 new" in said.out
    assert said.err == "Words of revision 1 are redacted by now: what is new may be those words.\n"


@pytest.mark.parametrize("name", ["a\nb", "\u202eevil", "\x1b[31m", "n" * 10_000])
def test_a_name_that_cannot_be_shown_is_no_writer(shell: Shell, name: str) -> None:
    shell.done("draft", "new", "second")
    for words in (("draft", "by", name), ("draft", "cut", "4", "--by", name)):
        assert shell.refused(*words).startswith("A writer has a name of 1 to 100 visible characters")
    assert "has no name" in shell.done("draft", "by")


def test_secrets_are_counted_in_the_voice_of_what_is_published(shell: Shell) -> None:
    shell.play("end session\nsession The far bank\nnarrate Zel: Fog.\nnarrate gm --gm --at 16: He is paid.\n")
    shell.done("draft", "new", "second", "s2", "--voice", "plain", "--for", "gm")
    export = ("export", "--session", "2", "--for", "gm", "-o", "s2.md", "--force")
    assert "nothing in it is secret" in shell.say(*export).err
    shell.done("draft", "publish")
    assert "copy, with 1 secret;" in shell.say(*export).err
    assert "He is paid." in (shell.folder / "s2.md").read_text("utf-8")
    assert "nothing in it is secret" in shell.say(*export, "--no-draft").err


def test_machines_get_one_document(shell: Shell) -> None:
    shell.done("draft", "new", "second")
    shell.done("draft", "send", "-o", "second.md")
    rewrite(shell.folder / "second.md", (ROPE, "Ana cut the rope, and they were off."))
    for words, kind in (
        (("draft", "take", "second.md", "--check"), "draft take"),
        (("--yes", "draft", "take", "second.md"), "draft"),
        (("draft",), "drafts"),
        (("draft", "show"), "draft"),
        (("draft", "show", "--for", "table"), "draft"),
        (("draft", "log"), "draft log"),
        (("draft", "diff", "1", "2"), "draft diff"),
        (("draft", "by"), "draft by"),
        (("draft", "undo"), "draft"),
    ):
        document = json.loads(shell.done("--json", *words))
        assert (document["retold"], document["version"]) == (kind, 1)


@pytest.mark.parametrize("file", ["second.md", "second.docx"])
def test_S9_a_send_that_was_stopped_behind_its_file_is_finished_by_the_next(shell: Shell, file: str) -> None:
    shell.done("draft", "new", "second")
    shell.play("narrate Ana --at 18: My hands are bleeding.")

    def stopped(data: bytes, path: Path, *, force: bool) -> None:
        write_bytes(data, path, force=force)
        raise KeyboardInterrupt

    with shell.monkeypatch.context() as patched:
        patched.setattr("retold.drafts.verb.exchange.write_bytes", stopped)
        shell.say("draft", "send", "-o", file)
    assert "sent" not in shell.done("draft", "log")

    assert (
        "from a send that was stopped: it is recorded as sent now."
        in shell.say("draft", "send", "-o", file).err
    )
    assert "sent as" in shell.done("draft", "log")
    assert "is there already" in shell.refused("draft", "send", "-o", file)


def test_S9_a_file_of_another_text_is_not_taken_for_a_send_that_was_stopped(shell: Shell) -> None:
    shell.done("draft", "new", "second")
    (shell.folder / "second.md").write_text("Mine.", "utf-8")
    assert "is there already" in shell.refused("draft", "send", "-o", "second.md")
    assert "sent" not in shell.done("draft", "log")


@pytest.mark.parametrize(
    "change",
    [
        (f"{ROPE}\n\n", ""),
        (ROPE, "Ana cut the rope behind him while the ferry swung out."),
        (f"Zel: “Push off, before they count us!”\n\n{ROPE}", ROPE),
    ],
    ids=["as it was sent", "edited", "joined"],
)
def test_T1_redacted_words_of_an_older_file_need_their_own_word(
    shell: Shell, change: tuple[str, str]
) -> None:
    shell.done("draft", "new", "second")
    shell.done("draft", "send", "-o", "second.md")
    shell.done("draft", "publish")
    if change[1] not in ("", ROPE):
        rewrite(shell.folder / "second.md", change)
    shell.done("--yes", "redact", "16")
    before = shell.bytes()

    said = shell.say("--yes", "draft", "take", "second.md")
    assert said.code == 1
    assert said.err.endswith("Nothing is changed: take them out of the file, or say --again.\n")
    assert "rope" not in said.out + said.err
    assert "draft take wants --again" in shell.done("draft", "take", "second.md", "--check")
    assert shell.bytes() == before
    assert "For the game master alone" in shell.done("--yes", "draft", "take", "second.md", "--again")
    shell.done("export", "--session", "1", "--publish", "-o", "out.md")
    assert "rope" not in (shell.folder / "out.md").read_text("utf-8")


def test_T1_a_question_says_that_the_words_may_be_redacted_ones(shell: Shell) -> None:
    shell.done("draft", "new", "second")
    shell.done("draft", "send", "-o", "second.md")
    shell.done("--yes", "redact", "16")
    shell.monkeypatch.setattr("retold.drafts.verb.exchange.can_be_asked", lambda _options: True)
    asked: list[str] = []

    def asker(_options: object) -> Callable[[str], bool]:
        def ask(question: str) -> bool:
            asked.append(question)
            return False

        return ask

    shell.monkeypatch.setattr("retold.drafts.verb.exchange.asker", asker)
    assert shell.say("draft", "take", "second.md").err.endswith("Nothing is taken.\n")
    (question,) = asked
    words, about = question.splitlines()
    assert words.startswith("Paragraph ")
    assert "the rope behind him" in words
    assert about.endswith("Shall they be recorded again, for the game master alone?")


def test_T13_another_text_needs_its_own_word(shell: Shell) -> None:
    shell.done("draft", "new", "second")
    shell.done("draft", "send", "-o", "second.md")
    report = "Zel ran for the boat and never looked back at the lanterns.\n\nBo killed nine men at the inn."
    (shell.folder / "report.md").write_text(report, "utf-8")

    said = (
        "Of 11 blocks of the draft second, 10 are missing from the file; new in it: 1 of 2 paragraphs."
        " It may be another text."
    )
    assert f"{said} draft take wants --rewritten." in shell.done("draft", "take", "report.md", "--check")
    for yes in (("--yes",), ()):
        refused = shell.say(*yes, "draft", "take", "report.md")
        assert refused.err == f"{said} Nothing is changed: --rewritten takes it all the same.\n"
    assert "Revision 2" in shell.done("--yes", "draft", "take", "report.md", "--rewritten")


def test_a_text_is_held_against_what_its_reader_may_know(shell: Shell) -> None:
    shell.play("narrate gm --gm: The ferryman is paid by the captain of the watch.")
    (shell.folder / "report.md").write_text("# The quay\n\nThe ferryman is paid by the captain.", "utf-8")

    found = {
        whose: [one["verdict"] for one in json.loads(shell.done(*words))["sentences"]]
        for whose in ("gm", "table", "Ana")
        for words in [("--json", "draft", "check", "report.md", "--for", whose)]
    }
    assert found == {
        "gm": ["cannot-tell", "told"],
        "table": ["cannot-tell", "not-for-reader"],
        "Ana": ["cannot-tell", "not-for-reader"],
    }
    assert shell.refused("draft", "check", "none.md").startswith("none.md cannot be read")


def test_a_draft_is_checked_where_it_was_edited(shell: Shell) -> None:
    shell.done("draft", "new", "second")
    shell.done("draft", "send", "-o", "second.md")
    rewrite(shell.folder / "second.md", (ROPE, "Bo cut the rope behind him, and the ferry swung out."))
    shell.done("--yes", "draft", "take", "second.md")

    said = shell.done("draft", "check")
    assert said.startswith("second, revision 2, for table: 11 sentences: 10 told, 1 not in the record.\n")
    assert "\u201cBo\u201d is in no event" in said
    assert " 11 told.\n" in shell.done("draft", "check", "second@1", "--for", "gm")


def test_a_writer_vouches_for_a_sentence_until_its_words_change(shell: Shell) -> None:
    shell.play("narrate gm --gm: The ferryman is paid by the captain of the watch.")
    shell.done("draft", "new", "second")
    shell.done("draft", "send", "-o", "second.md")
    mine = "Bo cut the rope. Bo sang! The ferryman is paid by the captain."
    rewrite(shell.folder / "second.md", (ROPE, mine))
    shell.done("--yes", "draft", "take", "second.md")

    def verdicts() -> dict[str, str]:
        found = json.loads(shell.done("--json", "draft", "check"))["sentences"]
        (place,) = {one["place"] for one in found if one["text"].startswith("Bo sang")}
        return {f"{place}.{one['sentence']}": one["verdict"] for one in found if one["place"] == place}

    before = verdicts()
    first, second, secret = before
    assert [*before.values()] == ["not-in-record", "not-in-record", "not-for-reader"]
    assert "Revision 3" in shell.done("draft", "vouch", second)
    assert verdicts() == {**before, second: "hers"}
    assert f"{second}  hers: Bo sang!" in shell.done("draft", "check")
    assert "1 vouched for" in shell.done("draft", "log")
    shell.done("draft", "undo")
    assert verdicts() == before
    shell.done("draft", "redo")
    shell.done("draft", "vouch", first.partition(".")[0])
    assert verdicts() == {first: "hers", second: "hers", secret: "not-for-reader"}
    shell.done("draft", "send", "-o", "second.md", "--force")
    rewrite(shell.folder / "second.md", (mine, "Bo cut a rope. Bo sang."))
    shell.done("--yes", "draft", "take", "second.md")
    assert verdicts() == {first: "not-in-record", second: "hers"}
    assert "has no sentence 9" in shell.refused("draft", "vouch", f"{first.partition('.')[0]}.9")
    assert "was never edited" in shell.refused("draft", "vouch", "1")


def test_T2_publish_and_exports_say_what_is_not_in_them_and_how_it_is_opened(shell: Shell) -> None:
    shell.play("narrate gm --gm: He is paid.")
    shell.done("draft", "new", "second")
    shell.done("draft", "send", "-o", "second.md")
    rewrite(shell.folder / "second.md", (ROPE, f"{ROPE}\n\nNobody waved.\n\nNobody called."))
    taken = shell.done("--yes", "draft", "take", "second.md")
    assert "For the game master alone until you say draft open --to: new blocks 12, 13." in taken

    opens = "retold draft open new --to table"
    said = f"2 paragraphs of yours are not in it, for the game master alone: {opens}\n"
    assert shell.done("draft", "publish").endswith(said)
    for words in (
        ("--publish", "-o", "a.md"),
        ("--session", "1", "--for", "table", "-o", "b.html"),
        ("--book", "--for", "table", "-o", "c.md"),
        ("--session", "all", "--for", "table", "-o", "d"),
        ("--site", "e", "--for", "table"),
        ("--vault", "f", "--for", "table"),
    ):
        assert shell.say("export", *words).err.count(said) == 1, words
    assert "of yours" not in shell.say("export", "--publish", "--no-draft", "-o", "g.md").err
    assert "of yours" not in shell.say("export", "--for", "gm", "-o", "h.md").err
    assert "open new --to Zel" in shell.say("export", "--for", "Zel", "-o", "i.md").err

    shell.done("draft", "open", "new", "--to", "table")
    assert "of yours" not in shell.say("export", "--publish", "-o", "j.md").err
    assert "Nobody waved." in (shell.folder / "j.md").read_text("utf-8")
