"""The rows of the matrix that are run, in its order."""

from __future__ import annotations

from pathlib import Path

from tests.survival.attacks import Attack, Found, NotRun
from tests.survival.copying import copy_meanwhile
from tests.survival.disks import run_failing, run_full
from tests.survival.editing import edit, flip_bits
from tests.survival.killing import kill_while_recording, write_at_once
from tests.survival.power import cut_the_power
from tests.survival.same import read_everywhere


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
    Attack("R5", "no room from the k-th write on", "the failure is not heard", run_full, 0, 10_000),
    Attack("R6", "the k-th wait for the disk fails", "nothing is read back", run_failing, 2, 10_000),
    Attack("R8", "a flipped bit in the file", "SQLite's own check alone", flip_bits, 40, 1000),
    Attack("R10", "twelve edits with SQL, each", "no receipt kept", edit, 1, 100),
    Attack("R12", "eight writers at once, acts of each", "no waiting for the lock", write_at_once, 0, 500),
    Attack("R16", "a copy while somebody records", "the file alone", copy_meanwhile, 3, 1000),
    Attack("R26", "surroundings to read it in", "a list made of a set", read_everywhere, 0, 18),
    left_out("R31", "a server that is killed or fails over", "no campaign is kept on a server of a database"),
)
