"""What an Edgerunner table may ask for, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping

from journal.system import Decision
from journal.systems.edgerunner.commands import verbs as v
from journal.systems.edgerunner.commands.announcing import act, continue_, declare, simple
from journal.systems.edgerunner.commands.applying import apply, following, resist
from journal.systems.edgerunner.commands.aspects import place_aspect
from journal.systems.edgerunner.commands.clearing import alter, clear
from journal.systems.edgerunner.commands.conflicts import (
    SETUP,
    begin_session,
    close,
    join,
    leave,
    open_conflict,
)
from journal.systems.edgerunner.commands.ending import concede, narrate
from journal.systems.edgerunner.commands.fate_points import accept, compel, invoke, refuse
from journal.systems.edgerunner.commands.mapping import map_zones, place
from journal.systems.edgerunner.commands.meaning import knows, things
from journal.systems.edgerunner.commands.numbers import set_number
from journal.systems.edgerunner.commands.outlook import outlook
from journal.systems.edgerunner.commands.outside import assess, roll_anywhere, roll_skill, rolls, spend
from journal.systems.edgerunner.commands.rolls import boost, spend_spin
from journal.systems.edgerunner.commands.rulings import answer, pending, waiting
from journal.systems.edgerunner.commands.sheets import MISTAKEN, SHEET, merge, read_sheet
from journal.systems.edgerunner.commands.suggesting import suggest
from journal.systems.edgerunner.commands.toolbar import count, turn
from journal.systems.edgerunner.commands.turns import begin_exchange, claim_turn, forfeit
from journal.systems.edgerunner.commands.verbs import COMMANDS
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command

DECIDE: Mapping[type[Command], Decision] = {
    v.MapZones: map_zones,
    v.Place: place,
    v.Merge: merge,
    c.Narrate: narrate,
    v.BeginExchange: following(begin_exchange),
    v.ClaimTurn: following(claim_turn),
    v.Forfeit: forfeit,
    v.Declare: following(declare),
    v.Roll: roll_anywhere,
    v.Move: following(act),
    v.Attack: following(act),
    v.Defend: following(act),
    v.Maneuver: following(act),
    v.Recover: following(act),
    v.Deploy: following(act),
    v.Simple: following(simple),
    v.Continue: following(continue_),
    v.Apply: apply,
    c.Compel: compel,
    c.Accept: accept,
    c.Refuse: refuse,
    v.Resist: resist,
    v.Invoke: invoke,
    v.Boost: boost,
    c.Concede: concede,
    v.SpendSpin: spend_spin,
}
"""What is decided here in a conflict of this system; every other verb is the table's."""

ANYTIME: Mapping[type[Command], Decision] = {
    v.MapZones: map_zones,
    v.PlaceAspect: place_aspect,
    v.Roll: roll_skill,
    v.Assess: assess,
    v.Spend: spend,
    v.Alter: alter,
    v.Merge: merge,
    c.Clear: clear,
    c.Compel: compel,
    c.Accept: accept,
    c.Refuse: refuse,
    v.Resist: resist,
    v.Invoke: invoke,
    v.Boost: boost,
}
"""Verbs that need no conflict."""
