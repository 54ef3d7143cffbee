"""Where the shelf and the state of a conflict are found."""

from __future__ import annotations

from journal.shelves import Place
from journal.systems.homebrew.options import NAME
from journal.systems.homebrew.state.sheets import Shelf
from journal.systems.homebrew.state.turns import Play

PLACE = Place(NAME, Shelf, Play)
shelf, own, play = PLACE.shelf, PLACE.own, PLACE.play
