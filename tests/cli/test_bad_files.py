"""Files that are not campaigns, or are unreadable: one sentence, exit code 1, nothing changed."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from stat import S_ISREG

import pytest

import retold
from retold.journal.store.contract.errors import Damaged
from retold.journal.store.contract.event_store import FORMAT
from retold.journal.store.events.acts import Manner, draft_rows
from retold.journal.store.events.chain import link
from retold.journal.store.events.codec import canonical
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.events import Noted
from tests.cli.shell import Shell, environment
from tests.patience import PATIENCE

READERS = [("show",), ("log",), ("replay",), ("branches",), ("dump",), ("dump", "--script"), ("show", "cast")]
WRITERS = [("note:", "Hello."), ("undo",), ("switch", "mainline")]
READING = pytest.mark.parametrize("words", READERS, ids=" ".join)
BOTH = pytest.mark.parametrize("words", [*READERS, *WRITERS], ids=" ".join)
BROKEN = pytest.mark.parametrize("body", ["{", "[" * 100_000], ids=["open", "nested"])


@BOTH
def test_a_file_that_is_not_there(shell: Shell, words: tuple[str, ...]) -> None:
    assert shell.refused("-c", "gone", *words) == (
        "There is no campaign gone.retold: make one with new, or name it with -c FILE."
    )
    assert not (shell.folder / "gone.retold").exists()


@BOTH
@pytest.mark.parametrize("content", [b"", b"Dear diary,\n", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_of_another_kind(shell: Shell, words: tuple[str, ...], content: bytes) -> None:
    path = shell.folder / "diary.retold"
    path.write_bytes(content)

    assert "diary.retold" in shell.refused("-c", "diary", *words)
    assert path.read_bytes() == content


@BOTH
def test_a_foreign_database_is_refused_and_left_unchanged(shell: Shell, words: tuple[str, ...]) -> None:
    path = shell.folder / "other.retold"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE event (line, position)")
    other.close()
    before = path.read_bytes()

    assert shell.refused("-c", "other", *words) == "other.retold is not a Retold campaign."
    assert path.read_bytes() == before


@BOTH
def test_a_campaign_of_a_later_retold(shell: Shell, words: tuple[str, ...]) -> None:
    with sqlite3.connect(shell.folder / "evening.retold") as changed:
        changed.execute("PRAGMA user_version = 99")
    changed.close()

    assert shell.refused(*words) == (
        f"evening.retold has format 99, and this Retold reads up to {FORMAT}: take a later one."
    )


@BOTH
def test_a_folder(shell: Shell, words: tuple[str, ...]) -> None:
    (shell.folder / "folder").mkdir()

    assert shell.refused("-c", "folder", *words) == (
        "folder is a folder; a campaign is a file such as salt-road.retold."
    )


@READING
@BROKEN
def test_a_body_that_is_broken_is_a_sentence(shell: Shell, words: tuple[str, ...], body: str) -> None:
    with sqlite3.connect(shell.folder / "evening.retold", isolation_level=None) as changed:
        for (name,) in changed.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            changed.execute(f"DROP TRIGGER {name}")
        changed.execute("UPDATE event SET body = ? WHERE position = 4", (body,))
    changed.close()

    said = shell.say(*words)

    assert "should not have" not in said.err
    if said.code:
        assert said.err.count("\n") == 1


@BROKEN
def test_a_broken_event_in_the_log_names_its_position(shell: Shell, body: str) -> None:
    with sqlite3.connect(shell.folder / "evening.retold", isolation_level=None) as changed:
        for (name,) in changed.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            changed.execute(f"DROP TRIGGER {name}")
        changed.execute("UPDATE event SET body = ? WHERE position = 26", (body,))
    changed.close()

    assert shell.refused("log") == (
        "Position 26 of line 1 is damaged: it is not what was recorded there."
        " retold doctor says what is still good."
    )


# --- a damaged row is never shown -------------------------------------------------------------------------

DAMAGE = [
    "body = replace(body, '\"data\":', '\"dota\":')",
    "body = replace(body, '2026-', '3026-')",
    "body = substr(body, 2)",
    "body = CAST(body AS BLOB)",
    "words = substr(words, 2)",
    "words = replace(words, 'e', 'a')",
    "words = '[null,null,null,null]'",
    "kind = upper(kind)",
    "kind = 'table.noted'",
    "hash = randomblob(32)",
    "hash = CAST(hex(substr(hash, 1, 16)) AS BLOB)",
    "position = position + 900",
    "line = line + 7",
]
"""What may become of a stored row."""
ALL_READERS = [
    ("log", "-n", "0"),
    ("log", "--json", "-n", "0"),
    ("show",),
    ("show", "cast"),
    ("show", "sessions"),
    ("export", "1..@", "-f", "text"),
    ("export", "1..@", "-f", "md", "--for", "gm"),
    ("replay", "1..@", "--json"),
    ("recap",),
    ("search", "cry"),
    ("stats",),
    ("who", "Zel"),
    ("diff", "mainline", "kinder"),
    ("dump",),
    ("dump", "--script"),
    ("branches",),
    ("can",),
    ("head",),
]


DAMAGED_AT = (1, 4, 13, 26)


@pytest.mark.parametrize("damage", DAMAGE)
def test_X6_a_damaged_row_is_never_shown(shell: Shell, damage: str) -> None:
    shell.play("branch kinder @-3\nnote: A kinder word.\nswitch mainline\nnote: The last word.\n")
    sound = {words: shell.say(*words) for words in ALL_READERS}
    image = (shell.folder / "evening.retold").read_bytes()
    told = 0
    for seq in DAMAGED_AT:
        spoilt(shell, image, damage, seq)
    for number, (words, good) in enumerate(sound.items(), start=DAMAGE.index(damage)):
        seq = DAMAGED_AT[number % len(DAMAGED_AT)]  # any two of damage, row and reader meet
        said = shell.say("-c", f"spoilt{seq}", *words)

        if said.code == 0:
            assert said.out == good.out, (seq, words)
        else:
            told += 1
            assert (said.code, said.err.count("\n")) == (1, 1), (seq, words)
            assert "doctor" in said.err or "There is no" in said.err or "does not start" in said.err
            assert set(said.out.splitlines()) <= set(good.out.splitlines()), (seq, words)
    assert told


def spoilt(shell: Shell, image: bytes, damage: str, seq: int) -> None:
    """Returns a copy of the campaign, `spoilt<seq>`, with one changed row."""
    path = shell.folder / f"spoilt{seq}.retold"
    path.write_bytes(image)
    with closing(sqlite3.connect(path, isolation_level=None)) as changed:
        for (name,) in changed.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            changed.execute(f"DROP TRIGGER {name}")
        changed.execute(f"UPDATE event SET {damage} WHERE seq = ?", (seq,))


def test_X8_an_event_that_fits_nothing_before_it_is_a_sentence(shell: Shell) -> None:
    header, *events, _ = map(json.loads, shell.bytes().splitlines())
    quality = next(one for one in events if one["kind"] == "bruise.quality-declared")
    quality["body"]["data"]["conflict"] = 1439
    parent = b""
    for one in events:
        parent = link(parent, 1, one["position"], one["kind"], canonical(one["body"]))
        one["hash"] = parent.hex()
    end = {"count": len(events), "heads": {"1": [len(events), parent.hex()]}}
    lines = "\n".join(canonical(one) for one in (header, *events, end))
    (shell.folder / "odd.jsonl").write_text(lines, "utf-8")
    shell.done("load", "odd.jsonl", "odd")

    for words in (("show",), ("export", "1..@", "-f", "text"), ("replay", "1..@"), ("stats",), ("can",)):
        said = shell.say("-c", "odd", *words)
        assert (said.code, said.err.count("\n")) == (1, 1), words
        assert f"The event at position {quality['position']} does not fit the events before it" in said.err


def test_X6_nothing_is_recorded_after_an_end_that_is_damaged(shell: Shell) -> None:
    last = len(shell.done("log", "-n", "0", "--all").splitlines())
    spoilt(shell, (shell.folder / "evening.retold").read_bytes(), "hash = randomblob(32)", last)

    assert f"Position {last} of line 1 is damaged" in shell.refused("-c", f"spoilt{last}", "note:", "Hello.")


def test_X6_a_program_is_told_of_a_damaged_row(shell: Shell) -> None:
    spoilt(shell, (shell.folder / "evening.retold").read_bytes(), "words = replace(words, 'e', 'a')", 4)

    with (
        retold.open(shell.folder / "spoilt4.retold", read_only=True) as campaign,
        pytest.raises(Damaged, match="Position 4 of line 1"),
    ):
        campaign.transcript()


def test_S6_words_that_were_redacted_and_brought_back_read_as_redacted(shell: Shell) -> None:
    shell.done("note:", "Ana's real name is Ruth.")
    at = shell.done("log", "-n", "1").split()[0]
    path = shell.folder / "evening.retold"
    with closing(sqlite3.connect(path)) as before:
        ((words,),) = before.execute("SELECT words FROM event WHERE position = ?", (at,)).fetchall()
    shell.done("--yes", "redact", at)
    with closing(sqlite3.connect(path, isolation_level=None)) as changed:
        ((trigger,),) = changed.execute("SELECT sql FROM sqlite_master WHERE name = 'event_is_final'")
        changed.execute("DROP TRIGGER event_is_final")
        changed.execute("UPDATE event SET words = ? WHERE position = ?", (words, at))
        changed.execute(trigger)

    for reader in (
        ("log", "-n", "0"),
        ("log", "--json"),
        ("export", "--for", "gm", "-f", "md"),
        ("search", "Ruth"),
    ):
        assert "Ruth" not in shell.say(*reader).out, reader
    assert "stand here again: redact them once more" in shell.say("verify").out

    shell.done("--yes", "redact", at)
    assert shell.say("verify").code == 0


def test_a_campaign_with_nothing_in_it_is_a_sentence(shell: Shell) -> None:
    with sqlite3.connect(shell.folder / "evening.retold", isolation_level=None) as changed:
        for (name,) in changed.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            changed.execute(f"DROP TRIGGER {name}")
        changed.execute("DELETE FROM event")
    changed.close()

    for words in (("show",), ("note:", "Hello.")):
        assert "should not have" not in shell.refused(*words)


# --- files that are written -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("new", "evening"), "evening.retold is there already: choose another name."),
        (("new", "gone/salt"), "gone/salt.retold cannot be made: no such file or directory."),
        (("backup", "evening"), "evening.retold is there already: choose another name."),
        (("backup", "gone/copy"), "gone/copy.retold cannot be made: no such file or directory."),
        (
            ("dump", "-o", "evening.retold"),
            "evening.retold is there already: choose another name, or say --force.",
        ),
        (("dump", "-o", "gone/dump"), "gone/dump cannot be written: no such file or directory."),
        (("dump", "-o", "."), ". is a folder: name a file in it."),
        (
            ("run", "--new", "-c", "evening", "-"),
            "evening.retold is there already: choose another name.",
        ),
        (("run", "--new", "-"), "Name the new campaign: retold run --new -c NAME -."),
        (("run", "gone.session"), "There is no script gone.session."),
        (("run", "."), ". is a folder; a script is a file such as evening.session."),
    ],
)
def test_a_place_that_does_not_do(shell: Shell, words: tuple[str, ...], sentence: str) -> None:
    before = (shell.folder / "evening.retold").read_bytes()

    assert shell.refused(*words) == sentence
    assert (shell.folder / "evening.retold").read_bytes() == before
    assert sorted(path.name for path in shell.folder.iterdir() if path.suffix == ".part") == []


def test_force_overwrites_files_written_elsewhere(shell: Shell) -> None:
    (shell.folder / "evening.session").write_text("old")
    shell.done("dump", "--script", "--force", "-o", "evening.session")

    assert (shell.folder / "evening.session").read_text("utf-8") == shell.done("dump", "--script")


def test_a_backup_is_the_campaign_whole(shell: Shell) -> None:
    assert shell.done("backup", "copy") == "copy.retold\n"
    assert shell.bytes("copy.retold") == shell.bytes()


@pytest.mark.parametrize("typed", ["bruise", "Bruise "])
def test_Q37_the_game_that_a_new_campaign_names_is_that_of_its_sheets(shell: Shell, typed: str) -> None:
    said = shell.say("new", "salt-road", "--game", typed)

    assert said.code == 0
    assert said.err.splitlines()[1] == "bruise needs no file: its players get a sheet (cast NAME …)."
    assert shell.done("-c", "salt-road", "cast", "Zel", "clubs=4").endswith("Zel, bruise sheet: clubs=4\n")


def test_a_new_campaign_says_what_to_type_next(shell: Shell) -> None:
    said = shell.say("new", "salt road", "--title", "The Salt Road")

    assert said == (
        0,
        "salt road.retold\n",
        (
            "A new campaign. Next: retold play 'salt road.retold', or line by line:"
            " retold -c 'salt road.retold' session\n"
        ),
    )
    assert shell.done("-c", "salt road", "show").startswith("The Salt Road · mainline at 2\n")


@pytest.mark.parametrize("title", ["a\nb", "a\x1b[31mb", "a\x9bb"])
def test_a_title_is_one_that_a_line_could_hold(shell: Shell, title: str) -> None:
    shell.misused("new", "salt", "--title", title)

    assert not (shell.folder / "salt.retold").exists()


@pytest.mark.parametrize("words", [("--title", " "), ("--title", "a\udcff"), ("--seed", "short")])
def test_invalid_options_create_no_campaign(shell: Shell, words: tuple[str, ...]) -> None:
    said = shell.say("new", "salt", *words)

    assert said.code in (1, 2)
    assert not (shell.folder / "salt.retold").exists()


def test_a_seed_is_read_where_no_history_keeps_it(shell: Shell) -> None:
    said = shell.say("new", "salt", "--seed", "-", stdin=b"a long secret\n")
    shell.done("new", "sand", "--seed", "a long secret")

    assert "Its seed is committed to in the first event and kept on this computer only.\n" in said.err
    first, other = (json.loads(shell.bytes(f"{name}.retold").splitlines()[1]) for name in ("salt", "sand"))
    assert first["body"]["data"]["seed"] == other["body"]["data"]["seed"]
    assert shell.refused("new", "silt", "--seed", "-", stdin=b"short\n").startswith("A seed that short")


def test_a_seed_that_could_not_be_kept_is_said(shell: Shell) -> None:
    (shell.folder / "file").write_text("")
    shell.monkeypatch.setenv("RETOLD_HOME", str(shell.folder / "file"))

    assert (
        "kept nowhere: give it as RETOLD_SEED when you play"
        in shell.say("new", "salt", "--seed", "a long secret").err
    )


def test_a_campaign_whose_seed_is_elsewhere_deals_nothing(shell: Shell) -> None:
    shell.done("new", "salt", "--seed", "a long secret")
    shell.play("session\nscene A\nconflict bruise Zel vs Guards\n", "salt")
    shell.monkeypatch.setenv("RETOLD_HOME", str(shell.folder / "another-home"))

    refusal = shell.refused("-c", "salt", "draw", "Guards", "3")

    assert "deals from a seed that this computer does not hold" in refusal
    shell.monkeypatch.setenv("RETOLD_SEED", "a long secret")
    shell.done("-c", "salt", "draw", "Guards", "3")


def test_a_broken_game_says_every_mistake_on_a_line_of_its_own_and_nothing_is_recorded(shell: Shell) -> None:
    """In a new campaign, in one that runs, and at the console's line; no word of it is the checker's own."""
    broken = shell.folder / "tides.toml"
    broken.write_text(
        'name = "tides"\ntitel = "Tides"\nabout = "water"\n[tracks]\nair = { out = "zero", most = "tank" }\n',
        encoding="utf-8",
    )
    keys = "name, title, about, stats, tracks, conditions, moves, rests, initiative, author, licence"
    mistakes = [
        "tides.toml:1: title is missing: it is 1 to 200 letters in quotes.",
        f"tides.toml:2: there is no titel here. Did you mean title? There is: {keys}.",
        "tides.toml:5: air has tank at the most, and there is no such stat.",
        'tides.toml:5: out is never "zero". There is: empty, full.',
        "docs/a-game-in-a-file.md says what a file has.",
    ]
    before = shell.bytes()

    for words in (("new", "drowned", "--game", "tides.toml"), ("game", "tides.toml")):
        said = shell.say(*words)
        assert (said.code, said.out, said.err.splitlines()) == (1, "", mistakes)
    assert not (shell.folder / "drowned.retold").exists()
    assert shell.bytes() == before


# --- what somebody else put into it -----------------------------------------------------------------------


def put_in(shell: Shell, *statements: str) -> None:
    with sqlite3.connect(shell.folder / "evening.retold", isolation_level=None) as changed:
        for statement in statements:
            changed.execute(statement)
    changed.close()


@BOTH
def test_S14_a_view_without_an_end_is_not_read(shell: Shell, words: tuple[str, ...]) -> None:
    put_in(
        shell,
        "DROP TABLE event",
        "CREATE VIEW event AS WITH RECURSIVE more (seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM more)"
        " SELECT seq, 1 AS line, seq AS position, 'table.noted' AS kind, '{}' AS body, NULL AS words,"
        " zeroblob(32) AS hash FROM more",
    )

    assert shell.refused(*words) == (
        "evening.retold is damaged: it holds what no campaign has, the view event, and is not opened."
    )


def test_S14_a_strange_trigger_does_not_run(shell: Shell) -> None:
    put_in(
        shell,
        "CREATE TABLE told (body TEXT)",
        "CREATE TRIGGER listens AFTER INSERT ON event BEGIN INSERT INTO told VALUES (NEW.body); END",
    )

    assert "the trigger listens" in shell.refused("note:", "Hello.")
    assert len(shell.done("log", "-n", "0").splitlines()) == 26
    assert "It has something that is not ours: CREATE TRIGGER listens" in shell.say("verify").out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name")
@BOTH
def test_S18_a_pipe_is_refused_as_a_campaign_without_waiting(shell: Shell, words: tuple[str, ...]) -> None:
    os.mkfifo(shell.folder / "pipe.retold")

    assert shell.refused("-c", "pipe", *words) == (
        "pipe.retold is no file: a campaign is one, such as salt-road.retold."
    )


# --- what a later Retold wrote ----------------------------------------------------------------------------


def test_R28_an_unknown_kind_is_kept_and_shown_and_nothing_is_written_past_it(shell: Shell) -> None:
    with CampaignStore.open(shell.folder / "evening.retold") as camp, camp.record.writing():
        (draft,) = draft_rows(camp.clock, [Noted(text=Words("Dreamt."))], None, [], Manner())
        camp.record.append(1, camp.record.head(1), [draft._replace(kind="table.dreamt")])
    before = shell.bytes()

    assert "table.dreamt" in shell.done("log", "-n", "1")
    assert (
        "table.dreamt was written by a later Retold: kept, and not understood here."
        in shell.say("verify").out
    )
    assert shell.say("verify").code == 0
    assert shell.refused("note:", "Hello.") == (
        "Position 27 of line 1 holds table.dreamt, which this Retold does not know:"
        " it was written by a later one."
    )
    shell.done("load", "-", "again", stdin=before)
    assert shell.bytes("again.retold") == before == shell.bytes("evening.retold")


def test_S18_what_hinders_a_file_beside_it_is_not_said_to_be_a_read_only_folder(shell: Shell) -> None:
    (shell.folder / "evening.retold-wal").mkdir()

    assert shell.refused("note:", "Hello.") == (
        "evening.retold cannot be written: SQLite can make no file of its own beside it"
        " (unable to open database file)."
    )


def test_S9_a_guessable_seed_is_reported(shell: Shell) -> None:
    assert "anyone who has the campaign can try out seeds" in shell.say("new", "salt", "--seed", "x" * 19).err
    assert "try out" not in shell.say("new", "sand", "--seed", "x" * 20).err


def test_S9_a_seed_is_safe_on_the_disk_when_the_campaign_is_said_to_be_made(shell: Shell) -> None:
    synced = flushes(shell)
    shell.done("new", "salt")
    without = len(synced)
    shell.done("new", "sand", "--seed", "a long secret")

    assert len(synced) == 2 * without + 1


def test_F6_a_dump_is_safe_on_the_disk_when_it_is_said_to_be_written(shell: Shell) -> None:
    synced = flushes(shell)
    shell.done("dump", "-o", "evening.jsonl")

    assert synced == [(shell.folder / "evening.jsonl").stat().st_ino]


def flushes(shell: Shell) -> list[int]:
    """The inode numbers of the files that are flushed to the disk from now on; folders are left out."""
    synced: list[int] = []

    def noted(descriptor: int) -> None:
        found = os.fstat(descriptor)
        if S_ISREG(found.st_mode):
            synced.append(found.st_ino)
        real(descriptor)

    real = os.fsync
    shell.monkeypatch.setattr(os, "fsync", noted)
    return synced


# --- what is no file --------------------------------------------------------------------------------------

PIPES = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")


@PIPES
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("game", "p.toml"), "p.toml cannot be read: it is a pipe or a device, and no file."),
        (
            ("new", "salt", "--game", "p.toml"),
            "p.toml cannot be read: it is a pipe or a device, and no file.",
        ),
        (("voices", "--check", "p.toml"), "p.toml cannot be read: it is a pipe or a device, and no file."),
        (("export", "--voice", "p.toml"), "p.toml cannot be read: it is a pipe or a device, and no file."),
        (("run", "p.toml"), "p.toml is a pipe or a device, and no file: pipe it in, and name - for it."),
        (("load", "p.toml", "salt"), "p.toml is no file; a dump is one, or - for standard input."),
    ],
    ids=lambda given: given[0] if isinstance(given, tuple) else "",
)
def test_S18_a_pipe_without_a_writer_is_refused_without_waiting(
    shell: Shell, words: tuple[str, ...], says: str
) -> None:
    """In a process of its own, which would wait without end."""
    os.mkfifo(shell.folder / "p.toml")

    said = subprocess.run(
        [sys.executable, "-m", "retold", *words],
        timeout=PATIENCE,
        cwd=shell.folder,
        env=environment(shell.folder),
        capture_output=True,
        text=True,
        check=False,
    )

    assert (said.returncode, said.stderr) == (1, f"{says}\n")
    assert not (shell.folder / "salt.retold").exists()


@PIPES
def test_S18_at_the_console_too(shell: Shell) -> None:
    os.mkfifo(shell.folder / "p.toml")

    assert "is a pipe or a device" in shell.say("play", stdin=b"game p.toml\n").err


def test_S18_a_script_is_read_from_what_a_shell_makes_of_a_command(shell: Shell) -> None:
    if not Path("/dev/fd").exists():
        pytest.skip("a shell has no such files here")
    reads, writes = os.pipe()
    os.write(writes, b"note: From another command.\n")
    os.close(writes)

    assert "From another command." in shell.done("run", f"/dev/fd/{reads}")
    os.close(reads)
