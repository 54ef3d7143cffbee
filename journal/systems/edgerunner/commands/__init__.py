"""Mapping of Edgerunner's command classes to the functions that decide them, that is, return their events."""

from __future__ import annotations

from collections.abc import Mapping

from journal.system import Decision
from journal.systems.edgerunner.commands import verbs as v
from journal.systems.edgerunner.commands.announcing import act, continue_, declare, simple
from journal.systems.edgerunner.commands.applying import apply, ending_open_roll, resist
from journal.systems.edgerunner.commands.aspects import accept, compel, invoke, place_aspect, refuse
from journal.systems.edgerunner.commands.available_actions import count, outlook, turn
from journal.systems.edgerunner.commands.conflicts import (
    SETUP,
    begin_session,
    close,
    concede,
    join,
    leave,
    narrate,
    open_conflict,
    reminders,
)
from journal.systems.edgerunner.commands.doubts import doubts
from journal.systems.edgerunner.commands.positions import has_sheet, things_in_conflict
from journal.systems.edgerunner.commands.rolls import boost, spend_spin
from journal.systems.edgerunner.commands.rolls_outside_conflict import (
    assess,
    roll_anywhere,
    roll_skill,
    skill_rolls,
    spend,
)
from journal.systems.edgerunner.commands.rulings import answer, pending, set_number, waiting
from journal.systems.edgerunner.commands.sheets import MISTAKEN, SHEET, merge, read_sheet
from journal.systems.edgerunner.commands.stress import alter, clear
from journal.systems.edgerunner.commands.suggesting import suggest
from journal.systems.edgerunner.commands.turns import begin_exchange, claim_turn, forfeit
from journal.systems.edgerunner.commands.verbs import COMMANDS
from journal.systems.edgerunner.commands.zones import map_zones, place
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command

DECIDE: Mapping[type[Command], Decision] = {
    v.MapZones: map_zones,
    v.Place: place,
    v.Merge: merge,
    c.Narrate: narrate,
    v.BeginExchange: ending_open_roll(begin_exchange),
    v.ClaimTurn: ending_open_roll(claim_turn),
    v.Forfeit: forfeit,
    v.Declare: ending_open_roll(declare),
    v.Roll: roll_anywhere,
    v.Move: ending_open_roll(act),
    v.Attack: ending_open_roll(act),
    v.Defend: ending_open_roll(act),
    v.Maneuver: ending_open_roll(act),
    v.Recover: ending_open_roll(act),
    v.Deploy: ending_open_roll(act),
    v.Simple: ending_open_roll(simple),
    v.Continue: ending_open_roll(continue_),
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
"""Commands this game decides in its own conflicts; the house decides the others."""

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
"""Commands this game decides outside conflicts as well."""
