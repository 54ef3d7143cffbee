"""Units without a day completed from the answers: time of day, and speech in character."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time

from retold.sources.answers import UNKNOWN, Answers
from retold.sources.unit import NO_DAY, Precision, Sort, Unit, When


def answered(unit: Unit, answers: Answers) -> Unit:
    """Unit with the time of day that `began` gives it; its words are said if the speaker is in character.

    An hour without a day is of the day of `began`, or of one after it. Other units stay as they are; a time
    that the source gives stays too.
    """
    began = None if answers.began in ("", UNKNOWN) else datetime.fromisoformat(answers.began)
    if unit.undated is not None and began is not None:
        midnight = datetime.combine(began, time(), began.tzinfo)
        return replace(unit, when=When(midnight + (unit.undated.time - NO_DAY), unit.undated.precision))
    if unit.clock is None:
        return unit
    person = answers.people.get(answers.person_of(unit.speaker, unit.account) or "")
    sort = Sort.SAID if person and person.in_character and unit.sort is Sort.ASIDE else unit.sort
    when = unit.when
    if when is None and began is not None:
        when = When(began + unit.clock, Precision.MILLISECOND)
    return replace(unit, sort=sort, when=when)
