"""What is told of Counterpoint."""

from projections.prose.telling import Due, Game, Sentences, Tag, Telling, words
from retold_counterpoint.events import Sung


def _sung(event: Sung, telling: Telling) -> Sentences:
    return (*words(Tag.DECLARATION, event.text, event.who), telling.numbers())


GAME = Game(
    tellers={Sung: _sung},
    due={Sung: lambda event, _telling: Due((event.who,), owed=False)},
    narrated=frozenset({Sung}),
)
