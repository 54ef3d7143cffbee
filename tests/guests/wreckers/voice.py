"""How Wreckers is told."""

from __future__ import annotations

from retold.game import Beat, Due, Game, Sentences, Tag, Telling, words
from tests.guests.wreckers.events import Swum
from tests.guests.wreckers.planted import door


def _swum(event: Swum, telling: Telling) -> Sentences:
    door("teller")
    said = words(Tag.DECLARATION, event.text, event.who)
    return (*said, *telling.ours("wreckers.swum", who=telling.who(event.who)), telling.numbers())


def _due(event: Swum, _telling: Telling) -> Due:
    door("due")
    return Due((event.who,), owed=False)


def _beat(_event: Swum, _telling: Telling) -> Beat:
    door("beat")
    return Beat(3, "the wreck reached")


GAME = Game(tellers={Swum: _swum}, due={Swum: _due}, beats={Swum: _beat})
