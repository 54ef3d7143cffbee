"""Units of a recording completed from the answers: time of day, and speech in character."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from retold.sources.answers import UNKNOWN, Answers
from retold.sources.unit import Precision, Sort, Unit, When


def answered(unit: Unit, answers: Answers) -> Unit:
    """Unit with the time of day that `began` gives it; its words are said if the speaker is in character.

    A unit without the time of a recording stays as it is; a time that the source gives stays too.
    """
    if unit.clock is None:
        return unit
    name = answers.person_of(unit.speaker, unit.account)
    person = answers.people.get(name or "")
    sort = Sort.SAID if person and person.in_character and unit.sort is Sort.ASIDE else unit.sort
    when = unit.when
    if when is None and answers.began not in ("", UNKNOWN):
        when = When(datetime.fromisoformat(answers.began) + unit.clock, Precision.MILLISECOND)
    return replace(unit, sort=sort, when=when)
