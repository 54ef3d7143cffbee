"""Promised API of a guest: all that a game of another distribution imports from Retold.

docs/game-api.md is its reference, docs/add-a-game.md a walk through a game. Names listed in `__all__` keep
their meaning within a major version; other modules may change. Names about how a game is told (`Telling`,
`Ink`, `Counted` and their neighbours) are imported on first access, since most commands tell nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from journal.capabilities import (
    Aim,
    Balance,
    Blank,
    Border,
    Deck,
    DiceSum,
    HasAspects,
    HasBalance,
    HasClashes,
    HasDecks,
    HasDiceSums,
    HasFaceDown,
    HasFallen,
    HasMap,
    HasPool,
    HasRaise,
    HasRows,
    HasSheets,
    HasThings,
    HasWinners,
    InOrder,
    InPlay,
    Melee,
    Moves,
    Outlook,
    OwnRoll,
    Pairing,
    Passing,
    Picture,
    Plan,
    Pool,
    Raise,
    Row,
    Suggestion,
    Way,
    Zone,
)
from journal.capabilities import Choice as Offer
from journal.decks import dice, french, odds, throws
from journal.decks.chance import Luck, Provenance
from journal.decks.pile import Pile
from journal.options import Chosen, Option
from journal.refused import Forgotten, Refused
from journal.shared.rulings import Change as RulingChange
from journal.shared.rulings import RulingKey, set_by_table
from journal.shared.sealing import SealedChoices
from journal.shared.sheets import sheet_reader
from journal.system import (
    Count,
    Credit,
    Decision,
    Fact,
    SheetKey,
    Situation,
    StateAccess,
    System,
    Trial,
    Tried,
    UntriedOutlook,
    Upcast,
    situation_after,
)
from journal.table import EndedConflict, Handler, OpenConflict, Secret, Somebody, Table, no_change
from journal.visibility import VisibleTo
from journal.vocabulary import commands, events
from journal.vocabulary.base import (
    GM,
    YET_TO_FIND,
    Answer,
    Anywhere,
    Command,
    Event,
    Id,
    InConflict,
    Moment,
    Newcomer,
    OfPeople,
    OfSeveral,
    Part,
    Person,
    PersonAnywhere,
    PersonInConflict,
    Question,
    Thing,
    Value,
    Whole,
    Words,
    kinds,
    verbs,
)
from journal.vocabulary.commands import Data, Text
from journal.vocabulary.sealing import ChoicesRevealed, DeclareSealed, Meant, SealedChoice, seal, unseal

if TYPE_CHECKING:
    from journal.line import LiveEvent
    from projections.plain.ink import Ink, Notations
    from projections.prose.telling import (
        SILENCE,
        Beat,
        Due,
        Game,
        Harm,
        Sentence,
        Sentences,
        Tag,
        Teller,
        Telling,
        in_words,
        numbers,
        own_words,
        said,
        silent,
        with_numbers,
        words,
    )
    from projections.statistics.counted import Cards, Counted, Rounds
    from projections.statistics.counted import Moves as CountedMoves

__all__ = [
    "GM",
    "SILENCE",
    "YET_TO_FIND",
    "Aim",
    "Answer",
    "Anywhere",
    "Balance",
    "Beat",
    "Blank",
    "Border",
    "Cards",
    "ChoicesRevealed",
    "Chosen",
    "Command",
    "Count",
    "Counted",
    "CountedMoves",
    "Credit",
    "Data",
    "Decision",
    "Deck",
    "DeclareSealed",
    "DiceSum",
    "Due",
    "EndedConflict",
    "Event",
    "Fact",
    "Forgotten",
    "Game",
    "Handler",
    "Harm",
    "HasAspects",
    "HasBalance",
    "HasClashes",
    "HasDecks",
    "HasDiceSums",
    "HasFaceDown",
    "HasFallen",
    "HasMap",
    "HasPool",
    "HasRaise",
    "HasRows",
    "HasSheets",
    "HasThings",
    "HasWinners",
    "Id",
    "InConflict",
    "InOrder",
    "InPlay",
    "Ink",
    "Luck",
    "Meant",
    "Melee",
    "Moment",
    "Moves",
    "Newcomer",
    "Notations",
    "OfPeople",
    "OfSeveral",
    "Offer",
    "OpenConflict",
    "Option",
    "Outlook",
    "OwnRoll",
    "Pairing",
    "Part",
    "Passing",
    "Person",
    "PersonAnywhere",
    "PersonInConflict",
    "Picture",
    "Pile",
    "Plan",
    "Pool",
    "Provenance",
    "Question",
    "Raise",
    "Refused",
    "Rounds",
    "Row",
    "RulingChange",
    "RulingKey",
    "SealedChoice",
    "SealedChoices",
    "Secret",
    "Sentence",
    "Sentences",
    "SheetKey",
    "Situation",
    "Somebody",
    "StateAccess",
    "Suggestion",
    "System",
    "Table",
    "Tag",
    "Teller",
    "Telling",
    "Text",
    "Thing",
    "Trial",
    "Tried",
    "UntriedOutlook",
    "Upcast",
    "Value",
    "VisibleTo",
    "Way",
    "Whole",
    "Words",
    "Zone",
    "check",
    "commands",
    "dice",
    "events",
    "french",
    "in_words",
    "kinds",
    "no_change",
    "numbers",
    "odds",
    "own_words",
    "roll_dice",
    "said",
    "seal",
    "set_by_table",
    "sheet_reader",
    "silent",
    "situation_after",
    "throws",
    "unseal",
    "verbs",
    "with_numbers",
    "words",
]

_TOLD: Final = {
    "Cards": ("projections.statistics.counted", "Cards"),
    "Counted": ("projections.statistics.counted", "Counted"),
    "CountedMoves": ("projections.statistics.counted", "Moves"),
    "Beat": ("projections.prose.telling", "Beat"),
    "Due": ("projections.prose.telling", "Due"),
    "Game": ("projections.prose.telling", "Game"),
    "Harm": ("projections.prose.telling", "Harm"),
    "Ink": ("projections.plain.ink", "Ink"),
    "Notations": ("projections.plain.ink", "Notations"),
    "Rounds": ("projections.statistics.counted", "Rounds"),
    "SILENCE": ("projections.prose.telling", "SILENCE"),
    "Sentence": ("projections.prose.telling", "Sentence"),
    "Sentences": ("projections.prose.telling", "Sentences"),
    "Tag": ("projections.prose.telling", "Tag"),
    "Teller": ("projections.prose.telling", "Teller"),
    "Telling": ("projections.prose.telling", "Telling"),
    "in_words": ("projections.prose.telling", "in_words"),
    "numbers": ("projections.prose.telling", "numbers"),
    "own_words": ("projections.prose.telling", "own_words"),
    "said": ("projections.prose.telling", "said"),
    "silent": ("projections.prose.telling", "silent"),
    "with_numbers": ("projections.prose.telling", "with_numbers"),
    "words": ("projections.prose.telling", "words"),
}
"""Names about how a game is told, each with the module and the name it has there."""


def __dir__() -> list[str]:
    """Returns the promised names, those of the prose and statistics included."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


