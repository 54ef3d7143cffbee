"""How Counterpoint is told; the words are in `phrases.toml`, and a user's voice may change them."""

from retold.game import Due, Game, Sentences, Tag, Telling, words
from retold_counterpoint.events import Chosen, Sung, VerseWon


def _chosen(event: Chosen, telling: Telling) -> Sentences:
    said = words(Tag.DECLARATION, event.text, event.who, telling.say(f"counterpoint.{event.act}"))
    return (*said, telling.numbers())


def _sung(event: Sung, telling: Telling) -> Sentences:
    return (*words(Tag.DECLARATION, event.text, event.who), telling.numbers())


def _won(event: VerseWon, telling: Telling) -> Sentences:
    who = telling.who(event.who)
    return (*telling.ours("counterpoint.won", who=who, verse=event.verse), telling.numbers())


GAME = Game(
    tellers={Chosen: _chosen, Sung: _sung, VerseWon: _won},
    due={Sung: lambda event, _telling: Due((event.who,), owed=False)},
    narrated=frozenset({Sung}),
)
