"""What Edgerunner knows now: sheets, stress and aspects that outlive a conflict, map and acts within one."""

from __future__ import annotations

from journal.systems.edgerunner.state.evolve import EVOLVE
from journal.systems.edgerunner.state.found import acting, current, is_able, on_turn, play, shelf, yet_to_act
from journal.systems.edgerunner.state.play import Border, Play, Spin, Tale, in_line
from journal.systems.edgerunner.state.rolls import Action, Finding, OpenRoll, Purpose, SkillRoll
from journal.systems.edgerunner.state.sheets import PREFIXES, THINGS, Sheet, Upgrade
from journal.systems.edgerunner.state.shelf import Aspect, Defence, Offer, Owed, Shelf
