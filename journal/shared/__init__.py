"""What every table decides in the same way, whatever it plays: one explicit list of verbs."""

from __future__ import annotations

from collections.abc import Mapping

from journal.shared import conflicts, dice, evenings, joining, matters, merging, people, rulings, speech
from journal.system import Decision
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command

DECIDE: Mapping[type[Command], Decision] = {
    c.NameCampaign: evenings.name_campaign,
    c.OpenSession: evenings.open_session,
    c.SetScene: evenings.set_scene,
    c.End: conflicts.end,
    c.Mark: evenings.mark,
    c.Cast: people.cast,
    c.Merge: merging.merge,
    c.Retire: people.retire,
    c.SetOption: rulings.set_option,
    c.Rule: rulings.rule,
    c.OpenConflict: conflicts.open_conflict,
    c.Join: joining.join,
    c.Leave: joining.leave,
    c.Compel: conflicts.compel,
    c.Concede: conflicts.concede,
    c.Accept: conflicts.accept,
    c.Refuse: conflicts.refuse,
    c.Declare: speech.declare,
    c.Narrate: speech.narrate,
    c.Say: speech.say,
    c.Note: speech.note,
    c.Aside: speech.aside,
    c.KeepThread: matters.keep,
    c.KeepPlace: matters.keep,
    c.KeepThing: matters.keep,
    c.Reveal: speech.reveal,
    c.Overrule: speech.overrule,
    c.Roll: dice.roll,
}
"""The shared verbs a table decides without any system; a system's own decision comes first."""
