"""The rows of the matrix that are run, in its order."""

from __future__ import annotations

from pathlib import Path

from tests.survival.attacks import Attack, Found, NotRun
from tests.survival.bombs import read_bombs
from tests.survival.browsing import open_pages
from tests.survival.caches import die_between, spoil_tables
from tests.survival.clocks import keep_wild_time
from tests.survival.copying import copy_meanwhile
from tests.survival.cutting import cut_the_wire
from tests.survival.disks import run_failing, run_full
from tests.survival.dying import die_while_making, die_while_taking, throw_and_die
from tests.survival.editing import edit, flip_bits
from tests.survival.failing_over import take_over
from tests.survival.filling import fill_up
from tests.survival.following import follow_at_once, say_to_both
from tests.survival.holding import fill_the_disk, hold_the_lock, run_two_releases
from tests.survival.hostile import show_what_is_obeyed
from tests.survival.interrupting import interrupt
from tests.survival.killing import kill_while_recording, write_at_once
from tests.survival.large import read_much, say_much
from tests.survival.leaking import look_for_secrets
from tests.survival.leaving import leave_early
from tests.survival.names import write_names
from tests.survival.nodes import kill_a_node
from tests.survival.olden import read_the_old_and_the_new
from tests.survival.planted import search_everything
from tests.survival.power import cut_the_power
from tests.survival.readers import fold_at_once, read_on
from tests.survival.roles import go_where_nobody_may
from tests.survival.same import read_everywhere
from tests.survival.secret import tell_everybody
from tests.survival.serving import cut_the_line, hand_in_twice, kill_the_service
from tests.survival.silence import go_silent
from tests.survival.stopping import kill_processes, stop_the_server
from tests.survival.strange import open_what_hurts, open_what_is_none
from tests.survival.together import say_together
from tests.survival.unwritable import write_nowhere


def left_out(row: str, what: str, reason: str) -> Attack:
    """A row that no machine of ours can make, with the reason."""

    def make(_folder: Path, _rounds: int, _protected: bool) -> Found:
        raise NotRun(reason)

    return Attack(row, what, "", make, 0, 0)