def __getattr__(name: str) -> object:
    """Imports a name of the prose and statistics (`Telling`, `Ink`, `Counted` …) at its first use.

    Raises AttributeError for any other name.
    """
    if name not in _TOLD:
        raise AttributeError(f"retold.game has no {name}.")
    module, original = _TOLD[name]
    return getattr(import_module(module), original)


def roll_dice(situation: Situation, who: int | None, expression: str) -> events.DiceRolled:
    """Rolls the dice of an expression such as `2d6`, or takes results typed by the table; returns the event.

    A fudge die (`dF`) shows -1, 0 or 1. Raises Refused for no dice expression, and for results that do not
    fit.
    """
    faces = situation.luck.faces(dice.parse_sizes(expression))
    return events.DiceRolled(conflict=situation.where, who=who, dice=expression, faces=faces)


def check(game: str, evening: str | None = None) -> tuple[str, ...]:
    """Checks an installed guest game, and plays an evening of it in a temporary campaign.

    Returns sentences for its author, none if all is well. A game that cannot be played has one sentence,
    which says why. Else notations are checked against fields, phrases against the values the voice gives,
    kinds against those of the game. The script `evening`, by default the package's `tour.session` if it has
    one, is played: each view, the outlook, the story and the replay are read for the game master and for the
    table, and what fails or shows a value above its maximum is a sentence. Its counted rows are compared with
    those of a table from which every sheet is hidden. Raises Refused for a name of no guest.
    """
    from journal.games import guests
    from projections.guest_checks import mistakes
    from retold.guest_evening import evening_of

    found: list[str] = []

    def played() -> list[LiveEvent]:
        events, failed = evening_of(guests()[game], evening)
        found.extend(failed)
        return events

    return (*mistakes(game, played), *found)
