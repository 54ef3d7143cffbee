"""What a ruling sets: a stat or a track of somebody's, past its ends if the table says so."""

from __future__ import annotations

from journal.names import fold
from journal.refused import Refused
from journal.shared.rulings import from_zero, one_by_one, reckoned
from journal.system import Situation
from journal.systems.homebrew import events as h
from journal.systems.homebrew.options import NAME
from journal.systems.homebrew.state import shelf
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def set_number(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """Each number of the ruling, as the one before has left the table."""
    return one_by_one(situation, ruling, _set, NAME)


def _set(situation: Situation, setting: e.Setting) -> list[Event]:
    if setting.person is None:
        raise Refused("Say whose number, and which: ruling Thia.hp=3: why.")
    who, what, here = setting.person, fold(setting.what), shelf(situation.table)
    kept = here.kept(who, what)
    if kept is not None:
        now = from_zero(reckoned(setting, kept.now))
        own = here.tracks.get(who, {}).get(what)
        most = None if own is None else own.most
        return [
            h.TrackChanged(conflict=situation.where, who=who, track=what, was=kept.now, now=now, most=most)
        ]
    number = here.stat(who, what)
    if number is None:
        known = [*here.known(who), *here.game.stats, *here.sheets.get(who, {})]
        named = ", ".join(dict.fromkeys(known)) or "nothing yet"
        raise Refused(f"A ruling sets a stat or a track of somebody's, not {what}. There is: {named}.")
    return [e.SheetChanged(person=who, system=NAME, values={what: reckoned(setting, number)})]
