"""The rows of the matrix that are run, in its order."""

from __future__ import annotations

from pathlib import Path

from tests.survival.attacks import Attack, Found, NotRun
from tests.survival.bombs import read_bombs
from tests.survival.browsing import open_pages
from tests.survival.caches import die_between, spoil_tables
from tests.survival.clocks import keep_wild_time
from tests.survival.copying import copy_meanwhile
from tests.survival.disks import run_failing, run_full
from tests.survival.dying import die_while_making, die_while_taking, throw_and_die
from tests.survival.editing import edit, flip_bits
from tests.survival.hostile import show_what_is_obeyed
from tests.survival.interrupting import interrupt
from tests.survival.killing import kill_while_recording, write_at_once
from tests.survival.large import read_much, say_much
from tests.survival.leaving import leave_early
from tests.survival.names import write_names
from tests.survival.olden import read_the_old_and_the_new
from tests.survival.planted import search_everything
from tests.survival.power import cut_the_power
from tests.survival.readers import fold_at_once, read_on
from tests.survival.same import read_everywhere
from tests.survival.secret import tell_everybody
from tests.survival.serving import cut_the_line, hand_in_twice, kill_the_service
from tests.survival.strange import open_what_hurts, open_what_is_none
from tests.survival.together import say_together
from tests.survival.unwritable import write_nowhere


def left_out(row: str, what: str, reason: str) -> Attack:
    """A row that no machine of ours can make, with the reason."""

    def make(_folder: Path, _rounds: int, _protected: bool) -> Found:
        raise NotRun(reason)

    return Attack(row, what, "", make, 0, 0)


ATTACKS = (
    Attack("R1", "kill -9 while recording", "acknowledged before it is kept", kill_while_recording, 4, 1000),
    Attack("R2", "a power cut at any call", "nothing is waited for", cut_the_power, 30, 15_000),
    left_out(
        "R3", "a power cut of the machine", "it needs a machine that may be switched off; R2 stands for it"
    ),
    Attack("R4", "dying between record and caches", "no transaction in the cache", die_between, 12, 200),
    Attack("R5", "no room from the k-th write on", "the failure is not heard", run_full, 0, 10_000),
    Attack("R6", "the k-th wait for the disk fails", "nothing is read back", run_failing, 2, 10_000),
    Attack("R7", "a disk, folder or file only to be read", "no look at the log", write_nowhere, 1, 3),
    Attack("R8", "a flipped bit in the file", "SQLite's own check alone", flip_bits, 40, 1000),
    Attack("R9", "a file that is no campaign", "any file is taken for one", open_what_is_none, 9, 450),
    Attack("R10", "twelve edits with SQL, each", "no receipt kept", edit, 1, 100),
    Attack("R11", "acts at wild times", "what has the lesser time comes first", keep_wild_time, 20, 2000),
    Attack("R12", "eight writers at once, acts of each", "no waiting for the lock", write_at_once, 0, 500),
    Attack("R13", "acts while somebody reads on", "whoever leaves lets the log lie", read_on, 20, 2000),
    Attack("R14", "acts of two who come and go", "whoever leaves deletes the log", fold_at_once, 0, 5000),
    Attack("R16", "a copy while somebody records", "the file alone", copy_meanwhile, 3, 1000),
    Attack("R17", "Ctrl-C at any step of an act", "no transaction", interrupt, 40, 3000),
    Attack("R18", "texts, lines and dumps of any size", "no limit", say_much, 100, 30_000),
    Attack("R19", "JSON that is made to hurt", "a key may stand twice", read_bombs, 5, 1000),
    Attack("R20", "texts that a terminal would obey", "shown as they are", show_what_is_obeyed, 20, 1000),
    Attack("R21", "texts a browser would obey", "what was escaped is not", open_pages, 0, 1000),
    Attack("R22", "names that would be paths", "files are called as people are", write_names, 20, 1000),
    left_out("R23", "archives that are imported", "no archive is read"),
    left_out("R24", "XML and YAML that explode", "neither is read"),
    Attack("R25", "bytes and schemas of somebody else's", "a trigger may run", open_what_hurts, 100, 20_000),
    Attack("R26", "surroundings to read it in", "a list made of a set", read_everywhere, 0, 18),
    Attack("R27", "dying while dice are rolled", "shown before they are kept", throw_and_die, 8, 300),
    Attack(
        "R28",
        "kinds of another release or game",
        "what is unknown is passed over",
        read_the_old_and_the_new,
        3,
        100,
    ),
    Attack(
        "R29",
        "dying while a file is made, in each of four ways",
        "made under its name",
        die_while_making,
        2,
        100,
    ),
    Attack("R30", "caches that hold something else", "whoever kept them is trusted", spoil_tables, 10, 500),
    left_out("R31", "a server that is killed or fails over", "no campaign is kept on a server of a database"),
    left_out("R32", "two databases that give one log", "a campaign is kept in one way"),
    Attack("R33", "words for some eyes only", "told as to the game master", tell_everybody, 10, 500),
    Attack(
        "R34", "dying while words are taken away", "what is free is not overwritten", die_while_taking, 4, 100
    ),
    Attack("R35", "readers who leave, and Ctrl-C", "nothing is caught on its way out", leave_early, 3, 100),
    Attack("R36", "200 MB of memory, so many events", "all held at once", read_much, 0, 100_000),
    Attack("R37", "kill -9 of the service", "answered before it is kept", kill_the_service, 2, 100),
    Attack("R38", "who follows is cut off", "they come back as for the first time", cut_the_line, 10, 500),
    Attack("R39", "handed in three times", "each time under another id", hand_in_twice, 2, 100),
    Attack("R40", "lines said by threads, and given up", "no thread waits", say_together, 40, 2000),
    Attack(
        "R41", "random campaigns with planted words", "a reading sees everything", search_everything, 0, 1000
    ),
)
