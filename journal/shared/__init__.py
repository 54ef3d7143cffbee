"""Decision functions of verbs shared by all games, by command class.

A decision takes a situation (table state, luck, audience) and a command, and returns the events caused
or raises Refused.
"""

from __future__ import annotations

from collections.abc import Mapping

from retold.journal.shared import (
    conflicts,
    dice,
    notes_and_speech,
    page_texts,
    people,
    pictures,
    rulings,
    sessions,
)
from retold.journal.system import Decision
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command

DECIDE: Mapping[type[Command], Decision] = {
    c.NameCampaign: sessions.name_campaign,
    c.OpenSession: sessions.open_session,
    c.SetScene: sessions.set_scene,
    c.End: conflicts.end,
    c.Mark: sessions.mark,
    c.Cast: people.cast,
    c.Merge: people.merge_people,
    c.Retire: people.retire,
    c.SetOption: rulings.set_option,
    c.Rule: rulings.rule,
    c.OpenConflict: conflicts.open_conflict,
    c.Join: conflicts.join,
    c.Leave: conflicts.leave,
    c.Compel: conflicts.compel,
    c.Concede: conflicts.concede,
    c.Accept: conflicts.accept,
    c.Refuse: conflicts.refuse,
    c.Declare: notes_and_speech.declare,
    c.Narrate: notes_and_speech.narrate,
    c.Say: notes_and_speech.say,
    c.Note: notes_and_speech.note,
    c.Aside: notes_and_speech.aside,
    c.KeepThread: notes_and_speech.keep_matter,
    c.KeepPlace: notes_and_speech.keep_matter,
    c.KeepThing: notes_and_speech.keep_matter,
    c.WriteBlurb: page_texts.write,
    c.WriteContent: page_texts.write,
    c.WriteEpigraph: page_texts.write,
    c.WriteReflection: page_texts.write,
    c.Pull: page_texts.pull,
    c.ShowImage: pictures.add,
    c.GiveHandout: pictures.add,
    c.SetPortrait: pictures.add,
    c.SetCover: pictures.add,
    c.ChooseColour: pictures.choose_colour,
    c.Reveal: notes_and_speech.reveal,
    c.Overrule: notes_and_speech.overrule,
    c.Roll: dice.roll,
}
"""The shared verbs a table decides without any system; a system's own decision comes first."""
