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
SONG = """name = "song"
title = "Song"
about = "Songs, and how often they are asked for again."
[stats]
voice = { least = 0, most = 3 }
[tracks]
encore = { kind = "number", most = 6 }
[moves.sound]
dice = "2d6"
stat = "voice"
bands = [{ name = "full", least = 7 }, { name = "thin", least = 0 }]
"""
"""A game in a file, one of whose tracks is called as a verb of Counterpoint is."""

IN_SONG = """cast gm by=Ines
cast Mara homebrew voice=2
cast Sing by=Ben
track Mara encore 1
encore Mara +1
roll Mara sound = 3 4
ruling Mara.encore=5: They would not let her go.
Sing: Again!
"""
