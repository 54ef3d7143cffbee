"""The rows of the matrix that are run, in its order."""

from __future__ import annotations

from tests.survival.attacks import Attack
from tests.survival.disks import run_failing, run_full
from tests.survival.editing import edit, flip_bits
from tests.survival.killing import kill_while_recording, write_at_once
from tests.survival.power import cut_the_power
from tests.survival.same import read_everywhere

ATTACKS = (
    Attack("R1", "kill -9 while recording", "acknowledged before it is kept", kill_while_recording, 4, 1000),
    Attack("R2", "a power cut at any call", "nothing is waited for", cut_the_power, 30, 15_000),
    Attack("R5", "no room from the k-th write on", "the failure is not heard", run_full, 0, 10_000),
    Attack("R6", "the k-th wait for the disk fails", "nothing is read back", run_failing, 2, 10_000),
    Attack("R8", "a flipped bit in the file", "SQLite's own check alone", flip_bits, 40, 1000),
    Attack("R10", "twelve edits with SQL, each", "no receipt kept", edit, 1, 100),
    Attack("R12", "eight writers at once, acts of each", "no waiting for the lock", write_at_once, 0, 500),
    Attack("R26", "surroundings to read it in", "a list made of a set", read_everywhere, 0, 18),
)
