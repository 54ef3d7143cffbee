"""Evenings of Counterpoint, as scripts."""

from __future__ import annotations

FIRST = """campaign Harbour
cast gm by=Ines
cast Mara by=Ada
cast Teo by=Ben
session First night
scene The quay
conflict "The contest" counterpoint Mara vs Teo
declare Mara high Teo --sealed: The long note.
declare Teo low --sealed: Beneath it.
reveal
sing Mara = 5 6: I hold it until the lamps shake.
sing Teo = 1 6
narrate Teo: My voice breaks on the pier.
"""
SECOND = """declare Mara low
declare Teo high Mara
invoke Mara
sing Mara = 5 1: Lower than the water.
sing Teo = 6 2
ruling Teo: They cheer louder.
mark after-two
declare Mara high Teo --sealed: Now the low door.
"""
"""A verse that is a draw, decided by a ruling, and the beginning of a third."""
