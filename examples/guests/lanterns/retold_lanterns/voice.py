"""What is told of Lanterns, and when; the words are in `phrases.toml`, and a user's voice may change them."""

from retold.game import Due, Game, Sentences, Tag, Telling, words
from retold_lanterns.events import Dared, HarmChanged
from retold_lanterns.rules import MOST_HARM


def _dared(event: Dared, telling: Telling) -> Sentences:
    said = words(Tag.DECLARATION, event.text, event.who, telling.say("lanterns.dares"))
    return (*said, telling.numbers(), *telling.ours(f"lanterns.{event.result}", who=telling.who(event.who)))


def _harm_changed(event: HarmChanged, telling: Telling) -> Sentences:
    key = "lanterns.out" if event.now == MOST_HARM else "lanterns.hurt" if event.by > 0 else "lanterns.mended"
    said = words(Tag.NARRATION, event.text, None)
    return (*(said or telling.ours(key, who=telling.who(event.who))), telling.numbers())


GAME = Game(
    tellers={Dared: _dared, HarmChanged: _harm_changed},
    due={Dared: lambda event, _telling: Due((event.who,), owed=False)},
    announced=frozenset({Dared}),
)