ATTACKS = (
    Attack(
        "R1",
        "kill -9 while recording",
        "acts are acknowledged before they are stored",
        kill_while_recording,
        4,
        1000,
    ),
    Attack("R2", "power cut at any system call", "fsync does nothing", cut_the_power, 30, 15_000, 15),
    left_out(
        "R3",
        "power cut of a whole machine",
        "it needs a machine that may be switched off; R2 is run instead",
    ),
    Attack("R4", "crash between record and caches", "the cache has no transaction", die_between, 12, 200),
    Attack("R5", "full disk from the k-th write on", "write errors are ignored", run_full, 0, 10_000),
    Attack(
        "R6",
        "failing fsync, the k-th one",
        "the file is not read back after a failure",
        run_failing,
        2,
        10_000,
    ),
    Attack("R7", "read-only disk, folder or file", "the write-ahead log is not checked", write_nowhere, 1, 3),
    Attack("R8", "flipped bit in the file", "only SQLite's own check", flip_bits, 40, 1000),
    Attack("R9", "file that is not a campaign", "every file is accepted", open_what_is_none, 9, 450),
    Attack("R10", "twelve edits with SQL", "no receipt is kept", edit, 1, 100),
    Attack("R11", "clock that jumps", "events are sorted by time", keep_wild_time, 20, 2000),
    Attack(
        "R12",
        "eight writers at once (acts of each)",
        "writers do not wait for the lock",
        write_at_once,
        0,
        500,
    ),
    Attack("R13", "recording beside a long read", "the log is not folded in on closing", read_on, 20, 2000),
    Attack(
        "R14",
        "two processes that open and close the file",
        "the log is deleted on closing",
        fold_at_once,
        0,
        5000,
    ),
    Attack(
        "R16",
        "copy during recording",
        "only the file is copied, without its log",
        copy_meanwhile,
        3,
        1000,
    ),
    Attack("R17", "Ctrl-C at any step of an act", "acts have no transaction", interrupt, 40, 3000),
    Attack("R18", "very large texts, lines and dumps", "sizes have no limit", say_much, 100, 30_000),
    Attack("R19", "hostile JSON", "duplicate keys are accepted", read_bombs, 5, 1000),
    Attack(
        "R20",
        "terminal escape sequences in texts",
        "texts are shown unescaped",
        show_what_is_obeyed,
        20,
        1000,
    ),
    Attack("R21", "HTML and scripts in texts", "texts are not escaped", open_pages, 0, 1000),
    Attack("R22", "names that look like paths", "names become file names unchanged", write_names, 20, 1000),
    left_out(
        "R23",
        "imported archives",
        "the tests of `retold.sources` and `run.py fuzz import` do this",
    ),
    left_out("R24", "XML and YAML bombs", "Retold reads neither"),
    Attack("R25", "changed bytes and foreign database schemas", "triggers run", open_what_hurts, 100, 20_000),
    Attack("R26", "hash seeds, time zones and locales", "a list is made from a set", read_everywhere, 0, 18),
    Attack("R27", "crash during a roll", "dice are shown before they are stored", throw_and_die, 8, 300),
    Attack(
        "R28",
        "event kinds of another release or game",
        "unknown events are skipped",
        read_the_old_and_the_new,
        3,
        100,
    ),
    Attack(
        "R29",
        "crash while a file is written, four kinds of file",
        "the file is written under its final name",
        die_while_making,
        2,
        100,
    ),
    Attack("R30", "caches with wrong contents", "caches are not checked", spoil_tables, 10, 500),
    Attack(
        "R31",
        "database server stopped at once, eight writers",
        "acts are acknowledged before they are stored",
        stop_the_server,
        0,
        50,
        on_server=True,
    ),
    Attack(
        "R32",
        "the same commands to a file and to a server",
        "one command is said to the file alone",
        say_to_both,
        40,
        2000,
        on_server=True,
    ),
    Attack("R33", "hidden words", "all viewers get the game master's view", tell_everybody, 10, 500),
    Attack("R34", "crash during a redaction", "freed pages are not overwritten", die_while_taking, 4, 100, 2),
    Attack("R35", "closed pipes, and Ctrl-C", "no error of the output is caught", leave_early, 3, 100, 2),
    Attack("R36", "200 MB of memory (events)", "all events are held at once", read_much, 0, 100_000),
    Attack(
        "R37",
        "kill -9 of the service",
        "requests are answered before they are stored",
        kill_the_service,
        2,
        100,
    ),
    Attack(
        "R38",
        "follower whose connection breaks",
        "the follower reconnects without a last id",
        cut_the_line,
        10,
        500,
    ),
    Attack("R39", "line sent three times", "each time under a new id", hand_in_twice, 2, 100),
    Attack(
        "R40",
        "lines of several threads, some abandoned",
        "threads do not wait for each other",
        say_together,
        40,
        2000,
    ),
    Attack(
        "R41",
        "random campaigns with planted words",
        "every viewer sees everything",
        search_everything,
        0,
        1000,
    ),
    Attack(
        "R42",
        "wire to the server cut at a byte of an act",
        "a commit without an answer is not checked",
        cut_the_wire,
        25,
        1500,
        few=10,
        on_server=True,
    ),
    Attack(
        "R43",
        "processes of the server ended, eight writers",
        "acts are acknowledged before they are stored",
        kill_processes,
        0,
        100,
        on_server=True,
    ),
    Attack(
        "R44",
        "standby without the last acts takes over",
        "no receipt is kept",
        take_over,
        0,
        3,
        on_server=True,
    ),
    Attack(
        "R45",
        "writer that goes silent with the lock in hand",
        "the server waits for it without end",
        hold_the_lock,
        0,
        30,
        on_server=True,
    ),
    Attack("R46", "full disk of the server", "errors are ignored", fill_the_disk, 0, 60, on_server=True),
    Attack(
        "R47",
        "two releases on one server",
        "the version is not looked at",
        run_two_releases,
        0,
        10,
        on_server=True,
    ),
    Attack(
        "R48",
        "each verb as a stranger, a reader, another table",
        "row security is off",
        go_where_nobody_may,
        0,
        100,
        on_server=True,
    ),
    Attack(
        "R49",
        "words and passwords in what a server shows",
        "the server logs statements",
        look_for_secrets,
        0,
        10,
        on_server=True,
    ),
    Attack(
        "R50",
        "follower of eight writers on a server",
        "the event-sourcing library's function in the database",
        follow_at_once,
        0,
        300,
        on_server=True,
    ),
    Attack(
        "R51",
        "network that takes everything and hands nothing on",
        "an answer is waited for without end",
        go_silent,
        0,
        60,
        on_server=True,
    ),
    Attack(
        "R52",
        "kill -9 of a node of a server",
        "lines are answered before they are stored",
        kill_a_node,
        2,
        100,
        few=1,
        on_server=True,
    ),
    Attack("R53", "disk that is really full", "errors are ignored", fill_up, 13, 650),
)
