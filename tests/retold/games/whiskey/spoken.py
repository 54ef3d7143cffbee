"""A Whiskey table that plays by the lines it types, without a file."""

from __future__ import annotations

import pytest

from retold.journal.capabilities import Outlook
from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.language import expecting
from retold.journal.language.binding import Scope, bind
from retold.journal.language.lexing import lex
from retold.journal.language.proposed import available_actions
from retold.journal.line import decide
from retold.journal.refused import Refused
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from tests.proposed import holds
from tests.scenario import Story, cast, given

ANN, BOB, XENA, YUL, ZED, DEE, PA, PB = range(1, 9)
"""Ann and Bob have players; Xena, Yul, Zed and Dee have none."""

_FIGHTERS = (ANN, BOB, XENA, YUL, ZED, DEE)
_NUMBERS = {"base": 2, "combat": 10, "die": 1, "hp": 20}


def table(*lines: str) -> Story:
    """Six people, each with combat 10, base 2, die 1 and 20 hit points; then these lines."""
    sheets = [e.SheetChanged(person=who, system="whiskey", values=dict(_NUMBERS)) for who in _FIGHTERS]
    seated = [e.PlayerSeated(person=ANN, player=PA), e.PlayerSeated(person=BOB, player=PB)]
    people = cast("Ann", "Bob", "Xena", "Yul", "Zed", "Dee", "Pa", "Pb")
    return typed(given(*people, *seated, *sheets), *lines)


def typed(story: Story, *lines: str) -> Story:
    """The story with what comes of these lines; nothing is dealt for them, and an `expect` has to hold."""
    for line in lines:
        if line.startswith("expect "):
            expecting.check_expectation(lex(line), story.table)
        else:
            story = Story((*story.events, *come_of(story, line)))
    return story


def come_of(story: Story, line: str) -> list[Event]:
    """What comes of one line; raises Refused where it may not be said."""
    known = story.table
    command = bind(lex(line), Scope(known, int)).command
    return decide(known, command, Luck(FirstDealer(), getattr(command, "results", None)))


def refusal(story: Story, line: str) -> str:
    """The sentence that refuses a line."""
    with pytest.raises(Refused) as refused:
        typed(story, line)
    return holds(refused.value.sentence, story.table)


def outlook(story: Story) -> Outlook:
    """What `can` shows of the conflict in play."""
    return next(available_actions(story.table, Luck(FirstDealer())))
