"""What can be done in a turn, and what sort of thing or character somebody is: §1, §6."""

from __future__ import annotations

from enum import StrEnum


class Act(StrEnum):
    """What somebody can do with their turn: §6."""

    MOVE = "move"
    ATTACK = "attack"
    DEFEND = "defend"
    MANEUVER = "maneuver"
    RECOVER = "recover"
    DEPLOY = "deploy"
    SIMPLE = "simple"


class Kind(StrEnum):
    """What sort of thing has a sheet: §1."""

    CHARACTER = "character"
    EXTRA = "extra"
    GOON = "goon"
    MOOK = "mook"
    ALTERNATE = "alternate"
    FACTION = "faction"
    DEVICE = "device"
    PROBLEM = "problem"


class Role(StrEnum):
    """What a character is, which gives each an exception of their own: §1."""

    SOLO = "solo"
    NOMAD = "nomad"
    MEDIA = "media"
    ROCKERBOY = "rockerboy"
    CORPORATE = "corporate"
    ENFORCER = "enforcer"
    NETRUNNER = "netrunner"
    FIXER = "fixer"
    TECHIE = "techie"
